"""Two readings played side by side in machine code, on one shared game, up to the first place where they part.

The loop is the same for all games and compiled once a process; it calls the compiled steps of the two readings (`walk`). Reading A
chooses the moves: at random, by what they touch, or by how little they leave, drawn from the same dice and in the same order as the
search in Python draws them, so that a seed names the same game there. Once a parting is known, later games are played only as far
as would make an earlier one. What the loop finds is believed when the search has played that game again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lawstone.engine.kernel.layout import WORD
from lawstone.engine.kernel.loops import address, loop
from lawstone.engine.kernel.walk import ROWS, Walk

FIELDS = (
    "games", "seed", "longest", "limit", "best", "found", "played", "plies", "deepest", "full", "options_a", "options_b", "pick",
    "play_a", "play_b", "rows_a", "rows_b", "picks", "other_picks", "start_a", "start_b", "a", "b", "after_a", "after_b", "size_a",
    "size_b", "row", "words", "ends_a", "ends_b", "alike", "phases_b", "shared", "shares", "own", "owns", "around", "dice", "most",
    "pick_words", "stuck",
)  # fmt: skip
"""What the loop is told and what it tells, a word each."""
STUCK = "stuck"
_OTHER = 1 << 32


@dataclass(frozen=True)
class Played:
    """What many games came to: how many were played, with how many plies in all and in the longest; the game with the earliest
    parting (its number, None: none parted) and after how many plies it parts; games given up for too many options."""

    games: int
    plies: int
    longest: int
    first: int | None
    at: int
    full: int


class Lockstep:
    """Two readings on boards of the same form. `alike` says of two phases (by number) whether their turns pick the same things in
    the same order; `shared` are the variables compared, by number in A and in B; `own` are those of A that moves may touch, and
    `around` the neighbours of each site."""

    def __init__(
        self,
        a: Walk,
        b: Walk,
        alike: Sequence[Sequence[bool]],
        shared: Sequence[tuple[int, int]],
        own: Sequence[int],
        around: Sequence[int],
    ) -> None:
        self.walks = a, b
        words = a.layout.words
        self._meanings = meanings = {m: i + 1 for i, m in enumerate(dict.fromkeys([*a.meanings, *b.meanings]))}
        sizes = [words if v.sort.name == "SITES" else 1 for v in a.rules.variables]
        pairs = [(a.offsets[i] + w, b.offsets[j] + w) for i, j in shared for w in range(sizes[i])]
        by_bit = [0] * (words * WORD * words)
        for site, bit in enumerate(a.layout.place):
            laid = a.layout.laid(around[site])
            for w in range(words):
                by_bit[bit * words + w] = laid >> WORD * w & (1 << WORD) - 1
        room = {
            "rows_a": a.row * ROWS, "rows_b": b.row * ROWS, "picks": a.picks, "other_picks": a.picks, "start_a": a.size,
            "start_b": b.size, "a": a.size, "b": b.size, "after_a": a.size, "after_b": b.size, "dice": 1,
        }  # fmt: skip
        listed = {
            "ends_a": [0, *(meanings[m] for m in a.meanings)], "ends_b": [0, *(meanings[m] for m in b.meanings)],
            "alike": [int(x) for row in alike for x in row], "shared": [x for pair in pairs for x in pair],
            "own": [a.offsets[i] for i in own], "around": by_bit,
        }  # fmt: skip
        self._arrays: dict[str, Any] = {n: (ctypes.c_uint64 * size)() for n, size in room.items()}
        self._arrays |= {n: (ctypes.c_uint64 * max(1, len(v)))(*v) for n, v in listed.items()}
        steps = {"options_a": a.options, "options_b": b.options, "pick": a.pick, "play_a": a.play, "play_b": b.play}
        self._told = {n: ctypes.addressof(v) for n, v in self._arrays.items()} | {n: address(f) for n, f in steps.items()}
        self._told |= {
            "size_a": a.size, "size_b": b.size, "row": a.row, "words": words, "phases_b": len(b.phases), "shares": len(pairs),
            "owns": len(own), "most": ROWS, "pick_words": a.picks,
        }  # fmt: skip
        self._loop = loop(TEXT, FIELDS, "lockstep")

    @staticmethod
    def fits(a: Walk, b: Walk) -> bool:
        """Whether the rows of both can be compared as they are."""
        return a.row == b.row and a.layout == b.layout

    def run(self, games: int, seed: int, longest: int, limit: int, wanted: str | None = None) -> Played:
        """Play games from the seeds `seed`, `seed + 1`, ...; the n-th (from 0) chooses by way n % 3. Stops after `games` games, or
        once more than `limit` plies are played.

        With `wanted`, a reading beside itself, the games looked for are those that end where the rules say nothing: `stuck` where
        nobody can move, or short of the pick that has the rule `wanted`.
        """
        for i, meaning in enumerate(self.walks[1].meanings):
            self._arrays["ends_b"][i + 1] = self._meanings[meaning] + (_OTHER if meaning == ("no rule", "", wanted) else 0)
        for name, walk in zip(("start_a", "start_b"), self.walks, strict=True):
            self._arrays[name][:] = walk.pack(_start(walk))
        told = self._told | {
            "games": games, "seed": seed & (1 << WORD) - 1, "longest": longest, "limit": limit, "found": (1 << WORD) - 1,
            "best": longest + 1, "stuck": int(wanted == STUCK),
        }  # fmt: skip
        card = (ctypes.c_uint64 * len(FIELDS))(*(told.get(name, 0) for name in FIELDS))
        self._loop(ctypes.addressof(card))
        found = dict(zip(FIELDS, card, strict=True))
        first = None if found["found"] >> 63 else found["found"]
        return Played(found["played"], found["plies"], found["deepest"], first, found["best"], found["full"])


def _start(walk: Walk) -> Any:
    from lawstone.engine.state import start_state

    return start_state(walk.rules)


# -- the loop ---------------------------------------------------------------------------------------------------------------------

TEXT = '''
def choose(k_d, k_n):
    """Draw one of the moves of reading A; the address of its option. Its picks are made."""
    k_total = 0
    k_i = 0
    k_rows = at(k_d, rows_a)
    k_row = 8 * at(k_d, row)
    while k_i < k_n:
        k_total += at(k_rows + k_i * k_row, 0)
        k_i += 1
    k_drawn = below(at(k_d, dice), k_total)
    while k_drawn >= at(k_rows, 0):
        k_drawn -= at(k_rows, 0)
        k_rows += k_row
    pick(at(k_d, pick), k_rows, k_drawn, at(k_d, picks))
    return k_rows


def touching(k_d, k_option):
    """How many own pieces a move's last two single sites touch, the better of the two."""
    k_made = at(k_option, 4)
    if at(k_option, 2) >= 0:
        k_made += 1
    k_i = max(0, k_made - 2)
    k_most = 0
    k_words = at(k_d, words)
    while k_i < k_made:
        k_size = 0
        k_bit = 0
        k_w = 0
        while k_w < k_words:
            k_word = at(at(k_d, picks), k_i * k_words + k_w)
            k_size += ones(k_word)
            if k_word != 0:
                k_bit = k_w * 64 + lowest(k_word)
            k_w += 1
        if k_size == 1:
            k_sum = 0
            k_w = 0
            while k_w < k_words:
                k_mine = 0
                k_v = 0
                while k_v < at(k_d, owns):
                    k_mine = k_mine | at(at(k_d, a), at(at(k_d, own), k_v) + k_w)
                    k_v += 1
                k_sum += ones(k_mine & at(at(k_d, around), k_bit * k_words + k_w))
                k_w += 1
            k_most = max(k_most, k_sum)
        k_i += 1
    return k_most


