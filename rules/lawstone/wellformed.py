"""Whether the tree of a game file is well formed: its form, what it speaks of, and whether play can hold what it means."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from lawstone.board import lines as board_of_lines
from lawstone.constructs import shapes
from lawstone.constructs.scene import Meaningless
from lawstone.core import Term, number, subterms
from lawstone.lower import Rules
from lawstone.model import checks
from lawstone.model.changes import READINGS
from lawstone.model.faults import Fault
from lawstone.model.game import BoardClause, Game
from lawstone.model.places import Placing
from lawstone.model.repair import repaired
from lawstone.model.tree import Loc, place_of
from lawstone.model.vocabulary import Unknown, Vocabulary, build_board
from lawstone.model.wording import from_pydantic

MOST_TERMS, DEEPEST_TERM = 50_000, 250
"""Terms of a lowered game, and terms inside one another; a term has a name, an operator and operands (`lawstone.core`)."""
MOST_PICKS = 200_000
"""Ways to make all picks of single sites of a turn but the last, were every site open to each."""
MOST_PLACES = 5_000
"""Places on the board where the shapes of a game can stand."""


@dataclass(frozen=True)
class Checked:
    """A game file's tree after some changes: the game, if its form is right or can be guessed, and what is wrong.

    `plain` are the faults at their places in the tree. In `faults` those that the last changes brought in are placed at the
    changes. Where parts had to be taken away to guess the game, `lost` holds their names.
    """

    tree: Any
    game: Game | None
    plain: tuple[Fault, ...]
    faults: tuple[Fault, ...]
    lost: Collection[str] | None = None
    sets: tuple[Loc, ...] = ()


def check(tree: Any, lost: Collection[str] | None = None, placing: Placing = place_of, base: Game | None = None) -> Checked:
    """Check the tree of a game file: its form, and beyond its form as much as can be guessed.

    Given the base game, its questions, what answers mean together, and its variants are taken as they are there.
    """
    try:
        game = _game(tree, base)
    except ValidationError as error:
        faults = from_pydantic(error, tree, Game, placing)
        mended = repaired(Game, tree)
        if mended is None:
            return Checked(tree, None, tuple(faults), tuple(faults), set())
        beyond = mended.lost if lost is None else {*lost, *(mended.lost or ())}
        faults += _problems(mended.model, mended.tree, beyond, placing)
        found = tuple(dict.fromkeys(faults))
        return Checked(mended.tree, mended.model, found, found, beyond or set())
    found = tuple(dict.fromkeys(_problems(game, tree, lost, placing)))
    return Checked(tree, game, found, found, lost)


def _game(tree: Any, base: Game | None) -> Game:
    """The game of a tree; raises ValidationError."""
    if base is None:
        return Game.model_validate(tree)
    played = {key: value for key, value in tree.items() if key not in READINGS}
    return Game.model_validate(played).model_copy(update={key: getattr(base, key) for key in READINGS})


def _problems(game: Game, tree: Any, lost: Collection[str] | None, placing: Placing) -> Iterator[Fault]:
    try:
        board = build_board(game.board)
    except ValueError as error:
        yield placing(tree, _crooked(game.board)).value.fault("bad-board", str(error))
        return
    for problem in checks.problems(game, board, lost):
        yield fault_of(tree, problem, placing)
    words, places = Vocabulary(game, board), 0
    for name, shape in (game.shapes or {}).items():
        try:
            fits = shapes.copies(name, shape, words)
        except (Unknown, Meaningless):
            continue  # said by the checks
        places += len(fits)
        if places > MOST_PLACES:
            message = f"the shapes can stand in more than {MOST_PLACES:,} places on this board"
            yield placing(tree, ("shapes",)).key.fault("too-many", message)
            return
        if not fits:
            message = f"the shape '{name}' fits nowhere on this board"
            yield placing(tree, ("shapes", name)).key.fault("fits-nowhere", message)


def within_limits(rules: Rules) -> Rules:
    """The rules, if play can hold them; raises Meaningless."""
    depths: dict[Term, int] = {}
    for term in subterms(*rules.terms()):
        depths[term] = 1 + max((depths[part] for part in term.args), default=0)
    if len(depths) > MOST_TERMS:
        raise Meaningless(f"this game comes to {len(depths):,} terms, and the limit is {MOST_TERMS:,}")
    if max(depths.values()) > DEEPEST_TERM:
        message = f"terms stand {max(depths.values())} deep inside one another, and the limit is {DEEPEST_TERM}"
        raise Meaningless(message, hint="take a smaller board, or say it with fewer clauses inside one another")
    size = rules.board.size
    for phase in rules.phases.values():
        for turn in phase.turns:
            single = sum(choice.count is number(1) for choice in turn.choices[:-1])
            if size**single > MOST_PICKS:
                message = f"{single} picks of one of {size} sites before the last pick of a turn make too many moves"
                raise Meaningless(message, turn.rule, f"the limit is {MOST_PICKS:,}")
    return rules


def fault_of(tree: Any, problem: checks.Problem, placing: Placing) -> Fault:
    """The fault that a problem is, at its place."""
    place = placing(tree, problem.loc)
    return (place.key if problem.key else place.value).fault(problem.code, problem.message, problem.hint)


def _crooked(board: BoardClause) -> Loc:
    """The way to the line of a board that is faulty by itself, or to the board's lines."""
    for i, line in enumerate(board.lines or []):
        try:
            board_of_lines([line])
        except ValueError:
            return ("board", "lines", i)
    return ("board", "lines")
