"""What the Meta API does not understand over HTTP is refused with its place, and nothing is written."""

from __future__ import annotations

from typing import Any

import pytest

from migrations_app.meta_api.urls import urlpatterns
from migrations_app.meta_api.views import MetaView, UnknownMetaAddressView
from migrations_app.models.registry import RegistryHead
from tests.contract.meta.messages import parse
from tests.contract.meta.published import PACKAGE, pool
from tests.contract.meta.test_meta_api import IAM, IAM_EU, META, Meta, meta  # noqa: F401 - the fixture

pytestmark = pytest.mark.django_db
SPELLINGS = ("dry_run", "dryRun", "validateOnly", "validate_only")
WRITES: tuple[tuple[str, str, Any], ...] = (
    ("post", f"{META}/regions", {"name": "regions/jp"}),
    ("put", f"{META}/regions/eu?updateMask=title", {"title": "x"}),
    ("delete", f"{META}/regions/jp?allowMissing=true", None),
    ("delete", f"{META}/services/secrets/deployments/eu", None),
    ("post", f"{IAM_EU}:setAvailableUpgrade", {"targetApiVersion": "v2", "totalShardsCount": 4}),
    ("post", f"{IAM_EU}:getOrRegisterDataUpdateTask", {"tag": "t", "shardsCount": 1}),
)


def _seq() -> int:
    return RegistryHead.objects.get().seq


@pytest.mark.parametrize("word", SPELLINGS)
@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_every_spelling_of_a_rehearsal_writes_nothing(
    meta: Meta,  # noqa: F811
    method: str,
    path: str,
    body: Any,
    word: str,
) -> None:
    before = _seq()
    joined = "&" if "?" in path else "?"
    meta.ask(method, f"{path}{joined}{word}=true", body)
    assert _seq() == before
    assert meta.ask(method, f"{path}{joined}{word}=maybe", body, expect=400)["reason"] == "dry-run"
    other = next(each for each in SPELLINGS if each != word)
    refused = meta.ask(method, f"{path}{joined}{word}=true&{other}=false", body, expect=400)
    assert refused["reason"] == "dry-run"
    assert _seq() == before


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", f"{META}/regions?bogus=1"),
        ("get", f"{META}/regions/eu?updateMask=title"),
        ("get", f"{META}/regions/eu?dryRun=true"),
        ("get", f"{META}/regions:batchGet?name=regions/eu"),
        ("post", f"{META}/regions?bogus=1"),
        ("put", f"{META}/regions/eu?mask=title"),
        ("delete", f"{META}/regions/eu?force=true"),
        ("post", f"{IAM_EU}:beginUpgrade?bogus=1"),
        ("post", f"{META}/regions:watch?bogus=1"),
    ],
)
def test_a_parameter_that_there_is_not_is_refused_by_name(meta: Meta, method: str, path: str) -> None:  # noqa: F811
    before = _seq()
    refused = meta.ask(method, path, None if method == "get" else {"name": "regions/jp"}, expect=400)
    name = path.partition("?")[2].partition("=")[0]
    assert refused["reason"] == "parameter"
    assert refused["details"][1]["fieldViolations"][0]["field"] == name
    assert refused["remedy"]
    assert _seq() == before


@pytest.mark.parametrize("mask", ["displayName", "display_name"])
@pytest.mark.parametrize("key", ["updateMask", "update_mask"])
def test_a_mask_in_either_spelling_keeps_the_rest(meta: Meta, key: str, mask: str) -> None:  # noqa: F811
    before = meta.ask("get", IAM)
    after = meta.ask("put", f"{IAM}?{key}={mask}", {"display_name": "B"}, message="Service")
    assert after["displayName"] == "B"
    assert after["allVersions"] == before["allVersions"]
    assert after["multiRegionPolicy"] == before["multiRegionPolicy"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{IAM}?updateMask=displayName&update_mask=allVersions", {"displayName": "B"}),
        (f"{IAM}?updateMask=displayName", {"resource": {"displayName": "B"}, "updateMask": "allVersions"}),
        (f"{IAM}?updateMask=displayName", {"displayName": "B", "display_name": "C"}),
        (f"{IAM}?updateMask=displayNom", {"displayName": "B"}),
        (IAM, {"resource": {"displayName": "B"}, "bogus": 1}),
        (IAM, {"resource": {"displayName": "B"}, "cas": {"state": {}}}),
        (IAM, {"resource": {"displayName": "B"}, "responseMask": {"skip": True}}),
        (IAM, {"displayNom": "B"}),
    ],
)
def test_what_is_said_twice_or_unknown_changes_nothing(meta: Meta, path: str, body: Any) -> None:  # noqa: F811
    before = _seq()
    assert meta.ask("put", path, body, expect=400)["status"] == "INVALID_ARGUMENT"
    assert _seq() == before


def test_a_condition_in_the_query_holds(meta: Meta) -> None:  # noqa: F811
    path = f"{IAM}?updateMask=displayName&cas.fieldMask=displayName&cas.conditionalState.displayName="
    assert meta.ask("put", f"{path}WRONG", {"displayName": "B"}, expect=409)["reason"] == "compare-and-set"
    assert meta.ask("get", IAM)["displayName"] == "IAM"
    skipped = f"{path}IAM&responseMask.skipEntireResponseBody=true"
    assert meta.ask("put", skipped, {"displayName": "B"}) == {}
    assert meta.ask("get", IAM)["displayName"] == "B"


