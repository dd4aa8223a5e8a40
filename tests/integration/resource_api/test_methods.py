"""Custom methods of Cloud Tasks: in every version, before and after a switch, and after a rollback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest

from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.errors import Conflict, Invalid, Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.services.method_handlers import Handlers
from migrations_app.resource_api.exchange import Response
from tests.factories.remembered import remembered
from tests.integration.resource_api.conftest import EXAMPLES, REGION, Yard, deployed, files_of

TASKS, KMS = "cloudtasks.googleapis.com", "cloudkms.googleapis.com"
OLD, NEW = "v2beta3", "v2"
QUEUE = "projects/p/locations/eu/queues/mail"
TASK = f"{QUEUE}/tasks/t1"
QUEUE_BODY: JsonObject = {"rateLimits": {"maxDispatchesPerSecond": 5.0}, "taskTtl": "3600s"}


@pytest.fixture
def tasks(applied: str) -> Iterator[Yard]:
    """The deployment of Cloud Tasks, serving v2beta3, with the handlers of the example and one queue."""
    handlers = RegisteredHandlers.of(import_module("examples.cloud-tasks.methods").METHODS)
    with serving(applied, handlers) as made:
        yield made


@contextmanager
def serving(database: str, handlers: Handlers, version: str = OLD) -> Iterator[Yard]:
    """Deploy Cloud Tasks with handlers and one queue."""
    with deployed(database, TASKS, version, handlers) as made:
        body = {} if version == "v2beta2" else QUEUE_BODY
        made.call("POST", "projects/p/locations/eu/queues", body, version=version, id="mail")
        yield made


@pytest.fixture
def applied(db: None, data_database: str) -> str:
    """A database in a region that knows Cloud Tasks and what it imports."""

    def apply() -> None:
        apply_region(SYSTEM, REGION, "Belgium")
        for service, folder in ((KMS, "cloud-kms"), (TASKS, "cloud-tasks")):
            apply_service(SYSTEM, files_of(EXAMPLES / folder))
            if service == KMS:
                name = f"services/{service}/deployments/{REGION}"
                apply_deployment(SYSTEM, name, {"currentVersion": "v1"}, database=data_database)

    remembered("Cloud Tasks", [data_database], apply)
    return data_database


def call(tasks: Yard, version: str, name: str, verb: str, body: Json = None) -> Response:
    return tasks.call("POST", f"{name}:{verb}", {} if body is None else body, version=version)


def state(response: Response) -> tuple[object, object, object]:
    """Tell the state that a response shows, how it was served, and by the handler of which version."""
    assert isinstance(response.document, dict)
    headers = response.headers
    return response.document.get("state"), headers["Switchyard-Served"], headers["Switchyard-Handler"]


def test_before_the_switch_the_handlers_of_the_old_version_answer(tasks: Yard) -> None:
    paused = call(tasks, OLD, QUEUE, "pause")

    assert state(paused) == ("PAUSED", "native", OLD)
    assert tasks.call("GET", QUEUE, version=OLD).document == paused.document
    assert state(call(tasks, OLD, QUEUE, "resume")) == ("RUNNING", "native", OLD)
    tasks.fill(OLD, NEW)
    with pytest.raises(Conflict) as refused:
        call(tasks, NEW, QUEUE, "pause")
    assert refused.value.code == "read-only-before-switch"
    assert tasks.call("GET", QUEUE, version=OLD).document["state"] == "RUNNING"  # type: ignore[index,call-overload]


def test_after_the_switch_the_handlers_of_the_new_version_answer_both_versions(tasks: Yard) -> None:
    tasks.switch(OLD, NEW)
    native, translated = call(tasks, NEW, QUEUE, "pause"), call(tasks, OLD, QUEUE, "resume")

    assert state(native) == ("PAUSED", "native", NEW)
    assert state(translated) == ("RUNNING", "translated", NEW)
    # What only the old version knows comes from what is stored, as in a read.
    assert translated.document == tasks.call("GET", QUEUE, version=OLD).document
    assert translated.document["taskTtl"] == "3600s"  # type: ignore[index,call-overload]


def test_after_a_rollback_the_handlers_of_the_old_version_answer_again(tasks: Yard) -> None:
    tasks.switch(OLD, NEW)
    call(tasks, OLD, QUEUE, "pause")
    tasks.switch(NEW, OLD)

    assert tasks.call("GET", QUEUE, version=OLD).document["state"] == "PAUSED"  # type: ignore[index,call-overload]
    assert state(call(tasks, OLD, QUEUE, "resume")) == ("RUNNING", "native", OLD)


def test_a_task_runs_in_both_versions_and_every_run_is_counted(tasks: Yard) -> None:
    tasks.call(
        "POST", f"{QUEUE}/tasks", {"httpRequest": {"url": "https://example.com"}}, version=OLD, id="t1"
    )
    runs = [call(tasks, OLD, TASK, "run", {"responseView": "FULL"})]
    tasks.switch(OLD, NEW)
    runs += [call(tasks, OLD, TASK, "run"), call(tasks, NEW, TASK, "run")]

    assert [each.document["dispatchCount"] for each in runs] == [1, 2, 3]  # type: ignore[index,call-overload]
    assert [state(each)[1:] for each in runs] == [("native", OLD), ("translated", NEW), ("native", NEW)]
    assert tasks.call("GET", TASK, version=OLD).document["dispatchCount"] == 3  # type: ignore[index,call-overload]


def test_a_purge_deletes_all_tasks_of_the_queue(tasks: Yard) -> None:
    for number in range(3):
        tasks.call("POST", f"{QUEUE}/tasks", {}, version=OLD, id=f"t{number}")
    tasks.switch(OLD, NEW)
    purged = call(tasks, OLD, QUEUE, "purge")

    assert purged.document["purgeTime"]  # type: ignore[index,call-overload]
    assert tasks.call("GET", f"{QUEUE}/tasks", version=NEW).document == {"tasks": []}


def test_verbs_that_are_unknown_and_requests_that_are_wrong_are_refused_with_what_there_is(
    tasks: Yard,
) -> None:
    with pytest.raises(Missing) as unknown:
        call(tasks, OLD, QUEUE, "explode")
    assert unknown.value.code == "method-missing"
    assert unknown.value.remedy == (
        "It has :getIamPolicy, :pause, :purge, :resume, :setIamPolicy, :testIamPermissions."
    )
    with pytest.raises(Missing) as absent:
        call(tasks, OLD, f"{QUEUE}2", "pause")
    assert absent.value.code == "not-found"
    with pytest.raises(Invalid) as other:
        call(tasks, OLD, QUEUE, "pause", {"name": f"{QUEUE}2"})
    assert other.value.code == "name"
    with pytest.raises(Invalid) as wrong:
        call(tasks, OLD, QUEUE, "pause", ["x"])
    assert wrong.value.code == "document"
