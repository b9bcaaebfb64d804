"""Compiled play: random games and perft in machine code, trusted only after they have played as the everyday engine does."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from lawstone.core import Sort
from lawstone.engine.everyday import Everyday
from lawstone.engine.kernel.layout import WORD, layout
from lawstone.engine.kernel.listed import Listed
from lawstone.engine.kernel.llvm import Unsupported
from lawstone.engine.kernel.machine import Machine
from lawstone.engine.kernel.plan import NO_PLAN, Plan
from lawstone.engine.kernel.stored import Tried
from lawstone.engine.kernel.text import KernelWriter
from lawstone.engine.perft import perft
from lawstone.engine.playout import LONGEST, playout, stuck
from lawstone.engine.state import Outcome, State, start_state
from lawstone.lower import Rules, Value

TRUSTED = 100
"""Random games that a new kernel plays as the everyday engine does before it is used."""
BATCH = 1 << 20
COMPILED, EMITTED = "compiled", "emitted Python"
How = Literal["played", "bulk", "exact"]
HOW: tuple[How, ...] = ("played", "bulk", "exact")


class TrustError(RuntimeError):
    """A compiled kernel and the emitted Python played different games from one seed."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of one random game: its plies, the outcome (None: cut) and the last position."""

    plies: int
    outcome: Outcome | None
    state: State


@dataclass
class Sample:
    """What many random games came to: how many of each length, how they ended, and all legal moves there were to choose from.

    `ends` counts by outcome, None for games that were cut; `backend` says what played them.
    """

    games: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    ends: Counter[Outcome | None] = field(default_factory=Counter)
    choices: int = 0
    backend: str = COMPILED

    @property
    def plies(self) -> int:
        """Moves made in all games together."""
        return sum(n * k for n, k in self.lengths.items())

    @property
    def mean_length(self) -> float:
        """Mean plies a game."""
        return self.plies / self.games

    @property
    def deviation(self) -> float:
        """Standard deviation of the plies of a game."""
        mean = self.mean_length
        return math.sqrt(sum(k * (n - mean) ** 2 for n, k in self.lengths.items()) / max(1, self.games - 1))

    @property
    def branching(self) -> float:
        """Mean number of legal moves at each move made."""
        return self.choices / max(1, self.plies)

    def add(self, other: Sample) -> None:
        """Take in another sample."""
        self.games += other.games
        self.lengths.update(other.lengths)
        self.ends.update(other.ends)
        self.choices += other.choices


