"""Writes as they are asked for and answered, and where code of their service takes part in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from migrations_app.domain.conversion.typed import Typed
from migrations_app.domain.filters.ast import Path
from migrations_app.domain.filters.evaluate import values_at
from migrations_app.domain.filters.masks import Mask, bind_mask, merge, parse_mask, project
from migrations_app.domain.registry.masks import changed_paths, pick
from migrations_app.domain.resources.lifecycle import sent_lifecycle, served_metadata
from migrations_app.domain.schema.unseen_fields import UnseenFields
from migrations_app.engine.serving.presentation import (
    ReceivedResource,
    ResourcePresenter,
    ResourceView,
    presenter_of,
)
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.engine.serving.writes.coordination import Named
from migrations_app.kernel.errors import Conflict, Invalid, RevisionMismatch, SwitchyardError, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.uids import new_uid
from migrations_app.ports.store import StoredResource, Transaction

_SHOWN = 20
_OF_A_COMMIT = ("resourceVersion", "updateTime")
_OF_A_CREATION = ("uuid", "createTime")


@dataclass(frozen=True, slots=True)
class WritePrecondition:
    """A compare-and-set: what the client believes to be there, at the places of a mask."""

    state: JsonObject
    mask: str = ""


@dataclass(frozen=True, slots=True)
class WriteResponseSelection:
    """How much of a written resource the client wants to see: nothing, what changed, or the places of a mask."""

    nothing: bool = False
    changed: bool = False
    mask: str = ""

    def select(self, document: JsonObject, before: JsonObject, name_key: str, mask: Mask) -> JsonObject:
        """Leave of a written document what the client wants to see; `before` is what was shown before the write."""
        if self.nothing:
            return {}
        if self.changed:
            return pick(document, ((name_key,), *changed_paths(before, document)))
        return project(document, mask)


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """One write in the words of the version it is made in.

    `verb` is create, update or delete. `expected` is the revision the client saw, None for any. `at` is the
    place among several writes, for the error. `patches` says that `mask` names the fields of the body, so that those
    that the version does not know are treated by its strategy. `by_service` says that the service's own code writes, which alone
    sets fields that are output-only.
    """

    verb: str
    type: str
    name: str = ""
    parent: str = ""
    id: str = ""
    body: Json = None
    mask: str = ""
    expected: int | None = None
    allow_missing: bool = False
    precondition: WritePrecondition | None = None
    response: WriteResponseSelection = WriteResponseSelection()
    at: str = ""
    patches: bool = False
    by_service: bool = False


@dataclass(frozen=True, slots=True)
class WriteRehearsal:
    """What writes would answer, None for a deletion; and who would be asked to agree and was not."""

    answers: tuple[ResourceView | None, ...]
    unasked: tuple[str, ...] = ()


class WriteStages(Protocol):
    """The stages of the writes of one transaction; what any of them raises refuses all of it."""

    def requested(
        self,
        presenter: ResourcePresenter,
        verb: str,
        name: str,
        view: JsonObject,
        before: StoredResource | None,
    ) -> JsonObject:
        """Give what is to be written in the caller's version in place of what was sent."""
        ...

    def converted(
        self, presenter: ResourcePresenter, verb: str, made: Typed, before: StoredResource | None
    ) -> Typed:
        """Give what is to be stored in place of what the conversion made."""
        ...

    def deleting(self, presenter: ResourcePresenter, name: str, before: StoredResource) -> None:
        """Take part in a deletion."""
        ...


class WriteCode(Protocol):
    """The code of services that takes part in writes."""

    def begin(
        self,
        route: ServingRoute,
        transaction: Transaction,
        requests: Sequence[WriteRequest],
        caller: str,
        write: Callable[[ServingRoute, WriteRequest], None],
    ) -> WriteStages | None:
        """Begin the stages of one transaction; None when no code takes part. `write` carries out one write more."""
        ...


def named_request(route: ServingRoute, request: WriteRequest) -> WriteRequest:
    """Give a creation its name: the address's, the body's, or a new one, which stays when it is tried again.

    Raises: Invalid (`name`).
    """
    if request.verb != "create":
        return request
    presenter = presenter_of(route.schema, request.type, route.served.unknown)
    told = request.body.get(presenter.name_key) if isinstance(request.body, dict) else None
    made = _name_for(presenter, request, told if isinstance(told, str) else "")
    return replace(request, name=made)


def _name_for(presenter: ResourcePresenter, request: WriteRequest, told: str) -> str:
    pattern = next(
        (
            each
            for each in presenter.patterns
            if (above := each.parent()) is None or above.match(request.parent)
        ),
        presenter.patterns[0],
    )
    if told and not request.id and not request.name:
        holder = told.rpartition("/")[0].rpartition("/")[0]
        if request.parent and holder != request.parent:
            raise Invalid(
                message("{sent} does not lie in {parent}.", sent=told, parent=request.parent), code="name"
            )
        return told
    prefix = f"{request.parent}/" if request.parent else ""
    last = "" if pattern.is_singleton else f"/{request.id or f'r{new_uid().hex[:20]}'}"
    made = request.name or f"{prefix}{pattern.collection}{last}"
    if told and told != made:
        raise Invalid(
            message("The body names {sent}, the address {name}.", sent=told, name=made), code="name"
        )
    return made


