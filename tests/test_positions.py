"""Enumerations find what is known of small games, in any amount of memory, and go on where they were stopped."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lawstone import Game
from lawstone.carried import Carried
from lawstone.check.solve import value
from lawstone.cli.positions import positions as command
from lawstone.engine.best import Best, Unsolved, first_moves
from lawstone.engine.enumerate import DiskFull, Enumeration, Lost, Otherwise, Slice
from lawstone.engine.perft import perft
from lawstone.engine.playout import playout
from lawstone.work.crew import Crew
from oracles.positions import Positions, square

PINNED = json.loads((Path(__file__).parent / "positions.json").read_text(encoding="utf-8"))
WORDS = {3: "win", 2: "draw", 1: "no rule", 0: "loss"}


def enumerated(game: Game, folder: Path, plies: int, compiled: bool = True, **more: Any) -> Enumeration:
    made = Enumeration(game.rules, game.engine, game.walk if compiled else "asked for", folder, **more)
    while not made.finished and len(made.plies) <= plies:
        made.advance()
    return made


def counts(made: Enumeration) -> list[list[int]]:
    return [list(p.positions) for p in made.plies if p.positions[0]]


@pytest.fixture(autouse=True)
def _compiled() -> None:
    pytest.importorskip("llvmlite", reason="the extra `fast` is not installed")


def test_tic_tac_toe_has_765_positions_and_5478_with_their_images(tmp_path: Path):
    # Wikipedia, Tic-tac-toe, section on combinatorics: 765 essentially different positions
    made = enumerated(Game.load("tic-tac-toe"), tmp_path, 20)
    assert made.total == (765, 5_478)
    assert made.finished
    won = [sum(n for rule, (_, n) in p.ends.items() if rule == "end.three") for p in made.plies]
    assert won == [0, 0, 0, 0, 0, 120, 148, 444, 168, 62]
    assert made.plies[9].ends["end.full"] == (3, 16)


@pytest.mark.parametrize("case", PINNED["counts"], ids=lambda c: f"{c['game']} {c['board']}")
def test_positions_are_those_that_the_oracles_find(case: dict[str, Any], tmp_path: Path):
    side = int(case["board"].split("x")[0])
    board = (side, side) if case["game"] in ("xxung", "gomoku") else None
    made = enumerated(Game.load(case["game"], board=board), tmp_path, len(case["positions"]) - 1)
    assert counts(made) == case["positions"]
    assert made.finished == case["finished"]


def fixed(n: int, black: int, white: int) -> int:
    """Ways to lay black and white stones on a square board, up to symmetry: Burnside's lemma over the cycles of each map."""
    total = 0
    for image in square(n):
        left, cycles = {f"{c}{r}" for c in "abcdefghijklmnopqrstuvwxyz"[:n] for r in range(1, n + 1)}, list[int]()
        while left:
            at = first = left.pop()
            size = 1
            while (at := image(at)) != first:
                left.discard(at)
                size += 1
            cycles.append(size)
        ways = {(0, 0): 1}
        for size in cycles:
            more: dict[tuple[int, int], int] = {}
            for (b, w), k in ways.items():
                for to in ((b, w), (b + size, w), (b, w + size)):
                    if to[0] <= black and to[1] <= white:
                        more[to] = more.get(to, 0) + k
            ways = more
        total += ways.get((black, white), 0)
    return total // 8


def test_openings_of_gomoku_are_as_many_as_burnsides_lemma_says(tmp_path: Path):
    made = enumerated(Game.load("gomoku"), tmp_path, 3)
    assert counts(made)[1:] == [
        [fixed(15, 1, 0), 225], [fixed(15, 1, 1), 225 * 224], [fixed(15, 2, 1), comb(225, 2) * 223],
    ]  # fmt: skip


def test_both_back_ends_write_the_same_files_in_any_memory(tmp_path: Path):
    game = Game.load("xxung", board=(3, 3))
    made = [
        enumerated(game, tmp_path / "compiled", 20), enumerated(game, tmp_path / "plain", 20, compiled=False),
        enumerated(game, tmp_path / "small", 20, memory=0),
    ]  # fmt: skip
    made[2].room = 10
    again = Enumeration(game.rules, game.engine, game.walk, tmp_path / "narrow")
    again.room = 5
    while not again.finished:
        again.advance()
    files = [{f.name: f.read_bytes() for f in sorted(m.folder.glob("ply-*.rows"))} for m in (*made, again)]
    assert all(f == files[0] for f in files)
    assert made[0].plies == made[1].plies == again.plies
    assert not list(again.folder.glob("run-*"))


