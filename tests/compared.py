"""What the comparisons of the engines with the oracles share: cases, positions drawn at random, and the comparison.

A position is compared by what any engine can say of it: the board, who acts, the phase, the hands, the last piece, the
legal moves as text, and how the game ended. Where the game is over only board and ending count, for the engines keep the
player who moved last and the oracles the one who would have come next.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lawstone.core import Sort
from lawstone.engine.drawn import from_drawn, position_text
from lawstone.engine.everyday import Everyday
from lawstone.engine.game import Game, Position
from lawstone.engine.notation import write
from lawstone.engine.playout import Dice, random_move, stuck
from lawstone.engine.state import Picks, State, members
from lawstone.lower import Rules
from lawstone.model.companions import Drawn
from lawstone.spec import Spec, load
from oracles import gomoku, oxono, wugun, xxung
from oracles.grid import AXES
from oracles.small import breakthrough, connect_four, morris, pente, teeko, yavalath

Size = tuple[int, int]
View = dict[str, Any]
PLIES = 100
"""A random game from the start is left after so many plies, and another one begun."""
PLIES_FROM_THE_MIDDLE = 4
"""The same for games that begin in a drawn position: what is rare is drawn more often than it is reached."""


@dataclass(frozen=True)
class Case:
    """One game to compare: its variant, its answers, its board (None: the usual one), and how many positions are due.

    `results` is how many moves of a position are played out, `drawn` the share of games that begin in the middle.
    """

    game: str
    positions: int
    variant: str = ""
    reading: tuple[tuple[str, str], ...] = ()
    board: Size | None = None
    results: int = 10_000
    drawn: float = 0.9

    def __str__(self) -> str:
        size = "x".join(map(str, self.board)) if self.board else ""
        return " ".join(filter(None, (self.game, self.variant, *(f"{q}={a}" for q, a in self.reading), size)))


@functools.cache
def spec_of(name: str) -> Spec:
    return load(name)


def game_of(case: Case) -> Game:
    spec = spec_of(case.game)
    return Game(spec, spec.rules(case.variant, dict(case.reading), case.board))


# What an engine says


def tokens_of(position: Position) -> dict[str, str]:
    names = position.game.rules.board.names
    return {names[s]: token for s, token in position.cells.items()}


def view_of(position: Position) -> View:
    return {
        "board": tokens_of(position),
        "acts": position.actor,
        "phase": position.phase,
        "hands": dict(position.hands),
        "last": None if position.last is None else position.game.rules.board.names[position.last],
    }


def ending_of(position: Position) -> tuple[str, str] | None:
    """Who won (or `draw`, or `no rule`) and the rule; None while the game goes on."""
    game, state, ended = position.game, position.state, position.ended
    if ended is None:
        options = game.engine.options[game.engine.index[state.phase]](*state.values)
        if options:
            return None
        ended = stuck(game.rules, state)
    if ended.kind == "win":
        assert ended.winner is not None
        return game.rules.words.players[ended.winner], ended.rule
    return ended.kind, ended.rule


def written(position: Position) -> dict[str, Picks]:
    """The legal moves by their text; two with the same text are a fault."""
    game, state = position.game, position.state
    moves = game.engine.moves(state)
    found = {write(game.rules, state, move): move for move in moves}
    assert len(found) == len(moves), f"two moves are written alike in\n{position_text(position)}"
    return found


def played(position: Position, move: Picks) -> Position:
    after = position.game.engine.play(position.state, move)
    return Position(position.game, after.state, after.outcome)


# The comparison


def differ(position: Position, oracle: Any, state: Any) -> str:
    """What an engine and an oracle say differently of one position; nothing where they agree."""
    ours, theirs = ending_of(position), oracle.outcome(state)
    if ours != theirs:
        return f"the ending is {ours}, by the oracle {theirs}"
    view, other = view_of(position), oracle.view(state)
    for what in ("board", "acts", "phase", "hands", "last") if ours is None else ("board",):
        if view[what] != other[what]:
            return f"the {what} is {view[what]}, by the oracle {other[what]}"
    return ""


def compare(position: Position, oracle: Any, state: Any, results: int, chance: random.Random) -> list[Any]:
    """Fail where position, legal moves or results of moves differ; else the moves with both results."""
    told = differ(position, oracle, state)
    assert not told, f"{told} in\n{position_text(position)}"
    if position.ended is not None or oracle.outcome(state) is not None:
        return []
    ours, all_results = written(position), dict[str, Any]()
    if results < len(ours):
        legal = oracle.legal(state)
    else:
        all_results = dict(oracle.moves(state))
        legal = list(all_results)
    if set(ours) != set(legal):
        only_ours, only_theirs = sorted(set(ours) - set(legal))[:9], sorted(set(legal) - set(ours))[:9]
        message = f"legal here and not by the oracle: {only_ours}; the other way: {only_theirs}"
        raise AssertionError(f"{message} in\n{position_text(position)}")
    theirs = all_results or {move: oracle.play(state, move) for move in chance.sample(legal, results)}
    found = []
    for move, after in theirs.items():
        result = played(position, ours[move])
        told = differ(result, oracle, after)
        assert not told, f"after {move}: {told} in\n{position_text(position)}"
        found.append((move, result, after))
    return found


def walk(
    case: Case, oracle: Any, seed: int, draw: Callable[[Game, Any, random.Random], View | None] | None
) -> Iterator[tuple[Position, Any]]:
    """Compare position after position in random games, and give out each new one; ends when the case has its number."""
    game, chance = game_of(case), random.Random(f"{case} {seed}")
    seen = set()
    for _ in range(50 * case.positions):
        position, state, plies = game.start(), oracle.start(), PLIES
        if draw is not None and chance.random() < case.drawn:
            view = draw(game, oracle, chance)
            if view is None:
                continue
            position, state, plies = from_view(game, view), oracle.from_view(view), PLIES_FROM_THE_MIDDLE
        for _ in range(plies):
            after = compare(position, oracle, state, case.results, chance)
            if position.state not in seen:
                seen.add(position.state)
                yield position, state
                if len(seen) == case.positions:
                    return
            after = [a for a in after if a[1].ended is None]
            if not after:
                break
            _, position, state = chance.choice(after)


# Positions drawn at random


def drawing(game: Game, board: dict[str, str]) -> str:
    """The rows of a drawn board, from the top, without margins."""
    rows: dict[int, list[str]] = {}
    for (_, y), name in zip(game.rules.board.places, game.rules.board.names, strict=True):
        rows.setdefault(y, []).append(board.get(name, "."))
    return "\n".join(" ".join(rows[y]) for y in sorted(rows, reverse=True))


def from_view(game: Game, view: View) -> Position:
    """The position that a view shows, by way of the text form."""
    told: dict[str, Any] = {"board": drawing(game, view["board"]), "to act": view["acts"], "phase": view["phase"]}
    if "last" in game.start().values:
        told["last"] = view["last"] or "none"
    if view["hands"]:
        told["hands"] = view["hands"]
    for key in ("captured in", "holds", "captured"):
        if key in view:
            told[key] = view[key]
    return from_drawn(game, Drawn.model_validate(told))


def filled(
    sites: list[str], stones: int, first: int, standing: Callable[[tuple[frozenset[str], ...], str], bool]
) -> dict[str, str]:
    """Stones of x and o in turn on sites in that order, leaving out those that would complete a row."""
    sets = (frozenset[str](), frozenset[str]())
    owner = first
    for site in sites:
        if len(sets[0]) + len(sets[1]) == stones:
            break
        for player in (owner, 1 - owner):
            with_it = tuple(s | {site} if p == player else s for p, s in enumerate(sets))
            if not standing(with_it, site):
                sets = (with_it[0], with_it[1])
                owner = 1 - player
                break
    return {site: "xo"[p] for p in (0, 1) for site in sets[p]}


def draw_xxung(game: Game, oracle: xxung.Xxung, chance: random.Random) -> View | None:
    """Stones in turn, or a row of the actor's with one gap and stones about it; no row stands, the last piece is known."""
    sites = sorted(oracle.grid.sites)
    chance.shuffle(sites)
    acts, board = chance.choice((0, 1)), dict[str, str]()
    if chance.random() < 0.5:
        start, direction = chance.choice(sites), chance.choice(AXES)
        row = (start, *oracle.grid.rays[start, direction])[: chance.randint(5, 7)]
        gap = chance.choice(row)
        board = {site: "xo"[acts] for site in row if site != gap}
        beside = sorted(oracle.grid.beside[gap].difference(row))
        board |= dict.fromkeys(chance.sample(beside, min(1, len(beside))), "xo"[1 - acts])
        sites = [s for s in sites if s not in board and s != gap][: chance.randint(0, 6)]
    stones = chance.randint(2, max(2, len(sites) - 1))
    board |= filled(sites, stones, 0, lambda sets, site: _five(oracle, sets, site))
    own = tuple(frozenset(s for s, t in board.items() if t == token) for token in "xo")
    if len(board) < 2 or not own[1 - acts] or any(_five(oracle, own, site) for site in board):
        return None
    near = [s for s in own[1 - acts] if len(oracle.grid.beside[s] - board.keys()) > 0]
    last = chance.choice(sorted(near or own[1 - acts]))
    return {"board": board, "acts": xxung.PLAYERS[acts], "phase": "main", "hands": {}, "last": last}


