"""Induction over several moves, and proofs under facts that the prover finds by itself."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from lawstone import data
from lawstone.check import misreadings
from lawstone.check.misreadings import all_derived
from lawstone.prove import free, lemmas
from lawstone.prove.ask import ask
from lawstone.prove.claims import read_record
from lawstone.prove.kinduction import inductive, nothing_beside
from lawstone.prove.obligations import comparison, invariance
from lawstone.prove.recheck import recheck
from lawstone.spec import load


def pair_of(game: str, variant: str, misreading: str):
    spec = load(game)
    wrong = next(r for v, m, r in all_derived(spec, variant) if m.id == misreading and v == variant)
    return spec.rules(variant), wrong


def test_the_second_stone_lies_beside_a_stone_exactly_where_it_lies_beside_the_first():
    """PRO: Black's first stone is the one piece on the board at White's first move, so "beside a piece" is "beside that stone"."""
    spec = load("gomoku")
    query = next(q for q in misreadings.queries(spec, "pro", seconds=5.0) if q.misreading.id == "pro.second/beside-a-piece")
    found = misreadings.answer(query)
    assert (found.verdict, "1 move " in found.how) == ("same: proved", True)


def test_looking_back_on_no_move_does_not_prove_it():
    a, b = pair_of("gomoku", "pro", "pro.second/beside-a-piece")
    facts = lemmas.prove(a)
    assert not free.compare(a, b, facts, reasons=True).same
    found = inductive(a, b, facts, reasons=True)
    assert (found.proved, found.depth) == (True, 1)


def test_readings_that_differ_are_never_proved_the_same():
    """Those on record as different, by an example or by a game, that can be compared turn by turn."""
    spec = load("gomoku")
    base = spec.rules("pro")
    facts = lemmas.prove(base)
    told = {m.id: m.verdict for m in recorded("gomoku", "pro")}
    listed = [(m.id, r) for v, m, r in all_derived(spec, "pro") if told[m.id] in ("killed", "not ruled out")]
    wrong = [(i, r) for i, r in listed if not free.comparable(base, r)][:4]
    assert len(wrong) == 4
    for name, rules in wrong:
        assert not inductive(base, rules, facts).proved, name


def recorded(game: str, variant: str):
    path = data.proofs_root() / game / "misreadings.json"
    found = misreadings.Misread.model_validate_json(path.read_bytes()).misreadings
    return [m for m in found if m.variant == variant]


def test_an_induction_that_forgets_its_beginning_would_prove_what_is_false():
    """Without the games of fewer moves, "the same as before" alone shows nothing: here they are what says no."""
    spec = load("xxung")
    a, b = (spec.rules("", {"first-piece": x}, (3, 3)) for x in ("anywhere", "centre"))
    listed = list(comparison(nothing_beside(a), b, (), True, 1))
    answers = {q.about.partition(":")[0]: ask(q.circuit, q.asserted).verdict for q in listed}
    assert answers["start"] == "yes"


def test_facts_that_do_not_hold_are_refused():
    rules = load("tic-tac-toe").rules()
    proved = lemmas.prove(rules).proved
    false = next(x for x in lemmas.candidates(rules) if x.says.endswith("is empty"))
    asked = nothing_beside(rules)
    assert all(ask(q.circuit, q.asserted).verdict == "no" for q in invariance(asked, proved))
    assert any(ask(q.circuit, q.asserted).verdict == "yes" for q in invariance(asked, [*proved, false]))


# -- on record --------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
    """A copy of what is on record of Wugun."""
    folder = tmp_path / "wugun"
    shutil.copytree(data.proofs_root() / "wugun", folder)
    return folder


def line_of(folder: Path) -> tuple[bool, str]:
    told = [x for x in recheck(load("wugun"), folder, ("well-formed",)) if x.claim == "well-formed"]
    return told[0].ok, told[0].told


def test_no_point_of_wugun_holds_two_stones_and_the_proof_is_checked_again(proofs: Path):
    settled = next(s for s in read_record(proofs / "claims-results.json").claims if s.claim == "well-formed")
    assert settled.verdict == "proved"
    assert "moving: the position is well formed" in settled.findings[0].facts
    ok, told = line_of(proofs)
    assert ok, told


def test_a_record_that_leaves_out_a_fact_or_names_an_unknown_one_does_not_stand(proofs: Path):
    file = proofs / "claims-results.json"
    text = file.read_text(encoding="utf-8")
    one = '"moving: mine.hand stone is 0",'
    assert one in text
    for other in ("", '"moving: mine.hand stone is 99",'):
        file.write_text(text.replace(one, other), encoding="utf-8")
        assert not line_of(proofs)[0]


def test_the_archive_holds_a_certificate_for_every_fact_question(proofs: Path):
    settled = next(s for s in read_record(proofs / "claims-results.json").claims if s.claim == "well-formed")
    names = ZipFile(proofs / "certificates" / "well-formed.zip").namelist()
    assert len(names) == 2 * len(settled.findings[0].proofs) > 20
    assert sum("-facts-" in n for n in names) > 20


def test_a_fact_is_found_again_by_its_name():
    rules = load("wugun").rules()
    known = list(lemmas.candidates(rules))
    assert lemmas.named(rules, [x.name for x in known]) == known
    with pytest.raises(ValueError, match="no such fact"):
        lemmas.named(rules, ["moving: the moon is full"])
    assert replace(known[0], phase="moving").name.startswith("moving: ")
