"""Windows and freezes that somebody lets one upgrade go past."""

from __future__ import annotations

from datetime import datetime

from migrations_app.control.approval_policies.repository.approvals import environment, window_of
from migrations_app.control.rows.one_reading import read_once
from migrations_app.domain.approvals.overriding import Where, lifted_ruling, ruled
from migrations_app.domain.approvals.windows import WindowRuling, WindowSpan
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.windows import WindowOverride, WindowRule


def where_of(row: Upgrade, needed: bool) -> Where:
    """Give the deployment of an upgrade, as windows are asked about it."""
    return Where(row.service, row.region, environment(), needed)


@read_once
def rules_and_revisions() -> tuple[list[WindowSpan], dict[str, int]]:
    """Read all windows and freezes, and their revisions by name."""
    rows = list(WindowRule.objects.all())
    return [window_of(row) for row in rows], {row.name: row.rev for row in rows}


def ruling_for(row: Upgrade, at: datetime, needed: bool) -> WindowRuling:
    """Rule on an upgrade; a rule that was changed since somebody overrode it stands again."""
    rules, revisions = rules_and_revisions()
    where = where_of(row, needed)
    ruling = ruled(rules, at, where)
    if ruling.allowed:
        return ruling
    for kept in WindowOverride.objects.filter(upgrade=row, at__lte=at, until__gt=at):
        lifted = [name for name, rev in kept.rules.items() if revisions.get(name) == rev]
        now = ruled(rules, at, where, lifted)
        if lifted and now.allowed:
            return lifted_ruling(
                WindowRuling(True, "", ", ".join(lifted), ruling.considered),
                kept.who,
                kept.until,
                kept.reason,
            )
    return ruling
