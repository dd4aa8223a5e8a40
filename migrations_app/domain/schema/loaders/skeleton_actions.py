"""Actions of api-skeletons as methods: what they act on, their messages, and whether they write."""

from __future__ import annotations

from collections.abc import Collection

from migrations_app.domain.schema.ir import Method, Streaming
from migrations_app.kernel.json import Json, JsonObject


def read_action(name: str, group: str, options: JsonObject, resources: Collection[str]) -> Method:
    """Read an action of a resource type or of a group of the API; without both it has no address.

    Its messages are called after it where the skeleton does not name them.
    """
    about, store = _mapping(options.get("opResourceInfo")), _mapping(options.get("withStoreHandle"))
    http_method = str(_mapping(options.get("grpcTranscoding")).get("httpMethod") or "post").upper()
    resource = str(about.get("name") or group)
    verb = str(options.get("verb") or "") if resource in resources else ""
    return Method(
        name,
        str(options.get("requestName") or f"{name}Request"),
        str(options.get("responseName") or f"{name}Response"),
        options=options,
        verb=verb,
        resource=resource if verb else "",
        is_collection=about.get("isCollection") is True,
        name_field=_name_field(about),
        http_method=http_method if verb else "",
        reads=store.get("readOnly") is True or http_method == "GET",
        streaming=_streaming(options),
    )


def _name_field(about: JsonObject) -> str:
    """Tell the field of the request that the address fills: `name`, or `parent` of a collection."""
    if about.get("skipResourceInRequest") is True:
        return ""
    paths = _mapping(about.get("requestPaths"))
    is_collection = about.get("isCollection") is True
    given = paths.get("resourceParent" if is_collection else "resourceName")
    named = given[0] if isinstance(given, list) and given else ""
    return str(named) or ("parent" if is_collection else "name")


def _streaming(options: JsonObject) -> Streaming:
    sends, answers = options.get("streamingRequest") is True, options.get("streamingResponse") is True
    if sends:
        return Streaming.BOTH if answers else Streaming.CLIENT
    return Streaming.SERVER if answers else Streaming.NONE


def _mapping(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
