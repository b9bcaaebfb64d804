"""Counting what can be reached: perft of the oracles, and the pinned counts in `tests/perft/`.

`tests/perft/<game>.json` is a list of entries: `game`, `variant` (null is the base game), `board` (such as `5x5`, null
where the size is fixed), `reading` (question id to answer id, only where it is not the base reading), `depth`, the
four lists of `perft` for 1 to `depth` plies, and `source`: where the numbers come from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any, NamedTuple, Protocol, TypeVar

from oracles.gomoku import Gomoku
from oracles.oxono import Oxono
from oracles.wugun import Wugun
from oracles.xxung import Xxung

S = TypeVar("S", bound=Hashable)


class Oracle(Protocol[S]):
    """What perft needs of an engine."""

    def start(self) -> S: ...

    def moves(self, state: S) -> list[tuple[str, S]]: ...

    def outcome(self, state: S) -> tuple[str, str] | None: ...

    def view(self, state: S) -> dict[str, Any]: ...


class Perft(NamedTuple):
    """Four counts for each number of plies, from one ply on.

    `sequences` counts the move sequences of exactly that many plies, those that end there included; `open` those that
    go on; `positions` the distinct positions that all of them reach, `open_positions` those in which the game goes on.
    A position is board, player to act, phase, hands, and the piece placed last where the game speaks of it.
    """

    sequences: list[int]
    open: list[int]
    positions: list[int]
    open_positions: list[int]


def perft(oracle: Oracle[S], depth: int) -> Perft:
    """The counts up to `depth` plies; equal states are counted together, so long lists cost memory, not time."""
    counts = Perft([], [], [], [])
    level = Counter({oracle.start(): 1})
    for _ in range(depth):
        following: Counter[S] = Counter()
        for state, ways in level.items():
            for _, after in oracle.moves(state):
                following[after] += ways
        level = Counter({state: ways for state, ways in following.items() if oracle.outcome(state) is None})
        counts.sequences.append(following.total())
        counts.open.append(level.total())
        counts.positions.append(len({_key(oracle.view(state)) for state in following}))
        counts.open_positions.append(len({_key(oracle.view(state)) for state in level}))
    return counts


def _key(view: dict[str, Any]) -> tuple[Hashable, ...]:
    return (*view["board"].items(), view["acts"], view["phase"], *view["hands"].items(), view["last"])


def oracle_of(entry: dict[str, Any]) -> Oracle[Any]:
    """The oracle that an entry of `tests/perft/` is about."""
    options: dict[str, Any] = {q.replace("-", "_"): a for q, a in entry.get("reading", {}).items()}
    if entry["board"]:
        width, height = entry["board"].split("x")
        options["board"] = (int(width), int(height))
    if entry["variant"]:
        options["variant"] = entry["variant"]
    games: dict[str, Any] = {"xxung": Xxung, "gomoku": Gomoku, "oxono": Oxono, "wugun": Wugun}
    oracle: Oracle[Any] = games[entry["game"]](**options)
    return oracle
