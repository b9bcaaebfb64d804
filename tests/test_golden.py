"""Drawings are the golden ones, which have been looked at, line by line."""

from __future__ import annotations

import difflib
from xml.etree import ElementTree as ET

import pytest

import lawstone
from golden import FOLDER, LOOKS, THEMES, files
from lawstone.check.report import Witness
from lawstone.drawing import MARKS
from lawstone.engine.drawn import position_text


@pytest.mark.parametrize("name", sorted(files()))
def test_a_drawing_is_the_golden_one(name: str):
    kept = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    now = files()[name].splitlines()
    assert now == kept, "\n".join(difflib.unified_diff(kept, now, "golden", "drawn now", lineterm="", n=1))


def test_there_are_golden_drawings_of_every_kind_of_board_every_mark_and_every_theme():
    assert {p.name for p in FOLDER.iterdir()} == set(files())
    assert {look.board.kind for look in LOOKS.values()} == {"grid", "hexagon", "lines"}
    assert {look.board.drawn_on for look in LOOKS.values()} >= {"cells", "points"}
    assert {mark for look in LOOKS.values() for mark in look.marks.values()} == set(MARKS)
    assert sum(bool(look.arrows) for look in LOOKS.values()) >= 3
    assert len(files()) == len(LOOKS) * len(THEMES)


def test_golden_drawings_are_readable():
    for name in files():
        lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
        assert all(line.count("<") <= 2 for line in lines), name


# -- notebooks --------------------------------------------------------------------------------------------------------------


def test_a_notebook_shows_a_position_as_a_drawing_and_print_shows_it_as_text():
    position = lawstone.Game.load("oxono").start().play("Xc5 d5")
    root = ET.fromstring(position._repr_svg_())
    assert root.findtext("{*}title") == "Oxono: black to act"
    assert "pink pawn x on d5" in (root.findtext("{*}desc") or "")
    assert "5 .  .  X  px .  ." in str(position)


def test_a_notebook_shows_a_witness_as_the_board_where_the_readings_part():
    game = lawstone.Game.load("xxung")
    position = game.replay(["e5", "e7"])
    told = {
        "moves": ["e5", "e7"],
        "plies": 2,
        "board": "x",
        "position": position_text(position),
        "shortest": True,
        "how": "",
        "replayed": True,
    }
    witness = Witness.model_validate(told)
    assert ET.fromstring(witness._repr_svg_() or "").findtext("{*}desc") == "first stone on e5; second stone on e7"
    assert str(witness).splitlines()[-1] == "after e5 e7"
    elsewhere = Witness.model_validate({**told, "position": told["position"].replace("game: xxung", "game: nowhere")})  # type: ignore[attr-defined]
    assert elsewhere._repr_svg_() is None
