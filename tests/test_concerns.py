"""What a file's own lines get wrong: each kind planted in a small game and found, and not found in the same game without it."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from lawstone.check import decisions, gaps, sightings, turns
from lawstone.check.concerns import about_lines
from lawstone.check.endless import endless, least_plies
from lawstone.check.lines import Bench, lines
from lawstone.check.redundant import redundant, removals, without
from lawstone.check.report import Concern, Decision, Follows, read_results
from lawstone.check.run import Plan, answer, check, queries, report_of
from lawstone.check.search import Budget
from lawstone.check.settle import lemmas_of
from lawstone.data import proofs_root
from lawstone.engine.game import Game
from lawstone.prove import ends as ranking
from lawstone.prove.ends import ends, shortest_cycle
from lawstone.prove.goals import Free, goals
from lawstone.prove.reach import fewest, reach
from lawstone.spec import Spec, load

FOUNDING = ("xxung", "gomoku", "wugun", "oxono")
QUICK = Budget(pairs=4_000, games=30, replays=600)

ROW = """
game: row
rules version: 1
title: {{en: Row}}
authentic: en
board: {{grid: [{wide}, {high}]}}
players: [one, two]
pieces:
  stone: {{of: player}}
turn:
  - {{rule: turn.place, place: own stone, to: empty}}
end:
  - {{rule: end.row, if: {{line: {{of: own stone, at least: {n}, directions: {ways}}}}}, wins: mover}}
  - {{rule: end.full, if: {{none: empty}}, draw: true}}
