"""Moves as a person writes them: `h8`, `Xc5 d5`, `c3-c4xa1e5`, `-b2`, `two more`.

A move is told by what it does, not by how the rules arrive at it: options, then what is shifted and where, then what is placed,
captured and removed. So two readings that allow the same thing write it the same way.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawstone.core import Scope, Turn, fold
from lawstone.engine.reference import Ints
from lawstone.engine.state import Picks, State, members
from lawstone.lower import Rules


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a move does, with the sites (as an int, bit s for site s) that it is done to."""

    role: str
    sites: int


def deeds(turn: Turn, move: Picks) -> tuple[tuple[str, ...], tuple[Deed, ...]]:
    """The options of a move and what it does, captures and removals put together."""
    found: dict[str, int] = {}
    done: list[Deed] = []
    for choice, sites in zip(turn.choices, move.sites, strict=False):
        if not sites:
            continue
        if choice.role in ("capture", "remove"):
            found[choice.role] = found.get(choice.role, 0) | sites
        else:
            done.append(Deed(choice.role, sites))
    return turn.label, (*done, *(Deed(role, sites) for role, sites in found.items()))


def write(rules: Rules, state: State, move: Picks) -> str:
    """The move in notation."""
    turn = rules.phases[state.phase].turns[move.turn]
    label, done = deeds(turn, move)
    if turn.effects:
        done = (*done, *_effects(rules, state, turn, move))
    names = rules.board.names
    parts: list[str] = []
    origin = ""
    for deed in done:
        places = "".join(sorted((names[s] for s in members(deed.sites)), key=lambda n: (n[0], int(n[1:]))))
        match deed.role:
            case "from":
                origin = places
            case "to":
                parts.append(f"{origin}-{places}" if origin else places)
            case "place":
                parts.append(places)
            case "capture":
                parts[-1:] = [f"{parts[-1] if parts else ''}x{places}"]
            case "remove":
                parts.append(f"-{places}")
    if origin and not any(d.role == "to" for d in done):
        parts.insert(0, origin)
    text = " ".join(parts)
    if not label:
        return text or "pass"
    if all(len(word) == 1 for word in label):
        return "".join(word.upper() for word in label) + text
    return " ".join([*label, text]).strip()


def _effects(rules: Rules, state: State, turn: Turn, move: Picks) -> list[Deed]:
    """What a move takes off without its being picked."""
    values = dict(zip((v.name for v in rules.variables), state.values, strict=True))
    values |= {c.name: s for c, s in zip(turn.choices, move.sites, strict=False)}
    if len(move.sites) < len(turn.choices):
        return []
    found = [Deed(e.role, int(fold(e.sites, Ints(rules.board), Scope(values)))) for e in turn.effects]
    return [d for d in found if d.sites]


def squeeze(text: str) -> str:
    """A written move with white space, case of options and the usual dashes brought to one form, for comparison."""
    return " ".join(
        text.replace("\N{EN DASH}", "-").replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "x").split()
    ).casefold()
