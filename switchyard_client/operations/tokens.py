"""Operations of tokens.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ISSUE_TOKEN = Operation(
    "issue_token", "POST", "/api/v1/tokens", {201: "TokenWithSecret"}, sends_body=True, repeatable=True
)
_REVOKE_TOKEN = Operation("revoke_token", "DELETE", "/api/v1/tokens/{token}", {200: "Token"}, repeatable=True)
_TOKENS = Operation("tokens", "GET", "/api/v1/tokens", {200: "TokenPage"})


class TokensOperations(Sender):
    """Operations of tokens."""

    def issue_token(
        self,
        body: models.NewTokenRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.TokenWithSecret]:
        """Make a token.

        `POST /api/v1/tokens`.
        """
        return self._send(
            _ISSUE_TOKEN,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def revoke_token(
        self, token: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Token]:
        """Revoke a token.

        `DELETE /api/v1/tokens/{token}`.
        """
        return self._send(
            _REVOKE_TOKEN,
            path={"token": token},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def tokens(self, *, all: bool | None = None, request_id: str = "") -> Response[models.TokenPage]:
        """List own tokens; with `?all=true` everybody's.

        `GET /api/v1/tokens`.
        """
        return self._send(_TOKENS, query={"all": all}, request_id=request_id)


class AsyncTokensOperations(AsyncSender):
    """Operations of tokens, awaited."""

    async def issue_token(
        self,
        body: models.NewTokenRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.TokenWithSecret]:
        """Make a token.

        `POST /api/v1/tokens`.
        """
        return await self._send(
            _ISSUE_TOKEN,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def revoke_token(
        self, token: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Token]:
        """Revoke a token.

        `DELETE /api/v1/tokens/{token}`.
        """
        return await self._send(
            _REVOKE_TOKEN,
            path={"token": token},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def tokens(self, *, all: bool | None = None, request_id: str = "") -> Response[models.TokenPage]:
        """List own tokens; with `?all=true` everybody's.

        `GET /api/v1/tokens`.
        """
        return await self._send(_TOKENS, query={"all": all}, request_id=request_id)
