"""The function that plays random games: options, the draw, the move, and what comes next, for every phase."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from lawstone.core import swapped
from lawstone.engine.kernel.kept import Loop
from lawstone.engine.kernel.layout import WORD
from lawstone.engine.kernel.llvm import Type, Value
from lawstone.engine.kernel.slides import SlideLoop

if TYPE_CHECKING:
    from lawstone.engine.kernel.machine import Machine, Site

RECORDS = 1 << 20
"""Bytes that the records of one position's options may take; with more, the game is left to the emitted Python."""


class Playouts(Loop):
    """Writes the function that plays random games."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.deepest = max((len(s.prefix) for sites in machine.sites for s in sites if s.looped), default=0)
        names = [p.name for p in machine.phases]
        self.slid = {names.index(p): SlideLoop(self, names.index(p), *found) for p, found in machine.slid.items()}
        self.records = RECORDS // (24 + machine.bits // 8 * (1 + self.deepest))

    def text(self) -> str:
        """The whole function."""
        f, m = self.f, self.m
        words = m.offsets()[1]
        if any(s.looped for sites in m.sites for s in sites):
            f.head += [f"  %r_ways = alloca [{self.records} x i64]", f"  %r_site = alloca [{self.records} x i64]"]
            f.head += [f"  %r_due = alloca [{self.records} x i64]", f"  %r_among = alloca [{self.records} x {f.of('set')}]"]
            f.head += [f"  %r_pick{i} = alloca [{self.records} x {f.of('set')}]" for i in range(self.deepest)]
        # read at run time, so that the addresses stay in registers
        f.head.append("  %backs = load volatile ptr, ptr @back_at")
        if m.lines or m.lined or m.slid:
            f.head.append("  %lines_at = load volatile ptr, ptr @lines_at_at")
        for lines in m.lines.values():
            f.head.append(f"  %lines_of = alloca [{2 * lines.total} x i{lines.lane}], align 64")
            f.head += [f"  %kept_of = alloca [{m.layout.words} x i64], align 64", f"  %until_of = alloca i{m.lane_bits}"]
        if m.lines:
            self.ahead.head()
        for lines in (*m.lined.values(), *(x for _, x in m.slid.values())):
            f.head.append(f"  %lines_of = alloca [{2 * lines.total} x i{lines.lane}], align 64")
        for _, lines in m.slid.values():
            f.head.append(f"  %taken_of = alloca [{lines.total} x i32], align 64")
        f.store("k_game", Value(None, "0"))
        f.store("k_branching", Value(None, "0"))
        f.label("next_game")
        f.fork(f.compare("slt", f.load("k_game"), Value("number", "%n")).text, "begin", "out")
        f.label("begin")
        f.store("k_dice", f.two("add", Value("number", "%seed"), f.load("k_game")))
        f.store("k_plies", Value(None, "0"))
        m.load_state(f, "%start")
        seat = f.value(f"load i64, ptr {f.value(f'getelementptr i64, ptr %start, i64 {words - 1}')}")
        f.store("k_seat", Value("number", seat))
        phase = f.value(f"load i64, ptr {f.value(f'getelementptr i64, ptr %start, i64 {words - 2}')}")
        cases = " ".join(f"i64 {p}, label %enter{p}" for p in range(len(m.phases)))
        f.end(f"switch i64 {phase}, label %enter0 [ {cases} ]")
        for p in range(len(m.phases)):
            f.lines.append(f"enter{p}:")
            f.open = True
            self._lay(p)
            self.enter(p)
        for p in range(len(m.phases)):
            if p in self.slid:
                self.slid[p].write()
            elif self.words_of(p) is not None:
                self.choose_kept(p)
            else:
                self.choose(p)
        self.over()
        f.label("overflow")
        f.end(f"ret i64 {f.two('sub', Value(None, '-1'), f.load('k_game')).text}")
        f.lines.append("out:")
        f.open = True
        f.end(f"ret i64 {f.load('k_branching').text}")
        return f.text(
            "define i64 @playouts(ptr %start, i64 %seed, i64 %n, i64 %longest, ptr %lengths, ptr %ends, ptr %each) nounwind"
        )

    # -- options ------------------------------------------------------------------------------------------------------------------

    def _lay(self, phase: int) -> None:
        """Where the lines of a phase are kept, lay them out from the boards."""
        f, m, lines = self.f, self.m, self.m.lined.get(self.m.phases[phase].name)
        if lines is None:
            return
        f.line(f"call void @llvm.memset.p0.i64(ptr align 64 %lines_of, i8 0, i64 {2 * lines.total * lines.lane // 8}, i1 false)")
        side = f.two("mul", f.load("k_seat"), Value(None, str(lines.total)))
        lines.build(f, m.names[lines.kept.variable], side.text)
        other = f.two("sub", Value(None, str(lines.total)), side)
        lines.build(f, m.names[swapped(lines.kept.variable)], other.text)

    def _laid(self, phase: int, pick: str) -> None:
        """Lay the piece just placed on its lines, and say how endings are tested along them."""
        f, lines = self.f, self.m.lined.get(self.m.phases[phase].name)
        f.through = None
        if lines is None:
            return
        kind, side = f.of("set"), f.two("mul", f.load("k_seat"), Value(None, str(lines.total)))
        bit = f.value(f"call {kind} @llvm.cttz.{kind}({kind} {f.load(pick).text}, i1 true)")
        pos = bit if f.bits == WORD else f.value(f"trunc {kind} {bit} to i64")
        packed = lines.place(f, pos, side.text)
        forms = {x.ending: x.form for x in lines.kept.lines}
        f.through = lambda ending: Value("flag", lines.holds(f, forms[ending], packed))

    def enter(self, phase: int) -> None:
        """Write the options of a phase, and go to where one is chosen."""
        f, m = self.f, self.m
        if self.words_of(phase) is not None:
            f.jump(f"build{phase}")
            return
        if phase in self.slid:
            f.jump(f"slide{phase}")
            return
        sites = m.sites[phase]
        looped = any(s.looped for s in sites)
        number = iter(range(len(sites)))
        f.store("k_total", Value(None, "0"))
        f.store("k_records", Value(None, "0"))
        if not looped:
            for i in range(len(sites)):
                f.types |= {f"s{phase}_ways{i}": "number", f"s{phase}_due{i}": "number", f"s{phase}_among{i}": "set"}
                f.store(f"s{phase}_ways{i}", Value(None, "0"))
                f.store(f"s{phase}_due{i}", Value(None, "0"))
                f.store(f"s{phase}_among{i}", Value(None, "0"))
                for j in range(len(sites[i].planes)):
                    f.types[f"s{phase}_plane{j}"] = "set"

        def append(parts: list[ast.expr]) -> None:
            i = next(number)
            if sites[i].planes:
                f.store("k_total", f.as_(f.expression(parts[0]), "number"))
                assert isinstance(parts[2], ast.Tuple)
                for j, plane in enumerate(parts[2].elts):
                    f.store(f"s{phase}_plane{j}", f.expression(plane))
                return
            ways, among, due = f.expression(parts[0]), f.expression(parts[3]), f.expression(parts[4])
            f.store("k_total", f.two("add", f.load("k_total"), f.as_(ways, "number")))
            if not looped:
                f.store(f"s{phase}_ways{i}", ways)
                f.store(f"s{phase}_due{i}", due)
                f.store(f"s{phase}_among{i}", among)
                return
            at = f.load("k_records")
            go = f.fresh("kept")
            f.fork(f.compare("sge", at, Value(None, str(self.records))).text, "overflow", go, rare=True)
            f.label(go)
            assert isinstance(parts[2], ast.Tuple)
            stored = [("ways", f.as_(ways, "number")), ("among", f.as_(among, "set"))]
            stored += [("due", f.as_(due, "number"))] if sites[i].fixed is None else []
            stored += [("site", Value("number", str(i)))] if len(sites) > 1 else []
            stored += [(f"pick{j}", f.expression(p)) for j, p in enumerate(parts[2].elts)]
            for name, value in stored:
                cell = f.value(f"getelementptr {f.of(value.type)}, ptr %r_{name}, i64 {at.text}")
                f.line(f"store {f.of(value.type)} {value.text}, ptr {cell}")
            some = f.compare("ne", f.as_(ways, "number"), Value(None, "0"))
            f.store("k_records", f.two("add", at, Value("number", f.value(f"zext i1 {some.text} to i64"))))

        m.options(f, phase, append)
        f.jump(f"choose{phase}")

    # -- choosing -----------------------------------------------------------------------------------------------------------------

    def choose(self, phase: int) -> None:
        """Draw a move, find its option and its last pick, and play it."""
        f, m = self.f, self.m
        f.lines.append(f"choose{phase}:")
        f.open = True
        going, cut, stuck, drawn = (f.fresh(k) for k in ("going", "cut", "stuck", "drawn"))
        f.fork(f.compare("sge", f.load("k_plies"), Value("number", "%longest")).text, cut, going, rare=True)
        f.label(cut)
        self.end(phase, m.codes.index(("cut", 0, 0, 0)), None)
        f.label(going)
        total = f.load("k_total")
        f.fork(f.compare("eq", total, Value(None, "0")).text, stuck, drawn, rare=True)
        f.label(stuck)
        self.end(phase, m.codes.index(("stuck", phase, 0, 0)), None)
        f.label(drawn)
        f.store("k_branching", f.two("add", f.load("k_branching"), total))
        f.store("k_plies", f.two("add", f.load("k_plies"), Value(None, "1")))
        self.draw(total, self._most(phase))
        sites = m.sites[phase]
        for i, site in enumerate(sites):
            for j in range(len(m.phases[phase].turns[site.turn].choices)):
                f.types[f"pick_{j}"] = "set"
            del i
        if any(s.looped for s in sites):
            self._search(phase, sites)
        else:
            for i, site in enumerate(sites):
                here, on = f.fresh("here"), f.fresh("on")
                if i < len(sites) - 1:
                    ways = f.load(f"s{phase}_ways{i}")
                    f.fork(f.compare("slt", f.load("k_n"), ways).text, here, on)
                f.label(here)
                self.play(phase, site, f"s{phase}_among{i}", f"s{phase}_due{i}", ())
                if i < len(sites) - 1:
                    f.label(on)
                    f.store("k_n", f.two("sub", f.load("k_n"), ways))
        if f.open:
            f.end("unreachable")

    def _most(self, phase: int) -> int:
        """The most moves that a phase without loops can have: a site or a way for each place where options are listed."""
        sites = self.m.sites[phase]
        plain = all(not s.looped and s.fixed in (0, 1) and not s.planes for s in sites)
        return len(sites) * self.m.rules.board.size if plain else 1 << 62

    def _search(self, phase: int, sites: list[Site]) -> None:
        f = self.f
        f.store("k_row", Value(None, "0"))
        again, on, found = f.fresh("again"), f.fresh("on"), f.fresh("found")
        f.label(again)
        ways = self._cell("ways", "number")
        f.fork(f.compare("slt", f.load("k_n"), ways).text, found, on)
        f.label(on)
        f.store("k_n", f.two("sub", f.load("k_n"), ways))
        f.store("k_row", f.two("add", f.load("k_row"), Value(None, "1")))
        f.jump(again)
        f.label(found)
        labels = [f.fresh("site") for _ in sites]
        if len(sites) > 1:
            which = self._cell("site", "number")
            cases = " ".join(f"i64 {i}, label %{label}" for i, label in enumerate(labels))
            f.end(f"switch i64 {which.text}, label %{labels[0]} [ {cases} ]")
        f.types |= {"t_among": "set", "k_due": "number"}
        for site, label in zip(sites, labels, strict=True):
            if len(sites) > 1:
                f.lines.append(f"{label}:")
                f.open = True
            f.store("t_among", self._cell("among", "set"))
            f.store("k_due", self._cell("due", "number") if site.fixed is None else Value(None, str(site.fixed)))
            picks = tuple(self._cell(f"pick{j}", "set") for j in range(len(site.prefix)))
            self.play(phase, site, "t_among", "k_due", picks)

    def _cell(self, name: str, type_: Type) -> Value:
        f = self.f
        kind = f.of(type_)
        at = f.value(f"getelementptr {kind}, ptr %r_{name}, i64 {f.load('k_row').text}")
        return Value(type_, f.value(f"load {kind}, ptr {at}"))

    # -- playing ------------------------------------------------------------------------------------------------------------------

    def play(self, phase: int, site: Site, among: str, due: str, picks: tuple[Value, ...]) -> None:
        """Play the chosen move; then go on or end the game."""
        f, m = self.f, self.m
        for j, p in enumerate(picks):
            f.store(f"pick_{j}", p)
        turn = m.phases[phase].turns[site.turn]
        if site.planes:
            self._walked(phase, site)
        elif site.freedom < 0:
            if site.picks < len(turn.choices):
                self.end(phase, m.codes.index(("short", phase, site.turn, site.picks)), None)
                return
        else:
            single = site.freedom == 0 and site.fixed == 1
            if site.fixed == 0:
                last = Value("set", "0")
            elif single:
                last = f.call("nth_site", "set", [f.load(among), f.load("k_n")])
            else:
                last = f.call(f"subset_{site.freedom}", "set", [f.load(among), f.load(due), f.load("k_n")])
            f.store(f"pick_{len(site.prefix)}", last)
        self._laid(phase, f"pick_{len(site.prefix)}")
        f.scope = f.fresh("p")
        f.run(m.functions[f"play_{phase}_{site.turn}"].body, leave=lambda value: self.leave(phase, site.turn, value))

    def _walked(self, phase: int, site: Site) -> None:
        """The first pick of the n-th move, by how many moves begin at each site; and the last pick."""
        f = self.f
        f.types |= {"k_base": "number", "t_second": "set"}
        if f.bits == WORD and len(site.planes) <= 2 and self.m.bmi:
            self._by_bytes([f.load(f"s{phase}_plane{j}").text for j in range(len(site.planes))])
        else:
            self._by_halves(phase, site)
        at = f.load("k_base").text
        wide = at if f.bits == WORD else f.value(f"zext i64 {at} to {f.of('set')}")
        f.store("pick_0", Value("set", f.value(f"shl {f.of('set')} 1, {wide}")))
        f.scope = f.fresh("w")
        f.run(self.m.functions[f"last_{phase}"].body, leave=lambda value: f.store("t_second", f.as_(f.expression(value), "set")))
        f.store("pick_1", f.call("nth_site", "set", [f.load("t_second"), f.load("k_n")]))

    def _by_halves(self, phase: int, site: Site) -> None:
        """The site where the n-th move begins, by halves of the board: how many begin in the lower one; and what is left of n."""
        f, half = self.f, self.f.bits // 2
        for j in range(len(site.planes)):
            f.types[f"t_half{j}"] = "set"
            f.store(f"t_half{j}", f.load(f"s{phase}_plane{j}"))
        f.store("k_base", Value(None, "0"))
        while half:
            low, here = Value(None, str((1 << half) - 1)), Value(None, "0")
            for j in range(len(site.planes)):
                size = f.count(f.two("and", f.load(f"t_half{j}"), low))
                here = f.two("add", here, f.two("shl", size, Value(None, str(j))) if j else size)
            above = f.compare("uge", f.load("k_n"), here)
            for j in range(len(site.planes)):
                whole = f.load(f"t_half{j}")
                f.store(f"t_half{j}", f.select(above, f.two("lshr", whole, Value(None, str(half))), whole))
            f.store("k_n", f.select(above, f.two("sub", f.load("k_n"), here), f.load("k_n")))
            base = f.load("k_base")
            f.store("k_base", f.select(above, f.two("add", base, Value(None, str(half))), base))
            half //= 2

    def _by_bytes(self, planes: list[str]) -> None:
        """The same where a board is one word and a site has three moves at most, by the sums up to each byte and each bit."""
        f, all_ = self.f, 0x0101010101010101
        sums = []
        for plane in planes:
            pairs = f.value(f"and i64 {f.value(f'lshr i64 {plane}, 1')}, {0x55 * all_}")
            pairs = f.value(f"sub i64 {plane}, {pairs}")
            fours = f.value(f"and i64 {f.value(f'lshr i64 {pairs}, 2')}, {0x33 * all_}")
            fours = f.value(f"add i64 {f.value(f'and i64 {pairs}, {0x33 * all_}')}, {fours}")
            high = f.value(f"lshr i64 {fours}, 4")
            sums.append(f.value(f"and i64 {f.value(f'add i64 {fours}, {high}')}, {0x0F * all_}"))
        until = f.value(f"mul i64 {self._weighed(sums)}, {all_}")
        n = f.load("k_n").text
        # 192 moves at most, so that the sums are compared in lanes of two bytes
        tops, wide = 0x8000800080008000, f.value(f"mul i64 {n}, {0x0001000100010001}")
        wide, found = f.value(f"or i64 {wide}, {tops}"), []
        for shift in (0, 8):
            lanes = f.value(f"and i64 {f.value(f'lshr i64 {until}, {shift}')}, {0x00FF00FF00FF00FF}")
            reached = f.value(f"and i64 {f.value(f'sub i64 {wide}, {lanes}')}, {tops}")
            found.append(f.value(f"call i64 @llvm.ctpop.i64(i64 {reached})"))
        byte = f.value(f"shl i64 {f.value(f'add i64 {found[0]}, {found[1]}')}, 3")
        n = f.value(f"sub i64 {n}, {self._before(until, byte)}")
        spread = []
        for plane in planes:
            inside = f.value(f"and i64 {f.value(f'lshr i64 {plane}, {byte}')}, 255")
            spread.append(f.value(f"call i64 @llvm.x86.bmi.pdep.64(i64 {inside}, i64 {all_})"))
        until = f.value(f"mul i64 {self._weighed(spread)}, {all_}")
        wide = f.value(f"or i64 {f.value(f'mul i64 {n}, {all_}')}, {0x80 * all_}")
        reached = f.value(f"and i64 {f.value(f'sub i64 {wide}, {until}')}, {0x80 * all_}")
        bit = f.value(f"call i64 @llvm.ctpop.i64(i64 {reached})")
        before = self._before(until, f.value(f"shl i64 {bit}, 3"))
        left = f.value(f"sub i64 {n}, {before}")
        f.store("k_n", Value("number", left))
        f.store("k_base", Value("number", f.value(f"or i64 {byte}, {bit}")))

    def _weighed(self, sums: list[str]) -> str:
        f = self.f
        return sums[0] if len(sums) == 1 else f.value(f"add i64 {sums[0]}, {f.value(f'shl i64 {sums[1]}, 1')}")

    def _before(self, until: str, byte: str) -> str:
        """The sum before a byte, given the sums up to each."""
        f = self.f
        below = f.value(f"shl i64 {until}, 8")
        return f.value(f"and i64 {f.value(f'lshr i64 {below}, {byte}')}, 255")

    def leave(self, phase: int, turn: int, value: ast.expr) -> None:
        """What a turn's return means: the game is over, or the next phase is entered."""
        f, m = self.f, self.m
        assert isinstance(value, ast.Tuple)
        code, next_phase, passes, values = value.elts
        assert isinstance(values, ast.Tuple)
        named = {v.name: f.expression(e) for v, e in zip(m.rules.variables, values.elts, strict=True)}
        number = ast.literal_eval(code)
        if number >= 0:
            self.end(phase, m.codes.index(("ending", phase, turn, number)), named)
            return
        for name, v in named.items():
            f.store(m.names[name], v)
        if ast.literal_eval(passes):
            f.store("k_seat", f.two("xor", f.load("k_seat"), Value(None, "1")))
        scope = f.scope
        if ast.literal_eval(next_phase) != phase:
            self._lay(ast.literal_eval(next_phase))
        self.enter(ast.literal_eval(next_phase))
        f.scope = scope

    def over(self) -> None:
        """Count a game that is over, and store it where that is asked for."""
        f, m = self.f, self.m
        f.lines.append("over:")
        f.open = True
        for array, index in (
            ("%lengths", f.load("k_plies")),
            ("%ends", f.two("add", f.two("mul", f.load("k_code"), Value(None, "2")), f.load("k_seat"))),
        ):
            cell = f.value(f"getelementptr i64, ptr {array}, i64 {index.text}")
            seen = Value("number", f.value(f"load i64, ptr {cell}"))
            f.line(f"store i64 {f.two('add', seen, Value(None, '1')).text}, ptr {cell}")
        f.fork(f.value("icmp eq ptr %each, null"), "counted", "told")
        f.label("told")
        words = m.offsets()[1]
        for phase in range(len(m.phases)):
            lines = self.words_of(phase)
            if lines is not None:
                again, on = f.fresh("rebuild"), f.fresh("on")
                f.fork(f.compare("eq", f.load("k_phase"), Value(None, str(phase))).text, again, on)
                f.label(again)
                variable = lines.kept.variable
                side = f.two("mul", f.two("xor", f.load("k_seat"), f.load("k_began")), Value(None, str(lines.total)))
                lines.rebuild(f, m.names[variable], side.text)
                lines.rebuild(f, m.names[swapped(variable)], f.two("sub", Value(None, str(lines.total)), side).text)
                f.label(on)
        for phase, slid in self.slid.items():
            again, on = f.fresh("rebuild"), f.fresh("on")
            f.fork(f.compare("eq", f.load("k_phase"), Value(None, str(phase))).text, again, on)
            f.label(again)
            slid.tell()
            f.label(on)
        stride = f.two("mul", f.load("k_game"), Value(None, str(words + 2)))
        row = f.value(f"getelementptr i64, ptr %each, i64 {stride.text}")
        m.store_state(f, row, {v.name: f.load(m.names[v.name]) for v in m.rules.variables})
        for i, name in enumerate(("k_phase", "k_seat", "k_plies", "k_code")):
            f.line(f"store i64 {f.load(name).text}, ptr {f.value(f'getelementptr i64, ptr {row}, i64 {words - 2 + i}')}")
        f.jump("counted")
        f.label("counted")
        f.store("k_game", f.two("add", f.load("k_game"), Value(None, "1")))
        f.jump("next_game")
