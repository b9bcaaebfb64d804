"""Random games a CPU-second of the everyday engine, without compilation: the figures that are promised, and those that are met.

Run it with `make bench`. Each game is played in rounds that take turns, so that a slow moment of the machine hits all alike; the
median of the rounds is shown with their spread, and beside it the mean length, without which a rate means nothing.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from lawstone import Game
from lawstone.engine.kernel.run import runner
from lawstone.engine.playout import playout
from lawstone.prove import facts

ROUNDS = 7
SECONDS = 1.5
CASES: tuple[tuple[str, tuple[int, int] | None, int, int, float], ...] = (
    ("gomoku", None, 2000, 600, 112.6),
    ("oxono", None, 2000, 2000, 18.62),
    ("xxung", (8, 8), 2000, 2500, 26.77),
    ("wugun", None, 300, 200, 43.3),
)
"""Game, board, longest game, promised games a CPU-second, cited mean length."""


def measure() -> int:
    """Measure and print a table; the number of promises that are not met."""
    games = [Game.load(name, board=board) for name, board, *_ in CASES]
    rates: list[list[float]] = [[] for _ in CASES]
    lengths: list[list[int]] = [[] for _ in CASES]
    for round_ in range(ROUNDS):
        for i, (game, case) in enumerate(zip(games, CASES, strict=True)):
            began, played = time.process_time(), 0
            while time.process_time() - began < SECONDS:
                lengths[i].append(len(playout(game.engine, round_ * 1_000_000 + played, case[2]).moves))
                played += 1
            rates[i].append(played / (time.process_time() - began))
    print(f"{'game':<14}{'games/CPU-s':>12}{'spread':>16}{'promised':>10}{'mean length':>20}{'cited':>8}")
    missed = 0
    for (name, board, _, promised, cited), found, plies in zip(CASES, rates, lengths, strict=True):
        label = name if board is None else f"{name} {board[0]}x{board[1]}"
        error = statistics.stdev(plies) / len(plies) ** 0.5
        spread = f"{min(found):.0f} to {max(found):.0f}"
        length = f"{statistics.mean(plies):.2f} +- {error:.2f}"
        print(f"{label:<14}{statistics.median(found):>12.0f}{spread:>16}{promised:>10}{length:>20}{cited:>8}")
        missed += statistics.median(found) < promised
    return missed + _list_is_quick() + _help_is_quick()


def _list_is_quick() -> int:
    """Gomoku in plain Python with a kept list of legal sites, from proved facts."""
    game = Game.load("gomoku")
    plain, rates, lengths = runner(game.rules, game.engine, facts.plan_of(game.rules), compiled=False), [], []
    for round_ in range(ROUNDS):
        began = time.process_time()
        sample = plain.playouts(4_000, round_ * 1_000_000)
        rates.append(sample.games / (time.process_time() - began))
        lengths.append(sample.mean_length)
    rate = statistics.median(rates)
    print(
        f"gomoku by a kept list: {rate:.0f} games/CPU-s (promised: 6000), mean length {statistics.mean(lengths):.2f} (cited: 112.6)"
    )
    return int(rate < 6000)


def _help_is_quick() -> int:
    """CPU-seconds of `lawstone --help`, user and system, in a process of its own."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'lawstone', '--help'], stdout=subprocess.DEVNULL, check=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime)\n"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    seconds = [float(run.stdout) for run in runs]
    print(f"lawstone --help: {statistics.median(seconds):.2f} CPU-seconds (promised: under 0.4)")
    return int(statistics.median(seconds) >= 0.4)


if __name__ == "__main__":
    sys.exit(measure())
