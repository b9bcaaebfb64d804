"""What has to be shown for a claim: questions to which the answer must be no, each built from the game file alone.

A question is a path of turns, from any well-formed position or from the start, and what would be a violation at its end. No solver
is used here, so that a record can be re-checked against the game file without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawstone.core import FALSE as NEVER
from lawstone.core import TRUE as ALWAYS
from lawstone.core import Scope, Term, and_, fold, no, or_
from lawstone.engine.state import start_state
from lawstone.lower import Asked, Rules
from lawstone.prove.bits import Given, Number, Sites, Size
from lawstone.prove.circuit import FALSE, TRUE, Circuit
from lawstone.prove.claims import Claim
from lawstone.prove.encode import Model, Taken
from lawstone.prove.free import comparable, legality, results
from lawstone.prove.lemmas import WELL_FORMED, Lemma

Step = tuple[str, int, int]
"""A phase, the number of a turn in it, and the number of what follows that turn."""


@dataclass
class Obligation:
    """One question: can all `asserted` literals hold? `hypotheses` are those that do not speak of the violation."""

    about: str
    circuit: Circuit
    hypotheses: list[int]
    violation: int
    taken: list[tuple[str, int, Taken]] = field(default_factory=list)
    counted: list[tuple[Sites, Sites, tuple[Sites, ...]]] = field(default_factory=list)

    @property
    def asserted(self) -> list[int]:
        """The hypotheses and the violation."""
        return [*self.hypotheses, self.violation]

    def counting_facts(self) -> Iterator[tuple[int, ...]]:
        """Clauses that may follow, on how counts change when sets do; a solver does not come upon them by itself.

        For a set before and after a turn, prefix by prefix of the board: it grows by one at most, only at a picked site, or not at
        all. They are candidates: who uses them has to show each.
        """
        known = set(self.circuit.cone([1, *self.asserted]))
        for before, after, picks in self.counted:
            a, b, chosen = Size(self.circuit, before), Size(self.circuit, after), [Size(self.circuit, p) for p in picks]
            if len(a.members) != len(before) or len(b.members) != len(before):
                continue
            for i in range(1, len(before) + 1):
                for j in range(1, i + 1):
                    more = b.of_first(i, j)
                    if more not in (TRUE, FALSE) and abs(more) in known:
                        clauses: list[tuple[int, ...]] = [(-more, a.of_first(i, j)), (-more, a.of_first(i, j - 1))]
                        clauses += [(-a.of_first(i, j), more)]
                        clauses += [(-a.of_first(i, j - 1), -c.of_first(i, 1), more) for c in chosen]
                        clauses += [(-more, a.of_first(i, j), sign * c.of_first(i, 1)) for c in chosen for sign in (1, -1)]
                        yield from (c for c in clauses if all(abs(x) in known for x in c) and TRUE not in c)


@dataclass(frozen=True)
class Terms:
    """A claim's statement in core terms: what holds, and the premise under which it says anything."""

    holds: Term
    premise: Term


def statement(claim: Claim, terms: Mapping[str, Term]) -> Terms:
    """The statement made of the lowered conditions of a claim."""

    def of(name: str) -> Term:
        return terms[f"{claim.id}/{name}"]

    match claim.form:
        case "always":
            return Terms(of("always"), ALWAYS)
        case "never":
            return Terms(no(of("never")), ALWAYS)
        case "same_sites":
            return Terms(of("never"), ALWAYS)
        case "then":
            return Terms(or_(no(of("if")), of("then")), of("if"))
        case "same":
            a, b = of("a"), of("b")
            return Terms(or_(and_(a, b), and_(no(a), no(b))), a)
        case _:
            return Terms(NEVER, NEVER)


CONDITIONAL = ("always", "never", "then", "same", "same_sites")


