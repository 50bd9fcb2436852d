"""Fuzzing of a running server: the API against its document, then every address by requests as bytes.

    python -m fuzz.http_api [--seconds 60] [--only schema|api|workbench|study|administration]... [--address PART]...
                            [--keep FOLDER]

A finding is a status of 500 or above, no answer in 75 seconds, a connection that is closed without a word, a
traceback in the server's log, an answer that is not what the document says, or a server that is gone.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from fergus.errors import FergusError
from fuzz.http_endpoints import GROUPS, endpoints
from fuzz.http_findings import Finding, Tally, fuzz, is_among
from fuzz.http_schema import GROUP, fuzz_schema
from fuzz.http_target import Served, started


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="How long each address is fuzzed.")
@click.option("--only", multiple=True, type=click.Choice([GROUP, *GROUPS]), help="One part; may be repeated.")
@click.option("--address", "addresses", multiple=True, metavar="PART", help="Only addresses with this in their names.")
@click.option("--seed", default=1, show_default=True, help="Where all randomness comes from.")
@click.option("--keep", type=click.Path(path_type=Path), metavar="FOLDER", help="Write the requests of findings there.")
def main(*, seconds: float, only: tuple[str, ...], addresses: tuple[str, ...], seed: int, keep: Path | None) -> None:
    """Fuzz ``fergus serve``."""
    parts = only or (GROUP, *GROUPS)
    tallies: list[Tally] = []
    number = 0
    with tempfile.TemporaryDirectory(prefix="fergus-fuzz-") as folder:
        served = started(Path(folder))
        try:
            with served.server:
                served.wait_until_ready()
                for tally in fuzzed(served, parts, addresses, seconds=seconds, seed=seed):
                    tallies.append(tally)
                    click.echo(f"{tally.name}: {tally.requests:,} requests, {len(tally.findings)} findings", err=True)
                    for one in tally.findings.values():
                        number += 1
                        click.echo(f"  {one.words}\n  {one.request[:300]!r}", err=True)
                        if keep is not None:
                            kept(keep, number, one)
        except FergusError as error:
            raise click.ClickException(str(error)) from error
    Console(width=None if Console().is_terminal else 150).print(table(tallies))
    raise SystemExit(any(tally.findings for tally in tallies))


def fuzzed(
    served: Served, parts: tuple[str, ...], addresses: tuple[str, ...] = (), *, seconds: float, seed: int
) -> Iterator[Tally]:
    """One address after the other; a new participant for each, as the one before has perhaps come to the end."""
    if GROUP in parts:
        yield from fuzz_schema(served, addresses, seconds=seconds, seed=seed)
    served.learn()
    for one in endpoints(served):
        if one.group in parts and is_among(one.name, addresses):
            served.learn()
            yield fuzz(served, one, seconds=seconds, seed=seed)


def table(tallies: list[Tally]) -> Table:
    """What was sent and what came back."""
    found = Table("address", title="Fuzzing of the server", title_justify="left")
    for column in ("requests", "statuses", "slowest s", "findings"):
        found.add_column(column, justify="left" if column == "statuses" else "right")
    for one in tallies:
        statuses = ", ".join(f"{status or 'hung up'}: {number:,}" for status, number in sorted(one.statuses.items()))
        found.add_row(one.name, f"{one.requests:,}", statuses, f"{one.slowest_s:.2f}", str(len(one.findings)))
    total = sum(one.requests for one in tallies)
    slowest = max((one.slowest_s for one in tallies), default=0.0)
    found.add_section()
    found.add_row("all", f"{total:,}", "", f"{slowest:.2f}", str(sum(len(one.findings) for one in tallies)))
    return found


def kept(folder: Path, number: int, finding: Finding) -> None:
    """Write a request where tests can send it again."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", finding.endpoint.lower()).strip("-")
    (folder / f"{name}-{number}.http").write_bytes(finding.request)


if __name__ == "__main__":
    main()
