"""What a suite was to show, and what it shows: every situation of a game, with its vectors or why there are none."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Situation:
    """Something that a suite is to show: its group, the variant, the rule that it is about, and what it is, in words."""

    group: str
    variant: str
    rule: str
    says: str
    feature: tuple[Any, ...] = field(default=(), compare=False)
    """What is looked for at a place, where it is that."""

    def __str__(self) -> str:
        where = f" [{self.variant}]" if self.variant else ""
        return f"{self.rule}: {self.says}{where}" if self.rule else f"{self.says}{where}"


@dataclass(frozen=True)
class Sought:
    """A situation that a game has; `why` no place shows it, where that is known already."""

    situation: Situation
    why: str = ""
    never: bool = False
    """It is proved that nothing shows it."""


@dataclass
class Coverage:
    """Situations with the vectors that show them."""

    shown: dict[Situation, list[str]] = field(default_factory=dict)
    why: dict[Situation, str] = field(default_factory=dict)
    never: set[Situation] = field(default_factory=set)
    """Situations that nothing can show, which is proved."""
    elsewhere: dict[str, int] = field(default_factory=dict)
    """Situations of variants that concern rules which the base game shows already, by group."""

    def seek(self, sought: Sought) -> None:
        """Add a situation that the game has."""
        self.shown.setdefault(sought.situation, [])
        if sought.why:
            self.why[sought.situation] = sought.why
        if sought.never:
            self.never.add(sought.situation)

    def show(self, situation: Situation, vector: str) -> None:
        """A vector shows a situation."""
        listed = self.shown.setdefault(situation, [])
        if vector not in listed:
            listed.append(vector)

    @property
    def groups(self) -> list[str]:
        """The groups, in the order in which they were met."""
        return list(dict.fromkeys(s.group for s in self.shown))

    def of(self, group: str, covered: bool) -> list[Situation]:
        """The situations of a group that are shown, or are not."""
        return [s for s, ids in self.shown.items() if s.group == group and bool(ids) == covered]

    def kept(self, ids: Iterable[str]) -> Coverage:
        """The coverage by some of the vectors only."""
        there = set(ids)
        return Coverage(
            {s: [i for i in listed if i in there] for s, listed in self.shown.items()},
            dict(self.why),
            set(self.never),
            dict(self.elsewhere),
        )

    def reason(self, situation: Situation) -> str:
        """Why no vector shows a situation."""
        return self.why.get(situation, "it was met, and no vector can ask about it")

    def table(self, most: int = 12) -> str:
        """For a reader: a row a group, then what is not shown, with the reason."""
        width = max((len(g) for g in self.groups), default=0)
        rows = [f"{'situations'.ljust(width)}  there are   shown  impossible  not shown"]
        for group in self.groups:
            yes, no = len(self.of(group, True)), self.of(group, False)
            never = sum(s in self.never for s in no)
            rows.append(f"{group.ljust(width)}  {yes + len(no):9}  {yes:6}  {never:10}  {len(no) - never:9}")
        if sum(self.elsewhere.values()):
            rows.append(f"left to the base game, whose rule a variant keeps: {sum(self.elsewhere.values())}")
        for group in self.groups:
            missing = [s for s in self.of(group, False) if s not in self.never]
            by_reason: dict[str, list[Situation]] = {}
            for s in missing:
                by_reason.setdefault(self.reason(s), []).append(s)
            for reason, listed in by_reason.items():
                rows += ["", f"{group}, not shown ({reason}):", *(f"  {s}" for s in listed[:most])]
                if len(listed) > most:
                    rows.append(f"  and {len(listed) - most} more, listed in coverage.json")
        return "\n".join(rows) + "\n"

    def written(self) -> str:
        """As it stands in a file: its head, then a situation a line."""
        tree = self.to_json()
        listed = tree.pop("situations")
        head = json.dumps(tree, ensure_ascii=False, indent=1)[:-2]
        rows = ",\n".join(json.dumps(s, ensure_ascii=False) for s in listed)
        return f'{head},\n "situations": [\n{rows}\n ]\n}}\n'

    def _counts(self, group: str) -> dict[str, int]:
        no = self.of(group, False)
        never = sum(s in self.never for s in no)
        return {"shown": len(self.of(group, True)), "impossible": never, "not shown": len(no) - never}

    def to_json(self) -> dict[str, Any]:
        """Plain data: every situation, with its vectors or why there are none."""
        return {
            "groups": {g: self._counts(g) for g in self.groups},
            "left to the base game": dict(self.elsewhere),
            "situations": [
                {"group": s.group, "variant": s.variant or None, "rule": s.rule or None, "what": s.says}
                | ({"vectors": ids} if ids else {"impossible" if s in self.never else "why": self.reason(s)})
                for s, ids in self.shown.items()
            ],
        }  # fmt: skip
