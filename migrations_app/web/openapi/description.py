"""The description of the API: the OpenAPI document, and the page that shows it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from migrations_app.web.operation_contracts import unknown_parameters

FORMAT = "format"


class JsonProblems(APIView):
    """Answers errors as JSON, whatever the view answers otherwise."""

    def handle_exception(self, exc: Exception) -> Response:
        """Answer an error."""
        answer = super().handle_exception(exc)
        self.request.accepted_renderer, self.request.accepted_media_type = JSONRenderer(), "application/json"
        return answer


@extend_schema(exclude=True)
class DocumentView(JsonProblems, SpectacularAPIView):
    """The OpenAPI document, as YAML or, when asked for, as JSON."""

    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        """Give the document.

        Raises: Invalid (`parameter`).
        """
        _refuse_parameters(request, (FORMAT,))
        media_type = request.accepted_renderer.media_type
        return HttpResponse(_rendered(media_type), content_type=media_type)


@extend_schema(exclude=True)
class DocumentPage(JsonProblems, SpectacularSwaggerView):
    """The page that shows the document and sends requests from it."""

    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        """Give the page.

        Raises: Invalid (`parameter`).
        """
        _refuse_parameters(request, ())
        return super().get(request, *args, **kwargs)


@lru_cache
def _rendered(media_type: str) -> bytes:
    # To make the document takes most of a second, and anybody may ask for it.
    document: dict[str, Any] = DocumentView.generator_class().get_schema(public=True)
    renderer = next(each for each in DocumentView.renderer_classes if each.media_type == media_type)
    rendered = renderer().render(document, renderer_context={})
    return rendered if isinstance(rendered, bytes) else str(rendered).encode()


def _refuse_parameters(request: Request, known: tuple[str, ...]) -> None:
    if unknown := [name for name in request.query_params if name not in known]:
        raise unknown_parameters(str(request.method), unknown, known)
