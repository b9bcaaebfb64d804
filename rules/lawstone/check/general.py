"""What a witness needs and what it does not: which picks of the game could be others without losing the difference.

Each pick of one site is changed to every other site, and the game is played again under both readings with the other moves as they
are: it must still part them after as many plies and at the same level. So what is said holds for the sites that were tried, and
each of them is a game that was played. Whether all loose picks may change at the same time is a question to a solver, where the
readings can be compared turn by turn; and the whole game is moved over the board, as far as it stays on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lawstone.board import Board
from lawstone.check.lockstep import Level, Pair, Parting, Two
from lawstone.check.search import allowed
from lawstone.engine.state import Picks, members
from lawstone.prove import free
from lawstone.prove.least import every_game_parts

STEPS = 16_000
"""Moves played to find out what is loose in one witness."""


@dataclass(frozen=True)
class Loose:
    """A pick that could be another one: the ply (from 1) and the pick's place in its turn, its site, and the sites that do as well.

    `tried` counts the other sites that were tried.
    """

    ply: int
    pick: int
    role: str
    site: int
    elsewhere: tuple[int, ...]
    tried: int


@dataclass(frozen=True)
class General:
    """How general a witness is.

    `loose` are the picks that could be others, each by itself, of `picks` that were tried; `together` says whether all of them
    could at once: proved (True), not so (False) or not known (None). `needless` are the sites whose piece may be missing, each by
    itself, and `all_needless` whether all may be missing at once: that is said of the position alone, not of a game that leads
    there. `shifts` are the moves of the whole game over the board that keep the difference, of `shiftable` that keep it on the
    board. `complete`: every pick was tried on every site.
    """

    loose: tuple[Loose, ...]
    picks: int
    together: bool | None
    needless: tuple[int, ...]
    all_needless: bool
    shifts: int
    shiftable: int
    complete: bool


def generalise(pair: Pair, parting: Parting, steps: int = STEPS, seconds: float = 5.0) -> General:
    """What could be otherwise in a witness."""
    line = _Line(pair, parting, steps)
    kept, possible = line.shifts()
    loose: list[Loose] = []
    picks = 0
    for ply, move in enumerate(line.moves):
        for nth, mask in enumerate(move.sites):
            if mask.bit_count() == 1 and line.left > 0:
                picks += 1
                sites = [s for s in range(pair.a.rules.board.size) if 1 << s != mask]
                elsewhere = tuple(s for s in sites if line.parts_with(ply, _with(move, nth, s)))
                role = pair.a.rules.phases[line.played[ply].a.phase].turns[move.turn].choices[nth].role
                if elsewhere:
                    loose.append(Loose(ply + 1, nth, role, members(mask)[0], elsewhere, len(sites)))
    needless = tuple(s for s in sorted(line.occupied()) if line.parts_without(1 << s))
    return General(
        tuple(loose), picks, _together(pair, parting, line.moves, loose, seconds), needless,
        len(needless) > 1 and line.parts_without(sum(1 << s for s in needless)), kept, possible, line.left > 0,
    )  # fmt: skip


def _with(move: Picks, nth: int, site: int) -> Picks:
    return Picks(move.turn, (*move.sites[:nth], 1 << site, *move.sites[nth + 1 :]))


def _together(pair: Pair, parting: Parting, moves: Sequence[Picks], loose: Sequence[Loose], seconds: float) -> bool | None:
    if len(loose) < 2 or free.comparable(pair.a.rules, pair.b.rules):
        return None
    then = None
    if parting.level == "legal moves":
        before = pair.a.replay(list(parting.moves))
        then = before.find(parting.only_a[0]).picks if parting.only_a else None
        if then is None or len(then.sites) < len(pair.a.rules.phases[before.phase].turns[then.turn].choices):
            return None
    open_ = {(x.ply - 1, x.pick): frozenset((x.site, *x.elsewhere)) for x in loose}
    return every_game_parts(pair.a.rules, pair.b.rules, moves, open_, parting.level == "reason", seconds, then)


class _Line:
    """A witness as moves of reading A, with the positions on its way."""

    def __init__(self, pair: Pair, parting: Parting, steps: int) -> None:
        self.pair, self.level, self.left = pair, parting.level, steps
        position, self.moves = pair.a.start(), list[Picks]()
        for text in parting.moves:
            found = position.find(text)
            self.moves.append(found.picks)
            position = position.play(found)
        self.played = [pair.start()]
        for move in self.moves[:-1]:
            two = self.played[-1]
            self.played.append(pair.play(two, move, pair.matching(two, move, pair.options(two))))

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """Where both readings keep the pieces of the players: variables by number."""
        rules = self.pair.a.rules
        names = {v for p in rules.game.pieces for v in rules.words.variables(p, None)} - rules.words.singles
        return [(i, j) for i, j in self.pair.shared if rules.variables[i].name.split(".")[-1] in names]

    @property
    def parting(self) -> Two:
        """The position where the readings part: before the last move, unless they part in what is legal after it."""
        two = self.played[-1]
        if self.level != "legal moves" or not self.moves:
            return two
        return self.pair.play(two, self.moves[-1], self.pair.matching(two, self.moves[-1], self.pair.options(two)))

    def occupied(self) -> set[int]:
        """The sites of the players' pieces there."""
        return {s for i, _ in self.pieces for s in members(int(self.parting.a.values[i]))}

    def parts_without(self, mask: int) -> bool:
        """Whether the readings part in the same way if some pieces are taken off the board just before."""
        two = self.parting
        a, b = list(two.a.values), list(two.b.values)
        for i, j in self.pieces:
            a[i], b[j] = int(a[i]) & ~mask, int(b[j]) & ~mask
        bare = Two(two.a._replace(values=tuple(a)), two.b._replace(values=tuple(b)))
        if any(int(v) & mask for v, x in zip(a, self.pair.a.rules.variables, strict=True) if x.name == "last"):
            return False
        return self._ends_alike(bare, [] if self.level == "legal moves" else self.moves[-1:])

    def parts_with(self, ply: int, move: Picks) -> bool:
        """Whether the game with another move at a ply parts the readings at its end as it did."""
        return self._ends_alike(self.played[ply], [move, *self.moves[ply + 1 :]])

    def _ends_alike(self, two: Two, moves: Sequence[Picks]) -> bool:
        pair, engine = self.pair, self.pair.a.engine
        for n, move in enumerate(moves, 1):
            self.left -= 1
            options = pair.options(two)
            turns = pair.a.rules.phases[two.a.phase].turns
            if move.turn >= len(turns) or not allowed(engine.depths[engine.index[two.a.phase]], options[0], move):
                return False
            if not pair.same_moves(two, options):
                return False
            two = pair.play(two, move, pair.matching(two, move, options))
            level: Level | None = pair.after_difference(two)
            if level is not None:
                return n == len(moves) and level == self.level
            if two.over_a is not None:
                return False
        return self.level == "legal moves" and not pair.same_moves(two, pair.options(two))

    def shifts(self) -> tuple[int, int]:
        """How many shifts of the whole game keep the difference, of those that stay on the board."""
        kept = possible = 0
        for images in _shifts(self.pair.a.rules.board, {s for m in self.moves for mask in m.sites for s in members(mask)}):
            if self.left <= 0:
                break
            possible += 1
            moved = [Picks(m.turn, tuple(sum(1 << images[s] for s in members(mask)) for mask in m.sites)) for m in self.moves]
            kept += self._ends_alike(self.played[0], moved)
        return kept, possible


