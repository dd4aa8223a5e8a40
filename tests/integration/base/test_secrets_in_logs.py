"""No log holds a secret: what the search over every test run finds, and the statements that PostgreSQL refuses."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from console.embedded.postgres import Postgres
from migrations_app.control.access.commands.create_account import NewAccount, create_account
from migrations_app.control.notifications.commands.write_webhook import HookSpec, create_webhook
from migrations_app.domain.access import Actor, actor_with
from migrations_app.kernel.errors import Conflict
from migrations_app.models.access import Account
from migrations_app.models.hooks import Webhook
from tests.recording.logs import leaks, recorded
from tests.recording.sitecustomize import RECORD

pytestmark = pytest.mark.django_db(transaction=True)
HOOK = HookSpec("log-search", "https://receiver.example.com/", ("audit.entry",))


def ann() -> Actor:
    """An admin who has just shown who she is."""
    return replace(actor_with("ann", "admin"), proved_at=timezone.now())


def log_of(postgres: Postgres) -> bytes:
    """What PostgreSQL has written."""
    return (postgres.folder.parent / "postgres.log").read_bytes()


def test_every_maker_of_secrets_is_recorded() -> None:
    hook = create_webhook(ann(), HOOK)
    password = secrets.token_urlsafe(16)
    create_account(ann(), NewAccount("log-search", password=password))
    row = Account.objects.get(username="log-search")
    known = recorded()
    assert str(hook["secret"]).removeprefix("whsec_").encode() in known
    assert {password.encode(), row.password.removeprefix("argon2").encode()} <= known


def test_processes_that_tests_start_record_theirs_too() -> None:
    code = "import secrets; print(secrets.token_urlsafe(32))"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip().encode() in recorded()


def test_the_search_finds_a_secret_within_a_line(tmp_path: Path) -> None:
    secret = secrets.token_urlsafe(32)
    line = f"ERROR VALUES ('w1', 'whsec_{secret}', 'x')".encode()
    assert len(leaks([("postgres.log", line)], recorded())) == 1
    assert leaks([("postgres.log", line.replace(secret.encode(), b"*" * 43))], recorded()) == []


def test_a_taken_name_leaves_no_value_in_the_log_of_the_database(postgres: Postgres) -> None:
    before = len(log_of(postgres))
    create_webhook(ann(), HOOK)
    create_account(ann(), NewAccount("log-search", password="correct horse battery"))
    for again in (
        lambda: create_webhook(ann(), HOOK),
        lambda: create_account(ann(), NewAccount("log-search", password="correct horse battery")),
    ):
        with pytest.raises(Conflict):
            again()
    # Looked for first, so the database has nothing to refuse.
    assert b"ERROR" not in log_of(postgres)[before:]


@pytest.mark.parametrize("kind", ["duplicate", "check", "prepared"])
def test_a_refused_statement_is_logged_without_its_values(postgres: Postgres, kind: str) -> None:
    secret, before = secrets.token_urlsafe(32), len(log_of(postgres))
    if kind == "prepared":
        with psycopg.connect(postgres.url("postgres")) as plain, pytest.raises(psycopg.Error):
            plain.execute("SELECT 1 / (CASE WHEN %s::text = '' THEN 1 ELSE 0 END)", [secret], prepare=True)
    else:
        Webhook.objects.create(id="w1", name="one", sealed_secret=secret, events=[])
        change = {
            "duplicate": "INSERT INTO switchyard_webhook SELECT * FROM switchyard_webhook WHERE sealed_secret = %s",
            "check": "UPDATE switchyard_webhook SET cursor = NULL WHERE sealed_secret = %s",
        }
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change[kind], [secret])
    logged = log_of(postgres)[before:]
    assert b"ERROR" in logged
    assert secret.encode() not in logged


def test_the_run_searches_its_logs_when_it_ends(tmp_path: Path) -> None:
    (tmp_path / "test_leaking.py").write_text(
        "import secrets\n\ndef test_leaking(tmp_path):\n"
        "    (tmp_path / 'web.log').write_text(f'token={secrets.token_urlsafe(32)}')\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    root = Path(__file__).resolve().parents[3]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.plugin", "-p", "no:django", str(tmp_path)],
        cwd=tmp_path, env=environment | {"PYTHONPATH": str(root)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "FAILED a secret stands in a log: " in ran.stdout
    assert RECORD in os.environ
