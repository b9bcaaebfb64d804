"""The misreadings of a game as candidates, beside the answers of its questions."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lawstone.cases.make import Candidate
from lawstone.check.misreadings import derived
from lawstone.constructs.misreadings import Misreading, derive
from lawstone.engine.game import Game
from lawstone.lower import Rules
from lawstone.model.faults import BadInput
from lawstone.spec import Spec, Usage


def misreadings(spec: Spec, variant: str = "", size: tuple[int, int] | None = None) -> Iterator[Candidate]:
    """Every likely mistake in implementing a game; of a variant, those in what it changes."""
    for m, rules in derived(spec, variant):
        found = _candidate(spec, m, variant, size, rules if size is None else None)
        if found is not None:
            yield found


def kept_misreadings(spec: Spec, variant: str, names: Collection[str]) -> Iterator[Candidate]:
    """Those of some mistakes that lie in what a variant keeps of the game that it is based on, as they show in the variant."""
    known = {(m.id, repr(m.changes)) for m, _ in derived(spec, variant)}
    for m in derive(spec.file(variant)[0], spec.rules(variant).words):
        if m.id in names and (m.id, repr(m.changes)) not in known:
            found = _candidate(spec, m, variant, None, None)
            if found is not None:
                yield found


def _candidate(
    spec: Spec, m: Misreading, variant: str, size: tuple[int, int] | None, rules: Rules | None
) -> Candidate | None:  # fmt: skip
    try:
        made = rules or spec.rules_with(m.changes, variant, size)
    except (BadInput, Usage):
        return None
    return Candidate("misreading", m.id, "", m.says, Game(spec, made), (m.rule,) if m.rule in spec.all_rules() else (), m.changes)
