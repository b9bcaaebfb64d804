"""Endings turned and mirrored: each symmetry of the rules once, so that no direction is left out."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.make import Maker, Want
from lawstone.cases.sources import Plan
from lawstone.cases.sources.boundaries import features
from lawstone.cases.survey import Survey
from lawstone.check.search import Line, allowed, in_phase
from lawstone.engine.notation import write
from lawstone.engine.symmetry import Carry, symmetries


def wants(maker: Maker, plan: Plan) -> Iterator[Want]:
    """The shortest game to each ending, and its images under the symmetries of the base game."""
    game = maker.base("").game
    survey = Survey(game, lambda place: (f for f in features(place) if f[0] == "wins"))
    survey.play(plan.games, plan.seed + 3)
    carries = symmetries(game.rules)
    for feature in list(survey.found):
        found = survey.smaller(feature, plan.replays)
        for carry in carries:
            moves = _image(survey, found.line, carry)
            if moves is not None:
                yield Want("", Asked(moves, "outcome"), (feature[1],), ("symmetric",) if carry is not carries[0] else ())


def _image(survey: Survey, line: Line, carry: Carry) -> tuple[str, ...] | None:
    """A game as a symmetry shows it, where it is a game from the start too."""
    engine, state, moves = survey.game.engine, survey.game.engine.start(), list[str]()
    for (label, roles), sites in line:
        kind = (tuple(carry.kinds.get(w, w) for w in label), roles)
        move = in_phase(survey.pair, state.phase, kind, tuple(carry.mask(s) for s in sites))
        index = engine.index[state.phase]
        if move is None or not allowed(engine.depths[index], engine.options[index](*state.values), move):
            return None
        moves.append(write(survey.game.rules, state, move))
        after = engine.play(state, move)
        state = after.state
    return tuple(moves)
