"""Playing: positions and their text, moves and their errors, undo, repetition, seeds, and what random games look like."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compared import Case, game_of, reached_state, spec_of
from lawstone.data import shipped_games
from lawstone.engine.drawn import parse_position, position_text
from lawstone.engine.everyday import Everyday, nth_site, nth_subset, subsets, ways
from lawstone.engine.game import AmbiguousMove, Game, History, IllegalMove, MoveError, NotAMove, Position
from lawstone.engine.playout import Dice, playout, random_move
from lawstone.engine.reference import Interpreter
from lawstone.engine.state import members
from lawstone.spec import load
from oracles.gomoku import Gomoku
from oracles.oxono import Oxono
from oracles.wugun import Wugun
from oracles.xxung import Xxung

VARIANTS = [(name, variant) for name in shipped_games() for variant in ("", *(spec_of(name).game.variants or {}))]
NAMED = [Game(spec_of(name), spec_of(name).rules(variant)) for name, variant in VARIANTS]


def drawn(game: Game, text: str) -> Position:
    return parse_position(game.spec, text, game=game)


# Undo, repetition


@given(st.sampled_from(NAMED), st.lists(st.one_of(st.just("undo"), st.integers(0, 1000)), max_size=40))
@settings(max_examples=120, deadline=None)
def test_undo_gives_back_every_position_in_turn(game: Game, steps: list[str | int]) -> None:
    history = History(game.start())
    positions, played = [game.start()], list[str]()
    for step in steps:
        moves = history.position.moves
        if isinstance(step, int) and moves:
            move = moves[step % len(moves)]
            history.play(move if step % 2 else move.text)
            positions.append(positions[-1].play(move))
            played.append(move.text)
        elif isinstance(step, str) and played:
            assert history.undo().text == played.pop()
            positions.pop()
        assert list(history) == positions
        assert history.position == positions[-1]
        assert [move.text for move in history.played] == played


def test_there_is_nothing_to_take_back_at_the_start() -> None:
    history = History(NAMED[0].start())
    with pytest.raises(IndexError, match="no move to take back"):
        history.undo()


def test_a_move_that_cannot_be_played_changes_nothing() -> None:
    history = History(Game.load("tic-tac-toe").start())
    history.play("b2")
    with pytest.raises(IllegalMove):
        history.play("b2")
    assert [move.text for move in history.played] == ["b2"]
    assert len(history.positions) == 2


STEPPING = """
board: |
  x o . . .
  . . . . .
  . . . . .
  x o x o .
  . . x o .
to act: black
phase: moving
hands: {black man: 0, red man: 0}
"""


def test_a_position_that_comes_back_is_counted_with_the_player_to_act() -> None:
    history = History(drawn(Game.load("teeko"), STEPPING))
    assert history.appearances() == 1
    for move in ("a5-a4", "b5-c5", "a4-a5"):
        history.play(move)
        assert history.appearances() == 1
    history.play("c5-b5")
    assert history.appearances() == 2
    for move in ("a5-a4", "b5-c5", "a4-a5", "c5-b5"):
        history.play(move)
    assert history.appearances() == 3
    history.undo()
    assert history.appearances() == 2


# The text of a position


@pytest.mark.parametrize("game", NAMED, ids=[" ".join(filter(None, part)) for part in VARIANTS])
def test_the_text_of_a_position_gives_back_the_position(game: Game) -> None:
    chance = random.Random(game.id)
    phases = set()
    for _ in range(40):
        position = Position(game, reached_state(game.engine, chance))
        again = parse_position(game.spec, position_text(position))
        assert again.state == position.state
        assert again == position
        assert str(position) == position_text(again)
        phases.add(position.phase)
    assert phases


TOLD = [
    Case("xxung", 0, board=(26, 3)),
    Case("xxung", 0, board=(1, 9)),
    Case("xxung", 0, "", (("six", "does-not"), ("whose-five", "any")), (6, 6)),
    Case("gomoku", 0, "swap2", board=(7, 7)),
    Case("gomoku", 0, "pro", (("pro-third", "city-block"),), (9, 9)),
    Case("oxono", 0, "", (("rim", "four-real-neighbours"),)),
    Case("pente", 0, board=(5, 5)),
    Case("wugun", 0, "north-east", (("unprotected", "not-protected"),)),
]


@pytest.mark.parametrize("case", TOLD, ids=str)
def test_the_text_tells_the_variant_the_reading_and_the_size(case: Case) -> None:
    game, chance = game_of(case), random.Random(str(case))
    for _ in range(15):
        position = Position(game, reached_state(game.engine, chance))
        again = parse_position(game.spec, position_text(position))
        assert again.state == position.state
        assert again.game.rules is position.game.rules


# Errors


def test_what_is_not_written_as_a_move_is_not_a_move() -> None:
    start = Game.load("oxono").start()
    for text in ("", "hello", "Xz9 a1", "c3-c4-", "X", "g7", "h8"):
        with pytest.raises(MoveError) as refused:
            start.play(text)
        assert (refused.value.move, refused.value.position) == (text, start)
    for text in ("hello", "Xz9 a1", "g7", "h8"):
        with pytest.raises(NotAMove, match="is not how a move of oxono is written"):
            start.play(text)


def test_a_move_that_the_rules_forbid_is_illegal_here() -> None:
    game = Game.load("tic-tac-toe")
    with pytest.raises(IllegalMove, match="'a1' is not a legal move here"):
        game.replay(["a1", "a1"])
    with pytest.raises(IllegalMove, match="the game is over"):
        game.replay(["a1", "b1", "a2", "b2", "a3", "b3"])


TWICE = """
game: twice
rules version: 1
title: {en: Twice}
authentic: en
board: {grid: [3, 1]}
players: [first, second]
pieces:
  stone: {of: player}
