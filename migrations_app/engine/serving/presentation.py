"""How resources of one type look in one version: names, checks, metadata, masks, and what is stored shown in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from migrations_app.domain.conversion.bag import is_bagged, strip_object
from migrations_app.domain.filters.ast import Path
from migrations_app.domain.filters.masks import Mask, bind_mask, parse_mask
from migrations_app.domain.resources.metadata import DEPRECATIONS, OUTPUT_ONLY, ResourceMetadata
from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.resources.shards import shards_of
from migrations_app.domain.schema.basic_actions import has_metadata, opted_out
from migrations_app.domain.schema.documents import CheckedDocument, DocumentChecker
from migrations_app.domain.schema.ir import Behavior, ResourceDefinition, Schema, UnknownKeys
from migrations_app.domain.schema.key_strategies import NO_KEY_STRATEGIES, KeyStrategies
from migrations_app.domain.schema.types import EnumType, ReferenceType, ScalarType
from migrations_app.domain.schema.untouched import Untouched
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, message
from migrations_app.ports.store import StoredResource

METADATA = "metadata"
_SHADOWED = "$metadata"
_BASIC_METADATA = ("uuid", "resourceVersion", "createTime", "updateTime", "labels", "tags")


@dataclass(frozen=True, slots=True)
class ReceivedResource:
    """What a client sent: its name if the body holds one, its fields, its metadata if sent."""

    name: str
    view: JsonObject
    metadata: JsonObject | None


@dataclass(frozen=True, slots=True)
class ResourceView:
    """One resource for a client; `revision` makes its ETag, `how` says where it came from.

    `stored` is what a write left behind it, `ignored` the paths of what was sent and is not known.
    """

    document: JsonObject
    revision: int
    how: ServingMode
    stored_version: str
    copy: ReadCopy | None = None
    stored: StoredResource | None = field(default=None, compare=False, repr=False)
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadCopy:
    """That a resource is a copy of what another region owns, and how old it is at most; None when unknown."""

    owner: str
    behind_seconds: float | None


class ResourcePresenter:
    """Reads and shows the documents of one resource type."""

    def __init__(
        self,
        schema: Schema,
        resource: ResourceDefinition,
        unknown: UnknownKeys | None,
        keys: KeyStrategies = NO_KEY_STRATEGIES,
    ) -> None:
        document = schema.object(resource.message)
        self.type = resource.type.rpartition("/")[2]
        self.resource = resource
        self._service = f"services/{schema.service}"
        self.patterns = tuple(Pattern.parse(text, resource.id_patterns) for text in resource.patterns)
        name_field = document.field(resource.name_field)
        self.name_key = name_field.key if name_field else resource.name_field
        own = _SHADOWED if document.by_key(METADATA) else METADATA
        self.metadata_key = own if has_metadata(resource) else ""
        self.opted_out = opted_out(resource)
        self.unknown = unknown
        self._document = document
        self._untouched = Untouched(schema, unknown, keys)
        self._checker = DocumentChecker(schema, resource.message, unknown=unknown, keys=keys)
        singles = (ScalarType, EnumType, ReferenceType)
        self._single = tuple(Path((each.key,)) for each in document.fields if isinstance(each.type, singles))
        self._output_only = _with(document.fields, Behavior.OUTPUT_ONLY) - {self.name_key}
        self.input_only = _with(document.fields, Behavior.INPUT_ONLY)
        self._immutable = _with(document.fields, Behavior.IMMUTABLE) - {self.name_key}

    def view(self, name: str) -> Mask:
        """Give the mask of a view: NAME, BASIC (names, times, labels and single values), DETAIL or FULL.

        Raises: Invalid (`view`).
        """
        match name:
            case "NAME":
                return Mask((Path((self.name_key,)),))
            case "BASIC":
                parts = _BASIC_METADATA if self.metadata_key else ()
                about = (Path((self.metadata_key, each)) for each in parts)
                return Mask((Path((self.name_key,)), *about, *self._single))
            case "DETAIL" | "FULL":
                return Mask()
        raise Invalid(
            message("There is no view {name}.", name=repr(name[:40])),
            code="view",
            remedy=message("Use NAME, BASIC, DETAIL or FULL."),
        )

    @property
    def plural(self) -> str:
        """The key under which a list carries its resources."""
        return self.resource.plural or (self.patterns[0].collection if self.patterns else self.type)

    def read(self, sent: Json, *, output: bool = False) -> ReceivedResource:
        """Take a client's document apart; what only the server sets is dropped, unless `output` admits it.

        Raises: Invalid (`document`, `name`) with the paths of what is wrong.
        """
        if not isinstance(sent, dict):
            raise Invalid(
                message("Send a JSON object."),
                code="document",
                violations=(Violation("", message("must be an object")),),
            )
        body = dict(sent)
        metadata = body.pop(self.metadata_key, None) if self.metadata_key else None
        name = body.pop(self.name_key, "")
        if not isinstance(name, str):
            raise Invalid(
                message("The name is text."),
                code="name",
                violations=(Violation(self.name_key, message("must be text")),),
            )
        for key in () if output else self._output_only:
            body.pop(key, None)
        return ReceivedResource(name, body, None if metadata is None else client_metadata(metadata))

    def check(
        self,
        name: str,
        view: JsonObject,
        before: JsonObject | None = None,
        dropped: list[str] | None = None,
    ) -> JsonObject:
        """See that a document is valid, and drop or refuse what its version does not know.

        Of an update only the fields that differ from `before` must be valid, and all else stays as it is stored.
        The paths of what is dropped go to `dropped`.

        Raises: Invalid (`document`).
        """
        if before is None:
            return self._checked(self._checker.check({**view, self.name_key: name}), dropped)
        asked = self._untouched.asked(self._document, view, before)
        assert isinstance(asked, dict)
        checked = self._checker.check({**asked, self.name_key: name})
        made = self._checked(checked.ratcheted(view, before), dropped)
        kept = self._untouched.kept(self._document, made, view, before)
        assert isinstance(kept, dict)
        return kept

    def _checked(self, checked: CheckedDocument, dropped: list[str] | None) -> JsonObject:
        found = checked.or_refuse()
        if dropped is not None:
            dropped += checked.dropped
        assert isinstance(found, dict)
        found.pop(self.name_key, None)
        return found

    def known_of(self, paths: Sequence[Path], sent: JsonObject) -> tuple[list[Path], JsonObject]:
        """Part the fields that a patch sends into those of the version and, with their values, what it does not know."""
        document, known, unknown = self._document, [], {}
        for path in paths:
            key = str(path.segments[0])
            if document.by_key(key) or document.field(key) or key not in sent:
                known.append(path)
            else:
                unknown[key] = sent[key]
        return known, unknown

    def keep_output(self, given: JsonObject, before: JsonObject, *, output: bool = False) -> JsonObject:
        """Carry over what only the server sets, unless `output` admits it, and refuse changes of what never changes.

        Raises: Invalid (`immutable`).
        """
        changed = [key for key in self._immutable if given.get(key) != before.get(key)]
        if changed:
            raise Invalid(
                message("{changed} cannot be changed.", changed=", ".join(changed)),
                code="immutable",
                violations=tuple(Violation(key, message("cannot be changed")) for key in changed),
            )
        kept = {} if output else {key: before[key] for key in self._output_only if key in before}
        return {**given, **kept}

    def check_name(self, name: str) -> str:
        """See that a name has one of the shapes of the type.

        Raises: Invalid (`name`).
        """
        if not any(pattern.match(name) for pattern in self.patterns):
            raise wrong_name(self.type, name, self.patterns, self.name_key)
        return name

    def show(self, name: str, view: JsonObject, stored: StoredResource, shard_name: str) -> JsonObject:
        """Put a document together for a client."""
        shown: JsonObject = {self.name_key: name, **view}
        for key in self.input_only:
            shown.pop(key, None)
        # After the fields: one of them may be called as these are.
        shown[self.name_key] = name
        if self.metadata_key:
            shown[self.metadata_key] = metadata_of(stored, shard_name, self._service)
        return shown

    def native_view(self, stored: StoredResource) -> JsonObject:
        """Show a stored body without its bag. A body that has none is given as it is."""
        return strip_object(stored.body) if is_bagged(stored.body) else stored.body


def wrong_name(type_: str, name: str, patterns: Sequence[Pattern], place: str = "name") -> Invalid:
    """Say what is wrong with a name that has none of the shapes of a type."""
    why = next(filter(None, (pattern.problem(name) for pattern in patterns)), NOTHING)
    shapes = " or ".join(pattern.text for pattern in patterns)
    return Invalid(
        message("{name} is no name of a {type}:", name=repr(name[:120]), type=type_) + why
        if why
        else message("{name} is no name of a {type}.", name=repr(name[:120]), type=type_),
        code="name",
        remedy=message("Name one resource: {shapes}.", shapes=shapes),
        violations=(Violation(place, why or message("is of no pattern")),),
    )


def client_metadata(sent: Json) -> JsonObject:
    """Keep of sent metadata what a client may set.

    Raises: Invalid (`metadata`).
    """
    if isinstance(sent, dict) and DEPRECATIONS in sent:
        sent = {key: value for key, value in sent.items() if key != DEPRECATIONS}
    metadata = ResourceMetadata.read(sent)
    kept = {
        key: value
        for key, value in metadata.write().items()
        if key not in OUTPUT_ONLY | {"shards", "generation"}
    }
    if metadata.lifecycle is not None:
        kept["lifecycle"] = {"blockDeletion": True} if metadata.lifecycle.block_deletion else {}
    return kept


def metadata_of(stored: StoredResource, name: str, service: str) -> JsonObject:
    """Write a resource's metadata: what was kept, what the store knows, and the service that owns it."""
    shown: JsonObject = {
        **stored.metadata,
        "uuid": str(stored.uid),
        "resourceVersion": str(stored.revision),
        "createTime": instant(stored.create_time),
        "updateTime": instant(stored.update_time),
        "shards": dict(shards_of(name)),
    }
    if stored.owning_region and "syncing" not in shown:
        shown["syncing"] = {"owningRegion": stored.owning_region, "regions": [stored.owning_region]}
    if "services" not in shown:
        shown["services"] = {"owningService": service}
    return shown


