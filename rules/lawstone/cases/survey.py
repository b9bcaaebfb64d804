"""Looking over many games for the places that matter: for each feature of a place, the smallest game that shows it.

Games are random and guided, from a seed; each feature keeps its shortest game, which is then made shorter by leaving moves out. A
condition that is met on one side only is looked for on the other in the neighbourhood of that game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lawstone.cases.features import Eyes, Feature
from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import WAYS, Line, allowed, any_move, crowding, in_phase, shrink, step_of, written
from lawstone.engine.everyday import Option
from lawstone.engine.game import Game
from lawstone.engine.playout import Dice
from lawstone.engine.state import Outcome, Picks, State
from lawstone.engine.symmetry import Carry

SHRINK_BEYOND = 6
"""Plies above which a game is made shorter."""
SIBLINGS = 3
"""Other moves looked at in each position."""
LATEST = "latest"
"""The kind of feature of which the longest game is kept."""


def quiet(pair: Pair, two: Two, options: list[Option], dice: Dice) -> Picks:
    """Of some random moves the one that takes the fewest pieces: the game fills up, and nothing is captured."""
    return min(
        (any_move(pair, two, options, dice) for _ in range(8)), key=lambda m: sum(s.bit_count() for s in m.sites) - len(m.sites)
    )


def rimward(pair: Pair, two: Two, options: list[Option], dice: Dice) -> Picks:
    """Of some moves that crowd own pieces the one nearest to the rim: lines are built along it."""
    steps = pair.a.rules.board.steps

    def off(move: Picks) -> int:
        site = max(move.sites[-1:], default=0).bit_length() - 1
        return 0 if site < 0 else sum(table[site] is None for table in steps.values())

    return max((crowding(pair, two, options, dice) for _ in range(3)), key=off)


CHOOSE = (*WAYS, rimward, quiet)
"""Ways of choosing moves, which take turns."""


@dataclass
class Found:
    """The smallest game that shows a feature: its moves, the last of them the move concerned where `moved`."""

    line: Line
    moved: bool
    shrunk: bool = False


@dataclass(frozen=True)
class Near:
    """A game near another: what differs at its end, and how much (the less the nearer)."""

    line: Line
    differs: str
    far: int


class Survey:
    """The features met, each with its smallest game, and how far was looked."""

    def __init__(self, game: Game) -> None:
        self.game, self.eyes = game, Eyes(game)
        self.found: dict[Feature, Found] = {}
        self.games = 0
        self.pair = Pair(game, game)
        self._depths = game.engine.depths
        self._met: dict[tuple[Any, ...], int] = {}

    def play(self, games: int, seed: int, plies: int = 320) -> None:
        """Look over some more games."""
        for n in range(games):
            self._one(CHOOSE[n % len(CHOOSE)], Dice(seed * 1_000_003 + n), plies)
            self.games += 1

    def _one(self, choose: Callable[..., Picks], dice: Dice, plies: int) -> None:
        engine = self.game.engine
        state, line = engine.start(), list[Any]()
        while len(line) < plies:
            options = self.options(state)
            self._keep(self.eyes.of_position(state, sum(o[0] for o in options)), line, state, None)
            if not options:
                return
            two = Two(state, state)
            move = choose(self.pair, two, options, dice)
            for other in dict.fromkeys((move, *(any_move(self.pair, two, options, dice) for _ in range(SIBLINGS)))):
                after = engine.play(state, other)
                self._keep(self.eyes.of_move(state, other, after.state, after.outcome), line, state, other)
            line.append(step_of(self.pair, state.phase, move))
            after = engine.play(state, move)
            state = after.state
            if after.outcome is not None:
                return

    def options(self, state: State) -> list[Option]:
        """The legal moves of a position, as options."""
        engine = self.game.engine
        return engine.options[engine.index[state.phase]](*state.values)

    def _keep(self, features: Iterator[Feature], line: list[Any], state: State, move: Picks | None) -> None:
        seen = tuple(features)
        size = len(line) + (move is not None)
        shortest = self._met.get(seen)
        if shortest is not None and shortest <= size and not any(f[0] == LATEST for f in seen):
            return
        self._met[seen] = size if shortest is None else min(size, shortest)
        for feature in seen:
            known = self.found.get(feature)
            if known is None or (len(known.line) < size if feature[0] == LATEST else len(known.line) > size):
                last = () if move is None else (step_of(self.pair, state.phase, move),)
                self.found[feature] = Found((*line, *last), move is not None)

    def turn(self) -> None:
        """Look at the games kept as every symmetry of the rules shows them: other rims, other directions."""
        for found in list({(f.line, f.moved): f for f in self.found.values()}.values()):
            for carry in self.eyes.probe.carries[1:]:
                line = self.image(found.line, carry)
                if found.moved and (reached := self._reached(line)) is not None:
                    before, move, after, outcome = reached
                    assert before is not None
                    assert move is not None
                    self._keep(self.eyes.of_move(before, move, after, outcome), list(line[:-1]), before, move)

    @staticmethod
    def image(line: Line, carry: Carry) -> Line:
        """A game as a symmetry shows it; it need not be a game from the start."""
        return tuple(
            ((tuple(carry.kinds.get(w, w) for w in label), roles), tuple(carry.mask(s) for s in sites))
            for (label, roles), sites in line
        )

    # -- smaller ------------------------------------------------------------------------------------------------------------------

    def smaller(self, feature: Feature, replays: int) -> Found:
        """The game of a feature with moves left out as long as the feature is still shown."""
        found = self.found[feature]
        if not found.shrunk and len(found.line) > SHRINK_BEYOND and replays and feature[0] != LATEST:
            line = shrink(found.line, lambda line: self._shown_at(line, feature, found.moved), replays)
            if len(line) < len(self.found[feature].line):
                self.found[feature] = Found(line, found.moved)
            found = self.found[feature]
        found.shrunk = True
        return found

    def _shown_at(self, line: Line, feature: Feature, moved: bool) -> int | None:
        seen = self.seen(line, moved)
        if seen is None:
            return None
        for other in seen[0]:
            known = self.found.get(other)
            if known is not None and len(known.line) > len(line) and other[0] != LATEST:
                self.found[other] = Found(line, moved)
        return len(line) if feature in seen[0] else None

    def seen(self, line: Line, moved: bool) -> tuple[set[Feature], State] | None:
        """The features at the end of a line, and the position that they are about; None where the line is no game."""
        if moved and not line:
            return None
        reached = self._reached(line)
        if reached is None:
            return None
        before, move, after, outcome = reached
        if moved:
            assert before is not None
            assert move is not None
            return set(self.eyes.of_move(before, move, after, outcome)), after
        if outcome is not None:
            return None
        return set(self.eyes.of_position(after, sum(o[0] for o in self.options(after)))), after

    def _reached(self, line: Line) -> tuple[State | None, Picks | None, State, Outcome | None] | None:
        engine = self.game.engine
        state, before, move, outcome = engine.start(), None, None, None
        for kind, sites in line:
            if outcome is not None:
                return None
            move = in_phase(self.pair, state.phase, kind, sites)
            if move is None or not allowed(self._depths[engine.index[state.phase]], self.options(state), move):
                return None
            after = engine.play(state, move)
            before, state, outcome = state, after.state, after.outcome
        return before, move, state, outcome

    def moves(self, found: Found | Near) -> tuple[str, ...]:
        """A game in notation."""
        return self.written(found.line)

    def written(self, line: Line) -> tuple[str, ...]:
        """A line in notation."""
        return written(self.pair, line)

    def replayed(self, line: Line) -> tuple[State, Picks]:
        """The position before the last move of a game, and that move."""
        reached = self._reached(line)
        assert reached is not None
        before, move, _, _ = reached
        assert before is not None
        assert move is not None
        return before, move

    # -- neighbours ---------------------------------------------------------------------------------------------------------------

    def neighbour(self, found: Found, other: Feature, tries: int) -> Near | None:
        """The nearest game that shows another feature, among those that differ in one move: another last move, one left out,
        one more, or one played elsewhere."""
        here = self.seen(found.line, found.moved)
        assert here is not None
        best: Near | None = None
        for line in islice(self._edits(found), tries):
            seen = self.seen(line, found.moved)
            if seen is None or other not in seen[0]:
                continue
            far, told = self._difference(here[1], seen[1])
            if best is None or far < best.far:
                best = Near(line, told, far)
            if best.far <= 1:
                break
        return best

    def _edits(self, found: Found) -> Iterator[Line]:
        line = found.line
        if found.moved:
            before, last = self.replayed(line)
            yield from (
                (*line[:-1], step_of(self.pair, before.phase, m)) for m in self._others(before, last, 60) if m != last
            )  # fmt: skip
            yield line[:-1]
        else:
            end = self._reached(line)
            assert end is not None
            if end[3] is None:
                yield from ((*line, step_of(self.pair, end[2].phase, m)) for m in self._others(end[2], None, 30))
            if line:
                yield line[:-1]
                before, last = self.replayed(line)
                yield from (
                    (*line[:-1], step_of(self.pair, before.phase, m)) for m in self._others(before, last, 30) if m != last
                )  # fmt: skip
        body = len(line) - found.moved
        for i in reversed(range(body)):
            yield line[:i] + line[i + 1 :]
        around = self._around()
        for i in reversed(range(body)):
            kind, sites = line[i]
            if sites and sites[-1].bit_count() == 1:
                for site in around[sites[-1].bit_length() - 1]:
                    yield (*line[:i], (kind, (*sites[:-1], 1 << site)), *line[i + 1 :])

    def _others(self, state: State, last: Picks | None, most: int) -> list[Picks]:
        """Some moves of a position, those first that are nearest to a move."""
        engine = self.game.engine
        moves = [m for o in self.options(state)[:400] for m in islice(engine.expand(o), 40)]
        if last is not None:
            moves.sort(
                key=lambda m: (m.turn != last.turn, sum((a ^ b).bit_count() for a, b in zip(m.sites, last.sites, strict=False)), m)
            )
        return moves[:most]

    def _around(self) -> list[list[int]]:
        steps = self.game.rules.board.steps
        return [[t for table in steps.values() if (t := table[s]) is not None] for s in range(self.game.rules.board.size)]

    def _difference(self, a: State, b: State) -> tuple[int, str]:
        """How far two positions are apart, and in what: sites, hands, the player to move."""
        x, y = self._absolute(a), self._absolute(b)
        sites, hands = 0, 0
        for name in x:
            if ".hand " in name or name.startswith("hand "):
                hands += abs(int(x[name]) - int(y[name]))
            elif name.rpartition(".")[2] in self.game.tokens:
                sites |= int(x[name]) ^ int(y[name])
        n, seat = sites.bit_count(), a.seat != b.seat
        told = []
        if n:
            told.append("one site" if n == 1 else "one piece elsewhere" if n == 2 else f"{n} sites")
        if hands and not n:
            told.append("one hand count" if hands == 1 else "hand counts")
        if seat:
            told.append("the player to move")
        if a.phase != b.phase and not told:
            told.append("the phase")
        return n + seat + (hands if not n else 0), " and ".join(told) or "nothing that is drawn"

    def _absolute(self, state: State) -> dict[str, Any]:
        """The variables of a position by seat, not by who acts."""
        found = {}
        for name, i in self.eyes.index.items():
            side, dot, rest = name.partition(".")
            seat = {"mine": state.seat, "theirs": 1 - state.seat}.get(side) if dot else None
            found[name if seat is None else f"{seat}.{rest}"] = state.values[i]
        return found
