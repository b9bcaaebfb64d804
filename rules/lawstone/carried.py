"""A game as a question carries it to a worker: by the path of its file and a digest of all its files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from lawstone import data
from lawstone.model.faults import BadInput, Fault
from lawstone.spec import Spec, load


@dataclass(frozen=True)
class Carried:
    """The name of a shipped game, or the path of a game file, and what its files hold."""

    name: str
    digest: str

    @classmethod
    def of(cls, spec: Spec) -> Carried:
        """A game to be asked about; in this process it is found again without reading it anew."""
        shipped = spec.path.parent.parent == data.spec_root()
        carried = cls(spec.id if shipped else str(spec.path), digest(spec.path))
        _known[carried] = spec
        return carried

    def spec(self) -> Spec:
        """The game; read when it is first asked for in a process. Raises BadInput, also where the files are other ones here."""
        if self not in _known:
            found = load(data.spec_root() / self.name / "game.yaml" if self.name in data.shipped_games() else self.name)
            if digest(found.path) != self.digest:
                told = "this game has changed since the question was asked, or is another one on this machine"
                raise BadInput([Fault(str(found.path), 1, 1, "changed-game", told)])
            _known[self] = found
        return _known[self]


_known: dict[Carried, Spec] = {}


def digest(path: Path) -> str:
    """A digest of a game's files: all in its folder, or the lone game file."""
    files = sorted(f for f in path.parent.iterdir() if f.is_file()) if path.name == "game.yaml" else [path]
    told = hashlib.sha256()
    for file in files:
        told.update(f"{file.name}\n{file.stat().st_size}\n".encode())
        told.update(file.read_bytes())
    return told.hexdigest()
