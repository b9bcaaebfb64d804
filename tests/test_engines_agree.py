"""The everyday engine plays the founding games as the oracles do: legal moves, results of moves, endings.

More than 20,000 positions of each game, over all variants, several boards and every answer of every question. They come
from random games, half of which begin in a drawn position in the middle of the game.

Then answers are combined: every two are compared as well, some of them at length, and readings that answer every question. The
oracle's rule against stepping back into a shape, in the north-east variant of Wugun, is switched off, since the game file
cannot say it.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

from compared import (
    Case,
    compare,
    draw_gomoku,
    draw_oxono,
    draw_wugun,
    draw_xxung,
    game_of,
    spec_of,
    walk,
)
from lawstone.model.faults import BadInput
from oracles import gomoku, oxono, wugun, xxung

ORACLES: dict[str, Any] = {
    "xxung": (xxung.Xxung, xxung.QUESTIONS, draw_xxung),
    "gomoku": (gomoku.Gomoku, gomoku.QUESTIONS, draw_gomoku),
    "wugun": (wugun.Wugun, wugun.QUESTIONS, draw_wugun),
    "oxono": (oxono.Oxono, oxono.QUESTIONS, draw_oxono),
}
BOARDS: dict[str, list[tuple[tuple[int, int] | None, int, int]]] = {
    "xxung": [((9, 9), 320, 100), ((5, 5), 320, 100), ((4, 4), 320, 100), ((3, 7), 320, 100)],
    "gomoku": [((15, 15), 160, 10), ((9, 9), 150, 20), ((5, 5), 150, 100), ((3, 6), 150, 100)],
    "wugun": [(None, 300, 10_000)],
    "oxono": [(None, 680, 120)],
}
"""Of each game: boards, positions for every reading, and how many moves of a position are played out."""
MORE_BOARDS: dict[str, list[tuple[tuple[int, int], int, int]]] = {
    "xxung": [((8, 8), 300, 100), ((7, 5), 300, 100), ((19, 19), 100, 100), ((26, 3), 100, 100), ((1, 9), 40, 100)],
    "gomoku": [((19, 19), 100, 10), ((7, 7), 300, 100), ((6, 6), 300, 100), ((26, 5), 100, 10), ((1, 9), 100, 100)],
}
"""Boards of the base reading only."""
TINY = [
    ("xxung", [(1, 1), (1, 2), (2, 1), (1, 7), (7, 1), (2, 2), (2, 3), (3, 3)]),
    ("gomoku", [(1, 1), (1, 2), (2, 1), (1, 6), (6, 1), (2, 2), (3, 2)]),
]
"""Boards on which every position is compared."""
SHUT_IN = [
    ("blocked-at-start", "blocked-player-loses"),
    ("blocked-at-start", "draw"),
    ("no-room", "mover-wins"),
    ("no-room", "draw"),
]
FIRST = [("first-to-place", "white"), ("first-to-step", "white-always"), ("first-to-step", "black-always")]
TOGETHER: list[tuple[str, str, tuple[tuple[str, str], ...]]] = [
    *(("wugun", "", pair) for pair in product(FIRST, SHUT_IN)),
    *(("wugun", v, pair) for v in ("", "north-east") for pair in product(SHUT_IN[:2], SHUT_IN[2:])),
    ("wugun", "north-east", (("filled-order", "first-player-first"), ("unprotected", "not-protected"))),
    ("xxung", "", (("who-is-blocked", "either-player"), ("whose-first-piece", "of-each-player"))),
    ("xxung", "", (("six", "does-not"), ("gaps", "with-gaps"))),
    ("xxung", "", (("in-line", "diagonals-too"), ("how-far", "next-to-it"))),
    ("oxono", "", (("zero-move", "may-stay"), ("pawn-anywhere", "judged-before-the-move"))),
    ("oxono", "", (("zero-move", "may-stay"), ("free-placement", "either-full"))),
    *(
        ("oxono", "", (("jump-when-free", "yes"), ("free-placement", a), ("rim", "four-real-neighbours")))
        for a in ("either-full", "whenever-enclosed")
    ),
    ("oxono", "", (("line-length", "exactly-four"), ("adjacent", "empty-squares-between"))),
    ("oxono", "", (("line-length", "exactly-four"), ("adjacent", "anything-between"))),
    ("oxono", "", (("line-length", "exactly-four"), ("totem-in-line", "is-passed-over"))),
    ("gomoku", "", (("five-beside-overline", "does-not"), ("directions", "row-or-column"))),
    ("gomoku", "", (("five-beside-overline", "does-not"), ("whose-five", "any-colour"))),
]
"""Answers that touch one another, compared together on as many positions as one answer alone."""


def readings(game: str, variant: str) -> list[tuple[tuple[str, str], ...]]:
    """The base reading, and one reading for every other answer of every question that is asked in the variant."""
    return [(), *((other,) for other in others(game, variant))]


def others(game: str, variant: str) -> list[tuple[str, str]]:
    """Every answer of every question of a variant that is not the base answer."""
    spec = spec_of(game)
    return [(q.id, a) for q in spec.questions(variant) for a in q.answers if a != spec.base_answer(q)]


def has_room(case: Case) -> bool:
    """A stone in the middle needs a board with a middle point."""
    answers = {a for _, a in case.reading}
    asks = case.variant in ("pro", "long-pro") or "centre" in answers
    return not asks or case.board is None or case.board[0] % 2 == case.board[1] % 2 == 1


@pytest.mark.parametrize("variant", ["pro", "long-pro"])
@pytest.mark.parametrize("board", [(14, 14), (15, 14), (6, 6)])
def test_pro_is_refused_by_engine_and_oracle_where_a_board_has_no_middle_point(variant: str, board: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match="no middle site"):
        spec_of("gomoku").rules(variant, {}, board)
    with pytest.raises(ValueError, match="has none"):
        gomoku.Gomoku(board=board, variant=variant)


def cases() -> list[Case]:
    found = []
    for game in ORACLES:
        for variant in ("", *(spec_of(game).game.variants or {})):
            for reading in readings(game, variant):
                for board, positions, results in BOARDS[game]:
                    found.append(Case(game, positions, variant, reading, board, results))
            for board, positions, results in MORE_BOARDS.get(game, []):
                found.append(Case(game, positions, variant, (), board, results))
    for game, variant, reading in TOGETHER:
        board, positions, results = BOARDS[game][1 if len(BOARDS[game]) > 1 else 0]
        found.append(Case(game, positions, variant, reading, board, results))
    return [case for case in found if has_room(case)]


CASES = cases()


def oracle_of(case: Case) -> Any:
    options: dict[str, Any] = {question.replace("-", "_"): answer for question, answer in case.reading}
    if case.board is not None:
        options["board"] = case.board
    if case.variant:
        options["variant"] = case.variant
    if case.variant == "north-east":
        options["return_step"] = "allowed"
    return ORACLES[case.game][0](**options)


def test_twenty_thousand_positions_of_each_founding_game_are_to_be_compared() -> None:
    positions: Counter[str] = Counter()
    for case in CASES:
        positions[case.game] += case.positions
    assert positions.keys() == ORACLES.keys()
    assert min(positions.values()) >= 20_000


def test_every_variant_and_every_answer_is_among_the_cases() -> None:
    compared = {(case.game, case.variant, answer) for case in CASES for answer in (case.reading or ("base",))}
    for game, (_, known, _) in ORACLES.items():
        spec = spec_of(game)
        for variant in ("", *(spec.game.variants or {})):
            assert (game, variant, "base") in compared
            for question in spec.questions(variant):
                assert spec.base_answer(question) == known[question.id][0]
                for answer in question.answers:
                    assert answer in known[question.id]
                    if answer != spec.base_answer(question):
                        assert (game, variant, (question.id, answer)) in compared


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_everyday_engine_agrees_with_the_oracle(case: Case) -> None:
    oracle = oracle_of(case)
    assert sum(1 for _ in walk(case, oracle, 0, ORACLES[case.game][2])) == case.positions


NOT_TOLD_APART = {
    "clock", "clock-picks", "pass", "draw=full-board-only",  # events, which are not played here
    "last-piece",  # with alternating turns the last piece of the game is always the opponent's
    "who-is-blocked",  # both players may use the same cells
    "pro-third=straight-line",  # the same points as by the king's distance
    "long-pro pro-third=three-between",  # what long PRO says anyway
    "north-east no-room", "chinese-wikipedia blocked-at-start",  # hardly ever reached there
    "own-count",  # whoever shuts in three stones with three has a standing edge three, which is not removed
}  # fmt: skip
"""Answers that change nothing here, or nothing that is drawn."""


def told_apart(case: Case) -> bool:
    if len(case.reading) > 1:
        return False
    ((question, answer),) = case.reading
    words = f"{question}={answer}"
    return not NOT_TOLD_APART & {question, words, f"{case.variant} {words}", f"{case.variant} {question}"}


@pytest.mark.parametrize(
    ("game", "variant", "reading"),
    sorted({(c.game, c.variant, c.reading) for c in CASES if c.reading and told_apart(c)}),
    ids=lambda part: part if isinstance(part, str) else "=".join(*part),
)
def test_the_positions_tell_every_answer_from_the_base_reading(
    game: str, variant: str, reading: tuple[tuple[str, str], ...]
) -> None:
    """Else agreement would say nothing of the answer: so the oracle of the base reading must disagree somewhere."""
    for case in (case for case in CASES if (case.game, case.variant, case.reading) == (game, variant, reading)):
        base = oracle_of(Case(game, 0, variant, (), case.board))
        try:
            for _ in walk(case, base, 0, ORACLES[game][2]):
                pass
        except AssertionError:
            return
    pytest.fail("no position shows a difference between the answer and the base reading")


VARIANTS = [(game, v) for game in ORACLES for v in ("", *(spec_of(game).game.variants or {})) if v != "chinese-wikipedia"]
"""Where pairs of answers are compared; the Chinese Wikipedia's rules differ from the base in what shapes are worth only."""


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_two_answers_mean_together_what_they_mean_to_the_oracle(game: str, variant: str) -> None:
    board = BOARDS[game][1][0] if len(BOARDS[game]) > 1 else None
    compared = 0
    for one, other in combinations(others(game, variant), 2):
        case = Case(game, 10, variant, (one, other), board, 60)
        if one[0] == other[0] or not has_room(case):
            continue
        compared += sum(1 for _ in walk(case, oracle_of(case), 0, ORACLES[game][2]))
    assert compared >= 300


