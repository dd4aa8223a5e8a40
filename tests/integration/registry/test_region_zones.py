"""A region says which time zone it is in, so that times can be read as people there read their clocks."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.domain.access import SYSTEM
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db


def test_a_region_keeps_its_time_zone_and_the_fleet_tells_it() -> None:
    apply_region(SYSTEM, "eu-west1", "Belgium", "Europe/Brussels")
    apply_region(SYSTEM, "us-east1")
    apply_region(SYSTEM, "eu-west1", "Flanders")

    regions = client_of("vera", "viewer").get("/api/v1/fleet").json()["regions"]

    assert regions == [
        {"name": "eu-west1", "title": "Flanders", "zone": "Europe/Brussels"},
        {"name": "us-east1", "title": "us-east1", "zone": ""},
    ]
