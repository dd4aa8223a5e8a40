"""Whether a definition may take the place of the one that is served: one decision for each thing that differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from migrations_app.domain.compatibility.analyse import Setting, compare
from migrations_app.domain.compatibility.client_usage import ClientUsage
from migrations_app.domain.compatibility.phases import ChangePhase, phases_of
from migrations_app.domain.compatibility.places import FieldOccurrence, field_at, occurrences
from migrations_app.domain.compatibility.report import CompatibilityRule, VersionDifference
from migrations_app.domain.compatibility.statuses import OutcomePolicy, Status, Strategy
from migrations_app.domain.compatibility.stored import CountRequest, StoredCount, StoredKind, fitting
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import UnknownKeys
from migrations_app.kernel.messages import WordedMessage, message


class ChangeVerdict(IntEnum):
    """What a decision comes to, from the lightest to the heaviest."""

    ALLOWED = 0
    NEEDS_STEPS = 1
    NEEDS_DATA_TASK = 2
    REFUSED = 3

    @property
    def word(self) -> str:
        """The word that answers use."""
        return self.name.lower().replace("_", "-")


_CLIENT_FIRST = ("client first", "staged")
_TYPES = (CompatibilityRule.TYPE_WIDENED, CompatibilityRule.TYPE_NARROWED, CompatibilityRule.TYPE_REPLACED)
_ASKING: Mapping[CompatibilityRule, tuple[StoredKind, ...]] = {
    CompatibilityRule.KEY_REMOVED: (StoredKind.HOLDING,),
    CompatibilityRule.KEY_ADDED: (StoredKind.MISFIT,),
    CompatibilityRule.KEY_ADDED_REQUIRED: (StoredKind.LACKING, StoredKind.MISFIT),
    CompatibilityRule.KEY_STATUS: (StoredKind.LACKING,),
    CompatibilityRule.UNIT_CHANGED: (StoredKind.HOLDING,),
    **dict.fromkeys(_TYPES, (StoredKind.HOLDING, StoredKind.MISFIT)),
}


@dataclass(frozen=True, slots=True)
class DefinitionDifference:
    """One thing that differs between the served definition of a version and the one given, and what is asked of it."""

    version: str
    rule: CompatibilityRule
    path: str
    differences: tuple[VersionDifference, ...]
    places: tuple[FieldOccurrence, ...] = ()
    asked: tuple[CountRequest, ...] = ()
    sunset: str | None = None
    server: Strategy = Strategy.FILTER

    @property
    def change(self) -> str:
        """What changes, in words."""
        sides = [
            f"{each.before} → {each.after} ({each.where})"
            for each in self.differences
            if each.before or each.after
        ]
        reasons = [str(reason) for each in self.differences for reason in each.reasons]
        return "; ".join(dict.fromkeys((*(each.removesuffix(" ()") for each in sides), *reasons)))

    @property
    def makes_required(self) -> bool:
        """Whether requests must have a key that they needed not have."""
        return self.rule is CompatibilityRule.KEY_ADDED_REQUIRED or any(
            each.where == "request" and each.after == Status.REQUIRED.name.lower()
            for each in self.differences
        )


@dataclass(frozen=True, slots=True)
class ChangeDecision:
    """What becomes of one difference, why, and what was counted."""

    difference: DefinitionDifference
    verdict: ChangeVerdict
    words: tuple[WordedMessage, ...]
    counts: Mapping[StoredKind, StoredCount]
    seen: ClientUsage

    @property
    def reasons(self) -> tuple[str, ...]:
        """Give the reasons as texts."""
        return tuple(map(str, self.words))

    @property
    def advice(self) -> str:
        """What to do about it."""
        if self.verdict is ChangeVerdict.ALLOWED:
            return ""
        return self.difference.differences[0].advice

    @property
    def phases(self) -> tuple[ChangePhase, ...]:
        """The cheapest plan over servers and clients, where neither can make the change alone."""
        if self.verdict is ChangeVerdict.ALLOWED:
            return ()
        return phases_of(self.difference.differences, self.difference.server, self.seen)

    @property
    def steps(self) -> tuple[str, ...]:
        """Who does what, one after the other."""
        return tuple(dict.fromkeys(step for each in self.difference.differences for step in each.plan))


def differences(old: Schema, new: Schema, unknown: UnknownKeys | None) -> tuple[DefinitionDifference, ...]:
    """Compare a version with what it is to become in place."""
    if old == new:
        return ()
    server = Strategy.FILTER if unknown in (None, UnknownKeys.DROP) else Strategy(str(unknown))
    # A client that does not know a key that is new in answers leaves it out: no client waits for that.
    setting = Setting(Strategy.FILTER, server, OutcomePolicy.LOSS_OK, lens=False)
    grouped: dict[tuple[CompatibilityRule, str], list[VersionDifference]] = {}
    for each in compare(old, new, setting).differences:
        grouped.setdefault((each.rule, each.path), []).append(each)
    return tuple(
        replace(_difference(old, new, rule, path, tuple(found)), server=server)
        for (rule, path), found in grouped.items()
    )


def _difference(
    old: Schema, new: Schema, rule: CompatibilityRule, path: str, found: tuple[VersionDifference, ...]
) -> DefinitionDifference:
    places = occurrences(old, path) or occurrences(new, path)
    kinds = _ASKING.get(rule, ())
    if rule is CompatibilityRule.KEY_STATUS and not any(each.after == "required" for each in found):
        kinds = ()
    asked: list[CountRequest] = []
    sunset: str | None = None
    for place in places:
        after = field_at(new, place.resource, place.segments)
        before = field_at(old, place.resource, place.segments)
        if before is not None and before.deprecated is not None:
            sunset = before.deprecated.sunset
        fits = None if after is None else fitting(new, after)
        asked += [
            CountRequest(kind, place, fits)
            for kind in kinds
            if kind is not StoredKind.MISFIT or fits is not None
        ]
    return DefinitionDifference(old.version, rule, path, found, places, tuple(asked), sunset)


def decide(
    difference: DefinitionDifference,
    told: Mapping[CountRequest, StoredCount],
    seen: ClientUsage,
    resources: int = 0,
) -> ChangeDecision:
    """Decide on a difference from what is stored and what clients were seen to do.

    `resources` is how many of a removed type, or of a removed version, are stored.
    """
    sums: dict[StoredKind, StoredCount] = {}
    for each in difference.asked:
        if each in told:
            sums[each.kind] = sums[each.kind].plus(told[each]) if each.kind in sums else told[each]
    judged = [*_by_data(difference, sums, resources), *_by_clients(difference, sums, seen)]
    verdict = max((each for each, _ in judged), default=ChangeVerdict.ALLOWED)
    reasons: dict[str, WordedMessage] = {}
    for _, words in judged:
        reasons.setdefault(str(words), words)
    return ChangeDecision(difference, verdict, tuple(reasons.values()), sums, seen)


def _by_data(
    difference: DefinitionDifference, told: Mapping[StoredKind, StoredCount], resources: int
) -> Iterable[tuple[ChangeVerdict, WordedMessage]]:
    kinds = (StoredKind.HOLDING, StoredKind.LACKING, StoredKind.MISFIT)
    holding, lacking, misfits = (told.get(kind, StoredCount()) for kind in kinds)
    match difference.rule:
        case CompatibilityRule.KEY_REMOVED if holding.hits:
            yield (
                ChangeVerdict.NEEDS_DATA_TASK,
                message("{count} stored resources hold it", count=str(holding)),
            )
        case CompatibilityRule.UNIT_CHANGED if holding.hits:
            yield (
                ChangeVerdict.REFUSED,
                message("{count} stored resources hold it in the old unit", count=str(holding)),
            )
        case CompatibilityRule.TYPE_REPLACED if misfits.hits:
            yield (
                ChangeVerdict.REFUSED,
                _misfit(misfits),
            )
        case (
            CompatibilityRule.TYPE_NARROWED
            | CompatibilityRule.TYPE_WIDENED
            | CompatibilityRule.KEY_ADDED
            | CompatibilityRule.KEY_ADDED_REQUIRED
        ) if misfits.hits:
            yield ChangeVerdict.NEEDS_DATA_TASK, _misfit(misfits)
        case CompatibilityRule.RESOURCE_REMOVED | CompatibilityRule.VERSION_REMOVED if resources:
            yield ChangeVerdict.REFUSED, message("{count} resources are stored", count=resources)
        case CompatibilityRule.PATTERN_REMOVED | CompatibilityRule.ID_PATTERN_CHANGED if resources:
            yield (
                ChangeVerdict.REFUSED,
                message("{count} stored resources have a name that no pattern would admit", count=resources),
            )
    if difference.makes_required and lacking.hits:
        yield ChangeVerdict.NEEDS_DATA_TASK, message("{count} stored resources lack it", count=str(lacking))


def _misfit(found: StoredCount) -> WordedMessage:
    return message("{count} stored resources hold a value that is none of the new type", count=str(found))


def _by_clients(
    difference: DefinitionDifference, told: Mapping[StoredKind, StoredCount], seen: ClientUsage
) -> Iterable[tuple[ChangeVerdict, WordedMessage]]:
    rule = difference.rule
    gone = rule in (
        CompatibilityRule.KEY_REMOVED,
        CompatibilityRule.TYPE_REPLACED,
        CompatibilityRule.UNIT_CHANGED,
    )
    if gone and seen.senders:
        yield ChangeVerdict.REFUSED, message("still sent or asked for by") + seen.named(seen.senders)
    elif gone and seen.receivers:
        yield (
            ChangeVerdict.NEEDS_STEPS,
            message("clients may read it: it is returned to") + seen.named(seen.receivers),
        )
    if rule is CompatibilityRule.KEY_REMOVED and seen.is_known and not seen.senders:
        yield from _unproved(seen, difference.sunset)
    if rule is CompatibilityRule.SUNSET_MOVED and seen.is_known:
        yield from _unproved(seen, None, difference.differences[0].reasons)
    if difference.makes_required:
        yield from ((ChangeVerdict.NEEDS_STEPS, reason) for reason in seen.not_always_sent())
    if rule in (
        CompatibilityRule.RESOURCE_REMOVED,
        CompatibilityRule.VERSION_REMOVED,
        CompatibilityRule.METHOD_REMOVED,
        CompatibilityRule.METHOD_CHANGED,
    ):
        if seen.callers:
            yield ChangeVerdict.REFUSED, message("still called by") + seen.named(seen.callers)
        elif seen.is_known:
            yield from _unproved(seen, None)
        return
    if rule in (CompatibilityRule.NUMBER_CHANGED, CompatibilityRule.NUMBER_REUSED) and seen.callers:
        yield (
            ChangeVerdict.REFUSED,
            message("clients of the binary form would misread it; called by") + seen.named(seen.callers),
        )
    if rule is CompatibilityRule.DEFAULT_CHANGED and seen.writers:
        yield (
            ChangeVerdict.NEEDS_STEPS,
            message("absent would mean something else to") + seen.named(seen.writers),
        )
    if rule in (CompatibilityRule.PATTERN_REMOVED, CompatibilityRule.ID_PATTERN_CHANGED) and seen.writers:
        yield ChangeVerdict.NEEDS_STEPS, message("names are made by") + seen.named(seen.writers)
    if not gone and not difference.makes_required:
        yield from _clients_first(difference, seen)


def _clients_first(
    difference: DefinitionDifference, seen: ClientUsage
) -> Iterable[tuple[ChangeVerdict, WordedMessage]]:
    """Say who must change before servers do, and who they are."""
    for each in difference.differences:
        if each.order not in _CLIENT_FIRST:
            continue
        waiting = seen.readers if each.where == "response" else seen.senders
        if each.where and waiting:
            first = (
                message("clients go first, and it is read by")
                if each.where == "response"
                else message("clients go first, and it is sent by")
            )
            yield ChangeVerdict.NEEDS_STEPS, first + seen.named(waiting)


def _unproved(
    seen: ClientUsage, sunset: str | None, before: Iterable[WordedMessage] = ()
) -> Iterable[tuple[ChangeVerdict, WordedMessage]]:
    """Give what is lacking to the proof that something is unused, after the reasons that ask for the proof."""
    lacking = seen.not_unused(sunset)
    if lacking:
        yield from ((ChangeVerdict.NEEDS_STEPS, reason) for reason in (*before, *lacking))
