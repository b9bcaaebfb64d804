"""The core: what every rule means, written once.

Three sorts (a set of sites, a flag, a number), some twenty operators, and from them choices, turns, endings and phases. A term
says nothing about colours or layouts: state variables come in pairs `mine.x` and `theirs.x` (the player who acts, and the other
one) or are neutral, and sites are numbers from 0. Whatever a term is needed for (playing, printing, proving) is a back end: a
class with one method an operator, driven by `fold`.

    >>> from lawstone.core import both, read, some, step, without
    >>> stones, empty = read("mine.stone"), read("empty")
    >>> beside = both(step(stones, "north"), empty)      # the empty sites north of a stone of mine
    >>> some(beside)
    some(both(step(north, read(mine.stone)), read(empty)))
    >>> some(beside) is some(both(step(read("mine.stone"), "north"), read("empty")))
    True

Read in this order: `terms` (what a term is), `operators`, `turns` (what a game is made of), `backends` (what terms are for); then
`binder` and `rewriting`.
"""

# ruff: noqa: I001 (the modules in the order in which to read them)
# fmt: off
from lawstone.core.terms import Sort, Term, subterms
from lawstone.core.operators import (
    FALSE, NOWHERE, TRUE, and_, at_least, at_most, both, count, either, exactly, flood, least, minus, no, number, or_, plus,
    read, sites, some, step, when, without,
)
from lawstone.core.turns import Choice, Clause, Effect, Ending, Next, Phase, Result, Turn, can
from lawstone.core.backends import Backend, Scope, V, fold
from lawstone.core.binder import OPPOSITE_OF, where
from lawstone.core.rewriting import rebuild, substitute, swap, swapped

__all__ = [
    "FALSE", "NOWHERE", "OPPOSITE_OF", "TRUE", "Backend", "Choice", "Clause", "Effect", "Ending", "Next", "Phase", "Result",
    "Scope", "Sort", "Term", "Turn", "V", "and_", "at_least", "at_most", "both", "can", "count", "either", "exactly", "flood",
    "fold", "least", "minus", "no", "number", "or_", "plus", "read", "rebuild", "sites", "some", "step", "substitute",
    "subterms", "swap", "swapped", "when", "where", "without",
]
