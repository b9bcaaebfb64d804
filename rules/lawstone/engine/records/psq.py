"""Files of Piskvork, the manager of the Gomocup tournaments, and of its successors.

Piskvorky 20x20, 11:11, 0       columns and rows, levels of the two players (0: a person), which of them began
11,10,0                         column and row from 1, from the top left; milliseconds, not always there
...
first.exe                       names, only in tournaments, in the order of the header
second.zip
-1                              how it ended for the manager: 0 or -1 plainly, -2 by an error, 15 by time
1,Freestyle                     added by newer managers: which of the named won (0: neither), and the tournament
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lawstone.board import LONGEST_SIDE
from lawstone.engine.game import History
from lawstone.engine.records.record import Faults, Ply, Record, as_record, clean, limited
from lawstone.engine.records.stones import COLOURS, GAME, colour_that_won, hint, seat_of_black, site, stones, with_picks
from lawstone.model.faults import BadInput, Mark, Source

NAME = "psq"
_HEADER = re.compile(r"Piskvorky\s+(\d{1,9})\s*x\s*(\d{1,9})(?:\s*,[^,]*(?:,\s*([01])\b)?)?", re.IGNORECASE)
_MOVE = re.compile(r"(-?\d{1,9})[ \t]{0,9},[ \t]{0,9}(-?\d{1,9})[ \t]{0,9}(?:,[ \t]{0,9}(-?\d{1,18})[ \t]{0,9},?)?")
_CODE = re.compile(r"-?\d{1,9}")
_RESULT = re.compile(r"([0-2]),(.*)")
_CODES = {"-2": "a program made an error and the manager stopped the game", "15": "the game ended because time ran out"}


class _Line(NamedTuple):
    """A line that is not empty, with its place."""

    text: str
    mark: Mark


def sniff(text: str) -> bool:
    """Whether a text begins like a file of Piskvork."""
    return bool(re.match(r"\ufeff?\s*Piskvorky\b", text[:200], re.IGNORECASE))


def read(source: Source, variant: str | None = None) -> Record:
    """The game in a file of Piskvork; raises BadInput with everything in it that is not understood."""
    lines = list(_lines(source))
    header = _HEADER.match(lines[0].text) if lines else None
    if header is None:
        mark = lines[0].mark if lines else source.mark(0)
        form = "the first line is like: Piskvorky 15x15, 0:0, 0"
        raise BadInput([mark.fault("bad-header", "this is not how a file of Piskvork begins", form)])
    width, height = int(header[1]), int(header[2])
    if not (1 <= width <= LONGEST_SIDE and 1 <= height <= LONGEST_SIDE):
        limit = f"a board has 1 to {LONGEST_SIDE} columns and rows, and this one is {width} by {height}"
        raise BadInput([lines[0].mark.fault("bad-board", limit)])
    faults = Faults()
    end = _end_of_moves(lines)
    plies = list(_plies(lines[1:end], width, height, faults))
    names, result, notes = _trailer(lines[end:], faults)
    faults.check()
    if header[3] == "1":
        names = (names[1], names[0])
        notes.append("the header says that the player listed second began")
    rules = hint(result.partition(",")[2], variant)
    played, taken = with_picks(limited(plies), rules.variant)
    return Record(
        GAME,
        tuple(played),
        NAME,
        rules.variant,
        rules.reading,
        (width, height),
        players=names,
        result=result,
        winner="draw" if result.startswith("0") else "",
        notes=tuple(note for note in (rules.note, *notes, *taken) if note),
    )


def _lines(source: Source) -> Iterator[_Line]:
    for number, text in enumerate(source.lines, 1):
        if text.strip():
            yield _Line(text.strip().removeprefix("\ufeff"), Mark(source, number, len(text) - len(text.lstrip()) + 1))


def _end_of_moves(lines: list[_Line]) -> int:
    """The number of the line after the last move; a broken line before a move is taken for one."""
    end = 1
    for n, line in enumerate(lines[1:], 1):
        match = _MOVE.fullmatch(line.text)
        if match and (match[3] or n == end):
            end = n + 1
    return end


def _plies(lines: list[_Line], width: int, height: int, faults: Faults) -> Iterator[Ply]:
    laid = 0
    for text, mark in lines:
        match = _MOVE.fullmatch(text)
        if match is None:
            faults.add(mark, "bad-move", "this is not a move", "a move is column, row and milliseconds, such as 8,8,1500")
            continue
        column, row = int(match[1]), int(match[2])
        if 1 <= column <= width and 1 <= row <= height:
            yield Ply(site(column - 1, row - 1, height), mark, COLOURS[laid % 2], match[3] or "")
        else:
            wrong = f"column {column}, row {row} is not on this board of {width} columns and {height} rows"
            faults.add(mark, "off-board", wrong, "columns and rows count from 1, from the top left")
        laid += 1


def _trailer(lines: list[_Line], faults: Faults) -> tuple[tuple[str, str], str, list[str]]:
    """What follows the moves: names as listed, the result line, and notes. After a game cut off there is nothing."""
    rest = list(lines)
    names, result = ("", ""), ""
    notes: list[str] = []
    if rest and not _CODE.fullmatch(rest[0].text):
        if len(rest) == 1:
            faults.add(rest[0].mark, "bad-line", "here a move is wanted, or the names of both players")
            return names, result, notes
        names = (clean(rest[0].text), clean(rest[1].text))
        rest = rest[2:]
    code = _CODE.fullmatch(rest[0].text) if rest else None
    if code:
        notes += [f"the file says: {_CODES[code[0]]}"] if code[0] in _CODES else []
        rest = rest[1:]
    said = _RESULT.fullmatch(rest[0].text) if rest else None
    if said:
        result = clean(rest[0].text)
        if said[1] != "0":
            listed = "first" if said[1] == "1" else "second"
            notes.append(f"the file says that the player listed {listed} won; which colour that player had, it does not say")
        rest = rest[1:]
    for line in rest:
        faults.add(line.mark, "bad-line", "what this line says is not known", "after the names come an end code and a result")
    return names, result, notes


def write(what: Record | History) -> str:
    """A game of stones as a file of Piskvork; picks of colour are left out. Raises CannotWrite if more was played."""
    record = as_record(what)
    found, (width, height) = stones(record, "psq")
    lines = [f"Piskvorky {width}x{height}, 0:0, 0"]
    for stone in found:
        if not stone.pick:
            clock = stone.ply.clock if record.format == NAME and stone.ply.clock else "0"
            lines.append(f"{stone.column + 1},{stone.row + 1},{clock}")
    names = record.players
    if names[0] and names[1] and not any(_CODE.fullmatch(name) or _MOVE.fullmatch(name) for name in names):
        lines += names
    lines.append("-1")
    winner = colour_that_won(record)
    if winner:
        number = 0 if winner == "draw" else 1 + ((winner == "white") != (seat_of_black(record) == 1))
        lines.append(f"{number},{'Freestyle' if record.reading == {'overline': 'wins'} else 'Standard'}")
    return "\n".join(lines) + "\n"
