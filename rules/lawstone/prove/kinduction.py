"""Two readings compared by induction over several moves, from any position under facts that are proved of all reachable ones.

If the readings treated the last k moves alike, they treat the next one alike; and no game of fewer moves tells them apart. Then no
game ever does. With k = 0 this is the comparison on all positions under the facts. Each question is one path of turns.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawstone.core import Term
from lawstone.lower import Asked, Rules
from lawstone.prove.ask import ask
from lawstone.prove.lemmas import Lemmas
from lawstone.prove.obligations import comparison

CONFLICTS = 20_000
DEEPEST, MOST = 3, 150
"""How many moves an induction looks back on, and how many questions it may take."""


@dataclass(frozen=True)
class Inductive:
    """What came of it: `proved` by looking back on `depth` moves, or the reason why not."""

    proved: bool
    depth: int
    facts: int
    questions: int
    why_not: str = ""

    def __str__(self) -> str:
        if not self.proved:
            return f"no proof ({self.why_not})"
        moves = "1 move" if self.depth == 1 else f"{self.depth} moves"
        return f"the same, over {moves} under {self.facts} facts ({self.questions} questions)"


def inductive(a: Rules, b: Rules, lemmas: Lemmas, reasons: bool = False, conflicts: int = CONFLICTS) -> Inductive:
    """Compare two readings whose turns can be compared (`free.comparable`), looking back on 0, 1, 2 and 3 moves in turn.

    `reasons` also tells endings apart that give the same result by another rule. A depth at which a question has a solution, is too
    hard, or supposes what cannot be, proves nothing, and the next is tried.
    """
    why = ""
    for depth in range(DEEPEST + 1):
        asked = met = 0
        for question in comparison(nothing_beside(a), b, (), True, depth, lemmas.proved, reasons):
            asked += 1
            answer = "unknown" if asked > MOST else ask(question.circuit, question.asserted, conflicts).verdict
            if answer != "no":
                too_many = f"more than {MOST} questions" if asked > MOST else ""
                why = f"{depth} moves back: {too_many or ('too hard' if answer == 'unknown' else question.about)}"
                break
            if not met and len(question.taken) == depth + 1:
                last = question.taken[-1][2]
                met += ask(question.circuit, [*question.hypotheses, last.legal], conflicts).verdict == "yes"
        else:
            if met:
                return Inductive(True, depth, len(lemmas.proved), asked)
            why = f"{depth} moves back: no legal move fulfils what is supposed"
        if asked > MOST:
            break
    return Inductive(False, 0, len(lemmas.proved), 0, why)


def nothing_beside(rules: Rules) -> Asked:
    """Rules of which nothing is asked beside them."""
    after: dict[tuple[str, int], dict[str, Term]] = {(p, n): {} for p, x in rules.phases.items() for n in range(len(x.turns))}
    return Asked(rules, {name: {} for name in rules.phases}, after)
