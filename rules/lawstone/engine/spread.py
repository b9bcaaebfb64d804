"""Sets that spread from one site by fixed walks: what is reached, read backwards, gives all sites from which something is.

A set is spread from a site x where it is a union of walks from x, each cut down by a set that x has no part in. Then `x reaches
some site` holds for a set of x that is computed at once, and how many sites all x reach together is a sum of sizes. Both follow
from what the operators mean and from the board's table of steps; nothing is assumed of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lawstone.board import Board
from lawstone.core import NOWHERE, OPPOSITE_OF, Term, both, either, read, sites, some, step, substitute, when, where, without

MOST = 12
"""Walks that are told apart; a set of more is left as it is."""


@dataclass(frozen=True)
class Walked:
    """A walk in some directions, which counts where it ends in `onto`."""

    path: tuple[str, ...]
    onto: Term


@dataclass(frozen=True)
class Either:
    """One walk or another, by a flag that the site has no part in; None where there is none."""

    flag: Term
    yes: Walked | Either | None
    no: Walked | Either | None


Part = Walked | Either


def spread(term: Term, name: str, board: Board) -> list[Part] | None:
    """The walks from the site called `name` of which a set is the union; None where it is none."""
    found = _parts(term, name, board)
    return found if found is not None and len(found) <= MOST and _invertible(board) else None


def back(part: Part | None, board: Board) -> Term:
    """The sites from which a walk ends where it counts."""
    if part is None:
        return NOWHERE
    if isinstance(part, Either):
        return when(part.flag, back(part.yes, board), back(part.no, board))
    found = part.onto
    for direction in reversed(part.path):
        found = _stepped(found, OPPOSITE_OF[direction], board)
    return found


def reaching(flag: Term, name: str, board: Board) -> Term | None:
    """The sites x for which a flag holds that says `some site is reached from x`; None for flags of another form."""
    if flag.op != "some" or name not in flag.names:
        return None
    parts = spread(flag.args[0], name, board)
    if not parts:
        return None
    return either(*(back(p, board) for p in parts))


def apart(parts: Sequence[Part], board: Board) -> bool:
    """Whether no two of the walks end on one site, wherever they begin; walks of which only one is in force may."""
    ends = [[_ends(board, path) for path in _paths(p)] for p in parts]
    return all(
        x is None or x != y
        for i, these in enumerate(ends)
        for other in ends[i + 1 :]
        for a in these
        for b in other
        for x, y in zip(a, b, strict=True)
    )


def told_by_last(first: Term, second: Term, name: str, board: Board) -> list[Part] | None:
    """Where a first pick x is any site of a set from which a second one can be made: the walks that lead to the second pick,
    apart from one another, each cut down to those x; None where the two picks are not of that form."""
    if not _all_reach(first, second, name, board) or name in first.names:
        return None
    parts = spread(second, name, board)
    return parts if parts and apart(parts, board) else None


def _all_reach(first: Term, second: Term, name: str, board: Board) -> bool:
    """Whether a set is cut down, in so many words, to the sites from which some second pick can be made."""
    if first.op == "where":
        flag = first.args[1]
        return flag.op == "some" and substitute(flag.args[0], {first.data: read(name)}) is second
    everywhere = sites(range(board.size))
    solved = where(everywhere, lambda x: some(substitute(second, {name: x})))
    wanted = solved.args if solved.op == "both" else (solved,)
    return solved.op != "where" and first.op == "both" and all(a in first.args for a in wanted if a is not everywhere)


def _parts(term: Term, name: str, board: Board) -> list[Part] | None:
    if term.op == "read" and term.data == name:
        return [Walked((), sites(range(board.size)))]
    if name not in term.names:
        return None
    if term.op == "step":
        inner = _parts(term.args[0], name, board)
        return (
            None
            if inner is None
            else [_mapped(p, lambda w: Walked((*w.path, term.data), _stepped(w.onto, term.data, board))) for p in inner]
        )
    if term.op == "either":
        lists = [_parts(a, name, board) for a in term.args]
        return None if None in lists else [p for found in lists if found for p in found]
    if term.op == "when" and name not in term.args[0].names:
        yes, no = (_side(a, name, board) for a in term.args[1:])
        if yes is None or no is None:
            return None
        longest = max(len(yes), len(no))
        pairs = zip([*yes, *[None] * (longest - len(yes))], [*no, *[None] * (longest - len(no))], strict=True)
        return [Either(term.args[0], a, b) for a, b in pairs]
    if term.op == "without":
        return _cut(_parts(term.args[0], name, board), term.args[1], name, board, without)
    if term.op == "both":
        walked = [a for a in term.args if name in a.names]
        lists = [_parts(a, name, board) for a in walked]
        for main, found in zip(walked, lists, strict=True):
            if found is None or any(w.path == () for p in found for w in _leaves(p)):
                continue
            for other in term.args:
                if other is not main:
                    found = _cut(found, other, name, board, both)
            if found is not None:
                return found
    return None


def _stepped(term: Term, direction: str, board: Board) -> Term:
    """One step of a set; of sites that are known, the sites where they arrive."""
    if term.op != "sites":
        return step(term, direction)
    return sites(t for s in term.data if (t := board.steps[direction][s]) is not None)


def _side(term: Term, name: str, board: Board) -> list[Part] | None:
    """The walks of one side of a choice, which may be none at all."""
    if term.op == "sites" and not term.data:
        return []
    return _parts(term, name, board)


def _cut(
    parts: list[Part] | None, other: Term, name: str, board: Board, by: Callable[[Term, Term], Term]
) -> list[Part] | None:  # fmt: skip
    """Walks cut down by a set, in which the site itself may stand: a walk that leaves its site for good never ends on it."""
    if parts is None:
        return None
    if name in other.names:
        free = _without_site(other, name)
        if free is None or any(_stays(board, path) for p in parts for path in _paths(p)):
            return None
        other = free
    return [_mapped(p, lambda w: Walked(w.path, by(w.onto, other))) for p in parts]


def _without_site(term: Term, name: str) -> Term | None:
    """A union with the site itself, but for the site; None for other forms."""
    if term.op == "read" and term.data == name:
        return NOWHERE
    if term.op != "either":
        return None
    rest = [a for a in term.args if not (a.op == "read" and a.data == name)]
    return None if any(name in a.names for a in rest) else either(*rest) if rest else NOWHERE


def _mapped(part: Part, change: Callable[[Walked], Walked]) -> Part:
    if isinstance(part, Walked):
        return change(part)
    return Either(part.flag, part.yes and _mapped(part.yes, change), part.no and _mapped(part.no, change))


def _leaves(part: Part | None) -> list[Walked]:
    if part is None:
        return []
    return [part] if isinstance(part, Walked) else [*_leaves(part.yes), *_leaves(part.no)]


def _paths(part: Part) -> list[tuple[str, ...]]:
    return [w.path for w in _leaves(part)]


@lru_cache(maxsize=512)
def _ends(board: Board, path: tuple[str, ...]) -> tuple[int | None, ...]:
    found: list[int | None] = []
    for s in range(board.size):
        at: int | None = s
        for direction in path:
            at = None if at is None else board.steps[direction][at]
        found.append(at)
    return tuple(found)


def _stays(board: Board, path: tuple[str, ...]) -> bool:
    return any(s == t for s, t in enumerate(_ends(board, path)))


@lru_cache(maxsize=64)
def _invertible(board: Board) -> bool:
    """Whether a step back undoes each step, and nothing else leads there."""
    return all(
        (t is None or board.steps[OPPOSITE_OF[d]][t] == s)
        for d, table in board.steps.items()
        if d in OPPOSITE_OF
        for s, t in enumerate(table)
    ) and all(OPPOSITE_OF.get(d) in board.steps for d in board.steps)
