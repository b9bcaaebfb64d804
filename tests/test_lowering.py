"""Lowering: the same rules every time, terms that refuse to be decided by Python, models that survive JSON and YAML, gaps."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from compared import spec_of
from lawstone.core import FALSE, TRUE, and_, both, count, no, number, read, some, step
from lawstone.data import shipped_games
from lawstone.engine.drawn import parse_position
from lawstone.engine.game import Game as Playable
from lawstone.engine.game import Position
from lawstone.engine.perft import perft
from lawstone.engine.playout import playout
from lawstone.lower import Rules, lower
from lawstone.model.conditions import HasShape
from lawstone.model.game import Game
from lawstone.model.located import read as read_file
from lawstone.spec import Spec, Usage, load

VARIANTS = [(name, variant) for name in shipped_games() for variant in ("", *(spec_of(name).game.variants or {}))]

TELL = """
import hashlib
import sys
from lawstone.data import shipped_games
from lawstone.engine.emit import emit
from lawstone.spec import load

told = {}
for name in sorted(shipped_games(), reverse=sys.argv[1] == "backwards"):
    spec = load(name)
    for variant in ("", *(spec.game.variants or {})):
        readings = [{}] + [{q.id: a} for q in spec.questions(variant) for a in list(q.answers)[1:]]
        for reading in readings[:: 1 if sys.argv[1] == "forwards" else -1]:
            rules = spec.rules(variant, reading)
            parts = (emit(rules), repr(list(rules.terms())), repr(rules.variables), repr(rules.start), repr(rules.phases))
            digests = [hashlib.sha256(part.encode()).hexdigest()[:16] for part in parts]
            told[name, variant, *reading.items()] = digests
for key in sorted(told, key=str):
    print(key, *told[key])
"""


def told(order: str, seed: str) -> list[str]:
    """A line of digests for each reading of each shipped game, from a fresh process."""
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", TELL, order], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout.splitlines()


def test_two_processes_lower_to_the_same_terms_and_the_same_text() -> None:
    once = told("forwards", "1")
    assert len(once) > 150
    assert told("backwards", "2") == once


def test_the_text_of_a_constant_set_does_not_depend_on_how_it_was_made() -> None:
    code = "from lawstone.core import sites; print(sites({order}), sites([3, 11, 19]))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    texts = {
        subprocess.run(
            [sys.executable, "-c", code.format(order=order)],
            env=environment, capture_output=True, text=True, check=True, timeout=60,
        ).stdout
        for order in ("[0, 8, 16, 24]", "[24, 16, 8, 0]", "[8, 24, 0, 16]")
    }  # fmt: skip
    assert texts == {"sites([0, 8, 16, 24]) sites([3, 11, 19])\n"}


def test_the_same_file_lowered_twice_gives_the_very_same_terms() -> None:
    for name, variant in VARIANTS:
        game, _ = spec_of(name).file(variant)
        one, two = lower(game), lower(game)
        terms = list(zip(one.terms(), two.terms(), strict=True))
        assert len(terms) > 5
        assert all(a is b for a, b in terms)


@pytest.mark.parametrize(
    "term",
    [TRUE, FALSE, read("x"), number(0), no(some(read("x"))), count(read("x"), 9), step(read("x"), "north")],
    ids=repr,
)
def test_a_term_has_no_truth_value(term: Any) -> None:
    with pytest.raises(TypeError, match="a term has no truth value"):
        bool(term)
    with pytest.raises(TypeError, match="use `when`"):
        assert term
    with pytest.raises(TypeError):
        any([term])
    with pytest.raises(TypeError):
        not term  # noqa: B018


def test_terms_that_are_alike_are_one_object_and_can_stand_in_sets() -> None:
    one, two = both(read("x"), step(read("y"), "east")), both(read("x"), step(read("y"), "east"))
    assert one is two
    assert len({one, two, and_(), TRUE}) == 2


# Models


def tree_of(game: Game) -> Any:
    return game.model_dump(mode="json", by_alias=True, exclude_unset=True)


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_game_survives_json(name: str, variant: str) -> None:
    game, _ = spec_of(name).file(variant)
    again = Game.model_validate_json(json.dumps(tree_of(game)))
    assert again == game
    assert tree_of(again) == tree_of(game)
    assert same(lower(again), lower(game))


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_game_survives_yaml(name: str, variant: str) -> None:
    game, _ = spec_of(name).file(variant)
    text = io.StringIO()
    YAML().dump(tree_of(game), text)
    again = Game.model_validate(read_file("game.yaml", text.getvalue()).tree)
    assert again == game
    assert same(lower(again), lower(game))


def same(one: Rules, two: Rules) -> bool:
    terms = list(zip(one.terms(), two.terms(), strict=True))
    return one.start == two.start and one.variables == two.variables and all(a is b for a, b in terms)


# Gaps


def spec_in(folder: Path, text: str) -> Spec:
    (folder / "gap.yaml").write_text(text, encoding="utf-8")
    return load(folder / "gap.yaml")


HEAD = """
game: gap
rules version: 1
title: {en: Gap}
authentic: en
players: [first, second]
"""
NO_MORE_ROOM = """
board: {grid: [2, 1]}
pieces:
  stone: {of: player}
