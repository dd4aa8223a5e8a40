"""Whether an action of an old version is converted to the version that is active."""

from __future__ import annotations

from migrations_app.domain.schema.basic_actions import not_converted
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.kernel.errors import Refused


def check_converted(route: ServingRoute, resource_type: str, action: str) -> None:
    """See that the source of an old version lets an action be converted.

    Raises: Refused (`method-not-served`).
    """
    if route.how is not ServingMode.TRANSLATED:
        return
    hint = route.schema.hints.get(resource_type)
    if hint is not None and action in not_converted(hint):
        raise Refused(
            f"{route.version} says that {action} of {resource_type} is not converted, and "
            f"{route.stored_version} is active.",
            code="method-not-served",
            remedy=f"Use {route.stored_version}.",
        )
