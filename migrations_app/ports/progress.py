"""How work tells those who watch what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from migrations_app.kernel.json import JsonObject


class Progress(Protocol):
    """Publishes changes to the live stream."""

    def publish(
        self,
        topic: str,
        kind: str,
        id: str,
        *,
        full: JsonObject | None = None,
        patch: JsonObject | None = None,
        rev: int = 0,
        places: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Say that a thing is now `full`, or changed by `patch`, or (neither) is gone.

        Only those hear of it who may read all of `places`, pairs of a service and a region; without any, everybody.

        Once: durable with the caller's transaction; seen by watchers in an order no late commit disturbs.
        """
        ...
