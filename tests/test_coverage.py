"""What a suite is to show: every situation that a game has is shown by a vector, proved impossible, or told with a reason."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from lawstone.cases.adequacy import rivals
from lawstone.cases.coverage import Coverage, Situation, Sought
from lawstone.cases.features import in_words, possible
from lawstone.cases.generate import Made, generate, where_refused
from lawstone.cases.impossible import impossible
from lawstone.cases.make import Maker
from lawstone.cases.probe import Probe
from lawstone.cases.sources import Plan, survey_of
from lawstone.cases.survey import Survey
from lawstone.engine.game import Game
from lawstone.spec import load

SMALL = Plan(games=12, replays=20, pairs=400)


@functools.cache
def made() -> Made:
    return generate(load("tic-tac-toe"), SMALL)


@functools.cache
def survey(game: str) -> Survey:
    return survey_of(Maker(load(game)), "", SMALL)


def test_no_situation_of_a_game_is_dropped_silently() -> None:
    coverage = made().coverage
    told = {(s.rule, s.says) for s in coverage.shown}
    for feature in possible(survey("tic-tac-toe").eyes):
        assert (feature[1], in_words(feature)) in told
    for situation, ids in coverage.shown.items():
        assert ids or coverage.reason(situation)


def test_a_vector_that_shows_a_situation_is_in_the_suite() -> None:
    there = {v.id for v in made().full.vectors}
    for ids in made().coverage.shown.values():
        assert set(ids) <= there


def test_the_table_counts_what_is_shown_what_is_impossible_and_what_is_not_shown() -> None:
    there, gone, never = (Situation("endings", "", "end.x", w) for w in ("met", "not met", "never"))
    coverage = Coverage()
    for sought in (Sought(there), Sought(gone, "looked in vain"), Sought(never, "proved", True)):
        coverage.seek(sought)
    coverage.show(there, "x.1")
    rows = coverage.table().splitlines()
    assert rows[1].split() == ["endings", "3", "1", "1", "1"]
    assert rows[3:] == ["endings, not shown (looked in vain):", "  end.x: not met"]
    assert coverage.to_json()["groups"]["endings"] == {"shown": 1, "impossible": 1, "not shown": 1}


def test_conditions_that_a_symmetry_carries_into_each_other_are_one() -> None:
    """Rows and columns are one condition of a line of three, both diagonals another; the third is the whole."""
    probe = Probe(load("tic-tac-toe").rules())
    assert [c.number for c in probe.conditions if c.rule == "end.three"] == [0, 1, 2]


@pytest.mark.parametrize("game", ["tic-tac-toe", "xxung", "oxono"])
def test_what_a_game_shows_is_never_said_to_be_impossible(game: str) -> None:
    found = survey(game)
    assert len(found.found) > 40
    assert impossible(found.eyes, list(found.found)) == {}


def test_what_cannot_come_about_is_proved() -> None:
    """A run of four does not fit on a board of three; no five can be made by the first piece; a full board offers no empty site."""
    eyes = survey("tic-tac-toe").eyes
    assert set(impossible(eyes, [("longer", "end.three")])) == {("longer", "end.three")}
    opening = ("ends", "end.five", "opening 1", 0)
    assert opening in impossible(survey("xxung").eyes, [opening])


def test_each_condition_is_shown_on_both_sides_by_games_that_differ_in_little() -> None:
    vectors = {v.id: v for v in made().full.vectors}
    paired = [v for v in vectors.values() if v.neighbour]
    assert len(paired) >= 6
    for v in paired:
        other = vectors[v.neighbour or ""]
        a, b = v.position.board, other.position.board
        assert sum(a.get(s) != b.get(s) for s in {*a, *b}) <= 2
        assert {"boundary holds", "boundary fails"} <= {*v.flags, *other.flags}


def test_the_endings_of_the_shortest_and_the_latest_games_are_both_there() -> None:
    found = survey("tic-tac-toe")
    shortest = min(len(f.line) for k, f in found.found.items() if k[:2] == ("ends", "end.three"))
    assert (shortest, len(found.found["latest", "end.three"].line)) == (5, 9)  # three of one player's marks; a full board


def test_a_game_that_a_reading_refuses_tells_it_apart_where_it_is_refused() -> None:
    maker = Maker(load("tic-tac-toe"))
    vectors = made().full.vectors
    known = {c.name: answering for c, answering in rivals(maker, "")}
    refused = list(where_refused(maker, vectors, {v.id: set() for v in vectors}))
    assert len(refused) >= 4
    two = known["end.three/at-least-2"]  # under it a game is over after two marks in a row
    told = [a for a in {w.asked for w in refused} if two.answer(a) not in (None, maker.base("").answer(a))]
    assert told


def test_lines_are_met_along_each_axis_at_each_rim() -> None:
    met = {f[2:] for f in survey("tic-tac-toe").found if f[:2] == ("way", "end.three")}
    assert {way for way, _ in met} == {0, 1, 2, 3}
    assert {rim for _, rim in met} == {"north", "east", "south", "west", "inside"}


def test_a_declared_event_is_asked_at_each_kind_of_decision() -> None:
    from lawstone.cases.sources.events import wants

    maker = Maker(load("wugun"))
    found = [w for w in wants(maker, Plan(games=2, replays=5)) if not isinstance(w, Sought) and not w.variant]
    asked = {w.asked.move or "" for w in found}
    assert "time runs out" in asked
    assert any(a.startswith("time runs out after ") for a in asked)
    vectors = [maker.vector(w) for w in found]
    at_once = next(v for v in vectors if v is not None and v.move == "time runs out" and not v.moves)
    assert (at_once.expect.acts, at_once.expect.board) == ("white", {})  # the turn passes, and nothing was placed


def test_an_event_that_the_game_does_not_declare_is_not_legal() -> None:
    """Founding sentence 1 of Gomoku has the players move in turn; a reading under which one may pass is settled against."""
    from lawstone.cases.answer import Asked, answer
    from lawstone.cases.conform import mismatch
    from lawstone.cases.make import Want as Wanted

    found = answer(Game.load("gomoku").start(), "event", "pass")
    assert found is not None
    assert found.legal is False
    vector = Maker(load("gomoku")).vector(Wanted("", Asked((), "event", "pass")))
    assert vector is not None
    assert [(u.question, u.answer) for u in vector.under] == [("pass", "may-pass")]
    assert not mismatch(vector, vector.expect, {"legal": False})
    assert not mismatch(vector, vector.expect, {"error": "no"})
    assert mismatch(vector, vector.expect, {"outcome": "none", "acts": "second"})


@pytest.mark.parametrize(("event", "result", "winner"), [("draw agreed", "draw", None), ("flag falls", "win", "second")])
def test_an_event_ends_the_game_as_its_rule_says(event: str, result: str, winner: str | None) -> None:
    from lawstone.cases.answer import answer
    from lawstone.cases.vector import Ended

    found = answer(Game.load("gomoku").start(), "event", event)
    assert found is not None
    assert isinstance(found.outcome, Ended)
    assert (found.outcome.result, found.outcome.winner) == (result, winner)


@pytest.mark.parametrize("game", ["xxung", "gomoku", "oxono", "wugun"])
def test_the_published_coverage_is_of_the_published_suite(game: str) -> None:
    folder = Path(__file__).parent / "suites" / game
    told = json.loads((folder / "coverage.json").read_text(encoding="utf-8"))
    there = {v["id"] for v in json.loads((folder / "full.json").read_text(encoding="utf-8"))["vectors"]}
    assert len(told["situations"]) > 90
    for row in told["situations"]:
        assert set(row.get("vectors", ())) <= there
        assert row.get("vectors") or row.get("why") or row.get("impossible")
    shown = sum(bool(row.get("vectors")) for row in told["situations"])
    assert shown == sum(counts["shown"] for counts in told["groups"].values())
    assert shown > 0.75 * len(told["situations"])
