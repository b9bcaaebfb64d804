"""The oracles against cited facts and against situations worked out by hand from the rule texts."""

import json
import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from oracles import gomoku, oxono, xxung
from oracles import wugun as wugun_rules
from oracles.gomoku import Gomoku
from oracles.oxono import Oxono
from oracles.perft import oracle_of, perft
from oracles.wugun import Wugun
from oracles.xxung import Xxung

PERFT = Path(__file__).parent.parent / "perft"
ENTRIES = [entry for path in sorted(PERFT.glob("*.json")) for entry in json.loads(path.read_text(encoding="utf-8"))]
ENTRIES = [entry for entry in ENTRIES if entry["game"] in ("xxung", "gomoku", "oxono", "wugun")]


def position(oracle: Any, board: str, acts: str, **more: Any) -> Any:
    """The oracle's state for a drawn board: rows from the top, sites apart by spaces, `.` for an empty one."""
    rows = [row.split() for row in board.strip().splitlines()]
    sites = {f"{'abcdefghi'[x]}{len(rows) - y}": token for y, row in enumerate(rows) for x, token in enumerate(row)}
    on_board = {site: token for site, token in sites.items() if token != "."}
    return oracle.from_view({"board": on_board, "acts": acts, "phase": "main", "last": None} | more)


def wugun(board: str, acts: str = "black", **more: Any) -> tuple[Wugun, Any]:
    """A Wugun oracle and a state; in the moving phase with empty hands unless something else is said."""
    hands = dict(zip(("black stone", "white stone"), more.pop("hands", (0, 0)), strict=True))
    phase = more.pop("phase", "moving")
    oracle = Wugun(**more)
    return oracle, position(oracle, board, acts, phase=phase, hands=hands)


def beginning(oracle: Any, state: Any, pick: str) -> list[str]:
    """The legal moves that begin with a pick."""
    return [move for move in oracle.legal(state) if move.replace(" ", "x").split("x")[0] == pick]


def random_positions(oracle: Any, games: int, seed: int) -> list[tuple[Any, list[tuple[str, Any]]]]:
    """Positions of random games, with their moves; a game is broken off after 120 plies."""
    chance, found = random.Random(seed), []
    for _ in range(games):
        state = oracle.start()
        for _ in range(120):
            moves = oracle.moves(state)
            found.append((state, moves))
            if not moves:
                break
            state = chance.choice(moves)[1]
    return found


# Counts


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: "-".join(str(e[k]) for k in ("game", "variant", "board")))
def test_the_oracles_give_the_pinned_perft_counts(entry: dict[str, Any]) -> None:
    depth = sum(1 for n in entry["sequences"] if n <= 20_000)
    counts = perft(oracle_of(entry), depth)
    assert depth > 0
    assert counts.sequences == entry["sequences"][:depth]
    assert counts.open == entry["open"][:depth]
    assert counts.positions == entry["positions"][:depth]
    assert counts.open_positions == entry["open_positions"][:depth]
    assert {len(entry[name]) for name in counts._fields} == {entry["depth"]}


def test_xxung_has_the_known_counts_of_games_that_go_on() -> None:
    small = perft(Xxung(board=(4, 4)), 5)
    assert small.open == [16, 96, 416, 1688, 6352]
    assert small.open_positions == [16, 96, 416, 1548, 5968]
    larger = perft(Xxung(board=(5, 5)), 5)
    assert larger.open == [25, 200, 1200, 6792, 36792]
    assert larger.open_positions == [25, 200, 1200, 6396, 35182]


def test_oxono_has_the_published_counts_of_three_plies() -> None:
    counts = perft(Oxono(), 3)
    assert counts.sequences == [68, 3612, 162680]
    assert counts.positions == [68, 3564, 155664]


def test_three_opening_stones_of_swap_stand_in_every_way() -> None:
    counts = perft(Gomoku(board=(5, 5), variant="swap2"), 4)
    assert counts.positions[2:] == [25 * 276, 25 * 276 * 3]


