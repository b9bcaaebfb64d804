"""`cache`: where results are kept between runs, how much that is, and taking it away."""

from __future__ import annotations

from pathlib import Path

import click

from lawstone.cli.shared import PLAIN_EXITS, Command, print_json
from lawstone.work.cache import cache_folder, clear, entries, switched_off


@click.command(
    cls=Command,
    short_help="Say what is kept of earlier runs, or take it away.",
    examples=[
        ("lawstone cache", "where results lie, how many there are, and their size"),
        ("lawstone cache --clear", "take them away; the next run works everything out anew"),
    ],
    exits={0: PLAIN_EXITS[0], 2: "a misuse of the command"},
)
@click.option("--clear", "away", is_flag=True, help="Take away all kept results, facts and machine code.")
@click.option("--cache", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help="Another folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def cache(away: bool, folder: Path | None, as_json: bool) -> int:
    """Say what `check`, `prove`, `misreadings` and `claims` keep between runs.

    Results lie under a digest of what they depend on: the rules as core terms, the method with its bounds, the versions of the
    toolkit and of the solver. The folder is --cache, or LAWSTONE_CACHE (`off` keeps nothing), or the user's cache folder.
    """
    where = folder or cache_folder()
    gone = clear(where) if away else 0
    count, size = entries(where)
    kept = folder is not None or not switched_off()
    if as_json:
        print_json({"folder": str(where), "results": count, "bytes": size, "taken away": gone, "in use": kept})
        return 0
    click.echo(f"{where}: {count} results, {size / 1e6:.1f} MB" + ("" if kept else " (LAWSTONE_CACHE is off: nothing is kept)"))
    if away:
        click.echo(f"{gone} files taken away")
    return 0
