"""The pictures of the documents, drawn from games that are replayed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lawstone import Game
from lawstone.check.lockstep import Pair
from lawstone.check.shown import marked
from lawstone.drawing import svg
from lawstone.engine.drawn import look

JUMP_OVER_TOTEM = ("Xc1 b1", "Xf1 e1", "Of3 f2")
"""The shortest game after which the two answers to Oxono's question `jump-over-totem` allow different moves."""


def jump_over_totem() -> str:
    """The board where the answers part: the places of the pawn that only one of them allows, and the jump before it."""
    a, b = (Game.load("oxono", reading={"jump-over-totem": answer}) for answer in ("yes", "no"))
    parting = Pair(a, b).replay(JUMP_OVER_TOTEM)
    assert parting is not None
    assert (parting.moves, parting.level, parting.only_b) == (JUMP_OVER_TOTEM, "legal moves", ())
    position, names = a.replay(list(parting.moves)), a.rules.board.numbers
    jumps = {(names["f1"], names[move[1:3]]) for move in parting.only_a}
    title = "Oxono: may the totem X on f1 jump over the totem O on f3?"
    return svg(look(position, marked(position, parting), tuple(sorted(jumps)), title))


PICTURES: Mapping[str, Callable[[], str]] = {"oxono-jump-over-totem.svg": jump_over_totem}
"""The pictures by file name in `docs/pictures/`."""
