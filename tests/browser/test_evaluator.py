"""The page's evaluator says what the engine says: legal moves, what they lead to, and which rule forbids a move."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from lawstone.engine.explain import explain
from lawstone.engine.game import Game, Position
from lawstone.engine.playout import Dice, random_move
from lawstone.engine.state import After, State, members
from lawstone.publish.export import exported, value

SAMPLES = [
    ("xxung", "", 700),
    ("gomoku", "", 250),
    ("gomoku", "pro", 60),
    ("gomoku", "long-pro", 60),
    ("gomoku", "swap", 60),
    ("gomoku", "swap2", 60),
    ("oxono", "", 350),
    ("wugun", "", 500),
    ("wugun", "chinese-wikipedia", 150),
    ("wugun", "north-east", 250),
    ("nine-mens-morris", "", 250),
    ("yavalath", "", 250),
    ("breakthrough", "", 200),
]
MOST = 700

AGREES = """
([rules, samples]) => {
  const made = new window.Lawstone.Rules(rules);
  const hex = (v) => (typeof v === "bigint" ? v.toString(16) : v);
  const wrong = [];
  samples.forEach((sample, n) => {
    const state = made.state(sample);
    const moves = made.moves(state);
    const told = moves.map((m) => `${m.turn}:${m.sites.map(hex).join(",")}`).join(" ");
    if (told !== sample.moves) { wrong.push([n, "moves", told.slice(0, 200), sample.moves.slice(0, 200)]); return; }
    if (sample.pick === null) return;
    const move = moves[sample.pick];
    const text = made.write(state, made.turns(state)[move.turn], move.sites);
    if (text !== sample.text) wrong.push([n, "text", text, sample.text]);
    const after = made.play(state, move);
    const values = after.values.map(hex);
    const here = JSON.stringify([values, after.phase, after.seat]);
    if (here !== JSON.stringify(sample.after)) wrong.push([n, "after", here, sample.after]);
    const ends = after.outcome ? after.outcome.rule + after.outcome.winner : "";
    if (ends !== sample.ends) wrong.push([n, "ends", ends, sample.ends]);
  });
  return wrong;
}
"""
FORBIDS = """
([rules, samples]) => {
  const made = new window.Lawstone.Rules(rules);
  return samples.map((s) => (made.forbids(made.state(s), s.picks.map((p) => BigInt(p)), s.label) || { rule: "" }).rule);
}
"""


def seen(game: Game, state: State) -> dict[str, Any]:
    names = [v.name for v in game.rules.variables]
    values = [value(game.rules, n, v) for n, v in zip(names, state.values, strict=True)]
    return {"values": values, "phase": state.phase, "seat": state.seat}


def walk(game: Game, wanted: int, seed: int) -> list[State]:
    """States along random games, each move uniform over the legal ones, until there are enough."""
    found: list[State] = []
    while len(found) < wanted:
        seed += 1
        dice, after = Dice(seed), After(game.engine.start(), None)
        while after.outcome is None and len(found) < wanted:
            found.append(after.state)
            move = random_move(game.engine, after.state, dice)
            if move is None:
                break
            after = game.engine.play(after.state, move)
    return found


def sample(game: Game, state: State, rng: random.Random) -> dict[str, Any] | None:
    """A state with what the engine says of it; None where there are too many moves to list."""
    if sum(o[0] for o in game.engine.options[game.engine.index[state.phase]](*state.values)) > MOST:
        return None
    moves = Position(game, state).moves
    told = " ".join(f"{m.picks.turn}:{','.join(f'{s:x}' for s in m.picks.sites)}" for m in moves)
    if not moves:
        return {**seen(game, state), "moves": told, "pick": None}
    pick = rng.randrange(len(moves))
    after = game.engine.play(state, moves[pick].picks)
    now = seen(game, after.state)
    ends = f"{after.outcome.rule}{'null' if after.outcome.winner is None else after.outcome.winner}" if after.outcome else ""
    result = [now["values"], now["phase"], now["seat"]]
    return {**seen(game, state), "moves": told, "pick": pick, "text": moves[pick].text, "after": result, "ends": ends}


@pytest.mark.parametrize(("name", "variant", "wanted"), SAMPLES)
def test_the_evaluator_plays_as_the_engine_does(site: Path, watched: Any, name: str, variant: str, wanted: int):
    game = Game.load(name, variant)
    rng = random.Random(5)
    samples = [s for state in walk(game, wanted, 40) if (s := sample(game, state, rng)) is not None]
    assert len(samples) > wanted // 3
    page = watched.open(site / "en" / "xxung" / "index.html")
    assert page.evaluate(AGREES, [exported(game), samples]) == []


@pytest.mark.parametrize(("name", "variant"), [("xxung", ""), ("gomoku", ""), ("gomoku", "pro"), ("oxono", ""), ("wugun", "")])
def test_the_evaluator_names_the_rule_that_the_engine_names(site: Path, watched: Any, name: str, variant: str):
    game = Game.load(name, variant)
    rng = random.Random(11)
    samples, expected = [], []
    for state in walk(game, 150, 90):
        position = Position(game, state)
        turn = game.rules.phases[state.phase].turns[0]
        names = game.rules.board.names
        label = turn.label[0] if turn.label else ""
        site_number = rng.randrange(game.rules.board.size)
        roles = [c.role for c in turn.choices]
        text, picks = f"{label.upper()}{names[site_number]}", [1 << site_number]
        if roles[:1] == ["from"]:
            own = [s for s in range(game.rules.board.size) if game.reference.ints and rng.random() < 0.5]
            target = rng.choice(own or [0])
            text, picks = f"{names[site_number]}-{names[target]}", [1 << site_number, 1 << target]
        elif label and name == "oxono":
            target = rng.randrange(game.rules.board.size)
            text, picks = f"{text} {names[target]}", [*picks, 1 << target]
        found = explain(position, text)
        complete = (
            found.legal
            or found.because.startswith(("1 due", "a turn here"))
            or " due, and " in found.because
            or " given" in found.because
        )
        if complete:
            continue
        samples.append({**seen(game, state), "picks": picks, "label": " ".join(turn.label)})
        expected.append(found.rule)
    assert len(expected) > 10
    for s in samples:
        s["picks"] = [str(p) for p in s["picks"]]
        assert all(members(int(p)) for p in s["picks"])
    page = watched.open(site / "en" / "xxung" / "index.html")
    assert page.evaluate(FORBIDS, [exported(game), samples]) == expected