# All games


@pytest.mark.parametrize(
    "oracle",
    [
        Xxung(board=(5, 5)),
        Gomoku(board=(7, 7), variant="swap2"),
        Gomoku(variant="pro"),
        Oxono(),
        Wugun(),
        Wugun(variant="chinese-wikipedia"),
        Wugun(variant="north-east"),
    ],
)
def test_play_agrees_with_the_list_of_moves_in_random_games(oracle: Any) -> None:
    chance = random.Random(4)
    for state, moves in random_positions(oracle, 3, seed=9):
        assert [move for move, _ in moves] == oracle.legal(state) == sorted({move for move, _ in moves})
        assert (oracle.outcome(state) is None) == bool(moves)
        for move, after in chance.sample(moves, min(3, len(moves))):
            assert oracle.play(state, move) == after
        if state.ended is None and not any(getattr(state, "steps", ())):
            assert oracle.from_view(oracle.view(state)) == state
        with pytest.raises(ValueError, match="not legal"):
            oracle.play(state, "z99")


READINGS = [
    (engine, question, answer)
    for engine, questions in (
        (Xxung, xxung.QUESTIONS),
        (Gomoku, gomoku.QUESTIONS),
        (Oxono, oxono.QUESTIONS),
        (Wugun, wugun_rules.QUESTIONS),
    )
    for question, answers in questions.items()
    for answer in answers[1:]
]


@pytest.mark.parametrize(("engine", "question", "answer"), READINGS)
def test_every_other_answer_can_be_played_to_an_end(engine: Any, question: str, answer: str) -> None:
    options: dict[str, Any] = {question: answer}
    if engine is Gomoku:
        options["board"] = (7, 7)
        options["variant"] = question.split("-")[0] if question.startswith(("pro", "swap")) else None
    if engine is Wugun and question in ("filled-order", "unprotected", "filled-fewer", "return-step"):
        options["variant"] = "north-east"
    oracle, chance = engine(**options), random.Random(3)
    state = oracle.start()
    for _ in range(60):
        legal = oracle.legal(state)
        assert (oracle.outcome(state) is None) == bool(legal)
        if not legal:
            break
        state = oracle.play(state, chance.choice(legal))


def test_a_question_or_an_answer_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="six is one of wins, does-not, not 'maybe'"):
        Xxung(six="maybe")
    with pytest.raises(ValueError, match="there is no question seven"):
        Xxung(seven="wins")


# XXung


def test_the_shortest_xxung_game_is_a_block_by_the_second_player_at_ply_four() -> None:
    oracle = Xxung(board=(5, 5))
    level = [oracle.start()]
    ended: list[Any] = []
    for _ in range(4):
        assert not ended
        reached = [after for state in level for _, after in oracle.moves(state)]
        ended = [oracle.outcome(state) for state in reached if oracle.outcome(state)]
        level = [state for state in reached if oracle.outcome(state) is None]
    assert Counter(ended) == {("second", "end.blocked"): 8}


def test_the_second_player_wins_every_xxung_game_on_two_by_two() -> None:
    oracle = Xxung(board=(2, 2))
    states = [oracle.start()]
    for _ in range(4):
        states = [after for state in states for _, after in oracle.moves(state)]
    assert {oracle.outcome(state) for state in states} == {("second", "end.blocked")}
    assert len(states) == 8


def test_a_stone_is_placed_in_line_with_the_last_one_up_to_the_first_piece() -> None:
    board = """
        . . o . .
        . . . . .
        x . o . x
        . . . . .
        . . . . .
    """
    oracle = Xxung(board=(5, 5))
    assert oracle.legal(position(oracle, board, "first", last="c3")) == ["b3", "c1", "c2", "c4", "d3"]


SIX = """
    . . . o . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    x x x . x x .
    . . . . . . .
    o . o . o . o
"""


