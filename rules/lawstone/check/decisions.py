"""What each declared event brings at each kind of decision: a phase, and what is to be picked in it.

A position of each kind is met in random games, the event is made to happen there, and what it brings is told relative to the player
who is to act. Where the rules do not say what follows, that is a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lawstone.check.report import Actor, Decision
from lawstone.engine import events
from lawstone.engine.game import Game, History, Position
from lawstone.engine.notation import write
from lawstone.engine.playout import Dice, random_move
from lawstone.engine.state import Picks, State
from lawstone.model.game import Event

GAMES = 200
"""Random games in which positions of each kind are looked for."""


@dataclass(frozen=True)
class Met:
    """A kind of decision met in play: the phase, what is to be picked by rule, a position, and the picks already made."""

    phase: str
    pick: str
    moves: tuple[str, ...]
    state: State
    made: str
    first: bool


def met(game: Game, seed: int, longest: int = 400) -> list[Met]:
    """A position for each kind of decision that random games come to, in the order of the phases."""
    found: dict[tuple[str, str], Met] = {}
    wanted = {(p, pick) for p in game.rules.phases for pick in _picks(game, p)}
    for n in range(GAMES):
        if wanted <= found.keys():
            break
        dice, state, moves = Dice(seed * 86_028_121 + n), game.engine.start(), list[str]()
        for _ in range(longest):
            move = random_move(game.engine, state, dice)
            if move is None:
                break
            for kind in _kinds(game, state, move, tuple(moves)):
                found.setdefault((kind.phase, kind.pick), kind)
            moves.append(write(game.rules, state, move))
            after = game.engine.play(state, move)
            if after.outcome is not None:
                break
            state = after.state
    order = list(game.rules.phases)
    return sorted(found.values(), key=lambda k: (order.index(k.phase), not k.first, k.pick))


def _picks(game: Game, phase: str) -> Iterator[str]:
    for turn in game.rules.phases[phase].turns:
        yield "start of the turn"
        yield from (c.rule for i, c in enumerate(turn.choices) if (i or turn.label) and turn.choices[i - 1].role != "from")


def _kinds(game: Game, state: State, move: Picks, moves: tuple[str, ...]) -> Iterator[Met]:
    """The decisions that a move is made of. Putting down a piece that is picked up is no decision of its own here: until it is
    put down it has not been moved."""
    turn = game.rules.phases[state.phase].turns[move.turn]
    yield Met(state.phase, "start of the turn", moves, state, "", True)
    for i, choice in enumerate(turn.choices[: len(move.sites)]):
        if (i == 0 and not turn.label) or (i and turn.choices[i - 1].role == "from") or not move.sites[i]:
            continue
        made = write(game.rules, state, Picks(move.turn, move.sites[:i])) if i else ""
        yield Met(state.phase, choice.rule, moves, state, made, False)


def table(game: Game, variant: str, who: Mapping[str, Actor], seed: int) -> list[Decision]:
    """Each event at each kind of decision that play comes to."""
    found = []
    listed = game.rules.game.events or []
    for kind in met(game, seed) if listed else []:
        for event in listed:
            brings, defined = _brings(game, kind, event)
            acts = who.get(kind.phase, Actor(seat="either"))
            found.append(Decision(variant=variant, phase=kind.phase, pick=kind.pick, actor=acts, event=event.name, rule=event.rule,
                                  brings=brings, defined=defined))  # fmt: skip
    return found


def _brings(game: Game, kind: Met, event: Event) -> tuple[str, bool]:
    """What an event brings at a decision, in words, and whether the rules say so; no words where it is not for such a decision."""
    if event.at == "start of a turn" and not kind.first:
        return "", True
    if event.draw:
        return "the game is drawn", True
    if event.loses is not None:
        return "the player to act loses", True
    if event.ends is None:
        return "no rule says what follows", False
    position = Position(game, kind.state)
    try:
        happened = events.happen(History(position), event, kind.made)
    except events.CannotHappen as fault:
        if event.repetition is not None or event.no_progress is not None:
            return "the rest of the turn is lost", True
        return str(fault), False
    after = happened.position
    if after is None:
        return "the game is over", True
    lost = "the turn is lost" if kind.first or not kind.made else "what was picked stands, the rest of the turn is lost"
    if after.ended is not None:
        return f"{lost}, and the game may end with that", True
    acts = "the other player acts" if after.state.seat != kind.state.seat else "the same player acts again"
    return f"{lost}, and {acts}" + (f" ({after.phase})" if after.phase != kind.phase else ""), True
