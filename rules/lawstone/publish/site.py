"""Building the site: which pages there are, what is built anew, and the machine-readable reference beside them."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from lawstone import data
from lawstone.drawing.ink import stylesheet, variables
from lawstone.model.faults import BadInput, Fault
from lawstone.model.located import COMPANIONS, remembering
from lawstone.publish import checked, docs, editors, kept, register, terms, told
from lawstone.publish.book import Book, stale
from lawstone.publish.drawings import PrintSheet, Sheet, ornament, script_json
from lawstone.publish.facts import Facts, is_open, suite_of
from lawstone.publish.labels import LABELS, LANGUAGES, Labels
from lawstone.publish.pages import GamePages
from lawstone.spec import Spec, find, load
from lawstone.version import __version__

Tell = Callable[[str], None]


def _resource(name: str) -> str:
    return files("lawstone.publish").joinpath(name).read_text(encoding="utf-8")


def environment() -> Environment:
    """The templates: everything is escaped, and an unknown name is an error."""
    found = Environment(
        loader=FunctionLoader(lambda name: _resource(f"templates/{name}")), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    found.globals |= {"languages": LANGUAGES, "version": __version__}
    return found


def styles() -> Markup:
    """The style sheet of the pages, with the colours of the diagrams under the page's own switch."""
    own = _resource("static/lawstone.css")
    switch = f"[data-theme=dark] .ls{{{variables('dark')}}}[data-theme=light] .ls{{{variables('light')}}}"
    return Markup(own + stylesheet() + switch)


@dataclass
class Report:
    """What a build did: pages written, faults of the games (each at its line), faults of the pages, and the time it took."""

    pages: int = 0
    built: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    pdfs: list[Path] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(eq=False)
