"""Redundant words: each condition and each limit of a clause taken away in turn, and the question whether play changes.

The cheapest way first: the same core terms; a few games of both side by side; every position that fulfils the proved facts, one
query a turn; more games. Where play is proved the same, the words say nothing that the rest does not say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from pydantic import BaseModel

from lawstone.check.lines import Bench
from lawstone.check.lockstep import Pair
from lawstone.check.report import Concern
from lawstone.check.search import WAYS, Budget, Search, by_chance, one_game, whole_tree
from lawstone.check.settle import Effort, lemmas_of, settle
from lawstone.constructs.wrong import raw
from lawstone.engine.game import Game
from lawstone.engine.playout import Dice
from lawstone.lower import Rules
from lawstone.model.changes import copied
from lawstone.model.conditions import Count, Either, Every, HasLine, HasShape
from lawstone.model.faults import BadInput
from lawstone.model.game import EndingClause, LineShape, PictureShape, Then
from lawstone.model.game import Game as GameFile
from lawstone.model.parts import below
from lawstone.model.sites import AllOf, AnyOf, SitesClause
from lawstone.model.steps import Move, Setting, StepClause, Taking, Worth
from lawstone.model.tree import Loc, place_of
from lawstone.prove import free

PAIRS, GAMES, MORE = 1_200, 8, 40
"""Move results compared ply by ply, games by chance before the solver is asked, and after it (compiled, many times as many)."""
CONFLICTS = 20_000
"""Conflicts of the solver for one turn."""


@dataclass(frozen=True)
class Removal:
    """Words that can be taken away: the way to them, the rule that they belong to, the path inside its clause, and the words."""

    loc: Loc
    rule: str
    path: str
    words: str

    @property
    def name(self) -> str:
        """What names it in a game."""
        return f"redundant/{self.rule}/{self.path}"


def removals(game: GameFile) -> list[Removal]:
    """Every part of a game file that stands beside others and can be left out, in the order of the file."""
    found: dict[str, Removal] = {}
    parts = dict(below(game))
    for loc, part in parts.items():
        for tail, value in _optional(part):
            where = (*loc, *tail)
            rule, path = _home(parts, where)
            removal = Removal(where, rule, path, _words(tail, value))
            found.setdefault(removal.name, removal)
    return list(found.values())


@singledispatch
def _optional(part: BaseModel) -> Iterator[tuple[Loc, Any]]:
    """The way, inside a part, to each thing that may be left out of it, with what stands there."""
    yield from ()


def _given(part: BaseModel, *keys: str) -> Iterator[tuple[Loc, Any]]:
    written = raw(part)
    for key in keys:
        if written.get(key) not in (None, False):
            yield (key,), written[key]


def _entries(part: BaseModel, key: str) -> Iterator[tuple[Loc, Any]]:
    listed = raw(part)[key]
    if len(listed) > 1:
        yield from (((key, i), x) for i, x in enumerate(listed))


@_optional.register
def _(part: SitesClause) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "if", "and", "but not", "outside", "such that")
    if isinstance(part, AllOf | AnyOf):
        yield from _entries(part, part.KEY)


@_optional.register
def _(part: Every) -> Iterator[tuple[Loc, Any]]:
    yield from _entries(part, "all of")


@_optional.register
def _(part: Either) -> Iterator[tuple[Loc, Any]]:
    yield from _entries(part, "any of")


@_optional.register
def _(part: StepClause) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "needs", "when", "optional")
    if isinstance(part, Setting):
        yield from _given(part, "if fewer")
    if isinstance(part, Move):
        yield from _given(part, "displaces")
    if isinstance(part, Taking):
        yield from _given(part, "up to")
        yield from _given(part, *(() if part.if_fewer == "take from" else ("if fewer",)))


@_optional.register
def _(part: Worth) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "formed by", "stack")


@_optional.register
def _(part: HasLine) -> Iterator[tuple[Loc, Any]]:
    yield from (((part.KEY, *loc), value) for loc, value in _given(part.line, "through", "past"))


@_optional.register
def _(part: HasShape) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "through")
    if not isinstance(part.shape, str):
        yield from _entries(part, "shape")


@_optional.register
def _(part: Count) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "with hand")
    bounds = list(_given(part, "at least", "at most"))
    yield from bounds if len(bounds) > 1 else []


@_optional.register
def _(part: LineShape) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "ends", "avoids")


@_optional.register
def _(part: PictureShape) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "fixed")


@_optional.register
def _(part: EndingClause) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "in")


@_optional.register
def _(part: Then) -> Iterator[tuple[Loc, Any]]:
    yield from _given(part, "if")


def _home(parts: dict[Loc, BaseModel], loc: Loc) -> tuple[str, str]:
    """The rule that words belong to, the innermost one around them, and the path to them inside its clause."""
    for n in range(len(loc) - 1, -1, -1):
        rule = getattr(parts.get(loc[:n]), "rule", None)
        if rule:
            return rule, ".".join(map(str, loc[n:]))
    return str(loc[0]), ".".join(map(str, loc[1:]))


def _words(tail: Loc, value: Any) -> str:
    key = next((x for x in reversed(tail) if isinstance(x, str)), "")
    return flow(value) if isinstance(tail[-1], int) else f"{key}: {flow(value)}"


def flow(value: Any) -> str:
    """A value as it could be written on one line of a game file."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


