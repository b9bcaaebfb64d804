"""Certificates: a formula and a proof that it has no solution, as files that programs other than this one can re-check.

A formula is numbered densely in the order in which its question needs the gates, so that it depends on the question alone. Of a
contradiction its core is kept, a subset of the formula's clauses, with a hinted proof (LRAT). All certificates of a claim lie in
one archive, `proofs/<game>/certificates/<claim>.zip`, as `NAME.cnf` and `NAME.lrat`; its bytes depend on nothing but these.
"""

from __future__ import annotations

import io
import random
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawstone.board import Board
from lawstone.engine.reference import Interpreter
from lawstone.engine.state import Picks, State, start_state
from lawstone.lower import Rules
from lawstone.prove import lrat
from lawstone.prove.bits import Number
from lawstone.prove.circuit import Circuit
from lawstone.prove.claims import Proof, digest
from lawstone.prove.elaborate import Core
from lawstone.prove.encode import Model
from lawstone.prove.obligations import Obligation

Clause = tuple[int, ...]


class Broken(ValueError):
    """A certificate that does not certify what the record says; the message tells why."""


@dataclass(frozen=True)
class Formula:
    """Clauses over variables 1 to `variables`; `names` are the inputs among them."""

    variables: int
    clauses: list[Clause]
    names: Mapping[int, str]

    @property
    def text(self) -> str:
        """As a DIMACS file."""
        return dimacs(self.variables, self.clauses)


def formula(circuit: Circuit, asserted: Iterable[int]) -> Formula:
    """The clauses that say that all asserted literals hold."""
    roots = list(dict.fromkeys(asserted))
    cone = circuit.cone([1, *roots])
    number = {g: n for n, g in enumerate(cone, 1)}
    clauses = [tuple(number[x] if x > 0 else -number[-x] for x in c) for c in circuit.clauses(cone)]
    clauses += [(number[r] if r > 0 else -number[-r],) for r in roots]
    return Formula(len(cone), clauses, {number[g]: circuit.names[g] for g in cone if g in circuit.names})


def dimacs(variables: int, clauses: Sequence[Clause]) -> str:
    """A DIMACS file."""
    return f"p cnf {variables} {len(clauses)}\n" + "".join(" ".join(map(str, c)) + " 0\n" if c else "0\n" for c in clauses)


def lrat_text(steps: Iterable[tuple[int, Clause, tuple[int, ...]]]) -> str:
    """An LRAT file."""
    return "".join(f"{n} {''.join(f'{x} ' for x in clause)}0 {''.join(f'{h} ' for h in hints)}0\n" for n, clause, hints in steps)


def certify(question: Obligation, whole: Formula, core: Core, file: str) -> tuple[Proof, dict[str, str]]:
    """The record of a proof, and the files to be kept; the proof has been checked."""
    lrat.check(core.clauses, core.steps)
    text, steps = dimacs(whole.variables, core.clauses), lrat_text(core.steps)
    record = Proof.model_validate(
        {
            "about": question.about, "formula": digest(whole.text), "clauses": len(whole.clauses), "core": digest(text),
            "kept": len(core.clauses), "proof": digest(steps), "steps": len(core.steps), "file": file,
        }
    )  # fmt: skip
    name = file.partition("#")[2]
    return record, {f"{name}.cnf": text, f"{name}.lrat": steps}


def check(record: Proof, question: Obligation, folder: Path) -> None:
    """Re-check one certificate against the question as it is built now; raises Broken."""
    if record.about != question.about:
        raise Broken(f"the record is about '{record.about}', and the question is '{question.about}'")
    whole = formula(question.circuit, question.asserted)
    if digest(whole.text) != record.formula:
        raise Broken(f"{record.about}: the formula is not the one that was proved")
    archive, _, name = record.file.partition("#")
    core, proof = read_files(folder / archive, name)
    if digest(core) != record.core or digest(proof) != record.proof:
        raise Broken(f"{record.about}: {record.file} is not the certificate on record")
    try:
        clauses, steps = lrat.read_cnf(core), lrat.read_proof(proof)
        alien = set(clauses) - set(whole.clauses)
        if alien:
            raise Broken(f"{record.about}: the certificate has clauses that the formula does not have")
        lrat.check(clauses, steps)
    except lrat.Refused as refused:
        raise Broken(f"{record.about}: {refused}") from None
    if (len(clauses), len(steps), len(whole.clauses)) != (record.kept, record.steps, record.clauses):
        raise Broken(f"{record.about}: the record counts other clauses or steps")


# -- archives ---------------------------------------------------------------------------------------------------------------------


def write_files(path: Path, files: Mapping[str, str]) -> int:
    """Write an archive and give its size in bytes; the same files make the same archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(entry, files[name])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.getvalue())
    return len(made.getvalue())


def read_files(path: Path, name: str) -> tuple[str, str]:
    """The formula and the proof of one certificate; raises Broken."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(f"{name}.cnf").decode(), archive.read(f"{name}.lrat").decode()
    except (OSError, KeyError, zipfile.BadZipFile, UnicodeDecodeError, zlib.error) as error:
        raise Broken(f"{path.name}#{name} cannot be read: {error}") from None


# -- the encoding -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """How often circuit and interpreter were compared, and where they disagreed (nowhere, if all is well)."""

    positions: int
    moves: int
    faults: tuple[str, ...]


