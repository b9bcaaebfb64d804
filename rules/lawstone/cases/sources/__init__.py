"""Where vectors come from, a module a source. Each gives `wants(maker, plan)`: what is to be asked, and for which rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lawstone.cases.make import Maker, Want
from lawstone.check.run import changed_rules


@dataclass(frozen=True)
class Plan:
    """How much to look for; counts, not seconds, so that a run can be repeated exactly."""

    seed: int = 1
    games: int = 48
    """Random and guided games a variant and a source."""
    replays: int = 40
    """Games replayed to make one shorter."""
    pairs: int = 5_000
    """Move results compared in whole trees, for each pair of readings."""


def concerns(maker: Maker, variant: str, rule: str) -> bool:
    """Whether a rule is worth asking about in a variant: always in the base game, elsewhere where the variant changes it."""
    if not variant:
        return True
    return rule in changed_rules(maker.base("").game, maker.base(variant).game)


Source = Callable[[Maker, Plan], Iterator[Want]]


def all_sources() -> dict[str, Source]:
    """The sources by name, in the order in which they are asked; `misreadings` comes after them, for what they leave."""
    from lawstone.cases.sources import boundaries, choices, examples, guided, openings, readings, symmetry

    modules = (examples, readings, boundaries, choices, openings, symmetry, guided)
    return {m.__name__.rpartition(".")[2]: m.wants for m in modules}
