"""Hooks on the way out of a response: from reads alone, within limits, in the version they are registered for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TypeAlias

import pytest

from migrations_app.domain.service_hooks.calls import ResponseCall
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from tests.integration.resource_api.conftest import EXAMPLES, REGION, SERVICE, Yard, deployed, files_of

OLD, NEW = "v1alpha2", "v1"
SECRETS, DOOR = "projects/p/secrets", "projects/p/secrets/door"
NEW_DOOR = f"projects/p/regions/{REGION}/secrets/door"
WHAT = f"he response hook of Secret of {SERVICE} {OLD}"

Hook: TypeAlias = "Callable[[ResponseCall], Sequence[JsonObject]]"
Serving: TypeAlias = "Callable[..., AbstractContextManager[Yard]]"


@pytest.fixture
def serving(db: None, data_database: str) -> Serving:
    """Deploy the secrets service with a hook of responses of the old version."""

    def _serve(hook: Hook, seconds: float = 5.0) -> AbstractContextManager[Yard]:
        hooks = ServiceHooks(SERVICE, OLD)
        hooks.response("Secret", seconds=seconds)(hook)
        return deployed(data_database, SERVICE, OLD, hooks=[hooks], files=files_of(EXAMPLES / "secrets"))

    return _serve


def titled(call: ResponseCall) -> Sequence[JsonObject]:
    """Add the title of the project, of which secrets of the new version know nothing."""
    project = call.resources.get("Project", "projects/p")
    return [
        {**document, "legacyEtag": f"{project['title']} for {call.caller}"} for document in call.documents
    ]


def shown(document: object) -> object:
    assert isinstance(document, dict)
    return document.get("legacyEtag")


def test_the_old_version_shows_what_its_hook_reads_before_and_after_a_switch(serving: Serving) -> None:
    with serving(titled) as ports:
        ports.call("POST", "projects", {"title": "Paris"}, id="p")
        created = ports.call("POST", SECRETS, {"title": "Door"}, id="door")
        ports.switch()
        got = ports.call("GET", DOOR)
        listed = ports.call("GET", SECRETS).document
        batch = ports.call("POST", f"{SECRETS}:batchGet", {"names": [DOOR]}).document
        assert isinstance(listed, dict)
        assert isinstance(batch, dict)
        (one,), (other,) = listed["secrets"], batch["secrets"]  # type: ignore[misc]
        assert [shown(each) for each in (created.document, got.document, one, other)] == [
            "Paris for switchyard"
        ] * 4
        assert got.headers["Switchyard-Served"] == "translated"
        new = ports.call("GET", NEW_DOOR, version=NEW).document
        assert isinstance(new, dict)
        assert (new["displayName"], "legacyEtag" in new) == ("Door", False)
        # With a mask nothing is added that the caller did not ask for.
        masked = ports.call("GET", DOOR, fieldMask="title").document
        assert masked == {"title": "Door"}


def _writes(call: ResponseCall) -> Sequence[JsonObject]:
    call.resources.create("Secret", f"{SECRETS}/other", {})  # type: ignore[attr-defined]
    return call.documents


def _hangs(call: ResponseCall) -> Sequence[JsonObject]:
    while True:
        time.sleep(0.01)


def _raises(call: ResponseCall) -> Sequence[JsonObject]:
    raise KeyError("x")


def _fewer(call: ResponseCall) -> Sequence[JsonObject]:
    return []


def _other_type(call: ResponseCall) -> Sequence[JsonObject]:
    return ["x"]  # type: ignore[list-item]


def _wrong_field(call: ResponseCall) -> Sequence[JsonObject]:
    return [{**document, "rotation": "SOMETIMES"} for document in call.documents]


def _many_reads(call: ResponseCall) -> Sequence[JsonObject]:
    for _ in range(1001):
        call.resources.get("Secret", DOOR)
    return call.documents


@pytest.mark.parametrize(
    ("hook", "code", "message"),
    [
        (_writes, "hook-read-only", f"T{WHAT} writes {SECRETS}/other, outside of any transaction."),
        (_hangs, "hook-deadline-exceeded", f"T{WHAT} did not end within 1 s."),
        (_raises, "hook-failed", f"T{WHAT} raised KeyError."),
        (_fewer, "hook-answer", f"The answer of t{WHAT} is no list of 1 documents."),
        (_other_type, "hook-answer", f"The answer of t{WHAT} is no JSON object but str."),
        (
            _wrong_field,
            "hook-answer",
            f"The answer of t{WHAT} is no Secret: rotation must be one of NONE, MANUAL, SCHEDULED",
        ),
        (_many_reads, "hook-limit", f"T{WHAT} reads more than 1000 resources."),
    ],
)
def test_what_a_hook_does_wrong_is_an_error_with_its_place(
    serving: Serving, hook: Hook, code: str, message: str
) -> None:
    names: list[str] = []

    def _hook(call: ResponseCall) -> Sequence[JsonObject]:
        return hook(call) if names else call.documents

    with serving(_hook, seconds=1.0 if hook is _hangs else 5.0) as ports:
        ports.call("POST", SECRETS, {"title": "Door"}, id="door")
        names.append(DOOR)
        with pytest.raises(SwitchyardError) as wrong:
            ports.call("GET", DOOR)
        assert (wrong.value.code, wrong.value.message) == (code, message)
        names.clear()
        listed = ports.call("GET", SECRETS).document
        assert isinstance(listed, dict)
        assert len(listed["secrets"]) == 1  # type: ignore[arg-type]
