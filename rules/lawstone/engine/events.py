"""What an event that a game declares brings about: a draw agreed, a clock that runs out, a turn passed."""

from __future__ import annotations

from dataclasses import dataclass

from lawstone.core import Scope, fold, swapped
from lawstone.engine.game import History, Move, Position
from lawstone.engine.notation import deeds, squeeze, write
from lawstone.engine.state import Outcome, Picks, State
from lawstone.lower import Value
from lawstone.model.game import Event


class CannotHappen(ValueError):
    """An event that cannot happen here; the text says why."""


@dataclass(frozen=True)
class Happened:
    """What an event brings: the game is over with an outcome, or it goes on after a turn that was cut short."""

    outcome: Outcome | None = None
    move: Move | None = None
    position: Position | None = None


def named(position: Position, line: str) -> tuple[Event, str] | None:
    """The event that a line names, with what stands after the name (without `after`); None if it names none."""
    for event in sorted(position.game.rules.game.events or [], key=lambda e: -len(e.name)):
        told = squeeze(line)
        if told == event.name or told.startswith(event.name + " "):
            rest = told[len(event.name) :].strip()
            return event, rest.removeprefix("after ").strip()
    return None


def happen(history: History, event: Event, made: str = "") -> Happened:
    """What an event brings; `made` are the picks already made when it happens. Raises CannotHappen.

    Without an effect the rules are silent on what follows, and the outcome says so: `no rule`.
    """
    position = history.position
    _check(history, event)
    if event.draw:
        return Happened(Outcome("draw", None, event.rule))
    if event.loses is not None:
        return Happened(Outcome("win", 1 - position.state.seat, event.rule))
    if event.ends is None:
        return Happened(Outcome("no rule", None, event.rule))
    if made and event.at != "any pick":
        raise CannotHappen(f"`{event.name}` happens at the start of a turn, before any pick")
    picks, n = _cut_short(position, made)
    text = f"{event.name} after {made}" if made else event.name
    return Happened(None, Move(text, picks), _after(position, picks, n))


def _check(history: History, event: Event) -> None:
    """Raise CannotHappen where the count that the event waits for is not reached."""
    if event.repetition is not None and history.appearances() < event.repetition.times:
        told = f"{history.appearances()} of {event.repetition.times} appearances of this position"
        raise CannotHappen(f"`{event.name}` is not due: {told}")
    if event.no_progress is not None and without_progress(history) < event.no_progress.plies:
        told = f"{without_progress(history)} of {event.no_progress.plies} turns without a placement or a capture"
        raise CannotHappen(f"`{event.name}` is not due: {told}")


def without_progress(history: History) -> int:
    """How many turns in a row, up to now, have neither placed nor captured anything."""
    turns = 0
    for position, move in zip(reversed(history.positions[:-1]), reversed(history.played), strict=True):
        turn = position.game.rules.phases[position.phase].turns[move.picks.turn]
        if any(deed.role in ("place", "capture") for deed in deeds(turn, move.picks)[1]):
            break
        turns += 1
    return turns


def due(history: History) -> list[Event]:
    """The events whose count is reached, and which a player may now claim."""
    found = []
    for event in history.position.game.rules.game.events or []:
        if event.repetition is None and event.no_progress is None:
            continue
        try:
            _check(history, event)
        except CannotHappen:
            continue
        found.append(event)
    return found


def _cut_short(position: Position, made: str) -> tuple[Picks, int]:
    """The turn as far as it has been made, nothing picked after that, and how many picks have been made.

    Raises CannotHappen where no move begins with what is said to have been made.
    """
    rules, state = position.game.rules, position.state
    turns = rules.phases[state.phase].turns
    for move in position.moves:
        turn, sites = move.picks
        roles = [c.role for c in turns[turn].choices]
        if turns[turn].label and not roles:
            raise CannotHappen("this turn is one choice and nothing else: no rule says what follows if it is not made")
        for k in range(len(sites) + 1):
            if k and roles[k - 1] == "from":
                continue  # a piece that is picked up and not put down has not been moved
            if squeeze(write(rules, state, Picks(turn, sites[:k]))) == squeeze(made) if k else not made:
                return Picks(turn, sites[:k] + (0,) * (len(roles) - k)), k
    raise CannotHappen(f"no legal move here begins with {made}, or no piece has been put down with it")


def _after(position: Position, picks: Picks, n: int) -> Position:
    """The position after a turn that was cut short after `n` picks: what they have done stands, and nothing else is done.

    The pick that is not made any more knows the board on which it would be made; the endings and what comes next are then
    judged as after any turn.
    """
    game, rules = position.game, position.game.rules
    turn = rules.phases[position.phase].turns[picks.turn]
    names = [v.name for v in rules.variables]
    ints, before = game.reference.ints, dict(position.values)
    chosen: dict[str, Value] = {c.name: s for c, s in zip(turn.choices, picks.sites, strict=True)}
    done = turn.choices[n].before if n < len(turn.choices) else turn.updates
    scope = Scope({**before, **chosen})
    values = {**before, **({"last": 0} if "last" in before else {}), **{name: fold(t, ints, scope) for name, t in done.items()}}
    state = State(tuple(values[n] for n in names), position.phase, position.state.seat)
    seen: Scope[Value] = Scope({**values, **chosen})
    for ending in turn.endings:
        if fold(ending.flag, ints, seen):
            winner = {"mover": state.seat, "opponent": 1 - state.seat, "draw": None}[ending.result]
            return Position(game, state, Outcome("draw" if winner is None else "win", winner, ending.rule))
    following = next(n for n in turn.next if fold(n.flag, ints, seen))
    if following.passes:
        state = State(tuple(values[swapped(n)] for n in names), following.phase, 1 - state.seat)
    return Position(game, state._replace(phase=following.phase))
