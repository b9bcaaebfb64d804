"""Connect Four on seven files and six ranks, played naively.

The players `first` and `second` have 21 discs each and drop one in turn: it comes to rest on the lowest empty site of
its file, and the move is written as that site, such as `d1`. A straight run of at least four own discs wins
(`end.four`); a full board without one is a draw (`end.full`). The run is looked at first, so the last disc may win.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Site = tuple[int, int]
Outcome = tuple[str, str]

PLAYERS = ("first", "second")
FILES = 7
RANKS = 6
HAND = 21
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def name(site: Site) -> str:
    """The name of a site: file letter, rank number, a1 bottom left."""
    return "abcdefg"[site[0]] + str(site[1] + 1)


NAMED: dict[str, Site] = {name((file, rank)): (file, rank) for file in range(FILES) for rank in range(RANKS)}


def has_run(discs: frozenset[Site], length: int) -> bool:
    """Whether somewhere on the board a straight run of at least that many discs stands."""
    for df, dr in DIRECTIONS:
        for file, rank in discs:
            if all((file + df * i, rank + dr * i) in discs for i in range(1, length)):
                return True
    return False


class State(NamedTuple):
    """A position: the discs of both players, whose turn it is (0 or 1), and how the game ended, if it did."""

    discs: tuple[frozenset[Site], frozenset[Site]]
    acts: int
    ended: Outcome | None


class ConnectFour:
    """The game of Connect Four."""

    def start(self) -> State:
        """The empty board with `first` to move."""
        return State((frozenset(), frozenset()), 0, None)

    def legal(self, state: State) -> list[str]:
        """All complete moves, sorted; none when the game is over."""
        return sorted(name(site) for site in self._targets(state))

    def moves(self, state: State) -> list[tuple[str, State]]:
        """All complete moves, sorted by their text, each with the position it leads to."""
        return sorted((name(site), self._after(state, site)) for site in self._targets(state))

    def play(self, state: State, move: str) -> State:
        """The position after the move; ValueError when it is not legal."""
        site = NAMED.get(move)
        if site is None or site not in self._targets(state):
            raise ValueError(f"{move!r} is not legal")
        return self._after(state, site)

    def outcome(self, state: State) -> Outcome | None:
        """Winner or `draw`, with the rule that ended the game; None while it goes on."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """What stands on the board (occupied sites only), who acts, the phase, and the discs in hand."""
        board = {name(site): "xo"[player] for player in (0, 1) for site in sorted(state.discs[player])}
        hands = {f"{PLAYERS[player]} disc": HAND - len(state.discs[player]) for player in (0, 1)}
        return {"board": board, "acts": PLAYERS[state.acts], "phase": "main", "hands": hands, "last": None}

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; it need not be reachable. Endings that it already holds are not looked for."""
        x, o = (frozenset(NAMED[site] for site, token in view["board"].items() if token == player) for player in "xo")
        state = State((x, o), PLAYERS.index(view["acts"]), None)
        return state if self._targets(state) else state._replace(ended=("no rule", "turn.drop"))

    def _targets(self, state: State) -> list[Site]:
        """The lowest empty site of each file that has one."""
        if state.ended is not None or len(state.discs[state.acts]) == HAND:
            return []
        occupied = state.discs[0] | state.discs[1]
        targets = []
        for file in range(FILES):
            empty = [rank for rank in range(RANKS) if (file, rank) not in occupied]
            if empty:
                targets.append((file, min(empty)))
        return targets

    def _after(self, state: State, site: Site) -> State:
        own = state.discs[state.acts] | {site}
        enemy = state.discs[1 - state.acts]
        ended = None
        if has_run(own, 4):
            ended = (PLAYERS[state.acts], "end.four")
        elif len(own) + len(enemy) == FILES * RANKS:
            ended = ("draw", "end.full")
        return State((own, enemy) if state.acts == 0 else (enemy, own), 1 - state.acts, ended)
