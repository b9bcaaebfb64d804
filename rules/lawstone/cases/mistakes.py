"""The misreadings of a game as candidates, beside the answers of its questions."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.make import Candidate
from lawstone.check.misreadings import derived
from lawstone.engine.game import Game
from lawstone.model.faults import BadInput
from lawstone.spec import Spec, Usage


def misreadings(spec: Spec, variant: str = "", size: tuple[int, int] | None = None) -> Iterator[Candidate]:
    """Every likely mistake in implementing a game; of a variant, those in what it changes."""
    for m, rules in derived(spec, variant):
        try:
            made = rules if size is None else spec.rules_with(m.changes, variant, size)
        except (BadInput, Usage):
            continue
        yield Candidate(
            "misreading", m.id, "", m.says, Game(spec, made), (m.rule,) if m.rule in spec.all_rules() else (), m.changes
        )
