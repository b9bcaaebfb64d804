"""From what is asked to a vector: the right answer, the other readings' answers, the rules that decide, and what is special."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lawstone.cases.answer import Answering, Asked, Unplayable, shown
from lawstone.cases.coverage import Coverage, Situation
from lawstone.cases.features import where_stands
from lawstone.cases.vector import NOTES, Answer, Ended, Reading, Vector, identity
from lawstone.core import Ending, Scope, fold
from lawstone.engine import events
from lawstone.engine.explain import explain
from lawstone.engine.game import Game, MoveError, Position
from lawstone.engine.state import Picks, members
from lawstone.lower import Value
from lawstone.model.faults import BadInput
from lawstone.model.game import Event, Question, Settled
from lawstone.spec import Spec, Usage

MOST_MOVES = 400
"""Legal moves that a vector lists; positions with more are asked about single moves."""


@dataclass(frozen=True)
class Want:
    """A vector that a source asks for: what is asked, the rules it is for, and flags that only the source knows."""

    variant: str
    asked: Asked
    rules: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    says: str = ""
    shows: tuple[Situation, ...] = ()
    """The situations that it shows."""
    neighbour: Asked | None = None
    """What is asked on the other side of a boundary."""


@dataclass(frozen=True)
class Candidate:
    """A reading that a program may have: an answer of a question, or a misreading."""

    kind: str
    question: str
    answer: str
    says: str
    game: Game
    rules: tuple[str, ...] = ()
    """The rules that it changes."""
    changes: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The changes that make it, in the form of an answer to a question."""

    @property
    def name(self) -> str:
        """How it is called in reports."""
        return f"{self.question}={self.answer}" if self.kind == "question" else self.question


class Maker:
    """Makes vectors for a game."""

    def __init__(self, spec: Spec, size: tuple[int, int] | None = None) -> None:
        self.spec, self.size = spec, size
        self._bases: dict[str, Answering] = {}
        self._readings: dict[str, list[tuple[Candidate, Answering]]] = {}
        self.rivals: dict[str, list[tuple[Candidate, Answering]]] = {}
        """What else a variant could be taken for, once it has been gathered."""
        self.coverage = Coverage()
        self.kept: dict[object, object] = {}
        """What the sources have made of a variant and use again, such as a survey."""

    @property
    def variants(self) -> list[str]:
        """The base game (as an empty name) and its variants."""
        return ["", *(self.spec.game.variants or {})] if self.size is None else [""]

    def base(self, variant: str) -> Answering:
        """The game as its rules stand."""
        if variant not in self._bases:
            self._bases[variant] = Answering(Game(self.spec, self.spec.rules(variant, {}, self.size)))
        return self._bases[variant]

    def readings(self, variant: str) -> list[tuple[Candidate, Answering]]:
        """Every other answer of every question that is asked of a variant."""
        if variant not in self._readings:
            base = self.base(variant)
            self._readings[variant] = [
                (c, Answering(c.game, base)) for c in candidates(self.spec, variant, self.size) if same_board(base.game, c.game)
            ]
        return self._readings[variant]

    def vector(self, want: Want) -> Vector | None:
        """The vector; None where its moves are no game, or where its list of moves would be too long."""
        base, asked = self.base(want.variant), want.asked
        try:
            position = base.position(asked.moves)
        except Unplayable:
            return None
        if asked.ask == "legal moves" and ways(position) > MOST_MOVES:
            return None
        expect = base.answer(asked)
        if expect is None or (asked.ask in ("legal picks",) and not expect.picks):
            return None
        under, refused, unsettled = self._under(want.variant, asked, expect)
        told = Telling(base, asked, expect)
        flags = dict.fromkeys((*want.flags, *told.flags()))
        if under:
            flags["open question" if unsettled else "settled question"] = None
        no_rule = isinstance(expect.outcome, Ended) and expect.outcome.result == "no rule"
        size = list(self.size) if self.size else None
        return Vector(
            id=self.id_of(want.variant, asked),
            variant=want.variant or None, size=size, moves=list(asked.moves), position=shown(position), ask=asked.ask,
            move=asked.move, expect=expect, status="unspecified" if unsettled or no_rule else "specified", under=under,
            refused=refused,
            rules=sorted({*want.rules, *told.rules()}), flags=[f for f in NOTES if f in flags], says=want.says or told.says(),
            neighbour=None if want.neighbour is None else self.id_of(want.variant, want.neighbour),
        )  # fmt: skip

    def id_of(self, variant: str, asked: Asked) -> str:
        """The id of the vector that asks something."""
        return identity(self.spec.id, variant, self.size, asked.moves, asked.ask, asked.move)

    def _under(self, variant: str, asked: Asked, expect: Answer) -> tuple[list[Reading], list[str], bool]:
        """The readings that answer otherwise, those of open questions that refuse the game, and whether an open one decides."""
        found, refused, unsettled = list[Reading](), list[str](), False
        for candidate, answering in self.readings(variant):
            other = answering.answer(asked)
            unsettles = is_open(self.spec.question(candidate.question))
            if other is None:
                refused += [candidate.name] if unsettles else []
            elif other != expect:
                found.append(Reading(question=candidate.question, answer=candidate.answer, expect=other))
                unsettled = unsettled or (unsettles and not same_but_for_reason(expect, other))
        return found, refused, unsettled


