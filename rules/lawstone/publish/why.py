"""A question explained to somebody who does not program: what its answers mean, where they part, and how it is closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from lawstone.check import run
from lawstone.check.render import matters_words
from lawstone.check.report import Difference, Part, Recorded
from lawstone.check.shown import outcome_words
from lawstone.constructs.speech.phrases import Lexicon
from lawstone.engine.drawn import draw
from lawstone.engine.explain import explain
from lawstone.engine.game import Game, MoveError, Position
from lawstone.model.game import Differs, Question, Settled
from lawstone.model.tree import mark_of
from lawstone.publish import terms
from lawstone.publish.clauses import clause_of, sentence_of
from lawstone.spec import Spec

FEW = 6
"""So many moves are named."""


class Amendment(Part):
    """A clause as it stands, and as an answer makes it; `before` is empty where the answer brings it in, `after` where it goes."""

    rule: str
    before: str
    after: str


class Reading(Part):
    """One answer to a question: what it says, and what it changes in the rules."""

    answer: str
    says: str
    base: bool
    amendments: list[Amendment]


class Compared(Part):
    """Two readings side by side: the verdict, what each side may do where they part, how much it matters."""

    a: Reading
    b: Reading
    finding: Difference
    there: list[str]
    boards: list[tuple[str, str]]
    matters: str


class Closing(Part):
    """How an editor closes a question: where it stands, what to write there, and what says that it is closed."""

    file: str
    line: int
    ruling: str
    settled: str
    first: str
    command: str


class Why(Part):
    """All that is told about one question."""

    game: str
    title: str
    question: str
    variant: str
    ask: str
    remarks: list[str]
    status: str
    decided: list[str]
    compared: list[Compared]
    closing: Closing | None


@dataclass(frozen=True)
class Teller:
    """Tells about the questions of one game, in English; `recorded` are findings on record by key."""

    spec: Spec
    plan: run.Plan
    recorded: Mapping[str, Recorded]

    def why(self, question: Question, variant: str, only: str = "") -> Why:
        """A question with its answers, or with one of them beside the base answer."""
        spec, base = self.spec, self.spec.base_answer(question)
        answers = [a for a in question.answers if a != base and only in ("", base, a)]
        return Why(
            game=spec.id, title=spec.title, question=question.id, variant=variant, ask=spec.ask(question),
            remarks=list(self._remarks(question)), status=run.status_word(question), decided=list(self._decided(question)),
            compared=[self.compared(question, base, a, variant) for a in answers],
            closing=self._closing(question) if run.status_word(question) != "settled" else None,
        )  # fmt: skip

    def compared(self, question: Question, base: str, answer: str, variant: str) -> Compared:
        """Two answers side by side."""
        key = f"{variant or 'base'}/{question.id}/{base}/{answer}"
        found = run.difference(self.spec, question, base, answer, variant, self.plan, self.recorded.get(key))
        games = [Game(self.spec, self.spec.rules(variant, {question.id: x}, self.plan.board)) for x in (base, answer)]
        sides = [self._reading(question, x, variant) for x in (base, answer)]
        there = list(_there(found, games[0], games[1]))
        return Compared(
            a=sides[0], b=sides[1], finding=found, there=there, boards=list(_boards(found, games[0], games[1])),
            matters=_matters(found),
        )  # fmt: skip

    # -- the answers --------------------------------------------------------------------------------------------------------------

    @cached_property
    def _lexicon(self) -> Lexicon:
        found = terms.load(self.spec.path.parent.parent)
        return terms.Table(tuple(found.terms), "en", self.spec.id, found.names, found.nouns).lexicon

    def _reading(self, question: Question, answer: str, variant: str) -> Reading:
        spec, board = self.spec, self.plan.board
        first = next(iter(question.answers))
        plain = Game(spec, spec.rules(variant, {question.id: first}, board))
        changed = Game(spec, spec.rules(variant, {question.id: answer}, board))
        changes = [
            Amendment(rule=r, before=self._clause(plain, r), after=self._clause(changed, r)) for r in question.answers[answer]
        ]
        return Reading(
            answer=answer, says=spec.says(f"question.{question.id}.{answer}"), base=answer == first,
            amendments=[c for c in changes if c.before != c.after] or changes,
        )  # fmt: skip

    def _clause(self, game: Game, rule: str) -> str:
        return sentence_of(game, rule, self._lexicon) or clause_of(game, rule)

    # -- who decided --------------------------------------------------------------------------------------------------------------

    def _remarks(self, question: Question) -> Iterator[str]:
        for text in (self.spec.texts.get("en"), *self.spec.texts.values()):
            if text is not None and (entry := text.entries.get(f"question.{question.id}")) is not None:
                yield from (r for r in ([entry.remarks] if isinstance(entry.remarks, str) else entry.remarks) if r.strip())
                return

    def _decided(self, question: Question) -> Iterator[str]:
        spec, status = self.spec, question.status
        if question.ruling is not None:
            r = question.ruling
            yield f"{r.by} ruled on {r.when} that the answer is {r.answer} ({r.source}). Every command plays by it."
        elif isinstance(status, Settled):
            yield f"A source answers it with {next(iter(question.answers))}; it is kept because it is easily got wrong."
            yield from (run.cited(spec, c) for c in status.settled_by)
            if status.but:
                yield f"Not so, or not said, in {', '.join(status.but)}."
        elif isinstance(status, Differs):
            yield "The sources contradict one another:"
            yield from (run.cited(spec, c) for c in status.differs_in)
        else:
            yield "Nobody: no source that was read answers it, and there is no ruling."
            yield f"Until then every command plays by {next(iter(question.answers))}, the answer that stands first."
        yield from (f"concerns {run.cited(spec, c)}" for c in question.source or [] if c not in _cites(status))

    def _closing(self, question: Question) -> Closing:
        spec = self.spec
        at = next(i for i, q in enumerate(spec.game.questions or []) if q.id == question.id)
        mark = mark_of(spec.document, ("questions", at))
        answer = next(iter(question.answers))
        word = f'"{answer}"' if answer in ("yes", "no", "on", "off", "true", "false", "null") else answer
        variant = ["--variant", question.in_] if question.in_ not in (None, "base") else []
        return Closing(
            file=str(spec.path), line=mark.line,
            ruling=f'ruling: {{answer: {word}, by: WHO, when: "YYYY-MM-DD", source: WHERE IT CAN BE READ}}',
            settled='status: {settled by: ["SOURCE NUMBER"]}', first=answer,
            command=" ".join(["lawstone", "check", run.named(spec), "--question", question.id, *(v or "" for v in variant)]),
        )  # fmt: skip


def _cites(status: object) -> list[str]:
    if isinstance(status, Settled):
        return status.settled_by
    return status.differs_in if isinstance(status, Differs) else []


# -- where they part --------------------------------------------------------------------------------------------------------------


def _there(found: Difference, a: Game, b: Game) -> Iterator[str]:
    """What each side may do, or what follows, where the readings part."""
    if found.witness is None or found.level == "events":
        yield from (f"Under {x} ({side.answer}): {side.outcome}." for x, side in (("A", found.a), ("B", found.b)) if side.outcome)
        return
    moves = found.witness.moves
    p, q = a.replay(list(moves)), b.replay(list(moves))
    if found.level == "legal moves":
        yield f"It is the turn of {p.actor}{_phase(p)}. Under A there are {_legal(p)}, under B {_legal(q)}."
        for letter, side, other, at in (("A", found.a, "B", q), ("B", found.b, "A", p)):
            if side.only:
                more = f", and {len(side.only) - FEW} more" if len(side.only) > FEW else ""
                yield f"Only under {letter} ({side.answer}) may {p.actor} play {', '.join(side.only[:FEW])}{more}."
                yield from _refused(at, side.only[0], other)
        return
    last = f"After the last move, {moves[-1]}," if moves else "At the start"
    if found.level == "player to move":
        yield f"{last} {p.actor} acts next under A ({found.a.answer}), and {q.actor} under B ({found.b.answer})."
    elif found.level == "position":
        yield f"{last} the two boards are not the same, as drawn below."
    else:
        yield f"{last} under A ({found.a.answer}) {found.a.outcome}; under B ({found.b.answer}) {found.b.outcome}."
        if found.level == "reason":
            yield "So the result is the same, and only the rule that brings it about is another."
        for letter, x in (("A", p), ("B", q)):
            if x.outcome is None:
                yield f"Under {letter} it is then the turn of {x.actor}{_phase(x)}, with {_legal(x)}."


def _legal(position: Position) -> str:
    n = len(position.moves)
    return f"{n or 'no'} legal {'move' if n == 1 else 'moves'}"


def _phase(position: Position) -> str:
    return f" in the phase {position.phase}" if len(position.game.rules.phases) > 1 else ""


def _refused(position: Position, move: str, letter: str) -> Iterator[str]:
    """Which rule refuses a move under the other reading."""
    if position.outcome is not None:
        yield f"Under {letter} the game is over there: {outcome_words(position.game, position.outcome)}."
        return
    try:
        told = explain(position, move)
    except MoveError:
        return
    if not told.legal:
        yield f"Under {letter} {move} is refused by {told.rule}."


def _boards(found: Difference, a: Game, b: Game) -> Iterator[tuple[str, str]]:
    """Boards with a heading: the one where the readings part, a second one where they leave other pieces, what may be otherwise."""
    if found.witness is None or found.level == "events":
        return
    if found.level == "position":
        yield "under A", draw(a.replay(list(found.witness.moves)))
        yield "under B", draw(b.replay(list(found.witness.moves)))
    else:
        yield "", found.witness.board
    if found.witness.general is not None and found.witness.general.board:
        yield "What of this position does not matter", found.witness.general.board


def _matters(found: Difference) -> str:
    m = found.matters
    if m is None or not m.games:
        return ""
    told = matters_words(m)
    if not m.parted:
        return f"{told}. It needs play that random games do not find, so it will seldom come up unless somebody aims at it."
    often = "in most games" if m.parted > 0.5 else "often" if m.parted > 0.1 else "now and then" if m.parted > 0.01 else "rarely"
    weight = "it changes results" if m.changed + m.unplayable > 0.01 else "it seldom changes a result"
    return f"{told}. So it comes up {often} in random play, and {weight}."
