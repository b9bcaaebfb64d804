"""A crew answers independent questions side by side, whatever `concurrent.futures.Executor` does the work.

A question is a function of a module and one picklable argument: data such as the path of a game and the name of a reading, never
lowered terms, so that it can be asked in a fresh process or on another machine. Answers are listed in the order of the questions,
and none depends on how many workers there are.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import pickle
import queue
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from lawstone.work import bounds
from lawstone.work.bounds import OUT_OF_MEMORY, OUT_OF_TIME, Limits, Spent
from lawstone.work.cache import Cache, Missing, using
from lawstone.work.cluster import Cluster

Q = TypeVar("Q")
A = TypeVar("A")

ROOMY = 512
"""MiB in use after which a worker process is replaced by a fresh one; sooner where the bound of memory is lower."""
RECALL = 20.0
"""CPU-seconds after which an answer is not put together from kept results any more but asked for anew."""
GLANCE = 0.5
"""Seconds after which the main process looks up from waiting, so that Ctrl-C is heard on every system."""


class Died(RuntimeError):
    """A worker process ended before it had answered; the message says how."""


class Failed(RuntimeError):
    """A question raised something that cannot be carried to another process; the message tells it."""


@dataclass(frozen=True)
class Crew:
    """Who does the work: so many processes of this machine (0: this process itself), or a cluster; each question under bounds."""

    workers: int = 0
    limits: Limits = field(default_factory=Limits)
    cache: Cache | None = None
    cluster: str = ""
    """The address of a scheduler; then its workers do the work, and `workers` does not count."""
    recalled: list[int] = field(default_factory=list, compare=False)
    """The numbers of the questions of the last call of `each` whose answers were kept from an earlier run."""

    def each(
        self, ask: Callable[[Q], A], questions: Sequence[Q], lost: Callable[[Q, str], A],
        done: Callable[[int, A], None] = lambda i, answer: None,
    ) -> list[A]:  # fmt: skip
        """The answers in the order of the questions; `done` is told each one as soon as it is there.

        `lost` makes the answer where a bound was reached or a worker ended, from the reason in words. KeyboardInterrupt passes
        through after all workers have been stopped; what `done` was told stays told.
        """
        found: dict[int, A] = {}

        def keep(i: int, answer: A) -> None:
            found[i] = answer
            done(i, answer)

        self.recalled.clear()
        left = list(enumerate(questions))
        if self.cache is not None and (self.workers > 0 or self.cluster):
            left = [(i, question) for i, question in left if not self._recalled(i, ask, question, keep)]
        task = functools.partial(answered, ask, lost, self.limits)
        if self.cluster and left:
            self._side_by_side(Cluster(self.cluster), task, left, lost, functools.partial(self._stored, keep))
        elif self.workers <= 0:
            for i, question in left:
                with using(self.cache):
                    keep(i, task(question))
        elif left:
            least = min(ROOMY, (self.limits.mebibytes or 2 * ROOMY) // 2)
            crew = Processes(min(self.workers, len(left)), least)
            self._side_by_side(crew, functools.partial(task, cache=self.cache, hard=True), left, lost, keep)
        return [found[i] for i in range(len(questions))]

    def _stored(self, keep: Callable[[int, A], None], i: int, told: tuple[A, dict[str, Any]]) -> None:
        """Take an answer from a cluster, and keep what its worker would have kept."""
        for key, value in told[1].items() if self.cache is not None else ():
            self.cache.put(key, value)  # type: ignore[union-attr]
        keep(i, told[0])

    def _recalled(self, i: int, ask: Callable[[Q], A], question: Q, keep: Callable[[int, A], None]) -> bool:
        """Answer from what is kept, if that suffices; a worker is not needed then."""
        assert self.cache is not None
        try:
            with using(replace(self.cache, only=True)), bounds.within(Limits(RECALL)):
                answer = ask(question)
        except (Missing, Spent):
            return False
        self.recalled.append(i)
        keep(i, answer)
        return True

    def _side_by_side(
        self, crew: Processes | Cluster, task: Callable[..., Any], questions: list[tuple[int, Q]], lost: Callable[[Q, str], A],
        keep: Callable[[int, Any], None],
    ) -> None:  # fmt: skip
        try:
            asked = {crew.submit(task, question): (i, question) for i, question in questions}
            while asked:
                over = wait(asked, GLANCE, FIRST_COMPLETED).done
                for future in sorted(over, key=lambda f: asked[f][0]):
                    i, question = asked.pop(future)
                    try:
                        answer = future.result()
                    except Exception as error:
                        if not _is_loss(error):
                            raise
                        answer = lost(question, str(error))
                        answer = (answer, {}) if isinstance(crew, Cluster) else answer
                    keep(i, answer)
        finally:
            crew.stop()


def answered(
    ask: Callable[[Q], A], lost: Callable[[Q, str], A], limits: Limits, question: Q, cache: Cache | None = None, hard: bool = False
) -> A:
    """One answer, under bounds, with a cache if one is given; where a bound is reached, the answer that says so."""
    try:
        with using(cache) if cache is not None else contextlib.nullcontext(), bounds.within(limits, hard):
            return ask(question)
    except Spent as spent:
        return lost(question, str(spent))
    except MemoryError:
        return lost(question, "there was no more memory")


def _is_loss(error: Exception) -> bool:
    """Whether it is the worker that was lost, and not the question that went wrong."""
    return isinstance(error, Died) or type(error).__name__ == "KilledWorker"


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


# -- worker processes -------------------------------------------------------------------------------------------------------------


class Processes(Executor):
    """Worker processes, each started afresh and given one task at a time; one that dies takes only its own task with it.

    Unlike the pool of the standard library it outlives the death of a worker, and `stop` ends tasks that are under way.
    """

    def __init__(self, workers: int, roomy: int = ROOMY) -> None:
        self._roomy = roomy
        self._tasks: queue.SimpleQueue[tuple[Future[Any], bytes] | None] = queue.SimpleQueue()
        self._context = multiprocessing.get_context("spawn")
        self._running: dict[int, multiprocessing.process.BaseProcess] = {}
        self._lock = threading.Lock()
        self._stopped = False
        self._benches = [threading.Thread(target=self._serve, args=(n,), daemon=True) for n in range(workers)]
        for bench in self._benches:
            bench.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a call made by a worker; function and arguments must be picklable."""
        if self._stopped:
            raise RuntimeError("no work is taken on any more")
        future: Future[Any] = Future()
        self._tasks.put((future, pickle.dumps((fn, args, kwargs))))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take on no more work; finish what there is, unless it is to be cancelled."""
        self._stopped = True
        if cancel_futures:
            with contextlib.suppress(queue.Empty):
                while True:
                    waiting = self._tasks.get_nowait()
                    if waiting is not None:
                        waiting[0].cancel()
        for _ in self._benches:
            self._tasks.put(None)
        if wait:
            for bench in self._benches:
                bench.join()

    def stop(self) -> None:
        """End all workers at once, whatever they are at."""
        with self._lock:
            self._stopped = True
            for process in self._running.values():
                process.terminate()
        self.shutdown(cancel_futures=True)

    def _serve(self, number: int) -> None:
        """One bench: a thread that hands tasks to its process, and starts another one where that has ended."""
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is for the main process; workers inherit this
        process: multiprocessing.process.BaseProcess | None = None
        line: Connection | None = None
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if process is None or line is None:
                    process, line = self._start(number)
                line.send_bytes(call)
                well, value, leaves = pickle.loads(line.recv_bytes())
            except (EOFError, OSError):
                future.set_exception(Died(self._ended(number, process)))
                process = line = None
                continue
            if leaves:
                line.close()
                self._ended(number, process)
                process = line = None
            if well:
                future.set_result(value)
            else:
                future.set_exception(value)
        if line is not None:
            line.close()
        self._ended(number, process)

    def _start(self, number: int) -> tuple[multiprocessing.process.BaseProcess, Connection]:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, self._roomy), name=f"lawstone worker {number + 1}", daemon=True)
        with self._lock:
            if self._stopped:
                raise EOFError
            process.start()
            self._running[number] = process
        theirs.close()
        return process, ours

    def _ended(self, number: int, process: multiprocessing.process.BaseProcess | None) -> str:
        """Wait for the end of a process, and say how it came about."""
        if process is None:
            return "the worker was stopped"
        process.join()
        with self._lock:
            self._running.pop(number, None)
        reasons = {OUT_OF_TIME: "the bound of time was reached", OUT_OF_MEMORY: "the bound of memory was reached"}
        code = process.exitcode or 0
        told = reasons.get(code, f"its worker process was ended by signal {-code}" if code < 0 else f"its worker ended with {code}")
        process.close()
        return told


def _work(line: Connection, roomy: int) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGTERM"):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        try:
            fn, args, kwargs = pickle.loads(line.recv_bytes())
        except (EOFError, OSError):
            return
        try:
            reply = pickle.dumps((True, fn(*args, **kwargs), (bounds.memory_used() or 0) > roomy))
        except BaseException as error:
            reply = pickle.dumps((False, _portable(error), True))
        try:
            line.send_bytes(reply)
        except OSError:
            return


def _portable(error: BaseException) -> BaseException:
    """An exception that can be carried to another process."""
    try:
        if isinstance(pickle.loads(pickle.dumps(error)), type(error)):
            return error
    except Exception:
        pass
    return Failed(f"{type(error).__name__}: {error}")
