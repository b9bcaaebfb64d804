"""`lawstone play`: a game in the terminal, by two people or against random moves."""

from __future__ import annotations

import contextlib
import secrets
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import click

from lawstone.cli.legal import MOVE_WORDS, explanation_marks, print_explanation
from lawstone.cli.main import INTERRUPTED
from lawstone.cli.moves import print_moves
from lawstone.cli.shared import PLAIN_EXITS, Ask, Command, Page, asks, headline, language_of, outcome_words, whose_turn
from lawstone.drawing.look import Mark
from lawstone.engine import events
from lawstone.engine.drawn import position_text
from lawstone.engine.explain import explain
from lawstone.engine.game import History, IllegalMove, MoveError, NotAMove, Position
from lawstone.engine.notation import squeeze
from lawstone.engine.playout import Dice, random_move
from lawstone.engine.records import FORMATS, CannotWrite, Record
from lawstone.engine.records.record import told as result_words
from lawstone.engine.state import Outcome, members
from lawstone.model.faults import suggest
from lawstone.model.game import Event
from lawstone.spec import Usage

HELP = """Play a game in the terminal.

Two people take turns at one keyboard, or one plays against random moves (--against random). A move is written as
`lawstone legal` lists it. Between moves these words may be typed:

\b
  ?            the legal moves
  why MOVE     why a move is legal, or which rule forbids it
  undo         take back the last move (against random: your last move)
  board        draw the board again
  moves        the moves played so far
  position     the position as text, to be pasted elsewhere
  save FILE    write the game (.json; Gomoku also .sgf .psq .pos, Oxono .log)
  resign       give the game up
  quit         leave

and the events that the game declares, by name, such as `draw agreed` or `flag falls`; `time runs out after c3-c4` says
what had been picked. Lines may come from a file or a pipe; the end of the input ends the game politely.
"""

SAVED_AS: Mapping[str, str] = {
    ".json": "json", ".sgf": "sgf", ".psq": "psq", ".pos": "pos", ".log": "oxono-log", ".txt": "oxono-log",
}  # fmt: skip
"""The format of a record by the end of its file's name."""

WORDS = ("?", "help", "why", "undo", "board", "moves", "position", "save", "resign", "quit")


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone play tic-tac-toe", "Two people."),
        ("lawstone play oxono --against random --seed 7", "Against random moves that a seed repeats."),
        ("lawstone play gomoku --variant swap2 --board 9x9", "An opening, on a small board."),
        ("lawstone play xxung < moves.txt", "Moves from a file, a line each."),
    ],
    exits={**PLAIN_EXITS, 0: "the game is over, or was left", 130: "interrupted: the moves so far are printed"},
)
@click.option(
    "--against",
    type=click.Choice(["random"]),
    metavar="random",
    help="Who plays the other side; unsaid, a second person.",
)
@click.option("--as", "seat", metavar="PLAYER", help="Which player you are against random; unsaid, the one who acts first.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Repeats the random moves; unsaid, a new one that is named.")
@click.option("--lang", metavar="CODE", help="The language of rules, such as en, cs or zh.")
@asks(position=True, json=False)
def play(ask: Ask, against: str | None, seat: str | None, seed: int | None, lang: str | None) -> int:
    """See HELP."""
    players = ask.game.rules.words.players
    if seat is not None and seat not in players:
        raise Usage(f"{ask.spec.id} has no player {seat!r}", f"its players are {' and '.join(players)}")
    if against is None and (seat is not None or seed is not None):
        raise click.UsageError("--as and --seed go with --against random")
    position = ask.position
    table = Table(position, Page.of(ask), language_of(ask.spec, lang), from_start=ask.position_from is None)
    if against is not None:
        mine = position.state.seat if seat is None else players.index(seat)
        table.sit_down(1 - mine, secrets.randbits(32) if seed is None else seed)
    return table.run()


