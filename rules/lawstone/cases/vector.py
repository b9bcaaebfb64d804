"""What a suite is: plain JSON that any program can read, with a schema, and with the words that it uses.

A vector is one question about one position that a game from the start reaches. Its id is made from what is asked (the game, the
variant, the board, the moves, the question), never from the answer, so that an id keeps its meaning when a rule is edited: the
same id with another answer is a changed verdict.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lawstone.model.base import Identifier, written
from lawstone.model.faults import BadInput, Fault

Ask = Literal["legal moves", "legal picks", "is legal", "after", "outcome", "who acts", "event"]
"""What a vector asks."""
ASKS: tuple[Ask, ...] = ("legal moves", "legal picks", "is legal", "after", "outcome", "who acts", "event")

NOTES: Mapping[str, str] = {
    "worked example": "It is one of the worked examples of the rules.",
    "open question": "The rules can be read in more than one way here; `under` says what each other reading answers.",
    "settled question": "A sentence that some read otherwise, and that another sentence settles; `under` has the other answers.",
    "misreading": "It tells the rules from a likely mistake in implementing them.",
    "boundary holds": "A condition of the rules holds here; it does not in its neighbour, which differs as little as can be.",
    "boundary fails": "A condition of the rules does not hold here; it does in its neighbour, which differs as little as can be.",
    "fallback": "The first way of doing something is not open, so that the next one in the list is in force.",
    "no option": "A pick has nothing to pick from.",
    "one option": "A pick has a single site to pick from.",
    "exactly enough": "As many can be picked as are due, and no more.",
    "one too few": "One fewer can be picked than are due.",
    "two endings": "Two endings hold at once, and their order decides.",
    "last piece": "A player's hand is empty after the last move.",
    "full board": "No site is left.",
    "corner": "The last piece stands in a corner.",
    "rim": "The last piece stands at the rim, not in a corner.",
    "phase change": "The last move ends a phase of the game.",
    "opening": "It is played in an opening.",
    "event": "Something happens that is no move: a clock runs out, a draw is agreed.",
    "event in the game": "Among the moves something happens that is no move; a program that knows no such event need not answer.",
    "no rule": "The rules do not say what happens; a program may do anything here that it documents.",
    "illegal": "The move asked about is forbidden.",
    "guided play": "The game is one that a player who builds lines might play, longer than it need be.",
    "symmetric": "The same as another vector, turned or mirrored.",
    "reported": "It comes from a report of a fault.",
    "disagreement": "A program and the rules disagreed here.",
}
"""What each flag of a vector means."""


class Part(BaseModel):
    """A part of a suite."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=written, populate_by_name=True)

    def tree(self) -> dict[str, Any]:
        """As plain data, without the keys that have nothing to say."""
        return self.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)


class Ended(Part):
    """How a game ended."""

    result: Literal["win", "draw", "no rule"] = Field(description="`no rule`: play stops, and the rules do not say what follows.")
    winner: str | None = Field(None, description="The player who won.")
    by: str = Field(description="The rule that ended it; for `no rule`, the rule that cannot be obeyed.")

    def same_result(self, other: Ended) -> bool:
        """Whether the result is the same, whatever the reason."""
        return (self.result, self.winner) == (other.result, other.winner)


class Answer(Part):
    """An answer: the keys that the question asks for."""

    moves: list[str] | None = Field(None, description="To `legal moves`: all of them, sorted; none when the game is over.")
    picks: list[str] | None = Field(None, description="To `legal picks`: the sites that the next pick may name, sorted.")
    legal: bool | None = Field(None, description="To `is legal`; false to `event` where it cannot happen.")
    board: dict[str, str] | None = Field(None, description="To `after` and `event`: the piece on each site that is not empty.")
    acts: str | None = Field(
        None, description="To `who acts`, `after` and `event`: the player to act; unsaid when the game is over."
    )
    phase: str | None = Field(None, description="To `after` and `event`: the phase, where the game has several.")
    hands: dict[str, int] | None = Field(None, description="To `after` and `event`: pieces in hand, where hands are counted.")
    outcome: Ended | Literal["none"] | None = Field(
        None, description="To `outcome`, `after` and `event`: how the game ended; `none` while it goes on."
    )


class Reading(Part):
    """What another reading of the rules answers."""

    question: str = Field(description="The question about the rules.")
    answer: str = Field(description="The answer under which this holds.")
    expect: Answer = Field(description="What it answers.")


