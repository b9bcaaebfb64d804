"""Distinct positions of the oracles, ply by ply and up to symmetry, and who wins from each first square.

Run as `python tests/oracles/positions.py GAME PLIES [SIZE]` it prints the counts that `tests/positions.json` pins. Symmetries are
written here from the rule texts: the eight of the square, or for Oxono those that keep its start (some exchange x and o).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracles.gomoku import Gomoku
from oracles.oxono import Oxono
from oracles.wugun import Wugun
from oracles.xxung import Xxung

Map = Callable[[str], str]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def square(n: int) -> list[Map]:
    """The eight maps of a square board onto itself."""

    def named(turned: Callable[[int, int], tuple[int, int]]) -> Map:
        def image(site: str) -> str:
            x, y = turned(LETTERS.index(site[0]), int(site[1:]) - 1)
            return f"{LETTERS[x]}{y + 1}"

        table = {f"{LETTERS[x]}{y + 1}": image(f"{LETTERS[x]}{y + 1}") for x in range(n) for y in range(n)}
        return table.__getitem__

    m = n - 1
    turns: list[Callable[[int, int], tuple[int, int]]] = [
        lambda x, y: (x, y), lambda x, y: (m - x, y), lambda x, y: (x, m - y), lambda x, y: (m - x, m - y),
        lambda x, y: (y, x), lambda x, y: (m - y, x), lambda x, y: (y, m - x), lambda x, y: (m - y, m - x),
    ]  # fmt: skip
    return [named(t) for t in turns]


EXCHANGED = str.maketrans("xoXO", "oxOX")


class Positions:
    """Positions of an oracle as keys, and their images."""

    def __init__(self, game: str, size: int) -> None:
        eight = square(size)
        kept = [(m, False) for m in eight]
        if game == "oxono":
            start = Oxono().view(Oxono().start())["board"]
            kept = [
                (m, other)
                for m in eight
                for other in (False, True)
                if {m(s): t.translate(EXCHANGED) if other else t for s, t in start.items()} == start
            ]
        self.maps = kept
        self.oracle: Any = {
            "xxung": lambda: Xxung(board=(size, size)), "gomoku": lambda: Gomoku(board=(size, size)),
            "oxono": Oxono, "wugun": Wugun,
        }[game]()  # fmt: skip

    def images(self, state: Any) -> list[Any]:
        """The position and what the symmetries carry it into."""
        view = self.oracle.view(state)
        other = json.dumps({k: v for k, v in view.items() if k not in ("board", "hands", "last")}, sort_keys=True, default=str)
        found: list[Any] = []
        for image, exchanged in self.maps:
            board = sorted((image(s), t.translate(EXCHANGED) if exchanged else t) for s, t in view["board"].items())
            hands = sorted((k[:-1] + k[-1].translate(EXCHANGED) if exchanged else k, n) for k, n in view["hands"].items())
            last = view["last"] and image(view["last"])
            found.append((tuple(board), tuple(hands), last or "", other))
        return found

    def counts(self, plies: int) -> list[tuple[int, int]]:
        """For each ply from 0 the positions first reached there: up to symmetry, and all of them."""
        start = self.oracle.start()
        first = self.images(start)
        met, front, found = {min(first)}, [start], [(1, len(set(first)))]
        for _ in range(plies):
            following, each = [], [0, 0]
            for state in front:
                for _, after in self.oracle.moves(state):
                    images = self.images(after)
                    least = min(images)
                    if least not in met:
                        met.add(least)
                        each[0] += 1
                        each[1] += len(set(images))
                        if self.oracle.outcome(after) is None:
                            following.append(after)
            if not each[0]:
                break
            found.append((each[0], each[1]))
            front = following
        return found

    def winners(self) -> dict[str, str]:
        """Who wins from each first move, for a game in which somebody does and no position comes back."""
        known: dict[Any, str] = {}

        def winner(state: Any) -> str:
            key = min(self.images(state))
            if key not in known:
                outcome = self.oracle.outcome(state)
                if outcome is not None:
                    known[key] = outcome[0]
                else:
                    acts = self.oracle.view(state)["acts"]
                    results = (winner(after) for _, after in self.oracle.moves(state))
                    known[key] = acts if any(r == acts for r in results) else ("second" if acts == "first" else "first")
            return known[key]

        return {move: winner(after) for move, after in self.oracle.moves(self.oracle.start())}


if __name__ == "__main__":
    name, plies, *rest = sys.argv[1:]
    size = int(rest[0]) if rest else {"gomoku": 15, "oxono": 6, "wugun": 5, "xxung": 9}[name]
    if plies == "winners":
        print(json.dumps(Positions(name, size).winners()))
    else:
        print(json.dumps(Positions(name, size).counts(int(plies))))
