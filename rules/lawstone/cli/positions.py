"""`lawstone positions`: every position of a game, ply by ply, and who wins from each first move."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from lawstone.carried import Carried
from lawstone.cli.main import INTERRUPTED, UNDECIDED
from lawstone.cli.progress import Progress
from lawstone.cli.shared import PLAIN_EXITS, Ask, Command, Page, asks, game_json, headline, print_json
from lawstone.engine.best import Best, Unsolved, first_moves
from lawstone.engine.enumerate import GIB, DiskFull, Enumeration, Lost, Otherwise, Ply, Slice
from lawstone.engine.game import Game
from lawstone.engine.kernel.expand import TooMuch
from lawstone.engine.state import members
from lawstone.spec import Usage
from lawstone.work.crew import Crew, processors

HELP = """Every position of a game, ply by ply, each once; or, with --values, who wins from each first move.

Positions that a symmetry of the rules carries into each other are kept once, and counted both ways. A position counts at the
ply at which it is first reached. Two positions are the same if the pieces, the hands, the player to act, the phase and
what the rules remember (such as the piece placed last) are the same.

Memory is bounded by --memory: what does not fit is sorted on disk, in a folder that --folder keeps, so that a run that
was stopped is taken up where it was. Nothing is drawn by chance: two runs give the same files.

