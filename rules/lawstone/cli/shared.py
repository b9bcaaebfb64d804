"""What the commands share: the game and the position that a command line asks for, pages of text, JSON."""

from __future__ import annotations

import functools
import json
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import ValidationError

from lawstone import data
from lawstone.board import LONGEST_SIDE
from lawstone.cli.main import BAD_INPUT, wants_colour
from lawstone.drawing.look import WORDS, Mark
from lawstone.drawing.text import BadDrawing, parse
from lawstone.drawing.text import text as board_text
from lawstone.engine.drawn import look, parse_position
from lawstone.engine.explain import explain
from lawstone.engine.game import Game, History, MoveError, Position
from lawstone.engine.state import Outcome
from lawstone.model.companions import Drawn
from lawstone.model.faults import BadInput, Fault, suggest
from lawstone.model.located import read
from lawstone.spec import Spec, Usage, load

LONGEST_POSITION = 1_000_000
"""Bytes of a pasted position; no board comes near it."""


class Refused(click.ClickException):
    """Input that is well formed and cannot be used, such as a line of moves with an illegal one in it."""

    exit_code = BAD_INPUT


# -- commands and their options --------------------------------------------------------------------------------------


class Command(click.Command):
    """A command whose help ends with examples and exit codes, and which takes a removal such as `-b2` as a move."""

    def __init__(
        self, *args: Any, examples: Sequence[tuple[str, str]] = (), exits: Mapping[int, str] | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.examples, self.exits = examples, exits or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """A removal begins with a sign that would make it an option; it comes in with the sign of a subtraction."""
        return super().parse_args(ctx, [re.sub(r"^-(?=[a-z]\d)", "\N{MINUS SIGN}", a) for a in args])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples and exit codes."""
        if self.examples:
            with formatter.section("Examples"):
                for line, what in self.examples:
                    formatter.write(f"  {line}\n")
                    formatter.write_text(f"    {what}")
        if self.exits:
            with formatter.section("Exit codes"):
                formatter.write_dl([(str(code), what) for code, what in sorted(self.exits.items())])


PLAIN_EXITS: Mapping[int, str] = {
    0: "all is well",
    2: "a misuse of the command: an option, a variant or an answer that does not exist",
    3: "a game file or a position that cannot be read, with every fault at its line and column",
}
"""What most commands end with."""


if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType


class Size(ParamType):
    """`8x8`; where `or_position` also `-` or the path of a position, given back as text."""

    name = "WxH"

    def __init__(self, or_position: bool = False) -> None:
        self.or_position = or_position

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """How the value is written in the help."""
        return "WxH|-|FILE" if self.or_position else "WxH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Columns and rows."""
        if not isinstance(value, str):
            return value
        found = re.fullmatch(r"(\d{1,4})[xX\N{MULTIPLICATION SIGN}](\d{1,4})", value)
        if found is None:
            if self.or_position and (value == "-" or Path(value).exists()):
                return value
            if self.or_position:
                self.fail(f"{value!r} is neither a size such as 8x8 nor a file; - is standard input", param, ctx)
            self.fail(f"{value!r} is not a size: columns and rows are written such as 8x8", param, ctx)
        size = int(found[1]), int(found[2])
        if not all(1 <= side <= LONGEST_SIDE for side in size):
            self.fail(f"a board has 1 to {LONGEST_SIDE} columns and rows, and {value} has not", param, ctx)
        return size


class Reading(ParamType):
    """`QUESTION=ANSWER`."""

    name = "QUESTION=ANSWER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The question and the answer."""
        if not isinstance(value, str):
            return value
        question, sign, answer = value.partition("=")
        if not (question and sign and answer):
            self.fail(f"{value!r} is not a question and its answer: write such as overline=wins", param, ctx)
        return question.strip(), answer.strip()


@dataclass(frozen=True)
class Ask:
    """What a command line asks for: a game, a variant, a reading, a board, a position, and how to print."""

    name: str
    variant: str = ""
    reading: Mapping[str, str] | None = None
    board: tuple[int, int] | None = None
    position_from: str | None = None
    json: bool = False
    no_color: bool = False
    unicode: bool = False

    @cached_property
    def spec(self) -> Spec:
        """The game's folder; raises BadInput."""
        return load(self.name)

    def playing(self, variant: str, reading: Mapping[str, str], board: tuple[int, int] | None) -> Game:
        """The game under a reading; raises Usage for what it does not have."""
        variant = "" if variant == "base" else variant
        asked = {q.id for q in self.spec.questions(variant)}
        for name in reading:
            question = self.spec.question(name)
            if name not in asked:
                there = "the base game" if question.in_ == "base" else f"the variant {question.in_}"
                raise Usage(f"the question {name!r} is asked in {there} only")
        if board is None:
            return Game(self.spec, self.spec.rules(variant, reading))
        try:
            return Game(self.spec, self.spec.rules(variant, reading, board))
        except BadInput as bad:
            self.spec.rules(variant, reading)
            problem = bad.faults[0].message
            raise Usage(f"{self.spec.id} has no meaning on a board of {board[0]}x{board[1]}: {problem}") from None

    @cached_property
    def game(self) -> Game:
        """The game that is asked for; raises BadInput and Usage."""
        return self.playing(self.variant, self.reading or {}, self.board)

    @cached_property
    def position(self) -> Position:
        """The position that is asked for, or the start; raises BadInput and Usage."""
        if self.position_from is None:
            return self.game.start()
        path, content = _position_content(self.position_from)
        variant, reading, board = self.variant, dict(self.reading or {}), self.board
        if "board:" in content:
            try:
                drawn = Drawn.model_validate(read(path, content).tree)
            except ValidationError:
                return parse_position(self.spec, content, path)
            if drawn.game not in (None, self.spec.id):
                raise Usage(f"this is a position of {drawn.game}, and the game asked for is {self.spec.id}")
            variant, reading = variant or drawn.variant or "", {**(drawn.reading or {}), **reading}
            board = board or ((drawn.size[0], drawn.size[1]) if drawn.size else None)
        elif board is None and self.spec.game.board.resizable:
            board = _size_of(content)
            if board is not None and list(board) == self.spec.game.board.grid:
                board = None
        game = self.playing(variant, reading, board)
        return parse_position(self.spec, content, path, game) if "board:" in content else _bare(game, path, content)

    def after(self, moves: Iterable[str]) -> History:
        """The position that is asked for with some moves played; raises Refused at the first that cannot be played."""
        history = History(self.position)
        for number, move in enumerate(moves, 1):
            try:
                history.play(move)
            except MoveError as error:
                raise Refused(f"move {number} cannot be played: {why_not(error)}") from None
        return history


def _bare(game: Game, path: str, drawing: str) -> Position:
    """The position that a drawing alone means; its faults are shown at their place in the drawing."""
    rows = drawing.splitlines()
    try:
        parse(game.rules.board, drawing, tokens={t for pair in game.tokens.values() for t in pair if t is not None})
        return parse_position(game.spec, drawing, path, game)
    except BadDrawing as bad:
        faults = [Fault(path, f.line, f.column, "bad-drawing", f.message, f.hint, rows[f.line - 1]) for f in bad.faults]
        raise BadInput(faults) from None
    except BadInput as bad:
        key = "write the drawing under `board: |`, two columns in, and the other keys beneath it, such as `to act`"
        hints = (f"{f.hint}; {key}" if f.hint else key for f in bad.faults)
        raise BadInput(Fault(path, 1, 1, f.code, f.message, hint) for f, hint in zip(bad.faults, hints, strict=True)) from None


def _position_content(where: str) -> tuple[str, str]:
    """The name by which messages call a position, and its text; raises BadInput."""
    path = "<standard input>" if where == "-" else where
    try:
        if where == "-":
            if sys.stdin is None:
                raise OSError("there is no standard input")
            if sys.stdin.isatty():
                click.echo("Paste a position, then press Ctrl-D.", err=True)
            raw = sys.stdin.buffer.read(LONGEST_POSITION + 1)
        else:
            with Path(where).open("rb") as file:
                raw = file.read(LONGEST_POSITION + 1)
    except OSError as error:
        told = f"the position cannot be read: {error.strerror or error}"
        raise BadInput([Fault(path, 1, 1, "unreadable", told, "give a file, or - for standard input")]) from None
    if len(raw) > LONGEST_POSITION:
        raise BadInput([Fault(path, 1, 1, "too-long", f"a position has at most {LONGEST_POSITION:,} bytes")])
    try:
        content = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput([Fault(path, 1, 1, "not-utf-8", f"this is not UTF-8: byte {error.start}")]) from None
    if not content.strip():
        raise BadInput([Fault(path, 1, 1, "empty", "there is no position here", "draw the board, a row a rank")])
    return path, content


def _size_of(drawing: str) -> tuple[int, int] | None:
    """Columns and rows of a bare drawing; None where its rows differ."""
    rows = [row.split() for row in drawing.splitlines() if row.strip()]
    if len(rows) > 1 and rows[0][0].isdigit() and not rows[-1][0].isdigit():
        rows.pop()
    widths = {len(row) - row[0].isdigit() for row in rows}
    width = widths.pop() if len(widths) == 1 else 0
    return (width, len(rows)) if 1 <= width <= LONGEST_SIDE and len(rows) <= LONGEST_SIDE else None


def asks(position: bool = False, json: bool = True, boards: bool = True) -> Callable[..., Callable[..., Any]]:
    """The argument GAME with the options that go with it, given to the command as one `Ask`; its own options go above.

    With `position` the command also takes a position: `--position FILE`, or `--board FILE`; a dash is standard input.
    """

    def decorate(run: Callable[..., int]) -> Callable[..., Any]:
        @functools.wraps(run)
        def wrapped(game: str, variant: str, reading: Sequence[tuple[str, str]], no_color: bool, **rest: Any) -> int:
            unicode = rest.pop("unicode", False)
            size, where, as_json = rest.pop("board", None), rest.pop("position", None), rest.pop("as_json", False)
            if isinstance(size, str):
                if where is not None:
                    raise click.UsageError("a position is given once: by --position or by --board")
                where, size = size, None
            answers = dict(reading)
            if len(answers) < len(reading):
                raise click.UsageError("--reading gives a question two answers")
            return run(Ask(game, variant, answers, size, where, as_json, no_color, unicode), **rest)

        board_help = "Columns and rows, where the size is a parameter" + ("; or a position." if position else ".")
        options = [
            click.argument("game", shell_complete=_complete_game),
            click.option("--variant", default="", metavar="NAME", help="A variant of the game."),
            click.option("--reading", multiple=True, type=Reading(), help="An answer to a question; may be repeated."),
            click.option("--board", type=Size(position), help=board_help),
        ]
        if position:
            options.append(click.option("--position", metavar="-|FILE", help="A position; - reads standard input."))
        if json:
            options.append(click.option("--json", "as_json", is_flag=True, help="One JSON document."))
        if boards:
            options.append(click.option("--unicode", is_flag=True, help="Boards with box characters and stones."))
        options.append(click.option("--no-color", is_flag=True, help="No colours; NO_COLOR does the same."))
        asked: Callable[..., Any] = wrapped
        for option in reversed(options):
            asked = option(asked)
        return asked

    return decorate


def _complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in data.shipped_games() if name.startswith(incomplete)]