def ways(position: Position) -> int:
    """How many moves are legal, counted without listing them."""
    if position.ended is not None:
        return 0
    engine = position.game.engine
    return sum(o[0] for o in engine.options[engine.index[position.phase]](*position.state.values))


def same_but_for_reason(a: Answer, b: Answer) -> bool:
    """Whether two answers are the same, apart from the rule by which a game ended."""
    plain = [x.model_copy(update={"outcome": x.outcome.model_copy(update={"by": ""})}) if isinstance(x.outcome, Ended) else x
             for x in (a, b)]  # fmt: skip
    return plain[0] == plain[1]


def is_open(question: Question) -> bool:
    """Whether no sentence and no ruling settles a question."""
    return question.ruling is None and not isinstance(question.status, Settled)


def same_board(a: Game, b: Game) -> bool:
    """Whether two games are played on the same sites."""
    return a.rules.board.places == b.rules.board.places


def candidates(spec: Spec, variant: str, size: tuple[int, int] | None = None) -> Iterator[Candidate]:
    """Every answer but the base of every question asked of a variant, as a game."""
    for question in spec.questions(variant):
        base = spec.base_answer(question)
        for answer, changes in question.answers.items():
            if answer == base:
                continue
            try:
                game = Game(spec, spec.rules(variant, {question.id: answer}, size))
            except (Usage, BadInput):
                continue
            says = spec.says(f"question.{question.id}.{answer}")
            yield Candidate("question", question.id, answer, says, game, tuple(changes), changes)


def last_pick(position: Position, picks: Picks) -> int | None:
    """The site of the piece that a move placed or moved."""
    turn = position.game.rules.phases[position.phase].turns[picks.turn]
    put = [m for c, m in zip(turn.choices, picks.sites, strict=False) if c.role in ("place", "to") and m.bit_count() == 1]
    return members(put[-1])[0] if put else None


def after_values(position: Position, picks: Picks) -> Mapping[str, Value]:
    """The variables after a move as the player who moved sees them, with what was picked."""
    game = position.game
    turn = game.rules.phases[position.phase].turns[picks.turn]
    ints = game.reference.ints
    chosen: dict[str, Value] = {c.name: s for c, s in zip(turn.choices, picks.sites, strict=False)}
    before = Scope[Value]({**position.values, **chosen})
    after = {n: fold(turn.updates[n], ints, before) if n in turn.updates else v for n, v in position.values.items()}
    return {**after, **chosen}


def holding(position: Position, picks: Picks) -> list[Ending]:
    """The endings that hold after a move, whichever comes first."""
    game = position.game
    turn = game.rules.phases[position.phase].turns[picks.turn]
    if len(picks.sites) < len(turn.choices):
        return []
    scope = Scope(after_values(position, picks))
    return [e for e in turn.endings if fold(e.flag, game.reference.ints, scope)]


def _last_picks(base: Answering, line: tuple[str, ...]) -> Picks | None:
    """What the last move of a line picks; None where there is none, or where it is an event."""
    try:
        return base.picks(line) if line else None
    except MoveError:
        return None


