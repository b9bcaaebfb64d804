"""Two readings that never part, although one remembers more than the other or asks for picks that are never made.

The plain comparison (`free`) wants the same variables and the same picks. Here a variable that only one reading has may hold
anything, and a pick that only one reading has must always be empty: then a move of the one is a move of the other, written alike.
Both are compared on every position that fulfils the deeper facts of the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lawstone.core import Turn
from lawstone.lower import Rules
from lawstone.prove import free
from lawstone.prove.ask import CONFLICTS, ask
from lawstone.prove.deeper import asks_more, deeper
from lawstone.prove.encode import Model, Taken
from lawstone.prove.lemmas import Lemmas

Pairs = dict[str, list[tuple[Turn, Turn]]]
"""The turns of two readings that stand for each other, by phase."""
HOW = "on all positions that moves reach, by deeper facts proved by induction"


def alike(a: Rules, b: Rules, conflicts: int = CONFLICTS, facts: Callable[[Rules | None], Lemmas] | None = None) -> str:
    """How two readings are proved to play alike; empty where they are not.

    `facts` gives the deeper facts of the first reading, guessed with other rules beside; unsaid, they are proved now.
    """
    known = facts or (lambda beside: deeper(a, beside))
    pairs = paired(a, b)
    if pairs is None:
        return ""
    if _never_part(a, b, pairs, known(None), conflicts):
        return HOW
    return HOW if asks_more(a, b) and _never_part(a, b, pairs, known(b), conflicts) else ""


def _never_part(a: Rules, b: Rules, pairs: Pairs, facts: Lemmas, conflicts: int) -> bool:
    """Whether two readings treat every move alike in every position that fulfils some facts."""
    for name, listed in pairs.items():
        for turn, partner in listed:
            model, other = Model(a), Model(b)
            other.circuit, other.must = model.circuit, model.must
            values, theirs = model.free(name), other.free(f"{name}'")
            theirs = {n: values.get(n, theirs[n]) for n in theirs}
            hypotheses = [*model.must, model.assumed(values), facts.literal(model, name, values)]
            shared = [n for n in values if n in theirs]
            if len(turn.choices) >= len(partner.choices):
                mine = model.take(turn, values, name)
                extra = _beside(turn, partner)
                assert extra is not None
                twin = other.take(partner, theirs, name, [p for i, p in enumerate(mine.picks) if i not in extra])
                parts = list(_parts(model, mine, twin, extra, shared))
            else:
                twin = other.take(partner, theirs, name)
                extra = _beside(partner, turn)
                assert extra is not None
                mine = model.take(turn, values, name, [p for i, p in enumerate(twin.picks) if i not in extra])
                parts = list(_parts(model, twin, mine, extra, shared))
            if ask(model.circuit, [*hypotheses, model.circuit.any(parts)], conflicts).verdict != "no":
                return False
            if ask(model.circuit, [*hypotheses, mine.legal], conflicts).verdict != "yes":
                return False
    return True


def paired(a: Rules, b: Rules) -> Pairs | None:
    """The turns of two readings that stand for each other, by phase; None where some have no partner."""
    shared = {v.name for v in a.variables} & {v.name for v in b.variables}
    starts = [({n: r.start[n] for n in shared}, r.start_phase, r.start_seat) for r in (a, b)]
    if set(a.phases) != set(b.phases) or starts[0] != starts[1] or a.seat_of_phase != b.seat_of_phase:
        return None
    found: Pairs = {}
    for name, phase in a.phases.items():
        turns = b.phases[name].turns
        labels = [t.label for t in phase.turns]
        if len(set(labels)) < len(labels) or sorted(labels) != sorted(t.label for t in turns):
            return None
        found[name] = [(t, next(x for x in turns if x.label == t.label)) for t in phase.turns]
        if any(_beside(*sorted(two, key=lambda t: -len(t.choices))) is None for two in found[name]):
            return None
    return found


def _beside(longer: Turn, shorter: Turn) -> set[int] | None:
    """Which choices of a turn the shorter one does not have; None where the others are not those of the shorter one, in order."""
    extra, left = set[int](), list(shorter.choices)
    for i, choice in enumerate(longer.choices):
        if left and (choice.role, choice.rule) == (left[0].role, left[0].rule):
            left.pop(0)
        else:
            extra.add(i)
    return None if left else extra


def _parts(model: Model, long: Taken, short: Taken, extra: set[int], shared: list[str]) -> Iterator[int]:
    """Literals of which one holds wherever two turns part. `long` has the choices in `extra` beside those of `short`."""
    c = model.circuit
    made = c.any(x for i in extra for x in long.picks[i])
    yield c.both(long.legal, made)
    yield c.both(-made, c.xor(long.legal, short.legal))
    at, before = 0, set[int]()
    for i in range(len(long.turn.choices)):
        made_before = c.any(x for k in before for x in long.picks[k])
        here = _stops(model, long, i)
        yield c.both(made_before, here)
        if i in extra:
            yield here
            before.add(i)
        else:
            yield c.both(-made_before, c.xor(here, _stops(model, short, at)))
            at += 1
    legal = c.all((long.legal, short.legal, -made))
    yield c.both(legal, -model.same(long.after, short.after, shared))
    yield from (c.both(legal, x) for x in free.endings(model, long, short))


def _stops(model: Model, taken: Taken, i: int) -> int:
    """Play stops at a choice that cannot be made, though what was picked before it was legal."""
    choice = taken.turn.choices[i]
    if choice.required or (i == 0 and not taken.turn.label):
        return -1
    return model.circuit.both(taken.prefixes[i], taken.stuck[i])
