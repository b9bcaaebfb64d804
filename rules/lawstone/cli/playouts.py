"""`lawstone playouts`: random games, how long they are and how they end."""

from __future__ import annotations

import time
from typing import Any

import click

from lawstone.cli.main import USAGE
from lawstone.cli.shared import PLAIN_EXITS, Ask, Command, Page, asks, game_json, headline, print_json
from lawstone.engine.kernel.run import Sample, runner
from lawstone.engine.kernel.steps import step_by_step
from lawstone.engine.playout import LONGEST
from lawstone.engine.state import Outcome
from lawstone.engine.tally import fired
from lawstone.prove import facts

HELP = """Play random games: how long they are, and how they end.

Each move is drawn uniformly from all complete moves; with --step-by-step each pick of a move is drawn by itself, which
is another distribution (a totem with many targets is then no likelier than one with few). The i-th game is played from
the seed S + i, and a seed gives the same game in every back end. The output says which back end played: compiled where
llvmlite is installed (pip install 'lawstone[fast]'), else the emitted Python.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone playouts oxono --n 100000", "Mean length, outcomes, and the games a CPU-second."),
        ("lawstone playouts xxung --board 8x8 --n 1000 --json", "One JSON document."),
        ("lawstone playouts oxono --n 1000 --step-by-step", "Symbol, target and square drawn one after the other."),
    ],
    exits=PLAIN_EXITS,
)
@click.option("--n", "games", type=click.IntRange(1), metavar="N", default=1000, show_default=True, help="How many games.")
@click.option("--seed", type=click.IntRange(0), metavar="S", default=0, show_default=True, help="The seed of the first game.")
@click.option(
    "--longest",
    type=click.IntRange(1),
    metavar="PLIES",
    default=LONGEST,
    show_default=True,
    help="Plies after which a game is cut.",
)
@click.option("--step-by-step", "stepwise", is_flag=True, help="Draw each pick of a move by itself.")
@click.option("--emitted", is_flag=True, help="Play by the emitted Python, even where a compiled kernel could.")
@asks(position=True, boards=False)
def playouts(ask: Ask, games: int, seed: int, longest: int, stepwise: bool, emitted: bool) -> int:
    """See HELP."""
    position = ask.position
    if position.ended is not None:
        click.echo("the game is over there: nothing is to be played", err=True)
        return USAGE
    began = time.process_time()
    if stepwise:
        sample, backend, reason = Sample(games), "emitted Python", "step by step"
        for i in range(games):
            game = step_by_step(position.game.engine, seed + i, longest, position.state)
            sample.lengths[len(game.moves)] += 1
            sample.ends[game.outcome] += 1
        ready = began
    else:
        plan = facts.plan_of(position.game.rules)
        run = runner(position.game.rules, position.game.engine, plan, compiled=not emitted)
        ready = time.process_time()
        sample = run.playouts(games, seed, longest, position.state)
        backend, reason = sample.backend, run.reason or run.why(sample)
    done = time.process_time()
    rate = games / max(done - ready, 1e-6)
    error = sample.deviation / games**0.5
    outcomes = dict(sorted(_told(ask, sample).items(), key=lambda pair: -pair[1]))
    fires = fired(
        position.game.rules, position.game.engine, "asked for" if emitted or stepwise else position.game.walk, games, seed, longest,
        position.state,
    )  # fmt: skip
    document: dict[str, Any] = {
        **game_json(position.game),
        "n": games, "seed": seed, "longest": longest, "drawn": "step by step" if stepwise else "complete moves",
        "backend": backend, "backend reason": reason or None, "playouts_per_cpu_s": round(rate, 1),
        "start_cpu_s": round(ready - began, 3), "mean_length": round(sample.mean_length, 4), "standard_error": round(error, 4),
        "outcomes": outcomes, "branching": round(sample.branching, 3) if sample.choices else None,
        "lengths": {str(plies): sample.lengths[plies] for plies in sorted(sample.lengths)},
        "rules": {
            "games": fires.games, "drawn": "complete moves", "backend": fires.backend, "moves": dict(fires.moves.most_common()),
            "ends": dict(fires.ends.most_common()),
        },
    }  # fmt: skip
    if ask.json:
        print_json(document)
        return 0
    page = Page.of(ask)
    page.title(f"{headline(position.game)}: {games:,} random games")
    page.line(f"  {'back end':<14} {backend}{f' ({reason})' if reason else ''}")
    page.line(f"  {'games/CPU-s':<14} {rate:,.0f}, after {ready - began:.2f} CPU-s of preparation")
    if sample.choices:
        page.line(f"  {'branching':<14} {sample.branching:,.2f} legal moves at each move made")
    page.line(f"  {'mean length':<14} {sample.mean_length:.3f} +- {error:.3f} plies")
    width = max(map(len, outcomes))
    page.line("  outcomes")
    for name, n in outcomes.items():
        page.line(f"    {name:<{width}}  {n:>12,}  {100 * n / games:6.2f} %")
    page.line(f"  moves in which a rule takes part, in {fires.games:,} games of complete moves ({fires.backend})")
    width = max(map(len, fires.moves), default=0)
    for name, n in fires.moves.most_common():
        page.line(f"    {name:<{width}}  {n:>12,}  {n / fires.games:8.2f} a game")
    return 0


def _told(ask: Ask, sample: Sample) -> dict[str, int]:
    players = ask.position.game.rules.words.players

    def name(outcome: Outcome | None) -> str:
        if outcome is None:
            return "cut"
        who = f"{players[outcome.winner]} wins" if outcome.winner is not None else outcome.kind
        return f"{who}: {outcome.rule}"

    found: dict[str, int] = {}
    for outcome, n in sample.ends.items():
        found[name(outcome)] = found.get(name(outcome), 0) + n
    return found
