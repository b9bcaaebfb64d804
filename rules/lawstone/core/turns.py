"""What a game is made of: choices, the turns that hold them, what a turn brings about, and the endings it may meet.

One object serves all that needs a move: legal moves are the choices made in order, a solver's variables are the choices as unknown
sets, notation and drawings follow their roles, and why a move is not legal is told by the clauses kept beside the terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lawstone.core.binder import where
from lawstone.core.operators import TRUE, and_, at_most, count, number, or_, some
from lawstone.core.rewriting import substitute
from lawstone.core.terms import Term


@dataclass(frozen=True, slots=True)
class Clause:
    """A term, whose it is, and what it is made of: the answer to "which rule says so".

    `rule` is the id of the rule that it belongs to, `mode` how the parts make the whole: `all` (intersection or conjunction),
    `any` (union), `first` (the first part that offers a site is in force) or `leaf`.
    """

    term: Term
    rule: str
    says: str = ""
    mode: Literal["all", "any", "first", "leaf"] = "leaf"
    parts: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One pick of a turn: `count` sites out of `among`, both judged on the board as it then stands.

    `freedom` is `exactly` that many, `up to` that many, or `all or none` of that many. `role` tells notation and drawing what the
    sites are for. A choice that is `required` makes the earlier picks illegal when too few sites are there (`if fewer: not
    allowed`); any other choice that cannot be met leaves the move legal and ends the game with `no rule`, on the board that the
    steps before it have made: `before` holds the variables that they have changed.
    """

    name: str
    role: Literal["place", "from", "to", "capture", "remove"]
    among: Term
    count: Term
    rule: str
    why: Clause
    freedom: Literal["exactly", "up to", "all or none"] = "exactly"
    required: bool = False
    before: Mapping[str, Term] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Next:
    """What follows a turn where `flag` holds on the board after it: the phase, and whether the other player acts in it."""

    flag: Term
    phase: str
    passes: bool
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """Pieces that a turn takes off without their being picked; told in notation and drawings like those that are."""

    role: Literal["capture", "remove"]
    sites: Term


Result = Literal["mover", "opponent", "draw"]


@dataclass(frozen=True, slots=True)
class Ending:
    """The game is over where `flag` holds on the board after a turn; the result is told from the mover's side."""

    rule: str
    flag: Term
    result: Result
    why: Clause


@dataclass(frozen=True, slots=True)
class Turn:
    """One way to take a turn: a guard, the choices in order, all updates at once, the endings to test, and what comes next.

    `label` holds the options picked (which symbol, which colour). Endings and `next` read the variables *after* the updates, and
    the choices. A variable without an update keeps its value.
    """

    rule: str
    label: tuple[str, ...]
    guard: Term
    why: tuple[Clause, ...]
    choices: tuple[Choice, ...]
    updates: Mapping[str, Term]
    endings: tuple[Ending, ...]
    next: tuple[Next, ...]
    roles: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def meaning(self) -> tuple[object, ...]:
        """What the turn means, apart from how its clauses are told: equal for turns that play alike, term for term."""
        choices = tuple((c.role, c.among, c.count, c.freedom, c.required) for c in self.choices)
        endings = tuple((e.rule, e.flag, e.result) for e in self.endings)
        following = tuple((n.flag, n.phase, n.passes) for n in self.next)
        return self.label, self.guard, choices, tuple(sorted(self.updates.items())), endings, following


@dataclass(frozen=True, slots=True)
class Phase:
    """A named stretch of the game: the turns that a player may take in it."""

    name: str
    turns: tuple[Turn, ...] = field(default=())


def can(phase: Phase) -> Term:
    """The player who acts has a move in this phase: some turn's guard holds and its first pick can be made.

    Where the turn begins with an option (a kind, a way), picking it is the first pick. Later duties do not count, except a
    required one (`if fewer: not allowed`), through which the earlier picks must lead, unless it allows that nothing is picked.
    """
    return or_(*(and_(t.guard, _first_pick(t)) for t in phase.turns))


def _first_pick(turn: Turn) -> Term:
    picks_an_option = turn.label and not any(_forbids(c) for c in turn.choices)
    return TRUE if picks_an_option or not turn.choices else _completable(turn.choices)


def _forbids(choice: Choice) -> bool:
    return choice.required and choice.freedom == "exactly"


def _completable(choices: tuple[Choice, ...]) -> Term:
    last_required = max((i for i, c in enumerate(choices) if _forbids(c)), default=0)
    first, rest = choices[0], choices[1 : last_required + 1]
    if not rest:
        return some(first.among) if first.count is number(1) else at_most(first.count, count(first.among, first.count.high))
    if first.count is not number(1):
        raise ValueError(f"{first.rule}: a pick of several sites cannot be followed by one that makes it illegal")
    return some(where(first.among, lambda x: substitute(_completable(rest), {first.name: x})))
