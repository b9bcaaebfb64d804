"""Positions walked one move at a time in machine code: what may be played, the n-th of it, and what it leads to.

Three functions a game, on positions and options kept as words in memory. Whatever steps through positions is built from them:
two readings side by side (`lockstep`), and enumeration (`engine.enumerate`). An option is a row of words: ways, turn, freedom, how
many sites are due, how many picks come before the last, the set of the last pick, then those picks. Two readings whose turns pick
the same things list equal options as equal rows.
"""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from lawstone.core import Sort
from lawstone.engine.everyday import Everyday, Option
from lawstone.engine.kernel.layout import WORD, layout
from lawstone.engine.kernel.llvm import Function, Unsupported, Value
from lawstone.engine.kernel.machine import Machine
from lawstone.engine.kernel.stored import Tried
from lawstone.engine.kernel.text import KernelWriter
from lawstone.engine.playout import LONGEST, Dice
from lawstone.engine.state import Outcome, Picks, State
from lawstone.lower import Rules
from lawstone.lower import Value as Kept

HEAD = 5
"""Words of an option before its sets."""
DEEPEST = 3
"""Picks before the last that an option has room for; a game with deeper turns gets more."""
ROWS = 1 << 14
"""Options that a position may have; with more, it is left to the emitted Python."""
TRIED = 100
"""Random games that a new walk plays as the everyday engine does before it is used."""
FULL = -1
"""What stands for the number of options where there are too many."""


