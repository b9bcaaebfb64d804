"""Certificates: what the checker accepts, that the encoding says what the interpreter says, and that tampering is seen."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lawstone.cli.main import cli
from lawstone.engine.state import State
from lawstone.prove import lrat
from lawstone.prove.ask import solver_of
from lawstone.prove.bits import Bits
from lawstone.prove.certificate import agreement, dimacs, formula, lrat_text, sample, write_files
from lawstone.prove.circuit import Circuit
from lawstone.prove.claims import load_claims, read_record, write_record
from lawstone.prove.elaborate import NotShown, elaborate, implied
from lawstone.prove.recheck import recheck
from lawstone.prove.secondopinion import ask_z3
from lawstone.prove.settle import Bench, record
from lawstone.prove.smtlib import smtlib
from lawstone.spec import load

Clauses = list[tuple[int, ...]]
TWO_ONES: Clauses = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
"""Two variables of which no values are left."""


def pigeons(n: int) -> Clauses:
    """n + 1 pigeons do not fit into n holes, one a hole."""
    at = {(p, h): p * n + h + 1 for p in range(n + 1) for h in range(n)}
    clauses = [tuple(at[p, h] for h in range(n)) for p in range(n + 1)]
    return clauses + [(-at[p, h], -at[q, h]) for h in range(n) for p in range(n + 1) for q in range(p)]


def learnt(clauses: Clauses) -> Clauses:
    with solver_of(bootstrap_with=[list(c) for c in clauses], with_proof=True) as solver:
        assert not solver.solve()
        return [tuple(int(w) for w in line.split()[:-1]) for line in solver.get_proof() if not line.startswith("d")]


# -- the checker ------------------------------------------------------------------------------------------------------------------


def test_a_proof_with_hints_is_accepted() -> None:
    assert lrat.check(TWO_ONES, [(5, (2,), (1, 2)), (6, (), (5, 3, 4))]) == 2


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([(5, (2,), (1, 2))], "does not end with the empty clause"),
        ([(5, (2,), (1,)), (6, (), (5, 3, 4))], "do not lead to a contradiction"),
        ([(5, (2,), (1, 9)), (6, (), (5, 3, 4))], "no clause 9"),
        ([(3, (2,), (1, 2)), (6, (), (3, 4))], "the number is taken"),
        ([(5, (), (1,))], "forces nothing"),
        ([], "does not end with the empty clause"),
    ],
)
def test_a_proof_with_a_gap_is_refused(steps: list[Any], why: str) -> None:
    with pytest.raises(lrat.Refused, match=why):
        lrat.check(TWO_ONES, steps)


def test_a_later_clause_does_not_mend_an_empty_clause_that_is_not_the_last() -> None:
    with pytest.raises(lrat.Refused, match="does not end"):
        lrat.check(TWO_ONES, [(5, (2,), (1, 2)), (6, (), (5, 3, 4)), (7, (2,), (1, 2))])


@pytest.mark.parametrize(
    "text", ["p cnf 1 2\n1 0\n", "1 0\n", "p cnf 1 1\n2 0\n", "p cnf 1 1\n1\n", "p cnf 1 1\n1 x 0\n", "p cnf 9\n"]
)
def test_a_damaged_formula_is_refused(text: str) -> None:
    with pytest.raises(lrat.Refused):
        lrat.read_cnf(text)


@pytest.mark.parametrize("text", ["5 2 0 1 2\n", "5 2 1 2 0\n", "5 0 0 0\n", "x 0 0\n"])
def test_a_damaged_proof_is_refused(text: str) -> None:
    with pytest.raises(lrat.Refused):
        lrat.read_proof(text)


def test_the_checker_imports_nothing_of_the_toolkit() -> None:
    assert "lawstone" not in Path(lrat.__file__).read_text(encoding="utf-8").replace("lawstone/", "")


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_what_a_solver_learnt_becomes_a_proof_that_is_accepted(n: int) -> None:
    clauses = pigeons(n)
    core = elaborate(clauses, learnt(clauses))
    assert lrat.check(core.clauses, core.steps) == len(core.steps)
    assert set(core.clauses) <= set(clauses)


@pytest.mark.parametrize("seed", range(30))
def test_random_contradictions_become_proofs_that_are_accepted_and_written_back(seed: int) -> None:
    dice = random.Random(seed)
    clauses = [tuple(v * dice.choice((1, -1)) for v in dice.sample(range(1, 11), 3)) for _ in range(90)]
    with solver_of(bootstrap_with=[list(c) for c in clauses]) as solver:
        if solver.solve():
            pytest.skip("has a solution")
    core = elaborate(clauses, learnt(clauses))
    read = lrat.read_cnf(dimacs(10, core.clauses)), lrat.read_proof(lrat_text(core.steps))
    assert read == (core.clauses, core.steps)
    assert lrat.check(*read) == len(core.steps)


@pytest.mark.parametrize("n", [3, 4])
def test_no_clause_of_a_core_of_pigeons_can_be_left_out(n: int) -> None:
    clauses = pigeons(n)
    core = elaborate(clauses, learnt(clauses))
    for i in range(len(core.clauses)):
        with pytest.raises(lrat.Refused):
            lrat.check([*core.clauses[:i], (1, -1), *core.clauses[i + 1 :]], core.steps)


def test_learnt_clauses_without_a_contradiction_are_refused() -> None:
    with pytest.raises(NotShown):
        elaborate([(1, 2), (-1, 2)], [(2,)])
    with pytest.raises(NotShown):
        elaborate([(1, 2), (-1, 2)], [(1,)])


def test_only_implied_candidates_are_kept() -> None:
    assert implied([(1, 2), (-1, 2)], [(1,), (2,), (-2,), (2, 3)]) == [(2,), (2, 3)]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_another_checker_accepts_and_refuses_the_same(n: int) -> None:
    dratify = pytest.importorskip("dratify")
    clauses = pigeons(n)
    core = elaborate(clauses, learnt(clauses))
    text = "".join(" ".join(map(str, (*clause, 0))) + "\n" for _, clause, _ in core.steps)
    top = n * (n + 1)
    assert dratify.check_proof(dratify.parse_dimacs(dimacs(top, core.clauses)), text).ok
    assert not dratify.check_proof(dratify.parse_dimacs(dimacs(top, core.clauses[1:])), text).ok


# -- formulas and their other outlet ----------------------------------------------------------------------------------------------


def small() -> tuple[Circuit, int, int, int]:
    c = Circuit()
    a, b, d = c.input("main.mine.stone[a1]"), c.input("a|b"), c.input("a|b")
    return c, c.ite(a, c.xor(b, d), c.all((b, d))), a, b


def test_a_formula_depends_on_its_question_alone() -> None:
    c, root, a, b = small()
    other = Circuit()
    for i in range(7):
        other.input(f"noise {i}")
    x, y, z = other.input("main.mine.stone[a1]"), other.input("a|b"), other.input("a|b")
    again = other.ite(x, other.xor(y, z), other.all((y, z)))
    assert formula(c, [root, -a, b]).text == formula(other, [again, -x, y]).text


@pytest.mark.parametrize("assumed", [(), (1,), (-1,), (2, 3), (-2, -3), (1, 2, 3), (-1, 2, -3)])
def test_the_text_for_other_solvers_asks_the_same_question(assumed: tuple[int, ...]) -> None:
    pytest.importorskip("z3")
    c, root, _, _ = small()
    inputs = [g for g in range(2, c.size + 1) if c.kinds[g] == "input"]
    asserted = [root, *(inputs[abs(i) - 1] * (1 if i > 0 else -1) for i in assumed)]
    whole = formula(c, asserted)
    with solver_of(bootstrap_with=[list(x) for x in whole.clauses]) as solver:
        told = "sat" if solver.solve() else "unsat"
    assert ask_z3(smtlib(c, asserted, "a\nquestion")).answer == told


def test_the_text_for_other_solvers_uses_plain_words_only() -> None:
    c, root, a, _ = small()
    text = smtlib(c, [root, -a])
    words = {w.strip("()") for line in text.splitlines() for w in line.split()}
    assert words & {"set-logic", "QF_UF", "declare-const", "define-fun", "assert", "check-sat", "ite", "xor", "and", "not"}
    assert text.count("(") == text.count(")")
    assert "|a_b|" in text
    assert "|a_b #2|" in text


def test_a_missing_second_solver_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    assert str(ask_z3("(check-sat)")) == "no second opinion: z3 is not installed"


# -- the encoding -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "variant", "board", "count"),
    [
        ("xxung", "", (5, 5), 60),
        ("gomoku", "", (6, 6), 40),
        ("gomoku", "swap2", (7, 7), 30),
        ("gomoku", "pro", (7, 7), 30),
        ("wugun", "", None, 25),
        ("wugun", "north-east", None, 40),
        ("oxono", "", None, 25),
    ],
)
def test_circuit_and_interpreter_agree_in_positions_of_play(
    game: str, variant: str, board: tuple[int, int] | None, count: int
) -> None:
    rules = load(game).rules(variant, {}, board)
    found = agreement(rules, sample(rules, count), wrong=3)
    assert found.faults == ()
    assert found.positions == count
    assert found.moves > 4 * count


def every_state_of_a_strip() -> tuple[Any, list[State]]:
    """Every setting of all variables of XXung on two cells, well formed or not."""
    rules = load("xxung").rules(board=(2, 1))
    assert [v.name for v in rules.variables] == ["mine.stone", "theirs.stone", "last"]
    return rules, [State(values, "main", 0) for values in itertools.product(range(4), repeat=3)]


def test_circuit_and_interpreter_agree_in_every_setting_of_two_cells() -> None:
    rules, states = every_state_of_a_strip()
    found = agreement(rules, states, wrong=12)
    assert (found.positions, found.faults) == (64, ())


BREAKS: dict[str, Callable[..., Any]] = {
    "either": lambda self, *parts: parts[0],
    "both": lambda self, *parts: parts[0],
    "without": lambda self, a, b: a,
    "step": lambda self, s, direction: s,
    "some": lambda self, s: self.circuit.all(s),
    "no": lambda self, flag: flag,
    "at_most": lambda self, a, b: 1,
}


@pytest.mark.parametrize("operator", list(BREAKS))
def test_a_broken_operator_of_the_encoding_is_found(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bits, operator, BREAKS[operator])
    rules = load("xxung").rules(board=(5, 5))
    assert agreement(rules, sample(rules, 60), wrong=6).faults


# -- records and tampering --------------------------------------------------------------------------------------------------------

CLAIMS = """\
game: xxung
claims:
  - id: four-neighbours
    says: {en: "Blocked is closed in."}
    source: [own]
    touches: [end.blocked]
    in: {boards: ["2x2", "3x3"]}
    about: move
    same: [{cannot move: opponent}, {none: {all of: [{next to: {of: it, directions: orthogonal}}, empty]}}]
    expect: proved
  - id: no-five-stands
    says: {en: "No five stands."}
    source: [own]
    touches: [end.five]
    in: {boards: ["5x5"]}
    never:
      any of:
        - {line: {of: own stone, at least: 5, directions: all}}
        - {line: {of: enemy stone, at least: 5, directions: all}}
    expect: proved
  - id: only-pieces-block
    says: {en: "Four pieces block."}
    source: [own]
    touches: [end.blocked]
    in: {boards: ["3x3"]}
    about: move
    same: [{cannot move: opponent}, {count: {all of: [{next to: {of: it, directions: orthogonal}}, occupied]}, at least: 4}]
    expect: refuted
  - id: first-pieces
    says: {en: "Nine cells."}
    source: [own]
    touches: [opening.free]
    in: {boards: ["3x3"]}
    counted: {plies: 1, sequences: 9}
    expect: proved
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four claims and their record."""
    folder = tmp_path_factory.mktemp("made") / "xxung"
    folder.mkdir()
    (folder / "claims.yaml").write_text(CLAIMS, encoding="utf-8")
    spec, claims = load("xxung"), load_claims(folder / "claims.yaml")
    bench = Bench(spec, claims, second=False)
    settled = [bench.settle(c) for c in claims.claims]
    for name, files in bench.files.items():
        write_files(folder / "certificates" / name, files)
    write_record(record(spec, claims, settled, 1), folder / "claims-results.json")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it to tamper with."""
    return Path(shutil.copytree(made, tmp_path / "xxung"))


