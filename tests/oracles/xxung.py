"""XXung, from the founding text: a stone in line with the last one, nothing in between; five or a block wins.

Decisions where the text is silent or says a thing twice:

- Board size and supply are parameters; the supply is unlimited unless `supply` gives each player a number of stones.
  A player without a stone has no legal placement, so the other one wins by `end.blocked` (sentences 59 and 60; the
  cause that sentence 61 gives, the cells, is another).
- Both endings are tested after the first, free stone too: on a board of one cell it blocks the second player.
- Under `blocked_by="walled-by-pieces"` a player who has no placement, but stands beside the rim, is met by no rule;
  under `first_piece="centre"` so is the first player on a board without a centre.
- "The last piece" of the game and of the opponent are one and the same, for turns alternate and each places a stone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oracles.grid import AXES, DIAGONAL, ORTHOGONAL, Grid, Outcome, readings

PLAYERS = ("first", "second")
QUESTIONS: dict[str, tuple[str, ...]] = {
    "first-piece": ("anywhere", "centre"),
    "whose-first-piece": ("of-the-game", "of-each-player"),
    "last-piece": ("of-the-game", "of-the-opponent"),
    "in-line": ("row-or-column", "diagonals-too"),
    "how-far": ("any-distance", "next-to-it"),
    "in-between": ("either-colour", "only-enemy-pieces", "only-own-pieces", "nothing-blocks"),
    "six": ("wins", "does-not"),
    "whose-five": ("own", "any"),
    "five-directions": ("diagonals-too", "row-or-column"),
    "gaps": ("without-gaps", "with-gaps"),
    "blocked-by": ("no-legal-placement", "walled-by-pieces"),
    "who-is-blocked": ("the-opponent", "either-player"),
    "two-at-once": ("five-first", "block-first"),
}


class State(NamedTuple):
    """The stones of first and second, the stone placed last, who acts (0 or 1), and how the game ended."""

    stones: tuple[frozenset[str], frozenset[str]]
    last: str | None
    acts: int
    ended: Outcome = None


class Xxung:
    """The game on a board of any size, with any number of stones for each player."""

    def __init__(self, *, board: tuple[int, int] = (9, 9), supply: int | None = None, **reading: str) -> None:
        self.grid = Grid(*board)
        self.supply = supply
        self.reading = readings(QUESTIONS, reading)
        self.directions = ORTHOGONAL if self.reading["in-line"] == "row-or-column" else ORTHOGONAL + DIAGONAL
        self.axes = AXES if self.reading["five-directions"] == "diagonals-too" else AXES[:2]

    def start(self) -> State:
        """The empty board, first to act."""
        return self._met(State((frozenset(), frozenset()), None, 0))

    def legal(self, state: State) -> list[str]:
        """The cells on which the player to act may place a stone."""
        return sorted(self._placements(state, state.acts)) if state.ended is None else []

    def moves(self, state: State) -> list[tuple[str, State]]:
        """Each legal move with the state behind it."""
        return [(site, self._placed(state, site)) for site in self.legal(state)]

    def play(self, state: State, move: str) -> State:
        """The state after a move; ValueError if it is not legal."""
        if state.ended is not None or move not in self._placements(state, state.acts):
            raise ValueError(f"{move!r} is not legal")
        return self._placed(state, move)

    def outcome(self, state: State) -> Outcome:
        """How the game ended."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """The position in words that any engine can give."""
        hands = {} if self.supply is None else {f"{PLAYERS[p]} stone": self._hand(state, p) for p in (0, 1)}
        return {
            "board": {s: token for p, token in ((0, "x"), (1, "o")) for s in sorted(state.stones[p])},
            "acts": PLAYERS[state.acts],
            "phase": self._phase(state),
            "hands": hands,
            "last": state.last,
        }

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; it need not be reachable. Endings that it already holds are not looked for."""
        first, second = (frozenset(s for s, t in view["board"].items() if t == token) for token in "xo")
        return self._met(State((first, second), view["last"], PLAYERS.index(view["acts"])))

    def _phase(self, state: State) -> str:
        stones = len(state.stones[0]) + len(state.stones[1])
        free = 2 if self.reading["whose-first-piece"] == "of-each-player" else 1
        return f"opening {stones + 1}" if stones < free else "main"

    def _hand(self, state: State, player: int) -> int:
        return 1 if self.supply is None else self.supply - len(state.stones[player])

    def _placements(self, state: State, player: int) -> set[str]:
        """Where a player may place a stone, if it is his turn."""
        if self._hand(state, player) <= 0:
            return set()
        taken = state.stones[0] | state.stones[1]
        phase = self._phase(state)
        if phase != "main":
            only_centre = phase == "opening 1" and self.reading["first-piece"] == "centre"
            return set(self.grid.centre if only_centre else self.grid.sites) - taken
        if state.last is None:
            return set()
        if self.reading["last-piece"] == "of-the-opponent" and state.last not in state.stones[1 - player]:
            return set()
        in_the_way = {
            "either-colour": taken,
            "only-enemy-pieces": state.stones[1 - player],
            "only-own-pieces": state.stones[player],
            "nothing-blocks": frozenset[str](),
        }[self.reading["in-between"]]
        found = set()
        for direction in self.directions:
            ray = self.grid.rays[state.last, direction]
            for site in ray[:1] if self.reading["how-far"] == "next-to-it" else ray:
                if site in in_the_way:
                    break
                if site not in taken:
                    found.add(site)
        return found

    def _placed(self, state: State, site: str) -> State:
        me = state.acts
        mine, theirs = state.stones[me] | {site}, state.stones[1 - me]
        after = State((mine, theirs) if me == 0 else (theirs, mine), site, 1 - me)
        holding = []
        if self._five(mine, theirs, site):
            holding.append("end.five")
        if self._blocked(after):
            holding.append("end.blocked")
        if holding:
            rule = holding[0] if self.reading["two-at-once"] == "five-first" else holding[-1]
            return after._replace(ended=(PLAYERS[me], rule))
        return self._met(after)

    def _five(self, mine: frozenset[str], theirs: frozenset[str], site: str) -> bool:
        """A row without the new stone stood there before, and would have ended the game then."""
        stones = mine if self.reading["whose-five"] == "own" else mine | theirs
        past = self.grid.sites - mine - theirs if self.reading["gaps"] == "with-gaps" else frozenset[str]()
        runs = [self.grid.run(stones, site, axis, past) for axis in self.axes]
        return any(n >= 5 if self.reading["six"] == "wins" else n == 5 for n in runs)

    def _blocked(self, after: State) -> bool:
        if self.reading["blocked-by"] == "walled-by-pieces":
            assert after.last is not None
            return len(self.grid.beside[after.last] & (after.stones[0] | after.stones[1])) == 4
        players = (after.acts,) if self.reading["who-is-blocked"] == "the-opponent" else (0, 1)
        return any(not self._placements(after, player) for player in players)

    def _met(self, state: State) -> State:
        """The state, ended if the player to act has no move."""
        if self._placements(state, state.acts):
            return state
        rules = {"opening 1": "opening.free", "opening 2": "opening.second", "main": "turn.line"}
        return state._replace(ended=("no rule", rules[self._phase(state)]))
