"""Number and digest the sentences of a founding text, so that it can be cited without being copied.

A sentence ends at `.`, `!`, `?` before white space or the end of the line, or at `。`, `！`, `？` anywhere; a line end always ends
one. A piece without a letter (a list number such as `1.`, a bare dash) joins the sentence that follows it. White space is
folded and the text is brought to Unicode NFC before the digest, which is the first twelve hexadecimal digits of SHA-256.
"""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from pathlib import Path
from typing import NamedTuple

_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")


class Sentence(NamedTuple):
    """One sentence of a source: its number from 1, its digest and its text (which stays outside the project)."""

    number: int
    digest: str
    text: str


def sentences(text: str) -> list[Sentence]:
    """The numbered sentences of `text`, in order."""
    found: list[str] = []
    for line in unicodedata.normalize("NFC", text).splitlines():
        pending = ""
        for piece in _END.split(" ".join(line.split())):
            pending = f"{pending} {piece}".strip()
            if any(c.isalpha() for c in pending):
                found.append(pending)
                pending = ""
        if pending and found and any(c.isalnum() for c in pending):
            found.append(pending)
    return [Sentence(n, digest(s), s) for n, s in enumerate(found, 1)]


def digest(sentence: str) -> str:
    """The twelve hexadecimal digits by which a sentence is cited."""
    return hashlib.sha256(" ".join(sentence.split()).encode()).hexdigest()[:12]


if __name__ == "__main__":
    for s in sentences(Path(sys.argv[1]).read_text(encoding="utf-8")):
        print(s.number, s.digest, s.text)
