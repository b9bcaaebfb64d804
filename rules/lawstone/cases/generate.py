"""Making the suites of a game: everything that the sources ask for, once, and of that the few that are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from lawstone.cases.adequacy import kills, rivals
from lawstone.cases.make import Candidate, Maker, Want
from lawstone.cases.minimise import core_of
from lawstone.cases.sources import Plan, all_sources, misreadings
from lawstone.cases.vector import NOTES, Suite, Vector, content_hash, identity
from lawstone.spec import Spec
from lawstone.version import __version__

Tell = Callable[[str], None]


def wanted(maker: Maker, plan: Plan, tell: Tell = lambda _: None) -> list[Want]:
    """What all sources ask for; asked twice, the flags and rules are joined."""
    found: dict[tuple[object, ...], Want] = {}
    for name, source in all_sources().items():
        tell(name)
        for want in source(maker, plan):
            key = (want.variant, want.asked)
            known = found.get(key)
            found[key] = want if known is None else _joined(known, want)
    return list(found.values())


def _joined(a: Want, b: Want) -> Want:
    return replace(
        a, rules=tuple(dict.fromkeys((*a.rules, *b.rules))), flags=tuple(dict.fromkeys((*a.flags, *b.flags))), says=a.says or b.says
    )


def vectors(maker: Maker, wants: Iterable[Want], more: Iterable[Vector] = ()) -> list[Vector]:
    """The vectors, short games first, the base game before its variants; every game replayed by the reference interpreter."""
    order = {v: n for n, v in enumerate(maker.variants)}
    found: dict[str, Vector] = {v.id: v for v in more}
    for want in wants:
        made = maker.vector(want)
        if made is not None:
            found[made.id] = made
    kept = sorted(found.values(), key=lambda v: (order[v.variant or ""], len(v.moves), v.moves, v.ask, v.move or ""))
    return [v for v in kept if confirmed(maker, v)]


def confirmed(maker: Maker, vector: Vector) -> bool:
    """Whether the reference interpreter reaches the position of a vector, too."""
    game = maker.base(vector.variant or "").game
    position = game.by_the_law().replay(vector.moves)
    same = position.state == maker.base(vector.variant or "").position(tuple(vector.moves)).state
    assert same, f"two engines disagree on {vector.id}"
    return same


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


def generate(spec: Spec, plan: Plan, tell: Tell = lambda _: None) -> tuple[Suite, Suite]:
    """The core suite and the full suite of a game."""
    maker = Maker(spec)
    wants = wanted(maker, plan, tell)
    tell(f"answers to {len(wants)} questions")
    found = vectors(maker, wants)
    tell("misreadings")
    missed = [(v, maker.base(v).game, c) for v, c in not_killed(maker, found)]
    found = vectors(maker, misreadings.wants(missed, plan), found)
    tell("core")
    core = core_of(maker, found)
    return suite_of(spec, core, "core", plan.seed), suite_of(spec, found, "full", plan.seed)


def not_killed(maker: Maker, found: list[Vector]) -> list[tuple[str, Candidate]]:
    """The misreadings that no vector tells from the rules, each with its variant."""
    killed = kills(maker, found, most=1)
    names = {(v.variant or "", name) for v in found for name in killed[v.id]}
    return [
        (variant, c) for variant in maker.variants for c, _ in rivals(maker, variant)
        if c.kind == "misreading" and (variant, c.name) not in names
    ]  # fmt: skip


def id_of(spec: Spec, want: Want, size: tuple[int, int] | None = None) -> str:
    """The id that a vector will have."""
    return identity(spec.id, want.variant, size, want.asked.moves, want.asked.ask, want.asked.move)
