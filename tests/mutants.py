"""Engines broken on purpose: the oracles with one line changed, as an implementer might get it wrong, each clause at least once.

`asking` makes an oracle a program that the conformance runner can ask, in this process.
"""

from __future__ import annotations

import functools
import importlib
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from lawstone.cases.protocol import Reply

ORACLES = Path(__file__).resolve().parent / "oracles"
CLASSES = {"xxung": "Xxung", "gomoku": "Gomoku", "oxono": "Oxono", "wugun": "Wugun", "tic-tac-toe": "TicTacToe"}
FILES = {"tic-tac-toe": "small/tic_tac_toe"}
"""The files of oracles that are not named as their game."""


class Mutant(NamedTuple):
    """One fault: the clauses that it breaks, what it does, and the text that is exchanged for another in the oracle."""

    game: str
    clauses: tuple[str, ...]
    says: str
    old: str
    new: str


MUTANTS = (
    # XXung
    Mutant(
        "xxung",
        ("opening.free",),
        "the first piece may not stand at the rim",
        "return set(self.grid.centre if only_centre else self.grid.sites) - taken",
        "return {s for s in self.grid.sites if len(self.grid.beside[s]) == 4}",
    ),
    Mutant(
        "xxung",
        ("turn.line",),
        "off by one at the rim",
        "            for site in ray[:1] if",
        "            ray = ray[:7]\n            for site in ray[:1] if",
    ),
    Mutant(
        "xxung",
        ("turn.line",),
        "a piece is jumped over",
        "                    break\n                if site not in taken",
        "                    continue\n                if site not in taken",
    ),
    Mutant(
        "xxung",
        ("turn.line",),
        "north is forgotten",
        "        for direction in self.directions:\n            ray",
        "        for direction in self.directions[:1] + self.directions[2:]:\n            ray",
    ),
    Mutant("xxung", ("end.five",), "four win", "return any(n >= 5 if", "return any(n >= 4 if"),
    Mutant(
        "xxung",
        ("end.five",),
        "only exactly five",
        'return any(n >= 5 if self.reading["six"] == "wins" else n == 5',
        "return any(n == 5 if True else n == 5",
    ),
    Mutant("xxung", ("end.five",), "one diagonal is forgotten", "self.axes = AXES if", "self.axes = AXES[:3] if"),
    Mutant(
        "xxung",
        ("end.five",),
        "the run is counted in one direction only",
        "runs = [self.grid.run(stones, site, axis, past) for axis in self.axes]",
        "runs = [1 + len([o for n, o in enumerate(self.grid.rays[site, axis][:4]) if set("
        "self.grid.rays[site, axis][: n + 1]) <= stones]) for axis in self.axes]",
    ),
    Mutant(
        "xxung",
        ("end.five",),
        "the five is looked for before the piece stands",
        "self._five(mine, theirs, site)",
        "self._five(mine - {site}, theirs, site) and False",
    ),
    Mutant("xxung", ("end.blocked",), "a block is no end", 'holding.append("end.blocked")', "pass"),
    Mutant(
        "xxung",
        ("end.blocked",),
        "the blocked player wins",
        "return after._replace(ended=(PLAYERS[me], rule))",
        'return after._replace(ended=(PLAYERS[me if rule == "end.five" else 1 - me], rule))',
    ),
    Mutant(
        "xxung",
        ("end.blocked",),
        "a full ring of neighbours is asked for at the rim too",
        "return any(not self._placements(after, player) for player in players)",
        "return len(self.grid.beside[after.last] & (after.stones[0] | after.stones[1])) == 4",
    ),
    Mutant("xxung", ("end.five", "end.blocked"), "the block goes first", "rule = holding[0] if", "rule = holding[-1] if"),
    # Gomoku
    Mutant(
        "gomoku",
        ("turn.place",),
        "a stone must touch another",
        '        if state.phase == "main":\n            return self._empty(state)',
        '        if state.phase == "main":\n            near = [self.grid.neighbours(s, ORTHOGONAL + DIAGONAL) '
        "for c in state.stones for s in c]\n"
        "            return self._empty(state) & (frozenset().union(*near) or self.grid.sites)",
    ),
    Mutant(
        "gomoku",
        ("turn.place",),
        "the colours are exchanged",
        "return self._placed(state, pick, COLOURS[0] if",
        "return self._placed(state, pick, COLOURS[1] if",
    ),
    Mutant(
        "gomoku",
        ("end.five",),
        "six win too",
        "self.more_than_five_win = self.reading",
        "self.more_than_five_win = True or self.reading",
    ),
    Mutant("gomoku", ("end.five",), "four win", "return 5 in runs", "return 4 in runs or 5 in runs"),
    Mutant("gomoku", ("end.five",), "diagonals are forgotten", "self.axes = AXES if", "self.axes = AXES[:2] if"),
    Mutant(
        "gomoku",
        ("end.five",),
        "a five at the rim is not seen",
        "        runs = [self.grid.run(mine, site, axis) for axis in self.axes]",
        "        if len(self.grid.beside[site]) < 4:\n            return False\n"
        "        runs = [self.grid.run(mine, site, axis) for axis in self.axes]",
    ),
    Mutant(
        "gomoku",
        ("end.five",),
        "black only",
        "        if site not in mine:",
        "        if site not in mine or before.acts != before.holds_black:",
    ),
    Mutant("gomoku", ("end.full",), "a full board is no end", 'endings.append(("draw", "end.full"))', "pass"),
    Mutant(
        "gomoku",
        ("end.full", "end.five"),
        "the draw is tested before the five",
        'len(endings) if self.reading["last-stone"] == "draw-first" else 0',
        "len(endings)",
    ),
    Mutant(
        "gomoku",
        ("pro.first",),
        "the first stone anywhere",
        "            return self.grid.centre & self._empty(state)",
        "            return self._empty(state)",
    ),
    Mutant(
        "gomoku",
        ("pro.second",),
        "the second stone straight beside the centre",
        "self.grid.neighbours(c, ORTHOGONAL + DIAGONAL)",
        "self.grid.neighbours(c, ORTHOGONAL)",
    ),
    Mutant(
        "gomoku",
        ("pro.third",),
        "the third stone one ring too near",
        "return max(dx, dy) >= least",
        "return max(dx, dy) >= least - 1",
    ),
    Mutant("gomoku", ("pro.third",), "long PRO as PRO", 'least = 4 if self.variant == "long-pro" or', "least = 4 if"),
    Mutant(
        "gomoku",
        ("pro.next",),
        "after the opening the first player is to move",
        'return state._replace(acts=SECOND, phase="main")',
        'return state._replace(acts=FIRST, phase="main")',
    ),
    Mutant(
        "gomoku",
        ("swap.first",),
        "the first stone is white",
        '"opening 1": Ply("swap.first", FIRST, "black")',
        '"opening 1": Ply("swap.first", FIRST, "white")',
    ),
    Mutant(
        "gomoku",
        ("swap.second",),
        "the second player lays the white stone",
        'Ply("swap.second", FIRST, "white")',
        'Ply("swap.second", SECOND, "white")',
    ),
    Mutant(
        "gomoku",
        ("swap.third",),
        "the third stone is white",
        'Ply("swap.third", FIRST, "black")',
        'Ply("swap.third", FIRST, "white")',
    ),
    Mutant(
        "gomoku",
        ("swap.take",),
        "the first player chooses",
        'Ply("swap.take", SECOND, options=COLOURS)',
        'Ply("swap.take", FIRST, options=COLOURS)',
    ),
    Mutant(
        "gomoku",
        ("swap.next", "swap2.next", "swap2.next-after-five"),
        "black begins after the choice",
        'begins = {"white": 1 - holds_black',
        'begins = {"white": holds_black',
    ),
    Mutant("gomoku", ("swap2.choice",), "two more is not offered", 'options=(*COLOURS, "two more")', "options=COLOURS"),
    Mutant(
        "gomoku",
        ("swap2.first",),
        "the first stone is white",
        'Ply("swap2.first", FIRST, "black")',
        'Ply("swap2.first", FIRST, "white")',
    ),
    Mutant(
        "gomoku",
        ("swap2.second",),
        "the second stone is black",
        'Ply("swap2.second", FIRST, "white")',
        'Ply("swap2.second", FIRST, "black")',
    ),
    Mutant(
        "gomoku",
        ("swap2.third",),
        "the second player lays the third stone",
        'Ply("swap2.third", FIRST, "black")',
        'Ply("swap2.third", SECOND, "black")',
    ),
    Mutant(
        "gomoku",
        ("swap2.fourth",),
        "the fourth stone is black",
        'Ply("swap2.fourth", SECOND, "white")',
        'Ply("swap2.fourth", SECOND, "black")',
    ),
    Mutant(
        "gomoku",
        ("swap2.fifth",),
        "the first player lays the fifth",
        'Ply("swap2.fifth", SECOND, "black")',
        'Ply("swap2.fifth", FIRST, "black")',
    ),
    Mutant(
        "gomoku",
        ("swap2.take",),
        "the second player chooses again",
        'Ply("swap2.take", FIRST, options=COLOURS)',
        'Ply("swap2.take", SECOND, options=COLOURS)',
    ),
    # Oxono
    Mutant(
        "oxono",
        ("turn.totem",),
        "a totem may be chosen without its pawn in hand",
        "found = [s for s in (0, 1) if len(state.pawns[state.acts][s]) < 8]",
        "found = [0, 1]",
    ),
    Mutant(
        "oxono",
        ("turn.totem",),
        "seven pawns of a symbol",
        "found = [s for s in (0, 1) if len(state.pawns[state.acts][s]) < 8]",
        "found = [s for s in (0, 1) if len(state.pawns[state.acts][s]) < 7]",
    ),
    Mutant(
        "oxono",
        ("move.slide",),
        "a totem slides one square only",
        "            for site in self.grid.rays[it, direction]:\n                if site in occupied",
        "            for site in self.grid.rays[it, direction][:1]:\n                if site in occupied",
    ),
    Mutant(
        "oxono",
        ("move.jump",),
        "only own pawns are jumped over",
        "            while run < len(ray) and ray[run] in over:",
        "            over = state.pawns[state.acts][0] | state.pawns[state.acts][1]\n"
        "            while run < len(ray) and ray[run] in over:",
    ),
    Mutant(
        "oxono",
        ("move.jump",),
        "one piece only is jumped over",
        "            while run < len(ray) and ray[run] in over:",
        "            while run < min(1, len(ray)) and ray[run] in over:",
    ),
    Mutant(
        "oxono",
        ("move.jump",),
        "a totem may jump though it can slide",
        'if (not found or self.reading["jump-when-free"] == "yes")',
        "if True",
    ),
    Mutant(
        "oxono",
        ("move.jump",),
        "the rim does not help to enclose",
        'if self.reading["rim"] != "helps" and len(around) < 4',
        "if len(around) < 4",
    ),
    Mutant(
        "oxono",
        ("move.anywhere",),
        "an enclosed totem that cannot jump stays",
        "            return not jumps\n",
        "            return False\n",
    ),
    Mutant(
        "oxono",
        ("move.anywhere",),
        "an enclosed totem goes anywhere at once",
        "            return not jumps\n",
        "            return True\n",
    ),
    Mutant(
        "oxono",
        ("place.beside",),
        "the pawn may touch the totem at a corner",
        "        beside = self.grid.beside[target] & empty",
        "        beside = self.grid.neighbours(target, ((1, 0), (0, 1), (-1, 0), "
        "(0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))) & empty",
    ),
    Mutant(
        "oxono",
        ("place.beside",),
        "not on the square that the totem left",
        'if self.reading["vacated-square"] == "may-not"',
        "if True",
    ),
    Mutant(
        "oxono",
        ("turn.place",),
        "the pawn is placed before the totem is moved",
        "        beside = self.grid.beside[target] & empty",
        "        beside = self.grid.beside[before] & empty",
    ),
    Mutant(
        "oxono",
        ("place.anywhere",),
        "an enclosed totem gives no free square",
        "return sorted(empty if free else beside) or [None]",
        "return sorted(beside) or [None]",
    ),
    Mutant(
        "oxono",
        ("end.colour",),
        "a line of a colour is no end",
        "if self._four(after, self._of_colour(after, me, s)):",
        "if False:",
    ),
    Mutant(
        "oxono",
        ("end.colour",),
        "the other player's line counts",
        "        x, o = after.pawns[me]\n        return x | o if",
        "        x, o = after.pawns[1 - me]\n        return x | o if",
    ),
    Mutant(
        "oxono",
        ("end.symbol",),
        "only own pawns make a line of a symbol",
        'if self.reading["symbol-line-colours"] == "own-colour"',
        "if True",
    ),
    Mutant(
        "oxono",
        ("end.symbol",),
        "a line of a symbol is no end",
        "if self._four(after, self._of_symbol(after, me, s)):",
        "if False:",
    ),
    Mutant(
        "oxono",
        ("end.colour", "end.symbol"),
        "columns are forgotten",
        '(AXES if self.reading["diagonals"] == "count" else AXES[:2])',
        "AXES[:1]",
    ),
    Mutant(
        "oxono",
        ("end.colour", "end.symbol"),
        "diagonals count",
        '(AXES if self.reading["diagonals"] == "count" else AXES[:2])',
        "AXES",
    ),
    Mutant(
        "oxono",
        ("end.hands",),
        "the hands are never empty",
        "endings.insert(len(endings) if",
        "() if True else endings.insert(len(endings) if",
    ),
    Mutant(
        "oxono",
        ("end.hands",),
        "the draw is tested before the line",
        'endings.insert(len(endings) if self.reading["last-pawn"] == "line-first" else 0,',
        "endings.insert(0,",
    ),
    # Shandong Wugun
    Mutant("wugun", ("place.stone",), "White begins", 'acts = PLAYERS.index(self.reading["first-to-place"])', "acts = WHITE"),
    Mutant(
        "wugun",
        ("place.stone",),
        "a corner may not be used",
        "empty = GRID.sites - state.stones[0]",
        "empty = GRID.sites - CORNERS - state.stones[0]",
    ),
    Mutant(
        "wugun",
        ("shape.straight-five",),
        "a straight five is worth two",
        '"base": {"straight five": 3',
        '"base": {"straight five": 2',
    ),
    Mutant(
        "wugun",
        ("shape.straight-five",),
        "a five at the rim is none",
        'if reading["rim-five"] == "straight-five" or not',
        "if not",
    ),
    Mutant(
        "wugun", ("shape.corner-span",), "one long diagonal is forgotten", 'in ({"a1", "e5"}, {"a5", "e1"})', 'in ({"a1", "e5"},)'
    ),
    Mutant("wugun", ("shape.edge-three",), "any diagonal three counts", "if touches or reading", "if True or reading"),
    Mutant(
        "wugun",
        ("shape.four",),
        "a four is worth one",
        '"four": 2, "square": 1},\n    "chinese',
        '"four": 1, "square": 1},\n    "chinese',
    ),
    Mutant(
        "wugun",
        ("shape.four",),
        "a four with a corner counts",
        'if reading["four-with-a-corner"] == "counts" or not',
        "if True or not",
    ),
    Mutant(
        "wugun",
        ("shape.square",),
        "squares at the rim are forgotten",
        "    for x, y in GRID.name:",
        "    for x, y in ((x, y) for x, y in GRID.name if 0 < x < 3 and 0 < y < 3):",
    ),
    Mutant(
        "wugun",
        ("capture.take",),
        "only the best shape pays",
        'return sum(worths) if self.reading["stacking"] == "all" else',
        "return",
    ),
    Mutant(
        "wugun",
        ("capture.take",),
        "a capture that needs two and finds one is not made",
        "        most = min(due, len(exposed) + len(rest))",
        "        most = due if due <= len(exposed) else 0",
    ),
    Mutant("wugun", ("capture.take",), "capturing is optional", 'counts = {"must": {most}', 'counts = {"must": {0, most}'),
    Mutant(
        "wugun", ("capture.take",), "every standing shape pays again", 'if self.reading["reform"] != "any-standing"', "if False"
    ),
    Mutant(
        "wugun",
        ("capture.exposed",),
        "stones in shapes can be taken",
        "return sorted(state.stones[player] - self._safe(state, player))",
        "return sorted(state.stones[player])",
    ),
    Mutant("wugun", ("place.end",), "the steps begin when Black's hand is empty", "any(state.hands)", "all(state.hands)"),
    Mutant(
        "wugun",
        ("force.when",),
        "Black removes nothing and nobody else does",
        "            return not state.captured\n",
        "            return False\n",
    ),
    Mutant(
        "wugun",
        ("force.when",),
        "a removal is forced though somebody captured",
        "            return not state.captured\n",
        "            return True\n",
    ),
    Mutant(
        "wugun",
        ("force.black-first",),
        "White steps first after a forced removal",
        '"black-after-a-forced-removal": state.phase == "forcing"',
        '"black-after-a-forced-removal": False',
    ),
    Mutant(
        "wugun",
        ("move.white-first",),
        "Black steps first always",
        '"black-after-a-forced-removal": state.phase == "forcing"',
        '"black-after-a-forced-removal": True',
    ),
    Mutant(
        "wugun",
        ("filled.white", "filled.black", "filled.black-next"),
        "Black takes first",
        '[("white takes", WHITE), ("black takes", BLACK)]',
        '[("black takes", BLACK), ("white takes", WHITE)]',
    ),
    Mutant(
        "wugun",
        ("filled.white-takes", "filled.black-takes"),
        "one stone is taken however many shapes there are",
        "combinations(exposed, due - missing)",
        "combinations(exposed, min(1, due - missing))",
    ),
    Mutant(
        "wugun",
        ("filled.none",),
        "nobody removes anything",
        'return state._replace(acts=WHITE, phase="removals 1")',
        'return state._replace(acts=WHITE, phase="moving")',
    ),
    Mutant(
        "wugun",
        ("filled.white-removes", "filled.black-removes"),
        "Black removes first",
        'return state._replace(acts=WHITE, phase="removals 1")',
        'return state._replace(acts=BLACK, phase="removals 1")',
    ),
    Mutant(
        "wugun",
        ("force.remove",),
        "White removes a stone of its own",
        'yield from (f"-{site}" for site in self._exposed(state, you))',
        'yield from (f"-{site}" for site in self._exposed(state, me if state.phase == "forcing" else you))',
    ),
    Mutant(
        "wugun",
        ("move.step",),
        "a stone steps diagonally too",
        "directions = ORTHOGONAL + (DIAGONAL if",
        "directions = ORTHOGONAL + (DIAGONAL if True or",
    ),
    Mutant("wugun", ("move.step",), "protected stones may not step", 'if self.reading["protected-moves"] == "may-not"', "if True"),
    Mutant(
        "wugun",
        ("move.step",),
        "not to the rim",
        "for to in self.near[it] - occupied:",
        "for to in (s for s in self.near[it] - occupied if len(GRID.beside[s]) == 4):",
    ),
    Mutant(
        "wugun", ("room.remove",), "no room is made", 'if after.phase == "moving" and self._must_make_room(taken):', "if False:"
    ),
    Mutant(
        "wugun",
        ("room.remove",),
        "any own stone may make room",
        "removals = [site for site in self._exposed(taken, me) if self._frees(taken, site)]",
        "removals = sorted(taken.stones[me])",
    ),
    Mutant(
        "wugun",
        ("end.three",),
        "three stones have lost",
        "self.needed = 1 if self.north_east else 3",
        "self.needed = 1 if self.north_east else 4",
    ),
    Mutant(
        "wugun", ("end.three",), "stones are counted on the board only", 'self.reading["hand-counts"] == "board-and-hand"', "False"
    ),
)


