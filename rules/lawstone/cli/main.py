"""The entry point: which commands there are, and what every failure says and ends with.

Nothing of the toolkit is imported here, so that `lawstone --help` answers at once; a command is imported when it is
called.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn, TextIO

import click

from lawstone.version import __version__

OK, FINDINGS, USAGE, BAD_INPUT, UNDECIDED, INTERNAL, INTERRUPTED, CLOSED = 0, 1, 2, 3, 4, 70, 130, 141
"""What a run ends with; `CLOSED` is what a program ends with whose reader has gone away."""

COLLECTED_AFTER = 200_000
"""Objects that are made before Python looks for those that nobody can reach any more: some forty megabytes at most."""

COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Read the rules": {
        "games": ("lawstone.cli.games:games", "List the shipped games."),
        "show": ("lawstone.cli.show:show", "Show a game in words: pieces, turns, endings, open questions."),
        "legal": ("lawstone.cli.legal:legal", "List the legal moves of a position, and mark them on the board."),
        "explain": ("lawstone.cli.legal:explain", "Say why a move is legal, or which rule forbids it."),
    },
    "Play": {
        "play": ("lawstone.cli.play:play", "Play in the terminal: two people, or one against random moves."),
        "replay": ("lawstone.cli.replay:replay", "Replay a recorded game: its first illegal move, or its outcome."),
        "perft": ("lawstone.cli.perft:perft", "Count move sequences and positions, to compare two programs."),
        "positions": ("lawstone.cli.positions:positions", "Count every position, ply by ply; say who wins from each first move."),
        "playouts": ("lawstone.cli.playouts:playouts", "Play random games: how long they are, how they end, how fast."),
    },
    "Check": {
        "check": ("lawstone.cli.check:check", "Check a game: faults, and where its rules can be read two ways."),
        "prove": ("lawstone.cli.check:prove", "Settle every question by proof where it can be done."),
        "claims": ("lawstone.cli.claims:command", "Settle what is claimed of a game: proved, refuted, or how far."),
        "recheck": ("lawstone.cli.recheck:command", "Check again what is on record, without the prover."),
        "why": ("lawstone.cli.why:why", "Explain a question in words: both readings, where they part, how to close it."),
        "diff": ("lawstone.cli.check:diff", "Say what differs between two game files or two variants."),
        "misreadings": ("lawstone.cli.misreadings:misreadings", "Derive wrong readings of every rule, and what rules each out."),
        "cache": ("lawstone.cli.cache:cache", "Say what is kept of earlier runs, or take it away."),
    },
    "Publish": {
        "publish": ("lawstone.cli.publish:publish", "Build the reference site: rules, examples, questions, boards to play on."),
    },
    "Test a program": {
        "cases": ("lawstone.cli.cases:cases", "Write edge-case suites that catch wrong engines."),
        "conform": ("lawstone.cli.conform:conform", "Run any program against a suite, and say which rule it breaks."),
        "fuzz": ("lawstone.cli.fuzz:fuzz", "Play random games against a program until it disagrees."),
        "adequacy": ("lawstone.cli.adequacy:adequacy", "Say which misreadings a suite tells from the rules."),
        "case": ("lawstone.cli.cases:case", "Turn a bug report into a vector."),
    },
    "Write a game": {
        "new": ("lawstone.cli.new:new", "Make a folder with a small complete game to start from."),
        "schema": ("lawstone.cli.schema:schema", "Write the JSON Schema of the game files, for editors."),
    },
}

HELP = """Rules of two-player board games as data: play them, and find where a sentence can be read two ways.

GAME is the name of a shipped game or the path of a game file or of its folder. Begin with one of these:

\b
  lawstone show oxono                the rules in words
  lawstone play tic-tac-toe          a game in the terminal
  lawstone check xxung               where its rules can be read two ways
  lawstone new my-game               a game of your own

