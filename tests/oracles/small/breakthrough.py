"""Breakthrough on eight by eight sites, played naively.

White's pawns fill ranks 1 and 2 and go north, black's fill ranks 7 and 8 and go south; white begins. A pawn goes one
step straight ahead to an empty site, or one step diagonally ahead to a site that is empty or holds an enemy pawn,
which is captured. Straight ahead nothing is captured, and no capture is compulsory. An own pawn on the far rank wins
(`end.across`); so does the loss of the opponent's last pawn (`end.none`). A move is written `a2-b3`, a capture
`a2-b3xb3`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Site = tuple[int, int]
Outcome = tuple[str, str]

PLAYERS = ("white", "black")
AHEAD = (1, -1)
FAR_RANK = (7, 0)
BOARD: frozenset[Site] = frozenset((file, rank) for file in range(8) for rank in range(8))


def name(site: Site) -> str:
    """The name of a site: file letter, rank number, a1 bottom left."""
    return "abcdefgh"[site[0]] + str(site[1] + 1)


NAMED: dict[str, Site] = {name(site): site for site in BOARD}


class State(NamedTuple):
    """A position: the pawns of both players, whose turn it is (0 or 1), and how the game ended, if it did."""

    pawns: tuple[frozenset[Site], frozenset[Site]]
    acts: int
    ended: Outcome | None


class Breakthrough:
    """The game of Breakthrough."""

    def start(self) -> State:
        """Sixteen pawns each, with white to move."""
        white = frozenset(site for site in BOARD if site[1] in (0, 1))
        black = frozenset(site for site in BOARD if site[1] in (6, 7))
        return State((white, black), 0, None)

    def legal(self, state: State) -> list[str]:
        """All complete moves, sorted; none when the game is over."""
        return sorted(self._steps(state))

    def moves(self, state: State) -> list[tuple[str, State]]:
        """All complete moves, sorted by their text, each with the position it leads to."""
        return [(text, self._after(state, *step)) for text, step in sorted(self._steps(state).items())]

    def play(self, state: State, move: str) -> State:
        """The position after the move; ValueError when it is not legal."""
        step = self._steps(state).get(move)
        if step is None:
            raise ValueError(f"{move!r} is not legal")
        return self._after(state, *step)

    def outcome(self, state: State) -> Outcome | None:
        """Winner or `no rule`, with the rule that ended the game; None while it goes on."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """What stands on the board (occupied sites only), who acts, the phase, and the hands (there are none)."""
        board = {name(site): "xo"[player] for player in (0, 1) for site in sorted(state.pawns[player])}
        return {"board": board, "acts": PLAYERS[state.acts], "phase": "main", "hands": {}, "last": None}

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; it need not be reachable. Endings that it already holds are not looked for."""
        x, o = (frozenset(NAMED[site] for site, token in view["board"].items() if token == player) for player in "xo")
        state = State((x, o), PLAYERS.index(view["acts"]), None)
        return state if self._steps(state) else state._replace(ended=("no rule", "turn.move"))

    def _steps(self, state: State) -> dict[str, tuple[Site, Site]]:
        """The text of each legal move, with the sites it leaves and reaches."""
        if state.ended is not None:
            return {}
        own, enemy = state.pawns[state.acts], state.pawns[1 - state.acts]
        steps = {}
        for file, rank in own:
            for sideways in (-1, 0, 1):
                target = (file + sideways, rank + AHEAD[state.acts])
                if target not in BOARD or target in own or (sideways == 0 and target in enemy):
                    continue
                capture = f"x{name(target)}" if target in enemy else ""
                steps[f"{name((file, rank))}-{name(target)}{capture}"] = ((file, rank), target)
        return steps

    def _after(self, state: State, origin: Site, target: Site) -> State:
        own = state.pawns[state.acts] - {origin} | {target}
        enemy = state.pawns[1 - state.acts] - {target}
        ended = None
        if any(rank == FAR_RANK[state.acts] for _, rank in own):
            ended = (PLAYERS[state.acts], "end.across")
        elif not enemy:
            ended = (PLAYERS[state.acts], "end.none")
        after = State((own, enemy) if state.acts == 0 else (enemy, own), 1 - state.acts, ended)
        if ended is None and not self._steps(after):
            return after._replace(ended=("no rule", "turn.move"))
        return after
