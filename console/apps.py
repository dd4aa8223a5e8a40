"""Console as a Django app: it brings the commands `up` and `demo`."""

from __future__ import annotations

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """The console's processes and settings."""

    name = "console"
