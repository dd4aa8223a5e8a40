"""`swy constraints`, over real HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrations_app import wiring
from migrations_app.ports.regions.peers import Peer
from tests.factories.access import make_account, token_of
from tests.integration.constraints.conftest import EU, IAM, SECRETS, Fleet
from tests.swy import Swy

REASON = "Its region burnt down, and no copy of it is left."


@pytest.mark.django_db(transaction=True)
def test_operators_see_what_is_under_way_and_evict_who_is_lost_from_the_command_line(
    transactional_db: None, fleet: Fleet, live_web: str, tmp_path: Path
) -> None:
    for name in ("anna", "ben", "carl"):
        make_account(name, "admin")
    anna, ben, carl = (Swy(live_web, token_of(name)) for name in ("anna", "ben", "carl"))
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s", project="projects/p")
    lost = Peer(SECRETS, EU).deployment
    _look_at_references(anna, tmp_path / "report.sarif")
    told = {str(each["deployment"]): each for each in anna.lines("constraints", "status")}
    assert (told[lost]["state"], told[lost]["owed"], told[lost]["oldest_deleting"]) == ("known", 1, 0.0)

    assert {str(each["service"]) for each in anna.lines("constraints", "subscriptions", SECRETS, EU)} == {
        IAM,
        SECRETS,
    }
    assert anna.lines("constraints", "waits", SECRETS, EU) == []

    home = wiring.directory().served(EU, SECRETS).namespaces["v1alpha2"]
    with wiring.databases().connection(home.database) as connection:
        connection.execute(f'ALTER SCHEMA "{home.schema}" RENAME TO burnt'.encode())
    told = {str(each["deployment"]): each for each in anna.lines("constraints", "status")}
    assert [told[lost][key] for key in ("state", "owed", "oldest_deleting")] == ["unknown", "?", "?"]

    asked = json.loads(anna("constraints", "evict", SECRETS, EU, "--reason", REASON))
    assert (asked["state"], asked["needed"]) == ("OPEN", 2)
    assert "You asked for this" in anna("constraints", "approve-eviction", asked["id"], expect=3)
    ben("constraints", "approve-eviction", asked["id"])
    assert json.loads(carl("constraints", "approve-eviction", asked["id"]))["state"] == "USED"
    (listed,) = anna.lines("constraints", "evictions", SECRETS, EU)
    assert (listed["id"], listed["state"], listed["votes_given"]) == (asked["id"], "USED", 2)


def _look_at_references(anna: Swy, place: Path) -> None:
    project, secret = f"//{IAM}/{EU}/projects/p", f"//{SECRETS}/{EU}/projects/p/secrets/s"
    (edge,) = anna.lines("refs", project, "--direction", "in")
    assert [edge[key] for key in ("source", "kind", "path", "target")] == [
        secret,
        "BLOCK",
        "project",
        project,
    ]
    assert anna.lines("refs", project, "--direction", "out") == []

    assert [each["id"] for each in anna.lines("find", "s", "--type", "Secret", "--region", EU)] == [secret]
    assert anna("find", "p", "--service", IAM, "-o", "name") == f"{project}\n"
    assert anna("find", "nothing-of-that-name", "-o", "name") == ""

    blocked = json.loads(anna("deletion-check", project, expect=1))
    assert (blocked["verdict"], [each["source"] for each in blocked["blockers"]]) == ("blocked", [secret])
    assert json.loads(anna("deletion-check", secret))["verdict"] == "safe"
    assert anna("deletion-check", secret, "-o", "name") == "safe\n"

    report = json.loads(anna("compat", "check", SECRETS, "v1alpha2", "v1"))
    assert (report["service"], report["to_accept"]) == (SECRETS, 0)
    table = anna("compat", "check", SECRETS, "v1alpha2", "v1", "--sarif", str(place), "-o", "table")
    assert "handled key-removed Secret.title (wire, JSON, source)\n" in table
    assert json.loads(place.read_text())["version"] == "2.1.0"
    assert "v7" in anna("compat", "check", SECRETS, "v1alpha2", "v7", expect=7)
