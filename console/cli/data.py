"""`swy data`: sample resources, live writes that remember what was acknowledged, and the proof that none was lost."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, TextIO

import typer
from rich.progress import Progress

from console.cli.client import ConsoleClient, ConsoleProblem, read_credentials
from console.cli.files import read_text
from console.cli.output import errors, screen
from console.cli.sample_data import Sample, SampleData, named_in_every_version
from migrations_app.domain.schema.folder import ServiceFolder, read_folder

app = typer.Typer(help="Sample resources and load.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The service's folder.", exists=True, file_okay=False)]
Region = Annotated[str, typer.Option(help="The region of the deployment.")]
Version = Annotated[str, typer.Option(help="The API version; the oldest when not given.")]
Seed = Annotated[int, typer.Option(help="The same seed makes the same resources.")]
Under = Annotated[str, typer.Option(help="Only below this parent, such as projects/p0.")]
Record = Annotated[Path, typer.Option(help="File of acknowledged writes, a JSON document per line.")]

BATCH = 50
READ_EVERY_SECONDS = 0.02
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
    data = SampleData(service.schemas[chosen], seed, region, under, named_in_every_version(service, chosen))
    wanted = tuple(each for each in types.split(",") if each)
    base = f"/apis/{region}/{service.service}/{chosen}"
    began, written = time.monotonic(), 0
    with _signed_in() as client, Progress(console=screen.console) as progress:
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
    readers: Annotated[int, typer.Option(min=0, max=64, help="Who read what was acknowledged.")] = 1,
    under: Under = "",
    seed: Seed = 1,
) -> None:
    """Write all the while, note every acknowledged write, and read them back; `verify` looks for all of them later."""
    service, chosen = _chosen(folder, version)
    base, fits = f"/apis/{region}/{service.service}/{chosen}", named_in_every_version(service, chosen)
    deadline = time.monotonic() + seconds
    with record.open("a", buffering=1) as notes, ThreadPoolExecutor(writers + readers) as pool:
        known = Acknowledged(notes)
        runs = [
            pool.submit(
                _write_until,
                deadline,
                base,
                SampleData(service.schemas[chosen], seed * 1000 + number, region, under, fits),
                number,
                rate / writers,
                known,
            )
            for number in range(writers)
        ]
        looks = [pool.submit(_read_until, deadline, base, number, known) for number in range(readers)]
        longest = max(run.result() for run in runs)
        seen = [look.result() for look in looks]
    reads, stale = sum(count for count, _ in seen), [name for _, names in seen for name in names]
    for name in stale[:20]:
        errors.print(name)
    screen.print(
        f"{known.count} writes acknowledged; the longest wait of a writer was {longest * 1000:.0f} ms. "
        f"{reads} reads: {len(stale)} without an acknowledged write."
    )
    if stale:
        raise typer.Exit(1)


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
    for line in read_text(record).splitlines():
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


@app.command()
def rewrite(
    folder: Folder,
    region: Region,
    version: Annotated[str, typer.Option(help="The API version whose write hooks are to run.")],
    type_: Annotated[str, typer.Option("--type", help="The resource type.")],
) -> None:
    """Write every resource of a type as it is, so that the write hooks of the version run for it."""
    service, chosen = _chosen(folder, version)
    resource = service.schemas[chosen].resources.get(type_)
    if resource is None:
        raise typer.BadParameter(f"{chosen} has {', '.join(service.schemas[chosen].resources)}.")
    base, counts = f"/apis/{region}/{service.service}/{chosen}", Counter[str]()
    with _signed_in() as client:
        for pattern in resource.patterns:
            for name in _names(client, base, pattern):
                counts[_rewritten(client, f"{base}/{name}")] += 1
    screen.print(
        f"Wrote {counts['written']} resources as they are; {counts['changed']} were written by others "
        f"meanwhile, {counts['gone']} deleted."
    )


def _names(client: ConsoleClient, base: str, pattern: str) -> Iterator[str]:
    """List the names of all resources of a pattern, page by page."""
    *parent, collection, _ = pattern.split("/")
    path = "/".join([base, *("-" if "{" in part else part for part in parent), collection])
    token = ""
    while True:
        page = _patiently(client, "GET", path, None, fieldMask="name", pageSize="500", pageToken=token)
        yield from (each["name"] for each in page[collection])
        token = page.get("nextPageToken", "")
        if not token:
            return


def _rewritten(client: ConsoleClient, path: str) -> str:
    """Write a resource as it is: its hooks run in that write, or in the write that came in between."""
    give_up = time.monotonic() + 60
    while True:
        try:
            found = client.ask("GET", path)
            client.ask("PUT", path, found.body, tag=found.tag)
        except ConsoleProblem as problem:
            if problem.status in (404, 412):
                return "gone" if problem.status == 404 else "changed"
            if problem.status not in _RETRIED or time.monotonic() > give_up:
                raise
            time.sleep(0.2)
        else:
            return "written"


def _state(client: ConsoleClient, path: str, noted: dict[str, Any]) -> str:
    try:
        found = client.get(path)
    except ConsoleProblem as problem:
        if problem.status != 404:
            raise
        return "lost"
    revision = int(found.pop("metadata")["resourceVersion"])
    if revision < noted["revision"] or (revision == noted["revision"] and found != noted["document"]):
        return "differs"
    return "there"


@contextmanager
def _signed_in() -> Iterator[ConsoleClient]:
    client = ConsoleClient(read_credentials())
    with client.http:
        yield client


class Acknowledged:
    """What was acknowledged so far: in the file at once, and known to those who read."""

    def __init__(self, notes: TextIO) -> None:
        self._notes, self._lock = notes, Lock()
        self._newest: dict[str, int] = {}
        self._names: list[str] = []
        self.count = 0

    def note(self, document: dict[str, Any]) -> None:
        """Keep one answer to a write."""
        kept = dict(document)
        name, revision = str(kept.get("name", "")), int(kept.pop("metadata")["resourceVersion"])
        line = json.dumps({"name": name, "revision": revision, "document": kept}, ensure_ascii=False)
        with self._lock:
            self._notes.write(line + "\n")
            self.count += 1
            if name not in self._newest:
                self._names.append(name)
            self._newest[name] = max(revision, self._newest.get(name, 0))

    def one(self, chance: random.Random) -> tuple[str, int]:
        """Choose a name, and give the revision that every later reader must see; none yet: no name."""
        with self._lock:
            name = chance.choice(self._names) if self._names else ""
            return name, self._newest.get(name, 0)


def _write_until(
    deadline: float, base: str, data: SampleData, number: int, rate: float, known: Acknowledged
) -> float:
    chance = random.Random(number)  # noqa: S311 - load, not secrets
    resources = [each for each in data.schema.resources.values() if each.patterns]
    longest, made, began = 0.0, 0, time.monotonic()
    with _signed_in() as client:
        while time.monotonic() < deadline:
            sample = data.sample(chance.choice(resources), (number + 1) * 100_000 + made)
            made += 1
            if sample is None:
                continue
            started = time.monotonic()
            path = f"{base}/{sample.name}"
            known.note(_patiently(client, "PUT", path, sample.document, allowMissing="true"))
            longest = max(longest, time.monotonic() - started)
            time.sleep(max(0.0, made / rate - (time.monotonic() - began)))
    return longest


def _read_until(deadline: float, base: str, number: int, known: Acknowledged) -> tuple[int, list[str]]:
    """Read what was acknowledged before each read; name what then is not there, or older."""
    chance, reads, stale = random.Random(number), 0, list[str]()  # noqa: S311 - load, not secrets
    with _signed_in() as client:
        while time.monotonic() < deadline:
            name, revision = known.one(chance)
            if name:
                reads += 1
                if _revision(client, f"{base}/{name}") < revision:
                    stale.append(name)
            time.sleep(READ_EVERY_SECONDS)
    return reads, stale


def _revision(client: ConsoleClient, path: str) -> int:
    """Read the revision of a resource; 0 when it is not there."""
    try:
        return int(_patiently(client, "GET", path, None)["metadata"]["resourceVersion"])
    except ConsoleProblem as problem:
        if problem.status != 404:
            raise
        return 0


def _patiently(client: ConsoleClient, method: str, path: str, body: Any, **params: str) -> Any:
    """Send a write again while the version changes: it is the same write, so it may arrive twice."""
    give_up = time.monotonic() + 60
    while True:
        try:
            return client.ask(method, path, body, params=dict(params)).body
        except ConsoleProblem as problem:
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
