"""The board as it stands at one point of a turn, seen by the player who acts: what the constructs are given to work with.

A scene is immutable. Steps that change the board make a new scene in which some variables have become terms over the start of
the turn and its choices, so that every later clause speaks of "the board as it then stands".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

from lawstone.board import Board
from lawstone.core import (
    FALSE,
    NOWHERE,
    OPPOSITE_OF,
    TRUE,
    Clause,
    Sort,
    Term,
    and_,
    both,
    count,
    either,
    no,
    or_,
    plus,
    read,
    sites,
    some,
    step,
    when,
    without,
)  # fmt: skip
from lawstone.model.base import RELATIVE
from lawstone.model.vocabulary import Atom, Fixed, Owner, PieceWords, Unknown, Vocabulary

Side = Literal["mine", "theirs"]


class Meaningless(ValueError):
    """A clause whose words are right and whose whole means nothing; `rule` is whose it is, if it has one.

    `part` is the smallest part of the game file (a model) that is meant, where that is known, and `given` the words in it.
    """

    def __init__(self, message: str, rule: str = "", hint: str = "", part: object = None) -> None:
        super().__init__(message)
        self.rule, self.hint, self.part = rule, hint, part
        self.given = ""


Part = TypeVar("Part")
Others = ParamSpec("Others")
Made = TypeVar("Made")


def placed(lowering: Callable[Concatenate[Part, Others], Made]) -> Callable[Concatenate[Part, Others], Made]:
    """A lowering that tells, of what means nothing, the innermost part of the game file in which it stands."""

    @wraps(lowering)
    def inner(part: Part, /, *args: Others.args, **kwargs: Others.kwargs) -> Made:
        try:
            return lowering(part, *args, **kwargs)
        except (Meaningless, Unknown) as error:
            if isinstance(part, str):
                error.given = error.given or part
            elif error.part is None:
                error.part = part
            raise

    return inner


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: its name with side, its sort, and the range of a number."""

    name: str
    sort: Sort
    low: int = 0
    high: int = 0

    def read(self) -> Term:
        """The term that reads it."""
        return read(self.name, self.sort, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Copy:
    """One place where a shape can stand: the sites that must hold a piece of it, and those that must not."""

    shape: str
    rule: str
    worth: int
    must: frozenset[int]
    must_not: frozenset[int]


@dataclass(frozen=True, slots=True)
class Following:
    """What comes after a turn where `flag` holds: a turn of `phase`, which begins with it where `enters`; the mover acts or not."""

    flag: Term
    phase: str
    passes: bool
    enters: bool


@dataclass(frozen=True)
class Scene:
    """See the module. `seat` is the acting seat where the phase fixes it, `it` the site of the piece in hand or just moved.

    `following` is what comes next, known in endings only.
    """

    words: Vocabulary
    variables: Mapping[str, Variable]
    copies: tuple[Copy, ...]
    judge: Callable[[Scene, Side], Term]
    phase: str
    takes_colours: bool
    now: Mapping[str, Term] = field(default_factory=dict)
    picks: Mapping[str, str] = field(default_factory=dict)
    it: Term | None = None
    vacated: Term = NOWHERE
    seat: int | None = None
    ending: bool = False
    effect: Callable[[Scene, Term], Scene] | None = None
    following: tuple[Following, ...] | None = None

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.words.board

    # -- variables ----------------------------------------------------------------------------------------------------------------

    def value(self, name: str) -> Term:
        """A variable as it now stands."""
        return self.now[name] if name in self.now else self.variables[name].read()

    def set(self, **changes: object) -> Scene:
        """The same scene with fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def with_values(self, values: Mapping[str, Term]) -> Scene:
        """The scene after some variables have changed."""
        return replace(self, now={**self.now, **values})

    def is_first(self) -> Term:
        """The player who acts sits in the first seat."""
        if self.seat is not None:
            return TRUE if self.seat == 0 else FALSE
        return self.variables["mine.first"].read()

    def holds_first_colour(self) -> Term:
        """The player who acts holds the first colour."""
        if not self.takes_colours:
            return self.is_first()
        return self.value(f"mine.{self.words.colours[0]}")

    def is_own(self, owner: Owner) -> Term:
        """What is said to be `owner`'s belongs to the player who acts."""
        if owner in ("own", "enemy"):
            return TRUE if owner == "own" else FALSE
        if owner == "next":
            return self.comes(lambda f: not f.passes)
        holds = self.is_first() if owner in ("first", "second") else self.holds_first_colour()
        return holds if owner.startswith("first") else no(holds)

    def comes(self, wanted: Callable[[Following], bool]) -> Term:
        """What comes after this turn is as wanted; raises Meaningless before that is known."""
        if self.following is None:
            raise Meaningless("what comes after a turn is known in endings only", hint="say `mover`, `opponent` or a player's name")
        found: Term = FALSE
        for f in reversed(self.following):
            found = when(f.flag, TRUE if wanted(f) else FALSE, found)
        return found

    # -- pieces -------------------------------------------------------------------------------------------------------------------

    def kind_of(self, words: PieceWords) -> str | None:
        """The kind meant, with `$s` replaced by what was picked."""
        if words.kind is None or not words.kind.startswith("$"):
            return words.kind
        name = words.kind[1:]
        if name not in self.picks:
            raise Meaningless(
                f"nothing is picked as ${name} before '{words.piece} {words.kind}'", hint=f"a step `pick: {name}` must come first"
            )
        return self.picks[name]

    def variables_of(self, words: PieceWords) -> list[str]:
        """The variables (without side) of the pieces meant."""
        kind = self.kind_of(words)
        found = self.words.variables(words.piece, kind)
        if not found:
            raise Meaningless(f"the piece '{words.piece}' has no kind '{kind}'")
        return found

    def owned(self, name: str, owner: Owner | None) -> Term:
        """The sites of a piece variable: one owner's, or (None) everybody's."""
        if name in self.variables:
            return self.value(name)
        mine, theirs = self.value(f"mine.{name}"), self.value(f"theirs.{name}")
        return either(mine, theirs) if owner is None else when(self.is_own(owner), mine, theirs)

    def pieces(self, words: PieceWords) -> Term:
        """The sites of the pieces meant."""
        return either(*(self.owned(v, words.owner) for v in self.variables_of(words)))

    def hand(self, words: PieceWords) -> Term:
        """How many of the pieces meant are still in hand (of both players when no owner is named)."""
        return plus(*(self._hand(v, words.owner) for v in self.variables_of(words)))

    def _hand(self, name: str, owner: Owner | None) -> Term:
        if f"mine.hand {name}" not in self.variables:
            raise Meaningless(f"the hand of '{name}' is not counted", hint="give the piece a `hand`")
        mine, theirs = self.value(f"mine.hand {name}"), self.value(f"theirs.hand {name}")
        return plus(mine, theirs) if owner is None else when(self.is_own(owner), mine, theirs)

    def piece_variables(self) -> list[str]:
        """Every variable that holds pieces on the board, with its side."""
        names = [v for p in self.words.game.pieces for v in self.words.variables(p, None)]
        return [n for v in names for n in ((v,) if v in self.variables else (f"mine.{v}", f"theirs.{v}"))]

    def all_of(self, side: Side) -> Term:
        """Every piece of one player."""
        return either(*(self.value(n) for n in self.piece_variables() if n.startswith(side + ".")))

    def occupied(self) -> Term:
        """Sites with a piece."""
        return either(*(self.value(n) for n in self.piece_variables()))

    def everywhere(self) -> Term:
        """Every site."""
        return sites(range(self.board.size))

    def empty(self) -> Term:
        """Sites without a piece."""
        return without(self.everywhere(), self.occupied())

    def count(self, s: Term) -> Term:
        """The size of a set, bounded by the board."""
        return count(s, self.board.size)

    # -- words --------------------------------------------------------------------------------------------------------------------

    def named(self, words: str) -> Term:
        """The set of sites that words mean."""
        meant = self.words.sites(words)
        if isinstance(meant, PieceWords):
            return self.pieces(meant)
        if isinstance(meant, Fixed):
            return sites(meant.sites)
        return self._atom(meant)

    def _atom(self, atom: Atom) -> Term:
        board = self.board
        match atom.name:
            case "empty":
                return self.empty()
            case "occupied":
                return self.occupied()
            case "board":
                return self.everywhere()
            case "centre":
                if not board.centre:
                    raise Meaningless(
                        "this board has no middle site", hint="a board with an odd number of columns and rows has one"
                    )
                return sites(board.centre)
            case "corners":
                return sites(board.corners)
            case "edges":
                return sites(board.edges)
            case "last":
                if self.ending:
                    raise Meaningless("'last' is not used in endings", hint="the piece that this turn has placed or moved is `it`")
                return self.value("last")
            case "it":
                return self.this()
            case "vacated":
                return self.vacated
            case _:
                return self._rank(far=atom.name == "far rank")

    def this(self) -> Term:
        """`it`; raises Meaningless before any piece has been named."""
        if self.it is None:
            raise Meaningless("'it' is used before a piece has been placed or moved")
        return self.it

    def _rank(self, far: bool) -> Term:
        looks = self.facing()
        edges = {
            d: frozenset(s for s in range(self.board.size) if d in self.board.sides_of(s))
            for d in ("north", "south", "east", "west")
        }
        turned = {"north": "south", "south": "north", "east": "west", "west": "east"}
        mine, theirs = looks if far else [turned[d] for d in looks]
        return when(self.is_first(), sites(edges[mine]), sites(edges[theirs]))

    def facing(self) -> list[str]:
        """Where the first and the second player look."""
        looks = self.words.game.facing
        if not looks or any(p not in looks for p in self.words.players):
            raise Meaningless("the game does not say where each player looks", hint="add `facing: {first: north, second: south}`")
        return [looks[p] for p in self.words.players]

    def ways(self, directions: str | Sequence[str], back: bool = False) -> list[Callable[[Term], Term]]:
        """The single steps that direction words mean to the player who acts; with `back`, those that undo them, in order."""
        if isinstance(directions, str):
            chosen = self.board.directions(directions)
            if not chosen:
                raise Meaningless(f"this board has no {directions} directions")
            return [_stepping(OPPOSITE_OF[d] if back else d) for d in chosen]
        return [self._way(d, back) for d in directions]

    def _way(self, direction: str, back: bool) -> Callable[[Term], Term]:
        if direction not in RELATIVE:
            if direction not in self.board.steps:
                raise Meaningless(f"this board has no direction '{direction}'")
            return _stepping(OPPOSITE_OF[direction] if back else direction)
        first, second = (_stepping(OPPOSITE_OF[d] if back else d) for d in (turned(direction, looks) for looks in self.facing()))
        return lambda s: when(self.is_first(), first(s), second(s))


def _stepping(direction: str) -> Callable[[Term], Term]:
    return lambda s: step(s, direction)


_ROUND = ("north", "north east", "east", "south east", "south", "south west", "west", "north west")
_TURNS = {
    "forward": 0,
    "forward right": 1,
    "right": 2,
    "backward right": 3,
    "backward": 4,
    "backward left": 5,
    "left": 6,
    "forward left": 7,
}


def turned(direction: str, looks: str) -> str:
    """The compass direction of a relative one for a player who looks to `looks`."""
    return _ROUND[(_ROUND.index(looks) + _TURNS[direction]) % 8]


def within(term: Term, whole: Term) -> bool:
    """Whether the form of `term` shows that it lies inside `whole`; False says nothing."""
    if term is whole or term is NOWHERE:
        return True
    match term.op:
        case "both":
            return any(within(a, whole) for a in term.args)
        case "without":
            if within(term.args[0], whole):
                return True
            if whole.op == "without" and within(term.args[0], whole.args[0]):
                taken = set(term.args[1].args if term.args[1].op == "either" else (term.args[1],))
                return set(whole.args[1].args if whole.args[1].op == "either" else (whole.args[1],)) <= taken
            return False
        case "either":
            return all(within(a, whole) for a in term.args)
        case "when":
            return within(term.args[1], whole) and within(term.args[2], whole)
        case "where":
            return within(term.args[0], whole)
        case "sites":
            return whole.op == "sites" and term.data <= whole.data
        case _:
            return whole.op == "either" and any(term is a for a in whole.args)


def whole(mode: Literal["all", "any", "first"], rule: str, says: str, parts: list[Clause]) -> Clause:
    """A clause made of parts, with the term that the mode makes of them."""
    if len(parts) == 1:
        return parts[0]
    terms = [p.term for p in parts]
    if mode == "any":
        term = or_(*terms) if terms[0].sort is Sort.FLAG else either(*terms)
    elif mode == "all":
        flags, sets = [t for t in terms if t.sort is Sort.FLAG], [t for t in terms if t.sort is Sort.SITES]
        term = and_(*flags) if not sets else when(and_(*flags), both(*sets), NOWHERE)
    else:
        term = terms[-1]
        for t in reversed(terms[:-1]):
            term = when(some(t), t, term)
    return Clause(term, rule, says, mode, tuple(parts))
