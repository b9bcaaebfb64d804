"""Claims: how they are written, what their verdicts rest on, and what is on record for the four games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lawstone import data
from lawstone.cli.main import cli
from lawstone.model.changes import rule_ids
from lawstone.model.faults import BadInput
from lawstone.prove.claims import Claim, Claims, Settled, load_claims, read_record, rules_of
from lawstone.prove.hunt import Judge
from lawstone.prove.obligations import obligations
from lawstone.prove.recheck import EXHAUSTED
from lawstone.prove.settle import Bench, solve
from lawstone.spec import Usage, load

GAMES = ("xxung", "gomoku", "wugun", "oxono")


def claims_of(game: str) -> Claims:
    return load_claims(data.proofs_root() / game / "claims.yaml")


def claim(game: str, text: dict[str, Any], *others: dict[str, Any]) -> Claims:
    """Claims of a game from plain data, with what every claim must say filled in."""
    base = {"says": {"en": "A claim."}, "source": ["own"], "touches": ["end.x"], "expect": "proved"}
    listed = [{"id": f"c{n}", **base, **each} for n, each in enumerate((*others, text))]
    return Claims.model_validate({"game": game, "claims": listed})


def settled(game: str, text: dict[str, Any], *others: dict[str, Any], conflicts: int = 5000) -> Settled:
    """The verdict on the last of some claims."""
    claims = claim(game, text, *others)
    bench = Bench(load(game), claims, second=False, conflicts=conflicts)
    return [bench.settle(c) for c in claims.claims][-1]


BLOCKED = {"cannot move": "opponent"}
CLOSED_IN = {"none": {"all of": [{"next to": {"of": "it", "directions": "orthogonal"}}, "empty"]}}
FIVE = {"line": {"of": "own stone", "at least": 5, "directions": "all"}}
FIVE_OF_OTHER = {"line": {"of": "enemy stone", "at least": 5, "directions": "all"}}
FIVE_HERE = {"line": {"of": "own stone", "at least": 5, "directions": "all", "through": "it"}}


# -- how they are written ---------------------------------------------------------------------------------------------------------


def test_a_claim_says_exactly_one_thing() -> None:
    for both in ({"never stuck": True, "never drawn": True}, {}, {"if": FIVE}, {"always": FIVE, "if": FIVE}):
        with pytest.raises(ValueError, match="exactly one"):
            claim("xxung", both)


def test_a_fault_in_a_file_of_claims_is_shown_at_its_place(tmp_path: Path) -> None:
    file = tmp_path / "claims.yaml"
    file.write_text("game: xxung\nclaims:\n  - id: a\n    nver: {some: empty}\n", encoding="utf-8")
    with pytest.raises(BadInput) as error:
        load_claims(file)
    assert any(f.line == 4 for f in error.value.faults)


def test_a_range_of_boards_is_every_square_board_in_it() -> None:
    c = claim("xxung", {"never stuck": True, "in": {"boards": ["2x2 to 4x4", "9x5"]}}).claims[0]
    assert c.boards() == [(2, 2), (3, 3), (4, 4), (9, 5)]


def test_a_lemma_stands_before_what_it_helps() -> None:
    with pytest.raises(Usage, match="does not stand before it"):
        settled("xxung", {"never stuck": True, "given": ["nobody"]})


def test_the_digest_is_of_what_is_asked_and_not_of_how_it_is_told() -> None:
    a = claim("xxung", {"never stuck": True}).claims[0]
    b = claim("xxung", {"never stuck": True, "says": {"en": "Otherwise."}, "note": "So."}).claims[0]
    c = claim("xxung", {"never stuck": True, "in": {"boards": ["3x3"]}}).claims[0]
    assert a.digest == b.digest != c.digest


# -- verdicts ---------------------------------------------------------------------------------------------------------------------


def test_blocked_is_closed_in_on_each_board_asked_of() -> None:
    found = settled("xxung", {"about": "move", "same": [BLOCKED, CLOSED_IN], "in": {"boards": ["1x1 to 4x4"]}})
    assert [(f.board, f.verdict, f.scope) for f in found.findings] == [
        (f"{n}x{n}", "proved", "every position") for n in range(1, 5)
    ]
    assert all(f.proofs for f in found.findings)


def test_a_deliberately_wrong_rule_breaks_a_proved_claim() -> None:
    text = {"about": "move", "same": [BLOCKED, CLOSED_IN], "in": {"boards": ["4x4"], "reading": {"in-between": "nothing-blocks"}}}
    assert settled("xxung", text).verdict == "refuted"
    drawn = {"never drawn": True, "in": {"boards": ["3x3"], "reading": {"blocked-by": "walled-by-pieces"}}}
    found = settled("xxung", drawn)
    assert found.verdict == "refuted"
    assert found.findings[0].witness is not None
    assert len(found.findings[0].witness.moves) == 4  # the shortest block: proving.md, known answers


def test_a_new_five_uses_its_last_piece_only_where_no_five_stood_before() -> None:
    lemma = {"never": {"any of": [FIVE, FIVE_OF_OTHER]}, "in": {"boards": ["5x5"]}}
    text = {"about": "move", "if": FIVE, "then": FIVE_HERE, "in": {"boards": ["5x5"]}}
    found = settled("xxung", {**text, "given": ["c0"]}, lemma)
    assert (found.verdict, found.findings[0].scope) == ("proved", "every reachable position")
    alone = settled("xxung", text)
    assert "proved together by induction" in alone.findings[0].method, "not of any position whatever"


def test_a_claim_with_a_lemma_that_is_not_proved_stays_open() -> None:
    lemma = {"always": {"some": "enemy stone"}, "in": {"boards": ["2x2"]}}
    assert settled("xxung", {"never stuck": True, "given": ["c0"], "in": {"boards": ["2x2"]}}, lemma).verdict == "unknown"


def test_the_shortest_refutation_is_found_and_said_to_be_the_shortest() -> None:
    found = settled("gomoku", {"never stuck": True, "in": {"variant": "pro", "boards": ["5x5"]}}).findings[0]
    assert found.witness is not None
    assert (len(found.witness.moves), found.witness.shortest) == (2, True)


def test_a_claim_about_nothing_is_called_vacuous() -> None:
    nothing = {"count": "stone", "at least": 90}
    found = settled("xxung", {"if": nothing, "then": {"some": "empty"}, "in": {"boards": ["3x3"]}}).findings[0]
    assert (found.verdict, found.vacuous) == ("proved", True)


@pytest.mark.parametrize(("ply", "verdict"), [(3, "bounded"), (4, "proved"), (5, "refuted")])
def test_the_first_block_comes_with_the_fourth_piece(ply: int, verdict: str) -> None:
    found = settled("xxung", {"soonest": {"ending": "end.blocked", "ply": ply}, "in": {"boards": ["3x3"]}})
    assert found.verdict == verdict


@pytest.mark.parametrize(("plies", "sequences", "positions", "verdict"), [
    (3, 416, 416, "proved"), (3, 416, 415, "refuted"), (4, 1688, 1548, "refuted"),
])  # fmt: skip
def test_counts_are_counted(plies: int, sequences: int, positions: int, verdict: str) -> None:
    text = {"counted": {"plies": plies, "sequences": sequences, "positions": positions}, "in": {"boards": ["4x4"]}}
    assert settled("xxung", text).verdict == verdict


@pytest.mark.parametrize(("n", "verdict"), [(36, "proved"), (35, "refuted")])
def test_shapes_are_counted(n: int, verdict: str) -> None:
    assert settled("wugun", {"shapes": {"any": n}}).verdict == verdict


def test_a_bound_that_is_reached_is_no_proof() -> None:
    c = claim("oxono", {"well formed": True}).claims[0]
    question = next(iter(obligations(rules_of(load("oxono"), c, None), c, [], depth=1)))
    assert solve(question, conflicts=3)[0] == "unknown"


# -- what is on record ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_of_a_game_is_touched_by_a_claim(game: str) -> None:
    spec = load(game)
    wanted = set(rule_ids(spec.document.tree)).union(*(rule_ids(spec.file(v)[1]) for v in spec.game.variants or {}))
    touched = {t for c in claims_of(game).claims for t in c.touches}
    assert wanted - touched == set()
    assert {t for t in touched if not t.startswith("question.")} <= wanted
    assert {t.removeprefix("question.") for t in touched if t.startswith("question.")} <= {q.id for q in spec.game.questions or []}


@pytest.mark.parametrize("game", GAMES)
def test_every_claim_is_on_record_with_the_verdict_that_is_stood_by(game: str) -> None:
    record = {s.claim: s for s in read_record(data.proofs_root() / game / "claims-results.json").claims}
    claims = claims_of(game).claims
    assert set(record) == {c.id for c in claims}
    for c in claims:
        assert (c.id, record[c.id].verdict, record[c.id].digest) == (c.id, c.expect, c.digest)
        assert len(record[c.id].findings) == len(c.boards())


@pytest.mark.parametrize("game", GAMES)
def test_everything_proved_has_a_certificate_or_was_counted(game: str) -> None:
    record = read_record(data.proofs_root() / game / "claims-results.json")
    forms = {c.id: c.form for c in claims_of(game).claims}
    proved = [(s.claim, f) for s in record.claims for f in s.findings if f.verdict == "proved"]
    assert proved
    for name, f in proved:
        assert f.proofs or f.method == EXHAUSTED or forms[name] in ("shapes", "separate_shapes", "counted"), name


@pytest.mark.parametrize("game", GAMES)
def test_every_refuted_claim_has_a_game_that_the_law_replays(game: str) -> None:
    record = {s.claim: s for s in read_record(data.proofs_root() / game / "claims-results.json").claims}
    refuted = [c for c in claims_of(game).claims if c.expect == "refuted"]
    assert refuted
    for c in refuted:
        for board, f in zip(c.boards(), record[c.id].findings, strict=True):
            assert f.witness is not None
            assert Judge(rules_of(load(game), c, board), c).shows(f.witness.moves, "violation"), c.id


def test_the_list_of_claims_is_told_in_words_and_as_data() -> None:
    run = CliRunner().invoke(cli, ["claims", "xxung", "--listed"], standalone_mode=False)
    assert "four-neighbours: A player cannot place exactly when" in run.output
    run = CliRunner().invoke(cli, ["claims", "xxung", "--listed", "--json"], standalone_mode=False)
    assert [c["id"] for c in json.loads(run.output)["claims"]] == [c.id for c in claims_of("xxung").claims]


def test_the_command_settles_one_claim_with_the_lemmas_it_is_given() -> None:
    run = CliRunner().invoke(cli, ["claims", "wugun", "--claim", "two-make-no-shape", "--no-second"], standalone_mode=False)
    assert run.return_value == 0
    assert run.output.startswith("proved   two-make-no-shape")


def test_models_of_claims_describe_every_field() -> None:
    schema = Claim.model_json_schema(by_alias=True)
    assert [k for k, v in schema["properties"].items() if "description" not in v] == []
