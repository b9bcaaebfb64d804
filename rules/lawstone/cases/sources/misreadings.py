"""Every likely misreading told apart: for one that no vector kills, the game on record, or one that is searched for."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.make import Candidate, Want
from lawstone.cases.recorded import recorded
from lawstone.cases.sources import Plan
from lawstone.cases.sources.readings import at, on_record, told_apart
from lawstone.engine.game import Game

FLAGS = ("misreading",)


def wants(missed: list[tuple[str, Game, Candidate]], plan: Plan) -> Iterator[Want]:
    """A witness for each of some misreadings: each with its variant and the game as it stands in that."""
    for variant, base, candidate in missed:
        known = recorded(base.spec, variant, "misreading", candidate.question)
        parting = on_record(base, candidate.game, known)
        if parting is not None:
            yield from at(parting, variant, candidate.rules, FLAGS)
        elif known is None or known.verdict != "same: proved":
            yield from told_apart(base, candidate.game, variant, plan, candidate.rules, FLAGS, again=False)
