"""The rules the registry enforces: each has a name, a sentence and a check over the whole picture.

A change is refused for the breaches it brings, never for those that were there before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from migrations_app.domain.registry.names import VERSION, VERSION_FORMS
from migrations_app.domain.registry.picture import Picture
from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, message


@dataclass(frozen=True, slots=True)
class Breach:
    """One place where a rule does not hold."""

    rule: str
    where: str
    sentence: WordedMessage
    remedy: WordedMessage = NOTHING


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
                    message(
                        "{service} imports {imported}, which is not deployed in {region}.",
                        service=service,
                        imported=imported,
                        region=region,
                    ),
                    message(
                        "Deploy {imported} in {region} first, or keep {service} out of it.",
                        imported=imported,
                        region=region,
                        service=service,
                    ),
                )


def _import_known(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        for is_import, others in ((True, facts.imports), (False, facts.uses)):
            for other in sorted(others - picture.services.keys()):
                names = {"service": service, "other": other}
                yield Breach(
                    "import-unknown-service",
                    f"services/{service}",
                    message("{service} imports {other}, which is not registered.", **names)
                    if is_import
                    else message("{service} uses {other}, which is not registered.", **names),
                    message("Register {other} first.", other=other),
                )
        if facts.leading and facts.leading not in picture.services:
            yield Breach(
                "import-unknown-service",
                f"services/{service}",
                message(
                    "{service} is led by {leading}, which is not registered.",
                    service=service,
                    leading=facts.leading,
                ),
                message("Register {leading} first.", leading=facts.leading),
            )


def _import_acyclic(picture: Picture) -> Iterator[Breach]:
    circle = picture.graph().cycle()
    if circle:
        yield Breach(
            "import-cycle",
            f"services/{circle[0]}",
            message("Imports form a cycle: {names}.", names=" → ".join(circle)),
            message("Break it: let one of them use the other instead of importing it."),
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
                        message(
                            "{service} {version} does not say which version of {imported} it uses.",
                            service=service,
                            version=version,
                            imported=imported,
                        ),
                        message("Add it to importedVersions."),
                    )


def _import_versions_known(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        for one in facts.imported_versions:
            target = one.target_service.rpartition("/")[2]
            if target not in facts.imports:
                reason = message(
                    "{service} names a version of {target}, which it does not import.",
                    service=service,
                    target=target,
                )
            elif one.current_service_version not in facts.versions:
                reason = message(
                    "{service} has no version '{version}'.",
                    service=service,
                    version=one.current_service_version,
                )
            elif (
                target in picture.services
                and one.target_service_version not in picture.services[target].versions
            ):
                reason = message(
                    "{service} {version} uses {target} {target_version}, which does not exist.",
                    service=service,
                    version=one.current_service_version,
                    target=target,
                    target_version=one.target_service_version,
                )
            else:
                continue
            yield Breach(
                "import-version-unknown", f"services/{service}", reason, message("Fix importedVersions.")
            )


def _versions_well_formed(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        for version in facts.versions:
            if not VERSION.fullmatch(version):
                yield Breach(
                    "version-pattern",
                    f"services/{service}",
                    message("'{version}' is not a version.", version=version),
                    WordedMessage((Phrase(VERSION_FORMS),)),
                )


def _region_known(picture: Picture) -> Iterator[Breach]:
    remedy = message("Let the registry's own service make the region first.")
    for service, region in sorted(picture.deployments):
        where = f"services/{service}/deployments/{region}"
        if region not in picture.regions:
            sentence = message(
                "{where} is in region {region}, which does not exist.", where=where, region=region
            )
            yield Breach("region-unknown", where, sentence, remedy)
    for service, facts in sorted(picture.services.items()):
        for region in sorted(set(facts.policy.enabled_regions) - picture.regions):
            sentence = message(
                "The policy of {service} enables region {region}, which does not exist.",
                service=service,
                region=region,
            )
            yield Breach("region-unknown", f"services/{service}", sentence, remedy)


def _service_known(picture: Picture) -> Iterator[Breach]:
    for service, region in sorted(picture.deployments):
        if service not in picture.services:
            where = f"services/{service}/deployments/{region}"
            yield Breach(
                "service-unknown", where, message("{where} is of a service that does not exist.", where=where)
            )


def _version_known(picture: Picture) -> Iterator[Breach]:
    for (service, region), facts in sorted(picture.deployments.items()):
        versions = picture.services[service].versions if service in picture.services else ()
        where = f"services/{service}/deployments/{region}"
        for runs, version in ((True, facts.current_version), (False, facts.upgrading_to)):
            if version and version not in versions and service in picture.services:
                names = {"where": where, "version": version, "service": service}
                yield Breach(
                    "version-in-use",
                    where,
                    message("{where} runs {version}, which is not among the versions of {service}.", **names)
                    if runs
                    else message(
                        "{where} upgrades to {version}, which is not among the versions of {service}.",
                        **names,
                    ),
                    message("Known versions: {names}", names=", ".join(versions))
                    if versions
                    else message("It has no version."),
                )


def _policy_follows(picture: Picture) -> Iterator[Breach]:
    for service, region in sorted(picture.deployments):
        facts = picture.services.get(service)
        if facts is not None and region not in facts.policy.enabled_regions:
            yield Breach(
                "region-not-enabled",
                f"services/{service}",
                message(
                    "{service} is deployed in {region}, but its policy does not enable that region.",
                    service=service,
                    region=region,
                ),
                message("Add the region to multiRegionPolicy.enabledRegions."),
            )


def _control_enabled(picture: Picture) -> Iterator[Breach]:
    for service, facts in sorted(picture.services.items()):
        control = facts.policy.default_control_region
        if control and control not in facts.policy.enabled_regions:
            yield Breach(
                "control-region-not-enabled",
                f"services/{service}",
                message(
                    "{service} is controlled from {control}, which its policy does not enable.",
                    service=service,
                    control=control,
                ),
                message("Choose a control region among the enabled ones."),
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
    RegistryRule("import-cycle", "Imports never form a cycle.", _import_acyclic),
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
    known = breaches(before)
    fresh = [breach for breach in found if breach not in known]
    if fresh:
        raise Conflict(
            sum((breach.sentence for breach in fresh[:5]), NOTHING),
            code=fresh[0].rule,
            remedy=fresh[0].remedy,
            violations=tuple(
                Violation(breach.where, breach.sentence, breach.remedy, breach.rule) for breach in fresh
            ),
        )
