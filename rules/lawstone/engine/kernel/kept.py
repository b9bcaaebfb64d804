"""What all loops of random games share, and the loop of a phase whose plan keeps the legal set and tests along lines."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from lawstone.core import swapped
from lawstone.engine.kernel.ahead import GOLDEN, STIRRED, Ahead
from lawstone.engine.kernel.layout import WORD
from lawstone.engine.kernel.lines import LineWords
from lawstone.engine.kernel.llvm import Value

if TYPE_CHECKING:
    from lawstone.engine.kernel.machine import Machine

TABLE = 2048
"""Numbers of moves up to this are drawn by a table of reciprocals instead of a division."""

FEW = 36
"""With as many moves at most, the least common multiple of their numbers times their number is less than 2^64."""


class Loop:
    """Drawing a number, ending a game, and the phases with a kept legal set."""

    def __init__(self, machine: Machine) -> None:
        self.m = machine
        self.f = machine.function()
        self.ahead = Ahead(machine, self.f)
        self.f.types |= {
            "k_dice": "number", "k_plies": "number", "k_total": "number", "k_n": "number", "k_seat": "number", "k_game": "number",
            "k_records": "number", "k_row": "number", "k_branching": "number", "k_phase": "number", "k_code": "number",
        }  # fmt: skip

    def draw(self, total: Value, most: int) -> None:
        """Draw a number below `total` as `Dice` does: the remainder of 64 random bits, by the reciprocal where it is tabled.

        `most` is the most that `total` can be. Where the least common multiple of all that it can be is small, the remainder by
        that is taken first, without waiting for `total`, and the rest is two products.
        """
        f, common = self.f, lcm(*range(1, most + 1)) if most <= FEW else 0
        again, small, large, done = (f.fresh(k) for k in ("again", "small", "large", "done"))
        f.label(again)
        state = f.two("add", f.load("k_dice"), Value(None, str(GOLDEN)))
        f.store("k_dice", state)
        z = state
        for shift, factor in STIRRED:
            z = self._stirred(z, shift)
            z = f.two("mul", z, Value(None, str(factor)))
        z = self._stirred(z, 31)
        f.store("k_n", z)
        judged, accepted = f.fresh("judged"), f.fresh("accepted")
        near = f.compare("uge", z, f.two("sub", Value(None, "0"), total))
        f.fork(near.text, judged, accepted, rare=True)
        f.label(judged)
        # 2^64 mod n draws at the top are thrown away
        over = Value("number", f.value(f"urem i64 {f.two('sub', Value(None, '0'), total).text}, {total.text}"))
        top = f.two("sub", Value(None, "0"), over)
        ok = f.two("or", f.compare("eq", over, Value(None, "0")), f.compare("ult", z, top))
        f.fork(ok.text, accepted, again)
        f.label(accepted)
        if common:
            part = f.value(f"urem i64 {z.text}, {common}")
            share = f.value(f"load i64, ptr {f.value(f'getelementptr i64, ptr @shares, i64 {total.text}')}")
            f.store("k_n", self._upper(f.value(f"mul i64 {part}, {share}"), total.text))
            f.label(done)
            return
        if most >= TABLE:
            f.fork(f.compare("ult", total, Value(None, str(TABLE))).text, small, large)
        f.label(small)
        back = f.value(f"load i64, ptr {f.value(f'getelementptr i64, ptr %backs, i64 {total.text}')}")
        times = self._upper(z.text, back)
        left = f.two("sub", z, f.two("mul", times, total))
        less = f.two("sub", left, total)
        f.store("k_n", f.select(f.compare("ult", left, total), left, less))
        f.jump(done)
        if most >= TABLE:
            f.label(large)
            f.store("k_n", Value("number", f.value(f"urem i64 {z.text}, {total.text}")))
        f.label(done)

    def _upper(self, a: str, b: str) -> Value:
        """The upper word of a product."""
        f = self.f
        wide = f.value(f"mul i128 {f.value(f'zext i64 {a} to i128')}, {f.value(f'zext i64 {b} to i128')}")
        return Value("number", f.value(f"trunc i128 {f.value(f'lshr i128 {wide}, 64')} to i64"))

    def _stirred(self, z: Value, shift: int) -> Value:
        f = self.f
        return f.two("xor", z, Value("number", f.value(f"lshr i64 {z.text}, {shift}")))

    def end(self, phase: int, code: int, named: dict[str, Value] | None) -> None:
        """End the game: the variables keep their last values."""
        f, m = self.f, self.m
        for name, v in (named or {}).items():
            f.store(m.names[name], v)
        f.store("k_code", Value(None, str(code)))
        f.store("k_phase", Value(None, str(phase)))
        f.jump("over")

    # -- a phase with a kept legal set --------------------------------------------------------------------------------------------

    def words_of(self, phase: int) -> LineWords | None:
        """The line words of a phase whose plan keeps its legal set."""
        return self.m.lines.get(self.m.phases[phase].name)

    def choose_kept(self, phase: int) -> None:
        """Build the kept set and the line words; then draw, place and test until the game is over.

        The sites that were left at the beginning and those that are left now say how many moves were made, so nothing else is
        counted in the loop. The next site is taken before a placement is tested: chains that do not wait for each other. The loop
        is written once for each player, whose lines then stand at a fixed place.
        """
        f, m, lines = self.f, self.m, self.words_of(phase)
        assert lines is not None
        turn, by_ending = m.phases[phase].turns[0], {x.ending: x for x in lines.kept.lines}
        f.types |= dict.fromkeys(
            ("k_first", "k_floor", "k_began", "k_swaps", "k_pos", "k_base", "k_slot", "k_limit", "k_next", "k_thrown"), "number"
        )
        self._build(phase, lines)
        self._throw(phase)
        last = len(turn.endings) - 1
        for player in (0, 1):
            f.lines.append(f"choose{phase}_{player}:")
            f.open = True
            pos = f.load("k_pos").text
            f.store("k_pos", Value("number", self._taken(self.ahead.drawn(f.load("k_slot").text))))
            packed = lines.place(f, pos, str(player * lines.total))
            for i in range(len(turn.endings)):
                if i == last and i not in by_ending:
                    break
                over, on = f.fresh("over"), f.fresh("on")
                now = f.two("add", f.load("k_base"), f.load("k_slot"))
                flag = lines.holds(f, by_ending[i].form, packed) if i in by_ending else f.compare("eq", now, Value(None, "0")).text
                f.fork(flag, over, on, rare=True)
                f.label(over)
                f.store("k_total", f.two("add", f.load("k_base"), f.load("k_slot")))
                self._left(phase, m.codes.index(("ending", phase, 0, i)), 1)
                f.label(on)
            edge, next_ = f.fresh("edge"), f.fresh("next")
            f.fork(f.compare("eq", f.load("k_slot"), f.load("k_limit")).text, edge, next_, rare=True)
            f.label(edge)
            f.store("k_next", Value(None, str(1 - player)))
            f.jump(f"edge{phase}")
            f.label(next_)
            f.store("k_slot", f.two("sub", f.load("k_slot"), Value(None, "1")))
            f.jump(f"choose{phase}_{1 - player}")
        f.lines.append(f"edge{phase}:")
        f.open = True
        left = f.two("add", f.load("k_base"), f.load("k_slot"))
        f.store("k_total", left)
        stop, advance = f.fresh("stop"), f.fresh("advance")
        f.fork(f.compare("eq", left, f.load("k_floor")).text, stop, advance, rare=True)
        f.label(advance)
        self._advance(left)
        self._throw_if_any(phase, f.two("sub", left, Value(None, str(self.ahead.block + 1))))
        f.label(stop)
        left = f.load("k_total")
        none, cut = f.fresh("none"), f.fresh("cut")
        f.fork(f.compare("eq", left, Value(None, "0")).text, none, cut)
        f.label(none)
        if last not in by_ending:
            self._left(phase, m.codes.index(("ending", phase, 0, last)), 1)
        else:
            f.store("k_code", Value(None, str(m.codes.index(("stuck", phase, 0, 0)))))
            over, again = f.fresh("over"), f.fresh("stuck")
            spent = f.two("sub", f.load("k_first"), left)
            f.fork(f.compare("sge", f.two("add", f.load("k_plies"), spent), Value("number", "%longest")).text, over, again)
            f.label(again)
            self._left(phase, m.codes.index(("stuck", phase, 0, 0)), 0)
            f.lines.append(f"{over}:")
            f.open = True
            f.jump(cut)
        f.lines.append(f"{cut}:")
        f.open = True
        self._left(phase, m.codes.index(("cut", 0, 0, 0)), 0)
        self._count(phase, lines)

    def _throw(self, phase: int) -> None:
        """Throw the dice for a block of totals, and go on; at the beginning, for two blocks, and take the first site.

        From then on each block is thrown when the one before it is begun, so that nobody waits for it.
        """
        f = self.f
        f.label(f"throw{phase}")
        self.ahead.throw(f.load("k_thrown"), f.load("k_first"))
        f.label(f"thrown{phase}")
        first, second = f.fresh("first"), f.fresh("second")
        cases = f"i64 1, label %choose{phase}_1 i64 2, label %{first} i64 3, label %{second}"
        f.end(f"switch i64 {f.load('k_next').text}, label %choose{phase}_0 [ {cases} ]")
        f.lines.append(f"{first}:")
        f.open = True
        total = f.load("k_first")
        f.store(
            "k_pos",
            Value("number", self._taken(self.ahead.drawn(f.two("and", total, Value(None, str(2 * self.ahead.block - 1))).text))),
        )
        f.store("k_next", Value(None, "3"))
        begun = f.two("and", total, Value(None, str(-self.ahead.block)))
        self._throw_if_any(phase, f.two("sub", begun, Value(None, "1")))
        f.lines.append(f"{second}:")
        f.open = True
        f.store("k_next", Value(None, "0"))
        total = f.load("k_first")
        self._advance(total)
        rest, edge = f.two("and", total, Value(None, str(self.ahead.block - 1))), f.fresh("edge")
        f.fork(f.compare("eq", rest, Value(None, "0")).text, edge, f"choose{phase}_0")
        f.label(edge)
        self._throw_if_any(phase, f.two("sub", total, Value(None, str(self.ahead.block + 1))))

    def _throw_if_any(self, phase: int, total: Value) -> None:
        f = self.f
        f.store("k_thrown", total)
        f.fork(f.compare("slt", total, Value(None, "0")).text, f"thrown{phase}", f"throw{phase}")

    def _advance(self, total: Value) -> None:
        """Where the number for the total after this one is, and up to where the loop runs without a look at anything else."""
        f = self.f
        less = f.two("sub", total, Value(None, "1"))
        slot = f.two("and", less, Value(None, str(2 * self.ahead.block - 1)))
        base = f.two("sub", less, slot)
        f.store("k_slot", slot)
        f.store("k_base", base)
        block = f.two("and", slot, Value(None, str(self.ahead.block)))
        lowest = f.two("sub", f.load("k_floor"), base)
        f.store("k_limit", Value("number", f.value(f"call i64 @llvm.smax.i64(i64 {lowest.text}, i64 {block.text})")))

    def _build(self, phase: int, lines: LineWords) -> None:
        """The line words and the kept set from the boards."""
        f, m = self.f, self.m
        words, kind, wide = m.layout.words, f.of("set"), f"i{self.m.lane_bits}"
        f.lines.append(f"build{phase}:")
        f.open = True
        f.line(f"call void @llvm.memset.p0.i64(ptr align 64 %lines_of, i8 0, i64 {2 * lines.total * lines.lane // 8}, i1 false)")
        f.store("k_began", f.load("k_seat"))
        lines.build(f, m.names[lines.kept.variable], "0")
        lines.build(f, m.names[swapped(lines.kept.variable)], str(lines.total))
        f.types["t_legal"] = "set"
        f.store("t_legal", Value(None, "0"))
        m.options(f, phase, lambda parts: f.store("t_legal", f.as_(f.expression(parts[3]), "set")))
        legal, before, until = f.load("t_legal").text, Value("number", "0"), "0"
        for i in range(words):
            word = legal if words == 1 else f.value(f"trunc {kind} {f.value(f'lshr {kind} {legal}, {i * WORD}')} to i64")
            f.line(f"store i64 {word}, ptr {f.value(f'getelementptr i64, ptr %kept_of, i64 {i}')}")
            before = f.two("add", before, Value("number", f.value(f"call i64 @llvm.ctpop.i64(i64 {word})")))
            if i < words - 1:
                lane = before.text if wide == "i64" else f.value(f"zext i64 {before.text} to {wide}")
                until = f.value(f"or {wide} {until}, {f.value(f'shl {wide} {lane}, {m.lane * (i + 1)}')}")
        f.line(f"store {wide} {until}, ptr %until_of")
        f.store("k_total", before)
        f.store("k_first", before)
        going = f.two("sub", Value("number", "%longest"), f.load("k_plies"))
        f.store("k_floor", Value("number", f.value(f"call i64 @llvm.smax.i64(i64 0, i64 {f.two('sub', before, going).text})")))
        cut, some, stuck = f.fresh("cut"), f.fresh("some"), f.fresh("stuck")
        f.fork(f.compare("sle", going, Value(None, "0")).text, cut, some, rare=True)
        f.label(cut)
        self.end(phase, m.codes.index(("cut", 0, 0, 0)), None)
        f.label(some)
        drawn = f.fresh("drawn")
        f.fork(f.compare("eq", before, Value(None, "0")).text, stuck, drawn, rare=True)
        f.label(stuck)
        self.end(phase, m.codes.index(("stuck", phase, 0, 0)), None)
        f.label(drawn)
        ahead = f.two("mul", f.two("add", before, Value(None, "1")), Value(None, str(GOLDEN)))
        f.store("k_origin", f.two("add", f.load("k_dice"), ahead))
        f.store("k_next", Value(None, "2"))
        f.store("k_thrown", before)

    def _taken(self, n: str) -> str:
        """Take the n-th site out of the kept set; its place.

        The counts before each word are compared with n all at once: a lane's top bit stays where n reaches it. Where the dice are
        spread, they count one more each ply in the lanes from the second on, so that a count goes up where n reaches it, instead of
        down where it does not.
        """
        f, m, words, wide, lane = self.f, self.m, self.m.layout.words, f"i{self.m.lane_bits}", self.m.lane
        which, index = "0", n
        if words > 1:
            tops = m.in_lanes(1 << lane - 1, 1)
            until = f.value(f"load {wide}, ptr %until_of")
            if not self.ahead.spread:
                n = f.value(f"mul {wide} {f.value(f'zext i64 {n} to {wide}')}, {m.in_lanes(1)}")
                n = f.value(f"or {wide} {n}, {tops}")
            over = f.value(f"sub {wide} {n}, {until}")
            reached = f.value(f"and {wide} {over}, {tops}")
            more = f.value(f"lshr {wide} {reached}, {lane - 1}")
            if not self.ahead.spread:
                more = f.value(f"sub {wide} {more}, {m.in_lanes(1, 1)}")
            f.line(f"store {wide} {f.value(f'add {wide} {until}, {more}')}, ptr %until_of")
            count = f.value(f"call {wide} @llvm.ctpop.{wide}({wide} {reached})")
            which = count if wide == "i64" else f.value(f"trunc {wide} {count} to i64")
            by = f.value(f"mul {wide} {count}, {lane}")
            inner = f.value(f"lshr {wide} {over}, {by}")
            inner = inner if wide == "i64" else f.value(f"trunc {wide} {inner} to i64")
            index = f.value(f"and i64 {inner}, {(1 << lane - 1) - 1}")
        cell = f.value(f"getelementptr i64, ptr %kept_of, i64 {which}")
        word = f.value(f"load i64, ptr {cell}")
        bit = f.value(f"call i64 @nth_word(i64 {word}, i64 {index})")
        f.line(f"store i64 {f.value(f'xor i64 {word}, {bit}')}, ptr {cell}")
        inside = f.value(f"call i64 @llvm.cttz.i64(i64 {bit}, i1 false)")
        return inside if words == 1 else f.value(f"or i64 {inside}, {f.value(f'shl i64 {which}, 6')}")

    def _left(self, phase: int, code: int, after: int) -> None:
        """Leave the loop; `after` is 1 where the player who moved last is the one to be told."""
        f = self.f
        f.store("k_code", Value(None, str(code)))
        f.store("k_swaps", Value(None, str(-after)))
        f.jump(f"left{phase}")

    def _count(self, phase: int, lines: LineWords) -> None:
        """What the loop has not counted: plies, choices, whose view the variables are told in."""
        f, m = self.f, self.m
        f.lines.append(f"left{phase}:")
        f.open = True
        first, left = f.load("k_first"), f.load("k_total")
        made = f.two("sub", first, left)
        f.store("k_plies", f.two("add", f.load("k_plies"), made))
        twice = f.two("mul", made, f.two("add", f.two("add", first, left), Value(None, "1")))
        f.store("k_branching", f.two("add", f.load("k_branching"), Value("number", f.value(f"lshr i64 {twice.text}, 1"))))
        swaps = f.two("and", f.two("add", made, f.load("k_swaps")), Value(None, "1"))
        f.store("k_seat", f.two("xor", f.load("k_seat"), swaps))
        odd = f.compare("ne", swaps, Value(None, "0"))
        for name in [v.name for v in m.rules.variables if v.name.startswith("mine.") and v.name != lines.kept.variable]:
            here, there = f.load(m.names[name]), f.load(m.names[swapped(name)])
            f.store(m.names[name], f.select(odd, there, here))
            f.store(m.names[swapped(name)], f.select(odd, here, there))
        f.store("k_phase", Value(None, str(phase)))
        f.jump("over")
