"""A program that plays by an oracle with one line changed, asked by the protocol: `broken.py GAME OLD NEW [OLD NEW ...]`."""

from __future__ import annotations

import json
import sys

import mutants


def main(game: str, *exchanged: str) -> None:
    """Answer the questions on standard input, a line each."""
    ask = mutants.asking(game, mutants.module_of(game, *exchanged))
    for line in sys.stdin:
        reply = ask(json.loads(line))
        print(json.dumps(reply.answer if not reply.trouble else {"error": reply.told}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
