"""What the site itself says, in each of its languages: one table, so that a missing word is seen at once."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

LANGUAGES: Mapping[str, str] = {"en": "English", "cs": "Čeština", "zh": "中文"}
"""The languages of the site, each named in itself."""


def _lines() -> list[str]:
    """The table as it stands in `labels.txt`: a key and its words in each language, between upright strokes."""
    return files("lawstone.publish").joinpath("labels.txt").read_text(encoding="utf-8").strip().splitlines()


LABELS: Mapping[str, Mapping[str, str]] = {
    key: dict(zip(LANGUAGES, said, strict=True))
    for key, *said in ([cell.strip() for cell in line.split(" | ")] for line in _lines()[1:])
}
"""What is said, by key and language."""


class Labels:
    """The words of one language; unknown keys raise KeyError, so that a template cannot ask for what is not there."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __call__(self, key: str, **values: object) -> str:
        said = LABELS[key][self.language]
        return said.format(**values) if values else said
