"""Programs that misbehave, for the runner of the protocol: each a line of Python that is run as a program."""

from __future__ import annotations

import sys

LOOP = "import sys,json,time\nfor n, line in enumerate(sys.stdin):\n    r = json.loads(line)\n    "
SILENT = [sys.executable, "-c", "import time; time.sleep(60)"]
DIES_AT_ONCE = [sys.executable, "-c", "import sys; sys.exit('no licence')"]
DIES_AFTER_TWO = [
    sys.executable, "-c", LOOP + "if n == 2: raise SystemExit(9)\n    "
    "print(json.dumps({'id': r['id'], 'unsupported': True}), flush=True)",
]  # fmt: skip
GARBAGE = [sys.executable, "-c", LOOP + "print('thinking about', r['ask'], flush=True)"]
ENDLESS_LINES = [sys.executable, "-c", "while True: print('info depth 1')"]
ENDLESS_LINE = [sys.executable, "-c", "import sys\nwhile True: sys.stdout.write('x' * 10000)"]
CHATTY = [
    sys.executable, "-c", LOOP + "print('info: asked'); print(); print(json.dumps({'id': 'another', 'moves': []}))\n"
    "    print(json.dumps({'id': r['id'], 'unsupported': True, 'why': 'no time'}), flush=True)",
]  # fmt: skip
SLOW_START = [
    sys.executable, "-c", "import time; time.sleep(1.2)\n" + LOOP +
    "print(json.dumps({'id': r['id'], 'unsupported': True}), flush=True)",
]  # fmt: skip
MISSING = ["/no/such/program"]
