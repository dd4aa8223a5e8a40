"""A deployment gets another number of shards by itself: the version stays, what clients wrote is kept both ways."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from rest_framework.test import APIClient

from migrations_app import wiring
from migrations_app.adapters.repositories.served import RegistryDirectory
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import (
    abort_upgrade,
    complete_upgrade,
    request_rollback,
    request_switch,
)
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.models import registry as rows
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.resource_api.requests import ResourceApi
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import EXAMPLES, files_of
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, ROOT
from tests.integration.switch.secrets_upgrade import started as started
from tests.integration.switch.test_extensions import EPOCHS, work_once, work_until
from tests.waiting import attempts

pytestmark = pytest.mark.django_db(transaction=True)
SECRETS = "projects/p/secrets"
PLACE = ("eu-west1", "secrets.example.com", "v1alpha2")


def secret(method: str, path: str, body: JsonObject | None = None) -> JsonObject:
    """Make a request of the old API of the example secrets, and give its document."""
    path, _, query = path.partition("?")
    region, service, version = PLACE
    address = quote(f"/apis/{region}/{service}/{version}/{SECRETS}{path}", safe="/:")
    request = ResourceRequest(method, address, query, {}, b"" if body is None else json.encode(body))
    answer = ResourceApi(wiring.resource_servers()).answer(request, SYSTEM)
    assert isinstance(answer.document, dict)
    return answer.document


def make_searchable() -> None:
    """Let secrets be searched in both versions."""
    files = files_of(EXAMPLES / "secrets")
    patterns = b'      patterns: ["projects/{project}/'
    searchable = b"      options: {optIns: {searchable: true}}\n" + patterns
    for path in ("v1alpha2.yaml", "v1.yaml"):
        files[path] = files[path].replace(patterns, searchable, 1)
    apply_service(ROOT, files)


def index() -> None:
    """Bring the search indexes of the deployment up to date."""
    lease = Lease(DEPLOYMENT, next(EPOCHS), "search")
    wiring.controllers()["search"].reconcile(DEPLOYMENT, Budget(60.0, wiring.clock()), lease)


def servers_that_remember() -> ResourceServers:
    """Make servers whose directory stays as it is first read, until something else is learned."""
    directory = RegistryDirectory(wiring.store(), wiring.fence(), now=lambda: 0.0)
    return ResourceServers(directory, Router(directory, wiring.store(), wiring.fence()), wiring.feed())


def begin(client: APIClient, **body: object) -> str:
    """Begin an upgrade through the registry, and give its id."""
    begun = client.post(f"/meta/v1/{DEPLOYMENT}:beginUpgrade", body, format="json")
    assert begun.status_code == 200, begun.json()
    return Upgrade.objects.get(deployment=DEPLOYMENT, finished_at__isnull=True).id


def rehearsed(client: APIClient, upgrade: str) -> list[dict[str, str]]:
    """Tell the steps of a switch as its dry run does."""
    path = f"/api/v1/upgrades/{upgrade}"
    for _ in attempts():
        etag = client.get(path)["ETag"]
        answer = client.post(f"{path}/switch?dry_run=true", {}, format="json", headers={"If-Match": etag})
        if answer.status_code == 200:
            break
        # The first full comparison may not have ended.
        work_once()
    assert answer.status_code == 200, answer.json()
    steps: list[dict[str, str]] = answer.json()["rehearsal"]["steps"]
    return steps


def served() -> tuple[int, str, str, str]:
    """Tell how many shards the served data have, and where the registry shows them."""
    row = rows.Deployment.objects.get(pk=DEPLOYMENT)
    return row.ring, row.database, row.db_location_tag, row.current_version


def test_the_shard_count_alone_changes_comes_back_and_is_kept(started: str) -> None:
    abort_upgrade(OLGA, started)
    home = work_until(started, State.ABORTED).source
    make_searchable()
    client = client_of("rita", "operator", "admin")

    # There and back.
    upgrade = begin(client, targetVersion="v1alpha2", totalShardsCount=6)
    shown = client.get(f"/api/v1/upgrades/{upgrade}").json()
    assert (shown["kind"], shown["plan"]["target_shard_count"]) == ("shards", 6)
    assert "is copying data for v1alpha2 with 6 shards: 0 of 4 shards ready" in shown["sentence"]
    work_until(upgrade, State.READY)
    index()
    behind = servers_that_remember()
    assert behind.reading.get(*PLACE, "Secret", f"{SECRETS}/secret-1").document["title"] == "Secret 1"
    flip = next(each for each in rehearsed(client, upgrade) if each["step"] == "flip")
    assert flip["text"] == "Would close v1alpha2 with 4 shards for good and open v1alpha2 with 6 shards."
    record = work_until(upgrade, State.REVERSIBLE, request_switch)
    there = record.target
    assert (there.database, there.version, there.ring, there == home) == (
        home.database,
        home.version,
        6,
        False,
    )
    assert served() == (6, home.database, "", "v1alpha2")
    modes = [wiring.fence().state(FenceLocation.of(place)).mode for place in (home, there)]
    assert modes == [Mode.CLOSED, Mode.OPEN]
    secret("POST", "?id=after", {"title": "Written after"})
    secret("DELETE", "/secret-0")
    # A process that has not read the registry again answers from what serves now all the same.
    assert behind.reading.get(*PLACE, "Secret", f"{SECRETS}/after").document["title"] == "Written after"
    assert wiring.store().read(home).get("Secret", f"{SECRETS}/after") is None
    assert len(secret("GET", "?pageSize=100")["secrets"]) == 60  # type: ignore[arg-type]
    # The index was filled before the switch.
    assert len(secret("GET", ":search?phrase=secret&pageSize=100")["secrets"]) == 59  # type: ignore[arg-type]
    work_until(upgrade, State.REVERTED, request_rollback)
    assert served() == (4, home.database, "", "v1alpha2")
    # The change log has what was written in either numbering.
    changes = client.get("/api/v1/deployments/secrets.example.com/eu-west1/resource-changes?limit=3").json()[
        "items"
    ]
    assert [(each["name"], each["operation"]) for each in changes[:2]] == [
        (f"{SECRETS}/secret-0", "delete"),
        (f"{SECRETS}/after", "create"),
    ]
    assert secret("GET", "/after")["title"] == "Written after"
    assert wiring.store().read(home).get("Secret", f"{SECRETS}/secret-0") is None

    # There again, and the rollback window is closed; the offer of this number is no news any more.
    offer = {"targetApiVersion": "v1alpha2", "totalShardsCount": 2}
    offered = client.post(f"/meta/v1/{DEPLOYMENT}:setAvailableUpgrade", offer, format="json")
    assert offered.status_code == 200, offered.json()
    upgrade = begin(client)
    work_until(upgrade, State.READY)
    work_until(upgrade, State.REVERSIBLE, request_switch)
    work_until(upgrade, State.COMPLETED, complete_upgrade)
    assert served() == (2, home.database, "", "v1alpha2")
    assert "availableUpgrade" not in client.get(f"/meta/v1/{DEPLOYMENT}").json()
    same = client.post(f"/meta/v1/{DEPLOYMENT}:beginUpgrade", {"totalShardsCount": 2}, format="json")
    assert same.status_code == 400, same.json()

    # From there on an upgrade of the version goes by the fence that has the data.
    offer = {"targetApiVersion": "v1"}
    assert client.post(f"/meta/v1/{DEPLOYMENT}:setAvailableUpgrade", offer, format="json").status_code == 200
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    work_until(upgrade, State.READY)
    record = work_until(upgrade, State.REVERSIBLE, request_switch)
    assert record.source.numbering == record.target.numbering != ""
    state = wiring.fence().state(FenceLocation.of(record.target))
    assert (state.mode, state.active_version) == (Mode.OPEN, "v1")
    assert served() == (2, home.database, "", "v1")
    secret("PATCH", "/after?updateMask=title", {"title": "Written in translation"})
    work_until(upgrade, State.REVERTED, request_rollback)
    assert secret("GET", "/after")["title"] == "Written in translation"
    assert len(secret("GET", "?pageSize=100")["secrets"]) == 60  # type: ignore[arg-type]
