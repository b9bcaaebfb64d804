"""A file of a game is read with the place of every value, and all that is wrong in it is said in one run."""

from __future__ import annotations

import copy
import json
import os
import pickle
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from lawstone.model.faults import NOWHERE, BadInput, Fault, nearest, said, suggest
from lawstone.model.located import DEEPEST, LARGEST_FILE, MOST_FAULTS, MOST_VALUES, Document, Map, Seq, mark_of, read
from lawstone.model.tree import Loc
from lawstone.model.wording import from_pydantic

GAME = """\
game: tic-tac-toe
board: {grid: [3, 3], drawn on: points}
turn:
  - {rule: turn.place, place: own mark, to: empty}   # a comment
end:
  - rule: end.three
    if: {line: {of: own mark, at least: 3}}
    wins: mover
yes: no
"""

ENDS_IN_TIME = settings(deadline=timedelta(seconds=5), max_examples=150)


def faults_of(text: str | bytes, path: str = "game.yaml") -> list[Fault]:
    """The faults of a text; an empty list if it can be read."""
    try:
        read(path, text)
    except BadInput as bad:
        return bad.faults
    return []


def codes(text: str | bytes, path: str = "game.yaml") -> list[str]:
    return [fault.code for fault in faults_of(text, path)]


def only_fault(text: str | bytes) -> Fault:
    (fault,) = faults_of(text)
    return fault


def place(tree: Any, *loc: int | str, key: bool = False) -> tuple[int, int]:
    mark = mark_of(tree, loc, key)
    return mark.line, mark.column


# A fault as text


def test_a_fault_shows_place_and_code_then_the_line_then_a_caret_then_a_hint() -> None:
    fault = Fault(
        "spec/x/game.yaml",
        7,
        12,
        "unknown-word",
        "'lenght' is not a word of this clause",
        "look",
        "  shape: {lenght: 5}",
    )
    assert fault.render() == (
        "spec/x/game.yaml:7:12: error: 'lenght' is not a word of this clause [unknown-word]\n"
        "  shape: {lenght: 5}\n"
        "           ^\n"
        "  hint: look"
    )


def test_a_fault_without_hint_and_line_is_one_line() -> None:
    assert Fault("a.yaml", 1, 1, "no-file", "there is no such file").render() == (
        "a.yaml:1:1: error: there is no such file [no-file]"
    )


def test_colour_adds_nothing_but_escapes() -> None:
    fault = Fault("a.yaml", 1, 2, "tab", "a tab stands here", "use spaces", "a b")
    coloured = fault.render(color=True)
    assert "\x1b[" in coloured
    for escape in ("\x1b[1;31m", "\x1b[1m", "\x1b[0m"):
        coloured = coloured.replace(escape, "")
    assert coloured == fault.render()


@pytest.mark.parametrize(
    ("line", "column", "excerpt", "caret"),
    [
        ("\tkey: x", 2, "    key: x", "    ^"),
        ("山东五棍棋: x", 6, "山东五棍棋: x", "          ^"),
        ("e\u0301: x", 3, "e\u0301: x", " ^"),
        ("a: \x1b[31m", 4, "a: \N{REPLACEMENT CHARACTER}[31m", "   ^"),
        ("end", 4, "end", "   ^"),
    ],
    ids=["tab", "wide", "combining", "escape", "after the end"],
)
def test_the_caret_stands_under_its_character(line: str, column: int, excerpt: str, caret: str) -> None:
    assert Fault("a", 1, column, "c", "m", "", line).render().split("\n")[1:] == [excerpt, caret]


@pytest.mark.parametrize("letter", ["a", "棋"])
@pytest.mark.parametrize("before", [0, 40, 100, 500, 999_999])
@pytest.mark.parametrize("after", [0, 40, 100, 500, 999_999])
def test_a_long_line_is_cut_around_the_caret(letter: str, before: int, after: int) -> None:
    line = letter * before + "!" + letter * after
    _, excerpt, caret = Fault("a", 1, before + 1, "c", "m", "", line).render().split("\n")
    wide = 2 if letter == "棋" else 1
    assert sum(wide if c == letter else 1 for c in excerpt) <= 120
    at = excerpt.index("!")
    assert len(caret) - 1 == sum(wide if c == letter else 1 for c in excerpt[:at])
    assert len(excerpt) >= min(len(line), 30)


