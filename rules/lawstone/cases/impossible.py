"""Which situations that no game showed cannot come about at all: proved by a solver, for every reachable position.

What is asked is whether any position that fulfils the facts proved by induction, with any legal move, shows the feature. "No" is a
proof that no game does; "yes" proves nothing, since such a position need not be reachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from lawstone.cases.features import ALONE, MANY, STRAIGHT, Eyes, Feature, kind_of
from lawstone.cases.probe import Flags, Probed, Stage, fixed
from lawstone.core import Scope, Term, fold
from lawstone.prove.ask import Asking
from lawstone.prove.bits import Size
from lawstone.prove.deeper import deeper
from lawstone.prove.encode import Model, Taken, Values

CONFLICTS = 20_000
"""Conflicts after which a question is given up."""
HOW = "cannot come about: proved for all reachable positions, from facts shown by induction"


def impossible(eyes: Eyes, features: Iterable[Feature]) -> dict[Feature, str]:
    """Those of some features that no reachable position shows, with how that is known."""
    left = [f for f in features if f[0] not in ("latest", "decision", "moves", "kept")]
    if not left:
        return {}
    phases = [
        _Asked(eyes, name, probed) for name, turns in eyes.probe.phases.items() for probed in turns
    ]  # fmt: skip
    found = {}
    for feature in left:
        places = [(asked, literal) for asked in phases for literal in asked.literals(feature)]
        if places and all(asked.refuted(literal) for asked, literal in places):
            found[feature] = HOW
    for asked in phases:
        asked.asking.close()
    return found


class _Asked:
    """One turn of one phase: a position under the proved facts, and a move."""

    def __init__(self, eyes: Eyes, phase: str, probed: Probed) -> None:
        self.eyes, self.phase, self.probed = eyes, phase, probed
        rules = eyes.game.rules
        self.model = model = Model(rules)
        self.values: Values = model.free(phase)
        self.taken: Taken = model.take(probed.turn, self.values, phase)
        self.picked = {c.name: p for c, p in zip(probed.turn.choices, self.taken.picks, strict=True)}
        self.asking = Asking(model.circuit)
        lemmas = deeper(rules)
        known = (model.assumed(self.values), model.room(self.values), lemmas.literal(model, phase, self.values))
        self.asking.must([*model.must, *known])
        self.here: Scope[Any] = Scope(dict(self.values))
        self.after: Scope[Any] = Scope({**self.taken.after, **self.picked})

    def refuted(self, literal: int) -> bool:
        """Whether no position and move make the literal hold."""
        if literal == -1:
            return True
        self.asking.add([literal])
        return self.asking.ask([literal], CONFLICTS).verdict == "no"

    @cached_property
    def _counted(self) -> int:
        """What follows by counting of the position after the move, where that is proved to be well formed."""
        broken = self.model.circuit.both(self.taken.legal, -self.model.well_formed(self.taken.after))
        return self.model.implied(self.taken.after) if self.refuted(broken) else 1

    # -- literals -----------------------------------------------------------------------------------------------------------------

    def literals(self, feature: Feature) -> Iterator[int]:
        """Literals of which one holds wherever this turn shows a feature; none where it never does."""
        kind, rule, *rest = feature
        c, whole = self.model.circuit, self.taken.legal
        match kind:
            case "holds" | "fails":
                yield from self._conditions(feature)
            case "options" | "line":
                for n, stage in enumerate(self.probed.stages):
                    if stage.choice.rule == rule:
                        yield from self._stage(n, stage, feature)
            case "stuck":
                if rest[0] == self.phase:
                    yield from (
                        c.both(self.taken.prefixes[n], self.taken.stuck[n])
                        for n, s in enumerate(self.probed.stages) if s.choice.rule == rule and (n or self.probed.turn.label)
                    )  # fmt: skip
            case "phase" | "pending":
                if rest[0] == self.phase:
                    yield from self._changed(feature)
            case _:
                for n, ending in enumerate(self.probed.turn.endings):
                    if ending.rule == rule and not (kind == "ends" and rest[0] != self.phase):
                        flag = fold(ending.flag, self.model.bits, self.after)
                        yield c.all((whole, flag, self._of_ending(n, feature)))

    def _conditions(self, feature: Feature) -> Iterator[int]:
        side, rule, role, number = feature
        c, probed = self.model.circuit, self.probed
        places: list[tuple[Flags, Scope[Any], int]] = []
        if role == "guard":
            places = [(probed.guard, self.here, 1)]
        elif role == "pick":
            places = [(s.flags, self._scope(n), self.taken.prefixes[n]) for n, s in enumerate(probed.stages)]
        else:
            places = [(probed.after.flags, self.after, self.taken.legal)]
        for flags, scope, under in places:
            for condition, term in zip(flags.conditions, flags.terms, strict=True):
                if (condition.role, condition.rule, condition.number) == (role, rule, number):
                    flag = self._fold(term, scope)
                    yield c.both(under, flag if side == "holds" else -flag)

    def _fold(self, term: Term, scope: Scope[Any]) -> Any:
        return fold(term, self.model.bits, scope)

    def _scope(self, made: int) -> Scope[Any]:
        picked = dict(list(self.picked.items())[:made])
        return Scope({**self.values, **picked})

    def _stage(self, n: int, stage: Stage, feature: Feature) -> Iterator[int]:
        c, scope, under = self.model.circuit, self._scope(n), self.taken.prefixes[n]
        if feature[0] == "options":
            if feature[3] == self.phase:
                size, due = Size(c, self._fold(stage.choice.among, scope)), self._fold(stage.choice.count, scope)
                yield c.both(under, self._amount(stage, size, due, feature[2]))
            return
        _, _, entry, number, where, company = feature
        closed: list[int] = []
        for line, term in zip(stage.lines, stage.terms, strict=True):
            offers = c.any(self._fold(term, scope))
            if (line.entry, line.number) == (entry, number):
                yield c.all((under, offers, *(-x for x in closed), self._pivot(n, where, company)))
            closed.append(offers)

    def _amount(self, stage: Stage, size: Any, due: Any, told: str) -> int:
        c, bits = self.model.circuit, self.model.bits
        if fixed(stage.choice):
            return int({"none": -size.at_least(1), "one": c.both(size.at_least(1), -size.at_least(2))}.get(told, size.at_least(2)))
        assert told in MANY or told == "more than one too few"
        one, some = bits.number(1), due.at_least(1)
        enough = bits.at_most(due, size)
        match told:
            case "nothing due":
                return int(-some)
            case "none":
                return int(c.both(some, -size.at_least(1)))
            case "one too few":
                return int(c.all((-enough, size.at_least(1), bits.at_most(due, bits.plus(size, one)))))
            case "exactly enough":
                return int(c.all((some, enough, bits.at_most(size, due))))
            case "more":
                return int(c.all((some, bits.at_most(bits.plus(due, one), size))))
        return 1

    def _pivot(self, n: int, where: str, company: str) -> int:
        """Where the piece stands that a pick starts from, and what is beside it."""
        c, eyes = self.model.circuit, self.eyes
        turn, board = self.probed.turn, eyes.game.rules.board
        if n:
            pivot = self.taken.picks[n - 1]
        else:
            names = [v for v, _ in eyes.pieces if turn.label and v.endswith(" " + turn.label[-1]) and "." not in v]
            pivot = self.values[names[0]] if names else self.values.get("last", (1,) * board.size)
        found = []
        for site in range(board.size):
            if eyes.where[site] != where:
                continue
            near = [t for d in STRAIGHT if d in board.steps and (t := board.steps[d][site]) is not None]
            there = [self.values[v][t] for t in near for v, _ in eyes.pieces if company in (ALONE, kind_of(v))]
            beside = c.any(there)
            found.append(c.both(pivot[site], -beside if company == ALONE else beside))
        return int(c.any(found))

    def _of_ending(self, n: int, feature: Feature) -> int:
        c, eyes, after = self.model.circuit, self.eyes, self.taken.after
        kind, _, *rest = feature
        match kind:
            case "last piece":
                return int(c.all(-after[v].at_least(1) for v in after if v.startswith("mine.hand ")))
            case "full board":
                full = c.all(self.model.bits.either(*(after[v] for v, _ in eyes.pieces)))
                return int(c.both(full, self._counted))
            case "together":
                flags = [self._fold(e.flag, self.after) for e in self.probed.turn.endings if e.rule == rest[0]]
                return int(c.any(flags))
            case "ends at":
                return self._put(lambda s: rest[0] in (eyes.where[s], *eyes.rims[s]))
            case "way" | "longer" | "two ways":
                return self._ways(n, feature)
        return 1

    def _put(self, here: Any) -> int:
        """The piece that the move placed or moved stands on a site of some kind."""
        put = [p for ch, p in zip(self.probed.turn.choices, self.taken.picks, strict=True) if ch.role in ("place", "to")]
        return int(self.model.circuit.any(x for s, x in enumerate(put[-1]) if here(s))) if put else -1

    def _ways(self, n: int, feature: Feature) -> int:
        c, after = self.model.circuit, self.probed.after
        kind, _, *rest = feature
        sets = {way: self._fold(t, self.after) for (ending, way), t in zip(after.ways, after.terms, strict=True) if ending == n}
        if kind == "longer":
            return int(c.any(Size(c, s).at_least(2) for s in sets.values()))
        if kind == "two ways":
            return int(Size(c, tuple(c.any(s) for s in sets.values())).at_least(2))
        way, rim = rest
        rims = self.eyes.rims
        return int(c.both(c.any(sets[way]), self._put(lambda s: rim in rims[s] or (rim == "inside" and not rims[s]))))

    def _changed(self, feature: Feature) -> Iterator[int]:
        kind, rule, _, to, what = feature[:5]
        c, eyes, after = self.model.circuit, self.eyes, self.taken.after
        for n, following in enumerate(self.probed.turn.next):
            if following.phase != to or (following.rule or self.probed.turn.rule) != rule:
                continue
            if kind == "phase":
                if following.passes == what:
                    yield c.both(self.taken.legal, self.taken.following[n])
                continue
            hands = [after[v].at_least(1) for v in after if ".hand " in v]
            index = eyes.index
            taken = [after[v] if isinstance(after[v], int) else after[v].at_least(1) for v in index if "captured" in v]
            pending = {
                "pieces in hand": c.any(hands), "both hands empty": -c.any(hands),
                "something captured": c.any(taken), "nothing captured": -c.any(taken),
            }[what]  # fmt: skip
            yield c.all((self.taken.legal, self.taken.following[n], pending))
