"""Where in its sources a schema says something: the file and line of a type or field that a check refuses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.loaders.crd import schema_places
from migrations_app.domain.schema.located import Located, Steps, read_json, read_yaml_documents
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json

_HOLDERS: tuple[Steps, ...] = (
    ("schema", "types"),
    ("types",),
    ("schema", "resources"),
    ("resources",),
    ("components", "schemas"),
    ("$defs",),
    ("definitions",),
)
_MEMBERS = ("fields", "properties")


def placed(
    findings: Iterable[DefinitionFinding], paths: Iterable[str], files: Mapping[str, bytes]
) -> Iterator[DefinitionFinding]:
    """Give findings that only name a type or field its file and line, or else the files that were read."""
    known = [path for path in paths if path in files]
    sources = list(_read(known, files))
    for each in findings:
        if each.file or not known:
            yield each
            continue
        file, line = _longest_part(each.path, sources) or (", ".join(known), 0)
        yield replace(each, file=file, line=line)


def _read(paths: Iterable[str], files: Mapping[str, bytes]) -> Iterator[Located]:
    for path in paths:
        try:
            text = files[path]
            yield from (read_json(text, path),) if path.endswith(".json") else read_yaml_documents(text, path)
        except Invalid:
            continue  # a source that is neither YAML nor JSON


def _longest_part(path: str, sources: Iterable[Located]) -> tuple[str, int] | None:
    """Find the longest part of a path such as `Type.Inner.field` that a source holds."""
    steps = [each for source in sources for each in _places(path, source)]
    return max(steps)[1:] if steps else None


def _places(path: str, source: Located) -> Iterator[tuple[int, str, int]]:
    names = path.split(".")
    for holder in _HOLDERS:
        for count in range(1, len(names) + 1):
            home = (*holder, ".".join(names[:count]))
            fields = [(*home, member, *names[count : count + 1]) for member in _MEMBERS]
            for steps in (home, *fields):
                line = source.lines.get(steps)
                if line is not None:
                    yield len(steps), source.file, line


_STRUCTURE = frozenset(
    {"properties", "fields", "items", "additionalProperties", "item", "value", "list", "map", "type", "allOf"}
)


class SourcePlaces:
    """Where the sources of one version declare its fields; files are read when the first place is asked for."""

    def __init__(self, schema: Schema, files: Mapping[str, bytes]) -> None:
        self._schema, self._files = schema, files
        self._ends: dict[str, list[tuple[tuple[str, ...], str, int]]] | None = None

    def of(self, owner: str, path: str) -> str:
        """Name the file and line of a field, by the type and the path in it; empty where the sources do not tell."""
        names = tuple(re.sub(r"\[\]|\{\}", "", f"{owner}.{path}").split("."))
        if self._ends is None:
            self._ends = self._read()
        likely = [each for each in self._ends.get(_folded(names[-1]), []) if _is_same_place(names, each[0])]
        if not likely:
            return ""
        _, file, line = max(likely, key=lambda each: _common_end(names, each[0]))
        return f"{file}:{line}"

    def _read(self) -> dict[str, list[tuple[tuple[str, ...], str, int]]]:
        ends: dict[str, list[tuple[tuple[str, ...], str, int]]] = defaultdict(list)
        refs = _source_paths(self._schema.version, self._files)
        paths = [
            name for name in self._files if any(name == ref or name.startswith(f"{ref}/") for ref in refs)
        ]
        for source in _read(paths, self._files):
            homes = _homes(source.value, self._schema.version)
            sizes = {len(home) for home in homes}
            for steps, line in source.lines.items():
                size = next((each for each in sizes if len(steps) > each and steps[:each] in homes), None)
                if size is not None and isinstance(steps[-1], str):
                    plain = (*homes[steps[:size]], *_plain(steps[size:]))
                    ends[_folded(plain[-1])].append((plain, source.file, line))
        return ends


def _plain(steps: Steps) -> tuple[str, ...]:
    """Leave out what is no name of a type or field."""
    return tuple(
        part
        for index, step in enumerate(steps)
        if isinstance(step, str) and (index + 1 == len(steps) or step not in _STRUCTURE)
        for part in step.split(".")
    )


def _source_paths(version: str, files: Mapping[str, bytes]) -> list[str]:
    """List the files and folders that the service file names as the sources of a version."""
    service = next(iter(_read(["service.yaml"] if "service.yaml" in files else [], files)), None)
    root = service.value if service is not None else None
    versions = root.get("versions") if isinstance(root, dict) else None
    found: list[str] = []
    for each in versions if isinstance(versions, list) else []:
        sources = each.get("sources") if isinstance(each, dict) and each.get("version") == version else None
        for source in sources if isinstance(sources, list) else []:
            if isinstance(source, dict) and isinstance(source.get("path"), str):
                found.append(str(source["path"]).rstrip("/"))
    return found


def _homes(document: Json, version: str) -> Mapping[Steps, tuple[str, ...]]:
    """Find the parts of a document that are about a version, each with the type that it is of, if it says one."""
    if isinstance(document, dict) and str(document.get("kind")) in ("CustomResourceDefinition", "List"):
        return {home: (kind,) for kind, home in schema_places(document, version)}
    return {(): ()}


def _is_same_place(names: tuple[str, ...], steps: tuple[str, ...]) -> bool:
    """Tell whether steps in a document lead to a field of a type, or of the type at the document's root."""
    size = _common_end(names, steps)
    if size == len(names):
        return True
    if size < len(names) - 1:
        return False
    above = steps[-size - 1] if size < len(steps) else ""
    return above in ("", "openAPIV3Schema") or _folded(above).endswith(_folded(names[-size - 1]))


def _common_end(names: tuple[str, ...], steps: tuple[str, ...]) -> int:
    """Count how many names are equal from the end."""
    return sum(1 for _ in takewhile(_are_equal, zip(reversed(names), reversed(steps), strict=False)))


def _are_equal(pair: tuple[str, str]) -> bool:
    return _folded(pair[0]) == _folded(pair[1])


def _folded(name: str) -> str:
    """Let field names and JSON keys be one."""
    return name.replace("_", "").casefold()
