"""Every likely misreading told apart: one that no vector kills is searched for."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.make import Candidate, Want
from lawstone.cases.sources import Plan
from lawstone.cases.sources.readings import told_apart
from lawstone.engine.game import Game


def wants(missed: list[tuple[str, Game, Candidate]], plan: Plan) -> Iterator[Want]:
    """A witness for each of some misreadings: each with its variant and the game as it stands in that."""
    for variant, base, candidate in missed:
        yield from told_apart(base, candidate.game, variant, plan, candidate.rules, ("misreading",), again=False)