start: {second stone: [a1, b1, c1]}
turn:
  - {rule: turn.one, capture: enemy stone, count: 1}
  - {rule: turn.two, capture: enemy stone, count: 1}
end:
  - {rule: end.full, if: {none: stone}, draw: true}
"""


def test_a_text_that_could_mean_two_moves_is_ambiguous(tmp_path: Path) -> None:
    (tmp_path / "twice.yaml").write_text(TWICE, encoding="utf-8")
    spec = load(tmp_path / "twice.yaml")
    start = Game(spec, spec.rules()).start()
    assert len(start.moves) == 6
    with pytest.raises(AmbiguousMove, match="could mean 2 moves here"):
        start.play("xa1b1")


def test_moves_may_be_written_with_other_dashes_and_capitals() -> None:
    start = Game.load("oxono").start()
    assert start.play("xc5  D5") == start.play("Xc5 d5")
    moving = drawn(Game.load("teeko"), STEPPING)
    assert moving.play("A5\N{EN DASH}a4") == moving.play("a5-a4")


@pytest.mark.parametrize("game", NAMED, ids=[" ".join(filter(None, part)) for part in VARIANTS])
def test_every_legal_move_is_found_by_its_text(game: Game) -> None:
    chance = random.Random(7)
    for _ in range(6):
        position = Position(game, reached_state(game.engine, chance))
        for move in chance.sample(position.moves, min(12, len(position.moves))):
            assert position.find(move.text) == move
            assert position.play(move.text) == position.play(move)


# Seeds and dice


@pytest.mark.parametrize("game", NAMED, ids=[" ".join(filter(None, part)) for part in VARIANTS])
def test_a_seed_gives_the_same_game_again_and_in_both_engines(game: Game) -> None:
    law = Interpreter(game.rules)
    longest = 12 if game.rules.board.size > 150 else 40
    for seed in (0, 1, 2**63):
        record = playout(game.engine, seed, longest)
        assert playout(Everyday(game.rules), seed, longest) == record
        dice, state, outcome = Dice(seed), law.start(), None
        for move in record.moves:
            moves = law.moves(state)
            assert moves[dice.below(len(moves))] == move
            state, outcome = law.play(state, move)
        assert state == record.state
        if record.outcome is not None and law.moves(state):
            assert outcome == record.outcome
    assert len({playout(game.engine, seed, longest) for seed in range(20)}) > 1


def test_the_generator_is_split_mix_64() -> None:
    dice = Dice(1234567)
    assert [dice.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


class Told(Dice):
    """A generator whose words are told."""

    def __init__(self, *words: int) -> None:
        super().__init__(0)
        self.words = list(words)

    def word(self) -> int:
        return self.words.pop(0)


def test_below_is_exactly_uniform_for_it_keeps_as_many_words_for_each_number() -> None:
    most = 2**64 - 1
    for n in (1, 2, 3, 5, 6, 7, 10, 36, 225, 361, 2**32 + 1, 2**63 + 1, 2**64 - 1):
        kept = 2**64 - 2**64 % n
        assert kept % n == 0
        assert Told(0).below(n) == 0
        assert Told(kept - 1).below(n) == n - 1
        if kept <= most:
            assert Told(kept, most, 5).below(n) == 5 % n


def test_below_draws_as_many_words_as_a_large_number_needs() -> None:
    n = 2**64 + 3
    assert Told(1, 0).below(n) == 2**64
    assert Told(2, 0).below(n) == 2**65 % n
    assert all(0 <= Dice(seed).below(n) < n for seed in range(100))


@pytest.mark.parametrize("n", [2, 3, 5, 7, 12, 68, 225])
def test_each_number_below_n_comes_as_often_as_any_other(n: int) -> None:
    draws = 400 * n
    dice = Dice(n)
    counts = Counter(dice.below(n) for _ in range(draws))
    chi_square = sum((counts[k] - 400) ** 2 / 400 for k in range(n))
    freedom = n - 1
    assert set(counts) == set(range(n))
    assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)


@given(st.integers(0, 2**40 - 1), st.integers(0, 5), st.integers(0, 2))
@settings(max_examples=300, deadline=None)
def test_the_nth_subset_is_that_of_the_list(among: int, due: int, freedom: int) -> None:
    among &= (1 << 12) - 1 if due > 2 else among
    listed = subsets(among, due, freedom)
    assert len(listed) == ways(among.bit_count(), due, freedom) == len(set(listed))
    for n in range(0, len(listed), max(1, len(listed) // 7)):
        assert nth_subset(among, due, freedom, n) == listed[n]
    if among:
        assert [nth_site(among, n) for n in range(among.bit_count())] == [1 << s for s in members(among)]


def test_a_random_move_is_uniform_over_complete_moves() -> None:
    engine = Game.load("oxono").engine
    dice, start = Dice(3), engine.start()
    counts = Counter(random_move(engine, start, dice) for _ in range(68 * 300))
    assert len(counts) == 68
    chi_square = sum((n - 300) ** 2 / 300 for n in counts.values())
    assert abs(chi_square - 67) < 4 * math.sqrt(2 * 67)


# What random games look like


@pytest.mark.parametrize(
    ("case", "games", "longest", "cited"),
    [
        (Case("gomoku", 0), 4000, 2000, 112.6),
        (Case("oxono", 0), 6000, 2000, 18.62),
        (Case("xxung", 0, board=(8, 8)), 6000, 2000, 26.77),
        (Case("wugun", 0), 1500, 300, 43.3),
    ],
    ids=str,
)
def test_random_games_are_as_long_as_others_have_found(case: Case, games: int, longest: int, cited: float) -> None:
    game = game_of(case)
    lengths = [len(game.playout(seed, longest).moves) for seed in range(games)]
    mean = sum(lengths) / games
    error = math.sqrt(sum((n - mean) ** 2 for n in lengths) / (games - 1) / games)
    assert abs(mean - cited) < 3 * error + 0.05
    assert error < 0.04 * mean


def random_game(oracle: Any, chance: random.Random, longest: int) -> tuple[str, str] | None:
    state = oracle.start()
    for _ in range(longest):
        legal = oracle.legal(state)
        if not legal:
            break
        state = oracle.play(state, chance.choice(legal))
    outcome: tuple[str, str] | None = oracle.outcome(state)
    return outcome


@pytest.mark.parametrize(
    ("case", "oracle", "ours", "theirs", "longest"),
    [
        (Case("gomoku", 0, board=(9, 9)), lambda: Gomoku(board=(9, 9)), 2500, 800, 81),
        (Case("oxono", 0), Oxono, 3000, 1000, 100),
        (Case("xxung", 0, board=(8, 8)), lambda: Xxung(board=(8, 8)), 4000, 1500, 100),
        (Case("wugun", 0), Wugun, 800, 300, 60),
    ],
    ids=lambda part: str(part) if isinstance(part, Case) else "",
)
def test_random_games_end_as_often_in_each_way_as_those_of_the_oracle(
    case: Case, oracle: Callable[[], Any], ours: int, theirs: int, longest: int
) -> None:
    game, naive, chance = game_of(case), oracle(), random.Random(5)
    players = game.rules.words.players
    counts: Counter[tuple[str, str] | None] = Counter()
    for seed in range(ours):
        outcome = game.playout(seed, longest).outcome
        told = None
        if outcome is not None:
            told = (outcome.kind if outcome.winner is None else players[outcome.winner], outcome.rule)
        counts[told] += 1
    others = Counter(random_game(naive, chance, longest) for _ in range(theirs))
    for ending in counts.keys() | others.keys():
        share = (counts[ending] + others[ending]) / (ours + theirs)
        error = math.sqrt(share * (1 - share) * (1 / ours + 1 / theirs))
        assert abs(counts[ending] / ours - others[ending] / theirs) < 3.5 * error + 2 / theirs
    assert len(counts) >= 3
