"""The value of a game on a board small enough: who wins when both sides play their best."""

from __future__ import annotations

from lawstone.engine.game import Game
from lawstone.engine.state import State
from lawstone.engine.symmetry import canonical, symmetries
from lawstone.work import bounds


class TooLarge(RuntimeError):
    """The game has more positions than may be looked at, or play may go on for ever."""


def value(game: Game, most: int = 60_000) -> str:
    """`first wins`, `draw`, or `no rule`, by name of the player; raises TooLarge after `most` positions or on a cycle.

    A player prefers a win to a draw, a draw to a game that stops without a rule, and that to a loss.
    """
    engine, carries = game.engine, symmetries(game.rules)
    known: dict[State, int | None] = {}

    def best(state: State, depth: int) -> int:
        """3 win, 2 draw, 1 no rule, 0 loss, for the player who acts."""
        bounds.check()
        key = canonical(state, carries)
        if key in known:
            found = known[key]
            if found is None:
                raise TooLarge("play can go on for ever")
            return found
        if len(known) >= most or depth > 400:
            raise TooLarge(f"more than {most:,} positions")
        known[key] = None
        options = engine.options[engine.index[state.phase]](*state.values)
        found = -1
        for option in options:
            for move in engine.expand(option):
                after, outcome = engine.play(state, move)
                if outcome is not None:
                    score = {"draw": 2, "no rule": 1}.get(outcome.kind, 3 if outcome.winner == state.seat else 0)
                else:
                    below = best(after, depth + 1)
                    score = below if after.seat == state.seat else _other(below)
                found = max(found, score)
                if found == 3:
                    break
            if found == 3:
                break
        known[key] = found = 1 if found < 0 else found
        return found

    start = engine.start()
    score = best(start, 0)
    players = game.rules.words.players
    return {3: f"{players[start.seat]} wins", 2: "draw", 1: "no rule", 0: f"{players[1 - start.seat]} wins"}[score]


def _other(score: int) -> int:
    return {3: 0, 2: 2, 1: 1, 0: 3}[score]
