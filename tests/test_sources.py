"""Every sentence of a founding text is accounted for, and none of them is copied.

`LAWSTONE_SOURCES` in the environment names the folder with the founding texts, which are not part of the project; without it
their digests and their wording are not compared.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from lawstone import data
from lawstone.model.changes import rule_ids
from lawstone.model.companions import Sentence, SourceEntry
from lawstone.model.sentences import digest, sentences
from lawstone.spec import Spec, load

FOUNDING = ["gomoku", "oxono", "wugun", "xxung"]
TEXTS = os.environ.get("LAWSTONE_SOURCES")
needs_texts = pytest.mark.skipif(TEXTS is None, reason="LAWSTONE_SOURCES names no folder of founding texts")

OF_ANOTHER_SOURCE = {("wugun", "north-east"): "north-east-entry"}
"""Variants that the founding text does not tell of, by game and variant, and the source that does."""
RUN = 8
"""Words in a row that no text may share with a founding text; of Chinese, two characters count as a word."""


@cache
def spec_of(game: str) -> Spec:
    return load(game)


def coverage(game: str) -> list[Sentence]:
    """The table of the sentences of a founding text."""
    sources = spec_of(game).sources
    assert sources is not None
    assert sources.coverage
    return sources.coverage


def founding(game: str) -> SourceEntry:
    """The founding text of a game as it is cited."""
    sources = spec_of(game).sources
    assert sources is not None
    return next(source for source in sources.sources if source.id == "founding")


def carried(game: str) -> set[str]:
    """The rules, questions and examples that some sentence of the founding text carries."""
    return {name for sentence in coverage(game) for name in sentence.of or []}


# The tables


def test_the_founding_games_are_those_with_a_table() -> None:
    specs = {game: spec_of(game).sources for game in data.shipped_games()}
    assert [game for game, sources in specs.items() if sources is not None and sources.coverage] == FOUNDING


@pytest.mark.parametrize("game", data.shipped_games())
def test_every_game_says_what_was_read(game: str) -> None:
    assert spec_of(game).sources is not None


@pytest.mark.parametrize("game", FOUNDING)
def test_sentences_are_numbered_from_1_without_a_hole(game: str) -> None:
    assert [sentence.n for sentence in coverage(game)] == list(range(1, len(coverage(game)) + 1))


@pytest.mark.parametrize("game", FOUNDING)
def test_everything_that_a_sentence_is_of_exists(game: str) -> None:
    spec = spec_of(game)
    setup = {heading for text in spec.texts.values() for heading in text.entries if heading.startswith("setup.")}
    known = {*spec.headings(), *setup, *(example.id for example in spec.examples)}
    assert carried(game) - known == set()


@pytest.mark.parametrize("game", FOUNDING)
def test_a_sentence_is_of_something_unless_it_is_not_a_rule(game: str) -> None:
    assert [s.n for s in coverage(game) if bool(s.of) == (s.is_ == "not a rule")] == []


@pytest.mark.parametrize("game", FOUNDING)
def test_a_sentence_that_is_an_example_is_of_one_and_a_question_of_one(game: str) -> None:
    examples = {example.id for example in spec_of(game).examples}
    for sentence in coverage(game):
        if sentence.is_ == "example":
            assert examples & set(sentence.of or []), sentence.n
        if sentence.is_ == "question":
            assert any(name.startswith("question.") for name in sentence.of or []), sentence.n


@pytest.mark.parametrize("game", FOUNDING)
def test_equal_sentences_have_equal_digests_and_every_digest_is_well_formed(game: str) -> None:
    assert all(re.fullmatch(r"[0-9a-f]{12}", sentence.digest) for sentence in coverage(game))
    assert len({sentence.digest for sentence in coverage(game)}) > len(coverage(game)) / 2


@cache
def rules_of(game: str, variant: str, answers: tuple[tuple[str, str], ...] = ()) -> frozenset[str]:
    """The rule ids of a variant under some answers."""
    return frozenset(rule_ids(spec_of(game).file(variant, dict(answers))[1]))


def changed_or_added(game: str) -> Iterator[tuple[str, str]]:
    """The rules that answers change or bring in, each with the question."""
    spec = spec_of(game)
    for question in spec.game.questions or []:
        variant = "" if question.in_ in (None, "base") else question.in_ or ""
        base = set(rules_of(game, variant))
        for answer, changes in question.answers.items():
            for rule in {*changes, *(set(rules_of(game, variant, ((question.id, answer),))) - base)}:
                yield rule, question.id


@pytest.mark.parametrize("game", FOUNDING)
def test_every_rule_is_carried_by_a_sentence_or_known_to_come_from_elsewhere(game: str) -> None:
    """A rule of ours is one that a question is about, or one of a variant that another source tells of."""
    spec, ours = spec_of(game), {rule for rule, _ in changed_or_added(game)}
    sources = spec.sources
    assert sources is not None
    for (of, variant), source in OF_ANOTHER_SOURCE.items():
        if of == game:
            assert source in [entry.id for entry in sources.sources]
            ours |= set(rules_of(game, variant)) - set(rules_of(game, ""))
    assert [rule for rule in spec.all_rules() if rule not in carried(game) | ours] == []


@pytest.mark.parametrize("game", FOUNDING)
def test_every_question_is_carried_by_a_sentence_or_cites_another_source(game: str) -> None:
    for question in spec_of(game).game.questions or []:
        others = [cite for cite in question.source or [] if not cite.startswith("founding")]
        assert f"question.{question.id}" in carried(game) or others, question.id


@pytest.mark.parametrize("game", FOUNDING)
def test_every_rule_that_a_question_cites_is_there_and_names_the_question(game: str) -> None:
    table = {sentence.n: sentence for sentence in coverage(game)}
    for question in spec_of(game).game.questions or []:
        for cite in question.source or []:
            source, _, number = cite.partition(" ")
            if source == "founding":
                assert number.isdecimal(), cite
                cited = table[int(number)]
                assert cited.is_ == "not a rule" or f"question.{question.id}" in (cited.of or []), f"{question.id}: {cite}"


@pytest.mark.parametrize("game", FOUNDING)
def test_every_sentence_that_an_example_cites_is_there(game: str) -> None:
    numbers = {sentence.n for sentence in coverage(game)}
    for example in spec_of(game).examples:
        assert {cite for cite in example.cites if isinstance(cite, int)} <= numbers, example.id


# The founding texts themselves


def text_of(game: str) -> str:
    """A founding text; it stays outside the project."""
    assert TEXTS is not None
    name = founding(game).file
    assert name is not None
    return (Path(TEXTS) / name).read_text(encoding="utf-8")


@needs_texts
@pytest.mark.parametrize("game", FOUNDING)
def test_the_digests_are_those_of_the_founding_text(game: str) -> None:
    assert [(s.n, s.digest) for s in coverage(game)] == [(s.number, s.digest) for s in sentences(text_of(game))]


def words(text: str) -> list[str]:
    """The words of a text in order; Chinese is taken apart into pairs of characters, from every character on."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.findall(r"[\u3400-\u9fff]|[^\W_]+", plain)


