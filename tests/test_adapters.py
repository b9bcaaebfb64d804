"""The adapters under docs/adapters: each runs where its runtime is, and is judged by the published suites."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

from lawstone.cases.conform import run
from lawstone.cases.generate import generate
from lawstone.cases.protocol import Patience, Program
from lawstone.cases.sources import Plan
from lawstone.cases.vector import read_suite
from lawstone.spec import load

ROOT = Path(__file__).resolve().parents[1]
ADAPTERS = ROOT / "docs" / "adapters"
PATIENT = Patience(start=60.0, answer=20.0)


@pytest.mark.parametrize(
    ("runtime", "command"),
    [
        (sys.executable, [sys.executable, str(ADAPTERS / "python" / "adapter.py")]),
        ("node", ["node", str(ADAPTERS / "javascript" / "adapter.js")]),
        ("java", ["java", str(ADAPTERS / "java" / "Adapter.java")]),
    ],
    ids=["python", "javascript", "java"],
)
def test_a_minimal_adapter_is_right_on_every_vector_of_xxung(runtime: str, command: list[str]) -> None:
    if shutil.which(runtime) is None:
        pytest.skip(f"there is no {runtime} here")
    suite = read_suite(ROOT / "tests" / "suites" / "xxung" / "full.json")
    with Program(command, PATIENT) as program:
        done = run(suite, program)
    assert [(r.vector.id, r.told) for r in done.faults] == []
    assert len(done.of("right")) == len(suite.vectors)


def test_the_package_renju_judges_games_without_an_opening_as_the_rules_do() -> None:
    if importlib.util.find_spec("renju") is None:
        pytest.skip("renju is not installed")
    suite = read_suite(ROOT / "tests" / "suites" / "gomoku" / "core.json")
    with Program([sys.executable, str(ADAPTERS / "renju" / "adapter.py")], PATIENT) as program:
        done = run(suite, program)
    assert [(r.vector.id, r.told) for r in done.faults] == []
    assert len(done.of("right")) > 20


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect-four", "breakthrough"])
def test_open_spiel_is_right_on_a_suite_of_a_small_game(game: str) -> None:
    if importlib.util.find_spec("pyspiel") is None:
        pytest.skip("open_spiel is not installed")
    core = generate(load(game), Plan(games=6, replays=5, pairs=300)).core
    with Program([sys.executable, str(ADAPTERS / "open_spiel" / "adapter.py")], PATIENT) as program:
        done = run(core, program)
    assert [(r.vector.id, r.told) for r in done.faults] == []
    assert len(done.of("right")) > 10
