"""Logs of Oxono as student engines write them: a line a ply, such as `('O', (5, 2), (4, 2)), 299.9`.

Symbol, square of the totem, square of the pawn; rows and columns from 0, from the top left; then the seconds that the
mover has left. A line before them may hold the time for the whole game. Which totem starts on which square is drawn by
lot and not logged, so it is told from the first moves of the totems, which are in a straight line from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lawstone.engine.game import History
from lawstone.engine.notation import squeeze
from lawstone.engine.records.record import CannotWrite, Faults, Ply, Record, as_record, limited
from lawstone.engine.records.stones import site
from lawstone.model.faults import Mark, Source

NAME = "oxono-log"
GAME = "oxono"
SIDE = 6
_GAP = r"[ \t]{0,20}"
_SQUARE = rf"\({_GAP}(\d{{1,9}}){_GAP},{_GAP}(\d{{1,9}}){_GAP}\)"
_MOVED = rf"\({_GAP}(['\"])([XOxo])\1{_GAP},{_GAP}{_SQUARE}{_GAP}(?:,{_GAP}(?:{_SQUARE}|None){_GAP})?,?{_GAP}\)"
_PLY = re.compile(rf"{_MOVED}{_GAP}(?:,{_GAP}(-?[\d.eE+-]{{1,40}}|inf){_GAP})?,?")
_NUMBER = re.compile(r"[\d.]{1,40}")
_MOVE = re.compile(r"([xo])([a-f][1-6])(?: ([a-f][1-6]))?")
_SAID_START = "told from the first moves of the totems"
STARTS: tuple[tuple[Mapping[str, str], str, tuple[int, int], tuple[int, int]], ...] = (
    ({}, "", (2, 2), (3, 3)),
    ({"start-assignment": "x-on-d3"}, "the totem x starts on d3 and o on c4", (3, 3), (2, 2)),
    ({"start-squares": "c3-and-d4"}, "the totem x starts on c3 and o on d4", (3, 2), (2, 3)),
)
"""Answers, what they mean, and the squares (row, column) of the totems x and o."""


def sniff(text: str) -> bool:
    """Whether one of the first lines of a text is a ply of such a log."""
    return any(_PLY.fullmatch(line.strip()) for line in re.split(r"\r\n?|\n", text[:4_000])[:20])


def read(source: Source, variant: str | None = None) -> Record:
    """The game in a log of Oxono; raises BadInput at each line that is no ply of it."""
    faults = Faults()
    plies: list[Ply] = []
    moves: list[tuple[str, int, int]] = []
    for number, line in enumerate(source.lines, 1):
        mark = Mark(source, number, len(line) - len(line.lstrip()) + 1)
        match = _PLY.fullmatch(line.strip("\ufeff \t"))
        if match is None:
            said = line.strip("\ufeff \t")
            if said and (plies or faults.found or not _NUMBER.fullmatch(said)):
                faults.add(mark, "bad-move", "this line is not a ply", "a ply is like ('O', (5, 2), (4, 2)), 299.9")
            continue
        symbol, squares = match[2], [int(part) for part in match.groups()[2:6] if part is not None]
        if any(part >= SIDE for part in squares):
            faults.add(mark, "off-board", f"rows and columns go from 0 to {SIDE - 1}, from the top left")
            continue
        places = [site(column, row, SIDE) for row, column in zip(squares[::2], squares[1::2], strict=True)]
        plies.append(Ply(f"{symbol.upper()}{' '.join(places)}", mark, clock=match[7] or ""))
        moves.append((symbol.lower(), squares[0], squares[1]))
    if not plies and not faults.found:
        faults.add(source.mark(0), "empty-file", "there is no ply in this log")
    faults.check()
    reading, start = _start(moves)
    notes = (f"{start}: {_SAID_START}",) if start else ()
    return Record(GAME, limited(plies), NAME, variant or "", reading, (SIDE, SIDE), notes=notes)


def _start(moves: list[tuple[str, int, int]]) -> tuple[Mapping[str, str], str]:
    """The answers, and what they mean, under which the first move of each totem is in a straight line."""
    first: dict[str, tuple[int, int]] = {}
    for symbol, row, column in moves:
        first.setdefault(symbol, (row, column))
    for order in (list(first), list(first)[:1]):
        for reading, means, x, o in STARTS:
            at = {"x": x, "o": o}
            lines = [(first[s], at[s]) for s in order]
            if all((to[0] == here[0]) != (to[1] == here[1]) for to, here in lines):
                return reading, means
    return {}, ""


def write(what: Record | History) -> str:
    """A game of Oxono as a log; a time left that is not known is written as 0. Raises CannotWrite for other games."""
    record = as_record(what)
    lines = []
    for n, ply in enumerate(record.plies, 1):
        match = _MOVE.fullmatch(squeeze(ply.text))
        if match is None:
            raise CannotWrite(f"ply {n} of this game, {ply.text!r}, is not a move of Oxono")
        squares = [f"({SIDE - int(s[1])}, {ord(s[0]) - 97})" if s else "None" for s in match.groups()[1:]]
        clock = ply.clock if record.format == NAME and ply.clock else "0"
        lines.append(f"('{match[1].upper()}', {squares[0]}, {squares[1]}), {clock}")
    return "\n".join(lines) + "\n"
