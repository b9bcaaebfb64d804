"""What the words of the language mean, each written naively over sets of places; nothing of the toolkit is imported.

A place is a column and a row, `(0, 0)` at the bottom left. Directions have compass names. A board is a `Plane`: its places
and, for each direction, how far one step leads. On a hexagon, drawn in a square whose ranks lean to the right, the six
directions are east, west, north west, north east, south east and south west, and north west is straight up in the square.

Decisions, all of them from the language's definition: off the board there is nothing; a way stops before the first site
that it may not pass; a run is maximal, closed at both ends by something else or by the rim; gaps never count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

Place = tuple[int, int]
Places = frozenset[Place]

COMPASS: dict[str, Place] = {
    "north": (0, 1),
    "north east": (1, 1),
    "east": (1, 0),
    "south east": (1, -1),
    "south": (0, -1),
    "south west": (-1, -1),
    "west": (-1, 0),
    "north west": (-1, 1),
}
HEXAGON: dict[str, Place] = {
    "east": (1, 0),
    "west": (-1, 0),
    "north east": (1, 1),
    "south west": (-1, -1),
    "north west": (0, 1),
    "south east": (0, -1),
}


class Plane:
    """A board: its places, and the vector of one step in each of its directions."""

    def __init__(self, places: Iterable[Place], vectors: dict[str, Place]) -> None:
        self.places: Places = frozenset(places)
        self.vectors = vectors

    def named(self, directions: str | list[str]) -> list[str]:
        """The directions that `orthogonal`, `diagonal`, `all` or a list of names mean here."""
        if isinstance(directions, list):
            return directions
        straight = [name for name in self.vectors if " " not in name]
        slanting = [name for name in self.vectors if " " in name]
        return {"orthogonal": straight, "diagonal": slanting, "all": straight + slanting}[directions]

    def beyond(self, place: Place, direction: str) -> Place | None:
        """The place one step on; None off the board."""
        (x, y), (dx, dy) = place, self.vectors[direction]
        return (x + dx, y + dy) if (x + dx, y + dy) in self.places else None

    def ray(self, place: Place, direction: str) -> list[Place]:
        """All places straight on from one, itself left out."""
        found = []
        at = self.beyond(place, direction)
        while at is not None:
            found.append(at)
            at = self.beyond(at, direction)
        return found

    def rows(self, directions: str | list[str]) -> Iterator[list[Place]]:
        """Every whole straight row of places along the directions, both ends at the rim."""
        for direction in self.named(directions):
            dx, dy = self.vectors[direction]
            for x, y in self.places:
                if (x - dx, y - dy) not in self.places:
                    yield [(x, y), *self.ray((x, y), direction)]


def grid(width: int, height: int) -> Plane:
    """A rectangle."""
    return Plane(((x, y) for x in range(width) for y in range(height)), COMPASS)


def hexagon(side: int) -> Plane:
    """A hexagon of hexagons."""
    across = range(2 * side - 1)
    return Plane(((x, y) for x in across for y in across if abs(x - y) < side), HEXAGON)


# Sites


def next_to(plane: Plane, of: Places, directions: str | list[str]) -> Places:
    """Every place one step from one of these."""
    found = {plane.beyond(place, d) for place in of for d in plane.named(directions)}
    return frozenset(place for place in found if place is not None)


def slide(plane: Plane, seeds: Places, directions: str | list[str], over: Places) -> Places:
    """Every place reached by going straight on over `over`."""
    found = set()
    for seed in seeds:
        for direction in plane.named(directions):
            for place in plane.ray(seed, direction):
                if place not in over:
                    break
                found.add(place)
    return frozenset(found)


def jump(
    plane: Plane, seeds: Places, directions: str | list[str], over: Places, to: Places, then_over: Places = frozenset()
) -> Places:
    """The place just beyond a whole run of `over`, if it is in `to`, and what a way goes on to from there."""
    found = set()
    for seed in seeds:
        for direction in plane.named(directions):
            ray = plane.ray(seed, direction)
            run = 0
            while run < len(ray) and ray[run] in over:
                run += 1
            if run == 0 or run == len(ray) or ray[run] not in to:
                continue
            found.add(ray[run])
            for place in ray[run + 1 :]:
                if place not in then_over:
                    break
                found.add(place)
    return frozenset(found)


def flanked(plane: Plane, seeds: Places, directions: str | list[str], over: Places, by: Places, exactly: int | None) -> Places:
    """Every run of `over` next to a seed, as long as it goes, that a place of `by` closes."""
    found: set[Place] = set()
    for seed in seeds:
        for direction in plane.named(directions):
            ray = plane.ray(seed, direction)
            run = 0
            while run < len(ray) and ray[run] in over:
                run += 1
            if run < len(ray) and ray[run] in by and exactly in (None, run):
                found |= set(ray[:run])
    return frozenset(found)


METRICS: dict[str, Callable[[int, int, int], bool]] = {
    "king": lambda dx, dy, n: max(dx, dy) <= n,
    "city block": lambda dx, dy, n: dx + dy <= n,
    "straight line": lambda dx, dy, n: dx * dx + dy * dy <= n * n,
}
"""Whether a place so many columns and rows away is at most n steps away."""
STRICTLY: dict[str, Callable[[int, int, int], bool]] = {
    "king": lambda dx, dy, n: max(dx, dy) < n,
    "city block": lambda dx, dy, n: dx + dy < n,
    "straight line": lambda dx, dy, n: dx * dx + dy * dy < n * n,
}


def distant(plane: Plane, seeds: Places, metric: str, at_least: int | None, at_most: int | None) -> Places:
    """Places so far from the nearest seed; from nothing, every place is far and none is near."""

    def within(place: Place, least: bool, n: int) -> bool:
        measure = STRICTLY[metric] if least else METRICS[metric]
        return any(measure(abs(place[0] - x), abs(place[1] - y), n) for x, y in seeds)

    return frozenset(
        place
        for place in plane.places
        if (at_least is None or not within(place, True, at_least)) and (at_most is None or within(place, False, at_most))
    )


# Lines


def runs(plane: Plane, of: Places, directions: str | list[str]) -> Iterator[list[Place]]:
    """Every maximal straight run of these places."""
    for row in plane.rows(directions):
        run: list[Place] = []
        for place in row:
            if place in of:
                run.append(place)
                continue
            if run:
                yield run
            run = []
        if run:
            yield run


def has_line(
    plane: Plane,
    of: Places,
    directions: str | list[str],
    at_least: int | None,
    exactly: int | None,
    through: Places | None,
) -> bool:
    """Whether a maximal run of that many stands, one that uses a place of `through` if that is asked for."""
    return any(
        (len(run) >= at_least if at_least is not None else len(run) == exactly) and (through is None or not through.isdisjoint(run))
        for run in runs(plane, of, directions)
    )


def runs_past(plane: Plane, of: Places, directions: str | list[str], past: Places) -> Iterator[list[Place]]:
    """The longest sequences in one row with nothing but `past` between each and the next, without those passed over."""
    for row in plane.rows(directions):
        run: list[Place] = []
        for place in row:
            if place in of:
                run.append(place)
            elif place not in past:
                yield run
                run = []
        yield run


def has_line_past(
    plane: Plane,
    of: Places,
    directions: str | list[str],
    at_least: int | None,
    exactly: int | None,
    through: Places | None,
    past: Places,
) -> bool:
    """The same where places of `past` are passed over."""
    return any(
        (len(run) >= at_least if at_least is not None else len(run) == exactly) and (through is None or not through.isdisjoint(run))
        for run in runs_past(plane, of, directions, past)
    )


# Shapes: a copy is the places that must be filled and those that must not


Copy = tuple[Places, Places]


def lines_of(
    plane: Plane, length: int, directions: str | list[str], ends: str | None = None, avoids: Places = frozenset()
) -> set[Copy]:
    """Every straight line of so many places, its ends where they are asked for, none of it on `avoids`."""
    found = set()
    for row in plane.rows(directions):
        for i in range(len(row) - length + 1):
            line = row[i : i + length]
            if ends_fit(plane, ends, line[0], line[-1]) and avoids.isdisjoint(line):
                found.add((frozenset(line), frozenset[Place]()))
    return found


def ends_fit(plane: Plane, ends: str | None, one: Place, other: Place) -> bool:
    """Whether two ends are opposite corners of a rectangle, or lie one on each of two edges that meet."""
    right, top = max(x for x, _ in plane.places), max(y for _, y in plane.places)
    upright = [{(0, y) for y in range(top + 1)}, {(right, y) for y in range(top + 1)}]
    level = [{(x, 0) for x in range(right + 1)}, {(x, top) for x in range(right + 1)}]
    if ends == "opposite corners":
        return {one, other} in ({(0, 0), (right, top)}, {(0, top), (right, 0)})
    if ends == "adjacent edges":
        return any((one in a and other in b) or (one in b and other in a) for a in upright for b in level)
    return True


def pictures_of(plane: Plane, picture: list[str], fixed: bool) -> set[Copy]:
    """Every place of a drawing, turned and mirrored unless it is fixed; marks that must not be may lie off the board."""
    rows = [list(row.ljust(max(map(len, picture)))) for row in picture]
    looks = [rows]
    if not fixed:
        for _ in range(3):
            looks.append([list(row) for row in zip(*looks[-1][::-1], strict=True)])
        looks += [[row[::-1] for row in look] for look in looks]
    found = set()
    reach = max(len(rows), len(rows[0])) + max(max(place) for place in plane.places) + 1
    for look in looks:
        marks = [(x, -y, mark) for y, row in enumerate(look) for x, mark in enumerate(row)]
        for ox in range(-reach, reach):
            for oy in range(-reach, 2 * reach):
                must = frozenset((x + ox, y + oy) for x, y, mark in marks if mark == "#")
                must_not = frozenset((x + ox, y + oy) for x, y, mark in marks if mark == ".")
                if must <= plane.places:
                    found.add((must, must_not & plane.places))
    return found


def complete(copies: Iterable[Copy], of: Places) -> list[Copy]:
    """The copies that stand, made of these places."""
    return [(must, must_not) for must, must_not in copies if must <= of and must_not.isdisjoint(of)]


def exposed(copies: Iterable[Copy], of: Places) -> Places:
    """Those of one owner's pieces that stand in no complete shape of that owner."""
    return of.difference(*(must for must, _ in complete(copies, of)))


def due(kinds: dict[str, tuple[set[Copy], int]], of: Places, through: Places | None, stack: str) -> int:
    """What the complete shapes that use a place of `through` pay: each, each kind once, or only the dearest."""
    paying = [
        (kind, worth)
        for kind, (copies, worth) in kinds.items()
        for must, _ in complete(copies, of)
        if through is None or not through.isdisjoint(must)
    ]
    if stack == "one per kind":
        paying = sorted(set(paying))
    worths = [worth for _, worth in paying]
    return max(worths, default=0) if stack == "best" else sum(worths)
