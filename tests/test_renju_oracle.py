"""A second oracle for the lines of Gomoku: the package `renju` from PyPI, written by others for other purposes.

Its rule `standard` is our game without an opening (exactly five win), its `freestyle` the answer that longer rows win too.
Its rule `renju`, with its forbidden moves, is another game and is not compared.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from compared import Case, draw_gomoku, from_view, game_of
from lawstone.engine.game import Position
from lawstone.engine.playout import playout
from oracles.gomoku import Gomoku

renju = pytest.importorskip("renju")

RULES = {"standard": (), "freestyle": (("overline", "wins"),)}
BOARDS = [(15, 500), (9, 500), (6, 300)]
STONES = 20
"""Points tried on each board."""


def verdict(status: object) -> str:
    names = {"BLACK_WIN": "first", "WHITE_WIN": "second", "DRAW": "draw", "ONGOING": "on"}
    return names[getattr(status, "name", "")]


def ours(position: Position) -> str:
    outcome = position.ended
    if outcome is None:
        return "on"
    return "draw" if outcome.winner is None else ("first", "second")[outcome.winner]


def longest_row(position: Position, x: int, y: int) -> int:
    """The longest row through a point, of the stones of the colour that stands there."""
    at = {position.game.rules.board.places[s]: token for s, token in position.cells.items()}
    rows = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            n = 1
            while at.get((x + sign * n * dx, y + sign * n * dy)) == at[x, y]:
                n += 1
            length += n - 1
        rows.append(length)
    return max(rows)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("side", "boards"), BOARDS)
def test_one_more_stone_on_a_random_board_ends_the_game_as_renju_says(rule: str, side: int, boards: int) -> None:
    case = Case("gomoku", 0, "", RULES[rule], (side, side))
    game, chance = game_of(case), random.Random(f"{rule} {side}")
    oracle = Gomoku(board=(side, side), **{q.replace("-", "_"): a for q, a in RULES[rule]})
    found: Counter[str] = Counter()
    views = (draw_gomoku(game, oracle, chance) for _ in range(10 * boards))
    compared = list(islice((view for view in views if view is not None), boards))
    assert len(compared) == boards
    for view in compared:
        position = from_view(game, view)
        places = game.rules.board.places
        stones = {t: [list(places[s]) for s, token in position.cells.items() if token == t] for t in "xo"}
        before = [stone for pair in zip(stones["x"], stones["o"], strict=False) for stone in pair]
        before += stones["x"][len(stones["o"]) :]
        for move in chance.sample(position.moves, min(STONES, len(position.moves))):
            theirs = renju.RenjuBoard(board_size=side, rule=rule)
            theirs.moves = list(before)
            (site,) = (s for s, name in enumerate(game.rules.board.names) if name == move.text)
            status, _ = theirs.play_move(*places[site])
            after = position.play(move)
            assert verdict(status) == ours(after), str(position)
            found[ours(after)] += 1
            found["six"] += longest_row(after, *places[site]) > 5
    assert found["on"] > 500
    assert min(found["first"], found["second"]) > 0
    assert found["draw"] > 0 or side > 9
    assert found["six"] > 0 or side < 9


@pytest.mark.parametrize("rule", RULES)
def test_random_games_end_at_the_same_stone_as_those_of_renju(rule: str) -> None:
    game = game_of(Case("gomoku", 0, "", RULES[rule]))
    endings: Counter[str] = Counter()
    for seed in range(120):
        record = playout(game.engine, seed)
        theirs = renju.RenjuBoard(rule=rule)
        for n, move in enumerate(record.moves, 1):
            status, _ = theirs.play_move(*game.rules.board.places[move.sites[0].bit_length() - 1])
            assert (verdict(status) == "on") == (n < len(record.moves))
        assert record.outcome is not None
        winner = record.outcome.winner
        assert verdict(status) == ("draw" if winner is None else ("first", "second")[winner])
        endings[verdict(status)] += 1
    assert min(endings["first"], endings["second"]) > 5
