"""Settling claims: the cheapest way first, a certificate for each no, a replayed game for each yes.

In order: what can be counted; every well-formed position at once; a search by play for a game that refutes the claim; induction
that looks back on one, two or three positions; games of a fixed number of plies. What is left over is told with how far was looked.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lawstone.engine import notation
from lawstone.engine.reference import Interpreter
from lawstone.engine.state import start_state
from lawstone.lower import Asked
from lawstone.prove.ask import SOLVER, learnt_by, limited, solver_of
from lawstone.prove.certificate import Formula, certify, formula
from lawstone.prove.claims import Claim, ClaimResults, Claims, Finding, Proof, Seen, Settled, lemmas_of, overall, rules_of
from lawstone.prove.counting import counted, finding
from lawstone.prove.elaborate import NotShown, elaborate, implied
from lawstone.prove.encode import decode_picks
from lawstone.prove.hunt import Judge, hunt
from lawstone.prove.lemmas import Lemma, kept_or_proved
from lawstone.prove.obligations import CONDITIONAL, Obligation, from_start, invariance, obligations
from lawstone.prove.recheck import COUNTED, EXHAUSTED, compared
from lawstone.prove.secondopinion import RLIMIT, ask_z3
from lawstone.prove.smtlib import smtlib
from lawstone.spec import Spec
from lawstone.version import __version__
from lawstone.work import bounds

CONFLICTS = 5_000
"""Conflicts after which one question is given up."""
DEEPEST = 3
MOST_PROOFS = 40
QUICK = 1_500
"""Conflicts after which a question is asked again with facts about counting."""
FACTS = 4
"""How many times as many conflicts a question about facts may take: it is asked once for all that is shown under them."""
PLIES = 6
"""Plies up to which a claim that nothing settles is asked of games from the start."""


@dataclass
class Bench:
    """What all claims of a game are settled with; `files` collects the certificates by archive."""

    spec: Spec
    claims: Claims
    seed: int = 1
    conflicts: int = CONFLICTS
    second: bool = True
    files: dict[str, dict[str, str]] = field(default_factory=dict)

    proved: dict[tuple[str, tuple[int, int] | None], Finding] = field(default_factory=dict)

    def settle(self, claim: Claim) -> Settled:
        """The verdict on a claim on each of its boards."""
        for board in claim.boards():
            found = leaning(claim, board, self.claims, self.proved)
            self.proved[claim.id, board] = self.on(claim, board) if found is None else found
        return whole_of(claim, self.proved)

    def on(self, claim: Claim, board: tuple[int, int] | None) -> Finding:
        """The verdict on a claim on one board, given that the lemmas it is given hold there."""
        began = time.process_time()
        found = self._on(claim, board)
        return found.model_copy(update={"seconds": round(time.process_time() - began, 2)})

    def _on(self, claim: Claim, board: tuple[int, int] | None) -> Finding:
        given = lemmas_of(claim, self.claims)
        asked = rules_of(self.spec, claim, board, given)
        size = f"{asked.rules.board.width}x{asked.rules.board.height}"
        if claim.form in COUNTED:
            return counted(claim, asked, size)
        if claim.form == "soonest":
            return self._soonest(claim, asked, size)
        return self._ladder(claim, asked, given, board, size)

    def _ladder(self, claim: Claim, asked: Asked, given: list[Claim], board: tuple[int, int] | None, size: str) -> Finding:
        if claim.shown_by is not None:
            return _refuted(size, claim.shown_by, False, asked, claim)
        name = f"{claim.id}.zip#{size}"
        for depth, bare in _first_tries(claim):
            proofs = self._refuse_all(self._questions(claim, asked, given, board, depth, bare), f"{name}-{depth}")
            if proofs is not None:
                return self._stands(claim, asked, size, *_told(claim, given, depth, bare), depth, proofs, bare)
        if claim.form == "readings":
            told = "the readings differ on a well-formed position, which need not be reachable"
            return self._by_facts(claim, asked, given, board, size) or finding(size, "unknown", "", told)
        seen = hunt(asked, claim, "violation", self.seed)
        if seen.moves is not None:
            return _refuted(size, list(seen.moves), seen.shortest, asked, claim)
        if seen.complete:
            scope = f"all {seen.positions} reachable positions"
            return self._stands(claim, asked, size, scope, EXHAUSTED, 0, [])
        for depth in range(1, DEEPEST + 1):
            if depth == 2 and (under := self._by_facts(claim, asked, given, board, size)) is not None:
                return under
            for bare in (True, False) if claim.form != "well_formed" else (False,):
                proofs = self._refuse_all(obligations(asked, claim, given, depth, bare), f"{name}-{depth}")
                if proofs is not None:
                    return self._stands(claim, asked, size, *_told(claim, given, depth, bare), depth, proofs, bare)
        return self._bounded(claim, asked, size, seen.plies)

    def _by_facts(self, claim: Claim, asked: Asked, given: list[Claim], board: tuple[int, int] | None, size: str) -> Finding | None:
        """A proof under facts that the prover finds by itself and shows to hold in every reachable position."""
        facts = kept_or_proved(asked.rules).proved
        name = f"{claim.id}.zip#{size}"
        always = self._refuse_all(invariance(asked, facts), f"{name}-facts", FACTS * self.conflicts) if facts else None
        for depth in range(DEEPEST + 1) if always is not None else ():
            proofs = self._refuse_all(self._questions(claim, asked, given, board, depth, True, facts), f"{name}-under-{depth}")
            if proofs is not None:
                told = f"{_told(claim, given, depth, True)[1]}, under {len(facts)} facts that are proved together by induction"
                found = self._stands(claim, asked, size, "every reachable position", told, depth, [*(always or ()), *proofs], True)
                return found.model_copy(update={"facts": [x.name for x in facts]})
        return None

    def _questions(
        self, claim: Claim, asked: Asked, given: list[Claim], board: tuple[int, int] | None, depth: int, bare: bool,
        facts: Sequence[Lemma] = (),
    ) -> Iterable[Obligation]:  # fmt: skip
        if claim.readings is None:
            return obligations(asked, claim, given, depth, bare, facts)
        return compared(self.spec, claim, given, board, bare, depth, facts)

    # -- asking -------------------------------------------------------------------------------------------------------------------

    def _refuse_all(self, questions: Iterable[Obligation], name: str, conflicts: int = 0) -> list[Proof] | None:
        """The certificates, when the answer to every question is no; None when one is not."""
        proofs, files = [], dict[str, str]()
        refused: list[tuple[Obligation, Formula, list[tuple[int, ...]]]] = []
        for question in questions:
            answer, whole, learnt = solve(question, conflicts or self.conflicts)
            if answer != "no" or learnt is None:
                return None
            refused.append((question, whole, learnt))
        for n, (question, whole, learnt) in enumerate(refused):
            bounds.check()
            try:
                core = elaborate(whole.clauses, learnt)
            except NotShown:
                return None
            proof, made = certify(question, whole, core, f"{name}-{n}")
            if self.second:
                told = ask_z3(smtlib(question.circuit, question.asserted, question.about))
                if told.answer == "sat":
                    raise AssertionError(
                        f"{question.about}: z3 says that there is a solution, and a checked proof says that there is none"
                    )
                proof = proof.model_copy(update={"second": str(told)})
            proofs.append(proof)
            files |= made
        self.files.setdefault(name.partition("#")[0], {}).update(files)
        return proofs

    def _stands(
        self, claim: Claim, asked: Asked, size: str, scope: str, method: str, depth: int, proofs: list[Proof],
        bare: bool = False,
    ) -> Finding:  # fmt: skip
        """A claim that stands, with a game to which it applies."""
        seen = hunt(asked, claim, "premise", self.seed) if claim.form != "well_formed" and claim.form != "readings" else None
        witness = (
            None if seen is None or seen.moves is None else Seen(moves=list(seen.moves), shows="premise", shortest=seen.shortest)
        )
        made = {
            "depth": depth,
            "bare": bare,
            "proofs": proofs,
            "witness": witness,
            "vacuous": seen is not None and seen.moves is None,
        }
        return finding(size, "proved", scope, method).model_copy(update=made)

    def _soonest(self, claim: Claim, asked: Asked, size: str) -> Finding:
        assert claim.soonest is not None
        ply = claim.soonest.ply
        name = f"{claim.id}.zip#{size}"
        proofs: list[Proof] = []
        for plies in range(1, ply):
            found = self._refuse_all(from_start(asked, claim, plies), f"{name}-{plies}")
            if found is None:
                moves = self._game(asked, claim, plies)
                if moves is None:
                    return finding(size, "unknown", "", f"no answer about games of {plies} plies")
                return _refuted(size, moves, True, asked, claim)
            proofs += found
        moves = self._game(asked, claim, ply)
        if moves is None:
            return finding(size, "bounded", f"no such game of fewer than {ply} plies", "games from the start").model_copy(
                update={"proofs": proofs}
            )
        witness = Seen(moves=moves, shows="ending", shortest=True)
        return finding(size, "proved", "all games", "games from the start, by length").model_copy(
            update={"proofs": proofs, "witness": witness}
        )

    def _bounded(self, claim: Claim, asked: Asked, size: str, looked: int) -> Finding:
        """What can be said of short games only."""
        name = f"{claim.id}.zip#{size}"
        proofs: list[Proof] = []
        shown = 0
        while shown < PLIES and len(proofs) < MOST_PROOFS:
            found = self._refuse_all(from_start(asked, claim, shown + 1), f"{name}-{shown + 1}")
            if found is None:
                moves = self._game(asked, claim, shown + 1)
                if moves is not None:
                    return _refuted(size, moves, True, asked, claim)
                break
            proofs += found
            shown += 1
        scope = f"games of up to {max(shown, looked)} plies"
        by = f"games from the start, to ply {shown} with certificates, to ply {looked} by play"
        return finding(size, "bounded", scope, by).model_copy(update={"depth": shown, "proofs": proofs})

    def _game(self, asked: Asked, claim: Claim, plies: int) -> list[str] | None:
        """A game of so many plies that shows a violation (or the ending), by a solver, if it finds one."""
        for question in from_start(asked, claim, plies):
            answer, _, model = solve(question, self.conflicts)
            if answer == "yes" and model is not None:
                true = {x[0] for x in model}
                return _decoded(asked, question, true)
        return None


def leaning(
    claim: Claim, board: tuple[int, int] | None, claims: Claims, proved: Mapping[tuple[str, tuple[int, int] | None], Finding]
) -> Finding | None:
    """The finding where a claim leans on a lemma that is not proved on its board; None where nothing is amiss."""
    if claim.form in COUNTED:
        return None
    for lemma in lemmas_of(claim, claims):
        found = proved.get((lemma.id, board))
        if found is not None and found.verdict != "proved":
            return finding(found.board, "unknown", "", f"the lemma {lemma.id} is not proved here")
    return None


def whole_of(claim: Claim, found: Mapping[tuple[str, tuple[int, int] | None], Finding]) -> Settled:
    """The verdict on a claim, from those on its boards."""
    findings = [found[claim.id, board] for board in claim.boards()]
    told = {"claim": claim.id, "digest": claim.digest, "verdict": overall(findings), "findings": findings}
    return Settled.model_validate(told)


def _first_tries(claim: Claim) -> list[tuple[int, bool]]:
    """How deep an induction looks back, and whether positions may be malformed, in the order of trying.

    A fact about positions is tried by induction before well-formedness is assumed, which might already say what is to be shown.
    """
    if claim.form == "well_formed":
        return []
    induction = [(1, True)] if claim.form in CONDITIONAL and claim.about == "position" else []
    return [(0, True), *induction, (0, False)]


def _told(claim: Claim, given: list[Claim], depth: int, bare: bool) -> tuple[str, str]:
    """What a proof is about, and how it goes."""
    lemmas = f", given {', '.join(c.id for c in given)}" if given else ""
    if depth == 0:
        scope = "every reachable position" if given else "every position" if bare else "every well-formed position"
        return scope, f"any {'' if bare else 'well-formed '}position{lemmas}"
    wf = "" if bare or claim.form == "well_formed" else ", given that positions are well formed"
    return "every reachable position", f"induction over {depth} {'position' if depth == 1 else 'positions'}{lemmas}{wf}"


Solved = tuple[Literal["yes", "no", "unknown"], Formula, list[tuple[int, ...]] | None]


def solve(question: Obligation, conflicts: int) -> Solved:
    """The answer, the formula, and what was learnt on the way to a no, or the true gates of a yes as unit clauses."""
    whole = formula(question.circuit, question.asserted)
    quick = _run(whole, [], min(conflicts, QUICK), question)
    if quick[0] != "unknown":
        return quick
    cone = question.circuit.cone([1, *question.asserted])
    number = {g: n for n, g in enumerate(cone, 1)}
    facts = [tuple(number[x] if x > 0 else -number[-x] for x in c) for c in question.counting_facts()]
    return _run(whole, implied(whole.clauses, facts) if facts else [], conflicts, question)


def _run(whole: Formula, facts: list[tuple[int, ...]], conflicts: int, question: Obligation) -> Solved:
    with solver_of(bootstrap_with=[list(c) for c in (*whole.clauses, *facts)], with_proof=True) as solver:
        found = limited(solver, conflicts)
        if found is None:
            return "unknown", whole, None
        if found:
            true = set(solver.get_model() or ())
            cone = question.circuit.cone([1, *question.asserted])
            return "yes", whole, [(g,) for n, g in enumerate(cone, 1) if n in true]
        return "no", whole, [*facts, *learnt_by(solver)]


def _decoded(asked: Asked, question: Obligation, true: set[int]) -> list[str]:
    state, engine, told = start_state(asked.rules), Interpreter(asked.rules), list[str]()

    def holds(x: int) -> bool:
        return x in true if x > 0 else -x not in true

    for _, number, taken in question.taken:
        move = decode_picks(number, taken, holds)
        told.append(notation.write(asked.rules, state, move))
        state = engine.play(state, move).state
    return told


def _refuted(size: str, moves: list[str], shortest: bool, asked: Asked, claim: Claim) -> Finding:
    if not Judge(asked, claim).shows(moves, "violation"):
        raise AssertionError(f"{claim.id}: the game {' '.join(moves)} does not refute the claim when it is replayed")
    method = "a game, replayed; no shorter one refutes it" if shortest else "a game, replayed; not shown shortest"
    return finding(size, "refuted", "a reachable position", method).model_copy(
        update={"witness": Seen(moves=moves, shows="violation", shortest=shortest)}
    )


def record(spec: Spec, claims: Claims, settled: list[Settled], seed: int) -> ClaimResults:
    """What is kept of a run."""
    told = {
        "game": spec.id, "rules version": spec.game.rules_version, "lawstone": __version__, "solver": f"{SOLVER} (python-sat)",
        "second": f"z3 within rlimit {RLIMIT}", "seed": seed, "claims": settled,
    }  # fmt: skip
    return ClaimResults.model_validate(told)
