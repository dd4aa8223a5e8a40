"""`swy apply`, `swy diff` and `swy export` against a real web process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import make_account, token_of
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)
SECRETS = Path(__file__).resolve().parents[3] / "examples" / "secrets"
EVERY_KIND = """\
kind: Rollout
name: To v1
spec:
  target_version: v1
  waves: [[secrets.example.com@eu-1], [secrets.example.com@us-1]]
---
kind: Binding
spec: {subject: olga, role: lookout, region: eu-*, conditions: {days: [1, 2]}}
---
kind: Role
name: lookout
spec:
  title: Looks on
  permissions: [fleet.read, upgrade.read]
---
kind: Window
name: nightly
spec:
  effect: deny
  cron: 0 0 * * *
  minutes: 60
  starts: ""
  reason: audit week
---
kind: Policy
name: two
spec: {purpose: switch, needed: 2, service: secrets.*}
---
kind: Webhook
name: ops
spec: {format: signed, url: "https://127.0.0.1/x/secret-1234", events: [upgrade.*]}
---
kind: Deployment
name: secrets.example.com@eu-1
spec: {currentVersion: v1alpha2, publicDomain: eu.example.com, metadata: {labels: {team: payments}}}
---
kind: Deployment
name: services/secrets.example.com/deployments/us-1
spec: {currentVersion: v1alpha2}
---
kind: Region
name: eu-1
spec: {title: Belgium, metadata: {annotations: {timeZone: Europe/Brussels}}}
---
kind: Region
name: us-1
"""
ORDER = ["Region", "Region", "Service", "Deployment", "Deployment", "Role", "Binding", "Policy"]
ORDER += ["Window", "Webhook", "Rollout"]


@pytest.fixture
def root(live_web_of_the_machine: str) -> Swy:
    make_account("root", "admin")
    make_account("olga")
    return Swy(live_web_of_the_machine, token_of("root"))


@pytest.fixture
def live_web_of_the_machine(children: Any) -> str:
    """A web process that may call the addresses of this machine."""
    return str(children.start_web(SWITCHYARD_EGRESS_NETWORKS="127.0.0.0/8"))


@pytest.fixture
def declared(tmp_path: Path) -> Path:
    """A folder that declares an object of every kind."""
    folder = tmp_path / "declared"
    folder.mkdir()
    (folder / "all.yaml").write_text(EVERY_KIND)
    service = {"kind": "Service", "name": "secrets.example.com", "spec": {"folder": str(SECRETS)}}
    (folder / "service.json").write_text(json.dumps([service], indent="\t"))
    return folder


def outcomes(printed: str) -> list[str]:
    return [json.loads(line)["outcome"] for line in printed.splitlines()]


def test_every_kind_is_created_in_order_then_unchanged_and_exported_as_it_is(
    root: Swy, declared: Path, tmp_path: Path
) -> None:
    rehearsed = root("apply", "-f", str(declared), "--dry-run", expect=2)
    assert [json.loads(line)["kind"] for line in rehearsed.splitlines()] == ORDER
    assert {*outcomes(rehearsed)} == {"created"}
    assert root("export") == root("export", "bindings")

    assert root("apply", "-f", str(declared)) == rehearsed
    entries = LedgerEntry.objects.filter(outcome="done").count()
    again = root("apply", "-f", str(declared))
    assert outcomes(again) == ["unchanged"] * 11
    assert LedgerEntry.objects.filter(outcome="done").count() == entries
    root("apply", "-f", str(declared), "--dry-run")
    root("diff", "-f", str(declared))

    exported = root("export")
    kinds = [document["kind"] for document in yaml.safe_load_all(exported)]
    assert kinds == [*ORDER[:6], "Binding", *ORDER[6:]]
    applied = root.run("apply", "-f", "-", stdin=exported)
    assert (applied.returncode, outcomes(applied.stdout)) == (0, ["unchanged"] * 12)
    as_json = tmp_path / "exported.json"
    as_json.write_text(root("export", "-o", "json"))
    assert outcomes(root("diff", "-f", str(as_json))) == ["unchanged"] * 12
    assert LedgerEntry.objects.filter(outcome="done").count() == entries
