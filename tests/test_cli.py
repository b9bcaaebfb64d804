"""The command line: what each command prints and ends with, in a terminal, in a pipe, and when it is misused."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from lawstone import data
from lawstone.cli import schema as schemas
from lawstone.cli.main import COMMANDS, cli
from lawstone.cli.new import identifier_of
from lawstone.cli.shared import Command, columns, wrap
from lawstone.engine.drawn import position_text
from lawstone.engine.game import Game, History, Move
from lawstone.engine.notation import write
from lawstone.model.located import read

ROOT = Path(__file__).resolve().parents[1]
RECORDS = Path(__file__).parent / "records"
NAMES = [name for group in COMMANDS.values() for name in group]


def run(*args: str | Path, input: str = "") -> Result:
    """A command, in this process."""
    return CliRunner().invoke(cli, [str(a) for a in args], input=input, prog_name="lawstone")


def said(*args: str | Path, input: str = "", code: int = 0) -> str:
    """What a command prints on standard output; it has to end with `code`."""
    found = run(*args, input=input)
    assert found.exit_code == code, f"{args} ended with {found.exit_code}\n{found.output}"
    return found.stdout


def refused(*args: str | Path, input: str = "", code: int = 2) -> str:
    """What a command says on standard error when it is refused."""
    found = run(*args, input=input)
    assert found.exit_code == code, f"{args} ended with {found.exit_code}\n{found.output}"
    assert "Traceback" not in found.output
    return found.stderr


def document(*args: str | Path, input: str = "", code: int = 0) -> Any:
    """The JSON document that a command prints."""
    return json.loads(said(*args, input=input, code=code))


def process(*args: str, **more: Any) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "rules"), "PYTHONUTF8": "1", "COLUMNS": "88", **more.pop("env", {})}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-m", "lawstone", *args]
    return subprocess.Popen(command, text=True, encoding="utf-8", env=env, **{**pipes, **more})


# -- help, and what goes wrong -------------------------------------------------------------------------------------------


def test_the_help_names_every_command_and_imports_no_part_of_the_toolkit_but_the_entry():
    told = said("--help")
    assert all(f"  {name} " in told for name in NAMES)
    code = "import sys\ntry:\n import lawstone.cli.main as m\n m.main(['--help'])\nexcept SystemExit: pass\n"
    code += "print([m for m in ('pydantic', 'rich', 'ruamel', 'lawstone.spec', 'lawstone.core') if m in sys.modules])"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "rules")}
    found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_each_command_has_examples_and_exit_codes(name: str):
    told = said(name, "--help")
    assert told.startswith(f"Usage: lawstone {name} ")
    assert f"Examples:\n  lawstone {name}" in told
    assert "\nExit codes:\n  0" in told
    assert max(map(len, told.splitlines())) <= 90


def _lines_of_examples() -> list[str]:
    found = []
    for name in NAMES:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert isinstance(command, Command)
        found += [line for line, _ in command.examples]
    own_files = (
        "<",
        "|",
        ">",
        "game.",
        "my-game",
        "games/",
        "old/",
        "lawstone check",
        "lawstone diff",
        "lawstone prove",
        "lawstone recheck",
        "lawstone publish",
        "--record",
    )
    return [line for line in found if not any(sign in line for sign in own_files)]


@pytest.mark.parametrize("line", _lines_of_examples())
def test_the_examples_of_the_help_pages_work(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    said(*shlex.split(line)[1:])


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["shwo"], "there is no command 'shwo'; did you mean 'show'?"),
        (["show"], "Missing argument 'GAME'"),
        (["show", "oxono", "--colour"], "No such option"),
        (["show", "oxono", "--core", "--emitted"], "--core and --emitted are shown one at a time"),
        (["show", "gomoku", "--variant", "swop"], "has no variant 'swop'; did you mean 'swap'?"),
        (["show", "oxono", "--rule", "mov.jump"], "did you mean 'move.jump'?"),
        (["show", "oxono", "--lang", "de"], "oxono has no prose in 'de'"),
        (["legal", "xxung", "--reading", "sixx=wins"], "has no question 'sixx'; did you mean 'six'?"),
        (["legal", "xxung", "--reading", "six=win"], "has no answer 'win'; did you mean 'wins'?"),
        (["legal", "xxung", "--reading", "six"], "is not a question and its answer"),
        (["legal", "xxung", "--reading", "six=wins", "--reading", "six=does-not"], "two answers"),
        (["legal", "gomoku", "--reading", "pro-third=city-block"], "is asked in the variant pro only"),
        (["legal", "oxono", "--board", "8x8"], "the size of the board of oxono is not a parameter"),
        (["legal", "xxung", "--board", "99x99"], "a board has 1 to 26 columns and rows"),
        (["legal", "xxung", "--board", "eight"], "neither a size such as 8x8 nor a file"),
        (["legal", "gomoku", "--variant", "pro", "--board", "8x8"], "this board has no middle site"),
        (["perft", "xxung"], "Missing option '--depth'"),
        (["play", "xxung", "--seed", "1"], "--as and --seed go with --against random"),
        (["play", "xxung", "--against", "random", "--as", "third"], "xxung has no player 'third'"),
        (["explain", "xxung", "hello"], "is not how a move of xxung is written"),
    ],
)
def test_a_misuse_ends_with_two_and_says_what_was_meant(args: list[str], words: str):
    assert words in refused(*args)


def test_an_unknown_game_and_a_faulty_file_end_with_three(tmp_path: Path):
    assert refused("show", "oxno", code=3) == "error: there is no game 'oxno'; did you mean 'oxono'?\n"
    file = tmp_path / "game.yaml"
    file.write_text("game: mine\nrules version: 1\nplayer: [a, b]\n", encoding="utf-8")
    assert f"{file}:3:1: error: " in refused("legal", file, code=3)
    assert "Is a directory" not in refused("show", tmp_path / "nothing.yaml", code=3)


def test_a_fault_of_the_toolkit_is_one_line_that_asks_for_a_report(monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object) -> None:
        raise KeyError("a fault\nof two lines")

    monkeypatch.setattr("lawstone.cli.games.load", broken)
    told = refused("games", code=70)
    assert told.count("\n") == 1
    assert told.startswith("internal error: KeyError")
    assert "please report it" in told


def test_a_reader_who_goes_away_ends_a_command_in_silence():
    shown = process("show", "gomoku")
    assert shown.stdout is not None
    assert shown.stderr is not None
    shown.stdout.readline()
    shown.stdout.close()
    assert shown.wait(timeout=30) == 141
    assert shown.stderr.read() == ""
    shown.stderr.close()


def test_an_interrupted_count_prints_what_was_counted_and_ends_with_130():
    counting = process("perft", "xxung", "--depth", "30", "--most", "100000000")
    assert counting.stdout is not None
    while not (line := counting.stdout.readline()).strip().startswith("3 "):
        assert line
    counting.send_signal(signal.SIGINT)
    _, told = counting.communicate(timeout=30)
    assert counting.returncode == 130
    assert "interrupted" in told
    assert "Traceback" not in told


def test_a_bound_of_time_keeps_what_was_counted_before_and_ends_with_four():
    found = run("perft", "xxung", "--depth", "30", "--most", "100000000", "--time", "1.5", "--json")
    assert found.exit_code == 4
    assert "stopped after ply" in found.stderr
    kept = json.loads(found.stdout)
    assert not kept["complete"]
    assert kept["sequences"][:2] == [81, 81 * 16]
    cut = run("playouts", "tic-tac-toe", "--n", "1000000000", "--time", "0.3", "--emitted", "--json")
    assert cut.exit_code == 4
    some = json.loads(cut.stdout)
    assert 0 < some["n"] < 1_000_000_000
    whole = document("playouts", "tic-tac-toe", "--n", str(some["n"]), "--emitted", "--json")
    assert whole["stopped"] is None
    assert (whole["outcomes"], whole["lengths"]) == (some["outcomes"], some["lengths"])


def test_interrupted_random_games_are_told_as_far_as_they_came():
    playing = process("playouts", "tic-tac-toe", "--n", "1000000000", "--emitted")
    with pytest.raises(subprocess.TimeoutExpired):
        playing.communicate(timeout=4)
    playing.send_signal(signal.SIGINT)
    shown, told = playing.communicate(timeout=30)
    assert playing.returncode == 130
    assert "interrupted" in told
    assert "random games" in shown
    assert "Traceback" not in told


def test_a_comparison_that_a_bound_cuts_short_is_undecided():
    asked = process("diff", "wugun", "wugun", "--new-variant", "north-east", "--time", "0.1", "--no-cache")
    told, _ = asked.communicate(timeout=300)
    assert (asked.returncode, "the bound of 0.1 CPU-seconds was reached" in told) == (4, True)


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours_are_for_terminals_that_want_them(env: dict[str, str], coloured: bool):
    ours, theirs = pty.openpty()
    env = {"TERM": "xterm", "NO_COLOR": "", **env}
    shown = process("legal", "tic-tac-toe", stdout=theirs, env=env)
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        found += part
    os.close(ours)
    shown.communicate(timeout=30)
    assert b"9 legal moves" in found
    assert (b"\x1b[" in found) is coloured


def test_a_terminal_without_chinese_signs_shows_question_marks():
    shown = process("show", "wugun", "--lang", "zh", env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"})
    out, told = shown.communicate(timeout=30)
    assert (shown.returncode, told) == (0, "")
    assert out.startswith("?????\nwugun, rules version")
    legal = process("legal", "wugun", "--json", env={"PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"})
    assert json.loads(legal.communicate(timeout=30)[0])["count"] == 25


# -- show ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", data.shipped_games())
def test_every_shipped_game_is_shown_with_all_its_rules_in_each_language_and_variant(name: str):
    game = Game.load(name)
    for language in list(game.spec.texts) or ["en"]:
        told = said("show", name, "--lang", language)
        for rule in [e.rule for e in game.spec.game.end] + [e.rule for e in game.spec.game.events or []]:
            assert f"\n  {rule}" in told
        assert all(f"  {q.id} (" in told for q in game.spec.questions())
    for variant in game.spec.game.variants or {}:
        assert f"variant {variant}" in said("show", name, "--variant", variant).splitlines()[0]
    assert "becomes" in said("show", name, "--core")
    assert "  identity" in said("show", name, "--symmetries")
    compile(said("show", name, "--emitted"), name, "exec")
    shown = document("show", name, "--json")
    assert [e["rule"] for e in shown["endings"]] == [e.rule for e in game.spec.game.end]


def test_a_shared_term_is_named_before_it_is_used_and_only_once():
    told = said("show", "oxono", "--core")
    names = re.findall(r"^    (t\d+) = ", told, re.MULTILINE)
    assert names == [f"t{n}" for n in range(1, len(names) + 1)]
    seen: set[str] = set()
    for line in told.split("\nPhase main")[1].splitlines():
        named = re.match(r"    (t\d+) = ", line)
        if named:
            seen.add(named[1])
        assert set(re.findall(r"\bt\d+\b", line)) <= seen


def test_one_rule_is_shown_with_its_sources_examples_and_questions():
    told = said("show", "oxono", "--rule", "move.jump")
    for words in ("the text that decides", "founding 25, rule:", "jump-over-totem:", "jump.in-the-corner", "not legal:"):
        assert words in told
    assert "stands only in the variant pro" in said("show", "gomoku", "--rule", "pro.third")
    assert {p["language"] for p in document("show", "wugun", "--rule", "shape.four", "--json")["prose"]} == {"zh", "en", "cs"}


def test_every_heading_of_the_prose_can_be_asked_for():
    for heading in Game.load("breakthrough").spec.headings():
        assert document("show", "breakthrough", "--rule", heading, "--json")["prose"], heading


# -- legal and explain -----------------------------------------------------------------------------------------------------


def test_moves_are_put_together_by_what_they_begin_with():
    told = said("legal", "oxono")
    assert "\n68 legal moves\n" in told
    assert "\n  Xc5  c4 b5 d5 c6\n" in told
    assert "\n  a2-  a3 b3\n" in said("legal", "breakthrough")
    assert "\n  black  white  two more\n" in said("legal", "gomoku", "--variant", "swap2", "a1", "b2", "c3")


def test_long_lists_of_moves_are_cut_with_a_count_unless_all_are_asked_for():
    told = said("legal", "gomoku")
    assert "105 of 225 moves are not shown" in told
    assert " o15" not in told
    assert " o15" in said("legal", "gomoku", "--all")
    assert len(document("legal", "gomoku", "--json")["moves"]) == 225


def test_where_a_piece_may_go_is_marked_on_the_board():
    told = said("legal", "xxung", "--board", "5x5", "c3")
    board = """\
  5 . . + . .
  4 . . + . .
  3 + +(x)+ +
  2 . . + . .
  1 . . + . .
    a b c d e
