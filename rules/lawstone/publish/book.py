"""One game in one language: everything its pages say, as plain data for the templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from lawstone.constructs.speech.phrases import Lines
from lawstone.engine.game import Game
from lawstone.model.game import Differs, Question, Settled
from lawstone.model.prose import Entry, Text
from lawstone.publish import captions, register
from lawstone.publish.clauses import part_of, sentence_of, speech
from lawstone.publish.drawings import Sheet
from lawstone.publish.facts import GROUPS, Facts, Group, is_open, touched
from lawstone.publish.labels import LANGUAGES, Labels
from lawstone.publish.terms import Table
from lawstone.publish.told import Teller

Words = dict[str, Any]
"""What is said about one thing, for a template."""

ELSEWHERE: Mapping[Group, str] = {"variants": "variants.html", "other-rules": "notes.html", "notes": "notes.html"}
"""The page of a group of rules that does not stand on the game's first page."""


def stale(texts: Mapping[str, Text], authentic: str, language: str) -> str:
    """`stale` or `unstamped` for a translation that is behind or does not say what it was made from; else the empty string."""
    text = texts.get(language)
    if text is None or language == authentic or authentic not in texts:
        return ""
    if text.made_from is None:
        return "unstamped"
    origin = texts.get(text.made_from[0])
    return "" if origin is not None and origin.digest == text.made_from[1] else "stale"


