"""Signing in, second factors, passkeys and what a person keeps for themselves answer as docs/reference/openapi.yaml declares."""

from __future__ import annotations

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.conf import LazySettings
from django.core.cache import cache
from rest_framework.test import APIClient

from tests.factories.access import PASSWORD, make_account
from tests.factories.identity_provider import identity_provider
from tests.factories.passkeys import Device
from tests.integration.access.test_ways_in import provide
from tests.integration.conformance.operations import OWN
from tests.integration.conformance.recorder import Recorder

pytestmark = pytest.mark.django_db
SESSION = "/api/v1/session"
WISH = {"permission": "window.write", "what": "New window or freeze", "link": "/windows", "comment": "so"}
QUESTION = {
    "account": "ann", "action": "upgrade.switch", "service": "billing.example.com", "target_kind": "upgrade",
}  # fmt: skip
PARTS: dict[str, object] = {"id": "x", "owner": "x", "page": "fleet", "name": "x"}


@pytest.fixture(autouse=True)
def _no_attempts() -> None:
    cache.clear()


@pytest.fixture
def recorder() -> Recorder:
    make_account("ann", "admin", password=PASSWORD)
    return Recorder(APIClient())


def _sign_in(recorder: Recorder, **more: str) -> None:
    recorder.send(f"POST {SESSION}", {"username": "ann", "password": PASSWORD, **more})


def _with_second_factor(recorder: Recorder) -> None:
    recorder.send(f"GET {SESSION}/totp")
    secret = recorder.send(f"POST {SESSION}/totp")["secret"]
    counters = yield_hotp_counters_from_time()
    _, code, *_ = [format_hotp_value(hotp_value(secret, each)) for each in counters]
    recovery, dropping, *_ = recorder.send(f"PUT {SESSION}/totp", {"code": code})["recovery_codes"]
    recorder.send(f"DELETE {SESSION}")
    _sign_in(recorder, totp=recovery)
    recorder.send(f"POST {SESSION}/totp/drop", {"code": dropping})


def _with_passkey(recorder: Recorder) -> None:
    device, asked = Device(), f"POST {SESSION}/passkey/ask"
    answer = device.make(recorder.send(f"POST {SESSION}/passkeys/ask"))
    added = recorder.send(f"POST {SESSION}/passkeys", {"name": "Laptop", "answer": answer})
    recorder.send(f"PUT {SESSION}/passkeys/{{id}}", {"name": "Old laptop"}, id=added["id"])
    recorder.send(f"GET {SESSION}/passkeys")
    recorder.send(f"POST {SESSION}/passkey/proof", {"answer": device.show(recorder.send(asked))})
    recorder.send(f"DELETE {SESSION}")
    recorder.send(f"POST {SESSION}/passkey", {"answer": device.show(recorder.send(asked)), "reason": ""})
    code = {"code": added["recovery_codes"][0]}
    recorder.send(f"POST {SESSION}/passkeys/{{id}}/remove", code, id=added["id"])


def _with_things_of_ones_own(recorder: Recorder) -> None:
    recorder.send("POST /api/v1/access/explain", QUESTION)
    ask = recorder.send("POST /api/v1/asks", WISH)["id"]
    recorder.send("GET /api/v1/asks")
    recorder.send("DELETE /api/v1/asks/{id}", id=ask)
    notice = recorder.send("POST /api/v1/notices", {"events": ["upgrade.*"]})["id"]
    recorder.send("PUT /api/v1/notices/{id}", {"events": ["upgrade.caught-up"]}, id=notice)
    hours = {"zone": "UTC", "quiet_from": "22:00", "quiet_to": "06:00"}
    recorder.send("PUT /api/v1/notices/hours", hours, tag='"0"')
    recorder.send("GET /api/v1/notices")
    made = {"objects": [{"kind": "Window", "name": "nightly", "spec": {"minutes": 60}}]}
    recorder.send("PUT /api/v1/declared-sets/{owner}", made, owner="payments")
    recorder.send("GET /api/v1/declared-sets/{owner}", owner="payments")
    inner = {"method": "PUT", "path": "/api/v1/declared-sets/payments", "body": made}
    recorder.send("POST /api/v1/requests:batch", {"requests": [inner]})
    recorder.send("DELETE /api/v1/notices/{id}", id=notice)
    view: dict[str, object] = {"page": "fleet", "name": "Mine"}
    recorder.send("PUT /api/v1/views/{page}/{name}", {"query": "q=x"}, **view)
    recorder.send("GET /api/v1/views/{page}", **view)
    recorder.send("GET /api/v1/views/{page}/{name}", **view)
    recorder.send("DELETE /api/v1/views/{page}/{name}", **view)


def _with_sessions(recorder: Recorder) -> None:
    _sign_in(Recorder(APIClient()))
    recorder.send("GET /api/v1/report-keys")
    *_, other = [each for each in recorder.send("GET /api/v1/sessions")["items"] if not each["current"]]
    recorder.send("DELETE /api/v1/sessions/{id}", id=other["id"])
    recorder.send(f"PUT {SESSION}/zone", {"zone": "utc"})
    recorder.send(f"POST {SESSION}/proof", {"password": PASSWORD})
    recorder.send(f"PUT {SESSION}/password", {"current": PASSWORD, "new": f"{PASSWORD} again"})
    recorder.send(f"DELETE {SESSION}")


def test_all_that_a_person_does_for_themselves_is_answered_as_declared(
    recorder: Recorder, settings: LazySettings
) -> None:
    recorder.send(f"GET {SESSION}")
    with identity_provider() as provider:
        provide(settings, provider.url)
        recorder.send(f"GET {SESSION}/providers")
    settings.EMAIL_HOST = "127.0.0.1"
    _sign_in(recorder)
    recorder.send(f"GET {SESSION}")
    _with_second_factor(recorder)
    _with_passkey(recorder)
    _with_things_of_ones_own(recorder)
    _with_sessions(recorder)
    make_account("ned", password=PASSWORD)
    recorder.send(f"POST {SESSION}", {"username": "ned", "password": PASSWORD})
    recorder.send(f"POST {SESSION}/access", {"comment": "I am new."})
    recorder.send(f"GET {SESSION}/access")

    refused = {each: found for each, found in recorder.statuses.items() if max(found) >= 300}
    assert refused == {}
    assert recorder.statuses.keys() == OWN
    assert recorder.empty == set()
    assert recorder.differing() == {}


def test_invalid_bodies_are_refused_as_declared(recorder: Recorder) -> None:
    _sign_in(recorder)
    accepted, sent = {}, 0
    for operation in sorted(OWN):
        statuses = recorder.send_invalid(operation, **PARTS)
        sent += len(statuses)
        if any(not 400 <= each < 500 for each in statuses):
            accepted[operation] = statuses
    assert accepted == {}
    assert recorder.differing() == {}
    assert sent >= 45


def test_who_is_not_signed_in_and_what_is_missing_is_answered_as_declared(recorder: Recorder) -> None:
    for operation in sorted(OWN - {f"GET {SESSION}", f"DELETE {SESSION}", f"GET {SESSION}/providers"}):
        recorder.send(operation, {} if operation.startswith(("POST", "PUT")) else None, **PARTS)
    assert {status for each in recorder.statuses.values() for status in each} <= {200, 400, 401, 403, 404}
    assert recorder.differing() == {}
