"""docker-compose.yml by hand: its commands, as they stand, on servers that somebody else keeps."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from psycopg import sql

from console.embedded.postgres import Postgres
from console.env import ROOT
from tests.processes import free_port

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
IMAGE = (ROOT / "Dockerfile").read_text()
PROCESSES = ("web", "worker", "switch", "beat")
PATIENCE_SECONDS = 120.0


def command_of(service: str) -> list[str]:
    """The service's command, or the image's own."""
    own: list[str] = COMPOSE[service].get("command") or json.loads(IMAGE.rpartition("CMD ")[2])
    return own


@pytest.fixture(scope="module")
def shape(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of every service, with an empty control and an empty data database."""
    names = [f"shape_{os.getpid()}_{part}" for part in ("control", "data")]
    addresses = {
        "DATABASE_URL": postgres.url(names[0]),
        "SWITCHYARD_DATA_URLS": f"default={postgres.url(names[1])}",
        "REDIS_URL": os.environ["REDIS_URL"].replace("db=0", "db=9"),
        "SWITCHYARD_SECRET_KEY": "s" * 40,
        "SWITCHYARD_HOSTS": "console.example.com",
        "SWITCHYARD_ORIGINS": "https://console.example.com",
        "SWITCHYARD_TLS": "true",
        "SWITCHYARD_LOG_FORMAT": "json",
    }
    assert set(COMPOSE["web"]["environment"]) == set(addresses)
    kept = {
        "HOME": os.environ.get("HOME", "/"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    home = {"SWITCHYARD_HOME": str(tmp_path_factory.mktemp("shape") / "not" / "there" / "yet")}
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield kept | addresses | home | {"DJANGO_SETTINGS_MODULE": "console.settings"}
        finally:
            for name in names:
                connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def ends(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command of the file to its end."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


def test_a_home_that_cannot_be_written_makes_no_account(shape: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = ends(
        ["python", "manage.py", "prepare"], shape | {"SWITCHYARD_HOME": str(tmp_path / "file" / "home")}
    )
    assert refused.returncode == 1
    assert "passwords cannot be written to" in refused.stderr
    assert "Traceback" not in refused.stderr
    with psycopg.connect(shape["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT count(*) FROM switchyard_account").fetchone() == (0,)


def test_the_file_brings_up_a_system_that_is_ready_and_stops_without_force(
    shape: dict[str, str], tmp_path: Path
) -> None:
    migrated = ends(command_of("migrate"), shape)
    assert migrated.returncode == 0, migrated.stderr
    made = ends(["python", "manage.py", "prepare"], shape | {"SWITCHYARD_EXAMPLE": "false"})
    assert made.returncode == 0, made.stderr
    credentials = Path(shape["SWITCHYARD_HOME"]) / "credentials.json"
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600

    port = str(free_port())
    running: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name in PROCESSES:
            line = [port if part == "8000" else part for part in command_of(name)]
            line = [part.replace("/tmp/beat", str(tmp_path / "beat")) for part in line]
            with (tmp_path / f"{name}.log").open("wb") as out:
                running[name] = subprocess.Popen(line, cwd=ROOT, env=shape, stdout=out, stderr=out)
        check = [part.replace("8000", port) for part in COMPOSE["web"]["healthcheck"]["test"][1:]]
        until = time.monotonic() + PATIENCE_SECONDS
        while (probed := ends(check, shape)).returncode != 0:
            logs = {name: (tmp_path / f"{name}.log").read_text() for name in PROCESSES}
            assert time.monotonic() < until, (probed.stderr, logs)
        assert {name: child.poll() for name, child in running.items()} == dict.fromkeys(PROCESSES)
    finally:
        for child in running.values():
            child.send_signal(signal.SIGTERM)
        codes = {name: child.wait(timeout=PATIENCE_SECONDS) for name, child in running.items()}
    # uvicorn ends its work and then by the signal it was sent.
    assert codes == {"web": -signal.SIGTERM, "worker": 0, "switch": 0, "beat": 0}
    for name in PROCESSES:
        assert "Traceback" not in (tmp_path / f"{name}.log").read_text()


def test_a_database_that_does_not_answer_is_one_sentence(shape: dict[str, str]) -> None:
    refused = ends(command_of("migrate"), shape | {"DATABASE_URL": "postgresql://u:canary@127.0.0.1:1/x"})
    assert refused.returncode == 1
    assert refused.stderr.startswith("switchyard: the database does not answer: ")
    assert "Traceback" not in refused.stderr
    assert "canary" not in refused.stderr
