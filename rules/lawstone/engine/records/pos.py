"""The pos notation of Gomocup and of renju programs: `h8i9g7`, stones in turn from Black, nothing else.

Files are letters from the left; ranks count from the bottom. Programs that count them from the top exist, and the
file cannot tell: the game is then mirrored, which changes no rule of it. The size of the board is not said either.
"""

from __future__ import annotations

import re

from lawstone.engine.game import History
from lawstone.engine.records.record import Faults, Ply, Record, as_record, limited
from lawstone.engine.records.stones import COLOURS, GAME, fitting, hint, stones, with_picks
from lawstone.model.faults import Source

NAME = "pos"
_PART = re.compile(
    r"(?P<point>[A-Za-z][1-9]\d?(?!\d))|(?P<gap>[\s,;.\-\ufeff]+|\d{1,3}\.)|(?P<wrong>[^\s,;]{1,12}?(?=[A-Za-z][1-9]|[\s,;]|$)|.)"
)


def sniff(text: str) -> bool:
    """Whether a text looks like pos notation: a point comes first, and points are nearly all that it holds."""
    parts = list(_PART.finditer(text[:4_000]))
    said = [part for part in parts if not part["gap"]]
    wrong = sum(len(part["wrong"]) for part in said if part["wrong"])
    return bool(said) and bool(said[0]["point"]) and wrong * 4 <= sum(len(part[0]) for part in said)


def read(source: Source, variant: str | None = None) -> Record:
    """The game that a text in pos notation holds; raises BadInput at each part of it that is no point."""
    faults = Faults()
    plies: list[Ply] = []
    for part in _PART.finditer(source.text):
        mark = source.mark(part.start())
        if part["wrong"]:
            faults.add(mark, "bad-move", f"{part['wrong']!r} is not a point", "points are written like h8")
        elif part["point"]:
            plies.append(Ply(part["point"].casefold(), mark, COLOURS[len(plies) % 2]))
            if fitting([plies[-1].text]) is None:
                faults.add(mark, "off-board", f"no board of this toolkit has a point {part['point']}")
    faults.check()
    board = fitting(ply.text for ply in plies)
    rules = hint("", variant)
    played, notes = with_picks(limited(plies), rules.variant)
    if board:
        notes.insert(0, f"pos notation gives no size of the board: {board[0]}x{board[1]} is taken")
    return Record(GAME, tuple(played), NAME, rules.variant, rules.reading, board, notes=tuple(notes))


def write(what: Record | History) -> str:
    """The stones of a game in pos notation; picks of colour are left out. Raises CannotWrite if more was played."""
    found, _ = stones(as_record(what), "pos notation")
    return "".join(stone.ply.text.casefold() for stone in found if not stone.pick) + "\n"
