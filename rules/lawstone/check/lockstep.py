"""Two readings played side by side on one shared game, up to the first place where they part.

Every comparison is made on what people can see: the moves as written, who is to act, the pieces, the outcome and its rule. Small
trees are compared whole, ply by ply, with symmetry; larger ones by random and guided games. A difference found by chance is made
smaller by replay. Nothing here is believed until the reference interpreter has replayed it under both readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from lawstone.board import Board
from lawstone.core import Sort, swapped
from lawstone.engine.everyday import Option
from lawstone.engine.game import Game, Position
from lawstone.engine.kernel.lockstep import Lockstep
from lawstone.engine.notation import Deed, deeds
from lawstone.engine.state import Outcome, Picks, State
from lawstone.engine.symmetry import Carry, canonical, symmetries
from lawstone.work import bounds

Level = Literal["legal moves", "position", "player to move", "outcome", "reason"]
LEVELS: tuple[Level, ...] = ("legal moves", "player to move", "position", "outcome", "reason")
"""From the earliest to the latest that two readings can part: in what is allowed, in what it leads to, in how it ends, in why."""

Identity = tuple[tuple[str, ...], tuple[Deed, ...]]


class Two(NamedTuple):
    """The same game under both readings: a state under each, and how it ended under each."""

    a: State
    b: State
    over_a: Outcome | None = None
    over_b: Outcome | None = None


@dataclass(frozen=True)
class Parting:
    """Where two readings part: the moves of the game so far, and the level.

    For `legal moves` the game stands before the parting; for the others the last move is the one whose result differs.
    """

    moves: tuple[str, ...]
    level: Level
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    over_a: Outcome | None = None
    over_b: Outcome | None = None

    @property
    def plies(self) -> int:
        """How many plies are played before the difference shows."""
        return len(self.moves)


class Pair:
    """Two readings of one game (or two versions of it) on boards of the same form."""

    def __init__(self, a: Game, b: Game) -> None:
        if a.rules.board.places != b.rules.board.places:
            raise ValueError("two games are compared on boards of the same form")
        self.a, self.b = a, b
        names_a = {v.name: i for i, v in enumerate(a.rules.variables)}
        names_b = {v.name: i for i, v in enumerate(b.rules.variables)}
        self.shared = [(names_a[n], names_b[n]) for n in names_a if n in names_b and not n.endswith(".first")]

    @cached_property
    def carries(self) -> tuple[Carry, ...]:
        """The symmetries that both readings respect."""
        found_b = {c.name for c in symmetries(self.b.rules)}
        return tuple(c for c in symmetries(self.a.rules) if c.name in found_b)

    @cached_property
    def _carries_b(self) -> tuple[Carry, ...]:
        kept = {c.name: c for c in symmetries(self.b.rules)}
        return tuple(kept[c.name] for c in self.carries)

    @cached_property
    def both_carries(self) -> tuple[tuple[Carry, Carry], ...]:
        """The same symmetries for the states of A and of B, together."""
        return tuple(zip(self.carries, self._carries_b, strict=True))

    def start(self) -> Two:
        """The start under both readings."""
        return Two(self.a.engine.start(), self.b.engine.start())

    def key(self, two: Two) -> object:
        """Equal for pairs that a common symmetry carries into each other."""
        if two.a == two.b and self._same_variables:
            return canonical(two.a, self.carries)
        return min((x.state(two.a), y.state(two.b)) for x, y in zip(self.carries, self._carries_b, strict=True))

    @cached_property
    def _same_variables(self) -> bool:
        return [v.name for v in self.a.rules.variables] == [v.name for v in self.b.rules.variables]

    # -- comparing ----------------------------------------------------------------------------------------------------------------

    def options(self, two: Two) -> tuple[list[Option], list[Option]]:
        """The options of the player to act, under each reading; none where the game is over."""
        bounds.check()
        a, b = self.a.engine, self.b.engine
        return (
            [] if two.over_a else a.options[a.index[two.a.phase]](*two.a.values),
            [] if two.over_b else b.options[b.index[two.b.phase]](*two.b.values),
        )

    @cached_property
    def _same_turns(self) -> dict[tuple[str, str], bool]:
        """Whether the turns of two phases pick the same things in the same order, so that options can be compared as they are."""
        return {
            (p, q): [(t.label, t.roles) for t in self.a.rules.phases[p].turns]
            == [(t.label, t.roles) for t in self.b.rules.phases[q].turns]
            for p in self.a.rules.phases
            for q in self.b.rules.phases
        }

    def same_moves(self, two: Two, options: tuple[list[Option], list[Option]]) -> bool:
        """Whether both readings allow the same moves."""
        if self._same_turns[two.a.phase, two.b.phase] and options[0] == options[1]:
            return True
        return self.identities(two, options, 0).keys() == self.identities(two, options, 1).keys()

    def identities(self, two: Two, options: tuple[list[Option], list[Option]], side: int) -> dict[Identity, Picks]:
        """The legal moves under one reading, by what they do."""
        engine, state = ((self.a.engine, two.a), (self.b.engine, two.b))[side]
        turns = engine.rules.phases[state.phase].turns
        return {deeds(turns[m.turn], m): m for o in options[side] for m in engine.expand(o)}

    def after_difference(self, two: Two) -> Level | None:
        """How the results of the same move differ, apart from the moves that are legal next."""
        over_a, over_b = two.over_a, two.over_b
        if (over_a is None) != (over_b is None):
            return "outcome"
        if over_a is not None and over_b is not None:
            if (over_a.kind, over_a.winner) != (over_b.kind, over_b.winner):
                return "outcome"
            return None if over_a.rule == over_b.rule else "reason"
        if two.a.seat != two.b.seat:
            return "player to move"
        if any(two.a.values[i] != two.b.values[j] for i, j in self.shared):
            return "position"
        return None

    def play(self, two: Two, a: Picks, b: Picks) -> Two:
        """The same move under both readings."""
        x, y = self.a.engine.play(two.a, a), self.b.engine.play(two.b, b)
        return Two(x.state, y.state, x.outcome, y.outcome)

    def matching(self, two: Two, move: Picks, options: tuple[list[Option], list[Option]]) -> Picks:
        """The move of reading B that does what a move of reading A does; the moves of both must be the same.

        Turns that pick the same things may still list them in different forms: short of a pick where one says nothing, and with an
        empty one where the other takes what there is.
        """
        if self._same_turns[two.a.phase, two.b.phase] and options[0] == options[1]:
            return move
        turn = self.a.rules.phases[two.a.phase].turns[move.turn]
        return self.identities(two, options, 1)[deeds(turn, move)]

    @cached_property
    def compiled(self) -> Lockstep | str:
        """Both readings side by side in machine code, or in words why they are not."""
        a, b = self.a.walk, self.b.walk
        if isinstance(a, str) or isinstance(b, str):
            return a if isinstance(a, str) else str(b)
        if not Lockstep.fits(a, b):
            return "the readings list their moves in different forms"
        alike = [[self._same_turns[p, q] for q in self.b.rules.phases] for p in self.a.rules.phases]
        own = [i for i, v in enumerate(self.a.rules.variables) if v.sort is Sort.SITES and self.is_own(v.name)]
        return Lockstep(a, b, alike, self.shared, own, around(self.a.rules.board))

    def is_own(self, name: str) -> bool:
        """Whether a variable holds pieces of the player to act."""
        return name.startswith("mine.") and name != swapped(name) and name.split(".")[1] in self.a.tokens

    # -- witnesses ----------------------------------------------------------------------------------------------------------------

    def replay(self, moves: Sequence[str]) -> Parting | None:
        """Play written moves under both readings and find where they first part; None if they do not, or a move fits neither."""
        p, q = self.a.start(), self.b.start()
        for i, text in enumerate([*moves, None]):
            parting = self.compare(p, q, tuple(moves[:i]))
            if parting is not None or text is None:
                return parting
            if p.outcome is not None or not any(m.text == text for m in p.moves):
                return None
            p, q = p.play(text), q.play(text)
        return None

    def compare(self, p: Position, q: Position, moves: tuple[str, ...]) -> Parting | None:
        """How two positions reached by the same moves differ."""
        level = self.after_difference(Two(p.state, q.state, p.ended, q.ended))
        if level is not None:
            return Parting(moves, level, over_a=p.outcome, over_b=q.outcome)
        if p.ended is not None:
            return None
        in_a, in_b = {m.text for m in p.moves}, {m.text for m in q.moves}
        if in_a == in_b:
            return None
        only_a, only_b = (tuple(m.text for m in x.moves if m.text not in other) for x, other in ((p, in_b), (q, in_a)))
        return Parting(moves, "legal moves", only_a, only_b, p.outcome, q.outcome)

    def confirm(self, parting: Parting) -> bool:
        """Replay a witness with the reference interpreter under both readings: the same difference must show."""
        again = Pair(self.a.by_the_law(), self.b.by_the_law()).replay(parting.moves)
        return again is not None and (again.moves, again.level, set(again.only_a), set(again.only_b)) == (
            parting.moves, parting.level, set(parting.only_a), set(parting.only_b),
        )  # fmt: skip


_rings: dict[int, list[int]] = {}


def around(board: Board) -> list[int]:
    """The neighbours of each site in all directions, as sets."""
    key = id(board)
    if key not in _rings:
        _rings[key] = [board.mask(t for table in board.steps.values() if (t := table[s]) is not None) for s in range(board.size)]
    return _rings[key]
