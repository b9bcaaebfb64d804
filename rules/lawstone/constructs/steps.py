"""What each step of a turn does, and how it is said.

Steps are taken in order. Each one adds choices to a draft of the turn and changes the board that later steps see; an option (a
kind, a way) splits the draft into one draft for each value, so that within a turn it is a constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Literal

from lawstone.constructs import conditions, shapes, sites
from lawstone.constructs.scene import Meaningless, Scene, placed, within
from lawstone.constructs.wrong import Context, Wrong, one_more_or_less, raw, without_each
from lawstone.core import (
    FALSE,
    NOWHERE,
    TRUE,
    Choice,
    Clause,
    Effect,
    Sort,
    Term,
    and_,
    at_least,
    both,
    count,
    either,
    least,
    minus,
    number,
    or_,
    plus,
    read,
    some,
    when,
    where,
    without,
)  # fmt: skip
from lawstone.model.base import Choosable
from lawstone.model.sites import Named, Sites, SlideTo
from lawstone.model.steps import Capture, Do, Move, OneOf, Pick, Place, Remove, Step, StepClause, Taking, Worth
from lawstone.model.vocabulary import PieceWords


@dataclass(frozen=True)
class Draft:
    """A turn as far as it has been written: the board after the steps so far, the choices, what must hold, and the options."""

    scene: Scene
    rule: str
    choices: tuple[Choice, ...] = ()
    guard: tuple[Clause, ...] = ()
    label: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    go: str | None = None

    def rule_of(self, step: StepClause) -> str:
        """The id of the rule that a step states, or of the turn."""
        return step.rule or self.rule

    def choose(self, choice: Choice, scene: Scene) -> Draft:
        """The draft with one more choice, on the board as it stands after it."""
        return replace(self, choices=(*self.choices, replace(choice, before=self.scene.now)), scene=scene)


@placed
def perform(step: Step, draft: Draft) -> list[Draft]:
    """The drafts after a step: several when the step is an option."""
    rule = draft.rule_of(step)
    if step.needs is not None:
        if draft.choices:
            raise Meaningless("'needs' must come before the first site is picked", rule, "use `when` to skip a later step")
        if not isinstance(step, Pick):
            draft = replace(draft, guard=(*draft.guard, conditions.lower(step.needs, draft.scene, rule)))
    return _perform(step, draft, rule)


@singledispatch
def _perform(step: StepClause, draft: Draft, rule: str) -> list[Draft]:
    raise Meaningless(f"'{type(step).KEY}' has no meaning", rule)


def _when(step: StepClause, scene: Scene, rule: str) -> Term:
    return TRUE if step.when is None else conditions.lower(step.when, scene, rule).term


def _freedom(step: StepClause) -> Literal["exactly", "up to", "all or none"]:
    if isinstance(step, Taking) and step.up_to:
        return "up to"
    return "all or none" if step.optional else "exactly"


def _one_variable(words: PieceWords, scene: Scene, rule: str) -> str:
    found = scene.variables_of(words)
    if len(found) > 1:
        raise Meaningless(f"which kind of {words.piece} is placed?", rule, "name one, such as `own pawn x`, or pick it first")
    return found[0]


# -- changing the board -----------------------------------------------------------------------------------------------------------


def _to_owner(scene: Scene, words: PieceWords, name: str, change: Mapping[str, Term]) -> dict[str, Term]:
    """Values for `mine.name` and `theirs.name` (or the neutral `name`): changed for the owner, as before for the other."""
    if name in scene.variables:
        return {name: change[name]}
    if words.owner is None:
        raise Meaningless(f"whose {words.piece} is it?", hint=f"say `own {words.piece}`")
    own = scene.is_own(words.owner)
    mine, theirs = f"mine.{name}", f"theirs.{name}"
    values = {mine: when(own, change[mine], scene.value(mine)), theirs: when(own, scene.value(theirs), change[theirs])}
    return {n: v for n, v in values.items() if v is not scene.value(n)}


def _sides(scene: Scene, name: str) -> list[str]:
    return [name] if name in scene.variables else [f"mine.{name}", f"theirs.{name}"]


def _put(scene: Scene, words: PieceWords, name: str, x: Term, from_hand: bool) -> Scene:
    """A piece arrives at x (no piece where x is empty)."""
    values = _to_owner(scene, words, name, {n: either(scene.value(n), x) for n in _sides(scene, name)})
    if from_hand and f"mine.hand {name}" in scene.variables:
        values |= _to_owner(
            scene, words, f"hand {name}", {n: minus(scene.value(n), count(x, 1)) for n in _sides(scene, f"hand {name}")}
        )
    return scene.with_values(values)


def _shift(scene: Scene, words: PieceWords, origin: Term, x: Term) -> Scene:
    """The piece at `origin` stands at x afterwards."""
    values = {}
    names = [n for v in scene.variables_of(words) for n in _sides(scene, v) if _may_hold(scene, words, n)]
    for n in names:
        old = scene.value(n)
        moved = either(without(old, origin), x)
        values[n] = moved if len(names) == 1 else when(some(both(old, origin)), moved, old)
    return scene.with_values(values)


def _may_hold(scene: Scene, words: PieceWords, name: str) -> bool:
    if "." not in name or words.owner is None:
        return True
    own = scene.is_own(words.owner)
    return own is not (FALSE if name.startswith("mine.") else TRUE)


def _take(scene: Scene, among: Term, victims: Term) -> Scene:
    """The victims, which belong to `among`, leave the board; only the variables that may hold them change."""
    names = scene.piece_variables()
    inside = [n for n in names if within(among, scene.value(n))]
    for side in ("mine", "theirs"):
        of_side = [n for n in names if n.startswith(side)]
        if not inside and within(among, either(*(scene.value(n) for n in of_side))):
            inside = of_side
    return scene.with_values({n: without(scene.value(n), victims) for n in (inside[:1] if len(inside) == 1 else inside or names)})


def _captured(scene: Scene, victims: Term, most: int) -> Scene:
    """The capture is counted for the player who acts, and remembered for its phase."""
    values: dict[str, Term] = {}
    if "mine.captured" in scene.variables:
        total = scene.variables["mine.captured"]
        values["mine.captured"] = least(plus(scene.value("mine.captured"), count(victims, most)), number(total.high))
    remembered = f"captured in {scene.phase}"
    if remembered in scene.variables:
        values[remembered] = or_(scene.value(remembered), some(victims))
    return scene.with_values(values)


def _arrived(scene: Scene, x: Term, sure: bool) -> Scene:
    """`it`, and the piece that the next turn will call `last`."""
    it = x if sure else when(some(x), x, scene.it if scene.it is not None else NOWHERE)
    return scene.set(it=it).with_values({"last": it})


# -- the steps --------------------------------------------------------------------------------------------------------------------


@_perform.register
def _(step: Place, draft: Draft, rule: str) -> list[Draft]:
    """A piece is put where `to` says and nothing stands; without one in the hand (if it is counted) there is no site for it."""
    scene = draft.scene
    words = scene.words.piece(step.place)
    name = _one_variable(words, scene, rule)
    offered = sites.lower(step.to, scene.set(effect=lambda s, x: _arrived(_put(s, words, name, x, True), x, True)), rule)
    parts = [offered]
    if not within(offered.term, scene.empty()):
        parts.append(Clause(scene.empty(), rule, "empty"))
    counted = f"mine.hand {name}" in scene.variables
    if counted:
        in_hand = at_least(scene.hand(replace(words, kind=scene.kind_of(words))), number(1))
        if all(in_hand is not g.term for g in draft.guard):
            parts.insert(0, Clause(in_hand, rule, f"a {step.place} is in hand"))
    among = _all(rule, f"{step.place} to {sites.say(step.to)}", parts)
    needed = _when(step, scene, rule)
    one = when(needed, number(1), number(0))
    required = step.if_fewer == "not allowed"
    choice = Choice(f"{len(draft.choices)} place", "place", among.term, one, rule, among, _freedom(step), required)
    x = read(choice.name)
    sure = needed is TRUE and not step.optional
    after = _put(scene, words, name, x, not sure)
    if counted and sure:
        hand = f"hand {name}"
        after = after.with_values(_to_owner(after, words, hand, {n: minus(after.value(n), number(1)) for n in _sides(after, hand)}))
    return [draft.choose(choice, _arrived(after, x, sure))]


@_perform.register
def _(step: Move, draft: Draft, rule: str) -> list[Draft]:
    """One piece that has a target is shifted there. A piece that there is exactly one of needs no picking."""
    scene = draft.scene
    words = scene.words.piece(step.move)
    pieces = scene.pieces(words)

    def targets(x: Term) -> Clause:
        here = scene.set(it=x, effect=lambda s, to: _shift(s, words, x, to).set(it=to))
        offered = sites.lower(step.to, here, rule)
        free = scene.empty()
        if step.displaces is not None:
            free = either(free, sites.lower(step.displaces, here, rule).term)
        if within(offered.term, free):
            return offered
        return _all(rule, offered.says, [offered, Clause(either(free, x), rule, "free")])

    needed = _when(step, scene, rule)
    one = when(needed, number(1), number(0))
    choices: tuple[Choice, ...] = draft.choices
    if scene.words.is_single(scene.variables_of(words)):
        origin, due, freedom = pieces, one, _freedom(step)
    else:
        mobile = where(pieces, lambda x: some(targets(x).term))
        told = [Clause(pieces, rule, step.move), Clause(mobile, rule, f"a {step.move} that can go {sites.say(step.to)}")]
        name = f"{len(choices)} from"
        required = step.if_fewer == "not allowed"
        choices = (*choices, Choice(name, "from", mobile, one, rule, _all(rule, told[1].says, told), _freedom(step), required))
        origin = read(name)
        due, freedom = count(origin, 1) if step.optional else one, "exactly"
    target = targets(origin)
    to = Choice(f"{len(choices)} to", "to", target.term, due, rule, target, freedom, step.if_fewer == "not allowed")
    x = read(to.name)
    after = scene
    if step.displaces is not None:
        displaced = sites.lower(step.displaces, scene.set(it=origin), rule).term
        hit = both(x, displaced)
        after = _captured(_take(after, displaced, hit), hit, 1)
        draft = replace(draft, effects=(*draft.effects, Effect("capture", hit)))
    after = _shift(after, words, origin if needed is TRUE and not step.optional else when(some(x), origin, NOWHERE), x)
    after = _arrived(after, x, needed is TRUE and not step.optional).set(vacated=_left(origin, x, step, needed))
    picked = tuple(replace(c, before=scene.now) for c in (*choices[len(draft.choices) :], to))
    return [replace(draft, choices=(*draft.choices, *picked), scene=after)]


def _left(origin: Term, x: Term, step: Move, needed: Term) -> Term:
    """Where the piece moved stood before, also where it stays; no site where none was moved."""
    return origin if needed is TRUE and not step.optional else when(some(x), origin, NOWHERE)


@_perform.register
def _(step: Capture, draft: Draft, rule: str) -> list[Draft]:
    """Pieces are taken off and counted as captured."""
    return _taking(step, step.capture, draft, rule, "capture")


@_perform.register
def _(step: Remove, draft: Draft, rule: str) -> list[Draft]:
    """Pieces are taken off without its being a capture."""
    return _taking(step, step.remove, draft, rule, "remove")


def _taking(step: Taking, of: Sites, draft: Draft, rule: str, role: Literal["capture", "remove"]) -> list[Draft]:
    """The number due is taken freely from the pieces of the set; what happens when fewer are there is the clause's to say."""
    scene = draft.scene
    among = _standing(sites.lower(of, scene.set(effect=lambda s, x: _take(s, x, x)), rule), scene, rule)
    needed = _when(step, scene, rule)
    board = scene.board.size
    if step.count == "all":
        victims = when(needed, among.term, NOWHERE)
        after = _take(scene, among.term, victims)
        after = _captured(after, victims, board) if role == "capture" else after
        return [replace(draft, scene=after, effects=(*draft.effects, Effect(role, victims)))]
    due = number(step.count) if isinstance(step.count, int) else _due(step.count, scene, rule)
    due = when(needed, due, number(0))
    first = due if step.if_fewer in (None, "not allowed") else least(due, scene.count(among.term))
    choice = Choice(
        f"{len(draft.choices)} {role}", role, among.term, first, rule, among, _freedom(step), step.if_fewer == "not allowed"
    )  # fmt: skip
    victims = read(choice.name)
    after = _take(scene, among.term, victims)
    draft = draft.choose(choice, after)
    if step.if_fewer == "take from":
        if step.rest_from is None:
            raise Meaningless("'if fewer: take from' needs `rest from`", rule)
        rest = _standing(sites.lower(step.rest_from, after, rule), after, rule)
        left = Clause(without(rest.term, victims), rule, rest.says)
        missing = minus(due, count(victims, due.high))
        if step.up_to or step.optional:
            missing = when(at_least(count(victims, due.high), first), missing, number(0))
        more = Choice(
            f"{len(draft.choices)} {role}", role, left.term, least(missing, scene.count(left.term)), rule, left, _freedom(step)
        )
        draft = draft.choose(more, _take(after, rest.term, read(more.name)))
        victims = either(victims, read(more.name))
    if role == "capture":
        draft = replace(draft, scene=_captured(draft.scene, victims, board))
    return [draft]


