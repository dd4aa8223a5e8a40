"""Resources in the version that is active: what a client of the API may count on."""

from __future__ import annotations

import pytest

from migrations_app.domain.access import actor_with
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.models.registry import Service
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

SECRET = {"title": "Door", "labels": {"floor": "1"}, "rotation": "MANUAL", "rotationPeriod": "3600s"}


def test_a_created_resource_is_read_back_with_metadata_and_an_etag(ports: Yard) -> None:
    created = ports.call("POST", "projects/p/secrets", SECRET, id="door")
    read = ports.call("GET", "projects/p/secrets/door")

    assert created.status == 201
    assert read.document == created.document
    assert isinstance(read.document, dict)
    metadata = read.document.pop("metadata")
    assert read.document == {"name": "projects/p/secrets/door", **SECRET}
    assert isinstance(metadata, dict)
    assert (metadata["resourceVersion"], metadata["generation"]) == ("1", "1")
    assert metadata["syncing"] == {"owningRegion": "eu-west1", "regions": ["eu-west1"]}
    assert len(str(metadata["uuid"])) == 36
    assert (read.headers["ETag"], read.headers["Switchyard-Served"]) == ('"1"', "native")


def test_a_name_comes_from_the_body_the_id_or_the_server(ports: Yard) -> None:
    by_body = ports.call("POST", "projects/p/secrets", {"name": "projects/p/secrets/body"})
    made = ports.call("POST", "projects/p/secrets", {})

    assert isinstance(by_body.document, dict)
    assert isinstance(made.document, dict)
    assert by_body.document["name"] == "projects/p/secrets/body"
    assert str(made.document["name"]).startswith("projects/p/secrets/r")
    with pytest.raises(Invalid):
        ports.call("POST", "projects/p/secrets", {"name": "projects/q/secrets/body"})
    with pytest.raises(Invalid):
        ports.call("POST", "projects/p/secrets", {}, id="Not-An-Id")