"""


def spec_of(folder: Path, text: str) -> Spec:
    file = folder / "game.yaml"
    file.write_text(text.lstrip(), encoding="utf-8")
    return load(file)


def bench_of(spec: Spec, variant: str = "", seconds: float = 0.0) -> Bench:
    return Bench(Game(spec, spec.rules(variant)), variant, QUICK, seconds)


def row(folder: Path, wide: int = 3, high: int = 3, n: int = 3, ways: str = "all", **changed: str) -> Spec:
    """The row game on a board, with some of its lines exchanged for others."""
    text = ROW.format(wide=wide, high=high, n=n, ways=ways)
    for old, new in changed.items():
        line = next(x for x in text.splitlines() if f"rule: {old.replace('_', '.')}," in x)
        text = text.replace(line, new)
    return spec_of(folder, text)


def by_name(found: list[Concern]) -> dict[str, Concern]:
    return {c.name: c for c in found}


# -- two endings at once, against a program that looks at every game --------------------------------------------------------------


@cache
def both_at(wide: int, high: int, n: int, diagonals: bool) -> int | None:
    """The first ply at which a row and a full board come together, every order of stones tried; None if they never do."""
    sites = list(product(range(wide), range(high)))
    steps = [(1, 0), (0, 1)] + ([(1, 1), (1, -1)] if diagonals else [])

    def has_row(own: frozenset[tuple[int, int]]) -> bool:
        return any(all((x + i * dx, y + i * dy) in own for i in range(n)) for x, y in own for dx, dy in steps)

    layer = {(frozenset[tuple[int, int]](), frozenset[tuple[int, int]]())}
    for ply in range(1, len(sites) + 1):
        following = set()
        for mine, theirs in layer:
            for site in set(sites) - mine - theirs:
                own = mine | {site}
                full = len(own) + len(theirs) == len(sites)
                if full and has_row(own):
                    return ply
                if not has_row(own) and not full:
                    following.add((theirs, own))
        layer = following
    return None


@pytest.mark.parametrize(
    ("wide", "high", "n", "ways"),
    [(3, 3, 3, "all"), (3, 3, 3, "orthogonal"), (2, 2, 2, "orthogonal"), (2, 2, 2, "all"), (3, 2, 2, "orthogonal"),
     (4, 2, 3, "all"), (5, 1, 2, "orthogonal"), (4, 2, 4, "orthogonal")],
)  # fmt: skip
def test_two_endings_at_once_are_found_just_where_every_game_says_so(tmp_path: Path, wide: int, high: int, n: int, ways: str):
    found = by_name(list(lines(bench_of(row(tmp_path, wide, high, n, ways)))))["conflict/end.row/end.full"]
    first = both_at(wide, high, n, ways == "all")
    assert found.verdict == ("none" if first is None else "finding")
    if first is not None:
        assert found.witness is not None
        assert (found.witness.plies, found.witness.shortest, found.witness.replayed) == (first, True, True)


def test_a_conflict_on_a_large_board_is_built_and_shown_shortest_by_counting():
    found = by_name(list(lines(bench_of(load("connect-four")))))["conflict/end.four/end.full"]
    assert found.witness is not None
    assert (found.verdict, found.witness.plies, found.witness.shortest) == ("finding", 42, True)


def test_the_last_stone_of_gomoku_may_win_and_fill_the_board():
    spec = load("gomoku")
    found = by_name(list(lines(bench_of(spec))))["conflict/end.five/end.full"]
    assert found.witness is not None
    assert (found.witness.plies, found.witness.shortest, found.witness.replayed) == (225, True, True)
    assert found.question == "last-stone"


def test_the_order_of_the_file_says_which_of_two_endings_counts(tmp_path: Path):
    row(tmp_path)
    text = (tmp_path / "game.yaml").read_text(encoding="utf-8") + "order: [end.full, end.row]\n"
    found = by_name(list(lines(bench_of(spec_of(tmp_path, text)))))
    assert "conflict/end.full/end.row" in found
    assert "counts (a draw)" in found["conflict/end.full/end.row"].what


def test_two_endings_with_the_same_result_are_harmless(tmp_path: Path):
    more = "  - {rule: end.centre, if: {some: {all of: [own stone, centre]}}, wins: mover}"
    spec = row(tmp_path, end_full=more)
    found = by_name(list(lines(bench_of(spec))))["conflict/end.row/end.centre"]
    assert found.verdict == "harmless"
    assert found.witness is not None
    assert found.witness.replayed


def test_a_witness_of_a_conflict_is_not_one_without_its_last_move(tmp_path: Path):
    bench = bench_of(row(tmp_path))
    goal = next(g for g in bench.goals if g.kind == "conflict")
    moves = sightings.texts(bench.game, bench.seen.lines[goal])
    assert sightings.lawful(bench.game.rules, bench.game, goal, moves)
    assert not sightings.lawful(bench.game.rules, bench.game, goal, moves[:-1])


@pytest.mark.parametrize("size", [(3, 3), (4, 2)])
def test_counting_never_asks_for_more_plies_than_a_game_needs(tmp_path: Path, size: tuple[int, int]):
    bench = bench_of(row(tmp_path, *size))
    for goal, line in bench.seen.lines.items():
        assert fewest(bench.free, goal)[0] <= len(line), goal.name


def test_a_solver_finds_as_short_a_game_as_all_games_do(tmp_path: Path):
    bench = bench_of(row(tmp_path))
    for goal in bench.goals:
        if goal in bench.seen.lines:
            found = reach(bench.game.rules, goal, 9, 60.0)
            assert (found.verdict, found.plies) == ("yes", len(bench.seen.lines[goal])), goal.name


@pytest.mark.parametrize("name", ["tic-tac-toe", "teeko", "oxono", "wugun"])
def test_what_the_solver_calls_impossible_no_game_shows(name: str):
    game = Game.load(name)
    free = Free(game.rules, lemmas_of(game.rules))
    seen = sightings.look(game, goals(game.rules), QUICK)
    assert seen.lines
    for goal in seen.lines:
        assert free.seek(goal).verdict == "perhaps", goal.name


# -- lines that are never in force ------------------------------------------------------------------------------------------------

FALLBACK = """  - rule: turn.place
    place: own stone
    to: {{first of: [{{rule: to.first, {first}}}, {{rule: to.second, sites: empty}}]}}"""


BESIDE_CORNERS = "all of: [empty, {next to: {of: corners, directions: all}}]"


@pytest.mark.parametrize(
    ("first", "second_is"), [("sites: empty", "finding"), ("all of: [empty, corners]", "none"), (BESIDE_CORNERS, "none")]
)
def test_a_fallback_is_never_reached_where_the_line_before_it_never_fails(tmp_path: Path, first: str, second_is: str):
    spec = row(tmp_path, turn_place=FALLBACK.format(first=first))
    found = by_name(list(lines(bench_of(spec))))
    assert found["unused/fallback/to.first"].verdict == "none"
    assert found["unused/fallback/to.second"].verdict == second_is


def test_a_line_that_is_never_in_force_is_proved_so_on_a_board_too_large_to_try(tmp_path: Path):
    spec = row(tmp_path, 7, 7, 5, turn_place=FALLBACK.format(first="sites: empty"))
    found = by_name(list(lines(bench_of(spec))))["unused/fallback/to.second"]
    assert (found.verdict, found.by) == ("finding", "proof")


LATE = "{count: occupied, at least: 99}"
PLANTED = {
    "ending/end.long": (
        "end.full",
        "  - {rule: end.long, if: {line: {of: own stone, at least: 4, directions: all}}, wins: opponent}",
        ("at least: 4", "exactly: 2"),
    ),
    "step/turn.again": (
        "turn.place",
        "  - {rule: turn.place, place: own stone, to: empty}\n"
        f"  - {{rule: turn.again, when: {LATE}, place: own stone, to: empty}}",
        ("at least: 99", "at most: 3"),
    ),
    "option/turn.way/b": (
        "turn.place",
        f"  - {{rule: turn.way, one of: [{{name: a}}, {{name: b, needs: {LATE}}}]}}\n"
        "  - {rule: turn.place, place: own stone, to: empty}",
        ("at least: 99", "at least: 2"),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_line_that_nothing_brings_into_force_is_found_and_a_mended_one_is_not(tmp_path: Path, name: str):
    old, new, mended = PLANTED[name]
    spec = row(tmp_path, 3, 3, 3, "all", **{old.replace(".", "_"): new})
    assert by_name(list(lines(bench_of(spec))))[f"unused/{name}"].verdict == "finding"
    text = (tmp_path / "game.yaml").read_text(encoding="utf-8").replace(*mended)
    assert by_name(list(lines(bench_of(spec_of(tmp_path, text)))))[f"unused/{name}"].verdict == "none"


PHASES = """
game: stretch
rules version: 1
title: {{en: Stretch}}
authentic: en
board: {{grid: [3, 2]}}
players: [one, two]
pieces:
  stone: {{of: player, hand: 2}}
  flag: {{of: player, hand: 2}}
