"""Questions that worker processes are asked in tests; they are found by name there, so they stand in a module of their own."""

from __future__ import annotations

import os
import time


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