def language_of(spec: Spec, asked: str | None) -> str:
    """The language asked for, or English; raises Usage where the game has no prose in it."""
    if asked is None:
        return "en"
    known = set(spec.texts) | set(spec.game.title)
    if asked not in known:
        raise Usage(f"{spec.id} has no prose in {asked!r}", suggest(asked, known) or f"it has {', '.join(sorted(known))}")
    return asked


# -- what is said in several places ----------------------------------------------------------------------------------


def headline(game: Game, language: str = "en") -> str:
    """The game with its variant, reading and board, on one line."""
    spec, rules = game.spec, game.rules
    told = [spec.game.title.get(language) or spec.title]
    if rules.variant:
        told.append(f"variant {rules.variant}")
    told += [f"{question}={answer}" for question, answer in rules.reading]
    if rules.board.kind == "grid" and rules.game.board.resizable:
        told.append(f"{rules.board.width}x{rules.board.height}")
    return ", ".join(told)


def whose_turn(position: Position) -> str:
    """Who acts, with the colour held and the phase where these are not plain."""
    rules = position.game.rules
    told = position.actor
    if rules.takes_colours:
        told += f" (holds {position.colour_of_seat[position.state.seat]})"
    return f"{told} to act" + (f", phase {position.phase}" if len(rules.phases) > 1 else "")


