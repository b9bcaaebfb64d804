"""What is generally known of the small games holds in their oracles."""

from collections import Counter
from typing import Any

import pytest

from oracles.small import morris, teeko, yavalath
from oracles.small.breakthrough import Breakthrough
from oracles.small.connect_four import ConnectFour
from oracles.small.morris import Morris
from oracles.small.pente import Pente
from oracles.small.teeko import Teeko
from oracles.small.tic_tac_toe import TicTacToe
from oracles.small.yavalath import Yavalath

ALL = [TicTacToe(), ConnectFour(), Breakthrough(), Morris(), Pente(), Teeko(), Yavalath()]


def perft(oracle: Any, depth: int) -> list[tuple[int, int, int]]:
    """For each ply up to the depth: sequences, those of them that go on, distinct positions."""
    counts = []
    reached = Counter({oracle.start(): 1})
    for _ in range(depth):
        after: Counter[Any] = Counter()
        for state, ways in reached.items():
            for _, result in oracle.moves(state):
                after[result] += ways
        reached = Counter({state: ways for state, ways in after.items() if oracle.outcome(state) is None})
        counts.append((after.total(), reached.total(), len(after)))
    return counts


def drawn(names: list[str], picture: str) -> dict[str, str]:
    """The pieces of a drawn board whose sites are named row by row from the top."""
    tokens = picture.split()
    assert len(tokens) == len(names)
    return {name: token for name, token in zip(names, tokens, strict=True) if token != "."}


def grid(width: int, height: int) -> list[str]:
    return ["abcdefghijklmnopqrs"[x] + str(y + 1) for y in reversed(range(height)) for x in range(width)]


def played(oracle: Any, *moves: str) -> Any:
    state = oracle.start()
    for move in moves:
        state = oracle.play(state, move)
    return state


# Every game


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: type(oracle).__name__)
def test_moves_legal_and_play_say_the_same(oracle: Any) -> None:
    state = oracle.start()
    for ply in range(40):
        moves = oracle.moves(state)
        assert [text for text, _ in moves] == oracle.legal(state) == sorted(set(oracle.legal(state)))
        assert all(oracle.play(state, text) == result for text, result in moves)
        if oracle.outcome(state) is not None:
            break
        state = moves[ply * 7919 % len(moves)][1]


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: type(oracle).__name__)
def test_a_view_gives_back_its_state(oracle: Any) -> None:
    state = oracle.start()
    for ply in range(12):
        assert oracle.from_view(oracle.view(state)) == state
        moves = oracle.moves(state)
        state = moves[ply * 7919 % len(moves)][1]
        if oracle.outcome(state) is not None:
            break


@pytest.mark.parametrize("oracle", ALL, ids=lambda oracle: type(oracle).__name__)
@pytest.mark.parametrize("move", ["", "z9", "a0", "a1-a3", "A1", "a1 ", "a1xb2"])
def test_what_is_not_a_move_is_refused(oracle: Any, move: str) -> None:
    with pytest.raises(ValueError, match="not legal"):
        oracle.play(oracle.start(), move)


# Tic-Tac-Toe


def test_tic_tac_toe_has_255168_games_and_5478_positions() -> None:
    counts = perft(TicTacToe(), 9)
    assert [sequences for sequences, _, _ in counts] == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert sum(sequences - still_open for sequences, still_open, _ in counts) == 255168
    assert 1 + sum(positions for _, _, positions in counts) == 5478


def test_of_the_games_of_tic_tac_toe_x_wins_131184_and_o_77904_and_46080_are_drawn() -> None:
    game = TicTacToe()
    reached, results = Counter({game.start(): 1}), Counter[str]()
    while reached:
        after: Counter[Any] = Counter()
        for state, ways in reached.items():
            ended = game.outcome(state)
            if ended is not None:
                results[ended[0]] += ways
            for _, result in game.moves(state):
                after[result] += ways
        reached = after
    assert results == {"x": 131184, "o": 77904, "draw": 46080}


def test_tic_tac_toe_is_a_draw() -> None:
    game = TicTacToe()

    def value(state: Any) -> int:
        ended = game.outcome(state)
        if ended is not None:
            return 0 if ended[0] == "draw" else -1
        return max(-value(result) for _, result in game.moves(state))

    after_three_plies = [game.play(played(game, "b2", "a1"), move) for move in game.legal(played(game, "b2", "a1"))]
    assert max(-value(state) for state in after_three_plies) == 0
    assert all(value(played(game, "b2", reply)) == 1 for reply in ("a2", "b1", "b3", "c2"))


def test_a_ninth_mark_that_makes_three_wins() -> None:
    game = TicTacToe()
    board = drawn(grid(3, 3), "x o x   o x o   o x .")
    state = game.from_view({"board": board, "acts": "x"})
    assert game.outcome(game.play(state, "c1")) == ("x", "end.three")


