"""The colours of a drawing: by theme, with the light ones as plain attributes and the others as a style sheet.

Every colour is a named ink. A drawing of a fixed theme carries plain attributes only, so that any reader of SVG shows
it. A drawing of the theme `auto` carries the light colours as attributes and one CSS variable an ink; these follow the
reader's setting and the medium, and a page may set them itself. Print has flat colours, without gradients.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element, SubElement

Theme = Literal["auto", "light", "dark", "print"]


class Colour(NamedTuple):
    """What an ink paints, and its value on light pages, on dark pages and on paper."""

    paints: str
    light: str
    dark: str
    print: str


INKS: Mapping[str, Colour] = {
    "wood-a": Colour("stop-color", "#f3dcb0", "#a5865a", "#fff"),
    "wood-b": Colour("stop-color", "#e7c68d", "#8c6e45", "#fff"),
    "wood-edge": Colour("stroke", "#c59f62", "#6b5231", "#888"),
    "line": Colour("stroke", "#5d4727", "#33240f", "#333"),
    "star": Colour("fill", "#4d3a1e", "#2b1e0c", "#222"),
    "cell": Colour("fill", "#f6efe0", "#6a645a", "#fff"),
    "cell-line": Colour("stroke", "#cdbd9d", "#4c473f", "#777"),
    "cell-edge": Colour("stroke", "#8d7a58", "#37332d", "#222"),
    "letter": Colour("fill", "#6f665a", "#aaa397", "#444"),
    "shadow": Colour("fill-opacity", ".26", ".4", "0"),
    "black-a": Colour("stop-color", "#6b6b70", "#67676d", "#000"),
    "black-b": Colour("stop-color", "#131316", "#0d0d10", "#000"),
    "black-rim": Colour("stroke", "#050507", "#000", "#000"),
    "gleam": Colour("stroke", "#8f8f97", "#83838b", "#fff"),
    "white-a": Colour("stop-color", "#fff", "#fdfcf8", "#fff"),
    "white-b": Colour("stop-color", "#ded8cb", "#cbc5b8", "#fff"),
    "white-rim": Colour("stroke", "#8f877a", "#5c564c", "#000"),
    "grain": Colour("stroke", "#cfc7b8", "#bbb3a4", "#999"),
    "pink-a": Colour("stop-color", "#ffb3cb", "#f9a5c1", "#fff"),
    "pink-b": Colour("stop-color", "#ee7fa6", "#dd6c96", "#fff"),
    "pink-rim": Colour("stroke", "#b04a72", "#7a2548", "#000"),
    "pink-ink": Colour("stroke", "#6a1236", "#5a0b2b", "#000"),
    "pink-letter": Colour("fill", "#6a1236", "#5a0b2b", "#000"),
    "black-ink": Colour("stroke", "#f4efe6", "#f4efe6", "#fff"),
    "black-letter": Colour("fill", "#f4efe6", "#f4efe6", "#fff"),
    "totem-a": Colour("stop-color", "#4f6db0", "#5877bd", "#333"),
    "totem-b": Colour("stop-color", "#22356a", "#1d2f61", "#333"),
    "totem-top": Colour("fill", "#6d8bcd", "#7f9bd9", "#777"),
    "totem-rim": Colour("stroke", "#15234a", "#0d1835", "#000"),
    "totem-ink": Colour("stroke", "#fff6dc", "#fff6dc", "#fff"),
    "totem-letter": Colour("fill", "#fff6dc", "#fff6dc", "#fff"),
    "grey-rim": Colour("stroke", "#4d545c", "#2c3137", "#333"),
    "grey-a": Colour("stop-color", "#b8bec6", "#b8bec6", "#bbb"),
    "grey-b": Colour("stop-color", "#7d858f", "#747c86", "#bbb"),
    "pen-first": Colour("stroke", "#2b5d9c", "#8fc0f5", "#000"),
    "pen-second": Colour("stroke", "#b4432b", "#f4a08a", "#000"),
    "last-light": Colour("fill", "#fff", "#fff", "#fff"),
    "last-dark": Colour("fill", "#17171a", "#17171a", "#000"),
    "last-ring": Colour("stroke", "#d9480f", "#ffa24d", "#000"),
    "legal": Colour("fill", "#2f8f5b", "#7fe0a8", "#555"),
    "legal-ring": Colour("stroke", "#2f8f5b", "#7fe0a8", "#555"),
    "a": Colour("fill", "#1f64b4", "#1f64b4", "#000"),
    "b": Colour("fill", "#d2691a", "#e07b24", "#fff"),
    "badge-rim": Colour("stroke", "#fff", "#fff", "#000"),
    "a-letter": Colour("fill", "#fff", "#fff", "#fff"),
    "b-letter": Colour("fill", "#fff", "#1a1208", "#000"),
    "blocked": Colour("stroke", "#a3392f", "#ffb3a6", "#444"),
    "captured": Colour("stroke", "#cc2b2b", "#ff6b5e", "#000"),
    "from": Colour("stroke", "#d9480f", "#ffa24d", "#333"),
    "here": Colour("stroke", "#d9480f", "#ffa24d", "#000"),
    "arrow": Colour("stroke", "#c23b10", "#ff9a4a", "#000"),
    "arrow-head": Colour("fill", "#c23b10", "#ff9a4a", "#000"),
    "halo-fill": Colour("fill", "#fff", "#1c1a17", "#fff"),
    "halo": Colour("stroke", "#fff", "#1c1a17", "#fff"),
}
"""Every ink, by name."""

_FALLS = {"linear": {"x1": "0", "y1": "0", "x2": ".3", "y2": "1"}, "radial": {"cx": ".36", "cy": ".3", "r": ".75"}}
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Ink:
    """Draws elements in the inks of one theme, and remembers which inks and gradients were used."""

    def __init__(self, prefix: str, theme: Theme) -> None:
        self.prefix = prefix
        self.theme: Theme = theme
        self.used: list[str] = []
        self.defs = Element("defs")

    def add(self, parent: Element, tag: str, *inks: str, **given: str | float) -> Element:
        """A new element in `parent`, painted in these inks; an underscore in an attribute's name is a hyphen."""
        found = {k.replace("_", "-"): v if isinstance(v, str) else short(v) for k, v in given.items()}
        for name in inks:
            found[INKS[name].paints] = str(getattr(INKS[name], "light" if self.theme == "auto" else self.theme))
            if self.theme == "auto" and name not in self.used:
                self.used.append(name)
        if inks and self.theme == "auto":
            found["class"] = " ".join(f"ls-{name}" for name in inks)
        return SubElement(parent, tag, found)

    def id(self, name: str) -> str:
        """An id of this drawing."""
        return f"{self.prefix}-{name}"

    def style(self) -> str:
        """The style sheet that the inks used need; empty for a fixed theme."""
        return _rules(self.used) if self.used else ""

    def gradient(self, name: str, kind: Literal["linear", "radial"]) -> str:
        """The fill that runs from the ink `name-a` at the top left to `name-b`; in print a flat colour."""
        if self.theme == "print":
            return INKS[f"{name}-b"].print
        if self.defs.find(f"*[@id='{self.id(name)}']") is None:
            made = SubElement(self.defs, f"{kind}Gradient", {"id": self.id(name), **_FALLS[kind]})
            self.add(made, "stop", f"{name}-a", offset="0")
            self.add(made, "stop", f"{name}-b", offset="1")
        return f"url(#{self.id(name)})"