def outcome_words(position: Position, outcome: Outcome, language: str = "en") -> str:
    """How the game ended, with the rule and its sentence."""
    rules, spec = position.game.rules, position.game.spec
    says = spec.says(outcome.rule, language)
    rule = f"{outcome.rule}: {says}" if says else outcome.rule
    match outcome.kind:
        case "win":
            return f"{rules.words.players[outcome.winner or 0]} wins by {rule}"
        case "draw":
            return f"drawn by {rule}"
        case _ if position.ended is not None:
            return f"play stops, and no rule says what follows: a duty of {position.actor} cannot be met, {rule}"
        case _:
            return f"play stops, and no rule says what follows: {position.actor} must act and cannot, {rule}"


def outcome_json(position: Position, outcome: Outcome | None) -> dict[str, Any] | None:
    """How the game ended, as data."""
    if outcome is None:
        return None
    winner = None if outcome.winner is None else position.game.rules.words.players[outcome.winner]
    return {"kind": outcome.kind, "winner": winner, "rule": outcome.rule}


def game_json(game: Game) -> dict[str, Any]:
    """Which game, as data."""
    rules, board = game.rules, game.rules.board
    return {
        "game": rules.game.game,
        "rules version": rules.game.rules_version,
        "variant": rules.variant or None,
        "reading": dict(rules.reading),
        "board": f"{board.width}x{board.height}" if board.kind == "grid" else board.label,
    }