start phase: first
phases:
  first:
    turn:
      - {{rule: first.place, place: own {piece}, to: empty}}
    until: {{rule: first.over, {until}}}
    then: {{rule: first.next, go: second}}
  second:
    turn:
      - {{rule: second.place, place: own {other}, to: empty}}
end:
  - {{rule: end.three, if: {{count: occupied, at least: 3}}, draw: true}}
"""


def test_a_phase_that_no_game_comes_to_is_told_and_its_lines_are_not(tmp_path: Path):
    spec = spec_of(tmp_path, PHASES.format(piece="stone", other="flag", until="count: occupied, at least: 4"))
    found = by_name(list(lines(bench_of(spec))))
    assert found["unused/phase/second"].verdict == "finding"
    assert found["unused/hand/flag"].verdict == "finding"
    assert found["unused/hand/stone"].verdict == "none"
    assert not any("second.place" in name for name in found)


def test_a_phase_that_games_come_to_and_a_hand_that_is_used_are_not_told(tmp_path: Path):
    spec = spec_of(tmp_path, PHASES.format(piece="flag", other="stone", until="count: occupied, at least: 2"))
    found = by_name(list(lines(bench_of(spec))))
    assert {c.name for c in found.values() if c.verdict == "finding"} == set()


# -- redundant words --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [("{none: {all of: [occupied, empty]}}", "harmless"), ("{count: empty, at least: 1}", "finding"),
     ("{count: empty, at least: 3}", "none"), ("{not: {line: {of: enemy stone, at least: 3, directions: all}}}", "finding")],
)  # fmt: skip
def test_a_condition_that_always_holds_is_redundant_and_another_is_not(tmp_path: Path, condition: str, verdict: str):
    spec = row(tmp_path, turn_place=f"  - {{rule: turn.place, needs: {condition}, place: own stone, to: empty}}")
    found = by_name(list(redundant(bench_of(spec))))["redundant/turn.place/needs"]
    told = "finding" if verdict == "harmless" and found.by != "form" else verdict
    assert found.verdict == told


def test_every_condition_and_limit_of_a_file_can_be_taken_away():
    spec = load("wugun")
    listed = removals(spec.file()[0])
    assert {"redundant/room.remove/when", "redundant/room.remove/remove.such that", "redundant/shape.four/avoids"} <= {
        r.name for r in listed
    }
    bench = bench_of(spec)
    changed = [without(bench, r) for r in listed]
    assert sum(c is not None for c in changed) > len(listed) * 3 // 4


def test_words_that_are_called_redundant_change_no_move_of_random_games():
    bench = bench_of(load("wugun"))
    told = {c.name for c in redundant(bench) if c.verdict in ("finding", "harmless")}
    assert told
    for removal in removals(bench.game.spec.file()[0]):
        if removal.name in told:
            changed = without(bench, removal)
            assert changed is not None
            other = Game(bench.game.spec, changed).engine
            for seed in range(4):
                state = other.start()
                for move in bench.game.playout(seed).moves:
                    assert move in other.moves(state), removal.name
                    state = other.play(state, move).state


# -- play without end -------------------------------------------------------------------------------------------------------------

WANDER = """
game: wander
rules version: 1
title: {{en: Wander}}
authentic: en
board: {{grid: [3, {high}]}}
players: [white, black]
facing: {{white: north, black: south}}
pieces:
  man: {{of: player}}
