"""Nine Men's Morris on its 24 points, played naively.

White begins; in the phase `placing` the players put their nine men on empty points in turn, and when both hands are
empty the phase `moving` begins: a man goes along a line to the next point if it is empty, or, while its owner has
three men or fewer on the board, to any empty point. Three own men that fill a line are a mill.

Decisions that matter here:
- A man that arrives in a mill captures one enemy man, one only even if it closes two mills at once; a mill that opens
  and closes again captures again. Capturing is compulsory.
- The captured man must stand outside all mills of its owner, unless all enemy men on the board stand in mills: then
  any of them. If no enemy man is on the board nothing is captured.
- Capturing is possible in both phases; men in hand cannot be captured.
- A player left with two men or fewer, those in hand counted, has lost (`end.two`); so has a player who comes to act
  and cannot move (`end.stuck`, judged in the phase that then begins or goes on).
- Repetition has no effect: a game may go on for ever.

Moves are written `a1`, `a1-d1`, and with a capture `a1xd6`, `a1-d1xb2`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Outcome = tuple[str, str]
Pick = tuple[str | None, str, str | None]

PLAYERS = ("white", "black")
MEN = 9
LINES: list[tuple[str, str, str]] = [
    ("a1", "a4", "a7"),
    ("b2", "b4", "b6"),
    ("c3", "c4", "c5"),
    ("d1", "d2", "d3"),
    ("d5", "d6", "d7"),
    ("e3", "e4", "e5"),
    ("f2", "f4", "f6"),
    ("g1", "g4", "g7"),
    ("a1", "d1", "g1"),
    ("b2", "d2", "f2"),
    ("c3", "d3", "e3"),
    ("a4", "b4", "c4"),
    ("e4", "f4", "g4"),
    ("c5", "d5", "e5"),
    ("b6", "d6", "f6"),
    ("a7", "d7", "g7"),
]
POINTS: frozenset[str] = frozenset(point for line in LINES for point in line)
NEXT_TO: dict[str, set[str]] = {point: set() for point in POINTS}
for one, two, three in LINES:
    NEXT_TO[one].add(two)
    NEXT_TO[two] |= {one, three}
    NEXT_TO[three].add(two)


def in_mill(point: str, men: frozenset[str]) -> bool:
    """Whether the point lies on a line that these men fill."""
    return any(point in line and men.issuperset(line) for line in LINES)


def victims(men: frozenset[str]) -> frozenset[str]:
    """Which of these men may be captured: those outside mills, or all of them if there are none such."""
    return frozenset(man for man in men if not in_mill(man, men)) or men


def targets(man: str, own: frozenset[str], enemy: frozenset[str]) -> frozenset[str]:
    """Where a man on the board may go."""
    empty = POINTS - own - enemy
    return empty if len(own) <= 3 else empty & NEXT_TO[man]


def written(pick: Pick) -> str:
    """The text of a move."""
    origin, target, victim = pick
    return (f"{origin}-" if origin else "") + target + (f"x{victim}" if victim else "")


class State(NamedTuple):
    """A position: men on the board and in hand of both players, whose turn it is (0 or 1), and the end, if reached."""

    men: tuple[frozenset[str], frozenset[str]]
    hands: tuple[int, int]
    acts: int
    ended: Outcome | None


class Morris:
    """The game of Nine Men's Morris."""

    def start(self) -> State:
        """The empty board with nine men in each hand and white to move."""
        return State((frozenset(), frozenset()), (MEN, MEN), 0, None)

    def legal(self, state: State) -> list[str]:
        """All complete moves, sorted; none when the game is over."""
        return sorted(map(written, self._picks(state)))

    def moves(self, state: State) -> list[tuple[str, State]]:
        """All complete moves, sorted by their text, each with the position it leads to."""
        return sorted((written(pick), self._after(state, pick)) for pick in self._picks(state))

    def play(self, state: State, move: str) -> State:
        """The position after the move; ValueError when it is not legal."""
        for pick in self._picks(state):
            if written(pick) == move:
                return self._after(state, pick)
        raise ValueError(f"{move!r} is not legal")

    def outcome(self, state: State) -> Outcome | None:
        """Winner or `no rule`, with the rule that ended the game; None while it goes on."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """What stands on the board (occupied points only), who acts, the phase, and the men in hand."""
        board = {point: "xo"[player] for player in (0, 1) for point in sorted(state.men[player])}
        hands = {f"{PLAYERS[player]} man": state.hands[player] for player in (0, 1)}
        phase = self._phase(state)
        return {"board": board, "acts": PLAYERS[state.acts], "phase": phase, "hands": hands, "last": None}

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; it need not be reachable. Endings that it already holds are not looked for."""
        white, black = (frozenset(site for site, token in view["board"].items() if token == player) for player in "xo")
        hands = (view["hands"]["white man"], view["hands"]["black man"])
        state = State((white, black), hands, PLAYERS.index(view["acts"]), None)
        if self._first_picks(state):
            return state
        return state._replace(ended=("no rule", "move.man" if self._phase(state) == "moving" else "place.man"))

    def _phase(self, state: State) -> str:
        return "moving" if state.hands == (0, 0) else "placing"

    def _first_picks(self, state: State) -> list[tuple[str | None, str]]:
        """Where a man may be placed or moved, leaving the capture aside."""
        own, enemy = state.men[state.acts], state.men[1 - state.acts]
        if self._phase(state) == "placing":
            return [(None, point) for point in POINTS - own - enemy] if state.hands[state.acts] else []
        return [(man, target) for man in own for target in targets(man, own, enemy)]

    def _picks(self, state: State) -> list[Pick]:
        if state.ended is not None:
            return []
        own, enemy = state.men[state.acts], state.men[1 - state.acts]
        picks: list[Pick] = []
        for origin, target in self._first_picks(state):
            if enemy and in_mill(target, own - {origin} | {target}):
                picks += [(origin, target, victim) for victim in victims(enemy)]
            else:
                picks.append((origin, target, None))
        return picks

    def _after(self, state: State, pick: Pick) -> State:
        origin, target, victim = pick
        mover, opponent = state.acts, 1 - state.acts
        own = state.men[mover] - {origin} | {target}
        enemy = state.men[opponent] - {victim}
        in_hand = list(state.hands)
        if origin is None:
            in_hand[mover] -= 1
        men = (own, enemy) if mover == 0 else (enemy, own)
        after = State(men, (in_hand[0], in_hand[1]), opponent, None)
        if len(enemy) + after.hands[opponent] <= 2:
            return after._replace(ended=(PLAYERS[mover], "end.two"))
        if not self._first_picks(after):
            return after._replace(ended=(PLAYERS[mover], "end.stuck"))
        return after
