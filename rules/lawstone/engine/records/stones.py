"""What SGF, psq and pos have in common: games in which single stones are laid, black and white in turn.

These formats record stones only. Our openings SWAP and SWAP2 also have plies in which a colour is picked, so those are
put in where the file cannot say them, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lawstone.board import LONGEST_SIDE
from lawstone.engine.notation import squeeze
from lawstone.engine.records.record import CannotWrite, Ply, Record

GAME = "gomoku"
COLOURS = ("black", "white")
PICKS = ("black", "white", "two more")
SIZES = (15, 19, 20, LONGEST_SIDE)
"""Sides of boards that are tried where a file gives no size."""

_SITE = re.compile(r"([a-z])([1-9]\d?)")
_PASS = ("pass", "passes")
_FREE = {"overline": "wins"}
_RENJU = "this file names renju or an opening of it; forbidden moves and its openings are not part of this game"


class Hint(NamedTuple):
    """What a file's own words say about the rules: a variant, answers, and a note."""

    variant: str = ""
    reading: Mapping[str, str] = {}
    note: str = ""


_HINTS: tuple[tuple[str, Hint], ...] = (
    (r"swap-?2", Hint("swap2")),
    (r"swap", Hint("swap")),
    (r"long[ -]?pro", Hint("long-pro")),
    (r"pro", Hint("pro")),
    (
        r"free(style)?|fastgame",
        Hint(reading=_FREE, note="freestyle: a row of more than five wins too (question overline)"),
    ),
    (r"renju|rif|soosyrv|taraguchi|yamaguchi|tarannikov", Hint(note=_RENJU)),
    (
        r"caro",
        Hint(note="this file names the rules of caro (a five closed at both ends is none), which are not a variant here"),
    ),
)


def hint(words: str, variant: str | None, whole: bool = False) -> Hint:
    """What the words of a file, such as RU in SGF, say about the rules; a variant that was asked for goes before them.

    `whole` is for words that mostly speak of other things, such as the name of a game: nothing else may be said there.
    """
    if variant is not None:
        return Hint(variant)
    for pattern, found in _HINTS:
        match = re.search(rf"(?<![a-z])(?:{pattern})\d?(?![a-z])", words.casefold())
        if match and (not whole or match[0] == words.strip().casefold()):
            taken = f"the file names the variant {found.variant}" if found.variant else ""
            return found._replace(note=found.note or taken)
    return Hint()


def site(column: int, row_from_top: int, height: int) -> str:
    """The name of a site from its column and row, both from 0, rows counted from the top."""
    return f"{chr(97 + column)}{height - row_from_top}"


def fitting(sites: Iterable[str]) -> tuple[int, int] | None:
    """The smallest usual board that holds these sites, for files that give no size; None if none does."""
    far = 0
    for name in sites:
        match = _SITE.fullmatch(name)
        far = max(far, ord(match[1]) - 96, int(match[2])) if match else far
    return next(((side, side) for side in SIZES if side >= far), None)


def with_picks(plies: Iterable[Ply], variant: str) -> tuple[list[Ply], list[str]]:
    """The plies with the picks of colour that a record of stones leaves out, and notes on them.

    Black and white stones alternate whoever holds which colour, so the stones never tell what was picked. Taken is
    that the second player takes white, so that the file's Black is the first player; no result by colour depends on it.
    """
    found = list(plies)
    stones = [n for n, ply in enumerate(found) if _SITE.fullmatch(ply.text)]
    if variant not in ("swap", "swap2") or len(stones) < 4 or any(ply.text in PICKS for ply in found):
        return found, []
    fourth = stones[3]
    found.insert(fourth, Ply("white", found[fourth].mark, by="second"))
    other = ", or that two more stones are laid," if variant == "swap2" else ""
    return found, [
        f"the file records stones only: that the second player takes white after three stones is taken for granted;"
        f" that the player takes black{other} would give the same stones"
    ]


class Stone(NamedTuple):
    """A ply as formats of stones write it: a colour and a place (from 0, from the top left), or a pick."""

    ply: Ply
    colour: str
    column: int
    row: int
    pick: str = ""


def stones(record: Record, form: str) -> tuple[list[Stone], tuple[int, int]]:
    """The stones and picks of a record, and the board; raises CannotWrite if anything else was played."""
    board = record.board or fitting(record.moves) or (LONGEST_SIDE, LONGEST_SIDE)
    found: list[Stone] = []
    laid = 0
    for n, ply in enumerate(record.plies, 1):
        text = squeeze(ply.text)
        match = _SITE.fullmatch(text)
        if text in PICKS:
            found.append(Stone(ply, "", -1, -1, text))
        elif match and ord(match[1]) - 96 <= board[0] and int(match[2]) <= board[1]:
            colour = ply.by if ply.by in COLOURS else COLOURS[laid % 2]
            found.append(Stone(ply, colour, ord(match[1]) - 97, board[1] - int(match[2])))
            laid += 1
        else:
            raise CannotWrite(f"ply {n} of this game, {ply.text!r}, is not a single stone: {form} cannot hold it")
    return found, board


def seat_of_black(record: Record) -> int:
    """Who holds black at the end: 0 for the first player, unless a pick says otherwise."""
    seat = 0
    for ply in record.plies:
        text = squeeze(ply.text)
        if text in COLOURS:
            picks = 0 if ply.by == "first" or (not ply.by and any(p.text == "two more" for p in record.plies)) else 1
            seat = picks if text == "black" else 1 - picks
    return seat


def colour_that_won(record: Record) -> str:
    """`black`, `white`, `draw`, or "" where the record does not say who won."""
    if record.winner in ("first", "second"):
        return COLOURS[(record.winner == "second") != (seat_of_black(record) == 1)]
    return record.winner if record.winner in (*COLOURS, "draw") else ""
