"""`conform`: run any program against a suite, and say what it means by its answers."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lawstone.cases import conform as runner
from lawstone.cases.conform import VERDICTS, Conformance, explained
from lawstone.cases.diagnose import diagnose
from lawstone.cases.make import Maker
from lawstone.cases.protocol import Patience, Program, answers_in
from lawstone.cases.vector import read_suite
from lawstone.cli.main import FINDINGS, INTERRUPTED, OK
from lawstone.cli.progress import Progress
from lawstone.cli.shared import PLAIN_EXITS, Command, print_json
from lawstone.data import shipped_suite
from lawstone.spec import load


@click.command(
    cls=Command,
    short_help="Run any program against a suite, and say which rule it breaks.",
    examples=[
        ("lawstone conform xxung -- ./my-game-engine", "the core suite of a shipped game"),
        ("lawstone conform my-game/ --suite full.json -- java Adapter", "a suite of your own"),
        ("lawstone conform xxung --answers my-game.jsonl", "answers that were given beforehand"),
    ],
    exits={
        **PLAIN_EXITS,
        0: "every answer is right",
        1: "wrong answers, or a program that failed, or none that it supports",
        130: "interrupted: the report is of the vectors asked so far",
    },
)
@click.argument("game", metavar="GAME")
@click.argument("command", nargs=-1, metavar="[-- COMMAND...]")
@click.option(
    "--suite",
    "path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The suite; unsaid, the published core suite.",
)
@click.option("--full", is_flag=True, help="The published full suite.")
@click.option(
    "--answers", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A file of answers instead of a program."
)
@click.option("--timeout", type=click.FloatRange(0.01), default=Patience.answer, show_default=True, help="Seconds for one answer.")
@click.option(
    "--start-timeout", type=click.FloatRange(0.01), default=Patience.start, show_default=True, help="Seconds for the first answer."
)
@click.option("--most", type=click.IntRange(0), default=5, show_default=True, help="Boards shown of each rule.")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Also write JUnit XML.")
@click.option("--no-diagnosis", is_flag=True, help="Do not look for the reading that explains the faults.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def conform(
    game: str, command: tuple[str, ...], path: Path | None, full: bool, answers: Path | None, timeout: float, start_timeout: float,
    most: int, junit: Path | None, no_diagnosis: bool, as_json: bool,
) -> int:  # fmt: skip
    """Ask COMMAND every vector of a suite of GAME, by lines of JSON on its standard input and output (docs/protocol.md).

    The report is by rule, with boards. Wrong answers are compared with every reading and every likely misreading of the rules,
    and the one that explains them is named.
    """
    if bool(command) == bool(answers):
        raise click.UsageError("give the program after --, or a file of answers with --answers")
    spec = load(game)
    found = path or shipped_suite(spec.id, "full" if full else "core")
    if found is None:
        raise click.UsageError(f"no suite of {spec.id} is published; write one with `lawstone cases` and name it with --suite")
    suite = read_suite(found)
    if suite.game != spec.id:
        raise click.UsageError(f"{found} is a suite of {suite.game}, not of {spec.id}")
    if answers is not None:
        done = runner.judge_file(suite, answers_in(answers.read_text(encoding="utf-8", errors="replace")))
    else:
        with Program(command, Patience(start_timeout, timeout)) as program, Progress(spec.title, len(suite.vectors)) as progress:
            done = runner.run(suite, program, lambda _: progress.step())
    if not no_diagnosis:
        done.diagnosis = diagnose(Maker(spec), done.results, runner.mismatch)
    if junit is not None:
        junit.write_text(runner.junit(done), encoding="utf-8")
    if as_json:
        print_json(done.to_json())
    else:
        sys.stdout.write(text(done, most))
    if done.interrupted:
        click.echo(f"interrupted: {len(done.results)} of {len(suite.vectors)} vectors were asked", err=True)
        return INTERRUPTED
    return OK if not done.faults and done.asked else FINDINGS


def text(done: Conformance, most: int = 5) -> str:
    """The report for people."""
    counts = ", ".join(f"{len(done.of(v))} {v}" for v in VERDICTS if done.of(v))
    rows = [f"{done.suite.title}, {done.suite.name} suite, rules version {done.suite.rules_version}: {counts or 'no vectors'}"]
    if not done.asked:
        rows.append("the program supports none of the questions: nothing was checked")
    if done.diagnosis is not None:
        rows += ["", *done.diagnosis.sentences()]
    shown = runner.readings_shown(done.results)
    if shown:
        rows += ["", "open questions that the program answers otherwise, which is not a fault:"]
        rows += [f"  {name} ({n} vectors)" for name, n in shown.items()]
    for rule, faults in done.by_rule().items():
        rows += ["", f"{rule}: {len(faults)} faults"]
        for fault in faults[:most]:
            rows += ["", *(f"  {row}" for row in explained(fault).splitlines())]
        if len(faults) > most:
            rows += ["", f"  and {len(faults) - most} more: {' '.join(f.vector.id for f in faults[most:][:20])}"]
    return "\n".join(rows) + "\n"
