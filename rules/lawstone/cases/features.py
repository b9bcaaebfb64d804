"""What is to be seen at a place of a game: which conditions hold, how much there is to pick from, which way is in force,
how it ends.

A feature is a tuple: its kind, the rule that it is about, and what tells it from others of that kind. `possible` lists every
feature that the form of a game has, whether any game shows it or not; `Eyes` sees those that a place shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawstone.cases.probe import Flags, Probe, Stage, fixed
from lawstone.core import Turn
from lawstone.engine.game import Game
from lawstone.engine.state import Outcome, Picks, State

Feature = tuple[Any, ...]
STRAIGHT = ("north", "east", "south", "west")
PLACES = ("corner", "rim", "inside")
ALONE = "alone"
FEW: tuple[str, ...] = ("none", "one", "more")
"""How much there is to pick from where one site is due."""
MANY: tuple[str, ...] = ("nothing due", "none", "one too few", "exactly enough", "more")
"""The same where a number is due."""


def where_stands(game: Game, site: int) -> str:
    """`corner`, `rim` or `inside`."""
    board = game.rules.board
    straight = [d for d in STRAIGHT if d in board.steps and board.steps[d][site] is not None]
    return "corner" if len(straight) <= 2 else "rim" if len(straight) == 3 else "inside"


class Eyes:
    """Sees the features of places of one game."""

    def __init__(self, game: Game) -> None:
        self.game, self.probe = game, Probe(game.rules)
        board = game.rules.board
        self.where = [where_stands(game, s) for s in range(board.size)]
        self.rims = [[d for d in STRAIGHT if d in board.steps and board.steps[d][s] is None] for s in range(board.size)]
        beside = [[board.steps[d][s] for d in STRAIGHT if d in board.steps] for s in range(board.size)]
        self.beside = [board.mask(t for t in row if t is not None) for row in beside]
        names = [v.name for v in game.rules.variables]
        self.index = {n: i for i, n in enumerate(names)}
        self.pieces = [(n, i) for n, i in self.index.items() if n.rpartition(".")[2] in game.tokens]
        self.hands = [i for n, i in self.index.items() if n.startswith("mine.hand ")]
        self.other_hands = [i for n, i in self.index.items() if n.startswith("theirs.hand ")]
        self.taken = [(n, i) for n, i in self.index.items() if "captured" in n]
        self.events = bool(game.rules.game.events)
        self.full = (1 << board.size) - 1

    # -- a position ---------------------------------------------------------------------------------------------------------------

    def of_position(self, state: State, ways: int) -> Iterator[Feature]:
        """The features of a position before anything is picked; `ways` is the number of legal moves."""
        turns = self.probe.phases[state.phase]
        if self.events:
            yield "decision", turns[0].turn.rule, state.phase, state.seat, 0
        for probed in turns:
            yield from sides(probed.guard, state.values)
            guard = probed.guard.holds(*state.values)
            if probed.stages and (not guard or guard[-1]):
                yield from self._stage(state, probed.turn, probed.stages[0], ())
        if ways <= 1:
            yield "moves", turns[0].turn.rule, "none" if ways == 0 else "one"

    def _stage(self, state: State, turn: Turn, stage: Stage, made: tuple[int, ...]) -> Iterator[Feature]:
        values = (*state.values, *made)
        yield from sides(stage.flags, values)
        among, due = stage.amounts(*values)
        rule = stage.choice.rule
        yield "options", rule, amount(stage, among.bit_count(), due), state.phase
        if stage.lines:
            offers = stage.offers(*values)
            pivot = self._pivot(state, turn, made)
            closed: set[str] = set()
            for line, offer in zip(stage.lines, offers, strict=True):
                if offer and line.rule not in closed:
                    closed.add(line.rule)
                    for where, company in pivot:
                        yield "line", rule, line.entry, line.number, where, company

    def _pivot(self, state: State, turn: Turn, made: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        """Where the piece stands that a pick starts from (the last site picked, or the single piece of its kind), and what is
        beside it."""
        ones = [m for m in made if m.bit_count() == 1]
        single = [int(state.values[i]) for n, i in self.pieces if turn.label and n.endswith(" " + turn.label[-1]) and "." not in n]
        last = int(state.values[self.index["last"]]) if "last" in self.index else 0
        mask = ones[-1] if ones else single[0] if single else last
        if mask.bit_count() != 1:
            return
        site = mask.bit_length() - 1
        company = sorted({kind_of(n) for n, i in self.pieces if int(state.values[i]) & self.beside[site] & ~mask})
        for name in company or [ALONE]:
            yield self.where[site], name

    # -- a move -------------------------------------------------------------------------------------------------------------------

    def of_move(self, state: State, move: Picks, after: State, outcome: Outcome | None) -> Iterator[Feature]:
        """The features of a move: of each pick but the first, and of what is judged after it."""
        probed = self.probe.phases[state.phase][move.turn]
        for n in range(1, min(len(move.sites) + 1, len(probed.stages))):
            if self.events and n < len(move.sites) and probed.stages[n - 1].choice.role != "from" and move.sites[n]:
                yield "decision", probed.stages[n].choice.rule, state.phase, state.seat, n
            yield from self._stage(state, probed.turn, probed.stages[n], move.sites[:n])
        if len(move.sites) < len(probed.stages):
            yield "stuck", probed.stages[len(move.sites)].choice.rule, state.phase
            return
        values = (*self.probe.as_mover(state, after), *move.sites)
        yield from sides(probed.after.flags, values)
        whole = probed.after.whole(*values)
        site = self.site(probed.turn, move)
        if any(whole):
            yield from self._ended(state, probed.turn, whole, values, site)
        yield from self._ways(probed.turn, probed.after, whole, values, site)
        if outcome is None and after.phase != state.phase:
            yield from self._changed(state, probed.turn, after, values)

    def site(self, turn: Turn, move: Picks) -> int | None:
        """The site of the piece that a move placed or moved."""
        put = [m for c, m in zip(turn.choices, move.sites, strict=False) if c.role in ("place", "to") and m.bit_count() == 1]
        return put[-1].bit_length() - 1 if put else None

    def _ended(
        self, state: State, turn: Turn, whole: tuple[bool, ...], values: tuple[Any, ...], site: int | None
    ) -> Iterator[Feature]:
        true = [e.rule for e, holds in zip(turn.endings, whole, strict=True) if holds]
        for n, rule in enumerate(true):
            yield "ends", rule, state.phase, state.seat
            yield "latest", rule
            if site is not None:
                yield "ends at", rule, self.where[site]
                for rim in self.rims[site]:
                    yield "ends at", rule, rim
            if self.hands and not any(values[i] for i in self.hands):
                yield "last piece", rule
            if self._occupied(values) == self.full:
                yield "full board", rule
            for other in true[n + 1 :]:
                yield "together", rule, other

    def _ways(
        self, turn: Turn, after: Any, whole: tuple[bool, ...], values: tuple[Any, ...], site: int | None
    ) -> Iterator[Feature]:
        """By which line an ending holds, how long it is, whether two hold at once, and whether an exception keeps it from it."""
        found, kept = after.found(*values), after.kept(*values)
        by: dict[int, int] = {}
        for (ending, way), sites, would in zip(after.ways, found, kept, strict=True):
            rule = turn.endings[ending].rule
            if sites and whole[ending]:
                by[ending] = by.get(ending, 0) + 1
                for rim in (self.rims[site] or ["inside"]) if site is not None else ():
                    yield "way", rule, way, rim
                if sites.bit_count() > 1:
                    yield "longer", rule
            elif would and not sites:
                yield "kept", rule
        for ending, ways in by.items():
            if ways > 1:
                yield "two ways", turn.endings[ending].rule

    def _occupied(self, values: tuple[Any, ...]) -> int:
        found = 0
        for _, i in self.pieces:
            found |= int(values[i])
        return found

    def _changed(self, state: State, turn: Turn, after: State, values: tuple[Any, ...]) -> Iterator[Feature]:
        """A change of phase, and what is pending at it: pieces in hand, captures made."""
        passes = after.seat != state.seat
        branches = [n for n in turn.next if n.phase == after.phase and n.passes == passes]
        rule = branches[0].rule if branches else turn.rule
        yield "phase", rule or turn.rule, state.phase, after.phase, passes
        pending = []
        if self.hands:
            mine, theirs = (any(values[i] for i in hands) for hands in (self.hands, self.other_hands))
            pending.append("pieces in hand" if mine or theirs else "both hands empty")
        if any(values[i] for _, i in self.taken):
            pending.append("something captured")
        elif self.taken:
            pending.append("nothing captured")
        for what in pending:
            yield "pending", rule or turn.rule, state.phase, after.phase, what


def sides(flags: Flags, values: tuple[Any, ...]) -> Iterator[Feature]:
    """Each condition with the side on which it is."""
    for c, side in zip(flags.conditions, flags.holds(*values), strict=True):
        yield "holds" if side else "fails", c.rule, c.role, c.number


def kind_of(variable: str) -> str:
    """A kind of piece as the player who acts sees it: `own stone`, `enemy stone`, `totem`."""
    side, dot, piece = variable.rpartition(".")
    piece = piece.split()[0]
    return {"mine": f"own {piece}", "theirs": f"enemy {piece}"}.get(side, piece) if dot else piece


def amount(stage: Stage, there: int, due: int) -> str:
    """How much there is to pick from."""
    if fixed(stage.choice):
        return FEW[min(there, 2)]
    if due == 0:
        return "nothing due"
    if there >= due:
        return "exactly enough" if there == due else "more"
    return "one too few" if there == due - 1 and there else "none" if not there else "more than one too few"


def possible(eyes: Eyes) -> Iterator[Feature]:
    """Every feature that the form of a game has, once; those that no game shows are among them."""
    seen: set[Feature] = set()
    for feature in _possible(eyes):
        if feature not in seen:
            seen.add(feature)
            yield feature


def _possible(eyes: Eyes) -> Iterator[Feature]:
    rules, probe = eyes.game.rules, eyes.probe
    for c in probe.conditions:
        for side in ("holds", "fails"):
            yield side, c.rule, c.role, c.number
    company = [ALONE, *dict.fromkeys(kind_of(n) for n, _ in eyes.pieces)]
    places = [p for p in PLACES if p in eyes.where]
    seats = rules.seat_of_phase
    for phase, turns in probe.phases.items():
        who = (0, 1) if seats.get(phase) is None else (seats[phase],)
        for seat in who if eyes.events else ():
            yield "decision", turns[0].turn.rule, phase, seat, 0
        for probed in turns:
            for n, stage in enumerate(probed.stages):
                for seat in who if eyes.events and n and probed.stages[n - 1].choice.role != "from" else ():
                    yield "decision", stage.choice.rule, phase, seat, n
                for told in amounts(stage):
                    yield "options", stage.choice.rule, told, phase
                for line in stage.lines:
                    for where in places:
                        for name in company:
                            yield "line", stage.choice.rule, line.entry, line.number, where, name
            yield from _endings(eyes, probed.turn, phase, who)
            for (ending, way), excepted in zip(probed.after.ways, probed.after.excepted, strict=True):
                rule = probed.turn.endings[ending].rule
                for rim in (*STRAIGHT, "inside"):
                    yield "way", rule, way, rim
                yield "longer", rule
                if excepted:
                    yield "kept", rule
                if len({w for e, w in probed.after.ways if e == ending}) > 1:
                    yield "two ways", rule
            for following in probed.turn.next:
                if following.phase != phase:
                    rule = following.rule or probed.turn.rule
                    yield "phase", rule, phase, following.phase, following.passes
                    for what in ("pieces in hand", "both hands empty") if eyes.hands else ():
                        yield "pending", rule, phase, following.phase, what
                    for what in ("something captured", "nothing captured") if eyes.taken else ():
                        yield "pending", rule, phase, following.phase, what


def _endings(eyes: Eyes, turn: Turn, phase: str, seats: tuple[int | None, ...]) -> Iterator[Feature]:
    places = any(c.role in ("place", "to") for c in turn.choices)
    for n, ending in enumerate(turn.endings):
        for seat in seats:
            yield "ends", ending.rule, phase, seat
        yield "latest", ending.rule
        if places:
            for where in (*(p for p in PLACES if p in eyes.where), *STRAIGHT):
                yield "ends at", ending.rule, where
        if eyes.hands:
            yield "last piece", ending.rule
        yield "full board", ending.rule
        for other in turn.endings[n + 1 :]:
            yield "together", ending.rule, other.rule


def amounts(stage: Stage) -> tuple[str, ...]:
    """How much there may be to pick from, in words."""
    if fixed(stage.choice):
        return FEW
    least, most = stage.choice.count.low, stage.choice.count.high
    return tuple(
        a for a in MANY if not (a == "nothing due" and least > 0) and not (a in ("one too few",) and most < 2)
    )  # fmt: skip


def in_words(feature: Feature) -> str:
    """A feature in a few words, apart from its rule."""
    kind, _, *rest = feature
    match kind:
        case "condition" | "holds" | "fails":
            part = {"guard": "of the guard", "pick": "of the pick", "ending": "of the ending", "next": "of what follows"}[rest[0]]
            return f"condition {rest[1] + 1} {part}{'' if kind == 'condition' else ' ' + kind}"
        case "options":
            return f"{rest[0]} to pick from, in phase {rest[1]}"
        case "line":
            return f"{rest[0]} (entry {rest[1] + 1}) in force, {rest[2]}, {rest[3] if rest[3] == ALONE else 'beside ' + rest[3]}"
        case "ends":
            return f"ends phase {rest[0]}, brought about by the {('first', 'second')[rest[1]]} player"
        case "latest":
            return "as late as it was met"
        case "ends at":
            return f"ends with a piece {_at(rest[0])}"
        case "way":
            return f"by line {rest[0] + 1}, its last piece {_at(rest[1])}"
        case "together":
            return f"together with {rest[0]}"
        case "phase":
            return f"from {rest[0]} to {rest[1]}, {'the other player acts' if rest[2] else 'the same player acts'}"
        case "pending":
            return f"from {rest[0]} to {rest[1]} with {rest[2]}"
        case "moves":
            return f"{rest[0]} legal move"
        case "stuck":
            return f"a duty that cannot be met, in phase {rest[0]}"
    return {
        "longer": "by a run longer than it need be, or by two runs", "two ways": "by two lines at once",
        "kept": "an exception keeps it from holding", "last piece": "by the last piece in hand",
        "full board": "on a full board",
    }.get(str(kind), str(kind))  # fmt: skip


def _at(place: str) -> str:
    return "inside" if place == "inside" else f"at the {place}" if place in PLACES else f"at the {place} rim"
