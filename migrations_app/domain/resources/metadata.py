"""The metadata every resource carries beside its own fields, in the JSON shape of the meta API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, message

OUTPUT_ONLY = frozenset(
    {"createTime", "updateTime", "deleteTime", "uuid", "resourceVersion", "syncing", "lifecycle"}
)
DEPRECATIONS = "deprecations"
"""Details of deprecated fields in the metadata of an answer; never stored, and dropped when they are sent back."""


class LifecycleState(StrEnum):
    """Whether a resource lives or is being deleted."""

    ACTIVE = "ACTIVE"
    DELETING = "DELETING"


@dataclass(frozen=True, slots=True)
class ResourceOwnerReference:
    """A resource whose deletion deletes this one, or unsets the reference."""

    kind: str = ""
    version: str = ""
    name: str = ""
    region: str = ""
    controller: bool = False
    requires_owner_reference: bool = False
    unset_on_delete: bool = False


@dataclass(frozen=True, slots=True)
class Syncing:
    """The region that owns a resource and the regions that hold a copy."""

    owning_region: str = ""
    regions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResourceLifecycle:
    """Where a resource stands between creation and deletion."""

    state: LifecycleState = LifecycleState.ACTIVE
    block_deletion: bool = False


@dataclass(frozen=True, slots=True)
class ResourceServicesInfo:
    """The service that owns a resource and those that may see it."""

    owning_service: str = ""
    allowed_services: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResourceMetadata:
    """What is known of a resource whatever its type; unset parts are left out of its JSON."""

    create_time: str = ""
    update_time: str = ""
    delete_time: str = ""
    uuid: str = ""
    tags: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    generation: int = 0
    resource_version: str = ""
    owner_references: tuple[ResourceOwnerReference, ...] = ()
    shards: Mapping[str, int] = field(default_factory=dict)
    syncing: Syncing | None = None
    lifecycle: ResourceLifecycle | None = None
    services: ResourceServicesInfo | None = None

    @classmethod
    def read(cls, value: Json) -> ResourceMetadata:
        """Read the JSON of a `metadata` field.

        Raises: Invalid (`metadata`) with every place that is wrong; unknown keys are refused.
        """
        return _Reader().metadata(value)

    def write(self) -> JsonObject:
        """Write the JSON of a `metadata` field."""
        parts: list[tuple[str, Json]] = [
            ("createTime", self.create_time),
            ("updateTime", self.update_time),
            ("deleteTime", self.delete_time),
            ("uuid", self.uuid),
            ("tags", list(self.tags)),
            ("labels", dict(self.labels)),
            ("annotations", dict(self.annotations)),
            ("generation", str(self.generation) if self.generation else ""),
            ("resourceVersion", self.resource_version),
            ("ownerReferences", [_owner_json(each) for each in self.owner_references]),
            ("shards", dict(self.shards)),
            ("syncing", _syncing_json(self.syncing)),
            ("lifecycle", _lifecycle_json(self.lifecycle)),
            ("services", _services_json(self.services)),
        ]
        return {key: value for key, value in parts if value}


def _without_unset(parts: Mapping[str, Json]) -> JsonObject:
    return {key: value for key, value in parts.items() if value}


def _owner_json(owner: ResourceOwnerReference) -> Json:
    return _without_unset(
        {
            "kind": owner.kind,
            "version": owner.version,
            "name": owner.name,
            "region": owner.region,
            "controller": owner.controller,
            "requiresOwnerReference": owner.requires_owner_reference,
            "unsetOnDelete": owner.unset_on_delete,
        }
    )


def _syncing_json(syncing: Syncing | None) -> Json:
    if syncing is None:
        return None
    return _without_unset({"owningRegion": syncing.owning_region, "regions": list(syncing.regions)})


def _lifecycle_json(lifecycle: ResourceLifecycle | None) -> Json:
    if lifecycle is None:
        return None
    return _without_unset({"state": str(lifecycle.state), "blockDeletion": lifecycle.block_deletion})


def _services_json(services: ResourceServicesInfo | None) -> Json:
    if services is None:
        return None
    return _without_unset(
        {"owningService": services.owning_service, "allowedServices": list(services.allowed_services)}
    )


class _Reader:
    """Reads the parts of a metadata object, collecting what is wrong."""

    def __init__(self) -> None:
        self.violations: list[Violation] = []

    def metadata(self, value: Json) -> ResourceMetadata:
        """Read the whole object, or refuse it with all that is wrong."""
        given = self._object(value, "metadata")
        owners = self._list(given.pop("ownerReferences", None), "metadata.ownerReferences")
        found = ResourceMetadata(
            create_time=self._text(given, "createTime", "metadata"),
            update_time=self._text(given, "updateTime", "metadata"),
            delete_time=self._text(given, "deleteTime", "metadata"),
            uuid=self._text(given, "uuid", "metadata"),
            tags=self._texts(given, "tags", "metadata"),
            labels=self._text_map(given, "labels"),
            annotations=self._text_map(given, "annotations"),
            generation=self._whole(given.pop("generation", None), "metadata.generation"),
            resource_version=self._text(given, "resourceVersion", "metadata"),
            owner_references=tuple(self._owner(each, index) for index, each in enumerate(owners)),
            shards=self._shards(given),
            syncing=self._syncing(given),
            lifecycle=self._lifecycle(given),
            services=self._services(given),
        )
        self._nothing_left(given, "metadata")
        if self.violations:
            raise Invalid(
                message("The metadata is wrong."), code="metadata", violations=tuple(self.violations)
            )
        return found

    def _owner(self, value: Json, index: int) -> ResourceOwnerReference:
        path = f"metadata.ownerReferences[{index}]"
        given = self._object(value, path)
        owner = ResourceOwnerReference(
            kind=self._text(given, "kind", path),
            version=self._text(given, "version", path),
            name=self._text(given, "name", path),
            region=self._text(given, "region", path),
            controller=self._flag(given, "controller", path),
            requires_owner_reference=self._flag(given, "requiresOwnerReference", path),
            unset_on_delete=self._flag(given, "unsetOnDelete", path),
        )
        self._nothing_left(given, path)
        return owner

    def _shards(self, given: JsonObject) -> dict[str, int]:
        shards = self._object(given.pop("shards", None), "metadata.shards")
        return {key: self._whole(value, f"metadata.shards.{key}") for key, value in shards.items()}

    def _syncing(self, given: JsonObject) -> Syncing | None:
        if given.get("syncing") is None:
            given.pop("syncing", None)
            return None
        part, path = self._object(given.pop("syncing"), "metadata.syncing"), "metadata.syncing"
        syncing = Syncing(self._text(part, "owningRegion", path), self._texts(part, "regions", path))
        self._nothing_left(part, path)
        return syncing

    def _lifecycle(self, given: JsonObject) -> ResourceLifecycle | None:
        if given.get("lifecycle") is None:
            given.pop("lifecycle", None)
            return None
        part, path = self._object(given.pop("lifecycle"), "metadata.lifecycle"), "metadata.lifecycle"
        state = self._text(part, "state", path) or "ACTIVE"
        if state not in LifecycleState.__members__:
            self._wrong(f"{path}.state", message("must be ACTIVE or DELETING"))
            state = "ACTIVE"
        lifecycle = ResourceLifecycle(LifecycleState(state), self._flag(part, "blockDeletion", path))
        self._nothing_left(part, path)
        return lifecycle

    def _services(self, given: JsonObject) -> ResourceServicesInfo | None:
        if given.get("services") is None:
            given.pop("services", None)
            return None
        part, path = self._object(given.pop("services"), "metadata.services"), "metadata.services"
        services = ResourceServicesInfo(
            self._text(part, "owningService", path), self._texts(part, "allowedServices", path)
        )
        self._nothing_left(part, path)
        return services

    def _wrong(self, path: str, words: WordedMessage) -> None:
        self.violations.append(Violation(path, words, code="metadata"))

    def _nothing_left(self, given: JsonObject, path: str) -> None:
        for key in given:
            self._wrong(f"{path}.{key}", message("is not known here"))

    def _object(self, value: Json, path: str) -> JsonObject:
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._wrong(path, message("must be an object"))
            return {}
        return dict(value)

    def _list(self, value: Json, path: str) -> list[Json]:
        if value is None:
            return []
        if not isinstance(value, list):
            self._wrong(path, message("must be a list"))
            return []
        return value

    def _text(self, given: JsonObject, key: str, path: str) -> str:
        value = given.pop(key, None)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._wrong(f"{path}.{key}", message("must be text"))
            return ""
        return value

    def _texts(self, given: JsonObject, key: str, path: str) -> tuple[str, ...]:
        values = self._list(given.pop(key, None), f"{path}.{key}")
        for index, value in enumerate(values):
            if not isinstance(value, str):
                self._wrong(f"{path}.{key}[{index}]", message("must be text"))
        return tuple(value for value in values if isinstance(value, str))

    def _text_map(self, given: JsonObject, key: str) -> dict[str, str]:
        values = self._object(given.pop(key, None), f"metadata.{key}")
        for name, value in values.items():
            if not isinstance(value, str):
                self._wrong(f"metadata.{key}.{name}", message("must be text"))
        return {name: value for name, value in values.items() if isinstance(value, str)}

    def _flag(self, given: JsonObject, key: str, path: str) -> bool:
        value = given.pop(key, None)
        if value is not None and not isinstance(value, bool):
            self._wrong(f"{path}.{key}", message("must be true or false"))
        return value is True

    def _whole(self, value: Json, path: str) -> int:
        """Read a whole number; the protobuf mapping writes 64-bit ones as text."""
        if value is None:
            return 0
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self._wrong(path, message("must be a whole number"))
        return 0