def put_error_at(error: SwitchyardError, at: str) -> None:
    """Say of an error where it is among several writes."""
    inside = (replace(each, path=f"{at}.resource.{each.path}".rstrip(".")) for each in error.violations)
    error.violations = tuple(inside) or (Violation(at, error.words),)
    error.begin_with(message("{at}:", at=at))


def touched(request: WriteRequest) -> Named:
    """Name what a write touches, with the document that a new resource would have."""
    makes = request.verb == "create" or request.allow_missing
    body = request.body if makes and isinstance(request.body, dict) else None
    return Named(request.type, request.name, body)


def place_moved(name: str, made: Typed, before: StoredResource, stored_version: str) -> Conflict:
    """Say that an update would store a resource by another type or name."""
    return Conflict(
        message(
            "{name} would be {type} {made_name} in {stored_version}, and is stored as "
            "{before_type} {before_name}.",
            name=name,
            type=made.type,
            made_name=made.name,
            stored_version=stored_version,
            before_type=before.type,
            before_name=before.name,
        ),
        code="place-moved",
        remedy=message("Leave the fields that decide its type and name, or delete and create it."),
        name=name,
    )


def check_revision(before: StoredResource, expected: int | None) -> None:
    """See that a resource is at the revision that a write expects.

    Raises: Stale (`revision-conflict`).
    """
    if expected is not None and expected != before.revision:
        raise RevisionMismatch(
            message(
                "{name} is at revision {revision}, not {expected}.",
                name=before.name,
                revision=before.revision,
                expected=expected,
            ),
            remedy=message("Read it again, then decide again."),
            found=before.revision,
            asked=expected,
        )


def check_precondition(shown: JsonObject, precondition: WritePrecondition) -> None:
    """See that a resource is as a write expects it, at the places of a mask.

    Raises: Conflict (`state-moved`).
    """
    mask = parse_mask(precondition.mask or [f"`{key}`" for key in precondition.state if "`" not in key])
    wrong = [
        str(path)
        for path in mask.paths
        if values_at(shown, path.segments) != values_at(precondition.state, path.segments)
    ]
    if wrong or (mask.is_everything and shown != precondition.state):
        raise Conflict(
            message("The resource is not what this write expects it to be."),
            code="state-moved",
            remedy=message("Read it again, then decide again."),
            violations=tuple(Violation(path, message("is different")) for path in wrong[:_SHOWN]),
        )


def merged(
    route: ServingRoute,
    presenter: ResourcePresenter,
    request: WriteRequest,
    given: ReceivedResource,
    shown: JsonObject,
    kept: JsonObject,
) -> tuple[JsonObject, JsonObject]:
    """Lay what a request sends over the fields shown and the metadata kept, at the places of its mask."""
    mask = parse_mask(request.mask or None)
    sent = kept if given.metadata is None else {**served_metadata(kept), **given.metadata}
    if mask.is_everything:
        view = _with_unseen(route, presenter, request, given.view, shown)
        return view, sent_lifecycle(sent, kept)
    own = [path for path in mask.paths if path.segments[0] == presenter.metadata_key]
    rest = [
        path for path in mask.paths if path.segments[0] not in (presenter.metadata_key, presenter.name_key)
    ]
    rest, unknown = presenter.known_of(rest, given.view) if request.patches else (rest, {})
    view = shown
    if rest:
        schema, output = route.schema, request.by_service
        bound = bind_mask(Mask(tuple(rest)), schema, presenter.type, for_write=True, output=output)
        view = merge(shown, given.view, bound) if bound.paths else shown
    if own:
        below = Mask(tuple(Path(path.segments[1:]) for path in own if len(path.segments) > 1))
        sent = merge(kept, sent, below) if below.paths else sent
    return {**view, **unknown}, sent_lifecycle(sent, kept) if own else kept


def _with_unseen(
    route: ServingRoute,
    presenter: ResourcePresenter,
    request: WriteRequest,
    view: JsonObject,
    before: JsonObject,
) -> JsonObject:
    """Put back what a client sent a whole resource without because no answer shows it, or a brown-out left it out.

    The mask `*` says that the resource is all that shall be there.
    """
    paths = route.served.unseen_of(route.version, request.type) | presenter.input_only
    if not paths or request.by_service or request.mask:
        return view
    return UnseenFields(route.schema, route.schema.document_type(request.type), paths).kept(view, before)


def unstored(document: JsonObject, metadata_key: str, *, is_new: bool) -> JsonObject:
    """Leave out of a document what only a commit would give it."""
    metadata = document.get(metadata_key)
    if not isinstance(metadata, dict):
        return document
    left_out = (*_OF_A_COMMIT, *_OF_A_CREATION) if is_new else _OF_A_COMMIT
    return {
        **document,
        metadata_key: {key: value for key, value in metadata.items() if key not in left_out},
    }