turn:
  - {rule: turn.place, place: own stone, to: empty}
end:
  - {rule: end.three, if: {count: stone, at least: 3}, draw: true}
"""


def test_a_player_who_must_act_and_cannot_ends_the_game_with_no_rule(tmp_path: Path) -> None:
    spec = spec_in(tmp_path, HEAD + NO_MORE_ROOM)
    game = Playable(spec, spec.rules())
    for playable in (game, game.by_the_law()):
        end = playable.replay(["a1", "b1"])
        assert end.moves == ()
        assert end.ended is None
        assert end.outcome is not None
        assert (end.outcome.kind, end.outcome.winner, end.outcome.rule) == ("no rule", None, "turn.place")
    assert playout(game.engine, 5).outcome == end.outcome
    assert perft(game.engine, 3).ends == [{}, {"no rule: turn.place": 2}, {}]


A_DUTY = """
board: {grid: [3, 1]}
pieces:
  stone: {of: player, hand: 2}
turn:
  - {rule: turn.place, place: own stone, to: empty}
  - {rule: turn.take, remove: enemy stone, count: 1}
end:
  - {rule: end.full, if: {none: empty}, draw: true}
"""


def test_a_duty_that_cannot_be_met_ends_the_game_with_no_rule_and_its_clause(tmp_path: Path) -> None:
    spec = spec_in(tmp_path, HEAD + A_DUTY)
    game = Playable(spec, spec.rules())
    for playable in (game, game.by_the_law()):
        start = playable.start()
        assert [move.text for move in start.moves] == ["a1", "b1", "c1"]
        end = start.play("b1")
        assert end.ended is not None
        assert (end.ended.kind, end.ended.winner, end.ended.rule) == ("no rule", None, "turn.take")
        assert end.moves == ()
        assert {playable.rules.board.names[s]: t for s, t in end.cells.items()} == {"b1": "x"}
        assert end.hands == {"first stone": 1, "second stone": 2}


def test_a_duty_that_is_required_forbids_the_pick_before_it(tmp_path: Path) -> None:
    required = A_DUTY.replace("count: 1}", "count: 1, if fewer: not allowed}")
    spec = spec_in(tmp_path, HEAD + required)
    start = Playable(spec, spec.rules()).start()
    assert start.moves == ()
    assert start.outcome is not None
    assert start.outcome.rule == "turn.place"


CANNOT_GO = """
reading: {rim: four-real-neighbours}
board: |
  . . px . po po
  bx bx X px bo O
  . bx . bo po bo
  po . bo po . po
  po bo . . bo .
  . . . . . .
to act: pink
"""
NO_SQUARE = """
reading: {rim-when-placing: four-real-neighbours}
board: |
  . . . . . .
  . . . . . .
  . . . O . .
  . . . . . .
  px . . bo . .
  . po bx X po .
