"""``fergus study simulate``: artificial raters take part in a study, through its real pages."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fergus.cli.counting import counted
from fergus.cli.options import examples, quiet_option
from fergus.errors import FergusError, InputError

if TYPE_CHECKING:
    from fergus.studies.simulation import Simulation
    from fergus.studies.study import Study
    from fergus.studies.verify import Verified

FAILED = 1
"""The exit code if nobody or not everybody came through, or something that was acknowledged is not there."""


@click.command(
    epilog=examples(
        "fergus study simulate my-study/study.yaml -n 50 --export judgements.csv",
        "fergus study simulate my-study --noise 1 --inattention 0.1 --quality qualities.csv",
        "fergus study simulate my-study --address http://127.0.0.1:8000 -n 300 --concurrent 300 --think 2",
    )
)
@click.argument("study_file", type=click.Path(), metavar="STUDY")
@click.option("--address", metavar="URL", help="Where the study runs; without it, a server is started just for this.")
@click.option("-n", "--raters", type=click.IntRange(1), default=50, show_default=True, help="How many take part.")
@click.option("--concurrent", type=click.IntRange(1), default=50, show_default=True, help="How many at a time.")
@click.option("--think", type=click.FloatRange(0), default=0.0, show_default=True, help="Seconds a page, on average.")
@click.option("--quality", type=click.Path(path_type=Path), metavar="CSV", help="How good each item is, by dimension.")
@click.option("--bias", type=float, help="How much raters differ in severity.")
@click.option("--noise", type=float, help="How much a rater differs from time to time.")
@click.option("--inattention", type=float, help="The share of answers given blindly.")
@click.option("--skill", type=float, help="The share of right answers that are found.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other raters, other answers.")
@click.option(
    "--database", metavar="FILE", help="Keep what the server started for this writes; else it is thrown away."
)
@click.option("--export", type=click.Path(path_type=Path), metavar="FILE", help="Write the judgements (.csv, .jsonl).")
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
@quiet_option
@click.pass_context
def simulate(
    ctx: click.Context,
    *,
    study_file: str,
    address: str | None,
    raters: int,
    concurrent: int,
    think: float,
    quality: Path | None,
    bias: float | None,
    noise: float | None,
    inattention: float | None,
    skill: float | None,
    seed: int,
    database: str | None,
    export: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Let artificial raters take part in a study, through its real pages.

    STUDY is a study file, or a folder with a study.yaml. Every text has a latent quality: that of the file, or else one
    that the text itself decides. What it seems like to a rater is its quality, the rater's own bias, and noise. Exports
    and progress pages show these participants as simulated.
    """
    from fergus.cli.local_server import LocalServer
    from fergus.cli.progress import progress_bars
    from fergus.studies.quality_file import read_qualities
    from fergus.studies.raters import RaterSettings
    from fergus.studies.simulate import Crowd, Load
    from fergus.studies.study_file import find_study_file, read_study

    if address and (database or export):
        remedy = "export there (`fergus study export`), or leave --address out"
        raise InputError("--database and --export are for a server that is started just for this", remedy=remedy)
    form = _format_of(export) if export else ""
    path = find_study_file(study_file)
    study = read_study(path)
    given = {"bias": bias, "noise": noise, "inattention": inattention, "skill": skill}
    settings = RaterSettings(**{name: value for name, value in given.items() if value is not None})
    qualities = read_qualities(quality, study) if quality else {}
    load = Load(raters=raters, concurrent=concurrent, think_seconds=think)
    with ExitStack() as stack:
        if address is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fergus-simulate-")))
            database = database or str(folder / "study.db")
            server = stack.enter_context(LocalServer(path, database, log=folder / "server.log"))
            address = server.address
        with progress_bars(shown=not quiet, transient=True) as report:
            crowd = Crowd(study, address, seed=seed, load=load, settings=settings, qualities=qualities, report=report)
            found = crowd.simulate()
        verified = _look_up(database, study, found, export, form) if database else None
    if as_json:
        record = found.described() | ({"verified": _described(verified)} if verified else {})
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        click.echo(told(found, verified))
    if not found.completed:
        click.echo("nobody came to the end of the study", err=True)
    if not found.completed or found.problems or (verified and not verified.is_good):
        ctx.exit(FAILED)


def told(found: Simulation, verified: Verified | None) -> str:
    """What happened, in a few lines."""
    states = ", ".join(f"{count:,} {state}" for state, count in found.states.items())
    times = [(percent, found.latency_ms(percent)) for percent in (50, 95, 99)]
    rows = [
        ("raters", states),
        ("answers", f"{counted(len(found.sent), 'page')}, {counted(found.judgements, 'judgement')}"),
        ("speed", f"{found.answers_per_second:,.1f} pages/s in {found.seconds:,.1f} s"),
        ("waiting", ", ".join(f"{value:,.0f} ms ({percent} %)" for percent, value in times if value is not None)),
        ("lost connections", f"{found.lost:,}" if found.lost else ""),
        ("in the database", str(verified) if verified else ""),
        *(("problem", f"{problem} ({counted(count, 'time')})") for problem, count in found.problems.items()),
    ]
    return "\n".join(f"{name:<16}  {value}" for name, value in rows if value)


def _look_up(database: str, study: Study, found: Simulation, export: Path | None, form: str) -> Verified:
    """Compare what raters were told with what is stored, and write it out if asked."""
    from fergus.cli.output import output_to
    from fergus.studies.export import export_study
    from fergus.studies.service import Service
    from fergus.studies.storage.migrate import open_database
    from fergus.studies.storage.studies import find_study
    from fergus.studies.verify import verify

    with open_database(database, must_exist=True) as opened:
        verified = verify(opened, study, found.sent)
        if export is not None:
            with opened.read() as transaction:
                row = find_study(transaction, study.name)
            if row is None:  # pragma: no cover - the server put it in
                raise FergusError(f"{study.name} is not in the database")
            with output_to(export) as stream:
                for piece in export_study(Service(opened), row, form=form):
                    stream.write(piece.encode())
    return verified


def _format_of(path: Path) -> str:
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in ("csv", "jsonl"):
        raise InputError(f"“{path.name}” is neither .csv nor .jsonl", path=str(path), remedy="name it judgements.csv")
    return suffix


def _described(verified: Verified) -> dict[str, Any]:
    return {
        "pages": verified.pages,
        "missing": len(verified.missing),
        "repeated": len(verified.repeated),
        "different": len(verified.different),
    }
