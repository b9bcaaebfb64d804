"""The reference interpreter: the law, slow and clear.

It folds terms over ints (a set of sites is an int with bit s for site s) and follows the definition of a move word by word:
the guard holds, and each choice in turn picks the number of sites due out of those it may pick from, on the board as it then
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import combinations

from lawstone.board import Board
from lawstone.core import Choice, Scope, Turn, fold
from lawstone.core import swapped as other_view
from lawstone.engine.state import After, Outcome, Picks, State, members, start_state
from lawstone.lower import Rules, Value


class Ints:
    """The core's operators over ints and bools on one board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def sites(self, numbers: frozenset[int]) -> Value:
        return self.board.mask(numbers)

    def either(self, *parts: Value) -> Value:
        return reduce(lambda a, b: a | b, parts)

    def both(self, *parts: Value) -> Value:
        return reduce(lambda a, b: a & b, parts)

    def without(self, a: Value, b: Value) -> Value:
        return a & ~b

    def step(self, s: Value, direction: str) -> Value:
        table = self.board.steps[direction]
        return self.board.mask(t for t in (table[x] for x in members(s)) if t is not None)

    def flood(self, seed: Value, through: Value, directions: tuple[str, ...]) -> Value:
        reached, front = 0, seed & through
        while front:
            reached |= front
            front = self.either(*(self.step(front, d) for d in directions)) & through & ~reached
        return reached

    def some(self, s: Value) -> Value:
        return s != 0

    def count(self, s: Value) -> Value:
        return len(members(s))

    def yes(self) -> Value:
        return True

    def never(self) -> Value:
        return False

    def no(self, flag: Value) -> Value:
        return not flag

    def and_(self, *flags: Value) -> Value:
        return all(flags)

    def or_(self, *flags: Value) -> Value:
        return any(flags)

    def number(self, n: int) -> Value:
        return n

    def plus(self, *parts: Value) -> Value:
        return sum(parts)

    def minus(self, a: Value, b: Value) -> Value:
        return max(0, a - b)

    def least(self, a: Value, b: Value) -> Value:
        return min(a, b)

    def at_most(self, a: Value, b: Value) -> Value:
        return a <= b

    def when(self, flag: Value, a: Value, b: Value) -> Value:
        return a if flag else b

    def where(self, among: Value, holds: Callable[[Value], Value]) -> Value:
        return self.board.mask(x for x in members(among) if holds(1 << x))


def sizes(choice: Choice, due: int, there: int) -> list[int]:
    """How many sites a choice may pick when `due` are asked for and `there` are there; none when it cannot be met.

    Where nothing is due, picking nothing meets the choice.
    """
    if choice.freedom == "up to":
        return list(range(min(due, there) + 1))
    if choice.freedom == "all or none" and due > 0:
        return [0, due] if due <= there else [0]
    return [due] if due <= there else []


class Interpreter:
    """Plays by folding the rules' terms over ints."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ints = Ints(rules.board)
        self.names = [v.name for v in rules.variables]

    def start(self) -> State:
        """The position before the first move."""
        return start_state(self.rules)

    def scope(self, state: State) -> Scope[Value]:
        """The state's values under the names that terms read."""
        return Scope(dict(zip(self.names, state.values, strict=True)))

    def moves(self, state: State) -> list[Picks]:
        """Every legal move, in the order of `Engine.moves`."""
        values = dict(zip(self.names, state.values, strict=True))
        found = []
        for number, turn in enumerate(self.rules.phases[state.phase].turns):
            if fold(turn.guard, self.ints, Scope(values)):
                found += [Picks(number, sites) for sites in self._picks(turn, values, ()) or ()]
        return found

    def _picks(self, turn: Turn, values: Mapping[str, Value], made: tuple[int, ...]) -> list[tuple[int, ...]] | None:
        """The ways to go on after the picks made; None when a required choice cannot be met, so that they are illegal."""
        if len(made) == len(turn.choices):
            return [made]
        choice = turn.choices[len(made)]
        scope = Scope(values)
        among, due = fold(choice.among, self.ints, scope), fold(choice.count, self.ints, scope)
        there = members(among)
        allowed = sizes(choice, due, len(there))
        if not allowed:
            return None if choice.required or not (made or turn.label) else [made]
        found: list[tuple[int, ...]] = []
        for picked in self._subsets(there, allowed):
            following = self._picks(turn, {**values, choice.name: picked}, (*made, picked))
            if following is not None:
                found += following
        return found or None

    def _subsets(self, there: list[int], allowed: list[int]) -> Iterator[int]:
        for size in allowed:
            for chosen in combinations(there, size):
                yield self.rules.board.mask(chosen)

    def play(self, state: State, move: Picks) -> After:
        """What a legal move leads to."""
        turn = self.rules.phases[state.phase].turns[move.turn]
        unmet = turn.choices[len(move.sites)] if len(move.sites) < len(turn.choices) else None
        updates = turn.updates if unmet is None else unmet.before
        chosen = {c.name: s for c, s in zip(turn.choices, move.sites, strict=False)}
        before = Scope({**dict(zip(self.names, state.values, strict=True)), **chosen})
        values = {n: fold(updates[n], self.ints, before) if n in updates else before.values[n] for n in self.names}
        here = State(tuple(values[n] for n in self.names), state.phase, state.seat)
        if unmet is not None:
            return After(here, Outcome("no rule", None, unmet.rule))
        after = Scope({**values, **chosen})
        for ending in turn.endings:
            if fold(ending.flag, self.ints, after):
                winner = {"mover": state.seat, "opponent": 1 - state.seat, "draw": None}[ending.result]
                return After(here, Outcome("draw" if winner is None else "win", winner, ending.rule))
        for following in turn.next:
            if fold(following.flag, self.ints, after):
                if not following.passes:
                    return After(State(here.values, following.phase, state.seat), None)
                seen = tuple(values[other_view(n)] for n in self.names)
                return After(State(seen, following.phase, 1 - state.seat), None)
        raise AssertionError(f"nothing follows a turn of {state.phase}: lowering promises that something does")
