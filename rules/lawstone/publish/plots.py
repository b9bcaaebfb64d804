"""Small plots of random games: lengths, outcomes, endings, legal moves by turn. Drawn as SVG through ElementTree."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from markupsafe import Markup

from lawstone.engine.game import Game
from lawstone.engine.playout import Dice, stuck
from lawstone.engine.state import Outcome

WIDTH, HEIGHT, LEFT, FOOT, TOP = 360, 188, 34, 24, 20
LONGEST = 300
"""Turns after which a random game is cut here."""


@dataclass(frozen=True)
class Statistics:
    """Figures of some random games."""

    games: int
    seed: int
    lengths: tuple[int, ...]
    outcomes: Mapping[tuple[str, int | None], int]
    """How often each kind of outcome came, with the seat that won; `cut` for games that were cut."""
    endings: Mapping[str, int]
    branching: tuple[float, ...]
    """The median number of legal moves at each turn that at least a quarter of the games reached."""


def play(game: Game, games: int, seed: int = 1) -> Statistics:
    """Random games, each move uniform over all legal ones."""
    engine = game.engine
    lengths, branching = list[int](), list[list[int]]()
    outcomes, endings = Counter[tuple[str, int | None]](), Counter[str]()
    for n in range(games):
        dice, state, length = Dice(seed * 1_000_003 + n), engine.start(), 0
        outcome: Outcome | None = None
        while length < LONGEST and outcome is None:
            options = engine.options[engine.index[state.phase]](*state.values)
            total = sum(o[0] for o in options)
            if len(branching) <= length:
                branching.append([])
            branching[length].append(total)
            if not total:
                outcome = stuck(engine.rules, state)
                break
            pick = dice.below(total)
            for option in options:
                if pick < option[0]:
                    state, outcome = engine.play(state, engine.nth(option, pick))
                    break
                pick -= option[0]
            length += 1
        lengths.append(length)
        outcomes[(outcome.kind, outcome.winner) if outcome else ("cut", None)] += 1
        endings[outcome.rule if outcome else "cut"] += 1
    kept = [float(statistics.median(b)) for b in branching if len(b) * 4 >= games]
    return Statistics(games, seed, tuple(lengths), dict(outcomes), dict(endings.most_common()), tuple(kept))


def dumped(found: Statistics) -> dict[str, Any]:
    """Statistics as plain data."""
    return {**vars(found), "outcomes": [[*kind, n] for kind, n in found.outcomes.items()]}


def loaded(kept: Mapping[str, Any]) -> Statistics:
    """Statistics from plain data."""
    outcomes = {(kind, winner): n for kind, winner, n in kept["outcomes"]}
    return Statistics(**{**kept, "outcomes": outcomes, "lengths": tuple(kept["lengths"]), "branching": tuple(kept["branching"])})


def _plot(title: str, description: str) -> tuple[Element, Element]:
    root = Element("svg", {"class": "plot", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img"})
    SubElement(root, "title").text = title
    SubElement(root, "desc").text = description
    return root, SubElement(root, "g")


def _done(root: Element) -> Markup:
    return Markup(tostring(root, encoding="unicode", short_empty_elements=False))


def _text(parent: Element, words: str, x: float, y: float, anchor: str = "middle") -> None:
    SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}).text = words


def _nice(n: float) -> str:
    return f"{n:.0f}" if n < 10_000 else f"{n / 1000:.0f}k"


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, at most so many and one: steps of 1, 2 or 5 times a power of ten."""
    step = 1.0
    for step in (m * 10**k for k in range(9) for m in (1, 2, 5)):
        if (high - low) / step <= most:
            break
    first = -(-low // step) * step
    return [first + k * step for k in range(int((high - first) / step + 1e-9) + 1)]


def _axes(group: Element, across: list[tuple[float, str]], top: float) -> None:
    """Lines at round heights, the base, and what stands below it: places from the left with their words."""
    base, tall = HEIGHT - FOOT, HEIGHT - FOOT - TOP
    for value in ticks(0, top, 4):
        y = base - tall * value / top
        if value:
            SubElement(group, "path", {"class": "grid", "d": f"M{LEFT} {y:.1f}H{WIDTH - 8}"})
        _text(group, _nice(value), LEFT - 6, y + 3.5, "end")
    SubElement(group, "path", {"class": "axis", "d": f"M{LEFT} {base}H{WIDTH - 8}"})
    for x, words in across:
        SubElement(group, "path", {"class": "axis", "d": f"M{x:.1f} {base}v3"})
        _text(group, words, x, base + 15)


def histogram(lengths: Sequence[int], title: str, middle: str = "{n}") -> Markup:
    """How many games had which length, in at most twenty-four bars; `middle` says what the dashed line is."""
    low, high = min(lengths), max(lengths)
    width = max(1, -(-(high - low + 1) // 24))
    bins = [sum(low + k * width <= n < low + (k + 1) * width for n in lengths) for k in range((high - low) // width + 1)]
    root, group = _plot(title, "; ".join(f"{low + k * width}–{low + (k + 1) * width - 1}: {n}" for k, n in enumerate(bins)))
    room, tall, top = (WIDTH - LEFT - 8) / len(bins), HEIGHT - FOOT - TOP, max(bins)

    def place(length: float) -> float:
        return LEFT + ((length - low + 0.5) / width) * room

    _axes(group, [(place(n), _nice(n)) for n in ticks(low, high)], top)
    for k, n in enumerate(bins):
        h = tall * n / top
        SubElement(group, "rect", {"x": f"{LEFT + k * room + 0.8:.1f}", "y": f"{TOP + tall - h:.1f}",
                                   "width": f"{max(room - 1.6, 1):.1f}", "height": f"{h:.1f}", "rx": "1.2"})  # fmt: skip
    half = statistics.median(lengths)
    x = place(half)
    SubElement(group, "path", {"class": "middle", "d": f"M{x:.1f} {TOP - 12}V{TOP + tall}"})
    late = x > WIDTH * 0.6
    _text(group, middle.format(n=f"{half:g}"), x - 4 if late else x + 4, TOP - 6, "end" if late else "start")
    return _done(root)


def bars(counts: Sequence[tuple[str, int]], title: str) -> Markup:
    """Shares as lying bars, each with its words, its share in per cent and its number."""
    total = sum(n for _, n in counts)
    root, group = _plot(title, "; ".join(f"{words}: {n}" for words, n in counts))
    tall = 34.0
    for k, (words, n) in enumerate(counts[:8]):
        y = 6 + k * tall
        _text(group, words, 2, y + 11, "start")
        _text(group, f"{n / total:.0%} ({n})", WIDTH - 2, y + 11, "end")
        group[-2].set("class", "said")
        SubElement(
            group, "rect", {"class": "room", "x": "2", "y": f"{y + 16:.1f}", "width": f"{WIDTH - 4}", "height": "6", "rx": "2"}
        )
        SubElement(
            group, "rect", {"x": "2", "y": f"{y + 16:.1f}", "width": f"{(WIDTH - 4) * n / total:.1f}", "height": "6", "rx": "2"}
        )
    root.set("viewBox", f"0 0 {WIDTH} {max(10 + tall * min(len(counts), 8), 120):.0f}")
    return _done(root)


def curve(values: Sequence[float], title: str) -> Markup:
    """A value by turn."""
    top = max([*values, 1])
    root, group = _plot(title, "; ".join(f"{k}: {_nice(v)}" for k, v in enumerate(values, 1)))
    tall, wide = HEIGHT - FOOT - TOP, WIDTH - LEFT - 10

    def place(turn: float) -> float:
        return LEFT + wide * (turn - 1) / max(len(values) - 1, 1)

    _axes(group, [(place(n), _nice(n)) for n in ticks(1, len(values))], top)
    points = [(place(k), TOP + tall * (1 - v / top)) for k, v in enumerate(values, 1)]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    SubElement(group, "path", {"class": "area", "d": f"M{LEFT} {TOP + tall}L{line}L{points[-1][0]:.1f} {TOP + tall}z"})
    SubElement(group, "path", {"class": "curve", "d": f"M{line}"})
    return _done(root)
