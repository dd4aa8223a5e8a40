"""The rules the registry enforces: each has a name, a sentence and a check over the whole picture.

A change is refused for the breaches it brings, never for those that were there before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from migrations_app.domain.registry.names import VERSION, VERSION_FORMS
from migrations_app.domain.registry.picture import Picture
from migrations_app.kernel.errors import Conflict, Violation


@dataclass(frozen=True, slots=True)
class Breach:
    """One place where a rule does not hold."""

    rule: str
    where: str
    sentence: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class RegistryRule:
    """A rule of the registry, as people read it."""

    name: str
    sentence: str
    check: Callable[[Picture], Iterable[Breach]]


def _import_everywhere(picture: Picture) -> Iterator[Breach]:
    serving = picture.regions_of()
    for service, facts in sorted(picture.services.items()):
        for imported in sorted(facts.imports & picture.services.keys()):
            for region in sorted(serving[service] - serving[imported]):
                yield Breach(
                    "import-not-in-region",
                    f"services/{service}/deployments/{region}",
                    f"{service} imports {imported}, which is not deployed in {region}.",
                    f"Deploy {imported} in {region} first, or keep {service} out of it.",
                )


def _import_known(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        for field, others in (("imports", facts.imports), ("uses", facts.uses)):
            for other in sorted(others - picture.services.keys()):
                yield Breach(
                    "import-unknown-service",
                    f"services/{service}",
                    f"{service} {field} {other}, which is not registered.",
                    f"Register {other} first.",
                )
        if facts.leading and facts.leading not in picture.services:
            yield Breach(
                "import-unknown-service",
                f"services/{service}",
                f"{service} is led by {facts.leading}, which is not registered.",
                f"Register {facts.leading} first.",
            )


def _import_acyclic(picture: Picture) -> Iterator[Breach]:
    circle = picture.graph().cycle()
    if circle:
        yield Breach(
            "import-cycle",
            f"services/{circle[0]}",
            f"Imports run in a circle: {' → '.join(circle)}.",
            "Break it: let one of them use the other instead of importing it.",
        )


def _import_versions(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        named = {
            (one.current_service_version, one.target_service.rpartition("/")[2])
            for one in facts.imported_versions
        }
        for version in facts.versions:
            for imported in sorted(facts.imports):
                if (version, imported) not in named:
                    yield Breach(
                        "import-version-missing",
                        f"services/{service}",
                        f"{service} {version} does not say which version of {imported} it uses.",
                        "Add it to importedVersions.",
                    )


def _import_versions_known(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        for one in facts.imported_versions:
            target = one.target_service.rpartition("/")[2]
            if target not in facts.imports:
                reason = f"{service} names a version of {target}, which it does not import."
            elif one.current_service_version not in facts.versions:
                reason = f"{service} has no version '{one.current_service_version}'."
            elif (
                target in picture.services
                and one.target_service_version not in picture.services[target].versions
            ):
                reason = (
                    f"{service} {one.current_service_version} uses {target} {one.target_service_version}, "
                    "which does not exist."
                )
            else:
                continue
            yield Breach("import-version-unknown", f"services/{service}", reason, "Mend importedVersions.")


def _versions_well_formed(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        for version in facts.versions:
            if not VERSION.fullmatch(version):
                yield Breach(
                    "version-pattern",
                    f"services/{service}",
                    f"'{version}' is not a version.",
                    VERSION_FORMS,
                )


def _region_known(picture: Picture) -> Iterator[Breach]:
    remedy = "Let the registry's own service make the region first."
    for service, region in sorted(picture.deployments):
        where = f"services/{service}/deployments/{region}"
        if region not in picture.regions:
            sentence = f"{where} is in region {region}, which does not exist."
            yield Breach("region-unknown", where, sentence, remedy)
    for service, facts in sorted(picture.services.items()):
        for region in sorted(set(facts.policy.enabled_regions) - picture.regions):
            sentence = f"The policy of {service} enables region {region}, which does not exist."
            yield Breach("region-unknown", f"services/{service}", sentence, remedy)


def _service_known(picture: Picture) -> Iterator[Breach]:
    for service, region in sorted(picture.deployments):
        if service not in picture.services:
            where = f"services/{service}/deployments/{region}"
            yield Breach("service-unknown", where, f"{where} is of a service that does not exist.")


def _version_known(picture: Picture) -> Iterator[Breach]:
    for (service, region), facts in sorted(picture.deployments.items()):
        versions = picture.services[service].versions if service in picture.services else ()
        where = f"services/{service}/deployments/{region}"
        for label, version in (("runs", facts.current_version), ("upgrades to", facts.upgrading_to)):
            if version and version not in versions and service in picture.services:
                yield Breach(
                    "version-in-use",
                    where,
                    f"{where} {label} {version}, which is not among the versions of {service}.",
                    "Known versions: " + (", ".join(versions) or "none"),
                )


def _policy_follows(picture: Picture) -> Iterator[Breach]:
    for service, region in sorted(picture.deployments):
        facts = picture.services.get(service)
        if facts is not None and region not in facts.policy.enabled_regions:
            yield Breach(
                "region-not-enabled",
                f"services/{service}",
                f"{service} is deployed in {region}, but its policy does not enable that region.",
                "Add the region to multiRegionPolicy.enabledRegions.",
            )


def _control_enabled(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        control = facts.policy.default_control_region
        if control and control not in facts.policy.enabled_regions:
            yield Breach(
                "control-region-not-enabled",
                f"services/{service}",
                f"{service} is controlled from {control}, which its policy does not enable.",
                "Choose a control region among the enabled ones.",
            )


RULES: tuple[RegistryRule, ...] = (
    RegistryRule(
        "import-not-in-region",
        "A service imports another only if that one is deployed in every region where the importer is.",
        _import_everywhere,
    ),
    RegistryRule(
        "import-unknown-service", "What is imported, used or followed is registered.", _import_known
    ),
    RegistryRule("import-cycle", "Imports never run in a circle.", _import_acyclic),
    RegistryRule(
        "import-version-missing",
        "Every version says which version of each import it uses.",
        _import_versions,
    ),
    RegistryRule("import-version-unknown", "The versions an import names exist.", _import_versions_known),
    RegistryRule("version-pattern", VERSION_FORMS, _versions_well_formed),
    RegistryRule("region-unknown", "Deployments and policies name regions that exist.", _region_known),
    RegistryRule("service-unknown", "A deployment belongs to a service that exists.", _service_known),
    RegistryRule(
        "version-in-use", "A deployment runs, and moves to, a version its service has.", _version_known
    ),
    RegistryRule(
        "region-not-enabled", "A service's policy enables every region it is deployed in.", _policy_follows
    ),
    RegistryRule(
        "control-region-not-enabled",
        "The region that controls a service is one that its policy enables.",
        _control_enabled,
    ),
)


def breaches(picture: Picture) -> tuple[Breach, ...]:
    """List every place where a rule does not hold."""
    return tuple(breach for rule in RULES for breach in rule.check(picture))


def check_change(before: Picture, after: Picture) -> None:
    """Let a change pass when it brings no new breach.

    Raises: Conflict with the first rule's name as its code, and one violation per breach.
    """
    found = breaches(after)
    if not found:
        return
    known = set(breaches(before))
    fresh = [breach for breach in found if breach not in known]
    if fresh:
        raise Conflict(
            " ".join(breach.sentence for breach in fresh[:5]),
            code=fresh[0].rule,
            remedy=fresh[0].remedy,
            violations=tuple(
                Violation(breach.where, breach.sentence, breach.remedy, breach.rule) for breach in fresh
            ),
        )
