"""A recognised symmetry of the rules carries legal moves to legal moves and results to results."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compared import arbitrary_state, reached_state, spec_of
from lawstone.data import shipped_games
from lawstone.engine.everyday import Everyday
from lawstone.engine.state import Picks, State
from lawstone.engine.symmetry import Carry, canonical, symmetries
from lawstone.lower import Rules, lower
from lawstone.model.game import Game

Clause = dict[str, Any]
SQUARE = {
    "identity", "half turn", "left and right", "top and bottom", "rising diagonal", "falling diagonal", "quarter turn",
    "three quarter turn",
}  # fmt: skip
VARIANTS = [(name, variant) for name in shipped_games() for variant in ("", *(spec_of(name).game.variants or {}))]


def image(carry: Carry, rules: Rules, phase: str, move: Picks) -> Picks:
    """The same move after a symmetry: its sites carried over, its options exchanged."""
    turns = rules.phases[phase].turns
    label = tuple(carry.kinds.get(word, word) for word in turns[move.turn].label)
    (number,) = [n for n, turn in enumerate(turns) if turn.label == label]
    return Picks(number, tuple(carry.mask(sites) for sites in move.sites))


def check(engine: Everyday, carries: tuple[Carry, ...], state: State, chance: random.Random, results: int = 8) -> int:
    """How many moves the position has; fails where a symmetry does not carry moves, results and endings over."""
    moves = engine.moves(state)
    for carry in carries:
        other = carry.state(state)
        images = {image(carry, engine.rules, state.phase, move): move for move in moves}
        assert set(engine.moves(other)) == set(images)
        for there, here in chance.sample(sorted(images.items()), min(results, len(images))):
            after, result = engine.play(state, here), engine.play(other, there)
            assert result.outcome == after.outcome
            assert result.state == carry.state(after.state)
    assert {canonical(carry.state(state), carries) for carry in carries} == {canonical(state, carries)}
    assert canonical(state, carries) in {carry.state(state) for carry in carries}
    return len(moves)


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_symmetry_of_a_shipped_game_carries_moves_and_results(name: str, variant: str) -> None:
    engine, chance = Everyday(spec_of(name).rules(variant)), random.Random(f"{name} {variant}")
    carries = symmetries(engine.rules)
    assert carries[0].name == "identity"
    assert len(carries) > 1
    moves = 0
    for n in range(16):
        state = reached_state(engine, chance) if n % 2 else arbitrary_state(engine.rules, chance)
        moves += check(engine, carries, state, chance)
    assert moves > 0


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_symmetry_of_a_reading_carries_moves_and_results(name: str, variant: str) -> None:
    spec = spec_of(name)
    for question in spec.questions(variant):
        for answer in list(question.answers)[1:]:
            engine, chance = Everyday(spec.rules(variant, {question.id: answer})), random.Random(answer)
            for n in range(2):
                state = reached_state(engine, chance) if n % 2 else arbitrary_state(engine.rules, chance)
                check(engine, symmetries(engine.rules), state, chance, 3)


def names_of(rules: Rules) -> set[str]:
    return {carry.name for carry in symmetries(rules)}


def test_connect_four_has_exactly_the_mirror() -> None:
    assert names_of(spec_of("connect-four").rules()) == {"identity", "left and right"}


def test_breakthrough_has_exactly_the_mirror() -> None:
    assert names_of(spec_of("breakthrough").rules()) == {"identity", "left and right"}


def test_gomoku_has_all_eight_on_a_square_and_four_on_a_rectangle() -> None:
    assert names_of(spec_of("gomoku").rules()) == SQUARE
    assert names_of(spec_of("gomoku").rules("", {}, (7, 9))) == {
        "identity",
        "half turn",
        "left and right",
        "top and bottom",
    }


def test_yavalath_has_the_twelve_of_a_hexagon() -> None:
    assert len(names_of(spec_of("yavalath").rules())) == 12


def test_in_oxono_the_symbols_may_be_exchanged_as_well() -> None:
    assert names_of(spec_of("oxono").rules()) == SQUARE | {f"{name} with o for x" for name in SQUARE}


def test_tic_tac_toe_has_765_positions_up_to_symmetry() -> None:
    engine = Everyday(spec_of("tic-tac-toe").rules())
    carries = symmetries(engine.rules)
    found: Counter[str] = Counter()
    level, seen = {engine.start()}, {(canonical(engine.start(), carries), False)}
    while level:
        results = [engine.play(state, move) for state in level for move in engine.moves(state)]
        level = {canonical(r.state, carries) for r in results if r.outcome is None}
        ended = {canonical(r.state, carries) for r in results if r.outcome is not None}
        seen |= {(s, False) for s in level} | {(s, True) for s in ended}
        found["ended"] += len(ended)
    assert (len(seen), found["ended"]) == (765, 138)


# Games with a lopsided rule


def game_of(to: Any, line: Clause, **more: Any) -> Rules:
    tree: Clause = {
        "game": "lopsided",
        "rules version": 1,
        "title": {"en": "Lopsided"},
        "authentic": "en",
        "board": {"grid": [4, 4]},
        "players": ["first", "second"],
        "pieces": {"stone": {"of": "player"}},
        "turn": [{"rule": "turn.place", "place": "own stone", "to": to}],
        "end": [{"rule": "end.line", "if": line, "wins": "mover"}, {"rule": "end.full", "if": {"none": "empty"}, "draw": True}],
    }  # fmt: skip
    return lower(Game.model_validate(tree | more))


def three(directions: str | list[str], **more: Any) -> Clause:
    return {"line": {"of": "own stone", "at least": 3, "directions": directions} | more}


def test_the_plain_game_has_all_eight_symmetries() -> None:
    assert names_of(game_of("empty", three("all"))) == SQUARE


def test_a_place_that_is_not_allowed_leaves_no_symmetry() -> None:
    assert names_of(game_of({"all of": ["empty", {"any of": ["b1", "c2", "d4"]}]}, three("all"))) == {"identity"}


def test_a_rule_about_a_shape_that_may_not_be_turned_leaves_no_symmetry() -> None:
    shapes = {"hook": {"rule": "shape.hook", "picture": ["#.", "##", "# "], "fixed": True}}
    assert names_of(game_of("empty", {"shape": "hook", "of": "own stone"}, shapes=shapes)) == {"identity"}


def test_lines_in_one_diagonal_direction_keep_the_symmetries_of_that_diagonal() -> None:
    found = names_of(game_of("empty", three(["north east"])))
    assert found == {"identity", "half turn", "rising diagonal", "falling diagonal"}


def test_sliding_to_the_east_only_keeps_the_symmetry_that_leaves_the_ranks_in_place() -> None:
    to = {"any of": ["a1", "a2", "a3", "a4", {"slide": {"from": "stone", "directions": ["east"], "over": "empty"}}]}
    assert names_of(game_of({"sites": to, "and": "empty"}, three("all"))) == {"identity", "top and bottom"}


def test_a_line_is_the_same_from_both_ends_but_a_run_with_a_tail_is_not() -> None:
    tail = {"all of": [three("orthogonal"), {"some": {"next to": {"of": "own stone", "directions": ["north"]}}}]}
    assert names_of(game_of("empty", three("orthogonal"))) == SQUARE
    assert names_of(game_of("empty", tail)) == {"identity", "left and right"}


# Any game

ways = st.one_of(
    st.sampled_from(["all", "orthogonal", "diagonal"]),
    st.lists(st.sampled_from(["north", "east", "south", "west", "north east", "south west"]), min_size=1, max_size=3, unique=True),
)  # fmt: skip
words = st.sampled_from(["own stone", "enemy stone", "stone", "empty", "board"])
targets = st.one_of(
    st.builds(lambda f, d, o: {"slide": {"from": f, "directions": d, "over": o}, "and": "empty"}, words, ways, words),
    st.builds(
        lambda f, d, o, t: {"jump": {"from": f, "directions": d, "over": o, "to": t}, "and": "empty"},
        words,
        ways,
        words,
        words,
    ),
    st.builds(lambda f, d: {"next to": {"of": f, "directions": d}, "and": "empty"}, words, ways),
    st.builds(lambda f, d: {"not next to": {"of": f, "directions": d}, "and": "empty"}, words, ways),
    st.sampled_from(["empty", "corners", {"sites": "edges", "and": "empty"}]),
)
bounds = st.sampled_from(["at least", "exactly"])
ends = st.builds(lambda of, d, word, n: {"line": {"of": of, "directions": d, word: n}}, words, ways, bounds, st.integers(1, 4))


@given(targets, ends, st.sampled_from([[4, 4], [3, 5]]), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_whatever_symmetry_is_recognised_in_any_game_holds_there(
    to: Any, end: Clause, size: list[int], chance: random.Random
) -> None:
    engine = Everyday(game_of(to, end, board={"grid": size}))
    carries = symmetries(engine.rules)
    for _ in range(3):
        check(engine, carries, arbitrary_state(engine.rules, chance), chance)
