"""Decides whether a definition may take the place of the served one: compared, counted, and held against evidence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from migrations_app.adapters import definitions
from migrations_app.adapters.repositories.places import namespace_of
from migrations_app.adapters.store.questioning import StoredQuestions
from migrations_app.control.definition_changes.repository.usage import VersionUsage
from migrations_app.domain.compatibility.decisions import (
    ChangeDecision,
    DefinitionDifference,
    decide,
    differences,
)
from migrations_app.domain.compatibility.in_place.advice import ChangeAdvice, advise_on
from migrations_app.domain.compatibility.report import CompatibilityRule, VersionDifference, Weight
from migrations_app.domain.compatibility.stored import CountRequest, StoredCount
from migrations_app.domain.conversion.stored_types import KeptType
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Invalid
from migrations_app.models import registry as rows
from migrations_app.ports.namespaces import Namespace
from migrations_app.wiring import databases

_NAMES = (CompatibilityRule.PATTERN_REMOVED, CompatibilityRule.ID_PATTERN_CHANGED)
_METHODS = (CompatibilityRule.METHOD_REMOVED, CompatibilityRule.METHOD_CHANGED)


@dataclass(frozen=True, slots=True)
class Decided:
    """The decisions on a definition, and the fingerprint of the one that they compare it with; none without one.

    `deployments` are those of its service, in number.
    """

    against: str | None
    decisions: tuple[ChangeDecision, ...] = ()
    deployments: int = 0

    @property
    def advice(self) -> ChangeAdvice | None:
        """Weigh the change as a whole against a new version."""
        return advise_on(self.decisions, self.deployments)


def decisions_on(given: ServiceFolder) -> Decided:
    """Decide on everything in which a folder differs from the definition of a service that is deployed.

    Raises: Busy (`database-busy`).
    """
    against = definitions.current_fingerprint(given.service)
    places = _places(given.service)
    deployments = rows.Deployment.objects.filter(service_id=given.service).count()
    if against is None or not deployments:
        return Decided(against)
    try:
        served = definitions.folder(given.service, against)
    except Invalid:
        # Nothing can be served from it, so nothing stands against a definition that can be read.
        return Decided(against)
    questions = StoredQuestions(databases())
    found: list[ChangeDecision] = []
    for version, old in served.schemas.items():
        stored = [each for each in places if each.version == version]
        new = given.schemas.get(version)
        if new is None:
            found.append(_removed(old, stored, places, questions))
            continue
        differing = differences(old, new, given.unknown_keys or definitions.default_of(given.service))
        if differing:
            told = _stored_counts(differing, stored, questions)
            usage = VersionUsage(given.service, version)
            kept = _Kept(version, places, questions)
            found += [_decided(each, told, usage, (old, new), stored, kept) for each in differing]
    return Decided(against, tuple(found), deployments)


def _decided(
    difference: DefinitionDifference,
    told: Mapping[CountRequest, StoredCount],
    usage: VersionUsage,
    schemas: tuple[Schema, Schema],
    stored: Sequence[Namespace],
    kept: _Kept,
) -> ChangeDecision:
    questions = kept.questions
    if difference.places:
        return decide(difference, told, usage.of_places(difference.places))
    if difference.rule in _METHODS:
        return decide(difference, told, usage.of_method(difference.path.partition(".")[0]))
    type_ = difference.path.partition(".")[0]
    resources = 0
    if difference.rule is CompatibilityRule.RESOURCE_REMOVED:
        resources = sum(questions.resources(each, type_) for each in stored) + kept.resources([type_])
    elif difference.rule in _NAMES:
        patterns = _expressions(schemas[1], type_)
        resources = sum(questions.misnamed(each, type_, patterns).estimate for each in stored)
    return decide(difference, told, usage.of_types([type_]), resources)


@dataclass(frozen=True, slots=True)
class _Kept:
    """Counts what deployments that serve another version keep of one: nothing would serve it without its definition."""

    version: str
    places: Sequence[Namespace]
    questions: StoredQuestions

    def resources(self, types: Iterable[str]) -> int:
        """Count the kept resources of some types."""
        current = dict(rows.Deployment.objects.values_list("name", "current_version"))
        serving = [
            each
            for each in self.places
            if each.version != self.version and current.get(each.deployment) == each.version
        ]
        return sum(
            self.questions.resources(each, KeptType(type_, self.version).stored)
            for each in serving
            for type_ in types
        )


def _removed(
    old: Schema, stored: Sequence[Namespace], places: Sequence[Namespace], questions: StoredQuestions
) -> ChangeDecision:
    """Decide on a version that the folder has no more."""
    found = VersionDifference(
        CompatibilityRule.VERSION_REMOVED, Weight.BREAK, old.version, old.version, "", "", "client first"
    )
    difference = DefinitionDifference(old.version, CompatibilityRule.VERSION_REMOVED, old.version, (found,))
    resources = sum(questions.resources(each, type_) for each in stored for type_ in old.resources)
    resources += _Kept(old.version, places, questions).resources(old.resources)
    return decide(difference, {}, VersionUsage(old.service, old.version).of_types(()), resources)


def _stored_counts(
    differing: Iterable[DefinitionDifference], stored: Sequence[Namespace], questions: StoredQuestions
) -> dict[CountRequest, StoredCount]:
    """Ask every place of data once for each type, with all questions about it."""
    by_type: dict[str, list[CountRequest]] = defaultdict(list)
    for each in differing:
        for asked in each.asked:
            by_type[asked.at.resource].append(asked)
    told: dict[CountRequest, StoredCount] = {}
    for namespace in stored:
        for type_, asked_of in by_type.items():
            for asked, answer in questions.ask(namespace, type_, asked_of).items():
                told[asked] = told[asked].plus(answer) if asked in told else answer
    return told


def _places(service: str) -> list[Namespace]:
    kept = rows.Namespace.objects.filter(deployment__service_id=service).select_related("deployment")
    return [namespace_of(each, each.deployment.ring) for each in kept]


def _expressions(schema: Schema, type_: str) -> list[str]:
    """Write the patterns of a type as regular expressions."""
    resource = schema.resource(type_)

    def _part(match: re.Match[str]) -> str:
        given = resource.id_patterns.get(match[1])
        return f"({given})" if given else "[^/]+"

    return ["^" + re.sub(r"\{([^}]+)\}", _part, text.replace(".", r"\.")) + "$" for text in resource.patterns]
