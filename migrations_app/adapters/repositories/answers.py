"""Answers already given to requests with an Idempotency-Key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection

from migrations_app.kernel.json import Json
from migrations_app.models.operations import IdempotentAnswer


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered, and to which request."""

    request_digest: str
    status: int
    headers: Mapping[str, str]
    body: Json


def hold(account: str, key: str) -> bool:
    """Hold a key until the transaction ends; false when another request holds it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 7209411845))", [f"{account}\n{key}"]
        )
        row = cursor.fetchone()
    return bool(row and row[0])


def find(account: str, key: str) -> Answer | None:
    """Find the answer kept under a key."""
    row = IdempotentAnswer.objects.filter(account=account, key=key).first()
    if row is None:
        return None
    return Answer(row.request_digest, row.status or 200, dict(row.headers), row.body)


def keep(account: str, key: str, answer: Answer) -> None:
    """Keep an answer for repeated requests."""
    IdempotentAnswer.objects.create(
        account=account,
        key=key,
        request_digest=answer.request_digest,
        status=answer.status,
        headers=dict(answer.headers),
        body=answer.body,
    )
