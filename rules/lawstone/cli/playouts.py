"""`lawstone playouts`: random games, how long they are and how they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import click

from lawstone.cli.main import INTERRUPTED, OK, UNDECIDED, USAGE
from lawstone.cli.shared import PLAIN_EXITS, Ask, Command, Page, asks, game_json, headline, print_json
from lawstone.cli.work import bounded
from lawstone.engine.game import Position
from lawstone.engine.kernel.run import Sample, runner
from lawstone.engine.kernel.steps import step_by_step
from lawstone.engine.playout import LONGEST
from lawstone.engine.state import Outcome
from lawstone.engine.tally import fired
from lawstone.prove import facts
from lawstone.work import bounds

HELP = """Play random games: how long they are, and how they end.

Each move is drawn uniformly from all complete moves; with --step-by-step each pick of a move is drawn by itself, which
is another distribution (a totem with many targets is then no likelier than one with few). The i-th game is played from
the seed S + i, and a seed gives the same game in every back end. The output says which back end played: compiled where
llvmlite is installed (pip install 'lawstone[fast]'), else the emitted Python.
"""

LOT_SECONDS = 0.1
"""Lots of games are doubled until one takes so long."""
FEW = 100
"""Games in which the rules that take part are counted where the run was stopped."""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone playouts oxono --n 100000", "Mean length, outcomes, and the games a CPU-second."),
        ("lawstone playouts xxung --board 8x8 --n 1000 --json", "One JSON document."),
        ("lawstone playouts gomoku --n 100000 --time 20", "As many of them as 20 CPU-seconds allow."),
        ("lawstone playouts oxono --n 1000 --step-by-step", "Symbol, target and square drawn one after the other."),
    ],
    exits={
        **PLAIN_EXITS,
        4: "stopped at --time or --memory: the games before are counted",
        130: "interrupted: the games before are counted",
    },
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
@bounded()
@asks(position=True, boards=False)
def playouts(ask: Ask, games: int, seed: int, longest: int, stepwise: bool, emitted: bool) -> int:
    """See HELP."""
    position = ask.position
    if position.ended is not None:
        click.echo("the game is over there: nothing is to be played", err=True)
        return USAGE
    began = time.process_time()
    if stepwise:

        def lot(first: int, n: int) -> Sample:
            return _stepwise(position, first, n, longest)

        ready, (sample, code, stopped) = began, _in_lots(lot, games, seed)
        backend, reason = "emitted Python", "step by step"
    else:
        plan = facts.plan_of(position.game.rules)
        run = runner(position.game.rules, position.game.engine, plan, compiled=not emitted)
        ready = time.process_time()
        sample, code, stopped = _in_lots(lambda first, n: run.playouts(n, first, longest, position.state), games, seed)
        backend, reason = sample.backend, run.reason or run.why(sample)
    if stopped:
        click.echo(f"stopped after {sample.games:,} of {games:,} games: {stopped}", err=True)
    if not sample.games:
        return code
    games, done = sample.games, time.process_time()
    rate = games / max(done - ready, 1e-6)
    error = sample.deviation / games**0.5
    outcomes = dict(sorted(_told(ask, sample).items(), key=lambda pair: -pair[1]))
    walk = "asked for" if emitted or stepwise else position.game.walk
    counted = FEW if stopped else games
    fires = fired(position.game.rules, position.game.engine, walk, counted, seed, longest, position.state)
    document: dict[str, Any] = {
        **game_json(position.game),
        "stopped": stopped or None, "n": games, "seed": seed, "longest": longest,
        "drawn": "step by step" if stepwise else "complete moves",
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
        return code
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
    return code


def _in_lots(play: Callable[[int, int], Sample], games: int, seed: int) -> tuple[Sample, int, str]:
    """The games played in lots, so that a bound or an interruption keeps those before; the exit code and what stopped them."""
    whole, lot = Sample(), 16
    try:
        while whole.games < games:
            bounds.check()
            began = time.perf_counter()
            played = play(seed + whole.games, min(lot, games - whole.games))
            whole.add(played)
            whole.backend = played.backend
            if time.perf_counter() - began < LOT_SECONDS:
                lot *= 2
    except bounds.Spent as spent:
        return whole, UNDECIDED, f"{spent}; --time and --memory allow more"
    except KeyboardInterrupt:
        return whole, INTERRUPTED, "interrupted"
    return whole, OK, ""


def _stepwise(position: Position, seed: int, games: int, longest: int) -> Sample:
    sample = Sample(games)
    for i in range(games):
        game = step_by_step(position.game.engine, seed + i, longest, position.state)
        sample.lengths[len(game.moves)] += 1
        sample.ends[game.outcome] += 1
    return sample


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
