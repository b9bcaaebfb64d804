"""Boards are drawn as text, and drawings are read back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn import MORRIS, NOUGHTS, OXONO, STAR, STONES, drawn, looks
from lawstone.board import Board, grid, hexagon
from lawstone.drawing import MARKS, WORDS, BadDrawing, Look, PieceLook, parse, text


def without_margin(words: str) -> str:
    """Lines as they stand in an indented literal."""
    rows = words.strip("\n").split("\n")
    indent = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
    return "\n".join(row[indent:].rstrip() for row in rows).rstrip()


# text


@settings(max_examples=150, deadline=None)
@given(looks(marked=False))
def test_a_drawn_board_is_read_back_as_it_was(look: Look):
    assert parse(look.board, text(look)) == look.cells
    assert parse(look.board, text(look), tokens=look.pieces) == look.cells


@settings(max_examples=100, deadline=None)
@given(looks(marked=True), st.booleans())
def test_colour_changes_nothing_but_colour(look: Look, unicode: bool):
    plain, coloured = text(look, unicode=unicode), text(look, unicode=unicode, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert all(line.count("\x1b[") == 0 or line.endswith("\x1b[0m") or "\x1b[0m" in line for line in coloured.split("\n"))


@settings(max_examples=100, deadline=None)
@given(looks(marked=True))
def test_the_plain_form_is_ascii_without_blanks_at_the_ends_of_lines(look: Look):
    plain = text(look)
    assert plain.isascii()
    assert all(line == line.rstrip() for line in plain.split("\n"))


@pytest.mark.parametrize(("pieces", "cells"), [(STONES, {7: "x"}), (OXONO, {7: "px", 8: "X", 0: "bo"})])
def test_columns_stand_one_below_the_other_whatever_the_width_of_the_tokens(pieces: dict[str, PieceLook], cells: dict[int, str]):
    rows = text(Look(grid(12, 12), cells, pieces)).split("\n")
    columns = [[match.start() for match in re.finditer(r"\S+", row[2:])] for row in rows]
    assert len(columns) == 13
    assert all(found == columns[0] for found in columns)


def test_a_board_of_pawns_and_totems_is_drawn_with_two_columns_a_token():
    drawing = without_margin("""
        4 .  .  px .  px px
        3 .  X  .  .  px bx
        2 bo .  bx px px .
        1 .  po O  bo bo .
          a  b  c  d  e  f
    """)
    look = drawn(grid(6, 4), drawing, OXONO)
    assert text(look) == drawing


def test_a_hexagon_leans_with_its_ranks_at_the_left_and_its_files_at_their_lower_ends():
    drawing = without_margin("""
            5 . . o
           4 . x . .
          3 . . x . .
           2 . o . . e
            1 x . . d
               a b c
    """)
    look = drawn(hexagon(3), drawing)
    names = {look.board.names[site] for site, token in look.cells.items() if token == "x"}
    assert names == {"c3", "c4", "a1"}
    assert text(look) == drawing


def test_a_board_of_lines_is_drawn_with_its_lines():
    look = drawn(MORRIS, "x . .\n. . .\n. . o\n. x . . . .\n. . x\n. o .\n. . .")
    assert text(look) == without_margin("""
        7 x-----------.-----------.
          |           |           |
        6 |   .-------.-------.   |
          |   |       |       |   |
        5 |   |   .---.---o   |   |
          |   |   |       |   |   |
        4 .---x---.       .---.---.
          |   |   |       |   |   |
        3 |   |   .---.---x   |   |
          |   |       |       |   |
        2 |   .-------o-------.   |
          |           |           |
        1 .-----------.-----------.
          a   b   c   d   e   f   g
    """)


def test_leaning_lines_are_drawn_leaning_and_ranks_without_points_have_no_number():
    assert text(drawn(STAR, "x . .\n.\n.\n. . .")) == without_margin(r"""
        5 x-------.-------.
            \     |     /
              \   |   /
                \ | /
        3         .
                / | \
        2     /   |   \       .
            /     |     \   /
        1 .-------.-------.
          a       c       e   f
    """)


def test_marks_are_seen_without_colour_and_explained_below_the_board():
    look = drawn(
        grid(5, 5, "points"),
        """
        . . . . o
        . . x . .
        . . o . .
        x x . o .
        x x . . o
        """,
        b1="last", d2="captured", e1="a", c5="b", d4="both", a5="legal", e4="blocked",
    )  # fmt: skip
    assert text(look) == without_margin("""
        5 + . B . o
        4 . . x + #
        3 . . o . .
        2 x x .!o!.
        1 x(x). .AoA
          a b c d e

        (x) last move   + legal   # blocked   !o! captured
        AoA legal under reading A only   B legal under reading B only
        + legal under both readings
    """)


def test_neighbouring_marks_do_not_run_into_each_other():
    look = drawn(grid(4, 1), "x x . o", a1="from", b1="last", c1="here", d1="to")
    assert text(look).split("\n")[0] == "1 {x}(x)[.]>o<"


def test_the_legend_speaks_the_language_of_the_reader_and_names_only_the_marks_used():
    look = Look(grid(2, 1), {0: "x"}, STONES, {0: "last"}, ((0, 1),))
    assert text(look, words={**WORDS, "last": "上一手"}).split("\n")[-1] == "(x) 上一手   a1 -> b1"
    assert text(Look(grid(2, 1), {0: "x"}, STONES)) == "1 x .\n  a b"


def test_a_long_legend_is_wrapped_for_a_narrow_terminal():
    look = Look(grid(10, 1), {}, STONES, dict(enumerate(MARKS)))
    assert max(map(len, text(look).split("\n"))) <= 80


def test_stones_are_drawn_as_stones_where_the_terminal_can():
    look = drawn(grid(3, 3, "points"), ". . o\n. x .\n. . .", c3="last", a1="legal")
    assert text(look, unicode=True).split("\n")[:4] == ["3 ┌─┬(○)", "2 ├─●─┤", "1 •─┴─┘", "  a b c"]


def test_a_board_of_lines_is_drawn_in_box_characters_where_the_terminal_can():
    rows = text(drawn(MORRIS, "x . .\n. . .\n. . o\n. x . . . .\n. . x\n. o .\n. . ."), unicode=True).split("\n")
    assert rows[:3] == [
        "7 ●───────────┬───────────┐",
        "  │           │           │",
        "6 │   ┌───────┼───────┐   │",
    ]


def test_pieces_with_symbols_keep_their_tokens():
    assert "px" in text(Look(grid(2, 2), {0: "px"}, OXONO), unicode=True)
    assert "x" in text(Look(grid(3, 3), {0: "x"}, NOUGHTS), unicode=True)


# reading drawings


def faults_of(board: Board, drawing: str, known: str | None = None) -> list[tuple[int, int, str, str]]:
    """The faults of a drawing as line, column, message and hint."""
    with pytest.raises(BadDrawing) as caught:
        parse(board, drawing, tokens=None if known is None else known.split())
    return [(fault.line, fault.column, fault.message, fault.hint) for fault in caught.value.faults]


@pytest.mark.parametrize(
    "drawing",
    [
        "x .\n. o",
        "\n\n   x .\n\n   . o  \n\n",
        "2 x .\n1 . o",
        "2 x .\n1 . o\n  a b",
        "x .\n. o\na b",
        "x\t.\r\n.\to\r\n",
    ],
)
def test_margins_and_blank_lines_are_optional(drawing: str):
    assert parse(grid(2, 2), drawing) == {2: "x", 1: "o"}


def test_a_row_of_pieces_written_like_file_letters_is_no_margin():
    assert parse(grid(2, 2), "a b\na b") == {0: "a", 1: "b", 2: "a", 3: "b"}
    assert parse(grid(3, 2), ". . .\na b c", tokens=["a", "b", "c"]) == {0: "a", 1: "b", 2: "c"}
    assert parse(grid(3, 1), "1 a b c\n  a b c") == {0: "a", 1: "b", 2: "c"}


def test_file_letters_are_no_row_when_a_rank_is_missing():
    assert faults_of(grid(3, 3), ". . .\n. . .\na b c") == [
        (2, 6, "the drawing has 2 rows and the board has 3 ranks", "add 1 row; an empty site is written `.`")
    ]


def test_every_ragged_row_is_a_fault_of_its_own():
    assert [fault[:3] for fault in faults_of(grid(3, 3), ". . .\n2 . .\n. . . . x")] == [
        (2, 6, "this row has 2 sites and rank 2 has 3"),
        (3, 7, "this row has 5 sites and rank 1 has 3"),
    ]


def test_too_many_rows_are_a_fault_where_they_begin():
    assert faults_of(grid(2, 2), ". .\n. .\n\n  x .\n. .") == [
        (
            4,
            3,
            "the drawing has 4 rows and the board has 2 ranks",
            "take away the rows from here on, or resize the board",
        )
    ]


def test_an_empty_drawing_is_a_fault():
    assert faults_of(grid(2, 2), " \n\n")[0][:3] == (1, 1, "the drawing has no rows and the board has 2 ranks")


def test_a_wrong_rank_number_is_a_fault():
    assert faults_of(grid(2, 2), "1 . .\n2 . .") == [
        (1, 1, "this row is rank 2 and is numbered 1", "rows go from the top rank down to rank 1"),
        (2, 1, "this row is rank 1 and is numbered 2", "rows go from the top rank down to rank 1"),
    ]


def test_rows_of_a_hexagon_have_the_lengths_of_their_ranks():
    assert [fault[:3] for fault in faults_of(hexagon(2), ". .\n. .\n. .")] == [(2, 4, "this row has 2 sites and rank 2 has 3")]


def test_a_board_of_lines_is_read_with_and_without_its_lines():
    plain = "x . .\n. . .\n. . o\n. x . . . .\n. . x\n. o .\n. . ."
    cells = parse(MORRIS, plain)
    assert {MORRIS.names[site] for site in cells} == {"a7", "e5", "b4", "e3", "d2"}
    assert parse(MORRIS, text(Look(MORRIS, cells, STONES))) == cells
    assert faults_of(MORRIS, plain.replace(". x . . . .", ". x . ."))[0][:3] == (
        4, 8, "this row has 4 sites and rank 4 has 6",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("(x)", None, "marks are no part of a position: write x"),
        ("+", "x o", "marks are no part of a position: write ."),
        ("X", "x o", "did you mean x?"),
        ("q", "x o", "the pieces are written o, x"),
        ("?", None, "a piece is a letter, or a letter and a letter or digit"),
        ("xxo", None, "a piece is a letter, or a letter and a letter or digit"),
        ("●", "x o", "the pieces are written o, x"),
    ],
)
def test_a_word_that_is_no_piece_is_a_fault_with_a_hint(word: str, known: str | None, hint: str):
    assert faults_of(grid(2, 2), f". .\n. {word}", known) == [(2, 3, f"no piece is written {word!r}", hint)]


def test_all_faults_come_at_once_from_the_top():
    found = faults_of(grid(2, 3), "4 . q\n2 .\n1 ? .\n. .", "x o")
    assert [fault[:2] for fault in found] == [(1, 5), (2, 4), (3, 3), (4, 1)]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([grid(3, 2), hexagon(2), MORRIS, grid(1, 1)]),
    st.one_of(st.text(), st.text(alphabet=".xo 12ab|-/+()\n\t", max_size=60)),
)
def test_any_text_is_read_or_refused_with_a_place_in_it(board: Board, drawing: str):
    try:
        cells, faults = parse(board, drawing), []
    except BadDrawing as bad:
        cells, faults = {}, bad.faults
        said = str(bad)
    if not faults:
        pieces = {token: PieceLook(token) for token in cells.values()}
        assert parse(board, text(Look(board, cells, pieces))) == cells
    rows = re.split(r"\r\n?|\n", drawing)
    for fault in faults:
        assert 1 <= fault.line <= len(rows)
        assert 1 <= fault.column <= len(rows[fault.line - 1]) + 1
        assert fault.message in said


# what is shown


def test_a_look_is_checked_when_it_is_made():
    for wrong in (
        {"cells": {4: "x"}},
        {"cells": {-1: "x"}},
        {"cells": {0: "q"}},
        {"marks": {9: "last"}},
        {"marks": {0: "shiny"}},
        {"arrows": ((0, 4),)},
        {"pieces": {"y": PieceLook("x")}},
    ):
        given_: dict[str, object] = {"cells": {}, "pieces": STONES, **wrong}
        with pytest.raises(ValueError, match=r"there is no|there are|stands under"):
            Look(grid(2, 2), **given_)  # type: ignore[arg-type]


@pytest.mark.parametrize("token", ["", ".", "12", "(x", "xxx", "+", "x ", "ž", "x\n"])
def test_a_token_is_one_or_two_letters_so_that_drawings_stay_readable(token: str):
    with pytest.raises(ValueError, match="is not a token"):
        PieceLook(token)


def test_a_screen_reader_hears_the_pieces_where_nobody_described_the_board():
    look = drawn(grid(2, 2), "x o\n. x")
    assert look.in_words() == "black stone: b1, a2; white stone: b2"
