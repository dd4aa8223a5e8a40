"""The one page of the browser console, with the nonce that lets its styles and scripts in."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

_NOT_BUILT = (
    "<!doctype html><title>Switchyard</title><h1>The console is not built</h1>"
    "<p>Run <code>make up</code>, which builds it, or <code>npm run build</code> in <code>frontend</code>.</p>"
)


def _template() -> str:
    path = Path(settings.FRONTEND) / "index.html"
    return path.read_text() if path.is_file() else _NOT_BUILT


@require_safe
@ensure_csrf_cookie
def index(request: HttpRequest, path: str = "") -> HttpResponse:
    """Serve the console whatever its inner address is; the browser's router reads that."""
    nonce = str(getattr(request, "csp_nonce", ""))
    page = _template().replace("__CSP_NONCE__", nonce).replace("<script ", f'<script nonce="{nonce}" ')
    return HttpResponse(page, headers={"Cache-Control": "no-store"})
