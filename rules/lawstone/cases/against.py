"""What an edit of the rules does to a suite: vectors whose verdict changed, vectors whose game is no game any more, new ones."""

from __future__ import annotations

from typing import Any

from lawstone.cases.adequacy import asked_of
from lawstone.cases.generate import generate
from lawstone.cases.make import Maker, Want
from lawstone.cases.sources import Plan
from lawstone.cases.vector import Suite, Vector
from lawstone.spec import Spec


def compared(old: Suite, spec: Spec, plan: Plan) -> dict[str, Any]:
    """The old vectors asked again, and the vectors that a new suite has and the old one has not."""
    makers: dict[tuple[int, ...] | None, Maker] = {}
    found: dict[str, Any] = {"changed": [], "retired": [], "added": [], "unchanged": 0}
    for vector in old.vectors:
        size = (vector.size[0], vector.size[1]) if vector.size else None
        maker = makers.setdefault(size, Maker(spec, size))
        gone = (vector.variant or "") not in maker.variants
        now = None if gone else maker.vector(Want(vector.variant or "", asked_of(vector)))
        if now is None:
            found["retired"].append(_row(vector, "its game is no game under these rules", spec, vector.rules))
        elif (now.expect, now.status) != (vector.expect, vector.status):
            told = (
                f"{vector.expect.tree()} is now {now.expect.tree()}" if now.expect != vector.expect else f"it is now {now.status}"
            )
            found["changed"].append(_row(vector, told, spec, sorted({*vector.rules, *now.rules})))
        else:
            found["unchanged"] += 1
    known = {v.id for v in old.vectors}
    if old.name != "own":
        made = generate(spec, plan)
        new = made.core if old.name == "core" else made.full
        found["added"] = [_row(v, v.says, spec, v.rules) for v in new.vectors if v.id not in known]
    return found


def _row(vector: Vector, told: str, spec: Spec, rules: list[str]) -> dict[str, Any]:
    return {
        "id": vector.id,
        "ask": vector.ask,
        "move": vector.move,
        "told": told if len(told) < 300 else told[:297] + "...",
        "rules": rules,
    }
