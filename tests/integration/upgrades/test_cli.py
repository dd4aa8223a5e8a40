"""`swy upgrade` and `swy approvals` against a real web process."""

from __future__ import annotations

import re
import socket

import pytest

from console.cli.exit_codes import REFUSED, USAGE
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from tests.factories.access import make_account, token_of
from tests.integration.upgrades.conftest import SERVICE
from tests.integration.upgrades.test_api import level
from tests.processes import Children
from tests.swy import Swy

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fleet")]


def test_the_whole_way_from_the_command_line(live_web: str) -> None:
    for name, role in (("olga", "operator"), ("ann", "approver"), ("bob", "approver")):
        make_account(name, role)
    olga, ann, bob = (Swy(live_web, token_of(name)) for name in ("olga", "ann", "bob"))
    assert olga.run("whoami").stdout == "olga: operator\n"

    rehearsed = olga.told("upgrade", "plan", f"{SERVICE}@eu-1", "v1", "--dry-run")
    assert rehearsed["possible"] is True
    impossible = olga.run("upgrade", "plan", f"{SERVICE}@eu-1", "v9", "--dry-run")
    assert impossible.returncode == 6

    upgrade = olga.told("upgrade", "plan", f"{SERVICE}@eu-1", "v1", "--start", "-m", "tonight")["id"]
    level(upgrade)
    told = olga.run("upgrade", "show", upgrade, "-o", "table").stdout
    assert re.search(r"✓ Preflight +20[^\n]+ UTC, olga, 6 of 6 checks held\n  ✓ Initial sync", told)
    assert f"16 shards by {socket.gethostname()}:" in told
    watched = olga.run("upgrade", "watch", upgrade, "--timeout", "20")
    assert watched.stdout == (
        "secrets @ eu-1 has all 16 shards caught up for v1; 2 approvals must be requested.\n"
    )
    early = olga.run("upgrade", "switch", upgrade)
    assert early.returncode == 4
    assert "0 of 2 approvals were given" in early.stderr

    olga.told("upgrade", "request-approval", upgrade, "-m", "tonight", "--ticket", "CHG-1")
    own = olga.run("approve", upgrade)
    assert own.returncode == 3
    assert "Who can: approver" in own.stderr
    request = ann.told("approvals", "--tab", "mine")["id"]
    _talk_before_deciding(olga, ann, bob, upgrade, request)
    assert ann.told("approve", request, "-m", "ok")["votes_given"] == 1
    assert bob.run("approve", request, "--digest", "old").returncode == 6
    assert bob.told("approve", upgrade, "-m", "ok")["state"] == "APPROVED"

    switched = olga.told("upgrade", "switch", upgrade)
    assert switched["request"] == "switch"
    assert DjangoUpgrades().load(upgrade).requested_by == "olga"
    again = olga.run("upgrade", "switch", upgrade)
    assert again.returncode == 6
    assert [each["id"] for each in [olga.told("upgrade", "list", "--live")]] == [upgrade]
    nobody = Swy(live_web, "swy_wrong").run("upgrade", "list")
    assert nobody.returncode == 3


def _talk_before_deciding(olga: Swy, ann: Swy, bob: Swy, upgrade: str, request: str) -> None:
    said = ann.run("upgrade", "comment", upgrade, "-m", "Looking now.", "-o", "table")
    assert (said.returncode, said.stdout) == (0, "ann: Looking now.\n")

    rehearsed = bob.run(
        "approvals", "request-changes", request, "-m", "Which ticket?", "--dry-run", "-o", "table"
    )
    assert (rehearsed.returncode, "A dry run: nothing was kept." in rehearsed.stdout) == (0, True)
    assert olga.run("approvals", "answer", request, "-m", "CHG-1").returncode == 6
    assert bob.told("approvals", "request-changes", upgrade, "-m", "Which ticket?")["state"] == "CHANGES"
    held = ann.run("approve", request, "-m", "ok")
    assert (held.returncode, "asked for changes" in held.stderr) == (6, True)
    assert olga.told("approvals", "answer", upgrade, "-m", "CHG-1")["state"] == "OPEN"

    lent = bob.told("approvals", "delegate", request, "ann", "-m", "away")
    assert [(each["who"], each["to"]) for each in lent["delegations"]] == [("bob", "ann")]
    assert "you let ann vote" in bob.run("approve", request, "-m", "ok").stderr.lower()
    assert bob.told("approvals", "delegate", request, "bob")["delegations"] == []


