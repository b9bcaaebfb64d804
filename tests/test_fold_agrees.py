"""The reference interpreter, which folds the terms over ints, and the everyday engine, which runs emitted text, agree.

For every shipped game, every variant and every answer of every question, on positions of random games and on arbitrary
ones: any disjoint sets of pieces, hands, flags and phases, also such as no game reaches. The engines must agree on all.
"""

from __future__ import annotations

import random

import pytest

from compared import arbitrary_state, reached_state, spec_of
from lawstone.data import shipped_games
from lawstone.engine.everyday import Everyday
from lawstone.engine.reference import Interpreter
from lawstone.lower import Rules

POSITIONS = 12
PLAYED = 6
SIZES: dict[str, list[tuple[int, int]]] = {
    "xxung": [(8, 8), (15, 15), (19, 19), (1, 7), (7, 1), (1, 1), (26, 2)],
    "gomoku": [(8, 8), (19, 19), (1, 7), (7, 1), (1, 1), (2, 26)],
    "pente": [(8, 8), (15, 15), (1, 9), (9, 1), (1, 1), (3, 26)],
}


def readings() -> list[tuple[str, str, dict[str, str]]]:
    found: list[tuple[str, str, dict[str, str]]] = []
    for name in shipped_games():
        spec = spec_of(name)
        for variant in ("", *(spec.game.variants or {})):
            found.append((name, variant, {}))
            found += [(name, variant, {q.id: a}) for q in spec.questions(variant) for a in q.answers if a != spec.base_answer(q)]
    return found


def compare(rules: Rules, positions: int, chance: random.Random) -> int:
    """How many positions had moves; fails where the two engines differ."""
    law, everyday = Interpreter(rules), Everyday(rules)
    alive = 0
    for n in range(positions):
        state = reached_state(everyday, chance) if n % 2 else arbitrary_state(rules, chance)
        moves = law.moves(state)
        assert everyday.moves(state) == moves
        alive += bool(moves)
        for move in chance.sample(moves, min(PLAYED, len(moves))):
            assert everyday.play(state, move) == law.play(state, move)
    return alive


@pytest.mark.parametrize(("name", "variant", "reading"), readings(), ids=lambda part: str(part) or "base")
def test_the_fold_and_the_emitted_text_agree(name: str, variant: str, reading: dict[str, str]) -> None:
    rules = spec_of(name).rules(variant, reading)
    assert compare(rules, POSITIONS, random.Random(f"{name} {variant} {reading}")) > 0


@pytest.mark.parametrize(("name", "board"), [(name, board) for name, sizes in SIZES.items() for board in sizes])
def test_the_fold_and_the_emitted_text_agree_on_other_boards(name: str, board: tuple[int, int]) -> None:
    spec = spec_of(name)
    assert spec.game.board.resizable
    for variant in ("", *(v for v in spec.game.variants or {} if "pro" not in v)):
        assert compare(spec.rules(variant, {}, board), POSITIONS, random.Random(f"{name} {variant} {board}")) > 0
