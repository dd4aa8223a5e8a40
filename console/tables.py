"""The tables as they are, for looking only: changes go through the commands."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from migrations_app.control.access.queries.access import actor_of_user
from migrations_app.control.access.sign_in.activity import note_activity
from migrations_app.control.audit.ledger import shown_value
from migrations_app.domain.access import reach_of
from migrations_app.models.ledger import LedgerEntry

# What is stored only to compare with, or holds answers that were meant for one account.
HIDDEN = {"session_key", "password", "digest", "body", "sealed_url", "sealed_secret", "sealed_former_secret"}
SHOWN_COLUMNS = 8
# The tables hold accounts and tokens, the ledger, and what lies in every region.
NEEDED = ("access.manage", "audit.read", "fleet.read")


class ReadOnlySite(admin.AdminSite):
    """Pages of tables; signing in and changing passwords is the console's own matter, second factor and all."""

    site_title = site_header = "Switchyard tables (read-only)"
    index_title = "Look, do not touch"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in, at each request, who is marked as staff and may do now what the tables show: everything, everywhere."""
        if not super().has_permission(request):
            return False
        actor = actor_of_user(request.user, address=str(request.META.get("REMOTE_ADDR") or ""))
        if not all(reach_of(actor, permission).everywhere for permission in NEEDED):
            return False
        note_activity(request)
        return True

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send requests without a session to the console's sign-in."""
        if self.has_permission(request):
            return HttpResponseRedirect("/admin/")
        return HttpResponseRedirect("/")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Offer no second way to change a password."""
        return HttpResponseRedirect("/")


class Looking(admin.ModelAdmin):  # type: ignore[type-arg]
    """A table that can be read and not changed."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse additions."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Refuse changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """Refuse deletions."""
        return False

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> models.Model | None:
        """Read a row; entries of the ledger from former versions hold whole addresses, which are credentials."""
        row: models.Model | None = super().get_object(request, object_id, from_field)
        if isinstance(row, LedgerEntry):
            row.before, row.after = shown_value(row, row.before), shown_value(row, row.after)
        return row


site = ReadOnlySite(name="admin")


def _columns(model: type[models.Model]) -> list[str]:
    return [
        field.name
        for field in model._meta.concrete_fields
        if not isinstance(field, models.JSONField) and field.name not in HIDDEN
    ]


for _model in apps.get_app_config("switchyard").get_models():
    _shape = {
        "list_display": _columns(_model)[:SHOWN_COLUMNS],
        "exclude": [field.name for field in _model._meta.fields if field.name in HIDDEN],
        "list_per_page": 50,
        "show_full_result_count": False,
    }
    site.register(_model, type(f"{_model.__name__}Looking", (Looking,), _shape))
