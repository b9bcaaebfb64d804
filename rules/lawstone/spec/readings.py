"""Readings: the questions and variants of a game, and the changes that answers to them make.

A set of changes is told by the way to it in the game file (a `Loc`), so that every fault can be shown where it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from lawstone.model.changes import CannotChange, apart_from, brought, changed, clashes, not_made, rule_ids
from lawstone.model.faults import Fault, hint_at, suggest
from lawstone.model.game import Game, Question
from lawstone.model.tree import Document, Loc, mark_of

Answers = Mapping[str, str]
"""Answers by question id; questions that are not named have their base answer, or the ruled one."""


class Usage(ValueError):
    """Something asked for that this game does not have: a variant, a question, an answer, another board size."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message + (f"; {hint}" if hint else ""))
        self.message, self.hint = message, hint


class Clash(Usage):
    """Two answers that cannot be combined; `answers` are the ways to both in the game file."""

    def __init__(self, paths: list[str], answers: tuple[Loc, Loc]) -> None:
        message = f"these answers cannot be combined: both change {', '.join(paths)}"
        super().__init__(message, "`together` in the game file may say what they mean at once")
        self.answers = answers


@dataclass(frozen=True, eq=False)
class Readings:
    """A game file with what its questions and variants change; `game` is the base game, checked."""

    path: Path
    document: Document
    game: Game

    @property
    def id(self) -> str:
        """The game's id."""
        return self.game.game

    def questions(self, variant: str = "") -> list[Question]:
        """The questions that are asked of the base game or of a variant."""
        here = {None, variant or "base", *self._lineage(variant)}
        return [q for q in self.game.questions or [] if q.in_ in here]

    def question(self, name: str) -> Question:
        """A question by its id."""
        known = [q.id for q in self.game.questions or []]
        for q in self.game.questions or []:
            if q.id == name:
                return q
        raise Usage(f"{self.id} has no question {name!r}", suggest(name, known))

    def base_answer(self, question: Question) -> str:
        """The answer that holds unless another is asked for: the ruled one, or the first."""
        return question.ruling.answer if question.ruling else next(iter(question.answers))

    def _lineage(self, variant: str) -> list[str]:
        """A variant and those it is based on, the base-most first."""
        found: list[str] = []
        known = self.game.variants or {}
        while variant and variant not in found:
            if variant not in known:
                raise Usage(f"{self.id} has no variant {variant!r}", suggest(variant, tuple(known)))
            found.insert(0, variant)
            variant = known[variant].based_on or ""
        return found

    def _change_sets(self, variant: str, answers: Answers) -> Iterator[Loc]:
        """The ways to the changes to be made, in order."""
        for name in self._lineage(variant):
            yield ("variants", name, "changes")
        asked = dict(answers)
        for i, q in enumerate(self.game.questions or []):
            answer = asked.pop(q.id, None)
            if answer is None:
                if q.ruling is None or q not in self.questions(variant):
                    continue
                answer = q.ruling.answer
            elif answer not in q.answers:
                raise Usage(f"the question {q.id!r} has no answer {answer!r}", suggest(answer, tuple(q.answers)))
            if q.answers[answer]:
                yield ("questions", i, "answers", answer)
        for name in asked:
            self.question(name)

    def _sets(self, variant: str, answers: Answers) -> tuple[Loc, ...]:
        """The ways to the changes of a reading, in order; raises Usage where they cannot be made together."""
        sets = self._with_together(tuple(self._change_sets(variant, answers)))
        changes = self._changes(sets)
        for one, other in combinations([loc for loc in sets if loc[0] != "variants"], 2):
            paths = clashes(changes[one], changes[other])
            if paths:
                raise Clash(paths, (one, other))
        return sets

    def _with_together(self, sets: tuple[Loc, ...]) -> tuple[Loc, ...]:
        """The ways to changes, with what two answers bring about together and without answers that then change nothing."""
        more, less = list[Loc](), set[Loc]()
        for n, pair in enumerate(self.game.together or []):
            both = self._pair(n)
            if not both <= set(sets):
                continue
            if pair.same_as is None:
                more.append(("together", n, "changes"))
            else:
                less |= {loc for loc in both if pair.same_as.get(self._asked(loc)) != loc[3]}
        return (*(loc for loc in sets if loc not in less), *more)

    def _asked(self, loc: Loc) -> str:
        """The question of the answer to which a way leads."""
        return (self.game.questions or [])[int(loc[1])].id

    def _pair(self, n: int) -> set[Loc]:
        """The ways to the two answers of an entry of `together`."""
        pair = (self.game.together or [])[n].answers
        return {("questions", i, "answers", pair[q.id]) for i, q in enumerate(self.game.questions or []) if q.id in pair}

    def _changes(self, sets: Iterable[Loc]) -> dict[Loc, Mapping[str, Any]]:
        """The changes of a reading by their ways: those of two answers give way to what the two mean together."""
        changes: dict[Loc, Mapping[str, Any]] = {loc: at(self.document.tree, loc) for loc in sets}
        for loc in [loc for loc in changes if loc[0] == "together"]:
            for answer in self._pair(int(loc[1])):
                changes[answer] = apart_from(changes[answer], changes[loc])
        return changes

    def _before(self, sets: tuple[Loc, ...]) -> tuple[Loc, ...]:
        """The sets of changes without the last one, and where that one is made for two answers, without these."""
        gone = self._pair(int(sets[-1][1])) if sets[-1][0] == "together" else ()
        return tuple(loc for loc in sets[:-1] if loc not in gone)

    def _changed(self, sets: tuple[Loc, ...]) -> tuple[Any, tuple[Fault, ...]]:
        """The file's tree after some changes: those of variants in order, then those of answers, what others bring first.

        What two answers mean together is made before single answers, so that the conditions that these add reach it.
        Also the faults of the first changes that cannot be made.
        """
        tree: Any = self.document.tree
        changes = self._changes(sets)
        brings = {loc: brought(changes[loc]) for loc in sets if loc[0] != "variants"}

        def others(loc: Loc) -> set[str]:
            return {rule for other, rules in brings.items() if other != loc for rule in rules}

        def order(loc: Loc) -> tuple[bool, bool, bool]:
            late = loc in brings and bool(changes[loc].keys() & others(loc))
            return loc in brings, late, loc[0] == "questions"

        there: set[str] | None = None
        made: list[Any] = []
        for loc in sorted(sets, key=order):
            refused: list[CannotChange] = []
            if loc not in brings:
                tree = changed(tree, changes[loc], refused)
            else:
                there = set(rule_ids(tree)) if there is None else there
                elsewhere = self._brought_by_answers - there
                if changes[loc].keys() & others(loc):
                    elsewhere = elsewhere | there
                tree = changed(tree, not_made(changes[loc], made), refused, elsewhere)
                made.append(changes[loc])
            if refused:
                return tree, tuple(_cannot(self.document, loc, error) for error in refused)
        return tree, ()

    @cached_property
    def _brought_by_answers(self) -> set[str]:
        """The ids of all clauses that some answer brings inside others."""
        answers = [a for q in self.document.tree.get("questions") or [] for a in (q.get("answers") or {}).values()]
        return {rule for answer in answers if answer for rule in brought(answer)}


def _cannot(document: Document, loc: Loc, error: CannotChange) -> Fault:
    mark = mark_of(document, (*loc, *error.path), key=True)
    return mark.fault("unknown-rule", str(error), hint_at(error.given, error.known) if error.given else "")


def at(tree: Any, loc: Loc) -> Any:
    """The part of a tree to which a way leads."""
    for part in loc:
        tree = tree[part]
    return tree
