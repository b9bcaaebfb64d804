"""The loop of an editor: a gap or a question is closed in the game file, and the check finds that it is closed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawstone.check import gaps
from lawstone.check.run import Plan, difference
from lawstone.check.search import Budget
from lawstone.cli.main import cli
from lawstone.data import spec_root
from lawstone.engine.game import Game
from lawstone.spec import Spec, load

BUDGET = Budget(pairs=2_000, games=60, replays=400)


class Desk:
    """A copy of a shipped game that an editor works on."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = Path(shutil.copytree(spec_root() / name, folder / name))

    def spec(self) -> Spec:
        spec = load(str(self.folder))
        assert spec.faults() == []
        return spec

    def edit(self, old: str, new: str, file: str = "game.yaml") -> None:
        """Change the one place of a file where a text stands."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def rule_on(self, question: str, answer: str) -> None:
        """Write a ruling into a question."""
        ruling = f'    ruling: {{answer: {answer}, by: the editors, when: "2026-01-02", source: minutes of the day}}\n'
        self.edit(f"  - id: {question}\n", f"  - id: {question}\n{ruling}")

    def gaps(self) -> set[tuple[str, str]]:
        spec = self.spec()
        return {(met.kind, met.rule) for met in gaps.gaps(Game(spec, spec.rules("", {})), BUDGET)}

    def check(self, *args: str) -> str:
        """What the check prints."""
        done = CliRunner().invoke(cli, ["check", str(self.folder), "--workers", "1", *args], prog_name="lawstone")
        assert done.exit_code in (0, 1), done.output
        return done.output


@pytest.fixture
def wugun(tmp_path: Path) -> Desk:
    return Desk(tmp_path, "wugun")


@pytest.fixture
def teeko(tmp_path: Path) -> Desk:
    return Desk(tmp_path, "teeko")


def test_rulings_close_the_gaps_that_their_questions_are_about_and_no_other(wugun: Desk):
    assert {("no move", "move.step"), ("duty", "room.remove")} <= wugun.gaps()
    wugun.rule_on("blocked-at-start", "blocked-player-loses")
    after_one = wugun.gaps()
    assert ("no move", "move.step") not in after_one
    assert ("duty", "room.remove") in after_one
    wugun.rule_on("no-room", "step-not-allowed")
    assert {kind for kind, _ in wugun.gaps()} <= {"endless"}


def test_a_clause_that_says_what_happens_if_there_are_fewer_closes_the_duty(wugun: Desk):
    wugun.edit(
        "        remove: {sites: own stone, outside: shapes, such that: {can move: other}}\n        count: 1\n",
        "        remove: {sites: own stone, outside: shapes, such that: {can move: other}}\n        count: 1\n"
        "        if fewer: take what there is\n",
    )
    assert ("duty", "room.remove") not in wugun.gaps()


def test_a_question_that_is_ruled_on_is_settled_and_every_command_plays_by_the_answer(teeko: Desk):
    question = teeko.spec().question("squares")
    before = difference(teeko.spec(), question, "smallest-only", "any-size", "", Plan(budget=BUDGET))
    assert (before.open, before.verdict) == (True, "differ")
    other = "any-size"
    teeko.rule_on("squares", other)
    spec = teeko.spec()
    assert spec.base_answer(spec.question("squares")) == other
    assert spec.rules("", {}).meaning == load("teeko").rules("", {"squares": other}).meaning
    assert spec.rules("", {}).meaning != load("teeko").rules("", {}).meaning
    text = teeko.check("--question", "squares", "--effort", "quick")
    assert "0 of 0 pairs of readings that no source settles" in text
    assert "base/squares" not in text, "the question is no finding any more"


def test_a_question_that_a_sentence_settles_is_no_finding_any_more(teeko: Desk):
    assert "base/squares" in teeko.check("--question", "squares", "--effort", "quick")
    teeko.edit("    status: {differs in: [common, larger-squares]}\n", "    status: {settled by: [common]}\n")
    assert "base/squares" not in teeko.check("--question", "squares", "--effort", "quick")