class Walk:
    """The compiled steps of one game."""

    def __init__(self, rules: Rules, deepest: int = DEEPEST) -> None:
        from lawstone.engine.kernel import native

        self.rules, self.layout = rules, layout(rules.board)
        self.machine = Machine(rules, KernelWriter(rules, self.layout), self.layout, native.has_bmi())
        self.deepest = max(deepest, *(len(t.choices) - 1 for p in rules.phases.values() for t in p.turns))
        self.row = HEAD + self.layout.words * (1 + self.deepest)
        self.picks = self.layout.words * (1 + self.deepest)
        self.offsets, self.size = self.machine.offsets()
        self.phases = list(rules.phases)
        writer = _Steps(self)
        self.code = self.machine.module(*writer.functions())
        self.library = native.compiled(self.code, 2)
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self.options = self.library.function("options", [pointer, pointer, number])
        self.pick = self.library.function("pick", [pointer, number, pointer])
        self.play = self.library.function("play", [pointer, pointer, pointer, pointer])

    # -- positions and options as words -------------------------------------------------------------------------------------------

    def pack(self, state: State) -> list[int]:
        """A position as words."""
        words: list[int] = []
        for v, value in zip(self.rules.variables, state.values, strict=True):
            words += self._laid(int(value)) if v.sort is Sort.SITES else [int(value)]
        return [*words, self.phases.index(state.phase), state.seat]

    def unpack(self, words: Sequence[int]) -> State:
        """Words as a position."""
        values: list[Kept] = []
        for v, at in zip(self.rules.variables, self.offsets, strict=True):
            if v.sort is Sort.SITES:
                values.append(self._set(words, at))
            else:
                values.append(bool(words[at]) if v.sort is Sort.FLAG else words[at])
        return State(tuple(values), self.phases[words[self.size - 2]], words[self.size - 1])

    def _laid(self, mask: int) -> list[int]:
        bits = self.layout.laid(mask)
        return [bits >> WORD * i & (1 << WORD) - 1 for i in range(self.layout.words)]

    def _set(self, words: Sequence[int], at: int) -> int:
        return self.layout.sites(sum(words[at + i] << WORD * i for i in range(self.layout.words)))

    def option(self, row: Sequence[int]) -> Option:
        """A row of words as the everyday engine lists it."""
        ways, turn, freedom, due, made = row[:HEAD]
        free = freedom if freedom < 1 << 63 else freedom - (1 << 64)
        before = tuple(self._set(row, HEAD + self.layout.words * (1 + i)) for i in range(made))
        return ways, turn, before, self._set(row, HEAD), due, free

    def outcome(self, code: int, seat: int) -> Outcome:
        """What the number of an end means for the player who moved."""
        kind, phase, turn, i = self.machine.codes[code]
        listed = list(self.rules.phases.values())[phase]
        if kind == "short":
            return Outcome("no rule", None, listed.turns[turn].choices[i].rule)
        ending = listed.turns[turn].endings[i]
        winner = {"mover": seat, "opponent": 1 - seat, "draw": None}[ending.result]
        return Outcome("draw" if winner is None else "win", winner, ending.rule)

    @cached_property
    def meanings(self) -> tuple[tuple[str, str, str], ...]:
        """For each number of an end: kind, result for the player who moved, rule."""
        found = []
        for kind, phase, turn, i in self.machine.codes:
            listed = list(self.rules.phases.values())[phase]
            if kind == "short":
                found.append(("no rule", "", listed.turns[turn].choices[i].rule))
            elif kind == "ending":
                found.append(("ending", listed.turns[turn].endings[i].result, listed.turns[turn].endings[i].rule))
            else:
                found.append((kind, "", ""))
        return tuple(found)

    # -- one position at a time ---------------------------------------------------------------------------------------------------

    def listed(self, state: State) -> list[Option]:
        """The options of a position, as the everyday engine lists them."""
        at, rows = self._words(self.pack(state)), (ctypes.c_uint64 * (self.row * ROWS))()
        n = self.options(at, rows, ROWS)
        if n == FULL:
            raise Unsupported("a position has too many options")
        return [self.option(rows[i * self.row : (i + 1) * self.row]) for i in range(n)]

    @staticmethod
    def _words(values: Sequence[int]) -> Any:
        return (ctypes.c_uint64 * len(values))(*values)

    def agrees(self, everyday: Everyday, games: int = TRIED, seed: int = 0, longest: int = LONGEST) -> str | None:
        """Play the same random games as the everyday engine; what differs, or None."""
        rows, picks = (ctypes.c_uint64 * (self.row * ROWS))(), self._words([0] * self.picks)
        for n in range(seed, seed + games):
            state, dice, outcome = everyday.start(), Dice(n), None
            at, after = self._words(self.pack(state)), self._words([0] * self.size)
            for ply in range(longest):
                options = everyday.options[everyday.index[state.phase]](*state.values)
                found, where = self.options(at, rows, ROWS), f"after {ply} plies of the game from seed {n}"
                if found != len(options) or any(rows[i * self.row] != o[0] for i, o in enumerate(options)):
                    return f"the options differ {where}"
                if not options:
                    break
                k, i = dice.below(sum(o[0] for o in options)), 0
                while k >= options[i][0]:
                    k, i = k - options[i][0], i + 1
                move, row = everyday.nth(options[i], k), ctypes.byref(rows, i * self.row * 8)
                self.pick(row, k, picks)
                made = rows[i * self.row + HEAD - 1] + (options[i][5] >= 0)
                if Picks(rows[i * self.row + 1], tuple(self._set(picks, j * self.layout.words) for j in range(made))) != move:
                    return f"the move differs {where}"
                code = self.play(at, row, picks, after)
                state, outcome = everyday.play(state, move)
                if (None if code < 0 else self.outcome(code, state.seat)) != outcome:
                    return f"the outcome differs {where}"
                if outcome is not None:
                    break
                at, after = after, at
            told = outcome is None or outcome.kind != "no rule"
            if told and self.unpack(after if outcome else at) != state:
                return f"the last positions of the games from seed {n} differ"
        return None


