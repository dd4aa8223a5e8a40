"""Handlers that do wrong, hang, or race with other writers: what callers are told, and what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.domain.access import Actor, ActorKind, Grant
from migrations_app.domain.methods.calls import Call, Resources
from migrations_app.domain.methods.registration import Handler, ServiceMethods
from migrations_app.kernel.errors import Busy, Conflict, Denied, InvariantBroken, Refused, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.resource_api.exchange import Response
from tests.integration.resource_api.conftest import Yard
from tests.integration.resource_api.test_methods import (
    KMS,
    NEW,
    OLD,
    QUEUE,
    TASKS,
    applied,
    call,
    serving,
    state,
)

__all__ = ["applied"]


def handled(answer: Callable[[Call], JsonObject | None], method: str = "PauseQueue") -> RegisteredHandlers:
    """Install one handler of the old version."""
    service = ServiceMethods(TASKS, OLD)
    service.method(method)(answer)
    return RegisteredHandlers.of([service])


def queue_state(tasks: Yard) -> object:
    document = tasks.call("GET", QUEUE, version=OLD).document
    assert isinstance(document, dict)
    return document.get("state")


def pause(call: Call) -> JsonObject:
    return call.update("Queue", call.name, lambda queue: {"state": "PAUSED"})


def test_a_handler_that_raises_is_an_error_of_the_service_and_nothing_is_written(applied: str) -> None:
    def _raises(call: Call) -> JsonObject:
        def _change(resources: Resources) -> None:
            resources.update("Queue", call.name, {"state": "PAUSED"})
            raise ValueError("secret of the handler")

        return call.transaction(_change)[0]

    with serving(applied, handled(_raises)) as tasks:
        with pytest.raises(InvariantBroken) as failed:
            call(tasks, OLD, QUEUE, "pause")
        assert (failed.value.code, str(failed.value)) == (
            "handler-failed",
            f"The handler of PauseQueue of {TASKS} {OLD} raised ValueError. The log of the server has the details.",
        )
        assert queue_state(tasks) is None


def test_a_refusal_of_a_handler_is_the_answer(applied: str) -> None:
    def _refuses(call: Call) -> JsonObject:
        raise Conflict("The queue has tasks.", code="queue-busy")

    with serving(applied, handled(_refuses)) as tasks, pytest.raises(Conflict) as refused:
        call(tasks, OLD, QUEUE, "pause")
    assert refused.value.code == "queue-busy"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"state": 7.5}, "is no Queue: state must be one of STATE_UNSPECIFIED, RUNNING, PAUSED, DISABLED"),
        (["x"], "is no JSON object but list."),
        ({"name": "x" * (17 * 1024 * 1024)}, "is larger than 16777216 bytes."),
    ],
)
def test_an_answer_of_another_type_or_size_is_an_error_with_its_place(
    applied: str, answer: JsonObject, why: str
) -> None:
    with serving(applied, handled(lambda _: answer)) as tasks, pytest.raises(InvariantBroken) as wrong:
        call(tasks, OLD, QUEUE, "pause")
    assert wrong.value.code == "handler-response"
    assert wrong.value.message == f"The answer of the handler of PauseQueue {why}"


def test_a_handler_that_hangs_ends_with_its_deadline_and_writes_nothing_afterwards(applied: str) -> None:
    ended: list[str] = []

    def _late(call: Call) -> JsonObject:
        while call.remaining_seconds() > 0:
            time.sleep(0.01)
        time.sleep(0.2)
        try:
            return pause(call)
        except SwitchyardError as error:
            ended.append(error.code)
            raise

    with serving(applied, handled(_late)) as tasks:
        with pytest.raises(Busy) as late:
            tasks.call("POST", f"{QUEUE}:pause", {}, version=OLD, headers={"x-server-timeout": "0.2"})
        assert late.value.code == "deadline-exceeded"
        time.sleep(0.5)
        # It was interrupted, or refused when it came to write.
        assert ended in ([], ["deadline-exceeded"])
        assert queue_state(tasks) is None


def test_a_change_runs_again_when_another_writer_was_faster(applied: str) -> None:
    seen: list[object] = []
    yards: list[Yard] = []

    def _run(call: Call) -> JsonObject:
        def _change(queue: JsonObject) -> JsonObject:
            limits = queue["rateLimits"]
            assert isinstance(limits, dict)
            seen.append(limits["maxDispatchesPerSecond"])
            if len(seen) == 1:
                body = {"rateLimits": {"maxDispatchesPerSecond": 9.0}}
                yards[0].call("PATCH", QUEUE, body, version=OLD)
            return {"state": "PAUSED"}

        return call.update("Queue", call.name, _change)

    with serving(applied, handled(_run)) as tasks:
        yards.append(tasks)
        document = call(tasks, OLD, QUEUE, "pause").document
    assert isinstance(document, dict)
    assert seen == [5.0, 9.0]
    assert (document["state"], document["rateLimits"]) == ("PAUSED", {"maxDispatchesPerSecond": 9.0})


def test_the_writes_of_one_transaction_are_kept_together_or_not_at_all(applied: str) -> None:
    def _two(call: Call) -> JsonObject:
        def _change(resources: Resources) -> None:
            resources.create("Task", f"{call.name}/tasks/a", {"httpRequest": {"url": "https://example.com"}})
            resources.update("Queue", call.name, {"state": "PAUSED", "rateLimits": "no limits"})

        return call.transaction(_change)[1]

    with serving(applied, handled(_two)) as tasks:
        with pytest.raises(Refused) as refused:
            call(tasks, OLD, QUEUE, "pause")
        assert refused.value.code == "document"
        assert tasks.call("GET", f"{QUEUE}/tasks", version=OLD).document == {"tasks": []}
        assert queue_state(tasks) is None


def test_without_a_handler_of_the_active_version_that_of_the_call_goes_on_after_the_switch(
    applied: str,
) -> None:
    with serving(applied, handled(pause)) as tasks:
        tasks.switch(OLD, NEW)

        assert state(call(tasks, OLD, QUEUE, "pause")) == ("PAUSED", "translated", OLD)
        with pytest.raises(Refused) as unserved:
            call(tasks, NEW, QUEUE, "pause")
        assert unserved.value.code == "method-not-served"


def test_a_handler_that_is_always_used_is_not_replaced_by_a_converted_call(applied: str) -> None:
    handlers = {
        (TASKS, OLD, "PauseQueue"): Handler(pause, always=True),
        (TASKS, NEW, "PauseQueue"): Handler(pause),
    }
    with serving(applied, RegisteredHandlers(handlers)) as tasks:
        tasks.switch(OLD, NEW)

        assert state(call(tasks, OLD, QUEUE, "pause")) == ("PAUSED", "translated", OLD)
        assert state(call(tasks, NEW, QUEUE, "pause")) == ("PAUSED", "native", NEW)


def test_a_discontinued_method_says_what_to_use(applied: str) -> None:
    service = ServiceMethods(TASKS, "v2beta2")
    service.method("AcknowledgeTask")(lambda call: {})
    with serving(applied, RegisteredHandlers.of([service]), "v2beta2") as tasks:
        task = f"{QUEUE}/tasks/t1"
        tasks.call("POST", f"{QUEUE}/tasks", {}, version="v2beta2", id="t1")
        sent: JsonObject = {"scheduleTime": "2026-01-01T00:00:00Z"}
        assert call(tasks, "v2beta2", task, "acknowledge", sent).document == {}
        tasks.switch("v2beta2", OLD)
        ended: Response = call(tasks, "v2beta2", task, "acknowledge", sent)

    assert isinstance(ended.document, dict)
    assert (ended.status, ended.headers["Deprecation"]) == (404, "@0")
    assert (ended.document["code"], ended.document["remedy"]) == (
        "method-discontinued",
        "Answer the HTTP request of a task with 2xx.",
    )


@pytest.mark.parametrize(
    ("permissions", "allowed"),
    [
        (("resource.method:PauseQueue",), True),
        (("resource.method",), True),
        (("resource.write",), True),
        (("resource.method:ResumeQueue",), False),
        (("resource.read",), False),
    ],
)
def test_a_method_is_called_by_its_own_permission_or_by_that_to_write(
    applied: str, permissions: tuple[str, ...], allowed: bool
) -> None:
    with serving(applied, handled(pause)) as tasks:
        tasks.actor = Actor(ActorKind.USER, "ada", (Grant("made", permissions=permissions),))
        if allowed:
            assert state(call(tasks, OLD, QUEUE, "pause")) == ("PAUSED", "native", OLD)
        else:
            with pytest.raises(Denied):
                call(tasks, OLD, QUEUE, "pause")


@pytest.mark.parametrize(
    ("grant", "scopes"),
    [
        (Grant("made", permissions=("resource.method:PauseQueue",)), None),
        (Grant("operator"), ("resource.method:PauseQueue",)),
        (Grant("viewer"), None),
        (Grant("made", region="us-1", permissions=("resource.method:PauseQueue",)), None),
        (Grant("operator", region="us-1"), None),
    ],
)
def test_who_may_not_write_is_not_told_which_methods_there_are(
    applied: str, grant: Grant, scopes: tuple[str, ...] | None
) -> None:
    with serving(applied, handled(pause)) as tasks:
        tasks.actor = Actor(ActorKind.USER, "ada", (grant,), scopes)
        for verb in ("resume", "explode"):
            with pytest.raises(Denied):
                call(tasks, OLD, QUEUE, verb)


def test_a_token_for_one_method_calls_it(applied: str) -> None:
    with serving(applied, handled(pause)) as tasks:
        tasks.actor = Actor(ActorKind.USER, "ada", (Grant("operator"),), ("resource.method:PauseQueue",))

        assert state(call(tasks, OLD, QUEUE, "pause")) == ("PAUSED", "native", OLD)


def test_a_handler_reads_resources_of_a_peer_as_its_caller_may(applied: str) -> None:
    ring = "projects/p/locations/eu/keyRings/r"

    def _labelled(call: Call) -> JsonObject:
        keys = call.peer(KMS, "v1")
        names = [str(key["name"]) for key in keys.list("CryptoKey", ring)]
        purpose = keys.get("CryptoKey", names[0])["purpose"]
        return call.update(
            "Queue", call.name, lambda _: {"state": "PAUSED" if purpose == "MAC" else "RUNNING"}
        )

    with serving(applied, handled(_labelled)) as tasks:
        tasks.service = KMS
        tasks.call("POST", f"{ring}/cryptoKeys", {"purpose": "MAC"}, version="v1", id="k")
        tasks.service = TASKS
        assert state(call(tasks, OLD, QUEUE, "pause"))[0] == "PAUSED"
        tasks.actor = Actor(ActorKind.USER, "ann", grants=(Grant("operator", service=TASKS),))
        with pytest.raises(Denied):
            call(tasks, OLD, QUEUE, "pause")
