"""Findings as data: what `check` and `diff` say, as one JSON document with a schema, and what is recorded of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lawstone.engine.drawn import parse_position
from lawstone.model.base import written
from lawstone.model.faults import BadInput, Fault
from lawstone.spec import Usage, load


class Part(BaseModel):
    """A part of a report."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=written, populate_by_name=True)


class Side(Part):
    """One of two readings at the place where they part."""

    answer: str = Field(description="The answer, or the name of the version.")
    says: str = Field(description="What this reading says, in one sentence from its prose.")
    only: list[str] = Field(description="Legal moves that only this reading allows.")
    outcome: str = Field(description="How the game stands under this reading, if it is over.")


class Loose(Part):
    """A pick of a witness that could be another one."""

    ply: int = Field(description="Which move of the game, from 1.")
    site: str
    elsewhere: list[str] = Field(description="The sites that do as well, the other moves as they are: each was played.")
    tried: int = Field(description="How many other sites were tried.")


class General(Part):
    """How general a witness is: what of it could be otherwise."""

    loose: list[Loose]
    together: bool | None = Field(None, description="All loose picks could be others at once: proved, not so, or not known.")
    needless: list[str] = Field(description="Sites whose piece may be missing from the position, which no game need lead to.")
    all_needless: bool = Field(description="All of these may be missing at once.")
    shifts: int = Field(description="Moves of the whole game over the board that show the same.")
    shiftable: int = Field(description="Moves of the whole game over the board that keep it on the board.")
    complete: bool = Field(description="Every pick of one site was tried on every other site.")
    says: list[str] = Field(description="The same in sentences.")
    board: str = Field(description="The board of the witness, what may be otherwise marked.")


class Witness(Part):
    """A game from the start that shows a finding."""

    moves: list[str] = Field(description="The moves, in notation.")
    plies: int = Field(description="How many moves there are.")
    board: str = Field(description="The board before the parting, drawn; for an outcome, after the last move.")
    position: str = Field(description="The same as a position that can be pasted.")
    shortest: bool = Field(description="No shorter game shows it.")
    least: bool = Field(
        False,
        description="Of the shortest games none has fewer pieces at the end, and of those none comes before it by its moves, "
        "compared turn by turn in the order of the board: the same on every run.",
    )
    how: str = Field(description="How the shortness is known, or that it is not.")
    replayed: bool = Field(description="The reference interpreter has replayed it, under both readings.")
    general: General | None = Field(None, description="What of it could be otherwise.")

    def __str__(self) -> str:
        return f"{self.board}\nafter {' '.join(self.moves)}" if self.moves else self.board

    def _repr_svg_(self) -> str | None:
        """The board as notebooks show it; None for a game that is not shipped, which they show as text."""
        found = re.match(r"game: (\S+)\n", self.position)
        try:
            return parse_position(load(found[1]), self.position)._repr_svg_() if found else None
        except (BadInput, Usage):
            return None


class Matters(Part):
    """Whether a difference matters: shares of random games under the first reading, replayed under the second."""

    games: int = Field(description="Random games.")
    parted: float = Field(description="Share of games in which the readings part at some point.")
    changed: float = Field(description="Share of games that end otherwise, or sooner, or go on, with the same moves.")
    unplayable: float = Field(description="Share of games with a move that the second reading does not allow.")
    values: dict[str, list[str]] | None = Field(
        None, description="Value of the game under each reading, by board, where it was solved."
    )


class Kind(Part):
    """One kind of difference between two readings, with its shortest game that was met."""

    level: str = Field(description="Where the readings part: legal moves, player to move, position, outcome or reason.")
    how: str = Field(
        description="In what way, as the player sees it who moves: who allows more, or how each reading ends the game."
    )
    phase: str = Field(description="The phase in which it happens.")
    rules: list[str] = Field(description="The rules that forbid the moves under the other reading, or those of the endings.")
    only_a: list[str] = Field(default_factory=list, description="Legal moves that only the first reading allows.")
    only_b: list[str] = Field(default_factory=list, description="Legal moves that only the second reading allows.")
    outcome_a: str = Field("", description="How the game stands under the first reading, where that is what differs.")
    outcome_b: str = Field("", description="How the game stands under the second reading, where that is what differs.")
    finding: bool = Field(False, description="The witness is the one of the finding itself.")
    witness: Witness = Field(description="`shortest` says that no shorter game shows this kind.")


