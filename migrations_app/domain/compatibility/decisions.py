"""Whether a definition may take the place of the one that is served: one decision for each thing that differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from migrations_app.domain.compatibility.analyse import Setting, compare
from migrations_app.domain.compatibility.places import Occurrence, field_at, occurrences
from migrations_app.domain.compatibility.report import Found, Rule
from migrations_app.domain.compatibility.seen import Seen
from migrations_app.domain.compatibility.statuses import Policy, Status, Strategy
from migrations_app.domain.compatibility.stored import Asked, Kind, Told, fitting
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Unknown


class Verdict(IntEnum):
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
_TYPES = (Rule.TYPE_WIDENED, Rule.TYPE_NARROWED, Rule.TYPE_REPLACED)
_ASKING: Mapping[Rule, tuple[Kind, ...]] = {
    Rule.KEY_REMOVED: (Kind.HOLDING,),
    Rule.KEY_ADDED: (Kind.MISFIT,),
    Rule.KEY_ADDED_REQUIRED: (Kind.LACKING, Kind.MISFIT),
    Rule.KEY_STATUS: (Kind.LACKING,),
    Rule.UNIT_CHANGED: (Kind.HOLDING,),
    **dict.fromkeys(_TYPES, (Kind.HOLDING, Kind.MISFIT)),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs between the served definition of a version and the one given, and what is asked of it."""

    version: str
    rule: Rule
    path: str
    found: tuple[Found, ...]
    places: tuple[Occurrence, ...] = ()
    asked: tuple[Asked, ...] = ()
    sunset: str | None = None

    @property
    def change(self) -> str:
        """What changes, in words."""
        sides = [
            f"{each.before} → {each.after} ({each.where})" for each in self.found if each.before or each.after
        ]
        reasons = [reason for each in self.found for reason in each.reasons]
        return "; ".join(dict.fromkeys((*(each.removesuffix(" ()") for each in sides), *reasons)))

    @property
    def makes_required(self) -> bool:
        """Whether requests must have a key that they needed not have."""
        return self.rule is Rule.KEY_ADDED_REQUIRED or any(
            each.where == "request" and each.after == Status.REQUIRED.name.lower() for each in self.found
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one difference, why, and what was counted."""

    difference: Difference
    verdict: Verdict
    reasons: tuple[str, ...]
    told: Mapping[Kind, Told]
    seen: Seen

    @property
    def advice(self) -> str:
        """What to do about it."""
        if self.verdict is Verdict.ALLOWED:
            return ""
        return self.difference.found[0].advice

    @property
    def steps(self) -> tuple[str, ...]:
        """Who does what, one after the other."""
        return tuple(dict.fromkeys(step for each in self.difference.found for step in each.plan))


def differences(old: Schema, new: Schema, unknown: Unknown | None) -> tuple[Difference, ...]:
    """Compare a version with what it is to become in place."""
    if old == new:
        return ()
    server = Strategy.FILTER if unknown in (None, Unknown.DROP) else Strategy(str(unknown))
    # A client that does not know a key that is new in answers leaves it out: nobody waits for that.
    setting = Setting(Strategy.FILTER, server, Policy.LOSS_OK, lens=False)
    grouped: dict[tuple[Rule, str], list[Found]] = {}
    for each in compare(old, new, setting).found:
        grouped.setdefault((each.rule, each.path), []).append(each)
    return tuple(_difference(old, new, rule, path, tuple(found)) for (rule, path), found in grouped.items())


def _difference(old: Schema, new: Schema, rule: Rule, path: str, found: tuple[Found, ...]) -> Difference:
    places = occurrences(old, path) or occurrences(new, path)
    kinds = _ASKING.get(rule, ())
    if rule is Rule.KEY_STATUS and not any(each.after == "required" for each in found):
        kinds = ()
    asked: list[Asked] = []
    sunset: str | None = None
    for place in places:
        after = field_at(new, place.resource, place.segments)
        before = field_at(old, place.resource, place.segments)
        if before is not None and before.deprecated is not None:
            sunset = before.deprecated.sunset
        fits = None if after is None else fitting(new, after)
        asked += [Asked(kind, place, fits) for kind in kinds if kind is not Kind.MISFIT or fits is not None]
    return Difference(old.version, rule, path, found, places, tuple(asked), sunset)


def decide(difference: Difference, told: Mapping[Asked, Told], seen: Seen, resources: int = 0) -> Decision:
    """Decide on a difference from what is stored and what clients were seen to do.

    `resources` is how many of a removed type, or of a removed version, are stored.
    """
    sums: dict[Kind, Told] = {}
    for each in difference.asked:
        if each in told:
            sums[each.kind] = sums[each.kind].plus(told[each]) if each.kind in sums else told[each]
    judged = [*_by_data(difference, sums, resources), *_by_clients(difference, sums, seen)]
    verdict = max((each for each, _ in judged), default=Verdict.ALLOWED)
    return Decision(difference, verdict, tuple(dict.fromkeys(reason for _, reason in judged)), sums, seen)


def _by_data(
    difference: Difference, told: Mapping[Kind, Told], resources: int
) -> Iterable[tuple[Verdict, str]]:
    holding, lacking, misfits = (told.get(kind, Told()) for kind in Kind)
    match difference.rule:
        case Rule.KEY_REMOVED if holding.hits:
            yield Verdict.NEEDS_DATA_TASK, f"{holding} stored resources hold it"
        case Rule.UNIT_CHANGED if holding.hits:
            yield Verdict.REFUSED, f"{holding} stored resources hold it in the old unit"
        case Rule.TYPE_REPLACED if misfits.hits:
            yield Verdict.REFUSED, f"{misfits} stored resources hold a value that is none of the new type"
        case Rule.TYPE_NARROWED | Rule.TYPE_WIDENED | Rule.KEY_ADDED | Rule.KEY_ADDED_REQUIRED if (
            misfits.hits
        ):
            reason = f"{misfits} stored resources hold a value that is none of the new type"
            yield Verdict.NEEDS_DATA_TASK, reason
        case Rule.RESOURCE_REMOVED | Rule.VERSION_REMOVED if resources:
            yield Verdict.REFUSED, f"{resources} resources are stored"
        case Rule.PATTERN_REMOVED | Rule.ID_PATTERN_CHANGED if resources:
            yield Verdict.REFUSED, f"{resources} stored resources have a name that no pattern would admit"
    if difference.makes_required and lacking.hits:
        yield Verdict.NEEDS_DATA_TASK, f"{lacking} stored resources lack it"


def _by_clients(
    difference: Difference, told: Mapping[Kind, Told], seen: Seen
) -> Iterable[tuple[Verdict, str]]:
    rule = difference.rule
    gone = rule in (Rule.KEY_REMOVED, Rule.TYPE_REPLACED, Rule.UNIT_CHANGED)
    if gone and seen.senders:
        yield Verdict.REFUSED, f"still sent or asked for by {seen.named(seen.senders)}"
    elif rule is Rule.KEY_REMOVED and seen.is_known:
        yield from ((Verdict.NEEDS_STEPS, reason) for reason in seen.not_unused(difference.sunset))
    if difference.makes_required:
        yield from ((Verdict.NEEDS_STEPS, reason) for reason in seen.not_always_sent())
    if rule in (Rule.RESOURCE_REMOVED, Rule.VERSION_REMOVED, Rule.METHOD_REMOVED, Rule.METHOD_CHANGED):
        if seen.callers:
            yield Verdict.REFUSED, f"still called by {seen.named(seen.callers)}"
        return
    if rule in (Rule.NUMBER_CHANGED, Rule.NUMBER_REUSED) and seen.callers:
        yield (
            Verdict.REFUSED,
            f"clients of the binary form would misread it; called by {seen.named(seen.callers)}",
        )
    if rule is Rule.DEFAULT_CHANGED and seen.writers:
        yield Verdict.NEEDS_STEPS, f"absent would mean something else to {seen.named(seen.writers)}"
    if rule in (Rule.PATTERN_REMOVED, Rule.ID_PATTERN_CHANGED) and seen.writers:
        yield Verdict.NEEDS_STEPS, f"names are made by {seen.named(seen.writers)}"
    for each in difference.found:
        if each.order not in _CLIENT_FIRST or gone or difference.makes_required:
            continue
        waiting = seen.readers if each.where == "response" else seen.senders
        if each.where and waiting:
            side = "read" if each.where == "response" else "sent"
            yield Verdict.NEEDS_STEPS, f"clients go first, and it is {side} by {seen.named(waiting)}"
