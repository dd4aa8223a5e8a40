"""What several declarations share: pages of lists, the parameters of lists and of changes, sentences in phrases."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import OpenApiParameter
from msgspec import Meta

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


class PhraseSchema(ResponseBody, frozen=True, kw_only=True):
    """A piece of a sentence, as catalogues of other languages have it; pieces stand with a space between them."""

    key: Annotated[
        str,
        Meta(
            description="Its English form. `{name}` is the place of a value; two forms with `|` between them are for "
            "one and for several of `count`."
        ),
    ]
    values: dict[str, str | int]


Phrases = Annotated[
    list[PhraseSchema], Meta(description="The sentence in phrases; left out where it has none.")
]
RemedyPhrases = Annotated[
    list[PhraseSchema], Meta(description="The remedy in phrases; left out where it has none.")
]


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
