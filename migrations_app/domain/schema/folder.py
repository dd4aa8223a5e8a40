"""The service folder: `service.yaml`, the sources of every version, and the raw edges between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from migrations_app.domain.schema.advice import advise
from migrations_app.domain.schema.check import check_schema
from migrations_app.domain.schema.files.file_paths import check_paths
from migrations_app.domain.schema.files.local_files import check_bounds, read_local_files
from migrations_app.domain.schema.findings import DefinitionFinding, errors_of, finding_of, refuse_errors
from migrations_app.domain.schema.ir import Schema, UnknownKeys, VersionStage
from migrations_app.domain.schema.loaders.crd import load_crd
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo, load_ir
from migrations_app.domain.schema.loaders.jsonschema import load_jsonschema
from migrations_app.domain.schema.loaders.merge import merge
from migrations_app.domain.schema.loaders.openapi import load_openapi
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.loaders.protobuf import load_descriptor_set, load_protobuf
from migrations_app.domain.schema.loaders.python_package import load_python_package
from migrations_app.domain.schema.loaders.skeleton import load_skeleton
from migrations_app.domain.schema.loaders.transition import read_transition, with_transition
from migrations_app.domain.schema.located import LIMITS, Located, read_text, read_yaml
from migrations_app.domain.schema.placing import placed
from migrations_app.domain.schema.referring import with_cross_references
from migrations_app.domain.schema.renaming import without_prefix
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

SERVICE_FILE = "service.yaml"
SERVICE_NAME = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)+")

Files = Mapping[str, bytes]
Loader = Callable[[Part, Files, VersionInfo], Loaded]


@dataclass(frozen=True, slots=True)
class RawEdge:
    """The text of one edge's metadata; the conversion package reads it."""

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class FolderImport:
    """The version of another service that a version of this one refers to."""

    service: str
    version: str


@dataclass(frozen=True, slots=True)
class ServiceFolder:
    """What a service folder says: its schemas by version, oldest first, and its edges.

    `unknown_keys` is what all its versions do with keys they do not know; None leaves it to their sources.
    """

    service: str
    schemas: Mapping[str, Schema]
    edges: tuple[RawEdge, ...] = ()
    display_name: str = ""
    imports: Mapping[str, tuple[FolderImport, ...]] = field(default_factory=dict)
    files: Files = field(default_factory=dict, repr=False)
    findings: tuple[DefinitionFinding, ...] = ()
    unknown_keys: UnknownKeys | None = None

    def refuse_errors(self) -> ServiceFolder:
        """Refuse the folder when reading it found an error.

        Raises: Invalid with a violation for each.
        """
        refuse_errors(self.findings, f"The folder of {self.service or 'the service'}")
        return self


def read_folder(path: Path | str) -> ServiceFolder:
    """Read a service folder from disk, hidden files and links out of it left aside.

    What is wrong inside becomes findings; what could be read is there all the same.

    Raises: Invalid (`E-FOLDER`, `E-LIMIT`, `E-FILENAME`) when there is no `service.yaml`, too much beside it,
    or a file whose name is not allowed.
    """
    root = Path(path).resolve()
    if not (root / SERVICE_FILE).is_file():
        raise Invalid(
            message("{path} has no {service_file}.", path=str(path), service_file=SERVICE_FILE),
            code="E-FOLDER",
            remedy=message("Write {service_file} first.", service_file=SERVICE_FILE),
        )
    return read_files(read_local_files(root))


def read_files(files: Files) -> ServiceFolder:
    """Read a service folder from its files in memory, by path relative to the folder.

    Raises: Invalid as `read_folder`.
    """
    check_bounds(len(files), sum(map(len, files.values())))
    check_paths(files)
    findings: list[DefinitionFinding] = []
    top = _top(files, findings)
    service = top.text("service")
    if not SERVICE_NAME.fullmatch(service):
        top.wrong("E-NAME", message("must be a domain name such as secrets.example.com."), "service")
    display_name = top.text("displayName")
    unknown = next(iter(top.choices("unknownKeys", UnknownKeys)), None)
    schemas: dict[str, Schema] = {}
    imports: dict[str, tuple[FolderImport, ...]] = {}
    for part in top.items("versions"):
        schema, imported = _version(part, files, service, len(schemas), findings)
        if schema.version in schemas:
            part.wrong("E-VERSION", message("names {version} a second time.", version=schema.version))
        schemas[schema.version] = schema
        imports[schema.version] = imported
    if not schemas:
        top.wrong("E-VERSION", message("must name at least one version."), "versions")
    edges = _edges(top, files)
    top.nothing_left()
    return ServiceFolder(
        service=service,
        schemas=_oldest_first(schemas, top),
        edges=edges,
        display_name=display_name,
        imports=imports,
        files=files,
        findings=tuple(findings),
        unknown_keys=unknown,
    )


