"""Clauses as Czech sentences: nouns come with their cases, adjectives are declined here."""

from __future__ import annotations

from lawstone.constructs.speech.phrases import ACC, GEN, INS, NOM, Czech, Noun, Phrase, Speech
from lawstone.constructs.speech.phrases import English as _English
from lawstone.model import conditions as c
from lawstone.model import sites as s
from lawstone.model import steps as t
from lawstone.model.base import Directions
from lawstone.model.game import BoardLineShape, EndingClause, Event, LineShape, PictureShape, Then
from lawstone.model.vocabulary import Atom, Fixed, PlayerWords

_HARD = {
    "m": (("ý", "ého", "ý", "ým"), ("é", "ých", "é", "ými")),
    "n": (("é", "ého", "é", "ým"), ("á", "ých", "á", "ými")),
    "f": (("á", "é", "ou", "ou"), ("é", "ých", "é", "ými")),
}
_SOFT = {
    "m": (("í", "ího", "í", "ím"), ("í", "ích", "í", "ími")),
    "n": (("í", "ího", "í", "ím"), ("í", "ích", "í", "ími")),
    "f": (("í", "í", "í", "í"), ("í", "ích", "í", "ími")),
}
"""Endings of adjectives by gender: one and several, in the four cases of a noun."""
_PLACE = Noun(
    of=None, en=_English(one="place", many="places"), zh={"say": "位置"},  # type: ignore[arg-type]
    cs=Czech(gender="n", one=["místo", "místa", "místo", "místem"], many=["místa", "míst", "místa", "místy"]),
)  # fmt: skip
_COMPASS = {
    "north": "na sever", "south": "na jih", "east": "na východ", "west": "na západ", "north east": "na severovýchod",
    "south east": "na jihovýchod", "south west": "na jihozápad", "north west": "na severozápad", "forward": "vpřed",
    "backward": "vzad", "forward left": "šikmo vpřed vlevo", "forward right": "šikmo vpřed vpravo", "left": "vlevo",
    "right": "vpravo", "backward left": "šikmo vzad vlevo", "backward right": "šikmo vzad vpravo",
}  # fmt: skip
_BOUNDS = {"at least": "aspoň", "at most": "nejvýše", "exactly": "právě"}
_NONE = {"m": "žádný", "n": "žádné", "f": "žádná"}
_THE = {"m": "který", "n": "které", "f": "která"}
_WHOM = {"m": "který", "n": "které", "f": "kterou"}
_SUCH = {"m": "takový", "n": "takové", "f": "taková"}


def way(directions: Directions) -> str:
    """Directions, after a verb."""
    named = {"orthogonal": "v řadě či sloupci", "diagonal": "po úhlopříčce", "all": "kterýmkoli směrem"}
    return named[directions] if isinstance(directions, str) else listed([_COMPASS[d] for d in directions], "nebo")


