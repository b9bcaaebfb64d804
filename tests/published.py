"""The record of published ids: `retired.yaml` of each shipped game lists every id that its pages have ever had.

`python tests/published.py` adds the ids of today. Nothing is ever taken away: an id that is gone stays in the list, and
`publish` asks where it leads until `retired` says so.
"""

from __future__ import annotations

from pathlib import Path

from lawstone import data, load
from lawstone.publish.editors import retired
from lawstone.spec import Spec

HEAD = "# Every id that has been published. One that is gone stays, and `retired` names the id to go to instead.\n"


def ids_of(spec: Spec) -> list[str]:
    """The ids that the pages of a game have as anchors today."""
    found = dict.fromkeys(spec.headings())
    for text in spec.texts.values():
        found |= dict.fromkeys(text.entries)
    return list(found)


def record(folder: Path) -> str:
    """What `retired.yaml` of a game's folder says once the ids of today are added."""
    spec = load(str(folder))
    known = retired(spec)
    listed = sorted({*known.published, *ids_of(spec)})
    gone = "".join(f"  {old}: {new}\n" for old, new in sorted(known.retired.items()))
    return HEAD + "published:\n" + "".join(f"  - {i}\n" for i in listed) + (f"retired:\n{gone}" if gone else "")


def main() -> None:
    """Write the record of every shipped game."""
    for file in sorted(data.spec_root().glob("*/game.yaml")):
        (file.parent / "retired.yaml").write_text(record(file.parent), encoding="utf-8")


if __name__ == "__main__":
    main()