class _Path:
    """A path of turns in one circuit."""

    def __init__(self, asked: Asked, start: str | None, bare: bool = False, facts: Sequence[Lemma] = ()) -> None:
        self.asked, self.rules = asked, asked.rules
        self.model = Model(asked.rules)
        self.hypotheses: list[int] = []
        self.taken: list[tuple[str, int, Taken]] = []
        self.counted: list[tuple[Sites, Sites, tuple[Sites, ...]]] = []
        state = start_state(asked.rules)
        self.phase = start if start is not None else state.phase
        if start is None:
            self.values: dict[str, Any] = self.model.constant(state)
        else:
            self.values = self.model.free(start)
            if not bare:
                self.hypotheses.append(self.model.assumed(self.values))
            here = [x for x in facts if x.phase == start]
            self.hypotheses += [x.literal(self.model, self.values) for x in here]
            if bare and any(x.says == WELL_FORMED for x in here):
                self.hypotheses.append(self.model.implied(self.values))
        self.start = start

    def here(self, claim: Claim) -> int | None:
        """Whether a claim about positions holds here; None where it is not asked."""
        terms = self.asked.here[self.phase]
        if claim.form == "well_formed":
            return self.model.well_formed(self.values)
        if claim.about != "position" or not any(n.startswith(f"{claim.id}/") for n in terms):
            return None
        return int(fold(statement(claim, terms).holds, self.model.bits, Scope(dict(self.values))))

    def after(self, claim: Claim, taken: Taken, number: int, premise: bool = False) -> int:
        """Whether a claim about moves holds after a turn."""
        told = statement(claim, self.asked.after[self.phase, number])
        picked = {c.name: p for c, p in zip(taken.turn.choices, taken.picks, strict=True)}
        return int(fold(told.premise if premise else told.holds, self.model.bits, Scope({**taken.after, **picked})))

    def suppose(self, claims: Sequence[Claim]) -> None:
        """Claims about positions are taken to hold here."""
        for claim in claims:
            literal = self.here(claim)
            if literal is not None:
                self.hypotheses.append(literal)

    def take(self, number: int) -> Taken:
        """A turn from here."""
        turn = self.rules.phases[self.phase].turns[number]
        taken = self.model.take(turn, self.values, f"{len(self.taken)}")
        self.taken.append((self.phase, number, taken))
        return taken

    def fails(self, facts: Sequence[Lemma]) -> int:
        """Whether a fact about the phase fails here."""
        return self.model.circuit.any(-x.literal(self.model, self.values) for x in facts if x.phase == self.phase)

    def parts(self, other: Rules, before: Mapping[str, Any], step: tuple[str, int, Taken], reasons: bool) -> int:
        """Whether another reading treats a turn that was taken differently."""
        phase, _, taken = step
        twins = Model(other, self.model.circuit, self.model.must)
        partner = next(t for t in other.phases[phase].turns if (t.label, t.roles) == (taken.turn.label, taken.turn.roles))
        twin = twins.take(partner, before, f"{len(self.taken) - 1}", taken.picks)
        told = (*legality(self.model, taken, twin), *results(self.model, taken, twin, reasons))
        return self.model.circuit.any(told)

    def go(self, number: int, way: int, moves: Sequence[Claim]) -> None:
        """A turn from here after which the game goes on; claims about moves are taken to hold of it."""
        taken = self.take(number)
        self.hypotheses += [taken.legal, taken.following[way]]
        for name, before in self.values.items():
            after = taken.after[name]
            if isinstance(before, tuple) and before != after:
                self.counted.append((before, after, taken.picks))
        for claim in moves:
            if claim.about == "move" and claim.form in CONDITIONAL:
                self.hypotheses.append(self.after(claim, taken, number))
        following = taken.turn.next[way]
        seen = self.model.seen_by_other(taken.after) if following.passes else dict(taken.after)
        self.values = {n: _settled(self.model, n, v) for n, v in seen.items()}
        self.phase = following.phase

    def ask(self, about: str, violation: int) -> Obligation:
        """The question whether a violation is possible at the end of the path."""
        origin = "start" if self.start is None else f"any position of {self.start}"
        path = " > ".join(f"{p}{''.join(' ' + w for w in t.turn.label)}" for p, _, t in self.taken)
        told = f"{origin}{': ' + path if path else ''}: {about}"
        hypotheses = [*self.model.must, *self.hypotheses]
        return Obligation(told, self.model.circuit, hypotheses, violation, self.taken, self.counted)


