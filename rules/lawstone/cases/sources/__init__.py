"""Where vectors come from, a module a source. Each gives `wants(maker, plan)`: what is to be asked, for which rules and situations,
and the situations themselves, so that what no game shows is told too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.features import Feature, in_words, possible
from lawstone.cases.impossible import impossible
from lawstone.cases.make import Maker, Want
from lawstone.cases.survey import Survey
from lawstone.check.run import changed_rules

SURVEYED = 10
"""Games of a survey for each game of a plan; a survey looks at one only, without comparing readings."""
ALWAYS = ("ends", "phase", "pending", "stuck", "together", "latest")
"""Kinds of features that every variant shows, whatever rules it changes."""


@dataclass(frozen=True)
class Plan:
    """How much to look for; counts, not seconds, so that a run can be repeated exactly."""

    seed: int = 1
    games: int = 48
    """Random and guided games for each pair of readings; a survey has ten times as many."""
    replays: int = 40
    """Games replayed to make one shorter, and to find a neighbour."""
    pairs: int = 5_000
    """Move results compared in whole trees, for each pair of readings."""


def concerns(maker: Maker, variant: str, rule: str) -> bool:
    """Whether a rule is worth asking about in a variant: always in the base game, elsewhere where the variant changes it."""
    if not variant:
        return True
    return rule in changed_rules(maker.base("").game, maker.base(variant).game)


def survey_of(maker: Maker, variant: str, plan: Plan) -> Survey:
    """The survey of a variant, made once."""
    key = (variant, plan)
    found = maker.kept.get(key)
    if isinstance(found, Survey):
        return found
    survey = Survey(maker.base(variant).game)
    survey.play(plan.games * SURVEYED, plan.seed)
    survey.turn()
    maker.kept[key] = survey
    return survey


def never_of(maker: Maker, variant: str, plan: Plan) -> dict[Feature, str]:
    """What a survey has not met and what is proved not to come about, found out once."""
    key = ("never", variant, plan)
    found = maker.kept.get(key)
    if isinstance(found, dict):
        return found
    survey = survey_of(maker, variant, plan)
    proved = impossible(survey.eyes, [f for f in possible(survey.eyes) if f not in survey.found])
    maker.kept[key] = proved
    return proved


def sought(maker: Maker, variant: str, plan: Plan, kinds: dict[str, str]) -> Iterator[Sought | tuple[Feature, Situation]]:
    """The features of some kinds that a variant has: as sought where no game shows them, and with its situation where one does.

    `kinds` gives the group of each kind.
    """
    survey = survey_of(maker, variant, plan)
    listed = dict.fromkeys((*possible(survey.eyes), *survey.found))
    never = never_of(maker, variant, plan)
    changed = {rule: concerns(maker, variant, rule) for rule in {f[1] for f in listed}}
    for feature in listed:
        if feature[0] not in kinds:
            continue
        group = kinds[feature[0]]
        if not changed[feature[1]] and feature[0] not in ALWAYS:
            maker.coverage.elsewhere[group] = maker.coverage.elsewhere.get(group, 0) + 1
            continue
        situation = Situation(group, variant, feature[1], in_words(feature), feature)
        if feature in survey.found:
            yield Sought(situation)
            yield feature, situation
        elif feature in never:
            yield Sought(situation, never[feature], True)
        else:
            yield Sought(situation, f"not met in {survey.games} random and guided games")


Source = Callable[[Maker, Plan], Iterator[Want | Sought]]


def all_sources() -> dict[str, Source]:
    """The sources by name, in the order in which they are asked; `misreadings` comes after them, for what they leave."""
    from lawstone.cases.sources import boundaries, choices, endings, events, examples, guided, openings, phases, readings, symmetry

    modules = (examples, readings, boundaries, choices, endings, phases, openings, events, symmetry, guided)
    return {m.__name__.rpartition(".")[2]: m.wants for m in modules}
