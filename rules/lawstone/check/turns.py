"""Who acts after every pick: read off the lowered rules, with seats and colours kept apart.

The walk follows what the flags alone decide (which seat, who holds which colour), from the start through every phase; where what
follows depends on the board, each possibility is a row. A row is a finding where the file does not say who acts and the two natural
answers, by seats and by colours, are not the same player.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lawstone.check.report import Actor, Follows
from lawstone.core import FALSE, TRUE, Next, Sort, Term, Turn, substitute, swapped
from lawstone.lower import Rules
from lawstone.model.game import PhaseClause, Then


class Stand(NamedTuple):
    """What the flags say at a decision: the phase, the seat that acts, the seat that holds the first colour (None: colours are
    seats), and the colour of the last piece placed, if any."""

    phase: str
    seat: int
    first_colour: int | None
    last: str


@dataclass(frozen=True)
class Row:
    """After a pick at a stand, who acts where."""

    stand: Stand
    label: tuple[str, ...]
    rule: str
    then: Stand
    when: str
    unsaid: bool

    @property
    def doubtful(self) -> bool:
        """Nothing says who acts, and alternating by seats and by colours give different players."""
        return self.unsaid and self.then.first_colour is not None and bool(self.then.last) and self._by_colour != self.then.seat

    @property
    def _by_colour(self) -> int:
        """The seat that holds the other colour than that of the last piece placed; its own where nothing is known."""
        first = self.then.first_colour or 0
        return 1 - first if self.then.last == "first" else first


def rows(rules: Rules) -> list[Row]:
    """Every pick of the game with what follows, as far as the flags decide it."""
    colours = 0 if rules.takes_colours else None
    start = Stand(rules.start_phase, rules.start_seat, colours, "")
    found: list[Row] = []
    seen, front = {start}, [start]
    while front:
        stand = front.pop(0)
        for turn in rules.phases[stand.phase].turns:
            for row in _after(rules, stand, turn):
                found.append(row)
                if row.then not in seen:
                    seen.add(row.then)
                    front.append(row.then)
    return found


def _flags(rules: Rules, stand: Stand) -> dict[str, Term]:
    """The flags that a stand fixes, as the player who acts sees them."""
    known: dict[str, Term] = {}
    for v in rules.variables:
        if v.sort is not Sort.FLAG or not v.name.startswith("mine."):
            continue
        value = stand.seat == 0 if v.name == "mine.first" else stand.seat == stand.first_colour
        known[v.name], known[swapped(v.name)] = (TRUE, FALSE) if value else (FALSE, TRUE)
    return known


def _after(rules: Rules, stand: Stand, turn: Turn) -> Iterator[Row]:
    known = _flags(rules, stand)
    if substitute(turn.guard, known) is FALSE:
        return
    after = {n: substitute(turn.updates[n], known) if n in turn.updates else t for n, t in known.items()}
    first_colour = stand.first_colour
    if first_colour is not None:
        held = after.get(f"mine.{rules.words.colours[0]}")
        first_colour = stand.seat if held is TRUE else 1 - stand.seat
    placed = _placed_colour(rules, stand, turn, known)
    open_ = [n for n in turn.next if substitute(n.flag, after) is not FALSE]
    for n in open_:
        sure = substitute(n.flag, after) is TRUE
        then = Stand(n.phase, 1 - stand.seat if n.passes else stand.seat, first_colour, placed or stand.last)
        when = "" if sure or len(open_) == 1 else n.rule or _stays(rules, stand, n)
        yield Row(stand, turn.label, turn.rule, then, when, _unsaid(rules, stand, turn, n))


def _stays(rules: Rules, stand: Stand, n: Next) -> str:
    return f"{_family(rules, stand.phase)} {'goes on' if n.phase == stand.phase else 'is over'}"


def _placed_colour(rules: Rules, stand: Stand, turn: Turn, known: Mapping[str, Term]) -> str:
    """The colour of the piece that a turn places: `first`, `second`, or nothing."""
    placed = {c.name for c in turn.choices if c.role == "place"}
    sides = set()
    for name, update in turn.updates.items():
        read = substitute(update, known)
        if read.sort is Sort.SITES and read.names & placed and name != "last":
            sides.add(name.partition(".")[0])
    if len(sides) != 1 or not rules.words.colours:
        return ""
    seat = stand.seat if sides == {"mine"} else 1 - stand.seat
    return "first" if seat == (stand.first_colour or 0) else "second"


def _family(rules: Rules, phase: str) -> str:
    """The phase as the file names it: a turn of a script belongs to the script."""
    listed = rules.game.phases or {}
    return phase if phase in listed else phase.rpartition(" ")[0] or phase


def _unsaid(rules: Rules, stand: Stand, turn: Turn, following: Next) -> bool:
    """Whether another phase follows, and neither it nor what leads to it says who acts."""
    here, there = _family(rules, stand.phase), _family(rules, following.phase)
    if here == there or rules.seat_of_phase[following.phase] is not None:
        return False
    clause = (rules.game.phases or {}).get(here, PhaseClause.model_construct(then=None))
    listed = clause.then if isinstance(clause.then, list) else [clause.then] if isinstance(clause.then, Then) else []
    said = [t for t in listed if t.go == there and (t.rule or "") == following.rule]
    return not any(t.first is not None for t in said)


# -- as a table -------------------------------------------------------------------------------------------------------------------


def table(rules: Rules, variant: str, found: list[Row]) -> list[Follows]:
    """The rows, with picks that lead to the same joined."""
    joined: dict[tuple[Stand, str, Stand, str], list[str]] = {}
    for row in found:
        option = " ".join(row.label)
        stand = row.stand._replace(last="")
        key = (stand, row.rule, row.then._replace(last=""), row.when)
        joined.setdefault(key, [])
        if option not in joined[key]:
            joined[key].append(option)
    told = []
    for (stand, rule, then, when), options in joined.items():
        pick = f"{rule}: {' or '.join(options)}" if options != [""] else rule
        acts, follows = actor(rules, stand), actor(rules, then)
        told.append(
            Follows(variant=variant, phase=stand.phase, pick=pick, actor=acts, then=follows, in_phase=then.phase, only_if=when)
        )
    return told


def actor(rules: Rules, stand: Stand) -> Actor:
    """Who acts at a stand, in words."""
    colour = ""
    if stand.first_colour is not None:
        colour = rules.words.colours[0 if stand.seat == stand.first_colour else 1]
    return Actor(seat=rules.words.players[stand.seat], colour=colour)


def actors(rules: Rules, found: list[Row]) -> dict[str, Actor]:
    """Who acts in each phase that the walk comes to, as far as that is one player or one colour."""
    stands: dict[str, list[Actor]] = {rules.start_phase: []}
    for row in found:
        for stand in (row.stand, row.then):
            stands.setdefault(stand.phase, []).append(actor(rules, stand))
    told = {}
    for phase, listed in stands.items():
        seats, colours = {a.seat for a in listed}, {a.colour for a in listed}
        told[phase] = Actor(seat=seats.pop() if len(seats) == 1 else "either", colour=colours.pop() if len(colours) == 1 else "")
    return told
