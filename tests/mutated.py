"""Game files gone wrong: the shipped games with parts deleted, doubled, renamed, exchanged, rewritten, or with bytes changed."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from lawstone import data
from lawstone.model.located import read

NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 6, 8, 13, 26, 27, 1000, 1001, 999_999_999)
WORDS = ("", "it", "last", "centre", "$s", "own", "both", "shapes", "always", "a1", "z99", "rank 1", "file z", "null")
PARTS: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"sites": "empty"}, {"can move": "own"}, "empty")
SIGNS = (
    b"\xff",
    b"\xc3",
    *(
        sign.encode()
        for sign in (
            *(":", ": ", "- ", "{", "}", "[", "]", ",", "#", "'", '"', "\n", "  ", "\t", "|", ">", "!", "%", "\\", "? "),
            *("&a ", "*a", "<<: ", "---\n", "0", "-1", "null", "~", "\x00", "\u202e", "\ufeff"),
        )
    ),
)
DIRECTIONS = ("orthogonal", "diagonal", "all", ["north"], ["east", "south east"], ["forward"], ["forward left", "backward"])

Way = tuple[Any, ...]
Draw = st.DrawFn


@functools.cache
def content(name: str) -> bytes:
    """A shipped game file."""
    return (data.spec_root() / name / "game.yaml").read_bytes()


@functools.cache
def _tree(name: str) -> Any:
    return json.loads(json.dumps(read("game.yaml", content(name)).tree))


def ways(tree: Any, way: Way = ()) -> list[Way]:
    """The way to every part of a tree except the whole."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [found for key, value in inner for found in ((*way, key), *ways(value, (*way, key)))]


def at(tree: Any, way: Way) -> Any:
    """The part of a tree to which a way leads."""
    for key in way:
        tree = tree[key]
    return tree


@functools.cache
def words_used() -> tuple[str, ...]:
    """Every key and every text of the shipped games."""
    found: dict[str, None] = dict.fromkeys(WORDS)
    for name in data.shipped_games():
        for way in ways(_tree(name)):
            found |= dict.fromkeys(word for word in (way[-1], at(_tree(name), way)) if isinstance(word, str))
    return tuple(found)


# Clauses whose form is right, of the words of one game


