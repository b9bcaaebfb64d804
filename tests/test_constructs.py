"""Each word of the language, folded over ints and run as emitted text, means what its naive version in the oracles means.

Boards, pieces and clauses are drawn at random. A clause is lowered on its own and folded; it is also made the target of a
placement (or the ending) of a small game, which both engines play.
"""

from __future__ import annotations

import functools
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lawstone.board import Board
from lawstone.constructs import conditions, shapes, sites
from lawstone.constructs.scene import Scene, Variable
from lawstone.core import (
    OPPOSITE_OF,
    Scope,
    Sort,
    Term,
    both,
    either,
    fold,
    read,
    some,
    step,
    where,
    without,
)
from lawstone.core import sites as constant
from lawstone.core.binder import _members_reaching
from lawstone.core.terms import made
from lawstone.engine.everyday import Everyday
from lawstone.engine.reference import Interpreter, Ints
from lawstone.engine.state import State, members
from lawstone.lower import lower
from lawstone.model.game import Game
from lawstone.model.vocabulary import Vocabulary, build_board
from oracles import constructs as naive
from oracles.constructs import Places, Plane

Clause = dict[str, Any]
OFTEN = settings(max_examples=200, deadline=None)
SOMETIMES = settings(max_examples=60, deadline=None)
MIRROR = {"capture": "enemy stone", "remove": "own stone"}


# Boards and pieces


class Table:
    """A board both ways, with stones on it: as the toolkit's ints and as the oracle's places."""

    def __init__(self, clause: Clause, mine: Places, theirs: Places, last: Places) -> None:
        self.clause = clause
        self.board = build_board(game_of(clause).board)
        self.plane = plane_of(clause)
        self.mine, self.theirs, self.last = mine, theirs, last

    def __repr__(self) -> str:
        token = dict.fromkeys(self.mine, "x") | dict.fromkeys(self.theirs, "o")
        rows = [" ".join(token.get((x, y), ".") for x in range(self.board.width)) for y in range(self.board.height)]
        return f"{self.clause} last {sorted(self.last)}\n" + "\n".join(reversed(rows))

    @property
    def named(self) -> dict[str, Places]:
        """Sets that a clause may name."""
        occupied = self.mine | self.theirs
        return {
            "own stone": self.mine,
            "enemy stone": self.theirs,
            "stone": occupied,
            "occupied": occupied,
            "empty": self.plane.places - occupied,
            "board": self.plane.places,
            "last": self.last,
        }

    def mask(self, places: Places) -> int:
        return self.board.mask(self.board.at[place] for place in places)

    def places(self, mask: int) -> Places:
        return frozenset(self.board.places[s] for s in members(mask))

    def values(self) -> dict[str, int]:
        return {"mine.stone": self.mask(self.mine), "theirs.stone": self.mask(self.theirs), "last": self.mask(self.last)}

    def fold(self, term: Term) -> Any:
        return fold(term, Ints(self.board), Scope(self.values()))

    def state(self, rules: Any) -> State:
        seats = {"mine.first": True, "theirs.first": False}
        values = self.values() | seats
        return State(tuple(values[v.name] for v in rules.variables), "main", 0)


def plane_of(clause: Clause) -> Plane:
    return naive.hexagon(clause["hexagon"]) if "hexagon" in clause else naive.grid(*clause["grid"])


def game_of(board: Clause, **more: Any) -> Game:
    tree: Clause = {
        "game": "small",
        "rules version": 1,
        "title": {"en": "Small"},
        "authentic": "en",
        "board": board,
        "players": ["first", "second"],
        "pieces": {"stone": {"of": "player"}},
        "turn": [{"rule": "turn.place", "place": "own stone", "to": "empty"}],
        "end": [{"rule": "end.full", "if": {"none": "empty"}, "draw": True}],
    }
    return Game.model_validate(tree | more)


