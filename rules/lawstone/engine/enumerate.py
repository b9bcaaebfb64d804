"""Every position of a game, ply by ply, each once up to symmetry: in bounded memory, on disk, taken up again where it stopped.

The symmetries used are those of the rules that keep the start. Each position is written as the least of its images, with the
number of symmetries that leave it as it is, so that all positions are counted too, without being kept. A ply is made in portions
that fit in memory; the portions, sorted, are files that are merged, and what an earlier ply holds is left out. Where positions of
two plies have different numbers of pieces they cannot be the same, and are not compared. Nothing is drawn by chance.
"""

from __future__ import annotations

import errno
import hashlib
import heapq
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawstone.carried import Carried
from lawstone.core import Sort
from lawstone.engine.everyday import Everyday
from lawstone.engine.kernel.expand import TAIL, Expanded, Expander
from lawstone.engine.kernel.layout import layout
from lawstone.engine.kernel.run import COMPILED, EMITTED
from lawstone.engine.kernel.walk import Walk, agreed
from lawstone.engine.state import Outcome, State, start_state
from lawstone.engine.symmetry import Carry, symmetries
from lawstone.lower import Rules
from lawstone.lower import Value as Kept
from lawstone.work.crew import Crew

FORM = 1
BATCH = 1_000
"""Positions whose moves are made together."""
SLICE = 25_000
"""Rows of a ply that a worker is asked about at once."""
BLOCK = 1 << 20
OVERHEAD = 110
"""Bytes that a row takes in memory beside its own."""
MERGED = 200
"""Files that are merged at once."""
GIB = 1 << 30


@dataclass
class Ply:
    """The positions first reached at one ply. Counts are pairs: up to symmetry, and all of them.

    `going` are those after which the game goes on, `ends` the others by the rule that ends the game, `stuck` those of `going` where
    nobody can move; `moves` is the number of moves made from them, of positions up to symmetry; `pieces` the least and the most.
    """

    positions: tuple[int, int] = (0, 0)
    going: tuple[int, int] = (0, 0)
    ends: dict[str, tuple[int, int]] = field(default_factory=dict)
    stuck: tuple[int, int] = (0, 0)
    moves: int = 0
    pieces: tuple[int, int] = (0, 0)


@dataclass
class Portion:
    """How far the ply that is being made has come: frontier rows read, files written, and what was met."""

    read: int = 0
    runs: list[str] = field(default_factory=list)
    moves: int = 0
    stuck: tuple[int, int] = (0, 0)
    pieces: tuple[int, int] = (1 << 30, 0)


class Otherwise(ValueError):
    """A folder that holds another enumeration."""


class DiskFull(RuntimeError):
    """No more room on disk, or none that may be used."""


class Maker:
    """What a ply is made with: the moves of many positions at once, as rows of bytes, under the symmetries that keep the start."""

    def __init__(self, rules: Rules, everyday: Everyday, walk: Walk | str, symmetric: bool = True) -> None:
        self.rules, self.everyday = rules, everyday
        start = start_state(rules)
        kept = [c for c in symmetries(rules) if c.state(start) == start]
        self.carries = tuple(kept if symmetric else kept[:1])
        self.backend = COMPILED if isinstance(walk, Walk) else EMITTED
        self.reason = "" if isinstance(walk, Walk) else walk
        self.packing = Packing(rules)
        self.ends: list[tuple[str, str, str]] = _ends(rules)
        self.expander: Expander | Plain
        if isinstance(walk, Walk):
            numbers = [self.ends.index(m) + 1 if m in self.ends else 0 for m in walk.meanings]
            self.expander = Expander(walk, self.carries, numbers)
        else:
            self.expander = Plain(self)
        self.stride = 8 * (self.packing.size + TAIL)

    def going(self, file: Path, first: int, rows: int) -> list[bytes]:
        """The positions among some rows of a file in which the game goes on."""
        size, none = 8 * self.packing.size, bytes(8)
        with file.open("rb") as source:
            source.seek(first * self.stride)
            block = source.read(rows * self.stride)
        listed = (block[i : i + self.stride] for i in range(0, len(block), self.stride))
        return [row[:size] for row in listed if row[size : size + 8] == none]


