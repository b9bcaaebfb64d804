"""What a game file gets wrong beyond its form: words that mean nothing, pieces that overlap, parts that nothing uses.

Each check yields problems with the way to the place in the file; the caller turns ways into lines and columns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from lawstone.board import Board
from lawstone.drawing.look import TOKEN
from lawstone.model import conditions, steps
from lawstone.model.base import written
from lawstone.model.changes import READINGS
from lawstone.model.faults import hint_at, suggest
from lawstone.model.game import Game, PhaseClause, Then
from lawstone.model.parts import Problem, Words, below, words
from lawstone.model.tree import Loc
from lawstone.model.turns import turn_problems
from lawstone.model.vocabulary import ATOMS, OWN_WORDS, Unknown, Vocabulary

__all__ = ["MOST_READINGS", "Problem", "problems", "unused", "words"]

MOST_READINGS = 2_000
"""Variants, the base among them, times answers that change something."""


def problems(g: Game, board: Board, lost: Collection[str] | None = None) -> Iterator[Problem]:
    """Every problem of a game file whose form is right.

    Where parts of the file had to be taken away to make it so, `lost` holds the names that they may have declared: what
    the missing parts may be to blame for is then passed over.
    """
    vocabulary = Vocabulary(g, board)
    found = list(words(g))
    yield from _unless_lost(_look_ups(found, vocabulary), lost)
    yield from _unless_lost(_start(g, vocabulary), lost)
    yield from _unless_lost(_regions(g, vocabulary), lost)
    yield from _unless_lost(_facing(g), lost)
    if lost is not None:
        return
    yield from _names(g, vocabulary)
    yield from _pieces(g, vocabulary, found)
    yield from _tokens(g, vocabulary)
    yield from _phases(g, vocabulary)
    yield from _endings(g)
    yield from turn_problems(g, vocabulary)


def _unless_lost(found: Iterable[Problem], lost: Collection[str] | None) -> Iterator[Problem]:
    return (p for p in found if not any(re.search(rf"\b{re.escape(word)}\b", p.message) for word in lost or ()))


def _unknown(loc: Loc, unknown: Unknown, key: bool = False) -> Problem:
    return Problem(loc, "unknown-name", str(unknown), suggest(unknown.given, unknown.known), key)


# -- names ------------------------------------------------------------------------------------------------------------


def _look_ups(found: Iterable[Words], vocabulary: Vocabulary) -> Iterator[Problem]:
    for loc, role, text in found:
        try:
            _look_up(role, text, vocabulary)
        except Unknown as unknown:
            few = hint_at("", _few(role, vocabulary))
            yield Problem(loc, "unknown-name", str(unknown), suggest(unknown.given, unknown.known) or few)


def _few(role: str, v: Vocabulary) -> Collection[str]:
    """The names that words of a role are made of, for one who has to choose among them."""
    game = v.game
    names: dict[str, Collection[str]] = {
        "piece": game.pieces,
        "player": v.players,
        "seat": v.players,
        "colour": v.colours,
        "phase": v.phases,
        "steps": game.steps or (),
        "shape": game.shapes or (),
    }
    return names.get(role, ())


def _look_up(role: str, text: str, v: Vocabulary) -> None:
    known: tuple[str, ...]
    match role:
        case "sites":
            v.sites(text)
        case "fixed sites":
            v.fixed(text)
        case "piece":
            v.piece(text)
        case "player":
            v.player(text)
        case "seat":
            v.seat(text)
        case "colour":
            if text not in v.colours:
                raise Unknown(f"'{text}' is not a colour of this game", text, v.colours)
        case "phase":
            if text not in v.phases:
                raise Unknown(f"there is no phase '{text}'", text, v.phases)
        case "steps":
            known = tuple(v.game.steps or {})
            if text not in known:
                raise Unknown(f"there are no steps named '{text}'", text, known)
        case "shape":
            known = (*(v.game.shapes or {}), "any", "shapes")
            if text not in known:
                raise Unknown(f"there is no shape '{text}'", text, known)


def _names(g: Game, v: Vocabulary) -> Iterator[Problem]:
    named: tuple[tuple[Loc, tuple[str, ...]], ...] = ((("players",), v.players), (("colours", "names"), v.colours))
    for loc, names in named:
        if len(set(names)) < len(names):
            yield Problem((*loc, 1), "same-name", f"the two {loc[0]} have the same name")
        for i, name in enumerate(names):
            if name in OWN_WORDS or name in ("both", "nobody"):
                yield Problem((*loc, i), "reserved-name", f"'{name}' has a meaning of its own in the language")
    for key, declared in (("pieces", g.pieces), ("regions", g.regions or {})):
        for name in declared:
            if name in ATOMS or name in v.board.numbers or name.startswith(("rank ", "file ")):
                message = f"'{name}' has a meaning of its own in the language"
                yield Problem((key, name), "reserved-name", message, key=True)
    ids: dict[str, BaseModel] = {}
    for loc, rule, clause in _rules(g):
        if ids.setdefault(rule, clause) != clause:
            hint = "ids are permanent and belong to one clause each"
            yield Problem(loc, "repeated-rule", f"the rule id {rule!r} stands twice", hint)
    yield from _question_names(g)
    yield from _together(g)
    yield from _readings(g)
    variants = g.variants or {}
    for name, variant in variants.items():
        if variant.based_on is not None and variant.based_on not in variants:
            message = f"there is no variant {variant.based_on!r}"
            yield Problem(("variants", name, "based on"), "unknown-name", message, suggest(variant.based_on, variants))
        elif _circle(name, g):
            message = f"the variant {name!r} is based on itself"
            yield Problem(("variants", name, "based on"), "circle", message)


def _readings(g: Game) -> Iterator[Problem]:
    answers = sum(1 for q in g.questions or [] for changes in q.answers.values() if changes)
    readings = (answers + 1) * (len(g.variants or {}) + 1)
    if readings > MOST_READINGS:
        message = f"the variants and answers make {readings:,} readings, and the limit is {MOST_READINGS:,}"
        yield Problem(("questions",), "too-many", message, key=True)


def _question_names(g: Game) -> Iterator[Problem]:
    seen = set[str]()
    known = ("base", *(g.variants or {}))
    for i, question in enumerate(g.questions or []):
        if question.id in seen:
            message = f"the question {question.id!r} stands twice"
            yield Problem(("questions", i, "id"), "repeated-question", message)
        seen.add(question.id)
        if question.in_ is not None and question.in_ not in known:
            message = f"there is no variant {question.in_!r}"
            yield Problem(("questions", i, "in"), "unknown-name", message, suggest(question.in_, known))


def _together(g: Game) -> Iterator[Problem]:
    """Faults of what is said of two answers at once: questions and answers that are not there, pairs that stand twice."""
    known, seen = {q.id: q.answers for q in g.questions or []}, list[dict[str, str]]()
    for i, pair in enumerate(g.together or []):
        for question, answer in pair.answers.items():
            loc = ("together", i, "answers", question)
            if question not in known:
                yield Problem(loc, "unknown-name", f"there is no question {question!r}", suggest(question, known), key=True)
            elif answer not in known[question]:
                message = f"the question {question!r} has no answer {answer!r}"
                yield Problem(loc, "unknown-name", message, suggest(answer, known[question]))
            elif not known[question][answer]:
                yield Problem(loc, "wrong-value", f"{answer!r} changes nothing, so it can stand beside any other answer")
        if pair.answers in seen:
            yield Problem(("together", i, "answers"), "repeated-question", "these two answers stand together twice", key=True)
        seen.append(pair.answers)


def _circle(name: str, g: Game) -> bool:
    seen, at = {name}, (g.variants or {})[name].based_on
    while at is not None and at in (g.variants or {}):
        if at in seen:
            return True
        seen.add(at)
        at = (g.variants or {})[at].based_on
    return False


def _rules(part: Any, loc: Loc = ()) -> Iterator[tuple[Loc, str, BaseModel]]:
    """Every rule id with its way and its clause; a clause that a change uses twice stands twice."""
    if isinstance(part, BaseModel):
        rule = getattr(part, "rule", None)
        if isinstance(rule, str):
            yield (*loc, "rule"), rule, part
        for name in type(part).model_fields:
            if not (isinstance(part, Game) and name in READINGS):
                yield from _rules(getattr(part, name), (*loc, written(name)))
    elif isinstance(part, list | tuple):
        for i, item in enumerate(part):
            yield from _rules(item, (*loc, i))
    elif isinstance(part, dict):
        for key, item in part.items():
            yield from _rules(item, (*loc, key))


# -- what is declared -------------------------------------------------------------------------------------------------


def _start(g: Game, v: Vocabulary) -> Iterator[Problem]:
    taken: dict[int, str] = {}
    for phrase, where in (g.start or {}).items():
        try:
            piece = v.piece(phrase)
            if piece.owner in ("own", "enemy") or (piece.owner is None and g.pieces[piece.piece].of != "nobody"):
                hint = f"name the owner, such as `{g.players[0]} {piece.piece}`"
                yield Problem(("start", phrase), "no-owner", f"whose is '{phrase}' at the start?", hint, key=True)
            if len(v.variables(piece.piece, piece.kind)) != 1:
                message = f"which kind of '{phrase}' stands at the start?"
                yield Problem(("start", phrase), "no-kind", message, key=True)
        except Unknown as unknown:
            yield _unknown(("start", phrase), unknown, key=True)
        for i, name in enumerate([where] if isinstance(where, str) else where):
            loc: Loc = ("start", phrase) if isinstance(where, str) else ("start", phrase, i)
            try:
                found = v.fixed(name)
            except Unknown as unknown:
                yield _unknown(loc, unknown)
                continue
            yield from _centre(loc, name, v)
            twice = sorted(found & taken.keys())
            if twice:
                names = ", ".join(v.board.names[s] for s in twice[:8])
                message = f"{names} already hold{'s' if len(twice) == 1 else ''} '{taken[twice[0]]}'"
                yield Problem(loc, "overlap", message)
            taken |= dict.fromkeys(found, phrase)


def _regions(g: Game, v: Vocabulary) -> Iterator[Problem]:
    for name, listed in (g.regions or {}).items():
        for i, text in enumerate(listed):
            loc = ("regions", name, i)
            try:
                v.region(text, (name,)) if text in (g.regions or {}) else v.fixed(text)
            except Unknown as unknown:
                yield _unknown(loc, unknown)
            yield from _centre(loc, text, v)


def _centre(loc: Loc, text: str, v: Vocabulary) -> Iterator[Problem]:
    if text == "centre" and not v.board.centre:
        hint = "a board with an odd number of columns and rows has one"
        yield Problem(loc, "no-centre", "this board has no middle site", hint)


def _pieces(g: Game, v: Vocabulary, found: Iterable[Words]) -> Iterator[Problem]:
    placed = [_piece_named(text, v) for loc, role, text in found if role == "piece" and loc[-1] == "place"]
    for name, piece in g.pieces.items():
        if piece.hand is not None and name not in placed and None not in placed:
            message = f"no step places a {name}, so its hand is never used"
            yield Problem(("pieces", name, "hand"), "unused-hand", message, key=True)
        if piece.hand is not None and piece.of == "nobody":
            message = f"a {name} is nobody's, so it is in nobody's hand"
            yield Problem(("pieces", name, "hand"), "no-owner", message, key=True)
        if isinstance(piece.hand, dict):
            owners = v.colours if piece.of == "colour" else v.players
            for owner in piece.hand:
                if owner not in owners:
                    message = f"'{owner}' owns no {name}"
                    loc = ("pieces", name, "hand", owner)
                    yield Problem(loc, "unknown-name", message, suggest(owner, owners), key=True)
        if piece.of == "colour" and g.colours is None:
            yield Problem(("pieces", name, "of"), "no-colours", "the game declares no colours", "add `colours`")
        for i, kind in enumerate(piece.kinds or []):
            if kind in (piece.kinds or [])[:i]:
                yield Problem(("pieces", name, "kinds", i), "same-name", f"the kind '{kind}' stands twice")


def _piece_named(text: str, v: Vocabulary) -> str | None:
    try:
        return v.piece(text).piece
    except Unknown:
        return None


def _tokens(g: Game, v: Vocabulary) -> Iterator[Problem]:
    if any(p.of == "colour" for p in g.pieces.values()) and g.colours is None:
        return
    phrases: dict[str, str] = {}
    for name, (first, second) in v.tokens.items():
        piece = next(p for p in g.pieces if name == p or name.startswith(p + " "))
        owners = v.colours if g.pieces[piece].of == "colour" else v.players
        phrases |= {name: first} if second is None else {f"{owners[0]} {name}": first, f"{owners[1]} {name}": second}
    for phrase in g.tokens or {}:
        if phrase not in phrases:
            hint = suggest(phrase, phrases) or f"one of: {', '.join(phrases)}"
            yield Problem(("tokens", phrase), "unknown-name", f"'{phrase}' is not a piece and its owner", hint, key=True)
    seen: dict[str, str] = {}
    for phrase, token in phrases.items():
        loc, key = (("tokens", phrase), False) if phrase in (g.tokens or {}) else (("pieces",), True)
        if not TOKEN.fullmatch(token):
            message = f"'{phrase}' is written {token!r} in drawn boards, which must be a letter, or a letter and one more"
            yield Problem(loc, "bad-token", message, "say in `tokens` how it is written", key)
        elif token in seen:
            message = f"'{seen[token]}' and '{phrase}' are both written {token!r} in drawn boards"
            yield Problem(loc, "same-token", message, "say in `tokens` how they are written", key)
        seen.setdefault(token, phrase)


def _facing(g: Game) -> Iterator[Problem]:
    for player in g.facing or {}:
        if player not in g.players:
            message = f"'{player}' is not a player"
            yield Problem(("facing", player), "unknown-name", message, suggest(player, g.players), key=True)


# -- phases and endings -----------------------------------------------------------------------------------------------


def _phases(g: Game, v: Vocabulary) -> Iterator[Problem]:
    phases = g.phases or {}
    if len(set(v.phases)) > 1 and g.start_phase is None:
        message = "the game has several phases, and none is said to begin it"
        hint = f"add `start phase`: one of {', '.join(v.phases)}"
        yield Problem(("phases",), "no-start-phase", message, hint, key=True)
    if g.turn is not None and "main" in phases:
        message = "the steps of the phase 'main' stand in `phases` too"
        yield Problem(("turn",), "repeated-phase", message, "keep one of them", key=True)
    broken = [problem for name, phase in phases.items() for problem in _phase(name, phase, g)]
    yield from broken
    named = [t.go for _, t in below(g) if isinstance(t, Then)] + [w.go for _, w in below(g) if isinstance(w, steps.Way)]
    if not broken and all(name is None or name in v.phases for name in named):
        yield from _unreached(g, v)


def _phase(name: str, phase: PhaseClause, g: Game) -> Iterator[Problem]:
    here: Loc = ("phases", name)
    if phase.script is not None:
        if phase.then is None and not _goes_on(phase.script[-1]):
            yield Problem(here, "no-way-on", f"nothing follows the script '{name}'", "add `then`", key=True)
        if phase.until is not None:
            message = "a script is over after its last turn, so `until` says nothing"
            yield Problem((*here, "until"), "never-used", message, "take it away", key=True)
        for i, step in enumerate(phase.script):
            if step.who is None:
                yield Problem((*here, "script", i), "no-actor", "a turn of a script says who acts", "add `who`")
            if f"{name} {i + 1}" in (g.phases or {}):
                message = f"turn {i + 1} of the script '{name}' has the same name"
                yield Problem(("phases", f"{name} {i + 1}"), "same-name", message, "rename the phase", key=True)
    elif phase.then is not None and phase.until is None:
        message = f"nothing ends the phase '{name}', so what follows it is never reached"
        yield Problem(here, "never-left", message, "add `until`", key=True)
    elif phase.until is not None and phase.then is None:
        message = f"when '{name}' is over, nothing says what follows"
        yield Problem((*here, "until"), "no-way-on", message, "add `then`", key=True)
    if phase.then is not None and (phase.until is not None or phase.script is not None):
        yield from _then(name, phase.then)


def _then(name: str, then: Then | list[Then]) -> Iterator[Problem]:
    listed = [then] if isinstance(then, Then) else then
    for i, entry in enumerate(listed):
        here: Loc = ("phases", name, "then") if isinstance(then, Then) else ("phases", name, "then", i)
        if entry.first == "both":
            yield Problem((*here, "first"), "one-player", "one player acts first, and this is both")
        if entry.first == "next":
            yield Problem((*here, "first"), "circle", "'next' is the player that `first` itself is to name")
        if entry.if_ is None and i < len(listed) - 1:
            message = "what follows this entry is never reached, since it has no `if`"
            yield Problem((*here, "go"), "never-reached", message, "put it last", key=True)
        elif entry.if_ not in (None, "always") and i == len(listed) - 1 and not isinstance(entry.if_, conditions.Always):
            message = f"when '{name}' is over and this does not hold, nothing says what follows"
            yield Problem((*here, "if"), "no-way-on", message, "the last entry of `then` has no `if`", key=True)


def _unreached(g: Game, v: Vocabulary) -> Iterator[Problem]:
    phases = g.phases or {}
    start = g.start_phase or (v.phases[0] if v.phases else None)
    if start not in v.phases:
        return
    reached, front = set[str](), {start}
    while front:
        reached |= {n for n in front if n is not None}
        parts = [phases.get(n, g.turn) for n in front if n is not None]
        named = [t.go for part in parts for t in _of(part, Then)]
        named += [w.go for part in parts for w in _of(part, steps.Way) if w.go is not None]
        done = [s for part in parts for s in _done(part, g)]
        named += [w.go for part in done for w in _of(part, steps.Way) if w.go is not None]
        front = {n for n in named if n in v.phases} - reached
    for name in phases:
        if name not in reached:
            message = f"nothing leads into the phase '{name}'"
            yield Problem(("phases", name), "never-entered", message, key=True)
    if g.turn is not None and "main" not in reached and "main" not in phases:
        message = "nothing leads into the phase 'main', whose turn this is"
        yield Problem(("turn",), "never-entered", message, key=True)


def _of(part: Any, cls: type[Any]) -> list[Any]:
    return [found for _, found in below(part) if isinstance(found, cls)]


def _done(part: Any, g: Game) -> list[Any]:
    """The named steps that a part does, directly or through others."""
    found: dict[str, Any] = {}
    front = [part]
    while front:
        for do in _of(front.pop(), steps.Do):
            if do.do in (g.steps or {}) and do.do not in found:
                found[do.do] = (g.steps or {})[do.do]
                front.append(found[do.do])
    return list(found.values())


def _goes_on(step: steps.Step) -> bool:
    """Whether every way that a last step offers names the phase that follows."""
    return isinstance(step, steps.OneOf) and all(w.go is not None for w in step.one_of)


def _endings(g: Game) -> Iterator[Problem]:
    known = tuple(e.rule for e in g.end)
    for i, rule in enumerate(g.order or []):
        if rule not in known:
            yield Problem(("order", i), "unknown-rule", f"there is no ending {rule!r}", suggest(rule, known))
        elif rule in (g.order or [])[:i]:
            yield Problem(("order", i), "repeated-rule", f"the ending {rule!r} stands twice in this order")


# -- what nothing uses ------------------------------------------------------------------------------------------------


def unused(g: Game) -> Iterator[Problem]:
    """Steps, regions and shapes that are named and never spoken of, and pieces that never stand on the board."""
    found = list(words(g))
    spoken = {(w.role, w.text) for w in found}
    every_shape = {w.text for w in found if w.role == "shape"} & {"any", "shapes"}
    for name in g.steps or {}:
        if ("steps", name) not in spoken:
            yield Problem(("steps", name), "unused", f"no turn does the steps '{name}'", key=True)
    for name in g.shapes or {}:
        if ("shape", name) not in spoken and not every_shape:
            yield Problem(("shapes", name), "unused", f"no rule speaks of the shape '{name}'", key=True)
    parts = {part for listed in (g.regions or {}).values() for part in listed}
    starts = {w for where in (g.start or {}).values() for w in ([where] if isinstance(where, str) else where)}
    named = {text for role, text in spoken if role in ("sites", "fixed sites")} | parts | starts
    for name in g.regions or {}:
        if name not in named:
            yield Problem(("regions", name), "unused", f"no rule speaks of the region '{name}'", key=True)
    phrases = [*(g.start or {}), *(w.text for w in found if w.role == "piece" and w.loc[-1] == "place")]
    for name in g.pieces:
        if not any(name in phrase for phrase in phrases):
            message = f"no step places a {name}, and none stands on the board at the start"
            yield Problem(("pieces", name), "unused", message, key=True)