start: {{white man: [rank 1], black man: [rank {high}]}}
turn:
  - rule: turn.move
    move: own man
    to: {{next to: {{of: it, directions: {ways}}}, and: {{any of: [empty, enemy man]}}}}
    displaces: enemy man
end:
  - {{rule: end.across, if: {{some: {{all of: [own man, far rank]}}}}, wins: mover}}
  - {{rule: end.none, if: {{none: opponent man}}, wins: mover}}
{events}
"""


def wander(folder: Path, ways: str, high: int = 4, events: str = "") -> Spec:
    return spec_of(folder, WANDER.format(ways=ways, high=high, events=events))


def goes_round(game: Game, most: int = 60_000) -> bool:
    """Whether some position comes back, every position looked at (depth first, on the path or done)."""
    engine, done = game.engine, set()
    start = engine.start()
    path, stack = {start}, [(start, iter(engine.moves(start)))]
    while stack:
        state, left = stack[-1]
        move = next(left, None)
        if move is None:
            stack.pop()
            path.discard(state)
            done.add(state)
            assert len(done) < most
            continue
        after = engine.play(state, move)
        if after.outcome is None and after.state in path:
            return True
        if after.outcome is None and after.state not in done:
            path.add(after.state)
            stack.append((after.state, iter(engine.moves(after.state))))
    return False


@pytest.mark.parametrize(
    ("ways", "verdict"),
    [
        ("[forward, forward left, forward right]", "none"),
        ("[forward, left]", "none"),
        ("[forward, backward]", "open"),
        ("all", "open"),
    ],
)
def test_play_is_proved_to_end_just_where_no_position_comes_back(tmp_path: Path, ways: str, verdict: str):
    bench = bench_of(wander(tmp_path, ways))
    assert endless(bench).verdict == verdict
    assert goes_round(bench.game) == (verdict == "open")


def test_a_game_that_goes_round_is_shown_and_an_event_that_ends_it_closes_the_gap(tmp_path: Path):
    spec = wander(tmp_path, "[forward, backward]", 5)
    met = [g for g in gaps.gaps(Game(spec, spec.rules()), QUICK) if g.kind == "endless"]
    assert [g.rule for g in met] == ["main"]
    assert len(met[0].moves) == least_plies(bench_of(spec), "main")[0] == 4
    event = "events:\n  - {rule: draw.repetition, name: repetition, repetition: {of: position, times: 3}, draw: true}"
    mended = wander(tmp_path, "[forward, backward]", 5, event)
    assert [g for g in gaps.gaps(Game(mended, mended.rules()), QUICK) if g.kind == "endless"] == []
    found = endless(bench_of(mended))
    assert (found.verdict, found.by) == ("none", "form")


def test_an_event_without_an_effect_does_not_end_play_that_repeats(tmp_path: Path):
    event = "events:\n  - {rule: draw.repetition, name: repetition, repetition: {of: position, times: 3}}"
    spec = wander(tmp_path, "[forward, backward]", 5, event)
    assert any(g.kind == "endless" for g in gaps.gaps(Game(spec, spec.rules()), QUICK))
    told = by_name([c for c in about_lines(bench_of(spec)) if isinstance(c, Concern)])
    assert told["event/draw.repetition"].verdict == "finding"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("tic-tac-toe", "ends"), ("xxung", "ends"), ("gomoku", "ends"), ("oxono", "ends"), ("pente", "ends"), ("breakthrough", "ends"),
     ("connect-four", "ends"), ("wugun", "open"), ("teeko", "open"), ("nine-mens-morris", "open")],
)  # fmt: skip
def test_games_that_must_end_are_proved_to(name: str, verdict: str):
    rules = Game.load(name).rules
    found = ends(Free(rules, lemmas_of(rules)))
    assert found.verdict == verdict
    assert (found.verdict == "open") == bool(found.left)


def test_captures_that_give_sites_back_are_no_proof_that_a_board_fills(tmp_path: Path):
    pairs = "{flanked: {from: it, directions: all, over: enemy stone, by: own stone, exactly: 1}}"
    takes = f"  - {{rule: turn.place, place: own stone, to: empty}}\n  - {{rule: turn.take, capture: {pairs}, count: all}}"
    bench = bench_of(row(tmp_path, 4, 3, 4, turn_place=takes))
    assert ends(bench.free).verdict == "open"


def test_a_ranking_that_forgets_what_a_turn_gives_back_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Mutation of the tool itself: a measure that says that every turn uses it up."""
    bench = bench_of(wander(tmp_path, "all"))
    monkeypatch.setattr(ranking, "measures", lambda rules: [ranking.Measure("nothing", lambda m, v, t: (1, 1))])
    assert ends(bench.free).verdict == "ends"
    assert goes_round(bench.game)


