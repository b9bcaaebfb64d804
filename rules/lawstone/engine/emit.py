"""From a game's terms to a small, readable subset of Python: the text that the everyday engine runs.

For each phase one function lists the options (a prefix of picks, and how many ways the last pick can be made), and for each turn
one function plays it. The text assigns names to int expressions and uses `if`, `while`, a few helper calls and nothing else.

A term is written in the outermost loop where all its names are known, but never moved out of a branch; what is used once is
written in place, what is used again gets a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lawstone.board import Board
from lawstone.core import Ending, Phase, Sort, Term, Turn, both, number, swapped
from lawstone.engine.spread import reaching
from lawstone.lower import Rules

DEEPEST = 12
"""Expressions nested deeper than this get a name, so that the text stays readable (and within the parser's limits)."""
LONGEST = 500
"""A sum or a union of more parts than this is written as one of several such."""
COSTLY = 10
"""A branch with more operators than this is written as an `if`, so that only the side in force is computed."""


@dataclass
class Block:
    """Lines at one indentation, with the names of terms known in it; `bound` are the names that a loop gives values to."""

    indent: int
    outer: Block | None = None
    loop: bool = False
    bound: frozenset[str] = frozenset()
    lines: list[str] = field(default_factory=list)
    known: dict[Term, str] = field(default_factory=dict)

    def add(self, line: str) -> None:
        """Add a line of text."""
        self.lines.append("    " * self.indent + line)

    def find(self, term: Term) -> str | None:
        """The name of a term that is known here."""
        block: Block | None = self
        while block is not None:
            if term in block.known:
                return block.known[term]
            block = block.outer
        return None


class Writer:
    """Writes the functions of one game."""

    def __init__(self, rules: Rules, place: Sequence[int] | None = None) -> None:
        self.rules, self.board = rules, rules.board
        self.place = range(self.board.size) if place is None else place
        self.full = frozenset(range(self.board.size))
        self.names = {v.name: "v_" + v.name.replace(".", "_").replace(" ", "_") for v in rules.variables}
        self.uses: Counter[Term] = Counter()
        self.fresh = 0

    # -- terms --------------------------------------------------------------------------------------------------------------------

    def count_uses(self, roots: Iterable[Term]) -> None:
        """How often each term is used below the roots: what is used once needs no name."""
        self.uses = Counter()
        seen: set[Term] = set()
        stack = list(roots)
        self.uses.update(stack)
        while stack:
            term = stack.pop()
            if term not in seen:
                seen.add(term)
                self.uses.update(term.args)
                stack.extend(term.args)

    def name(self, sort: Sort = Sort.SITES) -> str:
        """A name that is not yet used in this function; its first letter tells what it stands for."""
        self.fresh += 1
        return f"{_LETTER[sort]}{self.fresh}"

    def mask(self, sites: Iterable[int]) -> int:
        """A set of sites as an int: bit `place[s]` for site s."""
        return sum(1 << self.place[s] for s in sites)

    def write(self, term: Term, block: Block, dirty: bool = False) -> str:
        """The expression for a term, with the lines it needs added to the blocks where they belong.

        `dirty` allows bits above the board, for a use that cuts them off.
        """
        home = block
        while home.loop and home.outer is not None and not (home.bound & term.names):
            home = home.outer
        known = home.find(term)
        if known is not None:
            return known
        if term.op == "where":
            home.known[term] = self._where(term, home)
            return home.known[term]
        if term.op == "when" and term.sort is not Sort.FLAG and max(_size(a) for a in term.args[1:]) > COSTLY:
            home.known[term] = self._branch(term, home)
            return home.known[term]
        keep = term.args and (self.uses[term] > 1 or home is not block)
        text = self._expression(term, home, dirty and not keep)
        if keep or text.count("(") > DEEPEST:
            home.known[term] = self.name(term.sort)
            home.add(f"{home.known[term]} = {text}")
            return home.known[term]
        return text

    def _expression(self, term: Term, block: Block, dirty: bool) -> str:
        def w(t: Term, dirty: bool = False) -> str:
            return self.write(t, block, dirty)

        a = term.args
        match term.op:
            case "read":
                return self.names[term.data]
            case "sites":
                return hex(self.mask(term.data)) if term.data else "0"
            case "either":
                return _chain(" | ", [w(x, dirty) for x in a])
            case "both":
                clean = next((x for x in reversed(a) if x.op != "step"), None)
                return _chain(" & ", [w(x, clean is not None and x is not clean) for x in a])
            case "without":
                if a[0].op == "sites" and a[0].data == self.full:
                    return f"({w(a[0])} ^ {w(a[1])})"
                return f"({w(a[0], dirty)} & ~{w(a[1])})"
            case "step":
                return self._step(term, block, dirty)
            case "flood":
                ways = ", ".join(str(_moves(self.board, self.place, (d,))) for d in term.data)
                return f"flood({w(a[0])}, {w(a[1])}, ({ways},))"
            case "some":
                return f"({w(a[0])} != 0)"
            case "count":
                return f"({w(a[0])}).bit_count()"
            case "yes" | "never":
                return str(term.op == "yes")
            case "no":
                return f"(not {w(a[0])})"
            case "and_" | "or_":
                return "(" + f" {term.op[:-1]} ".join(w(x) for x in a) + ")"
            case "number":
                return str(term.data)
            case "plus":
                return _chain(" + ", [w(x) for x in a])
            case "minus":
                text = f"{w(a[0])} - {w(a[1])}"
                return f"({text})" if a[0].low >= a[1].high else f"max(0, {text})"
            case "least":
                return f"min({w(a[0])}, {w(a[1])})"
            case "at_most":
                return f"({w(a[0])} <= {w(a[1])})"
            case "when":
                return f"({w(a[1])} if {w(a[0])} else {w(a[2])})"
        raise AssertionError(f"no text for {term.op}")

    def _step(self, term: Term, block: Block, dirty: bool) -> str:
        """Steps of one direction in a row are one shift."""
        path = [term.data]
        inner = term.args[0]
        while inner.op == "step" and self.uses[inner] == 1 and inner.data == term.data and block.find(inner) is None:
            path.append(inner.data)
            inner = inner.args[0]
        text = self.write(inner, block)
        parts = []
        for shift, sources, over_top, over_bottom in _moves(self.board, self.place, tuple(path)):
            harmless = over_bottom or (over_top and dirty)
            cut = text if harmless else f"({text} & {sources:#x})"
            parts.append(f"({cut} << {shift})" if shift > 0 else f"({cut} >> {-shift})")
        return parts[0] if len(parts) == 1 else "(" + " | ".join(parts) + ")"

    def _where(self, term: Term, home: Block) -> str:
        solved = reaching(term.args[1], term.data, self.board)
        if solved is not None:
            name = self.name()
            home.add(f"{name} = {self.write(both(term.args[0], solved), home)}")
            return name
        among = self.write(term.args[0], home)
        result, rest, member = self.name(), self.name(), self.name()
        body = Block(home.indent + 1, home, loop=True, bound=frozenset({term.data}))
        before = self.names.get(term.data)
        self.names[term.data] = member
        body.add(f"{member} = {rest} & -{rest}")
        body.add(f"{rest} ^= {member}")
        flag = self.write(term.args[1], body)
        body.add(f"if {flag}:")
        body.add(f"    {result} |= {member}")
        home.add(f"{result} = 0")
        home.add(f"{rest} = {among}")
        home.add(f"while {rest}:")
        home.lines += body.lines
        if before is None:
            del self.names[term.data]
        else:
            self.names[term.data] = before
        return result

    def _branch(self, term: Term, home: Block) -> str:
        flag, result = self.write(term.args[0], home), self.name(term.sort)
        sides = [Block(home.indent + 1, home), Block(home.indent + 1, home)]
        for side, value in zip(sides, term.args[1:], strict=True):
            side.add(f"{result} = {self.write(value, side)}")
        home.add(f"if {flag}:")
        home.lines += sides[0].lines
        home.add("else:")
        home.lines += sides[1].lines
        return result

    # -- functions ----------------------------------------------------------------------------------------------------------------

    def parameters(self) -> str:
        """The state variables, as parameters."""
        return ", ".join(self.names[v.name] for v in self.rules.variables)

    def options(self, index: int, phase: Phase) -> str:
        """The function that lists the options of a phase: (ways, turn, picks, among, due, freedom) for each prefix of picks."""
        self.fresh = 0
        top = Block(1)
        top.add("found = []")
        self.count_uses(t for turn in phase.turns for t in (turn.guard, *(x for c in turn.choices for x in (c.among, c.count))))
        for number_, turn in enumerate(phase.turns):
            block = top
            if turn.guard.op != "yes":
                top.add(f"if {self.write(turn.guard, top)}:")
                block = Block(2, top)
            self._choices(number_, turn, 0, [], block)
            if block is not top:
                top.lines += block.lines
        top.add("return found")
        return "\n".join(
            [f"def options_{index}({self.parameters()}):", f'    """Options of the phase {phase.name}."""', *top.lines]
        )

    def _choices(self, number_: int, turn: Turn, depth: int, made: list[str], block: Block) -> None:
        prefix = f"({', '.join(made)}{',' if len(made) == 1 else ''})"
        if not turn.choices:
            block.add(f"found.append((1, {number_}, (), 0, 0, -1))")
            return
        choice = turn.choices[depth]
        one = choice.count is number(1) and choice.freedom == "exactly"
        stuck = f"found.append((1, {number_}, {prefix}, 0, 0, -1))" if (depth or turn.label) and not choice.required else None
        if depth == len(turn.choices) - 1:
            maybe = choice.freedom == "exactly" and choice.count.low == 0 and _size(choice.among) > COSTLY
            inside = Block(block.indent + 1, block) if maybe else block
            due = self.write(choice.count, block)
            among = self.write(choice.among, inside)
            ways = self.name(Sort.NUMBER)
            inside.add(
                f"{ways} = ({among}).bit_count()"
                if one
                else f"{ways} = ways(({among}).bit_count(), {due}, {_FREEDOM[choice.freedom]})"
            )
            inside.add(f"if {ways}:")
            inside.add(f"    found.append(({ways}, {number_}, {prefix}, {among}, {due}, {_FREEDOM[choice.freedom]}))")
            if stuck:
                inside.add("else:")
                inside.add(f"    {stuck}")
            if maybe:
                # where nothing is due there is nothing to pick from
                block.add(f"if {due}:")
                block.lines += inside.lines
                block.add("else:")
                block.add(f"    found.append((1, {number_}, {prefix}, 0, 0, 0))")
            return
        among, due = self.write(choice.among, block), self.write(choice.count, block)
        picked = self.name()
        inner = Block(block.indent + 1, block, loop=True, bound=frozenset({choice.name}))
        self.names[choice.name] = picked
        if one:
            rest = self.name()
            inner.add(f"{picked} = {rest} & -{rest}")
            inner.add(f"{rest} ^= {picked}")
            head = [f"{rest} = {among}", f"while {rest}:"]
            empty = among
        else:
            subsets = self.name()
            inner.add("# one prefix for each set that may be picked")
            head = [f"{subsets} = subsets({among}, {due}, {_FREEDOM[choice.freedom]})", f"for {picked} in {subsets}:"]
            empty = subsets
        self._choices(number_, turn, depth + 1, [*made, picked], inner)
        if stuck:
            self._stuck_first(block, empty, stuck, head)
        for line in head:
            block.add(line)
        block.lines += inner.lines

    @staticmethod
    def _stuck_first(block: Block, empty: str, stuck: str, head: list[str]) -> None:
        if len(head) == 2 and head[0].startswith(f"{empty} = subsets"):
            block.add(head.pop(0))
        block.add(f"if not {empty}:")
        block.add(f"    {stuck}")

    def play(self, index: int, number_: int, turn: Turn, phases: list[str]) -> str:
        """The function that plays a turn: (ending or -1, phase, whether the other player acts, values)."""
        self.fresh = 0
        for i, choice in enumerate(turn.choices):
            self.names[choice.name] = f"pick_{i}"
        picks = [f"pick_{i}" for i in range(len(turn.choices))]
        block = Block(1)
        changed = [v.name for v in self.rules.variables if v.name in turn.updates]
        self.count_uses(turn.updates[n] for n in changed)
        new = {n: self.write(turn.updates[n], block) for n in changed}
        before = dict(self.names)
        for n in changed:
            self.names[n] = "n" + before[n][1:]
            block.add(f"{self.names[n]} = {new[n]}")
        block.known.clear()
        self.count_uses((*(e.flag for e in turn.endings), *(n.flag for n in turn.next)))
        same = ", ".join(self.names[v.name] for v in self.rules.variables)
        seen = ", ".join(self.names[swapped(v.name)] for v in self.rules.variables)
        for i, ending in enumerate(turn.endings):
            block.add(f"if {self.ended(index, i, ending, block)}:  # {ending.rule}")
            block.add(f"    return {i}, {index}, False, ({same},)")
        for i, following in enumerate(turn.next):
            line = f"return -1, {phases.index(following.phase)}, {following.passes}, ({seen if following.passes else same},)"
            if i == len(turn.next) - 1:
                block.add(line)
            else:
                block.add(f"if {self.write(following.flag, block)}:")
                block.add(f"    {line}")
        self.names = before
        parameters = ", ".join([*(self.names[v.name] for v in self.rules.variables), *picks])
        told = f"{turn.rule} ({', '.join(turn.label)})" if turn.label else turn.rule
        return "\n".join([f"def play_{index}_{number_}({parameters}):", f'    """Play {told}."""', *block.lines])

    def ended(self, index: int, i: int, ending: Ending, block: Block) -> str:
        """The expression for an ending, the i-th of a turn in a phase."""
        return self.write(ending.flag, block)

    def module(self) -> str:
        """The whole text."""
        phases = list(self.rules.phases)
        parts = []
        for index, phase in enumerate(self.rules.phases.values()):
            parts.append(self.options(index, phase))
            parts += [self.play(index, number_, turn, phases) for number_, turn in enumerate(phase.turns)]
        return "\n\n\n".join(parts) + "\n"


_FREEDOM = {"exactly": 0, "up to": 1, "all or none": 2}
_LETTER = {Sort.SITES: "t", Sort.NUMBER: "k", Sort.FLAG: "f"}


def _moves(board: Board, place: Sequence[int], path: tuple[str, ...]) -> list[tuple[int, int, bool, bool]]:
    """A walk as shifts: (shift, sources, whether all others land off the sites, whether they fall off below bit 0)."""
    groups: dict[int, list[int]] = {}
    for s in range(board.size):
        at: int | None = s
        for d in path:
            at = None if at is None else board.steps[d][at]
        if at is not None:
            groups.setdefault(place[at] - place[s], []).append(place[s])
    found = [(shift, sum(1 << b for b in sources)) for shift, sources in sorted(groups.items())]
    if len(found) != 1:
        return [(shift, sources, False, False) for shift, sources in found] or [(1, 0, False, False)]
    ((shift, sources),) = found
    on = set(place)
    others = [b + shift for b in on if not sources >> b & 1]
    return [(shift, sources, not on.intersection(others), all(b < 0 for b in others))]


def _chain(sign: str, parts: list[str]) -> str:
    """An expression of one sign between parts; a long one is a chain of chains, within the compiler's limits."""
    if len(parts) > LONGEST:
        parts = [_chain(sign, parts[i : i + LONGEST]) for i in range(0, len(parts), LONGEST)]
    return "(" + sign.join(parts) + ")"


def _size(term: Term) -> int:
    seen: set[Term] = set()
    stack = [term]
    while stack and len(seen) <= COSTLY:
        t = stack.pop()
        if t not in seen and t.args:
            seen.add(t)
            stack.extend(t.args)
    return len(seen)


def emit(rules: Rules) -> str:
    """The emitted text of a game."""
    return Writer(rules).module()
