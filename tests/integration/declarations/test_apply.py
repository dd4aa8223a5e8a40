"""`swy apply`, `swy diff` and `swy export` against a real web process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.windows import WindowRule
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


def window(tmp_path: Path, **spec: object) -> str:
    """Write a document of a window; give its file."""
    file = tmp_path / "window.yaml"
    said = {"effect": "deny", "cron": "0 0 * * *", "minutes": 60, **spec}
    file.write_text(yaml.safe_dump({"kind": "Window", "name": "nightly", "spec": said}))
    return str(file)


def test_a_difference_is_shown_written_once_and_gone(root: Swy, tmp_path: Path) -> None:
    root("apply", "-f", window(tmp_path, reason="audit week"))
    longer = window(tmp_path, minutes=90)
    shown = json.loads(root("diff", "-f", longer, expect=2))
    assert (shown["outcome"], shown["kind"], shown["name"]) == ("changed", "Window", "nightly")
    changed = [line for line in shown["diff"].splitlines() if line[:1] in "+-"]
    assert changed == [
        "--- console",
        "+++ declared",
        "-minutes: 60",
        "+minutes: 90",
        "-reason: audit week",
        "+reason: ''",
    ]
    as_text = root("apply", "--diff", "-f", longer, "-o", "table", expect=2)
    assert as_text.splitlines()[0] == "changed   Window nightly"
    assert "  +minutes: 90" in as_text.splitlines()

    assert outcomes(root("apply", "-f", longer)) == ["changed"]
    assert outcomes(root("apply", "-f", longer)) == ["unchanged"]
    assert root.told("windows")["minutes"] == 90
    assert json.loads(root("diff", "-f", longer))["diff"] == ""


def test_what_is_not_understood_is_refused_with_file_document_and_line_before_anything_is_written(
    root: Swy, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(
        "kind: Window\nname: good\nspec: {effect: deny, cron: 0 0 * * *, minutes: 60}\n---\n"
        "kind: Window\nname: bad\nspec:\n  effect: deny\n  minuts: 60\n---\n"
        "kind: Windov\nname: worse\n---\nkind: Window\nname: good\nspec: {effect: deny}\n"
    )
    refused = root.run("apply", "-f", str(file))
    assert refused.returncode == 8
    assert [line.partition(";")[0] for line in refused.stderr.splitlines()] == [
        f"{file}, document 2, line 9: there is no field 'minuts' of Window",
        f"{file}, document 3, line 11: there is no kind 'Windov'",
        f"{file}, document 4, line 14: Window good is declared already in {file}, document 1, line 1.",
    ]
    file.write_text("kind: Window\nname: good\nspec: {effect: deny, effect: allow}\n")
    assert "line 3: spec.effect is there twice." in root("apply", "-f", str(file), expect=8)
    file.write_text("kind: Window\nnama: good\n")
    assert f"{file}, document 1, line 2: there is no field 'nama'" in root("apply", "-f", str(file), expect=8)
    file.write_text("kind: [\n")
    assert f"{file}, line 2: " in root("apply", "-f", str(file), expect=8)
    assert "there is no such file" in root("apply", "-f", str(tmp_path / "none"), expect=8)
    assert WindowRule.objects.count() == 0


def test_what_the_console_refuses_is_told_at_its_line_and_nothing_is_written(
    root: Swy, tmp_path: Path
) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(
        "kind: Window\nname: good\nspec: {effect: deny, cron: 0 0 * * *, minutes: 60}\n---\n"
        "kind: Policy\nname: bad\nspec:\n  purpose: switch\n  about:\n    kinds: [version, tide]\n"
    )
    refused = root.run("apply", "-f", str(file))
    assert refused.returncode == 8
    assert refused.stderr.splitlines()[0].startswith(f"{file}, document 2, line 10: about.kinds.1: ")
    assert refused.stderr.splitlines()[-1] == "Nothing was written."
    assert WindowRule.objects.count() == 0

    make_account("oscar", "operator")
    oscar = Swy(root.environment["SWITCHYARD_URL"], token_of("oscar"))
    file.write_text(file.read_text().replace("version, tide", "version"))
    denied = oscar.run("apply", "-f", str(file))
    assert (denied.returncode, "Who can: admin" in denied.stderr) == (3, True)
    assert WindowRule.objects.count() == 0


def test_only_what_was_made_under_the_label_by_oneself_and_left_alone_is_pruned(
    root: Swy, tmp_path: Path
) -> None:
    for name in ("mine", "changed", "theirs"):
        other = {"effect": "deny", "cron": "0 0 * * *", "minutes": 60}
        document = {"kind": "Window", "name": name, "spec": other}
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(document))
    keep = window(tmp_path)
    root("windows", "set", "theirs", "--effect", "deny", "--cron", "0 0 * * *", "--minutes", "60")
    assert root.run("apply", "-f", keep, "--prune").returncode == 64

    first = root("apply", "-f", str(tmp_path), "--owner", "night")
    assert outcomes(first) == ["created", "created", "unchanged", "created"]
    root("windows", "set", "changed", "--minutes", "61")
    make_account("alma", "admin")
    alma = Swy(root.environment["SWITCHYARD_URL"], token_of("alma"))
    assert outcomes(alma("apply", "-f", keep, "--owner", "night", "--prune")) == ["unchanged"]

    would = root.run("apply", "-f", keep, "--owner", "night", "--prune", "--dry-run")
    assert (would.returncode, outcomes(would.stdout)) == (2, ["unchanged", "kept", "deleted"])
    assert WindowRule.objects.count() == 4
    pruned = root.run("apply", "-f", keep, "--owner", "night", "--prune")
    assert (pruned.returncode, outcomes(pruned.stdout)) == (6, ["unchanged", "kept", "deleted"])
    assert [*WindowRule.objects.order_by("name").values_list("name", flat=True)] == [
        "changed",
        "nightly",
        "theirs",
    ]
    root("windows", "delete", "changed")
    assert outcomes(root("apply", "-f", keep, "--owner", "night", "--prune")) == ["unchanged"]
    assert outcomes(root("apply", "-f", keep, "--owner", "other", "--prune")) == ["unchanged"]


def test_a_webhook_with_another_address_differs_although_its_address_is_not_shown(
    root: Swy, tmp_path: Path
) -> None:
    file = tmp_path / "hook.yaml"

    def declare(url: str) -> str:
        spec = {"url": url, "events": ["upgrade.*"]}
        file.write_text(yaml.safe_dump({"kind": "Webhook", "name": "ops", "spec": spec}))
        return str(file)

    root("apply", "-f", declare("https://127.0.0.1/x/secret-1234"))
    other = declare("https://127.0.0.1/y/secret-1234")
    assert json.loads(root("diff", "-f", other, expect=2))["diff"] == "url: another address"
    assert outcomes(root("apply", "-f", other)) == ["changed"]
    assert outcomes(root("apply", "-f", other)) == ["unchanged"]
    assert "secret-12" not in root("export", "webhooks")


def test_a_rollout_that_is_planned_is_not_planned_otherwise(root: Swy, declared: Path) -> None:
    root("apply", "-f", str(declared))
    file = declared / "all.yaml"
    file.write_text(
        EVERY_KIND.replace("[[secrets.example.com@eu-1], [", "[[secrets.example.com@eu-1, ").replace(
            "us-1]]", "us-1]]"
        )
    )
    refused = root("apply", "-f", str(declared), expect=8)
    assert "is planned with another waves; stop it, or take another name." in refused
