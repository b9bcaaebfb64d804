"""Yavalath on a hexagon with five sites a side, played naively.

The players `first` and `second` put a stone on an empty site in turn, without any exchange of sides. Tested in this
order after each stone, of the player who placed it: a straight run of at least four own stones wins (`end.four`), a
straight run of exactly three loses (`end.three`), a full board is a draw (`end.full`). A stone that makes a four and a
three at once therefore wins.

Coordinates: the hexagon of side n lies slanted in a square of 2n - 1 files and ranks. Rank 1, at the bottom, has the n
files from a; each rank up to the middle one file more, on the right; above it each rank begins one file later. The six
neighbours are east and west on the rank, north west and south east on the file, north east and south west on the
diagonal. On the board of side 5 rank 1 is a to e, rank 5 a to i, rank 9 e to i.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Site = tuple[int, int]
Outcome = tuple[str, str]

PLAYERS = ("first", "second")
EAST, NORTH_WEST, NORTH_EAST = (1, 0), (0, 1), (1, 1)


def name(site: Site) -> str:
    """The name of a site: file letter, rank number, a1 bottom left."""
    return "abcdefghijklmnopqrstuvwxyz"[site[0]] + str(site[1] + 1)


def run_lengths(stones: frozenset[Site]) -> set[int]:
    """The lengths of all straight runs of these stones, each run as long as it goes."""
    lengths = set()
    for df, dr in (EAST, NORTH_WEST, NORTH_EAST):
        for file, rank in stones:
            if (file - df, rank - dr) not in stones:
                length = 1
                while (file + df * length, rank + dr * length) in stones:
                    length += 1
                lengths.add(length)
    return lengths


class State(NamedTuple):
    """A position: the stones of both players, whose turn it is (0 or 1), and how the game ended, if it did."""

    stones: tuple[frozenset[Site], frozenset[Site]]
    acts: int
    ended: Outcome | None


class Yavalath:
    """The game of Yavalath on a hexagon with that many sites a side."""

    def __init__(self, *, side: int = 5) -> None:
        across = range(2 * side - 1)
        self.board = frozenset((file, rank) for file in across for rank in across if abs(file - rank) < side)
        self.named = {name(site): site for site in self.board}

    def start(self) -> State:
        """The empty board with `first` to move."""
        return State((frozenset(), frozenset()), 0, None)

    def legal(self, state: State) -> list[str]:
        """All complete moves, sorted; none when the game is over."""
        return sorted(map(name, self._empty(state)))

    def moves(self, state: State) -> list[tuple[str, State]]:
        """All complete moves, sorted by their text, each with the position it leads to."""
        return sorted((name(site), self._after(state, site)) for site in self._empty(state))

    def play(self, state: State, move: str) -> State:
        """The position after the move; ValueError when it is not legal."""
        site = self.named.get(move)
        if site is None or site not in self._empty(state):
            raise ValueError(f"{move!r} is not legal")
        return self._after(state, site)

    def outcome(self, state: State) -> Outcome | None:
        """Winner or `draw`, with the rule that ended the game; None while it goes on."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """What stands on the board (occupied sites only), who acts, the phase, and the hands (there are none)."""
        board = {name(site): "xo"[player] for player in (0, 1) for site in sorted(state.stones[player])}
        return {"board": board, "acts": PLAYERS[state.acts], "phase": "main", "hands": {}, "last": None}

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; it need not be reachable. Endings that it already holds are not looked for."""
        x, o = (frozenset(self.named[site] for site, token in view["board"].items() if token == player) for player in "xo")
        state = State((x, o), PLAYERS.index(view["acts"]), None)
        return state if self._empty(state) else state._replace(ended=("no rule", "turn.place"))

    def _empty(self, state: State) -> frozenset[Site]:
        return frozenset() if state.ended else self.board - state.stones[0] - state.stones[1]

    def _after(self, state: State, site: Site) -> State:
        mover, opponent = state.acts, 1 - state.acts
        own = state.stones[mover] | {site}
        enemy = state.stones[opponent]
        lengths = run_lengths(own)
        ended = None
        if max(lengths) >= 4:
            ended = (PLAYERS[mover], "end.four")
        elif 3 in lengths:
            ended = (PLAYERS[opponent], "end.three")
        elif len(own) + len(enemy) == len(self.board):
            ended = ("draw", "end.full")
        return State((own, enemy) if mover == 0 else (enemy, own), opponent, ended)
