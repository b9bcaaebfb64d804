"""A game in words, as data: what `show` prints for people and writes for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lawstone.check.examples import begin
from lawstone.cli.shared import cites, game_json
from lawstone.constructs import conditions, steps
from lawstone.engine.drawn import BadPosition, draw, position_text
from lawstone.engine.game import Game, MoveError
from lawstone.lower import walk
from lawstone.model.companions import Example
from lawstone.model.faults import BadInput
from lawstone.model.game import (
    Differs,
    EndingClause,
    Event,
    PhaseClause,
    PictureShape,
    Question,
    Settled,
)
from lawstone.model.steps import Do, Step, StepClause
from lawstone.publish.clauses import by_id, clause_of, ending_clause, event_clause, home, said, shape_clause
from lawstone.spec import Spec

Words = dict[str, Any]
"""What is said about one thing."""


def game_words(game: Game, language: str) -> Words:
    """The whole game."""
    spec, rules = game.spec, game.rules
    file, text = rules.game, spec.texts.get(language)
    teller = _Teller(game, language)
    setup = [teller.rule(e) for e in (text.entries if text else ()) if e.startswith("setup.")]
    return {
        **game_json(game),
        "title": file.title.get(language) or spec.title,
        "file": _near(spec.path),
        "introduction": text.introduction if text else "",
        "setup": setup,
        "board words": _board_words(game),
        "players": list(file.players),
        "colours": list(rules.words.colours),
        "acts first": rules.words.players[rules.start_seat],
        "pieces": list(_pieces(game)),
        "phases": [teller.phase(name, clause) for name, clause in _phases(game)],
        "start phase": file.start_phase or next(iter(name for name, _ in _phases(game))),
        "shapes": list(teller.shapes()),
        "endings": [teller.ending(clause) for clause in _endings(game)],
        "events": [teller.event(event) for event in file.events or []],
        "variants": [
            {"id": name, "title": v.title.get(language) or next(iter(v.title.values())), "based on": v.based_on,
             "says": spec.says(f"variant.{name}", language), "changes": list(v.changes)}
            for name, v in (spec.game.variants or {}).items()
        ],
        "questions": [question_words(spec, q, language) for q in spec.questions(rules.variant)],
        "start": position_text(game.start()),
    }  # fmt: skip


def _near(path: Path) -> str:
    """A path, from the working folder where it lies in it."""
    whole = path.resolve()
    return str(whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else path)


def _phases(game: Game) -> Iterator[tuple[str, PhaseClause]]:
    listed = dict(game.rules.game.phases or {})
    if game.rules.game.turn is not None:
        listed.setdefault("main", PhaseClause(turn=game.rules.game.turn))
    first = game.rules.game.start_phase
    yield from sorted(listed.items(), key=lambda item: item[0] != first)


def _endings(game: Game) -> list[EndingClause]:
    order = {rule: i for i, rule in enumerate(game.rules.game.order or [])}
    return sorted(game.rules.game.end, key=lambda e: order.get(e.rule, len(order)))


def _board_words(game: Game) -> str:
    board = game.rules.board
    places = "points" if board.drawn_on == "points" else "cells"
    match board.kind:
        case "grid":
            told = f"{board.width} columns and {board.height} rows, {board.size} {places}"
        case "hexagon":
            told = f"a hexagon of {board.size} cells, {game.rules.game.board.hexagon} along each edge"
        case _:
            told = f"{board.size} points on {len(game.rules.game.board.lines or [])} lines"
    return told + ("; the size is a parameter" if game.rules.game.board.resizable else "")


def _pieces(game: Game) -> Iterator[Words]:
    for name, tokens in game.tokens.items():
        piece = next(p for p in game.rules.game.pieces if name == p or name.startswith(p + " "))
        clause = game.rules.game.pieces[piece]
        if tokens[1] is None:
            yield {"piece": name, "of": "nobody", "written": tokens[0], "hand": None}
            continue
        hand = clause.hand
        for owner, token in zip(game.owner_names(name), tokens, strict=True):
            n = hand.get(owner, 0) if isinstance(hand, dict) else hand
            yield {"piece": name, "of": owner, "written": token, "hand": n}


class _Teller:
    """Says the parts of one game in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game, self.spec, self.language = game, game.spec, language
        self.told: set[str] = set()

    def rule(self, rule: str | None) -> Words:
        """A rule's id, title and sentence."""
        return rule_words(self.spec, rule, self.language)

    def phase(self, name: str, clause: PhaseClause) -> Words:
        """A phase with its turns and with what follows it."""
        listed = clause.then or []
        return {
            "phase": name,
            "first": clause.first,
            "script": clause.script is not None,
            "steps": [self.step(s) for s in clause.turn or clause.script or []],
            "until": None if clause.until is None else self.condition(clause.until),
            "then": [
                {
                    **self.rule(t.rule),
                    "if": None if t.if_ is None else conditions.say(t.if_),
                    "go": t.go,
                    "first": t.first,
                }
                for t in (listed if isinstance(listed, list) else [listed])
            ],
        }

    def condition(self, condition: Any) -> Words:
        """A condition with its rule."""
        return {**self.rule(getattr(condition, "rule", None)), "clause": conditions.say(condition)}

    def step(self, step: Step) -> Words:
        """A step, with the clauses inside it that have ids of their own."""
        if isinstance(step, Do):
            inner = (self.game.rules.game.steps or {}).get(step.do, [])
            again = step.do in self.told
            self.told.add(step.do)
            return {
                **self.rule(step.rule),
                "clause": steps.say(step),
                "again": again,
                "parts": [] if again else [self.step(s) for s in inner],
            }
        return {**self.rule(step.rule), "clause": steps.say(by_id(step)), "parts": list(self._parts(step))}

    def _parts(self, step: StepClause) -> Iterator[Words]:
        for part in walk(step):
            if part is step or getattr(part, "rule", None) is None:
                continue
            yield {**self.rule(getattr(part, "rule", None)), "clause": said(part)}

    def shapes(self) -> Iterator[Words]:
        """Every shape with the number of places in which it can stand."""
        places = Counter(copy.shape for copy in self.game.rules.copies)
        for name, shape in (self.game.rules.game.shapes or {}).items():
            picture = shape.picture if isinstance(shape, PictureShape) else None
            yield {
                **self.rule(shape.rule), "shape": name, "clause": shape_clause(shape), "picture": picture,
                "worth": shape.worth, "places": places[name],
            }  # fmt: skip

    def ending(self, ending: EndingClause) -> Words:
        """An ending with its result."""
        phases = [ending.in_] if isinstance(ending.in_, str) else ending.in_
        return {**self.rule(ending.rule), "clause": ending_clause(ending), "phases": phases}

    def event(self, event: Event) -> Words:
        """An event with its effect."""
        return {**self.rule(event.rule), "event": event.name, "clause": event_clause(event)}


