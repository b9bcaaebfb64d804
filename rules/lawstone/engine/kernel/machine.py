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

from lawstone.core import Sort
from lawstone.engine.kernel import tables
from lawstone.engine.kernel.ahead import Ahead
from lawstone.engine.kernel.kept import FEW, TABLE
from lawstone.engine.kernel.layout import WORD, Layout
from lawstone.engine.kernel.lines import LineWords
from lawstone.engine.kernel.llvm import HELPER_TEXT, HELPERS, Function, Type, Unsupported, Value
from lawstone.engine.kernel.plan import NO_PLAN, Plan
from lawstone.engine.kernel.playouts import Playouts
from lawstone.engine.kernel.slides import SlideLoop
from lawstone.engine.kernel.text import KernelWriter
from lawstone.lower import Rules

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
    planes: tuple[ast.expr, ...] = ()
    """Where a first pick and a walk tell a move: the binary digits of how many walks begin at each site."""

    @property
    def fixed(self) -> int | None:
        """How many sites are due, where the text says so."""
        return self.due.value if isinstance(self.due, ast.Constant) and isinstance(self.due.value, int) else None

    @property
    def picks(self) -> int:
        """Picks that the move has."""
        return len(self.prefix) + (self.freedom >= 0)


class Machine:
    """Writes the module of one game."""

    def __init__(self, rules: Rules, writer: KernelWriter, layout: Layout, bmi: bool, plan: Plan = NO_PLAN) -> None:
        text = writer.module()
        self.text, self.tables = text, writer.tables
        self.rules, self.layout, self.bmi, self.plan = rules, layout, bmi, plan
        self.lines = {p: LineWords(rules, layout, k) for p, k in plan.kept.items()}
        self.lined = {p: LineWords(rules, layout, k) for p, k in writer.lined.items()}
        self.slid = {p: (x, LineWords(rules, layout, x.kept)) for p, x in writer.slid.items()}
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
                    assert isinstance(s.value.func, ast.Attribute)
                    if s.value.func.attr == "spread":
                        found.append(self._spread(phase, s.value.args[0].elts))
                        continue
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

    @staticmethod
    def _spread(phase: int, parts: list[ast.expr]) -> Site:
        ways, turn, planes = parts
        assert isinstance(planes, ast.Tuple)
        none, one = ast.Constant(0), ast.Constant(1)
        return Site(phase, ast.literal_eval(turn), (), none, one, 0, ways, False, tuple(planes.elts))

    @property
    def lane(self) -> int:
        """The bits of a number of sites of the board, and one more."""
        return self.rules.board.size.bit_length() + 1

    @property
    def lane_bits(self) -> int:
        """The bits that hold, a lane for each word, how many kept sites are in the words before it."""
        return (self.lane * self.layout.words + WORD - 1) // WORD * WORD

    def in_lanes(self, value: int, first: int = 0) -> int:
        """A number in each lane from the first on."""
        return sum(value << self.lane * i for i in range(first, self.layout.words))

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
        return [*(self._perft(p) for p in range(len(self.phases))), self._perft_entry()]

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
        lines = self.lines.get(self.phases[phase].name)
        if lines is not None:
            self._leaves(f, phase, lines, is_last)

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
            single = site.freedom == 0 and site.fixed == 1
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
                nothing = site.fixed == 0
                arguments = [f.load(among), f.load(due), f.load(n)]
                f.store(name, Value(None, "0") if nothing else f.call(f"subset_{site.freedom}", "set", arguments))
                f.store(n, f.two("add", f.load(n), Value(None, "1")))
            f.store("k_total", f.two("add", f.load("k_total"), Value("number", one)))
            self._below(f, phase, site.turn, again)
            f.jump(again)
            f.label(done)

        self.options(f, phase, append)
        f.end(f"ret i64 {f.load('k_total').text}")
        return f.text(f"define internal i64 @perft_{phase}(ptr %at, i64 %depth, i1 %bulk, i1 %stuck, ptr %open) nounwind")

    def _leaves(self, f: Function, phase: int, lines: LineWords, is_last: str) -> None:
        """Where the last ply is played and nothing else is asked for: each placement is tested along its lines."""
        leaves, other = f.fresh("leaves"), f.fresh("other")
        plain = f.value(f"xor i1 {f.value('or i1 %bulk, %stuck')}, true")
        f.fork(f.value(f"and i1 {is_last}, {plain}"), leaves, other)
        f.label(leaves)
        f.types["t_legal"] = "set"
        f.store("t_legal", Value(None, "0"))
        self.options(f, phase, lambda parts: f.store("t_legal", f.as_(f.expression(parts[3]), "set")))
        total, going = lines.leaves(f, self.names[lines.kept.variable], f.load("t_legal"))
        seen = Value("number", f.value("load i64, ptr %open"))
        f.line(f"store i64 {f.two('add', seen, going).text}, ptr %open")
        f.end(f"ret i64 {total.text}")
        f.lines.append(f"{other}:")
        f.open = True

    def _below(self, f: Function, phase: int, turn: int, back: str) -> None:
        """Play a turn and count below it; then go back to the loop over moves."""
        scope, f.scope = f.scope, f.fresh("p")

        def leave(value: ast.expr) -> None:
            assert isinstance(value, ast.Tuple)
            code, next_phase, _, values = value.elts
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

    def module(self, *functions: str) -> str:
        """The whole module around some functions."""
        kind = f"i{self.bits}"
        parts = [
            f"declare {kind} @llvm.ctpop.{kind}({kind})",
            "" if self.bits == WORD else f"declare {kind} @llvm.cttz.{kind}({kind}, i1)",
            f"declare i{self.lane_bits} @llvm.ctpop.i{self.lane_bits}(i{self.lane_bits})",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            *(lines.tables() for lines in (*self.lines.values(), *self.lined.values(), *(x for _, x in self.slid.values()))),
            *(SlideLoop.tables(*x) for x in self.slid.values()),
            "declare i64 @llvm.ctlz.i64(i64, i1)",
            "declare i64 @llvm.cttz.i64(i64, i1)\ndeclare i64 @llvm.smin.i64(i64, i64)\ndeclare i64 @llvm.smax.i64(i64, i64)",
            "declare i64 @llvm.x86.bmi.pdep.64(i64, i64)" if self.bmi else "",
            "" if self.bits == WORD else "declare i64 @llvm.ctpop.i64(i64)",
            '!0 = !{!"branch_weights", i32 1, i32 1000}',
            self._tables(),
            f"declare {kind} @llvm.ctlz.{kind}({kind}, i1)",
            tables.above(self.layout) if "fill(" in self.text and self.layout.words > 1 else "",
            *(tables.fill(self.rules.board, self.layout, d) for d in self.rules.board.steps if f", {d!r})" in self.text),
            *(tables.shapes(i, t, self.layout) for i, t in enumerate(self.tables)),
            Ahead(self, self.function()).tables() if self.lines else "",
            self._nth_word(),
            self._nth_site(),
            *(self._helper(d) for d in ast.parse(HELPER_TEXT).body if isinstance(d, ast.FunctionDef)),
            *functions,
        ]
        lines = "\n".join(p for p in parts if p).split("\n")
        declared = dict.fromkeys(x for x in lines if x.startswith("declare "))
        return "\n".join([*declared, *(x for x in lines if not x.startswith("declare "))]) + "\n"

    def _tables(self) -> str:
        size, most = self.rules.board.size, max(1, self.most)
        if comb(size, min(most, size // 2)) * max(1, size) >= 1 << 62:
            raise Unsupported(f"picks of up to {most} sites out of {size} have too many ways to be counted in a word")
        rows = ", ".join(f"i64 {comb(n, k)}" for n in range(size + 1) for k in range(most + 1))
        shares = ", ".join(f"i64 {-(-(2**64) // max(1, n)) % 2**64}" for n in range(FEW + 1))
        backs = ", ".join(f"i64 {(2**64 - 1) // max(1, n)}" for n in range(TABLE))
        return (
            f"@ways = internal constant [{(size + 1) * (most + 1)} x i64] [{rows}]\n"
            f"@shares = internal constant [{FEW + 1} x i64] [{shares}]\n"
            "@back_at = internal global ptr @back\n"
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
            f"  %w = getelementptr i64, ptr %at, i64 {words - 2}\n  %phase = load i64, ptr %w\n"
            "  %b = icmp eq i64 %mode, 1\n  %s = icmp eq i64 %mode, 2\n"
            f"  switch i64 %phase, label %p0 [ {cases} ]\n{blocks}\n}}"
        )
