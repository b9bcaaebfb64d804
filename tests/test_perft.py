"""Perft of the everyday engine gives the counts pinned in `tests/perft/`, which come from the oracles or were published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compared import spec_of
from lawstone.engine.everyday import Everyday
from lawstone.engine.perft import TooMany, divide, perft
from lawstone.engine.state import State
from lawstone.lower import Rules
from lawstone.model.faults import BadInput

RECORDS = [
    record
    for file in sorted((Path(__file__).parent / "perft").glob("*.json"))
    for record in json.loads(file.read_text(encoding="utf-8"))
]
MANY = 1_000_000
"""Records with more sequences than this take some seconds each."""


def named(record: dict[str, Any]) -> str:
    reading = " ".join(f"{q}={a}" for q, a in record.get("reading", {}).items())
    return " ".join(filter(None, (record["game"], record["variant"], record["board"], reading)))


def rules_of(record: dict[str, Any]) -> Rules:
    width, _, height = (record["board"] or "").partition("x")
    board = (int(width), int(height)) if height else None
    return spec_of(record["game"]).rules(record["variant"] or "", record.get("reading", {}), board)


def needs_a_middle(record: dict[str, Any]) -> bool:
    """PRO on an even board: there the game file is refused, where the oracle has no legal first stone."""
    return record["board"] == "6x6" and record["variant"] == "pro"


def by_length(records: list[dict[str, Any]]) -> list[Any]:
    slow = [pytest.mark.slow]
    return [pytest.param(r, id=named(r), marks=slow if max(r["sequences"]) > MANY else []) for r in records]


def open_positions(engine: Everyday, depth: int) -> list[int]:
    """For each ply, in how many distinct positions the game goes on."""
    level, found = {engine.start()}, []
    for _ in range(depth):
        results = [engine.play(state, move) for state in level for move in engine.moves(state)]
        level = {state for state, outcome in results if outcome is None and engine.moves(state)}
        found.append(len(level))
    return found


def test_there_are_pinned_counts_of_every_game() -> None:
    assert len(RECORDS) >= 40
    assert len({record["game"] for record in RECORDS}) == 11


@pytest.mark.parametrize("record", by_length(RECORDS))
def test_the_everyday_engine_gives_the_pinned_counts(record: dict[str, Any]) -> None:
    if needs_a_middle(record):
        assert record["sequences"] == [0]
        with pytest.raises(BadInput, match="no middle site"):
            rules_of(record)
        return
    counts = perft(Everyday(rules_of(record)), record["depth"])
    assert record["depth"] == len(record["sequences"]) >= 1
    assert counts.sequences == record["sequences"]
    assert counts.open == record["open"]
    assert counts.positions == record["positions"]


@pytest.mark.parametrize("record", [r for r in RECORDS if "open_positions" in r and not needs_a_middle(r)], ids=named)
def test_the_everyday_engine_gives_the_pinned_positions_in_which_the_game_goes_on(record: dict[str, Any]) -> None:
    depth = sum(1 for n in record["sequences"] if n <= 30_000)
    assert depth >= 1
    assert open_positions(Everyday(rules_of(record)), depth) == record["open_positions"][:depth]


@pytest.mark.parametrize("record", [r for r in RECORDS if not needs_a_middle(r)], ids=named)
def test_divide_sums_to_the_number_of_sequences(record: dict[str, Any]) -> None:
    engine = Everyday(rules_of(record))
    depth = sum(1 for n in record["sequences"] if n <= 30_000)
    for plies in range(1, depth + 1):
        parts = divide(engine, plies)
        assert sum(parts.values()) == record["sequences"][plies - 1]
        assert len(parts) == record["sequences"][0]


def test_perft_can_begin_in_any_position() -> None:
    engine = Everyday(spec_of("tic-tac-toe").rules())
    state: State = engine.play(engine.start(), engine.moves(engine.start())[4]).state
    assert perft(engine, 2, state).sequences == [8, 56]
    assert sum(divide(engine, 2, state).values()) == 56


def test_perft_stops_when_there_are_too_many_positions_and_tells_what_it_has() -> None:
    engine = Everyday(spec_of("tic-tac-toe").rules())
    with pytest.raises(TooMany, match="at ply 3") as stopped:
        perft(engine, 5, most=200)
    assert stopped.value.args[1].sequences == [9, 72]
