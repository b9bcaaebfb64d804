"""Answers by a solver, each with a certificate: a proof for a no, a solution for a yes (see `onfile.py`, where they are read)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lawstone.lower import Rules
from lawstone.prove import lrat
from lawstone.prove.ask import Answer, answered_by, learnt_by, limited, solver_of
from lawstone.prove.certificate import Broken, Clause, Formula, dimacs, formula, lrat_text
from lawstone.prove.circuit import Circuit
from lawstone.prove.deeper import deeper
from lawstone.prove.elaborate import NotShown, elaborate
from lawstone.prove.lemmas import Lemmas, kept_or_proved
from lawstone.prove.obligations import Obligation
from lawstone.prove.onfile import OnFile, facts_file, gates, hold, key_of
from lawstone.prove.secondopinion import ask_z3
from lawstone.prove.settle import solve
from lawstone.prove.smtlib import smtlib

LONGEST = 40_000
"""Clauses learnt beyond which no proof is made of them: the certificate would be larger than it is worth."""
FACTS = 60_000
"""Conflicts that a question about facts may take."""


@dataclass
class Certifying:
    """Answers with their certificates in `files`, and beside each no what Z3 says of it, where it is asked.

    What is in the archive `before` already, and stands, is taken from there.
    """

    opinions: bool = True
    before: OnFile | None = None
    files: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    known: dict[str, Answer] = field(default_factory=dict)
    _facts: dict[str, tuple[Lemmas, set[str]]] = field(default_factory=dict)

    def answer(self, circuit: Circuit, asserted: Sequence[int], conflicts: int) -> Answer:
        """The solver's answer; a no that cannot be certified is unknown."""

        def asked(whole: Formula, key: str) -> Answer:
            with solver_of(bootstrap_with=[list(c) for c in whole.clauses], with_proof=True) as solver:
                found = limited(solver, conflicts)
                if found is None:
                    return Answer("unknown")
                if found:
                    true = set(solver.get_model() or ())
                    told = [n for n in sorted(whole.names) if n in true]
                    self.files[f"{key}.yes"] = " ".join(map(str, told)) + "\n"
                    return Answer("yes", gates(circuit, asserted, told))
                learnt = learnt_by(solver)
            return self._certified(circuit, asserted, whole, key, learnt)

        return self._answered(circuit, asserted, asked)

    def refused(self, question: Obligation) -> bool:
        """Whether the answer to a question is no, with the help of facts about counting where it is hard."""
        if -1 in question.asserted:
            return True

        def asked(whole: Formula, key: str) -> Answer:
            verdict, _, learnt = solve(question, FACTS)
            if verdict != "no":
                return Answer("unknown")
            return self._certified(question.circuit, question.asserted, whole, key, learnt or [])

        return self._answered(question.circuit, question.asserted, asked).verdict == "no"

    def _answered(self, circuit: Circuit, asserted: Sequence[int], asked: Callable[[Formula, str], Answer]) -> Answer:
        """An answer of this run, or of an earlier one that stands, or as it is asked now."""
        whole = formula(circuit, asserted)
        key = key_of(whole)
        self.used.add(key)
        if key not in self.known:
            self.known[key] = self._kept(circuit, asserted, whole, key) or asked(whole, key)
        return self.known[key]

    def _kept(self, circuit: Circuit, asserted: Sequence[int], whole: Formula, key: str) -> Answer | None:
        """The answer of an earlier run with its files; None where there is none that stands."""
        if self.before is None:
            return None
        try:
            found = self.before.checked(circuit, asserted, whole, key)
        except Broken:
            return None
        if found.verdict == "unknown":
            return None
        self.files |= {n: text for n, text in self.before.files.items() if n.partition(".")[0] == key}
        if found.verdict == "no":
            self._ask_z3(circuit, asserted, key)
        return found

    def _certified(self, circuit: Circuit, asserted: Sequence[int], whole: Formula, key: str, learnt: list[Clause]) -> Answer:
        """A no with its certificate among `files`; unknown where none can be made."""
        if len(learnt) > LONGEST:
            return Answer("unknown")
        try:
            core = elaborate(whole.clauses, learnt)
        except NotShown:
            return Answer("unknown")
        lrat.check(core.clauses, core.steps)
        self.files |= {f"{key}.cnf": dimacs(whole.variables, core.clauses), f"{key}.lrat": lrat_text(core.steps)}
        self._ask_z3(circuit, asserted, key)
        return Answer("no")

    def _ask_z3(self, circuit: Circuit, asserted: Sequence[int], key: str) -> None:
        if not self.opinions or f"{key}.second" in self.files:
            return
        told = ask_z3(smtlib(circuit, asserted, "a question on file"))
        if told.answer == "sat":
            raise AssertionError(f"{key}: z3 says that there is a solution, and a checked proof says that there is none")
        if told.answer != "absent":
            self.files[f"{key}.second"] = f"{told}\n"

    def opinions_on(self, keys: Iterable[str]) -> dict[str, int]:
        """What a second solver said of some answers, and how often."""
        return dict(Counter(self.files[f"{k}.second"].strip() for k in keys if f"{k}.second" in self.files))

    def facts(self, rules: Rules, deep: bool = False, beside: Rules | None = None) -> Lemmas:
        """The facts that hold in every reachable position, with certificates; none where one is missing."""
        name = facts_file(rules, deep, beside)
        if name not in self._facts:
            plain, needs = (self.facts(rules), self.needs(rules)) if deep else (None, set[str]())
            with answered_by(None):
                lemmas = deeper(rules, beside) if deep else kept_or_proved(rules)
            before, self.used = self.used, set()
            if (plain is None or plain.proved) and hold(rules, lemmas.proved, self.refused):
                self.files[name] = json.dumps([x.name for x in lemmas.proved], ensure_ascii=False, indent=0) + "\n"
                self._facts[name] = lemmas, self.used | needs | {name.removesuffix(".json")}
            else:
                self._facts[name] = Lemmas(rules, (), 0, 0), set()
            self.used = before
        return self._facts[name][0]

    def needs(self, rules: Rules, deep: bool = False, beside: Rules | None = None) -> set[str]:
        """The answers and lists that some facts rest on."""
        return self._facts.get(facts_file(rules, deep, beside), (None, set[str]()))[1]
