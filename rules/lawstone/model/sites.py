"""Sets of sites, as a game file says them: words such as `empty`, or a clause recognised by one key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from lawstone.model.base import Choosable, Directions, Identifier, Model, Natural, Positive, Words, choose_by_key

if TYPE_CHECKING:
    from lawstone.model.conditions import Condition


class SitesClause(Choosable):
    """What may stand beside any source of sites."""

    rule: Identifier | None = Field(
        None, description="Permanent id of the rule that this clause states; its prose stands under it."
    )
    if_: Condition | None = Field(
        None, description="The clause offers no site unless this holds. In `first of`, the entry is passed over."
    )
    and_: Sites | None = Field(None, description="Only sites that also belong to this set.")
    or_: Sites | None = Field(None, description="These sites as well, whatever else stands beside the clause.")
    but_not: Sites | None = Field(None, description="Only sites that do not belong to this set.")
    outside: Literal["shapes"] | list[Words] | Words | None = Field(
        None, description="Not in a complete shape of the piece's own owner: of all declared shapes (`shapes`) or of those named."
    )
    such_that: Condition | None = Field(
        None, description="Only sites after whose removal (or, for a piece that arrives, arrival) this condition holds."
    )


class Named(SitesClause):
    """A set by name, with conditions beside it."""

    KEY: ClassVar[str] = "sites"
    sites: Sites = Field(description="The set itself: `empty`, `enemy stone`, a region, or another clause.")


class Beside(Model):
    """What `next to` speaks of."""

    of: Sites = Field(description="The sites whose neighbours are meant.")
    directions: Directions = Field(description="In which directions; off the board there is no neighbour.")


class NextTo(SitesClause):
    """The sites one step away."""

    KEY: ClassVar[str] = "next to"
    next_to: Beside = Field(description="One step away from these sites; off the board there is nothing.")


class NotNextTo(SitesClause):
    """All other sites than those one step away."""

    KEY: ClassVar[str] = "not next to"
    not_next_to: Beside = Field(description="Every site of the board that is not one step away from these.")


class Slide(Model):
    """What `slide` speaks of."""

    from_: Sites = Field(description="Where the way begins; this site itself is not reached.")
    directions: Directions = Field(description="Straight on in each of these directions.")
    over: Sites = Field(description="Sites that are passed and reached; the way ends before the first other site.")
    at_most: Positive | None = Field(None, description="At most this many steps; unsaid, as far as the way leads.")


class SlideTo(SitesClause):
    """Straight on over free sites."""

    KEY: ClassVar[str] = "slide"
    slide: Slide = Field(description="Every site reached by going straight on over `over`, at least one step.")


class Jump(Model):
    """What `jump` speaks of."""

    from_: Sites = Field(description="Where the way begins.")
    directions: Directions = Field(description="Straight on in each of these directions.")
    over: Sites = Field(description="An unbroken run of at least one of these sites is passed.")
    to: Sites = Field(description="The site just beyond the run is reached if it belongs here.")
    then_over: Sites | None = Field(None, description="From the landing site the way may go on over these sites.")


class JumpTo(SitesClause):
    """Straight on over an unbroken run, to the site beyond."""

    KEY: ClassVar[str] = "jump"
    jump: Jump = Field(description="Over an unbroken run of at least one site, landing just beyond it.")


class Distance(Model):
    """What `distance` speaks of."""

    from_: Sites = Field(description="Measured from the nearest of these sites.")
    metric: Literal["king", "city block", "straight line"] = Field(
        description="`king`: the larger of columns and rows apart; `city block`: their sum; `straight line`: Pythagoras."
    )
    at_least: Natural | None = Field(None, description="At least this many steps away.")
    at_most: Natural | None = Field(None, description="At most this many steps away.")


class Far(SitesClause):
    """Sites at a distance."""

    KEY: ClassVar[str] = "distance"
    distance: Distance = Field(description="Counted in steps, so that touching is 1.")


class Flank(Model):
    """What `flanked` speaks of."""

    from_: Sites = Field(description="The run begins next to this site.")
    directions: Directions = Field(description="In each of these directions.")
    over: Sites = Field(description="The run is made of these sites.")
    by: Sites = Field(description="The site that closes the run belongs here.")
    exactly: Positive | None = Field(None, description="Only runs of exactly this length.")


class Flanked(SitesClause):
    """Runs closed in between two sites."""

    KEY: ClassVar[str] = "flanked"
    flanked: Flank = Field(description="The run of `over` next to `from` that is closed by a site of `by`.")


class AnyOf(SitesClause):
    """Union."""

    KEY: ClassVar[str] = "any of"
    any_of: Annotated[list[Sites], Field(min_length=1)] = Field(description="Sites of any of these sets.")


class AllOf(SitesClause):
    """Intersection."""

    KEY: ClassVar[str] = "all of"
    all_of: Annotated[list[Sites], Field(min_length=1)] = Field(description="Sites that belong to all of these sets.")


class FirstOf(SitesClause):
    """A fallback."""

    KEY: ClassVar[str] = "first of"
    first_of: Annotated[list[Sites], Field(min_length=1)] = Field(
        description="The first entry whose `if` holds and that offers a site is the one in force."
    )


class Use(SitesClause):
    """A clause that stands elsewhere in the file, used again in a change."""

    KEY: ClassVar[str] = "use"
    use: Identifier = Field(description="The id of the rule whose clause is meant.")


SITES_CLAUSES: tuple[type[SitesClause], ...] = (
    NextTo, NotNextTo, SlideTo, JumpTo, Far, Flanked, AnyOf, AllOf, FirstOf, Use, Named,
)  # fmt: skip

Sites = Annotated[
    Annotated[Words, Tag("<words>")]
    | Annotated[Named, Tag("<sites>")]
    | Annotated[NextTo, Tag("<next to>")]
    | Annotated[NotNextTo, Tag("<not next to>")]
    | Annotated[SlideTo, Tag("<slide>")]
    | Annotated[JumpTo, Tag("<jump>")]
    | Annotated[Far, Tag("<distance>")]
    | Annotated[Flanked, Tag("<flanked>")]
    | Annotated[AnyOf, Tag("<any of>")]
    | Annotated[AllOf, Tag("<all of>")]
    | Annotated[FirstOf, Tag("<first of>")]
    | Annotated[Use, Tag("<use>")],
    Discriminator(choose_by_key(lambda: SITES_CLAUSES, words=True)),
]

NAMESPACE: dict[str, Any] = {"Sites": Sites}
