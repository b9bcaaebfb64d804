"""The pages of one game: which there are, and what each is given."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from lawstone.engine.game import Game, Position
from lawstone.publish import captions, editors, parting, plots, register
from lawstone.publish.book import Book, Words
from lawstone.publish.drawings import Sheet, frames, script_json
from lawstone.publish.export import exported
from lawstone.publish.facts import MOST_STEPS, Facts, is_open, targets, touched
from lawstone.publish.kept import digest
from lawstone.spec import load

if TYPE_CHECKING:
    from lawstone.publish.site import Site


class GamePages:
    """Writes a game's pages; what is the same in every language is worked out once."""

    def __init__(self, site: Site, facts: Facts) -> None:
        self.site, self.facts, self.spec = site, facts, facts.spec
        spec = facts.spec
        self.variants = list(spec.game.variants or {})
        self.tabs = {"rules": "index.html"}
        if spec.game.questions:
            self.tabs["questions"] = "questions.html"
        self.tabs["play"] = "play.html"
        if self.variants:
            self.tabs["variants"] = "variants.html"
        self.tabs["summary"] = "summary.html"
        if spec.sources:
            self.tabs["sources"] = "sources.html"
        if any(g in facts.groups for g in ("other-rules", "notes")):
            self.tabs["notes"] = "notes.html"
        self.tabs |= {"statistics": "statistics.html", "claims": "claims.html"}
        self.earlier = sorted((spec.path.parent / "versions").glob("*.yaml")) if spec.path.name == "game.yaml" else []
        if self.earlier:
            self.tabs["changelog"] = "changes.html"
        made_from, kept = digest(spec.path, site.playouts), facts.kept
        self.statistics = kept("statistics", made_from, lambda: plots.play(facts.game, site.playouts), plots.dumped, plots.loaded)
        self.exports = [(f"rules-{v or 'base'}", v, exported(facts.variant(v))) for v in ("", *self.variants)]
        self.partings = {v: self._found(f"parting {v}", made_from, facts.game, facts.variant(v)) for v in self.variants}
        self.versions = [(p.stem, load(p)) for p in self.earlier]
        self.changed = {name: parting.by_rule(old, spec) for name, old in self.versions}
        since = digest(spec.path, *self.earlier, facts.probes)
        self.since = {name: self._found(f"since {name}", since, Game(old, old.rules()), facts.game) for name, old in self.versions}
        self.reread = {
            name: kept(
                f"readings since {name}", since, partial(parting.by_reading, old, spec, facts.probes), parting.dumped,
                partial(parting.loaded, old, spec),
            )
            for name, old in self.versions
        }  # fmt: skip
        self.redirects: dict[str, list[str]] = {}
        for old, new in editors.retired(spec).retired.items():
            self.redirects.setdefault(new, []).append(old)

    def _found(self, name: str, made_from: str, one: Game, other: Game) -> parting.Parting | None:
        """Where two games part, looked for once."""
        return self.facts.kept(
            name, made_from, lambda: parting.find(one, other), lambda p: [] if p is None else [p.moves],
            lambda kept: parting.along(one, other, kept[0]) if kept else None,
        )  # fmt: skip

    def write(self, book: Book) -> None:
        """All pages in the language of the book."""
        self._rules(book)
        if self.spec.game.questions:
            self._questions(book)
        if any(g in self.facts.groups for g in ("other-rules", "notes")):
            self._notes(book)
        self._play(book)
        if self.variants:
            self._variants(book)
        self._summary(book)
        if self.spec.sources:
            self._page(book, "sources.html", "sources", sources=register.read(book), coverage=register.coverage(book))
        self._statistics(book)
        self._claims(book)
        if self.earlier:
            self._changes(book)

    def _page(self, book: Book, name: str, label: str, template: str = "", **given: Any) -> None:
        self.site.page(
            f"{{}}/{self.spec.id}/{name}", template or name, book.language, "game", book.labels(label), book.sheet,
            game={"id": self.spec.id, "title": book.title}, tabs=self.tabs, faulty=book.faulty,
            description=f"{book.title}: {book.labels(label)}", **given,
        )  # fmt: skip
        book.sheet = Sheet(book.labels, book.table.name, bodies=self.facts.drawings)

    def _introduction(self, book: Book) -> Words:
        text = next(iter(book.texts.values()), None)
        language = text.language if text else book.language
        made = book.prose(text.introduction if text else "", language)
        return {"introduction": made, "intro_language": language, "intro_foreign": language != book.language}

    def _start(self, book: Book) -> Any:
        return book.sheet.draw(self.facts.game.start(), title=book.title)

    def _rules(self, book: Book) -> None:
        start = self._start(book)
        self._page(
            book, "index.html", "rules", "game.html", sections=list(book.sections("index.html")), elsewhere=list(book.elsewhere()),
            standing=book.standing, start=start, game_version=self.spec.game.rules_version, redirects=self.redirects,
            **self._introduction(book),
        )  # fmt: skip

    def _notes(self, book: Book) -> None:
        self._page(
            book,
            "notes.html",
            "notes",
            "game.html",
            sections=list(book.sections("notes.html")),
            elsewhere=[],
            standing=book.standing,
            start="",
            game_version=self.spec.game.rules_version,
            redirects=self.redirects,
            **self._introduction(book),
        )

    def _counted(self, book: Book) -> str:
        questions = self.spec.game.questions or []
        opened = sum(is_open(q) for q in questions)
        return book.labels("question-count", open=opened, settled=len(questions) - opened)

    def _questions(self, book: Book) -> None:
        self._page(book, "questions.html", "questions", questions=register.questions(book), counted=self._counted(book))

    def _play(self, book: Book) -> None:
        start = self._start(book)
        readings = [{"id": i, "title": book.variant_title(v), "data": script_json(d)} for i, v, d in self.exports]
        rules = {r: [e.title or r, book.address(r), e.says.replace("`", "")] for r in self.facts.rules for e, _ in [book.entry(r)]}
        words = self.facts.game.rules.words
        labels = {" ".join(t["label"]) for _, _, d in self.exports for turns in d["phases"].values() for t in turns}
        named = sorted({*words.players, *words.colours, *self.facts.game.tokens, *labels} - {""})
        names = {n: book.name(n) for n in named}
        self._page(book, "play.html", "play", readings=readings, start=start, words=script_json({"rules": rules, "names": names}))

    def _variants(self, book: Book) -> None:
        listed: list[Words] = []
        for name in self.variants:
            entry, language = book.entry(f"variant.{name}")
            listed.append({
                "id": name, "title": book.variant_title(name), "says": book.prose(entry.says, language, inline=True),
                "remarks": book.prose(entry.remarks, language), "language": language, "foreign": language != book.language,
            })  # fmt: skip
        for v in listed:
            v["parting"] = self._parting(book, self.partings[v["id"]], book.labels("legal-base"), book.labels("legal-variant"))
        rows, games = [], [self.facts.game, *(self.facts.variant(v) for v in self.variants)]
        for rule in self.facts.rules:
            told = [book.clause(rule, g) for g in games]
            if len(set(told)) > 1:
                cells = [{"text": t or "–", "differs": t != told[0]} for t in told]
                rows.append({"title": book.entry(rule)[0].title or rule, "href": book.address(rule), "cells": cells})
        self._page(
            book,
            "variants.html",
            "variants",
            variants=listed,
            table=rows,
            sections=list(book.sections("variants.html")),
            redirects=self.redirects,
        )

    def _parting(self, book: Book, found: parting.Parting | None, first: str, second: str) -> list[Words]:
        if found is None:
            return []
        ways = found.ways
        return [
            self._side(book, found.first, found.only_first, first, ways[0]),
            self._side(book, found.second, found.only_second, second, ways[1]),
        ]

    def _side(self, book: Book, position: Position, only: set[str], title: str, way: list[tuple[str, Position]]) -> Words:
        known = {m.text: m for m in position.moves}
        sites = {s for t in only if t in known for s in targets(position, known[t])}
        if not only:
            sites = {s for m in position.moves for s in targets(position, m)}
        marks: dict[int, Any] = dict.fromkeys(sites, "legal") if len(sites) <= 60 else {}
        who = (
            book.labels("acts") + ": " + book.name(position.actor)
            if position.ended is None
            else captions.outcome(book, position.ended)
        )
        told = f"{title} · {who} · {book.labels('count', n=len(position.moves))}"
        made: Words = {"figure": book.sheet.draw(position, marks, (), title), "title": told}
        steps = way[-MOST_STEPS:]
        return made | {
            "moves": " ".join(move for move, _ in way[1:]), "steps": f"steps-{book.sheet.number}" if len(way) > 1 else None,
            "data": script_json({"frames": frames(steps, (), len(steps) - 1, marks)}),
        }  # fmt: skip

    def _summary(self, book: Book) -> None:
        start = self._start(book)
        kept = ("setup", "definitions", "opening", "turn", "captures", "endings", "events")
        sections = []
        for group in kept:
            rules = []
            for r in self.facts.groups.get(group, []):  # type: ignore[call-overload]
                entry, language = book.entry(r)
                rules.append({"id": r, "number": book.numbers[r], "says": book.prose(entry.says, language, inline=True),
                              "language": language, "foreign": language != book.language})  # fmt: skip
            if rules:
                sections.append({"title": book.labels(group), "rules": rules})
        self._page(book, "summary.html", "summary", sections=sections, start=start)

    def _statistics(self, book: Book) -> None:
        s, say = self.statistics, book.labels
        players = self.facts.game.rules.words.players

        def outcome(kind: str, winner: int | None) -> str:
            if kind == "cut":
                return say("cut")
            return (
                say("wins", player=book.name(players[winner]))
                if winner is not None
                else say("drawn" if kind == "draw" else "no-rule")
            )

        outcomes = [(outcome(*k), n) for k, n in sorted(s.outcomes.items(), key=lambda i: -i[1])]
        endings = [(book.entry(r)[0].title if r != "cut" else say("cut"), n) for r, n in s.endings.items()]
        listed = [
            (say("plot-length"), plots.histogram(s.lengths, say("plot-length"), say("plot-middle"))),
            (say("plot-outcome"), plots.bars(outcomes, say("plot-outcome"))),
            (say("plot-ending"), plots.bars(endings, say("plot-ending"))),
            (say("plot-branching"), plots.curve(s.branching, say("plot-branching"))),
        ]
        about = say("games-played", n=s.games, seed=s.seed) + f" · {self.facts.game.rules.board.label}"
        self._page(book, "statistics.html", "statistics", about=about, plots=[{"title": t, "plot": p} for t, p in listed])

    def _claims(self, book: Book) -> None:
        known = set(self.facts.rules)
        document = self.facts.document("misreadings.json")
        misreadings = [
            {
                "rule": m.get("rule", ""),
                "href": book.address(m["rule"]) if m.get("rule") in known else "",
                "says": book.tell(m.get("says", "")),
                "verdict": book.tell(m.get("verdict", ""), "verdict"),
                "by": m.get("by", ""),
                "moves": " ".join(m.get("moves") or []),
                "example": book.example_address(m["by"]) if m.get("by") in self.facts.shown else "",
            }
            for m in (document or {}).get("misreadings", [])
        ]
        self._page(
            book,
            "claims.html",
            "claims",
            claims=book.claims,
            misreadings=misreadings,
            findings=[register.brief_finding(book, f) for f in self.facts.findings],
            gaps=[{"key": g.key, "how": book.tell(g.how), "moves": g.moves} for g in self.facts.gaps],
        )

    def _changes(self, book: Book) -> None:
        """What has changed since earlier versions: by rule and by reading, what is said then and now, and where it shows."""
        listed, now = [], book.labels("now")
        for name, old in self.versions:
            title = book.labels("release", n=name)
            before = Game(old, old.rules())
            rules = [
                {"rule": rule, "title": book.entry(rule)[0].title or rule, "href": book.address(rule),
                 "was": book.clause(rule, before), "is": book.clause(rule, self.facts.game),
                 "parting": self._parting(book, found, title, now)}
                for rule, found in self.changed[name].items()
            ]  # fmt: skip
            whole = [] if rules else self._parting(book, self.since[name], title, now)
            readings = [self._reread(book, reading, found, title, now) for reading, found in self.reread[name].items()]
            asked, known = {q.id for q in old.game.questions or []}, set(old.all_rules())
            headings = self.spec.all_rules()
            listed.append({
                "id": f"since-{name}", "title": title, "rules": rules, "parting": whole, "readings": readings,
                "questions": [book.brief(q) for q in self.spec.game.questions or [] if q.id not in asked],
                "new": [{"href": book.address(r), "title": book.entry(r)[0].title or r} for r in headings if r not in known],
                "gone": [r for r in sorted(known) if r not in headings],
            })  # fmt: skip
        self._page(book, "changes.html", "changelog", versions=listed, now=now)

    def _reread(self, book: Book, reading: parting.Reading, found: parting.Parting | None, first: str, second: str) -> Words:
        """A reading that means something else now."""
        title, language = book.entry(f"question.{reading.question}")
        where = book.labels("in-variant", name=book.variant_title(reading.variant)) if reading.variant else ""
        return {
            "id": "-".join(part for part in (reading.variant, reading.question, reading.answer) if part),
            "href": book.address(f"question.{reading.question}"), "question": title.title or reading.question,
            "language": language, "foreign": language != book.language, "where": where,
            "answer": book.answer(reading.question, reading.answer), "parting": self._parting(book, found, first, second),
        }  # fmt: skip

    def card(self, book: Book) -> Words:
        """What the collection's page shows of the game."""
        text = next(iter(book.texts.values()), None)
        lead = (text.introduction if text else "").split("\n\n")[0]
        return {
            "id": self.spec.id,
            "title": book.title,
            "lead": lead.replace("`", ""),
            "counted": self._counted(book),
            "board": self.facts.game.rules.board.label,
            "tabs": {k: v for k, v in self.tabs.items() if k in ("rules", "questions", "play", "variants")},
        }

    # -- as data ------------------------------------------------------------------------------------------------------------------

    def data(self) -> None:
        """The machine-readable reference: the game as one file, and each rule as its own."""
        rules = [self._rule_data(r) for r in self.facts.rules]
        for rule in rules:
            self.site.write(f"rules/{self.spec.id}/{rule['rule']}.json", json.dumps(rule, ensure_ascii=False, indent=1) + "\n")
        questions = [
            {
                "question": q.id,
                "status": "settled" if not is_open(q) else "open",
                "rules": sorted(touched(q)),
                "source": q.source or [],
                "answers": {a: {lang: t.says(f"question.{q.id}.{a}") for lang, t in self.spec.texts.items()} for a in q.answers},
                "ask": {lang: self.spec.ask(q, lang) for lang in self.spec.texts},
            }
            for q in self.spec.game.questions or []
        ]
        whole = {"game": self.spec.id, "title": dict(self.spec.game.title), "rules version": self.spec.game.rules_version,
                 "authentic": self.spec.game.authentic, "rules": rules, "questions": questions,
                 "core": {i: d for i, _, d in self.exports}}  # fmt: skip
        self.site.write(f"rules/{self.spec.id}.json", json.dumps(whole, ensure_ascii=False) + "\n")

    def _rule_data(self, rule: str) -> Words:
        own, touching = self.facts.examples_of(rule)
        texts = {lang: t.entries[rule] for lang, t in self.spec.texts.items() if rule in t.entries}
        sources = self.spec.sources
        return {
            "rule": rule, "game": self.spec.id, "title": {lang: e.title for lang, e in texts.items()},
            "says": {lang: e.says for lang, e in texts.items()}, "remarks": {lang: e.remarks for lang, e in texts.items()},
            "clause": self.facts.clauses.get(rule, ""), "examples": [s.example.id for s in [*own, *touching]],
            "questions": [q.id for q in self.facts.about(rule)],
            "vectors": self.facts.vectors.get(rule, []),
            "sentences": [s.n for s in (sources.coverage or [] if sources else []) if rule in (s.of or [])],
        }  # fmt: skip