def _standing(among: Clause, scene: Scene, rule: str) -> Clause:
    """Only pieces are taken: a site of the set on which nothing stands is no pick and does not count."""
    if within(among.term, scene.occupied()):
        return among
    return _all(rule, among.says, [among, Clause(scene.occupied(), rule, "occupied")])


def _due(clause: Worth, scene: Scene, rule: str) -> Term:
    through = None if clause.formed_by is None else sites.lower(clause.formed_by, scene, rule).term
    return shapes.due(clause, scene, through)


@_perform.register
def _(step: Pick, draft: Draft, rule: str) -> list[Draft]:
    """Each value is a turn of its own, so `$s` is a constant in it; `needs` is judged with the value picked."""
    if draft.choices:
        raise Meaningless("a value is picked before the first site", rule)
    found = []
    for value in step.from_:
        scene = draft.scene.set(picks={**draft.scene.picks, step.pick: value})
        guard = draft.guard if step.needs is None else (*draft.guard, conditions.lower(step.needs, scene, rule))
        found.append(replace(draft, scene=scene, guard=guard, label=(*draft.label, value)))
    return found


@_perform.register
def _(step: OneOf, draft: Draft, rule: str) -> list[Draft]:
    """Each way is a turn of its own; taking a colour exchanges the belongings of the two players unless it is held already."""
    found = []
    for way in step.one_of:
        scene, guard = draft.scene, draft.guard
        if way.needs is not None:
            if draft.choices:
                raise Meaningless("'needs' must come before the first site is picked", way.rule or rule, part=way)
            guard = (*guard, conditions.lower(way.needs, scene, way.rule or rule))
        if way.take is not None:
            scene = _take_colour(scene, way.take, rule)
        if not draft.choices:
            scene = scene.with_values({"last": NOWHERE})
        found.append(replace(draft, scene=scene, guard=guard, label=(*draft.label, way.name), go=way.go or draft.go))
    return found


