"""Long work: side by side, bounded, and kept; no result depends on who did it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import worked
from lawstone.check import misreadings, run
from lawstone.check.report import Report
from lawstone.check.search import Budget
from lawstone.data import shipped_games, spec_root
from lawstone.model.faults import BadInput
from lawstone.prove import lemmas
from lawstone.prove.claims import Claim, Claims, Settled
from lawstone.prove.meaning import meaning
from lawstone.prove.settle import record
from lawstone.prove.sidebyside import settle_all
from lawstone.spec import load
from lawstone.work import bounds
from lawstone.work.bounds import Limits
from lawstone.work.cache import Cache
from lawstone.work.crew import Crew, Died, Failed, Processes

QUICK = Budget(pairs=2_000, games=12, replays=200)
TREE = Budget(pairs=10_000, games=0, replays=0)
PAIR = Crew(2)


# -- a crew -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_answers_come_in_the_order_of_the_questions(workers: int):
    assert Crew(workers).each(worked.square, list(range(7)), worked.never_lost) == [n * n for n in range(7)]


def test_an_answer_is_told_as_soon_as_it_is_there_and_listed_in_its_place():
    told: list[int] = []
    found = PAIR.each(worked.slow_first, [0, 1, 2, 3], worked.never_lost, lambda i, answer: told.append(i))
    assert found == [0, 1, 2, 3]
    assert sorted(told) == found
    assert told[-1] == 0


def test_a_worker_that_dies_takes_only_its_own_question_with_it():
    found = PAIR.each(worked.dies_at_three, list(range(8)), worked.said)
    assert found[:3] + found[4:] == ["0", "1", "2", "4", "5", "6", "7"]
    assert found[3] == "3 was lost: its worker ended with 9"


def test_an_error_in_a_worker_is_an_error_here():
    with pytest.raises(ValueError, match="no 5"):
        PAIR.each(worked.raises, [5], worked.never_lost)
    with pytest.raises(Failed, match="Awkward: 6 and 6"):
        PAIR.each(worked.raises_awkwardly, [6], worked.never_lost)


def test_questions_are_asked_in_other_processes():
    assert os.getpid() not in PAIR.each(worked.process_of, [1, 2], worked.never_lost)


def test_a_crew_that_is_stopped_ends_what_is_under_way():
    crew = Processes(1)
    running, waiting = crew.submit(worked.slow_first, 0), crew.submit(worked.slow_first, 0)
    crew.stop()
    assert waiting.cancelled() or isinstance(waiting.exception(), Died)
    assert running.cancelled() or isinstance(running.exception(), Died)
    with pytest.raises(RuntimeError):
        crew.submit(worked.square, 1)


# -- bounds -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(("ask", "n"), [(worked.counts_for_ever, 0), (worked.solves_for_ever, 14)])
def test_work_that_reaches_its_bound_of_time_is_cut_off_and_says_so(ask, n: int, workers: int):
    began = time.monotonic()
    found = Crew(workers, Limits(seconds=0.3)).each(ask, [n], worked.said)
    assert found == [f"{n} was lost: the bound of 0.3 CPU-seconds was reached"]
    assert time.monotonic() - began < 30


def test_without_a_bound_a_small_formula_of_the_same_kind_is_answered():
    assert Crew(0, Limits(seconds=60)).each(worked.solves_for_ever, [4], worked.never_lost) == [False]


def test_work_that_never_comes_round_is_ended_with_its_process():
    crew = Crew(1, Limits(seconds=0.2))
    assert crew.each(worked.never_comes_round, [1], worked.said) == ["1 was lost: the bound of time was reached"]


@pytest.mark.skipif(bounds.memory_used() is None, reason="this system does not tell the memory of a process")
def test_work_that_reaches_its_bound_of_memory_is_cut_off_and_the_others_go_on():
    crew = Crew(1, Limits(mebibytes=300))
    for told in crew.each(worked.grows_for_ever, [1, 2], worked.said):
        assert "the bound of 300 MiB was reached" in told or "the bound of memory was reached" in told
    assert Crew(1, Limits(mebibytes=300)).each(worked.square, [3], worked.never_lost) == [9]


def test_bounds_are_those_of_the_innermost_work_and_end_with_it():
    with bounds.within(Limits(seconds=50)):
        with bounds.within(Limits(seconds=2)):
            assert (bounds.left() or 0) <= 2
        assert (bounds.left() or 0) > 40
    assert bounds.left() is None


@pytest.mark.parametrize("command", ["check", "prove"])
def test_a_command_that_reaches_its_bound_is_undecided_and_says_so(command: str):
    line = [sys.executable, "-m", "lawstone", command, "xxung", "--question", "six", "--board", "15x15", "--time", "0.1"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 4, done.stderr
    assert "the bound of 0.1 CPU-seconds was reached" in done.stdout
    assert "undecided: base/six" in done.stderr
    assert "at most 0.1 CPU-seconds" in done.stderr
    assert "Traceback" not in done.stderr


# -- what the commands ask --------------------------------------------------------------------------------------------------------


def checked(game: str, workers: int, **plan) -> str:
    report = run.check(load(game), run.Plan(budget=QUICK, **plan), crew=Crew(workers))
    assert isinstance(report, Report)
    return report.model_copy(update={"cpu_seconds": 0.0}).model_dump_json()


@pytest.mark.parametrize(
    ("game", "plan"),
    [("tic-tac-toe", {"duties": True}), ("xxung", {"board": (5, 5), "questions": ("whose-five", "six", "blocked-by")})],
)
def test_a_check_says_the_same_byte_for_byte_whoever_does_it(game: str, plan: dict):
    alone = checked(game, 0, **plan)
    assert '"examples":' in alone
    assert alone == checked(game, 1, **plan) == checked(game, 2, **plan)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_fault_in_a_file_is_shown_at_its_place_whoever_meets_it(workers: int):
    with pytest.raises(BadInput, match="no-centre") as found:
        checked("xxung", workers, board=(4, 4))
    assert [f.code for f in found.value.faults] == ["no-centre"]


def test_misreadings_are_settled_the_same_whoever_does_it():
    spec = load("tic-tac-toe")
    listed = misreadings.queries(spec, seconds=2.0)
    found = [[s.model_dump_json() for s in Crew(n).each(misreadings.answer, listed, misreadings.lost)] for n in (0, 1, 2)]
    assert len(found[0]) == len(listed) > 5
    assert found[0] == found[1] == found[2]


def test_claims_are_settled_the_same_whoever_does_it():
    text = {
        "game": "xxung",
        "claims": [
            {"id": "one-kind", "says": {"en": "No cell holds two."}, "source": ["own"], "touches": ["turn.place"],
             "in": {"boards": ["2x2 to 4x4"]}, "expect": "proved", "never": {"count": "stone", "at least": 17}},
            {"id": "leans", "says": {"en": "It leans."}, "source": ["own"], "touches": ["turn.place"], "given": ["one-kind"],
             "in": {"boards": ["2x2 to 3x3"]}, "expect": "proved", "never": {"count": "stone", "at least": 18}},
            {"id": "false", "says": {"en": "A wrong one."}, "source": ["own"], "touches": ["turn.place"],
             "in": {"boards": ["3x3"]}, "expect": "refuted", "never": {"count": "stone", "at least": 2}},
        ],
    }  # fmt: skip
    claims, spec = Claims.model_validate(text), load("xxung")
    found = []
    for workers in (0, 1, 2):
        told: list[str] = []

        def done(claim: Claim, settled: Settled, told: list[str] = told) -> None:
            told.append(claim.id)

        settling = settle_all(spec, claims, {"one-kind", "leans", "false"}, Crew(workers), second=False, done=done)
        assert told == ["one-kind", "leans", "false"]
        timeless = [
            s.model_copy(update={"findings": [f.model_copy(update={"seconds": 0.0}) for f in s.findings]}) for s in settling.settled
        ]
        found.append((record(spec, claims, timeless, 1).model_dump_json(), sorted(settling.files.items())))
    assert [s.verdict for s in timeless] == ["proved", "proved", "refuted"]
    assert found[0] == found[1] == found[2]


def test_a_lemma_that_is_not_proved_leaves_open_what_leans_on_it_whoever_does_it():
    text = {
        "game": "xxung",
        "claims": [
            {"id": "false", "says": {"en": "A wrong one."}, "source": ["own"], "touches": ["turn.place"],
             "in": {"boards": ["2x2"]}, "expect": "refuted", "always": {"some": "enemy stone"}},
            {"id": "leans", "says": {"en": "It leans."}, "source": ["own"], "touches": ["turn.place"], "given": ["false"],
             "in": {"boards": ["2x2"]}, "expect": "proved", "never stuck": True},
        ],
    }  # fmt: skip
    settling = settle_all(load("xxung"), Claims.model_validate(text), {"false", "leans"}, PAIR, second=False)
    assert [s.verdict for s in settling.settled] == ["refuted", "unknown"]
    assert settling.settled[1].findings[0].method == "the lemma false is not proved here"
    assert all(name.startswith("false") for name in settling.files)


# -- kept results -----------------------------------------------------------------------------------------------------------------


def report_of(game: str | Path, crew: Crew, **plan) -> Report:
    return run.check(load(game), run.Plan(budget=TREE, **plan), crew=crew)


def plain(report: Report) -> str:
    """A report without its time and without what says that an answer was kept."""
    listed = {name: getattr(report, name) for name in ("differences", "gaps", "concerns", "duties")}
    timeless = {name: [f.model_copy(update={"kept": False}) for f in found] for name, found in listed.items()}
    return report.model_copy(update={"cpu_seconds": 0.0, **timeless}).model_dump_json()


DIFFERS: dict[str, Any] = {"board": (5, 5), "questions": ("blocked-by",)}
"""The readings part at ply 4 (proving.md: the shortest game)."""


def test_a_kept_answer_is_the_fresh_one_and_says_that_it_was_kept(kept_in: Path):
    crew, plan = Crew(1, cache=Cache(kept_in)), {**DIFFERS, "questions": ("blocked-by", "six")}
    fresh, first = report_of("xxung", Crew(0), **plan), report_of("xxung", crew, **plan)
    assert not crew.recalled
    again = report_of("xxung", crew, **plan)
    assert len(crew.recalled) == len(run.queries(load("xxung"), run.Plan(**plan)))
    assert {d.verdict for d in again.differences} == {"differ", "same: proved"}
    assert not any(d.kept for d in first.differences)
    assert all(d.kept for d in again.differences)
    assert plain(fresh) == plain(first) == plain(again)


def test_proofs_of_duties_are_kept_with_the_facts_behind_them(kept_in: Path):
    crew = Crew(1, cache=Cache(kept_in))
    first, again = (report_of("tic-tac-toe", crew, duties=True) for _ in range(2))
    assert first.duties
    assert [d.kept for d in again.duties] == [True] * len(first.duties)
    assert plain(first) == plain(again)


def files_in(folder: Path) -> list[Path]:
    return sorted((folder / "results").rglob("*.json"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('"differ"', '"same: proved"'),
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("\n", "\n ", 1),
    ],
    ids=["another verdict", "cut off", "a blank more"],
)
def test_a_damaged_entry_is_not_believed_and_is_spoken_of(damage, kept_in: Path, capfd: pytest.CaptureFixture[str]):
    crew = Crew(1, cache=Cache(kept_in))
    first = report_of("xxung", crew, **DIFFERS)
    assert first.differences[0].verdict == "differ"
    touched = [f for f in files_in(kept_in) if damage(f.read_text()) != f.read_text()]
    assert touched
    for file in touched:
        file.write_text(damage(file.read_text()))
    capfd.readouterr()
    again = report_of("xxung", crew, **DIFFERS)
    assert plain(again) == plain(first)
    assert not again.differences[0].kept
    assert "cannot be used and is worked out again" in capfd.readouterr().err
    assert plain(report_of("xxung", crew, **DIFFERS)) == plain(first)


def test_a_forged_witness_with_a_true_seal_does_not_pass_the_replay(kept_in: Path, capfd: pytest.CaptureFixture[str]):
    cache = Cache(kept_in)
    first = report_of("xxung", Crew(1, cache=cache), **DIFFERS)
    for file in files_in(kept_in):
        entry = json.loads(file.read_text().partition("\n")[2])
        if isinstance(entry, dict) and entry.get("verdict") == "differ":
            entry["parting"]["moves"] = entry["parting"]["moves"][:-1]
            cache.put(file.stem, entry)
            break
    else:
        raise AssertionError("no verdict was kept")
    again = report_of("xxung", Crew(1, cache=cache), **DIFFERS)
    assert plain(again) == plain(first)
    assert not again.differences[0].kept
    assert "when it is replayed" in capfd.readouterr().err


def edited(folder: Path, old: str, new: str) -> None:
    file = folder / "game.yaml"
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_an_edit_asks_again_only_what_it_touches(tmp_path: Path, kept_in: Path):
    folder = tmp_path / "xxung"
    shutil.copytree(spec_root() / "xxung", folder)
    crew, plan = Crew(1, cache=Cache(kept_in)), {"board": (6, 6), "questions": ("blocked-by", "six")}
    report_of(folder, crew, **plan)
    (folder / "text.en.md").write_text((folder / "text.en.md").read_text().replace("wins", "has won"))
    prose = report_of(folder, crew, **plan)
    assert [d.kept for d in prose.differences] == [True, True]
    assert any("has won" in d.a.says + d.b.says for d in prose.differences)
    edited(
        folder, "does-not: {end.five: {if.line.at least: null, if.line.exactly: 5}}", "does-not: {end.five: {if.line.at least: 6}}"
    )
    after = report_of(folder, crew, **plan)
    assert [(d.question, d.kept) for d in after.differences] == [("six", False), ("blocked-by", True)]


@pytest.mark.parametrize("game", shipped_games())
def test_no_two_facts_about_a_phase_are_said_alike(game: str):
    listed = [(x.phase, x.says) for x in lemmas.candidates(load(game).rules())]
    assert len(set(listed)) == len(listed) > 10


def test_a_result_that_a_bound_has_cut_off_is_not_kept(kept_in: Path):
    plan = {"board": (15, 15), "questions": ("six",)}
    cut = report_of("xxung", Crew(1, Limits(seconds=0.1), Cache(kept_in)), **plan)
    assert cut.differences[0].verdict == "unknown"
    assert not any('"unknown"' in f.read_text() for f in files_in(kept_in))


def test_misreadings_and_claims_are_kept_too(kept_in: Path):
    crew, spec = Crew(1, cache=Cache(kept_in)), load("tic-tac-toe")
    listed = misreadings.queries(spec, seconds=2.0)
    first, again = (crew.each(misreadings.answer, listed, misreadings.lost) for _ in range(2))
    assert len(crew.recalled) == len(listed)
    assert any(s.kept for s in again)
    assert [s.model_copy(update={"kept": False}) for s in again] == first
    claims = Claims.model_validate(
        {"game": "xxung", "claims": [
            {"id": "few", "says": {"en": "Few."}, "source": ["own"], "touches": ["turn.place"], "in": {"boards": ["3x3"]},
             "expect": "proved", "never": {"count": "stone", "at least": 10}},
            {"id": "false", "says": {"en": "A wrong one."}, "source": ["own"], "touches": ["turn.place"],
             "in": {"boards": ["3x3"]}, "expect": "refuted", "never": {"count": "stone", "at least": 2}},
        ]}
    )  # fmt: skip
    runs = [settle_all(load("xxung"), claims, {"few", "false"}, crew, second=False) for _ in range(2)]
    assert [s.findings[0].kept for s in runs[1].settled] == [True, True]
    assert runs[0].files == runs[1].files
    assert [s.verdict for s in runs[1].settled] == [s.verdict for s in runs[0].settled] == ["proved", "refuted"]


def test_the_command_that_records_asks_everything_anew(tmp_path: Path, kept_in: Path):
    folder = tmp_path / "game"
    shutil.copytree(spec_root() / "tic-tac-toe", folder)
    line = [sys.executable, "-m", "lawstone", "check", str(folder), "--cache", str(kept_in), "--effort", "quick"]
    for more, said in (([], False), ([], True), (["--no-cache"], False), (["--record"], False)):
        done = subprocess.run([*line, *more], capture_output=True, text=True)
        assert ("kept from an earlier run" in done.stderr + done.stdout) is said, more
    told = subprocess.run(
        [sys.executable, "-m", "lawstone", "cache", "--cache", str(kept_in), "--clear"], capture_output=True, text=True
    )
    assert "0 results" in told.stdout
    assert not files_in(kept_in)


def test_rules_of_one_meaning_have_one_digest_and_others_have_another():
    spec = load("gomoku")
    pro = {a: meaning(spec.rules("pro", {"pro-third": a})) for a in spec.question("pro-third").answers}
    assert pro["straight-line"] == pro[spec.base_answer(spec.question("pro-third"))]
    assert len(set(pro.values())) > 1
    sizes = {meaning(spec.rules("", {}, (n, n))) for n in range(5, 12)}
    assert len(sizes) == 7
    assert meaning(load("gomoku").rules()) == meaning(spec.rules())


@pytest.mark.skipif(sys.platform == "win32", reason="a process group is interrupted otherwise there")
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path):
    line = [sys.executable, "-m", "lawstone", "claims", "xxung", "--workers", "2", "--no-second"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        first = running.stdout.readline()
        os.killpg(running.pid, signal.SIGINT)
        rest, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert first.split()[0] in ("proved", "refuted", "bounded")
    assert "interrupted:" in said
    assert "Traceback" not in said + rest
