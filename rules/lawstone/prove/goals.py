"""What a game file says that some game should show: each line of it in force once, and no two endings at once that disagree.

A goal is a flag over the board at one point of a turn: before a pick, or after the whole move. So the interpreter can see it in a
game, and the solver can be asked whether any position shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

from lawstone.core import (
    TRUE,
    Clause,
    Ending,
    Phase,
    Scope,
    Sort,
    Term,
    Turn,
    and_,
    at_least,
    at_most,
    can,
    fold,
    no,
    number,
    some,
    swapped,
)
from lawstone.engine.reference import Ints
from lawstone.engine.state import After, Picks, State
from lawstone.lower import Rules
from lawstone.prove.ask import Answer, ask
from lawstone.prove.circuit import FALSE
from lawstone.prove.encode import Model, Taken, Values
from lawstone.prove.lemmas import Lemmas

Kind = Literal["conflict", "ending", "phase", "follows", "option", "step", "fallback", "hand"]
CONFLICTS = 40_000
"""Conflicts of the solver for one goal in one kind of turn."""


@dataclass(frozen=True)
class Place:
    """Where a goal can show: a phase, a turn of it by number, after how many picks (None: after the move), and what must hold."""

    phase: str
    turn: int
    picks: int | None
    flag: Term


@dataclass(frozen=True)
class Goal:
    """Something that a game may show. `rule` is whose it is, `part` tells entries of one rule apart, `against` is the other
    ending of a conflict, and `same` says that the two endings of a conflict give the same result."""

    kind: Kind
    rule: str
    part: str = ""
    against: str = ""
    same: bool = False
    places: tuple[Place, ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        """What names it in a game: kind, rule, and the entry or the other ending."""
        return "/".join(x for x in (self.kind, self.rule, self.part, self.against) if x)


def goals(rules: Rules) -> list[Goal]:
    """Every goal of a game, each once with all its places, in the order of the phases."""
    found: dict[Goal, list[Place]] = {}
    for goal, place in _goals(rules):
        found.setdefault(goal, [])
        if place is not None:
            found[goal].append(place)
    return [replace(g, places=tuple(places)) for g, places in found.items()]


def _goals(rules: Rules) -> Iterator[tuple[Goal, Place | None]]:
    for name in rules.phases:
        if name != rules.start_phase:
            yield Goal("phase", name), None
    for clause in rules.game.end:
        yield Goal("ending", clause.rule), None
    for name in _idle_hands(rules):
        yield Goal("hand", name), None
    for name, phase in rules.phases.items():
        for number_, turn in enumerate(phase.turns):
            yield from _of_turn(name, number_, turn, len(phase.turns) > 1)
            yield from _used_up(rules, name, number_, turn)


def _of_turn(name: str, number_: int, turn: Turn, several: bool) -> Iterator[tuple[Goal, Place]]:
    if turn.label and several:
        first = can(Phase(name, (turn,)))
        yield Goal("option", turn.rule, " ".join(turn.label)), Place(name, number_, 0, first)
    for i, choice in enumerate(turn.choices):
        taken = at_least(choice.count, number(1))
        if taken is not TRUE:
            yield Goal("step", choice.rule), Place(name, number_, i, and_(taken, some(choice.among)))
        for goal, flag in _fallbacks(choice.why, choice.rule):
            yield goal, Place(name, number_, i, and_(taken, flag))
    for effect in turn.effects:
        rule = _rule_of(turn, effect.sites)
        yield Goal("step", rule, effect.role), Place(name, number_, len(turn.choices), some(effect.sites))
    yield from _of_endings(name, number_, turn.endings)
    open_ = no_ending(turn)
    left: list[Term] = [open_]
    for n in turn.next:
        here = Place(name, number_, None, and_(*left, n.flag))
        if n.phase != name or n.rule:
            yield Goal("phase", n.phase), here
        if n.rule:
            yield Goal("follows", n.rule), here
        left.append(no(n.flag))


def _idle_hands(rules: Rules) -> Iterator[str]:
    """The pieces that are counted in hands, as the file names them."""
    for v in rules.variables:
        if v.name.startswith("mine.hand ") and any(rules.start[n] for n in (v.name, swapped(v.name))):
            yield v.name.removeprefix("mine.hand ")


def _used_up(rules: Rules, name: str, number_: int, turn: Turn) -> Iterator[tuple[Goal, Place]]:
    """Where a turn takes a piece from a hand."""
    kept = {v.name: v for v in rules.variables}
    for piece in _idle_hands(rules):
        for side in ("mine", "theirs"):
            hand = f"{side}.hand {piece}"
            if hand in turn.updates and turn.updates[hand].sort is Sort.NUMBER:
                fewer = no(at_most(kept[hand].read(), turn.updates[hand]))
                yield Goal("hand", piece), Place(name, number_, len(turn.choices), fewer)


def no_ending(turn: Turn) -> Term:
    """No ending holds after the turn."""
    return and_(*(no(e.flag) for e in turn.endings))


def _rule_of(turn: Turn, sites: Term) -> str:
    """The rule of pieces that are taken without being picked: the turn's, which is the last that is known."""
    return next((c.rule for c in turn.choices if c.before and sites.names & c.before.keys()), turn.rule)


