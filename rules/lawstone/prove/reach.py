"""Reaching a goal: the fewest plies that it needs, by counting; a shortest game that shows it, ply by ply."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lawstone.core import swapped
from lawstone.engine.state import Picks, State, members, start_state
from lawstone.lower import Rules
from lawstone.prove.ask import Asking, ask
from lawstone.prove.bits import Number, Size
from lawstone.prove.circuit import TRUE
from lawstone.prove.encode import Model, Values, decode_picks, decode_state
from lawstone.prove.free import grows
from lawstone.prove.goals import Free, Goal, shown
from lawstone.prove.unroll import Way, after, counted

CONFLICTS = 100_000

# -- by counting ------------------------------------------------------------------------------------------------------------------


def fewest(free: Free, goal: Goal) -> tuple[int, str]:
    """A number of plies before which no game shows a goal, and how that is counted.

    A ply takes at most one piece from the hands, and puts at most one on the board, where the solver proves that; then a goal that
    needs so many pieces placed needs as many plies.
    """
    best = 1, ""
    start = start_state(free.rules)
    values = dict(zip((v.name for v in free.rules.variables), start.values, strict=True))
    hands = [n for n in values if ".hand " in n]
    if hands and _of_all_turns(free, _takes_at_most_one):
        whole = sum(int(values[n]) for n in hands)
        left = _most(free, goal, whole, lambda m, v, k: _in_hand(m, v).at_least(k))
        if left is not None and whole - left + 1 > best[0]:
            best = (
                whole - left + 1,
                f"each ply takes at most one of the {whole} pieces in hand, and at most {left} can be left before",
            )
    if _of_all_turns(free, _puts_at_most_one):
        model = Model(free.rules)
        stood = sum(int(values[n]).bit_count() for n in model.pieces(values))
        size = free.rules.board.size
        most = _most(free, goal, size - stood, lambda m, v, k: -_on_board(m, v).at_least(size - k + 1))
        if most is not None and size - most - stood + 1 > best[0]:
            placed = size - most
            best = (
                placed - stood + 1,
                f"each ply puts at most one piece on the board, and at least {placed} must stand before the last",
            )
    return best


def _turns(rules: Rules) -> Iterator[tuple[str, int]]:
    for name, phase in rules.phases.items():
        for number in range(len(phase.turns)):
            yield name, number


def _of_all_turns(free: Free, holds: Callable[[Free, str, int], bool]) -> bool:
    """Whether something is proved of every turn; asked once."""
    if holds not in free.kept:
        free.kept[holds] = all(holds(free, *key) for key in _turns(free.rules))
    return free.kept[holds]


def _most(free: Free, goal: Goal, high: int, at_least: Any) -> int | None:
    """The largest k up to `high` with which some position shows the goal; None where the solver does not say."""
    best = -1
    for place in goal.places:
        model, values, _, known = free.turn(place.phase, place.turn)
        low, top, next_ = best, high, best + 1
        while low < top:
            literal = at_least(model, values, next_)
            verdict = ask(model.circuit, [*known, free.literal(place), literal], free.conflicts).verdict
            if verdict == "unknown":
                return None
            low, top = (next_, top) if verdict == "yes" else (low, next_ - 1)
            next_ = (low + top + 1) // 2
        best = low
    return best if best >= 0 else None


def _in_hand(model: Model, values: Values) -> Number:
    total: Number = model.bits.plus(*(values[n] for n in sorted(values) if ".hand " in n))
    return total


def _on_board(model: Model, values: Values) -> Size:
    return Size(model.circuit, model.bits.either(*(values[n] for n in model.pieces(values))))


def _takes_at_most_one(free: Free, phase: str, number: int) -> bool:
    """No move of a turn takes more than one piece from the hands."""
    model, values, taken, known = free.turn(phase, number)
    one = model.bits.number(1)
    keeps = model.bits.at_most(_in_hand(model, values), model.bits.plus(_in_hand(model, taken.after), one))
    return ask(model.circuit, [*known, taken.legal, -keeps], free.conflicts).verdict == "no"


def _puts_at_most_one(free: Free, phase: str, number: int) -> bool:
    """No move of a turn occupies more than one site that was empty, unless it leaves another."""
    model, values, taken, known = free.turn(phase, number)
    c = model.circuit
    before, after = (model.bits.either(*(v[n] for n in model.pieces(values))) for v in (values, taken.after))
    fresh = Size(c, model.bits.without(after, before))
    left = model.bits.some(model.bits.without(before, after))
    wrong = c.any((fresh.at_least(3), c.both(fresh.at_least(2), -left)))
    return ask(c, [*known, taken.legal, wrong], free.conflicts).verdict == "no"


def drawn_after(free: Free, goal: Goal, plies: int, begun: Mapping[str, State]) -> Iterator[tuple[State, Picks]]:
    """Positions in which a move shows a goal and which may stand after so many plies, if each puts one piece of the player who
    acts on the board: one for each place of the goal, as a solver draws it.

    `begun` gives positions by phase whose pieces must stand in those of that phase, so that the way into the phase is open.
    """
    for place in goal.places:
        model, values, taken, known = free.turn(place.phase, place.turn)
        pieces = model.pieces(values)
        counts = []
        for side, n in (("mine.", plies // 2), ("theirs.", (plies + 1) // 2)):
            size = Size(model.circuit, model.bits.either(*(values[p] for p in pieces if p.startswith(side))))
            counts += [size.at_least(n), -size.at_least(n + 1)]
        fixed = free.rules.seat_of_phase[place.phase]
        for seat in (0, 1) if fixed is None else (fixed,):
            stands = list(_standing(model, values, begun.get(place.phase), seat))
            answer = ask(model.circuit, [*known, free.literal(place), taken.legal, *counts, *stands], free.conflicts)
            if answer.verdict == "yes":
                state = decode_state(free.rules, values, answer.holds, place.phase, seat)
                yield state, decode_picks(place.turn, taken, answer.holds)


def _standing(model: Model, values: Values, begun: State | None, seat: int) -> Iterator[int]:
    """That the pieces of a position stand in another, as the player in a seat sees it."""
    if begun is None:
        return
    stood = dict(zip((v.name for v in model.rules.variables), begun.values, strict=True))
    for name in model.pieces(values):
        mask = int(stood[name if begun.seat == seat else swapped(name)])
        yield from (values[name][s] for s in members(mask))


# -- ply by ply -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reached:
    """A game of so many plies that shows a goal, the first so short (`yes`); or none up to `plies` (`no`)."""

    verdict: Literal["yes", "no"]
    plies: int
    picks: tuple[tuple[str, Picks], ...] = ()


def reach(rules: Rules, goal: Goal, most: int, seconds: float, from_ply: int = 1) -> Reached:
    """A shortest game that shows a goal, of at most `most` plies; games shorter than `from_ply` are taken as refuted elsewhere."""
    began = time.process_time()
    model = Model(rules)
    asking = Asking(model.circuit)
    start = start_state(rules)
    values: dict[str, Any] = model.constant(start)
    phases: dict[str, int] = {start.phase: TRUE}
    played: list[list[Way]] = []
    by_turn: dict[tuple[str, int], list[Any]] = {}
    for place in goal.places:
        by_turn.setdefault((place.phase, place.turn), []).append(place)
    refuted, growing = from_ply - 1, grows(rules)
    try:
        for ply in range(1, most + 1):
            ways = list(_ways(model, phases, values, ply))
            one = model.circuit.exactly_one([w.chosen for w in ways])
            if ply >= from_ply:
                hits = [
                    model.circuit.both(w.chosen, shown(model, values, w.taken, place))
                    for w in ways
                    for place in by_turn.get((w.phase, w.number), ())
                ]
                answer = asking.ask([model.circuit.any(hits), one, *model.must], CONFLICTS)
                if answer.verdict == "yes":
                    line = [next(w for w in listed if answer.holds(w.chosen)) for listed in (*played, ways)]
                    picks = tuple((w.phase, decode_picks(w.number, w.taken, answer.holds)) for w in line)
                    return Reached("yes", ply, picks)
                if answer.verdict == "unknown":
                    break
                refuted = ply
            if time.process_time() - began > seconds:
                break
            asking.must([*model.must, one])
            goes_on = [model.circuit.both(w.taken.legal, model.circuit.any(w.taken.following)) for w in ways]
            asking.must(model.circuit.implies(w.chosen, on) for w, on in zip(ways, goes_on, strict=True))
            played.append(ways)
            phases, values = after(model, ways)
            if not phases:
                refuted = most
                break
            if growing:
                asking.must(counted(model, values, ply))
    finally:
        asking.close()
    return Reached("no", refuted)


def _ways(model: Model, phases: dict[str, int], values: dict[str, Any], ply: int) -> Iterator[Way]:
    for name, here in phases.items():
        turns = model.rules.phases[name].turns
        for number, turn in enumerate(turns):
            tag = f"{ply}.{name}.{number}"
            alone = len(phases) == 1 and len(turns) == 1
            chosen = here if alone else model.circuit.both(here, model.circuit.input(f"{tag}?"))
            taken = model.take(turn, values, tag)
            yield Way(name, number, chosen, taken, taken)
