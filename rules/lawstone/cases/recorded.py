"""What has been recorded about a game in `proofs/<game>/`: games that show a difference, and what was proved to be the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lawstone import data
from lawstone.check.misreadings import Misread, read_misread
from lawstone.check.report import Results, read_results
from lawstone.spec import Spec


@dataclass(frozen=True)
class Known:
    """What is on record about a reading or a misreading: a verdict, how it is known, and a game that shows the difference."""

    verdict: str
    how: str
    moves: tuple[str, ...] | None


def folder_of(spec: Spec) -> Path:
    """Where findings about a game are recorded: with the shipped ones, or in the folder of a game of one's own."""
    return data.proofs_root() / spec.id if spec.path.parent.parent == data.spec_root() else spec.path.parent


def recorded(spec: Spec, variant: str, kind: str, name: str, answer: str = "") -> Known | None:
    """The record about an answer of a question, or about a misreading, of these rules; None where there is none.

    Raises BadInput for a record that cannot be read.
    """
    if kind == "question":
        results = _results(folder_of(spec) / "results.json")
        if results is None or results.rules_version != spec.game.rules_version:
            return None
        key = f"{variant or 'base'}/{name}/{spec.base_answer(spec.question(name))}/{answer}"
        finding = next((f for f in results.findings if f.key == key), None)
        if finding is None:
            return None
        return Known(finding.verdict, finding.how, None if finding.moves is None else tuple(finding.moves))
    misread = _misread(folder_of(spec) / "misreadings.json")
    if misread is None or misread.rules_version != spec.game.rules_version:
        return None
    settled = next((m for m in misread.misreadings if (m.variant, m.id) == (variant, name)), None)
    if settled is None:
        return None
    return Known(settled.verdict, settled.how, None if settled.moves is None else tuple(settled.moves))


def _results(path: Path) -> Results | None:
    return _findings(path, path.stat().st_mtime_ns) if path.is_file() else None


def _misread(path: Path) -> Misread | None:
    return _misreadings(path, path.stat().st_mtime_ns) if path.is_file() else None


@lru_cache(maxsize=8)
def _findings(path: Path, _: int) -> Results | None:
    return read_results(path)


@lru_cache(maxsize=8)
def _misreadings(path: Path, _: int) -> Misread | None:
    return read_misread(path)
