"""Answers on file: the same questions put again, and no solver.

A verdict is the end of an argument that puts many questions. `certifying.py` keeps a certificate for every answer when the argument
is first gone through; here it is gone through again on what was kept: a no has a proof, which is checked, and a yes has a solution,
which is tried. Answers are found by a digest of the formula, which is built anew, so that an answer to another question is never
taken; a question without an answer on file stays unknown, which proves nothing.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lawstone.lower import Rules
from lawstone.prove import lrat
from lawstone.prove.ask import Answer
from lawstone.prove.certificate import Broken, Formula, formula
from lawstone.prove.circuit import Circuit
from lawstone.prove.claims import digest
from lawstone.prove.deeper import guesses
from lawstone.prove.kinduction import nothing_beside
from lawstone.prove.lemmas import Lemma, Lemmas, candidates
from lawstone.prove.meaning import meaning
from lawstone.prove.obligations import Obligation, invariance

KEY = 24
"""Hexadecimal digits of a digest by which an answer is found."""


def key_of(whole: Formula) -> str:
    """The name under which the answer to a question is on file."""
    return digest(whole.text)[:KEY]


@dataclass
class OnFile:
    """Answers from an archive, each checked when it is first used; raises Broken where one is not what it should be."""

    archive: Path
    used: set[str] = field(default_factory=set)
    known: dict[str, Answer] = field(default_factory=dict)
    _facts: dict[str, Lemmas] = field(default_factory=dict)
    _read: dict[str, str] | None = None

    @property
    def files(self) -> dict[str, str]:
        """Everything in the archive, by name; raises Broken."""
        if self._read is None:
            try:
                with zipfile.ZipFile(self.archive) as opened:
                    self._read = {name: opened.read(name).decode() for name in opened.namelist()}
            except (OSError, zipfile.BadZipFile, UnicodeDecodeError, zlib.error) as error:
                raise Broken(f"{self.archive.name} cannot be read: {error}") from None
        return self._read

    def answer(self, circuit: Circuit, asserted: Sequence[int], conflicts: int) -> Answer:
        """The answer on file to a question, checked; `unknown` where there is none."""
        whole = formula(circuit, asserted)
        key = key_of(whole)
        self.used.add(key)
        if key not in self.known:
            self.known[key] = self.checked(circuit, asserted, whole, key)
        return self.known[key]

    def checked(self, circuit: Circuit, asserted: Sequence[int], whole: Formula, key: str) -> Answer:
        """The answer on file under a key, checked against a formula; raises Broken."""
        files = self.files
        if f"{key}.yes" in files:
            try:
                told = [int(w) for w in files[f"{key}.yes"].split()]
            except ValueError:
                raise Broken(f"{self.archive.name}#{key}: not a list of inputs") from None
            true = gates(circuit, asserted, told)
            if any((x > 0) != (abs(x) in true) for x in asserted):
                raise Broken(f"{self.archive.name}#{key}: what is on file as a solution is none")
            return Answer("yes", true)
        if f"{key}.cnf" not in files:
            return Answer("unknown")
        try:
            clauses = lrat.read_cnf(files[f"{key}.cnf"])
            if set(clauses) - set(whole.clauses):
                raise Broken(f"{self.archive.name}#{key}: the certificate has clauses that the formula does not have")
            lrat.check(clauses, lrat.read_proof(files.get(f"{key}.lrat", "")))
        except lrat.Refused as refused:
            raise Broken(f"{self.archive.name}#{key}: {refused}") from None
        return Answer("no")

    def refused(self, question: Obligation) -> bool:
        """Whether the answer on file to a question is no."""
        return -1 in question.asserted or self.answer(question.circuit, question.asserted, 0).verdict == "no"

    def facts(self, rules: Rules, deep: bool = False, beside: Rules | None = None) -> Lemmas:
        """The facts on file about rules, shown again to hold in every reachable position; none where there are none on file."""
        name = facts_file(rules, deep, beside)
        if name not in self._facts:
            self._facts[name] = self._facts_in(name, rules, deep, beside)
        return self._facts[name]

    def _facts_in(self, name: str, rules: Rules, deep: bool, beside: Rules | None) -> Lemmas:
        text = self.files.get(name)
        if text is None:
            return Lemmas(rules, (), 0, 0)
        self.used.add(name.removesuffix(".json"))
        known = {x.name: x for x in candidates(rules)}
        if deep:
            known |= {x.name: x for x in guesses(rules, self.facts(rules).proved, beside)}
        try:
            found = tuple(known[n] for n in json.loads(text))
        except (ValueError, KeyError, TypeError):
            raise Broken(f"{self.archive.name}: {name} speaks of facts that there are not") from None
        if not hold(rules, found, self.refused):
            raise Broken(f"{self.archive.name}: there is no proof that the facts hold in every reachable position")
        return Lemmas(rules, found, 0, 0)

    def unused(self) -> list[str]:
        """The answers on file that nothing asked for."""
        return sorted({name.partition(".")[0] for name in self.files} - self.used)


def gates(circuit: Circuit, asserted: Iterable[int], told: Iterable[int]) -> frozenset[int]:
    """The gates that are true under an assignment that makes the inputs of these numbers true, and the others false."""
    cone = circuit.cone([1, *asserted])
    chosen = set(told)
    inputs = {g: int(n in chosen) for n, g in enumerate(cone, 1) if circuit.kinds[g] == "input"}
    values = circuit.evaluate(inputs, cone)
    return frozenset(g for g, v in zip(cone, values, strict=True) if v)


def facts_file(rules: Rules, deep: bool = False, beside: Rules | None = None) -> str:
    """The name of the list of facts about rules: the plain ones, or the deeper ones, guessed with other rules beside."""
    more = "" if not deep else f"-deeper-{meaning(beside)[:KEY]}" if beside is not None else "-deeper"
    return f"facts-{meaning(rules)[:KEY]}{more}.json"


def hold(rules: Rules, facts: Sequence[Lemma], refused: Callable[[Obligation], bool]) -> bool:
    """Whether every question that stands between some facts and all reachable positions is refused."""
    return all(refused(q) for q in invariance(nothing_beside(rules), facts))
