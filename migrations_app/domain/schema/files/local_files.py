"""The files of a folder on disk, as a service folder is read from one."""

from __future__ import annotations

from pathlib import Path

from migrations_app.domain.schema.files.file_paths import check_paths
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

MAX_FILES = 20_000
MAX_BYTES = 64_000_000


def read_local_files(folder: Path) -> dict[str, bytes]:
    """Read the files below a folder by their relative paths; hidden ones and links that lead out are left aside.

    Raises: Invalid (`E-LIMIT`) when there is too much, `E-FILENAME` when a name is not allowed.
    """
    root = folder.resolve()
    paths: dict[str, Path] = {}
    size = 0
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if any(part.startswith((".", "__")) for part in name.split("/")) or not path.is_file():
            continue
        if not path.resolve().is_relative_to(root):
            continue
        size += path.stat().st_size
        check_bounds(len(paths), size)
        paths[name] = path
    check_paths(paths)
    return {name: path.read_bytes() for name, path in paths.items()}


def find_subfolder(folder: Path, path: str) -> Path:
    """Find a folder that a file of another folder names; it must lie below that one.

    Raises: Invalid (`fleet-file`).
    """
    root = folder.resolve()
    found = (root / path).resolve()
    if not found.is_dir() or not found.is_relative_to(root):
        raise Invalid(
            message("{path} is no folder below {folder}.", path=path, folder=str(folder)),
            code="fleet-file",
            remedy=message("Name the folders of services by their paths below the file that lists them."),
        )
    return found


def check_bounds(count: int, size: int) -> None:
    """Refuse a folder of more files or bytes than one may have.

    Raises: Invalid (`E-LIMIT`).
    """
    if count >= MAX_FILES or size > MAX_BYTES:
        raise Invalid(
            message(
                "A service folder holds at most {max_files} files and {max_bytes} bytes.",
                max_files=MAX_FILES,
                max_bytes=MAX_BYTES,
            ),
            code="E-LIMIT",
        )
