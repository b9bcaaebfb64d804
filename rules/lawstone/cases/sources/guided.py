"""Games as people play them: lines are built, moves are cut off. A few places of each, and every ending that they come to."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.sources import Plan, concerns
from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import WAYS, Step, step_of, written
from lawstone.engine.game import Game
from lawstone.engine.playout import Dice

WHOLE = 3
"""Games of which several places are asked about."""
TRIES = 40
"""Games played to meet every ending."""
FLAG = ("guided play",)
GROUP = "endings in guided play"
LONGEST = 240
"""Plies of a game."""


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """Places of some guided games a variant (the middle, the last move but one, the end), and a game to each ending."""
    for variant in maker.variants:
        base = maker.base(variant)
        rules = dict.fromkeys(e.rule for p in base.game.rules.phases.values() for t in p.turns for e in t.endings)
        due = {r: Situation(GROUP, variant, r, "met in a guided game") for r in rules if concerns(maker, variant, r)}
        for situation in due.values():
            yield Sought(situation, f"not met in {TRIES} guided games")
        for n in range(TRIES):
            if n >= WHOLE and not due:
                break
            moves = _game(base.game, plan.seed + n, n)
            position = base.position(moves)
            situation_met = due.pop(position.ended.rule, None) if position.ended is not None else None
            shows = () if situation_met is None else (situation_met,)
            if shows or n < WHOLE:
                yield Want(variant, Asked(moves, "outcome"), (), FLAG, shows=shows)
            if n < WHOLE:
                yield from _places(maker, variant, moves)


def _places(maker: Maker, variant: str, moves: tuple[str, ...]) -> Iterator[Want]:
    base, middle = maker.base(variant), len(moves) // 2
    if ways(base.position(moves[:middle])) <= MOST_MOVES // 4:
        yield Want(variant, Asked(moves[:middle], "legal moves"), (), FLAG)
    yield Want(variant, Asked(moves[:middle], "after", moves[middle]), (), FLAG)
    yield Want(variant, Asked(moves[:-1], "outcome"), (), FLAG)
    yield Want(variant, Asked(moves[:-1], "after", moves[-1]), (), FLAG)


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