`lawstone COMMAND --help` says what a command does, with examples.
"""


class Commands(click.Group):
    """The commands, imported when they are called; every failure is told in plain words."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order of the help page."""
        return [name for group in COMMANDS.values() for name in group]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name; it is imported here."""
        for group in COMMANDS.values():
            if cmd_name in group:
                module, _, attribute = group[cmd_name][0].partition(":")
                found = getattr(import_module(module), attribute)
                assert isinstance(found, click.Command)
                return found
        return None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments begin with; an unknown one is refused with the nearest that there is."""
        if not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"there is no command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what one wants to do."""
        width = max(map(len, self.list_commands(ctx)))
        for title, group in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), told) for name, (_, told) in group.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What a run ends with."""
        with formatter.section("Exit codes"):
            formatter.write_text(
                "0 all is well; 1 findings (a game that breaks a rule, an ambiguity that is not on record); 2 a misuse"
                " of the command; 3 a file or position that cannot be read; 4 stopped at a bound; 70 a fault of"
                " Lawstone; 130 interrupted."
            )

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and leave with its exit code; never with a traceback."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            if sys.stdout is not None:
                sys.stdout.flush()
        except SystemExit as left:  # click leaves in this way when nobody reads the output any more
            code = CLOSED if left.code == 1 else left.code
        except BaseException as error:
            code = _told(error)
        sys.exit(code if isinstance(code, int) else OK)


def _told(error: BaseException) -> int:
    """Say on standard error what went wrong, and give the exit code."""
    faults, spec = sys.modules.get("lawstone.model.faults"), sys.modules.get("lawstone.spec")
    if isinstance(error, BrokenPipeError):
        _stop_writing()
        return CLOSED
    if isinstance(error, click.Abort | KeyboardInterrupt | EOFError):
        _say("stopped")
        return INTERRUPTED
    if isinstance(error, click.UsageError):
        _say(f"error: {error.format_message()}")
        if error.ctx is not None:
            _say(f"{error.ctx.get_usage()}\nTry `{error.ctx.command_path} --help`.")
        return USAGE
    if isinstance(error, click.ClickException):
        _say(f"error: {error.format_message()}")
        return error.exit_code
    if spec is not None and isinstance(error, spec.Usage):
        _say(f"error: {error}")
        return USAGE
    if faults is not None and isinstance(error, faults.BadInput):
        first = error.faults[0]
        if first.code == "no-such-game":
            _say(f"error: {first.message}; {first.hint}")
            return BAD_INPUT
        _say(error.render(color=wants_colour(sys.stderr)))
        return BAD_INPUT
    if isinstance(error, OSError) and error.strerror:
        _say(f"error: {f'{error.filename}: ' if error.filename else ''}{error.strerror}")
        return BAD_INPUT
    if os.environ.get("LAWSTONE_TRACE"):
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" at {os.path.basename(place[0].filename)}:{place[0].lineno}" if place else ""
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    _say(
        f"internal error: {what}{where}. This is a fault of Lawstone: please report it with the command and its files"
        " (LAWSTONE_TRACE=1 shows more)."
    )
    return INTERNAL


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        click.echo(text, err=True)


def _stop_writing() -> None:
    """Nobody reads any more: what is still in the buffers goes nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def wants_colour(stream: TextIO | None, refused: bool = False) -> bool:
    """Whether to write colours to a stream: a terminal that can show them, and nobody has asked for none."""
    plain = refused or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return not plain and stream is not None and stream.isatty()


def _any_characters() -> None:
    """What a terminal cannot show becomes a question mark, so that no name or sentence ends a run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


@click.group(cls=Commands, help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="lawstone %(version)s")
def cli() -> None:
    """All commands."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The command line, from its arguments to the exit code."""
    _any_characters()
    # classes and terms are many and stay: looking through them again and again is a sixth of a short run
    gc.set_threshold(COLLECTED_AFTER, 20, 20)
    cli.main(args, prog_name="lawstone")
    raise AssertionError("a command leaves with its exit code")


if __name__ == "__main__":
    main()