def _of_endings(name: str, number_: int, endings: tuple[Ending, ...]) -> Iterator[tuple[Goal, Place]]:
    for i, ending in enumerate(endings):
        before = [no(e.flag) for e in endings[:i]]
        yield Goal("ending", ending.rule), Place(name, number_, None, and_(*before, ending.flag))
    several = {e.rule for e in endings if sum(x.rule == e.rule for x in endings) > 1}
    for (i, a), (_, b) in combinations(enumerate(endings), 2):
        if a.rule == b.rule:
            continue
        before = [no(e.flag) for e in endings[:i]]
        flag = and_(*before, a.flag, b.flag)
        part = f"{a.result}-{b.result}" if {a.rule, b.rule} & several else ""
        yield Goal("conflict", a.rule, part, b.rule, a.result == b.result), Place(name, number_, None, flag)


def _fallbacks(clause: Clause, rule: str) -> Iterator[tuple[Goal, Term]]:
    """Each entry of each fallback below a clause, with the flag that says that it is the one in force."""
    if clause.mode == "first" and clause.term.sort is Sort.SITES:
        earlier: list[Term] = []
        for n, entry in enumerate(clause.parts, 1):
            own = entry.rule if entry.rule != clause.rule else clause.rule
            part = "" if own != clause.rule else f"line {n}"
            yield Goal("fallback", own, part), and_(*earlier, some(entry.term))
            earlier.append(no(some(entry.term)))
    for entry in clause.parts:
        yield from _fallbacks(entry, rule)


# -- seen in play -----------------------------------------------------------------------------------------------------------------


class Eye:
    """Tells, by plain folding, which goals a move shows: the meaning, without any solver."""

    def __init__(self, rules: Rules, wanted: list[Goal]) -> None:
        self.rules, self.ints = rules, Ints(rules.board)
        self.names = [v.name for v in rules.variables]
        self.by_turn: dict[tuple[str, int], list[tuple[Goal, Place]]] = {}
        for goal in wanted:
            for place in goal.places:
                self.by_turn.setdefault((place.phase, place.turn), []).append((goal, place))

    def shows(self, before: State, move: Picks, after: After, wanted: Mapping[Goal, object] | set[Goal]) -> Iterator[Goal]:
        """Those of the wanted goals that a move shows."""
        listed = [(g, p) for g, p in self.by_turn.get((before.phase, move.turn), ()) if g in wanted and _may_show(g, after)]
        if not listed:
            return
        turn = self.rules.phases[before.phase].turns[move.turn]
        chosen = {c.name: s for c, s in zip(turn.choices, move.sites, strict=False)}
        here: Scope[int | bool] = Scope({**dict(zip(self.names, before.values, strict=True)), **chosen})
        whole = len(move.sites) == len(turn.choices)
        there: Scope[int | bool] | None = None
        for goal, place in listed:
            if place.picks is not None:
                if place.picks <= len(move.sites) and fold(place.flag, self.ints, here):
                    yield goal
            elif whole:
                if there is None:
                    there = Scope({**dict(self._mover_sees(before, after)), **chosen})
                if fold(place.flag, self.ints, there):
                    yield goal

    def holding(self, before: State, move: Picks, after: After) -> list[Ending]:
        """The endings that hold after a whole move, in their order: the first of them counts."""
        turn = self.rules.phases[before.phase].turns[move.turn]
        chosen = {c.name: s for c, s in zip(turn.choices, move.sites, strict=True)}
        there: Scope[int | bool] = Scope({**dict(self._mover_sees(before, after)), **chosen})
        return [e for e in turn.endings if fold(e.flag, self.ints, there)]

    def _mover_sees(self, before: State, after: After) -> Iterator[tuple[str, int | bool]]:
        values = dict(zip(self.names, after.state.values, strict=True))
        if after.outcome is None and after.state.seat != before.seat:
            values = {n: values[swapped(n)] for n in self.names}
        yield from values.items()


