"""The core: what every rule means, written once.

Three sorts (a set of sites, a flag, a number), some twenty operators, and from them choices, turns, endings and phases. A term
says nothing about colours or layouts: state variables come in pairs `mine.x` and `theirs.x` (the player who acts, and the other
one) or are neutral, and sites are numbers from 0. Whatever a term is needed for (playing, printing, proving) is a back end: a
class with one method an operator, driven by `fold`.

Terms are interned, so that equal terms are the same object and `is` compares meanings of equal form; they are immutable and have
no truth value, because a rule must never be decided by Python while it is being built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Literal, NoReturn, Protocol, TypeVar


class Sort(StrEnum):
    """What a term stands for."""

    SITES = "sites"
    FLAG = "flag"
    NUMBER = "number"


class Term:
    """One node of a rule's meaning; build it with the functions below, never directly.

    `op` names the operator, `args` are the operands, `data` what is not a term (a name, a direction, constant sites), `names` the
    variables, choices and bound members that it reads, and `low`, `high` the range of a number.
    """

    __slots__ = ("args", "data", "high", "low", "names", "op", "sort")
    op: str
    sort: Sort
    args: tuple[Term, ...]
    data: Any
    names: frozenset[str]
    low: int
    high: int

    def __bool__(self) -> NoReturn:
        raise TypeError("a term has no truth value: use `when`, `and_`, `or_` or `no` to decide inside the rule")

    def __repr__(self) -> str:
        data = sorted(self.data) if isinstance(self.data, frozenset) else self.data
        inner = ([] if data is None else [str(data)]) + [repr(a) for a in self.args]
        return f"{self.op}({', '.join(inner)})"


_terms: dict[tuple[Any, ...], Term] = {}
_NO_NAMES: frozenset[str] = frozenset()


def _term(op: str, sort: Sort, args: tuple[Term, ...] = (), data: Any = None, span: tuple[int, int] = (0, 0)) -> Term:
    key = (op, sort, tuple(map(id, args)), data, span)
    found = _terms.get(key)
    if found is None:
        found = Term()
        found.op, found.sort, found.args, found.data = op, sort, args, data
        found.low, found.high = span
        names = _NO_NAMES.union(*(a.names for a in args))
        if op == "read":
            names |= {data}
        elif op == "where":
            names = args[0].names | (args[1].names - {data})
        found.names = names
        _terms[key] = found
    return found


# -- sites ------------------------------------------------------------------------------------------------------------------------


def read(name: str, sort: Sort = Sort.SITES, low: int = 0, high: int = 0) -> Term:
    """A state variable, the sites picked by a choice, or the member bound by `where`; a number needs its range."""
    return _term("read", sort, data=name, span=(low, high) if sort is Sort.NUMBER else (0, 0))


def sites(numbers: Iterable[int]) -> Term:
    """A constant set of sites, by number."""
    return _term("sites", Sort.SITES, data=frozenset(numbers))


NOWHERE = sites(())


def _is_constant(term: Term) -> bool:
    return term.op == "sites"


def either(*parts: Term) -> Term:
    """Union; of nothing, the empty set."""
    flat = _flatten("either", parts)
    fixed = frozenset[int]().union(*(t.data for t in flat if _is_constant(t)))
    rest = [t for t in flat if not _is_constant(t)]
    kept = _unique(rest + ([sites(fixed)] if fixed else []))
    if not kept:
        return NOWHERE
    return kept[0] if len(kept) == 1 else _term("either", Sort.SITES, tuple(kept))


def both(*parts: Term) -> Term:
    """Intersection of at least one set."""
    flat = _flatten("both", parts)
    constants = [t.data for t in flat if _is_constant(t)]
    rest = [t for t in flat if not _is_constant(t)]
    if constants:
        fixed = frozenset.intersection(*constants)
        if not fixed:
            return NOWHERE
        rest.append(sites(fixed))
    kept = _unique(rest)
    return kept[0] if len(kept) == 1 else _term("both", Sort.SITES, tuple(kept))


def without(a: Term, b: Term) -> Term:
    """The members of `a` that are not in `b`."""
    if a is b or a is NOWHERE:
        return NOWHERE
    if b is NOWHERE:
        return a
    if _is_constant(a) and _is_constant(b):
        return sites(a.data - b.data)
    if a.op == "without":
        return without(a.args[0], either(a.args[1], b))
    return _term("without", Sort.SITES, (a, b))


def step(s: Term, direction: str) -> Term:
    """Where the members of `s` arrive after one step; those that leave the board vanish."""
    return NOWHERE if s is NOWHERE else _term("step", Sort.SITES, (s,), direction)


def flood(seed: Term, through: Term, directions: Iterable[str]) -> Term:
    """All of `through` that is reached from `seed` by steps over `through`, with the seed's own members in `through`."""
    return _term("flood", Sort.SITES, (seed, through), tuple(directions))


