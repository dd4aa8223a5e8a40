"""Writes as they are asked for: what, under which name, on what conditions, and at which place among several."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import uuid4

from migrations_app.domain.filters.evaluate import values_at
from migrations_app.domain.filters.masks import parse_mask
from migrations_app.engine.serving.placement import Named
from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.kernel.errors import Conflict, Invalid, RevisionConflict, SwitchyardError, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.store import StoredResource

_SHOWN = 20


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
            raise Invalid(f"{told} does not lie in {request.parent}.", code="name")
        return told
    prefix = f"{request.parent}/" if request.parent else ""
    last = "" if pattern.is_singleton else f"/{request.id or f'r{uuid4().hex[:20]}'}"
    made = request.name or f"{prefix}{pattern.collection}{last}"
    if told and told != made:
        raise Invalid(f"The body names {told}, the address {made}.", code="name")
    return made


def put_error_at(error: SwitchyardError, at: str) -> None:
    """Say of an error where it is among several writes."""
    inside = (replace(each, path=f"{at}.resource.{each.path}".rstrip(".")) for each in error.violations)
    error.violations = tuple(inside) or (Violation(at, error.message),)
    error.message = f"{at}: {error.message}"


def touched(request: WriteRequest) -> Named:
    """Name what a write touches, with the document that a new resource would have."""
    makes = request.verb == "create" or request.allow_missing
    body = request.body if makes and isinstance(request.body, dict) else None
    return Named(request.type, request.name, body)


def check_revision(before: StoredResource, expected: int | None) -> None:
    """See that a resource is at the revision that a write expects.

    Raises: Stale (`revision-conflict`).
    """
    if expected is not None and expected != before.revision:
        raise RevisionConflict(
            f"{before.name} is at revision {before.revision}, not {expected}.",
            remedy="Read it again and decide anew.",
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
            "The resource is not what this write expects it to be.",
            code="state-moved",
            remedy="Read it again and decide anew.",
            violations=tuple(Violation(path, "is different") for path in wrong[:_SHOWN]),
        )
