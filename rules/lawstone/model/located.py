"""Reading files of games: YAML 1.2 in a strict subset (JSON is part of it), every value with its place in the file.

A file is read once, in one pass over the events of ruamel.yaml. Left out of YAML is what lets a file mean
something else than it seems to say: anchors, tags, merge keys, repeated keys, several documents, numbers and dates in
disguise. All faults of a file are reported in one run; only where the text is not YAML at all does the reading stop.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import stat
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml import events as yaml
from ruamel.yaml.error import MarkedYAMLError

from lawstone.model.faults import BadInput, Fault, Source, said, suggest
from lawstone.model.tree import Document, Map, Seq, mark_of

__all__ = [
    "COMPANIONS",
    "DEEPEST",
    "LARGEST_FILE",
    "MOST_FAULTS",
    "MOST_VALUES",
    "Document",
    "Map",
    "Seq",
    "mark_of",
    "read",
    "read_on",
    "remembering",
    "text_of",
]

LARGEST_FILE = 1_000_000
"""Bytes."""
DEEPEST = 60
"""Mappings and lists inside one another."""
MOST_VALUES = 50_000
MOST_FAULTS = 1_000
"""Faults after which a file is read no further."""

_HARMLESS = (
    "tab",
    "unseen-character",
    "directive",
    "anchor",
    "tag",
    "repeated-key",
    "large-number",
    "odd-number",
    "fraction",
    "date",
)
"""Faults in spite of which every other value of the file is read as it is meant."""


def read(path: str | os.PathLike[str], text: str | bytes | None = None) -> Document:
    """Read a file, or a text that stands for it; raises `BadInput` with all faults, and nothing else."""
    document, faults = read_on(path, text)
    if document is None or faults:
        raise BadInput(faults)
    return document


def read_on(path: str | os.PathLike[str], text: str | bytes | None = None) -> tuple[Document | None, list[Fault]]:
    """As `read`, for a reader who goes on to look for other faults: the faults, and the document in spite of them.

    There is no document where so much of the file is lost that other faults found in it might be none.
    """
    try:
        return _read(path, text)
    except BadInput as bad:
        return None, bad.faults


Trees = MutableMapping[str, Any]
"""What files without a fault say, as plain data, by the digest of their content."""

COMPANIONS = frozenset(["examples.yaml", "sources.yaml", "terms.yaml", "translations.yaml", "claims.yaml", "retired.yaml"])
"""The names of files that stand beside game files."""
_REMEMBERED: ContextVar[Trees | None] = ContextVar("remembered", default=None)


@contextmanager
def remembering(trees: Trees) -> Iterator[None]:
    """Inside it, a file that stands beside game files is parsed only where its content is not among the trees, which it then joins.

    A tree that is remembered has no places: whoever finds a fault in it reads the file again, outside, to tell where.
    """
    token = _REMEMBERED.set(trees)
    try:
        yield
    finally:
        _REMEMBERED.reset(token)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, list) else value


def text_of(path: str | os.PathLike[str]) -> Source:
    """The text of a file that is not YAML, with the same limits; raises `BadInput`."""
    name = os.fspath(path).encode("utf-8", "backslashreplace").decode("utf-8")
    data = _content(Path(path), name)
    if len(data) > LARGEST_FILE:
        raise _too_large(name, len(data))
    return _decoded(data, name)


def _read(path: str | os.PathLike[str], text: str | bytes | None) -> tuple[Document | None, list[Fault]]:
    name = os.fspath(path).encode("utf-8", "backslashreplace").decode("utf-8")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if data is None:
        data = _content(Path(path), name)
    if len(data) > LARGEST_FILE:
        raise _too_large(name, len(data))
    trees = _REMEMBERED.get() if Path(path).name in COMPANIONS else None
    key = hashlib.sha256(data).hexdigest() if trees is not None else ""
    if trees is not None and key in trees:
        return Document(_decoded(data, name), trees[key]), []
    reader = _Reader(_decoded(data, name))
    tree = reader.document()
    whole = not reader.stopped and all(fault.code in _HARMLESS for fault in reader.faults)
    if trees is not None and whole and not reader.faults:
        trees[key] = _plain(tree)
    return Document(reader.source, tree) if whole else None, reader.faults


def _unreadable(name: str, code: str, message: str, hint: str = "") -> BadInput:
    return BadInput([Fault(name, 1, 1, code, message, hint)])


def _too_large(name: str, size: int) -> BadInput:
    return _unreadable(name, "file-too-large", f"the file has {size:,} bytes, and the limit is {LARGEST_FILE:,}")


def _content(path: Path, name: str) -> bytes:
    """The bytes of a file; a file that is too large is refused before it is read."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            inside = path / "game.yaml"
            hint = f"did you mean '{inside}'?" if inside.is_file() else ""
            raise _unreadable(name, "folder", "this is a folder, and a file is wanted", hint)
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable(name, "not-a-file", "this is a device or a pipe, and a file is wanted")
        if status.st_size > LARGEST_FILE:
            raise _too_large(name, status.st_size)
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise _unreadable(name, "no-file", "there is no such file", _beside(path)) from None
    except PermissionError:
        raise _unreadable(name, "no-permission", "the file may not be read: permission denied") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise _unreadable(name, "unreadable", f"the file cannot be read: {reason}") from None


