"""Readings and variants as changes of clauses: applied to the file as read, before it is checked.

A change names a rule id (or a reserved key) and, inside that clause, a path of keys joined by dots. `null` takes away; `and if`
adds a condition to whatever stands there; a new id adds a clause; `use: id` stands for a copy of a clause as it was before.
An answer may change a clause that only another answer brings, or that another answer takes away and brings one in its place
that it changes too: where the clause is not there, there is nothing to change.
Nothing here knows what a clause means: it moves parts of the tree about, and keeps the place in the file of every part.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from lawstone.model.faults import NOWHERE, Mark
from lawstone.model.tree import Map, Seq

RESERVED = (
    "board",
    "pieces",
    "shapes",
    "phases",
    "steps",
    "start",
    "start phase",
    "order",
    "regions",
    "turn",
    "tokens",
    "facing",
)
"""Keys of the game file that a change may name besides rule ids; `pieces.x`, `phases.x` and so on name one entry."""

_WITHOUT_ENTRIES = ("start phase", "order", "turn")
MOST_COPIED = 50_000
"""Values that the `use` clauses of one set of changes may copy."""

READINGS = ("questions", "together", "variants")
"""Keys of the game file that hold changes of clauses, and no clauses of the game as it stands."""


class CannotChange(ValueError):
    """A change that fits nothing; `path` leads from the changes to the fault."""

    def __init__(self, message: str, path: tuple[str | int, ...], known: tuple[str, ...] = (), given: str = "") -> None:
        super().__init__(message)
        self.path, self.known, self.given = path, known, given


def clauses(tree: Any) -> Iterator[dict[Any, Any]]:
    """Every mapping with a rule id below the tree, variants and questions left out."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if key == "rule" and isinstance(value, str):
            yield tree
        elif key not in READINGS:
            yield from _clauses_below(value)
    if isinstance(tree, list):
        yield from _clauses_below(tree)


