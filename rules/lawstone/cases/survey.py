"""Looking over many games for the places that matter: for each feature of a place, the smallest game that shows it.

A feature is any value that can be a key, such as "this pick has one option, the piece standing in a corner". Games are random and
guided, from a seed; each feature keeps its shortest game, which is then made shorter by leaving moves out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import WAYS, Line, allowed, any_move, in_phase, shrink, step_of, written
from lawstone.core import Term
from lawstone.engine.everyday import Option
from lawstone.engine.game import Game
from lawstone.engine.playout import Dice
from lawstone.engine.reference import Ints
from lawstone.engine.state import Outcome, Picks, State
from lawstone.lower import Value

Feature = tuple[Any, ...]
SHRINK_BEYOND = 6
"""Plies above which a game is made shorter."""
SIBLINGS = 3
"""Other moves looked at in each position."""


class Swift(Ints):
    """The core's operators over ints, a step made for all members at once."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.rules.board)
        self._shifts: dict[str, list[tuple[int, int]]] = {}
        for direction, table in self.board.steps.items():
            by_shift: dict[int, int] = {}
            for s, t in enumerate(table):
                if t is not None:
                    by_shift[t - s] = by_shift.get(t - s, 0) | 1 << s
            self._shifts[direction] = list(by_shift.items())

    def step(self, s: Value, direction: str) -> Value:
        """One step of all members."""
        found = 0
        for shift, sources in self._shifts[direction]:
            part = int(s) & sources
            found |= part << shift if shift > 0 else part >> -shift
        return found

    def count(self, s: Value) -> Value:
        """The size of a set."""
        return int(s).bit_count()


@dataclass(frozen=True)
class Place:
    """A place in a game: the position before a move, the options there, and the move (None: none is looked at)."""

    game: Game
    ints: Ints
    state: State
    values: Mapping[str, Value]
    options: list[Option]
    move: Picks | None
    after: State | None = None
    outcome: Outcome | None = None
    plies: int = 0


Features = Callable[[Place], Iterator[Feature]]
"""What is to be seen at a place; a feature of the position alone is given where the place has no move."""


@dataclass
class Found:
    """The smallest game that shows a feature: its moves, the last of them the move concerned where `moved`."""

    line: Line
    moved: bool
    shrunk: bool = False


@dataclass
class Survey:
    """The features met, each with its smallest game, and how far was looked."""

    game: Game
    features: Features
    found: dict[Feature, Found] = field(default_factory=dict)
    games: int = 0

    def __post_init__(self) -> None:
        self.pair, self.ints = Pair(self.game, self.game), Swift(self.game)
        self.names = [v.name for v in self.game.rules.variables]
        self._depths = self.game.engine.depths

    def play(self, games: int, seed: int, plies: int = 320) -> None:
        """Look over some more games."""
        for n in range(games):
            self._one(WAYS[n % len(WAYS)], Dice(seed * 1_000_003 + n), plies)
            self.games += 1

    def _one(self, choose: Any, dice: Dice, plies: int) -> None:
        state, line = self.game.engine.start(), list[Any]()
        while len(line) < plies:
            options = self._options(state)
            values = dict(zip(self.names, state.values, strict=True))
            self._look(Place(self.game, self.ints, state, values, options, None, plies=len(line)), line, None)
            if not options:
                return
            two = Two(state, state)
            move = choose(self.pair, two, options, dice)
            for other in (move, *(any_move(self.pair, two, options, dice) for _ in range(SIBLINGS))):
                after = self.game.engine.play(state, other)
                place = Place(self.game, self.ints, state, values, options, other, after.state, after.outcome, len(line))
                self._look(place, line, other)
            line.append(step_of(self.pair, state.phase, move))
            after = self.game.engine.play(state, move)
            state = after.state
            if after.outcome is not None:
                return

    def _options(self, state: State) -> list[Option]:
        engine = self.game.engine
        return engine.options[engine.index[state.phase]](*state.values)

    def _look(self, place: Place, line: list[Any], move: Picks | None) -> None:
        size = len(line) + (move is not None)
        for feature in self.features(place):
            known = self.found.get(feature)
            if known is None or len(known.line) > size:
                last = () if move is None else (step_of(self.pair, place.state.phase, move),)
                self.found[feature] = Found((*line, *last), move is not None)

    # -- smaller ------------------------------------------------------------------------------------------------------------------

    def smaller(self, feature: Feature, replays: int) -> Found:
        """The game of a feature with moves left out as long as the feature is still shown."""
        found = self.found[feature]
        if not found.shrunk and len(found.line) > SHRINK_BEYOND and replays:
            line = shrink(found.line, lambda line: self._shown_at(line, feature, found.moved), replays)
            found = Found(line, found.moved)
            self.found[feature] = found
        found.shrunk = True
        return found

    def _shown_at(self, line: Line, feature: Feature, moved: bool) -> int | None:
        state = self.game.engine.start()
        for ply, (kind, sites) in enumerate(line):
            options = self._options(state)
            move = in_phase(self.pair, state.phase, kind, sites)
            engine = self.game.engine
            if move is None or not allowed(self._depths[engine.index[state.phase]], options, move):
                return None
            after = engine.play(state, move)
            if ply == len(line) - 1 and moved:
                values = dict(zip(self.names, state.values, strict=True))
                place = Place(self.game, self.ints, state, values, options, move, after.state, after.outcome, ply)
                return ply + 1 if feature in set(self.features(place)) else None
            if after.outcome is not None:
                return None
            state = after.state
        values = dict(zip(self.names, state.values, strict=True))
        place = Place(self.game, self.ints, state, values, self._options(state), None, plies=len(line))
        return len(line) if not moved and feature in set(self.features(place)) else None

    def moves(self, found: Found) -> tuple[str, ...]:
        """A game in notation."""
        return written(self.pair, found.line)

    def replayed(self, found: Found) -> tuple[State, Picks]:
        """The position before the last move of a game, and that move."""
        state = self.game.engine.start()
        for kind, sites in found.line[:-1]:
            move = in_phase(self.pair, state.phase, kind, sites)
            assert move is not None
            state = self.game.engine.play(state, move).state
        last = in_phase(self.pair, state.phase, *found.line[-1])
        assert last is not None
        return state, last


def flags_below(term: Term) -> list[Term]:
    """The conditions that a flag is made of, itself included; those about a bound member are left out."""
    from lawstone.core import Sort, subterms

    return [
        t for t in subterms(term) if t.sort is Sort.FLAG and t.op not in ("yes", "never") and not any("@" in n for n in t.names)
    ]
