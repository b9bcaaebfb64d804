"""The public Python API: its doctests hold, its names exist, and importing it costs nothing."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import lawstone
import lawstone.core

ROOT = Path(__file__).resolve().parents[1]


def test_the_examples_in_the_docstrings_hold():
    found = doctest.testmod(lawstone)
    assert found.attempted > 25
    assert found.failed == 0


def test_the_example_of_the_core_holds():
    found = doctest.testmod(lawstone.core)
    assert found.attempted == 5
    assert found.failed == 0


def test_every_public_name_exists_and_is_documented():
    for name in set(lawstone.__all__) - {"__version__"}:
        assert getattr(lawstone, name).__doc__, f"{name} says nothing of itself"
    assert set(lawstone.__all__) <= set(dir(lawstone))
    assert set(lawstone._HOMES) <= set(lawstone.__all__)


def test_a_name_that_does_not_exist_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'Board'"):
        _ = lawstone.Board  # type: ignore[attr-defined]


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import lawstone, sys; print(*sorted({'pydantic', 'ruamel', 'click', 'rich'} & {m.partition('.')[0] for m in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == []


def test_a_type_checker_knows_the_types_of_the_public_names(tmp_path: Path):
    program = tmp_path / "user.py"
    program.write_text(
        "import lawstone\n"
        "position: lawstone.Position = lawstone.Game.load('oxono').start()\n"
        "moves: tuple[lawstone.Move, ...] = position.moves\n"
        "sequences: list[int] = lawstone.perft(position, 2).sequences\n"
        "lawstone.perft(position, 'two')\n"
        "lawstone.nonsense\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context", str(program)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    told = [line.rpartition("[")[2].rstrip("]") for line in done.stdout.splitlines() if ": error: " in line]
    assert told == ["arg-type", "attr-defined"], done.stdout + done.stderr
