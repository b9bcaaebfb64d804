"""Boards are drawn as SVG that is whole in itself, on light and dark pages and on paper."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Literal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn import MORRIS, OXONO, STAR, STONES, drawn, looks
from lawstone.board import Board, grid, hexagon
from lawstone.drawing import MARKS, Look, PieceLook, Theme, stylesheet, svg, variables

THEMES: tuple[Theme, ...] = ("auto", "light", "dark", "print")
BOARDS = {
    "points": grid(5, 5, "points"),
    "cells": grid(6, 4),
    "hexagon": hexagon(3),
    "hexagon of points": hexagon(3, "points"),
    "lines": MORRIS,
    "leaning lines": STAR,
    "one cell": grid(1, 1),
    "one hexagon": hexagon(1),
    "one row": grid(26, 1, "points"),
}


def everything(board: Board, pieces: Mapping[str, PieceLook]) -> Look:
    """A look with every mark on an empty and on an occupied site, as far as the board goes."""
    kinds = sorted(pieces)
    cells = {site: kinds[site // 2 % len(kinds)] for site in range(0, board.size, 2)}
    marks = {site: MARKS[site // 2 % len(MARKS)] for site in range(min(board.size, 2 * len(MARKS)))}
    return Look(board, cells, pieces, marks, ((0, board.size - 1), (board.size - 1, 0), (0, 0)), "Title", "Words")


CASES = [
    pytest.param(board, pieces, theme, id=f"{name}, {'stones' if pieces is STONES else 'symbols'}, {theme}")
    for (name, board), pieces, theme in product(BOARDS.items(), (STONES, OXONO), THEMES)
]


@pytest.mark.parametrize(("board", "pieces", "theme"), CASES)
def test_a_drawing_is_whole_in_itself(board: Board, pieces: dict[str, PieceLook], theme: Theme):
    drawing = svg(everything(board, pieces), theme=theme)
    root = ET.fromstring(drawing)
    ids = [element.get("id", "") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert root.get("role") == "img"
    assert set(root.get("aria-labelledby", "").split()) == {i for i in ids if i.endswith(("-title", "-desc"))}
    assert (root.findtext("{*}title"), root.findtext("{*}desc")) == ("Title", "Words")
    assert {element.tag.partition("}")[2] for element in root.iter()} <= {
        "svg", "title", "desc", "style", "defs", "g", "use", "text", "stop", "linearGradient", "radialGradient",
        "path", "rect", "circle", "ellipse",
    }  # fmt: skip
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            targets = re.findall(r"url\(([^)]*)\)", value) + ([value] if name.endswith("href") else [])
            assert all(target.removeprefix("#") in ids for target in targets)
            assert "nan" not in value
            assert "inf" not in value


@pytest.mark.parametrize(("board", "pieces", "theme"), CASES)
def test_everything_stands_inside_the_drawing(board: Board, pieces: dict[str, PieceLook], theme: Theme):
    root = ET.fromstring(svg(everything(board, pieces), theme=theme))
    width, height = (float(number) for number in root.get("viewBox", "").split()[2:])
    standing = [(e.get("x"), e.get("y")) for e in root.iter() if e.tag.endswith(("}use", "}text")) and e.get("x")]
    assert len(standing) > board.size / 2
    for x, y in standing:
        assert -15 <= float(x or 0) <= width
        assert -15 <= float(y or 0) <= height
    assert float(root.get("height", "0")) == pytest.approx(360 * height / width, abs=0.1)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_piece_is_drawn_once_and_every_coordinate_is_written(board: Board):
    look = Look(board, dict.fromkeys(range(board.size), "x"), STONES)
    root = ET.fromstring(svg(look))
    assert sum(element.tag.endswith("}use") for element in root.iter()) == board.size
    written = {element.text for element in root.iter() if element.tag.endswith("}text")}
    assert written == {name[0] for name in board.names} | {name[1:] for name in board.names}


def test_the_description_names_the_pieces_where_none_was_given():
    look = drawn(grid(2, 1), "x o")
    assert ET.fromstring(svg(look)).findtext("{*}desc") == look.in_words() == "black stone: a1; white stone: b1"


def test_words_cannot_inject_anything():
    nasty = "</title><script>alert(1)</script>\x00\ud800&\"'"
    pieces = {"x": PieceLook("x", 0, "<b>&", "<i>")}
    drawing = svg(Look(grid(2, 2), {0: "x"}, pieces, title=nasty, description=nasty))
    root = ET.fromstring(drawing)
    assert root.findtext("{*}title") == "</title><script>alert(1)</script>\ufffd\ufffd&\"'"
    assert "<script" not in drawing
    assert "<b>" not in drawing
    assert all(not element.tag.endswith("}script") for element in root.iter())


def test_the_same_drawing_is_the_same_text_and_another_one_has_other_ids():
    one, two = drawn(grid(3, 3), ". . .\n. x .\n. . ."), drawn(grid(3, 3), ". . .\n. o .\n. . .")
    ids = [set(re.findall(r' id="([^"]+)"', svg(look))) for look in (one, two)]
    assert svg(one) == svg(one)
    assert not ids[0] & ids[1]
    assert all(i.startswith("p7-") for i in re.findall(r' id="([^"]+)"', svg(one, prefix="p7")))


@pytest.mark.parametrize("board", [BOARDS["points"], BOARDS["cells"], BOARDS["hexagon"]])
def test_a_fixed_theme_needs_no_style_sheet_and_auto_follows_the_reader(board: Board):
    look = everything(board, OXONO)
    fixed: list[Literal["light", "dark", "print"]] = ["light", "dark", "print"]
    assert len({svg(look, theme=theme, prefix="p") for theme in fixed}) == 3
    assert all("<style" not in svg(look, theme=theme) and "var(" not in svg(look, theme=theme) for theme in fixed)
    auto = svg(look)
    assert "prefers-color-scheme:dark" in auto
    assert "@media print" in auto
    shared = svg(look, style=False)
    assert "<style" not in shared
    for names in re.findall(r'class="([^"]+)"', shared):
        assert all(name == "ls" or f".{name}{{" in stylesheet() for name in names.split())
    assert all(f"--{name}:" in variables("dark") for name in re.findall(r"var\(--([a-z-]+),", auto))


def test_print_has_no_gradients_and_tells_the_players_apart_by_shape():
    look = drawn(grid(2, 1), "x o")
    root = ET.fromstring(svg(look, theme="print"))
    assert "Gradient" not in ET.tostring(root, encoding="unicode")
    black, white = ([(e.tag, e.get("d", "")) for e in group] for group in root.findall("{*}defs/{*}g"))
    assert black != white
    pawns = ET.fromstring(svg(Look(grid(2, 1), {0: "px", 1: "bx"}, OXONO), theme="print"))
    shapes = [{e.tag.partition("}")[2] for e in group} for group in pawns.findall("{*}defs/{*}g")]
    assert ["circle" in shape for shape in shapes] == [True, False]


@pytest.mark.parametrize(
    ("board", "stars"),
    [(grid(19, 19, "points"), 9), (grid(15, 15, "points"), 5), (grid(13, 13, "points"), 5), (grid(9, 9, "points"), 5),
     (grid(10, 10, "points"), 0), (grid(19, 15, "points"), 0), (grid(19, 19), 0), (MORRIS, 24)],
)  # fmt: skip
def test_boards_have_the_star_points_of_their_size(board: Board, stars: int):
    assert svg(Look(board, {}, STONES), theme="light").count("<circle") == stars


def test_a_captured_piece_fades():
    look = drawn(grid(2, 1), "x o", b1="captured")
    assert [e.get("opacity") for e in ET.fromstring(svg(look)).iter() if e.tag.endswith("}use")] == [None, ".45"]


@pytest.mark.parametrize("size", [0, -3])
def test_a_drawing_without_a_size_is_refused(size: int):
    with pytest.raises(ValueError, match="at least one pixel"):
        svg(Look(grid(1, 1), {}, STONES), size=size)


@settings(max_examples=40, deadline=None)
@given(looks(marked=True), st.sampled_from(THEMES), st.integers(1, 2000))
def test_any_look_becomes_well_formed_svg(look: Look, theme: Theme, size: int):
    assert ET.fromstring(svg(look, size=size, theme=theme)).get("width") == str(size)
