"""What stands below a board: what an example asserts, and how a game stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lawstone.engine.state import Outcome
from lawstone.model.companions import Result
from lawstone.publish.drawings import frames, script_json
from lawstone.publish.facts import Shown

if TYPE_CHECKING:
    from lawstone.publish.book import Book, Words


def example(book: Book, shown: Shown) -> Words:
    """An example with its diagram and what holds there."""
    example = shown.example
    title, language = book.said(example.title)
    made: Words = {
        "id": example.id,
        "title": title,
        "language": language,
        "foreign": language != book.language,
        "figures": [],
        "facts": [{"rule": "", "href": "", "title": "", "notation": bool(f["label"]), **f} for f in asserted(book, shown)],
        "failures": shown.failures,
        "steps": None,
    }
    if not shown.positions:
        return made
    at, last = shown.at, len(shown.positions) - 1
    made["figures"].append(book.sheet.draw(shown.positions[at][1], shown.marks, shown.arrows, title))
    if last > at:
        made["figures"].append(book.sheet.draw(shown.positions[last][1], dict.fromkeys(shown.decisive, "here"), (), title))
    if last > 0:
        made["steps"] = f"steps-{book.sheet.number}"
        made["data"] = script_json({"frames": frames(shown.positions, shown.decisive, at, shown.marks)})
    return made


def asserted(book: Book, shown: Shown) -> Iterator[Words]:
    """What an example asserts, in words."""
    e, say = shown.example, book.labels
    if e.variant:
        yield {"label": "", "text": say("in-variant", name=book.variant_title(e.variant))}
    for question, answer in (e.reading or {}).items():
        yield {"label": "", "text": say("in-reading", name=book.answer(question, answer)["title"])}
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
            "href": book.address(rule),
            "title": book.entry(rule)[0].title or rule,
        }
    if e.play:
        yield {"label": say("played"), "text": e.play}
    if e.outcome == "none":
        yield {"label": "", "text": say("goes-on")}
    elif isinstance(e.outcome, Result):
        rule = e.outcome.by or e.outcome.no_rule or ""
        text = say("wins", player=book.name(e.outcome.wins)) if e.outcome.wins else say("drawn" if e.outcome.draw else "no-rule")
        yield {"label": "", "text": text, "rule": rule, "href": book.address(rule), "title": book.entry(rule)[0].title or rule}
    if e.acts:
        yield {"label": say("acts"), "text": book.name(e.acts), "notation": False}


def outcome(book: Book, outcome: Outcome | None) -> str:
    """How a game stands, in words."""
    if outcome is None:
        return book.labels("goes-on")
    if outcome.winner is not None:
        return book.labels("wins", player=book.name(book.facts.game.rules.words.players[outcome.winner]))
    return book.labels("drawn" if outcome.kind == "draw" else "no-rule")
