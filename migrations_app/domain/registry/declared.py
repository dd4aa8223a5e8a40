"""What a service's definition declares to the registry: versions, imports, resource types, references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from msgspec.structs import replace

from migrations_app.domain.registry.names import (
    VERSION,
    newest_first,
    resource_name,
    service_name,
    version_order,
)
from migrations_app.domain.registry.values import ImportedVersion, Resource, Service, VersionedInfo
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """One resource type as one version has it."""

    type: str
    plural: str = ""
    regional: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    """A definition in the registry's words; `imports` and `refers_to` are by version."""

    service: str
    display_name: str = ""
    types: Mapping[str, tuple[DeclaredType, ...]] = field(default_factory=dict)
    imports: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    refers_to: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def versions(self) -> tuple[str, ...]:
        """List the versions, newest first."""
        return newest_first(tuple(self.types))

    def refuse_other_order(self) -> Declared:
        """Refuse versions, listed oldest first, whose names order them otherwise: the registry goes by names.

        What is no version is left to the rule `version-pattern`.

        Raises: Invalid (`version-order`).
        """
        named = [version for version in self.types if VERSION.fullmatch(version)]
        for before, after in pairwise(named):
            if version_order(after) < version_order(before):
                raise Invalid(
                    message(
                        "{service} lists {before} before {after}, and by its name {before} is the newer one.",
                        service=self.service,
                        before=before,
                        after=after,
                    ),
                    code="version-order",
                    remedy=message(
                        "Order versions and ordinals by age; a date comes after v1, v2 and so on."
                    ),
                    violations=(
                        Violation(
                            "service.yaml: versions",
                            message(
                                "{after} is older than {before} by its name.", after=after, before=before
                            ),
                        ),
                    ),
                )
        return self


def declare(before: Service | None, declared: Declared) -> Service:
    """Write what a definition says into its service; policy, domains and uses stay as they are."""
    service = before or Service(name=service_name(declared.service))
    imported = {target for versions in declared.imports.values() for target in versions}
    return replace(
        service,
        display_name=declared.display_name or service.display_name,
        all_versions=declared.versions,
        imported_services=tuple(sorted(map(service_name, imported))),
        imported_versions=tuple(
            sorted(
                (
                    ImportedVersion(service_name(target), target_version, version)
                    for version, targets in declared.imports.items()
                    for target, target_version in targets.items()
                ),
                key=lambda one: (one.current_service_version, one.target_service),
            )
        ),
    )


def declared_resources(declared: Declared) -> tuple[Resource, ...]:
    """List the resource types of all versions, each with the versions that have it."""
    found: dict[str, list[tuple[str, DeclaredType]]] = {}
    for version in declared.versions:
        for one in declared.types[version]:
            found.setdefault(one.type, []).append((version, one))
    return tuple(
        Resource(
            name=resource_name(declared.service, name),
            plural_name=versions[0][1].plural,
            fqn=f"{declared.service}/{name}",
            versions=tuple(version for version, _ in versions),
            versioned_infos=tuple(VersionedInfo(version, one.regional) for version, one in versions),
        )
        for name, versions in sorted(found.items())
    )
