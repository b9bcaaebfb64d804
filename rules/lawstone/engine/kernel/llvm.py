"""From the small subset of Python that the emitter writes to LLVM's text, and from there to machine code.

A name has one of three types, told by how it begins: a set of sites (an integer as wide as the board), a number (64 bits) or a
flag (one bit). Every name is a cell of the stack, which LLVM turns into registers. Sets of boards with more than 64 sites are plain
wide integers: LLVM splits them into words and carries shifts across.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Type = Literal["set", "number", "flag"]
BEGINS: dict[str, Type] = {"t": "set", "k": "number", "f": "flag", "pick": "set"}
"""The type of a name by what stands before its first underscore or digit."""


class Unsupported(ValueError):
    """Something that the compiled back end does not do; the emitted Python serves instead."""


@dataclass(frozen=True)
class Value:
    """A typed value in LLVM's text; a literal, and a choice between two (`choice`), has no type until it meets one."""

    type: Type | None
    text: str
    choice: tuple[Value, Value, Value] | None = None


class Function:
    """One function of LLVM's text while it is written."""

    def __init__(self, bits: int, types: dict[str, Type]) -> None:
        self.bits, self.types = bits, types
        self.cells: dict[str, str] = {}
        self.head: list[str] = []
        self.lines: list[str] = []
        self.number = 0
        self.open = True
        self.lists: dict[str, ast.Call] = {}
        self.through: Callable[[int], Value] | None = None
        """What an ending that is tested along lines means where a turn is played, by its number."""
        self.scope = ""

    # -- text ---------------------------------------------------------------------------------------------------------------------

    def of(self, type_: Type | None) -> str:
        """LLVM's name of a type."""
        return {"set": f"i{self.bits}", "number": "i64", "flag": "i1", None: "i64"}[type_]

    def fresh(self, kind: str = "x") -> str:
        """A name that is not yet used."""
        self.number += 1
        return f"{kind}{self.number}"

    def line(self, text: str) -> None:
        """Add an instruction; what follows a jump is never reached and is left out."""
        if self.open:
            self.lines.append("  " + text)

    def value(self, text: str) -> str:
        """Add an instruction that gives a value."""
        name = "%" + self.fresh()
        self.line(f"{name} = {text}")
        return name

    def label(self, name: str) -> None:
        """Begin a block; the one before falls through to it."""
        self.jump(name)
        self.lines.append(f"{name}:")
        self.open = True

    def jump(self, label: str) -> None:
        """End the block by going to another."""
        self.line(f"br label %{label}")
        self.open = False

    def fork(self, flag: str, yes: str, no: str, rare: bool = False) -> None:
        """End the block by going to one of two others."""
        self.line(f"br i1 {flag}, label %{yes}, label %{no}" + (", !prof !0" if rare else ""))
        self.open = False

    def end(self, text: str) -> None:
        """End the block by a return."""
        self.line(text)
        self.open = False

    # -- names --------------------------------------------------------------------------------------------------------------------

    def type_of(self, name: str) -> Type:
        """The type of a name."""
        if name in self.types:
            return self.types[name]
        head = name.partition("_")[0].rstrip("0123456789")
        return BEGINS[head]

    def cell(self, name: str) -> tuple[str, Type]:
        """The cell of a name, made when it is first met."""
        type_ = self.type_of(name)
        key = name if name in self.types else f"{self.scope}{name}"
        if key not in self.cells:
            self.cells[key] = f"%{self.fresh('c')}"
            self.head.append(f"  {self.cells[key]} = alloca {self.of(type_)}")
        return self.cells[key], type_

    def load(self, name: str) -> Value:
        """The value of a name."""
        cell, type_ = self.cell(name)
        return Value(type_, self.value(f"load {self.of(type_)}, ptr {cell}"))

    def store(self, name: str, value: Value) -> None:
        """Give a name a value."""
        cell, type_ = self.cell(name)
        self.line(f"store {self.of(type_)} {self.as_(value, type_).text}, ptr {cell}")

    # -- expressions --------------------------------------------------------------------------------------------------------------

    def as_(self, value: Value, type_: Type | None) -> Value:
        """A value as a type: only literals have none of their own."""
        if value.choice is not None:
            flag, a, b = value.choice
            kind = self.of(type_)
            a, b = self.as_(a, type_), self.as_(b, type_)
            return Value(type_, self.value(f"select i1 {self.as_(flag, 'flag').text}, {kind} {a.text}, {kind} {b.text}"))
        if value.type is None:
            number = int(value.text)
            width = {"set": self.bits, "number": 64, "flag": 1, None: 64}[type_]
            return Value(type_, str(number if number < 0 else number & ((1 << width) - 1)))
        if value.type != type_:
            raise TypeError(f"a {value.type} stands where a {type_} is due")
        return value

    def two(self, op: str, a: Value, b: Value) -> Value:
        """An operation on two values of one type."""
        if a.type is None and b.type is None and not a.choice and not b.choice:
            x, y = int(a.text), int(b.text)
            return Value(None, str({"or": x | y, "and": x & y, "xor": x ^ y, "add": x + y, "sub": x - y, "mul": x * y}[op]))
        type_ = a.type or b.type or ("set" if op in ("or", "and", "xor") else "number")
        return Value(type_, self.value(f"{op} {self.of(type_)} {self.as_(a, type_).text}, {self.as_(b, type_).text}"))

    def compare(self, op: str, a: Value, b: Value) -> Value:
        """A comparison of two values of one type."""
        type_ = a.type or b.type or ("set" if op == "ne" else "number")
        return Value("flag", self.value(f"icmp {op} {self.of(type_)} {self.as_(a, type_).text}, {self.as_(b, type_).text}"))

    def select(self, flag: Value, a: Value, b: Value) -> Value:
        """One of two values."""
        chosen = Value(None, "", (flag, a, b))
        type_ = a.type or b.type
        return self.as_(chosen, type_) if type_ else chosen

    def count(self, value: Value) -> Value:
        """The size of a set."""
        kind = f"i{self.bits}"
        found = self.value(f"call {kind} @llvm.ctpop.{kind}({kind} {self.as_(value, 'set').text})")
        return Value("number", found if self.bits == 64 else self.value(f"trunc {kind} {found} to i64"))

    def call(self, name: str, type_: Type, arguments: Sequence[Value]) -> Value:
        """A call of a helper."""
        listed = ", ".join(f"{self.of(a.type)} {a.text}" for a in arguments)
        return Value(type_, self.value(f"call {self.of(type_)} @{name}({listed})"))

    def expression(self, node: ast.expr) -> Value:
        """The value of an expression."""
        e = self.expression
        match node:
            case ast.Constant(value=bool(b)):
                return Value("flag", str(int(b)))
            case ast.Constant(value=int(n)):
                return Value(None, str(n))
            case ast.Name(id=name):
                return self.load(name)
            case ast.BinOp(op=ast.BitAnd(), left=left, right=ast.UnaryOp(op=ast.Invert(), operand=right)):
                kept = e(left)
                return self.two("and", kept, self.two("xor", e(right), Value("set", "-1")))
            case ast.BinOp(op=(ast.LShift() | ast.RShift()) as op, left=left, right=right):
                moved, by = self.as_(e(left), "set"), int(e(right).text)
                if by >= self.bits:
                    return Value("set", "0")
                return self.two("shl" if isinstance(op, ast.LShift) else "lshr", moved, Value(None, str(by)))
            case ast.BinOp(op=op, left=left, right=right):
                return self.two(_BINARY[type(op)], e(left), e(right))
            case ast.UnaryOp(op=ast.USub(), operand=a):
                inner = e(a)
                return (
                    Value(None, str(-int(inner.text)))
                    if inner.type is None and not inner.choice
                    else self.two("sub", Value(None, "0"), inner)
                )
            case ast.UnaryOp(op=ast.Not(), operand=a):
                return self.two("xor", self.truth(a), Value("flag", "1"))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.compare(_COMPARED[type(op)], e(left), e(right))
            case ast.BoolOp(op=op, values=values):
                found = self.truth(values[0])
                for v in values[1:]:
                    found = self.two("and" if isinstance(op, ast.And) else "or", found, self.truth(v))
                return found
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.select(self.truth(test), e(body), e(orelse))
            case ast.Call(func=ast.Attribute(value=a, attr="bit_count")):
                return self.count(e(a))
            case ast.Call(func=ast.Name(id=("min" | "max") as which), args=[a, b]):
                x, y = (self.as_(e(v), "number") for v in (a, b))
                return Value("number", self.value(f"call i64 @llvm.s{which}.i64(i64 {x.text}, i64 {y.text})"))
            case ast.Call(func=ast.Name(id="ways"), args=[there, due, ast.Constant(value=int(freedom))]):
                return self.call(f"ways_{freedom}", "number", [self.as_(e(there), "number"), self.as_(e(due), "number")])
            case ast.Call(func=ast.Name(id="flood"), args=[seed, through, moves]):
                return self.flood(e(seed), e(through), ast.literal_eval(moves))
            case ast.Call(func=ast.Name(id="fill"), args=[seed, over, ast.Constant(value=str(way))]):
                both = [self.as_(e(a), "set") for a in (seed, over)]
                return self.call(f"fill_{way.replace(' ', '_')}", "set", both)
            case ast.Call(func=ast.Name(id="through"), args=[ast.Constant(value=int(ending))]) if self.through is not None:
                return self.through(ending)
            case ast.Call(func=ast.Name(id="held"), args=[whole, ast.Constant(value=int(table))]):
                return self.call(f"held_{table}", "set", [self.as_(e(whole), "set")])
            case ast.Call(func=ast.Name(id="worth"), args=[site, whole, ast.Constant(value=int(table))]):
                return self.call(f"worth_{table}", "number", [self.as_(e(a), "set") for a in (site, whole)])
            case ast.Call(func=ast.Name(id=name), args=given):
                types, gives = HELPERS[name]
                return self.call(name, gives, [self.as_(e(a), t) for a, t in zip(given, types, strict=True)])
        raise Unsupported(ast.unparse(node))

    def truth(self, node: ast.expr) -> Value:
        """Whether an expression holds: a set that has members, a number that is not zero."""
        if isinstance(node, ast.Name) and node.id in self.lists:
            call = self.lists[node.id]
            there, due = self.count(self.expression(call.args[0])), self.as_(self.expression(call.args[1]), "number")
            freedom = ast.literal_eval(call.args[2])
            return self.compare("ne", self.call(f"ways_{freedom}", "number", [there, due]), Value(None, "0"))
        value = self.expression(node)
        return value if value.type == "flag" else self.compare("ne", value, Value(None, "0"))

    def shifted(self, value: Value, moves: Sequence[tuple[int, int, bool, bool]]) -> Value:
        """A set moved one step in a direction."""
        found: Value = Value("set", "0")
        for shift, sources, _, _ in moves:
            cut = self.two("and", value, Value(None, str(sources)))
            moved = self.two("shl" if shift > 0 else "lshr", cut, Value(None, str(abs(shift))))
            found = moved if found.text == "0" else self.two("or", found, moved)
        return found

    def flood(self, seed: Value, through: Value, directions: Sequence[Sequence[tuple[int, int, bool, bool]]]) -> Value:
        """All of a set that is reached from a seed: a loop until nothing is added."""
        names = [f"t_{self.fresh('flood')}" for _ in range(3)]
        reached, front, over = names
        self.store(over, through)
        self.store(reached, Value(None, "0"))
        self.store(front, self.two("and", seed, through))
        again, body, done = self.fresh("again"), self.fresh("body"), self.fresh("done")
        self.label(again)
        self.fork(self.compare("ne", self.load(front), Value(None, "0")).text, body, done)
        self.label(body)
        now = self.load(front)
        known = self.two("or", self.load(reached), now)
        self.store(reached, known)
        on = self.shifted(now, directions[0])
        for moves in directions[1:]:
            on = self.two("or", on, self.shifted(now, moves))
        left = self.two("and", self.load(over), self.two("xor", known, Value("set", "-1")))
        self.store(front, self.two("and", on, left))
        self.jump(again)
        self.label(done)
        return self.load(reached)

    # -- statements ---------------------------------------------------------------------------------------------------------------

    def run(self, body: Sequence[ast.stmt], append: Append | None = None, leave: Leave | None = None) -> None:
        """Write statements; `append` writes what an option means here, `leave` what a return means."""
        for statement in body:
            match statement:
                case ast.Expr(value=ast.Constant()):
                    pass
                case ast.Assign(targets=[ast.Name(id="found")]):
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="subsets")) as call):
                    self.lists[name] = call
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.store(name, self.expression(value))
                case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                    self.store(name, self.two(_BINARY[type(op)], self.load(name), self.expression(value)))
                case ast.If(test=test, body=yes, orelse=no):
                    self._if(test, yes, no, append, leave)
                case ast.While(test=test, body=inner):
                    again, body_, done = self.fresh("again"), self.fresh("body"), self.fresh("done")
                    self.label(again)
                    self.fork(self.truth(test).text, body_, done)
                    self.label(body_)
                    self.run(inner, append, leave)
                    self.jump(again)
                    self.label(done)
                case ast.For(target=ast.Name(id=name), iter=ast.Name(id=listed), body=inner):
                    self._subsets(name, self.lists[listed], inner, append, leave)
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append" | "spread"), args=[ast.Tuple(elts=parts)])) if append:
                    append(parts)
                case ast.Return(value=ast.expr() as value):
                    if leave is not None and not (isinstance(value, ast.Name) and value.id == "found"):
                        leave(value)
                case _:
                    raise Unsupported(ast.unparse(statement))

    def _if(self, test: ast.expr, yes: list[ast.stmt], no: list[ast.stmt], append: Append | None, leave: Leave | None) -> None:
        listed = append and not no and _listed_if_some(test, yes)
        if append and listed:
            # an option without ways is listed without a branch that nobody can foretell, and counts for nothing
            append(listed)
            return
        then, other, done = self.fresh("then"), self.fresh("else"), self.fresh("done")
        self.fork(self.truth(test).text, then, other if no else done)
        self.label(then)
        self.run(yes, append, leave)
        self.jump(done)
        if no:
            self.label(other)
            self.run(no, append, leave)
            self.jump(done)
        self.label(done)

    def _subsets(self, name: str, call: ast.Call, inner: list[ast.stmt], append: Append | None, leave: Leave | None) -> None:
        """A loop over the sets that may be picked, by number, each made from the one before."""
        freedom = ast.literal_eval(call.args[2])
        among, due, left, index = (f"{k}_{self.fresh('subset')}" for k in ("t", "k", "k", "k"))
        self.store(among, self.as_(self.expression(call.args[0]), "set"))
        self.store(due, self.as_(self.expression(call.args[1]), "number"))
        self.store(left, self.call(f"ways_{freedom}", "number", [self.count(self.load(among)), self.load(due)]))
        self.store(index, Value(None, "0"))
        self.types[name] = "set"
        again, body, done = self.fresh("again"), self.fresh("body"), self.fresh("done")
        self.label(again)
        self.fork(self.compare("slt", self.load(index), self.load(left)).text, body, done)
        self.label(body)
        self.store(name, Value(None, "0"))
        some, ready = self.fresh("some"), self.fresh("ready")
        self.fork(self.compare("eq", self.load(due), Value(None, "0")).text, ready, some)
        self.label(some)
        self.store(name, self.call(f"subset_{freedom}", "set", [self.load(among), self.load(due), self.load(index)]))
        self.label(ready)
        self.run(inner, append, leave)
        self.store(index, self.two("add", self.load(index), Value(None, "1")))
        self.jump(again)
        self.label(done)

    def text(self, head: str) -> str:
        """The whole function."""
        return "\n".join([f"{head} {{", "entry:", *self.head, *self.lines, "}"])


