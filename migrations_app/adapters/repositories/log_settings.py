"""What the logs of each deployment keep, as serving processes ask for it now and then."""

from __future__ import annotations

from django.db import connections

from migrations_app.models.logs import DEFAULT_READ_SAMPLING, LogSettings

__all__ = ["DEFAULT_READ_SAMPLING", "read_samplings"]


def read_samplings() -> dict[str, float]:
    """Give the shares of reads that are noted, by deployment, where one was set; from a thread that asks rarely."""
    try:
        return dict(LogSettings.objects.values_list("deployment", "read_sampling"))
    finally:
        connections.close_all()
