"""Where two versions of a game part: the earliest position, along random games of the first, that they answer differently."""

from __future__ import annotations

from dataclasses import dataclass

from lawstone.engine.game import Game, MoveError, Position
from lawstone.engine.playout import Dice, random_move
from lawstone.model.changes import clauses
from lawstone.model.faults import BadInput
from lawstone.spec import Spec

SEEDS, PLIES, MOST_MOVES = 24, 60, 4000


@dataclass
class Parting:
    """Both versions after the same moves, and the moves that only one of them allows there."""

    moves: list[str]
    first: Position
    second: Position
    only_first: set[str]
    only_second: set[str]


def _count(game: Game, position: Position) -> int:
    engine = game.engine
    return sum(o[0] for o in engine.options[engine.index[position.state.phase]](*position.state.values))


def _told(position: Position) -> tuple[str, int | None] | None:
    """How the game stands: what kind of end, and who won."""
    return None if position.ended is None else (position.ended.kind, position.ended.winner)


def by_rule(old: Spec, new: Spec) -> dict[str, Parting]:
    """For each rule whose clause differs in two versions of a game: where the old game parts from itself with the new clause.

    A rule whose new clause makes no sense in the old game, or that no random game tells apart, is left out.
    """
    before, after = ({c["rule"]: c for c in clauses(spec.document.tree)} for spec in (old, new))
    found = {}
    for rule in (r for r in before if r in after and before[r] != after[r]):
        keys = [k for k in {**before[rule], **after[rule]} if before[rule].get(k) != after[rule].get(k)]
        try:
            rules = old.rules_with({rule: {k: after[rule].get(k) for k in keys}})
        except BadInput:
            continue
        if (parting := find(Game(old, old.rules()), Game(old, rules))) is not None:
            found[rule] = parting
    return found


def find(one: Game, other: Game, seed: int = 1) -> Parting | None:
    """The earliest parting that the random games meet: legal moves, the player to act, or the outcome; None if they meet none."""
    best: Parting | None = None
    for n in range(SEEDS):
        dice, a, b, played = Dice(seed * 7919 + n), one.start(), other.start(), list[str]()
        while len(played) < (PLIES if best is None else len(best.moves)):
            if a.ended is not None or b.ended is not None:
                if _told(a) != _told(b):
                    best = Parting(list(played), a, b, set(), set())
                break
            if _count(one, a) > MOST_MOVES or _count(other, b) > MOST_MOVES:
                break
            mine, theirs = {m.text for m in a.moves}, {m.text for m in b.moves}
            if mine != theirs or a.actor != b.actor:
                best = Parting(list(played), a, b, mine - theirs, theirs - mine)
                break
            move = random_move(one.engine, a.state, dice)
            if move is None:
                break
            text = next(m.text for m in a.moves if m.picks == move)
            try:
                a, b = a.play(text), b.play(text)
            except MoveError:
                break
            played.append(text)
        if best is not None and not best.moves:
            break
    return best