def rule_words(spec: Spec, rule: str | None, language: str) -> Words:
    """A rule's id, with its title and sentence in a language, else in another one."""
    if rule is None:
        return {"rule": None, "title": "", "says": ""}
    for text in (spec.texts.get(language), *spec.texts.values()):
        if text is not None and rule in text.entries:
            return {"rule": rule, "title": text.entries[rule].title, "says": text.entries[rule].says}
    return {"rule": rule, "title": "", "says": ""}


def question_words(spec: Spec, question: Question, language: str) -> Words:
    """A question with its answers and its status."""
    status = question.status
    told: str
    if isinstance(status, Settled):
        told = f"settled by {', '.join(status.settled_by)}" + (f", but not in {', '.join(status.but)}" if status.but else "")
    elif isinstance(status, Differs):
        told = f"differs in {', '.join(status.differs_in)}"
    else:
        told = str(status)
    base = spec.base_answer(question)
    return {
        "question": question.id,
        "ask": spec.ask(question, language),
        "status": told,
        "in": question.in_,
        "ruling": question.ruling.model_dump() if question.ruling else None,
        "source": question.source or [],
        "answers": [
            {
                "answer": answer,
                "base": answer == base,
                "title": rule_words(spec, f"question.{question.id}.{answer}", language)["title"],
                "says": spec.says(f"question.{question.id}.{answer}", language),
                "changes": list(question.answers[answer]),
            }
            for answer in question.answers
        ],
    }


# -- one rule --------------------------------------------------------------------------------------------------------


def rule_page(game: Game, rule: str) -> Words:
    """Everything about one rule: its prose in all languages, its clause, its sources, its examples, its questions."""
    spec = game.spec
    prose = [
        {"language": language, "title": entry.title, "says": entry.says, "remarks": entry.remarks}
        for language, text in spec.texts.items()
        if (entry := text.entries.get(rule)) is not None
    ]
    authentic = spec.game.authentic
    prose.sort(key=lambda p: (p["language"] != authentic, p["language"]))
    found_in, there = home(game, rule)
    return {
        "rule": rule,
        "found in": found_in,
        "authentic": authentic,
        "prose": prose,
        "clause": clause_of(there, rule),
        "sources": cites(spec, rule),
        "examples": [_example_words(spec, e) for e in spec.examples if rule in e.shows],
        "questions": [q.id for q in spec.game.questions or [] if _is_about(q, rule)],
    }


def _is_about(question: Question, rule: str) -> bool:
    if rule in (f"question.{question.id}", *(f"question.{question.id}.{a}" for a in question.answers)):
        return True
    return any(rule in changes for changes in question.answers.values())


def _example_words(spec: Spec, example: Example) -> Words:
    try:
        position = begin(spec, example)
        board = draw(position)
    except (BadPosition, BadInput, MoveError):
        board = ""
    fields = ("variant", "reading", "after", "moves", "legal", "illegal", "count", "play", "acts", "enters")
    told = {f: getattr(example, f) for f in fields if getattr(example, f) is not None}
    outcome = example.outcome
    if outcome is not None:
        told["outcome"] = outcome if isinstance(outcome, str) else outcome.model_dump(exclude_none=True, exclude_defaults=True)
    return {
        "example": example.id,
        "title": example.title.get("en") or next(iter(example.title.values())),
        **told,
        "board": board,
    }
