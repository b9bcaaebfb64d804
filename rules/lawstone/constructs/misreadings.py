"""The misreadings of a game: what each construct says could be misread in it, and what could be in phases, endings and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from pydantic import BaseModel

from lawstone.constructs import conditions, shapes, sites, steps
from lawstone.constructs.wrong import Context, Wrong, raw
from lawstone.model.conditions import ConditionClause, InHand
from lawstone.model.game import BoardLineShape, EndingClause, Game, LineShape, PhaseClause, PictureShape, Piece, Then
from lawstone.model.parts import below, words
from lawstone.model.sites import SitesClause
from lawstone.model.steps import Move, Pick, Place, Step, StepClause, Worth
from lawstone.model.tree import Loc
from lawstone.model.vocabulary import Vocabulary

_ENTRIES = ("phases", "pieces", "shapes", "steps", "start")


@dataclass(frozen=True)
class Misreading:
    """A plausible wrong reading of one rule: a permanent id (`rule/kind`), a sentence that says it, the changes that make it."""

    id: str
    rule: str
    kind: str
    says: str
    changes: Mapping[str, Any]


def derive(game: Game, vocabulary: Vocabulary) -> list[Misreading]:
    """Every misreading of a game, in the order of the file; those that mean nothing in this game are among them."""
    found: dict[str, Misreading] = {}
    parts = dict(below(game))
    picks = tuple(dict.fromkeys(p.pick for p in parts.values() if isinstance(p, Pick)))

    def add(loc: Loc, wrong: Wrong) -> None:
        home = home_of(game, parts, loc, wrong)
        if home is None:
            return
        target, changes = home
        rule = getattr(parts.get(loc), "rule", None) or target
        name = f"{rule}/{wrong.kind}"
        if name in found and found[name].changes != changes:
            path = next(iter(changes[target]))
            name = f"{name}@{path.replace(' ', '-')}"
        found.setdefault(name, Misreading(name, rule, wrong.kind, wrong.says, changes))

    for loc, part in parts.items():
        context = Context(vocabulary, picks, _moved(game, loc))
        for wrong in misread(part, context):
            add(loc, wrong)
        for word in words(part):
            if len(word.loc) == 1 and word.role in ("sites", "piece"):
                placed = word.role == "piece"
                if word.loc[0] not in ("slide", "over"):
                    for wrong in sites.misread_words(word.text, context, placed):
                        add((*loc, *word.loc), Wrong(wrong.kind, wrong.says, wrong.change))
            elif len(word.loc) == 2 and word.role == "sites" and isinstance(word.loc[1], int):
                for wrong in sites.misread_words(word.text, context):
                    add((*loc, *word.loc), wrong)
    for wrong in _whole(game):
        name = f"{next(iter(wrong.change))}/{wrong.kind}"
        found.setdefault(name, Misreading(name, name.partition("/")[0], wrong.kind, wrong.says, dict(wrong.change)))
    return list(found.values())


def _moved(game: Game, loc: Loc) -> str:
    """The words of the piece that an earlier step of the same turn has moved."""
    listed: Any = game
    for n, part in enumerate(loc):
        if isinstance(listed, list) and isinstance(part, int) and n and loc[n - 1] == "turn":
            return next((s.move for s in listed[:part] if isinstance(s, Move)), "")
        listed = _inside(listed, part)
    return ""


def _inside(whole: Any, key: int | str) -> Any:
    if isinstance(whole, BaseModel):
        names = {str(key).replace(" ", "_"), str(key).replace(" ", "_") + "_"}
        return next((getattr(whole, n) for n in type(whole).model_fields if n in names), None)
    if isinstance(whole, list):
        return whole[key] if isinstance(key, int) else None
    return whole[key] if isinstance(whole, dict) else None


def home_of(game: Game, parts: Mapping[Loc, BaseModel], loc: Loc, wrong: Wrong) -> tuple[str, dict[str, Any]] | None:
    """The rule (or reserved key) that a wrong reading changes, and the changes by it; None where nothing can be named."""
    itself = "" in wrong.change
    for n in range(len(loc) - (1 if itself else 0), -1, -1):
        rule = getattr(parts.get(loc[:n]), "rule", None)
        if rule is not None:
            return rule, {rule: _paths(loc[n:], wrong)}
    if len(loc) >= 2 + (1 if itself else 0) and loc[0] in _ENTRIES:
        target = f"{loc[0]}.{loc[1]}"
        return target, {target: _paths(loc[2:], wrong)}
    return None


def _paths(way: Loc, wrong: Wrong) -> dict[str, Any]:
    prefix = ".".join(map(str, way))
    return {".".join(p for p in (prefix, path) if p): value for path, value in wrong.change.items()}


# -- what can be misread in a part ------------------------------------------------------------------------------------------------


@singledispatch
def misread(part: BaseModel, context: Context) -> Iterator[Wrong]:
    """The wrong readings that the construct of a part states."""
    yield from ()


misread.register(SitesClause, sites.misread)
misread.register(ConditionClause, conditions.misread)
misread.register(StepClause, steps.misread)
misread.register(Worth, shapes.misread_due)
for _shape in (LineShape, PictureShape, BoardLineShape):
    misread.register(_shape, shapes.misread)


@misread.register
def _(part: EndingClause, context: Context) -> Iterator[Wrong]:
    """Won, lost or drawn, never, and only in some phases."""
    results: dict[str, tuple[str, dict[str, Any]]] = {
        "mover": ("The mover wins.", {"wins": "mover"}),
        "opponent": ("The mover's opponent wins.", {"wins": "opponent"}),
        "draw": ("The game is drawn.", {"draw": True}),
    }
    named, wins = part.result
    if named == "next":
        was, other = ("wins", "loses") if wins else ("loses", "wins")
        yield Wrong(f"next-{other}", f"The player who acts next {other}.", {was: None, other: "next"})
    given = named if wins else {"mover": "opponent", "opponent": "mover"}.get(named, named)
    key = "draw" if named == "draw" else "wins" if wins else "loses"
    for result, (told, change) in results.items():
        if result != given:
            taken = {} if key in change else {key: None}
            yield Wrong(f"{'drawn' if result == 'draw' else f'{result}-wins'}", told, {**taken, **change})
    yield Wrong("no-such-ending", "The game goes on all the same.", {"if": {"not": {"always": True}}})
    phases = context.words.game.phases or {}
    if len(phases) > 1 and part.in_ is None:
        for phase in phases:
            yield Wrong(f"only-in-{phase.replace(' ', '-')}", f"It ends the game in the phase '{phase}' only.", {"in": phase})
    if part.in_ is not None:
        yield Wrong("in-all-phases", "It ends the game in every phase.", {"in": None})


@misread.register
def _(part: PhaseClause, context: Context) -> Iterator[Wrong]:
    """Who begins, and when the phase is over."""
    players = context.words.players
    if part.first in players:
        other = players[1 - players.index(part.first)]
        yield Wrong(f"{other}-begins", f"It is {other}, not {part.first}, who begins.", {"first": other})
    if part.until is not None and part.until != "always":
        yield Wrong("until-one-turn", "The phase is over after a single turn.", {"until": "always"})
    script = part.script or []
    for i in range(len(script) if len(script) > 1 else 0):
        left = [raw(s) for n, s in enumerate(script) if n != i]
        yield Wrong(f"without-turn-{i + 1}", f"Turn {i + 1} of the opening is not played.", {"script": left})
    if len(script) == 1 and isinstance(script[0], Place) and script[0].who in players and isinstance(part.then, Then):
        other = players[1 - players.index(script[0].who)]
        again = {**raw(script[0]), "rule": f"{script[0].rule}-again", "who": other}
        back = {"first": script[0].who} if part.then.first in players else {}
        yield Wrong(
            "for-each-player",
            "The first turn of each player is an exception, not only the first of the game.",
            {"script": [raw(script[0]), again], "then": {**raw(part.then), **back}},
        )


@misread.register
def _(part: Then, context: Context) -> Iterator[Wrong]:
    """Who acts first in the phase that follows, and on what condition it follows."""
    words_of = context.words
    pairs = {a: b for pair in (words_of.players, words_of.colours) for a, b in zip(pair, pair[::-1], strict=True)}
    pairs |= {f"holder of {a}": f"holder of {b}" for a, b in pairs.items() if a in words_of.colours}
    if part.first in pairs:
        other = pairs[part.first]
        yield Wrong("other-first", f"In the phase '{part.go}' it is {other}, not {part.first}, who acts first.", {"first": other})
        yield Wrong("alternating", f"In the phase '{part.go}' the turns go on alternating.", {"first": None})
    if part.first is not None and part.first.startswith("holder of "):
        for player in words_of.players:
            told = f"In the phase '{part.go}' it is {player}, whatever the colour, who acts first."
            yield Wrong(f"{player}-first", told, {"first": player})
    if part.if_ is not None:
        yield Wrong("always", f"The phase '{part.go}' follows in any case.", {"if": {"always": True}})
        yield Wrong("never", f"The phase '{part.go}' never follows.", {"if": {"not": {"always": True}}})


@misread.register
def _(part: Piece, context: Context) -> Iterator[Wrong]:
    """The supply: one more or less in hand, or none that runs out."""
    if isinstance(part.hand, int):
        for n in (part.hand - 1, part.hand + 1):
            yield Wrong(f"hand-{n}", f"Each player has {n} of them, not {part.hand}.", {"hand": n})
    elif part.hand is not None:
        for owner, count in part.hand.items():
            for n in (count - 1, count + 1):
                yield Wrong(f"hand-{owner}-{n}", f"The supply of {owner} is {n}, not {count}.", {f"hand.{owner}": n})
    if part.hand is not None:
        yield Wrong("unlimited", "The supply never runs out.", {"hand": None})


def _whole(game: Game) -> Iterator[Wrong]:
    """What concerns the game as a whole: order of endings, who begins, the opening, the pieces at the start, steps of a turn."""
    order = game.order or [e.rule for e in game.end]
    for i, later in enumerate(order):
        for n, rule in enumerate(order[:i]):
            listed = [*order[:n], later, *(r for r in order[n:] if r != later)]
            yield Wrong(f"{later}-before-{rule}", f"The ending {later} is tested before {rule}.", {"order": listed})
    if game.phases is None or (game.start_phase is None and "main" in game.phases):
        yield Wrong(
            f"{game.players[1]}-begins", f"It is {game.players[1]} who begins.", {"phases.main": {"first": game.players[1]}}
        )
    start = game.phases.get(game.start_phase) if game.phases and game.start_phase else None
    if start is not None and start.script is not None and isinstance(start.then, Then):
        told = "There is no exception for the first turns of the game."
        scripts = {f"phases.{name}": None for name, phase in (game.phases or {}).items() if phase.script is not None}
        if start.then.go in (game.phases or {}):
            yield Wrong("no-opening", told, {"start phase": start.then.go, **scripts})
        else:
            yield Wrong("no-opening", told, {"start phase": None, "phases": None})
    places = [(p, where) for p, where in (game.start or {}).items() if isinstance(where, str)]
    if len(places) == 2:
        (a, x), (b, y) = places
        yield Wrong("exchanged", f"At the start {a} stands on {y} and {b} on {x}.", {"start": {a: y, b: x}})
    for name in game.phases or [""]:
        turn = (game.phases or {})[name].turn if name else game.turn
        for i in range(1, len(turn or [])):
            left = [raw(s) for n, s in enumerate(turn or []) if n != i]
            told = f"In the phase '{name or 'main'}' step {i + 1} of the turn is left out."
            yield Wrong(f"without-step-{i + 1}", told, {f"phases.{name}": {"turn": left}} if name else {"turn": left})
        for i in range(2, len(turn or [])):
            order = [raw(s) for s in turn or []]
            order[i - 1], order[i] = order[i], order[i - 1]
            told = f"In the phase '{name or 'main'}' step {i + 1} of the turn comes before step {i}."
            yield Wrong(f"step-{i + 1}-before-{i}", told, {f"phases.{name}": {"turn": order}} if name else {"turn": order})
        yield from _exhausted(turn or [])


def _exhausted(turn: list[Step]) -> Iterator[Wrong]:
    """A choice that needs a piece in hand is open without one, and the placing is then left out."""
    for pick in turn:
        place = next((s for s in turn if isinstance(s, Place) and s.rule is not None), None)
        if isinstance(pick, Pick) and isinstance(pick.needs, InHand) and pick.rule is not None and place is not None:
            told = f"It may be chosen also when no {pick.needs.in_hand} is in hand; nothing is then placed."
            yield Wrong("hand-exhausted", told, {pick.rule: {"needs": None}, str(place.rule): {"when": raw(pick.needs)}})
