"""The loader of IR documents: the schema written down in its own YAML form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import (
    CrossReference,
    LoaderLoss,
    Method,
    ResourceDefinition,
    Schema,
    ScopeAttribute,
    Source,
    Streaming,
    VersioningHint,
    VersionStage,
)
from migrations_app.domain.schema.loaders.ir_types import TypeReader
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.located import Located
from migrations_app.domain.schema.types import Type
from migrations_app.kernel.messages import message

CAMEL = "camel"


@dataclass(frozen=True, slots=True)
class VersionInfo:
    """What is known of a version before its sources are read: the service folder says it."""

    service: str = ""
    version: str = ""
    ordinal: int = 0
    stage: VersionStage = VersionStage.STABLE


@dataclass(frozen=True, slots=True)
class Loaded:
    """A schema, or as much of it as could be read, and what there is to say about it.

    `stubs` names the types that the source only mentions; another source may say what they are.
    """

    schema: Schema
    findings: tuple[DefinitionFinding, ...] = ()
    stubs: frozenset[str] = frozenset()


def load_ir(located: Located, info: VersionInfo | None = None) -> Loaded:
    """Read one IR document; `info` gives what the document leaves out, and must agree with what it says."""
    info = info or VersionInfo()
    findings: list[DefinitionFinding] = []
    top = Part(located, (), findings)
    part = top.part("schema") if "schema" in top else top
    service = _agreed(part, "service", info.service)
    reader = TypeReader(service.split(".")[0], camel=part.text("jsonNames") == CAMEL, findings=findings)
    schema = Schema(
        service=service,
        version=_agreed(part, "version", info.version),
        ordinal=part.whole("ordinal", info.ordinal) or 0,
        stage=part.choice("stage", VersionStage, info.stage),
        next_version=part.text("nextVersion"),
        types=_types(part, reader),
        resources={name: _resource(name, each) for name, each in part.parts("resources")},
        methods={name: _method(name, each) for name, each in part.parts("methods")},
        imports=tuple(part.texts("imports")),
        hints={name: read_hint(each) for name, each in part.parts("hints")},
        sources=tuple(_source(each) for each in part.items("sources")),
        losses=tuple(LoaderLoss(each.text("path"), each.text("what")) for each in part.items("loaderLosses")),
    )
    part.nothing_left()
    if part is not top:
        top.nothing_left()
    return Loaded(schema, tuple(findings))


def _agreed(part: Part, key: str, given: str) -> str:
    said = part.text(key)
    if said and given and said != given:
        part.wrong(
            "E-VERSION",
            message(
                "says {key} {said}, but it is read as {sent}.", key=key, said=repr(said), sent=repr(given)
            ),
            key,
        )
    return given or said


def _types(part: Part, reader: TypeReader) -> dict[str, Type]:
    types: dict[str, Type] = {}
    for name, each in part.parts("types"):
        if not re.fullmatch(r"[^\W\d][\w.-]*", name):
            each.wrong("E-NAME", message("{name} cannot name a type.", name=repr(name)))
        types[name] = reader.type(each, name)
    return types


def _resource(name: str, part: Part) -> ResourceDefinition:
    resource = ResourceDefinition(
        type=part.text("type") or name,
        message=part.text("message") or name,
        patterns=tuple(part.texts("patterns")),
        singular=part.text("singular") or name[:1].lower() + name[1:],
        plural=part.text("plural") or _plural(part),
        id_patterns={key: str(value) for key, value in part.mapping("idPattern").items()},
        parents=tuple(part.texts("parents")),
        scope_attributes=tuple(_scope(each) for each in part.items("scopeAttributes")),
        name_field=part.text("nameField") or "name",
        cross_references=tuple(
            CrossReference(each.text("type"), each.text("path")) for each in part.items("crossReferences")
        ),
        options=part.mapping("options"),
    )
    part.nothing_left()
    return resource


def _plural(part: Part) -> str:
    """Take the plural from the collection of the first pattern; a name alone does not tell it."""
    patterns = part.peek("patterns")
    first = patterns[0] if isinstance(patterns, list) and patterns else patterns or ""
    segments = [each for each in str(first).split("/") if not each.startswith("{")]
    return segments[-1] if segments else ""


def _scope(part: Part) -> ScopeAttribute:
    attribute = ScopeAttribute(part.text("name"), part.flag("optional"))
    part.nothing_left()
    return attribute


def _method(name: str, part: Part) -> Method:
    method = Method(
        name,
        part.text("request"),
        part.text("response"),
        part.text("kind") or "custom",
        part.mapping("options"),
        part.text("verb"),
        part.text("resource"),
        part.flag("collection"),
        part.text("nameField"),
        part.text("http"),
        part.flag("reads"),
        part.choice("streaming", Streaming, Streaming.NONE),
        part.text("path"),
        part.text("body"),
    )
    part.nothing_left()
    return method


def read_hint(part: Part) -> VersioningHint:
    """Read what an old version says of the next one, in the words of api-skeletons."""
    hint = VersioningHint(
        part.text("replacement"),
        part.flag("discontinued"),
        tuple(part.texts("skipTransformersBasicActions")),
        part.flag("skipAccessTransformer"),
        part.flag("skipResourceChangeTransformers"),
    )
    part.nothing_left()
    return hint


def _source(part: Part) -> Source:
    source = Source(part.text("kind"), part.text("ref"), part.text("sha256"))
    part.nothing_left()
    return source
