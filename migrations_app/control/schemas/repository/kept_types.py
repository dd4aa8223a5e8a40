"""Types that the version served does not have, or the one upgraded to will not: how many are stored, and exported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app import wiring
from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.registry.repository.upgrade_contexts import UpgradeContext, context_of, place_of
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.conversion.stored_types import KeptType, kept_type
from migrations_app.domain.parity import EMPTY, Digest
from migrations_app.kernel.errors import Busy, Invalid, Missing
from migrations_app.models.kept_types import KeptTypeExport
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import LIVE_STATES, Upgrade
from migrations_app.ports.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class StoredKeptType:
    """A type as its last version has it, where a deployment stores it now; `without` is the version that lacks it."""

    service: str
    region: str
    kept: KeptType
    without: str
    namespace: Namespace
    stored_as: str

    @property
    def state(self) -> Digest:
        """Digest the identities and revisions of its resources, which are the same in every version.

        Raises: Busy (`database-busy`).
        """
        groups = wiring.store().digests(self.namespace, self.stored_as, "uid")
        state = EMPTY
        for each in groups.values():
            state = state.plus(each)
        return state

    def export(self) -> KeptTypeExport | None:
        """Find the newest export."""
        return KeptTypeExport.objects.filter(
            deployment=self.namespace.deployment,
            service=self.service,
            type=self.kept.type,
            version=self.kept.version,
        ).first()


def state_text(state: Digest) -> str:
    """Write a digest as exports keep it."""
    return f"{state.count}-{state.first:016x}{state.second:016x}"


def kept_types_of(deployment: str) -> tuple[StoredKeptType, ...]:
    """List the types that a deployment keeps, or will keep once the upgrade under way has switched.

    Raises: Missing (`deployment-missing`), Busy (`database-busy`).
    """
    context = context_of(deployment)
    if not context.current_version or not context.fingerprint:
        return ()
    try:
        compiled = compiled_service(context.service)
        return tuple(_kept(context, compiled))
    except (Invalid, Missing):
        return ()  # of a definition that cannot be read nothing is stored, or it is told elsewhere


def kept_types_of_version(service: str, version: str) -> Iterator[StoredKeptType]:
    """List the types of a version that any deployment of a service keeps.

    Raises: Busy (`database-busy`).
    """
    for name in Deployment.objects.filter(service_id=service).order_by("name").values_list("name", flat=True):
        yield from (each for each in kept_types_of(name) if each.kept.version == version)


def _kept(context: UpgradeContext, compiled: CompiledService) -> Iterator[StoredKeptType]:
    current = context.current_version
    place = place_of(context.deployment, current, context.database, context.ring)
    there = set(wiring.store().types(place))
    for kept in compiled.stored.kept(current):
        if kept.stored in there:
            yield StoredKeptType(context.service, context.region, kept, current, place, kept.stored)
    target = _upgraded_to(context.deployment)
    if not target or target == current:
        return
    for type_ in (each for each in compiled.stored.of(current) if each in there and kept_type(each) is None):
        ends = [kept_type(each.target_type or "") for each in compiled.stored.routes(type_, current, target)]
        for goes in (each for each in ends if each is not None):
            yield StoredKeptType(context.service, context.region, goes, target, place, type_)


def _upgraded_to(deployment: str) -> str:
    rows = Upgrade.objects.filter(deployment=deployment, state__in=LIVE_STATES)
    return rows.values_list("to_version", flat=True).first() or ""


@dataclass(frozen=True, slots=True)
class KeptTypeState:
    """What is known of a kept type: None where its data cannot be read now."""

    of: StoredKeptType
    stored: int | None
    export: KeptTypeExport | None
    is_changed: bool | None

    @property
    def is_exported(self) -> bool | None:
        """Whether all that is stored was exported as it is; of nothing there is nothing to export."""
        if self.stored is None or self.is_changed is None:
            return None
        return self.stored == 0 or (self.export is not None and not self.is_changed)


def state_of_kept(of: StoredKeptType) -> KeptTypeState:
    """Count the resources of a kept type and hold them against its newest export."""
    export = of.export()
    try:
        state = of.state
    except (Busy, Missing):
        return KeptTypeState(of, None, export, None)
    return KeptTypeState(of, state.count, export, export is None or export.state != state_text(state))
