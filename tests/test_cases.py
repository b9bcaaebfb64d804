"""Suites: what is published holds by the oracles, is described by its schema, and is made the same way each time."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given, settings

import mutants
from lawstone import data
from lawstone.cases.add import add
from lawstone.cases.adequacy import asked_of, matrix
from lawstone.cases.against import compared
from lawstone.cases.answer import Asked, replay
from lawstone.cases.generate import generate, suite_of
from lawstone.cases.make import Maker, Want
from lawstone.cases.minimise import cover
from lawstone.cases.sources import Plan
from lawstone.cases.strategies import Playing, moves, playouts, positions
from lawstone.cases.vector import NOTES, Suite, content_hash, identity, read_suite, suite_text
from lawstone.check.reach import reach
from lawstone.cli.main import cli
from lawstone.engine.drawn import parse_position
from lawstone.engine.game import Game, Move, Position
from lawstone.engine.notation import write
from lawstone.model.faults import BadInput
from lawstone.spec import Usage, load
from plain_reader import right

ROOT = Path(__file__).resolve().parents[1]
SUITES = ROOT / "tests" / "suites"
GAMES = ("xxung", "gomoku", "oxono", "wugun")
FILES = [SUITES / game / f"{name}.json" for game in GAMES for name in ("core", "full")]
SMALL = Plan(games=6, replays=10, pairs=400)


def oracle(game: str, variant: str) -> Any:
    options: dict[str, Any] = {"variant": variant} if variant else {}
    if game == "wugun":
        options["return_step"] = "allowed"
    return getattr(mutants.module_of(game), mutants.CLASSES[game])(**options)


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_a_published_suite_is_valid_by_its_schema_small_and_unchanged_by_hand(path: Path) -> None:
    schema = json.loads((ROOT / "spec" / "schema" / "suite.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(path.read_text(encoding="utf-8")))
    suite = read_suite(path)
    assert path.stat().st_size < 2_000_000
    assert suite_text(suite) == path.read_text(encoding="utf-8")
    assert suite.hash == content_hash(suite.vectors)
    assert suite.vectors


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_the_ids_of_a_suite_are_made_from_what_is_asked_and_are_told_once(path: Path) -> None:
    suite = read_suite(path)
    assert len({v.id for v in suite.vectors}) == len(suite.vectors)
    for v in suite.vectors:
        assert v.id == identity(suite.game, v.variant or "", v.size, v.moves, v.ask, v.move)
        assert set(v.flags) <= set(suite.notes) <= set(NOTES)
        assert v.says
        assert v.status == "specified" or v.under or "no rule" in v.flags


@pytest.mark.parametrize("game", GAMES)
def test_an_oracle_reaches_every_position_of_a_full_suite(game: str) -> None:
    for v in read_suite(SUITES / game / "full.json").vectors:
        engine = oracle(game, v.variant or "")
        state = engine.start()
        for move in v.moves:
            state = mutants.played(engine, state, move)
        view = engine.view(state)
        assert view["board"] == v.position.board, v.id
        if engine.outcome(state) is None:
            assert view["acts"] == v.position.acts, v.id
            assert v.position.phase in (None, view["phase"]), v.id
            assert v.position.hands in (None, view["hands"]), v.id
            assert v.position.last in (None, view["last"]), v.id


@pytest.mark.parametrize("game", GAMES)
def test_a_reader_of_thirty_lines_finds_the_oracle_right_on_every_vector(game: str) -> None:
    verdicts = []
    for v in json.loads((SUITES / game / "full.json").read_text(encoding="utf-8"))["vectors"]:
        verdicts.append(right(v, oracle(game, v.get("variant", ""))))
        assert verdicts[-1] in (True, None), v
    assert verdicts.count(True) > 100


def test_the_reader_imports_nothing_of_the_toolkit_and_gives_the_verdicts_of_the_runner() -> None:
    code = "import sys, runpy; runpy.run_path('tests/plain_reader.py', run_name='__main__'); "
    code += "assert not any('lawstone' in m for m in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": "tests"}
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv = ['x', 'tests/suites/xxung/core.json']; {code}"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    verdicts = json.loads(ran.stdout)
    assert verdicts == {v.id: True for v in read_suite(SUITES / "xxung" / "core.json").vectors}


@pytest.mark.parametrize("game", ["xxung", "oxono"])
def test_the_reference_interpreter_answers_a_core_suite_alone(game: str) -> None:
    loaded = Game(load(game), load(game).rules()).by_the_law()
    for v in read_suite(SUITES / game / "core.json").vectors:
        position = loaded.replay(v.moves)
        match v.ask:
            case "legal moves":
                assert sorted(m.text for m in position.moves) == v.expect.moves, v.id
            case "is legal":
                assert any(m.text == v.move for m in position.moves) == v.expect.legal, v.id
            case "who acts":
                assert v.expect.acts in (None, position.actor), v.id
            case "outcome" | "after":
                after = position.play(v.move) if v.ask == "after" and v.move else position
                ended = v.expect.outcome
                assert (after.outcome is None) == (ended == "none"), v.id
                if after.outcome is not None:
                    assert not isinstance(ended, str)
                    assert ended is not None
                    assert after.outcome.rule == ended.by, v.id


@pytest.mark.parametrize("game", ["xxung", "oxono", "wugun"])
def test_the_compiled_kernels_list_the_moves_of_every_position_of_a_core_suite(game: str) -> None:
    loaded = Game(load(game), load(game).rules())
    walk = loaded.walk
    if isinstance(walk, str):
        pytest.skip(walk)
    vectors = [v for v in read_suite(SUITES / game / "core.json").vectors if v.ask == "legal moves" and not v.variant]
    asked = 0
    for v in vectors:
        position = replay(loaded, v.moves)
        if position.ended is None:
            moves = [m for option in walk.listed(position.state) for m in loaded.engine.expand(option)]
            assert sorted(write(loaded.rules, position.state, m) for m in moves) == v.expect.moves, v.id
            asked += 1
    assert asked > 3


def test_the_core_suite_tells_apart_what_the_full_suite_does() -> None:
    maker = Maker(load("xxung"))
    apart = {}
    for name in ("core", "full"):
        suite = read_suite(SUITES / "xxung" / f"{name}.json")
        rows = matrix(maker, suite, prove=False).rows
        apart[name] = {(r.variant, r.candidate.name) for r in rows if r.killed_by}
    assert apart["core"] == apart["full"]
    assert len(apart["core"]) > 30


@pytest.mark.parametrize("game", GAMES)
def test_the_core_suite_fires_every_rule_that_play_can_show(game: str) -> None:
    spec = load(game)
    suite = read_suite(SUITES / game / "core.json")
    events = {e.rule for e in spec.game.events or []}
    in_force = {r for variant in ("", *(spec.game.variants or {})) for p in spec.rules(variant).phases.values()
                for t in p.turns for r in (t.rule, *(e.rule for e in t.endings))} - events  # fmt: skip
    decided = {r for v in suite.vectors for r in v.rules}
    assert in_force - decided == set()


@pytest.mark.parametrize(("game", "games"), [("tic-tac-toe", "6"), ("xxung", "2")])
def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed(game: str, games: str) -> None:
    command = [sys.executable, "-m", "lawstone", "cases", game, "--games", games, "--seed", "5"]
    texts = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "rules")}
        texts.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["seed"] == 5


def test_both_sides_of_a_condition_are_reached_from_one_position() -> None:
    vectors = read_suite(SUITES / "xxung" / "full.json").vectors
    sides: dict[tuple[str, ...], set[str]] = {}
    for v in vectors:
        for flag in ("boundary holds", "boundary fails"):
            if flag in v.flags:
                sides.setdefault(tuple(v.moves[:-1]), set()).add(flag)
    assert any(s == {"boundary holds", "boundary fails"} for s in sides.values())


def test_an_edit_of_a_rule_shows_as_changed_verdicts_of_the_same_ids(tmp_path: Path) -> None:
    folder = tmp_path / "xxung"
    shutil.copytree(data.spec_root() / "xxung", folder)
    file = folder / "game.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("at least: 5, directions: all", "exactly: 5, directions: all"), encoding="utf-8"
    )
    old = read_suite(SUITES / "xxung" / "core.json")
    found = compared(old.model_copy(update={"name": "own"}), load(str(file)), Plan())
    changed = {row["id"] for row in found["changed"]}
    six = {v.id for v in old.vectors if any(r.question == "six" for r in v.under)}
    assert six
    assert six <= changed
    assert found["unchanged"] + len(found["changed"]) + len(found["retired"]) == len(old.vectors)
    assert all("end.five" in row["rules"] for row in found["changed"] if row["ask"] == "outcome")


def test_a_new_suite_says_what_was_added_and_what_is_no_game_any_more(tmp_path: Path) -> None:
    """Without diagonals some games that were over go on, so that vectors change, vanish and come."""
    old = generate(load("tic-tac-toe"), SMALL).full
    folder = tmp_path / "tic-tac-toe"
    shutil.copytree(data.spec_root() / "tic-tac-toe", folder)
    file = folder / "game.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("at least: 3, directions: all", "at least: 3, directions: orthogonal"), encoding="utf-8")
    found = compared(old, load(str(file)), SMALL)
    assert found["changed"]
    assert found["added"]
    known = {v.id: v for v in old.vectors}
    assert {row["id"] for row in found["changed"]} <= set(known)
    assert not {row["id"] for row in found["added"]} & set(known)
    assert all("end.three" in row["rules"] for row in found["changed"] if row["ask"] == "outcome")
    line = CliRunner().invoke(cli, ["cases", str(file), "--against", str(_kept(old, tmp_path)), "--games", "2"])
    assert line.exit_code == 1
    assert "changed: " in line.output


def _kept(suite: Suite, folder: Path) -> Path:
    path = folder / "old.json"
    path.write_text(suite_text(suite.model_copy(update={"name": "own"})), encoding="utf-8")
    return path


def test_adequacy_ends_with_zero_where_all_is_told_apart_or_the_same_and_with_four_elsewhere(tmp_path: Path) -> None:
    whole = CliRunner().invoke(cli, ["adequacy", "xxung", "--no-proof"])
    assert whole.exit_code == 0, whole.output
    assert " 0 undecided" in whole.output
    few = suite_of(load("xxung"), read_suite(SUITES / "xxung" / "core.json").vectors[:3], "own", 1)
    part = CliRunner().invoke(cli, ["adequacy", "xxung", "--no-proof", "--suite", str(_kept(few, tmp_path))])
    assert part.exit_code == 4
    assert "3 vectors do not tell it apart" in part.output
    assert "rules that decide no vector: " in part.output


def test_nothing_changes_where_no_rule_was_edited() -> None:
    old = read_suite(SUITES / "xxung" / "core.json")
    found = compared(old.model_copy(update={"name": "own"}), load("xxung"), Plan())
    assert (found["changed"], found["retired"], found["unchanged"]) == ([], [], len(old.vectors))


def test_what_is_no_suite_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "suite.json"
    for content in ("", "[]", '{"lawstone": "suite"}', '{"lawstone": "record"}'):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(BadInput):
            read_suite(path)
    with pytest.raises(BadInput):
        read_suite(tmp_path / "none.json")


def test_a_cover_meets_every_need_as_often_as_it_can_be_met() -> None:
    vectors = read_suite(SUITES / "xxung" / "full.json").vectors[:6]
    needs: list[set[tuple[str, ...]]] = [
        {("kill", "a")},
        {("kill", "a"), ("kill", "b")},
        {("kill", "b")},
        {("ask", "c")},
        set(),
        {("ask", "c")},
    ]
    taken = cover(vectors, {v.id: n for v, n in zip(vectors, needs, strict=True)})
    chosen = [n for v, n in zip(vectors, needs, strict=True) if v in taken]
    assert sum(("kill", "a") in n for n in chosen) == 2
    assert sum(("kill", "b") in n for n in chosen) == 2
    assert sum(("ask", "c") in n for n in chosen) == 1
    assert len(chosen) == 4


# Reaching a position, and reports


def position(game: str, text: str) -> Position:
    return parse_position(load(game), text)


def test_a_drawn_five_of_gomoku_stones_is_reached_by_a_game() -> None:
    rows = ["."] * 15
    board = "\n".join(["  " + " ".join(rows)] * 13 + ["  . o o o o" + " ." * 10, "  . x x x x" + " ." * 10])
    drawn = position("gomoku", f"board: |\n{board}\nto act: first\nphase: main\n".replace("phase: main\n", ""))
    found = reach(drawn)
    assert found.moves is not None
    state = oracle("gomoku", "").start()
    for move in found.moves:
        state = oracle("gomoku", "").play(state, move)
    assert sorted(oracle("gomoku", "").view(state)["board"].items()) == sorted(
        {**{f"{c}1": "x" for c in "bcde"}, **{f"{c}2": "o" for c in "bcde"}}.items()
    )


def test_two_more_stones_of_one_player_are_shown_to_be_impossible() -> None:
    rows = "  . . .\n  . . .\n  x x .\n"
    found = reach(position("tic-tac-toe", f"board: |\n{rows}to act: x\n"))
    assert found.moves is None
    assert found.impossible
    assert "2 more" in found.why


def test_a_position_of_xxung_that_no_line_of_stones_can_make_is_shown_to_be_impossible() -> None:
    empty = "  . . . . . . . . .\n"
    board = empty * 7 + "  . o . . . . . . .\n" + "  x . . . . . . . .\n"
    drawn = position("xxung", f"board: |\n{board}to act: first\nphase: main\nlast: b2\n")
    found = reach(drawn)
    assert found.impossible
    assert found.moves is None


def test_a_claim_about_a_record_is_judged_and_stored_as_a_vector(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(
        json.dumps({"lawstone": "record", "version": 1, "game": "xxung", "moves": ["a1", "a4", "c4"]}), encoding="utf-8"
    )
    spec = load("xxung")
    wrong = add(spec, str(path), "a1 is legal")
    assert not wrong.holds
    assert wrong.vector is not None
    assert wrong.vector.expect.legal is False
    assert "reported" in wrong.vector.flags
    assert add(spec, str(path), "c9 is legal").holds
    assert add(spec, str(path), "second acts").holds
    assert add(spec, str(path), "outcome: none").holds
    assert not add(spec, str(path), "outcome: first wins").holds
    with pytest.raises(Usage):
        add(spec, str(path), "it is a bug")


def test_a_record_with_an_illegal_move_is_said_not_to_be_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"lawstone": "record", "version": 1, "game": "xxung", "moves": ["a1", "b2"]}), encoding="utf-8")
    found = add(load("xxung"), str(path), "")
    assert found.vector is None
    assert found.reachable.startswith("not reachable: 'b2'")


@pytest.mark.parametrize(
    ("game", "name", "claim", "holds"),
    [
        ("gomoku", "club.sgf", "outcome: first wins", True),
        ("gomoku", "club.sgf", "outcome: none", False),
        ("gomoku", "setup.sgf", "first acts", True),
        ("gomoku", "swap2.sgf", "outcome: none", True),
        ("gomoku", "casual.psq", "k9 is legal", False),
        ("gomoku", "opening.pos", "outcome: none", True),
        ("gomoku", "gomocup.psq", "outcome: first wins", False),  # six in a row, which its tournament lets win
        ("tic-tac-toe", "drawn.json", "outcome: draw", True),
    ],
)
def test_a_record_of_any_format_becomes_a_vector(game: str, name: str, claim: str, holds: bool) -> None:
    found = add(load(game), str(ROOT / "tests" / "records" / name), claim)
    assert found.vector is not None
    assert found.holds == holds
    assert found.reachable.startswith("reachable: the record has ")


def test_a_record_of_another_reading_whose_moves_are_no_game_here_is_told_with_the_reading() -> None:
    found = add(load("oxono"), str(ROOT / "tests" / "records" / "league.oxono.txt"), "")
    assert found.vector is None
    assert found.reachable == "not reachable: 'Xd6 c6' is not a legal move here"
    assert found.why.endswith("the record was played by another reading (start-assignment=x-on-d3)")


def test_a_drawn_board_is_reached_and_its_claim_judged(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("board: |\n  . . .\n  . o .\n  x . x\nto act: o\n", encoding="utf-8")
    found = add(load("tic-tac-toe"), str(path), "b1 is legal")
    assert found.holds
    assert found.vector is not None
    assert found.vector.position.board == {"a1": "x", "b2": "o", "c1": "x"}


# A game of one's own, and other boards


def test_a_small_game_gets_a_suite_that_tells_its_misreadings_apart() -> None:
    spec = load("tic-tac-toe")
    made = generate(spec, SMALL)
    core, full = made.core, made.full
    assert {v.id for v in core.vectors} <= {v.id for v in full.vectors}
    rows = matrix(Maker(spec), core, prove=False).rows
    assert rows
    assert sum(r.verdict == "undecided" for r in rows) <= len(rows) // 4


def test_a_vector_of_another_size_of_board_says_its_size() -> None:
    maker = Maker(load("xxung"), (5, 5))
    vector = maker.vector(Want("", Asked((), "legal moves")))
    assert vector is not None
    assert vector.size == [5, 5]
    assert len(vector.expect.moves or []) == 25


def test_a_suite_keeps_its_meaning_through_its_text(tmp_path: Path) -> None:
    suite = read_suite(SUITES / "xxung" / "core.json")
    path = tmp_path / "again.json"
    path.write_text(suite_text(suite_of(load("xxung"), suite.vectors, "core", suite.seed)), encoding="utf-8")
    assert read_suite(path).vectors == suite.vectors
    assert [asked_of(v) for v in copy.copy(suite.vectors)] == [asked_of(v) for v in read_suite(path).vectors]


# Hypothesis


@settings(max_examples=25, deadline=None)
@given(position=positions("xxung", most=20))
def test_positions_drawn_are_those_of_games(position: Position) -> None:
    assert position.ended is None
    assert position.moves


@settings(max_examples=10, deadline=None)
@given(playout=playouts("tic-tac-toe"))
def test_games_drawn_end(playout: Any) -> None:
    assert playout.outcome is not None
    assert 5 <= len(playout.moves) <= 9


def test_a_failing_position_shrinks_to_the_start_of_a_game() -> None:
    from hypothesis import find

    found = find(positions("tic-tac-toe"), lambda p: len(p.cells) >= 2, settings=settings(database=None))
    assert sorted(found.cells.values()) == ["o", "x"]
    assert [str(m) for m in found.moves] == [str(m) for m in found.game.replay(["a1", "b1"]).moves]
    assert find(moves(found), lambda m: True, settings=settings(database=None)).text == found.moves[0].text


class Noughts(Playing):
    game: str | Game = "tic-tac-toe"

    def played(self, before: Position, move: Move, after: Position) -> None:
        assert len(after.cells) == len(before.cells) + 1


TestNoughts = Noughts.TestCase
TestNoughts.settings = settings(max_examples=5, stateful_step_count=12, deadline=None)
