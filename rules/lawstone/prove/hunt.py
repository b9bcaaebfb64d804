"""Looking for a game that shows something of a claim: that it is false, or that it says anything at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lawstone.core import TRUE, Scope, fold, swapped
from lawstone.engine import notation
from lawstone.engine.everyday import Everyday
from lawstone.engine.playout import Dice, random_move, stuck
from lawstone.engine.reference import Interpreter, Ints
from lawstone.engine.state import After, Picks, State
from lawstone.lower import Asked
from lawstone.prove.claims import Claim
from lawstone.prove.obligations import CONDITIONAL, statement
from lawstone.work import bounds

POSITIONS, GAMES, LOOKS = 1500, 150, 5000
"""Bounds of a search: positions ply by ply, then random games, and looks at a claim in these."""

What = Literal["violation", "premise"]


class Judge:
    """Tells by plain folding over ints whether a claim holds at a position or after a move: the meaning, without any solver."""

    def __init__(self, asked: Asked, claim: Claim) -> None:
        self.asked, self.claim = asked, claim
        self.ints = Ints(asked.rules.board)
        self.names = [v.name for v in asked.rules.variables]

    def at(self, state: State, what: What) -> bool:
        """Whether the position shows a violation, or that the premise of the claim is met."""
        terms = self.asked.here[state.phase]
        if self.claim.form not in CONDITIONAL or not any(n.startswith(f"{self.claim.id}/") for n in terms):
            return False
        told = statement(self.claim, terms)
        scope = Scope(dict(zip(self.names, state.values, strict=True)))
        return self._shows(told.holds, told.premise, scope, what)

    def after(self, before: State, move: Picks, reached: After, what: What) -> bool:
        """The same of a move."""
        claim, outcome = self.claim, reached.outcome
        if claim.in_.phases is not None and not any(
            before.phase == p or before.phase.startswith(f"{p} ") for p in claim.in_.phases
        ):
            return False
        if claim.form not in CONDITIONAL:
            ends = claim.never_ends or ([claim.soonest.ending] if claim.soonest else [])
            if what == "premise":
                return outcome is not None
            if outcome is None:
                return False
            stops = outcome.kind == "no rule" and claim.form in ("never_stuck", "never_drawn", "duties_met")
            return stops or outcome.rule in ends or (outcome.kind == "draw" and claim.form == "never_drawn")
        turn = self.asked.rules.phases[before.phase].turns[move.turn]
        if claim.about != "move" or len(move.sites) < len(turn.choices):
            return False
        told = statement(claim, self.asked.after[before.phase, move.turn])
        values = dict(zip(self.names, reached.state.values, strict=True))
        if outcome is None and reached.state.seat != before.seat:
            values = {n: values[swapped(n)] for n in self.names}
        picked = {c.name: s for c, s in zip(turn.choices, move.sites, strict=True)}
        return self._shows(told.holds, told.premise, Scope({**values, **picked}), what)

    def _shows(self, holds: object, premise: object, scope: Scope[int | bool], what: What) -> bool:
        if what == "violation":
            return not fold(holds, self.ints, scope)  # type: ignore[arg-type]
        return premise is TRUE or bool(fold(premise, self.ints, scope))  # type: ignore[arg-type]

    def shows(self, moves: Sequence[str], what: What) -> bool:
        """Whether a written game shows it at its end, replayed by the reference interpreter; ValueError if it cannot be played."""
        engine = Interpreter(self.asked.rules)
        state, seen = engine.start(), self.at(engine.start(), what)
        over = False
        for text in moves:
            found = [
                m
                for m in engine.moves(state)
                if notation.squeeze(notation.write(self.asked.rules, state, m)) == notation.squeeze(text)
            ]
            if over or len(found) != 1:
                raise ValueError(f"{text!r} cannot be played after {len(found)} legal moves are written so")
            reached = engine.play(state, found[0])
            seen = self.after(state, found[0], reached, what)
            over = reached.outcome is not None
            seen = seen or (not over and self.at(reached.state, what))
            state = reached.state
        if not over and not engine.moves(state):
            return seen or self.no_way_on(what)
        return seen

    def no_way_on(self, what: What) -> bool:
        """Whether a position without a legal move and without an ending is what is looked for."""
        return what == "premise" or self.claim.form in ("never_stuck", "never_drawn")


@dataclass(frozen=True)
class Hunted:
    """A game that shows it, if one was found; how far every position was looked at, and whether these were all."""

    moves: tuple[str, ...] | None
    shortest: bool
    plies: int
    complete: bool
    positions: int


def hunt(asked: Asked, claim: Claim, what: What, seed: int = 1, positions: int = POSITIONS, games: int = GAMES) -> Hunted:
    """Every position ply by ply up to a bound, then random games; the bounds are counts, so that a run repeats."""
    judge, engine = Judge(asked, claim), Everyday(asked.rules)
    start = engine.start()
    if judge.at(start, what):
        return Hunted((), True, 0, True, 1)
    came: dict[State, tuple[State, Picks] | None] = {start: None}
    layer, plies, complete = [start], 0, True

    def line(state: State, last: Picks | None) -> tuple[str, ...]:
        told = [] if last is None else [notation.write(asked.rules, state, last)]
        at = came[state]
        while at is not None:
            told.insert(0, notation.write(asked.rules, *at))
            at = came[at[0]]
        return tuple(told)

    while layer and complete:
        following: list[State] = []
        for state in layer:
            listed = engine.moves(state)
            if not listed and stuck(asked.rules, state) and judge.no_way_on(what):
                return Hunted(line(state, None), True, plies, True, len(came))
            bounds.check()
            for move in listed:
                reached = engine.play(state, move)
                if judge.after(state, move, reached, what):
                    return Hunted(line(state, move), True, plies + 1, True, len(came))
                if reached.outcome is None and reached.state not in came:
                    came[reached.state] = (state, move)
                    if judge.at(reached.state, what):
                        return Hunted(line(reached.state, None), True, plies + 1, True, len(came))
                    following.append(reached.state)
            if len(came) > positions:
                complete = False
                break
        if complete:
            plies += 1
        layer = following
    if complete:
        return Hunted(None, False, plies, True, len(came))
    found = _random(asked, engine, judge, what, seed, games)
    return Hunted(found, False, plies, False, len(came))


def _random(asked: Asked, engine: Everyday, judge: Judge, what: What, seed: int, games: int) -> tuple[str, ...] | None:
    looks = LOOKS
    for game in range(seed, seed + games):
        dice, state, told = Dice(game), engine.start(), list[str]()
        while looks > 0:
            move = random_move(engine, state, dice)
            if move is None:
                if judge.no_way_on(what):
                    return tuple(told)
                break
            bounds.check()
            told.append(notation.write(asked.rules, state, move))
            reached = engine.play(state, move)
            looks -= 1
            if judge.after(state, move, reached, what):
                return tuple(told)
            if reached.outcome is not None or len(told) > 400:
                break
            state = reached.state
            if judge.at(state, what):
                return tuple(told)
    return None
