"""Who follows which deployment."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from migrations_app.models.access import Account
from migrations_app.models.registry import Deployment


class Subscription(models.Model):
    """One person follows one deployment: its changes are told to them."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="subscriptions")
    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="subscriptions")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["deployment_id", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "deployment"], name="subscription_once"),
        ]
