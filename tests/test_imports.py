"""Imports of the toolkit run one way, and the oracles stand alone."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "rules"

# From the bottom up: a module may import its own layer and those above it in this list. A unit is a module or a package
# right under `lawstone`, or a module named here with its package. `lawstone` itself is the public API.
LAYERS = (
    ("data", "model.faults", "version", "work"),
    ("core", "board", "drawing"),
    ("model", "constructs"),
    ("lower", "reference"),
    ("wellformed",),
    ("spec",),
    ("carried",),
    ("engine",),
    ("prove",),
    ("check",),
    ("cases",),
    ("publish",),
    ("lawstone", "strategies"),
    ("cli", "__main__"),
)
LAYER_OF = {unit: height for height, layer in enumerate(LAYERS) for unit in layer}


class Import(NamedTuple):
    """One import of one module: where it stands and what it brings in."""

    module: str
    line: int
    target: str


def modules_below(root: Path) -> dict[str, Path]:
    """Every module below `root`, by its dotted name."""
    found = {}
    for file in sorted(root.rglob("*.py")):
        parts = file.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports_of(module: str, file: Path, modules: dict[str, Path]) -> Iterator[Import]:
    """The imports of a file, wherever in it they stand; `from a import b` brings in `a.b` where that is a module."""
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")
                base = ".".join([*above[: len(above) - node.level + 1], *filter(None, [node.module])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield Import(module, node.lineno, whole if whole in modules else base)
        elif isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if name in ("import_module", "__import__") and isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield Import(module, node.lineno, first.value)


def all_imports(root: Path) -> list[Import]:
    """The imports of every module below `root`."""
    modules = modules_below(root)
    return [found for module, file in modules.items() for found in imports_of(module, file, modules)]


def unit_of(module: str) -> str:
    """The unit of LAYERS that a module of the toolkit belongs to."""
    inside = module.split(".")[1:]
    if not inside:
        return "lawstone"
    two = ".".join(inside[:2])
    return two if two in LAYER_OF else inside[0]


def wrong_arrows(root: Path) -> list[str]:
    """What breaks the order of the layers in the package `lawstone` below `root`, a sentence each."""
    wrong = [f"{module} has no place in LAYERS" for module in modules_below(root) if unit_of(module) not in LAYER_OF]
    beside: dict[str, set[str]] = {}
    for module, line, target in all_imports(root):
        if target.partition(".")[0] != "lawstone" or module.partition(".")[0] != "lawstone":
            continue
        importer, imported = unit_of(module), unit_of(target)
        if importer == imported or importer not in LAYER_OF or imported not in LAYER_OF:
            continue
        if LAYER_OF[importer] < LAYER_OF[imported]:
            wrong.append(f"{module}:{line} imports {target}: {imported} stands above {importer}")
        elif LAYER_OF[importer] == LAYER_OF[imported]:
            beside.setdefault(importer, set()).add(imported)
    try:
        graphlib.TopologicalSorter(beside).prepare()
    except graphlib.CycleError as error:
        wrong.append(f"units of one layer import each other in a circle: {' <- '.join(error.args[1])}")
    return wrong


def plant(root: Path, files: dict[str, str]) -> Path:
    """A package `lawstone` below `root` with these files, given by their path inside the package."""
    for name, text in {"__init__.py": "", **files}.items():
        file = root / "lawstone" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def test_imports_run_one_way():
    assert len(modules_below(RULES)) > 1
    assert wrong_arrows(RULES) == []


@pytest.mark.parametrize(
    "line",
    [
        "import lawstone.engine",
        "from lawstone import engine",
        "from lawstone.engine import play",
        "from lawstone.engine.play import legal",
        "from .engine import play",
        "from . import engine",
        "def late():\n    from lawstone.engine import play",
        "import importlib\nimportlib.import_module('lawstone.engine')",
        "from lawstone import Game",
    ],
)
def test_a_planted_import_of_a_higher_layer_is_found(tmp_path: Path, line: str):
    files = {"engine/__init__.py": "", "engine/play.py": "", "core.py": ""}
    assert wrong_arrows(plant(tmp_path, files)) == []
    (tmp_path / "lawstone" / "core.py").write_text(line, encoding="utf-8")
    assert len(wrong_arrows(tmp_path)) == 1


def test_a_planted_relative_import_from_a_nested_module_is_found(tmp_path: Path):
    found = wrong_arrows(plant(tmp_path, {"engine.py": "", "model/game.py": "from ..engine import play"}))
    assert found == ["lawstone.model.game:1 imports lawstone.engine: engine stands above model"]


def test_importing_a_lower_layer_is_not_an_error(tmp_path: Path):
    files = {
        "core.py": "from lawstone.model.faults import Fault",
        "model/faults.py": "",
        "engine.py": "from . import core",
    }
    assert wrong_arrows(plant(tmp_path, files)) == []


def test_a_planted_circle_inside_a_layer_is_found(tmp_path: Path):
    files = {"core.py": "from lawstone import board", "board.py": "from lawstone import core"}
    assert len(wrong_arrows(plant(tmp_path, files))) == 1


def test_a_planted_module_without_a_layer_is_found(tmp_path: Path):
    assert wrong_arrows(plant(tmp_path, {"utils.py": ""})) == ["lawstone.utils has no place in LAYERS"]


def test_z3_is_imported_in_one_module_at_most():
    assert len({found.module for found in all_imports(RULES) if found.target.partition(".")[0] == "z3"}) <= 1


def test_the_oracles_import_nothing_of_the_toolkit():
    oracles = ROOT / "tests" / "oracles"
    assert modules_below(oracles), "there is no oracle to look at"
    ours = [f"{found.module}:{found.line}" for found in all_imports(oracles) if found.target.startswith("lawstone")]
    assert ours == []
