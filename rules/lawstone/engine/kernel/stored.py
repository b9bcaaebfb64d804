"""What was tried of machine code, kept between runs."""

from __future__ import annotations

import hashlib
import platform

from lawstone.version import __version__
from lawstone.work.cache import cache_folder, switched_off


class Tried:
    """Whether a kernel has played as the everyday engine does: remembered by its text, the emitted Python, and the machine."""

    def __init__(self, *texts: str) -> None:
        told = hashlib.sha256(repr((texts, __version__, platform.machine(), platform.processor())).encode())
        self.file = cache_folder() / "tried" / told.hexdigest()

    def __bool__(self) -> bool:
        return not switched_off() and self.file.exists()

    def remember(self) -> None:
        """It has, with no difference."""
        if switched_off():
            return
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.touch()
        except OSError:
            pass  # without a cache it is tried again