# -- settled ----------------------------------------------------------------------------------------------------------------------


def redundant(bench: Bench) -> Iterator[Concern]:
    """Whether the words that can be taken away change play. In a variant only the words that its base does not have are asked
    about."""
    spec = bench.game.spec
    file = spec.file(bench.variant)[0]
    inherited: set[tuple[str, str]] = set()
    if bench.variant:
        parent = (spec.game.variants or {})[bench.variant].based_on or ""
        inherited = {(r.name, r.words) for r in removals(spec.file(parent)[0])}
    for removal in removals(file):
        if (removal.name, removal.words) in inherited:
            continue
        changed = without(bench, removal)
        if changed is not None:
            yield _settle(bench, removal, changed)


def without(bench: Bench, removal: Removal) -> Rules | None:
    """The rules with the words taken away; None where what is left means nothing."""
    spec = bench.game.spec
    board = bench.board
    tree = copied(spec.file(bench.variant, None, board)[1])
    path = place_of(tree, removal.loc).path
    inner = tree
    for key in path[:-1]:
        inner = inner[key]
    try:
        del inner[path[-1]]
        return spec.rules_of(tree, bench.variant)
    except (BadInput, KeyError):
        return None


def _settle(bench: Bench, removal: Removal, changed: Rules) -> Concern:
    told: dict[str, Any] = {"kind": "redundant", "name": removal.name, "rules": [removal.rule]}
    words = f"{removal.rule}: the words `{removal.words}`"
    idle = {**told, "what": f"{words} change nothing", "verdict": "finding", "by": "proof"}
    plain = bench.game.rules
    if plain.meaning == changed.meaning:
        form = {**idle, "verdict": "harmless", "by": "form"}
        return bench.concern(**form, how="without them the rules lower to the same core terms")
    pair = Pair(bench.game, Game(bench.game.spec, changed))
    used = {**told, "what": f"{words} matter", "verdict": "none", "by": "game"}
    found = Search()
    whole_tree(pair, Budget(pairs=PAIRS), found)
    if found.parting is not None:
        return bench.concern(**used, how=f"without them play parts at ply {found.parting.plies} ({found.parting.level})")
    if found.exhausted:
        return bench.concern(**idle, how=f"all games were compared without them, to ply {found.whole}")
    plies = _parts(pair, bench.budget, 0, GAMES)
    if plies is not None:
        return bench.concern(**used, how=f"without them a game by chance parts at ply {plies}")
    why_not = free.comparable(plain, changed)
    if not why_not:
        lemmas = lemmas_of(plain)
        same = free.compare(plain, changed, lemmas, reasons=True, conflicts=CONFLICTS)
        if same.same:
            alive = f"; no legal move at all in {', '.join(same.vacuous)}" if same.vacuous else ""
            how = f"{bench.facts} tells the rules from those without them (one query a turn){alive}"
            if removal.words == "empty" and "to" in removal.loc:
                return bench.concern(**{**idle, "verdict": "harmless"}, how=f"{how}: a target must be free in any case")
            return bench.concern(**idle, how=how)
    if bench.seconds > 0:
        done = settle(pair, Effort(bench.budget, bench.seconds))
        if done.verdict == "same: proved":
            return bench.concern(**idle, how=done.how)
        if done.parting is not None:
            return bench.concern(**used, how=f"without them play parts at ply {done.parting.plies} ({done.parting.level})")
        return bench.concern(**told, what=f"{words} may change nothing", verdict="open", by="bound", how=done.how)
    chance = Search()
    line = by_chance(pair, replace(bench.budget, games=MORE), chance)
    if line is not None:
        return bench.concern(**used, how=f"without them a game by chance parts at ply {len(line)}")
    bound = f"no game up to ply {found.whole}, and none of {chance.games + GAMES} by chance, parts without them"
    bound += (
        f"; not compared on all positions: {why_not}" if why_not else "; some well-formed position parts, which no game may reach"
    )
    return bench.concern(**told, what=f"{words} may change nothing", verdict="open", by="bound", how=bound)


def _parts(pair: Pair, budget: Budget, first: int, last: int) -> int | None:
    """The ply at which one of some games by chance parts, if one does."""
    for n in range(first, last):
        line = one_game(pair, WAYS[n % len(WAYS)], Dice(budget.seed * 1_000_003 + n), budget.plies, Search())
        if line is not None:
            return len(line)
    return None
