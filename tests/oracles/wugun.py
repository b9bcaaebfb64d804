"""Shandong Wugun Qi, from the founding text, with two regional tables as variants.

Decisions where the text is silent or says a thing twice:

- A stone that is set or moved captures as many stones as the shapes that it completes are worth together (`stacking`),
  any exposed ones, and as many as are exposed if fewer are (`fewer`). It must (`compulsory`); under `up-to-the-count`
  it may take none. After a step only shapes through the moved stone pay (`reform`).
- A stone in a standing shape of its owner may still be moved (`protected_moves`); it then stands unprotected.
- Forced removal needs an exposed black stone; without one the outcome is `no rule` by `force.remove`. It is not a
  capture, but the test for fewer than three follows it as it follows every turn.
- A player who must step and cannot, where nobody was bound to make room for him, is met by no rule (`move.step`):
  after the last placement, or after the forced removal (`blocked_at_start`). Its answers speak of the first step only;
  those of `no_room` speak of an opponent shut in by a step.
- Room is made only in the moving phase, and only for an opponent who still has three stones: one with fewer has lost
  already (`three_test`). No removable stone: `no rule` by `room.remove` (`no_room`). The stone just moved may be the
  one removed. Whether the opponent can move is a question of steps alone, not of the room that he would have to make.
- Nobody falls below three by making room: three stones block three or more only as an edge three around a corner,
  and stones in a shape are not removed. So `own_count` never matters in the base game.
- A turn of placing for which there is no stone in hand (`first_to_place="white"`) is met by no rule (`place.stone`).

The variant `north-east`, from an entry on the five tigers game: every shape is worth one; nobody captures while
filling, but once the board is full each player takes for his shapes then standing, the second player first; if
nobody has a shape, each takes one stone of the other, again the second player first; the second player steps first;
a stone may not step back to where it stood before its owner's last step if that completes a shape which that step
left; all stones must be taken to win. Added where the entry is silent: a stone in a shape is safe as in the base game
(`unprotected`); a player with no shape, or nothing to take, has no turn of taking, and if neither has one (every stone
may stand in a shape) a removal is asked for; room is made for any opponent who has a stone left. On the full board
taking is compulsory and every shape counts, whatever the questions on captures say. A player for whose shapes too few
stones are exposed takes those that are (`filled_fewer`); under its other answers every player with a shape has a turn
of taking, for which protected stones make up the number, or of which nothing is said.

Questions and answers that are not in the game file, for what other sources and programs do: `reform` as
`not-by-an-immediate-return` or `each-once-a-game`; `protection` by shapes that captured only; `return_step`, whether
the step back of the north-east is not allowed, pays nothing, or is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from oracles.grid import AXES, DIAGONAL, ORTHOGONAL, Grid, Outcome, one_of, readings

PLAYERS = ("black", "white")
BLACK, WHITE = 0, 1
HANDS = (13, 12)
WORTH = {
    "base": {"straight five": 3, "corner span": 5, "edge three": 1, "four": 2, "square": 1},
    "chinese-wikipedia": {"straight five": 4, "corner span": 5, "edge three": 2, "four": 3, "square": 1},
    "north-east": {"straight five": 1, "corner span": 1, "edge three": 1, "four": 1, "square": 1},
}
FIRST_CLAUSE = {
    "placing": "place.stone",
    "forcing": "force.remove",
    "moving": "move.step",
    "white takes": "filled.white-takes",
    "black takes": "filled.black-takes",
    "removals 1": "filled.white-removes",
    "removals 2": "filled.black-removes",
}
QUESTIONS: dict[str, tuple[str, ...]] = {
    "stacking": ("all", "one-per-kind", "best"),
    "fewer": ("take-what-there-is", "not-allowed", "take-protected-too"),
    "compulsory": ("must", "may", "up-to-the-count"),
    "reform": ("through-the-moved-piece", "any-standing", "not-by-an-immediate-return", "each-once-a-game"),
    "protection": ("standing-shapes", "shapes-that-captured"),
    "step-directions": ("along-lines", "diagonals-too"),
    "protected-moves": ("may", "may-not"),
    "edge-three": ("ends-on-two-edges", "any-diagonal-three"),
    "four-with-a-corner": ("does-not-count", "counts"),
    "rim-five": ("straight-five", "nothing"),
    "forced-removal": ("nothing-captured", "no-shape-stands"),
    "first-to-place": ("black", "white"),
    "first-to-step": ("black-after-a-forced-removal", "white-always", "black-always"),
    "blocked-at-start": ("nothing-said", "blocked-player-loses", "draw"),
    "no-room": ("nothing-said", "step-not-allowed", "mover-wins", "draw"),
    "three-test": ("before-making-room", "after-making-room"),
    "hand-counts": ("board-and-hand", "board-only"),
    "own-count": ("nothing-said", "mover-loses"),
    "clock": ("turn-passes", "loses"),
    "clock-picks": ("picks-stand", "turn-begun-is-finished"),
    "filled-order": ("second-player-first", "first-player-first"),
    "unprotected": ("protected", "not-protected"),
    "filled-fewer": ("take-what-there-is", "nothing-said", "take-protected-too"),
    "return-step": ("not-allowed", "pays-nothing", "allowed"),
}
GRID = Grid(5, 5)
CORNERS = frozenset({"a1", "a5", "e1", "e5"})

Shape = frozenset[str]
Stones = tuple[frozenset[str], frozenset[str]]


def _lines(directions: Iterable[tuple[int, int]], length: int) -> list[tuple[str, ...]]:
    lines = [(site, *GRID.rays[site, d][: length - 1]) for site in sorted(GRID.sites) for d in directions]
    return [line for line in lines if len(line) == length]


def _on_edges_that_meet(one: str, other: str) -> bool:
    edges = [{s for s in GRID.sites if s[i] == name} for i, name in ((0, "a"), (1, "5"), (0, "e"), (1, "1"))]
    pairs = [(edges[i], edges[i - 1]) for i in range(4)]
    return any((one in a and other in b) or (one in b and other in a) for a, b in pairs)


def shapes(reading: dict[str, str]) -> dict[Shape, str]:
    """Every shape by its sites, with its kind, from the five descriptions."""
    found: dict[Shape, str] = {}
    for line in _lines(AXES[:2], 5):
        if reading["rim-five"] == "straight-five" or not CORNERS & set(line):
            found[frozenset(line)] = "straight five"
    for line in _lines(DIAGONAL, 5):
        if {line[0], line[-1]} in ({"a1", "e5"}, {"a5", "e1"}):
            found[frozenset(line)] = "corner span"
    for line in _lines(DIAGONAL, 4):
        if reading["four-with-a-corner"] == "counts" or not CORNERS & set(line):
            found[frozenset(line)] = "four"
    for line in _lines(DIAGONAL, 3):
        touches = _on_edges_that_meet(line[0], line[-1]) and not CORNERS & {line[0], line[-1]}
        if touches or reading["edge-three"] == "any-diagonal-three":
            found[frozenset(line)] = "edge three"
    for x, y in GRID.name:
        block = {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)}
        if all(place in GRID.name for place in block):
            found[frozenset(GRID.name[place] for place in block)] = "square"
    return found


class Step(NamedTuple):
    """A player's last step, and the shapes that the stone was in where it came from."""

    came_from: str
    went_to: str
    shapes: frozenset[Shape]


