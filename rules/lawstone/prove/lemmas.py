"""Facts that hold in every reachable position: guessed from a game's form, kept only if they are proved by induction.

Candidates come from templates (a set lies inside another, two sets are disjoint, two numbers are equal, a flag is fixed, no ending
holds yet). All that fail at the start are dropped, then all that a single turn can break while the others hold, until none is
broken any more (Flanagan and Leino 2001, Houdini). What is left holds at the start and is kept by every turn that goes on, so it
holds wherever a player is to act: one-step induction, with the lemmas as each other's help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lawstone.core import Scope, Sort, Term, fold
from lawstone.engine.state import start_state
from lawstone.lower import Rules
from lawstone.prove.ask import Asking
from lawstone.prove.bits import Number, Size
from lawstone.prove.encode import Model, Values
from lawstone.prove.meaning import meaning
from lawstone.work.cache import kept

CONFLICTS = 60_000
WELL_FORMED = "the position is well formed"


@dataclass(frozen=True)
class Lemma:
    """A fact about the positions of one phase, as the player who acts sees them."""

    phase: str
    says: str
    literal: Callable[[Model, Values], int] = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """The phase and the fact."""
        return f"{self.phase}: {self.says}"


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
    """Facts that might hold, by templates, for each phase; no two facts about a phase are said alike."""
    for phase in rules.phases:
        told: dict[str, int] = {}
        for says, make, *names in _templates(rules):
            told[says] = told.get(says, 0) + 1
            says = says if told[says] == 1 else f"{says} ({told[says]})"
            yield Lemma(phase, says, partial(_apply, make, tuple(names)))


Make = Callable[..., int]


def _apply(make: Make, names: tuple[Any, ...], model: Model, values: Values) -> int:
    return make(model, values, *names)


def _templates(rules: Rules) -> Iterator[tuple[Any, ...]]:
    """Sentences with the function that makes their literal, and its arguments after the model and the values."""
    sets = [v.name for v in rules.variables if v.sort is Sort.SITES]
    numbers = [v for v in rules.variables if v.sort is Sort.NUMBER]
    for a in sets:
        yield f"{a} is empty", _empty, a
        yield f"{a} has at most one site", _one, a
        for b in sets:
            if a != b:
                yield f"{a} lies in {b}", _inside, a, b
            if a < b:
                yield f"{a} and {b} share no site", _apart, a, b
    for x in numbers:
        for k in (x.low, x.high):
            yield f"{x.name} is {k}", _is, x.name, k
        for y in numbers:
            if x.name < y.name:
                for d in (-1, 0, 1):
                    yield f"{x.name} is {y.name} {d:+d}", differ_by, x.name, y.name, d
    if len(numbers) > 2:
        for low, high in ((-1, -1), (0, 0), (1, 1), (-1, 0), (0, 1)):
            yield f"the hand to act holds {low:+d} to {high:+d} pieces more than the other", _totals, low, high
    for v in rules.variables:
        if v.sort is Sort.FLAG:
            yield v.name, _flag, v.name, True
            yield f"not {v.name}", _flag, v.name, False
    yield WELL_FORMED, _well_formed
    seen: set[Any] = set()
    for flag, rule in _endings(rules):
        if flag not in seen:
            seen.add(flag)
            yield f"{rule} does not hold for the player who moved", not_held, flag, True
            yield f"{rule} does not hold for the player to act", not_held, flag, False


def _endings(rules: Rules) -> Iterator[tuple[Term, str]]:
    """Endings that speak of variables only: they did not hold after the last turn, or the game would be over."""
    names = {v.name for v in rules.variables}
    for p in rules.phases.values():
        for turn in p.turns:
            for ending in turn.endings:
                if ending.flag.names <= names:
                    yield ending.flag, ending.rule


def _empty(m: Model, v: Values, a: str) -> int:
    return -m.circuit.any(v[a])


def _one(m: Model, v: Values, a: str) -> int:
    return -Size(m.circuit, v[a]).at_least(2)


def _inside(m: Model, v: Values, a: str, b: str) -> int:
    return m.circuit.all(m.circuit.implies(x, y) for x, y in zip(v[a], v[b], strict=True))


def _apart(m: Model, v: Values, a: str, b: str) -> int:
    return m.circuit.all(-m.circuit.both(x, y) for x, y in zip(v[a], v[b], strict=True))


def _is(m: Model, v: Values, a: str, k: int) -> int:
    return m.circuit.both(v[a].at_least(k), -v[a].at_least(k + 1))


def differ_by(m: Model, v: Values, a: str, b: str, d: int) -> int:
    """One number is another plus d."""
    return _shifted(m, v[a], v[b], d)


def _totals(m: Model, v: Values, low: int, high: int) -> int:
    mine, theirs = (m.bits.plus(*(v[n] for n in v if n.startswith(f"{side}.hand "))) for side in ("mine", "theirs"))
    return m.circuit.any(_shifted(m, mine, theirs, d) for d in range(low, high + 1))


def _flag(m: Model, v: Values, a: str, holds: bool) -> int:
    return int(v[a]) if holds else -int(v[a])


def _well_formed(m: Model, v: Values) -> int:
    return m.well_formed(v)


def not_held(m: Model, v: Values, flag: Term, for_mover: bool) -> int:
    """A flag does not hold, as the player who moved or the player to act sees the position."""
    return -int(fold(flag, m.bits, Scope(dict(m.seen_by_other(v) if for_mover else v))))


def _shifted(m: Model, x: Number, y: Number, d: int) -> int:
    """The first number is the second plus d."""
    high = max(x.high, y.high + 1)
    return m.circuit.all(
        m.circuit.same(x.at_least(k), y.at_least(k - d)) for k in range(min(1, 1 + d), high + 2) if k > 0 or k - d > 0
    )


def prove(rules: Rules, conflicts: int = CONFLICTS, guesses: Sequence[Lemma] | None = None) -> Lemmas:
    """The guesses (those of `candidates`, unless others are given) that hold in every reachable position, by one-step induction
    over each other."""
    start = start_state(rules)
    base = Model(rules)
    constant = base.constant(start)
    left = list(candidates(rules) if guesses is None else guesses)
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


def kept_or_proved(rules: Rules) -> Lemmas:
    """The facts that `prove` gives, from an earlier run on rules of the same meaning if there was one."""

    def unpack(entry: Any) -> Lemmas:
        proved = {(phase, says) for phase, says in entry["proved"]}
        found = tuple(x for x in candidates(rules) if (x.phase, x.says) in proved)
        if len(found) != len(proved):
            raise ValueError("it speaks of facts that are no candidates")
        return Lemmas(rules, found, int(entry["tried"]), int(entry["rounds"]))

    def pack(found: Lemmas) -> Any:
        return {"proved": [[x.phase, x.says] for x in found.proved], "tried": found.tried, "rounds": found.rounds}

    return kept("facts", lambda: (meaning(rules), CONFLICTS), lambda: prove(rules), pack, unpack)[0]


def named(rules: Rules, names: Sequence[str]) -> list[Lemma]:
    """Candidate facts by `phase: fact`; raises ValueError where there is no such candidate."""
    known = {x.name: x for x in candidates(rules)}
    missing = [n for n in names if n not in known]
    if missing:
        raise ValueError(f"there is no such fact about these rules: {missing[0]}")
    return [known[n] for n in names]


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
        self.implied = self.model.implied(self.before)

    def drop_broken(self, kept: dict[str, list[Lemma]]) -> bool:
        """Drop the lemmas that this turn can break; whether any was."""
        c, changed = self.model.circuit, False
        for i, following in enumerate(self.turn.next):
            after = self.model.seen_by_other(self.taken.after) if following.passes else dict(self.taken.after)
            while kept[following.phase]:
                listed = list(kept[following.phase])
                literals = {x.says: self._literal(x, after, i) for x in listed}
                held = [self._literal(x, self.before, -1) for x in kept[self.phase]]
                held += [self.implied] if any(x.says == WELL_FORMED for x in kept[self.phase]) else []
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
