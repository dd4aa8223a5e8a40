"""Versioning metadata: one file per pair of adjacent versions, read into declarations with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from migrations_app.domain.conversion.metadata.findings import EdgeFileLine, EdgeFinding, EdgeInvalid
from migrations_app.domain.conversion.metadata.yaml_reading import YamlNode, read_tree
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message


class EdgeDirection(StrEnum):
    """Which ways of an edge are converted (the seeds' transformationDirection)."""

    BOTH = "bidirectional"
    FORWARD = "fromOldToNew"
    BACKWARD = "fromNewToOld"
    NONE = "disabled"


@dataclass(frozen=True, slots=True)
class Decl:
    """One declared op: its name, its arguments, its place."""

    op: str
    args: JsonObject
    place: EdgeFileLine

    def text(self, key: str, default: str = "") -> str:
        """Read an argument that is text."""
        value = self.args.get(key, default)
        return value if isinstance(value, str) else default

    def texts(self, key: str) -> tuple[str, ...]:
        """Read an argument that is a list of text; a single text is a list of one."""
        value = self.args.get(key)
        if isinstance(value, str):
            return (value,)
        return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()

    def table(self, key: str) -> dict[str, Json]:
        """Read an argument that is a mapping."""
        value = self.args.get(key)
        return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A resource type that goes by another name."""

    source: str
    target: str
    place: EdgeFileLine = EdgeFileLine()


@dataclass(frozen=True, slots=True)
class Fork:
    """A resource type of one side whose resources are of several types on the other, told apart by a field."""

    whole: str
    parts: Mapping[str, tuple[str, ...]]  # the values of the field, by part
    by: str
    other: str = ""  # the part of whatever no part claims
    is_split: bool = True  # the whole is the old type; else the parts are
    place: EdgeFileLine = EdgeFileLine()


@dataclass(frozen=True, slots=True)
class MethodChanges:
    """The custom methods that go by another name, end with the old version, or come with the new one.

    A discontinued method has the text that its callers are told: what to use instead. Where nothing is
    `declared`, methods of one name are taken for the same.
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    discontinued: Mapping[str, str] = field(default_factory=dict)
    added: tuple[str, ...] = ()
    declared: bool = False
    place: EdgeFileLine = EdgeFileLine()


@dataclass(frozen=True, slots=True)
class Edge:
    """How two adjacent versions of a service relate."""

    service: str
    source: str
    target: str
    file: str = ""
    direction: EdgeDirection = EdgeDirection.BOTH
    unassessed: str = "error"
    types: Mapping[str, tuple[Decl, ...]] = field(default_factory=dict)
    type_renames: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    resources: tuple[ResourceChange, ...] = ()
    forks: tuple[Fork, ...] = ()
    numbers_stable: bool = False
    methods: MethodChanges = MethodChanges()

    def place(self, line: int = 0) -> EdgeFileLine:
        """Point at a line of the file."""
        return EdgeFileLine(self.file, line)

    def converts(self, *, forward: bool) -> bool:
        """Tell whether its transformationDirection allows this way."""
        return self.direction in (
            EdgeDirection.BOTH,
            EdgeDirection.FORWARD if forward else EdgeDirection.BACKWARD,
        )


SHORTHAND = {"removed": "path", "added": "path", "ignore": "path", "require": "path", "relax": "path"}


def read_edge(text: str, file: str = "") -> Edge:
    """Read the metadata of one edge.

    Raises: EdgeInvalid, naming every declaration that cannot be read.
    """
    root = read_tree(text, file)
    reader = _Reader(file)
    head = root.child("edge")
    if head is None or not head.items():
        raise EdgeInvalid(
            [
                EdgeFinding(
                    "E-EDGE",
                    message("The file has no `edge`."),
                    EdgeFileLine(file, root.line),
                    message("Begin with edge: {example}.", example="{service: …, from: …, to: …}"),
                )
            ]
        )
    reader.check_keys(
        root, {"edge", "matching", "unassessed", "types", "resources", "typeRename", "methods"}, "the file"
    )
    reader.check_keys(head, {"service", "from", "to", "transformationDirection"}, "`edge`")
    types, renames = reader.types(root.child("types"))
    resources = root.child("resources") or YamlNode({}, 0, {})
    reader.check_keys(resources, {"removed", "added", "renamed", "split", "merge"}, "`resources`")
    matching = root.child("matching")
    edge = Edge(
        service=reader.text(head, "service"),
        source=reader.text(head, "from"),
        target=reader.text(head, "to"),
        file=file,
        direction=reader.direction(head),
        unassessed=reader.text(root, "unassessed", "error"),
        types=types,
        type_renames={**reader.texts(root.child("typeRename")), **renames},
        removed=reader.names(resources.child("removed")),
        added=reader.names(resources.child("added")),
        resources=reader.changes(resources),
        forks=(*reader.forks(resources, "split", "into"), *reader.forks(resources, "merge", "from")),
        numbers_stable=_flag(matching, "numbersStable"),
        methods=reader.methods(root.child("methods")),
    )
    reader.require(head, ("service", "from", "to"))
    if reader.findings:
        raise EdgeInvalid(reader.findings)
    return edge


def _flag(at: YamlNode | None, key: str) -> bool:
    found = at.child(key) if at is not None else None
    return found is not None and found.value is True


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.findings: list[EdgeFinding] = []

    def wrong(self, code: str, words: WordedMessage, line: int, remedy: WordedMessage = NOTHING) -> None:
        """Keep a finding."""
        self.findings.append(EdgeFinding(code, words, EdgeFileLine(self.file, line), remedy))

    def check_keys(self, at: YamlNode, allowed: set[str], what: str) -> None:
        """Report keys that mean nothing here."""
        for key, value in at.items():
            if key not in allowed:
                self.wrong(
                    "E-KEY",
                    message("{what} knows no key {key}.", what=what, key=repr(key)),
                    value.line,
                    message("Keys: {allowed}.", allowed=", ".join(sorted(allowed))),
                )

    def require(self, at: YamlNode, keys: tuple[str, ...]) -> None:
        """Report keys that are missing."""
        for key in keys:
            if not at.child(key):
                self.wrong(
                    "E-EDGE",
                    message("`edge` has no {key}.", key=repr(key)),
                    at.line,
                    message("It needs service, from and to."),
                )

    @staticmethod
    def text(at: YamlNode, key: str, default: str = "") -> str:
        """Read a text."""
        found = at.child(key)
        return str(found.value) if found is not None and found.value is not None else default

    @staticmethod
    def texts(at: YamlNode | None) -> dict[str, str]:
        """Read a mapping of texts."""
        return {key: str(below.value) for key, below in at.items()} if at else {}

    @staticmethod
    def names(at: YamlNode | None) -> tuple[str, ...]:
        """Read a list of texts."""
        return tuple(str(each.value) for each in at.elements()) if at else ()

    def direction(self, head: YamlNode) -> EdgeDirection:
        """Read the transformationDirection."""
        text = self.text(head, "transformationDirection", EdgeDirection.BOTH.value)
        try:
            return EdgeDirection(text)
        except ValueError:
            known = ", ".join(EdgeDirection)
            self.wrong(
                "E-EDGE",
                message("{text} is no transformationDirection.", text=repr(text)),
                head.line,
                message("One of: {known}.", known=known),
            )
            return EdgeDirection.BOTH

    def changes(self, resources: YamlNode) -> tuple[ResourceChange, ...]:
        """Read the resource types that change into others."""
        found: list[ResourceChange] = []
        renamed = resources.child("renamed")
        for old, new in renamed.items() if renamed else []:
            found.append(ResourceChange(old, str(new.value), EdgeFileLine(self.file, new.line)))
        return tuple(found)

    def methods(self, at: YamlNode | None) -> MethodChanges:
        """Read what becomes of the custom methods; `discontinued` may say of each what to use instead."""
        if at is None:
            return MethodChanges()
        self.check_keys(at, {"renamed", "discontinued", "added"}, "`methods`")
        ended = at.child("discontinued")
        told = self.texts(ended) if ended and ended.items() else dict.fromkeys(self.names(ended), "")
        place = EdgeFileLine(self.file, at.line)
        return MethodChanges(
            self.texts(at.child("renamed")), told, self.names(at.child("added")), True, place
        )

    def forks(self, resources: YamlNode, kind: str, parts_key: str) -> Iterator[Fork]:
        """Read the resource types that split or merge."""
        at = resources.child(kind)
        for whole, body in at.items() if at else []:
            self.check_keys(body, {"by", parts_key, "else"}, f"`{kind}` of {whole}")
            parts = body.child(parts_key)
            found = (
                {part: self.names(each) or (str(each.value),) for part, each in parts.items()}
                if parts
                else {}
            )
            by, other = self.text(body, "by"), self.text(body, "else")
            if not by or len(found) < 2 or (other and other not in found):
                self.wrong(
                    "E-FORK",
                    message(
                        "`{kind}` of {whole} needs a field and at least two parts.", kind=kind, whole=whole
                    ),
                    body.line,
                    message(
                        "Write {whole}: {example}.",
                        whole=whole,
                        example=f"{{by: kind, {parts_key}: {{A: [ONE], B: [TWO]}}, else: B}}",
                    ),
                )
                continue
            yield Fork(whole, found, by, other, kind == "split", EdgeFileLine(self.file, body.line))

    def types(self, at: YamlNode | None) -> tuple[dict[str, tuple[Decl, ...]], dict[str, str]]:
        """Read the ops of every type, and the types that are called otherwise."""
        types: dict[str, tuple[Decl, ...]] = {}
        renames: dict[str, str] = {}
        for name, body in at.items() if at else []:
            self.check_keys(body, {"ops", "renamedTo"}, f"type {name}")
            ops = body.child("ops")
            decls = [decl for each in (ops.elements() if ops else []) for decl in self.decls(each)]
            types[name] = tuple(decls)
            if renamed := self.text(body, "renamedTo"):
                renames[name] = renamed
        return types, renames

    def decls(self, at: YamlNode) -> list[Decl]:
        """Read one element of `ops`: an op, or several in shorthand."""
        if len(at.items()) != 1:
            self.wrong(
                "E-OP",
                message("An op is a mapping of one key."),
                at.line,
                message("Write - rename: {example}.", example="{from: a, to: b}"),
            )
            return []
        op, body = at.items()[0]
        place = EdgeFileLine(self.file, at.line)
        if isinstance(body.value, dict):
            return [Decl(op, body.value, place)]
        key = SHORTHAND.get(op)
        if key and isinstance(body.value, str):
            return [Decl(op, {key: body.value}, place)]
        if key and isinstance(body.value, list):
            return [
                Decl(op, {key: each.value}, EdgeFileLine(self.file, each.line)) for each in body.elements()
            ]
        self.wrong("E-OP", message("`{op}` needs its arguments as a mapping.", op=op), at.line)
        return []