def test_six_in_a_row_wins_xxung_unless_exactly_five_are_asked_for() -> None:
    for six, outcome in (("wins", ("first", "end.five")), ("does-not", None)):
        oracle = Xxung(board=(7, 7), six=six)
        state = position(oracle, SIX, "first", last="d7")
        assert oracle.outcome(oracle.play(state, "d3")) == outcome


def test_five_of_both_colours_win_only_where_any_piece_counts() -> None:
    board = """
        . . . o . . .
        . . . . . . .
        . . . . . . .
        x o x . o . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    for whose, outcome in (("own", None), ("any", ("first", "end.five"))):
        oracle = Xxung(board=(7, 7), whose_five=whose)
        assert oracle.outcome(oracle.play(position(oracle, board, "first", last="d7"), "d4")) == outcome


def test_the_rim_helps_to_block_unless_four_pieces_must_stand_around() -> None:
    board = """
        . . .
        o . .
        . x .
    """
    for blocked_by, outcome in (
        ("no-legal-placement", ("first", "end.blocked")),
        ("walled-by-pieces", ("no rule", "turn.line")),
    ):
        oracle = Xxung(board=(3, 3), blocked_by=blocked_by)
        assert oracle.outcome(oracle.play(position(oracle, board, "first", last="a2"), "a1")) == outcome


def test_a_player_without_a_stone_cannot_place_one() -> None:
    oracle = Xxung(board=(9, 9), supply=2)
    state = oracle.start()
    for move in ("e5", "e6", "f6", "f5"):
        state = oracle.play(state, move)
    assert oracle.outcome(state) == ("second", "end.blocked")


# Gomoku


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"variant": "pro"}, 200),
        ({"variant": "pro", "pro_third": "straight-line"}, 200),
        ({"variant": "pro", "pro_third": "three-between"}, 176),
        ({"variant": "pro", "pro_third": "city-block"}, 212),
        ({"variant": "long-pro"}, 176),
    ],
)
def test_the_third_stone_of_pro_has_the_known_number_of_points(options: dict[str, str], count: int) -> None:
    oracle = Gomoku(**options)  # type: ignore[arg-type]
    assert oracle.legal(oracle.start()) == ["h8"]
    state = oracle.play(oracle.start(), "h8")
    assert oracle.legal(state) == ["g7", "g8", "g9", "h7", "h9", "i7", "i8", "i9"]
    assert len(oracle.legal(oracle.play(state, "g8"))) == count


def test_pro_on_a_board_without_room_for_the_third_stone_is_met_by_no_rule() -> None:
    oracle = Gomoku(board=(5, 5), variant="pro")
    state = oracle.play(oracle.play(oracle.start(), "c3"), "c4")
    assert oracle.outcome(state) == ("no rule", "pro.third")


@pytest.mark.parametrize("variant", ["pro", "long-pro"])
def test_pro_is_not_for_boards_without_a_middle_point(variant: str) -> None:
    with pytest.raises(ValueError, match="middle point"):
        Gomoku(board=(14, 14), variant=variant)
    Gomoku(board=(14, 14), variant="swap2")


@pytest.mark.parametrize(
    ("picks", "phase", "acts"),
    [
        (["black"], "main", "first"),
        (["white"], "main", "second"),
        (["two more", "c3", "c4", "black"], "main", "second"),
        (["two more", "c3", "c4", "white"], "main", "first"),
        (["two more", "c3"], "two more 2", "second"),
        (["two more", "c3", "c4"], "two more 3", "first"),
    ],
)
def test_white_is_to_move_whatever_colour_was_picked(picks: list[str], phase: str, acts: str) -> None:
    oracle = Gomoku(variant="swap2")
    state = oracle.start()
    for move in ["a1", "b2", "o15", *picks]:
        state = oracle.play(state, move)
    view = oracle.view(state)
    assert (view["phase"], view["acts"]) == (phase, acts)
    assert [view["board"][site] for site in ("a1", "b2", "o15")] == ["x", "o", "x"]
    if phase == "main":
        after = oracle.view(oracle.play(state, "h8"))
        assert after["board"]["h8"] == "o"
        assert after["acts"] != acts


def test_a_winner_is_named_by_seat_and_not_by_colour() -> None:
    oracle = Gomoku(variant="swap")
    state = oracle.start()
    for move in ["c1", "a15", "d1", "black", "c15", "e1", "e15", "f1", "g15", "g1"]:
        assert oracle.outcome(state) is None
        state = oracle.play(state, move)
    assert oracle.outcome(state) == ("second", "end.five")


@pytest.mark.parametrize(("overline", "outcome"), [("does-not", None), ("wins", ("first", "end.five"))])
def test_six_in_a_row_is_not_exactly_five(overline: str, outcome: tuple[str, str] | None) -> None:
    board = """
        . . . . . . .
        . . . . . . .
        x x x . x x .
        . . . . . . .
        o . o . o . o
        . . . . . . .
        o . . . . . .
    """
    oracle = Gomoku(board=(7, 7), overline=overline)
    state = position(oracle, board, "first")
    assert oracle.outcome(oracle.play(state, "d5")) == outcome
    assert oracle.outcome(oracle.play(position(oracle, board.replace("x x .", "x . ."), "second"), "d5")) is None


def test_a_five_beside_an_overline_wins_in_the_base_reading() -> None:
    board = """
        . . . x . . .
        . . . x . . .
        . x x . x x .
        . . . x . . .
        o . o x o . o
        o . o x o . o
        o . . . . . .
    """
    for answer, outcome in (("wins", ("first", "end.five")), ("does-not", None)):
        oracle = Gomoku(board=(7, 7), five_beside_overline=answer)
        assert oracle.outcome(oracle.play(position(oracle, board, "first"), "d5")) == outcome


def test_a_five_on_the_last_free_point_wins_and_a_full_board_without_one_is_drawn() -> None:
    board = """
        o x o x o
        x o x o x
        x x . x x
        o x o x o
        x o o o o
    """
    oracle = Gomoku(board=(5, 5))
    assert oracle.outcome(oracle.play(position(oracle, board, "first"), "c3")) == ("first", "end.five")
    swapped = board.replace("x x . x x", "x x . x o").replace("x o o o o", "x o x o o")
    assert oracle.outcome(oracle.play(position(oracle, swapped, "first"), "c3")) == ("draw", "end.full")


@pytest.mark.parametrize("oracle", [Gomoku(board=(7, 7)), Gomoku(board=(7, 7), overline="wins")])
def test_a_five_anywhere_on_the_board_ends_the_game_at_once(oracle: Gomoku) -> None:
    """The oracle looks at rows through the new stone only; here every row of the board is read."""

    def five(stones: frozenset[str]) -> bool:
        held = {(ord(site[0]), int(site[1:])) for site in stones}
        for x, y in held:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                run = 0 if (x - dx, y - dy) in held else 1
                while run and (x + run * dx, y + run * dy) in held:
                    run += 1
                if run == 5 or (run > 5 and oracle.more_than_five_win):
                    return True
        return False

    for state, moves in random_positions(oracle, 12, seed=1):
        assert any(map(five, state.stones)) == (not moves and state.ended[1] == "end.five")


# Oxono


ENCLOSED_IN_A_CORNER = """
    .  .  .  .  .  .
    .  .  .  .  .  .
    .  .  .  .  .  .
    po .  .  .  .  .
    bx .  .  O  .  .
    X  px .  .  .  .
