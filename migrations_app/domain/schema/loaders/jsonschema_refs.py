"""References inside a JSON Schema document, and `allOf` put together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message

BUNDLE = "$files"
"""The key under which the files of a folder are put together."""

_HOMES = ("definitions", "$defs", "components/schemas")
_MAX_PARTS = 200


class SchemaReferences:
    """Names for what `$ref` points at; only within the document, nothing is fetched."""

    def __init__(self, root: Json, file: str) -> None:
        self._root, self._file = root, file
        self._known: dict[str, str] = {}
        self._targets: dict[str, Json] = {}

    def name(self, reference: str) -> str | None:
        """Name the type that a reference means; None when it leads out of the document or nowhere."""
        if reference in self._known:
            return self._known[reference]
        file, hash_mark, pointer = reference.partition("#")
        if hash_mark and self._is_this_file(file):
            steps = [_unescaped(each) for each in pointer.split("/")[1:]]
            local = self._known.get(f"#{pointer}")
            if local is not None:
                return local
            target = self._follow(steps)
            if target is not None:
                name = self._free_name(_name(steps), target)
                self._known[reference] = name
                self._targets[name] = target
                return name
        return None

    def _is_this_file(self, file: str) -> bool:
        """Tell whether the file part of a reference means this document, by whatever way it is reached."""
        return not file or file.rpartition("/")[2] == self._file.rpartition("/")[2]

    def target(self, name: str) -> Json:
        """Give the schema of a name that a reference had."""
        return self._targets.get(name)

    def adopt(self, reference: str, name: str, target: Json) -> None:
        """Fix the name of a reference before it is met."""
        self._known[reference] = name
        self._targets[name] = target

    def reached(self) -> list[tuple[str, Json]]:
        """List what was referred to so far."""
        return list(self._targets.items())

    def _follow(self, steps: list[str]) -> Json:
        value = self._root
        for step in steps:
            if isinstance(value, dict) and step in value:
                value = value[step]
            elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
                value = value[int(step)]
            else:
                return None
        return value

    def _free_name(self, name: str, target: Json) -> str:
        count, free = 1, name
        while free in self._targets and self._targets[free] is not target:
            count += 1
            free = f"{name}{count}"
        return free


def _unescaped(step: str) -> str:
    return unquote(step).replace("~1", "/").replace("~0", "~")


def _name(steps: list[str]) -> str:
    """Name a type after its place: its key where schemas live, else the whole way to it."""
    if steps[:1] == [BUNDLE] and len(steps) > 1:
        file, steps = steps[1], steps[2:]
        if not steps:
            return type_name(file.rpartition("/")[2].partition(".")[0])
    whole = "/".join(steps)
    for home in _HOMES:
        if whole.startswith(f"{home}/") and whole.count("/") == home.count("/") + 1:
            return type_name(steps[-1])
    return type_name(".".join(steps)) or "Root"


def type_name(text: str) -> str:
    """Make a name that the IR takes for a type."""
    plain = re.sub(r"[^\w.-]+", "_", text)
    return plain if not plain or re.match(r"[^\W\d]", plain) else f"_{plain}"


def merged_all_of(parts: list[Json], references: SchemaReferences) -> tuple[JsonObject, list[str]]:
    """Put the parts of an `allOf` together as one schema; what two parts say differently is lost."""
    whole: JsonObject = {}
    properties: JsonObject = {}
    required: list[Json] = []
    lost: list[str] = []
    for part in _flat(parts, references):
        for key, each in part.items():
            if key == "properties" and isinstance(each, dict):
                lost += [
                    f"allOf property {name}"
                    for name in each
                    if properties.get(name, each[name]) != each[name]
                ]
                properties |= {name: value for name, value in each.items() if name not in properties}
            elif key == "required" and isinstance(each, list):
                required += [name for name in each if name not in required]
            elif key in ("title", "description", "$id", "$schema"):
                whole.setdefault(key, each)
            elif whole.setdefault(key, each) != each:
                lost.append(f"allOf {key}")
    if properties:
        whole["properties"] = properties
    if required:
        whole["required"] = required
    return whole, lost


def _flat(parts: list[Json], references: SchemaReferences) -> Iterator[JsonObject]:
    """Walk the parts with nested `allOf` and references opened, each reference once."""
    pending, seen, count = list(parts), set[str](), 0
    while pending:
        count += 1
        if count > _MAX_PARTS:
            raise Invalid(
                message("An allOf has more than {max_parts} parts.", max_parts=_MAX_PARTS), code="E-LIMIT"
            )
        part = pending.pop(0)
        if not isinstance(part, dict):
            continue
        reference = part.get("$ref")
        if isinstance(reference, str):
            name = references.name(reference)
            if name is not None and name not in seen:
                seen.add(name)
                pending.insert(0, references.target(name))
            continue
        inner = part.get("allOf")
        if isinstance(inner, list):
            pending[:0] = inner
        yield {key: each for key, each in part.items() if key != "allOf"}
