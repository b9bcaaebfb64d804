"""The language reference as Markdown, written from the models and from the decisions that the constructs state.

Every table comes from a model's fields, every decision from the docstring of the construct that carries it out, so the page says
what the loader accepts and what the engine does. `make docs` writes it to `docs/language.md`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from lawstone.board import DIAGONAL, HEXAGONAL, LONGEST_SIDE, ORTHOGONAL
from lawstone.constructs import conditions as condition_meanings
from lawstone.constructs import shapes as shape_meanings
from lawstone.constructs import sites as site_meanings
from lawstone.constructs import steps as step_meanings
from lawstone.model import companions, conditions, game, sites, steps
from lawstone.model.base import RELATIVE, Choosable, written
from lawstone.model.changes import RESERVED
from lawstone.model.vocabulary import ATOMS, OWN_WORDS

Schema = Mapping[str, Any]
Meanings = Mapping[Any, Callable[..., Any]]

SITE_WORDS: Mapping[str, str] = {
    "empty": "sites without a piece",
    "occupied": "sites with a piece",
    "board": "every site",
    "centre": "the middle site; on a board without one a clause that asks for it is refused, with its rule named",
    "corners": "four on a rectangle, six on a hexagon, the outermost corner points on a board of lines",
    "edges": "the sites of the rim, corners included; on a board of lines, every point",
    "last": "the site of the piece that the turn before placed or moved, whoever did; no site before any; not in endings",
    "it": (
        "the site of the piece spoken of: in the `to` of a move the site that the piece comes from; in later steps and in "
        "endings the site of the piece that this turn has placed or moved"
    ),
    "vacated": "where the piece moved in this turn stood before, also where it stays; no site where none was moved",
    "far rank": "the edge that the player who acts faces; needs `facing`",
    "home rank": "the edge behind the player who acts; needs `facing`",
}
"""What each word for a set of sites means."""

PLAYER_WORDS: Mapping[str, str] = {
    "own": "the player who acts; in endings, the mover",
    "actor": "the player who acts, in turns and events",
    "mover": "in endings, the player whose turn has just been completed",
    "enemy": "the other player than `own`",
    "other": "the other player than `actor`",
    "opponent": "the other player than `mover`, also where the mover acts again",
    "next": "in endings, the player who acts in the turn that follows, by what the turn and its phase say: `mover` or `opponent`",
}
"""What each word for a player means."""

_UNIONS: Mapping[frozenset[str], str] = {
    frozenset(c.__name__ for c in sites.SITES_CLAUSES): "[sites](#sites)",
    frozenset(c.__name__ for c in conditions.CONDITIONS): "[a condition](#conditions)",
    frozenset(c.__name__ for c in steps.STEPS): "[a step](#steps-of-a-turn)",
    frozenset(c.__name__ for c in game.SHAPES): "[a shape](#shapes)",
}
"""The unions of the language by the names of their members, and where they are described."""

_SECTIONS: Mapping[str, str] = {
    "BoardClause": "The board", "Colours": "Colours", "Piece": "A piece", "Way": "A way", "Worth": "The worth of shapes",
    "PhaseClause": "A phase", "Then": "What follows a phase", "EndingClause": "An ending", "Event": "An event",
    "Repetition": "Repetition", "NoProgress": "No progress", "Question": "A question", "Settled": "A settled question",
    "Together": "Two answers at once",
    "Differs": "A question on which sources differ", "Ruling": "A ruling", "Variant": "A variant", "SourceEntry": "A source",
    "Sentence": "A sentence of the founding text", "Example": "An example", "Drawn": "A position", "Result": "An outcome",
}  # fmt: skip
"""The heading of each model that has a section of its own."""

_PATTERNS: Mapping[str, str] = {
    r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$": "an id",
    r"^[a-z0-9][a-z0-9 -]*$": "a name",
    r"^[a-z]{2,3}$": "a language code",
    r"^[#. ]+$": "text of `#`, `.` and spaces",
    r"^[^\s.|+-]{1,2}$": "one or two characters",
    r"^[a-z]{1,12}$": "a lower-case word",
    r"^[a-z]\d{1,2}$": "a site",
    r"^[0-9a-f]{12}$": "12 hexadecimal digits",
}
"""The patterns of texts, said in words."""


def language_reference() -> str:
    """The whole page; the same text for the same models and constructs."""
    parts = [
        _INTRODUCTION,
        _table(game.Game),
        *(_section(m) for m in (game.BoardClause, game.Colours, game.Piece)),
        _WORDS,
        _list(PLAYER_WORDS, OWN_WORDS),
        _MORE_WORDS,
        _DIRECTIONS,
        "## Sites",
        _SITES,
        _list(SITE_WORDS, ATOMS),
        "### Beside any set of sites",
        "These keys may stand in every clause of this chapter.",
        _shared(sites.SitesClause, sites.Named),
        _BESIDE,
        *(_clause(c, sites.SitesClause, site_meanings._meaning.registry) for c in sites.SITES_CLAUSES),
        "## Conditions",
        _CONDITIONS,
        "### Beside any condition",
        _shared(conditions.ConditionClause, conditions.Some),
        *(_clause(c, conditions.ConditionClause, condition_meanings._meaning.registry) for c in conditions.CONDITIONS),
        "## Steps of a turn",
        _STEPS,
        "### Beside any step",
        _shared(steps.StepClause, steps.Do),
        *(_clause(c, steps.StepClause, step_meanings._perform.registry) for c in steps.STEPS),
        _section(steps.Way),
        _section(steps.Worth),
        _decisions({"worth": shape_meanings.due}),
        "## Shapes",
        _SHAPES,
        *(_clause(c, Choosable, {}) for c in game.SHAPES),
        _decisions({"ends": shape_meanings._ends_fit}),
        "## Phases, endings, events",
        _PHASES,
        *(_section(m) for m in (game.PhaseClause, game.Then, game.EndingClause, game.Event, game.Repetition, game.NoProgress)),
        "## Questions and variants",
        _QUESTIONS,
        *(_section(m) for m in (game.Question, game.Settled, game.Differs, game.Ruling, game.Together, game.Variant)),
        "### Changes",
        _CHANGES.format(reserved=", ".join(f"`{key}`" for key in RESERVED)),
        "## The files beside it",
        _COMPANIONS,
        "### The file `sources.yaml`",
        _table(companions.Sources),
        *(_section(m, 4) for m in (companions.SourceEntry, companions.Sentence)),
        "### The file `examples.yaml`",
        _EXAMPLES,
        *(_section(m, 4) for m in (companions.Example, companions.Drawn, companions.Result)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


# -- prose that no field carries ----------------------------------------------------------------------------------------------

_INTRODUCTION = """\
# The language of game files