def _take_colour(scene: Scene, colour: str, rule: str) -> Scene:
    if colour not in scene.words.colours:
        raise Meaningless(f"'{colour}' is not a colour of this game", rule)
    first = scene.words.colours[0]
    held = scene.holds_first_colour() if colour == first else when(scene.holds_first_colour(), FALSE, TRUE)
    names = [v for p, c in scene.words.game.pieces.items() if c.of == "colour" for v in scene.words.variables(p, None)]
    values: dict[str, Term] = {}
    for name in (n for v in names for n in (v, f"hand {v}") if f"mine.{n}" in scene.variables):
        mine, theirs = scene.value(f"mine.{name}"), scene.value(f"theirs.{name}")
        values |= {f"mine.{name}": when(held, mine, theirs), f"theirs.{name}": when(held, theirs, mine)}
    has_first = TRUE if colour == first else FALSE
    return scene.with_values({**values, f"mine.{first}": has_first, f"theirs.{first}": when(has_first, FALSE, TRUE)})


@_perform.register
def _(step: Do, draft: Draft, rule: str) -> list[Draft]:
    """The named steps, in place."""
    named = (draft.scene.words.game.steps or {}).get(step.do)
    if named is None:
        raise Meaningless(f"there are no steps named '{step.do}'", rule)
    return perform_all(named, draft)


