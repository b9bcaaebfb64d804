"""The parts of a game file with the way to each, and the words in them that speak of the game's own names."""

from __future__ import annotations

import functools
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel

from lawstone.model import conditions, game, sites, steps
from lawstone.model.base import written
from lawstone.model.changes import READINGS
from lawstone.model.game import Game, LineShape, PhaseClause, Then
from lawstone.model.tree import Loc

Role = Literal["sites", "fixed sites", "piece", "player", "seat", "colour", "phase", "steps", "shape"]
"""What words are the name of."""

_ROLES: dict[tuple[type[BaseModel], str], Role] = {
    (steps.Place, "place"): "piece",
    (steps.Move, "move"): "piece",
    (conditions.InHand, "in_hand"): "piece",
    (steps.StepClause, "who"): "seat",
    (PhaseClause, "first"): "seat",
    (Then, "first"): "player",
    (conditions.HandsEmpty, "hands_empty"): "player",
    (conditions.CapturedBy, "captured_by"): "player",
    (conditions.CanMove, "can_move"): "player",
    (conditions.CannotMove, "cannot_move"): "player",
    (steps.Way, "take"): "colour",
    (Then, "go"): "phase",
    (steps.Way, "go"): "phase",
    (conditions.NothingCaptured, "nothing_captured_in"): "phase",
    (conditions.Enters, "enters"): "phase",
    (Game, "start_phase"): "phase",
    (game.EndingClause, "in_"): "phase",
    (steps.Do, "do"): "steps",
    (conditions.HasShape, "shape"): "shape",
    (sites.SitesClause, "outside"): "shape",
    (steps.Worth, "worth"): "shape",
    (LineShape, "avoids"): "fixed sites",
}
_NOT_PLAYED = (*READINGS, "events")


@dataclass(frozen=True)
class Problem:
    """One fault and the way to it; `key` points at the key instead of the value."""

    loc: Loc
    code: str
    message: str
    hint: str = ""
    key: bool = False


class Words(NamedTuple):
    """Words that name something, where they stand, and what they must be the name of."""

    loc: Loc
    role: Role
    text: str


class _Field(NamedTuple):
    name: str
    key: str
    role: Role | None


def _holds_sites(annotation: Any) -> bool:
    """Whether a field's type lets a set of sites stand there."""
    return annotation is sites.Named or any(map(_holds_sites, typing.get_args(annotation)))


@functools.cache
def fields(model: type[BaseModel]) -> tuple[_Field, ...]:
    """The fields of a model that are played by, each with its key in a file and the role of words in it."""
    found, hints = [], typing.get_type_hints(model, include_extras=True)
    for name in model.model_fields:
        if issubclass(model, Game) and name in _NOT_PLAYED:
            continue
        role = next((r for (cls, field), r in _ROLES.items() if field == name and issubclass(model, cls)), None)
        found.append(_Field(name, written(name), role or ("sites" if _holds_sites(hints[name]) else None)))
    return tuple(found)


def below(part: Any, loc: Loc = ()) -> Iterator[tuple[Loc, BaseModel]]:
    """Every model at and below a part of a game file, with the way to it, outer ones first."""
    if isinstance(part, BaseModel):
        yield loc, part
        for field in fields(type(part)):
            yield from below(getattr(part, field.name), (*loc, field.key))
    elif isinstance(part, list | tuple):
        for i, item in enumerate(part):
            yield from below(item, (*loc, i))
    elif isinstance(part, dict):
        for key, item in part.items():
            yield from below(item, (*loc, key))


def words(part: Any, loc: Loc = (), role: Role | None = None) -> Iterator[Words]:
    """The words below a part of a game file that are the name of something."""
    if isinstance(part, str):
        if role is not None:
            yield Words(loc, role, part)
    elif isinstance(part, BaseModel):
        for field in fields(type(part)):
            value = getattr(part, field.name)
            if value is not None:
                yield from words(value, (*loc, field.key), field.role)
    elif isinstance(part, list | tuple):
        for i, item in enumerate(part):
            yield from words(item, (*loc, i), role)
    elif isinstance(part, dict):
        for key, item in part.items():
            yield from words(item, (*loc, key), role)


def way_to(whole: Any, part: object, given: str = "") -> Loc | None:
    """The way to a part of a game file, and on to the words `given` in it if they stand there; None if it is not in it."""
    for loc, found in below(whole):
        if found is part:
            return next((w.loc for w in words(found, loc) if given and w.text == given), loc)
    return None
