"""Boards as SVG: drawn as the game is really drawn, for light and dark pages and for print."""

from __future__ import annotations

import hashlib
import math
from xml.etree.ElementTree import Element, SubElement, tostring

from lawstone.board import Board
from lawstone.core import OPPOSITE_OF
from lawstone.drawing import pieces
from lawstone.drawing.ink import Ink, Theme, clean, short
from lawstone.drawing.look import Look, Mark, PieceLook, file_letter

UNIT = 40.0
"""The distance of two neighbouring sites, in units of the drawing."""

COORDINATE_PIXELS = 12
"""The height of the coordinates' letters that is aimed at whatever the size of the drawing, in pixels."""

_STARS = {9: (2, 6), 13: (3, 9), 15: (3, 11), 19: (3, 9, 15)}
_RINGS = {"last": "last-ring", "legal": "legal-ring", "from": "from", "to": "from"}
_BADGE_LETTERS = {
    "a": (("a", 0.95, 0.0, 0.28),),
    "b": (("b", 1.15, 0.0, 0.0),),
    "both": (("a", 0.8, -0.45, 0.0), ("b", 0.8, 0.43, 0.0)),
}
"""The letters of a badge, each with its size and place, in sizes of the badge."""

_ROW = math.sqrt(3) / 2


class _Layout:
    """Where everything stands: the origin is the top left corner, y grows downwards."""

    def __init__(self, board: Board, size: int) -> None:
        self.board = board
        hexagon = board.kind == "hexagon"
        self.lined = board.kind == "lines" or board.drawn_on == "points"
        self.radius = UNIT * (0.36 if board.kind == "lines" else 0.46 if self.lined else 0.375 if hexagon else 0.385)
        self.row = UNIT * _ROW if hexagon else UNIT
        self.rim = UNIT * (0.72 if self.lined else 0.5)
        """How far the board reaches beyond the middle of an outer site, along a row."""
        above = self.rim * _ROW if hexagon and self.lined else UNIT / math.sqrt(3) if hexagon else self.rim
        width = (board.width - 1) * UNIT + 2 * self.rim
        self.pixel = (width + UNIT) / size
        """How many units one pixel of the finished drawing is."""
        self.hair = max(0.9, 0.75 * self.pixel)
        """How wide a thin line is."""
        self.letter = min(max(COORDINATE_PIXELS * self.pixel, 0.2 * UNIT), 0.55 * UNIT)
        left, top = self.letter * 1.6 if hexagon else self.letter * 1.9, UNIT * 0.12
        self.box = (left, top, width, (board.height - 1) * self.row + 2 * above)
        self.first_row = top + above
        self.width = left + width + (self.letter * 0.8 if hexagon else UNIT * 0.12)
        self.height = top + self.box[3] + self.letter * 1.75

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The middle of a board place, which may lie off the board."""
        across = x - (y - self.board.height // 2) / 2 if self.board.kind == "hexagon" else x
        return self.box[0] + self.rim + across * UNIT, self.first_row + (self.board.height - 1 - y) * self.row

    def site(self, site: int) -> tuple[float, float]:
        return self.place(*self.board.places[site])


def svg(look: Look, *, size: int = 360, theme: Theme = "auto", prefix: str | None = None, style: bool = True) -> str:
    """The board as one SVG element, `size` pixels wide, complete in itself: no scripts, no fonts, nothing fetched.

    `auto` follows the reader's light or dark setting and turns to the print colours on paper; the other themes fix one.
    Ids begin with `prefix`, by default one derived from the drawing itself: give one where a drawing stands twice
    in a page. A page that holds `stylesheet()` draws with `style=False`.
    """
    if size <= 0:
        raise ValueError(f"a drawing is at least one pixel wide, not {size}")
    layout = _Layout(look.board, size)
    ink = Ink(prefix or _prefix(look, size, theme), theme)
    root = Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "class": "ls", "role": "img",
        "width": str(size), "height": short(size * layout.height / layout.width),
        "viewBox": f"0 0 {short(layout.width)} {short(layout.height)}",
        "aria-labelledby": f"{ink.id('title')} {ink.id('desc')}",
    })  # fmt: skip
    SubElement(root, "title", {"id": ink.id("title")}).text = clean(look.title or look.board.label)
    SubElement(root, "desc", {"id": ink.id("desc")}).text = clean(look.in_words())
    root.append(ink.defs)
    _ground(ink, root, layout)
    _coordinates(ink, root, layout)
    _pieces(ink, root, look, layout)
    for site, mark in sorted(look.marks.items()):
        _mark(ink, root, look, layout, site, mark)
    for start, end in look.arrows:
        _arrow(ink, root, look, layout, start, end)
    if style and ink.style():
        sheet = Element("style")
        sheet.text = ink.style()
        root.insert(2, sheet)
    return tostring(root, encoding="unicode")


def _prefix(look: Look, size: int, theme: Theme) -> str:
    """A prefix of ids that is the same for the same drawing, today and on other machines."""
    board = (look.board.kind, look.board.drawn_on, look.board.places, sorted(look.board.steps.items()))
    on_it = (sorted(look.cells.items()), sorted(look.marks.items()), sorted(repr(p) for p in look.pieces.values()))
    said = (board, on_it, look.arrows, look.title, look.description, size, theme)
    return "b" + hashlib.sha256(repr(said).encode("utf-8", "backslashreplace")).hexdigest()[:10]


def _ground(ink: Ink, root: Element, layout: _Layout) -> None:
    """The board without anything on it."""
    board = layout.board
    left, top, width, height = layout.box
    box = {"x": left, "y": top, "width": width, "height": height}
    if layout.lined:
        wood = {"fill": ink.gradient("wood", "linear"), "stroke_width": short(layout.hair), "stroke_linejoin": "round"}
        if board.kind == "hexagon":
            ink.add(root, "path", "wood-edge", d=_hexagon(layout), **wood)
        else:
            ink.add(root, "rect", "wood-edge", **box, **wood, rx=UNIT * 0.14)
        path = "".join(_line(layout, a, b) for a, b in _lines_of(board))
        wide = layout.hair * (1.6 if board.kind == "lines" else 1)
        ink.add(root, "path", "line", d=path, fill="none", stroke_width=wide, stroke_linecap="round")
        for site in range(board.size) if board.kind == "lines" else _stars(board):
            x, y = layout.site(site)
            ink.add(root, "circle", "star", cx=x, cy=y, r=UNIT * 0.105)
    elif board.kind == "hexagon":
        w, h = UNIT / 2, UNIT / math.sqrt(3)
        falls = f"{short(h / 2)}v{short(h)}l{short(-w)} {short(h / 2)}l{short(-w)} {short(-h / 2)}v{short(-h)}z"
        outline = f"l{short(w)} {falls}"
        starts = (layout.site(site) for site in range(board.size))
        path = "".join(f"M{short(x)} {short(y - h)}{outline}" for x, y in starts)
        ink.add(root, "path", "cell", "cell-edge", d=path, stroke_width=layout.hair * 1.4, stroke_linejoin="round")
    else:
        ink.add(root, "rect", "cell", **box, rx=UNIT * 0.06)
        inner = "".join(f"M{short(left + k * UNIT)} {short(top)}v{short(height)}" for k in range(1, board.width))
        inner += "".join(f"M{short(left)} {short(top + k * UNIT)}h{short(width)}" for k in range(1, board.height))
        if inner:
            ink.add(root, "path", "cell-line", d=inner, fill="none", stroke_width=layout.hair)
        ink.add(root, "rect", "cell-edge", **box, rx=UNIT * 0.06, fill="none", stroke_width=layout.hair * 1.8)


def _hexagon(layout: _Layout) -> str:
    """The outline of a hexagon of points, a rim outside the outer ones."""
    (x, y), n = layout.place(layout.board.width // 2, layout.board.height // 2), layout.board.width // 2
    reach = n * UNIT + layout.rim
    corners = ((x + reach * math.cos(k * math.pi / 3), y + reach * math.sin(k * math.pi / 3)) for k in range(6))
    return "M" + "L".join(f"{short(cx)} {short(cy)}" for cx, cy in corners) + "z"


def _lines_of(board: Board) -> list[tuple[int, int]]:
    """The straight lines drawn on a board, each by its two ends."""
    found = []
    for way in board.axes(board.directions("orthogonal" if board.kind == "grid" else "all")):
        back = board.steps[OPPOSITE_OF[way]]
        for site in range(board.size):
            if back[site] is None and (ray := board.ray(site, way)):
                found.append((site, ray[-1]))
    return found


def _line(layout: _Layout, a: int, b: int) -> str:
    (ax, ay), (bx, by) = layout.site(a), layout.site(b)
    return f"M{short(ax)} {short(ay)}L{short(bx)} {short(by)}"


def _stars(board: Board) -> list[int]:
    """The points that boards of these sizes are marked with."""
    if board.kind != "grid" or board.width != board.height or board.width not in _STARS:
        return []
    spots, middle = _STARS[board.width], board.width // 2
    return [s for s, (x, y) in enumerate(board.places) if (x in spots and y in spots) or x == y == middle]


def _coordinates(ink: Ink, root: Element, layout: _Layout) -> None:
    board, size = layout.board, layout.letter
    font = {"font_family": pieces.FONT, "text_anchor": "middle", "aria_hidden": "true"}
    group = ink.add(root, "g", "letter", font_size=size, **font)

    def write(words: str, x: float, y: float) -> None:
        SubElement(group, "text", {"x": short(x), "y": short(y + size * 0.36)}).text = words

    left, top, _, height = layout.box
    for y in sorted({y for _, y in board.places}):
        x, across = layout.place(min(fx for fx, fy in board.places if fy == y), y)
        write(str(y + 1), (x - layout.rim if board.kind == "hexagon" else left) - size * 0.95, across)
    for column in sorted({x for x, _ in board.places}):
        foot = min(fy for fx, fy in board.places if fx == column)
        x, down = layout.place(column, foot)
        if board.kind == "hexagon":
            reach = layout.rim + size * 0.98
            write(file_letter(column), x + reach / 2, down + reach * _ROW)
        else:
            write(file_letter(column), x, top + height + size * 0.95)


def _pieces(ink: Ink, root: Element, look: Look, layout: _Layout) -> None:
    pen = pieces.are_pen_marks(look.pieces)
    kinds = sorted(set(look.cells.values()))
    grain = layout.radius > 9 * layout.pixel
    for number, token in enumerate(kinds):
        group = SubElement(ink.defs, "g", {"id": ink.id(f"p{number}")})
        pieces.draw(ink, group, look.pieces[token], layout.radius, pen, grain)
    for site, token in sorted(look.cells.items(), key=lambda item: (-look.board.places[item[0]][1], item[0])):
        x, y = layout.site(site)
        used = {"href": f"#{ink.id(f'p{kinds.index(token)}')}", "x": short(x), "y": short(y)}
        if look.marks.get(site) == "captured":
            used["opacity"] = ".45"
        SubElement(root, "use", used)


def _mark(ink: Ink, root: Element, look: Look, layout: _Layout, site: int, mark: Mark) -> None:
    piece, r = look.piece(site), layout.radius
    x, y = layout.site(site)
    group = ink.add(root, "g", transform=f"translate({short(x)} {short(y)})")
    if mark == "last" and piece and piece.symbol is None and piece.owner is not None:
        ink.add(group, "circle", "last-dark" if piece.owner else "last-light", r=r * 0.27)
    elif mark in _RINGS and (piece or mark != "legal"):
        wide = r * (0.14 if mark in ("last", "legal") else 0.1)
        dashes = {"stroke_dasharray": f"{short(r * 0.3)} {short(r * 0.24)}"} if mark == "from" else {}
        _outline(ink, group, piece, r, _RINGS[mark], wide, pieces.are_pen_marks(look.pieces), **dashes)
    elif mark == "legal":
        ink.add(group, "circle", "legal", r=max(r * 0.24, 2.6 * layout.pixel))
    elif mark == "here":
        d, corner = UNIT * 0.46, UNIT * 0.29
        ways = [(sx, sy) for sx in (-1, 1) for sy in (-1, 1)]
        path = "".join(f"M{short(a * d)} {short(b * corner)}V{short(b * d)}H{short(a * corner)}" for a, b in ways)
        _stroke(ink, group, "here", path, UNIT * 0.065)
    elif mark == "captured":
        _stroke(ink, group, "captured", _cross(r * (0.62 if piece else 0.4)), r * 0.14, halo=True)
    else:
        if piece:
            beside = f"translate({short(x + r * 0.74)} {short(y - r * 0.74)}) scale(.66)"
            group.set("transform", beside)
        if mark == "blocked":
            if piece:
                ink.add(group, "circle", "halo-fill", r=r * 0.5)
            _stroke(ink, group, "blocked", _cross(r * 0.26), r * 0.13)
        else:
            _badge(ink, group, mark, r * 0.62, r * 0.5 > 6 * layout.pixel)


def _cross(d: float) -> str:
    arm = short(d)
    return f"M-{arm}-{arm}L{arm} {arm}M-{arm} {arm}L{arm}-{arm}"


def _outline(
    ink: Ink, group: Element, piece: PieceLook | None, r: float, paint: str, wide: float, pen: bool, **dashes: str
) -> None:
    """A ring about a piece that follows its shape, or about an empty site."""
    stroke = {"fill": "none", "stroke_width": short(wide), **dashes}
    if piece and piece.symbol and (pen or piece.owner != 1):
        w, h = (r * 0.98, r * 1.24) if piece.owner is None else (r * 1.2, r * 1.2)
        ink.add(group, "rect", paint, x=-w, y=-h, width=2 * w, height=2 * h, rx=r * 0.42, **stroke)
    else:
        ink.add(group, "circle", paint, r=r * (1.17 if piece else 0.62), **stroke)


def _badge(ink: Ink, group: Element, mark: Mark, d: float, lettered: bool) -> None:
    """A triangle for reading A, a square for reading B, a disc of both halves for both."""
    rim = {"stroke_width": short(d * 0.11), "stroke_linejoin": "round"}
    if mark == "a":
        path = f"M0 {short(-d * 1.15)}L{short(d * 1.1)} {short(d * 0.78)}H{short(-d * 1.1)}z"
        ink.add(group, "path", "a", "badge-rim", d=path, **rim)
    elif mark == "b":
        side = d * 1.64
        ink.add(group, "rect", "b", "badge-rim", x=-side / 2, y=-side / 2, width=side, height=side, rx=d * 0.12, **rim)
    else:
        for paint, sweep in (("a", 0), ("b", 1)):
            half = f"M0 {short(-d)}A{short(d)} {short(d)} 0 0 {sweep} 0 {short(d)}z"
            ink.add(group, "path", paint, "badge-rim", d=half, **rim)
    if lettered:
        for letter, size, x, y in _BADGE_LETTERS[mark]:
            pieces.letters(ink, group, letter.upper(), d * size, f"{letter}-letter", d * x, d * y)


def _stroke(ink: Ink, group: Element, paint: str, path: str, width: float, halo: bool = False) -> None:
    """A line; with a halo it is seen on any ground."""
    ends = {"d": path, "fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    if halo:
        ink.add(group, "path", "halo", **ends, stroke_width=width * 2.1, stroke_opacity=".85")
    ink.add(group, "path", paint, **ends, stroke_width=width)


def _arrow(ink: Ink, root: Element, look: Look, layout: _Layout, start: int, end: int) -> None:
    (ax, ay), (bx, by) = layout.site(start), layout.site(end)
    length = math.hypot(bx - ax, by - ay)
    if not length:
        return
    r = layout.radius
    ux, uy = (bx - ax) / length, (by - ay) / length
    skip_start = r * (0.9 if start in look.cells else 0.25)
    skip_end = r * (0.75 if end in look.cells else 0.12)
    ax, ay, bx, by = ax + ux * skip_start, ay + uy * skip_start, bx - ux * skip_end, by - uy * skip_end
    head, half = UNIT * 0.3, UNIT * 0.15
    nx, ny = bx - ux * head * 0.8, by - uy * head * 0.8
    group = ink.add(root, "g")
    _stroke(ink, group, "arrow", f"M{short(ax)} {short(ay)}L{short(nx)} {short(ny)}", UNIT * 0.09, halo=True)
    fx, fy = bx - ux * head, by - uy * head
    tip = (
        f"M{short(bx)} {short(by)}L{short(fx - uy * half)} {short(fy + ux * half)}L{short(nx)} {short(ny)}"
        f"L{short(fx + uy * half)} {short(fy - ux * half)}z"
    )
    ink.add(group, "path", "arrow-head", "halo", d=tip, stroke_width=UNIT * 0.03, stroke_linejoin="round")