to act: pink
"""


def test_the_board_after_a_duty_that_cannot_be_met_is_that_of_the_picks_made() -> None:
    position = parse_position(spec_of("oxono"), CANNOT_GO)
    for playable in (position.game, position.game.by_the_law()):
        before = Position(playable, position.state)
        after = before.play("O")
        assert after.ended is not None
        assert after.ended.rule == "turn.move"
        assert after.cells == before.cells
        assert after.hands == before.hands


def test_a_piece_that_finds_no_site_stays_in_the_hand() -> None:
    position = parse_position(spec_of("oxono"), NO_SQUARE)
    for playable in (position.game, position.game.by_the_law()):
        before = Position(playable, position.state)
        after = before.play("Xa1")
        assert after.ended is not None
        assert after.ended.rule == "turn.place"
        names = playable.rules.board.names
        assert {names[s]: t for s, t in after.cells.items()} == {
            "a1": "X", "b1": "po", "c1": "bx", "e1": "po", "a2": "px", "d2": "bo", "d4": "O"
        }  # fmt: skip
        assert after.hands == before.hands
        assert after.actor == "pink"


TWO_LENGTHS = """
board: {grid: [5, 5]}
pieces:
  stone: {of: player}
turn:
  - {rule: turn.place, place: own stone, to: empty}
end:
  - {rule: end.row, if: {line: {of: own stone, at least: 3, directions: all}}, wins: mover}
questions:
  - {id: longer, answers: {"yes": {}, "no": {end.row: {if.line.at least: null, if.line.exactly: 3}}}}
  - {id: length, answers: {three: {}, four: {end.row: {if.line.at least: 4, if.line.directions: orthogonal}}}}
"""
TOGETHER = {
    "": None,
    "changes: {end.row: {if.line.at least: null, if.line.exactly: 4}}": {"exactly": 4, "directions": "orthogonal"},
    'same as: {longer: "no"}': {"exactly": 3, "directions": "all"},
    "same as: {length: four}": {"at least": 4, "directions": "orthogonal"},
}


@pytest.mark.parametrize("said", TOGETHER)
def test_two_answers_that_set_the_same_path_mean_what_the_file_says_of_both_at_once(tmp_path: Path, said: str):
    """Where it says nothing they are refused; what only one of them sets is made as well."""
    pair = f'together:\n  - answers: {{longer: "no", length: four}}\n    {said}\n' if said else ""
    spec, reading = spec_in(tmp_path, HEAD + TWO_LENGTHS + pair), {"longer": "no", "length": "four"}
    assert spec.faults() == []
    if not said:
        with pytest.raises(Usage, match=r"cannot be combined: both change end\.row: if\.line\.at least; `together`"):
            spec.rules("", reading)
        return
    line = spec.rules("", reading).game.end[0].if_.model_dump(by_alias=True, exclude_none=True)["line"]  # type: ignore[union-attr]
    wanted = TOGETHER[said]
    assert wanted is not None
    assert {key: line[key] for key in ("at least", "exactly", "directions") if key in line} == wanted
    alone = spec.rules("", {"length": "four"}).game.end[0].if_.model_dump(by_alias=True, exclude_none=True)["line"]  # type: ignore[union-attr]
    assert alone["at least"] == 4


def test_an_answer_reaches_a_clause_that_only_another_answer_brings():
    """The answer on the order has White take after Black; the one on protection changes that clause, and is alone without it."""
    wugun = load("wugun")
    together = wugun.rules("north-east", {"filled-order": "first-player-first", "unprotected": "not-protected"})
    entry = together.game.phases["black takes"].then[0]  # type: ignore[index]
    assert entry.rule == "filled.white-next"
    assert entry.if_ == HasShape.model_validate({"shape": "any", "of": "white stone"})
    assert wugun.rules("north-east", {"unprotected": "not-protected"}).game.end == wugun.rules("north-east").game.end


def test_answers_that_make_the_same_change_make_it_once():
    rules = load("gomoku").rules("", {"overline": "wins", "window": "any-five-points"})
    assert rules.meaning == load("gomoku").rules("", {"overline": "wins"}).meaning


def test_two_answers_that_only_add_conditions_are_combined():
    assert load("oxono").rules("", {"rim": "four-real-neighbours", "other-totem": "only-pawns"}).reading
