"""The verdict on two readings, by the cheapest method that settles it.

In order: the same core terms; the same treatment of every move in every well-formed position (one solver query a turn, or where
that is too hard one for each place where the clause can fire); the same under facts that are proved of every reachable position;
a whole tree of games, games by chance and games into a gap of either reading, for a witness; games as circuits, ply by ply, for
a shortest witness or a proof that no game so short shows a difference; and where there is none, a position that a solver draws, or
deeper facts. Of the shortest games the least is chosen (`check/least.py`). Each step says what it did.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import TypeAdapter

from lawstone.check import gaps, least
from lawstone.check.lockstep import Pair, Parting
from lawstone.check.search import Budget, Search, search
from lawstone.check.solved import solved
from lawstone.engine.state import Picks
from lawstone.lower import Rules
from lawstone.prove import free, lemmas
from lawstone.prove.alike import alike
from lawstone.prove.kinduction import inductive
from lawstone.prove.meaning import meaning
from lawstone.prove.unroll import unroll
from lawstone.work.bounds import Spent
from lawstone.work.cache import kept

Verdict = Literal["differ", "same: proved", "same: bounded", "unknown"]
COUNTING = 30_000
"""Conflicts of a query about positions with few pieces; where that is not enough, games are unrolled."""
_proved: dict[int, lemmas.Lemmas] = {}


@dataclass(frozen=True)
class Effort:
    """What may be spent: the search's counts, and CPU-seconds of unrolling (0: none)."""

    budget: Budget = field(default_factory=Budget)
    unroll_seconds: float = 0.0


@dataclass
class Settled:
    """The verdict, the witness if there is one, and the steps that led there, each in words.

    `shortest`: no shorter game shows it; `least`: of the shortest, none comes before it (`prove/least.py` states the order).
    """

    verdict: Verdict
    parting: Parting | None = None
    shortest: bool = False
    least: bool = False
    how: str = ""
    steps: list[str] = field(default_factory=list)
    kept: bool = False
    """Whether the verdict is from an earlier run."""


_SETTLED: TypeAdapter[Settled] = TypeAdapter(Settled)


def lemmas_of(rules: Rules) -> lemmas.Lemmas:
    """The facts proved of a game's reachable positions; proved once a run."""
    key = id(rules)
    if key not in _proved:
        _proved[key] = lemmas.kept_or_proved(rules)
    return _proved[key]


def settle(pair: Pair, effort: Effort) -> Settled:
    """The strongest verdict that the effort allows, or that was reached when a bound stopped the work."""
    done, found = Settled("unknown"), Search()
    try:
        told, again = kept(
            "readings",
            lambda: (meaning(pair.a.rules), meaning(pair.b.rules), effort),
            lambda: _settle(pair, effort, done, found),
            lambda x: _SETTLED.dump_python(x, mode="json"),
            lambda entry: _replayed(pair, _SETTLED.validate_python(entry)),
        )
        return replace(told, kept=again)
    except Spent as spent:
        return _cut_off(done, found, spent)


def _settle(pair: Pair, effort: Effort, done: Settled, found: Search) -> Settled:
    a, b = pair.a.rules, pair.b.rules
    if a.meaning == b.meaning:
        return _same(done, "both readings lower to the same core terms")
    if not free.comparable(a, b):
        proved = _by_solver(a, b, done, reasons=True)
        if proved:
            return _same(done, proved)
    by_solver = effort.unroll_seconds > 0 and not free.comparable(a, b)
    search(pair, effort.budget, found=found, polish=not by_solver)
    by_gaps = not found.exhausted and not found.shortest and gaps.guided(pair, effort.budget, found)
    done.steps.append(_searched(found, by_gaps))
    done.parting, done.shortest = found.parting, found.shortest
    refuted = found.whole
    if by_solver and not found.exhausted and not found.shortest:
        refuted = max(refuted, _counted(pair, found, done))
    if by_solver and not found.exhausted and not done.shortest:
        refuted = max(refuted, _unrolled(pair, found, done, effort, refuted))
    if done.parting is not None:
        done.verdict = "differ"
        done.how = _shortness(done, refuted)
        if done.shortest:
            chosen = least.choose(pair, done.parting)
            done.parting, done.least = chosen.parting, chosen.shown
            done.steps.append(f"least witness: {chosen.how}")
        return done
    if found.exhausted:
        return _same(done, "every game was compared to its end")
    if not free.comparable(a, b):
        proved = _by_induction(a, b, done)
        if proved:
            return _same(done, proved)
        proved = _by_solver(a, b, done, reasons=False)
        if proved:
            return _same(done, f"{proved}; at most the rule that is named as the reason could differ")
    done.parting = solved(pair, effort.budget.seed)
    if done.parting is not None:
        done.steps.append(f"a position that a solver drew, and a game of {done.parting.plies} plies to it: a difference")
        done.verdict, done.how = "differ", _shortness(done, refuted)
        return done
    proved = alike(a, b)
    done.steps.append(f"positions under deeper facts: {'the same' if proved else 'may part, or made of different turns'}")
    if proved:
        return _same(done, f"no difference {proved}")
    done.verdict = "same: bounded"
    done.how = (
        f"no game of up to {refuted} plies, and none of {found.games:,} random and guided games of up to {found.longest} plies"
    )
    return done


def _replayed(pair: Pair, done: Settled) -> Settled:
    """A verdict of an earlier run, once its game has been played again."""
    if done.parting is not None:
        again = pair.replay(done.parting.moves)
        if again is None or (again.level, again.moves) != (done.parting.level, done.parting.moves):
            raise ValueError("its game does not show the difference when it is replayed")
        done.parting = again
    elif done.verdict == "differ":
        raise ValueError("it has no game")
    return done


