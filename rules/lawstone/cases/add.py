"""From a bug report to a vector: a record or a drawn board, and a claim about it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawstone.cases.answer import Asked
from lawstone.cases.conform import in_words, mismatch
from lawstone.cases.make import Maker, Want
from lawstone.cases.vector import Vector
from lawstone.check.reach import reach
from lawstone.engine import records
from lawstone.engine.drawn import parse_position, position_text
from lawstone.engine.game import Game
from lawstone.engine.records.record import Record
from lawstone.model.faults import BadInput, Source
from lawstone.spec import Spec, Usage


@dataclass(frozen=True)
class Added:
    """What a report comes to."""

    reachable: str
    """How its position is reached, or why it is not known to be."""
    vector: Vector | None
    claim: str
    holds: bool
    why: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        vector = self.vector.tree() if self.vector else None
        return {"reachable": self.reachable, "claim": self.claim or None, "holds": self.holds, "why": self.why, "vector": vector}

    def text(self) -> str:
        """For a reader."""
        rows = [self.reachable]
        if self.claim:
            rows.append(f"claim: {self.claim}: {'right' if self.holds else 'wrong'}")
        rows.append(self.why)
        if self.vector is not None:
            rows.append(f"vector {self.vector.id}: {self.vector.ask} {self.vector.move or ''}".rstrip())
            rows += [f"  {row}" for row in self.vector.position.drawn.splitlines()]
            rows.append(f"  right: {in_words(self.vector.expect)} [{', '.join(self.vector.rules)}]")
        return "\n".join(rows)


def add(spec: Spec, source: str, claim: str, variant: str = "") -> Added:
    """What the rules say of a report; raises BadInput for a file that is neither a record nor a position, Usage for a claim."""
    name = "<standard input>" if source == "-" else source
    content = sys.stdin.read() if source == "-" else _read(source)
    try:
        record: Record | None = records.read(Source(name, content), variant=variant or None)
    except BadInput as bad:
        if any(f.code != "unknown-format" for f in bad.faults):
            raise
        record = None
    if record is not None:
        if record.game != spec.id:
            raise Usage(f"that is a record of {record.game}, not of {spec.id}")
        told = f"reachable: the record has {len(record.plies)} moves"
        if record.reading:
            said = ", ".join(f"{q}={a}" for q, a in sorted(dict(record.reading).items()))
            told += f"; it was played by another reading ({said}), and is judged by the rules as they stand"
        variant = record.variant
        size = None if record.board in (None, _size(spec, variant)) else record.board
        moves = tuple(p.text for p in record.plies)
        return _claimed(Maker(spec, size), variant, moves, claim, told)
    game = Game(spec, spec.rules(variant)) if variant else None
    position = parse_position(spec, content, name, game)
    variant = position.game.rules.variant
    if position.game.rules.reading:
        raise Usage("the position is of another reading; vectors are of the rules as they stand")
    found = reach(position)
    if found.moves is None:
        word = "not reachable" if found.impossible else "not known to be reachable"
        return Added(f"{word}: {found.why}", None, claim, False, position_text(position))
    grid = position.game.rules.board
    size = None if (grid.width, grid.height) == _size(spec, variant) else (grid.width, grid.height)
    told = f"reachable in {len(found.moves)} moves: {' '.join(found.moves) or 'it is the start'}"
    return _claimed(Maker(spec, size), variant, found.moves, claim, told)


def _size(spec: Spec, variant: str) -> tuple[int, int]:
    board = spec.rules(variant).board
    return board.width, board.height


def _read(path: str) -> str:
    from lawstone.model.faults import Fault

    try:
        return records.decode(path, Path(path).read_bytes()).text
    except OSError as error:
        raise BadInput([Fault(path, 1, 1, "no-file", f"the file cannot be read: {error.strerror}")]) from None


def _claimed(maker: Maker, variant: str, moves: tuple[str, ...], claim: str, reachable: str) -> Added:
    asked, given = understood(maker, variant, moves, claim)
    vector = maker.vector(Want(variant, asked, (), ("reported",)))
    if vector is None:
        run = maker.base(variant).game
        try:
            run.replay(list(moves))
        except ValueError as error:
            why = "the moves are no game by the rules as they stand"
            other = reachable.partition("; it was")[2].partition(", and is judged")[0]
            return Added(f"not reachable: {error}", None, claim, False, f"{why}; the record was{other}" if other else why)
        raise Usage("nothing can be asked there")
    wrong = mismatch(vector, vector.expect, given) if given is not None else ""
    return Added(reachable, vector, claim, not wrong, vector.says)


def understood(maker: Maker, variant: str, moves: tuple[str, ...], claim: str) -> tuple[Asked, dict[str, Any] | None]:
    """What a claim asks, and what it claims, in the form of a program's answer; raises Usage."""
    players = maker.base(variant).game.rules.words.players
    if not claim:
        return Asked(moves, "outcome"), None
    found = re.fullmatch(r"(.+?) is (not |il)?legal", claim.strip())
    if found:
        return Asked(moves, "is legal", found[1]), {"legal": not found[2]}
    found = re.fullmatch(r"(.+?) acts", claim.strip())
    if found and found[1] in players:
        return Asked(moves, "who acts"), {"acts": found[1]}
    found = re.fullmatch(r"outcome: *(.+)", claim.strip())
    if found:
        words = found[1].strip()
        winner = words.removesuffix(" wins")
        if winner in players:
            return Asked(moves, "outcome"), {"outcome": {"result": "win", "winner": winner}}
        if words in ("draw", "no rule", "none"):
            return Asked(moves, "outcome"), {"outcome": "none" if words == "none" else {"result": words}}
    raise Usage(
        f"the claim {claim!r} is not understood",
        "write `c5 is legal`, `c5 is not legal`, `outcome: first wins`, `outcome: draw`, `first acts`",
    )
