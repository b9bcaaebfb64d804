"""Shapes: where each can stand, which stand complete, and what they pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawstone.board import Board
from lawstone.constructs.scene import Copy, Meaningless, Scene, within
from lawstone.constructs.wrong import Context, Wrong, one_more_or_less, other_directions
from lawstone.core import NOWHERE, Term, and_, both, either, no, number, or_, plus, sites, some, when, without
from lawstone.model.game import BoardLineShape, LineShape, PictureShape, Shape
from lawstone.model.steps import Worth
from lawstone.model.vocabulary import Vocabulary


def copies(name: str, shape: Shape, words: Vocabulary) -> list[Copy]:
    """Every place on the board where the shape can stand, each once, in order of its sites."""
    board = words.board
    found: Iterable[tuple[frozenset[int], frozenset[int]]]
    match shape:
        case LineShape():
            avoided = frozenset[int]() if shape.avoids is None else words.fixed(shape.avoids)
            found = [
                (frozenset(line), frozenset[int]())
                for line in _lines(board, shape.line, board.directions(shape.directions))
                if not avoided & set(line) and _ends_fit(shape.ends, line[0], line[-1], board)
            ]
        case BoardLineShape():
            found = [(frozenset(line), frozenset[int]()) for line in _lines(board, shape.board_line, tuple(board.steps))]
        case PictureShape():
            found = _pictures(board, shape)
    unique = sorted(set(found), key=lambda f: (sorted(f[0]), sorted(f[1])))
    return [Copy(name, shape.rule, shape.worth, must, must_not) for must, must_not in unique]


def _lines(board: Board, length: int, directions: tuple[str, ...]) -> Iterable[list[int]]:
    for d in board.axes(directions):
        for s in range(board.size):
            line = [s, *board.ray(s, d)][:length]
            if len(line) == length:
                yield line


def _ends_fit(ends: str | None, a: int, b: int, board: Board) -> bool:
    """Opposite corners share no side; adjacent edges are two that meet, one for each end, so neither end alone is on both."""
    if ends == "opposite corners":
        return a in board.corners and b in board.corners and not board.sides_of(a) & board.sides_of(b)
    if ends == "adjacent edges":
        meet = {frozenset(p) for p in (("north", "east"), ("east", "south"), ("south", "west"), ("west", "north"))}
        return any(frozenset((p, q)) in meet for p in board.sides_of(a) for q in board.sides_of(b))
    return True


def _pictures(board: Board, shape: PictureShape) -> Iterable[tuple[frozenset[int], frozenset[int]]]:
    rows = list(reversed(shape.picture))
    cells = [(x, y, mark) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark in "#."]
    looks = {tuple(sorted(cells))}
    if not shape.fixed:
        for _ in range(3):
            looks |= {_settled([(y, -x, m) for x, y, m in look]) for look in looks}
        looks |= {_settled([(-x, y, m) for x, y, m in look]) for look in looks}
    for look in looks:
        right, top = max(x for x, _, _ in look), max(y for _, y, _ in look)
        for ox in range(-right, board.width):
            for oy in range(-top, board.height):
                placed = [(board.at.get((x + ox, y + oy)), m) for x, y, m in look]
                must = [s for s, m in placed if m == "#"]
                if None not in must:
                    yield (
                        frozenset(s for s in must if s is not None),
                        frozenset(s for s, m in placed if m == "." and s is not None),
                    )


def _settled(cells: Iterable[tuple[int, int, str]]) -> tuple[tuple[int, int, str], ...]:
    listed = list(cells)
    left, low = min(x for x, _, _ in listed), min(y for _, y, _ in listed)
    return tuple(sorted((x - left, y - low, m) for x, y, m in listed))


def complete(copy: Copy, of: Term) -> Term:
    """The shape stands here, made of `of`."""
    return and_(no(some(without(sites(copy.must), of))), no(some(both(sites(copy.must_not), of))))


def chosen(names: str | list[str], scene: Scene) -> list[Copy]:
    """The places of the shapes named (`shapes` and `any` mean all of them)."""
    if isinstance(names, str) and names in ("shapes", "any"):
        return list(scene.copies)
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in (scene.words.game.shapes or {}):
            raise Meaningless(f"there is no shape '{name}'")
    return [c for c in scene.copies if c.shape in wanted]


def has(names: str | list[str], of: Term, through: Term | None, scene: Scene) -> Term:
    """Some named shape stands complete, using `through` where that is given."""
    return or_(*(and_(_uses(c, through), complete(c, of)) for c in chosen(names, scene)))


def _uses(copy: Copy, through: Term | None) -> Term:
    return some(both(through, sites(copy.must))) if through is not None else and_()


def standing(names: str | list[str], scene: Scene, among: Term) -> Term:
    """The sites of complete shapes of the owners of `among`: a piece is protected by its own side's shapes only."""
    mine, theirs = scene.all_of("mine"), scene.all_of("theirs")
    owners = [theirs] if within(among, theirs) else [mine] if within(among, mine) else [mine, theirs]
    return either(*(when(complete(c, of), sites(c.must), NOWHERE) for of in owners for c in chosen(names, scene)))


