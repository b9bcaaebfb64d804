"""An independent checker of clausal proofs: it imports nothing of the toolkit, and it never searches.

A proof is a list of clauses, each with the numbers of earlier clauses (hints) that force it: under the negation of the clause,
every hint in turn must have exactly one literal that is not yet false, which then holds, until the last one has none. The
clauses of the question are numbered from 1 in their order and the proof goes on from there, in the format LRAT without deletions
and without the RAT rule (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017). The last clause must be the empty one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Refused(ValueError):
    """The proof does not show that the clauses contradict each other; the message says at which step."""


def read_cnf(text: str) -> list[tuple[int, ...]]:
    """The clauses of a DIMACS file; its header must agree with them."""
    clauses: list[tuple[int, ...]] = []
    promised: tuple[int, int] | None = None
    for line in text.splitlines():
        if not line or line[0] == "c":
            continue
        if line[0] == "p":
            words = line.split()
            if promised is not None or len(words) != 4 or words[1] != "cnf":
                raise Refused(f"not a DIMACS header: {line[:60]!r}")
            promised = (_number(words[2]), _number(words[3]))
            continue
        clauses.append(_clause([_number(w) for w in line.split()]))
    if promised is None or len(clauses) != promised[1]:
        raise Refused(f"{len(clauses)} clauses, the header says otherwise")
    if any(abs(x) > promised[0] for c in clauses for x in c):
        raise Refused("a variable beyond those of the header")
    return clauses


def read_proof(text: str) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """The steps of an LRAT file: number, clause, hints."""
    steps = []
    for line in text.splitlines():
        numbers = [_number(w) for w in line.split()]
        if numbers.count(0) != 2 or numbers[-1] != 0:
            raise Refused(f"not a step of a proof: {line[:60]!r}")
        middle = numbers.index(0)
        steps.append((numbers[0], tuple(numbers[1:middle]), tuple(numbers[middle + 1 : -1])))
    return steps


def _number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise Refused(f"not a number: {word[:20]!r}") from None


def _clause(numbers: Sequence[int]) -> tuple[int, ...]:
    if not numbers or numbers[-1] != 0 or 0 in numbers[:-1]:
        raise Refused("a clause ends with one 0")
    return tuple(numbers[:-1])


def check(clauses: Sequence[tuple[int, ...]], steps: Iterable[tuple[int, tuple[int, ...], tuple[int, ...]]]) -> int:
    """How many steps the proof has; raises Refused where it is not one."""
    known = dict(enumerate(clauses, 1))
    made, done = 0, False
    for number, clause, hints in steps:
        if number <= len(known) and number in known:
            raise Refused(f"step {number}: the number is taken")
        false = {-x for x in clause}
        false, true = set(clause), false
        closed = False
        for hint in hints:
            if hint not in known:
                raise Refused(f"step {number}: there is no clause {hint}")
            open_ = [x for x in known[hint] if x not in false]
            if not open_:
                closed = True
                break
            if len(open_) > 1:
                raise Refused(f"step {number}: clause {hint} forces nothing")
            true.add(open_[0])
            false.add(-open_[0])
        if not closed and not any(-x in true for x in true):
            raise Refused(f"step {number}: the hints do not lead to a contradiction")
        known[number] = clause
        made, done = made + 1, not clause
    if not done:
        raise Refused("the proof does not end with the empty clause")
    return made
