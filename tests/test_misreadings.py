"""Misreadings: every clause yields those that its form allows, and each one is settled by what the record says."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML

from lawstone.check import examples
from lawstone.check.lockstep import Pair
from lawstone.check.misreadings import VERDICTS, Desk, Misread, all_derived, derived, read_misread, report
from lawstone.cli.main import cli
from lawstone.cli.misreadings import merged, misreadings_path
from lawstone.engine.game import Game
from lawstone.engine.notation import write
from lawstone.lower import Rules
from lawstone.model.companions import Examples
from lawstone.spec import Spec, load

FOUNDING = ("xxung", "gomoku", "oxono", "wugun")
NUMBERS = {"xxung": 45, "gomoku": 150, "oxono": 87, "wugun": 236}
"""How many misreadings are derived from each founding game, its variants included: the list must not shrink unseen."""

ONE_TOTEM = """
game: one-totem
rules version: 1
title: {en: One totem}
authentic: en
board: {grid: [3, 1]}
players: [first, second]
pieces:
  stone: {of: player, hand: 2}
  totem: {of: nobody}
start: {totem: a1}
turn:
  - {rule: turn.move, move: totem, to: {next to: {of: it, directions: orthogonal}}, optional: true}
  - {rule: turn.place, place: own stone, to: empty}
end:
  - {rule: end.full, if: {none: empty}, draw: true}
"""


@functools.cache
def spec_of(name: str) -> Spec:
    return load(name)


@functools.cache
def recorded(name: str) -> Misread:
    found = read_misread(misreadings_path(spec_of(name)))
    assert found is not None
    return found


@functools.cache
def rules_by_key(name: str) -> dict[str, Rules]:
    return {f"{variant or 'base'}/{m.id}": rules for variant, m, rules in all_derived(spec_of(name))}


@functools.cache
def of_game(name: str) -> dict[str, str]:
    """The sentence of each misreading of a game's base, by id."""
    return {m.id: m.says for m, _ in derived(spec_of(name))}


# -- which there are --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FOUNDING)
def test_the_number_of_misreadings_is_pinned_and_each_is_on_record(name: str) -> None:
    assert len(rules_by_key(name)) == NUMBERS[name]
    assert [m.key for m in recorded(name).misreadings] == list(rules_by_key(name))


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("xxung", ["end.five/exactly", "end.five/at-least-4", "end.five/at-least-6", "end.five/with-gaps"]),
        ("xxung", ["turn.line/directions-all", "turn.line/one-step", "turn.line/through-own", "turn.line/last-own"]),
        ("xxung", ["end.blocked/of-mover", "order/end.blocked-before-end.five", "phases.opening/for-each-player"]),
        ("oxono", ["turn.move/first-only", "turn.move/line-2-before-1", "turn.move/rim-does-not-count", "move.slide/zero-steps"]),
        ("oxono", ["place.beside/before-the-move", "end.symbol/any-kind", "turn.totem/hand-exhausted", "end.hands/hand-of-mover"]),
        ("wugun", ["capture.take/optional", "capture.take/up-to", "capture.take/any-standing", "shape.four/worth-3"]),
        ("wugun", ["move.white-first/other-first", "capture.exposed/without-outside", "end.three/without-hand"]),
        ("pente", ["capture.pairs/exactly-1", "capture.pairs/any-length", "end.captures/at-least-11", "end.captures/of-opponent"]),
        ("nine-mens-morris", ["mill.take/any-standing", "mill.take/first-only", "shape.mill/board-line-2"]),
    ],
)  # fmt: skip
def test_the_usual_mistakes_are_among_them(name: str, ids: list[str]) -> None:
    assert set(ids) <= of_game(name).keys()


def test_a_variant_has_only_the_misreadings_that_its_base_has_not() -> None:
    own = {m.id for m, _ in derived(spec_of("gomoku"), "pro")}
    assert "pro.third/metric-city-block" in own
    assert "end.five/at-least" not in own


def test_every_misreading_is_said_in_a_sentence() -> None:
    for name in FOUNDING:
        for said in of_game(name).values():
            assert said[0].isupper()
            assert said.endswith(".")
            assert "None" not in said


# -- what became of them ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FOUNDING)
def test_every_misreading_said_to_be_killed_breaks_its_worked_example(name: str) -> None:
    spec = spec_of(name)
    by_id = {e.id: e for e in spec.examples}
    for m in recorded(name).misreadings:
        if m.verdict in ("killed", "closed by us"):
            example = by_id[m.by]
            assert list(example.cites) == m.cites
            assert bool(m.cites) == (m.verdict == "killed")
            size = (example.size[0], example.size[1]) if example.size else None
            rules = spec.rules_with(m.changes, m.variant, size) if size else rules_by_key(name)[m.key]
            assert examples.breaks(Game(spec, rules), example), m.key


@pytest.mark.parametrize("name", FOUNDING)
def test_every_witness_is_replayed_under_the_rule_and_under_the_misreading(name: str) -> None:
    spec = spec_of(name)
    for m in recorded(name).misreadings:
        if m.verdict == "not ruled out":
            pair = Pair(Game(spec, spec.rules(m.variant)), Game(spec, rules_by_key(name)[m.key]))
            parting = pair.replay(m.moves or [])
            assert parting is not None
            assert parting.level == m.level
            assert pair.confirm(parting), m.key


@pytest.mark.parametrize("name", FOUNDING)
def test_what_nothing_rules_out_is_an_open_question_of_the_game(name: str) -> None:
    assert [m.key for m in recorded(name).misreadings if m.verdict == "not ruled out" and not m.open] == []


