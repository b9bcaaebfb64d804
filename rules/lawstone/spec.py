"""A game as it lies on disk: the game file with its readings and variants, its prose, its sources and its examples.

All faults are found in one go and are shown at their place in the file, also those that only a variant or an answer brings in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lawstone import data
from lawstone.board import LONGEST_SIDE, Board
from lawstone.constructs.scene import Meaningless
from lawstone.drawing.text import BadDrawing, parse
from lawstone.lower import Rules, lower
from lawstone.model import checks, prose
from lawstone.model.changes import CannotChange, apart_from, brought, changed, clashes, clauses, not_made, rule_ids
from lawstone.model.companions import Example, Examples, Sources
from lawstone.model.faults import BadInput, Fault, Mark, hint_at, nearest, suggest
from lawstone.model.game import Differs, Game, Question, Settled
from lawstone.model.located import read, read_on
from lawstone.model.parts import way_to
from lawstone.model.places import Origin
from lawstone.model.tree import Document, Loc, Map, Seq, mark_of, place_of
from lawstone.model.vocabulary import Unknown, Vocabulary, build_board
from lawstone.model.wording import from_pydantic
from lawstone.wellformed import Checked, check, fault_of, within_limits

Answers = Mapping[str, str]
"""Answers by question id; questions that are not named have their base answer, or the ruled one."""
Size = tuple[int, int]
"""Columns and rows of a board."""


class Usage(ValueError):
    """Something asked for that this game does not have: a variant, a question, an answer, another board size."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message + (f"; {hint}" if hint else ""))
        self.message, self.hint = message, hint


class Clash(Usage):
    """Two answers that cannot be combined; `answers` are the ways to both in the game file."""

    def __init__(self, paths: list[str], answers: tuple[Loc, Loc]) -> None:
        message = f"these answers cannot be combined: both change {', '.join(paths)}"
        super().__init__(message, "`together` in the game file may say what they mean at once")
        self.answers = answers


