"""Saving into the registry with all its rules: what every writer, near or far, goes through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from migrations_app.adapters.definitions import current_fingerprint, folder
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.declarations import declared_by
from migrations_app.control.registry.repository.registry import RegistryWriter
from migrations_app.domain.registry.changes import (
    check_deployment_update,
    check_fenced,
    check_generation,
    check_references,
)
from migrations_app.domain.registry.documents import kind_of
from migrations_app.domain.registry.names import RegistryKind, ids, newest_first
from migrations_app.domain.registry.picture import Picture, deployment_facts, service_facts
from migrations_app.domain.registry.rules import check_change
from migrations_app.domain.registry.values import Deployment, Region, Registered, Service
from migrations_app.kernel.errors import ServiceUnknown
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows


@dataclass(frozen=True, slots=True)
class Saved:
    """What is there now, what was there before, and whether it is new."""

    value: Registered
    before: Registered | None

    @property
    def created(self) -> bool:
        """Tell whether it was not there before."""
        return self.before is None


def store(
    writer: RegistryWriter,
    kind: RegistryKind,
    name: str,
    decide: Callable[[Registered | None], Registered],
    *,
    refers_to: Mapping[str, frozenset[str]] | None = None,
) -> Saved:
    """Save what `decide` makes of the present value, when the rules allow the change.

    Shape: `refers_to` are the references of the definition that comes with a service; when left out, those of
    the definition it has.
    """
    before = registry.find(kind, name)
    after = _normal(decide(before))
    _check(before, after)
    if isinstance(after, Service):
        _check_references(before, after, refers_to)
    if before is None or _facts(before) != _facts(after):
        picture = registry.read_picture()
        check_change(picture, redrawn(picture, after))
    return Saved(writer.save(after), before)


def is_hosted(name: str) -> bool:
    """Tell whether the data of a deployment is kept, and moved, by Switchyard itself."""
    return rows.Deployment.objects.filter(pk=name).exclude(database="").exists()


def redrawn(picture: Picture, value: Registered) -> Picture:
    """Draw the registry as it would be with this value in it."""
    if isinstance(value, Region):
        return picture.with_region(ids(RegistryKind.REGION, value.name)[0])
    if isinstance(value, Service):
        return picture.with_service(value)
    if isinstance(value, Deployment):
        return picture.with_deployment(value)
    return picture


def _normal(value: Registered) -> Registered:
    if isinstance(value, Service):
        return replace(value, all_versions=newest_first(value.all_versions))
    return value


def _check(before: Registered | None, after: Registered) -> None:
    if isinstance(before, Deployment) and isinstance(after, Deployment):
        check_deployment_update(before, after)
        if is_hosted(after.name):
            check_fenced(before, after)
    if isinstance(before, Service) and isinstance(after, Service):
        check_generation(before.env_registry_generation, after.env_registry_generation, after.name)
    parent = f"services/{after.name.split('/')[1]}"
    if (
        kind_of(after) in (RegistryKind.RESOURCE, RegistryKind.DEPLOYMENT)
        and registry.find(RegistryKind.SERVICE, parent) is None
    ):
        raise ServiceUnknown(
            message("There is no {parent}.", parent=parent), remedy=message("Register the service first.")
        )


def _check_references(
    before: Registered | None, after: Service, refers_to: Mapping[str, frozenset[str]] | None
) -> None:
    same = isinstance(before, Service) and before.imported_services == after.imported_services
    if refers_to is None and before is not None and not same and current_fingerprint(after.id):
        refers_to = declared_by(folder(after.id)).refers_to
    check_references(after, refers_to or {})


def _facts(value: Registered) -> object:
    """What the rules look at; when it stays as it is, no rule can be broken by the change."""
    if isinstance(value, Service):
        return service_facts(value)
    if isinstance(value, Deployment):
        return deployment_facts(value)
    return None
