"""The rehearsal of docs/how-to/upgrade-switchyard.md: processes of two versions of Switchyard on one database, under writes."""

from __future__ import annotations

import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from django.core.management import call_command

from console.env import ROOT
from migrations_app.domain.switch.states import State
from tests.factories.access import make_account, token_of
from tests.integration.base.live_writes import LiveWrites, listed_titles, outcome_of, wait_for_upgrade
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
PREVIOUS = "afc7b7825bdc5c4b2e14c41c552f2f5f33c00fd0"
"""The version that was landed before; a release moves it to itself."""
PARTS = (
    "manage.py",
    "pyproject.toml",
    "console",
    "celery_worker",
    "migrations_app",
    "switchyard_client",
    "examples",
)
SCHEMA_ERRORS = ("UndefinedColumn", "UndefinedTable", "UndefinedObject", "NotNullViolation", "CheckViolation")
"""What a process meets whose tables changed under it."""
PATIENCE_SECONDS = 120.0


@pytest.fixture
def previous(tmp_path: Path) -> Path:
    """The code of the previous version, out of this clone's history."""
    archive, code = tmp_path / "previous.tar", tmp_path / "previous"
    command = ["git", "archive", "--format=tar", f"--output={archive}", PREVIOUS, *PARTS]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"The history of this clone has no {PREVIOUS[:8]}: `git fetch --unshallow` brings it.")
    with tarfile.open(archive) as files:
        files.extractall(code, filter="data")
    return code


@contextmanager
def tables_of(code: Path) -> Iterator[None]:
    """Bring the control database to the migrations of another version, and forward again at the end."""
    newest = sorted(path.stem for path in code.glob("migrations_app/migrations/[0-9]*.py"))[-1]
    call_command("migrate", "switchyard", newest, verbosity=0)
    try:
        yield
    finally:
        call_command("migrate", verbosity=0)


@pytest.fixture
def old(previous: Path, children: Children) -> Iterator[Children]:
    """Starts processes of the previous version."""
    folder = children.folder / "old"
    folder.mkdir()
    made = Children(folder, previous)
    try:
        yield made
    finally:
        made.stop()


def wait_for_workers(web: str, headers: dict[str, str], count: int) -> None:
    """Wait until so many workers say that they live."""
    until, line = time.monotonic() + PATIENCE_SECONDS, f"switchyard_workers_alive {count}.0"
    while line not in (text := httpx.get(f"{web}/metrics", headers=headers, timeout=30).text).splitlines():
        assert time.monotonic() < until, text[-2000:]
        time.sleep(0.2)


def test_old_and_new_processes_carry_out_one_upgrade_side_by_side(
    started: str, old: Children, children: Children
) -> None:
    make_account("vera", "admin")
    headers = {"authorization": f"Bearer {token_of('vera')}"}
    path, collection = "apis/eu-west1/secrets.example.com", "v1alpha2/projects/p/secrets"
    with tables_of(old.code):
        old.start_worker("old-worker")
        old.start_beat()
        before = f"{old.start_web('old-web')}/{path}/{collection}"
        with LiveWrites([[before]], headers, "before").running() as first:
            first.wait_for(20, old.log("old-web"))
            # As the migration job does it: while the old processes go on.
            call_command("migrate", verbosity=0)
            first.wait_for(20, old.log("old-web"))
            children.start_worker()
            web = children.start_web()
            wait_for_workers(web, headers, 2)
        upgrade, after = f"{web}/api/v1/upgrades/{started}", f"{web}/{path}/{collection}"
        with LiveWrites([[before, after], [after]], headers, "beside").running() as second:
            second.wait_for(30, children.log("web"))
            wait_for_upgrade(upgrade, headers, State.READY.value)
            wait_for_upgrade(upgrade, headers, State.REVERSIBLE.value, action="switch")
            second.wait_for(20, children.log("web"))
        old.stop()

    assert first.refused + second.refused == []
    listed = listed_titles(f"{web}/{path}/v1/projects/p/regions/eu-west1/secrets", headers, "displayName")
    outcome = outcome_of([first, second], listed, "rolling upgrade")
    assert (outcome.lost, outcome.duplicated) == ([], [])
    logs = "".join(log.read_text() for log in children.folder.rglob("*.log"))
    assert [error for error in SCHEMA_ERRORS if error in logs] == []
