"""Boards as text: drawn for a terminal or a file, and read back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lawstone.board import Board
from lawstone.drawing.look import EMPTY, TOKEN, WORDS, Look, Mark, PieceLook, file_letter

INSTEAD: Mapping[Mark, str] = {"legal": "+", "both": "+", "a": "A", "b": "B", "blocked": "#", "captured": "!"}
"""Marks that stand on an empty site in place of its dot, and on both sides of a piece."""

AROUND: Mapping[Mark, tuple[str, str]] = {"last": ("(", ")"), "here": ("[", "]"), "from": ("{", "}"), "to": (">", "<")}
"""Marks that stand around a site, empty or not."""

_MARK_CHARACTERS = "+#!(){}[]<>"
_UNICODE_INSTEAD: Mapping[str, str] = {"+": "•", "#": "×"}
_CONNECTORS = str.maketrans("-|/\\", "    ")
_BOX_LINES = str.maketrans("-|/\\", "─│╱╲")
_JUNCTIONS: Mapping[frozenset[str], str] = {
    frozenset(ways.split()): box
    for ways, box in {
        "north east south west": "┼", "north east south": "├", "north south west": "┤", "east south west": "┬",
        "north east west": "┴", "north east": "└", "north west": "┘", "east south": "┌", "south west": "┐",
    }.items()
}  # fmt: skip
_COLOURS: Mapping[str, str] = {
    "margin": "2", "line": "2", "empty": "2", "owner 0": "1;36", "owner 1": "1;35", "nobody": "1", "last": "1",
    "legal": "32", "both": "32", "a": "34", "b": "33", "blocked": "2", "captured": "31", "here": "1;33", "from": "33",
    "to": "33",
}  # fmt: skip


@dataclass
class _Sheet:
    """Characters by line and column, each with the name of its colour."""

    at: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def put(self, line: int, column: int, characters: str, colour: str) -> None:
        for k, c in enumerate(characters):
            self.at[line, column + k] = (c, colour)

    def lines(self, color: bool) -> Iterator[str]:
        for line in range(max(row for row, _ in self.at) + 1):
            last = max((column for row, column in self.at if row == line), default=-1)
            drawn, now = "", ""
            for c, colour in (self.at.get((line, column), (" ", "")) for column in range(last + 1)):
                code = _COLOURS[colour] if color and c != " " else ""
                if code != now:
                    drawn += f"\x1b[{code}m" if not now else f"\x1b[0;{code}m" if code else "\x1b[0m"
                drawn, now = drawn + c, code
            yield drawn + ("\x1b[0m" if now else "")


class _Plan:
    """Where each site of a board stands in the text: lines from 0 at the top, columns from 0 at the left."""

    def __init__(self, look: Look, width: int, around: Collection[int]) -> None:
        board = look.board
        self.board = board
        crowded = any(board.at.get((x + 1, y)) in around for x, y in (board.places[s] for s in around))
        self.pitch = width + (2 if crowded else 1)
        if board.kind == "lines":
            self.pitch = 4
        elif board.kind == "hexagon":
            self.pitch = 4 if crowded or width > 1 else 2
        self.apart = 2 if board.kind == "lines" else 1
        self.rows = {y: [s for s in range(board.size) if board.places[s][1] == y] for y in range(board.height)}
        self.room = 2 if any(row and row[0] in around for row in self.rows.values()) else 1
        self.left = len(str(board.height)) + self.room

    def place(self, x: int, y: int) -> tuple[int, int]:
        """The line and column of a board place, which may lie just off the board."""
        column = self.left + x * self.pitch
        if self.board.kind == "hexagon":
            column += (self.board.height // 2 - y) * self.pitch // 2
        return (self.board.height - 1 - y) * self.apart, column

    def site(self, site: int) -> tuple[int, int]:
        return self.place(*self.board.places[site])

    def margins(self, sheet: _Sheet) -> None:
        for y, row in self.rows.items():
            if row:
                line, column = self.site(row[0]) if self.board.kind == "hexagon" else self.place(0, y)
                label = str(y + 1)
                sheet.put(line, column - self.room - len(label), label, "margin")
        for x in range(self.board.width):
            foot = min((y for fx, y in self.board.places if fx == x), default=None)
            if foot is None:
                continue
            line, column = self.place(x, foot - 1 if self.board.kind == "hexagon" else -1)
            if self.board.kind == "lines":
                line -= 1
            sheet.put(line, column, file_letter(x), "margin")

    def connectors(self, sheet: _Sheet, unicode: bool) -> None:
        board = self.board
        if board.kind != "lines" and not (unicode and board.kind == "grid" and board.drawn_on == "points"):
            return
        for way, character in (("north", "|"), ("north east", "/"), ("north west", "\\"), ("east", "-")):
            character = character.translate(_BOX_LINES) if unicode else character
            for s, t in enumerate(board.steps.get(way, ())):
                if t is None or (board.kind == "grid" and way != "east"):
                    continue
                (line, column), (end_line, end_column) = self.site(s), self.site(t)
                if way == "east":
                    sheet.put(line, column + 1, character * (end_column - column - 1), "line")
                    continue
                lean = (end_column - column) // (line - end_line)
                for k in range(1, line - end_line):
                    sheet.put(line - k, column + k * lean, character, "line")


def stones(pieces: Mapping[str, PieceLook]) -> dict[str, str]:
    """The character of a stone by token, where it is clear: one piece without symbol for each of the two owners."""
    owners = {piece.owner: token for token, piece in pieces.items() if piece.symbol is None}
    if len(pieces) == 2 and set(owners) == {0, 1}:
        return {owners[0]: "●", owners[1]: "○"}
    return {}


def text(look: Look, *, color: bool = False, unicode: bool = False, words: Mapping[str, str] = WORDS) -> str:
    """The board as lines of text, top rank first: ranks at the left, file letters below, then a legend of the marks.

    The plain form is ASCII and takes one column a character on every terminal. `unicode` draws stones and box lines,
    which some East Asian terminals show two columns wide. `color` adds ANSI colours and changes nothing else. `words`
    says what the marks mean in the reader's language; a mark that it leaves out is not explained.
    """
    signs = stones(look.pieces) if unicode else {}
    shown = {site: signs.get(token, token) for site, token in look.cells.items()}
    width = max((len(signs.get(token, token)) for token in look.pieces), default=1)
    around = {s for s, mark in look.marks.items() if mark in AROUND or s in shown}
    plan, sheet = _Plan(look, width, around), _Sheet()
    plan.margins(sheet)
    plan.connectors(sheet, unicode)
    legend: dict[str, str] = {}
    for site in range(look.board.size):
        line, column = plan.site(site)
        piece, mark = look.piece(site), look.marks.get(site)
        body = shown.get(site) or (_point(look.board, site) if unicode else EMPTY)
        colour = "empty" if piece is None else "nobody" if piece.owner is None else f"owner {piece.owner}"
        before = after = ""
        if mark and mark in AROUND:
            before, after = AROUND[mark]
        elif mark:
            sign = _UNICODE_INSTEAD.get(INSTEAD[mark], INSTEAD[mark]) if unicode else INSTEAD[mark]
            if piece:
                before = after = sign
            else:
                body, colour = sign, mark
        sheet.put(line, column, body, colour)
        if mark:
            sheet.put(line, column - len(before), before, mark)
            sheet.put(line, column + len(body), after, mark)
            if mark in words:
                legend.setdefault(mark, f"{before}{body}{after} {words[mark]}")
    board_lines = list(sheet.lines(color))
    notes = [legend[mark] for mark in words if mark in legend]
    notes += [f"{look.board.names[a]} -> {look.board.names[b]}" for a, b in look.arrows]
    return "\n".join([*board_lines, *([""] if notes else []), *_wrapped(notes)])


def _wrapped(notes: Iterable[str]) -> Iterator[str]:
    """The notes of the legend on as few lines as a terminal of 80 columns allows."""
    line = ""
    for note in notes:
        if line and len(line) + len(note) > 76:
            yield line
            line = ""
        line += ("   " if line else "") + note
    if line:
        yield line


def _point(board: Board, site: int) -> str:
    """An empty site in box characters: a crossing where lines are drawn, else a dot."""
    if board.kind == "lines" or (board.kind == "grid" and board.drawn_on == "points"):
        ways = frozenset(d for d in board.directions("orthogonal") if board.steps[d][site] is not None)
        return _JUNCTIONS.get(ways, "·")
    return "·"


@dataclass(frozen=True)
class DrawingFault:
    """One fault of a drawn board; `line` and `column` are counted from 1 within the drawing."""

    message: str
    line: int
    column: int
    hint: str = ""


class BadDrawing(ValueError):
    """A drawing that is not one of this board; `faults` names every fault, from the top."""

    def __init__(self, faults: list[DrawingFault]) -> None:
        super().__init__("\n".join(f"line {f.line}, column {f.column}: {f.message}" for f in faults))
        self.faults = faults


@dataclass
class _Row:
    """The words of one line of a drawing, each with the column it begins in, and the column after the last one."""

    line: int
    words: list[tuple[str, int]]
    end: int

    def is_number(self) -> bool:
        return self.words[0][0].isascii() and self.words[0][0].isdigit()


def parse(board: Board, drawing: str, *, tokens: Collection[str] | None = None) -> dict[int, str]:
    """The token on each occupied site of a drawn board: what `text` writes for a look without marks, margins optional.

    Rows go from the top rank to rank 1, a token a site, `.` for an empty one. A board of lines may be drawn with its
    lines or as plain rows of its points. Given `tokens`, any other token is a fault. Raises BadDrawing: all faults.
    """
    rows = _rows(board, drawing)
    ranks = [(y, [s for s in range(board.size) if board.places[s][1] == y]) for y in reversed(range(board.height))]
    ranks = [(y, row) for y, row in ranks if row]
    if rows and _is_file_letters(board, rows, len(ranks), tokens):
        rows.pop()
    faults: list[DrawingFault] = []
    cells: dict[int, str] = {}
    even = len(rows) == len(ranks)
    if not even:
        faults.append(_wrong_count(rows, len(ranks)))
    if even or len({len(row) for _, row in ranks}) == 1:
        for row, (y, sites) in zip(rows, ranks, strict=False):
            words = row.words
            if row.is_number():
                (number, column), *words = words
                if even and number != str(y + 1):
                    message = f"this row is rank {y + 1} and is numbered {number}"
                    faults.append(DrawingFault(message, row.line, column, "rows go from the top rank down to rank 1"))
            if len(words) == len(sites) + 1 and words[-1][0] == _letter_beside(board, y):
                words = words[:-1]
            if len(words) != len(sites):
                faults.append(_wrong_length(row, words, len(sites), y + 1 if even else None))
                continue
            for site, (word, column) in zip(sites, words, strict=True):
                if word != EMPTY:
                    cells[site] = word
                    faults.extend(_wrong_token(word, row.line, column, tokens))
    if faults:
        raise BadDrawing(sorted(faults, key=lambda f: (f.line, f.column)))
    return cells


def _rows(board: Board, drawing: str) -> list[_Row]:
    found = []
    for number, line in enumerate(re.split(r"\r\n?|\n", drawing), 1):
        plain = line.translate(_CONNECTORS) if board.kind == "lines" else line
        words = [(match[0], match.start() + 1) for match in re.finditer(r"\S+", plain)]
        if words:
            found.append(_Row(number, words, words[-1][1] + len(words[-1][0])))
    return found


def _is_file_letters(board: Board, rows: list[_Row], ranks: int, tokens: Collection[str] | None) -> bool:
    """Whether the last row holds the file letters, and not pieces that happen to be written like them."""
    said = [word for word, _ in rows[-1].words]
    letters = [file_letter(x) for x in range(board.width) if any(fx == x for fx, _ in board.places)]
    if said != letters and not (board.kind == "hexagon" and said == letters[: (board.width + 1) // 2]):
        return False
    if len(rows) != ranks or any(row.is_number() for row in rows):
        return True
    return len(said) > 2 if tokens is None else not set(said) <= set(tokens)


def _letter_beside(board: Board, y: int) -> str | None:
    """The file letter that a hexagon's drawing has at the right end of a row of its lower half."""
    return file_letter(board.width // 2 + y + 1) if board.kind == "hexagon" and y < board.height // 2 else None


def _counted(n: int, word: str) -> str:
    return f"{n or 'no'} {word}{'' if n == 1 else 's'}"


def _wrong_count(rows: list[_Row], ranks: int) -> DrawingFault:
    message = f"the drawing has {_counted(len(rows), 'row')} and the board has {_counted(ranks, 'rank')}"
    if len(rows) > ranks:
        surplus = rows[ranks]
        hint = "take away the rows from here on, or resize the board"
        return DrawingFault(message, surplus.line, surplus.words[0][1], hint)
    line, column = (rows[-1].line, rows[-1].end) if rows else (1, 1)
    hint = f"add {_counted(ranks - len(rows), 'row')}; an empty site is written `{EMPTY}`"
    return DrawingFault(message, line, column, hint)


def _wrong_length(row: _Row, words: list[tuple[str, int]], sites: int, rank: int | None) -> DrawingFault:
    where = "a rank of this board" if rank is None else f"rank {rank}"
    message = f"this row has {_counted(len(words), 'site')} and {where} has {sites}"
    column = words[sites][1] if len(words) > sites else row.end
    hint = f"tokens stand apart, one a site; an empty site is written `{EMPTY}`"
    return DrawingFault(message, row.line, column, hint)


def _wrong_token(word: str, line: int, column: int, tokens: Collection[str] | None) -> Iterator[DrawingFault]:
    known = tokens is None or word in tokens
    if known and TOKEN.fullmatch(word):
        return
    bare = word.strip(_MARK_CHARACTERS)
    if bare != word and (TOKEN.fullmatch(bare) or bare in ("", EMPTY)):
        hint = f"marks are no part of a position: write {bare or EMPTY}"
    elif tokens is None:
        hint = "a piece is a letter, or a letter and a letter or digit"
    elif near := [token for token in tokens if token.lower() == word.lower()]:
        hint = f"did you mean {near[0]}?"
    else:
        hint = f"the pieces are written {', '.join(sorted(tokens))}"
    yield DrawingFault(f"no piece is written {word!r}", line, column, hint)