def source(game: str) -> str:
    """The text of an oracle."""
    return (ORACLES / f"{FILES.get(game, game)}.py").read_text(encoding="utf-8")


@functools.cache
def module_of(game: str, *exchanged: str) -> Any:
    """An oracle, or one of which texts are exchanged, given as old, new, old, new; every place where they stand."""
    if not exchanged:
        return importlib.import_module(f"oracles.{FILES.get(game, game).replace('/', '.')}")
    text = source(game)
    for old, new in zip(exchanged[::2], exchanged[1::2], strict=True):
        assert old in text, f"{game}: the oracle has no {old!r}"
        text = text.replace(old, new)
    made = types.ModuleType(f"mutant_{game}")
    exec(compile(text, f"<mutant of {game}>", "exec"), made.__dict__)
    return made


def asking(game: str, module: Any) -> Callable[[dict[str, Any]], Reply]:
    """A program that answers by an oracle."""
    engines: dict[str, Any] = {}
    known: dict[tuple[str, tuple[str, ...]], Any] = {}

    def engine(variant: str) -> Any:
        if variant not in engines:
            options: dict[str, Any] = {"variant": variant} if variant else {}
            if game == "wugun":
                options["return_step"] = "allowed"
            engines[variant] = getattr(module, CLASSES[game])(**options)
        return engines[variant]

    def state_of(variant: str, moves: tuple[str, ...]) -> Any:
        if (variant, moves) not in known:
            here = engine(variant)
            known[variant, moves] = played(here, state_of(variant, moves[:-1]), moves[-1]) if moves else here.start()
        return known[variant, moves]

    def ask(request: dict[str, Any]) -> Reply:
        try:
            return Reply({"id": request["id"], **answer(request)})
        except ValueError as error:
            return Reply({"id": request["id"], "error": str(error)})
        except Exception as error:
            return Reply(trouble="crash", told=repr(error))

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if request["size"]:
            return {"unsupported": True}
        variant, moves = request["variant"] or "", tuple(request["moves"])
        here, state = engine(variant), state_of(variant, moves)
        match request["ask"]:
            case "legal moves":
                return {"moves": here.legal(state)}
            case "is legal":
                return {"legal": request["move"] in here.legal(state)}
            case "after":
                return told(here, state_of(variant, (*moves, request["move"])))
            case "outcome":
                return {"outcome": told(here, state)["outcome"]}
            case "who acts":
                return {"acts": here.view(state)["acts"]}
            case "legal picks":
                return {"picks": picks(here.legal(state), request["move"] or "")}
            case "event":
                return happened(here, state, request["move"]) if hasattr(here, "happens") else {"unsupported": True}
        return {"unsupported": True}

    return ask


