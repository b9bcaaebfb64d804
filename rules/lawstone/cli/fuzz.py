"""`fuzz`: random and guided games against a program until it disagrees."""

from __future__ import annotations

from pathlib import Path

import click

from lawstone.cases.conform import explained, mismatch
from lawstone.cases.diagnose import diagnose
from lawstone.cases.fuzz import Fuzz
from lawstone.cases.generate import suite_of
from lawstone.cases.make import Maker
from lawstone.cases.protocol import Patience, Program
from lawstone.cases.vector import read_suite, suite_text
from lawstone.cli.main import FINDINGS, INTERRUPTED, OK
from lawstone.cli.shared import PLAIN_EXITS, Command, print_json
from lawstone.spec import load


@click.command(
    cls=Command,
    short_help="Play random games against a program until it disagrees.",
    examples=[
        ("lawstone fuzz xxung --to found.json -- ./my-game-engine", "until it disagrees, or 1,000 games are played"),
        ("lawstone fuzz xxung --from 1000 --games 5000 -- ./my-game-engine", "go on where that ended"),
    ],
    exits={
        **PLAIN_EXITS,
        0: "no disagreement",
        1: "a disagreement, shown and stored",
        130: "interrupted: the number to go on from is printed",
    },
)
@click.argument("game", metavar="GAME")
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND...")
@click.option("--variant", default="", metavar="NAME", help="A variant of the game.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The seed of the games.")
@click.option(
    "--from", "first", type=click.IntRange(0), default=0, show_default=True, metavar="N", help="The number of the first game."
)
@click.option("--games", type=click.IntRange(1), default=1_000, show_default=True, help="How many games.")
@click.option("--timeout", type=click.FloatRange(0.01), default=Patience.answer, show_default=True, help="Seconds for one answer.")
@click.option(
    "--to", type=click.Path(dir_okay=False, path_type=Path), metavar="SUITE", help="Add the vector to this suite, made if need be."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def fuzz(
    game: str, command: tuple[str, ...], variant: str, seed: int, first: int, games: int, timeout: float,
    to: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Play games of GAME and ask COMMAND about each position, until it disagrees with the rules.

    The disagreement is shrunk to the shortest game that still shows it and told with its board. The games of a seed are
    numbered and always the same.
    """
    spec = load(game)
    maker = Maker(spec)
    maker.base(variant)
    at = first

    def tell(number: int) -> None:
        nonlocal at
        at = number

    with Program(command, Patience(answer=timeout)) as program:
        run = Fuzz(maker, suite_of(spec, [], "own", seed), program.ask, variant, seed)
        try:
            found = run.run(first, games, tell)
        except KeyboardInterrupt:
            click.echo(f"interrupted in game {at}; go on with --from {at}", err=True)
            return INTERRUPTED
        if found is None:
            click.echo(f"no disagreement in games {first} to {first + games - 1} ({run.questions:,} questions)", err=as_json)
            if as_json:
                print_json({"disagreement": None, "games": games, "from": first, "questions": run.questions})
            return OK
    cause = diagnose(maker, [found.result], mismatch)
    if as_json:
        print_json({"disagreement": found.result.to_json(), "game": found.game, "diagnosis": cause.to_json() if cause else None})
    else:
        click.echo(f"game {found.game}: a disagreement, shrunk with {found.tried} replays\n")
        click.echo(explained(found.result))
        for sentence in cause.sentences() if cause else []:
            click.echo(f"\n{sentence}")
        click.echo(f"\ngo on with --from {found.game + 1}", err=True)
    if to is not None:
        kept = {v.id: v for v in (read_suite(to).vectors if to.exists() else [])} | {found.vector.id: found.vector}
        to.write_text(suite_text(suite_of(spec, list(kept.values()), "own", seed)), encoding="utf-8")
        click.echo(f"stored in {to}: {found.vector.id}", err=True)
    return FINDINGS