# -- flags and numbers ------------------------------------------------------------------------------------------------------------

TRUE = _term("yes", Sort.FLAG)
FALSE = _term("never", Sort.FLAG)


def some(s: Term) -> Term:
    """The set has a member."""
    if _is_constant(s):
        return TRUE if s.data else FALSE
    return _term("some", Sort.FLAG, (s,))


def no(flag: Term) -> Term:
    """The flag does not hold."""
    if flag is TRUE:
        return FALSE
    if flag is FALSE:
        return TRUE
    return flag.args[0] if flag.op == "no" else _term("no", Sort.FLAG, (flag,))


def and_(*flags: Term) -> Term:
    """All of the flags hold; of nothing, true."""
    kept = _unique(t for t in _flatten("and_", flags) if t is not TRUE)
    if FALSE in kept:
        return FALSE
    if not kept:
        return TRUE
    return kept[0] if len(kept) == 1 else _term("and_", Sort.FLAG, tuple(kept))


def or_(*flags: Term) -> Term:
    """At least one of the flags holds; of nothing, false."""
    kept = _unique(t for t in _flatten("or_", flags) if t is not FALSE)
    if TRUE in kept:
        return TRUE
    if not kept:
        return FALSE
    return kept[0] if len(kept) == 1 else _term("or_", Sort.FLAG, tuple(kept))


def number(n: int) -> Term:
    """A constant number."""
    return _term("number", Sort.NUMBER, data=n, span=(n, n))


def count(s: Term, most: int) -> Term:
    """The size of a set, which is at most `most` (the board's size, or a proved bound)."""
    if _is_constant(s):
        return number(len(s.data))
    return _term("count", Sort.NUMBER, (s,), span=(0, most))


def plus(*parts: Term) -> Term:
    """The sum of the numbers; of nothing, zero."""
    flat = _flatten("plus", parts)
    fixed = sum(t.data for t in flat if t.op == "number")
    kept = [t for t in flat if t.op != "number"] + ([number(fixed)] if fixed else [])
    if not kept:
        return number(0)
    span = (sum(t.low for t in kept), sum(t.high for t in kept))
    return kept[0] if len(kept) == 1 else _term("plus", Sort.NUMBER, tuple(kept), span=span)


def minus(a: Term, b: Term) -> Term:
    """`a - b`, never below zero: where the rules guarantee `a >= b` this is the plain difference, in every back end."""
    if b.op == "number" and b.data == 0:
        return a
    if a.op == "number" and b.op == "number":
        return number(max(0, a.data - b.data))
    return _term("minus", Sort.NUMBER, (a, b), span=(max(0, a.low - b.high), max(0, a.high - b.low)))


def least(a: Term, b: Term) -> Term:
    """The smaller of two numbers."""
    if a is b or a.high <= b.low:
        return a
    return b if b.high <= a.low else _term("least", Sort.NUMBER, (a, b), span=(min(a.low, b.low), min(a.high, b.high)))


def at_most(a: Term, b: Term) -> Term:
    """`a <= b`."""
    if a is b or a.high <= b.low:
        return TRUE
    return FALSE if a.low > b.high else _term("at_most", Sort.FLAG, (a, b))


def at_least(a: Term, b: Term) -> Term:
    """`a >= b`."""
    return at_most(b, a)


def exactly(a: Term, b: Term) -> Term:
    """`a == b`."""
    return and_(at_most(a, b), at_most(b, a))


# -- all sorts --------------------------------------------------------------------------------------------------------------------


