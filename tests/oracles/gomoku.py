"""Gomoku with the openings PRO, long PRO, SWAP and SWAP2, from the founding text.

Decisions where the text is silent:

- Seats are `first` and `second`; first holds black until a colour is taken. A winner is named by seat.
- Every stone of an opening and every choice of colour is a ply of its own. After a choice White is to move, because
  black and white stones are laid in turn (sentence 1); `swap_next` and `swap2_next` hold the other two ways.
- PRO is for boards with a middle point: on others no sentence says where the first stone goes, and they are refused. It
  has no legal third stone on boards under 7 x 7: the outcome is `no rule`. No sentence says what happens then.
- The endings are tested after every ply, also in an opening: a very small board fills up before it is over.
- Without an opening the text asks for a row of five and says nothing of six; the base reading is exactly five, as
  each opening says for itself. `overline="wins"` changes all variants, also those whose text settles it.
- "Three or more points from the centre" is counted as rings around the middle point, so three steps is the first
  ring outside the 5 x 5 square. Long PRO asks for four steps; it takes over the reading of the measure.
- Not played, for no sentence of this text speaks of it: a forbidden overline, a five that must be claimed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oracles.grid import AXES, DIAGONAL, ORTHOGONAL, Grid, Outcome, one_of, readings

SEATS = ("first", "second")
COLOURS = ("black", "white")
FIRST, SECOND = 0, 1
QUESTIONS: dict[str, tuple[str, ...]] = {
    "overline": ("does-not", "wins"),
    "window": ("maximal-run", "any-five-points"),
    "five-beside-overline": ("wins", "does-not"),
    "directions": ("diagonals-too", "row-or-column"),
    "whose-five": ("own", "any-colour"),
    "last-stone": ("five-first", "draw-first"),
    "draw": ("full-board-or-agreed", "full-board-only", "no-five-left"),
    "pass": ("no", "may-pass"),
    "clock": ("loses", "nothing-said"),
    "pro-second": ("touching", "anywhere"),
    "pro-third": ("outside-the-5x5", "three-between", "city-block", "straight-line"),
    "swap-next": ("white", "other-player", "chooser"),
    "swap2-next": ("white", "other-player", "chooser"),
}


class Ply(NamedTuple):
    """A ply of an opening: its rule, who plays it, and the colour placed or the names of the options."""

    rule: str
    seat: int
    places: str = ""
    options: tuple[str, ...] = ()


PRO = {
    "opening 1": Ply("pro.first", FIRST, "black"),
    "opening 2": Ply("pro.second", SECOND, "white"),
    "opening 3": Ply("pro.third", FIRST, "black"),
}
SCRIPTS: dict[str, dict[str, Ply]] = {
    "plain": {},
    "pro": PRO,
    "long-pro": PRO,
    "swap": {
        "opening 1": Ply("swap.first", FIRST, "black"),
        "opening 2": Ply("swap.second", FIRST, "white"),
        "opening 3": Ply("swap.third", FIRST, "black"),
        "opening 4": Ply("swap.take", SECOND, options=COLOURS),
    },
    "swap2": {
        "opening 1": Ply("swap2.first", FIRST, "black"),
        "opening 2": Ply("swap2.second", FIRST, "white"),
        "opening 3": Ply("swap2.third", FIRST, "black"),
        "opening 4": Ply("swap2.choice", SECOND, options=(*COLOURS, "two more")),
        "two more 1": Ply("swap2.fourth", SECOND, "white"),
        "two more 2": Ply("swap2.fifth", SECOND, "black"),
        "two more 3": Ply("swap2.take", FIRST, options=COLOURS),
    },
}


class State(NamedTuple):
    """Black and white stones, the seat that holds black, the seat that acts, the phase, and how the game ended."""

    stones: tuple[frozenset[str], frozenset[str]]
    holds_black: int
    acts: int
    phase: str
    ended: Outcome = None


class Gomoku:
    """The game on a board of any size; `variant` is plain (or None), pro, long-pro, swap or swap2."""

    def __init__(self, *, board: tuple[int, int] = (15, 15), variant: str | None = None, **reading: str) -> None:
        self.grid = Grid(*board)
        self.variant = one_of("variant", variant or "plain", *SCRIPTS)
        self.script = SCRIPTS[self.variant]
        self.reading = readings(QUESTIONS, reading)
        if self.variant.endswith("pro") and not self.grid.centre:
            raise ValueError(f"PRO is for boards with a middle point, and one of {board[0]}x{board[1]} has none")
        self.more_than_five_win = self.reading["overline"] == "wins" or self.reading["window"] == "any-five-points"
        self.axes = AXES if self.reading["directions"] == "diagonals-too" else AXES[:2]
        rows = [(site, *self.grid.rays[site, axis][:4]) for axis in AXES for site in self.grid.sites]
        self.fives = [frozenset(row) for row in rows if len(row) == 5]

    def start(self) -> State:
        """The empty board."""
        phase = "opening 1" if self.script else "main"
        return self._met(State((frozenset(), frozenset()), FIRST, FIRST, phase))

    def legal(self, state: State) -> list[str]:
        """The points on which a stone may be placed, or the options that may be chosen."""
        return sorted(self._picks(state)) if state.ended is None else []

    def moves(self, state: State) -> list[tuple[str, State]]:
        """Each legal move with the state behind it."""
        return [(move, self._after(state, move)) for move in self.legal(state)]

    def play(self, state: State, move: str) -> State:
        """The state after a move; ValueError if it is not legal."""
        if state.ended is not None or move not in self._picks(state):
            raise ValueError(f"{move!r} is not legal")
        return self._after(state, move)

    def happens(self, state: State, event: str, made: str = "") -> State:
        """The state after an event at the start of a turn: a draw agreed (sentence 30), a flag fallen, a pass.

        Where an answer takes the effect away, nothing says what follows.
        """
        effects: dict[str, Outcome] = {
            "draw agreed": ("no rule" if self.reading["draw"] == "full-board-only" else "draw", "draw.agreed"),
            "flag falls": ("no rule" if self.reading["clock"] == "nothing-said" else SEATS[1 - state.acts], "clock.game"),
        }
        if state.ended is not None or made:
            raise ValueError(f"{event!r} does not happen here")
        if event == "pass" and self.reading["pass"] == "may-pass" and state.phase == "main":
            return self._met(state._replace(acts=1 - state.acts))
        if event not in effects:
            raise ValueError(f"{event!r} does not happen here")
        return state._replace(ended=effects[event])

    def outcome(self, state: State) -> Outcome:
        """How the game ended."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """The position in words that any engine can give."""
        return {
            "board": {s: token for c, token in ((0, "x"), (1, "o")) for s in sorted(state.stones[c])},
            "acts": SEATS[state.acts],
            "phase": state.phase,
            "hands": {},
            "last": None,
        }

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows, White to move when there are more black stones. Endings are not looked for."""
        black, white = (frozenset(s for s, t in view["board"].items() if t == token) for token in "xo")
        acts, phase = SEATS.index(view["acts"]), view["phase"]
        holds_black = FIRST
        if phase == "main":
            holds_black = 1 - acts if len(black) > len(white) else acts
        return self._met(State((black, white), holds_black, acts, phase))

    def _empty(self, state: State) -> frozenset[str]:
        return self.grid.sites - state.stones[0] - state.stones[1]

    def _picks(self, state: State) -> frozenset[str]:
        if state.phase == "main":
            return self._empty(state)
        ply = self.script[state.phase]
        if ply.options:
            return frozenset(ply.options)
        if ply.rule == "pro.first":
            return self.grid.centre & self._empty(state)
        if ply.rule == "pro.second" and self.reading["pro-second"] == "touching":
            near = [self.grid.neighbours(c, ORTHOGONAL + DIAGONAL) for c in self.grid.centre]
            return self._empty(state) & frozenset[str]().union(*near)
        if ply.rule == "pro.third":
            return frozenset(s for s in self._empty(state) if self._far_from_the_centre(s))
        return self._empty(state)

    def _far_from_the_centre(self, site: str) -> bool:
        measure = self.reading["pro-third"]
        least = 4 if self.variant == "long-pro" or measure == "three-between" else 3
        for centre in self.grid.centre:
            (x, y), (cx, cy) = self.grid.at[site], self.grid.at[centre]
            dx, dy = abs(x - cx), abs(y - cy)
            if measure == "city-block":
                return dx + dy >= least
            if measure == "straight-line":
                return dx * dx + dy * dy >= least * least
            return max(dx, dy) >= least
        return False

    def _after(self, state: State, pick: str) -> State:
        if state.phase == "main":
            return self._placed(state, pick, COLOURS[0] if state.acts == state.holds_black else COLOURS[1])
        ply = self.script[state.phase]
        if not ply.options:
            return self._placed(state, pick, ply.places)
        if pick == "two more":
            return self._ended(state, state._replace(acts=SECOND, phase="two more 1"))
        holds_black = state.acts if pick == "black" else 1 - state.acts
        begins = {"white": 1 - holds_black, "chooser": state.acts, "other-player": 1 - state.acts}
        acts = begins[self.reading[f"{self.variant}-next"]]
        return self._ended(state, State(state.stones, holds_black, acts, "main"))

    def _placed(self, state: State, site: str, colour: str) -> State:
        black, white = state.stones
        stones = (black | {site}, white) if colour == "black" else (black, white | {site})
        return self._ended(state, self._next(state._replace(stones=stones)), site)

    def _next(self, state: State) -> State:
        """Who acts next and in which phase, after a stone."""
        if state.phase == "main":
            return state._replace(acts=1 - state.acts)
        name, number = state.phase.rsplit(" ", 1)
        following = f"{name} {int(number) + 1}"
        if following in self.script:
            return state._replace(acts=self.script[following].seat, phase=following)
        return state._replace(acts=SECOND, phase="main")

    def _ended(self, before: State, after: State, site: str = "") -> State:
        """The state after a ply, with its ending if it has one; `site` is that of the stone, if one was placed."""
        endings: list[tuple[str, str]] = []
        if not self._empty(after):
            endings.append(("draw", "end.full"))
        if self._five(before, after, site):
            endings.insert(len(endings) if self.reading["last-stone"] == "draw-first" else 0, (SEATS[before.acts], "end.five"))
        if self.reading["draw"] == "no-five-left" and self._no_five_is_left(after):
            endings.append(("draw", "end.dead"))
        return after._replace(ended=endings[0]) if endings else self._met(after)

    def _five(self, before: State, after: State, site: str) -> bool:
        """Whether the mover has a five; one without the new stone would have ended the game before."""
        mine = after.stones[0] if before.acts == before.holds_black else after.stones[1]
        if self.reading["whose-five"] == "any-colour":
            mine = after.stones[0] | after.stones[1]
        if site not in mine:
            return False
        runs = [self.grid.run(mine, site, axis) for axis in self.axes]
        if self.more_than_five_win:
            return any(n >= 5 for n in runs)
        if self.reading["five-beside-overline"] == "does-not" and any(n >= 6 for n in runs):
            return False
        return 5 in runs

    def _no_five_is_left(self, after: State) -> bool:
        return not any(row.isdisjoint(stones) for row in self.fives for stones in after.stones)

    def _met(self, state: State) -> State:
        """The state, ended if the player to act has no move."""
        if self._picks(state):
            return state
        rule = "turn.place" if state.phase == "main" else self.script[state.phase].rule
        return state._replace(ended=("no rule", rule))
