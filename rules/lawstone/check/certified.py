"""Certificates of verdicts: what `check`, `prove` and `misreadings` have on record, shown again without a solver.

A verdict that says that two sets of rules play alike, or that play must end, rests on the answers of a solver. Each answer is kept
with its certificate (`prove/onfile.py`), those of a game in one archive, and the record says by which argument the verdict follows
from them. To check the record, the argument is gone through again on the answers on file. A game on record is replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from lawstone.check.gaps import Met, confirm
from lawstone.check.lines import Bench
from lawstone.check.lockstep import Pair
from lawstone.check.misreadings import Misread, Settled, all_derived, read_misread, write_misread
from lawstone.check.redundant import removals, without
from lawstone.check.report import Basis, By, Recorded, Results, read_results, write_results
from lawstone.check.search import Budget, search
from lawstone.check.sightings import lawful
from lawstone.engine.game import Game, MoveError
from lawstone.lower import Rules
from lawstone.model.faults import BadInput
from lawstone.prove import free
from lawstone.prove.alike import alike, paired
from lawstone.prove.ask import Answer, answered_by
from lawstone.prove.ask import Source as Asked
from lawstone.prove.certificate import Broken, write_files
from lawstone.prove.certifying import Certifying
from lawstone.prove.deeper import asks_more
from lawstone.prove.ends import ends
from lawstone.prove.goals import Free, goals
from lawstone.prove.kinduction import inductive
from lawstone.prove.lemmas import Lemmas
from lawstone.prove.onfile import OnFile
from lawstone.prove.recheck import Line
from lawstone.spec import Spec, Usage

ARCHIVE = "verdicts.zip"
"""The archive of a game, beside those of its claims."""
CONFLICTS = 60_000
"""Conflicts after which a question is given up when certificates are made."""
WHOLE = Budget(pairs=200_000, games=0)
"""How much is played where a record says that every game was compared."""

Found = TypeVar("Found", Recorded, Settled)
WAYS: tuple[tuple[By, bool], ...] = (
    ("form", True), ("positions", True), ("facts", True), ("deeper", True), ("moves", True), ("positions", False),
    ("facts", False), ("moves", False), ("games", True),
)  # fmt: skip
"""The arguments for two readings that play alike, in the order of trying: how, and whether the rule named as the reason counts."""
SAYS: dict[By, str] = {
    "form": "the same core terms",
    "positions": "no well-formed position tells them apart",
    "facts": "no position under the proved facts tells them apart",
    "deeper": "no position under deeper facts tells them apart",
    "moves": "induction over moves",
    "games": "every game compared",
    "measures": "a measure that every turn uses up",
}


@dataclass(frozen=True)
class Item:
    """Rules that a verdict on record speaks of: two that play alike, or one whose play ends."""

    rules: tuple[Rules, ...]
    games: tuple[Game, ...] = ()

    @classmethod
    def of(cls, a: Game, b: Game) -> Item:
        """Two sets of rules."""
        return cls((a.rules, b.rules), (a, b))


@dataclass
class Record:
    """What is on record of a game in a folder, and the rules that it speaks of."""

    spec: Spec
    folder: Path

    @property
    def archive(self) -> Path:
        """Where the certificates are."""
        return self.folder / "certificates" / ARCHIVE

    @cached_property
    def results(self) -> Results | None:
        """The findings."""
        return read_results(self.folder / "results.json")

    @cached_property
    def misread(self) -> Misread | None:
        """The misreadings."""
        return read_misread(self.folder / "misreadings.json")

    @cached_property
    def misreadings(self) -> dict[str, Rules]:
        """The rules that each misreading of the game makes, by key."""
        return {f"{variant or 'base'}/{m.id}": rules for variant, m, rules in all_derived(self.spec)}

    @property
    def listed(self) -> list[Recorded | Settled]:
        """Every finding and every misreading."""
        return [*(self.results.findings if self.results else ()), *(self.misread.misreadings if self.misread else ())]

    @property
    def proofs(self) -> int:
        """How many verdicts rest on a proof."""
        return sum(map(_rests_on_proof, self.listed))

    def game(self, where: str, **reading: str) -> Game:
        """The game in a variant (`base`: none), with answers to questions; raises Broken where there is no such thing."""
        try:
            return Game(self.spec, self.spec.rules("" if where == "base" else where, reading))
        except (Usage, BadInput) as error:
            raise Broken(f"the game has no such variant or answer: {error}") from None

    def readings(self, key: str) -> Item:
        """The two readings of a finding; raises Broken where its key names none."""
        where, question, base, answer = key.split("/") if key.count("/") == 3 else ("", "", "", "")
        return Item.of(self.game(where, **{question: base}), self.game(where, **{question: answer}))

    def shortened(self, key: str) -> Item:
        """The rules, and the rules without the words that a finding calls redundant; raises Broken."""
        where, _, name = key.partition("/")
        bench = Bench(self.game(where), "" if where == "base" else where, Budget())
        for removal in removals(self.spec.file(bench.variant)[0]):
            changed = without(bench, removal) if removal.name == name else None
            if changed is not None:
                return Item.of(bench.game, Game(self.spec, changed))
        raise Broken("the game has no such words")

    def misreading(self, found: Settled) -> Item:
        """The rules, and a misreading of them; raises Broken."""
        if found.key not in self.misreadings:
            raise Broken("the game has no such misreading")
        return Item.of(self.game(found.variant or "base"), Game(self.spec, self.misreadings[found.key]))

    def item(self, found: Recorded | Settled) -> Item | None:
        """What a verdict speaks of that a proof has to show; None where it rests on none. Raises Broken."""
        if not _rests_on_proof(found):
            return None
        if isinstance(found, Settled):
            return self.misreading(found)
        if found.level == "endless":
            return Item((self.game(found.key.partition("/")[0]).rules,))
        return self.shortened(found.key) if found.level == "redundant" else self.readings(found.key)


def _rests_on_proof(found: Recorded | Settled) -> bool:
    if found.verdict == "same: proved":
        return True
    if isinstance(found, Settled):
        return False
    if found.level == "endless":
        return found.verdict == "none" and not found.how.startswith("the event")
    return found.level == "redundant" and found.verdict in ("harmless", "finding")


# -- arguments --------------------------------------------------------------------------------------------------------------------


class Source(Asked, Protocol):
    """What answers the questions of an argument, and knows facts that hold in every reachable position."""

    used: set[str]
    known: dict[str, Answer]

    def facts(self, rules: Rules, deep: bool = False, beside: Rules | None = None) -> Lemmas:
        """The facts about rules: the plain ones, or the deeper ones, guessed with other rules beside; none where none is shown."""


@dataclass(frozen=True)
class Shown:
    """That an argument holds: the turns of which it says nothing, since no move of theirs fulfils what is supposed; the questions
    that were answered no; and every answer that was used."""

    idle: tuple[str, ...]
    noes: tuple[str, ...]
    used: frozenset[str]


def show(by: By, reasons: bool, item: Item, source: Source) -> Shown | None:
    """Go through an argument on the answers of a source; None where it fails. Facts are shown before, and not counted."""
    for deep, beside in _needed(by, item):
        source.facts(item.rules[0], deep, beside)
    before, source.used = source.used, set()
    try:
        with answered_by(source):
            idle = _argued(by, reasons, item, source)
        if idle is None:
            return None
        noes = tuple(k for k in sorted(source.used) if source.known[k].verdict == "no")
        return Shown(idle, noes, frozenset(source.used))
    finally:
        source.used |= before


def _needed(by: By, item: Item) -> list[tuple[bool, Rules | None]]:
    """Which facts an argument rests on: whether deeper ones, and with which rules beside."""
    if by in ("facts", "moves", "measures"):
        return [(False, None)]
    a, b = item.rules[0], item.rules[-1]
    return [] if by != "deeper" or paired(a, b) is None else [(True, None), *([(True, b)] if asks_more(a, b) else [])]


def _argued(by: By, reasons: bool, item: Item, source: Source) -> tuple[str, ...] | None:
    a, b = item.rules[0], item.rules[-1]
    if a.game.events != b.game.events:
        return None
    match by:
        case "form":
            return () if a.meaning == b.meaning else None
        case "positions" | "facts":
            compared = free.compare(a, b, source.facts(a) if by == "facts" else None, reasons, CONFLICTS)
            return compared.vacuous if compared.same else None
        case "deeper":
            return () if alike(a, b, CONFLICTS, lambda beside: source.facts(a, True, beside)) else None
        case "moves":
            return () if not free.comparable(a, b) and inductive(a, b, source.facts(a), reasons).proved else None
        case "games":
            return () if item.games and search(Pair(*item.games), WHOLE).exhausted else None
        case "measures":
            told = ends(Free(a, source.facts(a)))
            return told.idle if told.verdict == "ends" else None


# -- made -------------------------------------------------------------------------------------------------------------------------


@dataclass
class Notary:
    """Finds the first argument for a verdict whose answers can all be certified."""

    source: Certifying
    kept: set[str] = field(default_factory=set)
    """The answers and lists of facts that some argument rests on."""

    def basis(self, item: Item) -> Basis | None:
        """The argument for one verdict; None where none is found."""
        for by, reasons in WAYS if len(item.rules) == 2 else (("measures", True),):
            shown = show(by, reasons, item, self.source)
            if shown is None:
                continue
            self.kept |= shown.used
            for deep, beside in _needed(by, item):
                self.kept |= self.source.needs(item.rules[0], deep, beside)
            second = self.source.opinions_on(shown.noes)
            return Basis(by=by, reasons=reasons, idle=list(shown.idle), answers=len(shown.noes), second=second)
        return None

    def files(self) -> dict[str, str]:
        """The certificates that the arguments rest on."""
        return {name: text for name, text in self.source.files.items() if name.partition(".")[0] in self.kept}


def certify(record: Record, tell: Callable[[str], None] = lambda _: None, opinions: bool = True) -> list[str]:
    """Write a certificate for every verdict on record that rests on a proof, and say in the record by which argument it follows;
    the keys of those for which none was found.

    Certificates on file that still stand are kept. After Ctrl-C those made so far are on file, and the next run goes on from there.
    """
    before = OnFile(record.archive) if record.archive.exists() else None
    notary, without_one = Notary(Certifying(opinions, before)), list[str]()

    def certified(found: Found) -> Found:
        item = record.item(found)
        if item is None:
            return found.model_copy(update={"proof": None})
        tell(found.key)
        basis = notary.basis(item)
        if basis is None:
            without_one.append(found.key)
        return found.model_copy(update={"proof": basis})

    results, misread = record.results, record.misread
    try:
        if results is not None:
            results = results.model_copy(update={"findings": [certified(f) for f in results.findings]})
        if misread is not None:
            misread = misread.model_copy(update={"misreadings": [certified(m) for m in misread.misreadings]})
    except KeyboardInterrupt:
        write_files(record.archive, (before.files if before else {}) | notary.source.files)
        raise
    if results is not None:
        write_results(results, record.folder / "results.json")
    if misread is not None:
        write_misread(misread, record.folder / "misreadings.json")
    files = notary.files()
    if files:
        write_files(record.archive, files)
    else:
        record.archive.unlink(missing_ok=True)
    return without_one


# -- checked again ----------------------------------------------------------------------------------------------------------------


def recheck(spec: Spec, folder: Path) -> Iterator[Line]:
    """Show again every verdict on record that rests on a proof, and replay every game on record, one line each."""
    record, source = Record(spec, folder), OnFile(folder / "certificates" / ARCHIVE)
    for kind, held in (("findings", record.results), ("misreadings", record.misread)):
        if held is not None and (held.game, held.rules_version) != (spec.id, spec.game.rules_version):
            yield Line(spec.id, kind, "", False, f"the record is of {held.game}, version {held.rules_version} of the rules")
    for found in record.listed:
        try:
            told = _again(record, found, source)
        except (Broken, MoveError) as error:
            yield Line(spec.id, found.key, "", False, str(error))
        else:
            if told:
                yield Line(spec.id, found.key, "", True, told)
    if record.archive.exists() and (spare := source.unused()):
        yield Line(spec.id, ARCHIVE, "", False, f"{len(spare)} certificates are on file that nothing on record needs")


def _again(record: Record, found: Recorded | Settled, source: OnFile) -> str:
    item, proof = record.item(found), found.proof
    if item is None:
        if proof is not None:
            raise Broken(f"a certificate is on record, and the verdict '{found.verdict}' rests on none")
        return _replayed(record, found)
    if proof is None:
        raise Broken(f"the verdict is '{found.verdict}', and there is no certificate")
    if (proof.by == "measures") != (len(item.rules) == 1):
        raise Broken(f"'{proof.by}' is no argument for this")
    shown = show(proof.by, proof.reasons, item, source)
    if shown is None:
        raise Broken(f"the certificates do not show it ({SAYS[proof.by]})")
    noes = len(shown.noes)
    if (list(shown.idle), noes) != (proof.idle, proof.answers):
        raise Broken("the record counts other certificates, or other turns without a move")
    asked = f"{noes} {'certificate' if noes == 1 else 'certificates'} checked" if noes else "nothing is left to ask a solver"
    return f"{found.verdict}: {SAYS[proof.by]}, {asked}"


def _replayed(record: Record, found: Recorded | Settled) -> str:
    """A game on record, replayed by the reference interpreter; nothing where there is none."""
    if found.moves is None and found.verdict not in ("differ", "gap", "not ruled out"):
        return ""
    moves = tuple(found.moves or ())
    if isinstance(found, Recorded) and found.level == "conflict":
        where, _, name = found.key.partition("/")
        game = record.game(where)
        goal = next((g for g in goals(game.rules) if g.name == name), None)
        if goal is None or not lawful(game.rules, game, goal, moves):
            raise Broken("the game on record does not show it")
    elif isinstance(found, Recorded) and found.verdict == "gap":
        where, _, kind, rule = found.key.split("/", 3)
        met: dict[str, Any] = {"kind": kind, "rule": rule, "moves": moves, "share": 0.0, "shortest": False, "how": ""}
        if not confirm(record.game(where), Met(**met)):
            raise Broken("the game on record does not lead into the gap")
    elif found.verdict in ("differ", "not ruled out"):
        item = record.misreading(found) if isinstance(found, Settled) else record.readings(found.key)
        if found.level == "events":
            return _events_differ(item)
        pair = Pair(*(g.by_the_law() for g in item.games))
        parting = pair.replay(moves)
        if parting is None or (parting.level, parting.moves) != (found.level, moves):
            raise Broken("the game on record does not show the difference")
    else:
        raise Broken(f"there is a game on record, and nothing that '{found.verdict}' could show by it")
    return f"{found.verdict}, {len(moves)} moves replayed"


def _events_differ(item: Item) -> str:
    events = [{e.rule: e for e in rules.game.events or []} for rules in item.rules]
    if item.rules[0].meaning != item.rules[1].meaning or events[0] == events[1]:
        raise Broken("the readings do not differ in their events alone")
    return "differ, in what an event brings"