@pytest.mark.parametrize("game", ORACLES)
def test_what_two_answers_mean_at_once_is_compared_on_as_many_positions_as_one_answer(game: str) -> None:
    spec, board = spec_of(game), BOARDS[game][1][0] if len(BOARDS[game]) > 1 else None
    for pair in spec.game.together or []:
        case = Case(game, 150, "", tuple(pair.answers.items()), board, 60)
        assert sum(1 for _ in walk(case, oracle_of(case), 0, ORACLES[game][2])) == 150


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_an_answer_to_every_question_means_what_it_means_to_the_oracle(game: str, variant: str) -> None:
    """A reading answers all questions at once, drawn here; nothing that a game's questions offer may exclude anything else."""
    spec, board, dice = spec_of(game), BOARDS[game][1][0] if len(BOARDS[game]) > 1 else None, random.Random(5)
    for _ in range(12):
        answers = {q.id: dice.choice(list(q.answers)) for q in spec.questions(variant)}
        case = Case(game, 12, variant, tuple(answers.items()), board, 60)
        if has_room(case):
            assert sum(1 for _ in walk(case, oracle_of(case), 0, ORACLES[game][2])) == 12


@pytest.mark.parametrize(
    ("game", "variant", "board"),
    [
        (game, variant, board)
        for game, boards in TINY
        for variant, board in product(("", *(spec_of(game).game.variants or {})), boards)
        if has_room(Case(game, 0, variant, (), board))
    ],
)
def test_every_position_on_a_tiny_board_agrees(game: str, variant: str, board: tuple[int, int]) -> None:
    case = Case(game, 0, variant, (), board)
    position, oracle = game_of(case).start(), oracle_of(case)
    level = {position.state: (position, oracle.start())}
    compared = 0
    for _ in range(board[0] * board[1] + 8):
        following = {}
        for position, state in level.values():
            compared += 1
            for _, after, theirs in compare(position, oracle, state, 10_000, random.Random(0)):
                if after.ended is None:
                    following[after.state] = (after, theirs)
        level = following
    assert not level
    assert compared >= 1