def test_the_shortest_way_round_of_wugun_takes_four_turns_and_a_game_of_twenty_nine_plies():
    bench = bench_of(load("wugun"))
    assert shortest_cycle(bench.free, ("moving",)) == 4
    assert least_plies(bench, "moving")[0] == 29


# -- who acts, and events ---------------------------------------------------------------------------------------------------------

SWAP = """
game: swapped
rules version: 1
title: {{en: Swapped}}
authentic: en
board: {{grid: [3, 3]}}
players: [one, two]
colours: {{of: players, names: [black, white]}}
pieces:
  stone: {{of: colour}}
start phase: opening
phases:
  opening:
    script:
      - {{rule: open.black, who: one, place: black stone, to: empty}}
      - {{rule: open.white, who: one, place: white stone, to: empty}}
      - {{rule: open.third, who: one, place: black stone, to: empty}}
      - rule: open.take
        who: two
        one of: [{{name: black, take: black}}, {{name: white, take: white}}]
    then: {{rule: open.next, go: main{first}}}
  main:
    turn:
      - {{rule: turn.place, place: own stone, to: empty}}
end:
  - {{rule: end.full, if: {{none: empty}}, draw: true}}
events:
  - {{rule: clock, name: time runs out, at: any pick, {effect}}}
"""


def test_a_pick_after_which_nothing_says_who_acts_is_told(tmp_path: Path):
    silent = by_name([c for c in about_lines(bench_of(spec_of(tmp_path, SWAP.format(first="", effect="loses: actor"))))
                      if isinstance(c, Concern)])  # fmt: skip
    assert [n for n in silent if n.startswith("turn order/")] == ["turn order/open.take/white"]
    said = SWAP.format(first=", first: holder of white", effect="loses: actor")
    told = by_name([c for c in about_lines(bench_of(spec_of(tmp_path, said))) if isinstance(c, Concern)])
    assert not any(n.startswith("turn order/") for n in told)


def test_an_event_is_not_defined_where_a_turn_is_one_choice_and_nothing_else(tmp_path: Path):
    spec = spec_of(tmp_path, SWAP.format(first=", first: holder of white", effect="ends: turn"))
    found = [x for x in about_lines(bench_of(spec)) if isinstance(x, Decision)]
    assert {d.phase for d in found if not d.defined} == {"opening 4"}
    assert {d.phase for d in found} == {"opening 1", "opening 2", "opening 3", "opening 4", "main"}
    loses = spec_of(tmp_path, SWAP.format(first=", first: holder of white", effect="loses: actor"))
    assert all(d.defined for d in about_lines(bench_of(loses)) if isinstance(d, Decision))