def when(flag: Term, a: Term, b: Term) -> Term:
    """`a` where the flag holds, `b` elsewhere; both of one sort."""
    if flag is TRUE or a is b:
        return a
    if flag is FALSE:
        return b
    if a.sort is Sort.FLAG:
        if a is TRUE and b is FALSE:
            return flag
        if a is FALSE or b is FALSE or a is TRUE or b is TRUE:
            return or_(and_(flag, a), and_(no(flag), b))
    if flag.op == "no":
        return when(flag.args[0], b, a)
    span = (min(a.low, b.low), max(a.high, b.high)) if a.sort is Sort.NUMBER else (0, 0)
    return _term("when", a.sort, (flag, a, b), span=span)


def where(among: Term, flag: Callable[[Term], Term]) -> Term:
    """The members `x` of `among` for which `flag(x)` holds; `x` is given as a set of one site.

    A flag of the form "some(x stepped about and cut down)" is linear in x and is solved for x by stepping back, which spares the
    binder (see `_members_reaching`).
    """
    if among is NOWHERE:
        return NOWHERE
    depth = 0
    while True:
        name = f"@{depth}"
        bound = read(name)
        body = flag(bound)
        if not _binds(body, name) and name not in among.names:
            break
        depth += 1
    if body is TRUE:
        return among
    if body is FALSE:
        return NOWHERE
    if name not in body.names:
        return when(body, among, NOWHERE)
    inside = [f for f in (body.args if body.op == "and_" else (body,)) if name in f.names]
    outside = [f for f in (body.args if body.op == "and_" else ()) if name not in f.names]
    solved, left = among, []
    for part in inside:
        set_form = _members_reaching(part, name)
        if set_form is None:
            left.append(part)
        else:
            solved = both(solved, set_form)
    if left and solved is not NOWHERE:
        solved = _term("where", Sort.SITES, (solved, and_(*left)), name)
    return when(and_(*outside), solved, NOWHERE)


OPPOSITE_OF: dict[str, str] = {
    "north": "south", "south": "north", "east": "west", "west": "east", "north east": "south west", "south west": "north east",
    "north west": "south east", "south east": "north west",
}  # fmt: skip
"""The direction that undoes a step, by the compass names used on every board."""


def _members_reaching(flag: Term, name: str) -> Term | None:
    """The sites x for which `flag` holds, when flag is `some(t)` and t moves x about linearly; else None."""
    if flag.op != "some":
        return None

    def back(t: Term, allowed: Term | None) -> Term | None:
        """The x from which t(x) has a member in `allowed` (None: anywhere on the board)."""
        if t.op == "read" and t.data == name:
            return allowed
        if name not in t.names:
            return None
        if t.op == "step":
            inner = allowed
            if inner is None:
                return None
            return back(t.args[0], step(inner, OPPOSITE_OF[t.data]))
        if t.op == "either":
            if any(name not in a.names for a in t.args):
                return None
            parts = [back(a, allowed) for a in t.args]
            return None if any(p is None for p in parts) else either(*(p for p in parts if p is not None))
        if t.op == "both":
            moving = [a for a in t.args if name in a.names]
            if len(moving) != 1:
                return None
            fixed = [a for a in t.args if name not in a.names] + ([allowed] if allowed is not None else [])
            return back(moving[0], both(*fixed))
        if t.op == "without" and name not in t.args[1].names:
            return None if allowed is None else back(t.args[0], without(allowed, t.args[1]))
        return None

    return back(flag.args[0], None)


def _binds(term: Term, name: str) -> bool:
    """Whether a binder inside `term` already uses `name`."""
    return any(t.op == "where" and t.data == name for t in subterms(term))


def _flatten(op: str, parts: Iterable[Term]) -> list[Term]:
    return [t for p in parts for t in (p.args if p.op == op else (p,))]


def _unique(parts: Iterable[Term]) -> list[Term]:
    return list(dict.fromkeys(parts))


# -- walking terms ----------------------------------------------------------------------------------------------------------------


def subterms(*roots: Term) -> Iterator[Term]:
    """Every term below the roots once, operands before what uses them."""
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(t, False) for t in reversed(roots)]
    while stack:
        term, ready = stack.pop()
        if ready:
            yield term
        elif term not in seen:
            seen.add(term)
            stack.append((term, True))
            stack.extend((a, False) for a in reversed(term.args))