def test_a_message_cannot_break_its_line_or_colour_the_terminal() -> None:
    assert Fault("a\x1bb", 1, 1, "c", "x\ny\u202e", "z\r").render().isprintable() is False  # only for the line ends
    assert Fault("a\x1bb", 1, 1, "c", "x\ny\u202e", "z\r").render().replace("\n", "").isprintable()


def test_bad_input_lists_its_faults_by_place_and_at_most_fifty_of_them() -> None:
    bad = BadInput(Fault("a.yaml", line, 1, "c", f"fault {line}") for line in range(70, 0, -1))
    shown = str(bad).split("\n")
    assert [fault.line for fault in bad.faults] == list(range(1, 71))
    assert shown[0] == "a.yaml:1:1: error: fault 1 [c]"
    assert len(shown) == 51
    assert shown[-1] == "and 20 more"
    assert str(pickle.loads(pickle.dumps(bad))) == str(bad)


def test_a_misspelt_word_suggests_the_nearest_one() -> None:
    assert suggest("lenght", ["exactly", "length"]) == "did you mean 'length'?"
    assert suggest("Rule", ["rule"]) == "did you mean 'rule'?"
    assert suggest("quaggy", ["exactly", "length"]) == ""


@settings(deadline=timedelta(seconds=1), max_examples=20)
@given(st.text(min_size=50, max_size=2000), st.integers(1, 100_000))
def test_a_suggestion_costs_little_whatever_the_words(word: str, many: int) -> None:
    assert nearest(word, (word[: n % 60] for n in range(many))) is not None


def test_a_long_value_is_quoted_short() -> None:
    assert said("a" * 50) == f"'{'a' * 37}...'"
    assert said("two\nlines") == r"'two\nlines'"
    assert said(12) == "12"


# Reading


def test_a_file_becomes_plain_data() -> None:
    tree = read("game.yaml", GAME).tree
    assert tree == {
        "game": "tic-tac-toe",
        "board": {"grid": [3, 3], "drawn on": "points"},
        "turn": [{"rule": "turn.place", "place": "own mark", "to": "empty"}],
        "end": [{"rule": "end.three", "if": {"line": {"of": "own mark", "at least": 3}}, "wins": "mover"}],
        "yes": "no",
    }


def test_words_that_old_yaml_took_for_truth_values_are_text() -> None:
    assert read("a", "[yes, no, on, off, y, n, Yes, true, False, ~, null, 8x8, 1:1, 3-4, 1_000]").tree == [
        *("yes", "no", "on", "off", "y", "n", "Yes"),
        *(True, False, None, None),
        *("8x8", "1:1", "3-4", "1_000"),
    ]