def test_after_every_opening_of_gomoku_white_acts_whoever_holds_it():
    for variant in ("pro", "long-pro", "swap", "swap2"):
        rules = load("gomoku").rules(variant)
        into_main = [f for f in turns.table(rules, variant, turns.rows(rules)) if f.in_phase == "main" and f.phase != "main"]
        assert into_main
        for f in into_main:
            assert f.then.colour in ("", "white")
            assert f.then.colour == "white" or f.then.seat == "second"


@pytest.mark.parametrize(
    ("name", "variant"), [("gomoku", "swap2"), ("gomoku", "pro"), ("wugun", ""), ("wugun", "north-east"), ("oxono", "")]
)
def test_who_acts_in_random_games_stands_in_the_table(name: str, variant: str):
    game = Game.load(name, variant)
    told = {(f.phase, f.actor.seat, f.actor.colour, f.then.seat, f.then.colour, f.in_phase)
            for f in turns.table(game.rules, variant, turns.rows(game.rules))}  # fmt: skip
    seen: set[tuple[str, ...]] = set()
    for seed in range(12):
        position = game.start()
        for picks in game.playout(seed, 60).moves:
            before, moves = position, [m for m in position.moves if m.picks == picks]
            position = position.play(moves[0])
            if position.ended is None:
                seen.add((before.phase, *acts(before), *acts(position), position.phase))
    assert seen
    assert seen <= told


def acts(position) -> tuple[str, str]:
    colour = position.colour_of_seat[position.state.seat]
    return position.actor, colour if position.game.rules.takes_colours else ""


@pytest.mark.parametrize("name", ["wugun", "gomoku"])
def test_every_kind_of_decision_of_a_game_is_met_and_its_event_told(name: str):
    game = Game.load(name)
    kinds = {(k.phase, k.pick) for k in decisions.met(game, 1)}
    told = decisions.table(game, "", {}, 1)
    assert {(d.phase, d.pick) for d in told} == kinds
    assert {p for p, _ in kinds} == set(game.rules.phases)
    assert all(d.defined for d in told)


# -- reports ----------------------------------------------------------------------------------------------------------------------


def test_a_check_tells_concerns_and_both_tables_and_takes_note_of_what_is_recorded(tmp_path: Path):
    report = check(row(tmp_path), Plan(budget=QUICK))
    assert isinstance(report.turns[0], Follows)
    assert report.unrecorded({}) == ["base/conflict/end.row/end.full"]
    assert report.unrecorded({"base/conflict/end.row/end.full": "finding"}) == []
    assert report.undecided({}) == []


def test_a_gap_without_end_stands_for_the_concern_about_it(tmp_path: Path):
    spec, plan = wander(tmp_path, "[forward, backward]", 5), Plan(budget=QUICK)
    listed = queries(spec, plan)
    found = {i: answer(q) for i, q in enumerate(listed)}
    assert any(isinstance(f, Concern) and f.kind == "endless" for answers in found.values() for f in answers)
    report = report_of(spec, plan, found, 0.0)
    assert not any(c.kind == "endless" for c in report.concerns)
    (gap,) = (g for g in report.gaps if g.kind == "endless")
    assert gap.since is not None
    assert len(gap.boards) == gap.witness.plies - gap.since - 1
    assert gap.witness.shortest


@pytest.mark.parametrize("name", FOUNDING)
def test_every_recorded_conflict_is_replayed_and_both_endings_hold(name: str):
    spec, results = load(name), read_results(proofs_root() / name / "results.json")
    assert results is not None
    recorded = [f for f in results.findings if f.key.split("/")[1] == "conflict" and f.moves]
    for found in recorded:
        variant, _, rule, against = found.key.split("/")
        game = Game(spec, spec.rules("" if variant == "base" else variant))
        goal = next(g for g in goals(game.rules) if g.kind == "conflict" and (g.rule, g.against) == (rule, against))
        assert sightings.lawful(game.rules, game, goal, found.moves or []), found.key
        assert found.verdict == ("harmless" if goal.same else "finding")
    assert bool(recorded) == (name != "wugun")
