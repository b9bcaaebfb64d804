"""Our own record, in JSON: any game of the toolkit, whole. The model is its description and gives its JSON Schema."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from lawstone.board import LONGEST_SIDE
from lawstone.engine.game import History
from lawstone.engine.records.record import MOST_PLIES, Ply, Record, as_record, clean, told
from lawstone.model.base import Identifier, Model, Positive, Words
from lawstone.model.companions import Result
from lawstone.model.faults import BadInput, Source
from lawstone.model.located import read as read_tree
from lawstone.model.tree import mark_of
from lawstone.model.wording import from_pydantic

NAME = "json"
Person = Annotated[str, StringConstraints(max_length=120)]
Side = Annotated[int, Field(ge=1, le=LONGEST_SIDE)]


class RecordFile(Model):
    """A record of one game."""

    lawstone: Literal["record"] = Field(description="Says that this is a record of Lawstone.")
    version: Literal[1] = Field(description="The version of this form.")
    game: Identifier = Field(description="The id of the game.")
    rules_version: Positive | None = Field(None, description="The version of the game's rules by which it was played.")
    variant: Identifier | None = Field(None, description="The variant; unsaid, the base game.")
    reading: dict[Identifier, Identifier] = Field(
        default_factory=dict, description="Answers that differ from the base, by question."
    )
    board: Annotated[list[Side], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Columns and rows of the board; unsaid, as the game has it."
    )
    players: Annotated[list[Person], Field(min_length=2, max_length=2)] | None = Field(
        None, description="The names of the two people, in the order of the seats; empty where unknown."
    )
    seed: Annotated[str, StringConstraints(pattern=r"^\d{1,20}$")] | None = Field(
        None,
        description="The seed of a random game, in decimal digits: a text, since many programs round large numbers.",
    )
    moves: Annotated[list[Words], Field(max_length=MOST_PLIES)] = Field(description="The moves in notation, one a ply.")
    result: Result | None = Field(
        None,
        description="The result; the winner named as a player or a colour. Unsaid where it is not known.",
    )


def sniff(text: str) -> bool:
    """Whether a text looks like JSON that speaks of Lawstone."""
    begin = text.lstrip("\ufeff \t\r\n")
    return begin.startswith("{") and '"lawstone"' in begin[:100_000]


def schema() -> dict[str, Any]:
    """The JSON Schema of a record."""
    found = RecordFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def read(source: Source, variant: str | None = None) -> Record:
    """The game that a JSON record holds; raises BadInput with everything that is wrong in it, each at its place."""
    document = read_tree(source.path, source.text)
    try:
        file = RecordFile.model_validate(document.tree)
    except ValidationError as error:
        raise BadInput(from_pydantic(error, document.tree, RecordFile)) from None
    plies = (Ply(move, mark_of(document, ("moves", n))) for n, move in enumerate(file.moves))
    winner, rule = _winner(file.result)
    names = file.players or ["", ""]
    return Record(
        game=file.game,
        plies=tuple(plies),
        format=NAME,
        variant=(file.variant or "") if variant is None else variant,
        reading=file.reading,
        board=(file.board[0], file.board[1]) if file.board else None,
        rules_version=file.rules_version,
        players=(names[0], names[1]),
        result=told(winner, rule),
        winner=winner,
        rule=rule,
        seed=int(file.seed) if file.seed else None,
    )


def _winner(result: Result | None) -> tuple[str, str]:
    if result is None:
        return "", ""
    if result.no_rule:
        return "no rule", result.no_rule
    return "draw" if result.draw else result.wins or "", result.by or ""


def write(what: Record | History) -> str:
    """A game as a JSON record; keys that have nothing to say are left out. The words of another source are not kept."""
    record = as_record(what)
    tree: dict[str, Any] = {"lawstone": "record", "version": 1, "game": record.game}
    tree |= {"rules version": record.rules_version, "variant": record.variant, "reading": dict(record.reading)}
    tree |= {"board": list(record.board or ()), "seed": None if record.seed is None else str(record.seed)}
    tree |= {"players": [clean(name) for name in record.players] if any(record.players) else None}
    kept = {key: value for key, value in tree.items() if value not in (None, "", {}, [])}
    kept |= {"moves": record.moves, "result": _result(record)}
    if kept["result"] is None:
        del kept["result"]
    return json.dumps(kept, ensure_ascii=False, indent=1) + "\n"


def _result(record: Record) -> dict[str, Any] | None:
    if not record.winner:
        return None
    if record.winner == "no rule":
        return {"no rule": record.rule}
    told_by = {"by": record.rule} if record.rule else {}
    return ({"draw": True} if record.winner == "draw" else {"wins": record.winner}) | told_by
