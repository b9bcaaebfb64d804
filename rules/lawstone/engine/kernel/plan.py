"""The plan of a kernel: how each phase keeps its legal set and tests its endings, and the facts that allow it.

Candidates are found by the form of the terms; a plan holds only those whose facts have been proved. The engine never proves: a plan
is data that it is given. Without a plan a kernel computes every term on the whole board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lawstone.core import (
    FALSE,
    OPPOSITE_OF,
    TRUE,
    Term,
    Turn,
    and_,
    both,
    either,
    no,
    number,
    or_,
    read,
    rebuild,
    some,
    step,
    substitute,
    swap,
    swapped,
    without,
)
from lawstone.lower import Rules

FORWARD, BACK = "+", "-"


@dataclass(frozen=True)
class Lines:
    """An ending that is a union of tests along lines: one form for all axes, a test of one line at a time.

    `form` is the set of marks on a line, with steps `+` and `-` along it; `axes` are the directions that `+` stands for.
    """

    ending: int
    variable: str
    axes: tuple[str, ...]
    form: Term


@dataclass(frozen=True)
class Kept:
    """A phase whose legal set only loses the site just picked, while the player's own set only gains it."""

    phase: str
    variable: str
    lines: tuple[Lines, ...]
    empty: tuple[int, ...]
    """Endings that hold when nothing is left to pick."""
    keeps: bool = True
    """Whether the legal set is kept; if not, only the lines are."""


@dataclass(frozen=True)
class Plan:
    """What a kernel may use, by phase."""

    kept: Mapping[str, Kept] = field(default_factory=dict)
    lined: Mapping[str, Kept] = field(default_factory=dict)
    """Phases of which only the lines are kept; one a kernel, and none beside a kept set."""
    single: frozenset[str] = frozenset()
    """Variables that never hold more than one site."""
    never: frozenset[tuple[str, int, int]] = frozenset()
    """Endings that cannot come about in a phase, as there are too few pieces: the phase, the turn and the ending by number."""
    most: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """For the phases of these endings the sizes of sets in play that this stands on."""


NO_PLAN = Plan()


@dataclass(frozen=True)
class Fact:
    """A statement that would make a kernel faster: about one phase, with what it licenses."""

    id: str
    phase: str
    says: str
    licenses: str


def facts_of(kept: Kept, rules: Rules) -> list[Fact]:
    """The facts that a kept set and line words stand on."""
    turn = rules.phases[kept.phase].turns[0]
    found = []
    if kept.keeps:
        says = "the next player's legal sites are these without the site just picked"
        found.append(Fact("legal", kept.phase, says, "legal: kept set"))
    found += [
        Fact(f"empty {i}", kept.phase, f"{turn.endings[i].rule} holds exactly when no legal site is left", "ending: by the count")
        for i in kept.empty
    ]
    for lines in kept.lines:
        rule = turn.endings[lines.ending].rule
        found.append(
            Fact(f"before {lines.ending}", kept.phase, f"{rule} holds for neither player while play goes on", "(the next)")
        )
        says = f"{rule} can only come about on lines through the piece just placed"
        found.append(Fact(f"through {lines.ending}", kept.phase, says, "ending: lines through the piece"))
    return found


def candidates(rules: Rules) -> list[Kept]:
    """Phases whose form suggests a kept legal set with line words, or line words alone."""
    return [k for name in rules.phases if (k := _kept(rules, name) or _lined(rules, name)) is not None]


def _lined(rules: Rules, name: str) -> Kept | None:
    """A phase that goes on by itself, in which a player's set gains the site just picked and the other's stays as it is."""
    turns = rules.phases[name].turns
    if len(turns) != 1 or [n.phase for n in turns[0].next] != [name] or len(turns[0].choices) != 1:
        return None
    turn, choice = turns[0], turns[0].choices[0]
    if choice.count is not number(1) or choice.freedom != "exactly" or not turn.next[0].passes:
        return None
    for variable, term in turn.updates.items():
        gains = variable.startswith("mine.") and term is either(read(variable), read(choice.name))
        if gains and swapped(variable) not in turn.updates:
            found = [_lines(i, e.flag, variable, rules) for i, e in enumerate(turn.endings)]
            lines = tuple(x for x in found if x is not None)
            if lines:
                return Kept(name, variable, lines, (), keeps=False)
    return None


