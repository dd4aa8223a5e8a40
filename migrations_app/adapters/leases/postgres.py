"""Leases in the control database: one row per key, the epoch from one sequence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from django.db import connection

from migrations_app.domain.work_classes import CREDIT, EXPECTED_SECONDS, FIRST, WorkClass
from migrations_app.kernel import json
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message, phrases_of
from migrations_app.kernel.named_queries import named_queries
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.ports.locks import (
    LONGEST_WAIT_SECONDS,
    WAIT_SHARE,
    Again,
    ClassBacklog,
    Done,
    DueKey,
    Lease,
    Outcome,
    QuarantinedKey,
    SettledLease,
    TakenKey,
    WokenKey,
    WorkPool,
)

LeaseValue: TypeAlias = "str | float | bool | list[str] | None"
_CLASSES = [work_class.value for work_class in WorkClass]
SQL = named_queries(Path(__file__).with_name("leases.sql"))


class PostgresLeases:
    """Leases as rows of work, over the thread's own connection."""

    def take_next(
        self,
        pool: WorkPool,
        *,
        holder: str,
        lease_seconds: float,
        only: Collection[WorkClass] = (),
        skip: Collection[tuple[str, str]] = (),
    ) -> TakenKey | None:
        """Take the key that is next."""
        shares = {FIRST: 1.0, **pool.shares}
        chosen = [each for each in shares if not only or each in only]
        with connection.cursor() as cursor:
            cursor.execute(
                SQL["take_next"],
                {
                    "pool": pool.name[:200],
                    "controllers": list(pool.controllers),
                    "classes": [each.value for each in chosen],
                    "shares": [shares[each] for each in chosen],
                    "first": [each is FIRST for each in chosen],
                    "credit": CREDIT,
                    "expected": EXPECTED_SECONDS,
                    "skip": [f"{controller} {key}" for controller, key in skip],
                    "holder": holder[:200],
                    "seconds": lease_seconds,
                },
            )
            row = cursor.fetchone()
        if row is None:
            return None
        controller, key, epoch, attempts, wakes, memo, work_class, others = row
        lease = Lease(
            key,
            epoch,
            controller,
            attempts,
            wakes,
            _attempt_state(memo),
            WorkClass(work_class),
            pool.name[:200],
        )
        return TakenKey(lease, others)

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
        epoch, attempts, wakes, memo = row
        return Lease(key, epoch, controller, attempts, wakes, _attempt_state(memo))

    def renew(self, lease: Lease, *, lease_seconds: float) -> bool:
        """Hold on for another while."""
        return self._change("renew", lease, seconds=lease_seconds) == 1

    def confirm(self, lease: Lease) -> None:
        """Lock the lease's row against a take-over until the transaction ends."""
        if self._change("confirm", lease) != 1:
            raise Stale(
                message("The lease on {key} was taken over.", key=lease.key), code="lease-lost", key=lease.key
            )

    def settle(self, lease: Lease, outcome: Outcome, *, used_seconds: float = 0.0) -> SettledLease | None:
        """Write the outcome down and let go."""
        charged: dict[str, LeaseValue] = {
            "wakes": lease.wakes,
            "pool": lease.pool,
            "charged_class": lease.work_class,
            "used": used_seconds,
            "expected": EXPECTED_SECONDS,
            "classes": _CLASSES,
        }
        row = None
        if isinstance(outcome, Done) and outcome.for_good:
            row = self._changed_row("end", lease, **charged)
        row = row or self._settled(lease, outcome, charged)
        return SettledLease(more_due=row[0]) if row else None

    def _settled(self, lease: Lease, outcome: Outcome, charged: dict[str, LeaseValue]) -> tuple[bool] | None:
        again = outcome if isinstance(outcome, Again) else None
        quarantined = outcome if isinstance(outcome, QuarantinedKey) else None
        return self._changed_row(
            "settle",
            lease,
            **charged,
            after=again.after_seconds if again else None,
            fruitless=bool(again and again.fruitless),
            waits_for=str(again.waits_for) if again else "",
            waits_for_phrases=_phrases(again.waits_for if again else ""),
            memo=json.encode(again.memo).decode() if again and again.memo is not None else None,
            share=WAIT_SHARE,
            longest=LONGEST_WAIT_SECONDS,
            quarantined=quarantined is not None,
            code=quarantined.code if quarantined else "",
            reason=str(quarantined.reason) if quarantined else "",
            reason_phrases=_phrases(quarantined.reason if quarantined else ""),
            remedy=str(quarantined.remedy) if quarantined else "",
            remedy_phrases=_phrases(quarantined.remedy if quarantined else ""),
            work_class=again.work_class if again else None,
        )

    def wake(
        self, controller: str, key: str, *, work_class: WorkClass | None = None, lift_quarantine: bool = False
    ) -> None:
        """Make a key due now."""
        with connection.cursor() as cursor:
            cursor.execute(
                SQL["wake"],
                {
                    "controller": controller,
                    "key": key,
                    "work_class": work_class or "",
                    "lift_quarantine": lift_quarantine,
                },
            )

    def wake_all(self, keys: Collection[WokenKey]) -> None:
        """Make many keys due now."""
        if not keys:
            return
        with connection.cursor() as cursor:
            cursor.execute(
                SQL["wake_all"],
                {
                    "controllers": [each.controller for each in keys],
                    "keys": [each.key for each in keys],
                    "classes": [each.work_class.value for each in keys],
                },
            )

    def ensure(self, controller: str, keys: Iterable[DueKey]) -> int:
        """Make due what is not scheduled."""
        listed = [(each.key, each.work_class.value) for each in keys]
        if not listed:
            return 0
        with connection.cursor() as cursor:
            cursor.execute(SQL["ensure"], {"controller": controller, "listed": json.encode(listed).decode()})
            return cursor.rowcount

    def count_due(self, controllers: Sequence[str], *, limit: int) -> dict[str, int]:
        """Count what is due and free."""
        with connection.cursor() as cursor:
            cursor.execute(SQL["count_due"], {"controllers": list(controllers), "limit": limit})
            return dict(cursor.fetchall())

    def count_keys(self, controllers: Sequence[str]) -> int:
        """Count the keys of controllers, whether due or not."""
        with connection.cursor() as cursor:
            cursor.execute(SQL["count_keys"], {"controllers": list(controllers)})
            return int(cursor.fetchall()[0][0])

    def backlog(self) -> Sequence[ClassBacklog]:
        """Tell how late each class is."""
        with connection.cursor() as cursor:
            cursor.execute(SQL["backlog"])
            rows = {work_class: rest for work_class, *rest in cursor.fetchall()}
        return [ClassBacklog(each, *rows.get(each.value, (0, 0.0, 0.0))) for each in WorkClass]

    def prune(self, *, older_than_seconds: float, limit: int) -> int:
        """Forget keys that ended long ago; their epochs never come back."""
        with connection.cursor() as cursor:
            cursor.execute(SQL["prune"], {"seconds": older_than_seconds, "limit": limit})
            return cursor.rowcount

    def _change(self, query: str, lease: Lease, **values: LeaseValue) -> int:
        with connection.cursor() as cursor:
            cursor.execute(SQL[query], _named(lease, values))
            return cursor.rowcount

    def _changed_row(self, query: str, lease: Lease, **values: LeaseValue) -> tuple[bool] | None:
        with connection.cursor() as cursor:
            cursor.execute(SQL[query], _named(lease, values))
            row: tuple[bool] | None = cursor.fetchone()
            return row


def _named(lease: Lease, values: dict[str, LeaseValue]) -> dict[str, LeaseValue]:
    return {"controller": lease.controller, "key": lease.key, "epoch": lease.epoch, **values}


def _phrases(text: str | WordedMessage) -> str:
    return json.encode(phrases_as_json(phrases_of(text))).decode()


def _attempt_state(text: str | None) -> JsonObject:
    return cast(JsonObject, json.decode(text)) if text else {}
