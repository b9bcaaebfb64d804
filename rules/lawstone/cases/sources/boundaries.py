"""Both sides of every condition: of guards and picks, of endings, of what follows, each condition that they are made of.

Where a condition holds, its neighbour is a position where it does not that differs in as little as can be reached: one site, one
hand count, the player to move, or one piece that stands elsewhere. Both are reached by a game.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.features import Feature, in_words
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.sources import Plan, never_of, sought, survey_of
from lawstone.cases.survey import Found, Survey
from lawstone.check.search import Line

OTHER = {"holds": "fails", "fails": "holds"}
FLAGS = {"holds": "boundary holds", "fails": "boundary fails"}
GROUP = "conditions, both sides"
NEAR = "conditions, the nearest two games on both sides"


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """For each condition and each side of it the smallest game met, and of the nearest two games on both sides each."""
    for variant in maker.variants:
        survey = survey_of(maker, variant, plan)
        conditions: dict[Feature, dict[str, Situation]] = {}
        for found in sought(maker, variant, plan, {"holds": GROUP, "fails": GROUP}):
            if isinstance(found, Sought):
                yield found
                conditions.setdefault(_condition(found.situation.feature), {})
            else:
                feature, situation = found
                conditions.setdefault(_condition(feature), {})[feature[0]] = situation
        for condition, sides in conditions.items():
            yield from _both_sides(maker, variant, survey, plan, condition, sides)


def _condition(feature: Feature) -> Feature:
    return ("condition", *feature[1:])


def _both_sides(
    maker: Maker, variant: str, survey: Survey, plan: Plan, condition: Feature, sides: dict[str, Situation]
) -> Iterator[Want | Sought]:
    rules = (condition[1],) if condition[1] in maker.spec.all_rules() else ()
    best: tuple[int, str, str, Asked, Asked] | None = None
    for side, situation in sides.items():
        feature: Feature = (side, *condition[1:])
        found = survey.smaller(feature, plan.replays)
        here = _asked(maker, variant, survey, found, feature)
        if here is None:
            continue
        yield Want(variant, here, rules, (FLAGS[side],), shows=(situation,))
        other: Feature = (OTHER[side], *condition[1:])
        if other not in survey.found or (best is not None and best[0] <= 1):
            continue
        near = survey.neighbour(found, other, 4 * plan.replays)
        there = None if near is None else _asked(maker, variant, survey, Found(near.line, found.moved), other)
        if near is not None and there is not None and (best is None or near.far < best[0]):
            best = (near.far, near.differs, side, here, there)
    told = in_words(condition)
    if best is None:
        yield _alone(maker, variant, plan, condition, Situation(NEAR, variant, condition[1], told), len(sides))
        return
    _, differs, side, here, there = best
    shows = (Situation(NEAR, variant, condition[1], f"{told}: {differs}"),)
    yield Want(variant, here, rules, (FLAGS[side],), shows=shows, neighbour=there)
    yield Want(variant, there, rules, (FLAGS[OTHER[side]],), shows=(*shows, sides[OTHER[side]]), neighbour=here)


def _alone(maker: Maker, variant: str, plan: Plan, condition: Feature, situation: Situation, sides: int) -> Sought:
    """Why a condition has no two near games; proved where one of its sides cannot come about."""
    never = never_of(maker, variant, plan)
    if any((side, *condition[1:]) in never for side in OTHER):
        return Sought(situation, "one of its sides cannot come about: proved for all reachable positions", True)
    return Sought(situation, "no game that differs in little reaches the other side" if sides == 2 else "one side was not met")


def _asked(maker: Maker, variant: str, survey: Survey, found: Found, feature: Feature) -> Asked | None:
    """The question that shows a condition best: how the game stands, what follows, what may be picked."""
    moves = survey.moves(found)
    role = feature[2]
    if role == "ending":
        return Asked(moves, "outcome")
    if role == "next":
        return Asked(moves[:-1], "after", moves[-1])
    if found.moved:
        return _pick(maker, variant, survey, found.line, moves, feature[1])
    position = maker.base(variant).position(moves)
    if position.ended is not None:
        return None
    return Asked(moves, "legal moves") if ways(position) <= MOST_MOVES else None


def _pick(maker: Maker, variant: str, survey: Survey, line: Line, moves: tuple[str, ...], rule: str) -> Asked | None:
    from lawstone.cases.sources.choices import made_before

    made = made_before(survey, line, rule)
    before = maker.base(variant).position(moves[:-1])
    if made and ways(before) <= MOST_MOVES:
        asked = Asked(moves[:-1], "legal picks", made)
        there = maker.base(variant).answer(asked)
        if there is not None and there.picks:
            return asked
    return Asked(moves[:-1], "after", moves[-1])
