"""From a solver's list of learnt clauses to a proof whose every step names what forces it.

Nothing here is trusted: what it makes is checked by `lrat`. Each learnt clause is shown anew by unit propagation, which tells the
clauses that were used; then everything that the empty clause does not need is dropped, clauses of the question too, so that what is
left is the core of the contradiction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Core:
    """The clauses that a contradiction needs, and the steps to it, numbered on from them."""

    clauses: list[tuple[int, ...]]
    steps: list[tuple[int, tuple[int, ...], tuple[int, ...]]]


class NotShown(ValueError):
    """A learnt clause that unit propagation does not show, or a list without a contradiction at its end."""


class _Propagator:
    """Unit propagation with two watched literals, keeping for each literal the clause that forced it.

    `value` and `watching` are indexed by literals, negative ones from the end of the list: 1 for true, -1 for false, 0 for open.
    """

    def __init__(self, clauses: Sequence[tuple[int, ...]]) -> None:
        top = max((abs(x) for c in clauses for x in c), default=0)
        self.clauses: list[list[int]] = []
        self.watching: list[list[int]] = [[] for _ in range(2 * top + 1)]
        self.value = [0] * (2 * top + 1)
        self.reason = [-1] * (top + 1)
        self.trail: list[int] = []
        self.head = 0
        self.conflict = -1
        for c in clauses:
            self.add(c)

    def add(self, clause: Sequence[int]) -> None:
        """One clause more, at the top level; a unit is propagated for good."""
        number = len(self.clauses)
        kept = list(dict.fromkeys(clause))
        self.clauses.append(kept)
        if self.conflict >= 0 or any(-x in kept for x in kept):
            return
        kept.sort(key=lambda x: not self._open(x))
        if len(kept) > 1:
            self.watching[kept[0]].append(number)
            self.watching[kept[1]].append(number)
        if not kept or not self._open(kept[0]):
            self.conflict = number
        elif len(kept) == 1 or not self._open(kept[1]):
            if self.value[kept[0]] == 0:
                self._set(kept[0], number)
            self.conflict = self.propagate()

    def _open(self, x: int) -> bool:
        return self.value[x] >= 0

    def _set(self, x: int, reason: int) -> None:
        self.value[x], self.value[-x] = 1, -1
        self.reason[abs(x)] = reason
        self.trail.append(x)

    def propagate(self) -> int:
        """The number of a clause that is false, or -1."""
        value, clauses, watching, trail, reasons = self.value, self.clauses, self.watching, self.trail, self.reason
        head = self.head
        while head < len(trail):
            false = -trail[head]
            head += 1
            listed, kept = watching[false], []
            for i, number in enumerate(listed):
                c = clauses[number]
                if c[0] == false:
                    c[0], c[1] = c[1], false
                first = c[0]
                if value[first] > 0:
                    kept.append(number)
                    continue
                for k in range(2, len(c)):
                    x = c[k]
                    if value[x] >= 0:
                        c[1], c[k] = x, false
                        watching[x].append(number)
                        break
                else:
                    kept.append(number)
                    if value[first] < 0:
                        watching[false] = kept + listed[i + 1 :]
                        self.head = head
                        return number
                    value[first], value[-first] = 1, -1
                    reasons[abs(first)] = number
                    trail.append(first)
            watching[false] = kept
        self.head = head
        return -1

    def show(self, clause: Sequence[int]) -> tuple[list[int], list[int]]:
        """What forces `clause` in the order of use: first literals that hold anyway, then clauses; raises NotShown."""
        level, head = len(self.trail), self.head
        conflict = self.conflict
        for x in clause:
            if conflict < 0:
                if self.value[x] > 0:
                    conflict = self.reason[abs(x)]
                    break
                if self.value[x] == 0:
                    self._set(-x, -1)
        if conflict < 0:
            conflict = self.propagate()
        if conflict < 0:
            self._back_to(level, head)
            raise NotShown("unit propagation does not show a learnt clause")
        needed, fixed, order = {abs(x) for x in self.clauses[conflict]}, dict[int, None](), [conflict]
        for x in reversed(self.trail[level:]):
            reason = self.reason[abs(x)]
            if abs(x) in needed and reason >= 0 and reason != conflict:
                order.append(reason)
                needed |= {abs(y) for y in self.clauses[reason]}
        self._back_to(level, head)
        spoken = {abs(x) for x in clause}
        for v in needed:
            if self.value[v] and v not in spoken:
                fixed[v if self.value[v] > 0 else -v] = None
        return list(fixed), order[::-1]

    def _back_to(self, level: int, head: int) -> None:
        for x in self.trail[level:]:
            self.value[x], self.value[-x], self.reason[abs(x)] = 0, 0, -1
        del self.trail[level:]
        self.head = head


class _Steps:
    """The steps of a proof as they are made; a literal that holds at the top level becomes a step when it is first used."""

    def __init__(self, clauses: Sequence[tuple[int, ...]]) -> None:
        self.known = _Propagator(clauses)
        self.made: list[tuple[tuple[int, ...], list[int]]] = []
        self.first = len(clauses)
        self.number = list(range(len(clauses)))
        self.unit: dict[int, int] = {}

    def _add(self, clause: tuple[int, ...], hints: list[int]) -> int:
        self.made.append((clause, hints))
        return self.first + len(self.made) - 1

    def holds(self, literal: int) -> int:
        """The number of the unit clause of a literal that holds at the top level."""
        stack = [literal]
        while stack:
            x = stack[-1]
            if x in self.unit:
                stack.pop()
                continue
            reason = self.known.reason[abs(x)]
            clause = self.known.clauses[reason]
            missing = [-y for y in clause if y != x and -y not in self.unit]
            if missing:
                stack += missing
                continue
            stack.pop()
            number = self.number[reason]
            if len(clause) > 1:
                number = self._add((x,), [*(self.unit[-y] for y in clause if y != x), number])
            self.unit[x] = number
        return self.unit[literal]

    def learn(self, clause: tuple[int, ...]) -> None:
        """One learnt clause more."""
        fixed, used = self.known.show(clause)
        number = self._add(clause, [*(self.holds(x) for x in fixed), *(self.number[c] for c in used)])
        self.number.append(number)
        self.known.add(clause)


def implied(clauses: Sequence[tuple[int, ...]], candidates: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Those of the candidates that unit propagation shows, each with the help of those before it."""
    known, found = _Propagator(clauses), list[tuple[int, ...]]()
    for clause in candidates:
        if known.conflict >= 0:
            break
        try:
            known.show(clause)
        except NotShown:
            continue
        known.add(clause)
        found.append(clause)
    return found


