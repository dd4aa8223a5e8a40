"""The one Django app, under the label `switchyard`."""

from __future__ import annotations

from django.apps import AppConfig


class SwitchyardConfig(AppConfig):
    """Models mirror the registry, the upgrades and who may do what."""

    name = "migrations_app"
    label = "switchyard"
    verbose_name = "Switchyard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the parts that do not import each other."""
        from migrations_app.startup import connect

        connect()
