"""The metadata every registry message carries, as it travels."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

Text = Annotated[str, msgspec.Meta(max_length=1024)]
Key = Annotated[str, msgspec.Meta(max_length=256)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class Message(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, forbid_unknown_fields=True):
    """A message of the registry: lowerCamelCase on the wire, unset fields left out."""


class OwnerReference(Message, frozen=True):
    """A resource that keeps this one alive."""

    kind: Text = ""
    version: Text = ""
    name: Text = ""
    region: Text = ""
    controller: bool = False
    requires_owner_reference: bool = False
    unset_on_delete: bool = False


class SyncingMeta(Message, frozen=True):
    """The region that owns the resource and all regions that hold it."""

    owning_region: Text = ""
    regions: tuple[Text, ...] = ()


class Lifecycle(Message, frozen=True):
    """Whether the resource is on its way out."""

    state: str = ""
    block_deletion: bool = False


class ServicesInfo(Message, frozen=True):
    """The service that owns the resource and all services it concerns."""

    owning_service: Text = ""
    allowed_services: tuple[Text, ...] = ()


class Metadata(Message, frozen=True):
    """What the registry itself knows about each message.

    Output only: the three times, uuid, resourceVersion, syncing, lifecycle; `shards` follows from the name.
    """

    create_time: datetime | None = None
    update_time: datetime | None = None
    delete_time: datetime | None = None
    uuid: Text = ""
    tags: tuple[Text, ...] = ()
    labels: dict[Key, Text] = {}
    annotations: dict[Key, Text] = {}
    generation: Count = 0
    resource_version: Text = ""
    owner_references: tuple[OwnerReference, ...] = ()
    shards: dict[Key, Count] = {}
    syncing: SyncingMeta | None = None
    lifecycle: Lifecycle | None = None
    services: ServicesInfo | None = None
