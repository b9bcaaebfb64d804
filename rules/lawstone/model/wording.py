"""What pydantic refuses in the tree of a file, said in plain words at the place where a person can mend it."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from lawstone.model.faults import Fault, Mark, nearest, said, suggest
from lawstone.model.tree import Loc, Place, place_of

KeysAt = Callable[[Loc], Iterable[str]]
"""The keys that a mapping may have at the end of a way into the tree."""

MOST_ERRORS = 1_000
"""Errors of pydantic that are put into words; a file with more has been understood as something else."""

_WANTED = {
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_attributes_type": "a mapping",
    "model_type": "a mapping",
    "none_required": "nothing (null)",
    "string_type": "text",
    "tuple_type": "a list",
}
_LIMITS = {
    "greater_than": "more than {gt} is wanted here, and this is {value}",
    "greater_than_equal": "at least {ge} is wanted here, and this is {value}",
    "less_than": "less than {lt} is wanted here, and this is {value}",
    "less_than_equal": "at most {le} is wanted here, and this is {value}",
    "string_pattern_mismatch": "{value} is not written as it must be here",
    "string_too_long": "this text is too long: {max_length} characters at most",
    "string_too_short": "this text is too short: {min_length} characters at least",
    "too_long": "too many entries: {max_length} at most",
    "too_short": "too few entries: {min_length} at least, and this has {actual_length}",
}
PATTERNS = {
    r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$": "an id is lower-case letters and digits, with dots and dashes inside",
    r"^[a-z0-9][a-z0-9 -]*$": "a name is lower-case letters and digits, with spaces and dashes inside",
    r"^[a-z]{2,3}$": "a language is two or three lower-case letters, such as en",
    r"^[^\s.|+-]{1,2}$": "a piece is written with one letter, or with a letter and one more",
    r"^[#. ]+$": "a picture is drawn with # (must be there), . (must not) and spaces (anything)",
    r"^[a-z]{1,12}$": "a picked value is called by a word of lower-case letters",
    r"^[a-z]\d{1,2}$": "a site is a letter and a number, such as d7",
    r"^[0-9a-f]{12}$": "a digest is twelve hexadecimal digits",
}
"""What the patterns of the models mean, in words."""


@dataclass(frozen=True)
class _Refusal:
    """One refusal: the place in the tree, and either a message or what would be accepted there."""

    path: Loc
    mark: Mark
    code: str = "wrong-value"
    message: str = ""
    hint: str = ""
    wanted: str = ""
    words: tuple[str, ...] = ()
    value: Any = None


def from_pydantic(
    error: ValidationError,
    tree: Any,
    known_keys: type[BaseModel] | TypeAdapter[Any] | KeysAt,
    place: Callable[[Any, Loc], Place] = place_of,
) -> list[Fault]:
    """The faults of a tree (or Document) that a model refused, in the order of their places, each said once.

    `known_keys` is the model, from which the known words of a place are taken, or a function that gives them. What the
    alternatives of a union refuse is brought together: only the refusals that lie deepest count, since there the
    alternative fitted best. A validator of a model raises `refusal`. `place` says where a way into the tree leads.
    """
    keys_at = keys_of(known_keys)
    errors = itertools.islice(error.errors(include_url=False), MOST_ERRORS)
    refusals = [refusal for one in errors for refusal in _refusals(one, tree, keys_at, place)]
    meant = {(r.path[:-1], nearest(str(r.path[-1]), r.words)) for r in refusals if r.code == "unknown-word"}
    around = {r.path[:n] for r in refusals for n in range(len(r.path))} | {r.path for r in refusals if r.message}
    faults, open_to = set(), defaultdict[Loc, list[_Refusal]](list)
    for refusal in refusals:
        if not refusal.message:
            if refusal.path not in around:
                open_to[refusal.path].append(refusal)
        elif refusal.code != "missing-word" or (refusal.path[:-1], refusal.path[-1]) not in meant:
            faults.add(refusal.mark.fault(refusal.code, refusal.message, refusal.hint))
    return sorted(faults | {_wrong_kind(alternatives) for alternatives in open_to.values()})


def _refusals(error: Any, tree: Any, keys_at: KeysAt, placing: Callable[[Any, Loc], Place]) -> Iterator[_Refusal]:
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    loc: Loc = (*error["loc"], *context.get("at", ()))
    place = placing(tree, loc)
    mark = place.key if loc and (loc[-1] == "[key]" or context.get("at")) else place.value
    if kind == "extra_forbidden":
        yield _unknown(place.path, place.key, tuple(keys_at(loc[:-1])))
    elif kind == "missing":
        message = f"{said(loc[-1])} is missing from this {'clause' if place.path else 'file'}"
        yield _Refusal((*place.path, loc[-1]), mark, "missing-word", message)
    elif kind.startswith("union_tag_") and isinstance(value, dict):
        known = tuple(keys_at(loc))
        strange = [key for key in value if key not in known]
        for key in strange:
            yield _unknown((*place.path, key), placing(tree, (*loc, key)).key, known)
        if not strange:
            message = "what this clause does is not said"
            yield _Refusal(place.path, mark, "missing-word", message, _list_of(_tags_at(keys_at, loc) or known))
    elif kind in _WANTED or kind.startswith("union_tag_"):
        yield _Refusal(place.path, mark, wanted=_WANTED.get(kind, "a clause"), value=value)
    elif kind in ("literal_error", "enum"):
        words = tuple(re.findall(r"'((?:[^'\\]|\\.)*)'", context["expected"]))
        yield _Refusal(place.path, mark, words=words, value=value)
    elif kind in _LIMITS:
        pattern = context.get("pattern", "")
        hint = PATTERNS.get(pattern, f"it must match {pattern}") if pattern else ""
        yield _Refusal(place.path, mark, message=_LIMITS[kind].format(value=said(value), **context), hint=hint)
    else:
        message = error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
        code = "wrong-value" if kind in ("value_error", "assertion_error") else kind.replace("_", "-")
        yield _Refusal(place.path, mark, code, message, str(context.get("hint", "")))


def _unknown(path: Loc, key: Mark, known: tuple[str, ...]) -> _Refusal:
    word = str(path[-1])
    message = f"{said(word)} is not a word of this {'clause' if len(path) > 1 else 'file'}"
    return _Refusal(path, key, "unknown-word", message, suggest(word, known) or _list_of(known), words=known)


def _wrong_kind(alternatives: list[_Refusal]) -> Fault:
    """One fault for all that would be accepted at a place, such as a number, a list, or one of some words."""
    first = alternatives[0]
    words = tuple(dict.fromkeys(word for refusal in alternatives for word in refusal.words))
    if words and isinstance(first.value, str):
        hint = suggest(first.value, words) or _list_of(words)
        return first.mark.fault("unknown-word", f"{said(first.value)} is not a word that may stand here", hint)
    wanted = dict.fromkeys(refusal.wanted for refusal in alternatives if refusal.wanted)
    choices = [*wanted, *([said(words[0]) if len(words) == 1 else _list_of(words)] if words else [])]
    hint = ""
    if "text" in wanted and isinstance(first.value, int):
        hint = f'put quotes around it: "{str(first.value).lower()}"'
    elif "a whole number" in wanted and isinstance(first.value, str) and first.value.isdecimal():
        hint = f"take the quotes away: {said(first.value)[1:-1]}"
    message = f"{' or '.join(choices)} is wanted here, and this is {_kind(first.value)}"
    return first.mark.fault("wrong-kind", message, hint)


def _list_of(words: Iterable[str]) -> str:
    """The words, if there are few enough to read."""
    few = list(words)
    return f"one of: {', '.join(few)}" if 0 < len(few) <= 20 else ""


def _kind(value: Any) -> str:
    kinds = ((bool, "true or false"), (int, "a number"), (str, "text"), (dict, "a mapping"), (list, "a list"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "nothing" if value is None else "a value")


def keys_of(known: type[BaseModel] | TypeAdapter[Any] | KeysAt) -> KeysAt:
    """The function that gives the keys of the mappings of a model; a function is taken as it is."""
    if isinstance(known, TypeAdapter):
        schema: Any = known.core_schema
    elif isinstance(known, type):
        schema = TypeAdapter(known).core_schema
    else:
        return known
    return _Keys(schema)


class _Keys:
    """The keys of a model's mappings, and of its clauses the keys by which they are known."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    def __call__(self, loc: Loc) -> list[str]:
        return _Schema(self.schema).keys(loc)

    def tags(self, loc: Loc) -> list[str]:
        """The keys by which the clauses at the end of a way are told apart."""
        return _Schema(self.schema).tags(loc)


