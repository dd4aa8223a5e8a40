"""Operations of declared sets.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_DECLARED_SET = Operation("declared_set", "GET", "/api/v1/declared-sets/{owner}", {200: "DeclaredSet"})
_KEEP_DECLARED_SET = Operation(
    "keep_declared_set",
    "PUT",
    "/api/v1/declared-sets/{owner}",
    {200: "DeclaredSet"},
    sends_body=True,
    repeatable=True,
)


class DeclaredSetsOperations(Sender):
    """Operations of declared sets."""

    def declared_set(self, owner: str, *, request_id: str = "") -> Response[models.DeclaredSet]:
        """Tell what you made under an owner label by declaring it.

        `GET /api/v1/declared-sets/{owner}`.
        """
        return self._send(_DECLARED_SET, path={"owner": owner}, request_id=request_id)

    def keep_declared_set(
        self,
        owner: str,
        body: models.DeclaredObjectsRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DeclaredSet]:
        """Keep what you made under an owner label, in place of what was kept before.

        `PUT /api/v1/declared-sets/{owner}`.
        """
        return self._send(
            _KEEP_DECLARED_SET,
            path={"owner": owner},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncDeclaredSetsOperations(AsyncSender):
    """Operations of declared sets, awaited."""

    async def declared_set(self, owner: str, *, request_id: str = "") -> Response[models.DeclaredSet]:
        """Tell what you made under an owner label by declaring it.

        `GET /api/v1/declared-sets/{owner}`.
        """
        return await self._send(_DECLARED_SET, path={"owner": owner}, request_id=request_id)

    async def keep_declared_set(
        self,
        owner: str,
        body: models.DeclaredObjectsRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.DeclaredSet]:
        """Keep what you made under an owner label, in place of what was kept before.

        `PUT /api/v1/declared-sets/{owner}`.
        """
        return await self._send(
            _KEEP_DECLARED_SET,
            path={"owner": owner},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
