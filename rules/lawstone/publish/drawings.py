"""Diagrams of a page: what many drawings share (the empty board, the pieces, the marks) stands in the page once.

The drawings are those of `lawstone.drawing.svg`; here they are only taken apart, so that a page of sixty boards stays small and
so that the page's script can set pieces without knowing how one is drawn.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from xml.etree.ElementTree import Element, SubElement, fromstring, register_namespace, tostring

from markupsafe import Markup

from lawstone.board import Board
from lawstone.drawing.ink import clean
from lawstone.drawing.look import MARKS, Look, Mark, PieceLook
from lawstone.drawing.svg import svg
from lawstone.engine.drawn import look, piece_looks
from lawstone.engine.game import Game, Position
from lawstone.publish.labels import Labels

_SVG = "http://www.w3.org/2000/svg"
register_namespace("", _SVG)
PIXELS = 320
"""The width that diagrams are drawn for; pages scale them."""

_EMPTY_MARKS: tuple[Mark, ...] = ("legal", "blocked", "captured", "here", "a", "b", "both", "to", "from")


def _plain(element: Element) -> Element:
    """The element without its name space, which HTML does not want."""
    for e in element.iter():
        e.tag = e.tag.rpartition("}")[2]
    return element


def _text(element: Element) -> str:
    return tostring(element, encoding="unicode").replace(" />", "/>")


@dataclass(frozen=True)
class Kit:
    """The shared parts of the drawings of one board: the ground, pieces by token, marks by name, and where sites are."""

    prefix: str
    board: Board
    viewbox: str
    ground: int
    """How many elements of a drawing are the empty board."""
    defs: tuple[Element, ...]
    places: tuple[tuple[float, float], ...]
    reach: float
    """Half the distance of two sites: how far a click may be off."""
    pieces: Mapping[str, str]
    """What each token stands for, as the game file says it."""

    def data(self, name: Callable[[str], str]) -> dict[str, Any]:
        """What the script needs to set pieces, and to say what stands where in the words that `name` gives."""
        return {"pieces": {token: name(words) for token, words in self.pieces.items()},
                "prefix": self.prefix, "box": self.viewbox, "at": [list(p) for p in self.places], "reach": self.reach,
                "names": list(self.board.names)}  # fmt: skip


def kit(board: Board, pieces: Mapping[str, PieceLook], prefix: str) -> Kit:
    """The parts, taken from drawings of the empty board, of the full board, and of one site with each mark."""

    def drawn(cells: Mapping[int, str], marks: Mapping[int, Mark]) -> Element:
        made = svg(Look(board, cells, pieces, marks), size=PIXELS, style=False, prefix=prefix)
        return _plain(fromstring(made))

    bare = drawn({}, {})
    ground = list(bare)[3:]
    tokens = sorted(pieces)
    defs: list[Element] = [Element("g", {"id": f"{prefix}-ground"})]
    defs[0].extend(ground)
    defs += list(bare[2])
    known = {d.get("id") for d in defs}
    full = drawn(dict.fromkeys(range(board.size), tokens[0]), {})
    order = sorted(range(board.size), key=lambda s: (-board.places[s][1], s))
    uses = [e for e in full if e.tag == "use"]
    where = {s: (float(u.get("x", "0")), float(u.get("y", "0"))) for s, u in zip(order, uses, strict=True)}
    for token in tokens:
        for part in drawn({0: token}, {})[2]:
            if part.tag == "g":
                part.set("id", f"{prefix}-{token}")
            if part.get("id") not in known:
                known.add(part.get("id"))
                defs.append(part)
    for mark in _EMPTY_MARKS:
        group = drawn({}, {0: mark})[-1]
        defs.append(_mark(group, f"{prefix}-m-{mark}"))
    for mark in MARKS:
        for token in tokens:
            group = drawn({0: token}, {0: mark})[-1]
            defs.append(_mark(group, f"{prefix}-m-{mark}-{token}", where[0]))
    spots = list(where.values())
    reach = min((((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 for ax, ay in spots[:1] for bx, by in spots[1:]), default=40.0) / 2
    named = {token: pieces[token].name for token in tokens}
    at = tuple(where[s] for s in range(board.size))
    return Kit(prefix, board, bare.get("viewBox", ""), len(ground), tuple(defs), at, reach, named)


def _mark(group: Element, name: str, origin: tuple[float, float] | None = None) -> Element:
    """A mark about the origin: the move to its site is taken off, what is left of it (beside a piece) is kept."""
    made = copy.deepcopy(group)
    made.set("id", name)
    found = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)(.*)", made.attrib.pop("transform", ""))
    if found and origin is not None:
        dx, dy = float(found[1]) - origin[0], float(found[2]) - origin[1]
        made.set("transform", f"translate({dx:.2f} {dy:.2f}){found[3]}")
    return made


@dataclass
class Sheet:
    """The drawings of one page."""

    labels: Labels
    name: Callable[[str], str] = str
    """How a piece or a player is called in the page's language."""
    kits: dict[str, Kit] = field(default_factory=dict)
    used: dict[str, None] = field(default_factory=dict)
    number: int = 0
    bodies: dict[Any, tuple[Markup, Markup]] = field(default_factory=dict)
    """Drawings that have been made, for the pages in other languages."""

    def kit(self, game: Game) -> Kit:
        """The shared parts for the board of a game."""
        board = game.rules.board
        prefix = re.sub(r"[^a-z0-9]", "", f"{game.id[0]}{board.label}".lower())
        if prefix not in self.kits:
            key = (game.id, board.label)
            if key not in _KITS:
                _KITS[key] = kit(board, piece_looks(game), prefix)
            self.kits[prefix] = _KITS[key]
        self.used[prefix] = None
        return self.kits[prefix]

    def describe(self, position: Position) -> str:
        """Where every piece stands, in the page's language."""
        looks, names = piece_looks(position.game), position.game.rules.board.names
        where: dict[str, list[str]] = {}
        for s, token in sorted(position.cells.items()):
            where.setdefault(self.name(looks[token].name), []).append(names[s])
        if not where:
            return self.labels("empty-board")
        on = self.labels("on")
        return "; ".join(f"{piece} {on} {' '.join(sites)}" for piece, sites in where.items())

    def draw(
        self, position: Position, marks: Mapping[int, Mark] | None = None, arrows: tuple[tuple[int, int], ...] = (), title: str = ""
    ) -> Markup:
        """One diagram: the body is drawn once for all languages, the words are this page's."""
        made = self.kit(position.game)
        shown = look(position, marks, arrows, title)
        key = (made.prefix, tuple(sorted(shown.cells.items())), tuple(sorted(shown.marks.items())), arrows)
        if key not in self.bodies:
            self.bodies[key] = _body(made, shown)
        given, body = self.bodies[key]
        self.number += 1
        label = f"d{self.number}"
        words = Markup('<title id="{0}-title">{1}</title><desc id="{0}-desc">{2}</desc>').format(
            label, clean(shown.title), clean(self.describe(position))
        )
        opening = Markup('<svg {} aria-labelledby="{}" data-kit="{}">').format(given, f"{label}-title {label}-desc", made.prefix)
        return opening + words + body + Markup("</svg>")

    def shared(self) -> Markup:
        """The parts that the page's diagrams refer to, in a drawing that takes no room."""
        if not self.used:
            return Markup("")
        root = Element("svg", {"class": "ls sprites", "width": "0", "height": "0", "aria-hidden": "true", "focusable": "false"})
        defs = SubElement(root, "defs")
        for prefix in self.used:
            defs.extend(copy.deepcopy(d) for d in self.kits[prefix].defs)
        return Markup(_text(root))

    def data(self) -> Markup:
        """The places of sites, for the script."""
        return script_json({prefix: self.kits[prefix].data(self.name) for prefix in self.used})