def left(k_d, k_option):
    """How many moves a move leaves to whoever acts next."""
    if play(at(k_d, play_a), at(k_d, a), k_option, at(k_d, picks), at(k_d, after_a)) >= 0:
        return 1000000
    k_n = options(at(k_d, options_a), at(k_d, after_a), at(k_d, rows_b), at(k_d, most))
    k_total = 0
    k_i = 0
    while k_i < k_n:
        k_total += at(at(k_d, rows_b) + 8 * k_i * at(k_d, row), 0)
        k_i += 1
    return k_total


def guided(k_d, k_n, k_way):
    """Choose a move by one of three ways; its option."""
    if k_way == 0:
        return choose(k_d, k_n)
    k_tries = 5 if k_way == 1 else 4
    k_value = -1
    k_chosen = 0
    while k_tries > 0:
        k_option = choose(k_d, k_n)
        k_here = touching(k_d, k_option) if k_way == 1 else 0
        if k_way == 2:
            k_here = 2000000000 - left(k_d, k_option)
        if k_here > k_value:
            k_value = k_here
            k_chosen = k_option
            copy(at(k_d, other_picks), at(k_d, picks), at(k_d, pick_words))
        k_tries -= 1
    copy(at(k_d, picks), at(k_d, other_picks), at(k_d, pick_words))
    return k_chosen


