"""What tells a copy to slow down."""

from __future__ import annotations

from typing import Protocol

from migrations_app.ports.namespaces import Namespace


class Throttle(Protocol):
    """Looks at the databases a copy loads."""

    def reason(self, namespace: Namespace) -> str:
        """Say in a few words why copying must pause now, or "" when it may go on.

        An error of the question itself is a reason too: in doubt the copy waits.
        """
        ...
