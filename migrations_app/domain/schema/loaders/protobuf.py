"""The loader of protobuf definitions: descriptor sets, and folders of `.proto` files compiled to one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from google.api import annotations_pb2, client_pb2, field_behavior_pb2, resource_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from google.protobuf.message import DecodeError

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import LoaderLoss, Method, ResourceDefinition, Schema, Source
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.loaders.protobuf_comments import Comment, read_comments
from migrations_app.domain.schema.loaders.protobuf_fields import FieldReader, parent_pattern
from migrations_app.domain.schema.loaders.protobuf_methods import read_method
from migrations_app.domain.schema.loaders.protoc import compile_protos
from migrations_app.domain.schema.types import EnumType, EnumValue, Field, ObjectType, Oneof, Reserved, Type
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message as worded

_METHOD_KINDS = ("get", "list", "create", "update", "delete", "watch")
_ANNOTATIONS = (annotations_pb2, client_pb2, field_behavior_pb2, resource_pb2)
"""Imported so that their options are known when descriptors are parsed."""


def load_protobuf(part: Part, files: Mapping[str, bytes], info: VersionInfo) -> Loaded:
    """Load the `.proto` files under `path` (a file or folder), imports resolved from `root`.

    `package` says which package is the version's; without it, all files that `path` names must share one.
    """
    path, root = part.text("path").rstrip("/"), part.text("root").rstrip("/")
    package, broken = part.text("package"), part.text("broken") or "refuse"
    if broken not in ("refuse", "skip"):
        part.wrong("E-SHAPE", worded("must be refuse or skip."), "broken")
    below = f"{root}/" if root else ""
    sources = {
        name.removeprefix(below): content
        for name, content in files.items()
        if name.startswith(below) and name.endswith(".proto")
    }
    wanted = [
        name.removeprefix(below)
        for name in files
        if name.endswith(".proto") and (name == path or name.startswith(f"{path}/"))
    ]
    if not wanted:
        raise Invalid(worded("There is no .proto file at {path}.", path=path), code="E-FILE", file=path)
    compiled, findings = compile_protos(
        sources, wanted, skip_broken=broken == "skip", searched=f"the folder {root}" if root else ""
    )
    text = b"".join(name.encode() + sources[name] for name in sorted(wanted))
    source = Source("protobuf", path, hashlib.sha256(text).hexdigest())
    loaded = read_descriptors(compiled, info, source, package=package, wanted=frozenset(wanted))
    return replace(loaded, findings=(*findings, *loaded.findings))


def load_descriptor_set(part: Part, files: Mapping[str, bytes], info: VersionInfo) -> Loaded:
    """Load a compiled descriptor set named by `path`, for the package named by `package`."""
    path, package = part.text("path"), part.text("package")
    if path not in files:
        raise Invalid(worded("{path} is not in the folder.", path=path), code="E-FILE", file=path)
    try:
        compiled = FileDescriptorSet.FromString(files[path])
    except DecodeError as error:
        raise Invalid(worded("This is not a descriptor set."), code="E-PROTO", file=path) from error
    source = Source("protobuf-fds", path, hashlib.sha256(files[path]).hexdigest())
    return read_descriptors(compiled, info, source, package=package)


def read_descriptors(
    compiled: FileDescriptorSet,
    info: VersionInfo,
    source: Source,
    *,
    package: str = "",
    wanted: frozenset[str] = frozenset(),
) -> Loaded:
    """Turn descriptors into a schema; they need not link, what is not there is reported."""
    own = [file for file in compiled.file if not wanted or file.name in wanted]
    packages = sorted({file.package for file in own})
    if not package:
        # A folder's files name their package after the folder; sub-packages may lie in the same place.
        same = [each for each in packages if source.ref.replace("/", ".").endswith(each)]
        packages = same if len(same) == 1 else packages
        if len(packages) != 1:
            some = ", ".join(packages[:5])
            raise Invalid(
                worded("There are several packages ({some}).", some=some),
                code="E-PROTO",
                remedy=worded("Name the `package`."),
            )
        package = packages[0]
    elif package not in packages:
        raise Invalid(
            worded(
                "There is no package {package} but {packages}.",
                package=package,
                packages=", ".join(packages[:10]),
            ),
            code="E-PROTO",
        )
    return _Reader(compiled, info, package).read(source)


class _Reader:
    def __init__(self, compiled: FileDescriptorSet, info: VersionInfo, package: str) -> None:
        self._info, self._package = info, package
        self._files = [file for file in compiled.file if file.package == package]
        self._messages: dict[str, tuple[FileDescriptorProto, DescriptorProto]] = {}
        self._enums: dict[str, tuple[FileDescriptorProto, EnumDescriptorProto]] = {}
        for file in compiled.file:
            self._index(file, f".{file.package}" if file.package else "", file.message_type, file.enum_type)
        self._resource_patterns = dict(self._all_patterns(compiled))
        self._comments = read_comments(compiled.file)
        self._losses: list[LoaderLoss] = []
        self._findings: list[DefinitionFinding] = []

    def _index(
        self,
        file: FileDescriptorProto,
        prefix: str,
        messages: Iterable[DescriptorProto],
        enums: Iterable[EnumDescriptorProto],
    ) -> None:
        for message in messages:
            self._messages[f"{prefix}.{message.name}"] = (file, message)
            self._index(file, f"{prefix}.{message.name}", message.nested_type, message.enum_type)
        for enum in enums:
            self._enums[f"{prefix}.{enum.name}"] = (file, enum)

    def _all_patterns(self, compiled: FileDescriptorSet) -> Iterator[tuple[str, tuple[str, ...]]]:
        for file in compiled.file:
            for definition in file.options.Extensions[resource_pb2.resource_definition]:
                yield definition.type, tuple(definition.pattern)
        for _, message in self._messages.values():
            said = message.options.Extensions[resource_pb2.resource]
            if said.type:
                yield said.type, tuple(said.pattern)

    def read(self, source: Source) -> Loaded:
        """Read the package's own types and whatever they reach."""
        types: dict[str, Type] = {}
        methods = dict(self._methods())
        pending = [name for name, (file, _) in self._messages.items() if file.package == self._package]
        pending += [name for name, (file, _) in self._enums.items() if file.package == self._package]
        pending += self._foreign_messages(set(pending))
        seen = set(pending)
        for name in pending:
            types.update(self._named(name, seen, pending))
        resources = dict(self._resources())
        self._report_losses(resources)
        info = self._info
        schema = Schema(
            service=info.service,
            version=info.version,
            ordinal=info.ordinal,
            stage=info.stage,
            types=types,
            resources=resources,
            methods=methods,
            sources=(source,),
            losses=tuple(self._losses),
        )
        return Loaded(schema, tuple(self._findings))

    def _named(self, name: str, seen: set[str], pending: list[str]) -> dict[str, Type]:
        if name in self._enums:
            file, enum = self._enums[name]
            return {self._short(name): _enum(enum, is_open=file.syntax != "proto2" and bool(file.syntax))}
        if name not in self._messages:
            self._findings.append(
                DefinitionFinding(
                    "E-REF",
                    worded("The type {name} is not in the descriptors.", name=name[1:]),
                    path=name[1:],
                )
            )
            return {self._short(name): ObjectType(())}
        file, message = self._messages[name]
        if message.options.map_entry:
            return {}
        reader = FieldReader(self._info.service, self._short, self._messages, self._resource_patterns)
        fields = tuple(
            self._with_comment(name, reader.field(file, self._short(name), name, each))
            for each in message.field
        )
        for reached in reader.reached:
            if reached not in seen:
                seen.add(reached)
                pending.append(reached)
        oneofs = tuple(
            Oneof(group.name, members)
            for index, group in enumerate(message.oneof_decl)
            if (members := tuple(each.name for each in message.field if _is_member(each, index)))
        )
        comment = self._comments.get(name, Comment()).text
        return {
            self._short(name): ObjectType(fields, oneofs, description=comment, reserved=_reserved(message))
        }

    def _with_comment(self, message: str, field: Field) -> Field:
        comment = self._comments.get(f"{message}.{field.name}")
        return replace(field, description=comment.text, place=comment.place) if comment else field

    def _short(self, name: str) -> str:
        own = f".{self._package}." if self._package else "."
        return name.removeprefix(own).removeprefix(".")

    def _resources(self) -> Iterator[tuple[str, ResourceDefinition]]:
        for name, (file, message) in self._messages.items():
            said = message.options.Extensions[resource_pb2.resource]
            if file.package != self._package or not said.type:
                continue
            short = said.type.rpartition("/")[2]
            if (said.name_field or "name") not in {each.name for each in message.field}:
                self._losses.append(LoaderLoss(self._short(name), "resource-without-name"))
                continue
            patterns = tuple(each for each in said.pattern if each != "*")
            yield (
                short,
                ResourceDefinition(
                    type=short,
                    message=self._short(name),
                    patterns=patterns,
                    singular=said.singular or short[:1].lower() + short[1:],
                    plural=said.plural or _collection(patterns),
                    parents=tuple(self._parents(patterns)),
                    name_field=said.name_field or "name",
                ),
            )

    def _parents(self, patterns: tuple[str, ...]) -> list[str]:
        found: list[str] = []
        for pattern in patterns:
            above = parent_pattern(pattern)
            for kind, others in self._resource_patterns.items():
                short = kind.rpartition("/")[2]
                if above and above in others and short not in found:
                    found.append(short)
        return found

    def _methods(self) -> Iterator[tuple[str, Method]]:
        for file in self._files:
            for service in file.service:
                for each in service.method:
                    kind = next(
                        (kind for kind in _METHOD_KINDS if each.name.lower().startswith(kind)), "custom"
                    )
                    yield each.name, read_method(each, self._short, kind)

    def _foreign_messages(self, own: set[str]) -> list[str]:
        """List the messages of other packages that custom methods take and give."""
        named = [
            name
            for file in self._files
            for service in file.service
            for each in service.method
            if read_method(each, self._short, "").verb
            for name in (each.input_type, each.output_type)
        ]
        return [name for name in dict.fromkeys(named) if name in self._messages and name not in own]

    def _report_losses(self, resources: Mapping[str, ResourceDefinition]) -> None:
        """Say what the descriptors cannot tell; published Python packages strip the annotations."""
        if resources:
            return
        fields = [each for file in self._files for message in file.message_type for each in message.field]
        self._losses.append(LoaderLoss(self._package, "resources-missing"))
        if not any(each.options.Extensions[field_behavior_pb2.field_behavior] for each in fields):
            self._losses.append(LoaderLoss(self._package, "field-behavior-missing"))
        if not any(each.options.HasExtension(resource_pb2.resource_reference) for each in fields):
            self._losses.append(LoaderLoss(self._package, "references-missing"))


def _is_member(field: FieldDescriptorProto, index: int) -> bool:
    return field.HasField("oneof_index") and field.oneof_index == index and not field.proto3_optional


def _collection(patterns: tuple[str, ...]) -> str:
    segments = [each for pattern in patterns[:1] for each in pattern.split("/") if not each.startswith("{")]
    return segments[-1] if segments else ""


def _enum(enum: EnumDescriptorProto, *, is_open: bool) -> EnumType:
    values = tuple(EnumValue(each.name, each.number, each.options.deprecated) for each in enum.value)
    zero = next((each.name for each in values if each.number == 0), "")
    ranges = tuple((each.start, each.end) for each in enum.reserved_range)
    return EnumType(values, is_open, zero, Reserved(ranges, tuple(enum.reserved_name)))


def _reserved(message: DescriptorProto) -> Reserved:
    """Take the reserved ranges; of messages their ends are exclusive, of enums not."""
    ranges = tuple((each.start, each.end - 1) for each in message.reserved_range)
    return Reserved(ranges, tuple(message.reserved_name))
