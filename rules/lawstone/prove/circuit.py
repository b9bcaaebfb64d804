"""Boolean circuits: hash-consed gates with constant folding, so that on constants a circuit is an interpreter.

A literal is an int: gate g is g, its negation -g; 1 is true and -1 false. Gates are n-ary conjunctions, exclusive ors and choices
(if-then-else), which keeps the SMT-LIB text readable and the CNF small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

TRUE, FALSE = 1, -1
Kind = Literal["true", "input", "and", "xor", "ite"]


class Circuit:
    """Gates by number from 1; `kinds[g]` and `operands[g]` describe gate g, `names` the inputs."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = ["true", "true"]
        self.operands: list[tuple[int, ...]] = [(), ()]
        self.names: dict[int, str] = {}
        self._known: dict[tuple[Kind, tuple[int, ...]], int] = {}

    @property
    def size(self) -> int:
        """How many gates there are, inputs included."""
        return len(self.kinds) - 1

    def _gate(self, kind: Kind, operands: tuple[int, ...]) -> int:
        key = (kind, operands)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.kinds)
            self.kinds.append(kind)
            self.operands.append(operands)
        return found

    def input(self, name: str) -> int:
        """A fresh input."""
        self.kinds.append("input")
        self.operands.append(())
        self.names[len(self.kinds) - 1] = name
        return len(self.kinds) - 1

    def all(self, literals: Iterable[int]) -> int:
        """Conjunction; of nothing, true."""
        kept: set[int] = set()
        for x in literals:
            if x == FALSE or -x in kept:
                return FALSE
            if x != TRUE:
                kept.add(x)
        if not kept:
            return TRUE
        return next(iter(kept)) if len(kept) == 1 else self._gate("and", tuple(sorted(kept)))

    def any(self, literals: Iterable[int]) -> int:
        """Disjunction; of nothing, false."""
        return -self.all(-x for x in literals)

    def both(self, a: int, b: int) -> int:
        """Conjunction of two."""
        return self.all((a, b))

    def implies(self, a: int, b: int) -> int:
        """`b`, or not `a`."""
        return -self.all((a, -b))

    def xor(self, a: int, b: int) -> int:
        """Exactly one of the two."""
        sign = 1
        if a < 0:
            a, sign = -a, -sign
        if b < 0:
            b, sign = -b, -sign
        if a == b:
            return FALSE * sign
        if a == TRUE:
            return -b * sign
        if b == TRUE:
            return -a * sign
        return sign * self._gate("xor", (min(a, b), max(a, b)))

    def same(self, a: int, b: int) -> int:
        """Both or neither."""
        return -self.xor(a, b)

    def ite(self, c: int, a: int, b: int) -> int:
        """`a` where `c` holds, `b` elsewhere."""
        if c < 0:
            c, a, b = -c, b, a
        if c == TRUE or a == b:
            return a
        if a in (TRUE, c):
            return self.any((c, b))
        if a in (FALSE, -c):
            return self.all((-c, b))
        if b in (FALSE, c):
            return self.all((c, a))
        if b in (TRUE, -c):
            return self.any((-c, a))
        if a == -b:
            return self.same(c, a)
        return self._gate("ite", (c, a, b))

    def exactly_one(self, literals: Sequence[int]) -> int:
        """Exactly one of the literals, with a chain of "one so far" nodes."""
        none, one = TRUE, FALSE
        for x in literals:
            none, one = self.all((none, -x)), self.ite(x, none, one)
        return one

    # -- outlets ------------------------------------------------------------------------------------------------------------------

    def cone(self, roots: Iterable[int]) -> list[int]:
        """The gates that the roots depend on, operands before what uses them."""
        seen: set[int] = set()
        stack = [abs(r) for r in roots]
        while stack:
            g = stack.pop()
            if g not in seen:
                seen.add(g)
                stack.extend(abs(o) for o in self.operands[g])
        return sorted(seen)

    def clauses(self, gates: Iterable[int]) -> Iterable[list[int]]:
        """The CNF of some gates (Tseitin), gate numbers as variables."""
        for g in gates:
            o = self.operands[g]
            match self.kinds[g]:
                case "true":
                    yield [g]
                case "and":
                    for x in o:
                        yield [-g, x]
                    yield [g, *(-x for x in o)]
                case "xor":
                    a, b = o
                    yield from ([-g, a, b], [-g, -a, -b], [g, -a, b], [g, a, -b])
                case "ite":
                    c, a, b = o
                    yield from ([-g, -c, a], [-g, c, b], [g, -c, -a], [g, c, -b], [-g, a, b], [g, -a, -b])

    def evaluate(self, inputs: dict[int, int], roots: Sequence[int], width: int = 1) -> list[int]:
        """The roots' values for `width` assignments at once: bit i of `inputs[g]` is the value of input g in assignment i."""
        full = (1 << width) - 1
        value: dict[int, int] = {}

        def of(x: int) -> int:
            return value[x] if x > 0 else value[-x] ^ full

        for g in self.cone(roots):
            o = self.operands[g]
            match self.kinds[g]:
                case "true":
                    value[g] = full
                case "input":
                    value[g] = inputs[g]
                case "and":
                    v = full
                    for x in o:
                        v &= of(x)
                    value[g] = v
                case "xor":
                    value[g] = of(o[0]) ^ of(o[1])
                case "ite":
                    c = of(o[0])
                    value[g] = (c & of(o[1])) | ((c ^ full) & of(o[2]))
        return [of(r) for r in roots]
