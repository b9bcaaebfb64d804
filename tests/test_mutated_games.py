"""No file is so bad that it ends in a traceback or goes on for ever: it is refused with faults, or it can be played.

`LAWSTONE_MUTATIONS=5000` in the environment tries that many files of each kind; a usual run tries a few.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lawstone.engine.emit import emit
from lawstone.engine.everyday import MOST_PREFIXES, Everyday, TooManyMoves
from lawstone.engine.playout import playout
from lawstone.model import turns
from lawstone.model.faults import BadInput
from lawstone.spec import Usage, load
from lawstone.wellformed import DEEPEST_TERM, MOST_PICKS, MOST_PLACES
from mutated import texts, trees

EXAMPLES = int(os.environ.get("LAWSTONE_MUTATIONS", "250"))
SECONDS = 5
PLIES = 30
TRIED = settings(
    deadline=None,
    max_examples=EXAMPLES,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],  # to explain failures would take time from all
)


class TooSlow(AssertionError):
    """One file took more than its share of processor time."""


@contextmanager
def cpu_seconds(most: float) -> Iterator[None]:
    """Raises TooSlow where the code inside takes more processor time; other work of the machine does not count."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TooSlow(f"more than {most} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def outcome(folder: Path, content: str | bytes, seed: int = 1) -> str:
    """What becomes of a game file: the text of its faults, or "" if it was played for some plies (or some time)."""
    file = folder / "game.yaml"
    file.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    try:
        with cpu_seconds(SECONDS):
            spec = load(file)
            faults = spec.faults()
            if faults:
                raise BadInput(faults)
            engine = Everyday(spec.rules())
        state, begun = engine.start(), time.process_time()
        for ply in range(PLIES):
            with cpu_seconds(SECONDS):
                played = playout(engine, seed + ply, 1, state)
            state = played.state
            if played.outcome is not None or time.process_time() - begun > 1:
                break
    except (BadInput, Usage) as refused:
        return str(refused).replace(f"{folder}{os.sep}", "")
    return ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("game")


@given(content=trees(), seed=st.integers(0, 99))
@TRIED
def test_a_game_with_parts_deleted_doubled_renamed_or_exchanged_is_refused_or_played(folder: Path, content: str, seed: int) -> None:
    outcome(folder, content, seed)


@given(content=trees(rewritten=True), seed=st.integers(0, 99))
@TRIED
def test_a_game_with_clauses_rewritten_as_their_form_allows_is_refused_or_played(folder: Path, content: str, seed: int) -> None:
    outcome(folder, content, seed)


@given(content=texts())
@TRIED
def test_a_game_file_with_bytes_changed_is_refused_or_played(folder: Path, content: bytes) -> None:
    outcome(folder, content)


@pytest.mark.parametrize("name", ["tic-tac-toe", "oxono", "wugun"])
def test_a_game_file_that_is_not_changed_is_played(folder: Path, name: str) -> None:
    from mutated import content

    assert outcome(folder, content(name)) == ""


# Files that ask for too much


def game(**parts: Any) -> dict[str, Any]:
    """A small game on the largest board, with some parts put in its place."""
    base = {
        "game": "large",
        "rules version": 1,
        "title": {"en": "Large"},
        "authentic": "en",
        "board": {"grid": [26, 26]},
        "players": ["x", "o"],
        "pieces": {"mark": {"of": "player"}},
        "turn": [PLACE],
        "end": [{"rule": "end.full", "if": {"none": "empty"}, "draw": True}],
    }
    return base | {key.replace("_", " "): part for key, part in parts.items()}


PLACE = {"rule": "turn.place", "place": "own mark", "to": "empty"}


def nested(key: str, inner: Any, deep: int, **others: Any) -> Any:
    """A set of sites that stands many times inside itself."""
    for _ in range(deep):
        inner = {key: {"from": inner, **others}} if others else {"sites": "empty", key: {"some": inner}}
    return inner


def doubled(names: Sequence[str], last: Any, link: Any) -> dict[str, Any]:
    """Named things of which each is made twice of the next one."""
    return {a: [link(b), link(b)] for a, b in pairwise(names)} | {names[-1]: last}


