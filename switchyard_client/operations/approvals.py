"""Operations of approvals.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models

_ANSWER_CHANGES = Operation(
    "answer_changes",
    "POST",
    "/api/v1/approvals/{id}/answer",
    {200: "Approval"},
    sends_body=True,
    repeatable=True,
)
_APPROVAL = Operation("approval", "GET", "/api/v1/approvals/{id}", {200: "Approval"})
_APPROVALS = Operation("approvals", "GET", "/api/v1/approvals", {200: "ApprovalPage"})
_APPROVALS_APPROVE_CREATE = Operation(
    "approvals_approve_create",
    "POST",
    "/api/v1/approvals/{id}/approve",
    {200: "Approval"},
    sends_body=True,
    repeatable=True,
)
_APPROVALS_REJECT_CREATE = Operation(
    "approvals_reject_create",
    "POST",
    "/api/v1/approvals/{id}/reject",
    {200: "Approval"},
    sends_body=True,
    repeatable=True,
)
_APPROVALS_REQUEST_CHANGES_CREATE = Operation(
    "approvals_request_changes_create",
    "POST",
    "/api/v1/approvals/{id}/request-changes",
    {200: "Approval"},
    sends_body=True,
    repeatable=True,
)
_APPROVE_TOGETHER = Operation(
    "approve_together",
    "POST",
    "/api/v1/approvals:approve",
    {207: "BulkVoteAnswer"},
    sends_body=True,
    repeatable=True,
)
_DELEGATE_VOTE = Operation(
    "delegate_vote",
    "POST",
    "/api/v1/approvals/{id}/delegate",
    {200: "Approval"},
    sends_body=True,
    repeatable=True,
)


class ApprovalsOperations(Sender):
    """Operations of approvals."""

    def answer_changes(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Answer the changes that were asked for: a new round begins, in which everybody may vote again.

        `POST /api/v1/approvals/{id}/answer`.
        """
        return self._send(
            _ANSWER_CHANGES,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def approval(self, id: str, *, request_id: str = "") -> Response[models.Approval]:
        """Show a request; its ETag is the digest of the evidence, which a vote must name.

        `GET /api/v1/approvals/{id}`.
        """
        return self._send(_APPROVAL, path={"id": id}, request_id=request_id)

    def approvals(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        tab: Literal["asked", "decided", "mine", "open"] | None = None,
        request_id: str = "",
    ) -> Response[models.ApprovalPage]:
        """List requests: those that need me, those I asked for, all open ones, those decided.

        `GET /api/v1/approvals`.
        """
        return self._send(
            _APPROVALS, query={"cursor": cursor, "limit": limit, "tab": tab}, request_id=request_id
        )

    def iter_approvals(
        self,
        *,
        limit: int | None = None,
        tab: Literal["asked", "decided", "mine", "open"] | None = None,
        request_id: str = "",
    ) -> Iterator[models.ApprovalSummary]:
        """Give every item of `approvals`, page after page."""
        return self._pages(_APPROVALS, query={"limit": limit, "tab": tab}, request_id=request_id)

    def approve(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Vote for the evidence that If-Match names.

        `POST /api/v1/approvals/{id}/approve`.
        """
        return self._send(
            _APPROVALS_APPROVE_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def reject(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Vote for the evidence that If-Match names.

        `POST /api/v1/approvals/{id}/reject`.
        """
        return self._send(
            _APPROVALS_REJECT_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def request_changes(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Vote for the evidence that If-Match names.

        `POST /api/v1/approvals/{id}/request-changes`.
        """
        return self._send(
            _APPROVALS_REQUEST_CHANGES_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def approve_together(
        self,
        body: models.BulkVoteRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BulkVoteAnswer]:
        """Approve one change in several places, where its risk is low; one refused stops no other.

        `POST /api/v1/approvals:approve`.
        """
        return self._send(
            _APPROVE_TOGETHER,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    def delegate_vote(
        self,
        id: str,
        body: models.DelegateRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Let another person vote in one's place; naming oneself takes it back.

        `POST /api/v1/approvals/{id}/delegate`.
        """
        return self._send(
            _DELEGATE_VOTE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )


class AsyncApprovalsOperations(AsyncSender):
    """Operations of approvals, awaited."""

    async def answer_changes(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Answer the changes that were asked for: a new round begins, in which everybody may vote again.

        `POST /api/v1/approvals/{id}/answer`.
        """
        return await self._send(
            _ANSWER_CHANGES,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def approval(self, id: str, *, request_id: str = "") -> Response[models.Approval]:
        """Show a request; its ETag is the digest of the evidence, which a vote must name.

        `GET /api/v1/approvals/{id}`.
        """
        return await self._send(_APPROVAL, path={"id": id}, request_id=request_id)

    async def approvals(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        tab: Literal["asked", "decided", "mine", "open"] | None = None,
        request_id: str = "",
    ) -> Response[models.ApprovalPage]:
        """List requests: those that need me, those I asked for, all open ones, those decided.

        `GET /api/v1/approvals`.
        """
        return await self._send(
            _APPROVALS, query={"cursor": cursor, "limit": limit, "tab": tab}, request_id=request_id
        )

    def iter_approvals(
        self,
        *,
        limit: int | None = None,
        tab: Literal["asked", "decided", "mine", "open"] | None = None,
        request_id: str = "",
    ) -> AsyncIterator[models.ApprovalSummary]:
        """Give every item of `approvals`, page after page."""
        return self._pages(_APPROVALS, query={"limit": limit, "tab": tab}, request_id=request_id)

    async def approve(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Vote for the evidence that If-Match names.

        `POST /api/v1/approvals/{id}/approve`.
        """
        return await self._send(
            _APPROVALS_APPROVE_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def reject(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Vote for the evidence that If-Match names.

        `POST /api/v1/approvals/{id}/reject`.
        """
        return await self._send(
            _APPROVALS_REJECT_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def request_changes(
        self,
        id: str,
        body: models.VoteCommentRequest | Mapping[str, Any] | None = None,
        *,
        dry_run: bool | None = None,
        if_match: str,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Vote for the evidence that If-Match names.

        `POST /api/v1/approvals/{id}/request-changes`.
        """
        return await self._send(
            _APPROVALS_REQUEST_CHANGES_CREATE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            if_match=if_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def approve_together(
        self,
        body: models.BulkVoteRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.BulkVoteAnswer]:
        """Approve one change in several places, where its risk is low; one refused stops no other.

        `POST /api/v1/approvals:approve`.
        """
        return await self._send(
            _APPROVE_TOGETHER,
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )

    async def delegate_vote(
        self,
        id: str,
        body: models.DelegateRequest | Mapping[str, Any],
        *,
        dry_run: bool | None = None,
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[models.Approval]:
        """Let another person vote in one's place; naming oneself takes it back.

        `POST /api/v1/approvals/{id}/delegate`.
        """
        return await self._send(
            _DELEGATE_VOTE,
            path={"id": id},
            query={"dry_run": dry_run},
            body=body,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
