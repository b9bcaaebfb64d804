"""`lawstone perft`: counting sequences and positions ply by ply, to compare two programs."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Any, Literal

import click

from lawstone.cli.main import INTERRUPTED, UNDECIDED
from lawstone.cli.shared import PLAIN_EXITS, Ask, Command, Page, asks, game_json, headline, print_json
from lawstone.cli.work import bounded
from lawstone.engine.drawn import position_text
from lawstone.engine.everyday import Everyday
from lawstone.engine.game import Position
from lawstone.engine.kernel.run import runner
from lawstone.engine.perft import Counts, TooMany
from lawstone.engine.perft import divide as divided
from lawstone.engine.perft import perft as counted
from lawstone.engine.state import State
from lawstone.prove.facts import plan_of
from lawstone.work.bounds import Spent

HELP = """Count move sequences and positions.

Perft counts the sequences of exactly 1, 2, ... moves from the start (or from a position, or after --moves): the classic
way to see whether two programs mean the same rules. Three counts are given for each ply:

\b
  sequences   of exactly that many moves, those that end the game there included
  open        those of them after which the game goes on
  positions   the distinct positions that they reach

and beside them how many sequences each ending ends. With --divide the sequences are counted below each first move,
which finds the move on which two programs disagree.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone perft oxono --depth 3", "68, 3,612 and 162,680 sequences."),
        (
            "lawstone perft xxung --board 5x5 --depth 4 --json",
            "One document with the lists sequences, open and positions.",
        ),
        ('lawstone perft oxono --depth 2 --divide --moves "Xc5 d5"', "Below each reply to a first move."),
    ],
    exits={
        **PLAIN_EXITS,
        4: "stopped at --most, --time or --memory: the plies before are printed",
        130: "interrupted: the plies before are printed",
    },
)
@click.option("--depth", type=click.IntRange(1, 1000), metavar="N", required=True, help="How many plies.")
@click.option("--divide", is_flag=True, help="Count below each first move.")
@click.option("--bulk", is_flag=True, help="Count the last ply without playing it; compiled where that can be done.")
@click.option("--played", is_flag=True, help="Play every leaf and test its endings; compiled where that can be done.")
@click.option("--moves", multiple=True, metavar="MOVES", help="Moves played first, with commas between them; may be repeated.")
@click.option(
    "--most",
    type=click.IntRange(1),
    metavar="N",
    default=2_000_000,
    show_default=True,
    help="Positions that may be kept in memory at once.",
)
@bounded()
@asks(position=True, boards=False)
def perft(ask: Ask, depth: int, divide: bool, bulk: bool, played: bool, moves: tuple[str, ...], most: int) -> int:
    """See HELP."""
    position = ask.after(m.strip() for part in moves for m in part.split(",") if m.strip()).position
    page, engine = Page.of(ask), position.game.engine
    document: dict[str, Any] = {**game_json(position.game), "position": position_text(position), "depth": depth}
    if not ask.json:
        page.title(f"{headline(position.game)}: perft{f' after {chr(44).join(moves)}' if moves else ''}")
    if position.ended is not None:
        raise click.UsageError("the game is over there: nothing is to be counted")
    if bulk + played + divide > 1:
        raise click.UsageError("--divide, --bulk and --played are asked for one at a time")
    if bulk or played:
        return _sequences(ask, page, position, depth, "bulk" if bulk else "played", document)
    if divide:
        return _divide(ask, page, engine, position.state, depth, document)
    counts, code, stopped = Counts(), 0, ""
    if not ask.json:
        page.line(page.ink(f"{'ply':>4} {'sequences':>15} {'open':>15} {'positions':>13} {'seconds':>8}  endings", "1"))
    try:
        for counts, seconds in _plies(engine, position.state, depth, most, ask):
            if not ask.json:
                _row(counts, seconds, page)
            if not counts.open[-1]:
                break
    except TooMany as error:
        code, stopped = UNDECIDED, f"{error.args[0]}; --most allows more"
    except Spent as spent:
        code, stopped = UNDECIDED, f"{spent}; --time and --memory allow more"
    except KeyboardInterrupt:
        code, stopped = INTERRUPTED, "interrupted"
    if ask.json:
        document |= {
            "sequences": counts.sequences, "open": counts.open, "positions": counts.positions, "endings": counts.ends,
            "complete": not stopped, "stopped": stopped or None,
        }  # fmt: skip
        print_json(document)
    if stopped:
        click.echo(f"stopped after ply {len(counts.sequences)}: {stopped}", err=True)
    elif not ask.json and len(counts.sequences) < depth:
        page.para(f"Every game is over after {len(counts.sequences)} plies.")
    return code