def scene_of(table: Table, **more: Any) -> Scene:
    game = game_of(table.clause, **more)
    words = Vocabulary(game, table.board)
    variables = {name: Variable(name, Sort.SITES) for name in ("mine.stone", "theirs.stone", "last")}
    copies = tuple(c for n, s in (game.shapes or {}).items() for c in shapes.copies(n, s, words))

    def judge(scene: Scene, side: str) -> Term:
        raise AssertionError("nobody asks who can move")

    return Scene(words, variables, copies, judge, "main", False, seat=0)


@functools.cache
def _target() -> Any:
    return Game.model_fields["turn"]


def sites_clause(clause: Clause | str) -> Any:
    """The clause as the model holds it, by way of a placement that goes there."""
    game = game_of({"grid": [1, 1]}, turn=[{"rule": "turn.place", "place": "own stone", "to": clause}])
    assert game.turn is not None
    return game.turn[0].to  # type: ignore[union-attr]


def condition_clause(clause: Clause) -> Any:
    return game_of({"grid": [1, 1]}, end=[{"rule": "end.it", "if": clause, "draw": True}]).end[0].if_


grids = st.tuples(st.integers(1, 7), st.integers(1, 7)).map(lambda size: {"grid": list(size)})
boards = st.one_of(grids, grids, st.integers(1, 4).map(lambda side: {"hexagon": side}))


@st.composite
def tables(draw: st.DrawFn, kinds: st.SearchStrategy[Clause] = boards) -> Table:
    clause = draw(kinds)
    places = sorted(plane_of(clause).places)
    tokens = draw(st.lists(st.sampled_from(".xxo"), min_size=len(places), max_size=len(places)))
    own = [frozenset(p for p, t in zip(places, tokens, strict=True) if t == token) for token in "xo"]
    last = draw(st.one_of(st.just(frozenset[Any]()), st.sampled_from(places).map(lambda p: frozenset([p]))))
    return Table(clause, own[0], own[1], last)


seeds = st.sampled_from(["last", "last", "own stone", "enemy stone"])
overs = st.sampled_from(["empty", "own stone", "enemy stone", "occupied", "board"])


@st.composite
def directions(draw: st.DrawFn, table: Table) -> str | list[str]:
    words = ["all", "orthogonal"] + (["diagonal"] if "grid" in table.clause else [])
    named = st.lists(st.sampled_from(sorted(table.plane.vectors)), min_size=1, max_size=3, unique=True)
    return draw(st.one_of(st.sampled_from(words), named))


# The comparisons


def check_sites(table: Table, clause: Clause, wanted: Places) -> None:
    """The fold of the clause, and the placements that it allows on empty sites in both engines."""
    assert table.places(table.fold(sites.lower(sites_clause(clause), scene_of(table), "a").term)) == wanted
    turn = [{"rule": "turn.place", "place": "own stone", "to": clause | {"and": "empty"}}]
    rules = lower(game_of(table.clause, turn=turn))
    state = table.state(rules)
    targets = wanted & table.named["empty"]
    for engine in (Interpreter(rules), Everyday(rules)):
        moves = engine.moves(state)
        assert frozenset(place for m in moves for place in table.places(m.sites[0])) == targets
        assert len(moves) == len(targets)


def check_condition(table: Table, clause: Clause, wanted: bool, **more: Any) -> None:
    """The fold of the condition, and in both engines the turns that need it."""
    scene = scene_of(table, **more)
    assert table.fold(conditions.lower(condition_clause(clause), scene, "a").term) == wanted
    turn = [{"rule": "turn.place", "place": "own stone", "to": "empty", "needs": clause}]
    rules = lower(game_of(table.clause, turn=turn, **more))
    due = len(table.named["empty"]) if wanted else 0
    assert len(Interpreter(rules).moves(table.state(rules))) == due
    assert len(Everyday(rules).moves(table.state(rules))) == due


# Sites


