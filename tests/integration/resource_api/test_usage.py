"""Who uses which version and key is counted, and can be asked for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from migrations_app.adapters.repositories.usage import KEPT_DAYS, UsageRows
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.domain.access import Actor, ActorKind, Grant
from migrations_app.engine.serving.read_sampling import PER_CLIENT
from migrations_app.engine.serving.usage import UsageTally
from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.registry import Region
from migrations_app.ports.services.usage import Use
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.resource_api.requests import ResourceApi
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

ADDRESS = f"/api/v1/services/{SERVICE}/usage"


@pytest.fixture
def usage(ports: Yard) -> BufferedUsage:
    """The notes of the yard's API, written when they are flushed."""
    made = BufferedUsage(UsageRows().add, background=False)
    ports.api = ResourceApi(ports.servers, made)
    ports.actor = Actor(ActorKind.SERVICE, "billing", grants=(Grant("admin"),))
    return made


def test_each_answered_request_is_counted_by_client_version_method_and_key(
    ports: Yard, usage: BufferedUsage
) -> None:
    told = {"user-agent": "billing/4.2 (linux)"}
    ports.call("POST", "projects/p/secrets", {"title": "Door", "labels": {}}, id="door", headers=told)
    ports.call("GET", "projects/p/secrets/door", headers=told)
    ports.call("GET", "projects/p/secrets", filter='owner = "ada"', headers=told)
    with pytest.raises(SwitchyardError):
        ports.call("GET", "projects/p/secrets/none", headers=told)
    usage.flush()
    ports.switch()
    ports.call("PATCH", "projects/p/secrets/door", {"title": "Gate"}, headers=told)
    ports.call("GET", "projects/p/regions/eu-west1/secrets/door", version="v1")
    usage.flush()
    client = client_of("vera", "viewer")

    shown = client.get(ADDRESS).json()
    old, new = shown["versions"]
    assert (shown["service"], shown["days"], shown["uncounted"]) == (SERVICE, 35, 0)
    assert [(each["version"], each["messages"]) for each in (old, new)] == [("v1", 1), ("v1alpha2", 4)]
    (billing,) = new["clients"]
    assert (billing["client"], billing["release"], billing["messages"]) == ("billing", "billing/4.2", 4)
    assert {each["method"]: each["messages"] for each in billing["methods"]} == {
        "Secret.create": 1,
        "Secret.get": 1,
        "Secret.list": 1,
        "Secret.update": 1,
    }
    assert client.get(ADDRESS, {"version": "v1"}).json()["versions"] == [old]

    keys = client.get(f"{ADDRESS}/keys", {"version": "v1alpha2", "method": "Secret.create"}).json()["items"]
    states = {each["path"]: {name for name, count in each["states"].items() if count} for each in keys}
    assert states["title"] == {"value"}
    assert states["labels"] == {"empty"}
    assert states["owner"] == {"absent"}
    owner = next(each for each in keys if each["path"] == "owner")
    assert (owner["messages"], owner["clients"], owner["unused"]["proved"]) == (1, [], False)
    assert owner["unused"]["reasons"] == [
        "only 1 message was seen, 3000 are needed",
        "use was observed for 1 day, and the longest period of a client is 35 days",
    ]
    listed = client.get(f"{ADDRESS}/keys", {"version": "v1alpha2", "method": "Secret.list"}).json()["items"]
    assert [(each["path"], each["states"]["value"]) for each in listed if each["states"]["value"]] == [
        ("owner", 1)
    ]


def test_sums_of_several_processes_and_times_are_added_up(ports: Yard) -> None:
    schema = ports.servers.schema("eu-west1", SERVICE, "v1")
    now = timezone.now()
    for count, at in ((3, now), (2, now - timedelta(seconds=1)), (1, now - timedelta(days=3))):
        tally = UsageTally(uncounted=count)
        for _ in range(count):
            tally.take(Use(schema, "eu-west1", "Secret", "get", "app", "", at))
        UsageRows().add(tally)
    rows = UsageCount.objects.order_by("day")
    assert [row.count for row in rows] in ([1, 5], [1, 2, 3])  # the second when it is just past midnight
    shown = client_of("vera", "viewer").get(ADDRESS, {"days": "2"}).json()
    assert (shown["versions"][0]["messages"], shown["uncounted"]) == (5, 6)


def test_calls_of_one_region_are_shown_alone_and_an_unknown_region_is_refused(ports: Yard) -> None:
    now = timezone.now()
    for region, count in (("eu-west1", 2), ("us-east1", 1)):
        Region.objects.get_or_create(pk=region, defaults={"created_at": now, "updated_at": now})
        tally = UsageTally()
        for _ in range(count):
            schema = ports.servers.schema("eu-west1", SERVICE, "v1")
            tally.take(Use(schema, region, "Secret", "get", "app", "", now))
        UsageRows().add(tally)
    vera = client_of("vera", "viewer")
    shown = {
        region: [each["messages"] for each in vera.get(ADDRESS, {"region": region}).json()["versions"]]
        for region in ("", "eu-west1", "us-east1")
    }
    assert shown == {"": [3], "eu-west1": [2], "us-east1": [1]}
    refused = vera.get(ADDRESS, {"region": "eu-west9"})
    assert (refused.status_code, refused.json()["code"]) == (400, "region-unknown")
    assert refused.json()["detail"] == "There is no region eu-west9."