LETTERS = "abcdefghijklmnopqrstuvwxyz"
SLIDE = {"directions": "all", "over": "empty"}
LINE = {"line": {"of": "own mark", "at least": 5, "directions": "all"}}
TOO_MUCH = {
    "slides inside one another": (
        game(turn=[PLACE | {"to": nested("slide", "last", 9, **SLIDE)}]),
        f"deep inside one another, and the limit is {DEEPEST_TERM}",
    ),
    "such that inside one another": (
        game(turn=[PLACE | {"to": nested("such that", "empty", 12)}]),
        f"'such that' stands more than {turns.DEEPEST_SUCH} deep inside itself",
    ),
    "a line longer than every board": (
        game(end=[{"rule": "end.row", "if": {"line": LINE["line"] | {"at least": 900}}, "draw": True}]),
        "no board has 900 sites in a line: 26 at most",
    ),
    "a long line with gaps": (
        game(end=[{"rule": "end.row", "if": {"line": LINE["line"] | {"at least": 26, "past": "empty"}}, "draw": True}]),
        f"the limit is {DEEPEST_TERM}",
    ),
    "shapes in thousands of places": (
        game(
            shapes={f"row {n}": {"rule": f"shape.{n}", "line": n, "directions": "all"} for n in range(2, 27)},
            end=[{"rule": "end.shape", "if": {"shape": "any", "of": "own mark"}, "draw": True}],
        ),
        f"the shapes can stand in more than {MOST_PLACES:,} places on this board",
    ),
    "four marks in a turn": (
        game(turn=[PLACE] * 4),
        "3 picks of one of 676 sites before the last pick of a turn make too many moves",
    ),
    "hundreds of steps in a turn": (game(turn=[PLACE] * 120), f"a turn has at most {turns.MOST_STEPS} steps"),
    "hundreds of marks removed": (
        game(
            start={"x mark": [f"rank {n}" for n in range(1, 26)]},
            turn=[{"rule": "turn.clear", "remove": "board", "count": 300, "up to": True}, PLACE],
        ),
        f"this position has more than {MOST_PREFIXES:,} moves, too many to list",
    ),
    "steps that double": (
        game(steps=doubled(LETTERS, [PLACE], lambda name: {"do": name}), turn=[{"do": "a"}]),
        "steps do one another more than 10 deep",
    ),
    "steps that double less often": (
        game(steps=doubled(LETTERS[:9], [PLACE], lambda name: {"do": name}), turn=[{"do": "a"}]),
        f"a turn has at most {turns.MOST_STEPS} steps",
    ),
    "regions that double": (
        game(regions=doubled([f"region {c}" for c in LETTERS], ["a1"], str), turn=[PLACE | {"to": "region a"}]),
        "regions are made of one another more than 20 deep",
    ),
    "options that multiply": (
        game(turn=[*({"rule": f"pick.{c}", "pick": c, "from": list(LETTERS[:9])} for c in "abc"), PLACE]),
        f"the values and ways to choose from make more than {turns.MOST_TURNS} turns, which is the limit",
    ),
    "many turns with many endings": (
        game(
            turn=[{"rule": "turn.way", "one of": [{"name": c} for c in LETTERS[:12]]}] * 2 + [PLACE],
            end=[{"rule": f"end.{n}", "if": {"any of": [LINE] * 9}, "draw": True} for n in range(40)],
        ),
        f"their product is more than {turns.MOST_CLAUSES:,}",
    ),
    "a large clause used often": (
        game(
            end=[{"rule": "end.any", "if": {"any of": [{"some": "own mark"}] * 900}, "draw": True}],
            questions=[
                {
                    "id": "use",
                    "ask": {"en": "?"},
                    "answers": {"a": {}, "b": {"turn.place": {"to": {"any of": [{"use": "end.any"}] * 900}}}},
                }
            ],
        ),
        "the clauses used here hold more than 50,000 values together",
    ),
    "answers by the hundred in variants by the dozen": (
        game(
            variants={f"v{n}": {"title": {"en": "?"}, "changes": {}} for n in range(30)},
            questions=[
                {"id": f"q{n}", "ask": {"en": "?"}, "answers": {"a": {}, "b": {"turn.place": {"to": "corners"}}}}
                for n in range(180)
            ],
        ),
        "the variants and answers make 5,611 readings, and the limit is 2,000",
    ),
}


@pytest.mark.parametrize("case", TOO_MUCH)
def test_a_file_that_asks_for_too_much_is_refused_with_the_limit(folder: Path, case: str) -> None:
    tree, said = TOO_MUCH[case]
    assert said in outcome(folder, json.dumps(tree))


def test_as_many_picks_as_are_allowed_can_be_played(folder: Path) -> None:
    assert 225**2 <= MOST_PICKS < 225**3
    assert outcome(folder, json.dumps(game(board={"grid": [15, 15]}, turn=[PLACE] * 3))) == ""


def test_a_position_with_too_many_moves_can_still_be_played_at_random(folder: Path) -> None:
    tree = game(
        board={"grid": [8, 8]},
        turn=[{"rule": "turn.clear", "remove": "occupied", "count": 32, "up to": True}],
        start={"x mark": ["rank 1", "rank 2", "rank 3", "rank 4"]},
    )
    (folder / "game.yaml").write_text(json.dumps(tree), encoding="utf-8")
    engine = Everyday(load(folder / "game.yaml").rules())
    assert len(playout(engine, 1, 3).moves) == 3
    with pytest.raises(TooManyMoves):
        engine.moves(engine.start())


def test_a_union_of_thousands_of_sets_can_be_compiled(folder: Path) -> None:
    tree = game(turn=[PLACE | {"to": {"any of": [{"sites": "empty", "and": {"slide": {"from": "last", **SLIDE}}}] * 3}}])
    (folder / "game.yaml").write_text(json.dumps(tree), encoding="utf-8")
    rules = load(folder / "game.yaml").rules()
    assert len(emit(rules)) > 0
    playout(Everyday(rules), 1, 2)
