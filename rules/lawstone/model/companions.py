"""The files beside a game file: `examples.yaml` (worked examples, which are tests) and `sources.yaml` (what was read)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from lawstone.model.base import Identifier, Model, Natural, Positive, Text, Words

Site = Annotated[str, Field(pattern=r"^[a-z]\d{1,2}$")]


class Drawn(Model):
    """A position: a drawn board and what the drawing does not show."""

    game: Identifier | None = Field(None, description="The game, in a position that stands alone.")
    variant: Identifier | None = Field(None, description="The variant, in a position that stands alone.")
    reading: dict[Identifier, Identifier] | None = Field(None, description="Answers that differ from the base, by question.")
    size: Annotated[list[Positive], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Columns and rows of a resized board."
    )
    board: str = Field(
        description="Rows from the top, tokens separated by spaces; rank numbers and file letters may stand beside them."
    )
    to_act: Words = Field(description="The player (seat) who is to act.")
    phase: Words | None = Field(None, description="The phase, needed when the game has several.")
    last: Site | Literal["none"] | None = Field(None, description="The site of the piece that the turn before placed or moved.")
    hands: dict[Words, Natural] | None = Field(
        None, description="Pieces in hand, such as `black stone: 3`; unsaid: the full hand less the pieces on the board."
    )
    captured: dict[Words, Natural] | None = Field(None, description="How many pieces each player has captured.")
    captured_in: dict[Words, bool] | None = Field(None, description="Whether anything was captured in a phase.")
    holds: dict[Words, Words] | None = Field(None, description="Which colour each player holds, where players take colours.")


class Result(Model):
    """How a game stands: won, drawn or without a rule, and the rule that says so."""

    wins: Words | None = Field(None, description="The player who wins.")
    draw: bool = Field(False, description="The game is drawn.")
    no_rule: Identifier | None = Field(None, description="Play stops: the clause that cannot be met.")
    by: Identifier | None = Field(None, description="The rule that ends the game.")


class Example(Model):
    """A worked example: a position or a game, and what holds there."""

    id: Identifier = Field(description="Permanent id.")
    shows: Annotated[list[Identifier], Field(min_length=1)] = Field(description="The rules or questions that it shows.")
    cites: list[Natural | str] = Field(
        default_factory=list, description="Sentences that state or entail the answer; empty when it is the project's own."
    )
    title: Text = Field(description="What the example shows, in one sentence, by language.")
    variant: Identifier | None = Field(None, description="The variant it is played in.")
    reading: dict[Identifier, Identifier] | None = Field(None, description="Answers that differ from the base, by question.")
    size: Annotated[list[Positive], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Columns and rows of a resized board."
    )
    position: Drawn | None = Field(None, description="Where it begins; unsaid, at the start of the game.")
    after: list[Words] | None = Field(None, description="Moves played first.")
    moves: list[Words] | None = Field(None, description="Exactly these moves are legal.")
    legal: list[Words] | None = Field(None, description="These moves are among the legal ones.")
    illegal: dict[Words, Identifier] | None = Field(None, description="These moves are not legal, and the rule that forbids each.")
    count: Natural | None = Field(None, description="How many moves are legal.")
    play: Words | None = Field(None, description="This move is played; what follows holds after it.")
    outcome: Result | Literal["none"] | None = Field(None, description="How the game stands; `none`: it goes on.")
    acts: Words | None = Field(None, description="Who is to act.")
    enters: Words | None = Field(None, description="The phase that play is in.")
    shown: str | None = Field(None, description="The board.")


class Examples(Model):
    """The file `examples.yaml`."""

    examples: list[Example] = Field(description="Worked examples, in reading order.")


class SourceEntry(Model):
    """Something that was read."""

    id: Identifier = Field(description="Short id by which it is cited.")
    title: str = Field(description="What it is called.")
    kind: str = Field(description="What kind of source it is, such as a founding text, a rulebook, a platform.")
    file: str | None = Field(None, description="The file name of a founding text, which is not part of the project.")
    language: str | list[str] | None = Field(None, description="Its language or languages.")
    read: str | None = Field(None, description="When it was read, as a date.")
    says: str = Field(description="What it says, paraphrased.")
    note: str | None = Field(None, description="A remark.")


class Sentence(Model):
    """One sentence of the founding text, accounted for."""

    n: Positive = Field(description="Its number.")
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")] = Field(description="The digest of the sentence.")
    is_: Literal["rule", "example", "question", "repetition", "not a rule"] = Field(description="What became of it.")
    of: list[Identifier] | None = Field(None, description="The rules, questions or examples that carry it.")
    says: str = Field(description="What it says, paraphrased.")
    note: str | None = Field(None, description="A remark: false, contradictory, unclear.")


class Sources(Model):
    """The file `sources.yaml`."""

    sources: Annotated[list[SourceEntry], Field(min_length=1)] = Field(description="What was read.")
    coverage: list[Sentence] | None = Field(None, description="Every sentence of the founding text, in order.")