def told(folder: Path) -> list[str]:
    return [line.told for line in recheck(load("xxung"), folder) if not line.ok]


def edit_record(folder: Path, change: Callable[[Any], None]) -> None:
    path = folder / "claims-results.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def edit_certificate(
    folder: Path, ending: str, change: Callable[[str], str], claim: str = "four-neighbours", mend: bool = False
) -> None:
    """Change the first file of an archive; with `mend` the record gets the new hashes and counts."""
    path = folder / "certificates" / f"{claim}.zip"
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    name = max((n for n in files if n.endswith(ending)), key=lambda n: len(files[n]))
    files[name] = change(files[name])
    write_files(path, files)
    if mend:
        from lawstone.prove.claims import digest

        def hashes(data: Any) -> None:
            for p in (p for c in data["claims"] for f in c["findings"] for p in f.get("proofs", [])):
                if p["file"] == f"{path.name}#{name.rpartition('.')[0]}":
                    p["core" if ending == ".cnf" else "proof"] = digest(files[name])
                    p["kept" if ending == ".cnf" else "steps"] = len(files[name].splitlines()) - (ending == ".cnf")

        edit_record(folder, hashes)


def finding(data: Any, claim: str) -> Any:
    return next(c for c in data["claims"] if c["claim"] == claim)


