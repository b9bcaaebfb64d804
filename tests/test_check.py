"""Findings: what is known of small games is found, shortest, with a witness that the reference interpreter has replayed."""

from __future__ import annotations

import pytest

from lawstone.check import gaps
from lawstone.check.examples import begin
from lawstone.check.lockstep import Pair, Two
from lawstone.check.report import Report, read_results
from lawstone.check.run import Plan, check, difference
from lawstone.check.search import Budget, Search, parted_at, search, shrink, whole_tree
from lawstone.check.solve import TooLarge, value
from lawstone.data import proofs_root, shipped_games
from lawstone.engine.game import Game
from lawstone.engine.kernel.run import COMPILED
from lawstone.spec import load
from oracles.xxung import Xxung

QUICK = Budget(pairs=40_000, games=30, replays=600)


def pair_of(name: str, question: str, answer: str, board: tuple[int, int] | None = None, variant: str = "") -> Pair:
    spec = load(name)
    base = spec.base_answer(spec.question(question))
    return Pair(*(Game(spec, spec.rules(variant, {question: a}, board)) for a in (base, answer)))


def told(name: str, question: str, answer: str, variant: str = "", board: tuple[int, int] | None = None):
    spec = load(name)
    q = spec.question(question)
    return difference(spec, q, spec.base_answer(q), answer, variant, Plan(board=board, budget=QUICK))


# -- known answers ----------------------------------------------------------------------------------------------------------------


def test_a_row_of_any_colour_differs_from_one_of_ones_own_at_ply_five():
    found = told("xxung", "whose-five", "any")
    assert (found.verdict, found.level, found.witness.plies, found.witness.shortest) == ("differ", "outcome", 5, True)


def test_a_block_by_the_rim_is_told_from_a_wall_of_pieces_at_ply_four():
    found = told("xxung", "blocked-by", "walled-by-pieces")
    assert (found.level, found.witness.plies, found.witness.shortest) == ("outcome", 4, True)
    assert found.a.outcome.startswith("second wins")


def test_six_in_a_row_needs_at_least_eleven_plies_to_matter():
    found = told("xxung", "six", "does-not")
    assert found.verdict == "differ"
    assert found.witness.plies >= 11
    assert not found.witness.shortest


def test_on_five_by_five_nobody_can_tell_six_from_five():
    found = told("xxung", "six", "does-not", board=(5, 5))
    assert found.verdict == "same: proved"
    assert "well-formed position" in found.bound


def test_straight_line_distance_is_proved_the_same_by_its_core_terms():
    found = told("gomoku", "pro-third", "straight-line", variant="pro")
    assert found.verdict == "same: proved"
    assert "core terms" in found.bound


def test_the_proof_by_core_terms_is_not_vacuous():
    assert told("gomoku", "pro-third", "city-block", variant="pro").verdict == "differ"


def test_readings_that_part_in_an_event_only_are_told_by_the_event():
    found = told("gomoku", "clock", "nothing-said")
    assert (found.verdict, found.level) == ("differ", "events")
    assert "loses" in found.a.outcome
    assert "nothing is said" in found.b.outcome


def test_a_whole_small_game_is_compared_to_its_end():
    spec = load("tic-tac-toe")
    found = Search()
    whole_tree(Pair(Game(spec, spec.rules()), Game(spec, spec.rules())), Budget(), found)
    assert found.parting is None
    assert found.exhausted
    assert found.whole == 8


# -- against an oracle ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"), [("whose-five", "any"), ("blocked-by", "walled-by-pieces"), ("in-between", "only-own-pieces")]
)
def test_the_first_difference_is_at_the_ply_where_the_oracle_finds_it(question, answer):
    board = (5, 5)
    found = search(pair_of("xxung", question, answer, board), Budget(pairs=200_000, games=0))
    assert found.shortest
    assert found.parting is not None
    assert found.parting.plies == first_ply_by_oracle(Xxung(board=board), Xxung(board=board, **{question: answer}))


def first_ply_by_oracle(a: Xxung, b: Xxung) -> int:
    """The first ply at which two oracles differ in legal moves or outcomes, every game looked at."""
    front = {(a.start(), b.start())}
    for ply in range(8):
        following = set()
        for x, y in front:
            if a.outcome(x) != b.outcome(y) or a.legal(x) != b.legal(y):
                return ply
            if a.outcome(x) is None:
                following |= {(a.play(x, m), b.play(y, m)) for m in a.legal(x)}
        front = following
    raise AssertionError("the oracles do not differ so early")


# -- witnesses --------------------------------------------------------------------------------------------------------------------


def test_every_witness_is_confirmed_by_the_reference_interpreter():
    pair = pair_of("oxono", "jump-over-totem", "no")
    parting = search(pair, Budget()).parting
    assert parting is not None
    assert pair.confirm(parting)
    assert not pair.confirm(type(parting)(parting.moves[:-1], parting.level, parting.only_a, parting.only_b))


def test_a_shrunk_game_still_shows_the_difference():
    pair = pair_of("gomoku", "overline", "wins", (9, 9))
    found = search(pair, Budget(pairs=100, games=6, replays=2_000))
    assert found.parting is not None
    assert 11 <= found.parting.plies <= 30
    assert pair.replay(found.parting.moves) == found.parting


def test_shrinking_keeps_a_line_that_cannot_be_shorter():
    pair = pair_of("xxung", "whose-five", "any")
    assert shrink((), lambda line: parted_at(pair, line), 100) == ()


