"""What is wrong in a file of a game, where, and what may help: every fault that a person can mend in the file."""

from __future__ import annotations

import bisect
import difflib
import itertools
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

SHOWN_FAULTS = 50
WIDTH = 120
"""Columns of a source line that are shown at most."""

_ELLIPSIS = "..."
_TAB = " " * 4
_RED, _BOLD, _PLAIN = "\x1b[1;31m", "\x1b[1m", "\x1b[0m"
_LONGEST_WORD, _MOST_CANDIDATES, _FEW = 60, 500, 12


@dataclass(frozen=True, eq=False)
class Source:
    """The text of a file and the path by which messages name it."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; a line ends as in YAML 1.2, at a line feed, a carriage return or both."""
        return re.split(r"\r\n?|\n", self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer(r"\r\n?|\n", self.text))]

    def mark(self, index: int) -> Mark:
        """The place of the character with this index, counted from 0."""
        line = bisect.bisect_right(self._starts, index)
        return Mark(self, line, index - self._starts[line - 1] + 1)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file: line and column, both from 1, columns counted in characters."""

    source: Source
    line: int
    column: int

    def fault(self, code: str, message: str, hint: str = "") -> Fault:
        """A fault at this place."""
        lines = self.source.lines
        text = lines[self.line - 1] if self.line <= len(lines) else ""
        return Fault(self.source.path, self.line, self.column, code, message, hint, text)

    def __deepcopy__(self, memo: dict[int, object]) -> Mark:
        return self  # a copy of a tree speaks of the same file


NOWHERE = Mark(Source("<data>", ""), 1, 1)
"""The mark of what was made in code and stands in no file."""


@dataclass(frozen=True, order=True)
class Fault:
    """One fault: its place (line and column from 1), a short code, what is wrong, what may help or "", the line."""

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str = ""
    source_line: str = ""

    def render(self, color: bool = False) -> str:
        """The fault as a person reads it: place and message, the source line, a caret, the hint."""
        bold, red, plain = (_BOLD, _RED, _PLAIN) if color else ("", "", "")
        place = f"{bold}{_visible(self.path)}:{self.line}:{self.column}:{plain}"
        said = [f"{place} {red}error{plain}: {_visible(self.message)} [{self.code}]"]
        if self.source_line:
            excerpt, indent = _around(self.source_line, self.column - 1)
            said += [excerpt, f"{' ' * indent}{red}^{plain}"]
        if self.hint:
            said.append(f"  hint: {_visible(self.hint)}")
        return "\n".join(said)


class BadInput(Exception):
    """A file that cannot be used, with all its faults in the order of their places."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = sorted(faults)
        super().__init__(self.faults)

    def render(self, color: bool = False) -> str:
        """The faults as a person reads them, the first fifty at most."""
        said = [fault.render(color) for fault in self.faults[:SHOWN_FAULTS]]
        if len(self.faults) > SHOWN_FAULTS:
            said.append(f"and {len(self.faults) - SHOWN_FAULTS} more")
        return "\n".join(said)

    def __str__(self) -> str:
        return self.render()


def nearest(word: str, candidates: Iterable[str]) -> str:
    """The candidate most like a misspelt word, "" if none is like it.

    Words of more than 60 characters and candidates after the first 500 are passed over, so that the cost is bounded.
    """
    if len(word) > _LONGEST_WORD:
        return ""
    known = {c.casefold(): c for c in itertools.islice(candidates, _MOST_CANDIDATES) if len(c) <= _LONGEST_WORD}
    near = difflib.get_close_matches(word.casefold(), known, n=1, cutoff=0.65)
    return known[near[0]] if near else ""


def suggest(word: str, candidates: Iterable[str]) -> str:
    """`did you mean 'x'?` for the candidate most like a misspelt word, or "" (see `nearest`)."""
    near = nearest(word, candidates)
    return f"did you mean {near!r}?" if near else ""


def hint_at(word: str, candidates: Iterable[str]) -> str:
    """`did you mean 'x'?`, or all the candidates if they are few enough to read, or ""."""
    known = list(itertools.islice(dict.fromkeys(candidates), _MOST_CANDIDATES))
    few = f"one of: {', '.join(known)}" if 0 < len(known) <= _FEW else ""
    return suggest(word, known) or few


def said(value: object) -> str:
    """A value of a file as a message quotes it: on one line, and short."""
    text = value if isinstance(value, str) else str(value)
    short = text if len(text) <= 40 else text[:37] + _ELLIPSIS
    return repr(short) if isinstance(value, str) else short


def _visible(text: str) -> str:
    """The text with tabs as four spaces and with a sign in place of each character that has no shape of its own."""
    hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return "".join(_TAB if c == "\t" else "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in hidden else c for c in text)


def _width(text: str) -> int:
    """The columns that a text takes up in a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else unicodedata.combining(c) == 0 for c in text)


def _fitting(text: str, room: int) -> str:
    """As much of the beginning of a text as is at most `room` columns wide."""
    widths = itertools.accumulate(_width(c) for c in text)
    return text[: sum(1 for _ in itertools.takewhile(lambda width: width <= room, widths))]


def _around(line: str, at: int) -> tuple[str, int]:
    """The part of a line that is shown for a caret under the character `at`, and the columns in it before the caret."""
    start, end = max(0, at - WIDTH), at + WIDTH
    before, after = _visible(line[start:at]), _visible(line[at:end])
    if start == 0 and end >= len(line) and _width(before) + _width(after) <= WIDTH:
        return before + after, _width(before)
    left = _fitting(before[::-1], WIDTH // 2)[::-1]
    if start > 0 or len(left) < len(before):
        left = _ELLIPSIS + left
    room = WIDTH - _width(left)
    right = after
    if end < len(line) or _width(after) > room:
        right = _fitting(after, room - len(_ELLIPSIS)) + _ELLIPSIS
    return left + right, _width(left)