@given(tables(), st.data())
@OFTEN
def test_next_to_is_one_step_away_and_nothing_off_the_board(table: Table, data: st.DataObject) -> None:
    of, ways = data.draw(seeds), data.draw(directions(table))
    wanted = naive.next_to(table.plane, table.named[of], ways)
    check_sites(table, {"next to": {"of": of, "directions": ways}}, wanted)
    check_sites(table, {"not next to": {"of": of, "directions": ways}}, table.plane.places - wanted)


@given(tables(), st.data())
@OFTEN
def test_a_slide_stops_before_the_first_site_that_it_may_not_pass(table: Table, data: st.DataObject) -> None:
    start, over, ways = data.draw(seeds), data.draw(overs), data.draw(directions(table))
    wanted = naive.slide(table.plane, table.named[start], ways, table.named[over])
    check_sites(table, {"slide": {"from": start, "directions": ways, "over": over}}, wanted)
    one = naive.next_to(table.plane, table.named[start], ways) & table.named[over]
    check_sites(table, {"slide": {"from": start, "directions": ways, "over": over, "at most": 1}}, one)
    check_sites(table, {"slide": {"from": start, "directions": ways, "over": over, "at most": 99}}, wanted)
    check_sites(table, {"slide": {"from": start, "directions": ways, "over": over}, "or": start}, wanted | table.named[start])


@given(tables(), st.data())
@OFTEN
def test_a_jump_lands_just_beyond_an_unbroken_run_and_may_go_on(table: Table, data: st.DataObject) -> None:
    start, over, to, ways = data.draw(seeds), data.draw(overs), data.draw(overs), data.draw(directions(table))
    on = data.draw(st.one_of(st.none(), overs))
    clause: Clause = {"from": start, "directions": ways, "over": over, "to": to}
    named = table.named
    goes_on = frozenset() if on is None else named[on]
    wanted = naive.jump(table.plane, named[start], ways, named[over], named[to], goes_on)
    check_sites(table, {"jump": clause if on is None else clause | {"then over": on}}, wanted)


@given(tables(), st.data())
@OFTEN
def test_a_flanked_run_begins_beside_the_piece_and_is_closed_at_its_end(table: Table, data: st.DataObject) -> None:
    start, over, by, ways = data.draw(seeds), data.draw(overs), data.draw(overs), data.draw(directions(table))
    exactly = data.draw(st.one_of(st.none(), st.integers(1, 4)))
    clause: Clause = {"from": start, "directions": ways, "over": over, "by": by}
    named = table.named
    wanted = naive.flanked(table.plane, named[start], ways, named[over], named[by], exactly)
    check_sites(table, {"flanked": clause if exactly is None else clause | {"exactly": exactly}}, wanted)


@given(tables(grids), st.data())
@OFTEN
def test_a_distance_is_measured_from_the_nearest_site(table: Table, data: st.DataObject) -> None:
    start, metric = data.draw(seeds), data.draw(st.sampled_from(sorted(naive.METRICS)))
    low, high = data.draw(st.one_of(st.none(), st.integers(0, 8))), data.draw(st.one_of(st.none(), st.integers(0, 8)))
    assume((low, high) != (None, None))
    bounds = {word: n for word, n in (("at least", low), ("at most", high)) if n is not None}
    wanted = naive.distant(table.plane, table.named[start], metric, low, high)
    check_sites(table, {"distance": {"from": start, "metric": metric} | bounds}, wanted)


@given(tables(), st.data())
@OFTEN
def test_first_of_takes_the_first_entry_whose_condition_holds_and_that_offers_a_site(table: Table, data: st.DataObject) -> None:
    named = table.named
    entries, force = [], None
    for _ in range(data.draw(st.integers(1, 4))):
        over, ways, start = data.draw(overs), data.draw(directions(table)), data.draw(seeds)
        asked, least = data.draw(st.sampled_from(sorted(named))), data.draw(st.integers(0, 4))
        entry: Clause = {"slide": {"from": start, "directions": ways, "over": over}}
        offered = naive.slide(table.plane, named[start], ways, named[over])
        if data.draw(st.booleans()):
            entry["if"] = {"count": asked, "at least": least}
            offered = offered if len(named[asked]) >= least else frozenset()
        entries.append(entry)
        if force is None and offered:
            force = offered
    check_sites(table, {"first of": entries}, force or frozenset())


