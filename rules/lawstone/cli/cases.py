"""`cases` and `case`: write the suites of a game, compare them with older ones, and turn a report into a vector."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from lawstone.cases.add import add
from lawstone.cases.generate import generate
from lawstone.cases.sources import Plan
from lawstone.cases.vector import Suite, Vector, read_suite, suite_text
from lawstone.cli.main import FINDINGS, OK
from lawstone.cli.progress import Progress
from lawstone.cli.shared import PLAIN_EXITS, Command, print_json
from lawstone.spec import load


@click.command(
    cls=Command,
    short_help="Write edge-case suites that catch wrong engines.",
    examples=[
        ("lawstone cases my-game/ --out suites/", "suites/my-game/core.json and suites/my-game/full.json"),
        ("lawstone cases xxung --core > core.json", "the core suite on standard output"),
        ("lawstone cases my-game/ --against suites/my-game/full.json", "what an edit of the rules changed"),
    ],
    exits={**PLAIN_EXITS, 1: "with --against: vectors were added, retired or changed"},
)
@click.argument("game", metavar="GAME")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write both suites into DIR/GAME/.")
@click.option("--core", "only_core", is_flag=True, help="The core suite, on standard output.")
@click.option(
    "--against", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="OLD", help="Compare with an older suite."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed gives the same bytes.")
@click.option("--games", type=click.IntRange(1), default=Plan.games, show_default=True, help="Games that each source looks over.")
@click.option("--json", "as_json", is_flag=True, help="With --against: one JSON document.")
def cases(game: str, out: Path | None, only_core: bool, against: Path | None, seed: int, games: int, as_json: bool) -> int:
    """Make test vectors for GAME: positions that a game reaches, questions about them, and the right answers.

    The suites are plain JSON for programs in any language; docs/suites.md describes them, `lawstone conform` runs them.
    Nothing in them is written by hand: they come from the game's questions, worked examples, conditions and picks, and every
    vector's game is replayed by the reference interpreter.
    """
    spec = load(game)
    if against is not None:
        old = read_suite(against)
        return _told(_compared(old, spec.id, game, seed=old.seed, games=games), as_json)
    with Progress(spec.title, 10) as progress:
        made = generate(spec, Plan(seed=seed, games=games), progress.tell)
    if out is None:
        sys.stdout.write(suite_text(made.core if only_core else made.full))
        click.echo(made.coverage.table(), nl=False, err=True)
        return OK
    folder = out / spec.id
    folder.mkdir(parents=True, exist_ok=True)
    for suite in (made.core, made.full):
        path = folder / f"{suite.name}.json"
        path.write_text(suite_text(suite), encoding="utf-8")
        click.echo(f"written: {path}, {len(suite.vectors)} vectors", err=True)
    path = folder / "coverage.json"
    path.write_text(made.coverage.written(), encoding="utf-8")
    click.echo(made.coverage.table(), nl=False)
    return OK


def _compared(old: Suite, game_id: str, game: str, seed: int, games: int) -> dict[str, Any]:
    """What became of the vectors of an older suite under the rules as they stand, and what is new."""
    from lawstone.cases.against import compared

    if old.game != game_id:
        raise click.UsageError(f"that is a suite of {old.game}, not of {game_id}")
    return compared(old, load(game), Plan(seed=seed, games=games))


def _told(found: dict[str, Any], as_json: bool) -> int:
    if as_json:
        print_json(found)
    else:
        for key in ("changed", "retired", "added"):
            click.echo(f"{key}: {len(found[key])}")
            for row in found[key][:40]:
                click.echo(
                    f"  {row['id']}  {row['ask']}{' ' + row['move'] if row.get('move') else ''}: "
                    f"{row['told']}  [{', '.join(row['rules'])}]"
                )
        click.echo(f"unchanged: {found['unchanged']}")
    return FINDINGS if found["changed"] or found["retired"] or found["added"] else OK


@click.command(
    cls=Command,
    name="case",
    short_help="Turn a bug report into a vector.",
    examples=[
        ("lawstone case add gomoku my-game.sgf --claim 'outcome: first wins'", "a record, and what is claimed of its end"),
        ("lawstone case add xxung my-game.txt --claim 'c5 is legal' --to mine.json", "a drawn board, and a move"),
    ],
    exits={**PLAIN_EXITS, 1: "the claim is wrong, or the position is not reachable"},
)
@click.argument("action", type=click.Choice(["add"]), metavar="add")
@click.argument("game", metavar="GAME")
@click.argument("source", metavar="FILE")
@click.option(
    "--claim",
    default="",
    metavar="TEXT",
    help="`MOVE is (not) legal`, `PLAYER acts`, `outcome: PLAYER wins`, or `draw`, `none`.",
)
@click.option("--variant", default="", metavar="NAME", help="The variant, where the file does not say it.")
@click.option(
    "--to", type=click.Path(dir_okay=False, path_type=Path), metavar="SUITE", help="Add the vector to this suite, made if need be."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def case(action: str, game: str, source: str, claim: str, variant: str, to: Path | None, as_json: bool) -> int:
    """Take a record or a drawn board (FILE, or - for standard input) and a claim; say what the rules say, and store it."""
    found = add(load(game), source, claim, variant)
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(found.text())
    if to is not None and found.vector is not None:
        _store(load(game), to, found.vector)
    return OK if found.holds else FINDINGS


def _store(spec: Any, path: Path, vector: Vector) -> None:
    from lawstone.cases.generate import suite_of

    kept = {v.id: v for v in (read_suite(path).vectors if path.exists() else [])} | {vector.id: vector}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(suite_text(suite_of(spec, list(kept.values()), "own", 1)), encoding="utf-8")
    click.echo(f"stored in {path}: {vector.id}, {len(kept)} vectors", err=True)
