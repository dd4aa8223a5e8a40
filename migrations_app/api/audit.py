"""The audit ledger: who did what, and whether the chain is whole."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.api.shapes import page_shape
from migrations_app.queries import audit as known
from migrations_app.web.doors import Door
from migrations_app.web.paging import NOT_FILTERS, asked_page, listed


class EntryShape(serializers.Serializer[Any]):
    """One entry of the ledger."""

    id = serializers.IntegerField()
    seq = serializers.IntegerField(allow_null=True)
    digest = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    actor_kind = serializers.CharField()
    token = serializers.CharField(allow_blank=True)
    address = serializers.CharField(allow_blank=True)
    request_id = serializers.CharField(allow_blank=True)
    action = serializers.CharField()
    target_kind = serializers.CharField()
    target = serializers.CharField(allow_blank=True)
    service = serializers.CharField(allow_blank=True)
    region = serializers.CharField(allow_blank=True)
    outcome = serializers.ChoiceField(["done", "denied", "failed", "dry_run"])
    reason = serializers.CharField(allow_blank=True)
    before = serializers.DictField(allow_null=True)
    after = serializers.DictField(allow_null=True)


class ChainShape(serializers.Serializer[Any]):
    """How the chain stands."""

    intact = serializers.BooleanField()
    length = serializers.IntegerField()
    unsealed = serializers.IntegerField()
    digest = serializers.CharField(allow_blank=True)
    broken_at = serializers.IntegerField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class AuditDoor(Door):
    """`/audit`."""

    may: ClassVar[dict[str, str]] = {"GET": "audit.read"}

    @extend_schema(operation_id="audit", responses=page_shape("Entry", EntryShape))
    def get(self, request: Request) -> Response:
        """List entries, newest first."""
        asked = asked_page(request)
        filters = {
            name: str(value) for name, value in request.query_params.items() if name not in NOT_FILTERS
        }
        found = known.entries(self.actor, filters, before=asked.after_int(), limit=asked.fetch)
        return listed(asked, found, key=lambda entry: [entry["id"]], show=lambda entry: entry)


class ChainDoor(Door):
    """`/audit/chain`."""

    may: ClassVar[dict[str, str]] = {"GET": "audit.read"}

    @extend_schema(operation_id="audit_chain", responses=ChainShape)
    def get(self, request: Request) -> Response:
        """Verify the whole chain."""
        return Response(known.chain(self.actor))


urlpatterns = [path("audit", AuditDoor.as_view()), path("audit/chain", ChainDoor.as_view())]
