"""Why a page may not be called checked: faults that an editor can mend, each at its line.

Beside what `check --syntax` finds: examples that do not hold, ids that have vanished without a redirect, translations that are
behind, words that the term table avoids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import Field, ValidationError

from lawstone.data import spec_root
from lawstone.drawing import parse
from lawstone.model.base import Identifier, Model
from lawstone.model.faults import BadInput, Fault, Mark
from lawstone.model.located import read
from lawstone.model.tree import mark_of
from lawstone.model.wording import from_pydantic
from lawstone.publish import terms, told
from lawstone.publish.book import stale
from lawstone.publish.drawings import Sheet, read_back
from lawstone.publish.facts import Facts
from lawstone.publish.labels import LANGUAGES, Labels
from lawstone.spec import Spec, Usage


class Retired(Model):
    """The file `retired.yaml`: which ids have been published, and what became of those that are gone."""

    published: list[Identifier] = Field(default_factory=list, description="Every id that has ever been published.")
    retired: dict[Identifier, Identifier] = Field(default_factory=dict, description="An id that is gone: the one to go to instead.")


def retired(spec: Spec) -> Retired:
    """What the folder says of ids that are gone; raises BadInput."""
    path = spec.path.parent / "retired.yaml"
    if not path.exists():
        return Retired()
    document = read(path)
    try:
        return Retired.model_validate(document.tree)
    except ValidationError as error:
        raise BadInput(from_pydantic(error, document, Retired)) from None


def faults(facts: Facts, vocabulary: terms.Terms, sound: bool = False) -> list[Fault]:
    """Everything that keeps the pages of a game from being called checked.

    `sound`: this very game file is known to have no faults, so that its readings are not lowered again.
    """
    found = dict.fromkeys(facts.spec.faults(sound))
    if found:
        return sorted(found)
    unheld = facts.kept("diagrams", facts.ran, lambda: list(_diagrams(facts)), _none, list)
    checks = (
        _examples(facts), _vanished(facts.spec), _stale(facts.spec), _words(facts.spec, vocabulary),
        _sentences(facts, vocabulary), told.faults(facts.spec, spec_root(), vocabulary), unheld,
    )  # fmt: skip
    for faults_of in checks:
        try:
            found |= dict.fromkeys(faults_of)
        except BadInput as bad:
            found |= dict.fromkeys(bad.faults)
    return sorted(found)


def _examples(facts: Facts) -> Iterator[Fault]:
    if not any(shown.failures for shown in facts.shown.values()):
        return
    document = read(facts.spec.path.parent / "examples.yaml")
    for n, shown in enumerate(facts.shown.values()):
        for failure in shown.failures:
            mark = mark_of(document, ("examples", n, "id"))
            yield mark.fault("example-fails", f"the example {shown.example.id!r} does not hold: {failure}")


def _none(found: list[Fault]) -> list[Fault] | None:
    """What is kept of diagrams: that there are no faults; others are looked for again."""
    return None if found else []


def _diagrams(facts: Facts) -> Iterator[Fault]:
    """Diagrams that show other pieces than the example's own drawing, or leave out a move that it calls legal."""
    sheet, document = Sheet(Labels("en"), bodies=facts.drawings), None
    for n, shown in enumerate(facts.shown.values()):
        if not shown.positions:
            continue
        example, position = shown.example, shown.positions[shown.at][1]
        cells, marks = read_back(sheet.kit(position.game), str(sheet.draw(position, shown.marks, shown.arrows)))
        board, drawn = position.game.rules.board, example.position if not example.after else None
        wanted = position.cells if drawn is None else parse(board, drawn.board)
        told = [] if "legal" not in marks.values() else [*(example.moves or []), *(example.legal or [])]
        named = {m: re.findall(r"[a-z]\d{1,2}", m) for m in told}
        unmarked = [m for m, sites in named.items() if sites and not any(marks.get(s) == "legal" for s in sites)]
        if cells != {board.names[s]: token for s, token in wanted.items()} or unmarked:
            document = document or read(facts.spec.path.parent / "examples.yaml")
            loc = ("examples", n, "position", "board") if drawn is not None and not unmarked else ("examples", n, "id")
            what = f"does not mark {unmarked[0]}" if unmarked else "shows other pieces than are drawn here"
            yield mark_of(document, loc).fault("diagram", f"the diagram of {example.id!r} {what}")