"""
    assert board in told
    assert "{x} may be moved" in said("legal", "breakthrough")


@pytest.mark.parametrize("name", data.shipped_games())
def test_a_position_that_is_printed_can_be_pasted_again(name: str):
    game = Game.load(name)
    history = History(game.start())
    for picks in game.playout(3, 4).moves:
        history.play(Move(write(game.rules, history.position.state, picks), picks))
    text = position_text(history.position)
    found = document("legal", name, "--board", "-", "--json", input=text)
    assert found["position"] == text
    assert found["moves"] == [m.text for m in history.position.moves]


def test_a_bare_drawing_is_a_position_and_gives_the_size_of_its_board():
    drawing = ". . .\n. x .\n. o .\n"
    assert document("legal", "tic-tac-toe", "--board", "-", "--json", input=drawing)["count"] == 7
    rows = "".join(f"{n} " + ". . . . . . .\n" for n in range(7, 0, -1)) + "  a b c d e f g\n"
    found = document("legal", "gomoku", "--position", "-", "--json", input=rows)
    assert (found["board"], found["count"]) == ("7x7", 49)


def test_a_drawing_of_a_hexagon_can_be_pasted():
    board = said("show", "yavalath", "--position", "-", input=position_text(Game.load("yavalath").start().play("e5")))
    rows = "\n".join(board.splitlines()[2:12])
    assert document("legal", "yavalath", "--board", "-", "--json", input=rows)["count"] == 60


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        ("\n. . .\n. q .\n. . .\n", "<standard input>:3:3: error: no piece is written 'q'"),
        (". . .\n. . . .\n. . .\n", "<standard input>:2:7: error: this row has 4 sites"),
        ("game: oxono\nboard: |\n  . . .\nto act: x\n", "this is a position of oxono"),
        ("board: |\n  . . .\n  . . .\n  . . .\nto act: z\n", "<standard input>:5:9: error: 'z' is not a player"),
        ("", "there is no position here"),
        ("board: [\n", "<standard input>:"),
    ],
)
def test_a_position_that_is_none_is_refused_at_its_place(drawing: str, words: str):
    found = run("legal", "tic-tac-toe", "--board", "-", input=drawing)
    assert found.exit_code in (2, 3)
    assert words in found.stderr


def test_options_go_before_what_a_position_says_of_itself(tmp_path: Path):
    file = tmp_path / "position.yaml"
    game = Game.load("xxung", reading={"how-far": "next-to-it"}, board=(5, 5))
    file.write_text(position_text(game.start().play("c3")), encoding="utf-8")
    assert document("legal", "xxung", "--position", file, "--json")["count"] == 4
    assert document("legal", "xxung", "--board", file, "--reading", "how-far=any-distance", "--json")["count"] == 8


def test_a_forbidden_move_is_explained_by_its_rule_and_by_what_is_allowed():
    told = said("explain", "xxung", "--board", "5x5", "c3", "d4")
    assert "d4 is not legal." in told
    assert "rule     turn.line:" in told
    assert "founding 17:" in told
    assert "instead  c1 c2 a3 b3 d3 e3 c4 c5" in told
    found = document("explain", "oxono", "--json", "Xe5 d5")
    assert (found["legal"], found["rule"], found["sites"]) == (False, "move.slide", ["e5"])
    assert 23 in [s["sentence"] for s in found["sources"]]


def test_a_legal_move_is_explained_too_and_an_illegal_one_before_it_ends_with_three():
    assert "is legal." in said("explain", "oxono", "Xe4 f4")
    assert "move 2 cannot be played: d4 is forbidden by turn.line" in refused("explain", "xxung", "c3", "d4", "e5", code=3)


def test_a_removal_may_be_written_as_it_is():
    position = """\
