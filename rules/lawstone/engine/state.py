"""What passes between the engines and those who use them: states, moves as picks, outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from lawstone.lower import Rules, Value


class State(NamedTuple):
    """A position as the engines hold it: the values of the variables as the player who acts sees them, the phase, the seat."""

    values: tuple[Value, ...]
    phase: str
    seat: int


class Picks(NamedTuple):
    """A move: which turn of the phase, and the sites picked at each choice, each set as an int with bit s for site s.

    Fewer picks than the turn has choices mean that the next choice cannot be met: the move is made and play stops there.
    """

    turn: int
    sites: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner's seat (None: nobody won), what kind of end it is, and the rule that says so."""

    kind: Literal["win", "draw", "no rule"]
    winner: int | None
    rule: str

    def __str__(self) -> str:
        told = f"seat {self.winner} wins" if self.kind == "win" else self.kind
        return f"{told} by {self.rule}"


class After(NamedTuple):
    """What a move leads to: the state, and the outcome if the game is over there.

    Where the game is over, the state is as the player who moved last sees it, and that player's seat is kept in it.
    """

    state: State
    outcome: Outcome | None


class Engine(Protocol):
    """Anything that can play by a set of rules."""

    rules: Rules

    def start(self) -> State:
        """The position before the first move."""
        ...

    def moves(self, state: State) -> list[Picks]:
        """Every legal move, in a fixed order: turns in order, then sites in ascending order, choice by choice."""
        ...

    def play(self, state: State, move: Picks) -> After:
        """What a legal move leads to; an illegal one gives no meaningful answer."""
        ...


def start_state(rules: Rules) -> State:
    """The position before the first move."""
    return State(tuple(rules.start[v.name] for v in rules.variables), rules.start_phase, rules.start_seat)


def members(mask: int) -> list[int]:
    """The site numbers of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
