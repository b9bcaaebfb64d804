"""Gaps met in play: a player who must act and cannot, a duty that cannot be met, play that can repeat for ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from lawstone.check.lockstep import Pair, Two
from lawstone.check.search import (
    ENOUGH_GAMES,
    FASTER,
    LENGTH,
    WAYS,
    Budget,
    Line,
    Search,
    Step,
    allowed,
    in_phase,
    parted_at,
    shrink,
    step_of,
    written,
)
from lawstone.engine.everyday import Everyday
from lawstone.engine.game import Game
from lawstone.engine.kernel.lockstep import STUCK
from lawstone.engine.kernel.run import COMPILED, runner
from lawstone.engine.playout import Dice
from lawstone.engine.state import Outcome, State
from lawstone.model.game import Event
from lawstone.model.game import Game as GameFile
from lawstone.work import bounds

GapKind = Literal["no move", "duty", "endless"]
Key = tuple[GapKind, str]
"""What makes a gap the same in another game: its kind, and the clause or phase."""


@dataclass(frozen=True)
class Met:
    """A gap met in a game: its kind and rule, the moves that lead there, and the share of random games that do.

    For an endless game the moves lead back to a position that the game has been in before.
    """

    kind: GapKind
    rule: str
    moves: tuple[str, ...]
    share: float
    shortest: bool
    how: str


def gaps(game: Game, budget: Budget, whole: int = 0) -> list[Met]:
    """Every kind of gap that random and guided games run into, each with the smallest game that replay could make of it.

    `whole` is the last ply up to which every game has been compared elsewhere without meeting one.
    """
    pair = Pair(game, game)
    best: dict[Key, Line] = {}
    counts: dict[Key, int] = {}
    plain = 0
    repeats = has_cycles(game) and covering(game.rules.game) is None
    for n in range(budget.games):
        way = n % len(WAYS)
        plain += way == 0
        for key, line in _one_game(pair, way, Dice(budget.seed * 15_485_863 + n), budget.plies, repeats):
            if way == 0:
                counts[key] = counts.get(key, 0) + 1
            if key not in best or len(line) < len(best[key]):
                best[key] = line
        if n >= 3 * ENOUGH_GAMES and not repeats and not best and n * 4 > budget.games:
            break
    shares = {key: n / max(1, plain) for key, n in counts.items()}
    for key, line, share in _by_kernel(pair, budget):
        shares.setdefault(key, share)
        if key not in best or len(line) < len(best[key]):
            best[key] = line
    found = []
    for (kind, rule), line in sorted(best.items()):
        small = shrink(line, partial(leads_to, pair, (kind, rule)), budget.replays)
        shortest = len(small) <= whole + 1
        how = f"no shorter game: all games up to ply {whole} were looked at" if shortest else "not shown shortest"
        found.append(Met(kind, rule, written(pair, small), shares.get((kind, rule), 0.0), shortest, how))
    return found


def _by_kernel(pair: Pair, budget: Budget) -> Iterator[tuple[Key, Line, float]]:
    """For each gap that compiled games run into, the shortest of them, played again here, and the share of random games that do.

    Nothing where the steps of the game are not compiled. Play that can repeat is not looked for in this way.
    """
    sample, games, seed = None, budget.games * FASTER, budget.seed * 15_485_863
    for key, line in _lines(pair, budget):
        sample = sample or runner(pair.a.rules, pair.a.engine).playouts(games, seed, budget.plies)
        met = sum(n for end, n in sample.ends.items() if end is not None and (end.kind, end.rule) == ("no rule", key[1]))
        yield key, line, met / games


def _lines(pair: Pair, budget: Budget) -> Iterator[tuple[Key, Line]]:
    """The shortest of many compiled games for each gap that they run into; one game after another, as they are asked for."""
    both, rules = pair.compiled, pair.a.rules
    if isinstance(both, str) or not budget.games:
        return
    games, seed = budget.games * FASTER, budget.seed * 15_485_863
    duties = dict.fromkeys(c.rule for p in rules.phases.values() for t in p.turns for c in t.choices)
    for wanted in (STUCK, *duties):
        played = both.run(games, seed, budget.plies, games * LENGTH, wanted)
        if played.first is not None:
            yield from _one_game(pair, played.first % len(WAYS), Dice(seed + played.first), budget.plies, False)


def guided(pair: Pair, budget: Budget, found: Search) -> bool:
    """Try games into the gaps of either reading as witnesses: where one says nothing, another may well say something.

    Only where a search has found none, or could not play its games compiled. The first by which the readings part is made smaller;
    it is taken, and the answer is yes, where the search has found no shorter one.
    """
    if found.parting is not None and found.by == COMPILED:
        return False
    for game in (pair.a, pair.b):
        for _, line in _lines(Pair(game, game), budget):
            if parted_at(pair, line) is None:
                continue
            parting = pair.replay(written(pair, shrink(line, partial(parted_at, pair), budget.replays)))
            if parting is None or (found.parting is not None and found.parting.plies <= parting.plies):
                return False
            found.parting, found.shortest = parting, parting.plies <= found.whole + 1
            return True
    return False


def has_cycles(game: Game) -> bool:
    """Whether some turn places nothing, so that a position could come back."""
    return any(t.choices and all(c.role != "place" for c in t.choices) for p in game.rules.phases.values() for t in p.turns)


def covering(file: GameFile) -> Event | None:
    """An event by which play that repeats, or does not get on, is over."""
    for event in file.events or []:
        if (event.repetition is not None or event.no_progress is not None) and (event.draw or event.loses is not None):
            return event
    return None


def _one_game(pair: Pair, way: int, dice: Dice, longest: int, repeats: bool) -> list[tuple[Key, Line]]:
    """The gaps of one game, each with the line that leads to it."""
    engine, state, line = pair.a.engine, pair.a.engine.start(), list[Step]()
    seen: dict[State, int] = {state: 0}
    met: list[tuple[Key, Line]] = []
    looped = not repeats
    for _ in range(longest):
        bounds.check()
        options = engine.options[engine.index[state.phase]](*state.values)
        if not options:
            return [*met, (_stuck(engine, state), tuple(line))]
        move = WAYS[way](pair, Two(state, state), options, dice)
        line.append(step_of(pair, state.phase, move))
        state, outcome = engine.play(state, move)
        if outcome is not None:
            return [*met, *_duty(outcome, line)]
        if not looped:
            if state in seen:
                met.append((("endless", state.phase), tuple(line)))
                looped = True
            seen[state] = len(line)
    return met


def _duty(outcome: Outcome, line: Sequence[Step]) -> list[tuple[Key, Line]]:
    return [(("duty", outcome.rule), tuple(line))] if outcome.kind == "no rule" else []


def leads_to(pair: Pair, wanted: Key, line: Line) -> int | None:
    """The plies after which a line runs into the wanted gap; None if it meets another one or none, or if a move does not fit."""
    engine, state = pair.a.engine, pair.a.engine.start()
    seen = {state}
    found: Key | None = None
    for ply, (kind, sites) in enumerate(line):
        options = engine.options[engine.index[state.phase]](*state.values)
        if not options:
            return ply if _stuck(engine, state) == wanted else None
        move = in_phase(pair, state.phase, kind, sites)
        if move is None or not allowed(engine.depths[engine.index[state.phase]], options, move):
            return None
        state, outcome = engine.play(state, move)
        if outcome is not None:
            found = ("duty", outcome.rule) if outcome.kind == "no rule" else None
        elif state in seen:
            found = ("endless", state.phase)
        if outcome is not None or found is not None:
            return ply + 1 if found == wanted else None
        seen.add(state)
    options = engine.options[engine.index[state.phase]](*state.values)
    return len(line) if not options and _stuck(engine, state) == wanted else None


def _stuck(engine: Everyday, state: State) -> Key:
    return "no move", engine.rules.phases[state.phase].turns[0].rule


def confirm(game: Game, met: Met) -> bool:
    """Replay a gap's game with the reference interpreter: the same gap must show at its end."""
    position = game.by_the_law().start()
    states = [position.state]
    for move in met.moves:
        position = position.play(move)
        states.append(position.state)
    if met.kind == "endless":
        return position.state in states[:-1]
    outcome = position.outcome
    return outcome is not None and (outcome.kind, outcome.rule) == ("no rule", met.rule)
