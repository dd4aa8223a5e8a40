"""Answer a repeated request as it was answered before, and run it no second time."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.control.operations.repository import answers
from migrations_app.domain.operations import AnswerClaim, StoredAnswer
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message


def claim_answer(account: str, key: str, request_digest: str) -> tuple[AnswerClaim, StoredAnswer | None]:
    """Claim a key for a request, and find the answer if it was given already.

    Raises: Conflict (`idempotency-in-progress`), Invalid (`idempotency-key-reused`).
    Once: the claim ends with the caller's transaction, and the answer is kept in that same transaction.
    """
    if not answers.hold(account, key):
        raise Conflict(
            message("The first request with this key is still being worked on."),
            code="idempotency-in-progress",
            remedy=message("Ask again in a moment with the same key."),
        )
    kept = answers.find(account, key)
    if kept is not None and kept.request_digest != request_digest:
        raise Invalid(
            message("This Idempotency-Key was used for another request."),
            code="idempotency-key-reused",
            remedy=message("Use a new key for a new request."),
        )
    return AnswerClaim(account, key, request_digest), kept


def keep_answer(claim: AnswerClaim, status: int, headers: Mapping[str, str], body: Json) -> None:
    """Keep the answer for a repetition of the request."""
    answers.keep(claim.account, claim.key, StoredAnswer(claim.request_digest, status, headers, body))