"""


def test_an_enclosed_totem_jumps_to_the_first_free_square_behind_the_run() -> None:
    oracle = Oxono()
    moves = oracle.legal(position(oracle, ENCLOSED_IN_A_CORNER, "pink"))
    assert {move.split()[0] for move in moves if move[0] == "X"} == {"Xa4", "Xc1"}
    assert [move for move in moves if move.startswith("Xc1")] == ["Xc1 c2", "Xc1 d1"]


@pytest.mark.parametrize(
    ("options", "targets"),
    [
        ({"rim": "four-real-neighbours"}, {"X"}),
        ({"rim": "may-not-be-chosen"}, set()),
        ({"landing": "may-go-on"}, {"Xa4", "Xa5", "Xa6", "Xc1", "Xd1", "Xe1", "Xf1"}),
        ({"zero_move": "may-stay"}, {"Xa1", "Xa4", "Xc1"}),
    ],
)
def test_readings_of_an_enclosed_totem(options: dict[str, str], targets: set[str]) -> None:
    oracle = Oxono(**options)
    moves = oracle.legal(position(oracle, ENCLOSED_IN_A_CORNER, "pink"))
    assert {move.split()[0] for move in moves if move[0] == "X"} == targets


def test_the_other_totem_encloses_and_is_jumped_over_like_a_pawn() -> None:
    board = ENCLOSED_IN_A_CORNER.replace("px", "O ").replace("O  .  .", ".  .  .", 1)
    targets = {}
    for name, options in (
        ("base", {}),
        ("pawns", {"other_totem": "only-pawns"}),
        ("no jump", {"jump_over_totem": "no"}),
    ):
        oracle = Oxono(**options)
        moves = oracle.legal(position(oracle, board, "pink"))
        targets[name] = {move.split()[0] for move in moves if move[0] == "X"}
    assert targets == {"base": {"Xa4", "Xc1"}, "pawns": {"X"}, "no jump": {"Xa4"}}


LAST_PAWN = """
    bx bo po po bx bo
    px px bx po px bo
    bo O  po X  bx bx
    px po po bx bo px
    px bo .  po bo px
    px po bx bo .  .
