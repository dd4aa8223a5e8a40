"""The analyser: two versions compared key by key, in both directions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from migrations_app.domain.compatibility import steps
from migrations_app.domain.compatibility.buf import BufComparison
from migrations_app.domain.compatibility.changes import ChangeOrder, key_change, order_of
from migrations_app.domain.compatibility.evidence import may_move_sunset, sunset_day
from migrations_app.domain.compatibility.hazards import losing_updates
from migrations_app.domain.compatibility.inclusion import Inclusion
from migrations_app.domain.compatibility.report import CompatibilityRule, Report, VersionDifference, Weight
from migrations_app.domain.compatibility.statuses import OutcomePolicy, Status, Strategy
from migrations_app.domain.compatibility.transforms import FieldChange, of_resource, renames, suggested
from migrations_app.domain.conversion.proposals.evidence import MatchScorer as FieldJudge
from migrations_app.domain.conversion.proposals.shapes import Shapes
from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.domain.schema.types import (
    Behavior,
    EnumType,
    Field,
    ListType,
    MapType,
    ObjectType,
    RefType,
    Type,
    UnionType,
)
from migrations_app.kernel.messages import WordedMessage

_SERVER_FIRST = {
    "request": {ChangeOrder.READER_FIRST: "server first", ChangeOrder.WRITER_FIRST: "client first"},
    "response": {ChangeOrder.READER_FIRST: "client first", ChangeOrder.WRITER_FIRST: "server first"},
}


@dataclass(frozen=True, slots=True)
class Setting:
    """How clients and servers read, and what is taken as handled by the versioning metadata."""

    client: Strategy = Strategy.FILTER
    server: Strategy = Strategy.STRICT
    policy: OutcomePolicy = OutcomePolicy.NO_LOSS
    lens: bool = True
    handled: Callable[[str], bool] = field(default=lambda path: False)


_BOTH = ("request", "response")
Watch = Callable[[str], None]
"""Is told the path of each object type before it is compared."""


def unwatched(path: str) -> None:
    """Watch nothing."""


def compare(old: Schema, new: Schema, setting: Setting | None = None, watch: Watch = unwatched) -> Report:
    """Compare two versions of a service, or one version before and after a change in place."""
    analyser = _Analyser(old, new, setting or Setting(), watch)
    return Report(old.service, old.version, new.version, tuple(analyser.differences()))


def request_status(given: Field | None) -> Status:
    """Say what a server knows of a key in requests."""
    if given is None or Behavior.OUTPUT_ONLY in given.behavior:
        return Status.UNKNOWN
    if given.required:
        return Status.REQUIRED
    return Status.DEPRECATED if given.deprecated else Status.OPTIONAL


def response_status(given: Field | None) -> Status:
    """Say what a server sends of a key in responses."""
    if given is None or Behavior.INPUT_ONLY in given.behavior:
        return Status.UNKNOWN
    if given.always:
        return Status.REQUIRED
    return Status.DEPRECATED if given.deprecated else Status.OPTIONAL


class _Analyser:
    def __init__(self, old: Schema, new: Schema, setting: Setting, watch: Watch) -> None:
        self._old, self._new, self._setting, self._watch = old, new, setting, watch
        self._buf = BufComparison(old, new)
        self._likeness = FieldJudge(Shapes(old, new), numbers_stable=True)
        self._seen: set[tuple[str, str, str]] = set()
        self._pending: list[tuple[str, ObjectType, ObjectType]] = []
        self._sides: tuple[str, ...] = _BOTH

    def differences(self) -> Iterator[VersionDifference]:
        """Walk resource types, the object types they reach, and methods."""
        for name in dict.fromkeys((*self._old.resources, *self._new.resources)):
            yield from self._resource(name)
        yield from self._reached()
        for name, method in self._old.methods.items():
            other = self._new.methods.get(name)
            if other is not None:
                yield from self._method(name, method, other)
            elif self._new.methods:
                yield self._simple(
                    CompatibilityRule.METHOD_REMOVED, Weight.ORDERED, name, name, "", "client first"
                )

    def _reached(self) -> Iterator[VersionDifference]:
        while self._pending:
            yield from self._objects(*self._pending.pop(0))

    def _method(self, name: str, old: Method, new: Method) -> Iterator[VersionDifference]:
        """Compare the address of a custom method, and its messages: each in the one direction it is sent."""
        if not old.verb and not new.verb:
            return
        for what in ("verb", "resource", "is_collection", "http_method", "streaming", "reads"):
            before, after = getattr(old, what), getattr(new, what)
            if before != after:
                path = f"{name}.{what.removeprefix('is_')}"
                yield self._simple(
                    CompatibilityRule.METHOD_CHANGED,
                    Weight.BREAK,
                    path,
                    str(before),
                    str(after),
                    "never in place",
                )
        for side, mine, theirs in (
            ("request", old.request, new.request),
            ("response", old.response, new.response),
        ):
            if mine in self._old.types and theirs in self._new.types:
                self._sides = (side,)
                self._pair(RefType(mine), RefType(theirs), name)
                yield from self._reached()
        self._sides = _BOTH

    def _resource(self, name: str) -> Iterator[VersionDifference]:
        old, new = self._old.resources.get(name), self._new.resources.get(name)
        if old is None or new is None:
            if old is None:
                yield self._simple(CompatibilityRule.RESOURCE_ADDED, Weight.NOTE, name, "", name, "any")
            else:
                yield self._simple(
                    CompatibilityRule.RESOURCE_REMOVED, Weight.BREAK, name, name, "", "client first"
                )
            return
        for pattern in old.patterns:
            if pattern not in new.patterns:
                yield self._simple(
                    CompatibilityRule.PATTERN_REMOVED, Weight.BREAK, name, pattern, "", "never in place"
                )
        for pattern in new.patterns:
            if pattern not in old.patterns:
                yield self._simple(
                    CompatibilityRule.PATTERN_ADDED, Weight.ORDERED, name, "", pattern, "server first"
                )
        for variable, text in new.id_patterns.items():
            before = old.id_patterns.get(variable, "")
            if before != text:
                path = f"{name}.{{{variable}}}"
                yield self._simple(
                    CompatibilityRule.ID_PATTERN_CHANGED, Weight.ORDERED, path, before, text, "client first"
                )
        self._pair(RefType(old.message), RefType(new.message), name)

    def _pair(self, old: Type, new: Type, path: str) -> None:
        """Queue two types for comparison of their fields, through lists and maps, each pair once."""
        if isinstance(old, RefType) and isinstance(new, RefType):
            sides = {(old.name, new.name, side) for side in self._sides}
            if sides <= self._seen:
                return
            self._seen |= sides
            path = old.name
        old, new = self._old.resolve(old), self._new.resolve(new)
        match old, new:
            case ObjectType(), ObjectType():
                self._pending.append((path, old, new))
            case ListType(), ListType():
                self._pair(old.item, new.item, f"{path}[]")
            case MapType(), MapType():
                self._pair(old.value, new.value, f"{path}{{}}")
            case UnionType(), UnionType():
                for left, right in zip(old.branches, new.branches, strict=False):
                    self._pair(left, right, path)

    def _objects(self, path: str, old: ObjectType, new: ObjectType) -> Iterator[VersionDifference]:
        self._watch(path)
        within = self._within(path)
        alike = renames(self._likeness, path, (old, new), within)
        for key in dict.fromkeys(each.key for each in (*old.fields, *new.fields)):
            before, after = old.by_key(key), new.by_key(key)
            found = [*self._statuses(f"{path}.{key}", before, after)]
            if before is not None and after is not None:
                found += self._values(f"{path}.{key}", before, after)
                found += self._sunset(f"{path}.{key}", before, after)
                self._pair(before.type, after.type, f"{path}.{key}")
            change = FieldChange(before, after, self._types(before, after))
            for each in found:
                line = alike.get(change.name) or suggested(each.rule, change, within)
                yield replace(each, transform=line, buf=self._buf.of_field(each.rule, before, after, new))
        yield from self._numbers(path, old, new)

    def _within(self, path: str) -> str:
        named = max(
            (each for each in self._old.types if f"{path}.".startswith(f"{each}.")), key=len, default=""
        )
        return f"{path[len(named) + 1 :]}." if len(path) > len(named) else ""

    def _types(self, before: Field | None, after: Field | None) -> tuple[Type, Type] | None:
        if before is None or after is None:
            return None
        return self._old.resolve(before.type), self._new.resolve(after.type)

    def _statuses(self, path: str, before: Field | None, after: Field | None) -> Iterator[VersionDifference]:
        for where, status, strategy in (
            ("request", request_status, self._setting.server),
            ("response", response_status, self._setting.client),
        ):
            if where not in self._sides:
                continue
            old, new = status(before), status(after)
            if old is new:
                continue
            change = key_change(old, new, strategy, self._setting.policy)
            rule = _rule(before, after, new)
            added = old is Status.UNKNOWN and where == "response"
            yield VersionDifference(
                rule,
                _weight(change.order),
                path,
                old.name.lower(),
                new.name.lower(),
                where,
                _SERVER_FIRST[where].get(change.order, change.order),
                steps.of_key(change.plan, where),
                losing=losing_updates(self._setting.client, lens=self._setting.lens) if added else (),
                handled=self._setting.handled(path),
            )

    def _values(self, path: str, before: Field, after: Field) -> Iterator[VersionDifference]:
        forward, backward = Inclusion(self._old, self._new), Inclusion(self._new, self._old)
        order = order_of(forward.fields(before, after), backward.fields(after, before))
        by_text = {str(each): each for each in (*forward.reasons, *backward.reasons)}
        reasons = tuple(by_text.values())
        if order is not ChangeOrder.ANY:
            rule = {
                ChangeOrder.READER_FIRST: CompatibilityRule.TYPE_WIDENED,
                ChangeOrder.WRITER_FIRST: CompatibilityRule.TYPE_NARROWED,
                ChangeOrder.STAGED: CompatibilityRule.TYPE_REPLACED,
            }[order]
            for where in (each for each in _directions(after) if each in self._sides):
                shown = _SERVER_FIRST[where].get(order, order)
                found = self._simple(rule, _weight(order), path, "", "", shown, where, reasons)
                yield replace(found, plan=steps.of_values(order, where))
        elif gone := self._symbols_gone(before.type, after.type):
            yield self._simple(
                CompatibilityRule.SYMBOL_REMOVED, Weight.NOTE, path, ", ".join(gone), "", "any"
            )
        if before.default != after.default and "request" in self._sides:
            old, new = f"{before.default.value!r}", f"{after.default.value!r}"
            yield self._simple(
                CompatibilityRule.DEFAULT_CHANGED, Weight.STAGED, path, old, new, "staged", "request"
            )
        if before.unit != after.unit and before.unit and after.unit:
            yield self._simple(
                CompatibilityRule.UNIT_CHANGED,
                Weight.BREAK,
                path,
                before.unit.name,
                after.unit.name,
                "never in place",
            )

    def _symbols_gone(self, before: Type, after: Type) -> tuple[str, ...]:
        """List the symbols that an open enum does not name any more, also of elements."""
        old, new = self._old.resolve(before), self._new.resolve(after)
        match old, new:
            case ListType(), ListType():
                return self._symbols_gone(old.item, new.item)
            case MapType(), MapType():
                return self._symbols_gone(old.value, new.value)
            case EnumType(), EnumType():
                return tuple(each.name for each in old.values if new.value(each.name) is None)
            case _:
                return ()

    def _sunset(self, path: str, before: Field, after: Field) -> Iterator[VersionDifference]:
        """Find a sunset that is brought forward, which only means something where clients were promised the later one."""
        if self._old.version != self._new.version:
            return
        was, becomes = sunset_day(before.deprecated), sunset_day(after.deprecated)
        if was is not None and becomes is not None:
            rule, reasons = CompatibilityRule.SUNSET_MOVED, may_move_sunset(was, becomes).words
            days = was.isoformat(), becomes.isoformat()
            if reasons:
                yield self._simple(rule, Weight.ORDERED, path, *days, "client first", "", reasons)

    def _numbers(self, path: str, old: ObjectType, new: ObjectType) -> Iterator[VersionDifference]:
        """Compare wire numbers, which count only within one evolving package."""
        if self._old.version != self._new.version:
            return
        by_number = {each.number: each for each in old.fields if each.number is not None}
        for each in new.fields:
            was = by_number.get(each.number) if each.number is not None else None
            before = old.field(each.name)
            if was is not None and was.name != each.name:
                yield self._simple(
                    CompatibilityRule.NUMBER_REUSED,
                    Weight.BREAK,
                    f"{path}.{each.name}",
                    was.name,
                    each.name,
                    "never",
                )
            elif before is not None and before.number != each.number:
                numbers = str(before.number), str(each.number)
                rule = CompatibilityRule.NUMBER_CHANGED
                found = self._simple(rule, Weight.BREAK, f"{path}.{each.name}", *numbers, "never")
                yield replace(found, buf=self._buf.of_field(rule, before, each, new))

    def _simple(
        self,
        rule: CompatibilityRule,
        weight: Weight,
        path: str,
        before: str,
        after: str,
        order: str,
        where: str = "",
        reasons: tuple[WordedMessage, ...] = (),
    ) -> VersionDifference:
        handled = self._setting.handled(path)
        return VersionDifference(
            rule,
            weight,
            path,
            before,
            after,
            where,
            order,
            transform=of_resource(rule, path, before, after),
            reasons=reasons,
            buf=self._buf.of_resource(rule, path),
            handled=handled,
        )


def _rule(before: Field | None, after: Field | None, status: Status) -> CompatibilityRule:
    if before is None:
        return (
            CompatibilityRule.KEY_ADDED_REQUIRED if status is Status.REQUIRED else CompatibilityRule.KEY_ADDED
        )
    return CompatibilityRule.KEY_REMOVED if after is None else CompatibilityRule.KEY_STATUS


def _weight(order: ChangeOrder) -> Weight:
    if order is ChangeOrder.ANY:
        return Weight.NOTE
    return Weight.STAGED if order is ChangeOrder.STAGED else Weight.ORDERED


def _directions(given: Field) -> Iterator[str]:
    if Behavior.OUTPUT_ONLY not in given.behavior:
        yield "request"
    if Behavior.INPUT_ONLY not in given.behavior:
        yield "response"
