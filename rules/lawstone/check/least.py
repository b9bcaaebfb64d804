"""One witness for everybody: of the shortest games that part two readings the least, whatever the seed, the solver or its version.

The order is stated in `prove/least.py`: fewest pieces at the end, then the moves turn by turn. Where the readings can be compared
turn by turn, a solver is asked for ever lesser games; where they cannot, or where it gives up, all games of that length are
looked at, positions that a common symmetry joins once. The two ways give the same game.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawstone.check.lockstep import Pair, Parting, Two
from lawstone.engine.notation import write
from lawstone.engine.state import Picks
from lawstone.prove import free
from lawstone.prove.least import Found, least, order

SECONDS = 10.0
"""CPU-seconds of a solver for one witness."""
PAIRS = 60_000
"""Move results compared, where all games are looked at."""
SHORT = 6
"""Where a solver has given up, all games are looked at up to so many plies only."""


@dataclass(frozen=True)
class Chosen:
    """The least of the shortest games, or the least that was found, and how it was looked for."""

    parting: Parting
    shown: bool
    how: str


def choose(pair: Pair, parting: Parting, seconds: float = SECONDS, pairs: int = PAIRS) -> Chosen:
    """The least game among those that part the readings as early as `parting`, which has to be a shortest one.

    A difference in the result goes before one in the reason only, if both come equally early.
    """
    if not parting.moves:
        return Chosen(parting, True, "before the first move there is one position")
    if parting.level == "reason":
        other = _of_class(pair, parting, False, seconds, pairs)
        if other.verdict == "unknown":
            return Chosen(parting, False, "not shown least: the time was over")
        if other.verdict != "none":
            return _told(pair, parting, other)
    return _told(pair, parting, _of_class(pair, parting, parting.level == "reason", seconds, pairs))


def _told(pair: Pair, parting: Parting, found: Found) -> Chosen:
    how = found.how
    if found.verdict in ("none", "unknown"):
        return Chosen(parting, False, f"not shown least: {how}")
    told = pair.replay(texts(pair, found.moves))
    if told is None or told.plies != parting.plies:
        return Chosen(parting, False, "not shown least: the game of the solver ends alike when it is replayed")
    return Chosen(told, found.verdict == "least", how if found.verdict == "least" else f"not shown least: {how}")


def _of_class(pair: Pair, parting: Parting, reasons: bool, seconds: float, pairs: int) -> Found:
    if not free.comparable(pair.a.rules, pair.b.rules):
        found = least(pair.a.rules, pair.b.rules, parting.plies, reasons, seconds)
        if found.verdict in ("least", "none") or parting.plies > SHORT:
            return found
        whole = by_tree(pair, parting.plies, reasons, pairs)
        return whole if whole.verdict != "unknown" else found
    return by_tree(pair, parting.plies, reasons, pairs)


def texts(pair: Pair, moves: tuple[Picks, ...]) -> tuple[str, ...]:
    """A game of reading A in notation."""
    state, found = pair.a.engine.start(), list[str]()
    for move in moves:
        found.append(write(pair.a.rules, state, move))
        state = pair.a.engine.play(state, move).state
    return tuple(found)


def by_tree(pair: Pair, plies: int, reasons: bool = False, pairs: int = PAIRS) -> Found:
    """The least game of so many plies that parts the readings, by looking at all of them; no shorter one may part them."""
    tree = _Tree(pair, plies, reasons, pairs)
    try:
        fewest = tree.pieces_of(pair.start(), 0)
    except _TooMany:
        return Found("unknown", (), f"more than {pairs:,} moves of games of {plies} plies")
    if fewest is None:
        return Found("none", (), "all games of that length were looked at")
    two, moves = pair.start(), list[Picks]()
    for ply in range(plies):
        move, two = next((m, t) for m, t, n in tree.ways_on(two, ply) if n == fewest)
        moves.append(move)
    return Found("least", tuple(moves), "all games of that length were looked at")


class _TooMany(RuntimeError):
    """More moves than may be looked at."""


class _Tree:
    def __init__(self, pair: Pair, plies: int, reasons: bool, pairs: int) -> None:
        self.pair, self.plies, self.reasons, self.left = pair, plies, reasons, pairs
        self.known: dict[tuple[int, object], int | None] = {}
        rules = pair.a.rules
        pieces = {v for p in rules.game.pieces for v in rules.words.variables(p, None)}
        self.pieces = [i for i, v in enumerate(rules.variables) if v.name.split(".")[-1] in pieces]

    def pieces_of(self, two: Two, ply: int) -> int | None:
        """The fewest pieces with which a game that goes on from here parts the readings at the last ply; None if none does."""
        key = (ply, self.pair.key(two))
        if key not in self.known:
            if ply == self.plies:
                parts = not self.reasons and not self.pair.same_moves(two, self.pair.options(two))
                self.known[key] = self._count(two) if parts else None
            else:
                self.known[key] = min((n for _, _, n in self.ways_on(two, ply) if n is not None), default=None)
        return self.known[key]

    def ways_on(self, two: Two, ply: int) -> list[tuple[Picks, Two, int | None]]:
        """The moves here in their order, each with what it leads to and the fewest pieces that a game through it ends with."""
        options = self.pair.options(two)
        if not self.pair.same_moves(two, options):
            return []
        moves = [m for o in options[0] for m in self.pair.a.engine.expand(o)]
        self.left -= len(moves)
        if self.left < 0:
            raise _TooMany
        found: list[tuple[Picks, Two, int | None]] = []
        for move in sorted(moves, key=lambda m: order((m,))):
            after = self.pair.play(two, move, self.pair.matching(two, move, options))
            level = self.pair.after_difference(after)
            if level is not None:
                parts = ply + 1 == self.plies and (level == "reason") == self.reasons
                found.append((move, after, self._count(after) if parts else None))
            else:
                found.append((move, after, None if after.over_a is not None else self.pieces_of(after, ply + 1)))
        return found

    def _count(self, two: Two) -> int:
        return sum(int(two.a.values[i]).bit_count() for i in self.pieces)
