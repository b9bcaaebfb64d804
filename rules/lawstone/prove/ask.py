"""Putting a question to a SAT solver in this process, with a bound on its work and, where it says no, a proof.

The bound is a number of conflicts, so that an answer does not depend on the machine. A proof is a list of clauses (DRAT) that an
independent checker re-checks against the same CNF.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from lawstone.prove.circuit import Circuit
from lawstone.work import bounds

SOLVER = "glucose4"
CONFLICTS = 200_000
"""Conflicts after which a question is given up, unless a caller says otherwise."""


def solver_of(**given: Any) -> Any:
    """A fresh solver; it is imported only here, so that records are re-checked without one."""
    from pysat.solvers import Solver

    return Solver(name=SOLVER, **given)


def limited(solver: Any, conflicts: int, assumptions: Sequence[int] = ()) -> bool | None:
    """The solver's answer within so many conflicts; None where it gave up. Raises Spent when a bound of the question is reached."""
    solver.conf_budget(conflicts)
    with bounds.interrupting(solver.interrupt):
        found: bool | None = solver.solve_limited(assumptions=list(assumptions), expect_interrupt=True)
    bounds.check()
    return found


@dataclass(frozen=True)
class Answer:
    """`yes` with a solution, `no` (proved), or `unknown` (the bound was reached)."""

    verdict: Literal["yes", "no", "unknown"]
    true: frozenset[int] = frozenset()
    clauses: int = 0
    conflicts: int = 0
    seconds: float = 0.0

    def holds(self, literal: int) -> bool:
        """The value of a literal in the solution; gates that the question did not need are false."""
        return literal in self.true if literal > 0 else -literal not in self.true


class Source(Protocol):
    """What answers questions in the place of a solver."""

    def answer(self, circuit: Circuit, asserted: Sequence[int], conflicts: int) -> Answer:
        """Is there an assignment of the inputs under which all asserted literals hold?"""


_source: ContextVar[Source | None] = ContextVar("source", default=None)


@contextmanager
def answered_by(source: Source | None) -> Iterator[None]:
    """Let `source` answer every question that is put meanwhile; None: a solver again."""
    token = _source.set(source)
    try:
        yield
    finally:
        _source.reset(token)


def cnf(circuit: Circuit, asserted: Iterable[int]) -> list[list[int]]:
    """The clauses that say that all asserted literals hold."""
    roots = list(asserted)
    return [*circuit.clauses(circuit.cone([1, *roots])), *([r] for r in roots)]


def ask(circuit: Circuit, asserted: Iterable[int], conflicts: int = CONFLICTS) -> Answer:
    """Is there an assignment of the inputs under which all asserted literals hold?"""
    roots = list(asserted)
    if -1 in roots:
        return Answer("no")
    source = _source.get()
    if source is not None:
        return source.answer(circuit, roots, conflicts)
    clauses = cnf(circuit, roots)
    began = time.process_time()
    with solver_of(bootstrap_with=clauses) as solver:
        found = limited(solver, conflicts)
        used = solver.accum_stats().get("conflicts", 0)
        seconds = time.process_time() - began
        if found is None:
            return Answer("unknown", clauses=len(clauses), conflicts=used, seconds=seconds)
        if not found:
            return Answer("no", clauses=len(clauses), conflicts=used, seconds=seconds)
        model: Sequence[int] = solver.get_model() or []
        return Answer("yes", frozenset(x for x in model if x > 0), len(clauses), used, seconds)


def proof(clauses: list[list[int]]) -> list[str] | None:
    """A clausal proof (DRAT) that the clauses cannot all hold; None when they can."""
    with solver_of(bootstrap_with=clauses, with_proof=True) as solver:
        return None if solver.solve() else list(solver.get_proof() or [])


def learnt_by(solver: Any) -> list[tuple[int, ...]]:
    """What a solver that keeps a proof learnt on the way to a no, in its order; deletions are left out."""
    lines = map(str.split, solver.get_proof() or [])
    return [tuple(int(w) for w in line[:-1]) for line in lines if line and line[0] != "d"]


class Asking:
    """Questions about a growing circuit, asked under assumptions: of a solver kept open, or of what answers in its place."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.held: list[int] = []
        self.solver: Any = None if _source.get() is not None else solver_of(bootstrap_with=[[1]])
        self.told = {1}

    def add(self, literals: Iterable[int]) -> None:
        """Make gates known to the solver."""
        if self.solver is not None:
            fresh = [g for g in self.circuit.cone(literals) if g not in self.told]
            self.told |= set(fresh)
            for clause in self.circuit.clauses(fresh):
                self.solver.add_clause(clause)

    def must(self, literals: Iterable[int]) -> None:
        """Assert literals for good."""
        listed = list(literals)
        self.held += listed
        self.add(listed)
        if self.solver is not None:
            for x in listed:
                self.solver.add_clause([x])

    def ask(self, assumed: Iterable[int], conflicts: int = CONFLICTS) -> Answer:
        """Is there a solution under the assumptions?"""
        listed = list(assumed)
        if self.solver is None:
            return ask(self.circuit, [*self.held, *listed], conflicts)
        self.add(listed)
        began = time.process_time()
        found = limited(self.solver, conflicts, listed)
        seconds = time.process_time() - began
        if found is None:
            return Answer("unknown", seconds=seconds)
        if not found:
            return Answer("no", seconds=seconds)
        return Answer("yes", frozenset(x for x in self.solver.get_model() or [] if x > 0), seconds=seconds)

    def close(self) -> None:
        """Free the solver."""
        if self.solver is not None:
            self.solver.delete()