@given(tables(), st.data())
@SOMETIMES
def test_union_intersection_and_difference_are_those_of_sets(table: Table, data: st.DataObject) -> None:
    a, b, c = (data.draw(st.sampled_from(sorted(table.named))) for _ in range(3))
    A, B, C = (table.named[word] for word in (a, b, c))
    check_sites(table, {"any of": [a, b, c]}, A | B | C)
    check_sites(table, {"all of": [a, b, c]}, A & B & C)
    assert (
        table.places(table.fold(sites.lower(sites_clause({"sites": a, "and": b, "but not": c}), scene_of(table), "a").term))
        == (A & B) - C
    )


# Lines


@given(tables(), st.data())
@OFTEN
def test_a_line_is_a_maximal_run_of_at_least_or_exactly_that_many(table: Table, data: st.DataObject) -> None:
    of, ways, n = data.draw(overs), data.draw(directions(table)), data.draw(st.integers(1, 5))
    through = data.draw(st.one_of(st.none(), st.sampled_from(["last", "own stone", "empty"])))
    named = table.named
    passing = None if through is None else named[through]
    for bound in ("at least", "exactly"):
        clause: Clause = {"of": of, "directions": ways, bound: n}
        least, exactly = (n, None) if bound == "at least" else (None, n)
        wanted = naive.has_line(table.plane, named[of], ways, least, exactly, passing)
        check_condition(table, {"line": clause if through is None else clause | {"through": through}}, wanted)


@given(tables(), st.data())
@OFTEN
def test_a_line_may_pass_over_named_sites_between_two_of_its_own(table: Table, data: st.DataObject) -> None:
    of, ways, n, past = (
        data.draw(overs),
        data.draw(directions(table)),
        data.draw(st.integers(1, 5)),
        data.draw(overs),
    )
    through = data.draw(st.one_of(st.none(), st.sampled_from(["last", "own stone", "empty"])))
    named = table.named
    for bound in ("at least", "exactly"):
        clause: Clause = {"of": of, "directions": ways, bound: n, "past": past}
        least, exactly = (n, None) if bound == "at least" else (None, n)
        passing = None if through is None else named[through]
        wanted = naive.has_line_past(table.plane, named[of], ways, least, exactly, passing, named[past])
        check_condition(table, {"line": clause if through is None else clause | {"through": through}}, wanted)


@given(tables(), st.data())
@OFTEN
def test_a_line_may_be_spoilt_by_a_longer_one_that_stands_as_well(table: Table, data: st.DataObject) -> None:
    of, ways, n = data.draw(overs), data.draw(directions(table)), data.draw(st.integers(1, 4))
    through = data.draw(st.one_of(st.none(), st.sampled_from(["last", "own stone", "empty"])))
    past = data.draw(st.one_of(st.none(), overs))
    named = table.named
    passing, over = (None if words is None else named[words] for words in (through, past))
    fits = naive.has_line_past(table.plane, named[of], ways, None, n, passing, over or frozenset())
    longer = naive.has_line_past(table.plane, named[of], ways, n + 1, None, passing, over or frozenset())
    clause: Clause = {"of": of, "directions": ways, "exactly": n, "none longer": True}
    clause |= {} if through is None else {"through": through}
    clause |= {} if past is None else {"past": past}
    check_condition(table, {"line": clause}, fits and not longer)


# Shapes

pictures = st.lists(st.text("#. ", min_size=1, max_size=3), min_size=1, max_size=3).filter(lambda p: "#" in "".join(p))
rectangles = st.tuples(st.integers(2, 6), st.integers(2, 6)).map(lambda size: {"grid": list(size)})


