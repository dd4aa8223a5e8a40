"""Which test requests which operation of /api/v1."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.integration.upgrades.scope_requests import Operation, operations

OWN = frozenset(
    {
        "DELETE /api/v1/asks/{id}",
        "DELETE /api/v1/notices/{id}",
        "DELETE /api/v1/session",
        "DELETE /api/v1/sessions/{id}",
        "DELETE /api/v1/views/{page}/{name}",
        "GET /api/v1/asks",
        "GET /api/v1/declared-sets/{owner}",
        "GET /api/v1/notices",
        "GET /api/v1/report-keys",
        "GET /api/v1/session",
        "GET /api/v1/session/access",
        "GET /api/v1/session/passkeys",
        "GET /api/v1/session/providers",
        "GET /api/v1/session/totp",
        "GET /api/v1/sessions",
        "GET /api/v1/views/{page}",
        "GET /api/v1/views/{page}/{name}",
        "POST /api/v1/access/explain",
        "POST /api/v1/asks",
        "POST /api/v1/notices",
        "POST /api/v1/requests:batch",
        "POST /api/v1/session",
        "POST /api/v1/session/access",
        "POST /api/v1/session/passkey",
        "POST /api/v1/session/passkey/ask",
        "POST /api/v1/session/passkey/proof",
        "POST /api/v1/session/passkeys",
        "POST /api/v1/session/passkeys/ask",
        "POST /api/v1/session/passkeys/{id}/remove",
        "POST /api/v1/session/proof",
        "POST /api/v1/session/totp",
        "POST /api/v1/session/totp/drop",
        "PUT /api/v1/declared-sets/{owner}",
        "PUT /api/v1/notices/hours",
        "PUT /api/v1/notices/{id}",
        "PUT /api/v1/session/passkeys/{id}",
        "PUT /api/v1/session/password",
        "PUT /api/v1/session/totp",
        "PUT /api/v1/session/zone",
        "PUT /api/v1/views/{page}/{name}",
    }
)
"""What a person does about themselves (test_own.py)."""

DATA = frozenset(
    {
        "DELETE /api/v1/deletion-watches/{id}",
        "GET /api/v1/constraints",
        "GET /api/v1/constraints/{service}/{region}",
        "GET /api/v1/constraints/{service}/{region}/audit",
        "GET /api/v1/deletion-check",
        "GET /api/v1/deletion-watches",
        "DELETE /api/v1/deployments/{service}/{region}/conversion-sessions/{id}",
        "GET /api/v1/deployments/{service}/{region}/activity",
        "GET /api/v1/deployments/{service}/{region}/conversion-sessions",
        "GET /api/v1/deployments/{service}/{region}/conversion-sessions/{id}",
        "GET /api/v1/deployments/{service}/{region}/conversion-sessions/{id}/records",
        "GET /api/v1/deployments/{service}/{region}/kept-types",
        "GET /api/v1/deployments/{service}/{region}/kept-types/{type}/{version}/export",
        "GET /api/v1/deployments/{service}/{region}/logs",
        "GET /api/v1/deployments/{service}/{region}/resource",
        "GET /api/v1/deployments/{service}/{region}/resource-changes",
        "GET /api/v1/deployments/{service}/{region}/resources",
        "GET /api/v1/references",
        "GET /api/v1/references/building",
        "GET /api/v1/references/groups",
        "GET /api/v1/references/groups/members",
        "GET /api/v1/references/search",
        "GET /api/v1/upgrades/{id}/removals",
        "POST /api/v1/deletion-check/rehearsals",
        "POST /api/v1/deletion-checks",
        "POST /api/v1/deletion-watches",
        "POST /api/v1/deployments/{service}/{region}/conversion-sessions",
        "PUT /api/v1/deployments/{service}/{region}/logs",
    }
)
"""What reads and changes resources of deployments (test_data.py)."""


def described(operation: Operation) -> str:
    """Name an operation as the description does."""
    path = re.sub(r"<(?:[a-z]+:)?(\w+)>", r"{\1}", operation.route)
    return f"{operation.method} /api/v1/{path}"


def _control() -> Mapping[str, Operation]:
    named = {described(each): each for each in operations() if not each.route.startswith("meta:")}
    return {name: each for name, each in named.items() if name not in OWN | DATA}


CONTROL = _control()
"""All others: the registry, upgrades, approvals, access, and what tells of them (test_control.py)."""
