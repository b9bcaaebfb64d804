"""The prose of a game: Markdown files `text.<lang>.md`, a heading a rule id.

A heading is written `## rule.id: Short title`. The first paragraph below it is the rule itself and stands alone when it is quoted;
what follows are remarks. Text before the first such heading introduces the game.

A translation begins with the line `<!-- made from text.en.md 0123456789ab -->`: the file it was made from, and that file's
digest then.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lawstone.model.faults import BadInput, Fault, Source
from lawstone.model.located import text_of

_HEADING = re.compile(r"^## +([a-z0-9][a-z0-9.-]*)(?:: *(.*))?$")
_MADE_FROM = re.compile(r"^<!-- made from text\.([a-z]{2,3})\.md ([0-9a-f]{12}) -->$")


@dataclass(frozen=True)
class Entry:
    """What stands under one heading."""

    id: str
    title: str
    says: str
    remarks: str
    line: int


@dataclass(frozen=True)
class Text:
    """The prose of a game in one language."""

    language: str
    title: str
    introduction: str
    entries: Mapping[str, Entry]
    source: Source = field(default_factory=lambda: Source("<data>", ""))
    made_from: tuple[str, str] | None = None
    """The language of the text that this one translates, and that text's digest then."""

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits of all that the text says; line breaks and the note of a translation do not count."""
        lines = self.source.lines[1 if self.made_from else 0 :]
        return hashlib.sha256(" ".join(" ".join(lines).split()).encode()).hexdigest()[:12]

    def says(self, rule: str) -> str:
        """The sentence of a rule; the empty string if there is none."""
        return self.entries[rule].says if rule in self.entries else ""


def parse(text: str, language: str, path: str = "<data>") -> tuple[Text, list[Fault]]:
    """The prose in a Markdown text, with its faults: a heading twice, a heading without a sentence, a bad id."""
    source, faults = Source(path, text), list[Fault]()
    title, introduction, entries = "", list[str](), dict[str, Entry]()
    current: tuple[str, str, int] | None = None
    body: list[str] = []
    note = _MADE_FROM.match(source.lines[0])

    def close() -> None:
        nonlocal current
        paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", "\n".join(body)) if p.strip()]
        if current is None:
            introduction.extend(paragraphs)
        else:
            rule, heading, line = current
            if not paragraphs:
                faults.append(
                    _at(source, line, "empty-text", f"nothing stands under '{rule}'", "write the rule in one or two sentences")
                )
            if rule in entries:
                hint = f"it stands first in line {entries[rule].line}"
                faults.append(_at(source, line, "repeated-heading", f"the heading '{rule}' stands twice", hint))
            entries.setdefault(rule, Entry(rule, heading, paragraphs[0] if paragraphs else "", "\n\n".join(paragraphs[1:]), line))
        body.clear()

    for number, line in enumerate(source.lines, 1):
        if number == 1 and note:
            continue
        found = _HEADING.match(line)
        if line.startswith("# ") and not title:
            title = line[2:].strip()
        elif found:
            close()
            current = (found[1], (found[2] or "").strip(), number)
        elif line.startswith("## "):
            close()
            current = None
            faults.append(
                _at(
                    source,
                    number,
                    "bad-heading",
                    "a heading is a rule id, a colon and a short title",
                    "such as `## turn.place: Placing`",
                )
            )
        else:
            body.append(line)
    close()
    return Text(language, title, "\n\n".join(introduction), entries, source, (note[1], note[2]) if note else None), faults


def _at(source: Source, line: int, code: str, message: str, hint: str = "") -> Fault:
    text = source.lines[line - 1]
    column = len(text) - len(text.lstrip("# ")) + 1
    return Fault(source.path, line, column, code, message, hint, text)


def read(folder: Path) -> tuple[dict[str, Text], list[Fault]]:
    """The prose of a game's folder by language, with its faults."""
    texts, faults = dict[str, Text](), list[Fault]()
    for file in sorted(folder.glob("text.*.md")):
        language = file.name.split(".")[1]
        try:
            source = text_of(file)
        except BadInput as bad:
            faults += bad.faults
            continue
        texts[language], found = parse(source.text, language, source.path)
        faults += found
    return texts, faults
