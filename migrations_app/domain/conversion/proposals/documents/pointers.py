"""What the document or an annotation of one field says outright of another: that it replaces it, or was it."""

from __future__ import annotations

import re

from migrations_app.domain.schema.types import Field

_POINTER = re.compile(
    r"(?:use|prefer|replaced by|superseded by|renamed (?:to|from|as)|new name (?:of|for)|replaces|supersedes|formerly"
    r"|previously|known as|instead of|in favou?r of|moved to"
    r"|alias|deprecated|was (?:just|called|named))\s+(?:the\s+|alias\s+|deprecated\s+)*[`'\"\[]*([A-Za-z_][\w.]*)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"[`'\"\[]+([A-Za-z_][\w.]*)[`'\"\]]+\s+(?:option|parameter|field|property|attribute|key|argument)?\s*"
    r"(?:has been|have been|was|is|got)\s+(?:renamed|replaced|superseded|changed to|deprecated in favou?r of)\b",
    re.IGNORECASE,
)


def points_at(given: Field, path: str, other: Field) -> bool:
    """Tell whether a field says in its document or annotations that another one, at a path, replaces it, or was it."""
    if given.deprecated and given.deprecated.replaced_by:
        replacing = given.deprecated.replaced_by
        return replacing in (path, other.name) or replacing.endswith(f".{path}")
    found = [*_POINTER.findall(given.description), *_CHANGED.findall(given.description)]
    named = {match.rstrip(".").rpartition(".")[2] for match in found}
    return other.name in named or other.key in named
