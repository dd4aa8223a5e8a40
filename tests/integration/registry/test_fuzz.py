"""Bad input: whatever is sent to the registry's doors, the answer is one that its schema describes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance

from migrations_app.control.registry.commands.save_registered import create_registered
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from tests.factories.access import make_account, token_of

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("SWITCHYARD_FUZZ_EXAMPLES", "4"))
# Streams answer without end; their opening is tested with the watches.
PATHS = r"^(/meta/v1/(?!.*:watch)|/api/v1/(fleet|regions|services|deployments))"


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the test's connection, with its transaction, through every request."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def operations(one_connection: None) -> list[Any]:
    """Every operation of the registry's doors, over this process's own application, with something in the registry."""
    policy = {"enabledRegions": ["eu"], "defaultControlRegion": "eu"}
    service: Any = {"allVersions": ["v1", "v2"], "multiRegionPolicy": policy}
    create_registered(SYSTEM, RegistryKind.REGION, "regions/eu", {})
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/iam", service)
    create_registered(
        SYSTEM, RegistryKind.DEPLOYMENT, "services/iam/deployments/eu", {"currentVersion": "v1"}
    )
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    schema.app = get_wsgi_application()
    return [each.ok() for each in schema.include(path_regex=PATHS).get_all_operations()]


def test_no_input_breaks_the_registry(operations: list[Any]) -> None:
    make_account("root", "admin")
    headers = {"Authorization": f"Bearer {token_of('root')}"}
    asked = set()
    for operation in operations:

        @settings(
            max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck]
        )
        @given(case=operation.as_strategy())
        def attempt(case: schemathesis.Case) -> None:
            answer = case.call(headers=headers)
            case.validate_response(answer, checks=[not_a_server_error, response_schema_conformance])

        attempt()
        asked.add((operation.method.upper(), operation.path))
    assert ("POST", "/meta/v1/services/{service}/deployments/{id}:beginUpgrade") in asked
    assert len(asked) >= 30