def test_an_update_replaces_all_or_what_a_mask_names(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    masked = ports.call("PUT", "projects/p/secrets/door", {"title": "Gate"}, updateMask="title,labels")
    patched = ports.call("PATCH", "projects/p/secrets/door", {"labels": {"floor": "2"}})
    whole = ports.call("PUT", "projects/p/secrets/door", {"title": "Wall"})

    def fields(document: object) -> dict[str, object]:
        assert isinstance(document, dict)
        return {key: value for key, value in document.items() if key not in ("name", "metadata")}

    assert fields(masked.document) == {"title": "Gate", "rotation": "MANUAL", "rotationPeriod": "3600s"}
    assert fields(patched.document) == {**fields(masked.document), "labels": {"floor": "2"}}
    assert fields(whole.document) == {"title": "Wall"}
    assert whole.headers["ETag"] == '"4"'


def test_a_stale_etag_is_refused_and_nothing_is_written(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.call("PUT", "projects/p/secrets/door", {"title": "Gate"}, headers={"if-match": '"1"'})
    with pytest.raises(Stale):
        ports.call("PUT", "projects/p/secrets/door", {"title": "Wall"}, headers={"if-match": '"1"'})
    with pytest.raises(Stale):
        ports.call("DELETE", "projects/p/secrets/door", headers={"if-match": '"1"'})

    read = ports.call("GET", "projects/p/secrets/door")
    assert isinstance(read.document, dict)
    assert read.document["title"] == "Gate"


def test_an_update_may_create_only_when_it_says_so(ports: Yard) -> None:
    with pytest.raises(Missing):
        ports.call("PUT", "projects/p/secrets/door", SECRET)
    assert ports.call("PUT", "projects/p/secrets/door", SECRET, allowMissing="true").headers["ETag"] == '"1"'


def test_metadata_keeps_what_a_client_may_set_and_nothing_else(ports: Yard) -> None:
    sent = {"labels": {"team": "a"}, "uuid": "00000000-0000-0000-0000-000000000000"}
    created = ports.call("POST", "projects/p/secrets", {"metadata": sent}, id="door")
    updated = ports.call("PUT", "projects/p/secrets/door", {"title": "x"})

    for answer in (created, updated):
        assert isinstance(answer.document, dict)
        metadata = answer.document["metadata"]
        assert isinstance(metadata, dict)
        assert metadata["labels"] == {"team": "a"}
        assert metadata["uuid"] != sent["uuid"]


def test_lists_are_filtered_ordered_masked_and_paged_with_a_total(ports: Yard) -> None:
    for number in range(7):
        body = {"title": f"t{9 - number}", "owner": "even" if number % 2 == 0 else "odd"}
        ports.call("POST", "projects/p/secrets", body, id=f"s{number}")
    ports.call("POST", "projects/q/secrets", {"owner": "even"}, id="other")

    first = ports.call(
        "GET", "projects/p/secrets", filter='owner = "even"', pageSize="3", showTotal="true", fieldMask="name"
    )
    assert first.document == {
        "secrets": [{"name": f"projects/p/secrets/s{number}"} for number in (0, 2, 4)],
        "nextPageToken": first.document["nextPageToken"],  # type: ignore[index,call-overload]
        "totalSize": 4,
    }
    token = str(first.document["nextPageToken"])  # type: ignore[index,call-overload]
    second = ports.call(
        "GET", "projects/p/secrets", filter='owner = "even"', pageSize="3", pageToken=token, fieldMask="name"
    )
    assert isinstance(second.document, dict)
    back = str(second.document.pop("prevPageToken"))
    assert second.document == {"secrets": [{"name": "projects/p/secrets/s6"}]}
    before = ports.call(
        "GET", "projects/p/secrets", filter='owner = "even"', pageSize="3", pageToken=back, fieldMask="name"
    )
    assert before.document["secrets"] == first.document["secrets"]  # type: ignore[index,call-overload]
    ordered = ports.call("GET", "projects/p/secrets", orderBy="title", pageSize="2", fieldMask="title")
    assert ordered.document["secrets"] == [{"title": "t3"}, {"title": "t4"}]  # type: ignore[index,call-overload]
    everywhere = ports.call("GET", "projects/-/secrets", fieldMask="name", showTotal="true")
    assert everywhere.document["totalSize"] == 8  # type: ignore[index,call-overload]
    with pytest.raises(Invalid):
        ports.call("GET", "projects/p/secrets", filter='owner = "odd"', pageToken=token)


def test_several_are_got_at_once_and_the_missing_are_named(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", {}, id="aa")
    names = ["projects/p/secrets/aa", "projects/p/secrets/bb"]
    found = ports.call("POST", "projects/p/secrets:batchGet", {"names": names}, fieldMask="name")
    assert found.document == {"secrets": [{"name": names[0]}], "missing": [names[1]]}


def test_a_reference_needs_its_target_and_keeps_it_from_being_deleted(ports: Yard) -> None:
    grant = {"secret": "projects/p/secrets/door", "member": "ada"}
    with pytest.raises(Conflict) as missing:
        ports.call("POST", "projects/p/secretGrants", grant, id="g1")
    assert missing.value.code == "reference-missing"
    assert [each.path for each in missing.value.violations] == ["secret"]

    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.call("POST", "projects/p/secretGrants", grant, id="g1")
    with pytest.raises(Conflict) as blocked:
        ports.call("DELETE", "projects/p/secrets/door")
    assert blocked.value.code == "deletion-blocked"
    assert [each.path for each in blocked.value.violations] == ["projects/p/secretGrants/g1#secret"]

    ports.call("DELETE", "projects/p/secretGrants/g1")
    assert ports.call("DELETE", "projects/p/secrets/door").document == {}
    with pytest.raises(Missing):
        ports.call("GET", "projects/p/secrets/door")


def test_a_batch_is_written_whole_with_references_among_its_parts_or_not_at_all(ports: Yard) -> None:
    grant = {"name": "projects/p/secretGrants/g1", "secret": "projects/p/secrets/door", "member": "ada"}
    secret = {"name": "projects/p/secrets/door", **SECRET}
    written = ports.call(
        "POST",
        ":batchWrite",
        {"requests": [{"create": {"resource": grant}}, {"create": {"resource": secret}}]},
    )
    assert len(written.document["responses"]) == 2  # type: ignore[index,call-overload,arg-type]
    with pytest.raises(Conflict):
        ports.call(
            "POST",
            ":batchWrite",
            {
                "requests": [
                    {"create": {"resource": {"name": "projects/p/secrets/other"}}},
                    {"create": {"resource": secret}},
                ]
            },
        )
    with pytest.raises(Missing):
        ports.call("GET", "projects/p/secrets/other")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"title": 7}, "title"),
        ({"labels": {"a": 1}}, 'labels{"a"}'),
        ({"rotationPeriod": "soon"}, "rotationPeriod"),
        ({"rotation": "SOMETIMES"}, "rotation"),
        (["title"], ""),
    ],
)
def test_a_wrong_document_is_refused_with_the_path(ports: Yard, body: object, path: str) -> None:
    with pytest.raises(Invalid) as refused:
        ports.call("POST", "projects/p/secrets", body, id="door")  # type: ignore[arg-type]
    assert [each.path for each in refused.value.violations] == [path]
    with pytest.raises(Missing):
        ports.call("GET", "projects/p/secrets/door")


