"""Games come back from each format that can hold them, and no text, however broken, breaks the reading."""

from __future__ import annotations

import contextlib
import json
import time

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lawstone.data import shipped_games
from lawstone.engine import records
from lawstone.engine.game import History
from lawstone.engine.records import FORMATS, CannotWrite, Record, json_record, oxono_log, pos, psq, sgf
from lawstone.model.faults import BadInput
from lawstone.spec import Usage
from recorded import SAMPLES, attempt, game_of, random_game, replayed, sample, spec_of, text

CASES = [(name, variant) for name in shipped_games() for variant in ("", *(spec_of(name).game.variants or {}))]


@settings(max_examples=60, deadline=None)
@given(case=st.sampled_from(CASES), seed=st.integers(0, 2**64 - 1), names=st.tuples(st.text(), st.text()))
def test_every_game_comes_back_from_each_format_that_can_hold_it(case: tuple[str, str], seed: int, names: tuple[str, str]):
    history = random_game(game_of(*case), seed, 60)
    record = Record.of(history, names, seed)
    for module in FORMATS.values():
        try:
            written = module.write(record)
        except CannotWrite:
            assert module is not json_record
            continue
        if record.plies:
            assert records.form_of(text(written)) is module
            back = module.read(text(written), variant=case[1])
            stones = [m for m in record.moves if m not in ("black", "white", "two more")]
            kept = [m for m in back.moves if m not in ("black", "white", "two more")]
            assert (kept == stones) if module in (psq, pos) else (back.moves == record.moves)
        if module is json_record:
            assert back.seed == seed if record.plies else True


@settings(max_examples=30, deadline=None)
@given(case=st.sampled_from(CASES), seed=st.integers(0, 1000))
def test_a_game_played_here_comes_back_from_json_whole_and_replays_to_its_end(case: tuple[str, str], seed: int):
    history = random_game(game_of(*case), seed, 60)
    written = json_record.write(history)
    jsonschema.validate(json.loads(written), json_record.schema())
    record = json_record.read(text(written))
    assert record == Record.of(history) or [p.text for p in record.plies] == [m.text for m in history.played]
    game = game_of(record.game, record.variant)
    assert game.replay(record.moves).state == history.position.state
    assert json_record.write(record) == written


@pytest.mark.parametrize("variant", ["", "pro", "swap", "swap2"])
def test_a_finished_game_of_gomoku_replays_from_sgf_with_its_own_result(variant: str):
    history = random_game(game_of("gomoku", variant), 3, 300)
    replay = replayed(sgf.read(text(sgf.write(Record.of(history, ("Ondřej", "张三"))))))
    assert replay.record.variant == variant
    assert replay.run.illegal is None
    assert replay.run.ended is not None
    assert replay.agrees
    assert replay.record.players == ("Ondřej", "张三")


@settings(max_examples=30, deadline=None)
@given(variant=st.sampled_from(["", "pro", "swap", "swap2"]), seed=st.integers(0, 1000))
def test_names_and_winner_stand_by_colour_in_sgf_whoever_took_which(variant: str, seed: int):
    history = random_game(game_of("gomoku", variant), seed, 300)
    last = history.position
    assert last.outcome is not None
    back = sgf.read(text(sgf.write(Record.of(history, ("Ondřej", "张三")))))
    assert back.players == ("Ondřej", "张三")
    assert back.winner == ("draw" if last.outcome.winner is None else last.colour_of_seat[last.outcome.winner])


@pytest.mark.parametrize("board", [(5, 5), (7, 9), (19, 19), (20, 20), (26, 26)])
def test_sgf_and_psq_keep_the_size_of_the_board(board: tuple[int, int]):
    record = Record.of(random_game(game_of("gomoku", board=board), 1, 40))
    for module in (sgf, psq):
        back = module.read(text(module.write(record)))
        assert (back.board, back.moves) == (board, record.moves)


def test_a_freestyle_game_keeps_its_reading_in_sgf_and_psq():
    game = game_of("gomoku", reading=(("overline", "wins"),))
    record = Record.of(random_game(game, 3, 300))
    assert sgf.read(text(sgf.write(record))).reading == {"overline": "wins"}
    assert psq.read(text(psq.write(record))).reading == {"overline": "wins"}


