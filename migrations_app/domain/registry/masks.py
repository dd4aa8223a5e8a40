"""Field masks over JSON documents: picking, merging and comparing by path."""

from __future__ import annotations

import re
from copy import deepcopy

import msgspec

from migrations_app.domain.registry.documents import camel
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject, equal_json
from migrations_app.kernel.messages import message as worded

MAX_PATHS = 200
_PATH = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[^.\s,]{1,256})*")

OUTPUT_ONLY: tuple[tuple[str, ...], ...] = (
    ("metadata", "createTime"),
    ("metadata", "updateTime"),
    ("metadata", "deleteTime"),
    ("metadata", "uuid"),
    ("metadata", "resourceVersion"),
    ("metadata", "syncing"),
    ("metadata", "lifecycle"),
    ("metadata", "services"),
    ("metadata", "shards"),
    ("upgradeState",),
    ("dataUpdateStatuses",),
)

Path = tuple[str, ...]


def read_mask(text: str | None) -> tuple[Path, ...]:
    """Read a mask written as comma-separated paths, in either case.

    Raises: Invalid (`field-mask`).
    """
    return tuple(read_path(part.strip()) for part in (text or "").split(",") if part.strip())


def read_path(text: str) -> Path:
    """Read one path into its keys, written in lowerCamelCase.

    Raises: Invalid (`field-mask`).
    """
    if not _PATH.fullmatch(text) or text.count(".") > 10:
        raise Invalid(
            worded("'{text}' is not a field path.", text=text[:80]),
            code="field-mask",
            remedy=worded("Write paths like upgradeState.readyShards, parted by commas."),
        )
    keys = text.split(".")
    return tuple(
        key if at and keys[at - 1] in ("labels", "annotations", "shards") else camel(key)
        for at, key in enumerate(keys)
    )


def check_paths(paths: tuple[Path, ...], message: type[object]) -> tuple[Path, ...]:
    """Let only paths pass that a message has.

    Raises: Invalid (`field-mask`).
    """
    for path in paths:
        here: msgspec.inspect.Type | None = msgspec.inspect.type_info(message)
        for key in path:
            here = _inside(here, key)
            if here is None:
                raise Invalid(
                    worded("{kind} has no field {path}.", kind=message.__name__, path=".".join(path)[:80]),
                    code="field-mask",
                    remedy=worded("Write paths like upgradeState.readyShards, parted by commas."),
                )
    return paths


def _inside(here: msgspec.inspect.Type | None, key: str) -> msgspec.inspect.Type | None:
    if isinstance(here, msgspec.inspect.UnionType):
        return next((found for each in here.types if (found := _inside(each, key)) is not None), None)
    if isinstance(here, msgspec.inspect.VarTupleType):
        return _inside(here.item_type, key)
    if isinstance(here, msgspec.inspect.DictType):
        return here.value_type
    if isinstance(here, msgspec.inspect.StructType):
        return next((each.type for each in here.fields if each.encode_name == key), None)
    return None


def look(document: Json, path: Path) -> Json:
    """Read the value at a path; None when there is nothing."""
    for key in path:
        if not isinstance(document, dict):
            return None
        document = document.get(key)
    return document


def pick(document: JsonObject, paths: tuple[Path, ...]) -> JsonObject:
    """Keep only the masked paths; lists are walked into, an empty mask keeps everything."""
    if not paths:
        return document
    kept: JsonObject = {}
    for path in paths:
        _pick(document, path, kept)
    return kept


def _pick(source: JsonObject, path: Path, kept: JsonObject) -> None:
    key, rest = path[0], path[1:]
    if key not in source:
        return
    value = source[key]
    if not rest:
        kept[key] = value
    elif isinstance(value, dict):
        inner = kept.setdefault(key, {})
        if isinstance(inner, dict):
            _pick(value, rest, inner)
    elif isinstance(value, list):
        inner_list = kept.setdefault(key, [{} for _ in value])
        if isinstance(inner_list, list):
            for one, into in zip(value, inner_list, strict=False):
                if isinstance(one, dict) and isinstance(into, dict):
                    _pick(one, rest, into)


def merge(before: JsonObject, sent: JsonObject, paths: tuple[Path, ...]) -> JsonObject:
    """Put what was sent in place: the masked paths, or everything; output-only fields stay as they were.

    A masked path that was not sent is cleared.
    """
    after = deepcopy(before if paths else sent)
    for path in paths:
        _put(after, path, look(sent, path))
    for path in OUTPUT_ONLY:
        _put(after, path, look(before, path))
    if "name" in before:
        after["name"] = before["name"]
    return after


def without_output_only(sent: JsonObject) -> JsonObject:
    """Drop from a new document what only the registry itself writes."""
    return merge({}, sent, ())


def same(current: JsonObject, wanted: JsonObject, paths: tuple[Path, ...]) -> bool:
    """Tell whether two documents agree on the masked paths, or everywhere when there is no mask."""
    if not paths:
        return current == wanted
    return all(_or_none(look(current, path)) == _or_none(look(wanted, path)) for path in paths)


def changed_paths(before: JsonObject, after: JsonObject) -> tuple[Path, ...]:
    """List the top-level fields, and those of metadata, in which two documents differ."""
    found: list[Path] = []
    for key in sorted({*before, *after}):
        one, other = before.get(key), after.get(key)
        if equal_json(one, other):
            continue
        if key == "metadata" and isinstance(one, dict) and isinstance(other, dict):
            inner = sorted({*one, *other})
            found += [(key, each) for each in inner if not equal_json(one.get(each), other.get(each))]
        else:
            found.append((key,))
    return tuple(found)


def _put(document: JsonObject, path: Path, value: Json) -> None:
    for key in path[:-1]:
        inner = document.get(key)
        if not isinstance(inner, dict):
            if value is None:
                return
            inner = document[key] = {}
        document = inner
    if value is None:
        document.pop(path[-1], None)
    else:
        document[path[-1]] = deepcopy(value)


def _or_none(value: Json) -> Json:
    """Unset, null, zero, false and empty are one and the same on the wire."""
    return value or None
