"""How good a suite is: which vector tells which reading and which misreading from the rules, and which rules it fires."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lawstone.cases.answer import Answering, Asked
from lawstone.cases.make import Candidate, Maker, same_board
from lawstone.cases.mistakes import misreadings
from lawstone.cases.recorded import recorded
from lawstone.cases.vector import Ended, Suite, Vector
from lawstone.model.changes import rule_ids
from lawstone.prove import free
from lawstone.prove.alike import alike
from lawstone.work.bounds import Spent

CONFLICTS = 20_000
"""Conflicts of the solver for one question about single positions."""


@dataclass
class Row:
    """One reading or misreading: the vectors that kill it, or why none can be asked to."""

    variant: str
    candidate: Candidate
    killed_by: list[str] = field(default_factory=list)
    same: str = ""
    """How it is known to be the same game; empty where it is not."""
    looked: str = ""
    """How far was looked, where it is neither."""

    @property
    def verdict(self) -> str:
        """`told apart`, `same` or `undecided`."""
        return "told apart" if self.killed_by else "same" if self.same else "undecided"


@dataclass
class Matrix:
    """All rows, and the rules that no vector is decided by."""

    rows: list[Row]
    rules: Mapping[str, int]

    @property
    def undecided(self) -> list[Row]:
        """What is neither told apart nor shown to be the same."""
        return [r for r in self.rows if r.verdict == "undecided"]

    @property
    def silent_rules(self) -> list[str]:
        """Rules that decide no vector."""
        return [r for r, n in self.rules.items() if n == 0]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "rows": [
                {"variant": r.variant or None, "kind": r.candidate.kind, "name": r.candidate.name, "says": r.candidate.says,
                 "verdict": r.verdict, "killed by": r.killed_by, "same": r.same or None, "looked": r.looked or None}
                for r in self.rows
            ],
            "rules": dict(self.rules),
        }  # fmt: skip


def asked_of(vector: Vector) -> Asked:
    """What a vector asks."""
    return Asked(tuple(vector.moves), vector.ask, vector.move)


def rivals(maker: Maker, variant: str) -> list[tuple[Candidate, Answering]]:
    """Every reading and misreading of a variant, ready to answer."""
    base = maker.base(variant)
    if variant not in maker.rivals:
        found = list(maker.readings(variant))
        found += [
            (c, Answering(c.game, base)) for c in misreadings(maker.spec, variant, maker.size) if same_board(base.game, c.game)
        ]
        maker.rivals[variant] = found
    return maker.rivals[variant]


def told_apart(vector: Vector, other: Any) -> bool:
    """Whether an answer under another reading shows as a fault: a program that need not name rules would be caught."""
    if other is None or other == vector.expect:
        return False
    mine, theirs = vector.expect.outcome, other.outcome
    if isinstance(mine, Ended) and isinstance(theirs, Ended) and mine.same_result(theirs):
        return bool(mine.by != theirs.by)
    return True


def kills(maker: Maker, vectors: Iterable[Vector], most: int = 1 << 30) -> dict[str, set[str]]:
    """For each vector, by its id, the readings and misreadings that it tells from the rules.

    Where `most` is given, no more than so many vectors are sought for each reading, those of short games first.
    """
    found: dict[str, set[str]] = {}
    by_variant: dict[str, list[Vector]] = {}
    for vector in vectors:
        by_variant.setdefault(vector.variant or "", []).append(vector)
        found[vector.id] = set()
    for variant, listed in by_variant.items():
        for candidate, answering in rivals(maker, variant):
            left = most
            for vector in listed:
                if told_apart(vector, answering.answer(asked_of(vector))):
                    found[vector.id].add(candidate.name)
                    left -= 1
                    if not left:
                        break
            answering.forget()
    return found


def matrix(maker: Maker, suite: Suite, prove: bool = True) -> Matrix:
    """The adequacy of a suite."""
    rows: dict[tuple[str, str], Row] = {}
    for variant in maker.variants:
        for c, _ in rivals(maker, variant):
            in_ = maker.spec.question(c.question).in_ if c.kind == "question" else None
            if variant and c.kind == "question" and in_ in (None, "base"):
                continue
            rows[variant, c.name] = Row(variant, c)
    killed = kills(maker, suite.vectors)
    for vector in suite.vectors:
        for name in sorted(killed[vector.id]):
            row = rows.get((vector.variant or "", name))
            if row is not None:
                row.killed_by.append(vector.id)
    for row in rows.values():
        if not row.killed_by:
            try:
                row.same, row.looked = same(maker, row, prove, len(suite.vectors))
            except Spent as spent:
                row.looked = f"{len(suite.vectors)} vectors do not tell it apart; no proof was tried: {spent}"
    in_force = dict.fromkeys(r for v in maker.variants for r in rule_ids(maker.spec.file(v)[1]))
    return Matrix(list(rows.values()), {r: sum(r in v.rules for v in suite.vectors) for r in in_force})


def same(maker: Maker, row: Row, prove: bool, vectors: int) -> tuple[str, str]:
    """How two readings are known to play alike, if they are, and else how far was looked.

    The same core terms, a proof on record, or one made here; a search that found nothing shows nothing, however long.
    """
    base, other = maker.base(row.variant).game, row.candidate.game
    if base.rules.meaning == other.rules.meaning and (base.rules.game.events or []) == (other.rules.game.events or []):
        return "the same core terms", ""
    c = row.candidate
    known = recorded(maker.spec, row.variant, c.kind, c.question, c.answer)
    if known is not None and known.verdict == "same: proved":
        return f"proved, on record: {known.how}", ""
    looked = f"{vectors} vectors do not tell it apart"
    if known is not None:
        looked += f"; on record: {known.verdict}{', ' + known.how if known.how else ''}"
    if not prove:
        return "", f"{looked}; no proof was tried"
    everywhere = free.compare(base.rules, other.rules, reasons=True, conflicts=CONFLICTS)
    if everywhere.same:
        return "proved on all well-formed positions, reachable or not", ""
    proved = alike(base.rules, other.rules, CONFLICTS)
    if proved:
        return f"proved {proved}", ""
    return "", f"{looked}; no proof on single positions with {CONFLICTS:,} conflicts a question"
