"""Random games of a phase with a kept legal set and line words: the plan's own way to choose, to place and to test."""

from __future__ import annotations

from collections.abc import Sequence

from lawstone.core import OPPOSITE_OF, Term
from lawstone.engine.kernel.layout import WORD, Layout
from lawstone.engine.kernel.llvm import Function, Unsupported, Value
from lawstone.engine.kernel.plan import FORWARD, Kept
from lawstone.lower import Rules


class LineWords:
    """The lines of a board along some axes, a word of `lane` bits each, and for each site its lines and its place on them."""

    def __init__(self, rules: Rules, layout: Layout, kept: Kept) -> None:
        board = rules.board
        self.kept, self.layout = kept, layout
        self.axes = tuple(dict.fromkeys(a for lines in kept.lines for a in lines.axes))
        self.lane = 16 if board.longest_line < 16 else 32
        self.together = WORD // self.lane
        """Lines that are tested in one word."""
        self.longest = board.longest_line
        self.total = 0
        self.at: dict[int, list[tuple[int, int]]] = {s: [] for s in range(board.size)}
        for axis in self.axes:
            for s in range(board.size):
                if board.steps[OPPOSITE_OF[axis]][s] is None:
                    for place, t in enumerate([s, *board.ray(s, axis)]):
                        self.at[t].append((self.total, place))
                    self.total += 1

    def tables(self) -> str:
        """One row a bit of the layout: the numbers of its lines, and its bit in each."""
        count = len(self.axes)
        by_bit = {b: s for s, b in enumerate(self.layout.place)}
        rows = []
        for b in range(self.layout.bits):
            lines = self.at[by_bit[b]] if b in by_bit else [(0, 0)] * count
            numbers, bits = ", ".join(f"i16 {line}" for line, _ in lines), ", ".join(f"i32 {1 << place}" for _, place in lines)
            rows.append(f"{self.row} {{ [{count} x i16] [{numbers}], [{count} x i32] [{bits}], {self.pad} zeroinitializer }}")
        head = "@lines_at_at = internal global ptr @lines_at\n"
        return head + f"@lines_at = internal constant [{len(rows)} x {self.row}] [{', '.join(rows)}], align 64"

    @property
    def pad(self) -> str:
        """What makes a row of the table a power of two long."""
        used = (2 * len(self.axes) + 3) // 4 * 4 + 4 * len(self.axes)
        return f"[{((1 << (used - 1).bit_length()) - used) // 4} x i32]"

    @property
    def row(self) -> str:
        """A row of the table: numbers of lines, and bits that are wider than they need be, so that nothing has to be widened."""
        return f"{{ [{len(self.axes)} x i16], [{len(self.axes)} x i32], {self.pad} }}"

    # -- code ---------------------------------------------------------------------------------------------------------------------

    def _row(self, f: Function, pos: str, i: int) -> tuple[str, str]:
        """Where the i-th line of a site is, and its bit there."""
        line = f.value(f"load i16, ptr {f.value(f'getelementptr {self.row}, ptr %lines_at, i64 {pos}, i32 0, i64 {i}')}")
        bit = f.value(f"load i32, ptr {f.value(f'getelementptr {self.row}, ptr %lines_at, i64 {pos}, i32 1, i64 {i}')}")
        return f.value(f"zext i16 {line} to i64"), bit

    def place(self, f: Function, pos: str, side: str, keep: bool = True) -> tuple[str, ...]:
        """Set a site's bits in all its lines of the player whose lines begin at `side`; the lines, packed into words.

        Without `keep` the lines are left as they were: what is packed is what would be.
        """
        lane, packed = f"i{self.lane}", list[str]()
        mine = f.value(f"getelementptr {lane}, ptr %lines_of, i64 {side}")
        for i in range(len(self.axes)):
            line, bit = self._row(f, pos, i)
            cell = f.value(f"getelementptr {lane}, ptr {mine}, i64 {line}")
            before = f.value(f"load {lane}, ptr {cell}")
            word = f.value(f"or i32 {before if self.lane == 32 else f.value(f'zext {lane} {before} to i32')}, {bit}")
            if keep:
                f.line(f"store {lane} {word if self.lane == 32 else f.value(f'trunc i32 {word} to {lane}')}, ptr {cell}")
            part, inside = f.value(f"zext i32 {word} to i64"), i % self.together
            if inside:
                packed[-1] = f.value(f"or i64 {packed[-1]}, {f.value(f'shl i64 {part}, {inside * self.lane}')}")
            else:
                packed.append(part)
        return tuple(packed)

    def holds(self, f: Function, form: Term, packed: Sequence[str]) -> str:
        """Whether a form has a mark on one of the packed lines."""
        bare, found = self._stays(form), ""
        for word in packed:
            marks = self._marks(f, form, word, {}, bare)
            found = f.value(f"or i64 {found}, {marks}") if found else marks
        return f.value(f"icmp ne i64 {found}, 0")

    def _stays(self, form: Term) -> bool:
        """Whether a mark says by itself that all that is read of the line lies on it, so that no step has to be cut at its ends.

        Places that a mark asks to be taken, side by side, lie on one line, as between two lines of a word stands a bit that is
        never set. What is read besides may be off that stretch by as many places as there are such bits.
        """
        asked, seen = _reads(form)
        gap, stretches = self.lane - self.longest, list[list[int]]()
        for place in sorted(asked):
            if stretches and stretches[-1][-1] + 1 == place:
                stretches[-1].append(place)
            else:
                stretches.append([place])
        return any(s[0] - gap <= min(seen) and max(seen) <= s[-1] + gap for s in stretches)

    def _marks(self, f: Function, form: Term, packed: str, known: dict[Term, str], bare: bool) -> str:
        if form not in known:
            known[form] = self._written(f, form, packed, known, bare)
        return known[form]

    def _written(self, f: Function, form: Term, packed: str, known: dict[Term, str], bare: bool) -> str:
        if form.op == "read":
            return packed
        if form.op == "step":
            steps, inner = 1, form.args[0]
            while inner.op == "step" and inner.data == form.data:
                steps, inner = steps + 1, inner.args[0]
            if steps >= self.lane:
                return "0"
            forward = form.data == FORWARD
            moved = f.value(f"{'shl' if forward else 'lshr'} i64 {self._marks(f, inner, packed, known, bare)}, {steps}")
            if bare:
                return moved
            full = (1 << self.longest) - 1
            inside = (full << steps) & full if forward else full >> steps
            return f.value(f"and i64 {moved}, {sum(inside << self.lane * i for i in range(self.together))}")
        parts = [self._marks(f, a, packed, known, bare) for a in form.args]
        if form.op == "without":
            return f.value(f"and i64 {parts[0]}, {f.value(f'xor i64 {parts[1]}, -1')}")
        found = parts[0]
        for p in parts[1:]:
            found = f.value(f"{'and' if form.op == 'both' else 'or'} i64 {found}, {p}")
        return found

    def build(self, f: Function, name: str, side: str) -> None:
        """Put the members of a set into the lines of a player, one by one."""
        kind = f.of("set")
        f.types["t_left"] = "set"
        f.store("t_left", f.load(name))
        again, body, done = f.fresh("again"), f.fresh("body"), f.fresh("done")
        f.label(again)
        f.fork(f.compare("ne", f.load("t_left"), Value(None, "0")).text, body, done)
        f.label(body)
        left = f.load("t_left")
        bit = f.value(f"call {kind} @llvm.cttz.{kind}({kind} {left.text}, i1 true)")
        pos = bit if f.bits == WORD else f.value(f"trunc {kind} {bit} to i64")
        self.place(f, pos, side)
        less = f.two("sub", left, Value(None, "1"))
        f.store("t_left", f.two("and", left, less))
        f.jump(again)
        f.label(done)

    def leaves(self, f: Function, own: str, legal: Value) -> tuple[Value, Value]:
        """Place on each legal site in turn and test: how many there are, and after how many of them no line stands."""
        kind = f.of("set")
        f.head.append(f"  %lines_of = alloca [{self.total} x i{self.lane}], align 64")
        f.head.append("  %lines_at = load volatile ptr, ptr @lines_at_at")
        f.types |= {"k_rest": "number", "k_going": "number"}
        f.line(f"call void @llvm.memset.p0.i64(ptr align 64 %lines_of, i8 0, i64 {self.total * self.lane // 8}, i1 false)")
        self.build(f, own, "0")
        f.store("k_going", Value(None, "0"))
        for i in range(self.layout.words):
            whole = legal.text if f.bits == WORD else f.value(f"lshr {kind} {legal.text}, {i * WORD}")
            word = whole if f.bits == WORD else f.value(f"trunc {kind} {whole} to i64")
            self._word_of_leaves(f, Value("number", word), i * WORD)
        total, none = f.count(legal), Value("number", "0")
        last = f.compare("eq", total, Value(None, "1")) if self.kept.empty else Value("flag", "0")
        return total, f.select(last, none, f.load("k_going"))

    def _word_of_leaves(self, f: Function, word: Value, first: int) -> None:
        f.store("k_rest", word)
        again, body, done = f.fresh("again"), f.fresh("body"), f.fresh("done")
        f.label(again)
        f.fork(f.compare("ne", f.load("k_rest"), Value(None, "0")).text, body, done)
        f.label(body)
        rest = f.load("k_rest")
        bit = f.value(f"call i64 @llvm.cttz.i64(i64 {rest.text}, i1 true)")
        packed = self.place(f, bit if not first else f.value(f"add i64 {bit}, {first}"), "0", keep=False)
        over = "false"
        for lines in self.kept.lines:
            over = f.value(f"or i1 {over}, {self.holds(f, lines.form, packed)}")
        going = f.value(f"zext i1 {f.value(f'xor i1 {over}, true')} to i64")
        f.store("k_going", f.two("add", f.load("k_going"), Value("number", going)))
        f.store("k_rest", f.two("and", rest, f.two("sub", rest, Value(None, "1"))))
        f.jump(again)
        f.label(done)

    def rebuild(self, f: Function, name: str, side: str) -> None:
        """Fill a set from the lines of a player, site by site."""
        lane, kind = f"i{self.lane}", f.of("set")
        f.types |= {"k_bit": "number"}
        f.store(name, Value(None, "0"))
        f.store("k_bit", Value(None, "0"))
        again, done = f.fresh("again"), f.fresh("done")
        f.label(again)
        pos = f.load("k_bit").text
        line, bit = self._row(f, pos, 0)
        index = f.value(f"add i64 {side}, {line}")
        word = f.value(f"load {lane}, ptr {f.value(f'getelementptr {lane}, ptr %lines_of, i64 {index}')}")
        word = word if self.lane == 32 else f.value(f"zext {lane} {word} to i32")
        here = f.value(f"icmp ne i32 {f.value(f'and i32 {word}, {bit}')}, 0")
        wide = pos if f.bits == WORD else f.value(f"zext i64 {pos} to {kind}")
        mask = f.value(f"shl {kind} {f.value(f'zext i1 {here} to {kind}')}, {wide}")
        f.store(name, f.two("or", f.load(name), Value("set", mask)))
        f.store("k_bit", f.two("add", Value("number", pos), Value(None, "1")))
        f.fork(f.compare("slt", f.load("k_bit"), Value(None, str(f.bits))).text, again, done)
        f.label(done)
        # bits that are no site share line 0, place 0 with a real one
        mask_of_sites = sum(1 << b for b in self.layout.place)
        f.store(name, f.two("and", f.load(name), Value(None, str(mask_of_sites))))


def _reads(form: Term) -> tuple[frozenset[int], frozenset[int]]:
    """The places beside a mark that must be taken for it to stand, and all places that it reads; 0 is the mark's own."""
    if form.op == "read":
        return frozenset([0]), frozenset([0])
    if form.op not in ("step", "both", "either", "without"):
        raise Unsupported(f"{form.op} on a line")
    parts = [_reads(a) for a in form.args]
    asked, seen = parts[0]
    if form.op == "step":
        off = -1 if form.data == FORWARD else 1
        return frozenset(a + off for a in asked), frozenset(s + off for s in seen)
    for more, other in parts[1:]:
        seen |= other
        if form.op == "both":
            asked |= more
        elif form.op == "either":
            asked &= more
    return asked, seen