def test_every_position_kept_is_counted_like_one_of_each_kind(tmp_path: Path):
    game = Game.load("oxono")
    kinds, every = enumerated(game, tmp_path / "kinds", 2), enumerated(game, tmp_path / "every", 2, symmetric=False)
    assert [p.positions[1] for p in kinds.plies] == [p.positions[0] for p in every.plies] == [1, 68, 3_564]
    assert [p.positions[0] for p in kinds.plies] == [1, 17, 891]


def test_positions_of_a_ply_are_those_of_perft_where_pieces_move(tmp_path: Path):
    for name in ("breakthrough", "teeko", "nine-mens-morris"):
        game = Game.load(name)
        made = enumerated(game, tmp_path / name, 2)
        assert [p.positions[1] for p in made.plies[1:]] == perft(game.engine, 2).positions


def test_a_position_that_comes_back_is_counted_where_it_is_first_reached(tmp_path: Path):
    # a Teeko board of eight set pieces: after two moves of each player all can stand as they stood
    game = Game.load("teeko")
    state = playout(game.engine, 0, 8).state
    assert state.phase != game.rules.start_phase
    rules = replace(game.rules, start=dict(zip((v.name for v in game.rules.variables), state.values, strict=True)),
                    start_phase=state.phase, start_seat=state.seat)  # fmt: skip
    moved = Game(game.spec, rules)
    made = enumerated(moved, tmp_path, 4, symmetric=False)
    met, front, found = {state}, {state}, list[int]()
    for _ in range(4):
        after = {moved.engine.play(s, m) for s in front for m in moved.engine.moves(s)}
        new = {a for a in after if a.state not in met}
        found.append(len({a.state for a in new}))
        met |= {a.state for a in new}
        front = {a.state for a in new if a.outcome is None}
    assert [p.positions[1] for p in made.plies[1:]] == found
    assert perft(moved.engine, 4).positions[3] > found[3]


class Stop(Exception):
    pass


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    game = Game.load("tic-tac-toe")
    whole = enumerated(game, tmp_path / "whole", 20)
    monkeypatch.setattr("lawstone.engine.enumerate.BATCH", 7)
    stopped = 0
    while True:
        made = Enumeration(game.rules, game.engine, game.walk, tmp_path / "parts")
        made.room = 20
        if made.finished:
            break

        def tell(done: int, of: int, read: int = made.portion.read) -> None:
            if done > read + 60:
                raise Stop

        try:
            made.advance(tell)
        except Stop:
            stopped += 1
    assert stopped > 3
    assert made.plies == whole.plies
    names = sorted(f.name for f in whole.folder.glob("ply-*.rows"))
    assert all((made.folder / n).read_bytes() == (whole.folder / n).read_bytes() for n in names)


def slices_of(game: Game, board: tuple[int, int]) -> Slice:
    return Slice(Carried.of(game.spec), "", (), board)


def test_workers_make_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    game = Game.load("xxung", board=(4, 4))
    alone = enumerated(game, tmp_path / "alone", 10)
    monkeypatch.setattr("lawstone.engine.enumerate.SLICE", 2_500)
    crew = Crew(2)
    made = Enumeration(game.rules, game.engine, game.walk, tmp_path / "crew", slices=slices_of(game, (4, 4)))
    asked: list[int] = []
    each = Crew.each

    def counted(self: Crew, ask: Any, questions: Any, lost: Any) -> Any:
        asked.append(len(questions))
        return each(self, ask, questions, lost)

    monkeypatch.setattr(Crew, "each", counted)
    while len(made.plies) <= 10:
        made.advance(crew=crew)
    assert asked
    assert max(asked) > 1
    assert made.plies == alone.plies
    for file in alone.folder.glob("ply-*.rows"):
        assert (made.folder / file.name).read_bytes() == file.read_bytes()


def test_a_slice_that_is_lost_stops_the_run_and_loses_nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    game = Game.load("xxung", board=(4, 4))
    made = Enumeration(game.rules, game.engine, game.walk, tmp_path, slices=slices_of(game, (4, 4)))
    while len(made.plies) <= 7:
        made.advance()
    monkeypatch.setattr("lawstone.engine.enumerate.SLICE", 2_000)
    with monkeypatch.context() as patched:
        patched.setattr(Crew, "each", lambda self, ask, questions, lost: [lost(q, "killed") for q in questions])
        with pytest.raises(Lost, match="killed"):
            made.advance(crew=Crew(2))
    again = Enumeration(game.rules, game.engine, game.walk, tmp_path)
    assert list(again.advance().positions) == PINNED["counts"][1]["positions"][8]


