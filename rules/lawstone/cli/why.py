"""`lawstone why`: a question explained in words, with the board where its answers part and the way to close it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from lawstone.check.render import kinds, verdict_words, wrapped
from lawstone.check.report import Part, Recorded, read_results
from lawstone.check.run import Plan, named, status_word
from lawstone.cli.check import ALL_KINDS, EFFORTS, UNROLLING, results_path
from lawstone.cli.main import OK
from lawstone.cli.shared import PLAIN_EXITS, Command, Size, print_json
from lawstone.cli.work import bounded
from lawstone.model.faults import suggest
from lawstone.model.game import Question
from lawstone.publish.why import Closing, Compared, Reading, Teller, Why
from lawstone.spec import Spec, Usage, load

HELP = """Explain a question of GAME in words: what each answer means, the board where the answers part, what each side may do
there, how much it matters, what each answer changes in the rules, who has decided what, and how an editor closes it.

Without --question all questions are listed, with what is known of each. What is on record in proofs/ is replayed and not looked
for again; what is not on record is looked for, which can take a minute.

Reading A is the answer that holds as long as nobody says otherwise; B is another one. A witness is a game from the start: play it
with `lawstone play GAME` and you stand before the board that is shown.
"""


@click.command(
    cls=Command,
    help=HELP,
    short_help="Explain a question in words: both readings, where they part, how to close it.",
    examples=[
        ("lawstone why oxono", "all questions of Oxono, one line each"),
        ("lawstone why oxono --question jump-over-totem", "one of them, explained"),
        ("lawstone why oxono --question rim --answer may-not-be-chosen", "only this answer, beside the one that holds"),
        ("lawstone why xxung --question in-line --all-kinds", "with a board for every kind of difference"),
        ("lawstone why my-game/ --question passing", "a question of a game of your own"),
    ],
    exits={**PLAIN_EXITS, 4: "a bound was reached first", 130: "interrupted"},
)
@click.argument("game", metavar="GAME")
@click.option("--question", metavar="ID", help="The question; unsaid, a list of all.")
@click.option("--answer", default="", metavar="ID", help="Only this answer, beside the one that holds.")
@click.option("--variant", default="", metavar="NAME", help="As asked in this variant.")
@click.option("--board", type=Size(), help="Another board size, where it is a parameter.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Seed of the random games.")
@click.option("--all-kinds", is_flag=True, help=ALL_KINDS)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
@bounded(cached=True)
def why(
    game: str, question: str | None, answer: str, variant: str, board: tuple[int, int] | None, seed: int, all_kinds: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """See HELP."""
    spec = load(game)
    spec.file(variant, None, board)
    if question is None:
        if answer or all_kinds:
            raise Usage(f"{'--answer' if answer else '--all-kinds'} belongs to a question: name it with --question")
        return _list(spec, variant, board, as_json)
    asked, variant = _asked(spec, question, variant)
    if answer and answer not in asked.answers:
        raise Usage(f"the question {question!r} has no answer {answer!r}", suggest(answer, tuple(asked.answers)))
    budget = EFFORTS["default"]
    plan = Plan(variant, board=board, budget=type(budget)(**{**vars(budget), "seed": seed}), unroll_seconds=UNROLLING, verb="prove",
                all_kinds=all_kinds)  # fmt: skip
    told = Teller(spec, plan, {} if board else recorded(spec)).why(asked, variant, answer)
    if as_json:
        print_json(told.model_dump(by_alias=True))
    else:
        click.echo("\n".join(page(told)))
    return OK


def recorded(spec: Spec) -> Mapping[str, Recorded]:
    """The findings on record for the game as it is, by key."""
    kept = read_results(results_path(spec))
    return {} if kept is None or kept.rules_version != spec.game.rules_version else {f.key: f for f in kept.findings}


def _asked(spec: Spec, name: str, variant: str) -> tuple[Question, str]:
    """A question and the variant in which it is asked."""
    known = [q.id for q in spec.game.questions or []]
    if name not in known:
        raise Usage(f"{spec.id} has no question {name!r}", suggest(name, known) or f"it has {', '.join(known) or 'none'}")
    found = next(q for q in spec.game.questions or [] if q.id == name)
    own = found.in_ if found.in_ not in (None, "base") else ""
    if variant and found not in spec.questions(variant):
        raise Usage(f"the question {name!r} is not asked in the variant {variant!r}" + (f" but in {own}" if own else ""))
    return found, variant or own or ""


# -- the list ---------------------------------------------------------------------------------------------------------------------


class Row(Part):
    """A question in the list: what holds, and what is known of each other answer."""

    question: str
    variant: str
    status: str
    ask: str
    holds: str
    verdicts: dict[str, str]


def rows(spec: Spec, variant: str, kept: Mapping[str, Recorded]) -> Iterator[Row]:
    """All questions, or those of a variant."""
    for q in spec.questions(variant) if variant else spec.game.questions or []:
        base, where = spec.base_answer(q), variant or (q.in_ if q.in_ not in (None, "base") else "") or ""
        found = {a: kept.get(f"{where or 'base'}/{q.id}/{base}/{a}") for a in q.answers if a != base}
        verdicts = {a: r.verdict if r is not None else "" for a, r in found.items()}
        yield Row(question=q.id, variant=where, status=status_word(q), ask=spec.ask(q), holds=base, verdicts=verdicts)


def _list(spec: Spec, variant: str, board: tuple[int, int] | None, as_json: bool) -> int:
    listed = list(rows(spec, variant, {} if board else recorded(spec)))
    if as_json:
        print_json({"game": spec.id, "questions": [r.model_dump(by_alias=True) for r in listed]})
    elif not listed:
        click.echo(f"{spec.title}: no questions are asked about these rules.")
    else:
        click.echo(f"{spec.title}: {len(listed)} {'question' if len(listed) == 1 else 'questions'}\n")
        for status, head in (("open", "Open: no source answers them"), ("differs", "Sources differ"), ("settled", "Settled")):
            click.echo("".join(_listed(head, [r for r in listed if r.status == status])), nl=False)
        click.echo(f"Explain one: lawstone why {named(spec)} --question {listed[0].question}")
    return OK


def _listed(head: str, listed: list[Row]) -> Iterator[str]:
    if listed:
        yield f"{head}\n"
        for r in listed:
            others = ", ".join(f"or {a}{f' ({_brief(v)})' if v else ''}" for a, v in r.verdicts.items())
            where = f" (in {r.variant})" if r.variant else ""
            yield f"  {r.question}{where}\n{wrapped(r.ask, '      ')}\n{wrapped(f'{r.holds}, {others}', '      ')}\n"
        yield "\n"


def _brief(verdict: str) -> str:
    return {"differ": "plays otherwise", "same: proved": "plays alike: proved", "same: bounded": "no difference found"}.get(
        verdict, verdict
    )


# -- one question -----------------------------------------------------------------------------------------------------------------


def page(told: Why) -> Iterator[str]:
    """A question as text."""
    yield f"{told.title}{f' ({told.variant})' if told.variant else ''}: {told.question} [{told.status}]"
    yield wrapped(told.ask)
    yield from (wrapped(r) for r in told.remarks)
    yield "\nWho has decided"
    yield from (wrapped(d) for d in told.decided)
    for n, pair in enumerate(told.compared):
        if len(told.compared) > 1:
            yield f"\n{'=' * 12} {pair.a.answer} or {pair.b.answer} {'=' * 12}"
        yield from _compared(pair, n == 0)
    yield "\nHow to close it"
    yield from (_closing(told.closing) if told.closing else [wrapped(_closed(told))])


def _closed(told: Why) -> str:
    wrong = [c.b.answer for c in told.compared if c.finding.verdict == "differ"]
    return f"It is closed. A program that plays {' or '.join(wrong)} is wrong." if wrong else "It is closed."


def _compared(c: Compared, first: bool) -> Iterator[str]:
    found = c.finding
    yield "\nThe two readings"
    yield wrapped(f"A {c.a.answer}: {c.a.says}")
    yield wrapped(f"B {c.b.answer}: {c.b.says}")
    yield f"\nWhere they part: {verdict_words(found)}"
    if found.witness is None:
        yield wrapped(f"Nowhere that was found. {found.bound[:1].upper()}{found.bound[1:]}.")
    elif found.witness.moves:
        yield wrapped(f"after {'  '.join(found.witness.moves)}")
    else:
        yield wrapped("at the start, before any move")
    for head, board in c.boards[:2] if c.boards and c.boards[0][0] else c.boards[:1]:
        yield from (["", wrapped(f"{head}:")] if head else [""])
        yield textwrap.indent(board, "    ")
    if c.there:
        yield ""
    yield from (wrapped(t) for t in c.there)
    if found.witness is not None and found.witness.moves:
        yield wrapped(f"Shortness: {found.witness.how}.")
    general = found.witness.general if found.witness is not None else None
    if general is not None and general.says:
        yield "\nWhat of it does not matter"
        yield from (wrapped(s) for s in general.says)
        if general.board:
            yield f"\n{textwrap.indent(general.board, '    ')}"
    if found.kinds is not None and found.kinds.found:
        yield "\nIn which other ways they part"
        yield from kinds(found.kinds)
    if c.matters:
        yield "\nHow much it matters"
        yield wrapped(f"{c.matters[:1].upper()}{c.matters[1:]}")
    yield "\nWhat each answer changes in the rules"
    yield from _amendments("A", c.a)
    yield from _amendments("B", c.b)


def _amendments(letter: str, side: Reading) -> Iterator[str]:
    if not side.amendments:
        yield wrapped(f"{letter} {side.answer}: nothing; the rules stay as they are written.")
        return
    yield wrapped(f"{letter} {side.answer}:")
    for a in side.amendments:
        if a.before and a.after and a.before != a.after:
            yield wrapped(f"{a.rule} now says: {a.before}", "      ")
            yield wrapped(f"and would say: {a.after}", "          ")
        else:
            told = f"added: {a.after}" if a.after and not a.before else "taken out" if a.before and not a.after else "changed"
            yield wrapped(f"{a.rule}: {told}", "      ")


def _closing(closing: Closing) -> Iterator[str]:
    path = Path(closing.file)
    near = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    yield wrapped(f"The question stands in {near}, line {closing.line}. Decide, and write into it, with your answer:")
    yield f"      {closing.ruling}"
    yield wrapped(
        f"or, where a sentence of a source says {closing.first}, the answer that stands first, name the sentence instead:"
    )
    yield f"      {closing.settled}"
    yield wrapped("From then on every command plays by the answer. This says whether it is closed:")
    yield f"      {closing.command}"
