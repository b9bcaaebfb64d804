"""`check` and `diff`: findings on a game, and what an edit changed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from lawstone import data
from lawstone.check import kinds, render, run
from lawstone.check.report import Report, Results, read_results, results_of, write_results
from lawstone.check.search import Budget
from lawstone.cli.main import BAD_INPUT, FINDINGS, INTERRUPTED, OK, UNDECIDED, wants_colour
from lawstone.cli.progress import Progress
from lawstone.cli.shared import PLAIN_EXITS, Ask, Command, Size, print_json
from lawstone.cli.work import bound_flags, bounded, kept_words, works
from lawstone.engine.drawn import draw
from lawstone.engine.game import Game
from lawstone.model.faults import BadInput
from lawstone.spec import Spec, Usage, load
from lawstone.work.bounds import cpu_seconds
from lawstone.work.crew import Crew

_EXITS: Mapping[int, str] = {
    **PLAIN_EXITS,
    0: "nothing to report, or every finding is recorded in proofs/<game>/results.json",
    1: "findings that are not recorded there, or a worked example that does not hold",
    4: "undecided: no difference was found, and none was proved absent (1 goes before 4)",
    130: "interrupted: the findings made so far are printed",
}
EFFORTS: Mapping[str, Budget] = {
    "quick": Budget(pairs=6_000, games=60, replays=800),
    "default": Budget(),
    "deep": Budget(pairs=600_000, games=3_000, replays=20_000),
}
"""How much is spent on each pair of readings."""
UNROLLING = 20.0
"""CPU-seconds of unrolling for each pair of readings in `prove`, unless a time is given."""
ALL_KINDS = f"For each difference also a shortest game of every other kind of difference met, at most {kinds.MOST} kinds in all."


def _budget(effort: str, seed: int) -> Budget:
    b = EFFORTS[effort]
    return Budget(b.pairs, b.games, b.plies, b.replays, seed)


@click.command(
    cls=Command,
    short_help="Check a game: faults, and where its rules can be read two ways.",
    examples=[
        ("lawstone check xxung", "every question of a shipped game, gaps, and its worked examples"),
        ("lawstone check my-game/ --watch", "check a game of your own again whenever one of its files changes"),
        ("lawstone check oxono --question rim", "one question"),
        ("lawstone check xxung --question in-line --all-kinds", "every kind of difference that its answers make, each on a board"),
        ("lawstone check oxono --board - < position.txt", "is this pasted position well formed, and what is legal there?"),
    ],
    exits=_EXITS,
)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--question", "questions", multiple=True, metavar="ID", help="Only this question; may be repeated.")
@click.option("--variant", default="", metavar="NAME", help="Only this variant.")
@click.option(
    "--board",
    type=Size(or_position=True),
    help="Another board size, where it is a parameter; or - or a file: a position to check.",
)
@click.option("--effort", type=click.Choice(list(EFFORTS)), default="default", help="How much to spend on each pair of readings.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the random games.")
@click.option("--settled", is_flag=True, help="Show the boards of settled questions too.")
@click.option("--harmless", is_flag=True, help="Show the conflicts and redundant words that change no result too.")
@click.option("--all-kinds", is_flag=True, help=ALL_KINDS)
@click.option("--syntax", is_flag=True, help="Only read and check the files: no play.")
@click.option("--record", is_flag=True, help="Write the findings to proofs/<game>/results.json.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Also write each report (text and JSON) into this folder."
)
@click.option("--watch", is_flag=True, help="Check again whenever a file of the game changes; Ctrl-C ends it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option("--no-color", is_flag=True, help="No colours; NO_COLOR in the environment does the same.")
@works
def check(games: tuple[str, ...], watch: bool, as_json: bool, no_color: bool, crew: Crew, **options: Any) -> int:
    """Check GAME: its files, every question, gaps that play runs into, and its worked examples.

    For each question both readings of each pair are played side by side, and the place where they part is shown: the board,
    the moves that lead there, what each reading says, and how much it matters. Every witness is a game from the start and has
    been replayed by the reference interpreter.
    """
    if isinstance(options["board"], str):
        return _check_position(games, options["board"], options["variant"], no_color)
    if watch:
        return _watch(games, options, no_color, crew)
    return _check_all(games, options, as_json, no_color, crew)


def _check_all(games: tuple[str, ...], options: Mapping[str, Any], as_json: bool, no_color: bool, crew: Crew) -> int:
    codes: list[int] = []
    documents: list[Any] = []
    for name in games:
        try:
            spec = load(name)
            faults = spec.faults()
            if faults:
                raise BadInput(faults)
        except BadInput as bad:
            if len(games) == 1 and not as_json:
                raise
            click.echo(bad.render(wants_colour(sys.stderr, no_color)), err=True)
            codes.append(BAD_INPUT)
            documents.append({"game": name, "faults": [f.render() for f in bad.faults]})
            continue
        if options["syntax"]:
            click.echo(f"{spec.title}: {len(spec.all_rules())} rules, no faults", err=as_json)
            codes.append(OK)
            continue
        report, code = _check_one(spec, options, as_json, crew)
        codes.append(code)
        documents.append(report.model_dump(by_alias=True))
        if code == INTERRUPTED:
            break
    if as_json:
        print_json(documents[0] if len(games) == 1 and documents else {"reports": documents})
    return _worst(codes)


def _worst(codes: list[int]) -> int:
    return next((c for c in (INTERRUPTED, BAD_INPUT, FINDINGS, UNDECIDED) if c in codes), OK)


def _check_one(spec: Spec, options: Mapping[str, Any], as_json: bool, crew: Crew) -> tuple[Report, int]:
    budget = _budget(options["effort"], options["seed"])
    plan = run.Plan(
        options["variant"], True, options["board"], tuple(options["questions"]), budget, _unrolling(options),
        options.get("duties", False), *_called(options, crew), all_kinds=options["all_kinds"],
    )  # fmt: skip
    found: dict[int, list[run.Finding]] = {}
    interrupted = False

    def keep(i: int, answers: list[run.Finding]) -> None:
        found[i] = answers
        progress.step()

    with Progress(spec.title, len(run.queries(spec, plan))) as progress:
        try:
            report = run.check(spec, plan, progress.tell, keep, crew)
        except KeyboardInterrupt:
            interrupted = True
            report = run.report_of(spec, plan, found, cpu_seconds())
    text = render.whole(report, options["settled"], options["harmless"])
    if not as_json:
        click.echo(text)
    if options["out"] is not None:
        _write(options["out"], spec.id, text, report)
    if interrupted:
        click.echo("interrupted: these are the findings made so far", err=True)
        return report, INTERRUPTED
    where = results_path(spec)
    if options["record"]:
        write_results(
            _merged(read_results(where), results_of(report), partial=bool(plan.questions or plan.variant or plan.board)), where
        )
        click.echo(f"recorded in {where}", err=True)
        certify_record(spec, where.parent)
    recorded = _recorded(spec, plan)
    return report, _verdict(report, recorded, as_json, crew)


def _unrolling(options: Mapping[str, Any]) -> float:
    """CPU-seconds of unrolling for each pair of readings: none in `check`, the time that is given in `prove`."""
    if not options.get("duties", False):
        return 0.0
    return UNROLLING if options["seconds"] is None else float(options["seconds"])


def _called(options: Mapping[str, Any], crew: Crew) -> tuple[str, tuple[str, ...]]:
    """The command and its options, as far as a finding depends on them."""
    flags = (*(("--all-kinds",) if options["all_kinds"] else ()), *bound_flags(options["seconds"], crew))
    if options.get("duties", False):
        return "prove", flags
    return "check", (*(("--effort", options["effort"]) if options["effort"] != "default" else ()), *flags)


def _recorded(spec: Spec, plan: run.Plan) -> Mapping[str, str]:
    """The verdicts of recorded findings by key: of this rules version, on the game's own board."""
    kept = read_results(results_path(spec))
    if kept is None or kept.rules_version != spec.game.rules_version or plan.board is not None:
        return {}
    return {f.key: f.verdict for f in kept.findings}