"""


def test_a_totem_whose_row_and_column_are_full_goes_anywhere_and_so_does_its_pawn() -> None:
    oracle = Oxono()
    moves = oracle.legal(position(oracle, LAST_PAWN, "black"))
    assert moves == ["Xc2 d4", "Xc2 e1", "Xc2 f1", "Xe1 f1", "Xf1 e1"]


def test_a_line_on_the_last_pawn_wins_before_the_draw() -> None:
    oracle, other = Oxono(), Oxono(last_pawn="draw-first")
    state = position(oracle, LAST_PAWN, "black")
    for move, outcome in (
        ("Xc2 e1", ("black", "end.colour")),
        ("Xc2 f1", ("black", "end.symbol")),
        ("Xc2 d4", ("draw", "end.hands")),
    ):
        assert oracle.outcome(oracle.play(state, move)) == outcome
        assert other.outcome(other.play(state, move)) == ("draw", "end.hands")


def test_a_pawn_that_finds_no_square_is_met_by_no_rule_where_the_rim_does_not_help() -> None:
    board = """
        .  .  .  .  .  .
        .  .  .  .  .  .
        px .  .  .  .  .
        X  bo .  O  .  .
        bx .  .  .  .  .
        .  po .  .  .  .
    """
    oracle = Oxono()
    state = position(oracle, board, "pink")
    moves = oracle.legal(state)
    assert {move.split()[0] for move in moves if move[0] == "X"} == {"Xa1", "Xa5", "Xc3"}
    assert len([move for move in moves if move.startswith("Xa1 ")]) == 30
    oracle = Oxono(rim_when_placing="four-real-neighbours")
    assert [move for move in oracle.legal(state) if move.startswith("Xa1")] == ["Xa1"]
    assert oracle.outcome(oracle.play(state, "Xa1")) == ("no rule", "turn.place")


# Shandong Wugun Qi


def test_wugun_has_thirty_six_shapes_and_none_inside_another() -> None:
    kinds = Counter(Wugun().shapes.values())
    assert kinds == {"straight five": 10, "corner span": 2, "edge three": 4, "four": 4, "square": 16}
    assert not any(one < other for one in Wugun().shapes for other in Wugun().shapes)
    assert {frozenset(shape) for shape, kind in Wugun().shapes.items() if kind == "edge three"} == {
        frozenset(line) for line in (("a3", "b4", "c5"), ("c5", "d4", "e3"), ("e3", "d2", "c1"), ("c1", "b2", "a3"))
    }


THREE_SHAPES_AT_ONCE = """
    o . o . o
    o . o . o
    . . . . .
    . x x x .
    x x . x x
