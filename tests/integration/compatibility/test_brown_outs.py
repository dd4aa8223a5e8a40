"""Brown-outs: a share of the requests that still use something deprecated is refused, announced, counted and stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app import wiring
from migrations_app.adapters.repositories.retirements import RecentBrownOuts
from migrations_app.adapters.repositories.usage import UsageRows
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.control.events import outbox
from migrations_app.control.notifications.messages import body_of, is_within, name_of, place_of
from migrations_app.domain.access import Actor, ActorKind, Grant
from migrations_app.kernel.errors import Gone
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.evidence.retirements import BrownOut, VersionRetirement
from migrations_app.models.ledger import LedgerEntry
from migrations_app.resource_api.deprecated_use.brown_outs import BrownOutCheck
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.requests import ResourceApi
from tests.factories.access import client_of, token_of
from tests.factories.shelves import BOX, SHELVES, V1, folder
from tests.integration.resource_api.conftest import REGION, Yard, deployed
from tests.swy import Swy

BROWN_OUTS = f"/api/v1/services/{SHELVES}/usage/brown-outs"
DEPRECATED = V1.replace(
    "title: string",
    "title: {type: string, deprecated: {since: 2026-01-01, sunset: 2099-07-01, replacedBy: label}}",
)


@pytest.fixture
def shelves(db: None, data_database: str) -> Iterator[Yard]:
    """A box of a service whose title is deprecated; `stock` is the client whose use is counted."""
    with deployed(data_database, SHELVES, "v1", files=folder(v1=DEPRECATED)) as made:
        made.usage = BufferedUsage(UsageRows().add, background=False)
        # Read again for each request: a second is waited for in production only.
        known = RecentBrownOuts(_Ticks())
        made.api = ResourceApi(made.servers, made.usage, brown_outs=known)
        made.actor = Actor(ActorKind.SERVICE, "stock", grants=(Grant("admin"),))
        made.call("POST", "boxes", {"weight": 1}, version="v1", id="b1")
        yield made
    wiring.databases().close(data_database)


class _Ticks:
    """A clock that goes on by two seconds whenever it is read."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 2.0
        return self._now


@pytest.fixture
def olga(db: None) -> APIClient:
    """An operator."""
    return client_of("olga", "operator")


def wish(**more: Json) -> JsonObject:
    """Ask for the refusal of all requests that use the title, for an hour from now."""
    ends_at = (timezone.now() + timedelta(hours=1)).isoformat()
    return {
        "version": "v1",
        "place": "Box.title",
        "percent": 100,
        "ends_at": ends_at,
        "note": "Send label.",
        **more,
    }


def requested(client: APIClient, **more: Json) -> dict[str, Any]:
    """Request a brown-out."""
    answer = client.post(BROWN_OUTS, wish(**more), format="json")
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def listed(client: APIClient) -> dict[str, Any]:
    """Show the only brown-out."""
    [row] = client.get(BROWN_OUTS).json()["items"]
    found: dict[str, Any] = row
    return found


def patch(shelves: Yard, body: JsonObject, **query: str) -> Response:
    """Update the box, as one release of the client."""
    return shelves.call("PATCH", BOX, body, version="v1", headers={"user-agent": "stock/1.4"}, **query)