def test_a_file_is_read_from_disk_and_named_as_it_was_given(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(GAME, encoding="utf-8")
    assert read(file).tree == read(str(file)).tree == read("game.yaml", GAME).tree
    assert read(file).source.path == str(file)


def test_a_byte_order_mark_at_the_start_is_accepted_and_counts_for_no_column() -> None:
    document = read("game.yaml", b"\xef\xbb\xbfgame: x\n")
    assert document.tree == {"game": "x"}
    assert place(document, "game") == (1, 7)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts_one_line(end: str) -> None:
    assert place(read("game.yaml", GAME.replace("\n", end)), "end", 0, "wins") == (8, 11)


def test_the_empty_value_of_a_key_is_nothing() -> None:
    assert read("a", "a:\nb: {}\nc: null\n").tree == {"a": None, "b": {}, "c": None}


def test_block_texts_keep_their_lines() -> None:
    assert read("a", "board: |\n  . x\n  o .\n").tree == {"board": ". x\no .\n"}


# Places


def test_every_key_and_value_knows_its_place() -> None:
    document = read("game.yaml", GAME)
    assert place(document) == (1, 1)
    assert place(document, "board", key=True) == (2, 1)
    assert place(document, "board") == (2, 8)
    assert place(document, "board", "grid", 1) == (2, 19)
    assert place(document, "board", "drawn on", key=True) == (2, 23)
    assert place(document, "turn", 0, "to") == (4, 45)
    assert place(document, "end", 0, "if", "line", "at least") == (7, 41)
    assert place(document.tree, "end", 0) == (6, 5)


def test_parts_of_a_way_that_are_no_keys_are_passed_over() -> None:
    document = read("game.yaml", GAME)
    assert place(document, "turn", 0, "<place>", "to", "<words>", "str") == (4, 45)
    assert place(document, "end", 0, "function-after[f(), model]", "if", "<line>", "line", "of", "literal[x]") == (
        7,
        21,
    )
    assert place(document, "end", 0, "when") == (6, 5)
    assert place(document, "end", 9, "if") == place(document, "end") == (6, 3)


def test_a_key_that_looks_like_a_tag_does_not_lead_astray() -> None:
    document = read("game.yaml", "to: {from: it, <slide>: {from: x}}")
    assert place(document, "to", "<slide>", "from") == (1, 12)
    assert place(document, "to", "<slide>", "<slide>", key=True) == (1, 16)


def test_data_made_in_code_stands_nowhere_and_what_it_holds_keeps_its_place() -> None:
    read_part = read("game.yaml", GAME).tree["end"][0]
    assert mark_of({"a": [1]}, ("a", 0)) == NOWHERE
    assert place({"all of": [{"x": 1}, read_part]}, "all of", 1, "wins") == (8, 11)
    assert mark_of(Map({"a": 1}), ("a",), key=True) == NOWHERE
    assert mark_of(Seq([1]), (0,)) == NOWHERE


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda tree: tree.copy(), lambda tree: pickle.loads(pickle.dumps(tree))]
)
def test_copies_keep_places_and_do_not_share_them(copied: Any) -> None:
    tree = read("game.yaml", GAME).tree
    new = copied(tree)
    assert isinstance(new, Map)
    assert new == tree
    assert place(new, "board", "grid", 1) == (2, 19)
    assert place(copied(tree["turn"]), 0, "to") == (4, 45)
    new.put("game", "other", mark_of(tree, ("yes",), key=True), mark_of(tree, ("yes",)))
    assert place(tree, "game") == (1, 7)
    assert place(new, "game") == (9, 6)


def test_a_deep_copy_speaks_of_the_same_file() -> None:
    document = read("game.yaml", GAME)
    assert mark_of(copy.deepcopy(document.tree), ("game",)).source is document.source


def test_a_mapping_made_from_two_files_knows_the_file_of_each_part() -> None:
    base = read("base.yaml", "a: 1\nb: {c: 2}\n").tree
    change = read("change.yaml", "\n\nb: {c: 3}\nd: 4\n").tree
    merged = base | change
    base_too = base.copy()
    base_too |= change
    for tree in (merged, base_too):
        assert tree == {"a": 1, "b": {"c": 3}, "d": 4}
        marks = [mark_of(tree, loc) for loc in (("a",), ("b", "c"), ("d",))]
        assert [mark.source.path for mark in marks] == ["base.yaml", "change.yaml", "change.yaml"]
        assert [mark.line for mark in marks] == [1, 3, 4]
    assert place(base, "b", "c") == (2, 8)


def test_a_value_put_under_another_key_can_carry_its_place_along() -> None:
    clause = read("base.yaml", "line: {exactly: 5}").tree
    change = read("change.yaml", '{"line.exactly": 6}').tree
    clause["line"]["exactly"] = change["line.exactly"]
    clause["line"].carry("exactly", change, "line.exactly")
    assert mark_of(clause, ("line", "exactly")).source.path == "change.yaml"
    clause["line"].carry("exactly", {})
    assert mark_of(clause, ("line", "exactly")) == mark_of(clause, ("line",))


def test_the_entries_of_a_changed_list_keep_their_places() -> None:
    order = read("base.yaml", "[a, b, a, {c: 1}]").tree
    more = read("more.yaml", "[d]").tree
    del order[0]
    order.insert(0, "new")
    assert [place(order, n) for n in range(4)] == [(1, 1), (1, 5), (1, 8), (1, 11)]
    joined = order + more
    assert isinstance(joined, Seq)
    assert mark_of(joined, (4,)).source.path == "more.yaml"
    assert place(joined, 1) == (1, 5)


# Refusals: the file


