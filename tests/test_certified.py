"""Verdicts on record are shown again from their certificates, without a solver, and tampering with either is seen."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lawstone import data
from lawstone.check.certified import ARCHIVE, Item, Notary, Record, certify, recheck
from lawstone.check.misreadings import derived
from lawstone.cli.main import cli
from lawstone.engine.game import Game
from lawstone.prove import ask as asking
from lawstone.prove import free
from lawstone.prove.ask import Answer, answered_by, ask
from lawstone.prove.certificate import Broken, write_files
from lawstone.prove.certifying import Certifying
from lawstone.prove.circuit import Circuit
from lawstone.prove.ends import ends
from lawstone.prove.goals import Free
from lawstone.prove.lemmas import Lemma, Lemmas, kept_or_proved
from lawstone.prove.onfile import OnFile
from lawstone.spec import load

SAME = "base/last-piece/of-the-game/of-the-opponent"
"""A pair of readings of XXung that facts proved by induction show to be the same."""
PARTED = "base/first-piece/anywhere/centre"


def failures(folder: Path, game: str = "xxung") -> list[str]:
    """What does not stand, in words."""
    return [f"{line.claim}: {line.told}" for line in recheck(load(game), folder) if not line.ok]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of what is on record of XXung."""
    return shutil.copytree(data.proofs_root() / "xxung", tmp_path / "xxung")


def edit(folder: Path, file: str, change: Callable[[Any], None]) -> None:
    """Change a record."""
    told = json.loads((folder / file).read_text(encoding="utf-8"))
    change(told)
    (folder / file).write_text(json.dumps(told), encoding="utf-8")


def finding(told: Any, key: str = SAME) -> Any:
    """A finding on record."""
    return next(f for f in told["findings"] if f["key"] == key)


def archived(folder: Path) -> dict[str, str]:
    """The certificates of a game by name."""
    with zipfile.ZipFile(folder / "certificates" / ARCHIVE) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def edit_files(folder: Path, ending: str, change: Callable[[str], str]) -> None:
    """Change every certificate of one kind."""
    files = archived(folder)
    assert any(name.endswith(ending) for name in files)
    write_files(folder / "certificates" / ARCHIVE, {n: change(t) if n.endswith(ending) else t for n, t in files.items()})


# -- what stands ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["xxung", "oxono"])
def test_every_proof_on_record_is_shown_again_without_a_solver(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(**_: Any) -> Any:
        raise AssertionError("a solver was asked")

    monkeypatch.setattr(asking, "solver_of", none)
    record = Record(load(game), data.proofs_root() / game)
    lines = list(recheck(record.spec, record.folder))
    assert [line for line in lines if not line.ok] == []
    assert sum("replayed" not in line.told for line in lines) >= record.proofs > 4
    assert sum("replayed" in line.told for line in lines) > 5


@pytest.mark.parametrize("game", ["gomoku", "wugun", "xxung", "oxono"])
def test_every_proof_on_record_names_its_argument(game: str) -> None:
    record = Record(load(game), data.proofs_root() / game)
    same = [x for x in record.listed if x.verdict == "same: proved"]
    assert same
    assert [x.key for x in same if x.proof is None] == []


def test_certificates_made_again_are_the_same_bytes(folder: Path) -> None:
    edit(folder, "results.json", lambda told: told.update(findings=[finding(told, "base/endless")]))
    (folder / "misreadings.json").unlink()
    record = Record(load("xxung"), folder)
    assert certify(record, opinions=False) == []
    before = (folder / "certificates" / ARCHIVE).read_bytes()
    certify(Record(load("xxung"), folder), opinions=False)
    assert (folder / "certificates" / ARCHIVE).read_bytes() == before
    assert failures(folder) == []


# -- tampering --------------------------------------------------------------------------------------------------------------------


def without_a_line(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :])


def with_a_foreign_clause(text: str) -> str:
    lines = text.splitlines(keepends=True)
    words = lines[0].split()
    return "".join([f"p cnf {words[2]} {int(words[3]) + 1}\n", *lines[1:], "1 -2 3 -4 5 0\n"])


@pytest.mark.parametrize(
    ("ending", "change"),
    [(".cnf", without_a_line), (".cnf", with_a_foreign_clause), (".cnf", lambda _: "p cnf 1 2\n1 0\n-1 0\n"),
     (".lrat", without_a_line), (".lrat", lambda _: ""), (".yes", lambda _: "\n"), (".yes", lambda _: "x\n"),
     (".json", lambda _: "[]"), (".json", lambda _: '["main: all is well"]'), (".json", lambda _: "{")],
)  # fmt: skip
def test_a_changed_certificate_is_refused(folder: Path, ending: str, change: Callable[[str], str]) -> None:
    edit_files(folder, ending, change)
    assert any(SAME in told for told in failures(folder))


def test_a_missing_archive_is_refused(folder: Path) -> None:
    (folder / "certificates" / ARCHIVE).unlink()
    assert any(SAME in told and "cannot be read" in told for told in failures(folder))


