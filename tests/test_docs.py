"""The documents say what is so: links lead somewhere, numbers are counted, examples run, generated pages are fresh."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents import ROOT, RUN, Shown, blocks, counted, counts_of, elided, misread, misreadings_of, refreshed, run, with_commands
from lawstone.cli.main import COMMANDS
from lawstone.model.base import written
from lawstone.model.conditions import CONDITIONS
from lawstone.model.game import SHAPES, Game
from lawstone.model.sites import SITES_CLAUSES
from lawstone.model.steps import STEPS
from lawstone.reference import language_reference
from pictures import PICTURES

PAGES = sorted(p for p in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))
FOUR = ("xxung", "gomoku", "wugun", "oxono")
_LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
_PATH = re.compile(r"(?:rules|spec|tests|docs|proofs|build)/(?:[\w./*-]*[\w/*])?|\.[\w-]+(?:/[\w.-]+|\.ya?ml)")
_BELOW = re.compile(r"(?:model|constructs|engine|prove|check|cases|publish|cli|drawing)/[\w/]+\.py|(?:core|board|lower|spec)\.py")
"""Files of the toolkit as pages name them for short."""
_MADE = ("build/", ".venv/")
"""Folders that are made by a run and are not part of a checkout."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose_of(page: Path) -> str:
    """A page without its code blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors_of(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", prose_of(page), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        n = next(n for n in range(100) if (f"{plain}-{n}" if n else plain) not in found)
        found.add(f"{plain}-{n}" if n else plain)
    return found


def paths_in(text: str) -> Iterator[str]:
    """The files and folders of the project that a text names in code marks."""
    for code in re.findall(r"`([^`\n]+)`", text):
        if (found := _PATH.fullmatch(code)) and not any(c.isupper() for c in code.partition(".")[0]):
            yield found[0]
        elif _BELOW.fullmatch(code):
            yield f"rules/lawstone/{code}"


# -- links, paths, numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading_that_exist(page: Path):
    broken = []
    for link in _LINK.findall(prose_of(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_path_that_a_page_names_exists(page: Path):
    named = set(paths_in(prose_of(page)))
    missing = [p for p in sorted(named) if not p.startswith(_MADE) and not any(ROOT.glob(p.rstrip("/")))]
    assert missing == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent.name in ("guides", "decisions")], ids=name_of)
def test_every_name_of_code_that_a_page_mentions_stands_in_the_code(page: Path):
    named = re.findall(r"`(?:\w+\.)?(_?[a-z]+(?:_[a-z]+)+|_[a-z]+|[A-Z][a-z]+[A-Za-z]*|[A-Z]+_[A-Z_]+)`", prose_of(page))
    code = "\n".join(f.read_text(encoding="utf-8") for folder in ("rules", "tests") for f in (ROOT / folder).rglob("*.py"))
    shown = "\n".join(b.body for b in blocks(page.read_text(encoding="utf-8")))
    assert [n for n in dict.fromkeys(named) if not re.search(rf"\b{n}\b", code + shown)] == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent.name in ("guides", "decisions")], ids=name_of)
def test_a_name_that_a_page_places_in_a_file_stands_there(page: Path):
    text = " ".join(prose_of(page).split())
    placed = re.findall(r"`([\w.]+)`[^`.;|]* (?:in|of) `(?:rules/lawstone/)?((?:\w+/)?\w+\.py)`", text)
    sources = {path: (ROOT / "rules" / "lawstone" / path).read_text(encoding="utf-8") for _, path in placed}
    assert [(n, path) for n, path in placed if not re.search(rf"\b{n.split('.')[-1]}\b", sources[path])] == []


def test_the_reading_guide_names_every_package_of_the_toolkit():
    guide = (ROOT / "docs" / "guides" / "reading.md").read_text(encoding="utf-8")
    packages = [p.parent.name for p in (ROOT / "rules" / "lawstone").glob("*/__init__.py")]
    assert packages
    assert [p for p in packages if not re.search(rf"^\| `(?:rules/lawstone/)?{p}/`", guide, re.MULTILINE)] == []


def test_the_numbers_of_the_readme_are_those_of_the_games():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for game in FOUR:
        assert f"](spec/{game}/text.en.md) |" in text
    assert counted(text) == text, "`make docs` counts again"


def test_the_misreadings_of_the_readme_are_those_on_record():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for game in FOUR:
        row = re.search(rf"^\| \[[^|]*\]\(proofs/{game}/misreadings.json\) \| (.*) \|$", text, re.MULTILINE)
        assert row is not None
        total, *classes = map(int, row[1].split(" | "))
        assert classes == list(misreadings_of(game).values())
        assert total == sum(classes) > 0
    assert misread(text) == text, "`make docs` counts again"


def test_a_table_of_misreadings_that_has_grown_old_is_written_again():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    old = re.sub(r"(proofs/xxung/misreadings.json\) \| )\d+", r"\g<1>7", text)
    assert old != text
    assert misread(old) == text


@pytest.mark.parametrize("game", FOUR)
def test_the_questions_of_a_game_are_open_settled_or_differing(game: str):
    questions, open_, settled, differing, answers, examples, _ = counts_of(game)
    assert questions == open_ + settled + differing > 0
    assert answers >= 2 * questions
    assert examples > 0


def test_the_readme_lists_every_command_and_no_other():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `lawstone ([a-z]+)", text, re.MULTILINE)
    assert listed == [name for group in COMMANDS.values() for name in group], "`make docs` adds them"
    assert with_commands(text) == text


@pytest.mark.parametrize("game", ["tic-tac-toe", "oxono"])
def test_the_game_files_shown_in_the_readme_are_those_of_the_games(game: str):
    file = (ROOT / "spec" / game / "game.yaml").read_text(encoding="utf-8")
    shown = [b.body for b in blocks((ROOT / "README.md").read_text(encoding="utf-8")) if b.language == "yaml"]
    assert any(body in file for body in shown)


# -- what is generated ------------------------------------------------------------------------------------------------


def test_the_language_reference_is_fresh():
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    assert page == language_reference(), "`make docs` writes it again"


def test_the_language_reference_describes_every_word_of_the_language():
    page = language_reference()
    keys = [c.KEY for c in (*SITES_CLAUSES, *CONDITIONS, *STEPS, *SHAPES)]
    assert [key for key in keys if f"### `{key}`" not in page] == []
    assert [written(f) for f in Game.model_fields if f"| `{written(f)}` |" not in page] == []
    assert "| anything |" not in page, "some value is not described"


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_drawn_from_the_games_as_they_are(name: str):
    picture = (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8")
    assert picture == PICTURES[name]() + "\n", "`make docs` draws it again"
    assert any(name in page.read_text(encoding="utf-8") for page in PAGES)


# -- what is run ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_print_what_it_shows(page: str, tmp_path: Path):
    shown: list[Shown] = []
    for _, commands in run((ROOT / page).read_text(encoding="utf-8"), tmp_path):
        shown += commands
    assert shown
    assert [(s.command, s.printed) for s in shown if not s.holds] == [], "`make docs` writes what is printed now"


def test_every_page_with_a_shown_command_is_run():
    assert sorted(name_of(p) for p in PAGES if "```console" in p.read_text(encoding="utf-8")) == sorted(RUN)


@pytest.mark.parametrize("page", ["README.md", "docs/guides/a-back-end.md"])
def test_the_python_examples_of_a_page_hold(page: str):
    found = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert found.attempted > 3
    assert found.failed == 0


# -- that the tests above see -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "printed", "holds"),
    [
        ("a\n", "a\n", True),
        ("a\n", "b\n", False),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("a\n...\nz\n", "a\nb\nc\n", False),
        ("(1 of ...)\n", "(1 of 9)\n", True),
    ],
)
def test_three_dots_stand_for_anything_and_nothing_else_does(wanted: str, printed: str, holds: bool):
    assert Shown("x", wanted, printed).holds is holds


@pytest.mark.parametrize(
    ("wanted", "printed", "now"),
    [
        ("a\n...\nz\n", "b\nx\ny\nz\n", "b\n...\nz\n"),
        ("a\nb\n...\n", "a\nc\nx\ny\n", "a\nc\n...\n"),
        ("a\nin ... s\nz\n", "b\nin 3 s\nz\n", "b\nin ... s\nz\n"),
        ("a\nz\n", "b\nz\n", "b\nz\n"),
    ],
)
def test_what_a_page_leaves_out_is_left_out_when_it_is_written_again(wanted: str, printed: str, now: str):
    assert elided(wanted, printed) == now


def test_a_page_is_followed_as_a_reader_would(tmp_path: Path):
    page = (
        "<!-- file: a/b.txt -->\n```text\none\ntwo\n```\n"
        "<!-- edit: a/b.txt instead of: two -->\n```text\n2\n```\n"
        "<!-- edit: a/b.txt before: one -->\n```text\nzero\n```\n"
        "<!-- append: a/b.txt -->\n```text\nthree\n```\n"
        "```console\n$ cat a/b.txt\nstale\n$ false\n$ echo $?\n1\n```\n"
    )
    assert refreshed(page, tmp_path) == page.replace("stale\n", "zero\none\n2\nthree\n")


def test_a_planted_path_is_seen():
    assert list(paths_in("see `rules/lawstone/core.py`, `spec/oxono/` and `build/`, not `a/b` or `move.jump`")) == [
        "rules/lawstone/core.py",
        "spec/oxono/",
        "build/",
    ]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_page_shows_a_fault_of_the_toolkit(page: Path):
    assert "internal error:" not in page.read_text(encoding="utf-8")
