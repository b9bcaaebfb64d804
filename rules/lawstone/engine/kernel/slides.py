"""Random games of a phase whose legal sites are slides over empty sites: stretches of the line words that the five is tested on.

On a line word of all pieces the nearest piece to either side is a count of zeros, so a slide is two numbers; how many sites there
are is their sum, and the n-th of them is found by comparing n with them. No set as wide as the board is made while such a phase
lasts. All this is one chain of instructions from ply to ply, so that what can be looked up beforehand is in tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lawstone.core import OPPOSITE_OF, TRUE, Term, either, no, number, read, some, swapped
from lawstone.engine.kernel.layout import WORD, Layout
from lawstone.engine.kernel.lines import LineWords
from lawstone.engine.kernel.llvm import Value
from lawstone.engine.kernel.plan import Kept, next_among
from lawstone.lower import Rules

if TYPE_CHECKING:
    from lawstone.engine.kernel.kept import Loop

Ray = tuple[Term, Term, str]
"""From where, over what, in which direction."""


@dataclass(frozen=True)
class Slides:
    """A phase whose legal sites are all that slides from one site reach over empty sites, both ways along some axes.

    `axes` are numbers of axes of the line words with the length of their lines; of two axes the sites of the later one lie between
    the lower and the upper sites of the earlier one, as they are laid out. `empty` are endings that hold when nothing is left.
    """

    kept: Kept
    last: str
    axes: tuple[tuple[int, int], ...]
    empty: tuple[int, ...]


def slides_of(rules: Rules, kept: Kept, rays: Sequence[Ray], rest: Sequence[Term], layout: Layout) -> Slides | None:
    """The slides that a phase's legal sites are, by the form of its terms and on the board's lines; None if they are not.

    `rays` is what the legal set is a union of, besides `rest`.
    """
    turn = rules.phases[kept.phase].turns[0]
    choice = turn.choices[0]
    if rest or not rays or turn.guard is not TRUE or len({(seed, over) for seed, over, _ in rays}) != 1:
        return None
    seed, over, _ = rays[0]
    taken = either(read(kept.variable), read(swapped(kept.variable)))
    if (
        over.op != "without"
        or over.args[1] is not taken
        or over.args[0].op != "sites"
        or len(over.args[0].data) != rules.board.size
    ):
        return None
    if seed.op != "read" or set(turn.updates) != {kept.variable, seed.data} or turn.updates[seed.data] is not read(choice.name):
        return None
    if choice.count is not number(1) or swapped(seed.data) != seed.data or turn.next[0].flag is not TRUE:
        return None
    lined = {x.ending for x in kept.lines}
    nothing = no(some(next_among(turn)))
    empty = tuple(i for i, e in enumerate(turn.endings) if i not in lined and e.flag is nothing)
    if len(empty) + len(lined) != len(turn.endings):
        return None
    axes = _nested(LineWords(rules, layout, kept), {d for _, _, d in rays})
    return Slides(kept, seed.data, axes, empty) if axes else None


def _nested(lines: LineWords, ways: set[str]) -> tuple[tuple[int, int], ...]:
    """The axes of some directions, the outer ones first, with the length of their lines; none where `Slides` cannot be."""
    axes = [a for a in lines.axes if a in ways and OPPOSITE_OF[a] in ways]
    if {d for a in axes for d in (a, OPPOSITE_OF[a])} != ways:
        return ()
    lengths, sides = [], []
    for axis in axes:
        i, members = lines.axes.index(axis), dict[int, dict[int, int]]()
        for site, at in lines.at.items():
            members.setdefault(at[i][0], {})[at[i][1]] = lines.layout.place[site]
        runs = [[bit for _, bit in sorted(line.items())] for line in members.values()]
        if len({len(run) for run in runs}) != 1 or any(run != sorted(run) for run in runs):
            return ()
        lengths.append((i, len(runs[0])))
        here = {bit: (run[:k], run[k + 1 :]) for run in runs for k, bit in enumerate(run)}
        sides.append(here)
    order = sorted(range(len(axes)), key=lambda k: -max((bit - low[-1] for bit, (low, _) in sides[k].items() if low), default=0))
    for outer, inner in pairwise(order):
        for bit, (low, up) in sides[outer].items():
            inside = [*sides[inner][bit][0], *sides[inner][bit][1]]
            if inside and (max(low, default=-1) > min(inside) or min(up, default=WORD * WORD) < max(inside)):
                return ()
    return tuple(lengths[k] for k in order)


class SlideLoop:
    """Writes the loop of such a phase, once for each player."""

    def __init__(self, loop: Loop, phase: int, slides: Slides, lines: LineWords) -> None:
        self.loop, self.f, self.m = loop, loop.f, loop.m
        self.phase, self.slides, self.lines = phase, slides, lines
        self.f.types |= dict.fromkeys(("k_began", "k_place", "k_line"), "number")
        for i, _ in slides.axes:
            self.f.types |= dict.fromkeys((f"k_spot{i}", f"k_low{i}", f"k_up{i}"), "number")

    @staticmethod
    def tables(slides: Slides, lines: LineWords) -> str:
        """By a place on a line: its site's bit, and for each axis of the slides the place there, the line and how far on it.

        Besides the place of each bit of the layout on the outer axis, and the words of lines without pieces.
        """
        lane, outer = lines.lane, slides.axes[0][0]
        rows = {"bit_at": [0] * (lines.total * lane), "clear_at": [0] * lines.total, "place_of": [0] * lines.layout.bits}
        for i, length in slides.axes:
            rows |= {f"{name}{i}_at": [0] * (lines.total * lane) for name in ("spot", "line", "far")}
            for at in lines.at.values():
                rows["clear_at"][at[i][0]] = 1 | 2 << length
        for site, at in lines.at.items():
            rows["place_of"][lines.layout.place[site]] = at[outer][0] * lane + at[outer][1]
            for i, _ in slides.axes:
                here = at[i][0] * lane + at[i][1]
                rows["bit_at"][here] = lines.layout.place[site]
                for j, _ in slides.axes:
                    line, far = at[j]
                    for name, value in (("spot", line * lane + far), ("line", line), ("far", far)):
                        rows[f"{name}{j}_at"][here] = value
        return "\n".join(
            f"@{name} = internal constant [{len(row)} x i32] [{', '.join(f'i32 {x}' for x in row)}], align 64"
            for name, row in rows.items()
        )

    def write(self) -> None:
        """The whole loop, from the boards to the end of the game."""
        f, m, lines, phase = self.f, self.m, self.lines, self.phase
        turn, by_ending = m.phases[phase].turns[0], {x.ending: x for x in lines.kept.lines}
        f.lines.append(f"slide{phase}:")
        f.open = True
        self._build()
        for player in (0, 1):
            f.lines.append(f"slide{phase}_{player}:")
            f.open = True
            going, cut, stuck, drawn = (f.fresh(k) for k in ("going", "cut", "stuck", "drawn"))
            f.fork(f.compare("sge", f.load("k_plies"), Value("number", "%longest")).text, cut, going, rare=True)
            f.label(cut)
            self._over(player, m.codes.index(("cut", 0, 0, 0)))
            f.label(going)
            total = f.load("k_total")
            f.fork(f.compare("eq", total, Value(None, "0")).text, stuck, drawn, rare=True)
            f.label(stuck)
            self._over(player, m.codes.index(("stuck", phase, 0, 0)))
            f.label(drawn)
            f.store("k_branching", f.two("add", f.load("k_branching"), total))
            f.store("k_plies", f.two("add", f.load("k_plies"), Value(None, "1")))
            self.loop.draw(total, sum(length - 1 for _, length in self.slides.axes))
            f.store("k_place", self._picked())
            self._reach()
            packed = lines.place(f, self._looked("bit_at", f.load("k_place").text), str(player * lines.total))
            for i in range(len(turn.endings)):
                over, on = f.fresh("over"), f.fresh("on")
                none = f.compare("eq", f.load("k_total"), Value(None, "0")).text
                f.fork(lines.holds(f, by_ending[i].form, packed) if i in by_ending else none, over, on, rare=True)
                f.label(over)
                self._over(player, m.codes.index(("ending", phase, 0, i)))
                f.label(on)
            f.jump(f"slide{phase}_{1 - player}")

    def _build(self) -> None:
        """The line words from the boards, and where the last piece stands; where there is none, nothing can be picked."""
        f, m, lines = self.f, self.m, self.lines
        f.line(f"call void @llvm.memset.p0.i64(ptr align 64 %lines_of, i8 0, i64 {2 * lines.total * lines.lane // 8}, i1 false)")
        f.store("k_began", f.load("k_seat"))
        lines.build(f, m.names[lines.kept.variable], "0")
        lines.build(f, m.names[swapped(lines.kept.variable)], str(lines.total))
        again, laid = f.fresh("again"), f.fresh("laid")
        f.store("k_line", Value(None, "0"))
        f.label(again)
        line = f.load("k_line").text
        words = [self._word(f"i{lines.lane}", "%lines_of", line), self._word(f"i{lines.lane}", "%lines_of", f"{line}", lines.total)]
        pieces = f.value(f"shl i64 {f.value(f'or i64 {words[0]}, {words[1]}')}, 1")
        whole = f.value(f"or i64 {pieces}, {self._looked('clear_at', line)}")
        f.line(f"store i32 {f.value(f'trunc i64 {whole} to i32')}, ptr {f.value(f'getelementptr i32, ptr %taken_of, i64 {line}')}")
        f.store("k_line", f.two("add", Value("number", line), Value(None, "1")))
        f.fork(f.compare("ult", f.load("k_line"), Value(None, str(lines.total))).text, again, laid)
        f.label(laid)
        kind, last = f.of("set"), f.load(m.names[self.slides.last])
        bit = f.value(f"call {kind} @llvm.cttz.{kind}({kind} {last.text}, i1 false)")
        at = Value("number", bit if f.bits == WORD else f.value(f"trunc {kind} {bit} to i64"))
        none = f.compare("eq", last, Value(None, "0"))
        at = f.select(none, Value(None, str(lines.layout.place[0])), at)
        f.store("k_place", Value("number", self._looked("place_of", at.text)))
        self._reach()
        f.store("k_total", f.select(none, Value(None, "0"), f.load("k_total")))
        f.jump(f"slide{self.phase}_0")

    def _word(self, kind: str, array: str, at: str, off: int = 0) -> str:
        """A word of an array, as a number."""
        f = self.f
        cell = f.value(f"getelementptr {kind}, ptr {array}, i64 {f.value(f'add i64 {at}, {off}') if off else at}")
        return f.value(f"zext {kind} {f.value(f'load {kind}, ptr {cell}')} to i64")

    def _looked(self, table: str, at: str) -> str:
        return self._word("i32", f"@{table}", at)

    def _reach(self) -> None:
        """Put the piece into the words of all pieces; how far the slides from it go, and how many sites that makes."""
        f, total, place = self.f, Value("number", "0"), self.f.load("k_place").text
        for i, _ in self.slides.axes:
            line, far = self._looked(f"line{i}_at", place), self._looked(f"far{i}_at", place)
            taken = self._word("i32", "%taken_of", line)
            # the piece itself is shifted out at either side
            back = f.value(f"shl i64 {taken}, {f.value(f'xor i64 {far}, 63')}")
            low = f.value(f"call i64 @llvm.ctlz.i64(i64 {back}, i1 true)")
            after = f.value(f"lshr i64 {f.value(f'lshr i64 {taken}, 2')}, {far}")
            up = f.value(f"call i64 @llvm.cttz.i64(i64 {after}, i1 true)")
            whole = f.value(f"or i64 {taken}, {f.value(f'shl i64 2, {far}')}")
            cell = f.value(f"getelementptr i32, ptr %taken_of, i64 {line}")
            f.line(f"store i32 {f.value(f'trunc i64 {whole} to i32')}, ptr {cell}")
            f.store(f"k_spot{i}", Value("number", self._looked(f"spot{i}_at", place)))
            f.store(f"k_low{i}", Value("number", low))
            f.store(f"k_up{i}", Value("number", up))
            total = f.two("add", total, f.two("add", Value("number", low), Value("number", up)))
        f.store("k_total", total)

    def _picked(self) -> Value:
        """The place of the n-th site on a line: lower sites of the outer axes come first, their upper sites last."""
        f, n, inside, before = self.f, self.f.load("k_n"), self.f.load("k_total"), Value("number", "0")
        found: Value | None = None
        within: Value | None = None
        for i, _ in self.slides.axes:
            low, up, spot = (f.load(f"k_{name}{i}") for name in ("low", "up", "spot"))
            inside = f.two("sub", inside, f.two("add", low, up))
            until = f.two("add", before, low)
            # a site above the piece is one place further, and those of the inner axes come between
            down = f.two("sub", spot, until)
            beyond = f.two("sub", f.two("add", down, Value(None, "1")), inside)
            here = f.compare("ult", n, until)
            place = f.select(here, f.two("add", n, down), f.two("add", n, beyond))
            found = place if found is None or within is None else f.select(within, place, found)
            inner = f.compare("ult", f.two("sub", n, until), inside)
            within = inner if within is None else f.two("and", within, inner)
            before = until
        assert found is not None
        return found

    def _over(self, player: int, code: int) -> None:
        """The game is over in the view of a player."""
        f, m = self.f, self.m
        if player:
            f.store("k_seat", f.two("xor", f.load("k_began"), Value(None, "1")))
            for v in m.rules.variables:
                if v.name.startswith("mine.") and v.name != self.lines.kept.variable:
                    here, there = f.load(m.names[v.name]), f.load(m.names[swapped(v.name)])
                    f.store(m.names[v.name], there)
                    f.store(m.names[swapped(v.name)], here)
        self.loop.end(self.phase, code, None)

    def tell(self) -> None:
        """The boards from the line words, and where the last piece stands."""
        f, m, lines, kind = self.f, self.m, self.lines, self.f.of("set")
        side = f.two("mul", f.two("xor", f.load("k_seat"), f.load("k_began")), Value(None, str(lines.total)))
        lines.rebuild(f, m.names[lines.kept.variable], side.text)
        lines.rebuild(f, m.names[swapped(lines.kept.variable)], f.two("sub", Value(None, str(lines.total)), side).text)
        at = self._looked("bit_at", f.load("k_place").text)
        bit = f.value(f"shl {kind} 1, {at if f.bits == WORD else f.value(f'zext i64 {at} to {kind}')}")
        last = m.names[self.slides.last]
        none = f.compare("eq", f.load(last), Value(None, "0"))
        f.store(last, f.select(none, f.load(last), Value("set", bit)))
