"""Names of resources that are created: given by the address, by the body, or made here."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Invalid


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