class Grammar:
    """Draws sets of sites, conditions and steps that a game could have; what they mean together is left to chance."""

    def __init__(self, draw: Draw, tree: Any) -> None:
        self.draw = draw
        pieces = tree.get("pieces") if isinstance(tree.get("pieces"), dict) else {}
        self.phrases = []
        for name, piece in pieces.items():
            kinds = piece.get("kinds") if isinstance(piece, dict) else None
            ends = ["", *(f" {kind}" for kind in kinds or ()), " $s"] if isinstance(kinds, list) else [""]
            self.phrases += [f"{whose}{name}{end}" for whose in ("own ", "enemy ", "") for end in ends]
        self.phrases = self.phrases or ["own stone"]
        self.players = [*(p for p in tree.get("players") or () if isinstance(p, str)), "own", "other"]
        self.phases = self._names(tree, "phases") or ["main"]
        self.shapes = [*self._names(tree, "shapes"), "any"]
        self.steps = self._names(tree, "steps")
        self.hand = '"hand"' in json.dumps(pieces)
        hexagonal, faces = "hexagon" in (tree.get("board") or ()), "facing" in tree
        self.directions = [*DIRECTIONS[: 1 if hexagonal else 5], *(DIRECTIONS[5:] if faces else ())]
        self.atoms = ["empty", "empty", "occupied", "board", "it", "last", "corners", "edges", "a1", "rank 2"]
        self.atoms += ["far rank"] * faces + ["vacated"] * ('"move"' in json.dumps(tree))

    @staticmethod
    def _names(tree: Any, key: str) -> list[str]:
        return list(tree[key]) if isinstance(tree.get(key), dict) else []

    def one(self, *choices: Any) -> Any:
        """One of some values, or what one of some functions draws."""
        chosen = self.draw(st.sampled_from(choices))
        return chosen() if callable(chosen) else copy.deepcopy(chosen)

    def number(self) -> int:
        return self.draw(st.sampled_from((0, 1, 2, 3, 4, 5, 7, 12)))

    def some(self, **optional: Callable[[], Any]) -> dict[str, Any]:
        """A few optional keys."""
        chosen = self.draw(st.sets(st.sampled_from(sorted(optional)), max_size=1)) if optional else set()
        return {key.strip("_").replace("_", " "): optional[key]() for key in sorted(chosen)}

    def sites(self, deep: int = 2) -> Any:
        """A set of sites."""
        if deep == 0 or self.draw(st.booleans()):
            return self.one(*self.atoms, *self.phrases)
        inner = functools.partial(self.sites, deep - 1)
        ways = functools.partial(self.one, *self.directions)
        clause = self.one(
            lambda: {"next to": {"of": inner(), "directions": ways()}},
            lambda: {"not next to": {"of": inner(), "directions": ways()}},
            lambda: {"slide": {"from": inner(), "directions": ways(), "over": inner()}},
            lambda: {"jump": {"from": inner(), "directions": ways(), "over": inner(), "to": inner(), **self.some(then_over=inner)}},
            lambda: {"distance": {"from": inner(), "metric": self.one("king", "city block", "straight line"), "at least": 2}},
            lambda: {"flanked": {"from": inner(), "directions": ways(), "over": inner(), "by": inner(), "exactly": 2}},
            lambda: {"flanked": {"from": "it", "directions": ways(), "over": inner(), "by": inner()}},
            lambda: {"any of": [inner(), inner()]},
            lambda: {"all of": [inner(), inner()]},
            lambda: {"first of": [inner(), inner()]},
            lambda: {"sites": inner()},
        )  # fmt: skip
        condition = functools.partial(self.condition, deep - 1)
        return clause | self.some(and_=inner, but_not=inner, such_that=condition, if_=condition, outside=lambda: "shapes")

    def condition(self, deep: int = 2) -> Any:
        """A condition."""
        inner = functools.partial(self.sites, max(0, deep - 1))
        player = functools.partial(self.one, *self.players)
        size = functools.partial(self.one, "at least", "at most", "exactly")
        simple = [
            lambda: {"line": {"of": inner(), self.one("at least", "exactly"): 3, "directions": self.one(*self.directions)}},
            lambda: {"line": {"of": inner(), "exactly": 2, "directions": "all", "through": inner()}},
            lambda: {"line": {"of": inner(), "at least": 4, "directions": "all", "past": inner()}},
            lambda: {"shape": self.one(*self.shapes), "of": inner(), **self.some(through=inner)},
            lambda: {"count": inner(), size(): self.number()},
            lambda: {"some": inner()},
            lambda: {"none": inner()},
            lambda: {"captured by": player(), "at least": 1 + self.number()},
            lambda: {"nothing captured in": self.one(*self.phases)},
            lambda: {"can move": player()},
            lambda: {"cannot move": player()},
            lambda: "always",
        ]
        if self.hand:
            simple += [
                lambda: {"count": self.one(*self.phrases), size(): self.number(), "with hand": True},
                lambda: {"in hand": self.one(*self.phrases)},
                lambda: {"hands empty": self.one("both", *self.players)},
            ]
        if deep == 0:
            return self.one(*simple)
        nested = functools.partial(self.condition, deep - 1)
        return self.one(
            *simple, lambda: {"all of": [nested(), nested()]}, lambda: {"any of": [nested(), nested()]}, lambda: {"not": nested()}
        )

    def step(self) -> Any:
        """A step of a turn."""
        few: tuple[dict[str, Any], ...] = (
            {},
            {},
            {"if fewer": "take what there is"},
            {"if fewer": "not allowed"},
            {"if fewer": "take from", "rest from": "occupied"},
        )
        due = functools.partial(self.one, 1, 2, 3, {"worth": "shapes", "formed by": "it"}, {"worth": "shapes", "stack": "best"})
        free = functools.partial(self.some, needs=self.condition, when=self.condition, when_=self.condition, optional=lambda: True)
        kinds: list[Callable[[], Any]] = [
            lambda: {"place": self.one(*self.phrases), "to": self.one(self.sites, "empty")} | free(),
            lambda: {"move": self.one(*self.phrases), "to": self.sites(), **self.some(displaces=self.sites)} | free(),
            lambda: {"move": self.one(*self.phrases), "to": "empty", "if fewer": "not allowed"} | free(),
            lambda: {"capture": self.sites(), "count": due(), **self.one(*few)} | free(),
            lambda: {"remove": self.sites(), "count": due(), **self.one(*few), **self.some(up_to=lambda: True)} | free(),
            lambda: {"capture": self.sites(), "count": "all"},
            lambda: {"pick": "s", "from": ["x", "o"]},
            lambda: {"one of": [{"name": "left", "needs": self.condition(1)}, {"name": "right", "go": self.one(*self.phases)}]},
        ]
        return self.one(*kinds, *([lambda: {"do": self.one(*self.steps)}] if self.steps else ()))

    def ending(self) -> Any:
        """An ending."""
        return {
            "rule": f"end.new-{self.number()}",
            "if": self.condition(),
            **self.one({"draw": True}, {"wins": "mover"}, {"wins": "opponent"}),
        }


SITES = (
    "to",
    "of",
    "from",
    "over",
    "and",
    "but not",
    "capture",
    "remove",
    "displaces",
    "sites",
    "formed by",
    "through",
    "none",
    "some",
)
CONDITIONS = ("if", "needs", "when", "until", "such that", "not")
LISTS = {"turn": Grammar.step, "script": Grammar.step, "capture": Grammar.step, "end": Grammar.ending, "first of": Grammar.sites}


