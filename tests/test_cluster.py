"""A real Dask scheduler with two workers on this machine does the work, and nothing is lost when a worker is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

import worked
from lawstone.check import run
from lawstone.check.search import Budget
from lawstone.spec import load
from lawstone.work.bounds import Limits
from lawstone.work.cache import Cache
from lawstone.work.cluster import Unreachable
from lawstone.work.crew import Crew

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # the library's own, such as those of an interpreter newer than itself
ROOT = Path(__file__).resolve().parents[1]
TREE = Budget(pairs=4_000, games=0, replays=0)


@dataclass
class Running:
    """A scheduler's address, and its worker processes."""

    address: str
    workers: list[subprocess.Popen[str]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Running]:
    said = tmp_path / "scheduler.json"
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "rules"), str(ROOT / "tests")])}
    started: list[subprocess.Popen[str]] = []

    def start(*args: str) -> subprocess.Popen[str]:
        line = [sys.executable, "-W", "ignore", "-m", "distributed.cli." + args[0], *args[1:], "--no-dashboard"]
        quiet = subprocess.DEVNULL
        started.append(subprocess.Popen(line, env=env, cwd=tmp_path, text=True, stdout=quiet, stderr=quiet))
        return started[-1]

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(said))
        until(said.exists)
        workers = [
            start("dask_worker", "--scheduler-file", str(said), "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
            for _ in range(2)
        ]
        address = address_in(said)
        until(lambda: workers_of(address) == 2)
        yield Running(address, workers)
    finally:
        for process in started:
            process.kill()
            process.wait()


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "the cluster did not come up"
        time.sleep(0.1)


def address_in(file: Path) -> str:
    return str(json.loads(file.read_text())["address"])


def workers_of(address: str) -> int:
    with import_module("distributed").Client(address, timeout=20, set_as_default=False) as client:
        return len(client.scheduler_info()["workers"])


def plain(workers: int, **crew) -> str:
    spec, plan = load("xxung"), run.Plan(budget=TREE, board=(5, 5), questions=("blocked-by", "six"))
    return run.check(spec, plan, crew=Crew(workers, **crew)).model_copy(update={"cpu_seconds": 0.0}).model_dump_json()


def test_a_worker_that_is_killed_in_the_middle_loses_nothing(cluster: Running):
    told: list[int] = []

    def done(i: int, answer: int) -> None:
        told.append(i)
        if len(told) == 2:
            cluster.workers[0].send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    found = Crew(cluster=cluster.address).each(worked.slow, list(range(12)), worked.never_lost, done)
    assert found == list(range(12))
    assert sorted(told) == found
    assert cluster.workers[0].wait(timeout=10) != 0
    assert workers_of(cluster.address) == 1


def test_a_cluster_says_what_one_process_says_and_keeps_it_here(cluster: Running, kept_in: Path):
    crew = {"cluster": cluster.address, "limits": Limits(seconds=600), "cache": Cache(kept_in)}
    assert plain(0) == plain(0, **crew)
    kept = list((kept_in / "results").rglob("*.json"))
    assert kept
    assert '"kept":true' in plain(0, **crew)


def test_a_bound_and_an_error_come_back_from_a_cluster(cluster: Running):
    bound = Crew(cluster=cluster.address, limits=Limits(seconds=0.3))
    assert bound.each(worked.counts_for_ever, [1], worked.said) == ["1 was lost: the bound of 0.3 CPU-seconds was reached"]
    with pytest.raises(ValueError, match="no 5"):
        Crew(cluster=cluster.address).each(worked.raises, [5], worked.never_lost)


def test_where_no_scheduler_answers_that_is_said():
    with pytest.raises(Unreachable, match="no scheduler answers"):
        Crew(cluster="tcp://127.0.0.1:9").each(worked.square, [1], worked.never_lost)
    line = [sys.executable, "-m", "lawstone", "check", "tic-tac-toe", "--cluster", "tcp://127.0.0.1:9"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
