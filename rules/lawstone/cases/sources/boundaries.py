"""Both sides of every condition: of each ending and each branch, every condition that it is made of, holding and failing.

Where a condition holds after a move, its neighbour is another move from the same position after which it does not: one piece
stands elsewhere, and all else is the same. Both are reached by a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from lawstone.cases.answer import Asked
from lawstone.cases.make import Maker, Want, where_stands
from lawstone.cases.sources import Plan, concerns
from lawstone.cases.survey import Feature, Place, Survey, flags_below
from lawstone.core import Scope, Term, Turn, fold
from lawstone.engine.notation import write
from lawstone.engine.state import Picks, State, members
from lawstone.lower import Value

ALWAYS = ("wins", "next", "stuck", "together")
"""Features that every variant shows, whatever rules it changes."""
NEIGHBOURS = 60
"""Other moves tried for the other side of a condition."""


def wants(maker: Maker, plan: Plan) -> Iterator[Want]:
    """For each condition and each side of it the smallest game met, and its neighbour on the other side."""
    for variant in maker.variants:
        survey = Survey(maker.base(variant).game, features)
        survey.play(plan.games, plan.seed)
        yield from _of_survey(maker, survey, variant, plan)


def _of_survey(maker: Maker, survey: Survey, variant: str, plan: Plan) -> Iterator[Want]:
    ours = {rule: concerns(maker, variant, rule) for rule in {f[1] for f in survey.found}}
    for feature in list(survey.found):
        if not ours[feature[1]] and feature[0] not in ALWAYS:
            continue
        found = survey.smaller(feature, plan.replays)
        moves = survey.moves(found)
        kind, rule, *_ = feature
        flag = {"holds": "boundary holds", "fails": "boundary fails"}.get(kind)
        yield Want(variant, Asked(moves, "outcome"), (rule,) if rule else (), (flag,) if flag else ())
        if kind == "next":
            yield Want(variant, Asked(moves[:-1], "after", moves[-1]), (rule,) if rule else ())
        if flag is None:
            continue
        state, last = survey.replayed(found)
        neighbour = _neighbour(survey, state, last, feature)
        if neighbour is not None:
            text = write(survey.game.rules, state, neighbour)
            other = "boundary fails" if kind == "holds" else "boundary holds"
            yield Want(variant, Asked((*moves[:-1], text), "outcome"), (rule,), (other,))


def _neighbour(survey: Survey, state: State, last: Picks, feature: Feature) -> Picks | None:
    """Another move from the same position on the other side of a condition; one nearest by what it picks."""
    kind, rule, number = feature[:3]
    wanted = ("fails" if kind == "holds" else "holds", rule, number)
    engine = survey.game.engine
    others = [m for o in survey._options(state)[:400] for m in _some(engine.expand(o))]
    others.sort(key=lambda m: (m.turn != last.turn, sum((a ^ b).bit_count() for a, b in zip(m.sites, last.sites, strict=False)), m))
    values = dict(zip(survey.names, state.values, strict=True))
    for move in others[:NEIGHBOURS]:
        after = engine.play(state, move)
        place = Place(survey.game, survey.ints, state, values, [], move, after.state, after.outcome)
        if move != last and any(f[:3] == wanted for f in features(place)):
            return move
    return None


def _some(moves: Iterator[Picks]) -> list[Picks]:
    return [m for _, m in zip(range(40), moves, strict=False)]


def features(place: Place) -> Iterator[Feature]:
    """The conditions of endings and branches that hold or fail after a move, and where its piece stands."""
    if place.move is None or place.after is None:
        return
    turn = place.game.rules.phases[place.state.phase].turns[place.move.turn]
    if len(place.move.sites) < len(turn.choices):
        yield "stuck", turn.choices[len(place.move.sites)].rule, place.state.phase
        return
    scope = Scope(_values_after(place, turn))
    true = []
    for ending in turn.endings:
        holds = bool(fold(ending.flag, place.ints, scope))
        if holds:
            true.append(ending.rule)
        parts = []
        for number, term in enumerate(_flags(ending.flag)):
            side = bool(fold(term, place.ints, scope))
            yield "holds" if side else "fails", ending.rule, number
            parts.append(side)
        if holds:
            yield "ends", ending.rule, _where(place, turn), tuple(parts)
            yield "wins", ending.rule, place.state.seat, place.state.phase
            for rim in _rims(place, turn):
                yield "ends at", ending.rule, rim, tuple(parts)
    if len(true) > 1:
        yield "together", true[0], tuple(true), place.state.seat
    if place.outcome is None and place.after.phase != place.state.phase:
        passes = place.after.seat != place.state.seat
        rule = next((n.rule for n in turn.next if n.phase == place.after.phase and fold(n.flag, place.ints, scope)), "")
        yield "next", rule, place.state.phase, place.after.phase, passes, _pending(place)
    if true and any(v == 0 for n, v in scope.values.items() if "hand " in n):
        yield "empty hand", true[0], place.state.seat


def _pending(place: Place) -> tuple[str, ...]:
    """What is left over at a change of phase: empty hands, captures made."""
    assert place.after is not None
    names = [v.name for v in place.game.rules.variables]
    values = zip(names, place.after.values, strict=True)
    return tuple(n for n, v in values if ("hand" in n and v == 0) or ("captured" in n and v))


@cache
def _flags(term: Term) -> tuple[Term, ...]:
    return tuple(flags_below(term))


def _values_after(place: Place, turn: Turn) -> Mapping[str, Value]:
    assert place.move is not None
    chosen: dict[str, Value] = dict(zip((c.name for c in turn.choices), place.move.sites, strict=False))
    before = Scope[Value]({**place.values, **chosen})
    after = {n: fold(turn.updates[n], place.ints, before) if n in turn.updates else v for n, v in place.values.items()}
    return {**after, **chosen}


def _site(place: Place, turn: Turn) -> int | None:
    assert place.move is not None
    put = [m for c, m in zip(turn.choices, place.move.sites, strict=False) if c.role in ("place", "to") and m.bit_count() == 1]
    return members(put[-1])[0] if put else None


def _where(place: Place, turn: Turn) -> str:
    site = _site(place, turn)
    return "" if site is None else where_stands(place.game, site)


def _rims(place: Place, turn: Turn) -> list[str]:
    """The sides of the board that the piece just placed touches."""
    site, board = _site(place, turn), place.game.rules.board
    if site is None:
        return []
    return [d for d in ("north", "east", "south", "west") if d in board.steps and board.steps[d][site] is None]
