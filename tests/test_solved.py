"""Positions that play hardly ever comes to, drawn by a solver: a game reaches them, and an oracle agrees."""

from __future__ import annotations

import mutants
from lawstone.cases.make import Maker
from lawstone.check.lockstep import Pair
from lawstone.check.solved import solved
from lawstone.spec import load

AXES = ((0, 1), (1, 0), (1, 1), (1, -1))


def alive(board: dict[str, str], size: int = 15) -> bool:
    """Whether some player still can have five in a row: some five points in a line bear no stone of the other one."""
    for file in range(size):
        for rank in range(size):
            for df, dr in AXES:
                run = [(file + k * df, rank + k * dr) for k in range(5)]
                if all(0 <= f < size and 0 <= r < size for f, r in run):
                    there = {board.get(f"{chr(97 + f)}{r + 1}") for f, r in run} - {None}
                    if len(there) < 2:
                        return True
    return False


def test_a_board_of_gomoku_on_which_nobody_can_make_five_any_more_is_drawn_and_reached() -> None:
    maker = Maker(load("gomoku"))
    other = next(c for c, _ in maker.readings("") if c.name == "draw=no-five-left")
    parting = solved(Pair(maker.base("").game, other.game))
    assert parting is not None
    assert parting.level == "outcome"
    oracle = mutants.module_of("gomoku").Gomoku()
    state, boards = oracle.start(), []
    for move in parting.moves:
        state = oracle.play(state, move)
        boards.append(dict(oracle.view(state)["board"]))
    assert oracle.outcome(state) is None
    assert [alive(b) for b in boards[-2:]] == [True, False]


def test_nothing_is_drawn_where_two_readings_are_the_same_on_every_position() -> None:

    maker = Maker(load("xxung"))
    base = maker.base("").game
    assert solved(Pair(base, base)) is None


def test_readings_made_of_other_turns_are_left_to_play() -> None:
    maker = Maker(load("wugun"))
    other = next(c for c, _ in maker.readings("") if c.name == "forced-removal=no-shape-stands")
    assert solved(Pair(maker.base("").game, other.game)) is None
