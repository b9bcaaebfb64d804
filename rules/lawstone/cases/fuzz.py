"""Random and guided games against a program until it disagrees; the disagreement made as small as it gets, and kept as a vector.

The games of a seed are always the same ones, numbered from 0, so that a run can be taken up again at any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lawstone.cases.answer import Asked
from lawstone.cases.conform import Result, judge
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.protocol import Reply, request
from lawstone.cases.vector import Suite, Vector
from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import WAYS, Line, Step, allowed, in_phase, shrink, step_of, written
from lawstone.engine.game import Game
from lawstone.engine.playout import Dice

LONGEST = 200
"""Plies of a game."""
EVERY = 4
"""The list of legal moves is asked for at every so many plies; who acts and how the game stands at each."""


@dataclass(frozen=True)
class Disagreement:
    """What a program and the rules disagree on: the smallest vector found, what it answered, and the game it was met in."""

    result: Result
    game: int
    tried: int

    @property
    def vector(self) -> Vector:
        """The vector."""
        return self.result.vector


@dataclass
class Fuzz:
    """A fuzzing of one program by one variant of a game."""

    maker: Maker
    suite: Suite
    """An empty suite, for the head of requests."""
    ask: Callable[[dict[str, Any]], Reply]
    variant: str = ""
    seed: int = 1
    questions: int = 0

    def __post_init__(self) -> None:
        self.game: Game = self.maker.base(self.variant).game
        self.pair = Pair(self.game, self.game)

    def run(self, first: int, games: int, tell: Callable[[int], None] = lambda _: None) -> Disagreement | None:
        """Play games number `first` and following; the first disagreement, made small."""
        for number in range(first, first + games):
            tell(number)
            line = self._line(number)
            for asked in self._asked(line):
                found = self._judged(asked)
                if found is not None and found.verdict in ("wrong", "trouble"):
                    return self._smaller(found, asked, line, number)
        return None

    def _line(self, number: int) -> Line:
        engine, dice, line = self.game.engine, Dice(self.seed * 1_000_003 + number), list[Step]()
        state, choose = engine.start(), WAYS[number % len(WAYS)]
        while len(line) < LONGEST:
            options = engine.options[engine.index[state.phase]](*state.values)
            if not options:
                break
            move = choose(self.pair, Two(state, state), options, dice)
            line.append(step_of(self.pair, state.phase, move))
            after = engine.play(state, move)
            state = after.state
            if after.outcome is not None:
                break
        return tuple(line)

    def _asked(self, line: Line) -> Iterator[Asked]:
        moves = written(self.pair, line)
        for ply in range(len(moves) + 1):
            here = moves[:ply]
            yield Asked(here, "outcome")
            if ply:
                yield Asked(here[:-1], "after", here[-1])
            if (ply % EVERY == 0 or ply >= len(moves) - 1) and ways(self.maker.base(self.variant).position(here)) <= MOST_MOVES:
                yield Asked(here, "legal moves")

    def _judged(self, asked: Asked) -> Result | None:
        vector = self.maker.vector(Want(self.variant, asked, (), ("disagreement",)))
        if vector is None:
            return None
        self.questions += 1
        return judge(vector, self.ask(request(self.suite, vector)))

    def _smaller(self, found: Result, asked: Asked, line: Line, number: int) -> Disagreement:
        """Leave moves out of the game as long as the program is still wrong about the same question."""
        tail = 1 if asked.ask == "after" else 0
        cut = line[: len(asked.moves) + tail]
        tries, best = 0, found

        def still(shorter: Line) -> int | None:
            nonlocal tries, best
            moves = self._moves(shorter)
            if moves is None or len(moves) < tail:
                return None
            tries += 1
            there = Asked(moves[:-1], "after", moves[-1]) if tail else Asked(moves, asked.ask)
            result = self._judged(there)
            if result is None or result.verdict != found.verdict:
                return None
            best = result
            return len(shorter)

        shrink(cut, still, 400)
        return Disagreement(self._sharper(best), number, tries)

    def _sharper(self, found: Result) -> Result:
        """One wrong move of a wrong list, if the program says the same of it when asked for it alone."""
        vector = found.vector
        if vector.ask != "legal moves" or found.given is None or not isinstance(found.given.get("moves"), list):
            return found
        mine, theirs = set(vector.expect.moves or []), {m for m in found.given["moves"] if isinstance(m, str)}
        for move in sorted(mine ^ theirs)[:3]:
            result = self._judged(Asked(tuple(vector.moves), "is legal", move))
            if result is not None and result.verdict == "wrong":
                return result
        return found

    def _moves(self, line: Line) -> tuple[str, ...] | None:
        """A line in notation; None where it is no game."""
        engine = self.game.engine
        state = engine.start()
        for n, (kind, sites) in enumerate(line):
            move = in_phase(self.pair, state.phase, kind, sites)
            index = engine.index[state.phase]
            if move is None or not allowed(engine.depths[index], engine.options[index](*state.values), move):
                return None
            after = engine.play(state, move)
            if after.outcome is not None and n < len(line) - 1:
                return None
            state = after.state
        return written(self.pair, line)