def test_who_still_sends_it_is_refused_with_the_field_the_sunset_and_the_replacement(
    shelves: Yard, olga: APIClient
) -> None:
    made = requested(olga)
    assert (made["state"], made["kind"], made["sunset"], made["replaced_by"]) == (
        "running", "field", "2099-07-01", "label",
    )  # fmt: skip
    answer = patch(shelves, {"title": "tools"})
    problem = answer.document
    assert isinstance(problem, dict)
    assert (answer.status, problem["code"]) == (400, "brown-out")
    assert str(problem["detail"]).startswith(
        "Box.title is deprecated and will be removed on 2099-07-01: until "
    )
    assert "100 % of the requests that send or name it are refused. Use label instead." in str(
        problem["detail"]
    )
    errors = problem["errors"]
    assert isinstance(errors, list)
    assert [each["path"] for each in errors if isinstance(each, dict)] == ["title"]
    assert (answer.headers["Deprecation"], answer.headers["Sunset"]) == (
        "@1767225600",
        "Wed, 01 Jul 2099 00:00:00 GMT",
    )
    assert answer.headers["Link"].startswith(f"</versions/{SHELVES}/usage?version=v1>; rel=")
    assert answer.headers["Switchyard-Brown-Out"].startswith("Box.title;percent=100;begins=")
    assert answer.headers["Content-Type"] == "application/problem+json"
    # Who does not use it is served, and told nothing.
    other = patch(shelves, {"weight": 2})
    assert (other.status, "Switchyard-Brown-Out" in other.headers) == (200, False)
    # Who names it in a mask or a filter uses it too.
    named = shelves.call("GET", BOX, version="v1", fieldMask="title")
    assert named.status == 400
    assert shelves.call("GET", "boxes", version="v1", filter='title = "x"').status == 400
    assert shelves.call("GET", BOX, version="v1").status == 200
    batch: Json = {"requests": [{"update": {"name": BOX, "resource": {"title": "x"}}}]}
    assert shelves.call("POST", ":batchWrite", batch, version="v1").status == 400
    read = shelves.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    assert "title" not in read


def test_refusals_are_counted_by_client_and_count_as_use(shelves: Yard, olga: APIClient) -> None:
    requested(olga)
    assert [patch(shelves, {"title": "tools"}).status for _ in range(3)] == [400] * 3
    assert isinstance(shelves.usage, BufferedUsage)
    shelves.usage.flush()
    patch(shelves, {"title": "tools"})
    shelves.usage.flush()
    row = listed(olga)
    assert row["refused"] == 4
    [client] = row["refused_clients"]
    assert (client["client"], client["release"], client["method"], client["requests"]) == (
        "stock", "stock/1.4", "Box.update", 4,
    )  # fmt: skip
    places = olga.get(f"/api/v1/services/{SHELVES}/usage/places", {"version": "v1"}).json()["items"]
    title = next(each for each in places if each["place"] == "Box.title")
    assert [(each["client"], each["messages"]) for each in title["senders"]] == [("stock", 4)]


