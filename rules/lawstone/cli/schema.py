"""`lawstone schema`: the JSON Schema of every file that the toolkit reads or writes, made from the models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from lawstone.cases.vector import Suite
from lawstone.check.misreadings import Misread
from lawstone.check.report import Report, Results
from lawstone.cli.shared import Command, print_json
from lawstone.engine.records.json_record import RecordFile
from lawstone.model.companions import Drawn, Examples, Sources
from lawstone.model.game import Game
from lawstone.prove.claims import ClaimResults, Claims
from lawstone.publish.editors import Retired
from lawstone.publish.terms import Terms
from lawstone.publish.told import Translations

MODELS: Mapping[str, tuple[type[BaseModel], str]] = {
    "game": (Game, "A game file, game.yaml."),
    "examples": (Examples, "The worked examples of a game, examples.yaml."),
    "sources": (Sources, "What was read for a game, sources.yaml."),
    "position": (Drawn, "A position, as `--board -` reads it."),
    "record": (RecordFile, "A recorded game, as `lawstone play` saves it and `lawstone replay` reads it."),
    "report": (Report, "What `lawstone check --json` says of a game."),
    "suite": (Suite, "A suite of test vectors, as `lawstone cases` writes it."),
    "misreadings": (Misread, "The misreadings of a game, misreadings.json."),
    "results": (Results, "The findings that are on record for a game, results.json."),
    "terms": (Terms, "What things are called in each language, terms.yaml."),
    "retired": (Retired, "Ids that have been published, and where those that are gone lead, retired.yaml."),
    "translations": (Translations, "What other files say in English, in the other languages, translations.yaml."),
    "claims": (Claims, "What is claimed of a game, claims.yaml."),
    "claims-results": (ClaimResults, "What is on record about claims, claims-results.json."),
}
"""The files that have a schema."""

HELP = """Write the JSON Schema of a file (draft 2020-12): of the game file, unless another is named.

NAME is one of game, examples, sources, position, record, report, suite, misreadings, results,
terms, retired, translations, claims and claims-results. Editors that know YAML or JSON show the
descriptions in it as you type, complete keys and underline mistakes; for YAML most of them read a
first line such as

\b
  # yaml-language-server: $schema=schema/game.schema.json

With --out every schema is written into a folder as NAME.schema.json.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone schema > game.schema.json", "The schema of the game file."),
        ("lawstone schema --out schema/", "All of them, a file each."),
    ],
    exits={0: "written", 2: "a misuse of the command", 3: "a folder that cannot be written"},
)
@click.argument("name", type=click.Choice(list(MODELS)), default="game", metavar="[NAME]")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write all schemas into this folder.")
def schema(name: str, out: Path | None) -> int:
    """See HELP."""
    if out is None:
        print_json(schema_of(name))
        return 0
    out.mkdir(parents=True, exist_ok=True)
    for each in MODELS:
        path = out / f"{each}.schema.json"
        path.write_text(text_of(each), encoding="utf-8")
        click.echo(f"written: {path}", err=True)
    return 0


def schema_of(name: str) -> dict[str, Any]:
    """The schema of a kind of file."""
    model, what = MODELS[name]
    made = model.model_json_schema(by_alias=True)
    made.pop("description", None)
    named: dict[str, Any] = {}
    made = _with_names(made, named)
    if named:
        made["$defs"] = {**made["$defs"], **named}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"{name}.schema.json"}
    return {
        **head,
        "title": f"Lawstone: {name}",
        "description": what,
        **{k: v for k, v in made.items() if k != "title"},
    }


def _with_names(part: Any, named: dict[str, Any]) -> Any:
    """The schema with the choices that the language repeats everywhere (sites, conditions, steps) written once."""
    if isinstance(part, list):
        return [_with_names(p, named) for p in part]
    if not isinstance(part, dict):
        return part
    inner = {key: _with_names(value, named) for key, value in part.items()}
    for key in ("oneOf", "anyOf"):
        refs = {choice.get("$ref") for choice in inner.get(key, ())}
        for name, mark in _CHOICES.items():
            if f"#/$defs/{mark}" in refs and len(refs) > 4:
                choices = [c for c in inner[key] if c != {"type": "null"}]
                named[name] = {key: choices}
                rest = {k: v for k, v in inner.items() if k != key}
                ref = {"$ref": f"#/$defs/{name}"}
                return {**({"anyOf": [ref, {"type": "null"}]} if len(choices) < len(inner[key]) else ref), **rest}
    return inner


_CHOICES: Mapping[str, str] = {"Sites": "SlideTo", "Condition": "HasLine", "Step": "Place"}
"""What is named, and one of the models by which it is known."""


def text_of(name: str) -> str:
    """The schema as it stands in a file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"
