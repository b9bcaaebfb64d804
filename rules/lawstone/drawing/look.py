"""What one drawing of a board shows, whatever it is drawn with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from lawstone.board import Board

TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]?")
"""A piece in a drawn board: a letter, or a letter and a letter or digit; so never a rank number, a mark or a line."""

EMPTY = "."
"""An empty site in a drawn board."""

Mark = Literal["last", "legal", "blocked", "from", "to", "captured", "here", "a", "b", "both"]
"""What a drawing may say of a site; `a`, `b`, `both`: legal under reading A only, under reading B only, under both."""

MARKS: tuple[Mark, ...] = get_args(Mark)

WORDS: Mapping[str, str] = {
    "last": "last move",
    "legal": "legal",
    "blocked": "blocked",
    "from": "moved from",
    "to": "moved to",
    "captured": "captured",
    "here": "the site meant",
    "a": "legal under reading A only",
    "b": "legal under reading B only",
    "both": "legal under both readings",
}
"""What each mark means, in English."""


@dataclass(frozen=True)
class PieceLook:
    """How a piece is drawn.

    `token` is how drawn boards write it; `owner` is 0 for the first player or colour, 1 for the second, None for
    nobody's; `symbol` is what stands on the piece, such as "x" on a pawn; `name` is what a screen reader says.
    """

    token: str
    owner: Literal[0, 1] | None = None
    symbol: str | None = None
    name: str = ""

    def __post_init__(self) -> None:
        if not TOKEN.fullmatch(self.token):
            raise ValueError(f"{self.token!r} is not a token: a letter, or a letter and a letter or digit")


@dataclass(frozen=True)
class Look:
    """A drawing of a board: the token on each occupied site, marks by site, arrows as pairs of sites, and words.

    Raises ValueError for a site that is not on the board, a token without a piece, or an unknown mark.
    """

    board: Board
    cells: Mapping[int, str]
    pieces: Mapping[str, PieceLook]
    marks: Mapping[int, Mark] = field(default_factory=dict)
    arrows: tuple[tuple[int, int], ...] = ()
    title: str = ""
    description: str = ""

    def __post_init__(self) -> None:
        for site in (*self.cells, *self.marks, *(s for arrow in self.arrows for s in arrow)):
            if not 0 <= site < self.board.size:
                raise ValueError(f"there is no site {site} on a board of {self.board.size} sites")
        for token in self.cells.values():
            if token not in self.pieces:
                raise ValueError(f"no piece is written {token!r}; there are {', '.join(sorted(self.pieces)) or 'none'}")
        for token, piece in self.pieces.items():
            if token != piece.token:
                raise ValueError(f"the piece {piece.token!r} stands under the token {token!r}")
        for mark in self.marks.values():
            if mark not in MARKS:
                raise ValueError(f"there is no mark {mark!r}; there are {', '.join(MARKS)}")

    def piece(self, site: int) -> PieceLook | None:
        """The piece on a site, or None."""
        token = self.cells.get(site)
        return None if token is None else self.pieces[token]

    def in_words(self) -> str:
        """The description, or where none was given the sites of each piece: `black stone: c3, d4; white stone: e5`."""
        if self.description:
            return self.description
        sites: dict[str, list[str]] = {}
        for site in sorted(self.cells):
            piece = self.pieces[self.cells[site]]
            sites.setdefault(piece.name or piece.token, []).append(self.board.names[site])
        return "; ".join(f"{name}: {', '.join(where)}" for name, where in sites.items())


def file_letter(x: int) -> str:
    """The letter of a column, counted from 0."""
    return chr(97 + x)
