"""English sentences in the language of a page: what the toolkit says of its findings, and what the files of a game say of sources.

The toolkit's own sentences are patterns in `sayings.txt`: a hole such as `{n}` or `{name}` stands for a number, a piece, or for
one of the lines of that kind, which begin with the kind in square brackets. What stands in a hole is put into the language too.
The words of a game's files are found whole in `translations.yaml`, that of the folder of games and the game's own; a sentence
that has changed since is not found there, so it stands in English, marked as such, and is a fault until it is translated again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup
from pydantic import Field, ValidationError

from lawstone.model.base import Model
from lawstone.model.faults import BadInput, Fault
from lawstone.model.located import read
from lawstone.model.tree import mark_of
from lawstone.model.wording import from_pydantic
from lawstone.publish import terms
from lawstone.publish.labels import LANGUAGES
from lawstone.publish.terms import Table
from lawstone.spec import Spec

NAME = "translations.yaml"
_HOLE = re.compile(r"\{([a-z]+)\d?\}")
_PLAIN = {"n": r"\d+(?:,\d{3})*", "id": r"[\w.$-]+"}
"""Kinds of holes whose content is the same in every language."""


class Translation(Model):
    """A sentence in each language."""

    en: str = Field(description="The words that stand in the other file.")
    cs: str | None = Field(None, description="In Czech.")
    zh: str | None = Field(None, description="In Chinese.")


class Translations(Model):
    """The file `translations.yaml`: sentences that other files of the folder say in English, in each language."""

    translations: list[Translation] = Field(description="The sentences, in any order.")


def plain(words: str) -> str:
    """Words without the line breaks of the file that they stand in."""
    return " ".join(words.split())


def load(folder: Path) -> tuple[Translation, ...]:
    """The translations of a folder; raises BadInput."""
    path = folder / NAME
    return _load(path, path.stat().st_mtime_ns) if path.exists() else ()


@lru_cache(maxsize=64)
def _load(path: Path, changed: int) -> tuple[Translation, ...]:
    document = read(path)
    try:
        found = Translations.model_validate(document.tree)
    except ValidationError as error:
        raise BadInput(from_pydantic(error, document, Translations)) from None
    return tuple(found.translations)


@dataclass(frozen=True)
class Pattern:
    """A sentence with holes, and what it is in another language."""

    holes: tuple[str, ...]
    finds: re.Pattern[str]
    says: Mapping[str, str]


@cache
def _patterns() -> Mapping[str, Mapping[str, list[Pattern]]]:
    """The patterns of `sayings.txt` by kind (empty for whole sentences) and by their first word (empty where that is a hole)."""
    found: dict[str, dict[str, list[Pattern]]] = {}
    table = files("lawstone.publish").joinpath("sayings.txt").read_text(encoding="utf-8").strip().splitlines()
    for line in table[1:]:
        kind, english = "", line
        if line.startswith("["):
            kind, _, english = line[1:].partition("] ")
        cells = [cell.strip() for cell in english.split(" | ")]
        said = dict(zip(LANGUAGES, cells, strict=True))
        parts, names, at = "", [], 0
        for hole in _HOLE.finditer(cells[0]):
            parts += re.escape(cells[0][at : hole.start()]) + f"(?P<{hole[0][1:-1]}>{_PLAIN.get(hole[1], '.+?')})"
            names.append(hole[0][1:-1])
            at = hole.end()
        first = cells[0].split()[0]
        made = Pattern(tuple(names), re.compile(parts + re.escape(cells[0][at:])), said)
        found.setdefault(kind, {}).setdefault("" if "{" in first else first, []).append(made)
    return found


class Said(str):
    """Words for a page; `language` is that of the words, and `foreign` says that it is not the page's."""

    __slots__ = ("foreign", "language")
    language: str
    foreign: bool

    def __html__(self) -> str:
        if not self.foreign:
            return str(Markup("{}").format(str(self)))
        return str(Markup('<span lang="{}">{}</span>').format(self.language, str(self)))