# Connect Four


def test_connect_four_has_the_published_counts() -> None:
    counts = perft(ConnectFour(), 6)
    assert [sequences for sequences, _, _ in counts] == [7, 49, 343, 2401, 16807, 117649]
    assert [positions for _, _, positions in counts] == [7, 49, 238, 1120, 4263, 16422]


def test_a_disc_falls_on_the_one_below_and_a_full_file_takes_no_more() -> None:
    game = ConnectFour()
    state = played(game, "d1", "d2", "d3", "d4", "d5", "d6")
    assert game.legal(state) == ["a1", "b1", "c1", "e1", "f1", "g1"]
    assert game.view(state)["hands"] == {"first disc": 18, "second disc": 18}


def test_four_discs_on_a_file_win_at_the_seventh_ply() -> None:
    game = ConnectFour()
    state = played(game, "d1", "e1", "d2", "e2", "d3", "e3", "d4")
    assert game.outcome(state) == ("first", "end.four")
    assert game.legal(state) == []


def test_the_last_disc_decides_between_a_win_and_a_draw() -> None:
    game = ConnectFour()
    level = """
        o . x x x o o
        x x o o x x x
        o o x x x o o
        o x o o o x x
        x o o x o o x
        o x x x o o x
    """
    won = """
        o . x x o o o
        o x o o x x x
        x x x o o x x
        x x o x o o o
        o o o x o x x
        x x x o x o o
    """
    for picture, ended in ((level, ("draw", "end.full")), (won, ("second", "end.four"))):
        state = game.from_view({"board": drawn(grid(7, 6), picture), "acts": "second"})
        assert game.legal(state) == ["b6"]
        assert game.outcome(game.play(state, "b6")) == ended


# Breakthrough


def test_breakthrough_has_the_published_counts() -> None:
    assert [sequences for sequences, _, _ in perft(Breakthrough(), 3)] == [22, 484, 11132]


def breakthrough(picture: str, acts: str = "white") -> tuple[Breakthrough, Any]:
    game = Breakthrough()
    return game, game.from_view({"board": drawn(grid(8, 8), picture), "acts": acts})


def test_a_pawn_captures_diagonally_but_never_straight_ahead() -> None:
    game, state = breakthrough("""
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . o o . . . .
        . . . x . . . .
        . . . . . . . .
        . . . . . . . .
    """)
    assert game.legal(state) == ["d3-c4xc4", "d3-e4"]
    assert game.view(game.play(state, "d3-c4xc4"))["board"] == {"c4": "x", "d4": "o"}


def test_reaching_the_far_rank_wins() -> None:
    picture = """
        . . . . . . . .
        x . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . o
        . . . . . . . .
    """
    game, state = breakthrough(picture)
    assert game.outcome(game.play(state, "a7-b8")) == ("white", "end.across")
    game, state = breakthrough(picture, "black")
    assert game.outcome(game.play(state, "h2-h1")) == ("black", "end.across")


def test_losing_the_last_pawn_loses() -> None:
    game, state = breakthrough("""
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . o . . . .
        . . . . x . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """)
    assert game.outcome(game.play(state, "e4-d5xd5")) == ("white", "end.none")
    assert game.outcome(game.play(state, "e4-e5")) is None


# Nine Men's Morris

POINTS = sorted(morris.POINTS, key=lambda point: (-int(point[1]), point))


def men(picture: str, acts: str = "white", white: int = 0, black: int = 0) -> Any:
    """The position with the points drawn rank by rank (3, 3, 3, 6, 3, 3, 3) and that many men in hand."""
    hands = {"white man": white, "black man": black}
    return Morris().from_view({"board": drawn(POINTS, picture), "acts": acts, "hands": hands})


def test_the_morris_board_has_24_points_16_lines_and_32_steps() -> None:
    assert len(morris.POINTS) == 24
    assert len(set(morris.LINES)) == 16
    assert all(sum(point in line for line in morris.LINES) == 2 for point in morris.POINTS)
    assert sum(len(points) for points in morris.NEXT_TO.values()) == 2 * 32
    assert morris.NEXT_TO["a1"] == {"a4", "d1"}
    assert morris.NEXT_TO["d2"] == {"b2", "f2", "d1", "d3"}


def test_the_first_mill_can_be_closed_at_the_fifth_ply() -> None:
    counts = perft(Morris(), 4)
    assert [sequences for sequences, _, _ in counts] == [24, 24 * 23, 24 * 23 * 22, 24 * 23 * 22 * 21]
    game = Morris()
    assert [move for move in game.legal(played(game, "a1", "d6", "d1", "b4")) if "x" in move] == ["g1xb4", "g1xd6"]


