"""Looking for the place where two readings part: whole trees first, then games by chance, then smaller witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lawstone.check.lockstep import Level, Pair, Parting, Two, around
from lawstone.core import Sort
from lawstone.engine.everyday import Option
from lawstone.engine.kernel.run import COMPILED, EMITTED
from lawstone.engine.notation import write
from lawstone.engine.playout import Dice
from lawstone.engine.state import Picks, members


@dataclass(frozen=True)
class Budget:
    """How much may be spent on one pair of readings; counts, not seconds, so that a run can be repeated exactly."""

    pairs: int = 40_000
    """Move results compared in whole trees."""
    games: int = 150
    """Random and guided games of the emitted Python; compiled, FASTER times as many."""
    plies: int = 320
    """Plies of one game."""
    replays: int = 3_000
    """Games replayed to make a witness smaller."""
    seed: int = 1


@dataclass
class Search:
    """What a search found, and how far it looked: `whole` is the last ply up to which every game was compared."""

    parting: Parting | None = None
    whole: int = -1
    exhausted: bool = False
    compared: int = 0
    games: int = 0
    longest: int = 0
    shortest: bool = False
    by: str = ""
    """What played the games by chance, and why it was not compiled where it was not."""


class Place(NamedTuple):
    """Where two readings part: what stands there under each, and for a result that differs the position and the move before."""

    level: Level
    two: Two
    before: Two | None = None
    move: Picks | None = None


Tell = Callable[[str], None]
Met = Callable[[Place, "Line"], bool]
"""Is told where a game parts the readings, and its moves; whether to look further."""


def search(pair: Pair, budget: Budget, tell: Tell = lambda _: None, found: Search | None = None, polish: bool = True) -> Search:
    """The earliest parting that the budget allows to find; what is found on the way is in `found`, whatever stops the search.

    `polish` looks for an earlier one among games of the moves of one that chance has found, which is idle where a solver will look
    at all games.
    """
    found = found or Search()
    tell("whole tree")
    whole_tree(pair, budget, found)
    if found.parting is not None or found.exhausted:
        return found
    tell("random games")
    best = by_chance(pair, budget, found)
    if best is not None:
        tell("smaller witness")
        small = shrink(best, lambda line: parted_at(pair, line), budget.replays)
        found.parting = pair.replay(written(pair, small))
        again = Search()
        if polish:
            whole_tree(pair, budget, again, frozenset(small))
        if again.parting is not None and again.parting.plies < len(small):
            found.parting = again.parting
        found.shortest = found.parting is not None and found.parting.plies <= found.whole + 1
    return found


# -- whole trees ------------------------------------------------------------------------------------------------------------------


def whole_tree(
    pair: Pair, budget: Budget, found: Search, only: frozenset[Step] | None = None, met: Met | None = None
) -> None:  # fmt: skip
    """Compare all games ply by ply, positions that a common symmetry joins once, until they part or the budget is spent.

    A parting found at ply n is the shortest: every game of fewer plies has been compared. With `only`, the games are those made
    of the given moves, and the parting is the shortest among them. With `met`, no parting ends the search: each is told, its game
    goes on no further, and the others do.
    """
    trail: list[tuple[int, str, Step]] = [(-1, "", (((), ()), ()))]
    front: list[tuple[Two, int]] = [(pair.start(), 0)]
    ply = 0
    while front:
        going: list[tuple[Two, int]] = []
        for two, at in front:
            if pair.same_moves(two, pair.options(two)):
                going.append((two, at))
            elif met is None:
                found.parting, found.shortest = pair.replay(_texts(trail, at)), True
                return
            elif not met(Place("legal moves", two), _steps(trail, at)):
                return
        found.whole = ply
        seen: set[object] = set()
        known: set[Two] = set()
        following: list[tuple[Two, int]] = []
        for two, at in going:
            options = pair.options(two)
            for option in options[0]:
                for move in pair.a.engine.expand(option):
                    step = step_of(pair, two.a.phase, move)
                    if only is not None and step not in only:
                        continue
                    found.compared += 1
                    if found.compared > budget.pairs:
                        return
                    after = pair.play(two, move, pair.matching(two, move, options))
                    level = pair.after_difference(after)
                    if level is not None and met is None:
                        moves = (*_texts(trail, at), write(pair.a.rules, two.a, move))
                        found.parting, found.shortest = pair.replay(moves), True
                        return
                    if level is not None and met is not None:
                        if not met(Place(level, after, two, move), (*_steps(trail, at), step)):
                            return
                        continue
                    if after.over_a is not None or after in known:
                        continue
                    known.add(after)
                    key = pair.key(after)
                    if key not in seen:
                        seen.add(key)
                        trail.append((at, write(pair.a.rules, two.a, move), step))
                        following.append((after, len(trail) - 1))
        front = following
        ply += 1
    found.exhausted = True


def _back(trail: list[tuple[int, str, Step]], at: int) -> Iterable[tuple[str, Step]]:
    while at > 0:
        at, text, step = trail[at]
        yield text, step


def _texts(trail: list[tuple[int, str, Step]], at: int) -> tuple[str, ...]:
    return tuple(reversed([text for text, _ in _back(trail, at)]))


def _steps(trail: list[tuple[int, str, Step]], at: int) -> Line:
    return tuple(reversed([step for _, step in _back(trail, at)]))


# -- by chance --------------------------------------------------------------------------------------------------------------------

Choose = Callable[[Pair, Two, list[Option], Dice], Picks]
Kind = tuple[tuple[str, ...], tuple[str, ...]]
"""What a turn is made of: its options and the roles of its choices."""
Step = tuple[Kind, tuple[int, ...]]
"""A move whatever the phase: the kind of its turn and its picks."""
Line = tuple[Step, ...]
"""A game as the engine of reading A plays it: the kind of each turn and its picks."""
FASTER = 200
"""How many games are compiled for one that the emitted Python would play."""
LENGTH = 75
"""Plies that a compiled game may take on the average, before there are fewer games."""
ENOUGH_GAMES = 20
"""Once a difference is known, no more games than this are played to look for an earlier one."""


def any_move(pair: Pair, two: Two, options: list[Option], dice: Dice) -> Picks:
    """Uniform over complete moves."""
    n = dice.below(sum(o[0] for o in options))
    for option in options:
        if n < option[0]:
            return pair.a.engine.nth(option, n)
        n -= option[0]
    raise AssertionError("options are counted and picked by the same list")


def crowding(pair: Pair, two: Two, options: list[Option], dice: Dice) -> Picks:
    """Of a few random moves the one that puts its piece beside most pieces of the player who moves: lines and shapes grow."""
    near = around(pair.a.rules.board)
    own = 0
    for variable, value in zip(pair.a.rules.variables, two.a.values, strict=True):
        if variable.sort is Sort.SITES and pair.is_own(variable.name):
            own |= int(value)
    return max((any_move(pair, two, options, dice) for _ in range(5)), key=lambda m: _touching(m, own, near))


def _touching(move: Picks, own: int, around: Sequence[int]) -> int:
    return max(
        (sum((around[s] & own).bit_count() for s in members(mask)) for mask in move.sites[-2:] if mask.bit_count() == 1),
        default=0,
    )


def narrowing(pair: Pair, two: Two, options: list[Option], dice: Dice) -> Picks:
    """Of a few random moves the one that leaves the opponent the fewest moves: blocks and empty hands come sooner."""
    engine = pair.a.engine

    def left(move: Picks) -> int:
        after = engine.play(two.a, move)
        if after.outcome is not None:
            return 1_000_000
        return sum(o[0] for o in engine.options[engine.index[after.state.phase]](*after.state.values))

    return min((any_move(pair, two, options, dice) for _ in range(4)), key=left)


WAYS: tuple[Choose, ...] = (any_move, crowding, narrowing)


def by_chance(pair: Pair, budget: Budget, found: Search) -> Line | None:
    """The earliest parting met in random and guided games, the ways of choosing taking turns.

    They are played compiled where that can be done, and the game found is played again here; else by the emitted Python, which ends
    some games after the first parting is found.
    """
    found.by, best = by_kernel(pair, budget, found)
    if found.by == COMPILED:
        return best
    for n in range(budget.games):
        line = one_game(pair, WAYS[n % len(WAYS)], Dice(budget.seed * 1_000_003 + n), budget.plies, found)
        found.games += 1
        if line is not None and (best is None or len(line) < len(best)):
            best = line
        if best is not None and n >= ENOUGH_GAMES:
            break
    return best


def by_kernel(pair: Pair, budget: Budget, found: Search) -> tuple[str, Line | None]:
    """The earliest parting in compiled games; and what played them, or why the emitted Python has to."""
    if not budget.games:
        return EMITTED, None
    both = pair.compiled
    if isinstance(both, str):
        return f"{EMITTED}: {both}", None
    games, seed = budget.games * FASTER, budget.seed * 1_000_003
    played = both.run(games, seed, budget.plies, games * LENGTH)
    if played.full:
        return f"{EMITTED}: a position had too many options", None
    line = None
    if played.first is not None:
        line = one_game(pair, WAYS[played.first % len(WAYS)], Dice(seed + played.first), budget.plies, Search())
        if line is None or len(line) != played.at:
            return f"{EMITTED}: the readings list their moves in different forms", None
    found.games, found.compared, found.longest = played.games, found.compared + played.plies, played.longest
    return COMPILED, line


def one_game(pair: Pair, choose: Choose, dice: Dice, longest: int, found: Search) -> Line | None:
    """The moves of one game up to the place where the readings part; None if they do not."""
    two, line = pair.start(), list[Step]()
    for _ in range(longest):
        options = pair.options(two)
        found.compared += 1
        if not pair.same_moves(two, options):
            return tuple(line)
        if not options[0]:
            return None
        move = choose(pair, two, options[0], dice)
        line.append(step_of(pair, two.a.phase, move))
        two = pair.play(two, move, pair.matching(two, move, options))
        found.longest = max(found.longest, len(line))
        if pair.after_difference(two) is not None:
            return tuple(line)
        if two.over_a is not None:
            return None
    return None


# -- smaller ----------------------------------------------------------------------------------------------------------------------


def parted_at(pair: Pair, line: Line) -> int | None:
    """After how many plies of a line the readings part; None if they do not, or if a move does not fit any more."""
    found = followed(pair, line)
    return None if found is None else found[0]


def followed(pair: Pair, line: Line) -> tuple[int, Place] | None:
    """After how many plies of a line the readings part, and where; None if they do not, or if a move does not fit any more."""
    two = pair.start()
    for ply, (kind, sites) in enumerate(line):
        options = pair.options(two)
        if not pair.same_moves(two, options):
            return ply, Place("legal moves", two)
        move = in_phase(pair, two.a.phase, kind, sites)
        if move is None or not allowed(pair.a.engine.depths[pair.a.engine.index[two.a.phase]], options[0], move):
            return None
        before, two = two, pair.play(two, move, pair.matching(two, move, options))
        level = pair.after_difference(two)
        if level is not None:
            return ply + 1, Place(level, two, before, move)
        if two.over_a is not None:
            return None
    return None if pair.same_moves(two, pair.options(two)) else (len(line), Place("legal moves", two))


def step_of(pair: Pair, phase: str, move: Picks) -> Step:
    """A move of a phase as a step of a line."""
    turn = pair.a.rules.phases[phase].turns[move.turn]
    return (turn.label, turn.roles), move.sites


def in_phase(pair: Pair, phase: str, kind: Kind, sites: tuple[int, ...]) -> Picks | None:
    """A move of a line as a turn of a phase; None where no turn of the phase is of its kind."""
    for number, turn in enumerate(pair.a.rules.phases[phase].turns):
        if (turn.label, turn.roles) == kind:
            return Picks(number, sites)
    return None


def allowed(depths: list[int], options: list[Option], move: Picks) -> bool:
    """Whether a move is among the options, without listing them."""
    for _, turn, picks, among, due, freedom in options:
        if turn != move.turn:
            continue
        if freedom < 0:
            if picks == move.sites:
                return True
        elif len(move.sites) == depths[turn] and picks == move.sites[:-1] and not move.sites[-1] & ~among:
            size = move.sites[-1].bit_count()
            if size == due or (freedom == 1 and size <= due) or (freedom == 2 and size == 0):
                return True
    return False


def written(pair: Pair, line: Line) -> tuple[str, ...]:
    """A line in notation."""
    state, texts = pair.a.engine.start(), list[str]()
    for kind, sites in line:
        move = in_phase(pair, state.phase, kind, sites)
        assert move is not None, "a line is written only after it has been played"
        texts.append(write(pair.a.rules, state, move))
        state = pair.a.engine.play(state, move).state
    return tuple(texts)


def shrink(line: Line, judge: Callable[[Line], int | None], replays: int) -> Line:
    """A shorter line that still shows what is looked for: moves are left out, a block at a time, as long as it does.

    `judge` gives the plies after which a line shows it, or None.
    """
    best, tries, progress = line, 0, True
    while progress and tries < replays:
        progress = False
        for candidate in _shorter(best):
            tries += 1
            if tries > replays:
                break
            plies = judge(candidate)
            if plies is not None and plies < len(best):
                best, progress = candidate[:plies], True
                break
    return best


def _shorter(line: Line) -> Iterable[Line]:
    """The game without a block of moves, large blocks first; then without two single moves, which keeps the players in turn."""
    n = len(line)
    size = n // 2
    while size >= 1:
        for i in range(0, n - size + 1, max(1, size // 2)):
            yield line[:i] + line[i + size :]
        size = size // 2 if size > 4 else size - 1
    for gap in range(1, n):
        for i in range(n - gap):
            yield line[:i] + line[i + 1 : i + gap] + line[i + gap + 1 :]
