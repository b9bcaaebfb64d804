"""Events that the founding texts speak of, played by the everyday engine and by the oracles: clocks, draws agreed, passes.

An event is not part of a move, so it is compared beside the moves: in positions of random games, at the start of a turn
and, for Wugun's clock, after the stone was set or the step was made and before anything else.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from compared import Case, differ, spec_of, walk
from lawstone.engine.events import CannotHappen, happen
from lawstone.engine.game import History, Position
from test_engines_agree import ORACLES, oracle_of

CASES = [
    *(
        Case("wugun", 120, variant, reading)
        for variant in ("", "chinese-wikipedia", "north-east")
        for reading in (
            (),
            (("clock", "loses"),),
            (("clock-picks", "turn-begun-is-finished"),),
            (("fewer", "not-allowed"),),
            (("blocked-at-start", "blocked-player-loses"),),
        )
    ),
    Case("wugun", 120, "", (("first-to-place", "white"),)),
    Case("wugun", 120, "", (("clock-picks", "picks-stand"), ("first-to-step", "black-always"))),
    *(
        Case("gomoku", 60, variant, reading, (7, 7), 1)
        for variant in ("", "pro", "swap", "swap2")
        for reading in ((), (("draw", "full-board-only"),), (("clock", "nothing-said"),), (("pass", "may-pass"),))
    ),
]
EVENTS = {"wugun": ("time runs out",), "gomoku": ("draw agreed", "flag falls", "pass")}


def after_event(position: Position, name: str, made: str) -> Position | None:
    """The position after an event, by the engine; None where it cannot happen."""
    declared = [e for e in position.game.rules.game.events or [] if e.name == name]
    if not declared:
        return None
    try:
        found = happen(History(position), declared[0], made)
    except CannotHappen:
        return None
    return found.position or Position(position.game, position.state, found.outcome)


def by_the_oracle(oracle: Any, state: Any, name: str, made: str) -> Any:
    try:
        return oracle.happens(state, name, made)
    except ValueError:
        return None


def beginnings(position: Position, chance: random.Random) -> list[str]:
    """Nothing made yet, and some of the stones set or steps made with which a legal move begins."""
    if position.phase not in ("placing", "moving"):
        return [""]
    firsts = sorted({move.text.split(" ")[0].split("x")[0] for move in position.moves})
    return ["", *chance.sample(firsts, min(4, len(firsts)))]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_event_brings_what_the_oracle_says(case: Case) -> None:
    oracle, chance, happened = oracle_of(case), random.Random(str(case)), 0
    for position, state in walk(case, oracle, 1, ORACLES[case.game][2]):
        if position.ended is not None or oracle.outcome(state) is not None:
            continue
        for name in EVENTS[case.game]:
            if name == "pass" and position.phase != "main":
                continue  # what a pass in an opening would be, no answer says
            for made in beginnings(position, chance) if case.game == "wugun" else [""]:
                ours, theirs = after_event(position, name, made), by_the_oracle(oracle, state, name, made)
                told = f"{name} after {made!r} in\n{position}"
                assert (ours is None) == (theirs is None), told
                if ours is not None:
                    happened += 1
                    assert differ(ours, oracle, theirs) == "", told
    assert happened >= case.positions // 2


def test_every_event_and_every_answer_about_one_is_compared() -> None:
    for game, names in EVENTS.items():
        spec = spec_of(game)
        assert {e.name for e in spec.game.events or []} <= set(names)
        answers = {answer for case in CASES if case.game == game for answer in case.reading}
        about = {e.rule for e in spec.game.events or []} | {"pass.turn"}
        for question in spec.questions():
            for answer, changes in question.answers.items():
                assert not (changes.keys() & about) or (question.id, answer) in answers
