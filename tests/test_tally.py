"""How often each rule takes part in random games is the same by both back ends, and agrees with what is known of the games."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from lawstone import Game
from lawstone.cli.playouts import playouts as command
from lawstone.engine.kernel.run import runner
from lawstone.engine.tally import fired


@pytest.mark.parametrize("name", ["tic-tac-toe", "oxono", "wugun", "pente", "breakthrough", "nine-mens-morris"])
def test_both_back_ends_count_the_same_moves_and_ends(name: str):
    pytest.importorskip("llvmlite", reason="the extra `fast` is not installed")
    game = Game.load(name)
    compiled = fired(game.rules, game.engine, game.walk, 60, 11, 300)
    plain = fired(game.rules, game.engine, "asked for", 60, 11, 300)
    assert (compiled.backend, plain.backend) == ("compiled", "emitted Python")
    assert compiled.games == plain.games == 60
    assert compiled.moves == plain.moves
    assert compiled.ends == plain.ends


def test_every_move_is_a_turn_and_every_end_an_outcome():
    game = Game.load("tic-tac-toe")
    found = fired(game.rules, game.engine, game.walk, 3_000, 5, 100)
    sample = runner(game.rules, game.engine).playouts(found.games, 5, 100)
    (turn,) = found.moves.values()
    assert turn == sample.plies
    assert sum(found.ends.values()) == found.games
    # a share of 0.127 of random games is drawn: Ludii and OpenSpiel, measured beside one another
    assert abs(found.ends["end.full"] / found.games - 0.127) < 0.03


def test_the_document_holds_lengths_branching_and_rules():
    told = json.loads(CliRunner().invoke(command, ["oxono", "--n", "200", "--json"], standalone_mode=False).output)
    assert sum(told["lengths"].values()) == 200
    mean = sum(int(k) * n for k, n in told["lengths"].items()) / 200
    assert mean == pytest.approx(told["mean_length"])
    assert told["rules"]["games"] == 200
    assert sum(told["rules"]["ends"].values()) == 200
    if told["backend"] == "compiled":
        assert 20 < told["branching"] < 70
    shown = CliRunner().invoke(command, ["oxono", "--n", "50"], standalone_mode=False).output
    assert "a game" in shown
