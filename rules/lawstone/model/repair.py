"""A tree of a file that a model refuses, mended as far as that can be guessed, so that the rest of it can be checked too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from lawstone.model.changes import copied
from lawstone.model.faults import nearest
from lawstone.model.tree import Loc, Map, place_of
from lawstone.model.wording import KeysAt, keys_of

_ROUNDS = 30
_DECLARING = ("players", "colours", "pieces", "regions", "shapes", "steps", "phases", "variants", "board")
_UNIMPORTANT: dict[Any, Any] = {"rules version": 1, "title": {"en": ""}, "authentic": "en", "end": []}
"""What a file may lack without other faults coming of it."""


@dataclass
class Repaired:
    """What came of it: the tree as mended, the model of it, and the names that the parts taken away may have declared.

    `lost` is None if nothing was taken away.
    """

    tree: Any
    model: Any
    lost: set[str] | None


def repaired(model: type[BaseModel], tree: Any) -> Repaired | None:
    """The nearest tree that the model accepts: misspelt words as they were meant, other faulty parts taken away.

    None where too much would have to be taken away.
    """
    mending = copied(tree)
    lost: set[str] | None = None
    for _ in range(_ROUNDS):
        try:
            return Repaired(mending, model.model_validate(mending), lost)
        except ValidationError as error:
            errors = error.errors(include_url=False)
            if not isinstance(mending, dict):
                return None
            if not _corrected(errors, mending, keys_of(model)):
                names = _shortened(errors, mending)
                if names is None:
                    return None
                lost = names | (lost or set())
    return None


def _corrected(errors: Iterable[Any], tree: Any, keys_at: KeysAt) -> bool:
    """Write misspelt words as they were meant; whether there were any."""
    done = False
    for error in errors:
        loc, path = error["loc"], place_of(tree, error["loc"]).path
        if not path:
            continue
        holder, last = _at(tree, path[:-1]), path[-1]
        if error["type"] == "extra_forbidden":
            meant = nearest(str(last), keys_at(loc[:-1]))
            if meant and meant not in holder:
                _rename(holder, str(last), meant)
                done = True
        elif error["type"] == "literal_error" and isinstance(holder[last], str):
            meant = nearest(holder[last], re.findall(r"'((?:[^'\\]|\\.)*)'", error["ctx"]["expected"]))
            if meant:
                holder[last] = meant
                done = True
    return done


def _rename(holder: Any, key: str, meant: str) -> None:
    holder[meant] = holder.pop(key)
    if isinstance(holder, Map) and key in holder.marks:
        holder.marks[meant] = holder.marks.pop(key)


def _shortened(errors: Iterable[Any], tree: Any) -> set[str] | None:
    """Take the faulty parts away, and tell what names they may have declared; None if that would be the whole."""
    paths, names = set[Loc](), set[str]()
    for error in errors:
        path = place_of(tree, _way(error)).path
        if not path and error["type"] == "missing" and error["loc"][-1] in _UNIMPORTANT:
            tree[error["loc"][-1]] = copied(_UNIMPORTANT[error["loc"][-1]])
        else:
            paths.add(path)
    if () in paths:
        return None
    for path in sorted(paths, key=lambda path: [(str(type(part)), part) for part in path], reverse=True):
        if not any(path[:n] in paths for n in range(1, len(path))):
            holder = _at(tree, path[:-1])
            if path[0] in _DECLARING:
                names |= {str(path[-1]), *_words(holder[path[-1]])}
            del holder[path[-1]]
    return names


def _way(error: Any) -> Loc:
    return (*error["loc"], *error.get("ctx", {}).get("at", ()))


def _words(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [word for key, inner in value.items() for word in (key, *_words(inner))]
    if isinstance(value, list):
        return [word for inner in value for word in _words(inner)]
    return [value] if isinstance(value, str) and value else []


def _at(tree: Any, loc: Loc) -> Any:
    for part in loc:
        tree = tree[part]
    return tree
