"""Swagger 2.0 written as OpenAPI 3.0: the schemas, and the bodies that operations take and answer.

Only what a definition is read from is converted. Parameters in addresses and headers, security and servers are left
out, as the loader of OpenAPI leaves them out too. Schemas stay under `definitions`, so that what is wrong with a
reference is told as it is written. No converter for Python is kept up.

Source: OpenAPI Specification 2.0 and 3.0.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.kernel.json import Json, JsonObject

_VERBS = ("get", "post", "put", "patch", "delete")
_ANY = ["*/*"]


class SwaggerConversion:
    """One Swagger document as OpenAPI; `losses` are the operations of which a part could not be told."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self.losses: list[tuple[str, str]] = []

    def document(self) -> JsonObject:
        """Write the whole document."""
        schemas: JsonObject = {name: _schema(each) for name, each in _entries(self._root.get("definitions"))}
        paths: JsonObject = {path: self._path(path, item) for path, item in _entries(self._root.get("paths"))}
        return {"openapi": "3.0.3", "paths": paths, "definitions": schemas}

    def _path(self, path: str, item: Json) -> Json:
        if not isinstance(item, dict):
            return item
        shared = list(self._parameters(item))
        return {
            verb: self._operation(f"{verb} {path}", operation, shared)
            for verb, operation in item.items()
            if verb in _VERBS and isinstance(operation, dict)
        }

    def _operation(self, place: str, operation: JsonObject, shared: list[JsonObject]) -> JsonObject:
        kept = {key: each for key, each in operation.items() if key in ("operationId", "deprecated")}
        own = list(self._parameters(operation))
        named = {(each.get("in"), each.get("name")) for each in own}
        given = [each for each in shared if (each.get("in"), each.get("name")) not in named] + own
        if any(each.get("in") == "formData" for each in given):
            self.losses.append((place, "form-body"))
        answered = self._media(operation, "produces")
        answers: JsonObject = {
            str(code): self._response(self._target(each, "responses"), answered)
            for code, each in _entries(operation.get("responses"))
        }
        made: JsonObject = {**kept, "responses": answers}
        for parameter in given:
            if parameter.get("in") == "body":
                schema = _schema(parameter.get("schema"))
                made["requestBody"] = _content(schema, self._media(operation, "consumes"))
        return made

    def _parameters(self, holder: JsonObject) -> Iterator[JsonObject]:
        listed = holder.get("parameters")
        for each in listed if isinstance(listed, list) else ():
            parameter = self._target(each, "parameters")
            if isinstance(parameter, dict):
                yield parameter

    def _target(self, given: Json, home: str) -> Json:
        """Open a reference to a shared parameter or response."""
        reference = given.get("$ref") if isinstance(given, dict) else None
        if not isinstance(reference, str) or not reference.startswith(f"#/{home}/"):
            return given
        name = reference.removeprefix(f"#/{home}/").replace("~1", "/").replace("~0", "~")
        return dict(_entries(self._root.get(home))).get(name)

    def _response(self, given: Json, media: list[str]) -> Json:
        if not isinstance(given, dict):
            return {}
        described: JsonObject = {"description": str(given.get("description") or "")}
        return described | (_content(_schema(given["schema"]), media) if "schema" in given else {})

    def _media(self, operation: JsonObject, key: str) -> list[str]:
        said = operation.get(key, self._root.get(key))
        return [str(each) for each in said] if isinstance(said, list) and said else _ANY


def _entries(given: Json) -> Iterator[tuple[str, Json]]:
    yield from given.items() if isinstance(given, dict) else ()


def _content(schema: Json, media: list[str]) -> JsonObject:
    return {"content": {kind: {"schema": schema} for kind in media}}


def _schema(given: Json, *, is_map: bool = False) -> Json:
    """Rewrite a schema with all that is in it; `is_map` says that its keys are names."""
    if isinstance(given, list):
        return [_schema(each) for each in given]
    if not isinstance(given, dict):
        return given
    if is_map:
        return {name: _schema(each) for name, each in given.items()}
    made: JsonObject = {}
    for key, each in given.items():
        if key in ("properties", "patternProperties"):
            made[key] = _schema(each, is_map=True)
        elif key in ("enum", "default", "example", "required") or key.startswith("x-"):
            made[key] = each
        elif key == "discriminator" and isinstance(each, str):
            made[key] = {"propertyName": each}
        else:
            made[key] = _schema(each)
    if made.get("type") == "file":
        made |= {"type": "string", "format": "binary"}
    if made.get("x-nullable") is True:
        made["nullable"] = True
    return made
