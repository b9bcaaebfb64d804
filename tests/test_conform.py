"""The runner: right engines pass, broken ones are caught and rightly diagnosed, misbehaving programs are survived."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import mutants
import programs
from lawstone.cases.conform import Conformance, judge, judge_file, junit, mismatch, readings_shown, run
from lawstone.cases.diagnose import Diagnosis, combined, diagnose
from lawstone.cases.fuzz import Fuzz
from lawstone.cases.generate import suite_of
from lawstone.cases.make import Candidate, Maker
from lawstone.cases.protocol import Patience, Program, Reply, answers_in, request
from lawstone.cases.vector import Suite, read_suite
from lawstone.cli.conform import text
from lawstone.cli.main import cli
from lawstone.spec import load

ROOT = Path(__file__).resolve().parents[1]
SUITES = ROOT / "tests" / "suites"
GAMES = ("xxung", "gomoku", "oxono", "wugun")
QUICK = Patience(start=3.0, answer=0.5)


@functools.cache
def suite(game: str, name: str = "core") -> Suite:
    return read_suite(SUITES / game / f"{name}.json")


@functools.cache
def maker(game: str) -> Maker:
    return Maker(load(game))


def diagnosed(done: Conformance) -> Diagnosis | None:
    return diagnose(maker(done.suite.game), done.results, mismatch)


# Right engines and broken ones


@pytest.mark.parametrize("game", GAMES)
def test_an_oracle_is_right_on_every_vector_of_both_suites(game: str) -> None:
    for name in ("core", "full"):
        done = run(suite(game, name), mutants.asking(game, mutants.module_of(game)))
        assert done.faults == []
        assert done.of("unspecified") == []
        assert len(done.of("right")) == len(done.results)


@pytest.mark.parametrize("game", GAMES)
def test_the_core_suite_catches_every_engine_that_was_broken_on_purpose(game: str) -> None:
    """One that plays another answer to an open question is no fault: it is shown which answer it plays."""
    missed = []
    for m in mutants.MUTANTS:
        if m.game == game:
            done = run(suite(game), mutants.asking(game, mutants.module_of(game, m.old, m.new)))
            if not done.faults and not readings_shown(done.results):
                missed.append(m.says)
    assert missed == []


@pytest.mark.parametrize("game", GAMES)
def test_each_clause_that_play_can_show_is_broken_by_some_mutant(game: str) -> None:
    spec = load(game)
    events = {e.rule for e in spec.game.events or []}
    broken = {c for m in mutants.MUTANTS if m.game == game for c in m.clauses}
    in_force = {r for variant in ("", *(spec.game.variants or {})) for p in spec.rules(variant).phases.values()
                for t in p.turns for r in (t.rule, *(e.rule for e in t.endings), *(n.rule for n in t.next if n.rule))}  # fmt: skip
    assert in_force - events - broken == set()


def test_a_jump_over_nothing_is_told_as_the_reading_that_it_is() -> None:
    from oracles.xxung import Xxung

    class Jumping(Xxung):
        def __init__(self) -> None:
            super().__init__(in_between="nothing-blocks")

    module = type("module", (), {"Xxung": Jumping})
    done = run(suite("xxung"), mutants.asking("xxung", module))
    found = diagnosed(done)
    assert found is not None
    assert [(c.candidate.question, c.candidate.answer) for c in found.causes] == [("in-between", "nothing-blocks")]
    assert found.unexplained == ()
    assert "you play answer `nothing-blocks` of question `in-between`" in text(done_with(done, found))


def done_with(done: Conformance, found: Diagnosis) -> Conformance:
    done.diagnosis = found
    return done


DIAGNOSES = [
    ("xxung", "the first piece may not stand at the rim", "opening.free/not-on-the-rim"),
    ("xxung", "a piece is jumped over", "in-between=nothing-blocks"),
    ("xxung", "north is forgotten", "turn.line/without-north"),
    ("xxung", "four win", "end.five/at-least-4"),
    ("xxung", "one diagonal is forgotten", "end.five/without-south-east"),
    ("xxung", "a block is no end", "end.blocked/no-such-ending"),
    ("xxung", "the blocked player wins", "end.blocked/opponent-wins"),
    ("xxung", "a full ring of neighbours is asked for at the rim too", "blocked-by=walled-by-pieces"),
    ("xxung", "the block goes first", "two-at-once=block-first"),
    ("oxono", "a totem may be chosen without its pawn in hand", "exhausted-symbol=yes-without-a-pawn"),
    ("oxono", "a totem slides one square only", "move.slide/one-step"),
    ("oxono", "only own pawns are jumped over", "move.jump/over-own-pawn"),
    ("oxono", "one piece only is jumped over", "move.jump/over-one"),
    ("oxono", "a totem may jump though it can slide", "jump-when-free=yes"),
    ("oxono", "an enclosed totem that cannot jump stays", "turn.move/without-3"),
    ("oxono", "the pawn may touch the totem at a corner", "place.beside/directions-all"),
    ("oxono", "not on the square that the totem left", "vacated-square=may-not"),
    ("oxono", "the pawn is placed before the totem is moved", "place.beside/before-the-move"),
    ("oxono", "a line of a colour is no end", "end.colour/no-such-ending"),
    ("oxono", "only own pawns make a line of a symbol", "symbol-line-colours=own-colour"),
    ("oxono", "diagonals count", "diagonals=count"),
    ("oxono", "the hands are never empty", "end.hands/no-such-ending"),
    ("oxono", "the draw is tested before the line", "last-pawn=draw-first"),
]


@pytest.mark.parametrize(("game", "says", "cause"), DIAGNOSES)
def test_a_broken_engine_is_diagnosed(game: str, says: str, cause: str) -> None:
    m = next(m for m in mutants.MUTANTS if (m.game, m.says) == (game, says))
    found = diagnosed(run(suite(game), mutants.asking(game, mutants.module_of(game, m.old, m.new))))
    assert found is not None
    assert cause in (found.causes[0].candidate.name, *found.causes[0].others)
    assert found.unexplained == ()
    assert found.causes[0].contradicted_by == ()


@pytest.mark.parametrize(
    ("game", "one", "other", "causes"),
    [
        ("xxung", "four win", "a piece is jumped over", {"end.five/at-least-4", "in-between=nothing-blocks"}),
        ("oxono", "diagonals count", "one piece only is jumped over", {"diagonals=count", "move.jump/over-one"}),
    ],
)
def test_two_defects_at_once_are_both_named_and_explain_every_failure(game: str, one: str, other: str, causes: set[str]) -> None:
    texts = [t for m in mutants.MUTANTS if m.game == game and m.says in (one, other) for t in (m.old, m.new)]
    found = diagnosed(run(suite(game), mutants.asking(game, mutants.module_of(game, *texts))))
    assert found is not None
    assert causes <= {name for c in found.causes for name in (c.candidate.name, *c.others)}
    assert found.unexplained == ()


def test_no_reading_is_named_that_right_answers_contradict() -> None:
    """An engine that moves at random is explained by nothing."""
    whole = suite("xxung")
    right = mutants.asking("xxung", mutants.module_of("xxung"))

    def ask(message: dict[str, Any]) -> Reply:
        wrong: dict[str, dict[str, Any]] = {
            "outcome": {"outcome": {"result": "draw"}},
            "is legal": {"legal": message["move"] == "a1"},
        }
        return Reply({"id": message["id"], **wrong[str(message["ask"])]}) if message["ask"] in wrong else right(message)

    found = diagnosed(run(whole, ask))
    assert found is not None
    assert len(found.unexplained) > found.failures // 2


def test_an_open_question_answered_otherwise_is_shown_and_is_no_fault() -> None:
    from oracles.oxono import Oxono

    class Rim(Oxono):
        def __init__(self) -> None:
            super().__init__(rim="four-real-neighbours")

    done = run(suite("oxono"), mutants.asking("oxono", type("module", (), {"Oxono": Rim})))
    assert done.faults == []
    assert "rim=four-real-neighbours" in readings_shown(done.results)


# Programs that misbehave


def three(game: str = "xxung") -> Suite:
    whole = suite(game)
    return suite_of(load(game), whole.vectors[:4], "own", 1)


@pytest.mark.parametrize(
    ("command", "trouble"),
    [
        (programs.DIES_AT_ONCE, "crash: it ended with exit code 1 before its first answer: no licence"),
        (programs.ENDLESS_LINES, "endless output: 1000 lines without an answer"),
        (programs.ENDLESS_LINE, "endless output: a line of more than 1,000,000 bytes"),
        (programs.MISSING, "cannot start: /no/such/program"),
    ],
)
def test_a_program_that_misbehaves_is_told_for_each_vector_and_survived(command: list[str], trouble: str) -> None:
    with Program(command, Patience(start=20.0, answer=20.0)) as program:
        done = run(three(), program)
    assert [r.verdict for r in done.results] == ["trouble"] * 4
    assert all(r.told.startswith(trouble) for r in done.results), [r.told for r in done.results]


@pytest.mark.parametrize(("command", "trouble"), [(programs.SILENT, "time-out"), (programs.GARBAGE, "garbage")])
def test_a_program_that_does_not_answer_is_not_waited_for(command: list[str], trouble: str) -> None:
    began = time.monotonic()
    with Program(command, Patience(start=1.0, answer=0.3)) as program:
        done = run(suite_of(load("xxung"), suite("xxung").vectors[:2], "own", 1), program)
    assert [r.told.split(":")[0] for r in done.results] == [trouble] * 2
    assert time.monotonic() - began < 20


def test_a_program_that_dies_in_the_middle_is_started_again() -> None:
    with Program(programs.DIES_AFTER_TWO, Patience(start=20.0, answer=20.0)) as program:
        done = run(three(), program)
        assert program.starts == 2
    assert [r.verdict for r in done.results] == ["not supported", "not supported", "trouble", "not supported"]
    assert done.results[2].told == "crash: it ended with exit code 9"


def test_lines_that_are_no_answer_are_passed_over() -> None:
    with Program(programs.CHATTY, Patience(start=20.0, answer=20.0)) as program:
        done = run(three(), program)
    assert [(r.verdict, r.told) for r in done.results] == [("not supported", "no time")] * 4


def test_a_slow_start_is_waited_for_and_a_slow_answer_is_not() -> None:
    with Program(programs.SLOW_START, Patience(start=20.0, answer=5.0)) as program:
        assert run(three(), program).faults == []


def test_a_program_that_supports_nothing_is_not_said_to_be_right() -> None:
    done = run(three(), lambda message: Reply({"unsupported": True}))
    assert done.asked == 0
    assert "nothing was checked" in text(done)


def test_an_interrupt_keeps_the_answers_that_were_given() -> None:
    asked = 0

    def ask(message: dict[str, Any]) -> Reply:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise KeyboardInterrupt
        return Reply({"unsupported": True})

    done = run(three(), ask)
    assert done.interrupted
    assert [r.verdict for r in done.results] == ["not supported"] * 2


# Judging answers


@pytest.mark.parametrize(
    "given",
    [{}, {"moves": "a1"}, {"moves": None}, {"moves": [1]}, {"legal": "yes"}, {"outcome": 3}, {"outcome": {"result": []}},
     {"board": []},
     {"acts": 7}, {"board": {"a1": 3}}, {"picks": {}}, {"error": {"why": []}}, {"outcome": {"result": "win", "winner": {}}}],
)  # fmt: skip
@pytest.mark.parametrize("game", ["xxung", "oxono"])
def test_nonsense_of_any_shape_is_a_wrong_answer_and_not_a_crash(game: str, given: dict[str, object]) -> None:
    for vector in suite(game).vectors:
        result = judge(vector, Reply(dict(given)))
        assert result.verdict in ("wrong", "unspecified") or (vector.ask == "who acts" and vector.expect.acts is None)


def test_a_rule_that_a_program_does_not_name_is_not_missed() -> None:
    vector = next(v for v in suite("xxung").vectors if v.ask == "outcome" and v.expect.tree()["outcome"] != "none")
    right = dict(vector.expect.tree()["outcome"])
    assert judge(vector, Reply({"outcome": right})).verdict == "right"
    assert judge(vector, Reply({"outcome": {**right, "by": "end.other"}})).verdict != "right"
    del right["by"]
    assert judge(vector, Reply({"outcome": right})).verdict == "right"


def test_a_file_of_answers_is_judged_as_a_program_is() -> None:
    ask = mutants.asking("xxung", mutants.module_of("xxung"))
    rows = [json.dumps(ask(request(suite("xxung"), v)).answer) for v in suite("xxung").vectors]
    assert judge_file(suite("xxung"), answers_in("\n".join(rows))).faults == []
    done = judge_file(suite("xxung"), answers_in("\n".join(["no json", *rows[1:]])))
    assert [r.verdict for r in done.results].count("not supported") == 1


def test_the_runner_adds_less_than_a_millisecond_a_vector() -> None:
    whole = suite("gomoku", "full")
    done = run(whole, lambda message: Reply({"unsupported": True}))
    assert (done.seconds - done.waited) / len(whole.vectors) < 0.001


def test_the_report_is_by_rule_with_boards_and_as_junit() -> None:
    m = next(m for m in mutants.MUTANTS if m.says == "a block is no end")
    done = run(suite("xxung"), mutants.asking("xxung", mutants.module_of("xxung", m.old, m.new)))
    told = text(done)
    assert "\nend.blocked: " in told
    assert done.faults[0].vector.position.drawn.splitlines()[0].strip() in told
    root = ElementTree.fromstring(junit(done))
    assert root.attrib["tests"] == str(len(done.results))
    assert root.attrib["failures"] == str(len(done.of("wrong"))) != "0"
    assert len(root.findall("testcase/failure")) == len(done.of("wrong"))
    assert json.loads(json.dumps(done.to_json()))["counts"]["wrong"] == len(done.of("wrong"))


def test_the_command_ends_with_one_where_an_answer_is_wrong_and_with_zero_where_none_is(tmp_path: Path) -> None:
    ask = mutants.asking("xxung", mutants.module_of("xxung"))
    rows = [json.dumps(ask(request(suite("xxung"), v)).answer) for v in suite("xxung").vectors]
    path, xml = tmp_path / "answers.jsonl", tmp_path / "junit.xml"
    command = ["conform", "xxung", "--answers", str(path), "--junit", str(xml)]
    path.write_text("\n".join(rows), encoding="utf-8")
    found = CliRunner().invoke(cli, command)
    assert found.exit_code == 0, found.output
    assert ElementTree.fromstring(xml.read_text(encoding="utf-8")).attrib["failures"] == "0"
    path.write_text("\n".join([json.dumps({"id": suite("xxung").vectors[0].id, "error": "no"}), *rows[1:]]), encoding="utf-8")
    found = CliRunner().invoke(cli, [*command, "--json"])
    assert found.exit_code == 1
    assert json.loads(found.stdout)["counts"]["wrong"] == 1
    assert CliRunner().invoke(cli, ["conform", "xxung"]).exit_code == 2


# Fuzzing, and the plugin


def test_fuzzing_finds_a_fault_and_makes_its_game_as_short_as_it_gets() -> None:
    m = next(m for m in mutants.MUTANTS if (m.game, m.says) == ("xxung", "four win"))
    ask = mutants.asking("xxung", mutants.module_of("xxung", m.old, m.new))
    fuzz = Fuzz(maker("xxung"), suite_of(load("xxung"), [], "own", 1), ask)
    found = fuzz.run(0, 20)
    assert found is not None
    assert len(found.vector.moves) + (found.vector.ask == "after") <= 9  # four of one player's stones are seven plies at least
    assert "disagreement" in found.vector.flags
    again = Fuzz(maker("xxung"), suite_of(load("xxung"), [], "own", 1), ask).run(found.game, 1)
    assert again is not None
    assert again.vector == found.vector


def test_fuzzing_a_right_engine_finds_nothing() -> None:
    ask = mutants.asking("xxung", mutants.module_of("xxung"))
    fuzz = Fuzz(maker("xxung"), suite_of(load("xxung"), [], "own", 1), ask)
    assert fuzz.run(0, 2) is None
    assert fuzz.questions > 40


def test_the_pytest_plugin_collects_a_suite(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "def pytest_lawstone_engine(request):\n"
        "    return {'moves': []} if request['ask'] == 'legal moves' else {'unsupported': True}\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "rules"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "lawstone.cases.pytest_plugin", "-q", "-p", "no:cacheprovider", "--lawstone",
               str(SUITES / "xxung" / "core.json"), str(tmp_path)]  # fmt: skip
    ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    lists = sum(v.ask == "legal moves" for v in suite("xxung").vectors)
    empty = sum(v.ask == "legal moves" and not v.expect.moves for v in suite("xxung").vectors)
    dots = ran.stdout.splitlines()[0].split()[0]
    assert (dots.count("F"), dots.count("s")) == (lists - empty, len(suite("xxung").vectors) - lists)
    assert "given: missing" in ran.stdout


def test_two_answers_that_change_the_same_part_explain_together_what_the_file_says_of_both_at_once() -> None:
    maker = Maker(load("oxono"))
    chosen = {"symbol-line-colours": "own-colour", "totem-symbol": "counts"}
    one, other = (
        Candidate("question", q, a, "", maker.base("").game, ("end.symbol",), maker.spec.question(q).answers[a])
        for q, a in chosen.items()
    )
    both = combined(maker, "", one, other)
    assert both is not None
    assert both.game.rules.game.end == maker.spec.rules("", chosen).game.end
    assert combined(maker, "", one, one) is None