class Telling:
    """What a vector says besides its answer."""

    def __init__(self, base: Answering, asked: Asked, expect: Answer) -> None:
        self.base, self.asked, self.expect = base, asked, expect
        self.position = base.position(asked.moves)
        self.game, self.spec = base.game, base.game.spec
        line = (*asked.moves, asked.move) if asked.ask == "after" and asked.move else asked.moves
        self.line = line
        self.picks = _last_picks(base, line)
        self.before = base.position(line[:-1]) if line and self.picks is not None else None

    @cached_property
    def after(self) -> Position:
        """The position that the answer is about."""
        return self.base.position(self.line)

    def flags(self) -> Iterator[str]:
        """What is special, as far as the position says."""
        position = self.after
        outcome = position.outcome
        if outcome is not None and outcome.kind == "no rule":
            yield "no rule"
        if self.before is not None and self.picks is not None and self.asked.ask in ("outcome", "after", "who acts"):
            site = last_pick(self.before, self.picks)
            where = "inside" if site is None else where_stands(self.game, site)
            if where != "inside":
                yield where
            if len(holding(self.before, self.picks)) > 1:
                yield "two endings"
            if position.outcome is None and position.phase != self.before.phase:
                yield "phase change"
        if any(n == 0 for n in position.hands.values()) and self.asked.ask != "is legal":
            yield "last piece"
        if len(position.cells) == self.game.rules.board.size:
            yield "full board"
        seats = self.game.rules.seat_of_phase
        if seats.get(self.game.rules.start_phase) is not None and seats.get(self.position.phase) is not None:
            yield "opening"
        if self.expect.legal is False:
            yield "illegal"

    def rules(self) -> Iterator[str]:
        """The rules that decide the answer."""
        ask, outcome = self.asked.ask, self.after.outcome
        turns = self.game.rules.phases[self.position.phase].turns
        if ask == "is legal":
            yield self._explained()[0]
        elif ask == "event":
            event = self._event()
            yield turns[0].rule if event is None else event.rule
        elif ask in ("outcome", "after", "who acts") and outcome is not None:
            yield outcome.rule
        elif ask == "legal picks":
            yield from (c.rule for t in turns for c in t.choices[:1])
        elif ask == "legal moves" and self.position.ended is None:
            yield from dict.fromkeys(t.rule for t in turns)
        elif self.before is not None and self.picks is not None:
            turn = self.game.rules.phases[self.before.phase].turns[self.picks.turn]
            yield turn.rule
            yield from self._next_rules()

    def _next_rules(self) -> Iterable[str]:
        assert self.before is not None
        assert self.picks is not None
        if self.after.ended is not None or self.after.phase == self.before.phase:
            return ()
        turn = self.game.rules.phases[self.before.phase].turns[self.picks.turn]
        scope = Scope(after_values(self.before, self.picks))
        for following in turn.next:
            if fold(following.flag, self.game.reference.ints, scope):
                return (following.rule,) if following.rule else ()
        return ()

    def _explained(self) -> tuple[str, str]:
        assert self.asked.move is not None
        try:
            found = explain(self.position, self.asked.move)
        except MoveError as error:
            return "", str(error)
        because = f" ({found.because})" if found.because and not found.legal else ""
        return found.rule, f"{found.move} is {'legal' if found.legal else 'not legal'}{because}: {found.says or found.rule}"

    def _event(self) -> Event | None:
        named = events.named(self.position, self.asked.move or "")
        return None if named is None else named[0]

    def _says_of_event(self) -> str:
        """What follows an event, by the sentence of the rule that declares it."""
        event, ended = self._event(), self.expect.outcome
        if event is None or self.expect.legal is False:
            known = "no such event is declared" if event is None else "this event does not happen here"
            return f"{self.asked.move}, {self.position.actor} being to act, is not legal: {known}."
        by = self.spec.says(event.rule) or event.rule
        if isinstance(ended, Ended):
            who = (
                f"{ended.winner} has won"
                if ended.winner
                else "the game is drawn"
                if ended.result == "draw"
                else "no rule says what follows"
            )
            return f"{self.asked.move}, {self.position.actor} being to act: {who}: {by}"
        return f"{self.asked.move}, {self.position.actor} being to act; then {self.expect.acts} is to act: {by}"

    def says(self) -> str:
        """Why, in one sentence: the deciding rule's own, with the sites."""
        ask, outcome, spec = self.asked.ask, self.after.outcome, self.spec
        if ask == "is legal":
            return self._explained()[1]
        if ask == "event":
            return self._says_of_event()
        last = f" after {self.line[-1]}" if self.line else ""
        if ask in ("outcome", "after", "who acts") and outcome is not None:
            by = spec.says(outcome.rule) or outcome.rule
            if outcome.kind == "no rule":
                return f"The rules do not say what happens{last}: {by}"
            who = "" if outcome.winner is None else f" for {self.game.rules.words.players[outcome.winner]}"
            return f"{'Won' if outcome.kind == 'win' else 'Drawn'}{who}{last}: {by}"
        rules = list(self.rules())
        told = "; ".join(spec.says(r) for r in rules[-2:] if spec.says(r))
        if ask in ("outcome", "after", "who acts"):
            acts = f"{self.after.actor} is to act"
            return f"The game goes on{last} and {acts}." if ask != "after" or not told else f"{told} Then {acts}."
        if ask == "legal picks":
            return f"What may be picked next: {told or ', '.join(rules)}"
        if self.position.ended is not None:
            return "No move is legal, for the game is over."
        return f"{self.position.actor} has {ways(self.position)} legal moves{last}: {told or ', '.join(rules)}"
