"""Findings for people: plain text with boards, worst first."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from lawstone.check import tell
from lawstone.check.report import Difference, DutyVerdict, Gap, Kind, Kinds, Matters, Report, Witness
from lawstone.check.tell import KEPT

WIDTH = 96


def wrapped(text: str, indent: str = "  ") -> str:
    """Text folded to the page."""
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _moves(moves: Iterable[str], limit: int = 16) -> str:
    listed = list(moves)
    shown = "  ".join(listed[:limit])
    return shown + (f"  ... and {len(listed) - limit} more" if len(listed) > limit else "")


def _game(witness: Witness) -> Iterator[str]:
    if witness.moves:
        yield wrapped(f"after {witness.plies} {'ply' if witness.plies == 1 else 'plies'}: {_moves(witness.moves, 60)}")
    else:
        yield "  at the start"
    yield ""
    yield textwrap.indent(witness.board, "    ")
    yield ""


def difference(d: Difference, number: int | None = None) -> str:
    """One finding: the question, the board where the readings part, what each says, how much it matters."""
    head = f"{number}. {d.question}" if number is not None else d.question
    where = f" ({d.variant})" if d.variant else ""
    lines = [f"{head}{where} [{d.status}] {d.a.answer} / {d.b.answer}: {verdict_words(d)}"]
    if d.ask:
        lines.append(wrapped(d.ask))
    if d.witness is not None:
        lines += ["", *_game(d.witness)]
    for letter, side in (("A", d.a), ("B", d.b)):
        told = f" {side.says}" if side.says else ""
        lines.append(wrapped(f"{letter} {side.answer}:{told}"))
        if d.verdict == "differ" and d.level == "legal moves":
            lines.append(wrapped(f"only {letter} allows: {_moves(side.only) if side.only else 'nothing more'}", "      "))
        elif side.outcome:
            lines.append(wrapped(side.outcome, "      "))
    lines.append("")
    if d.rules:
        lines.append(wrapped(f"rules: {', '.join(d.rules)}"))
    lines += [wrapped(f"source: {s}") for s in d.sources]
    if d.witness is not None:
        lines.append(
            wrapped(f"shortness: {d.witness.how}" + ("; replayed by the reference interpreter" if d.witness.replayed else ""))
        )
        lines += general(d.witness)
    if d.bound:
        lines.append(wrapped(f"{'proof' if d.verdict == 'same: proved' else 'compared'}: {d.bound}"))
    lines += [wrapped(f"method: {s}") for s in d.steps]
    lines += [wrapped(KEPT)] if d.kept else []
    if d.matters is not None and d.matters.games:
        lines.append(wrapped(f"matters: {matters_words(d.matters)}"))
    lines += kinds(d.kinds) if d.kinds is not None else []
    lines.append(wrapped(f"again: {d.command}"))
    return "\n".join(lines)


def kinds(found: Kinds) -> list[str]:
    """Every kind of difference that was met, with a board for each but the one of the finding."""
    if not found.found:
        return [wrapped(f"kinds: none was looked at but that of the finding; {found.how}")]
    number = f"{len(found.found) + found.more} {'kind' if len(found.found) + found.more == 1 else 'kinds'} of difference"
    shown = f", of which the {len(found.found)} with the shortest games are shown" if found.more else ""
    lines = [wrapped(f"kinds: {number} met{shown}; {found.how}")]
    for n, kind in enumerate(found.found, 1):
        lines += _kind(kind, n)
    return lines


def _kind(k: Kind, number: int) -> Iterator[str]:
    if not k.finding:
        yield ""
    shown = "no shorter game shows it" if k.witness.shortest else "not shown shortest"
    name = f"kind {number}{' (the game above)' if k.finding else ''}"
    yield wrapped(f"{name}: {k.level} in {k.phase}: {k.how}; by {', '.join(k.rules)}; {shown}")
    if k.finding:
        return
    yield from ("", *_game(k.witness))
    for letter, only, outcome in (("A", k.only_a, k.outcome_a), ("B", k.only_b, k.outcome_b)):
        if k.level == "legal moves":
            yield wrapped(f"only {letter} allows: {_moves(only) if only else 'nothing more'}", "      ")
        elif outcome:
            yield wrapped(f"{letter}: {outcome}", "      ")


def general(witness: Witness) -> list[str]:
    """Whether the witness is the one that every run finds, and what of it could be otherwise."""
    lines = []
    if witness.least and witness.moves:
        lines.append(wrapped("the least of the shortest games: fewest pieces, then move by move in the order of the board"))
    elif witness.moves:
        lines.append(wrapped("not shown least: another run may show another game"))
    lines += [wrapped(f"in general: {s}") for s in (witness.general.says if witness.general else [])]
    return lines


def verdict_words(d: Difference) -> str:
    """The verdict on one line."""
    if d.verdict == "differ" and d.witness is not None:
        shortest = "" if d.witness.shortest else ", not shown shortest"
        return f"differ ({d.level} at ply {d.witness.plies}{shortest})"
    return d.verdict


def matters_words(m: Matters) -> str:
    """How much a difference matters."""
    told = f"of {m.games} random games the readings part in {m.parted:.0%}, and {m.changed:.0%} end otherwise with the same moves"
    if m.unplayable:
        told += f", {m.unplayable:.0%} hold a move that B forbids"
    if m.values:
        told += "; value " + ", ".join(f"{size}: A {a}, B {b}" for size, (a, b) in m.values.items())
    return told


def gap(g: Gap, number: int | None = None) -> str:
    """One gap: what the rules say nothing about, and the game that runs into it."""
    what = {
        "no move": "the player to act has no move, and no ending holds",
        "duty": "a duty cannot be met, and the clause does not say what then",
        "endless": "play comes back to a position that has been there, and no rule ends it",
    }[g.kind]
    head = f"{number}. gap" if number is not None else "gap"
    lines = [f"{head}{' (' + g.variant + ')' if g.variant else ''}: {g.rule}: {what}"]
    if g.says:
        lines.append(wrapped(g.says))
    lines += ["", *(_game(g.witness) if g.since is None else tell.way_round(g))]
    met = f"met in {g.share:.1%} of plain random games" if g.share else "met in guided games only"
    lines.append(wrapped(f"{met}; {g.witness.how}" + ("; replayed by the reference interpreter" if g.witness.replayed else "")))
    lines += [wrapped(KEPT)] if g.kept else []
    lines.append(wrapped(f"again: {g.command}"))
    return "\n".join(lines)


def _duty(d: DutyVerdict) -> str:
    where = " ".join(w for w in (d.variant, d.phase, d.option) if w)
    what = "a first pick can be made" if d.kind == "no move" else "the step can be met"
    told = {
        "never": "always: proved", "reached": "not always: see the gap above", "unknown": "undecided", "idle": "never asked for",
        "possible": "not proved, and no game found that fails",
    }[d.verdict]  # fmt: skip
    return f"{where}: {d.rule}: {what} {told}{' (kept from an earlier run)' if d.kept else ''}"


def counts(report: Report) -> str:
    """The headline: what was asked and what came out."""
    open_ = [d for d in report.differences if d.open]
    differ = sum(d.verdict == "differ" for d in open_)
    settled = [d for d in report.differences if not d.open]
    caught = sum(d.verdict == "differ" for d in settled)
    same = sum(d.verdict == "same: proved" for d in report.differences)
    told = [
        f"{differ} of {len(open_)} pairs of readings that no source settles differ in play",
        f"{caught} of {len(settled)} pairs that a source settles would be wrong in an engine",
        *([f"{same} proved the same"] if same else []),
        f"{len(report.gaps)} {'gap' if len(report.gaps) == 1 else 'gaps'} met",
        *_concern_counts(report),
        f"{report.examples - len(report.failed_examples)} of {report.examples} worked examples hold",
    ]
    return "; ".join(told)


def _concern_counts(report: Report) -> Iterator[str]:
    """What is so of the lines of the file."""
    of = {k: sum(c.kind == k and c.verdict == "finding" for c in report.concerns) for k in ("conflict", "never used", "redundant")}
    if report.concerns:
        yield f"{of['conflict']} {'conflict' if of['conflict'] == 1 else 'conflicts'} of endings"
        yield f"{of['never used']} lines never used"
        yield f"{of['redundant']} conditions redundant"


def whole(report: Report, settled: bool = False, harmless: bool = False) -> str:
    """The report: ambiguities first, then gaps and concerns, the tables, then (on request) settled questions and harmless
    concerns, then failed examples."""
    parts = [f"{report.title} (rules version {report.rules_version}, {report.board})", wrapped(counts(report), ""), ""]
    number = 0
    for d in report.differences:
        if d.open or settled:
            number += 1
            parts += [difference(d, number), ""]
    for g in report.gaps:
        number += 1
        parts += [gap(g, number), ""]
    parts += tell.concerns(report, harmless, number)
    parts += [*tell.turns(report.turns), *tell.decisions(report.decisions)]
    if report.duties:
        parts.append("Duties (can each step of a turn always be met, in every reachable position?):")
        parts += [f"  {_duty(d)}" for d in report.duties]
        parts.append("")
    hidden = [d for d in report.differences if not d.open and not settled]
    if hidden:
        parts.append("Settled by a source, and still a mistake that an engine can make (--settled shows the boards):")
        parts += [f"  {d.question} {d.a.answer} / {d.b.answer}: {verdict_words(d)}" for d in hidden]
        parts.append("")
    parts += [wrapped(f"{u.key}: not finished: {u.reason}", "") for u in report.unfinished]
    for e in report.failed_examples:
        parts.append(f"worked example {e.id} does not hold:")
        parts += [wrapped(f, "    ") for f in e.failures]
    return "\n".join(parts).rstrip() + "\n"
