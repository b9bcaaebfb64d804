"""Talking to a program: a line of JSON out, a line of JSON back, with everything survived that a program may do wrong.

The program is started once and asked one vector after another. What it may do: answer late, die, print what is no JSON, print
without end, not read, not start. Each of these is told as what became of the vector that was asked, and the program is started
again.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Literal

from lawstone.cases.vector import Suite, Vector

LONGEST_LINE = 1_000_000
"""Bytes of one answer."""
MOST_LINES = 1_000
"""Lines that are no answer and are passed over while one is awaited."""
MOST_STARTS = 25
"""Times that a program is started; after that the rest of the vectors are not asked."""
KEPT_ERRORS = 2_000
"""Characters kept of what a program writes on standard error."""

Trouble = Literal["time-out", "crash", "garbage", "endless output", "cannot start", "gave up"]


@dataclass(frozen=True)
class Reply:
    """What came back: a JSON object, or what went wrong, in words."""

    answer: dict[str, Any] | None = None
    trouble: Trouble | None = None
    told: str = ""


@dataclass(frozen=True)
class Patience:
    """Seconds to wait: for the first answer after a start, and for each other one."""

    start: float = 20.0
    answer: float = 5.0


def request(suite: Suite, vector: Vector) -> dict[str, Any]:
    """What a program is sent for a vector; the answer is not in it."""
    position = vector.position.tree()
    asked = {"id": vector.id, "game": suite.game, "variant": vector.variant, "size": vector.size, "ask": vector.ask}
    return {**asked, "moves": list(vector.moves), "move": vector.move, "position": position}


@dataclass
class Program:
    """A program that is asked; use it in a `with` block, so that it is ended."""

    command: Sequence[str]
    patience: Patience = field(default_factory=Patience)

    def __post_init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
        self._errors = ""
        self.starts = 0
        self._fresh = True

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # -- asking -------------------------------------------------------------------------------------------------------------------

    def ask(self, message: dict[str, Any]) -> Reply:
        """The reply to one request."""
        if self._process is None:
            if self.starts >= MOST_STARTS:
                return Reply(trouble="gave up", told=f"it was started {self.starts} times and not again")
            told = self._start()
            if told:
                return Reply(trouble="cannot start", told=told)
        process = self._process
        assert process is not None
        assert process.stdin is not None
        seconds = self.patience.start if self._fresh else self.patience.answer
        try:
            process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            return self._fallen()
        return self._await(str(message.get("id", "")), time.monotonic() + seconds, seconds)

    def _await(self, wanted: str, deadline: float, seconds: float) -> Reply:
        passed_over, sample = 0, ""
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                self.stop()
                if passed_over:
                    return Reply(trouble="garbage", told=f"no answer within {seconds:g} s, only lines such as {sample!r}")
                return Reply(trouble="time-out", told=f"no answer within {seconds:g} s")
            if line is None:
                return self._fallen()
            if len(line) > LONGEST_LINE:
                self.stop()
                return Reply(trouble="endless output", told=f"a line of more than {LONGEST_LINE:,} bytes")
            found, told = parsed(line)
            if found is not None and str(found.get("id", wanted)) == wanted:
                self._fresh = False
                return Reply(found)
            if not line.strip():
                continue
            sample = sample or (told or line.decode("utf-8", "replace"))[:80].rstrip()
            passed_over += 1
            if passed_over >= MOST_LINES:
                self.stop()
                return Reply(trouble="endless output", told=f"{passed_over} lines without an answer, such as {sample!r}")

    def _fallen(self) -> Reply:
        process = self._process
        code = None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(1.0)
        never = self._fresh
        self._listening.join(1.0)
        self.stop()
        how = "it ended" if code is None else f"it ended with exit code {code}" if code >= 0 else f"it was ended by signal {-code}"
        last = self._errors.strip().splitlines()[-1:] or [""]
        told = f"{how}{' before its first answer' if never else ''}{': ' + last[0][:200] if last[0] else ''}"
        return Reply(trouble="crash", told=told)

    # -- starting and stopping ----------------------------------------------------------------------------------------------------

    def _start(self) -> str:
        self.starts += 1
        self._fresh, self._errors = True, ""
        self._lines = queue.Queue(MOST_LINES)
        try:
            self._process = subprocess.Popen(
                list(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",
            )  # fmt: skip
        except (OSError, ValueError) as error:
            return f"{self.command[0]}: {getattr(error, 'strerror', None) or error}"
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        stopped = threading.Event()
        self._stopped = stopped
        threading.Thread(target=_read_lines, args=(self._process.stdout, self._lines, stopped), daemon=True).start()
        self._listening = threading.Thread(target=self._read_errors, args=(self._process.stderr,), daemon=True)
        self._listening.start()
        return ""

    def _read_errors(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while part := os.read(stream.fileno(), 65_536):
                self._errors = (self._errors + part.decode("utf-8", "replace"))[-KEPT_ERRORS:]

    def stop(self) -> None:
        """End the program, with what it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        self._stopped.set()
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5.0)


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes | None], stopped: threading.Event) -> None:
    """Put each line into the queue, and None at the end; what comes faster than it is read waits in the pipe."""
    kept = b""
    with contextlib.suppress(OSError, ValueError):
        while part := os.read(stream.fileno(), 65_536):
            kept += part
            *whole, kept = kept.split(b"\n")
            if len(kept) > LONGEST_LINE:
                whole, kept = [*whole, kept], b""
            for line in whole:
                if not _put(lines, line, stopped):
                    return
    _put(lines, None, stopped)


def _put(lines: queue.Queue[bytes | None], line: bytes | None, stopped: threading.Event) -> bool:
    while not stopped.is_set():
        try:
            lines.put(line, timeout=0.2)
            return True
        except queue.Full:
            continue
    return False


def parsed(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """The JSON object on a line; None where it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None, line.decode("utf-8", "replace")
    return (found, "") if isinstance(found, dict) else (None, line.decode("utf-8", "replace"))


def answers_in(text: str) -> dict[str, dict[str, Any]]:
    """A file of answers, a JSON object a line, by the id of the vector; lines that are none are passed over."""
    found = {}
    for line in text.splitlines():
        answer, _ = parsed(line.encode())
        if answer is not None and isinstance(answer.get("id"), str):
            found[answer["id"]] = answer
    return found
