"""What of a witness could be otherwise: compared with an oracle that plays every such game, and with games drawn at random."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lawstone.check import general
from lawstone.check.general import General, generalise
from lawstone.check.lockstep import Pair, Parting
from lawstone.engine.game import Game
from lawstone.prove.least import every_game_parts
from lawstone.spec import load
from oracles.xxung import Xxung


def witness(name: str, question: str, answer: str, *moves: str, board: tuple[int, int] | None = None) -> tuple[Pair, Parting]:
    spec = load(name)
    base = spec.base_answer(spec.question(question))
    pair = Pair(*(Game(spec, spec.rules("", {question: a}, board)) for a in (base, answer)))
    parting = pair.replay(moves)
    assert parting is not None
    assert parting.moves == moves
    return pair, parting


def told(pair: Pair, parting: Parting) -> tuple[General, list[str]]:
    found = generalise(pair, parting)
    return found, general.sentences(found, pair.a.rules.board, parting.moves)


OVERLINE = ("a1", "b1", "a2", "c1", "a3", "d1", "a4", "e1", "a6", "g1", "a5")
"""A column of three and one of one, joined to six by the last stone."""


@pytest.mark.parametrize(
    ("question", "answer", "moves"),
    [
        ("whose-five", "any", ("a1", "b1", "c1", "d1", "e1")),
        ("in-between", "only-own-pieces", ("b1", "d1", "c1")),
        ("blocked-by", "walled-by-pieces", ("b1", "b2", "a2", "a1")),
    ],
)
def test_a_pick_is_loose_exactly_where_the_oracle_still_tells_the_readings_apart(
    question: str, answer: str, moves: tuple[str, ...]
):
    board = (6, 6)
    pair, parting = witness("xxung", question, answer, *moves, board=board)
    reading: dict[str, Any] = {question: answer}
    a, b = Xxung(board=board), Xxung(board=board, **reading)

    def parts(game: tuple[str, ...]) -> bool:
        x, y = a.start(), b.start()
        for n, move in enumerate(game):
            if a.legal(x) != b.legal(y) or move not in a.legal(x):
                return False
            x, y = a.play(x, move), b.play(y, move)
            if a.outcome(x) != b.outcome(y):
                return n == len(game) - 1 and parting.level == "outcome"
        return parting.level == "legal moves" and a.legal(x) != b.legal(y)

    names = pair.a.rules.board.names
    wanted = {
        (ply + 1, site)
        for ply in range(len(moves))
        for site in names
        if site != moves[ply] and parts((*moves[:ply], site, *moves[ply + 1 :]))
    }
    found = generalise(pair, parting)
    assert {(x.ply, names[s]) for x in found.loose for s in x.elsewhere} == wanted
    assert found.complete


def test_stones_that_only_pass_the_time_may_stand_anywhere_and_all_at_once():
    pair, parting = witness("gomoku", "overline", "wins", *OVERLINE, board=(8, 8))
    found, says = told(pair, parting)
    names = pair.a.rules.board.names
    others = [x for x in found.loose if x.ply % 2 == 0]
    assert [names[x.site] for x in others] == ["b1", "c1", "d1", "e1", "g1"]
    assert all(len(x.elsewhere) > 30 for x in others)
    assert found.together is True
    assert {names[s] for s in found.needless} == {"b1", "c1", "d1", "e1", "g1"}
    assert found.all_needless
    assert any("may be moved over the board" in s for s in says)
    dice = random.Random(5)
    played = 0
    for _ in range(60):
        game = list(OVERLINE)
        for x in found.loose:
            game[x.ply - 1] = names[dice.choice((x.site, *x.elsewhere))]
        if len(set(game)) == len(game):
            parted = pair.replay(game)
            if parted is not None:
                assert (parted.plies, parted.level) == (11, "outcome")
                played += 1
    assert played > 20


def test_a_pick_that_would_spoil_the_difference_is_not_let_in():
    pair, _ = witness("gomoku", "overline", "wins", *OVERLINE, board=(8, 8))
    names = pair.a.rules.board.numbers
    picks = [pair.a.start().find(m).picks for m in OVERLINE]
    last = {(10, 0): frozenset((names["a5"], names["h8"]))}
    assert every_game_parts(pair.a.rules, pair.b.rules, picks, last, False, 30) is False
    assert every_game_parts(pair.a.rules, pair.b.rules, picks, {}, False, 30) is True


def test_where_nothing_can_be_otherwise_that_is_said():
    pair, parting = witness("xxung", "blocked-by", "walled-by-pieces", "b1", "b2", "a2", "a1")
    found, says = told(pair, parting)
    assert found.loose == ()
    assert says[0].startswith("Every pick of this game has to be as it is")


def test_the_shifts_of_a_row_are_those_that_fit_on_the_board():
    pair, parting = witness("xxung", "whose-five", "any", "a1", "b1", "c1", "d1", "e1", board=(6, 6))
    found = generalise(pair, parting)
    assert (found.shifts, found.shiftable) == (11, 11), "two columns by six rows, but for the place where it stands"


def test_a_bound_that_was_reached_is_said():
    pair, parting = witness("xxung", "whose-five", "any", "a1", "b1", "c1", "d1", "e1")
    found = generalise(pair, parting, steps=40)
    assert not found.complete
    assert not any("every other site" in s for s in general.sentences(found, pair.a.rules.board, parting.moves))


def test_a_move_of_two_picks_is_changed_one_pick_at_a_time():
    pair, parting = witness("oxono", "jump-over-totem", "no", "Xc1 b1", "Xf1 e1", "Of3 f2")
    found = generalise(pair, parting)
    names = pair.a.rules.board.names
    assert {(x.ply, x.pick) for x in found.loose} >= {(1, 1)}, "the first pawn may stand elsewhere"
    for x in found.loose:
        for site in x.elsewhere:
            move = parting.moves[x.ply - 1]
            whole = list(parting.moves)
            words = [move[0] + move[1:3], move[4:]]
            words[x.pick] = (move[0] if x.pick == 0 else "") + names[site]
            whole[x.ply - 1] = " ".join(words)
            again = pair.replay(whole)
            assert again is not None
            assert (again.plies, again.level) == (3, "legal moves")
