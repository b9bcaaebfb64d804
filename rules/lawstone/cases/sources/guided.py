"""Games as people play them: lines are built, moves are cut off. A few places of each, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.sources import Plan
from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import WAYS, Step, step_of, written
from lawstone.engine.game import Game
from lawstone.engine.playout import Dice

GAMES = 4
FLAG = ("guided play",)
LONGEST = 160
"""Plies of a game."""


def wants(maker: Maker, plan: Plan) -> Iterator[Want]:
    """Places of some guided games a variant: the middle, the last move but one, the end."""
    for variant in maker.variants:
        base = maker.base(variant)
        for n in range(GAMES):
            moves = _game(base.game, plan.seed + n, n)
            middle = len(moves) // 2
            if ways(base.position(moves[:middle])) <= MOST_MOVES // 4:
                yield Want(variant, Asked(moves[:middle], "legal moves"), (), FLAG)
            yield Want(variant, Asked(moves[:middle], "after", moves[middle]), (), FLAG)
            yield Want(variant, Asked(moves[:-1], "outcome"), (), FLAG)
            yield Want(variant, Asked(moves[:-1], "after", moves[-1]), (), FLAG)
            yield Want(variant, Asked(moves, "outcome"), (), FLAG)


def _game(game: Game, seed: int, way: int) -> tuple[str, ...]:
    pair, dice, state, line = Pair(game, game), Dice(seed * 31 + 5), game.engine.start(), list[Step]()
    while len(line) < LONGEST:
        options = game.engine.options[game.engine.index[state.phase]](*state.values)
        if not options:
            break
        move = WAYS[1 + way % 2](pair, Two(state, state), options, dice)
        line.append(step_of(pair, state.phase, move))
        after = game.engine.play(state, move)
        state = after.state
        if after.outcome is not None:
            break
    return written(pair, tuple(line))
