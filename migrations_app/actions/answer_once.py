"""Answer a repeated request as it was answered before, and run it no second time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from migrations_app.adapters.repositories import answers
from migrations_app.adapters.repositories.answers import Answer
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import Json


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on the request with this key, until the transaction ends."""

    account: str
    key: str
    request_digest: str


def claim_answer(account: str, key: str, request_digest: str) -> tuple[Claim, Answer | None]:
    """Claim a key for a request, and find the answer if it was given already.

    Raises: Conflict (`idempotency-in-progress`), Invalid (`idempotency-key-reused`).
    Once: the claim ends with the caller's transaction, and the answer is kept in that same transaction.
    """
    if not answers.hold(account, key):
        raise Conflict(
            "The first request with this key is still being worked on.",
            code="idempotency-in-progress",
            remedy="Ask again in a moment with the same key.",
        )
    kept = answers.find(account, key)
    if kept is not None and kept.request_digest != request_digest:
        raise Invalid(
            "This Idempotency-Key was used for another request.",
            code="idempotency-key-reused",
            remedy="Use a new key for a new request.",
        )
    return Claim(account, key, request_digest), kept


def keep_answer(claim: Claim, status: int, headers: Mapping[str, str], body: Json) -> None:
    """Keep the answer for whoever repeats the request."""
    answers.keep(claim.account, claim.key, Answer(claim.request_digest, status, headers, body))
