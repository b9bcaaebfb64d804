"""A served site in the browser: the page follows the files, and says what is wrong with them while the last good pages stay."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_support import Watched
from lawstone.model.faults import BadInput
from lawstone.publish.serve import Built, Server
from lawstone.publish.site import Site, inputs
from test_publish import copied


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, Server]]:
    folder = copied(tmp_path, "tic-tac-toe")
    site = Site(tmp_path / "out", [str(folder)], playouts=5)

    def build() -> Built:
        try:
            return Built(site.build().faults)
        except BadInput as bad:
            return Built(bad.faults, good=False)

    server = Server(tmp_path / "out", build, lambda: inputs(folder / "game.yaml"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield folder, server
    server.stop()
    thread.join(10)


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_open_page_follows_a_text_and_shows_its_faults(served: tuple[Path, Server], watched: Watched):
    folder, server = served
    page: Any = watched.page
    page.goto(f"{server.address}en/tic-tac-toe/index.html")
    change(folder / "text.en.md", "## turn.place: ", "## turn.place: Quite ")
    page.wait_for_selector("h3:has-text('Quite')", timeout=20_000)
    assert page.locator("#faults").count() == 0
    change(folder / "text.en.md", "## turn.place: ", "## turn.plaice: ")
    page.wait_for_selector("#faults", timeout=20_000)
    told = page.locator("#faults").inner_text()
    assert "text.en.md:" in told
    assert "there is no rule 'turn.plaice'" in told
    assert page.locator("#faults mark").first.inner_text() == "turn.plaice"
    assert page.locator(".faulty").is_visible()


def test_where_nothing_can_be_built_the_last_good_page_stays(served: tuple[Path, Server], watched: Watched):
    folder, server = served
    page: Any = watched.page
    page.goto(f"{server.address}en/tic-tac-toe/index.html")
    page.wait_for_selector("article.rule")
    change(folder / "game.yaml", "to: empty", "to: emty")
    page.wait_for_selector("#faults", timeout=20_000)
    told = page.locator("#faults").inner_text()
    assert "game.yaml:" in told
    assert "did you mean 'empty'?" in told
    assert "last good build" in told
    assert page.locator("article.rule").count() > 1
    change(folder / "game.yaml", "to: emty", "to: empty")
    page.wait_for_selector("#faults", state="detached", timeout=20_000)
    assert page.locator("article.rule").count() > 1
    assert watched.errors == []
