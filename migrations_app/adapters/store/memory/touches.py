"""Touches in memory: the twin of those in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from migrations_app.kernel.errors import Stale
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.touching import Touch

_NEVER = datetime.min.replace(tzinfo=UTC)


class MemoryTouches:
    """Keeps touches by deployment and scope."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Touch] = {}

    def open(self, namespace: Namespace, scope: str, fingerprint: str, at: datetime) -> Touch:
        """Begin to touch what is under a policy."""
        known = self.find(namespace, scope)
        touch = Touch(scope, fingerprint, known.round + 1 if known else 1, opened_at=at)
        self._kept[namespace.deployment, scope] = touch
        return touch

    def find(self, namespace: Namespace, scope: str) -> Touch | None:
        """Read a touch."""
        return self._kept.get((namespace.deployment, scope))

    def listed(self, namespace: Namespace, *, ended: bool, limit: int = 100) -> Sequence[Touch]:
        """List touches."""
        mine = [touch for (deployment, _), touch in self._kept.items() if deployment == namespace.deployment]
        found = [touch for touch in mine if (touch.ended_at is not None) is ended]
        found.sort(key=lambda touch: (touch.opened_at or _NEVER, touch.scope))
        if ended:
            found.sort(key=lambda touch: touch.ended_at or _NEVER, reverse=True)
        return found[:limit]

    def save(self, namespace: Namespace, touch: Touch) -> None:
        """Keep where a touch stands."""
        known = self.find(namespace, touch.scope)
        if known is None or known.round != touch.round:
            raise Stale(
                message("The policy of {scope} changed.", scope=touch.scope or "the service"),
                code="touch-renewed",
            )
        self._kept[namespace.deployment, touch.scope] = replace(
            touch, fingerprint=known.fingerprint, opened_at=known.opened_at
        )
