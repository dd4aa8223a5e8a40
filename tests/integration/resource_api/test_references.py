"""The graph of references and the deletion check over real deployments."""

from __future__ import annotations

import pytest

from migrations_app.control.references.queries import stream as reference_stream
from migrations_app.control.references.queries.references import deletion_check, references
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.reach import ALL
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import DOOR, GRANT, REGION, SERVICE, Yard


def test_the_graph_shows_who_refers_and_from_which_field(granted: Yard) -> None:
    found = references(SYSTEM, DOOR, "in")

    assert found["focus"] == DOOR
    assert {node["id"] for node in found["nodes"]} == {DOOR, GRANT}  # type: ignore[union-attr,index,call-overload]
    assert [(edge["source"], edge["target"], edge["kind"], edge["path"]) for edge in found["edges"]] == [  # type: ignore[union-attr,index,call-overload]
        (GRANT, DOOR, "BLOCK", "secret"),
        (GRANT, DOOR, "BLOCK", "secrets[1]"),
    ]
    assert found["unknown"] == []


def test_going_deeper_reaches_what_the_referrers_refer_to(granted: Yard) -> None:
    names = {ReferenceNode.parse(node["id"]).name for node in references(SYSTEM, DOOR, "both", 2)["nodes"]}  # type: ignore[union-attr,index,call-overload,arg-type]
    assert names == {"projects/p/secrets/door", "projects/p/secrets/gate", "projects/p/secretGrants/g1"}


def test_a_plain_name_is_found_and_an_unknown_one_is_missing(granted: Yard) -> None:
    assert references(SYSTEM, "projects/p/secrets/door", "out")["focus"] == DOOR
    with pytest.raises(Missing):
        references(SYSTEM, "projects/p/secrets/none")
    with pytest.raises(Invalid):
        references(SYSTEM, "//secrets")


def test_the_deletion_check_names_the_blockers_and_agrees_with_the_deletion(granted: Yard) -> None:
    blocked = deletion_check(SYSTEM, DOOR)
    assert (blocked["verdict"], blocked["sentence"]) == (
        "blocked",
        "Blocked by 2 references in 1 deployment.",
    )
    assert blocked["phrases"] == [
        {"key": "Blocked by {count} reference|Blocked by {count} references", "values": {"count": 2}},
        {"key": "in {count} deployment.|in {count} deployments.", "values": {"count": 1}},
    ]
    granted.call("DELETE", "projects/p/secretGrants/g1")
    safe = deletion_check(SYSTEM, DOOR)
    assert (safe["verdict"], safe["sentence"]) == ("safe", "Safe now.")
    assert safe["phrases"] == [{"key": "Safe now.", "values": {}}]


def test_the_deletion_check_of_a_name_without_a_resource_is_not_safe(granted: Yard) -> None:
    absent = deletion_check(SYSTEM, f"{DOOR}-2")
    assert (absent["verdict"], absent["sentence"]) == ("unknown", "Unknown: there is no such resource.")


def test_after_the_switch_the_graph_speaks_of_the_new_names(granted: Yard) -> None:
    granted.switch()
    new = f"//{SERVICE}/{REGION}/projects/p/regions/{REGION}/secrets/door"
    found = references(SYSTEM, GRANT, "out")
    targets: set[str] = {str(edge["target"]) for edge in found["edges"]}  # type: ignore[union-attr,index,call-overload]
    # The copy of this test brings no references; a write of the new version does.
    assert targets <= {new, new.replace("door", "gate")}
    granted.call("PATCH", "projects/p/secretGrants/g1", {"member": "bob"}, version="v1")
    found = references(SYSTEM, new, "in")
    assert [edge["source"] for edge in found["edges"]] == [GRANT, GRANT]  # type: ignore[union-attr,index,call-overload]


def test_the_doors_answer_in_the_agreed_shape(granted: Yard) -> None:
    client = client_of("vera", "viewer")
    found: JsonObject = client.get("/api/v1/references", {"name": DOOR, "direction": "in"}).json()
    check: JsonObject = client.get("/api/v1/deletion-check", {"name": DOOR}).json()

    assert sorted(found) == ["edges", "focus", "hidden", "nodes", "unknown"]
    assert check["verdict"] == "blocked"
    assert client.get("/api/v1/references", {"name": DOOR, "depth": "9"}).status_code == 400
    assert client.get("/api/v1/references").status_code == 400


# A transaction that stays open would hold what is written back from all feeds.
@pytest.mark.django_db(transaction=True)
def test_a_graph_is_streamed_as_what_a_write_made_different(granted: Yard) -> None:
    topic, writes = f"references:in:1:{DOOR}", reference_stream.Writes()
    assert writes.moved()
    before = reference_stream.graph_of(topic, ALL)
    assert not writes.moved()
    grant: JsonObject = {"secret": "projects/p/secrets/door", "member": "bob"}
    granted.call("POST", "projects/p/secretGrants", grant, id="g2")

    assert writes.moved()
    after = reference_stream.graph_of(topic, ALL)
    told = reference_stream.difference(before, after)
    second = GRANT.replace("g1", "g2")
    assert told is not None
    assert set(told) == {"nodes", "edges"}
    assert list(told["nodes"]) == [second]  # type: ignore[arg-type]
    assert list(told["edges"]) == [f"{second} {DOOR} BLOCK secret"]  # type: ignore[arg-type]
    assert not writes.moved()
