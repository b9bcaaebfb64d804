"""Tic-Tac-Toe on three by three sites, played naively.

The players `x` and `o` put a mark on an empty site in turn, `x` first. Three own marks in a straight line win
(`end.three`); a full board without a line is a draw (`end.full`). The line is looked at first, so a ninth mark that
completes one wins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Site = tuple[int, int]
Outcome = tuple[str, str]

PLAYERS = ("x", "o")
SITES: frozenset[Site] = frozenset((file, rank) for file in range(3) for rank in range(3))
LINES: list[frozenset[Site]] = [
    *(frozenset((file, rank) for file in range(3)) for rank in range(3)),
    *(frozenset((file, rank) for rank in range(3)) for file in range(3)),
    frozenset((i, i) for i in range(3)),
    frozenset((i, 2 - i) for i in range(3)),
]


def name(site: Site) -> str:
    """The name of a site: file letter, rank number, a1 bottom left."""
    return "abc"[site[0]] + str(site[1] + 1)


NAMED: dict[str, Site] = {name(site): site for site in SITES}


class State(NamedTuple):
    """A position: the marks of both players, whose turn it is (0 or 1), and how the game ended, if it did."""

    marks: tuple[frozenset[Site], frozenset[Site]]
    acts: int
    ended: Outcome | None


class TicTacToe:
    """The game of Tic-Tac-Toe."""

    def start(self) -> State:
        """The empty board with `x` to move."""
        return State((frozenset(), frozenset()), 0, None)

    def legal(self, state: State) -> list[str]:
        """All complete moves, sorted; none when the game is over."""
        return [text for text, _ in self.moves(state)]

    def moves(self, state: State) -> list[tuple[str, State]]:
        """All complete moves, sorted by their text, each with the position it leads to."""
        if state.ended is not None:
            return []
        empty = SITES - state.marks[0] - state.marks[1]
        return sorted((name(site), self._after(state, site)) for site in empty)

    def play(self, state: State, move: str) -> State:
        """The position after the move; ValueError when it is not legal."""
        site = NAMED.get(move)
        if state.ended is not None or site is None or site in state.marks[0] or site in state.marks[1]:
            raise ValueError(f"{move!r} is not legal")
        return self._after(state, site)

    def outcome(self, state: State) -> Outcome | None:
        """Winner or `draw`, with the rule that ended the game; None while it goes on."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """What stands on the board (occupied sites only), who acts, the phase, and the hands (there are none)."""
        board = {name(site): PLAYERS[player] for player in (0, 1) for site in sorted(state.marks[player])}
        return {"board": board, "acts": PLAYERS[state.acts], "phase": "main", "hands": {}, "last": None}

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; it need not be reachable. Endings that it already holds are not looked for."""
        x, o = (frozenset(NAMED[site] for site, token in view["board"].items() if token == player) for player in "xo")
        state = State((x, o), PLAYERS.index(view["acts"]), None)
        return state if self.legal(state) else state._replace(ended=("no rule", "turn.place"))

    def _after(self, state: State, site: Site) -> State:
        own = state.marks[state.acts] | {site}
        enemy = state.marks[1 - state.acts]
        ended = None
        if any(line <= own for line in LINES):
            ended = (PLAYERS[state.acts], "end.three")
        elif own | enemy == SITES:
            ended = ("draw", "end.full")
        return State((own, enemy) if state.acts == 0 else (enemy, own), 1 - state.acts, ended)