def listed(parts: list[str], last: str) -> str:
    """Several things in a row, with a word before the last."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def declined(adjective: str, gender: str, case: int, many: bool) -> str:
    """An adjective in its form; words that are no adjectives of the two common patterns stay as they are."""
    stem, end = adjective[:-1], adjective[-1]
    endings = {"ý": _HARD, "í": _SOFT}.get(end)
    return adjective if endings is None else stem + endings[gender][many][case]


class InCzech(Speech):
    """Czech."""

    def sentence(self, told: str) -> str:
        return told[:1].upper() + told[1:] + ("" if told.endswith(".") else ".")

    def _said(self, p: Phrase, case: int, many: bool) -> str:
        if p.each:
            told = listed([self._said(x, case, many) for x in p.each], "nebo")
            return told + "".join(self._after(a) for a in p.after)
        if p.fixed:
            return "".join([p.fixed, *(self._after(a) for a in p.after)])
        noun = p.noun.cs
        before = [declined(a, noun.gender, case, many) for a in p.before]
        told = " ".join([*before, (noun.many if many else noun.one)[case]])
        return told + "".join(self._after(a) for a in p.after)

    @staticmethod
    def _after(words: str) -> str:
        return words if words.startswith((",", ";")) else f" {words}"

    def one(self, p: Phrase, case: int = NOM) -> str:
        return self._said(p, case, False)

    def many(self, p: Phrase, case: int = NOM) -> str:
        return self._said(p, case, True)

    def counted(self, n: int, p: Phrase) -> str:
        """So many of them, as the object or the subject of a sentence."""
        return f"{n} " + (self.one(p, ACC) if n == 1 else self.many(p, ACC) if n < 5 else self.many(p, GEN))

    def actor(self) -> str:
        return "hráč"

    def who(self, player: PlayerWords) -> str:
        match player:
            case "own":
                return "hráč"
            case "enemy":
                return "soupeř"
            case "both":
                return "oba hráči"
            case "next":
                return "hráč, který je dál na tahu,"
            case "first" | "second":
                return self.seat(0 if player == "first" else 1)
            case _:
                return f"ten, kdo hraje {declined(self.colour(player), 'm', INS, True)}"

    def pieces(self, noun: Noun, owner: str | None, kind: str) -> Phrase:
        after: tuple[str, ...] = () if not kind else (f"vybraného {noun.cs.kind}",) if kind.startswith("$") else (kind.upper(),)
        match owner:
            case None:
                return Phrase(noun, (), after, place=False)
            case "own":
                return Phrase(noun, ("vlastní",), after, place=False)
            case "enemy":
                return Phrase(noun, (), ("soupeře", *after), place=False)
            case "next":
                return Phrase(noun, (), (*after, "hráče, který je dál na tahu"), place=False)
        name = self.seat(0 if owner == "first" else 1) if owner in ("first", "second") else self.colour(owner)  # type: ignore[arg-type]
        if " " not in name and name[-1] in "ýí":
            return Phrase(noun, (name,), after, place=False)
        of = " ".join(declined(w, "m", GEN, False) if w[-1] in "ýí" else {"hráč": "hráče"}.get(w, w) for w in name.split())
        return Phrase(noun, (), (of, *after), place=False)

    def atom(self, a: Atom) -> Phrase:
        site = Phrase(self.site)
        match a.name:
            case "empty":
                return Phrase(self.site, ("prázdný",))
            case "occupied":
                return Phrase(self.site, ("obsazený",))
            case "board":
                return site.but("desky")
            case "centre":
                return Phrase(self.site, ("prostřední",))
            case "corners":
                return Phrase(self.site, ("rohový",))
            case "edges":
                return site.but("na okraji")
            case "last":
                return Phrase(self.piece, ("poslední",), place=False)
            case "it":
                return Phrase(_PLACE, ("jeho",))
            case "vacated":
                return Phrase(self.site).but(", odkud kámen vyšel")
            case "far rank":
                return site.but("poslední řady")
            case _:
                return site.but("první řady")

    def region(self, r: Fixed) -> Phrase:
        if r.name in self.words.board.numbers:
            return Phrase(self.site, fixed=r.name)
        return Phrase(self.site).but(f"oblasti „{self.lexicon.name(r.name)}“")

    def next_to(self, b: s.Beside) -> Phrase:
        site = Phrase(self.site)
        match b.directions:
            case "all" | "orthogonal" | "diagonal":
                told = "" if b.directions == "all" else f" {way(b.directions)}"
                return site.but(f"vedle {self.one(self.sites(b.of), GEN)}{told}")
            case _:
                return site.but(f"o krok {way(b.directions)} od {self.one(self.sites(b.of), GEN)}")

    def not_next_to(self, b: s.Beside) -> Phrase:
        return Phrase(self.site).but(f", {_THE[self.site.cs.gender]} není {self.next_to(b).after[-1]}")

    def slide(self, b: s.Slide) -> Phrase:
        start, over = self.one(self.sites(b.from_), GEN), self.many(self.sites(b.over), ACC)
        far = (
            ""
            if b.at_most is None
            else f", dlouhá nejvýše {b.at_most} {'krok' if b.at_most == 1 else 'kroky' if b.at_most < 5 else 'kroků'}"
        )
        return Phrase(self.site).but(f", kam od {start} vede {way(b.directions)} přímá cesta přes {over}{far}")

    def jump(self, b: s.Jump) -> Phrase:
        run = (
            f"hned za souvislou řadou {self.many(self.sites(b.over), GEN)}, která začíná vedle {self.one(self.sites(b.from_), GEN)}"
        )
        on = f", a odtud dál přes {self.many(self.sites(b.then_over), ACC)}" if b.then_over is not None else ""
        return self.sites(b.to).but(f"{run}, přímo {way(b.directions)}{on}")

    def far(self, b: s.Distance) -> Phrase:
        told = " a ".join(f"{_BOUNDS[k]} {_steps(n)}" for k, n in self.bounds(b.at_least, b.at_most, None))
        measured = {
            "king": "krok šikmo se počítá jako jeden",
            "city block": "počítáno po čarách",
            "straight line": "vzdušnou čarou",
        }[b.metric]
        return Phrase(self.site).but(f"{told} od {self.one(self.sites(b.from_), GEN)} ({measured})")

    def flanked(self, b: s.Flank) -> Phrase:
        n = f" právě {b.exactly}" if b.exactly else ""
        a, z = self.one(self.sites(b.from_), INS), self.one(self.sites(b.by), INS)
        return self.sites(b.over).but(f"v souvislé řadě{n} mezi {a} a {z}, {way(b.directions)}")

    def first_of(self, parts: list[Phrase]) -> Phrase:
        told = f"; není-li {_SUCH[parts[0].noun.cs.gender]}, ".join(self.one(p, ACC) for p in parts)
        return Phrase(parts[0].noun, fixed=told, place=parts[0].place)

    def that_is(self, main: Phrase, other: Phrase) -> str:
        at = "leží na místě: " if other.place and not main.place else "je to zároveň "
        return f", pokud {at}{self.one(other)}"

    def but_not(self, p: Phrase) -> str:
        return f", pokud to není {self.one(p)}"

    def outside(self, named: list[str]) -> str:
        return "mimo úplné obrazce" if not named else f"mimo úplné obrazce ({self._names(named)})"

    def _names(self, named: list[str]) -> str:
        return listed([self.lexicon.name(n) for n in named], "nebo")

    def such_that(self, p: Phrase, condition: str) -> str:
        return f", po jehož {'obsazení' if p.place else 'odebrání'} {condition}"

    def only_if(self, condition: str) -> str:
        return f"(jen když {condition})"

    def line(self, b: c.Line) -> str:
        [(size, n)] = self.bounds(b.at_least, None, b.exactly)
        told = f"leží {way(b.directions)} bez mezer vedle sebe {_BOUNDS[size]} {self.counted(n, self.sites(b.of))}"
        if b.past is not None:
            told = told.replace("bez mezer vedle sebe ", "") + f", přičemž {self.many(self.sites(b.past), NOM)} mezi nimi nevadí"
        longer = f" a žádná delší řada{self._through(b.through, ', v níž je')} nestojí" if b.none_longer else ""
        return told + self._through(b.through, "a je mezi nimi") + longer

    def _through(self, through: s.Sites | None, joined: str) -> str:
        if through is None:
            return ""
        return f" {joined} " + ("právě hraný kámen" if through == "it" else self.one(self.sites(through)))

    def shape(self, b: c.HasShape) -> str:
        named = [b.shape] if isinstance(b.shape, str) else list(b.shape)
        told = "úplný obrazec" if named == ["any"] else f"úplný obrazec ({self._names(named)})"
        return f"stojí na desce {told} z {self.many(self.sites(b.of), GEN)}{self._through(b.through, 'a patří k němu')}"

    def count(self, b: c.Count) -> str:
        told = " a ".join(f"{_BOUNDS[k]} {n}" for k, n in self.bounds(b.at_least, b.at_most, b.exactly))
        where = " na desce a v ruce dohromady" if b.with_hand else ""
        return f"počet {self.many(self.sites(b.count), GEN)}{where} je {told}"

    def some(self, p: Phrase) -> str:
        return f"na desce je {self.one(p)}"

    def none(self, p: Phrase) -> str:
        return f"na desce není {_NONE[p.noun.cs.gender]} {self.one(p)}"

    def in_hand(self, p: Phrase) -> str:
        return f"v ruce zbývá {self.one(p)}"

    def hands_empty(self, player: PlayerWords) -> str:
        return "nikdo nemá nic v ruce" if player == "both" else f"{self.who(player)} nemá nic v ruce"

    def captured(self, player: str, n: int) -> str:
        return f"{player} vzal celkem aspoň {self.counted(n, Phrase(self.piece, place=False))}"

    def nothing_captured(self, phase: str) -> str:
        return f"nikdo nic nevzal ve fázi „{phase}“"

    def can_move(self, player: str, can: bool) -> str:
        return f"{player} {'může' if can else 'nemůže'} táhnout"

    def enters(self, phase: str) -> str:
        return f"začíná fáze „{phase}“"

    def every(self, parts: list[str]) -> str:
        return " a ".join(parts)

    def either(self, parts: list[str]) -> str:
        return " nebo ".join(parts)

    def negated(self, condition: str) -> str:
        return f"neplatí, že {condition}"

    def always(self) -> str:
        return "hned"

    def _to(self, e: s.Sites) -> str:
        each = [" nebo na ".join(self.one(p, ACC) for p in a) for a in self.targets(e)]
        return "na " + f"; není-li {_SUCH[self.site.cs.gender]}, na ".join(each)

    def place(self, who: str, p: Phrase, step: t.Place) -> str:
        return f"{who} položí {self.one(p, ACC)} {self._to(step.to)}"

    def move(self, who: str, p: Phrase, step: t.Move) -> str:
        taken = f"; {self.one(self.sites(step.displaces), ACC)}, na jehož místo přijde, vezme" if step.displaces is not None else ""
        return f"{who} přesune {self.one(p, ACC)} {self._to(step.to)}{taken}"

    def take(self, who: str, step: t.Taking, what: s.Sites, captured: bool) -> str:
        verb = "vezme" if captured else "odebere"
        most = "nejvýše " if step.up_to else ""
        first, *rest = self.targets(what)
        p = first[0]
        match step.count:
            case 1 if not most:
                told = f"{verb} jeden {self.one(p, ACC)}" if p.noun.cs.gender == "m" else f"{verb} {self.one(p, ACC)}"
            case int(n):
                told = f"{verb} {most}{self.counted(n, p)}"
            case "all":
                told = f"{verb} {most}všechny {self.many(p, ACC)}"
            case worth:
                told = f"{verb} {most}tolik {self.many(p, GEN)}, kolik je hodnota {self._worth(worth)}"
        for others in rest:
            told += f"; není-li {_SUCH[p.noun.cs.gender]}, {self.one(others[0], ACC)}"
        match step.if_fewer:
            case "take what there is":
                told += "; je-li jich méně, všechny"
            case "not allowed":
                told += "; je-li jich méně, tah není dovolen"
            case "take from" if step.rest_from is not None:
                told += f"; je-li jich méně, zbytek se vezme z {self.many(self.sites(step.rest_from), GEN)}"
        return f"{who} {told}"

    def _worth(self, w: t.Worth) -> str:
        which = "úplných obrazců" if w.worth == "shapes" else f"úplných obrazců ({self._names(list(w.worth))})"
        by = ""
        if w.formed_by is not None:
            by = ", k nimž patří " + ("právě hraný kámen" if w.formed_by == "it" else self.one(self.sites(w.formed_by)))
        return which + by + {"all": "", "one per kind": " (každý druh jednou)", "best": " (jen nejdražší)"}[w.stack]

    def pick(self, who: str, values: list[str], step: t.Pick) -> str:
        return f"{who} vybere {listed([v.upper() if len(v) == 1 else v for v in values], 'nebo')}"

    def one_of(self, who: str, ways: list[str]) -> str:
        return f"{who} si zvolí: {listed(ways, 'nebo')}"

    def follows(self, steps: list[str]) -> str:
        return "potom: " + " ".join(steps)

    def beside_step(self, told: str, needs: str, when: str, optional: bool) -> str:
        if when:
            subject, _, rest = told.partition(" ")
            told = f"jestliže {when}, {subject} {rest}"
        told += f"; podmínkou je, že {needs}" if needs else ""
        return told + (". Smí to vynechat" if optional else "")

    def way_to_choose(self, way: t.Way) -> str:
        told = self.lexicon.name(way.name)
        told += f", jestliže {self.condition(way.needs)}" if way.needs is not None else ""
        told += f": hráč hraje {declined(self.lexicon.name(way.take), 'm', INS, True)}" if way.take else ""
        return told + (f"; následuje fáze „{self.lexicon.name(way.go)}“" if way.go else "")

    def ending(self, e: EndingClause) -> str:
        named, wins = e.result
        who = {
            "mover": "hráč, který právě táhl",
            "opponent": "soupeř hráče, který právě táhl",
            "next": "hráč, který je dál na tahu",
        }
        won = "je to remíza" if named == "draw" else f"{'vyhrává' if wins else 'prohrává'} {who[named]}"
        return f"jestliže {self.condition(e.if_)}, {won}"

    def event(self, e: Event) -> str:
        told = {"any pick": "kdykoli během tahu", "start of a turn": "na začátku tahu"}[e.at]
        if e.repetition is not None:
            told += f", když se pozice objeví po {e.repetition.times}."
        elif e.no_progress is not None:
            told += f", po {e.no_progress.plies} tazích bez položení a bez braní"
        else:
            told += {"actor": ", chce-li to hráč na tahu", "both": ", shodnou-li se oba hráči", "nobody": ""}[e.by]
        if e.draw:
            return f"{told}: hra končí remízou"
        if e.loses is not None:
            return f"{told}: hráč na tahu prohrává"
        return f"{told}: co už bylo z tahu zahráno, platí, zbytek tahu propadá"

    def line_shape(self, e: LineShape) -> str:
        ends = {"opposite corners": "v protějších rozích", "adjacent edges": "na dvou sousedních okrajích"}
        told = f"{self.counted(e.line, Phrase(self.piece))} bez mezery vedle sebe {way(e.directions)}" + (
            f", oba konce {ends[e.ends]}" if e.ends else ""
        )
        told += f", {'žádný v rohu' if e.avoids == 'corners' else 'nikde ' + self.one(self.sites(e.avoids))}" if e.avoids else ""
        return told + self._pays(e.worth)

    def _pays(self, worth: int) -> str:
        return f"; hodnota {worth}" if self.paying else ""

    def picture_shape(self, e: PictureShape) -> str:
        turned = "jen takto natočené" if e.fixed else "i otočené a zrcadlené"
        return f"{self.many(Phrase(self.piece))} jako na obrázku ({self.drawn(e)}), {turned}{self._pays(e.worth)}"

    def board_line_shape(self, e: BoardLineShape) -> str:
        return f"{self.counted(e.board_line, Phrase(self.piece))} bez mezery vedle sebe na čáře desky{self._pays(e.worth)}"

    def then(self, e: Then) -> str:
        first = f" a začíná v ní {self.player(e.first)}" if e.first else ""
        told = f"následuje fáze „{self.lexicon.name(e.go)}“{first}"
        return f"jestliže {self.condition(e.if_)}, {told}" if e.if_ is not None else told


def _steps(n: int) -> str:
    return f"{n} " + ("krok" if n == 1 else "kroky" if n < 5 else "kroků")