"""


@pytest.mark.parametrize(("stacking", "due"), [("all", 5), ("one-per-kind", 4), ("best", 3)])
def test_a_five_and_two_squares_completed_at_once_are_counted_as_the_reading_says(stacking: str, due: int) -> None:
    oracle, state = wugun(THREE_SHAPES_AT_ONCE, phase="placing", hands=(6, 6), stacking=stacking)
    enemies = ("a4", "a5", "c4", "c5", "e4", "e5")
    assert beginning(oracle, state, "c1") == [f"c1x{''.join(taken)}" for taken in combinations(enemies, due)]


SAFE_SQUARE = """
    o o . . o
    o o . . .
    . . . . .
    x x . . .
    x . . . .
"""


def test_stones_in_a_shape_of_their_owner_cannot_be_taken() -> None:
    oracle, state = wugun(SAFE_SQUARE, phase="placing", hands=(9, 7))
    assert beginning(oracle, state, "b1") == ["b1xe5"]
    after = oracle.play(state, "b1xe5")
    assert "e5" not in oracle.view(after)["board"]
    assert oracle.view(after)["hands"] == {"black stone": 8, "white stone": 7}


@pytest.mark.parametrize(
    ("fewer", "moves"),
    [
        ("take-what-there-is", ["b1"]),
        ("not-allowed", []),
        ("take-protected-too", ["b1xa4", "b1xa5", "b1xb4", "b1xb5"]),
    ],
)
def test_a_shape_is_formed_without_a_capture_when_nothing_is_exposed(fewer: str, moves: list[str]) -> None:
    board = SAFE_SQUARE.replace(". . o", ". . .")
    oracle, state = wugun(board, phase="placing", hands=(9, 7), fewer=fewer)
    assert beginning(oracle, state, "b1") == moves


def test_a_capture_is_compulsory_in_the_base_reading_only() -> None:
    board = """
        o . o . o
        o . o . o
        . . . . .
        . x x . .
        . x . . .
    """
    moves = {}
    for answer in ("must", "may", "up-to-the-count"):
        oracle, state = wugun(board, phase="placing", hands=(10, 6), compulsory=answer)
        moves[answer] = beginning(oracle, state, "c1")
    assert moves["must"] == ["c1xa4", "c1xa5", "c1xc4", "c1xc5", "c1xe4", "c1xe5"]
    assert moves["may"] == ["c1", *moves["must"]] == moves["up-to-the-count"]


def test_a_safe_stone_may_step_out_and_its_return_pays_again() -> None:
    board = """
        . . o . o
        . . . . .
        . . . . .
        x x x . .
        x x . . o
    """
    legal = {}
    for name, options in (
        ("base", {}),
        ("no return", {"reform": "not-by-an-immediate-return"}),
        ("once", {"reform": "each-once-a-game"}),
        ("north-east", {"variant": "north-east"}),
        ("north-east without pay", {"variant": "north-east", "return_step": "pays-nothing"}),
    ):
        oracle, state = wugun(board, **options)
        state = oracle.play(oracle.play(state, "b2-b3"), "e5-e4")
        legal[name] = (beginning(oracle, state, "b3-b2"), beginning(oracle, state, "c2-b2"))
    taken = ["xc5", "xe1", "xe4"]
    by_another = [f"c2-b2{x}" for x in taken]
    assert legal == {
        "base": ([f"b3-b2{x}" for x in taken], by_another),
        "no return": (["b3-b2"], by_another),
        "once": ([f"b3-b2{x}" for x in taken], by_another),
        "north-east": ([], by_another),
        "north-east without pay": (["b3-b2"], by_another),
    }
    oracle, state = wugun(board, protected_moves="may-not")
    assert {move.split("-")[0] for move in oracle.legal(state)} == {"c2"}


def test_a_win_counts_the_stones_still_in_hand() -> None:
    board = """
        . . o . .
        . . . . .
        . . . . .
        x x . . .
        x . . . .
    """
    for in_hand, outcome in ((2, ("black", "end.three")), (3, None)):
        oracle, state = wugun(board, phase="placing", hands=(10, in_hand))
        assert oracle.outcome(oracle.play(state, "b1xc5")) == outcome


NO_SHAPES = """
    o x o x o
    o o x o x
    x x o o x
    o o x o x
    x o x . x
