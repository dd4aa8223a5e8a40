"""What every integration test stands on."""

from __future__ import annotations

import pytest

from migrations_app import wiring


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Forget what earlier tests' registries said; their rows are gone."""
    for remembered in (
        wiring.registry_cache,
        wiring.directory,
        wiring.placements,
        wiring.router,
        wiring.mixin,
        wiring.owning,
        wiring.peers,
        wiring.arrangements,
        wiring.controllers,
        wiring.resource_servers,
    ):
        remembered.cache_clear()
