"""`check` and `diff`: every question of a game, gaps met in play, worked examples; two versions of a game compared."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from lawstone.carried import Carried
from lawstone.check import examples, gaps, general, kinds
from lawstone.check.concerns import about_lines
from lawstone.check.endless import least_plies
from lawstone.check.lines import Bench
from lawstone.check.lockstep import Pair, Parting
from lawstone.check.matters import SMALL_BOARDS, matters
from lawstone.check.redundant import redundant
from lawstone.check.report import (
    Concern,
    Decision,
    Difference,
    DutyVerdict,
    FailedExample,
    Follows,
    Gap,
    General,
    Kind,
    Kinds,
    Loose,
    Matters,
    Recorded,
    Report,
    Side,
    Unfinished,
    Witness,
)
from lawstone.check.search import Budget
from lawstone.check.settle import Effort, lemmas_of, settle
from lawstone.check.settle import Settled as Verdict
from lawstone.check.shown import board_before, outcome_words
from lawstone.drawing.look import WORDS, Mark
from lawstone.drawing.text import text as board_text
from lawstone.engine.drawn import draw, look, position_text
from lawstone.engine.game import Game
from lawstone.model.changes import READINGS, clauses
from lawstone.model.faults import BadInput
from lawstone.model.game import Differs, Event, Question, Settled
from lawstone.prove.complete import duties as all_duties
from lawstone.prove.meaning import meaning
from lawstone.spec import Spec, Usage
from lawstone.version import __version__
from lawstone.work.bounds import Spent, cpu_seconds
from lawstone.work.cache import kept
from lawstone.work.crew import Crew

Tell = Callable[[str], None]
MATTERS_GAMES = 200
"""Random games by which it is judged whether a difference matters."""


@dataclass(frozen=True)
class Plan:
    """What to check: a variant (or the base and, with `variants`, each of them), a board size, a budget.

    With `all_kinds`, a shortest witness of each kind of difference is looked for too (`check/kinds.py`). `verb` and `flags` are
    how the command line was called, so that a finding can say what repeats it.
    """

    variant: str = ""
    variants: bool = True
    board: tuple[int, int] | None = None
    questions: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    unroll_seconds: float = 0.0
    duties: bool = False
    verb: str = "check"
    flags: tuple[str, ...] = ()
    all_kinds: bool = False

    def again(self, name: str, *rest: str) -> list[str]:
        """The command that repeats a part of this plan on a game of that name."""
        board = ["--board", f"{self.board[0]}x{self.board[1]}"] if self.board else []
        return ["lawstone", self.verb, name, *rest, *board, *self.flags, "--seed", str(self.budget.seed)]


@dataclass(frozen=True)
class Query:
    """One independent question of a check, as data: two answers to a question, or what play or proof shows of a variant."""

    game: Carried
    kind: Literal["answers", "gaps", "lines", "words", "duties", "examples"]
    plan: Plan
    variant: str = ""
    question: str = ""
    answer: str = ""

    @property
    def told(self) -> str:
        """What is asked, in words."""
        about = f"{self.question}: {self.answer}" if self.kind == "answers" else self.kind
        return f"{about}{' in ' + self.variant if self.variant else ''}"


Finding = Difference | Gap | DutyVerdict | Concern | Follows | Decision | FailedExample | Unfinished
Keep = Callable[[int, list[Finding]], None]


def queries(spec: Spec, plan: Plan) -> list[Query]:
    """What a check asks, in the order of the report."""
    game = Carried.of(spec)
    listed = [
        Query(game, "answers", plan, variant, question.id, answer)
        for question, variant in asked(spec, plan)
        for answer in question.answers
        if answer != spec.base_answer(question)
    ]
    listed += [Query(game, "gaps", plan, variant) for variant in _variants(spec, plan)]
    for variant in _variants(spec, plan) if not plan.questions else []:
        listed += [Query(game, "lines", plan, variant), Query(game, "words", plan, variant)]
    listed += [Query(game, "duties", plan, variant) for variant in _variants(spec, plan) if plan.duties and not plan.questions]
    return [*listed, Query(game, "examples", plan)]


def answer(query: Query) -> list[Finding]:
    """The findings that answer one question of a check."""
    spec, plan, variant = query.game.spec(), query.plan, query.variant
    if query.kind == "answers":
        question = spec.question(query.question)
        return [difference(spec, question, spec.base_answer(question), query.answer, variant, plan)]
    if query.kind == "gaps":
        return list(_gaps(spec, variant, plan))
    if query.kind in ("lines", "words"):
        return list(_of_lines(query, spec))
    if query.kind == "duties":
        return list(_duties(spec, variant, plan))
    return list(_failed_examples(spec, query.game.digest))


Row = Concern | Follows | Decision
_ROWS: TypeAdapter[list[Row]] = TypeAdapter(list[Row])


def _of_lines(query: Query, spec: Spec) -> list[Row]:
    """What the lines or the words of a game file get wrong, with the tables; kept between runs as long as no file changes."""

    def found() -> list[Row]:
        bench = _bench(spec, query.variant, query.plan)
        return list(about_lines(bench) if query.kind == "lines" else redundant(bench))

    rows, again = kept(
        query.kind, lambda: (query.game, query.variant, query.plan), found,
        lambda x: _ROWS.dump_python(x, mode="json", by_alias=True), _ROWS.validate_python,
    )  # fmt: skip
    return [r.model_copy(update={"kept": again}) if isinstance(r, Concern) else r for r in rows]


def _failed_examples(spec: Spec, digest: str) -> list[FailedExample]:
    return kept(
        "examples", lambda: (digest,), lambda: _tried(spec), lambda x: [e.model_dump(mode="json") for e in x],
        lambda entry: [FailedExample.model_validate(e) for e in entry],
    )[0]  # fmt: skip


def _tried(spec: Spec) -> list[FailedExample]:
    return [FailedExample(id=e.id, failures=f) for e in spec.examples if (f := examples.run(spec, e))]


def lost(query: Query, reason: str) -> list[Finding]:
    """What is said of a question whose answer a bound has cut off."""
    if query.kind != "answers":
        return [Unfinished(what=query.kind, variant=query.variant, reason=reason)]
    spec, plan = query.game.spec(), query.plan
    question = spec.question(query.question)
    about = _about(spec, question, spec.base_answer(question), query.answer, query.variant, plan)
    sides = [Side(answer=n, says=s, only=[], outcome="") for n, s in zip(about.pop("names"), about.pop("says"), strict=True)]
    return [Difference(**about, a=sides[0], b=sides[1], verdict="unknown", bound=reason, seed=plan.budget.seed)]


def check(
    spec: Spec, plan: Plan, tell: Tell = lambda _: None, keep: Keep = lambda i, found: None, crew: Crew | None = None
) -> Report:
    """All findings on a game; `keep` is told the findings of each query as soon as they are made, with its number in `queries`."""
    began, listed = cpu_seconds(), queries(spec, plan)

    def done(i: int, found: list[Finding]) -> None:
        tell(listed[i].told)
        keep(i, found)

    found = (crew or Crew()).each(answer, listed, lost, done)
    return report_of(spec, plan, dict(enumerate(found)), cpu_seconds() - began)


def report_of(spec: Spec, plan: Plan, found: Mapping[int, list[Finding]], seconds: float) -> Report:
    """The report on the findings of a check by the number of their query, or of as much of it as was done."""
    flat = [f for i in sorted(found) for f in found[i]]
    unfinished = [f for f in flat if isinstance(f, Unfinished)]
    tried = len(queries(spec, plan)) - 1 in found and all(u.what != "examples" for u in unfinished)
    met = [f for f in flat if isinstance(f, Gap)]
    reached = {(g.variant, g.kind, g.rule) for g in met}
    repeats = {g.variant for g in met if g.kind == "endless"}
    concerns = [
        c for c in flat if isinstance(c, Concern) and not (c.kind == "endless" and c.verdict == "open" and c.variant in repeats)
    ]
    duties = [
        f.model_copy(update={"verdict": "reached"}) if f.verdict != "never" and (f.variant, f.kind, f.rule) in reached else f
        for f in flat
        if isinstance(f, DutyVerdict)
    ]
    return Report(
        lawstone=__version__, game=spec.id, title=spec.title, rules_version=spec.game.rules_version,
        board=spec.rules(plan.variant, {}, plan.board).board.label, seed=plan.budget.seed,
        differences=[f for f in flat if isinstance(f, Difference)], gaps=met, duties=duties,
        concerns=concerns, turns=[f for f in flat if isinstance(f, Follows)],
        decisions=[f for f in flat if isinstance(f, Decision)], unfinished=unfinished, examples=len(spec.examples) if tried else 0,
        failed_examples=[f for f in flat if isinstance(f, FailedExample)], cpu_seconds=round(seconds, 2),
    )  # fmt: skip


def _variants(spec: Spec, plan: Plan) -> list[str]:
    return (
        [plan.variant, *(spec.game.variants or {})] if plan.variants and not plan.variant and plan.board is None else [plan.variant]
    )


def asked(spec: Spec, plan: Plan) -> Iterator[tuple[Question, str]]:
    """The questions to evaluate, each with the variant in which it is asked: its own, or the base."""
    for name in plan.questions:
        spec.question(name)
    for question in spec.game.questions or []:
        if plan.questions and question.id not in plan.questions:
            continue
        own = question.in_ if question.in_ not in (None, "base") else ""
        if plan.variant:
            if question in spec.questions(plan.variant):
                yield question, plan.variant
        elif not own or (plan.variants and plan.board is None):
            yield question, own or ""


def difference(
    spec: Spec, question: Question, base: str, answer: str, variant: str, plan: Plan, recorded: Recorded | None = None
) -> Difference:
    """The verdict on two answers of a question, all others at their base; one that is on record is replayed, not found again."""
    sides = [Game(spec, spec.rules(variant, {question.id: x}, plan.board)) for x in (base, answer)]
    return compare(sides[0], sides[1], plan, recorded, **_about(spec, question, base, answer, variant, plan))


def _about(spec: Spec, question: Question, base: str, answer: str, variant: str, plan: Plan) -> dict[str, Any]:
    """What is told of a pair of answers whatever the verdict: the question, both sides in words, the rules, the sources."""
    says = [spec.says(f"question.{question.id}.{x}") for x in (base, answer)]
    command = plan.again(named(spec), "--question", question.id, *(["--variant", variant] if variant else []))
    return {
        "question": question.id, "ask": spec.ask(question), "status": status_word(question), "variant": variant,
        "names": (base, answer), "says": (says[0], says[1]), "rules": list(question.answers[answer]),
        "sources": sources(spec, question), "command": shlex.join(command),
    }  # fmt: skip


def compare(
    a: Game, b: Game, plan: Plan, recorded: Recorded | None = None, *, names: tuple[str, str], says: tuple[str, str], **told: Any,
) -> Difference:  # fmt: skip
    """The verdict on two readings, or two versions, of a game; `told` are the fields of the report that do not depend on it."""
    told |= {"seed": plan.budget.seed}
    plain = [Side(answer=n, says=s, only=[], outcome="") for n, s in zip(names, says, strict=True)]
    if a.rules.meaning == b.rules.meaning:
        return _same_play(a, b, plain, told)
    pair = Pair(a, b)
    done = _on_record(pair, recorded) or settle(pair, Effort(plan.budget, plan.unroll_seconds))
    told |= {"steps": done.steps, "kept": done.kept}
    if done.parting is None:
        return Difference(**told, a=plain[0], b=plain[1], verdict=done.verdict, bound=done.how)
    parting = done.parting
    confirmed = pair.confirm(parting)
    shown = board_before(pair, parting)
    witness = Witness(
        moves=list(parting.moves), plies=parting.plies, board=shown[0], position=shown[1], shortest=done.shortest, least=done.least,
        how=done.how, replayed=confirmed, general=_general(pair, parting),
    )  # fmt: skip
    outcomes = [outcome_words(a, parting.over_a), outcome_words(b, parting.over_b)]
    sides = [
        Side(answer=n, says=s, only=list(only), outcome=o if parting.level in ("outcome", "reason") else "")
        for n, s, only, o in zip(names, says, (parting.only_a, parting.only_b), outcomes, strict=True)
    ]
    return Difference(
        **told, a=sides[0], b=sides[1], verdict="differ" if confirmed else "unknown", level=parting.level, witness=witness,
        matters=_weighed(pair, plan), kinds=_kinds(pair, done, plan) if plan.all_kinds and confirmed else None,
    )  # fmt: skip


def _kinds(pair: Pair, done: Verdict, plan: Plan) -> Kinds | None:
    """The kinds of difference with their games, each replayed by the reference interpreter; None where there is no difference."""
    if done.parting is None:
        return None
    found, told = kinds.kinds(pair, done.parting, done.shortest, plan.budget), list[Kind]()
    for sight in found.sights:
        kind, parting = sight.kind, sight.parting
        board, position = board_before(pair, parting)
        how = "no shorter game shows this kind" if sight.shortest else f"not shown shortest of its kind: {found.how}"
        witness = Witness(moves=list(parting.moves), plies=parting.plies, board=board, position=position, shortest=sight.shortest,
                          how=how, replayed=pair.confirm(parting))  # fmt: skip
        ended = kind.level in ("outcome", "reason")
        told.append(
            Kind(level=kind.level, how=kind.how, phase=kind.phase, rules=list(kind.rules), only_a=list(parting.only_a),
                 only_b=list(parting.only_b), outcome_a=outcome_words(pair.a, parting.over_a) if ended else "",
                 outcome_b=outcome_words(pair.b, parting.over_b) if ended else "",
                 finding=parting.moves == done.parting.moves, witness=witness)
        )  # fmt: skip
    return Kinds(found=[k for k in told if k.witness.replayed], more=found.more, complete=found.complete, how=found.how)


def _on_record(pair: Pair, recorded: Recorded | None) -> Verdict | None:
    """What is on record of a pair, where its witness still shows what it showed."""
    if recorded is None or recorded.verdict not in ("differ", "same: proved", "same: bounded"):
        return None
    parting = pair.replay(recorded.moves or []) if recorded.verdict == "differ" else None
    if recorded.verdict == "differ" and (parting is None or parting.level != recorded.level):
        return None
    steps = [f"on record: version {recorded.version}, seed {recorded.seed}"]
    return Verdict(recorded.verdict, parting, recorded.shortest, recorded.least, recorded.how, steps)  # type: ignore[arg-type]


def _weighed(pair: Pair, plan: Plan) -> Matters | None:
    """Whether a difference matters; None where a bound has cut that off."""

    def depends() -> list[object]:
        sizes = [None, *(SMALL_BOARDS if pair.a.rules.game.board.resizable else ())]
        return [[_meaning_on(g, size) for g in (pair.a, pair.b) for size in sizes], plan.budget, MATTERS_GAMES]

    try:
        return kept(
            "matters", depends, lambda: matters(pair, plan.budget, MATTERS_GAMES),
            lambda m: m.model_dump(mode="json", by_alias=True), Matters.model_validate,
        )[0]  # fmt: skip
    except Spent:
        return None


_GENERAL: TypeAdapter[general.General] = TypeAdapter(general.General)


def _general(pair: Pair, parting: Parting) -> General | None:
    """What of a witness could be otherwise; None where no move is played, or where a bound has cut that off."""
    if not parting.moves:
        return None
    try:
        found = kept(
            "general", lambda: (meaning(pair.a.rules), meaning(pair.b.rules), parting.moves, parting.level),
            lambda: general.generalise(pair, parting), lambda x: _GENERAL.dump_python(x, mode="json"), _GENERAL.validate_python,
        )[0]  # fmt: skip
    except Spent:
        return None
    board, position = pair.a.rules.board, pair.a.replay(list(parting.moves))
    spare: dict[int, Mark] = dict.fromkeys(sorted(general.spare(found) & set(position.cells)), "from")
    return General(
        loose=[
            Loose(ply=x.ply, site=board.names[x.site], elsewhere=[board.names[s] for s in x.elsewhere], tried=x.tried)
            for x in found.loose
        ],
        together=found.together, needless=[board.names[s] for s in found.needless], all_needless=found.all_needless,
        shifts=found.shifts, shiftable=found.shiftable, complete=found.complete,
        says=general.sentences(found, board, parting.moves),
        board=board_text(look(position, spare), words={**WORDS, "from": "may stand elsewhere, or be missing"}) if spare else "",
    )  # fmt: skip


def _meaning_on(game: Game, size: tuple[int, int] | None) -> str:
    """A digest of what a game means on another board; the empty string where it cannot be played there."""
    if size is None:
        return meaning(game.rules)
    try:
        return meaning(game.spec.rules(game.rules.variant, dict(game.rules.reading), size))
    except (BadInput, Usage):
        return ""


def _same_play(a: Game, b: Game, sides: list[Side], told: dict[str, Any]) -> Difference:
    """Two readings whose lowered rules are the same, term for term: proved the same in play; events may still differ."""
    events = [{e.rule: e for e in g.rules.game.events or []} for g in (a, b)]
    if events[0] == events[1]:
        return Difference(
            **told, a=sides[0], b=sides[1], verdict="same: proved", bound="both readings lower to the same core terms"
        )
    differing = [r for r in {**events[0], **events[1]} if events[0].get(r) != events[1].get(r)]
    sides = [
        Side(answer=s.answer, says=s.says, only=[], outcome="; ".join(event_words(e.get(r), r) for r in differing))
        for s, e in zip(sides, events, strict=True)
    ]
    start = a.start()
    how = "the readings allow the same moves; they part when the event happens, at any decision"
    witness = Witness(
        moves=[], plies=0, board=draw(start), position=position_text(start), shortest=True, how=how, replayed=True
    )  # fmt: skip
    return Difference(**told, a=sides[0], b=sides[1], verdict="differ", level="events", witness=witness,
                      matters=Matters(games=0, parted=0.0, changed=0.0, unplayable=0.0))  # fmt: skip


def event_words(event: Event | None, rule: str) -> str:
    """What an event does, in words."""
    if event is None:
        return f"{rule}: no such event"
    effects = [
        "the rest of the turn is lost" if event.ends else "", "the player to act loses" if event.loses else "",
        "the game is drawn" if event.draw else "",
    ]  # fmt: skip
    told = " and ".join(e for e in effects if e) or "nothing is said of what follows"
    return f"{event.name}, at {event.at}: {told}"


def status_word(question: Question) -> str:
    """open, settled or differs."""
    if question.ruling is not None:
        return "settled"
    return "settled" if isinstance(question.status, Settled) else "differs" if isinstance(question.status, Differs) else "open"


def sources(spec: Spec, question: Question) -> list[str]:
    """The sentences that a question is about, by number, paraphrased."""
    cites = list(question.source or [])
    if isinstance(question.status, Settled):
        cites += [c for c in question.status.settled_by if c not in cites]
    if isinstance(question.status, Differs):
        cites += [c for c in question.status.differs_in if c not in cites]
    return [cited(spec, c) for c in cites]


def cited(spec: Spec, cite: str) -> str:
    """A cite with what it says."""
    if spec.sources is None:
        return cite
    name, _, number = cite.partition(" ")
    if number.isdigit():
        for s in spec.sources.coverage or []:
            if s.n == int(number):
                return f"{cite}: {s.says}"
    return next((f"{cite}: {s.says}" for s in spec.sources.sources if s.id == name), cite)


def named(spec: Spec) -> str:
    """How the command line names a game: its id, or the path of a game of one's own."""
    from lawstone import data

    return spec.id if spec.path.parent.parent == data.spec_root() else str(spec.path)