def test_a_file_that_is_not_there_suggests_one_that_is(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("a: 1", encoding="utf-8")
    with pytest.raises(BadInput) as bad:
        read(tmp_path / "gmae.yaml")
    assert str(bad.value) == (
        f"{tmp_path}/gmae.yaml:1:1: error: there is no such file [no-file]\n  hint: did you mean 'game.yaml'?"
    )
    with pytest.raises(BadInput, match="no-file"):
        read(tmp_path / "no folder" / "game.yaml")


def test_a_folder_is_refused_with_the_file_in_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"this is a folder, and a file is wanted \[folder\]$"):
        read(tmp_path)
    (tmp_path / "game.yaml").write_text("a: 1", encoding="utf-8")
    with pytest.raises(BadInput, match=r"did you mean '.*game\.yaml'"):
        read(tmp_path)


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "game.yaml").write_text("a: 1", encoding="utf-8")
    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(BadInput, match=r"permission denied \[no-permission\]"):
        read(tmp_path / "game.yaml")


@pytest.mark.parametrize("size", [LARGEST_FILE + 1, 100_000_000])
def test_a_large_file_is_refused_unread_and_the_limit_is_named(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.yaml"
    file.touch()
    os.truncate(file, size)
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("the file was opened"))
    with pytest.raises(BadInput, match=rf"has {size:,} bytes, and the limit is 1,000,000 \[file-too-large\]"):
        read(file)


def test_a_text_of_the_largest_size_is_read_and_one_byte_more_is_not() -> None:
    assert codes("#" * (LARGEST_FILE - 4) + "\na:b") == []
    assert codes("#" * (LARGEST_FILE - 3) + "\na:b") == ["file-too-large"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are Unix")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="not-a-file"):
        read(tmp_path / "pipe")


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000, "\udcff"])
def test_an_impossible_path_is_bad_input_too(path: str) -> None:
    with pytest.raises(BadInput) as bad:
        read(path)
    assert str(bad.value).encode("utf-8")


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "\ufeff", "null"])
def test_an_empty_file_is_refused(text: str) -> None:
    assert codes(text) == ["empty-file"]


def test_a_byte_that_is_not_utf_8_is_found_with_its_line() -> None:
    fault = only_fault("title: x\nname: Piškvorky\n".encode("iso8859-2"))
    assert (fault.code, fault.line, fault.column) == ("not-utf-8", 2, 9)
    assert fault.message == "byte 17 of the file (0xb9, counted from 0) is not UTF-8"
    assert fault.hint == "save the file as UTF-8"


def test_utf_16_is_called_by_its_name() -> None:
    assert "UTF-16" in only_fault("title: x".encode("utf-16")).hint


# Refusals: what the subset leaves out


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: 1\nb: 2\na: 3\n", "repeated-key", 3, 1),
        ('{a: 1, "a": 2}', "repeated-key", 1, 8),
        ("a: &x 1", "anchor", 1, 4),
        ("a: &x {b: 1}", "anchor", 1, 4),
        ("a: *x", "alias", 1, 4),
        ("*x : 1", "alias", 1, 1),
        ("a: !!str 1", "tag", 1, 4),
        ("a: !x [1]", "tag", 1, 4),
        ("a: !!python/object:os.system {}", "tag", 1, 4),
        ("a: ! b", "tag", 1, 4),
        ("a:\n  <<: {b: 1}\n", "merge-key", 2, 3),
        ("a:\n\tb: 1\n", "tab", 2, 1),
        ("a: b\t# c", "tab", 1, 5),
        ("%YAML 1.1\n---\na: yes\n", "directive", 1, 1),
        ("a: 1\n---\nb: 2\n", "second-document", 2, 1),
        ("---\n---\n", "second-document", 2, 1),
        ("a: 1\n...\nb: 2\n", "second-document", 3, 1),
        ("a: 1\n1: x\n", "key-not-text", 2, 1),
        ("true: x", "key-not-text", 1, 1),
        ("null: x", "key-not-text", 1, 1),
        (": x", "key-not-text", 1, 1),
        ("1.5: x", "fraction", 1, 1),
        ("{[a]: b}", "key-not-text", 1, 2),
        ("? {a: 1}\n: b\n", "key-not-text", 1, 3),
        ("a: 1.5", "fraction", 1, 4),
        ("a: 1e3", "fraction", 1, 4),
        ("a: .nan", "fraction", 1, 4),
        ("a: -.INF", "fraction", 1, 4),
        ("a: 2024-05-01", "date", 1, 4),
        ("a: 2024-05-01T10:00:00Z", "date", 1, 4),
        ("a: 007", "odd-number", 1, 4),
        ("a: +7", "odd-number", 1, 4),
        ("a: 0x1F", "odd-number", 1, 4),
        ("a: 1234567890", "large-number", 1, 4),
        (f"a: {'9' * 5000}", "large-number", 1, 4),
        ("a: x\0y", "unseen-character", 1, 5),
        ("a: x\x1b[31m", "unseen-character", 1, 5),
        ("a: x\ufeffy", "unseen-character", 1, 5),
        ("a: x\u2028y", "unseen-character", 1, 5),
        (r'a: "x\0y"', "unseen-character", 1, 4),
        (r'a: "\ud800"', "unseen-character", 1, 4),
        ("a: {en: No, never}", "no-value", 1, 13),
        ("a: {b:c}", "no-value", 1, 5),
    ],
)
def test_what_makes_a_file_mean_something_else_than_it_says_is_refused(text: str, code: str, line: int, column: int) -> None:
    fault = only_fault(text)
    assert (fault.code, fault.line, fault.column) == (code, line, column)
    assert fault.source_line == text.split("\n")[line - 1]


