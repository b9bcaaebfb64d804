"""Facts that hold in every reachable position: guessed from a game's form, kept only if they are proved by induction.

Candidates come from templates (a set lies inside another, two sets are disjoint, two numbers are equal, a flag is fixed, no ending
holds yet). All that fail at the start are dropped, then all that a single turn can break while the others hold, until none is
broken any more (Flanagan and Leino 2001, Houdini). What is left holds at the start and is kept by every turn that goes on, so it
holds wherever a player is to act: one-step induction, with the lemmas as each other's help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lawstone.core import Scope, Sort, fold
from lawstone.engine.state import start_state
from lawstone.lower import Rules
from lawstone.prove.ask import Asking
from lawstone.prove.bits import Number, Size
from lawstone.prove.encode import Model, Values

CONFLICTS = 60_000


@dataclass(frozen=True)
class Lemma:
    """A fact about the positions of one phase, as the player who acts sees them."""

    phase: str
    says: str
    literal: Callable[[Model, Values], int] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Lemmas:
    """Proved facts by phase; `complete` is False where the bound was reached and candidates were dropped untested."""

    rules: Rules
    proved: tuple[Lemma, ...]
    tried: int
    rounds: int

    def of(self, phase: str) -> list[Lemma]:
        """The facts about one phase."""
        return [x for x in self.proved if x.phase == phase]

    def literal(self, model: Model, phase: str, values: Values) -> int:
        """All facts about a phase, of a position."""
        return model.circuit.all(x.literal(model, values) for x in self.of(phase))


def candidates(rules: Rules) -> Iterator[Lemma]:
    """Facts that might hold, by templates, for each phase."""
    sets = [v.name for v in rules.variables if v.sort is Sort.SITES]
    numbers = [v for v in rules.variables if v.sort is Sort.NUMBER]
    flags = [v.name for v in rules.variables if v.sort is Sort.FLAG]
    for phase in rules.phases:
        for a in sets:
            yield Lemma(phase, f"{a} is empty", lambda m, v, a=a: -m.circuit.any(v[a]))  # type: ignore[misc]
            for b in sets:
                if a != b:
                    yield Lemma(phase, f"{a} lies in {b}", lambda m, v, a=a, b=b: _inside(m, v[a], v[b]))  # type: ignore[misc]
                if a < b:
                    yield Lemma(phase, f"{a} and {b} share no site", lambda m, v, a=a, b=b: _apart(m, v[a], v[b]))  # type: ignore[misc]
            yield Lemma(phase, f"{a} has at most one site", lambda m, v, a=a: -Size(m.circuit, v[a]).at_least(2))  # type: ignore[misc]
        for x in numbers:
            for k in (x.low, x.high):
                yield Lemma(phase, f"{x.name} is {k}", lambda m, v, n=x.name, k=k: _is(m, v[n], k))  # type: ignore[misc]
            for y in numbers:
                if x.name < y.name:
                    for d in (-1, 0, 1):
                        yield Lemma(phase, f"{x.name} is {y.name} {d:+d}", lambda m, v, p=x.name, q=y.name, d=d: _shifted(m, v[p], v[q], d))  # type: ignore[misc]
        if len(numbers) > 2:
            hands = [[v.name for v in numbers if v.name.startswith(f"{side}.hand ")] for side in ("mine", "theirs")]
            for d in (-1, 0, 1):
                yield Lemma(phase, f"the hand to act has {d:+d} pieces as the other", lambda m, v, h=hands, d=d: _totals(m, v, h, d))  # type: ignore[misc]
            for d in (-1, 0):
                says = f"the hand to act has {d:+d} or {d + 1:+d} pieces as the other"
                yield Lemma(phase, says, lambda m, v, h=hands, d=d: m.circuit.any((_totals(m, v, h, d), _totals(m, v, h, d + 1))))  # type: ignore[misc]
        for f in flags:
            yield Lemma(phase, f"{f}", lambda m, v, f=f: v[f])  # type: ignore[misc]
            yield Lemma(phase, f"not {f}", lambda m, v, f=f: -v[f])  # type: ignore[misc]
        yield Lemma(phase, "the position is well formed", lambda m, v: m.well_formed(v))
        yield from _no_ending_yet(rules, phase)


def _no_ending_yet(rules: Rules, phase: str) -> Iterator[Lemma]:
    """Endings that speak of the board only did not hold after the last turn: for the player who made it, and for the other."""
    names = {v.name for v in rules.variables}
    seen: set[Any] = set()
    for p in rules.phases.values():
        for turn in p.turns:
            for ending in turn.endings:
                if ending.flag in seen or not ending.flag.names <= names:
                    continue
                seen.add(ending.flag)
                flag = ending.flag
                for side in ("the player who moved", "the player to act"):
                    yield Lemma(
                        phase,
                        f"{ending.rule} does not hold for {side}",
                        lambda m, v, flag=flag, side=side: -_fold(m, flag, m.seen_by_other(v) if side.endswith("moved") else v),  # type: ignore[misc]
                    )


def _fold(m: Model, flag: Any, values: Values) -> int:
    return int(fold(flag, m.bits, Scope(dict(values))))


def _inside(m: Model, a: Any, b: Any) -> int:
    return m.circuit.all(m.circuit.implies(x, y) for x, y in zip(a, b, strict=True))


def _apart(m: Model, a: Any, b: Any) -> int:
    return m.circuit.all(-m.circuit.both(x, y) for x, y in zip(a, b, strict=True))


def _totals(m: Model, v: Values, hands: list[list[str]], d: int) -> int:
    mine, theirs = (m.bits.plus(*(v[n] for n in side)) for side in hands)
    return _shifted(m, mine, theirs, d)


def _is(m: Model, x: Number, k: int) -> int:
    return m.circuit.both(x.at_least(k), -x.at_least(k + 1))


def _shifted(m: Model, x: Number, y: Number, d: int) -> int:
    """x is y plus d."""
    high = max(x.high, y.high + 1)
    return m.circuit.all(m.circuit.same(x.at_least(k), y.at_least(k - d)) for k in range(min(1, 1 + d), high + 2) if k > 0 or k - d > 0)


def prove(rules: Rules, conflicts: int = CONFLICTS) -> Lemmas:
    """The candidates that hold in every reachable position, by one-step induction over each other."""
    start = start_state(rules)
    base = Model(rules)
    constant = base.constant(start)
    left = list(candidates(rules))
    tried = len(left)
    left = [x for x in left if x.phase != start.phase or x.literal(base, constant) == 1]
    kept: dict[str, list[Lemma]] = {p: [x for x in left if x.phase == p] for p in rules.phases}
    steps = [_Step(rules, phase, number, conflicts) for phase in rules.phases for number in range(len(rules.phases[phase].turns))]
    rounds, changed = 0, True
    while changed:
        changed = False
        rounds += 1
        for step in steps:
            changed = step.drop_broken(kept) or changed
    for step in steps:
        step.close()
    return Lemmas(rules, tuple(x for listed in kept.values() for x in listed), tried, rounds)


class _Step:
    """One turn of one phase, from a position under the lemmas to the position that follows."""

    def __init__(self, rules: Rules, phase: str, number: int, conflicts: int) -> None:
        self.phase, self.conflicts = phase, conflicts
        self.model = Model(rules)
        self.turn = rules.phases[phase].turns[number]
        self.before = self.model.free("before")
        self.taken = self.model.take(self.turn, self.before, "turn")
        self.asking = Asking(self.model.circuit)
        self.asking.must([*self.model.must, self.taken.legal])
        self.known: dict[tuple[int, str, str], int] = {}

    def drop_broken(self, kept: dict[str, list[Lemma]]) -> bool:
        """Drop the lemmas that this turn can break; whether any was."""
        c, changed = self.model.circuit, False
        for i, following in enumerate(self.turn.next):
            after = self.model.seen_by_other(self.taken.after) if following.passes else dict(self.taken.after)
            while kept[following.phase]:
                listed = list(kept[following.phase])
                literals = {x.says: self._literal(x, after, i) for x in listed}
                held = [self._literal(x, self.before, -1) for x in kept[self.phase]]
                answer = self.asking.ask([*held, self.taken.following[i], c.any(-x for x in literals.values())], self.conflicts)
                if answer.verdict == "no":
                    break
                if answer.verdict == "unknown":
                    kept[following.phase] = self._one_by_one(listed, literals, held, i)
                    changed = True
                    break
                broken = {says for says, x in literals.items() if not self._true(answer.true, x)}
                kept[following.phase] = [x for x in listed if x.says not in broken]
                changed = True
        return changed

    def _one_by_one(self, listed: list[Lemma], literals: dict[str, int], held: list[int], i: int) -> list[Lemma]:
        """Where the question about all lemmas at once is too hard: keep those whose own question is answered."""
        return [
            x
            for x in listed
            if self.asking.ask([*held, self.taken.following[i], -literals[x.says]], self.conflicts // 10).verdict == "no"
        ]

    def _true(self, true: frozenset[int], literal: int) -> bool:
        return literal in true if literal > 0 else -literal not in true

    def _literal(self, lemma: Lemma, values: Values, where: int) -> int:
        key = (where, lemma.phase, lemma.says)
        if key not in self.known:
            self.known[key] = lemma.literal(self.model, values)
            self.asking.add([self.known[key]])
        return self.known[key]

    def close(self) -> None:
        """Free the solver."""
        self.asking.close()


