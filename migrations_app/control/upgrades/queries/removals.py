"""What the new version of an upgrade does not have of the old one: how much is stored, who calls it, who accepted it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.adapters.store.questioning import StoredQuestions
from migrations_app.control.approval_policies.repository.approvals import fingerprint_of
from migrations_app.control.definition_changes.repository.usage import VersionUsage
from migrations_app.control.definition_changes.repository.waivers import waiver_as_json
from migrations_app.control.schemas.queries.kept_types import kept_type_as_json
from migrations_app.control.schemas.repository.compatibility import RemovalFinding, removals_of
from migrations_app.control.schemas.repository.kept_types import kept_types_of, state_of_kept
from migrations_app.control.upgrade_state.repository.upgrades import record_of
from migrations_app.control.upgrades.queries.upgrades import find
from migrations_app.domain.access import Actor
from migrations_app.domain.compatibility.places import occurrences
from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.domain.compatibility.stored import CountRequest, StoredCount, StoredKind
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.switch.data_guards import unknown_removals
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.kernel.errors import Busy, Conflict, Invalid, Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.kernel.wordings import sentence_as_json
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.namespaces import Namespace
from migrations_app.wiring import databases


def removals(actor: Actor, upgrade_id: str) -> list[Json]:
    """List what the new version does not have, each with what is stored of it and its acceptance.

    Raises: Missing (`upgrade-missing`), Denied, Conflict (`removals-unknown`).
    """
    row = find(actor, upgrade_id)
    if row.kind != UpgradeKind.VERSION.value:
        return []
    fingerprint = fingerprint_of(row.service) or ""
    found = removals_of(row.service, fingerprint, row.from_version, row.to_version)
    if found is None:
        raise Conflict(
            unknown_removals(row.from_version, row.to_version),
            code="removals-unknown",
            remedy=message("Apply a definition of the service that has both versions."),
        )
    if not found:
        return []
    counted = StoredRemovals.of(row.service, record_of(row).source)
    usage, kept = VersionUsage(row.service, row.from_version), _kept(row)
    return [_shown(each, counted, usage, kept) for each in found]


def removal_sentences(
    service: str, fingerprint: str, source: Namespace, target: str
) -> Iterator[WordedMessage]:
    """Say before an upgrade what a switch asks a person to accept; kept types are said elsewhere."""
    found = removals_of(service, fingerprint, source.version, target)
    if found is None:
        # Without a definition the data are moved elsewhere, and so is the switch decided on.
        stops = message("No switch is possible until it can.") if fingerprint else NOTHING
        yield unknown_removals(source.version, target) + stops
        return
    stored = StoredRemovals.of(service, source) if found else None
    for each in found:
        if each.rule is CompatibilityRule.RESOURCE_REMOVED or stored is None:
            continue
        yield (
            each.lacking_in(target)
            + _stored_words(each.rule, stored.count(each))
            + (NOTHING if each.is_accepted else message("Accept it before the switch."))
        )


def _stored_words(rule: CompatibilityRule, count: StoredCount | None) -> WordedMessage:
    """Say how much is stored of a removal, where its kind is stored."""
    if rule not in (CompatibilityRule.SYMBOL_REMOVED, CompatibilityRule.PATTERN_REMOVED):
        return NOTHING
    if count is None:
        return message("It is unknown how many resources that are.")
    if rule is CompatibilityRule.SYMBOL_REMOVED:
        return count.words + message("Those that hold it pass as they are.")
    return count.words + message("Those that are named so cannot be copied.")


@dataclass(frozen=True, slots=True)
class StoredRemovals:
    """Counts the resources that a removal is about, in the namespace of the version that has it."""

    compiled: CompiledService
    source: Namespace
    questions: StoredQuestions

    @classmethod
    def of(cls, service: str, source: Namespace) -> StoredRemovals | None:
        """Prepare counting; None when the definition cannot be read."""
        try:
            return cls(compiled_service(service), source, StoredQuestions(databases()))
        except (Invalid, Missing):
            return None

    def count(self, removal: RemovalFinding) -> StoredCount | None:
        """Count; None for what is not stored, or cannot be counted now."""
        try:
            match removal.rule:
                case CompatibilityRule.RESOURCE_REMOVED:
                    many = self.questions.resources(self.source, removal.path)
                    return StoredCount(many, many, many)
                case CompatibilityRule.PATTERN_REMOVED:
                    return self.questions.misnamed(self.source, removal.path, self._named(removal))
                case CompatibilityRule.SYMBOL_REMOVED:
                    return self._symbols(removal)
                case _:
                    return None
        except (Busy, Missing):
            return None

    def _symbols(self, removal: RemovalFinding) -> StoredCount | None:
        places = occurrences(self.compiled.schema(self.source.version), removal.path)
        symbols = tuple(removal.what.split(", "))
        total: StoredCount | None = None
        for place in places:
            asked = CountRequest(StoredKind.SYMBOL, place, symbols=symbols)
            found = self.questions.ask(self.source, place.resource, [asked])[asked]
            total = found if total is None else total.plus(found)
        return total

    def _named(self, removal: RemovalFinding) -> list[str]:
        """Write the patterns that stay as regular expressions."""
        gone = set(removal.what.split(", "))
        resource = self.compiled.schema(self.source.version).resource(removal.path)
        stay = [text for text in resource.patterns if text not in gone]
        return [f"^{re.sub(r'[{][^}]+[}]', '[^/]+', text.replace('.', '[.]'))}$" for text in stay]


def _kept(row: Upgrade) -> dict[str, Json]:
    try:
        found = kept_types_of(row.deployment)
    except (Busy, Missing):
        return {}
    version = row.from_version
    return {
        each.kept.type: kept_type_as_json(state_of_kept(each))
        for each in found
        if each.kept.version == version
    }


def _shown(
    removal: RemovalFinding, counted: StoredRemovals | None, usage: VersionUsage, kept: dict[str, Json]
) -> JsonObject:
    count = None if counted is None else counted.count(removal)
    callers: list[Json] = []
    if removal.rule is CompatibilityRule.METHOD_REMOVED:
        callers += sorted({each.name for each in usage.of_method(removal.path).callers})
    elif removal.rule is CompatibilityRule.RESOURCE_REMOVED:
        callers += sorted({each.name for each in usage.of_types([removal.path]).callers})
    now = timezone.now()
    return {
        "rule": str(removal.rule),
        "path": removal.path,
        "what": removal.what,
        **sentence_as_json(removal.words),
        "stored": None if count is None else count.estimate,
        "is_estimate": count is not None and count.is_sample,
        "callers": callers,
        "accepted": removal.is_accepted,
        "waiver": waiver_as_json(removal.waiver, now) if removal.waiver else None,
        "kept": kept.get(removal.path) if removal.rule is CompatibilityRule.RESOURCE_REMOVED else None,
    }
