"""A game as some file records it: what was played, by whom, by which rules, and where in the file each move stands."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lawstone.engine.game import History, Position
from lawstone.engine.notation import squeeze
from lawstone.model.faults import NOWHERE, BadInput, Fault, Mark

MOST_PLIES = 5_000
"""Moves of a record that are read; no game on a board that the toolkit knows comes near it."""

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


class CannotWrite(ValueError):
    """A game that a format has no way to write, such as a game of moved pieces as SGF of Gomoku."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of a record.

    `text` is the move in notation. `by` is the player who makes it, or the colour of the stone that it places, where
    the source says so. `clock` is the time beside the move as the source writes it (milliseconds in psq, seconds left
    in the log of Oxono). `mark` is its place in the file.
    """

    text: str
    mark: Mark = field(default=NOWHERE, compare=False, repr=False)
    by: str = ""
    clock: str = ""


@dataclass(frozen=True)
class Record:
    """One game of a file.

    `variant` is "" for the base game, `reading` holds answers by question that differ from the base, `board` the
    columns and rows (None: as the game has it). `players` are the names of the two people in the order of the seats, ""
    where unknown. `result` is what the source says of the result, in its own words; `winner` is that as a player, a
    colour, `draw`, `no rule`, or "" where it is not said or not clear; `rule` is the rule that ended the game, where it
    is named. `notes` are sentences about what the source leaves open and how it was taken.
    """

    game: str
    plies: tuple[Ply, ...]
    format: str = ""
    variant: str = ""
    reading: Mapping[str, str] = field(default_factory=dict)
    board: tuple[int, int] | None = None
    rules_version: int | None = None
    players: tuple[str, str] = ("", "")
    result: str = ""
    winner: str = ""
    rule: str = ""
    seed: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def moves(self) -> list[str]:
        """The moves in notation."""
        return [ply.text for ply in self.plies]

    @classmethod
    def of(cls, history: History, players: Sequence[str] = ("", ""), seed: int | None = None) -> Record:
        """The record of a game that was played here."""
        rules = history.position.game.rules
        plies = []
        for after, move in zip(history.positions[1:], history.played, strict=True):
            plies.append(Ply(move.text, by=placed(after, move.text)))
        ended = history.position.outcome
        winner, rule = "", ""
        if ended is not None:
            winner = ended.kind if ended.winner is None else rules.words.players[ended.winner]
            rule = ended.rule
        return cls(
            game=rules.game.game,
            plies=tuple(plies),
            variant=rules.variant,
            reading=dict(rules.reading),
            board=(rules.board.width, rules.board.height) if rules.board.kind == "grid" else None,
            rules_version=rules.game.rules_version,
            players=(clean(players[0]), clean(players[1])),
            result=told(winner, rule),
            winner=winner,
            rule=rule,
            seed=seed,
        )


def as_record(what: Record | History) -> Record:
    """A record, made from a game in progress if need be."""
    return what if isinstance(what, Record) else Record.of(what)


def told(winner: str, rule: str) -> str:
    """A result in one sentence, such as `first wins by end.five`; "" for none."""
    if not winner:
        return ""
    return (winner if winner in ("draw", "no rule") else f"{winner} wins") + (f" by {rule}" if rule else "")


def placed(after: Position, text: str) -> str:
    """The owner of the piece on the site that a move names, if the move is one site; else ""."""
    site = after.game.rules.board.numbers.get(squeeze(text))
    if site is None:
        return ""
    token = after.cells.get(site)
    for name, tokens in after.game.tokens.items():
        if token is not None and tokens[1] is not None and token in tokens:
            return after.game.owner_names(name)[tokens.index(token)]
    return ""


def clean(text: str) -> str:
    """A name or a result on one line, without characters that cannot be seen, and not longer than a line."""
    seen = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in text[:500])
    return " ".join(seen.split())[:120]


class Faults:
    """The faults of a file as they are found, so that all are reported in one run."""

    def __init__(self) -> None:
        self.found: list[Fault] = []

    def add(self, mark: Mark, code: str, message: str, hint: str = "") -> None:
        """Note a fault; after a thousand the file has been understood as something else."""
        self.found.append(mark.fault(code, message, hint))
        if len(self.found) >= 1_000:
            raise BadInput(self.found)

    def check(self) -> None:
        """Raise BadInput if there are any."""
        if self.found:
            raise BadInput(self.found)


def limited(plies: Iterable[Ply]) -> tuple[Ply, ...]:
    """The plies; raises BadInput at the one that is too many."""
    found: list[Ply] = []
    for ply in plies:
        if len(found) == MOST_PLIES:
            raise BadInput([ply.mark.fault("too-many-moves", f"a record has at most {MOST_PLIES:,} moves")])
        found.append(ply)
    return tuple(found)
