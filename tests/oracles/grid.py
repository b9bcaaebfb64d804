"""Names and straight lines of a rectangular board, and the check of an engine's options. No game's rule is here."""

from __future__ import annotations

FILES = "abcdefghijklmnopqrstuvwxyz"
ORTHOGONAL = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (-1, -1), (1, -1))
AXES = ((1, 0), (0, 1), (1, 1), (1, -1))

Direction = tuple[int, int]
Outcome = tuple[str, str] | None
"""None while the game goes on; else the winner's name, `draw` or `no rule`, and the id of the rule or clause."""


class Grid:
    """A board of width x height sites, `a1` at the bottom left, at most 26 files wide."""

    def __init__(self, width: int, height: int) -> None:
        if not (1 <= width <= len(FILES) and height >= 1):
            raise ValueError(f"no board of {width} x {height}")
        self.at = {f"{FILES[x]}{y + 1}": (x, y) for x in range(width) for y in range(height)}
        self.name = {place: site for site, place in self.at.items()}
        self.sites = frozenset(self.at)
        middle = self.name[width // 2, height // 2]
        self.centre = frozenset({middle} if width % 2 and height % 2 else set())
        self.rays = {(s, d): self._ray(s, d) for s in self.at for d in ORTHOGONAL + DIAGONAL}
        """The sites met on the way straight on from a site (itself left out) until the rim, nearest first."""
        self.beside = {s: self.neighbours(s) for s in self.at}
        """The orthogonal neighbours of each site."""

    def _ray(self, site: str, direction: Direction) -> tuple[str, ...]:
        (x, y), (dx, dy) = self.at[site], direction
        found = []
        while (x + dx, y + dy) in self.name:
            x, y = x + dx, y + dy
            found.append(self.name[x, y])
        return tuple(found)

    def neighbours(self, site: str, directions: tuple[Direction, ...] = ORTHOGONAL) -> frozenset[str]:
        """The sites one step away."""
        return frozenset(self.rays[site, d][0] for d in directions if self.rays[site, d])

    def run(self, stones: frozenset[str], site: str, axis: Direction, past: frozenset[str] = frozenset()) -> int:
        """How many of `stones` stand in one row along `axis` through `site`, one of them; only sites `past` between."""
        length = 1
        for direction in (axis, (-axis[0], -axis[1])):
            for other in self.rays[site, direction]:
                if other in stones:
                    length += 1
                elif other not in past:
                    break
        return length


def readings(questions: dict[str, tuple[str, ...]], given: dict[str, str]) -> dict[str, str]:
    """The answer to each question: the one given under its id (dashes or underscores), else its first one."""
    reading = {question: answers[0] for question, answers in questions.items()}
    for name, answer in given.items():
        question = name.replace("_", "-")
        if question not in questions:
            raise ValueError(f"there is no question {question}")
        reading[question] = one_of(question, answer, *questions[question])
    return reading


def one_of(name: str, value: str, *allowed: str) -> str:
    """`value`, if it is one of those that `name` may have."""
    if value not in allowed:
        raise ValueError(f"{name} is one of {', '.join(allowed)}, not {value!r}")
    return value
