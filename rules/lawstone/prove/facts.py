"""Facts that make a kernel faster: guessed from the form of the rules, settled by the solver, used only when proved.

The guesses are `engine.kernel.plan.candidates`. Each is asked about on all positions of its phase at once, reachable or not; that
a line does not stand while play goes on is shown by induction first. Beside each proof stands a check that it is not empty: the
hypotheses can be met, and the ending can come about.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

from lawstone.core import Scope, Sort, Term, fold, swapped
from lawstone.engine.kernel.plan import Fact, Kept, Plan, candidates, empty_fact, facts_of, legal_fact, through_fact
from lawstone.engine.reference import Ints
from lawstone.lower import Rules
from lawstone.prove.ask import ask
from lawstone.prove.bits import Size
from lawstone.prove.encode import Model
from lawstone.work.cache import Cache, cache_folder, switched_off

Verdict = Literal["proved", "not proved", "vacuous"]
CONFLICTS = 60_000
MANY = 20
METHOD = 3
"""Raised whenever what a stored verdict means changes."""


@dataclass(frozen=True)
class Settled:
    """A fact with its verdict, and the CPU-seconds that it took."""

    fact: Fact
    verdict: Verdict
    seconds: float


def settle(rules: Rules) -> tuple[Plan, tuple[Settled, ...]]:
    """The plan that the proved facts allow, and all facts with their verdicts."""
    listed = list(_singles(rules))
    for candidate in candidates(rules):
        listed += _settled(rules, candidate)
    listed += _nevers(rules)
    return allowed(rules, listed), tuple(listed)


def allowed(rules: Rules, settled: Iterable[Settled]) -> Plan:
    """What proved facts allow: one kept set with its line words a kernel, and the sets of one site."""
    proved = {s.fact for s in settled if s.verdict == "proved"}
    found = [c for c in candidates(rules) if all(f in proved for f in facts_of(c, rules))]
    kept = next((c for c in found if c.keeps), None)
    lined = None if kept else next((c for c in found if not c.keeps), None)
    single = frozenset(f.id.removeprefix("single ") for f in proved if f.id.startswith("single "))
    never = frozenset((f.phase, *_numbers(f)) for f in proved if f.id.startswith("never "))
    most = {p: sizes for p, sizes in _sizes(rules).items() if any(p == phase for phase, _, _ in never)} if never else {}
    return Plan({kept.phase: kept} if kept else {}, {lined.phase: lined} if lined else {}, single, never, most)


def _numbers(fact: Fact) -> tuple[int, int]:
    _, turn, ending = fact.id.split(" ")
    return int(turn), int(ending)


def _sizes(rules: Rules) -> dict[str, dict[str, int]]:
    """By phase the most sites that each set has while play is in it, where there is a bound."""
    found: dict[str, dict[str, int]] = {}
    for (phase, _), sizes in follow(rules)[0].items():
        joined = found.setdefault(phase, dict(sizes))
        found[phase] = {n: max(joined[n], most) for n, most in sizes.items()}
    return {phase: {n: most for n, most in sizes.items() if most < MANY} for phase, sizes in found.items()}


def _nevers(rules: Rules) -> Iterator[Settled]:
    """Endings that cannot come about in a phase because its sets are small, such as a five in an opening of three pieces."""
    if len(rules.phases) == 1:
        return
    sizes = _sizes(rules)
    for name, phase in rules.phases.items():
        few = {n: most for n, most in sizes.get(name, {}).items() if most < MANY}
        sets = {v.name for v in rules.variables if v.sort is Sort.SITES}
        for t, turn in enumerate(phase.turns):
            for i, ending in enumerate(turn.endings):
                if not ending.flag.names & sets <= set(few):
                    continue
                began = time.process_time()
                model = Model(rules)
                values = model.free(name)
                taken = model.take(turn, values, name)
                bounds = [-Size(model.circuit, values[n]).at_least(most + 1) for n, most in few.items()]
                hypotheses = [*model.must, taken.legal, *bounds]
                verdict: Verdict = "not proved"
                if ask(model.circuit, [*hypotheses, taken.endings[i]], CONFLICTS).verdict == "no":
                    verdict = "proved" if ask(model.circuit, hypotheses, CONFLICTS).verdict == "yes" else "vacuous"
                says = f"{ending.rule} cannot come about: there are too few pieces"
                yield Settled(
                    Fact(f"never {t} {i}", name, says, "ending: not tested"), verdict, round(time.process_time() - began, 3)
                )


def _singles(rules: Rules) -> Iterator[Settled]:
    """Sets that never have two sites, by counting what turns can add."""
    began = time.process_time()
    reached = follow(rules)[0]
    spent = time.process_time() - began
    for v in rules.variables:
        if v.sort is Sort.SITES and all(sizes[v.name] <= 1 for sizes in reached.values()):
            fact = Fact(f"single {v.name}", "every phase", f"{v.name} has at most one site", "slides from it: rays by table")
            yield Settled(fact, "proved", round(spent, 3))
            spent = 0.0


def _settled(rules: Rules, kept: Kept) -> Iterator[Settled]:
    turn = rules.phases[kept.phase].turns[0]
    unmade: dict[int, bool] = {}
    for fact in facts_of(kept, rules):
        what, _, number = fact.id.partition(" ")
        began = time.process_time()
        if what == "before":
            unmade[int(number)] = _never_before(rules, kept, int(number))
            verdict: Verdict = "proved" if unmade[int(number)] else "not proved"
        else:
            lines = next((x for x in kept.lines if str(x.ending) == number), None)
            if what == "legal":
                flag = legal_fact(turn)
            elif lines is not None:
                flag = through_fact(turn, lines, rules.board.longest_line)
            else:
                flag = empty_fact(turn, int(number))
            verdict = _verdict(rules, kept.phase, flag, None if what == "legal" else int(number), unmade)
        yield Settled(fact, verdict, round(time.process_time() - began, 3))


def _verdict(rules: Rules, phase: str, flag: Term, ending: int | None, unmade: dict[int, bool]) -> Verdict:
    """Whether a flag that says where a fact fails can hold in any position of the phase, reachable or not."""
    turn = rules.phases[phase].turns[0]
    model = Model(rules)
    values = model.free(phase)
    taken = model.take(turn, values, phase)
    hypotheses = [*model.must, taken.legal]
    if ending is not None and unmade.get(ending):
        hypotheses += [-_literal(model, values, turn.endings[ending].flag)]
    scope = dict(values) | {c.name: p for c, p in zip(turn.choices, taken.picks, strict=True)}
    if ask(model.circuit, [*hypotheses, _literal(model, scope, flag)], CONFLICTS).verdict != "no":
        return "not proved"
    fires = [] if ending is None else [taken.endings[ending]]
    return "proved" if ask(model.circuit, [*hypotheses, *fires], CONFLICTS).verdict == "yes" else "vacuous"


def _never_before(rules: Rules, kept: Kept, ending: int) -> bool:
    """Whether an ending that speaks of one player's set holds for neither player while the phase goes on, by induction."""
    turn = rules.phases[kept.phase].turns[0]
    flag, names = turn.endings[ending].flag, (kept.variable, swapped(kept.variable))
    if rules.start_phase == kept.phase:
        ints = Ints(rules.board)
        if any(fold(flag, ints, Scope({kept.variable: int(rules.start[n])})) for n in names):
            return False
    for start, end, most in follow(rules)[1]:
        if end != kept.phase or start == end:
            continue
        for name in names:
            if most[name] >= MANY:
                return False
            model = Model(rules)
            marks = model.free(kept.phase)[name]
            few = -Size(model.circuit, marks).at_least(most[name] + 1)
            if ask(model.circuit, [few, _literal(model, {kept.variable: marks}, flag)], CONFLICTS).verdict != "no":
                return False
    model = Model(rules)
    before = model.free(kept.phase)
    taken = model.take(turn, before, kept.phase)
    held = [-_literal(model, {kept.variable: before[n]}, flag) for n in names]
    after = [_literal(model, {kept.variable: taken.after[n]}, flag) for n in names]
    return (
        ask(model.circuit, [*model.must, *held, taken.legal, taken.following[0], model.circuit.any(after)], CONFLICTS).verdict
        == "no"
    )


