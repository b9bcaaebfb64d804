"""What the lines of a game file leave open or say in vain: conflicts and unused lines, play without end, events, who acts next."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.check import decisions, turns
from lawstone.check.endless import endless
from lawstone.check.lines import Bench, lines
from lawstone.check.report import Concern, Decision, Follows


def about_lines(bench: Bench) -> Iterator[Concern | Decision | Follows]:
    """The concerns about one variant but for redundant words, then its two tables."""
    yield from lines(bench)
    yield endless(bench)
    rules = bench.game.rules
    walked = turns.rows(rules)
    for row in walked:
        if row.doubtful:
            yield _turn_order(bench, row)
    brought = decisions.table(bench.game, bench.variant, turns.actors(rules, walked), bench.budget.seed)
    yield from _events(bench, brought)
    yield from turns.table(rules, bench.variant, walked)
    yield from brought


def _turn_order(bench: Bench, row: turns.Row) -> Concern:
    """A pick after which nothing says who acts, and seats and colours alternate differently."""
    rules = bench.game.rules
    then = turns.actor(rules, row.then)
    other = turns.actor(rules, row.then._replace(seat=1 - row.then.seat))
    picked = " ".join((row.rule, *row.label))
    what = (
        f"after {picked} nothing says who acts: the players alternate, so {then.seat} ({then.colour}) does, "
        f"and by colours it would be {other.seat} ({other.colour})"
    )
    return bench.concern(
        kind="turn order", name=f"turn order/{'/'.join((row.rule, *row.label))}", rules=[row.rule], what=what, verdict="finding",
        by="form", how=f"the phase {row.then.phase} is entered without `first`",
    )  # fmt: skip


def _events(bench: Bench, brought: list[Decision]) -> Iterator[Concern]:
    """Each event: where it leaves open what follows, or that it does so nowhere."""
    for rule in dict.fromkeys(d.rule for d in brought):
        listed = [d for d in brought if d.rule == rule]
        told = {"kind": "event", "name": f"event/{rule}", "rules": [rule]}
        silent = [d for d in listed if not d.defined]
        if silent:
            where = ", ".join(f"{d.phase} ({d.pick})" for d in silent)
            what = f"when `{silent[0].event}` happens, the rules do not say what follows: {where}"
            yield bench.concern(**told, what=what, verdict="finding", by="form", how=silent[0].brings)
        else:
            how = f"asked at {len(listed)} kinds of decision that play comes to"
            what = f"`{listed[0].event}` is defined wherever it can happen"
            yield bench.concern(**told, what=what, verdict="none", by="form", how=how)
