"""Documents that declare objects, each with the file, its number in it and the lines of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import yaml

from console.cli.files import STANDARD_INPUT, read_text

SUFFIXES = (".yaml", ".yml", ".json")
FIELDS = ("kind", "name", "spec")


@dataclass(frozen=True, slots=True)
class DocumentPosition:
    """Where something stands: a file, the number of a document in it, and a line."""

    file: str
    document: int
    line: int

    def __str__(self) -> str:
        return f"{self.file}, document {self.document}, line {self.line}"


class DocumentsRefused(Exception):
    """What is wrong with documents, each with its place."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class DeclaredDocument:
    """One object as a file declares it."""

    kind: str
    name: str
    spec: dict[str, Any]
    place: DocumentPosition
    folder: Path
    """Where paths in it begin."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each field, by its path: `spec.minutes`."""

    def at(self, path: str) -> DocumentPosition:
        """Tell where a field stands; where the field that holds it does, if it has no line of its own."""
        parts = path.split(".")
        while parts and ".".join(parts) not in self.lines:
            parts.pop()
        line = self.lines.get(".".join(parts), self.place.line)
        return DocumentPosition(self.place.file, self.place.document, line)


def read_documents(paths: list[Path]) -> list[DeclaredDocument]:
    """Read every document of files, of the files of folders by name, and of standard input (`-`).

    Raises: DocumentsRefused.
    """
    problems: list[str] = []
    documents: list[DeclaredDocument] = []
    for path in _files(paths, problems):
        try:
            documents += _documents_of(path, read_text(path), problems)
        except (OSError, UnicodeDecodeError) as error:
            problems.append(f"{path}: cannot be read: {error}")
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line = mark.line + 1 if mark else 1
            problems.append(f"{path}, line {line}: {error.problem or 'this is no YAML'}")
        except yaml.YAMLError as error:
            problems.append(f"{path}: {error}")
    if not documents and not problems:
        problems.append("There is no document to read.")
    if problems:
        raise DocumentsRefused(problems)
    return documents


def _files(paths: list[Path], problems: list[str]) -> Iterator[Path]:
    for path in paths:
        if str(path) == STANDARD_INPUT or path.is_file():
            yield path
        elif path.is_dir():
            found = sorted(each for each in path.iterdir() if each.suffix in SUFFIXES and each.is_file())
            if not found:
                problems.append(f"{path}: the folder holds no .yaml or .json file.")
            yield from found
        else:
            problems.append(f"{path}: there is no such file.")


def _documents_of(path: Path, text: str, problems: list[str]) -> Iterator[DeclaredDocument]:
    # JSON may be indented with tabs, which YAML does not read; inside its strings they cannot stand.
    loader = yaml.SafeLoader(text.replace("\t", "  ") if path.suffix == ".json" else text)
    file = "standard input" if str(path) == STANDARD_INPUT else str(path)
    folder = Path.cwd() if str(path) == STANDARD_INPUT else path.parent
    number = 0
    while loader.check_node() and (node := loader.get_node()) is not None:
        several: list[yaml.Node] = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for each in several:
            if isinstance(each, yaml.ScalarNode) and each.value == "":
                continue  # nothing between two separators
            number += 1
            place = DocumentPosition(file, number, each.start_mark.line + 1)
            document = _document(loader, each, place, folder, problems)
            if document is not None:
                yield document


def _document(
    loader: yaml.SafeLoader, node: yaml.Node, place: DocumentPosition, folder: Path, problems: list[str]
) -> DeclaredDocument | None:
    lines: dict[str, int] = {}
    before = len(problems)
    _note_lines(node, "", lines, place, problems)
    value = _plain(loader.construct_document(node))
    if not isinstance(value, dict):
        problems.append(f"{place}: a document is an object with {', '.join(FIELDS)}.")
        return None
    for name in value:
        if name not in FIELDS:
            where = DocumentPosition(place.file, place.document, lines[str(name)])
            problems.append(f"{where}: there is no field {name!r}; a document has {', '.join(FIELDS)}.")
    spec, kind = value.get("spec", {}), value.get("kind")
    if not isinstance(kind, str) or not isinstance(value.get("name", ""), str) or not isinstance(spec, dict):
        problems.append(f"{place}: kind and name are texts, spec is an object.")
    if len(problems) > before:
        return None
    return DeclaredDocument(str(kind), str(value.get("name", "")), spec, place, folder, lines)


def _note_lines(
    node: yaml.Node, path: str, lines: dict[str, int], place: DocumentPosition, problems: list[str]
) -> None:
    """Note the line of every field, and refuse one that is there twice."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            inner = f"{path}.{key.value}".lstrip(".")
            line = key.start_mark.line + 1
            if key.value in seen:
                problems.append(
                    f"{DocumentPosition(place.file, place.document, line)}: {inner} is there twice."
                )
            seen.add(key.value)
            lines[inner] = line
            _note_lines(value, inner, lines, place, problems)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            inner = f"{path}.{index}".lstrip(".")
            lines[inner] = value.start_mark.line + 1
            _note_lines(value, inner, lines, place, problems)


def _plain(value: Any) -> Any:
    """Write what YAML reads as dates as texts again."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value
