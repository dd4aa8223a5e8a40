"""Several sources of one version put together: what one leaves out another may say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import TypeVar

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import (
    LoaderLoss,
    Method,
    ResourceDefinition,
    Schema,
    Source,
    Streaming,
    VersioningHint,
)
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo
from migrations_app.domain.schema.methods import bind
from migrations_app.domain.schema.types import Behavior, Field, ObjectType, ScalarKind, ScalarType, Type
from migrations_app.kernel.messages import message

T = TypeVar("T")


def merge(loaded: Iterable[Loaded], info: VersionInfo) -> Loaded:
    """Put the schemas of several sources together; what two of them tell differently is an error."""
    return _Merge(info).all(tuple(loaded))


def _both_methods(known: Method, more: Method) -> Method:
    """Take each property of a method from the first source that has it."""
    taken = {each.name: getattr(known, each.name) or getattr(more, each.name) for each in fields(Method)}
    taken["options"] = {**more.options, **known.options}
    if known.streaming is Streaming.NONE:
        taken["streaming"] = more.streaming
    return Method(**taken)


class _Merge:
    def __init__(self, info: VersionInfo) -> None:
        self._info = info
        self._types: dict[str, Type] = {}
        self._resources: dict[str, ResourceDefinition] = {}
        self._methods: dict[str, Method] = {}
        self._hints: dict[str, VersioningHint] = {}
        self._findings: list[DefinitionFinding] = []

    def all(self, loaded: tuple[Loaded, ...]) -> Loaded:
        """Merge all, types that are only mentioned last."""
        sources: list[Source] = []
        losses: list[LoaderLoss] = []
        imports: dict[str, None] = {}
        next_version = ""
        for each in loaded:
            self._one(each)
            sources += each.schema.sources
            losses += each.schema.losses
            imports |= dict.fromkeys(each.schema.imports)
            next_version = next_version or each.schema.next_version
        for each in loaded:
            for name, stub in each.schema.types.items():
                if name in each.stubs:
                    self._types.setdefault(name, stub)
        losses += self._add_names()
        schema = Schema(
            service=self._info.service,
            version=self._info.version,
            ordinal=self._info.ordinal,
            stage=self._info.stage,
            next_version=next_version,
            types=self._types,
            resources=self._resources,
            methods=self._methods,
            imports=tuple(imports),
            hints=self._hints,
            sources=tuple(sources),
            losses=tuple(losses),
        )
        return Loaded(replace(schema, methods=bind(schema)), tuple(self._findings))

    def _add_names(self) -> list[LoaderLoss]:
        """Give the documents of resource types their name where an API keeps it in the address only."""
        added = []
        for resource in self._resources.values():
            message = self._types.get(resource.message)
            if resource.name_field != "name" or not isinstance(message, ObjectType) or message.field("name"):
                continue
            lineage_id = f"{self._info.service.split('.')[0]}.{resource.message}/name"
            name = Field(
                "name", ScalarType(ScalarKind.STRING), lineage_id, behavior=frozenset({Behavior.IDENTIFIER})
            )
            self._types[resource.message] = replace(message, fields=(name, *message.fields))
            added.append(LoaderLoss(resource.message, "name-added: the source keeps it outside the document"))
        return added

    def _one(self, loaded: Loaded) -> None:
        self._findings += loaded.findings
        files = ", ".join(source.ref for source in loaded.schema.sources)
        types = {name: each for name, each in loaded.schema.types.items() if name not in loaded.stubs}
        self._join(self._types, types, "type", files)
        for name, resource in loaded.schema.resources.items():
            known = self._resources.get(name)
            self._resources[name] = self._both(known, resource, files) if known else resource
        for name, method in loaded.schema.methods.items():
            before = self._methods.get(name)
            self._methods[name] = _both_methods(before, method) if before else method
        self._join(self._hints, loaded.schema.hints, "versioning hint", files)

    def _join(self, into: dict[str, T], more: Mapping[str, T], what: str, files: str) -> None:
        for name, value in more.items():
            if into.setdefault(name, value) != value:
                self._clash(f"The {what} {name}", name, files)

    def _both(self, known: ResourceDefinition, more: ResourceDefinition, files: str) -> ResourceDefinition:
        """Take each property from the source that has it."""
        taken: dict[str, object] = {}
        for each in fields(ResourceDefinition):
            left, right = getattr(known, each.name), getattr(more, each.name)
            if each.name == "name_field" and left == "name":
                left = right
            if left and right and left != right and each.name not in ("plural", "singular", "options"):
                self._clash(f"The {each.name} of the resource type {known.type}", known.type, files)
            taken[each.name] = left or right
        return ResourceDefinition(**taken)  # type: ignore[arg-type]

    def _clash(self, what: str, path: str, files: str) -> None:
        remedy = message("Leave it out of one of them.")
        self._findings.append(
            DefinitionFinding(
                "E-CLASH",
                message("{what} is defined differently by two sources.", what=what),
                files,
                0,
                path,
                remedy,
            )
        )
