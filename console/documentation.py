"""The documentation site under /docs/, where `make docs` built it or a wheel brings it.

Each version has a folder of its own, such as /docs/0.1.0/. An address without a version leads to the latest one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import mimetypes
import re
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_safe

INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
POLICY = {
    "default-src": "'self'",
    # Drawings bring styles of their own.
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
NOT_BUILT = (
    "<!doctype html><title>Switchyard</title><h1>The documentation is not built</h1>"
    "<p>Run <code>make docs</code>, which builds it. The same pages are in <code>docs</code>.</p>"
)
NO_PAGE = (
    "<!doctype html><title>Switchyard</title><h1>404: there is no such page</h1>"
    '<p>See <a href="/docs/">the contents of the documentation</a>.</p>'
)


@require_safe
def documentation(request: HttpRequest, path: str = "") -> HttpResponse:
    """Serve a page of the site or a file that it loads."""
    folder = Path(settings.DOCUMENTATION)
    if not (folder / "versions.json").is_file():
        return HttpResponse(NOT_BUILT, status=404)
    versions = [entry["version"] for entry in json.loads((folder / "versions.json").read_text())]
    is_versioned = path == "versions.json" or path.partition("/")[0] in versions
    place = path if is_versioned else f"{versions[0]}/{path}"
    page = _page(folder, place)
    if page is None:
        return HttpResponse(NO_PAGE, status=404)
    if page.name == "index.html" and not place.endswith(("/", "/index.html")):
        # Links of the page start from its folder.
        place += "/"
    if place != path:
        return HttpResponseRedirect(f"/docs/{quote(place)}")
    if page.suffix != ".html":
        type_ = mimetypes.guess_type(page.name)[0] or "application/octet-stream"
        return HttpResponse(page.read_bytes(), content_type=type_, headers={"Cache-Control": "max-age=600"})
    text = page.read_text()
    return HttpResponse(text, headers={"Content-Security-Policy": policy(text)})


def _page(folder: Path, path: str) -> Path | None:
    """Find the file of an address below a folder."""
    page = folder / path
    if page.is_dir():
        page = page / "index.html"
    return page if page.resolve().is_relative_to(folder.resolve()) and page.is_file() else None


def policy(page: str) -> str:
    """Let in a page's own scripts, each by its digest, and no other inline script."""
    digests = [hashlib.sha256(script.encode()).digest() for script in INLINE_SCRIPT.findall(page)]
    allowed = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in dict.fromkeys(digests)]
    directives = POLICY | {"script-src": " ".join(["'self'", *allowed])}
    return "; ".join(f"{name} {value}" for name, value in directives.items())
