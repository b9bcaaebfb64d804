"""Pente on nineteen by nineteen sites, played naively.

White begins; the players put a stone on an empty site in turn, the first one anywhere. A placed stone captures, in
each of the eight directions, a pair: exactly two enemy stones in a row beginning next to it and closed by an own stone
on the far side. All such pairs are taken; a pair is safe when its owner steps in between. A straight run of at least
five own stones wins (`end.five`), then ten or more captured stones win (`end.captures`), then a full board is a draw
(`end.full`): in this order, on the board after the captures.

A move is written as its site, and if it captures `x` and the captured stones by file letter, then rank: `h8xf8g8`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Site = tuple[int, int]
Outcome = tuple[str, str]

PLAYERS = ("white", "black")
DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def name(site: Site) -> str:
    """The name of a site: file letter, rank number, a1 bottom left."""
    return "abcdefghijklmnopqrstuvwxyz"[site[0]] + str(site[1] + 1)


def has_run(stones: frozenset[Site], length: int) -> bool:
    """Whether somewhere on the board a straight run of at least that many stones stands."""
    for df, dr in DIRECTIONS[:4]:
        for file, rank in stones:
            if all((file + df * i, rank + dr * i) in stones for i in range(1, length)):
                return True
    return False


def taken(site: Site, own: frozenset[Site], enemy: frozenset[Site]) -> list[Site]:
    """The enemy stones that a stone placed on the site captures, by file, then rank."""
    file, rank = site
    stones = []
    for df, dr in DIRECTIONS:
        one, two = (file + df, rank + dr), (file + 2 * df, rank + 2 * dr)
        if one in enemy and two in enemy and (file + 3 * df, rank + 3 * dr) in own:
            stones += [one, two]
    return sorted(stones)


class State(NamedTuple):
    """A position: the stones on the board, those captured by each player, whose turn it is (0 or 1), and the end."""

    stones: tuple[frozenset[Site], frozenset[Site]]
    captured: tuple[int, int]
    acts: int
    ended: Outcome | None


class Pente:
    """The game of Pente on a board of that width and height."""

    def __init__(self, *, board: tuple[int, int] = (19, 19)) -> None:
        self.board = frozenset((file, rank) for file in range(board[0]) for rank in range(board[1]))
        self.named = {name(site): site for site in self.board}

    def start(self) -> State:
        """The empty board with white to move."""
        return State((frozenset(), frozenset()), (0, 0), 0, None)

    def legal(self, state: State) -> list[str]:
        """All complete moves, sorted; none when the game is over."""
        return sorted(self._written(state, site) for site in self._empty(state))

    def moves(self, state: State) -> list[tuple[str, State]]:
        """All complete moves, sorted by their text, each with the position it leads to."""
        return sorted((self._written(state, site), self._after(state, site)) for site in self._empty(state))

    def play(self, state: State, move: str) -> State:
        """The position after the move; ValueError when it is not legal."""
        site = self.named.get(move.split("x")[0])
        if site is None or site not in self._empty(state) or self._written(state, site) != move:
            raise ValueError(f"{move!r} is not legal")
        return self._after(state, site)

    def outcome(self, state: State) -> Outcome | None:
        """Winner or `draw`, with the rule that ended the game; None while it goes on."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """What stands on the board (occupied sites only), who acts, the phase, the hands (none), stones captured."""
        board = {name(site): "xo"[player] for player in (0, 1) for site in sorted(state.stones[player])}
        return {
            "board": board,
            "acts": PLAYERS[state.acts],
            "phase": "main",
            "hands": {},
            "last": None,
            "captured by": {PLAYERS[player]: state.captured[player] for player in (0, 1)},
        }

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows, nothing captured if it does not say. Endings it holds are not looked for."""
        x, o = (frozenset(self.named[site] for site, token in view["board"].items() if token == player) for player in "xo")
        captured = view.get("captured by", {})
        counts = (captured.get("white", 0), captured.get("black", 0))
        state = State((x, o), counts, PLAYERS.index(view["acts"]), None)
        return state if self._empty(state) else state._replace(ended=("no rule", "turn.place"))

    def _empty(self, state: State) -> frozenset[Site]:
        return frozenset() if state.ended else self.board - state.stones[0] - state.stones[1]

    def _written(self, state: State, site: Site) -> str:
        captures = taken(site, state.stones[state.acts], state.stones[1 - state.acts])
        return name(site) + ("x" + "".join(map(name, captures)) if captures else "")

    def _after(self, state: State, site: Site) -> State:
        mover = state.acts
        captures = taken(site, state.stones[mover], state.stones[1 - mover])
        own = state.stones[mover] | {site}
        enemy = state.stones[1 - mover].difference(captures)
        captured = list(state.captured)
        captured[mover] += len(captures)
        ended = None
        if has_run(own, 5):
            ended = (PLAYERS[mover], "end.five")
        elif captured[mover] >= 10:
            ended = (PLAYERS[mover], "end.captures")
        elif len(own) + len(enemy) == len(self.board):
            ended = ("draw", "end.full")
        stones = (own, enemy) if mover == 0 else (enemy, own)
        return State(stones, (captured[0], captured[1]), 1 - mover, ended)
