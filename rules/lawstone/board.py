"""Boards: sites, the directions between them, their names and their symmetries.

Sites are numbered from 0, row by row from the bottom, left to right. Every board is a table of steps: for each compass direction
the site reached from each site, or none. Directions are compass names on every board, so that a rule need not know its kind.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from lawstone.core import OPPOSITE_OF

LONGEST_SIDE = 26
"""Files are named by one letter, so no board is wider or higher than this."""

COMPASS: dict[str, tuple[int, int]] = {
    "north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0),
    "north east": (1, 1), "south east": (1, -1), "south west": (-1, -1), "north west": (-1, 1),
}  # fmt: skip
ORTHOGONAL = ("north", "east", "south", "west")
DIAGONAL = ("north east", "south east", "south west", "north west")
HEXAGONAL = {
    "east": (1, 0), "west": (-1, 0), "north west": (0, 1), "north east": (1, 1), "south east": (0, -1), "south west": (-1, -1),
}  # fmt: skip

Kind = Literal["grid", "hexagon", "lines"]
Where = tuple[int, int]


@dataclass(frozen=True)
class Symmetry:
    """A map of the board onto itself: `sites[s]` is the image of site s, `directions[d]` that of direction d."""

    name: str
    sites: tuple[int, ...]
    directions: Mapping[str, str]


@dataclass(frozen=True)
class Board:
    """A board. `places[s]` is the column and row of site s, `steps[d][s]` the site one step on in direction d, or None."""

    kind: Kind
    places: tuple[Where, ...]
    steps: Mapping[str, tuple[int | None, ...]]
    drawn_on: Literal["cells", "points"] = "cells"
    label: str = ""

    def __hash__(self) -> int:
        return hash((self.kind, self.places))

    @property
    def size(self) -> int:
        """How many sites there are."""
        return len(self.places)

    @cached_property
    def width(self) -> int:
        """Columns of the drawing."""
        return max(x for x, _ in self.places) + 1

    @cached_property
    def height(self) -> int:
        """Rows of the drawing."""
        return max(y for _, y in self.places) + 1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each site: file letter and rank number."""
        return tuple(f"{chr(97 + x)}{y + 1}" for x, y in self.places)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Site number by name."""
        return {n: s for s, n in enumerate(self.names)}

    @cached_property
    def at(self) -> Mapping[Where, int]:
        """Site number by column and row."""
        return {p: s for s, p in enumerate(self.places)}

    def mask(self, sites: Iterable[int]) -> int:
        """A set of sites as an int with bit s for site s."""
        return sum(1 << s for s in set(sites))

    def directions(self, words: str | Sequence[str]) -> tuple[str, ...]:
        """The compass directions meant by `orthogonal`, `diagonal`, `all` or a list of names; those that this board has."""
        if words == "all":
            return tuple(self.steps)
        if words == "orthogonal":
            return tuple(d for d in ORTHOGONAL if d in self.steps)
        if words == "diagonal":
            return tuple(d for d in DIAGONAL if d in self.steps)
        return tuple(d for d in ([words] if isinstance(words, str) else words) if d in self.steps)

    @staticmethod
    def axes(directions: Iterable[str]) -> tuple[str, ...]:
        """One direction of each line that the directions make: north and south are one axis."""
        chosen: list[str] = []
        for d in directions:
            if OPPOSITE_OF[d] not in chosen:
                chosen.append(d)
        return tuple(chosen)

    def ray(self, site: int, direction: str) -> list[int]:
        """The sites straight on from `site`, itself not included."""
        found: list[int] = []
        table = self.steps[direction]
        at = table[site]
        while at is not None:
            found.append(at)
            at = table[at]
        return found

    @cached_property
    def longest_line(self) -> int:
        """The most sites in one straight line."""
        return max((len(self.ray(s, d)) + 1 for d in self.steps for s in range(self.size)), default=1)

    @cached_property
    def edges(self) -> frozenset[int]:
        """Sites of the rim: those that lack a neighbour which the middle of the board has."""
        if self.kind == "lines":
            return frozenset(range(self.size))
        around = ORTHOGONAL if self.kind == "grid" else tuple(self.steps)
        return frozenset(s for s in range(self.size) if any(self.steps[d][s] is None for d in around))

    @cached_property
    def corners(self) -> frozenset[int]:
        """Corners of a grid; the six corners of a hexagon; on a board of lines, where lines end and meet at the rim."""
        if self.kind == "grid":
            x, y = self.width - 1, self.height - 1
            return frozenset(self.at[p] for p in ((0, 0), (x, 0), (0, y), (x, y)))
        if self.kind == "hexagon":
            return frozenset(s for s in range(self.size) if sum(t[s] is not None for t in self.steps.values()) == 3)
        ends = {0, self.width - 1}, {0, self.height - 1}
        return frozenset(s for s, (x, y) in enumerate(self.places) if x in ends[0] and y in ends[1])

    @cached_property
    def centre(self) -> frozenset[int]:
        """The middle site, if the board has one; else the empty set."""
        middle = ((self.width - 1) / 2, (self.height - 1) / 2)
        return frozenset(s for s, p in enumerate(self.places) if p == middle)

    def sides_of(self, site: int) -> frozenset[str]:
        """The sides of a grid that the site lies on, as compass names."""
        x, y = self.places[site]
        return frozenset(
            name
            for name, on in (("west", x == 0), ("east", x == self.width - 1), ("south", y == 0), ("north", y == self.height - 1))
            if on
        )

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Every map of the board onto itself that carries lines to lines, the identity first."""
        found: list[Symmetry] = []
        for name, move in (_HEX_MAPS if self.kind == "hexagon" else _SQUARE_MAPS).items():
            images = [move(x, y, self.width - 1, self.height - 1) for x, y in self.places]
            if any(p not in self.at for p in images):
                continue
            sites = tuple(self.at[p] for p in images)
            directions = {d: self._direction_image(d, sites) for d in self.steps}
            if all(directions.values()) and self._carries(sites, {d: i for d, i in directions.items() if i}):
                found.append(Symmetry(name, sites, {d: i for d, i in directions.items() if i}))
        return tuple(found)

    def _direction_image(self, direction: str, sites: tuple[int, ...]) -> str | None:
        for s, t in enumerate(self.steps[direction]):
            if t is not None:
                return next((d for d, table in self.steps.items() if table[sites[s]] == sites[t]), None)
        return direction

    def _carries(self, sites: tuple[int, ...], directions: Mapping[str, str]) -> bool:
        return all(
            self.steps[directions[d]][sites[s]] == (None if t is None else sites[t])
            for d, table in self.steps.items()
            for s, t in enumerate(table)
        )


