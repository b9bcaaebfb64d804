"""From a game file to its rules: variables, phases, turns and endings in core terms, each kept with the rule it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from pydantic import BaseModel

from lawstone.board import Board
from lawstone.constructs import conditions, shapes, steps
from lawstone.constructs.scene import Copy, Following, Meaningless, Scene, Side, Variable
from lawstone.core import (
    FALSE,
    NOWHERE,
    TRUE,
    Clause,
    Ending,
    Next,
    Phase,
    Result,
    Sort,
    Term,
    Turn,
    and_,
    can,
    no,
    substitute,
    swap,
    when,
)  # fmt: skip
from lawstone.model.changes import READINGS
from lawstone.model.conditions import CanMove, CannotMove, CapturedBy, Condition, NothingCaptured
from lawstone.model.game import EndingClause, Game, PhaseClause, Then
from lawstone.model.steps import Do, Move, OneOf, Pick, Setting, Step, Taking, Way
from lawstone.model.vocabulary import Vocabulary, build_board

Value = int | bool
"""A variable's value: a set of sites as an int with bit s for site s, a number, or a flag."""


@dataclass(frozen=True)
class Rules:
    """A game, lowered. `start` gives the values at the start as the player who acts first sees them."""

    game: Game
    words: Vocabulary
    variables: tuple[Variable, ...]
    phases: Mapping[str, Phase]
    start: Mapping[str, Value]
    start_phase: str
    start_seat: int
    copies: tuple[Copy, ...]
    takes_colours: bool
    reading: tuple[tuple[str, str], ...] = ()
    variant: str = ""

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.words.board

    @cached_property
    def seat_of_phase(self) -> Mapping[str, int | None]:
        """The seat that acts in a phase, where the phase fixes it (a turn of a script)."""
        return {n: c.seat for n, c in _phase_plan(self.game, self.words).items()}

    @cached_property
    def meaning(self) -> object:
        """What the rules mean in play, apart from how they are told: equal for rules that lower to the same core terms."""
        phases = {name: tuple(t.meaning for t in phase.turns) for name, phase in self.phases.items()}
        return phases, self.variables, dict(self.start), self.start_phase, self.start_seat

    def terms(self) -> Iterator[Term]:
        """Every term of the rules."""
        for phase in self.phases.values():
            for turn in phase.turns:
                yield from _terms_of(turn)


def _terms_of(turn: Turn) -> Iterator[Term]:
    yield turn.guard
    for choice in turn.choices:
        yield from (choice.among, choice.count)
    yield from turn.updates.values()
    yield from (e.flag for e in turn.endings)
    yield from (n.flag for n in turn.next)


@dataclass(frozen=True)
class _Stretch:
    """One phase of play: a repeated turn, or one turn of a script."""

    clause: PhaseClause
    of: str
    steps: tuple[Step, ...]
    seat: int | None
    after: str | None


def _phase_plan(game: Game, words: Vocabulary) -> dict[str, _Stretch]:
    """The phases of play by name; a script becomes one phase a turn, called `opening 1`, `opening 2` and so on."""
    plan: dict[str, _Stretch] = {}
    listed = dict(game.phases or {})
    if game.turn is not None:
        listed.setdefault("main", PhaseClause.model_construct(turn=game.turn))
    for name, clause in listed.items():
        if clause.turn is not None:
            plan[name] = _Stretch(clause, name, tuple(clause.turn), None, None)
            continue
        script = clause.script or []
        for i, step in enumerate(script, 1):
            if step.who is None:
                raise Meaningless(f"turn {i} of the script '{name}' does not say who acts", step.rule or "", "add `who`", step)
            after = f"{name} {i + 1}" if i < len(script) else None
            plan[f"{name} {i}"] = _Stretch(clause, name, (step,), words.seat(step.who), after)
    return plan


def walk(part: object) -> Iterator[BaseModel]:
    """Every model at and below a part of a game file, its questions and variants left out."""
    if isinstance(part, BaseModel):
        yield part
        for name in type(part).model_fields:
            if not (isinstance(part, Game) and name in READINGS):
                yield from walk(getattr(part, name))
    elif isinstance(part, list | tuple):
        for p in part:
            yield from walk(p)
    elif isinstance(part, dict):
        for p in part.values():
            yield from walk(p)


