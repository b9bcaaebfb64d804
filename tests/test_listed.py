"""Random games by a list of legal sites, and compiled ones, are those of the everyday engine, wherever they begin."""

from __future__ import annotations

import functools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawstone import Game
from lawstone.engine.kernel import listed, run
from lawstone.engine.kernel.plan import Plan
from lawstone.engine.playout import playout
from lawstone.prove import facts

Case = tuple[str, str, tuple[int, int] | None, tuple[tuple[str, str], ...]]
KEPT: tuple[Case, ...] = (
    ("gomoku", "", None, ()), ("gomoku", "", (8, 8), ()), ("gomoku", "", (19, 19), ()), ("gomoku", "", (1, 9), ()),
    ("gomoku", "", (5, 5), (("last-stone", "draw-first"),)), ("gomoku", "", (7, 7), (("overline", "wins"),)),
    ("gomoku", "pro", (9, 9), ()), ("gomoku", "swap2", (9, 9), ()), ("yavalath", "", None, ()), ("tic-tac-toe", "", None, ()),
)  # fmt: skip
OTHERS: tuple[Case, ...] = (
    ("xxung", "", (8, 8), ()), ("xxung", "", (15, 15), ()), ("xxung", "", (1, 7), ()),
    ("xxung", "", (9, 9), (("in-line", "diagonals-too"),)),
    ("oxono", "", None, ()), ("wugun", "", None, ()), ("connect-four", "", None, ()), ("breakthrough", "", None, ()),
    ("teeko", "", None, ()), ("pente", "", None, ()), ("nine-mens-morris", "", None, ()), ("gomoku", "swap", None, ()),
)  # fmt: skip


@functools.cache
def loaded(case: Case) -> Game:
    name, variant, board, reading = case
    return Game.load(name, variant, dict(reading), board)


@functools.cache
def plan_of(case: Case) -> Plan:
    return facts.plan_of(loaded(case).rules)


@functools.cache
def kernel_of(case: Case) -> run.Kernel:
    pytest.importorskip("llvmlite", reason="the extra `fast` is not installed")
    return run.Kernel(loaded(case).rules, loaded(case).engine, plan_of(case))


@functools.cache
def list_of(case: Case) -> listed.Listed:
    return listed.Listed(loaded(case).rules, loaded(case).engine, next(iter(plan_of(case).kept.values())))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(KEPT), st.integers(0, 2**64 - 1), st.integers(1, 250), st.integers(0, 12))
def test_a_list_of_legal_sites_plays_the_games_of_the_everyday_engine(case: Case, seed: int, longest: int, played: int):
    game = loaded(case)
    begun = playout(game.engine, seed ^ 5, played)
    start = begun.state if begun.outcome is None else game.engine.start()
    expected = playout(game.engine, seed, longest, start)
    assert list_of(case).game(seed, longest, start) == (len(expected.moves), expected.outcome)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from((*KEPT, *OTHERS)), st.integers(0, 2**64 - 1), st.integers(1, 150), st.integers(0, 30))
def test_a_kernel_plays_the_games_of_the_everyday_engine_from_anywhere(case: Case, seed: int, longest: int, played: int):
    game = loaded(case)
    begun = playout(game.engine, seed ^ 7, played)
    start = begun.state if begun.outcome is None else game.engine.start()
    (found,) = kernel_of(case).each(1, seed, longest, start)
    expected = playout(game.engine, seed, longest, start)
    assert (found.plies, found.outcome) == (len(expected.moves), expected.outcome)
    if expected.outcome is None or expected.outcome.kind != "no rule":
        assert found.state == expected.state


def test_the_list_is_what_plays_where_nothing_is_compiled():
    case = KEPT[1]
    game = loaded(case)
    plain = run.runner(game.rules, game.engine, compiled=False).playouts(40, seed=6)
    kept = run.runner(game.rules, game.engine, plan_of(case), compiled=False).playouts(40, seed=6)
    assert (kept.lengths, kept.ends, kept.backend) == (plain.lengths, plain.ends, plain.backend)


def test_line_words_are_forgotten_and_found_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listed, "MOST", 50)
    case = KEPT[1]
    game = loaded(case)
    again = listed.Listed(game.rules, game.engine, next(iter(plan_of(case).kept.values())))
    start = game.engine.start()
    assert [again.game(s, 100, start) for s in range(40)] == [list_of(case).game(s, 100, start) for s in range(40)]
