"""What is known of a game before a word is said in any language: rules in reading order, examples played out, findings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from lawstone.check.examples import begin, run
from lawstone.check.report import Recorded, read_results
from lawstone.core import Scope, fold
from lawstone.data import shipped_suite, spec_root
from lawstone.drawing.look import Mark
from lawstone.engine.drawn import BadPosition
from lawstone.engine.explain import explain
from lawstone.engine.game import Game, Move, MoveError, Position
from lawstone.engine.state import Outcome, members
from lawstone.lower import walk
from lawstone.model.changes import rule_ids
from lawstone.model.companions import Example
from lawstone.model.faults import BadInput
from lawstone.model.game import BoardLineShape, EndingClause, Event, LineShape, PictureShape, Question, Settled, Then
from lawstone.model.steps import Capture, Remove
from lawstone.prove.claims import load_claims
from lawstone.publish.clauses import clause_of, home
from lawstone.publish.kept import Kept, digest
from lawstone.spec import Spec, Usage

Group = Literal["setup", "definitions", "opening", "turn", "captures", "endings", "events", "variants", "other-rules", "notes"]
GROUPS: tuple[Group, ...] = (
    "setup", "definitions", "opening", "turn", "captures", "endings", "events", "variants", "other-rules", "notes",
)  # fmt: skip
MOST_STEPS = 60
"""Positions of a game that a page steps through: the last ones of a longer game."""
MOST_DECISIVE = 12
"""Pieces that are pointed out as those that win, at most."""
MOST_MARKS = 60
"""Sites that are marked as legal in a diagram at most; where nearly every site is legal, marking them says nothing."""


def group_of(part: Any) -> Group:
    """The part of the rules to which a clause belongs, by what kind of clause it is."""
    if isinstance(part, LineShape | PictureShape | BoardLineShape):
        return "definitions"
    if isinstance(part, EndingClause):
        return "endings"
    if isinstance(part, Event):
        return "events"
    if isinstance(part, Then):
        return "opening"
    if isinstance(part, Capture | Remove):
        return "captures"
    return "turn"


@dataclass
class Shown:
    """An example played out: its positions, the marks of the one in which its assertions hold, and what fails."""

    example: Example
    positions: list[tuple[str, Position]]
    at: int
    """Which of the positions the assertions about legal moves speak of."""
    marks: dict[int, Mark]
    arrows: tuple[tuple[int, int], ...]
    failures: list[str]
    decisive: tuple[int, ...] = ()
    """The pieces without which the game would not be won in the last position."""


@dataclass
class Finding:
    """A recorded difference between two readings, with the game that shows it replayed."""

    record: Recorded
    variant: str
    question: str
    a: str
    b: str
    positions: list[tuple[str, Position]] = field(default_factory=list)
    only_a: tuple[int, ...] = ()
    only_b: tuple[int, ...] = ()
    common: tuple[int, ...] = ()
    decisive: tuple[int, ...] = ()
    ends: tuple[Outcome | None, Outcome | None] = (None, None)
    """How the game stands there under each reading."""


@dataclass(eq=False)
class Facts:
    """A game as the site shows it."""

    spec: Spec
    proofs: Path
    kept: Kept = field(default_factory=lambda: Kept({}))
    """What an earlier build has found out."""

    @cached_property
    def game(self) -> Game:
        """The base game."""
        return Game(self.spec, self.spec.rules())

    def variant(self, name: str, board: tuple[int, int] | None = None, reading: Mapping[str, str] | None = None) -> Game:
        """A variant, ready to play; the same object for the same question."""
        key = (name, board, tuple(sorted((reading or {}).items())))
        if key not in self._variants:
            self._variants[key] = Game(self.spec, self.spec.rules(name, reading or {}, board))
        return self._variants[key]

    @cached_property
    def _variants(self) -> dict[Any, Game]:
        return {}

    @cached_property
    def groups(self) -> dict[Group, list[str]]:
        """Rule ids in reading order: setup first, then as the game file has them, variants, other readings, notes."""
        found: dict[Group, list[str]] = {g: [] for g in GROUPS}
        headings = list(next(iter(self.spec.texts.values())).entries) if self.spec.texts else []
        for text in self.spec.texts.values():
            headings += [h for h in text.entries if h not in headings]
        base = dict.fromkeys(rule_ids(self.spec.document.tree))
        kind: dict[str, Group] = {}
        script = {
            getattr(s, "rule", None) for p in (self.spec.game.phases or {}).values() for step in p.script or [] for s in walk(step)
        }
        for part in walk(self.spec.game.model_copy(update={"variants": None, "questions": None})):
            rule = getattr(part, "rule", None)
            if rule is not None:
                kind.setdefault(rule, "opening" if rule in script else group_of(part))
                if isinstance(part, Capture | Remove):
                    for inner in walk(part):
                        if (r := getattr(inner, "rule", None)) is not None:
                            kind[r] = "captures"
        of_variants: dict[str, None] = {}
        for variant in self.spec.game.variants or {}:
            of_variants |= dict.fromkeys(r for r in rule_ids(self.spec.file(variant)[1]) if r not in base)
        for h in headings:
            if h.startswith("setup."):
                found["setup"].append(h)
            elif h.startswith("note."):
                found["notes"].append(h)
            elif h.startswith("variant.") or h in of_variants:
                found["variants"].append(h)
            elif h in base:
                found[kind.get(h, "turn")].append(h)
            elif not h.startswith("question."):
                found["other-rules"].append(h)
        if not headings:
            for rule in base:
                found[kind.get(rule, "turn")].append(rule)
        return {g: rules for g, rules in found.items() if rules}

    @cached_property
    def rules(self) -> list[str]:
        """Every rule id, in reading order."""
        return [r for rules in self.groups.values() for r in rules]

    def home(self, rule: str) -> Game:
        """The game in which a rule stands: the base, else the first variant or reading that brings it in."""
        if rule not in self._homes:
            self._homes[rule] = home(self.game, rule)[1]
        return self._homes[rule]

    @cached_property
    def _homes(self) -> dict[str, Game]:
        return {}

    @cached_property
    def clauses(self) -> dict[str, str]:
        """Each rule's clause in words."""
        found = {}
        for rule in self.rules:
            if told := clause_of(self.home(rule), rule):
                found[rule] = told
        return found

    @cached_property
    def shown(self) -> dict[str, Shown]:
        """The examples, by id."""
        return {e.id: self._show(e) for e in self.spec.examples}

    @cached_property
    def ran(self) -> str:
        """What the outcome of the examples depends on."""
        return digest(self.spec.path, self.spec.path.parent / "examples.yaml")

    def _show(self, example: Example) -> Shown:
        failures = self.kept(f"example {example.id}", self.ran, lambda: run(self.spec, example), list[str], list[str])
        try:
            position = begin(self.spec, example.model_copy(update={"after": None}))
            positions = [("", position)]
            for move in example.after or []:
                positions.append((move, positions[-1][1].play(move)))
            at = len(positions) - 1
            here = positions[at][1]
            marks, arrows = _marks(here, example)
            if example.play is not None:
                positions.append((example.play, here.play(example.play)))
        except (BadPosition, BadInput, MoveError, Usage) as error:
            return Shown(example, [], 0, {}, (), failures or [str(error)])
        return Shown(example, positions, at, marks, arrows, failures, decisive(positions))

    @cached_property
    def drawings(self) -> dict[Any, Any]:
        """Diagrams that have been drawn, by what they show: those of one language serve the others."""
        return {}

    @cached_property
    def picture(self) -> Position:
        """The position that stands for the game: the fullest of those shown on its own board, at most half full; else the start."""
        board = self.game.rules.board
        played = [*(s.positions for s in self.shown.values()), *(f.positions for f in self.findings)]
        found = [p for positions in played for _, p in positions if p.game.rules.board.size == board.size]
        fit = [p for p in found if len(p.cells) * 2 <= board.size]
        return max(fit, key=lambda p: len(p.cells), default=self.game.start())

    def examples_of(self, rule: str) -> tuple[list[Shown], list[Shown]]:
        """The examples to stand under a rule (it is the first that they show), and the others that touch it."""
        own = [s for s in self.shown.values() if s.example.shows[0] == rule]
        touching = [
            s
            for s in self.shown.values()
            if s not in own and (rule in s.example.shows or rule in (s.example.illegal or {}).values())
        ]
        return own, touching

    @cached_property
    def vectors(self) -> Mapping[str, list[str]]:
        """For each rule, the ids of the vectors of the published core suite that it decides."""
        found: dict[str, list[str]] = {}
        if (path := suite_of(self.spec.path, self.spec.id)) is not None:
            for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]:
                for rule in vector["rules"]:
                    found.setdefault(rule, []).append(vector["id"])
        return found

    @cached_property
    def findings(self) -> list[Finding]:
        """The recorded findings; a witness that no longer plays is left out, and the finding with it."""
        results = read_results(self.proofs / "results.json")
        return [] if results is None else [f for r in results.findings if (f := self._finding(r)) is not None]

    @property
    def probes(self) -> Mapping[str, list[tuple[str, ...]]]:
        """Games that lead where something is decided, by variant: recorded witnesses, and worked examples from the start."""
        found: dict[str, list[tuple[str, ...]]] = {}
        results = read_results(self.proofs / "results.json")
        for f in results.findings if results else []:
            if f.moves and f.board in (None, self.game.rules.board.label):
                found.setdefault(f.key.partition("/")[0].removeprefix("base"), []).append(tuple(f.moves))
        for e in self.spec.examples:
            if e.position is None and e.size is None:
                found.setdefault(e.variant or "", []).append((*(e.after or []), *([e.play] if e.play else [])))
        return {variant: list(dict.fromkeys(games)) for variant, games in found.items()}

    @cached_property
    def _questions(self) -> frozenset[str]:
        return frozenset(q.id for q in self.spec.game.questions or [])

    def _finding(self, record: Recorded) -> Finding | None:
        parts = record.key.split("/")
        if len(parts) != 4 or parts[1] == "gap":
            return None
        variant, question, a, b = parts
        if question not in self._questions:
            return None
        variant = "" if variant == "base" else variant
        found = Finding(record, variant, question, a, b)
        if record.moves is None:
            return found
        width, _, height = (record.board or "").partition("x")
        board = (int(width), int(height)) if width.isdigit() and height.isdigit() else None
        try:
            one, other = (self.variant(variant, board, {question: answer}) for answer in (a, b))
            first, second = one.start(), other.start()
            found.positions, under_b = [("", first)], [("", second)]
            for move in record.moves:
                if first.ended is not None or second.ended is not None:
                    break
                first, second = first.play(move), second.play(move)
                found.positions.append((move, first))
                under_b.append((move, second))
        except (MoveError, Usage, BadInput):
            return found
        if len(found.positions) > MOST_STEPS:
            found.positions = [("", found.positions[-MOST_STEPS][1]), *found.positions[1 - MOST_STEPS :]]
        found.ends = (first.ended, second.ended)
        found.decisive = decisive(found.positions) or decisive(under_b)
        if (first.ended is None) != (second.ended is None):
            return found  # marking every move of the reading under which play goes on would say nothing
        mine, theirs = ({m.text: m for m in p.moves} for p in (first, second))
        found.only_a = tuple(sorted({s for t, m in mine.items() if t not in theirs for s in targets(first, m)}))
        found.only_b = tuple(sorted({s for t, m in theirs.items() if t not in mine for s in targets(second, m)}))
        both = {s for t, m in mine.items() if t in theirs for s in targets(first, m)} - {*found.only_a, *found.only_b}
        found.common = tuple(sorted(both)) if len(both) <= MOST_MARKS else ()
        return found

    @cached_property
    def gaps(self) -> list[Recorded]:
        """Recorded gaps."""
        results = read_results(self.proofs / "results.json")
        return [] if results is None else [r for r in results.findings if r.key.split("/")[1:2] == ["gap"]]

    def document(self, name: str) -> Any:
        """Another document of what has been shown, such as `claims-results.json`; None if there is none or it cannot be read."""
        path = self.proofs / name
        try:
            return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        except (OSError, ValueError):
            return None

    @cached_property
    def claims(self) -> list[dict[str, Any]]:
        """The claims about the game, each with its verdict and how it is known, where it has been settled."""
        path = self.proofs / "claims.yaml"
        if not path.exists():
            return []
        settled = {c.get("claim"): c for c in (self.document("claims-results.json") or {}).get("claims", [])}
        found = []
        for claim in load_claims(path).claims:
            known = settled.get(claim.id, {})
            findings = known.get("findings", [])
            by_method: dict[str, list[str]] = {}
            for f in findings:
                by_method.setdefault(f"{f.get('verdict', '')}, {f.get('scope', '')} ({f.get('method', '')})", []).append(
                    f.get("board", "")
                )
            witness = next((f["witness"] for f in findings if f.get("verdict") == "refuted" and f.get("witness")), None)
            found.append({
                "id": claim.id, "says": dict(claim.says), "touches": list(claim.touches), "source": list(claim.source),
                "verdict": known.get("verdict", ""), "expect": claim.expect,
                "how": [f"{told}: {_span(boards)}" for told, boards in by_method.items()],
                "moves": list((witness or {}).get("moves", [])), "command": f"lawstone claims {self.spec.id} --claim {claim.id}",
            })  # fmt: skip
        return found

    def about(self, rule: str) -> list[Question]:
        """The questions that concern a rule."""
        return [q for q in self.spec.game.questions or [] if rule in touched(q)]


