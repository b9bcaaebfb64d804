"""Pieces as SVG: stones, pawns with a symbol, pen marks, totems, and pieces that are nobody's.

Each piece is drawn about the origin into a group. First and second player differ in brightness and in shape or
pattern, so that they can be told apart without colours: black stones gleam and white ones show the grain of a shell;
first pawns are square and second ones round.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from lawstone.drawing.ink import Ink, clean, short
from lawstone.drawing.look import PieceLook

FONT = "ui-sans-serif,system-ui,Helvetica,Arial,sans-serif"


def are_pen_marks(pieces: Mapping[str, PieceLook]) -> bool:
    """Whether the symbols alone say whose a piece is, as in noughts and crosses: then they are marks of a pen."""
    symbols = {piece.owner: (piece.symbol or "").lower() for piece in pieces.values()}
    return len(pieces) == 2 and symbols in ({0: "x", 1: "o"}, {0: "o", 1: "x"})


def draw(ink: Ink, group: Element, piece: PieceLook, r: float, pen: bool, grain: bool = True) -> None:
    """One piece with the radius r; `pen`: as the mark of a pen; `grain`: there is room for the grain of a shell."""
    if pen and piece.symbol:
        symbol(ink, group, piece.symbol, r * 0.8, "pen-second" if piece.owner else "pen-first", r * 0.26)
    elif piece.owner is None:
        (_totem if piece.symbol else _block)(ink, group, piece, r)
    elif piece.symbol:
        _pawn(ink, group, piece, r)
    elif piece.owner:
        _white_stone(ink, group, r, grain)
    else:
        _black_stone(ink, group, r)


def symbol(ink: Ink, group: Element, sign: str, r: float, paint: str, width: float) -> None:
    """A symbol about the origin in the ink of that name: a cross, a ring, or letters."""
    if sign in ("x", "X"):
        d = short(r * 0.86)
        path = f"M-{d}-{d}L{d} {d}M-{d} {d}L{d}-{d}"
        ink.add(group, "path", paint, d=path, fill="none", stroke_width=width, stroke_linecap="round")
    elif sign in ("o", "O"):
        ink.add(group, "circle", paint, r=r, fill="none", stroke_width=width)
    else:
        letters(ink, group, sign, r * 2, paint.replace("-ink", "-letter"))


def letters(ink: Ink, group: Element, words: str, size: float, paint: str, x: float = 0, y: float = 0) -> None:
    """Words about a point, smaller the longer they are."""
    size /= max(1.0, 0.62 * len(words))
    font = {"font_family": FONT, "font_weight": "600", "text_anchor": "middle"}
    made = ink.add(group, "text", paint, x=x, y=y + size * 0.36, font_size=size, **font)
    made.text = clean(words)


def _shadow(ink: Ink, group: Element, r: float) -> None:
    ink.add(group, "ellipse", "shadow", cx=r * 0.05, cy=r * 0.13, rx=r * 1.02, ry=r * 1.01)


def _black_stone(ink: Ink, group: Element, r: float) -> None:
    _shadow(ink, group, r)
    ink.add(group, "circle", "black-rim", r=r, fill=ink.gradient("black", "radial"), stroke_width=r * 0.04)
    near, far, bend = short(-r * 0.22), short(-r * 0.66), short(r * 0.7)
    gleam = f"M{far} {near}A{bend} {bend} 0 0 1 {near} {far}"
    ink.add(group, "path", "gleam", d=gleam, fill="none", stroke_width=r * 0.08, stroke_linecap="round")


def _white_stone(ink: Ink, group: Element, r: float, grain: bool) -> None:
    _shadow(ink, group, r)
    ink.add(group, "circle", "white-rim", r=r, fill=ink.gradient("white", "radial"), stroke_width=r * 0.055)
    if not grain:
        return
    path = ""
    for k, half in ((-0.42, 0.66), (-0.08, 0.8), (0.26, 0.8), (0.58, 0.6)):
        x, y = r * (k * 0.8), r * half
        path += f"M{short(x)} {short(-y)}Q{short(x + r * 0.34)} 0 {short(x)} {short(y)}"
    ink.add(group, "path", "grain", d=path, fill="none", stroke_width=r * 0.035, transform="rotate(-24)")


def _pawn(ink: Ink, group: Element, piece: PieceLook, r: float) -> None:
    if piece.owner:
        _shadow(ink, group, r)
        ink.add(group, "circle", "black-rim", r=r, fill=ink.gradient("black", "radial"), stroke_width=r * 0.05)
        symbol(ink, group, piece.symbol or "", r * 0.5, "black-ink", r * 0.2)
    else:
        d = r * 0.94
        square = {"x": -d, "width": 2 * d, "height": 2 * d, "rx": r * 0.3}
        ink.add(group, "rect", "shadow", y=-d + r * 0.13, **square)
        fill = ink.gradient("pink", "linear")
        ink.add(group, "rect", "pink-rim", y=-d, **square, fill=fill, stroke_width=r * 0.06)
        symbol(ink, group, piece.symbol or "", r * 0.5, "pink-ink", r * 0.2)


def _totem(ink: Ink, group: Element, piece: PieceLook, r: float) -> None:
    """A dark upright block, seen a little from above, with its symbol on the front."""
    half, top, foot, rise = r * 0.74, r * -0.72, r * 0.7, r * 0.3
    ink.add(group, "ellipse", "shadow", cx=r * 0.08, cy=foot + rise * 0.8, rx=half * 1.2, ry=rise * 1.1)
    body = f"M{short(-half)} {short(top)}V{short(foot)}A{short(half)} {short(rise)} 0 0 0 {short(half)} {short(foot)}V{short(top)}z"
    ink.add(group, "path", "totem-rim", d=body, fill=ink.gradient("totem", "linear"), stroke_width=r * 0.05)
    ink.add(group, "ellipse", "totem-top", "totem-rim", cy=top, rx=half, ry=rise, stroke_width=r * 0.05)
    inner = ink.add(group, "g", transform=f"translate(0 {short(r * 0.24)})")
    symbol(ink, inner, piece.symbol or "", r * 0.38, "totem-ink", r * 0.17)


def _block(ink: Ink, group: Element, piece: PieceLook, r: float) -> None:
    """A piece of nobody's without a symbol: a grey lozenge."""
    lozenge = f"M0 {short(-r)}L{short(r)} 0L0 {short(r)}L{short(-r)} 0z"
    ink.add(group, "path", "shadow", d=lozenge, transform=f"translate({short(r * 0.04)} {short(r * 0.12)})")
    paint = {"fill": ink.gradient("grey", "linear"), "stroke_linejoin": "round"}
    ink.add(group, "path", "grey-rim", d=lozenge, stroke_width=r * 0.06, **paint)