--values finds who wins when both sides play their best, for games in which every move adds a piece. A player prefers a
win to a draw, a draw to a game that stops without a rule, and that to a loss.
"""
WORTH = {3: "win", 2: "draw", 1: "no rule", 0: "loss"}
LETTERS = {3: "W", 2: "D", 1: "?", 0: "L"}


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone positions tic-tac-toe", "5,478 positions, 765 up to symmetry."),
        ("lawstone positions gomoku --plies 3", "The openings of three stones: 703,934 up to symmetry."),
        ("lawstone positions xxung --board 4x4 --folder build/xxung-4x4 --json", "To the end; stopped, it goes on from there."),
        ("lawstone positions xxung --board 5x5 --values", "Who wins from each first square."),
    ],
    exits={
        **PLAIN_EXITS,
        4: "stopped at --disk or --most, or at a position with too many moves: what was counted is printed",
        130: "interrupted: what was counted is printed, and kept with --folder",
    },
)
@click.option("--plies", type=click.IntRange(1), metavar="N", help="No further than this ply; else to the end.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="Keep the positions here.")
@click.option("--memory", type=click.FloatRange(0.05, 8), metavar="GIB", default=1.0, show_default=True, help="Memory, at most 8.")
@click.option("--disk", type=click.FloatRange(0.01), metavar="GIB", default=20.0, show_default=True, help="Room on disk.")
@click.option("--all", "every", is_flag=True, help="Keep every position, not one for all its images.")
@click.option("--emitted", is_flag=True, help="Make the moves by the emitted Python, even where they could be compiled.")
@click.option("--values", "best", is_flag=True, help="Who wins from each first move.")
@click.option(
    "--most",
    type=click.IntRange(1),
    metavar="N",
    default=200_000_000,
    show_default=True,
    help="Positions that --values may look at.",
)
@click.option(
    "--workers", type=click.IntRange(1, 1024), metavar="N", help="Processes that make a large ply; unsaid, one a processor."
)
@asks(boards=False)
def positions(
    ask: Ask,
    workers: int | None,
    plies: int | None,
    folder: Path | None,
    memory: float,
    disk: float,
    every: bool,
    emitted: bool,
    best: bool,
    most: int,
) -> int:
    """See HELP."""
    game, page = ask.game, Page.of(ask)
    if best:
        if folder is not None or plies is not None or every:
            raise click.UsageError("--values keeps no positions: it goes without --plies, --folder and --all")
        return _values(ask, page, game, round(memory * GIB), most, emitted)
    walk = "asked for" if emitted else game.walk
    with _folder(folder) as where:
        try:
            board = (game.rules.board.width, game.rules.board.height) if game.rules.game.board.resizable else None
            carried = Carried.of(game.spec)
            slices = Slice(carried, game.rules.variant, game.rules.reading, board, not every, not emitted)
            made = Enumeration(
                game.rules, game.engine, walk, where, round(memory * GIB), round(disk * GIB), not every, slices
            )  # fmt: skip
        except Otherwise as error:
            raise Usage(str(error), "take another folder, or remove this one") from None
        return _enumerate(ask, page, game, made, plies, Crew(workers or processors()))


@contextlib.contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    """The folder that was asked for, or one that is removed again."""
    if given is not None:
        yield given
        return
    made = Path(tempfile.mkdtemp(prefix="lawstone-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _enumerate(ask: Ask, page: Page, game: Game, made: Enumeration, plies: int | None, crew: Crew) -> int:
    began, code, stopped = time.perf_counter(), 0, ""
    if not ask.json:
        page.title(f"{headline(game)}: all positions{f' of the first {plies} plies' if plies else ''}")
        same = f"{len(made.carries)} symmetries that keep the start" if len(made.carries) > 1 else "no symmetry"
        page.line(f"moves by the {_backend(made)}; {same}")
        page.line(page.ink(f"{'ply':>4} {'up to symmetry':>15} {'all':>17} {'going on':>15} {'seconds':>8}  ends", "1"))
        for number, ply in enumerate(made.plies):
            _row(page, number, ply, 0.0)
    with Progress("positions", made.plies[-1].going[0]) as progress:
        try:
            while not made.finished and (plies is None or len(made.plies) <= plies):
                spent = time.perf_counter()
                number = len(made.plies)
                ply = made.advance(lambda done, of, n=number: progress.tell(f"ply {n}, {done:,} of {of:,}"), crew)  # type: ignore[misc]
                if not ask.json and ply.positions[0]:
                    _row(page, number, ply, time.perf_counter() - spent)
        except (TooMuch, DiskFull, Lost) as error:
            code, stopped = UNDECIDED, str(error)
        except KeyboardInterrupt:
            code, stopped = INTERRUPTED, "interrupted"
    reached, every = made.total
    if ask.json:
        print_json({
            **game_json(game), "backend": made.backend, "backend reason": made.reason or None,
            "symmetries": [c.name for c in made.carries], "plies": [_told(p) for p in made.plies if p.positions[0]],
            "total": {"up to symmetry": reached, "all": every}, "finished": made.finished, "stopped": stopped or None,
            "seconds": round(time.perf_counter() - began, 2),
        })  # fmt: skip
    if stopped:
        click.echo(f"stopped after ply {len(made.plies) - 1}: {stopped}", err=True)
    if not ask.json:
        end = "Every game is over." if made.finished else "Play goes on from there."
        page.line(f"{reached:,} positions up to symmetry, {every:,} in all. {end}")
    return code


def _backend(made: Enumeration) -> str:
    return "compiled steps" if not made.reason else f"emitted Python ({made.reason})"


def _row(page: Page, number: int, ply: Ply, seconds: float) -> None:
    ends = ", ".join(f"{rule} {n:,} ({every:,})" for rule, (n, every) in ply.ends.items())
    page.line(f"{number:>4} {ply.positions[0]:>15,} {ply.positions[1]:>17,} {ply.going[0]:>15,} {seconds:>8.2f}  {ends}".rstrip())


def _told(ply: Ply) -> dict[str, Any]:
    def pair(both: tuple[int, int]) -> dict[str, int]:
        return {"up to symmetry": both[0], "all": both[1]}

    return {
        "positions": pair(ply.positions), "going on": pair(ply.going), "ends": {r: pair(p) for r, p in ply.ends.items()},
        "nobody can move": pair(ply.stuck),
    }  # fmt: skip


# -- best play --------------------------------------------------------------------------------------------------------------------


def _values(ask: Ask, page: Page, game: Game, memory: int, most: int, emitted: bool) -> int:
    """Who wins from each first move, those that a symmetry joins asked about once."""
    walk = "asked for" if emitted else game.walk
    if isinstance(walk, str):
        raise Usage(f"best play is looked for by compiled steps only: {walk}")
    began, code, stopped = time.process_time(), 0, ""
    solver, found = Best(game.rules, walk, memory), dict[str, int]()
    moves = first_moves(game)
    if not ask.json:
        page.title(f"{headline(game)}: who wins from each first move")
    with Progress("first moves", len(moves)) as progress:
        try:
            for text, after, over in moves:
                progress.tell(text)
                found[text] = solver.worth(game.start().state, after, over, most)
                progress.step()
        except Unsolved as error:
            code, stopped = UNDECIDED, str(error)
        except KeyboardInterrupt:
            code, stopped = INTERRUPTED, "interrupted"
    done = len(found) == len(moves)
    value = max(found.values(), default=1) if done else None
    spent = time.process_time() - began
    if ask.json:
        print_json({
            **game_json(game), "values": {t: WORTH[v] for t, v in found.items()}, "value": None if value is None else WORTH[value],
            "positions": solver.nodes, "finished": done, "stopped": stopped or None, "cpu_s": round(spent, 2),
        })  # fmt: skip
    else:
        for line in _drawn(game, found) if found else ():
            page.line(line)
        first = game.rules.words.players[game.start().state.seat]
        if value is not None:
            page.line(f"With best play {first} has a {WORTH[value]}. {solver.nodes:,} positions, {spent:.1f} CPU-s.")
    if stopped:
        click.echo(f"stopped after {len(found)} of {len(moves)} first moves: {stopped}", err=True)
    return code


def _drawn(game: Game, found: dict[str, int]) -> Iterator[str]:
    """The board with what the player who begins gets from each site; a list where first moves are not single sites."""
    start, board = game.start(), game.rules.board
    sites: dict[int, int] = {}
    for move in start.moves:
        if move.text in found and len(move.picks.sites) == 1 and move.picks.sites[0].bit_count() == 1:
            sites[members(move.picks.sites[0])[0]] = found[move.text]
    if len(sites) < len(found) or board.kind != "grid":
        yield from (f"  {text}  {WORTH[v]}" for text, v in found.items())
        return
    for y in reversed(range(board.height)):
        row = [LETTERS[sites[s]] if s in sites else "." for s, (_, sy) in enumerate(board.places) if sy == y]
        yield f"{y + 1:>4}  {' '.join(row)}"
    yield "      " + " ".join("abcdefghijklmnopqrstuvwxyz"[: board.width])
    yield "      what the player who begins gets: W win, L loss, D draw, ? no rule"
