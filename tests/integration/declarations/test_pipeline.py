"""The script of docs/how-to/pipeline.md, run twice against real processes: the second run changes nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from console.env import ROOT
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import make_account, token_of
from tests.processes import Children
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = (ROOT / "docs" / "how-to" / "pipeline.md").read_text()
SECRETS = ROOT / "examples" / "secrets"


def block(language: str) -> str:
    """Give the block of the page that is written in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A checkout as the page describes it, with `swy` beside it."""
    folder = tmp_path / "checkout"
    (folder / "declarations").mkdir(parents=True)
    (folder / "bin").mkdir()
    shutil.copytree(SECRETS, folder / "service")
    (folder / "declarations" / "all.yaml").write_text(block("yaml"))
    (folder / "pipeline.sh").write_text(block("bash"))
    swy = folder / "bin" / "swy"
    swy.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m console.cli "$@"\n')
    swy.chmod(0o755)
    return folder


def run_script(folder: Path, url: str, token: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a pipeline would."""
    environment = os.environ | {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "SWITCHYARD_URL": url,
        "SWITCHYARD_TOKEN": token,
        "DEPLOYMENT": "secrets.example.com@eu-west1",
        "FROM_VERSION": "v1alpha2",
        "VERSION": "v1",
        "DOCUMENTS": "2",
        "COPY_SECONDS": "240",
        "VOTE_SECONDS": "240",
    }
    return subprocess.run(
        ["bash", "pipeline.sh"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def vote(people: list[Swy], ends: float) -> None:
    """Let two people approve the first request that comes up."""
    while time.monotonic() < ends:
        waiting = people[0].lines("approvals")
        if waiting:
            for person in people:
                person("approve", str(waiting[0]["id"]), "-m", "ok")
            return
        time.sleep(0.5)


def results(printed: str) -> list[dict[str, str]]:
    """Read what `ensure` printed."""
    lines = [line for line in printed.splitlines() if line.startswith('{"deployment"')]
    return [json.loads(line) for line in lines]


def test_the_script_brings_a_deployment_to_a_version_and_changes_nothing_when_it_is_run_again(
    repository: Path, live_worker: Children
) -> None:
    url = live_worker.start_web()
    make_account("robot", "admin")
    for name in ("ann", "bob"):
        make_account(name, "approver")
    token = token_of("robot")
    people = [Swy(url, token_of(name)) for name in ("ann", "bob")]
    voter = threading.Thread(target=vote, args=(people, time.monotonic() + 400))
    voter.start()
    try:
        first = run_script(repository, url, token)
    finally:
        voter.join()
    assert first.returncode == 0, first.stdout + first.stderr + live_worker.log("worker")
    ready, asked, switched = results(first.stdout)
    assert (ready["state"], ready["outcome"]) == ("READY", "changed")
    assert asked["approval"] == f"{url}/approvals/{asked['approval'].rpartition('/')[2]}"
    assert (switched["state"], switched["upgrade_id"]) == ("REVERSIBLE", ready["upgrade_id"])
    assert Deployment.objects.get(service_id="secrets.example.com").current_version == "v1"

    newest = LedgerEntry.objects.order_by("-pk").values_list("pk", flat=True)[0]
    rev = Upgrade.objects.get().rev
    again = run_script(repository, url, token)
    assert again.returncode == 0, again.stdout + again.stderr
    assert [(each["outcome"], each["state"]) for each in results(again.stdout)] == [
        ("unchanged", "REVERSIBLE")
    ] * 3
    outcomes = [json.loads(line)["outcome"] for line in again.stdout.splitlines() if '"outcome"' in line]
    assert {*outcomes} == {"unchanged"}
    later = LedgerEntry.objects.filter(pk__gt=newest).exclude(outcome="dry_run")
    assert [(entry.action, entry.target, entry.before, entry.after) for entry in later] == []
    assert (Upgrade.objects.count(), Upgrade.objects.get().rev) == (1, rev)
