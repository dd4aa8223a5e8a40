"""Answers already given to requests with an Idempotency-Key."""

from __future__ import annotations

from django.db import connection

from migrations_app.domain.operations import StoredAnswer
from migrations_app.models.operations import IdempotentAnswer


def hold(account: str, key: str) -> bool:
    """Hold a key until the transaction ends; false when another request holds it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 7209411845))", [f"{account}\n{key}"]
        )
        row = cursor.fetchone()
    return bool(row and row[0])


def find(account: str, key: str) -> StoredAnswer | None:
    """Find the answer kept under a key."""
    row = IdempotentAnswer.objects.filter(account=account, key=key).first()
    if row is None:
        return None
    return StoredAnswer(row.request_digest, row.status or 200, dict(row.headers), row.body)


def keep(account: str, key: str, answer: StoredAnswer) -> None:
    """Keep an answer for repeated requests."""
    IdempotentAnswer.objects.create(
        account=account,
        key=key,
        request_digest=answer.request_digest,
        status=answer.status,
        headers=dict(answer.headers),
        body=answer.body,
    )
