"""Where in its sources a schema says something: the file and line of a type or field that a check refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.located import LIMITS, Located, Steps, read_text
from migrations_app.kernel.errors import Invalid

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
