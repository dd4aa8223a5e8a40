"""Region, Service, Deployment and Resource: what the registry holds, in the shape it is spoken of."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias

import msgspec

from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.metadata import Count, Message, Metadata, Text
from migrations_app.domain.registry.names import last_id


class Region(Message, frozen=True):
    """A place where services can be deployed."""

    name: Text
    metadata: Metadata = Metadata()
    title: Text = ""


class LabelledDomain(Message, frozen=True):
    """A further address of a service or deployment."""

    label: Text = ""
    domain: Text = ""
    available_mixins: tuple[Text, ...] = ()
    web_grpc_available: bool = False
    rest_api_available: bool = False
    is_private: bool = False


class ImportedVersion(Message, frozen=True):
    """Which version of an import one version of the service uses."""

    target_service: Text = ""
    target_service_version: Text = ""
    current_service_version: Text = ""


class Service(Message, frozen=True):
    """A service: its versions, what it imports and uses, and its policy across regions."""

    name: Text
    metadata: Metadata = Metadata()
    multi_region_policy: MultiRegionPolicy = MultiRegionPolicy()
    display_name: Text = ""
    all_versions: tuple[Text, ...] = ()
    global_domain: Text = ""
    labelled_domains: tuple[LabelledDomain, ...] = ()
    leading_service: Text = ""
    imported_services: tuple[Text, ...] = ()
    used_services: tuple[Text, ...] = ()
    imported_versions: tuple[ImportedVersion, ...] = ()
    env_registry_generation: Count = 0
    automatic_version_switch: bool = False

    @property
    def id(self) -> str:
        """Give the service's id."""
        return last_id(self.name)


class Location(Message, frozen=True):
    """Where on the map a deployment runs."""

    continent: Text = ""
    country: Text = ""
    agglomeration: Text = ""
    city: Text = ""
    cloud: Text = ""


class AvailableUpgrade(Message, frozen=True):
    """What a deployment's code could move to."""

    api_version: Text = ""
    db_data_version: Text = ""
    db_location_tag: Text = ""
    total_shards_count: Count = 0


class Stage(Enum):
    """How far an upgrade is, in the registry's words."""

    READY = "READY"
    INITIAL_SYNCING = "INITIAL_SYNCING"
    SWITCHING = "SWITCHING"


class UpgradeState(Message, frozen=True):
    """The upgrade that runs; the deployment carries none otherwise."""

    target_version: Text = ""
    ready_shards: tuple[Count, ...] = ()
    pending_shards: tuple[Count, ...] = ()
    stage: Stage = Stage.INITIAL_SYNCING
    db_data_target_version: Text = ""
    db_target_location_tag: Text = ""

    @property
    def total(self) -> int:
        """Count the shards of the ring."""
        return len(self.ready_shards) + len(self.pending_shards)


class DataUpdateStatus(Message, frozen=True):
    """A task that brings the data of one version to a newer data version."""

    task_tag: Text = ""
    shards_count: Count = 0
    ready_shards: tuple[Count, ...] = ()
    target_version: Text = ""
    progress_bar: tuple[dict[str, Any] | Count, ...] = ()

    def __post_init__(self) -> None:
        """Read progress that earlier releases kept as a number: it was in percent."""
        bar = tuple({"percent": each} if isinstance(each, int) else each for each in self.progress_bar)
        msgspec.structs.force_setattr(self, "progress_bar", bar)


class Deployment(Message, frozen=True):
    """A service in one region: what it runs now and what it is moving to."""

    name: Text
    metadata: Metadata = Metadata()
    service_name: Text = ""
    region: Text = ""
    public_domain: Text = ""
    private_domain: Text = ""
    labelled_domains: tuple[LabelledDomain, ...] = ()
    local_network_id: Text = ""
    location: Location | None = None
    is_disabled: bool = False
    env_registry_generation: Count = 0
    current_version: Text = ""
    db_data_version: Text = ""
    db_location_tag: Text = ""
    automatic_version_switch: bool = False
    available_upgrade: AvailableUpgrade | None = None
    upgrade_state: UpgradeState | None = None
    data_update_statuses: tuple[DataUpdateStatus, ...] = ()

    @property
    def service_id(self) -> str:
        """Give the id of the service it belongs to."""
        return self.name.split("/")[1]

    @property
    def region_id(self) -> str:
        """Give the id of its region, which is also its own."""
        return last_id(self.name)


class VersionedInfo(Message, frozen=True):
    """What differs by version of a resource type."""

    version: Text = ""
    is_regional: bool = False


class Resource(Message, frozen=True):
    """A resource type of a service, as the registry lists it."""

    name: Text
    metadata: Metadata = Metadata()
    plural_name: Text = ""
    fqn: Text = ""
    versions: tuple[Text, ...] = ()
    versioned_infos: tuple[VersionedInfo, ...] = ()


Registered: TypeAlias = "Region | Service | Deployment | Resource"
