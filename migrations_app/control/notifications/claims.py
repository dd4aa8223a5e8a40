"""Claims on receivers: how many attempts may be under way to one of them, across all workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from django.db import connection

from migrations_app.domain.destinations import origin_of
from migrations_app.kernel.named_queries import named_queries

SQL = named_queries(Path(__file__).with_suffix(".sql"))
AT_ONCE = 2
"""Attempts under way to one host and port, whichever channels they belong to."""


@contextmanager
def claim_receiver(receiver: str, seconds: float) -> Iterator[bool]:
    """Claim a receiver for the block; false when enough attempts are under way to it.

    Once: the claim of a worker that dies ends by itself after `seconds`.
    """
    names = {"receiver": receiver, "holder": uuid4().hex}
    taken = any(_run("take", {**names, "slot": slot, "seconds": seconds}) for slot in range(AT_ONCE))
    try:
        yield taken
    finally:
        if taken:
            _run("release", names)


def receiver_of(url: str) -> str:
    """Name the receiver that an address belongs to: its host and port, or the mail server."""
    if url.startswith("mailto:") or not url:
        return "mail"
    try:
        host, port = origin_of(url)
    except ValueError:
        return "none"
    return f"{host}:{port}"


def _run(query: str, values: Mapping[str, str | int | float]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(SQL[query], values)
        return cursor.rowcount
