"""`lawstone legal` and `lawstone explain`: what may be played in a position, and why or why not."""

from __future__ import annotations

from typing import Any

import click

from lawstone.cli.moves import listed, marks, print_moves
from lawstone.cli.shared import (
    PLAIN_EXITS,
    Ask,
    Command,
    Page,
    asks,
    cites,
    game_json,
    headline,
    language_of,
    outcome_json,
    outcome_words,
    print_json,
    whose_turn,
)
from lawstone.drawing.look import Mark
from lawstone.engine.drawn import position_text
from lawstone.engine.explain import Explanation
from lawstone.engine.explain import explain as explained
from lawstone.engine.game import Game, MoveError, Position
from lawstone.engine.notation import squeeze, write
from lawstone.engine.state import Picks, members

MOST_SOURCES = 4
"""Sentences that are told in full."""
MOVE_WORDS = {"from": "moved from", "here": "picked", "captured": "taken", "blocked": "not allowed", "legal": "allowed"}
"""What the marks of an explanation mean."""
MOST_INSTEAD = 40
"""Sites that are named as allowed instead."""

LEGAL_HELP = """List the legal moves, and mark them on the board.

The position is the start of the game, or one that you paste or keep in a file (--board - or --position FILE): a drawn
board, or the text that `--json` gives as `position`. MOVES are played first, each in quotes if it has a space in it.

Moves are put together by what they begin with: in Oxono by the totem and where it goes, in games of moved pieces by the
piece. Long lists are cut with a count; --all shows every move.
"""


@click.command(
    cls=Command,
    help=LEGAL_HELP,
    examples=[
        ("lawstone legal xxung --board 5x5 c3 c5", "What may follow two moves on a small board."),
        ('lawstone legal oxono "Xc5 d5"', "Moves with a space stand in quotes."),
        ("lawstone legal wugun --board - < position.txt", "A pasted position."),
        ("lawstone legal oxono --json", "All moves as a list, with the position as text."),
    ],
    exits={**PLAIN_EXITS, 3: PLAIN_EXITS[3] + "; or one of MOVES that is not legal"},
)
@click.option("--all", "every", is_flag=True, help="Show every move, however many.")
@asks(position=True)
@click.argument("moves", nargs=-1)
def legal(ask: Ask, every: bool, moves: tuple[str, ...]) -> int:
    """See LEGAL_HELP."""
    position = ask.after(moves).position
    outcome = position.outcome
    if ask.json:
        print_json(
            {
                **game_json(position.game),
                "to act": position.actor,
                "phase": position.phase,
                "position": position_text(position),
                "outcome": outcome_json(position, outcome),
                "count": len(position.moves),
                "moves": list(listed(position)),
            }
        )
        return 0
    page = Page.of(ask)
    page.title(f"{headline(position.game)}: {whose_turn(position) if outcome is None else 'the game is over'}")
    page.line()
    page.board(position, marks(position), words={"from": "may be moved"})
    page.hands(position)
    page.line()
    if outcome is not None:
        page.para(outcome_words(position, outcome))
        return 0
    n = len(position.moves)
    page.line(f"{n:,} legal move{'s' if n != 1 else ''}")
    print_moves(position, page, every)
    return 0


EXPLAIN_HELP = """Say why a move is legal, or which rule forbids it.

Of several moves the last is explained and the others are played first. The answer names the rule, with its sentence,
the sentences of the founding text that carry it (paraphrased), and the sites concerned on the board; of a forbidden
pick it says what would be allowed instead.

A removal such as -b2 may be written as it is. A move that is not legal is a plain answer, not an error.
"""


