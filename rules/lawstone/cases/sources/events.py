"""What a game declares beside its moves (a clock that runs out, a draw agreed), at each kind of decision."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.features import Feature, possible
from lawstone.cases.make import Maker, Want
from lawstone.cases.sources import Plan, survey_of
from lawstone.cases.survey import Survey
from lawstone.engine.notation import write
from lawstone.engine.state import Picks
from lawstone.model.game import Event

GROUP = "declared events, at each kind of decision"


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """For each event and each kind of decision (the phase, the player, the picks already made) what follows."""
    for variant in maker.variants:
        events = list(maker.base(variant).game.rules.game.events or [])
        yield from _undeclared(maker, variant, {e.name for e in events})
        if not events:
            continue
        survey = survey_of(maker, variant, plan)
        decisions = dict.fromkeys(f for f in (*possible(survey.eyes), *survey.found) if f[0] == "decision")
        players = maker.base(variant).game.rules.words.players
        for event in events:
            for decision in decisions:
                _, rule, phase, seat, made = decision
                if made and event.at != "any pick":
                    continue
                at = f"in phase {phase}, {players[seat]} to act" + (f", {made} made, before {rule}" if made else "")
                situation = Situation(GROUP, variant, event.rule, f"{event.name} {at}")
                yield from _at(survey, variant, plan, event, decision, situation)


def _undeclared(maker: Maker, variant: str, known: set[str]) -> Iterator[Want | Sought]:
    """Events that only other readings have: at the start they are not legal."""
    for candidate, _ in maker.readings(variant):
        asked_in = maker.spec.question(candidate.question).in_
        if variant and asked_in in (None, "base"):
            continue
        for event in candidate.game.rules.game.events or []:
            if event.name not in known:
                known.add(event.name)
                says = f"{event.name}, which only answer {candidate.answer} of question {candidate.question} knows"
                situation = Situation(GROUP, variant, "", says)
                yield Sought(situation)
                yield Want(variant, Asked((), "event", event.name), (), ("event",), shows=(situation,))


def _at(survey: Survey, variant: str, plan: Plan, event: Event, decision: Feature, situation: Situation) -> Iterator[Want | Sought]:
    if decision not in survey.found:
        yield Sought(situation, f"this decision was not met in {survey.games} random and guided games")
        return
    found = survey.smaller(decision, plan.replays)
    moves, told = survey.moves(found), event.name
    if found.moved:
        state, move = survey.replayed(found.line)
        told = f"{event.name} after {write(survey.game.rules, state, Picks(move.turn, move.sites[: decision[4]]))}"
        moves = moves[:-1]
    yield Sought(situation)
    yield Want(variant, Asked(moves, "event", told), (event.rule,), ("event",), shows=(situation,))
