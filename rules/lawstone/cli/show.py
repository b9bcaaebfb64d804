"""`lawstone show`: a game in words, one rule with all that is known of it, or what the rules mean in core terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from lawstone.board import Board
from lawstone.cli import words
from lawstone.cli.shared import (
    PLAIN_EXITS,
    Ask,
    Command,
    Page,
    asks,
    game_json,
    headline,
    language_of,
    outcome_words,
    print_json,
    whose_turn,
)
from lawstone.core import Clause, Phase, Term, Turn, subterms
from lawstone.engine.drawn import parse_position, position_text
from lawstone.engine.emit import emit
from lawstone.engine.game import Game
from lawstone.engine.symmetry import symmetries
from lawstone.lower import Rules
from lawstone.model.faults import suggest
from lawstone.spec import Usage

HELP = """Show a game in words.

Title, board, pieces; each phase with the steps of its turn: the sentence of the rule and, beneath it behind a bar, what
the clause of the game file says, in words made from the file. Then shapes, endings in the order of testing, events,
variants, and the questions that the rules leave open, with their answers (* marks the one that holds).

With --variant, --reading or --board it is that game which is shown. --rule shows one rule: its prose in all languages,
the sentences of the founding text that carry it, and the worked examples with their boards.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone show oxono", "The rules of Oxono in words, with its questions."),
        ("lawstone show oxono --rule move.jump", "One rule: prose, sources, examples."),
        ("lawstone show gomoku --variant swap2 --lang cs", "An opening of Gomoku, in Czech."),
        ("lawstone show tic-tac-toe --core", "What the engine, the prover and the page all read."),
        ("lawstone legal xxung --json | jq -r .position | lawstone show xxung --position -", "A position, drawn."),
    ],
    exits=PLAIN_EXITS,
)
@click.option("--rule", metavar="ID", help="One rule, question or heading of the prose.")
@click.option("--core", is_flag=True, help="The lowered terms of each phase and turn.")
@click.option("--emitted", is_flag=True, help="The Python text that the everyday engine runs.")
@click.option("--facts", "factual", is_flag=True, help="Facts that make a compiled kernel faster, with their verdicts.")
@click.option("--symmetries", "carried", is_flag=True, help="The symmetries that the rules respect.")
@click.option("--lang", metavar="CODE", help="The language of the prose, such as en, cs or zh.")
@asks(position=True)
def show(ask: Ask, rule: str | None, core: bool, emitted: bool, factual: bool, carried: bool, lang: str | None) -> int:
    """See HELP."""
    forms = ("--rule", rule), ("--core", core), ("--emitted", emitted), ("--facts", factual), ("--symmetries", carried)
    asked = [name for name, given in forms if given]
    if len(asked) > 1:
        raise click.UsageError(f"{' and '.join(asked)} are shown one at a time")
    language, page = language_of(ask.spec, lang), Page.of(ask)
    if ask.position_from is not None:
        _show_position(ask, page, language)
    elif rule is not None:
        _show_rule(ask, page, rule)
    elif core:
        _show_core(ask, page)
    elif emitted:
        text = emit(ask.game.rules)
        if ask.json:
            print_json({**game_json(ask.game), "emitted": text})
        else:
            page.line(text.rstrip())
    elif factual:
        _show_facts(ask, page)
    elif carried:
        names = [c.name for c in symmetries(ask.game.rules)]
        if ask.json:
            print_json({**game_json(ask.game), "symmetries": names})
        else:
            page.title(f"{headline(ask.game)}: symmetries that the rules respect")
            for name in names:
                page.line(f"  {name}")
    else:
        told = words.game_words(ask.game, language)
        if ask.json:
            print_json(told)
        else:
            _show_game(ask.game, told, page)
    return 0


