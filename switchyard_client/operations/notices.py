"""Operations of notices.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ADD_NOTICE = Operation(
    "add_notice", "POST", "/api/v1/notices", {201: "NotificationRule"}, sends_body=True, repeatable=True
)
_CHANGE_NOTICE = Operation(
    "change_notice",
    "PUT",
    "/api/v1/notices/{id}",
    {200: "NotificationRule"},
    sends_body=True,
    repeatable=True,
)
_DELETE_NOTICE = Operation("delete_notice", "DELETE", "/api/v1/notices/{id}", {204: ""}, repeatable=True)
_NOTICES = Operation("notices", "GET", "/api/v1/notices", {200: "NotificationSettings"})
_SET_NOTICE_HOURS = Operation(
    "set_notice_hours", "PUT", "/api/v1/notices/hours", {200: "QuietHours"}, sends_body=True, repeatable=True
)


class NoticesOperations(Sender):
    """Operations of notices."""

    def add_notice(
        self,
        body: models.NewNotificationRuleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.NotificationRule]:
        """Make a rule: events that come by mail, at once or gathered.

        `POST /api/v1/notices`.
        """
        return self._send(
            _ADD_NOTICE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def change_notice(
        self,
        id: str,
        body: models.NewNotificationRuleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.NotificationRule]:
        """Change a rule of one's own.

        `PUT /api/v1/notices/{id}`.
        """
        return self._send(
            _CHANGE_NOTICE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def delete_notice(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Take a rule away.

        `DELETE /api/v1/notices/{id}`.
        """
        return self._send(
            _DELETE_NOTICE,
            path={"id": id},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def notices(self, *, request_id: str = "") -> Response[models.NotificationSettings]:
        """Show one's own rules of being told.

        `GET /api/v1/notices`.
        """
        return self._send(_NOTICES, request_id=request_id)

    def set_notice_hours(
        self,
        body: models.NewQuietHoursRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.QuietHours]:
        """Say when one wants to be told, and when to be left alone.

        `PUT /api/v1/notices/hours`.
        """
        return self._send(
            _SET_NOTICE_HOURS,
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncNoticesOperations(AsyncSender):
    """Operations of notices, awaited."""

    async def add_notice(
        self,
        body: models.NewNotificationRuleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.NotificationRule]:
        """Make a rule: events that come by mail, at once or gathered.

        `POST /api/v1/notices`.
        """
        return await self._send(
            _ADD_NOTICE,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def change_notice(
        self,
        id: str,
        body: models.NewNotificationRuleRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.NotificationRule]:
        """Change a rule of one's own.

        `PUT /api/v1/notices/{id}`.
        """
        return await self._send(
            _CHANGE_NOTICE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def delete_notice(
        self,
        id: str,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[None]:
        """Take a rule away.

        `DELETE /api/v1/notices/{id}`.
        """
        return await self._send(
            _DELETE_NOTICE,
            path={"id": id},
            query={"dry_run": dry_run},
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def notices(self, *, request_id: str = "") -> Response[models.NotificationSettings]:
        """Show one's own rules of being told.

        `GET /api/v1/notices`.
        """
        return await self._send(_NOTICES, request_id=request_id)

    async def set_notice_hours(
        self,
        body: models.NewQuietHoursRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.QuietHours]:
        """Say when one wants to be told, and when to be left alone.

        `PUT /api/v1/notices/hours`.
        """
        return await self._send(
            _SET_NOTICE_HOURS,
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