class State(NamedTuple):
    """The stones on the board and in hand (black, white), who acts (0 or 1), the phase, how the game ended.

    `captured` says, while placing, whether anybody has captured. The last three fields are filled only under readings
    that ask for them: each player's last step out of a shape; shapes that have paid; shapes that protect.
    """

    stones: Stones
    hands: tuple[int, int]
    acts: int
    phase: str
    ended: Outcome = None
    captured: bool = False
    steps: tuple[Step | None, Step | None] = (None, None)
    paid: frozenset[tuple[int, Shape]] = frozenset()
    guards: frozenset[tuple[int, Shape]] = frozenset()


class Wugun:
    """The game; `variant` is None (the founding text), chinese-wikipedia or north-east."""

    def __init__(self, *, variant: str | None = None, **reading: str) -> None:
        self.variant = one_of("variant", variant or "base", *WORTH)
        self.reading = readings(QUESTIONS, reading)
        self.shapes = shapes(self.reading)
        self.worth = WORTH[self.variant]
        self.north_east = self.variant == "north-east"
        self.needed = 1 if self.north_east else 3
        """A side with fewer stones than this has lost."""
        directions = ORTHOGONAL + (DIAGONAL if self.reading["step-directions"] == "diagonals-too" else ())
        self.near = {site: GRID.neighbours(site, directions) for site in GRID.sites}
        return_step = self.reading["return-step"] if self.north_east else "allowed"
        self.return_is_illegal = return_step == "not-allowed"
        no_return = self.reading["reform"] == "not-by-an-immediate-return"
        self.return_pays_nothing = no_return or return_step == "pays-nothing"

    def start(self) -> State:
        """The empty board, all stones in hand, Black to place."""
        acts = PLAYERS.index(self.reading["first-to-place"])
        return State((frozenset(), frozenset()), HANDS, acts, "placing")

    def legal(self, state: State) -> list[str]:
        """The complete moves of the player to act."""
        return [move for move, _ in self.moves(state)]

    def moves(self, state: State) -> list[tuple[str, State]]:
        """Each legal move with the state behind it."""
        turns = [turn for pick in self._picks(state) for turn in self._turns(state, pick)]
        return sorted(turns, key=lambda turn: turn[0])

    def play(self, state: State, move: str) -> State:
        """The state after a move; ValueError if it is not legal."""
        pick = move if move.startswith(("-", "x")) else move.replace(" ", "x").split("x")[0]
        if pick in self._picks(state):
            for text, after in self._turns(state, pick):
                if text == move:
                    return after
        raise ValueError(f"{move!r} is not legal")

    def outcome(self, state: State) -> Outcome:
        """How the game ended."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """The position in words that any engine can give."""
        return {
            "board": {s: token for p, token in ((0, "x"), (1, "o")) for s in sorted(state.stones[p])},
            "acts": PLAYERS[state.acts],
            "phase": state.phase,
            "hands": {f"{PLAYERS[p]} stone": state.hands[p] for p in (0, 1)},
            "last": None,
        }

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows: stones that are missing were captured. Endings are not looked for."""
        black, white = (frozenset(s for s, t in view["board"].items() if t == token) for token in "xo")
        hands = (view["hands"]["black stone"], view["hands"]["white stone"])
        missing = len(black) + len(white) + sum(hands) < sum(HANDS)
        acts, phase = PLAYERS.index(view["acts"]), view["phase"]
        return self._met(State((black, white), hands, acts, phase, captured=phase == "placing" and missing))

    # Shapes and what they are worth

    def _standing(self, state: State, player: int) -> list[Shape]:
        """The complete shapes of a player."""
        return [shape for shape in self.shapes if shape <= state.stones[player]]

    def _safe(self, state: State, player: int) -> frozenset[str]:
        """The stones of a player that cannot be taken, because they stand in a shape of his own."""
        if self.north_east and self.reading["unprotected"] == "not-protected":
            return frozenset()
        standing = self._standing(state, player)
        if self.reading["protection"] == "shapes-that-captured":
            standing = [shape for shape in standing if (player, shape) in state.guards]
        return frozenset[str]().union(*standing)

    def _exposed(self, state: State, player: int) -> list[str]:
        return sorted(state.stones[player] - self._safe(state, player))

    def _paying(self, before: State, after: State, it: str) -> list[Shape]:
        """The shapes for which the mover captures, his stone standing on `it`."""
        me = before.acts
        if after.phase == "placing" and self.north_east:
            return []
        paying = self._standing(after, me)
        if self.reading["reform"] != "any-standing":
            paying = [shape for shape in paying if it in shape]
        if self.reading["reform"] == "each-once-a-game":
            paying = [shape for shape in paying if (me, shape) not in before.paid]
        if self.return_pays_nothing and after.phase == "moving":
            (came_from,) = before.stones[me] - after.stones[me]
            again = self._returned_to(before, came_from, it)
            paying = [shape for shape in paying if shape not in again]
        return paying

    def _due(self, paying: list[Shape]) -> int:
        kinds = [self.shapes[shape] for shape in paying]
        if self.reading["stacking"] == "one-per-kind":
            return sum(self.worth[kind] for kind in set(kinds))
        worths = [self.worth[kind] for kind in kinds]
        return sum(worths) if self.reading["stacking"] == "all" else max(worths, default=0)

    def _victims(self, state: State, due: int) -> Iterator[tuple[str, ...]]:
        """All sets of stones that the player to act may capture."""
        exposed = self._exposed(state, 1 - state.acts)
        rest: list[str] = []
        if self.reading["fewer"] == "take-protected-too" and len(exposed) < due:
            rest = sorted(state.stones[1 - state.acts].difference(exposed))
        most = min(due, len(exposed) + len(rest))
        all_or_none = {0} if self.reading["fewer"] == "not-allowed" and most < due else {0, most}
        counts = {"must": {most}, "may": all_or_none, "up-to-the-count": set(range(most + 1))}
        for count in sorted(counts[self.reading["compulsory"]]):
            from_rest = max(0, count - len(exposed))
            for some in combinations(exposed, count - from_rest):
                for others in combinations(rest, from_rest):
                    yield tuple(sorted(some + others))

    # Turns

    def _picks(self, state: State) -> Iterator[str]:
        """The first pick of each turn, as text."""
        me, you = state.acts, 1 - state.acts
        if state.ended is not None:
            return
        if state.phase == "placing":
            empty = GRID.sites - state.stones[0] - state.stones[1] if state.hands[me] else frozenset()
            yield from (site for site in empty if self._is_allowed(state, site))
        elif state.phase == "moving":
            yield from self._steps(state)
        elif state.phase.endswith("takes"):
            exposed = self._exposed(state, you)
            due = sum(self.worth[self.shapes[shape]] for shape in self._standing(state, me))
            missing = max(0, due - len(exposed))
            if missing and self.reading["filled-fewer"] == "nothing-said":
                return
            protected = sorted(state.stones[you].difference(exposed))
            more = min(missing, len(protected)) if self.reading["filled-fewer"] == "take-protected-too" else 0
            for some in combinations(exposed, due - missing):
                for others in combinations(protected, more):
                    yield f"x{''.join(sorted(some + others))}"
        else:
            yield from (f"-{site}" for site in self._exposed(state, you))

    def _turns(self, state: State, pick: str) -> Iterator[tuple[str, State]]:
        """All complete turns that begin with a first pick which is legal."""
        for move, done in self._completed(state, pick):
            yield move, done if done.ended else self._finished(done, state.acts)

    def _completed(self, before: State, pick: str) -> Iterator[tuple[str, State]]:
        """The same, before the next player is found and the endings are tested."""
        me, you = before.acts, 1 - before.acts
        if before.phase not in ("placing", "moving"):
            yield pick, self._without(before, you, [pick[i : i + 2] for i in range(1, len(pick), 2)])
            return
        after, it = self._made(before, pick)
        paying = self._paying(before, after, it)
        for victims in self._victims(after, self._due(paying)):
            move = f"{pick}x{''.join(victims)}" if victims else pick
            taken = self._without(after, you, victims)
            if victims:
                taken = self._noted(taken, me, paying)
            if after.phase == "moving" and self._must_make_room(taken):
                yield from self._with_room_made(taken, move)
            else:
                yield move, taken

    def _with_room_made(self, taken: State, move: str) -> Iterator[tuple[str, State]]:
        me = taken.acts
        removals = [site for site in self._exposed(taken, me) if self._frees(taken, site)]
        for site in removals:
            yield f"{move} -{site}", self._without(taken, me, [site])
        if not removals and self.reading["no-room"] == "nothing-said":
            yield move, taken._replace(ended=("no rule", "room.remove"))
        if not removals and self.reading["no-room"] in ("mover-wins", "draw"):
            yield move, taken

    def happens(self, state: State, event: str, made: str = "") -> State:
        """The state after an event, `made` being the stone set or the step made before it. ValueError if it cannot happen so.

        When the time runs out the turn passes (sentences 53 and 88): what was made stands, and the rest of the turn is lost.
        A turn of taking or of a forced removal that is cut short has taken nothing.
        """
        if event != "time runs out" or state.ended is not None:
            raise ValueError(f"{event!r} does not happen here")
        if self.reading["clock"] == "loses":
            return state._replace(ended=(PLAYERS[1 - state.acts], "clock.turn"))
        if made and (self.reading["clock-picks"] == "turn-begun-is-finished" or made not in self._picks(state)):
            raise ValueError(f"{event!r} does not happen after {made!r}")
        return self._finished(self._made(state, made)[0] if made else state, state.acts)

    def _made(self, state: State, pick: str) -> tuple[State, str]:
        """The state once a stone is set or has stepped, before anything follows, and its site."""
        if state.phase == "placing":
            return self._set(state, pick), pick
        it, to = pick.split("-")
        return self._stepped(state, it, to), to

    def _set(self, state: State, site: str) -> State:
        me = state.acts
        hands = (state.hands[0] - 1, state.hands[1]) if me == BLACK else (state.hands[0], state.hands[1] - 1)
        return state._replace(stones=self._with(state.stones, me, state.stones[me] | {site}), hands=hands)

    def _steps(self, state: State) -> Iterator[str]:
        """The steps of the player to act, in the moving phase."""
        mine = state.stones[state.acts]
        occupied = state.stones[0] | state.stones[1]
        if self.reading["protected-moves"] == "may-not":
            mine = mine.difference(*self._standing(state, state.acts))
        for it in mine:
            for to in self.near[it] - occupied:
                returns = self.return_is_illegal and self._returned_to(state, it, to)
                if not returns and self._is_allowed(state, f"{it}-{to}"):
                    yield f"{it}-{to}"

    def _stepped(self, state: State, it: str, to: str) -> State:
        me = state.acts
        after = state._replace(stones=self._with(state.stones, me, state.stones[me] - {it} | {to}))
        if self.return_is_illegal or self.return_pays_nothing:
            left = frozenset(shape for shape in self._standing(state, me) if it in shape)
            step = Step(it, to, left) if left else None
            after = after._replace(steps=(step, state.steps[1]) if me == BLACK else (state.steps[0], step))
        return after

    def _returned_to(self, state: State, it: str, to: str) -> list[Shape]:
        """The shapes that a step completes again which the same player's last step, the other way, had left."""
        last = state.steps[state.acts]
        if last is None or (last.came_from, last.went_to) != (to, it):
            return []
        stones = state.stones[state.acts] - {it} | {to}
        return [shape for shape in last.shapes if shape <= stones]

    def _is_allowed(self, before: State, pick: str) -> bool:
        """Whether enough stones are exposed, where a shape for which they are too few may not be made."""
        if self.reading["fewer"] != "not-allowed" or self.reading["compulsory"] != "must":
            return True
        after, it = self._made(before, pick)
        return self._due(self._paying(before, after, it)) <= len(self._exposed(after, 1 - before.acts))

    def _noted(self, state: State, me: int, paying: list[Shape]) -> State:
        """Remember a capture, as far as any reading asks."""
        pairs = frozenset((me, shape) for shape in paying)
        if state.phase == "placing":
            state = state._replace(captured=True)
        if self.reading["reform"] == "each-once-a-game":
            state = state._replace(paid=state.paid | pairs)
        if self.reading["protection"] == "shapes-that-captured":
            state = state._replace(guards=state.guards | pairs)
        return state

    def _can_step(self, state: State, player: int) -> bool:
        return any(True for _ in self._steps(state._replace(acts=player)))

    def _must_make_room(self, state: State) -> bool:
        you = 1 - state.acts
        if len(state.stones[you]) < self.needed and self.reading["three-test"] == "before-making-room":
            return False
        return not self._can_step(state, you)

    def _frees(self, state: State, site: str) -> bool:
        return self._can_step(self._without(state, state.acts, [site]), 1 - state.acts)

    # After a turn

    def _finished(self, state: State, mover: int) -> State:
        """The state in which the next player is to act, or the game is over."""
        after, other = self._next(state, mover), 1 - mover
        if self.reading["protection"] == "shapes-that-captured":
            after = after._replace(guards=frozenset((p, s) for p, s in after.guards if s <= after.stones[p]))
        counts = [len(after.stones[p]) for p in (0, 1)]
        if self.reading["hand-counts"] == "board-and-hand":
            counts = [counts[p] + after.hands[p] for p in (0, 1)]
        if counts[other] < self.needed:
            return after._replace(ended=(PLAYERS[mover], "end.three"))
        if self.reading["own-count"] == "mover-loses" and counts[mover] < self.needed:
            return after._replace(ended=(PLAYERS[other], "end.own-three"))
        if after.phase == "moving" and not self._can_step(after, after.acts):
            asked, name = ("no-room", "no-room") if state.phase == "moving" else ("blocked-at-start", "shut")
            if self.reading[asked] in ("blocked-player-loses", "mover-wins"):
                return after._replace(ended=(PLAYERS[1 - after.acts], f"end.{name}-loses"))
            if self.reading[asked] == "draw":
                return after._replace(ended=("draw", f"end.{name}-draws"))
        return self._met(after)

    def _next(self, state: State, mover: int) -> State:
        """Who acts next and in which phase."""
        if state.phase == "moving" or (state.phase == "placing" and any(state.hands)):
            return state._replace(acts=1 - mover)
        if self.north_east:
            return self._next_after_filling(state)
        if state.phase == "placing" and self._forces(state):
            return state._replace(acts=WHITE, phase="forcing", captured=False)
        black_first = {
            "black-after-a-forced-removal": state.phase == "forcing",
            "white-always": False,
            "black-always": True,
        }[self.reading["first-to-step"]]
        return state._replace(acts=BLACK if black_first else WHITE, phase="moving", captured=False)

    def _forces(self, state: State) -> bool:
        """Whether White removes a black stone after the placing."""
        if self.reading["forced-removal"] == "nothing-captured":
            return not state.captured
        return not any(self._standing(state, player) for player in (BLACK, WHITE))

    def _next_after_filling(self, state: State) -> State:
        """The north-east order: each takes for his shapes, or each removes a stone; then White steps."""
        turns = [("white takes", WHITE), ("black takes", BLACK)]
        if self.reading["filled-order"] == "first-player-first":
            turns.reverse()
        to_come = {"placing": turns, turns[0][0]: turns[1:]}
        for phase, player in to_come.get(state.phase, []):
            passed_over = self.reading["filled-fewer"] == "take-what-there-is" and not self._exposed(state, 1 - player)
            if self._standing(state, player) and not passed_over:
                return state._replace(acts=player, phase=phase)
        if state.phase == "placing":
            return state._replace(acts=WHITE, phase="removals 1")
        if state.phase == "removals 1":
            return state._replace(acts=BLACK, phase="removals 2")
        return state._replace(acts=WHITE, phase="moving")

    def _met(self, state: State) -> State:
        """The state, ended if the player to act has no move."""
        possible = self._picks(state)
        if self.reading["no-room"] == "step-not-allowed":
            possible = (move for pick in self._picks(state) for move, _ in self._completed(state, pick))
        if state.ended is not None or any(True for _ in possible):
            return state
        return state._replace(ended=("no rule", FIRST_CLAUSE[state.phase]))

    def _with(self, stones: Stones, player: int, those: frozenset[str]) -> Stones:
        return (those, stones[1]) if player == BLACK else (stones[0], those)

    def _without(self, state: State, player: int, sites: Iterable[str]) -> State:
        return state._replace(stones=self._with(state.stones, player, state.stones[player].difference(sites)))
