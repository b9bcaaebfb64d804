"""Which words of a page are in which language: the text of an HTML page by the language in force where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "hr"}
UNSAID = {"style", "code", "kbd", "desc", "noscript"}
"""Elements whose text is no sentence."""


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("translate") == "no":
            given["lang"] = "notation"
        language = given.get("lang") or (self.open[-1][1] if self.open else "")
        for name in ("aria-label", "title", "placeholder", "alt"):
            if given.get(name):
                self.found.append((language, str(given[name])))
        if tag not in VOID:
            self.open.append((tag, language))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = {t for t, _ in self.open}
        if data.strip() and not tags & UNSAID and self.open[-1][0] != "script":
            self.found.append((self.open[-1][1], " ".join(data.split())))


def texts(html: str) -> list[tuple[str, str]]:
    """The pieces of text of a page, each with the language that is in force there."""
    parser = _Texts()
    parser.feed(html)
    return parser.found


ENGLISH = re.compile(
    r"\b(the|of|and|is|are|with|that|this|which|from|no|not|if|when|may|can|cannot|must|one|two|for|or|shown|proved|moves?|games?"
    r"|stones?|board|player|empty|row)\b",
    re.IGNORECASE,
)
CZECH = re.compile(r"[ěščřžýůďťňĚŠČŘŽŮ]|\b(je|na|se|že|podle|jen|když|nebo)\b")
HAN = re.compile(r"[\u4e00-\u9fff]")
LATIN_WORDS = re.compile(r"[A-Za-z]{3,} [a-z]{2,}")
_SAME = re.compile(r"\b(XXung|Board Game Arena|Oxono|Gomoku|Lawstone|SWAP2?|PRO|JSON|Wikipedie|English|Čeština|a [a-h]\d)\b|中文")
"""Names that are the same in every language."""


_ID = re.compile(r"[a-z0-9-]+([.-][a-z0-9-]+)+|[a-z]+\.json")
"""A permanent id, which is no word of any language."""


def foreign(html: str, page: str) -> Iterator[str]:
    """Pieces of text that are shown as of the page's language and are of another one."""
    for language, text in texts(html):
        said = _SAME.sub("", _ID.sub("", text))
        if language != page or _ID.fullmatch(text):
            continue
        wrong = {
            "en": CZECH.search(said) or len(HAN.findall(said)) > len(re.findall("[A-Za-z]", said)),
            "cs": len(ENGLISH.findall(said)) >= 2 or (ENGLISH.search(said) and len(said.split()) < 4),
            "zh": (LATIN_WORDS.search(said) and len(re.findall("[A-Za-z]{2,}", said)) > 2) or CZECH.search(said),
        }[page]
        if wrong:
            yield text
