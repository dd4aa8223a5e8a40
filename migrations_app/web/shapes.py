"""Shapes that several answers share, for the schema and for reading requests."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from migrations_app.kernel.json import Json
from migrations_app.web.paging import DEFAULT_LIMIT, LARGEST_LIMIT

S = TypeVar("S", bound=serializers.Serializer[Any])


class StrictShape(serializers.Serializer[Any]):
    """A request's body in which unknown fields are refused, so that a misspelt one is not silently ignored."""

    def to_internal_value(self, data: Any) -> Any:
        """Read the body; name every field that does not exist."""
        if isinstance(data, dict):
            unknown = {name: ["There is no such field."] for name in data if name not in self.fields}
            if unknown:
                raise serializers.ValidationError(unknown)
        return super().to_internal_value(data)


def read(shape: type[S], data: object) -> dict[str, Any]:
    """Read a request's body by its shape.

    Raises: rest_framework's ValidationError, answered as a problem.
    """
    reader = shape(data=data)
    reader.is_valid(raise_exception=True)
    values: dict[str, Any] = dict(reader.validated_data)
    return values


PAGED = [
    OpenApiParameter("cursor", str, description="`next_cursor` of the page before, for the same filters."),
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "default": DEFAULT_LIMIT}
    ),
]
"""What every list in pages takes."""


DRY_RUN = OpenApiParameter("dry_run", bool, description="Say what would happen, and keep nothing.")
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, required=True, description="The ETag that was shown."
)


@cache
def page_shape(name: str, item: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """Make the shape of a page of such items."""
    fields: dict[str, Any] = {
        "items": item(many=True),
        "next_cursor": serializers.CharField(allow_null=True),
        "has_more": serializers.BooleanField(),
    }
    return type(f"{name}Page", (serializers.Serializer,), fields)


def everything(items: list[Any]) -> dict[str, Json]:
    """Make the page of a list that is always whole."""
    return {"items": items, "next_cursor": None, "has_more": False}