class Table:
    """One game in progress, with those who play it."""

    def __init__(self, start: Position, page: Page, language: str, from_start: bool) -> None:
        self.history = History(start)
        self.page, self.language, self.from_start = page, language, from_start
        self.over: Outcome | None = None
        self.over_words = ""
        self.machine: int | None = None
        self.seed: int | None = None
        self.dice = Dice(0)
        self.changed = True
        self.hinted = False
        self.by_hand = sys.stdin is not None and sys.stdin.isatty()
        if self.by_hand:
            with_editing()

    def sit_down(self, seat: int, seed: int) -> None:
        """Random moves take a seat."""
        self.machine, self.seed, self.dice = seat, seed, Dice(seed)
        players = self.position.game.rules.words.players
        self.page.para(f"You are {players[1 - seat]}; {players[seat]} plays at random (--seed {seed} repeats it).")

    @property
    def position(self) -> Position:
        """The position now."""
        return self.history.position

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by an event or by the rules; None while it goes on."""
        return self.over or self.position.outcome

    def run(self) -> int:
        """Play until somebody leaves; gives the exit code."""
        self.page.title(headline(self.position.game, self.language))
        try:
            while True:
                self._random_moves()
                self._show()
                line = self._read(f"{self.position.actor if self.outcome is None else 'over'}> ")
                if line is None:
                    if self.outcome is None:
                        self.page.para("End of the input: the game is left here.")
                    return 0
                if not self._obey(line):
                    return 0
        except KeyboardInterrupt:
            self.page.line()
            self._moves()
            return INTERRUPTED

    # -- showing and reading ------------------------------------------------------------------------------------------

    def _show(self) -> None:
        if not self.changed:
            return
        self.changed = False
        self._board()
        outcome = self.outcome
        if outcome is None:
            n = len(self.position.moves)
            hint = "" if self.hinted else "; ? lists them, help says what else may be typed"
            self.hinted = True
            self.page.para(f"{whose_turn(self.position)}: {n:,} legal move{'s' if n != 1 else ''}{hint}")
            for event in events.due(self.history):
                self.page.para(f"`{event.name}` ({event.rule}) may be claimed now.")
        else:
            self.page.para(self.over_words or outcome_words(self.position, outcome, self.language), 0, "The game is over: ", "1")
            self.page.para("undo, moves, save FILE or quit")

    def _board(self) -> None:
        marks: dict[int, Mark] = {}
        if self.history.played:
            before, move = self.history.positions[-2], self.history.played[-1]
            choices = before.game.rules.phases[before.phase].turns[move.picks.turn].choices
            for choice, mask in zip(choices, move.picks.sites, strict=False):
                taken = choice.role in ("capture", "remove")
                mark: Mark = "captured" if taken else "from" if choice.role == "from" else "last"
                marks |= dict.fromkeys(members(mask), mark)
        self.page.line()
        self.page.board(self.position, marks)
        self.page.hands(self.position)
        self.page.line()

    def _read(self, prompt: str) -> str | None:
        """A line of input; None at its end. One from a file or a pipe is shown, so that the output reads alone."""
        if self.by_hand:
            try:
                return input(prompt).strip()
            except EOFError:
                self.page.line()
                return None
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            return None
        self.page.line(prompt + line.strip())
        return line.strip()

    def _moves(self) -> None:
        played = self.history.played
        if not played:
            self.page.para("No move has been played.")
            return
        self.page.items((f"{n}. {move.text}" for n, move in enumerate(played, 1)))

    # -- what may be typed --------------------------------------------------------------------------------------------

    def _obey(self, line: str) -> bool:
        """Do what a line says; False to leave."""
        if not line:
            return True
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        written = {squeeze(m.text) for m in self.position.moves}
        if self.over is None and squeeze(line) in written:
            self._play(line)
        elif word in ("quit", "exit", "q") and not rest:
            return False
        elif self._commands(word, rest):
            pass
        elif (event := events.named(self.position, line)) is not None:
            self._event(*event)
        else:
            self._play(line)
        return True

    def _commands(self, word: str, rest: str) -> bool:
        """Do what a command says; False if it is none."""
        plain: Mapping[str, Callable[[], None]] = {
            "?": lambda: print_moves(self.position, self.page, rest == "all", "`? all` lists them"),
            "help": self._help,
            "undo": self._undo,
            "board": self._board,
            "moves": self._moves,
            "position": lambda: self.page.line(position_text(self.position).rstrip()),
            "resign": self._resign,
        }
        if word in plain and (not rest or (word, rest) == ("?", "all")):
            plain[word]()
        elif word == "why":
            self._why(rest)
        elif word == "save":
            self._save(rest)
        else:
            return False
        return True

    def _help(self) -> None:
        rows = HELP.split("\b\n")[1].split("\n\n")[0]
        self.page.line(rows)
        for event in self.position.game.rules.game.events or []:
            self.page.para(f"{event.name} ({event.rule}): {self.position.game.spec.says(event.rule, self.language)}", 2)

    def _play(self, text: str) -> None:
        if self.outcome is not None:
            self.page.para("The game is over: undo, moves, save FILE or quit.")
            return
        try:
            self.history.play(text)
            self.changed = True
        except NotAMove as error:
            word = text.split()[0].casefold()
            names = [e.name for e in self.position.game.rules.game.events or []]
            hint = suggest(word, WORDS) or suggest(text, names) or "? lists the legal moves, help says what else may be typed"
            self.page.para(f"{error if 'did you mean' in str(error) else f'{text!r} is not a move here'}; {hint}")
        except IllegalMove:
            self._why(text, board=False)
        except MoveError as error:
            self.page.para(str(error))

    def _why(self, text: str, board: bool = True) -> None:
        if not text:
            self.page.para(
                "why MOVE: name a move, such as `why " + (self.position.moves[0].text if self.position.moves else "a1") + "`"
            )
            return
        try:
            found = explain(self.position, text, self.language)
        except MoveError as error:
            self.page.para(str(error))
            return
        if board:
            self.page.board(self.position, explanation_marks(self.position, found), words=MOVE_WORDS)
            self.page.line()
        print_explanation(self.position, found, self.page, sources=board)

    def _undo(self) -> None:
        if self.over is not None:
            self.over, self.over_words = None, ""
            self.page.para("The game goes on.")
        elif not self.history.played:
            self.page.para("There is no move to take back.")
            return
        else:
            taken = [self.history.undo()]
            while self.machine is not None and self.position.state.seat == self.machine and self.history.played:
                taken.append(self.history.undo())
            self.page.para(f"taken back: {', '.join(m.text for m in reversed(taken))}")
        self.changed = True

    def _resign(self) -> None:
        if self.outcome is not None:
            self.page.para("The game is over already.")
            return
        players, seat = self.position.game.rules.words.players, self.position.state.seat
        self.over = Outcome("win", 1 - seat, "")
        self.over_words = f"{players[seat]} resigns, {players[1 - seat]} wins"
        self.changed = True

    def _event(self, event: Event, made: str) -> None:
        if self.outcome is not None:
            self.page.para("The game is over already.")
            return
        if event.by == "both" and not self._agreed(event):
            return
        try:
            found = events.happen(self.history, event, made)
        except events.CannotHappen as error:
            self.page.para(str(error))
            return
        if found.outcome is not None:
            self.over = found.outcome
            words = outcome_words(self.position, found.outcome, self.language)
            if found.outcome.kind == "no rule":
                words = f"play stops: no rule says what follows when `{event.name}` happens ({event.rule})"
            self.over_words = words
        elif found.move is not None and found.position is not None:
            self.history.played.append(found.move)
            self.history.positions.append(found.position)
            self.page.para(f"{found.move.text} ({event.rule}): the rest of the turn is lost")
        self.changed = True

    def _agreed(self, event: Event) -> bool:
        """Whether the other side agrees to what one side offers."""
        players, seat = self.position.game.rules.words.players, self.position.state.seat
        if self.machine is not None:
            self.page.para(f"{players[self.machine]} plays at random and agrees to nothing: play on.")
            return False
        self.page.para(f"{players[seat]} offers: {event.name}.")
        answer = self._read(f"{players[1 - seat]}, do you agree (yes or no)> ")
        if answer is not None and answer.casefold() in ("y", "yes"):
            return True
        self.page.para(f"{players[1 - seat]} does not agree: play on.")
        return False

    def _random_moves(self) -> None:
        while self.machine is not None and self.outcome is None and self.position.state.seat == self.machine:
            picks = random_move(self.position.game.engine, self.position.state, self.dice)
            move = next(m for m in self.position.moves if m.picks == picks)
            self.history.play(move)
            self.page.para(f"random plays {move.text}")
            self.changed = True

    # -- saving -------------------------------------------------------------------------------------------------------

    def _save(self, name: str) -> None:
        if not name:
            self.page.para("save FILE: name a file, such as game.json")
            return
        path = Path(name).expanduser()
        form = SAVED_AS.get(path.suffix.lower(), "json")
        if path.exists():
            self.page.para(f"{name} is there already: choose another name.")
            return
        if not self.from_start:
            self.page.para(
                "A record begins at the start of the game, and this game began from a position: `position` prints the"
                " board as text."
            )
            return
        cut = next((m.text for m in self.history.played if events.named(self.history.positions[0], m.text)), None)
        if cut is not None:
            self.page.para(f"A record has no way to write `{cut}`.")
            return
        try:
            path.write_text(FORMATS[form].write(self._record()), encoding="utf-8")
        except (CannotWrite, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.page.para(f"The game is not saved: {reason}")
            return
        self.page.para(f"saved as {name} ({form}); `lawstone replay {name}` replays it")

    def _record(self) -> Record:
        record = replace(Record.of(self.history), seed=self.seed)
        if self.over is None:
            return record
        players = self.position.game.rules.words.players
        winner = self.over.kind if self.over.winner is None else players[self.over.winner]
        return replace(record, winner=winner, rule=self.over.rule, result=result_words(winner, self.over.rule))


def with_editing() -> None:
    """Arrow keys and a history of lines, where Python has them."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
