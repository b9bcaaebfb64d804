"""Is a drawn position reachable? A game from the start that reaches it, or why none was found.

Games are played forward towards the drawing. Where pieces never leave the board (except those of which there is one, such as a
totem), a move that puts a piece where the drawing has none is not tried, and when every other game has been looked at, the
position is shown to be unreachable. Elsewhere the moves that bring the board nearer to the drawing are tried first, and a search
that finds nothing proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from lawstone.engine.game import Game, Position
from lawstone.engine.notation import write
from lawstone.engine.playout import Dice
from lawstone.engine.state import Picks, State

MOST_MOVES = 3_000
"""Moves of one position that are looked at."""


@dataclass(frozen=True)
class Reached:
    """A game that reaches a position; or None, and why: `impossible` where that is shown."""

    moves: tuple[str, ...] | None
    impossible: bool = False
    why: str = ""


def reach(position: Position, seed: int = 1, nodes: int = 20_000) -> Reached:
    """A game from the start to a position, if one is found by looking at `nodes` positions."""
    game, target = position.game, position.state
    start = game.engine.start()
    if start == target:
        return Reached(())
    counted = _counts(position)
    if counted:
        return Reached(None, True, counted)
    if _stays(game):
        found = _forward(game, start, target, Dice(seed), nodes)
    else:
        found = _nearer(game, start, target, Dice(seed), nodes)
    if found.moves is not None:
        assert game.by_the_law().replay(list(found.moves)).state == target, "a game that reaches a position is replayed"
    return found


def _counts(position: Position) -> str:
    """Why the numbers of pieces alone make a position impossible; empty where they do not."""
    game = position.game
    if game.rules.takes_colours or not _stays(game) or len(game.rules.phases) > 1:
        return ""
    seats = [0, 0]
    for name, tokens in game.tokens.items():
        if tokens[1] is not None:
            for side, seat in (("mine", position.state.seat), ("theirs", 1 - position.state.seat)):
                seats[seat] += int(position.values[f"{side}.{name}"]).bit_count()
    first = game.rules.start_seat
    ahead = seats[first] - seats[1 - first]
    wanted = 0 if position.state.seat == first else 1
    if (
        position.ended is None
        and ahead != wanted
        and all(len(t.choices) and t.roles[-1] == "place" for p in game.rules.phases.values() for t in p.turns)
    ):
        players = game.rules.words.players
        return f"turns alternate, and {players[first]} has {ahead} more pieces on the board than {players[1 - first]}, not {wanted}"
    return ""


def _static(game: Game) -> list[int]:
    """The variables that hold the pieces of which there are several."""
    singles = set(game.rules.words.singles)
    kinds = set(game.tokens) - singles
    return [i for i, v in enumerate(game.rules.variables) if v.name.rpartition(".")[2] in kinds]


def _stays(game: Game) -> bool:
    """Whether pieces, once placed, stay: nothing is captured, removed or moved but single pieces."""
    singles = bool(game.rules.words.singles)
    roles = {r for p in game.rules.phases.values() for t in p.turns for r in t.roles}
    effects = any(t.effects for p in game.rules.phases.values() for t in p.turns)
    return not effects and not roles & {"capture", "remove"} and (singles or not roles & {"from", "to"})


def _moves(game: Game, state: State) -> Iterator[Picks]:
    engine = game.engine
    left = MOST_MOVES
    for option in engine.options[engine.index[state.phase]](*state.values):
        for move in engine.expand(option):
            yield move
            left -= 1
            if not left:
                return


def _seen_by(game: Game, state: State, seat: int) -> tuple[int, ...]:
    """The sets of pieces as one seat sees them."""
    names = [v.name for v in game.rules.variables]
    index = {n: i for i, n in enumerate(names)}
    found = []
    for i in _static(game):
        name = names[i]
        if state.seat != seat and "." in name:
            side, _, rest = name.partition(".")
            name = f"{'theirs' if side == 'mine' else 'mine'}.{rest}"
        found.append(int(state.values[index[name]]))
    return tuple(found)


def _forward(game: Game, start: State, target: State, dice: Dice, nodes: int) -> Reached:
    """Depth first, only through positions whose pieces the target has too."""
    goal = _seen_by(game, target, 0)
    total = sum(g.bit_count() for g in goal)
    dead: set[State] = set()
    looked, deepest = 0, 0
    stack: list[tuple[State, Iterator[tuple[Picks, State]]]] = [(start, _towards(game, start, goal, dice))]
    line: list[Picks] = []
    while stack:
        state, following = stack[-1]
        step = next(following, None)
        if step is None:
            dead.add(state)
            stack.pop()
            if line:
                line.pop()
            continue
        move, after = step
        looked += 1
        if looked > nodes:
            why = f"no game was found among {nodes} positions; the nearest had {deepest} of {total} pieces"
            return Reached(None, False, why)
        if after == target:
            return Reached(_written(game, [*line, move]))
        placed = sum(s.bit_count() for s in _seen_by(game, after, 0))
        deepest = max(deepest, placed)
        if after in dead or placed >= total:
            continue
        stack.append((after, _towards(game, after, goal, dice)))
        line.append(move)
    return Reached(None, True, "every game that puts pieces only where the drawing has them was looked at, and none reaches it")


def _towards(game: Game, state: State, goal: tuple[int, ...], dice: Dice) -> Iterator[tuple[Picks, State]]:
    """The moves to positions whose pieces the goal has too, those that leave few ways to go on first."""
    found = []
    for move in _moves(game, state):
        after = game.engine.play(state, move)
        here = _seen_by(game, after.state, 0)
        if any(h & ~g for h, g in zip(here, goal, strict=True)) or (after.outcome is not None):
            continue
        found.append((dice.below(1 << 16), move, after.state))
    found.sort(key=lambda f: f[0])
    yield from ((move, after) for _, move, after in found)


def _nearer(game: Game, start: State, target: State, dice: Dice, nodes: int) -> Reached:
    """Best first: the fewest pieces that stand otherwise than in the target, then the shortest game."""
    goal = _seen_by(game, target, 0)

    def distance(state: State) -> int:
        off = sum((h ^ g).bit_count() for h, g in zip(_seen_by(game, state, 0), goal, strict=True))
        return 4 * off + 6 * (state.phase != target.phase)

    heap: list[tuple[int, int, int, State, tuple[Picks, ...]]] = [(distance(start), 0, 0, start, ())]
    seen, looked, nearest = {start}, 0, distance(start)
    while heap and looked < nodes:
        _, _, _, state, line = heappop(heap)
        for move in _moves(game, state):
            looked += 1
            after = game.engine.play(state, move)
            if after.outcome is not None or after.state in seen:
                continue
            if after.state == target:
                return Reached(_written(game, [*line, move]))
            seen.add(after.state)
            far = distance(after.state)
            nearest = min(nearest, far)
            heappush(heap, (far + len(line) // 4, dice.below(1 << 16), looked, after.state, (*line, move)))
            if looked >= nodes:
                break
    return Reached(None, False, f"no game was found among {looked} positions; that does not show that there is none")


def _written(game: Game, line: list[Picks]) -> tuple[str, ...]:
    state, texts = game.engine.start(), list[str]()
    for move in line:
        texts.append(write(game.rules, state, move))
        state = game.engine.play(state, move).state
    return tuple(texts)