def test_an_untouched_record_stands_and_needs_no_solver(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pysat", "pysat.solvers", "z3"):
        monkeypatch.setitem(sys.modules, module, None)
    lines = list(recheck(load("xxung"), folder))
    assert [line.told for line in lines if not line.ok] == []
    assert len(lines) == 5


def without_a_clause(text: str) -> str:
    head, *clauses = text.splitlines()
    words = head.split()
    return "\n".join([f"p cnf {words[2]} {int(words[3]) - 1}", *clauses[1:], ""])


def with_a_foreign_clause(text: str) -> str:
    head, _, *rest = text.splitlines()
    return "\n".join([head, "1 2 3 4 5 0", *rest, ""])


@pytest.mark.parametrize("mend", [False, True])
@pytest.mark.parametrize(
    ("ending", "change"),
    [
        (".cnf", without_a_clause),
        (".cnf", with_a_foreign_clause),
        (".lrat", lambda text: text.rpartition("\n")[0].rpartition("\n")[0] + "\n"),
        (".lrat", lambda text: ""),
        (".lrat", lambda text: text.splitlines()[-1] + "\n"),
        (".lrat", lambda text: "1 0 1 0\n"),
    ],
)
def test_a_tampered_certificate_is_refused_even_with_its_hashes_mended(folder: Path, ending: str, change: Any, mend: bool) -> None:
    edit_certificate(folder, ending, change, "no-five-stands", mend)
    edit_certificate(folder, ending, change, "four-neighbours", mend)
    assert len(told(folder)) == 2


def test_a_changed_board_size_is_refused(folder: Path) -> None:
    edit_record(folder, lambda data: finding(data, "four-neighbours")["findings"][0].update(board="3x3"))
    assert told(folder) == ["the record is of the board 3x3, and the claim is asked of 2x2"]


def test_a_claim_moved_to_another_board_is_refused(folder: Path) -> None:
    path = folder / "claims.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace('["2x2", "3x3"]', '["2x2", "4x4"]'), encoding="utf-8")
    assert told(folder) == ["the claim is worded otherwise than the one on record"]


def test_certificates_of_another_board_are_refused(folder: Path) -> None:
    def swap(data: Any) -> None:
        a, b = finding(data, "four-neighbours")["findings"]
        a["proofs"], b["proofs"] = b["proofs"], a["proofs"]

    edit_record(folder, swap)
    assert len(told(folder)) == 2
    assert all("is not the one that was proved" in x for x in told(folder))


@pytest.mark.parametrize(
    ("claim", "verdict"), [("only-pieces-block", "proved"), ("four-neighbours", "refuted"), ("first-pieces", "refuted")]
)
def test_a_swapped_verdict_is_refused(folder: Path, claim: str, verdict: str) -> None:
    def swap(data: Any) -> None:
        found = finding(data, claim)
        found["verdict"] = verdict
        for f in found["findings"]:
            f["verdict"] = verdict

    edit_record(folder, swap)
    assert len(told(folder)) == 1
    path = folder / "claims.yaml"
    head, mark, tail = path.read_text(encoding="utf-8").partition(f"id: {claim}")
    old = "refuted" if verdict == "proved" else "proved"
    path.write_text(head + mark + tail.replace(f"expect: {old}", f"expect: {verdict}", 1), encoding="utf-8")
    assert told(folder) != []


def test_a_verdict_without_its_certificates_is_refused(folder: Path) -> None:
    edit_record(folder, lambda data: finding(data, "no-five-stands")["findings"][0].update(proofs=[]))
    assert told(folder) == ["3 questions have to be answered, and 0 certificates are on record"]
    (folder / "certificates" / "four-neighbours.zip").unlink()
    assert len(told(folder)) == 3


def test_an_induction_called_a_proof_about_all_positions_is_refused(folder: Path) -> None:
    edit_record(folder, lambda data: finding(data, "no-five-stands")["findings"][0].pop("depth"))
    assert len(told(folder)) == 1


def test_a_game_that_shows_nothing_is_refused(folder: Path) -> None:
    def change(data: Any) -> None:
        finding(data, "only-pieces-block")["findings"][0]["witness"]["moves"] = ["a1", "a2"]
        finding(data, "four-neighbours")["findings"][0]["witness"]["moves"] = ["a1", "b2"]

    edit_record(folder, change)
    assert len(told(folder)) == 2


def test_a_changed_rule_is_noticed(folder: Path, tmp_path: Path) -> None:
    game = Path(shutil.copytree(load("xxung").path.parent, tmp_path / "changed"))
    file = game / "game.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("over: empty}}", "over: board}, and: empty}", 1), encoding="utf-8")
    failed = [line for line in recheck(load(game), folder) if not line.ok]
    assert {line.claim for line in failed} >= {"four-neighbours"}


def test_the_command_says_what_failed_and_ends_with_one(folder: Path) -> None:
    assert CliRunner().invoke(cli, ["recheck", str(folder)], standalone_mode=False).return_value == 0
    edit_record(folder, lambda data: data["claims"].pop(0))
    run = CliRunner().invoke(cli, ["recheck", str(folder)], standalone_mode=False)
    assert run.return_value == 1
    assert "FAIL xxung four-neighbours: there is no record of it" in run.output


def test_records_are_written_and_read_back_alike(made: Path, tmp_path: Path) -> None:
    found = read_record(made / "claims-results.json")
    write_record(found, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (made / "claims-results.json").read_bytes()


def test_archives_depend_on_their_files_alone(tmp_path: Path) -> None:
    write_files(tmp_path / "a.zip", {"x.cnf": "1", "y.lrat": "2"})
    write_files(tmp_path / "b.zip", {"y.lrat": "2", "x.cnf": "1"})
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
