"""Questions that worker processes are asked in tests; they are found by name there, so they stand in a module of their own."""

from __future__ import annotations

import os
import time

from lawstone.prove.ask import limited
from lawstone.work import bounds


class Awkward(Exception):
    """An exception that cannot be carried to another process."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__(f"{a} and {b}")


def square(n: int) -> int:
    return n * n


def slow_first(n: int) -> int:
    """The first question is answered last."""
    time.sleep(0.6 if n == 0 else 0)
    return n


def dies_at_three(n: int) -> str:
    if n == 3:
        os._exit(9)
    return str(n)


def raises(n: int) -> int:
    raise ValueError(f"no {n}")


def raises_awkwardly(n: int) -> int:
    raise Awkward(n, n)


def process_of(n: int) -> int:
    return os.getpid()


def said(n: int, reason: str) -> str:
    return f"{n} was lost: {reason}"


def never_lost(n: int, reason: str) -> int:
    raise AssertionError(f"{n} was lost: {reason}")


def counts_for_ever(n: int) -> int:
    """Work that comes round, and never ends by itself."""
    while True:
        n += 1
        bounds.check()


def never_comes_round(n: int) -> int:
    while True:
        n += 1


def grows_for_ever(n: int) -> str:
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
        bounds.check()


def solves_for_ever(n: int) -> bool | None:
    """Pigeons in holes, a formula on which every such solver takes ages: more pigeons than holes, each in one, none together."""
    from pysat.solvers import Glucose4

    def at(pigeon: int, hole: int) -> int:
        return pigeon * n + hole + 1

    each = [[at(p, h) for h in range(n)] for p in range(n + 1)]
    apart = [[-at(p, h), -at(q, h)] for h in range(n) for q in range(n + 1) for p in range(q)]
    with Glucose4(bootstrap_with=[*each, *apart]) as solver:
        return limited(solver, 1 << 40)


def slow(n: int) -> int:
    """A question that takes a while, so that a worker can be lost meanwhile."""
    time.sleep(0.4)
    return n