def test_times_are_kept_in_the_format_that_they_come_from():
    for name, module in (("gomocup.psq", psq), ("league.oxono.txt", oxono_log)):
        record = sample(name)
        assert [p.clock for p in module.read(text(module.write(record))).plies] == [p.clock for p in record.plies]


def test_a_game_of_moved_pieces_is_refused_by_formats_of_stones():
    record = Record.of(random_game(game_of("breakthrough"), 1, 4))
    for module in (sgf, psq, pos):
        with pytest.raises(CannotWrite, match="is not a single stone"):
            module.write(record)
    with pytest.raises(CannotWrite, match="is not a move of Oxono"):
        oxono_log.write(record)


@settings(max_examples=100, deadline=None)
@given(names=st.tuples(st.text(), st.text()))
@example(names=("]\\", "\\"))
@example(names=("a\r\nb", "\ud800"))
def test_any_name_of_a_player_survives_sgf_and_json(names: tuple[str, str]):
    history = History(game_of("gomoku").start())
    history.play("h8")
    record = Record.of(history, names)
    for module in (sgf, json_record):
        assert module.read(text(module.write(record))).players == record.players


_PIECES = st.sampled_from(
    [
        *"()[];\\:,-+ \n\r\t0189xX",
        "B[hh]",
        "W[]",
        "AB[aa:zz]",
        "SZ[15]",
        "GM[4]",
        "(;",
        "h8",
        "8,8,0",
        "-1",
        "\x00",
        "ř",
        "\ufeff",
    ]
)
_BEGINS = st.sampled_from(
    [
        "",
        "(;GM[4]SZ[15]",
        "Piskvorky 15x15, 0:0, 0\n",
        "h8i9",
        "('X', (0, 3), (0, 2)), 9\n",
        '{"lawstone": "record", "moves": [',
    ]
)


@settings(max_examples=300, deadline=None)
@given(begin=_BEGINS, rest=st.lists(_PIECES | st.text(max_size=8), max_size=30))
def test_garbage_is_read_or_refused_at_a_place_in_the_file_and_never_breaks(begin: str, rest: list[str]):
    source = text(begin + "".join(rest))
    record, faults = attempt(source)
    assert (record is None) == bool(faults)
    assert all(1 <= fault.line <= len(source.lines) and fault.render() for fault in faults)
    assert all(ply.mark.line <= len(source.lines) for ply in (record.plies if record else ()))


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from(sorted(p.name for p in SAMPLES.iterdir())), data=st.data())
def test_a_damaged_sample_is_read_or_refused_and_what_is_read_can_be_replayed(name: str, data: st.DataObject):
    content = (SAMPLES / name).read_bytes()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 12)))
    damaged = content[:start] + data.draw(st.binary(max_size=6)) + content[end:]
    record, faults = attempt(records.decode(name, damaged))
    assert (record is None) == bool(faults)
    if record is not None and record.game in shipped_games() and data.draw(st.integers(0, 9)) == 0:
        with contextlib.suppress(Usage, BadInput):
            replayed(record)


@pytest.mark.parametrize(
    "content",
    [
        "(" * 200_000,
        "(;" * 200_000,
        "(;GM[4]" + "C[\\" * 200_000,
        "(;GM[4]SZ[26]AB" + "[aa:zz]" * 200_000 + ")",
        "(;GM[4]" + " " * 1_000_000 + "x)",
        "Piskvorky 15x15, 0:0, 0\n1,1,0" + " " * 1_000_000 + "x\n",
        "Piskvorky 15x15, 0:0, 0\n" + "1,1,0\n" * 200_000,
        "('X', (1, 1)" + " " * 1_000_000 + "x\n" + "('X', (1, 1), (1, 1)), 1\n",
        "h8" + "i" * 1_000_000,
        "h8" + ", " * 500_000 + "h9",
        '{"lawstone": "record", "moves": ' + "[" * 300_000,
        "Piskvorky " + "9" * 1_000_000 + "x1",
    ],
    ids=range(12),
)
def test_hostile_files_are_dealt_with_in_a_second_or_two(content: str):
    begin = time.process_time()
    record, faults = attempt(text(content))
    assert time.process_time() - begin < 10
    assert (record is None) == bool(faults)
    assert record is None or len(record.plies) <= 5_000