def _plies(engine: Everyday, start: State, depth: int, most: int, ask: Ask) -> Iterator[tuple[Counts, float]]:
    """The counts up to each ply in turn, with the seconds that the ply took."""
    for ply in range(1, depth + 1):
        began = time.perf_counter()
        with _waiting(f"counting ply {ply}", ask):
            counts = counted(engine, ply, start, most)
        yield counts, time.perf_counter() - began


def _row(counts: Counts, seconds: float, page: Page) -> None:
    endings = ", ".join(f"{rule} {n:,}" for rule, n in sorted(counts.ends[-1].items()))
    page.line(
        f"{len(counts.sequences):>4} {counts.sequences[-1]:>15,} {counts.open[-1]:>15,} {counts.positions[-1]:>13,}"
        f" {seconds:>8.1f}  {endings}".rstrip()
    )


def _divide(ask: Ask, page: Page, engine: Everyday, start: State, depth: int, document: dict[str, Any]) -> int:
    began = time.perf_counter()
    with _waiting(f"counting {depth} plies below each move", ask):
        try:
            found = divided(engine, depth, start)
        except TooMany as error:
            click.echo(f"stopped: {error.args[0]} below one move", err=True)
            return UNDECIDED
    total = sum(found.values())
    if ask.json:
        print_json({**document, "divide": found, "total": total})
        return 0
    width = max(map(len, found), default=0)
    for move, n in found.items():
        page.line(f"  {move:{width}}  {n:>15,}")
    plies = "1 ply" if depth == 1 else f"{depth} plies"
    seconds = time.perf_counter() - began
    page.line(f"{len(found):,} moves, {total:,} sequences of {plies}, {seconds:.1f} s")
    return 0


def _sequences(
    ask: Ask, page: Page, position: Position, depth: int, how: Literal["bulk", "played"], document: dict[str, Any]
) -> int:
    """Sequences only, no positions: counted or played leaf by leaf, with the rate of each ply."""
    run = runner(position.game.rules, position.game.engine, plan_of(position.game.rules))
    rows = []
    for ply in range(1, depth + 1):
        began = time.process_time()
        total, going = run.perft(ply, position.state, how)
        rows.append((total, going, time.process_time() - began))
    document |= {"how": how, "backend": run.backend, "backend reason": run.reason or None}
    if ask.json:
        document |= {"sequences": [n for n, _, _ in rows], "cpu seconds": [round(s, 6) for _, _, s in rows]}
        if how == "played":
            document["no ending"] = [going for _, going, _ in rows]
        print_json(document)
        return 0
    told = "every leaf played" if how == "played" else "the last ply counted"
    page.line(f"back end: {run.backend}{f' ({run.reason})' if run.reason else ''}; {told}")
    for ply, (total, _, seconds) in enumerate(rows, 1):
        page.line(f"{ply:>4} {total:>20,} {seconds:>10.3f} CPU-s {total / max(seconds, 1e-6):>16,.0f} leaves/CPU-s")
    return 0


@contextlib.contextmanager
def _waiting(what: str, ask: Ask) -> Iterator[None]:
    """A sign of life on a terminal while something is counted."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, no_color=ask.no_color or None)
    with Progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console, transient=True) as bar:
        bar.add_task(what, total=None)
        yield
