"""Compiled kernels beside hand-written C on the same machine: the ratios that are promised, and those that are met.

Run it with `make bench`. The C programs in `probes/` mark the practical limit; they are compiled here where gcc is installed, and
take turns with the kernels, so that a slow moment of the machine hits both. Rates are games (or leaves) a CPU-second of one
thread; the median of the rounds' ratios is shown with their spread, and beside each figure the mean length or the count, without
which it means nothing. With a file name the table is also written there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from lawstone import Game
from lawstone.engine.kernel.run import Kernel
from lawstone.prove import facts

ROUNDS = 7
SECONDS = 0.2
PROBES = Path(__file__).parent / "probes"


@dataclass
class Case:
    """One row: the game, its probe's arguments, the ratio to reach, and the longest game (or for perft the depth)."""

    game: str
    probe: tuple[str, ...]
    reach: float
    variant: str = ""
    board: tuple[int, int] | None = None
    longest: int = 2000
    depth: int = 0
    rates: list[float] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    sums: list[tuple[int, int]] = field(default_factory=list)
    checked: str = ""
    spiel: str = ""
    """The same game in OpenSpiel, where that is installed (extra `bench`)."""
    others: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The row's head."""
        size = "x".join(map(str, self.board)) if self.board else ""
        return " ".join(filter(None, (self.game, self.variant, size, f"perft {self.depth} played" if self.depth else "")))


CASES = (
    Case("gomoku", ("gomoku", "list", "1"), 0.9),
    Case("gomoku", ("gomoku", "list", "1"), 0.9, "pro"),
    Case("gomoku", ("gomoku", "list", "1"), 0.9, "swap"),
    Case("gomoku", ("gomoku", "list", "1"), 0.9, "swap2"),
    Case("gomoku", ("gomoku19", "list", "1"), 0.9, board=(19, 19)),
    Case("oxono", ("oxono", "play"), 1.2),
    Case("connect-four", ("small", "c4"), 0.7, spiel="connect_four"),
    Case("breakthrough", ("small", "bt"), 0.7, spiel="breakthrough"),
    Case("tic-tac-toe", ("small", "ttt"), 0.7, spiel="tic_tac_toe"),
    Case("xxung", ("xxung", "play", "8"), 0.7, board=(8, 8)),
    Case("xxung", ("xxung", "play", "9"), 0.7, board=(9, 9)),
    Case("xxung", ("xxung", "play", "15"), 0.7, board=(15, 15)),
    Case("wugun", ("wugun", "play"), 0.5, longest=300),
    Case("gomoku", ("gomoku", "perft", "1"), 1.5, depth=3),
    Case("oxono", ("oxono", "perft"), 2.0, depth=4),
)


def build(folder: Path) -> dict[str, Path]:
    """The probes, compiled; none where there is no gcc."""
    gcc = shutil.which("gcc")
    found = {}
    for source in sorted(PROBES.glob("*.c")) if gcc else []:
        name = source.stem.removesuffix("_limit")
        found[name] = folder / name
        subprocess.run([str(gcc), "-O3", "-march=native", "-o", str(found[name]), str(source), "-lm"], check=True)
    return found


def probe(program: Path, case: Case) -> float:
    """The rate of one run of a probe."""
    out = subprocess.run(
        [str(program), *case.probe[1:], str(case.depth or SECONDS)], capture_output=True, text=True, check=True
    ).stdout
    last = out.strip().splitlines()[-1]
    if case.depth:
        return float(re.search(r"leaves/s=(\d+)", last)[1])  # type: ignore[index]
    games, spent = re.search(r"(?: n|games)=(\d+) cpu=([\d.]+)", last).groups()  # type: ignore[union-attr]
    return float(games) / float(spent)


