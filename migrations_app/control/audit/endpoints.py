"""The audit ledger: who did what, and whether the chain is whole."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Annotated, Any, ClassVar

from django.http import HttpResponseBase
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.audit.commands.export_audit import export_audit
from migrations_app.control.audit.queries import audit as known
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject, encode
from migrations_app.kernel.messages import message
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, given_in, one_of, read
from migrations_app.web.paging import NOT_FILTERS, asked_page, listed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import PAGED, Phrases, page_schema
from migrations_app.web.streams import Streamed


class AuditEntrySchema(ResponseBody, frozen=True, kw_only=True):
    """One entry of the ledger."""

    id: int
    seq: int | None
    digest: str | None
    at: Instant
    actor: str
    actor_kind: str
    actor_kind_title: str | UnsetType = UNSET
    token: str
    address: str
    request_id: str
    action: str
    action_title: (
        Annotated[str, Meta(description="What the action is called; its name where it has no title.")]
        | UnsetType
    ) = UNSET
    target_kind: str
    target_kind_title: str | UnsetType = UNSET
    target: str
    service: str
    region: str
    outcome: Annotated[str, one_of(["done", "denied", "failed", "dry_run"])]
    reason: str
    reason_phrases: Phrases | UnsetType = UNSET
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditChainSchema(ResponseBody, frozen=True, kw_only=True):
    """How the chain stands."""

    intact: bool
    length: int
    unsealed: int
    digest: str
    broken_at: int | None
    entry: int | None
    reason: str
    reason_phrases: Phrases | UnsetType = UNSET
    anchors: Annotated[int, Meta(description="Signed heads that it was compared with.")]
    anchored: Annotated[int, Meta(description="The newest entry that one of them names.")]
    key: Annotated[str, Meta(description="The public key (Ed25519) that heads are signed with.")]


class AuditAnchorSchema(RequestBody, frozen=True, kw_only=True):
    """A signed head of the chain, as it was kept outside."""

    seq: int
    digest: Annotated[str, Meta(min_length=1)]
    at: Annotated[str, Meta(min_length=1)]
    key: Annotated[str, Meta(min_length=1)]
    signature: Annotated[str, Meta(min_length=1)]


class AuditAnchorsSchema(RequestBody, frozen=True, kw_only=True):
    """Heads to compare the chain with."""

    anchors: Annotated[list[AuditAnchorSchema], Meta(max_length=known.MOST_ANCHORS)]


FILTERED = [
    OpenApiParameter("actor"),
    OpenApiParameter("action", description="Whole, or a beginning and a star: `upgrade.*`."),
    OpenApiParameter("target"),
    OpenApiParameter("service"),
    OpenApiParameter("region"),
    OpenApiParameter("outcome", enum=["done", "denied", "failed", "dry_run"]),
    OpenApiParameter("address"),
    OpenApiParameter("request_id", description="All that one request did."),
    OpenApiParameter("quiet", bool, description="Without dry runs and sign-ins that succeeded."),
    OpenApiParameter("since", OpenApiTypes.DATETIME, description="From this moment on."),
    OpenApiParameter("until", OpenApiTypes.DATETIME, description="Before this moment."),
]


class AuditView(RestView):
    """`/audit`."""

    may: ClassVar[dict[str, str]] = {"GET": "audit.read"}

    @extend_schema(
        operation_id="audit",
        parameters=FILTERED + PAGED,
        responses=page_schema("AuditEntry", AuditEntrySchema),
    )
    def get(self, request: Request) -> Response:
        """List entries, newest first."""
        asked = asked_page(request)
        filters = {
            name: str(value) for name, value in request.query_params.items() if name not in NOT_FILTERS
        }
        found = known.entries(self.actor, filters, before=asked.after_int(), limit=asked.fetch)
        return listed(asked, found, key=lambda entry: [entry["id"]], show=lambda entry: entry)


class ExportView(RestView):
    """`/audit/export`."""

    may: ClassVar[dict[str, str]] = {"GET": "audit.export"}

    @extend_schema(
        operation_id="export_audit",
        parameters=[OpenApiParameter("as", enum=["jsonl", "csv"], default="jsonl"), *FILTERED],
        responses={(200, "application/x-ndjson"): str, (200, "text/csv"): str},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Take the matching entries away, oldest first; the export is noted in the ledger."""
        form = request.query_params.get("as", "jsonl")
        if form not in WRITERS:
            raise Invalid(
                message("as is {form}.", form=repr(form)),
                code="export-form",
                remedy=message("Use jsonl or csv."),
            )
        filters = {name: str(value) for name, value in request.query_params.items() if name != "as"}
        media, write = WRITERS[form]
        answer = Streamed(write(export_audit(self.actor, filters, form)), content_type=media)
        answer["Content-Disposition"] = f'attachment; filename="audit.{form}"'
        return answer


NOT_COLUMNS = (
    "actor_kind_title",
    "action_title",
    "target_kind_title",
    "reason_phrases",
    "before",
    "after",
)
"""What a table has no column for."""


def _lines(pages: Iterator[list[JsonObject]]) -> Iterator[bytes]:
    return (b"".join(encode(entry) + b"\n" for entry in page) for page in pages)


def _table(pages: Iterator[list[JsonObject]]) -> Iterator[bytes]:
    columns = [name for name in AuditEntrySchema.__struct_fields__ if name not in NOT_COLUMNS]
    yield _rows([columns])
    for page in pages:
        yield _rows([_cell(entry[name]) for name in columns] for entry in page)


def _rows(rows: Iterable[list[str]]) -> bytes:
    text = StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    # A spreadsheet would run what begins like a formula.
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


WRITERS = {
    "jsonl": ("application/x-ndjson", _lines),
    "csv": ("text/csv; charset=utf-8", _table),
}


class ChainView(RestView):
    """`/audit/chain`."""

    may: ClassVar[dict[str, str]] = {"GET": "audit.read", "POST": "audit.read"}

    @extend_schema(operation_id="audit_chain", responses=AuditChainSchema)
    def get(self, request: Request) -> Response:
        """Verify the whole chain, also against the signed heads that this process can read."""
        return Response(known.chain(self.actor))

    @extend_schema(operation_id="compare_audit_chain", request=AuditAnchorsSchema, responses=AuditChainSchema)
    def post(self, request: Request) -> Response:
        """Verify the whole chain against signed heads that were kept elsewhere; changes nothing."""
        given = read(AuditAnchorsSchema, request.data)
        return Response(known.chain(self.actor, [given_in(each) for each in given.anchors]))


urlpatterns = [
    path("audit", AuditView.as_view()),
    path("audit/export", ExportView.as_view()),
    path("audit/chain", ChainView.as_view()),
]