class _Steps:
    """Writes the functions of a walk."""

    def __init__(self, walk: Walk) -> None:
        self.w, self.m = walk, walk.machine

    def functions(self) -> list[str]:
        """All of them."""
        phases = range(len(self.m.phases))
        return [
            *(self._options(p) for p in phases),
            *(self._play(p) for p in phases),
            self._by_phase("options", "ptr %at, ptr %rows, i64 %most"),
            self._by_phase("play", "ptr %at, ptr %row, ptr %picks, ptr %after"),
            self._pick(),
        ]

    def _by_phase(self, name: str, takes: str) -> str:
        phases = range(len(self.m.phases))
        cases = " ".join(f"i64 {p}, label %p{p}" for p in phases)
        blocks = "\n".join(f"p{p}:\n  %r{p} = call i64 @{name}_{p}({takes})\n  ret i64 %r{p}" for p in phases)
        return (
            f"define i64 @{name}({takes}) nounwind {{\n  %w = getelementptr i64, ptr %at, i64 {self.w.size - 2}\n"
            f"  %phase = load i64, ptr %w\n  switch i64 %phase, label %p0 [ {cases} ]\n{blocks}\n}}"
        )

    def _word(self, f: Function, base: str, index: str | int) -> str:
        return f.value(f"getelementptr i64, ptr {base}, i64 {index}")

    def _options(self, phase: int) -> str:
        f, m, row = self.m.function(), self.m, self.w.row
        m.load_state(f, "%at")
        f.types |= {"k_rows": "number"}
        f.store("k_rows", Value(None, "0"))

        def append(parts: list[ast.expr]) -> None:
            n, room = f.load("k_rows"), f.fresh("room")
            f.fork(f.compare("sge", n, Value("number", "%most")).text, "full", room, rare=True)
            f.label(room)
            ways, turn, prefix, among, due, freedom = parts
            assert isinstance(prefix, ast.Tuple)
            here = self._word(f, "%rows", f.two("mul", n, Value(None, str(row))).text)
            made = [f.as_(f.expression(p), "set") for p in prefix.elts]
            numbers = [f.as_(f.expression(x), "number") for x in (ways, turn, freedom, due)]
            for i, v in enumerate([*numbers, Value("number", str(len(made)))]):
                f.line(f"store i64 {v.text}, ptr {self._word(f, here, i)}")
            none = Value("set", "0")
            sets = [f.as_(f.expression(among), "set"), *made, *[none] * (self.w.deepest - len(made))]
            for i, s in enumerate(sets):
                f.line(f"store {f.of('set')} {s.text}, ptr {self._word(f, here, HEAD + i * m.layout.words)}, align 8")
            some = f.compare("ne", numbers[0], Value(None, "0"))
            f.store("k_rows", f.two("add", n, Value("number", f.value(f"zext i1 {some.text} to i64"))))

        m.options(f, phase, append)
        f.end(f"ret i64 {f.load('k_rows').text}")
        f.lines.append("full:")
        f.open = True
        f.end(f"ret i64 {FULL}")
        return f.text(f"define internal i64 @options_{phase}(ptr %at, ptr %rows, i64 %most) nounwind")

    def _play(self, phase: int) -> str:
        f, m = self.m.function(), self.m
        m.load_state(f, "%at")
        turns, words = m.phases[phase].turns, m.layout.words
        which = f.value(f"load i64, ptr {self._word(f, '%row', 1)}")
        freedom = f.value(f"load i64, ptr {self._word(f, '%row', 2)}")
        made = f.value(f"load i64, ptr {self._word(f, '%row', HEAD - 1)}")
        seat = f.value(f"load i64, ptr {self._word(f, '%at', self.w.size - 1)}")
        cases = " ".join(f"i64 {t}, label %turn{t}" for t in range(len(turns)))
        f.end(f"switch i64 {which}, label %turn0 [ {cases} ]")

        def kept(values: dict[str, Value], to: int, next_seat: str) -> None:
            m.store_state(f, "%after", values)
            f.line(f"store i64 {to}, ptr {self._word(f, '%after', self.w.size - 2)}")
            f.line(f"store i64 {next_seat}, ptr {self._word(f, '%after', self.w.size - 1)}")

        for t, turn in enumerate(turns):
            f.lines.append(f"turn{t}:")
            f.open = True
            whole, short = f.fresh("whole"), f.fresh("short")
            lacks = f.value(f"icmp slt i64 {made}, {len(turn.choices)}")
            f.fork(f.value(f"and i1 {lacks}, {f.value(f'icmp slt i64 {freedom}, 0')}"), short, whole)
            f.label(short)
            if turn.choices:
                first = m.codes.index(("short", phase, t, 0))
                f.end(f"ret i64 {f.value(f'add i64 {made}, {first}')}")
            else:
                f.end("unreachable")
            f.lines.append(f"{whole}:")
            f.open = True
            for i in range(len(turn.choices)):
                f.types[f"pick_{i}"] = "set"
                at = self._word(f, "%picks", i * words)
                f.store(f"pick_{i}", Value("set", f.value(f"load {f.of('set')}, ptr {at}, align 8")))

            def leave(value: ast.expr, t: int = t) -> None:
                assert isinstance(value, ast.Tuple)
                code, to, passes, values = (*value.elts[:3], value.elts[3])
                assert isinstance(values, ast.Tuple)
                named = {v.name: f.expression(e) for v, e in zip(m.rules.variables, values.elts, strict=True)}
                number = ast.literal_eval(code)
                if number >= 0:
                    kept(named, phase, seat)
                    f.end(f"ret i64 {m.codes.index(('ending', phase, t, number))}")
                    return
                kept(named, ast.literal_eval(to), f.value(f"xor i64 {seat}, 1") if ast.literal_eval(passes) else seat)
                f.end("ret i64 -1")

            f.scope = f.fresh("p")
            f.run(m.functions[f"play_{phase}_{t}"].body, leave=leave)
            if f.open:
                f.end("unreachable")
        return f.text(f"define internal i64 @play_{phase}(ptr %at, ptr %row, ptr %picks, ptr %after) nounwind")

    def _pick(self) -> str:
        f, words = self.m.function(), self.m.layout.words
        kind = f.of("set")
        f.types |= {"t_last": "set"}
        freedom, due, made = (f.value(f"load i64, ptr {self._word(f, '%row', i)}") for i in (2, 3, 4))
        among = f.value(f"load {kind}, ptr {self._word(f, '%row', HEAD)}, align 8")
        for i in range(self.w.deepest):
            moved = f.value(f"load {kind}, ptr {self._word(f, '%row', HEAD + (1 + i) * words)}, align 8")
            f.line(f"store {kind} {moved}, ptr {self._word(f, '%picks', i * words)}, align 8")
        f.line(f"store {kind} 0, ptr {self._word(f, '%picks', self.w.deepest * words)}, align 8")
        some, one, done = f.fresh("some"), f.fresh("one"), f.fresh("done")
        f.store("t_last", Value(None, "0"))
        nothing = f.value(f"or i1 {f.value(f'icmp slt i64 {freedom}, 0')}, {f.value(f'icmp sle i64 {due}, 0')}")
        f.fork(nothing, done, some)
        f.label(some)
        labels = [f.fresh("free") for _ in range(3)]
        plain = f.value(f"and i1 {f.value(f'icmp eq i64 {due}, 1')}, {f.value(f'icmp eq i64 {freedom}, 0')}")
        many = f.fresh("many")
        f.fork(plain, one, many)
        f.label(one)
        f.store("t_last", f.call("nth_site", "set", [Value("set", among), Value("number", "%n")]))
        f.jump(done)
        f.lines.append(f"{many}:")
        f.open = True
        f.end(f"switch i64 {freedom}, label %{labels[0]} [ i64 1, label %{labels[1]} i64 2, label %{labels[2]} ]")
        for i, label in enumerate(labels):
            f.lines.append(f"{label}:")
            f.open = True
            given = [Value("set", among), Value("number", due), Value("number", "%n")]
            f.store("t_last", f.call(f"subset_{i}", "set", given))
            f.jump(done)
        f.lines.append(f"{done}:")
        f.open = True
        empty, keep = f.fresh("none"), f.fresh("keep")
        f.fork(f.value(f"icmp slt i64 {freedom}, 0"), empty, keep)
        f.label(keep)
        at = f.value(f"mul i64 {made}, {words}")
        f.line(f"store {kind} {f.load('t_last').text}, ptr {self._word(f, '%picks', at)}, align 8")
        f.label(empty)
        f.end("ret i64 0")
        return f.text("define i64 @pick(ptr %row, i64 %n, ptr %picks) nounwind")


def agreed(rules: Rules, everyday: Everyday, deepest: int = DEEPEST) -> Walk | str:
    """The compiled steps of a game once they have been tried, or why there are none."""
    try:
        walk = Walk(rules, deepest)
    except ImportError:
        return "llvmlite is not installed (pip install 'lawstone[fast]')"
    except Unsupported as error:
        return str(error)
    tried = Tried("walk", walk.code, everyday.text)
    if not tried:
        wrong = walk.agrees(everyday, longest=300)
        if wrong is not None:
            return f"the compiled kernel is not trusted: {wrong}"
        tried.remember()
    return walk
