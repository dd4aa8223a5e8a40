"""`swy` and the registry, over real HTTP."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.factories.access import make_account, token_of
from tests.swy import Swy

FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
SWY = [sys.executable, "-c", "from console.cli.main import main; main()"]


@pytest.fixture
def swy(live_web: str) -> Swy:
    """`swy` of an admin."""
    make_account("root", "admin")
    return Swy(live_web, token_of("root"))


def test_the_fleet_is_applied_listed_changed_and_upgraded_from_the_command_line(
    swy: Swy, live_web: str, tmp_path: Path
) -> None:
    assert "secrets.example.com: v1, v1alpha2" in swy("fleet", "apply", str(FLEET))
    assert len(swy.lines("fleet")) == 12
    assert [one["name"] for one in swy.lines("regions", "list")] == [
        "regions/ap-south3",
        "regions/eu-west1",
        "regions/us-east2",
    ]
    found = swy.lines(
        "deployments", "list", "--filter", 'currentVersion = "v1alpha2"', "--order-by", "name desc"
    )
    assert [one["region"] for one in found] == ["regions/us-east2", "regions/eu-west1", "regions/ap-south3"]
    assert swy("services", "get", "iam.example.com", "-o", "name").strip() == "services/iam.example.com"

    declared = tmp_path / "secrets.yaml"
    declared.write_text("name: secrets.example.com/eu-west1\npublicDomain: secrets.eu.example.com\n")
    assert json.loads(swy("deployment", "apply", str(declared)))["public_domain"] == "secrets.eu.example.com"
    assert json.loads(swy("service", "apply", str(FLEET / "iam")))["changed"] is False

    title = tmp_path / "region.json"
    title.write_text('{"name": "regions/eu-west1", "title": "Brussels"}')
    assert json.loads(swy("regions", "apply", str(title)))["title"] == "Brussels"

    refused = swy("deployments", "delete", "iam.example.com/us-east2", expect=6)
    assert "which is not deployed in us-east2" in refused
    assert "There is no" in swy("regions", "get", "nowhere", expect=7)
    swy("regions", "get", expect=64)
    make_account("vera", "viewer")
    viewer = Swy(live_web, token_of("vera"))
    assert "Who can" in viewer("regions", "delete", "eu-west1", expect=3)

    name = "services/secrets.example.com/deployments/eu-west1"
    asked = ("meta", "begin-upgrade", "deployment", "--name", name)
    same = ("--total-shards-count", "16", "--target-version", "v1alpha2")
    assert "already runs v1alpha2" in swy(*asked, *same, expect=6)
    assert json.loads(swy(*asked, "--total-shards-count", "16", "--target-version", "v1")) == {}
    begun = json.loads(swy("deployments", "get", "secrets.example.com/eu-west1", "-o", "json"))
    assert begun["upgradeState"]["targetVersion"] == "v1"
    assert begun["upgradeState"]["pendingShards"] == list(range(16))

    told = swy("deployments", "watch", "--filter", 'currentVersion = "v1alpha2"', "--timeout", "2", expect=5)
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert [each["added"]["deployment"]["region"] for each in lines] == [
        "regions/ap-south3",
        "regions/eu-west1",
        "regions/us-east2",
    ]
    one = swy("regions", "watch", "eu-west1", "--timeout", "1", expect=5)
    assert json.loads(one.splitlines()[0])["added"]["region"]["title"] == "Brussels"
    swy("regions", "watch", "nowhere", "--timeout", "5", expect=7)

    shown = on_a_terminal(
        swy, "deployments", "list", "--filter", 'serviceName = "services/secrets.example.com"'
    )
    assert [line.split() for line in shown.splitlines()[:2]] == [
        ["name", "currentVersion", "isDisabled", "upgrade"],
        ["services/secrets.example.com/deployments/ap-south3", "v1alpha2"],
    ]
    assert "v1 INITIAL_SYNCING 0/16" in shown


def on_a_terminal(swy: Swy, *command: str) -> str:
    """Run a command with a terminal to write to, wide enough for a table."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    environment = {**os.environ, **swy.environment, "NO_COLOR": "", "TERM": "xterm", "COLUMNS": "200"}
    with subprocess.Popen([*SWY, *command], env=environment, stdout=theirs, stderr=theirs) as running:
        os.close(theirs)
        written = b""
        with contextlib.suppress(OSError):  # the terminal's other end is gone once the command is
            while part := os.read(ours, 65536):
                written += part
        assert running.wait(60) == 0
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;]*m", "", written.decode()).replace("\r\n", "\n")


def test_a_service_is_deployed_from_the_command_line_and_not_twice(swy: Swy, tmp_path: Path) -> None:
    swy("fleet", "apply", str(FLEET))
    swy("service", "apply", str(FLEET.parent / "delivery"))
    create = ("deployment", "create", "delivery.example.com@eu-west1")
    assert "which is not among the versions of delivery" in swy(*create, "v9", expect=6)
    swy(*create, "v1", "--dry-run")
    assert "There is no" in swy("deployments", "get", "delivery.example.com@eu-west1", expect=7)
    made = json.loads(swy(*create, "v1"))
    assert (made["name"], made["current_version"]) == (
        "services/delivery.example.com/deployments/eu-west1",
        "v1",
    )
    again = " ".join(swy(*create, "v2", expect=64).split())
    assert "swy upgrade plan delivery.example.com@eu-west1 v2" in again
    nameless = tmp_path / "nameless.yaml"
    nameless.write_text("currentVersion: v1\n")
    assert "in a file as `name`" in " ".join(swy("deployment", "apply", str(nameless), expect=64).split())
