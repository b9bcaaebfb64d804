"""Claims: sentences that must hold of a game, in the language's own words, and what is on record about each.

A claim says what holds (`always`, `never`, `if ... then`, `same`, ...), where it is asked (every position where a player is to act,
or the board after every move, read as an ending reads it), and in which variant, phases and board sizes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from lawstone import data
from lawstone.lower import Asked, lower_asking
from lawstone.model.base import Identifier, Model, Natural, Positive, Text, Words, refusal, written
from lawstone.model.conditions import Condition, Every, NoneOf
from lawstone.model.faults import BadInput
from lawstone.model.located import read
from lawstone.model.sites import Named, Sites
from lawstone.model.wording import from_pydantic
from lawstone.spec import Spec, Usage

Size = Annotated[str, Field(pattern=r"^\d{1,2}x\d{1,2}( to \d{1,2}x\d{1,2})?$")]


class Where(Model):
    """Where a claim is asked."""

    variant: Identifier | None = Field(None, description="The variant; unsaid, the base game.")
    reading: dict[Identifier, Identifier] | None = Field(None, description="Answers that differ from the base, by question.")
    phases: list[Words] | None = Field(None, description="Only in these phases; unsaid, in all.")
    boards: list[Size] | None = Field(
        None,
        description="Board sizes, such as `9x9`, or `1x1 to 15x15` for every square board of that range; unsaid, the game's own.",
    )


class Soonest(Model):
    """What `soonest` speaks of."""

    ending: Identifier = Field(description="The rule that ends the game.")
    ply: Positive = Field(description="The number of the move that may end a game by it, and no earlier one.")


class Counted(Model):
    """What `counted` speaks of."""

    plies: Positive = Field(description="After exactly so many moves from the start.")
    sequences: int | None = Field(None, description="The number of sequences of moves.")
    positions: int | None = Field(None, description="The number of distinct positions.")


class Compared(Model):
    """What `readings` speaks of."""

    question: Identifier = Field(description="The question.")
    answers: Annotated[list[Identifier], Field(min_length=2, max_length=2)] = Field(description="Two of its answers.")


FORMS = (
    "always", "never", "then", "same", "same_sites", "never_ends", "never_drawn", "never_stuck", "duties_met",
    "well_formed", "readings", "shapes",
    "separate_shapes", "soonest", "counted",
)  # fmt: skip
"""The keys of which a claim has exactly one."""


class Claim(Model):
    """A sentence that must hold of a game."""

    id: Identifier = Field(description="Permanent id.")
    says: Text = Field(description="The claim in words, by language.")
    source: list[Words] = Field(description="Who says so: sentences of a source, or `own` for a claim of this project.")
    touches: Annotated[list[Identifier], Field(min_length=1)] = Field(description="The rules or questions that it speaks of.")
    in_: Where = Field(default_factory=lambda: Where.model_validate({}), description="Variant, phases and boards.")
    about: Literal["position", "move"] = Field(
        "position", description="Asked of every position before a turn, or of the board after every move, as an ending reads it."
    )
    given: list[Identifier] | None = Field(None, description="Claims taken as known: lemmas, which must be proved themselves.")
    expect: Literal["proved", "refuted", "bounded", "open"] = Field(description="The verdict that the project stands by.")
    shown_by: list[Words] | None = Field(None, description="A game that refutes the claim, where play does not find one by itself.")
    note: str | None = Field(None, description="A remark, such as an argument for all board sizes, which is no proof by the tool.")
    always: Condition | None = Field(None, description="This holds.")
    never: Condition | None = Field(None, description="This does not hold.")
    if_: Condition | None = Field(None, description="With `then`: wherever this holds, ...")
    then: Condition | None = Field(None, description="... that holds too.")
    same: Annotated[list[Condition], Field(min_length=2, max_length=2)] | None = Field(
        None, description="These two hold in the same places."
    )
    same_sites: Annotated[list[Sites], Field(min_length=2, max_length=2)] | None = Field(
        None, description="These are the same sites."
    )
    never_ends: Annotated[list[Identifier], Field(min_length=1)] | None = Field(None, description="No game ends by these rules.")
    never_drawn: Literal[True] | None = Field(None, description="No game is drawn, and play never stops without a rule.")
    never_stuck: Literal[True] | None = Field(None, description="Play never stops without a rule: every duty can be met.")
    duties_met: Literal[True] | None = Field(
        None, description="Once the first pick of a turn is made, every later duty can be met."
    )
    well_formed: Literal[True] | None = Field(
        None, description="No site is doubly occupied, single pieces stand once, nobody has more pieces than the supply."
    )
    readings: Compared | None = Field(None, description="Two answers to a question treat every move alike.")
    shapes: dict[Words, Natural] | None = Field(None, description="How many places each shape has; `any` is their sum.")
    separate_shapes: Literal[True] | None = Field(None, description="No place of a shape lies inside another place of a shape.")
    soonest: Soonest | None = Field(None, description="The first move of a game that can end it by a rule.")
    counted: Counted | None = Field(None, description="How many sequences and positions there are.")

    @model_validator(mode="after")
    def _one_form(self) -> Claim:
        given = [f for f in FORMS if getattr(self, f) is not None]
        if len(given) != 1 or (self.if_ is not None) != (self.then is not None):
            raise refusal("a claim has exactly one of " + ", ".join(map(written, FORMS)) + " (`then` with an `if`)")
        return self

    @property
    def form(self) -> str:
        """Which of FORMS it has."""
        return next(f for f in FORMS if getattr(self, f) is not None)

    @property
    def digest(self) -> str:
        """A hash of all that decides what is asked; a word of LATER that is not set leaves it as it was."""
        told = self.model_dump(
            by_alias=True, mode="json", exclude={"says", "source", "touches", "note", "expect", "shown_by"}, exclude_none=True
        )
        return digest(json.dumps(_without_later(told), sort_keys=True, ensure_ascii=False))

    def boards(self) -> list[tuple[int, int] | None]:
        """The board sizes that it is asked of; None is the game's own."""
        found: list[tuple[int, int] | None] = []
        for words in self.in_.boards or []:
            sizes = [(int(a), int(b)) for a, b in re.findall(r"(\d+)x(\d+)", words)]
            found += [(n, n) for n in range(sizes[0][0], sizes[-1][0] + 1)] if len(sizes) == 2 else sizes
        return found or [None]

    def conditions(self) -> dict[str, Condition]:
        """The conditions to be lowered, by name."""
        if self.same_sites is not None:
            a, b = self.same_sites
            return {"never": Every.model_validate({"all of": [_left_over(a, b), _left_over(b, a)]})}
        found = {
            name: getattr(self, field)
            for name, field in (("always", "always"), ("never", "never"), ("if", "if_"), ("then", "then"))
        }
        found |= dict(zip(("a", "b"), self.same or (), strict=False))
        return {name: c for name, c in found.items() if c is not None}