class Kernel:
    """The compiled kernels of one game."""

    def __init__(self, rules: Rules, everyday: Everyday | None = None, plan: Plan = NO_PLAN) -> None:
        from lawstone.engine.kernel import native

        self.rules = rules
        self.everyday = everyday or Everyday(rules)
        self.layout = layout(rules.board)
        self.plan = plan
        self.machine = Machine(rules, KernelWriter(rules, self.layout, plan, playing=True), self.layout, native.has_bmi(), plan)
        self.text = self.machine.text
        self.code = self.machine.module(self.machine.playouts())
        numbers, arrays = [ctypes.c_int64] * 3, [ctypes.c_void_p] * 3
        self._playouts = native.compiled(self.code).function("playouts", [ctypes.c_void_p, *numbers, *arrays])

    @cached_property
    def _perft(self) -> Callable[..., int]:
        from lawstone.engine.kernel import native

        machine = Machine(self.rules, KernelWriter(self.rules, self.layout, self.plan), self.layout, native.has_bmi(), self.plan)
        code = machine.module(*machine.perfts())
        return native.compiled(code).function("perft", [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p])

    # -- positions as words -------------------------------------------------------------------------------------------------------

    def pack(self, state: State) -> Any:
        """A position as words."""
        offsets, size = self.machine.offsets()
        words = (ctypes.c_uint64 * size)()
        for v, at, value in zip(self.rules.variables, offsets, state.values, strict=True):
            if v.sort is Sort.SITES:
                bits = self.layout.laid(value)
                for i in range(self.layout.words):
                    words[at + i] = bits >> WORD * i & (1 << WORD) - 1
            else:
                words[at] = int(value)
        words[size - 2] = list(self.rules.phases).index(state.phase)
        words[size - 1] = state.seat
        return words

    def unpack(self, words: Sequence[int]) -> State:
        """Words as a position."""
        offsets, size = self.machine.offsets()
        values: list[Value] = []
        for v, at in zip(self.rules.variables, offsets, strict=True):
            if v.sort is Sort.SITES:
                bits = sum(words[at + i] << WORD * i for i in range(self.layout.words))
                values.append(self.layout.sites(bits))
            else:
                values.append(bool(words[at]) if v.sort is Sort.FLAG else words[at])
        return State(tuple(values), list(self.rules.phases)[words[size - 2]], words[size - 1])

    def _within(self, state: State) -> State:
        """The position, if its sets are as small as the plan says of its phase; raises Unsupported."""
        most = self.plan.most.get(state.phase, {})
        for v, value in zip(self.rules.variables, state.values, strict=True):
            if v.sort is Sort.SITES and int(value).bit_count() > most.get(v.name, self.rules.board.size):
                raise Unsupported(f"{v.name} has more sites than play can lead to in the phase {state.phase}")
        return state

    # -- random games -------------------------------------------------------------------------------------------------------------

    def outcome(self, code: int, seat: int) -> Outcome | None:
        """What an end's number means for the seat that moved last (or is to move, where it is stuck)."""
        kind, phase, turn, i = self.machine.codes[code]
        listed = list(self.rules.phases.values())[phase]
        if kind == "cut":
            return None
        if kind == "stuck":
            return stuck(self.rules, State((), listed.name, seat))
        if kind == "short":
            return Outcome("no rule", None, listed.turns[turn].choices[i].rule)
        ending = listed.turns[turn].endings[i]
        winner = {"mover": seat, "opponent": 1 - seat, "draw": None}[ending.result]
        return Outcome("draw" if winner is None else "win", winner, ending.rule)

    def playouts(self, n: int, seed: int = 0, longest: int = LONGEST, start: State | None = None) -> Sample:
        """`n` random games, the i-th from the seed `seed + i`; raises Unsupported where a position has too many options."""
        sample = Sample()
        words = self.pack(self._within(start or start_state(self.rules)))
        lengths = (ctypes.c_int64 * (longest + 1))()
        ends = (ctypes.c_int64 * (2 * len(self.machine.codes)))()
        for first in range(0, n, BATCH):
            got = self._playouts(words, _signed(seed + first), min(BATCH, n - first), longest, lengths, ends, None)
            if got < 0:
                raise Unsupported(f"a position of the game from seed {seed + first - 1 - got} has too many options")
            sample.choices += got
        sample.games = n
        sample.lengths.update({i: k for i, k in enumerate(lengths) if k})
        for i, k in enumerate(ends):
            if k:
                sample.ends[self.outcome(i // 2, i % 2)] += k
        return sample

    def each(self, n: int, seed: int = 0, longest: int = LONGEST, start: State | None = None) -> Iterator[Ended]:
        """The ends of `n` random games, one by one."""
        size = self.machine.offsets()[1]
        lengths = (ctypes.c_int64 * (longest + 1))()
        ends = (ctypes.c_int64 * (2 * len(self.machine.codes)))()
        told = (ctypes.c_uint64 * ((size + 2) * n))()
        words = self.pack(self._within(start or start_state(self.rules)))
        got = self._playouts(words, _signed(seed), n, longest, lengths, ends, ctypes.cast(told, ctypes.c_void_p))
        if got < 0:
            raise Unsupported("a position has too many options")
        for i in range(n):
            row = told[i * (size + 2) : (i + 1) * (size + 2)]
            state = self.unpack(row)
            yield Ended(row[size], self.outcome(row[size + 1], state.seat), state)

    # -- counting -----------------------------------------------------------------------------------------------------------------

    def perft(self, depth: int, start: State | None = None, how: How = "exact") -> tuple[int, int]:
        """Sequences of exactly `depth` plies, and those after which the game goes on.

        `bulk` counts the last ply without playing it, and gives 0 as the second number. `played` makes every leaf and tests its
        endings; a leaf where no ending holds but nobody can move counts as one that goes on. `exact` looks for a move there too.
        """
        if depth == 0:
            return 1, 1
        going = (ctypes.c_int64 * 1)()
        words = self.pack(start or start_state(self.rules))
        total = self._perft(words, depth, HOW.index(how), ctypes.cast(going, ctypes.c_void_p))
        return total, going[0]

    # -- trust --------------------------------------------------------------------------------------------------------------------

    def check(self, games: int = TRUSTED, seed: int = 0, longest: int = LONGEST) -> None:
        """Play the same games as the everyday engine; raises TrustError at the first difference."""
        for i, found in enumerate(self.each(games, seed, longest)):
            expected = playout(self.everyday, seed + i, longest)
            if (found.plies, found.outcome) != (len(expected.moves), expected.outcome):
                raise TrustError(
                    f"from seed {seed + i} the kernel played {found.plies} plies to {found.outcome},"
                    f" the emitted Python {len(expected.moves)} to {expected.outcome}"
                )
            unmet = expected.outcome is not None and expected.outcome.kind == "no rule"
            if not unmet and found.state != expected.state:
                raise TrustError(f"from seed {seed + i} the kernel ended in {found.state}, the emitted Python in {expected.state}")


def _signed(seed: int) -> int:
    seed &= (1 << 64) - 1
    return seed - (1 << 64) if seed >> 63 else seed


@dataclass(frozen=True)
class Runner:
    """What plays random games of some rules: the kernel, or the emitted Python with the reason why."""

    rules: Rules
    everyday: Everyday
    kernel: Kernel | None
    reason: str = ""
    plan: Plan = NO_PLAN

    @property
    def backend(self) -> str:
        """The name of the back end that does the work."""
        return COMPILED if self.kernel else EMITTED

    def why(self, sample: Sample) -> str:
        """Why a sample was not played by the kernel that there is."""
        return "a position had too many options" if self.kernel and sample.backend == EMITTED else ""

    def playouts(self, n: int, seed: int = 0, longest: int = LONGEST, start: State | None = None) -> Sample:
        """`n` random games, the i-th from the seed `seed + i`; by the emitted Python where a position has too many options."""
        if self.kernel:
            try:
                return self.kernel.playouts(n, seed, longest, start)
            except Unsupported:
                pass
        sample = Sample(backend=EMITTED)
        if self.plan.kept:
            listed = Listed(self.rules, self.everyday, next(iter(self.plan.kept.values())))
            for i in range(n):
                plies, outcome = listed.game(seed + i, longest, start or self.everyday.start())
                sample.lengths[plies] += 1
                sample.ends[outcome] += 1
            sample.games = n
            return sample
        for i in range(n):
            game = playout(self.everyday, seed + i, longest, start)
            sample.lengths[len(game.moves)] += 1
            sample.ends[game.outcome] += 1
        sample.games = n
        return sample

    def perft(self, depth: int, start: State | None = None, how: How = "exact") -> tuple[int, int]:
        """Sequences of exactly `depth` plies, and those after which the game goes on (see `Kernel.perft`)."""
        if self.kernel:
            return self.kernel.perft(depth, start, how)
        if how == "exact":
            counts = perft(self.everyday, depth, start)
            return (counts.sequences[-1], counts.open[-1]) if len(counts.sequences) == depth else (0, 0)
        return _leaves(self.everyday, start or self.everyday.start(), depth, how)


def _leaves(engine: Everyday, state: State, depth: int, how: How) -> tuple[int, int]:
    options = engine.options[engine.index[state.phase]](*state.values)
    if depth == 1 and how == "bulk":
        return sum(o[0] for o in options), 0
    total = going = 0
    for option in options:
        for move in engine.expand(option):
            after, outcome = engine.play(state, move)
            if depth == 1:
                total, going = total + 1, going + (outcome is None)
            elif outcome is None:
                below = _leaves(engine, after, depth - 1, how)
                total, going = total + below[0], going + below[1]
    return total, going


def runner(rules: Rules, everyday: Everyday | None = None, plan: Plan = NO_PLAN, compiled: bool = True) -> Runner:
    """The fastest back end that can be trusted with these rules; the reason is told where it is not the compiled one."""
    everyday = everyday or Everyday(rules)
    if not compiled:
        return Runner(rules, everyday, None, "asked for", plan)
    try:
        kernel = Kernel(rules, everyday, plan)
        tried = Tried("playouts", kernel.code, everyday.text)
        if not tried:
            kernel.check(longest=300)
            tried.remember()
    except ImportError:
        return Runner(rules, everyday, None, "llvmlite is not installed (pip install 'lawstone[fast]')", plan)
    except Unsupported as error:
        return Runner(rules, everyday, None, str(error), plan)
    except TrustError as error:
        return Runner(rules, everyday, None, f"the compiled kernel is not trusted: {error}")
    return Runner(rules, everyday, kernel)