@dataclass(frozen=True, eq=False)
class Teller:
    """Says English sentences in the language of a page."""

    table: Table
    known: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Sentences of the game's files, by their English words."""

    @cached_property
    def _told(self) -> dict[tuple[str, str], str | None]:
        return {}

    def __call__(self, english: str, kind: str = "") -> Said:
        """The sentence in the page's language, else in English and marked so."""
        language, words = self.table.language, plain(english)
        told: str | None = words
        if language != "en" and words:
            told = self.known.get(words, {}).get(language) or self.made(words, kind)
        said = Said(words if told is None else told)
        said.foreign = told is None
        said.language = "en" if said.foreign else language
        return said

    def made(self, english: str, kind: str = "") -> str | None:
        """A sentence of the toolkit, or one thing of a kind, in the page's language; None where no pattern fits."""
        key = (english, kind)
        if key not in self._told:
            self._told[key] = next(self._fitting(english, kind), None)
        return self._told[key]

    def _fitting(self, english: str, kind: str) -> Iterator[str]:
        if kind == "name" and english in self.table.names:
            yield self.table.name(english)
        if kind == "items":
            each = [self.made(item, "item") for item in english.split(", ")]
            if None not in each:
                yield ("、" if self.table.language == "zh" else ", ").join(e for e in each if e)
        by_first = _patterns().get(kind, {})
        for pattern in [*by_first.get(english.split()[0], ()), *by_first.get("", ())]:
            if (fit := pattern.finds.fullmatch(english)) is None:
                continue
            holes = {name: self._hole(name.rstrip("0123456789"), fit[name]) for name in pattern.holes}
            if None not in holes.values():
                yield pattern.says[self.table.language].format_map(holes)

    def _hole(self, kind: str, words: str) -> str | None:
        return words if kind in _PLAIN else self.made(words, kind)


def of_game(spec: Spec, shared: Path) -> Mapping[str, Mapping[str, str]]:
    """The translations of all games and a game's own; raises BadInput."""
    every = [*load(shared), *load(spec.path.parent)]
    return {plain(t.en): {lang: plain(said) for lang in ("cs", "zh") if (said := getattr(t, lang))} for t in every}


def _said(spec: Spec) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The English sentences of `sources.yaml`, each with the way to it."""
    if spec.sources is None:
        return
    for part, entries, names in (
        ("sources", spec.sources.sources, ("title", "kind", "says", "note")),
        ("coverage", spec.sources.coverage or [], ("says", "note")),
    ):
        for n, entry in enumerate(entries):
            for name in names:
                if said := getattr(entry, name):
                    yield (part, n, name), plain(said)


def faults(spec: Spec, shared: Path, vocabulary: terms.Terms) -> Iterator[Fault]:
    """Sentences about sources that are missing in a language in which the game has a text, and translations of nothing."""
    languages = [lang for lang in spec.texts if lang in LANGUAGES and lang != "en"]
    path, own, every = spec.path.parent / NAME, load(spec.path.parent), of_game(spec, shared)
    used, document = set[str](), None
    for loc, words in _said(spec):
        used.add(words)
        for language in languages:
            if language not in every.get(words, {}):
                document = document or read(spec.path.parent / "sources.yaml")
                message = f"nothing is said in {language}, in which the game has a text"
                yield mark_of(document, loc).fault("untranslated", message, f"add these words and their translation to {NAME}")
    if not own:
        return
    listed = read(path)
    for n, entry in enumerate(own):
        if plain(entry.en) not in used:
            message = "no sentence of sources.yaml has these words any more"
            yield mark_of(listed, ("translations", n, "en")).fault(
                "stale-translation", message, "translate the new words, or take it out"
            )
    for language in languages:
        for pattern, instead in terms.avoided(Table(tuple(vocabulary.terms), language, spec.id)):
            for n, entry in enumerate(own):
                if match := pattern.search(getattr(entry, language) or ""):
                    mark = mark_of(listed, ("translations", n, language))
                    yield mark.fault("term", f"the term table does not use '{match[0]}' in {language}", f"say '{instead}'")