def instant(at: datetime) -> str:
    """Write a time as RFC 3339."""
    # Half of what a list took was `strftime`.
    text = at.isoformat(timespec="microseconds")
    return f"{text[:-6]}Z" if text.endswith("+00:00") else at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def presenter_of(
    schema: Schema,
    resource_type: str,
    unknown: UnknownKeys | None = None,
    keys: KeyStrategies = NO_KEY_STRATEGIES,
) -> ResourcePresenter:
    """Give what presents a resource type; built once for a schema, and `keys` for what clients send.

    Raises: Missing (`schema-resource`).
    """
    return _presenters(_Same(schema), resource_type, unknown, keys.entries)


def sent_presenter(route: ServingRoute, resource_type: str) -> ResourcePresenter:
    """Give what reads documents of a resource type that clients send: single keys may have strategies of their own.

    Raises: Missing (`schema-resource`).
    """
    keys = route.served.keys_of(route.version, resource_type)
    return presenter_of(route.schema, resource_type, route.served.unknown, keys)


def view_of(
    route: ServingRoute, presenter: ResourcePresenter, stored: StoredResource
) -> tuple[str, JsonObject]:
    """Give the name and the fields of a stored resource in the asked version.

    Raises: NoImage when the asked version cannot name it.
    """
    if route.how is not ServingMode.TRANSLATED:
        return stored.name, presenter.native_view(stored)
    return route.reader(presenter.type, stored.type).get(stored.name, stored.body)


