"""Who wins from each first move when both sides play their best, by compiled steps (`kernel.expand`)."""

from __future__ import annotations

from lawstone.engine.game import Game
from lawstone.engine.kernel.expand import OutOfPositions, Solver, Unsolved
from lawstone.engine.kernel.walk import Walk
from lawstone.engine.state import Outcome, State
from lawstone.engine.symmetry import symmetries
from lawstone.lower import Rules

__all__ = ["Best", "Unsolved", "first_moves"]
STRETCH = 1_000_000
"""Positions of the first stretch; each later one is half as long again."""


class Best:
    """Best play of a game; positions met for one first move are remembered for the next, in a table of `memory` bytes at most."""

    def __init__(self, rules: Rules, walk: Walk, memory: int) -> None:
        self.walk, self._solver = walk, Solver(walk, symmetries(rules), memory)

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return self._solver.nodes

    def value(self, state: State, most: int) -> int:
        """3 win, 2 draw, 1 no rule, 0 loss for the player who acts; raises Unsolved after `most` positions.

        The search goes by stretches, each of which takes up what the table remembers, so that it can be interrupted between them.
        """
        words, stretch, spent = self.walk.pack(state), STRETCH, 0
        while True:
            try:
                return self._solver.value(words, min(stretch, most - spent))
            except OutOfPositions:
                spent += min(stretch, most - spent)
                stretch += stretch // 2
                if spent >= most:
                    raise Unsolved(f"more than {most:,} positions") from None

    def worth(self, before: State, after: State, over: Outcome | None, most: int) -> int:
        """What a move is worth to the player who makes it."""
        if over is not None:
            return {"draw": 2, "no rule": 1}.get(over.kind, 3 if over.winner == before.seat else 0)
        below = self.value(after, most)
        return below if after.seat == before.seat else {3: 0, 0: 3}.get(below, below)


def first_moves(game: Game) -> list[tuple[str, State, Outcome | None]]:
    """Each first move as written, what it leads to, and how the game ends there."""
    start = game.start()
    found = []
    for move in start.moves:
        after = game.engine.play(start.state, move.picks)
        found.append((move.text, after.state, after.outcome))
    return found
