"""What of the registry a watcher asks for: a collection or one name of it, as far as they may read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from migrations_app.control.registry.queries.changes import HistoryChange
from migrations_app.domain.reach import ALL, Reach
from migrations_app.domain.registry.names import RegistryKind, place_of
from migrations_app.domain.registry.redaction import redact
from migrations_app.domain.watches import Cut, Test, Wording
from migrations_app.meta_api.requests import SINGULAR


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchQuery(Wording):
    """What is watched: a collection, or one name in it; which documents, and which part of them."""

    kind: RegistryKind
    service: str
    name: str = ""
    reach: Reach = ALL

    def concerns(self, change: HistoryChange) -> bool:
        """Tell whether a change is of what is watched, whatever the filter says."""
        return (
            change.kind == self.kind.value
            and self.service in ("", "-", change.service)
            and self.name in ("", change.name)
            and (self.reach.everywhere or self.reach.covers(*place_of(self.kind, change.name)))
        )


def asked_for(kind: RegistryKind, service: str, test: Test, cut: Cut, **more: Any) -> WatchQuery:
    """Say what is watched, in the words of a kind; `more` are fields of `WatchQuery`."""
    return WatchQuery(singular=SINGULAR[kind], test=test, cut=cut, kind=kind, service=service, **more)


def redacting(reach: Reach, cut: Cut) -> Cut:
    """Leave out of what is told the names beyond a reach, then cut it down to what was asked for."""
    return cut if reach.everywhere else lambda document: cut(redact(document, reach))
