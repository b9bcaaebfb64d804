"""The term table: what a thing is called in each language, which words are not used for it, and where the term stands.

`terms.yaml` lies in the folder of the games (for all of them) and may lie in a game's own folder. An entry gives a term in each
language with the forms that it takes there (`*` at the end of a form stands for any ending), the words to be avoided, and what
it means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from markupsafe import Markup, escape
from pydantic import Field, ValidationError

from lawstone.constructs.speech.phrases import Lexicon, Noun
from lawstone.model.base import Identifier, Model
from lawstone.model.faults import BadInput, Fault
from lawstone.model.located import read
from lawstone.model.prose import Text
from lawstone.model.wording import from_pydantic


class Saying(Model):
    """A term in one language."""

    say: str = Field(description="The term.")
    forms: list[str] = Field(default_factory=list, description="Other forms of it; `*` at the end stands for any ending.")
    avoid: list[str] = Field(default_factory=list, description="Words that are not used for it.")
    means: str = Field(description="What it means, in one sentence.")


class Term(Model):
    """One thing and what it is called."""

    id: Identifier = Field(description="Permanent id of the term.")
    of: list[Identifier] | None = Field(None, description="Only in these games; unsaid, in all.")
    en: Saying = Field(description="In English.")
    cs: Saying | None = Field(None, description="In Czech.")
    zh: Saying | None = Field(None, description="In Chinese.")

    def exactly(self, language: str) -> Saying | None:
        """The term in a language, if it has one there."""
        return {"en": self.en, "cs": self.cs, "zh": self.zh}.get(language)

    def in_(self, language: str) -> Saying:
        """The term in a language, else in English."""
        return self.exactly(language) or self.en


class Terms(Model):
    """The file `terms.yaml`."""

    names: dict[str, dict[str, str]] = Field(
        default_factory=dict, description="Players, colours and pieces of game files, by language."
    )
    nouns: dict[str, Noun] = Field(
        default_factory=dict, description="Pieces of game files and places on boards, with the forms that sentences need."
    )
    terms: list[Term] = Field(default_factory=list, description="The terms.")


def load(folder: Path) -> Terms:
    """The terms of a folder of games, or none; raises BadInput."""
    path = folder / "terms.yaml"
    return _read(path, path.stat().st_mtime_ns) if path.exists() else Terms()


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Terms:
    document = read(path)
    try:
        return Terms.model_validate(document.tree)
    except ValidationError as error:
        raise BadInput(from_pydantic(error, document, Terms)) from None


def _pattern(words: list[str], language: str) -> re.Pattern[str] | None:
    """What finds any of the words, the longest first; Chinese has no spaces to go by."""
    if not words:
        return None
    each = sorted({w.strip() for w in words if w.strip()}, key=len, reverse=True)
    parts = [re.escape(w.removesuffix("*")) + (r"\w*" if w.endswith("*") else "") for w in each]
    joined = "|".join(parts)
    return re.compile(joined if language == "zh" else rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Table:
    """The terms that hold for one game in one language."""

    terms: tuple[Term, ...]
    language: str
    game: str
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    nouns: Mapping[str, Noun] = field(default_factory=dict)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The nouns and names from which sentences about clauses are made."""
        return Lexicon(self.nouns, self.names, self.language, self.game)

    @cached_property
    def mine(self) -> list[Term]:
        """The terms that speak of this game."""
        return [t for t in self.terms if t.of is None or self.game in t.of]

    @cached_property
    def _by_form(self) -> Mapping[str, tuple[re.Pattern[str] | None, Term]]:
        return {t.id: (_pattern([s.say, *s.forms], self.language), t) for t in self.mine for s in [t.in_(self.language)]}

    @cached_property
    def _any(self) -> re.Pattern[str] | None:
        return _pattern([w for t in self.mine for s in [t.in_(self.language)] for w in (s.say, *s.forms)], self.language)

    def find(self, word: str) -> Term | None:
        """The term that a word of a text is a form of."""
        return next((t for pattern, t in self._by_form.values() if pattern and pattern.fullmatch(word)), None)

    def linked(self, text: str, link: Callable[[Term], str]) -> Markup:
        """A plain text, escaped, with a link from every use of a term."""
        if self._any is None:
            return Markup(escape(text))
        found, at = [], 0
        for match in self._any.finditer(text):
            term = self.find(match[0])
            if term is None:
                continue
            found += [escape(text[at : match.start()]), Markup('<a class="term" href="{}">{}</a>').format(link(term), match[0])]
            at = match.end()
        return Markup("").join([*found, escape(text[at:])])

    def uses(self, text: str) -> set[str]:
        """The ids of the terms that a text uses."""
        found = (self.find(m[0]) for m in self._any.finditer(text)) if self._any else iter(())
        return {t.id for t in found if t}

    def name(self, words: str) -> str:
        """A player or piece of a game file in this language, word by word where there is no name for the whole."""
        if words in self.names:
            return self.names[words].get(self.language, words)
        parts = [self.names.get(w, {}).get(self.language, w) for w in words.split()]
        return ("" if self.language == "zh" else " ").join(parts)


def avoided(table: Table) -> list[tuple[re.Pattern[str], str]]:
    """What finds the words that the table avoids in its language, each with the word to say instead."""
    sayings = [s for t in table.mine if (s := t.exactly(table.language)) is not None]
    return [(pattern, s.say) for s in sayings if (pattern := _pattern(s.avoid, table.language))]


def faults(text: Text, table: Table) -> Iterator[Fault]:
    """Words that the table says to avoid, each at its place in the text file."""
    patterns = avoided(table)
    for number, line in enumerate(text.source.lines, 1):
        plain = re.sub(r"`[^`]*`|^<!--.*", lambda m: " " * len(m[0]), line)
        for pattern, instead in patterns:
            for match in pattern.finditer(plain):
                message = f"the term table does not use '{match[0]}' in {text.language}"
                yield Fault(text.source.path, number, match.start() + 1, "term", message, f"say '{instead}'", line)
