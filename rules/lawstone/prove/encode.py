"""Rules as circuits: a position of inputs, the turns that can be taken in it, and what each leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from lawstone.core import Choice, Scope, Sort, Turn, can, fold, swapped
from lawstone.core import Phase as CorePhase
from lawstone.engine.state import Picks, State
from lawstone.lower import Rules
from lawstone.prove.bits import Bits, Given, Number, Size, equal
from lawstone.prove.circuit import FALSE, TRUE, Circuit
from lawstone.work import bounds

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Taken:
    """One turn in one position: the picks as inputs, whether they are legal, and what they lead to.

    `prefixes[i]` says that the guard holds and the first i picks are legal; `stuck[i]` that pick i cannot be met after them;
    `endings[i]` that ending i is the first that holds after the turn, `following[i]` that entry i of `next` is taken.
    """

    turn: Turn
    picks: tuple[tuple[int, ...], ...]
    prefixes: tuple[int, ...]
    stuck: tuple[int, ...]
    after: Values
    endings: tuple[int, ...]
    following: tuple[int, ...]

    @property
    def legal(self) -> int:
        """The guard holds and all picks are legal."""
        return self.prefixes[-1]


@dataclass
class Model:
    """Positions and turns of one game in one circuit; `must` are the constraints that every question about it stands under."""

    rules: Rules
    circuit: Circuit = field(default_factory=Circuit)
    must: list[int] = field(default_factory=list)

    @cached_property
    def bits(self) -> Bits:
        """The back end."""
        return Bits(self.circuit, self.rules.board)

    # -- positions ----------------------------------------------------------------------------------------------------------------

    def free(self, name: str) -> dict[str, Any]:
        """A position of fresh inputs: anything that the variables can hold, not yet well formed."""
        return {v.name: self._fresh(v.sort, v.high, f"{name}.{v.name}") for v in self.rules.variables}

    def _fresh(self, sort: Sort, high: int, name: str) -> Any:
        c = self.circuit
        if sort is Sort.SITES:
            return tuple(c.input(f"{name}[{s}]") for s in self.rules.board.names)
        if sort is Sort.FLAG:
            return c.input(name)
        steps = tuple(c.input(f"{name}>={k}") for k in range(1, high + 1))
        self.must += [c.implies(b, a) for a, b in pairwise(steps)]
        return Given(c, steps)

    def constant(self, state: State) -> dict[str, Any]:
        """A position of constants."""
        found: dict[str, Any] = {}
        for v, value in zip(self.rules.variables, state.values, strict=True):
            if v.sort is Sort.SITES:
                found[v.name] = tuple(TRUE if int(value) >> s & 1 else FALSE for s in range(self.rules.board.size))
            elif v.sort is Sort.FLAG:
                found[v.name] = TRUE if value else FALSE
            else:
                found[v.name] = Given(self.circuit, tuple(TRUE if k <= value else FALSE for k in range(1, v.high + 1)))
        return found

    def well_formed(self, values: Values) -> int:
        """No site holds two pieces, single pieces stand once, counted pieces do not exceed the supply, seats are opposite."""
        c, words = self.circuit, self.rules.words
        pieces = self.pieces(values)
        facts = []
        for s in range(self.rules.board.size):
            facts.append(-Size(c, [values[n][s] for n in pieces]).at_least(2))
        for name in sorted(words.singles):
            facts.append(c.exactly_one(values[name]))
        start = self.rules.start
        for name in self._piece_names:
            hands = [n for n in (f"mine.hand {name}", f"theirs.hand {name}") if n in values]
            if len(hands) == 2:
                sides = [self.bits.plus(Size(c, values[h.replace("hand ", "")]), values[h]) for h in hands]
                supply = [int(start[h]) for h in hands]
                fits = [c.all(-x.at_least(n + 1) for x, n in zip(sides, order, strict=True)) for order in (supply, supply[::-1])]
                facts.append(c.any(fits))
        for name in values:
            if name.startswith("mine.") and isinstance(values[name], int):
                facts.append(c.xor(values[name], values[swapped(name)]))
        if "last" in values:
            facts.append(-Size(c, values["last"]).at_least(2))
            occupied = self.bits.either(*(values[n] for n in pieces))
            facts += [c.implies(x, y) for x, y in zip(values["last"], occupied, strict=True)]
        return c.all(facts)

    def implied(self, values: Values) -> int:
        """What follows of a well-formed position by counting, and has to be said because solvers do not find pigeonhole arguments:
        where all pieces together are fewer than the sites, some site is empty."""
        supplies = [self._supply(name) for name in self._piece_names]
        if None in supplies or sum(n or 0 for n in supplies) >= self.rules.board.size:
            return TRUE
        return self.circuit.any(-x for x in self.bits.either(*(values[n] for n in self.pieces(values))))

    def room(self, values: Values) -> int:
        """What follows of a well-formed position by counting, where all pieces together just fill the board: while a piece is in
        hand, some site is empty."""
        supplies = [self._supply(name) for name in self._piece_names]
        if None in supplies or sum(n or 0 for n in supplies) > self.rules.board.size:
            return TRUE
        in_hand = self.circuit.any(values[n].at_least(1) for n in values if ".hand " in n)
        return self.circuit.implies(
            in_hand, self.circuit.any(-x for x in self.bits.either(*(values[n] for n in self.pieces(values))))
        )

    def assumed(self, values: Values) -> int:
        """The position is well formed, with what follows by counting."""
        return self.circuit.both(self.well_formed(values), self.implied(values))

    def pieces(self, values: Values) -> list[str]:
        """The variables that hold pieces on the board."""
        return [n for n in values if n.split(".")[-1] in self._piece_names]

    def standing(self, values: Values, side: str) -> Size:
        """How many pieces of a side, `mine` or `theirs`, are on the board."""
        return Size(self.circuit, self.bits.either(*(values[p] for p in self.pieces(values) if p.startswith(f"{side}."))))

    def _supply(self, name: str) -> int | None:
        """The most pieces of a kind that can stand on the board; None where they are not counted."""
        if name in self.rules.words.singles:
            return 1
        hands = [self.rules.start.get(f"{side}.hand {name}") for side in ("mine", "theirs")]
        return None if None in hands else sum(int(h or 0) for h in hands)

    @cached_property
    def _piece_names(self) -> list[str]:
        return [v for p in self.rules.game.pieces for v in self.rules.words.variables(p, None)]

    def seen_by_other(self, values: Values) -> dict[str, Any]:
        """The same position as the other player sees it."""
        return {n: values[swapped(n)] for n in values}

    # -- turns --------------------------------------------------------------------------------------------------------------------

    def choose(self, choice: Choice, name: str) -> tuple[int, ...]:
        """Fresh inputs for a pick."""
        return tuple(self.circuit.input(f"{name}.{choice.name}[{s}]") for s in self.rules.board.names)

    def take(self, turn: Turn, values: Values, name: str = "", picks: Sequence[tuple[int, ...]] | None = None) -> Taken:
        """A turn in a position, with fresh inputs for its picks unless they are given."""
        bounds.check()
        c, bits = self.circuit, self.bits
        known: dict[str, Any] = dict(values)
        prefixes = [int(fold(turn.guard, bits, Scope(known)))]
        stuck: list[int] = []
        chosen: list[tuple[int, ...]] = []
        for i, choice in enumerate(turn.choices):
            scope = Scope(known)
            among, due = fold(choice.among, bits, scope), fold(choice.count, bits, scope)
            pick = self.choose(choice, name) if picks is None else picks[i]
            inside = c.all(c.implies(x, y) for x, y in zip(pick, among, strict=True))
            size = Size(c, pick)
            fits = self._size_fits(choice, size, due)
            prefixes.append(c.all((prefixes[-1], inside, fits)))
            short = -self._can_meet(choice, Size(c, among), due)
            stuck.append(short)
            known = {**known, choice.name: pick}
            chosen.append(pick)
        before = Scope(known)
        after = {n: fold(turn.updates[n], bits, before) if n in turn.updates else values[n] for n in values}
        picked = {ch.name: p for ch, p in zip(turn.choices, chosen, strict=True)}
        scope = Scope({**after, **picked})
        endings, open_ = [], TRUE
        for ending in turn.endings:
            flag = fold(ending.flag, bits, scope)
            endings.append(c.both(open_, flag))
            open_ = c.both(open_, -flag)
        following = []
        for n in turn.next:
            flag = fold(n.flag, bits, scope)
            following.append(c.both(open_, flag))
            open_ = c.both(open_, -flag)
        return Taken(turn, tuple(chosen), tuple(prefixes), tuple(stuck), after, tuple(endings), tuple(following))

    def _size_fits(self, choice: Choice, size: Number, due: Number) -> int:
        c = self.circuit
        at_most = self.bits.at_most(size, due)
        if choice.freedom == "up to":
            return int(at_most)
        exact = c.both(at_most, self.bits.at_most(due, size))
        return c.any((exact, -size.at_least(1))) if choice.freedom == "all or none" else exact

    def _can_meet(self, choice: Choice, there: Number, due: Number) -> int:
        return TRUE if choice.freedom != "exactly" else int(self.bits.at_most(due, there))

    def can_move(self, phase: CorePhase, values: Values) -> int:
        """Whether the player who acts has a first pick in a phase."""
        return int(fold(can(phase), self.bits, Scope(dict(values))))

    # -- decoding -----------------------------------------------------------------------------------------------------------------

    def same(self, a: Values, b: Values, names: Sequence[str]) -> int:
        """The literal that says that two positions agree on some variables."""
        return self.circuit.all(equal(self.circuit, a[n], b[n]) for n in names)


def decode_state(rules: Rules, values: Values, holds: Any, phase: str, seat: int) -> State:
    """The state that a solution gives to a position; `holds(literal)` is the solution."""
    found: list[int | bool] = []
    for v in rules.variables:
        value = values[v.name]
        if v.sort is Sort.SITES:
            found.append(sum(1 << s for s, x in enumerate(value) if holds(x)))
        elif v.sort is Sort.FLAG:
            found.append(bool(holds(value)))
        else:
            found.append(sum(bool(holds(value.at_least(k))) for k in range(1, v.high + 1)))
    return State(tuple(found), phase, seat)


def decode_picks(number: int, taken: Taken, holds: Any) -> Picks:
    """The move that a solution makes of a turn."""
    return Picks(number, tuple(sum(1 << s for s, x in enumerate(pick) if holds(x)) for pick in taken.picks))
