"""The published Cloud Tasks definitions: every field assessed, every document comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import JsonObject

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "cloud-tasks"
QUEUE = "projects/p/locations/eu/queues/mail"
TASK = f"{QUEUE}/tasks/t1"


@pytest.fixture(scope="module")
def tasks() -> CompiledService:
    return compile_service(read_folder(FOLDER))


def test_no_field_is_left_unassessed(tasks: CompiledService) -> None:
    assert tasks.versions == ("v2beta2", "v2beta3", "v2")
    assert tasks.findings == ()
    assert {each.by for edge in tasks.edges.values() for each in edge.assessed} == {
        "exact",
        "rename",
        "move",
        "added",
        "removed",
        "convert",
        "sentinel",
    }


def test_a_queue_crosses_to_v2beta3(tasks: CompiledService) -> None:
    queue: JsonObject = {
        "name": QUEUE,
        "pullTarget": {},
        "rateLimits": {"maxTasksDispatchedPerSecond": 5.5, "maxBurstSize": 3, "maxConcurrentTasks": 2},
        "retryConfig": {"unlimitedAttempts": True, "minBackoff": "0.1s"},
    }
    converter = tasks.converter("Queue", "v2beta2", "v2beta3")

    converted = converter.forward(QUEUE, queue)

    assert converted.body == {
        "name": QUEUE,
        "type": "PULL",
        "rateLimits": {"maxDispatchesPerSecond": 5.5, "maxBurstSize": 3, "maxConcurrentDispatches": 2},
        "retryConfig": {"maxAttempts": -1, "minBackoff": "0.1s"},
    }
    assert converter.backward(QUEUE, converted.body).body == queue


def test_a_task_crosses_both_edges_and_back(tasks: CompiledService) -> None:
    task: JsonObject = {
        "name": TASK,
        "pullMessage": {"payload": "AAAA", "tag": "x"},
        "status": {"attemptDispatchCount": 2, "lastAttemptStatus": {"responseStatus": {"code": 5}}},
    }
    converter = tasks.converter("Task", "v2beta2", "v2")

    converted = converter.forward(TASK, task)

    assert converted.body == {
        "name": TASK,
        "dispatchCount": 2,
        "lastAttempt": {"responseStatus": {"code": 5}},
        "$sy": {
            "f": 1,
            "b": {"cloudtasks.Task/pull_message#05d110ec": {"v": {"payload": "AAAA", "tag": "x"}}},
        },
    }
    assert converter.backward(TASK, converted.body).body == task


def test_tasks_are_pushed_down_to_the_database(tasks: CompiledService) -> None:
    assert tasks.converter("Task", "v2beta2", "v2beta3").sql is not None
    assert tasks.converter("Task", "v2beta2", "v2").sql is not None


def test_custom_methods_are_converted_over_both_edges(tasks: CompiledService) -> None:
    run = tasks.method("RunTask", "v2beta2", "v2")

    assert (run.target_method.verb, run.name(TASK)) == ("run", TASK)
    assert run.request({"name": TASK, "responseView": "FULL"}) == {"name": TASK, "responseView": "FULL"}
    assert run.response({"name": TASK, "dispatchCount": 3}) == {
        "name": TASK,
        "status": {"attemptDispatchCount": 3},
    }
    pause = tasks.method("PauseQueue", "v2beta2", "v2")
    assert pause.response({"name": QUEUE, "state": "PAUSED"}) == {"name": QUEUE, "state": "PAUSED"}
