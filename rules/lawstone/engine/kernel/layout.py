"""Where the sites of a board stand in a machine's words: a choice of the back end, never of the rules.

Rows get a guard column where that costs no word, so that a step over the side lands on no site and needs no mask before it is cut
down. Boards that are not grids are laid out by column and row when their steps would otherwise be several shifts each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lawstone.board import Board

WORD = 64


@dataclass(frozen=True)
class Layout:
    """`place[s]` is the bit of site s, `bits` the width of a set, a multiple of 64."""

    place: tuple[int, ...]
    bits: int
    what: str

    @property
    def words(self) -> int:
        """How many words a set takes."""
        return self.bits // WORD

    @cached_property
    def _plain(self) -> bool:
        return self.place == tuple(range(len(self.place)))

    def laid(self, mask: int) -> int:
        """A set of sites (bit s for site s) as it is laid out."""
        if self._plain:
            return mask
        return sum(1 << b for s, b in enumerate(self.place) if mask >> s & 1)

    def sites(self, bits: int) -> int:
        """A laid out set as a set of sites; bits that are no site are dropped."""
        return sum(1 << s for s, b in enumerate(self.place) if bits >> b & 1)


def _rounded(bits: int) -> int:
    return max(WORD, (bits + WORD - 1) // WORD * WORD)


def layout(board: Board) -> Layout:
    """The layout of a board."""
    plain = Layout(tuple(range(board.size)), _rounded(board.size), "sites in a row")
    stride = board.width + 1
    guarded = Layout(tuple(y * stride + x for x, y in board.places), _rounded(board.height * stride), "rows with a guard column")
    if board.kind == "grid" and guarded.bits == plain.bits:
        return guarded
    if board.kind == "hexagon" and guarded.bits <= plain.bits + WORD:
        return guarded
    return plain
