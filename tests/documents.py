"""Documents that are run: files are written from their code blocks, and their commands print what the documents show.

A block after `<!-- file: PATH -->` is the content of that file, one after `<!-- append: PATH -->` is added to it, and one after
`<!-- edit: PATH before: TEXT -->` (or `after:`, or `instead of:`) is put beside the one line of PATH that contains TEXT, or in its
place. In a `console` block a line that begins with `$ ` is run in the shell, and what follows is what it prints; `...` there stands
for anything. `$ echo $?` is answered with the exit code of the command before. A block after `<!-- not run -->` is left alone.

`python tests/documents.py` writes all that the documents take from the code: pictures, the language reference, the numbers of
the games, the commands that there are, and what they print.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lawstone import load
from lawstone.cli.main import COMMANDS
from lawstone.model.game import Differs, Settled

ROOT = Path(__file__).resolve().parents[1]
RUN = ("README.md", "docs/guides/a-game.md", "docs/guides/a-construct.md")
"""Documents whose commands are run. One that edits `rules/` is given a copy of it."""

_BLOCK = re.compile(r"^(?:<!-- (?P<note>[^\n]+) -->\n)?```(?P<language>[\w-]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_EDIT = re.compile(r"(?P<path>\S+) (?P<where>before|after|instead of): (?P<anchor>.+)")


@dataclass(frozen=True)
class Block:
    """A code block: what the comment before it says, its language, its text, and where the text stands in the document."""

    note: str
    language: str
    body: str
    start: int


@dataclass(frozen=True)
class Shown:
    """A command of a document, what the document says that it prints, and what it printed."""

    command: str
    wanted: str
    printed: str

    @property
    def holds(self) -> bool:
        """Whether the document is right."""
        pattern = ".*?".join(re.escape(part) for part in self.wanted.split("..."))
        return re.fullmatch(pattern, self.printed, re.DOTALL) is not None


def blocks(text: str) -> Iterator[Block]:
    """The code blocks of a document, in order."""
    for found in _BLOCK.finditer(text):
        yield Block(found["note"] or "", found["language"], found["body"], found.start("body"))


def write_file(block: Block, folder: Path) -> None:
    """Write, lengthen or edit the file that a block speaks of; nothing where it speaks of none."""
    kind, _, rest = block.note.partition(": ")
    if kind in ("file", "append"):
        path = folder / rest
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text(encoding="utf-8") if kind == "append" else "") + block.body, encoding="utf-8")
    elif kind == "edit":
        said = _EDIT.fullmatch(rest)
        assert said is not None, f"this comment cannot be understood: {block.note}"
        path = folder / said["path"]
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        places = [n for n, line in enumerate(lines) if said["anchor"] in line]
        assert len(places) == 1, f"{said['anchor']!r} stands {len(places)} times in {said['path']}"
        at = places[0]
        lines[at + (said["where"] == "after") : at + (said["where"] != "before")] = [block.body]
        path.write_text("".join(lines), encoding="utf-8")


def prompts(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the text that is shown below it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        yield command, wanted


class Shell:
    """A folder in which the commands of a document are run, with `lawstone` as it stands here."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.code = folder, 0
        tools = folder / ".tools"
        tools.mkdir()
        wrapper = tools / "lawstone"
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m lawstone "$@"\n', encoding="utf-8")
        wrapper.chmod(0o755)
        self.environment = {
            **os.environ, "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}", "NO_COLOR": "1", "COLUMNS": "88",
            "PYTHONPATH": str((folder if (folder / "rules").exists() else ROOT) / "rules"), "PYTHONIOENCODING": "utf-8",
        }  # fmt: skip

    def run(self, command: str) -> str:
        """What a command prints, errors included and lines of progress left out; its exit code is kept."""
        if command == "echo $?":
            return f"{self.code}\n"
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8", timeout=120,
        )  # fmt: skip
        self.code = done.returncode
        without_progress = re.sub(r"^.+: \d+ of \d+ done; .*\n", "", done.stdout, flags=re.MULTILINE)
        return re.sub(r"[ \t]+$", "", without_progress, flags=re.MULTILINE)


def run(text: str, folder: Path) -> Iterator[tuple[Block, list[Shown]]]:
    """Follow a document in a folder: each console block with what its commands printed."""
    if "<!-- edit: rules/" in text:
        shutil.copytree(ROOT / "rules", folder / "rules", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "spec").symlink_to(ROOT / "spec")
    shell = Shell(folder)
    for block in blocks(text):
        write_file(block, folder)
        if block.language == "console" and block.note != "not run":
            yield block, [Shown(c, wanted, shell.run(c)) for c, wanted in prompts(block.body)]


