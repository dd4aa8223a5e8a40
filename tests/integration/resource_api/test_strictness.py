"""Each method of the resource API takes its own parameters and conditions, and nothing is written with any other."""

from __future__ import annotations

from collections.abc import Mapping

import httpx
import pytest

from migrations_app.engine.serving.shadowing.shadows import SHADOWS
from migrations_app.kernel.errors import Invalid, Stale
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.parameters import PARAMETERS, WRITES
from migrations_app.web.operation_contracts import CONDITIONS, snake_case
from tests.integration.resource_api.conftest import Yard
from tests.integration.resource_api.test_http import BASE, http, old

__all__ = ["http", "old"]
SECRETS = "projects/p/secrets"
BATCH: JsonObject = {"requests": [{"create": {"resource": {"name": f"{SECRETS}/b"}}}]}
REQUESTS: Mapping[str, tuple[str, str, Json]] = {
    "get": ("GET", f"{SECRETS}/door", None),
    "list": ("GET", SECRETS, None),
    "batchGet": ("GET", f"{SECRETS}:batchGet", None),
    "search": ("GET", f"{SECRETS}:search", None),
    "create": ("POST", SECRETS, {}),
    "update": ("PUT", f"{SECRETS}/door", {"title": "other"}),
    "delete": ("DELETE", f"{SECRETS}/door", None),
    "batchWrite": ("POST", ":batchWrite", BATCH),
    "openapi": ("GET", "openapi.json", None),
    "shadow": ("GET", f"{SHADOWS}/{SECRETS}/door", None),
    "shadows": ("GET", f"{SHADOWS}/{SECRETS}", None),
}
ALL_PARAMETERS = frozenset[str]().union(*PARAMETERS.values())


def _refused(ports: Yard, method: str, headers: dict[str, str] | None = None, **query: str) -> Invalid | None:
    verb, path, body = REQUESTS[method]
    try:
        ports.call(verb, path, body, headers=headers, **query)
    except Invalid as refused:
        return refused
    return None


def _stored(ports: Yard) -> Json:
    return ports.call("GET", SECRETS).document


def test_a_parameter_of_no_method_or_of_another_one_is_refused(ports: Yard) -> None:
    assert REQUESTS.keys() == PARAMETERS.keys()
    ports.call("POST", SECRETS, {"title": "a"}, id="door")
    before, accepted = _stored(ports), []
    for method, known in PARAMETERS.items():
        for name in ("nonsense", *(ALL_PARAMETERS - known)):
            refused = _refused(ports, method, **{name: "true"})
            if refused is None or (refused.code, refused.violations[0].path) != ("query", name):
                accepted.append((method, name, refused))
    assert accepted == []
    assert _stored(ports) == before


def test_a_condition_that_a_write_does_not_check_is_refused(ports: Yard) -> None:
    ports.call("POST", SECRETS, {"title": "a"}, id="door")
    before, accepted = _stored(ports), []
    for method in WRITES:
        for header in CONDITIONS:
            try:
                refused = _refused(ports, method, headers={header.lower(): '"999"'})
            except Stale:
                assert (method in ("update", "delete"), header) == (True, "If-Match")
                continue
            if refused is None or (refused.code, refused.violations[0].path) != ("if-match", header):
                accepted.append((method, header))
    assert accepted == []
    for body in ({"cas": {"conditionalState": {}}}, [1]):
        with pytest.raises(Invalid) as without:
            ports.call("DELETE", f"{SECRETS}/door", body)
        assert without.value.code == "document"
    assert _stored(ports) == before


def test_either_spelling_of_a_parameter_is_that_parameter_and_two_values_are_refused(ports: Yard) -> None:
    for letter in "abc":
        ports.call("POST", SECRETS, {"title": letter}, id=f"s{letter}")
    page = ports.call("GET", SECRETS, page_size="1", field_mask="title").document
    assert isinstance(page, dict)
    assert [{*each} for each in page["secrets"]] == [{"title"}]  # type: ignore[union-attr,misc]
    again = ports.call("GET", SECRETS, page_size="1", pageSize="1", field_mask="title").document
    assert isinstance(again, dict)
    assert again["secrets"] == page["secrets"]
    for method, known in PARAMETERS.items():
        for name in known:
            if (other := snake_case(name)) != name:
                refused = _refused(ports, method, **{name: "1", other: "2"})
                assert refused is not None, (method, name)
                assert (refused.code, refused.violations[0].path) == ("query", name)
    ports.call("PUT", f"{SECRETS}/new", {"title": "n"}, allow_missing="true")
    assert ports.call("GET", f"{SECRETS}/new").status == 200


def test_the_nearest_parameters_are_named(ports: Yard) -> None:
    refused = _refused(ports, "list", page_sise="3")
    assert refused is not None
    assert refused.remedy.startswith("Did you mean pageSize? The parameters are fieldMask, filter, ")


async def test_a_body_of_another_media_type_is_refused(http: httpx.AsyncClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/xml"):
        answer = await http.post(f"{BASE}/{SECRETS}?id=x", content=b"{}", headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")
    kinds = ("application/json; charset=utf-8", "application/merge-patch+json")
    for number, kind in enumerate(kinds):
        answer = await http.post(
            f"{BASE}/{SECRETS}?id=s{number}", content=b"{}", headers={"Content-Type": kind}
        )
        assert answer.status_code == 201


async def test_every_answer_and_error_tells_the_id_of_its_request(http: httpx.AsyncClient) -> None:
    sent = await http.get(f"{BASE}/{SECRETS}", headers={"X-Request-ID": "ask-1"})
    assert (sent.status_code, sent.headers["X-Request-ID"]) == (200, "ask-1")
    answers = [await http.get(f"{BASE}/{SECRETS}?colour=red") for _ in range(2)]
    answers.append(
        await http.get(f"{BASE}/{SECRETS}", headers={"Authorization": "", "X-Request-ID": "so\tso"})
    )
    answers.append(await http.post(f"{BASE}/{SECRETS}", content=b"{}", headers={"Authorization": ""}))
    assert [each.status_code for each in answers] == [400, 400, 401, 401]
    made = [each.headers["X-Request-ID"] for each in answers]
    assert [each.json()["request_id"] for each in answers] == made
    assert len({*made}) == 4
    assert all(len(each) == 32 for each in made)