def _merged(old: Results | None, new: Results, partial: bool) -> Results:
    if old is None or not partial or old.rules_version != new.rules_version:
        return new
    found = {f.key: f for f in old.findings} | {f.key: f for f in new.findings}
    return new.model_copy(update={"findings": [found[k] for k in sorted(found)]})


def results_path(spec: Spec) -> Path:
    """Where the findings of a game are recorded: with the shipped ones, or in the folder of a game of one's own."""
    if spec.path.parent.parent == data.spec_root():
        return data.proofs_root() / spec.id / "results.json"
    return spec.path.parent / "results.json"


def certify_record(spec: Spec, folder: Path) -> None:
    """Write certificates for what is on record as proved, and say where one could not be made."""
    from lawstone.check.certified import Record, certify

    record = Record(spec, folder)
    with Progress(f"{spec.title}: certificates", record.proofs) as progress:

        def tell(key: str) -> None:
            progress.tell(key)
            progress.step()

        missing = certify(record, tell)
    if missing:
        click.echo(f"{spec.id}: without a certificate: {', '.join(missing)}", err=True)
    elif record.archive.exists():
        click.echo(f"certificates in {record.archive}", err=True)


def _verdict(report: Report, recorded: Mapping[str, str], quiet: bool, crew: Crew) -> int:
    limits = crew.limits
    unrecorded, undecided = report.unrecorded(recorded), report.undecided(recorded)
    say: Callable[[str], None] = lambda text: click.echo(text, err=True)  # noqa: E731
    if report.failed_examples:
        say(f"{report.game}: {len(report.failed_examples)} worked examples do not hold")
        return FINDINGS
    if unrecorded:
        say(f"{report.game}: {len(unrecorded)} findings are not recorded: {', '.join(unrecorded)}")
        return FINDINGS
    if undecided:
        say(f"{report.game}: undecided: {', '.join(undecided)} (at most {limits} a question)")
        return UNDECIDED
    if not quiet:
        spent = f"{report.cpu_seconds:.0f} CPU-seconds; at most {limits} a question{kept_words(crew)}"
        say(f"{report.game}: all findings are recorded ({spent})")
    return OK


