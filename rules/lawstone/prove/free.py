"""Two readings compared on every well-formed position at once: the strongest and cheapest theorem there is.

One circuit holds one position of inputs, seen under both readings, and one move. If no assignment makes the readings treat any
move differently, they never part, however the position came about. A difference found here is only a candidate: a well-formed
position need not be reachable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lawstone.core import Turn, either, number, read
from lawstone.engine.symmetry import symmetries
from lawstone.lower import Rules
from lawstone.prove.ask import CONFLICTS, Answer, Asking, ask
from lawstone.prove.encode import Model, Taken, Values


@dataclass(frozen=True)
class Twins:
    """One kind of turn of one phase under two readings: any position, and one move, in one circuit."""

    phase: str
    number: int
    turn: Turn
    model: Model
    values: Values
    taken: Taken
    twin: Taken


def twins(a: Rules, b: Rules) -> Iterator[Twins]:
    """Every kind of turn of two readings that can be compared, each in a circuit of its own."""
    for name, phase in a.phases.items():
        partners = {(t.label, t.roles): t for t in b.phases[name].turns}
        for place, turn in enumerate(phase.turns):
            model, other = Model(a), Model(b)
            other.circuit, other.must = model.circuit, model.must
            values = model.free(name)
            taken = model.take(turn, values, name)
            twin = other.take(partners[turn.label, turn.roles], values, name, taken.picks)
            yield Twins(name, place, turn, model, values, taken, twin)


@dataclass(frozen=True)
class Place:
    """One phase and one kind of turn in which the readings were compared."""

    phase: str
    label: tuple[str, ...]
    answer: Answer
    taken: Taken
    values: Values


@dataclass(frozen=True)
class Free:
    """What the comparison found: `same` on all positions under the hypotheses, or the places that are open or unknown.

    In the turns that are `vacuous` no move is known that fulfils the hypotheses. Where that is so in every turn, nothing is shown
    of the readings, unless a further hypothesis was made to find out just that.
    """

    applies: bool
    same: bool
    places: tuple[Place, ...] = ()
    vacuous: tuple[str, ...] = ()
    why_not: str = ""


Extra = Callable[[Model, Values], int]
"""A further hypothesis about a position."""


def compare(
    a: Rules, b: Rules, lemmas: Any = None, reasons: bool = False, conflicts: int = CONFLICTS, extra: Extra | None = None,
    legality_only: bool = False, split: bool = True,
) -> Free:  # fmt: skip
    """Compare two readings on every well-formed position of every phase, under proved lemmas if they are given.

    `reasons` also tells endings apart that give the same result by another rule. Where a query is too hard, `split` makes it one
    for each site of the first pick: the places where a clause about the piece just placed can fire. Readings whose phases,
    variables or kinds of turn differ cannot be compared in this way.
    """
    fault = comparable(a, b)
    if fault:
        return Free(False, False, why_not=fault)
    places: list[Place] = []
    vacuous: list[str] = []
    firsts, alive = _representatives(a, b), False
    for t in twins(a, b):
        model, values, taken = t.model, t.values, t.taken
        hypotheses = [*model.must, model.assumed(values)]
        if lemmas is not None:
            hypotheses.append(lemmas.literal(model, t.phase, values))
        if extra is not None:
            hypotheses.append(extra(model, values))
        parts = list(legality(model, taken, t.twin))
        parts += [] if legality_only else list(results(model, taken, t.twin, reasons))
        asserted = [*hypotheses, model.circuit.any(parts)]
        answer = _ask(model, taken, asserted, conflicts, firsts) if split else ask(model.circuit, asserted, conflicts)
        if ask(model.circuit, [*hypotheses, taken.legal], conflicts).verdict == "yes":
            alive = True
        else:
            vacuous.append(f"{t.phase} {' '.join(t.turn.label)}".strip())
        if answer.verdict != "no":
            places.append(Place(t.phase, t.turn.label, answer, taken, values))
    return Free(True, not places and (alive or extra is not None), tuple(places), tuple(vacuous))


def _ask(model: Model, taken: Taken, asserted: list[int], conflicts: int, firsts: list[int]) -> Answer:
    """One query; where it is too hard, one query for each site of the first pick, one site of each symmetry class."""
    answer = ask(model.circuit, asserted, conflicts // 4)
    if answer.verdict != "unknown" or not taken.picks:
        return answer if answer.verdict != "unknown" else ask(model.circuit, asserted, conflicts)
    asking = Asking(model.circuit)
    try:
        asking.must(asserted)
        for wish in (*(taken.picks[0][site] for site in firsts), -model.circuit.any(taken.picks[0])):
            answer = asking.ask([wish], conflicts // 4)
            if answer.verdict != "no":
                break
        return answer
    finally:
        asking.close()


def _representatives(a: Rules, b: Rules) -> list[int]:
    """The least site of each class that the symmetries of both readings make."""
    names = {s.name for s in symmetries(b)}
    common = [s for s in symmetries(a) if s.name in names]
    return [s for s in range(a.board.size) if all(c.board.sites[s] >= s for c in common)]


def comparable(a: Rules, b: Rules) -> str:
    """Why two readings cannot be compared turn by turn; the empty string when they can."""
    if [v.name for v in a.variables] != [v.name for v in b.variables]:
        return "the readings need different variables"
    if list(a.phases) != list(b.phases):
        return "the readings have different phases"
    if (dict(a.start), a.start_phase, a.start_seat) != (dict(b.start), b.start_phase, b.start_seat):
        return "the readings start differently"
    for name in a.phases:
        kinds = [sorted((t.label, t.roles) for t in r.phases[name].turns) for r in (a, b)]
        if kinds[0] != kinds[1] or len(set(kinds[0])) < len(kinds[0]):
            return f"the turns of the phase '{name}' are made of different picks"
    return ""


def legality(model: Model, a: Taken, b: Taken) -> Iterator[int]:
    """Literals that each say that the move, or a beginning of it after which play stops, is legal under one reading only."""
    c = model.circuit
    yield c.xor(a.legal, b.legal)
    for i, (choice_a, choice_b) in enumerate(zip(a.turn.choices, b.turn.choices, strict=True)):
        ends_a = -1 if choice_a.required or (i == 0 and not a.turn.label) else c.both(a.prefixes[i], a.stuck[i])
        ends_b = -1 if choice_b.required or (i == 0 and not b.turn.label) else c.both(b.prefixes[i], b.stuck[i])
        yield c.xor(ends_a, ends_b)


def results(model: Model, a: Taken, b: Taken, reasons: bool) -> Iterator[int]:
    """Literals that each say that the move is legal under both readings and leads to something else."""
    c = model.circuit
    legal = c.both(a.legal, b.legal)
    yield c.both(legal, -model.same(a.after, b.after, list(a.after)))
    yield from (c.both(legal, x) for x in endings(model, a, b, reasons))


def endings(model: Model, a: Taken, b: Taken, reasons: bool = True) -> Iterator[int]:
    """Literals that each say that the game ends, or goes on, otherwise under the two readings."""
    c = model.circuit
    for key in sorted({*_results(a.turn, reasons), *_results(b.turn, reasons)}):
        yield c.xor(_ends(model, a, key, reasons), _ends(model, b, key, reasons))
    for way in sorted({(n.phase, n.passes) for t in (a.turn, b.turn) for n in t.next}):
        yield c.xor(_goes(model, a, way), _goes(model, b, way))


def _results(turn: Turn, reasons: bool) -> set[tuple[str, str]]:
    return {(e.result, e.rule if reasons else "") for e in turn.endings}


def _ends(model: Model, taken: Taken, key: tuple[str, str], reasons: bool) -> int:
    pairs = zip(taken.turn.endings, taken.endings, strict=True)
    return model.circuit.any(x for e, x in pairs if (e.result, e.rule if reasons else "") == key)


def _goes(model: Model, taken: Taken, way: tuple[str, bool]) -> int:
    pairs = zip(taken.turn.next, taken.following, strict=True)
    return model.circuit.any(x for n, x in pairs if (n.phase, n.passes) == way)


def adds_own(rules: Rules) -> bool:
    """Whether every turn puts exactly one piece of the player who acts on the board, takes none off, and passes: so that after n
    plies the player to act has placed n // 2 pieces and the other one (n + 1) // 2. Pieces of which there is one may move."""
    return all(_adds_own(rules, t) for p in rules.phases.values() for t in p.turns)


