"""`adequacy`: which vector of a suite tells which reading and which misreading from the rules."""

from __future__ import annotations

from pathlib import Path

import click

from lawstone.cases.adequacy import matrix
from lawstone.cases.make import Maker
from lawstone.cases.vector import read_suite
from lawstone.cli.main import OK, UNDECIDED
from lawstone.cli.shared import PLAIN_EXITS, Command, print_json
from lawstone.cli.work import bounded
from lawstone.data import shipped_suite
from lawstone.spec import load


@click.command(
    cls=Command,
    short_help="Say which misreadings a suite tells from the rules.",
    examples=[
        ("lawstone adequacy my-game/ --suite core.json", "what no vector tells apart, at its end"),
        ("lawstone adequacy my-game/ --suite mine.json --json", "another one, as data"),
    ],
    exits={
        **PLAIN_EXITS,
        0: "each reading and misreading is told apart, or proved the same game, and each rule decides a vector",
        4: "some are neither, or a rule decides no vector",
    },
)
@click.argument("game", metavar="GAME")
@click.option(
    "--suite",
    "path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The suite; unsaid, the published core suite.",
)
@click.option("--full", is_flag=True, help="The published full suite.")
@click.option("--no-proof", is_flag=True, help="Do not try to prove that what is not told apart is the same.")
@click.option("--all", "every", is_flag=True, help="Name every vector that tells a reading apart, not only three.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@bounded()
def adequacy(game: str, path: Path | None, full: bool, no_proof: bool, every: bool, as_json: bool) -> int:
    """Print the matrix of a suite of GAME: for each reading and misreading the vectors that no program of that mind passes."""
    spec = load(game)
    found = path or shipped_suite(spec.id, "full" if full else "core")
    if found is None:
        raise click.UsageError(f"no suite of {spec.id} is published; write one with `lawstone cases` and name it with --suite")
    suite = read_suite(found)
    done = matrix(Maker(spec), suite, prove=not no_proof)
    if as_json:
        print_json(done.to_json())
    else:
        for row in done.rows:
            shown = row.killed_by if every else row.killed_by[:3]
            by = f"{len(row.killed_by)} vectors: {' '.join(shown)}{' ...' if len(row.killed_by) > len(shown) else ''}"
            told = by if row.killed_by else row.same or row.looked
            click.echo(f"{row.verdict:11} {row.variant or 'base':18} {row.candidate.name}: {told}")
        apart = sum(r.verdict == "told apart" for r in done.rows)
        same = sum(r.verdict == "same" for r in done.rows)
        click.echo(
            f"{len(done.rows)} readings and misreadings: {apart} told apart, {same} the same, {len(done.undecided)} undecided"
        )
        if done.silent_rules:
            click.echo(f"rules that decide no vector: {', '.join(done.silent_rules)}")
    return UNDECIDED if done.undecided or done.silent_rules else OK