def _may_show(goal: Goal, after: After) -> bool:
    """Whether a look at the outcome and the phase leaves a goal possible."""
    if goal.kind in ("ending", "conflict"):
        return after.outcome is not None and after.outcome.rule == goal.rule
    if goal.kind in ("phase", "follows"):
        return after.outcome is None and (goal.kind == "follows" or after.state.phase == goal.rule)
    return True


# -- asked of every position ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sought:
    """What the solver says of a goal: `never` on any position under the hypotheses (proved), `perhaps` with a position that need
    not be reachable, or `unknown`. `idle` names the turns that cannot be taken in any such position: there a proof says nothing."""

    verdict: Literal["never", "perhaps", "unknown"]
    place: Place | None = None
    answer: Answer | None = None
    taken: Taken | None = None
    values: Values | None = None
    idle: tuple[str, ...] = ()


class Free:
    """The turns of a game on any position that fulfils the proved facts, each encoded once for all goals."""

    def __init__(self, rules: Rules, lemmas: Lemmas, conflicts: int = CONFLICTS) -> None:
        self.rules, self.lemmas, self.conflicts = rules, lemmas, conflicts
        self._made: dict[tuple[str, int], tuple[Model, Values, Taken, list[int]]] = {}
        self._alive: dict[tuple[str, int], bool] = {}
        self.kept: dict[object, bool] = {}

    def turn(self, phase: str, number_: int) -> tuple[Model, Values, Taken, list[int]]:
        """The circuit of a turn: the position, the move, and the hypotheses."""
        key = (phase, number_)
        if key not in self._made:
            model = Model(self.rules)
            values = model.free(phase)
            taken = model.take(self.rules.phases[phase].turns[number_], values, phase)
            known = [*model.must, model.assumed(values), self.lemmas.literal(model, phase, values)]
            self._made[key] = model, values, taken, known
        return self._made[key]

    def literal(self, place: Place) -> int:
        """That the goal shows at a place, the picks before it legal."""
        model, values, taken, _ = self.turn(place.phase, place.turn)
        return shown(model, values, taken, place)

    def alive(self, phase: str, number_: int) -> bool:
        """Whether some position under the hypotheses lets the turn be taken: without it a proof would be empty."""
        key = (phase, number_)
        if key not in self._alive:
            model, _, taken, known = self.turn(phase, number_)
            self._alive[key] = ask(model.circuit, [*known, taken.legal], self.conflicts).verdict == "yes"
        return self._alive[key]

    def seek(self, goal: Goal, places: tuple[Place, ...] | None = None) -> Sought:
        """Whether some position under the hypotheses shows a goal."""
        open_: Sought | None = None
        idle = dict[str, None]()
        for place in goal.places if places is None else places:
            literal = self.literal(place)
            if literal != FALSE:
                model, values, taken, known = self.turn(place.phase, place.turn)
                answer = ask(model.circuit, [*known, literal], self.conflicts)
                if answer.verdict == "yes":
                    return Sought("perhaps", place, answer, taken, values)
                if answer.verdict == "unknown":
                    open_ = Sought("unknown", place)
            if not self.alive(place.phase, place.turn):
                idle[" ".join((place.phase, *self.rules.phases[place.phase].turns[place.turn].label))] = None
        return open_ or Sought("never", idle=tuple(idle))


def shown(model: Model, values: Values, taken: Taken, place: Place) -> int:
    """The literal that says that a goal shows at a place of a turn that is encoded."""
    picked = {c.name: p for c, p in zip(taken.turn.choices, taken.picks, strict=True)}
    if place.picks is None:
        return model.circuit.both(taken.legal, int(fold(place.flag, model.bits, Scope({**taken.after, **picked}))))
    so_far = {c.name: picked[c.name] for c in taken.turn.choices[: place.picks]}
    return model.circuit.both(taken.prefixes[place.picks], int(fold(place.flag, model.bits, Scope({**values, **so_far}))))
