"""Asking any program the questions of a suite, and judging its answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from xml.etree import ElementTree

from lawstone.cases.diagnose import Diagnosis
from lawstone.cases.protocol import Program, Reply, request
from lawstone.cases.vector import Answer, Ended, Suite, Vector
from lawstone.engine.notation import squeeze

Verdict = Literal["right", "wrong", "trouble", "not supported", "unspecified"]
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "trouble", "unspecified", "not supported")
"""`unspecified`: another answer than ours to an open question, one that some reading gives."""
Asking = Callable[[dict[str, Any]], Reply]


@dataclass(frozen=True)
class Result:
    """What became of one vector."""

    vector: Vector
    verdict: Verdict
    given: Mapping[str, Any] | None = None
    told: str = ""
    reading: str = ""
    """The reading that a program shows by an `unspecified` answer."""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"id": self.vector.id, "verdict": self.verdict, "rules": self.vector.rules, "ask": self.vector.ask,
                "move": self.vector.move, "moves": self.vector.moves, "variant": self.vector.variant,
                "expected": self.vector.expect.tree(), "given": self.given,
                "told": self.told, "reading": self.reading or None}  # fmt: skip


@dataclass
class Conformance:
    """All results of a suite."""

    suite: Suite
    results: list[Result] = field(default_factory=list)
    seconds: float = 0.0
    waited: float = 0.0
    interrupted: bool = False
    """The run was stopped before every vector was asked."""
    diagnosis: Diagnosis | None = None

    def of(self, *verdicts: Verdict) -> list[Result]:
        """The results with some verdicts."""
        return [r for r in self.results if r.verdict in verdicts]

    @property
    def faults(self) -> list[Result]:
        """What is wrong, and what went wrong."""
        return self.of("wrong", "trouble")

    @property
    def asked(self) -> int:
        """How many vectors were answered at all."""
        return len(self.results) - len(self.of("not supported"))

    def by_rule(self) -> dict[str, list[Result]]:
        """The faults under the rule that decides them; one with several rules stands under its first."""
        found: dict[str, list[Result]] = {}
        for result in self.faults:
            found.setdefault((result.vector.rules or ["(no rule)"])[0], []).append(result)
        return dict(sorted(found.items()))

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "game": self.suite.game, "suite": self.suite.name, "hash": self.suite.hash, "vectors": len(self.results),
            "counts": {v: len(self.of(v)) for v in VERDICTS}, "diagnosis": self.diagnosis.to_json() if self.diagnosis else None,
            "readings shown": readings_shown(self.results), "results": [r.to_json() for r in self.results],
        }  # fmt: skip


def run(suite: Suite, program: Program | Asking, keep: Callable[[Result], None] = lambda _: None) -> Conformance:
    """Ask a program every vector, or those before an interrupt. A program is a command, or in Python a function from a request to a
    reply."""
    done = Conformance(suite)
    began = time.perf_counter()
    ask = program.ask if isinstance(program, Program) else program
    try:
        for vector in suite.vectors:
            message = request(suite, vector)
            asked = time.perf_counter()
            reply = ask(message)
            done.waited += time.perf_counter() - asked
            done.results.append(judge(vector, reply))
            keep(done.results[-1])
    except KeyboardInterrupt:
        done.interrupted = True
    done.results = excused(done.results)
    done.seconds = time.perf_counter() - began
    return done


def judge_file(suite: Suite, answers: Mapping[str, Mapping[str, Any]]) -> Conformance:
    """Judge answers that were given beforehand; a vector without one counts as not supported."""
    done = Conformance(suite)
    for vector in suite.vectors:
        given = answers.get(vector.id)
        done.results.append(judge(vector, Reply({"unsupported": True} if given is None else dict(given))))
    done.results = excused(done.results)
    return done


def excused(results: list[Result]) -> list[Result]:
    """The results where a refused game is no fault, if a reading of an open question refuses it and fits all that was right.

    A reading does not fit where the program was right about a game that the reading refuses, or gave our answer where the
    reading gives another.
    """
    unfit: set[str] = set()
    for r in results:
        if r.verdict == "right":
            unfit |= {*r.vector.refused, *(f"{u.question}={u.answer}" for u in r.vector.under)}
    found = []
    for r in results:
        fits = [name for name in r.vector.refused if name not in unfit]
        refuses = r.verdict == "wrong" and r.given is not None and bool(r.given.get("error"))
        found.append(Result(r.vector, "unspecified", r.given, r.told, fits[0]) if refuses and fits else r)
    return found


def judge(vector: Vector, reply: Reply) -> Result:
    """What a reply is worth."""
    if reply.answer is None:
        return Result(vector, "trouble", told=f"{reply.trouble}: {reply.told}")
    given = reply.answer
    if given.get("unsupported"):
        return Result(vector, "not supported", told=str(given.get("why", "")))
    wrong = mismatch(vector, vector.expect, given)
    if not wrong:
        return Result(vector, "right", given)
    if vector.status == "unspecified":
        for reading in vector.under:
            if not mismatch(vector, reading.expect, given):
                return Result(vector, "unspecified", given, wrong, f"{reading.question}={reading.answer}")
        if not vector.under:
            return Result(vector, "unspecified", given, wrong)
    return Result(vector, "wrong", given, wrong)


def mismatch(vector: Vector, expect: Answer, given: Mapping[str, Any]) -> str:
    """How an answer differs from the expected one, in words; empty where it does not.

    What the question asks for must be there; what a program says beyond that is compared too, and what it leaves out is not.
    """
    if vector.ask == "event" and (expect.legal is False or given.get("legal") is False):
        refused = given.get("legal") is False or bool(given.get("error"))
        return "" if refused == (expect.legal is False) else f"it says that this can{'not' if refused else ''} happen"
    if given.get("error"):
        return f"it says: {given['error']}"
    match vector.ask:
        case "legal moves":
            return _lists(expect.moves or [], given.get("moves"), "moves")
        case "legal picks":
            return _lists(expect.picks or [], given.get("picks"), "picks")
        case "is legal":
            if not isinstance(given.get("legal"), bool):
                return "`legal` is not true or false"
            return "" if given["legal"] == bool(expect.legal) else f"it says {'legal' if given['legal'] else 'not legal'}"
        case "outcome":
            return _outcomes(expect.outcome, given, must=True)
        case "who acts":
            if "acts" not in given:
                return "`acts` is not there"
            return "" if expect.acts is None or given["acts"] == expect.acts else f"it says that {given['acts']} is to act"
        case "event":
            told = _outcomes(expect.outcome, given, must=True)
            boards = _boards(expect.board or {}, given["board"]) if not told and given.get("board") is not None else ""
            return told or boards or _more(expect, given)
    if "board" not in given:
        return "`board` is not there"
    return _boards(expect.board or {}, given["board"]) or _more(expect, given)


def _more(expect: Answer, given: Mapping[str, Any]) -> str:
    for key, mine in (("acts", expect.acts), ("phase", expect.phase), ("hands", expect.hands)):
        if mine is not None and given.get(key) is not None and given[key] != mine:
            return f"{key}: it says {given[key]}, and it is {mine}"
    return _outcomes(expect.outcome, given, must=False)


def _lists(expect: Iterable[str], given: Any, what: str) -> str:
    if not isinstance(given, list) or not all(isinstance(m, str) for m in given):
        return f"`{what}` is not a list of texts"
    mine, theirs = {squeeze(m): m for m in expect}, {squeeze(m): m for m in given}
    lacking, extra = sorted(mine[m] for m in mine.keys() - theirs), sorted(theirs[m] for m in theirs.keys() - mine.keys())
    if len(given) != len(theirs):
        extra += ["the same one twice"]
    told = [f"missing {_few(lacking)}"] if lacking else []
    return ", ".join(told + ([f"not legal: {_few(extra)}"] if extra else []))


def _few(words: list[str]) -> str:
    return ", ".join(words[:6]) + (f" and {len(words) - 6} more" if len(words) > 6 else "")


def _boards(expect: Mapping[str, str], given: Any) -> str:
    if not isinstance(given, dict):
        return "`board` is not an object"
    theirs = {s: t for s, t in given.items() if t not in (None, "", ".")}
    wrong = [s for s in sorted({*expect, *theirs}) if expect.get(s) != theirs.get(s)]
    return "; ".join(f"{s} holds {theirs.get(s, 'nothing')}, and should hold {expect.get(s, 'nothing')}" for s in wrong[:4])


def _outcomes(expect: Ended | str | None, given: Mapping[str, Any], must: bool) -> str:
    if "outcome" not in given:
        return "`outcome` is not there" if must else ""
    theirs = given["outcome"]
    if theirs in (None, "none"):
        return "" if not isinstance(expect, Ended) else "it says that the game goes on"
    if not isinstance(theirs, dict):
        return "`outcome` is neither `none` nor an object"
    told = f"{theirs.get('winner') or ''} {theirs.get('result')}{' by ' + str(theirs['by']) if theirs.get('by') else ''}".strip()
    if not isinstance(expect, Ended):
        return f"it says: {told}"
    same = theirs.get("result") == expect.result and theirs.get("winner") == expect.winner
    return "" if same and theirs.get("by") in (None, "", expect.by) else f"it says: {told}"


def readings_shown(results: Iterable[Result]) -> dict[str, int]:
    """The readings of open questions that a program's answers show, and by how many vectors each."""
    found: dict[str, int] = {}
    for r in results:
        if r.verdict == "unspecified" and r.reading:
            found[r.reading] = found.get(r.reading, 0) + 1
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def junit(done: Conformance) -> str:
    """The results as JUnit XML."""
    counts = {"tests": len(done.results), "failures": len(done.of("wrong")), "errors": len(done.of("trouble")),
              "skipped": len(done.of("not supported", "unspecified"))}  # fmt: skip
    root = ElementTree.Element(
        "testsuite",
        {"name": f"{done.suite.game} {done.suite.name}", **{k: str(v) for k, v in counts.items()}, "time": f"{done.seconds:.3f}"},
    )
    for r in done.results:
        name = f"{r.vector.id} {r.vector.ask}{' ' + r.vector.move if r.vector.move else ''}"
        case = ElementTree.SubElement(
            root, "testcase", {"classname": f"{done.suite.game}.{(r.vector.rules or ['rules'])[0]}", "name": name}
        )
        tag = {"wrong": "failure", "trouble": "error", "not supported": "skipped", "unspecified": "skipped"}.get(r.verdict)
        if tag:
            ElementTree.SubElement(case, tag, {"message": clean(r.told or r.verdict)}).text = clean(explained(r))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def clean(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(
        c if c in "\n\t" or (c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff") else "?" for c in text
    )


def explained(r: Result) -> str:
    """One fault for a reader: the game, the board, what was asked, what was answered, what is right and why."""
    v = r.vector
    moves = " ".join(f"{n}.{m}" if " " not in m else f"{n}.({m})" for n, m in enumerate(v.moves, 1)) or "(the start)"
    asked = f"{v.ask} {v.move}" if v.move else v.ask
    rows = [f"{v.id}  {asked}{'  [' + v.variant + ']' if v.variant else ''}", f"  {v.says}", f"  moves: {moves}"]
    rows += [f"    {row}" for row in v.position.drawn.splitlines()]
    rows.append(f"  {v.position.acts} to act" + (f", phase {v.position.phase}" if v.position.phase else ""))
    rows.append(f"  right: {in_words(v.expect)}")
    rows.append(f"  given: {r.told}")
    return "\n".join(rows)


def in_words(a: Answer) -> str:
    """An answer in a line."""
    if a.moves is not None or a.picks is not None:
        listed = a.moves if a.moves is not None else a.picks or []
        return (" ".join(listed[:12]) + (f" and {len(listed) - 12} more" if len(listed) > 12 else "")) or "none"
    if a.legal is not None:
        return "legal" if a.legal else "not legal"
    told = [f"{a.acts} to act"] if a.acts else []
    if isinstance(a.outcome, Ended):
        told.append(f"{a.outcome.winner or ''} {a.outcome.result} by {a.outcome.by}".strip())
    elif a.outcome == "none":
        told.append("the game goes on")
    if a.board is not None:
        told.append("board " + " ".join(f"{s}={t}" for s, t in a.board.items()))
    return "; ".join(told) or "nobody is to act"
