"""Names of the registry's four kinds and of versions: their patterns, parts and order."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import catalogued, message

REGION_ID = re.compile(r"[a-z][a-z0-9\-]{0,28}[a-z0-9]")
SERVICE_ID = re.compile(r"[a-z][a-z0-9\-.]{0,28}[a-z0-9]")
TYPE_ID = re.compile(r"[A-Z][A-Za-z0-9]{0,62}")
_DATE = r"[1-9][0-9]{3}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
VERSION = re.compile(rf"v({_DATE}|[1-9][0-9]{{0,5}})(?:(alpha|beta|preview)([1-9][0-9]{{0,5}})?)?")
VERSION_FORMS = catalogued(
    "Versions are written v1, v1beta1, v1alpha2, or as a date: v20140101, v20140601preview."
)
DATA_VERSION = re.compile(r"v[0-9]+(\.[0-9]+)*")

_STAGES = {"alpha": 0, "beta": 1, "preview": 2, None: 3}


class RegistryKind(Enum):
    """What the registry holds, by the collection it is found in."""

    REGION = "regions"
    SERVICE = "services"
    DEPLOYMENT = "deployments"
    RESOURCE = "resources"


_SHAPES: dict[RegistryKind, tuple[tuple[str, re.Pattern[str]], ...]] = {
    RegistryKind.REGION: (("regions", REGION_ID),),
    RegistryKind.SERVICE: (("services", SERVICE_ID),),
    RegistryKind.DEPLOYMENT: (("services", SERVICE_ID), ("deployments", REGION_ID)),
    RegistryKind.RESOURCE: (("services", SERVICE_ID), ("resources", TYPE_ID)),
}


def region_name(region: str) -> str:
    """Write a region's name from its id."""
    return f"regions/{region}"


def service_name(service: str) -> str:
    """Write a service's name from its id."""
    return f"services/{service}"


def deployment_name(service: str, region: str) -> str:
    """Write a deployment's name from the ids of its service and region."""
    return f"services/{service}/deployments/{region}"


def resource_name(service: str, resource_type: str) -> str:
    """Write the name of a resource type in the registry."""
    return f"services/{service}/resources/{resource_type}"


def ids(kind: RegistryKind, name: str) -> tuple[str, ...]:
    """Read the ids out of a name of this kind, outermost first.

    Raises: Invalid (`name-pattern`).
    """
    parts, shape = name.split("/"), _SHAPES[kind]
    fits = len(parts) == 2 * len(shape) and all(
        parts[2 * at] == collection and pattern.fullmatch(parts[2 * at + 1])
        for at, (collection, pattern) in enumerate(shape)
    )
    if not fits:
        wanted = "/".join(f"{collection}/{{{pattern.pattern}}}" for collection, pattern in shape)
        raise Invalid(
            message("'{name}' is not a name of the collection '{kind}'.", name=name, kind=kind.value),
            code="name-pattern",
            remedy=message("Write {requested}.", requested=wanted),
            name=name,
        )
    return tuple(parts[1::2])


def place_of(kind: RegistryKind, name: str) -> tuple[str, str]:
    """Read the service and the region that a name speaks of; what it does not name is empty.

    Raises: Invalid (`name-pattern`).
    """
    found = ids(kind, name)
    service = "" if kind is RegistryKind.REGION else found[0]
    return service, found[-1] if kind in (RegistryKind.REGION, RegistryKind.DEPLOYMENT) else ""


def last_id(name: str) -> str:
    """Read what stands after the last slash: an id whether a full name or only the id was given."""
    return name.rpartition("/")[2]


@lru_cache(maxsize=4096)
def version_order(version: str) -> tuple[int, int, int, str]:
    """Give the place of a version among versions: v1alpha2 < v1beta1 < v1preview < v1 < v2alpha1 < v20140101.

    A date is a number of eight digits, so dates come after all shorter numbers, and a preview of a date before
    that date and after each earlier one. Anything that is no such version sorts first.
    """
    match = VERSION.fullmatch(version)
    if match is None:
        return (0, 0, 0, version)
    return (int(match[1]), _STAGES[match[2]], int(match[3] or 0), version)


def newest_first(versions: tuple[str, ...]) -> tuple[str, ...]:
    """Order versions as the registry shows them."""
    return tuple(sorted(set(versions), key=version_order, reverse=True))
