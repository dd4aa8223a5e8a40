"""Operations of hooks.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_APPLY_HOOK = Operation(
    "apply_hook",
    "PUT",
    "/api/v1/hooks/by-name/{name}",
    {200: "Hook", 201: "HookWithSecret"},
    sends_body=True,
    repeatable=True,
)
_CHANGE_HOOK = Operation(
    "change_hook", "PUT", "/api/v1/hooks/{id}", {200: "Hook"}, sends_body=True, repeatable=True
)
_CREATE_HOOK = Operation(
    "create_hook", "POST", "/api/v1/hooks", {201: "HookWithSecret"}, sends_body=True, repeatable=True
)
_DELETE_HOOK = Operation("delete_hook", "DELETE", "/api/v1/hooks/{id}", {204: ""}, repeatable=True)
_DELIVERIES = Operation("deliveries", "GET", "/api/v1/hooks/{id}/deliveries", {200: "DeliveryPage"})
_HOOK = Operation("hook", "GET", "/api/v1/hooks/{id}", {200: "Hook"})
_HOOKS = Operation("hooks", "GET", "/api/v1/hooks", {200: "HookPage"})
_NAMED_HOOK = Operation("named_hook", "GET", "/api/v1/hooks/by-name/{name}", {200: "Hook"})
_PREVIEW_HOOK = Operation(
    "preview_hook", "POST", "/api/v1/hooks/preview", {200: "HookPreview"}, sends_body=True, repeatable=True
)
_REPLAY_DELIVERY = Operation(
    "replay_delivery",
    "POST",
    "/api/v1/hooks/{id}/deliveries/{delivery}/replay",
    {202: "Delivery"},
    repeatable=True,
)
_ROTATE_HOOK = Operation(
    "rotate_hook", "POST", "/api/v1/hooks/{id}/rotate", {200: "HookWithSecret"}, repeatable=True
)
_TEST_HOOK = Operation("test_hook", "POST", "/api/v1/hooks/{id}/test", {202: "Delivery"}, repeatable=True)


class HooksOperations(Sender):
    """Operations of hooks."""

    def apply_hook(
        self,
        name: str,
        body: models.HookRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Hook | models.HookWithSecret]:
        """Set a webhook by its name; the secret of one that is created is shown this once.

        `PUT /api/v1/hooks/by-name/{name}`.
        """
        return self._send(
            _APPLY_HOOK,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def change_hook(
        self,
        id: str,
        body: models.ChangeHookRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Hook]:
        """Change a webhook.

        `PUT /api/v1/hooks/{id}`.
        """
        return self._send(
            _CHANGE_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def create_hook(
        self,
        body: models.NewHookRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.HookWithSecret]:
        """Make a webhook; its secret is shown this once.

        `POST /api/v1/hooks`.
        """
        return self._send(
            _CREATE_HOOK,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def delete_hook(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Remove a webhook and the log of its deliveries.

        `DELETE /api/v1/hooks/{id}`.
        """
        return self._send(
            _DELETE_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def deliveries(
        self, id: str, *, cursor: str | None = None, limit: int | None = None, request_id: str = ""
    ) -> Response[models.DeliveryPage]:
        """List the deliveries, newest first.

        `GET /api/v1/hooks/{id}/deliveries`.
        """
        return self._send(
            _DELIVERIES, path={"id": id}, query={"cursor": cursor, "limit": limit}, request_id=request_id
        )

    def iter_deliveries(
        self, id: str, *, limit: int | None = None, request_id: str = ""
    ) -> Iterator[models.Delivery]:
        """Give every item of `deliveries`, page after page."""
        return self._pages(_DELIVERIES, path={"id": id}, query={"limit": limit}, request_id=request_id)

    def hook(self, id: str, *, request_id: str = "") -> Response[models.Hook]:
        """Show a webhook.

        `GET /api/v1/hooks/{id}`.
        """
        return self._send(_HOOK, path={"id": id}, request_id=request_id)

    def hooks(self, *, request_id: str = "") -> Response[models.HookPage]:
        """List the webhooks.

        `GET /api/v1/hooks`.
        """
        return self._send(_HOOKS, request_id=request_id)

    def named_hook(self, name: str, *, request_id: str = "") -> Response[models.Hook]:
        """Show the webhook of a name.

        `GET /api/v1/hooks/by-name/{name}`.
        """
        return self._send(_NAMED_HOOK, path={"name": name}, request_id=request_id)

    def preview_hook(
        self,
        body: models.PreviewHookRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.HookPreview]:
        """Show how a channel would be told of the newest event it wants.

        `POST /api/v1/hooks/preview`.
        """
        return self._send(_PREVIEW_HOOK, body=body, idempotency_key=idempotency_key, request_id=request_id)

    def replay_delivery(
        self,
        id: str,
        delivery: int,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Delivery]:
        """Send a delivery again, under the same number.

        `POST /api/v1/hooks/{id}/deliveries/{delivery}/replay`.
        """
        return self._send(
            _REPLAY_DELIVERY,
            path={"id": id, "delivery": delivery},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def rotate_hook(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.HookWithSecret]:
        """Give a new secret; for a day messages are signed with both.

        `POST /api/v1/hooks/{id}/rotate`.
        """
        return self._send(
            _ROTATE_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def test_hook(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Delivery]:
        """Send a test message.

        `POST /api/v1/hooks/{id}/test`.
        """
        return self._send(
            _TEST_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncHooksOperations(AsyncSender):
    """Operations of hooks, awaited."""

    async def apply_hook(
        self,
        name: str,
        body: models.HookRulesRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Hook | models.HookWithSecret]:
        """Set a webhook by its name; the secret of one that is created is shown this once.

        `PUT /api/v1/hooks/by-name/{name}`.
        """
        return await self._send(
            _APPLY_HOOK,
            path={"name": name},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def change_hook(
        self,
        id: str,
        body: models.ChangeHookRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Hook]:
        """Change a webhook.

        `PUT /api/v1/hooks/{id}`.
        """
        return await self._send(
            _CHANGE_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def create_hook(
        self,
        body: models.NewHookRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.HookWithSecret]:
        """Make a webhook; its secret is shown this once.

        `POST /api/v1/hooks`.
        """
        return await self._send(
            _CREATE_HOOK,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def delete_hook(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Remove a webhook and the log of its deliveries.

        `DELETE /api/v1/hooks/{id}`.
        """
        return await self._send(
            _DELETE_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def deliveries(
        self, id: str, *, cursor: str | None = None, limit: int | None = None, request_id: str = ""
    ) -> Response[models.DeliveryPage]:
        """List the deliveries, newest first.

        `GET /api/v1/hooks/{id}/deliveries`.
        """
        return await self._send(
            _DELIVERIES, path={"id": id}, query={"cursor": cursor, "limit": limit}, request_id=request_id
        )

    def iter_deliveries(
        self, id: str, *, limit: int | None = None, request_id: str = ""
    ) -> AsyncIterator[models.Delivery]:
        """Give every item of `deliveries`, page after page."""
        return self._pages(_DELIVERIES, path={"id": id}, query={"limit": limit}, request_id=request_id)

    async def hook(self, id: str, *, request_id: str = "") -> Response[models.Hook]:
        """Show a webhook.

        `GET /api/v1/hooks/{id}`.
        """
        return await self._send(_HOOK, path={"id": id}, request_id=request_id)

    async def hooks(self, *, request_id: str = "") -> Response[models.HookPage]:
        """List the webhooks.

        `GET /api/v1/hooks`.
        """
        return await self._send(_HOOKS, request_id=request_id)

    async def named_hook(self, name: str, *, request_id: str = "") -> Response[models.Hook]:
        """Show the webhook of a name.

        `GET /api/v1/hooks/by-name/{name}`.
        """
        return await self._send(_NAMED_HOOK, path={"name": name}, request_id=request_id)

    async def preview_hook(
        self,
        body: models.PreviewHookRequest | Mapping[str, Any],
        *,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.HookPreview]:
        """Show how a channel would be told of the newest event it wants.

        `POST /api/v1/hooks/preview`.
        """
        return await self._send(
            _PREVIEW_HOOK, body=body, idempotency_key=idempotency_key, request_id=request_id
        )

    async def replay_delivery(
        self,
        id: str,
        delivery: int,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Delivery]:
        """Send a delivery again, under the same number.

        `POST /api/v1/hooks/{id}/deliveries/{delivery}/replay`.
        """
        return await self._send(
            _REPLAY_DELIVERY,
            path={"id": id, "delivery": delivery},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def rotate_hook(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.HookWithSecret]:
        """Give a new secret; for a day messages are signed with both.

        `POST /api/v1/hooks/{id}/rotate`.
        """
        return await self._send(
            _ROTATE_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def test_hook(
        self, id: str, *, dry_run: bool | None = None, idempotency_key: str = "", request_id: str = ""
    ) -> Response[models.Delivery]:
        """Send a test message.

        `POST /api/v1/hooks/{id}/test`.
        """
        return await self._send(
            _TEST_HOOK,
            path={"id": id},
            query={"dry_run": dry_run},
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
