"""The rules of a game as data for the page's evaluator: terms by number, choices, turns and endings, each with its rule.

Nothing is decided here: each operator of the core becomes a row with its name and operands, and the script has one method an
operator. A set of sites is written in hexadecimal, bit s for site s; a step is a list of shifts, each with the sites that it moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawstone.board import Board
from lawstone.core import Choice, Clause, Term, Turn, swapped
from lawstone.engine.game import Game
from lawstone.lower import Rules, Value


class _Rows:
    """Terms by number, operands before what uses them."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rows: list[list[Any]] = []
        self.bound: dict[int, list[str]] = {}
        self.number: dict[Term, int] = {}

    def add(self, root: Term) -> int:
        """The number of a term."""
        stack = [root]
        while stack:
            term = stack[-1]
            if term in self.number:
                stack.pop()
            elif missing := [a for a in term.args if a not in self.number]:
                stack.extend(missing)
            else:
                stack.pop()
                self.number[term] = len(self.rows)
                if inside := sorted(n for n in term.names if n.startswith("@")):
                    self.bound[len(self.rows)] = inside
                self.rows.append(self._row(term))
        return self.number[root]

    def _row(self, term: Term) -> list[Any]:
        operands = [self.number[a] for a in term.args]
        if term.op == "sites":
            return [term.op, f"{self.board.mask(term.data):x}"]
        if term.op == "flood":
            return [term.op, *operands, list(term.data)]
        return [term.op, *operands, *([] if term.data is None else [term.data])]

    def clause(self, clause: Clause) -> list[Any]:
        """A clause: its term, its rule, its words, how its parts make it, and these."""
        return [self.add(clause.term), clause.rule, clause.says, clause.mode, [self.clause(p) for p in clause.parts]]

    def changes(self, updates: Mapping[str, Term]) -> dict[str, int]:
        """Updates by variable."""
        return {name: self.add(term) for name, term in updates.items()}

    def choice(self, choice: Choice) -> dict[str, Any]:
        """One pick."""
        return {
            "name": choice.name, "role": choice.role, "among": self.add(choice.among), "count": self.add(choice.count),
            "rule": choice.rule, "freedom": choice.freedom, "required": choice.required, "why": self.clause(choice.why),
            "before": self.changes(choice.before),
        }  # fmt: skip

    def turn(self, turn: Turn) -> dict[str, Any]:
        """One way to take a turn."""
        return {
            "rule": turn.rule, "label": list(turn.label), "guard": self.add(turn.guard), "why": [self.clause(c) for c in turn.why],
            "choices": [self.choice(c) for c in turn.choices], "updates": self.changes(turn.updates),
            "endings": [[self.add(e.flag), e.rule, e.result] for e in turn.endings],
            "next": [[self.add(n.flag), n.phase, n.passes] for n in turn.next],
            "effects": [[e.role, self.add(e.sites)] for e in turn.effects],
        }  # fmt: skip


def steps(board: Board) -> dict[str, list[list[Any]]]:
    """Each direction as shifts: the difference of site numbers, and the sites that move by it."""
    found: dict[str, list[list[Any]]] = {}
    for direction, table in board.steps.items():
        by_shift: dict[int, list[int]] = {}
        for site, target in enumerate(table):
            if target is not None:
                by_shift.setdefault(target - site, []).append(site)
        found[direction] = [[shift, f"{board.mask(sites):x}"] for shift, sites in sorted(by_shift.items())]
    return found


def value(rules: Rules, name: str, given: Value) -> Any:
    """A variable's value: hexadecimal for a set of sites, else a number or a flag."""
    variable = next(v for v in rules.variables if v.name == name)
    return f"{int(given):x}" if variable.sort.value == "sites" else given


def exported(game: Game) -> dict[str, Any]:
    """All that the page needs to play a game under one reading."""
    rules, words = game.rules, game.rules.words
    rows = _Rows(rules.board)
    phases = {name: [rows.turn(t) for t in phase.turns] for name, phase in rules.phases.items()}
    names = [v.name for v in rules.variables]
    pieces = []
    for name, (first, second) in game.tokens.items():
        owners = None if second is None else list(game.owner_names(name))
        of_colour = bool(owners and words.colours and owners == list(words.colours))
        pieces.append({"name": name, "tokens": [first, second], "owners": owners, "colour": of_colour})
    return {
        "game": game.id, "variant": rules.variant, "reading": dict(rules.reading), "sites": rules.board.size,
        "names": list(rules.board.names), "steps": steps(rules.board), "terms": rows.rows,
        "bound": {str(n): inside for n, inside in rows.bound.items()},
        "variables": names, "swap": [names.index(swapped(n)) if swapped(n) in names else i for i, n in enumerate(names)],
        "sorts": [v.sort.value for v in rules.variables],
        "start": {"values": [value(rules, n, rules.start[n]) for n in names], "phase": rules.start_phase, "seat": rules.start_seat},
        "phases": phases, "pieces": pieces, "players": list(words.players), "colours": list(words.colours),
        "colour flag": f"mine.{words.colours[0]}" if rules.takes_colours else None,
    }  # fmt: skip