def test_a_certificate_that_nothing_needs_is_told(folder: Path) -> None:
    files = archived(folder)
    write_files(folder / "certificates" / ARCHIVE, {**files, "0123456789abcdef01234567.yes": "1\n"})
    assert failures(folder) == [f"{ARCHIVE}: 1 certificates are on file that nothing on record needs"]


def swapped(told: Any) -> None:
    finding(told, PARTED).update(verdict="same: proved")


def swapped_with_an_argument(told: Any) -> None:
    finding(told, PARTED).update(verdict="same: proved", proof=finding(told)["proof"])


def swapped_with_a_shorter_argument(told: Any) -> None:
    finding(told, PARTED).update(verdict="same: proved", proof={"by": "form"})


@pytest.mark.parametrize("change", [swapped, swapped_with_an_argument, swapped_with_a_shorter_argument])
def test_a_difference_called_a_proved_sameness_is_refused(folder: Path, change: Callable[[Any], None]) -> None:
    edit(folder, "results.json", change)
    assert any(told.startswith(PARTED) for told in failures(folder))


def test_a_sameness_called_a_difference_is_refused(folder: Path) -> None:
    edit(folder, "results.json", lambda told: finding(told).update(verdict="differ", level="legal moves", moves=["e5"]))
    assert any(told.startswith(SAME) for told in failures(folder))


@pytest.mark.parametrize("by", ["form", "positions", "measures"])
def test_another_argument_than_the_one_that_was_certified_is_refused(folder: Path, by: str) -> None:
    edit(folder, "results.json", lambda told: finding(told)["proof"].update(by=by))
    assert any(told.startswith(SAME) for told in failures(folder))


def test_a_record_without_its_argument_is_refused(folder: Path) -> None:
    edit(folder, "results.json", lambda told: finding(told).pop("proof"))
    assert f"{SAME}: the verdict is 'same: proved', and there is no certificate" in failures(folder)


def test_a_witness_that_shows_nothing_is_refused(folder: Path) -> None:
    edit(folder, "results.json", lambda told: finding(told, PARTED).update(moves=["e5"]))
    assert any(told.startswith(PARTED) for told in failures(folder))


def test_a_conflict_whose_game_shows_none_is_refused(folder: Path) -> None:
    key = "base/conflict/end.five/end.blocked"
    moves = finding(json.loads((folder / "results.json").read_text(encoding="utf-8")), key)["moves"]
    assert failures(folder) == []
    edit(folder, "results.json", lambda told: finding(told, key).update(moves=moves[:-1]))
    assert failures(folder) == [f"{key}: the game on record does not show it"]


def test_readings_that_differ_in_an_event_are_not_the_same_by_their_form(tmp_path: Path) -> None:
    folder, key = shutil.copytree(data.proofs_root() / "gomoku", tmp_path / "gomoku"), "base/clock/loses/nothing-said"
    edit(folder, "results.json", lambda told: told.update(findings=[finding(told, key)]))
    (folder / "misreadings.json").unlink()
    (folder / "certificates" / ARCHIVE).unlink()
    assert failures(folder, "gomoku") == []
    edit(folder, "results.json", lambda told: finding(told, key).update(verdict="same: proved", level="", proof={"by": "form"}))
    assert any(told.startswith(key) for told in failures(folder, "gomoku"))


def test_where_no_move_is_left_nothing_is_shown_of_two_readings() -> None:
    spec = load("tic-tac-toe")
    rules, lemmas = spec.rules(), kept_or_proved(spec.rules())
    never = Lemma("main", "nothing at all", lambda model, values: -1)
    assert free.compare(rules, rules, lemmas).same
    found = free.compare(rules, rules, Lemmas(rules, (never,), 0, 0))
    assert (found.same, found.places, len(found.vacuous)) == (False, (), 1)
    assert ends(Free(rules, lemmas)).verdict == "ends"
    assert ends(Free(rules, Lemmas(rules, (never,), 0, 0))).verdict == "open"


def test_certificates_of_another_board_prove_nothing(folder: Path, tmp_path: Path) -> None:
    elsewhere = shutil.copytree(data.spec_root() / "xxung", tmp_path / "spec" / "xxung")
    path = elsewhere / "game.yaml"
    text = path.read_text(encoding="utf-8")
    assert "[9, 9]" in text
    path.write_text(text.replace("[9, 9]", "[8, 8]"), encoding="utf-8")
    told = [line for line in recheck(load(path), folder) if line.claim == SAME]
    assert [line.ok for line in told] == [False]


def test_records_of_another_version_of_the_rules_are_told(folder: Path) -> None:
    edit(folder, "misreadings.json", lambda told: told.update({"rules version": 7}))
    assert any(told.startswith("misreadings: the record is of xxung, version 7") for told in failures(folder))


# -- the command ------------------------------------------------------------------------------------------------------------------


