"""The forms in which answers are written: system parameters of Google's clients, errors by what is accepted."""

from __future__ import annotations

import httpx
import pytest

from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.methods.calls import Call
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.resource_api.answers.forms import parse_fields
from tests.integration.resource_api.conftest import REGION, Yard, deployed
from tests.integration.resource_api.test_http import BASE, http
from tests.integration.resource_api.test_method_streams import SERVICE as LAMPS
from tests.integration.resource_api.test_methods import NEW, OLD, QUEUE, TASK, applied, tasks
from tests.unit.conversion.test_methods import OLD as OLD_LAMPS
from tests.unit.conversion.test_methods import lamps

__all__ = ["applied", "http", "tasks"]
SECRETS = f"{BASE}/projects/p/secrets"


async def test_some_fields_of_an_answer_are_given_and_others_are_refused_before_anything_is_written(
    http: httpx.AsyncClient,
) -> None:
    made = await http.post(f"{SECRETS}?id=door&$fields=name,metadata/resourceVersion", json={"title": "a"})
    assert made.json() == {"name": "projects/p/secrets/door", "metadata": {"resourceVersion": "1"}}
    listed = await http.get(f"{SECRETS}?fields=secrets(title)")
    assert listed.json() == {"secrets": [{"title": "a"}]}
    assert (await http.get(f"{SECRETS}?$fields=secrets.*")).json()["secrets"][0]["title"] == "a"

    for wrong in ("titel", "name(", "name,,title", "(name)", "metadata/"):
        refused = await http.post(f"{SECRETS}?id=gate", params={"$fields": wrong, "id": "gate"}, json={})
        assert (refused.status_code, refused.json()["errors"][0]["path"]) == (400, "$fields"), wrong
    assert (await http.get(f"{SECRETS}/gate")).status_code == 404


async def test_an_answer_is_indented_and_other_forms_than_json_are_refused(http: httpx.AsyncClient) -> None:
    await http.post(f"{SECRETS}?id=door", json={"title": "a"})
    indented = await http.get(f"{SECRETS}/door?prettyPrint=true&$alt=json")
    assert indented.text.startswith('{\n  "name": "projects/p/secrets/door",\n')
    for wrong in ("$alt=proto", "alt=json;enum-encoding=x", "prettyPrint=yes", "$alt=json&alt=media"):
        refused = await http.get(f"{SECRETS}/door?{wrong}")
        assert (refused.status_code, "error" in refused.json()) == (400, "alt" in wrong), wrong