def played(oracle: Any, state: Any, move: str) -> Any:
    """The state after a move, or after an event that is told among the moves of a game."""
    name, _, made = move.partition(" after ")
    return oracle.happens(state, name, made) if name.startswith("time runs out") else oracle.play(state, move)


def picks(legal: list[str], made: str) -> list[str]:
    """The sites that the pick after some picks may name, as the list of complete moves shows it."""
    found: set[str] = set()
    for move in legal:
        if move.startswith(made):
            following = re.match(r"[ xXO-]*((?:[a-z][0-9]+)+)", move.removeprefix(made))
            if following is not None and (not made or move.removeprefix(made)[:1] in " x-"):
                found.update(re.findall(r"[a-z][0-9]+", following[1]))
    return sorted(found)


def happened(oracle: Any, state: Any, event: str) -> dict[str, Any]:
    """What an event brings, as an oracle has it; a turn that is cut short after a capture is finished as any other is."""
    name, _, made = event.partition(" after ")
    step, _, taken = made.partition("x")
    try:
        if not taken:
            return told(oracle, oracle.happens(state, name, made))
        mover = state.acts
        after = oracle._without(oracle._made(state, step)[0], 1 - mover, re.findall(r"[a-z][0-9]+", taken))
        return told(oracle, oracle._finished(oracle._noted(after, mover, []), mover))
    except ValueError:
        return {"legal": False}


def told(oracle: Any, state: Any) -> dict[str, Any]:
    """A position as an oracle sees it, in the form of an answer."""
    view, ended = oracle.view(state), oracle.outcome(state)
    if ended is None:
        return {
            "board": view["board"],
            "acts": view["acts"],
            "phase": view["phase"],
            "hands": view["hands"] or None,
            "outcome": "none",
        }
    kind = ended[0] if ended[0] in ("draw", "no rule") else "win"
    winner = ended[0] if kind == "win" else None
    return {"board": view["board"], "outcome": {"result": kind, "winner": winner, "by": ended[1]}}
