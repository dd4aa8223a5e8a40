"""`swy data` against a real server: sample resources, live writes through a switch, and the proof."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from typer.testing import CliRunner, Result

from console.cli.application import app
from console.cli.sample_data import SampleData
from migrations_app import wiring
from migrations_app.domain.schema.documents import DocumentChecker
from migrations_app.domain.schema.folder import read_folder
from migrations_app.resource_api.app import by_prefix
from tests.factories.access import make_account, token_of
from tests.factories.notes import end_notes
from tests.integration.resource_api.conftest import EXAMPLES, REGION, Yard

FOLDER = str(EXAMPLES / "secrets")


@pytest.fixture
def swy(transactional_db: None, ports: Yard, monkeypatch: pytest.MonkeyPatch) -> Iterator[CliRunner]:
    """The command line, signed in at a real server of the resource API."""
    wiring.resource_servers.cache_clear()
    make_account("olga", "operator")
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(by_prefix(None), log_level="critical", lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    monkeypatch.setenv("SWITCHYARD_URL", f"http://127.0.0.1:{listening.getsockname()[1]}")
    monkeypatch.setenv("SWITCHYARD_TOKEN", token_of("olga"))
    try:
        yield CliRunner()
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()
        end_notes()
        wiring.resource_servers.cache_clear()
        wiring.databases().close(ports.database)


def test_the_same_seed_makes_the_same_valid_resources_with_references_that_resolve() -> None:
    schema = read_folder(EXAMPLES / "secrets").schemas["v1"]
    samples = list(SampleData(schema, 7).samples(60))

    assert samples == list(SampleData(schema, 7).samples(60))
    assert samples != list(SampleData(schema, 8).samples(60))
    names = {sample.name for sample in samples}
    assert len(names) == 60
    for sample in samples:
        assert DocumentChecker(schema, schema.resource(sample.type).message).check(sample.document).valid
        if sample.type == "SecretGrant":
            assert sample.document["secret"] in names


def lines(record: Path) -> list[str]:
    """Give what was noted so far."""
    return record.read_text().splitlines() if record.exists() else []


def test_live_writes_survive_a_switch_and_are_all_found(swy: CliRunner, ports: Yard, tmp_path: Path) -> None:
    generated = swy.invoke(app, ["data", "generate", FOLDER, "--region", REGION, "--count", "30"])
    assert "Wrote 30 resources" in generated.output
    record = tmp_path / "acknowledged.jsonl"
    asked = [
        "data",
        "load",
        FOLDER,
        "--region",
        REGION,
        "--seconds",
        "4",
        "--rate",
        "30",
        "--record",
        str(record),
    ]
    outcome: list[str] = []
    load = threading.Thread(target=lambda: outcome.append(swy.invoke(app, asked).output))
    load.start()
    while load.is_alive() and len(lines(record)) <= 5:
        time.sleep(0.02)
    ports.switch()
    load.join()

    assert "writes acknowledged" in outcome[0], outcome
    assert re.search(r" [1-9][0-9]* reads: 0 without an acknowledged write", outcome[0]), outcome
    acknowledged = record.read_text().splitlines()
    assert len(acknowledged) > 5
    verified = swy.invoke(app, ["data", "verify", FOLDER, "--region", REGION, "--record", str(record)])
    names = {json.loads(line)["name"] for line in acknowledged}
    assert f"{len(names)} resources: 0 lost, 0 differing." in verified.output
    assert verified.exit_code == 0

    noted = json.loads(acknowledged[0])
    noted["name"] += "-lost"
    record.write_text(json.dumps(noted) + "\n")
    again = swy.invoke(app, ["data", "verify", FOLDER, "--region", REGION, "--record", str(record)])
    assert (again.exit_code, "1 resources: 1 lost" in again.output) == (1, True)


def test_readers_tell_of_what_was_acknowledged_and_is_gone(
    swy: CliRunner, ports: Yard, tmp_path: Path
) -> None:
    record = tmp_path / "acknowledged.jsonl"
    record.touch()
    asked = ["data", "load", FOLDER, "--region", REGION, "--seconds", "6", "--rate", "40", "--readers", "4"]
    outcome: list[Result] = []
    # In six seconds a slow machine may write nothing that could be deleted, or not read it again.
    gone: set[str] = set()
    for seed in range(10):
        asked_now = [*asked, "--record", str(record), "--seed", str(seed)]
        load = threading.Thread(target=lambda given=asked_now: outcome.append(swy.invoke(app, given)))
        load.start()
        while load.is_alive():
            time.sleep(0.1)
            noted = {json.loads(line)["name"] for line in lines(record)[:-1]}
            for name in {each for each in noted if "/secretGrants/" in each} - gone:
                ports.call("DELETE", name)
                gone.add(name)
        load.join()
        if outcome[-1].exit_code:
            break
    assert re.search(r" reads: [1-9][0-9]* without an acknowledged write", outcome[-1].output), outcome
    assert outcome[-1].exit_code == 1


def test_every_resource_is_written_as_it_is(swy: CliRunner, ports: Yard) -> None:
    for number in range(3):
        ports.call("POST", "projects/p/secrets", {"title": f"t{number}", "legacyEtag": "x"}, id=f"s{number}")
    ports.switch()
    before = [ports.call("GET", f"projects/p/secrets/s{number}").document for number in range(3)]

    asked = ["data", "rewrite", FOLDER, "--region", REGION, "--version", "v1alpha2", "--type"]
    done = swy.invoke(app, [*asked, "Secret"])

    assert "Wrote 3 resources as they are; 0 were written by others meanwhile, 0 deleted." in done.output
    after = [ports.call("GET", f"projects/p/secrets/s{number}").document for number in range(3)]
    for old, new in zip(before, after, strict=True):
        assert isinstance(old, dict)
        assert isinstance(new, dict)
        assert int(new["metadata"]["resourceVersion"]) > int(old["metadata"]["resourceVersion"])  # type: ignore[index,call-overload,arg-type]
        assert {**new, "metadata": None} == {**old, "metadata": None}
    refused = swy.invoke(app, [*asked, "Parcel"])
    assert (refused.exit_code, "Project, Secret, SecretGrant" in refused.output) == (2, True)