def lower(game: Game) -> Rules:
    """The rules that a game file means; raises Meaningless (or Unknown, for words) where it means nothing."""
    return _Lowering(game).rules()


@dataclass(frozen=True)
class Asked:
    """Rules, and conditions that somebody asks about beside them.

    `here` has them by phase as the player who acts reads them before a turn; `after` by phase and number of the turn, as an ending
    would read them on the board after it.
    """

    rules: Rules
    here: Mapping[str, Mapping[str, Term]]
    after: Mapping[tuple[str, int], Mapping[str, Term]]


def lower_asking(game: Game, here: Mapping[str, tuple[Condition, set[str]]], after: Mapping[str, Condition]) -> Asked:
    """The rules of a game, with conditions by name; those of `here` come with the phases in which they are asked."""
    asked = [EndingClause.model_validate({"rule": f"{_ASKED}{n}", "if": after[name], "draw": True}) for n, name in enumerate(after)]
    lowering = _Lowering(game.model_copy(update={"end": [*game.end, *asked]}))
    read = {
        phase: {
            name: conditions.lower(c, lowering.scene(phase), "").term
            for name, (c, phases) in here.items()
            if phase in phases or stretch.of in phases
        }
        for phase, stretch in lowering.plan.items()
    }
    rules = lowering.rules(also={n for terms in read.values() for t in terms.values() for n in t.names})
    told: dict[tuple[str, int], dict[str, Term]] = {}
    phases: dict[str, Phase] = {}
    for phase, listed in rules.phases.items():
        turns = []
        for number, turn in enumerate(listed.turns):
            flags = {e.rule: e.flag for e in turn.endings}
            told[phase, number] = {name: flags.get(f"{_ASKED}{n}", FALSE) for n, name in enumerate(after)}
            turns.append(replace(turn, endings=tuple(e for e in turn.endings if not e.rule.startswith(_ASKED))))
        phases[phase] = replace(listed, turns=tuple(turns))
    return Asked(replace(rules, phases=phases, game=game), read, told)


_ASKED = "asked."