def _show_position(ask: Ask, page: Page, language: str) -> None:
    position = ask.position
    if ask.json:
        print_json(
            {
                **game_json(position.game),
                "position": position_text(position),
                "to act": position.actor,
                "moves": len(position.moves),
            }
        )
        return
    page.title(f"{headline(position.game, language)}: {whose_turn(position)}")
    page.line()
    page.board(position)
    page.hands(position)
    page.line()
    outcome = position.outcome
    moves = f"{len(position.moves):,} legal moves" if len(position.moves) != 1 else "1 legal move"
    page.para(moves if outcome is None else outcome_words(position, outcome, language), 2)


# -- the game in words -----------------------------------------------------------------------------------------------


def _show_game(game: Game, told: words.Words, page: Page) -> None:
    page.title(headline(game) if game.rules.variant or game.rules.reading else told["title"])
    page.para(f"{told['game']}, rules version {told['rules version']}, {told['file']}", code="2")
    for paragraph in told["introduction"].split("\n\n") if told["introduction"] else []:
        page.line()
        page.para(paragraph)
    page.heading("Board and pieces")
    page.board(parse_position(game.spec, told["start"], game=game))
    page.line()
    page.para(told["board words"], 2, "board    ")
    colours = f"; colours {', '.join(told['colours'])}" if told["colours"] else ""
    page.para(f"{' and '.join(told['players'])}; {told['acts first']} acts first{colours}", 2, "players  ")
    for number, piece in enumerate(told["pieces"]):
        owner = "nobody's" if piece["of"] == "nobody" else piece["of"]
        hand = "" if piece["hand"] is None else f", {piece['hand']} in hand"
        page.para(f"{piece['written']:2} {owner} {piece['piece']}{hand}", 2, "pieces   " if number == 0 else " " * 9)
    for entry in told["setup"]:
        _rule(entry, page, 2)
    for phase in told["phases"]:
        _phase(phase, told, page)
    _section("Shapes", told["shapes"], page, _shape)
    _section("The game is over, tested in this order after each turn", told["endings"], page, _clause)
    _section("Events beside the rules of play (off unless named)", told["events"], page, _event)
    _section("Variants", told["variants"], page, _variant)
    _section("Questions", told["questions"], page, _question)


def _section(title: str, entries: list[Any], page: Page, print_one: Any) -> None:
    if entries:
        page.heading(title)
        for entry in entries:
            print_one(entry, page)


def _rule(told: words.Words, page: Page, indent: int, name: str = "") -> None:
    """A rule's id, title and sentence."""
    if told["rule"] is not None:
        title = f": {told['title']}" if told["title"] else ""
        page.line(" " * indent + page.ink(told["rule"], "36") + title + name)
    elif name:
        page.line(" " * indent + name.strip())
    if told["says"]:
        page.para(told["says"], indent + 2)


def _clause(told: words.Words, page: Page, indent: int = 2) -> None:
    _rule(told, page, indent)
    deeper = indent + 2 if told["rule"] is not None else indent
    again = " (as above)" if told.get("again") else ""
    page.para(told["clause"] + again, deeper, "| ", code="2")
    if told.get("phases"):
        page.para(f"only in {', '.join(told['phases'])}", deeper, "| ", code="2")
    for part in told.get("parts", []):
        _clause(part, page, deeper)


def _phase(phase: words.Words, told: words.Words, page: Page) -> None:
    if len(told["phases"]) == 1:
        page.heading("A turn")
    else:
        begins = " (the game begins here)" if phase["phase"] == told["start phase"] else ""
        kind = "turns played once each" if phase["script"] else "turns"
        page.heading(f"Phase {phase['phase']}: {kind}{begins}")
    if phase["first"] and phase["phase"] == told["start phase"]:
        page.para(f"{phase['first']} acts first", 2, "| ", code="2")
    for step in phase["steps"]:
        _clause(step, page)
    if phase["until"] is not None:
        over = phase["until"]["clause"]
        told_over = "the phase is over after one turn" if over == "always" else f"the phase is over when {over}"
        _clause({**phase["until"], "clause": told_over}, page)
    for then in phase["then"]:
        condition = f"if {then['if']}, " if then["if"] else ""
        first = f", {then['first']} acts first" if then["first"] else ""
        _clause({**then, "clause": f"{condition}then {then['go']}{first}"}, page)


