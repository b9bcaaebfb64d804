"""The least game: of all games of so many plies at whose end two readings part, the one that stands first in a stated order.

Fewest pieces on the board at the end, then the moves compared turn by turn: first the option, by its order in the file, then each
pick, fewer sites before more and then by the order of the board's sites (a1, b1, ...). The order speaks of nothing that a seed, a
solver or its version could change, so whoever looks for the least game finds the same one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from lawstone.engine.state import Picks, members, start_state
from lawstone.lower import Rules
from lawstone.prove.ask import Answer, Asking
from lawstone.prove.bits import Size
from lawstone.prove.circuit import Circuit
from lawstone.prove.encode import Model, decode_picks
from lawstone.prove.free import grows, legality, results
from lawstone.prove.unroll import Way, after, counted, ways

CONFLICTS = 50_000
"""Conflicts after which a single question on the way to the least game is given up."""

Order = tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]


def order(moves: Sequence[Picks]) -> Order:
    """What games of one length are compared by, apart from their pieces."""
    return tuple((m.turn, tuple((mask.bit_count(), *members(mask)) for mask in m.sites)) for m in moves)


@dataclass(frozen=True)
class Found:
    """The `least` game; or one `not shown` least; or that there is `none` of that length at all; or nothing (`unknown`)."""

    verdict: Literal["least", "not shown", "none", "unknown"]
    moves: tuple[Picks, ...]
    how: str


class _GaveUp(RuntimeError):
    """A question was too hard, or the time is over."""


class _Hunt:
    """All games of so many plies in one circuit, with the last solution; each question asks for a lesser one."""

    def __init__(self, a: Rules, b: Rules, plies: int, reasons: bool, seconds: float, asserted: bool = True) -> None:
        self.until = time.process_time() + seconds
        self.model, self.other = Model(a), Model(b)
        self.other.circuit, self.other.must = self.model.circuit, self.model.must
        self.circuit = self.model.circuit
        self.asking = Asking(self.circuit)
        self.grows = grows(a)
        self.fixed: list[int] = []
        self.questions = 0
        self.played: list[list[Way]] = []
        self.answer: Answer | None = None
        self.then: list[Way] = []
        self.goal = self._build(b, plies, reasons)
        self.asking.must([*self.model.must, *([self.goal] if asserted else [])])

    def _build(self, b: Rules, plies: int, reasons: bool) -> int:
        """Play so many plies; the literal that says that the readings part at the end of them."""
        c, start = self.circuit, start_state(self.model.rules)
        values: dict[str, Any] = self.model.constant(start)
        phases = {start.phase: 1}
        for ply in range(plies):
            if time.process_time() > self.until:
                raise _GaveUp
            here = list(ways(self.model, self.other, b, phases, values, ply))
            self.asking.must([*self.model.must, c.exactly_one([w.chosen for w in here])])
            if ply < plies - 1:
                self.asking.must(c.implies(w.chosen, c.both(w.taken.legal, c.any(w.taken.following))) for w in here)
            self.played.append(here)
            phases, values = after(self.model, here)
            if self.grows and phases and ply < plies - 1:
                self.asking.must(counted(self.model, values, ply + 1))
        last = self.played[-1]
        ends = c.any(c.both(w.chosen, self._parts(w, reasons)) for w in last)
        if reasons:
            return ends
        on = c.any(c.both(w.chosen, c.both(w.taken.legal, c.any(w.taken.following))) for w in last)
        self.then = then = list(ways(self.model, self.other, b, phases, values, plies)) if phases else []
        differ = c.any(c.both(w.chosen, c.any(legality(self.model, w.taken, w.twin))) for w in then)
        allowed = c.all((on, differ, c.exactly_one([w.chosen for w in then]))) if then else -1
        return c.any((ends, allowed))

    def _parts(self, way: Way, reasons: bool) -> int:
        """The result of the turn differs; with `reasons`, in nothing but the rule that ends the game."""
        c = self.circuit
        play = c.any(results(self.model, way.taken, way.twin, False))
        return play if not reasons else c.both(c.any(results(self.model, way.taken, way.twin, True)), -play)

    def ask(self, wanted: int, conflicts: int = CONFLICTS) -> bool:
        """Whether there is a game with the last wish too; it becomes the solution."""
        if time.process_time() > self.until:
            raise _GaveUp
        self.questions += 1
        answer = self.asking.ask([*self.fixed, wanted], conflicts)
        if answer.verdict == "unknown":
            raise _GaveUp
        if answer.verdict == "yes":
            self.answer = answer
        return answer.verdict == "yes"

    def holds(self, literal: int) -> bool:
        """The value of a literal in the last solution."""
        assert self.answer is not None
        return self.answer.holds(literal)

    def way(self, ply: int) -> Way:
        """The turn that the last solution takes at a ply."""
        return next(w for w in self.played[ply] if self.holds(w.chosen))

    def moves(self) -> tuple[Picks, ...]:
        """The game of the last solution."""
        found = (self.way(i) for i in range(len(self.played)))
        return tuple(decode_picks(w.number, w.taken, self.holds) for w in found)

    # -- lesser, wish by wish -----------------------------------------------------------------------------------------------------

    def fewest_pieces(self) -> None:
        """Lessen the pieces on the board after the last move, then keep their number."""
        if self.grows:
            return
        c, last = self.circuit, self.played[-1]
        sizes = [Size(c, self.model.bits.either(*(w.taken.after[n] for n in self.model.pieces(w.taken.after)))) for w in last]

        def at_most(n: int) -> int:
            return c.all(c.implies(w.chosen, -size.at_least(n + 1)) for w, size in zip(last, sizes, strict=True))

        high = max(size.high for size in sizes)
        all_of_them = [at_most(n) for n in range(high + 1)]
        self.asking.add(all_of_them)
        self.ask(1)
        now = next(n for n in range(high + 1) if self._at_most(n, last, sizes))
        while now > 0 and self.ask(all_of_them[now - 1]):
            now = next(n for n in range(high + 1) if self._at_most(n, last, sizes))
        self.fixed.append(all_of_them[now])

    def _at_most(self, n: int, last: list[Way], sizes: list[Size]) -> bool:
        way = self.way(len(self.played) - 1)
        picked = next(size for w, size in zip(last, sizes, strict=True) if w is way)
        state = sum(self._true(m) for m in picked.members)
        return state <= n

    def _true(self, literal: int) -> bool:
        return literal == 1 or (literal != -1 and self.holds(literal))

    def least_turn(self, ply: int) -> None:
        """Take the first option that can be taken at a ply."""
        while True:
            now = self.way(ply)
            if not self.ask(self.circuit.any(w.chosen for w in self.played[ply] if w.number < now.number)):
                break
        self.fixed.append(now.chosen)

    def least_pick(self, ply: int, nth: int) -> None:
        """Make one pick of a ply the least."""
        way = self.way(ply)
        pick, choice = way.taken.picks[nth], way.taken.turn.choices[nth]
        if choice.freedom != "exactly":
            size = Size(self.circuit, pick)
            while (now := sum(map(self.holds, pick))) and self.ask(-size.at_least(now)):
                pass
            self.fixed += [size.at_least(now), -size.at_least(now + 1)]
        below = 0
        for n in range(sum(map(self.holds, pick))):
            while True:
                site = [s for s, x in enumerate(pick) if self.holds(x)][n]
                if not self.ask(self.circuit.any(pick[below:site])):
                    break
            self.fixed += [*(-x for x in pick[below:site]), pick[site]]
            below = site + 1
        self.fixed += [-x for x in pick[below:]]


def least(a: Rules, b: Rules, plies: int, reasons: bool = False, seconds: float = 20.0) -> Found:
    """The least game of exactly `plies` plies (one or more) at whose end comparable readings part.

    No shorter game may part them: that has to be known. With `reasons`, games are meant that end with the same result by another
    rule; without, all other differences. The bounds are conflicts for each question, and CPU-seconds in all.
    """
    hunt = None
    try:
        hunt = _Hunt(a, b, plies, reasons, seconds)
        if not hunt.ask(1, 8 * CONFLICTS):
            return Found("none", (), "a solver refuted it")
        hunt.fewest_pieces()
        for wish in _wishes(hunt):
            wish()
    except _GaveUp:
        if hunt is None or hunt.answer is None:
            return Found("unknown", (), "a solver found none in the time given")
        return Found("not shown", hunt.moves(), f"a solver gave up after {hunt.questions} questions")
    finally:
        if hunt is not None:
            hunt.asking.close()
    return Found("least", hunt.moves(), f"{hunt.questions} questions to a solver, each for a lesser game")


def _wishes(hunt: _Hunt) -> Iterator[Callable[[], None]]:
    """What is asked for, in the order of importance; each is met before the next one is made."""
    for ply in range(len(hunt.played)):
        yield partial(hunt.least_turn, ply)
        for nth in range(len(hunt.way(ply).taken.picks)):
            yield partial(hunt.least_pick, ply, nth)


Site = tuple[int, int]
"""A pick of a game: its ply and its place in the turn, both from 0."""


def every_game_parts(
    a: Rules, b: Rules, moves: Sequence[Picks], may_be: Mapping[Site, frozenset[int]], reasons: bool, seconds: float,
    then: Picks | None = None,
) -> bool | None:  # fmt: skip
    """Whether every game parts the readings that is played as `moves`, but for some picks that may be any of the given sites.

    Only games count that can be played to that length. `then` is a move that only one reading allows after them, where they part in
    that: the same move has to part them after every game. None where the solver gave up, or where a move stops short of a duty that
    cannot be met and the circuits have no such game.
    """
    hunt = None
    try:
        hunt = _Hunt(a, b, len(moves), reasons, seconds, asserted=False)
        for ply, move in enumerate(moves):
            hunt.fixed += _as_played(hunt.circuit, hunt.played[ply], move, {n: s for (p, n), s in may_be.items() if p == ply})
        if then is not None:
            hunt.fixed += _as_played(hunt.circuit, hunt.then, then, {})
            on = (hunt.circuit.both(w.chosen, hunt.circuit.any(w.taken.following)) for w in hunt.played[-1])
            hunt.fixed += [hunt.circuit.any(on), hunt.circuit.exactly_one([w.chosen for w in hunt.then])]
        last = hunt.circuit.any(hunt.circuit.both(w.chosen, w.taken.legal) for w in hunt.played[-1])
        short = any(len(w.taken.picks) > len(m.sites) for ways, m in zip(hunt.played, moves, strict=False) for w in ways)
        if short and not hunt.ask(last):
            return None
        return not hunt.ask(hunt.circuit.both(last, -hunt.goal))
    except _GaveUp:
        return None
    finally:
        if hunt is not None:
            hunt.asking.close()


def _as_played(c: Circuit, here: Sequence[Way], move: Picks, may_be: Mapping[int, frozenset[int]]) -> Iterator[int]:
    """What says that a ply is played as a move, but for picks that may be any of some sites; a pick that it lacks is empty."""
    yield c.any(w.chosen for w in here if w.number == move.turn)
    for way in (w for w in here if w.number == move.turn):
        for nth, pick in enumerate(way.taken.picks):
            among, made = may_be.get(nth), move.sites[nth] if nth < len(move.sites) else 0
            for site, literal in enumerate(pick):
                if among is None:
                    yield c.implies(way.chosen, literal if made >> site & 1 else -literal)
                elif site not in among:
                    yield c.implies(way.chosen, -literal)
