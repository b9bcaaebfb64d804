"""Random games in which each pick of a move is drawn by itself: another distribution than uniform over complete moves."""

from __future__ import annotations

from lawstone.engine.everyday import Everyday
from lawstone.engine.playout import LONGEST, Dice, Playout, stuck
from lawstone.engine.state import Picks, State


def step_by_step(engine: Everyday, seed: int, longest: int = LONGEST, start: State | None = None) -> Playout:
    """One random game: the turn (where there are several), then pick after pick, each uniform over what can still be completed."""
    dice, state, made = Dice(seed), start or engine.start(), list[Picks]()
    while len(made) < longest:
        moves = engine.moves(state)
        if not moves:
            return Playout(tuple(made), stuck(engine.rules, state), state)
        turns = sorted({m.turn for m in moves})
        turn = turns[dice.below(len(turns))] if len(turns) > 1 else turns[0]
        left, depth = [m for m in moves if m.turn == turn], 0
        while True:
            picks = list(dict.fromkeys(m.sites[depth] for m in left if len(m.sites) > depth))
            if not picks:
                break
            pick = picks[dice.below(len(picks))] if len(picks) > 1 else picks[0]
            left, depth = [m for m in left if len(m.sites) > depth and m.sites[depth] == pick], depth + 1
        made.append(left[0])
        state, outcome = engine.play(state, left[0])
        if outcome is not None:
            return Playout(tuple(made), outcome, state)
    return Playout(tuple(made), None, state)
