"""What a turn gets wrong as it goes on: words that stand for nothing yet, picks that come too late, sizes without bounds.

The steps of each turn are followed in their order, as far as is known without a board position: which values have been
picked, whether a piece has been placed or moved, whether a site has been picked.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from lawstone.board import LONGEST_SIDE
from lawstone.model import conditions, sites, steps
from lawstone.model.base import RELATIVE
from lawstone.model.faults import suggest
from lawstone.model.game import Game, PhaseClause, Then
from lawstone.model.parts import Problem, below, fields
from lawstone.model.steps import Step, StepClause, Taking
from lawstone.model.tree import Loc
from lawstone.model.vocabulary import PieceWords, Unknown, Vocabulary

MOST_STEPS = 100
"""Steps of one turn, those done by name included."""
MOST_TURNS = 200
"""Turns that the options of all lists of steps may make together."""
DEEPEST_SUCH = 2
"""One `such that` inside another."""
MOST_CLAUSES = 50_000
"""Clauses of the whole file, taken once for each of these turns."""

Values = tuple[str, ...]


@dataclass(frozen=True)
class Point:
    """What is known at one point of a turn: picked values, whether `it`, `vacated` and `such that` mean something.

    `such` is the number of `such that` around it.
    """

    picks: Mapping[str, Values] = field(default_factory=dict)
    it: bool = False
    vacated: bool = False
    sited: bool = False
    arrives: bool = False
    effect: bool = False
    ending: bool = False
    follows: bool = False
    such: int = 0


def turn_problems(g: Game, v: Vocabulary) -> Iterator[Problem]:
    """The problems of all turns, phases and endings, each said once."""
    found: dict[Problem, None] = {}
    check = _Turns(g, v)
    for name in v.phases:
        found |= dict.fromkeys(check.phase(name))
    found |= dict.fromkeys(check.unvisited())
    yield from found
    clauses = sum(1 for _ in below(g))
    if check.turns * clauses > MOST_CLAUSES:
        message = f"{clauses} clauses and {check.turns} turns are too many: their product is more than {MOST_CLAUSES:,}"
        yield Problem((), "too-many", message)


class _Turns:
    def __init__(self, g: Game, v: Vocabulary) -> None:
        self.game, self.words = g, v
        self.visited: set[str] = set()
        self.turns = 0

    # -- phases -------------------------------------------------------------------------------------------------------

    def phase(self, name: str) -> Iterator[Problem]:
        """The problems of the turns of a phase, of what ends it, and of the endings tested in it."""
        clause = (self.game.phases or {}).get(name)
        if clause is None:
            ends = yield from self.turn(self.game.turn or [], ("turn",))
            yield from self.after(name, None, ends)
            return
        here = ("phases", name)
        if clause.turn is not None:
            ends = yield from self.turn(clause.turn, (*here, "turn"))
            yield from self.after(name, clause, ends)
        for i, step in enumerate(clause.script or []):
            ends = yield from self.turn([step], (*here, "script"), i)
            yield from self.after(name, clause if i == len(clause.script or []) - 1 else None, ends)

    def turn(self, listed: list[Step], loc: Loc, first: int = 0) -> Generator[Problem, None, Point]:
        """The problems of a turn; gives the point that it ends at."""
        point, n, turns = Point(), 0, 1
        for way, step in self.flat(listed, loc, first, ()):
            if isinstance(step, Problem):
                yield step
                continue
            n += 1
            turns *= len(step.from_) if isinstance(step, steps.Pick) else 1
            turns *= len(step.one_of) if isinstance(step, steps.OneOf) else 1
            if n > MOST_STEPS:
                yield Problem(way, "too-many", f"a turn has at most {MOST_STEPS} steps")
                break
            if self.turns + turns > MOST_TURNS:
                message = f"the values and ways to choose from make more than {MOST_TURNS} turns, which is the limit"
                yield Problem(way, "too-many", message)
                break
            if step.who is not None and loc[-1] != "script":
                message = "who acts is said in scripts; in a turn the players alternate"
                yield Problem((*way, "who"), "never-used", message, "take it away", key=True)
            point = yield from self.step(step, way, point)
        self.turns += turns
        return point

    def flat(self, listed: list[Step], loc: Loc, first: int, above: tuple[str, ...]) -> Iterator[tuple[Loc, StepClause | Problem]]:
        """The steps in order, those done by name in place of the name; a step that cannot be done is a problem."""
        for i, step in enumerate(listed, first):
            way = (*loc, i)
            yield way, step
            if not isinstance(step, steps.Do) or step.do not in (self.game.steps or {}):
                continue
            self.visited.add(step.do)
            if step.do in above:
                yield way, Problem((*way, "do"), "circle", f"the steps '{step.do}' do themselves")
            elif len(above) < 10:
                yield from self.flat((self.game.steps or {})[step.do], ("steps", step.do), 0, (*above, step.do))
            else:
                yield way, Problem((*way, "do"), "too-deep", "steps do one another more than 10 deep")

    def unvisited(self) -> Iterator[Problem]:
        """The problems of named steps that no turn does, as far as they can be seen without one."""
        whole = Point(it=True, vacated=True)
        for name, listed in (self.game.steps or {}).items():
            if name not in self.visited:
                for _, step in self.flat(listed, ("steps", name), 0, (name,)):
                    if isinstance(step, steps.Pick):
                        whole = replace(whole, picks={**whole.picks, step.pick: tuple(step.from_)})
                for way, step in self.flat(listed, ("steps", name), 0, (name,)):
                    if isinstance(step, Problem):
                        yield step
                    else:
                        yield from self.step(step, way, whole)

    def after(self, name: str, clause: PhaseClause | None, ends: Point) -> Iterator[Problem]:
        """The problems of what is judged after a turn: what ends the phase, what follows, the endings."""
        point = replace(ends, it=True, vacated=False, ending=True, effect=False)
        if clause is not None:
            here: Loc = ("phases", name)
            yield from self.inside(clause.until, (*here, "until"), point)
            if isinstance(clause.then, Then):
                yield from self.inside(clause.then.if_, (*here, "then", "if"), point)
            for i, then in enumerate(clause.then if isinstance(clause.then, list) else []):
                yield from self.inside(then.if_, (*here, "then", i, "if"), point)
        for i, ending in enumerate(self.game.end):
            within = [ending.in_] if isinstance(ending.in_, str) else ending.in_
            if within is None or name in within:
                yield from self.inside(ending.if_, ("end", i, "if"), replace(point, follows=True))

    # -- steps --------------------------------------------------------------------------------------------------------

    def step(self, step: StepClause, loc: Loc, point: Point) -> Generator[Problem, None, Point]:
        """The problems of a step; gives the point after it."""
        if step.needs is not None and point.sited:
            message = "'needs' must come before the first site is picked"
            yield Problem((*loc, "needs"), "too-late", message, "use `when` to skip a later step", key=True)
        picked = {**point.picks, step.pick: tuple(step.from_)} if isinstance(step, steps.Pick) else point.picks
        yield from self.inside(step.needs, (*loc, "needs"), replace(point, picks=picked))
        yield from self.inside(step.when, (*loc, "when"), point)
        match step:
            case steps.Place():
                yield from self.piece(step.place, (*loc, "place"), point, one=True)
                yield from self.inside(step.to, (*loc, "to"), replace(point, effect=True, arrives=True))
                if self.only_pieces(step.to):
                    message = "a piece is placed on an empty site, and on these sites other pieces stand"
                    yield Problem((*loc, "to"), "occupied", message)
                return replace(point, it=True, sited=True)
            case steps.Move():
                yield from self.piece(step.move, (*loc, "move"), point)
                moving = replace(point, it=True)
                yield from self.inside(step.to, (*loc, "to"), replace(moving, effect=True, arrives=True))
                yield from self.inside(step.displaces, (*loc, "displaces"), moving)
                if step.displaces is None and self.only_pieces(step.to):
                    message = "a piece moves to an empty site, and on these sites other pieces stand"
                    yield Problem((*loc, "to"), "occupied", message, "say with `displaces` which of them are captured")
                return replace(point, it=True, vacated=True, sited=True)
            case Taking():
                yield from self.taking(step, loc, point)
                return replace(point, sited=point.sited or step.count != "all")
            case steps.Pick():
                yield from self.pick(step, loc, point)
                return replace(point, picks=picked)
            case steps.OneOf():
                yield from self.one_of(step, loc, point)
            case steps.Do():
                yield from _never_used(step, ("when", "optional"), loc, "the steps that are named say this themselves")
        return point

    def taking(self, step: Taking, loc: Loc, point: Point) -> Iterator[Problem]:
        key = "capture" if isinstance(step, steps.Capture) else "remove"
        of = step.capture if isinstance(step, steps.Capture) else getattr(step, "remove", None)
        yield from self.inside(of, (*loc, key), replace(point, effect=True))
        yield from self.inside(step.count, (*loc, "count"), point)
        yield from self.inside(step.rest_from, (*loc, "rest from"), point)
        if step.count == "all":
            yield from _never_used(step, ("if fewer", "up to", "optional"), loc, "all are taken, without a choice")
        if step.if_fewer == "take from" and step.rest_from is None:
            message = "where the rest is taken from is not said"
            yield Problem((*loc, "if fewer"), "missing-word", message, "add `rest from`", key=True)
        elif step.if_fewer != "take from":
            yield from _never_used(step, ("rest from",), loc, "it goes with `if fewer: take from`")

    def pick(self, step: steps.Pick, loc: Loc, point: Point) -> Iterator[Problem]:
        yield from _never_used(step, ("when", "optional"), loc, "a value is always picked")
        if point.sited:
            yield Problem((*loc, "pick"), "too-late", "a value is picked before the first site", key=True)
        if step.pick in point.picks:
            yield Problem((*loc, "pick"), "same-name", f"${step.pick} is picked already")
        yield from _repeated(step.from_, (*loc, "from"))

    def one_of(self, step: steps.OneOf, loc: Loc, point: Point) -> Iterator[Problem]:
        yield from _never_used(step, ("when", "optional"), loc, "one of the ways is always taken")
        yield from _repeated([way.name for way in step.one_of], (*loc, "one of"), "name")
        for i, way in enumerate(step.one_of):
            if way.needs is not None and point.sited:
                message = "'needs' must come before the first site is picked"
                yield Problem((*loc, "one of", i, "needs"), "too-late", message, key=True)
            yield from self.inside(way.needs, (*loc, "one of", i, "needs"), point)

    # -- sets and conditions ------------------------------------------------------------------------------------------

    def inside(self, part: Any, loc: Loc, point: Point) -> Iterator[Problem]:
        """The problems of a set or a condition, and of those inside it, where it is judged at a point of a turn."""
        if isinstance(part, str):
            yield from self.text(part, loc, point)
        elif isinstance(part, BaseModel):
            yield from self.clause(part, loc, point)
            for here in fields(type(part)):
                value, deeper = getattr(part, here.name), point
                if here.name == "such_that" and value is not None:
                    if not point.effect:
                        message = "'such that' needs a step that puts or takes a piece"
                        yield Problem((*loc, here.key), "out-of-place", message, key=True)
                    if point.such == DEEPEST_SUCH:
                        message = f"'such that' stands more than {DEEPEST_SUCH} deep inside itself"
                        yield Problem((*loc, here.key), "too-deep", message, key=True)
                        continue
                    deeper = replace(point, it=point.it or point.arrives, such=point.such + 1)
                if here.role in (None, "sites") and not isinstance(value, str):
                    yield from self.inside(value, (*loc, here.key), deeper)
                elif here.role == "sites":
                    yield from self.text(value, (*loc, here.key), deeper)
                elif here.role == "piece":
                    yield from self.piece(value, (*loc, here.key), deeper)
        elif isinstance(part, list | tuple):
            for i, entry in enumerate(part):
                if not isinstance(entry, str):
                    yield from self.inside(entry, (*loc, i), point)
                elif loc[-1] in ("any of", "all of", "first of"):
                    yield from self.text(entry, (*loc, i), point)

    def text(self, text: str, loc: Loc, point: Point) -> Iterator[Problem]:
        """The problems of words for a set of sites."""
        if text == "it" and not point.it:
            yield Problem(loc, "too-early", "'it' is used before a piece has been placed or moved")
        elif text == "vacated" and not point.vacated:
            message = "'vacated' is used where no piece has been moved in this turn"
            yield Problem(loc, "too-early", message)
        elif text == "last" and point.ending:
            hint = "the piece that this turn has placed or moved is `it`"
            yield Problem(loc, "out-of-place", "'last' is not used after a turn", hint)
        elif text == "centre" and not self.words.board.centre:
            hint = "a board with an odd number of columns and rows has one"
            yield Problem(loc, "no-centre", "this board has no middle site", hint)
        elif text in ("far rank", "home rank"):
            yield from self.facing(loc)
        else:
            yield from self.piece(text, loc, point)

    def piece(self, text: str, loc: Loc, point: Point, one: bool = False) -> Iterator[Problem]:
        """The problems of words for pieces: values that are not picked, an owner that is missing, several kinds."""
        try:
            meant = self.words.piece(text)
        except Unknown:
            return
        if meant.owner == "next" and not point.follows:
            yield _too_early(loc, "next")
        piece = self.game.pieces[meant.piece]
        name = meant.kind[1:] if meant.kind is not None and meant.kind.startswith("$") else None
        if name is not None and name not in point.picks:
            hint = suggest(name, point.picks) or f"a step `pick: {name}` must come first"
            yield Problem(loc, "unknown-name", f"nothing is picked as ${name} before this", hint)
        for value in point.picks.get(name or "", ()):
            if value not in (piece.kinds or ()):
                hint = suggest(value, piece.kinds or ())
                yield Problem(loc, "unknown-name", f"the piece '{meant.piece}' has no kind '{value}'", hint)
        if one and meant.owner is None and piece.of != "nobody":
            yield Problem(loc, "no-owner", f"whose {meant.piece} is it?", f"say `own {text}`")
        if one and meant.kind is None and len(piece.kinds or ()) > 1:
            hint = f"name one, such as `{text} {(piece.kinds or [''])[0]}`, or pick it first"
            yield Problem(loc, "no-kind", f"which kind of {meant.piece} is placed?", hint)

    def only_pieces(self, part: Any) -> bool:
        """Whether the form of a set shows that a piece stands on every site of it, so that none is empty."""
        match part:
            case str():
                try:
                    return part == "occupied" or isinstance(self.words.sites(part), PieceWords)
                except Unknown:
                    return False
            case sites.AnyOf():
                of = all(map(self.only_pieces, part.any_of))
            case sites.FirstOf():
                of = all(map(self.only_pieces, part.first_of))
            case sites.AllOf():
                of = any(map(self.only_pieces, part.all_of))
            case sites.SlideTo():
                of = self.only_pieces(part.slide.over)
            case sites.JumpTo():
                of = self.only_pieces(part.jump.to) and part.jump.then_over is None
            case sites.Flanked():
                of = self.only_pieces(part.flanked.over)
            case sites.Named():
                of = self.only_pieces(part.sites)
            case _:
                of = False
        if isinstance(part, sites.SitesClause):
            return (of or self.only_pieces(part.and_)) and (part.or_ is None or self.only_pieces(part.or_))
        return of

    def facing(self, loc: Loc) -> Iterator[Problem]:
        looks = self.game.facing or {}
        if any(player not in looks for player in self.words.players):
            first, second = self.words.players
            hint = f"add `facing: {{{first}: north, {second}: south}}`"
            yield Problem(loc, "no-facing", "the game does not say where each player looks", hint)

    def clause(self, part: BaseModel, loc: Loc, point: Point) -> Iterator[Problem]:
        """The problems of one set or condition, without those inside it."""
        directions = getattr(part, "directions", None)
        if directions is not None:
            yield from self.directions(directions, (*loc, "directions"))
        match part:
            case conditions.Enters() if not point.follows:
                yield _too_early((*loc, "enters"), "enters", key=True)
            case conditions.HandsEmpty(hands_empty="next") | conditions.CapturedBy(captured_by="next") if not point.follows:
                yield _too_early((*loc, part.KEY), "next")
            case conditions.CanMove(can_move="next") | conditions.CannotMove(cannot_move="next") if not point.follows:
                yield _too_early((*loc, part.KEY), "next")
            case sites.Use():
                message = f"`use: {part.use}` is only for changes"
                yield Problem((*loc, "use"), "out-of-place", message, "write the clause itself here", key=True)
            case sites.Distance(at_least=None, at_most=None):
                yield Problem(loc, "missing-word", "a distance needs 'at least' or 'at most'")
            case conditions.Line():
                yield from self.line(part, loc)
            case conditions.Count():
                yield from self.count(part, loc)
            case conditions.InHand():
                yield from self.hand(part.in_hand, (*loc, "in hand"))
            case conditions.HandsEmpty() if all(p.hand is None for p in self.game.pieces.values()):
                message = "no hand of this game is counted"
                yield Problem((*loc, "hands empty"), "no-hand", message, "give a piece a `hand`", key=True)
            case conditions.CapturedBy(captured_by="both"):
                yield Problem((*loc, "captured by"), "one-player", "the captures of one player are counted")
            case conditions.CanMove(can_move="both"):
                yield Problem((*loc, "can move"), "one-player", "one player is asked about, and this is both")
            case conditions.CannotMove(cannot_move="both"):
                yield Problem((*loc, "cannot move"), "one-player", "one player is asked about, and this is both")

    def directions(self, directions: str | list[str], loc: Loc) -> Iterator[Problem]:
        board = self.words.board
        if isinstance(directions, str):
            if not board.directions(directions):
                message = f"this board has no {directions} directions"
                yield Problem(loc, "no-direction", message, f"it has {', '.join(board.steps)}")
            return
        for i, direction in enumerate(directions):
            if direction in RELATIVE:
                yield from self.facing((*loc, i))
            elif direction not in board.steps:
                message = f"this board has no direction '{direction}'"
                yield Problem((*loc, i), "no-direction", message, f"it has {', '.join(board.steps)}")

    def line(self, line: conditions.Line, loc: Loc) -> Iterator[Problem]:
        if line.exactly is not None and line.at_least is not None:
            message = "a line has either 'exactly' or 'at least', not both"
            yield Problem((*loc, "at least"), "wrong-value", message, "take one of them away", key=True)
        if line.exactly is None and line.at_least is None:
            message = "the length of the line is not said"
            yield Problem(loc, "missing-word", message, "add `exactly` or `at least`")
        for key, size in (("exactly", line.exactly), ("at least", line.at_least)):
            if size is not None and size > LONGEST_SIDE:
                message = f"no board has {size} sites in a line: {LONGEST_SIDE} at most"
                yield Problem((*loc, key), "wrong-value", message)
        if line.none_longer and line.exactly is None:
            message = "'none longer' goes with 'exactly': where longer runs count they cannot spoil one"
            yield Problem((*loc, "none longer"), "wrong-value", message, key=True)

    def count(self, count: conditions.Count, loc: Loc) -> Iterator[Problem]:
        if count.at_least is None and count.at_most is None and count.exactly is None:
            message = "a count needs 'at least', 'at most' or 'exactly'"
            yield Problem((*loc, "count"), "missing-word", message, key=True)
        if not count.with_hand:
            return
        try:
            meant = self.words.sites(count.count) if isinstance(count.count, str) else None
        except Unknown:
            return
        if isinstance(meant, PieceWords):
            yield from self.hand(str(count.count), (*loc, "count"))
        else:
            message = "'with hand' counts pieces, so 'count' must name a piece"
            yield Problem((*loc, "with hand"), "wrong-value", message, key=True)

    def hand(self, text: str, loc: Loc) -> Iterator[Problem]:
        try:
            piece = self.words.piece(text).piece
        except Unknown:
            return
        if self.game.pieces[piece].hand is None:
            yield Problem(loc, "no-hand", f"the hand of a {piece} is not counted", "give the piece a `hand`")


def _too_early(loc: Loc, word: str, key: bool = False) -> Problem:
    message = f"'{word}' is used before it is known what comes after the turn"
    return Problem(loc, "too-early", message, "it is for endings", key=key)


def _never_used(step: StepClause, keys: tuple[str, ...], loc: Loc, why: str) -> Iterator[Problem]:
    """A problem for each of the keys that a step has in vain."""
    for key in keys:
        if getattr(step, key.replace(" ", "_")):
            yield Problem((*loc, key), "never-used", f"'{key}' says nothing here: {why}", "take it away", key=True)


def _repeated(names: list[str], loc: Loc, *inner: str) -> Iterator[Problem]:
    for i, name in enumerate(names):
        if name in names[:i]:
            yield Problem((*loc, i, *inner), "same-name", f"'{name}' stands twice")