def _literal(model: Model, scope: dict[str, Any], flag: Term) -> int:
    return int(fold(flag, model.bits, Scope(scope)))


# -- how many pieces a phase begins with ------------------------------------------------------------------------------------------

Known = tuple[tuple[str, bool], ...]
"""Flags with their values."""


def follow(rules: Rules) -> tuple[dict[tuple[str, Known], dict[str, int]], list[tuple[str, str, dict[str, int]]]]:
    """Bounds on the size of each set in each phase, and at each way from one phase into another; MANY stands for no bound.

    Turns are followed from the start with sets as sizes and flags as they are; a flag that cannot be told may be either.
    """
    sets = [v.name for v in rules.variables if v.sort is Sort.SITES]
    flags = [v.name for v in rules.variables if v.sort is Sort.FLAG]
    start = {n: min(MANY, int(rules.start[n]).bit_count()) for n in sets}
    seen: dict[tuple[str, Known], dict[str, int]] = {}
    entries: list[tuple[str, str, dict[str, int]]] = []
    front = [(rules.start_phase, tuple((n, bool(rules.start[n])) for n in flags), start)]
    while front:
        name, known, sizes = front.pop()
        joined = seen.get((name, known))
        if joined is not None and all(sizes[n] <= joined[n] for n in sets):
            continue
        sizes = sizes if joined is None else {n: max(sizes[n], joined[n]) for n in sets}
        seen[name, known] = sizes
        for turn in rules.phases[name].turns:
            told = dict(known)
            if _truth(turn.guard, told) is False:
                continue
            before = sizes | {c.name: c.count.high for c in turn.choices}
            after = {n: min(MANY, _at_most(turn.updates[n], before, told)) if n in turn.updates else sizes[n] for n in sets}
            options = [
                [(n, b) for b in (False, True) if _truth(turn.updates[n], told) in (b, None)]
                if n in turn.updates
                else [(n, told[n])]
                for n in flags
            ]
            for following in turn.next:
                for values in product(*options):
                    now = dict(values)
                    if _truth(following.flag, now) is False:
                        continue
                    seen_by = swapped if following.passes else str
                    there = {n: after[seen_by(n)] for n in sets}
                    entries.append((name, following.phase, there))
                    front.append((following.phase, tuple((n, now[seen_by(n)]) for n in flags), there))
    return seen, entries