def _beside(path: Path) -> str:
    """A hint at a file of a similar name in the same folder."""
    try:
        return suggest(path.name, sorted(os.listdir(path.parent)))
    except OSError:
        return ""


def _decoded(data: bytes, name: str) -> Source:
    try:
        return Source(name, data.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        source = Source(name, data.decode("utf-8", "replace").removeprefix("\ufeff"))
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        message = f"byte {error.start} of the file (0x{data[error.start]:02x}, counted from 0) is not UTF-8"
        hint = "the file is in UTF-16: save it as UTF-8" if utf_16 else "save the file as UTF-8"
        raise BadInput([source.mark(len(before)).fault("not-utf-8", message, hint)]) from None


class _Disguise(NamedTuple):
    """Plain text that some reader of YAML takes for something else than a file of a game can hold."""

    code: str
    pattern: re.Pattern[str]
    message: str
    hint: str


_IF_TEXT = "put quotes around it if it is text"
_DISGUISES = (
    _Disguise("large-number", re.compile(r"-?[1-9][0-9]{9,}"), "a number has at most nine digits", _IF_TEXT),
    _Disguise(
        "odd-number",
        re.compile(r"[-+]?0[0-9]+|\+[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
        "a number is written in plain decimal digits, without + and leading zeros",
        _IF_TEXT,
    ),
    _Disguise(
        "fraction",
        re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"),
        "only whole numbers are known, and YAML takes this for a fraction",
        _IF_TEXT,
    ),
    _Disguise(
        "date",
        re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9:.+ Zz-]*)?"),
        "some readers of YAML take this for a date",
        "put quotes around it",
    ),
)
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,8})")
_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}

_UNSEEN = r"[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
"""A control character, an old line separator, a byte order mark inside the text, or half a character."""
_UNWELCOME = re.compile(rf"(?P<tab>\t+)|(?P<directive>(?<![^\r\n])%)|(?P<unseen>{_UNSEEN})")

_SYNTAX_HINTS = (
    (
        "expected ',' or",
        "in braces, a text with a comma, a colon or a quote needs quotes around it; or a brace is not closed",
    ),
    (
        "mapping values are not allowed",
        "a text with a colon in it needs quotes around it; else look at the indentation",
    ),
    ("cannot start any token", "put quotes around the text that begins here"),
    ("end of stream", "a quote is opened and not closed"),
    ("unknown escape", r"in double quotes a backslash is written \\; in single quotes it stands for itself"),
    ("could not find expected ':'", "after a key there is a colon and a space"),
    ("expected '<document start>'", "all that stood before is complete; look at the indentation and at the braces"),
    ("expected <block end>", "look at the indentation, and at what follows a closing quote or brace"),
)
_SEEN_TOO_LATE = ("could not find expected ':'", "end of stream", "<stream end>")
"""Problems that are best shown where the thing begins that is not finished."""