def _kept(rules: Rules, name: str) -> Kept | None:
    phase = rules.phases[name]
    if len(phase.turns) != 1:
        return None
    turn = phase.turns[0]
    plain = turn.guard is TRUE and len(turn.choices) == 1 and turn.choices[0].count is number(1)
    if not plain or turn.choices[0].freedom != "exactly" or len(turn.updates) != 1:
        return None
    if len(turn.next) != 1 or not turn.next[0].passes or turn.next[0].phase != name or turn.next[0].flag is not TRUE:
        return None
    ((variable, term),) = turn.updates.items()
    if not variable.startswith("mine.") or term is not either(read(variable), read(turn.choices[0].name)):
        return None
    lines, empty = [], []
    for i, ending in enumerate(turn.endings):
        found = _lines(i, ending.flag, variable, rules)
        if found is not None:
            lines.append(found)
        elif ending.flag is no(some(next_among(turn))) or _same_set(ending.flag, turn):
            empty.append(i)
        else:
            return None
    return Kept(name, variable, tuple(lines), tuple(empty)) if lines else None


def _same_set(flag: Term, turn: Turn) -> bool:
    """The flag says that a set is empty; whether it is the legal set is for the prover to say."""
    return flag.op == "no" and flag.args[0].op == "some" and flag.names <= turn.choices[0].among.names


def next_among(turn: Turn) -> Term:
    """The sites that the next player may pick, in terms of the position after the turn as the mover sees it."""
    return swap(turn.choices[0].among)


def legal_fact(turn: Turn) -> Term:
    """A flag, in the position before the turn, that says where `legal` fails: the sets differ."""
    following = substitute(next_among(turn), turn.updates)
    expected = without(turn.choices[0].among, read(turn.choices[0].name))
    return or_(some(without(following, expected)), some(without(expected, following)))


def empty_fact(turn: Turn, ending: int) -> Term:
    """A flag that says where an ending and `nothing is left` part."""
    flag = substitute(turn.endings[ending].flag, turn.updates)
    left = no(some(without(turn.choices[0].among, read(turn.choices[0].name))))
    return or_(and_(flag, no(left)), and_(left, no(flag)))


def through_fact(turn: Turn, lines: Lines, longest: int) -> Term:
    """A flag that says where an ending and its test on the lines through the pick part."""
    pick = read(turn.choices[0].name)
    tests = []
    for axis in lines.axes:
        line = pick
        for direction in (axis, OPPOSITE_OF[axis]):
            at = pick
            for _ in range(longest - 1):
                at = step(at, direction)
                line = either(line, at)
        marks = rebuild(lines.form, lambda t: t, {FORWARD: axis, BACK: OPPOSITE_OF[axis]}.__getitem__)
        tests.append(some(both(substitute(marks, turn.updates), line)))
    flag, found = substitute(turn.endings[lines.ending].flag, turn.updates), or_(*tests)
    return or_(and_(flag, no(found)), and_(found, no(flag)))


def _lines(ending: int, flag: Term, variable: str, rules: Rules) -> Lines | None:
    parts = flag.args if flag.op == "or_" else (flag,)
    axes, forms = [], set()
    for part in parts:
        if part.op != "some" or part.names != frozenset((variable,)):
            return None
        axis = _axis(part.args[0])
        if axis is None:
            return None
        axes.append(axis)
        forms.add(rebuild(part.args[0], lambda t: t, {axis: FORWARD, OPPOSITE_OF[axis]: BACK}.__getitem__))
    if len(forms) != 1 or len(set(axes)) != len(axes) or FALSE in forms:
        return None
    form = forms.pop()
    return Lines(ending, variable, tuple(axes), form) if _clean(form) else None


def _axis(term: Term) -> str | None:
    """The direction of the first step of a term that steps along one axis only."""
    directions = []
    stack = [term]
    while stack:
        t = stack.pop(0)
        if t.op == "step":
            directions.append(t.data)
        elif t.op not in ("read", "both", "either", "without"):
            return None
        stack += t.args
    first: str | None = directions[0] if directions else None
    if first is None or any(d not in (first, OPPOSITE_OF[first]) for d in directions):
        return None
    return first


def _clean(form: Term) -> bool:
    """The set has no mark off the line when steps are plain shifts: every step is cut down by a set that stays on it."""
    if form.op == "read":
        return True
    if form.op == "both":
        return any(_clean(a) for a in form.args) and all(_steps_clean(a) for a in form.args)
    if form.op == "without":
        return _clean(form.args[0]) and _steps_clean(form.args[1])
    return form.op == "either" and all(_clean(a) for a in form.args)


def _steps_clean(form: Term) -> bool:
    """What is stepped is on the line before it is stepped."""
    if form.op == "step":
        inner = form.args[0]
        while inner.op == "step" and inner.data == form.data:
            inner = inner.args[0]
        return _clean(inner)
    if form.op == "either":
        return all(_steps_clean(a) for a in form.args)
    return _clean(form)
