"""Which deployments stand on another one, and which of them moved on since it switched."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.reach import Reach
from migrations_app.domain.registry.names import deployment_name
from migrations_app.domain.switch.states import NEW_SERVES, State
from migrations_app.domain.switch.words import where
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.one_reading import read_once
from migrations_app.models.registry import Import
from migrations_app.models.upgrades import Upgrade


@dataclass(frozen=True, slots=True)
class Dependant:
    """One deployment of the same region that imports or uses a service, with the version it is built on."""

    service: str
    region: str
    version: str
    """What it serves itself."""
    builds_on: str
    """Which version of the other service that is written against; empty for a mere use."""
    needs: dict[str, str]
    """The same for each of its versions."""

    def as_json(self) -> JsonObject:
        """Give it as the API shows it."""
        return {
            "service": self.service,
            "region": self.region,
            "version": self.version,
            "builds_on": self.builds_on,
        }


@read_once
def dependants_of(service: str, region: str) -> list[Dependant]:
    """List what stands on a deployment in its region, by name; one query whatever there is."""
    there = "service__deployments__"
    edges = Import.objects.filter(
        target_id=service, **{f"{there}region_id": region, f"{there}is_disabled": False}
    ).values_list("service_id", f"{there}current_version", "versions")
    needs: dict[tuple[str, str], dict[str, str]] = {}
    for importer, version, versions in edges.order_by("service_id", "kind"):
        needs.setdefault((importer, version), {}).update(versions)
    return [
        Dependant(importer, region, version, needed.get(version, ""), needed)
        for (importer, version), needed in needs.items()
    ]


def moved_since(upgrade: Upgrade) -> tuple[str, ...]:
    """Name what was itself switched, after this upgrade's switch, to a version built on the new one.

    Taking this upgrade back would leave them on a version that is no longer served in full.
    """
    switched = upgrade.moves.filter(state=State.REVERSIBLE.value).order_by("-pk").first()
    if switched is None:
        return ()
    found = []
    for each in dependants_of(upgrade.service, upgrade.region):
        if each.builds_on != upgrade.to_version:
            continue
        later = Upgrade.objects.filter(
            deployment=deployment_name(each.service, each.region),
            to_version=each.version,
            state__in=[state.value for state in NEW_SERVES],
            moves__state=State.REVERSIBLE.value,
            moves__at__gt=switched.at,
        )
        if any(each.needs.get(one.from_version) != upgrade.to_version for one in later):
            found.append(f"{where(each.service, each.region)} ({each.version})")
    return tuple(found)


def dependants_within(reach: Reach, service: str, region: str) -> list[Json]:
    """Show what stands on a deployment, as far as a reach goes."""
    found = dependants_of(service, region)
    return [each.as_json() for each in found if reach.covers(each.service, each.region)]
