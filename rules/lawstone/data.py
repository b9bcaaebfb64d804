"""Where the shipped games and their recorded findings lie.

In a wheel they are package data under `lawstone/_data/`; in a checkout, and so in an editable install, they are the
folders `spec/` and `proofs/` beside `rules/`. The caller sees no difference.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _data_root() -> Path:
    """The folder that holds `spec/` and `proofs/`."""
    roots = (_PACKAGE / "_data", _PACKAGE.parents[1])
    for root in roots:
        if (root / "spec").is_dir():
            return root
    places = " nor ".join(str(root / "spec") for root in roots)
    raise FileNotFoundError(f"the shipped games are missing: neither {places} exists; install lawstone again")


def spec_root() -> Path:
    """The folder of the shipped games, one folder a game, and of `schema/`.

    Raises FileNotFoundError if the installation is damaged.
    """
    return _data_root() / "spec"


def proofs_root() -> Path:
    """The folder of what has been shown, one folder a game. A game of which nothing is recorded has no folder here.

    Raises FileNotFoundError if the installation is damaged.
    """
    return _data_root() / "proofs"


def shipped_games() -> list[str]:
    """The names of the shipped games, in alphabetical order: the folders of `spec_root()` that hold a `game.yaml`."""
    return sorted(file.parent.name for file in spec_root().glob("*/game.yaml"))


def shipped_suite(game: str, name: str) -> Path | None:
    """The published suite of a game, `core` or `full`; None where there is none.

    In a wheel the suites lie under `_data/suites/`, in a checkout under `tests/suites/`.
    """
    for root in (_data_root() / "suites", _data_root() / "tests" / "suites"):
        path = root / game / f"{name}.json"
        if path.is_file():
            return path
    return None
