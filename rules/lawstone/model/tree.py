"""The tree of a file as read: plain data that remembers where in which file every part of it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lawstone.model.faults import NOWHERE, Mark, Source

Loc = tuple[int | str, ...]
"""A way into a tree, as pydantic gives it: keys of mappings, indexes of lists, and parts that are neither."""


class Map(dict[str, Any]):
    """A mapping as read: a plain `dict` that knows where it begins, and where its keys and its plain values stand.

    `marks` holds a pair for each key: the place of the key and the place of the value. A mapping or list in it carries
    its own mark, so that its place stays right wherever it is put. Copies keep the marks.
    """

    def __init__(self, entries: Any = (), mark: Mark = NOWHERE) -> None:
        super().__init__(entries)
        self.mark: Mark = entries.mark if isinstance(entries, Map) else mark
        self.marks: dict[str, tuple[Mark, Mark]] = dict(entries.marks) if isinstance(entries, Map) else {}

    def put(self, key: str, value: Any, key_mark: Mark, value_mark: Mark) -> None:
        """Set a value together with its places."""
        self[key] = value
        self.marks[key] = key_mark, value_mark

    def carry(self, key: str, other: Any, other_key: str | None = None) -> None:
        """Take over the places that another mapping has for `other_key` (or for the same key); none if it has none."""
        marks = other.marks.get(key if other_key is None else other_key) if isinstance(other, Map) else None
        if marks is None:
            self.marks.pop(key, None)
        else:
            self.marks[key] = marks

    def key_mark(self, key: str) -> Mark:
        """The place of a key."""
        return self.marks[key][0] if key in self.marks else self.mark

    def value_mark(self, key: str) -> Mark:
        """The place of a value."""
        return _own_mark(self[key], self.marks[key][1] if key in self.marks else self.mark)

    def copy(self) -> Map:
        """A copy with the same values and marks."""
        return Map(self)

    __copy__ = copy

    def update(self, other: Any = (), /, **more: Any) -> None:
        """As for a `dict`; the places come along."""
        for key, value in dict(other, **more).items():
            self[key] = value
            self.carry(key, other)

    def __ior__(self, other: Any) -> Map:  # type: ignore[override]
        self.update(other)
        return self

    def __or__(self, other: Any) -> Map:  # type: ignore[override]
        merged = self.copy()
        merged.update(other)
        return merged


class Seq(list[Any]):
    """A list as read: a plain `list` that knows where it begins and where its plain entries stand."""

    def __init__(self, entries: Iterable[Any] = (), mark: Mark = NOWHERE) -> None:
        super().__init__(entries)
        self.mark: Mark = entries.mark if isinstance(entries, Seq) else mark
        self.marks: list[tuple[Any, Mark]] = list(entries.marks) if isinstance(entries, Seq) else []

    def put(self, value: Any, mark: Mark) -> None:
        """Append a value together with its place."""
        self.append(value)
        self.marks.append((value, mark))

    def value_mark(self, index: int) -> Mark:
        """The place of an entry: where it was read, also when entries before it have come or gone since."""
        value = self[index]
        if isinstance(value, Map | Seq):
            return value.mark
        return next((mark for known, mark in self.marks[index:] + self.marks if known is value), self.mark)

    def copy(self) -> Seq:
        """A copy with the same entries and marks."""
        return Seq(self)

    __copy__ = copy

    def __add__(self, other: Any) -> Seq:
        both = Seq([*self, *other], self.mark)
        both.marks = self.marks + (other.marks if isinstance(other, Seq) else [])
        return both


@dataclass(frozen=True)
class Document:
    """A file as read: its text and path, and its tree of `Map`, `Seq`, `str`, `int`, `bool` and `None`."""

    source: Source
    tree: Any


class Place(NamedTuple):
    """Where a way into a tree leads: the part of it that is there, and the marks of its last key and of the value."""

    path: Loc
    key: Mark
    value: Mark


def place_of(tree: Any, loc: Loc) -> Place:
    """Follow a way as far as it goes; parts that are no key or index there, such as tags of unions, are passed over."""
    here, at = (tree.tree, tree.source.mark(0)) if isinstance(tree, Document) else (tree, NOWHERE)
    at = _own_mark(here, at)
    place = Place((), at, at)
    part: Any
    for n, part in enumerate(loc, 1):
        tag = n < len(loc) and isinstance(part, str) and part.startswith("<")
        if tag or not _leads_on(here, part):
            continue
        if isinstance(here, Map | Seq):
            value = here.value_mark(part)
        else:
            value = _own_mark(here[part], place.value)
        key = here.key_mark(part) if isinstance(here, Map) else value
        place = Place((*place.path, part), key, value)
        here = here[part]
    return place


def mark_of(tree: Any, loc: Loc, key: bool = False) -> Mark:
    """The place of the value to which a way leads, or of the key of that value."""
    place = place_of(tree, loc)
    return place.key if key else place.value


def _own_mark(value: Any, otherwise: Mark) -> Mark:
    return value.mark if isinstance(value, Map | Seq) else otherwise


def _leads_on(here: Any, part: int | str) -> bool:
    if isinstance(here, dict):
        return part in here
    return isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here)