class Enumeration(Maker):
    """An enumeration in a folder; made anew, or taken up where an earlier one stopped. Raises Otherwise.

    With `slices`, the parts of a ply can be made by other processes (see `advance`).
    """

    def __init__(
        self,
        rules: Rules,
        everyday: Everyday,
        walk: Walk | str,
        folder: Path,
        memory: int = GIB,
        disk: int = 20 * GIB,
        symmetric: bool = True,
        slices: Slice | None = None,
    ) -> None:
        super().__init__(rules, everyday, walk, symmetric)
        self.folder, self.disk, self.slices = folder, disk, slices
        self.room = max(1_000, memory // (self.stride + OVERHEAD))
        self.plies: list[Ply] = []
        self.portion = Portion()
        folder.mkdir(parents=True, exist_ok=True)
        self._take_up(start_state(rules))

    # -- what is on disk ----------------------------------------------------------------------------------------------------------

    def _take_up(self, start: State) -> None:
        head = {
            "form": FORM, "game": self.rules.game.game, "board": self.rules.board.label, "meaning": digest(self.rules),
            "symmetries": [c.name for c in self.carries],
        }  # fmt: skip
        self._head = head
        card = self.folder / "enumeration.json"
        if card.exists():
            try:
                stored = json.loads(card.read_text(encoding="utf-8"))
                if {k: stored[k] for k in head} != head:
                    raise Otherwise(f"{self.folder} holds another enumeration ({stored['game']} on {stored['board']})")
                self.plies = [_ply(row) for row in stored["plies"]]
                p = stored["portion"]
                self.portion = Portion(p["read"], p["runs"], p["moves"], (*p["stuck"],), (*p["pieces"],))
            except (KeyError, TypeError, json.JSONDecodeError) as error:
                raise Otherwise(f"{card} is not one of ours: {error}") from None
            return
        row, hits = self.packing.least(start, self.carries)
        self._file(0).write_bytes(row + (0).to_bytes(8, "little") + hits.to_bytes(8, "little"))
        pieces = self.packing.pieces(row)
        self.plies = [Ply((1, 1), (1, 1), pieces=(pieces, pieces))]
        self._save()

    def _file(self, ply: int) -> Path:
        return self.folder / f"ply-{ply:03}.rows"

    def _save(self) -> None:
        text = json.dumps({**self._head, "plies": [asdict(p) for p in self.plies], "portion": asdict(self.portion)}, indent=1)
        part = self.folder / "enumeration.part"
        part.write_text(text + "\n", encoding="utf-8")
        os.replace(part, self.folder / "enumeration.json")

    def rows(self, file: Path) -> Iterator[bytes]:
        """The rows of a file, in order."""
        size = self.stride
        with file.open("rb") as source:
            while block := source.read(size * max(1, BLOCK // size)):
                yield from (block[i : i + size] for i in range(0, len(block), size))

    # -- one ply after the other --------------------------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether every position has been reached."""
        return self.plies[-1].going[0] == 0

    def advance(self, tell: Callable[[int, int], None] = lambda _done, _of: None, crew: Crew | None = None) -> Ply:
        """Make the next ply; it is on disk when this returns. Interrupted, it loses one portion at most.

        A crew of several workers makes the slices of a large ply side by side; what is on disk in the end is the same.
        """
        ply = len(self.plies)
        for stale in self.folder.glob("run-*.rows"):
            if stale.name not in self.portion.runs:
                stale.unlink()
        of = self._file(ply - 1).stat().st_size // self.stride
        if crew is not None and crew.workers > 1 and self.slices is not None and of - self.portion.read > SLICE:
            self._side_by_side(crew, self.slices, of, tell)
        else:
            self._alone(of, tell)
        try:
            made, count = self._merged(ply)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise DiskFull("the disk is full") from None
        last = self.plies[-1]
        last.moves, last.stuck = self.portion.moves, self.portion.stuck
        count.pieces = self.portion.pieces
        self.plies.append(count)
        runs, self.portion = self.portion.runs, Portion()
        os.replace(made, self._file(ply))
        self._save()
        for name in runs:
            (self.folder / name).unlink(missing_ok=True)
        return count

    def _alone(self, of: int, tell: Callable[[int, int], None]) -> None:
        file, gathered, met = self._file(len(self.plies) - 1), set[bytes](), _again(self.portion)
        for first in range(self.portion.read, of, BATCH):
            found = self.expander.expand(self.going(file, first, BATCH))
            gathered.update(found.rows)
            met = _met(met, found)
            if len(gathered) >= self.room:
                self._flush(gathered, met, min(first + BATCH, of))
                gathered = set()
            tell(min(first + BATCH, of), of)
        if gathered or not met.runs:
            self._flush(gathered, met, of)
        else:
            met.read, self.portion = of, met

    def _side_by_side(self, crew: Crew, asked: Slice, of: int, tell: Callable[[int, int], None]) -> None:
        """Slices in waves, a few for each worker; after a wave the portion says how far it goes."""
        room = max(1_000, self.room // crew.workers)
        while self.portion.read < of:
            begun = self.portion.read
            firsts = range(begun, min(of, begun + 3 * crew.workers * SLICE), SLICE)
            here = replace(asked, folder=str(self.folder), ply=len(self.plies), rows=SLICE, room=room)
            found = crew.each(slice_made, [replace(here, first=first) for first in firsts], _lost)
            met = _again(self.portion)
            for made in found:
                if made.lost:
                    raise Lost(made.lost)
                met = _met(met, made)
                met.runs += made.runs
            met.read = min(of, firsts[-1] + SLICE)
            self._bounded(0)
            self.portion = met
            self._save()
            tell(met.read, of)

    def _bounded(self, more: int) -> None:
        used = sum(f.stat().st_size for f in self.folder.iterdir()) + more
        if used + sum(f.stat().st_size for f in self.folder.glob("run-*.rows")) > self.disk:
            # the runs are there twice while they are merged
            raise DiskFull(f"more than {self.disk / GIB:g} GiB on disk would be needed")

    def _flush(self, gathered: set[bytes], met: Portion, read: int) -> None:
        """Write a portion, sorted, and remember how far it goes."""
        name = f"run-{len(self.plies):03}-{len(met.runs):05}.rows"
        self._bounded(self.stride * len(gathered))
        _written(self.folder / name, gathered)
        met.runs.append(name)
        met.read = read
        self.portion = _again(met)
        self._save()

    def _merged(self, ply: int) -> tuple[Path, Ply]:
        """All portions as one file without what an earlier ply holds, and what it counts."""
        runs = [self.folder / r for r in self.portion.runs]
        while len(runs) > MERGED:
            together = self.folder / f"run-{ply:03}-merged-{len(runs):05}.rows"
            with together.open("wb") as out:
                for row in _once(heapq.merge(*(self.rows(r) for r in runs[:MERGED]))):
                    out.write(row)
            runs = [*runs[MERGED:], together]
        least, most = self.portion.pieces
        earlier = [
            self.rows(self._file(i))
            for i, p in enumerate(self.plies)
            if p.pieces[0] <= most and least <= p.pieces[1] and p.positions[0]
        ]
        size = 8 * self.packing.size
        rows = _once(heapq.merge(*(self.rows(r) for r in runs)))
        if earlier:
            rows = _without(rows, heapq.merge(*earlier), size)
        tails: Counter[bytes] = Counter()
        twice, before = 0, b""
        path = self.folder / f"ply-{ply:03}.part"
        with path.open("wb") as out:
            for row in rows:
                tails[row[size:]] += 1
                if row[:size] == before:
                    twice += 1
                before = row[:size]
                out.write(row)
        return path, self._count(tails, twice)

    def _count(self, tails: Counter[bytes], twice: int) -> Ply:
        group = len(self.carries)
        found = Ply()
        ends: dict[str, tuple[int, int]] = {}
        for tail, n in tails.items():
            end, hits = int.from_bytes(tail[:8], "little"), int.from_bytes(tail[8:], "little")
            pair = n, n * group // hits
            found.positions = _sum(found.positions, pair)
            if end:
                rule = self.named(end)
                ends[rule] = _sum(ends.get(rule, (0, 0)), pair)
            else:
                found.going = _sum(found.going, pair)
        if twice:
            raise AssertionError("a position that ends the game in two ways is two positions")
        found.ends = dict(sorted(ends.items()))
        return found

    def named(self, end: int) -> str:
        """The rule of an end, by its number in a row."""
        kind, _, rule = self.ends[end - 1]
        return f"no rule: {rule}" if kind == "no rule" else rule

    @property
    def total(self) -> tuple[int, int]:
        """All positions of the plies made so far: up to symmetry, and all of them."""
        both = (0, 0)
        for ply in self.plies:
            both = _sum(both, ply.positions)
        return both


@dataclass(frozen=True)
class Slice:
    """The question of one slice of a ply, as a worker is asked: the rules by the game's files, and where the rows are."""

    game: Carried
    variant: str
    reading: tuple[tuple[str, str], ...]
    board: tuple[int, int] | None
    symmetric: bool = True
    compiled: bool = True
    folder: str = ""
    ply: int = 0
    first: int = 0
    rows: int = 0
    room: int = 0


@dataclass
class Sliced(Expanded):
    """What a slice came to: files instead of rows, or why it was lost."""

    runs: list[str] = field(default_factory=list)
    lost: str = ""


class Lost(RuntimeError):
    """A worker ended before its slice was made."""


def _lost(_: Slice, why: str) -> Sliced:
    return Sliced([], lost=why)


@lru_cache(maxsize=2)
def _maker(game: Carried, variant: str, reading: tuple[tuple[str, str], ...], board: Any, symmetric: bool, compiled: bool) -> Maker:
    rules = game.spec().rules(variant, dict(reading), board)
    everyday = Everyday(rules)
    return Maker(rules, everyday, agreed(rules, everyday) if compiled else "asked for", symmetric)


def slice_made(asked: Slice) -> Sliced:
    """Make a slice of a ply and write it, sorted, in files of as many rows as there is room for."""
    maker = _maker(asked.game, asked.variant, asked.reading, asked.board, asked.symmetric, asked.compiled)
    folder, found, gathered = Path(asked.folder), Sliced([]), set[bytes]()
    last = asked.first + asked.rows
    for first in range(asked.first, last, BATCH):
        part = maker.expander.expand(maker.going(folder / f"ply-{asked.ply - 1:03}.rows", first, min(BATCH, last - first)))
        gathered.update(part.rows)
        found.moves, found.stuck, found.stuck_all = (
            found.moves + part.moves,
            found.stuck + part.stuck,
            found.stuck_all + part.stuck_all,
        )
        found.least, found.most = min(found.least, part.least), max(found.most, part.most)
        if len(gathered) >= asked.room or first + BATCH >= last:
            name = f"run-{asked.ply:03}-{asked.first:012}-{len(found.runs):03}.rows"
            _written(folder / name, gathered)
            found.runs.append(name)
            gathered = set()
    return found


def _written(file: Path, gathered: set[bytes]) -> None:
    rows = sorted(gathered)
    with file.open("wb") as out:
        for i in range(0, len(rows), 4096):
            out.write(b"".join(rows[i : i + 4096]))


def _ply(row: dict[str, Any]) -> Ply:
    pairs = {k: tuple(row[k]) for k in ("positions", "going", "stuck", "pieces")}
    return Ply(**pairs, ends={k: tuple(v) for k, v in row["ends"].items()}, moves=row["moves"])


def _sum(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return a[0] + b[0], a[1] + b[1]


def _again(p: Portion) -> Portion:
    return Portion(p.read, list(p.runs), p.moves, p.stuck, p.pieces)


def _met(p: Portion, found: Expanded) -> Portion:
    pieces = min(p.pieces[0], found.least), max(p.pieces[1], found.most)
    return Portion(p.read, p.runs, p.moves + found.moves, _sum(p.stuck, (found.stuck, found.stuck_all)), pieces)


def _once(rows: Iterable[bytes]) -> Iterator[bytes]:
    before = b""
    for row in rows:
        if row != before:
            yield row
            before = row


def _without(rows: Iterable[bytes], known: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Sorted rows whose position is not among other sorted rows."""
    other = next(known, None)
    for row in rows:
        head = row[:size]
        while other is not None and other[:size] < head:
            other = next(known, None)
        if other is None or other[:size] != head:
            yield row


def _ends(rules: Rules) -> list[tuple[str, str, str]]:
    """All ways in which a move can end the game: kind, result for the player who moves, rule."""
    found: list[tuple[str, str, str]] = []
    for phase in rules.phases.values():
        for turn in phase.turns:
            found += [("ending", e.result, e.rule) for e in turn.endings]
            found += [("no rule", "", c.rule) for c in turn.choices]
    return list(dict.fromkeys(found))


class Packing:
    """Positions as bytes, in the words of the compiled steps."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.layout, self.phases = rules, layout(rules.board), list(rules.phases)
        self.widths = [self.layout.words if v.sort is Sort.SITES else 1 for v in rules.variables]
        self.size = sum(self.widths) + 2

    def pack(self, state: State) -> bytes:
        """A position as bytes."""
        parts = [
            (self.layout.laid(int(value)) if v.sort is Sort.SITES else int(value)).to_bytes(8 * width, "little")
            for v, value, width in zip(self.rules.variables, state.values, self.widths, strict=True)
        ]
        return b"".join([*parts, self.phases.index(state.phase).to_bytes(8, "little"), state.seat.to_bytes(8, "little")])

    def unpack(self, row: bytes) -> State:
        """Bytes as a position."""
        at, values = 0, list[Kept]()
        for v, width in zip(self.rules.variables, self.widths, strict=True):
            number = int.from_bytes(row[at : at + 8 * width], "little")
            at += 8 * width
            values.append(self.layout.sites(number) if v.sort is Sort.SITES else bool(number) if v.sort is Sort.FLAG else number)
        phase, seat = (int.from_bytes(row[at + i : at + i + 8], "little") for i in (0, 8))
        return State(tuple(values), self.phases[phase], seat)

    def words(self, row: bytes) -> tuple[int, ...]:
        """The words of a row of bytes."""
        return tuple(int.from_bytes(row[i : i + 8], "little") for i in range(0, 8 * self.size, 8))

    def pieces(self, row: bytes) -> int:
        """The sizes of all sets together."""
        at, found = 0, 0
        for v, width in zip(self.rules.variables, self.widths, strict=True):
            if v.sort is Sort.SITES:
                found += int.from_bytes(row[at : at + 8 * width], "little").bit_count()
            at += 8 * width
        return found

    def least(self, state: State, carries: Iterable[Carry]) -> tuple[bytes, int]:
        """The least image of a position, compared word by word, and how many symmetries leave it as it is."""
        images = [self.pack(c.state(state)) for c in carries]
        row = min(images, key=self.words)
        return row, images.count(row)


class Plain:
    """The moves of many positions by the emitted Python; the same rows as `Expander` makes."""

    def __init__(self, of: Maker) -> None:
        self.of = of

    def expand(self, states: list[bytes]) -> Expanded:
        """What all moves of the positions lead to."""
        packing, engine, carries = self.of.packing, self.of.everyday, self.of.carries
        found = Expanded([])
        for row in states:
            state = packing.unpack(row)
            options = engine.options[engine.index[state.phase]](*state.values)
            if not options:
                found.stuck += 1
                found.stuck_all += len(carries) // packing.least(state, carries)[1]
            for option in options:
                for move in engine.expand(option):
                    after = engine.play(state, move)
                    image, hits = packing.least(after.state, carries)
                    end = self._end(after.outcome, state.seat)
                    pieces = packing.pieces(image)
                    found.least, found.most = min(found.least, pieces), max(found.most, pieces)
                    found.rows.append(image + end.to_bytes(8, "little") + hits.to_bytes(8, "little"))
                    found.moves += 1
        return found

    def _end(self, outcome: Outcome | None, seat: int) -> int:
        if outcome is None:
            return 0
        if outcome.kind == "no rule":
            return self.of.ends.index(("no rule", "", outcome.rule)) + 1
        result = "draw" if outcome.winner is None else "mover" if outcome.winner == seat else "opponent"
        return self.of.ends.index(("ending", result, outcome.rule)) + 1


def digest(rules: Rules) -> str:
    """A digest of what the rules mean, on their board."""
    phases = [(name, [t.meaning for t in phase.turns]) for name, phase in rules.phases.items()]
    text = (rules.board.places, sorted(rules.board.steps.items()), rules.variables, sorted(rules.start.items()), phases)
    return hashlib.sha256(repr((*text, rules.start_phase, rules.start_seat)).encode()).hexdigest()[:32]
