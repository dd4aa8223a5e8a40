"""Counts of use in the control database: sums are added to what is there."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from pathlib import Path

from django.db import close_old_connections, connection, transaction
from django.utils import timezone

from migrations_app.engine.serving.usage import UsageTally
from migrations_app.kernel.named_queries import named_queries
from migrations_app.models.evidence.usage import UsageCount

SQL = named_queries(Path(__file__).with_suffix(".sql"))
KEPT_DAYS = 400
_BATCH = 5_000


class UsageRows:
    """The sums of `UsageTally`, what `ports.services.usage.UsageLog` comes to."""

    def add(self, tally: UsageTally) -> None:
        """Add sums to those that are kept. Once: all of them or none."""
        rows = iter(tally.sums.items())
        with transaction.atomic(), connection.cursor() as cursor:
            while batch := list(islice(rows, _BATCH)):
                columns = zip(
                    *(
                        (
                            counted.day, counted.service, counted.version, counted.region, counted.method,
                            counted.path, counted.state.value, counted.client, counted.release,
                            seen.count, seen.looked, seen.first, seen.last,
                        )
                        for counted, seen in batch
                    ),
                    strict=True,
                )  # fmt: skip
                cursor.execute(SQL["add"], [list(column) for column in columns])
            if tally.refusals:
                refusals = zip(
                    *((*counted, seen.count, seen.last) for counted, seen in tally.refusals.items()),
                    strict=True,
                )
                cursor.execute(SQL["refuse"], [list(column) for column in refusals])
            if tally.uncounted:
                cursor.execute(SQL["gap"], [timezone.now().date(), tally.uncounted])

    def add_and_hang_up(self, tally: UsageTally) -> None:
        """Add sums from a thread that needs the database only now and then."""
        try:
            self.add(tally)
        finally:
            connection.close()
            close_old_connections()

    def forget(self, limit: int) -> int:
        """Delete counts that are older than what evidence needs, at most `limit`."""
        old = UsageCount.objects.filter(day__lt=timezone.now().date() - timedelta(days=KEPT_DAYS))
        deleted, _ = UsageCount.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:limit])).delete()
        return deleted
