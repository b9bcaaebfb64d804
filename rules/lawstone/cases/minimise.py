"""A small suite out of a large one: every need met at least as often as it is worth, with as few and as short vectors as possible.

A need is something that a suite must do: tell a reading from the rules, decide by a rule, show a flag with a rule. Needs are met by
a greedy cover: the vector that meets most unmet needs for its length is taken next. A smaller cover may exist; finding the least
one is not worth its time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from lawstone.cases.vector import Vector

TIMES: Mapping[str, int] = {"kill": 2, "rule": 2, "flag": 1, "ask": 1, "open": 1}
"""How many vectors of the core suite meet a need, by its kind."""

Need = tuple[str, ...]


def needs_of(vector: Vector, killed: Iterable[str]) -> set[Need]:
    """The needs that a vector meets."""
    variant = vector.variant or ""
    found: set[Need] = {("kill", variant, name) for name in killed}
    found |= {("rule", variant, rule, vector.ask) for rule in vector.rules}
    found |= {
        ("flag", variant, flag, rule) for flag in vector.flags for rule in vector.rules if flag not in ("guided play", "symmetric")
    }
    found.add(("ask", variant, vector.ask, *vector.flags))
    return found


def cover(vectors: list[Vector], meets: Mapping[str, set[Need]]) -> list[Vector]:
    """Vectors that together meet every need as often as it is to be met, as far as there are vectors that do."""
    there = Counter(n for needs in meets.values() for n in needs)
    due = {n: min(TIMES.get(n[0], 1), there[n]) for n in there}
    taken: set[str] = set()
    rest = list(vectors)
    while rest:

        def worth(v: Vector) -> float:
            return sum(due[n] > 0 for n in meets[v.id]) / (4.0 + math.sqrt(len(v.moves)))

        best = max(rest, key=worth)
        if worth(best) == 0:
            break
        taken.add(best.id)
        for n in meets[best.id]:
            due[n] -= 1
        rest.remove(best)
    return [v for v in vectors if v.id in taken]
