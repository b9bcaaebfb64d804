"""Records of games: SGF, files of Piskvork, pos notation, logs of Oxono, and our own JSON; and their replay.

Each format is a module with `sniff(text)`, `read(source, variant)` and `write(record or history)`.
"""

from __future__ import annotations

import codecs
import os
import re
from pathlib import Path
from types import ModuleType

from lawstone.engine.records import json_record, oxono_log, pos, psq, sgf
from lawstone.engine.records.record import CannotWrite, Ply, Record, as_record
from lawstone.engine.records.replay import replay
from lawstone.engine.records.replayed import Difference, Ended, Illegal, Replayed, Run
from lawstone.model.faults import BadInput, Fault, Source

__all__ = [
    "FORMATS", "CannotWrite", "Difference", "Ended", "Illegal", "Ply", "Record", "Replayed", "Run", "as_record",
    "decode", "form_of", "load", "read", "replay",
]  # fmt: skip

FORMATS: dict[str, ModuleType] = {m.NAME: m for m in (json_record, sgf, psq, oxono_log, pos)}
"""The formats by name, in the order in which they are tried on a file."""

LARGEST_FILE = 4_000_000
"""Bytes; our own JSON records are held to the limit of game files."""

_CHARSETS = ("gb18030", "gbk", "gb2312", "big5", "euc_kr", "shift_jis", "euc_jp", "cp932", "koi8-r")


def load(path: str | os.PathLike[str], form: str = "", variant: str | None = None) -> Record:
    """The game that a file records; raises BadInput. The format is found by looking, unless it is named."""
    name = os.fspath(path).encode("utf-8", "backslashreplace").decode("utf-8")
    return read(decode(name, _content(Path(path), name)), form, variant)


def read(source: Source, form: str = "", variant: str | None = None) -> Record:
    """The game that a text records; raises BadInput. A variant that is named goes before what the file says of it."""
    found: Record = (FORMATS[form] if form else form_of(source)).read(source, variant)
    return found


def form_of(source: Source) -> ModuleType:
    """The format of a text; raises BadInput where it is none that is known."""
    for module in FORMATS.values():
        if module.sniff(source.text):
            return module
    known = "known: SGF of Gomoku (GM[4]), psq of Piskvork, pos (h8i9g7), logs of Oxono, JSON records of Lawstone"
    message = "the file is empty" if not source.text.strip("\ufeff \t\r\n") else "this is no record of a known format"
    raise BadInput([source.mark(0).fault("unknown-format", message, known)])


def decode(name: str, data: bytes) -> Source:
    """The text of a record: UTF-8, or what an SGF file names in CA (ISO 8859-1 if nothing).

    Elsewhere other bytes stand in names only, and are read as a sign that shows that they are wrong.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError:
        named = re.search(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,20})\s*\]", data[:10_000])
    if not sgf.sniff(data[:10_000].decode("latin-1")):
        return Source(name, data.decode("utf-8", "replace"))
    return Source(name, data.decode(_charset(named[1].decode("ascii")) if named else "latin-1", "replace"))


def _charset(name: str) -> str:
    """A character set that texts are written in; others that Python knows are not for texts."""
    try:
        known = codecs.lookup(name).name
    except LookupError:
        return "latin-1"
    return known if known in _CHARSETS or re.match(r"iso8859|cp125|utf-", known) else "latin-1"


def _content(path: Path, name: str) -> bytes:
    """The bytes of a file that is not too large."""
    try:
        if not path.is_file():
            there = "this is not a file" if path.exists() else "there is no such file"
            raise BadInput([Fault(name, 1, 1, "no-file", there)])
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput([Fault(name, 1, 1, "unreadable", f"the file cannot be read: {reason}")]) from None
    if len(data) > LARGEST_FILE:
        raise BadInput([Fault(name, 1, 1, "file-too-large", f"a record has at most {LARGEST_FILE:,} bytes")])
    return data
