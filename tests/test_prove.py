"""The solver's answers: they agree with the interpreter, with known counts, with oracles, and they are not vacuous."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawstone.board import grid
from lawstone.check.lockstep import Pair
from lawstone.check.settle import Effort, settle, texts
from lawstone.core import (
    Scope,
    at_least,
    both,
    count,
    either,
    exactly,
    fold,
    least,
    minus,
    number,
    plus,
    read,
    some,
    step,
    when,
    where,
    without,
)
from lawstone.engine.game import Game
from lawstone.engine.reference import Ints
from lawstone.engine.state import State
from lawstone.prove import lemmas
from lawstone.prove.ask import ask, cnf, proof
from lawstone.prove.bits import Bits, Given, Number, Size, equal
from lawstone.prove.circuit import FALSE, TRUE, Circuit
from lawstone.prove.complete import duties
from lawstone.prove.encode import Model, decode_state
from lawstone.prove.free import adds_own, comparable, compare, fewest_plies
from lawstone.prove.unroll import unroll
from lawstone.spec import load

FOUNDING = [
    ("xxung", ""), ("gomoku", ""), ("gomoku", "pro"), ("gomoku", "swap2"), ("wugun", ""), ("wugun", "north-east"), ("oxono", ""),
]  # fmt: skip


def readings(name: str, question: str, answer: str, board: tuple[int, int] | None = None, variant: str = ""):
    spec = load(name)
    base = spec.base_answer(spec.question(question))
    return spec, *(spec.rules(variant, {question: a}, board) for a in (base, answer))


# -- circuits ---------------------------------------------------------------------------------------------------------------------


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_circuit_and_its_clauses_say_the_same(data: st.DataObject):
    c = Circuit()
    inputs = [c.input(f"x{i}") for i in range(4)]
    pool = [TRUE, FALSE, *inputs]
    for _ in range(data.draw(st.integers(1, 12))):
        pick = [data.draw(st.sampled_from(pool)) * data.draw(st.sampled_from((1, -1))) for _ in range(3)]
        made = data.draw(st.sampled_from(("all", "any", "xor", "ite")))
        pool.append(c.ite(*pick) if made == "ite" else c.xor(*pick[:2]) if made == "xor" else getattr(c, made)(pick))
    root = pool[-1]
    for assignment in range(16):
        fixed = [x if assignment >> i & 1 else -x for i, x in enumerate(inputs)]
        expected = c.evaluate({x: assignment >> i & 1 for i, x in enumerate(inputs)}, [root])[0]
        assert (ask(c, [*fixed, root]).verdict == "yes") == bool(expected)


@given(st.integers(0, 6), st.lists(st.booleans(), min_size=6, max_size=6))
def test_at_least_k_of_six_is_counted_rightly(k: int, held: list[bool]):
    c = Circuit()
    assert (Size(c, [TRUE if h else FALSE for h in held]).at_least(k) == TRUE) == (sum(held) >= k)


@pytest.mark.parametrize("n", [1, 15, 16, 17, 31, 33])
def test_no_count_wraps_however_many_sites_there_are(n: int):
    c = Circuit()
    inputs = [c.input(f"x{i}") for i in range(n)]
    size = Size(c, inputs)
    assert ask(c, [size.at_least(n), *inputs[1:], -inputs[0]]).verdict == "no"
    assert ask(c, [size.at_least(n), *inputs]).verdict == "yes"
    assert size.at_least(n + 1) == FALSE


def test_the_number_of_solutions_of_a_choice_is_the_binomial():
    c = Circuit()
    inputs = [c.input(f"x{i}") for i in range(6)]
    exact = c.both(Size(c, inputs).at_least(3), -Size(c, inputs).at_least(4))
    found = list(combinations(range(6), 3))
    assert sum(c.evaluate({x: m >> i & 1 for i, x in enumerate(inputs)}, [exact])[0] for m in range(64)) == len(found)


# -- every operator means what it means to the interpreter ------------------------------------------------------------------------

BOARD = grid(3, 3)
A, B = read("a"), read("b")
TERMS = {
    "either": either(A, B),
    "both": both(A, B),
    "without": without(A, B),
    "step": step(A, "north east"),
    "some": some(both(A, B)),
    "count": exactly(count(A, 9), count(B, 9)),
    "plus": at_least(plus(count(A, 9), count(B, 9)), number(9)),
    "minus": exactly(minus(count(A, 9), count(B, 9)), number(2)),
    "least": exactly(least(count(A, 9), count(B, 9)), number(4)),
    "when": when(at_least(count(A, 9), number(5)), B, without(A, B)),
    "where": where(A, lambda x: at_least(count(either(x, B), 9), number(5))),
}


@pytest.mark.parametrize("name", TERMS)
def test_an_operator_means_the_same_to_the_solver_and_to_the_interpreter(name: str):
    dice, term = random.Random(name), TERMS[name]
    for _ in range(60):
        a, b = dice.getrandbits(9), dice.getrandbits(9)
        expected = fold(term, Ints(BOARD), Scope({"a": a, "b": b}))
        bits = Bits(Circuit(), BOARD)
        scope = Scope({n: tuple(TRUE if m >> s & 1 else FALSE for s in range(9)) for n, m in (("a", a), ("b", b))})
        found = fold(term, bits, scope)
        value = sum(1 << s for s, x in enumerate(found) if x == TRUE) if isinstance(found, tuple) else found == TRUE
        assert value == expected


@pytest.mark.parametrize("operator", TERMS)
def test_a_broken_operator_is_caught_by_the_agreement(operator: str, monkeypatch: pytest.MonkeyPatch):
    """Mutation of the tool itself: a wrong value is returned in place of the operator's own."""
    whole = getattr(Bits, operator)

    def broken(self: Bits, first, *rest):
        if operator in ("some",):
            return FALSE
        if operator == "count":
            return Given(self.circuit, (TRUE,))
        if operator == "where":
            return self.sites(frozenset())
        return first if operator != "when" else rest[0]

    assert whole is not broken
    monkeypatch.setattr(Bits, operator, broken)
    with pytest.raises(AssertionError):
        test_an_operator_means_the_same_to_the_solver_and_to_the_interpreter(operator)


