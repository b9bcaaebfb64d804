"""What a program means: its answers compared with those of every reading and every misreading.

A reading explains a fault when it answers as the program does. The reading that explains most faults, and that the program's right
answers contradict least, is told first; what it leaves is explained by the next, until nothing more is explained.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from lawstone.cases.adequacy import asked_of, rivals
from lawstone.cases.answer import Answering, Unplayable
from lawstone.cases.make import Candidate, Maker, same_board
from lawstone.cases.mistakes import kept_misreadings
from lawstone.cases.slips import slips
from lawstone.cases.vector import Answer, Vector
from lawstone.engine.game import Game
from lawstone.model.changes import clashes
from lawstone.model.faults import BadInput
from lawstone.spec import Usage

if TYPE_CHECKING:
    from lawstone.cases.conform import Result

Matches = Callable[[Vector, Answer, Mapping[str, Any]], str]
MOST_COMBINED = 5
"""Causes that are tried two at a time for what is left."""
DOUBT = 20
"""Faults that a reading must explain for each right answer that it would not have given."""
MOST_CHECKED = 400
"""Right answers against which an explanation is checked."""


@dataclass(frozen=True)
class Cause:
    """A reading or misreading that explains some faults; or two of them at once."""

    candidate: Candidate
    explains: tuple[str, ...]
    contradicted_by: tuple[str, ...]
    others: tuple[str, ...] = ()
    """Names of readings that explain the same faults and fit the right answers as well."""

    def sentence(self, of: int) -> str:
        """The finding in one sentence."""
        c, n = self.candidate, len(self.explains)
        share = (
            f"all {of} failures are"
            if n == of and of > 1
            else "the one failure is"
            if n == of
            else f"{n} of {of} failures {'are' if n > 1 else 'is'}"
        )
        if c.kind == "question":
            what = f"explained by a reading: you play answer `{c.answer}` of question `{c.question}`"
        elif c.kind == "both":
            what = f"explained by two of these at once, {c.question}"
        elif c.kind == "slip":
            what = f"explained by a slip, `{c.question}`"
        else:
            what = f"explained by one misreading, `{c.question}`"
        says = f": {c.says.rstrip('.')}" if c.says else ""
        doubt = f" (but {len(self.contradicted_by)} of your right answers do not fit it)" if self.contradicted_by else ""
        also = f" (as well as by {', '.join(f'`{o}`' for o in self.others[:4])})" if self.others else ""
        return f"{share} {what}{also}{says}{doubt}."


@dataclass(frozen=True)
class Diagnosis:
    """What explains the faults, and those that nothing explains."""

    causes: tuple[Cause, ...]
    failures: int
    unexplained: tuple[str, ...]

    def sentences(self) -> list[str]:
        """The findings in words."""
        told = [c.sentence(self.failures) for c in self.causes]
        if self.unexplained:
            told.append(f"{len(self.unexplained)} of {self.failures} failures fit no reading and no misreading that is known.")
        return told

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "causes": [
                {"kind": c.candidate.kind, "name": c.candidate.name,
                 "question": c.candidate.question if c.candidate.answer else None,
                 "answer": c.candidate.answer or None, "says": c.candidate.says, "explains": list(c.explains),
                 "as well": list(c.others),
                 "contradicted by": list(c.contradicted_by), "sentence": c.sentence(self.failures)}
                for c in self.causes
            ],
            "failures": self.failures, "unexplained": list(self.unexplained),
        }  # fmt: skip


def diagnose(maker: Maker, results: Sequence[Result], matches: Matches) -> Diagnosis | None:
    """What explains the wrong answers among some results; None where there are none."""
    wrong = [r for r in results if r.verdict == "wrong" and r.given is not None]
    if not wrong:
        return None
    right = [r for r in results if r.verdict == "right" and r.given is not None]
    found: dict[str, _Explains] = {}
    for variant in dict.fromkeys(r.vector.variant or "" for r in wrong):
        for candidate, answering in rivals(maker, variant):
            _add(found, candidate, answering, variant, wrong, right, matches)
    for variant in dict.fromkeys(r.vector.variant or "" for r in wrong):
        # A mistake in what a variant keeps is no misreading of its own: it is looked for where the base game shows it.
        names = {f.candidate.name for f in found.values() if f.candidate.kind == "misreading"}
        for candidate in kept_misreadings(maker.spec, variant, names) if variant else ():
            if same_board(candidate.game, maker.base(variant).game):
                _add(found, candidate, Answering(candidate.game, maker.base(variant)), variant, wrong, right, matches)
    done = _cover([r.vector.id for r in wrong], list(found.values()))
    if done.unexplained:
        for variant in dict.fromkeys(r.vector.variant or "" for r in wrong):
            for candidate in slips(maker.spec, variant, maker.size):
                if same_board(candidate.game, maker.base(variant).game):
                    answering = Answering(candidate.game, maker.base(variant))
                    _add(found, candidate, answering, variant, wrong, right, matches)
        done = _cover([r.vector.id for r in wrong], list(found.values()))
    return _together(maker, done, wrong, right, matches) if done.unexplained and len(done.causes) > 1 else done


@dataclass
class _Explains:
    """A candidate with the faults that it explains and the right answers that it would not have given."""

    candidate: Candidate
    explains: set[str]
    against: set[str]


def _add(
    found: dict[str, _Explains], candidate: Candidate, answering: Answering, variant: str, wrong: Sequence[Result],
    right: Sequence[Result], matches: Matches,
) -> None:  # fmt: skip
    explains = set()
    for r in wrong:
        if (r.vector.variant or "") == variant and r.given is not None:
            answer = answering.answer(asked_of(r.vector))
            refuses = answer is None and _refuses(answering, r.vector, str(r.given.get("error") or ""))
            if refuses or (answer is not None and not matches(r.vector, answer, r.given)):
                explains.add(r.vector.id)
    if explains:
        against = _against(answering.answer, [r for r in right if (r.vector.variant or "") == variant], matches)
        known = found.setdefault(candidate.name, _Explains(candidate, set(), set()))
        known.explains |= explains
        known.against |= against


def _refuses(answering: Answering, vector: Vector, told: str) -> bool:
    """Whether a reading refuses the game of a vector, at the move that a program names as it refuses it, if it names one."""
    if not told:
        return False
    line = (*vector.moves, vector.move) if vector.ask == "after" and vector.move else tuple(vector.moves)
    named = {m for m in line if m in told}
    for n, move in enumerate(line):
        try:
            answering.position(line[: n + 1])
        except Unplayable:
            return not named or move in named
    return False


def _against(answer: Callable[[Any], Answer | None], right: Sequence[Result], matches: Matches) -> set[str]:
    """The right answers that a reading would not have given."""
    found = set()
    for r in right[:MOST_CHECKED]:
        other = answer(asked_of(r.vector))
        if other is not None and r.given is not None and other != r.vector.expect and matches(r.vector, other, r.given):
            found.add(r.vector.id)
    return found


def _cover(wrong: list[str], found: list[_Explains]) -> Diagnosis:
    left, causes = set(wrong), list[Cause]()
    fitting = [f for f in found if len(f.against) * DOUBT <= len(f.explains)]
    while left:
        # A declared answer goes before a misreading that means the same.
        best = max(
            fitting, default=None,
            key=lambda f: (len(f.explains & left) - len(f.against), -len(f.against), f.candidate.kind == "question"),
        )  # fmt: skip
        if best is None or not best.explains & left:
            break
        explained = tuple(v for v in wrong if v in best.explains & left)
        others = tuple(
            f.candidate.name for f in fitting
            if f is not best and f.explains >= best.explains & left and len(f.against) <= len(best.against)
        )  # fmt: skip
        causes.append(Cause(best.candidate, explained, tuple(sorted(best.against)), others))
        left -= best.explains
    return Diagnosis(tuple(causes), len(wrong), tuple(v for v in wrong if v in left))


def _together(maker: Maker, done: Diagnosis, wrong: Sequence[Result], right: Sequence[Result], matches: Matches) -> Diagnosis:
    """What is left of the faults, explained by two of the causes at once: a program may be wrong in more than one way."""
    left = [r for r in wrong if r.vector.id in done.unexplained]
    found: dict[str, _Explains] = {}
    for a, b in combinations([c.candidate for c in done.causes[:MOST_COMBINED]], 2):
        for variant in dict.fromkeys(r.vector.variant or "" for r in left):
            both = combined(maker, variant, a, b)
            if both is not None:
                _add(found, both, Answering(both.game, maker.base(variant)), variant, left, right, matches)
    more = _cover([r.vector.id for r in left], list(found.values()))
    return Diagnosis((*done.causes, *more.causes), done.failures, more.unexplained)


def combined(maker: Maker, variant: str, a: Candidate, b: Candidate) -> Candidate | None:
    """Two readings made one; None where they cannot be combined."""
    if a.kind == b.kind == "question":
        return _both_answers(maker, variant, a, b)
    if clashes(a.changes, b.changes):
        return None
    changes = dict(a.changes)
    for rule, change in b.changes.items():
        known = changes.get(rule)
        changes[rule] = {**known, **change} if isinstance(known, dict) and isinstance(change, dict) else change
    try:
        game = Game(maker.spec, maker.spec.rules_with(changes, variant, maker.size))
    except (BadInput, Usage):
        return None
    return Candidate("both", f"`{a.name}` and `{b.name}`", "", "", game, (*a.rules, *b.rules), changes)


def _both_answers(maker: Maker, variant: str, a: Candidate, b: Candidate) -> Candidate | None:
    """The reading of two answers; None where they answer the same question or cannot be combined."""
    if a.question == b.question:
        return None
    try:
        game = Game(maker.spec, maker.spec.rules(variant, {a.question: a.answer, b.question: b.answer}, maker.size))
    except (BadInput, Usage):
        return None
    return Candidate("both", f"`{a.name}` and `{b.name}`", "", "", game, (*a.rules, *b.rules))