def _five(oracle: xxung.Xxung, sets: tuple[frozenset[str], ...], site: str) -> bool:
    own = 0 if site in sets[0] else 1
    return oracle._five(sets[own], sets[1 - own], site)


def draw_gomoku(game: Game, oracle: gomoku.Gomoku, chance: random.Random) -> View | None:
    """Black and white stones in turn; no row stands that wins."""
    sites = sorted(oracle.grid.sites)
    chance.shuffle(sites)
    stones = chance.choice((chance.randint(0, len(sites) - 1), max(0, len(sites) - 1 - chance.randint(0, 3))))
    board = filled(sites, stones, 0, lambda sets, site: _row(oracle, sets, site))
    black = sum(token == "x" for token in board.values())
    white = len(board) - black
    if black - white not in (0, 1):
        return None
    acts = black - white
    view: View = {"board": board, "phase": "main", "hands": {}, "last": None}
    if game.rules.takes_colours:
        holds_black = chance.choice((0, 1))
        acts = 1 - holds_black if black > white else holds_black
        view["holds"] = {gomoku.SEATS[holds_black]: "black", gomoku.SEATS[1 - holds_black]: "white"}
    return view | {"acts": gomoku.SEATS[acts]}


def _row(oracle: gomoku.Gomoku, sets: tuple[frozenset[str], ...], site: str) -> bool:
    holder = 0 if site in sets[0] else 1
    after = gomoku.State((sets[0], sets[1]), 0, holder, "main")
    return oracle._five(after, after, site)