class Site:
    """A site in a folder."""

    out: Path
    games: Sequence[str]
    proofs: Path | None = None
    playouts: int = 300
    tell: Tell = lambda _: None

    @cached_property
    def env(self) -> Environment:
        """The templates."""
        return environment()

    @cached_property
    def css(self) -> Markup:
        """The style sheet."""
        return styles()

    def proofs_of(self, path: Path, game: str) -> Path:
        """Where what has been shown of a game lies."""
        if self.proofs is not None:
            return self.proofs / game
        if path.parent.resolve().is_relative_to(data.spec_root().resolve()):
            return data.proofs_root() / game
        return path.parent

    def vocabulary(self, folder: Path) -> terms.Terms:
        """The terms of all games, then those of a game's own folder."""
        shared, own = terms.load(data.spec_root()), terms.load(folder)
        return terms.Terms(
            names={**shared.names, **own.names}, nouns={**shared.nouns, **own.nouns}, terms=[*shared.terms, *own.terms]
        )

    def table(self, spec: Spec, language: str) -> terms.Table:
        """The terms of a game in a language."""
        found = self.vocabulary(spec.path.parent)
        return terms.Table(tuple(found.terms), language, spec.id, found.names, found.nouns)

    # -- building -----------------------------------------------------------------------------------------------------------------

    def build(self, pdf: bool = False) -> Report:
        """Build what has changed; raises BadInput for a game that cannot be read."""
        began = time.perf_counter()
        report = Report()
        self.out.mkdir(parents=True, exist_ok=True)
        state = kept.read(self.out, self._toolkit)
        known = {game["path"]: game for game in state["games"].values()}
        made: dict[str, Any] = {}
        for name in self.games:
            path = find(name)
            before = known.get(str(path.resolve()), {})
            if before and before["digest"] == self._digest(path, before["id"]) and self._stands(before["id"]):
                report.kept.append(before["id"])
                report.faults += [Fault(**f) for f in before["faults"]]
                made[before["id"]] = before
                continue
            spec = load(path)
            self.tell(f"{spec.id} ...")
            made[spec.id] = self._game(spec, report, before, state["trees"])
            report.built.append(spec.id)
        state["games"] = made
        with remembering(state["trees"]):
            self._collection(made)
        self._static(made)
        if state.get("docs") != (written := docs.digest()) or not (self.out / "docs" / "index.html").exists():
            docs.build(self)
        state["docs"] = written
        report.broken = checked.check(self.out.resolve(), self.out.resolve().rglob("*.html"), state["checked"])
        if pdf:
            from lawstone.publish import pdf as printing

            report.pdfs = [printing.write(self, load(name), language) for name in self.games for language in LANGUAGES]
        kept.write(self.out, state)
        report.pages = sum(1 for _ in self.out.rglob("*.html"))
        report.seconds = time.perf_counter() - began
        return report

    def _stands(self, game: str) -> bool:
        return all((self.out / language / game / "index.html").exists() for language in LANGUAGES)

    @cached_property
    def _toolkit(self) -> str:
        """A digest of the toolkit and of the settings: a page is built anew when what builds it has changed."""
        return kept.digest(_package_digest(), self.playouts)

    def _read(self, path: Path, game: str) -> list[Path]:
        """Every file that the pages of a game are made from."""
        proofs = self.proofs_of(path, game)
        read = [path, *shared_inputs(), *(inputs(path) if path.name == "game.yaml" else [])]
        read += [p for kind in ("*.json", "*.yaml") for p in proofs.glob(kind)]
        read += [suite for suite in [suite_of(path, game)] if suite is not None]
        return sorted(set(read))

    def _digest(self, path: Path, game: str) -> str:
        return kept.digest(*self._read(path, game))

    def _digest_in(self, spec: Spec, language: str, found: Sequence[Fault]) -> str:
        """A digest of what the pages in one language are made from: a text in another one counts only where it is shown."""
        rest = [p for p in self._read(spec.path, spec.id) if not (p.name.startswith("text.") and p.parent == spec.path.parent)]
        texts, own = spec.texts, spec.texts.get(language)
        headings = [list(text.entries) for text in texts.values()]
        lent = [lang for lang, text in texts.items() if own is None or set(text.entries) - set(own.entries)]
        shown = {lang: texts[lang].source.text for lang in sorted({language, *lent}) if lang in texts}
        return kept.digest(*rest, headings, shown, stale(texts, spec.game.authentic, language), bool(found))

    def book(self, facts: Facts, language: str, sheet: Sheet | None = None) -> Book:
        """A game in a language."""
        table = self.table(facts.spec, language)
        teller = told.Teller(table, told.of_game(facts.spec, data.spec_root()))
        return Book(facts, language, table, sheet or Sheet(Labels(language), table.name, bodies=facts.drawings), teller)

    def _game(self, spec: Spec, report: Report, before: dict[str, Any], trees: dict[str, Any]) -> dict[str, Any]:
        file = kept.digest(spec.path)
        store = kept.Kept(before.get("kept", {}))
        facts = Facts(spec, self.proofs_of(spec.path, spec.id), store)
        try:
            with remembering(trees):
                found = editors.faults(facts, self.vocabulary(spec.path.parent), file == before.get("sound"))
        except BadInput as bad:
            found = bad.faults
        if any(Path(f.path).name in COMPANIONS for f in found):  # what is remembered of them has no places to show
            facts = Facts(load(spec.path), facts.proofs, store)
            spec = facts.spec
            found = editors.faults(facts, self.vocabulary(spec.path.parent), file == before.get("sound"))
        report.faults += found
        if any(f.path.endswith("game.yaml") and f.code != "no-prose" for f in found):
            raise BadInput(found)
        own = any(f.path == spec.document.source.path for f in found)
        made: dict[str, Any] = {part: {} for part in ("entries", "uses", "card", "pages")}
        made |= {"id": spec.id, "path": str(spec.path.resolve()), "digest": self._digest(spec.path, spec.id)}
        made |= {"sound": None if own else file, "faults": [vars_of(f) for f in found], "index": index_of(spec)}
        with remembering(trees):
            pages = GamePages(self, facts)
            for language in LANGUAGES:
                shown = self._digest_in(spec, language, found)
                made["pages"][language] = shown
                if before.get("pages", {}).get(language) == shown and (self.out / language / spec.id / "index.html").exists():
                    for part in ("entries", "uses", "card"):
                        made[part][language] = before[part][language]
                    continue
                book = self.book(facts, language)
                book.faulty = bool(found)
                pages.write(book)
                made["entries"][language] = list(book.entries())
                made["uses"][language] = book.uses()
                made["card"][language] = pages.card(book)
            made["card"]["picture"] = ornament(facts.picture, f"card{spec.id}")
            pages.data()
        made["kept"] = store.used
        return made

    # -- what belongs to no game --------------------------------------------------------------------------------------------------

    def page(
        self, path: str, template: str, language: str, kind: str, title: str, sheet: Sheet | None = None, **given: Any
    ) -> None:
        """Write one page; `path` is from the site's root, with `{}` for the language where it has one."""
        labels = Labels(language)
        root = "../" * path.count("/")
        others = {lang: root + path.format(lang) for lang in LANGUAGES} if "{}" in path else {}
        own: dict[str, Any] = {
            "language": language,
            "root": root,
            "others": others,
            "kind": kind,
            "title": title,
            "description": given.pop("description", title),
            "file": path.rsplit("/", 1)[-1],
            "game": given.pop("game", None),
            "tabs": given.pop("tabs", {}),
            "faulty": given.pop("faulty", False),
        }
        html = self.env.get_template(template).render(
            page=own,
            say=labels,
            css=self.css,
            sheet=sheet or Sheet(labels),
            labels_json=script_json({k: v[labels.language] for k, v in LABELS.items() if k in SCRIPT_LABELS}),
            **given,
        )
        self.write(path.format(language), html)

    def write(self, path: str, text: str) -> Path:
        """Write a file of the site, if it differs from what is there."""
        target = self.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        content = text.encode("utf-8")
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)
        return target

    def _collection(self, games: Mapping[str, Any]) -> None:
        folders = [Path(game["path"]).parent for game in games.values()]
        listed_terms = {
            t.id: t for folder in folders for t in self.vocabulary(folder).terms if t.of is None or games.keys() & set(t.of)
        }
        for language in LANGUAGES:
            labels = Labels(language)
            cards = [{**g["card"][language], "picture": Markup(g["card"]["picture"])} for g in games.values()]
            self.page("{}/index.html", "index.html", language, "collection", labels("games"), games=cards)
            listed = [
                {
                    "id": t.id, "say": t.in_(language).say, "means": t.in_(language).means,
                    "also": {lang: t.in_(lang).say for lang in LANGUAGES if lang != language},
                    "uses": [u for g in games.values() for u in g["uses"][language].get(t.id, [])][:40],
                }
                for t in sorted(listed_terms.values(), key=lambda t: t.in_(language).say.casefold())
            ]  # fmt: skip
            self.page("{}/glossary.html", "glossary.html", language, "collection", labels("glossary"), terms=listed)
        self.write("index.html", self.env.get_template("root.html").render(css=self.css))
        index = {
            "lawstone": __version__,
            "games": [game["index"] for game in games.values()],
        }
        self.write("games.json", json.dumps(index, ensure_ascii=False, indent=1) + "\n")

    def _static(self, games: Mapping[str, Any]) -> None:
        self.write("static/lawstone.js", _resource("static/lawstone.js"))
        for language in LANGUAGES:
            entries = [e for g in games.values() for e in g["entries"][language]]
            self.write(f"static/search.{language}.js", f"lawstoneIndex({script_json(entries)});\n")

    def print_html(self, spec: Spec, language: str) -> str:
        """A game as one document to print: title page, contents, rules, questions, sentences of the founding text, glossary."""
        facts = Facts(spec, self.proofs_of(spec.path, spec.id))
        table = self.table(spec, language)
        book = self.book(facts, language, PrintSheet(Labels(language), table.name))
        text = next(iter(book.texts.values()), None)
        said = sorted((t.in_(language) for t in table.mine), key=lambda s: s.say.casefold())
        opened = sum(is_open(q) for q in spec.game.questions or [])
        coverage = register.coverage(book)
        for sentence in coverage:
            for rule in sentence["of"]:
                rule["anchor"] = ".".join(rule["id"].split(".")[:2]) if rule["id"].startswith("question.") else rule["id"]
        return self.env.get_template("print.html").render(
            language=language, title=book.title, css=Markup(_resource("static/print.css")), standing=book.standing,
            say=book.labels, game_version=spec.game.rules_version, picture=book.sheet.draw(facts.picture, title=book.title),
            sections=list(book.sections()), questions=register.questions(book), coverage=coverage, terms=said,
            counted=book.labels("question-count", open=opened, settled=len(spec.game.questions or []) - opened),
            introduction=book.prose(text.introduction if text else "", text.language if text else ""),
        )  # fmt: skip