class Shown(Part):
    """A position: drawn, and as data."""

    drawn: str = Field(description="Rows from the top, tokens separated by spaces, `.` for an empty site.")
    board: dict[str, str] = Field(description="The token on each site that is not empty.")
    acts: str = Field(description="The player who is to act; where the game is over, the one who moved last.")
    phase: str | None = Field(None, description="The phase, where the game has several.")
    last: str | None = Field(None, description="The site of the last piece, where the rules speak of it.")
    hands: dict[str, int] | None = Field(None, description="Pieces in hand, where they are counted.")
    holds: dict[str, str] | None = Field(None, description="The colour that each player holds, where players take colours.")


class Vector(Part):
    """One test."""

    id: Identifier = Field(description="Permanent; made from what is asked.")
    variant: str | None = Field(None, description="The variant of the game; unsaid, the base game.")
    size: Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Columns and rows, where the board is not the game's own."
    )
    moves: list[str] = Field(description="A game from the start that leads to the position, in notation.")
    position: Shown = Field(description="The position after those moves.")
    ask: Ask = Field(description="What is asked about the position.")
    move: str | None = Field(
        None,
        description="To `is legal` and `after`: the move; to `legal picks`: the picks made so far; to `event`: what happens, and "
        "after which picks.",
    )
    expect: Answer = Field(description="The right answer.")
    status: Literal["specified", "unspecified"] = Field(
        "specified", description="`unspecified`: an open question decides; `under` has the other answers."
    )
    under: list[Reading] = Field(
        default_factory=list, description="Readings of the rules that allow the moves before and answer otherwise."
    )
    refused: list[str] = Field(
        default_factory=list,
        description="Answers of open questions, such as `rim=helps`, under which the moves before are no game.",
    )
    rules: list[str] = Field(description="The rules that decide, by id.")
    flags: list[str] = Field(default_factory=list, description="What is special; the suite's `notes` explain each word.")
    neighbour: Identifier | None = Field(
        None, description="The vector on the other side of the same condition; in the full suite, if not in this one."
    )
    says: str = Field(description="Why, in one sentence.")


class Suite(Part):
    """A set of vectors for one game."""

    lawstone: Literal["suite"] = "suite"
    version: Literal[1] = 1
    game: str = Field(description="The id of the game.")
    title: str = Field(description="Its name.")
    rules_version: int = Field(description="The version of the game's rules.")
    board: str = Field(description="The game's own board, in words.")
    players: list[str] = Field(description="The players, the one of the first seat first.")
    name: Literal["core", "full", "own"] = Field(description="`core`: a few vectors that find most faults; `full`: all of them.")
    generator: str = Field(description="The version of the toolkit that made it.")
    seed: int = Field(description="The seed: the same rules, generator and seed give the same bytes.")
    hash: str = Field(description="SHA-256 of the vectors as written here, to see whether a file was changed by hand.")
    notes: dict[str, str] = Field(description="What each flag means.")
    vectors: list[Vector] = Field(description="The tests, short games first.")


def identity(game: str, variant: str, size: Iterable[int] | None, moves: Iterable[str], ask: Ask, move: str | None) -> str:
    """The permanent id of a vector."""
    asked = [game, variant, list(size) if size else None, list(moves), ask, move]
    digest = hashlib.sha256(json.dumps(asked, ensure_ascii=False).encode()).hexdigest()
    return f"{game}.{digest[:10]}"


def _line(vector: Vector) -> str:
    tree = vector.tree()
    tree.setdefault("moves", [])
    return json.dumps(tree, ensure_ascii=False, separators=(", ", ": "))


def content_hash(vectors: Iterable[Vector]) -> str:
    """The hash of a suite's vectors."""
    return "sha256:" + hashlib.sha256("\n".join(map(_line, vectors)).encode()).hexdigest()


def suite_text(suite: Suite) -> str:
    """A suite as it stands in a file: its head, then a vector a line."""
    head = {k: v for k, v in suite.model_dump(by_alias=True, exclude_none=True).items() if k != "vectors"}
    opened = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{opened},\n "vectors": [\n' + ",\n".join(map(_line, suite.vectors)) + "\n ]\n}\n"


def read_suite(path: Path) -> Suite:
    """A suite from a file; raises BadInput for what is not one."""
    name = str(path)
    try:
        found = Suite.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadInput([Fault(name, 1, 1, "unreadable", f"the suite cannot be read: {error.strerror}")]) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p) for p in first["loc"])
        message = f"this is no suite: {where + ': ' if where else ''}{first['msg'].casefold()}"
        raise BadInput([Fault(name, 1, 1, "no-suite", message, "`lawstone cases GAME` writes one")]) from None
    return found
