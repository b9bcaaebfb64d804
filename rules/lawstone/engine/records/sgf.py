"""SGF of Gomoku and Renju: GM[4], by FF[4]; older files are read as well.

The grammar, the escapes and the writing are those of `sgfmill.sgf_grammar`. SGF does not define how GM[4] writes a
point; in use is the form of Go: two letters, column from the left and row from the top. `h8` is read too. A pick of
colour, which SGF has no word for, is written by us as a node with the comment `pick: white`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sgfmill import sgf_grammar

from lawstone.engine.game import History
from lawstone.engine.records.record import Faults, Record, as_record, clean, limited
from lawstone.engine.records.sgf_line import Line, size_of
from lawstone.engine.records.sgf_tree import Node, main_line
from lawstone.engine.records.stones import GAME, colour_that_won, hint, seat_of_black, stones, with_picks
from lawstone.model.faults import Source

NAME = "sgf"
_GAMES = {"1": "Go", "2": "Othello", "3": "chess", "5": "Nine Men's Morris", "6": "backgammon", "7": "Chinese chess",
          "8": "shogi", "9": "Lines of Action", "11": "Hex"}  # fmt: skip
_RULES = {"pro": "Pro", "long-pro": "Long Pro", "swap": "Swap", "swap2": "Swap2"}


def sniff(text: str) -> bool:
    """Whether a text begins like SGF; some programs put a line before it."""
    return bool(re.search(r"\(\s*;\s*(?:[A-Za-z]{1,20}\s*\[|[;()])", text[:2_000]))


def read(source: Source, variant: str | None = None) -> Record:
    """The first game of an SGF file, its main line; raises BadInput with the faults, each at its place."""
    nodes, notes = main_line(source)
    faults = Faults()
    root = _texts(nodes[0])
    notes += _game(nodes[0], faults)
    board, unsaid = size_of(nodes, faults)
    line = Line(board, faults)
    for node in nodes:
        line.node(node)
    faults.check()
    rules = hint(root["RU"], variant) if root.get("RU") else hint(root.get("GN", ""), variant, whole=True)
    plies, taken = with_picks(limited(line.plies), rules.variant)
    result = root.get("RE", "")
    record = Record(
        GAME,
        tuple(plies),
        NAME,
        rules.variant,
        rules.reading,
        board,
        players=(root.get("PB", ""), root.get("PW", "")),
        result=result,
        winner=_winner(result),
        notes=tuple(note for note in (*notes, *unsaid, rules.note, *line.notes, *taken) if note),
    )
    return _seated(record)


def _texts(root: Node) -> dict[str, str]:
    """The properties of the root by name, on one line."""
    return {prop.name: clean(prop.values[0].text) for prop in reversed(root)}


def _game(root: Node, faults: Faults) -> list[str]:
    for prop in root:
        if prop.name == "GM":
            value = prop.values[0]
            kind = value.text.strip()
            if kind != "4":
                name = _GAMES.get(kind, "another game")
                faults.add(value.mark, "other-game", f"this is a record of {name} (GM[{clean(kind)[:12]}])", "Gomoku is GM[4]")
            return []
    return ["the file does not name its game (GM): Gomoku is taken"]


def _winner(result: str) -> str:
    match = re.match(r"(b|black|w|white)(\b|\+)", result.casefold())
    if match:
        return "black" if match[1].startswith("b") else "white"
    return "draw" if re.fullmatch(r"0|draw|jigo", result.strip().casefold()) else ""


def _seated(record: Record) -> Record:
    """Names by seat: in the file they stand by colour."""
    black, white = record.players
    return replace(record, players=(white, black)) if seat_of_black(record) else record


def write(what: Record | History) -> str:
    """A game of stones as SGF in UTF-8; raises CannotWrite if more than stones and picks of colour was played."""
    record = as_record(what)
    found, (width, height) = stones(record, "SGF")
    root = {"FF": "4", "GM": "4", "CA": "UTF-8", "SZ": str(width) if width == height else f"{width}:{height}"}
    black, white = record.players[::-1] if seat_of_black(record) else record.players
    winner = {"black": "B+", "white": "W+", "draw": "0"}.get(colour_that_won(record), "")
    free = "Freestyle" if not record.variant and record.reading == {"overline": "wins"} else ""
    said = {
        "PB": black,
        "PW": white,
        "RU": _RULES.get(record.variant, free),
        "RE": record.result if record.format == NAME else winner,
    }
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence.append(_values(root | {name: text for name, text in said.items() if text}))
    for stone in found:
        point = f"{chr(97 + stone.column)}{chr(97 + stone.row)}"
        node = {"C": f"pick: {stone.pick}"} if stone.pick else {"B" if stone.colour == "black" else "W": point}
        tree.sequence.append(_values(node))
    written: bytes = sgf_grammar.serialise_game_tree(tree)
    return written.decode("utf-8")


def _values(texts: dict[str, str]) -> dict[str, list[bytes]]:
    return {name: [sgf_grammar.escape_text(text.encode("utf-8", "replace"))] for name, text in texts.items()}