def _truth(term: Term, known: dict[str, bool]) -> bool | None:
    """The value of a flag, where the known flags tell it."""
    if term.op in ("yes", "never"):
        return term.op == "yes"
    if term.op == "read":
        return known.get(term.data)
    if term.op == "no":
        inner = _truth(term.args[0], known)
        return None if inner is None else not inner
    if term.op in ("and_", "or_"):
        values = [_truth(a, known) for a in term.args]
        decided = term.op == "or_"
        return decided if decided in values else None if None in values else not decided
    return None


def _at_most(term: Term, most: dict[str, int], known: dict[str, bool]) -> int:
    """A bound on the size of a set."""
    if term.op == "read":
        return most.get(term.data, MANY)
    if term.op == "sites":
        return len(term.data)
    if term.op == "when":
        flag = _truth(term.args[0], known)
        sides = [a for a, b in zip(term.args[1:], (True, False), strict=True) if flag in (b, None)]
        return max(_at_most(a, most, known) for a in sides)
    if term.op == "either":
        return sum(_at_most(a, most, known) for a in term.args)
    if term.op == "both":
        return min(_at_most(a, most, known) for a in term.args)
    return _at_most(term.args[0], most, known) if term.op in ("without", "where") else MANY


# -- stored verdicts --------------------------------------------------------------------------------------------------------------


def plan_of(rules: Rules, folder: Path | None = None) -> Plan:
    """The plan of some rules: by stored verdicts where the same terms have been settled before, else by settling them now."""
    return facts(rules, folder)[0]


def facts(rules: Rules, folder: Path | None = None) -> tuple[Plan, tuple[Settled, ...]]:
    """The plan and the settled facts, stored under a digest of the terms, the board and the method."""
    if folder is None and switched_off():
        return settle(rules)
    cache, key = Cache(folder or cache_folder(), part="facts"), digest(rules)
    try:
        settled = tuple(Settled(Fact(**row["fact"]), row["verdict"], row["seconds"]) for row in cache.get(key))
    except (ValueError, KeyError, TypeError):
        settled = settle(rules)[1]
        cache.put(key, [asdict(s) for s in settled])
    return allowed(rules, settled), settled


def digest(rules: Rules) -> str:
    """A digest of what the rules mean, on their board."""
    text = [
        METHOD,
        rules.board.places,
        sorted((d, t) for d, t in rules.board.steps.items()),
        rules.variables,
        sorted(rules.start.items()),
    ]
    for name, phase in rules.phases.items():
        text.append((name, [t.meaning for t in phase.turns]))
    return hashlib.sha256(repr(text).encode()).hexdigest()[:32]
