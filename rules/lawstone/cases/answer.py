"""The right answer to what a vector asks, by the rules of a game under any reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lawstone.cases.vector import Answer, Ask, Ended, Shown
from lawstone.check.search import allowed
from lawstone.drawing.look import Look
from lawstone.drawing.text import text
from lawstone.engine import events, notation
from lawstone.engine.drawn import piece_looks
from lawstone.engine.everyday import Option
from lawstone.engine.explain import Written
from lawstone.engine.game import Game, History, MoveError, Position
from lawstone.engine.state import Outcome, Picks, members


class Asked(NamedTuple):
    """What is asked of a game: after which moves, what, and about which move."""

    moves: tuple[str, ...]
    ask: Ask
    move: str | None = None


OF_MOVES: tuple[Ask, ...] = ("legal moves", "legal picks", "is legal")
"""What is asked about the moves of a position."""


class Unplayable(Exception):
    """The moves before the question are not a game under this reading."""


class Answering:
    """Answers by one reading, with the positions of the games met kept.

    With `base`, the same games as played by another reading: their moves are then not read again, only looked up among the
    options of this one.
    """

    def __init__(self, game: Game, base: Answering | None = None, keep: int = 20_000) -> None:
        self.game, self.base, self.keep = game, base, keep
        self._known: dict[tuple[str, ...], Position | None] = {(): game.start()}
        self._picks: dict[tuple[str, ...], Picks] = {}
        self._answers: dict[Asked, Answer | None] = {}

    def position(self, moves: tuple[str, ...]) -> Position:
        """The position after some moves; raises Unplayable."""
        done = len(moves)
        while moves[:done] not in self._known:
            done -= 1
        position = self._known[moves[:done]]
        for n in range(done, len(moves)):
            if position is not None:
                position = self._after(position, moves[: n + 1])
            if len(self._known) > self.keep:
                self._known = {(): self.game.start()}
            self._known[moves[: n + 1]] = position
        if position is None:
            raise Unplayable
        return position

    def plays(self, moves: tuple[str, ...]) -> int:
        """How many of some moves are a game under this reading."""
        for n in range(len(moves)):
            try:
                self.position(moves[: n + 1])
            except Unplayable:
                return n
        return len(moves)

    def forget(self) -> None:
        """Forget the positions met, to spare memory."""
        self._known = {(): self.game.start()}

    def picks(self, moves: tuple[str, ...]) -> Picks:
        """What the last of some moves picks; raises MoveError, also where it is an event, and Unplayable."""
        if moves not in self._picks:
            self._picks[moves] = picks_of(self.position(moves[:-1]), moves[-1])
        return self._picks[moves]

    def _after(self, position: Position, moves: tuple[str, ...]) -> Position | None:
        if position.ended is not None:
            return None
        if (happened := interrupted(position, moves[-1])) is not None:
            return happened
        engine = self.game.engine
        try:
            if self.base is None:
                picks = self.picks(moves)
            else:
                before = self.base.position(moves[:-1])
                picks = self.base.picks(moves)
                kinds = [self._kinds(g, p.phase) for g, p in ((self.game, position), (self.base.game, before))]
                options = engine.options[engine.index[position.phase]](*position.state.values)
                if kinds[0] != kinds[1]:
                    picks = position.find(moves[-1]).picks
                elif not allowed(engine.depths[engine.index[position.phase]], options, picks):
                    return None
        except (MoveError, Unplayable):
            return None
        after = engine.play(position.state, picks)
        return Position(self.game, after.state, after.outcome)

    @staticmethod
    def _kinds(game: Game, phase: str) -> list[tuple[object, object]]:
        return [(t.label, t.roles) for t in game.rules.phases[phase].turns]

    def answer(self, asked: Asked) -> Answer | None:
        """The answer; None where the moves before it cannot be played under this reading."""
        try:
            position = self.position(asked.moves)
        except Unplayable:
            return None
        if self.base is not None and asked.ask in OF_MOVES and self._same_moves(position, self.base.position(asked.moves)):
            return self.base.answer(asked)
        if self.base is not None:
            return answer(position, asked.ask, asked.move)
        if asked not in self._answers:
            self._answers[asked] = answer(position, asked.ask, asked.move)
        return self._answers[asked]

    def _same_moves(self, here: Position, there: Position) -> bool:
        """Whether two positions have the same options of the same kinds, and so the same legal moves, written alike."""
        if here.ended is not None or there.ended is not None or here.state.seat != there.state.seat:
            return False
        a, b = here.game, there.game
        if self._kinds(a, here.phase) != self._kinds(b, there.phase) or a.rules.words.colours != b.rules.words.colours:
            return False
        return options_of(here) == options_of(there)


def interrupted(position: Position, told: str) -> Position | None:
    """The position after an event that a game holds among its moves; None where this is no event, or cannot happen."""
    found = events.named(position, told) if any(e.name in told for e in position.game.rules.game.events or []) else None
    if found is None:
        return None
    try:
        happened = events.happen(History(position), *found)
    except events.CannotHappen:
        return None
    return happened.position or Position(position.game, position.state, happened.outcome)


def options_of(position: Position) -> list[Option]:
    """The legal moves of a position as options; none where the game is over."""
    engine = position.game.engine
    return [] if position.ended is not None else engine.options[engine.index[position.phase]](*position.state.values)


def picks_of(position: Position, text: str) -> Picks:
    """What a written legal move picks, found without listing all moves where it can be; raises MoveError."""
    found = _allowed(position, text)
    return found if found is not None else position.find(text).picks


def _allowed(position: Position, text: str) -> Picks | None:
    """What a written legal move picks; None where it is not legal, or not understood in this way."""
    game, engine, written = position.game, position.game.engine, Written(position, text)
    if position.ended is None and written.understood:
        options = options_of(position)
        for number, turn in enumerate(game.rules.phases[position.phase].turns):
            if not written.fits(turn):
                continue
            sites = tuple(sum(1 << s for s in written.sites_for(turn, c)) for c in turn.choices)
            picks = Picks(number, sites)
            if not allowed(engine.depths[engine.index[position.phase]], options, picks):
                continue
            if notation.squeeze(notation.write(game.rules, position.state, picks)) == notation.squeeze(text):
                return picks
    return None


def answer(position: Position, ask: Ask, move: str | None) -> Answer | None:
    """The answer in a position; None to `after` of a move that is not legal."""
    match ask:
        case "legal moves":
            return Answer(moves=sorted(m.text for m in position.moves))
        case "is legal":
            assert move is not None
            return Answer(legal=is_legal(position, move))
        case "legal picks":
            return Answer(picks=sorted(next_picks(position, move or "")))
        case "outcome":
            return Answer(outcome=ended(position))
        case "who acts":
            return Answer() if outcome_of(position) is not None else Answer(acts=position.actor)
        case "event":
            return event(position, move or "")
    assert move is not None
    try:
        after = position.game.player.play(position.state, picks_of(position, move))
        return whole(Position(position.game, after.state, after.outcome))
    except MoveError:
        return None


def event(position: Position, told: str) -> Answer | None:
    """What an event brings, or that it is not legal: it is not declared, or cannot happen here. None where the game is over."""
    if outcome_of(position) is not None:
        return None
    named = events.named(position, told)
    if named is None:
        return Answer(legal=False)
    try:
        found = events.happen(History(position), *named)
    except events.CannotHappen:
        return Answer(legal=False)
    if found.outcome is not None:
        return Answer(board=board_of(position), outcome=ended_of(position, found.outcome))
    assert found.position is not None
    return whole(found.position)


def whole(position: Position) -> Answer:
    """All that a program may say of a position."""
    over = outcome_of(position) is not None
    several = len(position.game.rules.phases) > 1
    return Answer(
        board=board_of(position),
        acts=None if over else position.actor,
        phase=position.phase if several and not over else None,
        hands=dict(position.hands) or None,
        outcome=ended(position),
    )


def is_legal(position: Position, move: str) -> bool:
    """Whether a written move is legal."""
    if _allowed(position, move) is not None:
        return True
    wanted = notation.squeeze(move)
    return any(notation.squeeze(m.text) == wanted for m in position.moves)


def outcome_of(position: Position) -> Outcome | None:
    """How the game ended; None while it goes on. Moves are not listed for it."""
    return None if position.ended is None and options_of(position) else position.outcome


def ended(position: Position) -> Ended | str:
    """How the game stands."""
    outcome = outcome_of(position)
    return "none" if outcome is None else ended_of(position, outcome)


def ended_of(position: Position, outcome: Outcome) -> Ended:
    """An outcome as data."""
    players = position.game.rules.words.players
    return Ended(result=outcome.kind, winner=None if outcome.winner is None else players[outcome.winner], by=outcome.rule)


def board_of(position: Position) -> dict[str, str]:
    """The token on each site that is not empty, by the site's name."""
    names = position.game.rules.board.names
    return {names[s]: token for s, token in sorted(position.cells.items(), key=lambda item: names[item[0]])}


