"""`swy constraints`, over real HTTP."""

from __future__ import annotations

import json

import pytest

from migrations_app import wiring
from migrations_app.ports.peers import Peer
from tests.factories.access import make_account, token_of
from tests.integration.constraints.conftest import EU, IAM, SECRETS, Fleet
from tests.swy import Swy

REASON = "Its region burnt down, and no copy of it is left."


@pytest.mark.django_db(transaction=True)
def test_operators_see_what_is_under_way_and_evict_who_is_lost_from_the_command_line(
    transactional_db: None, fleet: Fleet, live_web: str
) -> None:
    for name in ("anna", "ben", "carl"):
        make_account(name, "admin")
    anna, ben, carl = (Swy(live_web, token_of(name)) for name in ("anna", "ben", "carl"))
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s", project="projects/p")
    lost = Peer(SECRETS, EU).deployment
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
    assert (listed["id"], listed["state"], listed["given"]) == (asked["id"], "USED", 2)
