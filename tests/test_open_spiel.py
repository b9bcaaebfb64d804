"""OpenSpiel, written by others, counts and plays the small games as `tests/perft/small.json` and the oracles do.

Its rules are ours, with two differences of form. A capture in Nine Men's Morris is an action of its own there; here it
belongs to the ply that closes the mill. And it calls a game of Nine Men's Morris drawn after 200 turns, where we have
no such rule: games are compared up to there.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oracles.small.breakthrough import Breakthrough
from oracles.small.connect_four import ConnectFour
from oracles.small.morris import POINTS, Morris
from oracles.small.tic_tac_toe import TicTacToe

pyspiel = pytest.importorskip("pyspiel")

PINNED = json.loads((Path(__file__).parent / "perft" / "small.json").read_text(encoding="utf-8"))
DEPTHS = {"tic-tac-toe": 9, "connect-four": 7, "breakthrough": 4, "nine-mens-morris": 4}
THEIR_POINTS = sorted(POINTS, key=lambda point: (-int(point[1]), point))
TURNS_BEFORE_THEIR_DRAW = 200


def opening_of(game: str) -> Any:
    return pyspiel.load_game(game.replace("-", "_")).new_initial_state()


def plies(state: Any) -> Iterator[tuple[list[str], Any]]:
    """Each complete move of the player to act, as OpenSpiel's words for its actions, with the state it leads to."""
    for action in state.legal_actions():
        words, after = state.action_to_string(state.current_player(), action), state.child(action)
        if not after.is_terminal() and after.current_player() == state.current_player():
            yield from (([words, *more], result) for more, result in plies(after))
        else:
            yield [words], after


@pytest.mark.parametrize("game", DEPTHS)
def test_open_spiel_counts_as_many_sequences_and_positions(game: str) -> None:
    entry = next(entry for entry in PINNED if entry["game"] == game and entry["board"] is None)
    depth = DEPTHS[game]
    counts: dict[str, list[int]] = {what: [] for what in ("sequences", "open", "positions", "open_positions")}
    level = {"": (opening_of(game), 1)}
    for _ in range(depth):
        sequences: Counter[str] = Counter()
        states = {}
        for state, ways in level.values():
            for _, after in plies(state):
                key = f"{after} {after.current_player()}"
                states[key] = after
                sequences[key] += ways
        level = {key: (state, sequences[key]) for key, state in states.items() if not state.is_terminal()}
        counts["sequences"].append(sequences.total())
        counts["open"].append(sum(ways for _, ways in level.values()))
        counts["positions"].append(len(states))
        counts["open_positions"].append(len(level))
    assert depth <= entry["depth"]
    pinned = {"open_positions": entry["positions"]} | entry
    assert counts == {what: pinned[what][:depth] for what in counts}


def our_words(game: str, before: Any, words: list[str]) -> str:
    """Our text of a move of OpenSpiel's in the state before it."""
    if game == "tic-tac-toe":  # x(0,2) is row 0 from the top, column 2
        return "abc"[int(words[0][4])] + str(3 - int(words[0][2]))
    if game == "connect-four":  # x3 is column 3
        column = int(words[0][1])
        return "abcdefg"[column] + str(1 + sum(row[column] != "." for row in str(before).split()))
    if game == "breakthrough":  # the first player begins at the top; * marks a capture
        origin, target = (words[0][i] + str(9 - int(words[0][i + 1])) for i in (0, 2))
        return f"{origin}-{target}" + (f"x{target}" if words[0].endswith("*") else "")
    points = [[THEIR_POINTS[int(word)] for word in action.split() if word.isdigit()] for action in words]
    return "x".join("-".join(named) for named in points)  # Point 3, or Move 3 -> 4, then the captured point


@pytest.mark.parametrize(
    ("game", "oracle", "games", "eagerness"),
    [
        ("tic-tac-toe", TicTacToe(), 100, 0.0),
        ("connect-four", ConnectFour(), 60, 0.0),
        ("breakthrough", Breakthrough(), 30, 0.0),
        ("breakthrough", Breakthrough(), 30, 0.7),
        ("nine-mens-morris", Morris(), 10, 0.0),
        ("nine-mens-morris", Morris(), 30, 0.7),
    ],
)
def test_open_spiel_has_the_same_moves_and_results_in_random_games(game: str, oracle: Any, games: int, eagerness: float) -> None:
    """With eagerness, the share of moves that capture if any can: without it few games of morris come to flying men."""
    chance = random.Random(20)
    finished = 0
    for _ in range(games):
        ours, theirs = oracle.start(), opening_of(game)
        for _ in range(TURNS_BEFORE_THEIR_DRAW - 1):
            moves = dict(oracle.moves(ours))
            their_moves = {our_words(game, theirs, words): after for words, after in plies(theirs)}
            assert moves.keys() == their_moves.keys()
            captures = [move for move in moves if "x" in move]
            chosen = chance.choice(captures if captures and chance.random() < eagerness else list(moves))
            mover, seat = oracle.view(ours)["acts"], theirs.current_player()
            ours, theirs = moves[chosen], their_moves[chosen]
            ended = oracle.outcome(ours)
            assert (ended is not None) == theirs.is_terminal()
            if ended is not None:
                assert theirs.returns()[seat] == {mover: 1, "draw": 0}[ended[0]]
                finished += 1
                break
    assert finished == games or (game == "nine-mens-morris" and not eagerness)
