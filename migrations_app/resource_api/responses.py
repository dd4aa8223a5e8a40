"""The answers of the resource API: their headers, and their documents in the form that was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.domain.schema.methods import find_method
from migrations_app.engine.serving.presentation import ResourceView
from migrations_app.engine.serving.routing import ServingMode
from migrations_app.engine.serving.shadowing.shadows import SHADOWS
from migrations_app.engine.serving.writes.requests import WriteRehearsal
from migrations_app.kernel.json import Json
from migrations_app.resource_api.actions import method_of
from migrations_app.resource_api.addresses import RequestAddress, place_of
from migrations_app.resource_api.answers.documents import DocumentForm, answer_type
from migrations_app.resource_api.answers.forms import AnswerForm
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.published_requests import translated

_UNSPEAKABLE, _NAMED = re.compile(r"[^ !#-\[\]-~]"), 20


def check_form(schema: Schema, type_: str, method: str | Method, form: AnswerForm) -> None:
    """See that a method can answer in a form, before it does anything.

    Raises: Invalid (`query`) naming the field that there is not.
    """
    if form.fields:
        DocumentForm.of(schema, answer_type(schema, type_, method), form)


def has_no_type(rest: str) -> bool:
    """Tell whether what an address names is no resource type."""
    return rest in ("", "openapi.json") or rest.startswith(f"{SHADOWS}/")


def in_form(
    schema: Schema, address: RequestAddress, request: ResourceRequest, response: Response
) -> Response:
    """Write an answer in the form that its request asks for."""
    if not (request.form.changes_documents or schema.is_protobuf) or has_no_type(address.rest):
        return response
    place = place_of(schema, address.rest)
    method: str | Method | None = find_method(
        schema, place.type, address.verb, is_collection=place.is_collection
    )
    if method is None:
        method = method_of(place, request.method, address.verb)
        request = translated(schema, place.type, method, request)
    if not request.form.changes_documents:
        return response
    form = DocumentForm.of(schema, answer_type(schema, place.type, method), request.form)
    return replace(response, document=form.write(response.document))


def response_of(found: ResourceView, status: int = 200) -> Response:
    """Answer with one resource: its document, its ETag, how it was served, and whose copy it is."""
    headers = {"ETag": f'"{found.revision}"', **headers_of(found.how), **warning_of(found.ignored)}
    if found.copy is not None:
        headers["Switchyard-Read-Copy"] = found.copy.owner
        if found.copy.behind_seconds is not None:
            headers["Age"] = str(round(found.copy.behind_seconds))
    return Response(status, found.document, headers)


def batch_response(found: Sequence[ResourceView | None]) -> Response:
    """Answer with what several writes left; an empty document for a deletion."""
    ignored = [
        f"requests[{index}]: {path}" for index, each in enumerate(found) if each for path in each.ignored
    ]
    documents: list[Json] = [each.document if each else {} for each in found]
    return Response(200, {"responses": documents}, warning_of(ignored))


def rehearsed_response(rehearsal: WriteRehearsal, *, several: bool = False) -> Response:
    """Answer with what writes would leave; nothing was stored, so that there is no ETag and nothing created."""
    if several:
        response = batch_response(rehearsal.answers)
    else:
        (view,) = rehearsal.answers
        response = Response(200, {}) if view is None else response_of(view)
    headers = {key: value for key, value in response.headers.items() if key != "ETag"}
    if rehearsal.unasked:
        named = ", ".join(rehearsal.unasked[:_NAMED])
        said = f'299 - "Not asked in a dry run, and must agree to the write: {named}"'
        headers["Warning"] = ", ".join(filter(None, (headers.get("Warning"), said)))
    return replace(response, headers=headers)


def warning_of(ignored: Sequence[str]) -> dict[str, str]:
    """Name the keys that a write ignored, as a header can."""
    if not ignored:
        return {}
    named = ", ".join(_UNSPEAKABLE.sub("?", path[:80]) for path in ignored[:_NAMED])
    more = f" and {len(ignored) - _NAMED} more" if len(ignored) > _NAMED else ""
    return {"Warning": f'299 - "Ignored, because this version does not know them: {named}{more}"'}


def headers_of(how: ServingMode) -> dict[str, str]:
    """Say how an answer was made."""
    headers = {"Switchyard-Served": how.value}
    if how is ServingMode.PREVIEW:
        headers["Warning"] = '199 - "This version is still being filled and may be incomplete."'
    return headers
