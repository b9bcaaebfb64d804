"""The operators: plain functions from terms to terms, for sets of sites, for flags, and for numbers.

Each simplifies what can be told without a position (a union with nothing, a comparison of ranges that cannot overlap), so that
rules that say the same in simple ways come out as the same term. Nothing here is decided by a position.
"""

from __future__ import annotations

from collections.abc import Iterable

from lawstone.core.terms import Sort, Term, made

# -- sites ------------------------------------------------------------------------------------------------------------------------


def read(name: str, sort: Sort = Sort.SITES, low: int = 0, high: int = 0) -> Term:
    """A state variable, the sites picked by a choice, or the member bound by `where`; a number needs its range."""
    return made("read", sort, data=name, span=(low, high) if sort is Sort.NUMBER else (0, 0))


def sites(numbers: Iterable[int]) -> Term:
    """A constant set of sites, by number."""
    return made("sites", Sort.SITES, data=frozenset(numbers))


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
    return kept[0] if len(kept) == 1 else made("either", Sort.SITES, tuple(kept))


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
    return kept[0] if len(kept) == 1 else made("both", Sort.SITES, tuple(kept))


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
    return made("without", Sort.SITES, (a, b))


def step(s: Term, direction: str) -> Term:
    """Where the members of `s` arrive after one step; those that leave the board vanish."""
    return NOWHERE if s is NOWHERE else made("step", Sort.SITES, (s,), direction)


def flood(seed: Term, through: Term, directions: Iterable[str]) -> Term:
    """All of `through` that is reached from `seed` by steps over `through`, with the seed's own members in `through`."""
    return made("flood", Sort.SITES, (seed, through), tuple(directions))


# -- flags and numbers ------------------------------------------------------------------------------------------------------------

TRUE = made("yes", Sort.FLAG)
FALSE = made("never", Sort.FLAG)


def some(s: Term) -> Term:
    """The set has a member."""
    if _is_constant(s):
        return TRUE if s.data else FALSE
    return made("some", Sort.FLAG, (s,))


def no(flag: Term) -> Term:
    """The flag does not hold."""
    if flag is TRUE:
        return FALSE
    if flag is FALSE:
        return TRUE
    return flag.args[0] if flag.op == "no" else made("no", Sort.FLAG, (flag,))


def and_(*flags: Term) -> Term:
    """All of the flags hold; of nothing, true."""
    kept = _unique(t for t in _flatten("and_", flags) if t is not TRUE)
    if FALSE in kept:
        return FALSE
    if not kept:
        return TRUE
    return kept[0] if len(kept) == 1 else made("and_", Sort.FLAG, tuple(kept))


def or_(*flags: Term) -> Term:
    """At least one of the flags holds; of nothing, false."""
    kept = _unique(t for t in _flatten("or_", flags) if t is not FALSE)
    if TRUE in kept:
        return TRUE
    if not kept:
        return FALSE
    return kept[0] if len(kept) == 1 else made("or_", Sort.FLAG, tuple(kept))


def number(n: int) -> Term:
    """A constant number."""
    return made("number", Sort.NUMBER, data=n, span=(n, n))


def count(s: Term, most: int) -> Term:
    """The size of a set, which is at most `most` (the board's size, or a proved bound)."""
    if _is_constant(s):
        return number(len(s.data))
    return made("count", Sort.NUMBER, (s,), span=(0, most))


def plus(*parts: Term) -> Term:
    """The sum of the numbers; of nothing, zero."""
    flat = _flatten("plus", parts)
    fixed = sum(t.data for t in flat if t.op == "number")
    kept = [t for t in flat if t.op != "number"] + ([number(fixed)] if fixed else [])
    if not kept:
        return number(0)
    span = (sum(t.low for t in kept), sum(t.high for t in kept))
    return kept[0] if len(kept) == 1 else made("plus", Sort.NUMBER, tuple(kept), span=span)


def minus(a: Term, b: Term) -> Term:
    """`a - b`, never below zero: where the rules guarantee `a >= b` this is the plain difference, in every back end."""
    if b.op == "number" and b.data == 0:
        return a
    if a.op == "number" and b.op == "number":
        return number(max(0, a.data - b.data))
    return made("minus", Sort.NUMBER, (a, b), span=(max(0, a.low - b.high), max(0, a.high - b.low)))


def least(a: Term, b: Term) -> Term:
    """The smaller of two numbers."""
    if a is b or a.high <= b.low:
        return a
    return b if b.high <= a.low else made("least", Sort.NUMBER, (a, b), span=(min(a.low, b.low), min(a.high, b.high)))


def at_most(a: Term, b: Term) -> Term:
    """`a <= b`."""
    if a is b or a.high <= b.low:
        return TRUE
    return FALSE if a.low > b.high else made("at_most", Sort.FLAG, (a, b))


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
    return made("when", a.sort, (flag, a, b), span=span)


def _flatten(op: str, parts: Iterable[Term]) -> list[Term]:
    return [t for p in parts for t in (p.args if p.op == op else (p,))]


def _unique(parts: Iterable[Term]) -> list[Term]:
    return list(dict.fromkeys(parts))
