"""The least witness: one game for everybody, found by two ways that share nothing but the order, and by naive enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lawstone.check import least as chosen
from lawstone.check.lockstep import Pair
from lawstone.check.report import Recorded, read_results
from lawstone.check.search import Budget
from lawstone.check.settle import Effort, settle
from lawstone.data import proofs_root
from lawstone.engine.game import Game
from lawstone.prove import ask, free, least
from lawstone.spec import load
from oracles.xxung import Xxung

RECORDED = ("xxung",)


def pair_of(name: str, variant: str, question: str, *answers: str, board: tuple[int, int] | None = None) -> Pair:
    spec = load(name)
    return Pair(*(Game(spec, spec.rules(variant, {question: a}, board)) for a in answers))


def recorded(name: str, most: int) -> Iterator[tuple[Pair, Recorded]]:
    """The witnesses on record that are shown least and have no more plies than that."""
    results = read_results(proofs_root() / name / "results.json")
    assert results is not None
    for finding in results.findings:
        if finding.least and 0 < len(finding.moves or ()) <= most:
            variant, question, *answers = finding.key.split("/")
            yield pair_of(name, "" if variant == "base" else variant, question, *answers), finding


def least_by_solver(pair: Pair, plies: int, reasons: bool = False) -> tuple[str, ...]:
    found = least.least(pair.a.rules, pair.b.rules, plies, reasons, 60)
    assert found.verdict == "least", found.how
    return chosen.texts(pair, found.moves)


def least_by_tree(pair: Pair, plies: int) -> tuple[str, ...]:
    found = chosen.by_tree(pair, plies)
    assert found.verdict == "least", found.how
    return chosen.texts(pair, found.moves)


# -- two ways ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "question", "answers", "plies"),
    [
        ("xxung", "blocked-by", ("no-legal-placement", "walled-by-pieces"), 4),
        ("xxung", "in-between", ("either-colour", "only-own-pieces"), 3),
        ("oxono", "jump-when-free", ("no", "yes"), 1),
        ("wugun", "compulsory", ("must", "up-to-the-count"), 4),
        ("wugun", "edge-three", ("ends-on-two-edges", "any-diagonal-three"), 4),
    ],
)
def test_a_solver_and_the_whole_tree_find_the_same_least_game(name: str, question: str, answers: tuple[str, str], plies: int):
    pair = pair_of(name, "", question, *answers)
    game = least_by_solver(pair, plies)
    assert game == least_by_tree(pair, plies)
    parting = pair.replay(game)
    assert parting is not None
    assert parting.plies == plies
    assert pair.confirm(parting)


def test_of_games_that_end_with_fewer_pieces_one_is_taken_though_its_moves_come_later():
    pair = pair_of("wugun", "", "fewer", "take-what-there-is", "not-allowed")
    found = chosen.by_tree(pair, 4)
    assert found.verdict == "none"
    small = least.least(pair.a.rules, pair.b.rules, 7, False, 60)
    assert small.verdict == "least"
    stones = [sum(m.bit_count() for v, m in pair.a.replay(list(chosen.texts(pair, small.moves[:n]))).values.items()
                  if v.endswith(".stone")) for n in (6, 7)]  # fmt: skip
    assert stones[1] <= stones[0], "the last move captures"


# -- against naive enumeration ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer", "plies"), [("blocked-by", "walled-by-pieces", 4), ("in-between", "only-own-pieces", 3)]
)
def test_no_game_of_the_oracle_comes_before_the_least_one(question: str, answer: str, plies: int):
    board = (5, 5)
    spec = load("xxung")
    pair = pair_of("xxung", "", question, spec.base_answer(spec.question(question)), answer, board=board)
    readings: dict[str, Any] = {question: answer}
    a, b = Xxung(board=board), Xxung(board=board, **readings)
    sites = pair.a.rules.board.names

    def first(x, y, played: tuple[str, ...]) -> tuple[str, ...] | None:
        """The first game by the order of the board that has so many moves and at whose end the oracles differ."""
        if a.outcome(x) != b.outcome(y) or a.legal(x) != b.legal(y):
            return played if len(played) == plies else None
        if len(played) == plies or a.outcome(x) is not None:
            return None
        moves = sorted(a.legal(x), key=lambda m: sites.index(str(m)))
        return next((g for m in moves if (g := first(a.play(x, m), b.play(y, m), (*played, str(m))))), None)

    assert least_by_solver(pair, plies) == first(a.start(), b.start(), ())


# -- the same on every run ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECORDED)
def test_another_solver_finds_the_witness_that_is_on_record(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ask, "SOLVER", "minisat22")
    compared = 0
    for pair, finding in recorded(name, most=4):
        if free.comparable(pair.a.rules, pair.b.rules):
            game = least_by_tree(pair, len(finding.moves or ()))
        else:
            game = least_by_solver(pair, len(finding.moves or ()), finding.level == "reason")
        assert list(game) == finding.moves, finding.key
        compared += 1
    assert compared > 2


@pytest.mark.parametrize(("name", "question", "answer"), [("xxung", "six", "does-not"), ("oxono", "line-length", "exactly-four")])
def test_a_witness_is_the_same_with_every_seed_and_solver(name: str, question: str, answer: str, monkeypatch: pytest.MonkeyPatch):
    spec = load(name)
    pair = pair_of(name, "", question, spec.base_answer(spec.question(question)), answer)
    told = set()
    for seed, solver in ((1, "glucose4"), (7, "minisat22"), (2026, "maplesat")):
        monkeypatch.setattr(ask, "SOLVER", solver)
        done = settle(pair, Effort(Budget(pairs=2_000, games=30, replays=300, seed=seed), 60))
        assert done.parting is not None
        assert (done.shortest, done.least) == (True, True), done.steps
        told.add(done.parting.moves)
    assert len(told) == 1


def test_exactly_five_is_told_from_at_least_five_by_a_column_at_the_corner():
    pair = pair_of("gomoku", "", "overline", "does-not", "wins")
    game = least_by_solver(pair, 11)
    assert sorted(game[::2], key=lambda m: int(m[1:])) == ["a1", "a2", "a3", "a4", "a5", "a6"]
    assert game[0] == "a1"
    assert game[-1] in ("a2", "a3", "a4", "a5"), "the last stone joins two rows that are too short"


# -- bounds are said ------------------------------------------------------------------------------------------


def test_what_is_not_shown_least_says_so():
    pair = pair_of("oxono", "", "totem-symbol", "does-not-count", "counts")
    parting = pair.replay(least_by_solver(pair, 3))
    assert parting is not None
    given_up = chosen.choose(pair, parting, seconds=0, pairs=10)
    assert not given_up.shown
    assert "not shown least" in given_up.how
    assert given_up.parting == parting


def test_there_is_no_least_game_where_no_game_of_that_length_parts_the_readings():
    pair = pair_of("xxung", "", "blocked-by", "no-legal-placement", "walled-by-pieces")
    assert least.least(pair.a.rules, pair.b.rules, 3).verdict == "none"
    assert chosen.by_tree(pair, 3).verdict == "none"
