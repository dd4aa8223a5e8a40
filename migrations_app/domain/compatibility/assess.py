"""Two versions of a service assessed: what differs, what their conversions handle, and what those may lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from migrations_app.domain.compatibility.analyse import Setting, Watch, compare, unwatched
from migrations_app.domain.compatibility.buf import Category
from migrations_app.domain.compatibility.removals import removal, removed_patterns, removed_symbols
from migrations_app.domain.compatibility.report import (
    ClientClass,
    CompatibilityRule,
    Report,
    VersionDifference,
    Weight,
)
from migrations_app.domain.compatibility.statuses import OutcomePolicy
from migrations_app.domain.compatibility.transforms import declared
from migrations_app.domain.compatibility.wire import WireFinding, compare_wire
from migrations_app.domain.conversion.edges import CompiledEdge
from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.reports.loss import Loss, losses
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.methods import custom_methods
from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, counted, message
from migrations_app.kernel.wordings import all_phrases_as_json, sentence_as_json


@dataclass(frozen=True, slots=True)
class Assessment:
    """A report and the losses of the conversions that stand between the versions."""

    report: Report
    losses: tuple[Loss, ...]
    setting: Setting
    wire: tuple[WireFinding, ...] = ()

    @property
    def verdict(self) -> str:
        """`same`, `compatible`, `handled` by conversions, or `breaking`."""
        if self.report.breaking or self.wire:
            return "breaking"
        if any(each.weight in (Weight.BREAK, Weight.STAGED) for each in self.report.differences):
            return "handled"
        return "compatible" if self.report.differences else "same"

    @property
    def words(self) -> WordedMessage:
        """The verdict in words."""
        before, after = self.report.before, self.report.after
        if self.verdict == "same":
            return message("{before} → {after}: nothing differs.", before=before, after=after)
        if self.verdict == "compatible":
            return counted(
                len(self.report.differences),
                "{before} → {after}: {count} difference, not breaking.",
                "{before} → {after}: {count} differences, none of them breaking.",
                before=before,
                after=after,
            )
        if self.verdict == "breaking":
            return counted(
                len(self.report.breaking) + len(self.wire),
                "{before} → {after}: {count} difference would break clients or servers.",
                "{before} → {after}: {count} differences would break clients or servers.",
                before=before,
                after=after,
            )
        handled = message(
            "{before} → {after}: the conversions handle what would break.", before=before, after=after
        )
        lost = sum(each.kept == "no" for each in self.losses)
        if not lost:
            return handled
        return handled + counted(
            lost, "{count} value is given up on the way.", "{count} values are given up on the way."
        )

    @property
    def sentence(self) -> str:
        """Give the verdict in words as a text."""
        return str(self.words)


def assess(
    compiled: CompiledService,
    before: str,
    after: str,
    setting: Setting | None = None,
    watch: Watch = unwatched,
) -> Assessment:
    """Assess two versions between which the server converts; the conversions must compile.

    Raises: Missing (`version`), Invalid (`versions`) when both are one.
    """
    old, new = compiled.schema(before), compiled.schema(after)
    if before == after:
        raise Invalid(message("Compare two different versions."), code="versions")
    # A compiled chain of edges assesses every field, so clients of a version only ever see that version.
    given = replace(setting or Setting(), handled=lambda path: bool(compiled.edges))
    between = [
        edge for ends, edge in compiled.edges.items() if _lies_between(compiled, ends, (before, after))
    ]
    report = compare(old, new, given, watch)
    edges = [edge.edge for edge in between]
    found = [_declared(edges, each) if each.handled else each for each in report.differences]
    if old.ordinal < new.ordinal:
        # On the inverse a removal is what the newer version added.
        found = list(_with_removals(compiled, (before, after), found, between))
    lost = tuple(loss for edge in between for loss in losses(edge))
    return Assessment(replace(report, differences=tuple(found)), lost, given)


def _declared(edges: list[Edge], found: VersionDifference) -> VersionDifference:
    """Show the op that handles a difference; a symbol that no op speaks of passes as it is, which handles nothing."""
    lines = declared(edges, found)
    if found.rule is CompatibilityRule.SYMBOL_REMOVED and not lines:
        return replace(found, handled=False)
    return replace(found, transform=lines)


def _with_removals(
    compiled: CompiledService,
    ends: tuple[str, str],
    found: list[VersionDifference],
    between: list[CompiledEdge],
) -> Iterator[VersionDifference]:
    """Let what the newer version has nothing for be a finding that a person accepts.

    The edge says that it goes, which makes nothing good: its clients have nothing left to move to.
    """
    patterns = [each for edge in between for each in removed_patterns(edge)]
    unmapped = {(each.path, text) for each in patterns for text in each.before.split(", ")}
    methods = {
        each.name
        for each in custom_methods(compiled.schema(ends[0]))
        if not _goes_on(compiled, each.name, ends)
    }
    edges = [edge.edge for edge in between]
    decided = {
        each.path
        for each in found
        if each.rule is CompatibilityRule.SYMBOL_REMOVED and each.handled and "rest:" in each.transform
    }
    for each in found:
        match each.rule:
            case CompatibilityRule.SYMBOL_REMOVED if not between:
                yield removal(CompatibilityRule.SYMBOL_REMOVED, each.path, each.before)
            case CompatibilityRule.SYMBOL_REMOVED if each.path not in decided:
                continue
            case CompatibilityRule.PATTERN_REMOVED if (each.path, each.before) in unmapped:
                continue
            case CompatibilityRule.METHOD_REMOVED if each.path in methods:
                continue
            case CompatibilityRule.RESOURCE_REMOVED if _is_kept(compiled, each.path, ends):
                yield replace(each, handled=False, weight=Weight.BREAK)
            case _:
                yield each
    symbols = [
        each
        for edge in between
        for each in removed_symbols(
            edge, compiled.schema(edge.edge.source), compiled.schema(edge.edge.target)
        )
        # Where an op says what becomes of the rest, it is decided.
        if each.path not in decided
    ]
    gone = [removal(CompatibilityRule.METHOD_REMOVED, name, name) for name in sorted(methods)]
    yield from (replace(each, transform=declared(edges, each)) for each in (*gone, *patterns, *symbols))


def _is_kept(compiled: CompiledService, type_: str, ends: tuple[str, str]) -> bool:
    """Tell whether a type has no counterpart, so that it is only kept."""
    return any(kept_type(each.target_type or "") for each in compiled.stored.routes(type_, *ends))


def _goes_on(compiled: CompiledService, method: str, ends: tuple[str, str]) -> bool:
    try:
        compiled.method(method, *ends)
    except SwitchyardError:
        return False
    return True


def assess_in_place(old: Schema, new: Schema, setting: Setting | None = None) -> Assessment:
    """Assess a version before and after a change in place, which nothing converts.

    Where the types have wire numbers, clients that speak the binary form are counted in.
    """
    given = setting or Setting(lens=False)
    return Assessment(compare(old, new, given), (), given, compare_wire(old, new))


def document(assessment: Assessment) -> JsonObject:
    """Write an assessment as JSON."""
    report, setting = assessment.report, assessment.setting
    counts = Counter(str(each.weight) for each in report.differences if not each.handled)
    classes = Counter(str(one) for each in report.differences for one in each.classes)
    return {
        "service": report.service,
        "before": report.before,
        "after": report.after,
        "client": str(setting.client),
        "server": str(setting.server),
        "policy": "loss-ok" if setting.policy is OutcomePolicy.LOSS_OK else "no-loss",
        "verdict": assessment.verdict,
        **sentence_as_json(assessment.words),
        "counts": {str(weight): counts[str(weight)] for weight in Weight},
        "classes": {str(each): classes[str(each)] for each in ClientClass},
        "buf": {str(each): sum(each in one.buf for one in report.differences) for each in Category},
        "findings": [_finding(each) for each in report.differences],
        "losses": [
            {"way": each.way, "path": each.path, "op": each.op, "kept": each.kept}
            for each in assessment.losses
        ],
        "wire": [
            {
                "rule": str(each.rule),
                "type": each.type,
                "number": each.number,
                "before": each.before,
                "after": each.after,
            }
            for each in assessment.wire
        ],
    }


def _finding(found: VersionDifference) -> JsonObject:
    return {
        "rule": str(found.rule),
        "weight": str(found.weight),
        "classes": [str(one) for one in found.classes],
        "buf": [str(one) for one in found.buf],
        "path": found.path,
        "where": found.where,
        "before": str(found.before),
        "after": str(found.after),
        "order": str(found.order),
        "plan": list(found.plan),
        "transform": found.transform,
        "reasons": [*map(str, found.reasons)],
        "reason_phrases": all_phrases_as_json(found.reasons),
        "losing_updates": [str(update) for update in found.losing],
        "handled": found.handled,
        "advice": found.advice,
    }


def _lies_between(compiled: CompiledService, edge: tuple[str, str], ends: tuple[str, str]) -> bool:
    order = {version: place for place, version in enumerate(compiled.versions)}
    low, high = sorted(order[each] for each in ends)
    return all(low <= order[each] <= high for each in edge)
