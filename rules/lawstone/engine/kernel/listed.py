"""Random games in plain Python where a plan keeps the legal set: a list that loses the site picked, and line words.

The same facts serve as in the compiled kernel, and the same games are played from a seed. It is for machines without llvmlite, and
plays about four times as many games as the emitted Python that asks for all options anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lawstone.core import Term, swapped
from lawstone.engine.everyday import Everyday
from lawstone.engine.kernel.layout import layout
from lawstone.engine.kernel.lines import LineWords
from lawstone.engine.kernel.plan import FORWARD, Kept
from lawstone.engine.playout import Dice, random_move, stuck
from lawstone.engine.state import Outcome, State, members
from lawstone.lower import Rules

MOST = 1 << 17
"""Line words that are remembered for each ending."""
_DRAW = """\
        while True:
            z = (z + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
            x = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
            x ^= x >> 31
            if x < limit[n]:
                break"""


class Marks(dict[int, bool]):
    """Whether a form has a mark on a line word; worked out when a word is first met."""

    def __init__(self, form: Term) -> None:
        super().__init__()
        self.form = form

    def __missing__(self, word: int) -> bool:
        if len(self) >= MOST:
            self.clear()
        self[word] = found = _marks(self.form, word) != 0
        return found


def _marks(form: Term, word: int) -> int:
    if form.op == "read":
        return word
    parts = [_marks(a, word) for a in form.args]
    if form.op == "step":
        return parts[0] << 1 if form.data == FORWARD else parts[0] >> 1
    if form.op == "without":
        return parts[0] & ~parts[1]
    found = parts[0]
    for p in parts[1:]:
        found = found & p if form.op == "both" else found | p
    return found


class Listed:
    """Random games of rules whose plan keeps the legal set of a phase."""

    def __init__(self, rules: Rules, everyday: Everyday, kept: Kept) -> None:
        self.rules, self.everyday, self.kept = rules, everyday, kept
        self.lines = LineWords(rules, layout(rules.board), kept)
        self.turn = rules.phases[kept.phase].turns[0]
        self.names = [v.name for v in rules.variables]
        self.text = self._text()
        span = 1 << 64
        space: dict[str, Any] = {
            "at": [tuple(x for line, place in self.lines.at[s] for x in (line, 1 << place)) for s in range(rules.board.size)],
            "limit": [span, *(span - span % n for n in range(1, rules.board.size + 1))],
        }  # fmt: skip
        space |= {f"marks{x.ending}": Marks(x.form) for x in kept.lines}
        exec(compile(self.text, f"<{rules.game.game} by a list>", "exec"), space)
        self._run: Callable[..., tuple[int, int]] = space["run"]

    def _text(self) -> str:
        """The loop, in plain Python."""
        axes, by_ending = range(len(self.lines.axes)), {x.ending: x for x in self.kept.lines}
        row = ", ".join(f"l{i}, b{i}" for i in axes)
        lines = [
            "def run(z, left, mine, theirs, room):",
            "    n = first = len(left)",
            "    while n:",
            "        if first - n == room:",
        ]
        lines += ["            return room, -2", _DRAW, f"        {row} = at[left.pop(x % n)]", "        n -= 1"]
        lines += [f"        mine[l{i}] = w{i} = mine[l{i}] | b{i}" for i in axes]
        for i in range(len(self.turn.endings)):
            test = " or ".join(f"marks{i}[w{k}]" for k in axes) if i in by_ending else "not n"
            lines += [f"        if {test}:", f"            return first - n, {i}"]
        lines += ["        mine, theirs = theirs, mine", "    return first, -1"]
        return "\n".join(lines) + "\n"

    def game(self, seed: int, longest: int, start: State) -> tuple[int, Outcome | None]:
        """The plies and the outcome of one random game (None: cut), as `playout` plays it."""
        dice, state, made, engine = Dice(seed), start, 0, self.everyday
        while state.phase != self.kept.phase:
            if made == longest:
                return made, None
            move = random_move(engine, state, dice)
            if move is None:
                return made, stuck(self.rules, state)
            made += 1
            state, outcome = engine.play(state, move)
            if outcome is not None:
                return made, outcome
        options = engine.options[engine.index[state.phase]](*state.values)
        left = members(options[0][3]) if options else []
        sides = [self._laid(state, self.kept.variable), self._laid(state, swapped(self.kept.variable))]
        plies, code = self._run(dice.state, list(left), *sides, longest - made)
        if code == -2:
            return made + plies, None
        seat = (state.seat + plies - (code >= 0)) & 1
        if code == -1:
            cut = made + plies >= longest
            return made + plies, None if cut else stuck(self.rules, State((), state.phase, seat))
        ending = self.turn.endings[code]
        winner = {"mover": seat, "opponent": 1 - seat, "draw": None}[ending.result]
        return made + plies, Outcome("draw" if winner is None else "win", winner, ending.rule)

    def _laid(self, state: State, name: str) -> list[int]:
        words = [0] * self.lines.total
        for site in members(int(state.values[self.names.index(name)])):
            for line, place in self.lines.at[site]:
                words[line] |= 1 << place
        return words
