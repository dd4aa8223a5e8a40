"""`swy data`: sample resources, live writes that remember what was acknowledged, and the proof that none was lost."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from console.cli.client import Client, Problem, read_credentials
from console.cli.output import errors, screen
from console.cli.sample_data import Sample, SampleData
from migrations_app.domain.schema.folder import ServiceFolder, read_folder

app = typer.Typer(help="Sample resources and load.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The service's folder.", exists=True, file_okay=False)]
Region = Annotated[str, typer.Option(help="The region of the deployment.")]
Version = Annotated[str, typer.Option(help="The API version; the oldest when not given.")]
Seed = Annotated[int, typer.Option(help="The same seed makes the same resources.")]
Under = Annotated[str, typer.Option(help="Only below this parent, such as projects/p0.")]
Record = Annotated[Path, typer.Option(help="File of acknowledged writes, a JSON document per line.")]

BATCH = 50
_RETRIED = (0, 503, 429)


@app.command()
def generate(
    folder: Folder,
    region: Region,
    version: Version = "",
    count: Annotated[int, typer.Option(min=1, help="How many resources.")] = 1000,
    rate: Annotated[float, typer.Option(help="At most so many a second; 0 for as fast as it goes.")] = 0.0,
    types: Annotated[str, typer.Option(help="Only these resource types, parted by commas.")] = "",
    under: Under = "",
    seed: Seed = 1,
) -> None:
    """Make resources up from the schema and write them, in batches."""
    service, chosen = _chosen(folder, version)
    data = SampleData(service.schemas[chosen], seed, region, under)
    wanted = tuple(each for each in types.split(",") if each)
    base = f"/apis/{region}/{service.service}/{chosen}"
    began, written = time.monotonic(), 0
    with _signed_in() as client, Progress(console=screen) as progress:
        bar = progress.add_task(f"{service.service} {chosen}", total=count)
        for batch in _batches(data.samples(count, wanted)):
            requests = [_update(sample) for sample in batch]
            _patiently(client, "POST", f"{base}/:batchWrite", {"requests": requests})
            written += len(batch)
            progress.update(bar, completed=written)
            if rate:
                time.sleep(max(0.0, written / rate - (time.monotonic() - began)))
    took = max(time.monotonic() - began, 0.001)
    if written < count:
        errors.print(f"Only {written} could be made: nothing valid, or nothing to refer to, for the others.")
    screen.print(f"Wrote {written} resources in {took:.1f} s, {written / took:.0f} a second.")


@app.command()
def load(
    folder: Folder,
    region: Region,
    record: Record = Path("acknowledged.jsonl"),
    version: Version = "",
    seconds: Annotated[float, typer.Option(help="How long.")] = 30.0,
    rate: Annotated[float, typer.Option(help="Writes a second, of all writers together.")] = 50.0,
    writers: Annotated[int, typer.Option(min=1, max=64)] = 4,
    under: Under = "",
    seed: Seed = 1,
) -> None:
    """Write all the while, and note every write that was acknowledged; `verify` looks for them later."""
    service, chosen = _chosen(folder, version)
    base = f"/apis/{region}/{service.service}/{chosen}"
    deadline = time.monotonic() + seconds
    with record.open("a") as notes, ThreadPoolExecutor(writers) as pool:
        runs = [
            pool.submit(
                _write_until,
                deadline,
                base,
                SampleData(service.schemas[chosen], seed * 1000 + number, region, under),
                number,
                rate / writers,
            )
            for number in range(writers)
        ]
        acknowledged, longest = 0, 0.0
        for run in runs:
            lines, gap = run.result()
            notes.writelines(lines)
            acknowledged, longest = acknowledged + len(lines), max(longest, gap)
    screen.print(
        f"{acknowledged} writes acknowledged; the longest wait of a writer was {longest * 1000:.0f} ms."
    )


@app.command()
def verify(
    folder: Folder,
    region: Region,
    record: Record = Path("acknowledged.jsonl"),
    version: Version = "",
) -> None:
    """Read every acknowledged resource, and tell which are lost or differ."""
    service, chosen = _chosen(folder, version)
    base = f"/apis/{region}/{service.service}/{chosen}"
    newest: dict[str, dict[str, Any]] = {}
    for line in record.read_text().splitlines():
        noted = json.loads(line)
        known = newest.get(noted["name"])
        if known is None or known["revision"] < noted["revision"]:
            newest[noted["name"]] = noted
    with _signed_in() as client:
        found = {name: _state(client, f"{base}/{name}", noted) for name, noted in newest.items()}
    lost = [name for name, state in found.items() if state == "lost"]
    differing = [name for name, state in found.items() if state == "differs"]
    for name in (*lost[:20], *differing[:20]):
        errors.print(name)
    screen.print(f"{len(newest)} resources: {len(lost)} lost, {len(differing)} differing.")
    if lost or differing:
        raise typer.Exit(1)


def _state(client: Client, path: str, noted: dict[str, Any]) -> str:
    try:
        found = client.get(path)
    except Problem as problem:
        if problem.status != 404:
            raise
        return "lost"
    revision = int(found.pop("metadata")["resourceVersion"])
    if revision < noted["revision"] or (revision == noted["revision"] and found != noted["document"]):
        return "differs"
    return "there"


@contextmanager
def _signed_in() -> Iterator[Client]:
    client = Client(read_credentials())
    with client.http:
        yield client


def _write_until(
    deadline: float, base: str, data: SampleData, number: int, rate: float
) -> tuple[list[str], float]:
    chance = random.Random(number)  # noqa: S311 - load, not secrets
    resources = [each for each in data.schema.resources.values() if each.patterns]
    lines: list[str] = []
    longest, made, began = 0.0, 0, time.monotonic()
    with _signed_in() as client:
        while time.monotonic() < deadline:
            sample = data.sample(chance.choice(resources), (number + 1) * 100_000 + made)
            made += 1
            if sample is None:
                continue
            started = time.monotonic()
            path = f"{base}/{sample.name}"
            answer = _patiently(client, "PUT", path, sample.document, allowMissing="true")
            longest = max(longest, time.monotonic() - started)
            lines.append(_note(answer))
            time.sleep(max(0.0, made / rate - (time.monotonic() - began)))
    return lines, longest


def _note(document: dict[str, Any]) -> str:
    kept = dict(document)
    revision = int(kept.pop("metadata")["resourceVersion"])
    noted = {"name": kept.get("name", ""), "revision": revision, "document": kept}
    return json.dumps(noted, ensure_ascii=False) + "\n"


def _patiently(client: Client, method: str, path: str, body: Any, **params: str) -> Any:
    """Send a write again while the version changes: it is the same write, so it may arrive twice."""
    give_up = time.monotonic() + 60
    while True:
        try:
            return client.ask(method, path, body, params=dict(params)).body
        except Problem as problem:
            if problem.status not in _RETRIED or time.monotonic() > give_up:
                raise
            time.sleep(0.2)


def _update(sample: Sample) -> dict[str, Any]:
    return {"update": {"name": sample.name, "resource": sample.document, "allowMissing": True}}


def _batches(samples: Iterator[Sample]) -> Iterator[list[Sample]]:
    while batch := list(islice(samples, BATCH)):
        yield batch


def _chosen(folder: Path, version: str) -> tuple[ServiceFolder, str]:
    service = read_folder(folder).refuse_errors()
    chosen = version or next(iter(service.schemas))
    if chosen not in service.schemas:
        raise typer.BadParameter(f"{service.service} has {', '.join(service.schemas)}.")
    return service, chosen
