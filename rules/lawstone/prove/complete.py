"""Whether every duty can be met: the first proof of each game.

For every choice of every turn: the guard holds and the picks before it are legal, so are there enough sites? And for every phase:
can the player to act make a first pick at all? Each is asked of all positions that fulfil the facts proved of reachable ones. A no
proves that the gap cannot be met; a yes gives a position that may or may not be reachable, which play then has to reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lawstone.engine.state import State
from lawstone.lower import Rules
from lawstone.prove.ask import CONFLICTS, ask
from lawstone.prove.encode import Model, decode_state
from lawstone.prove.lemmas import Lemmas

Kind = Literal["no move", "duty"]


@dataclass(frozen=True)
class Duty:
    """One place where a turn may fail, and what is known of it.

    `never` is proved; `possible` comes with a position under the hypotheses (which may be unreachable); `idle` means that the
    hypotheses leave no position in which the question arises.
    """

    kind: Kind
    phase: str
    label: tuple[str, ...]
    rule: str
    verdict: Literal["never", "possible", "unknown", "idle"]
    position: State | None = None


def duties(rules: Rules, lemmas: Lemmas, conflicts: int = CONFLICTS) -> list[Duty]:
    """Every duty of every turn, and every phase's first pick, with its verdict."""
    found: list[Duty] = []
    for name, phase in rules.phases.items():
        model = Model(rules)
        values = model.free(name)
        known = [*model.must, model.assumed(values), lemmas.literal(model, name, values)]
        fails = -model.can_move(phase, values)
        found.append(
            _verdict(rules, model, values, known, fails, Duty("no move", name, (), phase.turns[0].rule, "unknown"), conflicts)
        )
        for turn in phase.turns:
            taken = model.take(turn, values, f"{name}.{' '.join(turn.label)}")
            for i, choice in enumerate(turn.choices):
                if choice.required or choice.freedom != "exactly" or (i == 0 and not turn.label):
                    continue
                fails = model.circuit.both(taken.prefixes[i], taken.stuck[i])
                duty = Duty("duty", name, turn.label, choice.rule, "unknown")
                found.append(_verdict(rules, model, values, [*known, *model.must], fails, duty, conflicts, taken.prefixes[i]))
    return found


def _verdict(
    rules: Rules, model: Model, values: dict[str, object], known: list[int], fails: int, duty: Duty, conflicts: int, arises: int = 1
) -> Duty:
    answer = ask(model.circuit, [*known, fails], conflicts)
    if answer.verdict == "no":
        idle = ask(model.circuit, [*known, arises], conflicts).verdict == "no"
        return Duty(duty.kind, duty.phase, duty.label, duty.rule, "idle" if idle else "never")
    if answer.verdict == "unknown":
        return duty
    seat = rules.seat_of_phase[duty.phase]
    if seat is None:
        first = values.get("mine.first")
        seat = 0 if first is None or (isinstance(first, int) and answer.holds(first)) else 1
    state = decode_state(rules, values, answer.holds, duty.phase, seat)
    return Duty(duty.kind, duty.phase, duty.label, duty.rule, "possible", state)
