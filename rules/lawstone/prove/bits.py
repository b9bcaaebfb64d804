"""The core folded into a circuit: one literal a site, one a flag, and numbers as "at least k", built only where they are asked.

A number is never given a width, so that nothing can wrap: its literals are made up to the largest constant or bound that it is
compared with, and each says "at least k" of the true number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from lawstone.board import Board
from lawstone.prove.circuit import FALSE, TRUE, Circuit

Sites = tuple[int, ...]
"""One literal for each site of the board."""


class Number(ABC):
    """A number from 0 to `high`, by the literals "at least k"."""

    def __init__(self, circuit: Circuit, high: int) -> None:
        self.circuit, self.high = circuit, high
        self._known: dict[int, int] = {}

    def at_least(self, k: int) -> int:
        """The literal that says "at least k"."""
        if k <= 0:
            return TRUE
        if k > self.high:
            return FALSE
        if k not in self._known:
            self._known[k] = self._at_least(k)
        return self._known[k]

    @abstractmethod
    def _at_least(self, k: int) -> int: ...


class Given(Number):
    """A number given by its literals."""

    def __init__(self, circuit: Circuit, literals: Sequence[int]) -> None:
        super().__init__(circuit, len(literals))
        self.literals = literals

    def _at_least(self, k: int) -> int:
        return self.literals[k - 1]


class Size(Number):
    """How many literals hold: at least k of the first i, by whether the i-th does."""

    def __init__(self, circuit: Circuit, members: Sequence[int]) -> None:
        self.members = [m for m in members if m != FALSE]
        super().__init__(circuit, len(self.members))
        self._table: dict[tuple[int, int], int] = {}

    def _at_least(self, k: int) -> int:
        for i in range(k, self.high + 1):
            for j in range(max(1, k - (self.high - i)), min(i, k) + 1):
                if (i, j) not in self._table:
                    self._table[i, j] = self._cell(i, j)
        return self.of_first(self.high, k)

    def of_first(self, i: int, j: int) -> int:
        """At least j of the first i."""
        if j <= 0:
            return TRUE
        if j > i:
            return FALSE
        if (i, j) not in self._table:
            self._table[i, j] = self._cell(i, j)
        return self._table[i, j]

    def _cell(self, i: int, j: int) -> int:
        c = self.circuit
        return c.any((self.of_first(i - 1, j), c.both(self.members[i - 1], self.of_first(i - 1, j - 1))))


class Made(Number):
    """A number made from others by a rule for "at least k"."""

    def __init__(self, circuit: Circuit, high: int, rule: Callable[[int], int]) -> None:
        super().__init__(circuit, high)
        self.rule = rule

    def _at_least(self, k: int) -> int:
        return self.rule(k)


class Bits:
    """The back end. Values are tuples of literals (sites), literals (flags) and `Number`s."""

    def __init__(self, circuit: Circuit, board: Board) -> None:
        self.circuit, self.board = circuit, board

    def sites(self, numbers: frozenset[int]) -> Any:
        return tuple(TRUE if s in numbers else FALSE for s in range(self.board.size))

    def either(self, *parts: Any) -> Any:
        return tuple(map(self.circuit.any, zip(*parts, strict=True)))

    def both(self, *parts: Any) -> Any:
        return tuple(map(self.circuit.all, zip(*parts, strict=True)))

    def without(self, a: Any, b: Any) -> Any:
        return tuple(self.circuit.both(x, -y) for x, y in zip(a, b, strict=True))

    def step(self, s: Any, direction: str) -> Any:
        arrived = [FALSE] * self.board.size
        for x, t in zip(s, self.board.steps[direction], strict=True):
            if t is not None:
                arrived[t] = x
        return tuple(arrived)

    def flood(self, seed: Any, through: Any, directions: tuple[str, ...]) -> Any:
        reached = self.both(seed, through)
        for _ in range(self.board.size - 1):
            wider = self.both(self.either(reached, *(self.step(reached, d) for d in directions)), through)
            if wider == reached:
                break
            reached = wider
        return reached

    def some(self, s: Any) -> Any:
        return self.circuit.any(s)

    def count(self, s: Any) -> Any:
        return Size(self.circuit, s)

    def yes(self) -> Any:
        return TRUE

    def never(self) -> Any:
        return FALSE

    def no(self, flag: Any) -> Any:
        return -flag

    def and_(self, *flags: Any) -> Any:
        return self.circuit.all(flags)

    def or_(self, *flags: Any) -> Any:
        return self.circuit.any(flags)

    def number(self, n: int) -> Any:
        return Given(self.circuit, (TRUE,) * n)

    def plus(self, *parts: Any) -> Any:
        total: Number = parts[0]
        for part in parts[1:]:
            total = self._sum(total, part)
        return total

    def _sum(self, a: Number, b: Number) -> Number:
        c = self.circuit

        def at_least(k: int) -> int:
            return c.any(c.both(a.at_least(i), b.at_least(k - i)) for i in range(max(0, k - b.high), min(k, a.high) + 1))

        return Made(c, a.high + b.high, at_least)

    def minus(self, a: Any, b: Any) -> Any:
        c = self.circuit

        def at_least(k: int) -> int:
            """The difference is at least k: wherever b is at least j, a is at least j + k."""
            return c.all(c.implies(b.at_least(j), a.at_least(j + k)) for j in range(b.high + 1))

        return Made(c, a.high, at_least)

    def least(self, a: Any, b: Any) -> Any:
        return Made(self.circuit, min(a.high, b.high), lambda k: self.circuit.both(a.at_least(k), b.at_least(k)))

    def at_most(self, a: Any, b: Any) -> Any:
        c = self.circuit
        return c.all(c.implies(a.at_least(k), b.at_least(k)) for k in range(1, min(a.high, b.high + 1) + 1))

    def when(self, flag: Any, a: Any, b: Any) -> Any:
        c = self.circuit
        if isinstance(a, Number):
            return Made(c, max(a.high, b.high), lambda k: c.ite(flag, a.at_least(k), b.at_least(k)))
        if isinstance(a, tuple):
            return tuple(c.ite(flag, x, y) for x, y in zip(a, b, strict=True))
        return c.ite(flag, a, b)

    def where(self, among: Any, holds: Callable[[Any], Any]) -> Any:
        return tuple(x if x == FALSE else self.circuit.both(x, holds(self.sites(frozenset((s,))))) for s, x in enumerate(among))


def equal(circuit: Circuit, a: Any, b: Any) -> int:
    """The literal that says that two values of one sort are the same."""
    if isinstance(a, Number):
        high = max(a.high, b.high)
        return circuit.all(circuit.same(a.at_least(k), b.at_least(k)) for k in range(1, high + 1))
    if isinstance(a, tuple):
        return circuit.all(circuit.same(x, y) for x, y in zip(a, b, strict=True))
    return circuit.same(a, b)
