"""Lines of a game file in play: endings that hold at once, and lines that no game ever brings into force.

The cheapest way first: games (every one ply by ply as far as the bound goes, then by chance), then the solver on every position
that fulfils the proved facts, which proves what no game can show, then, where time is given, games ply by ply by the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lawstone.check import sightings
from lawstone.check.report import Concern, Witness
from lawstone.check.search import Budget, Line
from lawstone.check.settle import lemmas_of
from lawstone.core import Result
from lawstone.engine.drawn import draw, position_text
from lawstone.engine.game import Game
from lawstone.engine.notation import write
from lawstone.engine.state import Picks
from lawstone.model.game import Settled
from lawstone.prove.goals import Eye, Free, Goal, goals
from lawstone.prove.reach import drawn_after, fewest, reach

PLIES = 60
"""Plies up to which the solver looks for a game, if the time allows."""
BUILT = 8
"""Plies from which on a game is built from a position; shorter ones are found in play."""
CLOSE = 2
"""Plies above the bound by counting up to which a game is left as it is, where no solver looks on."""
BEGINNINGS = 3
"""Ways into the later phases that such a position is drawn around."""


@dataclass
class Bench:
    """One variant of a game on one board, with what has been seen in play and the solver's view of it, each made once."""

    game: Game
    variant: str
    budget: Budget
    seconds: float = 0.0
    command: str = ""
    board: tuple[int, int] | None = None
    games: int = sightings.GAMES

    @cached_property
    def goals(self) -> list[Goal]:
        """What the file says that games should show."""
        return goals(self.game.rules)

    @cached_property
    def seen(self) -> sightings.Seen:
        """What games have shown."""
        return sightings.look(self.game, self.goals, self.budget, self.games)

    @cached_property
    def free(self) -> Free:
        """The turns on every position that fulfils the proved facts."""
        return Free(self.game.rules, lemmas_of(self.game.rules))

    @cached_property
    def facts(self) -> str:
        """The hypotheses in words."""
        return f"no well-formed position that fulfils {len(self.free.lemmas.proved)} facts proved by induction"

    def concern(self, **told: Any) -> Concern:
        """A concern about this variant, with the sentences of its rules."""
        says = [x for r in told["rules"] if (x := self.game.spec.says(r))]
        return Concern.model_validate(
            {"says": says, "variant": self.variant, "seed": self.budget.seed, "command": self.command, **told}
        )

    def witness(self, goal: Goal, moves: tuple[str, ...], shortest: bool, how: str) -> Witness:
        """A game that shows a goal in its last move, drawn after it and replayed by the law."""
        position = self.game.replay(list(moves))
        return Witness(
            moves=list(moves), plies=len(moves), board=draw(position), position=position_text(position), shortest=shortest, how=how,
            replayed=sightings.lawful(self.game.rules, self.game, goal, moves),
        )  # fmt: skip


def lines(bench: Bench) -> Iterator[Concern]:
    """Conflicts of endings first, then the lines that nothing brings into force; lines of a phase that no game enters are left out,
    since the phase is told."""
    never: list[str] = []
    found = []
    for goal in bench.goals:
        if goal.kind == "conflict":
            found.append(_conflict(bench, goal))
            continue
        told = _used(bench, goal)
        found.append(told)
        if goal.kind == "phase" and told.verdict == "finding":
            never.append(goal.rule)
    for goal, told in zip(bench.goals, found, strict=True):
        places = {p.phase for p in goal.places}
        if goal.kind in ("phase", "hand") or not places or places - set(never):
            yield told


# -- conflicts --------------------------------------------------------------------------------------------------------------------


