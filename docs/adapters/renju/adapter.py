"""Lets `lawstone conform gomoku -- python3 adapter.py` ask the package `renju` from PyPI (0.1.0), playing its rule STANDARD.

It judges how a game stands; it has no list of legal moves and no openings, so those questions are not supported. The stones
alternate from black, as they do in the game without an opening.
"""

import json
import sys

from renju import BoardStatus, RenjuBoard, Rule

RESULTS = {
    BoardStatus.ONGOING: "none",
    BoardStatus.BLACK_WIN: {"result": "win", "winner": "first"},
    BoardStatus.WHITE_WIN: {"result": "win", "winner": "second"},
    BoardStatus.DRAW: {"result": "draw"},
}


def answer(request):
    """The answer to a request."""
    if request["game"] != "gomoku" or request["variant"] or request["size"]:
        return {"unsupported": True, "why": "only the game without an opening, on the usual board"}
    board, ask = RenjuBoard(board_size=15, rule=Rule.STANDARD), request["ask"]
    for move in request["moves"]:
        board.play_str(move)
    if ask == "is legal":
        try:
            board.play_str(request["move"])
        except ValueError:
            return {"legal": False}
        return {"legal": True}
    if ask == "after":
        board.play_str(request["move"])
        stones = {"abcdefghijklmno"[x] + str(y + 1): "xo"[n % 2] for n, (x, y) in enumerate(board.moves)}
        return {"board": stones, "outcome": RESULTS[board.status]}
    if ask == "outcome":
        return {"outcome": RESULTS[board.status]}
    if ask == "who acts":
        return {"acts": ("first", "second")[len(board.moves) % 2]}
    return {"unsupported": True}


for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = answer(request)
    except ValueError as error:
        reply = {"error": str(error)}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
