"""The options of commands that take long: how many workers there are."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from lawstone.work.crew import Crew, processors


def works(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options on long work; it is called with `crew`, who does it."""

    @click.option(
        "--workers",
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Questions asked side by side, each in a process of its own; unsaid, one a processor. No result depends on it.",
    )
    @functools.wraps(command)
    def wrapped(*args: Any, workers: int | None, **options: Any) -> Any:
        return command(*args, crew=Crew(workers or processors()), **options)

    return wrapped