_SQUARE_MAPS: dict[str, Callable[[int, int, int, int], Where]] = {
    "identity": lambda x, y, w, h: (x, y),
    "half turn": lambda x, y, w, h: (w - x, h - y),
    "left and right": lambda x, y, w, h: (w - x, y),
    "top and bottom": lambda x, y, w, h: (x, h - y),
    "rising diagonal": lambda x, y, w, h: (y, x),
    "falling diagonal": lambda x, y, w, h: (h - y, w - x),
    "quarter turn": lambda x, y, w, h: (h - y, x),
    "three quarter turn": lambda x, y, w, h: (y, w - x),
}


def _hex_maps() -> dict[str, Callable[[int, int, int, int], Where]]:
    """The twelve maps of a hexagon in axial coordinates about its centre (q east, r north west of the drawing)."""

    def around(linear: tuple[int, int, int, int]) -> Callable[[int, int, int, int], Where]:
        a, b, c, d = linear

        def move(x: int, y: int, w: int, h: int) -> Where:
            n = w // 2
            q, r = x - n, y - n
            return (a * q + b * r + n, c * q + d * r + n)

        return move

    turn, found, m = (1, -1, 1, 0), {}, (1, 0, 0, 1)
    for k in range(6):
        found[f"turn by {60 * k} degrees" if k else "identity"] = around(m)
        a, b, c, d = m
        found[f"mirror {k + 1}"] = around((b, a, d, c))
        p, q, r, s = turn
        m = (p * a + q * c, p * b + q * d, r * a + s * c, r * b + s * d)
    return found


