"""What a program means: its answers compared with those of every reading and every misreading.

A reading explains a fault when it answers as the program does. The reading that explains most faults, and that the program's right
answers contradict least, is told first; what it leaves is explained by the next, until nothing more is explained.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lawstone.cases.adequacy import asked_of, rivals
from lawstone.cases.make import Candidate, Maker
from lawstone.cases.vector import Answer, Vector

if TYPE_CHECKING:
    from lawstone.cases.conform import Result

Matches = Callable[[Vector, Answer, Mapping[str, Any]], str]
MOST_CHECKED = 400
"""Right answers against which an explanation is checked."""


@dataclass(frozen=True)
class Cause:
    """A reading or misreading that explains some faults."""

    candidate: Candidate
    explains: tuple[str, ...]
    contradicted_by: tuple[str, ...]

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
        else:
            what = f"explained by one misreading, `{c.question}`"
        doubt = f" (but {len(self.contradicted_by)} of your right answers do not fit it)" if self.contradicted_by else ""
        return f"{share} {what}: {c.says.rstrip('.')}{doubt}."


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
    found: dict[str, tuple[Candidate, set[str], set[str]]] = {}
    for variant in dict.fromkeys(r.vector.variant or "" for r in wrong):
        for candidate, answering in rivals(maker, variant):
            explains = set()
            for r in wrong:
                if (r.vector.variant or "") == variant and r.given is not None:
                    answer = answering.answer(asked_of(r.vector))
                    refuses = answer is None and bool(r.given.get("error"))
                    if refuses or (answer is not None and not matches(r.vector, answer, r.given)):
                        explains.add(r.vector.id)
            if explains:
                against = _against(answering.answer, [r for r in right if (r.vector.variant or "") == variant], matches)
                known = found.setdefault(candidate.name, (candidate, set(), set()))
                known[1].update(explains)
                known[2].update(against)
    return _cover([r.vector.id for r in wrong], list(found.values()))


def _against(answer: Callable[[Any], Answer | None], right: Sequence[Result], matches: Matches) -> set[str]:
    """The right answers that a reading would not have given."""
    found = set()
    for r in right[:MOST_CHECKED]:
        other = answer(asked_of(r.vector))
        if other is not None and r.given is not None and other != r.vector.expect and matches(r.vector, other, r.given):
            found.add(r.vector.id)
    return found


def _cover(wrong: list[str], found: list[tuple[Candidate, set[str], set[str]]]) -> Diagnosis:
    left, causes = set(wrong), list[Cause]()
    while left:
        # A declared answer goes before a misreading that means the same.
        best = max(
            found, default=None,
            key=lambda f: (len(f[1] & left) - len(f[2]), -len(f[2]), f[0].kind == "question"),
        )  # fmt: skip
        if best is None or not best[1] & left or len(best[1] & left) <= len(best[2]):
            break
        explained = tuple(v for v in wrong if v in best[1] & left)
        causes.append(Cause(best[0], explained, tuple(sorted(best[2]))))
        left -= best[1]
    return Diagnosis(tuple(causes), len(wrong), tuple(v for v in wrong if v in left))