def test_a_seed_repeats_a_search():
    first, again = (search(pair_of("gomoku", "directions", "row-or-column"), QUICK) for _ in range(2))
    assert first.parting == again.parting


# -- gaps -------------------------------------------------------------------------------------------------------------------------


def test_wugun_runs_into_its_three_gaps_and_each_is_confirmed():
    game = Game.load("wugun")
    met = gaps.gaps(game, Budget())
    assert {(m.kind, m.rule) for m in met} >= {("duty", "room.remove"), ("no move", "move.step"), ("endless", "moving")}
    assert all(gaps.confirm(game, m) for m in met)


def _no_room(answer: str) -> Pair:
    spec = load("wugun")
    return Pair(Game(spec, spec.rules()), Game(spec, spec.rules("", {"no-room": answer})))


def test_a_move_short_of_a_duty_is_matched_with_the_one_that_takes_what_there_is():
    pair, shown = _no_room("mover-wins"), next(e for e in load("wugun").examples if e.id == "room.nobody-can-free")
    both = [begin(pair.a.spec, shown, game) for game in (pair.a, pair.b)]
    two = Two(both[0].state, both[1].state)
    options = pair.options(two)
    assert options[0] != options[1]
    assert pair.same_moves(two, options)
    move = next(m.picks for m in both[0].moves if m.text == "d1-c1xe5")
    after = pair.play(two, move, pair.matching(two, move, options))
    assert after.over_a is not None
    assert after.over_b is not None
    assert [(x.kind, x.rule) for x in (after.over_a, after.over_b)] == [("no rule", "room.remove"), ("win", "end.no-room-loses")]


@pytest.mark.parametrize("answer", ["mover-wins", "draw"])
def test_a_game_into_a_gap_tells_apart_readings_that_the_search_has_not(answer: str):
    pair, found = _no_room(answer), Search()
    assert gaps.guided(pair, Budget(games=60), found)
    assert found.parting is not None
    assert found.parting.level == "outcome"
    assert pair.confirm(found.parting)
    assert not gaps.guided(pair, Budget(), Search(parting=found.parting, by=COMPILED))


def test_a_game_that_cannot_repeat_has_no_endless_gap():
    assert gaps.gaps(Game.load("tic-tac-toe"), QUICK) == []


def test_an_endless_game_comes_back_to_a_position_that_has_been_there():
    game = Game.load("teeko")
    (met,) = (m for m in gaps.gaps(game, QUICK) if m.kind == "endless")
    positions = [game.start()]
    for move in met.moves:
        positions.append(positions[-1].play(move))
    assert positions[-1].state in [p.state for p in positions[:-1]]


# -- values -----------------------------------------------------------------------------------------------------------------------


def test_small_boards_have_the_values_that_are_known():
    assert value(Game.load("tic-tac-toe")) == "draw"
    assert value(Game.load("xxung", board=(4, 4)), most=200_000) == "second wins"
    assert value(Game.load("xxung", board=(2, 2))) == "second wins"


def test_a_game_that_is_too_large_is_not_given_a_value():
    with pytest.raises(TooLarge):
        value(Game.load("gomoku"), most=500)


# -- reports ----------------------------------------------------------------------------------------------------------------------


def test_a_report_is_one_document_that_reads_back():
    spec = load("tic-tac-toe")
    report = check(spec, Plan(budget=QUICK))
    assert Report.model_validate_json(report.model_dump_json(by_alias=True)) == report
    assert report.failed_examples == []


def recorded() -> list[tuple[str, str]]:
    return [(g, f.key) for g in shipped_games() if (r := read_results(proofs_root() / g / "results.json")) for f in r.findings]


def test_results_are_recorded_for_the_four_founding_games():
    assert {g for g, _ in recorded()} >= {"xxung", "gomoku", "wugun", "oxono"}


@pytest.mark.parametrize("game", ["xxung", "gomoku", "wugun", "oxono"])
def test_every_recorded_witness_is_replayed_and_still_shows_its_finding(game):
    spec = load(game)
    results = read_results(proofs_root() / game / "results.json")
    assert results is not None
    assert results.rules_version == spec.game.rules_version
    replayed = 0
    for finding in results.findings:
        variant, what, *rest = finding.key.split("/")
        variant = "" if variant == "base" else variant
        if finding.verdict == "gap":
            met = gaps.Met(what_kind(finding.key), rest[1], tuple(finding.moves or ()), 0.0, False, "")
            assert gaps.confirm(Game(spec, spec.rules(variant)), met), finding.key
            replayed += 1
        elif finding.verdict == "differ" and finding.level != "events":
            sides = [Game(spec, spec.rules(variant, {what: answer})).by_the_law() for answer in rest]
            parting = Pair(*sides).replay(finding.moves or [])
            assert parting is not None, finding.key
            assert (parting.plies, parting.level) == (len(finding.moves or []), finding.level), finding.key
            replayed += 1
    assert replayed > 0


def what_kind(key: str):
    return key.split("/")[2]


def test_every_open_question_of_the_founding_games_has_a_recorded_verdict():
    keys = {k for _, k in recorded()}
    for name in ("xxung", "gomoku", "wugun", "oxono"):
        spec = load(name)
        for q in spec.game.questions or []:
            base = spec.base_answer(q)
            variant = q.in_ if q.in_ not in (None, "base") else "base"
            for answer in q.answers:
                assert answer == base or f"{variant}/{q.id}/{base}/{answer}" in keys, f"{name}: {q.id}"
