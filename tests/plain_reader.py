"""Judges an engine by a suite in thirty lines, with nothing of the toolkit: what docs/suites.md promises to any language."""

import json
import sys


def right(vector, oracle):
    state = oracle.start()
    for move in vector["moves"]:
        name, _, made = move.partition(" after ")
        state = oracle.happens(state, name, made) if name == "time runs out" else oracle.play(state, move)
    ask, expect, ended = vector["ask"], vector["expect"], oracle.outcome(state)
    if ask == "legal moves":
        return oracle.legal(state) == expect["moves"]
    if ask == "is legal":
        return (vector["move"] in oracle.legal(state)) == expect["legal"]
    if ask == "who acts":
        return ended is not None if "acts" not in expect else oracle.view(state)["acts"] == expect["acts"]
    if ask in ("legal picks", "event"):
        return None
    if ask == "after":
        state = oracle.play(state, vector["move"])
        ended = oracle.outcome(state)
        if oracle.view(state)["board"] != expect["board"]:
            return False
    over = expect["outcome"]
    if over == "none" or ended is None:
        return over == "none" and ended is None
    return ended == (over.get("winner", over["result"]), over["by"])


if __name__ == "__main__":
    from oracles.xxung import Xxung

    with open(sys.argv[1], encoding="utf-8") as file:
        suite = json.load(file)
    print(json.dumps({vector["id"]: right(vector, Xxung()) for vector in suite["vectors"]}))
