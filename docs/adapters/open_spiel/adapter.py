"""Lets `lawstone conform tic-tac-toe --suite SUITE -- python3 adapter.py` ask OpenSpiel (`pip install open_spiel`).

It knows tic-tac-toe, connect-four and breakthrough under the same rules; only its words for moves are others. A suite of these
games is made with `lawstone cases GAME --core`.
"""

import json
import sys

import pyspiel

SEATS = {"tic-tac-toe": ("x", "o"), "connect-four": ("first", "second"), "breakthrough": ("white", "black")}


def words(game, state, action):
    """A move of OpenSpiel in the notation of Lawstone."""
    told = state.action_to_string(state.current_player(), action)
    if game == "tic-tac-toe":  # x(0,2) is row 0 from the top, column 2
        return "abc"[int(told[4])] + str(3 - int(told[2]))
    if game == "connect-four":  # x3 is column 3; the piece falls on those that lie there
        column = int(told[1])
        return "abcdefg"[column] + str(1 + sum(row[column] != "." for row in str(state).split()))
    origin, target = (told[i] + str(9 - int(told[i + 1])) for i in (0, 2))  # the first player begins at the top
    return f"{origin}-{target}" + (f"x{target}" if told.endswith("*") else "")


def board(game, state):
    """The pieces of a position, by site."""
    rows = [row for row in str(state).split("\n") if row.strip()]
    if game == "breakthrough":  # each row begins with its rank, and the first player's pieces are called b
        rows = [row[1:].replace("b", "x").replace("w", "o") for row in rows[:8]][::-1]
    ranked = list(enumerate(reversed(rows), 1))
    return {"abcdefgh"[x] + str(rank): token for rank, row in ranked for x, token in enumerate(row) if token != "."}


def result(state, seats):
    """How a position stands."""
    if not state.is_terminal():
        return "none"
    returns = state.returns()
    return {"result": "win", "winner": seats[returns.index(max(returns))]} if any(returns) else {"result": "draw"}


def answer(request):
    """The answer to a request."""
    game, ask = request["game"], request["ask"]
    if game not in SEATS or request["variant"] or request["size"]:
        return {"unsupported": True}
    seats = SEATS[game]
    state = pyspiel.load_game(game.replace("-", "_")).new_initial_state()
    for move in request["moves"]:
        named = {words(game, state, a): a for a in state.legal_actions()}
        if move not in named:
            return {"error": f"{move} is not legal"}
        state.apply_action(named[move])
    over = state.is_terminal()
    legal = [] if over else [words(game, state, a) for a in state.legal_actions()]
    if ask == "legal moves":
        return {"moves": legal}
    if ask == "is legal":
        return {"legal": request["move"] in legal}
    if ask == "who acts":
        return {"acts": None if over else seats[state.current_player()]}
    if ask == "outcome":
        return {"outcome": result(state, seats)}
    if ask == "after":
        named = {words(game, state, a): a for a in state.legal_actions()}
        if request["move"] not in named:
            return {"error": f"{request['move']} is not legal"}
        state.apply_action(named[request["move"]])
        return {"board": board(game, state), "outcome": result(state, seats)}
    return {"unsupported": True}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
