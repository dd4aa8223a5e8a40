"""The registry's changes in order: what watchers read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from migrations_app.kernel.json import JsonObject
from migrations_app.models.registry import RegistryChange, RegistryHead

LIMIT = 1000


@dataclass(frozen=True, slots=True)
class HistoryHead:
    """How far the history goes: changes after `pruned`, up to and with `seq`, of the registry `id`."""

    id: str
    seq: int
    pruned: int


@dataclass(frozen=True, slots=True)
class HistoryChange:
    """One change: the document after it, or none when it was removed."""

    seq: int
    kind: str
    name: str
    service: str
    document: JsonObject | None


def head() -> HistoryHead:
    """Tell how far the history goes."""
    row = RegistryHead.objects.filter(id=1).first()
    return HistoryHead(str(row.started), row.seq, row.pruned) if row else HistoryHead("", 0, 0)


def changes_after(seq: int, limit: int = LIMIT) -> list[HistoryChange]:
    """Read changes after a number, oldest first."""
    rows = RegistryChange.objects.filter(seq__gt=seq).order_by("seq")[:limit]
    return [HistoryChange(row.seq, row.kind, row.name, row.service, row.document) for row in rows]


def number_before(at: datetime) -> int | None:
    """Find the last change before an instant; None when the history does not reach back that far."""
    known = RegistryHead.objects.filter(id=1).values_list("pruned", flat=True).first() or 0
    found = RegistryChange.objects.filter(at__lt=at).order_by("-seq").values_list("seq", flat=True).first()
    if found is not None:
        return found
    return 0 if known == 0 else None
