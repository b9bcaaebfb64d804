"""`lawstone replay`: a recorded game against the rules, under every reading."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping

import click

from lawstone.cli.main import FINDINGS
from lawstone.cli.shared import PLAIN_EXITS, Command, Page, print_json, why_not
from lawstone.drawing.look import Mark
from lawstone.engine import records
from lawstone.engine.game import IllegalMove, Position
from lawstone.engine.records import Record, Replayed
from lawstone.model.faults import BadInput, Source
from lawstone.spec import Spec, Usage, load

HELP = """Replay a recorded game.

FILE is an SGF of Gomoku (GM[4]), a file of Piskvork (.psq), a game in pos notation (h8i9g7), a log of Oxono, or a JSON
record of Lawstone; - reads standard input. The format is found by looking into the file.

What is said: the last position; the first move that the rules do not allow, with its place in the file and the rule
that forbids it, or else the outcome; whether the result in the file is the one found; and each answer to a question of
the rules under which it would be otherwise.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone replay game.sgf", "A game of Gomoku."),
        ("lawstone replay game.psq --variant swap2", "As played with an opening that the file does not name."),
        ("lawstone replay game.json --game my-game/", "A game of your own rules."),
    ],
    exits={
        **PLAIN_EXITS,
        0: "every move is legal",
        1: "a move is not legal, or the result in the file is not the one found",
        3: "a record or a game file that cannot be read, with every fault at its line and column",
    },
)
@click.argument("file", metavar="FILE")
@click.option("--game", "name", metavar="GAME", help="The game, where it is not a shipped one.")
@click.option("--variant", metavar="NAME", help="The variant, whatever the file says of it.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(records.FORMATS)),
    metavar="NAME",
    help=f"One of {', '.join(records.FORMATS)}; unsaid, found by looking.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--unicode", is_flag=True, help="Boards with box characters and stones.")
@click.option("--no-color", is_flag=True, help="No colours; NO_COLOR does the same.")
def replay(file: str, name: str | None, variant: str | None, form: str | None, as_json: bool, unicode: bool, no_color: bool) -> int:
    """See HELP."""
    asked = "" if variant == "base" else variant
    record = _record(file, form or "", asked)
    spec = load(name or record.game)
    if name is not None and record.format == "json" and record.game != spec.id:
        raise Usage(f"this is a record of {record.game}, and the game asked for is {spec.id}")
    found = records.replay(record, spec, _why)
    wrong = found.run.illegal is not None or found.agrees is False
    if as_json:
        print_json(found.to_json())
    else:
        _print(spec, found, Page(no_color, unicode))
    return FINDINGS if wrong else 0


def _record(file: str, form: str, variant: str | None) -> Record:
    if file != "-":
        return records.load(file, form, variant)
    data = sys.stdin.buffer.read(records.LARGEST_FILE + 1)
    if len(data) > records.LARGEST_FILE:
        too_long = f"a record has at most {records.LARGEST_FILE:,} bytes"
        raise BadInput([Source("<standard input>", "").mark(0).fault("file-too-large", too_long)])
    return records.read(records.decode("<standard input>", data), form, variant)


def _why(position: Position, move: str) -> str:
    return why_not(IllegalMove(f"{move!r} is not a legal move here", move, position))


def _print(spec: Spec, found: Replayed, page: Page) -> None:
    record, run = found.record, found.run
    told = [
        spec.title,
        *([f"variant {record.variant}"] if record.variant else []),
        *(f"{q}={a}" for q, a in run.reading.items()),
    ]
    page.title(f"{', '.join(told)}: {run.plies} of {len(record.plies)} plies replayed")
    if any(record.players):
        page.para(" against ".join(p or "unknown" for p in record.players), 2)
    page.line()
    last: dict[int, Mark] = {}
    if run.plies:
        numbers = run.last.game.rules.board.numbers
        named = {numbers[site] for site in re.findall(r"[a-z]\d+", record.plies[run.plies - 1].text.casefold()) if site in numbers}
        last = dict.fromkeys(named & run.last.cells.keys(), "last")
    page.board(run.last, last)
    page.hands(run.last)
    page.line()
    if run.illegal is not None:
        page.line(run.illegal.fault().render(page.colour))
        page.line()
    if run.ended is not None:
        says = spec.says(run.ended.rule)
        page.para(f"{run.ended} at ply {run.ended.ply}" + (f": {says}" if says else ""))
    elif run.illegal is None:
        page.para(f"The game is not over on the board: {run.last.actor} to act.")
    if record.result:
        verdict: Mapping[bool | None, str] = {True: ", as found", False: ", which is not what the rules say", None: ""}
        page.para(f"The file says: {record.result}{verdict[found.agrees]}.")
    for note in found.notes:
        page.para(note, 0, "note: ")
    _differences(spec, found, page)


def _differences(spec: Spec, found: Replayed, page: Page) -> None:
    page.line()
    if not found.differences:
        page.para(f"The same under all other answers that were tried ({len(found.compared)}).")
    else:
        page.para(f"Otherwise under {len(found.differences)} of {len(found.compared)} other answers:")
        for d in found.differences:
            page.para(f"at ply {d.ply}: {d.run}", 4, f"{d.question}={d.answer} ")
            says = spec.says(f"question.{d.question}.{d.answer}")
            if says:
                page.para(says, 6, code="2")
    for question, answer, reason in found.left_out:
        page.para(f"{question}={answer} was not tried: {reason}", code="2")
