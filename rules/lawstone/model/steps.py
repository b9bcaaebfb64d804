"""The steps of a turn: what a player does, in order."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from lawstone.model.base import Choosable, Identifier, Model, Name, Positive, Words, choose_by_key
from lawstone.model.conditions import Condition
from lawstone.model.sites import Sites


class StepClause(Choosable):
    """What may stand beside any step."""

    rule: Identifier | None = Field(None, description="Permanent id of the rule that this step states.")
    who: Words | None = Field(None, description="In a script: the player whose ply this is.")
    needs: Condition | None = Field(None, description="The turn does not exist unless this holds as the step begins.")
    when: Condition | None = Field(None, description="The step is skipped unless this holds as the step begins.")
    optional: bool = Field(False, description="The player may skip the step.")


class Setting(StepClause):
    """What `place` and `move` share."""

    to: Sites = Field(description="Where the piece may go; when a piece is moved, `it` is the site that it comes from.")
    if_fewer: Literal["not allowed"] | None = Field(
        None,
        description="`not allowed`: picks that leave no site for this step are illegal; unsaid, play stops there with `no rule`.",
    )


class Place(Setting):
    """Put a piece from the hand on the board."""

    KEY: ClassVar[str] = "place"
    place: Words = Field(description="The piece, such as `own stone`; taken from the hand if it is counted.")


class Move(Setting):
    """Shift a piece that stands on the board."""

    KEY: ClassVar[str] = "move"
    move: Words = Field(description="The piece or pieces of which one is shifted.")
    displaces: Sites | None = Field(None, description="A piece of these on the target is captured.")


class Worth(Model):
    """A number of pieces due for the shapes completed."""

    worth: Literal["shapes"] | list[Words] = Field(description="The shapes that pay: all declared ones, or those named.")
    formed_by: Sites | None = Field(
        None, description="Only complete shapes that use this site; without it every shape that stands."
    )
    stack: Literal["all", "one per kind", "best"] = Field(
        "all", description="Several shapes at once: each pays, each kind pays once, or only the dearest pays."
    )


Due = Annotated[
    Annotated[Positive, Tag("<number>")] | Annotated[Literal["all"], Tag("<words>")] | Annotated[Worth, Tag("<worth>")],
    Discriminator(lambda v: "<number>" if isinstance(v, int) else "<words>" if isinstance(v, str) else "<worth>"),
]


class Taking(StepClause):
    """What `capture` and `remove` share."""

    count: Due = Field(description="How many are taken: a number, `all` (no choice), or the worth of shapes.")
    if_fewer: Literal["take what there is", "not allowed", "take from"] | None = Field(
        None, description="What if fewer are there than due; unsaid, play stops there with `no rule`."
    )
    rest_from: Sites | None = Field(None, description="With `if fewer: take from`: where the rest is taken.")
    up_to: bool = Field(False, description="The player may take fewer than due.")


class Capture(Taking):
    """Take pieces off the board, and count them as captured."""

    KEY: ClassVar[str] = "capture"
    capture: Sites = Field(description="The pieces on these sites may be taken, chosen freely; empty sites do not count.")


class Remove(Taking):
    """Take pieces off the board without its being a capture."""

    KEY: ClassVar[str] = "remove"
    remove: Sites = Field(description="The pieces on these sites may be taken, chosen freely; empty sites do not count.")


class Pick(StepClause):
    """Choose a value for the rest of the turn."""

    KEY: ClassVar[str] = "pick"
    pick: Annotated[str, Field(pattern=r"^[a-z]{1,12}$")] = Field(
        description="The letter or word that stands for the value: `$s` afterwards."
    )
    from_: Annotated[list[Words], Field(min_length=1, max_length=12)] = Field(
        description="The values to choose from, such as the kinds of a piece."
    )


class Way(Model):
    """One way that a player may choose."""

    name: Name = Field(description="How the choice is called and written.")
    rule: Identifier | None = Field(None, description="Permanent id of the rule that offers this way.")
    needs: Condition | None = Field(None, description="The way is not open unless this holds.")
    take: Words | None = Field(None, description="The colour that the player takes; the other player then has the other one.")
    go: Words | None = Field(None, description="The phase that follows, instead of the one that `then` names.")


class OneOf(StepClause):
    """Choose one of several named ways."""

    KEY: ClassVar[str] = "one of"
    one_of: Annotated[list[Way], Field(min_length=1, max_length=12)] = Field(description="The ways to choose from.")


class Do(StepClause):
    """Steps that are named once in `steps`."""

    KEY: ClassVar[str] = "do"
    do: Words = Field(description="The name of the steps.")


STEPS: tuple[type[StepClause], ...] = (Place, Move, Capture, Remove, Pick, OneOf, Do)

Step = Annotated[
    Annotated[Place, Tag("<place>")]
    | Annotated[Move, Tag("<move>")]
    | Annotated[Capture, Tag("<capture>")]
    | Annotated[Remove, Tag("<remove>")]
    | Annotated[Pick, Tag("<pick>")]
    | Annotated[OneOf, Tag("<one of>")]
    | Annotated[Do, Tag("<do>")],
    Discriminator(choose_by_key(lambda: STEPS, words=False)),
]

NAMESPACE: dict[str, Any] = {"Step": Step}
