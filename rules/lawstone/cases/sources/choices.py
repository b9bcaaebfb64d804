"""Every pick with no option, one, exactly enough and one too few; every entry of a fallback in force, by where the piece stands and
what is beside it; and moves that each rule forbids."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.features import Feature
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways
from lawstone.cases.sources import Plan, sought, survey_of
from lawstone.cases.survey import Survey
from lawstone.check.search import Line
from lawstone.core import Clause
from lawstone.engine.notation import write
from lawstone.engine.state import Picks

KINDS = {
    "options": "picks, by how much there is", "line": "fallbacks, by place and company", "moves": "positions with one move or none",
    "stuck": "duties that cannot be met",
}  # fmt: skip
ENOUGH: dict[str, str] = {
    "none": "no option", "one": "one option", "exactly enough": "exactly enough", "one too few": "one too few",
}  # fmt: skip


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """For each pick, how much there is to pick from, and each way that is in force."""
    for variant in maker.variants:
        survey = survey_of(maker, variant, plan)
        for found in sought(maker, variant, plan, KINDS):
            if isinstance(found, Sought):
                yield found
            else:
                yield from _of(maker, variant, survey, plan, *found)


def _of(maker: Maker, variant: str, survey: Survey, plan: Plan, feature: Feature, situation: Situation) -> Iterator[Want | Sought]:
    kind, rule, what = feature[:3]
    found = survey.smaller(feature, plan.replays)
    moves = survey.moves(found)
    rules = (rule, what) if kind == "line" else (rule,)
    flags = (ENOUGH[what],) if what in ENOUGH and kind != "line" else ("fallback",) if kind == "line" and feature[3] else ()
    before = moves[:-1] if found.moved else moves
    shows = (situation,)
    listed = ways(maker.base(variant).position(before)) <= MOST_MOVES
    if found.moved:
        yield Want(variant, Asked(before, "after", moves[-1]), rules, flags, shows=shows)
        made = made_before(survey, found.line, rule)
        if made and listed:
            yield Want(variant, Asked(before, "legal picks", made), rules, flags, shows=shows)
    elif listed:
        yield Want(variant, Asked(before, "legal moves"), rules, flags, shows=shows)
    else:
        yield from (
            Want(variant, Asked(before, "is legal", m), rules, flags, shows=shows) for m in _legal(survey, moves)
        )  # fmt: skip
    if kind in ("line", "options"):
        yield from forbidden(maker, variant, before, rule)


def _legal(survey: Survey, moves: tuple[str, ...]) -> list[str]:
    """A legal move after a game, found without listing all."""
    game = survey.game
    state = game.start()
    for move in moves:
        state = state.play(move)
    option = next(iter(survey.options(state.state)), None)
    return [] if option is None else [write(game.rules, state.state, game.engine.nth(option, 0))]


def made_before(survey: Survey, line: Line, rule: str) -> str:
    """The picks of the last move of a game that come before the choice of a rule, in notation; empty where there are none."""
    state, move = survey.replayed(line)
    turn = survey.game.rules.phases[state.phase].turns[move.turn]
    for n, choice in enumerate(turn.choices):
        if rule in _rules(choice.why) | {choice.rule} and 0 < n <= len(move.sites):
            return write(survey.game.rules, state, Picks(move.turn, move.sites[:n]))
    return ""


def _rules(clause: Clause) -> set[str]:
    return {clause.rule}.union(*(_rules(p) for p in clause.parts))


def forbidden(maker: Maker, variant: str, moves: tuple[str, ...], rule: str) -> Iterator[Want]:
    """A move that is nearly legal here, to a site beside those allowed, and one that is legal."""
    base = maker.base(variant)
    position = base.position(moves)
    if not 0 < ways(position) <= MOST_MOVES:
        return
    board = position.game.rules.board
    legal = {m.text for m in position.moves}
    text = position.moves[len(position.moves) // 2].text
    stem = len(text.rstrip("0123456789")) - 1
    head, tail = text[:stem], text[stem:]
    if tail not in board.numbers or "x" in head[1:]:
        return
    near = [board.names[t] for table in board.steps.values() if (t := table[board.numbers[tail]]) is not None]
    for name in (*near, *board.names):
        if head + name not in legal:
            yield Want(variant, Asked(moves, "is legal", head + name), (rule,))
            break
    yield Want(variant, Asked(moves, "is legal", text), (rule,))
