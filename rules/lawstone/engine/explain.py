"""Why a move is legal, or which rule forbids it, with the rule's own sentence and the sites concerned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lawstone.core import Choice, Clause, Scope, Sort, Turn, fold
from lawstone.engine import notation
from lawstone.engine.game import Move, Position
from lawstone.engine.reference import sizes
from lawstone.engine.state import members
from lawstone.lower import Value


@dataclass(frozen=True)
class Explanation:
    """The verdict on one move in one position.

    `rule` is the rule that allows the pick that decides, or forbids it; `says` is that rule's sentence, `because` what does not
    hold (or what holds) in the words of the clause, `sites` the sites concerned, `pick` the part of the move that is meant.
    """

    move: str
    legal: bool
    rule: str
    says: str
    because: str
    pick: str
    sites: tuple[int, ...]
    instead: tuple[int, ...] = ()

    def __str__(self) -> str:
        verdict = "is legal" if self.legal else "is not legal"
        told = f"{self.move} {verdict}: {self.rule}"
        return f"{told}\n  {self.says}" if self.says else told


def explain(position: Position, text: str, language: str = "en") -> Explanation:
    """Why a written move is legal here, or which rule forbids it; raises NotAMove when it is not written as a move."""
    legal = [m for m in position.moves if notation.squeeze(m.text) == notation.squeeze(text)]
    if legal:
        return _allowed(position, legal[0], language)
    if position.outcome is not None:
        rule = position.outcome.rule
        return Explanation(text, False, rule, position.game.spec.says(rule, language), "the game is over", text, ())
    wanted = Written(position, text)
    if not wanted.understood:
        position.find(text)
    return _refused(position, wanted, language)


def forbidding(position: Position, text: str) -> str:
    """The id of the rule that forbids a move of another reading, which is not legal here; of a turn where its words are unknown."""
    wanted = Written(position, text)
    if not wanted.understood:
        return position.game.rules.phases[position.phase].turns[0].rule
    return _refused(position, wanted, "en").rule


def _refused(position: Position, wanted: Written, language: str) -> Explanation:
    """Why a move that is not legal is not: of the turns that it could be one of, by the one that it follows farthest."""
    text = wanted.text
    best: Explanation | None = None
    best_depth = -1
    for number, turn in enumerate(position.game.rules.phases[position.phase].turns):
        if not wanted.fits(turn):
            continue
        found, depth = _refusal(position, number, turn, wanted, language)
        if found is not None and depth > best_depth:
            best, best_depth = found, depth
    if best is not None:
        return best
    rule = position.game.rules.phases[position.phase].turns[0].rule
    return Explanation(text, False, rule, position.game.spec.says(rule, language), "a turn here is made of other picks", text, ())


class Written:
    """A written move taken apart: option words, and sites by what is done to them."""

    def __init__(self, position: Position, text: str) -> None:
        self.text = text
        names = position.game.rules.board.numbers
        rest = notation.squeeze(text)
        words = sorted({w for p in position.game.rules.phases.values() for t in p.turns for w in t.label}, key=len, reverse=True)
        self.label = ""
        for word in words:
            if rest.startswith(word.casefold()):
                self.label, rest = word, rest[len(word) :].strip()
                break
        self.by_role: dict[str, list[int]] = {}
        self.understood = True
        sign, site = " ", ""
        shifted = False
        for c in rest + " ":
            if c.isdigit() and site:
                site += c
                continue
            if site:
                if site not in names:
                    self.understood = False
                    return
                role = {" ": "first", "-": "to", "x": "capture", "~": "remove"}[sign]
                if sign == "-" and not shifted and "first" not in self.by_role:
                    role = "remove"
                self.by_role.setdefault(role, []).append(names[site])
                shifted = shifted or role == "to"
                site = ""
            if c == " ":
                sign = " "
            elif c == "-":
                sign = "~" if sign == " " and shifted else "-"
            elif c == "x" and any(self.by_role.values()) | (sign == " "):
                sign = "x"
            elif c.isalpha():
                site = c
            else:
                self.understood = False
                return
        self.understood = bool(self.by_role or self.label)

    def fits(self, turn: Turn) -> bool:
        """Whether the move could be one of this turn: its options are the ones written."""
        return not self.label or self.label in turn.label

    def sites_for(self, turn: Turn, choice: Choice) -> list[int]:
        """The written sites that a choice of the turn would pick."""
        shifts = any(c.role == "from" for c in turn.choices)
        moves_to = any(c.role == "to" for c in turn.choices)
        plain = self.by_role.get("first", [])
        match choice.role:
            case "from":
                return plain[:1]
            case "to":
                return self.by_role.get("to", []) if shifts else plain[:1]
            case "place":
                return plain[1:2] if moves_to or shifts else plain[:1]
            case role:
                return self.by_role.get(role, [])


def _refusal(position: Position, number: int, turn: Turn, wanted: Written, language: str) -> tuple[Explanation | None, int]:
    """The first thing that forbids the written move as this turn, and how many picks were right before it."""
    game, spec = position.game, position.game.spec
    ints, values = game.reference.ints, dict(position.values)
    for clause in turn.why:
        if not fold(clause.term, ints, Scope(values)):
            culprit = _failing_flag(clause, ints, values)
            told = f"it is not so that {culprit.says}"
            return Explanation(
                wanted.text, False, culprit.rule, spec.says(culprit.rule, language), told, wanted.label or wanted.text, ()
            ), 0
    picked: list[int] = []
    for depth, choice in enumerate(turn.choices):
        scope = Scope(values)
        among, due = int(fold(choice.among, ints, scope)), int(fold(choice.count, ints, scope))
        sites = wanted.sites_for(turn, choice)
        mask = sum(1 << s for s in sites)
        allowed = sizes(choice, due, among.bit_count())
        outside = mask & ~among
        if outside:
            culprit, concerned = _blame(choice.why, outside, ints, values)
            told = f"{', '.join(game.rules.board.names[s] for s in members(outside))} is not {culprit.says}"
            names = " ".join(game.rules.board.names[s] for s in members(outside))
            return (
                Explanation(
                    wanted.text,
                    False,
                    culprit.rule,
                    spec.says(culprit.rule, language),
                    told,
                    names,
                    concerned,
                    tuple(members(among)),
                ),
                depth,
            )
        if mask.bit_count() not in allowed:
            due_now = allowed[-1] if allowed else due
            told = (
                f"{due_now} to {choice.role} here, and {mask.bit_count()} given"
                if allowed
                else f"{due} due, and only {among.bit_count()} there"
            )
            return Explanation(
                wanted.text,
                False,
                choice.rule,
                spec.says(choice.rule, language),
                told,
                choice.role,
                tuple(members(mask)),
                tuple(members(among)),
            ), depth
        values[choice.name] = mask
        picked.append(mask)
    return None, len(picked)


def _failing_flag(clause: Clause, ints: object, values: Mapping[str, Value]) -> Clause:
    for part in clause.parts:
        if clause.mode == "all" and not fold(part.term, ints, Scope(values)):  # type: ignore[arg-type]
            return _failing_flag(part, ints, values)
    return clause


def _blame(clause: Clause, outside: int, ints: object, values: Mapping[str, Value]) -> tuple[Clause, tuple[int, ...]]:
    """The smallest part of a clause that keeps the sites out: of an intersection the first part that lacks them, of a
    fallback the entry in force."""

    def value(c: Clause) -> Value:
        return fold(c.term, ints, Scope(values))  # type: ignore[arg-type]

    if clause.mode == "all":
        for part in clause.parts:
            if part.term.sort is Sort.FLAG:
                if not value(part):
                    return _failing_flag(part, ints, values), ()
            elif outside & ~int(value(part)):
                return _blame(part, outside, ints, values)
    if clause.mode == "first":
        for part in clause.parts:
            if value(part):
                return _blame(part, outside, ints, values)
    return clause, tuple(members(outside))


def _allowed(position: Position, move: Move, language: str) -> Explanation:
    """The rules that allow a legal move: of each pick the entry in force, the last pick's rule first named."""
    game, spec = position.game, position.game.spec
    turn = game.rules.phases[position.phase].turns[move.picks.turn]
    ints, values = game.reference.ints, dict(position.values)
    rule, told, sites = turn.rule, "", tuple[int, ...]()
    for choice, mask in zip(turn.choices, move.picks.sites, strict=False):
        if mask:
            culprit = _in_force(choice.why, mask, ints, values)
            rule, told, sites = culprit.rule, culprit.says, tuple(members(mask))
        values[choice.name] = mask
    return Explanation(move.text, True, rule, spec.says(rule, language), told, move.text, sites)


def _in_force(clause: Clause, mask: int, ints: object, values: Mapping[str, Value]) -> Clause:
    for part in clause.parts:
        if clause.mode in ("first", "any") and part.term.sort is Sort.SITES and int(fold(part.term, ints, Scope(values))) & mask:  # type: ignore[arg-type]
            return _in_force(part, mask, ints, values)
    return clause


def forbids(position: Position, text: str) -> str | None:
    """The id of the rule that forbids a written move; None when it is legal."""
    found = explain(position, text)
    return None if found.legal else found.rule
