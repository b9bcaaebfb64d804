"""Progress of long work: a bar on a terminal, plain lines in a log, nothing in a pipe of results."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import click

QUIET_SECONDS = 15.0
"""In a log, a line at most this often."""


class Progress:
    """Shows how far work has come, on standard error."""

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.done = title, max(1, total), 0
        self.bar: Any = None
        self.task: Any = None
        self.spoke = time.monotonic()

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.completed:.0f}/{task.total:.0f}"),
                TimeElapsedColumn(),
            )
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(self.title, total=self.total)
            self.bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.stop()

    def tell(self, what: str) -> None:
        """What is being worked on now."""
        if self.bar is not None:
            self.bar.update(self.task, description=f"{self.title}: {what}")
        elif time.monotonic() - self.spoke > QUIET_SECONDS:
            self.spoke = time.monotonic()
            click.echo(f"{self.title}: {self.done} of {self.total} done; {what}", err=True)

    def pause(self, speak: Callable[[], None]) -> None:
        """Let something else be written, with the bar out of the way."""
        if self.bar is None:
            speak()
            return
        self.bar.stop()
        speak()
        self.bar.start()

    def step(self) -> None:
        """One more piece is done."""
        self.done = min(self.total, self.done + 1)
        if self.bar is not None:
            self.bar.update(self.task, completed=self.done)