def test_a_man_in_a_mill_is_taken_only_when_all_men_are_in_mills() -> None:
    both = men(
        """
        .       .       .
            .   .   .
              . . .
        .   .   . .   .   .
              . . .
            o   o   o
        x       x       .
    """,
        white=3,
        black=3,
    )
    assert [move for move in Morris().legal(both) if move.startswith("g1")] == ["g1xb2", "g1xd2", "g1xf2"]
    one_outside = both._replace(men=(both.men[0], both.men[1] | {"c4"}))
    assert [move for move in Morris().legal(one_outside) if move.startswith("g1")] == ["g1xc4"]


def test_two_mills_closed_at_once_capture_one_man() -> None:
    state = men(
        """
        x       .       .
            o   .   .
              . . .
        x   .   . .   .   o
              . . .
            .   .   .
        .       x       x
    """,
        white=3,
        black=3,
    )
    assert [move for move in Morris().legal(state) if move.startswith("a1")] == ["a1xb6", "a1xg4"]


def test_a_mill_that_opens_and_closes_captures_again() -> None:
    game = Morris()
    state = men("""
        x       x       x
            .   .   .
              o . o
        .   .   . o   .   .
              o . o
            .   .   .
        .       .       x
    """)
    state = game.play(game.play(game.play(state, "d7-d6"), "c3-c4"), "d6-d7xc4")
    assert game.view(state)["board"].keys() == {"a7", "d7", "g7", "g1", "c5", "e5", "e4", "e3"}


def test_a_player_with_three_men_flies_and_one_with_four_does_not() -> None:
    picture = """
        x       .       .
            .   x   .
              . . .
        .   .   . .   .   .
              . . .
            o   .   o
        o       x       o
    """
    assert len(Morris().legal(men(picture))) == 3 * 17
    assert Morris().legal(men(picture, "black")) == [
        "a1-a4", "b2-b4", "b2-d2", "f2-d2", "f2-f4", "g1-g4",
    ]  # fmt: skip


def test_men_in_hand_keep_a_player_in_the_game_and_two_men_lose_it() -> None:
    picture = """
        .       .       .
            o   o   .
              . . .
        .   .   o .   .   .
              . . .
            .   .   .
        x       x       .
    """
    game = Morris()
    assert game.outcome(game.play(men(picture, white=1, black=0), "g1xb6")) == ("white", "end.two")
    assert game.outcome(game.play(men(picture, white=2, black=1), "g1xb6")) is None


def test_a_player_who_cannot_move_loses() -> None:
    game = Morris()
    state = men("""
        o       x       .
            .   .   x
              . . .
        o   x   . .   .   x
              . . .
            .   x   .
        o       .       o
    """)
    assert game.outcome(game.play(state, "d2-d1")) == ("white", "end.stuck")
    assert game.outcome(game.play(state, "d2-f2")) is None
    flying = state._replace(men=(state.men[0], state.men[1] - {"g1"}))
    assert game.outcome(game.play(flying, "d2-d1")) is None


# Pente


def pairs(picture: str, acts: str = "white", white: int = 0, black: int = 0) -> tuple[Pente, Any]:
    rows = picture.strip().splitlines()
    size = (len(rows[0].split()), len(rows))
    view = {"board": drawn(grid(*size), picture), "acts": acts, "captured by": {"white": white, "black": black}}
    game = Pente(board=size)
    return game, game.from_view(view)


def test_pente_allows_any_first_stone() -> None:
    assert [sequences for sequences, _, _ in perft(Pente(), 1)] == [361]
    assert len(Pente().legal(played(Pente(), "a1"))) == 360


def test_a_pair_is_taken_and_one_or_three_stones_are_not() -> None:
    game, state = pairs("""
        x . . x . . x
        . o . o . . .
        . . o o o . .
        x o o . o o x
        . . o . . . .
        . . . o . . .
        . . . x . . .
    """)
    assert [move for move in game.legal(state) if move.startswith("d4")] == ["d4xb4b6c4c5d5d6e4f4"]
    game, state = pairs("""
        . . . x . . x
        . . . o . o .
        . . . o o . .
        x . o . o o .
        . . o . o . .
        . x . o . o .
        . . . x . . x
    """)
    assert [move for move in game.legal(state) if move.startswith("d4")] == ["d4xd5d6e3e5f2f6"]
    game, state = pairs("x o . o o o x o o .")
    assert game.legal(state) == ["c1", "j1xh1i1"]


def test_stepping_between_two_enemies_is_safe() -> None:
    game, state = pairs(
        """
        . . . . .
        x o . x .
        . . . . .
    """,
        "black",
    )
    after = game.play(state, "c2")
    assert len(game.view(after)["board"]) == 4


