"""Rules of two-player board games as data: play them, and find where a sentence can be read two ways.

The names below are the public Python API; everything else may change without notice. A game is loaded by the name of a shipped
game or by the path of a game file:

>>> import lawstone
>>> game = lawstone.Game.load("oxono")
>>> start = game.start()
>>> start.actor, len(start.moves), str(start.moves[0])
('pink', 68, 'Xc1 b1')

Positions and moves are immutable. `play` gives the position after a move, written as a person would write it; a move that
cannot be played is refused with an error that carries the position:

>>> after = start.play("Xc5 d5")
>>> after.actor, after.outcome
('black', None)
>>> after.play("Xc5 d5")
Traceback (most recent call last):
    ...
lawstone.engine.game.IllegalMove: 'Xc5 d5' is not a legal move here

`explain` names the rule that allows a move or forbids it, in the words of the game's own prose:

>>> told = lawstone.explain(start, "Xe5 e4")
>>> told.legal, told.rule
(False, 'move.slide')

A reading is an answer for each question of a game; those that are not named keep their base answer. A variant is another game on
the same base, and a board has another size where the rules do not fix it:

>>> strict = lawstone.Game.load("oxono", reading={"jump-over-totem": "no"})
>>> strict.rules.reading
(('jump-over-totem', 'no'),)
>>> lawstone.Game.load("gomoku", variant="pro").start().phase
'opening 1'
>>> len(lawstone.Game.load("xxung", board=(5, 5)).start().moves)
25

What is asked for and does not exist is `Usage`, a file that cannot be used is `BadInput`, with every fault at its line and column:

>>> lawstone.Game.load("oxono", reading={"jump-over-totem": "maybe"})
Traceback (most recent call last):
    ...
lawstone.spec.readings.Usage: the question 'jump-over-totem' has no answer 'maybe'
>>> lawstone.load("oxon")
Traceback (most recent call last):
    ...
lawstone.model.faults.BadInput: oxon:1:1: error: there is no game 'oxon' [no-such-game]
  hint: did you mean 'oxono'?

A `History` is a game in progress, with undo:

>>> history = lawstone.History(lawstone.Game.load("tic-tac-toe").start())
>>> for move in ("a3", "b3", "c3", "b2", "b1", "a1", "a2", "c2", "c1"):
...     position = history.play(move)
>>> str(position.outcome)
'draw by end.full'
>>> str(history.undo()), history.position.outcome
('c1', None)
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lawstone.data import shipped_games
from lawstone.version import __version__

if TYPE_CHECKING:
    from lawstone.check.report import Difference, Report
    from lawstone.engine.explain import explain
    from lawstone.engine.game import Game, History, IllegalMove, Move, MoveError, Position
    from lawstone.engine.perft import Counts
    from lawstone.engine.state import Outcome
    from lawstone.model.faults import BadInput
    from lawstone.spec import Spec, Usage, load

__all__ = [
    "BadInput",
    "Game",
    "History",
    "IllegalMove",
    "Move",
    "MoveError",
    "Outcome",
    "Position",
    "Spec",
    "Usage",
    "__version__",
    "check_game",
    "diff",
    "explain",
    "load",
    "parse_position",
    "perft",
    "shipped_games",
]

_HOMES = {
    "BadInput": "model.faults",
    "Game": "engine.game",
    "History": "engine.game",
    "IllegalMove": "engine.game",
    "Move": "engine.game",
    "MoveError": "engine.game",
    "Outcome": "engine.state",
    "Position": "engine.game",
    "Spec": "spec",
    "Usage": "spec",
    "explain": "engine.explain",
    "load": "spec",
}
"""Where each name is defined. It is imported when it is first asked for, so that `import lawstone` costs nothing."""

if not TYPE_CHECKING:  # a type checker reads the imports above, and still refuses names that do not exist

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'lawstone' has no attribute {name!r}")
        found = getattr(import_module(f"lawstone.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def parse_position(game: Game, text: str) -> Position:
    """The position that a text means: the form that `str(position)` gives, or a bare drawing with the first player to act.

    Raises BadInput with every fault at its line and column.

    >>> from lawstone import Game, parse_position
    >>> game = Game.load("tic-tac-toe")
    >>> position = parse_position(game, "board: |\\n  x . o\\n  . x .\\n  . . o\\nto act: x\\n")
    >>> [str(move) for move in position.moves]
    ['a1', 'b1', 'a2', 'c2', 'b3']
    >>> parse_position(game, str(position)) == position
    True
    """
    from lawstone.engine.drawn import parse_position as parsed

    return parsed(game.spec, text, game=game)


def perft(position: Position, depth: int) -> Counts:
    """Move sequences of 1 to `depth` plies from a position, with those that go on, distinct positions and endings.

    Raises `lawstone.engine.perft.TooMany` when more than two million positions would have to be kept at once.

    >>> from lawstone import Game, perft
    >>> counts = perft(Game.load("oxono").start(), 2)
    >>> counts.sequences, counts.positions
    ([68, 3612], [68, 3564])
    """
    from lawstone.engine.perft import perft as counted

    return counted(position.game.engine, depth, position.state)


def check_game(
    spec: Spec, *, variant: str = "", questions: Sequence[str] = (), board: tuple[int, int] | None = None, seed: int = 1
) -> Report:
    """All findings on a game, as `lawstone check` makes them: questions, gaps, worked examples; some seconds to minutes.

    `questions` limits it to some questions, `variant` to one variant and `board` to another size. Raises Usage for what the game
    does not have. The report is a pydantic model: `model_dump(by_alias=True)` is the document that `--json` prints.

    >>> from lawstone import check_game, load
    >>> report = check_game(load("xxung"), questions=["whose-five"], board=(6, 6))
    >>> found = report.differences[0]
    >>> found.a.answer, found.b.answer, found.verdict, found.witness.plies
    ('own', 'any', 'differ', 5)
    """
    from lawstone.check.run import Plan, check
    from lawstone.check.search import Budget

    return check(spec, Plan(variant=variant, board=board, questions=tuple(questions), budget=Budget(seed=seed)))


def diff(old: Game, new: Game, *, seed: int = 1) -> Difference:
    """Where two versions, variants or readings of a game first part in play, and the rules whose clauses differ.

    Raises ValueError when they are played on boards of other forms.

    >>> from lawstone import Game, diff
    >>> found = diff(Game.load("gomoku"), Game.load("gomoku", variant="pro"))
    >>> found.verdict, found.level, found.witness.plies
    ('differ', 'legal moves', 0)
    """
    from lawstone.check.run import Plan
    from lawstone.check.run import diff as compared
    from lawstone.check.search import Budget

    command = ["lawstone", "diff", str(old.spec.path), str(new.spec.path)]
    for option, game in (("--old-variant", old), ("--new-variant", new)):
        command += [option, game.rules.variant] if game.rules.variant else []
    names = (f"{old.id} {old.rules.variant}".strip(), f"{new.id} {new.rules.variant}".strip())
    return compared(old, new, Plan(budget=Budget(seed=seed)), command, names)
