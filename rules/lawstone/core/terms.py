"""What a term is: one node of a rule's meaning, made once for each form, so that `is` compares meanings of equal form.

Terms are immutable and have no truth value, because a rule must never be decided by Python while it is being built.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NoReturn


class Sort(StrEnum):
    """What a term stands for."""

    SITES = "sites"
    FLAG = "flag"
    NUMBER = "number"


class Term:
    """One node of a rule's meaning; build it with the operators (`core/operators.py`, `core/binder.py`), never directly.

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


def made(op: str, sort: Sort, args: tuple[Term, ...] = (), data: Any = None, span: tuple[int, int] = (0, 0)) -> Term:
    """The term of this operator, these operands and this data: the one that was made before, if there was one."""
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