def spiel_rate(name: str) -> float | None:
    """Random games a CPU-second of OpenSpiel, played in its C++ as rollouts of one simulation; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game, rollouts = pyspiel.load_game(name), 500
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(rollouts, 7), 2.0, 1, 10, False, 7, False)
    state, played, began = game.new_initial_state(), 0, time.process_time()
    while time.process_time() - began < SECONDS:
        bot.step(state)
        played += rollouts
    return played / (time.process_time() - began)


def kernel_rate(kernel: Kernel, case: Case, seed: int, games: int) -> tuple[float, int]:
    """The rate of one run of a kernel, and how many games the next run is worth."""
    began = time.process_time()
    if case.depth:
        runs = 0
        while time.process_time() - began < SECONDS:
            total, _ = kernel.perft(case.depth, how="played")
            runs += 1
        case.checked = f"{total:,}"
        return total * runs / (time.process_time() - began), games
    sample = kernel.playouts(games, seed, case.longest)
    spent = time.process_time() - began
    case.sums.append((sample.games, sample.plies))
    error = sample.deviation / sample.games**0.5
    case.checked = f"{sum(p for _, p in case.sums) / sum(g for g, _ in case.sums):.2f} +- {error:.2f}"
    return games / spent, max(1000, int(games * SECONDS / spent))


def start_cost(warm: bool) -> float:
    """CPU-seconds of a process that plays one Gomoku game by a kernel; cold: with an empty cache. Only warm is byte code kept."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {"LAWSTONE_CACHE": folder, "PYTHONDONTWRITEBYTECODE": "" if warm else "1"}
        kept |= {"PYTHONPYCACHEPREFIX": f"{folder}/byte code"} if warm else {}
        code = (
            "import os, resource, subprocess, sys\n"
            "command = [sys.executable, '-m', 'lawstone', 'playouts', 'gomoku', '--n', '1', '--json']\n"
            f"for _ in range({2 if warm else 1}):\n"
            "    before = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
            f"    subprocess.run(command, env=os.environ | {kept!r}, check=True, stdout=subprocess.DEVNULL)\n"
            "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
            "print(used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime)\n"
        )
        return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def measure(out: str | None = None, *names: str) -> None:
    """Measure and print the table, or the rows that are named; `-` writes no file."""
    cases = [case for case in CASES if not names or case.name in names]
    lines = [
        "| work | kernel /CPU-s | C probe /CPU-s | ratio (least to most) | reach | mean length or leaves | compile CPU-s "
        "| OpenSpiel /CPU-s |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        programs = build(Path(folder))
        os.environ["LAWSTONE_CACHE"] = folder  # what is compiled here is compiled anew
        kernels, compiled = [], []
        for case in cases:
            game = Game.load(case.game, case.variant, None, case.board)
            plan = facts.plan_of(game.rules)
            began = time.process_time()
            kernels.append(Kernel(game.rules, game.engine, plan))
            compiled.append(time.process_time() - began)
            kernels[-1].check(longest=300)
        games = [20_000] * len(cases)
        for i, case in enumerate(cases):
            _, games[i] = kernel_rate(kernels[i], case, 0, games[i])
        for round_ in range(1, ROUNDS + 1):
            for i, case in enumerate(cases):
                rate, _ = kernel_rate(kernels[i], case, round_ << 32, games[i])
                case.rates.append(rate)
                other = spiel_rate(case.spiel) if case.spiel else None
                if other is not None:
                    case.others.append(other)
                if case.probe and case.probe[0] in programs:
                    case.limits.append(probe(programs[case.probe[0]], case))
        for case, spent in zip(cases, compiled, strict=True):
            lines.append(row(case, spent))
    print("\n".join(lines))
    starts = {"cold": [start_cost(False) for _ in range(3)], "warm": [start_cost(True) for _ in range(3)]}
    told = ", ".join(f"{k} {statistics.median(v):.2f} CPU-s" for k, v in starts.items())
    print(f"\nfirst Gomoku playout, whole process: {told} (to reach: cold 1.5, warm 0.5)")
    if out and out != "-":
        Path(out).write_text(json.dumps({"table": lines, "start": starts}, indent=1), encoding="utf-8")


def row(case: Case, spent: float) -> str:
    """One line of the table."""
    rate = f"{statistics.median(case.rates):,.0f}"
    other = f"{statistics.median(case.others):,.0f}" if case.others else "-"
    if not case.limits:
        return f"| {case.name} | {rate} | - | - | - | {case.checked} | {spent:.2f} | {other} |"
    ratios = sorted(a / b for a, b in zip(case.rates, case.limits, strict=True))
    told = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    limit = f"{statistics.median(case.limits):,.0f}"
    return f"| {case.name} | {rate} | {limit} | {told} | {case.reach} | {case.checked} | {spent:.2f} | {other} |"


if __name__ == "__main__":
    measure(*sys.argv[1:])