def _adds_own(rules: Rules, turn: Turn) -> bool:
    singly = [c.name for c in turn.choices if c.count is number(1) and c.freedom == "exactly"]
    pieces = {v for p in rules.game.pieces for v in rules.words.variables(p, None)} - rules.words.singles
    changed = [n for n in turn.updates if n.split(".")[-1] in pieces]
    gains = [n for n in changed if n.startswith("mine.") and any(turn.updates[n] is either(read(n), read(c)) for c in singly)]
    return len(changed) == len(gains) == 1 and all(n.passes for n in turn.next)


def grows(rules: Rules, conflicts: int = CONFLICTS) -> bool:
    """Whether besides (`adds_own`) the board begins without pieces of the players and no piece is placed on another one, so that
    the numbers of `adds_own` are those on the board."""
    model = Model(rules)
    owned = [n for n in rules.start if n.startswith(("mine.", "theirs."))]
    if not adds_own(rules) or any(rules.start[n] for n in model.pieces(dict.fromkeys(owned))):
        return False
    for name, phase in rules.phases.items():
        for i, turn in enumerate(phase.turns):
            values = model.free(name)
            taken = model.take(turn, values, f"{name}.{i}")
            grown = next(n for n in model.pieces(values) if n.startswith("mine.") and n in turn.updates)
            placed = next(k for k, c in enumerate(turn.choices) if turn.updates[grown] is either(read(grown), read(c.name)))
            onto = model.circuit.any(map(model.circuit.both, taken.picks[placed], values[grown]))
            if ask(model.circuit, [*model.must, model.assumed(values), taken.legal, onto], conflicts).verdict != "no":
                return False
    return True


def fewest_plies(a: Rules, b: Rules, lemmas: Any, most: int, conflicts: int = CONFLICTS, reasons: bool = False) -> int:
    """A number of plies before which no game of pieces that are only added (`adds_own`) tells the readings apart; at most `most`.

    After n plies both players have placed as many pieces as that, so a position with fewer is asked for, on all well-formed
    positions at once. The most that could be is asked first, because a witness of that length is known; else the number is
    found by halving, each half one query a turn, up to the first one that is too hard.
    """
    low, high = 0, most
    while low < high:
        first = (low, high) == (0, most)
        middle = most if first else (low + high + 1) // 2
        bound = lambda m, v, n=middle - 1: _after_at_most(m, v, n)  # noqa: E731
        found = compare(a, b, lemmas, reasons, conflicts, bound, split=first)
        if not first and any(p.answer.verdict == "unknown" for p in found.places):
            break
        low, high = (middle, high) if found.same else (low, middle - 1)
    return low


def _after_at_most(model: Model, values: Values, n: int) -> int:
    """The position may arise after n plies or fewer, by the number of pieces of each player."""
    mine, theirs = (model.standing(values, side) for side in ("mine", "theirs"))
    return model.circuit.both(-mine.at_least(n // 2 + 1), -theirs.at_least((n + 1) // 2 + 1))
