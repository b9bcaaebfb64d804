"""Questions answered by the workers of an existing Dask cluster (extra `lawstone[cluster]`), through the same seam as local ones.

A question goes out as data and comes back with what its worker would keep; a worker that is lost has its questions asked of another
one by the scheduler. The workers need this very version of the toolkit, and the files of a game of one's own under the same path.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib import import_module
from pathlib import Path
from typing import Any

from lawstone.work.cache import Cache, using, versions

PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
_one_at_a_time = threading.Lock()


class Unreachable(RuntimeError):
    """There is no cluster that could do the work; the message says why."""


class Cluster(Executor):
    """The workers behind a scheduler's address, as an executor."""

    def __init__(self, address: str) -> None:
        try:
            client: Any = import_module("distributed").Client
        except ImportError:
            raise Unreachable("a cluster needs the extra: pip install 'lawstone[cluster]'") from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            self._client = client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise Unreachable(f"no scheduler answers at {address}: {' '.join(str(error).split())}") from None
        try:
            found = self._client.run(versions)
        except Exception as error:
            self._client.close()
            raise Unreachable(f"the workers at {address} cannot do the work: {type(error).__name__}: {error}") from None
        other = [worker for worker, told in found.items() if told != versions()]
        if not found or other:
            self._client.close()
            what = f"another version of lawstone or of its solver runs at {', '.join(other)}" if other else "it has no workers"
            raise Unreachable(f"the cluster at {address} cannot do the work: {what}")
        self._executor = self._client.get_executor(pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a call made by a worker; gives its result and what the worker would keep."""
        made: Future[Any] = self._executor.submit(remote, versions(), fn, args, kwargs)
        return made

    def stop(self) -> None:
        """Take back what is not answered, and leave the cluster."""
        self._executor.shutdown(wait=False)
        self._client.close()


def remote(expected: tuple[str, ...], fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """One call on a worker, one at a time in a process; its result, and the entries for the cache of whoever asked."""
    if versions() != expected:
        raise Unreachable("another version of lawstone or of its solver runs on a worker")
    journal: dict[str, Any] = {}
    with _one_at_a_time, using(Cache(Path(), journal=journal)):
        return fn(*args, **kwargs), journal
