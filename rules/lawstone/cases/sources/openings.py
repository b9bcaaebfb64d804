"""The first plies of every variant: what is legal, each option of a choice, and who acts after it."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.sources import Plan
from lawstone.engine.game import Position
from lawstone.engine.playout import Dice

DEPTH = 8
"""Plies followed from the start."""


def wants(maker: Maker, plan: Plan) -> Iterator[Want]:
    """The start, and a walk through each phase of a script with every option taken once."""
    for variant in maker.variants:
        base = maker.base(variant)
        yield Want(variant, Asked((), "legal moves"))
        yield Want(variant, Asked((), "who acts"))
        seen: set[str] = set()
        front: list[tuple[str, ...]] = [()]
        dice = Dice(plan.seed)
        for _ in range(DEPTH):
            following = []
            for moves in front:
                position = base.position(moves)
                if position.ended is not None or position.phase in seen:
                    continue
                seen.add(position.phase)
                if ways(position) <= MOST_MOVES:
                    yield Want(variant, Asked(moves, "legal moves"))
                for move in _branches(position, dice):
                    yield Want(variant, Asked(moves, "after", move))
                    yield Want(variant, Asked((*moves, move), "who acts"))
                    following.append((*moves, move))
            front = following


def _branches(position: Position, dice: Dice) -> list[str]:
    """Every named option, or a move from the middle of the board and a random one."""
    if ways(position) > MOST_MOVES:
        return []
    options = [m.text for m in position.moves if not any(c.isdigit() for c in m.text)]
    if options or not position.moves:
        return options
    moves = position.moves
    return list(dict.fromkeys((moves[len(moves) // 2].text, moves[dice.below(len(moves))].text)))