def _tags_at(keys_at: KeysAt, loc: Loc) -> list[str]:
    return keys_at.tags(loc) if isinstance(keys_at, _Keys) else []


class _Schema:
    """A core schema of pydantic, followed along the place of an error."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.definitions: dict[str, Any] = {}

    def keys(self, loc: Loc) -> list[str]:
        """The keys of the models to which a way leads; of all alternatives, if the way does not choose among them."""
        flat = self.opened(self.at(loc), tags=True)
        return list(dict.fromkeys(key for schema in flat if "fields" in schema for key in _by_key(schema)))

    def tags(self, loc: Loc) -> list[str]:
        """The tags, written `<tag>`, of the unions to which a way leads, without those that are no key."""
        unions = [schema for schema in self.opened(self.at(loc)) if schema["type"] == "tagged-union"]
        tags = [str(tag) for union in unions for tag in union["choices"]]
        return [tag[1:-1] for tag in tags if tag not in ("<words>", "<number>")]

    def at(self, loc: Loc) -> list[Any]:
        """The schemas to which a way leads."""
        here = list(self.opened([self.root]))
        for part in loc:
            inner = list(self.opened(step for schema in here for step in self.steps(schema, part)))
            here = inner or here  # some parts only name a validator or a member of a union
        return here

    def opened(self, schemas: Iterable[Any], tags: bool = False) -> Iterator[Any]:
        """The schemas inside those that only wrap others; unions by tag are opened if `tags`."""
        waiting, seen = list(schemas), set()
        while waiting:
            schema = waiting.pop(0)
            kind = schema["type"]
            self.definitions |= {inner["ref"]: inner for inner in schema.get("definitions", ())}
            if kind == "definition-ref":
                if schema["schema_ref"] not in seen:
                    seen.add(schema["schema_ref"])
                    waiting.append(self.definitions[schema["schema_ref"]])
            elif kind == "union":
                waiting += [choice[0] if isinstance(choice, tuple) else choice for choice in schema["choices"]]
            elif kind == "tagged-union" and tags:
                waiting += schema["choices"].values()
            elif kind in ("chain", "lax-or-strict", "json-or-python"):
                waiting += schema.get("steps") or [schema.get("strict_schema") or schema["python_schema"]]
            elif "schema" in schema:
                waiting.append(schema["schema"])
            else:
                yield schema

    def steps(self, schema: Any, part: int | str) -> Iterator[Any]:
        """The schemas of the values to which one part of a way leads."""
        if schema["type"] == "tagged-union":
            yield from [schema["choices"][part]] if part in schema["choices"] else []
        elif "fields" in schema:
            yield from [field for key, field in _by_key(schema).items() if key == part]
        elif schema["type"] == "dict" and "values_schema" in schema:
            yield schema["values_schema"]
        elif isinstance(part, int) and "items_schema" in schema:
            items = schema["items_schema"]
            yield items[min(part, len(items) - 1)] if isinstance(items, list) else items


def _by_key(schema: Any) -> dict[str, Any]:
    """The fields of a model by the key in a file."""
    fields = schema["fields"].items()
    return {str(field.get("validation_alias", name)): field["schema"] for name, field in fields}