def test_a_key_that_thousands_of_messages_never_had_is_proved_unused(ports: Yard) -> None:
    schema = ports.servers.schema("eu-west1", SERVICE, "v1alpha2")
    tally = UsageTally()
    for _ in range(3000):
        tally.take(Use(schema, "eu-west1", "Secret", "create", "app", "", timezone.now(), b'{"title": "x"}'))
    UsageRows().add(tally)
    asked, vera = {"version": "v1alpha2", "method": "Secret.create"}, client_of("vera", "viewer")
    young = {each["path"]: each["unused"] for each in vera.get(f"{ADDRESS}/keys", asked).json()["items"]}
    assert young["legacyEtag"]["reasons"] == [
        "use was observed for 1 day, and the longest period of a client is 35 days"
    ]

    earlier = UsageTally()
    earlier.take(Use(schema, "eu-west1", "Secret", "create", "app", "", timezone.now() - timedelta(days=34)))
    UsageRows().add(earlier)
    keys = vera.get(f"{ADDRESS}/keys", asked).json()["items"]
    claims = {each["path"]: each["unused"] for each in keys}
    assert claims["legacyEtag"] == {
        "proved": True,
        "upper_bound": 3 / 3001,
        "reasons": [],
        "reason_phrases": [],
    }
    assert claims["title"]["proved"] is False


def test_old_counts_are_forgotten_and_wrong_questions_refused(ports: Yard) -> None:
    schema = ports.servers.schema("eu-west1", SERVICE, "v1")
    tally = UsageTally()
    for days in (0, KEPT_DAYS - 1, KEPT_DAYS + 1):
        at = timezone.now() - timedelta(days=days)
        tally.take(Use(schema, "eu-west1", "Secret", "get", "app", "", at))
    UsageRows().add(tally)
    assert (UsageRows().forget(10), UsageRows().forget(10)) == (1, 0)
    client = client_of("vera", "viewer")
    for query in ({"days": "0"}, {"days": "999"}, {"days": "x"}):
        assert client.get(ADDRESS, query).json()["code"] == "days"
    assert client.get(f"{ADDRESS}/keys").json()["code"] == "version"
    assert issubclass(Invalid, SwitchyardError)


def test_what_answers_return_is_counted_of_those_that_are_looked_into(
    ports: Yard, usage: BufferedUsage
) -> None:
    ports.call("POST", "projects/p/secrets", {"title": "Door", "owner": "ada"}, id="door")
    ports.call("POST", "projects/p/secrets", {"title": "Gate"}, id="gate")
    ports.call("GET", "projects/p/secrets/door")
    ports.call("GET", "projects/p/secrets/gate")
    ports.call("GET", "projects/p/secrets")
    ports.call("GET", "projects/p/secrets/door", fieldMask="title")
    usage.flush()
    messages = {row.method: (row.count, row.looked) for row in UsageCount.objects.filter(path="")}
    assert messages == {"Secret.create": (2, 0), "Secret.get": (3, 3), "Secret.list": (1, 1)}
    shown = {(row.method, row.path): row.count for row in UsageCount.objects.filter(state="shown")}
    assert (shown["Secret.get", "title"], shown["Secret.get", "owner"]) == (3, 1)
    assert (shown["Secret.list", "title"], shown["Secret.list", "owner"]) == (1, 1)
    asked = UsageCount.objects.get(method="Secret.get", path="title", state="value")
    assert asked.count == 1
    assert not UsageCount.objects.filter(path="legacyEtag", state="shown").exists()


def test_a_hot_client_is_sampled_and_a_rare_one_is_looked_at_in_full(
    ports: Yard, usage: BufferedUsage
) -> None:
    ports.call("POST", "projects/p/secrets", {"title": "Door"}, id="door")
    for _ in range(PER_CLIENT * 4 + 40):
        ports.call("GET", "projects/p/secrets/door")
    ports.actor = Actor(ActorKind.SERVICE, "rare", grants=(Grant("admin"),))
    ports.call("GET", "projects/p/secrets/door")
    usage.flush()
    rows = UsageCount.objects.filter(path="", method="Secret.get")
    counts = {row.client: (row.count, row.looked) for row in rows}
    assert counts["rare"] == (1, 1)
    seen, looked = counts["billing"]
    assert (seen, looked < seen) == (PER_CLIENT * 4 + 40, True)
    shown = UsageCount.objects.get(client="billing", method="Secret.get", path="title", state="shown")
    assert shown.count == looked


def test_a_watch_without_a_mask_counts_as_reading_whole_resources(ports: Yard, usage: BufferedUsage) -> None:
    for query in ("", "fieldMask=title"):
        path = f"/apis/{REGION}/{SERVICE}/v1alpha2/projects/p/secrets:watch"
        assert ports.api.watcher(ResourceRequest("GET", path, query, {}), ports.actor) is not None
    usage.flush()
    rows = UsageCount.objects.filter(method="Secret.watch").exclude(path="")
    assert sorted((row.path, row.state, row.count) for row in rows) == [
        ("*", "shown", 1),
        ("title", "value", 1),
    ]
