"""The text of a game's kernels: the emitted Python of the everyday engine, with sets laid out for words."""

from __future__ import annotations

from lawstone.engine.emit import Writer
from lawstone.engine.kernel.layout import Layout
from lawstone.lower import Rules


def kernel_text(rules: Rules, layout: Layout) -> str:
    """The emitted functions of a game on a layout: the same subset of Python, which still runs under `exec`."""
    return Writer(rules, layout.place).module()