_KITS: dict[tuple[str, str], Kit] = {}


def _body(made: Kit, shown: Look) -> tuple[Markup, Markup]:
    """A drawing without its words, in the parts that the page shares: the attributes of the element, and what stands in it."""
    root = _plain(fromstring(svg(shown, size=PIXELS, style=False, prefix=made.prefix)))
    tokens = sorted(set(shown.cells.values()))
    names = {f"#{made.prefix}-p{n}": f"#{made.prefix}-{token}" for n, token in enumerate(tokens)}
    inside = [Element("use", {"href": f"#{made.prefix}-ground"}), *list(root)[3 + made.ground :]]
    for part in inside:
        for use in part.iter("use"):
            use.set("href", names.get(use.get("href", ""), use.get("href", "")))
    known = {d.get("id") for d in made.defs}
    after = 1 + len(shown.cells)
    for n, (site, mark) in enumerate(sorted(shown.marks.items())):
        token = shown.cells.get(site)
        name = f"{made.prefix}-m-{mark}" + (f"-{token}" if token else "")
        x, y = made.places[site]
        if name in known:
            inside[after + n] = Element("use", {"href": f"#{name}", "x": f"{x:g}", "y": f"{y:g}"})
    given = " ".join(f'{k}="{root.get(k)}"' for k in ("class", "role", "width", "height", "viewBox"))
    return Markup(given), Markup("".join(_text(part) for part in inside))


