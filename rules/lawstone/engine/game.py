"""A loaded game, its positions and its moves: what people and programs play with.

Everything here is immutable except `History`. A `Position` is always one that the rules can speak about; what one may draw but not
play is refused with the reason when it is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lawstone.engine import notation
from lawstone.engine.everyday import Everyday
from lawstone.engine.playout import LONGEST, Playout, playout, stuck
from lawstone.engine.reference import Interpreter
from lawstone.engine.state import Engine, Outcome, Picks, State, members
from lawstone.lower import Rules
from lawstone.model.faults import suggest
from lawstone.spec import Answers, Spec, load

if TYPE_CHECKING:
    from lawstone.engine.kernel.walk import Walk


class MoveError(ValueError):
    """A move that cannot be played. The text carries the position, so that one can replay it."""

    def __init__(self, message: str, move: str, position: Position) -> None:
        super().__init__(message)
        self.move, self.position = move, position


class NotAMove(MoveError):
    """What was written is not a move of this game in any position."""


class IllegalMove(MoveError):
    """A move that is not allowed here."""


class AmbiguousMove(MoveError):
    """What was written could mean several moves."""


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move in a position: how it is written, and what it picks."""

    text: str
    picks: Picks

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Game:
    """A game under one reading on one board, ready to play; `lawful` makes the reference interpreter play it."""

    spec: Spec
    rules: Rules
    lawful: bool = False

    @classmethod
    def load(cls, name: str, variant: str = "", reading: Answers | None = None, board: tuple[int, int] | None = None) -> Game:
        """A shipped game by name, or a game file by path; raises BadInput (a faulty file) or Usage (no such variant or answer)."""
        spec = load(name)
        return cls(spec, spec.rules(variant, reading, board))

    @property
    def id(self) -> str:
        """The game's id."""
        return self.rules.game.game

    @cached_property
    def engine(self) -> Everyday:
        """The everyday engine; games under the same rules share one."""
        kept: Everyday = self.rules.__dict__.setdefault("everyday", None) or Everyday(self.rules)
        self.rules.__dict__["everyday"] = kept
        return kept

    @property
    def walk(self) -> Walk | str:
        """The compiled steps of these rules, tried against the everyday engine; or in words why there are none."""
        if "walk" not in self.rules.__dict__:
            from lawstone.engine.kernel.walk import agreed

            self.rules.__dict__["walk"] = agreed(self.rules, self.engine)
        kept: Walk | str = self.rules.__dict__["walk"]
        return kept

    @cached_property
    def reference(self) -> Interpreter:
        """The reference interpreter."""
        return Interpreter(self.rules)

    @property
    def player(self) -> Engine:
        """What positions are played with: the everyday engine, or the reference interpreter in a game `by_the_law`."""
        return self.reference if self.lawful else self.engine

    def by_the_law(self) -> Game:
        """The same game played by the reference interpreter, for replaying what an engine has found."""
        return Game(self.spec, self.rules, lawful=True)

    @cached_property
    def tokens(self) -> Mapping[str, tuple[str, str | None]]:
        """How each piece is written in drawn boards: token by variable, for the first and for the second owner."""
        return self.rules.words.tokens

    def start(self) -> Position:
        """The position before the first move."""
        return Position(self, self.player.start())

    def playout(self, seed: int, longest: int = LONGEST) -> Playout:
        """A random game, uniform over complete moves, cut after `longest` plies."""
        return playout(self.engine, seed, longest)

    def replay(self, moves: list[str]) -> Position:
        """The position after some moves from the start; raises MoveError."""
        position = self.start()
        for move in moves:
            position = position.play(move)
        return position

    def owner_names(self, name: str) -> tuple[str, str]:
        """The names of the two owners of a piece: players, or colours where pieces belong to colours."""
        piece = next(p for p in self.rules.game.pieces if name == p or name.startswith(p + " "))
        return _owners(self.rules, piece)


def _owners(rules: Rules, piece: str) -> tuple[str, str]:
    names = rules.words.colours if rules.game.pieces[piece].of == "colour" else rules.words.players
    return names[0], names[1]