@pytest.mark.parametrize(
    "text", ['a: "1.5"', "a: '2024-05-01'", '"1": x', '"true": x', "a: '007'", '"<<": x', "a: 2024-05-01 is a day"]
)
def test_in_quotes_all_is_text(text: str) -> None:
    ((key, value),) = read("a", text).tree.items()
    assert isinstance(key, str)
    assert isinstance(value, str)


def test_a_repeated_key_names_the_line_of_the_first() -> None:
    fault = only_fault("rule: a\nif: b\nrule: c\n")
    assert fault.message == "'rule' stands twice in this mapping, first in line 1"


def test_a_number_as_a_key_is_told_to_stand_in_quotes() -> None:
    assert only_fault("1: x").hint == 'put quotes around it: "1"'


def test_a_comma_in_a_text_in_braces_is_told_to_stand_in_quotes() -> None:
    fault = only_fault("ask: {en: Does the rim help, or only pieces?}")
    assert fault.message == "'or only pieces?' is a key without a value here"
    assert "comma inside braces needs quotes" in fault.hint


def test_all_faults_of_a_file_are_found_in_one_run() -> None:
    text = "a: &x 1\nb: *x\nb: 2\nc:\t1.5\nd: !t e\n1: f\ng: 2020-01-01\nh: {[i]: j}\nk: {l: m: n}\n"
    assert [(fault.line, fault.code) for fault in faults_of(text.replace("\t", " "))] == [
        (1, "anchor"),
        (2, "alias"),
        (3, "repeated-key"),
        (4, "fraction"),
        (5, "tag"),
        (6, "key-not-text"),
        (7, "date"),
        (8, "key-not-text"),
        (9, "not-yaml"),
    ]
    assert "tab" in codes(text)
    assert len(codes(text)) == 9  # after a tab, what is not YAML is most likely its consequence


def test_faults_are_collected_up_to_a_limit() -> None:
    assert len(faults_of("a: 1\n" * 5000)) == MOST_FAULTS


@pytest.mark.parametrize("opening", ["[", "{", "[{", "{a: ", "- ", "? ", "[\n", "- - "])
@pytest.mark.parametrize("many", [DEEPEST + 1, 200_000])
def test_deep_nesting_is_refused_before_it_does_harm(opening: str, many: int) -> None:
    assert [code for code in codes(opening * many) if code != "key-not-text"] == ["too-deep"]


def test_nesting_up_to_the_limit_is_read() -> None:
    assert codes("[" * DEEPEST + "]" * DEEPEST) == []
    assert codes("{a: " * DEEPEST + "b" + "}" * DEEPEST) == []


def test_a_file_of_very_many_values_is_refused() -> None:
    assert codes(f"[{'a,' * (MOST_VALUES - 1)}]") == []
    assert codes(f"[{'a,' * MOST_VALUES}]") == ["too-many-values"]


# Refusals: what is not YAML


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        ("a: {en: Note: this}", 1, 13, "in braces"),
        ("{en: 'Nine Men's Morris'}", 1, 16, "a quote needs quotes"),
        ("title: Gomoku: the game", 1, 14, "colon"),
        ("a: [1, 2\nb: 3\n", 2, 2, "a brace is not closed"),
        ("a: 1\nb: {c: 1\n\n", 2, 4, "in braces"),
        ("a:\n    b: 1\n  c: 2\n", 3, 3, "indentation"),
        ("a: 'x\n\n", 1, 4, "a quote is opened"),
        ("a: @x", 1, 4, "put quotes around"),
        ("a: `x`", 1, 4, "put quotes around"),
        (r'a: "\q"', 1, 6, "backslash"),
        ("a: 1\nbc\nd: 1", 2, 1, "colon"),
        ("[a]\nb: c", 2, 1, ""),
    ],
)
def test_what_is_not_yaml_is_refused_with_a_likely_cure(text: str, line: int, column: int, hint: str) -> None:
    fault = only_fault(text)
    assert (fault.code, fault.line, fault.column) == ("not-yaml", line, column)
    assert fault.message.startswith("this is not YAML: ")
    assert hint in fault.hint


