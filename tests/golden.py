"""The golden drawings in `tests/golden/`: each kind of board with pieces, marks and arrows, on light and dark pages and on paper.

They are kept indented, one element a line, so that a change of a drawing is read as a change of lines. `make drawings` writes
them again: look at every one that changed, on its own ground, before it is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from drawn import MORRIS, NOUGHTS, OXONO, STONES, drawn
from lawstone.board import grid, hexagon
from lawstone.drawing import Look, Theme, svg

FOLDER = Path(__file__).parent / "golden"
THEMES: tuple[Theme, ...] = ("light", "dark", "print")

POINTS = """
    . . . . . . . . .
    . . o . . . x . .
    . . . x . . . . .
    . . . . x o . . .
    . . . . . x . . .
    . . o . o . x . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
CELLS = """
    . . . . . .
    . px . bo . .
    . . X . po .
    . bx . O . .
    . . px px . .
    . . . . . .
"""
HEXAGON = """
        . . .
       . x o .
      . . x . .
       o . x .
        . o .
"""
MEN = """
    x-----o-----.
    | .---.---. |
    | | x-x-x | |
    o-.-.   .-o-.
    | | o-.-. | |
    | .---.---. |
    .-----x-----.
"""
CROSSES = """
    x . o
    . x .
    o . x
"""


def _looks() -> Mapping[str, Look]:
    points = drawn(grid(9, 9, "points"), POINTS, STONES, c8="a", g8="b", d7="here", e6="here", f5="here", g4="last", c4="captured",
                   a1="legal", b1="blocked", c1="both", h3="to")  # fmt: skip
    cells = drawn(grid(6, 6), CELLS, OXONO, c4="from", c1="legal", c2="blocked", d2="last", f6="a", e6="b", a6="both", a1="here",
                  b3="captured")  # fmt: skip
    numbers = cells.board.numbers
    cells = replace(cells, arrows=((numbers["c4"], numbers["c6"]), (numbers["d3"], numbers["f3"])))
    hexagonal = hexagon(3)
    cell_names, point_names = hexagonal.names, hexagon(3, "points").names
    filled = {s: ("x", "o", "x")[s % 3] for s in range(0, hexagonal.size, 4)}
    beside = dict(zip(range(1, hexagonal.size, 3), ("legal", "blocked", "a", "b", "both", "here"), strict=False))
    stones = Look(hexagonal, filled, STONES, {**beside, 0: "last", 4: "captured"}, ((8, 10),))  # type: ignore[dict-item]
    men = drawn(MORRIS, MEN, STONES, c5="here", d5="here", e5="here", a4="captured", f2="legal", b2="blocked", d1="last")
    return {
        "points": replace(points, title="Points", description="Stones on the crossings of nine lines each way."),
        "cells": replace(cells, title="Cells", description="Pawns and totems on six by six squares."),
        "hexagon": replace(stones, title="Hexagon", description=f"Stones on {len(cell_names)} hexagonal cells."),
        "hexagon-of-points": replace(
            stones, board=hexagon(3, "points"), title="Hexagon of points", description=f"Stones on {len(point_names)} points."
        ),
        "lines": replace(
            men,
            title="Lines",
            description="Men on the points of three squares.",
            arrows=((men.board.numbers["d1"], men.board.numbers["g1"]),),
        ),
        "pen-marks": replace(drawn(grid(3, 3), CROSSES, NOUGHTS, c1="last", a1="here"), title="Crosses", description="A diagonal."),
    }


LOOKS = _looks()
"""What is drawn, by the name of the drawing."""


def readable(look: Look, theme: Theme) -> str:
    """A drawing, one element a line."""
    ET.register_namespace("", "http://www.w3.org/2000/svg")
    root = ET.fromstring(svg(look, theme=theme, prefix="g"))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def files() -> Mapping[str, str]:
    """Every golden drawing by the name of its file."""
    return {f"{name}.{theme}.svg": readable(look, theme) for name, look in LOOKS.items() for theme in THEMES}


def main() -> None:
    """Write the golden drawings, and a page that shows them all on their grounds."""
    FOLDER.mkdir(exist_ok=True)
    made = files()
    for old in {p.name for p in FOLDER.glob("*.svg")} - set(made):
        (FOLDER / old).unlink()
    for name, drawing in made.items():
        (FOLDER / name).write_text(drawing, encoding="utf-8")
    grounds = {"light": "#fbf9f4", "dark": "#191713", "print": "#fff"}
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td style="background:{grounds[t]};padding:16px">{made[f"{n}.{t}.svg"].replace("g-", f"{n}-{t}-")}</td>'
            for t in THEMES
        )
        + "</tr>"
        for n in LOOKS
    )
    sheet = FOLDER.parents[1] / "build" / "golden.html"
    sheet.parent.mkdir(exist_ok=True)
    sheet.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>Golden drawings</title><table>{rows}</table>", encoding="utf-8")
    print(f"{len(made)} drawings; look at them in {sheet.relative_to(FOLDER.parents[1])}")


if __name__ == "__main__":
    main()
