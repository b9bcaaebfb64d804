"""Every pick with no option, one, exactly enough and one too few; every line of a fallback in force, where the piece stands; and
moves that each rule forbids."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.make import MOST_MOVES, Maker, Want, ways, where_stands
from lawstone.cases.sources import Plan, concerns
from lawstone.cases.survey import Feature, Place, Survey
from lawstone.core import Choice, Clause, Scope, Sort, Turn, fold
from lawstone.engine.notation import write
from lawstone.engine.state import Picks, members

ENOUGH: dict[str, str] = {
    "none": "no option", "one": "one option", "exactly": "exactly enough", "one too few": "one too few",
}  # fmt: skip


def wants(maker: Maker, plan: Plan) -> Iterator[Want]:
    """For each pick, how much there is to pick from, and each way that is in force."""
    for variant in maker.variants:
        game = maker.base(variant).game
        survey = Survey(game, features)
        survey.play(plan.games, plan.seed + 7)
        ours = {rule: concerns(maker, variant, rule) for rule in {f[1] for f in survey.found}}
        for feature in [f for f in survey.found if ours[f[1]]]:
            found = survey.smaller(feature, plan.replays)
            moves = survey.moves(found)
            kind, rule, what = feature[:3]
            rules = (rule, what) if kind == "line" else (rule,)
            flags = (ENOUGH[what],) if what in ENOUGH else ("fallback",) if kind == "line" and feature[3] else ()
            if found.moved:
                state, last = survey.replayed(found)
                text = moves[-1]
                before = moves[:-1]
                yield Want(variant, Asked(before, "after", text), rules, flags)
                made = _picks_before(survey, state.phase, last, rule)
                if made:
                    partial = write(game.rules, state, Picks(last.turn, last.sites[:made]))
                    yield Want(variant, Asked(before, "legal picks", partial), rules, flags)
            else:
                before = moves
            position = maker.base(variant).position(before)
            if ways(position) <= MOST_MOVES:
                yield Want(variant, Asked(before, "legal moves"), rules, flags)
            if kind in ("line", "part"):
                yield from _forbidden(maker, variant, before, rule)


def _picks_before(survey: Survey, phase: str, move: Picks, rule: str) -> int:
    """How many picks stand before the choice of a rule; 0 where it is the first or is not there."""
    turn = survey.game.rules.phases[phase].turns[move.turn]
    for n, choice in enumerate(turn.choices):
        if rule in _rules(choice.why) | {choice.rule} and n <= len(move.sites):
            return n
    return 0


def _rules(clause: Clause) -> set[str]:
    return {clause.rule}.union(*(_rules(p) for p in clause.parts))


def _forbidden(maker: Maker, variant: str, moves: tuple[str, ...], rule: str) -> Iterator[Want]:
    """The moves that are nearly legal here: a site beside those allowed."""
    base = maker.base(variant)
    position = base.position(moves)
    if not 0 < ways(position) <= MOST_MOVES:
        return
    board = position.game.rules.board
    legal = {m.text for m in position.moves}
    text = position.moves[len(position.moves) // 2].text
    stem = len(text) - len(text.lstrip("-")) + len(text.rstrip("0123456789")) - 1
    head, tail = text[:stem], text[stem:]
    if tail not in board.numbers or "x" in head[1:]:
        return
    near = [board.names[t] for table in board.steps.values() if (t := table[board.numbers[tail]]) is not None]
    for name in (*near, *board.names):
        if head + name not in legal:
            yield Want(variant, Asked(moves, "is legal", head + name), (rule,))
            break
    yield Want(variant, Asked(moves, "is legal", text), (rule,))


def features(place: Place) -> Iterator[Feature]:
    """How much there is to pick from at each pick, and which way of picking is in force."""
    turns = place.game.rules.phases[place.state.phase].turns
    if place.move is None:
        for turn in turns:
            if fold(turn.guard, place.ints, Scope(dict(place.values))):
                if turn.choices:
                    yield from _at(place, turn, 0)
            else:
                yield "guard", turn.rule, "closed", turn.label
        total = sum(o[0] for o in place.options)
        if total <= 1:
            yield "moves", turns[0].rule, "none" if total == 0 else "one"
        return
    turn = turns[place.move.turn]
    for n in range(1, min(len(place.move.sites) + 1, len(turn.choices))):
        yield from _at(place, turn, n)


def _at(place: Place, turn: Turn, n: int) -> Iterator[Feature]:
    choice = turn.choices[n]
    made = place.move.sites[:n] if place.move is not None else ()
    values = {**place.values, **dict(zip((c.name for c in turn.choices), made, strict=False))}
    scope = Scope(values)
    among, due = int(fold(choice.among, place.ints, scope)), int(fold(choice.count, place.ints, scope))
    yield "options", choice.rule, _enough(among.bit_count(), due), place.state.phase, min(due, 4)
    yield from _lines(place, choice, choice.why, scope, _pivot(place, turn, made))


def _enough(there: int, due: int) -> str:
    if due == 0:
        return "nothing due"
    if there == 0:
        return "none"
    if there < due:
        return "one too few" if there == due - 1 else "too few"
    return ("one" if due == 1 else "exactly") if there == due else "more"


def _lines(place: Place, choice: Choice, clause: Clause, scope: Scope[int | bool], pivot: tuple[str, ...]) -> Iterator[Feature]:
    """Which entry of a fallback is in force, with where the piece concerned stands and what is beside it; parts that are empty."""
    for number, part in enumerate(clause.parts):
        value = fold(part.term, place.ints, scope)
        if clause.mode == "first":
            if value:
                yield "line", choice.rule, part.rule, number, *pivot
                yield from _lines(place, choice, part, scope, pivot)
                return
        else:
            if part.term.sort is Sort.FLAG or not value:
                yield "part", part.rule, part.says, bool(value)
            yield from _lines(place, choice, part, scope, pivot)


def _pivot(place: Place, turn: Turn, made: tuple[int, ...]) -> tuple[str, ...]:
    """Where the piece stands that a pick starts from (the last site picked, or the single piece of its kind), and its company."""
    board, values = place.game.rules.board, place.values
    ones = [m for m in made if m.bit_count() == 1]
    single = [int(values[n]) for n in values if turn.label and n.endswith(" " + turn.label[-1]) and "." not in n]
    mask = ones[-1] if ones else single[0] if single else int(values.get("last", 0))
    if mask.bit_count() != 1:
        return ()
    site = members(mask)[0]
    beside = 0
    for direction in ("north", "east", "south", "west"):
        t = board.steps[direction][site] if direction in board.steps else None
        beside |= 1 << t if t is not None else 0
    company = sorted(
        {
            n.rpartition(".")[2].split()[0]
            for n, v in values.items()
            if n.rpartition(".")[2] in place.game.tokens and int(v) & beside
        }
    )
    return (where_stands(place.game, site), *company)