def runs(text: str) -> Iterator[str]:
    """Every run of so many words that it could be copied; a Chinese character is half a word."""
    found = words(text)
    lengths = [1 if "\u3400" <= word <= "\u9fff" else 2 for word in found]
    end = size = 0
    for start in range(len(found)):
        while size < 2 * RUN and end < len(found):
            size += lengths[end]
            end += 1
        if size >= 2 * RUN:
            yield " ".join(found[start:end])
        size -= lengths[start]


@needs_texts
@pytest.mark.parametrize("game", FOUNDING)
def test_no_eight_words_in_a_row_are_copied_from_a_founding_text(game: str) -> None:
    known = {run for other in FOUNDING for run in runs(text_of(other))}
    copied = []
    for file in sorted((data.spec_root() / game).iterdir()):
        copied += [f"{file.name}: {run}" for run in runs(file.read_text(encoding="utf-8")) if run in known]
    assert copied == []


def test_a_copied_sentence_would_be_found() -> None:
    original = "Each of the two players puts one stone on any crossing that is free, and no stone is ever moved."
    assert set(runs("He said: each of the two players, puts ONE stone on the board")) & set(runs(original))
    assert not set(runs("each of the two players puts a stone on any crossing")) & set(runs(original))
    assert set(runs("第一步黑棋下在棋盘的正中央交叉点上，然后")) & set(runs("黑棋下在棋盘的正中央交叉点上，然后白棋下"))


def test_a_number_or_a_dash_before_a_sentence_belongs_to_it() -> None:
    text = "1. One rule. 2. Two rules!\n- A dash\n第一条。第二条！\n"
    assert [(s.number, s.text) for s in sentences(text)] == [
        (1, "1. One rule."),
        (2, "2. Two rules!"),
        (3, "- A dash"),
        (4, "第一条。"),
        (5, "第二条！"),
    ]


def test_a_digest_does_not_depend_on_white_space() -> None:
    assert digest("two  words\t") == digest("two words") != digest("two word s")
    assert len(digest("x")) == 12
