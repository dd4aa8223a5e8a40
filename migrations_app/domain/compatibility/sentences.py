"""Differences in words: what breaks for whom, by the versions that meet and by how their clients and servers read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.buf import BufComparison
from migrations_app.domain.compatibility.report import CompatibilityRule, Report, VersionDifference
from migrations_app.domain.compatibility.statuses import Strategy
from migrations_app.domain.compatibility.wire import WireFinding, WireRule
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.placing import SourcePlaces
from migrations_app.domain.schema.types import ObjectType

_ONE_READS: Mapping[Strategy, str] = {
    Strategy.STRICT: "refuses it",
    Strategy.FILTER: "drops it without a word",
    Strategy.PASS: "keeps it without understanding it",
}


@dataclass(frozen=True, slots=True)
class Reader:
    """Writes the sentences of one report."""

    before: str
    after: str
    client: Strategy
    server: Strategy

    def sentence(self, found: VersionDifference) -> str:
        """Say what a difference breaks, and for whom."""
        return _SENTENCES[found.rule](self, found)

    @property
    def old_clients(self) -> str:
        """Clients of the older version."""
        return f"clients of {self.before}"

    @property
    def old_server(self) -> str:
        """A server of the older version."""
        return f"a server of {self.before}"

    @property
    def new_server(self) -> str:
        """A server of the newer version."""
        return f"a server of {self.after}"


def reader_of(report: Report, setting: Setting) -> Reader:
    """Make the writer of a report's sentences; a version that changes in place is called by when."""
    names = report.before, report.after
    if names[0] == names[1]:
        names = f"{report.before} as it was", f"{report.after} as it is now"
    return Reader(*names, setting.client, setting.server)


def wire_sentence(found: WireFinding) -> str:
    """Say what a difference on the wire breaks: only clients that speak the binary form meet it."""
    change = f"from {found.before} to {found.after}" if found.after else f"{found.before} is gone"
    return f"{_WIRE[found.rule].format(type=found.type, number=found.number, change=change)}"


_WIRE: Mapping[WireRule, str] = {
    WireRule.FIELD_DELETED: "Field {number} of {type} ({change}) is not reserved: a field that takes the number later "
    "would be read in its place by binary clients.",
    WireRule.FIELD_TYPE: "Field {number} of {type} changes its type {change}: binary clients misread its value.",
    WireRule.FIELD_CARDINALITY: "Field {number} of {type} changes {change}: binary clients lose or misread its values.",
    WireRule.FIELD_ONEOF: "Field {number} of {type} changes its oneof {change}: setting it clears other fields than before.",
    WireRule.ENUM_VALUE_DELETED: "Value {number} of {type} ({change}) is not reserved: a symbol that takes the number "
    "later would be read in its place by binary clients.",
}


WIRE_ADVICE: Mapping[WireRule, str] = {
    WireRule.FIELD_DELETED: "Write `reserved` for its number and name.",
    WireRule.FIELD_TYPE: "Add a field with a new number, and deprecate this one.",
    WireRule.FIELD_CARDINALITY: "Add a field with a new number, and deprecate this one.",
    WireRule.FIELD_ONEOF: "Keep the field out of the oneof, or in the one it was in.",
    WireRule.ENUM_VALUE_DELETED: "Write `reserved` for its number and name.",
}


class DifferencePlaces:
    """Where the sources of both versions declare what a difference is about."""

    def __init__(
        self, schemas: tuple[Schema, Schema], files: tuple[Mapping[str, bytes], Mapping[str, bytes]]
    ) -> None:
        self._schemas = schemas
        self._sources = tuple(
            SourcePlaces(schema, known) for schema, known in zip(schemas, files, strict=True)
        )

    @property
    def buf(self) -> BufComparison:
        """Both versions as Buf, which judges protobuf, compares them."""
        return BufComparison(*self._schemas)

    def of(self, path: str) -> tuple[str, ...]:
        """Name file and line of the older and the newer version, as far as their sources tell."""
        found = (
            _declared(schema, path) or sources.of(*_split(schema, path))
            for schema, sources in zip(self._schemas, self._sources, strict=True)
        )
        return tuple(dict.fromkeys(place for place in found if place))


