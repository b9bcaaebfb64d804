"""The worked examples of every shipped game hold, and every rule and every answer has one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from lawstone import data
from lawstone.check.examples import begin, breaks, run
from lawstone.engine.drawn import BadPosition
from lawstone.engine.game import Game, MoveError
from lawstone.model.companions import Example
from lawstone.model.faults import BadInput
from lawstone.model.game import Question
from lawstone.spec import Spec, Usage, load

GAMES = data.shipped_games()

_EVENT = "only an event differs, and examples are played without events"
WITHOUT_EXAMPLE = {
    ("gomoku", "clock", "nothing-said"): _EVENT,
    ("gomoku", "draw", "full-board-only"): _EVENT,
    ("wugun", "clock", "loses"): _EVENT,
    ("wugun", "clock-picks", "turn-begun-is-finished"): _EVENT,
}
"""Answers without an example, by game, question and answer: why there can be none."""


@cache
def spec_of(game: str) -> Spec:
    return load(game)


def examples() -> Iterator[tuple[str, Example]]:
    for game in GAMES:
        for example in spec_of(game).examples:
            yield game, example


@pytest.mark.parametrize(("game", "example"), [pytest.param(g, e, id=f"{g} {e.id}") for g, e in examples()])
def test_a_worked_example_holds(game: str, example: Example) -> None:
    assert run(spec_of(game), example) == []


@pytest.mark.parametrize("game", GAMES)
def test_an_example_says_something_that_could_fail(game: str) -> None:
    said = ("moves", "legal", "illegal", "count", "outcome", "acts", "enters", "shown")
    assert [e.id for e in spec_of(game).examples if all(getattr(e, name) is None for name in said)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_an_example(game: str) -> None:
    shown = {rule for example in spec_of(game).examples for rule in example.shows}
    assert [rule for rule in spec_of(game).all_rules() if rule not in shown] == []


def texts_in(part: Any) -> Iterator[str]:
    """Every key and text in a part of a file."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from part
        for inner in part.values():
            yield from texts_in(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from texts_in(inner)


def shows(example: Example, question: Question, answer: str) -> bool:
    """Whether an example shows what an answer means.

    It is played under that answer. For the base answer, it is played without another one and shows the question, or a rule
    that other answers change or name; or it begins at the start, where the answers differ in how the game begins.
    """
    first = next(iter(question.answers))
    if (example.reading or {}).get(question.id, first) != answer:
        return False
    concerned = {f"question.{question.id}", *texts_in(question.answers)}
    begins = any(target.startswith(("start", "phases")) for changes in question.answers.values() for target in changes)
    return answer != first or bool(concerned & set(example.shows)) or (begins and example.position is None)


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_has_an_example_or_a_reason_to_have_none(game: str) -> None:
    spec = spec_of(game)
    missing = {
        (game, question.id, answer)
        for question in spec.game.questions or []
        for answer in question.answers
        if not any(shows(example, question, answer) for example in spec.examples)
    }
    excused = {key for key in WITHOUT_EXAMPLE if key[0] == game}
    assert missing == excused


def test_an_example_that_does_not_hold_is_found() -> None:
    spec = spec_of("tic-tac-toe")
    example = spec.examples[0].model_copy(update={"moves": ["a1"], "acts": "o", "illegal": {"b2": "turn.place"}})
    assert run(spec, example) == [
        "these moves are legal and should not be: a2, a3, b1, b2, b3, c1, c2, c3",
        "b2 should be forbidden by turn.place and is legal",
        "o should be to act, and it is x",
    ]


def contradicted(spec: Spec, example: Example, reading: dict[str, str]) -> bool:
    """Whether a reading says otherwise than an example; one in which its moves cannot be played does not speak of it."""
    size = (example.size[0], example.size[1]) if example.size else None
    try:
        game = Game(spec, spec.rules(example.variant or "", reading, size))
        position = begin(spec, example, game)
        if example.play is not None:
            position.play(example.play)
    except (MoveError, Usage, BadInput):
        return False
    except BadPosition:
        pass
    return breaks(game, example)


@pytest.mark.parametrize("game", GAMES)
def test_no_example_cites_a_sentence_for_what_an_open_question_leaves_open(game: str) -> None:
    """What a sentence entails holds under every answer of the questions that no sentence settles."""
    spec, found = spec_of(game), []
    for example in (e for e in spec.examples if e.cites):
        given = example.reading or {}
        for question in (q for q in spec.questions(example.variant or "") if q.status == "open"):
            if given.get(question.id, spec.base_answer(question)) != spec.base_answer(question):
                found.append((example.id, question.id))
            for answer in question.answers if question.id not in given else ():
                if contradicted(spec, example, {**given, question.id: answer}):
                    found.append((example.id, question.id))
    assert list(dict.fromkeys(found)) == []
