"""The first plies of every variant: what is legal, each option of a choice and each turn of an opening, and who acts after it."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.sources import Plan
from lawstone.core import Turn
from lawstone.engine.game import Position
from lawstone.engine.playout import Dice

DEPTH = 12
"""Plies followed from the start."""
GROUP = "openings, each branch"


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """The start, and a walk through each turn of an opening with every option taken once."""
    for variant in maker.variants:
        rules = maker.base(variant).game.rules
        scripted = [p for p, seat in rules.seat_of_phase.items() if seat is not None and p in rules.phases]
        for phase in scripted if rules.start_phase in scripted else ():
            for turn in rules.phases[phase].turns:
                yield Sought(_branch(variant, phase, turn), f"not met within {DEPTH} plies")
        yield Want(variant, Asked((), "legal moves"))
        yield Want(variant, Asked((), "who acts"))
        yield from _walk(maker, variant, plan)


def _branch(variant: str, phase: str, turn: Turn) -> Situation:
    return Situation(GROUP, variant, turn.rule, f"{' '.join(turn.label) or 'a piece'} in {phase}")


def _walk(maker: Maker, variant: str, plan: Plan) -> Iterator[Want]:
    base, dice = maker.base(variant), Dice(plan.seed)
    seats = base.game.rules.seat_of_phase
    seen: set[str] = set()
    front: list[tuple[str, ...]] = [()]
    for _ in range(DEPTH):
        following = []
        for moves in front:
            position = base.position(moves)
            if position.ended is not None or position.phase in seen:
                continue
            seen.add(position.phase)
            if ways(position) <= MOST_MOVES:
                yield Want(variant, Asked(moves, "legal moves"))
            for move in _branches(position, dice):
                turn = base.game.rules.phases[position.phase].turns[base.picks((*moves, move)).turn]
                scripted = seats.get(base.game.rules.start_phase) is not None and seats.get(position.phase) is not None
                shows = (_branch(variant, position.phase, turn),) if scripted else ()
                yield Want(variant, Asked(moves, "after", move), shows=shows)
                yield Want(variant, Asked((*moves, move), "who acts"), shows=shows)
                following.append((*moves, move))
        front = following


def _branches(position: Position, dice: Dice) -> list[str]:
    """Every named option, or a move from the middle of the board and a random one."""
    if ways(position) > MOST_MOVES:
        return []
    options = [m.text for m in position.moves if not any(c.isdigit() for c in m.text)]
    if options or not position.moves:
        return options
    moves = position.moves
    return list(dict.fromkeys((moves[len(moves) // 2].text, moves[dice.below(len(moves))].text)))
