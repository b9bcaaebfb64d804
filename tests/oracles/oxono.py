"""Oxono, from the founding text, with the start that the platform's help gives (c4 and d3, pink begins).

Decisions where the text is silent:

- "All squares around a totem" are the neighbours that exist, so the rim helps to enclose, and so does the other totem
  (`rim`, `other_totem`, `rim_when_placing` and `other_totem_when_placing` hold the other readings).
- Under some readings a totem can go nowhere. Choosing it is then a move by itself, such as `X`, and the outcome is
  `no rule` by `turn.move`; under the answers `may-not-be-chosen` it is not offered. In the base reading it never is so.
- If the pawn finds no square, the move is the totem's alone and the outcome is `no rule` by `turn.place`.
- A totem may be played only with a pawn of its symbol in hand; `exhausted_symbol="yes-without-a-pawn"` lets it move
  and then places nothing.
- A jump is needed only when the totem cannot slide; it lands on the first free square behind the run, of whatever
  pieces. If no jump is possible either, which is when its row and its column are full, any free square will do.
- Where the pawn may go is judged after the totem has moved. The square that the totem left is free for it.
- A line is four or more of a colour or of the symbol just placed, in a row or column without gaps; a totem in it is a
  gap. A line is tested before the draw. Lines are looked for on the whole board, the mover's colour only.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from oracles.grid import AXES, ORTHOGONAL, Grid, Outcome, readings

PLAYERS = ("pink", "black")
SYMBOLS = ("x", "o")
TOKENS = (("px", "po"), ("bx", "bo"))
MOVE = re.compile(r"([XO])(?:([a-f][1-6])(?: ([a-f][1-6]))?)?")
QUESTIONS: dict[str, tuple[str, ...]] = {
    "start-squares": ("c4-and-d3", "c3-and-d4"),
    "start-assignment": ("x-on-c4", "x-on-d3"),
    "first-player": ("pink", "black"),
    "exhausted-symbol": ("no", "yes-without-a-pawn"),
    "zero-move": ("at-least-one", "may-stay"),
    "jump-when-free": ("no", "yes"),
    "rim": ("helps", "four-real-neighbours", "may-not-be-chosen"),
    "other-totem": ("helps", "only-pawns", "may-not-be-chosen"),
    "jump-over-totem": ("yes", "no"),
    "landing": ("must", "may-go-on"),
    "free-placement": ("row-and-column-full", "either-full", "pawns-only", "whenever-enclosed"),
    "pawn-anywhere": ("judged-after-the-move", "judged-before-the-move"),
    "vacated-square": ("may", "may-not"),
    "rim-when-placing": ("helps", "four-real-neighbours"),
    "other-totem-when-placing": ("helps", "only-pawns"),
    "colour-line-symbols": ("any-symbols", "one-symbol"),
    "symbol-line-colours": ("any-colours", "own-colour"),
    "line-length": ("at-least-four", "exactly-four"),
    "diagonals": ("do-not-count", "count"),
    "adjacent": ("without-gaps", "empty-squares-between", "anything-between"),
    "totem-in-line": ("breaks-the-line", "is-passed-over"),
    "totem-symbol": ("does-not-count", "counts"),
    "last-pawn": ("line-first", "draw-first"),
    "draw-when": ("both-hands-empty", "one-hand-empty"),
}


class State(NamedTuple):
    """The squares of totems x and o, the pawns by player and symbol, who acts (0 or 1), and how the game ended."""

    totems: tuple[str, str]
    pawns: tuple[tuple[frozenset[str], frozenset[str]], tuple[frozenset[str], frozenset[str]]]
    acts: int
    ended: Outcome = None


class Oxono:
    """The game on its board of 6 x 6."""

    def __init__(self, **reading: str) -> None:
        self.reading = readings(QUESTIONS, reading)
        self.grid = Grid(6, 6)
        self.lines = [
            (site, *self.grid.rays[site, (dx, dy)])
            for dx, dy in (AXES if self.reading["diagonals"] == "count" else AXES[:2])
            for site in sorted(self.grid.sites)
            if not self.grid.rays[site, (-dx, -dy)]
        ]

    def start(self) -> State:
        """No pawns, the totems on their two squares."""
        x, o = ("c4", "d3") if self.reading["start-squares"] == "c4-and-d3" else ("c3", "d4")
        totems = (x, o) if self.reading["start-assignment"] == "x-on-c4" else (o, x)
        none: frozenset[str] = frozenset()
        return self._met(State(totems, ((none, none), (none, none)), PLAYERS.index(self.reading["first-player"])))

    def legal(self, state: State) -> list[str]:
        """The complete moves of the player to act."""
        return [move for move, *_ in self._picks(state)]

    def moves(self, state: State) -> list[tuple[str, State]]:
        """Each legal move with the state behind it."""
        return [(move, self._after(state, s, target, pawn)) for move, s, target, pawn in self._picks(state)]

    def play(self, state: State, move: str) -> State:
        """The state after a move; ValueError if it is not legal."""
        found = MOVE.fullmatch(move)
        if found and state.ended is None:
            s, target, pawn = SYMBOLS.index(found[1].lower()), found[2], found[3]
            targets = self._targets(state, s) if s in self._choosable(state) else set()
            if target in targets and pawn in self._pawn_squares(state, s, target):
                return self._after(state, s, target, pawn)
        raise ValueError(f"{move!r} is not legal")

    def outcome(self, state: State) -> Outcome:
        """How the game ended."""
        return state.ended

    def view(self, state: State) -> dict[str, Any]:
        """The position in words that any engine can give."""
        board = {state.totems[s]: SYMBOLS[s].upper() for s in (0, 1)}
        board |= {site: TOKENS[p][s] for p in (0, 1) for s in (0, 1) for site in state.pawns[p][s]}
        return {
            "board": dict(sorted(board.items())),
            "acts": PLAYERS[state.acts],
            "phase": "main",
            "hands": {f"{PLAYERS[p]} pawn {SYMBOLS[s]}": 8 - len(state.pawns[p][s]) for p in (0, 1) for s in (0, 1)},
            "last": None,
        }

    def from_view(self, view: dict[str, Any]) -> State:
        """The state that a view shows; hands are counted from the board. Endings are not looked for."""
        tokens = ("X", "O", "px", "po", "bx", "bo")
        where = {token: frozenset(s for s, t in view["board"].items() if t == token) for token in tokens}
        ((x,), (o,)) = where["X"], where["O"]
        pawns = ((where["px"], where["po"]), (where["bx"], where["bo"]))
        return self._met(State((x, o), pawns, PLAYERS.index(view["acts"])))

    def _picks(self, state: State) -> list[tuple[str, int, str | None, str | None]]:
        """Text, symbol, target of the totem and square of the pawn (None where there is none) of each move."""
        if state.ended is not None:
            return []
        return sorted(
            (" ".join(filter(None, (f"{SYMBOLS[s].upper()}{target or ''}", pawn))), s, target, pawn)
            for s in self._choosable(state)
            for target in self._targets(state, s)
            for pawn in self._pawn_squares(state, s, target)
        )

    def _pawns(self, state: State) -> frozenset[str]:
        (px, po), (bx, bo) = state.pawns
        return px | po | bx | bo

    def _choosable(self, state: State) -> list[int]:
        """The totems that the player to act may choose."""
        found = [s for s in (0, 1) if len(state.pawns[state.acts][s]) < 8]
        if self.reading["exhausted-symbol"] == "yes-without-a-pawn":
            found = [0, 1]
        if "may-not-be-chosen" in (self.reading["rim"], self.reading["other-totem"]):
            found = [s for s in found if self._targets(state, s) != {None}]
        return found

    def _targets(self, state: State, s: int) -> set[str] | set[None]:
        """Where a totem may go; nothing but None if it can go nowhere."""
        it = state.totems[s]
        occupied = self._pawns(state) | set(state.totems)
        found = self._slides(it, occupied)
        if (not found or self.reading["jump-when-free"] == "yes") and self._may_jump(state, s):
            jumps = self._jumps(state, it, occupied)
            anywhere = not found and self._may_go_anywhere(state, s, jumps)
            found = set(self.grid.sites - occupied) if anywhere else found | jumps
        if self.reading["zero-move"] == "may-stay":
            found = found | {it}
        return found or {None}

    def _slides(self, it: str, occupied: frozenset[str]) -> set[str]:
        found = set()
        for direction in ORTHOGONAL:
            for site in self.grid.rays[it, direction]:
                if site in occupied:
                    break
                found.add(site)
        return found

    def _may_jump(self, state: State, s: int) -> bool:
        """Whether a totem that cannot slide counts as enclosed, so that it may jump or be placed freely."""
        around = self.grid.beside[state.totems[s]]
        if self.reading["rim"] != "helps" and len(around) < 4:
            return False
        return self.reading["other-totem"] == "helps" or state.totems[1 - s] not in around

    def _jumps(self, state: State, it: str, occupied: frozenset[str]) -> set[str]:
        over = occupied if self.reading["jump-over-totem"] == "yes" else self._pawns(state)
        found = set()
        for direction in ORTHOGONAL:
            ray = self.grid.rays[it, direction]
            run = 0
            while run < len(ray) and ray[run] in over:
                run += 1
            for site in ray[run:]:
                if run == 0 or site in occupied:
                    break
                found.add(site)
                if self.reading["landing"] == "must":
                    break
        return found

    def _may_go_anywhere(self, state: State, s: int, jumps: set[str]) -> bool:
        """Whether an enclosed totem may be placed on any free square."""
        if self.reading["free-placement"] == "row-and-column-full":
            return not jumps
        if self.reading["free-placement"] == "whenever-enclosed":
            return True
        rays = [self.grid.rays[state.totems[s], direction] for direction in ORTHOGONAL]
        column_and_row = [{*rays[i], *rays[i + 2]} for i in (0, 1)]
        if self.reading["free-placement"] == "pawns-only":
            return all(line <= self._pawns(state) for line in column_and_row)
        return any(line <= self._pawns(state) | set(state.totems) for line in column_and_row)

    def _pawn_squares(self, state: State, s: int, target: str | None) -> list[str] | list[None]:
        """Where the pawn may go once the totem is on its target; nothing but None if there is no pawn or no square."""
        if target is None or len(state.pawns[state.acts][s]) == 8:
            return [None]
        before, other = state.totems[s], state.totems[1 - s]
        empty = self.grid.sites - self._pawns(state) - {target, other}
        beside = self.grid.beside[target] & empty
        if self.reading["vacated-square"] == "may-not":
            beside -= {before}
        free = not beside
        if self.reading["pawn-anywhere"] == "judged-before-the-move":
            free = not self._slides(before, self._pawns(state) | set(state.totems))
        if self.reading["rim-when-placing"] == "four-real-neighbours" and len(self.grid.beside[target]) < 4:
            free = False
        if self.reading["other-totem-when-placing"] == "only-pawns" and other in self.grid.beside[target]:
            free = False
        return sorted(empty if free else beside) or [None]

    def _after(self, state: State, s: int, target: str | None, pawn: str | None) -> State:
        me, pawns = state.acts, state.pawns
        if target is None:
            return state._replace(ended=("no rule", "turn.move"))
        totems = (target, state.totems[1]) if s == 0 else (state.totems[0], target)
        if pawn:
            x, o = pawns[me]
            mine = (x | {pawn}, o) if s == 0 else (x, o | {pawn})
            pawns = (mine, pawns[1]) if me == 0 else (pawns[0], mine)
        elif len(pawns[me][s]) < 8:
            return State(totems, pawns, me, ("no rule", "turn.place"))
        after = State(totems, pawns, 1 - me)
        endings = []
        if self._four(after, self._of_colour(after, me, s)):
            endings.append((PLAYERS[me], "end.colour"))
        if self._four(after, self._of_symbol(after, me, s)):
            endings.append((PLAYERS[me], "end.symbol"))
        empty_hands = [len(x) + len(o) == 16 for x, o in pawns]
        if empty_hands[me] if self.reading["draw-when"] == "one-hand-empty" else all(empty_hands):
            endings.insert(len(endings) if self.reading["last-pawn"] == "line-first" else 0, ("draw", "end.hands"))
        return after._replace(ended=endings[0]) if endings else self._met(after)

    def _of_colour(self, after: State, me: int, s: int) -> frozenset[str]:
        x, o = after.pawns[me]
        return x | o if self.reading["colour-line-symbols"] == "any-symbols" else after.pawns[me][s]

    def _of_symbol(self, after: State, me: int, s: int) -> frozenset[str]:
        pawns = after.pawns[0][s] | after.pawns[1][s]
        if self.reading["symbol-line-colours"] == "own-colour":
            pawns = after.pawns[me][s]
        return pawns | {after.totems[s]} if self.reading["totem-symbol"] == "counts" else pawns

    def _four(self, after: State, pieces: frozenset[str]) -> bool:
        """Whether an unbroken row of four or more (exactly four in the other reading) stands anywhere."""
        past: frozenset[str] = frozenset()
        if self.reading["totem-in-line"] == "is-passed-over":
            past |= set(after.totems)
        if self.reading["adjacent"] == "empty-squares-between":
            past |= self.grid.sites - self._pawns(after) - set(after.totems)
        if self.reading["adjacent"] == "anything-between":
            past = self.grid.sites
        for line in self.lines:
            if len(pieces.intersection(line)) < 4:
                continue
            runs: list[int] = []
            run = 0
            for site in line:
                if site in pieces:
                    run += 1
                elif site not in past:
                    runs.append(run)
                    run = 0
            runs.append(run)
            if any(n >= 4 if self.reading["line-length"] == "at-least-four" else n == 4 for n in runs):
                return True
        return False

    def _met(self, state: State) -> State:
        """The state, ended if the player to act has no move."""
        return state if self._choosable(state) else state._replace(ended=("no rule", "turn.totem"))
