"""Every answer of every question told apart: the earliest place where its game parts from the game as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.cases.answer import Asked
from lawstone.cases.make import Maker, Want
from lawstone.cases.sources import Plan
from lawstone.check.lockstep import Pair, Parting
from lawstone.check.search import Budget, search
from lawstone.engine.game import Game


def wants(maker: Maker, plan: Plan) -> Iterator[Want]:
    """A witness for each pair of readings, in the variant in which it is asked, and in the base game where in both."""
    for variant in maker.variants:
        for candidate, _ in maker.readings(variant):
            asked_in = maker.spec.question(candidate.question).in_
            if variant and asked_in in (None, "base"):
                continue
            yield from told_apart(maker.base(variant).game, candidate.game, variant, plan)


def told_apart(
    base: Game, other: Game, variant: str, plan: Plan, rules: tuple[str, ...] = (), flags: tuple[str, ...] = (), again: bool = True
) -> Iterator[Want]:
    """Vectors at the first place where two readings part, if one is found; with `again`, one more by chance from another seed."""
    if base.rules.meaning == other.rules.meaning:
        return
    pair = Pair(base, other)
    for seed in (plan.seed, plan.seed + 1) if again else (plan.seed,):
        first = seed == plan.seed
        budget = Budget(plan.pairs if first else 0, plan.games * (2 if first else 1), replays=plan.replays * 6, seed=seed)
        found = search(pair, budget)
        if found.parting is not None:
            yield from at(found.parting, variant, rules, flags)
        if found.exhausted or found.parting is None or found.parting.plies == 0:
            return


def at(parting: Parting, variant: str, rules: tuple[str, ...], flags: tuple[str, ...]) -> Iterator[Want]:
    """What to ask where two readings part."""
    moves = parting.moves
    match parting.level:
        case "legal moves":
            yield Want(variant, Asked(moves, "legal moves"), rules, flags)
            for only in (parting.only_a, parting.only_b):
                if only:
                    yield Want(variant, Asked(moves, "is legal", only[0]), rules, flags)
        case "position" if not moves:
            yield Want(variant, Asked(moves, "legal moves"), rules, flags)
        case "position":
            yield Want(variant, Asked(moves[:-1], "after", moves[-1]), rules, flags)
        case "player to move":
            yield Want(variant, Asked(moves, "who acts"), rules, flags)
        case _:
            yield Want(variant, Asked(moves, "outcome"), rules, flags)