def draw_oxono(game: Game, oracle: oxono.Oxono, chance: random.Random) -> View | None:
    """Both totems and any number of pawns, never more than a hand holds."""
    sites = sorted(oracle.grid.sites)
    chance.shuffle(sites)
    board = {sites[0]: "X", sites[1]: "O"}
    bag = [token for token in ("px", "po", "bx", "bo") for _ in range(8)]
    chance.shuffle(bag)
    board |= dict(zip(sites[2:], bag[: chance.randint(0, 32)], strict=False))
    acts = chance.choice(oxono.PLAYERS)
    hands = {
        f"{player} pawn {symbol}": 8 - sum(token == player[0] + symbol for token in board.values())
        for player in oxono.PLAYERS
        for symbol in "xo"
    }
    return {"board": board, "acts": acts, "phase": "main", "hands": hands, "last": None}


def draw_wugun(game: Game, oracle: wugun.Wugun, chance: random.Random) -> View | None:
    """Any phase: the last stones of the placing, a full board where the phase has one, any numbers while moving."""
    phase = chance.choice(["moving", "moving", "shutting in", "no first step", *game.rules.phases])
    if phase == "shutting in":
        return _shutting_in(oracle, chance)
    if phase == "no first step":
        return _no_first_step(oracle, chance) if oracle.north_east else None
    sites = sorted(wugun.GRID.sites)
    chance.shuffle(sites)
    hands, acts = (0, 0), chance.choice((0, 1))
    if phase == "placing":
        first = wugun.PLAYERS.index(oracle.reading["first-to-place"])
        placed = chance.choice((24, 24, 23, chance.randint(0, 22)))
        by = ((placed + 1 - first) // 2, (placed + first) // 2)
        hands = (wugun.HANDS[0] - by[0], wugun.HANDS[1] - by[1])
        acts = first if by[0] == by[1] else 1 - first
        if chance.random() < 0.8:
            by = (by[0] - chance.randint(0, by[0] // 2), by[1] - chance.randint(0, by[1] // 2))
    elif phase == "moving":
        by = (chance.randint(1, 13), chance.randint(1, 12))
    else:
        by = (13, 12) if phase != "removals 2" else (12, 12)
        fixed = game.rules.seat_of_phase[phase]
        acts = fixed if fixed is not None else wugun.BLACK if phase == "black takes" else wugun.WHITE
        if phase.endswith("takes") and chance.random() < 0.5:
            sites = _few_to_take(oracle, acts, chance)
    tokens = ["x"] * by[0] + ["o"] * by[1]
    if min(hands) < 0:
        return None
    board = dict(zip(sites, tokens, strict=False))
    told = {"black stone": hands[0], "white stone": hands[1]}
    view: View = {"board": board, "acts": wugun.PLAYERS[acts], "phase": phase, "hands": told, "last": None}
    if phase.endswith("takes") and not _takes(oracle, oracle.from_view(view), acts):
        return None
    if phase == "removals 1" and any(_takes(oracle, oracle.from_view(view), player) for player in (0, 1)):
        return None
    if "captured in placing" in game.start().values:
        view["captured in"] = {"placing": phase == "placing" and len(tokens) + sum(hands) < 25}
    return view


def _few_to_take(oracle: wugun.Wugun, acts: int, chance: random.Random) -> list[str]:
    """All sites, Black's thirteen first; for preference with more shapes of the actor than exposed stones of the other side."""
    shapes = sorted(oracle.shapes, key=sorted)
    for _ in range(40):
        chance.shuffle(shapes)
        sites = list(dict.fromkeys(site for shape in shapes for site in sorted(shape)))
        sites = sites if acts == wugun.WHITE else sites[::-1]
        own, other = (set(sites[13:]), set(sites[:13])) if acts == wugun.WHITE else (set(sites[:13]), set(sites[13:]))
        exposed = other.difference(*(shape for shape in shapes if shape <= other))
        if 0 < len(exposed) < sum(shape <= own for shape in shapes):
            break
    return sites


def _shutting_in(oracle: wugun.Wugun, chance: random.Random) -> View | None:
    """A few stones about to be shut in; for preference so that no removal helps."""
    views = [_about_to_shut_in(oracle, chance) for _ in range(40)]
    found = [view for view in views if view is not None]
    return next((view for view in found if _leaves_no_room(oracle.variant, view)), found[0] if found else None)


def _about_to_shut_in(oracle: wugun.Wugun, chance: random.Random) -> View | None:
    """Some stones or a square in a corner, and the other player about to shut them in with stones that stand in squares."""
    squares = [set(s) for s in sorted(oracle.shapes, key=sorted) if len(s) == 4 and oracle.shapes[s] == "square"]
    inside = chance.choice([square for square in squares if square & wugun.CORNERS])
    if chance.random() < 0.3:
        inside = {chance.choice(sorted(wugun.CORNERS))}
        for _ in range(chance.randint(2, 5)):
            inside.add(chance.choice(sorted(frozenset[str]().union(*(oracle.near[s] for s in inside)) - inside)))
    wall = frozenset[str]().union(*(oracle.near[s] for s in inside)) - inside
    around = set(wall)
    for site in sorted(wall):
        over = [square for square in squares if site in square and not square & inside]
        if over and chance.random() < 0.8:
            around |= chance.choice(over)
    moved = chance.choice(sorted(wall))
    free = sorted(oracle.near[moved] - inside - around)
    acts = chance.choice((0, 1))
    if not free or len(around) > wugun.HANDS[acts]:
        return None
    around = around - {moved} | {chance.choice(free)}
    board = dict.fromkeys(sorted(around), "xo"[acts]) | dict.fromkeys(sorted(inside), "xo"[1 - acts])
    hands = {"black stone": 0, "white stone": 0}
    return {"board": board, "acts": wugun.PLAYERS[acts], "phase": "moving", "hands": hands, "last": None}


def _no_first_step(oracle: wugun.Wugun, chance: random.Random) -> View | None:
    """A full or nearly full board, on which what the actor takes may leave White, who steps first, without a step.

    White takes, so that the one who has taken steps next; or Black removes a stone, so that the other one does.
    """
    acts = chance.choice((wugun.WHITE, wugun.BLACK))
    for _ in range(100):
        sites = sorted(wugun.GRID.sites)
        chance.shuffle(sites)
        site, free = sites[0], sites[1] if acts == wugun.BLACK else None
        walls = set(oracle.near[site]) | (oracle.near[free] if free else set())
        if free in oracle.near[site] or len(walls) > 11:
            continue
        tokens = {site: "x" if acts == wugun.WHITE else "o", **dict.fromkeys(sorted(walls), "x")}
        left = ["x"] * ((13 if free is None else 12) - list(tokens.values()).count("x"))
        left += ["o"] * (12 - list(tokens.values()).count("o"))
        chance.shuffle(left)
        board = tokens | dict(zip([s for s in sites if s not in tokens and s != free], left, strict=True))
        phase = "white takes" if acts == wugun.WHITE else "removals 2"
        hands = {"black stone": 0, "white stone": 0}
        view: View = {"board": board, "acts": wugun.PLAYERS[acts], "phase": phase, "hands": hands, "last": None}
        if acts == wugun.BLACK or _takes(oracle, oracle.from_view(view), wugun.WHITE):
            return view
    return None


@functools.cache
def _base_wugun(variant: str) -> wugun.Wugun:
    return wugun.Wugun(variant=variant, return_step="allowed")


def _leaves_no_room(variant: str, view: View) -> bool:
    """Whether a step of the base reading shuts the opponent in so that no removal helps."""
    oracle = _base_wugun(variant)
    return any(after.ended == ("no rule", "room.remove") for _, after in oracle.moves(oracle.from_view(view)))


def _takes(oracle: wugun.Wugun, state: wugun.State, player: int) -> bool:
    """Whether a player has a shape and something to take, so that the phase in which he takes can come."""
    return bool(oracle._standing(state, player) and oracle._exposed(state, 1 - player))


def draw_connect_four(game: Game, oracle: Any, chance: random.Random) -> View | None:
    """Discs in columns, in turn; no four stands."""
    board: dict[str, str] = {}
    heights = [0] * connect_four.FILES
    for n in range(chance.randint(0, connect_four.FILES * connect_four.RANKS - 1)):
        free = [x for x in range(connect_four.FILES) if heights[x] < connect_four.RANKS]
        x = chance.choice(free)
        board[connect_four.name((x, heights[x]))] = "xo"[n % 2]
        heights[x] += 1
    own = [frozenset(connect_four.NAMED[s] for s, t in board.items() if t == token) for token in "xo"]
    if any(connect_four.has_run(discs, 4) for discs in own):
        return None
    hands = {f"{connect_four.PLAYERS[p]} disc": connect_four.HAND - len(own[p]) for p in (0, 1)}
    return {"board": board, "acts": connect_four.PLAYERS[len(board) % 2], "phase": "main", "hands": hands}


def draw_breakthrough(game: Game, oracle: Any, chance: random.Random) -> View | None:
    """Any pawns, none of them on its far rank."""
    board = {}
    white, black = chance.randint(1, 16), chance.randint(1, 16)
    for file, rank in chance.sample(sorted(breakthrough.BOARD), white + black):
        token = "x" if white and (rank == 0 or (rank < 7 and chance.random() < 0.5)) else "o"
        if rank != breakthrough.FAR_RANK["xo".index(token)]:
            board[breakthrough.name((file, rank))] = token
    if len(set(board.values())) < 2:
        return None
    return {"board": board, "acts": chance.choice(breakthrough.PLAYERS), "phase": "main", "hands": {}}


def draw_morris(game: Game, oracle: Any, chance: random.Random) -> View | None:
    """Both phases; men may have been captured."""
    points = chance.sample(sorted(morris.POINTS), 24)
    placed = chance.choice((18, 18, chance.randint(0, 17)))
    by = ((placed + 1) // 2, placed // 2)
    hands = (morris.MEN - by[0], morris.MEN - by[1])
    phase, acts = ("moving", chance.choice((0, 1))) if placed == 18 else ("placing", placed % 2)
    men = [chance.randint(3 if placed == 18 else 0, by[p]) for p in (0, 1)]
    board = dict(zip(points, "x" * men[0] + "o" * men[1], strict=False))
    told = {f"{morris.PLAYERS[p]} man": hands[p] for p in (0, 1)}
    return {"board": board, "acts": morris.PLAYERS[acts], "phase": phase, "hands": told}


def draw_pente(game: Game, oracle: pente.Pente, chance: random.Random) -> View | None:
    """Stones without a row of five, and fewer than five pairs captured."""
    sites = sorted(oracle.board)
    own: tuple[frozenset[pente.Site], ...] = (frozenset(), frozenset())
    for n, site in enumerate(chance.sample(sites, chance.randint(0, len(sites) - 1))):
        stones = own[n % 2] | {site}
        if not pente.has_run(stones, 5):
            own = (stones, own[1]) if n % 2 == 0 else (own[0], stones)
    board = {pente.name(site): "xo"[p] for p in (0, 1) for site in own[p]}
    captured = {player: 2 * chance.randint(0, 4) for player in pente.PLAYERS}
    acts = chance.choice(pente.PLAYERS)
    return {"board": board, "acts": acts, "phase": "main", "hands": {}, "captured by": captured, "captured": captured}


def draw_teeko(game: Game, oracle: Any, chance: random.Random) -> View | None:
    """Both phases; no shape stands."""
    placed = chance.choice((8, 8, chance.randint(0, 7)))
    sites = chance.sample(sorted(teeko.BOARD), placed)
    men = [frozenset(sites[p::2]) for p in (0, 1)]
    if men[0] in teeko.SHAPES or men[1] in teeko.SHAPES:
        return None
    phase, acts = ("moving", chance.choice((0, 1))) if placed == 8 else ("placing", placed % 2)
    board = {teeko.name(site): "xo"[p] for p in (0, 1) for site in men[p]}
    hands = {f"{teeko.PLAYERS[p]} man": teeko.MEN - len(men[p]) for p in (0, 1)}
    return {"board": board, "acts": teeko.PLAYERS[acts], "phase": phase, "hands": hands}


def draw_yavalath(game: Game, oracle: yavalath.Yavalath, chance: random.Random) -> View | None:
    """Stones in turn, none of which makes a row of three."""
    own: tuple[frozenset[yavalath.Site], ...] = (frozenset(), frozenset())
    sites = sorted(oracle.board)
    chance.shuffle(sites)
    stones, acts = chance.randint(0, len(sites) - 1), 0
    for site in sites:
        for player in (acts, 1 - acts):
            with_it = own[player] | {site}
            if max(yavalath.run_lengths(with_it)) < 3:
                own = (with_it, own[1]) if player == 0 else (own[0], with_it)
                acts = 1 - player
                break
        if len(own[0]) + len(own[1]) >= stones:
            break
    board = {yavalath.name(site): "xo"[p] for p in (0, 1) for site in own[p]}
    return {"board": board, "acts": yavalath.PLAYERS[acts], "phase": "main", "hands": {}}


# States without an oracle


def arbitrary_state(rules: Rules, chance: random.Random) -> State:
    """Any state that the variables can hold: pieces on different sites, the rest within its range."""
    sites = list(range(rules.board.size))
    chance.shuffle(sites)
    values: dict[str, Any] = {}
    share = chance.random()
    seat = chance.choice((0, 1))
    for v in rules.variables:
        if v.sort is Sort.NUMBER:
            values[v.name] = chance.choice((0, chance.randint(v.low, v.high)))
        elif v.sort is Sort.FLAG:
            values[v.name] = chance.random() < 0.5
        elif v.name != "last":
            most = 1 if v.name in rules.words.singles else round(share * rules.board.size / 2)
            picked = [sites.pop() for _ in range(min(most, len(sites)))]
            values[v.name] = rules.board.mask(picked)
    for flag, holds in [("first", seat == 0), *((c, chance.random() < 0.5) for c in rules.words.colours[:1])]:
        pair = {f"mine.{flag}": holds, f"theirs.{flag}": not holds}
        values |= {name: value for name, value in pair.items() if name in values}
    if any(v.name == "last" for v in rules.variables):
        pieces = [v.name for v in rules.variables if v.sort is Sort.SITES and v.name != "last"]
        occupied = [s for name in pieces for s in members(values[name])]
        values["last"] = 1 << chance.choice(occupied) if occupied and chance.random() < 0.9 else 0
    phase = chance.choice(list(rules.phases))
    return State(tuple(values[v.name] for v in rules.variables), phase, seat)


def reached_state(engine: Everyday, chance: random.Random) -> State:
    """A state of a random game, in which it still goes on."""
    state, dice = engine.start(), Dice(chance.getrandbits(64))
    for _ in range(chance.randint(0, 40)):
        move = random_move(engine, state, dice)
        after = None if move is None else engine.play(state, move)
        if after is None or after.outcome is not None:
            break
        state = after.state
    return state
