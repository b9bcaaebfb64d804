"""Compiled kernels mean the same as the emitted Python, and as the pinned counts of the oracles."""

from __future__ import annotations

import ast
import functools
import json
from pathlib import Path
from typing import Any

import pytest

from lawstone import Game
from lawstone.engine.kernel import layout, llvm, run, steps
from lawstone.engine.kernel import plan as plan_module
from lawstone.engine.kernel.plan import NO_PLAN, Plan
from lawstone.engine.kernel.text import KernelWriter
from lawstone.engine.perft import perft
from lawstone.engine.playout import Dice, playout
from lawstone.engine.state import members
from lawstone.prove import facts
from lawstone.work.cache import Cache

pytest.importorskip("llvmlite", reason="the extra `fast` is not installed")
ROOT = Path(__file__).resolve().parent
LEAVES = 300_000
"""Pinned counts up to this are compared; deeper ones cost more and say no more."""
CASES: tuple[tuple[str, str, tuple[int, int] | None], ...] = (
    ("tic-tac-toe", "", None), ("connect-four", "", None), ("breakthrough", "", None), ("teeko", "", None),
    ("yavalath", "", None), ("nine-mens-morris", "", None), ("pente", "", None), ("oxono", "", None), ("wugun", "", None),
    ("xxung", "", None), ("xxung", "", (8, 8)), ("xxung", "", (15, 15)), ("gomoku", "", None), ("gomoku", "", (8, 8)),
    ("gomoku", "", (19, 19)), ("gomoku", "", (1, 9)), ("gomoku", "", (9, 1)), ("gomoku", "pro", None), ("gomoku", "swap", (9, 9)),
    ("gomoku", "swap2", (9, 9)),
)  # fmt: skip
NAMES = [" ".join(filter(None, (g, v, "x".join(map(str, b)) if b else ""))) for g, v, b in CASES]


@functools.cache
def loaded(name: str, variant: str, board: tuple[int, int] | None, reading: tuple[tuple[str, str], ...] = ()) -> Game:
    return Game.load(name, variant, dict(reading), board)


@functools.cache
def plan_of(game: Game) -> Plan:
    return facts.settle(game.rules)[0]


@functools.cache
def kernel_of(game: Game, planned: bool = True) -> run.Kernel:
    return run.Kernel(game.rules, game.engine, plan_of(game) if planned else NO_PLAN)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_seed_gives_the_same_game_compiled_and_in_python(case: tuple[str, str, tuple[int, int] | None]):
    kernel_of(loaded(*case)).check(games=30, seed=1_000, longest=250)


def _seed_of(word: int, draw: int) -> int:
    """The seed from which SplitMix64 gives a word at a draw: its mixing run backwards."""
    z = word ^ word >> 31 ^ word >> 62
    for shift, factor in ((27, 0x94D049BB133111EB), (30, 0xBF58476D1CE4E5B9)):
        z = z * pow(factor, -1, 1 << 64) & (1 << 64) - 1
        z ^= z >> shift ^ z >> 2 * shift
    return (z - draw * 0x9E3779B97F4A7C15) & (1 << 64) - 1


@pytest.mark.parametrize("draw", [1, 2, 9, 33, 34])
@pytest.mark.parametrize(
    "case", [("gomoku", "", None), ("gomoku", "", (19, 19)), ("gomoku", "", (25, 25)), ("gomoku", "pro", None)]
)
def test_a_draw_that_is_thrown_away_is_thrown_away_in_the_kernel_too(case: Any, draw: int):
    game = loaded(*case)
    seed = _seed_of((1 << 64) - 1, draw)
    words = Dice(seed)
    assert [words.word() for _ in range(draw)][-1] == (1 << 64) - 1
    kept = Dice(seed)
    kept.state = (seed + 0x9E3779B97F4A7C15 * (draw - 1)) & (1 << 64) - 1
    kept.below(game.rules.board.size - draw + 1)
    drawn = (kept.state - seed) * pow(0x9E3779B97F4A7C15, -1, 1 << 64) & (1 << 64) - 1
    assert drawn == draw + ((1 << 64) % (game.rules.board.size - draw + 1) > 0)
    kernel_of(game).check(games=1, seed=seed)


@pytest.mark.parametrize("longest", [1, 2, 9, 12, 60])
@pytest.mark.parametrize(
    "case", [("gomoku", "", (5, 5)), ("gomoku", "swap2", (5, 2)), ("gomoku", "", (9, 9)), ("yavalath", "", None)]
)
def test_a_game_that_is_cut_is_cut_at_the_same_ply_by_a_kept_set(case: Any, longest: int):
    game = loaded(*case)
    assert plan_of(game).kept
    kernel_of(game).check(games=25, longest=longest)


