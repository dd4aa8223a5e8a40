"""The ports that the controllers of read copies share."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.ports.copies import Copies
from migrations_app.ports.fence import Fence
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.store import Store


@dataclass(frozen=True, slots=True)
class CopyPorts:
    """The data, the read copies, the fences that writes are held to, and where deployments are."""

    store: Store
    copies: Copies
    fence: Fence
    directory: Directory
