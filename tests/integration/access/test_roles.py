"""Roles put together from the list of permissions: made, given, changed and taken away over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.make_role import RoleWish, make_role
from migrations_app.control.access.queries.access import actor_named
from migrations_app.control.access.repository.access import binding_as_json
from migrations_app.domain.access import ROLES as BUILT_IN
from migrations_app.models.access import Account, MadeRole, RoleBinding
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import FOUNDER, client_of, make_account, token_of

pytestmark = pytest.mark.django_db
BINDINGS = "/api/v1/access/bindings"
ROLES = "/api/v1/access/roles"
SWITCHER = {"role": "switcher", "title": "Switches at night", "permissions": ["upgrade.switch", "fleet.read"]}


@pytest.fixture(autouse=True)
def _no_attempts() -> None:
    cache.clear()


def test_a_role_is_made_given_changed_and_taken_away() -> None:
    ada = client_of("ada", "admin")
    rehearsed = ada.post(f"{ROLES}?dry_run=true", SWITCHER, format="json")
    assert (rehearsed.status_code, MadeRole.objects.count()) == (201, 0)
    made = ada.post(ROLES, SWITCHER, format="json")
    assert (made.status_code, made["ETag"], made["Location"]) == (201, '"1"', f"{ROLES}/switcher")
    assert [each["permission"] for each in made.json()["permissions"]] == ["fleet.read", "upgrade.switch"]
    assert ada.post(ROLES, SWITCHER, format="json").json()["code"] == "role-exists"

    nina = client_of("nina")
    assert nina.get("/api/v1/fleet").status_code == 403
    ada.post("/api/v1/access/bindings", {"subject": "nina", "role": "switcher"}, format="json")
    assert nina.get("/api/v1/fleet").status_code == 200
    assert nina.get("/api/v1/session").json()["account"]["permissions"] == ["fleet.read", "upgrade.switch"]
    asked = {"account": "nina", "action": "fleet.read"}
    assert ada.post("/api/v1/access/explain", asked, format="json").json()["bindings"] == [
        "switcher of everything"
    ]

    less = {"permissions": ["upgrade.switch"]}
    assert ada.put(f"{ROLES}/switcher", less, format="json").status_code == 428
    assert ada.put(f"{ROLES}/switcher", less, format="json", HTTP_IF_MATCH='"9"').status_code == 412
    assert ada.put(f"{ROLES}/switcher", less, format="json", HTTP_IF_MATCH='"1"').json()["rev"] == 2
    assert nina.get("/api/v1/fleet").status_code == 403

    held = ada.delete(f"{ROLES}/switcher", HTTP_IF_MATCH='"2"')
    assert (held.status_code, held.json()["code"]) == (409, "role-held")
    (binding,) = (
        each for each in ada.get("/api/v1/access/bindings").json()["items"] if each["subject"] == "nina"
    )
    ada.delete(f"/api/v1/access/bindings/{binding['id']}", HTTP_IF_MATCH=f'"{binding["tag"]}"')
    assert ada.delete(f"{ROLES}/switcher", HTTP_IF_MATCH='"2"').status_code == 204
    noted = LedgerEntry.objects.filter(action__startswith="role.", outcome="done").order_by("id")
    assert [each.action for each in noted] == ["role.make", "role.change", "role.delete"]


def test_an_access_manager_of_one_place_gives_nothing_beyond_it() -> None:
    client_of("ada", "admin")
    local = client_of("lena")
    bind_role(actor_named("ada"), NewBinding("account", "lena", "admin", region="eu-*"))
    make_account("nina")
    wide = {"subject": "nina", "role": "admin"}
    refused = local.post("/api/v1/access/bindings", wide, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "more-than-held")
    own = local.post("/api/v1/access/bindings", {**wide, "subject": "lena"}, format="json")
    assert own.json()["code"] == "more-than-held"
    given = local.post("/api/v1/access/bindings", {**wide, "region": "eu-1"}, format="json")
    assert given.status_code == 201
    tag = given.json()["tag"]
    wider = local.put(
        f"/api/v1/access/bindings/{given.json()['id']}",
        {"region": "*"},
        format="json",
        HTTP_IF_MATCH=f'"{tag}"',
    )
    assert wider.json()["code"] == "more-than-held"
    assert local.post(ROLES, SWITCHER, format="json").json()["code"] == "denied"


def test_who_manages_access_in_one_place_takes_nothing_away_beyond_it() -> None:
    for name in ("ada", "root"):
        make_account(name, "admin")
    make_role(
        actor_named("ada"), RoleWish("keeper", ("access.read", "access.manage", "fleet.read", "audit.read"))
    )
    lena = client_of("lena")
    bind_role(actor_named("ada"), NewBinding("account", "lena", "keeper", region="eu-*"))
    make_account("nina")
    for role, region in (("keeper", "eu-1"), ("keeper", "us-1"), ("viewer", "eu-1")):
        bind_role(FOUNDER, NewBinding("account", "nina", role, region=region))
    answers = {}
    for row in RoleBinding.objects.exclude(subject="lena"):
        path, tag = f"{BINDINGS}/{row.pk}", binding_as_json(row)["tag"]
        bounds = {"region": "eu-1", "service": "x.example.com"}
        for method, asked, sent in (
            ("put", "?dry_run=true", bounds), ("delete", "?dry_run=true", None), ("delete", "", None)
        ):  # fmt: skip
            answer = getattr(lena, method)(f"{path}{asked}", sent, format="json", HTTP_IF_MATCH=f'"{tag}"')
            code = answer.json()["code"] if answer.status_code > 299 else ""
            answers[row.subject, row.role, row.region, method, asked] = (answer.status_code, code)
    taken = {key: said for key, said in answers.items() if said[0] < 300}
    assert {key[:3] for key in taken} == {("nina", "keeper", "eu-1")}
    assert {said for key, said in answers.items() if key not in taken} == {
        (403, "denied"),
        (403, "more-than-held"),
    }
    left = RoleBinding.objects.values_list("subject", "role", "region")
    assert sorted(left) == [
        ("ada", "admin", "*"),
        ("lena", "keeper", "eu-*"),
        ("nina", "keeper", "us-1"),
        ("nina", "viewer", "eu-1"),
        ("root", "admin", "*"),
    ]


def test_the_last_admin_is_the_last_who_can_sign_in_here() -> None:
    ada = client_of("ada", "admin")
    own = RoleBinding.objects.get(subject="ada")
    make_account("gone", "admin")
    Account.objects.filter(username="gone").update(is_active=False)
    make_account("ci", "admin", kind="service")
    RoleBinding.objects.create(subject_kind="group", subject="empty", role="admin")
    make_account("far", "admin")
    RoleBinding.objects.filter(subject="far").update(environment="another")

    def give_up() -> Any:
        tag = binding_as_json(own)["tag"]
        return ada.delete(f"{BINDINGS}/{own.pk}?dry_run=true", HTTP_IF_MATCH=f'"{tag}"')

    assert (give_up().status_code, give_up().json()["code"]) == (409, "last-admin")
    make_account("grace")
    Account.objects.filter(username="grace").update(groups=["empty"])
    assert give_up().status_code == 204


def test_a_narrow_token_of_an_admin_makes_no_wide_role() -> None:
    make_account("ada", "admin")
    pipeline = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('ada', 'access.*')}")
    refused = pipeline.post(ROLES, SWITCHER, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "more-than-held")


def test_a_role_that_is_built_in_stays_as_it_is() -> None:
    ada = client_of("ada", "admin")
    refused = ada.put(f"{ROLES}/viewer", {"permissions": ["fleet.read"]}, format="json", HTTP_IF_MATCH='"0"')
    assert (refused.status_code, refused.json()["code"]) == (400, "role-name")
    assert ada.delete(f"{ROLES}/viewer", HTTP_IF_MATCH='"0"').status_code == 404
    shown = ada.get(f"{ROLES}/viewer")
    assert (shown.json()["made"], shown["ETag"]) == (False, '"0"')


def test_an_account_with_less_gets_no_hold_of_one_that_may_do_more() -> None:
    make_account("root", "admin")
    local = client_of("lena")
    held = ("access.manage", "access.read", *BUILT_IN["viewer"])
    make_role(actor_named("root"), RoleWish("keeper", held))
    bind_role(actor_named("root"), NewBinding("account", "lena", "keeper"))
    make_account("nina", "viewer", region="eu-1")
    stolen = local.post("/api/v1/tokens", {"name": "x", "account": "root"}, format="json")
    assert (stolen.status_code, stolen.json()["code"]) == (403, "more-than-held")
    taken = local.patch("/api/v1/access/accounts/root", {"password": "a long enough sentence"}, format="json")
    assert (taken.status_code, taken.json()["code"]) == (403, "step-up-token")
    closed = local.patch("/api/v1/access/accounts/root", {"active": False}, format="json")
    assert (closed.status_code, closed.json()["code"]) == (403, "more-than-held")
    assert Account.objects.get(username="root").is_active
    assert local.post("/api/v1/tokens", {"name": "x", "account": "nina"}, format="json").status_code == 201
    assert local.patch("/api/v1/access/accounts/nina", {"active": False}, format="json").status_code == 200


def test_a_role_counts_on_its_days_and_from_its_networks_only(monkeypatch: pytest.MonkeyPatch) -> None:
    root, ann = client_of("root", "admin"), client_of("ann", "viewer")
    wish = {
        "subject": "ann",
        "role": "operator",
        "conditions": {"days": [1, 2], "start": "08:00", "end": "18:00", "networks": ["127.0.0.0/8"]},
    }
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 2, 9, tzinfo=UTC))
    rehearsed = root.post("/api/v1/access/bindings?dry_run=true", wish, format="json").json()
    said = "on Monday, Tuesday from 08:00 to 18:00 UTC, from 127.0.0.0/8"
    assert (rehearsed["counts"], rehearsed["counts_now"]) == (said, True)
    made = root.post("/api/v1/access/bindings", wish, format="json").json()
    assert made["conditions"] == {**wish["conditions"], "zone": "UTC"}
    freeze = ("/api/v1/health/quarantined-work", {"controller": "none", "key": "none"})
    assert ann.post(*freeze, format="json").json()["code"] == "work"
    refused = ann.post(*freeze, format="json", REMOTE_ADDR="192.0.2.7").json()
    assert refused["code"] == "denied"
    assert refused["detail"].startswith(
        "Your role operator does not count now: it counts from 127.0.0.0/8, and you are at 192.0.2.7."
    )

    asked = {"account": "ann", "action": "upgrade.switch", "address": "127.0.0.1"}
    late = {**asked, "at": "2026-03-04T09:00:00Z"}
    told = root.post("/api/v1/access/explain", late, format="json").json()
    times = said.partition(", from")[0]
    why = f"Your role operator does not count now: it counts {times}, and it is Wednesday 09:00 there."
    assert (told["allowed"], told["reason"]) == (False, why)
    assert f"operator of everything ({said})" in told["bindings"]
    grants = root.post("/api/v1/access/explain", asked, format="json").json()["grants"]
    (grant,) = (each for each in grants if each["role"] == "operator")
    assert (grant["through"], grant["conditions"]) == ("", made["conditions"])
    assert [phrase["key"] for phrase in told["phrases"]] == [
        "Your role {role} does not count now:",
        "it counts {times}, and it is {now} there.",
    ]
    assert root.post("/api/v1/access/explain", asked, format="json").json()["allowed"]

    place = f"/api/v1/access/bindings/{made['id']}"
    wrong = root.put(
        place, {"conditions": {"start": "25:00"}}, format="json", HTTP_IF_MATCH=f'"{made["tag"]}"'
    )
    assert (wrong.status_code, wrong.json()["errors"][0]["path"]) == (400, "conditions.start")
    freed = root.put(place, {}, format="json", HTTP_IF_MATCH=f'"{made["tag"]}"').json()
    assert (freed["conditions"], freed["counts"]) == ({}, "always")
    assert freed["tag"] != made["tag"]


def test_an_admin_of_some_hours_does_not_stand_in_for_the_last_one() -> None:
    root = client_of("root", "admin")
    make_account("ada")
    held = {"subject": "ada", "role": "admin", "conditions": {"days": [1]}}
    assert root.post("/api/v1/access/bindings", held, format="json").status_code == 201
    own = RoleBinding.objects.get(subject="root")
    shown = root.get(f"/api/v1/access/bindings/{own.pk}")
    refused = root.delete(f"/api/v1/access/bindings/{own.pk}", HTTP_IF_MATCH=shown["ETag"])
    assert (refused.status_code, refused.json()["code"]) == (409, "last-admin")