def test_a_folder_of_another_enumeration_is_not_taken_up(tmp_path: Path):
    enumerated(Game.load("tic-tac-toe"), tmp_path, 1)
    with pytest.raises(Otherwise, match="another enumeration"):
        enumerated(Game.load("xxung", board=(3, 3)), tmp_path, 1)
    (tmp_path / "enumeration.json").write_text("{", encoding="utf-8")
    found = CliRunner().invoke(command, ["tic-tac-toe", "--folder", str(tmp_path)])
    assert found.exit_code != 0
    assert isinstance(found.exception, Exception)


def test_a_bound_on_disk_stops_with_what_there_is(tmp_path: Path):
    game = Game.load("oxono")
    made = Enumeration(game.rules, game.engine, game.walk, tmp_path, disk=200_000)
    made.advance()
    made.advance()
    with pytest.raises(DiskFull, match="GiB"):
        made.advance()
    assert [p.positions for p in made.plies] == [(1, 1), (17, 68), (891, 3_564)]


def test_who_wins_from_each_first_square_is_what_the_oracle_and_the_plain_search_find():
    for size in (3, 4):
        game = Game.load("xxung", board=(size, size))
        best = Best(game.rules, game.walk, 1 << 22)  # type: ignore[arg-type]
        start = game.start().state
        found = {text: best.worth(start, after, over, 10**6) for text, after, over in first_moves(game)}
        assert {WORDS[v] for v in found.values()} <= {"win", "loss"}
        told = Positions("xxung", size).winners() if size == 3 else PINNED["winners"]["4x4"]
        assert {s: "first" if v == 3 else "second" for s, v in found.items()} == told
        assert value(game, 10**6) == ("first wins" if 3 in found.values() else "second wins")


def test_who_wins_on_5x5_is_what_a_program_of_its_own_finds():
    game = Game.load("xxung", board=(5, 5))
    best = Best(game.rules, game.walk, 1 << 27)  # type: ignore[arg-type]
    start = game.start().state
    found = {text: best.worth(start, after, over, 10**7) for text, after, over in first_moves(game)}
    assert {s: "first" if v == 3 else "second" for s, v in found.items()} == PINNED["winners"]["5x5"]


def test_a_small_table_forgets_and_finds_the_same():
    game = Game.load("xxung", board=(4, 4))
    values = []
    for memory in (1 << 12, 1 << 24):
        best = Best(game.rules, game.walk, memory)  # type: ignore[arg-type]
        values.append([best.worth(game.start().state, after, over, 10**7) for _, after, over in first_moves(game)])
    assert values[0] == values[1]


def test_best_play_stops_where_it_is_told_and_where_play_comes_back():
    oxono = Game.load("oxono")
    _, after, _ = first_moves(oxono)[0]
    with pytest.raises(Unsolved, match="more than 2,000 positions"):
        Best(oxono.rules, oxono.walk, 1 << 22).value(after, 2_000)  # type: ignore[arg-type]
    moving = Game.load("breakthrough")
    with pytest.raises(Unsolved, match="come back"):
        Best(moving.rules, moving.walk, 1 << 22).value(moving.start().state, 10**6)  # type: ignore[arg-type]


def test_the_command_draws_who_wins_and_counts_as_json():
    drawn = CliRunner().invoke(command, ["xxung", "--board", "3x3", "--values"], standalone_mode=False)
    assert "   3  W L W\n   2  L W L\n   1  W L W\n      a b c" in drawn.output
    counted = json.loads(CliRunner().invoke(command, ["tic-tac-toe", "--json"], standalone_mode=False).output)
    assert counted["total"] == {"up to symmetry": 765, "all": 5_478}
    assert counted["finished"] is True
    for wrong in (["--values", "--plies", "3"], ["--memory", "9"]):
        assert CliRunner().invoke(command, ["tic-tac-toe", *wrong]).exit_code == 2


def test_the_maps_of_a_square_are_eight_and_different():
    sites = [f"{c}{r}" for c, r in product("abc", "123")]
    assert len({tuple(m(s) for s in sites) for m in square(3)}) == 8