"""


def test_nobody_captured_so_white_removes_a_stone_and_black_steps_first() -> None:
    oracle, state = wugun(NO_SHAPES, phase="placing", hands=(1, 0))
    state = oracle.play(state, "d1")
    view = oracle.view(state)
    assert (view["phase"], view["acts"]) == ("forcing", "white")
    black = sorted(site for site, token in view["board"].items() if token == "x")
    assert len(black) == 13
    assert oracle.legal(state) == [f"-{site}" for site in black]
    view = oracle.view(after := oracle.play(state, "-d1"))
    assert (view["phase"], view["acts"]) == ("moving", "black")
    assert beginning(oracle, after, "c1-d1") == ["c1-d1"]
    assert len(beginning(oracle, after, "e1-d1")) == 12  # White is shut in, and every black stone has a white neighbour
    assert len(oracle.legal(after)) == 13


def test_the_forced_removal_can_leave_black_without_a_step_and_no_rule() -> None:
    oracle, state = wugun(NO_SHAPES, phase="placing", hands=(1, 0))
    state = oracle.play(oracle.play(state, "d1"), "-a1")
    assert oracle.outcome(state) == ("no rule", "move.step")
    assert oracle.legal(state) == []


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("blocked-player-loses", ("white", "end.shut-loses")), ("draw", ("draw", "end.shut-draws"))],
)
def test_an_amendment_can_say_what_becomes_of_a_black_player_without_a_step(answer: str, outcome: tuple[str, str]) -> None:
    oracle, state = wugun(NO_SHAPES, phase="placing", hands=(1, 0), blocked_at_start=answer)
    assert oracle.outcome(oracle.play(oracle.play(state, "d1"), "-a1")) == outcome


def test_somebody_captured_so_white_steps_first_and_no_rule_helps_where_he_cannot() -> None:
    board = NO_SHAPES.replace("o x o x o", "o x . x o")
    oracle, state = wugun(board, phase="placing", hands=(1, 0))
    view = oracle.view(after := oracle.play(state, "d1"))
    assert (view["phase"], view["acts"]) == ("moving", "white")
    assert oracle.outcome(after) == ("no rule", "move.step")
    assert oracle.legal(state) == ["c5", "d1"]


def test_a_blocked_opponent_is_freed_by_removing_a_stone_of_ones_own() -> None:
    board = """
        . . . . x
        . . . . .
        . x . . .
        x . x . .
        o o o x .
    """
    oracle, state = wugun(board)
    assert beginning(oracle, state, "b3-b2") == ["b3-b2 -a2", "b3-b2 -b2", "b3-b2 -c2", "b3-b2 -d1"]
    view = oracle.view(after := oracle.play(state, "b3-b2 -b2"))
    assert view["acts"] == "white"
    assert oracle.legal(after) == ["b1-b2"]


def test_stones_in_a_shape_are_not_removed_to_make_room() -> None:
    board = """
        . . . . .
        x . . . .
        x x . . .
        . x x . .
        o o o x .
    """
    oracle, state = wugun(board)
    assert beginning(oracle, state, "a3-a2") == ["a3-a2 -a2", "a3-a2 -b2"]


def test_no_rule_says_what_follows_when_no_stone_can_be_removed_to_free_the_opponent() -> None:
    board = """
        . . . . x
        . . . . .
        . . . . .
        x x x x x
        o o o x x
    """
    oracle, state = wugun(board)
    assert beginning(oracle, state, "e5-e4") == ["e5-e4"]
    after = oracle.play(state, "e5-e4")
    assert oracle.outcome(after) == ("no rule", "room.remove")
    assert oracle.legal(after) == []


def test_an_opponent_captured_below_three_is_not_given_room() -> None:
    board = """
        o x . x x
        x . . . x
        . . . x .
        x . . . x
        o x . x o
    """
    oracle, state = wugun(board)
    moves = beginning(oracle, state, "d3-d4")
    assert moves == ["d3-d4xa1", "d3-d4xa5", "d3-d4xe1"]
    assert {oracle.outcome(oracle.play(state, move)) for move in moves} == {("black", "end.three")}
    oracle, state = wugun(board, three_test="after-making-room")
    assert beginning(oracle, state, "d3-d4")[:2] == ["d3-d4xa1 -a4", "d3-d4xa1 -b5"]


def test_nobody_has_captured_while_no_shape_was_ever_formed() -> None:
    for state, _ in random_positions(Wugun(), 40, seed=2):
        if state.phase == "placing" and not state.captured and state.ended is None:
            stood = any(shape <= stones for shape in Wugun().shapes for stones in state.stones)
            assert not stood


FIVE_TIGERS = """
    o o x x o
    o x o o o
    o x o x o
    x o x x x
    x x o . x
