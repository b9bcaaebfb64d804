"""Each file under `bad/` is wrong in one way or several, and what is said about it stands beside it word for word."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawstone.model.faults import BadInput
from lawstone.model.located import LARGEST_FILE
from lawstone.spec import load

BAD = Path(__file__).parent / "bad"
CASES = sorted(folder for folder in BAD.iterdir() if folder.is_dir())
RULES = Path(__file__).resolve().parents[1] / "rules" / "lawstone"

POSITION_OF_CODE = {
    name: position
    for position, names in enumerate(("fault _Disguise", "Problem refuse stop _unreadable", "_Refusal _at", "Fault"))
    for name in names.split()
}
"""Which argument of what makes a fault is the fault's code."""

MADE_ELSEWHERE = {
    **dict.fromkeys(("file-too-large", "folder", "not-a-file", "no-file", "no-permission", "no-such-game"), "below"),
    **dict.fromkeys(("unreadable", "too-many-values", "alias", "directive", "key-not-text"), "test_located.py"),
}
"""Codes of faults that need no file under `bad/`, and where they are tried instead."""


def said_of(path: Path) -> str:
    """All that is said about a game file, with file names in place of paths; nothing if there is nothing wrong."""
    try:
        faults = load(path).faults()
    except BadInput as bad:
        faults = bad.faults
    return BadInput(faults).render().replace(f"{path.parent}{os.sep}", "")


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name.replace("-", " "))
def test_a_bad_file_is_answered_with_the_message_beside_it(folder: Path) -> None:
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert said_of(folder / "game.yaml") + "\n" == expected
    assert ": error: " in expected


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name.replace("-", " "))
def test_every_fault_points_at_a_line_that_is_there(folder: Path) -> None:
    for name, line, column in re.findall(r"^(\S+):(\d+):(\d+): error", (folder / "expected.txt").read_text("utf-8"), re.M):
        lines = (folder / name).read_bytes().decode("utf-8", "replace").split("\n")
        assert int(line) <= len(lines)
        assert int(column) <= len(lines[int(line) - 1]) + 1


def codes_made() -> Iterator[str]:
    """The codes of all faults that reading and checking a game's files can make."""
    for file in (*(RULES / "model").glob("*.py"), *(RULES / "spec").glob("*.py"), RULES / "wellformed.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            position = POSITION_OF_CODE.get(name, len(node.args))
            for code in node.args[position : position + 1]:
                for arg in (code.body, code.orelse) if isinstance(code, ast.IfExp) else (code,):
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                        yield arg.value


def test_every_kind_of_fault_has_a_bad_file() -> None:
    said = "".join((folder / "expected.txt").read_text("utf-8") for folder in CASES)
    shown = set(re.findall(r": error: .* \[([a-z0-9-]+)\]$", said, re.M))
    made = set(codes_made())
    assert len(made) > 40
    assert made - shown - MADE_ELSEWHERE.keys() == set()
    assert shown <= made | {"tab", "unseen-character", "large-number", "odd-number", "fraction", "date"}


# What cannot lie under version control


def test_a_folder_without_a_game_file_is_named_as_a_folder(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    assert said_of(tmp_path / "inner") == "inner:1:1: error: this is a folder, and a file is wanted [folder]"


def test_a_folder_in_place_of_the_game_file_is_named_as_a_folder(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").mkdir()
    assert said_of(tmp_path / "game.yaml") == "game.yaml:1:1: error: this is a folder, and a file is wanted [folder]"


def test_a_file_of_100_megabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "game.yaml").open("wb") as file:
        file.truncate(100_000_000)
    assert said_of(tmp_path / "game.yaml") == (
        f"game.yaml:1:1: error: the file has 100,000,000 bytes, and the limit is {LARGEST_FILE:,} [file-too-large]"
    )


def test_a_text_of_100_megabytes_beside_the_game_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_bytes((BAD / "prose-missing-for-a-rule" / "game.yaml").read_bytes())
    with (tmp_path / "text.en.md").open("wb") as file:
        file.truncate(100_000_000)
    assert said_of(tmp_path / "game.yaml") == (
        f"text.en.md:1:1: error: the file has 100,000,000 bytes, and the limit is {LARGEST_FILE:,} [file-too-large]"
    )


def test_prose_that_is_not_utf_8_is_answered_with_the_place_of_the_byte(tmp_path: Path) -> None:
    """It does not lie under `bad/`, because what formats Markdown could not read it."""
    folder = BAD / "prose-missing-for-a-rule"
    (tmp_path / "game.yaml").write_bytes((folder / "game.yaml").read_bytes())
    text = (folder / "text.en.md").read_bytes() + "## end.full: A café\nNo cell is left.\n".encode("latin-1")
    (tmp_path / "text.en.md").write_bytes(text)
    line = len(text.split(b"\xe9")[0].split(b"\n"))
    assert said_of(tmp_path / "game.yaml").startswith(
        f"text.en.md:{line}:19: error: byte {text.index(0xE9)} of the file (0xe9, counted from 0) is not UTF-8 [not-utf-8]"
    )


def test_a_file_that_may_not_be_read_is_answered_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.yaml"
    file.write_text("game: x\n", encoding="utf-8")
    file.chmod(0)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    if os.access(file, os.R_OK):  # whoever runs the tests may read everything
        monkeypatch.setattr(Path, "open", refuse)
    assert said_of(file) == "game.yaml:1:1: error: the file may not be read: permission denied [no-permission]"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.yaml")
    assert said_of(tmp_path / "game.yaml") == (
        "game.yaml:1:1: error: this is a device or a pipe, and a file is wanted [not-a-file]"
    )


def test_a_missing_file_is_answered_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: x\n", encoding="utf-8")
    assert said_of(tmp_path / "gane.yaml") == (
        "gane.yaml:1:1: error: there is no such file [no-file]\n  hint: did you mean 'game.yaml'?"
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [("gomuko", "did you mean 'gomoku'?"), ("chess", "shipped games: "), ("Oxono", "did you mean 'oxono'?")],
    ids=["misspelt", "not shipped", "with a capital"],
)
def test_an_unknown_name_of_a_game_is_answered_with_the_names_that_there_are(name: str, hint: str) -> None:
    with pytest.raises(BadInput) as bad:
        load(name)
    (fault,) = bad.value.faults
    assert fault.code == "no-such-game"
    assert fault.hint.startswith(hint)


def test_nothing_is_wrong_with_the_good_parts_of_the_bad_files(tmp_path: Path) -> None:
    good = BAD / "prose-missing-for-a-rule" / "game.yaml"
    (tmp_path / "game.yaml").write_bytes(good.read_bytes())
    assert said_of(tmp_path / "game.yaml") == ""
