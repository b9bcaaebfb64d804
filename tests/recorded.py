"""What the tests of records share: loaded games, random games, the sample files, and reading with faults as data."""

from __future__ import annotations

import functools
from pathlib import Path

from lawstone.engine import notation, records
from lawstone.engine.game import Game, History, Move
from lawstone.engine.records import Record, Replayed
from lawstone.model.faults import BadInput, Fault, Source
from lawstone.spec import Spec, load

SAMPLES = Path(__file__).parent / "records"


@functools.cache
def spec_of(name: str) -> Spec:
    return load(name)


@functools.cache
def game_of(name: str, variant: str = "", reading: tuple[tuple[str, str], ...] = (), board: tuple[int, int] | None = None) -> Game:
    return Game(spec_of(name), spec_of(name).rules(variant, dict(reading), board))


def random_game(game: Game, seed: int, longest: int = 120) -> History:
    history = History(game.start())
    for picks in game.playout(seed, longest).moves:
        history.play(Move(notation.write(game.rules, history.position.state, picks), picks))
    return history


def text(content: str, name: str = "game.txt") -> Source:
    return Source(name, content)


def sample(name: str, variant: str | None = None) -> Record:
    return records.load(SAMPLES / name, variant=variant)


def attempt(source: Source) -> tuple[Record | None, list[Fault]]:
    """The record that a text holds, or why it cannot be read."""
    try:
        return records.read(source), []
    except BadInput as bad:
        return None, bad.faults


def refused(content: str) -> list[str]:
    """The faults of a text, each as place and message."""
    return [f"{fault.line}:{fault.column}: {fault.message}" for fault in attempt(text(content))[1]]


def replayed(record: Record) -> Replayed:
    return records.replay(record, spec_of(record.game))


def differing(replay: Replayed) -> dict[tuple[str, str], tuple[str, int]]:
    """What differs and at which ply, by question and answer."""
    return {(d.question, d.answer): (d.what, d.ply) for d in replay.differences}
