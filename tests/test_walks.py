"""Compiled steps mean the same as the everyday engine, and compiled games of two readings part where Python says they do."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawstone import Game
from lawstone.check.gaps import gaps
from lawstone.check.lockstep import Pair
from lawstone.check.search import FASTER, WAYS, Budget, Search, by_chance, by_kernel, one_game, search
from lawstone.engine.kernel import walk as walk_module
from lawstone.engine.kernel.text import KernelWriter
from lawstone.engine.kernel.walk import Walk, agreed
from lawstone.engine.playout import Dice

pytest.importorskip("llvmlite", reason="the extra `fast` is not installed")
Case = tuple[str, str, tuple[int, int] | None, tuple[tuple[str, str], ...]]
CASES: tuple[Case, ...] = (
    ("tic-tac-toe", "", None, ()), ("connect-four", "", None, ()), ("breakthrough", "", None, ()), ("teeko", "", None, ()),
    ("yavalath", "", None, ()), ("nine-mens-morris", "", None, ()), ("pente", "", None, ()), ("oxono", "", None, ()),
    ("wugun", "", None, ()), ("xxung", "", None, ()), ("xxung", "", (8, 8), ()), ("xxung", "", (15, 15), ()),
    ("gomoku", "", None, ()), ("gomoku", "", (8, 8), ()), ("gomoku", "", (19, 19), ()), ("gomoku", "", (1, 9), ()),
    ("gomoku", "", (9, 1), ()), ("gomoku", "pro", None, ()), ("gomoku", "swap", (9, 9), ()), ("gomoku", "swap2", (9, 9), ()),
    ("gomoku", "", (9, 9), (("overline", "wins"),)),
)  # fmt: skip


@functools.cache
def loaded(case: Case) -> Game:
    name, variant, board, reading = case
    return Game.load(name, variant, dict(reading), board)


@functools.cache
def walk_of(case: Case) -> Walk:
    return Walk(loaded(case).rules)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(CASES), st.integers(0, 2**64 - 1))
def test_every_option_and_every_move_of_a_game_is_that_of_python(case: Case, seed: int):
    game, walk = loaded(case), walk_of(case)
    assert walk.agrees(game.engine, games=1, seed=seed, longest=120) is None
    dice, state = Dice(seed), game.engine.start()
    for _ in range(dice.below(40)):
        options = game.engine.options[game.engine.index[state.phase]](*state.values)
        assert walk.listed(state) == options
        if not options:
            break
        option = options[dice.below(len(options))]
        state, outcome = game.engine.play(state, game.engine.nth(option, dice.below(option[0])))
        if outcome is not None:
            break


def pair_of(name: str, board: Any, *answers: tuple[str, str]) -> Pair:
    return Pair(loaded((name, "", board, ())), loaded((name, "", board, answers)))


@pytest.mark.parametrize("way", range(3))
@pytest.mark.parametrize(("name", "board", "answer"), [("gomoku", (9, 9), ("overline", "wins")), ("xxung", None, ("", ""))])
def test_a_game_parts_compiled_where_it_parts_in_python(name: str, board: Any, answer: tuple[str, str], way: int):
    pair = pair_of(name, board, answer) if answer[0] else pair_of(name, board)
    both = pair.compiled
    assert not isinstance(both, str)
    parted = 0
    for seed in range(way, 400, 9):
        line = one_game(pair, WAYS[way], Dice(seed), 320, Search())
        # the way of a game is told by its number: the game of this way is the last of the run
        alone = both.run(way + 1, seed - way, 320, 10**9)
        others = both.run(way, seed - way, 320, 10**9)
        if line is None or (others.first is not None and others.at <= len(line)):
            assert (alone.first, alone.at) == (others.first, others.at)
        else:
            assert (alone.first, alone.at) == (way, len(line))
            parted += 1
    assert parted or not answer[0]


def test_the_search_takes_the_earliest_of_many_compiled_games():
    pair, budget = pair_of("gomoku", (9, 9), ("overline", "wins")), Budget(games=30)
    found = Search()
    line = by_chance(pair, budget, found)
    assert line is not None
    assert (found.by, found.games) == ("compiled", 30 * FASTER)
    plain = [one_game(pair, WAYS[n % 3], Dice(budget.seed * 1_000_003 + n), budget.plies, Search()) for n in range(30)]
    assert len(line) <= min(len(x) for x in plain if x is not None)
    parting = search(pair, Budget(pairs=0, games=30)).parting
    assert parting is not None
    assert parting.plies <= len(line)
    assert pair.confirm(parting)


def test_without_llvmlite_the_search_plays_in_python_and_says_so(monkeypatch: pytest.MonkeyPatch):
    def missing(*_: object) -> None:
        raise ImportError("no llvmlite")

    monkeypatch.setattr(walk_module, "Walk", missing)
    pair = Pair(Game.load("gomoku", board=(8, 8)), Game.load("gomoku", reading={"overline": "wins"}, board=(8, 8)))
    found = Search()
    by_chance(pair, Budget(games=25), found)
    assert found.by.startswith("emitted Python: llvmlite is not installed")
    assert found.games <= 25


def test_steps_that_play_another_game_are_not_trusted(monkeypatch: pytest.MonkeyPatch):
    game = Game.load("connect-four")
    written = KernelWriter.module
    monkeypatch.setattr(KernelWriter, "module", lambda self: written(self).replace("(v_mine_disc | ", "(v_theirs_disc | "))
    found = agreed(game.rules, game.engine)
    assert isinstance(found, str)
    assert "not trusted" in found


def test_positions_with_too_many_options_are_left_to_python(monkeypatch: pytest.MonkeyPatch):
    pair = pair_of("gomoku", (8, 8), ("overline", "wins"))
    both = pair.compiled
    assert not isinstance(both, str)
    monkeypatch.setitem(both._told, "most", 0)
    found = Search()
    assert by_kernel(pair, Budget(games=10), found) == ("emitted Python: a position had too many options", None)
    assert found.games == 0


def test_a_gap_met_once_in_hundreds_of_games_is_met():
    # another program met a duty that frees nobody in 0.43 % of the random games of Wugun
    game = loaded(("wugun", "", None, ()))
    met = gaps(game, Budget(games=12))
    assert met
    assert all(m.share > 0 for m in met if m.kind != "endless")


def test_machine_code_is_taken_from_the_cache_and_made_again_where_it_is_spoilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LAWSTONE_CACHE", str(tmp_path))
    game = Game.load("tic-tac-toe")
    assert Walk(game.rules).agrees(game.engine, games=5) is None
    (file,) = (tmp_path / "code").iterdir()
    whole, made = file.read_bytes(), file.stat().st_mtime_ns
    assert Walk(game.rules).agrees(game.engine, games=5) is None
    assert file.stat().st_mtime_ns == made
    file.write_bytes(whole[:-9])
    assert Walk(game.rules).agrees(game.engine, games=5) is None
    assert file.read_bytes() == whole


def test_what_was_tried_is_remembered_for_the_same_text_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LAWSTONE_CACHE", str(tmp_path))
    game, other = Game.load("tic-tac-toe"), Game.load("connect-four")
    assert isinstance(agreed(game.rules, game.engine), Walk)
    monkeypatch.setattr(Walk, "agrees", lambda *_, **__: "never the same")
    assert isinstance(agreed(game.rules, game.engine), Walk)
    assert "never the same" in str(agreed(other.rules, other.engine))
