"""Shadows for people to look at: one by its name, those of a collection page by page, or watched."""

from __future__ import annotations

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.reading import LARGEST_PAGE, ListRequest
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.serving.shadowing.shadow_watch import ShadowWatch
from migrations_app.engine.serving.shadowing.shadows import SHADOWS, shadow_of, shadows_of
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.resource_api.addresses import RequestAddress, ResourceLocation, place_of
from migrations_app.resource_api.bodies import read_body
from migrations_app.resource_api.exchange import ResourceRequest, Response, Watched
from migrations_app.resource_api.parameters import parameters_of, whole
from migrations_app.web.messages import form_of


def answer_shadows(
    servers: ResourceServers, schema: Schema, address: RequestAddress, request: ResourceRequest
) -> Response:
    """Answer `GET resourceShadows/{name}` or `GET resourceShadows/{parent}/{collection}`.

    The last page also has the shadows of what is being deleted, which may have no resource any more.
    Raises: Missing (`not-found`, `address`) · Invalid (`query`).
    """
    place = _place(schema, address)
    if not place.is_collection:
        parameters_of("shadow", request)
        return Response(200, shadow_of(servers.router, _where(address), place.type, place.name))
    query = parameters_of("shadows", request)
    size = whole(query.get("pageSize", "100"), "pageSize")
    shown, following = _page(servers, address, place, size, query.get("pageToken", ""))
    listed: list[Json] = [*shown]
    document: JsonObject = {SHADOWS: listed}
    if following:
        document["nextPageToken"] = following
    return Response(200, document)


def watch_shadows(
    servers: ResourceServers, schema: Schema, address: RequestAddress, request: ResourceRequest
) -> Watched:
    """Begin to watch what `answer_shadows` answers at the same address.

    Raises: Missing (`not-found`, `address`) · Invalid (`query`, `document`, `too-many-shadows`).
    """
    place = _place(schema, address)
    parameters_of("shadow", request)
    if request.body and read_body(request.body) != {}:
        raise Invalid(
            message("A watch of shadows takes no options."), code="document", remedy=message("Send no body.")
        )

    def _listed() -> list[JsonObject]:
        if not place.is_collection:
            return [shadow_of(servers.router, _where(address), place.type, place.name)]
        shown, following = _page(servers, address, place, LARGEST_PAGE, "")
        if following:
            raise Invalid(
                message(
                    "There are more than {largest_page} resources in {rest}.",
                    largest_page=LARGEST_PAGE,
                    rest=address.rest.removeprefix(f"{SHADOWS}/"),
                ),
                code="too-many-shadows",
                remedy=message("Watch those below one parent, or one shadow by its name."),
            )
        return shown

    watch = ShadowWatch(_listed)
    watch.begin()
    return Watched(watch, form_of(request.headers.get("accept", "")))


def _page(
    servers: ResourceServers, address: RequestAddress, place: ResourceLocation, size: int, token: str
) -> tuple[list[JsonObject], str]:
    """Give a page of shadows, and the token of the next one."""
    where = _where(address)
    listed = ListRequest(type=place.type, parent=place.parent, mask="name", page_size=size, page_token=token)
    page = servers.reading.list(*where, listed)
    names = [str(each["name"]) for each in page.documents]
    shown = shadows_of(servers.router, where, place.type, place.parent, names, deleting=not page.next)
    return shown, page.next


def _place(schema: Schema, address: RequestAddress) -> ResourceLocation:
    return place_of(schema, address.rest.removeprefix(f"{SHADOWS}/"))


def _where(address: RequestAddress) -> tuple[str, str, str]:
    return address.region, address.service, address.version
