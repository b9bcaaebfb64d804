"""Boards as text and as SVG: what to show (`Look`), how it is drawn (`text`, `svg`) and read back (`parse`)."""

from lawstone.drawing.ink import Theme, stylesheet, variables
from lawstone.drawing.look import EMPTY, MARKS, TOKEN, WORDS, Look, Mark, PieceLook
from lawstone.drawing.svg import svg
from lawstone.drawing.text import BadDrawing, DrawingFault, parse, text

__all__ = [
    "EMPTY",
    "MARKS",
    "TOKEN",
    "WORDS",
    "BadDrawing",
    "DrawingFault",
    "Look",
    "Mark",
    "PieceLook",
    "Theme",
    "parse",
    "stylesheet",
    "svg",
    "text",
    "variables",
]