class Kinds(Part):
    """The kinds of difference between two readings that were met, shortest first."""

    found: list[Kind]
    more: int = Field(0, description="How many more kinds were met than are told.")
    complete: bool = Field(description="Every game was compared to its end, or to where it parts the readings: no other kinds.")
    how: str = Field(description="How far was looked.")


class Difference(Part):
    """The verdict on a pair of readings."""

    question: str = Field(description="The question, or what is compared.")
    ask: str = Field(description="The question in words.")
    status: str = Field(description="open, settled or differs.")
    variant: str = Field("", description="The variant in which it was asked.")
    a: Side
    b: Side
    rules: list[str] = Field(description="The rules that the readings change.")
    sources: list[str] = Field(description="Sentences concerned, by number, paraphrased.")
    verdict: Literal["differ", "same: proved", "same: bounded", "unknown"] = Field(description="What is known.")
    level: str = Field("", description="Where they part: legal moves, player to move, position, outcome, reason or events.")
    witness: Witness | None = None
    bound: str = Field("", description="How far they were compared, where no difference was found.")
    matters: Matters | None = None
    kinds: Kinds | None = Field(None, description="A shortest game for each kind of difference, where that was asked.")
    steps: list[str] = Field(default_factory=list, description="The methods tried, in order, and what each gave.")
    kept: bool = Field(False, description="From an earlier run on rules of the same meaning, by the same method.")
    seed: int = Field(description="The seed of the random games.")
    command: str = Field(description="The command that repeats this.")

    @property
    def key(self) -> str:
        """What makes this the same finding in another run."""
        return f"{self.variant or 'base'}/{self.question}/{self.a.answer}/{self.b.answer}"

    @property
    def open(self) -> bool:
        """Whether it is an ambiguity of the rules rather than a known mistake."""
        return self.status != "settled"


class Gap(Part):
    """A situation that the rules say nothing about."""

    kind: Literal["no move", "duty", "endless"] = Field(
        description="`no move`: the player to act has none and no ending holds; `duty`: a later step cannot be met; "
        "`endless`: play can repeat for ever."
    )
    rule: str = Field(description="The clause that cannot be met, or the phase that repeats.")
    says: str = Field(description="The sentence of that rule.")
    variant: str = Field("", description="The variant in which it was met.")
    witness: Witness
    since: int | None = Field(
        None, description="For `endless`: the ply after which the position stood for the first time that comes back at the end."
    )
    boards: list[str] = Field(default_factory=list, description="For `endless`: the boards on the way round, drawn.")
    share: float = Field(description="Share of random games that run into it.")
    kept: bool = Field(False, description="From an earlier run on rules of the same meaning, by the same method.")
    seed: int
    command: str

    @property
    def key(self) -> str:
        """What makes this the same finding in another run."""
        return f"{self.variant or 'base'}/gap/{self.kind}/{self.rule}"


class DutyVerdict(Part):
    """Whether a duty of a turn can always be met, in every reachable position."""

    kind: Literal["no move", "duty"] = Field(description="A first pick that may be missing, or a later step that may not be met.")
    phase: str
    option: str = Field(description="The option picked before, if any.")
    rule: str = Field(description="The clause.")
    variant: str = ""
    verdict: Literal["never", "reached", "possible", "unknown", "idle"] = Field(
        description="`never` fails: proved; `reached`: a game runs into it; `possible`: no proof and no game; `idle`: never asked."
    )
    kept: bool = Field(False, description="From an earlier run on rules of the same meaning, by the same method.")


class Unfinished(Part):
    """Something asked of a game that a bound has cut off."""

    what: str = Field(description="What was asked: gaps, duties, lines, words or examples.")
    variant: str = ""
    reason: str = Field(description="The bound that was reached.")

    @property
    def key(self) -> str:
        """What makes this the same in another run."""
        return f"{self.variant or 'base'}/{self.what}"


ConcernKind = Literal["conflict", "never used", "redundant", "endless", "event", "turn order"]