def _gaps(spec: Spec, variant: str, plan: Plan) -> Iterator[Gap]:
    bench = _bench(spec, variant, plan)
    game = bench.game
    found, again = kept(
        "gaps", lambda: (meaning(game.rules), str(game.rules.game.events), plan.budget), lambda: gaps.gaps(game, plan.budget),
        lambda x: _MET.dump_python(x, mode="json"), lambda entry: _met_again(game, _MET.validate_python(entry)),
    )  # fmt: skip
    for met in found:
        position = game.replay(list(met.moves))
        shortest, how, since, boards = met.shortest, met.how, None, list[str]()
        if met.kind == "endless":
            since, boards = _way_round(game, met.moves)
            least, counted = least_plies(bench, met.rule)
            shortest, how = (True, f"no shorter game: {counted}") if len(met.moves) == least else (shortest, how)
        witness = Witness(moves=list(met.moves), plies=len(met.moves), board=draw(position), position=position_text(position),
                          shortest=shortest, how=how, replayed=gaps.confirm(game, met))  # fmt: skip
        yield Gap(kind=met.kind, rule=met.rule, says=spec.says(met.rule), variant=variant, witness=witness, since=since,
                  boards=boards, share=met.share, kept=again, seed=plan.budget.seed, command=bench.command)  # fmt: skip