@dataclass(frozen=True, eq=False)
class Spec:
    """A game's folder (or a lone game file). `game` is the base game, checked."""

    path: Path
    document: Document
    game: Game
    _rules: dict[tuple[Any, ...], Rules | BadInput] = field(default_factory=dict, repr=False)
    _checked: dict[tuple[Any, ...], Checked] = field(default_factory=dict, repr=False)
    _meant: dict[tuple[tuple[Loc, ...], Size | None], Fault] = field(default_factory=dict, repr=False)
    _companions: dict[str, tuple[Document, Any] | BadInput] = field(default_factory=dict, repr=False)
    _lost: Collection[str] | None = None

    # -- what it holds ------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The game's id."""
        return self.game.game

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

    # -- readings -----------------------------------------------------------------------------------------------------

    def questions(self, variant: str = "") -> list[Question]:
        """The questions that are asked of the base game or of a variant."""
        here = {None, variant or "base", *self._lineage(variant)}
        return [q for q in self.game.questions or [] if q.in_ in here]

    def question(self, name: str) -> Question:
        """A question by its id."""
        known = [q.id for q in self.game.questions or []]
        for q in self.game.questions or []:
            if q.id == name:
                return q
        raise Usage(f"{self.id} has no question {name!r}", suggest(name, known))

    def base_answer(self, question: Question) -> str:
        """The answer that holds unless another is asked for: the ruled one, or the first."""
        return question.ruling.answer if question.ruling else next(iter(question.answers))

    def _lineage(self, variant: str) -> list[str]:
        """A variant and those it is based on, the base-most first."""
        found: list[str] = []
        known = self.game.variants or {}
        while variant and variant not in found:
            if variant not in known:
                raise Usage(f"{self.id} has no variant {variant!r}", suggest(variant, tuple(known)))
            found.insert(0, variant)
            variant = known[variant].based_on or ""
        return found

    def _change_sets(self, variant: str, answers: Answers) -> Iterator[Loc]:
        """The ways to the changes to be made, in order."""
        for name in self._lineage(variant):
            yield ("variants", name, "changes")
        asked = dict(answers)
        for i, q in enumerate(self.game.questions or []):
            answer = asked.pop(q.id, None)
            if answer is None:
                if q.ruling is None or q not in self.questions(variant):
                    continue
                answer = q.ruling.answer
            elif answer not in q.answers:
                raise Usage(f"the question {q.id!r} has no answer {answer!r}", suggest(answer, tuple(q.answers)))
            if q.answers[answer]:
                yield ("questions", i, "answers", answer)
        for name in asked:
            self.question(name)

    def _sets(self, variant: str, answers: Answers) -> tuple[Loc, ...]:
        """The ways to the changes of a reading, in order; raises Usage where they cannot be made together."""
        sets = self._with_together(tuple(self._change_sets(variant, answers)))
        changes = self._changes(sets)
        for one, other in combinations([loc for loc in sets if loc[0] != "variants"], 2):
            paths = clashes(changes[one], changes[other])
            if paths:
                raise Clash(paths, (one, other))
        return sets

    def _with_together(self, sets: tuple[Loc, ...]) -> tuple[Loc, ...]:
        """The ways to changes, with what two answers bring about together and without answers that then change nothing."""
        more, less = list[Loc](), set[Loc]()
        for n, pair in enumerate(self.game.together or []):
            both = self._pair(n)
            if not both <= set(sets):
                continue
            if pair.same_as is None:
                more.append(("together", n, "changes"))
            else:
                less |= {loc for loc in both if pair.same_as.get(self._asked(loc)) != loc[3]}
        return (*(loc for loc in sets if loc not in less), *more)

    def _asked(self, loc: Loc) -> str:
        """The question of the answer to which a way leads."""
        return (self.game.questions or [])[int(loc[1])].id

    def _pair(self, n: int) -> set[Loc]:
        """The ways to the two answers of an entry of `together`."""
        pair = (self.game.together or [])[n].answers
        return {("questions", i, "answers", pair[q.id]) for i, q in enumerate(self.game.questions or []) if q.id in pair}

    def _changes(self, sets: Iterable[Loc]) -> dict[Loc, Mapping[str, Any]]:
        """The changes of a reading by their ways: those of two answers give way to what the two mean together."""
        changes: dict[Loc, Mapping[str, Any]] = {loc: _at(self.document.tree, loc) for loc in sets}
        for loc in [loc for loc in changes if loc[0] == "together"]:
            for answer in self._pair(int(loc[1])):
                changes[answer] = apart_from(changes[answer], changes[loc])
        return changes

    def _check(self, sets: tuple[Loc, ...], board: Size | None = None) -> Checked:
        """The file after some changes and on a board, checked; what the file without the last changes has is not new."""
        key = (sets, board)
        if key not in self._checked:
            self._checked[key] = self._check_anew(sets, board)
        return self._checked[key]

    def _check_anew(self, sets: tuple[Loc, ...], board: Size | None) -> Checked:
        tree, refused = self._changed(sets)
        if refused:
            return Checked(tree, None, refused, refused, set(), sets)
        if board is not None:
            tree = tree.copy()
            tree["board"] = Map(tree["board"])
            tree["board"]["grid"] = Seq(board, tree["board"].mark)
        base = self.game if sets or board else None
        found = check(tree, self._lost, base=base)
        if not sets or not found.plain:
            return replace(found, sets=sets)
        known = self._check(self._before(sets), board)
        new = [fault for fault in found.plain if fault not in known.plain]
        if not new:
            return replace(found, faults=known.faults, sets=sets)
        moved = check(tree, self._lost, Origin(self.document, sets, new), base).faults
        new = [fault for fault in moved if fault not in known.plain]
        if _is_asked_everywhere(sets, self.document):
            new = self._in_variant(sets, new, self._check(_without_variants(sets), board).faults)
        return replace(found, faults=tuple(dict.fromkeys((*known.faults, *new))), sets=sets)

    def _before(self, sets: tuple[Loc, ...]) -> tuple[Loc, ...]:
        """The sets of changes without the last one, and where that one is made for two answers, without these."""
        gone = self._pair(int(sets[-1][1])) if sets[-1][0] == "together" else ()
        return tuple(loc for loc in sets[:-1] if loc not in gone)

    def _changed(self, sets: tuple[Loc, ...]) -> tuple[Any, tuple[Fault, ...]]:
        """The file's tree after some changes: those of variants in order, then those of answers, what others bring first.

        What two answers mean together is made before single answers, so that the conditions that these add reach it.
        Also the faults of the first changes that cannot be made.
        """
        tree: Any = self.document.tree
        changes = self._changes(sets)
        brings = {loc: brought(changes[loc]) for loc in sets if loc[0] != "variants"}

        def others(loc: Loc) -> set[str]:
            return {rule for other, rules in brings.items() if other != loc for rule in rules}

        def order(loc: Loc) -> tuple[bool, bool, bool]:
            late = loc in brings and bool(changes[loc].keys() & others(loc))
            return loc in brings, late, loc[0] == "questions"

        there: set[str] | None = None
        made: list[Any] = []
        for loc in sorted(sets, key=order):
            refused: list[CannotChange] = []
            if loc not in brings:
                tree = changed(tree, changes[loc], refused)
            else:
                there = set(rule_ids(tree)) if there is None else there
                elsewhere = self._brought_by_answers - there
                if changes[loc].keys() & others(loc):
                    elsewhere = elsewhere | there
                tree = changed(tree, not_made(changes[loc], made), refused, elsewhere)
                made.append(changes[loc])
            if refused:
                return tree, tuple(_cannot(self.document, loc, error) for error in refused)
        return tree, ()

    @cached_property
    def _brought_by_answers(self) -> set[str]:
        """The ids of all clauses that some answer brings inside others."""
        answers = [a for q in self.document.tree.get("questions") or [] for a in (q.get("answers") or {}).values()]
        return {rule for answer in answers if answer for rule in brought(answer)}

    def _in_variant(self, sets: tuple[Loc, ...], faults: list[Fault], elsewhere: Collection[Fault]) -> list[Fault]:
        """The faults of an answer, the variant named where the answer is not faulty `elsewhere`, without the variant."""
        if not _is_asked_everywhere(sets, self.document):
            return faults
        told = f", in the variant '{sets[0][1]}'"
        return [f if f in elsewhere else replace(f, message=f.message + told) for f in faults]

    def file(self, variant: str = "", answers: Answers | None = None, board: Size | None = None) -> tuple[Game, Any]:
        """The game file of a variant under some answers, checked, with its tree; raises BadInput or Usage."""
        found = self._check(self._sets(variant, answers or {}), self._size(board))
        if found.game is None or found.faults:
            raise BadInput(found.faults)
        return found.game, found.tree

    def _size(self, board: Size | None) -> Size | None:
        """The size of a board, if it may be asked for; raises Usage."""
        if board is not None:
            if not self.game.board.resizable or self.game.board.grid is None:
                raise Usage(f"the size of the board of {self.id} is not a parameter")
            if not all(1 <= side <= LONGEST_SIDE for side in board):
                raise Usage(f"a board is 1 to {LONGEST_SIDE} sites wide and high, and {board[0]}x{board[1]} is asked for")
        return board

    def rules(self, variant: str = "", answers: Answers | None = None, board: Size | None = None) -> Rules:
        """The rules of a variant under some answers on a board; raises BadInput or Usage."""
        reading = tuple(sorted((answers or {}).items()))
        key = (variant, reading, board)
        if key not in self._rules:
            sets = self._sets(variant, answers or {})
            self.file(variant, answers, board)
            self._rules[key] = self._lowered(sets, board, variant, reading)
        found = self._rules[key]
        if isinstance(found, BadInput):
            raise found
        return found

    def rules_with(self, changes: Mapping[str, Any], variant: str = "", board: Size | None = None) -> Rules:
        """The rules of a variant after further changes, written as those of an answer; raises BadInput or Usage."""
        refused: list[CannotChange] = []
        tree = changed(self.file(variant, None, board)[1], changes, refused)
        if refused:
            raise BadInput([place_of(tree, ()).value.fault("unknown-rule", str(error)) for error in refused])
        return self.rules_of(tree, variant)

    def rules_of(self, tree: Any, variant: str = "") -> Rules:
        """The rules of the tree of a game file that was made from this one's; raises BadInput."""
        checked = check(tree, base=self.game)
        if checked.game is None or checked.faults:
            raise BadInput(checked.faults)
        try:
            return replace(within_limits(lower(checked.game)), variant=variant)
        except (Meaningless, Unknown) as error:
            raise BadInput([place_of(tree, ()).value.fault("meaningless", str(error))]) from None

    def _lowered(
        self, sets: tuple[Loc, ...], board: Size | None, variant: str, reading: tuple[tuple[str, str], ...]
    ) -> Rules | BadInput:
        """The rules of a file that is checked, or why they mean nothing; the same changes are lowered once."""
        key = (sets, board)
        if key not in self._rules:
            checked = self._check(sets, board)
            assert checked.game is not None
            try:
                self._rules[key] = within_limits(lower(checked.game))
            except (Meaningless, Unknown) as error:
                self._rules[key] = BadInput([self._meaningless(checked, board, error)])
            except RecursionError:
                too_deep = Meaningless("its clauses stand too deep inside one another")
                self._rules[key] = BadInput([self._meaningless(checked, board, too_deep)])
        found = self._rules[key]
        return found if isinstance(found, BadInput) else replace(found, variant=variant, reading=reading)

    def _meaningless(self, checked: Checked, board: Size | None, error: Meaningless | Unknown) -> Fault:
        """The fault of a reading that cannot be lowered, at the clause that is meant or at the change of it."""
        loc = way_to(checked.game, error.part, error.given)
        if loc is None and isinstance(error, Meaningless):
            clause = next((c for c in clauses(checked.tree) if c["rule"] == error.rule), None)
            loc = _loc_of(checked.tree, clause) if clause is not None else None
        loc = loc or ()
        if isinstance(error, Unknown):
            code, hint = "unknown-name", suggest(error.given, error.known)
        else:
            code, hint = "meaningless", error.hint
        sets = checked.sets
        plain = place_of(checked.tree, loc).value.fault(code, str(error), hint)
        self._meant[sets, board] = plain
        for n in range(len(sets)):
            if self._meant.get((sets[:n], board)) == plain:
                return self._reported(sets[:n], board)[0]
        if not sets:
            return plain
        fault = Origin(self.document, sets, [plain])(checked.tree, loc).value.fault(code, str(error), hint)
        return self._in_variant(sets, [fault], self._reported(_without_variants(sets), board))[0]

    def _reported(self, sets: tuple[Loc, ...], board: Size | None) -> list[Fault]:
        """What lowering has found wrong in a reading, if it was tried."""
        found = self._rules.get((sets, board))
        return found.faults if isinstance(found, BadInput) else []

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
                question = _at(self.document.tree, loc[:2])
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


