"""Worked examples as tests: each assertion of `examples.yaml` against the everyday engine, the forbidding rules included."""

from __future__ import annotations

from collections.abc import Iterator

from lawstone.drawing.text import parse
from lawstone.engine.drawn import BadPosition, from_drawn
from lawstone.engine.explain import explain
from lawstone.engine.game import Game, MoveError, Position
from lawstone.engine.notation import squeeze
from lawstone.model.companions import Example, Result
from lawstone.spec import Spec


def game_of(spec: Spec, example: Example) -> Game:
    """The game that an example is about: its variant, reading and board."""
    size = (example.size[0], example.size[1]) if example.size else None
    return Game(spec, spec.rules(example.variant or "", example.reading or {}, size))


def begin(spec: Spec, example: Example, game: Game | None = None) -> Position:
    """The position in which an example's assertions hold, in its own game or in another; raises BadPosition or MoveError."""
    game = game or game_of(spec, example)
    position = game.start() if example.position is None else from_drawn(game, example.position)
    for move in example.after or []:
        position = position.play(move)
    return position


def breaks(game: Game, example: Example) -> bool:
    """Whether something that an example says of play does not hold in a game; which rule forbids a move is not asked.

    An example whose position holds pieces that the game does not have is broken; one whose position cannot be set up for
    another reason is not, since it does not speak of the game.
    """
    told = example.model_copy(update={"illegal": None})
    try:
        position = begin(game.spec, example, game)
        written = {squeeze(m.text) for m in position.moves}
        return any(squeeze(m) in written for m in example.illegal or ()) or any(True for _ in _failures(position, told))
    except BadPosition as bad:
        return bad.where in ("board", "hands")
    except MoveError:
        return True


def run(spec: Spec, example: Example) -> list[str]:
    """What does not hold of an example, in words; nothing when it stands."""
    try:
        position = begin(spec, example)
        return list(_failures(position, example))
    except (BadPosition, MoveError) as error:
        return [str(error)]


def _failures(position: Position, example: Example) -> Iterator[str]:
    written = {squeeze(m.text) for m in position.moves}
    if example.moves is not None:
        wanted = {squeeze(m) for m in example.moves}
        if wanted - written:
            yield f"these moves should be legal and are not: {', '.join(sorted(wanted - written))}"
        if written - wanted:
            yield f"these moves are legal and should not be: {', '.join(sorted(written - wanted)[:12])}"
    for move in example.legal or []:
        if squeeze(move) not in written:
            yield f"{move} should be legal and is not"
    for move, rule in (example.illegal or {}).items():
        if squeeze(move) in written:
            yield f"{move} should be forbidden by {rule} and is legal"
        elif (found := explain(position, move).rule) != rule:
            yield f"{move} should be forbidden by {rule}, and it is by {found}"
    if example.count is not None and len(position.moves) != example.count:
        yield f"{example.count} moves should be legal, and there are {len(position.moves)}"
    if example.play is not None:
        position = position.play(example.play)
    if example.outcome is not None:
        yield from _outcome_failures(position, None if example.outcome == "none" else example.outcome)
    if example.acts is not None and position.actor != example.acts:
        yield f"{example.acts} should be to act, and it is {position.actor}"
    if example.enters is not None and example.enters not in (position.phase, position.phase.rsplit(" ", 1)[0]):
        yield f"the phase should be {example.enters}, and it is {position.phase}"
    if example.shown is not None:
        board = position.game.rules.board
        wanted_cells = parse(board, example.shown)
        for s in range(board.size):
            if wanted_cells.get(s) != position.cells.get(s):
                wanted_token, token = wanted_cells.get(s, "nothing"), position.cells.get(s, "nothing")
                yield f"{board.names[s]} should hold {wanted_token}, and it holds {token}"


def _outcome_failures(position: Position, wanted: Result | None) -> Iterator[str]:
    found = position.outcome
    players = position.game.rules.words.players
    told = (
        "the game goes on"
        if found is None
        else f"{found.kind}{'' if found.winner is None else ' for ' + players[found.winner]} by {found.rule}"
    )
    if wanted is None or found is None:
        if wanted is not None or found is not None:
            yield f"the outcome should be {'none' if wanted is None else wanted.model_dump(exclude_none=True)}, and {told}"
        return
    rule = wanted.no_rule or wanted.by
    kind = "no rule" if wanted.no_rule else "draw" if wanted.draw else "win"
    winner = None if found.winner is None else players[found.winner]
    if (kind, wanted.wins) != (found.kind, winner) or (rule is not None and rule != found.rule):
        yield f"the outcome should be {wanted.model_dump(exclude_none=True, by_alias=True)}, and it is {told}"