def test_a_move_and_a_change_of_the_data_are_planned_from_the_command_line(
    children: Children, data_database: str
) -> None:
    url = children.start_web(SWITCHYARD_EXTENSIONS="tests.factories.secrets_extension")
    make_account("olga", "operator")
    olga, place = Swy(url, token_of("olga")), f"{SERVICE}@eu-1"

    both = olga.run("upgrade", "plan", place, "--location", data_database, "--data-version", "v1alpha2.1")
    assert (both.returncode, "give one of" in both.stderr) == (USAGE, True)
    assert olga.run("upgrade", "plan", place, "v1", "--location", data_database).returncode == USAGE
    unknown = olga.run("upgrade", "plan", place, "--location", "mars")
    assert (unknown.returncode, data_database in unknown.stderr) == (REFUSED, True)
    undone = olga.run("upgrade", "plan", place, "--data-version", "v9")
    assert (undone.returncode, "Known are: v1alpha2.1." in undone.stderr) == (REFUSED, True)
    assert list(DjangoUpgrades().due()) == []

    rehearsed = olga.told("upgrade", "plan", place, "--data-version", "v1alpha2.1", "--dry-run")
    assert "in place, in 16 shards, while writes go on" in rehearsed["would"][0]
    moved = olga.told("upgrade", "plan", place, "--location", data_database, "--shards", "12")
    assert (moved["kind"], moved["from_version"], moved["to_version"]) == (
        "location",
        "v1alpha2",
        "v1alpha2",
    )
    assert moved["plan"]["target_location"] == data_database
    assert moved["plan"]["target_shard_count"] == 12
    record = DjangoUpgrades().load(moved["id"])
    assert (record.target.database, record.source.ring, record.target.ring) == (data_database, 16, 12)
    assert olga.run("upgrade", "abort", moved["id"]).returncode == 0

    same = olga.run("upgrade", "plan", place, "--shards", "16")
    assert (same.returncode, "have 16 shards already" in same.stderr) == (REFUSED, True)
    rehearsed = olga.told("upgrade", "plan", place, "--shards", "8", "--dry-run")
    copying = "Copy every resource while writes go on: the shard count changes from 16 to 8."
    assert rehearsed["would"][1] == copying
    renumbered = olga.told("upgrade", "plan", place, "--shards", "8")
    assert (renumbered["kind"], renumbered["plan"]["target_shard_count"]) == ("shards", 8)
    record = DjangoUpgrades().load(renumbered["id"])
    assert (record.target.database, record.source.ring, record.target.ring) == (record.source.database, 16, 8)
    assert olga.run("upgrade", "abort", renumbered["id"]).returncode == 0

    changed = olga.told("upgrade", "plan", place, "--data-version", "v1alpha2.1", "--start")
    record = DjangoUpgrades().load(changed["id"])
    assert (record.kind.value, record.data_version, record.source == record.target) == (
        "data",
        "v1alpha2.1",
        True,
    )
    assert record.state.value == "SYNCING"


def test_windows_policies_and_waves_from_the_command_line(live_web: str) -> None:
    make_account("olga", "operator")
    make_account("root", "admin")
    olga, root = (Swy(live_web, token_of(name)) for name in ("olga", "root"))

    freeze = ("--effect", "deny", "--cron", "0 0 * * *", "--minutes", "1500", "--reason", "audit week")
    assert len(olga.told("windows", "set", "always", *freeze, "--dry-run")["next"]) == 10
    assert olga.run("windows", "-o", "name").stdout == ""
    assert olga.told("windows", "set", "always", *freeze)["rev"] == 1
    changed = olga.told("windows", "set", "always", "--region", "us-*")
    assert (changed["rev"], changed["reason"], changed["region"]) == (2, "audit week", "us-*")
    assert olga.told("windows", "explain", f"{SERVICE}@us-1")["winner"] == "always"
    assert olga.run("windows", "delete", "always").stdout == "always is removed.\n"

    refused = olga.run("policies", "set", "easy", "--purpose", "switch", "--needed", "0")
    assert (refused.returncode, "Who can: admin" in refused.stderr) == (3, True)
    assert root.told("policies", "set", "easy", "--purpose", "switch", "--needed", "0")["rev"] == 1
    assert olga.told("policies", "explain", f"{SERVICE}@eu-1")["name"] == "easy"
    assert root.run("policies", "delete", "easy").returncode == 0

    waves = ("v1", "--wave", f"{SERVICE}@eu-1", "--wave", f"{SERVICE}@us-1")
    shown = olga.told("rollout", "plan", *waves, "--dry-run")
    assert shown["possible"] is True
    bound = ("--plan-digest", shown["plan_digest"])
    rollout = olga.told("rollout", "plan", *waves, "--title", "Both", *bound)["id"]
    assert olga.run("rollout", "plan", *waves).returncode == 6
    assert (
        olga.told("rollout", "start", rollout, *bound)["sentence"]
        == "Both is at wave 1 of 2: 0 of 2 deployments moved."
    )
    left_out = olga.told("rollout", "skip", rollout, f"{SERVICE}@us-1", "-m", "its disk is full")
    assert left_out["waves"][1][0]["state"] == "skipped"
    assert olga.told("rollout", "stop", rollout, "-m", "not today")["state"] == "STOPPED"


def test_a_freeze_is_overridden_from_the_command_line_by_whom_it_names(live_web: str) -> None:
    make_account("olga", "operator")
    make_account("root", "admin")
    olga, root = (Swy(live_web, token_of(name)) for name in ("olga", "root"))
    upgrade = olga.told("upgrade", "plan", f"{SERVICE}@eu-1", "v1", "--start")["id"]
    level(upgrade)
    freeze = ("--effect", "deny", "--cron", "0 0 * * *", "--minutes", "1500")
    root.told("windows", "set", "audit-week", *freeze, "--overrider", "olga")
    why = ("windows", "override", upgrade, "--reason", "the fix of CVE-1")
    refused = root.run(*why)
    assert (refused.returncode, "Who can: olga" in refused.stderr) == (3, True)
    would = olga(*why, "--dry-run", "-o", "table")
    assert would.startswith(f"audit-week would be lifted for {upgrade} until ")
    done = olga.told(*why)
    assert (done["rules"], done["reason"]) == (["audit-week"], "the fix of CVE-1")
    checks = olga.told("upgrade", "show", upgrade)["readiness"]["checks"]
    (window,) = [each for each in checks if each["check"] == "window"]
    assert (window["verdict"], window["sentence"].startswith("olga overrides audit-week until ")) == (
        "pass",
        True,
    )
