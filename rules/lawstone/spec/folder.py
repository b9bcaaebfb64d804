"""A game as it lies on disk: the game file with its readings and variants, its prose, its sources and its examples.

All faults are found in one go and are shown at their place in the file, also those that only a variant or an answer brings in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lawstone import data
from lawstone.board import Board
from lawstone.drawing.text import BadDrawing, parse
from lawstone.model import checks, prose
from lawstone.model.changes import rule_ids
from lawstone.model.companions import Example, Examples, Sources
from lawstone.model.faults import BadInput, Fault, Mark, hint_at, nearest, suggest
from lawstone.model.game import Differs, Game, Question, Settled
from lawstone.model.located import read, read_on
from lawstone.model.tree import Document, Loc, mark_of, place_of
from lawstone.model.vocabulary import Vocabulary, build_board
from lawstone.model.wording import from_pydantic
from lawstone.spec.meanings import Meanings
from lawstone.spec.readings import Answers, Clash, Usage, at
from lawstone.wellformed import check, fault_of


@dataclass(frozen=True, eq=False)
class Spec(Meanings):
    """A game's folder (or a lone game file). `game` is the base game, checked."""

    _companions: dict[str, tuple[Document, Any] | BadInput] = field(default_factory=dict, repr=False)

    # -- what it holds ------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The game's name in English, or in its authentic language."""
        return self.game.title.get("en", next(iter(self.game.title.values())))

    @cached_property
    def texts(self) -> Mapping[str, prose.Text]:
        """The prose by language; empty for a lone game file."""
        return prose.read(self.path.parent)[0] if self.is_folder else {}

    @property
    def is_folder(self) -> bool:
        """Whether other files of the game may stand beside its game file."""
        return self.path.name == "game.yaml"

    def says(self, rule: str, language: str = "en") -> str:
        """The sentence of a rule, question or answer in a language, else in another one, else the empty string."""
        for text in (self.texts.get(language), *self.texts.values()):
            if text is not None and text.says(rule):
                return text.says(rule)
        return ""

    def ask(self, question: Question, language: str = "en") -> str:
        """A question in words."""
        if question.ask:
            return question.ask.get(language) or next(iter(question.ask.values()))
        return self.says(f"question.{question.id}", language) or question.id

    @cached_property
    def sources(self) -> Sources | None:
        """What was read, if the folder says; raises BadInput."""
        found = self._companion("sources.yaml", Sources)
        return found[1] if found is not None else None

    @cached_property
    def examples(self) -> list[Example]:
        """The worked examples, if the folder has any; raises BadInput."""
        found = self._companion("examples.yaml", Examples)
        return list(found[1].examples) if found is not None else []

    def _companion(self, name: str, model: type[Any]) -> tuple[Document, Any] | None:
        """A file beside the game file and what it says, if it is there; it is read once. Raises BadInput."""
        path = self.path.parent / name
        if not self.is_folder or not path.exists():
            return None
        if name not in self._companions:
            try:
                document = read(path)
                self._companions[name] = document, model.model_validate(document.tree)
            except ValidationError as error:
                self._companions[name] = BadInput(from_pydantic(error, document, model))
            except BadInput as bad:
                self._companions[name] = bad
        found = self._companions[name]
        if isinstance(found, BadInput):
            raise found
        return found

    # -- checking -----------------------------------------------------------------------------------------------------

    def faults(self, sound: bool = False) -> list[Fault]:
        """All that is wrong in the folder: the base, every variant, every answer, the prose, the sources, the examples.

        `sound`: the game file itself is known to have no faults and is passed over.
        """
        found: dict[Fault, None] = {}
        unused: set[checks.Problem] | None = None
        for variant in () if sound else ("", *(self.game.variants or {})):
            for reading in self._readings(variant):
                try:
                    sets = self._sets(variant, reading)
                except Usage as usage:
                    found |= dict.fromkeys(self._usage_faults(usage))
                    continue
                checked = self._check(sets)
                found |= dict.fromkeys(checked.faults)
                if checked.game is None or checked.faults or self._lost is not None:
                    continue
                unused = _still(unused, checked.game)
                try:
                    self.rules(variant, reading)
                except BadInput as bad:
                    found |= dict.fromkeys(bad.faults)
        for problem in unused or ():
            found[fault_of(self.document.tree, problem, place_of)] = None
        found |= dict.fromkeys(self._source_faults())
        if self.is_folder:
            found |= dict.fromkeys(prose.read(self.path.parent)[1])
            found |= dict.fromkeys(self._prose_faults())
        found |= dict.fromkeys(self._example_faults())
        return sorted(found)

    def _readings(self, variant: str) -> list[dict[str, str]]:
        """The base reading of a variant, one for each answer that changes something, and one for two that change the same."""
        try:
            asked = self.questions(variant)
        except Usage:
            return []
        here = {q.id for q in asked}
        pairs = [pair.answers for pair in self.game.together or [] if pair.answers.keys() <= here]
        return [{}, *({q.id: answer} for q in asked for answer, changes in q.answers.items() if changes), *pairs]

    def _usage_faults(self, usage: Usage) -> Iterator[Fault]:
        """What cannot be asked of the game although the game file itself says it: rulings that clash."""
        if isinstance(usage, Clash):
            for loc in (loc for loc in usage.answers if loc[0] == "questions"):
                ruling = (*loc[:2], "ruling", "answer")
                question = at(self.document.tree, loc[:2])
                yield mark_of(self.document, ruling if "ruling" in question else loc, True).fault(
                    "clash", usage.message, usage.hint
                )

    def all_rules(self) -> list[str]:
        """Every rule id of the base, the variants and the answers, in order; those of faulty changes are left out."""
        found = dict.fromkeys(rule_ids(self.document.tree))
        for variant in self.game.variants or {}:
            found |= dict.fromkeys(self._rules_of(variant, {}))
        for q in self.game.questions or []:
            for answer in q.answers:
                found |= dict.fromkeys(self._rules_of("" if q.in_ in (None, "base") else q.in_ or "", {q.id: answer}))
        return list(found)

    def _rules_of(self, variant: str, answers: Answers) -> list[str]:
        try:
            return rule_ids(self._check(self._sets(variant, answers)).tree)
        except Usage:
            return []

    def headings(self) -> list[str]:
        """Every heading that the prose must have."""
        found = self.all_rules() + [f"variant.{v}" for v in self.game.variants or {}]
        for q in self.game.questions or []:
            found += [f"question.{q.id}", *(f"question.{q.id}.{a}" for a in q.answers)]
        return found

    def _prose_faults(self) -> Iterator[Fault]:
        if not self.texts:
            return
        wanted = dict.fromkeys(self.headings())
        for language, text in self.texts.items():
            misspelt = {nearest(heading, wanted) for heading in text.entries if heading not in wanted}
            for heading in wanted:
                if heading not in text.entries and heading not in misspelt:
                    message = f"'{heading}' has no prose in this language ({language})"
                    yield Fault(text.source.path, 1, 1, "no-prose", message, f"add `## {heading}: a short title`")
            for heading, entry in text.entries.items():
                if heading not in wanted and not heading.startswith(("setup.", "note.")):
                    line = text.source.lines[entry.line - 1]
                    message = f"there is no rule '{heading}'"
                    meant = suggest(heading, wanted) or "other headings begin with `setup.` or `note.`"
                    column = line.index(heading) + 1
                    yield Fault(text.source.path, entry.line, column, "unknown-rule", message, meant, line)
        name = f"text.{self.game.authentic}.md"
        if self.game.authentic not in self.texts and not (self.path.parent / name).exists():
            message = f"the text in {self.game.authentic} decides, and there is no {name}"
            yield mark_of(self.document, ("authentic",)).fault("no-prose", message)

    def _source_faults(self) -> Iterator[Fault]:
        """Faults of `sources.yaml`, and citations of sources that it does not have."""
        try:
            found = self._companion("sources.yaml", Sources)
        except BadInput as bad:
            yield from bad.faults
            return
        if found is None:
            return
        document, sources = found
        known: list[str] = []
        for i, source in enumerate(sources.sources):
            if source.id in known:
                message = f"the source {source.id!r} stands twice"
                yield mark_of(document, ("sources", i, "id")).fault("repeated-source", message)
            known.append(source.id)
        yield from self._cite_faults(known)
        yield from self._coverage_faults(document, sources)

    def _cite_faults(self, known: list[str]) -> Iterator[Fault]:
        for i, q in enumerate(self.game.questions or []):
            cited: list[tuple[Loc, list[str] | None]] = [(("source",), q.source)]
            if isinstance(q.status, Settled):
                cited += [(("status", "settled by"), q.status.settled_by), (("status", "but"), q.status.but)]
            elif isinstance(q.status, Differs):
                cited.append((("status", "differs in"), q.status.differs_in))
            for where, cites in cited:
                for n, cite in enumerate(cites or []):
                    name = (cite.split() or [""])[0]
                    if name not in known:
                        mark = mark_of(self.document, ("questions", i, *where, n))
                        yield mark.fault("unknown-source", f"there is no source {name!r}", hint_at(name, known))

    def _coverage_faults(self, document: Document, sources: Sources) -> Iterator[Fault]:
        known: dict[str, None] | None = None
        for i, sentence in enumerate(sources.coverage or []):
            loc: Loc = ("coverage", i)
            if sentence.n != i + 1:
                message = f"this is sentence {i + 1} of the table, and it is numbered {sentence.n}"
                mark = mark_of(document, (*loc, "n"))
                yield mark.fault("wrong-number", message, "sentences are numbered from 1 without a gap")
            for n, name in enumerate(sentence.of or []):
                if known is None:
                    known = dict.fromkeys([*self.headings(), *self._example_ids()])
                if name not in known and not name.startswith("setup."):
                    message = f"there is no rule, question or example {name!r}"
                    yield mark_of(document, (*loc, "of", n)).fault("unknown-rule", message, suggest(name, known))

    def _example_ids(self) -> list[str]:
        try:
            return [example.id for example in self.examples]
        except BadInput:
            return []

    # -- examples -----------------------------------------------------------------------------------------------------

    def _example_faults(self) -> Iterator[Fault]:
        try:
            found = self._companion("examples.yaml", Examples)
        except BadInput as bad:
            yield from bad.faults
            return
        if found is None:
            return
        document, examples = found
        known = dict.fromkeys(self.headings())
        seen: set[str] = set()
        for i, example in enumerate(examples.examples):
            loc: Loc = ("examples", i)
            if example.id in seen:
                message = f"the example {example.id!r} stands twice"
                yield mark_of(document, (*loc, "id")).fault("repeated-example", message)
            seen.add(example.id)
            cited: list[tuple[Loc, str]] = [((*loc, "shows", n), rule) for n, rule in enumerate(example.shows)]
            cited += [((*loc, "illegal", move), rule) for move, rule in (example.illegal or {}).items()]
            for where, rule in cited:
                if rule not in known and not (rule.startswith("setup.") and where[2] == "shows"):
                    yield mark_of(document, where).fault("unknown-rule", f"there is no rule {rule!r}", suggest(rule, known))
            named = list(self._reading_faults(document, loc, example))
            yield from named
            if not named:
                yield from self._position_faults(document, loc, example)

    def _reading_faults(self, document: Document, loc: Loc, example: Example) -> Iterator[Fault]:
        """What an example asks for that the game does not have."""
        variants, variant = self.game.variants or {}, example.variant or ""
        if variant and variant not in variants:
            yield from _name_faults(document, (*loc, "variant"), variant, variants, "variant")
            return
        answers = {q.id: q.answers for q in self.game.questions or []}
        here = {q.id for q in self.questions(variant)}
        for name, answer in (example.reading or {}).items():
            if name not in answers:
                mark = mark_of(document, (*loc, "reading", name), key=True)
                yield mark.fault("unknown-name", f"there is no question {name!r}", hint_at(name, answers))
            elif answer not in answers[name]:
                mark = mark_of(document, (*loc, "reading", name))
                message = f"the question {name!r} has no answer {answer!r}"
                yield mark.fault("unknown-name", message, hint_at(answer, answers[name]))
            elif name not in here:
                mark = mark_of(document, (*loc, "reading", name), key=True)
                yield mark.fault("unknown-name", f"the question {name!r} is not asked of {variant or 'the base game'}")

    def _position_faults(self, document: Document, loc: Loc, example: Example) -> Iterator[Fault]:
        """What is wrong in the boards of an example, and in what is said beside them."""
        size = (example.size[0], example.size[1]) if example.size else None
        try:
            checked = self._check(self._sets(example.variant or "", example.reading or {}), self._size(size))
        except Usage as usage:
            key, code = ("reading", "clash") if isinstance(usage, Clash) else ("size", "bad-size")
            yield mark_of(document, (*loc, key), key=True).fault(code, usage.message, usage.hint)
            return
        if checked.game is None or (checked.faults and size is not None):
            if size is not None and checked.faults:
                message = f"on this board the game has no meaning: {checked.faults[0].message}"
                yield mark_of(document, (*loc, "size")).fault("bad-size", message)
            return
        try:
            words = Vocabulary(checked.game, build_board(checked.game.board))
        except ValueError:
            return  # the board is faulty without this example
        tokens = {t for pair in words.tokens.values() for t in pair if t is not None}
        phases = _phases_of(checked.game)
        if example.position is not None:
            here = (*loc, "position")
            yield from drawing_faults(document, (*here, "board"), example.position.board, words.board, tokens)
            yield from _name_faults(document, (*here, "to act"), example.position.to_act, words.players, "player")
            yield from _name_faults(document, (*here, "phase"), example.position.phase, phases, "phase")
        yield from _name_faults(document, (*loc, "acts"), example.acts, words.players, "player")
        yield from _name_faults(document, (*loc, "enters"), example.enters, (*phases, *words.phases), "phase")
        if example.shown is not None:
            yield from drawing_faults(document, (*loc, "shown"), example.shown, words.board, tokens)


