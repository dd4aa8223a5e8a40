"""The paths that a service folder may hold: one allow-list for uploads, local folders and kept definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import WordedMessage, message

MAX_PATH_LENGTH = 255
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)
REMEDY = message(
    "Use letters, digits, dot, dash and underscore in each part of a path, beginning with a letter, a digit "
    "or an underscore; at most {most} characters altogether.",
    most=MAX_PATH_LENGTH,
)


def is_allowed_path(path: str) -> bool:
    """Tell whether a path is relative, without `..`, hidden parts, control characters or leading dashes.

    A compiler may read a name as an option, a file system as another place and a terminal as a command, so
    names are allowed by what they consist of, not refused by what is known to be harmful.
    """
    return len(path) <= MAX_PATH_LENGTH and all(_PART.fullmatch(part) for part in path.split("/"))


def check_paths(paths: Iterable[str]) -> None:
    """Refuse a folder with a path that is not allowed, or with one that is both a file and a folder.

    Raises: Invalid (`E-FILENAME`) naming the path, its harmful characters escaped.
    """
    names = set(paths)
    for path in sorted(names):
        if not is_allowed_path(path):
            raise _refusal(
                message(
                    "The folder holds a file with the name {path}, which is not allowed.", path=_shown(path)
                ),
                path,
            )
        folders = (path[:end] for end in range(len(path)) if path[end] == "/")
        for folder in folders:
            if folder in names:
                words = message(
                    "{folder} is a file, and {path} lies in a folder of that name.", folder=folder, path=path
                )
                raise _refusal(words, path)


def _refusal(words: WordedMessage, path: str) -> Invalid:
    return Invalid(words, code="E-FILENAME", remedy=REMEDY, file=_shown(path))


def _shown(path: str) -> str:
    """Write a path for people: what is not printable ASCII is escaped, and a long one is cut."""
    text = ascii(path)
    return text if len(text) <= 80 else f"{text[:76]}…{text[0]}"
