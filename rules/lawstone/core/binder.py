"""`where`, the one binder: the members of a set for which something holds, each looked at by itself.

It is the only operator whose cost grows with the members, so it is spared where it can be: a condition of the form "some(x stepped
about and cut down)" is linear in x, and the x that meet it are found at once by stepping back from what is to be met.
"""

from __future__ import annotations

from collections.abc import Callable

from lawstone.core.operators import FALSE, NOWHERE, TRUE, and_, both, either, read, step, when, without
from lawstone.core.terms import Sort, Term, made, subterms


def where(among: Term, flag: Callable[[Term], Term]) -> Term:
    """The members `x` of `among` for which `flag(x)` holds; `x` is given as a set of one site.

    A part of the flag that can be solved for x by stepping back needs no binder (`_members_reaching`).
    """
    if among is NOWHERE:
        return NOWHERE
    depth = 0
    while True:
        name = f"@{depth}"
        bound = read(name)
        body = flag(bound)
        if not _binds(body, name) and name not in among.names:
            break
        depth += 1
    if body is TRUE:
        return among
    if body is FALSE:
        return NOWHERE
    if name not in body.names:
        return when(body, among, NOWHERE)
    inside = [f for f in (body.args if body.op == "and_" else (body,)) if name in f.names]
    outside = [f for f in (body.args if body.op == "and_" else ()) if name not in f.names]
    solved, left = among, []
    for part in inside:
        set_form = _members_reaching(part, name)
        if set_form is None:
            left.append(part)
        else:
            solved = both(solved, set_form)
    if left and solved is not NOWHERE:
        solved = made("where", Sort.SITES, (solved, and_(*left)), name)
    return when(and_(*outside), solved, NOWHERE)


OPPOSITE_OF: dict[str, str] = {
    "north": "south", "south": "north", "east": "west", "west": "east", "north east": "south west", "south west": "north east",
    "north west": "south east", "south east": "north west",
}  # fmt: skip
"""The direction that undoes a step, by the compass names used on every board."""


def _members_reaching(flag: Term, name: str) -> Term | None:
    """The sites x for which `flag` holds, when flag is `some(t)` and t moves x about linearly; else None."""
    if flag.op != "some":
        return None

    def back(t: Term, allowed: Term | None) -> Term | None:
        """The x from which t(x) has a member in `allowed` (None: anywhere on the board)."""
        if t.op == "read" and t.data == name:
            return allowed
        if name not in t.names:
            return None
        if t.op == "step":
            inner = allowed
            if inner is None:
                return None
            return back(t.args[0], step(inner, OPPOSITE_OF[t.data]))
        if t.op == "either":
            if any(name not in a.names for a in t.args):
                return None
            parts = [back(a, allowed) for a in t.args]
            return None if any(p is None for p in parts) else either(*(p for p in parts if p is not None))
        if t.op == "both":
            moving = [a for a in t.args if name in a.names]
            if len(moving) != 1:
                return None
            fixed = [a for a in t.args if name not in a.names] + ([allowed] if allowed is not None else [])
            return back(moving[0], both(*fixed))
        if t.op == "without" and name not in t.args[1].names:
            return None if allowed is None else back(t.args[0], without(allowed, t.args[1]))
        return None

    return back(flag.args[0], None)


def _binds(term: Term, name: str) -> bool:
    """Whether a binder inside `term` already uses `name`."""
    return any(t.op == "where" and t.data == name for t in subterms(term))
