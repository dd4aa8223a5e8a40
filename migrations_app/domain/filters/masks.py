"""Field masks: which fields a read shows and a write changes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from migrations_app.domain.filters.ast import Path
from migrations_app.domain.filters.bind import start_type
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    Behavior,
    ListType,
    MapType,
    ObjectType,
    StructType,
    Type,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message

MAX_PATHS = 1000

_PATH = re.compile(r'(?:^|\.)(?:`([^`]+)`|"((?:[^"\\]|\\["\\])+)"|([^\s.,`"\[\]{}\\]+))')


@dataclass(frozen=True, slots=True)
class Mask:
    """A set of paths; without paths it means every field."""

    paths: tuple[Path, ...] = ()

    @classmethod
    def of(cls, paths: Iterable[str]) -> Mask:
        """Read the paths of a mask.

        Raises: Invalid (`mask`).
        """
        return parse_mask(list(paths))

    @property
    def is_everything(self) -> bool:
        """Whether the mask means every field."""
        return not self.paths

    def __str__(self) -> str:
        return ",".join(map(str, self.paths)) or "*"

    def covers(self, path: Path) -> bool:
        """Tell whether a path lies at or below a path of the mask."""
        return self.is_everything or any(
            path.segments[: len(each.segments)] == each.segments for each in self.paths
        )

    def touches(self, path: Path) -> bool:
        """Tell whether a path lies at, below or above a path of the mask."""
        size = len(path.segments)
        return self.covers(path) or any(each.segments[:size] == path.segments for each in self.paths)


def parse_mask(given: str | Iterable[str] | None) -> Mask:
    """Read a mask: paths in a list or parted by commas; nothing and `*` mean every field.

    A key with dots is written in quotes or backticks; places in lists are refused.

    Raises: Invalid (`mask`).
    """
    texts = _parted(given) if isinstance(given, str) else list(given or ())
    if len(texts) > MAX_PATHS:
        raise Invalid(message("A mask has at most {max_paths} paths.", max_paths=MAX_PATHS), code="mask")
    if any(text.strip() == "*" for text in texts):
        return Mask()
    return Mask(_least({_path(text.strip()) for text in texts if text.strip()}))


def _parted(text: str) -> list[str]:
    return re.findall(r'(?:`[^`]*`|"(?:[^"\\]|\\.)*"|[^,`"])+', text)


def _path(text: str) -> Path:
    segments: list[str | int] = []
    at = 0
    while at < len(text):
        match = _PATH.match(text, at)
        if match is None or (at == 0) == text[at : at + 1].startswith("."):
            raise Invalid(
                message("{text} is no field path.", text=repr(text[:80])),
                code="mask",
                remedy=message(
                    "Write a.b; a key with dots goes in backticks; places in lists cannot be named."
                ),
            )
        segments.append(match[1] or (re.sub(r"\\(.)", r"\1", match[2]) if match[2] else match[3]))
        at = match.end()
    return Path(tuple(segments))


def _least(paths: set[Path]) -> tuple[Path, ...]:
    """Drop paths below other paths, and sort."""
    kept: list[Path] = []
    for path in sorted(paths, key=lambda each: [str(segment) for segment in each.segments]):
        if not any(path.segments[: len(each.segments)] == each.segments for each in kept):
            kept.append(path)
    return tuple(kept)


def bind_mask(
    mask: Mask, schema: Schema, type_name: str, *, for_write: bool = False, output: bool = False
) -> Mask:
    """Turn names into document keys and see that every path exists.

    For a write, a list can only be named whole, paths of output-only fields are dropped unless `output` admits
    them, and the siblings of a oneof's member are added, because setting one clears the others.

    Raises: Invalid (`mask`).
    """
    start = start_type(schema, type_name)
    if mask.is_everything:
        return mask
    found: set[Path] = set()
    for path in mask.paths:
        found |= _bound(schema, start, path, for_write, output)
    if not found:
        raise Invalid(message("The mask names only fields that cannot be written."), code="mask")
    return Mask(_least(found))


def _bound(schema: Schema, start: Type, path: Path, for_write: bool, output: bool) -> set[Path]:
    here, keys = schema.resolve(start), Path(())
    siblings: set[Path] = set()
    for count, segment in enumerate(path.segments):
        name = str(segment)
        if isinstance(here, ListType):
            if for_write:
                raise Invalid(
                    message("{path} names a part of a list, which is written whole.", path=str(path)),
                    code="mask",
                )
            here = schema.resolve(here.item)
        field = here.field(name) if isinstance(here, ObjectType) else None
        if isinstance(here, ObjectType) and field is not None:
            if for_write and not output and Behavior.OUTPUT_ONLY in field.behavior:
                return set()
            if for_write:
                siblings |= _siblings(here, field.name, keys)
            keys, here = keys.below(field.key), schema.resolve(field.type)
        elif isinstance(here, MapType):
            keys, here = keys.below(name), schema.resolve(here.value)
        elif isinstance(here, StructType):
            keys = keys.below(name)
        else:
            so_far = Path(path.segments[: count + 1])
            raise Invalid(
                message("There is no field {so_far}.", so_far=str(so_far)), code="mask", path=str(so_far)
            )
    return {keys, *siblings}


def _siblings(here: ObjectType, name: str, above: Path) -> set[Path]:
    group = here.oneof_of(name)
    fields = [here.field(member) for member in group.members if member != name] if group else []
    return {above.below(field.key) for field in fields if field is not None}


def project(document: JsonObject, mask: Mask) -> JsonObject:
    """Keep the parts of a document that a mask shows; in lists, the same parts of every element."""
    if mask.is_everything:
        return document
    shown = _projected(document, [path.segments for path in mask.paths])
    return shown if isinstance(shown, dict) else {}


def _projected(value: Json, paths: list[tuple[str | int, ...]]) -> Json:
    if any(not path for path in paths):
        return value
    if isinstance(value, list):
        return [_projected(each, paths) for each in value]
    if not isinstance(value, dict):
        return None
    kept: JsonObject = {}
    for key, each in value.items():
        below = [path[1:] for path in paths if path[0] == key]
        if not below:
            continue
        if isinstance(each, dict | list) or any(not path for path in below):
            kept[key] = _projected(each, below)
    return kept


def merge(old: JsonObject, sent: JsonObject, mask: Mask) -> JsonObject:
    """Write the parts of `sent` that a mask names over `old`; what is absent there is cleared."""
    if mask.is_everything:
        return sent
    merged = old
    for path in mask.paths:
        merged = _written(merged, sent, path.segments)
    return merged


def _written(old: JsonObject, sent: JsonObject, path: tuple[str | int, ...]) -> JsonObject:
    key = str(path[0])
    given = sent.get(key)
    changed = dict(old)
    if len(path) == 1:
        if key in sent:
            changed[key] = given
        else:
            changed.pop(key, None)
        return changed
    kept = old.get(key)
    inner = _written(
        kept if isinstance(kept, dict) else {}, given if isinstance(given, dict) else {}, path[1:]
    )
    if inner or key in old:
        changed[key] = inner
    return changed
