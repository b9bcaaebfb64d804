"""Deeper facts about all reachable positions, and readings that they prove alike: no game may speak against them."""

from __future__ import annotations

import functools

import pytest

from lawstone.cases.adequacy import kills, rivals
from lawstone.cases.make import Candidate, Maker
from lawstone.cases.vector import read_suite
from lawstone.check.lockstep import Pair
from lawstone.check.search import Budget, search
from lawstone.data import shipped_suite
from lawstone.engine.game import Game
from lawstone.prove.alike import alike, paired
from lawstone.prove.deeper import deeper
from lawstone.prove.encode import Model
from lawstone.prove.lemmas import kept_or_proved
from lawstone.spec import load


@functools.cache
def maker(game: str) -> Maker:
    return Maker(load(game))


def candidate(game: str, name: str, variant: str = "") -> Candidate:
    return next(c for c, _ in rivals(maker(game), variant) if c.name == name)


def proved(game: str, name: str, variant: str = "") -> str:
    return alike(maker(game).base(variant).game.rules, candidate(game, name, variant).game.rules)


@pytest.mark.parametrize(("game", "variant"), [("tic-tac-toe", ""), ("oxono", ""), ("wugun", ""), ("wugun", "north-east")])
def test_every_deeper_fact_holds_in_every_position_of_random_games(game: str, variant: str) -> None:
    rules = load(game).rules(variant)
    played, facts, looked = Game(load(game), rules), deeper(rules), 0
    assert set(kept_or_proved(rules).proved) <= set(facts.proved)
    for seed in range(6):
        state = played.engine.start()
        for move in played.playout(seed, 60).moves:
            model = Model(rules)
            values = model.constant(state)
            wrong = [x.name for x in facts.of(state.phase) if x.literal(model, values) != 1]
            assert wrong == []
            looked += len(facts.of(state.phase))
            state = played.engine.play(state, move).state
    assert looked > 100


def test_what_is_remembered_of_captures_says_whether_a_shape_stands() -> None:
    """In Wugun a stone in a shape is never taken while stones are placed, and the first shape always takes one."""
    told = {x.says for x in deeper(load("wugun").rules()).of("placing")}
    assert "where not captured in placing, choice 1 of the player to act leaves no piece out" in told
    assert "where mine.first, mine.hand stone is theirs.hand stone +1" in told


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("place.end/hand-of-opponent", ""),  # the first player has a stone more, so that both hands are empty at once
        ("force.remove/without-outside", ""),  # no shape stands where nothing was captured
        ("force.remove/if-fewer-take-protected", ""),  # a pick that is never made
        ("forced-removal=no-shape-stands", ""),  # whether something was captured need not be remembered
        ("filled.black-removes/without-outside", "north-east"),
    ],
)
def test_readings_of_wugun_that_no_game_tells_apart_are_proved_alike(name: str, variant: str) -> None:
    assert proved("wugun", name, variant)


def test_a_pawn_of_oxono_always_finds_a_square() -> None:
    """32 pawns and two totems leave two of the 36 squares empty (rules of Oxono, the supply of pawns)."""
    assert proved("oxono", "turn.place/if-fewer-not-allowed")


@pytest.mark.parametrize("game", ["xxung", "oxono"])
def test_no_reading_that_a_vector_tells_apart_is_proved_alike(game: str) -> None:
    """A vector's answers are those of the reference interpreter; only those asked of the base game count."""
    path = shipped_suite(game, "core")
    assert path is not None
    vectors = [v for v in read_suite(path).vectors if not v.variant and v.ask != "event"]
    apart = set[str]().union(*kills(maker(game), vectors, most=1).values())
    mine, tried = maker(game).base("").game.rules, 0
    for c, _ in rivals(maker(game), ""):
        if c.name in apart and paired(mine, c.game.rules) is not None:
            assert alike(mine, c.game.rules) == "", c.name
            tried += 1
    assert tried > 20


def test_every_game_of_a_small_board_agrees_with_the_proof() -> None:
    """All games of tic-tac-toe are played under both readings: where none parts the proof may say so, elsewhere it must not."""
    base, same = maker("tic-tac-toe").base("").game, 0
    for c, _ in rivals(maker("tic-tac-toe"), ""):
        told = alike(base.rules, c.game.rules)
        found = search(Pair(base, c.game), Budget(pairs=200_000, games=0))
        assert found.parting is not None or found.exhausted
        assert not (told and found.parting is not None), c.name
        same += bool(told)
    assert same


@pytest.mark.parametrize(
    "name", ["fewer=take-protected-too", "capture.exposed/without-outside", "force.remove/own-stone", "stacking=best"]
)
def test_readings_of_wugun_that_part_are_not_proved_alike(name: str) -> None:
    assert proved("wugun", name) == ""
