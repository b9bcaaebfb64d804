"""Whether a difference matters: how often it shows in random games, and what it does to the value of small boards."""

from __future__ import annotations

from lawstone.check.lockstep import Pair
from lawstone.check.report import Matters
from lawstone.check.search import Budget, any_move
from lawstone.check.solve import TooLarge, value
from lawstone.engine.game import Game
from lawstone.engine.notation import deeds
from lawstone.engine.playout import Dice
from lawstone.engine.state import Outcome
from lawstone.model.faults import BadInput
from lawstone.spec import Usage

SMALL_BOARDS = ((3, 3), (4, 4))


def shares(pair: Pair, budget: Budget, games: int) -> tuple[float, float, float]:
    """Shares of random games under A in which the readings part, that end otherwise under B, and that B cannot play."""
    parted = changed = unplayable = 0
    for n in range(games):
        differs, ends_otherwise, illegal = _one_game(pair, Dice(budget.seed * 7_919 + n), budget.plies)
        parted += differs
        changed += ends_otherwise
        unplayable += illegal
    return parted / games, changed / games, unplayable / games


def _one_game(pair: Pair, dice: Dice, longest: int) -> tuple[bool, bool, bool]:
    two, parted = pair.start(), pair.after_difference(pair.start()) is not None
    for _ in range(longest):
        options = pair.options(two)
        same = pair.same_moves(two, options)
        parted = parted or not same
        if not options[0]:
            return parted, two.over_b is None and bool(options[1]), False
        move = any_move(pair, two, options[0], dice)
        if same:
            other = pair.matching(two, move, options)
        else:
            turn = pair.a.rules.phases[two.a.phase].turns[move.turn]
            found = pair.identities(two, options, 1).get(deeds(turn, move))
            if found is None:
                return True, False, True
            other = found
        two = pair.play(two, move, other)
        parted = parted or pair.after_difference(two) is not None
        if two.over_a is not None or two.over_b is not None:
            return parted, _result(two.over_a) != _result(two.over_b), False
    return parted, False, False


def _result(over: Outcome | None) -> tuple[str, int | None] | None:
    return None if over is None else (over.kind, over.winner)


def small_values(a: Game, b: Game) -> dict[str, list[str]] | None:
    """The value of the game under both readings on boards small enough to solve; None where there is no such board."""
    found: dict[str, list[str]] = {}
    resizable = a.rules.game.board.resizable and a.rules.game.board.grid is not None
    for size in SMALL_BOARDS if resizable else (None,):
        if size is None and a.rules.board.size > 16:
            continue
        try:
            games = [Game(g.spec, g.spec.rules(g.rules.variant, dict(g.rules.reading), size)) if size else g for g in (a, b)]
            label = games[0].rules.board.label
            found[label] = [_value(g) for g in games]
        except (TooLarge, BadInput, Usage):
            continue
    return found or None


_solved: dict[tuple[str, str], list[tuple[object, str | None]]] = {}
"""By game and board, what was solved in this run: what the rules mean, and the value (None: too large)."""


def _value(game: Game) -> str:
    """The value of a game, worked out once a run; raises TooLarge."""
    known = _solved.setdefault((game.id, game.rules.board.label), [])
    found = [told for meaning, told in known if meaning == game.rules.meaning]
    if not found:
        try:
            found = [value(game)]
        except TooLarge:
            found = [None]
        known.append((game.rules.meaning, found[0]))
    told = found[0]
    if told is None:
        raise TooLarge("too large in this run before")
    return told


def matters(pair: Pair, budget: Budget, games: int) -> Matters:
    """Both measures together."""
    parted, changed, unplayable = shares(pair, budget, games)
    return Matters(games=games, parted=parted, changed=changed, unplayable=unplayable, values=small_values(pair.a, pair.b))