def _settled(model: Model, name: str, value: Any) -> Any:
    """Numbers are written out up to their bound and one beyond, so that long paths do not nest ever deeper rules."""
    if not isinstance(value, Number):
        return value
    high = next(v.high for v in model.rules.variables if v.name == name)
    return Given(model.circuit, [value.at_least(k) for k in range(1, max(high, value.high) + 1)])


def steps_from(rules: Rules, phase: str) -> Iterator[Step]:
    """The ways on from a phase."""
    for number, turn in enumerate(rules.phases[phase].turns):
        for way in range(len(turn.next)):
            yield phase, number, way


def paths(rules: Rules, phase: str, length: int) -> Iterator[tuple[Step, ...]]:
    """Every path of so many turns from a phase after which the game goes on."""
    if length == 0:
        yield ()
        return
    for step in steps_from(rules, phase):
        following = rules.phases[phase].turns[step[1]].next[step[2]].phase
        for rest in paths(rules, following, length - 1):
            yield (step, *rest)


def obligations(
    asked: Asked, claim: Claim, given: Sequence[Claim], depth: int = 0, bare: bool = False, facts: Sequence[Lemma] = ()
) -> Iterator[Obligation]:
    """The questions for one claim on one board.

    With a `depth` an induction: the claim is taken to hold at so many positions (or moves) before. With `bare` the first position
    need not even be well formed. `facts` are taken to hold there; `invariance` asks whether they do.
    """
    rules = asked.rules
    helpers = [*given, claim] if depth else list(given)
    for phase in rules.phases:
        for steps in paths(rules, phase, depth):
            yield from _at_end(asked, claim, given, helpers, _origin(rules, phase), steps, bare, facts)
    for length in range(depth):
        for steps in paths(rules, start_state(rules).phase, length):
            yield from _at_end(asked, claim, given, given, None, steps)


def invariance(asked: Asked, facts: Sequence[Lemma]) -> Iterator[Obligation]:
    """The questions whether facts hold in every reachable position: at the start, and after any turn from where they all do.

    Whether the position is well formed is a question of its own, since it is the one that is hard.
    """
    rules = asked.rules
    whole = [x for x in facts if x.says == WELL_FORMED]
    groups = [g for g in ([x for x in facts if x.says != WELL_FORMED], whole) if g]
    begin = _Path(asked, None)
    yield begin.ask("a fact fails", begin.fails(facts))
    for phase in rules.phases:
        for _, number, way in steps_from(rules, phase):
            for group in groups:
                path = _Path(asked, _origin(rules, phase), True, facts)
                path.go(number, way, ())
                if any(x.phase == path.phase for x in group):
                    yield path.ask("it is not well formed" if group is whole else "a fact fails", path.fails(group))


def comparison(
    asked: Asked, other: Rules, given: Sequence[Claim], bare: bool = False, depth: int = 0, facts: Sequence[Lemma] = (),
    reasons: bool = False,
) -> Iterator[Obligation]:  # fmt: skip
    """The questions whether two readings treat a move differently, by phase and kind of turn.

    With a `depth` an induction: so many moves before, which the readings treated alike, led there; and no game from the start of
    fewer moves shows a difference. Raises ValueError where the readings cannot be compared in this way.
    """
    fault = comparable(asked.rules, other)
    if fault:
        raise ValueError(fault)
    rules = asked.rules
    for phase in rules.phases:
        for steps in paths(rules, phase, depth):
            yield from _differ(asked, other, given, _origin(rules, phase), steps, bare, facts, reasons)
    for length in range(depth):
        for steps in paths(rules, start_state(rules).phase, length):
            yield from _differ(asked, other, given, None, steps, bare, facts, reasons)


