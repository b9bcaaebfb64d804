"""A question as standard SMT-LIB 2 text: Booleans only (QF_UF), a definition for each gate, so that any SMT solver reads it."""

from __future__ import annotations

from collections.abc import Iterable

from lawstone.prove.circuit import Circuit


def smtlib(circuit: Circuit, asserted: Iterable[int], about: str = "") -> str:
    """The text that asks whether all asserted literals can hold; gates are defined before they are used."""
    roots = list(dict.fromkeys(asserted))
    cone = [g for g in circuit.cone(roots) if circuit.kinds[g] != "true"]
    used: dict[str, int] = {}
    symbol: dict[int, str] = {1: "true"}
    lines = [f"; {' '.join(about.split())}"] if about else []
    lines += ["(set-logic QF_UF)"]
    for g in cone:
        if circuit.kinds[g] == "input":
            symbol[g] = _symbol(circuit.names.get(g, f"input {g}"), used)
            lines.append(f"(declare-const {symbol[g]} Bool)")
    for g in cone:
        if circuit.kinds[g] != "input":
            symbol[g] = f"g{g}"
            lines.append(f"(define-fun g{g} () Bool {_body(circuit, g, symbol)})")
    lines += [f"(assert {_literal(r, symbol)})" for r in roots]
    return "\n".join([*lines, "(check-sat)", ""])


def _symbol(name: str, used: dict[str, int]) -> str:
    """A quoted symbol; two inputs of one name are told apart by a number."""
    plain = "".join("_" if c in "|\\" or not c.isprintable() else c for c in name)
    used[plain] = used.get(plain, 0) + 1
    return f"|{plain}|" if used[plain] == 1 else f"|{plain} #{used[plain]}|"


def _literal(x: int, symbol: dict[int, str]) -> str:
    return symbol[x] if x > 0 else f"(not {symbol[-x]})"


def _body(circuit: Circuit, g: int, symbol: dict[int, str]) -> str:
    operands = " ".join(_literal(x, symbol) for x in circuit.operands[g])
    return f"({circuit.kinds[g]} {operands})"