def test_ten_captured_stones_win_and_a_five_is_named_first() -> None:
    game, state = pairs(
        """
        . . . . . .
        x o o . x x
        . . . . . .
    """,
        white=8,
    )
    assert game.outcome(game.play(state, "d2xb2c2")) == ("white", "end.captures")
    game, state = pairs(
        """
        . . . . . . . .
        x o o . x x x x
        . . . . . . . .
    """,
        white=8,
    )
    assert game.outcome(game.play(state, "d2xb2c2")) == ("white", "end.five")
    game, state = pairs(
        """
        . . . . . . . .
        x o o . x x x .
        . . . . . . . .
    """,
        white=6,
    )
    assert game.outcome(game.play(state, "d2xb2c2")) is None


# Teeko


def test_teeko_has_44_winning_shapes() -> None:
    assert len(teeko.SHAPES) == 44


def test_teeko_begins_with_the_arrangements_of_men_on_25_sites() -> None:
    counts = perft(Teeko(), 4)
    assert [sequences for sequences, _, _ in counts] == [25, 25 * 24, 25 * 24 * 23, 25 * 24 * 23 * 22]
    assert [positions for _, _, positions in counts] == [25, 600, 25 * 24 // 2 * 23, (25 * 24 // 2) * (23 * 22 // 2)]


def test_a_square_or_a_row_wins_while_placing() -> None:
    game = Teeko()
    square = played(game, "b2", "e1", "b3", "e2", "c2", "e3", "c3")
    assert game.outcome(square) == ("black", "end.shape")
    row = played(game, "a1", "e1", "b2", "e2", "c3", "e3", "a5", "e4")
    assert game.outcome(row) == ("red", "end.shape")


def test_men_move_one_step_once_all_are_placed() -> None:
    game = Teeko()
    board = drawn(
        grid(5, 5),
        """
        . . . . x
        . . . . .
        . x o . .
        . o x . .
        x . o . o
    """,
    )
    state = game.from_view({"board": board, "acts": "black"})
    assert game.view(state)["phase"] == "moving"
    assert [move for move in game.legal(state) if move[:2] in ("a1", "e5")] == [
        "a1-a2", "a1-b1", "e5-d4", "e5-d5", "e5-e4",
    ]  # fmt: skip


# Yavalath

HEXAGON = sorted(yavalath.Yavalath().named, key=lambda site: (-int(site[1]), site))


def hexagon(picture: str) -> Any:
    return Yavalath().from_view({"board": drawn(HEXAGON, picture), "acts": "first"})


def test_the_hexagon_of_side_five_has_61_sites_in_ranks_of_5_to_9() -> None:
    assert [sum(site[1:] == str(rank) for site in HEXAGON) for rank in range(1, 10)] == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    ends = {rank: [site for site in HEXAGON if site.endswith(rank)] for rank in "159"}
    assert ends["1"] == ["a1", "b1", "c1", "d1", "e1"]
    assert (ends["5"][0], ends["5"][-1]) == ("a5", "i5")
    assert ends["9"] == ["e9", "f9", "g9", "h9", "i9"]


def test_a_yavalath_board_of_side_three_has_27_places_for_a_losing_three() -> None:
    counts = perft(Yavalath(side=3), 5)
    assert [sequences for sequences, _, _ in counts] == [19, 342, 5814, 93024, 1395360]
    assert counts[4][0] - counts[4][1] == 27 * 6 * 16 * 15


def test_three_in_a_row_loses_in_each_of_the_three_directions() -> None:
    game = Yavalath()
    for row in (["d4", "e4", "f4"], ["e4", "e5", "e6"], ["d3", "e4", "f5"]):
        assert game.outcome(played(game, row[0], "a1", row[2], "a3", row[1])) == ("second", "end.three")


def test_the_slanted_diagonal_is_no_line() -> None:
    assert Yavalath().outcome(played(Yavalath(), "d6", "a1", "e5", "a3", "f4")) is None


def test_four_in_a_row_win_even_beside_a_three() -> None:
    game = Yavalath()
    state = hexagon("""
                . . . . .
               . . . . . .
              . . . . . x .
             . . . . . x . .
            . . . x x . x . .
             . . . . . . . .
              . . . . . . .
               . . . . . .
                . . . . .
    """)
    assert game.outcome(game.play(state, "f5")) == ("first", "end.four")


def test_five_in_a_row_win_too() -> None:
    game = Yavalath()
    state = hexagon("""
                . . . . .
               . . . . . .
              . . . . . . .
             . . . . . . . .
            . x x . x x . . .
             . . . . . . . .
              . . . . . . .
               . . . . . .
                . . . . .
    """)
    assert game.outcome(game.play(state, "d5")) == ("first", "end.four")
