"""How often each rule takes part in random games: the turn that is played, the picks that are made in it, and the ending."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass

from lawstone.engine.everyday import Everyday
from lawstone.engine.kernel.loops import address, loop
from lawstone.engine.kernel.run import COMPILED, EMITTED
from lawstone.engine.kernel.walk import ROWS, Walk
from lawstone.engine.playout import Dice, random_move
from lawstone.engine.state import State
from lawstone.lower import Rules

FIELDS = (
    "games", "seed", "longest", "dice", "start", "state", "after", "size", "rows", "row", "most", "picks", "words", "options",
    "pick", "play", "counts", "bases", "width", "ends",
)  # fmt: skip
GAMES, FEW = 10_000, 500
"""Games that are looked over, compiled and by the emitted Python."""

TEXT = '''
def choose(k_d, k_n):
    """Draw one of the moves; the address of its option. Its picks are made."""
    k_total = 0
    k_i = 0
    k_rows = at(k_d, rows)
    while k_i < k_n:
        k_total += at(k_rows + 8 * k_i * at(k_d, row), 0)
        k_i += 1
    k_drawn = below(at(k_d, dice), k_total)
    while k_drawn >= at(k_rows, 0):
        k_drawn -= at(k_rows, 0)
        k_rows += 8 * at(k_d, row)
    pick(at(k_d, pick), k_rows, k_drawn, at(k_d, picks))
    return k_rows


def count(k_d, k_option):
    """Count a move: its turn, and each pick that holds a site."""
    k_cell = at(at(k_d, bases), at(at(k_d, state), at(k_d, size) - 2)) + at(k_option, 1) * at(k_d, width)
    k_cell = at(k_d, counts) + 8 * k_cell
    put(k_cell, 0, at(k_cell, 0) + 1)
    k_i = 0
    k_made = at(k_option, 4)
    if at(k_option, 2) >= 0:
        k_made += 1
    while k_i < k_made:
        k_w = 0
        k_any = 0
        while k_w < at(k_d, words):
            k_any = k_any | at(at(k_d, picks), k_i * at(k_d, words) + k_w)
            k_w += 1
        if k_any != 0:
            put(k_cell, 1 + k_i, at(k_cell, 1 + k_i) + 1)
        k_i += 1
    return 0


def tally(k_d):
    """Play games and count what is played in them."""
    k_game = 0
    while k_game < at(k_d, games):
        put(at(k_d, dice), 0, at(k_d, seed) + k_game)
        copy(at(k_d, state), at(k_d, start), at(k_d, size))
        k_ply = 0
        k_until = at(k_d, longest)
        while k_ply < k_until:
            k_n = options(at(k_d, options), at(k_d, state), at(k_d, rows), at(k_d, most))
            if k_n < 0:
                return -1
            if k_n == 0:
                k_until = 0
            else:
                k_option = choose(k_d, k_n)
                count(k_d, k_option)
                k_x = play(at(k_d, play), at(k_d, state), k_option, at(k_d, picks), at(k_d, after))
                copy(at(k_d, state), at(k_d, after), at(k_d, size))
                k_ply += 1
                if k_x >= 0:
                    put(at(k_d, ends), k_x, at(at(k_d, ends), k_x) + 1)
                    k_until = 0
        k_game += 1
    return 0
'''


@dataclass(frozen=True)
class Fired:
    """In how many moves each rule took part, and how many games it ended, over so many games; what played them."""

    games: int
    moves: Counter[str]
    ends: Counter[str]
    backend: str


def fired(
    rules: Rules, everyday: Everyday, walk: Walk | str, games: int, seed: int, longest: int, start: State | None = None
) -> Fired:  # fmt: skip
    """Look over the first games of a run of random games, GAMES of them at most (FEW where they are not compiled)."""
    first = start or everyday.start()
    if isinstance(walk, Walk):
        found = _compiled(walk, min(games, GAMES), seed, longest, first)
        if found is not None:
            return found
    n = min(games, FEW)
    moves: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for i in range(n):
        dice, state = Dice(seed + i), first
        for _ in range(longest):
            move = random_move(everyday, state, dice)
            if move is None:
                break
            turn = rules.phases[state.phase].turns[move.turn]
            moves.update({turn.rule, *(c.rule for c, mask in zip(turn.choices, move.sites, strict=False) if mask)})
            state, outcome = everyday.play(state, move)
            if outcome is not None:
                ends[outcome.rule if outcome.kind != "no rule" else f"no rule: {outcome.rule}"] += 1
                break
    return Fired(n, moves, ends, EMITTED)


def _compiled(walk: Walk, games: int, seed: int, longest: int, start: State) -> Fired | None:
    phases = list(walk.rules.phases.values())
    width = 1 + max(len(t.choices) for p in phases for t in p.turns)
    bases = [sum(len(p.turns) for p in phases[:i]) * width for i in range(len(phases))]
    space = {
        "dice": 1, "state": walk.size, "after": walk.size, "rows": walk.row * ROWS, "picks": walk.picks,
        "counts": width * sum(len(p.turns) for p in phases), "ends": len(walk.meanings),
    }  # fmt: skip
    arrays = {n: (ctypes.c_uint64 * size)() for n, size in space.items()}
    listed = {"start": walk.pack(start), "bases": bases}
    arrays |= {n: (ctypes.c_uint64 * len(v))(*v) for n, v in listed.items()}
    told = {n: ctypes.addressof(v) for n, v in arrays.items()} | {
        "games": games, "seed": seed & (1 << 64) - 1, "longest": longest, "size": walk.size, "row": walk.row, "most": ROWS,
        "words": walk.layout.words, "width": width, "options": address(walk.options), "pick": address(walk.pick),
        "play": address(walk.play),
    }  # fmt: skip
    card = (ctypes.c_uint64 * len(FIELDS))(*(told[name] for name in FIELDS))
    if loop(TEXT, FIELDS, "tally")(ctypes.addressof(card)) < 0:
        return None
    moves: Counter[str] = Counter()
    for phase, base in zip(phases, bases, strict=True):
        for t, turn in enumerate(phase.turns):
            row = arrays["counts"][base + t * width : base + (t + 1) * width]
            by_rule: dict[str, int] = {turn.rule: row[0]}
            for c, n in zip(turn.choices, row[1:], strict=False):
                by_rule[c.rule] = max(by_rule.get(c.rule, 0), n)
            moves.update({rule: n for rule, n in by_rule.items() if n})
    ends: Counter[str] = Counter()
    for (kind, _, rule), n in zip(walk.meanings, arrays["ends"], strict=True):
        if n:
            ends[f"no rule: {rule}" if kind == "no rule" else rule] += n
    return Fired(games, moves, ends, COMPILED)
