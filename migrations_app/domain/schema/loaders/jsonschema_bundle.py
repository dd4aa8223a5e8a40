"""A folder of JSON Schema files put into one document, references between them turned inward."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping
from urllib.parse import urldefrag, urljoin

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
    ids = _ids(documents)
    bundled: JsonObject = {name: _inward(value, name, documents, ids) for name, value in documents.items()}
    text = b"".join(name.encode() + files[name] for name in names)
    root: Json = {BUNDLE: bundled}
    return Located(root, path), Source("jsonschema", path, hashlib.sha256(text).hexdigest())


def _ids(documents: Mapping[str, Json]) -> dict[str, str]:
    """Tell which file says which `$id`; one that two files say names neither."""
    found: dict[str, list[str]] = {}
    for name, value in documents.items():
        if (said := _id_of(value)) is not None:
            found.setdefault(said, []).append(name)
    return {said: names[0] for said, names in found.items() if len(names) == 1}


def _id_of(document: Json) -> str | None:
    said = document.get("$id") if isinstance(document, dict) else None
    return urldefrag(said).url if isinstance(said, str) and said else None


def _inward(value: Json, file: str, documents: Mapping[str, Json], ids: Mapping[str, str]) -> Json:
    if isinstance(value, list):
        return [_inward(each, file, documents, ids) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _turned(each, file, documents, ids)
        if key == "$ref" and isinstance(each, str)
        else _inward(each, file, documents, ids)
        for key, each in value.items()
    }


def _turned(reference: str, file: str, documents: Mapping[str, Json], ids: Mapping[str, str]) -> str:
    """Point a reference into the bundle; one that leads out of the folder stays, and is reported.

    A file that says an `$id` is the base of its references, as JSON Schema has it; else its path in the folder is.
    """
    named, _, pointer = reference.partition("#")
    base = _id_of(documents[file]) or ""
    target = ids.get(urljoin(base, named), "") if named else file
    if not target:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), named))
    if target not in documents:
        return reference
    escaped = target.replace("~", "~0").replace("/", "~1")
    return f"#/{BUNDLE}/{escaped}{pointer}"
