"""Facts for the questions that the plain facts (`lemmas`) leave open: how numbers stand where a flag says so, what a flag says of
the pieces that a clause leaves out, and which ways out of a phase were not taken.

They are guessed from the form of a game and kept only if they are proved, as the plain ones are and with their help. There are many
guesses and their proofs take seconds, so they are made only where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from lawstone.core import Scope, Sort, Term, fold, subterms, swapped
from lawstone.lower import Rules
from lawstone.prove.bits import Size
from lawstone.prove.encode import Model, Values
from lawstone.prove.lemmas import CONFLICTS, Lemma, Lemmas, differ_by, kept_or_proved, not_held, prove
from lawstone.prove.meaning import meaning
from lawstone.work.cache import kept

_proved: dict[tuple[int, int], tuple[Rules, Rules | None, Lemmas]] = {}


def deeper(rules: Rules, beside: Rules | None = None) -> Lemmas:
    """The plain facts and the deeper ones that hold in every reachable position; from an earlier run where there was one.

    With another reading `beside`, also what its ways out of phases ask for, by each flag that is remembered here.
    """

    def everything() -> list[Lemma]:
        plain = kept_or_proved(rules).proved
        return [*plain, *guesses(rules, plain, beside)]

    def unpack(entry: Any) -> Lemmas:
        proved = {(phase, says) for phase, says in entry["proved"]}
        found = tuple(x for x in everything() if (x.phase, x.says) in proved)
        if len(found) != len(proved):
            raise ValueError("it speaks of facts that are no candidates")
        return Lemmas(rules, found, int(entry["tried"]), int(entry["rounds"]))

    def pack(found: Lemmas) -> Any:
        return {"proved": [[x.phase, x.says] for x in found.proved], "tried": found.tried, "rounds": found.rounds}

    def depends() -> tuple[object, ...]:
        return meaning(rules), None if beside is None else meaning(beside), CONFLICTS

    key = id(rules), id(beside)
    if key not in _proved:
        made = kept("deeper facts", depends, lambda: prove(rules, CONFLICTS, everything()), pack, unpack)
        _proved[key] = rules, beside, made[0]
    return _proved[key][2]


def guesses(rules: Rules, plain: Sequence[Lemma], beside: Rules | None = None) -> Iterator[Lemma]:
    """Facts that might hold, for each phase, beside the plain ones; no two facts about a phase are said alike."""
    for phase in rules.phases:
        told: dict[str, int] = {}
        settled = {x.says for x in plain if x.phase == phase}
        for says, make, *given in (*_templates(rules, phase, settled), *_told_apart(rules, beside, settled)):
            told[says] = told.get(says, 0) + 1
            says = says if told[says] == 1 else f"{says} ({told[says]})"
            yield Lemma(phase, says, partial(_literal, make, tuple(given)))


def _literal(make: Any, given: tuple[Any, ...], model: Model, values: Values) -> int:
    return int(make(model, values, *given))


def _templates(rules: Rules, phase: str, plain: set[str]) -> Iterator[tuple[Any, ...]]:
    """Sentences with the function that makes their literal, and its arguments after the model and the values.

    A flag that the plain facts settle, and the other player's of two that are opposite, say nothing more.
    """
    numbers = [v.name for v in rules.variables if v.sort is Sort.NUMBER]
    always: list[tuple[str, tuple[str, bool] | None]] = [("", None)]
    known = list(_known(rules, plain))
    for where, when in known:
        for x in numbers:
            for y in numbers:
                if x < y:
                    for d in (-1, 0, 1):
                        yield f"{where}{x} is {y} {d:+d}", _where, when, partial(differ_by, a=x, b=y, d=d)
    for where, given in (*always, *known):
        for hand in numbers:
            piece = hand.replace("hand ", "")
            if ".hand " in hand and any(v.name == piece and v.sort is Sort.SITES for v in rules.variables):
                for k in sorted({int(rules.start[n]) for n in (hand, swapped(hand))}):
                    says = f"{where}at least {k} of {piece} are on the board or in hand"
                    yield says, _where, given, partial(_there, piece=piece, hand=hand, k=k)
        for left, number in _left_out(rules):
            for by, for_mover in (("the player to act", False), ("the player who moved", True)):
                says = f"{where}choice {number} of {by} leaves no piece out"
                yield says, _where, given, partial(_nothing_out, rest=left, for_mover=for_mover)
    for flag, rule in _ways_out(rules, rules):
        for by, for_mover in (("the player who moved", True), ("the player to act", False)):
            for holds in (True, False):
                says = f"a condition of {rule or phase} {'holds' if holds else 'does not hold'} for {by}"
                yield says, _where, None, partial(_held if holds else not_held, flag=flag, for_mover=for_mover)


def _told_apart(rules: Rules, beside: Rules | None, plain: set[str]) -> Iterator[tuple[Any, ...]]:
    """What another reading asks of the pieces on the board, by what is remembered under this one."""
    for flag, rule in () if beside is None else _ways_out(beside, rules):
        for where, given in _known(rules, plain):
            for by, for_mover in (("the player who moved", True), ("the player to act", False)):
                for holds in (True, False):
                    says = f"{where}what the other reading asks in {rule} {'holds' if holds else 'does not hold'} for {by}"
                    yield says, _where, given, partial(_held if holds else not_held, flag=flag, for_mover=for_mover)


def asks_more(rules: Rules, beside: Rules) -> bool:
    """Whether the ways out of phases of another reading ask for something that those of this one do not."""
    mine = {flag for flag, _ in _ways_out(rules, rules)}
    return any(flag not in mine for flag, _ in _ways_out(beside, rules))


def _known(rules: Rules, plain: set[str]) -> Iterator[tuple[str, tuple[str, bool]]]:
    for v in rules.variables:
        if v.sort is Sort.FLAG and not v.name.startswith("theirs.") and not plain & {v.name, f"not {v.name}"}:
            yield from ((f"where {'' if holds else 'not '}{v.name}, ", (v.name, holds)) for holds in (True, False))


def _held(model: Model, values: Values, flag: Term, for_mover: bool) -> int:
    return -not_held(model, values, flag, for_mover)


def _where(model: Model, values: Values, given: tuple[str, bool] | None, make: Any) -> int:
    literal = int(make(model, values))
    if given is None:
        return literal
    flag, holds = given
    return model.circuit.implies(int(values[flag]) if holds else -int(values[flag]), literal)


def _there(model: Model, values: Values, piece: str, hand: str, k: int) -> int:
    return int(model.bits.plus(Size(model.circuit, values[piece]), values[hand]).at_least(k))


def _nothing_out(model: Model, values: Values, rest: Term, for_mover: bool) -> int:
    """A set less what is protected is the whole set."""
    seen = dict(model.seen_by_other(values) if for_mover else values)
    whole, left = (fold(t, model.bits, Scope(seen)) for t in (rest.args[0], rest))
    return model.circuit.all(map(model.circuit.implies, whole, left))


def _left_out(rules: Rules) -> Iterator[tuple[Term, int]]:
    """Pieces less others that a clause leaves out, such as the stones outside every shape, where the position alone says which."""
    names = {v.name for v in rules.variables}
    choices = [c.among for p in rules.phases.values() for t in p.turns for c in t.choices]
    found = [t for t in subterms(*choices) if t.op == "without" and t.args[0].op == "read" and t.names <= names]
    yield from ((t, n) for n, t in enumerate(found, 1) if t.args[1].names)


def _ways_out(of: Rules, rules: Rules) -> Iterator[tuple[Term, str]]:
    """What the ways out of phases ask for, under one reading, of the pieces, as the variables of another tell it."""
    names = {v.name for v in rules.variables}
    told = {v.name for v in rules.variables if v.sort is not Sort.FLAG}
    found: dict[Term, str] = {}
    for p in of.phases.values():
        for turn in p.turns:
            for n in turn.next:
                for part in _parts(n.flag):
                    for flag in (part, *_parts(part)):
                        if flag.names <= names and flag.names & told:
                            found.setdefault(flag, n.rule)
    yield from found.items()


def _parts(flag: Term) -> Iterator[Term]:
    for part in flag.args if flag.op == "and_" else (flag,):
        yield part.args[0] if part.op == "no" else part
