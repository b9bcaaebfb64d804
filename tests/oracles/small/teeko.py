"""Teeko on five by five sites, played naively.

Black begins; in the phase `placing` the players put their four men on empty sites in turn, and when both hands are
empty the phase `moving` begins: a man goes one step in any of the eight directions to an empty site. After any move,
in both phases, four own men in a straight row without gaps or on the corners of one unit square win (`end.shape`).
Wider squares do not count. There is no rule for a player who cannot move, and none is needed: four men that do not
form a shape have at least six neighbouring sites, more than the opponent can fill. Repetition has no effect: a game
may go on for ever.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Site = tuple[int, int]
Outcome = tuple[str, str]

PLAYERS = ("black", "red")
MEN = 4
BOARD: frozenset[Site] = frozenset((file, rank) for file in range(5) for rank in range(5))


def name(site: Site) -> str:
    """The name of a site: file letter, rank number, a1 bottom left."""
    return "abcde"[site[0]] + str(site[1] + 1)


def next_to(site: Site) -> list[Site]:
    """The sites one step away in any direction."""
    file, rank = site
    around = [(file + df, rank + dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if (df, dr) != (0, 0)]
    return [other for other in around if other in BOARD]


def shapes() -> list[frozenset[Site]]:
    """All rows of four in eight directions (each once) and all unit squares."""
    rows = [
        frozenset((file + df * i, rank + dr * i) for i in range(4))
        for file, rank in BOARD
        for df, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
    ]
    squares = [frozenset((file + i, rank + j) for i in (0, 1) for j in (0, 1)) for file, rank in BOARD]
    return [shape for shape in rows + squares if shape <= BOARD]


NAMED: dict[str, Site] = {name(site): site for site in BOARD}
NEXT_TO = {site: next_to(site) for site in BOARD}
SHAPES: frozenset[frozenset[Site]] = frozenset(shapes())


class State(NamedTuple):
    """A position: the men of both players on the board, whose turn it is (0 or 1), and how it ended, if it did."""

    men: tuple[frozenset[Site], frozenset[Site]]
    acts: int
    ended: Outcome | None


class Teeko:
    """The game of Teeko."""

    def start(self) -> State:
        """The empty board with four men in each hand and black to move."""
        return State((frozenset(), frozenset()), 0, None)

    def legal(self, state: State) -> list[str]:
        """All complete moves, sorted; none when the game is over."""
        return sorted(self._picks(state)) if state.ended is None else []

    def moves(self, state: State) -> list[tuple[str, State]]:
        """All complete moves, sorted by their text, each with the position it leads to."""
        if state.ended is not None:
            return []
        return [(text, self._after(state, *pick)) for text, pick in sorted(self._picks(state).items())]

    def play(self, state: State, move: str) -> State:
        """The position after the move; ValueError when it is not legal."""
        picks = self._picks(state) if state.ended is None else {}
        if move not in picks:
            raise ValueError(f"{move!r} is not legal")
        return self._after(state, *picks[move])

    def outcome(self, state: State) -> Outcome | None:
        """Winner or `no rule`, with the rule concerned; None while the game goes on."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """What stands on the board (occupied sites only), who acts, the phase, and the men in hand."""
        board = {name(site): "xo"[player] for player in (0, 1) for site in sorted(state.men[player])}
        hands = {f"{PLAYERS[player]} man": MEN - len(state.men[player]) for player in (0, 1)}
        phase = self._phase(state)
        return {"board": board, "acts": PLAYERS[state.acts], "phase": phase, "hands": hands, "last": None}

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; it need not be reachable. Endings that it already holds are not looked for."""
        x, o = (frozenset(NAMED[site] for site, token in view["board"].items() if token == player) for player in "xo")
        return self._met(State((x, o), PLAYERS.index(view["acts"]), None))

    def _phase(self, state: State) -> str:
        return "moving" if len(state.men[0]) == len(state.men[1]) == MEN else "placing"

    def _picks(self, state: State) -> dict[str, tuple[Site | None, Site]]:
        """The text of each move, with the site left (None when a man comes from the hand) and the site reached."""
        own = state.men[state.acts]
        empty = BOARD - state.men[0] - state.men[1]
        if self._phase(state) == "placing":
            return {name(site): (None, site) for site in empty}
        return {f"{name(man)}-{name(site)}": (man, site) for man in own for site in NEXT_TO[man] if site in empty}

    def _after(self, state: State, origin: Site | None, target: Site) -> State:
        mover = state.acts
        own = state.men[mover] - {origin} | {target}
        enemy = state.men[1 - mover]
        after = State((own, enemy) if mover == 0 else (enemy, own), 1 - mover, None)
        if own in SHAPES:
            return after._replace(ended=(PLAYERS[mover], "end.shape"))
        return self._met(after)

    def _met(self, state: State) -> State:
        """The state, ended by `no rule` if the player to act cannot."""
        if self._picks(state):
            return state
        return state._replace(ended=("no rule", "move.man" if self._phase(state) == "moving" else "place.man"))
