"""What a game file means under a reading: checked in its form, lowered to rules, and its faults told where they were written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lawstone.board import LONGEST_SIDE
from lawstone.constructs.scene import Meaningless
from lawstone.lower import Rules, lower
from lawstone.model.changes import CannotChange, changed, clauses
from lawstone.model.faults import BadInput, Fault, suggest
from lawstone.model.game import Game
from lawstone.model.parts import way_to
from lawstone.model.places import Origin
from lawstone.model.tree import Document, Loc, Map, Seq, place_of
from lawstone.model.vocabulary import Unknown
from lawstone.spec.readings import Answers, Readings, Usage, at
from lawstone.wellformed import Checked, check, within_limits

Size = tuple[int, int]
"""Columns and rows of a board."""


@dataclass(frozen=True, eq=False)
class Meanings(Readings):
    """A game file with what it means under each reading; the same changes are checked and lowered once."""

    _rules: dict[tuple[Any, ...], Rules | BadInput] = field(default_factory=dict, repr=False)
    _checked: dict[tuple[Any, ...], Checked] = field(default_factory=dict, repr=False)
    _meant: dict[tuple[tuple[Loc, ...], Size | None], Fault] = field(default_factory=dict, repr=False)
    _lost: Collection[str] | None = None

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


def _without_variants(sets: tuple[Loc, ...]) -> tuple[Loc, ...]:
    return tuple(loc for loc in sets if loc[0] != "variants")


def _is_asked_everywhere(sets: tuple[Loc, ...], document: Document) -> bool:
    """Whether these are the changes of a variant and then those of an answer that could be given without it."""
    if not sets or sets[0][0] != "variants" or sets[-1][0] == "variants":
        return False
    return at(document.tree, sets[-1][:2]).get("in") is None


def _loc_of(tree: Any, part: Any, loc: Loc = ()) -> Loc | None:
    """The way to a part of a tree."""
    if tree is part:
        return loc
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return next((found for key, value in inner if (found := _loc_of(value, part, (*loc, key))) is not None), None)