_HEX_MAPS = _hex_maps()


def _table(at: Mapping[Where, int], places: Sequence[Where], delta: Where) -> tuple[int | None, ...]:
    return tuple(at.get((x + delta[0], y + delta[1])) for x, y in places)


@lru_cache(maxsize=64)
def grid(width: int, height: int, drawn_on: Literal["cells", "points"] = "cells") -> Board:
    """A rectangle of sites with the eight compass directions; ValueError when a side is not 1 to 26."""
    if not (1 <= width <= LONGEST_SIDE and 1 <= height <= LONGEST_SIDE):
        raise ValueError(f"a board is 1 to {LONGEST_SIDE} sites wide and high, and this one is {width} by {height}")
    places = tuple((x, y) for y in range(height) for x in range(width))
    at = {p: s for s, p in enumerate(places)}
    return Board("grid", places, {d: _table(at, places, v) for d, v in COMPASS.items()}, drawn_on, f"{width}x{height}")


@lru_cache(maxsize=16)
def hexagon(side: int, drawn_on: Literal["cells", "points"] = "cells") -> Board:
    """A hexagon of hexagons with `side` cells along each edge, drawn in a square whose ranks lean to the right."""
    if not 1 <= side <= (LONGEST_SIDE + 1) // 2:
        raise ValueError(f"a hexagon's side is 1 to {(LONGEST_SIDE + 1) // 2}, and this one is {side}")
    n = side - 1
    places = tuple((x, y) for y in range(2 * n + 1) for x in range(max(0, y - n), min(2 * n, y + n) + 1))
    at = {p: s for s, p in enumerate(places)}
    return Board("hexagon", places, {d: _table(at, places, v) for d, v in HEXAGONAL.items()}, drawn_on, f"hexagon {side}")


def lines(named: Sequence[Sequence[str]]) -> Board:
    """A board drawn as straight lines of named points; neighbours on a line are one step apart.

    Raises ValueError for a name that is not a letter and a number, a line that is not straight, or a point with two neighbours
    in one direction.
    """
    where: dict[str, Where] = {}
    for name in (n for line in named for n in line):
        letter, rank = name[:1], name[1:]
        if not (re.fullmatch("[a-z][1-9][0-9]?", name) and int(rank) <= LONGEST_SIDE):
            raise ValueError(f"{name!r} is not a site: a letter and a number, such as d7")
        where[name] = (ord(letter) - 97, int(rank) - 1)
    places = tuple(sorted(where.values(), key=lambda p: (p[1], p[0])))
    at = {p: s for s, p in enumerate(places)}
    found: dict[str, dict[int, int]] = {}
    for line in named:
        ways = {_compass(where[a], where[b]) for a, b in itertools.pairwise(line)}
        if len(ways) != 1 or None in ways:
            raise ValueError(f"the line {' '.join(line)} is not straight")
        way = next(w for w in ways if w)
        for a, b in itertools.pairwise(line):
            for d, s, t in ((way, at[where[a]], at[where[b]]), (OPPOSITE_OF[way], at[where[b]], at[where[a]])):
                if found.setdefault(d, {}).setdefault(s, t) != t:
                    raise ValueError(f"two lines lead {d} from the same point of {' '.join(line)}")
    steps = {d: tuple(found[d].get(s) for s in range(len(places))) for d in COMPASS if d in found}
    return Board("lines", places, steps, "points", "lines")


def _compass(a: Where, b: Where) -> str | None:
    dx, dy = b[0] - a[0], b[1] - a[1]
    if not (dx == 0 or dy == 0 or abs(dx) == abs(dy)):
        return None
    sign = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
    return next((d for d, v in COMPASS.items() if v == sign), None)


METRICS: dict[str, Callable[[int, int], float]] = {
    "king": lambda dx, dy: max(dx, dy),
    "city block": lambda dx, dy: dx + dy,
    "straight line": lambda dx, dy: (dx * dx + dy * dy) ** 0.5,
}
"""Distances in steps, so that neighbours are one apart: the larger of the two, their sum, or Pythagoras."""
