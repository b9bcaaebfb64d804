"""The conditions of a game, compiled: which of them hold in a position, at each pick of a turn, and after a turn.

A condition is a flag in the lowered game that does not depend on a bound member. Those that a symmetry of the rules carries into
each other are one condition: a square formed at b2 and the same square formed at d4 are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from lawstone.core import Choice, Clause, Sort, Term, Turn, number, subterms, swapped
from lawstone.engine.emit import Block, Writer
from lawstone.engine.everyday import flood
from lawstone.engine.state import State
from lawstone.engine.symmetry import orbits, symmetries
from lawstone.lower import Rules

Role = Literal["guard", "pick", "ending", "next"]
ROLES: tuple[Role, ...] = ("guard", "pick", "ending", "next")


@dataclass(frozen=True)
class Condition:
    """A condition: what it is part of, the rule that it belongs to, its number among the conditions of that rule."""

    role: Role
    rule: str
    number: int


@dataclass(frozen=True)
class Line:
    """An entry of a fallback: the rule of the pick, the rule of the entry, its number."""

    rule: str
    entry: str
    number: int


@dataclass(frozen=True)
class Flags:
    """Conditions with the function that tells which hold, in order."""

    conditions: tuple[Condition, ...]
    terms: tuple[Term, ...]
    holds: Callable[..., tuple[bool, ...]]


@dataclass(frozen=True)
class Stage:
    """One pick of a turn: its choice, its conditions, how much there is to pick from, and its fallbacks entry by entry."""

    choice: Choice
    flags: Flags
    amounts: Callable[..., tuple[int, int]]
    """The sites to pick from (as a set) and how many are due."""
    lines: tuple[Line, ...]
    terms: tuple[Term, ...]
    offers: Callable[..., tuple[int, ...]]
    """What each entry offers, as a set of sites."""


@dataclass(frozen=True)
class After:
    """What is judged after a turn: the conditions of endings and of what follows, and each ending's own flags and sets."""

    flags: Flags
    whole: Callable[..., tuple[bool, ...]]
    """Whether each ending holds."""
    terms: tuple[Term, ...]
    ways: tuple[tuple[int, int], ...]
    """The ways in which an ending can hold (such as a line along one axis), as (number of the ending, number of the way)."""
    found: Callable[..., tuple[int, ...]]
    """For each way, the sites that make it hold (for a line: where its runs end)."""
    kept: Callable[..., tuple[int, ...]]
    """For each way, the sites that would, but for an exception."""
    excepted: tuple[bool, ...]
    """For each way, whether it has an exception."""


@dataclass(frozen=True)
class Probed:
    """One turn of a phase."""

    turn: Turn
    guard: Flags
    stages: tuple[Stage, ...]
    after: After


class Probe:
    """All turns of a game, each compiled."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.carries = symmetries(rules)
        names = [v.name for v in rules.variables]
        index = {n: i for i, n in enumerate(names)}
        self.swap = tuple(index[swapped(n)] for n in names)
        self._known: dict[tuple[Role, str], dict[int, int]] = {}
        self._writer = Writer(rules)
        self.phases: dict[str, tuple[Probed, ...]] = {
            name: tuple(self._probed(turn) for turn in phase.turns) for name, phase in rules.phases.items()
        }

    @property
    def conditions(self) -> list[Condition]:
        """Every condition of the game once."""
        return [Condition(role, rule, n) for (role, rule), known in self._known.items() for n in range(len(known))]

    def as_mover(self, before: State, after: State) -> tuple[Any, ...]:
        """The values after a move as the player who moved sees them."""
        return tuple(after.values[i] for i in self.swap) if after.seat != before.seat else after.values

    # -- compiling ----------------------------------------------------------------------------------------------------------------

    def _probed(self, turn: Turn) -> Probed:
        for i, choice in enumerate(turn.choices):
            self._writer.names[choice.name] = f"pick_{i}"
        guard = self._flags([("guard", turn.rule, turn.guard)], 0)
        return Probed(turn, guard, tuple(self._stage(c, n) for n, c in enumerate(turn.choices)), self._after(turn))

    def _stage(self, choice: Choice, made: int) -> Stage:
        lines = list(_lines(choice.rule, choice.why))
        return Stage(
            choice,
            self._flags([("pick", choice.rule, choice.among), ("pick", choice.rule, choice.count)], made),
            self._compiled([choice.among, choice.count], made),
            tuple(line for line, _ in lines),
            tuple(t for _, t in lines),
            self._compiled([t for _, t in lines], made),
        )

    def _after(self, turn: Turn) -> After:
        picks = len(turn.choices)
        listed: list[tuple[Role, str, Term]] = [("ending", e.rule, e.flag) for e in turn.endings]
        listed += [("next", n.rule, n.flag) for n in turn.next]
        ways, found, kept = list[tuple[int, int]](), list[Term](), list[Term]()
        for i, ending in enumerate(turn.endings):
            parts = ending.flag.args if ending.flag.op == "or_" else (ending.flag,)
            for k, t in enumerate(p for p in parts if p.op == "some"):
                inner = t.args[0]
                ways.append((i, k))
                found.append(inner)
                kept.append(inner.args[0] if inner.op == "without" else inner)
        return After(
            self._flags(listed, picks), self._compiled([e.flag for e in turn.endings], picks), tuple(found), tuple(ways),
            self._compiled(found, picks), self._compiled(kept, picks), tuple(a is not b for a, b in zip(found, kept, strict=True)),
        )  # fmt: skip

    def _flags(self, listed: Iterable[tuple[Role, str, Term]], picks: int) -> Flags:
        found: dict[tuple[Role, str, Term], None] = {}
        for role, rule, term in listed:
            found.update({(role, rule, t): None for t in flags_below(term)})
        terms = [t for _, _, t in found]
        conditions = []
        for (role, rule, _), form in zip(found, orbits(terms, self.carries), strict=True):
            known = self._known.setdefault((role, rule), {})
            conditions.append(Condition(role, rule, known.setdefault(form, len(known))))
        return Flags(tuple(conditions), tuple(terms), self._compiled(terms, picks))

    def _compiled(self, terms: list[Term], picks: int) -> Callable[..., tuple[Any, ...]]:
        """A function of the variables and so many picks that gives the values of some terms."""
        writer, block = self._writer, Block(1)
        writer.fresh = 0
        writer.count_uses(terms)
        values = [writer.write(t, block) for t in terms]
        parameters = ", ".join([writer.parameters(), *(f"pick_{i}" for i in range(picks))])
        told = "".join(f"{v}, " for v in values)
        text = "\n".join([f"def probe({parameters}):", *block.lines, f"    return ({told})"])
        space: dict[str, Any] = {"flood": flood}
        exec(compile(text, "<probe>", "exec"), space)
        made: Callable[..., tuple[Any, ...]] = space["probe"]
        return made


def flags_below(term: Term) -> list[Term]:
    """The conditions that a term is made of, itself included; those about a bound member are left out."""
    return [
        t for t in subterms(term) if t.sort is Sort.FLAG and t.op not in ("yes", "never") and not any("@" in n for n in t.names)
    ]


def _lines(rule: str, clause: Clause) -> Iterator[tuple[Line, Term]]:
    """The entries of every fallback in a clause."""
    for n, part in enumerate(clause.parts):
        if clause.mode == "first":
            yield Line(rule, part.rule, n), part.term
        yield from _lines(rule, part)


def fixed(choice: Choice) -> bool:
    """Whether a pick is always of one site."""
    return choice.count is number(1) and choice.freedom == "exactly"
