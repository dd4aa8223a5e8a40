"""Placement: which region owns a resource and which keep a read copy, from its name alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import zip_longest

from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.kernel.errors import Conflict, Invalid, PolicyUnknown
from migrations_app.kernel.messages import message


class SyncType(Enum):
    """How a resource type's skeleton bends the copying between regions."""

    DEFAULT = "DEFAULT"
    NEVER = "NEVER"
    ALWAYS_IN_SCOPE = "ALWAYS_IN_SCOPE"
    ALWAYS_GLOBALLY = "ALWAYS_GLOBALLY"


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one resource lives; `holder` is empty for what is subject to the service's own policy."""

    owning_region: str
    regions: tuple[str, ...]
    holder: str = ""

    @property
    def copies(self) -> tuple[str, ...]:
        """List the regions that only read it."""
        return tuple(region for region in self.regions if region != self.owning_region)


@dataclass(frozen=True, slots=True)
class Geography:
    """What placement needs to know of a service: its own policy and its policy holders'.

    `holder_collections` are the collections whose members carry a policy (`projects`), as found in the schema.
    """

    service_policy: MultiRegionPolicy
    holder_collections: frozenset[str] = frozenset()
    policies: Mapping[str, MultiRegionPolicy] = field(default_factory=dict)


def pairs(name: str) -> tuple[tuple[str, str], ...]:
    """Split a resource name into (collection, id) pairs; what a parent has one of ends with a word without an id.

    Raises: Invalid (`resource-name`) when it is not made of non-empty pairs.
    """
    parts = name.split("/")
    if len(parts) == 1 or not all(parts):
        raise Invalid(
            message("'{name}' is not a resource name.", name=name),
            code="resource-name",
            remedy=message("A name is made of collection/id pairs, such as projects/p0/secrets/s0."),
        )
    return tuple(zip_longest(parts[::2], parts[1::2], fillvalue=""))


def region_of(name: str) -> str | None:
    """Read the region segment of a name; the last pair is the resource itself and never counts."""
    found = [identifier for collection, identifier in pairs(name)[:-1] if collection == "regions"]
    return found[-1] if found else None


def holders_of(name: str, collections: frozenset[str]) -> tuple[str, ...]:
    """Name the policy holders in a name, the nearest first; a holder is subject to its own policy."""
    walked: list[str] = []
    found: list[str] = []
    for collection, identifier in pairs(name):
        walked += [collection, identifier]
        if identifier and collection in collections:
            found.insert(0, "/".join(walked))
    return tuple(found)


def holder_of(name: str, collections: frozenset[str]) -> str | None:
    """Name the nearest policy holder in a name."""
    return next(iter(holders_of(name, collections)), None)


def place(
    name: str, resource_type: str, geography: Geography, sync: SyncType = SyncType.DEFAULT
) -> Placement:
    """Decide the owning region and all regions of a resource from its name.

    Raises: Conflict (`policy-unknown`) when its holder's policy is not known, (`region-not-enabled`) when the
    name's region is not enabled for the holder, (`control-region-missing`) when nothing says who owns it.
    Source: seed 003 §1.3–1.4.
    """
    holder = holder_of(name, geography.holder_collections)
    policy = geography.service_policy if holder is None else geography.policies.get(holder)
    if policy is None:
        raise PolicyUnknown(
            message(
                "The policy of {holder} is not known, so nothing says where {name} lives.",
                holder=str(holder),
                name=name,
            ),
            remedy=message(
                "Create {holder} first, or wait until it has been copied to this region.", holder=str(holder)
            ),
            name=name,
        )
    region = region_of(name)
    if region is not None and region not in policy.enabled_regions:
        raise Conflict(
            message(
                "Region {region} is not enabled for {holder}.", region=region, holder=holder or "the service"
            ),
            code="region-not-enabled",
            remedy=message(
                "Enable the region in the multi-region policy, or choose one of: {regions}",
                regions=", ".join(policy.enabled_regions),
            ),
            name=name,
        )
    owner = region or policy.default_control_region
    if not owner:
        raise Conflict(
            message(
                "No control region is set for {holder}, so nothing says who owns {name}.",
                holder=holder or "the service",
                name=name,
            ),
            code="control-region-missing",
            remedy=message("Set defaultControlRegion in the multi-region policy."),
            name=name,
        )
    copies = _copies(resource_type, owner, policy, geography, sync)
    return Placement(owner, tuple(sorted({owner, *copies})), holder or "")


def _copies(
    resource_type: str, owner: str, policy: MultiRegionPolicy, geography: Geography, sync: SyncType
) -> Iterable[str]:
    match sync:
        case SyncType.NEVER:
            return ()
        case SyncType.ALWAYS_IN_SCOPE:
            return policy.enabled_regions
        case SyncType.ALWAYS_GLOBALLY:
            return (*geography.service_policy.enabled_regions, *policy.enabled_regions)
        case _:
            return policy.copies(resource_type, owner)


def check_write(touched: Mapping[str, Placement], here: str) -> str | None:
    """Tell where one write belongs: None for here, else the region to route it to.

    Raises: Conflict (`write-two-policies`, `write-two-regions`) when no single region may do it.
    """
    holders = {placement.holder for placement in touched.values() if placement.holder}
    if len(holders) > 1:
        raise Conflict(
            message(
                "One write may touch the resources of one policy, not of {holders}.",
                holders=" and ".join(sorted(holders)),
            ),
            code="write-two-policies",
            remedy=message("Split it into one write per policy holder."),
        )
    owners = {placement.owning_region for placement in touched.values()}
    if len(owners) > 1:
        raise Conflict(
            message(
                "One write may touch what one region owns, not {owners}.", owners=" and ".join(sorted(owners))
            ),
            code="write-two-regions",
            remedy=message("Split it into one write per region."),
        )
    owner = next(iter(owners), here)
    return None if owner == here else owner
