"""The nodes of an SGF file with the places of their values; the grammar is that of `sgfmill.sgf_grammar`."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from sgfmill import sgf_grammar

from lawstone.model.faults import BadInput, Mark, Source

_START = re.compile(rb"\(\s*;")
_FOLLOW = {"(": ";", ";": ";()I", ")": "()", "I": "V", "V": "VI;()"}
"""What may follow each kind of token: the grammar of SGF in pairs."""

_SAID = {
    "I": "the name of a property",
    "V": "a value",
    ";": "a node",
    "(": "a variation",
    ")": "the end of a variation",
}


class Value(NamedTuple):
    """One value of a property: its text with escapes resolved, and where it begins."""

    text: str
    mark: Mark


@dataclass(frozen=True)
class Property:
    """A property of a node: its name in capitals, such as `B` or `SZ`, and its values."""

    name: str
    mark: Mark
    values: list[Value] = field(default_factory=list)


Node = list[Property]


class _Token(NamedTuple):
    """A piece of SGF: its kind (`I` name, `V` value, or the sign itself), its text as written, and its place."""

    kind: str
    raw: str
    at: int


def main_line(source: Source) -> tuple[list[Node], list[str]]:
    """The nodes of the first game from the root to the end of its first line of play, and notes on what else is there.

    Raises BadInput where the text is not SGF. The whole first game is looked at, its variations too.
    """
    flat = source.text.encode("ascii", "replace")  # a byte for each character, so that places are the same in both
    found, end = sgf_grammar.tokenise(flat, 0)
    if not found:
        raise BadInput([source.mark(0).fault("not-sgf", "there is no SGF game here", "a game begins with (;")])
    tokens = _placed(source.text, flat, found)
    _check(source, flat, tokens, end)
    nodes: list[Node] = []
    closed = next(n for n, token in enumerate(tokens) if token.kind == ")")
    for token in tokens[:closed]:
        if token.kind == ";":
            nodes.append([])
        elif token.kind == "I":
            nodes[-1].append(Property(token.raw, source.mark(token.at)))
        elif token.kind == "V":
            raw = token.raw.encode("utf-8", "surrogatepass")
            text = sgf_grammar.text_value(raw).decode("utf-8", "replace")
            nodes[-1][-1].values.append(Value(text, source.mark(token.at)))
    notes = []
    if any(token.kind == "(" for token in tokens[closed:]):
        notes.append("the file holds variations: the main line, which is the first of each, is taken")
    if _START.search(flat, end):
        notes.append("the file holds several games: the first is taken")
    return nodes, notes


def _placed(text: str, flat: bytes, found: list[tuple[str, bytes]]) -> list[_Token]:
    """The tokens with their places: between them there is white space, and in names small letters of old files."""
    start = _START.search(flat)
    at = start.start() if start else 0
    tokens = []
    for kind, content in found:
        while flat[at : at + 1].isspace():
            at += 1
        if kind == "V":
            tokens.append(_Token("V", text[at + 1 : at + 1 + len(content)], at + 1))
            at += len(content) + 2
        elif kind == "I":
            tokens.append(_Token("I", content.decode("ascii"), at))
            while flat[at : at + 1].isalpha():
                at += 1
        else:
            tokens.append(_Token(content.decode("ascii"), content.decode("ascii"), at))
            at += 1
    return tokens


def _check(source: Source, flat: bytes, tokens: list[_Token], end: int) -> None:
    """Raise BadInput at what cannot be SGF: pieces in a wrong order, something between them, or no end."""
    faults = []
    for token, after in itertools.pairwise(tokens):
        if after.kind not in _FOLLOW[token.kind]:
            if token.kind == "I":
                faults.append(source.mark(token.at).fault("bad-sgf", f"the property {token.raw} has no value"))
            else:
                said = f"{_SAID[after.kind]} cannot stand here"
                faults.append(source.mark(after.at).fault("bad-sgf", said, f"before it stands {_SAID[token.kind]}"))
    opened = sum((token.kind == "(") - (token.kind == ")") for token in tokens)
    if opened and not faults:
        while flat[end : end + 1].isspace():
            end += 1
        if end >= len(flat):
            faults.append(source.mark(end).fault("bad-sgf", "the file ends before its game does", "a ) is missing"))
        elif flat[end : end + 1] == b"[":
            faults.append(source.mark(end).fault("bad-sgf", "this value is opened and not closed", "a ] is missing"))
        else:
            faults.append(source.mark(end).fault("bad-sgf", f"{source.text[end]!r} cannot stand here in SGF"))
    if faults:
        raise BadInput(faults[:1_000])