def test_unknown_keys_are_dropped_as_the_schema_says(ports: Yard) -> None:
    # As of a service that was there before new ones became strict.
    Service.objects.filter(pk=SERVICE).update(unknown_keys="")
    ports.servers.directory.forget(REGION, SERVICE)
    created = ports.call("POST", "projects/p/secrets", {"title": "x", "colour": "red"}, id="door")
    assert isinstance(created.document, dict)
    assert "colour" not in created.document


def test_wildcards_cannot_be_written_and_unknown_addresses_are_missing(ports: Yard) -> None:
    with pytest.raises(Invalid):
        ports.call("POST", "projects/-/secrets", {}, id="door")
    for path in ("projects/p/doors/x", "projects", "projects/p/secrets/x/y"):
        if path != "projects":
            with pytest.raises(Missing):
                ports.call("GET", path)
    with pytest.raises(Missing):
        ports.call("GET", "projects/p/secrets/x", version="v9")
    with pytest.raises(Invalid):
        ports.call("GET", "projects/p/secrets", colour="red")


def test_reading_and_writing_need_their_permissions(ports: Yard) -> None:
    ports.actor = actor_with("ada", "viewer")
    assert ports.call("GET", "projects/p/secrets").document == {"secrets": []}
    with pytest.raises(Denied):
        ports.call("POST", "projects/p/secrets", {}, id="door")
    ports.actor = actor_with("nobody")
    with pytest.raises(Denied):
        ports.call("GET", "projects/p/secrets")


def test_a_version_that_is_not_prepared_is_not_served(ports: Yard) -> None:
    with pytest.raises(Conflict) as refused:
        ports.call("GET", "projects/p/regions/eu-west1/secrets/door", version="v1")
    assert refused.value.code == "version-not-served"


def test_metadata_name_the_owning_service_and_keep_what_a_client_says_of_it(ports: Yard) -> None:
    made = ports.call("POST", "projects/p/secrets", {"title": "x"}, id="door").document
    assert made["metadata"]["services"] == {"owningService": f"services/{SERVICE}"}  # type: ignore[index,call-overload]
    said: JsonObject = {"owningService": "services/other.example.com", "allowedServices": ["services/a"]}
    ports.call("PATCH", "projects/p/secrets/door", {"metadata": {"services": said}})
    ports.call("PATCH", "projects/p/secrets/door", {"title": "y"})
    kept = ports.call("GET", "projects/p/secrets/door").document
    assert kept["metadata"]["services"] == said  # type: ignore[index,call-overload]
