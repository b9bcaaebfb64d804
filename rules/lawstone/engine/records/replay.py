"""Replaying a record: the first illegal move, or how the game ended, and under which readings that is otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lawstone.engine.game import Game, MoveError, Position
from lawstone.engine.records.record import Record, placed
from lawstone.engine.records.replayed import Difference, Ended, Illegal, Replayed, Run, What
from lawstone.lower import Rules
from lawstone.model.faults import BadInput
from lawstone.spec import Spec, Usage

Why = Callable[[Position, str], str]
"""Says why a written move is not legal in a position; the empty string leaves it at the engine's own words."""


def replay(record: Record, spec: Spec, why: Why | None = None) -> Replayed:
    """Replay a record under its reading, then under every other answer of each question that is asked of its variant.

    Raises Usage for a variant, an answer or a board that the game does not have, BadInput for a faulty game file.
    """
    base = _run(record, _game(record, spec, record.reading), why)
    differences, compared, left_out = [], [], []
    for question in spec.questions(record.variant):
        held = record.reading.get(question.id, spec.base_answer(question))
        for answer in question.answers:
            if answer == held:
                continue
            try:
                game = _game(record, spec, {**record.reading, question.id: answer})
            except (Usage, BadInput) as error:
                reason = error.faults[0].message if isinstance(error, BadInput) else str(error)
                left_out.append((question.id, answer, reason))
                continue
            compared.append((question.id, answer))
            other = _run(record, game, None)
            parting = _parting(base, other)
            if parting:
                differences.append(Difference(question.id, answer, *parting, other))
    now, then = spec.game.rules_version, record.rules_version
    older = f"the record was made under version {then} of the rules, and these are version {now}"
    notes = record.notes if then in (None, now) else (*record.notes, older)
    return Replayed(record, base, tuple(differences), tuple(compared), tuple(left_out), _agrees(record, base), notes)


def _game(record: Record, spec: Spec, reading: Mapping[str, str]) -> Game:
    rules = spec.rules(record.variant, reading)
    if record.board is not None and record.board != _size(rules):
        rules = spec.rules(record.variant, reading, record.board)
    return Game(spec, rules)


def _size(rules: Rules) -> tuple[int, int]:
    return rules.board.width, rules.board.height


def _run(record: Record, game: Game, why: Why | None) -> Run:
    position, illegal = game.start(), None
    ended: Ended | None = None
    played = 0
    for n, ply in enumerate(record.plies, 1):
        try:
            after = position.play(ply.text)
            wrong = _another(position, after, ply.text, ply.by)
        except MoveError as error:
            after, wrong = position, _told(why, error) or str(error)
        if wrong:
            illegal = Illegal(n, ply.text, wrong, ply.mark, position)
            break
        position, played = after, n
        if position.ended is not None:
            ended = _ended(position, n)
    if ended is None and illegal is None and position.outcome is not None:
        ended = _ended(position, played)
    return Run(dict(game.rules.reading), played, ended, illegal, position)


def _told(why: Why | None, error: MoveError) -> str:
    try:
        return why(error.position, error.move) if why else ""
    except MoveError:  # what cannot be read as a move cannot be explained as one
        return ""


def _another(before: Position, after: Position, text: str, by: str) -> str:
    """What is wrong with who made a move, where the source says who did."""
    if not by or by == before.actor:
        return ""
    stone = placed(after, text)
    if by == stone or (not stone and by in before.colour_of_seat):
        return ""
    return (
        f"{text!r} is {by}'s in this record, and here {before.actor} lays a stone of {stone}"
        if stone
        else (f"{text!r} is {by}'s in this record, and here {before.actor} is to act")
    )


def _ended(position: Position, ply: int) -> Ended:
    outcome = position.outcome
    assert outcome is not None
    if outcome.winner is None:
        return Ended(outcome.kind, outcome.rule, ply)
    words = position.game.rules.words
    colour = position.colour_of_seat[outcome.winner] if words.colours else ""
    return Ended(words.players[outcome.winner], outcome.rule, ply, colour)


def _parting(base: Run, other: Run) -> tuple[What, int] | None:
    """How two runs of the same record differ, and at which ply. What comes after the end of a game is not compared."""
    never = 1 << 30
    over, other_over = (run.ended.ply if run.ended else never for run in (base, other))
    wrong = never if base.ended or not base.illegal else base.illegal.ply
    other_wrong = never if other.ended or not other.illegal else other.illegal.ply
    first = min(over, other_over, wrong, other_wrong)
    if first in (wrong, other_wrong):
        if first == never or wrong == other_wrong:
            return None
        return ("illegal" if first == other_wrong else "legal"), first
    if base.ended == other.ended:
        return None
    if base.ended and other.ended and (base.ended.winner, over) == (other.ended.winner, other_over):
        return "rule", first
    return "outcome", first


def _agrees(record: Record, run: Run) -> bool | None:
    """Whether the file's result is the one found; a game that does not end on the board may have been resigned."""
    if not record.winner or run.ended is None:
        return None
    return record.winner in (run.ended.winner, run.ended.colour)