def _clauses_below(value: Any) -> Iterator[dict[Any, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("rule"), str):
            yield value
        for inner in value.values():
            yield from _clauses_below(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _clauses_below(inner)


def rule_ids(tree: Any) -> list[str]:
    """The rule ids of a tree, in order of appearance, each once."""
    return list(dict.fromkeys(c["rule"] for c in clauses(tree)))


def changed(
    tree: Mapping[str, Any],
    changes: Mapping[str, Any],
    refused: list[CannotChange] | None = None,
    elsewhere: Collection[str] = (),
) -> Any:
    """A copy of the file's tree with the changes made; its variants and questions are those of the tree itself.

    Of a clause that is not there and is known `elsewhere` (only another answer brings it, or takes it away), nothing is changed.
    Changes that `use` clauses are made first, so that changes of the same clauses reach the copies. Raises CannotChange,
    or, given a list, puts there all that cannot be changed and makes the other changes.
    """
    making = _Making(tree, changes, elsewhere)
    in_order = sorted(changes.items(), key=lambda c: not _uses(c[1]))
    for target, change in in_order:
        making.change(target, making.with_uses(change, (target,)))
    if refused is not None:
        refused += making.refused
    elif making.refused:
        raise making.refused[0]
    return making.tree


def copied(value: Any) -> Any:
    """A copy of a tree, all the way down, with its places."""
    if isinstance(value, Map):
        new = Map((), value.mark)
        dict.update(new, {key: copied(inner) for key, inner in value.items()})
        new.marks = dict(value.marks)
        return new
    if isinstance(value, Seq):
        entries = Seq(map(copied, value), value.mark)
        entries.marks = list(value.marks)
        return entries
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()}
    return [copied(inner) for inner in value] if isinstance(value, list) else value


def _size(value: Any) -> int:
    """How many values a tree holds, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, inner))


def _uses(value: Any) -> bool:
    """Whether a change uses a clause somewhere."""
    if isinstance(value, dict):
        return "use" in value or any(map(_uses, value.values()))
    return isinstance(value, list) and any(map(_uses, value))


def _shallow(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list) else value


class _Making:
    """Changes in the making: the tree as changed so far, the clauses as they stood before, and what was refused."""

    def __init__(self, before: Mapping[str, Any], changes: Mapping[str, Any], elsewhere: Collection[str]) -> None:
        self.changes, self.elsewhere = changes, elsewhere
        self.before: dict[str, Any] = {}
        for clause in clauses(before):
            self.before.setdefault(clause["rule"], clause)
        self.tree: Any = _shallow(before)
        for key, value in before.items():
            if key not in READINGS:
                self.tree[key] = copied(value)
        self.refused: list[CannotChange] = []
        self.room = MOST_COPIED

    def with_uses(self, value: Any, path: tuple[str | int, ...]) -> Any:
        """The value with every `use: id` replaced by a copy of that clause, other keys beside it kept."""
        if isinstance(value, dict) and isinstance(value.get("use"), str):
            return self.used(value, path)
        if isinstance(value, dict):
            new = value.copy()
            for key, inner in value.items():
                new[key] = self.with_uses(inner, (*path, key))
            return new
        if isinstance(value, list):
            entries = value.copy()
            for i, inner in enumerate(value):
                entries[i] = self.with_uses(inner, (*path, i))
            return entries
        return value

    def used(self, value: dict[str, Any], path: tuple[str | int, ...]) -> Any:
        """The clause that `use` names, with what stands beside it put over it."""
        standing = self.before.get(value["use"])
        if standing is None:
            message = f"there is no rule {value['use']!r} to use"
            self.refused.append(CannotChange(message, (*path, "use"), tuple(self.before), value["use"]))
            return value
        self.room -= _size(standing)
        if self.room < 0:
            message = f"the clauses used here hold more than {MOST_COPIED:,} values together"
            self.refused.append(CannotChange(message, (*path, "use")))
            return value
        clause = copied(standing)
        for key in value:
            if key != "use":
                _put(clause, key, value[key], value, key)
        return clause

    def change(self, target: str, change: Any) -> None:
        """Make the changes of one target."""
        root, _, entry = target.partition(".")
        if root in RESERVED and target not in self.before and not (entry and root in _WITHOUT_ENTRIES):
            self.change_reserved(root, entry, change, target)
            return
        if not isinstance(change, dict):
            message = "a change is a mapping from a path inside the clause to its new value"
            self.refused.append(CannotChange(message, (target,)))
            return
        standing = [c for c in clauses(self.tree) if c["rule"] == target]
        if not standing and target not in self.elsewhere:
            self.add(target, change)
        for n, clause in enumerate(standing):
            self.set_all(clause, change, target, again=n > 0)

    def set_all(self, clause: Any, change: dict[str, Any], target: str, again: bool = False) -> None:
        """Set the paths of a change in one clause; where they are set `again`, values are copied and nothing is said."""
        for path, value in change.items():
            try:
                _set(clause, path, copied(value) if again else value, change, target)
            except CannotChange as error:
                if not again:
                    self.refused.append(error)

    def change_reserved(self, root: str, entry: str, change: Any, target: str) -> None:
        """Make a change of a key of the game file, or of one entry under it."""
        tree = self.tree
        if not entry:
            if change is None:
                tree.pop(root, None)
            else:
                _put(tree, root, change, self.changes, target)
            return
        if not isinstance(tree.get(root), dict):
            _put(tree, root, Map((), _mark(self.changes, target)), self.changes, target)
        if target == "phases.main" and "turn" in tree:
            main = Map((), _mark(tree, "turn"))
            _put(tree[root], "main", main, tree, "turn")
            _put(main, "turn", tree.pop("turn"), tree, "turn")
        standing = tree[root].get(entry)
        if change is None:
            if entry not in tree[root]:
                message = f"there is no {entry!r} in {root!r}"
                self.refused.append(CannotChange(message, (target,), tuple(tree[root]), entry))
            else:
                del tree[root][entry]
        elif isinstance(standing, dict) and isinstance(change, dict):
            self.set_all(standing, change, target)
        else:
            _put(tree[root], entry, change, self.changes, target)

    def add(self, target: str, change: dict[str, Any]) -> None:
        """A clause with a new id: an ending has `if`, an event has `name`."""
        where = "events" if "name" in change else "end" if "if" in change else None
        if where is None:
            known = (*rule_ids(self.tree), *RESERVED)
            self.refused.append(CannotChange(f"there is no rule {target!r} in this game", (target,), known, target))
            return
        clause = change.copy()
        _put(clause, "rule", target, self.changes, target)
        if not isinstance(self.tree.get(where), list):
            _put(self.tree, where, Seq((), _mark(self.changes, target)), self.changes, target)
        self.tree[where].append(clause)


def _set(clause: Any, path: str, value: Any, change: Any, target: str) -> None:
    """Set one path of a clause; raises CannotChange."""
    *way, last = path.split(".")
    inner = _walk(clause, way, target, path)
    if isinstance(inner, list):
        index = _index(last, inner)
        if index is None or last == "and if":
            raise CannotChange(f"{path!r} leads nowhere in {target!r}", (target, path))
        inner[index] = value
        if isinstance(inner, Seq):
            inner.marks.insert(index, (value, _mark(change, path)))
    elif last == "and if":
        standing, mark = inner.get("if"), _mark(change, path)
        joined = value if standing is None else Map({"all of": Seq([standing, value], mark)}, mark)
        _put(inner, "if", joined, change, path)
    elif value is None:
        if last not in inner:
            message = f"there is no {last!r} in {target!r} to take away"
            raise CannotChange(message, (target, path), tuple(map(str, inner)), last)
        del inner[last]
    else:
        _put(inner, last, value, change, path)


def _walk(clause: Any, keys: list[str], target: str, path: str) -> Any:
    """The mapping or list inside a clause to which keys lead; raises CannotChange."""
    inner = clause
    for key in keys:
        if isinstance(inner, dict) and key in inner:
            inner = inner[key]
        elif isinstance(inner, list) and (index := _index(key, inner)) is not None:
            inner = inner[index]
        else:
            known = tuple(map(str, inner)) if isinstance(inner, dict) else ()
            raise CannotChange(f"there is no {key!r} in {target!r}", (target, path), known, key)
    if not isinstance(inner, dict | list):
        raise CannotChange(f"{path!r} goes on below a plain value of {target!r}", (target, path))
    return inner


def _index(key: str, entries: list[Any]) -> int | None:
    """The number of an entry, counted from 0, if the key is one."""
    if key.isascii() and key.isdecimal() and len(key) < 6 and int(key) < len(entries):
        return int(key)
    return None


def _mark(holder: Any, key: str) -> Mark:
    """The place of a value of a mapping, where the mapping keeps places."""
    return holder.value_mark(key) if isinstance(holder, Map) and key in holder else NOWHERE


def _put(into: Any, key: str, value: Any, marks_from: Any, marked_as: str) -> None:
    """Set a key and carry along its place in the file, where the mappings keep places."""
    into[key] = value
    if isinstance(into, Map):
        into.carry(key, marks_from, marked_as)


def clashes(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """The paths that two sets of changes set to different values, so that they cannot be combined.

    A path also clashes with one that leads further inside what it sets. Conditions that both add by `and if`
    never clash; one that is added clashes with a change of the condition that it is added to, or of what holds it.
    """
    found = []
    for target in a.keys() & b.keys():
        if target in RESERVED or not (isinstance(a[target], dict) and isinstance(b[target], dict)):
            if a[target] != b[target]:
                found.append(target)
            continue
        for one, other in ((p, q) for p in a[target] for q in b[target]):
            same = one == other and a[target][one] == b[target][other]
            if not same and _overlap(one, other):
                found.append(f"{target}: {min(_condition(one), _condition(other), key=len)}")
    return sorted(set(found))


def _overlap(one: str, other: str) -> bool:
    """Whether two paths reach the same part of a clause; conditions that both add never do."""
    if _adds(one) and _adds(other):
        return False
    one, other = _condition(one), _condition(other)
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")


def apart_from(changes: Mapping[str, Any], others: Mapping[str, Any]) -> Mapping[str, Any]:
    """Changes without those of parts that other changes reach too."""
    left = {}
    for target, change in changes.items():
        if target not in others:
            left[target] = change
            continue
        there = others[target]
        if target in RESERVED or not (isinstance(change, dict) and isinstance(there, dict)):
            continue
        lost = [path for path in change if any(_overlap(path, other) for other in there)]
        left[target] = change.copy() if lost else change
        for path in lost:
            del left[target][path]
        if not left[target]:
            del left[target]
    return left


def brought(changes: Mapping[str, Any]) -> set[str]:
    """The ids of the clauses that changes bring inside others; endings and events of their own are targets and not among them."""
    return {clause["rule"] for clause in _clauses_below(changes)}


def not_made(changes: Mapping[str, Any], made: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Changes without those that other changes have made already: answers may agree on a change, and it is made once."""
    left = {}
    for target, change in changes.items():
        before = [other[target] for other in made if target in other]
        if isinstance(change, dict):
            told = [other for other in before if isinstance(other, dict)]
            kept = {path: v for path, v in change.items() if not any(path in other and other[path] == v for other in told)}
            if kept == change:
                left[target] = change
            elif kept:
                left[target] = change.copy()
                for path in change.keys() - kept.keys():
                    del left[target][path]
        elif change not in before:
            left[target] = change
    return left if left.keys() != changes.keys() or any(left[t] is not changes[t] for t in left) else changes


def _condition(path: str) -> str:
    """The path of the condition that `and if` adds to; any other path as it is."""
    return path.removesuffix("and if") + "if" if _adds(path) else path


def _adds(path: str) -> bool:
    return path.rpartition(".")[2] == "and if"