def test_a_draw_by_the_board_comes_before_a_five_where_the_reading_says_so():
    game = loaded("gomoku", "", (5, 5), (("last-stone", "draw-first"),))
    assert plan_of(game).kept
    kernel_of(game).check(games=200)


@pytest.mark.parametrize("name", ["gomoku", "xxung"])
def test_a_plan_changes_the_speed_and_not_the_game(name: str):
    game = loaded(name, "", None)
    with_plan, without = kernel_of(game), kernel_of(game, False)
    assert with_plan.code != without.code
    assert list(with_plan.each(300, 77)) == list(without.each(300, 77))
    assert with_plan.playouts(500, 77).choices == without.playouts(500, 77).choices


@pytest.mark.parametrize(
    ("case", "kept", "single"),
    [
        (("gomoku", "", None), ["main"], []), (("gomoku", "pro", None), ["main"], []), (("gomoku", "swap2", (9, 9)), ["main"], []),
        (("tic-tac-toe", "", None), ["main"], []), (("yavalath", "", None), ["main"], []), (("xxung", "", None), [], ["last"]),
        (("oxono", "", None), [], ["totem o", "totem x"]), (("pente", "", None), [], []), (("connect-four", "", None), [], []),
    ],
)  # fmt: skip
def test_the_plan_of_each_game_is_the_one_that_was_proved(case: Any, kept: list[str], single: list[str]):
    plan = plan_of(loaded(*case))
    assert sorted(plan.kept) == kept
    assert sorted(plan.single) == single


NEXT_TO_IT = (("how-far", "next-to-it"),)
DIAGONALS = (("in-line", "diagonals-too"),)


@pytest.mark.parametrize(
    "case",
    [
        ("xxung", "", None, NEXT_TO_IT), ("xxung", "", (15, 15), NEXT_TO_IT), ("xxung", "", (5, 14), DIAGONALS),
        ("connect-four", "", None),
    ],
)  # fmt: skip
def test_lines_beside_a_legal_set_that_changes_end_the_same_games(case: Any):
    game = loaded(*case)
    plan = plan_of(game)
    assert list(plan.lined) == ["main"]
    assert not plan.kept
    kernel = kernel_of(game)
    assert "through(" in kernel.text
    plain = run.Kernel(game.rules, game.engine, Plan(single=plan.single))
    assert "through(" not in plain.text
    assert list(kernel.each(400, 55)) == list(plain.each(400, 55))
    longest = 7
    assert list(kernel.each(50, 3, longest)) == list(plain.each(50, 3, longest))
    state = playout(game.engine, 4, 6).state
    assert list(kernel.each(200, 9, start=state)) == list(plain.each(200, 9, start=state))


@pytest.mark.parametrize("case", [("breakthrough", "", None), ("gomoku", "", (9, 9)), ("xxung", "", None), ("oxono", "", None)])
def test_a_machine_that_cannot_deposit_bits_plays_the_same_games(case: Any, monkeypatch: pytest.MonkeyPatch):
    from lawstone.engine.kernel import native

    game = loaded(*case)
    monkeypatch.setattr(native, "has_bmi", lambda: False)
    kernel = run.Kernel(game.rules, game.engine, plan_of(game))
    assert "pdep" not in kernel.code
    kernel.check(games=40, seed=9, longest=250)


def test_an_opening_of_few_pieces_tests_no_ending():
    game = loaded("gomoku", "swap2", (9, 9))
    plan, phases = plan_of(game), game.rules.phases
    openings = {n: p.turns for n, p in phases.items() if n != "main"}
    assert plan.never == {
        (n, t, i) for n, turns in openings.items() for t, turn in enumerate(turns) for i in range(len(turn.endings))
    }
    assert all(0 <= most <= 5 for sizes in plan.most.values() for most in sizes.values())


def test_an_ending_that_few_pieces_are_enough_for_is_tested():
    three = loaded("gomoku", "swap", (3, 1))
    endings = three.rules.phases["opening 3"].turns[0].endings
    full, five = ([i for i, e in enumerate(endings) if e.rule == rule] for rule in ("end.full", "end.five"))
    tested = {i for n, t, i in plan_of(three).never if n == "opening 3" and not t}
    assert not tested & set(full)
    assert tested >= set(five)
    kernel_of(three).check(games=20)