def _differ(
    asked: Asked, other: Rules, given: Sequence[Claim], start: str | None, steps: Sequence[Step], bare: bool,
    facts: Sequence[Lemma], reasons: bool,
) -> Iterator[Obligation]:  # fmt: skip
    """The questions whether any move at the end of a path is treated differently, where those of the path were not."""
    last = asked.rules.phases[steps[-1][0]].turns[steps[-1][1]].next[steps[-1][2]].phase if steps else start
    for number in range(len(asked.rules.phases[last or start_state(asked.rules).phase].turns)):
        path = _Path(asked, start, bare, facts)
        for _, turn, way in steps:
            path.suppose(given)
            before = path.values
            path.go(turn, way, given)
            path.hypotheses.append(-path.parts(other, before, path.taken[-1], reasons))
        path.suppose(given)
        path.take(number)
        yield path.ask("the readings differ", path.parts(other, path.values, path.taken[-1], reasons))


def _origin(rules: Rules, phase: str) -> str | None:
    """The phase, or None for the start of the game: a phase that no turn leads to has that one position only."""
    led_to = {n.phase for p in rules.phases.values() for t in p.turns for n in t.next}
    return None if phase == rules.start_phase and phase not in led_to else phase


def from_start(asked: Asked, claim: Claim, plies: int) -> Iterator[Obligation]:
    """The question whether a game of exactly so many plies ends in a violation."""
    for steps in paths(asked.rules, start_state(asked.rules).phase, plies - 1):
        yield from _at_end(asked, claim, [], [], None, steps)


def _at_end(
    asked: Asked,
    claim: Claim,
    given: Sequence[Claim],
    helpers: Sequence[Claim],
    start: str | None,
    steps: Sequence[Step],
    bare: bool = False,
    facts: Sequence[Lemma] = (),
) -> Iterator[Obligation]:
    def walked() -> _Path:
        path = _Path(asked, start, bare, facts)
        for _, number, way in steps:
            path.suppose(helpers)
            path.go(number, way, helpers)
        path.suppose(given)
        return path

    path = walked()
    if claim.about == "position" and claim.form in (*CONDITIONAL, "well_formed"):
        literal = path.here(claim)
        if literal is not None:
            yield path.ask("violation", -literal)
        return
    if claim.form in ("never_stuck", "never_drawn"):
        path = walked()
        yield path.ask("no first pick", -path.model.can_move(asked.rules.phases[path.phase], path.values))
    for number in range(len(asked.rules.phases[path.phase].turns)):
        path = walked()
        phase = path.phase
        if claim.in_.phases is not None and not any(phase == p or phase.startswith(f"{p} ") for p in claim.in_.phases):
            continue
        taken = path.take(number)
        violation = _violation(path, claim, taken, number)
        yield path.ask("violation", violation)


def _violation(path: _Path, claim: Claim, taken: Taken, number: int) -> int:
    c = path.model.circuit
    if claim.form in CONDITIONAL:
        return c.both(taken.legal, -path.after(claim, taken, number))
    bad = []
    ends = claim.never_ends or ([claim.soonest.ending] if claim.soonest is not None else [])
    for ending, literal in zip(taken.turn.endings, taken.endings, strict=True):
        if ending.rule in ends or (claim.form == "never_drawn" and ending.result == "draw"):
            bad.append(c.both(taken.legal, literal))
    if claim.form in ("never_drawn", "never_stuck", "duties_met"):
        for i, choice in enumerate(taken.turn.choices):
            if not choice.required and choice.freedom == "exactly" and (i > 0 or taken.turn.label):
                bad.append(c.both(taken.prefixes[i], taken.stuck[i]))
    return c.any(bad)
