"""The register of questions (readings, status, the boards on which they part), and the sentences of the founding text."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lawstone.model.game import Differs, Question, Settled
from lawstone.publish import captions
from lawstone.publish.drawings import frames, script_json
from lawstone.publish.facts import Finding, is_open, touched
from lawstone.publish.labels import LABELS

if TYPE_CHECKING:
    from lawstone.publish.book import Book, Words

_VERDICTS = {"differ": "differ", "same: bounded": "same-bounded", "same: proved": "same-proved", "unknown": "unknown", "gap": "gap"}


def brief_finding(book: Book, found: Finding) -> Words:
    """What is known of two readings, and the command that repeats it."""
    record = found.record
    title, language = book.entry(f"question.{found.question}")
    variant = f" --variant {shlex.quote(found.variant)}" if found.variant else ""
    return {
        "question": found.question, "title": title.title or found.question, "language": language,
        "foreign": language != book.language, "a": book.answer(found.question, found.a)["title"],
        "b": book.answer(found.question, found.b)["title"],
        "verdict": book.labels(_VERDICTS.get(record.verdict, "unknown")), "kind": _VERDICTS.get(record.verdict, "unknown"),
        "how": book.tell(record.how), "plies": len(record.moves or []),
        "command": f"lawstone check {book.facts.spec.id} --question {found.question}{variant}",
    }  # fmt: skip


def questions(book: Book) -> list[Words]:
    """The register of questions: the open ones first."""
    every = book.facts.spec.game.questions or []
    return [question(book, q) for q in sorted(every, key=lambda q: not is_open(q))]


def question(book: Book, asked: Question) -> Words:
    """A question with its readings, its status and the positions where the readings part."""
    entry, language = book.entry(f"question.{asked.id}")
    ask, ask_language = book.asked(asked)
    base = book.facts.spec.base_answer(asked)
    status = asked.status
    own, _ = book.facts.examples_of(f"question.{asked.id}")
    for answer in asked.answers:
        own += [s for s in book.facts.examples_of(f"question.{asked.id}.{answer}")[0] if s not in own]
    return {
        "id": asked.id, "title": entry.title or asked.id, "ask": book.prose(ask, ask_language, inline=True),
        "language": language, "foreign": language != book.language, "remarks": book.prose(entry.remarks, language),
        "status": book.status(asked), "open": is_open(asked), "variant": asked.in_ or "",
        "settled": [cited(book, c) for c in status.settled_by] if isinstance(status, Settled) else [],
        "but": [cited(book, c) for c in status.but or []] if isinstance(status, Settled) else [],
        "differs": [cited(book, c) for c in status.differs_in] if isinstance(status, Differs) else [],
        "sources": [cited(book, c) | source(book, c) for c in asked.source or []],
        "ruling": asked.ruling, "rules": sorted(r for r in touched(asked) if r in book.known),
        "answers": [
            {**book.answer(asked.id, a), "base": a == base, "changes": _named(book, asked.answers[a])}
            for a in asked.answers
        ],
        "examples": [captions.example(book, s) for s in own],
        "findings": [finding(book, f) for f in book.facts.findings if f.question == asked.id],
    }  # fmt: skip


def _named(book: Book, rules: Iterable[str]) -> list[Words]:
    return [{"id": r, "href": book.address(r)} for r in rules if r in book.known]


def cited(book: Book, cite: str) -> Words:
    """Who says something, in a word or two, and where that stands."""
    name, _, number = cite.partition(" ")
    if cite == "own":
        return {"cite": book.labels("own-claim"), "href": ""}
    sources = book.facts.spec.sources
    title = next((s.title for s in sources.sources if s.id == name), cite) if sources else cite
    told = book.labels("sentence-of", n=number) if name == "founding" and number else book.tell(title)
    return {"cite": told, "href": source(book, cite)["href"] if sources else ""}


def source(book: Book, cite: str) -> Words:
    """A cited sentence, such as `founding 14`, with what it says."""
    name, _, number = cite.partition(" ")
    sources = book.facts.spec.sources
    said = next((s.says for s in (sources.coverage or []) if str(s.n) == number), "") if sources and name == "founding" else ""
    if sources and not number:
        said = next((s.says for s in sources.sources if s.id == name), "")
    href = f"sources.html#sentence-{number}" if number.isdigit() and name == "founding" else f"sources.html#source-{name}"
    return {"says": book.tell(said), "href": href}


def finding(book: Book, found: Finding) -> Words:
    """A finding with the board on which the readings part."""
    made = brief_finding(book, found)
    made |= {
        "figure": None,
        "steps": None,
        "data": "",
        "outcomes": [],
        "shortest": found.record.shortest,
        "moves": " ".join(found.record.moves or []),
    }
    if found.positions:
        position = found.positions[-1][1]
        marks: dict[int, Any] = dict.fromkeys(found.common, "both")
        marks |= dict.fromkeys(found.only_a, "a") | dict.fromkeys(found.only_b, "b")
        marks |= dict.fromkeys(set(found.only_a) & set(found.only_b), "both")
        marks |= dict.fromkeys((s for s in found.decisive if s not in marks), "here")
        made["figure"] = book.sheet.draw(position, marks, (), f"{made['a']} / {made['b']}")
        made["steps"] = f"steps-{book.sheet.number}"
        data: Words = {"frames": frames(found.positions, found.decisive)}
        if found.only_a or found.only_b:
            data["legal"] = {"a": [*found.only_a, *found.common], "b": [*found.only_b, *found.common]}
        made["data"] = script_json(data)
        if found.ends != (None, None):
            made["outcomes"] = [captions.outcome(book, outcome) for outcome in found.ends]
    return made


def coverage(book: Book) -> list[Words]:
    """Every sentence of the founding text, with what became of it."""
    sources = book.facts.spec.sources
    return [
        {
            "n": s.n,
            "says": book.tell(s.says),
            "note": book.tell(s.note or ""),
            "is": book.labels(f"is-{s.is_.replace(' ', '-')}"),
            "kind": s.is_.replace(" ", "-"),
            "of": [{"id": r, "href": book.address(r), "title": book.entry(r)[0].title or r} for r in s.of or [] if r in book.known],
        }
        for s in (sources.coverage or [] if sources else [])
    ]


def read(book: Book) -> list[Words]:
    """What was read, and what it says."""
    sources = book.facts.spec.sources
    return [
        {
            "id": s.id, "title": book.tell(s.title), "kind": book.tell(s.kind), "read": s.read, "says": book.tell(s.says),
            "note": book.tell(s.note or ""), "language": named(book, s.language),
        }
        for s in (sources.sources if sources else [])
    ]  # fmt: skip


def named(book: Book, languages: str | list[str] | None) -> str:
    """Languages by their names, where the site has a name for them."""
    every = languages.split(", ") if isinstance(languages, str) else languages or []
    return ", ".join(book.labels(f"in-{lang}") if f"in-{lang}" in LABELS else lang for lang in every)
