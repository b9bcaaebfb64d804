"""Making the suites of a game: everything that the sources ask for, once, and of that the few that are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lawstone.cases.adequacy import kills, rivals
from lawstone.cases.answer import Answering, Asked, replay
from lawstone.cases.coverage import Coverage, Situation, Sought
from lawstone.cases.make import Candidate, Maker, Want
from lawstone.cases.minimise import cover, needs_of
from lawstone.cases.recorded import recorded
from lawstone.cases.sources import Plan, all_sources, interrupted, misreadings, readings
from lawstone.cases.vector import NOTES, Suite, Vector, content_hash
from lawstone.engine.notation import squeeze
from lawstone.spec import Spec
from lawstone.version import __version__

Tell = Callable[[str], None]


def wanted(maker: Maker, plan: Plan, tell: Tell = lambda _: None) -> list[Want]:
    """What all sources ask for; asked twice, the flags, rules and situations are joined. What they look for is noted."""
    found: dict[tuple[object, ...], Want] = {}
    for name, source in all_sources().items():
        tell(name)
        for want in source(maker, plan):
            if isinstance(want, Sought):
                maker.coverage.seek(want)
                continue
            key = (want.variant, want.asked)
            known = found.get(key)
            found[key] = want if known is None else _joined(known, want)
    return list(found.values())


def _joined(a: Want, b: Want) -> Want:
    def both(x: tuple[Any, ...], y: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(dict.fromkeys((*x, *y)))

    return replace(
        a, rules=both(a.rules, b.rules), flags=both(a.flags, b.flags), says=a.says or b.says, shows=both(a.shows, b.shows),
        neighbour=a.neighbour or b.neighbour,
    )  # fmt: skip


def vectors(maker: Maker, wants: Iterable[Want], more: Iterable[Vector] = ()) -> list[Vector]:
    """The vectors, short games first, the base game before its variants; every game replayed by the reference interpreter."""
    order = {v: n for n, v in enumerate(maker.variants)}
    found: dict[str, Vector] = {v.id: v for v in more}
    for want in wants:
        made = maker.vector(want)
        if made is not None:
            found[made.id] = made
            for situation in want.shows:
                maker.coverage.show(situation, made.id)
    kept = [v if v.neighbour in found else v.model_copy(update={"neighbour": None}) for v in found.values()]
    kept.sort(key=lambda v: (order[v.variant or ""], len(v.moves), v.moves, v.ask, v.move or ""))
    return [v for v in kept if confirmed(maker, v)]


def confirmed(maker: Maker, vector: Vector) -> bool:
    """Whether the reference interpreter reaches the position of a vector, too."""
    known = maker.kept.setdefault("confirmed", set())
    assert isinstance(known, set)
    line = (vector.variant, tuple(vector.moves))
    if line not in known:
        known.add(line)
        game = maker.base(vector.variant or "").game
        position = replay(game, vector.moves)
        same = position.state == maker.base(vector.variant or "").position(tuple(vector.moves)).state
        assert same, f"two engines disagree on {vector.id}"
    if vector.ask == "is legal":
        game = maker.base(vector.variant or "").game
        listed = {squeeze(m.text) for m in replay(game, vector.moves).moves}
        assert vector.expect.legal == (squeeze(vector.move or "") in listed), f"two engines disagree on {vector.id}"
    return True


def suite_of(spec: Spec, found: list[Vector], name: str, seed: int) -> Suite:
    """A suite of some vectors."""
    used = {f for v in found for f in v.flags}
    return Suite.model_validate(
        {
            "game": spec.id, "title": spec.title, "rules_version": spec.game.rules_version, "board": spec.rules().board.label,
            "players": list(spec.rules().words.players), "name": name, "generator": __version__, "seed": seed,
            "hash": content_hash(found), "notes": {f: note for f, note in NOTES.items() if f in used}, "vectors": found,
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Made:
    """The suites of a game, and what they show."""

    core: Suite
    full: Suite
    coverage: Coverage


def generate(spec: Spec, plan: Plan, tell: Tell = lambda _: None) -> Made:
    """The core suite and the full suite of a game, with the coverage of the full one."""
    maker = Maker(spec)
    wants = wanted(maker, plan, tell)
    tell(f"answers to {len(wants)} questions")
    found = vectors(maker, wants)
    tell("misreadings")
    killed = kills(maker, found, most=8)
    found = vectors(maker, where_refused(maker, found, killed), found)
    killed |= kills(maker, [v for v in found if v.id not in killed], most=8)
    missed = [(v, maker.base(v).game, c) for v, c, _ in not_killed(maker, found, killed) if c.kind == "misreading"]
    found = vectors(maker, misreadings.wants(missed, plan), found)
    killed |= kills(maker, [v for v in found if v.id not in killed], most=8)
    tell("games with events")
    left = [(v, c, answering) for v, c, answering in not_killed(maker, found, killed) if c.kind == "misreading" or not v]
    found = vectors(maker, interrupted.wants(maker, left, plan), found)
    killed |= kills(maker, [v for v in found if v.id not in killed], most=8)
    tell("core")
    note_misreadings(maker, found, killed)
    core = cover(found, {v.id: needs_of(v, killed[v.id]) for v in found})
    return Made(suite_of(spec, core, "core", plan.seed), suite_of(spec, found, "full", plan.seed), maker.coverage)


def note_misreadings(maker: Maker, found: list[Vector], killed: Mapping[str, set[str]]) -> None:
    """Note for each reading and misreading which vectors tell it from the rules, or why none does."""
    by: dict[tuple[str, str], list[str]] = {}
    for v in found:
        for name in killed[v.id]:
            by.setdefault((v.variant or "", name), []).append(v.id)
    for variant in maker.variants:
        for c, _ in rivals(maker, variant):
            if c.kind == "question":
                answered = Situation(readings.GROUP, variant, f"question.{c.question}", c.answer)
                for vector in by.get((variant, c.name), []) if answered in maker.coverage.shown else ():
                    maker.coverage.show(answered, vector)
                continue
            situation = Situation("misreadings, told apart", variant, c.rules[0] if c.rules else "", c.name)
            known = recorded(maker.spec, variant, "misreading", c.name)
            alike = maker.base(variant).game.rules.meaning == c.game.rules.meaning
            told = f"on record: {known.verdict}" if known is not None else "no difference was found"
            never = alike or (known is not None and known.verdict == "same: proved")
            maker.coverage.seek(Sought(situation, "the same core terms" if alike else told, never))
            for vector in by.get((variant, c.name), []):
                maker.coverage.show(situation, vector)


def not_killed(
    maker: Maker, found: list[Vector], killed: Mapping[str, set[str]]
) -> list[tuple[str, Candidate, Answering]]:  # fmt: skip
    """The readings and misreadings that no vector tells from the rules, each with its variant."""
    names = {(v.variant or "", name) for v in found for name in killed[v.id]}
    return [
        (variant, c, answering) for variant in maker.variants for c, answering in rivals(maker, variant)
        if (variant, c.name) not in names
    ]  # fmt: skip


def where_refused(maker: Maker, found: list[Vector], killed: Mapping[str, set[str]]) -> Iterator[Want]:
    """For a reading that no vector tells apart and that refuses a game of the suite: what to ask where that game is refused.

    There the move is not legal under it, or its game is over already.
    """
    for variant, candidate, answering in not_killed(maker, found, killed):
        if variant and candidate.kind == "question" and maker.spec.question(candidate.question).in_ in (None, "base"):
            continue
        for vector in found:
            moves = tuple(vector.moves)
            if (vector.variant or "") != variant or answering.plays(moves) == len(moves):
                continue
            n = answering.plays(moves)
            yield Want(variant, Asked(moves[:n], "outcome"), candidate.rules)
            yield Want(variant, Asked(moves[:n], "is legal", moves[n]), candidate.rules)
            break
        answering.forget()
