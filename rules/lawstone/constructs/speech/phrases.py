"""What all languages share when clauses are put into sentences: which construct asks for which method, and how phrases combine.

A set of sites becomes a `Phrase`: a noun with what stands before and after it, which a language declines as its grammar asks.
A language is a subclass of `Speech` with one method for each construct. Nouns and names come from a `Lexicon`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, Field

from lawstone.constructs.conditions import say as terse_condition
from lawstone.constructs.sites import say as terse_sites
from lawstone.model import conditions as c
from lawstone.model import sites as s
from lawstone.model import steps as t
from lawstone.model.base import Identifier, Model
from lawstone.model.game import BoardLineShape, EndingClause, Event, LineShape, PictureShape, Then
from lawstone.model.vocabulary import Atom, Fixed, PieceWords, PlayerWords, Unknown, Vocabulary


class English(Model):
    """A noun in English."""

    one: str = Field(description="One of them.")
    many: str = Field(description="Several.")
    kind: str = Field("kind", description="What its kinds are called.")


class Czech(Model):
    """A noun in Czech: four cases (nominative, genitive, accusative, instrumental) in both numbers."""

    gender: Literal["m", "f", "n"] = Field(description="Masculine (not living), feminine or neuter.")
    one: list[str] = Field(min_length=4, max_length=4, description="One of them, in the four cases.")
    many: list[str] = Field(min_length=4, max_length=4, description="Several, in the four cases.")
    kind: str = Field("druhu", description="What its kinds are called, in the genitive.")


class Chinese(Model):
    """A noun in Chinese."""

    say: str = Field(description="The noun.")
    after: str = Field("", description="Its form after a word of one syllable; unsaid, the noun itself.")
    measure: str = Field("个", description="The word with which it is counted.")
    kind: str = Field("种类", description="What its kinds are called.")


class Noun(Model):
    """A piece of a game file, or a place on the board, with the forms that sentences need."""

    of: list[Identifier] | None = Field(None, description="For a place on the board: the games whose boards have such places.")
    en: English
    cs: Czech
    zh: Chinese


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of a game in one language: nouns by the name that game files use, and names of players, phases and shapes."""

    nouns: Mapping[str, Noun]
    names: Mapping[str, Mapping[str, str]]
    language: str
    game: str = ""

    def name(self, words: str) -> str:
        """A name in this language; the game file's own where the lexicon has none."""
        return self.names.get(words, {}).get(self.language, words)

    def piece(self, name: str) -> Noun:
        """A piece; one that the lexicon does not know keeps its name."""
        return self.nouns.get(name) or _unknown(name)

    def site(self, lined: bool) -> Noun:
        """A place on the board of this game."""
        own = (n for n in self.nouns.values() if self.game in (n.of or []))
        return next(own, None) or self.nouns.get("point" if lined else "square") or _unknown("site")


def _unknown(name: str) -> Noun:
    cs = Czech(gender="m", one=[f"kus „{name}“", f"kusu „{name}“", f"kus „{name}“", f"kusem „{name}“"],
               many=[f"kusy „{name}“", f"kusů „{name}“", f"kusy „{name}“", f"kusy „{name}“"])  # fmt: skip
    return Noun(of=None, en=English(one=name, many=f"{name}s"), cs=cs, zh=Chinese(say=f"“{name}”"))


@dataclass(frozen=True)
class Phrase:
    """A set of sites: a noun, words before it, words after it."""

    noun: Noun
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    place: bool = True
    """Whether the noun is a place on the board, not a piece."""
    fixed: str = ""
    """A phrase that is not declined, such as the name of a site."""
    each: tuple[Phrase, ...] = ()
    """Alternatives; the phrase names them all."""

    def but(self, *after: str, before: tuple[str, ...] = ()) -> Phrase:
        """The phrase with more words after it (and before it)."""
        return replace(self, after=(*self.after, *after), before=(*self.before, *before))


