"""Dice thrown ahead: many numbers at once where it is known how many moves there will be to choose from at each ply.

A kept legal set loses one site a ply, so that the numbers to be drawn next are remainders by `total`, `total - 1` and so on; and
the words of SplitMix64 are functions of a counter. A block of them is made by vector instructions, and they are the same words and
the same remainders as those of `Dice`. Where one of a block would be thrown away, its numbers are made again one by one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING

from lawstone.engine.kernel.layout import WORD
from lawstone.engine.kernel.llvm import Function, Value

if TYPE_CHECKING:
    from lawstone.engine.kernel.machine import Machine

GOLDEN = 0x9E3779B97F4A7C15
STIRRED = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
LAST = 31
"""SplitMix64: the step of its counter, its two shifts with a product each, and the shift at the end."""
_BASE = 0x4330000000000000
"""The bits of 2^52 as a double: below it a whole number laid into them is the sum of both."""


class Ahead:
    """Writes how a block of numbers is drawn and read.

    `k_origin` is the dice's counter for a total of nothing: a total of n is drawn by the word `k_origin - n * GOLDEN`.
    """

    def __init__(self, machine: Machine, function: Function) -> None:
        self.m, self.f = machine, function
        self.block = 32 if machine.rules.board.size > WORD else 16
        """Numbers that are drawn together: those for totals that differ in their last bits only."""
        self.kind, self.real = f"<{self.block} x i64>", f"<{self.block} x double>"
        self.shift = "<" + ", ".join([f"double 0x{_BASE:x}"] * self.block) + ">"
        self.spread = machine.layout.words > 1 and machine.lane_bits == WORD
        """Whether the number drawn is read in all lanes of the kept counts."""

    def all(self, value: int) -> str:
        """A block of one number."""
        return "<" + ", ".join([f"i64 {value}"] * self.block) + ">"

    def head(self) -> None:
        """The cells that a function needs."""
        self.f.head += [f"  %ahead_of = alloca [2 x {self.kind}], align 64"]
        self.f.types |= {"k_over": "number", "k_origin": "number"}

    def tables(self) -> str:
        """For each total the remainder of 2^32 by it, and its reciprocal."""
        n = self.m.rules.board.size // self.block * self.block + self.block
        rest = ", ".join(f"i64 {2**32 % max(1, u)}" for u in range(n))
        share = ", ".join(f"double 0x{struct.pack('>d', 1 / max(1, u)).hex()}" for u in range(n))
        return (
            f"@rest_of = internal constant [{n} x i64] [{rest}], align 64\n"
            f"@share_of = internal constant [{n} x double] [{share}], align 64"
        )

    def throw(self, total: Value, first: Value) -> None:
        """Draw the numbers for `total` and for all lesser totals of its block, in a stretch that began with `first`."""
        f = self.f
        base = f.value(f"and i64 {total.text}, {-self.block}")
        slots = "<" + ", ".join(f"i64 {i}" for i in range(self.block)) + ">"
        steps = "<" + ", ".join(f"i64 {i * GOLDEN % 2**64}" for i in range(self.block)) + ">"
        counter = f.value(f"sub i64 {f.load('k_origin').text}, {f.value(f'mul i64 {base}, {GOLDEN}')}")
        z = f.value(f"sub {self.kind} {self._spread(counter)}, {steps}")
        for shift, factor in STIRRED:
            z = f.value(f"xor {self.kind} {z}, {f.value(f'lshr {self.kind} {z}, {self.all(shift)}')}")
            z = f.value(f"mul {self.kind} {z}, {self.all(factor)}")
        z = f.value(f"xor {self.kind} {z}, {f.value(f'lshr {self.kind} {z}, {self.all(LAST)}')}")
        by = f.value(f"or {self.kind} {self._spread(base)}, {slots}")
        near = f.value(f"icmp ugt {self.kind} {z}, {f.value(f'xor {self.kind} {by}, {self.all(-1)}')}")
        rest = self._row("rest_of", "i64", base)
        # the word is congruent to its upper half times the remainder of 2^32, and its lower half
        high = f.value(f"mul {self.kind} {f.value(f'lshr {self.kind} {z}, {self.all(32)}')}, {rest}")
        whole = f.value(f"add {self.kind} {high}, {f.value(f'and {self.kind} {z}, {self.all(2**32 - 1)}')}")
        real = f.value(f"bitcast {self.kind} {f.value(f'or {self.kind} {whole}, {self.all(_BASE)}')} to {self.real}")
        part = f.value(
            f"fmul {self.real} {f.value(f'fsub {self.real} {real}, {self.shift}')}, {self._row('share_of', 'double', base)}"
        )
        near_part = f.value(f"bitcast {self.real} {f.value(f'fadd {self.real} {part}, {self.shift}')} to {self.kind}")
        times = f.value(f"and {self.kind} {near_part}, {self.all(2**32 - 1)}")
        left = f.value(f"sub {self.kind} {whole}, {f.value(f'mul {self.kind} {times}, {by}')}")
        below = f.value(f"icmp slt {self.kind} {left}, {self.all(0)}")
        found = f.value(
            f"select <{self.block} x i1> {below}, {self.kind} {f.value(f'add {self.kind} {left}, {by}')}, {self.kind} {left}"
        )
        none = f.value(f"icmp ult {self.kind} {found}, {by}")
        found = f.value(f"select <{self.block} x i1> {none}, {self.kind} {found}, {self.kind} {self.all(0)}")
        if self.spread:
            found = self._laned(found, f.value(f"sub {self.kind} {self._spread(first.text)}, {by}"), self.kind, self.all)
        half = f.value(f"getelementptr i64, ptr %ahead_of, i64 {f.value(f'and i64 {base}, {self.block}')}")
        f.line(f"store {self.kind} {found}, ptr {half}, align 64")
        alone, on = f.fresh("alone"), f.fresh("on")
        flags = f.value(f"bitcast <{self.block} x i1> {near} to i{self.block}")
        f.fork(f.value(f"icmp ne i{self.block} {flags}, 0"), alone, on, rare=True)
        f.label(alone)
        self._one_by_one(total, base, first)
        f.label(on)

    def _laned(self, found: str, gone: str, kind: str, all_: Callable[[int], str]) -> str:
        """A number in all lanes; from the second on with the lanes' top bits, and as many more as draws have gone before."""
        f, m = self.f, self.m
        more = f.value(f"mul {kind} {f.value(f'add {kind} {found}, {gone}')}, {all_(m.in_lanes(1))}")
        tops = f.value(f"add {kind} {more}, {all_(m.in_lanes(1 << m.lane - 1, 1))}")
        return f.value(f"sub {kind} {tops}, {gone}")

    def _one_by_one(self, total: Value, base: str, first: Value) -> None:
        """The numbers of a block as `Dice` draws them, from the greatest total down; each draw thrown away moves the counter."""
        f = self.f
        f.store("k_over", total)
        again, kept, thrown, judged, done = (f.fresh(k) for k in ("again", "kept", "thrown", "judged", "done"))
        f.label(again)
        over = f.load("k_over").text
        f.fork(f.value(f"icmp eq i64 {over}, 0"), done, judged)
        f.label(judged)
        z = f.value(f"sub i64 {f.load('k_origin').text}, {f.value(f'mul i64 {over}, {GOLDEN}')}")
        for shift, factor in STIRRED:
            shifted = f.value(f"lshr i64 {z}, {shift}")
            z = f.value(f"mul i64 {f.value(f'xor i64 {z}, {shifted}')}, {factor}")
        z = f.value(f"xor i64 {z}, {f.value(f'lshr i64 {z}, {LAST}')}")
        left = f.value(f"urem i64 {z}, {over}")
        # the multiple of the total that is below the word, and one total more, must fit into a word
        multiple = f.value(f"sub i64 {z}, {left}")
        f.fork(f.value(f"icmp ugt i64 {multiple}, {f.value(f'sub i64 0, {over}')}"), thrown, kept, rare=True)
        f.label(thrown)
        f.store("k_origin", f.two("add", f.load("k_origin"), Value(None, str(GOLDEN))))
        f.jump(again)
        f.lines.append(f"{kept}:")
        f.open = True
        slot = f.value(f"getelementptr i64, ptr %ahead_of, i64 {f.value(f'and i64 {over}, {2 * self.block - 1}')}")
        laned = left
        if self.spread:
            laned = self._laned(left, f.value(f"sub i64 {first.text}, {over}"), "i64", str)
        f.line(f"store i64 {laned}, ptr {slot}")
        f.store("k_over", Value("number", f.value(f"sub i64 {over}, 1")))
        f.fork(f.value(f"icmp eq i64 {over}, {base}"), done, again)
        f.lines.append(f"{done}:")
        f.open = True

    def drawn(self, slot: str) -> str:
        """The number drawn for the total that has this place among those of two blocks."""
        f = self.f
        return f.value(f"load i64, ptr {f.value(f'getelementptr i64, ptr %ahead_of, i64 {slot}')}")

    def _spread(self, value: str) -> str:
        f = self.f
        one = f.value(f"insertelement {self.kind} poison, i64 {value}, i32 0")
        return f.value(f"shufflevector {self.kind} {one}, {self.kind} poison, <{self.block} x i32> zeroinitializer")

    def _row(self, table: str, kind: str, base: str) -> str:
        at = self.f.value(f"getelementptr {kind}, ptr @{table}, i64 {base}")
        return self.f.value(f"load <{self.block} x {kind}>, ptr {at}, align 64")
