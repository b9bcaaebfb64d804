"""Terms made from terms: the same statement with other names, other sites, other directions, or seen by the other player."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lawstone.core.operators import (
    NOWHERE,
    and_,
    at_most,
    both,
    count,
    either,
    flood,
    least,
    minus,
    no,
    or_,
    plus,
    read,
    some,
    step,
    when,
    without,
)  # fmt: skip
from lawstone.core.terms import Sort, Term, made, subterms


def rebuild(term: Term, leaf: Callable[[Term], Term], direction: Callable[[str], str] = lambda d: d) -> Term:
    """The same term with every `read` and every constant set replaced by `leaf` of it, and every direction renamed."""
    done: dict[Term, Term] = {}
    for t in subterms(term):
        a = [done[x] for x in t.args]
        if t.op in ("read", "sites"):
            done[t] = leaf(t)
        elif t.op == "where":
            done[t] = a[0] if a[0] is NOWHERE else made("where", Sort.SITES, (a[0], a[1]), t.data)
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
