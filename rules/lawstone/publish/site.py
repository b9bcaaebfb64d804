"""Building the site: which pages there are, what is built anew, and the machine-readable reference beside them."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from lawstone.publish import checked, docs, editors, register, terms, told
from lawstone.publish.book import Book
from lawstone.publish.drawings import PrintSheet, Sheet, ornament, script_json
from lawstone.publish.facts import Facts, is_open, suite_of
from lawstone.publish.labels import LABELS, LANGUAGES, Labels
from lawstone.publish.pages import GamePages
from lawstone.spec import Spec, load
from lawstone.version import __version__

STATE = ".lawstone-build.json"
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

    def proofs_of(self, spec: Spec) -> Path:
        """Where what has been shown of a game lies."""
        if self.proofs is not None:
            return self.proofs / spec.id
        if spec.path.parent.resolve().is_relative_to(data.spec_root().resolve()):
            return data.proofs_root() / spec.id
        return spec.path.parent

    def vocabulary(self, spec: Spec) -> terms.Terms:
        """The terms of all games, then those of the game's own folder."""
        shared, own = terms.load(data.spec_root()), terms.load(spec.path.parent)
        return terms.Terms(
            names={**shared.names, **own.names}, nouns={**shared.nouns, **own.nouns}, terms=[*shared.terms, *own.terms]
        )

    def table(self, spec: Spec, language: str) -> terms.Table:
        """The terms of a game in a language."""
        found = self.vocabulary(spec)
        return terms.Table(tuple(found.terms), language, spec.id, found.names, found.nouns)

    # -- building -----------------------------------------------------------------------------------------------------------------

    def build(self, pdf: bool = False) -> Report:
        """Build what has changed; raises BadInput for a game that cannot be read."""
        began = time.perf_counter()
        report = Report()
        self.out.mkdir(parents=True, exist_ok=True)
        state = self._state()
        specs = [load(name) for name in self.games]
        for spec in specs:
            digest = self._digest(spec)
            before = state["games"].get(spec.id)
            if before and before["digest"] == digest and (self.out / "en" / spec.id / "index.html").exists():
                report.kept.append(spec.id)
                report.faults += [Fault(**f) for f in before["faults"]]
                continue
            self.tell(f"{spec.id} ...")
            file = hashlib.sha256(spec.path.read_bytes()).hexdigest()[:16]
            made = self._game(spec, report, sound=file == (before or {}).get("sound"))
            own = any(f["path"] == spec.document.source.path for f in made["faults"])
            state["games"][spec.id] = {"digest": digest, "sound": None if own else file, **made}
            report.built.append(spec.id)
        state["games"] = {spec.id: state["games"][spec.id] for spec in specs}
        self._collection(specs, state["games"])
        self._static(state["games"])
        if state.get("docs") != (written := docs.digest()) or not (self.out / "docs" / "index.html").exists():
            docs.build(self)
        state["docs"] = written
        report.broken = checked.check(self.out.resolve(), self.out.resolve().rglob("*.html"), state["checked"])
        if pdf:
            from lawstone.publish import pdf as printing

            report.pdfs = [printing.write(self, spec, language) for spec in specs for language in LANGUAGES]
        (self.out / STATE).write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")
        report.pages = sum(1 for _ in self.out.rglob("*.html"))
        report.seconds = time.perf_counter() - began
        return report

    def _state(self) -> dict[str, Any]:
        try:
            kept = json.loads((self.out / STATE).read_text(encoding="utf-8"))
            if kept.get("lawstone") == self._toolkit:
                return dict(kept)
        except (OSError, ValueError):
            pass
        return {"lawstone": self._toolkit, "games": {}, "checked": {}}

    @cached_property
    def _toolkit(self) -> str:
        """A digest of the toolkit and of the settings: a page is built anew when what builds it has changed."""
        return hashlib.sha256(f"{_package_digest()} {self.playouts}".encode()).hexdigest()[:16]

    def _digest(self, spec: Spec) -> str:
        made = hashlib.sha256()
        read = [spec.path, *shared_inputs()]
        if spec.path.name == "game.yaml":
            read += inputs(spec.path)
        read += [p for kind in ("*.json", "*.yaml") for p in self.proofs_of(spec).glob(kind)]
        read += [suite for suite in [suite_of(spec)] if suite is not None]
        for path in sorted(set(read)):
            if path.is_file():
                made.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
        return made.hexdigest()[:16]

    def book(self, facts: Facts, language: str, sheet: Sheet | None = None) -> Book:
        """A game in a language."""
        table = self.table(facts.spec, language)
        teller = told.Teller(table, told.of_game(facts.spec, data.spec_root()))
        return Book(facts, language, table, sheet or Sheet(Labels(language), table.name, bodies=facts.drawings), teller)

    def _game(self, spec: Spec, report: Report, sound: bool = False) -> dict[str, Any]:
        facts = Facts(spec, self.proofs_of(spec))
        found = editors.faults(facts, self.vocabulary(spec), sound)
        report.faults += found
        if any(f.path.endswith("game.yaml") and f.code != "no-prose" for f in found):
            raise BadInput(found)
        kept: dict[str, Any] = {"faults": [vars_of(f) for f in found], "entries": {}, "uses": {}, "card": {}}
        pages = GamePages(self, facts)
        for language in LANGUAGES:
            book = self.book(facts, language)
            book.faulty = bool(found)
            pages.write(book)
            kept["entries"][language] = list(book.entries())
            kept["uses"][language] = book.uses()
            kept["card"][language] = pages.card(book)
        kept["card"]["picture"] = ornament(facts.picture, f"card{spec.id}")
        pages.data()
        return kept

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

    def _collection(self, specs: Iterable[Spec], games: Mapping[str, Any]) -> None:
        shown = {spec.id for spec in specs}
        listed_terms = {t.id: t for spec in specs for t in self.vocabulary(spec).terms if t.of is None or shown & set(t.of)}
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
            "games": [
                {"game": s.id, "title": dict(s.game.title), "rules version": s.game.rules_version, "authentic": s.game.authentic,
                 "data": f"rules/{s.id}.json", "pages": {lang: f"{lang}/{s.id}/index.html" for lang in LANGUAGES}}
                for s in specs
            ],
        }  # fmt: skip
        self.write("games.json", json.dumps(index, ensure_ascii=False, indent=1) + "\n")

    def _static(self, games: Mapping[str, Any]) -> None:
        self.write("static/lawstone.js", _resource("static/lawstone.js"))
        for language in LANGUAGES:
            entries = [e for g in games.values() for e in g["entries"][language]]
            self.write(f"static/search.{language}.js", f"lawstoneIndex({script_json(entries)});\n")

    def print_html(self, spec: Spec, language: str) -> str:
        """A game as one document to print: title page, contents, rules, questions, sentences of the founding text, glossary."""
        facts = Facts(spec, self.proofs_of(spec))
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
