"""Games as circuits, ply by ply: is there a game of exactly so many plies at whose end two readings part?

The plies before the last are played under the first reading; the last move is any move that the readings treat differently. Plies
are added one at a time, each asked before the next is played, so that the first yes is a shortest game and each no is a proof
that no game parts so early.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from lawstone.engine.state import Picks, start_state
from lawstone.lower import Rules
from lawstone.prove.ask import Asking
from lawstone.prove.bits import Given, Number
from lawstone.prove.circuit import FALSE
from lawstone.prove.encode import Model, Taken, decode_picks
from lawstone.prove.free import grows, legality, results

CONFLICTS = 400_000


@dataclass(frozen=True)
class Unrolled:
    """What was found: `differ` with the picks of a shortest game, or `none` up to `plies`.

    Plies are counted as in a witness: a difference in what is legal shows after the moves played, one in the result after the
    last move. `none` up to n says that no game of n plies or fewer shows a difference.
    """

    verdict: Literal["differ", "none", "unknown"]
    plies: int
    picks: tuple[tuple[str, Picks], ...] = ()
    gates: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Way:
    """One turn of one phase at one ply, and the literal that says that it is the one."""

    phase: str
    number: int
    chosen: int
    taken: Taken
    twin: Taken


def unroll(
    a: Rules, b: Rules, most: int, seconds: float = 60.0, conflicts: int = CONFLICTS, reasons: bool = False, from_ply: int = 0,
    whole: bool = False,
) -> Unrolled:  # fmt: skip
    """Look for a shortest game at whose end the readings part, up to `most` plies before the last move.

    Plies below `from_ply` are taken as refuted elsewhere, for legal moves and results alike. The readings must be comparable turn
    by turn (`free.comparable`). With `whole` only the answer about all plies is of use: where the time would not suffice for them
    even if none took longer than the last ones did, it stops.
    """
    began = time.process_time()
    past, took = 0.0, [0.0, 0.0]
    model, other = Model(a), Model(b)
    other.circuit = model.circuit
    other.must = model.must
    c = model.circuit
    start = start_state(a)
    asking = Asking(c)
    values: dict[str, Any] = model.constant(start)
    phases: dict[str, int] = {start.phase: 1}
    played: list[list[Way]] = []
    refuted, growing = from_ply - 1, grows(a)
    try:
        for ply in range(most + 1):
            here = list(ways(model, other, b, phases, values, ply))
            one = c.exactly_one([w.chosen for w in here])
            for level in ("legal moves", "result") if ply >= from_ply else ():
                told = [
                    legality(model, w.taken, w.twin) if level == "legal moves" else results(model, w.taken, w.twin, reasons)
                    for w in here
                ]
                parts = c.any(c.both(w.chosen, c.any(t)) for w, t in zip(here, told, strict=True))
                answer = asking.ask([parts, one, *model.must], conflicts)
                plies = ply + (level == "result")
                if answer.verdict == "yes":
                    last = [w for w in here if answer.holds(w.chosen)][:1]
                    line = [next(w for w in p if answer.holds(w.chosen)) for p in played] + last
                    picks = tuple((w.phase, decode_picks(w.number, w.taken, answer.holds)) for w in line)
                    picks = picks[:-1] if level == "legal moves" else picks
                    return Unrolled("differ", plies, picks, c.size, time.process_time() - began)
                if answer.verdict == "no":
                    refuted = plies
                if answer.verdict == "unknown" or time.process_time() - began > seconds:
                    return Unrolled("none" if refuted >= 0 else "unknown", refuted, (), c.size, time.process_time() - began)
            asking.must([*model.must, c.exactly_one([w.chosen for w in here])])
            asking.must(c.implies(w.chosen, c.both(w.taken.legal, c.any(w.taken.following))) for w in here)
            played.append(here)
            spent = time.process_time() - began
            took = [took[1], spent - past]
            past = spent
            if whole and ply >= from_ply and spent + min(took) * (most - ply) > seconds:
                break
            phases, values = after(model, here)
            if not phases:
                break
            if growing:
                asking.must(counted(model, values, ply + 1))
    finally:
        asking.close()
    return Unrolled("none", refuted, (), c.size, time.process_time() - began)


def ways(model: Model, other: Model, b: Rules, phases: dict[str, int], values: dict[str, Any], ply: int) -> Iterator[Way]:
    """Every turn that can be taken at a ply, given the phases that there can be, with its twin under the second reading."""
    for name, here in phases.items():
        partners = {(t.label, t.roles): t for t in b.phases[name].turns}
        for number, turn in enumerate(model.rules.phases[name].turns):
            tag = f"{ply}.{name}.{number}"
            alone = len(phases) == 1 and len(model.rules.phases[name].turns) == 1
            chosen = here if alone else model.circuit.both(here, model.circuit.input(f"{tag}?"))
            taken = model.take(turn, values, tag)
            yield Way(name, number, chosen, taken, other.take(partners[turn.label, turn.roles], values, tag, taken.picks))


def counted(model: Model, values: dict[str, Any], played: int) -> Iterator[int]:
    """How many pieces each player has on the board after so many plies of a game that `grows`: solvers find no such sums."""
    for side, n in {"mine": played // 2, "theirs": (played + 1) // 2}.items():
        size = model.standing(values, side)
        yield size.at_least(n)
        yield -size.at_least(n + 1)


def after(model: Model, taken: list[Way]) -> tuple[dict[str, int], dict[str, Any]]:
    """The phase and the position after a ply, as the next player sees it."""
    c = model.circuit
    cases: list[tuple[int, dict[str, Any]]] = []
    phases: dict[str, list[int]] = {}
    for w in taken:
        for following, goes in zip(w.taken.turn.next, w.taken.following, strict=True):
            literal = c.both(w.chosen, goes)
            if literal == FALSE:
                continue
            phases.setdefault(following.phase, []).append(literal)
            seen = model.seen_by_other(w.taken.after) if following.passes else dict(w.taken.after)
            cases.append((literal, seen))
    if not cases:
        return {}, {}
    values = cases[-1][1]
    for literal, seen in reversed(cases[:-1]):
        values = {n: _choose(model, literal, seen[n], values[n]) for n in values}
    fixed = {n: _settled(model, n, v) for n, v in values.items()}
    return {p: c.any(x) for p, x in phases.items()}, fixed


def _choose(model: Model, literal: int, a: Any, b: Any) -> Any:
    return model.bits.when(literal, a, b)


def _settled(model: Model, name: str, value: Any) -> Any:
    """Numbers are written out up to their declared bound, so that long games do not nest ever deeper rules."""
    if not isinstance(value, Number):
        return value
    high = next(v.high for v in model.rules.variables if v.name == name)
    return Given(model.circuit, [value.at_least(k) for k in range(1, high + 1)])