class Concern(Part):
    """Something that may be wrong with the rules as they are written, and what is known of it."""

    kind: ConcernKind = Field(
        description="`conflict`: two endings hold at once; `never used`: a line that is never in force; `redundant`: words that "
        "change nothing; `endless`: play that may go on for ever; `event`: what an event brings is not said; `turn order`: who "
        "acts after a pick is not said."
    )
    name: str = Field(description="What names it among the findings of a variant; permanent as long as the rule ids are.")
    rules: list[str] = Field(description="The rules concerned.")
    what: str = Field(description="The finding in one sentence.")
    says: list[str] = Field(default_factory=list, description="The sentences of these rules.")
    variant: str = Field("", description="The variant in which it was asked.")
    verdict: Literal["finding", "harmless", "open", "none"] = Field(
        description="`finding`: it is so; `harmless`: it is so, and changes no result; `none`: it is not so; `open`: not decided."
    )
    by: Literal["game", "proof", "form", "bound"] = Field(
        description="How it is known: a replayed game, a proof, the form of the file, or only up to a bound."
    )
    how: str = Field(description="The game, the proof or the bound, in words.")
    question: str = Field("", description="A question of the game that asks about it.")
    witness: Witness | None = None
    kept: bool = Field(False, description="From an earlier run on rules of the same meaning, by the same method.")
    seed: int = 1
    command: str = ""

    @property
    def key(self) -> str:
        """What makes this the same finding in another run."""
        return f"{self.variant or 'base'}/{self.name}"


class Actor(Part):
    """Who acts at a decision, as far as the rules fix it."""

    seat: str = Field(description="The player by seat; `either` where both may come to it.")
    colour: str = Field("", description="The colour held, where seats and colours are told apart.")


class Follows(Part):
    """Who acts after a pick: one row of the table of turns."""

    variant: str = ""
    phase: str
    pick: str = Field(description="What is picked: the options, or the rules of the turn.")
    actor: Actor
    then: Actor
    in_phase: str = Field(description="The phase that follows.")
    only_if: str = Field("", description="The rule that says when, where the board decides.")


class Decision(Part):
    """One kind of decision, and what an event brings there."""

    variant: str = ""
    phase: str
    pick: str = Field(description="What is to be picked, by rule.")
    actor: Actor = Field(description="Who is to act: whose clock runs.")
    event: str
    rule: str = Field(description="The rule that declares the event.")
    brings: str = Field(description="What it brings, in words; empty where the event is not for such a decision.")
    defined: bool = Field(description="Whether the rules say what follows.")


class FailedExample(Part):
    """A worked example that does not hold."""

    id: str
    failures: list[str]


class Report(Part):
    """All findings on one game."""

    lawstone: str = Field(description="Version of the toolkit.")
    game: str
    title: str
    rules_version: int
    board: str
    seed: int
    differences: list[Difference]
    gaps: list[Gap]
    duties: list[DutyVerdict] = Field(default_factory=list, description="Whether each duty can always be met, where it was asked.")
    unfinished: list[Unfinished] = Field(default_factory=list, description="What a bound has cut off, apart from differences.")
    concerns: list[Concern] = Field(default_factory=list, description="What may be wrong with the rules as they are written.")
    turns: list[Follows] = Field(default_factory=list, description="Who acts after each kind of pick.")
    decisions: list[Decision] = Field(default_factory=list, description="What each event brings at each kind of decision.")
    examples: int = Field(description="Worked examples that were run.")
    failed_examples: list[FailedExample]
    cpu_seconds: float

    def unrecorded(self, recorded: Mapping[str, str]) -> list[str]:
        """Findings that are not recorded as such (`recorded` gives verdicts by key): differences of unsettled questions,
        differences where a sameness was recorded, and gaps."""
        found = [d.key for d in self.differences if d.verdict == "differ" and (d.open or d.key in recorded)]
        return [
            *(k for k in found if recorded.get(k) != "differ"),
            *(g.key for g in self.gaps if recorded.get(g.key) != "gap"),
            *(f.key for f in self.concerns if f.verdict == "finding" and recorded.get(f.key) != "finding"),
        ]

    def undecided(self, recorded: Mapping[str, str]) -> list[str]:
        """Unsettled questions without a difference and without a proof that are not recorded, and what a bound has cut off."""
        bounded = ("same: bounded", "unknown")
        found = [d.key for d in self.differences if d.open and d.verdict in bounded and d.key not in recorded]
        return [*found, *(u.key for u in self.unfinished)]
        """Unsettled questions without a difference and without a proof, and open findings, that are not recorded."""
        bounded = ("same: bounded", "unknown")
        return [
            *(d.key for d in self.differences if d.open and d.verdict in bounded and d.key not in recorded),
            *(f.key for f in self.concerns if f.verdict == "open" and f.key not in recorded),
        ]


