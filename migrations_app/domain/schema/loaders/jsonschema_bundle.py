"""A folder of JSON Schema files put into one document, references between them turned inward."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping

from migrations_app.domain.schema.ir import Source
from migrations_app.domain.schema.loaders.jsonschema_refs import BUNDLE
from migrations_app.domain.schema.located import Located, read_text
from migrations_app.kernel.json import Json, JsonObject

_ENDINGS = (".json", ".yaml", ".yml")


def read_bundle(path: str, files: Mapping[str, bytes]) -> tuple[Located, Source] | None:
    """Read all schema files below a folder as one document; None when `path` is no folder."""
    below = f"{path.rstrip('/')}/"
    names = sorted(name for name in files if name.startswith(below) and name.endswith(_ENDINGS))
    if not names:
        return None
    documents = {name: read_text(files[name], name).value for name in names}
    bundled: JsonObject = {name: _inward(value, name, documents) for name, value in documents.items()}
    text = b"".join(name.encode() + files[name] for name in names)
    root: Json = {BUNDLE: bundled}
    return Located(root, path), Source("jsonschema", path, hashlib.sha256(text).hexdigest())


def _inward(value: Json, file: str, documents: Mapping[str, Json]) -> Json:
    if isinstance(value, list):
        return [_inward(each, file, documents) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _turned(each, file, documents)
        if key == "$ref" and isinstance(each, str)
        else _inward(each, file, documents)
        for key, each in value.items()
    }


def _turned(reference: str, file: str, documents: Mapping[str, Json]) -> str:
    """Point a reference into the bundle; one that leads out of the folder stays, and is reported."""
    named, _, pointer = reference.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(file), named)) if named else file
    if target not in documents:
        return reference
    escaped = target.replace("~", "~0").replace("/", "~1")
    return f"#/{BUNDLE}/{escaped}{pointer}"