def test_the_beginning_of_what_is_not_closed_is_named() -> None:
    assert "that begins in line 2)" in only_fault("a: 1\nb: {c: 1\nd: 2\n").message


@pytest.mark.parametrize("text", [r'"\UFFFFFFFF"', "a: |" + "9" * 5000, "a: !<%FF> b"])
def test_where_the_parser_itself_fails_a_fault_is_said(text: str) -> None:
    assert set(codes(text)) <= {"not-yaml", "tag"}
    assert codes(text)


# JSON


def json_values() -> st.SearchStrategy[Any]:
    letters = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")
    words = st.text(letters | st.sampled_from("\n\t ,:#{}[]'\"\\/-"), max_size=12).filter(lambda word: not word.startswith("<"))
    plain = st.none() | st.booleans() | st.integers(-(10**9) + 1, 10**9 - 1) | words
    return st.dictionaries(words, st.recursive(plain, lambda inner: st.lists(inner) | st.dictionaries(words, inner)))


@settings(ENDS_IN_TIME, max_examples=40)
@given(json_values(), st.booleans(), st.sampled_from([None, 2, "\t"]))
def test_json_is_read_as_itself_and_every_plain_value_stands_at_its_mark(tree: Any, ascii_only: bool, indent: Any) -> None:
    document = read("game.json", json.dumps(tree, ensure_ascii=ascii_only, indent=indent))
    assert document.tree == tree
    for loc, value in plain_values(document.tree):
        mark = mark_of(document, loc)
        assert mark.source.lines[mark.line - 1][mark.column - 1 :].startswith(json.dumps(value, ensure_ascii=ascii_only))


def plain_values(tree: Any, loc: Loc = ()) -> list[tuple[Loc, Any]]:
    if isinstance(tree, dict | list):
        entries = tree.items() if isinstance(tree, dict) else enumerate(tree)
        return [found for part, value in entries for found in plain_values(value, (*loc, part))]
    return [(loc, tree)]


def test_json_without_a_space_in_it_is_read() -> None:
    text = r'{"a":{"b":[1,{"c":"\ud83d\ude00"}]},"d":[true,null,-1]}'
    assert read("game.json", text).tree == json.loads(text)


# No input does more than be refused