@pytest.mark.parametrize(("name", "variant"), FOUNDING)
def test_moves_updates_and_endings_agree_with_the_everyday_engine(name: str, variant: str):
    game = Game.load(name, variant)
    dice, checked = random.Random(1), 0
    while checked < 60:
        state = game.engine.start()
        for _ in range(dice.randrange(1, 60)):
            moves = game.engine.moves(state)
            if not moves:
                break
            move = dice.choice(moves)
            after = game.engine.play(state, move)
            turn = game.rules.phases[state.phase].turns[move.turn]
            if len(move.sites) == len(turn.choices) and dice.random() < 0.2:
                agrees(game, state, move, after)
                checked += 1
            if after.outcome is not None:
                break
            state = after.state


def agrees(game: Game, state: State, move, after) -> None:
    model = Model(game.rules)
    turn = game.rules.phases[state.phase].turns[move.turn]
    picks = [tuple(TRUE if p >> s & 1 else FALSE for s in range(game.rules.board.size)) for p in move.sites]
    taken = model.take(turn, model.constant(state), "", picks)
    assert taken.legal == TRUE
    ends = [e.rule for e, x in zip(turn.endings, taken.endings, strict=True) if x == TRUE]
    assert ends == ([] if after.outcome is None else [after.outcome.rule])
    if after.outcome is None:
        (following,) = (n for n, x in zip(turn.next, taken.following, strict=True) if x == TRUE)
        values = model.seen_by_other(taken.after) if following.passes else dict(taken.after)
        seat = 1 - state.seat if following.passes else state.seat
        assert decode_state(game.rules, values, lambda x: x == TRUE, following.phase, seat) == after.state
    legal = {m.sites for m in game.engine.moves(state) if m.turn == move.turn}
    spoiled = [s ^ (1 << random.Random(move.sites[-1]).randrange(game.rules.board.size)) for s in move.sites[-1:]]
    wrong = (*move.sites[:-1], *spoiled)
    picks = [tuple(TRUE if p >> s & 1 else FALSE for s in range(game.rules.board.size)) for p in wrong]
    assert (model.take(turn, model.constant(state), "", picks).legal == TRUE) == (wrong in legal)


# -- facts ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["xxung", "oxono", "wugun", "nine-mens-morris"])
def test_proved_facts_hold_in_every_position_of_random_games(name: str):
    game = Game.load(name)
    known = lemmas.prove(game.rules)
    assert any(x.says == "the position is well formed" for x in known.proved)
    assert len(known.proved) < known.tried
    for seed in range(6):
        dice, state = random.Random(seed), game.engine.start()
        for _ in range(80):
            model = Model(game.rules)
            values = model.constant(state)
            assert all(x.literal(model, values) == TRUE for x in known.of(state.phase))
            moves = game.engine.moves(state)
            if not moves:
                break
            after = game.engine.play(state, dice.choice(moves))
            if after.outcome is not None:
                break
            state = after.state


