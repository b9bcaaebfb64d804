"""Conditions, as a game file says them: each is a mapping recognised by one key."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from lawstone.model.base import Choosable, Directions, Identifier, Model, Natural, Positive, Words, choose_by_key
from lawstone.model.sites import Sites


class ConditionClause(Choosable):
    """What may stand beside any condition."""

    rule: Identifier | None = Field(None, description="Permanent id of the rule that this condition states.")


class Line(Model):
    """What `line` speaks of."""

    of: Sites = Field(description="The run is made of these sites.")
    directions: Directions = Field(description="In which directions a run counts.")
    exactly: Positive | None = Field(
        None, description="A maximal run of exactly this many: both ends closed by something else or the rim."
    )
    at_least: Positive | None = Field(None, description="A run of this many or more.")
    none_longer: bool = Field(
        False,
        description="With `exactly`: a longer run that stands as well, through the same sites where they are named, spoils it.",
    )
    through: Sites | None = Field(None, description="Only runs that use one of these sites.")
    past: Sites | None = Field(
        None,
        description="Sites of this set between two of the run are passed over: they neither count nor end it. Unsaid, nothing is.",
    )


class HasLine(ConditionClause):
    """A straight run."""

    KEY: ClassVar[str] = "line"
    line: Line = Field(description="There is a straight run of these sites anywhere on the board.")


class HasShape(ConditionClause):
    """A declared shape, complete."""

    KEY: ClassVar[str] = "shape"
    shape: Words | Annotated[list[Words], Field(min_length=1)] = Field(description="A declared shape, several, or `any`.")
    of: Sites = Field(description="The shape is made of these sites.")
    through: Sites | None = Field(None, description="Only copies that use one of these sites.")


class Count(ConditionClause):
    """The size of a set."""

    KEY: ClassVar[str] = "count"
    count: Sites = Field(description="The set that is counted.")
    with_hand: bool = Field(False, description="The pieces still in hand are counted too.")
    at_least: Natural | None = Field(None, description="This many or more.")
    at_most: Natural | None = Field(None, description="This many or fewer.")
    exactly: Natural | None = Field(None, description="Exactly this many.")


class Some(ConditionClause):
    """A set has a member."""

    KEY: ClassVar[str] = "some"
    some: Sites = Field(description="There is at least one such site.")


class NoneOf(ConditionClause):
    """A set is empty."""

    KEY: ClassVar[str] = "none"
    none: Sites = Field(description="There is no such site.")


class InHand(ConditionClause):
    """A piece is still in hand."""

    KEY: ClassVar[str] = "in hand"
    in_hand: Words = Field(description="At least one of this piece is still in hand, such as `own pawn x`.")


class HandsEmpty(ConditionClause):
    """Nothing is left to place."""

    KEY: ClassVar[str] = "hands empty"
    hands_empty: Words = Field(description="`both`, or the player whose hand is empty.")


class CapturedBy(ConditionClause):
    """How much a player has captured in the whole game."""

    KEY: ClassVar[str] = "captured by"
    captured_by: Words = Field(description="The player whose captures are counted; pieces taken by `remove` are no captures.")
    at_least: Positive = Field(1, description="This many pieces or more.")


class NothingCaptured(ConditionClause):
    """No capture in a phase."""

    KEY: ClassVar[str] = "nothing captured in"
    nothing_captured_in: Words = Field(description="The phase in which neither player captured anything.")


class CanMove(ConditionClause):
    """A player has a move."""

    KEY: ClassVar[str] = "can move"
    can_move: Words = Field(description="The player who has a pick for the first step of some turn; later duties do not count.")


class CannotMove(ConditionClause):
    """A player has no move."""

    KEY: ClassVar[str] = "cannot move"
    cannot_move: Words = Field(description="The player who has no pick for the first step of any turn.")


class Enters(ConditionClause):
    """A phase begins."""

    KEY: ClassVar[str] = "enters"
    enters: Words = Field(description="The turn that follows belongs to this phase, and the one just completed did not.")


class Every(ConditionClause):
    """All conditions hold."""

    KEY: ClassVar[str] = "all of"
    all_of: Annotated[list[Condition], Field(min_length=1)] = Field(description="Each of these holds.")


class Either(ConditionClause):
    """One condition holds."""

    KEY: ClassVar[str] = "any of"
    any_of: Annotated[list[Condition], Field(min_length=1)] = Field(description="At least one of these holds.")


class Not(ConditionClause):
    """A condition does not hold."""

    KEY: ClassVar[str] = "not"
    not_: Condition = Field(description="This does not hold.")


class Always(ConditionClause):
    """A condition that always holds."""

    KEY: ClassVar[str] = "always"
    always: Literal[True] = Field(description="Holds in every position.")


CONDITIONS: tuple[type[ConditionClause], ...] = (
    HasLine, HasShape, Count, Some, NoneOf, InHand, HandsEmpty, CapturedBy, NothingCaptured, CanMove, CannotMove, Enters,
    Every, Either, Not, Always,
)  # fmt: skip

Condition = Annotated[
    Annotated[Literal["always"], Tag("<words>")]
    | Annotated[HasLine, Tag("<line>")]
    | Annotated[HasShape, Tag("<shape>")]
    | Annotated[Count, Tag("<count>")]
    | Annotated[Some, Tag("<some>")]
    | Annotated[NoneOf, Tag("<none>")]
    | Annotated[InHand, Tag("<in hand>")]
    | Annotated[HandsEmpty, Tag("<hands empty>")]
    | Annotated[CapturedBy, Tag("<captured by>")]
    | Annotated[NothingCaptured, Tag("<nothing captured in>")]
    | Annotated[CanMove, Tag("<can move>")]
    | Annotated[CannotMove, Tag("<cannot move>")]
    | Annotated[Enters, Tag("<enters>")]
    | Annotated[Every, Tag("<all of>")]
    | Annotated[Either, Tag("<any of>")]
    | Annotated[Not, Tag("<not>")]
    | Annotated[Always, Tag("<always>")],
    Discriminator(choose_by_key(lambda: CONDITIONS, words=True)),
]

NAMESPACE: dict[str, Any] = {"Sites": Sites, "Condition": Condition}
