"""Positions as text: a drawn board with what the drawing does not show, written and read back without loss.

The text is a small YAML mapping (the form of `position` in examples.yaml), so that a person can type it, paste it and mail it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from lawstone.core import Sort
from lawstone.drawing.look import Look, Mark, PieceLook
from lawstone.drawing.text import BadDrawing, parse, text
from lawstone.engine.game import Game, Position
from lawstone.engine.state import State
from lawstone.model.companions import Drawn
from lawstone.model.faults import BadInput, suggest
from lawstone.model.located import read
from lawstone.model.tree import Document, Loc, mark_of
from lawstone.model.wording import from_pydantic
from lawstone.spec import Spec, Usage, drawing_faults


class BadPosition(ValueError):
    """A drawing that is no position of the game; `where` names the key that is at fault."""

    def __init__(self, message: str, where: str = "board", hint: str = "") -> None:
        super().__init__(message)
        self.where, self.hint = where, hint


def piece_looks(game: Game) -> Mapping[str, PieceLook]:
    """How each token looks in drawings."""
    found: dict[str, PieceLook] = {}
    for name, tokens in game.tokens.items():
        piece, _, kind = name.partition(" ")
        symbol = kind if kind and game.rules.game.pieces.get(piece, None) and game.rules.game.pieces[piece].kinds else None
        if tokens[1] is None:
            found[tokens[0]] = PieceLook(tokens[0], None, symbol, name)
            continue
        owners = game.owner_names(name)
        for owner in (0, 1):
            token = tokens[owner] or ""
            found[token] = PieceLook(token, owner, symbol, f"{owners[owner]} {name}")
    return found


def look(
    position: Position, marks: Mapping[int, Mark] | None = None, arrows: tuple[tuple[int, int], ...] = (), title: str = ""
) -> Look:
    """A position ready to be drawn; the last piece is marked where the rules speak of it."""
    shown = dict(marks or {})
    if position.last is not None:
        shown.setdefault(position.last, "last")
    told = f"{position.game.spec.title}: {position.actor} to act" if position.ended is None else f"{position.game.spec.title}: over"
    return Look(
        position.game.rules.board, position.cells, piece_looks(position.game), shown, arrows, title or told, describe(position)
    )


def describe(position: Position) -> str:
    """Where every piece stands, in words, for those who cannot see the drawing."""
    names = position.game.rules.board.names
    looks = piece_looks(position.game)
    where: dict[str, list[str]] = {}
    for s, token in sorted(position.cells.items()):
        where.setdefault(looks[token].name, []).append(names[s])
    return "; ".join(f"{piece} on {' '.join(sites)}" for piece, sites in where.items()) or "the board is empty"


def draw(position: Position, marks: Mapping[int, Mark] | None = None, color: bool = False, unicode: bool = False) -> str:
    """The board as text for a terminal."""
    return text(look(position, marks), color=color, unicode=unicode)


def position_text(position: Position) -> str:
    """The position as a text that `parse_position` reads back."""
    rules, spec = position.game.rules, position.game.spec
    lines = [f"game: {rules.game.game}"]
    if rules.variant:
        lines.append(f"variant: {rules.variant}")
    if rules.reading:
        lines.append("reading: {" + ", ".join(f"{q}: {_quoted(a)}" for q, a in rules.reading) + "}")
    if rules.game.board != spec.game.board and rules.game.board.grid:
        lines.append(f"size: {list(rules.game.board.grid)}")
    plain = Look(rules.board, position.cells, piece_looks(position.game), {}, (), "", "")
    rows = text(plain).splitlines()
    lines += [_board_key(rows), *(f"  {row}" for row in rows)]
    lines.append(f"to act: {position.actor}")
    if len(rules.phases) > 1:
        lines.append(f"phase: {position.phase}")
    if "last" in position.values:
        lines.append(f"last: {'none' if position.last is None else rules.board.names[position.last]}")
    if position.hands:
        lines.append("hands: {" + ", ".join(f"{p}: {n}" for p, n in position.hands.items()) + "}")
    if "mine.captured" in position.values:
        taken = {rules.words.players[position.state.seat]: position.values["mine.captured"]}
        taken[rules.words.players[1 - position.state.seat]] = position.values["theirs.captured"]
        lines.append("captured: {" + ", ".join(f"{p}: {int(n)}" for p, n in sorted(taken.items())) + "}")
    phases = [n.removeprefix("captured in ") for n in position.values if n.startswith("captured in ")]
    if phases:
        told = ", ".join(f"{p}: {str(bool(position.values[f'captured in {p}'])).lower()}" for p in phases)
        lines.append(f"captured in: {{{told}}}")
    if rules.takes_colours:
        players = rules.words.players
        lines.append("holds: {" + ", ".join(f"{p}: {c}" for p, c in zip(players, position.colour_of_seat, strict=True)) + "}")
    return "\n".join(lines) + "\n"


def _board_key(rows: list[str]) -> str:
    """The key before a drawing, which stands two columns in: said outright where the first row begins with a space."""
    return "board: |2" if rows and rows[0].startswith(" ") else "board: |"


def _quoted(word: str) -> str:
    return f'"{word}"' if word in ("yes", "no", "on", "off", "true", "false", "null") else word


def from_drawn(game: Game, drawn: Drawn) -> Position:
    """The position that a drawing means; raises BadPosition (or BadDrawing, for the drawing itself)."""
    rules, words = game.rules, game.rules.words
    if drawn.to_act not in words.players:
        raise BadPosition(f"'{drawn.to_act}' is not a player", "to act", suggest(drawn.to_act, words.players))
    seat = words.seat(drawn.to_act)
    phase = _phase(game, drawn)
    fixed = rules.seat_of_phase[phase]
    if fixed is not None and fixed != seat:
        raise BadPosition(f"in the phase '{phase}' it is {words.players[fixed]} who acts", "to act")
    colours = _colours(game, drawn)
    values: dict[str, int | bool] = {v.name: False if v.sort is Sort.FLAG else 0 for v in rules.variables}

    def side(owner: int, name: str) -> str:
        """`mine` or `theirs` for the player who owns the first or second set of a piece."""
        owner_name = game.owner_names(name)[owner]
        of_seat = colours.index(owner_name) if owner_name in colours else owner
        return "mine" if of_seat == seat else "theirs"

    by_token = {t: (name, i) for name, pair in game.tokens.items() for i, t in enumerate(pair) if t is not None}
    for site, token in parse(rules.board, drawn.board).items():
        if token not in by_token:
            raise BadPosition(f"'{token}' is not a piece of this game", "board", f"pieces are written {', '.join(by_token)}")
        name, owner = by_token[token]
        variable = name if name in values else f"{side(owner, name)}.{name}"
        values[variable] = int(values[variable]) | 1 << site
    _hands(game, drawn, values, side)
    for name in words.singles:
        if int(values[name]).bit_count() != 1:
            raise BadPosition(f"there is exactly one {name}, and this drawing shows {int(values[name]).bit_count()}")
    if "last" in values:
        values["last"] = _last(game, drawn, values)
    for flag in ("first", *(words.colours[:1] if rules.takes_colours else ())):
        mine = seat == 0 if flag == "first" else colours[seat] == flag
        values |= {n: v for n, v in ((f"mine.{flag}", mine), (f"theirs.{flag}", not mine)) if n in values}
    for player, n in (drawn.captured or {}).items():
        if player not in words.players:
            raise BadPosition(f"'{player}' is not a player", "captured", suggest(player, words.players))
        name = f"{'mine' if words.seat(player) == seat else 'theirs'}.captured"
        if name in values:
            values[name] = min(n, next(v.high for v in rules.variables if v.name == name))
    for in_phase, happened in (drawn.captured_in or {}).items():
        if f"captured in {in_phase}" not in values:
            raise BadPosition(f"the rules do not ask whether anything was captured in '{in_phase}'", "captured in")
        values[f"captured in {in_phase}"] = happened
    return Position(game, State(tuple(values[v.name] for v in rules.variables), phase, seat))


def _phase(game: Game, drawn: Drawn) -> str:
    names = list(game.rules.phases)
    if drawn.phase is None:
        if len(names) > 1:
            raise BadPosition("the phase is not said", "board", f"add `phase`: one of {', '.join(names)}")
        return names[0]
    if drawn.phase not in names:
        raise BadPosition(
            f"there is no phase '{drawn.phase}'", "phase", suggest(drawn.phase, names) or f"one of {', '.join(names)}"
        )
    return drawn.phase


def _colours(game: Game, drawn: Drawn) -> tuple[str, str]:
    words = game.rules.words
    names = (words.colours[0], words.colours[1]) if words.colours else (words.players[0], words.players[1])
    for player, colour in (drawn.holds or {}).items():
        if player not in words.players or colour not in names:
            raise BadPosition(f"'{player}: {colour}' is not a player and a colour", "holds")
        if names.index(colour) != words.seat(player):
            names = (names[1], names[0])
    return names


def _hands(game: Game, drawn: Drawn, values: dict[str, int | bool], side: Any) -> None:
    phrases = {}
    for name, tokens in game.tokens.items():
        if tokens[1] is None or f"mine.hand {name}" not in values:
            continue
        for owner in (0, 1):
            phrases[f"{game.owner_names(name)[owner]} {name}"] = (name, side(owner, name))
    for phrase in drawn.hands or {}:
        if phrase not in phrases:
            raise BadPosition(f"there is no hand of '{phrase}'", "hands", suggest(phrase, phrases))
    start = dict(zip((v.name for v in game.rules.variables), game.rules.start.values(), strict=True))
    for phrase, (name, who) in phrases.items():
        owner = [f"{o} {name}" for o in game.owner_names(name)].index(phrase)
        first_sees = "mine" if owner == game.rules.start_seat else "theirs"
        supply = int(start[f"{first_sees}.hand {name}"])
        on_board = int(values[f"{who}.{name}"]).bit_count()
        given = (drawn.hands or {}).get(phrase)
        if on_board + (given or 0) > supply:
            raise BadPosition(
                f"there are only {supply} of {phrase}, and this shows {on_board + (given or 0)}",
                "board" if given is None else "hands",
            )
        values[f"{who}.hand {name}"] = supply - on_board if given is None else given


def _last(game: Game, drawn: Drawn, values: Mapping[str, int | bool]) -> int:
    if drawn.last in (None, "none"):
        return 0
    number = game.rules.board.numbers.get(drawn.last or "")
    if number is None:
        raise BadPosition(f"the site {drawn.last} is off the board", "last")
    pieces = [n for n in values if n.split(".")[-1] in game.tokens]
    if not any(int(values[n]) >> number & 1 for n in pieces):
        raise BadPosition(f"no piece stands on {drawn.last}, so it cannot be the last one", "last")
    return 1 << number


def read_position(spec: Spec, document: Document, loc: Loc, drawn: Drawn, game: Game | None = None) -> Position:
    """A drawn position of a file, its faults shown at their place; raises BadInput."""
    try:
        size = (drawn.size[0], drawn.size[1]) if drawn.size else None
        here = game or Game(spec, spec.rules(drawn.variant or "", drawn.reading or {}, size))
        return from_drawn(here, drawn)
    except BadDrawing:
        raise BadInput(drawing_faults(document, (*loc, "board"), drawn.board, here.rules.board)) from None
    except BadPosition as bad:
        raise BadInput([mark_of(document, (*loc, bad.where)).fault("bad-position", str(bad), bad.hint)]) from None
    except Usage as usage:
        raise BadInput([mark_of(document, loc).fault("unknown-name", str(usage))]) from None


def parse_position(spec: Spec, content: str, path: str = "<position>", game: Game | None = None) -> Position:
    """The position in a text, as `position_text` writes it; raises BadInput. A bare drawing of the board is accepted too."""
    if "board:" not in content:
        player = spec.game.players[0]
        rows = [row for row in content.splitlines() if row.strip()]
        content = "\n".join([_board_key(rows), *(f"  {row}" for row in rows), f"to act: {player}", ""])
    document = read(path, content)
    try:
        drawn = Drawn.model_validate(document.tree)
    except ValidationError as error:
        raise BadInput(from_pydantic(error, document, Drawn)) from None
    return read_position(spec, document, (), drawn, game)


def changed_sites(before: Position, after: Position) -> Iterator[int]:
    """The sites whose piece differs between two positions."""
    for s in range(before.game.rules.board.size):
        if before.cells.get(s) != after.cells.get(s):
            yield s
