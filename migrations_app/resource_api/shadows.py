"""Shadows for people to look at: one by its name, or those of a collection page by page."""

from __future__ import annotations

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.serving.shadowing.shadows import SHADOWS, shadow_of, shadows_of
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.addresses import RequestAddress, place_of
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.parameters import parameters_of, whole


def answer_shadows(
    servers: ResourceServers, schema: Schema, address: RequestAddress, request: ResourceRequest
) -> Response:
    """Answer `GET resourceShadows/{name}` or `GET resourceShadows/{parent}/{collection}`.

    The last page also has the shadows of what is being deleted, which may have no resource any more.
    Raises: Missing (`not-found`, `address`) · Invalid (`query`).
    """
    where = address.region, address.service, address.version
    place = place_of(schema, address.rest.removeprefix(f"{SHADOWS}/"))
    if not place.is_collection:
        parameters_of("shadow", request)
        return Response(200, shadow_of(servers.router, where, place.type, place.name))
    query = parameters_of("shadows", request)
    listed = ListRequest(
        type=place.type,
        parent=place.parent,
        mask="name",
        page_size=whole(query.get("pageSize", "100"), "pageSize"),
        page_token=query.get("pageToken", ""),
    )
    page = servers.reading.list(*where, listed)
    names = [str(each["name"]) for each in page.documents]
    shown: list[Json] = [
        *shadows_of(servers.router, where, place.type, place.parent, names, deleting=not page.next)
    ]
    document: JsonObject = {SHADOWS: shown}
    if page.next:
        document["nextPageToken"] = page.next
    return Response(200, document)
