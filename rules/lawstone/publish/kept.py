"""What a build keeps for the next one, in the folder of the site: results by what they were made from, and trees of files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
NAME = ".lawstone-build.json"


def digest(*parts: object) -> str:
    """A short digest of what something is made from; a path stands for the content of its file."""
    made = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            made.update(part.name.encode() + b"\0" + (part.read_bytes() if part.is_file() else b"-") + b"\0")
        else:
            made.update(str(part).encode() + b"\0")
    return made.hexdigest()[:16]


class Kept:
    """Results of an earlier build by name; one that was made from something else is made anew."""

    def __init__(self, entries: dict[str, list[Any]]) -> None:
        self.entries = entries
        self.used: dict[str, list[Any]] = {}

    def __call__(self, name: str, made_from: str, make: Callable[[], T], dump: Callable[[T], Any], load: Callable[[Any], T]) -> T:
        """What is kept under a name, if it was made from the same; else what `make` gives, which is then kept as plain data.

        Nothing is kept of what `dump` turns into None.
        """
        before = self.entries.get(name)
        if before is not None and before[0] == made_from:
            self.used[name] = before
            return load(before[1])
        found = make()
        if (plain := dump(found)) is not None:
            self.used[name] = [made_from, plain]
        return found


def read(folder: Path, toolkit: str) -> dict[str, Any]:
    """What the last build left, if the same toolkit made it."""
    try:
        kept = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if kept.get("lawstone") == toolkit:
            return dict(kept)
    except (OSError, ValueError):
        pass
    return {"lawstone": toolkit, "games": {}, "checked": {}, "trees": {}}


def write(folder: Path, state: dict[str, Any]) -> None:
    """Leave it for the next build."""
    (folder / NAME).write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")
