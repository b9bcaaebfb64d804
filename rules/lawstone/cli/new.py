"""`lawstone new`: a folder with a small complete game to start from."""

from __future__ import annotations

import re
import shlex
import unicodedata
from pathlib import Path

import click

from lawstone.cli.shared import Command

HELP = """Make a folder with a small complete game: four in a row on a board of five by five.

It has all that a game may have: the rules (game.yaml), their prose (text.en.md), worked examples that are run as tests
(examples.yaml), and what was read (sources.yaml). It passes `lawstone check`. Change it until it is the game you mean:
the check says at each step what no longer fits together.

Nothing that is there already is overwritten.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone new my-game", "A folder my-game with a game of that name."),
        ('lawstone new games/hex-like --name "Hex-like"', "The title is said; the id is the name of the folder."),
    ],
    exits={
        0: "made",
        2: "a misuse of the command, or a folder that has something in it",
        3: "a folder that cannot be written",
    },
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--name", help="The title of the game; unsaid, made of the name of the folder.")
def new(folder: Path, name: str | None) -> int:
    """See HELP."""
    identifier = identifier_of(folder.resolve().name)
    if not identifier:
        raise click.UsageError(
            f"the name of the folder gives the game its id, and {folder.name!r} has no letter a to z and no digit in it"
        )
    title = " ".join((name or "").split()) or identifier.replace("-", " ").capitalize()
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} has something in it already, and nothing is overwritten")
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in FILES.items():
        (folder / file).write_text(filled(text, identifier, title), encoding="utf-8")
    click.echo(f"{title}: {len(FILES)} files in {folder}")
    there = shlex.quote(str(folder))
    for command, what in (
        (f"lawstone show {there}", "the rules in words"),
        (f"lawstone play {there} --against random", "try it"),
        (f"lawstone check {there} --watch", "checks again whenever a file changes"),
    ):
        click.echo(f"  {command:{len(there) + 31}}  {what}")
    return 0


def identifier_of(name: str) -> str:
    """A name as the id of a game: lower-case letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")


def filled(text: str, identifier: str, title: str) -> str:
    """A file of the new game, with its id and its title; the title in YAML is quoted."""
    quoted = '"' + "".join(f"\\{c}" if c in '"\\' else c for c in title) + '"'
    return text.replace("@id@", identifier).replace("@quoted@", quoted).replace("@title@", title)


FILES = {
    "game.yaml": """\
# The rules. Every clause that a reader could ask about has a rule id; its prose stands under that id in text.en.md.
game: @id@
rules version: 1
title: {en: @quoted@}
authentic: en
board: {grid: [5, 5]}
players: [first, second]
pieces:
  stone: {of: player}
turn:
  - {rule: turn.place, place: own stone, to: empty}
end:
  - {rule: end.four, if: {line: {of: own stone, at least: 4, directions: all}}, wins: mover}
  - {rule: end.full, if: {none: empty}, draw: true}
order: [end.four, end.full]   # where both hold, the first one counts
# A sentence that can be read two ways is a question. Take the signs away, add the headings question.five,
# question.five.wins and question.five.does-not to text.en.md, and `lawstone check` shows where the answers part.
# questions:
#   - id: five
#     status: open
#     answers:
#       wins: {}
#       does-not: {end.four: {if.line.at least: null, if.line.exactly: 4}}
""",
    "text.en.md": """\
# @title@

Two players place stones in turn on a board of five by five cells. Four in a row win.

## setup.board: The board
The board has five rows and five columns and is empty at the start.

## turn.place: Placing
The player to move places one stone of their own on any empty cell.

## end.four: Four in a row
A player who completes a row of four or more stones of their own, in a row, a column or a diagonal, wins at once.

## end.full: A full board
If the board is full and nobody has won, the game is drawn. A row that is completed by the last stone wins.
""",
    "examples.yaml": """\
# Worked examples: they are tests, and diagrams of the rules. `x` is the first player's stone, `o` the second's.
examples:
  - id: place.any-cell
    shows: [turn.place]
    title: {en: "The first stone may go on any of the 25 cells."}
    legal: [a1, c3, e5]
    count: 25
    acts: first

  - id: place.not-on-a-stone
    shows: [turn.place]
    title: {en: "A cell that holds a stone is not empty."}
    after: [c3]
    illegal: {c3: turn.place}
    count: 24
    acts: second

  - id: four.diagonal
    shows: [end.four]
    title: {en: "Four on a diagonal win."}
    position:
      board: |
        . . . . .
        . . . . .
        . o x . .
        . x o . .
        x . . o .
      to act: first
    play: d4
    outcome: {wins: first, by: end.four}

  - id: four.gap
    shows: [end.four]
    title: {en: "Four stones of one row with a gap among them do not win."}
    position:
      board: |
        . . . . .
        . o . . .
        . o . . .
        . . o . .
        x x . x .
      to act: first
    play: e1
    outcome: none
    acts: second

  - id: full.draw
    shows: [end.full]
    title: {en: "The last cell is filled and nobody has four: a draw."}
    position:
      board: |
        x o x o x
        x o x o x
        o x o x o
        x o x o x
        x o x o .
      to act: first
    play: e1
    outcome: {draw: true, by: end.full}
""",
    "sources.yaml": """\
# What was read for the rules. A founding text is accounted for sentence by sentence under `coverage`, as in xxung.
sources:
  - id: author
    title: "Notes of the author"
    kind: own design
    language: en
    says: >-
      Stones are placed in turn on a board of five by five cells; four in a row win, and a full board is a draw.
""",
}
"""The files of a new game, by name."""
