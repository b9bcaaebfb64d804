"""A minimal adapter: an engine of XXung, and the loop that lets `lawstone conform xxung -- python3 adapter.py` ask it."""

import json
import sys

FILES = "abcdefghi"
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
AXES = [(1, 0), (0, 1), (1, 1), (1, -1)]


# The engine. Put your own in its place.


class Game:
    """A game of XXung after some moves."""

    def __init__(self, moves):
        self.board, self.last, self.outcome = {}, None, "none"
        for move in moves:
            self.play(move)

    def acts(self):
        return ("first", "second")[len(self.board) % 2]

    def ray(self, site, dx, dy):
        x, y = FILES.index(site[0]) + dx, int(site[1:]) + dy
        while 0 <= x < 9 and 1 <= y <= 9:
            yield FILES[x] + str(y)
            x, y = x + dx, y + dy

    def legal(self):
        if self.outcome != "none":
            return []
        if self.last is None:
            return [f + str(r) for f in FILES for r in range(1, 10)]
        found = []
        for dx, dy in STRAIGHT:
            for site in self.ray(self.last, dx, dy):
                if site in self.board:
                    break
                found.append(site)
        return found

    def run(self, site, dx, dy):
        length = 0
        for other in self.ray(site, dx, dy):
            if self.board.get(other) != self.board[site]:
                break
            length += 1
        return length

    def play(self, move):
        if move not in self.legal():
            raise ValueError(f"{move} is not legal")
        mover = self.acts()
        self.board[move], self.last = "xo"[len(self.board) % 2], move
        if any(1 + self.run(move, x, y) + self.run(move, -x, -y) >= 5 for x, y in AXES):
            self.outcome = {"result": "win", "winner": mover, "by": "end.five"}
        elif not self.legal():
            self.outcome = {"result": "win", "winner": mover, "by": "end.blocked"}


# The adapter. It stays as it is for most games.


def answer(request):
    """The answer to a request."""
    if request["game"] != "xxung" or request["variant"] or request["size"]:
        return {"unsupported": True}
    game, ask = Game(request["moves"]), request["ask"]
    if ask == "legal moves":
        return {"moves": game.legal()}
    if ask == "is legal":
        return {"legal": request["move"] in game.legal()}
    if ask == "after":
        game.play(request["move"])
        return {"board": game.board, "outcome": game.outcome}
    if ask == "outcome":
        return {"outcome": game.outcome}
    if ask == "who acts":
        return {"acts": game.acts()}
    return {"unsupported": True}


for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = answer(request)
    except ValueError as error:
        reply = {"error": str(error)}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
