"""Games in which an event ends a turn: a clock that runs out, before a pick or after it.

Moves alone keep some things in step, such as how many pieces two hands hold. Readings that part only where that is broken are told
apart by a game with an event in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Answering, Asked, interrupted, options_of, whole
from lawstone.cases.make import MOST_MOVES, Candidate, Maker, Want, ways
from lawstone.cases.sources import Plan
from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import any_move, crowding
from lawstone.engine.game import Game, Position
from lawstone.engine.notation import write
from lawstone.engine.playout import Dice
from lawstone.engine.state import Picks

FLAGS = ("event in the game",)
LONGEST = 80
"""Plies of a game."""
SELDOM = 12
"""Of so many turns one is ended by the event."""


def wants(maker: Maker, left: list[tuple[str, Candidate, Answering]], plan: Plan) -> Iterator[Want]:
    """For each reading that no vector tells apart, what to ask where a game with an event in it does: of all such games that were
    played the one that shows it first."""
    games: dict[str, list[tuple[str, ...]]] = {}
    for variant, candidate, other in left:
        base = maker.base(variant)
        if variant not in games:
            games[variant] = list(_games(base.game, plan))
        best: tuple[int, Asked] | None = None
        for line in games[variant]:
            found = _parting(base, other, line if best is None else line[: best[0] - 1])
            if found is not None:
                best = found
        other.forget()
        if best is not None:
            yield Want(variant, best[1], candidate.rules, (*FLAGS, "misreading"))


def _parting(base: Answering, other: Answering, line: tuple[str, ...]) -> tuple[int, Asked] | None:
    """The first place of a game where two readings part, and what shows it there; what the rules are silent on shows nothing."""
    for n in range(len(line) + 1):
        moves = line[:n]
        here = base.position(moves)
        if here.outcome is not None and here.outcome.kind == "no rule":
            return None
        moved = n > 0 and interrupted(base.position(moves[:-1]), moves[-1]) is None
        if n and other.plays(moves) < n:
            return (n, Asked(moves[:-1], "is legal", moves[-1])) if moved else None
        there = other.position(moves)
        if whole(here) == whole(there) and options_of(here) == options_of(there):
            continue
        asked = [Asked(moves, "who acts")]
        asked += [Asked(moves, "legal moves")] if 0 < ways(here) <= MOST_MOVES else []
        asked += [Asked(moves[:-1], "after", moves[-1])] if moved else []
        for a in (*asked, Asked(moves, "outcome")):
            if base.answer(a) != other.answer(a):
                return n, a
    return None


def _games(game: Game, plan: Plan) -> Iterator[tuple[str, ...]]:
    """Games in which a turn is ended once, seldom, wherever something would be taken, or both there and once."""
    ends = [e for e in game.rules.game.events or [] if e.ends is not None and not (e.repetition or e.no_progress)]
    for n in range(plan.games if ends else 0):
        yield _game(game, ends[0].name, ends[0].at == "any pick", Dice(plan.seed * 7_919 + n), n % 4)


def _game(game: Game, event: str, at_any_pick: bool, dice: Dice, way: int) -> tuple[str, ...]:
    pair, position, line = Pair(game, game), game.start(), list[str]()
    once = dice.below(game.rules.board.size)
    while len(line) < LONGEST and position.ended is None:
        options = options_of(position)
        if not options:
            break
        move = (crowding if way else any_move)(pair, Two(position.state, position.state), options, dice)
        taken = way >= 2 and _takes(position, move)
        happens = taken or (len(line) == once if way in (0, 3) else way == 1 and dice.below(SELDOM) == 0)
        told = _cut(position, move, event, at_any_pick and (taken or way == 1)) if happens else None
        after = None if told is None else interrupted(position, told)
        if told is None or after is None:
            told = write(game.rules, position.state, move)
            played = game.engine.play(position.state, move)
            after = Position(game, played.state, played.outcome)
        line.append(told)
        position = after
    return tuple(line)


def _takes(position: Position, move: Picks) -> bool:
    turn = position.game.rules.phases[position.phase].turns[move.turn]
    return any(c.role in ("capture", "remove") and s for c, s in zip(turn.choices, move.sites, strict=False))


def _cut(position: Position, move: Picks, event: str, after_a_pick: bool) -> str:
    """The event, after the piece of a move has been put down where that is wanted."""
    turn = position.game.rules.phases[position.phase].turns[move.turn]
    for n, choice in enumerate(turn.choices, 1):
        if after_a_pick and choice.role in ("place", "to"):
            return f"{event} after {write(position.game.rules, position.state, Picks(move.turn, move.sites[:n]))}"
    return event
