"""Legal moves as people read them: put in groups by what they begin with, and marked on the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawstone.cli.shared import Page
from lawstone.drawing.look import Mark
from lawstone.engine.game import Position
from lawstone.engine.notation import write
from lawstone.engine.state import Picks, members

MOST_GROUPS = 24
"""Groups of moves that are shown unless all are asked for."""
MOST_IN_GROUP = 16
"""Moves of a group that are shown unless all are asked for."""
MOST_ALONE = 120
"""Moves outside groups that are shown unless all are asked for."""


@dataclass(frozen=True)
class Group:
    """Moves that begin alike: `Xc5` with `b5`, `c4` and so on. An empty beginning: moves that stand for themselves."""

    begins: str
    ends: tuple[str, ...]


def groups(position: Position) -> list[Group]:
    """The legal moves by their option and their first pick, in their order; single ones first."""
    rules, state = position.game.rules, position.state
    found: dict[str, list[str]] = {}
    for move in position.moves:
        turn, sites = move.picks
        choices = rules.phases[state.phase].turns[turn].choices
        begins = write(rules, state, Picks(turn, sites[:1])) if len(choices) > 1 and sites else ""
        found.setdefault(begins if move.text.startswith(begins) else "", []).append(move.text)
    alone = found.pop("", [])
    for begins, moves in list(found.items()):
        if len(moves) == 1:
            alone += found.pop(begins)
    return [*([Group("", tuple(alone))] if alone else []), *(_short(b, m) for b, m in found.items())]


def _short(begins: str, moves: list[str]) -> Group:
    """A group without what its moves have in common, the sign after the beginning included."""
    ends = [m[len(begins) :].strip() for m in moves]
    if all(e.startswith("-") and not e[1:2].isspace() for e in ends):
        return Group(f"{begins}-", tuple(e[1:] for e in ends))
    return Group(begins, tuple(e or "(alone)" for e in ends))


def marks(position: Position) -> Mapping[int, Mark]:
    """Where a piece may go or is taken from: the sites of first picks, and the targets of pieces that may be moved."""
    rules, state = position.game.rules, position.state
    found: dict[int, Mark] = {}
    for move in position.moves:
        choices = rules.phases[state.phase].turns[move.picks.turn].choices
        for choice, mask in zip(choices[:2], move.picks.sites, strict=False):
            mark: Mark = "from" if choice.role == "from" else "legal"
            for s in members(mask):
                if found.get(s) != "legal":
                    found[s] = mark
            if mark == "legal":
                break
    return found


def print_moves(position: Position, page: Page, every: bool = False, more: str = "--all lists them all") -> None:
    """The legal moves in groups; long lists are cut with a count unless every move is asked for."""
    found = groups(position)
    shown = found if every else found[:MOST_GROUPS]
    left = sum(len(g.ends) for g in found[len(shown) :])
    width = max((len(g.begins) for g in shown), default=0)
    for group in shown:
        most = MOST_IN_GROUP if group.begins else MOST_ALONE
        ends = group.ends if every else group.ends[:most]
        cut = len(group.ends) - len(ends)
        left += cut
        more_here = [f"(and {cut:,} more)"] if cut else []
        page.items([*ends, *more_here], 2, f"{group.begins:{width}}  " if group.begins else "")
    if len(shown) < len(found):
        page.para(f"and {len(found) - len(shown):,} more beginnings", 2)
    if left:
        page.para(f"{left:,} of {len(position.moves):,} moves are not shown: {more}.", 2, code="2")


def listed(position: Position) -> Iterator[str]:
    """Every legal move in notation."""
    return (move.text for move in position.moves)
