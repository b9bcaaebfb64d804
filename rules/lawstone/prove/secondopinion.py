"""A second opinion by Z3 on what was proved: the question as text, a fresh context, a bound on its work.

This is the one module that imports z3, which is an extra (`pip install lawstone[prove]`): where it is missing, that is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RLIMIT = 5_000_000
"""Z3's own measure of work, so that an answer does not depend on the machine."""


@dataclass(frozen=True)
class Opinion:
    """What Z3 answered (`absent`: it is not installed), which version, and under which bound."""

    answer: Literal["unsat", "sat", "unknown", "absent"]
    version: str = ""
    rlimit: int = 0

    def __str__(self) -> str:
        if self.answer == "absent":
            return "no second opinion: z3 is not installed"
        return f"z3 {self.version}: {self.answer}" + (f" (rlimit {self.rlimit})" if self.answer == "unknown" else "")


def ask_z3(text: str, rlimit: int = RLIMIT) -> Opinion:
    """What Z3 says of a question in SMT-LIB; nothing of it is kept from one question to the next."""
    try:
        import z3
    except ImportError:
        return Opinion("absent")
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", rlimit)
    solver.from_string(text)
    answer = str(solver.check())
    version = ".".join(map(str, z3.get_version()[:3]))
    return Opinion("unsat" if answer == "unsat" else "sat" if answer == "sat" else "unknown", version, rlimit)
