"""Symmetries that a game's rules respect: found by carrying every term over and comparing normal forms, never assumed.

A symmetry is a map of the board together with an exchange of kinds (Oxono's x and o). It is accepted when every turn, ending and
phase, carried over, is the same rule again, word for word up to the order of sums, unions and intersections and up to the end from
which a line is read. A symmetry that is not recognised costs speed, never truth. The start need not be symmetric: two positions
that a symmetry of the rules carries into each other have the same future, however they arose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lawstone.board import Symmetry
from lawstone.core import OPPOSITE_OF, Phase, Sort, Term, Turn, read, rebuild, sites, subterms
from lawstone.engine.state import State
from lawstone.lower import Rules, Value

KEPT = 4096
"""Images of sets that a symmetry remembers."""
_FREE = frozenset(("either", "both", "and_", "or_", "plus"))


@dataclass(frozen=True)
class Carry:
    """A symmetry of rules: of the board, and of the names of kinds."""

    board: Symmetry
    kinds: Mapping[str, str]
    rules: Rules

    @property
    def name(self) -> str:
        """What it does, in words."""
        swaps = [f"{a} for {b}" for a, b in sorted(self.kinds.items()) if a < b]
        return self.board.name + (f" with {' and '.join(swaps)}" if swaps else "")

    @cached_property
    def sources(self) -> tuple[tuple[int, bool], ...]:
        """For each variable of the image: which variable it comes from, and whether it is a set of sites."""
        index = {v.name: i for i, v in enumerate(self.rules.variables)}
        back = {self.rename(n): n for n in index}
        return tuple((index[back[v.name]], v.sort is Sort.SITES) for v in self.rules.variables)

    def rename(self, name: str) -> str:
        """The name of a variable after the exchange of kinds."""
        head, _, kind = name.rpartition(" ")
        return f"{head} {self.kinds[kind]}" if head and kind in self.kinds and "captured in" not in name else name

    @cached_property
    def _bytes(self) -> tuple[tuple[int, ...], ...]:
        """Images of sets, eight sites at a time."""
        size = len(self.board.sites)
        tables = []
        for base in range(0, size, 8):
            images = [0]
            for s in range(base, min(base + 8, size)):
                images += [1 << self.board.sites[s] | image for image in images]
            tables.append(tuple(images))
        return tuple(tables)

    @cached_property
    def known(self) -> dict[int, int]:
        """Images worked out lately: the moves of one position leave most of its sets as they are."""
        return {}

    def mask(self, mask: int) -> int:
        """The image of a set of sites."""
        image = self.known.get(mask)
        if image is None:
            image, tables = 0, self._bytes
            for table, byte in zip(tables, mask.to_bytes(len(tables), "little"), strict=True):
                if byte:
                    image |= table[byte]
            if len(self.known) >= KEPT:
                self.known.clear()
            self.known[mask] = image
        return image

    def value(self, state: State, i: int) -> Value:
        """The value of the i-th variable in the image of a state."""
        source, is_set = self.sources[i]
        return self.mask(state.values[source]) if is_set else state.values[source]

    def state(self, state: State) -> State:
        """The image of a state."""
        return State(tuple(self.value(state, i) for i in range(len(state.values))), state.phase, state.seat)

    def term(self, term: Term) -> Term:
        """The image of a term."""

        def leaf(t: Term) -> Term:
            if t.op == "sites":
                return sites(self.board.sites[s] for s in t.data)
            return read(self.rename(t.data), t.sort, t.low, t.high)

        return rebuild(term, leaf, lambda d: self.board.directions[d])


def symmetries(rules: Rules) -> tuple[Carry, ...]:
    """The symmetries that the rules respect, the identity first."""
    forms = _Forms()
    wanted = forms.of_phases(rules.phases, None)
    return tuple(
        carry
        for kinds in _exchanges(rules)
        for board in rules.board.symmetries
        if forms.of_phases(rules.phases, carry := Carry(board, kinds, rules)) == wanted
    )


def canonical(state: State, carries: tuple[Carry, ...]) -> State:
    """The least image of a state: equal for states that a symmetry carries into each other.

    Images are compared variable by variable, and only those that are least so far are computed further.
    """
    left, given, values = carries, state.values, list[Value]()
    for i in range(len(given)):
        if len(left) == 1:
            values += [left[0].value(state, j) for j in range(i, len(given))]
            break
        images = []
        for c in left:
            source, is_set = c.sources[i]
            value = given[source]
            if is_set and value:
                known = c.known.get(value)
                value = c.mask(value) if known is None else known
            images.append(value)
        least = min(images)
        values.append(least)
        if least or any(images):
            left = tuple([c for c, image in zip(left, images, strict=True) if image == least])
    return State(tuple(values), state.phase, state.seat)


def _exchanges(rules: Rules) -> Iterator[Mapping[str, str]]:
    """The identity, and every exchange of two kinds that all pieces with kinds share."""
    lists = {tuple(p.kinds) for p in rules.game.pieces.values() if p.kinds}
    yield {}
    if len(lists) == 1:
        kinds = next(iter(lists))
        for i, a in enumerate(kinds):
            for b in kinds[i + 1 :]:
                yield {a: b, b: a}


class _Forms:
    """Normal forms as numbers: equal for terms that differ only in order, and for lines read from either end."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}
        self.known: dict[Term, int] = {}

    def number(self, form: Any) -> int:
        """The number of a form; equal forms have one number."""
        return self.numbers.setdefault(form, len(self.numbers))

    def of_phases(self, phases: Mapping[str, Phase], carry: Carry | None) -> Any:
        """The form of all phases, carried over."""
        return tuple((name, tuple(sorted(self.of_turn(t, carry) for t in phase.turns))) for name, phase in sorted(phases.items()))

    def of_turn(self, turn: Turn, carry: Carry | None) -> int:
        """The form of a turn, carried over."""

        def form(term: Term) -> int:
            return self.of(term if carry is None else carry.term(term))

        def rename(name: str) -> str:
            return name if carry is None else carry.rename(name)

        kinds = {} if carry is None else carry.kinds
        return self.number(
            (
                tuple(kinds.get(w, w) for w in turn.label),
                form(turn.guard),
                tuple((c.role, form(c.among), form(c.count), c.freedom, c.required) for c in turn.choices),
                tuple(sorted((rename(n), form(t)) for n, t in turn.updates.items())),
                tuple((e.rule, e.result, form(e.flag)) for e in turn.endings),
                tuple((form(n.flag), n.phase, n.passes) for n in turn.next),
            )
        )

    def of(self, term: Term) -> int:
        """The form of a term."""
        for t in subterms(term):
            if t not in self.known:
                line = self.line(t.args[0]) if t.op in ("some", "count") else None
                args = [line] if line is not None else [self.known[a] for a in t.args]
                data = tuple(sorted(t.data)) if isinstance(t.data, frozenset) else t.data
                self.known[t] = self.number((t.op, data, tuple(sorted(args) if t.op in _FREE else args)))
        return self.known[term]

    def line(self, term: Term) -> int | None:
        """An intersection of shifted sets along one axis, anchored at its first set and read in a fixed direction.

        `some` and `count` of such an intersection do not depend on the end at which the run is marked: the sites move along with
        the marking. That needs a set that is not shifted among the factors, so that the other marking stays on the board.
        """
        found: list[tuple[int, bool, Term]] = []
        axis: list[str] = []

        def factors(t: Term, shift: int, positive: bool) -> bool:
            if t.op == "step":
                if not axis:
                    axis.append(min(t.data, OPPOSITE_OF[t.data]))
                if t.data not in (axis[0], OPPOSITE_OF[axis[0]]):
                    return False
                return factors(t.args[0], shift + (1 if t.data == axis[0] else -1), positive)
            if t.op == "both" and positive:
                return all(factors(a, shift, True) for a in t.args)
            if t.op == "without" and positive:
                parts = t.args[1].args if t.args[1].op == "either" else (t.args[1],)
                return factors(t.args[0], shift, True) and all(factors(p, shift, False) for p in parts)
            found.append((shift, positive, t))
            return True

        if not factors(term, 0, True) or not axis:
            return None
        shifts = [s for s, positive, _ in found if positive]
        moved = (x for _, _, t in found for x in subterms(t) if x.op in ("step", "flood"))
        if 0 not in shifts or any(True for _ in moved):
            return None
        low = min(shifts)
        return self.number(("line", axis[0], tuple(sorted({(s - low, p, self.of(t)) for s, p, t in found}))))


def orbits(terms: Iterable[Term], carries: tuple[Carry, ...]) -> list[int]:
    """A number for each term: equal for those that a symmetry carries into each other, up to the order of parts."""
    forms = _Forms()
    return [min(forms.of(carry.term(t)) for carry in carries) for t in terms]
