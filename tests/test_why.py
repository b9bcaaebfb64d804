"""`lawstone why`: what a reader is told about a question, and that it is so."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lawstone.check.run import Plan
from lawstone.check.search import Budget
from lawstone.cli.main import cli
from lawstone.cli.why import recorded
from lawstone.data import spec_root
from lawstone.engine.game import Game
from lawstone.publish.why import Compared, Teller, Why
from lawstone.spec import load

FOUR = ("xxung", "gomoku", "wugun", "oxono")
QUICK = Budget(pairs=4_000, games=20, replays=200)


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["why", *map(str, args)], prog_name="lawstone")


def said(*args: str | Path, code: int = 0) -> str:
    found = run(*args)
    assert found.exit_code == code, found.output
    assert "Traceback" not in found.output
    return found.stdout if code == 0 else found.stderr


def flat(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def told(name: str, question: str, answer: str, variant: str = "") -> Compared:
    spec = load(name)
    teller = Teller(spec, Plan(budget=QUICK), recorded(spec))
    (found,) = teller.why(spec.question(question), variant, answer).compared
    return found


# -- a question -------------------------------------------------------------------------------------------------------------------


def test_a_question_is_told_with_its_readings_its_board_its_moves_its_amendment_and_its_closing():
    text = said("oxono", "--question", "jump-over-totem")
    spec = load("oxono")
    for answer in ("yes", "no"):
        assert spec.says(f"question.jump-over-totem.{answer}") in flat(text)
    assert "A legal under reading A only" in text
    assert re.search(r"Only under A \(yes\) may black play Xf4 e4, Xf4 f5\.", flat(text))
    assert "Under B Xf4 e4 is refused by move.jump." in text
    assert "move.jump now says:" in text
    assert "unbroken run of pawns" in flat(text)
    assert 'ruling: {answer: "yes"' in text
    line = re.search(r"line (\d+)", flat(text))
    assert line is not None
    rows = spec.path.read_text(encoding="utf-8").splitlines()
    assert "jump-over-totem" in "".join(rows[int(line[1]) - 1 : int(line[1]) + 1])


def test_what_a_side_may_do_is_what_the_game_allows():
    found = told("oxono", "rim", "may-not-be-chosen")
    witness = found.finding.witness
    assert witness is not None
    spec = load("oxono")
    games = [Game(spec, spec.rules("", {"rim": a})) for a in ("helps", "may-not-be-chosen")]
    legal = [g.replay(list(witness.moves)).moves for g in games]
    counts = re.search(r"Under A there are (\d+) legal moves, under B (\d+) legal moves", found.there[0])
    assert counts is not None
    assert (int(counts[1]), int(counts[2])) == (len(legal[0]), len(legal[1]))


@pytest.mark.parametrize(
    ("name", "question", "answer", "variant", "words"),
    [
        ("oxono", "start-squares", "c3-and-d4", "", "the two boards are not the same"),
        ("oxono", "first-player", "black", "", "pink acts next under A (pink), and black under B (black)"),
        ("gomoku", "overline", "wins", "", "the game goes on; under B (wins) first wins"),
        ("gomoku", "clock", "nothing-said", "", "nothing is said of what follows"),
        ("gomoku", "pro-third", "city-block", "pro", "may"),
        ("xxung", "two-at-once", "block-first", "", "only the rule that brings it about is another"),
    ],
)
def test_each_way_of_parting_has_its_words(name: str, question: str, answer: str, variant: str, words: str):
    found = told(name, question, answer, variant)
    assert words in " ".join(found.there), found.there


def test_where_the_readings_play_alike_the_proof_is_told():
    text = said("xxung", "--question", "who-is-blocked")
    assert "same: proved" in text
    assert "No well-formed position of this board tells them apart" in flat(text)
    assert text.endswith("  It is closed.\n")


def test_two_boards_are_drawn_where_the_pieces_differ():
    found = told("oxono", "start-squares", "c3-and-d4")
    assert [head for head, _ in found.boards] == ["under A", "under B"]
    assert found.boards[0][1] != found.boards[1][1]


def test_the_answer_that_is_asked_for_is_the_only_one():
    text = said("oxono", "--question", "rim", "--answer", "may-not-be-chosen")
    assert "may-not-be-chosen" in text
    assert "four-real-neighbours" not in text


def test_the_document_of_a_question_reads_back():
    found = run("gomoku", "--question", "swap-next", "--json")
    assert found.exit_code == 0, found.output
    document = Why.model_validate_json(found.stdout)
    assert document.variant == "swap"
    assert {c.b.answer for c in document.compared} == {"chooser", "other-player"}


def test_all_kinds_of_a_difference_are_told_where_they_are_asked_for():
    text = flat(said("xxung", "--question", "six", "--all-kinds"))
    assert "In which other ways they part" in text
    assert re.search(r"kinds: \d+ kinds? of difference", text)
    assert "In which other ways" not in said("xxung", "--question", "six")


def test_a_settled_question_names_the_sentence_that_settles_it():
    text = said("oxono", "--question", "diagonals")
    assert "[settled]" in text
    assert re.search(r"founding \d+: ", text)
    assert "How to close it\n  It is closed." in text


# -- the list ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FOUR)
def test_without_a_question_all_are_listed_with_what_is_known(name: str):
    text, spec = said(name), load(name)
    for q in spec.game.questions or []:
        assert re.search(rf"^  {q.id}( \(in |$)", text, re.MULTILINE), q.id
        assert spec.ask(q) in flat(text)
    assert "(plays otherwise)" in text


def test_a_game_without_questions_says_so():
    assert "no questions" in said("tic-tac-toe")


def test_the_questions_of_a_variant_are_its_own_and_those_of_the_base():
    text = said("gomoku", "--variant", "pro")
    assert "pro-third" in text
    assert "swap-next" not in text


# -- mistakes ---------------------------------------------------------------------------------------------------------------------


def test_a_question_that_is_misspelt_is_refused_with_the_one_that_is_meant():
    assert "did you mean 'jump-over-totem'?" in said("oxono", "--question", "jump-over-totm", code=2)


def test_an_answer_that_is_misspelt_is_refused_with_the_one_that_is_meant():
    assert "did you mean 'may-not-be-chosen'?" in said("oxono", "--question", "rim", "--answer", "may-not-be-chosn", code=2)


def test_an_answer_alone_is_refused():
    assert "--question" in said("oxono", "--answer", "yes", code=2)


def test_a_question_of_another_variant_says_where_it_is_asked():
    assert "but in pro" in said("gomoku", "--question", "pro-third", "--variant", "swap", code=2)


# -- a game of one's own ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of a game, outside the shipped ones and without a record."""
    return Path(shutil.copytree(spec_root() / "teeko", tmp_path / "teeko"))


def test_a_game_of_ones_own_is_looked_at_without_a_record(own: Path):
    text = said(own, "--question", "squares", "--seed", "3")
    assert "Where they part: differ" in text
    assert f"lawstone check {own}" in flat(text)


def test_a_ruling_is_told_with_who_made_it(own: Path):
    path = own / "game.yaml"
    text = path.read_text(encoding="utf-8")
    ruling = '    ruling: {answer: any-size, by: the club, when: "2026-01-02", source: minutes}\n'
    path.write_text(text.replace("  - id: squares\n", f"  - id: squares\n{ruling}"), encoding="utf-8")
    text = said(own, "--question", "squares")
    assert "the club ruled on 2026-01-02 that the answer is any-size (minutes)" in flat(text)
    assert "It is closed." in text