async def test_errors_are_written_as_the_client_reads_them(http: httpx.AsyncClient) -> None:
    problem = "application/problem+json"
    asked = {
        "": ({}, problem),
        "?$alt=json": ({}, "application/json"),
        "?alt=json": ({"Accept": f"application/json, {problem}"}, problem),
        "?": ({"Accept": "application/json"}, "application/json"),
        "?&": ({"x-goog-api-client": "gl-python/3"}, "application/json"),
    }
    for query, (headers, kind) in asked.items():
        answer = await http.get(f"{SECRETS}/none{query.rstrip('&')}", headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (404, kind), query
        body = answer.json()
        if kind == problem:
            assert body["code"] == "not-found"
            continue
        details = {each["@type"].rpartition(".")[2]: each for each in body["error"]["details"]}
        assert {**body["error"], "details": []} == {
            "code": 404,
            "message": "There is no Secret projects/p/secrets/none.",
            "status": "NOT_FOUND",
            "details": [],
        }
        assert details["ErrorInfo"]["reason"] == "not-found"
        assert details["RequestInfo"]["requestId"] == answer.headers["x-request-id"]
    unknown = await http.post(f"{SECRETS}?$alt=json", json={"titel": "x", "title": 3})
    bad = next(each for each in unknown.json()["error"]["details"] if "fieldViolations" in each)
    assert {each["field"] for each in bad["fieldViolations"]} == {"titel", "title"}
    stranger = await http.get(f"{SECRETS}?$alt=json", headers={"Authorization": ""})
    assert (stranger.status_code, stranger.json()["error"]["status"]) == (401, "UNAUTHENTICATED")


def test_filters_of_a_protobuf_definition_are_aip160_unless_they_say_otherwise(tasks: Yard) -> None:
    for name, rate in (("a", 1.0), ("b", 2.0)):
        body: JsonObject = {"rateLimits": {"maxDispatchesPerSecond": rate}}
        tasks.call("POST", "projects/p/locations/eu/queues", body, version=OLD, id=name)
    tasks.switch(OLD, NEW)
    # OR binds tighter than AND in AIP-160, and looser in goten's dialect.
    text = 'name = "x" AND name = "y" OR rateLimits.maxDispatchesPerSecond = 2.0'
    counts = []
    for version in (OLD, NEW):
        for dialect in ("", "aip160", "goten"):
            listed = tasks.call(
                "GET", "projects/p/locations/eu/queues", version=version, filter=text, filterDialect=dialect
            )
            assert isinstance(listed.document, dict)
            counts.append(len(listed.document["queues"]))  # type: ignore[arg-type]
    assert counts == [0, 0, 1] * 2


def test_a_request_message_is_taken_as_its_rule_says_and_what_it_does_not_know_is_refused(
    tasks: Yard,
) -> None:
    target: JsonObject = {"httpRequest": {"url": "https://a.example", "body": "YWJj"}}
    wrapped: JsonObject = {"task": {"name": TASK, **target}, "responseView": "FULL"}
    made = tasks.call("POST", f"{QUEUE}/tasks", wrapped, version=OLD)
    assert (made.document["name"], made.document["httpRequest"]) == (TASK, target["httpRequest"])  # type: ignore[index,call-overload]
    plain = tasks.call("POST", f"{QUEUE}/tasks", target, version=OLD, id="t2")
    assert plain.document["httpRequest"] == target["httpRequest"]  # type: ignore[index,call-overload]
    refused: list[JsonObject] = [
        {"task": target, "colour": 1},
        {"task": target, "responseView": "NONE"},
        {"task": target, "responseView": {}},
        {"task": []},
    ]
    for wrong in refused:
        with pytest.raises(Invalid):
            tasks.call("POST", f"{QUEUE}/tasks", wrong, version=OLD, id="t3")
    with pytest.raises(Invalid):
        tasks.call("POST", "projects/p/locations/eu/queues", {"queue": {}}, version=OLD, id="q9")
    listed = tasks.call("GET", f"{QUEUE}/tasks", version=OLD, response_view="BASIC").document
    assert isinstance(listed, dict)
    assert [each["httpRequest"] for each in listed["tasks"]] == [{"url": "https://a.example"}] * 2  # type: ignore[union-attr,index,call-overload]


def test_whole_numbers_may_be_text_as_the_json_of_protobuf_has_them(tasks: Yard) -> None:
    queues = "projects/p/locations/eu/queues"
    made = tasks.call("POST", queues, {"retryConfig": {"maxAttempts": "7"}}, version=OLD, id="q7")
    assert made.document["retryConfig"] == {"maxAttempts": 7}  # type: ignore[index,call-overload]
    for wrong in ("seven", "7.5", "", "99999999999"):
        with pytest.raises(Invalid) as refused:
            tasks.call("POST", queues, {"retryConfig": {"maxAttempts": wrong}}, version=OLD, id="q8")
        assert [each.path for each in refused.value.violations] == ["retryConfig.maxAttempts"]


def test_an_unknown_field_of_a_filter_is_told_with_whole_names(tasks: Yard) -> None:
    with pytest.raises(Invalid) as refused:
        tasks.call("GET", f"{QUEUE}/tasks", version=OLD, filter='httpRequest.nothing = "x"')
    names = refused.value.message.partition(" It has ")[2].rstrip(".").split(", ")
    assert names == ["url", "http_method", "headers", "body", "oauth_token", "oidc_token"]


def test_the_body_of_a_custom_method_is_the_field_that_its_rule_names(db: None, data_database: str) -> None:
    text = OLD_LAMPS.replace("verb: dim, resource", "verb: dim, body: level, resource", 1)
    assert text != OLD_LAMPS
    apply_region(SYSTEM, REGION, "Belgium")
    apply_service(SYSTEM, dict(lamps(old=text).folder.files))
    handlers = ServiceMethods(LAMPS, "v1")

    @handlers.method("DimLamp")
    def _dim(call: Call) -> JsonObject:
        call.update("Lamp", call.name, lambda lamp: {"level": call.request["level"]})
        return {"lamps": [call.get("Lamp", call.name)]}

    with deployed(data_database, LAMPS, "v1", RegisteredHandlers.of([handlers])) as ports:
        ports.call("POST", "rooms/hall/lamps", {"level": 3}, version="v1", id="l1")
        dimmed = ports.call("POST", "rooms/hall/lamps/l1:dim", 2, version="v1")
        assert dimmed.document["lamps"][0]["level"] == 2  # type: ignore[index,call-overload]
        with pytest.raises(Invalid):
            ports.call("POST", "rooms/hall/lamps/l1:dim", {"level": 1}, version="v1")
        assert ports.call("GET", "rooms/hall/lamps/l1", version="v1").document["level"] == 2  # type: ignore[index,call-overload]


def test_a_partial_response_is_read_as_a_tree() -> None:
    tree = {"name": {}, "tasks": {"name": {}, "view": {"full": {}}}, "next": {"page": {}}}
    assert parse_fields("name, tasks(name,view/full),next.page") == tree
    assert parse_fields("") == {}
    for wrong in ("a(", "a)", ",", "a,,b", "a//b", "a(b", "/a", "a/", "(" * 5000, "a(" * 50 + ")" * 50):
        with pytest.raises(Invalid) as refused:
            parse_fields(wrong)
        assert refused.value.violations[0].path == "$fields"