def apart(k_d):
    """Whether the positions after a move differ."""
    if at(at(k_d, after_a), at(k_d, size_a) - 1) != at(at(k_d, after_b), at(k_d, size_b) - 1):
        return 1
    k_i = 0
    while k_i < at(k_d, shares):
        k_x = at(at(k_d, shared), 2 * k_i)
        k_y = at(at(k_d, shared), 2 * k_i + 1)
        if at(at(k_d, after_a), k_x) != at(at(k_d, after_b), k_y):
            return 1
        k_i += 1
    return 0


def game(k_d, k_number):
    """Play one game; after how many plies it parts, or -1."""
    put(at(k_d, dice), 0, at(k_d, seed) + k_number)
    copy(at(k_d, a), at(k_d, start_a), at(k_d, size_a))
    copy(at(k_d, b), at(k_d, start_b), at(k_d, size_b))
    k_way = rest(k_number, 3)
    k_ply = 0
    k_until = min(at(k_d, best), at(k_d, longest))
    while k_ply < k_until:
        k_m = options(at(k_d, options_a), at(k_d, a), at(k_d, rows_a), at(k_d, most))
        k_n = options(at(k_d, options_b), at(k_d, b), at(k_d, rows_b), at(k_d, most))
        if k_m < 0:
            put(k_d, full, at(k_d, full) + 1)
            return -1
        if k_n < 0:
            put(k_d, full, at(k_d, full) + 1)
            return -1
        k_pair = at(at(k_d, a), at(k_d, size_a) - 2) * at(k_d, phases_b) + at(at(k_d, b), at(k_d, size_b) - 2)
        if at(at(k_d, alike), k_pair) == 0:
            return k_ply
        if k_m != k_n:
            return k_ply
        if same(at(k_d, rows_a), at(k_d, rows_b), k_m * at(k_d, row)) == 0:
            return k_ply
        if k_m == 0:
            return k_ply if at(k_d, stuck) != 0 else -1
        k_option = guided(k_d, k_m, k_way)
        k_x = play(at(k_d, play_a), at(k_d, a), k_option, at(k_d, picks), at(k_d, after_a))
        k_y = play(at(k_d, play_b), at(k_d, b), k_option, at(k_d, picks), at(k_d, after_b))
        k_ply += 1
        put(k_d, plies, at(k_d, plies) + 1)
        put(k_d, deepest, max(at(k_d, deepest), k_ply))
        if at(at(k_d, ends_a), k_x + 1) != at(at(k_d, ends_b), k_y + 1):
            return k_ply
        if k_x >= 0:
            return -1
        if apart(k_d) != 0:
            return k_ply
        copy(at(k_d, a), at(k_d, after_a), at(k_d, size_a))
        copy(at(k_d, b), at(k_d, after_b), at(k_d, size_b))
    return -1


def lockstep(k_d):
    """Play games until there are enough."""
    k_number = 0
    while (k_number < at(k_d, games)) and (at(k_d, plies) < at(k_d, limit)):
        k_at = game(k_d, k_number)
        if k_at >= 0:
            if k_at < at(k_d, best):
                put(k_d, best, k_at)
                put(k_d, found, k_number)
        k_number += 1
    put(k_d, played, k_number)
    return 0
'''
"""The loop (`loops` says how it is read)."""
