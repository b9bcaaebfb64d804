"""Every answer of every question told apart: the earliest place where its game parts from the game as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawstone.cases.answer import Asked
from lawstone.cases.coverage import Situation, Sought
from lawstone.cases.make import Candidate, Maker, Want
from lawstone.cases.recorded import Known, recorded
from lawstone.cases.sources import Plan
from lawstone.check.lockstep import Pair, Parting
from lawstone.check.search import Budget, search
from lawstone.check.solved import solved
from lawstone.engine.game import Game

GROUP = "answers to questions, told apart"


def wants(maker: Maker, plan: Plan) -> Iterator[Want | Sought]:
    """A witness for each pair of readings, in the variant in which it is asked, and in the base game where in both."""
    for variant in maker.variants:
        for candidate, _ in maker.readings(variant):
            asked_in = maker.spec.question(candidate.question).in_
            if variant and asked_in in (None, "base"):
                continue
            yield from of_question(maker, variant, candidate, plan)


def of_question(maker: Maker, variant: str, candidate: Candidate, plan: Plan) -> Iterator[Want | Sought]:
    """The vectors of one answer, and the answer as a situation."""
    base = maker.base(variant).game
    situation = Situation(GROUP, variant, f"question.{candidate.question}", candidate.answer)
    if base.rules.meaning == candidate.game.rules.meaning:
        events = (base.rules.game.events or []) != (candidate.game.rules.game.events or [])
        yield Sought(situation, "it differs in a declared event only; see there" if events else "the same core terms", not events)
        return
    known = recorded(base.spec, variant, "question", candidate.question, candidate.answer)
    never = known is not None and known.verdict == "same: proved"
    why = f"no difference was found in {plan.pairs} compared moves and {2 * plan.games} games"
    yield Sought(situation, f"on record: {known.verdict}, {known.how}" if known is not None and never else why, never)
    if never:
        return
    parting = on_record(base, candidate.game, known)
    if parting is not None:
        for want in at(parting, variant, (), ()):
            yield replace(want, shows=(situation,))
    else:
        for want in told_apart(base, candidate.game, variant, plan):
            yield replace(want, shows=(situation,))


def on_record(base: Game, other: Game, known: Known | None) -> Parting | None:
    """Where the game on record shows two readings to part; None where there is none, or it does not any more."""
    return None if known is None or known.moves is None else Pair(base, other).replay(known.moves)


def told_apart(
    base: Game, other: Game, variant: str, plan: Plan, rules: tuple[str, ...] = (), flags: tuple[str, ...] = (),
    again: bool = True,
) -> Iterator[Want]:  # fmt: skip
    """Vectors where two readings part: at the first place that a search of whole trees and by chance finds, else at one that a
    solver draws and a game reaches; and with `again` at one more that is met by chance, from another seed."""
    if base.rules.meaning == other.rules.meaning:
        return
    pair = Pair(base, other)
    for whole in (True, False) if again else (True,):
        seed = plan.seed + (not whole)
        budget = Budget(plan.pairs if whole else 0, plan.games * (2 if whole else 1), replays=plan.replays * 6, seed=seed)
        found = search(pair, budget)
        parting = found.parting
        if parting is None and whole and not found.exhausted:
            parting = solved(pair, plan.seed)
        if parting is not None:
            yield from at(parting, variant, rules, flags)
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
