"""The change log and the activity log of a deployment after a switch and a rollback: nothing lost, nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from migrations_app import wiring
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.domain.switch.states import State
from tests.integration.resource_api.logged_requests import LoggedRequests, logged_requests
from tests.integration.switch.secrets_upgrade import started as started
from tests.integration.switch.test_extensions import work_until

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = "projects/p/secrets", "projects/p/regions/eu-west1/secrets"


@pytest.fixture
def requests(started: str, data_database: str) -> Iterator[LoggedRequests]:
    """Clients of the deployment that is upgraded."""
    with logged_requests(SimpleNamespace(database=data_database)) as made:  # type: ignore[arg-type]
        yield made


def test_after_a_rollback_both_logs_have_each_write_once_in_the_callers_version(
    requests: LoggedRequests, started: str
) -> None:
    def write(request_id: str, method: str, path: str, body: object, version: str) -> None:
        answer = requests.send(method, path, body, version=version, x_request_id=request_id)
        assert answer.status_code in (200, 201), answer.text

    write("r-copying", "PATCH", f"{OLD}/secret-1", {"title": "Copying"}, "v1alpha2")
    work_until(started, State.READY)
    write("r-ready", "POST", f"{OLD}?id=fresh", {"title": "Ready"}, "v1alpha2")
    work_until(started, State.REVERSIBLE, request_switch)
    write("r-translated", "PATCH", f"{OLD}/secret-1", {"title": "Translated"}, "v1alpha2")
    write("r-new", "PATCH", f"{NEW}/secret-2", {"displayName": "New"}, "v1")
    write("r-deleted", "DELETE", f"{OLD}/secret-3", None, "v1alpha2")
    work_until(started, State.REVERTED, request_rollback)
    write("r-after", "PATCH", f"{OLD}/secret-2", {"title": "After"}, "v1alpha2")
    wiring.activity_notes().flush()

    written = ["r-copying", "r-ready", "r-translated", "r-new", "r-deleted", "r-after"]
    activity = [each for each in requests.listed("activity", limit=200) if each["request_id"] in written]
    assert [(each["request_id"], each["version"], each["method"]) for each in reversed(activity)] == [
        ("r-copying", "v1alpha2", "update"),
        ("r-ready", "v1alpha2", "create"),
        ("r-translated", "v1alpha2", "update"),
        ("r-new", "v1", "update"),
        ("r-deleted", "v1alpha2", "delete"),
        ("r-after", "v1alpha2", "update"),
    ]

    changes = requests.listed("resource-changes", limit=200)
    by_request = Counter(each["request_id"] for each in changes if each["request_id"])
    assert by_request == dict.fromkeys(written, 1)
    kept = {each["request_id"]: each for each in changes if each["request_id"]}
    stored = {request: (each["version"], each["name"]) for request, each in kept.items()}
    assert stored == {
        "r-copying": ("v1alpha2", f"{OLD}/secret-1"),
        "r-ready": ("v1alpha2", f"{OLD}/fresh"),
        "r-translated": ("v1", f"{NEW}/secret-1"),
        "r-new": ("v1", f"{NEW}/secret-2"),
        "r-deleted": ("v1", f"{NEW}/secret-3"),
        "r-after": ("v1alpha2", f"{OLD}/secret-2"),
    }
    assert kept["r-after"]["before"]["body"]["title"] == "New"
    assert kept["r-after"]["after"]["body"]["title"] == "After"
    # What the reverse replication carried back is no write of a client, and is in no log.
    revisions = Counter((each["uid"], each["revision"]) for each in changes)
    assert set(revisions.values()) == {1}
