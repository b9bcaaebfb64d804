"""The text of a game's kernels: the emitted Python of the everyday engine, with sets laid out for words.

Two forms are written in another way than the everyday engine does. A slide from a set that has one site at most (a fact of the
plan) is a ray cut at its first obstacle; and a long list of terms that all ask "does this set hold all of that shape" is one
comparison of the set with a table of shapes.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawstone.core import TRUE, Ending, Phase, Sort, Term, Turn
from lawstone.core import number as number_
from lawstone.engine.emit import Block, Writer
from lawstone.engine.kernel.layout import Layout
from lawstone.engine.kernel.plan import NO_PLAN, Plan
from lawstone.engine.kernel.slides import Slides, slides_of
from lawstone.engine.spread import Part, back, told_by_last
from lawstone.lower import Rules

SHAPES = 6
"""Fewer shapes than this are written one by one."""


class KernelWriter(Writer):
    """Writes the functions of one game for the compiled back end."""

    def __init__(self, rules: Rules, layout: Layout, plan: Plan = NO_PLAN, playing: bool = False) -> None:
        super().__init__(rules, layout.place)
        self.playing = playing
        # beside slides by table, a board of one word is tested whole more quickly than along lines (measured)
        worth = playing and (layout.words > 1 or not plan.single)
        self.lined = dict(plan.lined) if worth else {}
        self.slid: dict[str, Slides] = {}
        self.turn = 0
        self.never = plan.never if playing else frozenset()
        picked = {c.name for p in rules.phases.values() for t in p.turns for c in t.choices if c.count is number_(1)}
        self.single = plan.single | picked
        self.tables: list[tuple[tuple[int, int], ...]] = []
        for name, kept in plan.lined.items() if playing else ():
            rays, rest = self._rays(rules.phases[name].turns[0].choices[0].among)
            slides = slides_of(rules, kept, rays, rest, layout)
            if slides is not None and {t.data for t, _, _ in rays} <= plan.single:
                self.slid[name] = slides
                self.lined.pop(name, None)

    def _expression(self, term: Term, block: Block, dirty: bool) -> str:
        if term.op == "either":
            shaped = self._shapes_held(term, block)
            if shaped is not None:
                return shaped
            rays, rest = self._rays(term)
            if rays:
                parts = [f"fill({self.write(seed, block)}, {self.write(over, block)}, {name!r})" for seed, over, name in rays]
                return "(" + " | ".join([*parts, *(self.write(t, block) for t in rest)]) + ")"
        if term.op == "plus":
            summed = self._shapes_summed(term, block)
            if summed is not None:
                return summed
        return super()._expression(term, block, dirty)

    def play(self, index: int, number_: int, turn: Turn, phases: list[str]) -> str:
        """The function that plays a turn."""
        self.turn = number_
        return super().play(index, number_, turn, phases)

    def ended(self, index: int, i: int, ending: Ending, block: Block) -> str:
        """An ending: told by its number where it is tested along lines, and `False` where it cannot come about."""
        name = list(self.rules.phases)[index]
        if (name, self.turn, i) in self.never:
            return "False"
        lined = name in self.lined and any(x.ending == i for x in self.lined[name].lines)
        return f"through({i})" if lined else super().ended(index, i, ending, block)

    # -- two picks told by the last ------------------------------------------------------------------------------------------------

    def _choices(self, number_: int, turn: Turn, depth: int, made: list[str], block: Block) -> None:
        parts = self.walks(turn) if not depth else None
        if parts is None:
            super()._choices(number_, turn, depth, made, block)
            return
        among = self.write(turn.choices[0].among, block)
        planes: list[str] = []
        for n, part in enumerate(parts, 1):
            carry = self.name()
            block.add(f"{carry} = {among} & {self.write(back(part, self.board), block)}")
            for i, plane in enumerate(planes):
                kept, over = self.name(), self.name()
                block.add(f"{kept} = {plane} ^ {carry}")
                block.add(f"{over} = {plane} & {carry}")
                planes[i], carry = kept, over
            if len(planes) < n.bit_length():
                planes.append(carry)
        ways = self.name(Sort.NUMBER)
        block.add(
            f"{ways} = {' + '.join(f'({p}).bit_count() * {1 << i}' if i else f'({p}).bit_count()' for i, p in enumerate(planes))}"
        )
        block.add(f"found.spread(({ways}, {number_}, ({', '.join(planes)},)))")

    def walks(self, turn: Turn) -> list[Part] | None:
        """The walks by which the second of two picks is made, where a first pick and a walk tell a move."""
        phase = next(p for p in self.rules.phases.values() if turn in p.turns)
        if (
            not self.playing
            or self.rules.board.size > 64
            or len(phase.turns) != 1
            or len(turn.choices) != 2
            or turn.guard is not TRUE
        ):
            return None
        first, second = turn.choices
        if any(c.count is not number_(1) or c.freedom != "exactly" for c in turn.choices):
            return None
        return told_by_last(first.among, second.among, first.name, self.board)

    def options(self, index: int, phase: Phase) -> str:
        """The function that lists the options of a phase; where moves are told by walks, also the one that makes the last pick."""
        text = super().options(index, phase)
        turn = phase.turns[0]
        if self.walks(turn) is None:
            return text
        self.fresh = 0
        before = self.names.get(turn.choices[0].name)
        self.names[turn.choices[0].name] = "pick_0"
        block = Block(1)
        self.count_uses([turn.choices[1].among])
        block.add(f"return {self.write(turn.choices[1].among, block)}")
        self.names.pop(turn.choices[0].name)
        if before is not None:
            self.names[turn.choices[0].name] = before
        return "\n".join([text, "", "", f"def last_{index}({self.parameters()}, pick_0):", *block.lines])

    # -- slides -------------------------------------------------------------------------------------------------------------------

    def _rays(self, term: Term) -> tuple[list[tuple[Term, Term, str]], list[Term]]:
        """The slides that a union is made of: (from, over, direction), and what else is in it."""
        left, rays = list(term.args), list[tuple[Term, Term, str]]()
        for first in term.args:
            for step in first.args if first.op == "both" else ():
                if step.op != "step" or step.args[0].op != "read" or step.args[0].data not in self.single:
                    continue
                rest = [a for a in first.args if a is not step]
                if len(rest) != 1:
                    continue
                chain = self._chain(term, first, rest[0], step.data)
                if len(chain) >= self.board.longest_line - 1:
                    rays.append((step.args[0], rest[0], step.data))
                    left = [t for t in left if t not in chain]
        return (rays, left) if self._one_way(rays) else ([], list(term.args))

    @staticmethod
    def _chain(term: Term, first: Term, over: Term, direction: str) -> list[Term]:
        """The parts of a union that follow one another by steps over the same set."""
        chain, found = [first], True
        while found:
            found = False
            for t in term.args:
                steps = [a for a in t.args if t.op == "both" and a.op == "step" and a.data == direction and a.args[0] is chain[-1]]
                if steps and set(t.args) == {steps[0], over}:
                    chain.append(t)
                    found = True
                    break
        return chain

    def _one_way(self, rays: list[tuple[Term, Term, str]]) -> bool:
        """Each direction leads to ever higher, or ever lower bits."""
        return all(
            len({self.place[t] > self.place[s] for s, t in enumerate(self.board.steps[d]) if t is not None}) == 1
            for _, _, d in rays
        )

    # -- shapes -------------------------------------------------------------------------------------------------------------------

    def _shapes_held(self, term: Term, block: Block) -> str | None:
        """A union of the shapes that a set holds entirely."""
        shapes, common = list[tuple[int, int]](), None
        for part in term.args:
            if part.op != "when" or part.args[0].op != "some" or part.args[1].op != "sites" or part.args[1].data:
                return None
            lacking, shape = part.args[0].args[0], part.args[2]
            if lacking.op != "without" or shape.op != "sites" or lacking.args[0] is not shape:
                return None
            if common not in (None, lacking.args[1]):
                return None
            common = lacking.args[1]
            shapes.append((self.mask(shape.data), 1))
        if common is None or len(shapes) < SHAPES or self.board.size > 64:
            return None
        return f"held({self.write(common, block)}, {self._table(shapes)})"

    def _shapes_summed(self, term: Term, block: Block) -> str | None:
        """The sum of what the shapes are worth that a set holds entirely and that contain a site."""
        shapes, common, member = list[tuple[int, int]](), None, None
        for part in term.args:
            found = self._worth(part)
            if found is None:
                return None
            mask, worth, site, whole = found
            if common not in (None, whole) or member not in (None, site):
                return None
            common, member = whole, site
            shapes.append((mask, worth))
        if common is None or member is None or len(shapes) < SHAPES or self.board.size > 64:
            return None
        if member.op != "read" or member.data not in self.single:
            return None
        return f"worth({self.write(member, block)}, {self.write(common, block)}, {self._table(shapes)})"

    def _worth(self, part: Term) -> tuple[int, int, Term, Term] | None:
        """What `worth if the shape has the site and the set lacks none of it else 0` is made of: shape, worth, site, set."""
        if part.op != "when" or part.args[0].op != "and_" or [a.op for a in part.args[1:]] != ["number", "number"]:
            return None
        if part.args[2].data != 0 or len(part.args[0].args) != 2:
            return None
        with_site, full = part.args[0].args
        if with_site.op != "some" or full.op != "no" or full.args[0].op != "some":
            return None
        here, lacking = with_site.args[0], full.args[0].args[0]
        if here.op != "both" or len(here.args) != 2 or lacking.op != "without":
            return None
        shape, whole = lacking.args
        others = [a for a in here.args if a is not shape]
        if shape.op != "sites" or len(others) != 1:
            return None
        return self.mask(shape.data), part.args[1].data, others[0], whole

    def _table(self, shapes: Sequence[tuple[int, int]]) -> int:
        """The number of a table of shapes."""
        table = tuple(shapes)
        if table not in self.tables:
            self.tables.append(table)
        return self.tables.index(table)
