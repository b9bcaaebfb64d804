"""Kinds of difference: those that exist are found, each with a shortest game, as naive enumeration has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lawstone.check import render
from lawstone.check import report as reported
from lawstone.check.kinds import Kinds, kinds
from lawstone.check.lockstep import Pair
from lawstone.check.report import Report
from lawstone.check.run import Plan, check
from lawstone.check.search import Budget
from lawstone.check.settle import Effort, settle
from lawstone.cli.main import cli
from lawstone.data import spec_root
from lawstone.engine.game import Game, Position
from lawstone.engine.state import Outcome
from lawstone.spec import load
from lawstone.work import bounds, cache
from lawstone.work.crew import Crew
from oracles.xxung import PLAYERS, Xxung

WHOLE = Budget(pairs=200_000, games=0)
PLANTED = """
questions:
  - id: planted
    ask: {en: "Which lines win, and who wins a full board?"}
    status: open
    answers:
      as-written: {}
      otherwise:
        end.three: {if.line.directions: orthogonal}
        end.full: {draw: null, wins: mover}
"""


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """Tic-tac-toe where, under the second answer, diagonals do not win and the last mark on a full board does."""
    text = (spec_root() / "tic-tac-toe" / "game.yaml").read_text(encoding="utf-8").replace("game: tic-tac-toe", "game: planted")
    file = tmp_path / "planted" / "game.yaml"
    file.parent.mkdir()
    file.write_text(text + PLANTED, encoding="utf-8")
    assert load(str(file)).faults() == []
    return file


def pair_of(name: str, question: str, answer: str, board: tuple[int, int] | None = None) -> Pair:
    spec = load(name)
    base = spec.base_answer(spec.question(question))
    return Pair(*(Game(spec, spec.rules("", {question: a}, board)) for a in (base, answer)))


def found(pair: Pair, budget: Budget = WHOLE) -> Kinds:
    done = settle(pair, Effort(budget))
    assert done.parting is not None
    return kinds(pair, done.parting, done.shortest, budget)


# -- against naive enumeration ----------------------------------------------------------------------------------------------------


def ended(outcome: Outcome | None, mover: int) -> str:
    if outcome is None:
        return "the game goes on"
    if outcome.kind == "draw":
        return "the game is drawn"
    return "the mover wins" if outcome.winner == mover else "the other player wins"


def by_enumeration(a: Game, b: Game) -> dict[tuple[str, str, tuple[str, ...]], int]:
    """The kinds in which two games with the same moves differ in how they end, with the fewest plies; no symmetry is used."""
    kinds: dict[tuple[str, str, tuple[str, ...]], int] = {}
    front: dict[Position, Position] = {a.start(): b.start()}
    ply = 0
    while front:
        ply += 1
        following: dict[Position, Position] = {}
        for x, y in front.items():
            assert [m.text for m in x.moves] == [m.text for m in y.moves]
            for move in x.moves:
                p, q = x.play(move.text), y.play(move.text)
                if p.ended == q.ended:
                    if p.ended is None:
                        following[p] = q
                    continue
                rules = tuple(dict.fromkeys(o.rule for o in (p.ended, q.ended) if o is not None))
                words = f"{ended(p.ended, x.state.seat)} / {ended(q.ended, x.state.seat)}"
                level = "reason" if len(set(words.split(" / "))) == 1 else "outcome"
                kinds.setdefault((level, words, rules), ply)
        front = following
    return kinds


def test_a_planted_game_has_exactly_the_kinds_that_enumeration_finds(planted):
    pair = pair_of(str(planted), "planted", "otherwise")
    told = found(pair)
    shown = {(s.kind.level, s.kind.how, s.kind.rules): s.parting.plies for s in told.sights}
    assert shown == by_enumeration(pair.a, pair.b)
    assert shown == {
        ("outcome", "the mover wins / the game goes on", ("end.three",)): 5,
        ("outcome", "the game is drawn / the mover wins", ("end.full",)): 9,
        ("reason", "the mover wins / the mover wins", ("end.three", "end.full")): 9,
    }
    assert told.complete
    assert all(s.shortest for s in told.sights)
    assert all(pair.confirm(s.parting) for s in told.sights)


def oracle_words(outcome: tuple[str, str] | None, mover: int) -> str:
    if outcome is None:
        return "the game goes on"
    if outcome[0] in PLAYERS:
        return "the mover wins" if PLAYERS.index(outcome[0]) == mover else "the other player wins"
    return "no rule says what happens"


def by_oracle(a: Xxung, b: Xxung) -> dict[tuple[str, str, str], int]:
    """Levels, ways and phases in which two oracles part for the first time in a game, with the fewest plies."""
    kinds: dict[tuple[str, str, str], int] = {}
    front, ply = {(a.start(), b.start())}, 0
    while front:
        following = set()
        for x, y in front:
            in_a, in_b = set(a.legal(x)), set(b.legal(y))
            if in_a != in_b:
                how = (
                    "only B allows more"
                    if in_a < in_b
                    else "only A allows more"
                    if in_b < in_a
                    else "each allows what the other forbids"
                )
                kinds.setdefault(("legal moves", how, phase(x)), ply)
                continue
            for move in in_a:
                p, q = a.play(x, move), b.play(y, move)
                if p.ended != q.ended:
                    words = [oracle_words(o, x.acts) for o in (p.ended, q.ended)]
                    kinds.setdefault(("reason" if words[0] == words[1] else "outcome", " / ".join(words), phase(x)), ply + 1)
                elif p.ended is None:
                    following.add((p, q))
        front, ply = following, ply + 1
    return kinds


def phase(state) -> str:
    return "opening 1" if not any(state.stones) else "main"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("in-line", "diagonals-too"),
        ("in-between", "only-own-pieces"),
        ("in-between", "only-enemy-pieces"),
        ("how-far", "next-to-it"),
    ],
)
def test_the_kinds_of_a_question_of_xxung_are_those_of_the_oracle(question, answer):
    board = (3, 3)
    told = found(pair_of("xxung", question, answer, board))
    assert told.complete
    shown: dict[tuple[str, str, str], int] = {}
    for s in told.sights:
        shown.setdefault((s.kind.level, s.kind.how, s.kind.phase), s.parting.plies)
    assert shown == by_oracle(Xxung(board=board), Xxung(board=board, **{question: answer}))
    assert len(shown) >= 1


# -- games by chance --------------------------------------------------------------------------------------------------------------


def test_games_by_chance_find_kinds_that_lie_beyond_the_whole_tree(planted):
    pair = pair_of(str(planted), "planted", "otherwise")
    told = found(pair, Budget(pairs=300, games=300, replays=900))
    assert not told.complete
    assert told.games > 0
    assert {s.kind.rules: s.parting.plies for s in told.sights} == {
        ("end.three",): 5,
        ("end.full",): 9,
        ("end.three", "end.full"): 9,
    }
    assert not any(s.shortest for s in told.sights if s.parting.plies == 9)


def test_the_kept_game_is_the_first_of_its_images(planted):
    pair = pair_of(str(planted), "planted", "otherwise")
    numbers = pair.a.rules.board.numbers
    for sight in found(pair).sights:
        line = [numbers[m] for m in sight.parting.moves]
        images = [[s.board.sites[n] for n in line] for s in pair.carries]
        assert len(images) == 8
        assert line == min(images)


# -- what is told -----------------------------------------------------------------------------------------------------------------


def report(file: Path, workers: int, **plan) -> Report:
    told = check(load(str(file)), Plan(budget=Budget(pairs=40_000, games=6), **plan), crew=Crew(workers))
    return told.model_copy(update={"cpu_seconds": 0})


def test_kinds_are_told_on_request_only_and_by_workers_too(planted):
    alone, shared = report(planted, 1, all_kinds=True), report(planted, 2, all_kinds=True)
    assert alone == shared
    (difference,) = alone.differences
    assert difference.kinds is not None
    assert [k.finding for k in difference.kinds.found] == [True, False, False]
    assert all(k.witness.replayed for k in difference.kinds.found)
    assert report(planted, 1).differences[0].kinds is None


def test_a_report_of_before_is_still_read(planted):
    document = json.loads(report(planted, 1).model_dump_json(by_alias=True))
    del document["differences"][0]["kinds"]
    assert Report.model_validate(document).differences[0].kinds is None


def test_kept_kinds_are_the_same_and_are_no_answer_to_another_budget(planted, tmp_path):
    pair = pair_of(str(planted), "planted", "otherwise")
    parting = settle(pair, Effort(WHOLE)).parting
    assert parting is not None
    kept = cache.Cache(tmp_path / "kept", complain=pytest.fail)
    with cache.using(kept):
        first = kinds(pair, parting, True, WHOLE)
    with cache.using(cache.Cache(tmp_path / "kept", only=True, complain=pytest.fail)):
        assert kinds(pair, parting, True, WHOLE) == first
        with pytest.raises(cache.Missing):
            kinds(pair, parting, True, Budget(pairs=300, games=0))


def test_the_boards_of_other_kinds_stand_below_the_finding(planted):
    told = CliRunner().invoke(cli, ["check", str(planted), "--all-kinds", "--no-cache"], prog_name="lawstone")
    assert told.exit_code == 1, told.output
    assert "kinds: 3 kinds of difference met; every game was compared" in " ".join(told.output.split())
    assert told.output.index("kind 1 (the game above): outcome") < told.output.index("kind 2: ")
    assert told.output.count("after 9 plies") >= 2
    assert "--all-kinds --seed 1" in told.output


def test_a_bound_that_leaves_no_time_for_kinds_is_said(planted, monkeypatch):
    pair = pair_of(str(planted), "planted", "otherwise")
    parting = settle(pair, Effort(WHOLE)).parting
    assert parting is not None

    def over() -> None:
        raise bounds.Spent("the bound was reached")

    monkeypatch.setattr(bounds, "check", over)
    told = kinds(pair, parting, True, WHOLE)
    assert (told.sights, told.complete) == ([], False)
    said = " ".join(render.kinds(reported.Kinds(found=[], complete=told.complete, how=told.how)))
    assert "none was looked at but that of the finding" in said
    assert said.endswith("the bound was reached")
