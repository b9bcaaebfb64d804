"""The stones of an SGF game: moves, setup stones and passes along its main line."""

from __future__ import annotations

import re

from lawstone.board import LONGEST_SIDE
from lawstone.engine.records.record import MOST_PLIES, Faults, Ply
from lawstone.engine.records.sgf_tree import Node, Property, Value
from lawstone.engine.records.stones import COLOURS, PICKS, fitting, site
from lawstone.model.faults import BadInput

_LETTERS = re.compile(r"([A-Za-z])([A-Za-z])")
_NUMBERED = re.compile(r"([A-Za-z])([1-9]\d?)")
_COLOUR = {"B": "black", "W": "white", "AB": "black", "AW": "white"}
_PICK = re.compile(r"\s*pick: ([a-z ]{1,20}?)\s*")
_ALTERNATE = "a replay needs the moves from the start, black and white in turn"


def size_of(nodes: list[Node], faults: Faults) -> tuple[tuple[int, int], list[str]]:
    """The board of a game, and a note where the file does not say it."""
    for prop in nodes[0]:
        if prop.name == "SZ":
            value = prop.values[0]
            match = re.fullmatch(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?", value.text)
            sides = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if all(1 <= side <= LONGEST_SIDE for side in sides):
                return sides, []
            limit = f"a size is one number, or columns:rows, from 1 to {LONGEST_SIDE}"
            faults.add(value.mark, "bad-board", f"the size {value.text[:20]!r} is not one of a board here", limit)
            return (LONGEST_SIDE, LONGEST_SIDE), []
    names = []
    for value in (v for node in nodes for prop in node if prop.name in _COLOUR for v in prop.values):
        text = value.text.strip().casefold()
        if _LETTERS.fullmatch(text) and text != "tt":
            names.append(f"{text[0]}{ord(text[1]) - 96}")
        elif _NUMBERED.fullmatch(text):
            names.append(text)
    board = fitting(names) or (LONGEST_SIDE, LONGEST_SIDE)
    return board, [f"the file gives no size of the board: {board[0]}x{board[1]} is taken"]


class Line:
    """The plies of a main line, as they are found node by node."""

    def __init__(self, board: tuple[int, int], faults: Faults) -> None:
        self.board, self.faults = board, faults
        self.plies: list[Ply] = []
        self.notes: dict[str, None] = {}
        self.laid = 0

    def node(self, node: Node) -> None:
        """Take in one node: setup stones first, then moves."""
        self.setup([prop for prop in node if prop.name in ("AB", "AW", "AE", "PL")])
        moves = [prop for prop in node if prop.name in ("B", "W")]
        if len(moves) > 1:
            self.notes["a node of the file holds two moves: they are taken in the order in which they stand"] = None
        for prop in moves:
            self.move(prop)
        for prop in node if not moves else []:
            match = _PICK.fullmatch(prop.values[0].text) if prop.name == "C" else None
            if match and match[1] in PICKS:
                early = sum(ply.text in PICKS for ply in self.plies) == 0
                self.plies.append(Ply(match[1], prop.values[0].mark, "second" if early else "first"))

    def move(self, prop: Property) -> None:
        """A stone or a pass."""
        if len(prop.values) > 1:
            self.faults.add(prop.values[1].mark, "bad-move", "a move is one point", "setup stones are AB and AW")
            return
        value = prop.values[0]
        small = max(self.board) <= 19
        if not value.text.strip() or (value.text.strip() == "tt" and small):
            self.plies.append(Ply("pass", value.mark, _COLOUR[prop.name]))
            return
        name = self.point(value, value.text)
        if name:
            self.stone(name, value, _COLOUR[prop.name])

    def stone(self, name: str, value: Value, colour: str) -> None:
        """Add a stone."""
        self.plies.append(Ply(name, value.mark, colour))
        self.laid += 1

    def point(self, value: Value, text: str) -> str:
        """The name of the point that a text means; "" if it means none on this board."""
        letters, numbered = _LETTERS.fullmatch(text.strip().casefold()), _NUMBERED.fullmatch(text.strip().casefold())
        if letters:
            column, row = ord(letters[1]) - 97, ord(letters[2]) - 97
        elif numbered:
            column, row = ord(numbered[1]) - 97, self.board[1] - int(numbered[2])
        else:
            self.faults.add(value.mark, "bad-move", f"{text[:20]!r} is not a point", "a point is two letters, such as hh")
            return ""
        if column < self.board[0] and 0 <= row < self.board[1]:
            return site(column, row, self.board[1])
        size = f"{self.board[0]}x{self.board[1]}"
        self.faults.add(value.mark, "off-board", f"the point {text.strip()!r} is not on this board of {size}")
        return ""

    def setup(self, props: list[Property]) -> None:
        """Setup stones: laid in turn, in the order in which they are listed, if their numbers allow that."""
        waiting: dict[str, list[tuple[str, Value]]] = {"black": [], "white": []}
        for prop in props:
            if prop.name == "AE":
                self.faults.add(prop.mark, "setup", "this file takes stones off the board (AE)", _ALTERNATE)
            for value in prop.values if prop.name in _COLOUR else []:
                waiting[_COLOUR[prop.name]] += [(name, value) for name in self.area(value)]
                if len(waiting[_COLOUR[prop.name]]) > MOST_PLIES:
                    raise BadInput([value.mark.fault("too-many-moves", f"a record has at most {MOST_PLIES:,} moves")])
        black, white = len(waiting["black"]), len(waiting["white"])
        if black or white:
            ahead = white - black if self.laid % 2 else black - white
            if ahead not in (0, 1):
                said = f"{black} black and {white} white setup stones cannot come from play in turn"
                self.faults.add(props[0].mark, "setup", said, _ALTERNATE)
                return
            self.notes["setup stones are taken as laid in turn, in the order in which they are listed"] = None
            for _ in range(black + white):
                colour = COLOURS[self.laid % 2]
                name, value = waiting[colour].pop(0)
                self.stone(name, value, colour)
        for prop in props:
            turn = prop.values[0].text.strip().upper()[:1] if prop.name == "PL" else ""
            if turn in ("B", "W") and self.laid and _COLOUR[turn] != COLOURS[self.laid % 2]:
                said = f"the file says that {_COLOUR[turn].capitalize()} plays next, and by turns the other colour does"
                self.faults.add(prop.values[0].mark, "setup", said, _ALTERNATE)

    def area(self, value: Value) -> list[str]:
        """The points of a value of AB or AW: one point, or a rectangle such as `aa:cc`."""
        first, colon, last = value.text.partition(":")
        ends = [self.point(value, text) for text in ((first, last) if colon else (first,))]
        if len(ends) < 2 or not all(ends):
            return [name for name in ends if name]
        columns = sorted(ord(name[0]) for name in ends)
        ranks = sorted(int(name[1:]) for name in ends)
        return [f"{chr(c)}{r}" for r in range(ranks[1], ranks[0] - 1, -1) for c in range(columns[0], columns[1] + 1)]