Append = Callable[[list[ast.expr]], None]
Leave = Callable[[ast.expr], None]


def _listed_if_some(test: ast.expr, body: list[ast.stmt]) -> list[ast.expr] | None:
    """The parts of an option that is listed if it can be made in some way, and nothing else happens."""
    match body:
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[ast.Tuple(elts=[ast.Name(id=ways), *_] as parts)]))]:
            return parts if isinstance(test, ast.Name) and test.id == ways else None
    return None


_BINARY: dict[type[ast.operator], str] = {
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge",
}  # fmt: skip

HELPERS: dict[str, tuple[tuple[Type, ...], Type]] = {
    "binomial": (("number", "number"), "number"),
    "nth_site": (("set", "number"), "set"),
    "subset_0": (("set", "number", "number"), "set"),
    "subset_1": (("set", "number", "number"), "set"),
    "subset_2": (("set", "number", "number"), "set"),
    "ways_0": (("number", "number"), "number"),
    "ways_1": (("number", "number"), "number"),
    "ways_2": (("number", "number"), "number"),
}
"""What the helpers take and give."""

HELPER_TEXT = '''
def subset_0(t_among, k_due, k_n):
    """The n-th set of so many sites, in lexicographic order of its sites."""
    if k_due == 1:
        return nth_site(t_among, k_n)
    t_found = 0
    k_left = (t_among).bit_count()
    while k_due > 0:
        t_bit = t_among & -t_among
        t_among ^= t_bit
        k_left -= 1
        k_with = binomial(k_left, k_due - 1)
        if k_n < k_with:
            t_found |= t_bit
            k_due -= 1
        else:
            k_n -= k_with
    return t_found


def subset_1(t_among, k_due, k_n):
    """The n-th set of up to so many sites, small ones first."""
    k_size = 0
    k_there = (t_among).bit_count()
    k_here = 1
    while k_n >= k_here:
        k_n -= k_here
        k_size += 1
        k_here = binomial(k_there, k_size)
    return subset_0(t_among, k_size, k_n)


def subset_2(t_among, k_due, k_n):
    """No site, or the n-th set of so many."""
    if k_n == 0:
        return 0
    return subset_0(t_among, k_due, k_n - 1)


def ways_0(k_there, k_due):
    """In how many ways so many can be picked."""
    return binomial(k_there, k_due)


def ways_1(k_there, k_due):
    """In how many ways up to so many can be picked."""
    k_sum = 0
    k_size = 0
    while k_size <= min(k_there, k_due):
        k_sum += binomial(k_there, k_size)
        k_size += 1
    return k_sum


def ways_2(k_there, k_due):
    """In how many ways none or so many can be picked."""
    return 1 if k_due <= 0 else 1 + binomial(k_there, k_due)
'''
"""Helpers in the same subset of Python."""
