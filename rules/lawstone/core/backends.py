"""Back ends: what terms are for. A class with one method an operator gives terms their values, and `fold` is the whole machinery.

Playing, printing, emitting code and asking a solver are each one such class; none of them knows a rule, and no rule knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

from lawstone.core.terms import Term

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
