"""A clause of a game file in words, and where in a game a rule stands: made from the clause itself, never from its prose."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from lawstone.constructs import conditions, sites, steps
from lawstone.constructs.speech.chinese import InChinese
from lawstone.constructs.speech.czech import InCzech
from lawstone.constructs.speech.english import InEnglish
from lawstone.constructs.speech.phrases import Lexicon, Speech
from lawstone.engine.game import Game
from lawstone.lower import walk
from lawstone.model.changes import rule_ids
from lawstone.model.conditions import ConditionClause
from lawstone.model.game import BoardLineShape, EndingClause, Event, LineShape, PictureShape
from lawstone.model.sites import SitesClause
from lawstone.model.steps import Do, OneOf, StepClause, Way


def said(part: BaseModel) -> str:
    """A clause inside a step, in words."""
    if isinstance(part, SitesClause):
        return sites.say(part)
    if isinstance(part, ConditionClause):
        return conditions.say(part)
    if isinstance(part, Way):
        told = part.name
        told += f", if {conditions.say(part.needs)}" if part.needs is not None else ""
        told += f": take {part.take}" if part.take else ""
        return told + (f": go to {part.go}" if part.go else "")
    return steps.say(part) if isinstance(part, StepClause) else ""


def by_id(part: Any, top: bool = True) -> Any:
    """A copy of a step in which the sets of sites that have ids of their own are named by them."""
    if isinstance(part, SitesClause) and part.rule is not None and not top:
        return part.rule
    if isinstance(part, BaseModel):
        fields = {name: getattr(part, name) for name in type(part).model_fields}
        return part.model_copy(update={name: by_id(value, False) for name, value in fields.items()})
    return [by_id(p, False) for p in part] if isinstance(part, list) else part


def ending_clause(ending: EndingClause) -> str:
    """When an ending holds, and what then."""
    result = "the game is drawn" if ending.draw else _won(*ending.result)
    return f"if {conditions.say(ending.if_)}: {result}"


def _won(named: str, wins: bool) -> str:
    who = "the player who acts next" if named == "next" else f"the {named}"
    return f"{who} {'wins' if wins else 'loses'}"


def event_clause(event: Event) -> str:
    """When an event may happen, and what it does."""
    by = {
        "actor": "the player who acts brings it about",
        "both": "both players agree to it",
        "nobody": "it happens to the player who acts",
    }
    told = [f"at {event.at}"]
    if event.repetition is not None:
        told.append(f"when a position appears for time {event.repetition.times}")
    if event.no_progress is not None:
        told.append(f"after {event.no_progress.plies} turns without a placement or a capture")
    if event.repetition is None and event.no_progress is None:
        told.append(by[event.by])
    return ", ".join(told) + f": {event_effect(event)}"


def event_effect(event: Event) -> str:
    """What an event does."""
    if event.draw:
        return "the game is drawn"
    if event.loses is not None:
        return f"the {event.loses} loses the game"
    if event.ends is not None:
        return "picks already made stand, and the rest of the turn is lost"
    return "nothing is said of what follows"


def shape_clause(shape: LineShape | PictureShape | BoardLineShape) -> str:
    """What a shape is made of."""
    if isinstance(shape, PictureShape):
        return "as drawn" + (", only this way up" if shape.fixed else ", turned and mirrored as well")
    if isinstance(shape, BoardLineShape):
        return f"{shape.board_line} in a row along a line of the board"
    way = {"all": "in any direction"}.get(str(shape.directions)) or (
        f"{shape.directions}ly" if isinstance(shape.directions, str) else " or ".join(shape.directions)
    )
    told = f"{shape.line} in a row {way}"
    told += f", its ends on {shape.ends}" if shape.ends else ""
    return told + (f", using none of the {shape.avoids}" if shape.avoids else "")


def part_of(game: Game, rule: str) -> BaseModel | None:
    """The part of the game file that states a rule, if it is one that can be said in a sentence."""
    for part in walk(game.rules.game):
        if getattr(part, "rule", None) == rule and not isinstance(part, Do):
            return part
    return None


def speech(game: Game, lexicon: Lexicon) -> Speech:
    """What puts the clauses of a game into sentences, in the language of the lexicon."""
    made = {"cs": InCzech, "zh": InChinese}.get(lexicon.language, InEnglish)
    return made(game.rules.words, lexicon)


def sentence_of(game: Game, rule: str, lexicon: Lexicon) -> str:
    """A rule's clause as a sentence; the empty string for a rule without one."""
    part = part_of(game, rule)
    return "" if part is None else speech(game, lexicon).clause(part)


def clause_of(game: Game, rule: str) -> str:
    """A rule's clause in words; the empty string for a rule without one."""
    for part in walk(game.rules.game):
        if getattr(part, "rule", None) != rule:
            continue
        if isinstance(part, EndingClause):
            return ending_clause(part)
        if isinstance(part, Event):
            return event_clause(part)
        if isinstance(part, LineShape | PictureShape | BoardLineShape):
            return shape_clause(part)
        if isinstance(part, OneOf):
            return steps.say(part)
        return said(part)
    return ""


def home(game: Game, rule: str) -> tuple[str, Game]:
    """Where a rule stands: in the game asked for (""), else in the first variant or answer that brings it in."""
    spec = game.spec
    if rule in {getattr(part, "rule", None) for part in walk(game.rules.game)}:
        return "", game
    readings: list[tuple[str, dict[str, str]]] = [(v, {}) for v in spec.game.variants or {}]
    for question in spec.game.questions or []:
        there = "" if question.in_ in (None, "base") else question.in_ or ""
        readings += [(there, {question.id: answer}) for answer in question.answers]
    for variant, reading in readings:
        if rule in rule_ids(spec.file(variant, reading)[1]):
            told = [f"the variant {variant}"] if variant else []
            told += [f"the reading {q}={a}" for q, a in reading.items()]
            return " under ".join(told), Game(spec, spec.rules(variant, reading))
    return "", game