def _phases_of(game: Game) -> list[str]:
    """The phases of play: each turn of a script is one of its own."""
    names = [] if game.turn is None else ["main"]
    for name, phase in (game.phases or {}).items():
        turns = range(1, len(phase.script or []) + 1)
        names += [name] if phase.script is None else [f"{name} {n}" for n in turns]
    return list(dict.fromkeys(names))


def drawing_faults(
    document: Document, loc: Loc, drawing: str, board: Board, tokens: Collection[str] | None = None
) -> Iterator[Fault]:
    """The faults of a drawn board, each at its row in the file; given `tokens`, other pieces are faults too."""
    try:
        parse(board, drawing, tokens=tokens)
    except BadDrawing as bad:
        mark = mark_of(document, loc)
        for fault in bad.faults:
            yield _in_drawing(mark, drawing, fault.line, fault.column).fault("bad-drawing", fault.message, fault.hint)


def _in_drawing(mark: Mark, drawing: str, line: int, column: int) -> Mark:
    """The place in the file of a place in a drawing, which begins below its key; a drawing on one line is found by it."""
    lines = mark.source.lines
    head = lines[mark.line - 1][mark.column - 1 :]
    if not head.startswith(("|", ">")):
        return mark
    shown = drawing.split("\n")[line - 1] if line <= drawing.count("\n") + 1 else ""
    number = min(mark.line + line, len(lines))
    text = lines[number - 1]
    return Mark(mark.source, number, max(0, text.find(shown) if shown else 0) + column)


