"""The loader of OpenAPI 3.0 and 3.1, and of Swagger 2.0: component schemas, operations, and resource types told by paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from migrations_app.domain.schema.ir import LoaderLoss, Method, ResourceDefinition
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo
from migrations_app.domain.schema.loaders.jsonschema import adopt, lineage, loaded_types, open_source
from migrations_app.domain.schema.loaders.jsonschema_refs import type_name
from migrations_app.domain.schema.loaders.jsonschema_types import Dialect, JsonSchemaReader
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.loaders.swagger import SwaggerConversion
from migrations_app.domain.schema.methods import read_template
from migrations_app.domain.schema.types import ObjectType, RefType, Type, UnknownKeys
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message

_KINDS = {"put": "update", "patch": "update", "delete": "delete"}


def load_openapi(part: Part, files: Mapping[str, bytes], info: VersionInfo) -> Loaded:
    """Load the document named by `path`; `base` is the head of paths that is no part of names."""
    located, source = open_source(part, files, "openapi")
    unknown, base = part.choice("unknown", UnknownKeys, UnknownKeys.FILTER), part.text("base")
    root = located.value
    losses: list[LoaderLoss] = []
    is_swagger = isinstance(root, dict) and str(root.get("swagger")) == "2.0"
    if is_swagger and isinstance(root, dict):
        converted = SwaggerConversion(root)
        root = converted.document()
        losses += [LoaderLoss(path, what) for path, what in converted.losses]
    if not isinstance(root, dict) or not str(root.get("openapi", "")).startswith(("3.0", "3.1")):
        raise Invalid(
            message("This is neither an OpenAPI 3.0 or 3.1 nor a Swagger 2.0 document."),
            code="E-SHAPE",
            file=located.file,
        )
    reader = JsonSchemaReader(root, lineage(info), located.file, Dialect.OPENAPI, unknown)
    components = root.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else None
    first: dict[str, Json] = {}
    adopt(reader, schemas, "#/components/schemas/", first)
    if is_swagger:
        adopt(reader, root.get("definitions"), "#/definitions/", first)
    operations = list(_operations(root))
    methods = {name: _method(reader, name, path, verb, each, base) for name, path, verb, each in operations}
    types = reader.named(first)
    resources = dict(_resources(reader, types, operations, base, losses))
    loaded = loaded_types(types, reader, info, source, more_losses=tuple(dict.fromkeys(losses)))
    known = {name: _only_known(method, types) for name, method in methods.items()}
    return replace(loaded, schema=replace(loaded.schema, resources=resources, methods=known))


def _operations(root: JsonObject) -> Iterator[tuple[str, str, str, JsonObject]]:
    paths = root.get("paths")
    for path, item in paths.items() if isinstance(paths, dict) else ():
        for verb in ("get", "post", "put", "patch", "delete"):
            operation = item.get(verb) if isinstance(item, dict) else None
            if isinstance(operation, dict):
                name = str(operation.get("operationId") or f"{verb} {path}")
                yield type_name(name), path, verb, operation


def _method(
    reader: JsonSchemaReader, name: str, path: str, verb: str, operation: JsonObject, base: str = ""
) -> Method:
    answers = operation.get("responses")
    answer = next(
        (each for code, each in answers.items() if code.startswith("2"))
        if isinstance(answers, dict)
        else iter(()),
        None,
    )
    place, custom, _ = read_template(path.removeprefix("/api"), base)
    ends_in_id = path.rstrip("/").endswith("}")
    kind = _KINDS.get(verb) or (
        ("get" if ends_in_id else "list")
        if verb == "get"
        else "custom"
        if ends_in_id or ":" in path
        else "create"
    )
    kind = "custom" if custom else kind
    return Method(
        name,
        _named_body(reader, operation.get("requestBody")),
        _named_body(reader, answer),
        kind,
        {"path": path, "verb": verb},
        verb=custom,
        http_method=verb.upper() if custom else "",
        reads=bool(custom) and verb == "get",
        path=place,
    )


def _named_body(reader: JsonSchemaReader, holder: Json) -> str:
    """Name the type of a body when it is a named one."""
    content = holder.get("content") if isinstance(holder, dict) else None
    for kind, media in content.items() if isinstance(content, dict) else ():
        schema = media.get("schema") if isinstance(media, dict) and _is_json(kind) else None
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        if isinstance(reference, str):
            return reader.references.name(reference) or ""
    return ""


def _is_json(media: str) -> bool:
    """Tell whether a body may be JSON; converters of Swagger write `*/*` where nothing is said."""
    return "json" in media or media in ("*/*", "application/*")


def _only_known(method: Method, types: Mapping[str, Type]) -> Method:
    return replace(
        method,
        request=method.request if method.request in types else "",
        response=method.response if method.response in types else "",
    )


def _resources(
    reader: JsonSchemaReader,
    types: Mapping[str, Type],
    operations: list[tuple[str, str, str, JsonObject]],
    base: str,
    losses: list[LoaderLoss],
) -> Iterator[tuple[str, ResourceDefinition]]:
    """Take what a GET of a path ending in an id answers as a resource type."""
    patterns: dict[str, list[str]] = {}
    for name, path, verb, operation in operations:
        if verb == "get" and path.rstrip("/").endswith("}"):
            answer = _method(reader, name, path, verb, operation).response
            patterns.setdefault(answer, []).append(_pattern(path, base))
    for answer, found in patterns.items():
        message = types.get(answer)
        while isinstance(message, RefType):
            message = types.get(message.name)
        if not isinstance(message, ObjectType):
            losses.append(LoaderLoss(answer or found[0], "resource-without-named-type"))
            continue
        collection = [each for each in found[0].split("/") if not each.startswith("{")]
        yield (
            answer,
            ResourceDefinition(
                type=answer,
                message=answer,
                patterns=tuple(dict.fromkeys(found)),
                singular=answer[:1].lower() + answer[1:],
                plural=collection[-1] if collection else "",
            ),
        )


def _pattern(path: str, base: str) -> str:
    """Turn a path template into a name pattern: without the base, or a leading `v1`."""
    rest = path.removeprefix(base) if base else re.sub(r"^/(?:api/)?v\d\w*(?=/)", "", path)
    return re.sub(r"\{([^}]*)\}", lambda match: "{" + re.sub(r"\W", "_", match[1]) + "}", rest.strip("/"))