def _shape(shape: words.Words, page: Page) -> None:
    places = f"{shape['places']} place{'s' if shape['places'] != 1 else ''}"
    _rule(shape, page, 2)
    page.para(f"{shape['shape']}: {shape['clause']}; worth {shape['worth']}, {places} on this board", 4, "| ", code="2")
    for row in shape["picture"] or []:
        page.line(f"      {row}")


def _event(event: words.Words, page: Page) -> None:
    _rule(event, page, 2)
    page.para(f"`{event['event']}` {event['clause']}", 4, "| ", code="2")


def _variant(variant: words.Words, page: Page) -> None:
    based = f" (on {variant['based on']})" if variant["based on"] else ""
    page.line("  " + page.ink(variant["id"], "36") + f": {variant['title']}{based}")
    if variant["says"]:
        page.para(variant["says"], 4)
    page.para(f"changes {', '.join(variant['changes'])}", 4, "| ", code="2")


def _question(question: words.Words, page: Page) -> None:
    page.line("  " + page.ink(question["question"], "36") + f" ({question['status']})")
    page.para(question["ask"], 4)
    for answer in question["answers"]:
        sign = "*" if answer["base"] else "-"
        says = f": {answer['says']}" if answer["says"] else ""
        page.para(f"{answer['answer']}{says}", 4, f"{sign} ")


# -- one rule --------------------------------------------------------------------------------------------------------


def _show_facts(ask: Ask, page: Page) -> None:
    """Each fact, its verdict, and what a kernel does by it."""
    from lawstone.prove.facts import facts

    plan, settled = facts(ask.game.rules)
    if ask.json:
        listed = [{**asdict(x.fact), "verdict": x.verdict, "seconds": x.seconds} for x in settled]
        print_json(
            {
                **game_json(ask.game),
                "facts": listed,
                "kept": sorted(plan.kept),
                "lined": sorted(plan.lined),
                "single": sorted(plan.single),
            }
        )
        return
    page.title(f"{headline(ask.game)}: facts that make a kernel faster")
    for x in settled:
        page.line(f"  {x.verdict:<11} {x.fact.phase}: {x.fact.says}")
        page.line(f"  {'':<11} {x.fact.licenses} ({x.seconds:.2f} CPU-s)")
    if not settled:
        page.para("None was found by the form of the rules: a kernel computes every term on the whole board.")


def _show_rule(ask: Ask, page: Page, rule: str) -> None:
    spec = ask.spec
    written = {heading for text in spec.texts.values() for heading in text.entries}
    if rule not in written and rule not in (known := [*spec.headings(), *sorted(written)]):
        raise Usage(f"{spec.id} has no rule {rule!r}", suggest(rule, known) or f"`lawstone show {ask.name}` names its rules")
    told = words.rule_page(ask.game, rule)
    if ask.json:
        print_json({**game_json(ask.game), **told})
        return
    page.title(f"{spec.title}: {rule}")
    if told["found in"]:
        page.para(f"stands only in {told['found in']}", code="2")
    for prose in told["prose"]:
        decides = ", the text that decides" if prose["language"] == told["authentic"] else ""
        page.heading(f"{prose['title'] or rule} ({prose['language']}{decides})")
        page.para(prose["says"], 2)
        for remark in prose["remarks"].split("\n\n") if prose["remarks"] else []:
            page.line()
            page.para(remark, 2, code="2")
    if told["clause"]:
        page.heading("What the clause means")
        page.para(told["clause"], 2, "| ", code="2")
    if told["sources"]:
        page.heading("Who says so (paraphrased)")
        for cite in told["sources"]:
            note = f" [{cite['note']}]" if cite["note"] else ""
            page.para(f"{cite['says']}{note}", 2, f"{cite['source']} {cite['sentence']}, {cite['is']}: ")
    if told["questions"]:
        page.heading("Questions about it")
        for name in told["questions"]:
            page.para(spec.ask(spec.question(name)), 2, f"{name}: ")
    if told["examples"]:
        page.heading("Examples")
        for example in told["examples"]:
            _example(example, page)