_MET: TypeAdapter[list[gaps.Met]] = TypeAdapter(list[gaps.Met])


def _met_again(game: Game, found: list[gaps.Met]) -> list[gaps.Met]:
    """Gaps of an earlier run, once their games have been played again."""
    if not all(gaps.confirm(game, met) for met in found):
        raise ValueError("its game does not run into the gap when it is replayed")
    return found


def _bench(spec: Spec, variant: str, plan: Plan) -> Bench:
    command = plan.again(named(spec), *(["--variant", variant] if variant else []))
    game = Game(spec, spec.rules(variant, {}, plan.board))
    return Bench(game, variant, plan.budget, plan.unroll_seconds, shlex.join(command), plan.board)


def _way_round(game: Game, moves: Sequence[str]) -> tuple[int, list[str]]:
    """The ply after which the last position of a game stood for the first time, and the boards after each ply since then."""
    positions = [game.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    since = next(n for n, p in enumerate(positions) if p.state == positions[-1].state)
    return since, [draw(p) for p in positions[since + 1 : -1]]


def _duties(spec: Spec, variant: str, plan: Plan) -> Iterator[DutyVerdict]:
    """Whether each duty can always be met: proved, or left open."""
    rules = spec.rules(variant, {}, plan.board)

    def ask() -> list[DutyVerdict]:
        return [
            DutyVerdict(kind=d.kind, phase=d.phase, option=" ".join(d.label), rule=d.rule, variant=variant, verdict=d.verdict)
            for d in all_duties(rules, lemmas_of(rules))
        ]

    found, again = kept(
        "duties", lambda: (meaning(rules), variant), ask, lambda x: [d.model_dump(mode="json", by_alias=True) for d in x],
        lambda entry: [DutyVerdict.model_validate(d) for d in entry],
    )  # fmt: skip
    yield from (d.model_copy(update={"kept": again}) for d in found)


def diff(old: Game, new: Game, plan: Plan, command: list[str], names: tuple[str, str]) -> Difference:
    """What an edit, or a variant, changed: the first place where play parts."""
    return compare(
        old, new, plan, question="diff", ask=f"Does {names[1]} play as {names[0]} does?", status="open", variant="", names=names,
        says=("", ""), rules=changed_rules(old, new), sources=[], command=shlex.join(command),
    )  # fmt: skip


def changed_rules(old: Game, new: Game) -> list[str]:
    """The ids of rules whose clauses differ between two game files."""
    trees: list[Mapping[str, Any]] = [
        g.rules.game.model_dump(by_alias=True, exclude_none=True, exclude={*READINGS}) for g in (old, new)
    ]
    by_id = [{c["rule"]: c for c in clauses(t)} for t in trees]
    return [r for r in {**by_id[0], **by_id[1]} if by_id[0].get(r) != by_id[1].get(r)]
