"""Claims settled side by side: each claim on each of its boards is a question of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from lawstone.carried import Carried
from lawstone.prove.claims import Claim, Claims, Finding, Settled, lemmas_of
from lawstone.prove.counting import finding
from lawstone.prove.settle import CONFLICTS, Bench, leaning, whole_of
from lawstone.spec import Spec
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
    return bench.on(query.claim, query.board), bench.files


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
