"""The site on this computer for an editor: built anew when a file changes, and the open page follows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlunsplit

_SECONDS = 0.5


class _Handler(SimpleHTTPRequestHandler):
    """Files of the site, and under `/.changes` the number of the build."""

    def __init__(self, *args: Any, build: Callable[[], int], **kwargs: Any) -> None:
        self.build_number = build
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        if self.path.split("?")[0] != "/.changes":
            super().do_GET()
            return
        content = str(self.build_number()).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
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

    def __init__(self, folder: Path, rebuild: Callable[[], object], watched: Callable[[], Iterable[Path]], port: int = 0) -> None:
        self.number = 1
        self.rebuild, self.watched = rebuild, watched
        handler = partial(_Handler, directory=str(folder), build=lambda: self.number)
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
        """Serve until `stop` or Ctrl-C; a build that fails is told and waited out."""
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        before = self._seen()
        try:
            while not self._over.wait(_SECONDS):
                now = self._seen()
                if now != before:
                    time.sleep(0.1)
                    before = self._seen()
                    self.rebuild()
                    self.number += 1
        except KeyboardInterrupt:
            pass
        finally:
            self.http.shutdown()
            self.http.server_close()

    def stop(self) -> None:
        """End `run`."""
        self._over.set()
