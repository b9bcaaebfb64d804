"""Records of games are read from each format, and what is wrong in one is said at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawstone.engine import records
from lawstone.engine.records.oxono_log import STARTS
from lawstone.model.faults import BadInput
from recorded import SAMPLES, differing, refused, replayed, sample, spec_of, text


def test_an_sgf_with_escapes_czech_and_chinese_names_and_variations_is_read():
    record = sample("club.sgf")
    assert record.format == "sgf"
    assert record.moves == ["h8", "h9", "i8", "i9", "g8", "g9", "j8", "f9", "k8"]
    assert record.players == ("Ondřej Žluťoučký", "李]明\\伟")
    assert (record.result, record.winner, record.board) == ("B+", "black", (15, 15))
    assert record.notes == ("the file holds variations: the main line, which is the first of each, is taken",)
    replay = replayed(record)
    assert str(replay.run) == "first wins by end.five"
    assert replay.agrees


def test_each_move_keeps_its_place_in_the_file():
    record = sample("club.sgf")
    for ply, raw in zip(record.plies, ["hh", "hg", "ih", "ig", "gh", "gg", "jh", "fg", "kh"], strict=True):
        assert ply.mark.source.lines[ply.mark.line - 1][ply.mark.column - 1 :].startswith(raw)
    for name, line in (("gomocup.psq", 2), ("league.oxono.txt", 2), ("opening.pos", 1)):
        assert (sample(name).plies[0].mark.line, sample(name).plies[0].mark.column) == (line, 1)
    drawn = sample("drawn.json").plies[1].mark
    assert (drawn.line, drawn.column) == (7, 19)


def test_a_swap2_game_in_sgf_gets_the_pick_that_sgf_leaves_out_and_says_so():
    record = sample("swap2.sgf")
    assert record.variant == "swap2"
    assert record.moves == ["h8", "i7", "g7", "white", "j6", "k5", "h7"]
    assert record.plies[3].mark == record.plies[4].mark
    assert any("taken for granted" in note for note in record.notes)
    replay = replayed(record)
    assert str(replay.run) == "the game goes on"
    assert replay.agrees is None
    assert differing(replay)[("swap2-next", "other-player")] == ("illegal", 5)


def test_setup_stones_are_laid_in_turn_and_the_note_says_so():
    record = sample("setup.sgf")
    assert record.moves == ["h8", "g7", "i9", "g8", "j10", "k11"]
    assert "setup stones are taken as laid in turn, in the order in which they are listed" in record.notes
    assert replayed(record).run.illegal is None


def test_a_freestyle_psq_is_won_by_six_in_a_row_and_the_other_reading_is_told():
    record = sample("gomocup.psq")
    assert record.board == (15, 15)
    assert record.players == ("pbrain-alpha.exe", "BETA19.zip")
    assert record.moves[:2] == ["f8", "f15"]
    assert [ply.clock for ply in record.plies[3:5]] == ["1031", "15"]
    assert record.reading == {"overline": "wins"}
    replay = replayed(record)
    assert str(replay.run) == "first wins by end.five"
    assert differing(replay)[("overline", "does-not")] == ("outcome", 11)
    strict = replayed(sample("gomocup.psq", variant=""))
    assert str(strict.run) == "the game goes on"
    assert differing(strict)[("overline", "wins")] == ("outcome", 11)


def test_a_psq_with_windows_line_ends_is_read_the_same(tmp_path: Path):
    content = (SAMPLES / "gomocup.psq").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "game.psq").write_bytes(content)
    other = records.load(tmp_path / "game.psq")
    assert other == sample("gomocup.psq")
    assert (other.plies[-1].mark.line, other.plies[-1].mark.column) == (12, 1)


def test_a_psq_without_times_and_names_is_read():
    record = sample("casual.psq")
    assert record.moves == ["j10", "k10", "j9", "k9"]
    assert (record.board, record.players, record.reading) == ((19, 19), ("", ""), {})
    assert "the header says that the player listed second began" in record.notes
    assert replayed(record).run.illegal is None


def test_pos_notation_is_read_with_blanks_capitals_and_line_breaks():
    record = sample("opening.pos")
    assert record.moves == ["h8", "i9", "g7", "j10", "k11", "h9"]
    assert record.board == (15, 15)
    assert records.read(text("a1t19")).board == (20, 20)
    assert records.read(text("1. h8 2. i9")).moves == ["h8", "i9"]


def test_a_log_of_oxono_tells_the_start_from_the_first_moves_of_the_totems():
    record = sample("league.oxono.txt")
    assert record.moves[:2] == ["Xd6 c6", "Od4 e4"]
    assert record.reading == {"start-assignment": "x-on-d3"}
    replay = replayed(record)
    assert str(replay.run) == "pink wins by end.symbol"
    assert differing(replay)[("start-assignment", "x-on-c4")] == ("illegal", 1)
    # X would begin on d4, from where d6 can be reached, and O on c3, from where d4 cannot.
    assert differing(replay)[("start-squares", "c3-and-d4")] == ("illegal", 2)
    assert replay.left_out == ()


def test_the_answers_that_logs_and_rule_names_stand_for_exist():
    for name, readings in (("oxono", [r for r, *_ in STARTS]), ("gomoku", [{"overline": "wins"}])):
        for reading in readings:
            for question, answer in reading.items():
                assert answer in spec_of(name).question(question).answers
    assert {"pro", "long-pro", "swap", "swap2"} <= set(spec_of("gomoku").game.variants or {})


def test_a_json_record_is_read():
    record = sample("drawn.json")
    assert (record.game, record.players, record.winner) == ("tic-tac-toe", ("Anna", "王芳"), "draw")
    assert replayed(record).agrees


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("(;GM[1]SZ[19];B[aa])", "1:6: this is a record of Go (GM[1])"),
        ("(;GM[4]SZ[15];B[hh];W[pp])", "1:23: the point 'pp' is not on this board of 15x15"),
        ("(;GM[4]SZ[15];B[h!])", "1:17: 'h!' is not a point"),
        ("(;GM[4]SZ[15];B[hh][ii])", "1:21: a move is one point"),
        ("(;GM[4]SZ[99];B[hh])", "1:11: the size '99' is not one of a board here"),
        ("(;GM[4]SZ[15];B[hh];W[ii", "1:22: this value is opened and not closed"),
        ("(;GM[4]SZ[15];B[hh];W[ii]", "1:26: the file ends before its game does"),
        ("(;GM[4]SZ[15];B;W[ii])", "1:15: the property B has no value"),
        ("(;GM[4]SZ[15];B[hh] 17 ;W[ii])", "1:21: '1' cannot stand here in SGF"),
        ("(;GM[4]SZ[15](B[hh]))", "1:15: the name of a property cannot stand here"),
        ("(;GM[4]SZ[15]AB[hh][ii][jj];W[aa])", "1:14: 3 black and 0 white setup stones cannot come from play in turn"),
        ("(;GM[4]SZ[15]AB[hh]PL[B])", "1:23: the file says that Black plays next, and by turns the other colour does"),
        ("(;GM[4]SZ[15];B[hh];AE[hh])", "1:21: this file takes stones off the board (AE)"),
    ],
)
def test_a_broken_sgf_is_refused_at_its_place(content: str, message: str):
    assert refused(content) == [message]


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        ("Piskvorky\n1,1,0\n", ["1:1: this is not how a file of Piskvork begins"]),
        ("Piskvorky 40x40, 0:0, 0\n1,1,0\n", ["1:1: a board has 1 to 26 columns and rows, and this one is 40 by 40"]),
        (
            "Piskvorky 15x15, 0:0, 0\n0,1,0\n16,2,0\n",
            [
                "2:1: column 0, row 1 is not on this board of 15 columns and 15 rows",
                "3:1: column 16, row 2 is not on this board of 15 columns and 15 rows",
            ],
        ),
        ("Piskvorky 15x15, 0:0, 0\n1,1,0\n  2;2;0\n3,3,0\n-1\n", ["3:3: this is not a move"]),
        ("Piskvorky 15x15, 0:0, 0\n1,1,0\n2,x,0\n", ["3:1: here a move is wanted, or the names of both players"]),
        ("Piskvorky 15x15, 0:0, 0\n1,1,0\na\nb\n-1\n1,x\nmore\n", ["7:1: what this line says is not known"]),
    ],
)
def test_a_broken_psq_is_refused_at_its_place(content: str, messages: list[str]):
    assert refused(content) == messages


def test_other_broken_records_are_refused_at_their_places():
    assert refused("h8 i9 g7\nz9zz h88 j2") == [
        "2:3: 'zz' is not a point",
        "2:6: no board of this toolkit has a point h88",
    ]
    assert refused("h8z99") == ["1:3: no board of this toolkit has a point z99"]
    assert refused("('X', (0, 3), (0, 2)), 9\nXd6\n('O', (6, 0), (1, 1)), 8\n") == [
        "2:1: this line is not a ply",
        "3:1: rows and columns go from 0 to 5, from the top left",
    ]
    assert refused('{"lawstone": "record", "version": 1, "game": "xxung", "moves": [1], "mvoes": []}') == [
        "1:65: text is wanted here, and this is a number",
        "1:69: 'mvoes' is not a word of this file",
    ]
    assert refused("hello") == ["1:1: this is no record of a known format"]
    assert refused(" \n") == ["1:1: the file is empty"]


def test_files_that_are_none_are_refused(tmp_path: Path):
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "a\0b"):
        with pytest.raises(BadInput):
            records.load(path)
    (tmp_path / "large").write_bytes(b" " * 4_000_001)
    with pytest.raises(BadInput, match="at most 4,000,000 bytes"):
        records.load(tmp_path / "large")


def test_an_old_sgf_in_another_character_set_is_read(tmp_path: Path):
    path = tmp_path / "old.sgf"
    for charset, name in (("GB2312", "张三"), ("windows-1250", "Žluťoučký"), ("no-such-set", "")):
        content = f"(;GM[4]FF[4]CA[{charset}]SZ[15]PB[{name}];Black[hh])"
        path.write_bytes(content.encode("latin-1" if not name else charset))
        record = records.load(path)
        assert (record.players[0], record.moves) == (name, ["h8"])


def test_a_collection_gives_its_first_game_and_says_so():
    record = records.read(text("(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[aa])"))
    assert record.moves == ["h8"]
    assert "the file holds several games: the first is taken" in record.notes


@pytest.mark.parametrize(
    ("properties", "variant", "reading"),
    [
        ("RU[Long Pro]", "long-pro", {}),
        ("RU[Freestyle]", "", {"overline": "wins"}),
        ("RU[Swap-2]", "swap2", {}),
        ("RU[Standard]", "", {}),
        ("GN[swap2]", "swap2", {}),
        ("GN[A pro plays]", "", {}),
        ("RU[Renju]", "", {}),
    ],
)
def test_the_rules_that_an_sgf_names_are_taken_over(properties: str, variant: str, reading: dict[str, str]):
    record = records.read(text(f"(;GM[4]SZ[15]{properties};B[hh])"))
    assert (record.variant, record.reading) == (variant, reading)
    assert records.read(text(f"(;GM[4]SZ[15]{properties};B[hh])"), variant="swap").variant == "swap"


def test_an_sgf_without_a_size_or_a_game_is_read_with_notes():
    record = records.read(text("(;B[hh];W[s1])"))
    assert (record.moves, record.board) == (["h12", "s1"], (19, 19))
    assert len(record.notes) == 2
