"""What games show: every game ply by ply as far as a bound goes, then games by chance, some of which put off their end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import WAYS, Budget, Line, Step, allowed, in_phase, shrink, step_of, written
from lawstone.core import swapped
from lawstone.engine.everyday import TooManyMoves
from lawstone.engine.game import Game
from lawstone.engine.playout import Dice, random_move
from lawstone.engine.state import Picks, State
from lawstone.engine.symmetry import canonical, symmetries
from lawstone.lower import Rules
from lawstone.prove.goals import Eye, Goal

GAMES = 40
"""Games by chance; the search stops sooner where every goal that one sighting settles is seen."""
PLAIN = 400
"""Plain random games after these, for what is still missing."""
LOOKS = 4_000
"""Moves looked at ply by ply."""
PLIES_REPLAYED = 20_000
"""Plies played to make one line smaller."""
TRIES = 6
"""Moves drawn where a game is to be kept going: one that ends it is looked at and not played if another does not."""


@dataclass
class Seen:
    """Sightings by goal: the game as a line, and whether no shorter one shows it; `whole` is the ply up to which all were looked
    at, and `complete` says that these were all games."""

    lines: dict[Goal, Line] = field(default_factory=dict)
    shortest: set[Goal] = field(default_factory=set)
    whole: int = 0
    complete: bool = False
    games: int = 0


def look(game: Game, wanted: list[Goal], budget: Budget, games: int = GAMES, looks: int = LOOKS) -> Seen:
    """Play until each goal has been seen or the bound is reached."""
    pair, eye, seen = Pair(game, game), Eye(game.rules, wanted), Seen()
    _every_game(pair, eye, wanted, looks, seen)
    if seen.complete:
        return seen
    for n in range(games):
        missing = {g for g in wanted if g not in seen.lines}
        if not missing:
            break
        seen.games += 1
        for goal, line in _one_game(pair, eye, missing, n, Dice(budget.seed * 32_452_843 + n), budget.plies):
            if goal not in seen.lines or len(line) < len(seen.lines[goal]):
                seen.lines[goal] = line
    for n in range(PLAIN):
        missing = {g for g in wanted if g not in seen.lines}
        if not missing:
            break
        seen.games += 1
        for goal, line in _plain_game(pair, eye, missing, Dice(budget.seed * 67_867_967 + n), budget.plies):
            seen.lines[goal] = line
    return seen


def _plain_game(pair: Pair, eye: Eye, missing: set[Goal], dice: Dice, plies: int) -> Iterable[tuple[Goal, Line]]:
    engine, state, line = pair.a.engine, pair.a.engine.start(), list[Step]()
    left = set(missing)
    for _ in range(plies):
        move = random_move(engine, state, dice)
        if move is None:
            return
        line.append(step_of(pair, state.phase, move))
        after = engine.play(state, move)
        for goal in list(eye.shows(state, move, after, left)):
            left.discard(goal)
            yield goal, tuple(line)
        if after.outcome is not None:
            return
        state = after.state


def _every_game(pair: Pair, eye: Eye, wanted: list[Goal], looks: int, seen: Seen) -> None:
    """Every game ply by ply, positions that a symmetry joins once."""
    engine, carries = pair.a.engine, symmetries(pair.a.rules)
    start = engine.start()
    came: dict[State, tuple[State, Picks] | None] = {start: None}
    layer, left = [start], looks
    while layer:
        following: list[State] = []
        known: set[State] = set()
        for state in layer:
            try:
                moves = engine.moves(state)
            except TooManyMoves:
                return
            for move in moves:
                left -= 1
                if left < 0:
                    return
                after = engine.play(state, move)
                missing = {g for g in wanted if g not in seen.lines}
                for goal in eye.shows(state, move, after, missing):
                    seen.lines[goal] = _line(pair, came, state, move)
                    seen.shortest.add(goal)
                if after.outcome is None and after.state not in came:
                    key = canonical(after.state, carries)
                    if key not in known:
                        known.add(key)
                        came[after.state] = (state, move)
                        following.append(after.state)
        seen.whole += 1
        layer = following
    seen.complete = True


def _line(pair: Pair, came: dict[State, tuple[State, Picks] | None], state: State, move: Picks) -> Line:
    steps = [step_of(pair, state.phase, move)]
    at = came[state]
    while at is not None:
        steps.append(step_of(pair, at[0].phase, at[1]))
        at = came[at[0]]
    return tuple(reversed(steps))


def _one_game(pair: Pair, eye: Eye, missing: set[Goal], n: int, dice: Dice, plies: int) -> Iterable[tuple[Goal, Line]]:
    engine, state, line = pair.a.engine, pair.a.engine.start(), list[Step]()
    way = n % (len(WAYS) + 3)
    left = set(missing)
    for _ in range(plies):
        move: Picks | None = None
        if way < len(WAYS):
            options = engine.options[engine.index[state.phase]](*state.values)
            move = WAYS[way](pair, Two(state, state), options, dice) if options else None
        else:
            for _ in range(TRIES):
                drawn = random_move(engine, state, dice)
                if drawn is None:
                    break
                after = engine.play(state, drawn)
                found = list(eye.shows(state, drawn, after, left))
                for goal in found:
                    left.discard(goal)
                    yield goal, (*line, step_of(pair, state.phase, drawn))
                move = drawn
                if after.outcome is None:
                    break
        if move is None:
            return
        line.append(step_of(pair, state.phase, move))
        after = engine.play(state, move)
        for goal in list(eye.shows(state, move, after, left)):
            left.discard(goal)
            yield goal, tuple(line)
        if after.outcome is not None:
            return
        state = after.state


# -- towards a position -----------------------------------------------------------------------------------------------------------

ORDERS = 12
"""Orders of moves in which a position is tried to be built."""


def begun(game: Game, seed: int) -> dict[str, State]:
    """The positions in which a random game first comes to each phase but the one that it begins with."""
    dice, state, found = Dice(seed), game.engine.start(), dict[str, State]()
    for _ in range(game.rules.board.size):
        move = random_move(game.engine, state, dice)
        after = game.engine.play(state, move) if move is not None else None
        if after is None or after.outcome is not None:
            break
        state = after.state
        if state.phase != game.rules.start_phase:
            found.setdefault(state.phase, state)
    return found


def towards(game: Game, goal: Goal, target: State, last: Picks, seed: int) -> Line | None:
    """A game that builds a position move by move, never past it, and then makes the last move; None if no order tried does.

    The position is one that a solver has drawn: what stands there is compared by seat, so that colours may not be exchanged on the
    way.
    """
    pair, eye, engine = Pair(game, game), Eye(game.rules, [goal]), game.engine
    names = [v.name for v in game.rules.variables]
    pieces = [v for p in game.rules.game.pieces for v in game.rules.words.variables(p, None)]
    sets = [i for i, n in enumerate(names) if n.rpartition(".")[2] in pieces]
    flipped = {i: names.index(swapped(names[i])) for i in sets}

    def by_seat(state: State, seat: int) -> list[int]:
        return [int(state.values[i if state.seat == seat else flipped[i]]) for i in sets]

    wanted = by_seat(target, 0)
    for order in range(ORDERS):
        dice, state, line = Dice(seed * 49_979_687 + order), engine.start(), list[Step]()
        while True:
            if state.phase == target.phase and state.seat == target.seat and by_seat(state, 0) == wanted:
                after = engine.play(state, last) if last in engine.moves(state) else None
                if after is not None and any(eye.shows(state, last, after, {goal})):
                    return (*line, step_of(pair, state.phase, last))
                break
            moves = engine.moves(state)
            step = None
            while moves and step is None:
                at = dice.below(len(moves))
                move, moves[at] = moves[at], moves[-1]
                moves.pop()
                after = engine.play(state, move)
                stands = zip(by_seat(after.state, 0), wanted, strict=True)
                fits = after.outcome is None and all(not have & ~want for have, want in stands)
                step = (move, after.state) if fits else None
            if step is None:
                break
            line.append(step_of(pair, state.phase, step[0]))
            state = step[1]
            if len(line) > 2 * game.rules.board.size:
                break
    return None


# -- lines ------------------------------------------------------------------------------------------------------------------------


def shows_at(pair: Pair, eye: Eye, goal: Goal, line: Line) -> int | None:
    """The plies after which a line first shows a goal; None if it does not, or if a move does not fit."""
    engine, state = pair.a.engine, pair.a.engine.start()
    for ply, (kind, sites) in enumerate(line, 1):
        options = engine.options[engine.index[state.phase]](*state.values)
        move = in_phase(pair, state.phase, kind, sites)
        if move is None or not allowed(engine.depths[engine.index[state.phase]], options, move):
            return None
        after = engine.play(state, move)
        if any(eye.shows(state, move, after, {goal})):
            return ply
        if after.outcome is not None:
            return None
        state = after.state
    return None


def smaller(game: Game, goal: Goal, line: Line, replays: int) -> Line:
    """The line with moves left out as long as it still shows the goal; long lines are replayed less often."""
    replays = min(replays, PLIES_REPLAYED // max(1, len(line)))
    pair, eye = Pair(game, game), Eye(game.rules, [goal])
    judge: Callable[[Line], int | None] = partial(shows_at, pair, eye, goal)
    return shrink(line, judge, replays)


def texts(game: Game, line: Line) -> tuple[str, ...]:
    """A line in notation."""
    return written(Pair(game, game), line)


def lawful(rules: Rules, game: Game, goal: Goal, moves: tuple[str, ...] | list[str]) -> bool:
    """Whether the reference interpreter, replaying a game, sees the goal in its last move."""
    eye, position = Eye(rules, [goal]), game.by_the_law().start()
    for text in moves[:-1]:
        position = position.play(text)
        if position.ended is not None:
            return False
    if not moves:
        return False
    move = position.find(moves[-1]).picks
    after = game.reference.play(position.state, move)
    return any(eye.shows(position.state, move, after, {goal}))
