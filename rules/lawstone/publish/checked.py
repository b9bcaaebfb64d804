"""The check that every build ends with: are the pages well-formed HTML, and does every link lead somewhere?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
LARGEST = 300_000
"""Bytes of a page at most, its diagrams included."""

_INLINE = frozenset(["a", "b", "code", "em", "i", "small", "span", "strong", "label", "cite", "q"])
_BLOCK = frozenset(
    [
        "article",
        "aside",
        "div",
        "dl",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "header",
        "main",
        "nav",
        "ol",
        "p",
        "section",
        "table",
        "ul",
    ]
)
_KNOWN = (
    VOID
    | _INLINE
    | _BLOCK
    | frozenset(
        [
            "html",
            "head",
            "title",
            "style",
            "script",
            "body",
            "button",
            "select",
            "option",
            "details",
            "summary",
            "dt",
            "dd",
            "li",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "figcaption",
            "pre",
            "blockquote",
            "noscript",
        ]
    )
    | frozenset(
        [
            "svg",
            "g",
            "path",
            "rect",
            "circle",
            "ellipse",
            "text",
            "use",
            "defs",
            "symbol",
            "desc",
            "lineargradient",
            "radialgradient",
            "stop",
            "polygon",
            "line",
        ]
    )
)
_PHRASING_ONLY = frozenset(["p", "h1", "h2", "h3", "h4", "span", "a", "summary", "button"])


class _Page(HTMLParser):
    """Walks one page and notes what is wrong with it, its ids and its links."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.links: list[tuple[str, int]] = []
        self.faults: list[str] = []
        self.headings = 0
        self.title = ""

    def fault(self, text: str) -> None:
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _KNOWN:
            self.fault(f"<{tag}> is not an element of these pages")
        names = [n for n, _ in attrs]
        if len(names) != len(set(names)):
            self.fault(f"<{tag}> has an attribute twice")
        if any(n.startswith("on") for n in names):
            self.fault(f"<{tag}> carries a script in an attribute")
        given = dict(attrs)
        if (name := given.get("id")) is not None:
            if name in self.ids or not name or re.search(r"\s", name):
                self.fault(f"the id {name!r} stands twice or is no id")
            self.ids.add(name)
        for key in ("href", "src"):
            if given.get(key):
                self.links.append((str(given[key]), self.getpos()[0]))
        if tag == "img" and "alt" not in given:
            self.fault("an image without words")
        if tag == "html" and not given.get("lang"):
            self.fault("the page does not say its language")
        if tag == "h1":
            self.headings += 1
        if tag in _BLOCK and "svg" not in self.open and (inside := [t for t in self.open if t in _PHRASING_ONLY and t != "a"]):
            self.fault(f"<{tag}> inside <{inside[-1]}>")
        if tag == "a" and "a" in self.open:
            self.fault("a link inside a link")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            self.fault(f"</{tag}> ends what has no end")
        elif not self.open or self.open[-1] != tag:
            self.fault(f"</{tag}> where <{self.open[-1] if self.open else 'nothing'}> is open")
            if tag in self.open:
                while self.open.pop() != tag:
                    pass
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["title"] and "svg" not in self.open:
            self.title += data


def look_at(html: str) -> dict[str, Any]:
    """The faults of a page, its ids and its links."""
    page = _Page()
    page.feed(html)
    page.close()
    if page.open:
        page.faults.append(f"<{page.open[-1]}> is never closed")
    if not html.lower().startswith("<!doctype html>"):
        page.faults.append("line 1: the page does not begin with <!DOCTYPE html>")
    if page.headings != 1:
        page.faults.append(f"a page has one <h1>, and this one has {page.headings}")
    if not page.title.strip():
        page.faults.append("the page has no title")
    return {"faults": page.faults, "ids": sorted(page.ids), "links": page.links}


def check(root: Path, pages: Iterable[Path], kept: dict[str, Any]) -> list[str]:
    """What is wrong on the pages of a site, a sentence each; `kept` is what was seen before, by digest; it is renewed."""
    seen: dict[Path, Mapping[str, Any]] = {}
    found: list[str] = []
    fresh: dict[str, Any] = {}
    for path in sorted(pages):
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()[:20]
        seen[path] = fresh[digest] = kept.get(digest) or look_at(content.decode("utf-8"))
        where = path.relative_to(root)
        found += [f"{where}: {fault}" for fault in seen[path]["faults"]]
        if len(content) > LARGEST:
            found.append(f"{where}: {len(content):,} bytes, and a page has at most {LARGEST:,}")
    kept.clear()
    kept.update(fresh)
    ids = {path: set(page["ids"]) for path, page in seen.items()}
    known: dict[tuple[Path, str], Path | None] = {}
    for path, page in seen.items():
        for href, line in page["links"]:
            if problem := _broken(root, path, href, ids, known):
                found.append(f"{path.relative_to(root)}: line {line}: {problem}")
    return found


def _broken(root: Path, page: Path, href: str, ids: Mapping[Path, set[str]], known: dict[tuple[Path, str], Path | None]) -> str:
    """What is wrong with a link; `known` keeps which file a path means from a folder, since most links are alike."""
    before, _, fragment = href.partition("#")
    key = (page.parent, before)
    if before and key not in known:
        parts = urlsplit(before)
        if parts.scheme == "data":
            return ""
        if parts.scheme or parts.netloc:
            return f"{href} leads out of the site"
        target = (page.parent / unquote(parts.path)).resolve()
        known[key] = target if target.is_relative_to(root) and target.is_file() else None
    meant = known[key] if before else page
    if meant is None:
        return f"{href} leads nowhere"
    if fragment and meant in ids and unquote(fragment) not in ids[meant]:
        return f"{href}: there is no such place on that page"
    return ""
