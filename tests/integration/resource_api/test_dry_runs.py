"""A dry run of every write, in each spelling: it answers what the write would, and no table changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
import pytest
from django.conf import settings

from migrations_app import wiring
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Stale, SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.exchange import Response
from migrations_app.resource_api.parameters import PARAMETERS, WRITES
from migrations_app.web.preconditions import DRY_RUN_WORDS
from tests.integration.resource_api.conftest import Yard
from tests.integration.resource_api.test_methods import NEW, OLD, QUEUE, applied, tasks
from tests.integration.resource_api.test_strictness import REQUESTS, SECRETS

__all__ = ["applied", "tasks"]
BATCH: JsonObject = {"requests": [{"create": {"resource": {"name": f"{SECRETS}/bb"}}}]}
NEW_SECRET: JsonObject = {"name": f"{SECRETS}/new", "title": "n"}
WRITTEN: Mapping[str, tuple[str, str, Json]] = {
    **{name: REQUESTS[name] for name in WRITES},
    "create": ("POST", SECRETS, NEW_SECRET),
    "batchWrite": ("POST", ":batchWrite", BATCH),
}


def _tables(ports: Yard) -> dict[str, str]:
    """Give a digest of each table of the data database."""
    with psycopg.connect(settings.SWITCHYARD.data_url(ports.database)) as connection:
        names = connection.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables"
            " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
            " AND schemaname NOT LIKE 'pg_temp%'"
        ).fetchall()
        return {
            name: connection.execute(
                f"SELECT md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) FROM {name} t"
            ).fetchone()[0]  # type: ignore[index]
            for (name,) in names
        }


def _call(ports: Yard, request: tuple[str, str, Json], version: str = "v1alpha2", **query: str) -> Response:
    method, path, body = request
    return ports.call(method, path, body, version=version, headers={}, **query)


def _code(ports: Yard, request: tuple[str, str, Json], **query: str) -> str:
    try:
        _call(ports, request, **query)
    except SwitchyardError as error:
        return error.code
    return ""


def _plain(document: Json, *keys: str) -> Json:
    """Leave out what only a commit gives."""
    assert isinstance(document, dict)
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return document
    return {**document, "metadata": {key: value for key, value in metadata.items() if key not in keys}}


def test_a_dry_run_answers_as_the_write_would_and_changes_no_table(ports: Yard) -> None:
    ports.call("POST", SECRETS, {"title": "a"}, id="door")
    before = _tables(ports)
    assert len(before) > 3
    rehearsed: dict[str, Any] = {}
    for method, request in WRITTEN.items():
        for word, value in ((word, value) for word in DRY_RUN_WORDS for value in ("true", "True")):
            answer = _call(ports, request, **{word: value})
            assert answer.status == 200
            assert "ETag" not in answer.headers
            assert rehearsed.setdefault(method, answer.document) == answer.document
    assert _tables(ports) == before
    assert rehearsed.keys() == WRITES
    assert "uuid" not in rehearsed["create"]["metadata"]

    written = {
        method: _call(ports, WRITTEN[method], dryRun="false")
        for method in ("create", "update", "batchWrite", "delete")
    }
    assert [each.status for each in written.values()] == [201, 200, 200, 200]
    left = ("resourceVersion", "updateTime")
    assert _plain(written["create"].document, *left, "uuid", "createTime") == rehearsed["create"]
    assert _plain(written["update"].document, *left) == rehearsed["update"]
    assert written["delete"].document == rehearsed["delete"] == {}
    batch: Any = written["batchWrite"].document
    (one,) = batch["responses"]
    assert rehearsed["batchWrite"] == {"responses": [_plain(one, *left, "uuid", "createTime")]}


def test_a_dry_run_is_refused_as_the_write_would_be(granted: Yard) -> None:
    before = _tables(granted)
    refused: Mapping[str, tuple[str, str, Json]] = {
        "already-exists": ("POST", SECRETS, {"name": f"{SECRETS}/door"}),
        "reference-missing": (
            "POST",
            "projects/p/secretGrants",
            {"name": "projects/p/secretGrants/g2", "secret": f"{SECRETS}/none", "member": "bo"},
        ),
        "deletion-blocked": ("DELETE", f"{SECRETS}/door", None),
        "not-found": ("PUT", f"{SECRETS}/none", {"title": "x"}),
        "document": ("PATCH", f"{SECRETS}/door", {"title": 3}),
    }
    for code, request in refused.items():
        assert _code(granted, request, dry_run="true") == code
        assert _code(granted, request) == code
    stale = ("DELETE", f"{SECRETS}/gate", None)
    with pytest.raises(Stale):
        granted.call(*stale, headers={"if-match": '"9"'}, dry_run="true")
    together: JsonObject = {
        "requests": [
            {"create": {"resource": {"name": f"{SECRETS}/bb", "title": "b"}}},
            {"create": {"resource": {"name": f"{SECRETS}/bb", "title": "b"}}},
        ]
    }
    with pytest.raises(Conflict):
        granted.call("POST", ":batchWrite", together, validateOnly="true")
    assert _tables(granted) == before


def test_other_values_two_values_and_other_places_are_refused(ports: Yard) -> None:
    for word in DRY_RUN_WORDS:
        assert _code(ports, WRITTEN["create"], **{word: "yes"}) == "dry-run"
        for other in DRY_RUN_WORDS:
            if other != word:
                assert _code(ports, WRITTEN["create"], **{word: "true", other: "false"}) == "query"
        for method in PARAMETERS.keys() - WRITES:
            assert _code(ports, REQUESTS[method], **{word: "true"}) == "query"
    with pytest.raises(Invalid) as beside:
        ports.call("POST", ":batchWrite", {**BATCH, "validateOnly": True})
    assert beside.value.violations[0].path == "validateOnly"
    with pytest.raises(Missing):
        ports.call("GET", f"{SECRETS}/bb")


def test_a_custom_method_that_can_be_taken_back_has_a_dry_run_in_both_versions(tasks: Yard) -> None:
    for switched in (False, True):
        if switched:
            tasks.switch(OLD, NEW)
        before = _tables(tasks)
        for version in (OLD, NEW) if switched else (OLD,):
            for word in DRY_RUN_WORDS:
                paused = _call(tasks, ("POST", f"{QUEUE}:pause", {}), version, **{word: "true"})
                assert isinstance(paused.document, dict)
                assert paused.document["state"] == "PAUSED", (version, word)
            shown = _call(tasks, ("GET", QUEUE, None), version)
            assert isinstance(shown.document, dict)
            assert shown.document.get("state") != "PAUSED"
        assert _tables(tasks) == before


def test_a_custom_method_that_commits_several_times_is_taken_back_in_all_of_them(tasks: Yard) -> None:
    _call(tasks, ("POST", f"{QUEUE}/tasks", {"task": {"name": f"{QUEUE}/tasks/t1"}}), OLD)
    before = _tables(tasks)

    purged = _call(tasks, ("POST", f"{QUEUE}:purge", {}), OLD, dry_run="true")

    assert isinstance(purged.document, dict)
    assert "purgeTime" in purged.document
    assert _tables(tasks) == before
    assert _call(tasks, ("GET", f"{QUEUE}/tasks/t1", None), OLD).status == 200


def test_a_custom_method_whose_code_says_nothing_of_dry_runs_has_none(tasks: Yard) -> None:
    _call(tasks, ("POST", f"{QUEUE}/tasks", {"task": {"name": f"{QUEUE}/tasks/t1"}}), OLD)
    before = _tables(tasks)
    for word in DRY_RUN_WORDS:
        assert _code(tasks, ("POST", f"{QUEUE}/tasks/t1:run", {}), version=OLD, **{word: "true"}) == "dry-run"
        assert _code(tasks, ("POST", f"{QUEUE}:pause", {}), version=OLD, **{word: "perhaps"}) == "dry-run"
    assert _tables(tasks) == before


def test_a_dry_run_is_converted_before_and_after_a_switch(ports: Yard) -> None:
    ports.call("POST", SECRETS, {"title": "a"}, id="door")
    ports.switch()
    before = _tables(ports)
    for version in ("v1alpha2", "v1"):
        location = f"projects/p/{'' if version == 'v1alpha2' else 'regions/eu-west1/'}secrets"
        assert _code(ports, ("POST", location, {"name": f"{location}/x"}), version=version, dry_run="1") == (
            "dry-run"
        )
    old = ports.call("PATCH", f"{SECRETS}/door", {"title": "b"}, dry_run="true")
    assert (old.document["title"], old.headers["Switchyard-Served"]) == ("b", "translated")  # type: ignore[index,call-overload]
    assert _tables(ports) == before
    wiring.resource_servers.cache_clear()
