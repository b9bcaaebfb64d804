"""The words of one game: what `own pawn $s`, `rank 2`, `holder of white` or `c4` mean in it.

Words are read here once, into small records; the constructs give the records their meaning in core terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lawstone.board import Board, grid, hexagon, lines
from lawstone.model import sites, steps
from lawstone.model.game import BoardClause, Game
from lawstone.model.parts import below
from lawstone.model.sites import Sites

Owner = Literal["own", "enemy", "next", "first", "second", "first colour", "second colour"]
OWN_WORDS: Mapping[str, Owner] = {
    "own": "own", "mover": "own", "actor": "own", "enemy": "enemy", "opponent": "enemy", "other": "enemy",
    "next": "next",
}  # fmt: skip
ATOMS = ("empty", "occupied", "board", "centre", "corners", "edges", "last", "it", "vacated", "far rank", "home rank")
DEEPEST_REGION = 20
"""Regions inside regions."""
_RANK = re.compile(r"rank (\d+)$")
_FILE = re.compile(r"file ([a-z])$")
_SITE = re.compile(r"[a-z]\d{1,2}$")


class Unknown(ValueError):
    """Words that mean nothing in this game; `known` are words that would.

    `part` is the smallest part of the game file (a model) in which they stand, where that is known.
    """

    def __init__(self, message: str, given: str = "", known: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.given, self.known = given, known
        self.part: object = None


@dataclass(frozen=True, slots=True)
class PieceWords:
    """Pieces: whose (None: anybody's), which, and of which kind (None: of all; `$s`: of the kind picked as s)."""

    owner: Owner | None
    piece: str
    kind: str | None


@dataclass(frozen=True, slots=True)
class Atom:
    """A set of sites with a name of its own."""

    name: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """A set of sites that never changes."""

    sites: frozenset[int]
    name: str


SiteWords = PieceWords | Atom | Fixed
PlayerWords = Literal["own", "enemy", "next", "first", "second", "first colour", "second colour", "both"]


def build_board(clause: BoardClause) -> Board:
    """The board that a clause describes; ValueError when a line is not straight or a point is not named so."""
    if clause.grid:
        return grid(clause.grid[0], clause.grid[1], clause.drawn_on)
    if clause.hexagon:
        return hexagon(clause.hexagon, clause.drawn_on)
    return lines(clause.lines or [])


class Vocabulary:
    """The names declared by a game, and the words made of them."""

    def __init__(self, game: Game, board: Board) -> None:
        self.game, self.board = game, board
        self.players = tuple(game.players)
        self.colours = tuple(game.colours.names) if game.colours else ()
        self.phases = tuple(game.phases or {}) + (("main",) if game.turn is not None else ())
        self._regions: dict[str, frozenset[int]] = {}

    def kinds(self, piece: str) -> tuple[str | None, ...]:
        """The kinds of a piece, or (None,) when it has none."""
        return tuple(self.game.pieces[piece].kinds or (None,))

    def variables(self, piece: str, kind: str | None) -> list[str]:
        """The variable names (without side) of a piece: one a kind, all of them when no kind is named."""
        return [variable(piece, k) for k in self.kinds(piece) if kind is None or k == kind]

    @cached_property
    def owners(self) -> Mapping[str, Owner]:
        """Words that say whose a piece is."""
        named: dict[str, Owner] = dict(OWN_WORDS)
        named |= dict(zip(self.players, ("first", "second"), strict=True))
        named |= dict(zip(self.colours, ("first colour", "second colour"), strict=False))
        return named

    def piece(self, words: str) -> PieceWords:
        """Read `own pawn x`; raises Unknown."""
        for owner_words, owner in sorted(self.owners.items(), key=lambda o: -len(o[0])):
            if words.startswith(owner_words + " "):
                found = self._bare_piece(words[len(owner_words) + 1 :], owner)
                if found:
                    return found
        found = self._bare_piece(words, None)
        if found:
            return found
        raise Unknown(f"'{words}' is not a piece of this game", words, tuple(self._piece_phrases()))

    def _bare_piece(self, words: str, owner: Owner | None) -> PieceWords | None:
        for name, piece in self.game.pieces.items():
            if words == name:
                return PieceWords(owner, name, None)
            kind = words.removeprefix(name + " ")
            if kind != words and ((piece.kinds and kind in piece.kinds) or kind.startswith("$")):
                return PieceWords(owner, name, kind)
        return None

    def _piece_phrases(self) -> Iterator[str]:
        for name, piece in self.game.pieces.items():
            for owner in ("", *self.owners) if piece.of != "nobody" else ("",):
                for kind in ("", *(piece.kinds or ())):
                    yield " ".join(w for w in (owner, name, kind) if w)

    def sites(self, words: str) -> SiteWords:
        """Read words for a set of sites; raises Unknown with what could have been meant."""
        if words in ATOMS:
            return Atom(words)
        if words in (self.game.regions or {}):
            return Fixed(self.region(words), words)
        rank, file = _RANK.match(words), _FILE.match(words)
        if rank:
            return self._fixed(words, lambda x, y: y + 1 == int(rank[1]))
        if file:
            return self._fixed(words, lambda x, y: x == ord(file[1]) - 97)
        if _SITE.match(words):
            if words not in self.board.numbers:
                raise Unknown(f"the site {words} is off the board", words, self.board.names)
            return Fixed(frozenset({self.board.numbers[words]}), words)
        try:
            return self.piece(words)
        except Unknown as unknown:
            known = (*ATOMS, *(self.game.regions or {}), *unknown.known)
            raise Unknown(f"'{words}' is not a set of sites in this game", words, known) from None

    def _fixed(self, words: str, belongs: object) -> Fixed:
        assert callable(belongs)
        found = frozenset(s for s, (x, y) in enumerate(self.board.places) if belongs(x, y))
        if not found:
            raise Unknown(f"{words} is off the board", words)
        return Fixed(found, words)

    def region(self, name: str, above: tuple[str, ...] = ()) -> frozenset[int]:
        """The sites of a declared region, which may name other regions."""
        if name in above:
            raise Unknown(f"the region '{name}' is made of itself", name)
        if len(above) > DEEPEST_REGION:
            raise Unknown(f"regions are made of one another more than {DEEPEST_REGION} deep", name)
        if name not in self._regions:
            found: set[int] = set()
            for words in (self.game.regions or {})[name]:
                if words in (self.game.regions or {}):
                    found |= self.region(words, (*above, name))
                else:
                    found |= self.fixed(words)
            self._regions[name] = frozenset(found)
        return self._regions[name]

    def fixed(self, words: str) -> frozenset[int]:
        """Words that must mean a set that never changes: sites, ranks, files, regions, corners and the like."""
        meant = self.sites(words)
        if isinstance(meant, Fixed):
            return meant.sites
        if isinstance(meant, Atom) and meant.name in ("board", "centre", "corners", "edges"):
            b = self.board
            return {"board": frozenset(range(b.size)), "centre": b.centre, "corners": b.corners, "edges": b.edges}[meant.name]
        raise Unknown(f"'{words}' changes in the course of the game; a fixed set of sites is wanted here", words)

    def player(self, words: str) -> PlayerWords:
        """Read `other`, `white` or `holder of white`; raises Unknown."""
        if words == "both":
            return "both"
        holder = words.removeprefix("holder of ")
        if holder != words and holder in self.colours:
            return "first colour" if holder == self.colours[0] else "second colour"
        if words in self.owners and words not in self.colours:
            return self.owners[words]
        known = ("both", *self.owners, *(f"holder of {c}" for c in self.colours))
        raise Unknown(f"'{words}' is not a player here", words, tuple(k for k in known if k not in self.colours))

    @cached_property
    def tokens(self) -> Mapping[str, tuple[str, str | None]]:
        """How each piece is written in drawn boards: by variable, the token of the first owner and that of the second.

        Tokens are those declared, else x and o for the only owned piece, the owner's initial and the kind's (or the piece's),
        or a capital for what is nobody's, which has one token.
        """
        declared = self.game.tokens or {}
        owned = [name for name, piece in self.game.pieces.items() if piece.of != "nobody"]
        found: dict[str, tuple[str, str | None]] = {}
        for piece, clause in self.game.pieces.items():
            for kind in self.kinds(piece):
                name = variable(piece, kind)
                if clause.of == "nobody":
                    found[name] = (declared.get(name, (kind or piece)[0].upper()), None)
                    continue
                owners = self.colours if clause.of == "colour" and self.colours else self.players
                plain = [owner[0] + (kind or piece)[0] for owner in owners]
                if len(owned) == 1 and kind is None:
                    plain = ["x", "o"]
                first, second = (declared.get(f"{o} {name}", p) for o, p in zip(owners, plain, strict=True))
                found[name] = (first, second)
        return found

    @cached_property
    def singles(self) -> frozenset[str]:
        """Variables of pieces of nobody of which there is exactly one, now and always: one at the start, none placed or taken."""
        start = {self.piece(p): s for p, s in (self.game.start or {}).items()}
        found = set()
        for words, where in start.items():
            names = self.variables(words.piece, words.kind)
            if (
                self.game.pieces[words.piece].of == "nobody"
                and self.game.pieces[words.piece].hand is None
                and isinstance(where, str)
            ):
                found |= set(names) if len(names) == 1 and len(self.fixed(where)) == 1 else set()
        return frozenset(name for name in found if not self._comes_or_goes(name))

    def _comes_or_goes(self, name: str) -> bool:
        """Whether some step may place a piece of this variable or take one off, by the form of what the steps name."""
        for _, step in below(self.game):
            if isinstance(step, steps.Place) and self._may_name(step.place, name):
                return True
            if isinstance(step, steps.Taking):
                of = step.capture if isinstance(step, steps.Capture) else getattr(step, "remove", None)
                if self._may_hold(of, name) or self._may_hold(step.rest_from, name):
                    return True
            if isinstance(step, steps.Move) and self._may_hold(step.displaces, name):
                return True
        return False

    def _may_name(self, words: str, name: str) -> bool:
        """Whether words for pieces may mean one of this variable; a kind that is picked may be any."""
        try:
            meant = self.piece(words)
        except Unknown:
            return False
        kind = None if meant.kind is not None and meant.kind.startswith("$") else meant.kind
        return meant.owner is None and name in self.variables(meant.piece, kind)

    def _may_hold(self, part: Sites | None, name: str) -> bool:
        """Whether a piece of this variable may stand on a site of the set; True where the form does not exclude it."""
        match part:
            case None | "empty":
                return False
            case str():
                try:
                    return not isinstance(self.sites(part), PieceWords) or self._may_name(part, name)
                except Unknown:
                    return False
            case sites.AnyOf():
                held = any(self._may_hold(p, name) for p in part.any_of)
            case sites.FirstOf():
                held = any(self._may_hold(p, name) for p in part.first_of)
            case sites.AllOf():
                held = all(self._may_hold(p, name) for p in part.all_of)
            case sites.Named():
                held = self._may_hold(part.sites, name)
            case sites.Flanked():
                held = self._may_hold(part.flanked.over, name)
            case sites.SlideTo():
                held = self._may_hold(part.slide.over, name)
            case _:
                held = True
        if isinstance(part, sites.SitesClause):
            held = held and (part.and_ is None or self._may_hold(part.and_, name))
            held = held or self._may_hold(part.or_, name)
        return held

    def is_single(self, variables: list[str]) -> bool:
        """Whether the variables hold exactly one piece, so that it needs no picking."""
        return len(variables) == 1 and variables[0] in self.singles

    def seat(self, words: str) -> int:
        """The number (0 or 1) of a seat by its name; raises Unknown."""
        if words not in self.players:
            raise Unknown(f"'{words}' is not a player of this game", words, self.players)
        return self.players.index(words)


def variable(piece: str, kind: str | None) -> str:
    """The variable of a piece of a kind, without its side."""
    return piece if kind is None else f"{piece} {kind}"
