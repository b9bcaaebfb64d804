"""What a replay of a record finds, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lawstone.engine.game import Position
from lawstone.engine.records.record import Record, told
from lawstone.model.faults import Fault, Mark

What = Literal["legal", "illegal", "outcome", "rule"]
"""What another answer changes: the base's first illegal move is legal; a move that the base allows is not; the game
ends otherwise (another winner, another ply, or only under one of the two); or only the rule that ends it is another."""


@dataclass(frozen=True)
class Illegal:
    """The first move that cannot be played: its ply from 1, why, its place in the file, the position before it."""

    ply: int
    move: str
    why: str
    mark: Mark = field(compare=False, repr=False)
    position: Position = field(compare=False, repr=False)

    def fault(self) -> Fault:
        """As a fault of the file, to be shown at its place."""
        return self.mark.fault("illegal-move", f"ply {self.ply}: {self.why}")

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        place = {"file": self.mark.source.path, "line": self.mark.line, "column": self.mark.column}
        return {"ply": self.ply, "move": self.move, "why": self.why, **place}


@dataclass(frozen=True)
class Ended:
    """How a replayed game ended: the player who won, `draw` or `no rule`; the rule that says so; the ply from 1.

    `colour` is the colour that the winner held, where the game has colours.
    """

    winner: str
    rule: str
    ply: int
    colour: str = ""

    def __str__(self) -> str:
        return told(self.winner, self.rule)

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        colour = {"colour": self.colour} if self.colour else {}
        return {"winner": self.winner, **colour, "rule": self.rule, "ply": self.ply}


@dataclass(frozen=True)
class Run:
    """One replay: the answers it was played under, how many plies could be played, and what stopped it, if anything.

    A record that goes on after the game is over has both `ended` and `illegal`.
    """

    reading: Mapping[str, str]
    plies: int
    ended: Ended | None
    illegal: Illegal | None
    last: Position = field(compare=False, repr=False)

    def __str__(self) -> str:
        if self.ended:
            return f"{self.ended}{', and the record goes on' if self.illegal else ''}"
        return f"ply {self.illegal.ply} ({self.illegal.move}) is not legal" if self.illegal else "the game goes on"

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "reading": dict(self.reading),
            "plies": self.plies,
            "ended": self.ended.to_json() if self.ended else None,
            "illegal": self.illegal.to_json() if self.illegal else None,
        }


@dataclass(frozen=True)
class Difference:
    """A question whose other answer changes something: what, and at which ply (from 1) the two runs part."""

    question: str
    answer: str
    what: What
    ply: int
    run: Run

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "question": self.question,
            "answer": self.answer,
            "what": self.what,
            "ply": self.ply,
            "run": self.run.to_json(),
        }


@dataclass(frozen=True)
class Replayed:
    """A record replayed under its own reading (`run`), and the answers under which it differs.

    `compared` are the questions and answers that were tried, `left_out` those that cannot be combined with the record's
    reading or board, with the reason. `agrees` says whether the file's own result is the one found; None where there is
    nothing to compare. `notes` are those of the record, and whether it was made under other rules.
    """

    record: Record
    run: Run
    differences: tuple[Difference, ...]
    compared: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str, str], ...]
    agrees: bool | None
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON."""
        record = self.record
        return {
            "game": record.game,
            "variant": record.variant,
            "format": record.format,
            "board": list(record.board) if record.board else None,
            "players": list(record.players),
            "result": record.result,
            "notes": list(self.notes),
            **self.run.to_json(),
            "agrees": self.agrees,
            "differences": [d.to_json() for d in self.differences],
            "compared": [{"question": q, "answer": a} for q, a in self.compared],
            "left out": [{"question": q, "answer": a, "reason": r} for q, a, r in self.left_out],
        }
