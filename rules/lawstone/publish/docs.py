"""The toolkit's own documentation as pages of the site: the guides, the language reference, the decisions."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from lawstone import data

if TYPE_CHECKING:
    from lawstone.publish.site import Site


KINDS = {"guides": "Guides", "": "Reference", "decisions": "Decisions", "adapters": "Reference"}
"""What the documents of a folder are."""
LEAD = "How to read the code, write a game, and add a word or a back end; what each file may say; why things are as they are."


def folder() -> Path | None:
    """The folder of the documentation; None where only the package is installed."""
    found = data.spec_root().parent / "docs"
    return found if found.is_dir() else None


def digest() -> str:
    """A digest of all documents."""
    made, root = hashlib.sha256(), folder()
    for path in sorted(root.rglob("*.md")) if root else []:
        made.update(str(path).encode() + path.read_bytes())
    return made.hexdigest()[:16]


def slug(words: str) -> str:
    """The anchor of a heading."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "part"


def title_of(text: str, fallback: str) -> str:
    """The first heading of a document."""
    found = re.search(r"^# +(.+)$", text, re.MULTILINE)
    return found[1].replace("`", "") if found else fallback


class _Links:
    """Rewrites links between the documents to links between their pages; a link to another file of the project becomes its name."""

    def __init__(self, root: Path, here: Path, names: dict[Path, str]) -> None:
        self.root, self.here, self.names = root, here, names

    def __call__(self, href: str) -> str | None:
        path, _, fragment = href.partition("#")
        if "://" in href or href.startswith("mailto:"):
            return None
        if not path:
            return f"#{fragment}"
        target = (self.here.parent / path).resolve()
        return f"{self.names[target]}#{fragment}".rstrip("#") if target in self.names else None


def rendered(text: str, links: Any) -> Markup:
    """A document as HTML, with an anchor for each heading; HTML inside it is shown, not taken."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = made.parse(text)
    seen: dict[str, int] = {}
    heads, column = list[str](), 0
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            token.attrSet("class", "stack")
            heads = []
        elif token.type == "th_open":
            heads.append(tokens[at + 1].content.replace("`", ""))
        elif token.type == "tr_open":
            column = 0
        elif token.type == "td_open":
            if heads[column] and tokens[at + 1].content:
                token.attrSet("data-label", heads[column])
            column += 1
        if token.type == "heading_open":
            name = slug(tokens[at + 1].content)
            seen[name] = seen.get(name, 0) + 1
            token.attrSet("id", name if seen[name] == 1 else f"{name}-{seen[name]}")
        for child in token.children or []:
            if child.type == "link_open":
                where = links(str(child.attrGet("href") or ""))
                if where is None:
                    child.tag, child.attrs = "span", {}
                else:
                    child.attrSet("href", where)
        opened: list[str] = []
        for child in token.children or []:
            if child.type == "link_open":
                opened.append(child.tag)
            elif child.type == "link_close" and opened:
                child.tag = opened.pop()
    return Markup(made.renderer.render(tokens, made.options, {}))


def build(site: Site) -> None:
    """The pages of the documentation; where there is none, a page that says so."""
    root = folder()
    files = sorted(root.rglob("*.md")) if root else []
    order = {"guides": 0, "": 1, "adapters": 2, "decisions": 3}
    files.sort(key=lambda p: (order.get(p.parent.name if p.parent != root else "", 4), p.name != "reading.md", p.name))
    names = {p.resolve(): f"{p.stem}.html" for p in files}
    texts = {p: p.read_text(encoding="utf-8") for p in files}
    kinds: dict[str, list[dict[str, Any]]] = {}
    for p in files:
        kind = KINDS.get(p.parent.name if p.parent != root else "", "Other")
        kinds.setdefault(kind, []).append({"href": names[p.resolve()], "title": title_of(texts[p], p.stem), "current": False})
    for p in files:
        body = rendered(texts[p], _Links(root or p, p, names))
        if "<h1" not in body:
            body = Markup("<h1>{}</h1>").format(title_of(texts[p], p.stem)) + body
        here = names[p.resolve()]
        documents = {kind: [{**d, "current": d["href"] == here} for d in each] for kind, each in kinds.items()}
        site.page(f"docs/{names[p.resolve()]}", "doc.html", "en", "doc", title_of(texts[p], p.stem), documents=documents, body=body)
    parts = Markup("").join(
        Markup("<section><h2>{}</h2><ul>{}</ul></section>").format(
            kind, Markup("").join(Markup('<li><a href="{}">{}</a></li>').format(d["href"], d["title"]) for d in documents)
        )
        for kind, documents in kinds.items()
    )
    body = Markup('<h1>Documentation</h1><p class="lead">{}</p><div class="kinds">{}</div>').format(LEAD, parts)
    site.page("docs/index.html", "doc.html", "en", "doc", "Documentation", documents=kinds, body=body)