@dataclass(frozen=True)
class Lines:
    """A clause in lines: `all`, `any` or the `first` of its parts, or one sentence."""

    mode: Literal["", "all", "any", "first"]
    says: str
    parts: tuple[Lines, ...] = ()


NOM, GEN, ACC, INS = range(4)


def _bare(e: s.SitesClause) -> bool:
    """Whether nothing stands beside a source of sites."""
    return all(x is None for x in (e.and_, e.or_, e.but_not, e.outside, e.such_that, e.if_))


@dataclass
class Speech(ABC):
    """Sentences about the clauses of one game, in one language."""

    words: Vocabulary
    lexicon: Lexicon

    # -- sets of sites ------------------------------------------------------------------------------------------------------------

    @property
    def site(self) -> Noun:
        """A place on this board."""
        return self.lexicon.site(self.words.board.kind == "lines" or self.words.board.drawn_on == "points")

    @property
    def piece(self) -> Noun:
        """What every piece of the game is called."""
        names = list(self.words.game.pieces)
        return self.lexicon.piece(names[0]) if len(names) == 1 else self.lexicon.piece("piece")

    def sites(self, e: s.Sites) -> Phrase:
        """A set of sites as a phrase."""
        if isinstance(e, str):
            return self._named(e)
        match e:
            case s.Named():
                made = self.sites(e.sites)
            case s.NextTo():
                made = self.next_to(e.next_to)
            case s.NotNextTo():
                made = self.not_next_to(e.not_next_to)
            case s.SlideTo():
                made = self.slide(e.slide)
            case s.JumpTo():
                made = self.jump(e.jump)
            case s.Far():
                made = self.far(e.distance)
            case s.Flanked():
                made = self.flanked(e.flanked)
            case s.AnyOf():
                alternatives = tuple(self.sites(x) for x in e.any_of)
                made = Phrase(alternatives[0].noun, place=alternatives[0].place, each=alternatives)
            case s.AllOf():
                made = self.all_of([self.sites(x) for x in e.all_of])
            case s.FirstOf():
                made = self.first_of([self.sites(x) for x in e.first_of])
            case _:
                made = Phrase(self.site, fixed=terse_sites(e))
        return self._beside(e, made)

    def _beside(self, e: s.SitesClause, made: Phrase) -> Phrase:
        if e.and_ is not None:
            made = self.all_of([made, self.sites(e.and_)])
        if e.but_not is not None:
            made = made.but(self.but_not(self.sites(e.but_not)))
        if e.outside is not None:
            named = [e.outside] if isinstance(e.outside, str) else list(e.outside)
            made = made.but(self.outside([] if named == ["shapes"] else named))
        if e.such_that is not None:
            made = made.but(self.such_that(made, self.condition(e.such_that)))
        if e.if_ is not None:
            made = made.but(self.only_if(self.condition(e.if_)))
        if e.or_ is not None:
            made = Phrase(made.noun, place=made.place, each=(made, self.sites(e.or_)))
        return made

    def _named(self, words: str) -> Phrase:
        try:
            meant = self.words.sites(words)
        except Unknown:
            return Phrase(self.site, fixed=words)
        if isinstance(meant, PieceWords):
            kind = "" if meant.kind is None else meant.kind
            return self.pieces(self.lexicon.piece(meant.piece), meant.owner, kind)
        if isinstance(meant, Fixed):
            return self.region(meant)
        return self.atom(meant)

    def all_of(self, parts: list[Phrase]) -> Phrase:
        """What belongs to every one of several sets: pieces before places, what stands with the others beside it."""
        plain = [p for p in parts if not p.fixed and not p.each]
        main = next((p for p in plain if not p.place), next(iter(plain), parts[0]))
        for other in (p for p in parts if p is not main):
            if main.fixed or main.each or other.fixed or other.each:
                main = main.but(self.that_is(main, other))
            elif other.place and main.place:
                main = main.but(*other.after, before=tuple(b for b in other.before if b not in main.before))
            elif other.place and other.after and not other.before:
                main = main.but(*other.after)
            else:
                main = main.but(self.that_is(main, other))
        return main

    # -- clauses ------------------------------------------------------------------------------------------------------------------

    def condition(self, e: c.Condition | str) -> str:
        """A condition as a clause of a sentence."""
        match e:
            case c.HasLine():
                return self.line(e.line)
            case c.HasShape():
                return self.shape(e)
            case c.Count():
                return self.count(e)
            case c.Some():
                return self.some(self.sites(e.some))
            case c.NoneOf():
                return self.none(self.sites(e.none))
            case c.InHand():
                return self.in_hand(self.sites(e.in_hand))
            case c.HandsEmpty():
                return self.hands_empty(self.words.player(e.hands_empty))
            case c.CapturedBy():
                return self.captured(self.player(e.captured_by), e.at_least)
            case c.NothingCaptured():
                return self.nothing_captured(self.lexicon.name(e.nothing_captured_in))
            case c.CanMove():
                return self.can_move(self.player(e.can_move), True)
            case c.CannotMove():
                return self.can_move(self.player(e.cannot_move), False)
            case c.Enters():
                return self.enters(self.lexicon.name(e.enters))
            case c.Every():
                return self.every([self.condition(x) for x in e.all_of])
            case c.Either():
                return self.either([self.condition(x) for x in e.any_of])
            case c.Not():
                return self.negated(self.condition(e.not_))
            case c.Always() | "always":
                return self.always()
            case _:
                return terse_condition(e)  # type: ignore[arg-type]

    def breakdown(self, part: object) -> Lines | None:
        """What a clause is made of, line by line; None for one that is of a piece."""
        match part:
            case s.FirstOf() if len(part.first_of) > 1:
                return Lines("first", "", tuple(self._line(x) for x in part.first_of))
            case s.AnyOf() if len(part.any_of) > 1:
                return Lines("any", "", tuple(self._line(x) for x in part.any_of))
            case s.AllOf() if len(part.all_of) > 1:
                return Lines("all", "", tuple(self._line(x) for x in part.all_of))
            case s.Named():
                beside = {"and": part.and_, "but not": part.but_not}
                told = [self._line(part.sites)] + [self._line(x) for k, x in beside.items() if x is not None and k == "and"]
                if part.such_that is not None:
                    told.append(self._line(part.such_that))
                return Lines("all", "", tuple(told)) if len(told) > 1 else None
            case c.Every() if len(part.all_of) > 1:
                return Lines("all", "", tuple(self._line(x) for x in part.all_of))
            case c.Either() if len(part.any_of) > 1:
                return Lines("any", "", tuple(self._line(x) for x in part.any_of))
            case t.StepClause():
                told = [self._line(x) for x in (part.needs, part.when, getattr(part, "to", None)) if x is not None]
                inner = [x for x in told if x.parts]
                return inner[0] if len(told) == 1 and inner else Lines("all", "", tuple(told)) if inner else None
            case EndingClause():
                return self.breakdown(part.if_)
            case Then() if part.if_ is not None:
                return self.breakdown(part.if_)
            case _:
                return None

    def _line(self, part: object) -> Lines:
        deeper = self.breakdown(part)
        if deeper is not None:
            return deeper
        told = self.condition(part) if isinstance(part, c.ConditionClause) else self.one(self.sites(part))  # type: ignore[arg-type]
        return Lines("", self.sentence(told))

    def clause(self, part: BaseModel) -> str:
        """The whole clause as a sentence; the empty string for a part that says nothing by itself."""
        match part:
            case s.SitesClause():
                return self.sentence(self.alone(part))
            case c.ConditionClause():
                return self.sentence(self.condition(part))  # type: ignore[arg-type]
            case t.StepClause():
                return self.sentence(self.step(part))
            case t.Way():
                return self.sentence(self.way_to_choose(part))
            case EndingClause():
                return self.sentence(self.ending(part))
            case Event():
                return self.sentence(self.event(part))
            case LineShape():
                return self.sentence(self.line_shape(part))
            case PictureShape():
                return self.sentence(self.picture_shape(part))
            case BoardLineShape():
                return self.sentence(self.board_line_shape(part))
            case Then():
                return self.sentence(self.then(part))
            case _:
                return ""

    def alone(self, part: s.SitesClause) -> str:
        """A set of sites that stands alone."""
        return self.one(self.sites(part), NOM)  # type: ignore[arg-type]

    def step(self, step: t.StepClause) -> str:
        """A step with all that stands beside it."""
        who = self.player(step.who) if step.who else self.actor()
        match step:
            case t.Place():
                told = self.place(who, self.sites(step.place), step)
            case t.Move():
                told = self.move(who, self.sites(step.move), step)
            case t.Capture():
                told = self.take(who, step, step.capture, captured=True)
            case t.Remove():
                told = self.take(who, step, step.remove, captured=False)
            case t.Pick():
                told = self.pick(who, [self.lexicon.name(w) for w in step.from_], step)
            case t.OneOf():
                told = self.one_of(who, [self.lexicon.name(w.name) for w in step.one_of])
            case _:
                told = self.follows([self.clause(x) for x in (self.words.game.steps or {}).get(getattr(step, "do", ""), [])])
        needs = self.condition(step.needs) if step.needs is not None else ""
        when = self.condition(step.when) if step.when is not None else ""
        return self.beside_step(told, needs, when, step.optional)

    def targets(self, e: s.Sites) -> list[list[Phrase]]:
        """The sites that a step leads to: fallbacks in order, each a list of alternatives."""
        if isinstance(e, s.FirstOf) and _bare(e):
            return [a for x in e.first_of for a in self.targets(x)]
        if isinstance(e, s.AnyOf) and _bare(e):
            return [[p for x in e.any_of for a in self.targets(x) for p in a]]
        return [[self.sites(e)]]

    @property
    def paying(self) -> bool:
        """Whether shapes of this game pay, so that their worth is of interest."""
        game = self.words.game
        steps = [*(x for each in (game.steps or {}).values() for x in each), *(game.turn or [])]
        steps += [x for p in (game.phases or {}).values() for x in [*(p.turn or []), *(p.script or [])]]
        return any(isinstance(getattr(x, "count", None), t.Worth) for x in steps)

    def player(self, words: str) -> str:
        """A player, as the subject of a sentence."""
        try:
            return self.who(self.words.player(words))
        except Unknown:
            return self.lexicon.name(words)

    def seat(self, number: int) -> str:
        """The name of the first or the second player."""
        return self.lexicon.name(self.words.players[number])

    def colour(self, owner: PlayerWords) -> str:
        """The name of the colour that `owner` speaks of."""
        return self.lexicon.name(self.words.colours[0 if owner == "first colour" else 1])

    @staticmethod
    def drawn(e: PictureShape) -> str:
        """The rows of a drawn shape, one after another; a dot in the middle may be anything."""
        return " / ".join(row.replace(" ", "·") for row in e.picture)

    def belongs_to_nobody(self, noun: Noun) -> bool:
        """Whether the pieces of this name are nobody's, so that there is one of each kind."""
        return any(p.of == "nobody" and self.lexicon.piece(name) is noun for name, p in self.words.game.pieces.items())

    @staticmethod
    def bounds(at_least: int | None, at_most: int | None, exactly: int | None) -> list[tuple[str, int]]:
        """The bounds that are given, by name."""
        every = (("at least", at_least), ("at most", at_most), ("exactly", exactly))
        return [(k, n) for k, n in every if n is not None]

    # -- what a language says -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def sentence(self, told: str) -> str: ...
    @abstractmethod
    def one(self, p: Phrase, case: int = NOM) -> str: ...
    @abstractmethod
    def many(self, p: Phrase, case: int = NOM) -> str: ...
    @abstractmethod
    def actor(self) -> str: ...
    @abstractmethod
    def who(self, player: PlayerWords) -> str: ...
    @abstractmethod
    def pieces(self, noun: Noun, owner: str | None, kind: str) -> Phrase: ...
    @abstractmethod
    def atom(self, a: Atom) -> Phrase: ...
    @abstractmethod
    def region(self, r: Fixed) -> Phrase: ...
    @abstractmethod
    def next_to(self, b: s.Beside) -> Phrase: ...
    @abstractmethod
    def not_next_to(self, b: s.Beside) -> Phrase: ...
    @abstractmethod
    def slide(self, b: s.Slide) -> Phrase: ...
    @abstractmethod
    def jump(self, b: s.Jump) -> Phrase: ...
    @abstractmethod
    def far(self, b: s.Distance) -> Phrase: ...
    @abstractmethod
    def flanked(self, b: s.Flank) -> Phrase: ...
    @abstractmethod
    def first_of(self, parts: list[Phrase]) -> Phrase: ...
    @abstractmethod
    def that_is(self, main: Phrase, other: Phrase) -> str: ...
    @abstractmethod
    def but_not(self, p: Phrase) -> str: ...
    @abstractmethod
    def outside(self, named: list[str]) -> str: ...
    @abstractmethod
    def such_that(self, p: Phrase, condition: str) -> str: ...
    @abstractmethod
    def only_if(self, condition: str) -> str: ...
    @abstractmethod
    def line(self, b: c.Line) -> str: ...
    @abstractmethod
    def shape(self, b: c.HasShape) -> str: ...
    @abstractmethod
    def count(self, b: c.Count) -> str: ...
    @abstractmethod
    def some(self, p: Phrase) -> str: ...
    @abstractmethod
    def none(self, p: Phrase) -> str: ...
    @abstractmethod
    def in_hand(self, p: Phrase) -> str: ...
    @abstractmethod
    def hands_empty(self, player: PlayerWords) -> str: ...
    @abstractmethod
    def captured(self, player: str, n: int) -> str: ...
    @abstractmethod
    def nothing_captured(self, phase: str) -> str: ...
    @abstractmethod
    def can_move(self, player: str, can: bool) -> str: ...
    @abstractmethod
    def enters(self, phase: str) -> str: ...
    @abstractmethod
    def every(self, parts: list[str]) -> str: ...
    @abstractmethod
    def either(self, parts: list[str]) -> str: ...
    @abstractmethod
    def negated(self, condition: str) -> str: ...
    @abstractmethod
    def always(self) -> str: ...
    @abstractmethod
    def place(self, who: str, p: Phrase, step: t.Place) -> str: ...
    @abstractmethod
    def move(self, who: str, p: Phrase, step: t.Move) -> str: ...
    @abstractmethod
    def take(self, who: str, step: t.Taking, what: s.Sites, captured: bool) -> str: ...
    @abstractmethod
    def pick(self, who: str, values: list[str], step: t.Pick) -> str: ...
    @abstractmethod
    def one_of(self, who: str, ways: list[str]) -> str: ...
    @abstractmethod
    def follows(self, steps: list[str]) -> str: ...
    @abstractmethod
    def beside_step(self, told: str, needs: str, when: str, optional: bool) -> str: ...
    @abstractmethod
    def way_to_choose(self, way: t.Way) -> str: ...
    @abstractmethod
    def ending(self, e: EndingClause) -> str: ...
    @abstractmethod
    def event(self, e: Event) -> str: ...
    @abstractmethod
    def line_shape(self, e: LineShape) -> str: ...
    @abstractmethod
    def picture_shape(self, e: PictureShape) -> str: ...
    @abstractmethod
    def board_line_shape(self, e: BoardLineShape) -> str: ...
    @abstractmethod
    def then(self, e: Then) -> str: ...
