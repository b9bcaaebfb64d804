"""Two readings played from the same seeds: which games part, found by kernels and told by the interpreter.

From one seed two readings draw the same numbers, so they play the same game for as long as they have equally many moves in the
same order. Games whose ends differ have parted somewhere; where, the interpreter says when it replays them. Games that end alike
may have parted and come together again: the share found is a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawstone.engine.everyday import Everyday
from lawstone.engine.kernel.run import Ended, Kernel
from lawstone.engine.playout import LONGEST, Dice, random_move
from lawstone.engine.state import Outcome, Picks, State
from lawstone.lower import Rules

BATCH = 2_000


@dataclass(frozen=True)
class Parting:
    """Random games of two readings from the same seeds: how many parted, how many had another result, the first that parted."""

    games: int
    parted: int
    other_result: int
    first: int | None


@dataclass(frozen=True)
class First:
    """The first difference of a game: the moves before it, the state there under each reading, and what differs."""

    moves: tuple[Picks, ...]
    states: tuple[State, State]
    what: str


def parting(a: Kernel, b: Kernel, n: int, seed: int = 0, longest: int = LONGEST, stop: bool = False) -> Parting:
    """Play `n` games under both readings; with `stop` no further than the batch in which the first game parts."""
    parted = other = games = 0
    first: int | None = None
    for start in range(0, n, BATCH):
        size = min(BATCH, n - start)
        pairs = zip(a.each(size, seed + start, longest), b.each(size, seed + start, longest), strict=True)
        for i, (x, y) in enumerate(pairs):
            if _told(a.rules, x) != _told(b.rules, y):
                parted += 1
                first = seed + start + i if first is None else first
                other += _result(x.outcome) != _result(y.outcome)
        games += size
        if stop and first is not None:
            break
    return Parting(games, parted, other, first)


def _told(rules: Rules, end: Ended) -> tuple[object, ...]:
    named = tuple(sorted((v.name, x) for v, x in zip(rules.variables, end.state.values, strict=True)))
    return end.plies, _result(end.outcome), end.state.seat, named


def _result(outcome: Outcome | None) -> tuple[str, int | None]:
    return ("cut", None) if outcome is None else (outcome.kind, outcome.winner)


def first_difference(a: Everyday, b: Everyday, seed: int, longest: int = LONGEST) -> First | None:
    """Where the game from a seed parts, move by move in the emitted Python; None where it does not."""
    dice, twin = Dice(seed), Dice(seed)
    states = a.start(), b.start()
    moves: list[Picks] = []
    for _ in range(longest):
        if set(_moves(a, states[0])) != set(_moves(b, states[1])):
            return First(tuple(moves), states, "legal moves")
        move, other = random_move(a, states[0], dice), random_move(b, states[1], twin)
        if move != other:
            return First(tuple(moves), states, "the order of moves")
        if move is None:
            return None
        after, beside = a.play(states[0], move), b.play(states[1], move)
        if _result(after.outcome) != _result(beside.outcome):
            return First((*moves, move), (after.state, beside.state), "the result")
        if after.outcome is not None:
            return None
        moves.append(move)
        states = after.state, beside.state
    return None


def _moves(engine: Everyday, state: State) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    turns = engine.rules.phases[state.phase].turns
    return ((turns[m.turn].label, m.sites) for m in engine.moves(state))
