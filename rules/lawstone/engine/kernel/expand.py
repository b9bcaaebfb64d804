"""Many positions at once in machine code: all that their moves lead to, each as the least of its images; and best play.

A position is a row of words (`walk`); two words follow it where it has been reached: how the game ended there (0: it goes on), and
how many symmetries leave the position as it is.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lawstone.core import Sort
from lawstone.engine.kernel.layout import WORD
from lawstone.engine.kernel.loops import address, loop
from lawstone.engine.kernel.walk import ROWS, Walk
from lawstone.engine.symmetry import Carry

FIELDS = (
    "states", "given", "done", "made", "room", "out", "moves", "stuck", "stuck_all", "full", "least", "most", "options", "pick",
    "play", "rows", "row", "picks", "size", "words", "carries", "group", "variables", "bytes", "image", "ends", "sets", "sets_at",
    "best", "limit", "nodes", "arena", "frame", "deepest", "table", "mask", "scores", "branches", "reason",
)  # fmt: skip
"""What the loops are told and what they tell, a word each."""
TAIL = 2
BRANCHES = 2_000
"""Moves that a position may have where best play is looked for."""
DEEPEST = 400
CYCLE, MANY, LARGE = 1, 2, 3
"""Why best play was not found: play may come back, a position has too many moves, too many positions."""

COMMON = '''
def compare(k_a, k_b, k_n):
    """0 where so many words are the same, 1 where the first are less, else 2."""
    k_i = 0
    while k_i < k_n:
        k_x = at(k_a, k_i)
        k_y = at(k_b, k_i)
        if k_x != k_y:
            return 1 if under(k_x, k_y) != 0 else 2
        k_i += 1
    return 0


def carried(k_d, k_c, k_from):
    """The image of a position under a symmetry."""
    k_v = 0
    k_n = at(k_d, variables)
    k_words = at(k_d, words)
    k_to = at(k_d, image)
    while k_v < k_n:
        k_rule = at(k_d, carries) + 24 * (k_c * k_n + k_v)
        k_here = k_to + 8 * at(k_rule, 1)
        if at(k_rule, 2) == 0:
            put(k_here, 0, at(k_from, at(k_rule, 0)))
        else:
            k_w = 0
            while k_w < k_words:
                put(k_here, k_w, 0)
                k_w += 1
            k_w = 0
            while k_w < k_words:
                k_left = at(k_from, at(k_rule, 0) + k_w)
                k_byte = 8 * k_w
                while k_left != 0:
                    k_part = at(k_d, bytes) + 8 * k_words * ((k_c * 8 * k_words + k_byte) * 256 + (k_left & 255))
                    k_x = 0
                    while k_x < k_words:
                        put(k_here, k_x, at(k_here, k_x) | at(k_part, k_x))
                        k_x += 1
                    k_left = high(k_left, 8)
                    k_byte += 1
                k_w += 1
        k_v += 1
    k_size = at(k_d, size)
    put(k_to, k_size - 2, at(k_from, k_size - 2))
    put(k_to, k_size - 1, at(k_from, k_size - 1))
    return 0


def canonical(k_d, k_at):
    """Put the least image of a position in its place; how many symmetries leave it as it is."""
    k_size = at(k_d, size)
    k_least = at(k_d, best)
    copy(k_least, k_at, k_size)
    k_hits = 1
    k_c = 1
    while k_c < at(k_d, group):
        carried(k_d, k_c, k_at)
        k_found = compare(at(k_d, image), k_least, k_size)
        if k_found == 0:
            k_hits += 1
        if k_found == 1:
            k_hits = 1
            copy(k_least, at(k_d, image), k_size)
        k_c += 1
    copy(k_at, k_least, k_size)
    return k_hits


def pieces(k_d, k_at):
    """The sizes of all sets of a position together."""
    k_i = 0
    k_sum = 0
    while k_i < at(k_d, sets):
        k_sum += ones(at(k_at, at(at(k_d, sets_at), k_i)))
        k_i += 1
    return k_sum


def total(k_d, k_rows, k_n):
    """How many moves there are."""
    k_i = 0
    k_sum = 0
    while k_i < k_n:
        k_sum += at(k_rows + 8 * k_i * at(k_d, row), 0)
        k_i += 1
    return k_sum
'''

EXPAND = (
    COMMON
    + '''

def moved(k_d, k_at, k_n):
    """What each move of a position leads to; how many moves."""
    k_size = at(k_d, size)
    k_option = at(k_d, rows)
    k_i = 0
    k_count = 0
    while k_i < k_n:
        k_left = at(k_option, 0)
        k_k = 0
        while k_k < k_left:
            pick(at(k_d, pick), k_option, k_k, at(k_d, picks))
            k_cell = at(k_d, out) + 8 * (k_size + 2) * (at(k_d, made) + k_count)
            copy(k_cell, k_at, k_size)
            k_x = play(at(k_d, play), k_at, k_option, at(k_d, picks), k_cell)
            put(k_cell, k_size, at(at(k_d, ends), k_x + 1))
            put(k_cell, k_size + 1, canonical(k_d, k_cell))
            k_sum = pieces(k_d, k_cell)
            put(k_d, least, min(at(k_d, least), k_sum))
            put(k_d, most, max(at(k_d, most), k_sum))
            k_count += 1
            k_k += 1
        k_option += 8 * at(k_d, row)
        k_i += 1
    return k_count


def expand(k_d):
    """What the moves of as many positions as there is room for lead to."""
    k_i = at(k_d, done)
    while k_i < at(k_d, given):
        k_at = at(k_d, states) + 8 * k_i * at(k_d, size)
        k_n = options(at(k_d, options), k_at, at(k_d, rows), 16384)
        if k_n < 0:
            put(k_d, full, 1)
            return 0
        if k_n == 0:
            put(k_d, stuck, at(k_d, stuck) + 1)
            copy(at(k_d, out) + 8 * (at(k_d, size) + 2) * at(k_d, made), k_at, at(k_d, size))
            k_hits = canonical(k_d, at(k_d, out) + 8 * (at(k_d, size) + 2) * at(k_d, made))
            put(k_d, stuck_all, at(k_d, stuck_all) + whole(at(k_d, group), k_hits))
        k_all = total(k_d, at(k_d, rows), k_n)
        if at(k_d, made) + k_all >= at(k_d, room):
            if at(k_d, made) == 0:
                put(k_d, full, 1)
            return 0
        put(k_d, made, at(k_d, made) + moved(k_d, k_at, k_n))
        put(k_d, moves, at(k_d, moves) + k_all)
        k_i += 1
        put(k_d, done, k_i)
    return 0
'''
)

BEST = (
    COMMON
    + '''

def slot(k_d, k_at):
    """Where a position stands in the table, or may be put."""
    k_size = at(k_d, size)
    k_hash = 88172645463325252
    k_i = 0
    while k_i < k_size:
        k_hash = (k_hash ^ at(k_at, k_i)) * 6364136223846793005
        k_hash = k_hash ^ high(k_hash, 29)
        k_i += 1
    k_tries = 0
    k_cell = 0
    while k_tries < 8:
        k_cell = at(k_d, table) + 8 * (k_size + 1) * ((k_hash + k_tries) & at(k_d, mask))
        if at(k_cell, k_size) == 0:
            return k_cell
        if same(k_cell, k_at, k_size) != 0:
            return k_cell
        k_tries += 1
    return k_cell


def score(k_d, k_code, k_of):
    """What an end is worth for the player who moved."""
    return at(at(k_d, scores), k_code + k_of)


def value(k_d, k_at, k_depth):
    """3 win, 2 draw, 1 no rule, 0 loss for the player who acts; -1 where it was not found. The position becomes its least image."""
    k_size = at(k_d, size)
    k_place = slot(k_d, k_at)
    if at(k_place, k_size) != 0:
        if same(k_place, k_at, k_size) != 0:
            return at(k_place, k_size) - 1
    put(k_d, nodes, at(k_d, nodes) + 1)
    if at(k_d, nodes) > at(k_d, limit):
        put(k_d, reason, 3)
        return -1
    if k_depth >= at(k_d, deepest):
        put(k_d, reason, 1)
        return -1
    k_frame = at(k_d, arena) + 8 * k_depth * at(k_d, frame)
    k_n = options(at(k_d, options), k_at, at(k_d, rows), 16384)
    if k_n < 0:
        put(k_d, reason, 2)
        return -1
    if total(k_d, at(k_d, rows), k_n) > at(k_d, branches):
        put(k_d, reason, 2)
        return -1
    k_pieces = pieces(k_d, k_at)
    k_count = 0
    k_found = -1
    k_option = at(k_d, rows)
    k_i = 0
    k_stride = 8 * (k_size + 2)
    while k_i < k_n:
        k_k = 0
        k_left = at(k_option, 0)
        if k_found == 3:
            k_left = 0
        while k_k < k_left:
            k_cell = k_frame + k_stride * k_count
            pick(at(k_d, pick), k_option, k_k, at(k_d, picks))
            k_x = play(at(k_d, play), k_at, k_option, at(k_d, picks), k_cell)
            if k_x >= 0:
                k_found = max(k_found, score(k_d, k_x, 1))
            else:
                if pieces(k_d, k_cell) <= k_pieces:
                    put(k_d, reason, 1)
                    return -1
                canonical(k_d, k_cell)
                k_where = slot(k_d, k_cell)
                k_turned = 1 if at(k_cell, k_size - 1) != at(k_at, k_size - 1) else 0
                k_known = 0
                if at(k_where, k_size) != 0:
                    if same(k_where, k_cell, k_size) != 0:
                        k_known = at(k_where, k_size)
                if k_known != 0:
                    k_found = max(k_found, turned(k_known - 1, k_turned))
                else:
                    put(k_cell, k_size, k_turned)
                    k_count += 1
            k_k += 1
        k_option += 8 * at(k_d, row)
        k_i += 1
    if k_found < 3:
        k_i = 0
        while k_i < k_count:
            k_cell = k_frame + k_stride * k_i
            k_m = options(at(k_d, options), k_cell, at(k_d, rows), 16384)
            put(k_cell, k_size + 1, total(k_d, at(k_d, rows), k_m) if k_m >= 0 else 1000000)
            k_i += 1
    k_left = k_count
    while k_left > 0:
        if k_found == 3:
            k_left = 0
        else:
            k_i = 0
            k_few = 2000000
            k_next = k_frame
            while k_i < k_count:
                k_cell = k_frame + k_stride * k_i
                if at(k_cell, k_size + 1) < k_few:
                    k_few = at(k_cell, k_size + 1)
                    k_next = k_cell
                k_i += 1
            put(k_next, k_size + 1, 3000000)
            k_below = value(k_d, k_next, k_depth + 1)
            if k_below < 0:
                return -1
            k_found = max(k_found, turned(k_below, at(k_next, k_size)))
            k_left -= 1
    if k_found < 0:
        k_found = 1
    k_place = slot(k_d, k_at)
    copy(k_place, k_at, k_size)
    put(k_place, k_size, k_found + 1)
    return k_found


def turned(k_value, k_other):
    """A value as the other player sees it, where that is asked for."""
    if k_other == 0:
        return k_value
    return 3 if k_value == 0 else (0 if k_value == 3 else k_value)


def solve(k_d):
    """The value of one position."""
    canonical(k_d, at(k_d, states))
    return value(k_d, at(k_d, states), 0)
'''
)


@dataclass
class Expanded:
    """What the moves of some positions lead to: rows, how many moves, the positions without any (and with all their images), and
    the least and most pieces in a row."""

    rows: list[bytes]
    moves: int = 0
    stuck: int = 0
    stuck_all: int = 0
    least: int = 1 << 30
    most: int = 0


class TooMuch(RuntimeError):
    """More moves in one position than there is room for."""


class Expander:
    """The compiled moves of a game from many positions, under symmetries of its rules, the identity first."""

    def __init__(self, walk: Walk, carries: Sequence[Carry], meanings: Sequence[int], room: int = 1 << 17) -> None:
        self.walk, self.carries, self.room = walk, carries, room
        self.stride = walk.size + TAIL
        variables = walk.rules.variables
        words = walk.layout.words
        rules: list[int] = []
        for carry in carries:
            for at, (source, is_set) in zip(walk.offsets, carry.sources, strict=True):
                rules += [walk.offsets[source], at, int(is_set)]
        sets = [at + i for v, at in zip(variables, walk.offsets, strict=True) if v.sort is Sort.SITES for i in range(words)]
        listed = {"carries": rules, "bytes": self._tables(), "ends": [0, *meanings], "sets_at": sets}
        space = {
            "out": self.stride * room, "rows": walk.row * ROWS, "picks": walk.picks, "image": walk.size, "best": walk.size,
        }  # fmt: skip
        self.arrays: dict[str, Any] = {n: (ctypes.c_uint64 * len(v))(*v) for n, v in listed.items()}
        self.arrays |= {n: (ctypes.c_uint64 * size)() for n, size in space.items()}
        self.told = {n: ctypes.addressof(v) for n, v in self.arrays.items()} | {
            "options": address(walk.options), "pick": address(walk.pick), "play": address(walk.play), "row": walk.row,
            "size": walk.size, "words": words, "group": len(carries), "variables": len(variables), "sets": len(sets),
            "room": room,
        }  # fmt: skip
        self._loop = loop(EXPAND, FIELDS, "expand")

    def _tables(self) -> list[int]:
        """For each symmetry the image of each byte of a set, as it is laid out."""
        words, place = self.walk.layout.words, self.walk.layout.place
        site_at = {b: s for s, b in enumerate(place)}
        found: list[int] = []
        full = (1 << WORD) - 1
        for carry in self.carries:
            for first in range(0, words * WORD, 8):
                images = [1 << place[carry.board.sites[site_at[b]]] if b in site_at else 0 for b in range(first, first + 8)]
                whole = [0] * 256
                for byte in range(1, 256):
                    low = byte & -byte
                    whole[byte] = whole[byte ^ low] | images[low.bit_length() - 1]
                for image in whole:
                    found += [image >> WORD * w & full for w in range(words)]
        return found

    def expand(self, states: Sequence[bytes]) -> Expanded:
        """What all moves of the positions lead to; raises TooMuch."""
        joined = b"".join(states)
        given = ctypes.create_string_buffer(joined, len(joined))
        told = self.told | {"states": ctypes.addressof(given), "given": len(states), "least": 1 << 30}
        card = (ctypes.c_uint64 * len(FIELDS))(*(told.get(name, 0) for name in FIELDS))
        found, step = Expanded([]), self.stride * 8
        field = {name: i for i, name in enumerate(FIELDS)}
        while card[field["done"]] < len(states):
            card[field["made"]] = 0
            self._loop(ctypes.addressof(card))
            if card[field["full"]]:
                raise TooMuch("a position has more moves than there is room for")
            raw = ctypes.string_at(self.arrays["out"], card[field["made"]] * step)
            found.rows += [raw[i : i + step] for i in range(0, len(raw), step)]
        found.moves, found.stuck, found.stuck_all, found.least, found.most = (
            card[field[n]] for n in ("moves", "stuck", "stuck_all", "least", "most")
        )
        return found


class Unsolved(RuntimeError):
    """Best play was not found; the text says why."""


class OutOfPositions(RuntimeError):
    """As many positions as were allowed have been looked at."""


class Solver(Expander):
    """Best play from a position, remembered between questions in a table of bounded size."""

    def __init__(self, walk: Walk, carries: Sequence[Carry], memory: int) -> None:
        super().__init__(walk, carries, [0] * len(walk.meanings), 1)
        entry = 8 * (walk.size + 1)
        slots = 1 << max(10, (memory // entry).bit_length() - 1)
        frame = (walk.size + TAIL) * BRANCHES
        worth = {"mover": 3, "draw": 2, "opponent": 0}
        scores = [0, *(worth[result] if kind == "ending" else 1 for kind, result, _ in walk.meanings)]
        self.arrays |= {
            "table": (ctypes.c_uint64 * ((walk.size + 1) * slots))(), "arena": (ctypes.c_uint64 * (frame * (DEEPEST + 1)))(),
            "scores": (ctypes.c_uint64 * len(scores))(*scores), "states": (ctypes.c_uint64 * walk.size)(),
        }  # fmt: skip
        self.told |= {n: ctypes.addressof(self.arrays[n]) for n in ("table", "arena", "scores", "states")}
        self.told |= {"mask": slots - 1, "frame": frame, "deepest": DEEPEST, "branches": BRANCHES}
        self._solve = loop(BEST, FIELDS, "solve")
        self.nodes = 0

    def value(self, words: Sequence[int], limit: int) -> int:
        """3 win, 2 draw, 1 no rule, 0 loss for the player who acts; raises OutOfPositions after `limit` of them, and Unsolved."""
        self.arrays["states"][:] = list(words)
        card = (ctypes.c_uint64 * len(FIELDS))(*((self.told | {"limit": limit}).get(name, 0) for name in FIELDS))
        found = self._solve(ctypes.addressof(card))
        self.nodes += card[FIELDS.index("nodes")]
        if found < 0:
            reason = card[FIELDS.index("reason")]
            if reason == LARGE:
                raise OutOfPositions
            raise Unsolved(
                "play may come back to a position" if reason == CYCLE else f"a position has more than {BRANCHES:,} moves"
            )
        return found