def read_back(made: Kit, drawing: str) -> tuple[dict[str, str], dict[str, str]]:
    """What a diagram shows, read from its text alone: the token and the mark on each site, by the name of the site."""
    site_at = {(f"{x:g}", f"{y:g}"): made.board.names[s] for s, (x, y) in enumerate(made.places)}
    cells, marks = dict[str, str](), dict[str, str]()
    for use in _plain(fromstring(f"<svg>{drawing.partition('>')[2]}")).iter("use"):
        name = use.get("href", "").removeprefix(f"#{made.prefix}-")
        if name == "ground":
            continue
        site = site_at[use.get("x", ""), use.get("y", "")]
        (marks if name.startswith("m-") else cells)[site] = name.removeprefix("m-").partition("-")[0]
    return cells, marks


class PrintSheet(Sheet):
    """Drawings that stand alone, in the colours of print: for a program that draws each one by itself."""

    def draw(
        self, position: Position, marks: Mapping[int, Mark] | None = None, arrows: tuple[tuple[int, int], ...] = (), title: str = ""
    ) -> Markup:
        """One diagram, complete in itself."""
        self.number += 1
        shown = replace(look(position, marks, arrows, title), description=self.describe(position))
        return Markup(svg(shown, size=190, theme="print", prefix=f"d{self.number}"))


def ornament(position: Position, prefix: str) -> str:
    """A drawing without words, for a place where words stand beside it."""
    root = _plain(fromstring(svg(look(position), size=PIXELS, style=False, prefix=prefix)))
    for words in list(root)[:2]:
        root.remove(words)
    for name in ("aria-labelledby", "role", "xmlns"):
        root.attrib.pop(name, None)
    root.set("aria-hidden", "true")
    return _text(root)


def script_json(value: Any) -> Markup:
    """JSON that may stand in a script element: nothing in it can end the element or open a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def frames(
    positions: list[tuple[str, Position]], decisive: tuple[int, ...] = (), at: int = 0, marks: Mapping[int, Mark] | None = None
) -> list[dict[str, Any]]:
    """The positions of a game as the script steps through them: the move that led there, the sites by token, the last site.

    `decisive`: sites that are pointed out in the last position. `marks` are those of the position numbered `at`.
    """
    found: list[dict[str, Any]] = []
    for move, position in positions:
        cells: dict[str, list[int]] = {}
        for site, token in sorted(position.cells.items()):
            cells.setdefault(token, []).append(site)
        found.append({"m": move, "c": cells} | ({"l": position.last} if position.last is not None else {}))
    if decisive and found:
        found[-1]["k"] = {"here": list(decisive)}
    if marks:
        by_mark: dict[str, list[int]] = {}
        for site, mark in sorted(marks.items()):
            by_mark.setdefault(mark, []).append(site)
        found[at]["k"] = by_mark | found[at].get("k", {})
    return found
