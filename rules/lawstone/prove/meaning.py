"""What rules mean, as a digest: the same for rules that lower to the same core terms on the same board."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from lawstone.core import Term
from lawstone.lower import Asked, Rules

_known: dict[Term, str] = {}


def term_digest(term: Term) -> str:
    """A digest of a term with all that is below it; terms are interned, so each is looked at once."""
    stack = [term]
    while stack:
        top = stack[-1]
        waiting = [a for a in top.args if a not in _known] if top not in _known else []
        if waiting:
            stack += waiting
            continue
        stack.pop()
        if top not in _known:
            data = sorted(top.data) if isinstance(top.data, frozenset) else top.data
            told = (top.op, top.sort.value, data, top.low, top.high, *(_known[a] for a in top.args))
            _known[top] = hashlib.sha256(repr(told).encode()).hexdigest()
    return _known[term]


def meaning(rules: Rules) -> str:
    """A digest of all that play and proofs depend on: board, variables, start, turns with endings, how moves are written."""
    board = rules.board
    told: list[object] = [
        board.places, sorted(board.steps.items()), [repr(v) for v in rules.variables], sorted(rules.start.items()),
        rules.start_phase, rules.start_seat, sorted(rules.seat_of_phase.items()), list(rules.words.players),
    ]  # fmt: skip
    for name, phase in rules.phases.items():
        for turn in phase.turns:
            effects = [(e.role, term_digest(e.sites)) for e in turn.effects]
            told += [name, turn.rule, turn.roles, effects, _plain(turn.meaning)]
    return hashlib.sha256(repr(told).encode()).hexdigest()


def asked_digest(asked: Asked) -> str:
    """A digest of the terms that are asked about rules, beside the rules."""
    told = [(p, n, term_digest(t)) for p, terms in asked.here.items() for n, t in terms.items()]
    told += [(f"{p}", n, term_digest(t)) for p, terms in asked.after.items() for n, t in terms.items()]
    return hashlib.sha256(repr((meaning(asked.rules), told)).encode()).hexdigest()


def _plain(part: object) -> object:
    """A part of a meaning with digests in the place of terms."""
    if isinstance(part, Term):
        return term_digest(part)
    return [_plain(p) for p in part] if isinstance(part, Iterable) and not isinstance(part, str) else part