def _cut_off(done: Settled, found: Search, spent: Spent) -> Settled:
    """What can be said when a bound stopped the work."""
    done.parting = done.parting or found.parting
    if done.parting is not None:
        done.shortest = done.shortest or found.shortest
        done.verdict, done.how = "differ", f"{_shortness(done, found.whole)}; {spent}"
    elif found.whole >= 0:
        done.verdict, done.how = "same: bounded", f"no game of up to {found.whole} plies; then {spent}"
    else:
        done.verdict, done.how = "unknown", str(spent)
    return done


def _same(done: Settled, how: str) -> Settled:
    done.verdict, done.how = "same: proved", how
    return done


def _by_solver(a: Rules, b: Rules, done: Settled, reasons: bool) -> str:
    """The proof that the readings never part, in words; the empty string if there is none."""
    what = "" if reasons else " (results only)"
    on_all = free.compare(a, b, reasons=reasons)
    done.steps.append(f"well-formed positions{what}: {_told(on_all)}")
    if on_all.same:
        return "no well-formed position of this board tells them apart (one query a turn)"
    if any(p.answer.verdict == "unknown" for p in on_all.places):
        return ""
    known = lemmas_of(a)
    under = free.compare(a, b, known, reasons=reasons)
    done.steps.append(f"positions under {len(known.proved)} facts proved by induction{what}: {_told(under)}")
    return "no position that fulfils the facts proved of all reachable ones tells them apart (induction)" if under.same else ""


def _by_induction(a: Rules, b: Rules, done: Settled) -> str:
    """The proof that looks back on some moves, in words; the empty string if there is none."""
    for reasons in (True, False):
        found = inductive(a, b, lemmas_of(a), reasons)
        done.steps.append(f"induction over moves{'' if reasons else ' (results only)'}: {found}")
        if found.proved:
            more = "" if reasons else "; at most the rule that is named as the reason could differ"
            return f"no move is treated differently where those before it were not: {found}{more}"
    return ""


def _told(found: free.Free) -> str:
    if found.same:
        return "the same" + (f"; no legal move at all in {', '.join(found.vacuous)}" if found.vacuous else "")
    places = dict.fromkeys(p.phase for p in found.places)
    return f"may part in {', '.join(places)}"


def _searched(found: Search, by_gaps: bool) -> str:
    whole = f"all games up to ply {found.whole} compared" if found.whole >= 0 else "no ply compared whole"
    way = ", by a game into a gap of one reading" if by_gaps else ""
    met = f"; a difference at ply {found.parting.plies}{way}" if found.parting else "; no difference"
    by = f" ({found.by})" if found.by else ""
    return f"search: {whole}, {found.games:,} games by chance{by}{met}"


def _counted(pair: Pair, found: Search, done: Settled) -> int:
    """Where pieces are only added: how many plies a difference needs at least; the ply up to which none shows."""
    a, b = pair.a.rules, pair.b.rules
    if done.parting is None or not (free.adds_own(a) and free.adds_own(b)):
        return -1
    reasons = done.parting.level == "reason"
    before = done.parting.plies if done.parting.level == "legal moves" else done.parting.plies - 1
    least = free.fewest_plies(a, b, lemmas_of(a), before, COUNTING, reasons)
    done.steps.append(
        f"counting pieces: no difference before {least} plies are played (one query, or where that is too hard one for each place "
        "of the last piece)"
    )
    if least == before and (done.parting.level == "legal moves" or free.compare(a, b, legality_only=True).same):
        done.shortest = True
    return least - 1


def _unrolled(pair: Pair, found: Search, done: Settled, effort: Effort, refuted: int) -> int:
    """Prove that no shorter game shows a difference, or find it; the ply up to which that is known."""
    a, b = pair.a.rules, pair.b.rules
    goal = found.parting.plies if found.parting is not None else max(refuted + 1, 12)
    reasons = found.parting is None or found.parting.level == "reason"
    unrolled = unroll(
        a, b, goal - 1, effort.unroll_seconds, reasons=reasons, from_ply=max(0, refuted), whole=found.parting is not None
    )
    done.steps.append(
        f"unrolling: {'a difference' if unrolled.verdict == 'differ' else 'none'} up to ply {unrolled.plies}, "
        f"{unrolled.gates:,} gates"
    )
    if unrolled.verdict == "differ":
        parting = pair.replay(texts(pair, unrolled.picks))
        if parting is not None and (done.parting is None or parting.plies <= done.parting.plies):
            done.parting = parting
            done.shortest = parting.plies == unrolled.plies
        return unrolled.plies - 1
    if unrolled.verdict == "none" and done.parting is not None and unrolled.plies >= done.parting.plies - 1:
        done.shortest = True
    return unrolled.plies


def texts(pair: Pair, picks: tuple[tuple[str, Picks], ...]) -> tuple[str, ...]:
    """A solver's game in notation."""
    return least.texts(pair, tuple(move for _, move in picks))


def _shortness(done: Settled, refuted: int) -> str:
    assert done.parting is not None
    if done.shortest and done.parting.plies == 0:
        return "it shows before the first move"
    if done.shortest:
        proved = any(s.startswith(("unrolling", "counting")) for s in done.steps)
        how = "a solver refuted every game" if proved else "all games were compared"
        return f"no shorter one: {how} up to ply {done.parting.plies - 1}"
    return f"not shown shortest: no game of up to {max(refuted, 0)} plies shows it"
