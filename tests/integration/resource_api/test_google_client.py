"""The published client of Cloud Tasks, unmodified and over REST, in both versions, before and after a switch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from google.api_core.exceptions import GoogleAPICallError
from google.cloud import tasks_v2, tasks_v2beta3
from google.oauth2.credentials import Credentials
from google.protobuf.field_mask_pb2 import FieldMask

from migrations_app.kernel.errors import Invalid
from tests.factories.access import make_account, token_of
from tests.integration.resource_api.conftest import REGION, Yard, deployed
from tests.integration.resource_api.test_methods import NEW, OLD, TASKS, applied
from tests.processes import Children

__all__ = ["applied"]
pytestmark = pytest.mark.django_db(transaction=True)
LOCATION = "projects/p/locations/eu"
MODULES = {OLD: tasks_v2beta3, NEW: tasks_v2}


@pytest.fixture
def tasks(applied: str) -> Iterator[Yard]:
    """The deployment of Cloud Tasks, serving v2beta3, as the web process finds it."""
    with deployed(applied, TASKS, OLD) as made:
        yield made


@pytest.fixture
def client(tasks: Yard, children: Children) -> Iterator[Callable[[str], Any]]:
    """Gives the published client of a version, connected to a web process with the handlers of the example."""
    make_account("olga", "operator")
    token = token_of("olga")
    url = children.start_web(SWITCHYARD_EXTENSIONS="examples.cloud-tasks.methods")
    with ExitStack() as stack:

        def _client(version: str) -> Any:
            made = MODULES[version].CloudTasksClient(
                transport="rest",
                credentials=Credentials(token),  # type: ignore[no-untyped-call]
                client_options={"api_endpoint": f"{url}/apis/{REGION}/{TASKS}"},
            )
            return stack.enter_context(made)

        yield _client


def _exercise(client: Any, published: Any, queue_id: str) -> None:
    """Make every call that the example supports, and see that each does what it says."""
    queue = f"{LOCATION}/queues/{queue_id}"
    task = f"{queue}/tasks/t1"
    limits = published.RateLimits(max_dispatches_per_second=5)
    created = client.create_queue(parent=LOCATION, queue=published.Queue(name=queue, rate_limits=limits))
    assert (created.name, created.rate_limits.max_dispatches_per_second) == (queue, 5)
    for number in range(2):
        client.create_queue(parent=LOCATION, queue=published.Queue(name=f"{queue}-{number}"))
    paged = published.ListQueuesRequest(parent=LOCATION, page_size=2)
    names = [each.name for each in client.list_queues(request=paged)]
    assert [name for name in names if name.startswith(queue)] == [queue, f"{queue}-0", f"{queue}-1"]

    raised = published.Queue(name=queue, rate_limits=published.RateLimits(max_dispatches_per_second=7))
    mask = FieldMask(paths=["rate_limits.max_dispatches_per_second"])
    assert client.update_queue(queue=raised, update_mask=mask).rate_limits.max_dispatches_per_second == 7
    retried = published.Queue(name=queue, retry_config=published.RetryConfig(max_attempts=4))
    client.update_queue(queue=retried)
    stored = client.get_queue(name=queue)
    assert (stored.rate_limits.max_dispatches_per_second, stored.retry_config.max_attempts) == (7, 4)

    assert client.pause_queue(name=queue).state == published.Queue.State.PAUSED
    paused = published.ListQueuesRequest(
        parent=LOCATION, filter="state: PAUSED AND -retry_config.max_attempts = 9"
    )
    assert [each.name for each in client.list_queues(request=paused)] == [queue]
    assert client.resume_queue(name=queue).state == published.Queue.State.RUNNING

    call = published.HttpRequest(url="https://a.example", body=b"abc", http_method=published.HttpMethod.PUT)
    made = client.create_task(parent=queue, task=published.Task(name=task, http_request=call))
    assert (made.name, made.http_request) == (task, call)
    unnamed = published.CreateTaskRequest(
        parent=queue, task=published.Task(http_request=call), response_view=published.Task.View.BASIC
    )
    second = client.create_task(request=unnamed)
    assert (second.http_request.url, second.http_request.body) == ("https://a.example", b"")
    for view, body in ((published.Task.View.FULL, b"abc"), (published.Task.View.BASIC, b"")):
        one = client.get_task(request=published.GetTaskRequest(name=task, response_view=view))
        listed = list(client.list_tasks(request=published.ListTasksRequest(parent=queue, response_view=view)))
        assert [each.http_request.body for each in (one, *listed)] == [body] * 3
    assert {each.name for each in client.list_tasks(parent=queue)} == {task, second.name}
    run = published.RunTaskRequest(name=task, response_view=published.Task.View.FULL)
    assert [client.run_task(request=run).dispatch_count for _ in range(2)] == [1, 2]
    client.delete_task(name=task)
    assert client.purge_queue(name=queue).purge_time is not None
    assert list(client.list_tasks(parent=queue)) == []
    for name in (queue, f"{queue}-0", f"{queue}-1"):
        client.delete_queue(name=name)
    assert [each.name for each in client.list_queues(parent=LOCATION) if each.name.startswith(queue)] == []


def test_every_call_of_the_example_is_right_in_both_versions_before_and_after_the_switch(
    client: Callable[[str], Any], tasks: Yard
) -> None:
    old, new = client(OLD), client(NEW)
    _exercise(old, tasks_v2beta3, "before")
    kept = f"{LOCATION}/queues/kept"
    limits = tasks_v2beta3.RateLimits(max_dispatches_per_second=5)
    old.create_queue(parent=LOCATION, queue=tasks_v2beta3.Queue(name=kept, rate_limits=limits))
    with pytest.raises(GoogleAPICallError) as unserved:
        new.get_queue(name=kept)
    assert unserved.value.code == 409
    assert "does not serve v2 yet; v2beta3 is active" in unserved.value.message

    tasks.fill(OLD, NEW)
    tasks.switch(OLD, NEW)
    _exercise(new, tasks_v2, "after-new")
    _exercise(old, tasks_v2beta3, "after-old")
    assert new.get_queue(name=kept).rate_limits.max_dispatches_per_second == 5
    assert old.get_queue(name=kept).rate_limits.max_dispatches_per_second == 5


def test_what_is_not_supported_or_wrong_is_a_readable_error(client: Callable[[str], Any]) -> None:
    published, tasks = tasks_v2beta3, client(OLD)
    queue, absent = f"{LOCATION}/queues/q", f"{LOCATION}/queues/absent"
    tasks.create_queue(parent=LOCATION, queue=published.Queue(name=queue))
    wrong = published.ListQueuesRequest(parent=LOCATION, filter="state = = 1")
    calls: dict[str, Callable[[], object]] = {
        "There is no Queue": lambda: tasks.get_queue(name=absent),
        "exists already": lambda: tasks.create_queue(parent=LOCATION, queue=published.Queue(name=queue)),
        "x/y does not lie in": lambda: tasks.create_queue(parent=LOCATION, queue=published.Queue(name="x/y")),
        "The filter has '='": lambda: list(tasks.list_queues(request=wrong)),
        "has no handler of GetIamPolicy": lambda: tasks.get_iam_policy(request={"resource": queue}),
        "has no resources named": lambda: tasks.list_locations(request={"name": "projects/p"}),
    }
    statuses = []
    for words, call in calls.items():
        with pytest.raises(GoogleAPICallError) as refused:
            call()
        assert words in refused.value.message
        statuses.append(refused.value.code)
    assert statuses == [404, 409, 400, 400, 501, 404]


@pytest.mark.parametrize("version", [OLD, NEW])
def test_a_parameter_without_a_name_is_refused(tasks: Yard, version: str) -> None:
    with pytest.raises(Invalid, match="There is no parameter '' here"):
        tasks.call("GET", f"{LOCATION}/queues/q", version=version, **{"": "x"})
