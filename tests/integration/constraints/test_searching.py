"""The devices of the example fleet are searchable: what is written is found by its words, in the region's API."""

from __future__ import annotations

import pytest

from migrations_app import wiring
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Again, Budget, Lease
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.constraints.conftest import DEVICES, EU, Fleet

pytestmark = pytest.mark.django_db(transaction=True)
UNDER = f"projects/p/regions/{EU}/devices"


def indexed() -> None:
    """Let the search controller catch up with everything that is written."""
    search = wiring.controllers()["search"]
    for key in search.due():
        outcome = search.reconcile(key, Budget(60.0, wiring.clock()), Lease(key, 1, "search"))
        while isinstance(outcome, Again) and outcome.after_seconds == 0:
            outcome = search.reconcile(key, Budget(60.0, wiring.clock()), Lease(key, 1, "search"))


def found(phrase: str) -> list[str]:
    """Search for a phrase as a client does; gives the ids of the devices."""
    api = ResourceApi(wiring.resource_servers())
    asked = ResourceRequest("GET", f"/apis/{EU}/{DEVICES}/v1/{UNDER}:search", f"phrase={phrase}", {})
    document = api.answer(asked, SYSTEM).document
    assert isinstance(document, dict)
    devices = document["devices"]
    assert isinstance(devices, list)
    return [str(each["name"]).rpartition("/")[2] for each in devices if isinstance(each, dict)]


def test_devices_are_found_by_their_words(fleet: Fleet) -> None:
    fleet.create(DEVICES, EU, "Device", f"{UNDER}/lamp", serial="SN-1", site="Hall of mirrors")
    fleet.create(DEVICES, EU, "Device", f"{UNDER}/door", serial="SN-2", site="Main hall")
    indexed()

    assert (found("hall"), found("mirr%2A"), found("sn%202")) == (["door", "lamp"], ["lamp"], ["door"])