def _conflict(bench: Bench, goal: Goal) -> Concern:
    """Whether two endings can hold at once; where they give different results, which one counts."""
    rules = [goal.rule, goal.against]
    base: dict[str, Any] = {"kind": "conflict", "name": goal.name, "rules": rules, "question": _asked(bench, rules)}
    line = bench.seen.lines.get(goal)
    if line is not None and (goal.same or goal in bench.seen.shortest):
        shortest = goal in bench.seen.shortest
        how = f"no shorter game: all games up to ply {len(line) - 1} were looked at" if shortest else "not shown shortest"
        return _both_hold(bench, goal, base, bench.witness(goal, sightings.texts(bench.game, line), shortest, how))
    if bench.seen.complete:
        told = f"never at once: all games were looked at, to ply {bench.seen.whole}"
        return bench.concern(**base, what=_apart(goal), verdict="none", by="proof", how=told)
    sought = bench.free.seek(goal) if line is None else None
    if sought is not None and sought.verdict == "never":
        told = f"{bench.facts} shows both after a move{_idle(sought.idle)}"
        return bench.concern(**base, what=_apart(goal), verdict="none", by="proof", how=told)
    witness, few = _game(bench, goal, line)
    if witness is not None:
        return _both_hold(bench, goal, base, witness)
    told = f"{_bound(bench)}; no game of fewer than {few} plies shows it"
    return bench.concern(**base, what=_apart(goal), verdict="open", by="bound", how=told)


def _game(bench: Bench, goal: Goal, line: Line | None) -> tuple[Witness | None, int]:
    """The shortest game that can be had for a goal, and how many plies every such game has at least.

    First what counting allows: where a game of just so many plies is known, or can be built from a position that a solver draws,
    no shorter one exists. Then games ply by ply, as far as the time goes.
    """
    few, counted = fewest(bench.free, goal)
    if line is not None and len(line) > few + CLOSE:
        line = sightings.smaller(bench.game, goal, line, bench.budget.replays)
    if line is None or len(line) > few + CLOSE:
        built = _built(bench, goal, few)
        line = built if built is not None else line
    if line is not None and len(line) == few:
        how = f"no shorter game: {counted}" if counted else "no shorter game"
        return bench.witness(goal, sightings.texts(bench.game, line), True, how), few
    longest = PLIES if line is None else len(line) - 1
    if bench.seconds > 0 and few <= PLIES:
        reached = reach(bench.game.rules, goal, longest, bench.seconds, few)
        few = max(few, reached.plies + (reached.verdict == "no"))
        how = f"no shorter game: a solver refuted every one up to ply {few - 1}"
        if reached.verdict == "yes":
            return bench.witness(goal, _written(bench.game, reached.picks), True, how), few
        if line is not None and few >= len(line):
            return bench.witness(goal, sightings.texts(bench.game, line), True, how), few
    if line is None:
        return None, few
    how = f"not shown shortest: no game of fewer than {few} plies shows it"
    return bench.witness(goal, sightings.texts(bench.game, line), False, how), few


def _built(bench: Bench, goal: Goal, few: int) -> Line | None:
    """A game of just as many plies as counting asks for, built from a position that a solver draws."""
    if few < BUILT:
        return None
    for n in range(BEGINNINGS):
        begun = sightings.begun(bench.game, bench.budget.seed + n)
        for target, last in drawn_after(bench.free, goal, few - 1, begun):
            line = sightings.towards(bench.game, goal, target, last, bench.budget.seed)
            if line is not None and len(line) == few:
                return line
        if not begun:
            break
    return None


def _both_hold(bench: Bench, goal: Goal, base: dict[str, Any], witness: Witness) -> Concern:
    before = bench.game.replay(witness.moves[:-1])
    move = before.find(witness.moves[-1]).picks
    after = bench.game.engine.play(before.state, move)
    holding = {e.rule: e.result for e in Eye(bench.game.rules, []).holding(before.state, move, after)}
    result, other = (_result(bench.game, holding[rule], before.state.seat) for rule in (goal.rule, goal.against))
    if goal.same:
        what = f"{goal.rule} and {goal.against} can hold at once, with the same result: {result}"
        return bench.concern(**base, what=what, verdict="harmless", by="game", how=witness.how, witness=witness)
    settled = _ordered(bench, goal, base["question"])
    what = (
        f"{goal.rule} and {goal.against} can hold at once, and give different results: "
        f"{goal.rule} {settled or 'stands first'} and counts ({result}), {goal.against} would give: {other}"
    )
    verdict = "harmless" if settled else "finding"
    return bench.concern(**base, what=what, verdict=verdict, by="game", how=witness.how, witness=witness)


def _ordered(bench: Bench, goal: Goal, asked: str) -> str:
    """What says which of two endings counts, where it is said and not only implied by the list of endings."""
    spec = bench.game.spec
    if asked and isinstance(spec.question(asked).status, Settled):
        return f"comes first by the settled question {asked}"
    if {goal.rule, goal.against} <= set(spec.game.order or []):
        return "is put first by `order`"
    return ""


