"""Clauses as Chinese sentences: what describes a noun stands before it."""

from __future__ import annotations

from lawstone.constructs.speech.phrases import NOM, Noun, Phrase, Speech
from lawstone.model import conditions as c
from lawstone.model import sites as s
from lawstone.model import steps as t
from lawstone.model.base import Directions
from lawstone.model.game import BoardLineShape, EndingClause, Event, LineShape, PictureShape, Then
from lawstone.model.vocabulary import Atom, Fixed, PlayerWords

_COMPASS = {
    "north": "北", "south": "南", "east": "东", "west": "西", "north east": "东北", "south east": "东南", "south west": "西南",
    "north west": "西北", "forward": "正前", "backward": "正后", "forward left": "左前", "forward right": "右前", "left": "左",
    "right": "右", "backward left": "左后", "backward right": "右后",
}  # fmt: skip
_BOUNDS = {"at least": "至少", "at most": "至多", "exactly": "恰好"}


def way(directions: Directions) -> str:
    """Directions, before a verb."""
    named = {"orthogonal": "沿行或列", "diagonal": "沿斜线", "all": "沿任意方向"}
    return named[directions] if isinstance(directions, str) else "向" + "或".join(_COMPASS[d] for d in directions) + "方"


class InChinese(Speech):
    """Chinese. A phrase's `after` holds what describes it; it is said first, with 的."""

    def sentence(self, told: str) -> str:
        return told if told.endswith("。") else told + "。"

    def _said(self, p: Phrase) -> str:
        described = "".join(f"{a}的" for a in reversed(p.after))
        if p.each:
            return described + "或".join(self._said(x) for x in p.each)
        if p.fixed:
            return described + p.fixed
        before = "".join(p.before)
        noun = p.noun.zh.after or p.noun.zh.say if len(before) == 1 else p.noun.zh.say
        return described + before + noun

    def one(self, p: Phrase, case: int = NOM) -> str:
        return self._said(p)

    def many(self, p: Phrase, case: int = NOM) -> str:
        return self._said(p)

    def some_one(self, p: Phrase, n: int = 1) -> str:
        """So many of them, with the word of measure."""
        number = {1: "一", 2: "两"}.get(n, f" {n} ")
        return self._said(p) if p.fixed or p.each else f"{number}{p.noun.zh.measure}{self._said(p)}"

    def alone(self, part: s.SitesClause) -> str:
        return self._said(self.sites(part))  # type: ignore[arg-type]

    def actor(self) -> str:
        return "行棋方"

    def who(self, player: PlayerWords) -> str:
        match player:
            case "own":
                return "行棋方"
            case "enemy":
                return "对方"
            case "both":
                return "双方"
            case "next":
                return "接下来行棋的一方"
            case "first" | "second":
                return self.seat(0 if player == "first" else 1)
            case _:
                return f"执{self.colour(player)}的一方"

    def pieces(self, noun: Noun, owner: str | None, kind: str) -> Phrase:
        after: tuple[str, ...] = () if not kind else (f"所选{noun.zh.kind}",) if kind.startswith("$") else ()
        before: tuple[str, ...] = ()
        if owner in ("own", "enemy"):
            before = ("己方" if owner == "own" else "对方",)
        elif owner == "next":
            before = ("接下来行棋一方的",)
        elif owner is not None:
            number = 0 if owner in ("first", "first colour") else 1
            named = (self.words.players if owner in ("first", "second") else self.words.colours)[number]
            whole = f"{named} {next((k for k, n in self.lexicon.nouns.items() if n is noun), '')}"
            if self.lexicon.name(whole) != whole:
                noun = noun.model_copy(update={"zh": noun.zh.model_copy(update={"say": self.lexicon.name(whole), "after": ""})})
            else:
                before = (self.lexicon.name(named),)
        if kind and not kind.startswith("$"):
            before = (*before, kind.upper())
        return Phrase(noun, before, after, place=False)

    def atom(self, a: Atom) -> Phrase:
        site = Phrase(self.site)
        match a.name:
            case "empty":
                return Phrase(self.site, ("空",))
            case "occupied":
                return site.but("有子")
            case "board":
                return Phrase(self.site, ("棋盘上的",))
            case "centre":
                return Phrase(self.site, ("正中的",))
            case "corners":
                return Phrase(self.site, ("角上的",))
            case "edges":
                return Phrase(self.site, ("边上的",))
            case "last":
                return Phrase(self.piece, ("上一",), place=False, fixed=f"上一{self.piece.zh.after or self.piece.zh.say}")
            case "it":
                return Phrase(self.site, fixed="该子原位")
            case "vacated":
                return Phrase(self.site, fixed=f"棋子走之前所在的{self.site.zh.say}")
            case "far rank":
                return Phrase(self.site, ("底线上的",))
            case _:
                return Phrase(self.site, ("己方底线上的",))

    def region(self, r: Fixed) -> Phrase:
        if r.name in self.words.board.numbers:
            return Phrase(self.site, fixed=r.name)
        return Phrase(self.site, (f"“{self.lexicon.name(r.name)}”中的",))

    def _near(self, b: s.Beside, no: str = "") -> str:
        of = self._said(self.sites(b.of))
        match b.directions:
            case "all":
                return f"{no}与{of}相邻"
            case "orthogonal":
                return f"{no}与{of}上下左右相邻"
            case "diagonal":
                return f"{no}与{of}斜着相邻"
            case ways:
                return f"{no}在{of}{'或'.join(_COMPASS[w] for w in ways)}方一步"

    def next_to(self, b: s.Beside) -> Phrase:
        return Phrase(self.site).but(self._near(b))

    def not_next_to(self, b: s.Beside) -> Phrase:
        return Phrase(self.site).but(self._near(b, "不"))

    def slide(self, b: s.Slide) -> Phrase:
        start, over = self._said(self.sites(b.from_)), self._said(self.sites(b.over))
        far = "" if b.at_most is None else f"、至多 {b.at_most} 步"
        return Phrase(self.site).but(f"从{start}{way(b.directions)}直走、只经过{over}{far}可到")

    def jump(self, b: s.Jump) -> Phrase:
        start, over = self._said(self.sites(b.from_)), self._said(self.sites(b.over))
        on = f"、并可再经过{self._said(self.sites(b.then_over))}前行" if b.then_over is not None else ""
        return self.sites(b.to).but(f"从{start}{way(b.directions)}越过一连串{over}之后紧接着{on}")

    def far(self, b: s.Distance) -> Phrase:
        told = "、".join(f"{_BOUNDS[k]} {n} 步" for k, n in self.bounds(b.at_least, b.at_most, None))
        measured = {"king": "斜走也算一步", "city block": "沿线计算", "straight line": "按直线距离"}[b.metric]
        return Phrase(self.site).but(f"距{self._said(self.sites(b.from_))}{told}（{measured}）")

    def flanked(self, b: s.Flank) -> Phrase:
        n = f"恰好 {b.exactly} 颗" if b.exactly else ""
        a, z = self._said(self.sites(b.from_)), self._said(self.sites(b.by))
        return self.sites(b.over).but(f"{way(b.directions)}夹在{a}与{z}之间、{n}相连")

    def first_of(self, parts: list[Phrase]) -> Phrase:
        return Phrase(parts[0].noun, fixed="；若没有，则为".join(self._said(p) for p in parts), place=parts[0].place)

    def that_is(self, main: Phrase, other: Phrase) -> str:
        return f"{'位于' if other.place and not main.place else '同时是'}{self._said(other)}"

    def but_not(self, p: Phrase) -> str:
        return f"不是{self._said(p)}"

    def outside(self, named: list[str]) -> str:
        return "不在完整图形里" if not named else f"不在完整的{self._names(named)}里"

    def _names(self, named: list[str]) -> str:
        return "或".join(self.lexicon.name(n) for n in named)

    def such_that(self, p: Phrase, condition: str) -> str:
        return f"{'占据' if p.place else '拿掉'}后{condition}"

    def only_if(self, condition: str) -> str:
        return f"（仅当{condition}时）"

    def line(self, b: c.Line) -> str:
        [(size, n)] = self.bounds(b.at_least, None, b.exactly)
        of = self.sites(b.of)
        told = f"盘上{way(b.directions)}有{_BOUNDS[size]} {n} {of.noun.zh.measure}{self._said(of)}连成一线"
        told += f"（中间的{self._said(self.sites(b.past))}略过不计）" if b.past is not None else ""
        longer = f"，并且没有更长的一线{self._through(b.through)}" if b.none_longer else ""
        return told + self._through(b.through) + longer

    def _through(self, through: s.Sites | None) -> str:
        if through is None:
            return ""
        return "，其中包含" + ("刚走的棋子" if through == "it" else self._said(self.sites(through)))

    def shape(self, b: c.HasShape) -> str:
        named = [b.shape] if isinstance(b.shape, str) else list(b.shape)
        told = "图形" if named == ["any"] else self._names(named)
        return f"盘上有由{self._said(self.sites(b.of))}组成的完整{told}{self._through(b.through)}"

    def count(self, b: c.Count) -> str:
        told = "、".join(f"{_BOUNDS[k]} {n} 颗" for k, n in self.bounds(b.at_least, b.at_most, b.exactly))
        p = self.sites(b.count)
        told = told.replace("颗", p.noun.zh.measure)
        return f"{self._said(p)}{'连同手中的合计' if b.with_hand else '的数目'}{told}"

    def some(self, p: Phrase) -> str:
        return f"盘上有{self._said(p)}"

    def none(self, p: Phrase) -> str:
        return f"盘上没有{self._said(p)}"

    def in_hand(self, p: Phrase) -> str:
        return f"手中还有{self._said(p)}"

    def hands_empty(self, player: PlayerWords) -> str:
        return f"{self.who(player)}手中都没有棋子" if player == "both" else f"{self.who(player)}手中没有棋子"

    def captured(self, player: str, n: int) -> str:
        return f"{player}总共已吃至少 {n} {self.piece.zh.measure}{self.piece.zh.say}"

    def nothing_captured(self, phase: str) -> str:
        return f"在“{phase}”阶段没有人吃过子"

    def can_move(self, player: str, can: bool) -> str:
        return f"{player}{'能走' if can else '无处可走'}"

    def enters(self, phase: str) -> str:
        return f"“{phase}”阶段开始"

    def every(self, parts: list[str]) -> str:
        return "，并且".join(parts)

    def either(self, parts: list[str]) -> str:
        return "，或者".join(parts)

    def negated(self, condition: str) -> str:
        return f"并非{condition}"

    def always(self) -> str:
        return "立即"

    def _to(self, e: s.Sites) -> str:
        each = ["或".join(self.some_one(p) for p in a) for a in self.targets(e)]
        return "；若没有，则".join(each)

    def place(self, who: str, p: Phrase, step: t.Place) -> str:
        return f"{who}把{self.some_one(p)}放到{self._to(step.to)}".replace("；若没有，则", "；若没有，则放到") + "上"

    def move(self, who: str, p: Phrase, step: t.Move) -> str:
        taken = f"，并吃掉该处的{self._said(self.sites(step.displaces))}" if step.displaces is not None else ""
        to = self._to(step.to).replace("；若没有，则", "；若没有，则移到")
        return f"{who}把{self.some_one(p)}移到{to}上{taken}"

    def take(self, who: str, step: t.Taking, what: s.Sites, captured: bool) -> str:
        verb = "吃掉" if captured else "拿掉"
        most = "至多" if step.up_to else ""
        first, *rest = self.targets(what)
        p = first[0]
        match step.count:
            case int(n):
                told = f"{verb}{most}{self.some_one(p, n)}"
            case "all":
                told = f"{verb}{most}全部{self._said(p)}"
            case worth:
                told = f"{verb}{self._said(p)}，数目{'至多' if step.up_to else ''}等于{self._worth(worth)}"
        for others in rest:
            told += f"；若没有，则{self._said(others[0])}"
        match step.if_fewer:
            case "take what there is":
                told += "；不足则有多少拿多少"
            case "not allowed":
                told += "；不足则不许这样走"
            case "take from" if step.rest_from is not None:
                told += f"；不足之数由{self._said(self.sites(step.rest_from))}补足"
        return f"{who}{told}"

    def _worth(self, w: t.Worth) -> str:
        which = "完整图形" if w.worth == "shapes" else f"完整的{self._names(list(w.worth))}"
        by = ""
        if w.formed_by is not None:
            by = f"包含{'刚走的棋子' if w.formed_by == 'it' else self._said(self.sites(w.formed_by))}的"
        return f"{by}{which}的子数" + {"all": "之和", "one per kind": "（同类只算一次）", "best": "（只算最大的）"}[w.stack]

    def pick(self, who: str, values: list[str], step: t.Pick) -> str:
        return f"{who}选 {' 或 '.join(v.upper() if len(v) == 1 else v for v in values)}"

    def one_of(self, who: str, ways: list[str]) -> str:
        return f"{who}任选其一：{'、'.join(ways)}"

    def follows(self, steps: list[str]) -> str:
        return "然后：" + "".join(steps)

    def beside_step(self, told: str, needs: str, when: str, optional: bool) -> str:
        told = f"若{when}，{told}" if when else told
        told += f"；前提是{needs}" if needs else ""
        return told + ("。也可以不做" if optional else "")

    def way_to_choose(self, way: t.Way) -> str:
        told = self.lexicon.name(way.name)
        told += f"，若{self.condition(way.needs)}" if way.needs is not None else ""
        told += f"：执{self.lexicon.name(way.take)}" if way.take else ""
        return told + (f"；接着进入“{self.lexicon.name(way.go)}”阶段" if way.go else "")

    def ending(self, e: EndingClause) -> str:
        named, wins = e.result
        who = {"mover": "刚走完的一方", "opponent": "刚走完的一方的对手", "next": "接下来行棋的一方"}
        won = "为和棋" if named == "draw" else f"{who[named]}{'获胜' if wins else '告负'}"
        return f"若{self.condition(e.if_)}，则{won}"

    def event(self, e: Event) -> str:
        told = {"any pick": "回合中的任何时刻", "start of a turn": "回合开始时"}[e.at]
        if e.repetition is not None:
            told += f"，同一局面第 {e.repetition.times} 次出现"
        elif e.no_progress is not None:
            told += f"，连续 {e.no_progress.plies} 回合没有落子也没有吃子"
        else:
            told += {"actor": "，由轮到的一方提出", "both": "，双方同意", "nobody": ""}[e.by]
        if e.draw:
            return f"{told}：对局以和棋告终"
        if e.loses is not None:
            return f"{told}：轮到的一方负"
        return f"{told}：已走的部分有效，回合其余部分作废"

    def line_shape(self, e: LineShape) -> str:
        ends = {"opposite corners": "，两端在两个对角", "adjacent edges": "，两端在相邻的两条边上"}
        told = f"{way(e.directions)}连成一线的 {e.line} 子" + (ends[e.ends] if e.ends else "")
        told += f"，都不在{'角上' if e.avoids == 'corners' else self._said(self.sites(e.avoids))}" if e.avoids else ""
        return told + self._pays(e.worth)

    def _pays(self, worth: int) -> str:
        return f"；值 {worth} 子" if self.paying else ""

    def picture_shape(self, e: PictureShape) -> str:
        turned = "方向固定" if e.fixed else "旋转、镜像也算"
        return f"如图（{self.drawn(e)}），{turned}{self._pays(e.worth)}"

    def board_line_shape(self, e: BoardLineShape) -> str:
        return f"沿棋盘的一条线连成一线的 {e.board_line} 子{self._pays(e.worth)}"

    def then(self, e: Then) -> str:
        first = f"，由{self.player(e.first)}先走" if e.first else ""
        told = f"进入“{self.lexicon.name(e.go)}”阶段{first}"
        return f"若{self.condition(e.if_)}，则{told}" if e.if_ is not None else f"之后{told}"