def test_the_command_checks_verdicts_too_and_fails_on_a_tampered_one(folder: Path) -> None:
    shutil.rmtree(folder / "certificates")
    (folder / "claims.yaml").unlink()
    run = CliRunner().invoke(cli, ["recheck", str(folder), "--quiet"], standalone_mode=False)
    assert run.return_value == 1
    assert f"FAIL xxung {SAME}" in run.output


def test_a_record_that_is_none_is_a_fault_of_its_file(folder: Path) -> None:
    (folder / "claims.yaml").unlink()
    (folder / "results.json").write_text("{}", encoding="utf-8")
    run = CliRunner().invoke(cli, ["recheck", str(folder)])
    assert (run.exit_code, "bad-record" in run.output) == (3, True)


def test_recording_makes_the_certificates(tmp_path: Path) -> None:
    game = shutil.copytree(data.spec_root() / "tic-tac-toe", tmp_path / "tic-tac-toe")
    assert CliRunner().invoke(cli, ["check", str(game), "--record", "--workers", "1"]).exit_code in (0, 4)
    assert (game / "certificates" / ARCHIVE).exists()
    run = CliRunner().invoke(cli, ["recheck", str(game)])
    assert (run.exit_code, "base/endless: none: a measure that every turn uses up" in run.output) == (0, True)


# -- answers ----------------------------------------------------------------------------------------------------------------------


def test_what_is_not_on_file_is_unknown(tmp_path: Path) -> None:
    write_files(tmp_path / ARCHIVE, {"0": ""})
    circuit = Circuit()
    x = circuit.input("x")
    with answered_by(OnFile(tmp_path / ARCHIVE)):
        assert ask(circuit, [x]).verdict == "unknown"


def test_answers_are_kept_and_found_again(tmp_path: Path) -> None:
    circuit = Circuit()
    x, y = circuit.input("x"), circuit.input("y")
    odd = circuit.xor(x, y)
    source = Certifying(opinions=False)
    with answered_by(source):
        assert ask(circuit, [odd, x]).verdict == "yes"
        assert ask(circuit, [odd, circuit.both(x, y)]).verdict == "no"
    write_files(tmp_path / ARCHIVE, source.files)
    again = OnFile(tmp_path / ARCHIVE)
    with answered_by(again):
        found = ask(circuit, [odd, x])
        assert (found.verdict, found.holds(x), found.holds(y)) == ("yes", True, False)
        assert ask(circuit, [odd, circuit.both(x, y)]).verdict == "no"
        assert ask(circuit, [odd]).verdict == "unknown"
    assert again.unused() == []


def test_a_solution_on_file_that_is_none_is_refused(tmp_path: Path) -> None:
    circuit = Circuit()
    x = circuit.input("x")
    source = Certifying(opinions=False)
    with answered_by(source):
        ask(circuit, [x])
    write_files(tmp_path / ARCHIVE, dict.fromkeys(source.files, "\n"))
    with answered_by(OnFile(tmp_path / ARCHIVE)), pytest.raises(Broken, match="is none"):
        ask(circuit, [x])


def test_an_argument_is_found_for_just_those_misreadings_that_play_alike() -> None:
    spec = load("tic-tac-toe")
    game, found = Game(spec, spec.rules()), dict[str, bool]()
    for m, rules in derived(spec):
        apart = Game(spec, rules)
        found[m.id] = Notary(Certifying(opinions=False)).basis(Item.of(game, apart)) is not None
        assert found[m.id] == _plays_alike(game, apart), m.id
    assert set(found.values()) == {True, False}


def _plays_alike(a: Game, b: Game) -> bool:
    """All games of Tic-Tac-Toe, position by position."""
    seen, waiting = set(), [(a.start(), b.start())]
    while waiting:
        p, q = waiting.pop()
        if (p.state, q.state) in seen:
            continue
        seen.add((p.state, q.state))
        if p.outcome != q.outcome:
            return False
        if p.outcome is not None:
            continue
        moves = [m.text for m in p.moves]
        if sorted(moves) != sorted(m.text for m in q.moves):
            return False
        waiting += [(p.play(m), q.play(m)) for m in moves]
    return True


def test_certificates_made_before_ctrl_c_are_kept_and_taken_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, basis = list[Item](), Notary.basis

    def once(self: Notary, item: Item) -> Any:
        if made:
            raise KeyboardInterrupt
        made.append(item)
        return basis(self, item)

    edit(folder, "results.json", lambda told: told.update(findings=[finding(told, "base/endless"), finding(told)]))
    (folder / "misreadings.json").unlink()
    (folder / "certificates" / ARCHIVE).unlink()
    monkeypatch.setattr(Notary, "basis", once)
    with pytest.raises(KeyboardInterrupt):
        certify(Record(load("xxung"), folder), opinions=False)
    kept = archived(folder)
    assert any(name.endswith(".lrat") for name in kept)
    monkeypatch.setattr(Certifying, "_certified", lambda *_: Answer("unknown"))
    monkeypatch.setattr(Notary, "basis", basis)
    assert certify(Record(load("xxung"), folder), opinions=False) == [SAME]
