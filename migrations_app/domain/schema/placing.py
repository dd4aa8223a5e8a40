"""Where in its sources a schema says something: the file and line of a type or field that a check refuses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.located import LIMITS, Located, Steps, read_text
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
            yield read_text(files[path], path, LIMITS)
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
        for steps, file, line in self._ends.get(_folded(names[-1]), []):
            if _is_same_place(names, steps):
                return f"{file}:{line}"
        return ""

    def _read(self) -> dict[str, list[tuple[tuple[str, ...], str, int]]]:
        ends: dict[str, list[tuple[tuple[str, ...], str, int]]] = defaultdict(list)
        refs = _source_paths(self._schema.version, self._files)
        paths = [
            name for name in self._files if any(name == ref or name.startswith(f"{ref}/") for ref in refs)
        ]
        for source in _read(paths, self._files):
            mine = _version_steps(source.value, self._schema.version)
            for steps, line in source.lines.items():
                if steps and steps[: len(mine)] == mine and isinstance(steps[-1], str):
                    plain = tuple(
                        part
                        for index, step in enumerate(steps)
                        if isinstance(step, str) and (index + 1 == len(steps) or step not in _STRUCTURE)
                        for part in step.split(".")
                    )
                    ends[_folded(plain[-1])].append((plain, source.file, line))
        return ends


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


def _version_steps(document: Json, version: str) -> Steps:
    """Find the part of a document with several versions, such as a CustomResourceDefinition, that is about one."""
    spec = document.get("spec") if isinstance(document, dict) else None
    versions = spec.get("versions") if isinstance(spec, dict) else None
    for index, each in enumerate(versions if isinstance(versions, list) else []):
        if isinstance(each, dict) and each.get("name") == version:
            return ("spec", "versions", index)
    return ()


def _is_same_place(names: tuple[str, ...], steps: tuple[str, ...]) -> bool:
    """Tell whether steps in a document lead to a field of a type, or of the type at the document's root."""
    size = sum(1 for _ in takewhile(_are_equal, zip(reversed(names), reversed(steps), strict=False)))
    if size == len(names):
        return True
    if size < len(names) - 1:
        return False
    above = steps[-size - 1] if size < len(steps) else ""
    return above in ("", "openAPIV3Schema") or _folded(above).endswith(_folded(names[-size - 1]))


def _are_equal(pair: tuple[str, str]) -> bool:
    return _folded(pair[0]) == _folded(pair[1])


def _folded(name: str) -> str:
    """Let field names and JSON keys be one."""
    return name.replace("_", "").casefold()
