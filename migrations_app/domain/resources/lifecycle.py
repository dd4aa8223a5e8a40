"""The lifecycle in the metadata of resources: what clients may set of it, and what it forbids."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, counted, message

ASYNC_DELETION = "switchyard/async-deletion"
"""The annotation of a resource that stays until what its deletion takes along elsewhere is gone."""
_SHOWN = 20
_SERVED = frozenset({"generation", "lifecycle", "services", "syncing"})


def sent_lifecycle(sent: JsonObject, before: JsonObject) -> JsonObject:
    """Give metadata as a client sends them, with the state of the lifecycle as it was before."""
    if "lifecycle" not in sent and "lifecycle" not in before:
        return sent
    lifecycle = dict(_part(sent))
    state = _part(before).get("state")
    if state is not None:
        lifecycle["state"] = state
    rest: JsonObject = {key: value for key, value in sent.items() if key != "lifecycle"}
    return {**rest, "lifecycle": lifecycle} if lifecycle else rest


def served_metadata(metadata: JsonObject) -> JsonObject:
    """Give what the server itself keeps in the metadata of a resource."""
    return {key: value for key, value in metadata.items() if key in _SERVED}


def deleting_metadata(metadata: JsonObject) -> JsonObject:
    """Give metadata that say that their resource is being deleted."""
    return {**metadata, "lifecycle": {**_part(metadata), "state": "DELETING"}}


def outlives_cascade(metadata: JsonObject) -> bool:
    """Tell whether a resource is to stay until its cascade is done, instead of its shadow alone."""
    annotations = metadata.get("annotations")
    return isinstance(annotations, dict) and annotations.get(ASYNC_DELETION) == "true"


def is_leaving(metadata: JsonObject) -> bool:
    """Tell whether a resource was deleted and only stays until its cascade is done."""
    return outlives_cascade(metadata) and _part(metadata).get("state") == "DELETING"


def forbids_deletion(metadata: JsonObject) -> bool:
    """Tell whether a resource with this metadata forbids its deletion."""
    return _part(metadata).get("blockDeletion") is True


def _blocked(name: str, more: int) -> WordedMessage:
    if not more:
        return message("{name} forbids its deletion.", name=name)
    return counted(
        more,
        "{name} forbids its deletion, and {count} more.",
        "{name} forbids its deletion, and {count} more.",
        name=name,
    )


def check_deletable(resources: Mapping[str, JsonObject]) -> None:
    """See that none of the resources, metadata by name, forbids its deletion by `metadata.lifecycle.blockDeletion`.

    Raises: Conflict (`deletion-blocked`) naming those that do.
    """
    blocked = [name for name, metadata in resources.items() if forbids_deletion(metadata)]
    if blocked:
        raise Conflict(
            _blocked(blocked[0], len(blocked) - 1),
            code="deletion-blocked",
            remedy=message("Set metadata.lifecycle.blockDeletion to false first."),
            violations=tuple(
                Violation(f"{name}#metadata.lifecycle.blockDeletion", message("is set"))
                for name in blocked[:_SHOWN]
            ),
        )


def _part(metadata: JsonObject) -> dict[str, Json]:
    given = metadata.get("lifecycle")
    return given if isinstance(given, dict) else {}
