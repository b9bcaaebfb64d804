"""Worked examples of the game's folder, where a game from the start reaches their position."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.make import Maker, Want
from lawstone.cases.sources import Plan
from lawstone.check.examples import begin
from lawstone.check.reach import reach
from lawstone.engine.drawn import BadPosition
from lawstone.engine.game import MoveError
from lawstone.model.companions import Example

FLAG = ("worked example",)
NODES = 6_000
"""Positions looked at to reach one."""


def wants(maker: Maker, plan: Plan) -> Iterator[Want]:
    """What each example asserts, as vectors; examples of other readings and of other boards are left out."""
    for example in maker.spec.examples:
        size = tuple(example.size) if example.size else None
        if example.reading or size != maker.size:
            continue
        moves = moves_to(maker, example, plan)
        if moves is not None:
            yield from of_example(maker, example, moves)


def moves_to(maker: Maker, example: Example, plan: Plan) -> tuple[str, ...] | None:
    """A game from the start to where an example begins; None where none is known."""
    after = tuple(example.after or ())
    if example.position is None:
        return after
    try:
        position = begin(maker.spec, example.model_copy(update={"after": None}))
    except (BadPosition, MoveError):
        return None
    found = reach(position, plan.seed, NODES)
    return None if found.moves is None else (*found.moves, *after)


def of_example(maker: Maker, example: Example, moves: tuple[str, ...]) -> Iterator[Want]:
    """The vectors of one example."""
    known = set(maker.spec.all_rules())
    rules = tuple(r for r in example.shows if r in known)
    variant = example.variant or ""

    def want(asked: Asked) -> Want:
        return Want(variant, asked, rules, FLAG)

    if example.moves is not None or example.count is not None:
        yield want(Asked(moves, "legal moves"))
    for move in [*(example.legal or []), *(example.illegal or {})]:
        yield want(Asked(moves, "is legal", move))
    line = (*moves, example.play) if example.play is not None else moves
    if example.outcome is not None:
        yield want(Asked(line, "outcome"))
    if example.acts is not None or example.enters is not None:
        yield want(Asked(line, "who acts"))
    if example.shown is not None and line:
        yield want(Asked(line[:-1], "after", line[-1]))
