"""Clauses as English sentences."""

from __future__ import annotations

from lawstone.constructs.speech.phrases import NOM, Noun, Phrase, Speech
from lawstone.model import conditions as c
from lawstone.model import sites as s
from lawstone.model import steps as t
from lawstone.model.base import Directions
from lawstone.model.game import BoardLineShape, EndingClause, Event, LineShape, PictureShape, Then
from lawstone.model.vocabulary import Atom, Fixed, PlayerWords

_OWN = "own"


def way(directions: Directions) -> str:
    """Directions, after a verb."""
    named = {"orthogonal": "along a row or column", "diagonal": "along a diagonal", "all": "in any direction"}
    return named[directions] if isinstance(directions, str) else "to the " + listed(list(directions), "or")


def listed(parts: list[str], last: str) -> str:
    """Several things in a row, with a word before the last."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


class InEnglish(Speech):
    """English."""

    def sentence(self, told: str) -> str:
        return told[:1].upper() + told[1:] + ("" if told.endswith(".") else ".")

    def _noun(self, p: Phrase, many: bool) -> str:
        said = p.noun.en.many if many else p.noun.en.one
        return " ".join([*p.before, said, *p.after])

    def one(self, p: Phrase, case: int = NOM) -> str:
        if p.each:
            return " ".join([listed([self.one(x) for x in p.each], "or"), *p.after])
        if p.fixed:
            return " ".join([p.fixed, *p.after])
        if p.before[:1] == (_OWN,):
            return " ".join(["one of their own", *p.before[1:], p.noun.en.many, *p.after])
        if p.before[:1] == ("the",):
            return self._noun(p, False)
        told = self._noun(p, False)
        return f"{'an' if told[0] in 'aeio' else 'a'} {told}"

    def many(self, p: Phrase, case: int = NOM) -> str:
        if p.each:
            return " ".join([listed([self.many(x) for x in p.each], "or"), *p.after])
        return " ".join([p.fixed, *p.after]) if p.fixed else self._noun(p, True)

    def actor(self) -> str:
        return "the player"

    def who(self, player: PlayerWords) -> str:
        match player:
            case "own":
                return "the player"
            case "enemy":
                return "the opponent"
            case "both":
                return "both players"
            case "next":
                return "the player who acts next"
            case "first" | "second":
                return self.seat(0 if player == "first" else 1)
            case _:
                return f"whoever plays {self.colour(player)}"

    def pieces(self, noun: Noun, owner: str | None, kind: str) -> Phrase:
        after = () if not kind else (f"of the {noun.en.kind} chosen",) if kind.startswith("$") else (kind.upper(),)
        match owner:
            case None:
                before: tuple[str, ...] = ("the",) if kind and self.belongs_to_nobody(noun) else ()
            case "own" | "enemy":
                before = (owner,)
            case "next":
                return Phrase(noun, (), (*after, "of the player who acts next"), place=False)
            case "first" | "second":
                name = self.seat(0 if owner == "first" else 1)
                before = (f"{name}'s" if " " in name else name.lower(),)
                before = ("the", before[0].removeprefix("the ")) if " " in name else before
            case _:
                before = (self.colour(owner).lower(),)  # type: ignore[arg-type]
        return Phrase(noun, before, after, place=False)

    def atom(self, a: Atom) -> Phrase:
        site = Phrase(self.site)
        match a.name:
            case "empty" | "occupied":
                return Phrase(self.site, (a.name,))
            case "board":
                return site.but("of the board")
            case "centre":
                return Phrase(self.site, ("the", "middle"))
            case "corners":
                return Phrase(self.site, ("corner",))
            case "edges":
                return site.but("on the edge")
            case "last":
                return Phrase(self.piece, ("the", "last"), place=False)
            case "it":
                return Phrase(self.site, fixed="it")
            case "vacated":
                return Phrase(self.site, ("the",), ("that the piece moved came from",))
            case "far rank":
                return site.but("of the last row")
            case _:
                return site.but("of the first row")

    def region(self, r: Fixed) -> Phrase:
        if r.name in self.words.board.numbers:
            return Phrase(self.site, fixed=r.name)
        return Phrase(self.site).but(f"of {r.name}")

    def _near(self, b: s.Beside) -> str:
        of = self.one(self.sites(b.of))
        match b.directions:
            case "all":
                return f"next to {of}"
            case "orthogonal":
                return f"next to {of} in its row or column"
            case "diagonal":
                return f"diagonally next to {of}"
            case ways:
                return f"one step {listed(list(ways), 'or')} of {of}"

    def next_to(self, b: s.Beside) -> Phrase:
        return Phrase(self.site).but(self._near(b))

    def not_next_to(self, b: s.Beside) -> Phrase:
        return Phrase(self.site).but(f"not {self._near(b)}")

    def slide(self, b: s.Slide) -> Phrase:
        over = self.many(self.sites(b.over))
        far = "" if b.at_most is None else f", by at most {b.at_most} step{'s' * (b.at_most > 1)}"
        return Phrase(self.site).but(f"reached from {self.one(self.sites(b.from_))} straight {way(b.directions)} over {over}{far}")

    def jump(self, b: s.Jump) -> Phrase:
        run = f"just beyond an unbroken run of {self.many(self.sites(b.over))} that begins beside {self.one(self.sites(b.from_))}"
        on = f", and on from there over {self.many(self.sites(b.then_over))}" if b.then_over is not None else ""
        return self.sites(b.to).but(f"{run}, {way(b.directions)}{on}")

    def far(self, b: s.Distance) -> Phrase:
        told = " and ".join(f"{k} {n}" for k, n in self.bounds(b.at_least, b.at_most, None))
        measured = {
            "king": "counted in king's steps",
            "city block": "counted along the lines",
            "straight line": "as the crow flies",
        }[b.metric]
        return Phrase(self.site).but(f"{told} away from {self.one(self.sites(b.from_))}, {measured}")

    def flanked(self, b: s.Flank) -> Phrase:
        n = f" of exactly {b.exactly}" if b.exactly else ""
        a, z = self.one(self.sites(b.from_)), self.one(self.sites(b.by))
        return self.sites(b.over).but(f"in an unbroken run{n} between {a} and {z}, {way(b.directions)}")

    def first_of(self, parts: list[Phrase]) -> Phrase:
        return Phrase(parts[0].noun, fixed="; if there is none, ".join(self.one(p) for p in parts), place=parts[0].place)

    def that_is(self, main: Phrase, other: Phrase) -> str:
        return f"that is {'on ' if other.place and not main.place else ''}{self.one(other)}"

    def but_not(self, p: Phrase) -> str:
        return f"that is not {self.one(p)}"

    def outside(self, named: list[str]) -> str:
        return "outside any complete shape" if not named else f"outside any complete {self._names(named)}"

    def _names(self, named: list[str]) -> str:
        return listed([self.lexicon.name(n) for n in named], "or")

    def such_that(self, p: Phrase, condition: str) -> str:
        there = "with the piece there" if p.place else "once it is gone"
        return f"such that, {there}, {condition}"

    def only_if(self, condition: str) -> str:
        return f"(only if {condition})"

    def line(self, b: c.Line) -> str:
        [(size, n)] = self.bounds(b.at_least, None, b.exactly)
        of = self.sites(b.of)
        told = f"there is an unbroken row of {size} {n} {self.many(of)} {way(b.directions)}"
        if b.past is not None:
            told += f", where {self.many(self.sites(b.past))} in between are passed over"
        longer = f", and no longer one stands{self._through(b.through)}" if b.none_longer else ""
        return told + self._through(b.through) + longer

    def _through(self, through: s.Sites | None) -> str:
        if through is None:
            return ""
        return " that includes the piece just played" if through == "it" else f" that includes {self.one(self.sites(through))}"

    def shape(self, b: c.HasShape) -> str:
        named = [b.shape] if isinstance(b.shape, str) else list(b.shape)
        told = "shape" if named == ["any"] else self._names(named)
        return f"a complete {told} of {self.many(self.sites(b.of))}{self._through(b.through)} stands on the board"

    def count(self, b: c.Count) -> str:
        told = " and ".join(f"{k} {n}" for k, n in self.bounds(b.at_least, b.at_most, b.exactly))
        where = ", on the board and in hand together," if b.with_hand else ""
        return f"the number of {self.many(self.sites(b.count))}{where} is {told}"

    def some(self, p: Phrase) -> str:
        return f"there is {self.one(p)}"

    def none(self, p: Phrase) -> str:
        return f"there is no {p.fixed or self._noun(p, False)}"

    def in_hand(self, p: Phrase) -> str:
        return f"{self.one(p)} is in hand"

    def hands_empty(self, player: PlayerWords) -> str:
        return "both hands are empty" if player == "both" else f"{self.who(player)} has nothing in hand"

    def captured(self, player: str, n: int) -> str:
        return f"{player} has captured at least {n} {self.piece.en.many if n != 1 else self.piece.en.one}"

    def nothing_captured(self, phase: str) -> str:
        return f"nobody captured anything in the phase “{phase}”"

    def can_move(self, player: str, can: bool) -> str:
        return f"{player} {'can' if can else 'cannot'} move"

    def enters(self, phase: str) -> str:
        return f"the phase “{phase}” begins"

    def every(self, parts: list[str]) -> str:
        return " and ".join(parts)

    def either(self, parts: list[str]) -> str:
        return " or ".join(parts)

    def negated(self, condition: str) -> str:
        return f"it is not so that {condition}"

    def always(self) -> str:
        return "at once"

    def _to(self, e: s.Sites, preposition: str) -> str:
        each = [f" or {preposition} ".join(self.one(p) for p in a) for a in self.targets(e)]
        return f"{preposition} " + f"; if there is none, {preposition} ".join(each)

    def place(self, who: str, p: Phrase, step: t.Place) -> str:
        return f"{who} places {self.one(p)} {self._to(step.to, 'on')}"

    def move(self, who: str, p: Phrase, step: t.Move) -> str:
        what = self.one(p)
        taken = f", capturing {self.one(self.sites(step.displaces))} that stands there" if step.displaces is not None else ""
        return f"{who} moves {what} {self._to(step.to, 'to')}{taken}"

    def take(self, who: str, step: t.Taking, what: s.Sites, captured: bool) -> str:
        verb = "captures" if captured else "removes"
        most = "up to " if step.up_to else ""
        first, *rest = self.targets(what)
        p = first[0]
        match step.count:
            case 1 if not most:
                told = f"{verb} {self.one(p)}"
            case int(n):
                told = f"{verb} {most}{n} {self.many(p)}"
            case "all":
                told = f"{verb} {most}all {self.many(p)}"
            case worth:
                told = f"{verb} {most}as many {self.many(p)} as {self._worth(worth)} pay"
        for others in rest:
            told += f"; if there is none, {self.one(others[0])}"
        match step.if_fewer:
            case "take what there is":
                told += "; if there are fewer, all of them"
            case "not allowed":
                told += "; where there are fewer, the turn is not allowed"
            case "take from" if step.rest_from is not None:
                told += f"; if there are fewer, the rest is taken from {self.many(self.sites(step.rest_from))}"
        return f"{who} {told}"

    def _worth(self, w: t.Worth) -> str:
        which = "the complete shapes" if w.worth == "shapes" else f"the complete {self._names(list(w.worth))}"
        by = self._through(w.formed_by).replace(" that includes", " that include") if w.formed_by is not None else ""
        stack = {"all": "", "one per kind": " (each kind once)", "best": " (only the dearest)"}[w.stack]
        return f"{which}{by}{stack}"

    def pick(self, who: str, values: list[str], step: t.Pick) -> str:
        return f"{who} chooses {listed([v.upper() if len(v) == 1 else v for v in values], 'or')}"

    def one_of(self, who: str, ways: list[str]) -> str:
        return f"{who} chooses {listed(ways, 'or')}"

    def follows(self, steps: list[str]) -> str:
        return "then: " + " ".join(steps)

    def beside_step(self, told: str, needs: str, when: str, optional: bool) -> str:
        told = f"if {when}, {told}" if when else told
        told += f"; this needs that {needs}" if needs else ""
        return told + (". This may be left out" if optional else "")

    def way_to_choose(self, way: t.Way) -> str:
        told = self.lexicon.name(way.name)
        told += f", if {self.condition(way.needs)}" if way.needs is not None else ""
        told += f": the player takes {self.lexicon.name(way.take)}" if way.take else ""
        return told + (f"; the phase “{self.lexicon.name(way.go)}” follows" if way.go else "")

    def ending(self, e: EndingClause) -> str:
        named, wins = e.result
        who = {
            "mover": "the player who has just moved",
            "opponent": "the opponent of the player who has just moved",
            "next": "the player who acts next",
        }
        won = "the game is drawn" if named == "draw" else f"{who[named]} {'wins' if wins else 'loses'}"
        return f"if {self.condition(e.if_)}, {won}"

    def event(self, e: Event) -> str:
        told = {"any pick": "at any moment of a turn", "start of a turn": "at the start of a turn"}[e.at]
        if e.repetition is not None:
            told += f", when a position appears for the {e.repetition.times}th time"
        elif e.no_progress is not None:
            told += f", after {e.no_progress.plies} turns without a placement or a capture"
        else:
            told += {"actor": ", if the player to act so wishes", "both": ", if both players agree", "nobody": ""}[e.by]
        if e.draw:
            return f"{told}: the game is drawn"
        if e.loses is not None:
            return f"{told}: the player to act loses the game"
        return f"{told}: what has been played of the turn stands, and the rest of it is lost"

    def line_shape(self, e: LineShape) -> str:
        ends = {"opposite corners": "on opposite corners", "adjacent edges": "on two edges that meet"}
        told = f"{e.line} {self.piece.en.many} in an unbroken row {way(e.directions)}" + (
            f", its ends {ends[e.ends]}" if e.ends else ""
        )
        told += (
            f", none of them {'in a corner' if e.avoids == 'corners' else 'on ' + self.one(self.sites(e.avoids))}"
            if e.avoids
            else ""
        )
        return told + self._pays(e.worth)

    def _pays(self, worth: int) -> str:
        return f"; worth {worth}" if self.paying else ""

    def picture_shape(self, e: PictureShape) -> str:
        turned = "only this way up" if e.fixed else "turned and mirrored as well"
        rows = self.drawn(e)
        return f"{self.piece.en.many} as drawn ({rows}), {turned}{self._pays(e.worth)}"

    def board_line_shape(self, e: BoardLineShape) -> str:
        return f"{e.board_line} {self.piece.en.many} in an unbroken row along a line of the board{self._pays(e.worth)}"

    def then(self, e: Then) -> str:
        when = f"if {self.condition(e.if_)}, " if e.if_ is not None else ""
        first = f", and {self.player(e.first)} begins it" if e.first else ""
        return f"{when}the phase “{self.lexicon.name(e.go)}” follows{first}"
