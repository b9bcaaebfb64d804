"""Where a fault is to be mended that shows only after changes: at the change that brings it about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lawstone.model.changes import RESERVED
from lawstone.model.faults import Fault, Mark
from lawstone.model.tree import Document, Loc, Map, Place, Seq, mark_of, place_of

Placing = Callable[[Any, Loc], Place]
"""How a way into a tree becomes a place; `place_of` is the plain one."""


@dataclass(frozen=True, slots=True)
class Consequence(Mark):
    """The place of a change, for a fault that the change brings about somewhere else."""

    def fault(self, code: str, message: str, hint: str = "") -> Fault:
        """A fault at this place, said to follow from what stands there."""
        return Mark.fault(self, code, f"with this change, {message}", hint)


class Origin:
    """Places for faults of a changed tree. `sets` are the ways to the sets of changes in the file, in the order made.

    What stands in a set of changes is faulty there. For anything else the fault lies with the change of the clause around
    it, or with the last set as a whole. Only the places in `only` are moved so; other faults are the file's own.
    """

    def __init__(self, document: Document, sets: Iterable[Loc], only: Iterable[Fault]) -> None:
        self.document, self.sets = document, list(sets)
        self.only = {(fault.line, fault.column) for fault in only}
        self.changes = [_at(document.tree, loc) for loc in self.sets]
        self.said = {spot for changes in self.changes for spot in _spots(changes)}

    def __call__(self, tree: Any, loc: Loc) -> Place:
        place = place_of(tree, loc)
        spots = {_spot(place.key), _spot(place.value)}
        if not (spots & self.only) - self.said:
            return place
        for n in range(len(place.path), 0, -1):
            around = place_of(tree, place.path[:n])
            for mark in (around.value, around.key):
                if _spot(mark) in self.said:
                    return _moved(place, mark)
        return _moved(place, self._target(tree, place.path) or self._whole())

    def _whole(self) -> Mark:
        """The place of the last set of changes, or of the only change in it."""
        loc, changes = self.sets[-1], self.changes[-1]
        while isinstance(changes, dict) and len(changes) == 1 and len(loc) < len(self.sets[-1]) + 2:
            ((key, changes),) = changes.items()
            loc = (*loc, key)
        return mark_of(self.document, loc, key=True)

    def _target(self, tree: Any, path: Loc) -> Mark | None:
        """The place of the change that names what the path leads through, the innermost such thing."""
        for n in range(len(path), -1, -1):
            part = _at(tree, path[:n])
            names = [part["rule"]] if isinstance(part, dict) and isinstance(part.get("rule"), str) else []
            names += [f"{path[0]}.{path[1]}"] if n == 2 and path[0] in RESERVED else []
            names += [str(path[0])] if n == 1 and path[0] in RESERVED else []
            for changes, loc in zip(reversed(self.changes), reversed(self.sets), strict=True):
                for name in (name for name in names if name in changes):
                    inner = _nearest_path(changes[name], path[n:])
                    return mark_of(self.document, (*loc, name, *inner), key=True)
        return None


def _nearest_path(change: Any, rest: Loc) -> tuple[str, ...]:
    """The path of a change that has most in common with the rest of a way; none if the change sets something else."""
    if not isinstance(change, dict):
        return ()
    common = {path: _common(path.split("."), [str(part) for part in rest]) for path in change}
    best = max(common, key=lambda path: common[path], default="")
    return (best,) if best and (common[best] or len(common) == 1) else ()


def _common(a: list[str], b: list[str]) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _moved(place: Place, mark: Mark) -> Place:
    there = Consequence(mark.source, mark.line, mark.column)
    return Place(place.path, there, there)


def _spot(mark: Mark) -> tuple[int, int]:
    return mark.line, mark.column


def _spots(tree: Any) -> Iterator[tuple[int, int]]:
    """The places of all keys and values below a part of a file."""
    if isinstance(tree, Map):
        for key, value in tree.items():
            yield from (_spot(tree.key_mark(key)), _spot(tree.value_mark(key)))
            yield from _spots(value)
    elif isinstance(tree, Seq):
        for i, value in enumerate(tree):
            yield _spot(tree.value_mark(i))
            yield from _spots(value)


def _at(tree: Any, loc: Loc) -> Any:
    here: Any = tree
    for part in loc:
        here = here[part]
    return here
