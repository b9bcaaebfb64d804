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
STAND_INS = 3
"""Other last moves tried where a game was changed before its last move."""
ELSEWHERE = 2
"""Sites that differ where one piece stands elsewhere, or two have changed places."""
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


Reached = tuple[State | None, Picks | None, State, Outcome | None]
"""The position before the last move of a game, that move, the position after it, and the outcome."""


@dataclass(frozen=True)
class Seen:
    """The features at the end of a game, and the positions and the move that they are about."""

    features: set[Feature]
    before: State | None
    move: Picks | None
    after: State


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
        for other in seen.features:
            known = self.found.get(other)
            if known is not None and len(known.line) > len(line) and other[0] != LATEST:
                self.found[other] = Found(line, moved)
        return len(line) if feature in seen.features else None

    def seen(self, line: Line, moved: bool) -> Seen | None:
        """What is to be seen at the end of a line; None where the line is no game."""
        reached = self._reached(line)
        return None if reached is None else self._at(reached, moved)

    def _at(self, reached: Reached, moved: bool) -> Seen | None:
        before, move, after, outcome = reached
        if moved:
            if before is None or move is None:
                return None
            return Seen(set(self.eyes.of_move(before, move, after, outcome)), before, move, after)
        if outcome is not None:
            return None
        return Seen(set(self.eyes.of_position(after, sum(o[0] for o in self.options(after)))), before, move, after)

    def _reached(self, line: Line) -> Reached | None:
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
        one more, or one played elsewhere; where none of them does, among those in which two moves have changed places."""
        here = self.seen(found.line, found.moved)
        assert here is not None
        best: Near | None = None
        for edits in (self._edits(found), self._exchanged(found)):
            for line in islice(edits, tries):
                seen = self.seen(line, found.moved)
                if seen is None or other not in seen.features:
                    continue
                far, told = self._difference(here, seen, other)
                if best is None or far < best.far:
                    best = Near(line, told, far)
                if best.far <= 1:
                    return best
            if best is not None and best.far <= ELSEWHERE:
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

    def _exchanged(self, found: Found) -> Iterator[Line]:
        """Games in which a move of each player has gone where the other one's went. Where the last move is not legal any more, the
        legal moves nearest to it stand in for it."""
        line = found.line
        body = len(line) - found.moved
        seats = self._seats(line)
        last = self.replayed(line)[1] if found.moved else None
        for j in reversed(range(body)):
            for i in reversed(range(j)):
                (kind, sites), (other, places) = line[i], line[j]
                if seats[i] == seats[j] or not sites or not places or sites[-1].bit_count() != 1 != places[-1].bit_count():
                    continue
                moves = list(line[:body])
                moves[i], moves[j] = (kind, (*sites[:-1], places[-1])), (other, (*places[:-1], sites[-1]))
                yield from self._finished(tuple(moves), last)

    def _finished(self, body: Line, last: Picks | None) -> Iterator[Line]:
        if last is None:
            yield body
            return
        reached = self._reached(body)
        if reached is not None and reached[3] is None:
            state = reached[2]
            yield from ((*body, step_of(self.pair, state.phase, m)) for m in self._others(state, last, STAND_INS))

    def _seats(self, line: Line) -> list[int]:
        """Who makes each move of a game."""
        engine, state, found = self.game.engine, self.game.engine.start(), list[int]()
        for kind, sites in line:
            found.append(state.seat)
            move = in_phase(self.pair, state.phase, kind, sites)
            assert move is not None
            state = engine.play(state, move).state
        return found

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

    def _difference(self, here: Seen, there: Seen, feature: Feature) -> tuple[int, str]:
        """How far two places are apart, and in what: sites, hands, the player to move; for a pick, in what was picked before it."""
        if feature[2] == "pick" and here.before is not None and there.before is not None and here.move and there.move:
            a, b = here.before, there.before
            picked = self._picked(a, here.move, feature[1]) != self._picked(b, there.move, feature[1])
        else:
            a, b, picked = here.after, there.after, False
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
            told.append("one site" if n == 1 else "one piece elsewhere" if n == ELSEWHERE else f"{n} sites")
        if hands and not n:
            told.append("one hand count" if hands == 1 else "hand counts")
        if seat:
            told.append("the player to move")
        if picked:
            told.append("an earlier pick of the turn")
        if a.phase != b.phase and not told:
            told.append("the phase")
        return n + seat + picked + (hands if not n else 0), " and ".join(told) or "nothing that is drawn"

    def _picked(self, state: State, move: Picks, rule: str) -> tuple[int, tuple[int, ...]]:
        """The picks of a move that come before the choice of a rule."""
        for n, choice in enumerate(self.game.rules.phases[state.phase].turns[move.turn].choices):
            if choice.rule == rule:
                return move.turn, move.sites[:n]
        return move.turn, move.sites

    def _absolute(self, state: State) -> dict[str, Any]:
        """The variables of a position by seat, not by who acts."""
        found = {}
        for name, i in self.eyes.index.items():
            side, dot, rest = name.partition(".")
            seat = {"mine": state.seat, "theirs": 1 - state.seat}.get(side) if dot else None
            found[name if seat is None else f"{seat}.{rest}"] = state.values[i]
        return found
