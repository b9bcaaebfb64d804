"""`misreadings`: plausible wrong readings of every rule, and what rules each one out."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

import click

from lawstone.check.misreadings import (
    SECONDS,
    Misread,
    Query,
    Settled,
    answer,
    lost,
    queries,
    read_misread,
    report,
    write_misread,
)
from lawstone.check.render import wrapped
from lawstone.check.run import cited
from lawstone.cli.check import certify_record, results_path
from lawstone.cli.main import FINDINGS, INTERRUPTED, OK, UNDECIDED
from lawstone.cli.progress import Progress
from lawstone.cli.shared import PLAIN_EXITS, Command, print_json
from lawstone.cli.work import works
from lawstone.engine.drawn import draw
from lawstone.engine.game import Game
from lawstone.spec import Spec, load
from lawstone.work.crew import Crew

_EXITS: Mapping[int, str] = {
    **PLAIN_EXITS,
    0: "every misreading is ruled out, the same, an open question, or recorded in proofs/<game>/misreadings.json",
    1: "misreadings that nothing rules out, that no open question asks about, and that are not recorded there",
    4: "undecided within the time given (1 goes before 4)",
    130: "interrupted: the misreadings settled so far are printed",
}
_HEADS: Mapping[str, str] = {
    "killed": "ruled out by a worked example that cites a sentence",
    "closed by us": "ruled out only by a worked example of the project's own, which cites no sentence",
    "same: proved": "proved to play alike",
    "same: bounded": "no difference found, up to a bound",
    "undecided": "not settled within the time given",
    "not ruled out": "not ruled out: a game shows the difference, and no sentence speaks of it",
}


@click.command(
    cls=Command,
    short_help="Derive plausible wrong readings of every rule, and say what rules each one out.",
    examples=[
        ("lawstone misreadings xxung", "all of them, with those in full that nothing rules out"),
        ("lawstone misreadings oxono --rule move.jump --all", "the misreadings of one rule, each with what rules it out"),
        (
            "lawstone misreadings gomoku --variant pro --time 60",
            "one variant, with a minute in all for each that is hard to settle",
        ),
    ],
    exits=_EXITS,
)
@click.argument("game", metavar="GAME")
@click.option(
    "--variant", default="", metavar="NAME", help="Only this variant; unsaid, the base game and what each variant changes."
)
@click.option("--rule", "rules", multiple=True, metavar="ID", help="Only misreadings of this rule; may be repeated.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the random games.")
@click.option("--all", "every", is_flag=True, help="List every misreading, also those that are ruled out.")
@click.option("--record", is_flag=True, help="Write them to proofs/<game>/misreadings.json.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@works
def misreadings(
    game: str,
    variant: str,
    rules: tuple[str, ...],
    seconds: float | None,
    seed: int,
    every: bool,
    record: bool,
    as_json: bool,
    crew: Crew,
) -> int:
    """Settle the misreadings of GAME: wrong readings that nobody has declared, derived from the form of each clause.

    Each is ruled out by a worked example that cites a sentence, or only by one of the project's own, or plays alike (proved, or up
    to a bound), or is not ruled out: then the game that shows the difference is printed, with a worked example that would do.
    """
    spec = load(game)
    settled, interrupted = _settle(spec, queries(spec, variant, rules, seconds or SECONDS, seed), crew)
    found = report(spec, settled, seed)
    where = misreadings_path(spec)
    if record:
        partial = bool(variant or rules or interrupted)
        write_misread(merged(read_misread(where), found, spec) if partial else found, where)
        click.echo(f"recorded in {where}", err=True)
        certify_record(spec, where.parent)
    if as_json:
        print_json(found.model_dump(by_alias=True))
    else:
        click.echo(whole(spec, found, every))
    return INTERRUPTED if interrupted else _code(spec, found, where, crew)


def _settle(spec: Spec, listed: list[Query], crew: Crew) -> tuple[list[Settled], bool]:
    settled: dict[int, Settled] = {}

    def done(i: int, found: Settled) -> None:
        settled[i] = found
        progress.tell(found.id)
        progress.step()

    interrupted = False
    with Progress(spec.title, len(listed)) as progress:
        try:
            crew.each(answer, listed, lost, done)
        except KeyboardInterrupt:
            interrupted = True
            click.echo("interrupted: these are the misreadings settled so far", err=True)
    return [settled[i] for i in sorted(settled)], interrupted


def _code(spec: Spec, found: Misread, where: Path, crew: Crew) -> int:
    kept = read_misread(where)
    recorded: set[tuple[str, str]] = set()
    if kept is not None and kept.rules_version == spec.game.rules_version:
        recorded = {(m.key, m.verdict) for m in kept.misreadings}
    new, undecided = found.unrecorded(recorded), found.undecided(recorded)
    if new:
        click.echo(f"{spec.id}: {len(new)} are not ruled out and not recorded: {', '.join(new)}", err=True)
        return FINDINGS
    if undecided:
        click.echo(f"{spec.id}: undecided: {', '.join(undecided)} (at most {crew.limits} each)", err=True)
        return UNDECIDED
    return OK


# -- on record --------------------------------------------------------------------------------------------------------------------


def misreadings_path(spec: Spec) -> Path:
    """Where the misreadings of a game are recorded."""
    return results_path(spec).with_name("misreadings.json")


def merged(old: Misread | None, new: Misread, spec: Spec) -> Misread:
    """A record in which the misreadings that have just been settled take the place of the old ones."""
    if old is None or old.rules_version != new.rules_version:
        return new
    fresh = {m.key: m for m in new.misreadings}
    known = {m.key for m in old.misreadings}
    kept = [fresh.get(m.key, m) for m in old.misreadings] + [m for m in new.misreadings if m.key not in known]
    return report(spec, kept, new.seed)


# -- in words ---------------------------------------------------------------------------------------------------------------------


def whole(spec: Spec, found: Misread, every: bool) -> str:
    """The table of counts, those that nothing rules out in full, and on request all the others."""
    width = max(map(len, _HEADS))
    lines = [f"{spec.title} (rules version {spec.game.rules_version}): {len(found.misreadings)} misreadings", ""]
    for verdict, head in _HEADS.items():
        listed = [m for m in found.misreadings if m.verdict == verdict]
        told = head
        if verdict == "not ruled out" and listed:
            told += f"; {sum(m.open for m in listed)} of them are open questions of the game"
        lines.append(f"  {len(listed):4}  {verdict.ljust(width)}  {told}")
    lines.append("")
    for m in found.misreadings:
        if m.verdict == "not ruled out":
            lines += [_in_full(spec, m), ""]
        elif every or m.verdict in ("undecided", "same: bounded"):
            lines += [_brief(spec, m), ""]
    return "\n".join(lines).rstrip() + "\n"


def _brief(spec: Spec, m: Settled) -> str:
    lines = [f"{_name(m)}: {m.verdict}", wrapped(m.says)]
    if m.answer:
        lines.append(wrapped(f"the same as an answer to a question: {m.answer}"))
    if m.by:
        lines.append(wrapped(f"breaks the worked example {m.by}" + ("" if m.cites else ", which cites no sentence")))
        cites = [f"founding {c}" if isinstance(c, int) else c for c in m.cites]
        lines += [wrapped(cited(spec, c), "      ") for c in cites[:4]]
    if m.how:
        lines.append(wrapped(m.how))
    if m.kept:
        lines.append(wrapped("kept from an earlier run"))
    return "\n".join(lines)


def _in_full(spec: Spec, m: Settled) -> str:
    game = Game(spec, spec.rules(m.variant))
    moves = m.moves or []
    lines = [_brief(spec, m), wrapped(f"rule: {spec.says(m.rule)}") if spec.says(m.rule) else ""]
    shown = "the shortest game" if m.shortest else "the shortest game found"
    told = f"after {'  '.join(moves[:60])}" if moves else "at the start"
    lines += [wrapped(f"they part in: {m.level}, {told} ({shown})"), ""]
    lines += [textwrap.indent(draw(game.replay(moves)), "    "), ""]
    lines += [wrapped("a worked example that would rule it out:"), textwrap.indent(m.example.rstrip(), "    ")]
    return "\n".join(line for n, line in enumerate(lines) if line or n > 1)


def _name(m: Settled) -> str:
    return f"{m.id} ({m.variant})" if m.variant else m.id