def test_if_match_is_the_resource_version_that_answers_carry(meta: Meta) -> None:  # noqa: F811
    shown = meta.client.get(f"{META}/regions/eu?view=NAME")
    tag = shown.headers["ETag"]
    path, send = f"{META}/regions/eu?updateMask=title", {"data": {"title": "x"}, "format": "json"}
    stale = meta.client.put(path, **send, headers={"If-Match": '"999999"'})
    assert (stale.status_code, stale.json()["code"]) == (412, 10)
    assert meta.client.delete(f"{META}/regions/eu", headers={"If-Match": '"999999"'}).status_code == 412
    assert meta.client.put(path, **send, headers={"If-Match": "title"}).status_code == 400
    missing = f"{META}/regions/jp?allowMissing=true"
    assert meta.client.put(missing, {}, format="json", headers={"If-Match": "*"}).status_code == 412
    assert meta.client.get(f"{META}/regions/jp").status_code == 404
    written = meta.client.put(path, **send, headers={"If-Match": tag})
    assert (written.status_code, written.json()["title"]) == (200, "x")
    assert written.headers["ETag"] == f'"{written.json()["metadata"]["resourceVersion"]}"' != tag
    assert meta.client.get(f"{META}/regions/eu", headers={"If-None-Match": tag}).status_code == 200
    same = meta.client.get(f"{META}/regions/eu", headers={"If-None-Match": written.headers["ETag"]})
    assert same.status_code == 304


@pytest.mark.parametrize("view", ["UNSPECIFIED", "0", "4", "FULL"])
def test_views_by_name_and_number(meta: Meta, view: str) -> None:  # noqa: F811
    assert meta.ask("get", f"{IAM}?view={view}", message="Service") == meta.ask("get", IAM)


def test_what_bodiless_methods_ask_for_may_stand_in_the_query(meta: Meta) -> None:  # noqa: F811
    path = f"{IAM_EU}:setAvailableUpgrade"
    assert meta.ask("post", f"{path}?targetApiVersion=v2&total_shards_count=4") == {}
    assert meta.ask("get", IAM_EU)["availableUpgrade"] == {"apiVersion": "v2", "totalShardsCount": 4}
    twice = meta.ask("post", f"{path}?targetApiVersion=v2", {"target_api_version": "v1"}, expect=400)
    assert twice["reason"] == "parameter"
    other = meta.ask("post", path, {"name": "services/iam/deployments/us"}, expect=400)
    assert other["reason"] == "name-mismatch"


def test_an_offer_is_checked_when_it_is_made(meta: Meta) -> None:  # noqa: F811
    refused = meta.ask("post", f"{IAM_EU}:setAvailableUpgrade", {"targetApiVersion": "v9"}, expect=400)
    assert refused["reason"] == "upgrade-target-unknown"
    assert "availableUpgrade" not in meta.ask("get", IAM_EU)


def test_problems_are_given_to_who_asks_for_them(meta: Meta) -> None:  # noqa: F811
    answer = meta.client.get(f"{META}/regions/zz", headers={"Accept": "application/problem+json, */*"})
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.json()["status"], answer.json()["code"]) == (404, "not-found")


def test_options_and_half_a_character_are_answered(meta: Meta) -> None:  # noqa: F811
    assert meta.client.options(f"{META}/regions").status_code == 200
    half = meta.client.post(
        f"{META}/regions", b'{"name": "regions/wire", "title": "\\ud800"}', content_type="application/json"
    )
    assert (half.status_code, half.json()["code"]) == (400, 3)


def test_the_options_of_each_method_are_the_fields_of_its_published_request() -> None:
    """The name, the parent and the body stand elsewhere; begin-upgrade has the two fields of earlier releases."""
    checked = 0
    for pattern in urlpatterns:
        view: type[MetaView] = pattern.callback.cls
        if view is UnknownMetaAddressView:
            continue
        for verb, names in view.asks.items():
            request = pool().FindMessageTypeByName(f"{PACKAGE}.{_request_of(view, verb)}")
            body = view.kind.value.removesuffix("s")
            fields = {each.json_name for each in request.fields} - {"name", "parent"}
            assert {*names} - {"parent"} == fields - ({body} if verb in ("PUT", "POST") else set()), (
                request.name
            )
            checked += 1
    assert checked == 4 * 8 + 5


def _request_of(view: type[MetaView], verb: str) -> str:
    many = view.kind.value.capitalize()
    one = many.removesuffix("s")
    for ending, found in (
        ("BatchGetView", f"BatchGet{many}"),
        ("WatchManyView", f"Watch{many}"),
        ("WatchOneView", f"Watch{one}"),
        ("CollectionView", f"List{many}" if verb == "GET" else f"Create{one}"),
        ("MemberView", {"GET": f"Get{one}", "PUT": f"Update{one}", "DELETE": f"Delete{one}"}.get(verb, "")),
        ("NotifyReadinessView", "NotifyShardsUpgradeReadiness"),
        ("RegisterDataTaskView", "GetOrRegisterDataUpdateTask"),
        ("UpdateDataTaskView", "UpdateDataTaskUpdate"),
    ):
        if view.__name__.endswith(ending):
            return f"{found}Request"
    return f"{view.__name__.removesuffix('View')}Request"


def test_a_list_parses_while_a_data_task_runs(meta: Meta) -> None:  # noqa: F811
    meta.ask("post", f"{IAM_EU}:getOrRegisterDataUpdateTask", {"tag": "t1", "shardsCount": 1})
    update = {"tag": "t1", "shard": "0", "progressStatus": {"cursor": "abc"}}
    meta.ask("post", f"{IAM_EU}:updateDataTaskUpdate", update)
    listed = meta.ask("get", f"{META}/services/-/deployments")
    parsed = parse("ListDeploymentsResponse", listed)
    assert parsed.deployments[0].data_update_statuses[0].progress_bar[0]["cursor"] == "abc"
