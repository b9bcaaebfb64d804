"""A game file: board, players, pieces, phases, endings, events, variants and questions."""

from __future__ import annotations

import sys
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from lawstone.board import LONGEST_SIDE
from lawstone.model import conditions, sites, steps
from lawstone.model.base import (
    Choosable,
    Directions,
    Identifier,
    Model,
    Name,
    Natural,
    Positive,
    Text,
    Words,
    choose_by_key,
    refusal,
)  # fmt: skip
from lawstone.model.conditions import Condition
from lawstone.model.faults import said, suggest
from lawstone.model.steps import Step

Side = Annotated[int, Field(ge=1, le=LONGEST_SIDE)]


class BoardClause(Model):
    """The board: exactly one of `grid`, `hexagon` and `lines`."""

    grid: Annotated[list[Side], Field(min_length=2, max_length=2)] | None = Field(
        None, description=f"Columns and rows of a rectangular board, each from 1 to {LONGEST_SIDE}."
    )
    hexagon: Annotated[int, Field(ge=1, le=(LONGEST_SIDE + 1) // 2)] | None = Field(
        None, description="Cells along each edge of a hexagonal board."
    )
    lines: Annotated[list[Annotated[list[str], Field(min_length=2)]], Field(min_length=1, max_length=200)] | None = Field(
        None, description="A board drawn as straight lines: the points of each line in order."
    )
    drawn_on: Literal["cells", "points"] = Field("cells", description="Whether pieces stand in cells or on the crossings of lines.")
    resizable: bool = Field(False, description="The size is a parameter: the rules do not fix it.")

    @model_validator(mode="after")
    def _one_kind(self) -> BoardClause:
        given = [kind for kind in ("grid", "hexagon", "lines") if getattr(self, kind) is not None]
        if len(given) != 1:
            raise refusal("a board is given by exactly one of 'grid', 'hexagon' and 'lines'", *given[1:2])
        return self


class Colours(Model):
    """Colours that players may exchange."""

    of: Literal["players"] = Field(description="Colours belong to players: the first player holds the first named.")
    names: Annotated[list[Name], Field(min_length=2, max_length=2)] = Field(description="The two colours.")


class Piece(Model):
    """A kind of piece."""

    of: Literal["player", "colour", "nobody"] = Field(description="Whose it is: each player's, each colour's, or nobody's.")
    kinds: Annotated[list[Name], Field(min_length=1, max_length=8)] | None = Field(
        None, description="Kinds within the piece, such as its symbols."
    )
    hand: Natural | dict[Name, Natural] | None = Field(
        None,
        description="How many (of each kind) are in each hand at the start, for all or by owner; unsaid: never running out.",
    )


class LineShape(Choosable):
    """A shape that is a straight line."""

    KEY: ClassVar[str] = "line"
    rule: Identifier = Field(description="Permanent id of the rule that defines the shape.")
    line: Annotated[int, Field(ge=2, le=LONGEST_SIDE)] = Field(description="How many sites in a row.")
    directions: Directions = Field(description="In which directions.")
    ends: Literal["opposite corners", "adjacent edges"] | None = Field(
        None, description="Where the two ends lie: on opposite corners, or one on each of two edges that meet."
    )
    avoids: Words | None = Field(None, description="No site of the shape belongs to this set, such as `corners`.")
    worth: Natural = Field(1, description="What the shape pays.")


class PictureShape(Choosable):
    """A shape that is drawn."""

    KEY: ClassVar[str] = "picture"
    rule: Identifier = Field(description="Permanent id of the rule that defines the shape.")
    picture: Annotated[
        list[Annotated[str, Field(pattern=r"^[#. ]+$", max_length=LONGEST_SIDE)]],
        Field(min_length=1, max_length=LONGEST_SIDE),
    ] = Field(description="Rows of the drawing: `#` must be there, `.` must not, a space may be anything.")
    fixed: bool = Field(False, description="Only as drawn, not turned or mirrored.")
    worth: Natural = Field(1, description="What the shape pays.")

    @model_validator(mode="after")
    def _shows_something(self) -> PictureShape:
        if not any("#" in row for row in self.picture):
            raise refusal("a picture shows at least one piece, as #", "picture")
        return self


class BoardLineShape(Choosable):
    """A shape that is a whole line of the board."""

    KEY: ClassVar[str] = "board line"
    rule: Identifier = Field(description="Permanent id of the rule that defines the shape.")
    board_line: Annotated[int, Field(ge=2, le=LONGEST_SIDE)] = Field(description="Sites in a row along a line of the board.")
    worth: Natural = Field(1, description="What the shape pays.")


SHAPES: tuple[type[Choosable], ...] = (BoardLineShape, LineShape, PictureShape)
Shape = Annotated[
    Annotated[LineShape, Tag("<line>")]
    | Annotated[PictureShape, Tag("<picture>")]
    | Annotated[BoardLineShape, Tag("<board line>")],
    Discriminator(choose_by_key(lambda: SHAPES, words=False)),
]


class Then(Model):
    """What follows a phase."""

    rule: Identifier | None = Field(None, description="Permanent id of the rule that says so.")
    if_: Condition | None = Field(None, description="Only if this holds; otherwise the next entry.")
    go: Words = Field(description="The phase that follows.")
    first: Words | None = Field(None, description="Who acts first in it; unsaid, the turns go on alternating.")


class PhaseClause(Model):
    """A named stretch of the game."""

    first: Words | None = Field(None, description="Who acts first when the phase begins the game.")
    turn: Annotated[list[Step], Field(min_length=1)] | None = Field(
        None, description="The steps of a turn, repeated, players alternating."
    )
    script: Annotated[list[Step], Field(min_length=1, max_length=40)] | None = Field(
        None, description="Turns played once each in order, each with its own `who`."
    )
    until: Condition | None = Field(
        None, description="The phase is over when this holds after a turn; a script is over after its last turn."
    )
    then: Then | Annotated[list[Then], Field(min_length=1)] | None = Field(
        None, description="What follows; of several the first that applies."
    )

    @model_validator(mode="after")
    def _one_kind(self) -> PhaseClause:
        if (self.turn is None) == (self.script is None):
            raise refusal("a phase has either a 'turn' or a 'script'", *(["script"] if self.script else []))
        return self


class EndingClause(Model):
    """How a game is over."""

    rule: Identifier = Field(description="Permanent id of the rule that ends the game.")
    if_: Condition = Field(description="Tested after every turn, in the order of the list, on the board after all steps.")
    wins: Literal["mover", "opponent", "next"] | None = Field(
        None, description="Who wins: the player whose turn has just been completed, the other one, or the one who acts next."
    )
    loses: Literal["mover", "opponent", "next"] | None = Field(
        None, description="Who loses, in the same words; the other one wins."
    )
    draw: bool = Field(False, description="The game is drawn.")
    in_: Words | list[Words] | None = Field(None, description="Only in these phases; unsaid, in all.")

    @model_validator(mode="after")
    def _one_result(self) -> EndingClause:
        given = [key for key in ("wins", "loses", "draw") if getattr(self, key)]
        if len(given) != 1:
            raise refusal("an ending has one of 'wins', 'loses' and 'draw: true'", *given[1:2])
        return self

    @property
    def result(self) -> tuple[Literal["mover", "opponent", "next", "draw"], bool]:
        """Who is named, and whether that is the winner."""
        return self.wins or self.loses or "draw", self.loses is None


class Repetition(Model):
    """What a repetition event counts."""

    of: Literal["position"] = Field(description="The whole position, the player to act included.")
    times: Annotated[int, Field(ge=2, le=10)] = Field(description="At the appearance of this number.")


class NoProgress(Model):
    """What a no-progress event counts."""

    plies: Positive = Field(description="Turns in a row without a placement or a capture.")


class Event(Model):
    """Something that may happen beside the rules of play; off unless asked for by name."""

    rule: Identifier = Field(description="Permanent id of the rule that declares the event.")
    name: Name = Field(description="How the event is called.")
    at: Literal["any pick", "start of a turn"] = Field("start of a turn", description="When it may happen.")
    by: Literal["actor", "both", "nobody"] = Field("nobody", description="Who brings it about.")
    ends: Literal["turn"] | None = Field(None, description="Picks already made stand, and the rest of the turn is lost.")
    loses: Literal["actor"] | None = Field(None, description="The player who acts loses the game.")
    draw: bool = Field(False, description="The game is drawn.")
    repetition: Repetition | None = Field(None, description="Happens by itself when a position comes back.")
    no_progress: NoProgress | None = Field(None, description="Happens by itself after turns without progress.")


class Ruling(Model):
    """A decision on a question."""

    answer: Identifier = Field(description="The answer that holds from now on.")
    by: str = Field(description="Who decided.")
    when: str = Field(description="When, as a date.")
    source: str = Field(description="Where it can be read.")


class Settled(Model):
    """A question that a sentence answers, kept because it is still got wrong."""

    settled_by: Annotated[list[str], Field(min_length=1)] = Field(
        description="Sources and sentence numbers that answer it, such as `founding 14`."
    )
    but: list[str] | None = Field(None, description="Sources that say otherwise or leave it open.")


class Differs(Model):
    """A question that sources answer differently."""

    differs_in: Annotated[list[str], Field(min_length=1)] = Field(description="The sources that contradict one another.")


Status = Annotated[
    Annotated[Literal["open"], Tag("<words>")] | Annotated[Settled, Tag("<settled>")] | Annotated[Differs, Tag("<differs>")],
    Discriminator(lambda v: "<words>" if isinstance(v, str) else "<differs>" if "differs in" in _keys(v) else "<settled>"),
]


def _keys(value: Any) -> set[str]:
    if isinstance(value, Differs):
        return {"differs in"}
    return set(value) if isinstance(value, dict) else set()


Changes = dict[str, Any]
"""By rule id or reserved key: a mapping from a path inside the clause to its new value (null takes it away)."""


class Question(Model):
    """A sentence open to two meanings."""

    id: Identifier = Field(description="Permanent id of the question; its prose stands under `question.<id>`.")
    in_: Words | None = Field(None, description="Only in the base game (`base`) or in this variant; unsaid, everywhere.")
    ask: Text | None = Field(None, description="The question in words, if it does not stand in the text files.")
    status: Status = Field(
        "open", description="`open`, `settled by` a source, or `differs in` sources that contradict one another."
    )
    source: list[str] | None = Field(None, description="Sentences of the sources that the question is about.")
    answers: Annotated[dict[Identifier, Changes], Field(min_length=2, max_length=12)] = Field(
        description="The answers; the first is the base answer and changes nothing."
    )
    ruling: Ruling | None = Field(None, description="A decision that has been made; every output honours it.")

    @model_validator(mode="after")
    def _base_answer(self) -> Question:
        first = next(iter(self.answers))
        if self.answers[first]:
            raise refusal("the first answer is the base answer: it changes nothing and is written {}", "answers", first)
        if self.ruling and self.ruling.answer not in self.answers:
            message = f"{said(self.ruling.answer)} is not an answer of this question"
            raise refusal(message, "ruling", "answer", hint=suggest(self.ruling.answer, self.answers))
        return self


class Together(Model):
    """What two answers mean at once that change the same part of a clause."""

    answers: Annotated[dict[Identifier, Identifier], Field(min_length=2, max_length=2)] = Field(
        description="The two answers, by question."
    )
    changes: Changes | None = Field(
        None, description="Changes made instead of those of the two answers, on the paths that are named; the others are made too."
    )
    same_as: Annotated[dict[Identifier, Identifier], Field(min_length=1, max_length=1)] | None = Field(
        None, description="One of the two: they mean what it means alone, and the other one changes nothing."
    )

    @model_validator(mode="after")
    def _one_meaning(self) -> Together:
        if (self.changes is None) == (self.same_as is None):
            raise refusal("what answers mean together is said by either 'changes' or 'same as'", *["same as"] * bool(self.same_as))
        if self.same_as is not None and not self.same_as.items() <= self.answers.items():
            raise refusal("'same as' names one of the two answers", "same as")
        return self


class Variant(Model):
    """A different game on the same base."""

    title: Text = Field(description="The variant's name, by language.")
    based_on: Words | None = Field(None, description="Another variant whose changes are made first.")
    changes: Changes = Field(description="What differs, by rule id or reserved key.")


class Game(Model):
    """A whole game file."""

    game: Identifier = Field(description="Permanent id of the game; also the name of its folder.")
    rules_version: Positive = Field(description="Goes up by one whenever the meaning of a rule changes.")
    title: Text = Field(description="The game's name, by language.")
    authentic: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] = Field(description="The language whose text decides.")
    board: BoardClause = Field(description="Where the pieces stand.")
    players: Annotated[list[Name], Field(min_length=2, max_length=2)] = Field(description="The two seats, in order of first turn.")
    colours: Colours | None = Field(None, description="Colours, when they are not the same as seats.")
    facing: dict[Name, Literal["north", "south", "east", "west"]] | None = Field(
        None, description="Where each player looks: what `forward` means."
    )
    pieces: Annotated[dict[Name, Piece], Field(min_length=1, max_length=12)] = Field(description="What is placed and moved.")
    tokens: dict[Words, Annotated[str, Field(pattern=r"^[^\s.|+-]{1,2}$")]] | None = Field(
        None, description="How pieces are written in drawn boards; unsaid, x and o, or initials."
    )
    regions: Annotated[dict[Name, Annotated[list[Words], Field(min_length=1)]], Field(max_length=60)] | None = Field(
        None, description="Named sets of sites."
    )
    start: dict[Words, Words | list[Words]] | None = Field(None, description="Pieces on the board at the start, and where.")
    shapes: Annotated[dict[Name, Shape], Field(max_length=40)] | None = Field(None, description="Named shapes.")
    steps: Annotated[dict[Name, Annotated[list[Step], Field(min_length=1)]], Field(max_length=60)] | None = Field(
        None, description="Steps that are named once and used in several turns."
    )
    start_phase: Words | None = Field(None, description="The phase that begins the game; required when there are several.")
    turn: Annotated[list[Step], Field(min_length=1)] | None = Field(
        None, description="The steps of a turn, for a game of one phase (called `main`)."
    )
    phases: Annotated[dict[Name, PhaseClause], Field(min_length=1, max_length=20)] | None = Field(
        None, description="The stretches of the game."
    )
    end: Annotated[list[EndingClause], Field(max_length=40)] = Field(description="How the game is over, in the order of testing.")
    order: list[Identifier] | None = Field(None, description="Another order of testing the endings, by rule id.")
    events: Annotated[list[Event], Field(max_length=40)] | None = Field(
        None, description="What may happen beside the rules of play."
    )
    variants: Annotated[dict[Identifier, Variant], Field(max_length=40)] | None = Field(
        None, description="Different games on the same base."
    )
    questions: Annotated[list[Question], Field(max_length=200)] | None = Field(None, description="Sentences open to two meanings.")
    together: Annotated[list[Together], Field(max_length=200)] | None = Field(
        None, description="Answers of two questions that change the same part of a clause, and what they mean at once."
    )

    @model_validator(mode="after")
    def _has_turns(self) -> Game:
        if self.turn is None and self.phases is None:
            raise refusal("a game has a 'turn' or 'phases'")
        return self


# Clauses name one another across files, so a model is built when it is first needed, with the names of all of them. Building each
# of them here would build most of them some forty times.
_NAMES = {**sites.NAMESPACE, **conditions.NAMESPACE, **steps.NAMESPACE}
for _module in (sites, conditions, steps, sys.modules[__name__]):
    for _name, _meant in _NAMES.items():
        vars(_module).setdefault(_name, _meant)
