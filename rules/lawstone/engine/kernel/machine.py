"""The kernels of a game in LLVM's text: random games and perft, around the emitted functions.

The emitted text says what the options of a phase are and what a move leads to. Here it is written into one function for random
games and one a phase for perft: where the text lists an option, the first keeps a record of it and the second plays all its moves;
where it returns, both go to the phase that comes next. The options of that phase are written right there, so that what an ending
has computed of them is not computed again.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from math import comb

from lawstone.core import Sort, swapped
from lawstone.engine.kernel.layout import WORD, Layout
from lawstone.engine.kernel.lines import LineWords
from lawstone.engine.kernel.llvm import HELPER_TEXT, HELPERS, Function, Type, Unsupported, Value
from lawstone.engine.kernel.plan import NO_PLAN, Plan
from lawstone.lower import Rules

RECORDS = 1 << 15
"""Options that one position may have in a compiled random game; with more, the game is left to the emitted Python."""
TABLE = 2048
"""Numbers of moves up to this are drawn by a table of reciprocals instead of a division."""
_TYPE: dict[Sort, Type] = {Sort.SITES: "set", Sort.NUMBER: "number", Sort.FLAG: "flag"}


@dataclass(frozen=True)
class Site:
    """A place in the text where options are listed: the turn, how many picks are made before the last, and the freedom."""

    phase: int
    turn: int
    prefix: tuple[ast.expr, ...]
    among: ast.expr
    due: ast.expr
    freedom: int
    ways: ast.expr
    looped: bool

    @property
    def picks(self) -> int:
        """Picks that the move has."""
        return len(self.prefix) + (self.freedom >= 0)


class Machine:
    """Writes the module of one game."""

    def __init__(self, rules: Rules, text: str, layout: Layout, bmi: bool, plan: Plan = NO_PLAN) -> None:
        self.rules, self.layout, self.bmi, self.plan = rules, layout, bmi, plan
        self.lines = {p: LineWords(rules, layout, k) for p, k in plan.kept.items()}
        self.bits = layout.bits
        self.functions = {f.name: f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef)}
        self.phases = list(rules.phases.values())
        self.names = {v.name: "v_" + v.name.replace(".", "_").replace(" ", "_") for v in rules.variables}
        self.types: dict[str, Type] = {}
        for v in rules.variables:
            name = self.names[v.name]
            self.types[name] = self.types["n" + name[1:]] = self.types["s" + name[1:]] = _TYPE[v.sort]
        self.most = max((c.count.high for p in self.phases for t in p.turns for c in t.choices), default=1)
        self.codes = self._codes()
        self.sites = [self._sites(i) for i in range(len(self.phases))]

    # -- what there is ------------------------------------------------------------------------------------------------------------

    def _codes(self) -> list[tuple[str, int, int, int]]:
        """How a game can end: by an ending (phase, turn, ending), short of a pick (phase, turn, choice), or stuck (phase)."""
        found: list[tuple[str, int, int, int]] = [("cut", 0, 0, 0)]
        for p, phase in enumerate(self.phases):
            found.append(("stuck", p, 0, 0))
            for t, turn in enumerate(phase.turns):
                found += [("ending", p, t, i) for i in range(len(turn.endings))]
                found += [("short", p, t, i) for i in range(len(turn.choices))]
        return found

    def _sites(self, phase: int) -> list[Site]:
        found: list[Site] = []

        def visit(body: list[ast.stmt], looped: bool) -> None:
            for s in body:
                if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and isinstance(s.value.args[0], ast.Tuple):
                    found.append(self._site(phase, s.value.args[0].elts, looped))
                elif isinstance(s, ast.If):
                    visit(s.body, looped)
                    visit(s.orelse, looped)
                elif isinstance(s, ast.While | ast.For):
                    visit(s.body, True)

        visit(self.functions[f"options_{phase}"].body, False)
        return found

    @staticmethod
    def _site(phase: int, parts: list[ast.expr], looped: bool) -> Site:
        ways, turn, prefix, among, due, freedom = parts
        assert isinstance(prefix, ast.Tuple)
        return Site(phase, ast.literal_eval(turn), tuple(prefix.elts), among, due, ast.literal_eval(freedom), ways, looped)

    def offsets(self) -> tuple[list[int], int]:
        """The first word of each variable in a stored position, and the words that a position takes: phase and seat are last."""
        at, found = 0, []
        for v in self.rules.variables:
            found.append(at)
            at += self.layout.words if v.sort is Sort.SITES else 1
        return found, at + 2

    # -- pieces of functions ------------------------------------------------------------------------------------------------------

    def function(self) -> Function:
        """A function to be written."""
        return Function(self.bits, dict(self.types))

    def load_state(self, f: Function, at: str) -> None:
        """Fill the cells of the variables from a stored position."""
        for v, offset in zip(self.rules.variables, self.offsets()[0], strict=True):
            type_ = _TYPE[v.sort]
            where = f.value(f"getelementptr i64, ptr {at}, i64 {offset}")
            if type_ == "set":
                f.store(self.names[v.name], Value("set", f.value(f"load {f.of('set')}, ptr {where}, align 8")))
            else:
                word = f.value(f"load i64, ptr {where}")
                f.store(self.names[v.name], Value(type_, word if type_ == "number" else f.value(f"trunc i64 {word} to i1")))

    def store_state(self, f: Function, at: str, values: dict[str, Value]) -> None:
        """Store values of the variables as a position."""
        for v, offset in zip(self.rules.variables, self.offsets()[0], strict=True):
            value = f.as_(values[v.name], _TYPE[v.sort])
            where = f.value(f"getelementptr i64, ptr {at}, i64 {offset}")
            if value.type == "flag":
                value = Value("number", f.value(f"zext i1 {value.text} to i64"))
            f.line(f"store {f.of(value.type)} {value.text}, ptr {where}, align 8")

    def options(self, f: Function, phase: int, append: object) -> None:
        """Write the options of a phase."""
        f.scope = f.fresh("o")
        f.run(self.functions[f"options_{phase}"].body, append=append)  # type: ignore[arg-type]

    # -- random games -------------------------------------------------------------------------------------------------------------

    def playouts(self) -> str:
        """The function that plays random games."""
        return Playouts(self).text()

    def perfts(self) -> list[str]:
        """The functions that count, one a phase."""
        return [self._perft(p) for p in range(len(self.phases))]

    def _perft(self, phase: int) -> str:
        f = self.function()
        self.load_state(f, "%at")
        f.types |= {"k_total": "number"}
        f.store("k_total", Value(None, "0"))
        size = self.offsets()[1]
        f.head.append(f"  %below = alloca [{size} x i64]")
        is_last = f.value("icmp eq i64 %depth, 1")
        one = f.value(f"zext i1 {is_last} to i64")
        f.types |= {"f_bulk": "flag", "f_last": "flag"}
        f.store("f_last", Value("flag", is_last))
        f.store("f_bulk", Value("flag", f.value(f"and i1 {is_last}, %bulk")))

        def append(parts: list[ast.expr]) -> None:
            site = self._site(phase, parts, False)
            ways = f.as_(f.expression(site.ways), "number")
            counted, played, done = f.fresh("counted"), f.fresh("played"), f.fresh("done")
            f.fork(f.load("f_bulk").text, counted, played)
            f.label(counted)
            f.store("k_total", f.two("add", f.load("k_total"), ways))
            f.jump(done)
            f.label(played)
            among, due, n, left = (f"{k}_{f.fresh('last')}" for k in "tkkt")
            for i, p in enumerate(site.prefix):
                f.types[f"pick_{i}"] = "set"
                f.store(f"pick_{i}", f.expression(p))
            if site.freedom < 0:
                f.store("k_total", f.two("add", f.load("k_total"), Value("number", one)))
                short = len(site.prefix) < len(self.phases[phase].turns[site.turn].choices)
                if not short:
                    self._below(f, phase, site.turn, done)
                f.jump(done)
                f.label(done)
                return
            f.store(among, f.as_(f.expression(site.among), "set"))
            f.store(due, f.as_(f.expression(site.due), "number"))
            f.store(n, Value(None, "0"))
            f.store(left, f.load(among))
            again, body = f.fresh("again"), f.fresh("body")
            f.label(again)
            single = site.freedom == 0 and isinstance(site.due, ast.Constant) and site.due.value == 1
            more = f.compare("ne", f.load(left), Value(None, "0")) if single else f.compare("slt", f.load(n), ways)
            f.fork(more.text, body, done)
            f.label(body)
            name = f"pick_{len(site.prefix)}"
            f.types[name] = "set"
            if single:
                rest = f.load(left)
                bit = f.two("and", rest, f.two("sub", Value(None, "0"), rest))
                f.store(left, f.two("xor", rest, bit))
                f.store(name, bit)
            else:
                f.store(name, f.call(f"subset_{site.freedom}", "set", [f.load(among), f.load(due), f.load(n)]))
                f.store(n, f.two("add", f.load(n), Value(None, "1")))
            f.store("k_total", f.two("add", f.load("k_total"), Value("number", one)))
            self._below(f, phase, site.turn, again)
            f.jump(again)
            f.label(done)

        self.options(f, phase, append)
        f.end(f"ret i64 {f.load('k_total').text}")
        return f.text(f"define internal i64 @perft_{phase}(ptr %at, i64 %depth, i1 %bulk, i1 %stuck, ptr %open) nounwind")

    def _below(self, f: Function, phase: int, turn: int, back: str) -> None:
        """Play a turn and count below it; then go back to the loop over moves."""
        scope, f.scope = f.scope, f.fresh("p")

        def leave(value: ast.expr) -> None:
            assert isinstance(value, ast.Tuple)
            code, next_phase, passes, values = value.elts
            if ast.literal_eval(code) >= 0:
                f.jump(back)
                return
            now, deeper = f.fresh("leaf"), f.fresh("deeper")
            f.fork(f.load("f_last").text, now, deeper)
            f.label(now)
            look, count = f.fresh("look"), f.fresh("count")
            f.fork("%stuck", look, count)
            f.label(count)
            seen = f.value("load i64, ptr %open")
            f.line(f"store i64 {f.value(f'add i64 {seen}, 1')}, ptr %open")
            f.jump(back)
            assert isinstance(values, ast.Tuple)
            named: dict[str, Value] = {}
            for label in (look, deeper):
                f.lines.append(f"{label}:")
                f.open = True
                named = {v.name: f.expression(e) for v, e in zip(self.rules.variables, values.elts, strict=True)}
                self.store_state(f, "%below", named)
                called = f"call i64 @perft_{ast.literal_eval(next_phase)}(ptr %below"
                if label == look:
                    f.fork(f.value(f"icmp eq i64 {f.value(f'{called}, i64 1, i1 true, i1 false, ptr %open)')}, 0"), back, count)
                    continue
                less = f.value("sub i64 %depth, 1")
                found = f.value(f"{called}, i64 {less}, i1 %bulk, i1 %stuck, ptr %open)")
                f.store("k_total", f.two("add", f.load("k_total"), Value("number", found)))
                f.jump(back)

        f.run(self.functions[f"play_{phase}_{turn}"].body, leave=leave)
        f.scope = scope

    # -- the module ---------------------------------------------------------------------------------------------------------------

    def module(self) -> str:
        """The whole module."""
        kind = f"i{self.bits}"
        parts = [
            f"declare {kind} @llvm.ctpop.{kind}({kind})",
            "" if self.bits == WORD else f"declare {kind} @llvm.cttz.{kind}({kind}, i1)",
            "declare i128 @llvm.ctpop.i128(i128)" if self.bits != 128 and self.lines and self.layout.words > 4 else "",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            *(lines.tables() for lines in self.lines.values()),
            "declare i64 @llvm.cttz.i64(i64, i1)\ndeclare i64 @llvm.smin.i64(i64, i64)\ndeclare i64 @llvm.smax.i64(i64, i64)",
            "declare i64 @llvm.x86.bmi.pdep.64(i64, i64)" if self.bmi else "",
            "" if self.bits == WORD else "declare i64 @llvm.ctpop.i64(i64)",
            '!0 = !{!"branch_weights", i32 1, i32 1000}',
            self._tables(),
            self._nth_word(),
            self._nth_site(),
            *(self._helper(d) for d in ast.parse(HELPER_TEXT).body if isinstance(d, ast.FunctionDef)),
            self.playouts(),
            *self.perfts(),
            self._perft_entry(),
        ]
        return "\n\n".join(p for p in parts if p) + "\n"

    def _tables(self) -> str:
        size, most = self.rules.board.size, max(1, self.most)
        if comb(size, min(most, size // 2)) * max(1, size) >= 1 << 62:
            raise Unsupported(f"picks of up to {most} sites out of {size} have too many ways to be counted in a word")
        rows = ", ".join(f"i64 {comb(n, k)}" for n in range(size + 1) for k in range(most + 1))
        backs = ", ".join(f"i64 {(2**64 - 1) // max(1, n)}" for n in range(TABLE))
        return (
            f"@ways = internal constant [{(size + 1) * (most + 1)} x i64] [{rows}]\n"
            f"@back = internal constant [{TABLE} x i64] [{backs}]\n"
            "define internal i64 @binomial(i64 %n, i64 %k) alwaysinline nounwind {\n"
            f"  %row = mul i64 %n, {most + 1}\n  %cell = add i64 %row, %k\n"
            f"  %at = getelementptr [{(size + 1) * (most + 1)} x i64], ptr @ways, i64 0, i64 %cell\n"
            "  %found = load i64, ptr %at\n  ret i64 %found\n}"
        )

    def _nth_word(self) -> str:
        """The n-th set bit of one word, as a word with that bit."""
        if self.bmi:
            body = "  %m = shl i64 1, %n\n  %b = call i64 @llvm.x86.bmi.pdep.64(i64 %m, i64 %w)\n  ret i64 %b\n"
        else:
            body = (
                "  br label %again\nagain:\n  %x = phi i64 [ %w, %0 ], [ %y, %drop ]\n  %k = phi i64 [ %n, %0 ], [ %l, %drop ]\n"
                "  %done = icmp eq i64 %k, 0\n  br i1 %done, label %out, label %drop\n"
                "drop:\n  %x1 = sub i64 %x, 1\n  %y = and i64 %x, %x1\n  %l = sub i64 %k, 1\n  br label %again\n"
                "out:\n  %g = sub i64 0, %x\n  %b = and i64 %x, %g\n  ret i64 %b\n"
            )
        return f"define internal i64 @nth_word(i64 %w, i64 %n) alwaysinline nounwind {{\n{body}}}"

    def _nth_site(self) -> str:
        kind, words = f"i{self.bits}", self.layout.words
        head = f"define internal {kind} @nth_site({kind} %s, i64 %n) alwaysinline nounwind {{\n"
        if words == 1:
            return head + "  %b = call i64 @nth_word(i64 %s, i64 %n)\n  ret i64 %b\n}"
        lines, before = [], "0"
        for i in range(words):
            lines += [f"  %h{i} = lshr {kind} %s, {i * WORD}", f"  %w{i} = trunc {kind} %h{i} to i64"]
            lines += [f"  %c{i} = call i64 @llvm.ctpop.i64(i64 %w{i})", f"  %a{i} = add i64 {before}, %c{i}"]
            before = f"%a{i}"
        word, skip = "%w0", "0"
        for i in range(1, words):
            lines += [f"  %p{i} = icmp uge i64 %n, %a{i - 1}", f"  %x{i} = select i1 %p{i}, i64 %w{i}, i64 {word}"]
            lines += [f"  %k{i} = select i1 %p{i}, i64 %a{i - 1}, i64 {skip}"]
            word, skip = f"%x{i}", f"%k{i}"
        lines += [f"  %n1 = sub i64 %n, {skip}", f"  %b = call i64 @nth_word(i64 {word}, i64 %n1)"]
        whole = "0"
        for i in range(words):
            inside = f"%p{i}" if i else "true"
            after = f"%p{i + 1}" if i + 1 < words else "false"
            lines += [f"  %v{i} = select i1 {inside}, i64 %b, i64 0", f"  %u{i} = select i1 {after}, i64 0, i64 %v{i}"]
            lines += [f"  %z{i} = zext i64 %u{i} to {kind}", f"  %y{i} = shl {kind} %z{i}, {i * WORD}"]
            lines += [f"  %r{i} = or {kind} {whole}, %y{i}"]
            whole = f"%r{i}"
        return head + "\n".join([*lines, f"  ret {kind} {whole}", "}"])

    def _helper(self, definition: ast.FunctionDef) -> str:
        types, gives = HELPERS[definition.name]
        f = self.function()
        names = [a.arg for a in definition.args.args]
        for name, type_ in zip(names, types, strict=True):
            f.store(name, Value(type_, f"%{name}"))
        f.run(definition.body, leave=lambda e: f.end(f"ret {f.of(gives)} {f.as_(f.expression(e), gives).text}"))
        if f.open:
            f.end("unreachable")
        listed = ", ".join(f"{f.of(t)} %{n}" for n, t in zip(names, types, strict=True))
        return f.text(f"define internal {f.of(gives)} @{definition.name}({listed}) nounwind")

    def _perft_entry(self) -> str:
        words = self.offsets()[1]
        cases = " ".join(f"i64 {p}, label %p{p}" for p in range(len(self.phases)))
        blocks = "\n".join(
            f"p{p}:\n  %r{p} = call i64 @perft_{p}(ptr %at, i64 %depth, i1 %b, i1 %s, ptr %open)\n  ret i64 %r{p}"
            for p in range(len(self.phases))
        )
        return (
            "define i64 @perft(ptr %at, i64 %depth, i64 %mode, ptr %open) nounwind {\n"
            f"  %w = getelementptr i64, ptr %at, i64 {words - 2}\n  %phase = load i64, ptr %w\n  %b = icmp eq i64 %mode, 1\n  %s = icmp eq i64 %mode, 2\n"
            f"  switch i64 %phase, label %p0 [ {cases} ]\n{blocks}\n}}"
        )


class Playouts:
    """Writes the function that plays random games."""

    def __init__(self, machine: Machine) -> None:
        self.m = machine
        self.f = machine.function()
        self.f.types |= {
            "k_dice": "number", "k_plies": "number", "k_total": "number", "k_n": "number", "k_seat": "number", "k_game": "number",
            "k_records": "number", "k_row": "number", "k_branching": "number", "k_phase": "number", "k_code": "number",
        }  # fmt: skip
        self.deepest = max((len(s.prefix) for sites in machine.sites for s in sites if s.looped), default=0)

    def text(self) -> str:
        """The whole function."""
        f, m = self.f, self.m
        words = m.offsets()[1]
        if any(s.looped for sites in m.sites for s in sites):
            f.head += [f"  %r_ways = alloca [{RECORDS} x i64]", f"  %r_site = alloca [{RECORDS} x i64]"]
            f.head += [f"  %r_due = alloca [{RECORDS} x i64]", f"  %r_among = alloca [{RECORDS} x {f.of('set')}]"]
            f.head += [f"  %r_pick{i} = alloca [{RECORDS} x {f.of('set')}]" for i in range(self.deepest)]
        for lines in m.lines.values():
            f.head.append(f"  %lines_of = alloca [{2 * lines.total} x i{lines.lane}], align 64")
            f.head += [f"  %kept_of = alloca [{m.layout.words} x i64], align 64", f"  %until_of = alloca i{self._wide}"]
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
            self.enter(p)
        for p in range(len(m.phases)):
            if self.words_of(p) is not None:
                self.choose_kept(p)
            else:
                self.choose(p)
        self.over()
        f.label("overflow")
        f.end(f"ret i64 {f.two('sub', Value(None, '-1'), f.load('k_game')).text}")
        f.lines.append("out:")
        f.open = True
        f.end(f"ret i64 {f.load('k_branching').text}")
        return f.text("define i64 @playouts(ptr %start, i64 %seed, i64 %n, i64 %longest, ptr %lengths, ptr %ends, ptr %each) nounwind")

    # -- options ------------------------------------------------------------------------------------------------------------------

    def enter(self, phase: int) -> None:
        """Write the options of a phase, and go to where one is chosen."""
        f, m = self.f, self.m
        if self.words_of(phase) is not None:
            f.jump(f"build{phase}")
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

        def append(parts: list[ast.expr]) -> None:
            i = next(number)
            ways, among, due = f.expression(parts[0]), f.expression(parts[3]), f.expression(parts[4])
            f.store("k_total", f.two("add", f.load("k_total"), f.as_(ways, "number")))
            if not looped:
                f.store(f"s{phase}_ways{i}", ways)
                f.store(f"s{phase}_due{i}", due)
                f.store(f"s{phase}_among{i}", among)
                return
            at = f.load("k_records")
            full, go = f.fresh("full"), f.fresh("kept")
            f.fork(f.compare("sge", at, Value(None, str(RECORDS))).text, "overflow", go, rare=True)
            f.label(go)
            assert isinstance(parts[2], ast.Tuple)
            stored = [("ways", f.as_(ways, "number")), ("among", f.as_(among, "set")), ("due", f.as_(due, "number"))]
            stored += [("site", Value("number", str(i)))] if len(sites) > 1 else []
            stored += [(f"pick{j}", f.expression(p)) for j, p in enumerate(parts[2].elts)]
            del full
            for name, value in stored:
                cell = f.value(f"getelementptr {f.of(value.type)}, ptr %r_{name}, i64 {at.text}")
                f.line(f"store {f.of(value.type)} {value.text}, ptr {cell}")
            f.store("k_records", f.two("add", at, Value(None, "1")))

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
        self.draw(total)
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

    # -- a phase with a kept legal set --------------------------------------------------------------------------------------------

    def words_of(self, phase: int) -> LineWords | None:
        """The line words of a phase whose plan keeps its legal set."""
        return self.m.lines.get(self.m.phases[phase].name)

    def choose_kept(self, phase: int) -> None:
        """Build the kept set and the line words; then draw, place and test until the game is over.

        The sites that were left at the beginning and those that are left now say how many moves were made, so nothing else is
        counted in the loop.
        """
        f, m, lines = self.f, self.m, self.words_of(phase)
        assert lines is not None
        turn, by_ending = m.phases[phase].turns[0], {x.ending: x for x in lines.kept.lines}
        f.types |= {"k_first": "number", "k_floor": "number", "k_side": "number", "k_swaps": "number"}
        self._build(phase, lines)
        f.label(f"choose{phase}")
        total = f.load("k_total")
        self.draw(total)
        pos = self._taken(f.load("k_n"))
        left = f.two("sub", total, Value(None, "1"))
        f.store("k_total", left)
        packed = lines.place(f, pos, f.load("k_side").text)
        f.store("k_side", f.two("sub", Value(None, str(lines.total)), f.load("k_side")))
        last = len(turn.endings) - 1
        for i in range(len(turn.endings)):
            if i == last and i not in by_ending:
                break
            over, on = f.fresh("over"), f.fresh("on")
            flag = lines.holds(f, by_ending[i].form, packed) if i in by_ending else f.compare("eq", left, Value(None, "0")).text
            f.fork(flag, over, on, rare=True)
            f.label(over)
            self._left(phase, m.codes.index(("ending", phase, 0, i)), 1)
            f.label(on)
        stop = f.fresh("stop")
        f.fork(f.compare("eq", left, f.load("k_floor")).text, stop, f"choose{phase}", rare=True)
        f.label(stop)
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

    def _build(self, phase: int, lines: LineWords) -> None:
        """The line words and the kept set from the boards."""
        f, m = self.f, self.m
        words, kind, wide = m.layout.words, f.of("set"), f"i{self._wide}"
        f.lines.append(f"build{phase}:")
        f.open = True
        f.line(f"call void @llvm.memset.p0.i64(ptr align 64 %lines_of, i8 0, i64 {2 * lines.total * lines.lane // 8}, i1 false)")
        variable, seat = lines.kept.variable, f.load("k_seat")
        f.store("k_side", f.two("mul", seat, Value(None, str(lines.total))))
        lines.build(f, m.names[variable], f.load("k_side").text)
        lines.build(f, m.names[swapped(variable)], f.two("sub", Value(None, str(lines.total)), f.load("k_side")).text)
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
                until = f.value(f"or {wide} {until}, {f.value(f'shl {wide} {lane}, {16 * (i + 1)}')}")
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
        f.fork(f.compare("eq", before, Value(None, "0")).text, stuck, f"choose{phase}", rare=True)
        f.label(stuck)
        self.end(phase, m.codes.index(("stuck", phase, 0, 0)), None)

    @property
    def _wide(self) -> int:
        """The bits that hold, 16 for each word, how many kept sites are in the words before it."""
        return (16 * self.m.layout.words + WORD - 1) // WORD * WORD

    def _taken(self, n: Value) -> str:
        """Take the n-th site out of the kept set; its place.

        The counts before each word are compared with n all at once: a lane's top bit stays where n reaches it.
        """
        f, words, wide = self.f, self.m.layout.words, f"i{self._wide}"
        which, index = "0", n
        if words > 1:
            ones, tops = sum(1 << 16 * i for i in range(words)), sum(0x8000 << 16 * i for i in range(words))
            until = f.value(f"load {wide}, ptr %until_of")
            spread = n.text if wide == "i64" else f.value(f"zext i64 {n.text} to {wide}")
            spread = f.value(f"or {wide} {f.value(f'mul {wide} {spread}, {ones}')}, {tops}")
            reached = f.value(f"and {wide} {f.value(f'sub {wide} {spread}, {until}')}, {tops}")
            missed = f.value(f"lshr {wide} {f.value(f'xor {wide} {reached}, {tops}')}, 15")
            f.line(f"store {wide} {f.value(f'sub {wide} {until}, {missed}')}, ptr %until_of")
            count = f.value(f"call {wide} @llvm.ctpop.{wide}({wide} {reached})")
            which = f.value(f"sub i64 {count if wide == 'i64' else f.value(f'trunc {wide} {count} to i64')}, 1")
            by = f.value(f"shl i64 {which}, 4")
            by = by if wide == "i64" else f.value(f"zext i64 {by} to {wide}")
            skip = f.value(f"lshr {wide} {until}, {by}")
            skip = skip if wide == "i64" else f.value(f"trunc {wide} {skip} to i64")
            index = f.two("sub", n, Value("number", f.value(f"and i64 {skip}, 65535")))
        cells = [f.value(f"getelementptr i64, ptr %kept_of, i64 {i}") for i in range(words)]
        if words > 4:
            cells = [f.value(f"getelementptr i64, ptr %kept_of, i64 {which}")]
        kept = [f.value(f"load i64, ptr {c}") for c in cells]
        here = [f.value(f"icmp eq i64 {which}, {i}") for i in range(len(cells))]
        word = kept[0]
        for k, flag in zip(kept[1:], here[1:], strict=True):
            word = f.value(f"select i1 {flag}, i64 {k}, i64 {word}")
        bit = f.value(f"call i64 @nth_word(i64 {word}, i64 {index.text})")
        # a word read back by a changing address would wait for the write before it, so few words stay in registers
        for k, flag, c in zip(kept, here, cells, strict=True):
            gone = bit if len(cells) == 1 else f.value(f"select i1 {flag}, i64 {bit}, i64 0")
            f.line(f"store i64 {f.value(f'xor i64 {k}, {gone}')}, ptr {c}")
        inside = f.value(f"call i64 @llvm.cttz.i64(i64 {bit}, i1 true)")
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
            f.store("k_due", self._cell("due", "number"))
            picks = tuple(self._cell(f"pick{j}", "set") for j in range(len(site.prefix)))
            self.play(phase, site, "t_among", "k_due", picks)

    def _cell(self, name: str, type_: Type) -> Value:
        f = self.f
        kind = f.of(type_)
        at = f.value(f"getelementptr {kind}, ptr %r_{name}, i64 {f.load('k_row').text}")
        return Value(type_, f.value(f"load {kind}, ptr {at}"))

    def draw(self, total: Value) -> None:
        """Draw a number below `total` as `Dice` does: the remainder of 64 random bits, by the reciprocal where it is tabled."""
        f = self.f
        again, small, large, done = (f.fresh(k) for k in ("again", "small", "large", "done"))
        f.label(again)
        state = f.two("add", f.load("k_dice"), Value(None, str(0x9E3779B97F4A7C15)))
        f.store("k_dice", state)
        z = state
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
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
        f.fork(f.compare("ult", total, Value(None, str(TABLE))).text, small, large)
        f.label(small)
        back = f.value(f"load i64, ptr {f.value(f'getelementptr [{TABLE} x i64], ptr @back, i64 0, i64 {total.text}')}")
        wide = f.value(f"mul i128 {f.value(f'zext i64 {z.text} to i128')}, {f.value(f'zext i64 {back} to i128')}")
        part = Value("number", f.value(f"trunc i128 {f.value(f'lshr i128 {wide}, 64')} to i64"))
        left = f.two("sub", z, f.two("mul", part, total))
        less = f.two("sub", left, total)
        f.store("k_n", f.select(f.compare("ult", left, total), left, less))
        f.jump(done)
        f.label(large)
        f.store("k_n", Value("number", f.value(f"urem i64 {z.text}, {total.text}")))
        f.jump(done)
        f.label(done)

    def _stirred(self, z: Value, shift: int) -> Value:
        f = self.f
        return f.two("xor", z, Value("number", f.value(f"lshr i64 {z.text}, {shift}")))

    # -- playing ------------------------------------------------------------------------------------------------------------------

    def play(self, phase: int, site: Site, among: str, due: str, picks: tuple[Value, ...]) -> None:
        """Play the chosen move; then go on or end the game."""
        f, m = self.f, self.m
        for j, p in enumerate(picks):
            f.store(f"pick_{j}", p)
        turn = m.phases[phase].turns[site.turn]
        if site.freedom < 0:
            if site.picks < len(turn.choices):
                self.end(phase, m.codes.index(("short", phase, site.turn, site.picks)), None)
                return
        else:
            single = site.freedom == 0 and isinstance(site.due, ast.Constant) and site.due.value == 1
            if single:
                last = f.call("nth_site", "set", [f.load(among), f.load("k_n")])
            else:
                last = f.call(f"subset_{site.freedom}", "set", [f.load(among), f.load(due), f.load("k_n")])
            f.store(f"pick_{len(site.prefix)}", last)
        f.scope = f.fresh("p")
        f.run(m.functions[f"play_{phase}_{site.turn}"].body, leave=lambda value: self.leave(phase, site.turn, value))

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
        self.enter(ast.literal_eval(next_phase))
        f.scope = scope

    def end(self, phase: int, code: int, named: dict[str, Value] | None) -> None:
        """End the game: the variables keep their last values."""
        f, m = self.f, self.m
        for name, v in (named or {}).items():
            f.store(m.names[name], v)
        f.store("k_code", Value(None, str(code)))
        f.store("k_phase", Value(None, str(phase)))
        f.jump("over")

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
                seat = f.load("k_seat")
                side = f.two("mul", seat, Value(None, str(lines.total)))
                lines.rebuild(f, m.names[variable], side.text)
                lines.rebuild(f, m.names[swapped(variable)], f.two("sub", Value(None, str(lines.total)), side).text)
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