def test_a_position_with_more_pieces_than_an_opening_has_is_left_to_python():
    game = loaded("gomoku", "pro", None)
    start = game.engine.start()
    mine = next(i for i, v in enumerate(game.rules.variables) if v.name.startswith("mine."))
    many = type(start)(tuple(0b1101 if i == mine else x for i, x in enumerate(start.values)), start.phase, start.seat)
    with pytest.raises(llvm.Unsupported):
        kernel_of(game).playouts(1, start=many)
    sample = run.Runner(game.rules, game.engine, kernel_of(game)).playouts(3, 5, start=many)
    assert sample.backend == run.EMITTED
    assert sample.plies == sum(len(playout(game.engine, 5 + i, start=many).moves) for i in range(3))


@pytest.mark.parametrize("longest", [1, 2, 7, 300])
@pytest.mark.parametrize("board", [(5, 7), (8, 8), (9, 9), (12, 5), (15, 15), (19, 19), (25, 25)], ids=str)
def test_slides_along_lines_lead_to_the_same_games(board: tuple[int, int], longest: int):
    kernel = kernel_of(loaded("xxung", "", board))
    assert list(kernel.machine.slid) == ["main"]
    kernel.check(games=25, seed=50, longest=longest)


@pytest.mark.parametrize("board", [(8, 8), (15, 15)], ids=str)
def test_slides_along_lines_begin_in_the_middle_of_a_game_for_either_player(board: tuple[int, int]):
    game = loaded("xxung", "", board)
    for before in range(1, 9):
        start = playout(game.engine, before, before).state
        for seed in range(5):
            (found,) = kernel_of(game).each(1, seed, 200, start)
            expected = playout(game.engine, seed, 200, start)
            assert (found.plies, found.outcome, found.state) == (len(expected.moves), expected.outcome, expected.state)


@pytest.mark.parametrize(
    ("question", "answer", "slid"),
    [
        ("six", "does-not", True), ("two-at-once", "block-first", True), ("first-piece", "centre", True),
        ("last-piece", "of-the-opponent", False), ("in-between", "nothing-blocks", False), ("in-between", "only-own-pieces", False),
        ("in-line", "diagonals-too", False), ("who-is-blocked", "either-player", False), ("how-far", "next-to-it", False),
    ],
)  # fmt: skip
def test_slides_along_lines_are_used_only_where_the_reading_has_them(question: str, answer: str, slid: bool):
    kernel = kernel_of(loaded("xxung", "", None, ((question, answer),)))
    assert bool(kernel.machine.slid) == slid
    kernel.check(games=25, longest=300)


def test_lines_are_not_used_where_a_set_loses_pieces():
    assert plan_of(loaded("pente", "", None)).lined == {}


def test_a_line_through_the_placed_piece_is_not_enough_when_a_line_may_stand_before():
    game = loaded("gomoku", "", (7, 7))
    (kept,) = plan_module.candidates(game.rules)
    turn = game.rules.phases["main"].turns[0]
    flag = plan_module.through_fact(turn, kept.lines[0], game.rules.board.longest_line)
    assert facts._verdict(game.rules, "main", flag, kept.lines[0].ending, {}) == "not proved"
    assert facts._verdict(game.rules, "main", flag, kept.lines[0].ending, {kept.lines[0].ending: True}) == "proved"


def test_stored_facts_are_those_that_were_settled(tmp_path: Path):
    game = loaded("tic-tac-toe", "", None)
    first = facts.facts(game.rules, tmp_path)
    assert facts.facts(game.rules, tmp_path) == first
    assert first[0].kept
    stored = Cache(tmp_path, part="facts")
    rows = stored.get(facts.digest(game.rules))
    stored.put(facts.digest(game.rules), [row | {"verdict": "not proved"} for row in rows])
    assert not facts.facts(game.rules, tmp_path)[0].kept
    (file,) = (f for f in (tmp_path / "facts").rglob("*") if f.is_file())
    file.write_text(file.read_text(encoding="utf-8").replace('"not proved"', '"proved"'), encoding="utf-8")
    assert [s.verdict for s in facts.facts(game.rules, tmp_path)[1]] == [s.verdict for s in first[1]], "a damaged file is made anew"


def pinned() -> list[dict[str, Any]]:
    listed = [c for file in sorted((ROOT / "perft").glob("*.json")) for c in json.loads(file.read_text(encoding="utf-8"))]
    return [c for c in listed if c["sequences"][0] and not (c.get("variant") and c.get("board") == "15x15")]


@pytest.mark.parametrize("case", pinned(), ids=lambda c: " ".join(str(c[k]) for k in ("game", "variant", "board") if c.get(k)))
def test_compiled_perft_gives_the_pinned_counts(case: dict[str, Any]):
    board = tuple(map(int, case["board"].split("x"))) if "x" in str(case.get("board")) else None
    reading = tuple(sorted((case.get("reading") or {}).items()))
    kernel = kernel_of(loaded(case["game"], case.get("variant") or "", board, reading))
    for depth, (sequences, going) in enumerate(zip(case["sequences"], case["open"], strict=True), 1):
        if sequences > LEAVES:
            break
        assert kernel.perft(depth) == (sequences, going)
        assert kernel.perft(depth, how="bulk")[0] == sequences
        assert kernel.perft(depth, how="played")[0] == sequences


