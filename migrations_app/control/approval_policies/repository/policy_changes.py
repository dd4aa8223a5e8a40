"""Changes of approval policies that somebody made shortly before planning what those policies decide about."""

from __future__ import annotations

from datetime import datetime

from migrations_app.control.approval_policies.repository.electors import (
    Authors,
    control_of_authors,
    with_control,
)
from migrations_app.control.rows.one_reading import read_once
from migrations_app.domain.approvals.account_control import LOOKBACK, author_refusal
from migrations_app.domain.approvals.votes import Voter
from migrations_app.kernel.json import JsonObject
from migrations_app.models.access import Token
from migrations_app.models.ledger import LedgerEntry

ACTIONS = ("policy.write", "policy.delete")


def is_changed_since_plan(planned_at: datetime) -> bool:
    """Tell whether anybody changed a policy since a day before the plan."""
    return any(at >= planned_at - LOOKBACK for at, *_ in _entries())


def changes_by_authors(authors: Authors, planned_at: datetime) -> dict[str, JsonObject | None]:
    """Give, by name, what each policy said before its authors changed it last; None where it did not exist.

    Only changes since a day before the plan are looked at, and a policy that somebody else has changed since then
    stands as it is. The audit ledger tells, to which the application can only add.
    """
    since = planned_at - LOOKBACK
    entries = [(name, people, earlier) for at, name, people, earlier in _entries() if at >= since]
    control = control_of_authors(authors, planned_at)
    before: dict[str, JsonObject | None] = {}
    for name, people, earlier in entries:
        changers = (with_control(Voter(person, frozenset()), planned_at).control for person in people)
        if any(author_refusal(control, changer) for changer in changers):
            before.setdefault(name, earlier)
        else:
            before.pop(name, None)
    return before


@read_once
def _entries() -> list[tuple[datetime, str, tuple[str, ...], JsonObject | None]]:
    """Read every change of a policy, oldest first: there are few, and a page of upgrades reads them once."""
    rows = LedgerEntry.objects.filter(action__in=ACTIONS, outcome="done").order_by("pk")
    found = list(rows.values_list("at", "target", "actor", "token", "before"))
    tokens = {token for _, _, _, token, _ in found if token}
    makers: dict[str, str] = (
        dict(Token.objects.filter(pk__in=tokens).values_list("pk", "created_by")) if tokens else {}
    )
    return [
        (at, target, tuple(dict.fromkeys(filter(None, (actor, makers.get(token, ""))))), before)
        for at, target, actor, token, before in found
    ]
