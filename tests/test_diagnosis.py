"""Defects of every class that implementers are known to make, planted in programs: caught by the core suite, and rightly named."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mutants
from lawstone.cases.conform import Conformance, mismatch, run
from lawstone.cases.diagnose import Diagnosis, diagnose
from lawstone.cases.generate import generate
from lawstone.cases.make import Maker
from lawstone.cases.sources import Plan
from lawstone.cases.vector import Suite, read_suite, suite_text
from lawstone.spec import load

ROOT = Path(__file__).resolve().parents[1]
BROKEN = [sys.executable, str(ROOT / "tests" / "broken.py")]
DIAGONALS = ("    frozenset((i, i) for i in range(3)),\n    frozenset((i, 2 - i) for i in range(3)),\n", "")
"""Three in a row along the diagonals is not seen."""
BEFORE = ("if any(line <= own for line in LINES)", "if any(line <= state.marks[state.acts] for line in LINES)")
"""The line is looked for before the mark stands."""
WIN = 'if any(line <= own for line in LINES):\n            ended = (PLAYERS[state.acts], "end.three")\n'
FULL = 'if own | enemy == SITES:\n            ended = ("draw", "end.full")\n'
DRAW_FIRST = (f"{WIN}        el{FULL}", f"{FULL}        el{WIN}")
EDGE = ("if any(line <= own for line in LINES)", "if 0 < site[0] < 2 and 0 < site[1] < 2 and any(line <= own for line in LINES)")
"""Off by one at the rim: a line is not seen where the last mark stands there."""
ONLY_X = ("if any(line <= own for line in LINES)", "if state.acts == 0 and any(line <= own for line in LINES)")


@functools.cache
def maker(game: str) -> Maker:
    return Maker(load(game))


@functools.cache
def suite(game: str) -> Suite:
    """The published core suite, or a full one made now."""
    path = ROOT / "tests" / "suites" / game / "core.json"
    return read_suite(path) if path.exists() else generate(load(game), Plan(games=12, replays=20, pairs=400)).full


def diagnosed(game: str, *exchanged: str) -> tuple[Conformance, Diagnosis]:
    done = run(suite(game), mutants.asking(game, mutants.module_of(game, *exchanged)))
    found = diagnose(maker(game), done.results, mismatch)
    assert found is not None
    return done, found


def names(found: Diagnosis) -> set[str]:
    return {name for c in found.causes for name in (c.candidate.name, *c.others)}


def exchanged(game: str, says: str) -> tuple[str, str]:
    m = next(m for m in mutants.MUTANTS if (m.game, m.says) == (game, says))
    return m.old, m.new


@pytest.mark.parametrize(
    ("defect", "cause"),
    [
        (DIAGONALS, "end.three/directions-orthogonal"),
        (BEFORE, "end.three/no-such-ending"),  # a line that is seen one turn late is not seen where it wins
        (DRAW_FIRST, "order/end.full-before-end.three"),
        (EDGE, "end.three/last-off-the-rim"),
        (ONLY_X, "end.three/only-of-x"),
    ],
)
def test_a_defect_of_tic_tac_toe_is_named(defect: tuple[str, str], cause: str) -> None:
    _, found = diagnosed("tic-tac-toe", *defect)
    assert cause in names(found)
    assert found.causes[0].contradicted_by == ()


@pytest.mark.parametrize(
    ("says", "cause"),
    [
        ("six win too", "window=any-five-points"),
        ("diagonals are forgotten", "directions=row-or-column"),
        ("a five at the rim is not seen", "end.five/last-off-the-rim"),
        ("black only", "end.five/only-of-black"),
        ("long PRO as PRO", "pro.third/at-least-3"),
        ("the first player chooses", "swap.take/by-first"),
        ("the second stone is black", "swap2.second/black-stone"),
        ("the second player chooses again", "swap2.take/by-second"),
    ],
)
def test_a_defect_of_gomoku_or_of_an_opening_is_named(says: str, cause: str) -> None:
    _, found = diagnosed("gomoku", *exchanged("gomoku", says))
    assert cause in (found.causes[0].candidate.name, *found.causes[0].others)
    assert found.unexplained == ()
    assert found.causes[0].contradicted_by == ()


@pytest.mark.parametrize(
    ("says", "cause"),
    [
        ("a five at the rim is none", "rim-five=nothing"),
        ("only the best shape pays", "stacking=best"),
        ("any diagonal three counts", "edge-three=any-diagonal-three"),
        ("one stone is taken however many shapes there are", "filled.white-takes/stack-best"),
        ("Black removes first", "filled.white-removes/by-black"),
        ("a stone steps diagonally too", "step-directions=diagonals-too"),
        ("stones are counted on the board only", "hand-counts=board-only"),
    ],
)
def test_a_defect_of_wugun_is_named(says: str, cause: str) -> None:
    _, found = diagnosed("wugun", *exchanged("wugun", says))
    assert cause in names(found)
    assert found.unexplained == ()
    assert all(c.contradicted_by == () for c in found.causes)


def test_a_phase_that_is_left_too_soon_is_named_in_the_variants_that_keep_it_too() -> None:
    """The steps begin when the mover's hand is empty: nearly all failures have that one cause, in the game and in its variant."""
    _, found = diagnosed("wugun", *exchanged("wugun", "the steps begin when Black's hand is empty"))
    assert found.causes[0].candidate.name == "place.end/hand-of-mover"
    assert len(found.causes[0].explains) > 0.95 * found.failures


@pytest.mark.parametrize(
    ("game", "one", "other", "causes"),
    [
        ("gomoku", "six win too", "the first player chooses", {"window=any-five-points", "swap.take/by-first"}),
        ("wugun", "only the best shape pays", "a stone steps diagonally too", {"stacking=best", "step-directions=diagonals-too"}),
    ],
)
def test_two_defects_at_once_are_both_named(game: str, one: str, other: str, causes: set[str]) -> None:
    _, found = diagnosed(game, *exchanged(game, one), *exchanged(game, other))
    assert causes <= names(found)
    assert found.unexplained == ()


@pytest.mark.parametrize(
    ("game", "defect", "cause"),
    [
        ("tic-tac-toe", DRAW_FIRST, "order/end.full-before-end.three"),
        ("gomoku", exchanged("gomoku", "the first player chooses"), "swap.take/by-first"),
        ("wugun", exchanged("wugun", "Black removes first"), "filled.white-removes/by-black"),
    ],
)
def test_a_broken_program_is_diagnosed_through_the_command(
    game: str, defect: tuple[str, str], cause: str, tmp_path: Path
) -> None:  # fmt: skip
    path = tmp_path / "suite.json"
    path.write_text(suite_text(suite(game).model_copy(update={"name": "own"})), encoding="utf-8")
    patience = ["--start-timeout", "60", "--timeout", "30"]
    command = [sys.executable, "-m", "lawstone", "conform", game, "--suite", str(path), "--json", *patience]
    command += ["--", *BROKEN, game, *defect]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stderr
    told: dict[str, Any] = json.loads(ran.stdout)["diagnosis"]
    assert cause in (told["causes"][0]["name"], *told["causes"][0]["as well"])
    assert told["unexplained"] == []
