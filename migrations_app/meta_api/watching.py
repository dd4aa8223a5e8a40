"""What of the registry a watcher asks for: a collection or one name of it, as far as they may read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from migrations_app.control.registry.queries.changes import Change
from migrations_app.domain.reach import ALL, Reach
from migrations_app.domain.registry.names import Kind, place_of
from migrations_app.domain.registry.redaction import redact
from migrations_app.domain.watches import Cut, Test, Wording
from migrations_app.meta_api.asking import SINGULAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Wording):
    """What is watched: a collection, or one name in it; which documents, and which part of them."""

    kind: Kind
    service: str
    name: str = ""
    reach: Reach = ALL

    def concerns(self, change: Change) -> bool:
        """Tell whether a change is of what is watched, whatever the filter says."""
        return (
            change.kind == self.kind.value
            and self.service in ("", "-", change.service)
            and self.name in ("", change.name)
            and (self.reach.everywhere or self.reach.covers(*place_of(self.kind, change.name)))
        )


def asked_for(kind: Kind, service: str, test: Test, cut: Cut, **more: Any) -> Asked:
    """Say what is watched, in the words of a kind; `more` are fields of `Asked`."""
    return Asked(singular=SINGULAR[kind], test=test, cut=cut, kind=kind, service=service, **more)


def redacting(reach: Reach, cut: Cut) -> Cut:
    """Leave out of what is told the names beyond a reach, then cut it down to what was asked for."""
    return cut if reach.everywhere else lambda document: cut(redact(document, reach))