def _write(folder: Path, name: str, text: str, report: Report) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / f"{name}.json").write_text(report.model_dump_json(by_alias=True, indent=1) + "\n", encoding="utf-8")
    click.echo(f"written: {folder / name}.txt and .json", err=True)


def _check_position(games: tuple[str, ...], where: str, variant: str, no_color: bool) -> int:
    if len(games) != 1:
        raise click.UsageError("a position belongs to one game")
    ask = Ask(games[0], variant, {}, None, where, no_color=no_color)
    position = ask.position
    click.echo(draw(position, color=wants_colour(sys.stdout, no_color)))
    click.echo()
    outcome = position.outcome
    if outcome is not None and outcome.kind == "no rule":
        click.echo(f"{position.actor} to act, phase {position.phase}: no legal move, and no ending holds ({outcome.rule})")
        return FINDINGS
    click.echo(f"well formed: {position.actor} to act, phase {position.phase}, {len(position.moves)} legal moves")
    return OK


def _watch(games: tuple[str, ...], options: Mapping[str, Any], no_color: bool, crew: Crew) -> int:
    """Check again after each change of a file; a fault is shown and waited out."""
    seen: dict[Path, float] = {}
    while True:
        now = _stamps(games)
        if now != seen:
            seen = now
            click.clear()
            try:
                _check_all(games, options, False, no_color, crew)
            except (BadInput, Usage) as problem:
                click.echo(problem.render() if isinstance(problem, BadInput) else f"error: {problem}", err=True)
            click.echo("watching for changes; Ctrl-C ends", err=True)
        time.sleep(0.5)


def _stamps(games: tuple[str, ...]) -> dict[Path, float]:
    from lawstone.spec import find

    found: dict[Path, float] = {}
    for name in games:
        try:
            path = find(name)
        except BadInput:
            continue
        folder = path.parent if path.name == "game.yaml" else path
        for file in sorted(folder.glob("*")) if folder.is_dir() else [folder]:
            if file.exists():
                found[file] = file.stat().st_mtime
    return found


