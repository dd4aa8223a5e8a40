"""The namespaces of all deployments: which are in use, and which an ended upgrade has left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from migrations_app.ports.namespaces import Namespace


class Places(Protocol):
    """Knows where data are kept, and since when they are not needed."""

    def in_use(self) -> Sequence[Namespace]:
        """List the namespaces that deployments or upgrades use."""
        ...

    def left_over(self) -> Sequence[Namespace]:
        """List what ended upgrades left longer ago than it is to be kept: the target of one that was aborted
        or reverted, the source of one that was completed. Nothing that is in use is ever among them."""
        ...

    def dropped(self, namespace: Namespace) -> None:
        """Note that a namespace is gone."""
        ...

    def is_prepared(self, namespace: Namespace) -> bool:
        """Tell whether a namespace was prepared once, and not dropped since."""
        ...

    def note_prepared(self, *namespaces: Namespace) -> None:
        """Note that namespaces stand. Once: what is noted already stays as it is."""
        ...