@dataclass(frozen=True, eq=False)
class Position:
    """A position: a state of the game, and the outcome if the game is over there."""

    game: Game
    state: State
    ended: Outcome | None = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.game.rules is other.game.rules
            and (self.state, self.ended) == (other.state, other.ended)
        )

    def __hash__(self) -> int:
        return hash((self.state, self.ended))

    # -- what stands where --------------------------------------------------------------------------------------------------------

    @cached_property
    def values(self) -> Mapping[str, int | bool]:
        """The variables by name, as the player who acts sees them."""
        return dict(zip((v.name for v in self.game.rules.variables), self.state.values, strict=True))

    @property
    def phase(self) -> str:
        """The phase of the game."""
        return self.state.phase

    @property
    def actor(self) -> str:
        """The player who is to act; where the game is over, the player who moved last."""
        return self.game.rules.words.players[self.state.seat]

    @cached_property
    def colour_of_seat(self) -> tuple[str, str]:
        """The colour that each seat holds; the players' names where there are no colours."""
        words = self.game.rules.words
        if not words.colours:
            return words.players[0], words.players[1]
        first, second = words.colours
        name = f"mine.{first}"
        actor_has_first = self.values.get(name, self.state.seat == 0)
        seat_of_first = self.state.seat if actor_has_first else 1 - self.state.seat
        return (first, second) if seat_of_first == 0 else (second, first)

    @cached_property
    def cells(self) -> Mapping[int, str]:
        """The token on each site that is not empty."""
        found: dict[int, str] = {}
        for name, tokens in self.game.tokens.items():
            if tokens[1] is None:
                found |= dict.fromkeys(members(int(self.values[name])), tokens[0])
                continue
            for side in ("mine", "theirs"):
                owner = self._owner_index(name, side)
                found |= dict.fromkeys(members(int(self.values[f"{side}.{name}"])), tokens[owner] or "")
        return found

    def _owner_index(self, name: str, side: str) -> int:
        """0 when the player of `side` owns the first-named set of a piece: by colour held, or by seat."""
        seat = self.state.seat if side == "mine" else 1 - self.state.seat
        owners = self.game.owner_names(name)
        return owners.index(self.colour_of_seat[seat]) if self.colour_of_seat[seat] in owners else seat

    @cached_property
    def hands(self) -> Mapping[str, int]:
        """Pieces in hand, such as `black stone: 3`, where hands are counted."""
        found: dict[str, int] = {}
        for name, tokens in self.game.tokens.items():
            if tokens[1] is None or f"mine.hand {name}" not in self.values:
                continue
            for side in ("mine", "theirs"):
                owner = self.game.owner_names(name)[self._owner_index(name, side)]
                found[f"{owner} {name}"] = int(self.values[f"{side}.hand {name}"])
        return dict(sorted(found.items()))

    @property
    def last(self) -> int | None:
        """The site of the piece that the turn before placed or moved, where the rules speak of it."""
        mask = int(self.values.get("last", 0))
        return members(mask)[0] if mask else None

    # -- moves --------------------------------------------------------------------------------------------------------------------

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves, in a fixed order; none when the game is over."""
        if self.ended is not None:
            return ()
        found = self.game.player.moves(self.state)
        return tuple(Move(notation.write(self.game.rules, self.state, p), p) for p in found)

    @cached_property
    def _by_text(self) -> Mapping[str, list[Move]]:
        found: dict[str, list[Move]] = {}
        for move in self.moves:
            found.setdefault(notation.squeeze(move.text), []).append(move)
        return found

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. A player who must act and cannot ends it with `no rule`."""
        if self.ended is not None:
            return self.ended
        return None if self.moves else stuck(self.game.rules, self.state)

    def find(self, text: str) -> Move:
        """The legal move that is written so; raises NotAMove, IllegalMove or AmbiguousMove."""
        found = self._by_text.get(notation.squeeze(text), [])
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(f"{text!r} could mean {len(found)} moves here", text, self)
        if self.ended is not None:
            raise IllegalMove(f"{text!r} cannot be played: the game is over", text, self)
        hint = suggest(text, [m.text for m in self.moves])
        if not looks_like_a_move(text, self.game.rules):
            raise NotAMove(f"{text!r} is not how a move of {self.game.id} is written{'; ' + hint if hint else ''}", text, self)
        raise IllegalMove(f"{text!r} is not a legal move here", text, self)

    def play(self, move: str | Move) -> Position:
        """The position after a move; raises MoveError."""
        found = self.find(move) if isinstance(move, str) else move
        after = self.game.player.play(self.state, found.picks)
        return Position(self.game, after.state, after.outcome)

    def _repr_svg_(self) -> str:
        """The board as notebooks show it; `print` shows it as text."""
        from lawstone.drawing import svg
        from lawstone.engine.drawn import look

        return svg(look(self), size=300)

    def __str__(self) -> str:
        from lawstone.engine.drawn import position_text

        return position_text(self)


def looks_like_a_move(text: str, rules: Rules) -> bool:
    """Whether a text has the form of a move: sites of the board, signs between them, and option words."""
    options = {word.casefold() for p in rules.phases.values() for t in p.turns for word in t.label}
    rest = notation.squeeze(text)
    if rest in options or rest == "pass":
        return True
    for word in sorted(options, key=len, reverse=True):
        if rest.startswith(word):
            rest = rest[len(word) :].strip()
            break
    names = set(rules.board.names)
    site = ""
    sites = 0
    for c in rest + " ":
        if c.isdigit() and site:
            site += c
            continue
        if site:
            if site not in names:
                return False
            sites, site = sites + 1, ""
        if c.isalpha():
            if c == "x" and sites and "x1" not in names:
                continue
            site = c
        elif c not in " -x":
            return False
    return sites > 0 or rest == ""


class History:
    """A game in progress: positions, undo, repetition. Not shared between players; one object, one game."""

    def __init__(self, start: Position) -> None:
        self.positions: list[Position] = [start]
        self.played: list[Move] = []

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    def play(self, move: str | Move) -> Position:
        """Play a move; raises MoveError and changes nothing when it cannot be played."""
        found = self.position.find(move) if isinstance(move, str) else move
        self.positions.append(self.position.play(found))
        self.played.append(found)
        return self.position

    def undo(self) -> Move:
        """Take the last move back; raises IndexError at the start."""
        if not self.played:
            raise IndexError("there is no move to take back")
        self.positions.pop()
        return self.played.pop()

    def appearances(self) -> int:
        """How often the position now has been there, the player to act and all that the rules can see included."""
        return sum(p.state == self.position.state for p in self.positions)

    def __iter__(self) -> Iterator[Position]:
        return iter(self.positions)
