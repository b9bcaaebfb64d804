"""The kinds of difference between two readings, each with its shortest game: what `--all-kinds` adds to a witness.

A kind is at which level the readings part and in what way, in which phase, and by which rules: those that forbid the moves that
only one reading allows, or those of the endings. Games are compared until they part for the first time; what would follow is not
looked at, since no game goes on the same under both readings from there.

The whole tree is compared ply by ply past the first difference, as far as the budget goes; then games by chance are made shorter,
each for its kind. Of the games that a common symmetry carries into each other the one that is first in the order of the board is
kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from lawstone.check.lockstep import Level, Pair, Parting, Two
from lawstone.check.search import (
    FASTER,
    LENGTH,
    WAYS,
    Budget,
    Line,
    Place,
    Search,
    Step,
    followed,
    one_game,
    shrink,
    step_of,
    whole_tree,
    written,
)
from lawstone.core import Clause
from lawstone.engine.explain import forbidding
from lawstone.engine.game import Position
from lawstone.engine.notation import write
from lawstone.engine.playout import Dice
from lawstone.engine.state import Outcome, members
from lawstone.engine.symmetry import Carry
from lawstone.lower import Rules
from lawstone.prove.meaning import meaning, term_digest
from lawstone.work.bounds import Spent
from lawstone.work.cache import kept

MOST = 12
"""So many kinds are told; of others only the number."""
REFUSALS = 30_000
"""Moves of which it is asked which rule forbids them, while whole trees are compared."""
REPLAYS = 300
"""Games replayed to make the game of one kind shorter."""


@dataclass(frozen=True)
class Kind:
    """A kind of difference; `how` says in what way the readings part at that level, as the player who moves or acts sees it."""

    level: Level
    how: str
    phase: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Sight:
    """A kind, the shortest game met that shows it, and whether no shorter game does."""

    kind: Kind
    parting: Parting
    shortest: bool


@dataclass
class Kinds:
    """The kinds that were met, shortest first, at most MOST of them; how many more there were; how far was looked.

    `whole` is the last ply up to which every game was compared; `complete`: every game was compared to its end, so there are no
    other kinds.
    """

    sights: list[Sight] = field(default_factory=list)
    more: int = 0
    whole: int = -1
    complete: bool = False
    games: int = 0
    cut: str = ""

    @property
    def how(self) -> str:
        """How far was looked, in words."""
        if self.complete:
            return "every game was compared up to where it ends or parts the readings: there are no other kinds"
        whole = f"all games up to ply {self.whole} compared" if self.whole >= 0 else "no ply compared whole"
        chance = f", then {self.games:,} random and guided games" if self.games else ""
        return f"{whole}{chance}: there may be other kinds{'; ' + self.cut if self.cut else ''}"


_KINDS: TypeAdapter[Kinds] = TypeAdapter(Kinds)


def kinds(pair: Pair, parting: Parting, shortest: bool, budget: Budget) -> Kinds:
    """The kinds of difference that the budget allows to find; `parting` is the witness known before, and stands for its kind.

    Kept between runs under what both readings mean, the rules that their clauses belong to, and the budget.
    """
    hunt = _Hunt(pair, budget, parting, shortest)
    try:
        return kept(
            "kinds", lambda: (*map(_told, (pair.a.rules, pair.b.rules)), parting.moves, shortest, budget, MOST),
            hunt.done, lambda x: _KINDS.dump_python(x, mode="json"),
            lambda entry: _replayed(pair, _KINDS.validate_python(entry)),
        )[0]  # fmt: skip
    except Spent as spent:
        return replace(hunt.gathered(), cut=str(spent))


def _told(rules: Rules) -> tuple[object, ...]:
    """What the kinds depend on: the meaning, and which rule each part of a clause belongs to."""

    def of(clause: Clause) -> tuple[object, ...]:
        return clause.rule, clause.mode, term_digest(clause.term), *map(of, clause.parts)

    turns = [(name, t) for name, phase in rules.phases.items() for t in phase.turns]
    return meaning(rules), *((n, t.rule, *map(of, t.why), *((c.rule, of(c.why)) for c in t.choices)) for n, t in turns)


def _replayed(pair: Pair, found: Kinds) -> Kinds:
    for sight in found.sights:
        again = pair.replay(sight.parting.moves)
        if again is None or (again.level, again.moves) != (sight.parting.level, sight.parting.moves):
            raise ValueError("a game does not show its kind of difference when it is replayed")
    return found


# -- what kind it is --------------------------------------------------------------------------------------------------------------


def kind_at(pair: Pair, place: Place) -> Kind:
    """The kind of a difference."""
    if place.before is None or place.move is None:
        return _in_moves(pair, place.two)
    turn = pair.a.rules.phases[place.before.a.phase].turns[place.move.turn]
    two, seat = place.two, place.before.a.seat
    rules: tuple[str, ...] = (turn.rule,)
    if place.level in ("outcome", "reason"):
        rules = tuple(dict.fromkeys(o.rule for o in (two.over_a, two.over_b) if o is not None))
        how = f"{_ended(two.over_a, seat)} / {_ended(two.over_b, seat)}"
    elif place.level == "player to move":
        how = " / ".join("the mover acts again" if s.seat == seat else "the other player acts" for s in (two.a, two.b))
    else:
        names = [pair.a.rules.variables[i].name for i, j in pair.shared if two.a.values[i] != two.b.values[j]]
        how = ", ".join(dict.fromkeys(n.split(".")[-1] for n in names))
    return Kind(place.level, how, _phase(place.before), rules)


def _in_moves(pair: Pair, two: Two) -> Kind:
    sides, rules = set[int](), set[str]()
    others = [Position(pair.b, two.b), Position(pair.a, two.a)]
    for side, text in unlike(pair, two):
        sides.add(side)
        rules.add(forbidding(others[side], text))
    how = "each allows what the other forbids" if len(sides) > 1 else f"only {'B' if 1 in sides else 'A'} allows more"
    return Kind("legal moves", how, _phase(two), tuple(sorted(rules)))


def unlike(pair: Pair, two: Two) -> Iterator[tuple[int, str]]:
    """The moves that only one reading allows: which one (0: A, 1: B), and the move as written."""
    options = pair.options(two)
    found = [pair.identities(two, options, side) for side in (0, 1)]
    for side, rules, state in ((0, pair.a.rules, two.a), (1, pair.b.rules, two.b)):
        for identity in found[side].keys() - found[1 - side].keys():
            yield side, write(rules, state, found[side][identity])


def _phase(two: Two) -> str:
    return two.a.phase if two.a.phase == two.b.phase else f"{two.a.phase} / {two.b.phase}"


def _ended(outcome: Outcome | None, mover: int) -> str:
    if outcome is None:
        return "the game goes on"
    if outcome.kind == "win":
        return "the mover wins" if outcome.winner == mover else "the other player wins"
    return "the game is drawn" if outcome.kind == "draw" else "no rule says what happens"


# -- games that show it -----------------------------------------------------------------------------------------------------------


class _Hunt:
    """The shortest game met so far of each kind, and the witness known before."""

    def __init__(self, pair: Pair, budget: Budget, parting: Parting, shortest: bool) -> None:
        self.pair, self.budget, self.parting, self.shortest = pair, budget, parting, shortest
        self.best: dict[Kind, Line] = {}
        self.own: Kind | None = None
        self.search, self.games, self.refused, self.left = Search(), 0, 0, budget.replays

    def done(self) -> Kinds:
        """Look as far as the budget goes, and gather."""
        known = _line(self.pair, self.parting.moves)
        place = followed(self.pair, known)
        assert place is not None, "a witness parts the readings"
        self.own = kind_at(self.pair, place[1])
        whole_tree(self.pair, self.budget, self.search, met=self.met)
        if not self.search.exhausted:
            self.take(known)
            self.by_chance()
            self.shorten()
        return self.gathered()

    def gathered(self) -> Kinds:
        """What was found so far, replayed; the witness known before stands for its kind unless a shorter game was met."""
        shown = max(self.search.whole + 1, self.parting.plies if self.shortest else -1)
        sights = []
        for kind, line in self.best.items():
            told = self.pair.replay(written(self.pair, line))
            if kind == self.own and (told is None or told.plies >= self.parting.plies):
                told = self.parting
            if told is not None:
                sights.append(Sight(kind, told, told.plies <= shown))
        sights.sort(key=lambda s: (s.parting.plies, s.kind != self.own, s.kind.level, s.kind.phase, s.kind.how, s.kind.rules))
        more = max(0, len(sights) - MOST)
        return Kinds(sights[:MOST], more, self.search.whole, self.search.exhausted, self.games)

    def met(self, place: Place, line: Line) -> bool:
        """Note a game that parts the readings; whether more may be asked."""
        self.offer(kind_at(self.pair, place), line)
        if place.level == "legal moves":
            self.refused += sum(1 for _ in unlike(self.pair, place.two))
        return self.refused <= REFUSALS

    def offer(self, kind: Kind, line: Line) -> None:
        """Keep a game if it is shorter than the one kept for its kind, or as long and earlier in order."""
        best = self.best.get(kind)
        if best is not None and len(best) < len(line):
            return
        image = first_image(self.pair, line)
        if best is None or (len(image), _order(image)) < (len(best), _order(best)):
            self.best[kind] = image if image == line or self.kind_of(image) == kind else line

    def kind_of(self, line: Line) -> Kind | None:
        """The kind that a line shows at its end; None if it shows none."""
        found = followed(self.pair, line)
        return kind_at(self.pair, found[1]) if found is not None and found[0] == len(line) else None

    def take(self, line: Line) -> Kind | None:
        """Note the kind that a line shows, and where it shows it."""
        found = followed(self.pair, line)
        if found is None:
            return None
        kind = kind_at(self.pair, found[1])
        self.offer(kind, line[: found[0]])
        return kind

    def by_chance(self) -> None:
        """Note the kinds that random and guided games show; of compiled ones the earliest difference of each lot."""
        both, seed = self.pair.compiled, self.budget.seed * 1_000_003
        for n in range(self.budget.games):
            self.one(n, seed)
        for n in range(self.budget.games):
            if isinstance(both, str):
                return
            played = both.run(FASTER, seed + n * FASTER, self.budget.plies, FASTER * LENGTH)
            if played.full:
                return
            self.games += played.games
            if played.first is not None:
                self.one(played.first, seed + n * FASTER, counted=True)

    def one(self, n: int, seed: int, counted: bool = False) -> None:
        """Note the kind that one game shows."""
        line = one_game(self.pair, WAYS[n % len(WAYS)], Dice(seed + n), self.budget.plies, Search())
        self.games += 0 if counted else 1
        if line is not None:
            self.take(line)

    def shorten(self) -> None:
        """Make the game of each kind shorter; what other kinds are met on the way is noted, and made shorter too."""
        tried = set[Kind]()
        while waiting := [k for k, line in self.best.items() if k not in tried and len(line) > self.search.whole + 1]:
            kind = min(waiting, key=lambda k: (len(self.best[k]), _order(self.best[k])))
            tried.add(kind)
            replays = min(REPLAYS, self.left)
            if replays <= 0:
                return
            self.left -= replays

            def shows(line: Line, kind: Kind = kind) -> int | None:
                found = followed(self.pair, line)
                return found[0] if found is not None and self.take(line[: found[0]]) == kind else None

            small = shrink(self.best[kind], shows, replays)
            among = Budget(pairs=self.budget.pairs // MOST)
            whole_tree(self.pair, among, Search(), frozenset(small), self.met)


def _line(pair: Pair, moves: Sequence[str]) -> Line:
    """Written moves as a line of reading A."""
    position, line = pair.a.start(), list[Step]()
    for text in moves:
        move = position.find(text)
        line.append(step_of(pair, position.phase, move.picks))
        position = position.play(move)
    return tuple(line)


def _order(line: Line) -> tuple[object, ...]:
    """What lines of one length are compared by: move by move, in the order of the board."""
    return tuple((kind, tuple((mask.bit_count(), *members(mask)) for mask in sites)) for kind, sites in line)


def first_image(pair: Pair, line: Line) -> Line:
    """Of the games that the common symmetries carry a game into, the one that is first in order."""
    start = pair.start()
    fixed = [c for c, d in pair.both_carries if c.state(start.a) == start.a and d.state(start.b) == start.b]
    return min((_image(c, line) for c in fixed), key=lambda x: (len(x), _order(x)), default=line)


def _image(carry: Carry, line: Line) -> Line:
    return tuple(
        ((tuple(carry.kinds.get(w, w) for w in label), roles), tuple(carry.mask(m) for m in sites))
        for (label, roles), sites in line
    )
