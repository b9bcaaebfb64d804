"""Endings turned and mirrored: each symmetry of the rules once, so that no direction is left out."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.make import Maker, Want
from lawstone.cases.sources import Plan, survey_of
from lawstone.check.search import Line

GROUP = "endings, by each symmetry of the rules"


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """The shortest game to each ending, and its images under the symmetries of the base game."""
    survey = survey_of(maker, "", plan)
    shortest: dict[str, Line] = {}
    for feature in [f for f in survey.found if f[0] == "ends"]:
        found = survey.smaller(feature, plan.replays)
        known = shortest.get(feature[1])
        if known is None or len(found.line) < len(known):
            shortest[feature[1]] = found.line
    carries = survey.eyes.probe.carries
    for rule, line in shortest.items():
        for carry in carries:
            situation = Situation(GROUP, "", rule, carry.name)
            image = survey.image(line, carry)
            there = survey.seen(image, True) is not None
            why = "" if there else "the image of its shortest game is no game, for the start is not symmetric so"
            yield Sought(situation, why, not there)
            if there:
                flags = ("symmetric",) if carry is not carries[0] else ()
                yield Want("", Asked(survey.written(image), "outcome"), (rule,), flags, shows=(situation,))