def test_a_fact_that_fails_somewhere_is_not_proved():
    said = {x.says for x in lemmas.prove(Game.load("xxung").rules).of("main")}
    assert "last lies in theirs.stone" in said
    assert "last lies in mine.stone" not in said
    assert "mine.stone is empty" not in said


def test_every_duty_of_oxono_can_be_met_and_wugun_has_its_gaps():
    oxono = Game.load("oxono").rules
    assert {d.verdict for d in duties(oxono, lemmas.prove(oxono))} == {"never"}
    wugun = Game.load("wugun").rules
    found = {(d.kind, d.rule): d.verdict for d in duties(wugun, lemmas.prove(wugun))}
    assert found["duty", "capture.take"] == "never"
    assert found["duty", "room.remove"] == "possible"
    assert found["no move", "move.step"] == "possible"


# -- two readings -----------------------------------------------------------------------------------------------------------------


def test_who_is_blocked_is_the_same_on_every_well_formed_position():
    _, a, b = readings("xxung", "who-is-blocked", "either-player")
    found = compare(a, b, reasons=True)
    assert found.same
    assert found.vacuous == ()


def test_the_last_piece_needs_the_fact_that_it_is_the_opponents():
    _, a, b = readings("xxung", "last-piece", "of-the-opponent")
    assert not compare(a, b).same
    assert compare(a, b, lemmas.prove(a)).same


def test_six_cannot_be_told_from_five_on_a_board_of_five():
    _, a, b = readings("xxung", "six", "does-not", (5, 5))
    assert compare(a, b).same
    _, a, b = readings("xxung", "six", "does-not", (6, 6))
    assert not compare(a, b).same


@pytest.mark.parametrize(
    ("question", "answer", "plies"), [("whose-five", "any", 5), ("blocked-by", "walled-by-pieces", 4), ("six", "does-not", 11)]
)
def test_a_shortest_game_has_the_known_number_of_plies(question: str, answer: str, plies: int):
    spec, a, b = readings("xxung", question, answer, (6, 6))
    found = unroll(a, b, 12, seconds=120)
    assert (found.verdict, found.plies) == ("differ", plies)
    pair = Pair(Game(spec, a), Game(spec, b))
    parting = pair.replay(texts(pair, found.picks))
    assert parting is not None
    assert parting.plies == plies
    assert pair.confirm(parting)


def test_exactly_five_and_at_least_five_differ_at_ply_eleven_by_counting():
    _, a, b = readings("gomoku", "overline", "wins")
    assert adds_own(a)
    assert fewest_plies(a, b, None, 12) == 10


def test_readings_of_other_turns_are_said_not_to_be_comparable():
    _, a, b = readings("wugun", "fewer", "take-protected-too")
    assert "picks" in comparable(a, b)
    assert not compare(a, b).applies


def test_a_verdict_says_by_which_methods_it_was_reached():
    spec, a, b = readings("xxung", "last-piece", "of-the-opponent")
    done = settle(Pair(Game(spec, a), Game(spec, b)), Effort())
    assert done.verdict == "same: proved"
    assert "induction" in done.how
    assert any("well-formed positions" in s for s in done.steps)


# -- proofs -----------------------------------------------------------------------------------------------------------------------


def test_a_no_has_a_clausal_proof_and_a_yes_has_none():
    c = Circuit()
    holes = [[c.input(f"{pigeon} in {hole}") for hole in range(3)] for pigeon in range(4)]
    housed = [c.any(row) for row in holes]
    alone = [-c.both(a[h], b[h]) for a, b in combinations(holes, 2) for h in range(3)]
    assert proof(cnf(c, [*housed, *alone]))
    assert proof(cnf(c, [*housed[1:], *alone])) is None


def test_equal_compares_numbers_by_every_step():
    c = Circuit()
    a, b = Given(c, (TRUE, FALSE)), Given(c, (TRUE, TRUE))
    assert equal(c, a, b) == FALSE
    assert equal(c, a, Given(c, (TRUE,))) == TRUE
    assert isinstance(a, Number)
