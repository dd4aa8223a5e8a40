"""Reports of workers that stay new for as long as a test takes: a slow machine must not make them old."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.models.upgrades import Upgrade, UpgradeShard


def keep_new() -> None:
    """Date all that was reported on upgrades so late that it does not become old while a test looks at it."""
    later = timezone.now() + timedelta(hours=1)
    UpgradeShard.objects.filter(reported_at__isnull=False).update(reported_at=later)
    Upgrade.objects.filter(checks_at__isnull=False).update(checks_at=later)
