"""Re-checking what is on record, without the prover.

Questions are built anew from the game files, proofs are checked by `lrat`, games are replayed by the reference interpreter, and
what was counted is counted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lawstone.prove.certificate import Broken, check
from lawstone.prove.claims import (
    Claim,
    ClaimResults,
    Claims,
    Finding,
    Settled,
    lemmas_of,
    load_claims,
    overall,
    read_record,
    rules_of,
)
from lawstone.prove.counting import counted
from lawstone.prove.hunt import Judge, hunt
from lawstone.prove.lemmas import Lemma, named
from lawstone.prove.obligations import CONDITIONAL, Obligation, comparison, from_start, invariance, obligations
from lawstone.spec import Spec

COUNTED = ("shapes", "separate_shapes", "counted")
EXHAUSTED = "play, exhausted"
"""The method where all positions of the game were met one by one; they are met again when the record is checked."""


@dataclass(frozen=True)
class Line:
    """What became of one record: `ok`, or what is wrong with it."""

    game: str
    claim: str
    board: str
    ok: bool
    told: str


def recheck(spec: Spec, folder: Path, only: Sequence[str] = ()) -> Iterator[Line]:
    """Re-check all claims of a game against their record in `folder`, one line a claim and board."""
    claims, record = load_claims(folder / "claims.yaml"), read_record(folder / "claims-results.json")
    settled = {s.claim: s for s in record.claims}
    yield from _header(spec, claims, record, only)
    for claim in claims.claims:
        if only and claim.id not in only:
            continue
        found = settled.get(claim.id)
        if found is None:
            yield Line(spec.id, claim.id, "", False, "there is no record of it")
            continue
        fault = _wording_fault(claim, found)
        if fault:
            yield Line(spec.id, claim.id, "", False, fault)
            continue
        for board, finding in zip(claim.boards(), found.findings, strict=True):
            try:
                told = _finding(spec, claims, claim, board, finding, settled, folder)
                yield Line(spec.id, claim.id, finding.board, True, told)
            except (Broken, ValueError) as error:
                yield Line(spec.id, claim.id, finding.board, False, str(error))


def _header(spec: Spec, claims: Claims, record: ClaimResults, only: Sequence[str]) -> Iterator[Line]:
    if record.game != spec.id or claims.game != spec.id:
        yield Line(spec.id, "", "", False, f"these are claims of {claims.game} and a record of {record.game}")
    if record.rules_version != spec.game.rules_version:
        yield Line(spec.id, "", "", False, f"the record is of version {record.rules_version} of the rules")
    for unknown in [s.claim for s in record.claims if s.claim not in {c.id for c in claims.claims}]:
        yield Line(spec.id, unknown, "", False, "there is a record of it, and no such claim")
    for unknown in [name for name in only if name not in {c.id for c in claims.claims}]:
        yield Line(spec.id, unknown, "", False, "there is no such claim")


def _wording_fault(claim: Claim, found: Settled) -> str:
    if found.digest != claim.digest:
        return "the claim is worded otherwise than the one on record"
    if len(found.findings) != len(claim.boards()):
        return f"{len(found.findings)} boards are on record, and it is asked of {len(claim.boards())}"
    if found.verdict != overall(found.findings):
        return f"the verdict on record is '{found.verdict}', and its boards say '{overall(found.findings)}'"
    if found.verdict != claim.expect:
        return f"the verdict on record is '{found.verdict}', and the project stands by '{claim.expect}'"
    return ""


def _finding(
    spec: Spec,
    claims: Claims,
    claim: Claim,
    board: tuple[int, int] | None,
    finding: Finding,
    settled: dict[str, Settled],
    folder: Path,
) -> str:
    given = lemmas_of(claim, claims)
    asked = rules_of(spec, claim, board, given)
    size = f"{asked.rules.board.width}x{asked.rules.board.height}"
    if finding.board != size:
        raise Broken(f"the record is of the board {finding.board}, and the claim is asked of {size}")
    if claim.form in COUNTED:
        again_counted = counted(claim, asked, size)
        if (again_counted.verdict, again_counted.method) != (finding.verdict, finding.method):
            raise Broken(f"counted again: {again_counted.verdict}, {again_counted.method}")
        return f"{finding.verdict}, counted again"
    judge = Judge(asked, claim)
    if finding.verdict == "refuted":
        if finding.witness is None or not judge.shows(finding.witness.moves, "violation"):
            raise Broken("the game on record does not refute the claim")
        return f"refuted, {len(finding.witness.moves)} moves replayed"
    if finding.verdict == "unknown":
        return "unknown: nothing to check"
    if finding.method == EXHAUSTED:
        again = hunt(asked, claim, "violation")
        if again.moves is not None or not again.complete or finding.verdict != "proved":
            raise Broken("not every position of the game was met, or one refutes the claim")
        return f"proved, {again.positions} positions met again"
    questions = list(_questions(spec, claim, given, board, finding))
    _lemmas_stand(given, settled)
    if len(questions) != len(finding.proofs):
        raise Broken(f"{len(questions)} questions have to be answered, and {len(finding.proofs)} certificates are on record")
    for question, proof in zip(questions, finding.proofs, strict=True):
        check(proof, question, folder / "certificates")
    if finding.verdict == "proved" and not questions:
        raise Broken("it is called proved, and there is no certificate")
    told = f"{finding.verdict}, {len(questions)} {'certificate' if len(questions) == 1 else 'certificates'} checked"
    if finding.witness is None:
        wanted = claim.form in CONDITIONAL or claim.form == "soonest"
        if finding.verdict == "proved" and wanted and not finding.vacuous:
            raise Broken("no game shows that the claim says anything, and the record does not say so")
        return told
    if not judge.shows(finding.witness.moves, "violation" if claim.form == "soonest" else "premise"):
        raise Broken("the game on record does not show that the claim says anything")
    return f"{told}, {len(finding.witness.moves)} moves replayed"


def _lemmas_stand(given: Iterable[Claim], settled: dict[str, Settled]) -> None:
    for lemma in given:
        if lemma.id not in settled or settled[lemma.id].verdict != "proved":
            raise Broken(f"the lemma '{lemma.id}' is not on record as proved")


def _questions(
    spec: Spec, claim: Claim, given: list[Claim], board: tuple[int, int] | None, finding: Finding
) -> Iterator[Obligation]:
    """The questions that the record must answer, from the game file."""
    asked = rules_of(spec, claim, board, given)
    if claim.soonest is not None:
        for plies in range(1, claim.soonest.ply):
            yield from from_start(asked, claim, plies)
    elif finding.verdict == "bounded":
        for plies in range(1, finding.depth + 1):
            yield from from_start(asked, claim, plies)
    elif finding.facts:
        facts = named(asked.rules, finding.facts)
        yield from invariance(asked, facts)
        if claim.readings is not None:
            yield from compared(spec, claim, given, board, True, finding.depth, facts)
        else:
            yield from obligations(asked, claim, given, finding.depth, True, facts)
    elif claim.readings is not None:
        yield from compared(spec, claim, given, board, finding.bare)
    elif claim.form == "well_formed" and finding.depth == 0:
        raise Broken("a fact about positions that proves itself is no proof")
    else:
        yield from obligations(asked, claim, given, finding.depth, finding.bare)


def compared(
    spec: Spec, claim: Claim, given: list[Claim], board: tuple[int, int] | None, bare: bool, depth: int = 0,
    facts: Sequence[Lemma] = (),
) -> Iterable[Obligation]:  # fmt: skip
    """The questions of a claim that compares two answers."""
    assert claim.readings is not None
    question, (a, b) = claim.readings.question, claim.readings.answers
    here = claim.in_.model_copy(update={"reading": {**(claim.in_.reading or {}), question: a}})
    first = rules_of(spec, claim.model_copy(update={"in_": here}), board, given)
    return comparison(
        first, spec.rules(claim.in_.variant or "", {**(claim.in_.reading or {}), question: b}, board), given, bare, depth, facts
    )
