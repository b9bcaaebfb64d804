"""Where play hardly ever comes: a position where two readings part, drawn by a solver, and a game from the start that reaches it.

A search by play finds what random and guided games meet. What needs a board filled in a certain way, such as one on which nobody
can make a line any more, it misses. A solver draws such a position at once; it is worth something only if a game reaches it, and
that is searched for and replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lawstone.check.lockstep import Pair, Parting
from lawstone.check.reach import reach
from lawstone.engine.game import Position
from lawstone.engine.notation import write
from lawstone.engine.state import Picks, State
from lawstone.lower import Rules
from lawstone.prove import free
from lawstone.prove.ask import Asking
from lawstone.prove.encode import Model, Values, decode_picks, decode_state
from lawstone.prove.lemmas import kept_or_proved

DRAWN = 2
"""Positions drawn for each turn; each has its pieces placed otherwise than those before."""
NODES = 4_000
"""Positions looked at to reach one."""
CONFLICTS = 20_000
"""Conflicts after which the solver gives a turn up."""


def solved(pair: Pair, seed: int = 1, nodes: int = NODES) -> Parting | None:
    """Where two readings part at the end of a game that a solver's position has led to; None where none was found.

    None shows nothing: the readings may be made of different turns, the solver may have given up, and of the positions that it
    drew only a few were tried.
    """
    base, other = pair.a.rules, pair.b.rules
    if free.comparable(base, other):
        return None
    for state, move in _drawn(base, other):
        found = reach(Position(pair.a, state, None), seed, nodes)
        if found.moves is None:
            continue
        parting = pair.replay([*found.moves, write(base, state, move)])
        if parting is not None:
            return parting
    return None


def _drawn(a: Rules, b: Rules) -> Iterator[tuple[State, Picks]]:
    """Positions, each with a move that two readings treat otherwise, as a solver draws them."""
    lemmas = kept_or_proved(a)
    alternate = free.grows(a)
    for t in free.twins(a, b):
        model, values = t.model, t.values
        parts = [*free.legality(model, t.taken, t.twin), *free.results(model, t.taken, t.twin, True)]
        asking = Asking(model.circuit)
        try:
            asking.must([*model.must, model.assumed(values), lemmas.literal(model, t.phase, values), model.circuit.any(parts)])
            if alternate:
                asking.must(_in_step(model, values))
            for _ in range(DRAWN):
                answer = asking.ask([], CONFLICTS)
                if answer.verdict != "yes":
                    break
                fixed = a.seat_of_phase.get(t.phase)
                for seat in (0, 1) if fixed is None else (fixed,):
                    move = decode_picks(t.number, t.taken, answer.holds)
                    yield decode_state(a, values, answer.holds, t.phase, seat), move
                asking.must([model.circuit.any(_elsewhere(model, values, answer.holds))])
        finally:
            asking.close()


def _in_step(model: Model, values: Values) -> Iterator[int]:
    """Where every ply puts one piece of the player who acts: the other one has as many on the board, or one more."""
    mine, theirs = (model.standing(values, side) for side in ("mine", "theirs"))
    for k in range(1, model.rules.board.size + 1):
        yield model.circuit.implies(mine.at_least(k), theirs.at_least(k))
        if k > 1:
            yield model.circuit.implies(theirs.at_least(k), mine.at_least(k - 1))


def _elsewhere(model: Model, values: Values, holds: Callable[[int], bool]) -> Iterator[int]:
    for name in model.pieces(values):
        yield from (-x if holds(x) else x for x in values[name] if abs(x) != 1)
