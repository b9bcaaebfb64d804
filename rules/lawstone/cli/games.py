"""`lawstone games`: what is shipped."""

from __future__ import annotations

from typing import Any

import click

from lawstone import data
from lawstone.cli.shared import Command, Page, print_json
from lawstone.spec import load

HELP = """List the shipped games.

Their names stand wherever a command asks for GAME; the path of a game file, or of the folder that holds one, may stand
there as well. Variants are chosen with --variant; the questions are those that `lawstone show` and `lawstone check`
speak of.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone games", "The table."),
        ("lawstone games --json", "The same for a program, with the ids of the questions."),
    ],
    exits={0: "always", 2: "a misuse of the command"},
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--no-color", is_flag=True, help="No colours; NO_COLOR does the same.")
def games(as_json: bool, no_color: bool) -> int:
    """See HELP."""
    found: list[dict[str, Any]] = []
    for name in data.shipped_games():
        spec = load(name)
        board = spec.rules().board
        found.append(
            {
                "game": spec.id,
                "title": spec.title,
                "board": f"{board.width}x{board.height}" if board.kind == "grid" else board.label,
                "resizable": spec.game.board.resizable,
                "variants": list(spec.game.variants or {}),
                "questions": [q.id for q in spec.game.questions or []],
                "languages": list(spec.texts),
            }
        )
    if as_json:
        print_json({"games": found})
        return 0
    page = Page(no_color)
    rows = [
        (
            g["game"],
            g["title"],
            g["board"] + ("+" if g["resizable"] else ""),
            str(len(g["questions"])),
            ", ".join(g["variants"]),
        )
        for g in found
    ]
    heads = ("game", "title", "board", "questions", "variants")
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(4)]
    for number, row in enumerate((heads, *rows)):
        cells = [
            cell.ljust(width) if i != 3 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        page.line(page.ink("  ".join([*cells, row[4]]).rstrip(), "1" if number == 0 else ""))
    page.line()
    page.para(
        "A + after the board: its size is a parameter, --board 8x8 resizes it. `lawstone show GAME` gives the rules in words."
    )
    return 0
