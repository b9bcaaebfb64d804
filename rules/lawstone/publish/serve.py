"""The site on this computer for an editor: built anew when a file changes, and the open page follows or says what is wrong.

Pages are sent with a short script that asks for the number of the build. After a good build the page loads itself anew; faults are
shown on it, each at its line, and where nothing could be built the last good pages stay.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlunsplit

from lawstone.model.faults import SHOWN_FAULTS, Fault

_SECONDS = 0.5
_EMPTY = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Lawstone</title></head><body></body></html>'
"""What is sent for a page that has not been built yet."""


@dataclass
class Built:
    """What an attempt to build came to: the faults found, and whether the pages are new."""

    faults: Sequence[Fault] = field(default_factory=list)
    good: bool = True


@dataclass
class Standing:
    """What an open page asks for: how many builds there were, the last good one of them, and what is wrong now."""

    tried: int = 0
    good: int = 0
    faults: Sequence[Fault] = field(default_factory=list)

    def note(self, built: Built) -> None:
        """Take in one more build."""
        self.tried += 1
        self.good = self.tried if built.good else self.good
        self.faults = built.faults

    def told(self) -> bytes:
        """As JSON."""
        faults = [{"where": f"{f.path}:{f.line}:{f.column}", "message": f.message, "code": f.code, "hint": f.hint,
                   "line": f.source_line, "column": f.column} for f in self.faults[:SHOWN_FAULTS]]  # fmt: skip
        more = max(0, len(self.faults) - SHOWN_FAULTS)
        return json.dumps({"tried": self.tried, "good": self.good, "faults": faults, "more": more}).encode()


def script() -> bytes:
    """What a page of the served site carries in addition."""
    return b"<script>" + files("lawstone.publish").joinpath("static/live.js").read_bytes() + b"</script></body>"


class _Handler(SimpleHTTPRequestHandler):
    """Files of the site, pages with the script that follows the build, and under `/.changes` how the build stands."""

    def __init__(self, *args: Any, standing: Standing, **kwargs: Any) -> None:
        self.standing = standing
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        path = self.path.split("?")[0].split("#")[0]
        if path == "/.changes":
            self._send(self.standing.told(), "application/json")
            return
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if file.is_dir() and path.endswith("/") else file
        if file.suffix == ".html" and (file.is_file() or not self.standing.good):
            page = file.read_bytes() if file.is_file() else _EMPTY.encode()
            self._send(page.replace(b"</body>", script(), 1), "text/html; charset=utf-8")
            return
        super().do_GET()

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal is for the faults of the pages."""


class Server:
    """Serves a folder on this computer only, and watches the files that it is built from."""

    def __init__(self, folder: Path, rebuild: Callable[[], Built], watched: Callable[[], Iterable[Path]], port: int = 0) -> None:
        self.standing = Standing()
        self.rebuild, self.watched = rebuild, watched
        handler = partial(_Handler, directory=str(folder), standing=self.standing)
        self.http = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.address = urlunsplit(("http", f"127.0.0.1:{self.http.server_address[1]}", "/", "", ""))
        self._over = threading.Event()

    def _seen(self) -> dict[Path, int]:
        found = {}
        for path in self.watched():
            try:
                found[path] = path.stat().st_mtime_ns
            except OSError:
                continue
        return found

    def run(self) -> None:
        """Build, then serve until `stop` or Ctrl-C, building anew when a file changes."""
        before = self._seen()
        self.standing.note(self.rebuild())
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        try:
            while not self._over.wait(_SECONDS):
                now = self._seen()
                if now != before:
                    time.sleep(0.1)
                    before = self._seen()
                    self.standing.note(self.rebuild())
        except KeyboardInterrupt:
            pass
        finally:
            self.http.shutdown()
            self.http.server_close()

    def stop(self) -> None:
        """End `run`."""
        self._over.set()
