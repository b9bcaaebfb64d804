"""Every ending: in each phase and by each player, first and last possible, at each rim, by each line, by a longer run, by two
lines, by the last piece in hand, on a full board, and with another ending at once."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Sought
from lawstone.cases.make import Maker, Want
from lawstone.cases.sources import Plan, sought, survey_of

KINDS = {
    "ends": "endings, by phase and player", "latest": "endings, as late as can be", "ends at": "endings, where the piece stands",
    "way": "endings, each line at each rim", "longer": "endings, by a longer run", "two ways": "endings, by two lines",
    "kept": "endings, kept from it by an exception", "last piece": "endings, by the last piece in hand",
    "full board": "endings, on a full board", "together": "endings, two at once",
}  # fmt: skip


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """How the game stands after the smallest game of each kind; where two endings hold, who has won."""
    for variant in maker.variants:
        survey = survey_of(maker, variant, plan)
        for found in sought(maker, variant, plan, KINDS):
            if isinstance(found, Sought):
                yield found
                continue
            feature, situation = found
            moves = survey.moves(survey.smaller(feature, plan.replays))
            rules = tuple(r for r in feature[1:] if r in maker.spec.all_rules()) if feature[0] == "together" else (feature[1],)
            yield Want(variant, Asked(moves, "outcome"), rules, shows=(situation,))
            if feature[0] in ("together", "last piece"):
                yield Want(variant, Asked(moves[:-1], "after", moves[-1]), rules, shows=(situation,))