def _apart(goal: Goal) -> str:
    return f"{goal.rule} and {goal.against} at once"


def _asked(bench: Bench, rules: list[str]) -> str:
    """The question that asks for another order of endings, if the game has one."""
    for q in bench.game.spec.questions(bench.variant):
        for changes in q.answers.values():
            order = changes.get("order")
            if isinstance(order, list) and set(rules) <= set(order):
                return q.id
    return ""


def _result(game: Game, result: Result, mover: int) -> str:
    """What an ending gives, in words."""
    if result == "draw":
        return "a draw"
    return f"{game.rules.words.players[mover if result == 'mover' else 1 - mover]} wins"


def _written(game: Game, picks: tuple[tuple[str, Picks], ...]) -> tuple[str, ...]:
    state, found = game.engine.start(), list[str]()
    for _, move in picks:
        found.append(write(game.rules, state, move))
        state = game.engine.play(state, move).state
    return tuple(found)


# -- lines that are never in force ------------------------------------------------------------------------------------------------

_WHAT: dict[str, str] = {
    "ending": "this ending never decides a game",
    "phase": "no game ever comes to this phase",
    "follows": "this is never what follows",
    "option": "this option can never be chosen",
    "step": "this step never has anything to do",
    "fallback": "this line of the fallback is never the one in force",
    "hand": "nothing ever takes this piece from a hand",
}


def _used(bench: Bench, goal: Goal) -> Concern:
    """Whether a line is ever in force."""
    base: dict[str, Any] = {"kind": "never used", "name": f"unused/{goal.name}", "rules": [goal.rule]}
    where = f"{goal.rule}{', ' + goal.part if goal.part else ''}"
    what = f"{where}: {_WHAT[goal.kind]}"
    line = bench.seen.lines.get(goal)
    if line is not None:
        told = f"in force in a game of {len(line)} plies"
        return bench.concern(**base, what=f"{where}: in force", verdict="none", by="game", how=told)
    if goal.kind == "phase" and goal.rule == bench.game.rules.start_phase:
        return bench.concern(**base, what=where, verdict="none", by="form", how="the game begins there")
    if not goal.places:
        return bench.concern(**base, what=what, verdict="finding", by="form", how=_by_form(bench, goal))
    if bench.seen.complete:
        told = f"all games were looked at, to ply {bench.seen.whole}"
        return bench.concern(**base, what=what, verdict="finding", by="proof", how=told)
    sought = bench.free.seek(goal)
    if sought.verdict == "never":
        told = f"{bench.facts} brings it into force{_idle(sought.idle)}{_shadowed(bench, goal)}"
        return bench.concern(**base, what=what, verdict="finding", by="proof", how=told)
    witness, _ = _game(bench, goal, None)
    if witness is not None:
        told = f"in force in a game of {witness.plies} plies"
        return bench.concern(**base, what=f"{where}: in force", verdict="none", by="game", how=told, witness=witness)
    told = f"{_bound(bench)}; some well-formed position shows it, which no game may reach"
    return bench.concern(**base, what=what, verdict="open", by="bound", how=told)


def _by_form(bench: Bench, goal: Goal) -> str:
    if goal.kind == "ending":
        return "on this board and in these phases the condition can never hold"
    return "no turn leads to it" if goal.kind == "phase" else "no turn does so"


def _shadowed(bench: Bench, goal: Goal) -> str:
    """For an ending that never decides: which endings stand before it and hold whenever it does."""
    if goal.kind != "ending":
        return ""
    earlier = [g.rule for g in bench.goals if g.kind == "conflict" and g.against == goal.rule and bench.seen.lines.get(g)]
    return f"; whenever it holds, one that stands before it holds too ({', '.join(dict.fromkeys(earlier))})" if earlier else ""


def _idle(idle: tuple[str, ...]) -> str:
    return f" (no position at all lets these turns be taken: {', '.join(idle)})" if idle else ""


def _bound(bench: Bench) -> str:
    seen = bench.seen
    return f"seen in no game up to ply {seen.whole}, and in none of {seen.games} games by chance"
