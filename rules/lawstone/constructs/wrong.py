"""Plausible wrong readings of a clause, as its construct states them: a kind, a sentence, and the change that says it.

Each topic of the language has a `misread` beside its meaning that yields these; `constructs/misreadings.py` gathers them over a
game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from lawstone.model.base import Directions
from lawstone.model.vocabulary import Vocabulary


@dataclass(frozen=True)
class Wrong:
    """One wrong reading of a part of a game file. `change` gives new values by path inside the part; the empty path is the part
    itself, and None takes away."""

    kind: str
    says: str
    change: Mapping[str, Any]


@dataclass(frozen=True)
class Context:
    """Where a part stands: the words of its game, what can be picked as `$s`, and the piece that an earlier step has moved."""

    words: Vocabulary
    picks: tuple[str, ...] = ()
    moved: str = ""


def raw(part: Any) -> Any:
    """A part of a game as it is written in a file."""
    if isinstance(part, BaseModel):
        return part.model_dump(by_alias=True, exclude_unset=True)
    return [raw(p) for p in part] if isinstance(part, list | tuple) else part


_WAYS = {
    "orthogonal": "along rows and columns only",
    "diagonal": "along diagonals only",
    "all": "along rows, columns and diagonals",
}


def other_directions(given: Directions, key: str, what: str) -> Iterator[Wrong]:
    """The direction words that could be taken for those given."""
    for directions, told in _WAYS.items():
        if isinstance(given, str) and directions != given:
            yield Wrong(f"directions-{directions}", f"{what} {told}.", {key: directions})


def without_each(parts: list[Any], key: str, told: list[str], what: str) -> Iterator[Wrong]:
    """Each part of a list overlooked in turn; a list of one is not shortened."""
    for i, words in enumerate(told if len(parts) > 1 else []):
        left = [raw(p) for n, p in enumerate(parts) if n != i]
        yield Wrong(f"without-{i + 1}", f"{what}: {words}.", {key: left})


def one_more_or_less(n: int, key: str, what: str, least: int = 1) -> Iterator[Wrong]:
    """The neighbouring numbers."""
    if n > least:
        yield Wrong(f"{key.rpartition('.')[2].replace(' ', '-')}-{n - 1}", f"{what} {n - 1}, not {n}.", {key: n - 1})
    yield Wrong(f"{key.rpartition('.')[2].replace(' ', '-')}-{n + 1}", f"{what} {n + 1}, not {n}.", {key: n + 1})