def _name_faults(document: Document, loc: Loc, name: str | None, known: Iterable[str], kind: str) -> Iterator[Fault]:
    if name is not None and name not in known:
        yield mark_of(document, loc).fault("unknown-name", f"there is no {kind} {name!r}", hint_at(name, known))


def _still(unused: set[checks.Problem] | None, game: Game) -> set[checks.Problem]:
    """What nothing uses in this reading either."""
    here = set(checks.unused(game)) if unused is None or unused else set()
    return here if unused is None else unused & here


# -- reading ----------------------------------------------------------------------------------------------------------


def find(name: str) -> Path:
    """The game file that a shipped name or a path means; raises BadInput."""
    path = Path(name)
    if "/" not in name and "\\" not in name and not name.endswith((".yaml", ".yml", ".json")) and not path.exists():
        if name in data.shipped_games():
            return data.spec_root() / name / "game.yaml"
        shipped = data.shipped_games()
        meant = suggest(name, shipped) or f"shipped games: {', '.join(shipped)}; or give a path"
        raise BadInput([Fault(name, 1, 1, "no-such-game", f"there is no game {name!r}", meant)])
    if "/" not in name and name in data.shipped_games() and not (path / "game.yaml").exists():
        return data.spec_root() / name / "game.yaml"
    return path / "game.yaml" if path.is_dir() and (path / "game.yaml").exists() else path


def load(name: str | Path) -> Spec:
    """Read a game by shipped name or path and check its base.

    Raises BadInput if the base is faulty, then with every fault of the whole folder that can be told in spite of it.
    """
    path = find(str(name))
    document, faults = read_on(path)
    if document is None:
        raise BadInput(faults)
    base = check(document.tree)
    lines = {fault.line for fault in faults}
    faults += [fault for fault in base.faults if fault.line not in lines]
    if not faults and base.game is not None:
        return Spec(path, document, base.game)
    if base.game is not None and not any(fault.code == "too-many" for fault in faults):
        rest = Spec(path, Document(document.source, base.tree), base.game, _lost=base.lost)
        faults += [fault for fault in rest.faults() if fault.line not in lines or fault.path != document.source.path]
    raise BadInput(dict.fromkeys(faults))
