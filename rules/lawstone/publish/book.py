"""One game in one language: everything its pages say, as plain data for the templates."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from lawstone.core import Clause
from lawstone.engine.state import Outcome
from lawstone.model.companions import Result
from lawstone.model.game import Differs, Question, Settled
from lawstone.model.prose import Entry, Text
from lawstone.publish.drawings import Sheet, frames, script_json
from lawstone.publish.facts import GROUPS, Facts, Finding, Group, Shown, is_open, touched
from lawstone.publish.labels import LANGUAGES, Labels
from lawstone.publish.terms import Table

Words = dict[str, Any]
"""What is said about one thing, for a template."""

_VERDICTS = {"differ": "differ", "same: bounded": "same-bounded", "same: proved": "same-proved", "unknown": "unknown", "gap": "gap"}


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
        named = LANGUAGES.get(authentic, authentic)
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
        part = self.facts.parts.get(rule)
        return {
            "id": rule,
            "number": self.numbers[rule],
            "title": entry.title or rule,
            "language": language,
            "foreign": language != self.language,
            "says": self.prose(entry.says, language, inline=True),
            "remarks": self.prose(entry.remarks, language),
            "clause": self.facts.clauses.get(rule, ""),
            "parts": self._part(part) if part else None,
            "sources": self.cites(rule),
            "examples": [self.example(s) for s in own],
            "touching": [
                {"id": s.example.id, "href": self.example_address(s.example.id), "title": self.said(s.example.title)[0]}
                for s in touching
            ],
            "questions": [self._brief(q) for q in self.facts.about(rule)],
            "claims": [c for c in self.claims if rule in c["touches"]],
            "findings": [
                self.brief_finding(f) for f in self.facts.findings if rule in touched(self.facts.spec.question(f.question))
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
                "kind": {"proved": "same-proved", "refuted": "differ"}.get(c["verdict"], "unknown"),
                "rules": [{"id": r, "href": self.address(r)} for r in c["touches"] if r in self.known],
            }
            for c in self.facts.claims
        ]

    def example_address(self, example: str) -> str:
        """Where an example stands."""
        page = self.address(self.facts.shown[example].example.shows[0]).split("#")[0]
        return f"{page}#example-{example}"

    def _part(self, clause: Clause) -> Words:
        mode = {"all": "all-of", "any": "any-of", "first": "first-of"}.get(clause.mode, "")
        seen: dict[str, Clause] = {p.says: p for p in clause.parts if p.says}
        return {"says": clause.says, "rule": clause.rule, "mode": self.labels(mode) if mode and len(seen) > 1 else "",
                "parts": [self._part(p) for p in seen.values()]}  # fmt: skip

    def cites(self, rule: str) -> list[Words]:
        """The sentences of the founding text that carry a rule."""
        sources = self.facts.spec.sources
        if sources is None:
            return []
        founding = next((s for s in sources.sources if s.kind == "founding text"), sources.sources[0])
        return [
            {
                "source": founding.id,
                "n": s.n,
                "says": s.says,
                "note": s.note or "",
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

    def _brief(self, question: Question) -> Words:
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

    def brief_finding(self, finding: Finding) -> Words:
        """What is known of two readings, and the command that repeats it."""
        record = finding.record
        variant = f" --variant {shlex.quote(finding.variant)}" if finding.variant else ""
        return {
            "question": finding.question, "a": self.answer(finding.question, finding.a)["title"],
            "b": self.answer(finding.question, finding.b)["title"],
            "verdict": self.labels(_VERDICTS.get(record.verdict, "unknown")), "kind": _VERDICTS.get(record.verdict, "unknown"),
            "how": record.how, "plies": len(record.moves or []),
            "command": f"lawstone check {self.facts.spec.id} --question {finding.question}{variant}",
        }  # fmt: skip

    def answer(self, question: str, answer: str) -> Words:
        """An answer in words."""
        entry, language = self.entry(f"question.{question}.{answer}")
        return {"id": answer, "title": entry.title or answer, "says": self.prose(entry.says, language, inline=True),
                "remarks": self.prose(entry.remarks, language), "language": language}  # fmt: skip

    # -- examples -----------------------------------------------------------------------------------------------------------------

    def example(self, shown: Shown) -> Words:
        """An example with its diagram and what holds there."""
        example = shown.example
        title, language = self.said(example.title)
        made: Words = {
            "id": example.id,
            "title": title,
            "language": language,
            "foreign": language != self.language,
            "figures": [],
            "facts": [{"rule": "", "href": "", "title": "", **f} for f in self._facts(shown)],
            "failures": shown.failures,
            "steps": None,
        }
        if not shown.positions:
            return made
        at, last = shown.at, len(shown.positions) - 1
        made["figures"].append(self.sheet.draw(shown.positions[at][1], shown.marks, shown.arrows, title))
        if last > at:
            made["figures"].append(self.sheet.draw(shown.positions[last][1], {}, (), title))
        if last > 0:
            made["steps"] = f"steps-{self.sheet.number}"
            made["data"] = script_json({"frames": frames(shown.positions)})
        return made

    def _facts(self, shown: Shown) -> Iterator[Words]:
        """What an example asserts, in words."""
        e, say = shown.example, self.labels
        if e.variant:
            yield {"label": "", "text": say("in-variant", name=self.variant_title(e.variant))}
        for question, answer in (e.reading or {}).items():
            yield {"label": "", "text": say("in-reading", name=self.answer(question, answer)["title"])}
        if e.after:
            yield {"label": say("after"), "text": " ".join(e.after)}
        if e.moves is not None:
            yield {"label": say("moves-exact"), "text": " ".join(e.moves) or "–"}
        if e.legal:
            yield {"label": say("legal"), "text": " ".join(e.legal)}
        if e.count is not None:
            yield {"label": "", "text": say("count", n=e.count)}
        for move, rule in (e.illegal or {}).items():
            yield {
                "label": say("illegal"),
                "text": move,
                "rule": rule,
                "href": self.address(rule),
                "title": self.entry(rule)[0].title or rule,
            }
        if e.play:
            yield {"label": say("played"), "text": e.play}
        if e.outcome == "none":
            yield {"label": "", "text": say("goes-on")}
        elif isinstance(e.outcome, Result):
            rule = e.outcome.by or e.outcome.no_rule or ""
            text = (
                say("wins", player=self.name(e.outcome.wins)) if e.outcome.wins else say("drawn" if e.outcome.draw else "no-rule")
            )
            yield {"label": "", "text": text, "rule": rule, "href": self.address(rule), "title": self.entry(rule)[0].title or rule}
        if e.acts:
            yield {"label": say("acts"), "text": self.name(e.acts)}

    def outcome(self, outcome: Outcome | None) -> str:
        """How a game stands, in words."""
        if outcome is None:
            return self.labels("goes-on")
        if outcome.winner is not None:
            return self.labels("wins", player=self.name(self.facts.game.rules.words.players[outcome.winner]))
        return self.labels("drawn" if outcome.kind == "draw" else "no-rule")

    # -- questions ----------------------------------------------------------------------------------------------------------------

    def questions(self) -> list[Words]:
        """The register of questions: the open ones first."""
        asked = self.facts.spec.game.questions or []
        return [self.question(q) for q in sorted(asked, key=lambda q: not is_open(q))]

    def question(self, question: Question) -> Words:
        """A question with its readings, its status and the positions where the readings part."""
        entry, language = self.entry(f"question.{question.id}")
        ask, ask_language = self.asked(question)
        base = self.facts.spec.base_answer(question)
        status = question.status
        own, _ = self.facts.examples_of(f"question.{question.id}")
        for answer in question.answers:
            own += [s for s in self.facts.examples_of(f"question.{question.id}.{answer}")[0] if s not in own]
        return {
            "id": question.id, "title": entry.title or question.id, "ask": self.prose(ask, ask_language, inline=True),
            "language": language, "foreign": language != self.language, "remarks": self.prose(entry.remarks, language),
            "status": self.status(question), "open": is_open(question), "variant": question.in_ or "",
            "settled": list(status.settled_by) if isinstance(status, Settled) else [],
            "but": list(status.but or []) if isinstance(status, Settled) else [],
            "differs": list(status.differs_in) if isinstance(status, Differs) else [],
            "sources": [self.source(c) for c in question.source or []],
            "ruling": question.ruling, "rules": sorted(r for r in touched(question) if r in self.known),
            "answers": [
                {**self.answer(question.id, a), "base": a == base, "changes": self._named(question.answers[a])}
                for a in question.answers
            ],
            "examples": [self.example(s) for s in own],
            "findings": [self.finding(f) for f in self.facts.findings if f.question == question.id],
        }  # fmt: skip

    def _named(self, rules: Iterable[str]) -> list[Words]:
        return [{"id": r, "href": self.address(r)} for r in rules if r in self.known]

    def source(self, cite: str) -> Words:
        """A cited sentence, such as `founding 14`, with what it says."""
        name, _, number = cite.partition(" ")
        sources = self.facts.spec.sources
        said = next((s.says for s in (sources.coverage or []) if str(s.n) == number), "") if sources and name == "founding" else ""
        if sources and not number:
            said = next((s.says for s in sources.sources if s.id == name), "")
        href = f"sources.html#sentence-{number}" if number.isdigit() and name == "founding" else f"sources.html#source-{name}"
        return {"cite": cite, "says": said, "href": href}

    def finding(self, finding: Finding) -> Words:
        """A finding with the board on which the readings part."""
        made = self.brief_finding(finding)
        made |= {
            "figure": None,
            "steps": None,
            "data": "",
            "outcome": "",
            "shortest": finding.record.shortest,
            "moves": " ".join(finding.record.moves or []),
        }
        if finding.positions:
            position = finding.positions[-1][1]
            marks: dict[int, Any] = dict.fromkeys(finding.common, "both")
            marks |= dict.fromkeys(finding.only_a, "a") | dict.fromkeys(finding.only_b, "b")
            marks |= dict.fromkeys(set(finding.only_a) & set(finding.only_b), "both")
            made["figure"] = self.sheet.draw(position, marks, (), f"{made['a']} / {made['b']}")
            made["steps"] = f"steps-{self.sheet.number}"
            data: Words = {"frames": frames(finding.positions)}
            if finding.only_a or finding.only_b:
                data["legal"] = {"a": [*finding.only_a, *finding.common], "b": [*finding.only_b, *finding.common]}
            made["data"] = script_json(data)
            made["outcome"] = self.outcome(position.outcome) if position.ended else ""
        return made

    # -- variants -----------------------------------------------------------------------------------------------------------------

    def variant_title(self, variant: str) -> str:
        """The name of a variant; of the base game where none is named."""
        if not variant:
            return self.labels("base-game")
        return self.said((self.facts.spec.game.variants or {})[variant].title)[0]

    def variants(self) -> list[Words]:
        """The variants side by side, each with what it changes and an example played in it."""
        found = []
        for name, variant in (self.facts.spec.game.variants or {}).items():
            entry, language = self.entry(f"variant.{name}")
            game = self.facts.variant(name)
            rules = {r: clause for r in self.facts.rules if (clause := self._clause_in(name, r))}
            changed = {r: c for r, c in rules.items() if c != self.facts.clauses.get(r) or r in variant.changes}
            found.append({
                "id": name, "title": self.variant_title(name), "says": self.prose(entry.says, language, inline=True),
                "remarks": self.prose(entry.remarks, language), "based": self.variant_title(variant.based_on or ""),
                "phases": list(game.rules.phases),
                "changes": [
                    {"rule": r, "title": self.entry(r)[0].title or r, "href": self.address(r),
                     "base": self.facts.clauses.get(r, "") if r in self._base_rules else "–", "here": c}
                    for r, c in changed.items()
                ],
            })  # fmt: skip
        return found

    @cached_property
    def _base_rules(self) -> frozenset[str]:
        from lawstone.model.changes import rule_ids

        return frozenset(rule_ids(self.facts.spec.document.tree))

    def _clause_in(self, variant: str, rule: str) -> str:
        from lawstone.publish.clauses import clause_of

        return clause_of(self.facts.variant(variant), rule)

    # -- other pages --------------------------------------------------------------------------------------------------------------

    def coverage(self) -> list[Words]:
        """Every sentence of the founding text, with what became of it."""
        sources = self.facts.spec.sources
        return [
            {
                "n": s.n,
                "says": s.says,
                "note": s.note or "",
                "is": self.labels(f"is-{s.is_.replace(' ', '-')}"),
                "kind": s.is_.replace(" ", "-"),
                "of": [
                    {"id": r, "href": self.address(r), "title": self.entry(r)[0].title or r} for r in s.of or [] if r in self.known
                ],
            }
            for s in (sources.coverage or [] if sources else [])
        ]

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