def test_a_share_is_refused_and_the_others_are_served_with_the_announcement(
    shelves: Yard, olga: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested(olga, percent=5)
    rolls = iter([0.2, 0.04, 0.05, 0.049])
    check = BrownOutCheck(shelves.servers, shelves.api._usage, RecentBrownOuts(_Ticks()), lambda: next(rolls))
    monkeypatch.setattr(shelves.api, "_brown_outs", check)
    answers = [patch(shelves, {"title": str(number)}) for number in range(4)]
    assert [each.status for each in answers] == [200, 400, 200, 400]
    assert all("percent=5" in each.headers["Switchyard-Brown-Out"] for each in answers)


def test_it_begins_and_ends_at_its_times_and_is_announced_before(shelves: Yard, olga: APIClient) -> None:
    begins_at = (timezone.now() + timedelta(minutes=30)).isoformat()
    before = outbox.number().seq
    made = requested(olga, begins_at=begins_at)
    assert made["state"] == "announced"
    answer = patch(shelves, {"title": "tools"})
    assert (answer.status, answer.headers["Sunset"]) == (200, "Wed, 01 Jul 2099 00:00:00 GMT")
    assert answer.headers["Switchyard-Brown-Out"].startswith("Box.title;percent=100;begins=")
    events = outbox.read(before, outbox.number().seq, 10)
    [event] = [each for each in events if each.kind == "brown-out"]
    name = name_of(event)
    assert (name, is_within(place_of(event), SHELVES, "*")) == ("usage.brown-out", True)
    body = body_of(event, name)
    assert body["title"] == f"Brown-out of Box.title of {SHELVES} v1"
    assert "it is removed on 2099-07-01. Use label instead. Send label." in str(body["text"])
    assert body["link"] == f"/versions/{SHELVES}/usage"

    BrownOut.objects.update(begins_at=timezone.now() - timedelta(minutes=2))
    assert patch(shelves, {"title": "tools"}).status == 400
    BrownOut.objects.update(ends_at=timezone.now() - timedelta(minutes=1))
    over = patch(shelves, {"title": "tools"})
    assert (over.status, "Switchyard-Brown-Out" in over.headers) == (200, False)
    assert listed(olga)["state"] == "over"


def test_a_stop_ends_it_at_once_and_is_written_down(shelves: Yard, olga: APIClient) -> None:
    made = requested(olga)
    assert patch(shelves, {"title": "tools"}).status == 400
    stop = f"/api/v1/brown-outs/{made['id']}/stop"
    assert client_of("vera", "viewer").post(stop, {}, format="json").status_code == 403
    stopped = olga.post(stop, {"reason": "Orders failed."}, format="json").json()
    assert (stopped["state"], stopped["stopped_by"], stopped["stop_reason"]) == (
        "stopped",
        "olga",
        "Orders failed.",
    )
    assert patch(shelves, {"title": "tools"}).status == 200
    again = olga.post(stop, {}, format="json").json()
    assert again["code"] == "brown-out-state"
    assert again["detail"].startswith("The brown-out was stopped. ")
    entries = LedgerEntry.objects.filter(action__startswith="brown-out.", outcome="done").order_by("pk")
    assert [(each.action, each.actor) for each in entries] == [
        ("brown-out.request", "olga"),
        ("brown-out.stop", "olga"),
    ]


def test_brown_outs_that_cannot_be_read_any_more_end(
    shelves: Yard, olga: APIClient, monkeypatch: Any
) -> None:
    from django.db import DatabaseError

    from migrations_app.adapters.repositories import retirements

    requested(olga)
    known = RecentBrownOuts(_Ticks())
    assert not known.is_empty()

    def unreadable() -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(retirements, "_open_brown_outs", unreadable)
    assert [known.is_empty() for _ in range(8)][-1] is True
    assert known.is_empty() is True


def test_methods_and_versions_are_refused_as_well(shelves: Yard, olga: APIClient) -> None:
    requested(olga, place="Box.delete", sunset="2099-12-01", replaced_by="archiving")
    refused = shelves.call("DELETE", BOX, version="v1")
    assert refused.status == 410
    assert isinstance(refused.document, dict)
    assert "Use archiving instead" in str(refused.document["detail"])
    assert patch(shelves, {"title": "tools"}).status == 200

    VersionRetirement.objects.create(
        service=SHELVES, version="v1", retires_on="2099-03-01", set_by="root", set_at=timezone.now()
    )
    requested(olga, place="v1")
    refused = shelves.call("GET", BOX, version="v1")
    assert (refused.status, refused.headers["Sunset"]) == (410, "Sun, 01 Mar 2099 00:00:00 GMT")
    watch = ResourceRequest("GET", f"/apis/{REGION}/{SHELVES}/v1/boxes:watch", "", {})
    with pytest.raises(Gone) as gone:
        shelves.api.watcher(watch, shelves.actor)
    assert gone.value.code == "brown-out"


def test_where_a_policy_asks_another_person_approves_before_it_counts(shelves: Yard, olga: APIClient) -> None:
    ApprovalPolicy.objects.create(
        name="brown-outs", purpose="brownout", service=SHELVES, needed=1, group="approver", updated_by="root"
    )
    made = requested(olga)
    assert (made["state"], made["approvals_asked"]) == (
        "requested",
        "1 person with the role or group approver",
    )
    assert patch(shelves, {"title": "tools"}).status == 200
    approve = f"/api/v1/brown-outs/{made['id']}/approve"
    assert olga.post(approve).status_code == 403
    own = client_of("omar", "operator", "approver")
    asked = requested(own, begins_at=(timezone.now() + timedelta(hours=2)).isoformat(),
                      ends_at=(timezone.now() + timedelta(hours=3)).isoformat())  # fmt: skip
    refused = own.post(f"/api/v1/brown-outs/{asked['id']}/approve")
    assert (refused.status_code, refused.json()["code"]) == (403, "denied")
    admin = client_of("ada", "admin").post(approve)
    assert (admin.status_code, admin.json()["code"]) == (403, "vote-denied")

    approved = client_of("ann", "approver").post(approve)
    assert (approved.status_code, approved.json()["state"], approved.json()["approved_by"]) == (
        200, "running", ["ann"],
    )  # fmt: skip
    assert patch(shelves, {"title": "tools"}).status == 400
    assert client_of("bert", "approver").post(approve).json()["code"] == "brown-out-state"


def test_what_is_not_deprecated_has_no_sunset_or_no_time_is_refused(shelves: Yard, olga: APIClient) -> None:
    def refusal(**more: Json) -> tuple[int, str]:
        answer = olga.post(BROWN_OUTS, wish(**more), format="json")
        return answer.status_code, answer.json()["code"]

    def wrong(**more: Json) -> dict[str, str]:
        answer = olga.post(BROWN_OUTS, wish(**more), format="json")
        return {each["path"]: each["message"] for each in answer.json()["errors"]}

    now = timezone.now()
    past = (now - timedelta(hours=2)).isoformat()
    assert refusal(ends_at=past) == (400, "brown-out-terms")
    assert refusal(begins_at=past) == (400, "brown-out-terms")
    assert refusal(begins_at=(now + timedelta(hours=2)).isoformat()) == (400, "brown-out-terms")
    assert refusal(ends_at=(now + timedelta(days=40)).isoformat()) == (400, "brown-out-terms")
    # Each is said at its field, and all at once.
    assert wrong(begins_at=past, ends_at=past) == {
        "begins_at": "The time is in the past.",
        "ends_at": "The time is not in the future.",
    }
    assert wrong(begins_at=(now + timedelta(hours=2)).isoformat()) == {
        "ends_at": "The end is not after the beginning."
    }
    assert wrong(ends_at=(now + timedelta(days=40)).isoformat()) == {
        "ends_at": "A brown-out takes at most 30 days."
    }
    assert wrong(percent=0) == {"percent": "It is not more than 0."}
    assert refusal(percent=0) == (400, "invalid")
    assert refusal(percent=101) == (400, "invalid")
    assert refusal(place="Box.weight") == (409, "not-deprecated")
    assert refusal(place="v1") == (409, "not-deprecated")
    assert refusal(place="Box.delete") == (400, "brown-out-sunset")
    assert refusal(place="Box.nothing") == (404, "usage-place")
    assert refusal(version="v9") == (404, "version")
    requested(olga)
    assert refusal(percent=5) == (409, "brown-out-exists")
    viewer = client_of("vera", "viewer")
    assert viewer.post(BROWN_OUTS, wish(), format="json").status_code == 403
    assert viewer.get(BROWN_OUTS).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_the_command_line_creates_lists_and_stops(live_server: Any, shelves: Yard, olga: APIClient) -> None:
    swy = Swy(live_server.url, token_of("olga"))
    until = (timezone.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%MZ")
    words = ("create", SHELVES, "v1", "Box.title", "--percent", "100", "--until", until, "-m", "Send label.")
    swy("usage", "brown-outs", *words, "--dry-run")
    assert not BrownOut.objects.exists()
    made = json.loads(swy("usage", "brown-outs", *words, "-o", "json").splitlines()[0])
    assert patch(shelves, {"title": "tools"}).status == 400
    assert isinstance(shelves.usage, BufferedUsage)
    shelves.usage.flush()
    table = swy("usage", "brown-outs", "list", SHELVES, "-o", "table")
    assert "stock 1" in table
    assert "1 refused" in swy("usage", "show", SHELVES, "v1", "-o", "table")
    stopped = swy.told("usage", "brown-outs", "stop", made["id"], "-m", "Enough.", "-o", "json")
    assert stopped["state"] == "stopped"
    assert patch(shelves, {"title": "tools"}).status == 200


def settled(shelves: Yard) -> None:
    """Let brown-outs be of two minutes ago, so that every process knows them."""
    ago = timezone.now() - timedelta(minutes=2)
    BrownOut.objects.update(begins_at=ago, approved_at=ago)
    shelves.servers.directory.forget(REGION, SHELVES)


def watched_box(shelves: Yard) -> dict[str, Any]:
    """Give the box as a watch tells it first."""
    request = ResourceRequest("GET", f"/apis/{REGION}/{SHELVES}/v1/boxes:watch", "", {})
    watched = shelves.api.watcher(request, shelves.actor)
    assert watched is not None
    message: Any = watched.watch.step()
    box: dict[str, Any] = message["boxChanges"][0]["added"]["box"]
    return box


def test_who_only_reads_it_is_answered_without_it_counted_and_loses_nothing(
    shelves: Yard, olga: APIClient
) -> None:
    def read(path: str = BOX, **query: str) -> Any:
        return shelves.call("GET", path, version="v1", headers={"user-agent": "shop/2"}, **query)

    parts: Json = [{"id": "a", "note": "long"}]
    patch(shelves, {"title": "tools", "parts": parts})
    made = requested(olga)
    # It is announced to readers, and left out once every process knows it.
    first = read()
    assert (first.document["title"], "Switchyard-Left-Out" in first.headers) == ("tools", False)
    assert first.headers["Switchyard-Brown-Out"].startswith("Box.title;percent=100;begins=")
    settled(shelves)
    answer = read()
    assert answer.status == 200
    assert "title" not in answer.document
    assert (answer.document["weight"], answer.document["parts"]) == (1, parts)
    assert answer.headers["Switchyard-Left-Out"] == "Box.title"
    assert answer.headers["Sunset"] == "Wed, 01 Jul 2099 00:00:00 GMT"
    assert "title" not in read("boxes").document["boxes"][0]
    assert "title" not in read("boxes:batchGet", names=BOX).document["boxes"][0]
    assert "title" not in watched_box(shelves)
    # Who asks for other fields is told nothing, who names it is refused as before.
    assert "Switchyard-Brown-Out" not in read(fieldMask="weight").headers
    assert read(fieldMask="title").status == 400

    assert isinstance(shelves.usage, BufferedUsage)
    shelves.usage.flush()
    counted = {
        (each["method"], each["release"]): each["requests"] for each in listed(olga)["refused_clients"]
    }
    assert counted == {
        ("Box.get", "shop/2"): 2,
        ("Box.list", "shop/2"): 1,
        ("Box.batchGet", "shop/2"): 1,
        ("Box.watch", ""): 1,
    }
    # Who writes back what it read takes nothing away, also after the end; who clears the field does.
    body = {**answer.document, "weight": 9}
    assert shelves.call("PUT", BOX, body, version="v1").status == 200
    stopped = olga.post(f"/api/v1/brown-outs/{made['id']}/stop", {}, format="json")
    assert stopped.status_code == 200
    back = read()
    assert (back.document["title"], back.document["weight"]) == ("tools", 9)
    assert {"Switchyard-Left-Out", "Switchyard-Brown-Out"}.isdisjoint(back.headers)
    assert watched_box(shelves)["title"] == "tools"
    assert shelves.call("PUT", BOX, body, version="v1").status == 200
    assert read().document["title"] == "tools"
    assert patch(shelves, {}, updateMask="title").status == 200
    assert "title" not in read().document
    # The mask of everything says that the resource is whole.
    patch(shelves, {"title": "saws"})
    assert shelves.call("PUT", BOX, body, version="v1", updateMask="*").status == 200
    assert "title" not in read().document
    # The longest period of a client after the end, what is written back was read without a brown-out.
    patch(shelves, {"title": "saws"})
    assert shelves.call("PUT", BOX, body, version="v1").status == 200
    assert read().document["title"] == "saws"
    ended = timezone.now() - timedelta(days=36)
    BrownOut.objects.update(begins_at=ended - timedelta(hours=1), stopped_at=ended)
    shelves.servers.directory.forget(REGION, SHELVES)
    assert shelves.call("PUT", BOX, body, version="v1").status == 200
    assert "title" not in read().document


def test_of_the_answers_to_readers_a_share_is_without_the_field(
    shelves: Yard, olga: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch(shelves, {"title": "tools"})
    requested(olga, percent=5)
    settled(shelves)
    rolls = iter([0.2, 0.04, 0.05, 0.049])
    check = BrownOutCheck(shelves.servers, shelves.api._usage, RecentBrownOuts(_Ticks()), lambda: next(rolls))
    monkeypatch.setattr(shelves.api, "_brown_outs", check)
    answers = [shelves.call("GET", BOX, version="v1") for _ in range(4)]
    assert ["title" in dict(each.document) for each in answers] == [True, False, True, False]  # type: ignore[arg-type]
    assert all("percent=5" in each.headers["Switchyard-Brown-Out"] for each in answers)
