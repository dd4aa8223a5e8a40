"""Where the author of a version declared a type or a field: the lines of the source, as they were written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from migrations_app.domain.schema.folder import SERVICE_FILE
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.loaders.crd import schema_places
from migrations_app.domain.schema.located import Located, Steps, read_json, read_yaml, read_yaml_documents
from migrations_app.kernel.errors import Invalid

MOST_LINES = 12
"""Lines of a declaration that are shown; of longer ones the beginning."""
_MEMBERS = frozenset({"fields", "properties"})
_FILLERS = frozenset({"type", "object", "list", "map", "items", "additionalProperties", "schema"})
_TYPES: tuple[Steps, ...] = (
    ("schema", "types"),
    ("types",),
    ("components", "schemas"),
    ("$defs",),
    ("definitions",),
)
_RESOURCES: tuple[Steps, ...] = (("schema", "resources"), ("resources",))
_OUTER = re.compile(r"[.\[{ ].*")
_MESSAGE = re.compile(r"\s*(?:message|enum|oneof|service)\s+(\w+)\s*\{")
_FIELD = re.compile(r"\s*(?:(?:repeated|optional|required)\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*\d+")


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """Lines of a source. `left_out` counts those that the declaration has beyond them."""

    file: str
    line: int
    lines: tuple[str, ...]
    left_out: int = 0


class SourceLines:
    """The declarations of one version, found by the path of a type or a field."""

    def __init__(self, schema: Schema, files: Mapping[str, bytes]) -> None:
        self._schema = schema
        self._texts: dict[str, list[str]] = {}
        self._places: dict[tuple[str, ...], tuple[str, int]] = {}
        # Reports name fields as JSON does; a source may spell them `display_name` where JSON says `displayName`.
        self._by_spelling: dict[str, tuple[str, int]] = {}
        self._resources: dict[str, tuple[str, int]] = {}
        for kind, place in _source_paths(schema.version, files):
            for path in sorted(files):
                if path == place or path.startswith(f"{place}/"):
                    self._read(kind, path, files[path])

    def find(self, path: str) -> SourceExcerpt | None:
        """Give the lines that declare a path such as `Secret.rotation.mode`; None where they are not known."""
        names = tuple(part for part in re.split(r"[.\[\]{}]+", path.partition(" ")[0]) if part)
        if not names:
            return None
        place = self._resources.get(names[0]) if len(names) == 1 else None
        place = place or self._places.get(names) or self._by_spelling.get(_spelling(names))
        if place is None:
            return None
        file, line = place
        return _excerpt(file, line, self._texts[file])

    def _read(self, kind: str, path: str, content: bytes) -> None:
        try:
            text = content.decode()
            if path.endswith(".proto"):
                self._texts[path] = text.splitlines()
                for names, line in _declared_in_proto(self._texts[path]):
                    self._add(names, path, line)
                return
            documents = (
                (read_json(text, path),) if path.endswith(".json") else read_yaml_documents(text, path)
            )
        except (Invalid, UnicodeDecodeError):
            return  # a source of another language: its lines are not known
        self._texts[path] = text.splitlines()
        for document in documents:
            holders = list(schema_places(document.value, self._schema.version)) if kind == "crd" else []
            self._index(document, holders)

    def _index(self, document: Located, definitions: Sequence[tuple[str, Steps]]) -> None:
        for steps, line in document.lines.items():
            for kind, holder in definitions:
                if steps[: len(holder)] == holder and (names := _names(steps[len(holder) :])) is not None:
                    self._add((kind, *names), document.file, line)
            for holder in _TYPES:
                rest = steps[len(holder) :]
                if steps[: len(holder)] == holder and rest and (names := _names(rest[1:])) is not None:
                    self._add((*str(rest[0]).split("."), *names), document.file, line)
            for holder in _RESOURCES:
                if steps[: len(holder)] == holder and len(steps) == len(holder) + 1:
                    self._resources.setdefault(str(steps[-1]), (document.file, line))

    def _add(self, names: tuple[str, ...], file: str, line: int) -> None:
        self._places.setdefault(names, (file, line))
        self._by_spelling.setdefault(_spelling(names), (file, line))
        # Names of types may begin with a prefix that the version leaves out.
        for type_ in self._schema.types:
            outer = _OUTER.sub("", type_)
            if names[0] != outer and names[0].endswith(outer):
                self._places.setdefault((outer, *names[1:]), (file, line))


def _spelling(names: Sequence[str]) -> str:
    return ".".join(names).replace("_", "").lower()


def _source_paths(version: str, files: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """List the kinds and paths of the sources of a version, as the service folder names them."""
    value = read_yaml(files[SERVICE_FILE], SERVICE_FILE).value
    versions = value.get("versions") if isinstance(value, dict) else None
    for each in versions if isinstance(versions, list) else ():
        if isinstance(each, dict) and each.get("version") == version:
            sources = each.get("sources")
            for source in sources if isinstance(sources, list) else ():
                if isinstance(source, dict) and isinstance(path := source.get("path"), str):
                    yield str(source.get("kind") or "ir"), path.rstrip("/")


def _names(steps: Steps) -> tuple[str, ...] | None:
    """Read the names of fields out of the steps below a type; None where the steps end elsewhere than at a field."""
    names: list[str] = []
    is_member = False
    for step in steps:
        if is_member:
            names.append(str(step))
            is_member = False
        elif step in _MEMBERS:
            is_member = True
        elif step not in _FILLERS:
            return None
    ends_at_field = not steps or (len(steps) > 1 and steps[-2] in _MEMBERS)
    return tuple(names) if ends_at_field and not is_member else None


def _declared_in_proto(lines: Sequence[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Find the messages and fields of a protobuf file, with the lines that they begin on."""
    open_: list[str] = []
    in_comment = False
    for number, line in enumerate(lines, 1):
        code, in_comment = _without_comments(line, in_comment)
        message, field = _MESSAGE.match(code), _FIELD.match(code)
        names = tuple(name for name in open_ if name)
        if message:
            if not code.lstrip().startswith("oneof"):
                yield (*names, message[1]), number
        elif field and names:
            yield (*names, field[1]), number
        for mark in re.findall(r"[{}]", code):
            if mark == "{":
                is_type = message and not code.lstrip().startswith("oneof")
                open_.append(message[1] if is_type and message else "")
                message = None
            elif open_:
                open_.pop()