@dataclass(eq=False)
class Book:
    """A game in a language. `sheet` holds the drawings of the page being made; each page begins a new one."""

    facts: Facts
    language: str
    table: Table
    sheet: Sheet
    tell: Teller
    """Says in the page's language what findings and sources say in English."""
    faulty: bool = False

    @cached_property
    def labels(self) -> Labels:
        """The site's own words."""
        return Labels(self.language)

    @cached_property
    def texts(self) -> Mapping[str, Text]:
        """The prose, this language first, then the authentic one, then the others."""
        texts, spec = self.facts.spec.texts, self.facts.spec
        order = [self.language, spec.game.authentic, "en", *texts]
        return {lang: texts[lang] for lang in dict.fromkeys(order) if lang in texts}

    def entry(self, rule: str) -> tuple[Entry, str]:
        """The prose of a rule, with the language that it is in."""
        for language, text in self.texts.items():
            if rule in text.entries:
                return text.entries[rule], language
        return Entry(rule, rule, "", "", 1), self.language

    def said(self, words: Mapping[str, str]) -> tuple[str, str]:
        """Words that are given by language, in this one or in the next best, with their language."""
        for language in (self.language, self.facts.spec.game.authentic, "en", *words):
            if language in words:
                return words[language], language
        return "", self.language

    @property
    def title(self) -> str:
        """The game's name."""
        return self.said(self.facts.spec.game.title)[0]

    def name(self, words: str) -> str:
        """A player or a piece."""
        return self.table.name(words)

    # -- prose --------------------------------------------------------------------------------------------------------------------

    def address(self, rule: str) -> str:
        """Where a rule, a note or a question stands, from a page of this game."""
        if rule.startswith("question."):
            name = rule.removeprefix("question.").split(".")[0]
            return f"questions.html#{name}"
        return f"{self._page_of.get(rule, 'index.html')}#{rule}"

    @cached_property
    def _page_of(self) -> dict[str, str]:
        return {r: page for g, page in ELSEWHERE.items() for r in self.facts.groups.get(g, [])}

    @cached_property
    def known(self) -> frozenset[str]:
        """Every id that the prose may name."""
        return frozenset(self.facts.rules) | {f"question.{q.id}" for q in self.facts.spec.game.questions or []}

    @cached_property
    def markdown(self) -> MarkdownIt:
        """Markdown without HTML, with links from ids and from terms."""
        made = MarkdownIt("commonmark", {"html": False, "linkify": False}).disable(
            ["image", "link", "autolink", "html_inline", "html_block"]
        )

        def code(tokens: Any, at: int, options: Any, env: Any) -> str:
            rule = tokens[at].content
            if rule not in self.known:
                return str(Markup("<code>{}</code>").format(rule))
            return str(Markup('<a class="rule" href="{}">{}</a>').format(self.address(rule), self.entry(rule)[0].title or rule))

        def words(tokens: Any, at: int, options: Any, env: Any) -> str:
            if env.get("language") != self.language:
                return str(escape(tokens[at].content))
            return str(self.table.linked(tokens[at].content, lambda t: f"../glossary.html#term-{t.id}"))

        made.renderer.rules["code_inline"] = code  # type: ignore[attr-defined]
        made.renderer.rules["text"] = words  # type: ignore[attr-defined]
        return made

    def prose(self, text: str, language: str = "", inline: bool = False) -> Markup:
        """A text of the game's files as HTML; nothing in it is taken as HTML."""
        env = {"language": language or self.language}
        made = self.markdown.renderInline(text, env) if inline else self.markdown.render(text, env)
        return Markup(made)

    @property
    def standing(self) -> Words:
        """What kind of text this is: authentic, a translation, a stale one."""
        spec = self.facts.spec
        authentic = spec.game.authentic
        state = stale(spec.texts, authentic, self.language)
        named = self.labels(f"in-{authentic}") if authentic in LANGUAGES else authentic
        if self.language == authentic:
            return {"kind": "authentic", "says": self.labels("authentic")}
        if self.language not in spec.texts:
            return {"kind": "missing", "says": self.labels("fallback", language=named)}
        return {"kind": state or "translated", "says": self.labels(state or "translated", **({} if state else {"language": named}))}

    # -- rules --------------------------------------------------------------------------------------------------------------------

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The printed number of each rule: section and place."""
        groups = [g for g in GROUPS if g in self.facts.groups]
        return {r: f"{n}.{i}" for n, g in enumerate(groups, 1) for i, r in enumerate(self.facts.groups[g], 1)}

    def sections(self, page: str = "") -> Iterator[Words]:
        """The rules in reading order, those of one page or all."""
        for number, group in enumerate([g for g in GROUPS if g in self.facts.groups], 1):
            if page and ELSEWHERE.get(group, "index.html") != page:
                continue
            yield {"id": f"part-{group}", "number": str(number), "title": self.labels(group),
                   "rules": [self.rule(r) for r in self.facts.groups[group]]}  # fmt: skip

    def rule(self, rule: str) -> Words:
        """All that stands beside a rule."""
        entry, language = self.entry(rule)
        own, touching = self.facts.examples_of(rule)
        return {
            "id": rule,
            "number": self.numbers[rule],
            "title": entry.title or rule,
            "language": language,
            "foreign": language != self.language,
            "says": self.prose(entry.says, language, inline=True),
            "remarks": self.prose(entry.remarks, language),
            "clause": self.clause(rule),
            "lines": self.lines(rule),
            "sources": self.cites(rule),
            "examples": [captions.example(self, s) for s in own],
            "touching": [
                {"id": s.example.id, "href": self.example_address(s.example.id), "title": self.said(s.example.title)[0]}
                for s in touching
            ],
            "vectors": self.facts.vectors.get(rule, []),
            "questions": [self.brief(q) for q in self.facts.about(rule)],
            "claims": [c for c in self.claims if rule in c["touches"]],
            "findings": [
                register.brief_finding(self, f)
                for f in self.facts.findings
                if rule in touched(self.facts.spec.question(f.question))
            ],
        }

    @cached_property
    def claims(self) -> list[Words]:
        """The claims about the game, in words."""
        return [
            {
                **c,
                "says": (said := self.said(c["says"]))[0],
                "language": said[1],
                "foreign": said[1] != self.language,
                "verdict": self.labels(c["verdict"] if c["verdict"] in ("proved", "refuted") else "undecided"),
                "kind": {"proved": "same-proved", "refuted": "differ"}.get(c["verdict"], "unknown"),
                "rules": [{"id": r, "href": self.address(r)} for r in c["touches"] if r in self.known],
                "sources": [register.cited(self, s) for s in c["source"]],
                "how": [self.tell(h) for h in c["how"]],
            }
            for c in self.facts.claims
        ]

    def example_address(self, example: str) -> str:
        """Where an example stands."""
        page = self.address(self.facts.shown[example].example.shows[0]).split("#")[0]
        return f"{page}#example-{example}"

    def clause(self, rule: str, game: Game | None = None) -> str:
        """What the game file says under a rule, as a sentence in this language: of the game given, else where the rule stands."""
        return sentence_of(game or self.facts.home(rule), rule, self.table.lexicon)

    def lines(self, rule: str) -> Words | None:
        """The parts of a clause that has several, line by line."""
        game = self.facts.home(rule)
        part = part_of(game, rule)
        made = None if part is None else speech(game, self.table.lexicon).breakdown(part)
        return None if made is None else self._lines(made)

    def _lines(self, told: Lines) -> Words:
        mode = {"all": "all-of", "any": "any-of", "first": "first-of", "": ""}[told.mode]
        return {"says": told.says, "mode": self.labels(mode) if mode else "", "parts": [self._lines(p) for p in told.parts]}

    def variant_title(self, variant: str) -> str:
        """The name of a variant; of the base game where none is named."""
        return self.said((self.facts.spec.game.variants or {})[variant].title)[0] if variant else self.labels("base-game")

    def cites(self, rule: str) -> list[Words]:
        """The sentences of the founding text that carry a rule."""
        sources = self.facts.spec.sources
        if sources is None:
            return []
        founding = next((s for s in sources.sources if s.kind == "founding text"), sources.sources[0])
        return [
            {
                "source": founding.id,
                "cite": register.cited(self, f"{founding.id} {s.n}")["cite"],
                "n": s.n,
                "says": self.tell(s.says),
                "note": self.tell(s.note or ""),
                "kind": self.labels(f"is-{s.is_.replace(' ', '-')}"),
            }
            for s in sources.coverage or []
            if rule in (s.of or [])
        ]

    def elsewhere(self) -> Iterator[Words]:
        """The groups of rules on other pages."""
        for number, group in enumerate([g for g in GROUPS if g in self.facts.groups], 1):
            if group in ELSEWHERE:
                yield {"number": number, "title": self.labels(group), "href": f"{ELSEWHERE[group]}#part-{group}"}

    def brief(self, question: Question) -> Words:
        """A question and how it stands, in a line."""
        ask, language = self.asked(question)
        return {
            "id": question.id,
            "ask": self.prose(ask, language, inline=True),
            "status": self.status(question),
            "open": is_open(question),
        }

    def status(self, question: Question) -> str:
        """A word for how a question stands."""
        if isinstance(question.status, Settled):
            return self.labels("settled")
        return self.labels("differs" if isinstance(question.status, Differs) else "open")

    def asked(self, question: Question) -> tuple[str, str]:
        """A question in words, with its language."""
        if question.ask:
            return self.said(question.ask)
        entry, language = self.entry(f"question.{question.id}")
        return entry.says or question.id, language

    def answer(self, question: str, answer: str) -> Words:
        """An answer in words."""
        entry, language = self.entry(f"question.{question}.{answer}")
        return {"id": answer, "title": entry.title or answer, "says": self.prose(entry.says, language, inline=True),
                "remarks": self.prose(entry.remarks, language), "language": language}  # fmt: skip

    # -- other pages --------------------------------------------------------------------------------------------------------------

    def entries(self) -> Iterator[Words]:
        """What the search finds: rules, notes, variants, questions, each with its address from the site's root."""
        root = f"{self.language}/{self.facts.spec.id}/"
        ids = [*self.facts.rules, *(f"question.{q.id}" for q in self.facts.spec.game.questions or [])]
        for rule in ids:
            entry, _ = self.entry(rule)
            yield {
                "t": entry.title or rule,
                "i": rule,
                "g": self.title,
                "x": entry.says.replace("`", ""),
                "u": root + self.address(rule),
            }

    def uses(self) -> dict[str, list[Words]]:
        """By term, the rules whose text uses it."""
        found: dict[str, list[Words]] = {}
        for rule in self.facts.rules:
            entry, language = self.entry(rule)
            if language == self.language:
                for term in self.table.uses(f"{entry.says} {entry.remarks}"):
                    found.setdefault(term, []).append(
                        {"title": entry.title or rule, "href": f"{self.facts.spec.id}/{self.address(rule)}", "game": self.title}
                    )
        return found