def shown(position: Position) -> Shown:
    """A position drawn, and as data."""
    rules = position.game.rules
    plain = Look(rules.board, position.cells, piece_looks(position.game), {}, (), "", "")
    return Shown(
        drawn=text(plain),
        board=board_of(position),
        acts=position.actor,
        phase=position.phase if len(rules.phases) > 1 else None,
        last=None if position.last is None else rules.board.names[position.last],
        hands=dict(position.hands) or None,
        holds=dict(zip(rules.words.players, position.colour_of_seat, strict=True)) if rules.takes_colours else None,
    )


def next_picks(position: Position, made: str) -> list[str]:
    """The sites that the next pick may name after the picks written in `made`; of a pick of several, all that it may be made of."""
    if position.ended is not None:
        return []
    rules, wanted = position.game.rules, notation.squeeze(made)
    texts: dict[Picks, str] = {}
    found = 0
    for move in position.moves:
        turn, sites = move.picks
        for n in range(len(sites)):
            so_far = Picks(turn, sites[:n])
            if so_far not in texts:
                written = notation.write(rules, position.state, so_far)
                texts[so_far] = "" if written == "pass" else notation.squeeze(written)
            if texts[so_far] == wanted:
                found |= sites[n]
    return [rules.board.names[s] for s in members(found)]


def differs(expected: Answer | None, given: Answer | None) -> bool:
    """Whether two answers by the rules differ in what counts: the reason of an ending does."""
    return expected != given


def replay(game: Game, moves: Sequence[str]) -> Position:
    """The position after some moves, and events among them, played by the reference interpreter."""
    position = game.by_the_law().start()
    for move in moves:
        position = interrupted(position, move) or position.play(move)
    return position
