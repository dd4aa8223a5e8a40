"""The one page of the browser console, with the nonce that lets its styles and scripts in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

BUILD_HEADER = "X-Console-Build"
_NOT_BUILT = (
    "<!doctype html><title>Switchyard</title><h1>The console is not built</h1>"
    "<p>Run <code>make up</code>, which builds it, or <code>npm run build</code> in <code>frontend</code>.</p>"
)


def _template() -> str:
    path = Path(settings.FRONTEND) / "index.html"
    return path.read_text() if path.is_file() else _NOT_BUILT


def build() -> str:
    """Name the console that is served now; empty where none is built."""
    path = Path(settings.FRONTEND) / "index.html"
    try:
        return _digest(path, path.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=2)
def _digest(path: Path, changed: int) -> str:
    # The page names its scripts by their content, so its own content names the whole console.
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


@sync_and_async_middleware
def console_builds(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Name with each answer of the API the console that is served now, so that an older page offers to reload."""

    def named(request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.path.startswith("/api/") and (name := build()):
            response[BUILD_HEADER] = name
        return response

    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponse:
            return named(request, await get_response(request))

        return asynchronous  # type: ignore[return-value]

    def synchronous(request: HttpRequest) -> HttpResponse:
        return named(request, get_response(request))

    return synchronous


@require_safe
@ensure_csrf_cookie
def index(request: HttpRequest, path: str = "") -> HttpResponse:
    """Serve the console whatever its inner address is; the browser's router reads that."""
    nonce = str(getattr(request, "csp_nonce", ""))
    page = _template().replace("__CSP_NONCE__", nonce).replace("<script ", f'<script nonce="{nonce}" ')
    page = page.replace("<head>", f'<head><meta name="console-build" content="{build()}">', 1)
    return HttpResponse(page, headers={"Cache-Control": "no-store"})
