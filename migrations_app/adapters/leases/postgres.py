"""Leases in the control database: one row per key, the epoch from one sequence."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import cast

from django.db import connection

from migrations_app.adapters.named_queries import named_queries
from migrations_app.kernel import json
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.locks import LONGEST_WAIT_SECONDS, WAIT_SHARE, Again, Lease, Outcome, Parked

SQL = named_queries(Path(__file__).with_name("leases.sql"))


class PostgresLeases:
    """Leases as rows of work, over the thread's own connection."""

    def take(self, controller: str, key: str, *, holder: str, lease_seconds: float) -> Lease | None:
        """Take a key that is free and due."""
        with connection.cursor() as cursor:
            cursor.execute(
                SQL["take"],
                {"controller": controller, "key": key, "holder": holder[:200], "seconds": lease_seconds},
            )
            row = cursor.fetchone()
        if row is None:
            return None
        epoch, attempts, wakes, told = row
        return Lease(
            key, epoch, controller, attempts, wakes, cast(JsonObject, json.decode(told)) if told else {}
        )

    def renew(self, lease: Lease, *, lease_seconds: float) -> bool:
        """Hold on for another while."""
        return self._change("renew", lease, seconds=lease_seconds) == 1

    def confirm(self, lease: Lease) -> None:
        """Lock the lease's row against a take-over until the transaction ends."""
        if self._change("confirm", lease) != 1:
            raise Stale(f"The lease on {lease.key} was taken over.", code="lease-lost", key=lease.key)

    def settle(self, lease: Lease, outcome: Outcome) -> bool:
        """Write the outcome down and let go."""
        again = outcome if isinstance(outcome, Again) else None
        parked = outcome if isinstance(outcome, Parked) else None
        changed = self._change(
            "settle",
            lease,
            wakes=lease.wakes,
            after=again.after_seconds if again else None,
            fruitless=bool(again and again.fruitless),
            waits_for=again.waits_for if again else "",
            told=json.encode(again.told).decode() if again and again.told is not None else None,
            share=WAIT_SHARE,
            longest=LONGEST_WAIT_SECONDS,
            parked=parked is not None,
            code=parked.code if parked else "",
            reason=parked.reason if parked else "",
            remedy=parked.remedy if parked else "",
        )
        return changed == 1

    def wake(self, controller: str, key: str, *, unpark: bool = False) -> None:
        """Make a key due now."""
        with connection.cursor() as cursor:
            cursor.execute(SQL["wake"], {"controller": controller, "key": key, "unpark": unpark})

    def queueable(self, controller: str, keys: Iterable[str], *, quiet_seconds: float) -> list[str]:
        """Choose the keys to hint at now."""
        with connection.cursor() as cursor:
            cursor.execute(
                SQL["queueable"], {"controller": controller, "keys": list(keys), "seconds": quiet_seconds}
            )
            return [row[0] for row in cursor.fetchall()]

    def prune(self, *, older_than_seconds: float, limit: int) -> int:
        """Forget keys that ended long ago; their epochs never come back."""
        with connection.cursor() as cursor:
            cursor.execute(SQL["prune"], {"seconds": older_than_seconds, "limit": limit})
            return cursor.rowcount

    def _change(self, query: str, lease: Lease, **values: str | float | bool | None) -> int:
        named: dict[str, str | float | bool | None] = {
            "controller": lease.controller,
            "key": lease.key,
            "epoch": lease.epoch,
            **values,
        }
        with connection.cursor() as cursor:
            cursor.execute(SQL[query], named)
            return cursor.rowcount
