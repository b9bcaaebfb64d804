"""What the browser tests share: a page that is watched, and where axe-core lies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
AXE = next(
    (str(p) for p in (Path(os.environ.get("AXE", "-")), ROOT / "build/browser/node_modules/axe-core/axe.min.js") if p.is_file()), ""
)
"""The script of axe-core, if it is there."""


class Watched:
    """A page, with what went wrong on it and what it asked for."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.errors.extend([m.text] if m.type in ("error", "warning") else []))
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda r: self.requests.append(r.url))

    def open(self, path: Path, fragment: str = "") -> Any:
        """The page of a file."""
        self.page.goto(path.as_uri() + fragment)
        return self.page

    def _dialog(self, dialog: Any) -> None:
        self.errors.append(f"a dialog: {dialog.message}")
        dialog.dismiss()
