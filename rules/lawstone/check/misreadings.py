"""Plausible wrong readings that nobody has declared: derived from the form of each clause, and each one settled.

A misreading is *killed* by a worked example that cites a sentence and does not hold under it; *closed by us* by an example that
cites none; *the same* where it plays alike, proved or up to a bound; *not ruled out* where a game shows the difference and no
example speaks of it: then the rules are ambiguous, or an example is missing, and one that would do is written out.

A misreading that is an answer to a question, or what such an answer says of the one clause, is left to that question where it is
open: an example of the project's own settles nothing there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from lawstone.carried import Carried
from lawstone.check import examples, gaps
from lawstone.check.lockstep import Pair, Parting
from lawstone.check.ready import ready_example
from lawstone.check.report import Basis, Part, read_on_record
from lawstone.check.run import status_word
from lawstone.check.search import Budget, search
from lawstone.check.solved import solved
from lawstone.constructs import misreadings
from lawstone.constructs.misreadings import Misreading
from lawstone.engine.game import Game
from lawstone.engine.notation import write
from lawstone.lower import Rules
from lawstone.model.changes import rule_ids
from lawstone.model.companions import Example
from lawstone.model.faults import BadInput
from lawstone.model.game import Question
from lawstone.prove import free, lemmas
from lawstone.prove.alike import alike
from lawstone.prove.kinduction import inductive
from lawstone.prove.meaning import meaning
from lawstone.prove.unroll import unroll
from lawstone.spec import Spec, Usage
from lawstone.version import __version__
from lawstone.work.cache import kept

Verdict = Literal["killed", "closed by us", "same: proved", "same: bounded", "undecided", "not ruled out"]
VERDICTS: tuple[Verdict, ...] = ("killed", "closed by us", "same: proved", "same: bounded", "undecided", "not ruled out")
CONFLICTS = 5_000
"""Conflicts of the solver for one question about free positions."""
SEARCH = Budget(pairs=6_000, games=45, replays=800)
SECONDS = 10.0
"""CPU-seconds after which no more games are unrolled for one misreading, unless a caller says otherwise."""
PLIES = 40
"""Plies up to which games are unrolled as circuits, if the time allows."""


class Settled(Part):
    """One misreading and what became of it."""

    id: str = Field(description="Permanent id: the rule and the kind of the misreading.")
    variant: str = Field("", description="The variant in which the rule stands; empty for the base game.")
    rule: str = Field(description="The rule that is misread, or the key of the game file where no rule has an id.")
    says: str = Field(description="The wrong rule, in one sentence.")
    changes: dict[str, Any] = Field(description="The changes that make it, in the form of an answer to a question.")
    verdict: Verdict = Field(description="What became of it.")
    by: str = Field("", description="The worked example that it breaks.")
    cites: list[int | str] = Field(default_factory=list, description="The sentences that this example cites.")
    answer: str = Field("", description="The declared answer that it is, or is one clause of, as `question/answer`.")
    open: bool = Field(False, description="That question is not settled by a source.")
    how: str = Field("", description="How it is known to be the same, or how far was looked.")
    level: str = Field("", description="Where it parts from the rule: legal moves, position, player to move, outcome or reason.")
    moves: list[str] | None = Field(None, description="The shortest game found at whose end it parts from the rule.")
    shortest: bool = Field(False, description="No shorter game shows it.")
    example: str = Field("", description="A worked example that would rule it out, ready for examples.yaml.")
    kept: bool = Field(False, description="From an earlier run; never on record.")
    proof: Basis | None = Field(None, description="The argument that shows that it plays alike, on record.")

    @property
    def key(self) -> str:
        """What names it among all misreadings of the game."""
        return f"{self.variant or 'base'}/{self.id}"


class Misread(Part):
    """All misreadings of one game: the file `proofs/<game>/misreadings.json`, and the output of the command."""

    lawstone: str = Field(description="Version of the toolkit.")
    game: str
    rules_version: int
    seed: int = 1
    counts: dict[str, int] = Field(description="How many misreadings came to each verdict.")
    misreadings: list[Settled]

    def unrecorded(self, recorded: set[tuple[str, str]]) -> list[str]:
        """Misreadings that nothing rules out, that no open question asks about, and that are not on record as such."""
        found = [m for m in self.misreadings if m.verdict == "not ruled out" and not m.open]
        return [m.key for m in found if (m.key, m.verdict) not in recorded]

    def undecided(self, recorded: set[tuple[str, str]]) -> list[str]:
        """Misreadings that the budget did not suffice for and that are not on record as such."""
        found = [m for m in self.misreadings if m.verdict == "undecided"]
        return [m.key for m in found if (m.key, m.verdict) not in recorded]


def report(spec: Spec, settled: list[Settled], seed: int) -> Misread:
    """The report on misreadings that have been settled."""
    counts = {v: sum(m.verdict == v for m in settled) for v in VERDICTS}
    return Misread(
        lawstone=__version__, game=spec.id, rules_version=spec.game.rules_version, seed=seed, counts=counts, misreadings=settled
    )  # fmt: skip


def read_misread(path: Path) -> Misread | None:
    """The recorded misreadings, if there are any; raises BadInput where the file is no such record."""
    return read_on_record(Misread, path, "misreadings", "`lawstone misreadings GAME --record` writes them")


def write_misread(found: Misread, path: Path) -> None:
    """Write `misreadings.json`, readable and stable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = found.model_dump(by_alias=True, exclude_defaults=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


# -- which there are --------------------------------------------------------------------------------------------------------------


def derived(spec: Spec, variant: str = "") -> Iterator[tuple[Misreading, Rules]]:
    """The misreadings of the base game, or those of a variant that its base does not have; each with the rules it makes.

    Those that mean nothing in this game, and those that the form of a game file does not allow, are not among them.
    """
    inherited: list[Misreading] = []
    if variant:
        parent = (spec.game.variants or {})[variant].based_on or ""
        inherited = misreadings.derive(spec.file(parent)[0], spec.rules(parent).words)
    known = {(m.id, repr(m.changes)) for m in inherited}
    for m in misreadings.derive(spec.file(variant)[0], spec.rules(variant).words):
        if (m.id, repr(m.changes)) in known:
            continue
        try:
            yield m, spec.rules_with(m.changes, variant)
        except (BadInput, Usage):
            continue


def all_derived(spec: Spec, variant: str = "") -> Iterator[tuple[str, Misreading, Rules]]:
    """The misreadings of the base game and of every variant, or of one variant, each with the variant that it stands in."""
    for name in [variant] if variant else ["", *(spec.game.variants or {})]:
        for m, rules in derived(spec, name):
            yield name, m, rules


@dataclass(frozen=True)
class Query:
    """The question what becomes of one misreading, as data."""

    game: Carried
    variant: str
    misreading: Misreading
    seconds: float
    seed: int


def queries(spec: Spec, variant: str = "", rules: Collection[str] = (), seconds: float = SECONDS, seed: int = 1) -> list[Query]:
    """The misreadings of a game, or of one variant, or of some rules, to be settled in any order."""
    game = Carried.of(spec)
    return [Query(game, v, m, seconds, seed) for v, m, _ in all_derived(spec, variant) if not rules or m.rule in rules]


def answer(query: Query) -> Settled:
    """What becomes of one misreading."""
    desk = _desk(query.game, query.variant, query.seconds, query.seed)
    return desk.settle(query.misreading, desk.spec.rules_with(query.misreading.changes, query.variant))


def lost(query: Query, reason: str) -> Settled:
    """What is said of a misreading whose settling a bound has cut off."""
    m = query.misreading
    return Settled(
        id=m.id, variant=query.variant, rule=m.rule, says=m.says, changes=dict(m.changes), verdict="undecided", how=reason
    )  # fmt: skip


# -- settling them ----------------------------------------------------------------------------------------------------------------


@cache
def _desk(game: Carried, variant: str, seconds: float, seed: int) -> Desk:
    """The desk of a variant; one for all its misreadings that this process settles."""
    return Desk(game.spec(), variant, seconds, seed)


@dataclass
class Desk:
    """What is needed to settle the misreadings of one variant: its rules, its examples, its questions, its proved facts."""

    spec: Spec
    variant: str = ""
    seconds: float = SECONDS
    seed: int = 1
    _games: dict[str, Game] = field(default_factory=dict)

    @cached_property
    def game(self) -> Game:
        """The game as it is written."""
        return Game(self.spec, self.spec.rules(self.variant))

    @cached_property
    def lemmas(self) -> lemmas.Lemmas:
        """Facts about all reachable positions."""
        return lemmas.kept_or_proved(self.game.rules)

    @cached_property
    def examples(self) -> list[Example]:
        """The worked examples of this variant as it is written, those that cite the founding text first, then other sources."""
        mine = [e for e in self.spec.examples if (e.variant or "") == self.variant and not e.reading]
        return sorted(mine, key=lambda e: 0 if any(isinstance(c, int) for c in e.cites) else 1 if e.cites else 2)

    @cached_property
    def answers(self) -> list[tuple[Question, str, Rules]]:
        """The other answers to the questions asked here, with their rules."""
        found = []
        for q in self.spec.questions(self.variant):
            for answer in q.answers:
                if answer != self.spec.base_answer(q):
                    try:
                        found.append((q, answer, self.spec.rules(self.variant, {q.id: answer})))
                    except (BadInput, Usage):
                        continue
        return found

    def shares(self, rule: str) -> Iterator[tuple[Question, str, Rules]]:
        """What answers to open questions that change several clauses say of one of them, with the rules that this alone makes."""
        for q in self.spec.questions(self.variant):
            for answer, changes in q.answers.items():
                if len(changes) > 1 and rule in changes and status_word(q) != "settled":
                    try:
                        yield q, answer, self.spec.rules_with({rule: changes[rule]}, self.variant)
                    except (BadInput, Usage):
                        continue

    def settle(self, m: Misreading, rules: Rules) -> Settled:
        """What becomes of a misreading, by the cheapest means that suffices."""
        told: dict[str, Any] = {
            "id": m.id, "variant": self.variant, "rule": m.rule, "says": m.says, "changes": dict(m.changes),
        }  # fmt: skip
        if rules.meaning == self.game.rules.meaning:
            return Settled(**told, verdict="same: proved", how="both lower to the same core terms")
        for question, answer, other in [*self.answers, *self.shares(m.rule)]:
            if other.meaning == rules.meaning:
                told |= {"answer": f"{question.id}/{answer}", "open": status_word(question) != "settled"}
                break

        def pack(found: Settled) -> Any:
            return found.model_dump(mode="json", by_alias=True, exclude_defaults=True)

        found, again = kept(
            "misreading", lambda: self._depends(m, rules, told), lambda: self._settle(m, rules, told), pack,
            lambda entry: self._stands(m, rules, told, Settled.model_validate({**entry, **told})),
        )  # fmt: skip
        return found.model_copy(update={"kept": again})

    def _depends(self, m: Misreading, rules: Rules, told: dict[str, Any]) -> list[object]:
        """What a verdict depends on: both rules, also on the boards of the examples, the examples themselves, and the bounds."""
        sizes = sorted({(e.size[0], e.size[1]) for e in self.examples if e.size})
        elsewhere: list[str] = []
        for size in sizes:
            try:
                elsewhere.append(meaning(self.spec.rules_with(m.changes, self.variant, size)))
            except (BadInput, Usage):
                elsewhere.append("")
        listed = [e.model_dump_json(by_alias=True) for e in self.examples]
        parted = (told.get("answer"), told.get("open"))
        return [meaning(self.game.rules), meaning(rules), elsewhere, listed, parted, self.seconds, self.seed]

    def _stands(self, m: Misreading, rules: Rules, told: dict[str, Any], found: Settled) -> Settled:
        """A verdict of an earlier run, once the game or the example that shows it has been tried again."""
        if found.verdict == "not ruled out":
            pair = Pair(self.game, Game(self.spec, rules))
            parting = pair.replay(found.moves or [])
            if parting is None or (parting.level, list(parting.moves)) != (found.level, found.moves or []):
                raise ValueError("its game does not show the difference when it is replayed")
            return self.parted(pair, parting, found.shortest, told)
        if found.by:
            again = self.killer(m, rules, found.by)
            if again is None or again.id != found.by:
                raise ValueError("its worked example holds under the misreading")
        return found

    def _settle(self, m: Misreading, rules: Rules, told: dict[str, Any]) -> Settled:
        """What becomes of a misreading that lowers to other terms, asked anew."""
        killer = None if told.get("open") else self.killer(m, rules)
        if killer is not None:
            return Settled(**told, verdict="killed" if killer.cites else "closed by us", by=killer.id, cites=list(killer.cites))
        return self.by_play(m, rules, told)

    def killer(self, m: Misreading, rules: Rules, first: str = "") -> Example | None:
        """The first worked example that does not hold under a misreading; `first` is tried before the others."""
        games: dict[tuple[int, int] | None, Game] = {None: Game(self.spec, rules)}
        for example in sorted(self.examples, key=lambda e: e.id != first) if first else self.examples:
            size = (example.size[0], example.size[1]) if example.size else None
            try:
                if size not in games:
                    games[size] = Game(self.spec, self.spec.rules_with(m.changes, self.variant, size))
                if examples.breaks(games[size], example):
                    return example
            except (BadInput, Usage):
                continue
        return None

    def by_play(self, m: Misreading, rules: Rules, told: dict[str, Any]) -> Settled:
        """Proof on all positions, then search for a game, then proof with lemmas, then games as circuits."""
        began = time.process_time()
        wrong = Game(self.spec, rules)
        pair = Pair(self.game, wrong)
        at_once = pair.replay([])
        if at_once is not None:
            return self.parted(pair, at_once, True, told)
        everywhere = free.compare(self.game.rules, rules, reasons=True, conflicts=CONFLICTS)
        if everywhere.applies and everywhere.same:
            return Settled(**told, verdict="same: proved", how="on all well-formed positions, reachable or not")
        budget = Budget(SEARCH.pairs, SEARCH.games, SEARCH.plies, SEARCH.replays, self.seed)
        found = search(pair, budget)
        if told.get("open") and found.parting is None and not found.exhausted:
            gaps.guided(pair, budget, found)
        if found.parting is not None and found.parting.level == "reason" and not told.get("answer"):
            results = free.compare(self.game.rules, rules, self.lemmas, conflicts=CONFLICTS)
            if results.same:
                return Settled(**told, verdict="same: proved", how="every move has the same result; only the rule named may differ")
        if found.parting is not None:
            return self.parted(pair, found.parting, found.shortest, told)
        if found.exhausted:
            return Settled(**told, verdict="same: proved", how="every game was compared")
        if everywhere.applies:
            reachable = free.compare(self.game.rules, rules, self.lemmas, reasons=True, conflicts=4 * CONFLICTS)
            if reachable.same:
                return Settled(**told, verdict="same: proved", how="on all reachable positions, by facts proved by induction")
        drawn = solved(pair, self.seed)
        if drawn is not None:
            return self.parted(pair, drawn, False, told)
        by_deeper = alike(self.game.rules, rules, 4 * CONFLICTS)
        if by_deeper:
            return Settled(**told, verdict="same: proved", how=by_deeper)
        if not everywhere.applies:
            how = f"all games up to ply {found.whole}, and {found.games:,} random and guided games ({everywhere.why_not})"
            return Settled(**told, verdict="same: bounded", how=how)
        by_moves = inductive(self.game.rules, rules, self.lemmas, reasons=True)
        if by_moves.proved:
            return Settled(**told, verdict="same: proved", how=f"by induction over moves: {by_moves}")
        left = max(1.0, self.seconds - (time.process_time() - began))
        games = unroll(self.game.rules, rules, PLIES, seconds=left, conflicts=4 * CONFLICTS, reasons=True)
        if games.verdict == "differ":
            moves: list[str] = []
            state = self.game.engine.start()
            for _, picks in games.picks:
                moves.append(write(self.game.rules, state, picks))
                state = self.game.engine.play(state, picks).state
            parting = pair.replay(moves) or pair.replay(moves[:-1])
            if parting is not None:
                return self.parted(pair, parting, True, told)
        plies = max(found.whole, games.plies)
        how = f"all games up to ply {plies}, and {found.games:,} random and guided games of up to {found.longest} plies"
        if plies < 2:
            return Settled(**told, verdict="undecided", how=f"{how}; {time.process_time() - began:.0f} CPU-seconds spent")
        return Settled(**told, verdict="same: bounded", how=how)

    def parted(self, pair: Pair, parting: Parting, shortest: bool, told: dict[str, Any]) -> Settled:
        """The ambiguity report: a game that shows the difference, and an example that would rule the misreading out."""
        if not pair.confirm(parting):
            return Settled(**told, verdict="undecided", how="the reference interpreter did not confirm the game found")
        shows = self.shown(told["rule"], told["changes"])
        text = ready_example(pair, parting, told["id"], shows, told["says"], self.variant)
        return Settled(
            **told, verdict="not ruled out", level=parting.level, moves=list(parting.moves), shortest=shortest, example=text
        )  # fmt: skip

    def shown(self, rule: str, changes: dict[str, Any]) -> str:
        """The rule that an example about a misreading shows: the one misread, or one that the changes speak of."""
        known = rule_ids(self.spec.file(self.variant)[1])
        spoken = repr(changes)
        return rule if rule in known else next((r for r in known if repr(r) in spoken), known[0])
