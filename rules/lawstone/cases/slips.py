"""Slips of a programmer that no reader of the rules would make: one direction forgotten, only one owner's pieces looked at, the
edge of the board left out of a loop.

They are no misreadings of the text, so they are not settled or killed; a diagnosis falls back on them for what no reading explains.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from lawstone.cases.make import Candidate
from lawstone.constructs.misreadings import home_of
from lawstone.constructs.wrong import Wrong, raw
from lawstone.engine.game import Game
from lawstone.lower import Rules
from lawstone.model.conditions import Line
from lawstone.model.faults import BadInput
from lawstone.model.parts import below
from lawstone.model.sites import SlideTo
from lawstone.model.steps import Move, Place
from lawstone.spec import Spec, Usage


def slips(spec: Spec, variant: str = "", size: tuple[int, int] | None = None) -> Iterator[Candidate]:
    """Every slip that the form of a variant's clauses allows, as a game."""
    file, rules = spec.file(variant)[0], spec.rules(variant, {}, size)
    parts = dict(below(file))
    seen: set[str] = set()
    for loc, part in parts.items():
        for wrong in _wrong(part, rules):
            home = home_of(file, parts, loc, wrong)
            if home is None or f"{home[0]}/{wrong.kind}" in seen:
                continue
            rule, changes = home
            seen.add(f"{rule}/{wrong.kind}")
            try:
                made = Game(spec, spec.rules_with(changes, variant, size))
            except (BadInput, Usage):
                continue
            yield Candidate("slip", f"{rule}/{wrong.kind}", "", wrong.says, made, (rule,), changes)


def _wrong(part: BaseModel, rules: Rules) -> Iterator[Wrong]:
    """What may be forgotten in one part of a clause."""
    given = getattr(part, "directions", None)
    if given is not None:
        board = rules.board
        ways = board.directions(given)
        if isinstance(part, Line):
            ways = board.axes(ways)
        for i, way in enumerate(ways if len(ways) > 1 else ()):
            told = (
                f"The lines that run {way} and back are forgotten."
                if isinstance(part, Line)
                else f"The direction {way} is forgotten."
            )
            yield Wrong(f"without-{way.replace(' ', '-')}", told, {"directions": [w for n, w in enumerate(ways) if n != i]})
    if isinstance(part, Line):
        yield from _of_lines(part, rules)
    if isinstance(part, Place | Move) and not isinstance(part.to, SlideTo) and part.to != "it":
        for places, told in (("edges", "not-on-the-rim"), ("corners", "not-in-a-corner")):
            within = {"all of": [raw(part.to), {"sites": "board", "but not": places}]}
            yield Wrong(told, f"No piece is put on the {places}.", {"to": within})
    over = getattr(part, "over", None)
    if isinstance(over, str):
        for piece, clause in rules.game.pieces.items():
            for owner in ("own", "enemy") if clause.of != "nobody" else ():
                words = f"{owner} {piece}"
                if words != over:
                    yield Wrong(f"over-{owner}-{piece}", f"Only {words}s are passed over.", {"over": words})


def _of_lines(line: Line, rules: Rules) -> Iterator[Wrong]:
    """What a search for lines may leave out: the edge of the board, the lines of one player."""
    of = raw(line.of)
    yield Wrong("off-the-rim", "Pieces at the edge are not counted in a line.", {"of": {"sites": of, "but not": "edges"}})
    if line.through is None:
        last = {"sites": "it", "but not": "edges"}
        yield Wrong("last-off-the-rim", "A line is not seen where the last piece stands at the edge.", {"through": last})
    if isinstance(of, str) and of.startswith("own "):
        for holder in rules.words.colours or rules.words.players:
            told = f"Only lines of {holder} are seen."
            yield Wrong(f"only-of-{holder}", told, {"of": {"all of": [of, f"{holder} {of.removeprefix('own ')}"]}})