This page is generated from the models that read game files (`rules/lawstone/model/`) and from the decisions that the
constructs state (`rules/lawstone/constructs/`). `make docs` writes it again; a test fails when it is out of date. How
to write a game is told step by step in the [guide](guides/a-game.md).

A game file is YAML 1.2 without anchors, tags, merge keys and repeated keys, or the same as JSON. A key that is not
known is refused, with the nearest one that is. Ids are lower-case letters, digits, dots and dashes, and permanent once
published. In the tables, *needed* marks a key that must be there; otherwise the column says what holds when the key is
not given, or is empty when nothing does.

Chapters: [the file](#the-file), [words for players](#words-for-players), [directions](#directions), [sites](#sites),
[conditions](#conditions), [steps](#steps-of-a-turn), [shapes](#shapes),
[phases, endings, events](#phases-endings-events), [questions and variants](#questions-and-variants),
[the files beside it](#the-files-beside-it).

## The file"""

_WORDS = """\
## Words for players

A player is named as in `players`, by one of these words, or as `holder of` and a colour. `both` stands where two
players can be meant."""

_MORE_WORDS = """\
A piece is named by its owner, its name and its kind: `own pawn x`, `enemy stone`, `white stone`. Without an owner all
such pieces are meant, without a kind all kinds. `$s` as the kind is the value picked as `s` earlier in the turn. Where
a game has colours, pieces belong to colours and `own` means the colour that the player holds."""

_DIRECTIONS = f"""\
## Directions

`orthogonal` means {", ".join(ORTHOGONAL)}; `diagonal` means {", ".join(DIAGONAL)}; `all` means every direction of the
board: eight on a rectangle, six on a hexagon ({", ".join(HEXAGONAL)}), those of its lines on a board of lines. A list
names single ones. Relative directions ({", ".join(RELATIVE)}) are as the player who acts sees them; the game says in
`facing` where each player looks.

Sites are named by a file letter and a rank number, `a1` at the bottom left, on every board. On a hexagon ranks lean to
the right: north west goes one rank up on the same file, north east one rank and one file up. Boards have at most
{LONGEST_SIDE} files and ranks."""

_SITES = """\
A set of sites is said by words or by a clause. Words are pieces (`own stone`: where they stand), a region of the game,
a site (`c4`), a rank (`rank 2`), a file (`file c`), or one of these:"""

_BESIDE = """\
A piece is protected by complete shapes of its own owner only (`outside`). `such that` stands in a step that puts or
takes a piece: the board is changed for each site in turn, and the condition is judged there."""

_CONDITIONS = """\
A condition holds or does not. In a turn it is judged on the board as it stands when the step begins; in an ending, an
`until` and a `then`, on the board after all steps of the turn. `always` may be written as a plain word."""

_STEPS = """\
The steps of a turn are done in order, each on the board that the steps before it have left. The picks of all steps
together are one move and one ply. A later step that cannot be met does not make the picks before it illegal, unless it
says `if fewer: not allowed`: the move is made, and play stops there with the outcome `no rule` and the step's id."""

_SHAPES = """\
Shapes are declared under a name. The places where a shape can stand are worked out once from the board. What a shape is
made of is said where it is used; a capture is due for the shapes of the player who acts."""

_PHASES = """\
A file with a plain `turn` has one phase, called `main`. After each turn the phase and the player that come next are
found first; then the endings are tested in their order, with `can move` judged for that phase and player; if none
holds, play goes on there. If the player to act then has no move, the outcome is `no rule`.

Events are declared and described; they are not part of ordinary play, and moves do not include them."""

_QUESTIONS = """\
A question is a sentence that can be read in more than one way. Its first answer is how the file stands. A reading gives
each question an answer; a variant is another game on the same base. Both are sets of changes."""

_CHANGES = """\
A set of changes is a mapping from a target to what changes there. A target is a rule id or one of these keys, alone or
followed by a dot and the name of an entry (`pieces.stone`, `phases.opening`): {reserved}.

- Inside a target, each key is a path into the clause, joined by dots (`if.line.at least`; a number names an entry of a
  list), and its value is what stands there afterwards. `null` takes the key away.
- `and if` at the end of a path adds a condition to the one that stands there, or sets it where there is none.
- `use: ID` stands for a copy of the clause with that id as it was before the changes; keys beside it replace keys of
  the copy. Changes that contain `use` are made first, so changes of the same clauses reach the copies.
- A new id adds a clause: an ending if it has `if`, an event if it has `name`. A new ending is tested last unless
  `order` says otherwise.
- A key of the file given alone is replaced as a whole; an entry that is a mapping is changed path by path, and any
  other entry is replaced. `phases.main` turns a plain `turn` into a phase that can be changed.
- Two answers that set the same path to different values can be combined only if `together` says what they mean at once:
  its changes are made instead of theirs on the paths that it names. A plain `and if` can be combined with another one."""

_COMPANIONS = """\
Beside `game.yaml` a folder may hold `text.LANGUAGE.md` (the prose), `sources.yaml` (what was read) and `examples.yaml`
(worked examples).

In the prose each heading is `## ID: Title`; the first paragraph below it is the rule and must stand alone, later ones
are remarks. Every rule, every variant (`variant.NAME`), every question (`question.ID`) and every answer
(`question.ID.ANSWER`) has a heading; headings that begin with `setup.` or `note.` are free. Text before the first
heading introduces the game."""

_EXAMPLES = """\
The file is a list under `examples`. Each example is a test: it begins at the start or in a drawn position, and what it
asserts must hold. A drawn board has a row for each rank from the top, tokens separated by spaces, `.` for an empty
site; rank numbers and file letters may stand beside it."""


# -- models as sections and tables --------------------------------------------------------------------------------------------


def _section(model: type[BaseModel], level: int = 3) -> str:
    return f"{'#' * level} {_SECTIONS[model.__name__]}\n\n{_doc(model)}\n\n{_table(model)}"


def _clause(cls: type[Choosable], common: type[BaseModel], meanings: Meanings) -> str:
    """A clause: what it is, the decision behind it, its keys, and the keys of what stands under its own key."""
    parts = [f"### `{cls.KEY}`", _doc(cls)]
    if cls in meanings and (meanings[cls].__doc__ or "").strip():
        parts.append(f"Decision: {_folded(meanings[cls].__doc__)}")
    schema = cls.model_json_schema(by_alias=True)
    own = [key for key in _properties(schema) if key not in map(written, common.model_fields)]
    own.sort(key=lambda key: key != cls.KEY)
    parts.append(_rows(schema, own))
    inner = _resolved(schema).get("properties", {}).get(cls.KEY, {}).get("$ref", "").rpartition("/")[2]
    if inner and inner not in _SECTIONS:
        parts += [f"Under `{cls.KEY}`:", _rows(schema["$defs"][inner], _properties(schema["$defs"][inner]))]
    return "\n\n".join(parts)


def _table(model: type[BaseModel]) -> str:
    schema = model.model_json_schema(by_alias=True)
    return _rows(schema, _properties(schema))


def _shared(common: type[BaseModel], member: type[BaseModel]) -> str:
    """The keys that every clause of a kind has, read from one of them."""
    return _rows(member.model_json_schema(by_alias=True), map(written, common.model_fields))


def _resolved(schema: Schema) -> Schema:
    """The schema of the model itself, which stands among the definitions where the model contains itself."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return schema["$defs"][name] if name else schema


def _properties(schema: Schema) -> list[str]:
    return list(_resolved(schema).get("properties", {}))


def _rows(schema: Schema, keys: Iterable[str]) -> str:
    whole = _resolved(schema)
    lines = ["| key | value | if not given | meaning |", "|---|---|---|---|"]
    for key in keys:
        field = whole["properties"][key]
        unsaid = "*needed*" if key in whole.get("required", ()) else _unsaid(field.get("default"))
        lines.append(f"| `{key}` | {_value(field)} | {unsaid} | {_cell(field.get('description', ''))} |")
    return "\n".join(lines)


def _unsaid(default: Any) -> str:
    if default is None or default == []:
        return ""
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _value(schema: Schema) -> str:
    """What may stand at a place, in words."""
    if "$ref" in schema:
        return _link(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema or "oneOf" in schema:
        return _alternatives([s for s in schema.get("anyOf", schema.get("oneOf", ())) if s.get("type") != "null"])
    if "const" in schema:
        return f"`{_unquoted(schema['const'])}`"
    if "enum" in schema:
        return _joined(f"`{_unquoted(word)}`" for word in schema["enum"])
    match schema.get("type"):
        case "string":
            return _PATTERNS[schema["pattern"]] if "pattern" in schema else "words" if "maxLength" in schema else "text"
        case "integer":
            return _number(schema)
        case "boolean":
            return "`true` or `false`"
        case "array":
            return _listed(schema)
        case "object":
            return _mapping(schema)
    return "anything"


def _alternatives(schemas: list[Schema]) -> str:
    names = frozenset(s["$ref"].rpartition("/")[2] for s in schemas if "$ref" in s)
    if any("orthogonal" in s.get("enum", ()) for s in schemas):
        return "[directions](#directions)"
    if names in _UNIONS:
        return _UNIONS[names]
    return _joined(dict.fromkeys(map(_value, schemas)))


def _number(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None or high is None:
        return "a number"
    return f"a number from {low}" if high >= 1000 else f"a number from {low} to {high}"


def _listed(schema: Schema) -> str:
    low, high = schema.get("minItems"), schema.get("maxItems")
    of = _value(schema["items"])
    return f"a list of {low}: {of}" if low is not None and low == high else f"a list: {of}"


def _mapping(schema: Schema) -> str:
    patterns = schema.get("patternProperties", {})
    if patterns:
        pattern, value = next(iter(patterns.items()))
        return f"a mapping: {_PATTERNS[pattern]} to {_value(value)}"
    value = schema.get("additionalProperties")
    if not isinstance(value, Mapping):
        return "[changes](#changes)"
    names = schema.get("propertyNames", {})
    key = _PATTERNS.get(names.get("pattern", ""), "words")
    return f"a mapping: {key} to {_value(value)}"


def _link(name: str) -> str:
    for members, link in _UNIONS.items():
        if name in members:
            return link
    if name in _SECTIONS:
        heading = _SECTIONS[name]
        anchor = "".join(c for c in heading.lower().replace(" ", "-") if c.isalnum() or c == "-")
        return f"[{heading[0].lower() + heading[1:]}](#{anchor})"
    return "a mapping, below"


def _joined(words: Iterable[str]) -> str:
    listed = list(words)
    return " or ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)


def _unquoted(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _folded(text: str | None) -> str:
    return " ".join((text or "").split())


def _doc(model: type[BaseModel]) -> str:
    return _folded(model.__doc__)


def _list(meanings: Mapping[str, str], wanted: Iterable[str]) -> str:
    """A word and its meaning a line; KeyError for a word of the language without a meaning here."""
    return "\n".join(["| word | means |", "|---|---|", *(f"| `{word}` | {_cell(meanings[word])} |" for word in wanted)])


def _decisions(by_key: Mapping[str, Callable[..., Any]]) -> str:
    return "\n".join(f"- `{key}`: {_folded(function.__doc__)}" for key, function in by_key.items())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(language_reference(), encoding="utf-8")