def _rules(inks: Collection[str]) -> str:
    """The rules stand inside `@supports`: a reader of SVG that does not know variables keeps to the attributes."""
    base = "".join(f".ls-{name}{{{INKS[name].paints}:var(--ls-{name},{INKS[name].light})}}" for name in inks)
    dark = "".join(f"--ls-{name}:{INKS[name].dark};" for name in inks)
    paper = "".join(f"--ls-{name}:{INKS[name].print};" for name in inks)
    media = f"@media (prefers-color-scheme:dark){{.ls{{{dark}}}}}@media print{{.ls{{{paper}}}}}"
    return f"@supports (color:var(--ls)){{{base}}}{media}"


def stylesheet() -> str:
    """The style sheet of every drawing of the theme `auto`, for a page that holds many drawn with `style=False`."""
    return _rules(INKS)


def variables(theme: Literal["light", "dark", "print"]) -> str:
    """The CSS variables of a theme, for a page with a switch of its own: `[data-theme=dark] .ls { ... }`."""
    return "".join(f"--ls-{name}:{getattr(colour, theme)};" for name, colour in INKS.items())


def short(number: float) -> str:
    """A number with at most two decimals and no needless ones."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def clean(words: str) -> str:
    """The words without characters that XML does not allow."""
    return _ILLEGAL.sub("\ufffd", words)
