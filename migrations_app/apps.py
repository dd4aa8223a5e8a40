"""The one Django app, under the label `switchyard`."""

from __future__ import annotations

from django.apps import AppConfig


class SwitchyardConfig(AppConfig):
    """Models mirror the registry, the upgrades and who may do what."""

    name = "migrations_app"
    label = "switchyard"
    verbose_name = "Switchyard"
    default_auto_field = "django.db.models.BigAutoField"
