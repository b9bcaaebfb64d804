"""`lawstone recheck`: what is on record is checked again, without the prover."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import click

from lawstone.check.certified import recheck as recheck_verdicts
from lawstone.cli.shared import Command, print_json
from lawstone.prove.recheck import Line, recheck
from lawstone.spec import Usage, load

HELP = """Check again what is on record, without the prover.

WHERE is the folder of all records (proofs/) or that of one game; unsaid, the shipped records.

For each claim and board, and for each verdict that readings or misreadings play alike, that words are redundant or that
play must end, the questions are built anew from the game file, the answers on file are found by a digest of the formula,
and each proof is checked step by step by a small checker that shares nothing with the prover. Recorded games are replayed
by the reference interpreter, and what was counted is counted again. A line each; one that fails says why.
"""
_RECORDS = ("claims.yaml", "results.json", "misreadings.json")


def _lines(folder: Path, claims: tuple[str, ...]) -> Iterator[Line]:
    spec = load(folder if (folder / "game.yaml").exists() else folder.resolve().name)
    if (folder / "claims.yaml").exists():
        yield from recheck(spec, folder, claims)
    if not claims:
        yield from recheck_verdicts(spec, folder)


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone recheck proofs/", "All games."),
        ("lawstone recheck proofs/xxung --claim four-neighbours", "One claim."),
    ],
    exits={
        0: "everything on record stands",
        1: "something on record does not stand",
        2: "a misuse of the command",
        3: "a file that cannot be read",
    },
)
@click.argument("where", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--claim", multiple=True, metavar="ID", help="Only this claim, and no verdicts; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of lines.")
@click.option("-q", "--quiet", is_flag=True, help="Only what does not stand, and the sum.")
def command(where: Path | None, claim: tuple[str, ...], as_json: bool, quiet: bool) -> int:
    """See HELP."""
    from lawstone import data

    root = where or data.proofs_root()
    named = [root.glob(f"{place}{name}") for name in _RECORDS for place in ("", "*/")]
    folders = sorted({path.parent for paths in named for path in paths})
    if not folders:
        raise Usage(f"nothing is on record under {root}")
    began, lines = time.perf_counter(), list[Line]()
    for folder in folders:
        for line in _lines(folder, claim):
            lines.append(line)
            if not as_json and not (quiet and line.ok):
                place = " ".join(filter(None, (line.game, line.claim, line.board)))
                click.echo(f"{'ok  ' if line.ok else 'FAIL'} {place}: {line.told}")
    failed = sum(not line.ok for line in lines)
    if not lines:
        raise Usage("nothing was checked")
    if as_json:
        told = [{"game": x.game, "claim": x.claim, "board": x.board, "ok": x.ok, "told": x.told} for x in lines]
        print_json({"lines": told, "checked": len(lines), "failed": failed})
    else:
        click.echo(f"{len(lines)} checked, {failed} failed, {time.perf_counter() - began:.1f} s")
    return 1 if failed else 0
