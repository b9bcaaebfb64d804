"""The everyday engine plays the seven small games as their oracles do: at least 2,000 positions of each.

Tic-Tac-Toe is compared on every position that can be reached. The oracles play the base game only; the other answers of
its questions are compared between the two engines of the toolkit in `test_fold_agrees.py`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from compared import (
    Case,
    compare,
    draw_breakthrough,
    draw_connect_four,
    draw_morris,
    draw_pente,
    draw_teeko,
    draw_yavalath,
    game_of,
    walk,
)
from lawstone.data import shipped_games
from oracles.small.breakthrough import Breakthrough
from oracles.small.connect_four import ConnectFour
from oracles.small.morris import Morris
from oracles.small.pente import Pente
from oracles.small.teeko import Teeko
from oracles.small.tic_tac_toe import TicTacToe
from oracles.small.yavalath import Yavalath

ORACLES: dict[str, tuple[Callable[..., Any], Any]] = {
    "breakthrough": (Breakthrough, draw_breakthrough),
    "connect-four": (ConnectFour, draw_connect_four),
    "nine-mens-morris": (Morris, draw_morris),
    "pente": (Pente, draw_pente),
    "teeko": (Teeko, draw_teeko),
    "yavalath": (Yavalath, draw_yavalath),
}
CASES = [
    Case("breakthrough", 2_200),
    Case("connect-four", 2_500),
    Case("nine-mens-morris", 2_500),
    Case("teeko", 2_500),
    Case("yavalath", 2_000),
    Case("pente", 1_200, board=(5, 5)),
    Case("pente", 600, board=(9, 9), results=30),
    Case("pente", 200, board=(6, 11), results=30),
    Case("pente", 60, board=(19, 19), results=10),
]


def test_two_thousand_positions_of_each_small_game_are_to_be_compared() -> None:
    positions: Counter[str] = Counter()
    for case in CASES:
        positions[case.game] += case.positions
    assert min(positions.values()) >= 2_000
    assert {*positions, "tic-tac-toe", "xxung", "gomoku", "wugun", "oxono"} == set(shipped_games())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_everyday_engine_agrees_with_the_small_oracle(case: Case) -> None:
    options = {"board": case.board} if case.board else {}
    oracle_class, draw = ORACLES[case.game]
    oracle, compared = oracle_class(**options), 0
    for position, state in walk(case, oracle, 0, draw):
        compared += 1
        if case.game == "pente":
            captured = oracle.view(state)["captured by"]
            sides = (position.values["mine.captured"], position.values["theirs.captured"])
            actor = position.state.seat
            assert sides == (captured[("white", "black")[actor]], captured[("white", "black")[1 - actor]])
    assert compared == case.positions


def test_every_position_of_tic_tac_toe_agrees() -> None:
    oracle, game = TicTacToe(), game_of(Case("tic-tac-toe", 0))
    level = {game.start().state: (game.start(), oracle.start())}
    compared = ended = 0
    while level:
        following = {}
        for position, state in level.values():
            compared += 1
            for _, after, theirs in compare(position, oracle, state, 9, random.Random(0)):
                if after.ended is None:
                    following[after.state] = (after, theirs)
                else:
                    ended += 1
        level = following
    assert compared == 4520
    assert ended > 0