game: wugun
board: |
  x x o o x
  o o x x o
  x x o o x
  o o x x o
  x o o x x
to act: white
phase: forcing
"""
    assert "-a1 is legal." in said("explain", "wugun", "--board", "-", "-a1", input=position)
    assert "-b1 is not legal." in said("explain", "wugun", "--board", "-", "-b1", input=position)


# -- perft -----------------------------------------------------------------------------------------------------------------


def test_perft_of_oxono_is_told_as_lists_by_ply():
    found = document("perft", "oxono", "--depth", "3", "--json")
    assert found["sequences"] == [68, 3612, 162680]
    assert found["open"] == [68, 3612, 162680]
    assert found["positions"] == [68, 3564, 155664]
    assert found["complete"] is True


def test_perft_names_the_endings_and_says_when_every_game_is_over():
    told = said("perft", "tic-tac-toe", "--depth", "20")
    assert "end.full 46,080, end.three 81,792" in told
    assert "Every game is over after 9 plies." in told


def test_perft_stops_at_its_bound_with_what_was_counted():
    found = run("perft", "xxung", "--depth", "4", "--most", "500", "--json")
    assert found.exit_code == 4
    assert json.loads(found.stdout)["sequences"] == [81]
    assert "more than 500 positions at ply 2" in found.stderr


def test_the_counts_below_each_move_add_up():
    found = document("perft", "oxono", "--depth", "2", "--divide", "--json", "--moves", "Xc5 d5, Oe3 e4")
    assert sum(found["divide"].values()) == found["total"]
    later = document("perft", "oxono", "--depth", "2", "--json", "--moves", "Xc5 d5", "--moves", "Oe3 e4")
    assert later["sequences"][1] == found["total"]


# -- play and replay -------------------------------------------------------------------------------------------------------


def played(game: str, *lines: str, options: tuple[str, ...] = ()) -> str:
    """What a game in the terminal prints for these lines."""
    return said("play", game, *options, input="".join(f"{line}\n" for line in lines))


def test_two_people_play_to_the_end():
    told = played("tic-tac-toe", "b2", "a1", "b1", "a2", "b3")
    assert "The game is over: x wins by end.three" in told
    assert told.count("x> ") == 3


def test_an_illegal_move_is_explained_at_once_and_changes_nothing():
    told = played("tic-tac-toe", "b2", "b2", "moves")
    assert "b2 is not legal." in told
    assert "because  b2 is not empty" in told
    assert "o> moves\n1. b2\n" in told


def test_a_move_can_be_taken_back():
    told = played("tic-tac-toe", "b2", "undo", "moves", "undo")
    assert "taken back: b2" in told
    assert "No move has been played." in told
    assert "There is no move to take back." in told


def test_the_words_of_the_terminal_are_told_and_misspelt_ones_are_guessed():
    told = played("gomoku", "?", "? all", "why h8", "udno", "help", "board", "position", "quit", "h8")
    assert "`? all` lists them" in told
    assert " o15" in told
    assert "h8 is legal." in told
    assert "did you mean 'undo'?" in told
    assert "draw agreed (draw.agreed):" in told
    assert "to act: first" in told
    assert "> h8" not in told


def test_a_draw_is_agreed_by_both_or_not_at_all():
    told = played("gomoku", "draw agreed", "no", "h8", "draw agreed", "yes", "a1", "undo", "a1")
    assert "second does not agree: play on." in told
    assert "The game is over: drawn by draw.agreed" in told
    assert "The game goes on." in told
    assert told.rstrip().endswith("End of the input: the game is left here.")
    against = played("gomoku", "draw agreed", options=("--against", "random", "--seed", "1"))
    assert "agrees to nothing" in against


def test_a_clock_does_what_the_reading_says():
    assert "second wins by clock.game" in played("gomoku", "flag falls")
    silent = played("gomoku", "flag falls", options=("--reading", "clock=nothing-said"))
    assert "no rule says what follows when `flag falls` happens" in " ".join(silent.split())
    assert "second wins by clock" not in silent


def test_a_turn_that_time_cuts_short_keeps_the_stone_in_hand():
    told = played("wugun", "a1", "time runs out", "position")
    assert "hands: {black stone: 12, white stone: 12}" in told
    assert "to act: black" in told


def test_picks_made_before_time_runs_out_stand():
    told = played("wugun", "a1", "e5", "a2", "e4", "b1", "e3", "time runs out after b2", "position")
    assert "hands: {black stone: 9, white stone: 9}" in told
    assert "captured in: {placing: false}" in told
    assert "5 . . . . o" in told
    assert "no legal move here begins with c7" in played("wugun", "time runs out after c7")


def test_a_seed_repeats_the_random_player():
    options = ("--against", "random", "--seed", "5", "--as", "second")
    first, again = (played("xxung", "quit", options=options) for _ in range(2))
    assert first == again
    assert "random plays " in first


def test_undo_against_random_takes_back_to_ones_own_move():
    told = played("tic-tac-toe", "b2", "undo", "moves", options=("--against", "random", "--seed", "2"))
    assert re.search(r"taken back: b2, [abc][123]\n", told)
    assert "No move has been played." in told


def test_a_game_is_saved_once_and_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    told = played("tic-tac-toe", "b2", "a1", "save g.json", "save g.json", "resign", "save r.json")
    assert "g.json is there already" in told
    assert document("replay", "g.json", "--json")["plies"] == 2
    resigned = document("replay", "r.json", "--json")
    assert (resigned["result"], resigned["ended"]) == ("x wins" if "o resigns" in told else "o wins", None)
    Draft202012Validator(schemas.schema_of("record")).validate(json.loads((tmp_path / "r.json").read_text("utf-8")))
    gomoku = played("gomoku", "h8", "i9", "save g.sgf", "save g.log")
    assert "saved as g.sgf (sgf)" in gomoku
    assert "The game is not saved:" in gomoku
    assert "2 of 2 plies replayed" in said("replay", "g.sgf")


def test_every_sample_record_is_replayed_and_compared_with_other_readings():
    told = said("replay", RECORDS / "league.oxono.txt")
    assert "pink wins by end.symbol at ply 9" in told
    assert "symbol-line-colours=own-colour at ply 9: the game goes on" in told
    for file in sorted(RECORDS.iterdir()):
        assert document("replay", file, "--json")["illegal"] is None, file


def test_the_first_illegal_move_of_a_record_is_shown_at_its_place_and_ends_with_one(tmp_path: Path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[4]SZ[15];B[hh];W[ii]\n;B[hh];W[gg])", encoding="utf-8")
    told = said("replay", file, code=1)
    assert f"{file}:2:4: error: ply 3: h8 is forbidden by turn.place" in told
    assert "2 of 4 plies replayed" in told
    assert "known: SGF" in refused("replay", "-", input="hello", code=3)
    assert "there is no such file" in refused("replay", tmp_path / "none.sgf", code=3)


# -- games, new, schema ----------------------------------------------------------------------------------------------------


def test_the_shipped_games_are_listed_with_their_variants_and_questions():
    listed = {g["game"]: g for g in document("games", "--json")["games"]}
    assert list(listed) == data.shipped_games()
    assert listed["gomoku"]["variants"] == ["pro", "long-pro", "swap", "swap2"]
    assert "15x15+" in said("games")


@pytest.mark.parametrize(
    "call",
    [
        ("prove", "xxung", "--board", "5x5", "--question", "whose-five", "--time", "2", "--seed", "3"),
        ("check", "xxung", "--board", "5x5", "--question", "whose-five", "--effort", "quick"),
    ],
)
def test_a_finding_names_the_command_that_found_it(call: tuple[str, ...]):
    found = json.loads(run(*call, "--no-cache", "--json").stdout)["differences"]
    again = shlex.split(found[0]["command"])
    assert again[:2] == ["lawstone", call[0]]
    assert set(call) <= set(again)
    assert json.loads(run(*again[1:], "--no-cache", "--json").stdout)["differences"] == found


def test_a_new_game_passes_the_check_and_nothing_is_overwritten(tmp_path: Path):
    folder = tmp_path / "my-game"
    assert f"lawstone check {folder}" in said("new", folder)
    game = Game.load(str(folder))
    assert game.spec.faults() == []
    assert game.spec.title == "My game"
    assert "5 of 5 worked examples hold" in said("check", folder)
    before = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
    assert "nothing is overwritten" in refused("new", folder)
    assert {file.name: file.read_text("utf-8") for file in folder.iterdir()} == before


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=30))
def test_any_title_makes_a_game_file_that_can_be_read(title: str):
    with tempfile.TemporaryDirectory() as folder:
        said("new", f"{folder}/game", "--name", title)
        assert Game.load(f"{folder}/game").spec.title == (" ".join(title.split()) or "Game")


@pytest.mark.parametrize(("name", "expected"), [("My Game!", "my-game"), ("Čtyři", "ctyri"), ("棋", ""), ("-4-", "4")])
def test_the_name_of_a_folder_becomes_an_id(name: str, expected: str):
    assert identifier_of(name) == expected


@pytest.mark.parametrize("name", list(schemas.MODELS))
def test_the_schema_in_the_project_is_the_one_of_the_models(name: str):
    file = data.spec_root() / "schema" / f"{name}.schema.json"
    assert file.read_text(encoding="utf-8") == schemas.text_of(name), "run `make schema`"
    Draft202012Validator.check_schema(schemas.schema_of(name))


@pytest.mark.parametrize("game", data.shipped_games())
def test_the_schemas_accept_every_shipped_file(game: str):
    for name in ("game", "examples", "sources"):
        file = data.spec_root() / game / f"{name}.yaml"
        if file.exists():
            Draft202012Validator(schemas.schema_of(name)).validate(read(file).tree)
    position = read("position", position_text(Game.load(game).start())).tree
    Draft202012Validator(schemas.schema_of("position")).validate(position)


def test_the_schema_refuses_what_the_language_does_not_know(tmp_path: Path):
    checker = Draft202012Validator(schemas.schema_of("game"))
    tree = read(data.spec_root() / "tic-tac-toe" / "game.yaml").tree
    assert checker.is_valid(tree)
    assert not checker.is_valid({**tree, "player": ["a", "b"]})
    assert not checker.is_valid({**tree, "turn": [{"plaec": "own mark", "to": "empty"}]})
    said("schema", "--out", tmp_path)
    assert {f.name for f in tmp_path.iterdir()} == {f"{name}.schema.json" for name in schemas.MODELS}


# -- pages -----------------------------------------------------------------------------------------------------------------


@given(st.text(alphabet="ab ,.棋盘。（）", max_size=80), st.integers(8, 30))
def test_a_wrapped_text_keeps_its_signs_and_its_width(text: str, width: int):
    rows = wrap(text, width)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")
    assert all(columns(row) <= width or " " not in row for row in rows)
    assert all(row[:1] not in ("。", "）") for row in rows[1:]) or any(r.startswith(("。", "）")) for r in text.split())