def _left_over(a: Sites, b: Sites) -> NoneOf:
    return NoneOf.model_validate({"none": Named.model_validate({"sites": a, "but not": b})})


LATER = ("none longer",)
"""Flags that came into the language after claims had been recorded; unset, they mean what was meant before there were any."""


def _without_later(told: Any) -> Any:
    if isinstance(told, dict):
        return {k: _without_later(v) for k, v in told.items() if k not in LATER or v is not False}
    return [_without_later(x) for x in told] if isinstance(told, list) else told


class Claims(Model):
    """The file `proofs/<game>/claims.yaml`."""

    game: Identifier
    claims: list[Claim] = Field(description="In reading order; a lemma stands before what is proved with it.")


def digest(text: str) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def folder(game: str) -> Path:
    """The folder of what has been shown of a shipped game."""
    return data.proofs_root() / game


def load_claims(path: Path) -> Claims:
    """Read a file of claims; raises BadInput with every fault found."""
    document = read(path)
    try:
        return Claims.model_validate(document.tree)
    except ValidationError as error:
        raise BadInput(from_pydantic(error, document.tree, Claims)) from None


def rules_of(spec: Spec, claim: Claim, board: tuple[int, int] | None, others: Iterator[Claim] | list[Claim] = ()) -> Asked:  # type: ignore[assignment]
    """The rules of a claim's variant and board, with its conditions (and those of the lemmas it is given) lowered beside them.

    Conditions are named `<claim id>/<name>`. Raises BadInput or Usage.
    """
    game, _ = spec.file(claim.in_.variant or "", claim.in_.reading or {}, board)
    here: dict[str, tuple[Condition, set[str]]] = {}
    after: dict[str, Condition] = {}
    for c in (claim, *others):
        for name, condition in c.conditions().items():
            key = f"{c.id}/{name}"
            if c.about == "move":
                after[key] = condition
            else:
                here[key] = (condition, set(c.in_.phases or (*(game.phases or {}), "main")))
    return lower_asking(game, here, after)