def _without_comments(line: str, in_comment: bool) -> tuple[str, bool]:
    """Leave out comments and texts; tell whether a comment goes on."""
    if in_comment:
        _, end, line = line.partition("*/")
        if not end:
            return "", True
    line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
    line = re.sub(r"/\*.*?\*/", "", line)
    line = line.partition("//")[0]
    code, begun, _ = line.partition("/*")
    return code, bool(begun)


def _excerpt(file: str, line: int, lines: Sequence[str]) -> SourceExcerpt:
    """Take a declaration: its line, and what follows until it ends."""
    end = _end_in_proto(line, lines) if file.endswith(".proto") else _end_by_indent(line, lines)
    taken = lines[line - 1 : min(end, line - 1 + MOST_LINES)]
    depth = min((len(each) - len(each.lstrip()) for each in taken if each.strip()), default=0)
    return SourceExcerpt(
        file, line, tuple(each[depth:].rstrip() for each in taken), max(0, end - line + 1 - len(taken))
    )


def _end_by_indent(line: int, lines: Sequence[str]) -> int:
    first = lines[line - 1]
    depth = len(first) - len(first.lstrip())
    end = line
    for at in range(line, len(lines)):
        text = lines[at].strip()
        if not text:
            continue
        inner = len(lines[at]) - len(lines[at].lstrip())
        if inner <= depth and not (inner == depth and text[0] in "}]"):
            break
        end = at + 1
    return end


def _end_in_proto(line: int, lines: Sequence[str]) -> int:
    depth, in_comment = 0, False
    for at in range(line - 1, len(lines)):
        code, in_comment = _without_comments(lines[at], in_comment)
        depth += sum((mark in "{[") - (mark in "}]") for mark in re.findall(r"[{}\[\]]", code))
        if depth <= 0 and (";" in code or "}" in code):
            return at + 1
    return len(lines)
