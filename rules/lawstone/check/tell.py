"""Concerns and tables for people: plain text with boards."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from lawstone.check.report import Actor, Concern, Decision, Follows, Gap, Report

WIDTH = 96
KEPT = "kept from an earlier run on rules of the same meaning; --no-cache asks again"
_HEADS = {
    "conflict": "conflict", "never used": "never used", "redundant": "redundant words", "endless": "play without end",
    "event": "event", "turn order": "who acts",
}  # fmt: skip
_VERDICTS = {"finding": "", "harmless": " (harmless)", "open": " (not decided)", "none": " (no)"}


def wrapped(text: str, indent: str = "  ") -> str:
    """Text folded to the page."""
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def concern(c: Concern, number: int | None = None) -> str:
    """One concern: what it is, the rules, the game that shows it, and how it is known."""
    head = f"{number}. {_HEADS[c.kind]}" if number is not None else _HEADS[c.kind]
    lines = [wrapped(f"{head}{' (' + c.variant + ')' if c.variant else ''}{_VERDICTS[c.verdict]}: {c.what}", "")]
    lines += [wrapped(s) for s in c.says]
    if c.question:
        lines.append(wrapped(f"asked by the question {c.question}"))
    if c.witness is not None:
        w = c.witness
        shown = f"after {w.plies} {'ply' if w.plies == 1 else 'plies'}: {moves(w.moves)}"
        lines += [wrapped(shown), "", textwrap.indent(w.board, "    "), ""]
    replayed = "; replayed by the reference interpreter" if c.witness is not None and c.witness.replayed else ""
    lines.append(wrapped(f"{_KNOWN[c.by]}: {c.how}{replayed}"))
    lines += [wrapped(KEPT)] if c.kept else []
    if c.command:
        lines.append(wrapped(f"again: {c.command}"))
    return "\n".join(lines)


_KNOWN = {"game": "shortness", "proof": "proof", "form": "by the form of the file", "bound": "looked at"}


def moves(listed: Sequence[str], limit: int = 60) -> str:
    """A game on a few lines."""
    if len(listed) <= limit:
        return "  ".join(listed)
    ends = limit // 2
    return "  ".join(listed[:ends]) + f"  ... {len(listed) - 2 * ends} more ...  " + "  ".join(listed[-ends:])


def concerns(report: Report, harmless: bool, number: int) -> Iterator[str]:
    """The concerns of a report: those that are so or open, each in full, then the rest in a line each, harmless ones on request."""
    for c in report.concerns:
        if c.verdict == "finding" or c.verdict == "open" or (harmless and c.verdict == "harmless"):
            number += 1
            yield concern(c, number)
            yield ""
    hidden = [c for c in report.concerns if c.verdict == "harmless"]
    if hidden and not harmless:
        yield f"Harmless, and not shown ({len(hidden)}; --harmless shows them):"
        yield from (f"  {_where(c.variant)}{c.what}" for c in hidden)
        yield ""
    settled = [c for c in report.concerns if c.verdict == "none" and c.kind in ("conflict", "endless", "event")]
    if settled:
        yield "Shown not to be so:"
        for c in settled:
            yield wrapped(f"{_where(c.variant)}{_NOT.get(c.kind, '{}').format(c.what)}: {c.how}", "  ")
        yield ""
    used = sum(c.verdict == "none" and c.kind == "never used" for c in report.concerns)
    words = sum(c.verdict == "none" and c.kind == "redundant" for c in report.concerns)
    if used or words:
        told = f"{words} {'condition or limit matters' if words == 1 else 'conditions and limits matter'}"
        yield f"{used} {'line is' if used == 1 else 'lines are'} in force in some game; {told}."
        yield ""


_NOT = {"conflict": "never {}"}


def _where(variant: str) -> str:
    return f"{variant}: " if variant else ""


# -- tables -----------------------------------------------------------------------------------------------------------------------


def turns(listed: Iterable[Follows]) -> Iterator[str]:
    """Who acts after each pick: a line a pick, openings and all."""
    by_variant: dict[str, list[tuple[str, str, str, str]]] = {}
    for f in listed:
        by_variant.setdefault(f.variant, []).append((f.phase, f.pick, _who(f.actor), _then(f)))
    base = by_variant.get("", [])
    same = [v for v, found in by_variant.items() if v and found == base]
    rows = [(_where(v) + phase, *rest) for v, found in by_variant.items() if v not in same for phase, *rest in found]
    if rows:
        yield "Who acts (phase, pick, by whom, who acts then):"
        yield from _columns(rows)
        yield from (f"  {v}: as in the base game" for v in same)
        yield ""


def _then(f: Follows) -> str:
    when = f", if {f.only_if}" if f.only_if else ""
    return f"{_who(f.then)}" + (f" in {f.in_phase}" if f.in_phase != f.phase else "") + when


def decisions(listed: Iterable[Decision]) -> Iterator[str]:
    """What each event brings at each kind of decision, decisions where it brings the same joined."""
    joined: dict[tuple[str, str, str], list[str]] = {}
    for d in listed:
        if d.brings:
            at = f"{_where(d.variant)}{d.phase} ({d.pick}; {_who(d.actor)} to act)"
            joined.setdefault((d.event, d.brings, "" if d.defined else "not said: "), []).append(at)
    if joined:
        yield "Events, and what they bring at each kind of decision:"
        for (event, brings, silent), places in joined.items():
            yield wrapped(f"{event}: {silent}{brings}", "  ")
            yield from (f"    {p}" for p in places)
        yield ""


def _who(actor: Actor) -> str:
    who = "either player" if actor.seat == "either" else actor.seat
    return f"{who} ({actor.colour})" if actor.colour else who


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    for row in rows:
        yield ("  " + "  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True))).rstrip()


# -- the way round ----------------------------------------------------------------------------------------------------------------


def way_round(g: Gap) -> Iterator[str]:
    """Play that comes back: the position, and the boards on the way round, side by side."""
    assert g.since is not None
    played, round_ = g.witness.moves[: g.since], g.witness.moves[g.since :]
    yield wrapped(f"after {g.since} plies: {moves(played)}" if played else "at the start")
    yield ""
    yield textwrap.indent(g.witness.board, "    ")
    yield ""
    yield wrapped(f"and back again in {len(round_)} plies: {moves(round_)}")
    yield ""
    boards = [b.splitlines() for b in g.boards]
    if boards:
        wide = max(len(line) for b in (*boards, [f"after {m}" for m in round_]) for line in b)
        each = max(1, (WIDTH - 4) // (wide + 4))
        for start in range(0, len(boards), each):
            shown = boards[start : start + each]
            said = round_[start : start + len(shown)]
            yield "    " + "    ".join(f"after {m}".ljust(wide) for m in said).rstrip()
            for n in range(max(map(len, shown))):
                yield ("    " + "    ".join((b[n] if n < len(b) else "").ljust(wide) for b in shown)).rstrip()
            yield ""