def perform_all(steps: Iterable[Step], draft: Draft) -> list[Draft]:
    """The drafts after a list of steps."""
    drafts = [draft]
    for step in steps:
        drafts = [d for before in drafts for d in perform(step, before)]
    return drafts


def _all(rule: str, says: str, parts: list[Clause]) -> Clause:
    flags, sets = [p.term for p in parts if p.term.sort is Sort.FLAG], [p.term for p in parts if p.term.sort is Sort.SITES]
    if len(parts) == 1:
        return parts[0]
    return Clause(when(and_(*flags), both(*sets), NOWHERE), rule, says, "all", tuple(parts))


# -- in words ---------------------------------------------------------------------------------------------------------------------


def say(step: Step | Choosable) -> str:
    """The step in English words."""
    match step:
        case Place():
            told = f"place {step.place} on {sites.say(step.to)}"
        case Move():
            shown = f", capturing {sites.say(step.displaces)} there" if step.displaces is not None else ""
            told = f"move {step.move} to {sites.say(step.to)}{shown}"
        case Capture():
            told = f"capture {_due_words(step)} of {sites.say(step.capture)}"
        case Remove():
            told = f"take off {_due_words(step)} of {sites.say(step.remove)}"
        case Pick():
            told = f"choose {' or '.join(step.from_)}"
        case OneOf():
            told = f"choose one of: {', '.join(w.name for w in step.one_of)}"
        case Do():
            told = f"then {step.do}"
        case _:
            told = type(step).__name__
    if isinstance(step, StepClause):
        told = f"{step.who}: {told}" if step.who else told
        told += f", which needs that {conditions.say(step.needs)}" if step.needs is not None else ""
        told += f", when {conditions.say(step.when)}" if step.when is not None else ""
        told += " (may be left out)" if step.optional else ""
    return told


