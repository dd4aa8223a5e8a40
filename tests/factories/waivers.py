"""What a version does not have any more, accepted by two persons."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.adapters.definitions import current_fingerprint
from migrations_app.control.access.queries.access import actor_named
from migrations_app.control.schemas.commands.waive_finding import WaiverWish, approve_waiver, ask_waiver
from migrations_app.control.schemas.repository.compatibility import removals_of
from migrations_app.models.access import Account
from tests.factories.access import make_account


def accept_removals(service: str, before: str, after: str) -> list[str]:
    """Accept everything that a version does not have of another, until tomorrow; give the places."""
    found = removals_of(service, current_fingerprint(service) or "", before, after)
    assert found is not None
    if not Account.objects.filter(username="wanda").exists():
        make_account("wanda", "operator")
        make_account("willa", "approver")
    accepted = []
    for each in found:
        if each.is_accepted:
            continue
        until = timezone.now() + timedelta(days=1)
        wish = WaiverWish(service, before, after, str(each.rule), each.path, "", "Its clients know.", until)
        asked = ask_waiver(actor_named("wanda"), wish)
        approve_waiver(actor_named("willa"), str(asked["id"]))
        accepted.append(each.path)
    return accepted
