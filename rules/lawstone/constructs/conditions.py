"""What each condition means, and how it is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import singledispatch
from typing import TYPE_CHECKING

from lawstone.constructs import shapes
from lawstone.constructs.scene import Meaningless, Scene, Side, placed, whole
from lawstone.constructs.wrong import Context, Wrong, one_more_or_less, other_directions, without_each
from lawstone.core import (
    TRUE,
    Clause,
    Term,
    and_,
    at_least,
    at_most,
    both,
    either,
    exactly,
    no,
    number,
    or_,
    plus,
    some,
    when,
    without,
)  # fmt: skip
from lawstone.model.base import Choosable
from lawstone.model.conditions import (
    Always,
    CanMove,
    CannotMove,
    CapturedBy,
    Condition,
    ConditionClause,
    Count,
    Either,
    Enters,
    Every,
    HandsEmpty,
    HasLine,
    HasShape,
    InHand,
    Line,
    NoneOf,
    Not,
    NothingCaptured,
    Some,
)  # fmt: skip
from lawstone.model.vocabulary import PieceWords

if TYPE_CHECKING:
    from lawstone.model.sites import Sites


@placed
def lower(condition: Condition, scene: Scene, rule: str) -> Clause:
    """The clause that a condition means in a scene."""
    if isinstance(condition, str):
        return Clause(TRUE, rule, "always")
    return _meaning(condition, scene, condition.rule or rule)


def _set(expression: Sites, scene: Scene, rule: str) -> Term:
    from lawstone.constructs import sites

    return sites.lower(expression, scene, rule).term


@singledispatch
def _meaning(condition: ConditionClause, scene: Scene, rule: str) -> Clause:
    raise Meaningless(f"'{type(condition).KEY}' has no meaning", rule)


@_meaning.register
def _(c: HasLine, scene: Scene, rule: str) -> Clause:
    """A straight run anywhere on the board, or one that uses a site of `through`.

    What is passed over stands between two sites of the run, belongs to it no more than the rim does, and does not end it.
    """
    if (c.line.exactly is None) == (c.line.at_least is None):
        raise Meaningless("a line has either 'exactly' or 'at least'", rule)
    of = _set(c.line.of, scene, rule)
    through = None if c.line.through is None else _set(c.line.through, scene, rule)
    n = c.line.exactly or c.line.at_least or 1
    directions = c.line.directions
    ways, back = scene.ways(directions), scene.ways(directions, back=True)
    if isinstance(directions, str):
        halves = scene.board.axes(scene.board.directions(directions))
        ways, back = scene.ways(list(halves)), scene.ways(list(halves), back=True)
    if c.line.none_longer and c.line.exactly is None:
        raise Meaningless("'none longer' goes with 'exactly'", rule)
    if c.line.past is not None:
        over = _set(c.line.past, scene, rule)
        if c.line.exactly is not None or through is not None:
            over = without(over, of)
        ways, back = ([_passing(w, over, scene.board.longest_line) for w in some_ways] for some_ways in (ways, back))
        of_length = chain
    else:
        of_length = line

    def has(length: int, maximal: bool) -> Term:
        both_ways = zip(ways, back, strict=True)
        return or_(*(of_length(of, length, maximal, way, home, through) for way, home in both_ways))

    found = has(n, c.line.exactly is not None)
    if c.line.none_longer:
        found = and_(found, no(has(n + 1, False)))
    return Clause(found, rule, say(c))


def line(of: Term, n: int, maximal: bool, way: Callable[[Term], Term], back: Callable[[Term], Term], through: Term | None) -> Term:
    """A run of n along one axis: each site of `ends` is the last of n in a row, and for a maximal run of exactly n nothing
    follows it and nothing comes before its first."""
    ends = run(of, n, way)
    if maximal:
        ends = without(ends, either(back(of), _repeat(of, n, way)))
    if through is not None:
        ends = both(ends, either(through, *(_repeat(through, k, way) for k in range(1, n))))
    return some(ends)


def run(of: Term, n: int, way: Callable[[Term], Term]) -> Term:
    """The last sites of n in a row, by doubling."""
    if n == 1:
        return of
    if n % 2:
        return both(of, way(run(of, n - 1, way)))
    half = run(of, n // 2, way)
    return both(half, _repeat(half, n // 2, way))


def _passing(way: Callable[[Term], Term], over: Term, longest: int) -> Callable[[Term], Term]:
    """A step that may first pass over any number of sites of `over`."""

    def reach(s: Term) -> Term:
        at, reached = s, []
        for _ in range(longest - 1):
            at = way(at)
            reached.append(at)
            at = both(at, over)
        return either(*reached)

    return reach


def chain(of: Term, n: int, maximal: bool, way: Callable[[Term], Term], back: Callable[[Term], Term], through: Term | None) -> Term:
    """A run of n along one axis whose sites are one `way` apart, so that there may be others between them; as `line` is else."""
    ends, reached = of, [] if through is None else [both(of, through)]
    for _ in range(n - 1):
        ends = both(of, way(ends))
        reached += [both(of, way(at)) for at in reached[-1:]]
    if maximal:
        ends = without(ends, either(back(of), way(ends)))
    if reached:
        ends = both(ends, either(*reached))
    return some(ends)


def _repeat(s: Term, times: int, way: Callable[[Term], Term]) -> Term:
    for _ in range(times):
        s = way(s)
    return s


@_meaning.register
def _(c: HasShape, scene: Scene, rule: str) -> Clause:
    """A complete copy of a declared shape; with `through`, one that uses such a site."""
    through = None if c.through is None else _set(c.through, scene, rule)
    names = c.shape if isinstance(c.shape, str) else list(c.shape)
    return Clause(shapes.has(names, _set(c.of, scene, rule), through, scene), rule, say(c))


@_meaning.register
def _(c: Count, scene: Scene, rule: str) -> Clause:
    """The size of a set, the pieces still in hand included on request (then the set is named by pieces)."""
    size = scene.count(_set(c.count, scene, rule))
    if c.with_hand:
        meant = scene.words.sites(c.count) if isinstance(c.count, str) else None
        if not isinstance(meant, PieceWords):
            raise Meaningless("'with hand' counts pieces, so 'count' must name a piece", rule)
        size = plus(size, scene.hand(meant))
    bounds = [at_least(size, number(c.at_least))] if c.at_least is not None else []
    bounds += [at_most(size, number(c.at_most))] if c.at_most is not None else []
    bounds += [exactly(size, number(c.exactly))] if c.exactly is not None else []
    if not bounds:
        raise Meaningless("a count needs 'at least', 'at most' or 'exactly'", rule)
    return Clause(and_(*bounds), rule, say(c))


@_meaning.register
def _(c: Some, scene: Scene, rule: str) -> Clause:
    return Clause(some(_set(c.some, scene, rule)), rule, say(c))


@_meaning.register
def _(c: NoneOf, scene: Scene, rule: str) -> Clause:
    return Clause(no(some(_set(c.none, scene, rule))), rule, say(c))


@_meaning.register
def _(c: InHand, scene: Scene, rule: str) -> Clause:
    return Clause(at_least(scene.hand(scene.words.piece(c.in_hand)), number(1)), rule, say(c))


@_meaning.register
def _(c: HandsEmpty, scene: Scene, rule: str) -> Clause:
    """Nothing that is counted is left in the hand; pieces that are not counted never run out and do not matter."""
    who = scene.words.player(c.hands_empty)
    names = [n for n in scene.variables if ".hand " in n and n.startswith("mine.")]
    if not names:
        raise Meaningless("no hand of this game is counted", rule, "give a piece a `hand`")

    def empty(side: Side) -> Term:
        return and_(*(at_most(scene.value(side + n.removeprefix("mine")), number(0)) for n in names))

    if who == "both":
        return Clause(and_(empty("mine"), empty("theirs")), rule, say(c))
    return Clause(when(scene.is_own(who), empty("mine"), empty("theirs")), rule, say(c))


@_meaning.register
def _(c: CapturedBy, scene: Scene, rule: str) -> Clause:
    who = scene.words.player(c.captured_by)
    if who == "both":
        raise Meaningless("'captured by' counts one player's captures", rule)
    taken = when(scene.is_own(who), scene.value("mine.captured"), scene.value("theirs.captured"))
    return Clause(at_least(taken, number(c.at_least)), rule, say(c))


@_meaning.register
def _(c: NothingCaptured, scene: Scene, rule: str) -> Clause:
    name = f"captured in {c.nothing_captured_in}"
    if name not in scene.variables:
        raise Meaningless(f"there is no phase '{c.nothing_captured_in}' with captures", rule)
    return Clause(no(scene.value(name)), rule, say(c))


def _can(words: str, scene: Scene, rule: str) -> Term:
    who = scene.words.player(words)
    if who == "both":
        raise Meaningless("'can move' asks about one player", rule)
    mine = scene.is_own(who)
    if mine.op in ("yes", "never"):
        return scene.judge(scene, "mine" if mine is TRUE else "theirs")
    return when(mine, scene.judge(scene, "mine"), scene.judge(scene, "theirs"))


@_meaning.register
def _(c: CanMove, scene: Scene, rule: str) -> Clause:
    return Clause(_can(c.can_move, scene, rule), rule, say(c))


@_meaning.register
def _(c: CannotMove, scene: Scene, rule: str) -> Clause:
    return Clause(no(_can(c.cannot_move, scene, rule)), rule, say(c))


@_meaning.register
def _(c: Enters, scene: Scene, rule: str) -> Clause:
    """The phase begins with the turn that follows; a turn inside the phase does not enter it again."""
    return Clause(scene.comes(lambda f: f.enters and f.phase == c.enters), rule, say(c))


@_meaning.register
def _(c: Every, scene: Scene, rule: str) -> Clause:
    return whole("all", rule, say(c), [lower(x, scene, rule) for x in c.all_of])


@_meaning.register
def _(c: Either, scene: Scene, rule: str) -> Clause:
    return whole("any", rule, say(c), [lower(x, scene, rule) for x in c.any_of])


@_meaning.register
def _(c: Not, scene: Scene, rule: str) -> Clause:
    return Clause(no(lower(c.not_, scene, rule).term), rule, say(c))


@_meaning.register
def _(c: Always, scene: Scene, rule: str) -> Clause:
    return Clause(TRUE, rule, "always")


# -- in words ---------------------------------------------------------------------------------------------------------------------


def say(c: Condition | Choosable) -> str:
    """The condition in English words."""
    from lawstone.constructs.sites import say as sites_words

    match c:
        case HasLine():
            return f"there is {_line_words(c.line, sites_words)}"
        case HasShape():
            named = c.shape if isinstance(c.shape, str) else " or ".join(c.shape)
            through = f" through {sites_words(c.through)}" if c.through is not None else ""
            return f"there is a complete {named} of {sites_words(c.of)}{through}"
        case Count():
            hand = ", with those in hand," if c.with_hand else ""
            bounds = (("at least", c.at_least), ("at most", c.at_most), ("exactly", c.exactly))
            told = " and ".join(f"{w} {n}" for w, n in bounds if n is not None)
            return f"the number of {sites_words(c.count)}{hand} is {told}"
        case Some():
            return f"there is a site of {sites_words(c.some)}"
        case NoneOf():
            return f"no site is {sites_words(c.none)}"
        case InHand():
            return f"{c.in_hand} is in hand"
        case HandsEmpty():
            return f"{'both hands are' if c.hands_empty == 'both' else c.hands_empty + ' hand is'} empty"
        case CapturedBy():
            return f"the {c.captured_by} has captured at least {c.at_least}"
        case NothingCaptured():
            return f"nothing was captured in the phase {c.nothing_captured_in}"
        case CanMove():
            return f"{_player(c.can_move)} can move"
        case CannotMove():
            return f"{_player(c.cannot_move)} cannot move"
        case Enters():
            return f"the phase {c.enters} begins"
        case Every():
            return " and ".join(say(x) for x in c.all_of)
        case Either():
            return " or ".join(say(x) for x in c.any_of)
        case Not():
            return f"it is not so that {say(c.not_)}"
        case _:
            return "always"


def _player(words: str) -> str:
    return "the player who acts next" if words == "next" else f"the {words}"


def _line_words(c: Line, words: Callable[[Sites], str]) -> str:
    size = f"exactly {c.exactly}" if c.exactly is not None else f"at least {c.at_least}"
    way = (
        "in a line"
        if c.directions == "all"
        else f"in a line ({c.directions if isinstance(c.directions, str) else ' or '.join(c.directions)})"
    )
    through = f" through {words(c.through)}" if c.through is not None else ""
    past = f", passing over {words(c.past)}" if c.past is not None else ""
    longer = f", and no longer one{through}" if c.none_longer else ""
    return f"a run of {size} {words(c.of)} {way}{through}{past}{longer}"


# -- misread ----------------------------------------------------------------------------------------------------------------------


@singledispatch
def misread(c: ConditionClause, context: Context) -> Iterator[Wrong]:
    """The plausible wrong readings of a condition."""
    yield from ()


@misread.register
def _(c: HasLine, context: Context) -> Iterator[Wrong]:
    """Exactly or at least, one more or one less, directions, gaps, and whether the run must use the piece just played."""
    line = c.line
    n = line.exactly or line.at_least or 1
    given, other = ("exactly", "at least") if line.exactly is not None else ("at least", "exactly")
    told = f"A run of more than {n} {'does' if other == 'at least' else 'does not'} count."
    yield Wrong(other.replace(" ", "-"), told, {f"line.{given}": None, f"line.{other}": n})
    yield from one_more_or_less(n, f"line.{given}", f"A run counts with {given}", 1)
    yield from other_directions(line.directions, "line.directions", "A run counts")
    if line.exactly is None and line.through is None and line.past is None:
        yield Wrong("with-gaps", "Empty sites inside a run do no harm.", {"line.past": "empty"})
    if line.none_longer:
        yield Wrong("beside-longer", "A longer run that stands as well does no harm.", {"line.none longer": None})
    if line.past is not None:
        yield Wrong("without-gaps", "Nothing is passed over inside a run.", {"line.past": None})
    elif line.through is not None:
        yield Wrong("any-standing", "Any run that stands counts, also an old one.", {"line.through": None})
    else:
        yield Wrong("newly-formed", "Only a run through the piece just played counts.", {"line.through": "it"})


@misread.register
def _(c: HasShape, context: Context) -> Iterator[Wrong]:
    every = list(context.words.game.shapes or {})
    named = every if c.shape in ("any", "shapes") else [c.shape] if isinstance(c.shape, str) else list(c.shape)
    for name in named if len(named) > 1 else []:
        yield Wrong(f"without-{name.replace(' ', '-')}", f"A {name} does not count.", {"shape": [n for n in named if n != name]})
    if c.through is None:
        yield Wrong("newly-formed", "Only a shape through the piece just played counts.", {"through": "it"})
    else:
        yield Wrong("any-standing", "Any shape that stands counts, also an old one.", {"through": None})


@misread.register
def _(c: Count, context: Context) -> Iterator[Wrong]:
    for key, n in (("at least", c.at_least), ("at most", c.at_most), ("exactly", c.exactly)):
        if n is None:
            continue
        yield from one_more_or_less(n, key, f"The bound is {key}", 0)
        if key == "exactly":
            yield Wrong("at-least", f"{n} or more will do.", {"exactly": None, "at least": n})
        elif c.at_least is None or c.at_most is None:
            yield Wrong("exactly", f"It must be exactly {n}.", {key: None, "exactly": n})
    told = "Pieces in hand are not counted." if c.with_hand else "Pieces in hand are counted as well."
    yield Wrong("without-hand" if c.with_hand else "with-hand", told, {"with hand": None if c.with_hand else True})


@misread.register
def _(c: InHand, context: Context) -> Iterator[Wrong]:
    meant = context.words.piece(c.in_hand)
    if meant.kind is not None:
        told = f"Any {meant.piece} in hand will do, of whatever kind."
        yield Wrong("any-kind", told, {"in hand": c.in_hand.removesuffix(f" {meant.kind}")})
    if c.in_hand.startswith("own "):
        yield Wrong("enemy-hand", "The opponent's hand is meant.", {"in hand": "enemy " + c.in_hand.removeprefix("own ")})


@misread.register
def _(c: HandsEmpty, context: Context) -> Iterator[Wrong]:
    for who in ("both", "mover", "opponent"):
        if who != c.hands_empty:
            told = "both hands are" if who == "both" else f"the {who}'s hand is"
            yield Wrong(f"hand-of-{who}", f"It is enough that {told} empty.", {"hands empty": who})


@misread.register
def _(c: CapturedBy, context: Context) -> Iterator[Wrong]:
    yield from one_more_or_less(c.at_least, "at least", "The captures needed are")
    yield from _other_player(c.captured_by, "captured by")


@misread.register
def _(c: NothingCaptured, context: Context) -> Iterator[Wrong]:
    yield Wrong("always", "It happens whether or not something was captured.", {"": {"always": True}})
    yield Wrong("something", "It happens if something was captured.", {"": {"not": {"nothing captured in": c.nothing_captured_in}}})


@misread.register
def _(c: CanMove, context: Context) -> Iterator[Wrong]:
    yield from _other_player(c.can_move, "can move")
    yield Wrong("always", "It is not asked who can move.", {"": {"always": True}})


@misread.register
def _(c: CannotMove, context: Context) -> Iterator[Wrong]:
    yield from _other_player(c.cannot_move, "cannot move")
    both = {"any of": [{"cannot move": w} for w in ("mover", "opponent")]}
    yield Wrong("either-player", "It is enough that either player cannot move.", {"": both})


def _other_player(who: str, key: str) -> Iterator[Wrong]:
    other = {"own": "enemy", "mover": "opponent", "actor": "other", "enemy": "own", "opponent": "mover", "other": "mover"}
    for meant in ("mover", "opponent") if who == "next" else filter(None, (other.get(who),)):
        yield Wrong(f"of-{meant}", f"The {meant} is meant, not {_player(who)}.", {key: meant})


@misread.register
def _(c: Enters, context: Context) -> Iterator[Wrong]:
    yield Wrong("at-any-time", f"It is asked at any time, not only when the phase {c.enters} begins.", {"": {"always": True}})


@misread.register
def _(c: Every, context: Context) -> Iterator[Wrong]:
    yield from without_each(c.all_of, "all of", [say(x) for x in c.all_of], "This is not asked")


@misread.register
def _(c: Either, context: Context) -> Iterator[Wrong]:
    yield from without_each(c.any_of, "any of", [say(x) for x in c.any_of], "This is not enough")
