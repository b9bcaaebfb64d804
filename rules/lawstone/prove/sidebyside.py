"""Claims settled side by side: each claim on each of its boards is a question of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from lawstone.carried import Carried
from lawstone.prove.claims import Claim, Claims, Finding, Settled, digest, lemmas_of, rules_of
from lawstone.prove.counting import finding
from lawstone.prove.hunt import Judge
from lawstone.prove.meaning import asked_digest, meaning
from lawstone.prove.recheck import COUNTED
from lawstone.prove.settle import CONFLICTS, Bench, leaning, whole_of
from lawstone.spec import Spec
from lawstone.work.cache import kept
from lawstone.work.crew import Crew

Board = tuple[int, int] | None
Files = dict[str, dict[str, str]]
"""Certificates by archive."""


@dataclass(frozen=True)
class Query:
    """The question whether a claim holds on one board, given its lemmas, as data."""

    game: Carried
    claim: Claim
    given: tuple[Claim, ...]
    board: Board
    seed: int
    conflicts: int
    second: bool


def answer(query: Query) -> tuple[Finding, Files]:
    """The finding, and the certificates that it rests on."""
    claims = Claims.model_construct(game=query.game.name, claims=[*query.given, query.claim])
    bench = Bench(query.game.spec(), claims, query.seed, query.conflicts, query.second)

    def pack(told: tuple[Finding, Files]) -> Any:
        return [told[0].model_dump(by_alias=True, mode="json", exclude_defaults=True), told[1]]

    def unpack(entry: Any) -> tuple[Finding, Files]:
        return _stands(query, Finding.model_validate(entry[0]), entry[1])

    (found, files), again = kept(
        "claim", lambda: _depends(query), lambda: (bench.on(query.claim, query.board), bench.files), pack, unpack
    )
    return found.model_copy(update={"kept": again}), files


def _depends(query: Query) -> list[object]:
    """What a finding depends on: the claim and its lemmas, the rules and the conditions as core terms, the bounds."""
    spec, claim = query.game.spec(), query.claim
    told: list[object] = [claim.digest, claim.shown_by, [g.digest for g in query.given], query.board]
    told += [asked_digest(rules_of(spec, claim, query.board, list(query.given))), query.seed, query.conflicts, query.second]
    if claim.readings is not None:
        for answer in claim.readings.answers:
            reading = {**(claim.in_.reading or {}), claim.readings.question: answer}
            told.append(meaning(spec.rules(claim.in_.variant or "", reading, query.board)))
    return told


def _stands(query: Query, found: Finding, files: Files) -> tuple[Finding, Files]:
    """A finding of an earlier run, once its game has been replayed and its certificates are those that it names."""
    if found.verdict == "refuted" and query.claim.form not in COUNTED:
        asked = rules_of(query.game.spec(), query.claim, query.board, list(query.given))
        if found.witness is None or not Judge(asked, query.claim).shows(found.witness.moves, "violation"):
            raise ValueError("its game does not refute the claim when it is replayed")
    for proof in found.proofs:
        archive, _, name = proof.file.partition("#")
        if [digest(files[archive][f"{name}.{kind}"]) for kind in ("cnf", "lrat")] != [proof.core, proof.proof]:
            raise ValueError("its certificates are not those that it names")
    return found, files


def lost(query: Query, reason: str) -> tuple[Finding, Files]:
    """What is said of a claim whose settling a bound has cut off."""
    rules = query.game.spec().rules(query.claim.in_.variant or "", query.claim.in_.reading or {}, query.board)
    return finding(f"{rules.board.width}x{rules.board.height}", "unknown", "", reason), {}


@dataclass
class Settling:
    """The claims of a game as they are settled: verdicts in the order of the file, and the certificates that they rest on."""

    claims: Claims
    queries: list[Query]
    done: Callable[[Claim, Settled], None] = lambda claim, settled: None
    settled: list[Settled] = field(default_factory=list)
    files: Files = field(default_factory=dict)
    interrupted: bool = False
    _taken: set[int] = field(default_factory=set)
    _came: dict[int, tuple[Finding, Files]] = field(default_factory=dict)
    _found: dict[tuple[str, Board], Finding] = field(default_factory=dict)

    def keep(self, i: int, answer: tuple[Finding, Files]) -> None:
        """Take an answer; tell every claim that is settled with it and has none before it that is not."""
        self._came[i] = answer
        while (nr := len(self._taken)) in self._came:
            self._take(nr)

    def _take(self, nr: int) -> None:
        """Take up the answer to a query; those to the lemmas must have been."""
        self._taken.add(nr)
        query, (here, made) = self.queries[nr], self._came[nr]
        weak = leaning(query.claim, query.board, self.claims, self._found)
        self._found[query.claim.id, query.board] = here if weak is None else weak
        for name, texts in made.items() if weak is None else ():
            self.files.setdefault(name, {}).update(texts)
        if all((query.claim.id, b) in self._found for b in query.claim.boards()):
            self.settled.append(whole_of(query.claim, self._found))
            self.done(query.claim, self.settled[-1])

    def interrupt(self) -> None:
        """Take what was answered out of turn, as far as all boards of a claim and all its lemmas are there."""
        self.interrupted = True
        for claim in dict.fromkeys(q.claim.id for q in self.queries):
            here = [n for n, q in enumerate(self.queries) if q.claim.id == claim and n not in self._taken]
            lemmas = {(g.id, q.board) for q in self.queries for g in q.given if q.claim.id == claim and q.board in g.boards()}
            if all(n in self._came for n in here) and lemmas <= set(self._found):
                for n in here:
                    self._take(n)


def settle_all(
    spec: Spec, claims: Claims, wanted: Collection[str], crew: Crew, *, seed: int = 1, conflicts: int = CONFLICTS,
    second: bool = True, done: Callable[[Claim, Settled], None] = lambda claim, settled: None,
    step: Callable[[Query], None] = lambda query: None,
) -> Settling:  # fmt: skip
    """Settle the wanted claims, with the lemmas that they are given, which must be among them.

    `done` is told each claim in the order of the file, `step` each answer as it comes. A claim stays open on a board where a lemma
    that it is given is not proved. Ctrl-C ends the work, not the function.
    """
    game = Carried.of(spec)
    queries = [
        Query(game, c, tuple(lemmas_of(c, claims)), board, seed, conflicts, second)
        for c in claims.claims
        if c.id in wanted
        for board in c.boards()
    ]
    settling = Settling(claims, queries, done)

    def keep(i: int, told: tuple[Finding, Files]) -> None:
        step(queries[i])
        settling.keep(i, told)

    try:
        crew.each(answer, queries, lost, keep)
    except KeyboardInterrupt:
        settling.interrupt()
    return settling
