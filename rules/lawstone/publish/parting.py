"""Where two versions of a game part: the earliest position that they answer differently, along games that are known or random."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lawstone.cases.make import ways
from lawstone.engine.game import Game, MoveError, Position
from lawstone.engine.playout import Dice, random_move
from lawstone.model.changes import clauses
from lawstone.model.faults import BadInput
from lawstone.spec import Spec

SEEDS, PLIES, MOST_MOVES = 24, 60, 4000

Probes = Mapping[str, Iterable[Sequence[str]]]
"""Games worth looking at, by variant: they lead where something is decided."""


@dataclass
class Parting:
    """Both versions after the same moves, and the moves that only one of them allows there."""

    moves: list[str]
    first: Position
    second: Position
    only_first: set[str]
    only_second: set[str]

    @cached_property
    def ways(self) -> tuple[list[tuple[str, Position]], list[tuple[str, Position]]]:
        """The positions that lead there in both versions, each with its move."""
        return _played(self.first.game, self.moves), _played(self.second.game, self.moves)


def _played(game: Game, moves: Sequence[str]) -> list[tuple[str, Position]]:
    found = [("", game.start())]
    for move in moves:
        found.append((move, found[-1][1].play(move)))
    return found


def _told(position: Position) -> tuple[str, int | None] | None:
    """How the game stands: what kind of end, and who won."""
    return None if position.ended is None else (position.ended.kind, position.ended.winner)


def by_rule(old: Spec, new: Spec) -> dict[str, Parting]:
    """For each rule whose clause differs in two versions of a game: where the old game parts from itself with the new clause.

    A rule whose new clause makes no sense in the old game, or that no random game tells apart, is left out.
    """
    before, after = ({c["rule"]: c for c in clauses(spec.document.tree)} for spec in (old, new))
    found = {}
    for rule in (r for r in before if r in after and before[r] != after[r]):
        keys = [k for k in {**before[rule], **after[rule]} if before[rule].get(k) != after[rule].get(k)]
        try:
            rules = old.rules_with({rule: {k: after[rule].get(k) for k in keys}})
        except BadInput:
            continue
        if (parting := find(Game(old, old.rules()), Game(old, rules))) is not None:
            found[rule] = parting
    return found


@dataclass(frozen=True)
class Reading:
    """One answer to a question, in the base game or in a variant."""

    variant: str
    question: str
    answer: str


def _readings(spec: Spec) -> Iterator[Reading]:
    for variant in ("", *(spec.game.variants or {})):
        for question in spec.questions(variant):
            yield from (Reading(variant, question.id, answer) for answer, changes in question.answers.items() if changes)


def _unasked(spec: Spec) -> dict[str, Any]:
    """What a game file says apart from its questions and titles."""
    return spec.game.model_dump(exclude={"questions": True, "together": True, "title": True, "variants": {"__all__": {"title"}}})


def _changes(spec: Spec, reading: Reading) -> object:
    return spec.question(reading.question).answers[reading.answer]


def by_reading(old: Spec, new: Spec, probes: Probes) -> dict[Reading, Parting | None]:
    """The answers to questions that mean something else in two versions of a game, each with a position that tells them apart.

    None where no game is known that does; random games are tried in the base game only. A variant is left out where the base game
    has a position for the same answer, or where neither has one.
    """
    found: dict[Reading, Parting | None] = {}
    earlier = set(_readings(old))
    alike = _unasked(old) == _unasked(new)
    for reading in _readings(new):
        base = Reading("", reading.question, reading.answer)
        if reading not in earlier or (reading != base and found.get(base) is not None):
            continue
        if alike and _changes(old, reading) == _changes(new, reading):
            continue
        try:
            one, other = _pair(old, new, reading)
        except BadInput:
            continue
        if one.rules.meaning == other.rules.meaning:
            continue
        known = [p for moves in probes.get(reading.variant, ()) if (p := along(one, other, moves)) is not None]
        parting = min(known, key=lambda p: len(p.moves), default=None)
        if parting is None and not reading.variant:
            parting = find(one, other)
        if parting is None and base in found:
            continue
        found[reading] = parting
    return found


def _pair(old: Spec, new: Spec, reading: Reading) -> tuple[Game, Game]:
    """A reading in both versions."""
    one, other = (Game(spec, spec.rules(reading.variant, {reading.question: reading.answer})) for spec in (old, new))
    return one, other


def dumped(found: Mapping[Reading, Parting | None]) -> list[Any]:
    """Readings with the moves that tell them apart, as plain data."""
    return [[r.variant, r.question, r.answer, None if p is None else p.moves] for r, p in found.items()]


def loaded(old: Spec, new: Spec, kept: list[Any]) -> dict[Reading, Parting | None]:
    """The same from plain data, played again."""
    readings = [(Reading(*names), moves) for *names, moves in kept]
    return {r: None if moves is None else along(*_pair(old, new, r), moves) for r, moves in readings}


def _apart(one: Game, a: Position, other: Game, b: Position) -> tuple[set[str], set[str]] | None:
    """The moves that only one of two positions allows, where they differ; None where they do not, or have too many moves."""
    if a.ended is not None or b.ended is not None:
        return None if _told(a) == _told(b) else (set(), set())
    if ways(a) > MOST_MOVES or ways(b) > MOST_MOVES:
        return None
    mine, theirs = {m.text for m in a.moves}, {m.text for m in b.moves}
    return None if mine == theirs and a.actor == b.actor else (mine - theirs, theirs - mine)


def along(one: Game, other: Game, moves: Sequence[str]) -> Parting | None:
    """Where two versions part along the moves of a game; None where they do not, or where a version does not allow them."""
    a, b, played = one.start(), other.start(), list[str]()
    for move in (*moves, ""):
        if (only := _apart(one, a, other, b)) is not None:
            return Parting(played, a, b, *only)
        if not move or a.ended is not None or b.ended is not None:
            return None
        try:
            a, b = a.play(move), b.play(move)
        except MoveError:
            return None
        played.append(move)
    return None


def find(one: Game, other: Game, seed: int = 1) -> Parting | None:
    """The earliest parting that the random games meet: legal moves, the player to act, or the outcome; None if they meet none."""
    best: Parting | None = None
    for n in range(SEEDS):
        dice, a, b, played = Dice(seed * 7919 + n), one.start(), other.start(), list[str]()
        while len(played) < (PLIES if best is None else len(best.moves)):
            if (only := _apart(one, a, other, b)) is not None:
                best = Parting(list(played), a, b, *only)
                break
            if a.ended is not None or b.ended is not None or ways(a) > MOST_MOVES:
                break
            move = random_move(one.engine, a.state, dice)
            if move is None:
                break
            text = next(m.text for m in a.moves if m.picks == move)
            try:
                a, b = a.play(text), b.play(text)
            except MoveError:
                break
            played.append(text)
        if best is not None and not best.moves:
            break
    return best