class _Lowering:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.board = build_board(game.board)
        self.words = Vocabulary(game, self.board)
        self.copies = tuple(c for n, s in (game.shapes or {}).items() for c in shapes.copies(n, s, self.words))
        self.plan = _phase_plan(game, self.words)
        self.takes_colours = any(isinstance(p, Way) and p.take is not None for p in walk(game))
        self.variables = {v.name: v for v in self._variables()}
        self.starts: dict[str, Value] = {}
        self._judged: dict[tuple[str, bool], Term | None] = {}
        self._drafts: dict[str, list[steps.Draft]] = {}

    # -- variables ----------------------------------------------------------------------------------------------------------------

    def _variables(self) -> Iterator[Variable]:
        for piece, clause in self.game.pieces.items():
            for name in self.words.variables(piece, None):
                if clause.of == "nobody":
                    yield Variable(name, Sort.SITES)
                    continue
                for side in ("mine", "theirs"):
                    yield Variable(f"{side}.{name}", Sort.SITES)
                if clause.hand is not None:
                    most = max(self._hands(piece))
                    for side in ("mine", "theirs"):
                        yield Variable(f"{side}.hand {name}", Sort.NUMBER, 0, most)
        yield Variable("last", Sort.SITES)
        flags = ["first"] + ([self.words.colours[0]] if self.takes_colours else [])
        for flag in flags:
            yield from (Variable(f"{side}.{flag}", Sort.FLAG) for side in ("mine", "theirs"))
        asked = [c.at_least for c in walk(self.game) if isinstance(c, CapturedBy)]
        if asked:
            yield from (Variable(f"{side}.captured", Sort.NUMBER, 0, max(asked)) for side in ("mine", "theirs"))
        for phase in dict.fromkeys(c.nothing_captured_in for c in walk(self.game) if isinstance(c, NothingCaptured)):
            if phase in self.words.phases:
                yield Variable(f"captured in {phase}", Sort.FLAG)

    def _hands(self, piece: str) -> tuple[int, int]:
        hand = self.game.pieces[piece].hand
        if isinstance(hand, dict):
            names = self.words.colours if self.game.pieces[piece].of == "colour" else self.words.players
            return hand.get(names[0], 0), hand.get(names[1], 0)
        return (hand or 0, hand or 0)

    def _start_values(self, seat: int) -> dict[str, Value]:
        """The values of all variables at the start, as the player in `seat` sees them."""
        values: dict[str, Value] = {v.name: False if v.sort is Sort.FLAG else 0 for v in self.variables.values()}
        for words, where in (self.game.start or {}).items():
            meant = self.words.piece(words)
            mask = self.board.mask(s for w in ([where] if isinstance(where, str) else where) for s in self.words.fixed(w))
            name = self.words.variables(meant.piece, meant.kind)[0]
            if name not in self.variables:
                owner = 0 if meant.owner in ("first", "first colour") else 1
                name = f"{'mine' if owner == seat else 'theirs'}.{name}"
            values[name] = int(values[name]) | mask
        for piece, clause in self.game.pieces.items():
            for name in self.words.variables(piece, None) if clause.hand is not None else []:
                for side, owner in (("mine", seat), ("theirs", 1 - seat)):
                    values[f"{side}.hand {name}"] = self._hands(piece)[owner]
        for flag in ["first"] + ([self.words.colours[0]] if self.takes_colours else []):
            values[f"mine.{flag}"], values[f"theirs.{flag}"] = seat == 0, seat == 1
        return values

    # -- turns --------------------------------------------------------------------------------------------------------------------

    def scene(self, phase: str, other: bool = False) -> Scene:
        """The board as it stands before a turn of a phase; with `other`, as if it were the turn of the player whose it is not."""
        stretch = self.plan[phase]
        judge = partial(self._judge, phase)
        seat = 1 - stretch.seat if other and stretch.seat is not None else stretch.seat
        return Scene(self.words, self.variables, self.copies, judge, stretch.of, self.takes_colours, seat=seat)

    def _judge(self, phase: str, scene: Scene, side: Side) -> Term:
        """Whether a player can move on the board as it stands in a scene, in the same phase."""
        return substitute(self._can(phase) if side == "mine" else swap(self._can(phase, True)), scene.now)

    def _can(self, phase: str, other: bool = False) -> Term:
        """Whether the player who acts has a first pick in a phase; with `other`, if it were the turn of the other player.

        It makes a difference only where the phase fixes who acts, and its words name players or colours.
        """
        other = other and self.plan[phase].seat is not None
        if (phase, other) not in self._judged:
            self._judged[phase, other] = None
            stretch = self.plan[phase]
            draft = steps.Draft(self.scene(phase, other), stretch.steps[0].rule or phase)
            drafts = steps.perform_all(self._deciding(stretch.steps), draft)
            try:
                self._judged[phase, other] = can(Phase(phase, tuple(_bare_turn(d) for d in drafts)))
            except ValueError as error:
                raise Meaningless(f"whether a player can move in '{phase}' cannot be told: {error}") from None
        found = self._judged[phase, other]
        if found is None:
            raise Meaningless(f"whether a player can move in '{phase}' depends on itself")
        return found

    def _deciding(self, listed: tuple[Step, ...]) -> list[Step]:
        """The steps that decide whether a player can move: up to the first pick of sites, or the last that may forbid it.

        A forbidding step counts unless it asks who can move (that would go round in a circle), or one of its picks follows a
        pick of several sites or of a number that depends on the board (the core has no binder for sets).
        """
        flat = [s for step in listed for s in self._flat(step)]
        last = next((i for i, s in enumerate(flat) if not isinstance(s, OneOf | Pick)), len(flat) - 1)
        several = False
        for i, s in enumerate(flat):
            forbids = isinstance(s, Taking | Setting) and s.if_fewer == "not allowed"
            forbids = forbids and not (isinstance(s, Move) and s.when is not None)
            circular = any(isinstance(c, CanMove | CannotMove) for c in walk(s))
            if forbids and not circular and not several:
                last = max(last, i)
            several = several or (isinstance(s, Taking) and s.count not in (1, "all"))
            several = several or (isinstance(s, Taking | Setting) and s.when is not None)
        return flat[: last + 1]

    def _flat(self, step: Step) -> Iterator[Step]:
        if isinstance(step, Do):
            for s in (self.game.steps or {}).get(step.do, []):
                yield from self._flat(s)
        else:
            yield step

    def _turns(self, phase: str) -> tuple[Turn, ...]:
        stretch = self.plan[phase]
        draft = steps.Draft(self.scene(phase), stretch.steps[0].rule or phase)
        return tuple(self._turn(phase, d) for d in steps.perform_all(stretch.steps, draft))

    def _turn(self, phase: str, draft: steps.Draft) -> Turn:
        after = replace(
            self.scene(phase),
            now={},
            picks=draft.scene.picks,
            it=NOWHERE if draft.scene.it is None else draft.scene.it,
            ending=True,
        )
        following = tuple(self._next(phase, draft, after))
        after = replace(
            after,
            judge=lambda scene, side: self._judge_next(following, side),
            following=tuple(Following(n.flag, self.plan[n.phase].of, n.passes, self._enters(phase, n)) for n in following),
        )
        endings = tuple(self._endings(phase, after))
        updates = {n: t for n, t in draft.scene.now.items() if n in self.variables and t is not self.variables[n].read()}
        bare = _bare_turn(draft)
        return replace(bare, updates=updates, endings=endings, next=following)

    def _endings(self, phase: str, after: Scene) -> Iterator[Ending]:
        listed = list(self.game.end)
        if self.game.order is not None:
            rank = {rule: i for i, rule in enumerate(self.game.order)}
            listed.sort(key=lambda e: rank.get(e.rule, len(rank)))
        for clause in listed:
            phases = [clause.in_] if isinstance(clause.in_, str) else clause.in_
            if phases is not None and self.plan[phase].of not in phases:
                continue
            why = conditions.lower(clause.if_, after, clause.rule)
            if why.term is not FALSE:
                yield from self._result(clause, why, after)

    def _result(self, clause: EndingClause, why: Clause, after: Scene) -> Iterator[Ending]:
        """An ending with its result; two where it depends on who acts next."""
        named, wins = clause.result
        if named == "draw":
            yield Ending(clause.rule, why.term, "draw", why)
            return
        own = after.is_own("next") if named == "next" else TRUE if named == "mover" else FALSE
        won: Result = "mover" if wins else "opponent"
        lost: Result = "opponent" if wins else "mover"
        for whose, result in ((own, won), (no(own), lost)):
            if and_(why.term, whose) is not FALSE:
                yield Ending(clause.rule, and_(why.term, whose), result, why)

    def _enters(self, phase: str, following: Next) -> bool:
        """Whether what follows begins a phase: it is not the one of the turn just completed."""
        return self.plan[following.phase].of != self.plan[phase].of

    def _judge_next(self, following: tuple[Next, ...], side: Side) -> Term:
        """Whether a player (as the mover sees them) could move in the phase that comes next, on the board after the turn.

        The player who does not act next is judged as if it were that player's turn.
        """
        found: Term = FALSE
        for n in reversed(following):
            acts = "theirs" if n.passes else "mine"
            can_there = self._can(n.phase, side != acts)
            found = when(n.flag, can_there if side == "mine" else swap(can_there), found)
        return found

    # -- what comes next ----------------------------------------------------------------------------------------------------------

    def _next(self, phase: str, draft: steps.Draft, after: Scene) -> Iterator[Next]:
        stretch = self.plan[phase]
        if draft.go is not None:
            yield from self._enter(Then(go=draft.go), TRUE, after)
            return
        if stretch.after is not None:
            yield Next(TRUE, stretch.after, self.plan[stretch.after].seat != stretch.seat)
            return
        over = TRUE if stretch.clause.script is not None else FALSE
        if stretch.clause.until is not None:
            over = conditions.lower(stretch.clause.until, after, _id(stretch.clause.until)).term
        left: Term = TRUE
        if over is not FALSE:
            listed = stretch.clause.then or []
            for then in [listed] if isinstance(listed, Then) else listed:
                applies = TRUE if then.if_ is None else conditions.lower(then.if_, after, then.rule or "").term
                yield from self._enter(then, and_(over, left, applies), after)
                left = and_(left, no(applies))
            if left is not FALSE:
                message = f"when the phase '{stretch.of}' is over, nothing says what follows"
                hint = "the last entry of `then` has no `if`"
                raise Meaningless(message, _id(stretch.clause.until), hint, stretch.clause)
        if over is not TRUE:
            yield Next(no(over), phase, True)

    def _enter(self, then: Then, flag: Term, after: Scene) -> Iterator[Next]:
        """The ways into a phase: who acts there may depend on the seat or on the colour held."""
        name = then.go if then.go in self.plan else f"{then.go} 1"
        if name not in self.plan:
            raise Meaningless(f"there is no phase '{then.go}'", then.rule or "", part=then)
        rule, seat = then.rule or "", self.plan[name].seat
        own = TRUE if seat == 0 else FALSE
        if seat is not None:
            own = when(after.is_first(), own, no(own))
        elif then.first is None:
            own = FALSE
        else:
            who = self.words.player(then.first)
            if who == "both":
                raise Meaningless("one player acts first", rule, part=then)
            own = after.is_own(who)
        if and_(flag, no(own)) is not FALSE:
            yield Next(and_(flag, no(own)), name, True, rule)
        if and_(flag, own) is not FALSE:
            yield Next(and_(flag, own), name, False, rule)

    # -- the whole ----------------------------------------------------------------------------------------------------------------

    def rules(self, also: Iterable[str] = ()) -> Rules:
        """Lower every phase, and drop the variables that nothing reads and `also` does not name."""
        start_phase = self.game.start_phase or next(iter(self.plan))
        if start_phase not in self.plan:
            start_phase = f"{start_phase} 1"
        if start_phase not in self.plan:
            raise Meaningless(f"there is no phase '{self.game.start_phase}'")
        first = self.plan[start_phase].clause.first
        seat = self.plan[start_phase].seat
        start_seat = seat if seat is not None else self.words.seat(first) if first is not None else 0
        phases = {name: Phase(name, self._turns(name)) for name in self.plan}
        kept = self._needed(phases, also)
        phases = {name: Phase(name, tuple(_without_others(t, kept) for t in phase.turns)) for name, phase in phases.items()}
        variables = tuple(v for v in self.variables.values() if v.name in kept)
        values = self._start_values(start_seat)
        return Rules(self.game, self.words, variables, phases, {v.name: values[v.name] for v in variables}, start_phase, start_seat,
                     self.copies, self.takes_colours)  # fmt: skip

    def _needed(self, phases: Mapping[str, Phase], also: Iterable[str]) -> set[str]:
        """Variables that some rule reads, directly or through another's update; pieces, hands and colours are always kept."""
        always = {n for n in self.variables if self.variables[n].sort is Sort.SITES and n != "last"} | {
            n for n in self.variables if ".hand " in n
        }
        if self.takes_colours:
            always |= {f"{side}.{self.words.colours[0]}" for side in ("mine", "theirs")}
        turns = [t for p in phases.values() for t in p.turns]
        needed, front = set[str](), always | (set(also) & self.variables.keys())
        for turn in turns:
            for term in (
                turn.guard,
                *(x for c in turn.choices for x in (c.among, c.count)),
                *(e.flag for e in turn.endings),
                *(n.flag for n in turn.next),
            ):
                front |= term.names & self.variables.keys()
        while front:
            needed |= front
            pairs = {n for name in front for n in (name.replace("mine.", "theirs."), name.replace("theirs.", "mine."))}
            changes = [u for t in turns for u in (t.updates, *(c.before for c in t.choices))]
            read_by = {n for u in changes for name in front if name in u for n in u[name].names}
            front = ((read_by & self.variables.keys()) | pairs) - needed
        return needed


def _without_others(turn: Turn, kept: set[str]) -> Turn:
    """The turn without its changes of variables that are not kept."""

    def only(changes: Mapping[str, Term]) -> dict[str, Term]:
        return {n: t for n, t in changes.items() if n in kept}

    choices = tuple(replace(c, before=only(c.before)) for c in turn.choices)
    return replace(turn, updates=only(turn.updates), choices=choices)


def _bare_turn(draft: steps.Draft) -> Turn:
    return Turn(draft.rule, draft.label, and_(*(g.term for g in draft.guard)), draft.guard, draft.choices, {}, (), (),
                tuple(c.role for c in draft.choices), draft.effects)  # fmt: skip


def _id(condition: Condition | None) -> str:
    return "" if condition is None or isinstance(condition, str) else condition.rule or ""
