"""The basic actions that a version offers of a resource type, by the requests that ask for them."""

from __future__ import annotations

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.resource_api.addresses import ResourceLocation

_OF_ONE = {"GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "update", "DELETE": "delete"}
_OF_SEVERAL = {"GET": "list", "HEAD": "list", "POST": "create"}


def method_of(place: ResourceLocation, http_method: str, verb: str) -> str:
    """Name the method that a request asks for.

    Raises: Invalid (`method-not-allowed`).
    """
    match http_method, verb:
        case ("GET" | "HEAD", ""):
            return "list" if place.is_collection else "get"
        case ("GET" | "HEAD" | "POST", "batchGet") if place.is_collection:
            return "batchGet"
        case ("GET" | "HEAD", "search") if place.is_collection:
            return "search"
        case ("POST", "") if place.is_collection:
            return "create"
        case ("PUT" | "PATCH", "") if not place.is_collection:
            return "update"
        case ("DELETE", "") if not place.is_collection:
            return "delete"
    raise Invalid(
        message("{http_method} is not answered here.", http_method=http_method), code="method-not-allowed"
    )


def check_offered(schema: Schema, place: ResourceLocation, method: str, verb: str) -> None:
    """See that the version of a request offers what it asks for.

    Raises: Invalid (`method-not-allowed`).
    """
    action = verb or (_OF_SEVERAL if place.is_collection else _OF_ONE).get(method, "")
    check_action(schema, place.type, action)


def check_action(schema: Schema, resource_type: str, action: str) -> None:
    """See that a version offers an action.

    Raises: Invalid (`method-not-allowed`).
    """
    known = schema.resources.get(resource_type)
    if known is None or "optOuts" not in known.options:
        return
    if action in presenter_of(schema, resource_type).opted_out:
        raise Invalid(
            message(
                "{version} of {service} opts out of {action} of {resource_type}.",
                version=schema.version,
                service=schema.service,
                action=action,
                resource_type=resource_type,
            ),
            code="method-not-allowed",
        )
