"""Play that can go on for ever: a proof that it cannot, or the shortest way round that is known."""

from __future__ import annotations

from typing import Any

from lawstone.check.gaps import covering
from lawstone.check.lines import Bench
from lawstone.check.report import Concern
from lawstone.prove.ends import ends, shortest_cycle
from lawstone.prove.goals import Goal
from lawstone.prove.reach import fewest


def endless(bench: Bench) -> Concern:
    """Whether play must end. Where a game is known in which a position comes back, the gap that it shows says more."""
    base: dict[str, Any] = {"kind": "endless", "name": "endless", "rules": []}
    event = covering(bench.game.rules.game)
    if event is not None:
        base["rules"] = [event.rule]
        return bench.concern(
            **base, what="play ends", verdict="none", by="form", how=f"the event {event.name} ends play that repeats"
        )
    found = ends(bench.free)
    if found.verdict == "ends":
        idle = f"; no position at all lets a turn be taken in {', '.join(found.idle)}" if found.idle else ""
        told = f"{found.how} (asked of all positions that fulfil the proved facts, one query a turn){idle}"
        return bench.concern(**base, what="play ends", verdict="none", by="proof", how=told)
    told = found.how
    what = f"play may go on for ever in {', '.join(found.left)}"
    return bench.concern(**base, what=what, verdict="open", by="bound", how=told)


def least_plies(bench: Bench, phase: str) -> tuple[int, str]:
    """A number of plies before which no game comes back to a position, if it must go through a phase to do so; and why."""
    found = ends(bench.free)
    if found.verdict == "ends" or phase not in found.left:
        return 0, ""
    entry = 0
    if bench.game.rules.start_phase not in found.left:
        ways = [g for g in bench.goals if g.kind == "phase" and g.rule in found.left]
        entry = min(fewest(bench.free, _from_outside(g, found.left))[0] for g in ways) if ways else 0
    turns = shortest_cycle(bench.free, found.left)
    told = f"no position comes back in fewer than {turns} turns, nor outside {', '.join(found.left)}"
    return entry + turns, told + (f", where no game is before ply {entry}" if entry else "")


def _from_outside(goal: Goal, inside: tuple[str, ...]) -> Goal:
    places = tuple(p for p in goal.places if p.phase not in inside)
    return Goal(goal.kind, goal.rule, goal.part, goal.against, goal.same, places)