def elaborate(clauses: Sequence[tuple[int, ...]], learnt: Iterable[Sequence[int]]) -> Core:
    """The core of a contradiction with a hinted proof; `learnt` is what a solver learnt, in its order (deletions left out)."""
    steps = _Steps(clauses)
    for clause in learnt:
        if steps.known.conflict >= 0:
            break
        steps.learn(tuple(clause))
    if steps.known.conflict < 0:
        raise NotShown("the learnt clauses do not end in a contradiction")
    if not steps.made or steps.made[-1][0]:
        false = steps.known.clauses[steps.known.conflict]
        steps._add((), [*(steps.holds(-x) for x in false), steps.number[steps.known.conflict]])
    return _cut(clauses, steps.made)


def _cut(clauses: Sequence[tuple[int, ...]], steps: list[tuple[tuple[int, ...], list[int]]]) -> Core:
    """Only what the last step needs, numbered anew from 1."""
    first = len(clauses)
    needed = {first + len(steps) - 1}
    for i in range(len(steps) - 1, -1, -1):
        if first + i in needed:
            needed |= set(steps[i][1])
    kept = sorted(needed)
    number = {old: new for new, old in enumerate(kept, 1)}
    core = [clauses[old] for old in kept if old < first]
    made = [(number[old], steps[old - first][0], tuple(number[h] for h in steps[old - first][1])) for old in kept if old >= first]
    return Core(core, made)
