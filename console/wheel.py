"""The command line as a wheel, made from the very code that runs here: never older than the server that gives it."""

from __future__ import annotations

import base64
import hashlib
import io
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from console.env import ROOT

NAME = "switchyard_cli"
# What `swy` is made of, and all that these import: the layers that know no framework.
PACKAGES = ("console/cli", "switchyard_client", "migrations_app/kernel", "migrations_app/domain")
INITS = ("console/__init__.py", "migrations_app/__init__.py")
NEEDS = (
    "google-re2==1.1.20251105",
    "httpx>=0.28",
    "msgspec>=0.19",
    "pyyaml>=6",
    "rich>=14",
    "typer>=0.16",
    "tzdata",
)
# Only `swy schema` and `swy data` read protobuf definitions, and only from those who describe services in them.
PROTOBUF = ("googleapis-common-protos>=1.70", "grpcio-tools>=1.70", "protobuf>=6")
EPOCH = (1980, 1, 1, 0, 0, 0)


def wheel_name() -> str:
    """Name the wheel's file."""
    return f"{NAME}-{_version()}-py3-none-any.whl"


@cache
def wheel() -> bytes:
    """Make the wheel; the same code gives the same bytes."""
    info, out, record = f"{NAME}-{_version()}.dist-info", io.BytesIO(), list[str]()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as kept:
        for path, content in (*_modules(), *_metadata(info)):
            kept.writestr(zipfile.ZipInfo(path, EPOCH), content, zipfile.ZIP_DEFLATED)
            seal = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={seal},{len(content)}")
        listed = "\n".join((*record, f"{info}/RECORD,,", ""))
        kept.writestr(zipfile.ZipInfo(f"{info}/RECORD", EPOCH), listed)
    return out.getvalue()


@require_safe
def download(request: HttpRequest, name: str = "") -> HttpResponse:
    """Give the command line to any caller: it holds no secret, and an installer brings no token."""
    if name and name != wheel_name():
        raise Http404(name)
    if not name:
        return HttpResponse(status=302, headers={"Location": f"/cli/{wheel_name()}"})
    headers = {
        "Content-Disposition": f'attachment; filename="{wheel_name()}"',
        "Cache-Control": "no-cache",
        "ETag": f'"{hashlib.sha256(wheel()).hexdigest()[:16]}"',
    }
    return HttpResponse(wheel(), content_type="application/octet-stream", headers=headers)


def _modules() -> Iterator[tuple[str, bytes]]:
    for name in INITS:
        yield name, (ROOT / name).read_bytes()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def _metadata(info: str) -> Iterator[tuple[str, bytes]]:
    lines = ["Metadata-Version: 2.1", f"Name: {NAME.replace('_', '-')}", f"Version: {_version()}"]
    lines += ["Summary: swy, the command line of Switchyard.", "Requires-Python: >=3.11"]
    lines += [f"Requires-Dist: {need}" for need in NEEDS]
    lines += ["Provides-Extra: protobuf"]
    lines += [f'Requires-Dist: {need}; extra == "protobuf"' for need in PROTOBUF]
    yield f"{info}/METADATA", "\n".join((*lines, "")).encode()
    made = "Wheel-Version: 1.0\nGenerator: switchyard\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    yield f"{info}/WHEEL", made.encode()
    yield f"{info}/entry_points.txt", b"[console_scripts]\nswy = console.cli.main:main\n"


def _version() -> str:
    try:
        return version("switchyard")
    except PackageNotFoundError:
        return "0.1.0"


def main() -> None:
    """Write the wheel into a folder: `python -m console.wheel dist`."""
    folder = Path(sys.argv[1] if sys.argv[1:] else "dist")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / wheel_name()).write_bytes(wheel())
    print(folder / wheel_name())


if __name__ == "__main__":
    main()
