"""What every model of the language shares: frozen, no unknown keys, and keys with spaces as a person writes them."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lawstone.board import COMPASS


def written(name: str) -> str:
    """The key in a game file for a field of a model: `drawn_on` is written `drawn on`, `if_` is written `if`."""
    return name.strip("_").replace("_", " ")


class Model(BaseModel):
    """A part of a game file."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=written, strict=True, defer_build=True)


def refusal(message: str, *at: str, hint: str = "") -> PydanticCustomError:
    """What a validator of a model raises; `at` leads from the model to the key that is at fault."""
    return PydanticCustomError("wrong_value", "{text}", {"text": message, "at": at, "hint": hint})


class Choosable(Model):
    """A clause that is recognised by one key of its own, such as `slide` or `line`."""

    KEY: ClassVar[str]


Words = Annotated[str, StringConstraints(min_length=1, max_length=80, strip_whitespace=True)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$", max_length=60)]
"""Lower-case letters, digits, dots and dashes; permanent once published."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9 -]*$", max_length=40)]
"""A name that is said in a sentence: lower-case words."""
Text = Annotated[dict[Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}$")], str], Field(min_length=1)]
"""The same words in several languages, by two-letter code."""
Natural = Annotated[int, Field(ge=0, le=1000)]
Positive = Annotated[int, Field(ge=1, le=1000)]

RELATIVE = ("forward", "backward", "forward left", "forward right", "left", "right", "backward left", "backward right")
"""Directions as the player who acts sees them; a game that uses them says in `facing` where each player looks."""

Compass = Literal[
    "north", "east", "south", "west", "north east", "south east", "south west", "north west",
    "forward", "backward", "forward left", "forward right", "left", "right", "backward left", "backward right",
]  # fmt: skip
Directions = Literal["orthogonal", "diagonal", "all"] | Annotated[list[Compass], Field(min_length=1)]

assert set(COMPASS) | set(RELATIVE) == set(Compass.__args__)  # type: ignore[attr-defined]


def choose_by_key(classes: Callable[[], Iterable[type[Choosable]]], words: bool) -> Callable[[Any], str | None]:
    """A pydantic discriminator: which of the classes a mapping means, by its key; the nearest where it is misspelt.

    Tags are written `<key>`, so that the place of an error in a file can be found by leaving them out.
    """

    def tag(value: Any) -> str | None:
        if isinstance(value, Choosable):
            return f"<{value.KEY}>"
        if isinstance(value, str):
            return "<words>" if words else None
        if not isinstance(value, dict):
            return None
        keys = [c.KEY for c in classes()]
        own = {written(f) for c in classes() for f in c.model_fields} - set(keys)
        for key in keys:
            if key in value:
                return f"<{key}>"
        for given in (k for k in value if isinstance(k, str) and k not in own):
            near = difflib.get_close_matches(given[:40], keys, 1, 0.7)
            if near:
                return f"<{near[0]}>"
        return None

    return tag
