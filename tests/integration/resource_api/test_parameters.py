"""Each parameter of the resource API: pages back and forth, repeated names, what an answer shows, bounded watches."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from migrations_app.domain.access import SYSTEM
from migrations_app.kernel import json
from migrations_app.kernel.errors import Conflict, Invalid, SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.exchange import ResourceRequest
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

SECRETS = "projects/p/secrets"


def _page(ports: Yard, version: str, token: str, **asked: str) -> tuple[list[str], JsonObject]:
    query = {**asked, "pageToken": token} if token else asked
    found = ports.call("GET", SECRETS, version=version, includePagingInfo="true", **query).document
    assert isinstance(found, dict)
    names = [str(each["name"]).rpartition("/")[2] for each in found["secrets"]]  # type: ignore[index,call-overload,union-attr]
    return names, found


@pytest.mark.parametrize("switched", [False, True])
@pytest.mark.parametrize(
    "asked", [{}, {"filter": 'title != "t3"'}, {"orderBy": "title desc"}], ids=["all", "some", "ordered"]
)
def test_pages_are_walked_back_as_they_were_walked_forth(
    ports: Yard, asked: dict[str, str], switched: bool
) -> None:
    for number in range(7):
        ports.call("POST", SECRETS, {"title": f"t{number}"}, id=f"s{number}")
    if switched:
        ports.switch()
    forth, tokens, token = [], [], ""
    while True:
        names, found = _page(ports, "v1alpha2", token, pageSize="2", **asked)
        forth.append((names, found["currentOffset"]))
        tokens.append(str(found.get("prevPageToken", "")))
        token = str(found.get("nextPageToken", ""))
        if not token:
            break
    assert len(forth) == (3 if "filter" in asked else 4)
    assert (tokens[0], all(tokens[1:])) == ("", True)

    back, token = [forth[-1]], tokens[-1]
    while token:
        names, found = _page(ports, "v1alpha2", token, pageSize="2", **asked)
        back.append((names, found["currentOffset"]))
        again, _ = _page(ports, "v1alpha2", str(found["nextPageToken"]), pageSize="2", **asked)
        assert again == back[-2][0], "forth again from a page that was reached backwards"
        token = str(found.get("prevPageToken", ""))
    assert back == forth[::-1]


def test_names_may_be_given_one_by_one_and_no_other_parameter_twice(ports: Yard) -> None:
    for each in "abc":
        ports.call("POST", SECRETS, {}, id=f"s{each}")

    def _ask(query: str) -> Json:
        at = f"/apis/{REGION}/{SERVICE}/v1alpha2/{SECRETS}"
        return ports.api.answer(ResourceRequest("GET", f"{at}:batchGet", query, {}), SYSTEM).document

    found = _ask(f"names={SECRETS}/sa&names={SECRETS}/sb,{SECRETS}/sx&view=NAME")
    assert found == {
        "secrets": [{"name": f"{SECRETS}/sa"}, {"name": f"{SECRETS}/sb"}],
        "missing": [f"{SECRETS}/sx"],
    }
    with pytest.raises(Invalid) as refused:
        _ask(f"names={SECRETS}/sa&view=NAME&view=FULL")
    assert "'view' occurs twice" in refused.value.message
    for flag in ("showTotal", "includePagingInfo"):
        with pytest.raises(Invalid):
            ports.call("GET", SECRETS, **{flag: "perhaps"})


def test_a_writer_sees_as_much_of_the_answer_as_it_wants(ports: Yard) -> None:
    def _put(body: JsonObject, mask: JsonObject) -> Json:
        return ports.call("PUT", f"{SECRETS}/door", {"resource": body, "responseMask": mask}).document

    created = ports.call(
        "POST", SECRETS, {"resource": {"title": "Door"}, "responseMask": {"bodyMask": "title"}}, id="door"
    )
    assert created.document == {"title": "Door"}
    assert created.headers["ETag"] == '"1"'
    assert _put({"title": "Gate"}, {"skipEntireResponseBody": True}) == {}
    changed = _put({"title": "Gate", "owner": "ada"}, {"updatedFieldsOnly": True})
    assert isinstance(changed, dict)
    metadata = changed.pop("metadata")
    assert changed == {"name": f"{SECRETS}/door", "owner": "ada"}
    assert set(metadata) == {"generation", "resourceVersion", "updateTime"}  # type: ignore[arg-type]
    with pytest.raises(SwitchyardError):
        _put({"title": "never"}, {"bodyMask": "no.such.field"})
    with pytest.raises(Invalid):
        _put({"title": "never"}, {"everything": True})
    assert ports.call("GET", f"{SECRETS}/door", fieldMask="title").document == {"title": "Gate"}


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ({"update": {"name": f"{SECRETS}/door", "resource": {}, "etag": "7"}}, "requests[1].update.etag"),
        ({"create": {"resource": {"title": "x"}}}, "requests[1].create.name"),
        ({"delete": {"name": f"{SECRETS}/door", "cas": {}}}, "requests[1].delete.cas"),
        (
            {"create": {"resource": {"name": f"{SECRETS}/door", "title": 7}}},
            "requests[1].create.resource.title",
        ),
        ({"update": {"name": f"{SECRETS}/door", "resource": {"title": "x"}}}, "requests[1].update"),
        ({"create": {"resource": {"name": f"{SECRETS}/first"}}}, "requests[1].create"),
    ],
)
def test_a_batch_refuses_what_it_would_not_honour(ports: Yard, entry: JsonObject, place: str) -> None:
    first: JsonObject = {"create": {"resource": {"name": f"{SECRETS}/first"}}}
    with pytest.raises(SwitchyardError) as refused:
        ports.call("POST", ":batchWrite", {"requests": [first, entry]})
    assert place.split(".")[0] in refused.value.message
    assert [each.path for each in refused.value.violations] == [place]
    assert ports.call("GET", SECRETS).document == {"secrets": []}


def test_a_mask_that_names_nothing_is_refused_of_a_write_that_creates_as_well(ports: Yard) -> None:
    with pytest.raises(Invalid):
        ports.call("PUT", f"{SECRETS}/door", {}, updateMask="no.such.field", allowMissing="true")
    assert ports.call("GET", SECRETS).document == {"secrets": []}


def test_a_batch_writes_only_upon_what_it_believes(ports: Yard) -> None:
    ports.call("POST", SECRETS, {"title": "Door"}, id="door")

    def _write(title: str) -> Json:
        update: JsonObject = {
            "name": f"{SECRETS}/door",
            "resource": {"title": "Gate"},
            "cas": {"conditionalState": {"title": title}},
        }
        return ports.call("POST", ":batchWrite", {"requests": [{"update": update}]}).document

    with pytest.raises(Conflict) as refused:
        _write("Window")
    assert refused.value.code == "state-moved"
    _write("Door")
    assert ports.call("GET", f"{SECRETS}/door", fieldMask="title").document == {"title": "Gate"}


def test_wildcards_are_never_written_to(ports: Yard) -> None:
    for method, path, body in (
        ("POST", "projects/-/secrets", {}),
        ("PUT", "projects/-/secrets/s0", {}),
        ("PUT", "projects/p/secrets/-", {}),
        ("PATCH", "projects/-/secrets/s0", {}),
        ("DELETE", "projects/-/secrets/s0", None),
        ("POST", ":batchWrite", {"requests": [{"delete": {"name": "projects/-/secrets/s0"}}]}),
    ):
        with pytest.raises(SwitchyardError) as refused:
            ports.call(method, path, body, **({"allowMissing": "true"} if method == "PUT" else {}))
        assert refused.value.code == "name", (method, path)


WATCHES: list[tuple[str, Json, str]] = [
    ("maxChunkSize=0", {}, "query"),
    ("maxChunkSize=1001", {}, "query"),
    ("", {"maxChunkSize": "many"}, "query"),
    ("type=OTHER", {}, "query"),
    ("type=STATEFUL&resumeToken=x", {}, "query"),
    ("", {"orderBy": "title"}, "query"),
    ("", {"nonsense": 1}, "query"),
    ("type=STATEFUL", {"type": "STATELESS"}, "query"),
    ("", {"filter": ["title"]}, "document"),
    ("", ["type"], "document"),
    ("startingTime=yesterday", {}, "query"),
    ("startingTime=2030-01-01T00:00:00", {}, "query"),
    ("filter=nonsense = 1", {}, "filter-path"),
    ("fieldMask=nonsense", {}, "mask"),
    ("type=STATEFUL&orderBy=nonsense", {}, "filter-path"),
    ("type=STATEFUL&pageToken=x", {}, "page-token"),
    ("resumeToken=x", {}, "resume-token"),
]


def test_what_is_wrong_with_a_watch_is_refused_before_it_begins(ports: Yard) -> None:
    at = f"/apis/{REGION}/{SERVICE}/v1alpha2/{SECRETS}:watch"
    for query, body, code in WATCHES:
        with pytest.raises(Invalid) as refused:
            ports.api.watcher(
                ResourceRequest("POST", at, quote(query, safe="=&"), {}, json.encode(body)), SYSTEM
            )
        assert refused.value.code == code, (query, body)


def test_the_watch_of_one_resource_takes_no_filter(ports: Yard) -> None:
    at = f"/apis/{REGION}/{SERVICE}/v1alpha2/{SECRETS}/s1:watch"
    for query in ("filter=title IS NULL", "type=STATEFUL"):
        with pytest.raises(Invalid) as refused:
            ports.api.watcher(ResourceRequest("GET", at, quote(query, safe="=&"), {}), SYSTEM)
        assert refused.value.code == "query"
