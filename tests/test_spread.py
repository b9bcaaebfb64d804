"""Sets that spread by walks, read backwards, are what the reference interpreter finds site by site."""

from __future__ import annotations

import random

import pytest

from lawstone import Game
from lawstone.core import NOWHERE, Scope, Sort, Term, both, either, fold, read, sites, some, step, when, where, without
from lawstone.engine.kernel.layout import layout
from lawstone.engine.kernel.run import Kernel
from lawstone.engine.kernel.text import KernelWriter
from lawstone.engine.reference import Ints
from lawstone.engine.spread import apart, back, reaching, spread, told_by_last

BOARD = Game.load("xxung", board=(5, 4)).rules.board
FULL = sites(range(BOARD.size))
X, OWN, FREE, FLAG = read("x"), read("mine.a"), read("mine.b"), read("mine.c", Sort.FLAG)


def scopes() -> list[dict[str, int | bool]]:
    dice = random.Random(3)
    return [
        {"mine.a": dice.getrandbits(20), "mine.b": dice.getrandbits(20), "mine.c": bool(n % 2), "x": 1 << n} for n in range(20)
    ]  # fmt: skip


SETS: tuple[tuple[str, Term], ...] = (
    ("one step", both(step(X, "north"), FREE)),
    ("two steps with a site between", both(step(both(step(X, "east"), OWN), "east"), FREE)),
    ("forward by who plays", both(when(FLAG, step(X, "north"), step(X, "south")), FREE)),
    ("only for one player", when(FLAG, both(step(X, "north east"), FREE), NOWHERE)),
    ("not onto its own site", both(either(step(X, "west"), step(X, "east")), either(FREE, X))),
    ("less what it stands on", without(either(step(X, "west"), step(X, "south west")), either(OWN, X))),
    ("all round", both(*[either(*(step(X, d) for d in BOARD.steps))], FREE)),
)


@pytest.mark.parametrize("told", SETS, ids=lambda pair: pair[0])
def test_what_is_reached_backwards_is_what_is_reached_site_by_site(told: tuple[str, Term]):
    term, ints = told[1], Ints(BOARD)
    solved = reaching(some(term), "x", BOARD)
    parts = spread(term, "x", BOARD)
    assert solved is not None
    assert parts
    assert apart(parts, BOARD)
    for scope in scopes():
        by_site = [int(fold(term, ints, Scope(scope | {"x": 1 << s}))) for s in range(BOARD.size)]
        assert int(fold(solved, ints, Scope(scope))) == sum(1 << s for s, found in enumerate(by_site) if found)
        backs = [int(fold(back(p, BOARD), ints, Scope(scope))) for p in parts]
        assert [sum(b >> s & 1 for b in backs) for s in range(BOARD.size)] == [found.bit_count() for found in by_site]


def test_sets_of_another_form_are_left_as_they_are():
    twice = both(step(X, "north"), step(step(X, "north"), "south"))
    assert spread(twice, "x", BOARD) is None
    assert reaching(some(step(OWN, "north")), "x", BOARD) is None
    assert reaching(some(both(step(X, "north"), step(either(X, OWN), "south"))), "x", BOARD) is None


def test_walks_that_can_meet_are_not_apart():
    round_ = either(both(step(step(X, "north"), "east"), FREE), both(step(step(X, "east"), "north"), OWN))
    parts = spread(round_, "x", BOARD)
    assert parts
    assert not apart(parts, BOARD)
    first = where(OWN, lambda x: some(both(step(x, "north"), when(FLAG, FREE, OWN), either(FREE, x))))
    second = both(step(X, "north"), when(FLAG, FREE, OWN), either(FREE, X))
    assert told_by_last(first, second, "x", BOARD) is not None
    assert told_by_last(OWN, second, "x", BOARD) is None
    assert told_by_last(first, round_, "x", BOARD) is None


def test_moves_told_by_walks_are_drawn_as_python_draws_them():
    pytest.importorskip("llvmlite", reason="the extra `fast` is not installed")
    game = Game.load("breakthrough")
    text = KernelWriter(game.rules, layout(game.rules.board), playing=True).module()
    assert "found.spread(" in text
    assert "while" not in text
    Kernel(game.rules, game.engine).check(games=150, seed=9_000)
