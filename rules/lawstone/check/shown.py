"""A place where two readings part, as it is shown: the board with its marks, and how a game stands in words."""

from __future__ import annotations

from lawstone.check.lockstep import Pair, Parting
from lawstone.drawing.look import Mark
from lawstone.engine.drawn import draw, position_text
from lawstone.engine.game import Game, Position
from lawstone.engine.state import Outcome


def board_before(pair: Pair, parting: Parting) -> tuple[str, str]:
    """The board where the readings part, drawn: with the moves that only one allows, or after the move whose result differs."""
    position = pair.a.replay(list(parting.moves))
    marks: dict[int, Mark] = {}
    if parting.level == "legal moves":
        marks = marked(position, parting)
    return draw(position, marks), position_text(position)


def marked(position: Position, parting: Parting) -> dict[int, Mark]:
    """Marks for the sites that only one reading's moves end on: `a`, `b`, or `both`."""
    ends: list[set[int]] = []
    for moves in (parting.only_a, parting.only_b):
        ends.append({s for m in moves for s in [_last_site(m, position)] if s is not None})
    return {
        s: "both" if s in ends[0] & ends[1] else "a" if s in ends[0] else "b" for s in ends[0] | ends[1] if s not in position.cells
    }


def _last_site(move: str, position: Position) -> int | None:
    names = position.game.rules.board.numbers
    stem = move.split("x")[0] if "x" in move[1:] else move
    found = [names[w] for w in stem.replace("-", " ").split() for w in (w, w[1:]) if w in names]
    return found[-1] if found else None


def outcome_words(game: Game, outcome: Outcome | None) -> str:
    """How a game stands, in words."""
    if outcome is None:
        return "the game goes on"
    if outcome.kind == "win" and outcome.winner is not None:
        return f"{game.rules.words.players[outcome.winner]} wins ({outcome.rule})"
    return f"the game is drawn ({outcome.rule})" if outcome.kind == "draw" else f"no rule says what happens ({outcome.rule})"
