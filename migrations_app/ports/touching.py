"""How far the resources under a policy have been touched since it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from migrations_app.ports.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class Touch:
    """The resources under one policy holder, or all when `scope` is empty.

    `round` grows with every change of the policy; `fingerprint` is that of the policy that was seen. The first
    of two passes touches; the second, begun once every write under the old policy has ended (`mark` is a place
    in the feed after them), finds what they left behind. It stands after `name` of `type`.
    """

    scope: str
    fingerprint: str = ""
    round: int = 0
    second: bool = False
    mark: str = ""
    type: str = ""
    name: str = ""
    looked: int = 0
    changed: int = 0
    opened_at: datetime | None = None
    ended_at: datetime | None = None


class Touches(Protocol):
    """Keeps the touches of a deployment beside its data."""

    def open(self, namespace: Namespace, scope: str, fingerprint: str, at: datetime) -> Touch:
        """Begin to touch what is under a policy, from the start; a touch under way begins again."""
        ...

    def find(self, namespace: Namespace, scope: str) -> Touch | None:
        """Read a touch, ended or not."""
        ...

    def listed(self, namespace: Namespace, *, ended: bool, limit: int = 100) -> Sequence[Touch]:
        """List those that have ended, the last first, or those that have not, the first first."""
        ...

    def save(self, namespace: Namespace, touch: Touch) -> None:
        """Keep where a touch stands.

        Raises: Stale (`touch-renewed`) when it began again meanwhile.
        """
        ...
