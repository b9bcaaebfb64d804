"""Every change of phase, and every change with something pending: pieces in hand, captures made."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Sought
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.sources import Plan, sought, survey_of

KINDS = {"phase": "changes of phase", "pending": "changes of phase with something pending"}


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """What a move that ends a phase leads to, who acts then, and what is legal."""
    for variant in maker.variants:
        survey = survey_of(maker, variant, plan)
        for found in sought(maker, variant, plan, KINDS):
            if isinstance(found, Sought):
                yield found
                continue
            feature, situation = found
            moves = survey.moves(survey.smaller(feature, plan.replays))
            rules = (feature[1],) if feature[1] in maker.spec.all_rules() else ()
            yield Want(variant, Asked(moves[:-1], "after", moves[-1]), rules, shows=(situation,))
            yield Want(variant, Asked(moves, "who acts"), rules, shows=(situation,))
            if ways(maker.base(variant).position(moves)) <= MOST_MOVES // 4:
                yield Want(variant, Asked(moves, "legal moves"), rules, shows=(situation,))
