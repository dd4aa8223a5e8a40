"""Counts of shadow reads in the control database, by the namespace that was read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.db import connection
from django.db.models import Sum

from migrations_app.kernel.named_queries import named_queries
from migrations_app.models.evidence.usage import ShadowRead
from migrations_app.ports.shadow_reads import WHOLE, ShadowReadComparison, ShadowReadCounts

SQL = named_queries(Path(__file__).with_suffix(".sql"))


class ShadowReadRows(ShadowReadCounts):
    """Counts in the control database."""

    def add(self, found: ShadowReadComparison) -> None:
        """Add sums to those that are kept."""
        rows = [(*key, each.compared, each.differing, each.name) for key, each in found.sums.items()]
        with connection.cursor() as cursor:
            cursor.execute(SQL["add"], [list(column) for column in zip(*rows, strict=True)])

    def totals(self, place: str) -> tuple[int, int]:
        """Tell how many reads were compared with the namespace of this schema, and how many differed."""
        found = ShadowRead.objects.filter(place=place, path=WHOLE)
        sums = found.aggregate(compared=Sum("compared"), differing=Sum("differing"))
        return sums["compared"] or 0, sums["differing"] or 0

    def differences(self, place: str, limit: int = 3) -> Sequence[tuple[str, int, str]]:
        """List where reads differed most: `Type.path`, how often, and the name of one resource."""
        rows = (
            ShadowRead.objects.filter(place=place).exclude(path=WHOLE).order_by("-differing", "type", "path")
        )
        return [(f"{row.type}.{row.path}", row.differing, row.name) for row in rows[:limit]]