By = Literal["form", "positions", "facts", "deeper", "moves", "games", "measures"]
"""How a verdict follows from the answers on file."""


class Basis(Part):
    """How a verdict follows from the certificates in `proofs/<game>/certificates/verdicts.zip`."""

    by: By = Field(
        description="`form`: the same core terms; `positions`: all well-formed positions; `facts`: all that fulfil facts proved by "
        "induction; `deeper`: the same with deeper facts; `moves`: induction over moves; `games`: every game is played; "
        "`measures`: every turn uses something up."
    )
    reasons: bool = Field(True, description="The rule that is named as the reason is the same too.")
    idle: list[str] = Field(default_factory=list, description="Turns of which it says nothing: none is legal in such a position.")
    answers: int = Field(0, description="Questions answered no, each with a certificate; those about the facts are counted apart.")
    second: dict[str, int] = Field(default_factory=dict, description="What a second solver said of them, and how often.")


class Recorded(Part):
    """One finding as it is kept in `proofs/<game>/results.json`."""

    key: str = Field(description="Variant, question and answers, or the gap.")
    verdict: str = Field(description="differ, same: bounded, unknown, gap, or that of a finding.")
    level: str = Field("", description="Where the readings part.")
    moves: list[str] | None = Field(None, description="The witness game.")
    board: str | None = Field(None, description="The board of the witness, if it is not the game's own.")
    shortest: bool = Field(False, description="No shorter game shows it.")
    least: bool = Field(False, description="And none of that length comes before it.")
    how: str = Field("", description="How that is known, or how far was looked.")
    seed: int = 1
    version: str = Field("", description="Version of the toolkit that found it.")
    proof: Basis | None = Field(None, description="The argument that shows it, where it rests on a proof.")


class Results(Part):
    """The file `proofs/<game>/results.json`."""

    game: str
    rules_version: int
    findings: list[Recorded]


def results_of(report: Report) -> Results:
    """What is worth keeping of a report."""
    kept = [
        Recorded(key=d.key, verdict=d.verdict, level=d.level, moves=d.witness.moves if d.witness else None,
                 shortest=bool(d.witness and d.witness.shortest), least=bool(d.witness and d.witness.least),
                 how=d.witness.how if d.witness else d.bound, seed=d.seed,
                 version=report.lawstone)
        for d in report.differences
    ]  # fmt: skip
    kept += [
        Recorded(key=g.key, verdict="gap", level=g.kind, moves=g.witness.moves, shortest=g.witness.shortest, how=g.witness.how,
                 seed=g.seed, version=report.lawstone)
        for g in report.gaps
    ]  # fmt: skip
    kept += [
        Recorded(key=f.key, verdict=f.verdict, level=f.kind, moves=f.witness.moves if f.witness else None,
                 shortest=bool(f.witness and f.witness.shortest), how=f.how, seed=f.seed, version=report.lawstone)
        for f in report.concerns
        if f.verdict != "none" or f.kind in ("conflict", "endless")
    ]  # fmt: skip
    return Results(game=report.game, rules_version=report.rules_version, findings=sorted(kept, key=lambda r: r.key))


def write_results(results: Results, path: Path) -> None:
    """Write `results.json`, readable and stable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = results.model_dump(by_alias=True, exclude_defaults=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_results(path: Path) -> Results | None:
    """The recorded findings, if there are any; raises BadInput where the file is no such record."""
    return read_on_record(Results, path, "findings", "`lawstone check GAME --record` writes them")


Kept = TypeVar("Kept", bound=Part)


def read_on_record(form: type[Kept], path: Path, what: str, hint: str) -> Kept | None:
    """A record of a given form, if there is one; raises BadInput where the file is none, with what it should hold and a hint."""
    try:
        return form.model_validate_json(path.read_bytes()) if path.exists() else None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput([Fault(str(path), 1, 1, "bad-record", f"not a record of {what}: {place}: {first['msg']}", hint)]) from None
