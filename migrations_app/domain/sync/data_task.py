"""A data task: what the stored resources of one version become, in place, for a newer data version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from migrations_app.kernel.json import JsonObject

Change: TypeAlias = "Callable[[str, JsonObject], JsonObject]"


@dataclass(frozen=True, slots=True)
class DataTask:
    """One change of stored resources: `changes` gives the new document of a name and a document, by type.

    A change must be idempotent: what it made it leaves as it is. Clients go on writing meanwhile, and what they
    write is given to it again.
    """

    service: str
    version: str
    data_version: str
    tag: str
    changes: Mapping[str, Change]


def tasks_for(
    tasks: tuple[DataTask, ...], service: str, version: str, data_version: str
) -> tuple[DataTask, ...]:
    """Choose the tasks that bring a service's data in `version` to `data_version`, in the order of their tags."""
    wanted = (service, version, data_version)
    found = [task for task in tasks if (task.service, task.version, task.data_version) == wanted]
    return tuple(sorted(found, key=lambda task: task.tag))
