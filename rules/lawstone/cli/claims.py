"""`lawstone claims`: the claims of a game, settled."""

from __future__ import annotations

from pathlib import Path

import click

from lawstone.cli.main import FINDINGS, INTERRUPTED, OK, UNDECIDED
from lawstone.cli.progress import Progress
from lawstone.cli.shared import Command, print_json
from lawstone.cli.work import works
from lawstone.model.faults import BadInput, Fault
from lawstone.prove import claims as model
from lawstone.prove.certificate import write_files
from lawstone.prove.settle import CONFLICTS, record
from lawstone.prove.sidebyside import Query, settle_all
from lawstone.spec import Usage, load
from lawstone.work.crew import Crew

HELP = """Settle the claims of a game: sentences that must hold, from proofs/<game>/claims.yaml.

Each claim is proved, with a certificate that `lawstone recheck` checks again without the prover; or refuted, with a game
that is replayed; or bounded, with how far was looked; or unknown. A claim that is asked of several board sizes names
exactly those for which it was settled. With --record the verdicts and certificates are kept beside the claims.
"""


@click.command(
    cls=Command,
    help=HELP,
    examples=[
        ("lawstone claims xxung", "All claims of XXung; takes minutes."),
        ("lawstone claims oxono --claim beside-the-totem", "One claim."),
        ("lawstone claims wugun --listed", "What is claimed, without settling it."),
        ("lawstone claims xxung --claim four-neighbours --record", "One claim, and its record made anew."),
    ],
    exits={
        0: "every claim has the verdict that the project stands by",
        1: "a claim has another verdict",
        4: "a claim that the project stands by is undecided within the bounds (1 goes before 4)",
        2: "a misuse of the command",
        3: "a file that cannot be read",
        130: "interrupted: the claims settled so far are printed",
    },
)
@click.argument("game")
@click.option("--claim", multiple=True, metavar="ID", help="Only this claim (and the claims it is given); may be repeated.")
@click.option("--file", type=click.Path(dir_okay=False, path_type=Path), help="Another file of claims.")
@click.option("--listed", is_flag=True, help="Only list the claims.")
@click.option("--record", "keep", is_flag=True, help="Keep verdicts and certificates beside the file of claims.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of random games.")
@click.option("--conflicts", type=click.IntRange(1), default=CONFLICTS, show_default=True, help="Bound of each question.")
@click.option("--no-second", is_flag=True, help="Do not ask for a second opinion.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@works
def command(
    game: str,
    claim: tuple[str, ...],
    file: Path | None,
    listed: bool,
    keep: bool,
    seed: int,
    conflicts: int,
    no_second: bool,
    as_json: bool,
    crew: Crew,
) -> int:
    """See HELP."""
    spec = load(game)
    path = file or model.folder(spec.id) / "claims.yaml"
    if not path.exists():
        raise BadInput([Fault(str(path), 1, 1, "no-claims", f"there are no claims about {spec.id}")])
    claims = model.load_claims(path)
    known = {c.id: c for c in claims.claims}
    for name in claim:
        if name not in known:
            raise Usage(f"{spec.id} has no claim {name!r}")
    wanted = set(claim or known)
    while more := {g for name in wanted for g in known[name].given or []} - wanted:
        wanted |= more
    if listed:
        return _list(claims, as_json)
    listed_boards = sum(len(c.boards()) for c in claims.claims if c.id in wanted)
    odd: list[tuple[str, str]] = []

    def done(c: model.Claim, found: model.Settled) -> None:
        if found.verdict != c.expect:
            odd.append((c.id, found.verdict))
        if not as_json:
            progress.pause(lambda: _tell(c, found))

    def step(query: Query) -> None:
        progress.tell(query.claim.id)
        progress.step()

    with Progress(f"{spec.title}: claims", listed_boards) as progress:
        settling = settle_all(
            spec, claims, wanted, crew, seed=seed, conflicts=conflicts, second=not no_second, done=done, step=step
        )  # fmt: skip
    results = record(spec, claims, settling.settled, seed)
    if as_json:
        print_json(results.model_dump(by_alias=True, mode="json", exclude_defaults=True))
    if keep:
        _keep(results, claims, settling.files, path.parent)
    if settling.interrupted:
        click.echo(f"interrupted: {len(settling.settled)} of {len(wanted)} claims were settled", err=True)
        return INTERRUPTED
    open_ = [name for name, verdict in odd if verdict in ("unknown", "bounded")]
    if open_:
        click.echo(f"undecided: {', '.join(open_)} (at most {crew.limits} for a claim on a board)", err=True)
    return FINDINGS if len(open_) < len(odd) else UNDECIDED if open_ else OK


def _keep(results: model.ClaimResults, claims: model.Claims, files: dict[str, dict[str, str]], folder: Path) -> None:
    """Write verdicts and certificates; what was settled before and not now is kept as long as its claim is there."""
    old = folder / "claims-results.json"
    fresh = {s.claim: s for s in results.claims}
    before = {s.claim: s for s in model.read_record(old).claims} if old.exists() else {}
    told = [fresh.get(c.id) or before.get(c.id) for c in claims.claims]
    results = results.model_copy(update={"claims": [s for s in told if s is not None]})
    used = {p.file.partition("#")[0] for s in results.claims for f in s.findings for p in f.proofs}
    for name, listed in files.items():
        cited = {
            p.file.partition("#")[2] for s in results.claims for f in s.findings for p in f.proofs if p.file.startswith(f"{name}#")
        }
        kept = {n: text for n, text in listed.items() if n.rpartition(".")[0] in cited}
        if kept:
            write_files(folder / "certificates" / name, kept)
    for stale in (folder / "certificates").glob("*.zip"):
        if stale.name not in used:
            stale.unlink()
    model.write_record(results, old)
    size = sum(f.stat().st_size for f in (folder / "certificates").glob("*.zip"))
    click.echo(
        f"recorded: {len(fresh)} claims settled, {len(results.claims)} on record, {size / 1000:.0f} kB of certificates", err=True
    )


def _list(claims: model.Claims, as_json: bool) -> int:
    if as_json:
        print_json(claims.model_dump(by_alias=True, mode="json", exclude_none=True))
        return 0
    for c in claims.claims:
        click.echo(f"{c.id}: {c.says.get('en', next(iter(c.says.values())))} [{c.expect}]")
    return 0


def _tell(claim: model.Claim, found: model.Settled) -> None:
    odd = "" if found.verdict == claim.expect else f" (the project stands by '{claim.expect}')"
    click.echo(f"{found.verdict:8} {claim.id}: {claim.says.get('en', next(iter(claim.says.values())))}{odd}")
    for told, boards in _grouped(found.findings):
        click.echo(f"         {', '.join(boards)}: {told}")


def _grouped(findings: list[model.Finding]) -> list[tuple[str, list[str]]]:
    """Boards of which the same is said stand together."""
    groups: dict[str, list[str]] = {}
    for f in findings:
        parts = [f"{f.verdict}, {f.scope}" if f.scope else f.verdict, f.method]
        if f.proofs:
            agree = sum(p.second.endswith("unsat") for p in f.proofs)
            parts.append(f"{len(f.proofs)} certificates, the second solver agrees on {agree}")
        if f.kept:
            parts.append("kept from an earlier run")
        if f.vacuous:
            parts.append("no position met to which it applies")
        if f.verdict == "refuted" and f.witness is not None:
            shown = f.witness.moves if len(f.witness.moves) <= 40 else [*f.witness.moves[:40], "..."]
            parts.append(" ".join(shown))
        groups.setdefault("; ".join(filter(None, parts)), []).append(f.board)
    return list(groups.items())