class _StopReading(Exception):
    """The rest of the file is not read."""


class _Reader:
    """One pass over a text: builds the tree and collects the faults."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.faults: list[Fault] = []
        self.values = 0
        self.stopped = False
        self.events: Iterator[Any] = iter(())
        self.index = 0

    def refuse(self, index: int, code: str, message: str, hint: str = "") -> None:
        self.faults.append(self.source.mark(index).fault(code, message, hint))
        if len(self.faults) >= MOST_FAULTS:
            raise _StopReading

    def stop(self, index: int, code: str, message: str, hint: str = "") -> NoReturn:
        self.refuse(index, code, message, hint)
        raise _StopReading

    def document(self) -> Any:
        try:
            text = _UNWELCOME.sub(self.stand_in, self.source.text)
            self.events = YAML(typ="safe", pure=True).parse(text)
            self.event()  # the stream begins
            tree = None
            if not isinstance(self.event(), yaml.StreamEndEvent):  # a document begins
                tree = self.value(self.event(), 1)
                self.event()  # and ends
                after = self.event()
                if not isinstance(after, yaml.StreamEndEvent):
                    at = after.start_mark.index
                    self.stop(at, "second-document", "a second document begins here", "take --- away")
            if tree is None and not self.faults:
                self.refuse(0, "empty-file", "the file is empty")
            return tree
        except _StopReading:
            self.stopped = True
            return None

    def stand_in(self, match: re.Match[str]) -> str:
        """Refuse characters that stand in no file of a game; others of the same number let the reading go on."""
        if match["directive"]:
            self.refuse(match.start(), "directive", "a line that begins with % is a directive of YAML", "take it away")
            return "#"
        if match["unseen"]:
            message = f"a character that cannot be seen stands here: U+{ord(match[0]):04X}"
            self.refuse(match.start(), "unseen-character", message, "take it away")
        elif not self.source.path.endswith(".json"):  # programs indent JSON with tabs
            self.refuse(match.start(), "tab", "a tab stands here", "indent and separate with spaces")
        return " " * len(match[0])

    def event(self) -> Any:
        """The next event. Where the text is not YAML, the reading ends."""
        try:
            event = next(self.events)
        except MarkedYAMLError as error:
            self.not_yaml(error)
        except Exception as error:  # on hostile text the parser raises others too: OverflowError for "\UFFFFFFFF"
            kind = type(error).__name__
            self.stop(self.index, "not-yaml", f"this is not YAML: what begins here cannot be parsed ({kind})")
        self.index = event.start_mark.index
        return event

    def not_yaml(self, error: MarkedYAMLError) -> NoReturn:
        if any(fault.code in ("tab", "unseen-character") for fault in self.faults):
            raise _StopReading  # it is most likely a consequence of these
        problem = str(error.problem)[:200]
        hint = next((hint for part, hint in _SYNTAX_HINTS if part in problem), "")
        mark, begin = error.problem_mark, error.context_mark
        if begin and (mark is None or any(part in problem for part in _SEEN_TOO_LATE)):
            mark = begin
        if error.context and begin:
            problem += f" ({error.context} that begins in line {self.source.mark(begin.index).line})"
        self.stop(mark.index if mark else self.index, "not-yaml", f"this is not YAML: {problem}", hint)

    def value(self, event: Any, depth: int) -> Any:
        """The value that begins with this event; `depth` counts the mappings and lists around it, and itself."""
        at = event.start_mark.index
        self.values += 1
        if self.values > MOST_VALUES:
            self.stop(at, "too-many-values", f"the file holds more than {MOST_VALUES:,} values")
        if isinstance(event, yaml.AliasEvent):
            self.refuse(at, "alias", f"aliases are not used: {said(event.anchor)}", "write the value once more")
            return None
        if event.anchor:
            self.refuse(at, "anchor", f"anchors are not used: {said(event.anchor)}", "take it away")
        if event.tag:
            self.refuse(at, "tag", f"tags are not used: {said(event.tag)}", "take it away, or put quotes around the text")
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if depth > DEEPEST:
            self.stop(at, "too-deep", f"mappings and lists stand more than {DEEPEST} deep inside one another")
        return self.mapping(event, depth) if isinstance(event, yaml.MappingStartEvent) else self.sequence(event, depth)

    def sequence(self, start: Any, depth: int) -> Seq:
        entries = Seq(mark=self.source.mark(start.start_mark.index))
        while not isinstance(event := self.event(), yaml.SequenceEndEvent):
            at = self.source.mark(event.start_mark.index)
            entries.put(self.value(event, depth + 1), at)
        return entries

    def mapping(self, start: Any, depth: int) -> Map:
        entries = Map(mark=self.source.mark(start.start_mark.index))
        while not isinstance(event := self.event(), yaml.MappingEndEvent):
            key_at, key = event.start_mark.index, self.key(event, depth)
            value_event = self.event()
            if start.flow_style and _is_nothing(value_event):
                self.no_value(key_at, key)
            value = self.value(value_event, depth + 1)
            if key is None:
                continue
            if key in entries:
                first = entries.key_mark(key).line
                message = f"{said(key)} stands twice in this mapping, first in line {first}"
                self.refuse(key_at, "repeated-key", message, "keep one of them")
            else:
                entries.put(key, value, self.source.mark(key_at), self.source.mark(value_event.start_mark.index))
        return entries

    def key(self, event: Any, depth: int) -> str | None:
        """The key that begins with this event; None if it is refused."""
        known, at = len(self.faults), event.start_mark.index
        if isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
            if event.value == "<<":
                self.refuse(at, "merge-key", "merge keys (<<) are not used", "write the entries once more")
            elif event.value in _CONSTANTS or _INTEGER.fullmatch(event.value):
                hint = f'put quotes around it: "{event.value}"' if event.value else ""
                self.refuse(at, "key-not-text", f"a key must be text, and this is {event.value or 'nothing'}", hint)
        value = self.value(event, depth + 1)
        if len(self.faults) == known and not isinstance(value, str):
            self.refuse(at, "key-not-text", "a key must be text, and this is a list or a mapping", "look at the braces")
        return value if len(self.faults) == known else None

    def no_value(self, at: int, key: str | None) -> None:
        """In braces, `{en: No, never}` is two keys to YAML, the second without a value."""
        if key is not None:
            hint = "a text with a comma inside braces needs quotes around it; after a colon there is a space"
            self.refuse(at, "no-value", f"{said(key)} is a key without a value here", hint)

    def scalar(self, event: Any) -> Any:
        text, at = str(event.value), event.start_mark.index
        if not event.implicit[0]:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")  # JSON writes \ud83d\ude00
            unseen = re.search(_UNSEEN, text)
            if unseen:
                message = f"the text holds a character that cannot be seen: U+{ord(unseen[0]):04X}"
                self.refuse(at, "unseen-character", message, "take it away")
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.fullmatch(text):
            return int(text)
        for code, pattern, message, hint in _DISGUISES:
            if pattern.fullmatch(text):
                self.refuse(at, code, message, hint)
                break
        return text


def _is_nothing(event: Any) -> bool:
    """Whether no character of the file stands for this value."""
    return isinstance(event, yaml.ScalarEvent) and event.start_mark.index == event.end_mark.index
