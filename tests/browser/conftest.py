"""The site in a real browser: Debian's chromium, driven by Playwright, on pages opened from the folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser_support import Watched
from lawstone.publish.site import Site

GAMES = ("xxung", "gomoku", "wugun", "oxono")
PROGRAM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""


@pytest.fixture(scope="session")
def site(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the founding games; `LAWSTONE_SITE` names one that is built already."""
    if given := os.environ.get("LAWSTONE_SITE"):
        return Path(given).resolve()
    out = tmp_path_factory.mktemp("site")
    report = Site(out, GAMES, playouts=30).build()
    assert report.broken == []
    return out.resolve()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not installed")
    if not PROGRAM:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    """A fresh page."""
    found = Watched(browser)
    yield found
    found.context.close()
