"""docker-compose.yml by hand: its commands, as they stand, on servers that other people keep."""

from __future__ import annotations

import json
import os
import secrets
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml
from psycopg import sql

from console.embedded.postgres import Postgres
from console.env import ROOT
from migrations_app.adapters.database_roles import DatabaseAddress
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
    roles = [f"shape_{os.getpid()}_{role}" for role in ("app", "keeps")]
    folder = tmp_path_factory.mktemp("secrets")
    owner = DatabaseAddress.of(postgres.url(names[0]))
    files = {
        "owner_url": owner.url,
        "application_url": with_role(owner.url, roles[0]),
        "data_urls": f"default={with_role(postgres.url(names[1]), roles[1])}",
        "valkey_url": os.environ["REDIS_URL"].replace("db=0", "db=9"),
        "secret_key": "s" * 40,
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    addresses = {
        setting: str(folder / value.removeprefix("/run/secrets/")) if setting.endswith("_FILE") else value
        for setting, value in COMPOSE["web"]["environment"].items()
    } | {
        "SWITCHYARD_HOSTS": "console.example.com",
        "SWITCHYARD_ORIGINS": "https://console.example.com",
        "SWITCHYARD_TLS": "true",
        "SWITCHYARD_EGRESS_NETWORKS": "",
        "SWITCHYARD_TRUSTED_PROXIES": "",
    }
    assert set(COMPOSE["web"]["environment"]) == set(addresses)
    kept = {
        "HOME": os.environ.get("HOME", "/"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    home = {"SWITCHYARD_HOME": str(tmp_path_factory.mktemp("shape") / "not" / "there" / "yet")}
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(names[0])))
        try:
            yield kept | addresses | home | {"DJANGO_SETTINGS_MODULE": "console.settings"}
        finally:
            for name in names:
                connection.execute(
                    sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
                )


def with_role(url: str, role: str) -> str:
    """Give an address of the same database for a role with a password of its own."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{role}:{secrets.token_urlsafe(24)}@{host}").geturl()


def as_owner(shape: dict[str, str]) -> dict[str, str]:
    """Give the environment of the migration job, which alone has the owner's address."""
    path = Path(shape["DATABASE_URL_FILE"]).with_name("owner_url")
    return shape | {"SWITCHYARD_OWNER_URL_FILE": str(path)}


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
        ["python", "manage.py", "prepare"],
        as_owner(shape) | {"SWITCHYARD_HOME": str(tmp_path / "file" / "home")},
    )
    assert refused.returncode == 1
    assert "passwords cannot be written to" in refused.stderr
    assert "Traceback" not in refused.stderr
    with psycopg.connect(Path(shape["DATABASE_URL_FILE"]).read_text()) as connection:
        assert connection.execute("SELECT count(*) FROM switchyard_account").fetchone() == (0,)


def test_the_file_brings_up_a_system_that_is_ready_and_stops_without_force(
    shape: dict[str, str], tmp_path: Path
) -> None:
    migrated = ends(command_of("migrate"), as_owner(shape))
    assert migrated.returncode == 0, migrated.stderr
    made = ends(["python", "manage.py", "prepare"], as_owner(shape) | {"SWITCHYARD_EXAMPLE": "false"})
    assert made.returncode == 0, made.stderr
    credentials = Path(shape["SWITCHYARD_HOME"]) / "credentials.json"
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600

    port = str(free_port())
    (tmp_path / "schedule").mkdir()
    running: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name in PROCESSES:
            line = [port if part == "8000" else part for part in command_of(name)]
            line = [part.replace("/tmp/beat", str(tmp_path / "schedule" / "beat")) for part in line]
            with (tmp_path / f"{name}.log").open("wb") as out:
                environment = shape | {"SWITCHYARD_PULSE_PATH": str(tmp_path / f"{name}.pulse")}
                running[name] = subprocess.Popen(line, cwd=ROOT, env=environment, stdout=out, stderr=out)
        check = [part.replace("8000", port) for part in COMPOSE["web"]["healthcheck"]["test"][1:]]
        until = time.monotonic() + PATIENCE_SECONDS
        # Beat opens its schedule right after it can take SIGTERM; before that the signal kills it.
        # The name of that file ends as the installed dbm has it.
        signs = ("worker.pulse", "switch.pulse", "schedule/*")
        while (probed := ends(check, shape)).returncode != 0 or not all(
            any(tmp_path.glob(sign)) for sign in signs
        ):
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
    refused = ends(
        command_of("migrate"), shape | {"SWITCHYARD_OWNER_URL": "postgresql://u:canary@127.0.0.1:1/x"}
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("switchyard: the database does not answer: ")
    assert "Traceback" not in refused.stderr
    assert "canary" not in refused.stderr


def test_a_process_that_serves_does_not_start_with_the_owners_address(shape: dict[str, str]) -> None:
    for name in ("web", "worker", "beat"):
        refused = ends(command_of(name), as_owner(shape))
        assert refused.returncode != 0, name
        assert "SWITCHYARD_OWNER_URL is set" in refused.stdout + refused.stderr, name
