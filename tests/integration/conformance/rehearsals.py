"""Dry runs of the methods that have one, in each spelling, and what the database holds afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.cache import cache
from rest_framework.test import APIClient

from migrations_app.web.operation_contracts import DRY_RUN_NAME
from migrations_app.web.preconditions import DRY_RUN_WORDS
from tests.integration.conformance.resolver import served
from tests.integration.conformance.stored import Stored

REHEARSED: Mapping[str, bool] = {
    str(each): "if-match" in each.contract.headers
    for each in served()
    if each.view is not None and DRY_RUN_NAME in each.contract.parameters
}
"""Every method that has a dry run, with whether it takes If-Match."""
OF_OWN = frozenset(
    {
        "DELETE /api/v1/asks/{id}",
        "DELETE /api/v1/notices/{id}",
        "DELETE /api/v1/sessions/{id}",
        "DELETE /api/v1/views/{page}/{name}",
        "POST /api/v1/asks",
        "POST /api/v1/notices",
        "POST /api/v1/requests:batch",
        "PUT /api/v1/declared-sets/{owner}",
        "POST /api/v1/session/access",
        "PUT /api/v1/notices/hours",
        "PUT /api/v1/notices/{id}",
        "PUT /api/v1/session/zone",
        "PUT /api/v1/views/{page}/{name}",
    }
)
OF_DATA = frozenset(
    {
        "DELETE /api/v1/deletion-watches/{id}",
        "DELETE /api/v1/deployments/{service}/{region}/conversion-sessions/{id}",
        "POST /api/v1/deletion-watches",
        "POST /api/v1/deployments/{service}/{region}/conversion-sessions",
        "PUT /api/v1/deployments/{service}/{region}/logs",
    }
)


def rehearse(
    client: APIClient, operation: str, body: Any = None, *, url: str = "", tag: str = "*", **parts: object
) -> tuple[set[int], list[str]]:
    """Send a dry run in each spelling; give the statuses, and the tables that differ afterwards."""
    method, path = operation.split(" ")
    address = url or path.format(**parts)
    headers = {"If-Match": tag} if REHEARSED[operation] else {}
    before, statuses = Stored(), set()
    for word in DRY_RUN_WORDS:
        cache.clear()
        query = f"{'&' if '?' in address else '?'}{word}=true"
        answer = getattr(client, method.lower())(f"{address}{query}", body, format="json", headers=headers)
        statuses.add(answer.status_code)
    return statuses, before.differing()