@click.command(
    cls=Command,
    short_help="Say what differs between two game files or two variants.",
    examples=[
        ("lawstone diff old/game.yaml new/game.yaml", "what did this edit change in play?"),
        ("lawstone diff gomoku gomoku --new-variant pro", "where does a variant part from the base?"),
        ("lawstone diff old/ new/ --all-kinds --time 60", "every kind of difference that a minute finds"),
    ],
    exits={
        **PLAIN_EXITS,
        0: "no difference was found",
        1: "they differ",
        4: "a bound was reached before a difference was found",
        130: "interrupted",
    },
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--old-variant", default="", metavar="NAME", help="The variant of OLD.")
@click.option("--new-variant", default="", metavar="NAME", help="The variant of NEW.")
@click.option("--board", type=Size(), help="The board size for both, where it is a parameter.")
@click.option("--effort", type=click.Choice(list(EFFORTS)), default="default", help="How much to spend.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the random games.")
@click.option("--all-kinds", is_flag=True, help=ALL_KINDS)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@bounded(cached=True)
def diff(
    old: str, new: str, old_variant: str, new_variant: str, board: tuple[int, int] | None, effort: str, seed: int, all_kinds: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Compare OLD and NEW: the rules whose clauses differ, and the first place where play parts."""
    games = [Game(s, s.rules(v, {}, board)) for s, v in ((load(old), old_variant), (load(new), new_variant))]
    if list(games[0].rules.words.players) != list(games[1].rules.words.players):
        raise Usage("the two games have other players, so they are not versions of one game")
    if games[0].rules.board.places != games[1].rules.board.places:
        raise Usage("the two games are played on other boards; --board resizes both where the size is a parameter")
    names = (f"{old} {old_variant}".strip(), f"{new} {new_variant}".strip())
    command = ["lawstone", "diff", old, new]
    command += [
        *(["--old-variant", old_variant] if old_variant else []),
        *(["--new-variant", new_variant] if new_variant else []),
    ]
    command += ["--board", f"{board[0]}x{board[1]}"] if board else []
    command += [*(["--effort", effort] if effort != "default" else []), "--seed", str(seed)]
    command += ["--all-kinds"] if all_kinds else []
    plan = run.Plan(board=board, budget=_budget(effort, seed), all_kinds=all_kinds)
    found = run.diff(games[0], games[1], plan, command, names)
    if as_json:
        print_json(found.model_dump(by_alias=True))
    else:
        click.echo(render.difference(found))
    return FINDINGS if found.verdict == "differ" else UNDECIDED if found.verdict == "unknown" else OK


@click.command(
    cls=Command,
    short_help="Settle every question by proof where it can be done.",
    examples=[
        ("lawstone prove xxung", "the strongest verdict on every question, and on every duty"),
        ("lawstone prove gomoku --question overline --time 60", "one question, with a minute in all for each pair of answers"),
    ],
    exits=_EXITS,
)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--question", "questions", multiple=True, metavar="ID", help="Only this question; may be repeated.")
@click.option("--variant", default="", metavar="NAME", help="Only this variant.")
@click.option("--board", type=Size(), help="Another board size, where it is a parameter.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the random games.")
@click.option("--settled", is_flag=True, help="Show the boards of settled questions too.")
@click.option("--harmless", is_flag=True, help="Show the conflicts and redundant words that change no result too.")
@click.option("--all-kinds", is_flag=True, help=ALL_KINDS)
@click.option("--record", is_flag=True, help="Write the findings to proofs/<game>/results.json.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Also write each report into this folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@click.option("--no-color", is_flag=True, help="No colours; NO_COLOR in the environment does the same.")
@works
def prove(games: tuple[str, ...], as_json: bool, no_color: bool, crew: Crew, **options: Any) -> int:
    """Settle every question of GAME by the strongest method that the time allows.

    Each pair of readings is compared on all well-formed positions at once, then under facts that are proved of all reachable
    positions, then by search, and then ply by ply by a solver, which finds a shortest game or proves that there is none so
    short. What each method gave is printed with the verdict. Every duty of every turn is asked too: can it always be met?
    """
    return _check_all(games, {**options, "effort": "default", "syntax": False, "duties": True}, as_json, no_color, crew)