def _rewrite(draw: Draw, tree: Any) -> None:
    """Put another clause of the same kind in the place of one, or add one to a list, in place."""
    grammar = Grammar(draw, tree)
    known = [w for w in ways(tree) if not {"questions", "variants", "players", "pieces", "title"} & set(w[:1])]
    sets = [w for w in known if w[-1] in SITES and not isinstance(at(tree, w), list)]
    conditions = [w for w in known if w[-1] in CONDITIONS]
    lists = [w for w in known if w[-1] in LISTS and isinstance(at(tree, w), list)]
    chosen = draw(st.sampled_from([*sets, *conditions, *lists, *lists] or [()]))
    if chosen in lists:
        held, make = at(tree, chosen), LISTS[chosen[-1]]
        n = draw(st.integers(0, len(held)))
        held[n : n + draw(st.integers(0, 1))] = [make(grammar)]
        return
    make = Grammar.sites if chosen in sets else Grammar.condition
    if chosen:
        at(tree, chosen[:-1])[chosen[-1]] = make(grammar)


# Anything at all


def _part(draw: Draw, tree: Any) -> Any:
    """Something to put somewhere: a word, a number, a small part, or a part of this or another game."""
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return draw(st.sampled_from(words_used()))
    if kind == 1:
        return draw(st.sampled_from(NUMBERS))
    if kind == 2:
        return copy.deepcopy(draw(st.sampled_from(PARTS)))
    other = tree if kind == 3 else _tree(draw(st.sampled_from(data.shipped_games())))
    return copy.deepcopy(at(other, draw(st.sampled_from(ways(other) or [()]))))


def _mutate(draw: Draw, tree: Any) -> None:
    """Change one part of a tree, in place."""
    known = ways(tree)
    if not known:
        return
    way = draw(st.sampled_from(known))
    holder, key = at(tree, way[:-1]), way[-1]
    kinds = ("delete", "double", "rename", "replace", "like", "exchange", "number", "wrap", "misspell", "move")
    match draw(st.sampled_from(kinds)):
        case "delete":
            del holder[key]
        case "double" if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case "double":
            holder[draw(st.sampled_from(words_used()))] = copy.deepcopy(holder[key])
        case "rename" if isinstance(holder, dict):
            holder[draw(st.sampled_from(words_used()))] = holder.pop(key)
        case "like":
            other = tree if draw(st.booleans()) else _tree(draw(st.sampled_from(data.shipped_games())))
            alike = [w for w in ways(other) if w[-1] == key]
            if alike:
                holder[key] = copy.deepcopy(at(other, draw(st.sampled_from(alike))))
        case "exchange":
            other = draw(st.sampled_from(known))
            if way[: len(other)] != other and other[: len(way)] != way:
                there = at(tree, other[:-1])
                holder[key], there[other[-1]] = there[other[-1]], holder[key]
        case "number":
            numbers = [w for w in known if type(at(tree, w)) is int]
            if numbers:
                chosen = draw(st.sampled_from(numbers))
                at(tree, chosen[:-1])[chosen[-1]] = draw(st.sampled_from(NUMBERS))
        case "wrap":
            name = draw(st.sampled_from(("not", "all of", "any of", "first of", "sites", "none", "some", "list")))
            value = holder[key]
            holder[key] = [value] if name == "list" else {name: [value] if name.endswith("of") else value}
        case "misspell" if isinstance(holder[key], str) and holder[key]:
            n = draw(st.integers(0, len(holder[key]) - 1))
            holder[key] = holder[key][:n] + draw(st.sampled_from("aez1 .$-")) + holder[key][n + 1 :]
        case "move" if isinstance(holder, dict):
            there = draw(st.sampled_from([w for w in known if isinstance(at(tree, w), dict)] or [()]))
            at(tree, there)[key] = copy.deepcopy(holder[key])
        case _:
            holder[key] = _part(draw, tree)


@st.composite
def trees(draw: Draw, rewritten: bool = False) -> str:
    """A game file as JSON, one to four parts of it changed; `rewritten`: only as its form allows.

    One of its questions and one of its variants are kept at most, and none of those that are rewritten.
    """
    tree = copy.deepcopy(_tree(draw(st.sampled_from(data.shipped_games()))))
    for name in ("questions", "variants"):
        held = tree.get(name)
        if rewritten:
            tree.pop(name, None)
        while held and len(held) > 1:
            del held[draw(st.sampled_from(list(held) if isinstance(held, dict) else range(len(held))))]
    for _ in range(draw(st.integers(1, 4))):
        (_rewrite if rewritten else _mutate)(draw, tree)
    return json.dumps(tree, ensure_ascii=False)


@st.composite
def texts(draw: Draw) -> bytes:
    """A game file with one to five of its bytes, signs or lines changed."""
    text = content(draw(st.sampled_from(data.shipped_games())))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from((0, 0, 1, 1, 2, 5, 20, 80, 400))))
        put = draw(st.sampled_from(SIGNS) | st.binary(max_size=3) | st.just(b"") | st.just(text[start:end] * 2))
        text = text[:start] + put + text[end:]
    return text
