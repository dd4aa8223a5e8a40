"""Handlers of the custom methods of Cloud Tasks, for the three versions; installed with
`SWITCHYARD_EXTENSIONS=examples.cloud-tasks.methods`.

Before a switch the handlers of the old version answer, after it those of the new one. A call in another version is
converted to the version that is active.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from migrations_app.domain.methods.calls import Call, Resources
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.kernel.json import JsonObject

SERVICE = "cloudtasks.googleapis.com"
AT_ONCE = 100

METHODS = (v2beta2, v2beta3, v2) = tuple(
    ServiceMethods(SERVICE, version) for version in ("v2beta2", "v2beta3", "v2")
)


def every_version(name: str) -> Callable[[Callable[[Call], JsonObject]], Callable[[Call], JsonObject]]:
    """Register one function for a method of all three versions; each changes nothing but resources by its call."""

    def _register(answer: Callable[[Call], JsonObject]) -> Callable[[Call], JsonObject]:
        for service in METHODS:
            service.method(name, dry_run=True)(answer)
        return answer

    return _register


@every_version("PauseQueue")
def pause(call: Call) -> JsonObject:
    """Stop dispatching the tasks of a queue."""
    return call.update("Queue", call.name, lambda queue: {"state": "PAUSED"})


@every_version("ResumeQueue")
def resume(call: Call) -> JsonObject:
    """Go on dispatching the tasks of a queue."""
    return call.update("Queue", call.name, lambda queue: {"state": "RUNNING"})


@every_version("PurgeQueue")
def purge(call: Call) -> JsonObject:
    """Delete all tasks of a queue, some at a time; a purge that was cut off is called again."""
    names = [str(task["name"]) for task in call.list("Task", call.name)]
    for start in range(0, len(names), AT_ONCE):
        call.transaction(_deletion(names[start : start + AT_ONCE]))
    return call.update("Queue", call.name, lambda queue: {"purgeTime": _now()})


@v2beta3.method("RunTask")
@v2.method("RunTask")
def run(call: Call) -> JsonObject:
    """Dispatch a task now; an attempt is counted."""

    def _attempted(task: JsonObject) -> JsonObject:
        count = task.get("dispatchCount", 0)
        attempt: JsonObject = {"scheduleTime": task.get("scheduleTime", _now()), "dispatchTime": _now()}
        return {"dispatchCount": (count if isinstance(count, int) else 0) + 1, "lastAttempt": attempt}

    return call.update("Task", call.name, _attempted)


@v2beta2.method("RunTask")
def run_v2beta2(call: Call) -> JsonObject:
    """Dispatch a task now, where attempts are counted in its status."""

    def _attempted(task: JsonObject) -> JsonObject:
        before = task.get("status")
        status = before if isinstance(before, dict) else {}
        count = status.get("attemptDispatchCount", 0)
        return {"status": {**status, "attemptDispatchCount": (count if isinstance(count, int) else 0) + 1}}

    return call.update("Task", call.name, _attempted)


def _deletion(names: list[str]) -> Callable[[Resources], None]:
    def _delete(resources: Resources) -> None:
        for name in names:
            resources.delete("Task", name)

    return _delete


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
