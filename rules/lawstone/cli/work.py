"""The options of commands that take long: how many workers there are, and what one question may use."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from lawstone.cli.main import UNDECIDED
from lawstone.spec import Usage
from lawstone.work.bounds import Limits, Spent, memory_used, within
from lawstone.work.cache import Cache, cache_folder, switched_off, using
from lawstone.work.cluster import Unreachable
from lawstone.work.crew import Crew, processors

SECONDS, MEBIBYTES = 600.0, 4096
"""What one question may use unless the command line says otherwise."""
LEAST_MEMORY = 256
"""MiB that a worker needs before it has done anything much."""


def works(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options on long work.

    It is called with `crew`, who does it, and, if it takes that, `seconds`: the bound of time for one question where one is given.
    """
    parameters = inspect.signature(command).parameters.values()
    takes_seconds = any(p.name == "seconds" or p.kind is p.VAR_KEYWORD for p in parameters)

    @click.option(
        "--workers",
        type=click.IntRange(1, 1024),
        metavar="N",
        help="Questions asked side by side, each in a process of its own; unsaid, one a processor. No result depends on it.",
    )
    @click.option(
        "--cluster",
        metavar="ADDRESS",
        default="",
        help="Have the workers of a Dask scheduler at this address do the work, such as HOST:8786 (extra: cluster).",
    )
    @click.option(
        "--time",
        "seconds",
        type=click.FloatRange(0.1),
        metavar="SECONDS",
        help=f"CPU-seconds that one question may take in all; {SECONDS:g} unless said.",
    )
    @click.option(
        "--memory",
        type=click.IntRange(LEAST_MEMORY),
        metavar="MIB",
        help=f"Memory that a worker may use; {MEBIBYTES} MiB unless said.",
    )
    @click.option(
        "--cache",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Where results are kept between runs; unsaid, LAWSTONE_CACHE or the user's cache folder (see `lawstone cache`).",
    )
    @click.option("--no-cache", is_flag=True, help="Ask everything anew and keep nothing; --record does so too.")
    @functools.wraps(command)
    def wrapped(
        *args: Any,
        workers: int | None,
        seconds: float | None,
        memory: int | None,
        folder: Path | None,
        no_cache: bool,
        cluster: str,
        **options: Any,
    ) -> Any:
        if memory is not None and memory_used() is None:
            raise Usage("this system does not tell how much memory a process uses, so --memory cannot be kept")
        limits = Limits(seconds or SECONDS, memory or MEBIBYTES)
        options |= {"seconds": seconds} if takes_seconds else {}
        anew = no_cache or bool(options.get("record") or options.get("keep")) or (folder is None and switched_off())
        cache = None if anew else Cache((folder or cache_folder()).resolve())
        try:
            return command(*args, crew=Crew(workers or processors(), limits, cache, cluster), **options)
        except Unreachable as error:
            raise Usage(str(error)) from None

    return wrapped


def bounded(cached: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command that works by itself, in this process, its bounds, and with `cached` what is kept between runs.

    What is reached where a bound is reached is the command's to tell, by catching `Spent`; one that does not is undecided.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--time", "seconds", type=click.FloatRange(0.1), metavar="SECONDS", help="CPU-seconds to take in all; unsaid, no bound."
        )
        @click.option("--memory", type=click.IntRange(LEAST_MEMORY), metavar="MIB", help="Memory to use at most; unsaid, no bound.")
        @functools.wraps(command)
        def wrapped(*args: Any, seconds: float | None, memory: int | None, **options: Any) -> Any:
            if memory is not None and memory_used() is None:
                raise Usage("this system does not tell how much memory a process uses, so --memory cannot be kept")
            folder, anew = options.pop("folder", None), options.pop("no_cache", True)
            cache = None if anew or (folder is None and switched_off()) else Cache((folder or cache_folder()).resolve())
            try:
                with using(cache), within(Limits(seconds, memory)):
                    return command(*args, **options)
            except Spent as spent:
                click.echo(f"undecided: {spent}; --time and --memory allow more", err=True)
                return UNDECIDED

        return _caches(wrapped) if cached else wrapped

    return decorated


def _caches(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.option("--no-cache", is_flag=True, help="Ask everything anew and keep nothing.")(command)
    return click.option(
        "--cache",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Where results are kept between runs; unsaid, LAWSTONE_CACHE or the user's cache folder (see `lawstone cache`).",
    )(command)


def bound_flags(seconds: float | None, crew: Crew) -> tuple[str, ...]:
    """The options that repeat the bounds of a run, as far as they are not the usual ones."""
    flags = ("--time", f"{seconds:g}") if seconds is not None else ()
    return (*flags, "--memory", str(crew.limits.mebibytes)) if crew.limits.mebibytes != MEBIBYTES else flags


def kept_words(crew: Crew) -> str:
    """How many answers were kept from earlier runs, to be added to a sentence; the empty string where none was."""
    return f"; {len(crew.recalled)} answers kept from an earlier run" if crew.recalled else ""
