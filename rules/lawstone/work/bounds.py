"""Bounds of time and memory for one question.

Work that runs under bounds calls `check` wherever it comes round, and `interrupting` around a call that may take long by itself. A
watching thread notices that a bound is reached; then the next `check` raises `Spent`, and whoever asked the question says `unknown`
with that reason. In a worker process that does not come round in time, the watcher ends the process.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

STEP = 0.05
"""Seconds between two looks at the clock and the memory."""
GRACE_SECONDS, GRACE_MEMORY = 2.0, 1.15
"""What a process may use beyond its bounds before it is ended: CPU-seconds on top, memory as a factor."""
OUT_OF_TIME, OUT_OF_MEMORY = 75, 76
"""Exit codes of a process that was ended for it."""


class Spent(Exception):
    """A bound is reached; the message says which."""


@dataclass(frozen=True)
class Limits:
    """What one question may use: CPU-seconds, and the memory of the whole process in MiB; None is no bound."""

    seconds: float | None = None
    mebibytes: int | None = None

    def __str__(self) -> str:
        told = [f"{self.seconds:g} CPU-seconds" if self.seconds is not None else ""]
        told += [f"{self.mebibytes:,} MiB" if self.mebibytes is not None else ""]
        return " and ".join(filter(None, told)) or "no bound"

    def reached(self, seconds: float, mebibytes: float | None) -> str:
        """Which bound is reached, in words; the empty string if none is."""
        if self.seconds is not None and seconds >= self.seconds:
            return f"the bound of {self.seconds:g} CPU-seconds was reached"
        if self.mebibytes is not None and mebibytes is not None and mebibytes >= self.mebibytes:
            return f"the bound of {self.mebibytes:,} MiB was reached"
        return ""


class _Watch(threading.Thread):
    """Looks at what one thread has used since the watch began."""

    def __init__(self, limits: Limits, hard: bool) -> None:
        super().__init__(name="lawstone bounds", daemon=True)
        self.limits, self.hard = limits, hard
        self.reason = ""
        self.stop: Callable[[], None] | None = None
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.clock = _clock_of_this_thread()
        self.began = self.clock()

    @property
    def seconds(self) -> float:
        """CPU-seconds since the watch began."""
        return self.clock() - self.began

    def run(self) -> None:
        """Look until the work is over."""
        while not self.over.wait(STEP):
            seconds, memory = self.seconds, memory_used() if self.limits.mebibytes is not None else None
            reason = self.limits.reached(seconds, memory)
            if reason:
                with self.lock:
                    self.reason = reason
                    if self.stop is not None:
                        self.stop()
                if self.hard:
                    self._end(seconds, memory)

    def _end(self, seconds: float, memory: float | None) -> None:
        most = self.limits
        if most.seconds is not None and seconds > most.seconds + GRACE_SECONDS:
            os._exit(OUT_OF_TIME)
        if most.mebibytes is not None and memory is not None and memory > most.mebibytes * GRACE_MEMORY:
            os._exit(OUT_OF_MEMORY)


_here = threading.local()


def check() -> None:
    """Raise Spent if a bound of the question at hand is reached; cheap enough for inner loops."""
    watch: _Watch | None = getattr(_here, "watch", None)
    if watch is not None and watch.reason:
        raise Spent(watch.reason)


def left() -> float | None:
    """CPU-seconds left for the question at hand; None where there is no bound."""
    watch: _Watch | None = getattr(_here, "watch", None)
    if watch is None or watch.limits.seconds is None:
        return None
    return max(0.0, watch.limits.seconds - watch.seconds)


@contextlib.contextmanager
def within(limits: Limits, hard: bool = False) -> Iterator[None]:
    """Work under bounds; with `hard`, a process that stays beyond them is ended."""
    if limits.seconds is None and limits.mebibytes is None:
        yield
        return
    before, watch = getattr(_here, "watch", None), _Watch(limits, hard)
    _here.watch = watch
    watch.start()
    try:
        yield
    finally:
        watch.over.set()
        _here.watch = before


@contextlib.contextmanager
def interrupting(stop: Callable[[], None]) -> Iterator[None]:
    """Around a call that may take long by itself: `stop` is called, from another thread, when a bound is reached meanwhile."""
    watch: _Watch | None = getattr(_here, "watch", None)
    if watch is None:
        yield
        return
    with watch.lock:
        if watch.reason:
            raise Spent(watch.reason)
        watch.stop = stop
    try:
        yield
    finally:
        with watch.lock:
            watch.stop = None


def _clock_of_this_thread() -> Callable[[], float]:
    """The CPU-seconds of the thread that asks, readable from another one; of the whole process where there is no such clock."""
    if sys.platform != "win32" and hasattr(time, "pthread_getcpuclockid"):
        clock = time.pthread_getcpuclockid(threading.get_ident())
        return lambda: time.clock_gettime(clock)
    return time.process_time


def cpu_seconds() -> float:
    """CPU-seconds of this process and of the worker processes that have ended (where the system counts those)."""
    told = os.times()
    return time.process_time() + told.children_user + told.children_system


def memory_used() -> float | None:
    """The memory that this process has in use, in MiB; None where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, AttributeError, IndexError):
        pass
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 2**10
