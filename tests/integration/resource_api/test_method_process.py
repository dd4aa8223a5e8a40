"""Custom methods of a web process that installs the handlers of the example, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from tests.factories.access import make_account, token_of
from tests.factories.method_backend import method_backend
from tests.integration.resource_api.conftest import EXAMPLES, REGION, files_of
from tests.integration.resource_api.test_method_streams import LAMP, apply_lamps
from tests.integration.resource_api.test_method_streams import SERVICE as LAMPS
from tests.integration.resource_api.test_methods import KMS, OLD, QUEUE, TASKS
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web(children: Children, data_database: str) -> Iterator[httpx.Client]:
    """A client of a web process with the handlers, as an operator."""
    apply_region(SYSTEM, REGION, "Belgium")
    for service, folder, version in ((KMS, "cloud-kms", "v1"), (TASKS, "cloud-tasks", OLD)):
        apply_service(SYSTEM, files_of(EXAMPLES / folder))
        name = f"services/{service}/deployments/{REGION}"
        apply_deployment(SYSTEM, name, {"currentVersion": version}, database=data_database)
    make_account("olga", "operator")
    url = children.start_web(SWITCHYARD_EXTENSIONS="examples.cloud-tasks.methods")
    headers = {"Authorization": f"Bearer {token_of('olga')}"}
    with httpx.Client(base_url=f"{url}/apis/{REGION}/{TASKS}/{OLD}/", headers=headers, timeout=30) as client:
        yield client


def test_the_methods_of_the_example_are_answered_by_a_web_process(web: httpx.Client) -> None:
    assert web.post(QUEUE.rpartition("/")[0], params={"id": "mail"}, json={}).status_code == 201
    paused = web.post(f"{QUEUE}:pause", json={})
    assert (paused.status_code, paused.json()["state"]) == (200, "PAUSED")
    assert (paused.headers["Switchyard-Served"], paused.headers["Switchyard-Handler"]) == ("native", OLD)
    assert web.get(QUEUE).json() == paused.json()
    assert web.post(f"{QUEUE}:resume").json()["state"] == "RUNNING"

    refused = {
        verb: (answer.status_code, answer.json()["code"])
        for verb in ("explode", "getIamPolicy")
        for answer in [web.post(f"{QUEUE}:{verb}", json={})]
    }
    assert refused == {"explode": (404, "method-missing"), "getIamPolicy": (501, "method-not-served")}
    assert f"/{QUEUE_PATTERN}:pause" in web.get("openapi.json").json()["paths"]
    stranger = httpx.post(f"{web.base_url}{QUEUE}:pause", json={})
    assert (stranger.status_code, stranger.json()["code"]) == (401, "unauthenticated")


def test_a_stream_of_a_backend_that_a_setting_names_comes_as_lines(
    children: Children, data_database: str
) -> None:
    apply_lamps()
    name = f"services/{LAMPS}/deployments/{REGION}"
    apply_deployment(SYSTEM, name, {"currentVersion": "v1"}, database=data_database)
    make_account("olga", "operator")
    headers = {"Authorization": f"Bearer {token_of('olga')}"}
    with method_backend() as backend:
        backend.lines = [{"level": 1}, {"level": 2, "lamp": {"name": LAMP, "level": 2}}]
        url = children.start_web(SWITCHYARD_METHOD_BACKENDS=f"{LAMPS}/v1={backend.url}")
        base = f"{url}/apis/{REGION}/{LAMPS}/v1/"
        with httpx.Client(base_url=base, headers=headers, timeout=30) as client:
            assert client.post("rooms/hall/lamps", params={"id": "l1"}, json={"level": 3}).status_code == 201
            faded = client.post(f"{LAMP}:fade", json={"level": 2})
            dim = client.post(f"{LAMP}:dim", json={"level": 2})

    assert (faded.status_code, faded.headers["content-type"]) == (200, "application/x-ndjson")
    assert [json.loads(line) for line in faded.text.splitlines()] == backend.lines
    assert [(path, sent) for path, _, sent in backend.received] == [
        (f"/tasks/v1/{LAMP}:fade", {"level": 2}),
        (f"/tasks/v1/{LAMP}:dim", {"level": 2}),
    ]
    assert backend.received[0][1]["accept"] == "application/x-ndjson"
    assert (dim.status_code, dim.json()["code"]) == (502, "handler-response")


QUEUE_PATTERN = "projects/{project}/locations/{location}/queues/{queue}"
