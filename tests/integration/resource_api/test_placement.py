"""Where writes go in a fleet of two regions served by one process: by policies, names, and what is there."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from migrations_app import wiring
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel import json
from migrations_app.kernel.errors import Conflict, Missing, SwitchyardError
from migrations_app.kernel.json import Json
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.forwarding import Forwarding
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.constraints.conftest import EU, IAM, SECRETS, US, VERSIONS, Fleet, fleet

__all__ = ["fleet"]
POLICY = "multiRegionPolicy"


def _call(region: str, service: str, method: str, path: str, body: Json = None, **query: str) -> Response:
    forwarding = Forwarding(lambda _: True, wiring.http_peers(), 5.0)
    api = ResourceApi(wiring.resource_servers(), forwarding=forwarding)
    at = f"/apis/{region}/{service}/{VERSIONS[service]}/{path}"
    sent = b"" if body is None else json.encode(body)
    return api.answer(ResourceRequest(method, at, urlencode(query), {}, sent), SYSTEM)


def _refused(*asked: str, body: Json = None) -> str:
    with pytest.raises(SwitchyardError) as refused:
        _call(*asked, body=body)
    return refused.value.code


def _project(name: str, control: str, *regions: str) -> Json:
    policy: Json = {"enabledRegions": [*regions], "defaultControlRegion": control}
    return {"name": f"projects/{name}", POLICY: policy}


def test_a_holder_is_created_where_its_own_policy_says_and_takes_the_batch_along(fleet: Fleet) -> None:
    accounts = {"create": {"resource": {"name": "projects/p/serviceAccounts/a"}}}
    both: Json = {"requests": [{"create": {"resource": _project("p", US, EU, US)}}, accounts]}  # type: ignore[dict-item]
    made = _call(EU, IAM, "POST", ":batchWrite", both)

    assert (made.status, made.headers["Switchyard-Region"]) == (200, US)
    account = fleet.find(IAM, US, "ServiceAccount", "projects/p/serviceAccounts/a")
    assert account is not None
    assert account.owning_region == US
    assert account.metadata["syncing"] == {"owningRegion": US, "regions": [EU, US]}
    assert fleet.find(IAM, EU, "Project", "projects/p") is None


def test_one_write_keeps_to_one_policy_and_to_what_is_known(fleet: Fleet) -> None:
    for name in ("p", "q"):
        _call(EU, IAM, "POST", "projects", _project(name, EU, EU, US))
    writes = [{"create": {"resource": {"name": f"projects/{name}/serviceAccounts/a"}}} for name in "pq"]
    assert _refused(EU, IAM, "POST", ":batchWrite", body={"requests": writes}) == "write-two-policies"  # type: ignore[dict-item]
    with_user: Json = {"requests": [writes[0], {"create": {"resource": {"name": "users/u", "email": "u@x"}}}]}  # type: ignore[list-item]
    assert _call(EU, IAM, "POST", ":batchWrite", with_user).status == 200, "what has no policy goes along"

    unplaced = _call(EU, IAM, "POST", "projects/nobody/serviceAccounts", {}, id="b").document
    assert isinstance(unplaced, dict)
    assert unplaced["metadata"]["syncing"] == {"owningRegion": EU, "regions": [EU]}  # type: ignore[index,call-overload]
    assert (
        _refused(EU, IAM, "POST", "projects", body=_project("far", "mars", "mars")) == "region-not-deployed"
    )
    assert _refused(
        EU, IAM, "POST", "projects", body={"name": "projects/odd", POLICY: {"enabledRegions": [EU]}}
    ) == ("control-region-missing")
    with pytest.raises(Missing):
        _call(EU, IAM, "PUT", "projects/nobody/serviceAccounts/a", {})
    assert fleet.find(IAM, EU, "ServiceAccount", "projects/q/serviceAccounts/a") is None


def test_an_importer_follows_the_holder_that_its_import_keeps(fleet: Fleet) -> None:
    _call(EU, IAM, "POST", "projects", _project("p", EU, EU))
    made = _call(EU, SECRETS, "POST", "projects/p/cryptoKeys", {}, id="k")
    assert made.status == 201
    assert "Switchyard-Region" not in made.headers
    assert fleet.find(SECRETS, US, "CryptoKey", "projects/p/cryptoKeys/k") is None


def test_a_plain_holder_leaves_it_to_the_service_and_what_is_there_says_who_owns_it(fleet: Fleet) -> None:
    _call(US, IAM, "POST", "projects", {"name": "projects/plain"})
    assert fleet.find(IAM, US, "Project", "projects/plain") is None, (
        "the service's control region is the first"
    )
    assert fleet.find(IAM, EU, "Project", "projects/plain") is not None

    # Written before its owner was asked for: it stays where it is, and can be changed and deleted there.
    fleet.create(IAM, US, "User", "users/u", email="u@x")
    changed = _call(US, IAM, "PUT", "users/u", {"email": "v@x"})
    assert changed.status == 200
    assert "Switchyard-Region" not in changed.headers
    assert _call(US, IAM, "DELETE", "users/u").status == 200
    assert fleet.find(IAM, US, "User", "users/u") is None


def test_without_anybody_to_hand_it_on_a_write_says_who_owns_it(fleet: Fleet) -> None:
    api = ResourceApi(wiring.resource_servers())
    with pytest.raises(Conflict) as refused:
        api.answer(
            ResourceRequest("POST", f"/apis/{US}/{IAM}/v1/users", "id=u", {}, b'{"email": "u@x"}'), SYSTEM
        )
    assert (refused.value.code, refused.value.nouns["region"]) == ("owned-elsewhere", EU)


def test_people_see_the_shadow_of_what_is_owned_here(fleet: Fleet) -> None:
    _call(EU, IAM, "POST", "projects", _project("p", EU, EU, US))
    _call(EU, IAM, "POST", "users", {"email": "u@x"}, id="u")
    _call(EU, SECRETS, "POST", "projects/p/cryptoKeys", {"owner": "users/u"}, id="k")
    key = _call(EU, SECRETS, "GET", "resourceShadows/projects/p/cryptoKeys/k").document
    user = _call(EU, IAM, "GET", "resourceShadows/users/u").document

    assert isinstance(key, dict)
    assert isinstance(user, dict)
    assert (key["name"], key["state"]) == ("resourceShadows/projects/p/cryptoKeys/k", "ACTIVE")
    assert key["references"] == [
        {
            "path": "owner",
            "kind": "UNSET",
            "service": IAM,
            "region": EU,
            "version": "v1",
            "type": "User",
            "name": "users/u",
        }
    ]
    assert user["backReferenceSources"] == [f"services/{SECRETS}/deployments/{EU}"]
    assert [each["source"] for each in user["blockades"]] == user["backReferenceSources"]  # type: ignore[union-attr,index,call-overload]
    for absent in ("users/v", "regions/x"):
        with pytest.raises(Missing):
            _call(EU, IAM, "GET", f"resourceShadows/{absent}")


def test_a_holder_that_only_another_region_knows_is_asked_for_before_anything_is_placed(fleet: Fleet) -> None:
    _call(EU, IAM, "POST", "projects", _project("p", EU, EU, US))
    assert fleet.find(IAM, US, "Project", "projects/p") is None, "its copy has not arrived yet"
    for service, collection in ((IAM, "serviceAccounts"), (SECRETS, "cryptoKeys")):
        made = _call(US, service, "POST", f"projects/p/{collection}", {}, id="a")
        assert (made.status, made.headers["Switchyard-Region"]) == (201, EU), service
    assert fleet.find(IAM, US, "ServiceAccount", "projects/p/serviceAccounts/a") is None
    account = fleet.find(IAM, EU, "ServiceAccount", "projects/p/serviceAccounts/a")
    assert account is not None
    assert account.metadata["syncing"] == {"owningRegion": EU, "regions": [EU, US]}