def read_service_name(files: Files) -> str:
    """Read which service a folder is about, and nothing else: no source is opened.

    Who applies a folder must be allowed to change this service before anything else of it is read.

    Raises: Invalid (`E-FOLDER`, `E-LIMIT`, `E-FILENAME`, `E-NAME`, `E-SYNTAX`).
    """
    check_bounds(len(files), sum(map(len, files.values())))
    check_paths(files)
    service = _top(files, []).text("service")
    if not SERVICE_NAME.fullmatch(service):
        raise Invalid(
            message("{service_file} names no service.", service_file=SERVICE_FILE),
            code="E-NAME",
            remedy=message("Write `service:` with a domain name such as secrets.example.com."),
            file=SERVICE_FILE,
        )
    return service


def _top(files: Files, findings: list[DefinitionFinding]) -> Part:
    if SERVICE_FILE not in files:
        raise Invalid(
            message("There is no {service_file}.", service_file=SERVICE_FILE),
            code="E-FOLDER",
            remedy=message("Write {service_file} first.", service_file=SERVICE_FILE),
        )
    return Part(read_yaml(files[SERVICE_FILE], SERVICE_FILE), (), findings).expect_mapping()


def _oldest_first(schemas: Mapping[str, Schema], top: Part) -> dict[str, Schema]:
    ordinals = [each.ordinal for each in schemas.values()]
    if len(set(ordinals)) != len(ordinals):
        top.wrong("E-ORDINAL", message("give two versions the same ordinal."), "versions")
    return dict(sorted(schemas.items(), key=lambda item: item[1].ordinal))


def _version(
    part: Part, files: Files, service: str, index: int, findings: list[DefinitionFinding]
) -> tuple[Schema, tuple[FolderImport, ...]]:
    stage = part.choice("stage", VersionStage, VersionStage.STABLE)
    ordinal = part.whole("ordinal")
    info = VersionInfo(service, part.text("version"), 10 * (index + 1) if ordinal is None else ordinal, stage)
    if not re.fullmatch(r"[a-z][a-z0-9_.-]*", info.version):
        part.wrong("E-VERSION", message("must be a version such as v1alpha2."), "version")
    next_version = part.text("nextVersion")
    sources = list(part.items("sources"))
    loaded = [_load(each, files, info) for each in sources]
    if not loaded:
        part.wrong("E-SOURCE", message("must name at least one source."), "sources")
    whole = merge(loaded, info)
    imported = tuple(
        FolderImport(each.text("service"), each.text("version")) for each in part.items("imports")
    )
    transition = read_transition(part)
    part.nothing_left()
    schema = whole.schema
    if next_version:
        schema = Schema(
            **{**{name: getattr(schema, name) for name in schema.__slots__}, "next_version": next_version}
        )
    findings += whole.findings
    if not errors_of(whole.findings):
        checked = check_schema(schema)
        findings += (
            placed(checked, (str(each.peek("path")) for each in sources), files)
            if checked
            else advise(schema)
        )
        schema = with_cross_references(with_transition(schema, transition, part))
    return schema, imported


def _load(part: Part, files: Files, info: VersionInfo) -> Loaded:
    kind = part.text("kind") or "ir"
    loader = LOADERS.get(kind)
    if loader is None:
        part.wrong(
            "E-SOURCE",
            message("{kind} is no kind of source.", kind=repr(kind)),
            "kind",
            remedy=message("Use {loaders}.", loaders=", ".join(LOADERS)),
        )
        return Loaded(Schema(info.service, info.version))
    prefix = part.text("typePrefix")
    try:
        loaded = loader(part, files, info)
        if prefix and not errors_of(loaded.findings):
            loaded = replace(loaded, schema=without_prefix(loaded.schema, prefix))
    except Invalid as error:
        finding = finding_of(error, SERVICE_FILE)
        if finding.file == SERVICE_FILE and not finding.line:
            finding = replace(finding, line=part.line)
        return Loaded(Schema(info.service, info.version), (finding,))
    part.nothing_left()
    return loaded


def _edges(top: Part, files: Files) -> tuple[RawEdge, ...]:
    edges = []
    for index, path in enumerate(top.texts("edges")):
        if path not in files:
            top.wrong("E-FILE", message("names {path}, which is not in the folder.", path=path), "edges")
            continue
        try:
            edges.append(RawEdge(files[path].decode(), path))
        except UnicodeDecodeError:
            top.wrong(
                "E-SYNTAX",
                message("names {path}, which is not UTF-8 (edge {index}).", path=path, index=index),
                "edges",
            )
    return tuple(edges)


def take_file(part: Part, files: Files) -> Located:
    """Take the file that a source names under `path`, read as YAML or JSON.

    Raises: Invalid (`E-FILE`) when the folder has no such file.
    """
    path = part.text("path")
    if path not in files:
        raise Invalid(
            message("{path} is not in the folder.", path=path or "A source"),
            code="E-FILE",
            remedy=message("Name a file by its path from the folder."),
            file=SERVICE_FILE,
        )
    return read_text(files[path], path, LIMITS)


def _load_ir(part: Part, files: Files, info: VersionInfo) -> Loaded:
    return load_ir(take_file(part, files), info)


LOADERS: dict[str, Loader] = {
    "ir": _load_ir,
    "protobuf": load_protobuf,
    "protobuf-fds": load_descriptor_set,
    "python": load_python_package,
    "skeleton": load_skeleton,
    "jsonschema": load_jsonschema,
    "openapi": load_openapi,
    "crd": load_crd,
}