def due(clause: Worth, scene: Scene, through: Term | None) -> Term:
    """What the own shapes that stand pay: those that use `through` (the piece just placed or moved), or all of them.

    "Newly formed" means that the shape uses that piece, so a shape that is left and formed again pays again.
    """
    of = scene.all_of("mine")
    paid = chosen(clause.worth if isinstance(clause.worth, str) else list(clause.worth), scene)
    flags = [(c, and_(_uses(c, through), complete(c, of))) for c in paid]
    if clause.stack == "all":
        return plus(*(when(f, number(c.worth), number(0)) for c, f in flags))
    if clause.stack == "one per kind":
        kinds = dict.fromkeys(c.shape for c, _ in flags)
        return plus(
            *(
                when(
                    or_(*(f for c, f in flags if c.shape == k)),
                    number(next(c.worth for c, _ in flags if c.shape == k)),
                    number(0),
                )
                for k in kinds
            )
        )
    best = number(0)
    for worth in sorted({c.worth for c, _ in flags}):
        best = when(or_(*(f for c, f in flags if c.worth == worth)), number(worth), best)
    return best


# -- misread ----------------------------------------------------------------------------------------------------------------------


def misread(shape: Shape, context: Context) -> Iterator[Wrong]:
    """The plausible wrong readings of a shape: what it pays, how long it is, where its ends lie, what it avoids."""
    yield from one_more_or_less(shape.worth, "worth", "The shape pays", 0)
    match shape:
        case LineShape():
            yield from one_more_or_less(shape.line, "line", "The line has a length of", 2)
            yield from other_directions(shape.directions, "directions", "The line runs")
            if shape.ends is not None:
                yield Wrong("any-ends", "The ends may lie anywhere.", {"ends": None})
            if shape.avoids is not None:
                yield Wrong("avoids-nothing", f"Its pieces may also stand on {shape.avoids}.", {"avoids": None})
                other = "edges" if shape.avoids == "corners" else "corners"
                yield Wrong(f"avoids-{other}", f"It must avoid the {other}, not the {shape.avoids}.", {"avoids": other})
            else:
                for rim in ("corners", "edges"):
                    yield Wrong(f"avoids-{rim}", f"It does not count with a piece on the {rim}.", {"avoids": rim})
        case PictureShape():
            yield Wrong("as-drawn", "Only as drawn, not turned or mirrored.", {"fixed": None if shape.fixed else True})
            wider = [row[0] + row for row in shape.picture]
            yield Wrong("wider", "One column more is needed.", {"picture": wider})
        case BoardLineShape():
            yield from one_more_or_less(shape.board_line, "board line", "The line has a length of", 2)


def misread_due(due: Worth, context: Context) -> Iterator[Wrong]:
    """How several shapes add up, and which of them pay."""
    told = {
        "all": "Several shapes completed at once all pay.",
        "one per kind": "Of several shapes of one kind only one pays.",
        "best": "Of several shapes only the dearest pays.",
    }
    for stack, words in told.items():
        if stack != due.stack:
            yield Wrong(f"stack-{stack.replace(' ', '-')}", words, {"stack": stack})
    if due.formed_by is None:
        yield Wrong("newly-formed", "Only shapes through the piece just played pay.", {"formed by": "it"})
    else:
        yield Wrong("any-standing", "Every shape that stands pays, also an old one.", {"formed by": None})
