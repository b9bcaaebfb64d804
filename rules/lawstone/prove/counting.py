"""Claims about numbers: places of shapes, sequences of moves, positions."""

from __future__ import annotations

from typing import Any

from lawstone.engine.everyday import Everyday
from lawstone.engine.perft import TooMany, perft
from lawstone.lower import Asked
from lawstone.prove.claims import Claim, Finding


def counted(claim: Claim, asked: Asked, size: str) -> Finding:
    """Claims about numbers are counted out."""
    rules = asked.rules
    if claim.counted is not None:
        try:
            found = perft(Everyday(rules), claim.counted.plies)
        except TooMany:
            return finding(size, "unknown", "", "too many positions")
        right = claim.counted.sequences in (None, found.sequences[-1]) and claim.counted.positions in (None, found.positions[-1])
        return finding(size, "proved" if right else "refuted", f"all games of {claim.counted.plies} plies",
                        f"counted: {found.sequences[-1]} sequences, {found.positions[-1]} positions")  # fmt: skip
    places = [(c.shape, c.must) for c in rules.copies]
    if claim.separate_shapes:
        inside = [(a, b) for a, x in places for b, y in places if x < y]
        verdict: Any = "refuted" if inside else "proved"
        told = (
            f"{inside[0][0]} lies inside {inside[0][1]}"
            if inside
            else f"{len(places)} places, {len(places) * (len(places) - 1)} pairs"
        )
        return finding(size, verdict, "all places of shapes", f"counted: {told}")
    sums = {name: sum(shape == name for shape, _ in places) for name in rules.game.shapes or {}}
    sums["any"] = len(places)
    right = all(sums.get(name) == n for name, n in (claim.shapes or {}).items())
    return finding(size, "proved" if right else "refuted", "all places of shapes",
                    "counted: " + ", ".join(f"{n} {k}" for k, n in sums.items()))  # fmt: skip


def finding(size: str, verdict: Any, scope: str, method: str) -> Finding:
    """A verdict on one board."""
    return Finding.model_validate({"board": size, "verdict": verdict, "scope": scope, "method": method})