def _split(schema: Schema, path: str) -> tuple[str, str]:
    """Take a path apart into the named type and the path in it."""
    owner = max((each for each in schema.types if f"{path}.".startswith(f"{each}.")), key=len, default="")
    return (owner, path[len(owner) + 1 :]) if owner else (path.partition(".")[0], path.partition(".")[2])


def _declared(schema: Schema, path: str) -> str:
    """Name the place that the loader kept of a field of a named type."""
    owner, rest = _split(schema, path)
    given = schema.types.get(owner)
    field = given.by_key(rest) if isinstance(given, ObjectType) else None
    return field.place if field is not None else ""


def _added(reader: Reader, found: VersionDifference) -> str:
    if found.where == "request":
        return (
            f"{found.path} is new: when clients of {reader.after} send it, {reader.old_server} "
            f"{_ONE_READS[reader.server]}."
        )
    ends = "; an update of theirs then erases it" if found.losing else ""
    return f"{found.path} is new: of {reader.old_clients} each {_ONE_READS[reader.client]}{ends}."


def _added_required(reader: Reader, found: VersionDifference) -> str:
    if found.where == "request":
        return f"{found.path} is new and required: requests of {reader.old_clients} lack it and are refused."
    return (
        f"{found.path} is new and promised in every answer, but resources stored by {reader.before} lack it."
    )


def _removed(reader: Reader, found: VersionDifference) -> str:
    if found.where == "request":
        return (
            f"{found.path} is gone: when {reader.old_clients} still send it, {reader.new_server} "
            f"{_ONE_READS[reader.server]}."
        )
    needs = (
        "which rely on it being there, fail" if found.before == "required" else "that read it find nothing"
    )
    return f"{found.path} is gone from answers: {reader.old_clients}{',' if needs[0] == 'w' else ''} {needs}."


def _status(reader: Reader, found: VersionDifference) -> str:
    change = (
        f"{found.path} was {_status_word(found.before)} and is {_status_word(found.after)} in {found.where}s"
    )
    if found.where == "request":
        if found.after == "required":
            return (
                f"{change}: requests of {reader.old_clients} without it are refused by {reader.new_server}."
            )
        if found.before == "required":
            return f"{change}: requests of clients of {reader.after} without it are refused by {reader.old_server}."
        if found.after == "unknown":
            return f"{change}: when {reader.old_clients} send it, {reader.new_server} {_ONE_READS[reader.server]}."
        return f"{change}: when clients of {reader.after} send it, {reader.old_server} {_ONE_READS[reader.server]}."
    if found.before == "required":
        return f"{change}: {reader.old_clients} rely on it being there."
    if found.after == "unknown":
        return f"{change}: {reader.old_clients} that read it find nothing."
    return f"{change}: of {reader.old_clients} each {_ONE_READS[reader.client]}."


def _status_word(status: str) -> str:
    return "not there" if status == "unknown" else status


def _widened(reader: Reader, found: VersionDifference) -> str:
    why = _because(found)
    if found.where == "request":
        return f"{found.path} takes more values{why}: {reader.old_server} refuses those that only {reader.after} has."
    return f"{found.path} may hold more values{why}: {reader.old_clients} meet some that they do not know."


def _narrowed(reader: Reader, found: VersionDifference) -> str:
    why = _because(found)
    if found.where == "request":
        return f"{found.path} takes fewer values{why}: {reader.new_server} refuses some that {reader.old_clients} send."
    return f"{found.path} promises fewer values{why}, but resources stored by {reader.before} may hold the others."


def _replaced(reader: Reader, found: VersionDifference) -> str:
    side = "requests" if found.where == "request" else "answers"
    return (
        f"{found.path} has another type{_because(found)}: in {side}, values of {reader.before} are none of "
        f"{reader.after}, and the other way round, so that clients and servers of two versions fail."
    )