def show(route: ServingRoute, presenter: ResourcePresenter, stored: StoredResource) -> JsonObject:
    """Show a stored resource in the asked version."""
    return shower(route, presenter)(stored)


def shower(route: ServingRoute, presenter: ResourcePresenter) -> Callable[[StoredResource], JsonObject]:
    """Give what shows the stored resources of one type in the asked version."""
    if route.how is not ServingMode.TRANSLATED:
        return lambda stored: presenter.show(stored.name, presenter.native_view(stored), stored, stored.name)
    readers = {type_: route.reader(presenter.type, type_) for type_ in route.stored_types(presenter.type)}

    def _show(stored: StoredResource) -> JsonObject:
        name, view = readers[stored.type].get(stored.name, stored.body)
        return presenter.show(name, view, stored, name)

    return _show


def mask_of(route: ServingRoute, presenter: ResourcePresenter, mask: str, view: str = "") -> Mask:
    """Read a mask and a view; a mask adds to a view.

    Raises: Invalid (`mask`, `view`).
    """
    parsed = parse_mask(mask or None)
    if view:
        chosen = presenter.view(view)
        parsed = chosen if chosen.is_everything else Mask((*chosen.paths, *parsed.paths))
    if parsed.is_everything:
        return parsed
    own = [path for path in parsed.paths if path.segments[0] in (presenter.metadata_key, presenter.name_key)]
    rest = Mask(tuple(path for path in parsed.paths if path not in own))
    bound = bind_mask(rest, route.schema, presenter.type) if rest.paths else rest
    return Mask((*own, *bound.paths))


class _Same:
    """A schema told apart by identity, so that it can be the key of a cache."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.schema is self.schema


@lru_cache(maxsize=4096)
def _presenters(
    same: _Same, resource_type: str, unknown: UnknownKeys | None, entries: tuple[tuple[str, UnknownKeys], ...]
) -> ResourcePresenter:
    keys = KeyStrategies(entries) if entries else NO_KEY_STRATEGIES
    return ResourcePresenter(same.schema, same.schema.resource(resource_type), unknown, keys)


def _with(fields: object, behavior: Behavior) -> frozenset[str]:
    return frozenset(each.key for each in fields if behavior in each.behavior)  # type: ignore[attr-defined]
