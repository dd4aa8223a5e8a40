"""What of the registry a watcher asks for: a collection or one name of it."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.registry.names import Kind
from migrations_app.domain.watches import Cut, Test, Wording
from migrations_app.meta_api.asking import SINGULAR
from migrations_app.queries.registry_changes import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Wording):
    """What is watched: a collection, or one name in it; which documents, and which part of them."""

    kind: Kind
    service: str
    name: str = ""

    def concerns(self, change: Change) -> bool:
        """Tell whether a change is of what is watched, whatever the filter says."""
        return (
            change.kind == self.kind.value
            and self.service in ("", "-", change.service)
            and self.name in ("", change.name)
        )


def asked_for(kind: Kind, service: str, test: Test, cut: Cut, *, chunk: int = 500, name: str = "") -> Asked:
    """Say what is watched, in the words of a kind."""
    return Asked(
        singular=SINGULAR[kind], test=test, cut=cut, chunk=chunk, kind=kind, service=service, name=name
    )