def _symbol(reader: Reader, found: VersionDifference) -> str:
    return (
        f"{found.path} is an open enum that does not name {found.before} any more: stored resources and "
        f"{reader.old_clients} still hold it, so that answers of {reader.after} bring a symbol its definition lacks."
    )


def _because(found: VersionDifference) -> str:
    return f" ({'; '.join(map(str, found.reasons[:3]))})" if found.reasons else ""


def _default(reader: Reader, found: VersionDifference) -> str:
    return (
        f"{found.path} means {found.after} where it is absent, and meant {found.before}: requests of "
        f"{reader.old_clients} that leave it out change their meaning."
    )


def _unit(reader: Reader, found: VersionDifference) -> str:
    return (
        f"{found.path} counts in {found.after} and not in {found.before}: every number means another amount."
    )


def _number_changed(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} has wire number {found.after}, and had {found.before}: binary clients do not find it any more."


def _number_reused(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} has the wire number that {found.before} had: binary clients read one as the other."


def _resource_added(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} is a new resource type: {reader.old_clients} do not see its resources."


def _resource_removed(reader: Reader, found: VersionDifference) -> str:
    return f"{reader.after} has no {found.path}: {reader.old_clients} have nothing there to move to."


def _pattern_added(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} may be named {found.after}: {reader.old_clients} cannot name such resources."


def _pattern_removed(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} is not named {found.before} any more: names that {reader.old_clients} stored lead nowhere."


def _id_pattern(reader: Reader, found: VersionDifference) -> str:
    return (
        f"Ids of {found.path} follow {found.after or 'no pattern'} and not {found.before or 'none'}: ids that one "
        f"version takes are refused by the other."
    )


def _method_removed(reader: Reader, found: VersionDifference) -> str:
    return f"{reader.after} has no method {found.path}: calls of {reader.old_clients} fail."


def _method_changed(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} was {found.before} and is {found.after}: calls of {reader.old_clients} miss the method."


def _version_removed(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} is gone: every call of its clients fails, and what it stores has no definition."


def _sunset(reader: Reader, found: VersionDifference) -> str:
    return f"{found.path} goes on {found.after}, and clients were promised {found.before}{_because(found)}."


_SENTENCES: Mapping[CompatibilityRule, Callable[[Reader, VersionDifference], str]] = {
    CompatibilityRule.KEY_ADDED: _added,
    CompatibilityRule.KEY_ADDED_REQUIRED: _added_required,
    CompatibilityRule.KEY_REMOVED: _removed,
    CompatibilityRule.KEY_STATUS: _status,
    CompatibilityRule.TYPE_WIDENED: _widened,
    CompatibilityRule.TYPE_NARROWED: _narrowed,
    CompatibilityRule.TYPE_REPLACED: _replaced,
    CompatibilityRule.SYMBOL_REMOVED: _symbol,
    CompatibilityRule.DEFAULT_CHANGED: _default,
    CompatibilityRule.UNIT_CHANGED: _unit,
    CompatibilityRule.NUMBER_CHANGED: _number_changed,
    CompatibilityRule.NUMBER_REUSED: _number_reused,
    CompatibilityRule.RESOURCE_ADDED: _resource_added,
    CompatibilityRule.RESOURCE_REMOVED: _resource_removed,
    CompatibilityRule.PATTERN_ADDED: _pattern_added,
    CompatibilityRule.PATTERN_REMOVED: _pattern_removed,
    CompatibilityRule.ID_PATTERN_CHANGED: _id_pattern,
    CompatibilityRule.METHOD_REMOVED: _method_removed,
    CompatibilityRule.METHOD_CHANGED: _method_changed,
    CompatibilityRule.VERSION_REMOVED: _version_removed,
    CompatibilityRule.SUNSET_MOVED: _sunset,
}