def _example(example: words.Words, page: Page) -> None:
    page.line("  " + page.ink(example["example"], "36"))
    page.para(example["title"], 4)
    told = [f"variant {example['variant']}"] if "variant" in example else []
    told += [f"{q}={a}" for q, a in example.get("reading", {}).items()]
    told += [f"after {', '.join(example['after'])}"] if "after" in example else []
    if told:
        page.para("; ".join(told), 4, code="2")
    for row in example["board"].splitlines():
        page.line(f"      {row}")
    for key in ("moves", "legal"):
        if key in example:
            page.para(", ".join(example[key]), 4, "legal only: " if key == "moves" else "legal: ")
    if "illegal" in example:
        page.para(", ".join(f"{move} ({by})" for move, by in example["illegal"].items()), 4, "not legal: ")
    if "count" in example:
        page.para(f"{example['count']} legal moves", 4)
    if "play" in example:
        page.para(example["play"], 4, "played: ")
    if "outcome" in example:
        outcome = example["outcome"]
        said = (
            "the game goes on" if outcome == "none" else ", ".join(f"{k} {v}" if v is not True else k for k, v in outcome.items())
        )
        page.para(said, 4, "then: ")
    page.line()


# -- core terms ------------------------------------------------------------------------------------------------------


def _show_core(ask: Ask, page: Page) -> None:
    rules = ask.game.rules
    writer = _Terms(rules, page.width)
    if ask.json:
        print_json(
            {
                **game_json(ask.game),
                "phases": {n: [_turn_json(t, writer) for t in p.turns] for n, p in rules.phases.items()},
            }
        )
        return
    page.title(f"{headline(ask.game)}: core terms")
    page.para(
        "`mine` and `theirs` are the player who acts and the other one; sets of sites are in braces; t1, t2 and so on"
        " are terms used more than once, each named before its first use."
    )
    page.heading("Variables")
    for v in rules.variables:
        span = f" {v.low} to {v.high}" if v.sort == "number" else ""
        value = rules.start[v.name]
        start = writer.set_words(value) if v.sort == "sites" else str(value).lower()
        page.line(f"  {v.name}: {v.sort}{span}, at the start {start}")
    for name, phase in rules.phases.items():
        page.heading(f"Phase {name}")
        for row in writer.phase(phase):
            page.line(row.rstrip())


def _turn_json(turn: Turn, writer: _Terms) -> dict[str, Any]:
    return {
        "rule": turn.rule,
        "label": list(turn.label),
        "guard": writer.flat(turn.guard),
        "choices": [
            {
                "name": c.name,
                "rule": c.rule,
                "role": c.role,
                "among": writer.flat(c.among),
                "count": writer.flat(c.count),
                "freedom": c.freedom,
            }
            for c in turn.choices
        ],
        "updates": {n: writer.flat(t) for n, t in turn.updates.items()},
        "endings": [{"rule": e.rule, "result": e.result, "flag": writer.flat(e.flag)} for e in turn.endings],
        "next": [
            {"flag": writer.flat(n.flag), "phase": n.phase, "passes": n.passes, "rule": n.rule} for n in turn.next
        ],
    }  # fmt: skip


