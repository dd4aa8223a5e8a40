"""What the logs of each deployment keep, as serving processes ask for it now and then."""

from __future__ import annotations

from django.db import connections

from migrations_app.models.logs import DEFAULT_READ_SAMPLING, LogSettings


class ReadSamplingRows:
    """The shares of reads that are noted, as `ports.logs.activity.ActivityNotes` needs them."""

    default = DEFAULT_READ_SAMPLING

    def by_deployment(self) -> dict[str, float]:
        """Give the shares where one was set; from a thread that asks rarely."""
        try:
            return dict(LogSettings.objects.values_list("deployment", "read_sampling"))
        finally:
            connections.close_all()
