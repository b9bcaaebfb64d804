"""Perft: counting move sequences and positions ply by ply, the classic check that two engines mean the same rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from lawstone.engine.everyday import Everyday
from lawstone.engine.notation import write
from lawstone.engine.state import Outcome, State
from lawstone.work import bounds


@dataclass
class Counts:
    """For each ply from 1: `sequences` of exactly that many plies (those that end there included), those of them that go on
    (`open`), and the distinct `positions` that they reach; `ends` counts sequences by the rule that ends them."""

    sequences: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    ends: list[dict[str, int]] = field(default_factory=list)


class TooMany(RuntimeError):
    """More positions than may be kept."""


Key = tuple[State, Outcome | None]


def perft(engine: Everyday, depth: int, start: State | None = None, most: int = 2_000_000) -> Counts:
    """Count breadth first: every distinct position is kept with the number of sequences that reach it.

    Raises TooMany when more than `most` positions would have to be kept at once; the counts so far are in its `args[1]`.
    """
    front: dict[State, int] = {start or engine.start(): 1}
    counts = Counts()
    for _ in range(depth):
        following: dict[State, int] = {}
        over: dict[Key, int] = {}
        ends: dict[str, int] = {}
        for state, n in front.items():
            bounds.check()
            for option in engine.options[engine.index[state.phase]](*state.values):
                for move in engine.expand(option):
                    after, outcome = engine.play(state, move)
                    if outcome is None:
                        following[after] = following.get(after, 0) + n
                    else:
                        over[after, outcome] = over.get((after, outcome), 0) + n
                        ends[outcome.rule] = ends.get(outcome.rule, 0) + n
            if len(following) + len(over) > most:
                raise TooMany(f"more than {most:,} positions at ply {len(counts.sequences) + 1}", counts)
        stuck = {s: n for s, n in following.items() if not engine.options[engine.index[s.phase]](*s.values)}
        for state, n in stuck.items():
            rule = engine.rules.phases[state.phase].turns[0].rule
            ends[f"no rule: {rule}"] = ends.get(f"no rule: {rule}", 0) + n
        counts.sequences.append(sum(following.values()) + sum(over.values()))
        counts.open.append(sum(following.values()) - sum(stuck.values()))
        counts.positions.append(len(following) + len({s for s, _ in over}))
        counts.ends.append(ends)
        front = {s: n for s, n in following.items() if s not in stuck}
    return counts


def divide(engine: Everyday, depth: int, start: State | None = None) -> dict[str, int]:
    """The number of sequences of `depth` plies below each first move: where two engines differ, this finds the branch."""
    state = start or engine.start()
    found: dict[str, int] = {}
    for move in engine.moves(state):
        after, outcome = engine.play(state, move)
        text = write(engine.rules, state, move)
        below = 0 if outcome is not None else perft(engine, depth - 1, after).sequences[-1] if depth > 1 else 1
        found[text] = found.get(text, 0) + (1 if depth == 1 else below)
    return found
