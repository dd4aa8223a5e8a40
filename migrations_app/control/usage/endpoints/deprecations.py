"""What goes away: calls of this API, and versions of the services that it looks after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated, ClassVar

from django.urls import URLPattern, URLResolver, get_resolver, path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.usage.queries import deprecations as known
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import ResponseBody, one_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import everything, page_schema


class DeprecationSchema(ResponseBody, frozen=True, kw_only=True):
    """One thing that goes away."""

    kind: Annotated[str, one_of(["call", "version"])]
    what: Annotated[str, Meta(description="A method and an address, or a service and its version.")]
    since: date
    sunset: date
    instead: str


class DeprecationsView(RestView):
    """`/deprecations`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read"}

    @extend_schema(operation_id="deprecations", responses=page_schema("Deprecation", DeprecationSchema))
    def get(self, request: Request) -> Response:
        """List what goes away, calls of this API first."""
        versions: list[JsonObject] = [
            {
                "kind": "version",
                "what": f"{each.service} {each.version}",
                "since": each.since.isoformat(),
                "sunset": each.sunset.isoformat(),
                "instead": each.note,
            }
            for each in known.retiring_versions(self.actor)
        ]
        return Response(everything([*going_calls(get_resolver().url_patterns), *versions]))


def going_calls(patterns: Iterable[URLPattern | URLResolver], before: str = "/") -> Iterator[JsonObject]:
    """List the calls whose endpoints say that they go away."""
    for each in patterns:
        here = f"{before}{each.pattern}"
        if isinstance(each, URLResolver):
            yield from going_calls(each.url_patterns, here)
            continue
        for method, going in getattr(getattr(each.callback, "cls", None), "going", {}).items():
            yield {
                "kind": "call",
                "what": f"{method} {here}",
                "since": going.since.isoformat(),
                "sunset": going.sunset.isoformat(),
                "instead": going.instead,
            }


urlpatterns = [path("deprecations", DeprecationsView.as_view())]
