"""What several declarations share: pages of lists, and the parameters of lists and of changes."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiParameter

from migrations_app.kernel.json import Json
from migrations_app.web.contract import ResponseBody
from migrations_app.web.paging import DEFAULT_LIMIT, LARGEST_LIMIT

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

MAY_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag that was shown; left out, any state will do.",
)


@cache
def page_schema(name: str, item: type[ResponseBody]) -> type[ResponseBody]:
    """Make the shape of a page of such items."""
    page = msgspec.defstruct(
        f"{name}Page",
        [("items", list[item]), ("next_cursor", str | None), ("has_more", bool)],  # type: ignore[valid-type]
        bases=(ResponseBody,),
        frozen=True,
        kw_only=True,
    )
    assert issubclass(page, ResponseBody)
    return page


def everything(items: list[Any]) -> dict[str, Json]:
    """Make the page of a list that is always whole."""
    return {"items": items, "next_cursor": None, "has_more": False}