def why_not(error: MoveError) -> str:
    """Why a move cannot be played, with the rule where it is one that forbids it."""
    try:
        found = explain(error.position, error.move)
    except MoveError:
        return str(error)
    if found.legal:
        return str(error)
    because = f" ({found.because})" if found.because else ""
    return f"{found.move} is forbidden by {found.rule}{because}" + (f". {found.says}" if found.says else "")


def cites(spec: Spec, rule: str) -> list[dict[str, Any]]:
    """The sentences of the founding text that carry a rule, paraphrased."""
    sources = spec.sources
    if sources is None:
        return []
    founding = next((s.id for s in sources.sources if s.kind == "founding text"), sources.sources[0].id)
    return [
        {"source": founding, "sentence": s.n, "is": s.is_, "says": s.says, "note": s.note}
        for s in sources.coverage or []
        if rule in (s.of or [])
    ]


# -- printing --------------------------------------------------------------------------------------------------------


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    click.echo(json.dumps(document, indent=2, ensure_ascii=not encoding.startswith("utf")))


class Page:
    """Text for a reader: wrapped to the terminal, with colours where they are wanted."""

    def __init__(self, no_color: bool = False, unicode: bool = False) -> None:
        self.colour = wants_colour(sys.stdout, no_color)
        self.unicode = unicode
        self.width = max(40, min(shutil.get_terminal_size((88, 24)).columns, 100))

    @classmethod
    def of(cls, ask: Ask) -> Page:
        """A page as the command line asks for it."""
        return cls(ask.no_color, ask.unicode)

    def ink(self, text: str, code: str) -> str:
        """The text in a colour, given as the number of an ANSI code."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text and code else text

    def line(self, text: str = "") -> None:
        """A line as it is."""
        click.echo(text, color=self.colour)

    def title(self, text: str) -> None:
        """The first line of a page."""
        self.line(self.ink(text, "1"))

    def heading(self, text: str) -> None:
        """A heading, after an empty line."""
        self.line()
        self.line(self.ink(text, "1;4" if self.colour else "1"))

    def para(self, text: str, indent: int = 0, first: str = "", code: str = "") -> None:
        """A paragraph. `first` stands before its first line, and the others begin below its end."""
        room = self.width - indent - columns(first)
        for number, row in enumerate(wrap(text, room)):
            before = first if number == 0 else " " * columns(first)
            self.line(" " * indent + before + self.ink(row, code))

    def items(self, items: Iterable[str], indent: int = 0, first: str = "", code: str = "") -> None:
        """Words side by side on as many lines as they need; two spaces apart where one of them has a space in it."""
        told = list(items)
        gap = "  " if any(" " in item for item in told) else " "
        rows = [""]
        for item in told:
            if rows[-1] and indent + columns(first + rows[-1] + gap + item) > self.width:
                rows.append(item)
            else:
                rows[-1] += (gap if rows[-1] else "") + item
        for number, row in enumerate(rows):
            before = first if number == 0 else " " * columns(first)
            self.line(" " * indent + before + self.ink(row, code))

    def board(
        self,
        position: Position,
        marks: Mapping[int, Mark] | None = None,
        indent: int = 2,
        words: Mapping[str, str] | None = None,
    ) -> None:
        """A position, drawn."""
        drawn = board_text(look(position, marks), color=self.colour, unicode=self.unicode, words={**WORDS, **(words or {})})
        for row in drawn.splitlines():
            self.line((" " * indent + row).rstrip())

    def hands(self, position: Position, indent: int = 2) -> None:
        """The pieces in hand, where they are counted."""
        if position.hands:
            self.para(", ".join(f"{n} {piece}" for piece, n in position.hands.items()), indent, "in hand: ")


def columns(text: str) -> int:
    """The columns that a text takes up in a terminal; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else unicodedata.combining(c) == 0 for c in text)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken at spaces and between Chinese characters."""
    rows: list[str] = [""]
    used = 0
    for gap, piece in _pieces(" ".join(text.split())):
        size = columns(piece)
        if used and used + len(gap) + size > width:
            rows.append(piece)
            used = size
        else:
            rows[-1] += gap + piece
            used += len(gap) + size
    return rows


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """What may not be broken, each with the space before it: a word, or a wide character and what closes it."""
    gap, word = "", ""
    for c in text:
        if c == " ":
            if word:
                yield gap, word
            gap, word = " ", ""
        elif word and _may_break(word[-1], c):
            yield gap, word
            gap, word = "", c
        else:
            word += c
    if word:
        yield gap, word


def _may_break(before: str, after: str) -> bool:
    """Whether a line may end between two characters that no space parts."""
    if unicodedata.east_asian_width(after) in "WF":
        return unicodedata.category(after) not in ("Pe", "Pf", "Po")
    return unicodedata.east_asian_width(before) in "WF" and after.isalnum()
