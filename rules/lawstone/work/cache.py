"""Results kept between runs, each in a file of its own under a digest of all that it depends on.

A result is asked for by the digest, so after an edit what it does not touch is found and what it does is missed. An entry begins
with a digest of its own text; one that is damaged is ignored, taken away and spoken of. What it shows is replayed by whoever asks.
Nothing is kept unless a cache is in use (`using`), as the command line has it; the library has none.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from lawstone.version import __version__

T = TypeVar("T")

FORM = 1
"""Raised whenever an entry of the same key would mean something else."""
OFF = "off"
"""The value of LAWSTONE_CACHE that keeps nothing."""


class Missing(Exception):
    """Only kept results were asked for, and there is none."""


def _say(text: str) -> None:
    print(text, file=sys.stderr)


@dataclass
class Cache:
    """A folder of results. With `only`, nothing is worked out anew; with a `journal`, results are noted there and not stored."""

    folder: Path
    part: str = "results"
    only: bool = False
    journal: dict[str, Any] | None = None
    complain: Callable[[str], None] = field(default=_say, repr=False)

    def file(self, key: str) -> Path:
        """Where an entry lies."""
        return self.folder / self.part / key[:2] / f"{key}.json"

    def get(self, key: str) -> Any:
        """An entry; raises KeyError where there is none that can be used."""
        if self.journal is not None:
            return self.journal[key]
        file = self.file(key)
        try:
            head, _, body = file.read_text(encoding="utf-8").partition("\n")
            if head != _seal(key, body):
                raise ValueError("its digest is another one")
            return json.loads(body)
        except FileNotFoundError:
            raise KeyError(key) from None
        except (OSError, ValueError) as error:
            self.drop(key, str(error))
            raise KeyError(key) from None

    def drop(self, key: str, why: str) -> None:
        """Take away an entry that cannot be used, and say so."""
        if self.journal is None:
            with contextlib.suppress(OSError):
                self.file(key).unlink()
        self.complain(f"a kept result cannot be used and is worked out again: {self.file(key)}: {why}")

    def put(self, key: str, value: Any) -> None:
        """Store an entry; without room or rights nothing is kept."""
        if self.journal is not None:
            self.journal[key] = value
            return
        body, file = json.dumps(value, ensure_ascii=False, sort_keys=True), self.file(key)
        part = file.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(f"{_seal(key, body)}\n{body}", encoding="utf-8")
            part.replace(file)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()


def _seal(key: str, body: str) -> str:
    return hashlib.sha256(f"{key}\n{body}".encode()).hexdigest()


_here = threading.local()


@contextlib.contextmanager
def using(cache: Cache | None) -> Iterator[None]:
    """Keep results in a cache, in this thread; None keeps nothing."""
    before = getattr(_here, "cache", None)
    _here.cache = cache
    try:
        yield
    finally:
        _here.cache = before


def kept(
    what: str, depends: Callable[[], Sequence[object]], compute: Callable[[], T], pack: Callable[[T], Any],
    unpack: Callable[[Any], T],
) -> tuple[T, bool]:  # fmt: skip
    """A result, and whether it was kept from an earlier run.

    `depends` gives all that it depends on, as plain data with one `repr`; the versions of the toolkit and the solver come on top.
    `unpack` raises ValueError, KeyError or TypeError where an entry does not stand, such as a game that cannot be replayed.
    """
    cache: Cache | None = getattr(_here, "cache", None)
    if cache is None:
        return compute(), False
    key = hashlib.sha256(repr((FORM, what, versions(), *depends())).encode()).hexdigest()
    with contextlib.suppress(KeyError):
        entry = cache.get(key)
        try:
            return unpack(entry), True
        except (ValueError, KeyError, TypeError, AssertionError) as error:
            cache.drop(key, str(error))
    if cache.only:
        raise Missing(what)
    found = compute()
    cache.put(key, pack(found))
    return found, False


@functools.cache
def versions() -> tuple[str, ...]:
    """What a result depends on besides its question: this toolkit to the last line of its code, and the libraries that it asks."""
    root = Path(__file__).resolve().parents[1]
    told = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        if file.relative_to(root).parts[0] not in ("cli", "publish", "cases"):
            told.update(file.relative_to(root).as_posix().encode())
            told.update(file.read_bytes())
    return (__version__, told.hexdigest(), *(_version(name) for name in ("python-sat", "llvmlite", "z3-solver")))


def _version(name: str) -> str:
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {name}"


def switched_off() -> bool:
    """Whether LAWSTONE_CACHE says that nothing is to be kept."""
    return os.environ.get("LAWSTONE_CACHE") == OFF


def cache_folder() -> Path:
    """Where results, facts and compiled code are kept between runs: LAWSTONE_CACHE, or the user's cache folder of this system."""
    given = os.environ.get("LAWSTONE_CACHE")
    if given and given != OFF:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "lawstone" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "lawstone"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lawstone"


def entries(folder: Path) -> tuple[int, int]:
    """How many results are kept in a folder, and how many bytes they take."""
    sizes = [f.stat().st_size for f in (folder / "results").rglob("*.json")]
    return len(sizes), sum(sizes)


def clear(folder: Path) -> int:
    """Take away all kept results, facts and machine code, and nothing else; how many files these were."""
    gone = 0
    for name in ("results", "facts", "code", "tried"):
        for file in sorted((folder / name).rglob("*"), reverse=True):
            with contextlib.suppress(OSError):
                if file.is_dir():
                    file.rmdir()
                else:
                    file.unlink()
                    gone += 1
    return gone