def agreement(rules: Rules, states: Sequence[State], seed: int = 1, wrong: int = 8) -> Agreement:
    """Compare the circuit with the reference interpreter in given positions: legality, what follows, endings, the next phase.

    Of every turn all legal moves are tried and `wrong` picks at random, which are mostly illegal. The circuit is built once for a
    turn, over inputs, and evaluated for all positions at once.
    """
    interpreter, dice = Interpreter(rules), random.Random(seed)
    faults: list[str] = []
    moves = 0
    for name, phase in rules.phases.items():
        here = [s for s in states if s.phase == name]
        legal = {s: set(interpreter.moves(s)) for s in here}
        for number, turn in enumerate(phase.turns):
            model = Model(rules)
            values = model.free("here")
            taken = model.take(turn, values, "turn")
            cases: list[tuple[State, Picks]] = []
            for state in here:
                cases += [(state, m) for m in legal[state] if m.turn == number and len(m.sites) == len(turn.choices)]
                for _ in range(wrong if turn.choices else 0):
                    cases.append((state, Picks(number, tuple(_some_sites(dice, rules.board) for _ in turn.choices))))
            moves += len(cases)
            if cases:
                faults += _compare(interpreter, model, values, taken, cases, legal)
    return Agreement(len(states), moves, tuple(faults))


def _some_sites(dice: random.Random, board: Board) -> int:
    return sum(1 << s for s in dice.sample(range(board.size), min(board.size, dice.choice((0, 1, 1, 1, 2)))))


def _compare(
    interpreter: Interpreter,
    model: Model,
    values: dict[str, Any],
    taken: Any,
    cases: list[tuple[State, Picks]],
    legal: Mapping[State, set[Picks]],
) -> list[str]:
    rules, width = model.rules, len(cases)
    inputs: dict[int, int] = {}

    def put(literal: int, bits: Iterable[bool]) -> None:
        inputs[literal] = sum(1 << i for i, b in enumerate(bits) if b)

    for at, v in enumerate(rules.variables):
        value = values[v.name]
        if isinstance(value, tuple):
            for s, x in enumerate(value):
                put(x, (bool(int(state.values[at]) >> s & 1) for state, _ in cases))
        elif isinstance(value, Number):
            for k in range(1, v.high + 1):
                put(value.at_least(k), (state.values[at] >= k for state, _ in cases))
        else:
            put(value, (bool(state.values[at]) for state, _ in cases))
    for i, pick in enumerate(taken.picks):
        for s, x in enumerate(pick):
            put(x, (bool(m.sites[i] >> s & 1) for _, m in cases))
    told = [taken.legal, *taken.endings, *taken.following]
    after: list[tuple[str, int]] = []
    for v in rules.variables:
        value = taken.after[v.name]
        if isinstance(value, Number):
            after += [(v.name, value.at_least(k)) for k in range(1, value.high + 1)]
        else:
            after += [(v.name, x) for x in (value if isinstance(value, tuple) else (value,))]
    results = model.circuit.evaluate(inputs, [*told, *(x for _, x in after)], width)
    faults = []
    for i, (state, move) in enumerate(cases):
        bits = [bool(r >> i & 1) for r in results]
        if bits[0] != (move in legal[state]):
            faults.append(f"{state.phase}: {move} is {'legal' if bits[0] else 'illegal'} to the circuit only")
        elif bits[0] and not _same_result(interpreter, taken, state, move, bits, after):
            faults.append(f"{state.phase}: {move} leads to something else")
    return faults


def _same_result(
    interpreter: Interpreter, taken: Any, state: State, move: Picks, bits: list[bool], after: list[tuple[str, int]]
) -> bool:
    reached = interpreter.play(state, move)
    ends, goes = len(taken.endings), len(taken.following)
    ended = [e.rule for e, b in zip(taken.turn.endings, bits[1 : 1 + ends], strict=True) if b]
    on = [n for n, b in zip(taken.turn.next, bits[1 + ends : 1 + ends + goes], strict=True) if b]
    values: dict[str, list[bool]] = {}
    for (name, _), b in zip(after, bits[1 + ends + goes :], strict=True):
        values.setdefault(name, []).append(b)
    told = {n: sum(1 << s for s, b in enumerate(listed) if b) if v.sort.value == "sites" else sum(listed)
            for v in interpreter.rules.variables for n, listed in [(v.name, values.get(v.name, []))]}  # fmt: skip
    if reached.outcome is not None:
        if ended != [reached.outcome.rule] or on:
            return False
        return all(int(told[n]) == int(x) for n, x in zip(interpreter.names, reached.state.values, strict=True))
    if ended or [(n.phase, n.passes) for n in on] != [(reached.state.phase, reached.state.seat != state.seat)]:
        return False
    seen = Model(interpreter.rules).seen_by_other(told) if on[0].passes else told
    return all(int(seen[n]) == int(x) for n, x in zip(interpreter.names, reached.state.values, strict=True))


def sample(rules: Rules, count: int, seed: int = 1) -> list[State]:
    """Positions met in random games, the start first; each once, in the order of meeting."""
    from lawstone.engine.everyday import Everyday
    from lawstone.engine.playout import Dice, random_move

    engine, found = Everyday(rules), {start_state(rules): None}
    for game in range(seed, seed + 4 * count):
        dice, state = Dice(game), engine.start()
        while len(found) < count:
            move = random_move(engine, state, dice)
            if move is None:
                break
            state, outcome = engine.play(state, move)
            if outcome is not None:
                break
            found.setdefault(state)
        if len(found) >= count:
            break
    return list(found)
