"""Boards, pieces and looks that the tests of drawings share."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from lawstone.board import Board, grid, hexagon, lines
from lawstone.drawing import MARKS, Look, Mark, PieceLook, parse

MORRIS = lines(
    [
        line.split()
        for line in (
            "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
            "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1",
        )
    ]
)  # fmt: skip
STAR = lines([line.split() for line in ("a1 c1 e1", "a5 c5 e5", "a1 c3 e5", "a5 c3 e1", "c1 c3 c5", "e1 f2")])
STONES = {"x": PieceLook("x", 0, None, "black stone"), "o": PieceLook("o", 1, None, "white stone")}
NOUGHTS = {"x": PieceLook("x", 0, "x", "cross"), "o": PieceLook("o", 1, "o", "nought")}
OXONO = {
    "px": PieceLook("px", 0, "x", "pink X"),
    "po": PieceLook("po", 0, "o", "pink O"),
    "bx": PieceLook("bx", 1, "x", "black X"),
    "bo": PieceLook("bo", 1, "o", "black O"),
    "X": PieceLook("X", None, "x", "totem X"),
    "O": PieceLook("O", None, "o", "totem O"),
    "w": PieceLook("w", None, None, "wall"),
    "k": PieceLook("k", 1, "K", "black king"),
}


def drawn(board: Board, drawing: str, pieces: Mapping[str, PieceLook] = STONES, **marks: Mark) -> Look:
    """A look from a drawn board, with marks by the name of the site."""
    return Look(board, parse(board, drawing), pieces, {board.numbers[name]: mark for name, mark in marks.items()})


sizes = st.integers(1, 26)
boards = st.one_of(
    st.builds(grid, sizes, sizes, st.sampled_from(["cells", "points"])),
    st.builds(hexagon, st.integers(1, 6)),
    st.sampled_from([MORRIS, STAR]),
)
tokens = st.from_regex(r"\A[A-Za-z][A-Za-z0-9]?\Z")


@st.composite
def looks(draw: st.DrawFn, marked: bool) -> Look:
    """A look with any tokens; with marks and arrows if so asked."""
    board = draw(boards)
    pieces = {
        token: PieceLook(token, draw(st.sampled_from([0, 1, None])), draw(st.sampled_from([None, "x", "o", "K"])))
        for token in draw(st.lists(tokens, min_size=1, max_size=5, unique=True))
    }
    sites = st.integers(0, board.size - 1)
    cells = draw(st.dictionaries(sites, st.sampled_from(sorted(pieces)), max_size=40))
    marks = draw(st.dictionaries(sites, st.sampled_from(MARKS), max_size=12)) if marked else {}
    arrows = tuple(draw(st.lists(st.tuples(sites, sites), max_size=3))) if marked else ()
    return Look(board, cells, pieces, marks, arrows, draw(st.text(max_size=9)), draw(st.text(max_size=9)))
