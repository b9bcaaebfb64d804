"""Hypothesis strategies for games, positions, moves and random games, and a state machine that plays a game.

A position is drawn as a game from the start: a number of plies and, at each, a number that picks one of the legal moves. So every
position drawn is reachable, and shrinking makes its game shorter and its moves earlier ones.

    from hypothesis import given
    from lawstone.strategies import positions

    @given(positions("xxung"))
    def test_my_engine_agrees(position): ...
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from lawstone.data import shipped_games
from lawstone.engine.game import Game, Move, Position
from lawstone.engine.playout import Playout

MOST_PLIES = 60


@cache
def _loaded(name: str) -> Game:
    return Game.load(name)


def games(*names: str) -> st.SearchStrategy[Game]:
    """Shipped games: those named, or any."""
    return st.sampled_from(names or tuple(shipped_games())).map(_loaded)


@st.composite
def positions(draw: st.DrawFn, game: Game | str, most: int = MOST_PLIES, over: bool = False) -> Position:
    """Reachable positions of a game, up to `most` plies from the start; with `over`, also those where the game is over."""
    here = _loaded(game) if isinstance(game, str) else game
    position = here.start()
    for pick in draw(st.lists(st.integers(0, 1 << 16), max_size=most)):
        moves = position.moves
        if not moves:
            break
        after = position.play(moves[pick % len(moves)])
        if not over and (after.outcome is not None):
            break
        position = after
    return position


def moves(position: Position) -> st.SearchStrategy[Move]:
    """The legal moves of a position; nothing where there are none."""
    return st.sampled_from(position.moves) if position.moves else st.nothing()


def playouts(game: Game | str, longest: int = 2_000) -> st.SearchStrategy[Playout]:
    """Random games, uniform over complete moves."""
    here = _loaded(game) if isinstance(game, str) else game
    return st.integers(0, 1 << 32).map(lambda seed: here.playout(seed, longest))


class Playing(RuleBasedStateMachine):
    """A game in progress: each step plays a legal move, and a new game follows one that is over.

    Set `game`, override `started` and `played`, and add invariants.

    Take `Playing.TestCase` of a subclass as the test.
    """

    game: str | Game = "tic-tac-toe"

    def __init__(self) -> None:
        super().__init__()
        here = _loaded(self.game) if isinstance(self.game, str) else self.game
        self.position = here.start()
        self.started(self.position)

    def started(self, position: Position) -> None:
        """A game begins."""

    def played(self, before: Position, move: Move, after: Position) -> None:
        """A move was played."""

    @precondition(lambda self: bool(self.position.moves))
    @rule(pick=st.integers(0, 1 << 16))
    def play(self, pick: int) -> None:
        """Play one of the legal moves."""
        before = self.position
        move = before.moves[pick % len(before.moves)]
        self.position = before.play(move)
        self.played(before, move, self.position)

    @precondition(lambda self: not self.position.moves)
    @rule()
    def again(self) -> None:
        """Where a game is over, another one begins."""
        self.position = self.position.game.start()
        self.started(self.position)


def register() -> None:
    """Let Hypothesis find `Game` by type, as its entry point does."""
    st.register_type_strategy(Game, games())