"""


def test_five_tigers_settle_their_shapes_after_filling_the_second_player_first() -> None:
    oracle, state = wugun(FIVE_TIGERS, phase="placing", hands=(1, 0), variant="north-east")
    assert beginning(oracle, state, "d1") == ["d1"]
    state = oracle.play(state, "d1")
    view = oracle.view(state)
    assert (view["phase"], view["acts"]) == ("white takes", "white")
    assert oracle.legal(state) == ["xa1", "xa2", "xb1", "xb3", "xb4", "xc2", "xc5", "xd3", "xd5"]
    state = oracle.play(state, "xc5")
    assert (oracle.view(state)["phase"], oracle.view(state)["acts"]) == ("black takes", "black")
    assert oracle.legal(state) == ["xa4", "xa5", "xb5", "xc3", "xc4", "xd4", "xe3", "xe4", "xe5"]
    state = oracle.play(state, "xe3")
    assert (oracle.view(state)["phase"], oracle.view(state)["acts"]) == ("moving", "white")
    base, start = wugun(FIVE_TIGERS, phase="placing", hands=(1, 0))
    assert len(beginning(base, start, "d1")) == 9


def test_five_tigers_without_a_shape_remove_a_stone_each_the_second_player_first() -> None:
    oracle, state = wugun(NO_SHAPES, phase="placing", hands=(1, 0), variant="north-east")
    seen = []
    for move in ("d1", "-d1", "-c3"):
        state = oracle.play(state, move)
        seen.append((oracle.view(state)["phase"], oracle.view(state)["acts"], len(oracle.view(state)["board"])))
    assert seen == [("removals 1", "white", 25), ("removals 2", "black", 24), ("moving", "white", 23)]


def test_five_tigers_must_take_every_stone() -> None:
    board = """
        . . . . o
        . . . . .
        . . . . .
        x x . . .
        x . x . .
    """
    oracle, state = wugun(board, variant="north-east")
    assert oracle.outcome(oracle.play(state, "c1-b1xe5")) == ("black", "end.three")
    more = board.replace(". . . . .", ". . . . o", 1)
    oracle, state = wugun(more, variant="north-east")
    assert oracle.outcome(oracle.play(state, "c1-b1xe5")) is None
    oracle, state = wugun(more)
    assert oracle.outcome(oracle.play(state, "c1-b1xe5")) == ("black", "end.three")