def _span(boards: list[str]) -> str:
    """Boards in a few words."""
    return boards[0] if len(boards) == 1 else f"{boards[0]} to {boards[-1]} ({len(boards)} boards)"


def touched(question: Question) -> set[str]:
    """The rules that the answers of a question change, or are about."""
    return {rule for changes in question.answers.values() for rule in changes}


def is_open(question: Question) -> bool:
    """Whether no source settles it."""
    return not isinstance(question.status, Settled)


def targets(position: Position, move: Move) -> tuple[int, ...]:
    """The sites that a move is about: where it places or moves to, else all that it picks."""
    turn = position.game.rules.phases[position.phase].turns[move.picks.turn]
    roles = [(c.role, mask) for c, mask in zip(turn.choices, move.picks.sites, strict=False)]
    chosen = [mask for role, mask in roles if role in ("place", "to")] or [mask for _, mask in roles]
    return tuple(s for mask in chosen for s in members(mask))


def arrow(position: Position, move: Move) -> tuple[int, int] | None:
    """From where to where a move shifts a piece, if it does."""
    turn = position.game.rules.phases[position.phase].turns[move.picks.turn]
    by_role = {c.role: mask for c, mask in zip(turn.choices, move.picks.sites, strict=False) if mask}
    if "to" not in by_role:
        return None
    start = by_role.get("from")
    if start is None:
        return None
    return members(start)[0], members(by_role["to"])[0]