@pytest.mark.parametrize("name", ["oxono", "wugun", "nine-mens-morris"])
def test_compiled_perft_from_the_middle_of_a_game_is_that_of_python(name: str):
    game = loaded(name, "", None)
    kernel = kernel_of(game)
    for seed in range(12):
        state = playout(game.engine, seed, 4 + 4 * seed).state
        counts = perft(game.engine, 1, state)
        assert kernel.perft(1, state) == (counts.sequences[0], counts.open[0])


def test_the_mean_length_of_oxono_is_that_of_two_other_programs():
    sample = kernel_of(loaded("oxono", "", None)).playouts(200_000, seed=5)
    assert abs(sample.mean_length - 18.616) < 4 * sample.deviation / sample.games**0.5
    assert sum(sample.ends.values()) == sum(sample.lengths.values()) == 200_000


def test_the_mean_length_of_gomoku_is_that_of_four_other_programs():
    sample = kernel_of(loaded("gomoku", "", None)).playouts(40_000, seed=5)
    assert abs(sample.mean_length - 112.6) < 4 * sample.deviation / sample.games**0.5


def test_a_kernel_that_plays_another_game_is_not_trusted(monkeypatch: pytest.MonkeyPatch):
    wrong, right = loaded("tic-tac-toe", "", None), loaded("connect-four", "", None)
    with monkeypatch.context() as patched:
        written = KernelWriter.module
        patched.setattr(KernelWriter, "module", lambda self: written(self).replace("(v_mine_disc | ", "(v_theirs_disc | "))
        found = run.runner(right.rules, right.engine)
    assert found.kernel is None
    assert found.backend == "emitted Python"
    assert "not trusted" in found.reason
    assert run.runner(wrong.rules, wrong.engine).backend == "compiled"


def test_without_llvmlite_the_emitted_python_plays_the_same_games(monkeypatch: pytest.MonkeyPatch):
    game = loaded("oxono", "", None)
    compiled = run.runner(game.rules, game.engine).playouts(50, seed=3)

    def missing(*_: object) -> None:
        raise ImportError("no llvmlite")

    monkeypatch.setattr(run, "Kernel", missing)
    plain = run.runner(game.rules, game.engine)
    assert plain.backend == "emitted Python"
    assert "llvmlite is not installed" in plain.reason
    sample = plain.playouts(50, seed=3)
    assert (sample.lengths, sample.ends) == (compiled.lengths, compiled.ends)


def test_picks_step_by_step_are_another_distribution():
    game = loaded("oxono", "", None)
    lengths = [len(steps.step_by_step(game.engine, seed).moves) for seed in range(300)]
    assert all(steps.step_by_step(game.engine, 7).moves == steps.step_by_step(game.engine, 7).moves for _ in range(2))
    first = {steps.step_by_step(game.engine, seed, 1).moves[0].turn for seed in range(40)}
    assert first == {0, 1}
    assert 14 < sum(lengths) / len(lengths) < 24


def test_a_layout_keeps_every_site_and_drops_the_guard_column():
    board = loaded("oxono", "", None).rules.board
    laid = layout.layout(board)
    assert laid.bits == 64
    assert laid.sites(laid.laid((1 << board.size) - 1)) == (1 << board.size) - 1
    assert laid.sites(1 << 6) == 0
    assert members(laid.laid(1 << 6)) == [7]


def test_what_the_compiled_back_end_does_not_know_is_refused():
    function = llvm.Function(64, {})
    with pytest.raises(llvm.Unsupported, match="print"):
        function.run(ast.parse("import print").body)


def test_a_position_with_too_many_options_is_left_to_python_which_says_so(monkeypatch: pytest.MonkeyPatch):
    game = loaded("oxono", "", None)
    expected = run.runner(game.rules, game.engine, compiled=False).playouts(5, seed=4)
    monkeypatch.setattr("lawstone.engine.kernel.playouts.RECORDS", 200)
    found = run.Runner(game.rules, game.engine, run.Kernel(game.rules, game.engine))
    with pytest.raises(llvm.Unsupported, match="too many options"):
        found.kernel.playouts(5, seed=4)  # type: ignore[union-attr]
    sample = found.playouts(5, seed=4)
    assert sample.backend == "emitted Python"
    assert "too many options" in found.why(sample)
    assert (sample.lengths, sample.ends) == (expected.lengths, expected.ends)
