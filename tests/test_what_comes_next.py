"""Words for what comes after a turn (`next`, `enters`), and what stands on the sites that a step takes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawstone.engine.game import Game as Playable
from lawstone.spec import Spec, load

HEAD = """
game: line
rules version: 1
title: {en: Line}
authentic: en
players: [first, second]
"""
WALKING = """
board: {grid: [6, 1]}
pieces:
  stone: {of: player}
start: {first stone: a1, second stone: [b1, d1]}
start phase: setting
phases:
  setting:
    script:
      - {rule: set.stone, who: first, place: own stone, to: empty}
    then: {go: walking, first: WHO}
  walking:
    turn:
      - {rule: walk.step, move: own stone, to: {next to: {of: it, directions: orthogonal}, and: empty}}
end:
  - {rule: end.stuck, if: ASKED, RESULT}
"""


def line_game(folder: Path, text: str) -> list[Playable]:
    """The game by both engines."""
    game = Playable(spec := spec_in(folder, text), spec.rules())
    return [game, game.by_the_law()]


def spec_in(folder: Path, text: str) -> Spec:
    (folder / "line.yaml").write_text(HEAD + text, encoding="utf-8")
    return load(folder / "line.yaml")


def walking(folder: Path, who: str, asked: str, result: str) -> list[Playable]:
    text = WALKING.replace("WHO", who).replace("ASKED", asked).replace("RESULT", result)
    return line_game(folder, text)


@pytest.mark.parametrize(
    ("who", "result", "winner"), [("first", "loses: next", 1), ("first", "wins: next", 0), ("second", "loses: next", None)]
)
def test_the_player_who_acts_next_is_asked_even_if_it_is_the_mover(
    tmp_path: Path, who: str, result: str, winner: int | None
) -> None:
    """After c1 the board reads x o x o . . and only the second player's d1 can step."""
    for game in walking(tmp_path, who, "{cannot move: next}", result):
        end = game.start().play("c1").ended
        assert (end and end.winner) == winner
        assert game.start().play("e1").ended is None


def test_the_opponent_is_the_other_player_whoever_acts_next(tmp_path: Path) -> None:
    for game in walking(tmp_path, "first", "{cannot move: opponent}", "wins: mover"):
        assert game.start().play("c1").ended is None


def test_a_phase_is_entered_once_and_not_by_each_of_its_turns(tmp_path: Path) -> None:
    """After f1 and f1-e1 the board reads x o . o x . and after d1-c1 in answer x o o . x . with a first player who can step."""
    for game in walking(tmp_path, "second", "{all of: [{enters: walking}, {count: stone, at least: 4}]}", "draw: true"):
        assert (ended := game.start().play("f1").ended) is not None
        assert ended.kind == "draw"
    for game in walking(tmp_path, "first", "{all of: [{enters: walking}, {count: stone, at least: 5}]}", "draw: true"):
        position = game.start().play("f1").play("f1-e1")
        assert position.ended is None
        assert position.play("d1-c1").ended is None
    for game in walking(tmp_path, "first", "{all of: [{not: {enters: walking}}, {count: stone, at least: 4}]}", "draw: true"):
        position = game.start().play("f1")
        assert position.ended is None
        assert position.play("f1-e1").ended is not None


def test_a_turn_that_is_another_players_is_judged_as_if_it_were_ones_own(tmp_path: Path) -> None:
    """The second turn is fixed to `second`; asked of the first player it has sites for that player too, until none is free."""
    text = """
board: {grid: [LONG, 1]}
pieces:
  stone: {of: player}
start phase: setting
phases:
  setting:
    script:
      - {rule: set.first, who: first, place: first stone, to: empty}
      - {rule: set.second, who: second, place: second stone, to: empty}
    then: {go: main, first: first}
  main:
    turn:
      - {rule: turn.place, place: own stone, to: empty}
end:
  - {rule: end.stuck, if: {cannot move: mover}, draw: true}
"""
    for game in line_game(tmp_path, text.replace("LONG", "3")):
        assert game.start().play("a1").ended is None
    for game in line_game(tmp_path, text.replace("LONG", "1")):
        assert game.start().play("a1").ended is not None


TAKING = """
board: {grid: [3, 1]}
pieces:
  stone: {of: player}
turn:
  - {rule: turn.place, place: own stone, to: empty}
  - {rule: turn.take, capture: {next to: {of: it, directions: orthogonal}}, count: 1, if fewer: take what there is}
end:
  - {rule: end.full, if: {none: empty}, draw: true}
"""


def test_an_empty_site_is_not_taken_from(tmp_path: Path) -> None:
    for game in line_game(tmp_path, TAKING):
        assert [move.text for move in game.start().moves] == ["a1", "b1", "c1"]
        after = game.start().play("a1")
        assert [move.text for move in after.moves] == ["b1xa1", "c1"]
        assert after.play("b1xa1").moves[0].text == "a1xb1"


def test_an_empty_site_does_not_meet_a_duty(tmp_path: Path) -> None:
    for game in line_game(tmp_path, TAKING.replace("take what there is", "not allowed")):
        assert [move.text for move in game.start().moves] == []


@pytest.mark.parametrize(
    ("step", "single"),
    [
        ("{rule: turn.take, capture: enemy stone, count: 1, if fewer: take what there is}", True),
        ("{rule: turn.take, remove: {sites: enemy stone, or: token}, count: 1, if fewer: take what there is}", False),
        ("{rule: turn.take, remove: occupied, count: 1, if fewer: take what there is}", False),
        ("{rule: turn.again, place: token, to: empty}", False),
    ],
)
def test_a_piece_that_a_step_places_or_takes_is_not_the_only_one_for_ever(tmp_path: Path, step: str, single: bool) -> None:
    """So a step that moves it has it picked, of several there may be, or finds none."""
    text = f"""
board: {{grid: [4, 1]}}
pieces:
  stone: {{of: player}}
  token: {{of: nobody}}
start: {{token: b1, second stone: d1}}
turn:
  - {{rule: turn.move, move: token, to: {{next to: {{of: it, directions: orthogonal}}, and: empty}}}}
  - {step}
end:
  - {{rule: end.full, if: {{none: empty}}, draw: true}}
"""
    for game in line_game(tmp_path, text):
        assert game.rules.words.singles == ({"token"} if single else set())
        roles = game.rules.phases["main"].turns[0].roles
        assert roles[:2] == (("to", "capture") if single else ("from", "to"))
        assert game.start().moves
