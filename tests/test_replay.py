"""A replay finds the first illegal move, or the outcome, and the readings under which that is otherwise."""

from __future__ import annotations

import json

import pytest

from lawstone.engine import records
from lawstone.engine.explain import explain
from lawstone.engine.records import Record
from lawstone.spec import Usage
from recorded import SAMPLES, differing, replayed, sample, spec_of, text


def test_the_first_illegal_move_is_told_with_its_place_and_position():
    replay = replayed(records.read(text("(;GM[4]SZ[15];B[hh];W[ii]\n;B[hh];W[gg])", "a.sgf")))
    illegal = replay.run.illegal
    assert illegal is not None
    assert (illegal.ply, illegal.move, illegal.why) == (3, "h8", "'h8' is not a legal move here")
    assert illegal.fault().render().startswith("a.sgf:2:4: error: ply 3: 'h8' is not a legal move here [illegal-move]")
    assert illegal.position.cells[illegal.position.game.rules.board.numbers["i7"]] == "o"
    assert replay.run.plies == 2


def test_an_explanation_takes_the_place_of_the_plain_words():
    record = records.read(text("(;GM[4]SZ[15];B[hh];W[hh])"))
    replay = records.replay(record, spec_of("gomoku"), lambda position, move: str(explain(position, move)))
    assert replay.run.illegal is not None
    assert "turn.place" in replay.run.illegal.why


def test_two_stones_of_one_colour_in_a_row_are_not_legal():
    illegal = replayed(records.read(text("(;GM[4]SZ[15];B[hh];B[ii])"))).run.illegal
    assert illegal is not None
    assert illegal.why == "'i7' is black's in this record, and here second lays a stone of white"


def test_a_pass_is_a_ply_that_the_rules_do_not_know():
    for move in ("", "tt"):
        illegal = replayed(records.read(text(f"(;GM[4]SZ[15];B[hh];W[{move}];B[ii])"))).run.illegal
        assert illegal is not None
        assert (illegal.ply, illegal.move) == (2, "pass")
    assert records.read(text("(;GM[4]SZ[20];B[tt])")).moves == ["t1"]


def test_a_record_that_goes_on_after_the_end_is_illegal_there():
    replay = replayed(records.read(text("h8h9i8i9g8g9j8f9k8a1a2")))
    assert replay.run.ended is not None
    assert replay.run.illegal is not None
    assert (replay.run.ended.ply, replay.run.illegal.ply) == (9, 10)
    assert str(replay.run) == "first wins by end.five, and the record goes on"


def test_every_other_answer_is_compared_or_its_reason_is_given():
    for record in (sample("league.oxono.txt"), sample("club.sgf"), sample("swap2.sgf")):
        replay = replayed(record)
        asked = [(q.id, a) for q in spec_of(record.game).questions(record.variant) for a in q.answers]
        told = [*replay.compared, *((q, a) for q, a, _ in replay.left_out)]
        held = [(q, record.reading.get(q, next(iter(spec_of(record.game).question(q).answers)))) for q, _ in asked]
        assert sorted({*told, *held}) == sorted(asked)
        assert not {*told} & {*held}


def test_another_answer_may_make_an_illegal_move_legal():
    replay = replayed(Record("oxono", sample("league.oxono.txt").plies))
    assert replay.run.illegal is not None
    assert replay.run.illegal.ply == 1
    assert differing(replay)[("start-assignment", "x-on-d3")] == ("legal", 1)


def test_a_wrong_result_in_the_file_is_seen():
    assert replayed(records.read(text((SAMPLES / "club.sgf").read_text("utf-8").replace("RE[B+]", "RE[W+]")))).agrees is False


def test_a_replay_is_plain_data():
    for name in ("club.sgf", "gomocup.psq", "league.oxono.txt", "drawn.json"):
        replay = replayed(sample(name))
        data = json.loads(json.dumps(replay.to_json()))
        assert data["differences"] == [d.to_json() for d in replay.differences]
        assert data["plies"] == len(sample(name).moves)


def test_a_record_of_other_rules_and_unknown_variants_are_told():
    record = Record("tic-tac-toe", (), rules_version=77)
    assert "made under version 77" in replayed(record).notes[-1]
    with pytest.raises(Usage, match="has no variant 'sideways'"):
        replayed(Record("gomoku", (), variant="sideways"))
