"""Who may not read a deployment is told that, and from where, something there refers; not what."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from migrations_app.control.references.queries import stream as reference_stream
from migrations_app.domain.access import Actor, ActorKind, Grant, reach_of
from migrations_app.domain.reach import ALL
from tests.factories.access import make_account, token_of
from tests.integration.constraints.conftest import EU, IAM, SECRETS, Fleet

PROJECT = f"//{IAM}/{EU}/projects/p"
SECRET = f"//{SECRETS}/{EU}/projects/p/secrets/door"


@pytest.fixture
def clients(fleet: Fleet) -> dict[str, APIClient]:
    """A project that a secret of another service refers to; ian reads iam only, vera everything."""
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/door", project="projects/p")
    found = {}
    for name, service in (("ian", IAM), ("vera", "*")):
        make_account(name, "viewer", service=service)
        found[name] = APIClient()
        found[name].credentials(HTTP_AUTHORIZATION=f"Bearer {token_of(name)}")
    return found


def _asked(client: APIClient, path: str, **query: str) -> dict[str, Any]:
    cache.clear()
    answer = client.get(f"/api/v1/{path}", query)
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_the_graph_hides_what_lies_beyond_ones_reach(clients: dict[str, APIClient]) -> None:
    whole = _asked(clients["vera"], "references", name=PROJECT)
    assert {each["id"] for each in whole["nodes"]} == {PROJECT, SECRET}
    veiled = _asked(clients["ian"], "references", name=PROJECT)
    assert "door" not in json.dumps(veiled)
    (hidden,) = [each for each in veiled["nodes"] if each["id"] != PROJECT]
    assert (hidden["service"], hidden["region"], hidden["type"]) == (SECRETS, EU, "hidden")
    assert hidden["id"].startswith(f"//{SECRETS}/{EU}/hidden/")
    (edge,) = veiled["edges"]
    assert (edge["source"], edge["target"], edge["kind"], edge["path"]) == (
        hidden["id"],
        PROJECT,
        "BLOCK",
        "",
    )
    refused = clients["ian"].get("/api/v1/references", {"name": hidden["id"]})
    assert (refused.status_code, refused.json()["code"]) == (403, "denied")


def test_a_deletion_is_blocked_by_what_one_may_not_see_and_the_deployment_to_ask_is_named(
    clients: dict[str, APIClient],
) -> None:
    veiled = _asked(clients["ian"], "deletion-check", name=PROJECT)
    assert (veiled["verdict"], veiled["sentence"]) == ("blocked", "Blocked by 1 reference in 1 deployment.")
    (blocker,) = veiled["blockers"]
    assert (blocker["source"].rpartition("/")[0], blocker["path"]) == (f"//{SECRETS}/{EU}/hidden", "")
    assert (blocker["type"], blocker["owner"], blocker["since"]) == ("hidden", "", None)
    assert "door" not in json.dumps(veiled)
    (seen,) = _asked(clients["vera"], "deletion-check", name=PROJECT)["blockers"]
    assert (seen["source"], seen["path"], seen["type"]) == (SECRET, "project", "Secret")


def test_the_streamed_graph_wears_the_same_veil(clients: dict[str, APIClient]) -> None:
    ian = Actor(ActorKind.USER, "ian", (Grant("viewer", IAM),))
    topic = f"references:in:1:{PROJECT}"
    veiled = reference_stream.graph_of(topic, reach_of(ian, "resource.read"))
    listed = _asked(clients["ian"], "references", name=PROJECT)
    assert sorted(veiled["nodes"]) == sorted(each["id"] for each in listed["nodes"])  # type: ignore[arg-type]
    assert sorted(reference_stream.graph_of(topic, ALL)["nodes"]) == sorted([PROJECT, SECRET])  # type: ignore[arg-type]


def test_counts_hide_what_lies_beyond_ones_reach_and_say_whom_to_ask(clients: dict[str, APIClient]) -> None:
    group = {"direction": "in", "service": SECRETS, "region": EU, "kind": "BLOCK"}
    seen = {**group, "type": "Secret", "field": "project"}
    (shown,) = _asked(clients["vera"], "references/groups", name=PROJECT)["groups"]
    assert shown.items() >= {**seen, "count": 1, "is_exact": True}.items()
    members = _asked(
        clients["vera"], "references/groups/members", name=PROJECT, version=shown["version"], **seen
    )
    assert members["items"] == [{"id": SECRET, "path": "project"}]

    (hidden,) = _asked(clients["ian"], "references/groups", name=PROJECT)["groups"]
    assert hidden == {**group, "version": "", "type": "hidden", "field": "", "count": 1, "is_exact": True}
    cache.clear()
    refused = clients["ian"].get("/api/v1/references/groups/members", {"name": PROJECT, **seen})
    assert (refused.status_code, refused.json()["code"]) == (403, "denied")