def lemmas_of(claim: Claim, claims: Claims) -> list[Claim]:
    """The claims that a claim is given; raises Usage where one is missing or stands after it."""
    found = []
    for name in claim.given or []:
        before = {c.id: c for c in claims.claims[: [c.id for c in claims.claims].index(claim.id)]}
        if name not in before:
            raise Usage(f"{claims.game}: the claim '{claim.id}' is given '{name}', which does not stand before it")
        found.append(before[name])
    return found


# -- what is on record ------------------------------------------------------------------------------------------------------------


class Proof(Model):
    """One question whose answer is no, with its certificate."""

    about: str = Field(description="The question: the path of turns, and what is asked at its end.")
    formula: str = Field(description="SHA-256 of the whole formula (DIMACS), as it is built from the game file.")
    clauses: Annotated[int, Field(ge=0)] = Field(description="How many clauses it has.")
    core: str = Field(description="SHA-256 of the clauses that the contradiction needs (DIMACS).")
    kept: Annotated[int, Field(ge=0)] = Field(description="How many clauses these are.")
    proof: str = Field(description="SHA-256 of the proof (LRAT).")
    steps: Annotated[int, Field(ge=0)] = Field(description="How many steps it has.")
    file: str = Field(description="The archive that holds both, and their name in it.")
    second: str = Field("", description="What a second solver answered, of its own accord.")


class Seen(Model):
    """A game that shows something: that a claim is not empty, or that it is false."""

    moves: list[str] = Field(description="The moves from the start.")
    shows: Literal["premise", "violation", "ending"] = Field(description="What holds at its end.")
    shortest: bool = Field(False, description="No shorter game shows it.")


class Finding(Model):
    """The verdict on a claim on one board."""

    board: str = Field(description="Columns and rows.")
    verdict: Literal["proved", "refuted", "bounded", "unknown"]
    scope: str = Field(description="What the verdict is about: every well-formed position, every reachable one, so many plies, ...")
    method: str = Field(description="How it was found.")
    depth: int = Field(0, description="How many earlier positions an induction looks back on.")
    bare: bool = Field(False, description="The proof does not even need well-formed positions.")
    facts: list[str] = Field(
        default_factory=list,
        description="Facts under which it is shown, `phase: fact`; the first proofs show that they always hold.",
    )
    proofs: list[Proof] = Field(default_factory=list)
    witness: Seen | None = Field(None, description="A game that refutes the claim, or shows that it is not empty.")
    vacuous: bool = Field(False, description="No position was found to which the claim applies.")
    seconds: float = Field(0.0, description="Processor time.")
    kept: bool = Field(False, description="From an earlier run; never on record.")


class Settled(Model):
    """What is known of a claim."""

    claim: Identifier
    digest: str = Field(description="A hash of the claim's wording: another one is another claim.")
    verdict: Literal["proved", "refuted", "bounded", "unknown"]
    findings: list[Finding]


class ClaimResults(Model):
    """The file `proofs/<game>/claims-results.json`."""

    game: Identifier
    rules_version: Positive
    lawstone: str = Field(description="The version of the toolkit.")
    solver: str = Field(description="The solver that found the proofs.")
    second: str = Field(description="The solver asked for a second opinion, and its bound.")
    seed: int
    claims: list[Settled]


def write_record(results: ClaimResults, path: Path) -> None:
    """Write the record, readable and stable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = results.model_dump(by_alias=True, mode="json", exclude_defaults=True)
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_record(path: Path) -> ClaimResults:
    """The record of a game; raises BadInput (not a record) or OSError."""
    from lawstone.model.faults import Fault

    try:
        return ClaimResults.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput([Fault(str(path), 1, 1, "bad-record", f"not a record of claims: {place}: {first['msg']}")]) from None


def overall(findings: list[Finding]) -> Any:
    """The verdict on all boards together: the weakest, and `refuted` where any board refutes."""
    verdicts = [f.verdict for f in findings]
    return next(v for v in ("refuted", "unknown", "bounded", "proved") if v in verdicts)
