"""`publish`: build the reference site, for readers, or served to an editor while the files change."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from lawstone.cli.main import BAD_INPUT, FINDINGS, OK, wants_colour
from lawstone.cli.shared import Command
from lawstone.model.faults import BadInput
from lawstone.publish.site import Report, Site, inputs, shared_inputs
from lawstone.spec import find

FOUNDING = ("xxung", "gomoku", "wugun", "oxono")
"""The games that are published when none is named."""


@click.command(
    cls=Command,
    examples=[
        ("lawstone publish --out site", "the four founding games; open site/index.html, no server is needed"),
        ("lawstone publish my-game/ --out site --serve", "a game of your own; the page follows when a file changes"),
        ("lawstone publish oxono --out site --pdf", "with a PDF in each language (needs the extra `pdf`)"),
    ],
    exits={
        0: "every page is checked",
        1: "the site is built, and a page may not be called checked: a failing example, a vanished id, a stale translation, a word "
        "that the term table avoids, or a fault of the pages themselves",
        2: "a misuse of the command",
        3: "a game file that cannot be read",
    },
)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, metavar="DIR", help="The folder of the site."
)
@click.option("--pdf", is_flag=True, help="Also write each game as a PDF in each language.")
@click.option(
    "--serve", is_flag=True, help="Serve the site on this computer and build it anew whenever a file changes; Ctrl-C ends it."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port for --serve; by default any free one.")
@click.option("--playouts", type=click.IntRange(1, 100_000), default=300, help="Random games for the page of statistics.")
@click.option("--no-color", is_flag=True, help="No colours; NO_COLOR in the environment does the same.")
def publish(games: tuple[str, ...], out: Path, pdf: bool, serve: bool, port: int, playouts: int, no_color: bool) -> int:
    """Build the reference site of GAME (by default the four founding games) in English, Czech and Chinese.

    Beside every rule stand its examples with diagrams, its sources, its clause in words, the questions about it and what has been
    shown. Boards can be stepped through and played on. Pages open from the folder: nothing is fetched.
    """
    named = list(games or FOUNDING)
    site = Site(out, named, playouts=playouts, tell=lambda text: click.echo(text, err=True))
    if not serve:
        return told(site.build(pdf), out, no_color)

    from lawstone.publish.serve import Built, Server

    def again() -> Built:
        try:
            report = site.build(pdf)
        except BadInput as bad:
            click.echo(bad.render(wants_colour(sys.stderr, no_color)), err=True)
            return Built(bad.faults, good=False)
        told(report, out, no_color)
        return Built(report.faults)

    files = [find(name) for name in named]
    server = Server(out, again, lambda: watched(files), port)
    click.echo(f"serving {server.address} (Ctrl-C ends it)")
    server.run()
    return OK


def watched(games: list[Path]) -> Iterator[Path]:
    """The files that the pages are made from, those there are now."""
    for path in games:
        yield from inputs(path) if path.name == "game.yaml" else [path]
    yield from shared_inputs()


def told(report: Report, out: Path, no_color: bool) -> int:
    """Say what a build did, its faults first; gives the exit code."""
    if report.faults:
        click.echo(BadInput(report.faults).render(wants_colour(sys.stderr, no_color)), err=True)
    for line in report.broken[:50]:
        click.echo(f"page: {line}", err=True)
    if len(report.broken) > 50:
        click.echo(f"and {len(report.broken) - 50} more", err=True)
    kept = f", {len(report.kept)} unchanged" if report.kept else ""
    click.echo(f"{report.pages} pages in {report.seconds:.1f} s ({len(report.built)} games built{kept})")
    for path in report.pdfs:
        click.echo(str(path))
    click.echo(f"open {out / 'index.html'}")
    if any(f.code in ("unreadable",) for f in report.faults):
        return BAD_INPUT
    return FINDINGS if report.faults or report.broken else OK