def decisive(positions: list[tuple[str, Position]]) -> tuple[int, ...]:
    """Pieces that together win by the last move, and would not without any of them: a line, a shape, what shuts the opponent in.

    Every piece that the ending does not need is taken away in turn; where many are needed (a full board), none is named.
    """
    text, after = positions[-1]
    if len(positions) < 2 or after.ended is None or after.ended.winner is None or len(after.cells) > MOST_MARKS:
        return ()
    before, game = positions[-2][1], after.game
    move = before.find(text)
    turn = game.rules.phases[before.phase].turns[move.picks.turn]
    ending = next((e for e in turn.endings if e.rule == after.ended.rule), None)
    if ending is None:
        return ()
    picks = {c.name: mask for c, mask in zip(turn.choices, move.picks.sites, strict=False)}
    pieces = [n for n in after.values if n.split(".")[-1] in game.tokens]
    values, needed = dict(after.values), list[int]()
    for site in sorted(after.cells):
        without = {n: int(v) & ~(1 << site) if n in pieces else v for n, v in values.items()}
        if fold(ending.flag, game.reference.ints, Scope({**without, **picks})):
            values = without
        else:
            needed.append(site)
    return tuple(needed) if len(needed) <= MOST_DECISIVE else ()


def _marks(position: Position, example: Example) -> tuple[dict[int, Mark], tuple[tuple[int, int], ...]]:
    """What the drawing says of an example's moves: legal targets, blocked ones, an arrow for a shift that is asserted."""
    known = {m.text: m for m in position.moves}
    told = example.moves if example.moves is not None else example.legal or []
    legal = [known[t] for t in told if t in known]
    marks: dict[int, Mark] = {}
    if len(legal) <= 4 * MOST_MARKS:
        sites = {s for m in legal for s in targets(position, m)}
        if len(sites) <= MOST_MARKS:
            marks = dict.fromkeys(sites, "legal")
    arrows = tuple(a for m in legal[:6] if (a := arrow(position, m))) if len(legal) <= 6 else ()
    for move in example.illegal or {}:
        try:
            concerned = explain(position, move).sites
        except MoveError:
            continue
        marks |= {s: "blocked" for s in concerned if 0 <= s < position.game.rules.board.size and s not in marks}
    return marks, arrows


def readings(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """Every variant that is played, with its id in the page and its title's key: the base first."""
    yield "rules-base", "", ""
    for name in spec.game.variants or {}:
        yield f"rules-{name}", name, name


def suite_of(path: Path, game: str) -> Path | None:
    """The published core suite of a shipped game file; None for a game of one's own, even of the same name."""
    return shipped_suite(game, "core") if path.parent == spec_root() / game else None
