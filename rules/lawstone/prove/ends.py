"""Whether play must end: quantities that no turn can bring back, put one after the other until no turn can go on for ever.

A measure is something bounded that a turn may use up: pieces in hand, empty sites, pieces on the board, the way a piece has to
go. Each measure that no turn of a round of phases ever gives back is taken in turn, and what is left to ask about are the moves
that leave it as it is. Where no such move is left, play ends (a lexicographic ranking; the measures are templates, every step is a
question to the solver on all positions that fulfil the proved facts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from lawstone.lower import Rules
from lawstone.prove.ask import ask
from lawstone.prove.bits import Size
from lawstone.prove.circuit import FALSE
from lawstone.prove.encode import Model, Taken, Values
from lawstone.prove.goals import Free

Literals = Callable[[Model, Values, Taken], tuple[int, int]]
"""Of a move: that the measure is not given back, and that some of it is used up."""


@dataclass(frozen=True)
class Measure:
    """Something bounded that turns use up."""

    says: str
    literals: Literals


@dataclass(frozen=True)
class Ends:
    """`ends` is proved, by the measures in order; otherwise `left` are the phases that may go on for ever, as far as is known."""

    verdict: Literal["ends", "open"]
    measures: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        """The argument in words."""
        if self.verdict == "open":
            return f"no measure of those tried is used up by every turn of {', '.join(self.left)}"
        order = "; where that is left as it is, ".join(self.measures)
        return f"every turn that goes on uses up {order}" if order else "no phase comes back"


@dataclass(frozen=True)
class _Edge:
    """One turn that goes on in one way."""

    phase: str
    number: int
    following: int
    to: str


def ends(free: Free) -> Ends:
    """Whether every game ends, by a ranking over the measures."""
    used: dict[str, None] = {}
    left: dict[str, None] = {}
    edges = list(_edges(free.rules))
    for names in _rounds(edges):
        inside = [e for e in edges if e.phase in names and e.to in names]
        if not _ranked(free, inside, used):
            left |= dict.fromkeys(names)
    turns = {(e.phase, e.number) for e in edges}
    idle = tuple(sorted({p for p, n in turns if not free.alive(p, n)}))
    if not any(free.alive(p, n) for p, n in turns):
        left |= dict.fromkeys(free.rules.phases)
    return Ends("open" if left else "ends", tuple(used), tuple(left), idle)


def _edges(rules: Rules) -> Iterator[_Edge]:
    for name, phase in rules.phases.items():
        for number, turn in enumerate(phase.turns):
            for i, following in enumerate(turn.next):
                yield _Edge(name, number, i, following.phase)


def _rounds(edges: list[_Edge]) -> list[set[str]]:
    """The sets of phases that lead to one another and back."""
    reach: dict[str, set[str]] = {}
    for e in edges:
        reach.setdefault(e.phase, set()).add(e.to)
    changed = True
    while changed:
        changed = False
        for seen in reach.values():
            wider = seen.union(*(reach.get(x, set()) for x in seen))
            changed = changed or wider != seen
            seen |= wider
    found: list[set[str]] = []
    for name, seen in reach.items():
        if name in seen and not any(name in s for s in found):
            found.append({name} | {x for x in seen if name in reach.get(x, ())})
    return found


def _ranked(free: Free, edges: list[_Edge], used: dict[str, None]) -> bool:
    """Whether the moves of these edges can be ranked; the measures that it takes are added to `used`."""
    kept: dict[_Edge, list[int]] = {e: [] for e in edges}
    names: list[str] = []
    waiting = list(measures(free.rules))
    while True:
        kept = {e: same for e, same in kept.items() if _possible(free, e, same)}
        if not kept:
            used |= dict.fromkeys(names)
            return True
        for measure in waiting:
            told = {e: measure.literals(*free.turn(e.phase, e.number)[:3]) for e in kept}
            if any(_possible(free, e, [*same, -told[e][0]]) for e, same in kept.items()):
                continue
            if all(told[e][1] == FALSE for e in kept) or not any(_possible(free, e, [*s, told[e][1]]) for e, s in kept.items()):
                continue
            kept = {e: [*same, -told[e][1]] for e, same in kept.items()}
            names.append(measure.says)
            waiting.remove(measure)
            break
        else:
            return False


def _possible(free: Free, edge: _Edge, asserted: list[int]) -> bool:
    """Whether some move of an edge fulfils something; what the solver does not decide counts as possible."""
    model, _, taken, known = free.turn(edge.phase, edge.number)
    answer = ask(model.circuit, [*known, taken.legal, taken.following[edge.following], *asserted], free.conflicts)
    return answer.verdict != "no"


# -- what may be used up ----------------------------------------------------------------------------------------------------------


def measures(rules: Rules) -> Iterator[Measure]:
    """The measures that are tried, in order."""
    names = [v.name for v in rules.variables]
    if any(".hand " in n for n in names):
        yield Measure("pieces in hand", _hands)
    yield Measure("empty sites", _empty_sites)
    if "mine.captured" in names:
        yield Measure("captures up to the number that is counted", _captured)
    yield Measure("pieces on the board and in hand", _pieces)
    if rules.takes_colours:
        return
    told = {0: rules.words.players[0], 1: rules.words.players[1]} if "mine.first" in names else {None: "both players"}
    for seat, player in told.items():
        for direction in ("north", "south", "east", "west"):
            yield Measure(f"the way {direction} that the pieces of {player} can go", partial(_way, seat, direction))


def _hands(model: Model, values: Values, taken: Taken) -> tuple[int, int]:
    c = model.circuit
    hands = [n for n in values if ".hand " in n]
    kept = c.all(model.bits.at_most(taken.after[n], values[n]) for n in hands)
    return kept, c.both(kept, c.any(-model.bits.at_most(values[n], taken.after[n]) for n in hands))


def _captured(model: Model, values: Values, taken: Taken) -> tuple[int, int]:
    c = model.circuit
    names = ("mine.captured", "theirs.captured")
    kept = c.all(model.bits.at_most(values[n], taken.after[n]) for n in names)
    return kept, c.both(kept, c.any(-model.bits.at_most(taken.after[n], values[n]) for n in names))


def _boards(model: Model, values: Values, taken: Taken) -> tuple[Any, Any]:
    """The occupied sites before and after a move."""
    before, after = (model.bits.either(*(v[n] for n in model.pieces(values))) for v in (values, taken.after))
    return before, after


def _shift(model: Model, taken: Taken) -> tuple[Any, Any] | None:
    """The site that the one shifted piece of a turn leaves, and the one that it takes; None where the turn shifts none, or more."""
    picks = {r: [p for ch, p in zip(taken.turn.choices, taken.picks, strict=True) if ch.role == r] for r in ("from", "to")}
    return (picks["from"][0], picks["to"][0]) if len(picks["from"]) == len(picks["to"]) == 1 else None


def _lies_in(model: Model, a: Any, b: Any) -> int:
    return model.circuit.all(model.circuit.implies(x, y) for x, y in zip(a, b, strict=True))


def _empty_sites(model: Model, values: Values, taken: Taken) -> tuple[int, int]:
    """The occupied sites are kept, and there is one more; a piece that is shifted leaves one and takes one that was empty."""
    c, bits = model.circuit, model.bits
    before, after = _boards(model, values, taken)
    parts: list[int] = []
    shift = _shift(model, taken)
    if shift is not None:
        origin, target = shift
        parts.append(-bits.some(bits.without(bits.both(target, before), origin)))
        parts.append(c.implies(bits.some(bits.both(origin, before)), bits.some(bits.both(target, after))))
        before, after = (bits.without(b, bits.either(origin, target)) for b in (before, after))
    kept = c.all([*parts, _lies_in(model, before, after)])
    return kept, c.both(kept, bits.some(bits.without(after, before)))


def _pieces(model: Model, values: Values, taken: Taken) -> tuple[int, int]:
    """No piece appears that was not on the board or in a hand, and one is gone."""
    c, bits = model.circuit, model.bits
    hands = [n for n in values if ".hand " in n]
    placed = [p for ch, p in zip(taken.turn.choices, taken.picks, strict=True) if ch.role == "place"]
    paid = c.any(-bits.at_most(values[n], taken.after[n]) for n in hands)
    parts = [bits.at_most(taken.after[n], values[n]) for n in hands]
    before, after = _boards(model, values, taken)
    if len(placed) > 1:
        return FALSE, FALSE
    if placed:
        parts += [c.implies(bits.some(placed[0]), paid), -Size(c, placed[0]).at_least(2)]
        before, after = (bits.without(b, placed[0]) for b in (before, after))
    shift = _shift(model, taken)
    if shift is not None:
        origin, target = shift
        parts.append(c.implies(bits.some(bits.both(target, after)), bits.some(bits.both(origin, before))))
        parts.append(_lies_in(model, bits.both(origin, after), target))
        before, after = (bits.without(b, bits.either(origin, target)) for b in (before, after))
    kept = c.all([*parts, _lies_in(model, after, before)])
    return kept, c.both(kept, bits.some(bits.without(before, after)))


def _way(seat: int | None, direction: str, model: Model, values: Values, taken: Taken) -> tuple[int, int]:
    """No piece of a player is shifted away from a direction, none appears, and one is shifted towards it; of both players where
    the seat is None."""
    c, bits, board = model.circuit, model.bits, model.rules.board
    mine, theirs = (
        [bits.either(*(v[n] for n in model.pieces(values) if n.startswith(side))) for v in (values, taken.after)]
        for side in ("mine.", "theirs.")
    )
    rests = _lies_in(model, theirs[1], theirs[0])
    shift = _shift(model, taken)
    if shift is None:
        moves, on = _lies_in(model, mine[1], mine[0]), FALSE
    else:
        origin, target = shift
        far = _far(model.rules, direction)
        pairs = [(s, t) for s in range(board.size) for t in range(board.size) if s != t]
        back = c.any(c.both(origin[s], target[t]) for s, t in pairs if far[t] < far[s])
        ahead = c.any(c.both(origin[s], target[t]) for s, t in pairs if far[t] > far[s])
        stays = _lies_in(model, bits.without(mine[1], target), bits.without(mine[0], origin))
        sound = c.all((_lies_in(model, origin, mine[0]), -Size(c, origin).at_least(2), -Size(c, target).at_least(2)))
        moves, on = c.all((stays, sound, -back)), ahead
    if seat is None:
        kept = c.both(moves, rests)
        return kept, c.both(kept, on)
    acts = int(values["mine.first"]) if seat == 0 else -int(values["mine.first"])
    kept = c.ite(acts, moves, rests)
    return kept, c.all((kept, acts, on))


def _far(rules: Rules, direction: str) -> list[float]:
    """How far each site lies in a direction."""
    sign = 1 if direction in ("north", "east") else -1
    return [sign * place[direction in ("north", "south")] for place in rules.board.places]


# -- positions that come back -----------------------------------------------------------------------------------------------------

LONGEST_CYCLE = 4
"""Turns in a row up to which it is asked whether a position can come back after just so many."""


def shortest_cycle(free: Free, phases: tuple[str, ...], most: int = LONGEST_CYCLE) -> int:
    """A number of turns such that no position of these phases comes back after fewer; at most `most`."""
    edges = [e for e in _edges(free.rules) if e.phase in phases and e.to in phases]
    for length in range(1, most):
        if any(_comes_back(free, way) for way in _ways_round(free.rules, edges, length)):
            return length
    return most


def _ways_round(rules: Rules, edges: list[_Edge], length: int) -> Iterator[tuple[_Edge, ...]]:
    """The ways through the phases that come back to the first one with the same player to act."""
    ways: list[tuple[_Edge, ...]] = [(e,) for e in edges]
    for _ in range(length - 1):
        ways = [(*way, e) for way in ways for e in edges if e.phase == way[-1].to]
    for way in ways:
        passes = sum(rules.phases[e.phase].turns[e.number].next[e.following].passes for e in way)
        if way[-1].to == way[0].phase and passes % 2 == 0:
            yield way


def _comes_back(free: Free, way: tuple[_Edge, ...]) -> bool:
    model = Model(free.rules)
    start = model.free("start")
    asserted = [model.assumed(start), free.lemmas.literal(model, way[0].phase, start)]
    values: Values = start
    for n, edge in enumerate(way):
        turn = free.rules.phases[edge.phase].turns[edge.number]
        taken = model.take(turn, values, str(n))
        asserted += [taken.legal, taken.following[edge.following]]
        values = model.seen_by_other(taken.after) if turn.next[edge.following].passes else dict(taken.after)
    asserted += [model.same(start, values, list(start)), *model.must]
    return ask(model.circuit, asserted, free.conflicts).verdict != "no"
