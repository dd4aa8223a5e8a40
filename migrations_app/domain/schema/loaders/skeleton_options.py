"""The options that api-skeletons are known to have: what is interpreted, what is kept as it is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from migrations_app.domain.schema.findings import Severity
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message

Shape: TypeAlias = "Mapping[str, Shape | None]"
"""The keys of a mapping; None ends what is looked into, `*` stands for any key."""


@dataclass(frozen=True, slots=True)
class Options:
    """The known keys of one kind of mapping, and those whose values are kept without interpretation."""

    known: Shape
    kept: tuple[str, ...] = field(default=())


_HINT: Shape = dict.fromkeys(
    (
        "replacement",
        "discontinued",
        "skipTransformersBasicActions",
        "skipAccessTransformer",
        "skipResourceChangeTransformers",
    )
)
_PATHS: Shape = dict.fromkeys(("resourceName", "resourceBody", "resourceParent"))
_ACTION: Shape = {
    "name": None,
    "verb": None,
    "requestName": None,
    "responseName": None,
    "skipRequestMsgGen": None,
    "skipResponseMsgGen": None,
    "streamingRequest": None,
    "streamingResponse": None,
    "grpcTranscoding": dict.fromkeys(
        ("httpMethod", "httpBodyField", "isBasic", "httpPath", "httpPathOverrides")
    ),
    "opResourceInfo": {
        "name": None,
        "isCollection": None,
        "isPlural": None,
        "skipResourceInRequest": None,
        "requestPaths": _PATHS,
        "responsePaths": _PATHS,
    },
    "withStoreHandle": dict.fromkeys(("transaction", "readOnly")),
    "multiRegionRouting": dict.fromkeys(
        ("skipCodeGenBasedRouting", "executeOnOwningRegion", "regionIdFieldPaths")
    ),
    "versioning": _HINT,
}

TOP_OPTIONS = Options(
    {
        "name": None,
        "proto": {
            "package": dict.fromkeys(
                ("name", "currentVersion", "nextVersion", "goPackage", "protoImportPathPrefix")
            ),
            "service": dict.fromkeys(("name", "defaultHost", "oauthScopes")),
        },
        "imports": None,
        "resources": None,
        "apis": None,
    }
)
RESOURCE_OPTIONS = Options(
    {
        "name": None,
        "plural": None,
        "idPattern": None,
        "parents": None,
        "scopeAttributes": None,
        "scopeAttributeOverrides": {"*": {"isOptional": None}},
        "multiRegion": dict.fromkeys(("isPolicyHolder", "syncType")),
        "optIns": dict.fromkeys(("searchable",)),
        "optOuts": dict.fromkeys(
            (
                "basicActions",
                "dbConstraints",
                "metadataField",
                "nameField",
                "paging",
                "resourceChange",
                "standardCrudAccess",
            )
        ),
        "actions": None,
        "versioning": _HINT,
    },
    ("multiRegion", "optIns", "optOuts"),
)
ACTION_OPTIONS = Options(_ACTION, tuple(key for key in _ACTION if key not in ("name", "versioning")))


def report_unknown(part: Part, options: Options) -> None:
    """Note every option below a mapping that is not known; it is kept out, not misread."""
    _walk(part, (), part.value, options.known)


def _walk(part: Part, steps: tuple[str, ...], value: Json, shape: Shape) -> None:
    if not isinstance(value, dict):
        return
    for key, each in value.items():
        below = shape.get(key, shape.get("*"))
        if key not in shape and "*" not in shape:
            path = ".".join((*steps, key))
            part.wrong(
                "W-OPTION",
                message("has the unknown option {path}.", path=path),
                (*steps, key)[0],
                severity=Severity.WARNING,
            )
        elif below is not None:
            _walk(part, (*steps, key), each, below)
