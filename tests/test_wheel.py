"""The built wheel works in a clean environment, far from the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.wheel


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; fails with all it said if it ends with another code than 0."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**env, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a new environment that holds the wheel, what it asks for, and nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    pins = re.findall(r"^[\w.-]+==[^\s\\]+(?: ; [^\\\n]+)?", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(pins), encoding="utf-8")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "env", cwd=folder)
    python = folder / "env" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "--quiet")
    run(*pip, "install", "--only-binary", ":all:", "--constraint", constraints, wheel, cwd=folder)
    return python.parent


def test_the_wheel_carries_every_file_of_the_package_and_its_data(wheel: Path):
    held = set(zipfile.ZipFile(wheel).namelist())
    places = {
        "rules/lawstone": "lawstone",
        "spec": "lawstone/_data/spec",
        "proofs": "lawstone/_data/proofs",
        "tests/suites": "lawstone/_data/suites",
    }
    wanted = {
        f"{there}/{file.relative_to(ROOT / here).as_posix()}"
        for here, there in places.items()
        for file in (ROOT / here).rglob("*")
        if file.is_file() and file.suffix != ".pyc" and not any(part.startswith(".") for part in file.parts[-2:])
    }
    assert "lawstone/py.typed" in wanted
    assert wanted <= held
    assert {name for name in held if ".dist-info/" not in name} <= wanted


def test_the_installed_wheel_brings_checks_and_shows_its_games_from_another_folder(installed: Path, tmp_path: Path):
    code = "from lawstone import data; print(data.spec_root(), *data.shipped_games())"
    root, *games = run(installed / "python", "-c", code, cwd=tmp_path).split()
    assert Path(root).is_relative_to(installed.parent), "the games of the checkout were found, not those of the wheel"
    assert games == sorted(file.parent.name for file in (ROOT / "spec").glob("*/game.yaml"))

    assert "tic-tac-toe" in run(installed / "lawstone", "check", "tic-tac-toe", cwd=tmp_path).lower()
    assert "xxung" in run(installed / "lawstone", "show", "xxung", "--board", "5x5", cwd=tmp_path).lower()
    assert list(tmp_path.iterdir()) == [], "a command wrote files that nobody asked for"
