"""Loops that are the same for all games: written in the subset of Python, on numbers and memory, and compiled once a process.

Such a loop is given one address: a card, on which its fields stand, a word each. A name that does not begin with `k_` is the
number of a field. The steps of a game (`walk`) are called through their addresses.
"""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from lawstone.engine.kernel.layout import WORD
from lawstone.engine.kernel.llvm import Function, Type, Value

MEMORY = """
define internal i64 @at(i64 %p, i64 %i) alwaysinline nounwind {
  %q = inttoptr i64 %p to ptr
  %r = getelementptr i64, ptr %q, i64 %i
  %v = load i64, ptr %r
  ret i64 %v
}
define internal i64 @put(i64 %p, i64 %i, i64 %v) alwaysinline nounwind {
  %q = inttoptr i64 %p to ptr
  %r = getelementptr i64, ptr %q, i64 %i
  store i64 %v, ptr %r
  ret i64 %v
}
define internal i64 @options(i64 %f, i64 %at, i64 %rows, i64 %most) alwaysinline nounwind {
  %g = inttoptr i64 %f to ptr
  %v = call i64 %g(i64 %at, i64 %rows, i64 %most)
  ret i64 %v
}
define internal i64 @pick(i64 %f, i64 %row, i64 %n, i64 %picks) alwaysinline nounwind {
  %g = inttoptr i64 %f to ptr
  %v = call i64 %g(i64 %row, i64 %n, i64 %picks)
  ret i64 %v
}
define internal i64 @play(i64 %f, i64 %at, i64 %row, i64 %picks, i64 %after) alwaysinline nounwind {
  %g = inttoptr i64 %f to ptr
  %v = call i64 %g(i64 %at, i64 %row, i64 %picks, i64 %after)
  ret i64 %v
}
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define internal i64 @ones(i64 %w) alwaysinline nounwind {
  %v = call i64 @llvm.ctpop.i64(i64 %w)
  ret i64 %v
}
define internal i64 @lowest(i64 %w) alwaysinline nounwind {
  %v = call i64 @llvm.cttz.i64(i64 %w, i1 false)
  ret i64 %v
}
define internal i64 @under(i64 %a, i64 %b) alwaysinline nounwind {
  %l = icmp ult i64 %a, %b
  %v = zext i1 %l to i64
  ret i64 %v
}
define internal i64 @high(i64 %w, i64 %n) alwaysinline nounwind {
  %v = lshr i64 %w, %n
  ret i64 %v
}
define internal i64 @whole(i64 %a, i64 %b) alwaysinline nounwind {
  %v = udiv i64 %a, %b
  ret i64 %v
}
define internal i64 @rest(i64 %a, i64 %b) alwaysinline nounwind {
  %v = urem i64 %a, %b
  ret i64 %v
}
define internal i64 @copy(i64 %to, i64 %from, i64 %words) alwaysinline nounwind {
  %t = inttoptr i64 %to to ptr
  %f = inttoptr i64 %from to ptr
  %n = mul i64 %words, 8
  call void @llvm.memmove.p0.p0.i64(ptr %t, ptr %f, i64 %n, i1 false)
  ret i64 0
}
define internal i64 @same(i64 %a, i64 %b, i64 %words) nounwind {
start:
  %p = inttoptr i64 %a to ptr
  %q = inttoptr i64 %b to ptr
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %j, %on ]
  %more = icmp slt i64 %i, %words
  br i1 %more, label %look, label %yes
look:
  %x = getelementptr i64, ptr %p, i64 %i
  %y = getelementptr i64, ptr %q, i64 %i
  %u = load i64, ptr %x
  %v = load i64, ptr %y
  %e = icmp eq i64 %u, %v
  br i1 %e, label %on, label %no
on:
  %j = add i64 %i, 1
  br label %head
yes:
  ret i64 1
no:
  ret i64 0
}
define internal i64 @below(i64 %dice, i64 %n) nounwind {
start:
  %p = inttoptr i64 %dice to ptr
  %m = sub i64 0, %n
  %over = urem i64 %m, %n
  %limit = sub i64 0, %over
  %none = icmp eq i64 %over, 0
  br label %again
again:
  %s = load i64, ptr %p
  %t = add i64 %s, -7046029254386353131
  store i64 %t, ptr %p
  %a1 = lshr i64 %t, 30
  %a2 = xor i64 %t, %a1
  %a3 = mul i64 %a2, -4658895280553007687
  %b1 = lshr i64 %a3, 27
  %b2 = xor i64 %a3, %b1
  %b3 = mul i64 %b2, -7723592293110705685
  %c1 = lshr i64 %b3, 31
  %z = xor i64 %b3, %c1
  %under = icmp ult i64 %z, %limit
  %ok = or i1 %none, %under
  br i1 %ok, label %out, label %again
out:
  %r = urem i64 %z, %n
  ret i64 %r
}
"""
"""What loops do to memory, numbers and the steps of the readings."""


_NUMBER: Type = "number"
_TAKES = {
    "at": 2, "put": 3, "options": 4, "pick": 4, "play": 5, "ones": 1, "lowest": 1, "rest": 2, "copy": 3, "same": 3, "below": 2,
    "under": 2, "high": 2, "whole": 2,
}  # fmt: skip


class _Loop(Function):
    """A function of a loop: names of fields are their numbers, and every call gives a number."""

    def __init__(self, fields: Sequence[str], takes: Mapping[str, int]) -> None:
        super().__init__(WORD, {})
        self.fields, self.takes = fields, takes

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        if isinstance(node, ast.Name) and node.id in self.fields:
            return Value(None, str(self.fields.index(node.id)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self.takes:
            given = [self.as_(self.expression(a), _NUMBER) for a in node.args]
            if len(given) != self.takes[node.func.id]:
                raise TypeError(f"{node.func.id} takes {self.takes[node.func.id]} numbers")
            return self.call(node.func.id, _NUMBER, given)
        return super().expression(node)

    def run(self, body: Any, append: Any = None, leave: Any = None) -> None:
        """Write statements; a call alone is one."""
        for statement in body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                self.expression(statement.value)
            else:
                super().run([statement], append, leave)


def loop_text(text: str, fields: Sequence[str]) -> str:
    """A loop in LLVM's text; its last function is the one that can be called."""
    definitions = [d for d in ast.parse(text).body if isinstance(d, ast.FunctionDef)]
    takes = _TAKES | {d.name: len(d.args.args) for d in definitions}
    parts = [MEMORY]
    for definition in definitions:
        f = _Loop(fields, takes)
        names = [a.arg for a in definition.args.args]
        for name in names:
            f.store(name, Value(_NUMBER, f"%{name}"))

        def leave(value: ast.expr, f: _Loop = f) -> None:
            f.end(f"ret i64 {f.as_(f.expression(value), _NUMBER).text}")

        f.run(definition.body, leave=leave)
        if f.open:
            f.end("unreachable")
        listed = ", ".join(f"i64 %{n}" for n in names)
        kind = "define" if definition is definitions[-1] else "define internal"
        parts.append(f.text(f"{kind} i64 @{definition.name}({listed}) nounwind"))
    return "\n".join(parts)


@cache
def loop(text: str, fields: tuple[str, ...], name: str) -> Callable[..., int]:
    """A compiled loop, to be called with the address of its card."""
    from lawstone.engine.kernel import native

    return native.compiled(loop_text(text, fields), 2).function(name, [ctypes.c_int64])


def address(function: Any) -> int:
    """Where a compiled function is."""
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)