def _due_words(step: Taking) -> str:
    n = step.count
    told = str(n) if isinstance(n, int | str) else "what the shapes pay"
    if isinstance(n, Worth) and n.formed_by is not None:
        told = f"what the shapes through {sites.say(n.formed_by)} pay ({n.stack})"
    told = f"up to {told}" if step.up_to else told
    return told + (f" ({step.if_fewer} if fewer)" if step.if_fewer else "")


# -- misread ----------------------------------------------------------------------------------------------------------------------


def misread(step: StepClause, context: Context) -> Iterator[Wrong]:
    """The plausible wrong readings of a step: compulsory or optional, when, by whom, how many, and what if fewer are there."""
    if not isinstance(step, OneOf | Pick | Do):
        told = "The step must be taken." if step.optional else "The step may be left out."
        yield Wrong("compulsory" if step.optional else "optional", told, {"optional": None if step.optional else True})
    if step.needs is not None:
        yield Wrong("without-needs", f"It is not needed that {conditions.say(step.needs)}.", {"needs": None})
    if step.when is not None:
        yield Wrong("without-when", f"The step is taken always, not only when {conditions.say(step.when)}.", {"when": None})
    if step.who in context.words.players:
        other = context.words.players[1 - context.words.seat(step.who)]
        yield Wrong(f"by-{other}", f"It is {other}, not {step.who}, who acts here.", {"who": other})
    match step:
        case Place() | Move():
            yield from _misread_setting(step)
        case Capture() | Remove():
            yield from _misread_taking(step)
        case OneOf():
            yield from without_each(step.one_of, "one of", [w.name for w in step.one_of], "This may not be chosen")
        case _:
            pass


def _misread_setting(step: Place | Move) -> Iterator[Wrong]:
    to = raw(step.to)
    if isinstance(step, Move):
        if step.to != "it" and not isinstance(step.to, SlideTo):
            yield Wrong("zero-steps", "The piece may also stay where it is.", {"to": {"any of": ["it", to]}})
        if step.displaces is not None:
            yield Wrong("no-capture", "Moving onto a piece is not allowed.", {"displaces": None})
    else:
        yield Wrong(
            "not-on-the-rim", "The edge sites may not be used.", {"to": {"all of": [to, {"sites": "board", "but not": "edges"}]}}
        )
        beside = {"all of": [to, {"next to": {"of": "occupied", "directions": "all"}}]}
        yield Wrong("beside-a-piece", "The piece must touch one that stands already.", {"to": beside})
    if step.if_fewer is None:
        yield Wrong("if-fewer-not-allowed", "Picks that leave no site for this are not allowed.", {"if fewer": "not allowed"})
    else:
        yield Wrong("if-fewer-unsaid", "Picks that leave no site for this are allowed.", {"if fewer": None})


def _misread_taking(step: Capture | Remove) -> Iterator[Wrong]:
    if isinstance(step.count, int):
        yield from one_more_or_less(step.count, "count", "The number taken is")
        yield Wrong("all", "All of them are taken.", {"count": "all"})
    elif step.count == "all":
        yield Wrong("one", "Only one of them is taken.", {"count": 1, "if fewer": "take what there is"})
    told = "Just the number due is taken." if step.up_to else "Fewer may be taken than are due."
    yield Wrong("the-number-due" if step.up_to else "up-to", told, {"up to": None if step.up_to else True})
    if step.count != "all":
        fewer = {
            None: "If fewer are there than due, no rule says what happens.",
            "take what there is": "If fewer are there than due, those are taken.",
            "not allowed": "Picks that leave fewer than due are not allowed.",
        }
        for case, told in fewer.items():
            if case != step.if_fewer:
                yield Wrong(f"if-fewer-{(case or 'unsaid').replace(' ', '-')}", told, {"if fewer": case})
        of = step.capture if isinstance(step, Capture) else step.remove
        if isinstance(of, Named) and of.outside is not None and step.if_fewer != "take from":
            rest = {"if fewer": "take from", "rest from": raw(of.sites)}
            yield Wrong("if-fewer-take-protected", "If fewer are there than due, the rest is taken from protected pieces.", rest)
