"""A console that serves a deployment with twelve secrets, for those who carry out a whole upgrade of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.models.registry import Deployment
from switchyard_client import Client
from tests.factories.access import make_account, token_of
from tests.integration.resource_api.conftest import EXAMPLES, files_of
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, ROOT
from tests.processes import Children

OLD = "/apis/eu-west1/secrets.example.com/v1alpha2/projects/p/secrets"
NEW = "/apis/eu-west1/secrets.example.com/v1/projects/p/regions/eu-west1/secrets"
PATIENCE_SECONDS = 240.0


@pytest.fixture
def console(data_database: str, live_worker: Children) -> Iterator[Client]:
    """A client of that console; `olga` is an operator, `ann` and `bob` approve."""
    apply_region(ROOT, "eu-west1")
    apply_service(ROOT, files_of(EXAMPLES / "secrets"))
    apply_deployment(ROOT, DEPLOYMENT, {"currentVersion": "v1alpha2"}, database=data_database)
    # Four shards: what is tested is who does it, not how much it carries.
    Deployment.objects.update(ring=4)
    url = live_worker.start_web()
    make_account("olga", "operator", "admin")
    for name in ("ann", "bob"):
        make_account(name, "approver")
    with Client(url, token_of("olga")) as client:
        for number in range(12):
            client.request("POST", OLD, query={"id": f"s{number}"}, body={"title": f"Secret {number}"})
        yield client
