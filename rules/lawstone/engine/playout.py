"""Random games: each move uniform over all complete moves, repeatable from a seed.

Picking step by step would be another distribution, so it is not what is done here. The generator is SplitMix64 (Steele, Lea and
Flood 2014), small enough to be written the same way in every back end, so that a seed means the same game everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lawstone.engine.everyday import Everyday
from lawstone.engine.state import Outcome, Picks, State
from lawstone.lower import Rules

_MASK = (1 << 64) - 1
LONGEST = 2000
"""Plies after which a random game is cut, unless a caller says otherwise."""


class Dice:
    """A stream of random numbers."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def word(self) -> int:
        """64 random bits."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, exactly uniform: draws at or above the largest multiple of n are thrown away."""
        words = (n.bit_length() + 63) // 64
        span = 1 << 64 * words
        limit = span - span % n
        while True:
            value = self.word()
            for _ in range(words - 1):
                value = value << 64 | self.word()
            if value < limit:
                return value % n


@dataclass(frozen=True, slots=True)
class Playout:
    """One random game: its moves, how it ended (None: cut), and the last state."""

    moves: tuple[Picks, ...]
    outcome: Outcome | None
    state: State


def random_move(engine: Everyday, state: State, dice: Dice) -> Picks | None:
    """A move drawn uniformly from the legal ones; None when there is none."""
    options = engine.options[engine.index[state.phase]](*state.values)
    total = sum(o[0] for o in options)
    if not total:
        return None
    n = dice.below(total)
    for option in options:
        if n < option[0]:
            return engine.nth(option, n)
        n -= option[0]
    raise AssertionError("options are counted and picked by the same list")


def playout(engine: Everyday, seed: int, longest: int = LONGEST, start: State | None = None) -> Playout:
    """One random game from the start (or from `start`), cut after `longest` plies."""
    dice, state, moves = Dice(seed), start or engine.start(), list[Picks]()
    while len(moves) < longest:
        move = random_move(engine, state, dice)
        if move is None:
            return Playout(tuple(moves), stuck(engine.rules, state), state)
        moves.append(move)
        state, outcome = engine.play(state, move)
        if outcome is not None:
            return Playout(tuple(moves), outcome, state)
    return Playout(tuple(moves), None, state)


def stuck(rules: Rules, state: State) -> Outcome:
    """The outcome where the player to act has no move and no ending holds: the rules say nothing, named by the turn's rule."""
    return Outcome("no rule", None, rules.phases[state.phase].turns[0].rule)


Policy = Callable[[Everyday, State, Dice], Picks | None]
"""A way to pick a move; `random_move` is the plainest."""
