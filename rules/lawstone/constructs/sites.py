"""What each source of sites means, and how it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch
from typing import Any

from lawstone.board import METRICS
from lawstone.constructs import conditions, shapes
from lawstone.constructs.scene import Meaningless, Scene, placed, whole, within
from lawstone.constructs.wrong import Context, Wrong, one_more_or_less, other_directions, raw, without_each
from lawstone.core import NOWHERE, Clause, Term, both, either, sites, some, when, where, without
from lawstone.model.base import Choosable
from lawstone.model.sites import (
    AllOf,
    AnyOf,
    Beside,
    Far,
    FirstOf,
    Flanked,
    JumpTo,
    Named,
    NextTo,
    NotNextTo,
    Sites,
    SitesClause,
    SlideTo,
    Use,
)  # fmt: skip
from lawstone.model.vocabulary import Fixed, PieceWords, Unknown


@placed
def lower(expression: Sites, scene: Scene, rule: str) -> Clause:
    """The clause that an expression means in a scene; `rule` is whose it is unless it has an id of its own."""
    if isinstance(expression, str):
        return Clause(scene.named(expression), rule, expression)
    rule = expression.rule or rule
    parts = [_meaning(expression, scene, rule)]
    if expression.and_ is not None:
        parts.append(lower(expression.and_, scene, rule))
    if expression.but_not is not None:
        left_out = lower(expression.but_not, scene, rule)
        parts.append(Clause(without(parts[0].term, left_out.term), rule, f"not {left_out.says}"))
    if expression.outside is not None:
        kept = without(parts[0].term, shapes.standing(expression.outside, scene, parts[0].term))
        parts.append(Clause(kept, rule, "outside complete shapes"))
    if expression.such_that is not None:
        parts.append(_such_that(expression, scene, rule, both(*(p.term for p in parts))))
    if expression.if_ is not None:
        parts.insert(0, conditions.lower(expression.if_, scene, rule))
    merged = whole("all", rule, say(expression), parts)
    if expression.or_ is not None:
        merged = whole("any", rule, say(expression), [merged, lower(expression.or_, scene, rule)])
    return Clause(merged.term, rule, merged.says or say(expression), merged.mode, merged.parts)


def _such_that(expression: SitesClause, scene: Scene, rule: str, among: Term) -> Clause:
    """Members after whose removal or arrival the condition holds: the board is changed for each one in turn."""
    condition, effect = expression.such_that, scene.effect
    if effect is None or condition is None:
        raise Meaningless("'such that' needs a step that puts or takes a piece", rule)
    kept = where(among, lambda x: conditions.lower(condition, effect(scene, x), rule).term)
    return Clause(kept, rule, f"such that {conditions.say(condition)}")


@singledispatch
def _meaning(expression: SitesClause, scene: Scene, rule: str) -> Clause:
    raise Meaningless(f"'{type(expression).KEY}' has no meaning", rule)


@_meaning.register
def _(c: Named, scene: Scene, rule: str) -> Clause:
    return lower(c.sites, scene, rule)


@_meaning.register
def _(c: NextTo, scene: Scene, rule: str) -> Clause:
    """One step away; off the board there is no neighbour."""
    return Clause(neighbours(c.next_to.of, c.next_to.directions, scene, rule), rule, say(c))


@_meaning.register
def _(c: NotNextTo, scene: Scene, rule: str) -> Clause:
    """Every other site; a site is not next to itself, so the sites spoken of may belong here."""
    return Clause(without(scene.everywhere(), neighbours(c.not_next_to.of, c.not_next_to.directions, scene, rule)), rule, say(c))


def neighbours(of: Sites, directions: str | Sequence[str], scene: Scene, rule: str) -> Term:
    """The union of single steps from a set."""
    seed = lower(of, scene, rule).term
    return either(*(way(seed) for way in scene.ways(directions)))


@_meaning.register
def _(c: SlideTo, scene: Scene, rule: str) -> Clause:
    """Straight on over `over` only, each such site reached; a way stops before the first other site, and needs a step."""
    seed, over = lower(c.slide.from_, scene, rule).term, lower(c.slide.over, scene, rule).term
    far = scene.board.longest_line - 1
    steps = far if c.slide.at_most is None else min(c.slide.at_most, far)
    return Clause(slide(seed, over, scene.ways(c.slide.directions), steps), rule, say(c))


def slide(seed: Term, over: Term, ways: list[Callable[[Term], Term]], steps: int) -> Term:
    """Every site reached from `seed` by at most `steps` steps of one way over `over`."""
    reached = []
    for way in ways:
        at = seed
        for _ in range(steps):
            at = both(way(at), over)
            reached.append(at)
    return either(*reached)


@_meaning.register
def _(c: JumpTo, scene: Scene, rule: str) -> Clause:
    """Over a whole unbroken run of at least one site, onto the site just beyond it, if that is in `to`."""
    seed, over, to = (lower(x, scene, rule).term for x in (c.jump.from_, c.jump.over, c.jump.to))
    beyond = to if within(to, scene.empty()) and within(over, scene.occupied()) else without(to, over)
    on = None if c.jump.then_over is None else lower(c.jump.then_over, scene, rule).term
    landings = []
    for way in scene.ways(c.jump.directions):
        run = both(way(seed), over)
        for _ in range(scene.board.longest_line - 2):
            land = both(way(run), beyond)
            landings.append(land)
            if on is not None:
                landings.append(slide(land, on, [way], scene.board.longest_line - 3))
            run = both(way(run), over)
    return Clause(either(*landings), rule, say(c))


@_meaning.register
def _(c: Far, scene: Scene, rule: str) -> Clause:
    """Measured between sites in steps, from the nearest of `from`; from nothing, every site is far and none is near."""
    seed, board = lower(c.distance.from_, scene, rule).term, scene.board
    metric, low, high = METRICS[c.distance.metric], c.distance.at_least, c.distance.at_most

    def near(site: int, limit: float) -> Term:
        x, y = board.places[site]
        return sites(s for s, (a, b) in enumerate(board.places) if metric(abs(a - x), abs(b - y)) <= limit)

    def covered(limit: float) -> Term:
        if seed.op == "sites":
            return either(*(near(s, limit) for s in seed.data))
        return either(*(when(some(both(seed, sites([s]))), near(s, limit), NOWHERE) for s in range(board.size)))

    found = scene.everywhere() if high is None else covered(high)
    if low:
        found = without(found, covered(low - 0.001))
    return Clause(found, rule, say(c))


@_meaning.register
def _(c: Flanked, scene: Scene, rule: str) -> Clause:
    """The run next to `from` that a site of `by` closes: found by going out to the closing site and coming back."""
    seed, over, by = (lower(x, scene, rule).term for x in (c.flanked.from_, c.flanked.over, c.flanked.by))
    lengths = [c.flanked.exactly] if c.flanked.exactly else list(range(1, scene.board.longest_line - 1))
    out, back = scene.ways(c.flanked.directions), scene.ways(c.flanked.directions, back=True)
    taken = []
    for way, home in zip(out, back, strict=True):
        run = seed
        for n in range(1, max(lengths, default=0) + 1):
            run = both(way(run), over)
            if n in lengths:
                closed = both(way(run), without(by, over))
                for _ in range(n):
                    closed = both(home(closed), over)
                    taken.append(closed)
    return Clause(either(*taken), rule, say(c))


@_meaning.register
def _(c: AnyOf, scene: Scene, rule: str) -> Clause:
    return whole("any", rule, say(c), [lower(e, scene, rule) for e in c.any_of])


@_meaning.register
def _(c: AllOf, scene: Scene, rule: str) -> Clause:
    return whole("all", rule, say(c), [lower(e, scene, rule) for e in c.all_of])


@_meaning.register
def _(c: FirstOf, scene: Scene, rule: str) -> Clause:
    """The first entry whose `if` holds and that offers a site; the last is in force if no other is."""
    return whole("first", rule, say(c), [lower(e, scene, rule) for e in c.first_of])


@_meaning.register
def _(c: Use, scene: Scene, rule: str) -> Clause:
    raise Meaningless(f"`use: {c.use}` is only for changes", rule, "write the clause itself here")


# -- in words ---------------------------------------------------------------------------------------------------------------------


def say(e: Sites | Choosable) -> str:
    """The expression in English words."""
    match e:
        case str():
            return {
                "it": "its own site",
                "last": "the last piece",
                "board": "the whole board",
                "vacated": "the site it came from",
            }.get(e, e)
        case Named():
            told = say(e.sites)
        case NextTo():
            told = f"{_way_words(e.next_to.directions)}next to {say(e.next_to.of)}"
        case NotNextTo():
            told = f"not {_way_words(e.not_next_to.directions)}next to {say(e.not_next_to.of)}"
        case SlideTo():
            told = f"straight on {_directions(e.slide.directions)} from {say(e.slide.from_)} over {say(e.slide.over)} sites"
            told += f", at most {e.slide.at_most} step{'s' * (e.slide.at_most > 1)}" if e.slide.at_most is not None else ""
        case JumpTo():
            on = f", and on over {say(e.jump.then_over)}" if e.jump.then_over is not None else ""
            told = (
                f"from {say(e.jump.from_)} {_directions(e.jump.directions)} over an unbroken run of {say(e.jump.over)} to the "
                f"{say(e.jump.to)} site just beyond{on}"
            )
        case Far():
            d = e.distance
            bounds = [f"at least {d.at_least}"] * (d.at_least is not None) + [f"at most {d.at_most}"] * (d.at_most is not None)
            told = f"{' and '.join(bounds)} from {say(d.from_)} by {d.metric} distance"
        case Flanked():
            f = e.flanked
            n = f"exactly {f.exactly} " if f.exactly else ""
            told = f"{n}{say(f.over)} in a row between {say(f.from_)} and {say(f.by)}"
        case AnyOf():
            told = " or ".join(say(x) for x in e.any_of)
        case AllOf():
            told = " that is ".join(say(x) for x in e.all_of)
        case FirstOf():
            told = "; if there is none: ".join(say(x) for x in e.first_of)
        case _:
            told = type(e).__name__
    if isinstance(e, SitesClause):
        if e.and_ is not None:
            told += f" that is {say(e.and_)}"
        if e.but_not is not None:
            told += f" that is not {say(e.but_not)}"
        if e.outside is not None:
            told += " outside complete shapes" if e.outside == "shapes" else f" outside {e.outside}"
        if e.such_that is not None:
            told += f" such that {conditions.say(e.such_that)}"
        if e.if_ is not None:
            told += f" (only if {conditions.say(e.if_)})"
        if e.or_ is not None:
            told += f"; or {say(e.or_)}"
    return told


def _directions(directions: str | Sequence[str]) -> str:
    if directions == "all":
        return "in any direction"
    return f"{directions}ly" if isinstance(directions, str) else " or ".join(directions)


def _way_words(directions: str | Sequence[str]) -> str:
    return "" if directions == "all" else f"{_directions(directions)} "


# -- misread ----------------------------------------------------------------------------------------------------------------------


def misread(c: SitesClause, context: Context) -> Iterator[Wrong]:
    """The plausible wrong readings of a source of sites."""
    yield from _wrong(c, context)
    beside = {
        "and": (c.and_, "be {}"), "but not": (c.but_not, "not be {}"), "outside": (c.outside, "lie outside complete shapes"),
        "such that": (c.such_that, "leave this true: {}"), "if": (c.if_, "be offered only under a condition: {}"),
    }  # fmt: skip
    for key, (part, words) in beside.items():
        if part is not None:
            told = part if isinstance(part, str) else conditions.say(part) if key in ("such that", "if") else say(part)  # type: ignore[arg-type]
            yield Wrong(f"without-{key.replace(' ', '-')}", f"A site need not {words.format(told)}.", {key: None})
    if c.or_ is not None:
        yield Wrong("without-or", f"These are not among them: {say(c.or_)}.", {"or": None})


@singledispatch
def _wrong(c: SitesClause, context: Context) -> Iterator[Wrong]:
    yield from ()


@_wrong.register
def _(c: NextTo, context: Context) -> Iterator[Wrong]:
    yield from other_directions(c.next_to.directions, "next to.directions", f"Next to {say(c.next_to.of)} counts")
    far = {"slide": {"from": raw(c.next_to.of), "directions": raw(c.next_to.directions), "over": "empty"}}
    yield Wrong("any-distance", f"Any site in line with {say(c.next_to.of)} will do, not only the next one.", {"": far})


@_wrong.register
def _(c: NotNextTo, context: Context) -> Iterator[Wrong]:
    yield from other_directions(c.not_next_to.directions, "not next to.directions", f"Next to {say(c.not_next_to.of)} counts")
    yield Wrong("anywhere", f"It does not matter what is next to {say(c.not_next_to.of)}.", {"": "board"})


@_wrong.register
def _(c: SlideTo, context: Context) -> Iterator[Wrong]:
    start, over = say(c.slide.from_), c.slide.over
    yield from other_directions(c.slide.directions, "slide.directions", f"The way from {start} leads")
    if c.slide.at_most is not None:
        yield from one_more_or_less(c.slide.at_most, "slide.at most", "The number of steps is at most", 1)
        yield Wrong("any-distance", "The way may lead any number of steps.", {"slide.at most": None})
    step = {"all of": [{"next to": {"of": raw(c.slide.from_), "directions": raw(c.slide.directions)}}, raw(over)]}
    yield Wrong("one-step", f"Only one step from {start} is allowed.", {"": {**_kept(c), **step}})
    if c.slide.from_ == "it":
        yield Wrong("zero-steps", "The piece may also stay where it is.", {"": {"any of": ["it", raw(c)]}})
    for owner in ("own", "enemy"):
        pieces = [f"{owner} {p}" for p, clause in context.words.game.pieces.items() if clause.of != "nobody"]
        told = f"The way may pass over {owner} pieces, and ends on a free site."
        yield Wrong(f"through-{owner}", told, {"slide.over": {"any of": [raw(over), *pieces]}, "and": raw(over)})
    yield Wrong("through-all", "Nothing that stands in the way stops it.", {"slide.over": "board", "and": raw(over)})


def _kept(c: SitesClause) -> dict[str, Any]:
    """What stands beside a source of sites, to be kept where the source itself is replaced."""
    beside = ("rule", "if", "and", "or", "but not", "outside", "such that")
    return {key: value for key, value in raw(c).items() if key in beside}


@_wrong.register
def _(c: JumpTo, context: Context) -> Iterator[Wrong]:
    yield from other_directions(c.jump.directions, "jump.directions", "The jump goes")
    near = {"distance": {"from": raw(c.jump.from_), "metric": "king", "at most": 2}}
    yield Wrong("over-one", "Only a single site may be jumped over, not a run of several.", {"and": near})
    if c.jump.then_over is None:
        yield Wrong("may-go-on", "Beyond the pieces jumped over the way may go on.", {"jump.then over": raw(c.jump.to)})
    else:
        yield Wrong("just-beyond", "The jump ends on the first site beyond.", {"jump.then over": None})


@_wrong.register
def _(c: Far, context: Context) -> Iterator[Wrong]:
    d = c.distance
    for metric in METRICS:
        if metric != d.metric:
            yield Wrong(
                f"metric-{metric.replace(' ', '-')}", f"The distance is measured as {metric} distance.", {"distance.metric": metric}
            )
    for key, bound, other in (("at least", d.at_least, d.at_most), ("at most", d.at_most, d.at_least)):
        if bound is not None:
            yield from one_more_or_less(bound, f"distance.{key}", f"The distance is {key}", 0)
            if other is None:
                both_ways = {f"distance.{k}": bound for k in ("at least", "at most")}
                yield Wrong("exactly", f"The distance is exactly {bound}.", both_ways)


@_wrong.register
def _(c: Flanked, context: Context) -> Iterator[Wrong]:
    yield from other_directions(c.flanked.directions, "flanked.directions", "Closed in counts")
    if c.flanked.exactly is not None:
        yield from one_more_or_less(c.flanked.exactly, "flanked.exactly", "A closed-in run has a length of")
        yield Wrong("any-length", "A closed-in run of any length counts.", {"flanked.exactly": None})


@_wrong.register
def _(c: AnyOf, context: Context) -> Iterator[Wrong]:
    yield from without_each(c.any_of, "any of", [say(x) for x in c.any_of], "These are not among them")


@_wrong.register
def _(c: AllOf, context: Context) -> Iterator[Wrong]:
    yield from without_each(c.all_of, "all of", [say(x) for x in c.all_of], "This is not asked of a site")


@_wrong.register
def _(c: FirstOf, context: Context) -> Iterator[Wrong]:
    """Fallbacks: which are there, in which order, whether a later one waits for an earlier, and whether the rim blocks."""
    entries = [raw(e) for e in c.first_of]
    n = len(entries)
    if n > 1:
        yield Wrong("first-only", "If the first line offers no site, there is none.", {"": entries[0]})
        yield Wrong("all-at-once", "The later lines need not wait until the earlier ones offer nothing.", {"": {"any of": entries}})
    for i in range(1, n if n > 2 else 1):
        told = f"There is no fallback to {say(c.first_of[i])}."
        yield Wrong(f"without-{i + 1}", told, {"first of": entries[:i] + entries[i + 1 :]})
    for i in range(n - 1):
        order = [*entries[:i], entries[i + 1], entries[i], *entries[i + 2 :]]
        yield Wrong(f"line-{i + 2}-before-{i + 1}", f"Line {i + 2} comes before line {i + 1}.", {"first of": order})
        if n > 2:
            together = [*entries[:i], {"any of": entries[i : i + 2]}, *entries[i + 2 :]]
            told = f"Line {i + 2} need not wait until line {i + 1} offers nothing."
            yield Wrong(f"line-{i + 2}-with-{i + 1}", told, {"first of": together})
    yield from _rim(c, entries, context)


def _rim(c: FirstOf, entries: list[Any], context: Context) -> Iterator[Wrong]:
    """The later lines wait for real neighbours all around: the rim does not block."""
    first = c.first_of[0]
    parts = [first, *(first.all_of if isinstance(first, AllOf) else [])]
    for part in parts:
        near = part.next_to if isinstance(part, NextTo) else part.slide if isinstance(part, SlideTo) else None
        if near is None:
            continue
        of, directions = raw(near.of if isinstance(near, Beside) else near.from_), near.directions
        most = len(context.words.board.directions(directions)) if isinstance(directions, str) else len(directions)
        asked = {"count": {"next to": {"of": of, "directions": raw(directions)}}, "at least": most}
        later = []
        for entry in entries[1:]:
            clause = {"sites": entry} if isinstance(entry, str) else dict(entry)
            clause["if"] = asked if "if" not in clause else {"all of": [clause["if"], asked]}
            later.append(clause)
        told = "Only pieces block, not the rim: a piece at the rim has no fallback."
        yield Wrong("rim-does-not-count", told, {"first of": [entries[0], *later]})
        return


def misread_words(text: str, context: Context, placed: bool = False) -> Iterator[Wrong]:
    """The plausible wrong readings of words for sites or pieces; `placed` words name the piece of a step."""
    try:
        meant = context.words.sites(text)
    except Unknown:
        return
    if isinstance(meant, Fixed):
        return
    if isinstance(meant, PieceWords):
        yield from _wrong_piece(text, meant, context, placed)
    elif meant.name == "centre":
        yield Wrong("anywhere", "Any site will do.", {"": "board"})
    elif meant.name == "last":
        for owner in ("own", "enemy"):
            for piece in (p for p, clause in context.words.game.pieces.items() if clause.of != "nobody"):
                told = f"The last piece counts only if it is an {owner} {piece}."
                yield Wrong(f"last-{owner}", told, {"": {"all of": ["last", f"{owner} {piece}"]}})
    elif meant.name == "occupied":
        pieces = list(context.words.game.pieces)
        owned = [p for p in pieces if context.words.game.pieces[p].of != "nobody"]
        for phrase in [*(pieces if len(pieces) > 1 else []), *(f"{o} {p}" for o in ("own", "enemy") for p in owned)]:
            yield Wrong(
                f"only-{phrase.replace(' ', '-')}", f"Only {phrase} sites are meant, not all that hold a piece.", {"": phrase}
            )
    elif meant.name == "it" and context.moved:
        yield Wrong("before-the-move", "It is judged where the piece stood before the move.", {"": "vacated"})


def _wrong_piece(text: str, meant: PieceWords, context: Context, placed: bool) -> Iterator[Wrong]:
    game, words = context.words.game, context.words
    kind = "" if meant.kind is None else f" {meant.kind}"
    bare = f"{meant.piece}{kind}"
    named = text.removesuffix(bare).strip()
    owners = {"own": "enemy", "enemy": "own"} | {
        a: b for pair in (words.players, words.colours) for a, b in zip(pair, pair[::-1], strict=True)
    }
    for_others = {"opponent": "own", "mover": "enemy", "other": "own"} | owners
    if named in for_others:
        other = for_others[named]
        yield Wrong(
            f"{other.replace(' ', '-')}-{meant.piece}",
            f"It is said of {other} pieces, not of {named} ones.",
            {"": f"{other} {bare}"},
        )
        yield Wrong(f"any-{meant.piece}", f"It is said of everybody's pieces, not only of {named} ones.", {"": bare})
    kinds = game.pieces[meant.piece].kinds or []
    if meant.kind is not None:
        yield Wrong("any-kind", f"It is said of every kind of {meant.piece}.", {"": text.removesuffix(kind)})
    elif kinds and not placed:
        for pick in context.picks:
            yield Wrong("one-kind", f"It is said of one kind of {meant.piece} only, the one picked.", {"": f"{text} ${pick}"})
    if not placed:
        for piece, clause in game.pieces.items():
            same_kinds = (clause.kinds or []) == kinds
            if piece != meant.piece and same_kinds:
                told = f"A {piece} counts as well."
                yield Wrong(f"with-{piece}", told, {"": {"any of": [text, piece + kind]}})
    if text == context.moved:
        yield Wrong("before-the-move", f"It is judged where the {meant.piece} stood before the move.", {"": "vacated"})
