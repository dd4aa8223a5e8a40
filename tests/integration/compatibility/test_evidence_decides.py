"""Evidence decides: what was applied without a word is refused or loses nothing, and a deprecation goes all its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from migrations_app import wiring
from migrations_app.adapters import definitions
from migrations_app.adapters.repositories.retirements import RecentBrownOuts
from migrations_app.adapters.repositories.usage import UsageRows
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM, Actor, ActorKind, Grant
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Service
from migrations_app.resource_api.exchange import Response
from migrations_app.resource_api.requests import ResourceApi
from tests.factories.access import client_of, token_of
from tests.factories.shelves import BOX, SHELVES, STORED, V1, folder
from tests.integration.compatibility.test_brown_outs import _Ticks
from tests.integration.compatibility.test_changes_of_definitions import (
    NEEDED,
    REMOVED,
    RENAMED,
    RETYPED,
    observed_for,
    stored,
)
from tests.integration.resource_api.conftest import REGION, Yard, deployed
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)
V2 = V1.replace("title:", "label:")
Apply = Callable[..., str]


def deprecated(sunset: str) -> str:
    """Write the definition in which the title is deprecated."""
    said = f"{{since: 2026-01-01, sunset: {sunset}, replacedBy: label}}"
    return V1.replace("title: string", f"title: {{type: string, deprecated: {said}}}")


@pytest.fixture
def shelves(db: None, data_database: str) -> Iterator[Yard]:
    """A box that the client `stock` stored minutes ago, in a definition that deprecates nothing."""
    apply_region(SYSTEM, REGION, "Belgium")
    apply_service(SYSTEM, folder(v2=V2))
    # A service from before new ones refused what they do not know: what is unknown is left out, and told.
    Service.objects.filter(pk=SHELVES).update(unknown_keys="")
    with deployed(data_database, SHELVES, "v1") as made:
        made.usage = BufferedUsage(UsageRows().add, background=False)
        made.api = ResourceApi(made.servers, made.usage, brown_outs=RecentBrownOuts(_Ticks()))
        made.actor = Actor(ActorKind.SERVICE, "stock", grants=(Grant("admin"),))
        made.call("POST", "boxes", STORED, version="v1", id="b1", headers={"user-agent": "stock/1.4"})
        made.usage.flush()
        yield made
    wiring.databases().close(data_database)


@pytest.fixture
def swy(live_server: Any, shelves: Yard) -> Swy:
    """The command line of an operator."""
    client_of("olga", "operator")
    return Swy(live_server.url, token_of("olga"))


@pytest.fixture
def apply(swy: Swy, shelves: Yard, tmp_path: Path) -> Apply:
    """Apply the folder with another v1 by the command line."""

    def _apply(v1: str, *words: str, expect: int = 0) -> str:
        for path, text in folder(v1=v1, v2=V2 if "deprecated" in v1 else "").items():
            (tmp_path / path).write_bytes(text)
        said = swy("service", "apply", str(tmp_path), *words, expect=expect)
        shelves.servers.directory.forget(REGION, SHELVES)
        return said

    return _apply


def patch(shelves: Yard, body: JsonObject) -> Response:
    """Update the box as the client does, and write its use down."""
    answer = shelves.call("PATCH", BOX, body, version="v1", headers={"user-agent": "stock/1.4"})
    assert isinstance(shelves.usage, BufferedUsage)
    shelves.usage.flush()
    return answer


def test_what_was_applied_without_a_word_is_refused_or_loses_nothing(shelves: Yard, apply: Apply) -> None:
    before = definitions.current_fingerprint(SHELVES)
    # A field that was sent minutes before is not removed.
    said = apply(REMOVED, "--dry-run", expect=6)
    assert "refused key-removed v1/Box.title" in said
    assert "still sent or asked for by stock (says it is stock/1.4), 1 times" in said
    assert "Change it in place, in the steps of each decision: it costs" in said
    assert "A new version costs" in said
    # A type is not replaced, a field not renamed, and none newly required, over what is stored and sent.
    for v1, said in (
        (RETYPED, "refused type-replaced v1/Box.weight"),
        (RENAMED, "refused key-removed v1/Box.title"),
        (NEEDED, "needs-data-task key-added-required v1/Box.keeper"),
    ):
        assert said in apply(v1, "--dry-run", expect=6)
        apply(v1, expect=6)
    assert definitions.current_fingerprint(SHELVES) == before

    # Where it is so all the same, as a waiver would let it be, an update of another field erases nothing.
    for v1 in (RETYPED, RENAMED, NEEDED):
        definitions.keep(SHELVES, folder(v1=v1))
        shelves.servers.directory.forget(REGION, SHELVES)
        assert patch(shelves, {"sealed": False}).status == 200
        assert stored(shelves) == {**STORED, "sealed": False}

    # Who sends a deprecated field, also past its sunset, is told with every answer.
    definitions.keep(SHELVES, folder(v1=deprecated("2026-07-01"), v2=V2))
    shelves.servers.directory.forget(REGION, SHELVES)
    answer = patch(shelves, {"title": "tools"})
    assert answer.status == 200
    assert answer.headers["Deprecation"] == "@1767225600"
    assert answer.headers["Sunset"] == "Wed, 01 Jul 2026 00:00:00 GMT"
    assert answer.headers["Switchyard-Deprecated"] == 'Box.title;replaced-by="label"'


def test_a_deprecation_goes_from_its_announcement_through_a_brown_out_to_the_removal(
    shelves: Yard, swy: Swy, apply: Apply
) -> None:
    today = timezone.now().date()
    goes = deprecated(today.isoformat())
    apply(goes)
    assert patch(shelves, {"title": "drawers"}).headers["Switchyard-Deprecated"].startswith("Box.title")
    deadline = (today + timedelta(days=30)).isoformat()
    announced = swy.told(
        "usage", "announce", SHELVES, "v1", "Box.title", "--deadline", deadline, "-m", "Send label."
    )
    assert announced["clients"] == ["stock"]
    assert "still sent or asked for by stock" in apply(REMOVED, expect=6)

    # The client sends it all the same: it fails, in words that say what to do, and is named.
    until = (timezone.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%MZ")
    words = ("create", SHELVES, "v1", "Box.title", "--percent", "100", "--until", until, "-o", "json")
    brown_out = swy.told("usage", "brown-outs", *words)["id"]
    refused = patch(shelves, {"title": "shelves"})
    assert isinstance(refused.document, dict)
    assert (refused.status, refused.document["code"]) == (400, "brown-out")
    assert f"will be removed on {today.isoformat()}" in str(refused.document["detail"])
    assert "Use label instead" in str(refused.document["detail"])
    assert stored(shelves)["title"] == "drawers"
    [listed] = swy.lines("usage", "brown-outs", "list", SHELVES, "-o", "json")
    assert (listed["refused"], listed["state"]) == (1, "running")
    swy("usage", "brown-outs", "stop", brown_out, "-m", "Orders failed.")
    assert patch(shelves, {"title": "shelves"}).status == 200

    # Its next release sends it no more, and no box holds it: after the window that is the proof.
    shelves.call("DELETE", BOX, version="v1")
    shelves.call("POST", "boxes", {"weight": 1}, version="v1", id="b1", headers={"user-agent": "stock/2.0"})
    UsageCount.objects.all().delete()
    observed_for(35, count=3000)
    unused = swy.lines("usage", "show", SHELVES, "v1", "--unused", "-o", "json")
    assert "Box.title" in {each["place"] for each in unused}
    apply(REMOVED)

    # A client that was never seen and sends it is served without it, and told; or refused, where that is better.
    stray = patch(shelves, {"weight": 2, "title": "old"})
    assert stray.headers["Warning"].endswith('not know them: title"')
    assert stored(shelves) == {"weight": 2}
    swy("usage", "keys", "set", SHELVES, "v1", "Box.title", "strict", "--until", until, "-m", "It is gone.")
    shelves.servers.directory.forget(REGION, SHELVES)
    with pytest.raises(Invalid, match="title is not known"):
        patch(shelves, {"weight": 3, "title": "old"})
    actions = LedgerEntry.objects.filter(outcome="done", service=SHELVES).order_by("pk")
    assert [
        each.action for each in actions if each.action.startswith(("usage.", "brown-out.", "key-strategy."))
    ] == ["usage.announce", "brown-out.request", "brown-out.stop", "key-strategy.set"]


def test_what_a_client_says_of_its_release_decides_nothing(shelves: Yard, swy: Swy, apply: Apply) -> None:
    shelves.call("PUT", BOX, {"weight": 7}, version="v1")
    assert isinstance(shelves.usage, BufferedUsage)
    shelves.usage.flush()
    UsageCount.objects.all().delete()
    observed_for(35, count=3000)
    apply(deprecated(timezone.now().date().isoformat()))
    assert "may be applied" in apply(REMOVED, "--dry-run")
    # It says that it is the release that sends it no more, and sends it.
    agent = {"user-agent": "stock/99.0"}
    shelves.call("PATCH", BOX, {"title": "x"}, version="v1", headers=agent)
    shelves.usage.flush()
    said = apply(REMOVED, "--dry-run", expect=6)
    assert "still sent or asked for by stock (says it is stock/99.0), 1 times" in said
    until = (timezone.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%MZ")
    swy("usage", "brown-outs", "create", SHELVES, "v1", "Box.title", "--percent", "100", "--until", until)
    answer = shelves.call("PATCH", BOX, {"title": "y"}, version="v1", headers={"user-agent": "other/1.0"})
    assert answer.status == 400
    shelves.usage.flush()
    [listed] = swy.lines("usage", "brown-outs", "list", SHELVES, "-o", "json")
    clients = listed["refused_clients"]
    assert isinstance(clients, list)
    assert [(each["client"], each["release"]) for each in clients] == [("stock", "other/1.0")]