def test_one_clause_of_an_answer_to_an_open_question_is_left_to_that_question() -> None:
    by_key = {m.key: m for m in recorded("wugun").misreadings}
    for side in ("white", "black"):
        fewer = by_key[f"north-east/filled.{side}-takes/if-fewer-take-protected"]
        assert (fewer.verdict, fewer.answer, fewer.open) == ("not ruled out", "filled-fewer/take-protected-too", True)
    spec = spec_of("wugun")
    (m, rules) = next((m, r) for m, r in derived(spec, "north-east") if m.id == "filled.white-takes/if-fewer-unsaid")
    (answer,) = {f"{q.id}/{a}" for q, a, r in Desk(spec, "north-east").shares(m.rule) if r.meaning == rules.meaning}
    assert answer == "filled-fewer/nothing-said"


@pytest.mark.parametrize("name", FOUNDING)
def test_what_is_said_to_play_alike_does_so_in_random_games(name: str) -> None:
    spec = spec_of(name)
    for m in recorded(name).misreadings:
        if not m.verdict.startswith("same"):
            continue
        rules = rules_by_key(name)[m.key]
        if "core terms" in m.how:
            assert rules.meaning == spec.rules(m.variant).meaning
            continue
        pair = Pair(Game(spec, spec.rules(m.variant)), Game(spec, rules))
        for seed in range(2):
            state, texts = pair.a.engine.start(), list[str]()
            for picks in pair.a.playout(seed, 40).moves:
                texts.append(write(pair.a.rules, state, picks))
                state = pair.a.engine.play(state, picks).state
            parting = pair.replay(texts)
            assert parting is None or (parting.level == "reason" and "only the rule named" in m.how), m.key


@pytest.mark.parametrize("name", FOUNDING)
def test_the_counts_on_record_are_those_of_the_list(name: str) -> None:
    found = recorded(name)
    assert found.counts == {v: sum(m.verdict == v for m in found.misreadings) for v in VERDICTS}
    assert sum(found.counts.values()) == NUMBERS[name]


@pytest.mark.parametrize(
    "wanted", ["turn.line/if-fewer-not-allowed", "end.blocked/of-mover", "end.five/newly-formed", "end.five/exactly"]
)
def test_settling_again_gives_what_is_on_record(wanted: str) -> None:
    desk = Desk(spec_of("xxung"))
    settled = next(desk.settle(m, rules) for m, rules in derived(spec_of("xxung")) if m.id == wanted)
    kept = next(m for m in recorded("xxung").misreadings if m.id == wanted)
    assert (settled.verdict, settled.how, settled.moves, settled.answer) == (kept.verdict, kept.how, kept.moves, kept.answer)


@pytest.mark.parametrize("name", FOUNDING)
def test_the_example_offered_holds_under_the_rule_and_not_under_the_misreading(name: str) -> None:
    spec = spec_of(name)
    for m in recorded(name).misreadings:
        if m.verdict == "not ruled out" and m.level not in ("reason",):
            example = Examples.model_validate({"examples": YAML(typ="safe").load(m.example)}).examples[0]
            assert examples.run(spec, example) == [], m.key
            assert examples.breaks(Game(spec, rules_by_key(name)[m.key]), example), m.key


def test_without_worked_examples_a_misreading_is_not_ruled_out(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text((spec_of("tic-tac-toe").path).read_text(encoding="utf-8"), encoding="utf-8")
    spec = load(tmp_path)
    m, rules = next((m, r) for m, r in derived(spec) if m.id == "end.three/at-least-2")
    settled = Desk(spec).settle(m, rules)
    assert (settled.verdict, settled.level, settled.shortest, len(settled.moves or [])) == ("not ruled out", "outcome", True, 3)


def test_an_example_that_holds_pieces_which_there_are_not_is_broken() -> None:
    rules = next(r for m, r in derived(spec_of("oxono")) if m.id == "pieces.pawn/hand-7")
    full = next(e for e in spec_of("oxono").examples if e.id == "hands.draw")
    assert examples.run(spec_of("oxono"), full) == []
    assert examples.breaks(Game(spec_of("oxono"), rules), full)


def test_a_single_piece_need_not_be_moved_where_its_step_is_optional(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(ONE_TOTEM, encoding="utf-8")
    game = Game.load(str(tmp_path))
    for start in (game.start(), game.by_the_law().start()):
        assert {m.text for m in start.moves} == {"b1", "c1", "b1 a1", "b1 c1"}


# -- the command ------------------------------------------------------------------------------------------------------------------


def run(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, ["misreadings", str(folder), *args], prog_name="lawstone")


def test_the_command_ends_with_one_where_nothing_rules_a_misreading_out(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text((spec_of("tic-tac-toe").path).read_text(encoding="utf-8"), encoding="utf-8")
    found = run(tmp_path, "--rule", "end.full")
    assert found.exit_code == 1
    assert "a worked example that would rule it out:" in found.output


def test_the_command_ends_with_nought_once_they_are_recorded(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text((spec_of("tic-tac-toe").path).read_text(encoding="utf-8"), encoding="utf-8")
    assert run(tmp_path, "--rule", "end.full", "--record").exit_code == 0
    assert run(tmp_path, "--rule", "end.full").exit_code == 0
    assert run(tmp_path, "--rule", "end.three").exit_code == 1


def test_a_partial_record_takes_the_place_of_what_it_settles_again() -> None:
    spec = spec_of("tic-tac-toe")
    desk = Desk(spec)
    settled = [desk.settle(m, rules) for m, rules in derived(spec)][:3]
    old = report(spec, [s.model_copy(update={"verdict": "undecided"}) for s in settled], 1)
    new = merged(old, report(spec, settled[1:2], 1), spec)
    assert [m.verdict for m in new.misreadings] == ["undecided", settled[1].verdict, "undecided"]