def rebuild(term: Term, leaf: Callable[[Term], Term], direction: Callable[[str], str] = lambda d: d) -> Term:
    """The same term with every `read` and every constant set replaced by `leaf` of it, and every direction renamed."""
    done: dict[Term, Term] = {}
    for t in subterms(term):
        a = [done[x] for x in t.args]
        if t.op in ("read", "sites"):
            done[t] = leaf(t)
        elif t.op == "where":
            done[t] = a[0] if a[0] is NOWHERE else _term("where", Sort.SITES, (a[0], a[1]), t.data)
        elif t.op == "step":
            done[t] = step(a[0], direction(t.data))
        elif t.op == "flood":
            done[t] = flood(a[0], a[1], map(direction, t.data))
        elif t.op == "count":
            done[t] = count(a[0], t.high)
        elif not a:
            done[t] = t
        else:
            done[t] = _BUILD[t.op](*a)
    return done[term]


_BUILD: dict[str, Callable[..., Term]] = {
    "either": either, "both": both, "without": without, "some": some, "no": no, "and_": and_, "or_": or_, "plus": plus,
    "minus": minus, "least": least, "at_most": at_most, "when": when,
}  # fmt: skip


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with variables and choices replaced by the terms in `values`."""
    if not (term.names & values.keys()):
        return term
    return rebuild(term, lambda t: values.get(t.data, t) if t.op == "read" else t)


def swap(term: Term) -> Term:
    """The same statement as seen by the other player: every `mine.x` becomes `theirs.x` and the other way round."""
    return rebuild(term, lambda t: read(swapped(t.data), t.sort, t.low, t.high) if t.op == "read" else t)


def swapped(name: str) -> str:
    """The name of the same variable for the other player; a neutral name is its own."""
    side, dot, rest = name.partition(".")
    other = {"mine": "theirs", "theirs": "mine"}.get(side)
    return f"{other}.{rest}" if other and dot else name


# -- back ends --------------------------------------------------------------------------------------------------------------------

V = TypeVar("V")


class Backend(Protocol[V]):
    """One way to make use of terms: a value for each operator. `V` stands for a set of sites, a flag and a number alike."""

    def sites(self, numbers: frozenset[int]) -> V: ...
    def either(self, *parts: V) -> V: ...
    def both(self, *parts: V) -> V: ...
    def without(self, a: V, b: V) -> V: ...
    def step(self, s: V, direction: str) -> V: ...
    def flood(self, seed: V, through: V, directions: tuple[str, ...]) -> V: ...
    def some(self, s: V) -> V: ...
    def count(self, s: V) -> V: ...
    def yes(self) -> V: ...
    def never(self) -> V: ...
    def no(self, flag: V) -> V: ...
    def and_(self, *flags: V) -> V: ...
    def or_(self, *flags: V) -> V: ...
    def number(self, n: int) -> V: ...
    def plus(self, *parts: V) -> V: ...
    def minus(self, a: V, b: V) -> V: ...
    def least(self, a: V, b: V) -> V: ...
    def at_most(self, a: V, b: V) -> V: ...
    def when(self, flag: V, a: V, b: V) -> V: ...
    def where(self, among: V, holds: Callable[[V], V]) -> V: ...


class Scope(Generic[V]):
    """Values of names, with what has been computed from them. An inner scope adds one bound member to an outer one.

    A term is kept in the innermost scope that gives it one of its names, so that what does not depend on a bound member is
    computed once and not again for each member.
    """

    __slots__ = ("known", "outer", "values")

    def __init__(self, values: Mapping[str, V], outer: Scope[V] | None = None) -> None:
        self.values, self.outer = values, outer
        self.known: dict[Term, V] = {}

    def home(self, term: Term) -> Scope[V]:
        """The scope whose names the term depends on."""
        scope = self
        while scope.outer is not None and not (term.names & scope.values.keys()):
            scope = scope.outer
        return scope


def fold(term: Term, backend: Backend[V], scope: Scope[V]) -> V:
    """The value of `term` in `backend`, with names taken from `scope`; an unknown name raises KeyError."""
    home = scope.home(term)
    if term in home.known:
        return home.known[term]
    value: V
    if term.op == "read":
        value = home.values[term.data]
    elif term.op == "where":
        name, body = term.data, term.args[1]
        value = backend.where(fold(term.args[0], backend, home), lambda x: fold(body, backend, Scope({name: x}, home)))
    else:
        operands = [fold(a, backend, home) for a in term.args]
        extra = () if term.data is None else (term.data,)
        value = getattr(backend, term.op)(*operands, *extra)
    home.known[term] = value
    return value


# -- choices, turns, endings, phases ----------------------------------------------------------------------------------------------


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