def _shifts(board: Board, sites: set[int]) -> Iterator[dict[int, int]]:
    """Where some sites go when all are moved by as much, as long as they stay on the board."""
    at = {place: s for s, place in enumerate(board.places)}
    for dx in range(-board.width + 1, board.width):
        for dy in range(-board.height + 1, board.height):
            images = {s: at.get((board.places[s][0] + dx, board.places[s][1] + dy)) for s in sites}
            if (dx or dy) and sites and all(t is not None for t in images.values()):
                yield {s: t for s, t in images.items() if t is not None}


# -- in words ------------------------------------------------------------------------------------------------------------------

FEW = 6
"""So many sites are named; of more only the number."""


def sentences(general: General, board: Board, moves: Sequence[str]) -> list[str]:
    """What is said of a witness, a sentence each."""
    if not moves:
        return []
    return [*_loose_words(general, board, moves), *_needless_words(general, board), *_shift_words(general)]


def _loose_words(general: General, board: Board, moves: Sequence[str]) -> Iterator[str]:
    names = board.names
    bound = "" if general.complete else "; the bound on moves was reached before every site was tried"
    if not general.loose:
        tried = "each of them was tried on every other site" if general.complete else "as far as was tried"
        yield f"Every pick of this game has to be as it is: {tried}."
        return
    told = []
    for x in general.loose:
        where = " ".join(names[s] for s in x.elsewhere) if len(x.elsewhere) <= FEW else f"{len(x.elsewhere)} of {x.tried} others"
        move = moves[x.ply - 1]
        told.append(f"{names[x.site]} in ply {x.ply}{'' if move == names[x.site] else f' ({move})'}: {where}")
    which, each = ("This pick", "") if len(told) == 1 else ("These picks", ", each by itself")
    yield f"{which} could be others with the same difference{each}: {'; '.join(told)}{bound}."
    if general.together is not None:
        yield (
            "All of them could at once: a solver has shown that every such game that can be played parts the readings."
            if general.together
            else "Not all of them could at once."
        )


def _needless_words(general: General, board: Board) -> Iterator[str]:
    if general.needless:
        where = " ".join(board.names[s] for s in general.needless)
        one = len(general.needless) == 1
        told = (
            "" if one else ", and without all of them" if general.all_needless else ", each by itself but not without all of them"
        )
        yield (
            f"The position parts the readings without the {'piece' if one else 'pieces'} on {where} too{told} "
            "(as it stands: whether a game leads there was not asked)."
        )


def _shift_words(general: General) -> Iterator[str]:
    if general.shifts:
        every = general.shifts == general.shiftable
        count = f"all {general.shiftable}" if every else f"{general.shifts} of the {general.shiftable}"
        told = (
            f"{count} shifts that keep it on the board show" if general.shiftable > 1 else "the one shift that keeps it there shows"
        )
        yield f"The whole game may be moved over the board: {told} the same."


def spare(general: General) -> set[int]:
    """The sites of pieces that may stand elsewhere or be missing."""
    return {x.site for x in general.loose if x.role in ("place", "to")} | set(general.needless)
