"""The everyday engine: the emitted text, run as plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

from lawstone.core import Choice, Phase, number
from lawstone.engine.emit import emit
from lawstone.engine.state import After, Outcome, Picks, State, members, start_state
from lawstone.lower import Rules
from lawstone.spec import Usage

Option = tuple[int, int, tuple[int, ...], int, int, int]
"""(ways, turn, picks so far, sites to pick from, how many, freedom); freedom -1 marks a move
without a last pick: a turn without choices, or a later choice that cannot be met."""


def _sizes(there: int, due: int, freedom: int) -> list[int]:
    if freedom == 1:
        return list(range(min(there, due) + 1))
    if freedom == 2 and due > 0:
        return [0, due] if due <= there else [0]
    return [due] if due <= there else []


def ways(there: int, due: int, freedom: int) -> int:
    """In how many ways `due` of `there` sites can be picked."""
    if freedom == 0:
        return comb(there, due)
    return sum(comb(there, k) for k in _sizes(there, due, freedom))


MOST_MOVES = 1_000_000
"""Moves that a position may have where they are to be listed."""
MOST_PREFIXES = 250_000
"""Ways to make all picks but the last of a turn that begins with a pick of several sites."""


class TooManyMoves(Usage):
    """A position with more moves than can be listed; a random game picks among them without listing the last pick."""

    def __init__(self, most: int = MOST_MOVES) -> None:
        super().__init__(f"this position has more than {most:,} moves, too many to list")


def subsets(among: int, due: int, freedom: int) -> list[int]:
    """The sets that may be picked, small ones first, each size in lexicographic order of its sites; raises TooManyMoves."""
    if ways(among.bit_count(), due, freedom) > MOST_MOVES:
        raise TooManyMoves
    bits = [1 << s for s in members(among)]
    return [sum(chosen) for k in _sizes(len(bits), due, freedom) for chosen in combinations(bits, k)]


def nth_site(among: int, n: int) -> int:
    """The n-th site (from 0, ascending) of a set, as a set of one; by halving, since boards may have hundreds of sites."""
    base, width = 0, 1 << (among.bit_length() - 1).bit_length()
    while width > 1:
        width >>= 1
        low = among & ((1 << width) - 1)
        size = low.bit_count()
        if n >= size:
            n -= size
            among >>= width
            base += width
        else:
            among = low
    return 1 << base


def nth_subset(among: int, due: int, freedom: int, n: int) -> int:
    """The n-th set of `subsets`, without listing them."""
    bits = [1 << s for s in members(among)]
    for k in _sizes(len(bits), due, freedom):
        if n < comb(len(bits), k):
            found = 0
            for i, bit in enumerate(bits):
                if k == 0:
                    break
                with_bit = comb(len(bits) - i - 1, k - 1)
                if n < with_bit:
                    found |= bit
                    k -= 1
                else:
                    n -= with_bit
            return found
        n -= comb(len(bits), k)
    raise IndexError("there are not so many ways to pick")


def flood(seed: int, through: int, directions: tuple[list[tuple[int, int, bool, bool]], ...]) -> int:
    """All of `through` that is reached from `seed`."""
    reached, front = 0, seed & through
    while front:
        reached |= front
        on = 0
        for moves in directions:
            for shift, sources, _, _ in moves:
                on |= (front & sources) << shift if shift > 0 else (front & sources) >> -shift
        front = on & through & ~reached
    return reached


def _is_single(choice: Choice) -> bool:
    return choice.count is number(1) and choice.freedom == "exactly"


class Everyday:
    """Plays by the emitted text of a game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.text = emit(rules)
        self._room = 0
        space: dict[str, Any] = {"ways": ways, "subsets": self._subsets, "flood": flood}
        exec(compile(self.text, f"<{rules.game.game}>", "exec"), space)
        self.phases = list(rules.phases)
        self.index = {name: i for i, name in enumerate(self.phases)}
        self.options: list[Callable[..., list[Option]]] = [
            self._bounded(phase, space[f"options_{i}"]) for i, phase in enumerate(rules.phases.values())
        ]
        self.plays: list[list[Callable[..., tuple[int, int, bool, tuple[Any, ...]]]]] = [
            [space[f"play_{i}_{t}"] for t in range(len(phase.turns))] for i, phase in enumerate(rules.phases.values())
        ]

    def _bounded(self, phase: Phase, options: Callable[..., list[Option]]) -> Callable[..., list[Option]]:
        """The function that lists the options of a phase; where picks of several sites come before others, it is bounded.

        Each set that may be picked makes as many prefixes as there are ways to make the picks between it and the last one.
        """
        after = []
        for turn in phase.turns:
            single = [_is_single(choice) for choice in turn.choices[:-1]]
            after += [sum(single[single.index(False) :])] if False in single else []
        if not after:
            return options
        most = max(1, MOST_PREFIXES // self.rules.board.size ** max(after))

        def listed(*values: Any) -> list[Option]:
            self._room = most
            return options(*values)

        return listed

    def _subsets(self, among: int, due: int, freedom: int) -> list[int]:
        """As `subsets`; raises TooManyMoves too where one call for options comes to too many sets."""
        self._room -= ways(among.bit_count(), due, freedom)
        if self._room < 0:
            raise TooManyMoves(MOST_PREFIXES)
        return subsets(among, due, freedom)

    @cached_property
    def endings(self) -> list[list[list[tuple[str, str]]]]:
        """The rule and the result of each ending, by phase, turn and number."""
        return [[[(e.rule, e.result) for e in t.endings] for t in p.turns] for p in self.rules.phases.values()]

    @cached_property
    def depths(self) -> list[list[int]]:
        """How many choices each turn has, by phase and turn."""
        return [[len(t.choices) for t in p.turns] for p in self.rules.phases.values()]

    def start(self) -> State:
        """The position before the first move."""
        return start_state(self.rules)

    def moves(self, state: State) -> list[Picks]:
        """Every legal move, in the order of `Engine.moves`; raises TooManyMoves."""
        options = self.options[self.index[state.phase]](*state.values)
        if sum(option[0] for option in options) > MOST_MOVES:
            raise TooManyMoves
        return [m for option in options for m in self.expand(option)]

    @staticmethod
    def expand(option: Option) -> Iterator[Picks]:
        """The moves of an option."""
        _, turn, picks, among, due, freedom = option
        if freedom < 0:
            yield Picks(turn, picks)
            return
        for last in subsets(among, due, freedom):
            yield Picks(turn, (*picks, last))

    @staticmethod
    def nth(option: Option, n: int) -> Picks:
        """The n-th move of an option."""
        _, turn, picks, among, due, freedom = option
        if freedom < 0:
            return Picks(turn, picks)
        if freedom == 0 and due == 1:
            return Picks(turn, (*picks, nth_site(among, n)))
        return Picks(turn, (*picks, nth_subset(among, due, freedom, n)))

    def play(self, state: State, move: Picks) -> After:
        """What a legal move leads to."""
        phase = self.index[state.phase]
        short = self.depths[phase][move.turn] - len(move.sites)
        code, next_phase, passes, values = self.plays[phase][move.turn](*state.values, *move.sites, *(0,) * short)
        if short or code >= 0:
            return self.ended(state, move, code, values, short)
        return After(State(values, self.phases[next_phase], 1 - state.seat if passes else state.seat), None)

    def ended(self, state: State, move: Picks, code: int, values: tuple[Any, ...], short: int) -> After:
        """The last state and the outcome of a game that ends with this move."""
        phase = self.index[state.phase]
        if short:
            turn = self.rules.phases[state.phase].turns[move.turn]
            values = self._values_when_stuck(state, move, short)
            return After(State(values, state.phase, state.seat), Outcome("no rule", None, turn.choices[len(move.sites)].rule))
        rule, result = self.endings[phase][move.turn][code]
        winner = {"mover": state.seat, "opponent": 1 - state.seat, "draw": None}[result]
        return After(State(values, state.phase, state.seat), Outcome("draw" if winner is None else "win", winner, rule))

    def _values_when_stuck(self, state: State, move: Picks, short: int) -> tuple[Any, ...]:
        from lawstone.engine.reference import Interpreter

        return Interpreter(self.rules).play(state, move).state.values
