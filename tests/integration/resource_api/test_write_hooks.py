"""Hooks in the transaction of a write: before and after the conversion, with further writes, and within limits."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeAlias

import pytest
from prometheus_client import REGISTRY

from migrations_app.domain.service_hooks.calls import WriteCall
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.kernel.errors import Busy, Conflict, Invalid, InvariantBroken, Missing, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import Draft
from tests.integration.resource_api.conftest import EXAMPLES, REGION, SERVICE, Yard, deployed, files_of

OLD, NEW = "v1alpha2", "v1"
SECRETS, DOOR = "projects/p/secrets", "projects/p/secrets/door"
NEW_DOOR = f"projects/p/regions/{REGION}/secrets/door"

Hook: TypeAlias = "Callable[[WriteCall], JsonObject | None]"
Serving = Callable[..., AbstractContextManager[Yard]]


@pytest.fixture
def serving(db: None, data_database: str) -> Serving:
    """Deploy the secrets service with one hook of secrets in each of the versions named."""

    def _serve(**hooks: Hook) -> AbstractContextManager[Yard]:
        services = []
        for version, hook in hooks.items():
            service = ServiceHooks(SERVICE, version)
            service.write("Secret", seconds=1.0 if hook is _hangs else 5.0)(hook)
            services.append(service)
        return deployed(data_database, SERVICE, OLD, hooks=services, files=files_of(EXAMPLES / "secrets"))

    return _serve


def body(ports: Yard, name: str, version: str = OLD) -> dict[str, object]:
    document = ports.call("GET", name, version=version).document
    assert isinstance(document, dict)
    return {key: value for key, value in document.items() if key not in ("name", "metadata")}


def names(ports: Yard, collection: str, key: str, version: str = OLD) -> list[str]:
    document = ports.call("GET", collection, version=version).document
    assert isinstance(document, dict)
    found = document[key]
    assert isinstance(found, list)
    return [str(each["name"]) for each in found if isinstance(each, dict)]


def calls_that_were(outcome: str) -> float:
    """Read the figure of `/metrics`."""
    labels = {"kind": "write", "service": SERVICE, "version": OLD, "type": "Secret", "outcome": outcome}
    return REGISTRY.get_sample_value("switchyard_service_hook_seconds_count", labels) or 0.0


def refusal(
    ports: Yard, method: str = "POST", path: str = SECRETS, sent: JsonObject | None = None
) -> SwitchyardError:
    """Make a write that is refused; a creation makes the secret `door`."""
    body = {} if sent is None and method != "DELETE" else sent
    with pytest.raises(SwitchyardError) as refused:
        ports.call(method, path, body, **({"id": "door"} if method == "POST" else {}))
    return refused.value


def test_a_hook_enriches_a_write_from_reads_of_its_transaction(serving: Serving) -> None:
    def _titled(call: WriteCall) -> JsonObject | None:
        if call.document is None or call.name == f"{SECRETS}/first":
            return None
        first = call.resources.get("Secret", f"{SECRETS}/first")
        count = sum(1 for _ in call.resources.list("Secret", "projects/p"))
        return {**call.document, "title": f"{first['title']} {count} {call.verb} by {call.caller}"}

    with serving(v1alpha2=_titled) as ports:
        ports.call("POST", SECRETS, {"title": "First"}, id="first")
        created = ports.call("POST", SECRETS, {"owner": "ada"}, id="door")
        assert body(ports, DOOR) == {"title": "First 1 create by switchyard", "owner": "ada"}
        assert isinstance(created.document, dict)
        assert created.document["title"] == "First 1 create by switchyard"
        ports.call("PATCH", DOOR, {"owner": "bob"})
        assert body(ports, DOOR) == {"title": "First 2 update by switchyard", "owner": "bob"}


def test_old_and_new_hooks_run_before_and_after_the_conversion(serving: Serving) -> None:
    seen: list[tuple[str, str, str, object]] = []

    def _noted(call: WriteCall) -> JsonObject | None:
        before = None if call.before is None else call.before.get("owner", call.before.get("owners"))
        seen.append((call.version, call.verb, call.name, before))
        if call.document is None:
            return None
        key = "title" if call.version == OLD else "displayName"
        return {**call.document, key: f"{call.document.get(key, '')}+{call.version}"}

    with serving(v1alpha2=_noted, v1=_noted) as ports:
        ports.call("POST", SECRETS, {"title": "Door", "owner": "ada", "legacyEtag": "x1"}, id="door")
        assert body(ports, DOOR)["title"] == "Door+v1alpha2"
        ports.switch()
        # A read learns of the switch; a write that does not know of it yet runs its hooks again.
        assert body(ports, DOOR)["owner"] == "ada"
        ports.call("PATCH", DOOR, {"title": "Gate"})
        assert body(ports, NEW_DOOR, NEW)["displayName"] == "Gate+v1alpha2+v1"
        # What only the old version knows is kept, whatever the hook of the new one writes.
        assert body(ports, DOOR)["legacyEtag"] == "x1"
        ports.call("DELETE", DOOR)
    assert seen == [
        (OLD, "create", DOOR, None),
        (OLD, "update", DOOR, "ada"),
        (NEW, "update", NEW_DOOR, ["ada"]),
        (OLD, "delete", DOOR, "ada"),
        (NEW, "delete", NEW_DOOR, ["ada"]),
    ]


def test_one_write_of_the_old_version_becomes_several_of_the_new(serving: Serving) -> None:
    key = f"projects/p/regions/{REGION}/cryptoKeys/ring"

    def _split(call: WriteCall) -> JsonObject | None:
        if call.active_version == NEW and call.verb == "create" and call.document is not None:
            call.active.create("CryptoKey", key, {"algorithm": "AES256"})
            grant = {"secret": call.name, "member": "ada"}
            call.resources.create("SecretGrant", "projects/p/secretGrants/g1", grant)
        return None

    with serving(v1alpha2=_split) as ports:
        ports.switch()
        ports.call("POST", SECRETS, {"title": "Door"}, id="door")
        assert body(ports, key, NEW) == {"algorithm": "AES256"}
        assert body(ports, "projects/p/secretGrants/g1", NEW) == {"secret": NEW_DOOR, "member": "ada"}
        # A second time the key is there: nothing of the write is kept.
        with pytest.raises(Conflict) as twice:
            ports.call("POST", SECRETS, {"title": "Gate"}, id="gate")
        assert twice.value.code == "already-exists"
        assert str(twice.value).startswith(
            f"The write hook of Secret of {SERVICE} v1alpha2 may not create projects/p/secretGrants/g1: "
            "projects/p/secretGrants/g1 exists already."
        )
        assert names(ports, f"projects/p/regions/{REGION}/secrets", "secrets", NEW) == [NEW_DOOR]


def _raises(call: WriteCall) -> JsonObject | None:
    call.resources.create("Secret", f"{SECRETS}/other", {})
    raise ValueError("secret of the hook")


def _refuses(call: WriteCall) -> JsonObject | None:
    call.resources.create("Secret", f"{SECRETS}/other", {})
    raise Conflict("The project has no room.", code="room-missing")


def _hangs(call: WriteCall) -> JsonObject | None:
    call.resources.create("Secret", f"{SECRETS}/other", {})
    while True:
        time.sleep(0.01)


def _many(call: WriteCall) -> JsonObject | None:
    for number in range(101):
        call.resources.create("Secret", f"{SECRETS}/s{number}", {})
    return None


def _large(call: WriteCall) -> JsonObject | None:
    return {**(call.document or {}), "title": "x" * (4 * 1024 * 1024)}


def _other_type(call: WriteCall) -> JsonObject | None:
    return ["x"]  # type: ignore[return-value]


def _no_json(call: WriteCall) -> JsonObject | None:
    return {**(call.document or {}), "title": object()}  # type: ignore[dict-item]


def _wrong_field(call: WriteCall) -> JsonObject | None:
    return {**(call.document or {}), "rotation": "SOMETIMES"}


def _other_name(call: WriteCall) -> JsonObject | None:
    return {**(call.document or {}), "name": f"{SECRETS}/other"}


def _own(call: WriteCall) -> JsonObject | None:
    call.resources.create("Secret", call.name, {})
    return None


def _dangling(call: WriteCall) -> JsonObject | None:
    call.resources.create(
        "SecretGrant", "projects/p/secretGrants/g", {"secret": f"{SECRETS}/none", "member": "a"}
    )
    return None


def _wrong_write(call: WriteCall) -> JsonObject | None:
    call.resources.create("Secret", f"{SECRETS}/other", {"rotation": "SOMETIMES"})
    return None


INVALID = "The document is not valid: rotation must be one of NONE, MANUAL, SCHEDULED"
WHAT = f"The write hook of Secret of {SERVICE} {OLD}"
OUTCOMES: dict[Hook, str] = {_raises: "failed", _hangs: "late", _refuses: "refused"}
ANSWER = f"The answer of the write hook of Secret of {SERVICE} {OLD}"


@pytest.mark.parametrize(
    ("hook", "kind", "code", "message"),
    [
        (_raises, InvariantBroken, "hook-failed", f"{WHAT} raised ValueError."),
        (_refuses, Conflict, "room-missing", "The project has no room."),
        (_hangs, Busy, "hook-deadline-exceeded", f"{WHAT} did not end within 1 s."),
        (_many, InvariantBroken, "hook-limit", f"{WHAT} writes more than 100 resources."),
        (_large, InvariantBroken, "hook-answer", f"{ANSWER} is larger than 4194304 bytes."),
        (_other_type, InvariantBroken, "hook-answer", f"{ANSWER} is no JSON object but list."),
        (_wrong_field, InvariantBroken, "hook-answer", f"{ANSWER} is no Secret: rotation must be one of NONE, MANUAL, SCHEDULED"),
        (_other_name, InvariantBroken, "hook-answer", f"{ANSWER} names '{SECRETS}/other' instead of {DOOR}."),
        (_own, Conflict, "hook-write-own", f"{WHAT} writes {DOOR}, which its caller writes."),
        (_dangling, Conflict, "reference-missing", f"projects/p/secretGrants/g refers to {SECRETS}/none, which does not exist."),
        (
            _wrong_write,
            Invalid,
            "document",
            f"{WHAT} may not create {SECRETS}/other: {INVALID}.",
        ),
    ],
)  # fmt: skip
def test_what_a_hook_does_wrong_refuses_the_write_and_nothing_is_kept(
    serving: Serving, hook: Hook, kind: type[SwitchyardError], code: str, message: str
) -> None:
    with serving(v1alpha2=hook) as ports:
        outcome = OUTCOMES.get(hook, "done")
        before = calls_that_were(outcome)
        error = refusal(ports)
        assert (type(error), error.code, error.message) == (kind, code, message)
        assert names(ports, SECRETS, "secrets") == []
        assert calls_that_were(outcome) == before + 1 or hook in (_many, _own)


def test_what_is_no_json_is_refused(serving: Serving) -> None:
    with serving(v1alpha2=_no_json) as ports:
        error = refusal(ports)
        assert error.code == "hook-answer"
        assert names(ports, SECRETS, "secrets") == []


def test_a_hook_that_refuses_an_update_or_a_deletion_leaves_what_is_stored(serving: Serving) -> None:
    def _kept(call: WriteCall) -> JsonObject | None:
        if call.verb == "create":
            return None
        call.resources.update("Secret", f"{SECRETS}/first", {"title": "changed"})
        raise Conflict("It stays.", code="stays")

    with serving(v1alpha2=_kept) as ports:
        for name in ("first", "door"):
            ports.call("POST", SECRETS, {"title": name}, id=name)
        assert refusal(ports, "PATCH", DOOR, {"title": "new"}).code == "stays"
        assert refusal(ports, "DELETE", DOOR).code == "stays"
        assert [body(ports, f"{SECRETS}/{name}")["title"] for name in ("first", "door")] == ["first", "door"]


def test_a_hook_goes_on_when_it_reads_what_is_missing(serving: Serving) -> None:
    def _looked(call: WriteCall) -> JsonObject | None:
        try:
            call.resources.get("Secret", f"{SECRETS}/none")
        except Missing as missing:
            return {**(call.document or {}), "title": missing.code}
        return None

    with serving(v1alpha2=_looked) as ports:
        ports.call("POST", SECRETS, {}, id="door")
        assert body(ports, DOOR) == {"title": "not-found"}


def test_a_hook_runs_again_when_another_writer_was_faster(serving: Serving) -> None:
    yards: list[Yard] = []
    seen: list[object] = []

    def _counted(call: WriteCall) -> JsonObject | None:
        if call.name != DOOR:
            return None
        counter = call.resources.get("Secret", f"{SECRETS}/counter")
        seen.append(counter["title"])
        call.resources.update("Secret", f"{SECRETS}/counter", {"title": str(int(str(counter["title"])) + 1)})
        if len(seen) == 1:
            yards[0].call("PATCH", f"{SECRETS}/counter", {"title": "10"})
        return None

    with serving(v1alpha2=_counted) as ports:
        yards.append(ports)
        ports.call("POST", SECRETS, {"title": "1"}, id="counter")
        ports.call("POST", SECRETS, {}, id="door")
        assert body(ports, f"{SECRETS}/counter") == {"title": "11"}
    assert seen == ["1", "10"]


def test_the_hooks_of_a_batch_see_what_those_before_wrote(serving: Serving) -> None:
    def _counted(call: WriteCall) -> JsonObject | None:
        if call.name == f"{SECRETS}/counter":
            return None
        counter = call.resources.get("Secret", f"{SECRETS}/counter")
        call.resources.update("Secret", f"{SECRETS}/counter", {"title": f"{counter['title']}1"})
        return None

    with serving(v1alpha2=_counted) as ports:
        ports.call("POST", SECRETS, {"title": "1"}, id="counter")
        requests = [{"create": {"name": f"{SECRETS}/s{number}", "resource": {}}} for number in range(3)]
        ports.call("POST", ":batchWrite", {"requests": requests})  # type: ignore[dict-item]
        assert body(ports, f"{SECRETS}/counter") == {"title": "1111"}


def test_a_hook_may_not_write_what_another_region_owns(serving: Serving) -> None:
    def _changes(call: WriteCall) -> JsonObject | None:
        if call.name == DOOR:
            call.resources.update("Secret", f"{SECRETS}/copy", {"title": "changed"})
        return None

    with serving(v1alpha2=_changes) as ports:
        ports.call("POST", SECRETS, {"title": "theirs"}, id="copy")
        namespace = ports.namespace(OLD)
        with ports.store.transaction(namespace) as transaction:
            stored = transaction.get("Secret", f"{SECRETS}/copy")
            assert stored is not None
            other = Draft(stored.type, stored.name, stored.uid, stored.body, stored.metadata, "us-east2")
            transaction.put(other, stored.revision)
        error = refusal(ports)
        assert (error.code, error.message) == (
            "hook-write-region",
            f"{WHAT} writes {SECRETS}/copy, which us-east2 owns.",
        )
        assert body(ports, f"{SECRETS}/copy") == {"title": "theirs"}
        assert names(ports, SECRETS, "secrets") == [f"{SECRETS}/copy"]
