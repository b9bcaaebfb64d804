"""Worked examples made from a place where two readings part, ready to be put into `examples.yaml`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML

from lawstone.check.lockstep import Pair, Parting
from lawstone.drawing.look import Look
from lawstone.drawing.text import text as drawn_text
from lawstone.engine.drawn import piece_looks, position_text
from lawstone.engine.explain import explain
from lawstone.engine.game import MoveError, Position
from lawstone.engine.state import Outcome

FEW_MOVES = 6
"""An example tells the moves of a game of so many plies; later it shows the position instead."""
FEW = 4
"""So many moves are named of those that only one reading allows."""


def ready_example(pair: Pair, parting: Parting, name: str, shows: str, wrong: str, variant: str) -> str:
    """An example that holds under the rules as written (reading A of the pair) and not under the wrong reading, as YAML text."""
    return "\n".join(_lines(pair, parting, name, shows, wrong, variant)) + "\n"


def _lines(pair: Pair, parting: Parting, name: str, shows: str, wrong: str, variant: str) -> Iterator[str]:
    yield f"- id: {re.sub('[^a-z0-9.-]+', '-', name.replace('/', '.'))[:60].strip('.-')}"
    yield f"  shows: [{shows}]"
    yield "  cites: []"
    yield f"  title: {{en: {json.dumps('Not so: ' + wrong, ensure_ascii=False)}}}"
    if variant:
        yield f"  variant: {variant}"
    moves = list(parting.moves)
    elsewhere = pair.b.replay(moves).phase != pair.a.replay(moves).phase
    plays = bool(moves) and (parting.level != "legal moves" or elsewhere)
    before = moves[:-1] if plays else moves
    position = pair.a.replay(before)
    if len(before) > FEW_MOVES:
        yield from _position(position)
    elif before:
        yield f"  after: {_flow(before)}"
    if plays:
        position = position.play(moves[-1])
        yield f"  play: {moves[-1]}"
        yield f"  outcome: {_outcome(position, position.outcome)}"
        if position.outcome is None:
            yield f"  acts: {position.actor}"
            if elsewhere:
                yield f"  enters: {position.phase}"
            yield "  shown: |"
            yield from (f"    {row}" for row in _rows(position))
    elif parting.level != "legal moves":
        yield f"  acts: {position.actor}"
        yield f"  outcome: {_outcome(position, position.outcome)}"
        yield "  shown: |"
        yield from (f"    {row}" for row in _rows(position))
    elif not parting.only_a and not parting.only_b:
        yield f"  count: {len(position.moves)}"
    else:
        if parting.only_a:
            yield f"  legal: {_flow(list(parting.only_a)[:FEW])}"
        refused = dict(_refused(position, parting.only_b))
        if refused:
            yield "  illegal: {" + ", ".join(f"{_plain(m)}: {r}" for m, r in refused.items()) + "}"
        elif not parting.only_a:
            yield f"  count: {len(position.moves)}"


def _refused(position: Position, moves: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    found = 0
    for move in moves:
        if found == FEW:
            return
        try:
            yield move, explain(position, move).rule
            found += 1
        except MoveError:
            continue


def _position(position: Position) -> Iterator[str]:
    """The position as an example draws it."""
    document: dict[str, Any] = YAML(typ="safe").load(position_text(position))
    for key in ("game", "variant", "reading", "size"):
        document.pop(key, None)
    yield "  position:"
    yield "    board: |"
    yield from (f"      {row}" for row in _rows(position))
    for line in position_text(position).splitlines():
        if line.split(":")[0] in document and not line.startswith((" ", "board")):
            yield f"    {line}"


def _rows(position: Position) -> list[str]:
    board = position.game.rules.board
    plain = Look(board, position.cells, piece_looks(position.game), {}, (), "", "")
    return drawn_text(plain).rstrip("\n").splitlines()


def _outcome(position: Position, outcome: Outcome | None) -> str:
    if outcome is None:
        return "none"
    if outcome.kind == "no rule":
        return f"{{no rule: {outcome.rule}}}"
    if outcome.kind == "draw" or outcome.winner is None:
        return f"{{draw: true, by: {outcome.rule}}}"
    return f"{{wins: {position.game.rules.words.players[outcome.winner]}, by: {outcome.rule}}}"


def _plain(word: str) -> str:
    return json.dumps(word) if re.search(r"^[-\d]|[^a-zA-Z0-9 -]", word) else word


def _flow(words: list[str]) -> str:
    return "[" + ", ".join(map(_plain, words)) + "]"