def elided(wanted: str, printed: str) -> str:
    """What is printed, leaving out what the document leaves out, as far as the two are alike."""
    old, new, found = wanted.splitlines(keepends=True), printed.splitlines(keepends=True), list[str]()
    for _, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = old[a:b], new[c:d]
        if "...\n" in before:
            at = before.index("...\n")
            rest = len(before) - at - 1
            if at + rest <= len(after):
                after = [*after[:at], "...\n", *after[len(after) - rest :]]
        found += [o if Shown("", o, n).holds else n for o, n in zip(before, after, strict=False)] + after[len(before) :]
    return "".join(found)


def refreshed(text: str, folder: Path) -> str:
    """The document with what its commands print now; what still holds stays as it is."""
    new, done = "", 0
    for block, shown in run(text, folder):
        body = "".join(f"$ {s.command}\n{s.wanted if s.holds else elided(s.wanted, s.printed)}" for s in shown)
        new += text[done : block.start] + body
        done = block.start + len(block.body)
    return new + text[done:]


def counts_of(name: str) -> list[int]:
    """Of a game: its questions, those open, settled and differing, the answers, the worked examples, the variants."""
    spec = load(name)
    questions = spec.game.questions or []
    settled = sum(isinstance(q.status, Settled) or q.ruling is not None for q in questions)
    differing = sum(isinstance(q.status, Differs) and q.ruling is None for q in questions)
    answers = sum(len(q.answers) for q in questions)
    open_ = len(questions) - settled - differing
    return [len(questions), open_, settled, differing, answers, len(spec.examples), len(spec.game.variants or {})]


def counted(text: str) -> str:
    """A document whose table of games has the numbers of the games."""
    return re.sub(
        r"^(\| \[[^|\]]*\]\(spec/([\w-]+)/[^|]*\|)[\d |]*\|$",
        lambda row: f"{row[1]} {' | '.join(map(str, counts_of(row[2])))} |",
        text,
        flags=re.MULTILINE,
    )


CLASSES = {
    "killed": "ruled out by a sentence", "closed by us": "ruled out by us only", "same: proved": "the same: proved",
    "same: bounded": "the same: bounded", "undecided": "undecided", "not ruled out": "not ruled out",
}  # fmt: skip
"""The classes of misreadings, with the words of the table."""


def misreadings_of(name: str) -> dict[str, int]:
    """How many misreadings of a game are on record in each class, counted one by one."""
    listed = json.loads((ROOT / "proofs" / name / "misreadings.json").read_text(encoding="utf-8"))["misreadings"]
    found = Counter(m["verdict"] for m in listed)
    assert set(found) <= set(CLASSES), f"{name}: classes without a column: {set(found) - set(CLASSES)}"
    return {c: found[c] for c in CLASSES}


def misread(text: str) -> str:
    """A document whose table of misreadings has the numbers on record, with a sum."""
    head = f"| game | misreadings | {' | '.join(CLASSES.values())} |\n|{'---|' * (len(CLASSES) + 2)}\n"
    table = re.compile(re.escape(head.splitlines()[0]) + r"\n(?:\|.*\n)+")
    names = re.findall(r"^\| \[([^|\]]*)\]\(spec/([\w-]+)/", text, re.MULTILINE)
    counts = [(f"[{title}](proofs/{name}/misreadings.json)", misreadings_of(name)) for title, name in dict.fromkeys(names)]
    counts.append(("all", {c: sum(found[c] for _, found in counts) for c in CLASSES}))
    rows = (f"| {title} | {sum(found.values())} | {' | '.join(map(str, found.values()))} |\n" for title, found in counts)
    return table.sub(lambda _: head + "".join(rows), text)


def with_commands(text: str) -> str:
    """A document whose table of commands has a row for each command, in their order; rows that are there stay as they are."""
    rows = {row[2]: row[0] for row in re.finditer(r"^(\| `lawstone ([a-z]+)[^`]*` \|.*\n)", text, re.MULTILINE)}
    if not rows:
        return text
    told = {name: what for group in COMMANDS.values() for name, (_, what) in group.items()}
    first = text.index(next(iter(rows.values())))
    table = "".join(
        rows.get(name) or f"| `lawstone {name}` | {what[0].lower()}{what[1:].rstrip('.')} |\n" for name, what in told.items()
    )
    for row in rows.values():
        text = text.replace(row, "", 1)
    return text[:first] + table + text[first:]


def main() -> None:
    """Write all that the documents take from the code."""
    from lawstone.reference import language_reference
    from pictures import PICTURES

    (ROOT / "docs" / "language.md").write_text(language_reference(), encoding="utf-8")
    for name, draw in PICTURES.items():
        (ROOT / "docs" / "pictures" / name).write_text(draw() + "\n", encoding="utf-8")
    for name in RUN:
        path = ROOT / name
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(
                refreshed(with_commands(misread(counted(path.read_text(encoding="utf-8")))), Path(folder)), encoding="utf-8"
            )


if __name__ == "__main__":
    main()
