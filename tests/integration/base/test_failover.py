"""The rehearsal of docs/how-to/fail-over-a-database.md: the primary dies in the middle of an upgrade, its replica goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from migrations_app import wiring
from migrations_app.domain.switch.states import State
from tests.factories.access import make_account, token_of
from tests.integration.base.copied_databases import control_url, copy_database
from tests.integration.base.live_writes import LiveWrites, listed_titles, outcome_of, wait_for_upgrade
from tests.integration.base.replicated_postgres import ReplicatedPostgres
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
ALIAS = "replicated"


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[ReplicatedPostgres]:
    """A primary and its replica."""
    made = ReplicatedPostgres(tmp_path)
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture
def data_database(servers: ReplicatedPostgres) -> Iterator[str]:
    """The alias of an empty data database that is replicated."""
    servers.primary.ensure_database("data")
    settings.SWITCHYARD.data_urls[ALIAS] = servers.url("data")
    try:
        yield ALIAS
    finally:
        wiring.databases().close(ALIAS)
        del settings.SWITCHYARD.data_urls[ALIAS]


def test_an_upgrade_under_writes_goes_on_at_the_replica_and_loses_nothing(
    servers: ReplicatedPostgres, started: str, children: Children, tmp_path: Path
) -> None:
    make_account("vera", "admin")
    headers = {"authorization": f"Bearer {token_of('vera')}"}
    copy_database(control_url(), "control", servers.primary, tmp_path)
    wiring.databases().close()
    addresses = {
        "DATABASE_URL": servers.url("control"),
        "SWITCHYARD_DATA_URLS": f"{ALIAS}={servers.url('data')}",
    }
    children.start_worker(**addresses)
    children.start_beat(**addresses)
    web = children.start_web(**addresses)
    apis = f"{web}/apis/eu-west1/secrets.example.com"
    upgrade = f"{web}/api/v1/upgrades/{started}"
    with LiveWrites([[f"{apis}/v1alpha2/projects/p/secrets"]] * 2, headers).running() as writes:
        writes.wait_for(50, children.log("web"))
        servers.kill_primary()
        before = dict(writes.acknowledged)
        servers.promote()
        writes.wait_for(50, children.log("web"))
        wait_for_upgrade(upgrade, headers, State.READY.value)
        wait_for_upgrade(upgrade, headers, State.REVERSIBLE.value, action="switch")
        writes.wait_for(20, children.log("web"))

    assert len(before) >= 50
    assert writes.refused == []
    listed = listed_titles(f"{apis}/v1/projects/p/regions/eu-west1/secrets", headers, "displayName")
    outcome = outcome_of([writes], listed, "failover")
    assert (outcome.lost, outcome.duplicated) == ([], [])