@ENDS_IN_TIME
@given(st.text() | st.text("[]{}:,-?&*!|>'\"%@`#\n \t~<ab1.", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for fault in faults_of(text):
        assert fault.render()


@ENDS_IN_TIME
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for fault in faults_of(data):
        assert fault.render()


@ENDS_IN_TIME
@given(st.data())
def test_a_game_with_any_bytes_changed_is_read_or_refused(data: st.DataObject) -> None:
    game = bytearray(GAME.encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(game) - 1))
        size = data.draw(st.integers(0, 3))
        game[at : at + size] = data.draw(
            st.binary(max_size=4) | st.sampled_from([b"{", b"[", b": ", b"\n", b"\t", b"- ", b"'", b'"', b"&a ", b"*a", b"!"])
        )
    for fault in faults_of(bytes(game)):
        assert fault.line >= 1
        assert fault.column >= 1
        assert fault.render()


@settings(deadline=timedelta(seconds=10), max_examples=25)
@given(
    st.lists(st.text("[]{}:,-?&*!|>'\"%#\n \tab1.", min_size=1, max_size=8), min_size=1, max_size=4),
    st.integers(1, 200_000),
)
def test_a_long_repetition_of_anything_is_read_or_refused_in_time(parts: list[str], size: int) -> None:
    faults_of("".join(part * (size // len(part) // len(parts)) for part in parts))


# What pydantic refuses


class Strict(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, alias_generator=lambda name: name.strip("_").replace("_", " ")
    )


class Place(Strict):
    rule: Annotated[str, Field(pattern=r"^[a-z.]+$")] = "none"
    place: str
    to: Where


class Shift(Strict):
    move: str
    to: Where
    count: Literal["all"] | Annotated[int, Field(ge=1, le=9)] | Counted = 1


class Counted(Strict):
    at_least: int


class Near(Strict):
    next_to: Where


class Either(Strict):
    any_of: Annotated[list[Where], Field(min_length=1)]


def kind_of_step(value: Any) -> str | None:
    return next((f"<{key}>" for key in ("place", "move") if isinstance(value, dict) and key in value), None)


def kind_of_sites(value: Any) -> str | None:
    if isinstance(value, str):
        return "<word>"
    return next((f"<{key}>" for key in ("next to", "any of") if isinstance(value, dict) and key in value), None)


Atom = Literal["empty", "occupied", "board"]
Where = Annotated[
    Annotated[Atom, Tag("<word>")] | Annotated[Near, Tag("<next to>")] | Annotated[Either, Tag("<any of>")],
    Discriminator(kind_of_sites),
]
Step = Annotated[Annotated[Place, Tag("<place>")] | Annotated[Shift, Tag("<move>")], Discriminator(kind_of_step)]


class Toy(Strict):
    game: str
    drawn_on: Literal["points", "squares"] = "squares"
    turn: list[Step]
    colours: dict[Annotated[str, Field(pattern="^[a-z]+$")], Place] = {}
    players: Annotated[list[str], Field(max_length=2)] = []
    open: bool = False

    @field_validator("game")
    @classmethod
    def known(cls, name: str) -> str:
        if name == "chess":
            raise PydanticCustomError("too_hard", "chess is too hard", {"hint": "begin with go"})
        if name == "go":
            raise ValueError("go is taken")
        return name


for model in (Place, Shift, Near, Either, Toy):
    model.model_rebuild()


def refused(text: str, known: Any = Toy) -> list[Fault]:
    document = read("toy.yaml", text)
    with pytest.raises(ValidationError) as error:
        Toy.model_validate(document.tree)
    return from_pydantic(error.value, document, known)


def one_refused(text: str, known: Any = Toy) -> Fault:
    (fault,) = refused(text, known)
    return fault


REFUSALS = """\
{game: x, turn: [], drawn no: points}
                    ^ 'drawn no' is not a word of this file
hint: did you mean 'drawn on'?

{game: x}
^ 'turn' is missing from this file

{game: x, trun: []}
          ^ 'trun' is not a word of this file
hint: did you mean 'turn'?

{game: 5, turn: []}
       ^ text is wanted here, and this is a number
hint: put quotes around it: "5"

{game: true, turn: []}
       ^ text is wanted here, and this is true or false
hint: put quotes around it: "true"

{game: [a], turn: []}
       ^ text is wanted here, and this is a list

{game: x, turn: 3}
                ^ a list is wanted here, and this is a number

{game: x, turn: null}
                ^ a list is wanted here, and this is nothing

{game: x, turn: [], open: yes}
                          ^ true or false is wanted here, and this is text

{game: x, turn: [], drawn on: pionts}
                              ^ 'pionts' is not a word that may stand here
hint: did you mean 'points'?

{game: x, turn: [], drawn on: zzz}
                              ^ 'zzz' is not a word that may stand here
hint: one of: points, squares

{game: x, turn: [], players: [a, b, c]}
                             ^ too many entries: 2 at most

{game: chess, turn: []}
       ^ chess is too hard
hint: begin with go

{game: go, turn: []}
       ^ go is taken

{game: x, turn: [{place: a, to: empty, ruel: b}]}
                                       ^ 'ruel' is not a word of this clause
hint: did you mean 'rule'?

{game: x, turn: [{place: a}]}
                 ^ 'to' is missing from this clause

{game: x, turn: [{plaec: a, to: empty}]}
                  ^ 'plaec' is not a word of this clause
hint: did you mean 'place'?

{game: x, turn: [{to: empty}]}
                 ^ what this clause does is not said
hint: one of: place, move

{game: x, turn: [place]}
                 ^ a clause is wanted here, and this is text

{game: x, turn: [{place: a, to: emty}]}
                                ^ 'emty' is not a word that may stand here
hint: did you mean 'empty'?

{game: x, turn: [{place: a, to: {next to: {any fo: [empty]}}}]}
                                           ^ 'any fo' is not a word of this clause
hint: did you mean 'any of'?

{game: x, turn: [{place: a, to: {any of: []}}]}
                                         ^ too few entries: 1 at least, and this has 0

{game: x, turn: [{move: a, to: empty, count: al}]}
                                             ^ 'al' is not a word that may stand here
hint: did you mean 'all'?

{game: x, turn: [{move: a, to: empty, count: 0}]}
                                             ^ at least 1 is wanted here, and this is 0

{game: x, turn: [{move: a, to: empty, count: {at lest: 2}}]}
                                              ^ 'at lest' is not a word of this clause
hint: did you mean 'at least'?

{game: x, turn: [{move: a, to: empty, count: {at least: x}}]}
                                                        ^ a whole number is wanted here, and this is text

{game: x, turn: [{move: a, to: empty, count: {at least: "2"}}]}
                                                        ^ a whole number is wanted here, and this is text
hint: take the quotes away: 2

{game: x, turn: [], colours: {Red: {place: a, to: empty}}}
                              ^ 'Red' is not written as it must be here
hint: it must match ^[a-z]+$

{game: x, turn: [], colours: {red: {palce: a, to: empty}}}
                                    ^ 'palce' is not a word of this clause
hint: did you mean 'place'?
"""


@pytest.mark.parametrize("case", REFUSALS.strip().split("\n\n"), ids=lambda case: case.partition("^ ")[2].split("\n")[0])
def test_what_a_model_refuses_is_said_once_in_plain_words_at_its_place(case: str) -> None:
    text, caret, *hint = case.split("\n")
    fault = one_refused(text)
    assert [" " * (fault.column - 1) + "^ " + fault.message, *([f"hint: {fault.hint}"] if fault.hint else [])] == [
        caret,
        *hint,
    ]


def test_a_value_that_fits_no_alternative_names_them_all() -> None:
    fault = one_refused("{game: x, turn: [{move: a, to: empty, count: [1]}]}")
    assert fault.message == "a whole number or a mapping or 'all' is wanted here, and this is a list"


def test_several_refusals_stand_in_the_order_of_the_file() -> None:
    faults = refused("trun: 1\ngame: 5\nopen: maybe\nturn:\n- {place: a, to: emty, x: 1}\n")
    assert [(fault.line, fault.column) for fault in faults] == [(1, 1), (2, 7), (3, 7), (5, 18), (5, 24)]


def test_the_known_words_may_come_from_a_function_or_a_type_adapter() -> None:
    text = "{game: x, turn: [], drwan: 1}"
    ways: list[Loc] = []

    def keys_at(loc: Loc) -> list[str]:
        ways.append(loc)
        return ["drawn"]

    assert one_refused(text, keys_at).hint == "did you mean 'drawn'?"
    assert ways == [()]
    assert one_refused(text.replace("drwan", "drawn no"), TypeAdapter(Toy)).hint == "did you mean 'drawn on'?"


def test_a_refusal_in_a_merged_tree_names_the_file_of_the_part() -> None:
    base = read("base.yaml", "{game: x, turn: []}").tree
    change = read("change.yaml", "\nturn: [{place: a, to: emty}]").tree
    with pytest.raises(ValidationError) as error:
        Toy.model_validate(base | change)
    (fault,) = from_pydantic(error.value, base | change, Toy)
    assert (fault.path, fault.line, fault.column) == ("change.yaml", 2, 23)


TOY_KEYS = [
    "game",
    "turn",
    "place",
    "move",
    "to",
    "next to",
    "any of",
    "count",
    "at least",
    "colours",
    "palce",
    "<move>",
]
TOY_TREES = st.recursive(
    st.sampled_from(["x", "empty", "place", 1, None, True]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(TOY_KEYS), inner),
)


@ENDS_IN_TIME
@given(TOY_TREES)
def test_whatever_a_model_refuses_can_be_said(tree: Any) -> None:
    document = read("toy.json", json.dumps({"root": tree})).tree["root"]
    try:
        Toy.model_validate(document)
    except ValidationError as error:
        faults = from_pydantic(error, document, Toy)
        assert faults == sorted(set(faults))
        assert faults
        assert str(BadInput(faults))


def test_a_document_is_the_source_and_the_tree() -> None:
    document = read("game.yaml", "a: 1")
    assert isinstance(document, Document)
    assert (document.source.path, document.source.text, document.tree) == ("game.yaml", "a: 1", {"a": 1})