def inputs(game: Path) -> list[Path]:
    """The files of a game's folder that its pages are made from."""
    folder = game.parent
    return [p for p in (*folder.glob("*.*"), *folder.glob("versions/*.*")) if p.is_file()]


def shared_inputs() -> list[Path]:
    """The files that the pages of every game are made from."""
    return [data.spec_root() / "terms.yaml", data.spec_root() / told.NAME]


def index_of(spec: Spec) -> dict[str, Any]:
    """What `games.json` says of a game."""
    return {
        "game": spec.id, "title": dict(spec.game.title), "rules version": spec.game.rules_version, "authentic": spec.game.authentic,
        "data": f"rules/{spec.id}.json", "pages": {lang: f"{lang}/{spec.id}/index.html" for lang in LANGUAGES},
    }  # fmt: skip


@cache
def _package_digest() -> str:
    """A digest of all that the pages are built by."""
    made = hashlib.sha256(__version__.encode())
    package = Path(str(files("lawstone")))
    kinds = (".py", ".html", ".css", ".js", ".txt")
    for path in sorted(p for p in package.rglob("*") if p.suffix in kinds and "cli" not in p.parts):
        made.update(path.read_bytes())
    return made.hexdigest()


SCRIPT_LABELS = frozenset(
    [
        "empty",
        "empty-board",
        "legal",
        "on",
        "step-of",
        "first",
        "back",
        "next",
        "last",
        "step-through",
        "answers",
        "reading-a",
        "reading-b",
        "both-readings",
        "pick-sites",
        "pick-option",
        "done",
        "acts",
        "wins",
        "drawn",
        "no-rule",
        "illegal",
        "forbidden-by",
        "search-none",
    ]
)
"""The words that the page's script says."""


def vars_of(fault: Fault) -> dict[str, Any]:
    """A fault as plain data."""
    return {k: getattr(fault, k) for k in ("path", "line", "column", "code", "message", "hint", "source_line")}