@click.command(
    cls=Command,
    help=EXPLAIN_HELP,
    examples=[
        ("lawstone explain xxung --board 5x5 c3 d4", "Why d4 may not follow c3."),
        ('lawstone explain oxono "Xe4 e5"', "Moves with a space stand in quotes."),
        ("lawstone explain wugun --board - a1xb2 < position.txt", "In a pasted position."),
    ],
    exits={
        **PLAIN_EXITS,
        0: "the move is explained, legal or not",
        2: PLAIN_EXITS[2] + "; or what is not written as a move of the game",
        3: PLAIN_EXITS[3] + "; or a move before the last that is not legal",
    },
)
@click.option("--lang", metavar="CODE", help="The language of the sentences, such as en, cs or zh.")
@asks(position=True)
@click.argument("moves", nargs=-1, required=True)
def explain(ask: Ask, lang: str | None, moves: tuple[str, ...]) -> int:
    """See EXPLAIN_HELP."""
    language = language_of(ask.spec, lang)
    position = ask.after(moves[:-1]).position
    try:
        found = explained(position, moves[-1].replace("\N{MINUS SIGN}", "-"), language)
    except MoveError as error:
        raise click.UsageError(f"{error}\n{how_to_write(position.game)}") from None
    if ask.json:
        print_json({**game_json(position.game), "position": position_text(position), **_explanation_json(position, found)})
        return 0
    page = Page.of(ask)
    page.title(f"{headline(position.game, language)}: {whose_turn(position)}")
    page.line()
    page.board(position, explanation_marks(position, found), words=MOVE_WORDS)
    page.line()
    print_explanation(position, found, page)
    return 0


def how_to_write(game: Game) -> str:
    """How moves are written, by some that are legal at the start."""
    some = [move.text for move in game.start().moves[:200:67]]
    return f"Moves are written such as {', '.join(some)}" if some else ""


def explanation_marks(position: Position, found: Explanation) -> dict[int, Mark]:
    """The picks of a legal move; of a forbidden one the sites concerned, the pick before, and what would be allowed."""
    rules, state = position.game.rules, position.state
    told: dict[int, Mark] = {}
    if found.legal:
        move = position.find(found.move)
        choices = rules.phases[state.phase].turns[move.picks.turn].choices
        for choice, mask in zip(choices, move.picks.sites, strict=False):
            mark: Mark = "from" if choice.role == "from" else "captured" if choice.role in ("capture", "remove") else "here"
            told |= dict.fromkeys(members(mask), mark)
        return told
    for move in position.moves:
        first = write(rules, state, Picks(move.picks.turn, move.picks.sites[:1]))
        rest = squeeze(found.move).removeprefix(squeeze(first))
        if first and rest != squeeze(found.move) and not rest[:1].isdigit():
            told |= dict.fromkeys(members(move.picks.sites[0]) if move.picks.sites else [], "here")
    return {**told, **dict.fromkeys(found.instead, "legal"), **dict.fromkeys(found.sites, "blocked")}


def print_explanation(position: Position, found: Explanation, page: Page, sources: bool = True) -> None:
    """An explanation in words."""
    page.para(page.ink(found.move, "1") + (" is legal." if found.legal else " is not legal."))
    page.para(f"{found.rule}: {found.says}" if found.says else found.rule, 2, "rule     ")
    if found.because:
        page.para(found.because, 2, "allowed  " if found.legal else "because  ")
    carried = sorted(cites(position.game.spec, found.rule), key=lambda c: c["is"] != "rule") if sources else []
    for number, cite in enumerate(carried[:MOST_SOURCES]):
        page.para(f"{cite['source']} {cite['sentence']}: {cite['says']}", 2, "sources  " if number == 0 else " " * 9)
    if len(carried) > MOST_SOURCES:
        left = ", ".join(map(str, sorted(c["sentence"] for c in carried[MOST_SOURCES:])))
        page.para(f"and {left} (`lawstone show {position.game.id} --rule {found.rule}`)", 11)
    if found.instead:
        names = [position.game.rules.board.names[s] for s in found.instead]
        more = f" and {len(names) - MOST_INSTEAD} more" if len(names) > MOST_INSTEAD else ""
        page.para(" ".join(names[:MOST_INSTEAD]) + more, 2, "instead  ")


def _explanation_json(position: Position, found: Explanation) -> dict[str, Any]:
    names = position.game.rules.board.names
    return {
        "move": found.move,
        "legal": found.legal,
        "rule": found.rule,
        "says": found.says,
        "because": found.because,
        "pick": found.pick,
        "sites": [names[s] for s in found.sites],
        "instead": [names[s] for s in found.instead],
        "sources": cites(position.game.spec, found.rule),
    }