@st.composite
def declared(draw: st.DrawFn, plane: Plane) -> dict[str, tuple[Clause, set[naive.Copy]]]:
    """Shapes by name: what a game file says of each, and the copies that the oracle finds."""
    found: dict[str, tuple[Clause, set[naive.Copy]]] = {}
    for n in range(draw(st.integers(1, 3))):
        name, worth = f"shape {n}", draw(st.integers(0, 3))
        clause: Clause = {"rule": f"shape.number-{n}", "worth": worth}
        if draw(st.booleans()):
            picture, fixed = draw(pictures), draw(st.booleans())
            clause |= {"picture": picture, "fixed": fixed}
            copies = naive.pictures_of(plane, picture, fixed)
        else:
            length, ways = draw(st.integers(2, 5)), draw(st.sampled_from(["all", "orthogonal", "diagonal"]))
            ends = draw(st.sampled_from([None, None, "opposite corners", "adjacent edges"]))
            avoids = draw(st.sampled_from([None, None, "corners", "edges"]))
            clause |= {"line": length, "directions": ways}
            clause |= {word: told for word, told in (("ends", ends), ("avoids", avoids)) if told is not None}
            copies = naive.lines_of(plane, length, ways, ends, avoided(plane, avoids))
        found[name] = (clause, copies)
    return found


def avoided(plane: Plane, words: str | None) -> Places:
    right, top = max(x for x, _ in plane.places), max(y for _, y in plane.places)
    corners = frozenset({(0, 0), (right, 0), (0, top), (right, top)})
    edges = frozenset(p for p in plane.places if p[0] in (0, right) or p[1] in (0, top))
    return {None: frozenset[Any](), "corners": corners, "edges": edges}[words]


@given(tables(rectangles), st.data())
@OFTEN
def test_a_shape_stands_where_its_copies_say_and_protects_its_own_stones_only(table: Table, data: st.DataObject) -> None:
    found = data.draw(declared(table.plane))
    told = {"shapes": {name: clause for name, (clause, _) in found.items()}}
    scene = scene_of(table, **told)
    for name, (_, copies) in found.items():
        ours = {
            (frozenset(table.board.places[s] for s in c.must), frozenset(table.board.places[s] for s in c.must_not))
            for c in scene.copies
            if c.shape == name
        }
        assert ours == copies
    every = {copy for _, copies in found.values() for copy in copies}
    named = table.named
    of, through = data.draw(st.sampled_from(["own stone", "enemy stone"])), data.draw(st.sampled_from([None, "last"]))
    standing = naive.complete(every, named[of])
    uses = [must for must, _ in standing if through is None or not must.isdisjoint(table.last)]
    clause: Clause = {"shape": "any", "of": of}
    check_condition(table, clause if through is None else clause | {"through": through}, bool(uses), **told)
    kept = sites.lower(sites_clause({"sites": "stone", "outside": "shapes"}), scene, "a").term
    assert table.places(table.fold(kept)) == naive.exposed(every, table.mine) | naive.exposed(every, table.theirs)


@given(tables(rectangles), st.data())
@OFTEN
def test_shapes_pay_each_or_once_a_kind_or_the_dearest_only(table: Table, data: st.DataObject) -> None:
    found = data.draw(declared(table.plane))
    stack, through = data.draw(st.sampled_from(["all", "one per kind", "best"])), data.draw(st.booleans())
    told = {"shapes": {name: clause for name, (clause, _) in found.items()}}
    worth: Clause = {"worth": "shapes", "stack": stack} | ({"formed by": "last"} if through else {})
    capture = {"rule": "take", "capture": "enemy stone", "count": worth, "if fewer": "take what there is"}
    step_clause: Any = game_of(table.clause, turn=[capture], **told).turn
    passing = read("last") if through else None
    kinds = {name: (copies, clause["worth"]) for name, (clause, copies) in found.items()}
    wanted = naive.due(kinds, table.mine, table.last if through else None, stack)
    assert table.fold(shapes.due(step_clause[0].count, scene_of(table, **told), passing)) == wanted