class _Terms:
    """Writes terms for people: shared ones named once, long ones indented."""

    def __init__(self, rules: Rules, width: int) -> None:
        self.board: Board = rules.board
        self.width = width
        self.names: dict[Term, str] = {}

    def set_words(self, mask: Any) -> str:
        """A set of sites given as an int."""
        return self.site_words(frozenset(s for s in range(self.board.size) if int(mask) >> s & 1))

    def site_words(self, numbers: frozenset[int]) -> str:
        """A constant set."""
        if len(numbers) == self.board.size:
            return "{board}"
        if len(numbers) > self.board.size * 3 // 4:
            return f"{{board but {' '.join(n for s, n in enumerate(self.board.names) if s not in numbers)}}}"
        return f"{{{' '.join(self.board.names[s] for s in sorted(numbers))}}}"

    def flat(self, term: Term, top: bool = False) -> str:
        """The term on one line, with the names that are given so far."""
        if not top and term in self.names:
            return self.names[term]
        head, closing = self._parts(term)
        if not term.args:
            return head + closing
        return head + ", ".join(self.flat(a) for a in term.args) + closing

    def _parts(self, term: Term) -> tuple[str, str]:
        """What stands before and after the operands."""
        op = term.op.rstrip("_")
        match term.op:
            case "read":
                return str(term.data), ""
            case "sites":
                return self.site_words(term.data), ""
            case "number":
                return str(term.data), ""
            case "yes" | "never":
                return op, ""
            case "step":
                return f"step {term.data}(", ")"
            case "flood":
                return f"flood {'/'.join(term.data)}(", ")"
            case "where":
                return f"where {term.data} in (", ")"
            case _:
                return f"{op}(", ")"

    def pretty(self, term: Term, indent: int, top: bool = False) -> Iterator[str]:
        """The term on as many lines as it needs."""
        line = self.flat(term, top)
        if len(line) + indent <= self.width or not term.args or (not top and term in self.names):
            yield " " * indent + line
            return
        head, closing = self._parts(term)
        yield " " * indent + head
        for number, a in enumerate(term.args):
            rows = list(self.pretty(a, indent + 2))
            rows[-1] += "," if number < len(term.args) - 1 else closing
            yield from rows

    def phase(self, phase: Phase) -> Iterator[str]:
        """All turns of a phase."""
        self.names = {}
        for number, turn in enumerate(phase.turns, 1):
            label = f" with {', '.join(turn.label)}" if turn.label else ""
            yield f"  turn {number}: {turn.rule}{label}"
            uses: Counter[Term] = Counter()
            roots = list(_labelled(turn))
            for t in subterms(*(term for _, term in roots)):
                uses.update(t.args)
            uses.update(term for _, term in roots)
            for title, term in roots:
                yield from self._named(term, uses)
                yield f"    {title}"
                yield from self.pretty(term, 6)

    def _named(self, root: Term, uses: Counter[Term]) -> Iterator[str]:
        """The definitions that a term needs and that are not written yet."""
        for t in subterms(root):
            if (
                t.args
                and uses[t] > 1
                and t not in self.names
                and len(self.flat(t)) > 12
                and not any(n.startswith("@") for n in t.names)
            ):
                name = f"t{len(self.names) + 1}"
                rows = list(self.pretty(t, 6, top=True))
                rows[0] = f"    {name} = " + rows[0].lstrip()
                yield from rows
                self.names[t] = name


def _labelled(turn: Turn) -> Iterator[tuple[str, Term]]:
    yield from ((f"guard, {c.rule}:", c.term) for c in turn.why if isinstance(c, Clause))
    for choice in turn.choices:
        freedom = "" if choice.freedom == "exactly" else f", {choice.freedom}"
        required = ", else the picks before are illegal" if choice.required else ""
        plain = choice.count.op == "number"
        count = f" {choice.count.data}" if plain else ""
        yield f"pick `{choice.name}`, {choice.rule}{freedom}{required}:{count} of", choice.among
        if not plain:
            yield f"how many for `{choice.name}`:", choice.count
    yield from ((f"{name} becomes", term) for name, term in turn.updates.items())
    yield from ((f"over, {e.rule}, {e.result}{'' if e.result == 'draw' else ' wins'}, if", e.flag) for e in turn.endings)
    for n in turn.next:
        yield f"next {n.phase}, {'the other player acts' if n.passes else 'the same player acts'}, if", n.flag
