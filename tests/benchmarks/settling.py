"""CPU-seconds in which `lawstone prove` settles every question of the four founding games, beside what is promised.

Run it with `python tests/benchmarks/settling.py [GAME ...]`. Nothing is taken from the cache, one process does everything, and the
bounds are those of the command. What is counted is what a question costs: the verdict, its least witness, what of it could be
otherwise, and whether it matters; with `--all` also gaps, lines, words, duties and worked examples.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from lawstone.check.report import Difference
from lawstone.check.run import Plan, answer, queries
from lawstone.cli.check import UNROLLING
from lawstone.spec import load

PROMISED = 600.0
"""CPU-seconds for the questions of all four games together."""
GAMES: dict[str, tuple[int, int] | None] = {"xxung": (9, 9), "gomoku": (15, 15), "oxono": None, "wugun": None}
SLOW = 10.0
"""CPU-seconds from which a question is named with its figure."""


def measure(names: list[str], everything: bool) -> float:
    """Settle the questions of some games and print a table; the CPU-seconds in all."""
    total = 0.0
    print(f"{'game':<8}{'CPU-s':>8}  verdicts")
    for name in names:
        spec, verdicts, spent = load(name), Counter[str](), 0.0
        # The board in the file is the one asked for, so that variants are settled too.
        assert GAMES[name] in (None, (spec.rules().board.width, spec.rules().board.height))
        slow: list[tuple[float, str]] = []
        for query in queries(spec, Plan(duties=True, unroll_seconds=UNROLLING, verb="prove")):
            if query.kind != "answers" and not everything:
                continue
            began = time.process_time()
            found = answer(query)
            took = time.process_time() - began
            spent += took
            slow += [(took, query.told)] if took >= SLOW else []
            verdicts.update(f.verdict for f in found if isinstance(f, Difference))
        print(f"{name:<8}{spent:>8.0f}  {', '.join(f'{n} {v}' for v, n in sorted(verdicts.items()))}", flush=True)
        for took, told in sorted(slow, reverse=True):
            print(f"{'':<8}{took:>8.1f}    {told}")
        total += spent
    print(f"{'together':<8}{total:>8.0f}  (promised for all four games: {PROMISED:.0f})")
    return total


if __name__ == "__main__":
    chosen = [a for a in sys.argv[1:] if a != "--all"] or list(GAMES)
    unknown = [a for a in chosen if a not in GAMES]
    if unknown:
        raise SystemExit(f"no such game here: {' '.join(unknown)}; there are {' '.join(GAMES)}")
    raise SystemExit(int(measure(chosen, "--all" in sys.argv) > PROMISED))