# Such that


@given(tables(rectangles), st.data())
@OFTEN
def test_such_that_judges_the_board_after_each_arrival(table: Table, data: st.DataObject) -> None:
    ways, n = data.draw(directions(table)), data.draw(st.integers(2, 4))
    clause: Clause = {"line": {"of": "own stone", "directions": ways, "at least": n}}
    forbid = data.draw(st.booleans())
    wanted = frozenset(
        place for place in table.named["empty"] if naive.has_line(table.plane, table.mine | {place}, ways, n, None, None) != forbid
    )
    to = {"sites": "empty", "such that": {"not": clause} if forbid else clause}
    rules = lower(game_of(table.clause, turn=[{"rule": "turn.place", "place": "own stone", "to": to}]))
    for engine in (Interpreter(rules), Everyday(rules)):
        found = [table.places(move.sites[0]) for move in engine.moves(table.state(rules))]
        assert sorted(found, key=sorted) == sorted((frozenset({p}) for p in wanted), key=sorted)


@given(tables(rectangles), st.sampled_from(["capture", "remove"]), st.data())
@OFTEN
def test_such_that_judges_the_board_after_each_removal(table: Table, role: str, data: st.DataObject) -> None:
    ways, n, of = data.draw(directions(table)), data.draw(st.integers(1, 4)), MIRROR[role]
    clause: Clause = {"line": {"of": of, "directions": ways, "exactly": n}}
    own = table.named[of]
    wanted = frozenset(p for p in own if naive.has_line(table.plane, own - {p}, ways, None, n, None))
    step_clause = {"rule": "take", role: {"sites": of, "such that": clause}, "count": 1}
    rules = lower(game_of(table.clause, turn=[step_clause]))
    for engine in (Interpreter(rules), Everyday(rules)):
        found = [table.places(move.sites[0]) for move in engine.moves(table.state(rules)) if move.sites]
        assert sorted(found, key=sorted) == sorted((frozenset({p}) for p in wanted), key=sorted)


# The binder


@st.composite
def flags_of(draw: st.DrawFn, board: Board, x: Term) -> Term:
    """`some` of a set that moves x about: of the forms that can be solved for x, and of others."""
    fixed = st.sampled_from([read("mine.stone"), read("theirs.stone"), constant(range(0, board.size, 2)), x])
    ways = st.sampled_from(sorted(set(board.steps) & set(OPPOSITE_OF)))

    def grown(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        return st.one_of(
            st.builds(step, inner, ways),
            st.builds(step, inner, ways),
            st.builds(either, inner, inner),
            st.builds(both, inner, fixed),
            st.builds(without, inner, fixed),
            st.builds(lambda a, b: without(b, a), inner, fixed),
        )

    return some(draw(st.recursive(st.just(x), grown, max_leaves=6)))


@given(tables(), st.data())
@settings(max_examples=600, deadline=None)
def test_where_solved_by_stepping_back_is_the_plain_binder(table: Table, data: st.DataObject) -> None:
    bound = read("@0")
    flag = data.draw(flags_of(table.board, bound))
    among = data.draw(st.sampled_from([read("mine.stone"), read("last"), constant(range(table.board.size))]))
    assume(flag.op == "some" and "@0" in flag.names)
    solved = where(among, lambda x: flag)
    plain = made("where", Sort.SITES, (among, flag), "@0")
    assert table.fold(solved) == table.fold(plain)
    set_form = _members_reaching(flag, "@0")
    if set_form is not None:
        assert "@0" not in set_form.names
        assert table.fold(both(among, set_form)) == table.fold(plain)


def test_a_linear_flag_is_indeed_solved_without_the_binder() -> None:
    def beside(x: Term) -> Term:
        return some(both(either(step(x, "north"), step(x, "east")), read("theirs.stone")))

    solved = where(read("mine.stone"), beside)
    assert solved.op == "both"
    assert "@0" not in solved.names
