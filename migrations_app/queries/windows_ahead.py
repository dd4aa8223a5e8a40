"""The next days of a deployment, parted by the window or freeze that wins."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.adapters.repositories.approvals import environment, policy_for, window_of
from migrations_app.adapters.repositories.scenes import scene_of
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.windows import ahead
from migrations_app.kernel.json import Json
from migrations_app.models.windows import WindowRule
from migrations_app.queries.upgrade_view import iso

WEEK = timedelta(days=7)


def week_of(actor: Actor, deployment: str) -> list[Json]:
    """Part the next seven days of a deployment by who wins.

    Raises: Missing (`deployment-missing`), Denied.
    """
    require(actor, "approval.read")
    scene, now = scene_of(deployment), timezone.now()
    rules = [window_of(row) for row in WindowRule.objects.all()]
    needed = policy_for(scene.service, scene.region, Purpose.SWITCH).window_needed
    spans = ahead(rules, now, now + WEEK, scene.service, scene.region, environment(), needed)
    return [
        {"opens": iso(each.opens), "closes": iso(each.closes), "allowed": each.allowed, "winner": each.winner}
        for each in spans
    ]