# -- inside trees ---------------------------------------------------------------------------------------------------


def _cannot(document: Document, loc: Loc, error: CannotChange) -> Fault:
    mark = mark_of(document, (*loc, *error.path), key=True)
    return mark.fault("unknown-rule", str(error), hint_at(error.given, error.known) if error.given else "")


def _without_variants(sets: tuple[Loc, ...]) -> tuple[Loc, ...]:
    return tuple(loc for loc in sets if loc[0] != "variants")


def _is_asked_everywhere(sets: tuple[Loc, ...], document: Document) -> bool:
    """Whether these are the changes of a variant and then those of an answer that could be given without it."""
    if not sets or sets[0][0] != "variants" or sets[-1][0] == "variants":
        return False
    return _at(document.tree, sets[-1][:2]).get("in") is None


def _still(unused: set[checks.Problem] | None, game: Game) -> set[checks.Problem]:
    """What nothing uses in this reading either."""
    here = set(checks.unused(game)) if unused is None or unused else set()
    return here if unused is None else unused & here


def _at(tree: Any, loc: Loc) -> Any:
    for part in loc:
        tree = tree[part]
    return tree


def _loc_of(tree: Any, part: Any, loc: Loc = ()) -> Loc | None:
    """The way to a part of a tree."""
    if tree is part:
        return loc
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return next((found for key, value in inner if (found := _loc_of(value, part, (*loc, key))) is not None), None)


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