def _vanished(spec: Spec) -> Iterator[Fault]:
    path = spec.path.parent / "retired.yaml"
    if not path.exists():
        return
    gone, document = retired(spec), read(path)
    try:
        known = set(spec.headings())
    except (BadInput, Usage):
        return
    for text in spec.texts.values():
        known |= set(text.entries)
    for n, rule in enumerate(gone.published):
        if rule not in known and rule not in gone.retired:
            mark = mark_of(document, ("published", n))
            yield mark.fault("vanished", f"'{rule}' was published and is gone", f"add `{rule}: the.new.id` under `retired`")
    for rule, instead in gone.retired.items():
        if instead not in known:
            yield mark_of(document, ("retired", rule)).fault("unknown-rule", f"'{rule}' leads to '{instead}', which does not exist")
        if rule in known:
            mark = mark_of(document, ("retired", rule), key=True)
            yield mark.fault("not-retired", f"'{rule}' is retired and yet stands in the game")


def _stale(spec: Spec) -> Iterator[Fault]:
    authentic = spec.game.authentic
    for language, text in spec.texts.items():
        state = stale(spec.texts, authentic, language)
        if not state:
            continue
        line = text.source.lines[0]
        note = f"<!-- made from text.{authentic}.md {spec.texts[authentic].digest} -->"
        told = {
            "stale": "this translation is behind the text that it was made from",
            "unstamped": "this translation does not say which text it was made from",
        }[state]
        yield Fault(text.source.path, 1, 1, f"{state}-translation", told, f"when it says the same, let line 1 be `{note}`", line)


def _words(spec: Spec, vocabulary: terms.Terms) -> Iterator[Fault]:
    for language, text in spec.texts.items():
        if language in LANGUAGES:
            yield from terms.faults(text, terms.Table(tuple(vocabulary.terms), language, spec.id))


def _sentences(facts: Facts, vocabulary: terms.Terms) -> Iterator[Fault]:
    """Titles of examples and claims that are missing in a language of the game, or say what the term table avoids."""
    spec = facts.spec
    languages = [lang for lang in spec.texts if lang in LANGUAGES]
    patterns = {lang: terms.avoided(terms.Table(tuple(vocabulary.terms), lang, spec.id)) for lang in languages}
    for path, key, each, field in (
        (spec.path.parent / "examples.yaml", "examples", [e.title for e in spec.examples], "title"),
        (facts.proofs / "claims.yaml", "claims", [c["says"] for c in facts.claims], "says"),
    ):
        if not each or not path.exists():
            continue
        document = None
        for n, said in enumerate(each):
            for lang in languages:
                found = [(m[0], instead) for pattern, instead in patterns[lang] for m in pattern.finditer(said.get(lang, ""))]
                if lang in said and not found:
                    continue
                document = document or read(path)
                if lang not in said:
                    mark = mark_of(document, (key, n, field), key=True)
                    yield mark.fault(
                        "untranslated", f"nothing is said in {lang}, in which the game has a text", f"add `{lang}: ...`"
                    )
                for word, instead in found:
                    mark = _at(mark_of(document, (key, n, field, lang)), word)
                    yield mark.fault("term", f"the term table does not use '{word}' in {lang}", f"say '{instead}'")


def _at(mark: Mark, word: str) -> Mark:
    """The place of a word in a value that begins at a mark; the mark itself where the value goes on below it."""
    found = mark.source.lines[mark.line - 1].find(word, mark.column - 1)
    return mark if found < 0 else Mark(mark.source, mark.line, found + 1)
